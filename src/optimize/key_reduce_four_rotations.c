#include "optimize/key_reduce_tiny3d.h"

#include "base/trig_series.h"

static inline void transpose_floats(tl_float4 v[4])
{
    tl_float4 from[4];
    memcpy(from, v, sizeof from);
    for (int i = 0; i < 4; i++)
        v[i] = (tl_float4){from[0][i], from[1][i], from[2][i], from[3][i]};
}

#define LANES(name)         name##_any
#define LANE_BITS(mask)     tl_mask4_bits(mask)
#define ROOTS_OF(from, to)  tl_double4_roots(from, to)
#define TO_FLOATS(v)        ((tl_float4){(float)(v)[0], (float)(v)[1], (float)(v)[2], (float)(v)[3]})
#define TO_DOUBLES(v)       ((tl_double4){(v)[0], (v)[1], (v)[2], (v)[3]})
#define TRANSPOSE(from, to) tl_double4_transpose(from, to)
#define TRANSPOSE_FLOATS(v) transpose_floats(v)
#include "optimize/key_reduce_four_rotations.inc"

void tl_slerp_sample_four(const tl_slerp_steps *steps, const float *const values[TL_SLERP_LANES],
                          double (*const out[TL_SLERP_LANES])[4])
{
    slerp_sample_four_any(steps, values, out);
}

void tl_reduce_four_rotations_like_tiny3d(const tiny3d_reduction r[TL_SLERP_LANES],
                                          uint32_t *const samples[TL_SLERP_LANES], uint32_t kept[TL_SLERP_LANES])
{
    reduce_four_rotations_any(r, samples, kept);
}
