/* Shortest round-trip decimals by Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2020). It uses
 * integers only, so the result does not depend on rounding mode, locale or C library. The paper's table of 617 powers
 * of ten is replaced by 28 powers of five, which cover common numbers, and long multiplication and division for the
 * rest. */
#include "base/number.h"
#include "base/strict_float.h"

#include <string.h>

/* digits * 10^exponent. */
typedef struct number_decimal {
    uint64_t digits;
    int exponent;
} number_decimal;

/* 126 bits, 63 in each half. */
typedef struct number_power {
    uint64_t high, low;
} number_power;

#define NUMBER_63_BITS (UINT64_MAX >> 1)

/* ---- powers of ten ---- */

/* clang-format off */
static const uint64_t number_fives[28] = {
    1u, 5u, 25u, 125u,
    625u, 3125u, 15625u, 78125u,
    390625u, 1953125u, 9765625u, 48828125u,
    244140625u, 1220703125u, 6103515625u, 30517578125u,
    152587890625u, 762939453125u, 3814697265625u, 19073486328125u,
    95367431640625u, 476837158203125u, 2384185791015625u, 11920928955078125u,
    59604644775390625u, 298023223876953125u, 1490116119384765625u, 7450580596923828125u,
};
/* clang-format on */

enum {
    NUMBER_CHUNK = 13, /* 5^13 is the largest power of five in 32 bits */
    NUMBER_WORDS = 32  /* room for 5^324, and for 126 bits of 2^n / 5^292 */
};

/* The top 126 bits of a big integer (least significant word first), plus 1. Missing words count as 0. */
static number_power number_power_of_words(const uint32_t *words, int count)
{
    while (words[count - 1] == 0)
        count--;
    uint64_t part[3];
    for (int i = 0; i < 3; i++) {
        const int at = count - 1 - 2 * i;
        part[i] = (uint64_t)(at >= 0 ? words[at] : 0) << 32 | (at >= 1 ? words[at - 1] : 0);
    }
    while (!(part[0] >> 63)) { /* at most 31 times */
        part[0] = part[0] << 1 | part[1] >> 63;
        part[1] = part[1] << 1 | part[2] >> 63;
        part[2] <<= 1;
    }
    number_power p = {part[0] >> 1, (part[0] & 1) << 62 | part[1] >> 2};
    p.high += p.low == NUMBER_63_BITS;
    p.low = (p.low + 1) & NUMBER_63_BITS;
    return p;
}

static number_power number_power_by_multiplying(int n)
{
    uint32_t words[NUMBER_WORDS] = {1};
    int count = 1;
    for (; n > 0; n -= NUMBER_CHUNK) {
        const uint64_t factor = number_fives[n < NUMBER_CHUNK ? n : NUMBER_CHUNK];
        uint64_t carry = 0;
        for (int i = 0; i < count; i++) {
            carry += words[i] * factor;
            words[i] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry)
            words[count++] = (uint32_t)carry;
    }
    return number_power_of_words(words, count);
}

/* Dividing in steps is exact: floor(floor(x / a) / b) = floor(x / (ab)). */
static number_power number_power_by_dividing(int n)
{
    uint32_t words[NUMBER_WORDS] = {0};
    const int count = 6 + n * 5 / 64; /* 5^n has at most n * 2.33 bits; plus 128 bits of the quotient and one word */
    words[count - 1] = 1;
    for (; n > 0; n -= NUMBER_CHUNK) {
        const uint64_t divisor = number_fives[n < NUMBER_CHUNK ? n : NUMBER_CHUNK];
        uint64_t rest = 0;
        for (int i = count - 1; i >= 0; i--) {
            rest = rest << 32 | words[i];
            words[i] = (uint32_t)(rest / divisor);
            rest %= divisor;
        }
    }
    return number_power_of_words(words, count);
}

/* The first 126 bits of 10^n, plus 1. They are those of 5^n: a factor of 2 only shifts. */
static number_power number_power_of_ten(int n)
{
    if (n < 0)
        return number_power_by_dividing(-n);
    if (n > 27)
        return number_power_by_multiplying(n);
    uint64_t high = number_fives[n];
    for (int shift = 32; shift > 0; shift /= 2)
        if (!(high >> (63 - shift)))
            high <<= shift;
    return (number_power){high, 1};
}

/* ---- shortest digits ---- */

/* x / 2^shift rounded down, also for negative x. */
static int number_floor_shift(int64_t x, int shift)
{
    return (int)(x < 0 ? ~(~x >> shift) : x >> shift);
}

