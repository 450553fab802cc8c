/* The steps from a clip to keys one by one: samples on ticks, keys within a tolerance, channels that rest, clips that
 * are there twice. */
#include "formats/t3dm/animation/animation.h"
#include "formats/t3dm/decode/sdata.h"
#include "harness.h"
#include "model/curve.h"
#include "optimize/key_reduce.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

enum { KEYS = 7, LAST = 90 };

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(random_bits(state) >> 33) % limit;
}

static double spread(uint64_t *state)
{
    return below(state, 20001) / 10000.0 - 1;
}

/* A channel with a value of its own at up to KEYS times, on and between ticks. */
typedef struct source {
    double times[KEYS];
    float values[KEYS * 4];
    trilo_channel channel, linear;
    double duration;
} source;

static void make_source(source *s, uint64_t *state, trilo_target target, trilo_interpolation how)
{
    const uint32_t width = trilo_target_width(target);
    double time = below(state, 3) == 0 ? below(state, 300) / 3000.0 : 0;
    *s = (source){.channel = {.target = target, .interpolation = how, .times = s->times, .values = s->values}};
    s->channel.key_count = 1 + below(state, KEYS);
    for (uint32_t k = 0; k < s->channel.key_count; k++) {
        double length = 0;
        s->times[k] = time;
        time += below(state, 2) ? (1 + below(state, 12)) / 60.0 : (20 + below(state, 500)) / 3000.0;
        for (uint32_t i = 0; i < width; i++) {
            s->values[k * width + i] = (float)spread(state);
            length += (double)s->values[k * width + i] * s->values[k * width + i];
        }
        for (uint32_t i = 0; width == 4 && i < 4; i++)
            s->values[4 * k + i] /= (float)sqrt(length);
    }
    s->duration = s->times[s->channel.key_count - 1] + (below(state, 2) ? below(state, 400) / 3000.0 : 0);
}

static double half_sine(const double a[4], const float b[4])
{
    const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double bb = (double)b[0] * b[0] + (double)b[1] * b[1] + (double)b[2] * b[2] + (double)b[3] * b[3];
    return sqrt(fmax(0, 1 - dot * dot / bb));
}

/* ---- samples ---- */

TEST(ends_of_clips_in_ticks)
{
    static const struct {
        double ticks;
        uint32_t kept, whole;
    } all[] = {{0, 0, 0},
               {-3, 0, 0},
               {0.4, 0, 1},
               {0.6, 1, 1},
               {1, 1, 1},
               {1.0009, 1, 1},
               {1.0011, 1, 2},
               {0.9991, 1, 1},
               {0.9989, 1, 1},
               {7.49, 7, 8},
               {7.51, 8, 8},
               {2e9, 1000000000, 1000000001},
               {1e300, 1000000000, 1000000001}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int keep = 0; keep < 2; keep++) {
            const t3dm_encoder e = {.policy = {.scale = 1, .keep_keys = keep == 1}};
            if (tl_t3dm_last_tick(&e, all[i].ticks / 60) != (keep ? all[i].kept : all[i].whole))
                FAIL("row %zu, %d", i, keep);
        }
}

/* Straight lines between the samples pass through what the source is at every tick: scalars to what a thousandth of a
 * tick may change, rotations to what the chord of a short arc may. */
