#include "base/trig.h"
#include "harness.h"
#include "support/numbers.h"
#include "trilobite/core.h"

#include <math.h>
#include <string.h>

TEST(known_angles)
{
    CHECK(tl_sin(0) == 0 && tl_cos(0) == 1);
    CHECK_NEAR(tl_sin(TL_PI / 6), 0.5, 2e-16);
    CHECK_NEAR(tl_cos(TL_PI / 3), 0.5, 2e-16);
    CHECK_NEAR(tl_sin(TL_PI / 4), 0.70710678118654752, 2e-16);
    CHECK_NEAR(tl_sin(TL_PI / 2), 1, 0);
    CHECK_NEAR(tl_cos(TL_PI), -1, 0);
    CHECK_NEAR(tl_sin(-TL_PI / 2), -1, 0);
    CHECK_NEAR(tl_sin(TL_PI), 1.2246467991473532e-16, 1e-31); /* how far the double is from pi */
    CHECK_NEAR(tl_acos(1), 0, 0);
    CHECK_NEAR(tl_acos(-1), TL_PI, 0);
    CHECK_NEAR(tl_acos(0.5), TL_PI / 3, 3e-16);
    CHECK_NEAR(tl_atan2(1, 1), TL_PI / 4, 0);
    CHECK_NEAR(tl_atan2(1, -1), 3 * TL_PI / 4, 5e-16);
    CHECK_NEAR(tl_atan2(-1, -1), -3 * TL_PI / 4, 5e-16);
}

TEST(what_has_no_angle)
{
    CHECK(isnan(tl_sin(INFINITY)) && isnan(tl_cos(NAN)) && isnan(tl_sin(1.1e6)) && isnan(tl_cos(-1e300)));
    CHECK(!isnan(tl_sin(1e6)) && !isnan(tl_cos(-1e6)));
    CHECK(isnan(tl_acos(1.0000001)) && isnan(tl_acos(-INFINITY)) && isnan(tl_acos(NAN)));
    CHECK(isnan(tl_atan2(NAN, 1)) && isnan(tl_atan2(1, NAN)));
}

TEST(atan2_has_the_special_values_of_c)
{
    static const double edges[] = {0.0, -0.0, 1, -1, 5e-324, -5e-324, 1e308, -1e308, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        for (size_t j = 0; j < sizeof edges / sizeof edges[0]; j++) {
            const double got = tl_atan2(edges[i], edges[j]), want = atan2(edges[i], edges[j]);
            CHECK_NEAR(got, want, 5e-16);
            CHECK(signbit(got) == signbit(want));
        }
}

/* Between -size and size. */
static double random_within(uint64_t *state, double size)
{
    return ((double)(random_bits(state) >> 11) * 0x1p-52 - 1) * size;
}

/* The C library is right to about half a unit of the last place (1.1e-16 at 1), so this measures ours. */
TEST(near_the_c_library)
{
    uint64_t state = 1;
    for (int i = 0; i < 30000; i++) {
        const double x = random_within(&state, i % 2 ? 10 : 1e6);
        CHECK_NEAR(tl_sin(x), sin(x), 3e-16);
        CHECK_NEAR(tl_cos(x), cos(x), 3e-16);
        const double a = random_within(&state, 1), b = random_within(&state, 1);
        CHECK_NEAR(tl_acos(a), acos(a), 9e-16);
        CHECK_NEAR(tl_atan2(a, b), atan2(a, b), 9e-16);
        CHECK_NEAR(tl_atan2(a * 1e-9, b), atan2(a * 1e-9, b), 9e-16);
    }
}

static uint64_t hash_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (hash ^ bits) * UINT64_C(1099511628211);
}

/* One constant for every compiler, C library and byte order: whoever gets another one does not round as IEEE 754 says,
 * and would write other files. */
TEST(same_bits_everywhere)
{
    uint64_t state = 2, hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < 5000; i++) {
        const double x = random_within(&state, i % 2 ? 4 : 1e6);
        hash = hash_double(hash_double(hash, tl_sin(x)), tl_cos(x));
        const double a = random_within(&state, 1), b = random_within(&state, 1);
        hash = hash_double(hash_double(hash, tl_acos(a)), tl_atan2(a, b));
    }
    CHECK_INT((uint32_t)(hash ^ hash >> 32), 38506924);
}

TEST_MAIN(CASE(known_angles), CASE(what_has_no_angle), CASE(atan2_has_the_special_values_of_c),
          CASE(near_the_c_library), CASE(same_bits_everywhere))
