/* Samples of a source on ticks of 1/60 second, before its keys are reduced: exactly which ticks, and which values,
 * against a plain list. */
#include "formats/t3dm/animation/animation.h"
#include "harness.h"
#include "model/curve.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

enum { KEYS = 6, MOST = 400 };

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(random_bits(state) >> 33) % limit;
}

typedef struct source {
    double times[KEYS], duration;
    float values[4 * KEYS];
    trilo_channel channel;
} source;

/* Times on ticks, a little beside them, or anywhere; turns of any size. */
static void make_source(source *s, uint64_t *state, trilo_target target, trilo_interpolation how)
{
    static const double turns[] = {0.001, 0.02, 0.05, 0.3, 3};
    static const double beside[] = {0, 0.0009, -0.0009, 0.0011, -0.0011, 0.4, 0.5, 0.6};
    const double turn = turns[below(state, 5)];
    const uint32_t width = trilo_target_width(target);
    double tick = below(state, 3) == 0 ? below(state, 5) : 0;
    *s = (source){.channel = {.target = target, .interpolation = how, .times = s->times, .values = s->values}};
    s->channel.key_count = 1 + below(state, KEYS);
    for (uint32_t k = 0; k < s->channel.key_count; k++) {
        double length = 0;
        s->times[k] = fmax(0, (tick + beside[below(state, 8)]) / 60);
        tick += 2 + below(state, 11) + (below(state, 8) == 0 ? 30 : 0);
        for (uint32_t i = 0; i < width; i++) {
            s->values[width * k + i] = (float)(turn * (below(state, 20001) / 10000.0 - 1) + (i == 3 ? 1 : 0));
            length += (double)s->values[width * k + i] * s->values[width * k + i];
        }
        for (uint32_t i = 0; i < width && width == 4; i++)
            s->values[4 * k + i] = (float)(s->values[4 * k + i] / sqrt(length) * (k % 3 == 2 ? -1 : 1));
    }
    s->duration = s->times[s->channel.key_count - 1] + (below(state, 3) == 0 ? below(state, 500) / 3000.0 : 0);
}

/* ---- the plain list ---- */

typedef struct list {
    const trilo_channel *c;
    uint32_t count, ticks[MOST];
    double times[MOST];
} list;

static bool is_on_tick(double seconds)
{
    return fabs(seconds * 60 - floor(seconds * 60 + 0.5)) <= 1e-3;
}

static uint32_t tick_after(double seconds)
{
    return (uint32_t)(is_on_tick(seconds) ? floor(seconds * 60 + 0.5) : ceil(seconds * 60));
}

/* Not where ticks have passed; a key takes the place of a sample. */
static void add(list *l, uint32_t tick, double seconds, bool is_key)
{
    if (l->count > 0 && (tick < l->ticks[l->count - 1] || (tick == l->ticks[l->count - 1] && !is_key)))
        return;
    l->count -= l->count > 0 && tick == l->ticks[l->count - 1];
    CHECK(l->count < MOST);
    l->ticks[l->count] = tick;
    l->times[l->count++] = seconds;
}

/* A turn becomes equal parts with chords below 0.05. */
static void subdivide(list *l, uint32_t tick)
{
    float a[4], b[4];
    double dot = 0;
    if (l->c->target != TRILO_TARGET_ROTATION || l->count == 0 || tick <= l->ticks[l->count - 1])
        return;
    const uint32_t from = l->ticks[l->count - 1];
    trilo_channel_sample(l->c, l->times[l->count - 1], a);
    trilo_channel_sample(l->c, tick / 60.0, b);
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * b[i];
    const double parts = fmin(tick - from, 1 + floor(sqrt(fmax(0, 2 - 2 * fabs(dot))) / 0.05));
    for (uint32_t i = 1; i < parts; i++) {
        const uint32_t between = from + (tick - from) * i / (uint32_t)parts;
        add(l, between, between / 60.0, false);
    }
}