TEST(samples_reproduce_the_source)
{
    static const trilo_target targets[] = {TRILO_TARGET_TRANSLATION_Y, TRILO_TARGET_ROTATION, TRILO_TARGET_SCALE,
                                           TRILO_TARGET_TRANSLATION};
    uint64_t state = 7;
    for (int round = 0; round < (TEST_SLOW ? 100 : 500); round++) {
        encoder_bench b;
        source s;
        trilo_channel linear;
        const trilo_target target = targets[round % 4];
        make_source(&s, &state, target, round % 3 == 0 ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR);
        encoder_bench_init(&b);
        b.e.policy.scale = 5;
        const double unit = tl_t3dm_last_tick(&b.e, 0) == 0 && (round % 4 == 0 || round % 4 == 3) ? 5 : 1;
        CHECK(tl_channel_linear(&b.arena, &s.channel, 60, &linear));
        t3dm_curve curve = {.channel = &linear, .component = round % 4 == 2 ? 2 : 0}, again;
        curve.last_tick = tl_t3dm_last_tick(&b.e, s.duration);
        CHECK(tl_t3dm_sample_curve(&b.e, s.duration, NULL, &curve));
        CHECK(curve.count >= 2 && curve.ticks[0] == 0 && curve.ticks[curve.count - 1] >= curve.last_tick);
        CHECK(curve.last_tick == 0 || curve.ticks[curve.count - 1] == curve.last_tick);
        CHECK((curve.rotations != NULL) == (target == TRILO_TARGET_ROTATION) && !curve.retimed);
        for (uint32_t k = 1; k < curve.count; k++)
            CHECK(curve.ticks[k] > curve.ticks[k - 1]);
        for (uint32_t tick = 0, k = 0; tick <= curve.last_tick; tick++) {
            float value[4];
            while (k + 2 < curve.count && curve.ticks[k + 1] <= tick)
                k++;
            const double t = (double)(tick - curve.ticks[k]) / (curve.ticks[k + 1] - curve.ticks[k]);
            trilo_channel_sample(&s.channel, tick / 60.0, value);
            bool on_key = false; /* a key so near may be on either side */
            for (uint32_t i = 0; i < s.channel.key_count; i++)
                on_key = on_key || fabs(s.times[i] * 60 - tick) < 1e-3;
            if (on_key && s.channel.interpolation == TRILO_INTERPOLATION_STEP)
                continue;
            /* The last key is shown at the tick that follows it. */
            if (tick / 60.0 < s.times[s.channel.key_count - 1] &&
                (tick + 1) / 60.0 > s.times[s.channel.key_count - 1] + 1e-9 && target == TRILO_TARGET_ROTATION)
                continue;
            if (!curve.rotations) {
                const double got = curve.scalars[k] + (curve.scalars[k + 1] - curve.scalars[k]) * t;
                CHECK_NEAR(got, value[curve.component] * unit, 0.003 * unit);
                continue;
            }
            double q[4], length = 0, dot = 0;
            for (int i = 0; i < 4; i++) {
                dot += curve.rotations[k][i] * curve.rotations[k + 1][i];
                q[i] = curve.rotations[k][i] * (1 - t) + curve.rotations[k + 1][i] * t;
                length += q[i] * q[i];
            }
            for (int i = 0; i < 4; i++)
                q[i] /= sqrt(length);
            CHECK(dot >= 0);
            CHECK(half_sine(q, value) < 0.002);
            CHECK(curve.ticks[k + 1] == curve.ticks[k] + 1 || dot > 1 - 0.1 * 0.1 / 2);
        }
        again = (t3dm_curve){.channel = &linear, .component = curve.component};
        CHECK(tl_t3dm_sample_curve(&b.e, s.duration, &curve, &again));
        CHECK(again.ticks == curve.ticks && again.times == curve.times && again.count == curve.count);
        for (uint32_t k = 0; k < curve.count; k++)
            CHECK(curve.rotations ? memcmp(again.rotations[k], curve.rotations[k], sizeof *again.rotations) == 0
                                  : again.scalars[k] == curve.scalars[k]);
        encoder_bench_free(&b);
    }
}

/* Keys that are kept move to the nearest tick, with the value of the source there; the last key and one after a jump
 * keep their own value. What is held up to a jump goes to the tick before it, if that is free. */
TEST(kept_keys_move_to_ticks)
{
    uint64_t state = 19;
    for (int round = 0; round < (TEST_SLOW ? 100 : 600); round++) {
        encoder_bench b;
        source s;
        trilo_channel c;
        uint32_t ticks[2 * KEYS + 3], count = 0;
        double times[2 * KEYS + 3];
        bool moved = false;
        make_source(&s, &state, TRILO_TARGET_TRANSLATION_Z,
                    round % 2 ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR);
        encoder_bench_init(&b);
        b.e.policy.keep_keys = true;
        CHECK(tl_channel_linear(&b.arena, &s.channel, 60, &c));
        if (floor(c.times[0] * 60 + 0.5) > 0)
            ticks[count] = 0, times[count++] = c.times[0];
        for (uint32_t k = 0; k < c.key_count; k++) {
            double time = c.times[k];
            uint32_t tick = (uint32_t)floor(time * 60 + 0.5);
            if (k > 0 && tl_channel_holds(&c, k)) {
                tick = (uint32_t)floor(c.times[k + 1] * 60 + 0.5) - 1;
                if (tick <= ticks[count - 1] || tick == UINT32_MAX)
                    continue;
            } else if (fabs(time * 60 - tick) > 1e-3) {
                const bool after_jump = k > 0 && tl_channel_holds(&c, k - 1);
                moved = true;
                time = k + 1 == c.key_count || after_jump ? time : tick / 60.0;
            }
            count -= count > 0 && ticks[count - 1] == tick ? 1 : 0;
            ticks[count] = tick, times[count++] = time;
        }
        const uint32_t end = (uint32_t)floor(s.duration * 60 + 0.5), last = ticks[count - 1];
        if (last < end || count < 2)
            ticks[count] = end > last ? end : last + 1, times[count++] = c.times[c.key_count - 1];
        t3dm_curve curve = {.channel = &c};
        CHECK(tl_t3dm_sample_curve(&b.e, s.duration, NULL, &curve));
        CHECK_INT(curve.count, count);
        CHECK_INT(curve.retimed, moved);
        for (uint32_t k = 0; k < count; k++) {
            float value[4];
            CHECK_INT(curve.ticks[k], ticks[k]);
            CHECK(curve.times[k] == times[k]);
            trilo_channel_sample(&c, times[k], value);
            CHECK(curve.scalars[k] == value[0]);
        }
        encoder_bench_free(&b);
    }
}

