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
typedef struct tl_number_curve {
    uint32_t count; /* of samples, at least 1 */
    const uint32_t *ticks;
    const double *values;
    float scale, offset;
    uint32_t most;
} tl_number_curve;

/* Keys no further off than the bound; where codes are too coarse for it, as near as they get. False: no memory. */
bool tl_keys_of_numbers(tl_arena *scratch, const tl_number_curve *curve, double bound, tl_keys *out);
/* The most that keys leave a sample. */
double tl_keys_numbers_off(const tl_number_curve *curve, const tl_keys *keys);

/* ---- rotations ---- */

/* A rotation that a file can store: x, y, z, w of length 1. */
typedef struct tl_turn_code {
    double q[4];
    uint32_t code;
} tl_turn_code;

enum { TL_TURN_CODES = 9 };

/* Codes around a rotation, the nearest first, then others that are no further off than about the bound (the sine of
 * half the angle; 0: no others); how many, from 1 to TL_TURN_CODES. */
typedef uint32_t tl_turn_codes_fn(const double q[4], double bound, tl_turn_code out[TL_TURN_CODES]);
typedef void tl_turn_value_fn(uint32_t code, double q[4]);

/* The player takes the shorter way between two rotations, straight, and makes its length 1. */
typedef struct tl_turn_curve {
    uint32_t count;
    const uint32_t *ticks;
    const double (*values)[4]; /* of length 1; q and -q are the same rotation */
    const double *nearest;     /* how far off the nearest code of each is (tl_keys_nearest_turns) */
    tl_turn_codes_fn *codes;
    tl_turn_value_fn *value;
} tl_turn_curve;

/* How far off the nearest code of each sample is. */
void tl_keys_nearest_turns(const tl_turn_curve *curve, double *nearest);

/* Bounds are sines of half an angle: sin(a / 2) for rotations that differ by the angle a. No keys at all: no way within
 * the bound was found, since codes are too coarse for it. False: no memory. */
bool tl_keys_of_turns(tl_arena *scratch, const tl_turn_curve *curve, double bound, tl_keys *out);
double tl_keys_turns_off(const tl_turn_curve *curve, const tl_keys *keys);

/* ---- the plain way ---- */

/* The keys that Tiny3D's converter would keep: each with the code nearest to its sample. How far off they are says what
 * is good enough. */
void tl_keys_plain_numbers(const tl_number_curve *curve, tl_keys *out);
void tl_keys_plain_turns(const tl_turn_curve *curve, tl_keys *out);

#endif
