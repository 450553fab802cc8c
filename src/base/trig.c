#include "base/trig.h"
#include "base/strict_float.h"
#include "base/trig_series.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define TRIG_LIMIT 1e6

/* pi/2 as a sum, for the range reduction of Cody and Waite ("Software Manual for the Elementary Functions", 1980). The
 * first two terms have 33 bits, so that their products with any quotient up to TRIG_LIMIT (20 bits) are exact. */
static const double trig_half_pi[3] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69};

static double trig_sin_series(double x)
{
    const double s = x * x;
    return x + x * s * TL_SIN_SUM(s);
}

/* It ends as that of the sine does. */
static double trig_cos_series(double x)
{
    const double s = x * x;
    double sum = 1.0 / 20922789888000.0;
    sum = sum * s - 1.0 / 87178291200.0;
    sum = sum * s + 1.0 / 479001600.0;
    sum = sum * s - 1.0 / 3628800.0;
    sum = sum * s + 1.0 / 40320.0;
    sum = sum * s - 1.0 / 720.0;
    sum = sum * s + 1.0 / 24.0;
    return 1 - (0.5 * s - s * s * sum);
}

/* sin(x + quadrant * pi/2). The argument is reduced to [-pi/4, pi/4]. */
static double trig_sin_quadrant(double x, uint32_t quadrant)
{
    if (!(fabs(x) <= TRIG_LIMIT))
        return NAN;
    const double quotient = x * (2 / TL_PI);
    const int32_t n = (int32_t)(quotient < 0 ? quotient - 0.5 : quotient + 0.5);
    const double rest = ((x - n * trig_half_pi[0]) - n * trig_half_pi[1]) - n * trig_half_pi[2];
    switch (((uint32_t)n + quadrant) & 3) {
    case 0:
        return trig_sin_series(rest);
    case 1:
        return trig_cos_series(rest);
    case 2:
        return -trig_sin_series(rest);
    default:
        return -trig_cos_series(rest);
    }
}

double tl_sin(double x)
{
    if (fabs(x) < TL_SIN_SERIES_MOST)
        return trig_sin_series(x);
    return trig_sin_quadrant(x, 0);
}

double tl_cos(double x)
{
    return trig_sin_quadrant(x, 1);
}

/* atan(t) for t in [0, 1]: atan of the nearest eighth c from a table, plus the series of atan((t - c) / (1 + tc)),
 * whose argument is at most 1/16. */
static double trig_atan(double t)
{
    /* clang-format off */
    static const double eighths[9] = {
        0, 0x1.fd5ba9aac2f6ep-4, 0x1.f5b75f92c80ddp-3,
        0x1.6f61941e4def1p-2, 0x1.dac670561bb4fp-2, 0x1.1e00babdefeb4p-1,
        0x1.4978fa3269ee1p-1, 0x1.700a7c5784634p-1, 0x1.921fb54442d18p-1,
    };
    /* clang-format on */
    const int i = (int)(8 * t + 0.5);
    const double c = i / 8.0;
    const double u = (t - c) / (1 + t * c);
    const double s = u * u;
    return eighths[i] + (u + u * s * TL_ATAN_SUM(s));
}

double tl_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return NAN;
    double ax = fabs(x), ay = fabs(y);
    if (isinf(ax) && isinf(ay))
        ax = ay = 1;
    const double small = ax < ay ? ax : ay, large = ax < ay ? ay : ax;
    double angle = large > 0 ? trig_atan(small / large) : 0;
    if (ay > ax)
        angle = TL_PI / 2 - angle;
    if (signbit(x))
        angle = TL_PI - angle;
    return signbit(y) ? -angle : angle;
}

double tl_acos(double x)
{
    if (!(fabs(x) <= 1))
        return NAN;
    return tl_atan2(sqrt((1 - x) * (1 + x)), x);
}