/* A turn between two keys on ticks becomes as many equal parts as chords of at most 0.05 need, and no more than ticks.
 */
TEST(arcs_are_cut_into_short_chords)
{
    static const struct {
        double degrees;
        uint32_t ticks;
    } all[] = {{2, 30},  {4, 30},  {5.6, 30},  {5.8, 30}, {20, 30}, {20, 7},
               {90, 30}, {90, 64}, {170, 100}, {90, 3},   {90, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double half = all[i].degrees * 3.14159265358979 / 360, times[2] = {0, all[i].ticks / 60.0};
        const float values[8] = {0, 0, 0, 1, 0, (float)sin(half), 0, (float)cos(half)};
        const trilo_channel c = {.target = TRILO_TARGET_ROTATION, .key_count = 2, .times = times, .values = values};
        const double chords = floor(2 * sin(half / 2) / 0.05) + 1;
        const uint32_t parts = chords < all[i].ticks ? (uint32_t)chords : all[i].ticks;
        encoder_bench b;
        encoder_bench_init(&b);
        t3dm_curve curve = {.channel = &c};
        CHECK(tl_t3dm_sample_curve(&b.e, times[1], NULL, &curve));
        CHECK_INT(curve.count, parts + 1);
        for (uint32_t k = 0; k <= parts; k++) {
            CHECK_INT(curve.ticks[k], all[i].ticks * k / parts);
            const double angle = half * curve.ticks[k] / all[i].ticks;
            CHECK_NEAR(curve.rotations[k][1], sin(angle), 1e-6);
            CHECK_NEAR(curve.rotations[k][3], cos(angle), 1e-6);
        }
        encoder_bench_free(&b);
    }
}

TEST(constant_sources)
{
    static const double times[3] = {0, 1, 2};
    float values[12] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
    trilo_channel c = {.target = TRILO_TARGET_ROTATION, .key_count = 3, .times = times, .values = values};
    CHECK(tl_t3dm_source_is_constant(&c));
    for (int i = 4; i < 12; i++) {
        const float before = values[i];
        values[i] = 9;
        CHECK(!tl_t3dm_source_is_constant(&c));
        c.key_count = i < 8 ? 1 : 2; /* what comes later does not count */
        CHECK(tl_t3dm_source_is_constant(&c));
        c.key_count = 3;
        values[i] = before;
    }
}

/* ---- keys ---- */

static void random_curve_of(encoder_bench *b, source *s, uint64_t *state, bool rotation, trilo_interpolation how,
                            t3dm_curve *curve)
{
    encoder_bench_init(b);
    make_source(s, state, rotation ? TRILO_TARGET_ROTATION : TRILO_TARGET_TRANSLATION_X, how);
    CHECK(tl_channel_linear(&b->arena, &s->channel, 60, &s->linear));
    *curve = (t3dm_curve){.channel = &s->linear, .fraction = 1, .last_tick = tl_t3dm_last_tick(&b->e, s->duration)};
    curve->mapping = (t3dm_mapping){.type = rotation ? T3DM_ROTATION : T3DM_TRANSLATION, .scale = 0.001f, .offset = -1};
    CHECK(tl_t3dm_sample_curve(&b->e, s->duration, NULL, curve));
}

static void random_curve(encoder_bench *b, source *s, uint64_t *state, bool rotation, t3dm_curve *curve)
{
    random_curve_of(b, s, state, rotation, TRILO_INTERPOLATION_LINEAR, curve);
}

/* The largest distance of a sample from what a player makes of keys: a scalar, or the sine of half an angle. */
static double error_of_keys(const t3dm_curve *c, const tl_sdata_channel *keys)
{
    double worst = 0;
    for (uint32_t s = 0, k = 0; s < c->count; s++) {
        while (k + 2 < keys->key_count && keys->ticks[k + 1] <= c->ticks[s])
            k++;
        const double t = (double)(c->ticks[s] - keys->ticks[k]) / (keys->ticks[k + 1] - keys->ticks[k]);
        if (!c->rotations) {
            const double x = (uint16_t)keys->values[k] * (double)c->mapping.scale + c->mapping.offset;
            const double y = (uint16_t)keys->values[k + 1] * (double)c->mapping.scale + c->mapping.offset;
            worst = fmax(worst, fabs(x + (y - x) * t - c->scalars[s]));
            continue;
        }
        const trilo_quat p = tl_sdata_unpack_quat(keys->values[k]), q = tl_sdata_unpack_quat(keys->values[k + 1]);
        const double a[4] = {p.x, p.y, p.z, p.w}, b[4] = {q.x, q.y, q.z, q.w};
        const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
        double length = 0, dot = 0;
        for (int i = 0; i < 4; i++) {
            const double v = a[i] * (1 - t) + sign * b[i] * t;
            length += v * v;
            dot += v * c->rotations[s][i];
        }
        worst = fmax(worst, sqrt(fmax(0, 1 - dot * dot / length)));
    }
    return worst;
}

/* What quantisation leaves: half a step of a scalar, the worst code of a rotation. */
static double least_error(const t3dm_curve *c)
{
    double worst = c->rotations ? 0 : 0.51 * c->mapping.scale;
    for (uint32_t i = 0; c->nearest && i < c->count; i++)
        worst = fmax(worst, c->nearest[i]);
    return worst;
}

static void check_ends(const t3dm_curve *c, const tl_sdata_channel *keys)
{
    CHECK(keys->key_count >= 2 && keys->ticks[0] == 0);
    CHECK_INT(keys->ticks[keys->key_count - 1], c->ticks[c->count - 1]);
}

TEST(keys_are_within_the_tolerance)
{
    uint64_t state = 3;
    for (int round = 0; round < (TEST_SLOW ? 40 : 200); round++) {
        static const double tolerances[] = {0.0001, 0.003, 0.02, 0.1, 0.6};
        encoder_bench b;
        source s;
        t3dm_curve curve;
        uint32_t first = 0, last = 0;
        random_curve(&b, &s, &state, round % 2, &curve);
        for (int i = 0; i < 5; i++) {
            tl_sdata_channel keys = {0}, same = {0};
            curve.tolerance = tolerances[i];
            CHECK(tl_t3dm_make_keys(&b.e, &curve, &keys));
            CHECK(tl_t3dm_make_keys(&b.e, &curve, &same));
            CHECK(same.ticks == keys.ticks && same.values == keys.values && same.key_count == keys.key_count);
            check_ends(&curve, &keys);
            CHECK(error_of_keys(&curve, &keys) <= fmax(tolerances[i], least_error(&curve)) * (1 + 1e-6) + 1e-6);
            first = i == 0 ? keys.key_count : first;
            last = keys.key_count;
        }
        CHECK(last <= first);
        encoder_bench_free(&b);
    }
}

/* Without a tolerance, never more keys than Tiny3D's converter has, and no worse. A part of its error makes it better,
 * as far as codes allow. */
TEST(keys_are_as_good_as_those_of_the_converter)
{
    uint64_t state = 5;
    uint32_t fewer = 0;
    for (int round = 0; round < (TEST_SLOW ? 40 : 200); round++) {
        encoder_bench b;
        source s;
        t3dm_curve curve;
        tl_sdata_channel keys = {0};
        random_curve(&b, &s, &state, round % 2, &curve);
        CHECK(tl_t3dm_make_keys(&b.e, &curve, &keys));
        check_ends(&curve, &keys);
        check_ends(&curve, &curve.tiny3d);
        CHECK(keys.key_count <= curve.tiny3d.key_count || curve.tiny3d_error > 0.0015);
        fewer += keys.key_count < curve.tiny3d.key_count ? 1 : 0;
        CHECK(error_of_keys(&curve, &keys) <= curve.tiny3d_error * (1 + 1e-6) + 1e-6);
        for (int part = 1; part < 3; part++) {
            tl_sdata_channel finer = {0};
            curve.fraction = 1 - 0.3 * part;
            CHECK(tl_t3dm_make_keys(&b.e, &curve, &finer));
            check_ends(&curve, &finer);
            const double most = round % 2 ? fmin(curve.tiny3d_error, 0.0015) : curve.tiny3d_error;
            CHECK(error_of_keys(&curve, &finer) <=
                  fmax(curve.fraction * most, least_error(&curve)) * (1 + 1e-6) + 1e-6);
        }
        encoder_bench_free(&b);
    }
    CHECK(fewer > 0);
}

/* A code of a rotation is the nearest one. */
static uint32_t nearest_code(const double q[4], double tolerance, tl_rotation_code out[TL_ROTATION_CODES])
{
    (void)tolerance;
    out[0].code = tl_sdata_pack_quat((trilo_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]});
    const trilo_quat p = tl_sdata_unpack_quat(out[0].code);
    out[0].q[0] = p.x, out[0].q[1] = p.y, out[0].q[2] = p.z, out[0].q[3] = p.w;
    return 1;
}

