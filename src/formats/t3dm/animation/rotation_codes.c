#include "formats/t3dm/animation/rotation_codes.h"
#include "base/strict_float.h"

#include "base/avx2.h"
#include <math.h>
#include <string.h>

static inline double clamp_steps(double v)
{
    const double above = v > 0 ? v : 0;
    return above < SDATA_QUAT_STEPS ? above : SDATA_QUAT_STEPS;
}

#define LANES(name)        name##_any
#define LANE_BITS(mask)    tl_mask4_bits(mask)
#define ROOTS_OF(from, to) tl_double4_roots(from, to)
#define CLAMP_STEPS(v)                                                                                                 \
    ((tl_double4){clamp_steps((v)[0]), clamp_steps((v)[1]), clamp_steps((v)[2]), clamp_steps((v)[3])})
#define TRUNCATE(v)         ((tl_double4){(int32_t)(v)[0], (int32_t)(v)[1], (int32_t)(v)[2], (int32_t)(v)[3]})
#define TRANSPOSE(from, to) tl_double4_transpose(from, to)
#include "formats/t3dm/animation/rotation_codes.inc"

const t3dm_code_lanes *tl_t3dm_code_lanes(void)
{
    return &code_lanes_any;
}

static const t3dm_code_lanes *choose_lanes(void)
{
    const t3dm_code_lanes *avx2 = tl_has_avx2() ? tl_t3dm_code_lanes_avx2() : NULL;
    return avx2 ? avx2 : &code_lanes_any;
}

static uint32_t find_largest(const double q[4])
{
    double most = fabs(q[0]);
    uint32_t largest = 0;
    for (uint32_t i = 1; i < 4; i++) {
        const double magnitude = fabs(q[i]);
        largest = magnitude > most ? i : largest;
        most = magnitude > most ? magnitude : most;
    }
    return largest;
}

static void split_rotation(const double q[4], uint32_t largest, t3dm_smallest_three *s)
{
    s->largest = largest;
    const double sign = q[s->largest] < 0 ? -1 : 1;
    for (uint32_t i = 0; i < 3; i++) {
        s->value[i] = sign * q[(s->largest + 1 + i) & 3];
        s->at[i] = (s->value[i] + SDATA_QUAT_HALF) * STEPS_PER_ONE;
        s->nearest[i] = (uint32_t)(int32_t)clamp_steps(s->at[i] + 0.5); /* rounded down */
    }
}

static void pack_steps(const double q[4], const t3dm_smallest_three *s, const int32_t steps[3], tl_rotation_code *out)
{
    double rest = 1;
    out->code = s->largest << SDATA_QUAT_LARGEST;
    for (int i = 0; i < 3; i++) {
        const double value = steps[i] * QUAT_STEP - SDATA_QUAT_HALF;
        out->code |= tl_t3dm_bits_of_step(i, steps[i]);
        out->q[(s->largest + 1 + (uint32_t)i) & 3] = value;
        rest -= value * value;
    }
    out->q[s->largest] = rest > 0 ? sqrt(rest) : 0;
    out->error_squared = tl_rotation_error_squared(out->q, q);
}

/* What is half way to the tolerance on both sides of each axis. */
static uint32_t add_axis_steps(const double q[4], const t3dm_smallest_three *s, t3dm_code_limit limit, int32_t half,
                               tl_rotation_code *out)
{
    uint32_t count = 0;
    for (int i = 0; i < 6; i++) {
        int32_t steps[3];
        double along = 0, sum = 0;
        bool exists = true;
        for (int k = 0; k < 3; k++) {
            steps[k] = (int32_t)s->nearest[k] + (k != i / 2 ? 0 : i % 2 ? half : -half);
            const double error = (steps[k] - s->at[k]) * QUAT_STEP;
            sum += error * error;
            along += error * s->value[k];
            exists = exists && (uint32_t)steps[k] <= SDATA_QUAT_STEPS;
        }
        if (exists && sum * limit.left_out + along * along <= limit.most)
            pack_steps(q, s, steps, &out[count++]);
    }
    return count;
}

/* The tolerance, in steps, up to which the cell has all codes that count. */
static const double CELL_STEPS_MOST = 1.2;

bool tl_t3dm_codes_are_a_cell(double tolerance)
{
    return tolerance * STEPS_PER_ONE < CELL_STEPS_MOST;
}

uint32_t tl_t3dm_rotation_codes(const double q[4], double tolerance, tl_rotation_code out[TL_ROTATION_CODES])
{
    const uint32_t largest = find_largest(q);
    const double left_out = q[largest] * q[largest];
    const t3dm_code_limit limit = {left_out, 1.02 * tolerance * tolerance * left_out};
    if (tolerance > 0 && tl_t3dm_codes_are_a_cell(tolerance))
        return choose_lanes()->find_cell_corners(q, largest, limit, out);
    t3dm_smallest_three s;
    split_rotation(q, largest, &s);
    pack_steps(q, &s, (const int32_t[3]){(int32_t)s.nearest[0], (int32_t)s.nearest[1], (int32_t)s.nearest[2]}, out);
    if (!(tolerance > 0))
        return 1;
    const double half = tolerance * STEPS_PER_ONE * 0.55;
    return 1 + add_axis_steps(q, &s, limit, half > 1 ? half < 550 ? (int32_t)half : 550 : 1, out + 1);
}

void tl_t3dm_nearest_codes(const double (*rotations)[4], const uint32_t *samples, uint32_t count, uint32_t *codes)
{
    const t3dm_code_lanes *lanes = choose_lanes();
    for (uint32_t i = 0; i < count; i += T3DM_CODE_LANES) {
        const uint32_t left = count - i < T3DM_CODE_LANES ? count - i : T3DM_CODE_LANES;
        const double *of_lane[T3DM_CODE_LANES];
        uint32_t found[T3DM_CODE_LANES];
        for (uint32_t lane = 0; lane < T3DM_CODE_LANES; lane++)
            of_lane[lane] = rotations[samples[i + (lane < left ? lane : 0)]];
        lanes->find_nearest_codes(of_lane, found);
        memcpy(codes + i, found, left * sizeof *codes);
    }
}

void tl_t3dm_nearest_code_errors(const double (*rotations)[4], uint32_t count, double *errors)
{
    const t3dm_code_lanes *lanes = choose_lanes();
    double last[T3DM_CODE_LANES][4], errors_of_last[T3DM_CODE_LANES];
    uint32_t i = 0;
    for (; i + T3DM_CODE_LANES <= count; i += T3DM_CODE_LANES)
        lanes->find_nearest_errors(rotations + i, errors + i);
    if (i == count)
        return;
    for (uint32_t lane = 0; lane < T3DM_CODE_LANES; lane++)
        memcpy(last[lane], rotations[i + lane < count ? i + lane : i], sizeof last[lane]);
    lanes->find_nearest_errors((const double(*)[4])last, errors_of_last);
    memcpy(errors + i, errors_of_last, (count - i) * sizeof *errors);
}