static void plain_samples(list *l, const trilo_channel *c, double duration)
{
    const uint32_t last = c->key_count - 1;
    *l = (list){.c = c};
    if (c->times[0] * 60 >= 0.5)
        add(l, 0, c->times[0], false);
    for (uint32_t k = 0; k < last; k++) {
        const uint32_t tick = tick_after(tl_channel_holds(c, k) ? c->times[k + 1] : c->times[k]);
        if (tl_channel_holds(c, k)) { /* the tick before the jump */
            add(l, tick > 0 ? tick - 1 : 0, (tick > 0 ? tick - 1 : 0) / 60.0, false);
        } else if (is_on_tick(c->times[k])) {
            subdivide(l, tick);
            add(l, tick, c->times[k], true);
        } else { /* both ticks around it */
            subdivide(l, tick - 1);
            add(l, tick - 1, (tick - 1) / 60.0, false);
            add(l, tick, tick / 60.0, false);
        }
    }
    const uint32_t end = tick_after(c->times[last]);
    if (!is_on_tick(c->times[last])) {
        subdivide(l, end - 1);
        add(l, end - 1, (end - 1) / 60.0, false);
    }
    subdivide(l, end);
    add(l, end, c->times[last], true);
    if (end < tick_after(duration) || l->count == 1)
        add(l, end < tick_after(duration) ? tick_after(duration) : end + 1, c->times[last], true);
}

/* On the chord where the policy says so. */
static void value_at(const trilo_channel *c, double seconds, bool nlerp, double out[4])
{
    float value[4] = {0};
    uint32_t k = 0;
    trilo_channel_sample(c, seconds, value);
    for (int i = 0; i < 4; i++)
        out[i] = value[i];
    while (k + 1 < c->key_count && c->times[k + 1] <= seconds)
        k++;
    if (!nlerp || c->target != TRILO_TARGET_ROTATION || k + 1 == c->key_count || seconds <= c->times[k])
        return;
    const float *a = c->values + (size_t)4 * k, *b = a + 4;
    const double t = (seconds - c->times[k]) / (c->times[k + 1] - c->times[k]);
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * b[i];
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * (dot < 0 ? t - 1 : 1 - t) + b[i] * t;
}

/* ---- both ---- */

static void check_values(const t3dm_curve *curve, const trilo_channel *c, double scale, bool nlerp)
{
    double before[4] = {0};
    for (uint32_t k = 0; k < curve->count; k++) {
        double value[4], length = 0, dot = 0;
        value_at(c, curve->times[k], nlerp, value);
        if (!curve->rotations) {
            CHECK_NEAR(curve->scalars[k], (float)(value[curve->component] * scale), 0);
            continue;
        }
        for (int i = 0; i < 4; i++) {
            length += value[i] * value[i];
            dot += value[i] * (k > 0 ? before[i] : value[i]);
        }
        for (int i = 0; i < 4; i++) {
            before[i] = value[i] / (sqrt(length) * (dot < 0 ? -1 : 1));
            CHECK_NEAR(curve->rotations[k][i], before[i], 1e-15);
        }
    }
}

/* Also with the values at ticks that are kept for a clip. */
TEST(samples_are_those_of_the_plain_list)
{
    static const trilo_target targets[] = {TRILO_TARGET_ROTATION, TRILO_TARGET_TRANSLATION, TRILO_TARGET_ROTATION,
                                           TRILO_TARGET_SCALE_Y};
    static list want;
    static float at_ticks[4 * MOST];
    uint64_t state = 29;
    for (int round = 0; round < (TEST_SLOW ? 250 : 1200); round++) {
        const trilo_target target = targets[round % 4];
        const uint32_t width = trilo_target_width(target);
        const bool nlerp = round % 16 == 2;
        encoder_bench b;
        source s;
        trilo_channel linear;
        encoder_bench_init(&b);
        make_source(&s, &state, target, round % 5 == 0 ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR);
        CHECK(tl_channel_linear(&b.arena, &s.channel, 60, &linear));
        b.e.policy.scale = 5;
        b.e.policy.nlerp = nlerp;
        t3dm_curve curve = {.channel = &linear, .component = width == 3 ? (uint32_t)round / 4 % 3 : 0};
        if (round % 3 == 0 && !nlerp) {
            curve.last_tick = tl_t3dm_last_tick(&b.e, s.duration);
            curve.at_ticks = at_ticks;
            for (uint32_t tick = 0; tick <= curve.last_tick; tick++)
                trilo_channel_sample(&linear, tick / 60.0, at_ticks + (size_t)tick * width);
        }
        CHECK(tl_t3dm_sample_curve(&b.e, s.duration, NULL, &curve));
        plain_samples(&want, &linear, s.duration);
        CHECK_INT(curve.count, want.count);
        for (uint32_t k = 0; k < want.count; k++) {
            CHECK_INT(curve.ticks[k], want.ticks[k]);
            CHECK_NEAR(curve.times[k], want.times[k], 0);
        }
        CHECK(!curve.retimed && (curve.rotations != NULL) == (width == 4));
        check_values(&curve, &linear, target == TRILO_TARGET_TRANSLATION ? 5 : 1, nlerp);
        encoder_bench_free(&b);
    }
}

TEST_MAIN(CASE(samples_are_those_of_the_plain_list))