static void value_of_code(uint32_t code, double q[4])
{
    const trilo_quat p = tl_sdata_unpack_quat(code);
    q[0] = p.x, q[1] = p.y, q[2] = p.z, q[3] = p.w;
}

typedef struct dense_curve {
    uint32_t ticks[8 * LAST];
    float times[8 * LAST];
    double scalars[8 * LAST], rotations[8 * LAST][4];
} dense_curve;

/* The value of the source at a time, as the converter has it: by its own slerp; a jump less than a hundredth of a
 * millisecond away has been taken. */
static void sample_as_converter(const trilo_channel *c, double seconds, double out[4])
{
    uint32_t key = 0;
    double from[4], to[4];
    while (key + 1 < c->key_count) {
        const bool jump = tl_channel_holds(c, key) || tl_channel_holds(c, key + 1);
        if (c->times[key + 1] > seconds + (jump ? 1e-5 : 0))
            break;
        key++;
    }
    const bool ends = key + 1 == c->key_count || seconds <= c->times[key] || tl_channel_holds(c, key);
    for (uint32_t i = 0; i < 4; i++) {
        from[i] = c->values[4 * key + i];
        to[i] = ends ? from[i] : c->values[4 * key + 4 + i];
    }
    const tl_slerp slerp = tl_slerp_between(from, to);
    tl_slerp_at(&slerp, ends ? 0 : (seconds - c->times[key]) / (c->times[key + 1] - c->times[key]), out);
}

