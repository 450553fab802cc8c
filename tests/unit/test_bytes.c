#include "base/bytes.h"
#include "harness.h"

#include <float.h>
#include <math.h>

static const uint8_t bytes8[8] = {0x81, 0x02, 0x83, 0x04, 0xF5, 0x06, 0x87, 0xF8};

TEST(gets_in_both_orders)
{
    CHECK_INT(tl_get_u16(bytes8, TL_BIG), 0x8102);
    CHECK_INT(tl_get_u16(bytes8, TL_LITTLE), 0x0281);
    CHECK_INT(tl_get_u32(bytes8, TL_BIG), 0x81028304u);
    CHECK_INT(tl_get_u32(bytes8, TL_LITTLE), 0x04830281u);
    CHECK_INT(tl_get_u32be(bytes8 + 4), 0xF50687F8u);
    CHECK_INT(tl_get_u32le(bytes8 + 4), 0xF88706F5u);
    CHECK(tl_get_u64(bytes8, TL_BIG) == 0x81028304F50687F8u);
    CHECK(tl_get_u64(bytes8, TL_LITTLE) == 0xF88706F504830281u);
}

/* Numbers in files stand at any address. */
TEST(gets_from_odd_addresses)
{
    CHECK_INT(tl_get_u16(bytes8 + 1, TL_BIG), 0x0283);
    CHECK_INT(tl_get_u32(bytes8 + 1, TL_LITTLE), 0xF5048302u);
    CHECK_INT(tl_get_u32(bytes8 + 3, TL_BIG), 0x04F50687u);
}

static void check_bytes(const uint8_t *got, const uint8_t *want, size_t size)
{
    CHECK(memcmp(got, want, size) == 0);
    CHECK_INT(got[size], 0xEE); /* and not a byte more */
}

TEST(puts_in_both_orders)
{
    uint8_t out[9];
    memset(out, 0xEE, sizeof out);
    tl_put_u16(out, TL_BIG, 0x8102);
    check_bytes(out, bytes8, 2);
    tl_put_u16(out, TL_LITTLE, 0x0281);
    check_bytes(out, bytes8, 2);
    tl_put_u32(out, TL_BIG, 0x81028304u);
    check_bytes(out, bytes8, 4);
    memset(out, 0xEE, sizeof out);
    tl_put_u32(out, TL_LITTLE, 0x04830281u);
    check_bytes(out, bytes8, 4);
    tl_put_u64(out, TL_BIG, 0x81028304F50687F8u);
    check_bytes(out, bytes8, 8);
    memset(out, 0xEE, sizeof out);
    tl_put_u64(out, TL_LITTLE, 0xF88706F504830281u);
    check_bytes(out, bytes8, 8);
}

TEST(floats_by_their_bits)
{
    CHECK_INT(tl_bits_of(1.0f), 0x3F800000u);
    CHECK_INT(tl_bits_of(-2.5f), 0xC0200000u);
    CHECK_INT(tl_bits_of(-0.0f), 0x80000000u);
    CHECK(tl_float_of(0x40490FDBu) == 3.14159274f);
    CHECK(tl_float_of(1) == 1.40129846e-45f);
    CHECK(tl_get_f32((const uint8_t[]){0xC0, 0x20, 0, 0}, TL_BIG) == -2.5f);
    CHECK(tl_get_f32((const uint8_t[]){0, 0, 0x20, 0xC0}, TL_LITTLE) == -2.5f);
}

/* Quiet and signalling, either sign: what a file holds is what is written back. */
TEST(not_a_numbers_keep_their_payload)
{
    static const uint32_t patterns[] = {0x7FC00000u, 0x7FC12345u, 0xFFC00001u, 0x7F800001u, 0xFFBFFFFFu, 0x7FFFFFFFu};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        uint8_t bytes[4];
        tl_put_u32(bytes, TL_BIG, patterns[i]);
        float value = tl_get_f32(bytes, TL_BIG);
        CHECK_INT(tl_bits_of(value), patterns[i]);
        CHECK(!tl_is_finite(value));
    }
}

TEST(finite_numbers)
{
    static const float finite[] = {0.0f, -0.0f, 1.0f, -1.0f, FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN, 1e-45f, -1e-40f};
    for (size_t i = 0; i < sizeof finite / sizeof finite[0]; i++)
        CHECK(tl_is_finite(finite[i]));
    CHECK(tl_is_finite(tl_float_of(0x7F7FFFFFu)));
    CHECK(!tl_is_finite(tl_float_of(0x7F800000u)));
    CHECK(!tl_is_finite(tl_float_of(0xFF800000u)));
    CHECK(!tl_is_finite(INFINITY));
    CHECK(!tl_is_finite(-INFINITY));
    CHECK(!tl_is_finite(NAN));
}

TEST(the_order_of_the_machine)
{
    const uint32_t word = 0x01020304;
    uint8_t first;
    memcpy(&first, &word, 1);
    CHECK_INT(tl_order_is_host(TL_BIG), first == 1);
    CHECK_INT(tl_order_is_host(TL_LITTLE), first == 4);
    CHECK(tl_order_is_host(TL_BIG) != tl_order_is_host(TL_LITTLE));
}

TEST_MAIN(CASE(gets_in_both_orders), CASE(gets_from_odd_addresses), CASE(puts_in_both_orders),
          CASE(floats_by_their_bits), CASE(not_a_numbers_keep_their_payload), CASE(finite_numbers),
          CASE(the_order_of_the_machine))
