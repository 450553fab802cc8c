/* rotation_codes.h: rotations as the stream can store them.
 *
 * The stream stores the three smallest components of a unit quaternion in 10 bits each, and which one is left out.
 * rotation_codes.inc computes four codes or rotations at once, each in its lane, once for every machine
 * (rotation_codes.c) and once for AVX2 (rotation_codes_avx2.c), with the same results.
 */
#ifndef TL_T3DM_ANIMATION_ROTATION_CODES_H
#define TL_T3DM_ANIMATION_ROTATION_CODES_H

#include "base/lanes.h"
#include "formats/t3dm/decode/sdata.h"
#include "optimize/key_reduce.h"

#define QUAT_STEP     (SDATA_QUAT_SPAN / SDATA_QUAT_STEPS)
#define STEPS_PER_ONE (SDATA_QUAT_STEPS / SDATA_QUAT_SPAN)

tl_rotation_codes_fn tl_t3dm_rotation_codes;
tl_nearest_codes_fn tl_t3dm_nearest_codes;
/* True if tl_t3dm_rotation_codes has corners of the cell of the grid that a rotation lies in. They do not depend on the
 * tolerance, only how many of them count. */
bool tl_t3dm_codes_are_a_cell(double tolerance);
/* The distance of each unit quaternion from its nearest code. */
void tl_t3dm_nearest_code_errors(const double (*rotations)[4], uint32_t count, double *errors);

/* --- steps, for every machine and for AVX2 --- */

enum { T3DM_CODE_LANES = 4 };

typedef struct t3dm_smallest_three {
    uint32_t largest;       /* the component that is left out */
    double value[3], at[3]; /* the others, and the same in steps */
    uint32_t nearest[3];    /* steps */
} t3dm_smallest_three;

/* Which codes are added: those within the tolerance, to first order. The component that is left out changes against the
 * others. */
typedef struct t3dm_code_limit {
    double left_out, most; /* squares */
} t3dm_code_limit;

typedef struct t3dm_code_lanes {
    /* The nearest code and the other corners of the cell that are within the limit. `largest` is the component that is
     * left out. Returns how many. */
    uint32_t (*find_cell_corners)(const double q[4], uint32_t largest, t3dm_code_limit limit, tl_rotation_code *out);
    /* Of four rotations. */
    void (*find_nearest_errors)(const double (*rotations)[4], double errors[T3DM_CODE_LANES]);
    void (*find_nearest_codes)(const double *const rotations[T3DM_CODE_LANES], uint32_t codes[T3DM_CODE_LANES]);
} t3dm_code_lanes;

const t3dm_code_lanes *tl_t3dm_code_lanes(void);
/* NULL: not compiled for it. */
const t3dm_code_lanes *tl_t3dm_code_lanes_avx2(void);

static inline uint32_t tl_t3dm_bits_of_step(int component, int32_t step)
{
    return (uint32_t)step << (SDATA_QUAT_LARGEST - SDATA_QUAT_BITS * (component + 1));
}

#endif