/* A sample at every tick: scalars on lines between the samples, rotations at times that are added up in single
 * precision. */
static void make_dense(const t3dm_curve *curve, dense_curve *d)
{
    const uint32_t last = curve->ticks[curve->count - 1];
    float time = 0;
    CHECK(last < 8 * LAST);
    for (uint32_t tick = 0, k = 0; tick <= last; tick++, time += 1.0F / 60) {
        const double seconds = tick < last ? time : curve->times[curve->count - 1];
        while (k + 2 < curve->count && curve->ticks[k + 1] <= tick)
            k++;
        d->ticks[tick] = tick;
        d->times[tick] = (float)seconds;
        const double t = (double)(tick - curve->ticks[k]) / (curve->ticks[k + 1] - curve->ticks[k]);
        if (curve->rotations)
            sample_as_converter(curve->channel, seconds, d->rotations[tick]);
        else
            d->scalars[tick] =
                t == 1 ? curve->scalars[k + 1] : curve->scalars[k] + (curve->scalars[k + 1] - curve->scalars[k]) * t;
    }
}

static void check_tiny3d_keys(encoder_bench *b, t3dm_curve *curve)
{
    static dense_curve d;
    static uint32_t samples[8 * LAST], codes[8 * LAST];
    tl_keys keys = {0, samples, codes};
    const uint32_t count = curve->ticks[curve->count - 1] + 1;
    double error;
    make_dense(curve, &d);
    CHECK(tl_t3dm_find_tiny3d_keys(&b->e, curve, 1));
    if (curve->rotations) {
        const tl_rotation_curve dense = {.count = count,
                                         .ticks = d.ticks,
                                         .values = (const double(*)[4])d.rotations,
                                         .codes = nearest_code,
                                         .value = value_of_code,
                                         .times = d.times};
        tl_tiny3d_rotation_keys(&dense, 1, &keys);
        error = tl_rotation_keys_error(&dense, &keys);
    } else {
        const tl_scalar_curve dense = {count,     d.ticks, d.scalars, curve->mapping.scale, curve->mapping.offset,
                                       UINT16_MAX};
        tl_tiny3d_scalar_keys(&dense, &keys);
        error = tl_scalar_keys_error(&dense, &keys);
    }
    CHECK_INT(curve->tiny3d.key_count, keys.count);
    for (uint32_t i = 0; i < keys.count; i++) {
        CHECK_INT(curve->tiny3d.ticks[i], samples[i]);
        CHECK(curve->rotations || curve->tiny3d.values[i] == codes[i]);
    }
    CHECK_NEAR(curve->tiny3d_error, error, curve->rotations ? 1e-3 : 1e-12);
}

TEST(the_converter_samples_every_tick)
{
    uint64_t state = 11;
    for (int round = 0; round < (TEST_SLOW ? 60 : 300); round++) {
        encoder_bench b;
        source s;
        t3dm_curve curve;
        random_curve_of(&b, &s, &state, round % 2, round % 3 ? TRILO_INTERPOLATION_LINEAR : TRILO_INTERPOLATION_STEP,
                        &curve);
        if (s.channel.key_count > 1)
            check_tiny3d_keys(&b, &curve);
        encoder_bench_free(&b);
    }
}

