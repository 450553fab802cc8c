/* Keys of rotations: which codes a key may have, and which tolerances are tried, against a plain way to list both. The
 * search for the fewest keys is the same (optimize/key_reduce.h); everything around it is written anew here. */
#include "formats/t3dm/animation/animation.h"
#include "formats/t3dm/decode/sdata.h"
#include "harness.h"
#include "model/curve.h"
#include "optimize/key_reduce.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"

#include <math.h>
#include <string.h>

enum { KEYS = 7, SAMPLES = 512 };

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(random_bits(state) >> 33) % limit;
}

/* ---- codes ---- */

/* A component of -0.70710678118 to 0.70710678118 in 1023 steps. */
static const double HALF = 0.70710678118, STEP = 1.41421356236 / 1023, PER_ONE = 1023 / 1.41421356236;

typedef struct spot {
    int largest;     /* the component that is not stored */
    double value[3]; /* the others, such that the largest is positive */
    int nearest[3];
} spot;

static spot spot_of(const double q[4])
{
    spot s = {.largest = 0};
    for (int i = 1; i < 4; i++)
        s.largest = fabs(q[i]) > fabs(q[s.largest]) ? i : s.largest;
    for (int k = 0; k < 3; k++) {
        s.value[k] = (q[s.largest] < 0 ? -1 : 1) * q[(s.largest + 1 + k) % 4];
        const double at = floor((s.value[k] + HALF) * PER_ONE + 0.5);
        s.nearest[k] = (int)fmin(fmax(at, 0), 1023);
    }
    return s;
}

/* The code of these steps; false if a step does not exist, or if it is further off than the tolerance, to first order:
 * what is left out changes against the others. */
static bool code_of(const double q[4], const spot *s, const int steps[3], double tolerance, tl_rotation_code *out)
{
    const double left_out = fabs(q[s->largest]);
    double squares = 0, along = 0, length = 0;
    out->code = (uint32_t)s->largest << 30;
    for (int k = 0; k < 3; k++) {
        if (steps[k] < 0 || steps[k] > 1023)
            return false;
        const double error = (steps[k] - (s->value[k] + HALF) * PER_ONE) * STEP, value = steps[k] * STEP - HALF;
        squares += error * error;
        along += error * s->value[k];
        length += value * value;
        out->q[(s->largest + 1 + k) % 4] = value;
        out->code |= (uint32_t)steps[k] << (20 - 10 * k);
    }
    out->q[s->largest] = length < 1 ? sqrt(1 - length) : 0;
    out->error_squared = tl_rotation_error_squared(out->q, q);
    return squares + along * along / (left_out * left_out) <= 1.02 * tolerance * tolerance;
}

/* The nearest; then, up to 1.2 steps, the other corners of the cell, else what is about half way to the tolerance along
 * each axis. */
static uint32_t plain_codes(const double q[4], double tolerance, tl_rotation_code out[TL_ROTATION_CODES])
{
    const spot s = spot_of(q);
    uint32_t count = 1;
    code_of(q, &s, s.nearest, 1, &out[0]);
    if (!(tolerance > 0))
        return count;
    if (tolerance * PER_ONE < 1.2) {
        for (int corner = 1; corner < 8; corner++) {
            int steps[3];
            for (int k = 0; k < 3; k++) {
                const bool above = (s.value[k] + HALF) * PER_ONE > s.nearest[k];
                steps[k] = s.nearest[k] + (corner >> k & 1 ? (above ? 1 : -1) : 0);
            }
            count += code_of(q, &s, steps, tolerance, &out[count]);
        }
        return count;
    }
    const double half = fmin(tolerance * PER_ONE, 1000) * 0.55;
    for (int way = 0; way < 6; way++) {
        int steps[3] = {s.nearest[0], s.nearest[1], s.nearest[2]};
        steps[way / 2] += (way % 2 ? 1 : -1) * (half > 1 ? (int)half : 1);
        count += code_of(q, &s, steps, tolerance, &out[count]);
    }
    return count;
}

static void plain_value(uint32_t code, double q[4])
{
    const trilo_quat p = tl_sdata_unpack_quat(code);
    q[0] = p.x, q[1] = p.y, q[2] = p.z, q[3] = p.w;
}

/* ---- curves ---- */

typedef struct source {
    double times[KEYS];
    float values[4 * KEYS];
    trilo_channel channel;
    double duration;
} source;

