/* pow(b, e) = exp(e * log(b)). Both series end where the next term is below the precision of a double. Only + - * / and
 * the exact frexp and ldexp are used, so every machine computes the same bits. */
#include "base/gamma.h"
#include "base/bytes.h"
#include "base/strict_float.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define GAMMA_EXPONENT 0.4545

/* ln(2) as a sum (Cody and Waite, "Software Manual for the Elementary Functions", 1980): the first term has 32 bits, so
 * that its product with the exponent of a double is exact. */
#define GAMMA_LN2_HIGH 0x1.62e42feep-1
#define GAMMA_LN2_LOW  0x1.a39ef35793c76p-33

/* exp(x) of a larger |x| overflows or underflows. */
#define GAMMA_EXP_LIMIT 745.0

/* log(x) for x > 0. With m in [sqrt(1/2), sqrt(2)) and s = (m - 1) / (m + 1), log(m) = 2 (s + s^3/3 + s^5/5 ...). */
static double gamma_log(double x)
{
    int exponent = 0;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    const double s = (m - 1) / (m + 1), t = s * s;
    double sum = 0;
    for (int n = 25; n >= 3; n -= 2)
        sum = (sum + 1.0 / n) * t;
    return (2 * s + 2 * s * sum + exponent * GAMMA_LN2_LOW) + exponent * GAMMA_LN2_HIGH;
}

static double gamma_exp(double x)
{
    if (!(fabs(x) <= GAMMA_EXP_LIMIT))
        return x < 0 ? 0 : (double)INFINITY;
    const double quotient = x / (GAMMA_LN2_HIGH + GAMMA_LN2_LOW);
    const int n = (int)(quotient < 0 ? quotient - 0.5 : quotient + 0.5);
    const double rest = (x - n * GAMMA_LN2_HIGH) - n * GAMMA_LN2_LOW;
    double sum = 0;
    for (int k = 14; k >= 1; k--)
        sum = (sum + 1) * rest / k;
    return ldexp(1 + sum, n);
}

double tl_pow(double base, double exponent)
{
    if (!(base > 0))
        return exponent == 0 ? 1 : 0;
    return gamma_exp(exponent * gamma_log(base));
}

/* The nearest float. Above FLT_MAX the conversion would be undefined in C: infinity. */
static float gamma_to_float(double value)
{
    return value > FLT_MAX ? (float)INFINITY : (float)value;
}

/* x^GAMMA_EXPONENT for x = 2^exponent * mantissa by tables: mantissa = center * (1 + rest), where |rest| <= 1 / 65. */
enum { GAMMA_CENTERS = 32 };

/* (1 + (i + 0.5) / GAMMA_CENTERS)^GAMMA_EXPONENT */
static const double gamma_center_powers[GAMMA_CENTERS] = {
    0x1.01cf70bc212a1p+0, 0x1.0562caabd1219p+0, 0x1.08e75b10d3dd2p+0, 0x1.0c5dca36b3b3ep+0, 0x1.0fc6b46e31a22p+0,
    0x1.1322ab3516177p+0, 0x1.1672363a6421cp+0, 0x1.19b5d44407c16p+0, 0x1.1cedfbfa41555p+0, 0x1.201b1c9c60f9p+0,
    0x1.233d9ea1d53f2p+0, 0x1.2655e44a1a97bp+0, 0x1.29644a1db6f16p+0, 0x1.2c6927621be4p+0,  0x1.2f64ce8205d62p+0,
    0x1.32578d6bb5a86p+0, 0x1.3541ade632879p+0, 0x1.382375de99078p+0, 0x1.3afd27ae5a4d5p+0, 0x1.3dcf025b30d1ap+0,
    0x1.409941d17746cp+0, 0x1.435c1f1978c67p+0, 0x1.4617d0883f047p+0, 0x1.48cc89ec5362ep+0, 0x1.4b7a7cb6da0f6p+0,
    0x1.4e21d82162695p+0, 0x1.50c2c950bd9a7p+0, 0x1.535d7b7523472p+0, 0x1.55f217e7e45cap+0, 0x1.5880c646e51cap+0,
    0x1.5b09ac8e11784p+0, 0x1.5d8cef2ef9795p+0,
};