/* Which tolerance a scalar is reduced with: its own, or a part of the converter's error, but half a step at least. */
TEST(tolerances_of_scalars)
{
    uint64_t state = 17;
    for (int round = 0; round < (TEST_SLOW ? 40 : 200); round++) {
        static const double tolerances[] = {0.00003, 0.005, 0.2, 0, 0, 0};
        static const double fractions[] = {1, 0.5, 0.3, 0.7, 0.35, 0.1};
        static uint32_t samples[8 * LAST], codes[8 * LAST];
        const int way = round % 6;
        encoder_bench b;
        source s;
        t3dm_curve curve;
        tl_sdata_channel got = {0};
        tl_keys keys = {0, samples, codes};
        random_curve(&b, &s, &state, false, &curve);
        curve.tolerance = tolerances[way];
        curve.fraction = fractions[way];
        CHECK(tl_t3dm_make_keys(&b.e, &curve, &got));
        const tl_scalar_curve scalars = {curve.count,         curve.ticks,          curve.scalars,
                                         curve.mapping.scale, curve.mapping.offset, UINT16_MAX};
        const double wanted = way < 3 ? tolerances[way] : fractions[way] * curve.tiny3d_error;
        CHECK(tl_reduce_scalar_keys(&b.arena, &scalars, fmax(wanted, 0.51 * curve.mapping.scale), &keys));
        CHECK_INT(got.key_count, keys.count);
        for (uint32_t i = 0; i < keys.count; i++) {
            CHECK_INT(got.ticks[i], curve.ticks[samples[i]]);
            CHECK_INT(got.values[i], codes[i]);
        }
        encoder_bench_free(&b);
    }
}

/* Keys that are kept have the nearest codes. */
TEST(kept_keys_are_packed)
{
    uint64_t state = 13;
    for (int round = 0; round < 50; round++) {
        encoder_bench b;
        source s;
        t3dm_curve curve;
        tl_sdata_channel keys;
        random_curve(&b, &s, &state, round % 2, &curve);
        b.e.policy.keep_keys = true;
        CHECK(tl_t3dm_make_keys(&b.e, &curve, &keys));
        CHECK_INT(keys.key_count, curve.count);
        CHECK(keys.ticks == curve.ticks);
        for (uint32_t k = 0; k < curve.count; k++)
            if (round % 2) {
                const double *q = curve.rotations[k];
                CHECK_INT(keys.values[k],
                          tl_sdata_pack_quat((trilo_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]}));
            } else {
                CHECK_NEAR(keys.values[k] * 0.001 - 1, curve.scalars[k], 0.000501);
            }
        encoder_bench_free(&b);
    }
}

/* ---- channels that rest ---- */

/* A node at (2, 0, -4), turned by a half about z, scaled by 1, 3, 0. Differences of a 100,000th do not count, relative
 * to what is more than 1. */
static const trilo_node resting = {
    .parent = TRILO_NONE, .translation = {2, 0, -4}, .rotation = {0, 0, 0.6f, 0.8f}, .scale = {1, 3, 0}};