static uint64_t number_multiply_high(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* power * x / 2^127, rounded to odd: the last bit is also set if any bit was cut off. The power is slightly too large;
 * the paper proves that this never changes the 63 bits tested here. */
static uint64_t number_scale(number_power power, uint64_t x)
{
    const uint64_t rest = (power.high * x >> 1) + number_multiply_high(power.low, x);
    return (number_multiply_high(power.high, x) + (rest >> 63)) | ((rest & NUMBER_63_BITS) != 0);
}

/* The shortest decimal that reads back as c * 2^q. `narrow`: c is a power of two, so the gap below it is half the gap
 * above.
 *
 * All numbers between the midpoints to the two neighbours round to c * 2^q (including the midpoints when c is even).
 * The unit is a quarter of 10^k, the largest power of ten that is not wider than this interval. The interval contains
 * at least one multiple of 10^k and at most one multiple of 10^(k+1), which is shorter. */
static number_decimal number_shortest(uint64_t c, int q, bool narrow)
{
    const int64_t three_quarters = narrow ? 274743187321 : 0;                         /* -log10(3/4) * 2^41 */
    const int k = number_floor_shift(q * INT64_C(661971961083) - three_quarters, 41); /* log10(2) * 2^41 */
    const int shift = q + number_floor_shift(-k * INT64_C(913124641741), 38) + 2;     /* log2(10) * 2^38 */
    const number_power power = number_power_of_ten(-k);
    const uint64_t outside = c & 1;
    const uint64_t low = number_scale(power, (4 * c - (narrow ? 1 : 2)) << shift) + outside;
    const uint64_t value = number_scale(power, 4 * c << shift);
    const uint64_t high = number_scale(power, (4 * c + 2) << shift) - outside;

    const uint64_t s = value / 4, tens = s / 10;
    if (tens > 0 && (low <= 40 * tens) != (40 * tens + 40 <= high))
        return (number_decimal){tens + (low > 40 * tens), k + 1};
    const bool down = low <= 4 * s, up = 4 * s + 4 <= high;
    if (down != up)
        return (number_decimal){s + up, k};
    const uint64_t half = 4 * s + 2;
    return (number_decimal){s + (value > half || (value == half && s % 2 == 1)), k};
}

/* ---- text ---- */

size_t tl_print_u64(uint64_t value, char out[32])
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    const size_t length = sizeof digits - at;
    memcpy(out, digits + at, length);
    out[length] = '\0';
    return length;
}

static char *number_put(char *out, const char *text, size_t length)
{
    memcpy(out, text, length);
    return out + length;
}

static char *number_put_zeros(char *out, int count)
{
    for (int i = 0; i < count; i++)
        *out++ = '0';
    return out;
}

/* digits[0] . digits[1...] e exponent */
static char *number_put_scientific(char *out, const char *digits, size_t length, int exponent)
{
    *out++ = digits[0];
    if (length > 1) {
        *out++ = '.';
        out = number_put(out, digits + 1, length - 1);
    }
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    char text[32];
    const size_t text_length = tl_print_u64((uint64_t)size, text);
    if (size < 10)
        *out++ = '0';
    return number_put(out, text, text_length);
}

static char *number_put_decimal(char *out, number_decimal d)
{
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    char digits[32];
    const size_t length = tl_print_u64(d.digits, digits);
    const int lead = (int)length - 1 + d.exponent; /* of the first digit */
    if (lead < -5 || lead >= 16)
        return number_put_scientific(out, digits, length, lead);
    if (d.exponent >= 0)
        return number_put_zeros(number_put(out, digits, length), d.exponent);
    if (lead < 0)
        return number_put(number_put_zeros(number_put(out, "0.", 2), -lead - 1), digits, length);
    const size_t whole = (size_t)lead + 1;
    return number_put(number_put(number_put(out, digits, whole), ".", 1), digits + whole, length - whole);
}

/* An IEEE 754 number with `bits` fraction bits and an exponent biased by `bias`. */
static size_t number_print_ieee(bool negative, uint64_t fraction, int exponent, int bits, int bias, char out[32])
{
    char *end = out;
    if (negative)
        *end++ = '-';
    const uint64_t hidden = UINT64_C(1) << bits;
    if (exponent == 2 * bias + 1)
        end = fraction ? number_put(out, "nan", 3) : number_put(end, "inf", 3);
    else if (exponent > 0)
        end = number_put_decimal(
            end, number_shortest(hidden | fraction, exponent - bias - bits, fraction == 0 && exponent > 1));
    else if (fraction > 0)
        end = number_put_decimal(end, number_shortest(fraction, 1 - bias - bits, false));
    else
        *end++ = '0';
    *end = '\0';
    return (size_t)(end - out);
}

size_t trilo_float_print(float value, char out[32])
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return number_print_ieee(bits >> 31, bits & 0x7fffff, (int)(bits >> 23 & 0xff), 23, 127, out);
}

size_t trilo_double_print(double value, char out[32])
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return number_print_ieee(bits >> 63, bits & 0xfffffffffffff, (int)(bits >> 52 & 0x7ff), 52, 1023, out);
}