/* A rotation with a few keys. Slow ones stay near one place; fast ones go anywhere. */
static void make_source(source *s, uint64_t *state)
{
    static const double speeds[] = {0.002, 0.02, 0.3, 1};
    const double speed = speeds[below(state, 4)];
    double center[4] = {0};
    center[below(state, 4)] = below(state, 2) ? 1 : -1;
    if (below(state, 3) == 0) /* components of the largest magnitude that is stored */
        center[below(state, 4)] += 0.999;
    else if (below(state, 2)) /* all alike */
        for (int i = 0; i < 4; i++)
            center[i] = below(state, 2) ? 1 : -1;
    *s = (source){.channel = {.target = TRILO_TARGET_ROTATION, .times = s->times, .values = s->values}};
    s->channel.key_count = 2 + below(state, KEYS - 1);
    double time = 0;
    for (uint32_t k = 0; k < s->channel.key_count; k++) {
        double q[4], length = 0;
        s->times[k] = time;
        time += (1 + below(state, 9)) / 60.0;
        for (int i = 0; i < 4; i++) {
            q[i] = center[i] + speed * (below(state, 20001) / 10000.0 - 1);
            length += q[i] * q[i];
        }
        for (int i = 0; i < 4; i++)
            s->values[4 * k + (uint32_t)i] = (float)(q[i] / sqrt(length));
    }
    s->duration = s->times[s->channel.key_count - 1];
}

static void sample(encoder_bench *b, const source *s, t3dm_curve *curve)
{
    *curve = (t3dm_curve){.channel = &s->channel,
                          .fraction = 1,
                          .mapping.type = T3DM_ROTATION,
                          .last_tick = tl_t3dm_last_tick(&b->e, s->duration)};
    CHECK(tl_t3dm_sample_curve(&b->e, s->duration, NULL, curve));
    CHECK(curve->count <= SAMPLES);
}

/* ---- which tolerances ---- */

typedef struct plain_keys {
    uint32_t samples[SAMPLES], codes[SAMPLES];
    tl_keys keys;
} plain_keys;

static bool reduce(encoder_bench *b, const t3dm_curve *c, double tolerance, plain_keys *p)
{
    const tl_rotation_curve curve = {.count = c->count,
                                     .ticks = c->ticks,
                                     .values = (const double(*)[4])c->rotations,
                                     .nearest = c->nearest,
                                     .codes = plain_codes,
                                     .value = plain_value};
    p->keys = (tl_keys){0, p->samples, p->codes};
    CHECK(tl_reduce_rotation_keys(&b->arena, &curve, tolerance, &p->keys));
    return p->keys.count > 0;
}

/* With a tolerance: it is widened until there are keys, to what all samples as keys have at most. */
static void reduce_within(encoder_bench *b, const t3dm_curve *c, double tolerance, plain_keys *p)
{
    double worst = 0;
    for (uint32_t i = 0; i < c->count; i++)
        worst = fmax(worst, c->nearest[i]);
    worst *= 1 + 1e-9;
    while (!reduce(b, c, tolerance, p)) {
        CHECK(tolerance < worst);
        tolerance = fmin(worst, fmax(tolerance * 1.1, worst * 0.6));
    }
}

/* The keys that are wanted; none: those of Tiny3D's converter. */
static void plain_reduction(encoder_bench *b, const t3dm_curve *c, plain_keys *p)
{
    static const double parts[] = {0.8, 0.9, 0.95, 1};
    const double least = fmax(c->nearest[0], c->nearest[c->count - 1]) * (1 + 1e-9);
    if (c->tolerance > 0 || c->fraction < 1 || c->tiny3d_error > 0.0015) {
        const double wanted = c->tolerance > 0 ? c->tolerance : c->fraction * fmin(c->tiny3d_error, 0.0015);
        reduce_within(b, c, fmax(wanted, least), p);
        return;
    }
    for (int i = 0; i < 4; i++) {
        reduce(b, c, fmin(c->tiny3d_error, fmax(least, parts[i] * c->tiny3d_error)), p);
        if (p->keys.count > 0 && p->keys.count <= c->tiny3d.key_count)
            break;
    }
    if (p->keys.count >= c->tiny3d.key_count)
        p->keys.count = 0;
}

