#include "model/sample_rotations.h"
#include "base/strict_float.h"

#include "base/avx2.h"
#include "base/lanes.h"
#include "base/trig.h"
#include "base/trig_series.h"
#include <math.h>
#include <string.h>

static inline void store_four(const tl_double4 q[4], float *const to[TL_ROTATION_LANES])
{
    for (int lane = 0; lane < TL_ROTATION_LANES; lane++)
        for (int k = 0; k < 4; k++)
            to[lane][k] = (float)q[k][lane];
}

#define LANES(name)         name##_any
#define ALL_LANES(mask)     (((mask)[0] & (mask)[1] & (mask)[2] & (mask)[3]) != 0)
#define ROOTS_OF(from, to)  tl_double4_roots(from, to)
#define LOAD_FLOATS(from)   ((tl_double4){(from)[0], (from)[1], (from)[2], (from)[3]})
#define TRANSPOSE(from, to) tl_double4_transpose(from, to)
#define STORE_FLOATS(q, to) store_four(q, to)
#include "model/sample_rotations.inc"

void tl_sample_four_rotations(const tl_rotation_group *group, double rate, uint32_t steps)
{
    sample_four_any(group, rate, steps);
}

bool tl_rotation_group_fits(const tl_rotation_group *group, const trilo_channel *channel)
{
    const trilo_channel *first = group->channels[0];
    if (channel->target != TRILO_TARGET_ROTATION || channel->interpolation != TRILO_INTERPOLATION_LINEAR ||
        channel->key_count == 0)
        return false;
    return group->count == 0 || (first->key_count == channel->key_count &&
                                 (first->times == channel->times ||
                                  memcmp(first->times, channel->times, first->key_count * sizeof *first->times) == 0));
}

/* Lanes without a channel do what the first one does. */
void tl_rotation_group_sample(const tl_rotation_group *group, double rate, uint32_t steps)
{
    tl_rotation_group four = *group;
    for (uint32_t lane = group->count; lane < TL_ROTATION_LANES; lane++) {
        four.channels[lane] = group->channels[0];
        four.values[lane] = group->values[0];
    }
    if (!tl_has_avx2() || !tl_sample_four_rotations_avx2(&four, rate, steps))
        tl_sample_four_rotations(&four, rate, steps);
}
