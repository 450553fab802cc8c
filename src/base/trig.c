#include "base/trig.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define TRIG_LIMIT 1e6

/* Beyond pi/4 the series would need more terms; quarter turns take every angle there. pi/2 in three pieces: the first
 * two have 33 bits, so that their products with any number of quarter turns up to TRIG_LIMIT (20 bits) are exact. */
static const double trig_quarter[3] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69};

/* Answers x less its quarter turns, in [-pi/4, pi/4], and how many they were. */
static double trig_reduce(double x, int32_t *quarters)
{
    const double turns = x * (2 / TL_PI);
    *quarters = (int32_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    const double n = *quarters;
    return ((x - n * trig_quarter[0]) - n * trig_quarter[1]) - n * trig_quarter[2];
}

/* Both series end where the next term is below 1e-17 at pi/4. */
static double trig_sin_series(double x)
{
    const double s = x * x;
    double sum = 1.0 / 355687428096000.0;
    sum = sum * s - 1.0 / 1307674368000.0;
    sum = sum * s + 1.0 / 6227020800.0;
    sum = sum * s - 1.0 / 39916800.0;
    sum = sum * s + 1.0 / 362880.0;
    sum = sum * s - 1.0 / 5040.0;
    sum = sum * s + 1.0 / 120.0;
    sum = sum * s - 1.0 / 6.0;
    return x + x * s * sum;
}

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

/* The sine of x + `ahead` quarter turns. */
static double trig_wave(double x, uint32_t ahead)
{
    if (!(fabs(x) <= TRIG_LIMIT))
        return NAN;
    int32_t quarters = 0;
    const double rest = trig_reduce(x, &quarters);
    switch (((uint32_t)quarters + ahead) & 3) {
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
    return trig_wave(x, 0);
}

double tl_cos(double x)
{
    return trig_wave(x, 1);
}

/* The arc tangent of t in [0, 1]: the nearest eighth comes from a table, the series has the rest, at most 1/16. */
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
    double sum = 1.0 / 13;
    sum = sum * s - 1.0 / 11;
    sum = sum * s + 1.0 / 9;
    sum = sum * s - 1.0 / 7;
    sum = sum * s + 1.0 / 5;
    sum = sum * s - 1.0 / 3;
    return eighths[i] + (u + u * s * sum);
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