/* 2^-i and 2^-(16 * i), to the same power */
static const double gamma_halving_powers[16] = {
    0x1.p+0,
    0x1.75a3807751fd3p-1,
    0x1.10aaee6446aaep-1,
    0x1.8df7330272cacp-2,
    0x1.226bacb69157ap-2,
    0x1.a7e05ef22d6f1p-3,
    0x1.3554517488762p-3,
    0x1.c3796a98fe04cp-4,
    0x1.49782097766ddp-4,
    0x1.e0de744f10a63p-5,
    0x1.5eeb9f354e95bp-5,
    0x1.0016b78c34fb3p-5,
    0x1.75c4a868dfd1bp-6,
    0x1.10c32094499b5p-6,
    0x1.8e1a83968003fp-7,
    0x1.22857231707bfp-7,
};
static const double gamma_halving_16_powers[8] = {
    0x1.p+0,
    0x1.a805fc23e08b9p-8,
    0x1.5f29e9ad54c5ep-15,
    0x1.22d2d05b8ec8p-22,
    0x1.e1b3f5a5fd48bp-30,
    0x1.8eeea8e7afd63p-37,
    0x1.4a624da9ef485p-44,
    0x1.119d44fa0527cp-51,
};

/* Of 2^-126 <= x < 2, with a relative error below 3e-13: the binomial series of (1 + rest)^GAMMA_EXPONENT. */
static double gamma_power_by_table(float x)
{
    const uint32_t bits = tl_bits_of(x), center_number = bits >> 18 & (GAMMA_CENTERS - 1);
    const double mantissa = (double)tl_float_of((bits & 0x7FFFFF) | 0x3F800000), n = GAMMA_EXPONENT;
    const double center = 1 + (center_number + 0.5) / GAMMA_CENTERS, rest = (mantissa - center) / center;
    const double c1 = n, c2 = c1 * (n - 1) / 2, c3 = c2 * (n - 2) / 3, c4 = c3 * (n - 3) / 4, c5 = c4 * (n - 4) / 5;
    const double series = 1 + rest * (c1 + rest * (c2 + rest * (c3 + rest * (c4 + rest * c5))));
    const uint32_t halvings = 127 - (bits >> 23);
    const double power = gamma_halving_powers[halvings % 16] * gamma_halving_16_powers[halvings / 16];
    return power * gamma_center_powers[center_number] * series;
}

/* Tables give a few digits less than tl_pow. Where both ends of their error are rounded to the same float, that is the
 * float which tl_pow gives, too (Ziv, "Fast Evaluation of Elementary Mathematical Functions with Correctly Rounded Last
 * Bit", 1991). */
float tl_gamma_encode(float linear)
{
    static const double ERROR_MOST = 1e-12;
    if (!(linear > 0) || isinf(linear))
        return linear > 0 ? linear : 0;
    if (linear >= FLT_MIN && linear < 2) {
        const double power = gamma_power_by_table(linear);
        const float low = (float)(power * (1 - ERROR_MOST)), high = (float)(power * (1 + ERROR_MOST));
        if (low == high)
            return low;
    }
    return gamma_to_float(tl_pow((double)linear, GAMMA_EXPONENT));
}

float tl_srgb_encode(float linear)
{
    if (!(linear > 0) || isinf(linear))
        return linear > 0 ? linear : 0;
    return gamma_to_float(linear <= 0.0031308f ? 12.92 * (double)linear
                                               : 1.055 * tl_pow((double)linear, 1 / 2.4) - 0.055);
}

/* Of `linear` and its two neighbours, the one that encodes to exactly `encoded`: rounding may be off by one step. */
static float gamma_exact_inverse(float linear, float encoded, float (*encode)(float))
{
    const float below = nextafterf(linear, 0), above = nextafterf(linear, (float)INFINITY);
    if (encode(linear) == encoded)
        return linear;
    return encode(below) == encoded ? below : encode(above) == encoded ? above : linear;
}

float tl_gamma_decode(float encoded)
{
    if (!(encoded > 0) || isinf(encoded))
        return encoded > 0 ? encoded : 0;
    return gamma_exact_inverse(gamma_to_float(tl_pow((double)encoded, 1 / GAMMA_EXPONENT)), encoded, tl_gamma_encode);
}

float tl_srgb_decode(float encoded)
{
    if (!(encoded > 0) || isinf(encoded))
        return encoded > 0 ? encoded : 0;
    const double linear =
        encoded <= 0.04045f ? (double)encoded / 12.92 : tl_pow(((double)encoded + 0.055) / 1.055, 2.4);
    return gamma_exact_inverse(gamma_to_float(linear), encoded, tl_srgb_encode);
}

float tl_gamma_cached(tl_gamma_cache *cache, float (*curve)(float), float value)
{
    const uint32_t slot = tl_bits_of(value) * 2654435761u >> (32 - TL_GAMMA_CACHE_BITS);
    if (cache->slots[slot].from != value) {
        cache->slots[slot].from = value;
        cache->slots[slot].to = curve(value);
    }
    return cache->slots[slot].to;
}
