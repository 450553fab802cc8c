/* The expected numbers were worked out with 40 decimal digits and then rounded. */
#include "base/bytes.h"
#include "base/gamma.h"
#include "harness.h"

#include <math.h>
#include <string.h>

typedef struct point {
    float light, shown;
} point;

TEST(gamma_is_right_to_the_last_bit)
{
    static const point points[] = {
        {0x1.ad7f2ap-24f, 0x1.593306p-11f},
        {0x1.a36e2ep-14f, 0x1.f240c6p-7f},
        {0x1.0624dep-10f, 0x1.62b936p-5f},
        {0x1.9a5c38p-9f, 0x1.29f1c8p-4f},
        {0x1.47ae14p-7f, 0x1.f9146ap-4f},
        {0x1.99999ap-5f, 0x1.06692ep-2f},
        {0x1.99999ap-4f, 0x1.67956cp-2f},
        {0x1.b65b2ep-3f, 0x1.fc2c16p-2f},
        {0.25f, 0x1.10aaeep-1f},
        {0.5f, 0x1.75a380p-1f},
        {0x1.666666p-1f, 0x1.b360e8p-1f},
        {0x1.ccccccp-1f, 0x1.e80f5ap-1f},
        {0x1.fffffep-1f, 1},
        {1, 1},
        {1.5f, 0x1.33cdaep+0f},
    };
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        CHECK_NEAR((double)tl_gamma_encode(points[i].light), (double)points[i].shown, 0);
}

/* Of every exponent that floats below 2 have, the least of them without one. tl_pow is right to 13 digits. */
TEST(gamma_is_the_power_rounded_once)
{
    const uint32_t end = tl_bits_of(2) + 1000, step = test_full() ? 1009 : 100003;
    for (uint32_t bits = 0x7FFF00; bits < end; bits += step) {
        const float light = tl_float_of(bits);
        CHECK(tl_gamma_encode(light) == (float)tl_pow((double)light, 0.4545));
    }
}

TEST(srgb_is_right_to_the_last_bit)
{
    static const point points[] = {
        {0x1.ad7f2ap-24f, 0x1.5ad190p-20f},
        {0x1.a36e2ep-14f, 0x1.52b0a6p-10f},
        {0x1.0624dep-10f, 0x1.a75cd2p-7f},
        {0x1.47ae14p-7f, 0x1.98ff46p-4f},
        {0x1.99999ap-5f, 0x1.fb7ed8p-3f},
        {0x1.99999ap-4f, 0x1.65921ep-2f},
        {0x1.b65b2ep-3f, 0x1.fffffcp-2f},
        {0.25f, 0x1.12fe9ap-1f},
        {0.5f, 0x1.7880b6p-1f},
        {0x1.666666p-1f, 0x1.b56792p-1f},
        {0x1.ccccccp-1f, 0x1.e8ccc2p-1f},
        {0x1.fffffep-1f, 1},
        {1, 1},
        {1.5f, 0x1.31b58ep+0f},
    };
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        CHECK_NEAR((double)tl_srgb_encode(points[i].light), (double)points[i].shown, 0);
}

TEST(the_pieces_of_srgb_meet)
{
    const float end = 0.0031308f;
    CHECK_NEAR((double)tl_srgb_encode(end), 0.040449936, 1e-7);
    CHECK_NEAR((double)tl_srgb_encode(nextafterf(end, 1)), 0.040449936, 1e-7);
}

/* n of 255 as light; the neighbour that comes back exactly counts too, so one unit of the last place is free. */
TEST(light_of_bytes)
{
    static const struct {
        int byte;
        float gamma, srgb;
    } rows[] = {
        {1, 5.07086634e-06f, 0.000303526991f},
        {5, 0.000174972563f, 0.00151763496f},
        {32, 0.0103930561f, 0.0144438446f},
        {64, 0.0477612317f, 0.0512694642f},
        {128, 0.21948646f, 0.215860531f},
        {192, 0.535608172f, 0.527115166f},
        {254, 0.991392016f, 0.991102099f},
        {255, 1, 1},
        {0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const float shown = (float)rows[i].byte / 255.0f;
        CHECK_NEAR((double)tl_gamma_decode(shown), (double)rows[i].gamma, 1.2e-7 * (double)rows[i].gamma);
        CHECK_NEAR((double)tl_srgb_decode(shown), (double)rows[i].srgb, 1.2e-7 * (double)rows[i].srgb);
    }
}

/* Every 997th float between 1e-6 and 2. */
TEST(gamma_comes_back_to_the_bit)
{
    const uint32_t first = 0x358637BDu, last = 0x40000000u;
    for (uint32_t bits = first; bits < last; bits += 997) {
        float shown;
        memcpy(&shown, &bits, sizeof shown);
        if (tl_gamma_encode(tl_gamma_decode(shown)) != shown)
            FAIL("%.9g does not come back", (double)shown);
    }
}

TEST(srgb_comes_back_nearly)
{
    for (int i = 0; i <= 4096; i++) {
        const float shown = (float)i / 4096.0f;
        CHECK_NEAR((double)tl_srgb_encode(tl_srgb_decode(shown)), (double)shown, 1.2e-7 * (double)shown);
    }
}

TEST(both_rise)
{
    float gamma = -1, srgb = -1;
    for (int i = 0; i <= 65536; i++) {
        const float light = (float)i / 65536.0f, g = tl_gamma_encode(light), s = tl_srgb_encode(light);
        CHECK(g > gamma && s > srgb);
        gamma = g, srgb = s;
    }
}

TEST(what_is_no_light)
{
    static float (*const curves[])(float) = {tl_gamma_encode, tl_gamma_decode, tl_srgb_encode, tl_srgb_decode};
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        CHECK(curves[i](-1) == 0 && curves[i](-0.5f) == 0 && curves[i](0) == 0);
        CHECK(curves[i](NAN) == 0 && curves[i](-INFINITY) == 0);
        CHECK(isinf(curves[i](INFINITY)));
    }
    CHECK(isinf(tl_gamma_decode(3e38f)) && isfinite(tl_gamma_encode(3e38f)));
    CHECK(tl_gamma_encode(1e-45f) > 0);
}

TEST(powers)
{
    static const double rows[][3] = {
        {2, 10, 1024},
        {2, 0.5, 1.4142135623730951},
        {10, -300, 1e-300},
        {1e-300, 0.5, 1e-150},
        {7.25, 3.5, 1026.0842537594017},
        {1.0000001, 1e6, 1.1051709126143208},
        {0.3, -12.25, 2542521.4742690818},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_NEAR(tl_pow(rows[i][0], rows[i][1]) / rows[i][2], 1, 1e-13);
    CHECK(tl_pow(0, 2) == 0 && tl_pow(0, 0) == 1 && tl_pow(5, 0) == 1);
    CHECK(tl_pow(1e-300, 2) == 0 && isinf(tl_pow(1e300, 2)));
}

TEST_MAIN(CASE(gamma_is_right_to_the_last_bit), CASE(gamma_is_the_power_rounded_once),
          CASE(srgb_is_right_to_the_last_bit), CASE(the_pieces_of_srgb_meet), CASE(light_of_bytes),
          CASE(gamma_comes_back_to_the_bit), CASE(srgb_comes_back_nearly), CASE(both_rise), CASE(what_is_no_light),
          CASE(powers))
