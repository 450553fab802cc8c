/* A power is 2 to the exponent times the logarithm. Both series are cut where the next term would be lost in a double;
 * nothing but + - * / is used, and the exact frexp and ldexp. */
#include "base/gamma.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define GAMMA_EXPONENT 0.4545

/* The natural logarithm of 2: the first piece has 32 bits, so that its product with an exponent of a double is exact.
 */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW  0x1.a39ef35793c76p-33

/* Beyond this e to the x is no double any more. */
#define EXP_LIMIT 745.0

/* Of a number above 0. With m between sqrt(1/2) and sqrt(2) and s = (m - 1) / (m + 1), log m = 2 (s + s^3/3 + ...). */
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
    return (2 * s + 2 * s * sum + exponent * LN2_LOW) + exponent * LN2_HIGH;
}

static double gamma_exp(double x)
{
    if (!(fabs(x) <= EXP_LIMIT))
        return x < 0 ? 0 : (double)INFINITY;
    const double turns = x / (LN2_HIGH + LN2_LOW);
    const int n = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
    const double rest = (x - n * LN2_HIGH) - n * LN2_LOW;
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

/* The nearest float; infinity where there is none, without asking for a conversion that C leaves open. */
static float narrow(double value)
{
    return value > FLT_MAX ? (float)INFINITY : (float)value;
}

/* What no screen can show. */
static bool nothing(float value)
{
    return !(value > 0);
}

float tl_gamma_encode(float light)
{
    if (nothing(light) || isinf(light))
        return nothing(light) ? 0 : light;
    return narrow(tl_pow((double)light, GAMMA_EXPONENT));
}

float tl_srgb_encode(float light)
{
    if (nothing(light) || isinf(light))
        return nothing(light) ? 0 : light;
    return narrow(light <= 0.0031308f ? 12.92 * (double)light : 1.055 * tl_pow((double)light, 1 / 2.4) - 0.055);
}

/* Rounding may have led beside the light that gives the wanted value: its neighbours are asked too. */
static float meet(float light, float shown, float (*encode)(float))
{
    const float below = nextafterf(light, 0), above = nextafterf(light, (float)INFINITY);
    if (encode(light) == shown)
        return light;
    return encode(below) == shown ? below : encode(above) == shown ? above : light;
}

float tl_gamma_decode(float shown)
{
    if (nothing(shown) || isinf(shown))
        return nothing(shown) ? 0 : shown;
    return meet(narrow(tl_pow((double)shown, 1 / GAMMA_EXPONENT)), shown, tl_gamma_encode);
}

float tl_srgb_decode(float shown)
{
    if (nothing(shown) || isinf(shown))
        return nothing(shown) ? 0 : shown;
    const double light = shown <= 0.04045f ? (double)shown / 12.92 : tl_pow(((double)shown + 0.055) / 1.055, 2.4);
    return meet(narrow(light), shown, tl_srgb_encode);
}