TEST(channels_that_rest)
{
    static const struct {
        trilo_target target;
        float value[4];
        bool rests;
    } all[] = {
        {TRILO_TARGET_TRANSLATION, {2, 0, -4}, true},
        {TRILO_TARGET_TRANSLATION, {2.000018f, 0.000009f, -4.00003f}, true},
        {TRILO_TARGET_TRANSLATION, {2.000022f, 0, -4}, false},
        {TRILO_TARGET_TRANSLATION, {2, 0.000011f, -4}, false},
        {TRILO_TARGET_TRANSLATION, {2, -0.000011f, -4}, false},
        {TRILO_TARGET_TRANSLATION, {2, 0, -4.00005f}, false},
        {TRILO_TARGET_TRANSLATION_X, {2}, true},
        {TRILO_TARGET_TRANSLATION_X, {0}, false},
        {TRILO_TARGET_TRANSLATION_Y, {0}, true},
        {TRILO_TARGET_TRANSLATION_Z, {-4}, true},
        {TRILO_TARGET_TRANSLATION_Z, {2}, false},
        {TRILO_TARGET_SCALE, {1, 3, 0}, true},
        {TRILO_TARGET_SCALE, {1.00002f, 3, 0}, false},
        {TRILO_TARGET_SCALE, {1, 3.00002f, 0}, true},
        {TRILO_TARGET_SCALE_Y, {3}, true},
        {TRILO_TARGET_SCALE_Y, {1}, false},
        {TRILO_TARGET_SCALE_Z, {0}, true},
        {TRILO_TARGET_ROTATION, {0, 0, 0.6f, 0.8f}, true},
        {TRILO_TARGET_ROTATION, {0, 0, -0.6f, -0.8f}, true},
        {TRILO_TARGET_ROTATION, {0.000009f, -0.000009f, 0.600009f, 0.799991f}, true},
        {TRILO_TARGET_ROTATION, {0.000012f, 0, 0.6f, 0.8f}, false},
        {TRILO_TARGET_ROTATION, {0, 0.000012f, 0.6f, 0.8f}, false},
        {TRILO_TARGET_ROTATION, {0, 0, 0.600012f, 0.8f}, false},
        {TRILO_TARGET_ROTATION, {0, 0, 0.6f, 0.800012f}, false},
    };
    static const double times[2] = {0, 1};
    const trilo_model model = {.node_count = 1, .nodes = &resting};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (uint32_t last = 0; last < 2; last++) { /* the first key alone, and the second */
            float values[2][4];
            const uint32_t width = trilo_target_width(all[i].target);
            trilo_channel c = {.target = all[i].target, .key_count = 2, .times = times, .values = values[0]};
            float rest[4] = {0, 0, 0.6f, 0.8f};
            const float t[3] = {2, 0, -4}, s[3] = {1, 3, 0};
            const bool moves =
                all[i].target == TRILO_TARGET_TRANSLATION ||
                (all[i].target >= TRILO_TARGET_TRANSLATION_X && all[i].target <= TRILO_TARGET_TRANSLATION_Z);
            if (width < 4)
                memcpy(rest,
                       (moves ? t : s) + (width == 3 ? 0
                                          : moves    ? all[i].target - TRILO_TARGET_TRANSLATION_X
                                                     : all[i].target - TRILO_TARGET_SCALE_X),
                       width * sizeof *rest);
            memcpy(&values[0][0], last ? rest : all[i].value, width * sizeof **values);
            memcpy(&values[0][0] + width, last ? all[i].value : rest, width * sizeof **values);
            if (tl_t3dm_channel_is_static(&model, &c) != all[i].rests)
                FAIL("row %zu, key %u", i, (unsigned)last);
        }
}

/* Tangents of a curve that rests are 0. */
TEST(curves_that_rest)
{
    static const double times[2] = {0, 1};
    const trilo_model model = {.node_count = 1, .nodes = &resting};
    for (int i = 0; i < 18; i++)
        for (int far = 0; far < 2; far++) {
            float values[18] = {0, 0, 0, 2, 0, -4, 0, 0, 0, 0, 0, 0, 2, 0, -4, 0, 0, 0};
            values[i] += far ? 0.00012f : 0.0000099f;
            const trilo_channel c = {.target = TRILO_TARGET_TRANSLATION,
                                     .interpolation = TRILO_INTERPOLATION_CUBIC,
                                     .key_count = 2,
                                     .times = times,
                                     .values = values};
            CHECK_INT(tl_t3dm_channel_is_static(&model, &c), !far);
        }
}

TEST(bits_of_what_is_animated)
{
    static const trilo_target targets[] = {TRILO_TARGET_TRANSLATION, TRILO_TARGET_SCALE, TRILO_TARGET_ROTATION};
    uint8_t all = 0;
    for (int i = 0; i < 3; i++)
        for (uint32_t axis = 0; axis < (i == 2 ? 1u : 3u); axis++) {
            const trilo_channel c = {.target = targets[i]};
            const uint8_t bit = tl_t3dm_animated_bit(&c, axis);
            CHECK(bit != 0 && (bit & (bit - 1)) == 0 && !(all & bit));
            const trilo_channel single = {
                .target = (trilo_target)((i == 0 ? TRILO_TARGET_TRANSLATION_X : TRILO_TARGET_SCALE_X) + (int)axis)};
            CHECK(i == 2 || tl_t3dm_animated_bit(&single, axis) == bit);
            all |= bit;
        }
}

