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

float tl_gamma_encode(float linear)
{
    if (!(linear > 0) || isinf(linear))
        return linear > 0 ? linear : 0;
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
