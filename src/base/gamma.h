/* gamma.h: linear colours to display colours and back, with the same bits on every machine.
 *
 * glTF stores linear colours; the console and the neutral model store display (gamma-encoded) ones. Both curves map 0
 * to 0 and 1 to 1 and continue above 1. Negative values and NaN give 0.
 */
#ifndef TL_BASE_GAMMA_H
#define TL_BASE_GAMMA_H

/* base^exponent for finite arguments, base >= 0. The relative error is at most 1e-13 for results from 1e-300 to 1e300;
 * beyond that the result is 0 or infinity. */
double tl_pow(double base, double exponent);

/* The curve that Tiny3D uses: the power 0.4545. */
float tl_gamma_encode(float linear);
/* The inverse: tl_gamma_encode of the result is exactly `encoded`. */
float tl_gamma_decode(float encoded);

/* The sRGB transfer function (IEC 61966-2-1). */
float tl_srgb_encode(float linear);
/* The inverse: tl_srgb_encode of the result is `encoded` or a neighbouring float. Where the curve is steep, some values
 * have no exact inverse. */
float tl_srgb_decode(float encoded);

/* Models have few different colours, so that a small direct-mapped cache saves most conversions. Zero-filled at first.
 */
enum { TL_GAMMA_CACHE_BITS = 10 };
typedef struct tl_gamma_cache {
    struct {
        float from, to;
    } slots[1 << TL_GAMMA_CACHE_BITS]; /* all curves map 0 to 0 */
} tl_gamma_cache;
float tl_gamma_cached(tl_gamma_cache *cache, float (*curve)(float), float value);

#endif