/* A 256th of a unit of the file, below a parent that is 4 times as large: a 10,000th of a rotation or a scale. */
TEST(noise_is_not_animated)
{
    static const struct {
        trilo_target target;
        float value[4];
        int bits; /* axes; 8: the rotation */
    } all[] = {
        {TRILO_TARGET_TRANSLATION, {2, 0, -4}, 0},
        {TRILO_TARGET_TRANSLATION, {2, 0.000487f, -4}, 0}, /* 1 / (256 * 2 * 4) is 0.000488 */
        {TRILO_TARGET_TRANSLATION, {2, 0.00049f, -4}, 2},
        {TRILO_TARGET_TRANSLATION, {3, 0, -5}, 5},
        {TRILO_TARGET_TRANSLATION_Z, {-5}, 4},
        {TRILO_TARGET_SCALE, {1.00009f, 3, 0.00009f}, 0},
        {TRILO_TARGET_SCALE, {1.00011f, 3, 0.00011f}, 5},
        {TRILO_TARGET_SCALE_Y, {1}, 2},
        {TRILO_TARGET_ROTATION, {0.00009f, 0.00009f, 0.6f, 0.8f}, 0},
        {TRILO_TARGET_ROTATION, {-0.00009f, 0.00009f, -0.6f, -0.8f}, 0},
        {TRILO_TARGET_ROTATION, {0.00011f, 0, 0.6f, 0.8f}, 8},
    };
    static const double times[1] = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        encoder_bench b;
        uint8_t *animated;
        trilo_node nodes[3] = {{.parent = TRILO_NONE, .scale = {1, -4, 2}}, resting, resting};
        nodes[1].parent = 0;
        const trilo_channel c = {
            .node = 1, .target = all[i].target, .key_count = 1, .times = times, .values = all[i].value};
        const trilo_clip clips[2] = {{.channel_count = 0}, {.channel_count = 1, .channels = &c}};
        encoder_bench_init(&b);
        b.e.policy.scale = -2;
        b.model = (trilo_model){.node_count = 3, .nodes = nodes, .clip_count = 2, .clips = clips};
        CHECK(tl_t3dm_find_animated(&b.e, &animated));
        uint8_t want = all[i].bits == 8 ? tl_t3dm_animated_bit(&c, 0) : 0;
        for (uint32_t axis = 0; all[i].bits != 8 && axis < 3; axis++)
            want |= all[i].bits >> axis & 1 ? tl_t3dm_animated_bit(&c, axis) : 0;
        if (animated[0] != 0 || animated[1] != want || animated[2] != 0)
            FAIL("row %zu: %d", i, animated[1]);
        encoder_bench_free(&b);
    }
}

/* ---- clips that are there twice ---- */

TEST(repeated_clips_are_found)
{
    static const double times[2] = {0, 1}, other_times[2] = {0, 2};
    static const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, other_values[8] = {1, 2, 3, 4, 5, 7, 7, 8};
    const trilo_channel plain[2] = {
        {.node = 1, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = times, .values = values},
        {.node = 2, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = times, .values = values}};
    trilo_channel others[10][2];
    trilo_clip clips[14];
    for (int i = 0; i < 10; i++)
        memcpy(others[i], plain, sizeof plain);
    others[0][1].node = 1;
    others[1][1].target = TRILO_TARGET_SCALE;
    others[2][1].interpolation = TRILO_INTERPOLATION_STEP;
    others[3][1].key_count = 1;
    others[4][1].step = 0.5f;
    others[5][1].base = 0.5f;
    others[6][1].times = other_times;
    others[7][1].values = other_values; /* its last number is the sixth */
    others[8][0].values = other_values;
    others[9][1].key_count = 0;
    clips[0] = (trilo_clip){.name = {"a", 1}, .duration = 1, .channel_count = 2, .channels = plain};
    for (int i = 0; i < 10; i++) {
        clips[1 + i] = clips[0];
        clips[1 + i].channels = others[i];
    }
    clips[11] = clips[12] = clips[13] = clips[0];
    clips[11].duration = 2;
    clips[12].channel_count = 1;
    clips[13].name = (trilo_str){"b", 1};
    trilo_channel copy[2];
    memcpy(copy, plain, sizeof copy);
    clips[13].channels = copy;
    encoder_bench b;
    encoder_bench_init(&b);
    b.model = (trilo_model){.clip_count = 14, .clips = clips};
    const uint32_t *first = tl_t3dm_find_repeated_clips(&b.e);
    CHECK(first);
    for (uint32_t i = 0; i < 14; i++)
        CHECK_INT(first[i], i == 13 ? 0 : i);
    encoder_bench_free(&b);
}

TEST_MAIN(CASE(ends_of_clips_in_ticks), CASE(samples_reproduce_the_source), CASE(constant_sources),
          CASE(keys_are_within_the_tolerance), CASE(keys_are_as_good_as_those_of_the_converter),
          CASE(the_converter_samples_every_tick), CASE(tolerances_of_scalars), CASE(kept_keys_move_to_ticks),
          CASE(arcs_are_cut_into_short_chords), CASE(kept_keys_are_packed), CASE(channels_that_rest),
          CASE(curves_that_rest), CASE(bits_of_what_is_animated), CASE(noise_is_not_animated),
          CASE(repeated_clips_are_found))