/* 0: as good as Tiny3D's converter, or a part of its error. */
TEST(keys_are_those_of_the_plain_way)
{
    static const double tolerances[] = {0,      0,      0,      0,      0,       0,      0.0003, 0.0006,
                                        0.0009, 0.0012, 0.0016, 0.0017, 0.00185, 0.0021, 0.0024, 0.003,
                                        0.01,   0.0451, 0.3,    1.375,  1.4,     1e12},
                        fractions[] = {1, 1, 1, 0.9, 0.5, 0.2};
    static plain_keys p;
    uint64_t state = 77;
    uint32_t reduced = 0, kept = 0;
    for (int round = 0; round < (TEST_SLOW ? 80 : 1500); round++) {
        const int way = round % 2 ? 0 : round / 2 % (int)(sizeof tolerances / sizeof *tolerances);
        encoder_bench b;
        source s;
        t3dm_curve curve;
        tl_sdata_channel got = {0};
        make_source(&s, &state);
        encoder_bench_init(&b);
        sample(&b, &s, &curve);
        curve.tolerance = tolerances[way];
        curve.fraction = way < 6 ? fractions[way] : 0.5;
        CHECK(tl_t3dm_make_keys(&b.e, &curve, &got));
        for (uint32_t i = 0; i < curve.count; i++) {
            tl_rotation_code code[TL_ROTATION_CODES];
            double dot = 0;
            CHECK_INT(plain_codes(curve.rotations[i], 0, code), 1);
            for (int k = 0; k < 4; k++)
                dot += code[0].q[k] * curve.rotations[i][k];
            CHECK_NEAR(curve.nearest[i], sqrt(fmax(0, 1 - dot * dot)), 1e-7);
        }
        plain_reduction(&b, &curve, &p);
        if (p.keys.count == 0) {
            kept++;
            CHECK(got.key_count == curve.tiny3d.key_count && got.ticks == curve.tiny3d.ticks);
        } else {
            reduced++;
            CHECK_INT(got.key_count, p.keys.count);
            for (uint32_t i = 0; i < got.key_count; i++) {
                CHECK_INT(got.ticks[i], curve.ticks[p.samples[i]]);
                CHECK_INT(got.values[i], p.codes[i]);
            }
        }
        encoder_bench_free(&b);
    }
    CHECK(reduced > (TEST_SLOW ? 20 : 100) && kept > 0);
}

/* ---- steps that curves share ---- */

/* The steps of a curve before it are taken only where they are the same: a curve changes nothing for the next one. */
TEST(curves_do_not_depend_on_the_one_before)
{
    uint64_t state = 5;
    uint32_t shared = 0;
    for (int round = 0; round < (TEST_SLOW ? 60 : 300); round++) {
        encoder_bench b;
        source s, t;
        t3dm_curve both[2], alone;
        make_source(&s, &state);
        make_source(&t, &state);
        const int way = round % 6;
        const uint32_t last = s.channel.key_count - 1;
        if (way > 0) { /* the same times, but for some */
            memcpy(t.times, s.times, sizeof t.times);
            t.channel.key_count = s.channel.key_count;
            t.duration = s.duration;
        }
        if (way == 2)
            t.times[last / 2] += last / 2 > 0 ? 0.007 : 0;
        else if (way == 3)
            t.duration = t.times[last] += 0.03;
        else if (way == 4)
            t.duration = t.times[last] += 0.004; /* the tick is the same */
        else if (way == 5 && last > 1) {
            t.times[last - 1] = t.times[last];
            t.channel.key_count--;
        }
        t.channel.times = t.times, t.channel.values = t.values;
        encoder_bench_init(&b);
        sample(&b, &s, &both[0]);
        sample(&b, &t, &both[1]);
        alone = both[1];
        CHECK(tl_t3dm_find_tiny3d_keys(&b.e, both, 2));
        CHECK(tl_t3dm_find_tiny3d_keys(&b.e, &alone, 1));
        CHECK_INT(both[1].tiny3d.key_count, alone.tiny3d.key_count);
        CHECK(memcmp(both[1].tiny3d.ticks, alone.tiny3d.ticks, alone.tiny3d.key_count * sizeof(uint32_t)) == 0);
        CHECK(memcmp(both[1].tiny3d.values, alone.tiny3d.values, alone.tiny3d.key_count * sizeof(uint32_t)) == 0);
        CHECK(both[1].tiny3d_error == alone.tiny3d_error);
        if (both[1].steps && both[1].steps == both[0].steps) {
            CHECK(way <= 1 || last <= 1);
            shared++;
        } else
            CHECK(way != 1 || !both[1].steps || !both[0].steps);
        encoder_bench_free(&b);
    }
    CHECK(shared > 5);
}

TEST_MAIN(CASE(keys_are_those_of_the_plain_way), CASE(curves_do_not_depend_on_the_one_before))
