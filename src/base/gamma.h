/* gamma.h: from light to the values that a screen is given, and back, with the same bits everywhere.
 *
 * Files of other programs keep colours as amounts of light; the console and our model keep what is shown. Both curves
 * take 0 to 0 and 1 to 1. What is below 0 or no number answers 0; above 1 the curve goes on.
 */
#ifndef TL_BASE_GAMMA_H
#define TL_BASE_GAMMA_H

/* base to the power of the exponent, for a base that is not below 0 and finite numbers: off by at most 1e-13 of itself
 * as long as it is neither below 1e-300 nor above 1e300; 0 and infinity stand for what lies beyond. */
double tl_pow(double base, double exponent);

/* The curve that Tiny3D uses: the power 0.4545. */
float tl_gamma_encode(float light);
/* The light that tl_gamma_encode shows as exactly that. */
float tl_gamma_decode(float shown);

/* The curve of the sRGB standard. */
float tl_srgb_encode(float light);
/* tl_srgb_encode shows it as that, or as a neighbour: where the curve is steep not every value has its light. */
float tl_srgb_decode(float shown);

#endif
