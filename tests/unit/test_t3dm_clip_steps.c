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
    trilo_channel channel;
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

static void random_curve(encoder_bench *b, source *s, uint64_t *state, bool rotation, t3dm_curve *curve)
{
    encoder_bench_init(b);
    make_source(s, state, rotation ? TRILO_TARGET_ROTATION : TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_LINEAR);
    *curve = (t3dm_curve){.channel = &s->channel, .fraction = 1, .last_tick = tl_t3dm_last_tick(&b->e, s->duration)};
    curve->mapping = (t3dm_mapping){.type = rotation ? T3DM_ROTATION : T3DM_TRANSLATION, .scale = 0.001f, .offset = -1};
    CHECK(tl_t3dm_sample_curve(&b->e, s->duration, NULL, curve));
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

/* A sample at every tick, as the converter has it: scalars on lines between the samples, rotations by its own slerp at
 * times that are added up in single precision. */
static void check_tiny3d_keys(encoder_bench *b, const source *s, t3dm_curve *curve)
{
    static double scalars[4 * LAST], rotations[4 * LAST][4];
    static uint32_t ticks[4 * LAST], samples[4 * LAST], codes[4 * LAST];
    const uint32_t last = curve->ticks[curve->count - 1];
    tl_keys keys = {0, samples, codes};
    float time = 0;
    CHECK(last < 4 * LAST);
    for (uint32_t tick = 0, k = 0, key = 0; tick <= last; tick++, time += 1.0F / 60) {
        const double seconds = tick < last ? time : curve->times[curve->count - 1];
        while (k + 2 < curve->count && curve->ticks[k + 1] <= tick)
            k++;
        ticks[tick] = tick;
        const double t = (double)(tick - curve->ticks[k]) / (curve->ticks[k + 1] - curve->ticks[k]);
        if (!curve->rotations) {
            scalars[tick] =
                t == 1 ? curve->scalars[k + 1] : curve->scalars[k] + (curve->scalars[k + 1] - curve->scalars[k]) * t;
            continue;
        }
        while (key + 1 < s->channel.key_count && s->times[key + 1] <= seconds)
            key++;
        double from[4], to[4];
        const bool ends = key + 1 == s->channel.key_count || seconds <= s->times[key];
        for (int i = 0; i < 4; i++) {
            from[i] = s->values[4 * key + (uint32_t)i];
            to[i] = ends ? from[i] : s->values[4 * key + 4 + (uint32_t)i];
        }
        const tl_slerp slerp = tl_slerp_between(from, to);
        tl_slerp_at(&slerp, ends ? 0 : (seconds - s->times[key]) / (s->times[key + 1] - s->times[key]),
                    rotations[tick]);
    }
    CHECK(tl_t3dm_find_tiny3d_keys(&b->e, NULL, curve));
    if (curve->rotations) {
        /* The codes of the curve under test are those that its own reduction uses: only which samples are keys. */
        for (uint32_t i = 1; i < curve->tiny3d.key_count; i++)
            CHECK(curve->tiny3d.ticks[i] > curve->tiny3d.ticks[i - 1]);
        for (uint32_t i = 0; i < curve->tiny3d.key_count; i++) {
            const trilo_quat q = tl_sdata_unpack_quat(curve->tiny3d.values[i]);
            const float value[4] = {q.x, q.y, q.z, q.w};
            double *at = rotations[curve->tiny3d.ticks[i]], length = 0;
            for (int k = 0; k < 4; k++)
                length += at[k] * at[k];
            for (int k = 0; k < 4; k++)
                at[k] /= sqrt(length);
            CHECK(half_sine(at, value) < 0.0025);
        }
        return;
    }
    const tl_scalar_curve dense = {last + 1, ticks, scalars, curve->mapping.scale, curve->mapping.offset, UINT16_MAX};
    tl_tiny3d_scalar_keys(&dense, &keys);
    CHECK_INT(curve->tiny3d.key_count, keys.count);
    for (uint32_t i = 0; i < keys.count; i++) {
        CHECK_INT(curve->tiny3d.ticks[i], samples[i]);
        CHECK_INT(curve->tiny3d.values[i], codes[i]);
    }
    CHECK_NEAR(curve->tiny3d_error, tl_scalar_keys_error(&dense, &keys), 1e-12);
}

TEST(the_converter_samples_every_tick)
{
    uint64_t state = 11;
    for (int round = 0; round < (TEST_SLOW ? 60 : 300); round++) {
        encoder_bench b;
        source s;
        t3dm_curve curve;
        random_curve(&b, &s, &state, round % 2, &curve);
        if (s.channel.key_count > 1)
            check_tiny3d_keys(&b, &s, &curve);
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
        {TRILO_TARGET_TRANSLATION, {2, 0.000486f, -4}, 0}, /* 1 / (256 * 2 * 4) is 0.000488 */
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
          CASE(the_converter_samples_every_tick), CASE(kept_keys_are_packed), CASE(channels_that_rest),
          CASE(curves_that_rest), CASE(bits_of_what_is_animated), CASE(noise_is_not_animated),
          CASE(repeated_clips_are_found))
