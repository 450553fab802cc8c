/* key_reduce.h: keyframe reduction: the fewest keys for a curve within a tolerance. Arrays in, arrays out.
 *
 * A curve is given by samples at increasing ticks and is linear between them. A player interpolates linearly from key
 * to key. The result has keys at some of the samples, with quantized values, such that the played curve passes every
 * sample within the tolerance. A key need not have the value of its sample. Without quantization this is the
 * minimum-vertex approximation of a polygonal function: Imai and Iri, "Polygonal Approximations of a Curve", 1988.
 */
#ifndef TL_OPTIMIZE_KEY_REDUCE_H
#define TL_OPTIMIZE_KEY_REDUCE_H

#include "base/arena.h"

/* Keys, with room for as many as there are samples. */
typedef struct tl_keys {
    uint32_t count;
    uint32_t *samples; /* their indices, ascending; the first and the last sample are always included */
    uint32_t *codes;   /* quantized values */
} tl_keys;

/* ---- scalars ---- */

/* Codes are whole numbers from 0 to `most`: value = code * scale + offset. */
typedef struct tl_scalar_curve {
    uint32_t count; /* of samples, at least 1 */
    const uint32_t *ticks;
    const double *values;
    float scale, offset;
    uint32_t most;
} tl_scalar_curve;

/* Where codes are too coarse for the tolerance, keys have the nearest ones. False: no memory. */
bool tl_reduce_scalar_keys(tl_arena *scratch, const tl_scalar_curve *curve, double tolerance, tl_keys *out);
/* Of a curve whose values are between those of the first and the last code. False: the result has that many keys or
 * more. */
bool tl_scalar_keys_may_be_fewer(const tl_scalar_curve *curve, double tolerance, uint32_t keys);
/* The largest distance of a sample from the played curve. */
double tl_scalar_keys_error(const tl_scalar_curve *curve, const tl_keys *keys);

/* ---- rotations ---- */

/* Distances between rotations are sines of half the angle between them: sqrt(1 - dot(p, q)^2) of unit quaternions. */

/* The squared distance between a unit quaternion and one of any length. */
static inline double tl_rotation_error_squared(const double any[4], const double q[4])
{
    const double length = any[0] * any[0] + any[1] * any[1] + any[2] * any[2] + any[3] * any[3];
    const double along = any[0] * q[0] + any[1] * q[1] + any[2] * q[2] + any[3] * q[3];
    const double square = 1 - along * along / length;
    return length > 0 ? square > 0 ? square : 0 : 1;
}

/* A quantized rotation: a unit quaternion x, y, z, w. */
typedef struct tl_rotation_code {
    double q[4];
    double error_squared; /* of its distance from the rotation that it is a code for */
    uint32_t code;
} tl_rotation_code;

enum { TL_ROTATION_CODES = 9 };

/* Codes around a rotation: the nearest, then others within about the tolerance (0: no others). Returns how many, from 1
 * to TL_ROTATION_CODES. */
typedef uint32_t tl_rotation_codes_fn(const double q[4], double tolerance, tl_rotation_code out[TL_ROTATION_CODES]);
typedef void tl_rotation_value_fn(uint32_t code, double q[4]);
/* The nearest codes of some rotations: the first ones that tl_rotation_codes_fn has for them. */
typedef void tl_nearest_codes_fn(const double (*rotations)[4], const uint32_t *samples, uint32_t count,
                                 uint32_t *codes);

/* Codes around samples of a curve, kept from one reduction to the next. */
typedef struct tl_kept_codes tl_kept_codes;

/* The player interpolates by nlerp along the shorter arc. */
typedef struct tl_rotation_curve {
    uint32_t count;
    const uint32_t *ticks;
    const double (*values)[4]; /* unit quaternions; q and -q are the same rotation */
    const double *nearest;     /* distance of each sample from its nearest code */
    const double *bends;       /* of tl_find_rotation_bends; NULL: not known */
    tl_rotation_codes_fn *codes;
    tl_nearest_codes_fn *nearest_codes; /* NULL: by `codes` */
    tl_rotation_value_fn *value;
    const float *times;  /* of each sample, for tl_tiny3d_rotation_keys; NULL: the ticks */
    tl_kept_codes *kept; /* NULL: each reduction makes its own */
} tl_rotation_curve;

/* Codes for reductions with tolerances up to the given one: those of a smaller tolerance must be some of these, in the
 * same order. NULL: no memory. */
tl_kept_codes *tl_kept_codes_new(tl_arena *scratch, double tolerance);

/* Of each sample of a curve: no segment over it is within a smaller tolerance. 0 at both ends. A reduction need not try
 * such segments, and often shows at once that it fails. */
void tl_find_rotation_bends(const tl_rotation_curve *curve, double *bends);

/* No keys at all: none were found within the tolerance, since codes are too coarse for it. False: no memory. */
bool tl_reduce_rotation_keys(tl_arena *scratch, const tl_rotation_curve *curve, double tolerance, tl_keys *out);
double tl_rotation_keys_error(const tl_rotation_curve *curve, const tl_keys *keys);

/* ---- the reference ---- */

/* Slerp as Tiny3D's converter does it, in single precision: between two rotations that are nearly the same it does not
 * interpolate. */
typedef struct tl_slerp {
    const double *from;
    float a[4], b[4]; /* b in the hemisphere of a */
    float sign, angle, sine;
} tl_slerp;
tl_slerp tl_slerp_between(const double a[4], const double b[4]);
void tl_slerp_at(const tl_slerp *slerp, double amount, double out[4]);

/* Where curves with keys at the same times are sampled: after a key, at an amount of the way to the next, or at the key
 * itself (negative). */
typedef struct tl_slerp_steps {
    uint32_t count;
    const uint32_t *keys;
    const double *amounts;
} tl_slerp_steps;

enum { TL_SLERP_LANES = 4 };

/* Samples up to TL_SLERP_LANES curves at once. values[i] are the keys of curve i, out[i] has room for its samples. */
void tl_slerp_sample(const tl_slerp_steps *steps, uint32_t curve_count, const float *const *values,
                     double (*const *out)[4]);

/* The keys that Tiny3D's converter keeps, each with the code nearest to its sample. Their error is a tolerance that
 * is good enough for games. That converter samples at every tick, and treats q and -q as different rotations. */
void tl_tiny3d_scalar_keys(const tl_scalar_curve *curve, tl_keys *out);
/* Of up to TL_SLERP_LANES curves with the same number of samples, ticks and times. */
void tl_tiny3d_rotation_keys(const tl_rotation_curve *curves, uint32_t curve_count, tl_keys *out);

#endif
