/* key_reduce.h: few keys for a curve, within a bound. Arrays in, arrays out.
 *
 * A curve is given by samples at rising ticks, dense enough that it is straight between them. A player goes straight
 * from key to key, so keys are wanted for some of the samples, with values that a file can store, such that the way
 * between them passes every sample no further away than the bound. A key need not have the value of its sample.
 */
#ifndef TL_OPTIMIZE_KEY_REDUCE_H
#define TL_OPTIMIZE_KEY_REDUCE_H

#include "base/arena.h"

/* Keys, with room for as many as there are samples. */
typedef struct tl_keys {
    uint32_t count;
    uint32_t *samples; /* their numbers, rising; the first and the last sample are always among them */
    uint32_t *codes;   /* what the file stores for them */
} tl_keys;

/* ---- numbers ---- */

/* Stored as whole numbers from 0 to `most`: value = code * scale + offset. */
typedef struct tl_scalar_curve {
    uint32_t count; /* of samples, at least 1 */
    const uint32_t *ticks;
    const double *values;
    float scale, offset;
    uint32_t most;
} tl_scalar_curve;

/* Keys no further off than the bound; where codes are too coarse for it, as near as they get. False: no memory. */
bool tl_reduce_scalar_keys(tl_arena *scratch, const tl_scalar_curve *curve, double bound, tl_keys *out);
/* The most that keys leave a sample. */
double tl_scalar_keys_error(const tl_scalar_curve *curve, const tl_keys *keys);

/* ---- rotations ---- */

/* A rotation that a file can store: x, y, z, w of length 1. */
typedef struct tl_rotation_code {
    double q[4];
    uint32_t code;
} tl_rotation_code;

enum { TL_ROTATION_CODES = 9 };

/* Codes around a rotation, the nearest first, then others that are no further off than about the bound (the sine of
 * half the angle; 0: no others); how many, from 1 to TL_ROTATION_CODES. */
typedef uint32_t tl_rotation_codes_fn(const double q[4], double bound, tl_rotation_code out[TL_ROTATION_CODES]);
typedef void tl_rotation_value_fn(uint32_t code, double q[4]);

/* The player takes the shorter way between two rotations, straight, and makes its length 1. */
typedef struct tl_rotation_curve {
    uint32_t count;
    const uint32_t *ticks;
    const double (*values)[4]; /* of length 1; q and -q are the same rotation */
    const double *nearest;     /* how far off the nearest code of each is (tl_rotation_code_errors) */
    tl_rotation_codes_fn *codes;
    tl_rotation_value_fn *value;
} tl_rotation_curve;

/* How far off the nearest code of each sample is. */
void tl_rotation_code_errors(const tl_rotation_curve *curve, double *nearest);

/* Bounds are sines of half an angle: sin(a / 2) for rotations that differ by the angle a. No keys at all: no way within
 * the bound was found, since codes are too coarse for it. False: no memory. */
bool tl_reduce_rotation_keys(tl_arena *scratch, const tl_rotation_curve *curve, double bound, tl_keys *out);
double tl_rotation_keys_error(const tl_rotation_curve *curve, const tl_keys *keys);

/* ---- the plain way ---- */

/* The keys that Tiny3D's converter would keep: each with the code nearest to its sample. How far off they are says what
 * is good enough. */
void tl_tiny3d_scalar_keys(const tl_scalar_curve *curve, tl_keys *out);
void tl_tiny3d_rotation_keys(const tl_rotation_curve *curve, tl_keys *out);

#endif
