/* From the keys of a source channel to samples on ticks of 1/60 second.
 *
 * Keys may be between ticks. There are two methods:
 *
 * - Keys are kept (policy keep_keys): each key moves to the nearest tick, with the value that the source has there.
 * - Keys will be reduced: the source is linear between keys, so the ticks on both sides of each key, with the values of
 *   the source there, reproduce it at every tick. Most of these samples are on a line between others and will be
 * removed. The source interpolates rotations on an arc (slerp) and Tiny3D on its chord (nlerp): long arcs are
 * subdivided. See Shoemake, "Animating Rotation with Quaternion Curves", 1985. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/lanes.h"
#include "model/curve.h"
#include "model/sample_rotations.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

/* --- ticks --- */

static uint32_t nearest_tick(double seconds)
{
    const double ticks = tl_t3dm_round(seconds * TL_SDATA_RATE);
    return ticks > 0 ? ticks < 1e9 ? (uint32_t)ticks : 1000000000u : 0;
}

static double tick_seconds(uint32_t tick)
{
    return tick / (double)TL_SDATA_RATE;
}

static bool is_on_tick(double seconds, uint32_t tick)
{
    return fabs(seconds * TL_SDATA_RATE - tick) <= 1e-3;
}

static uint32_t tick_at_or_after(double seconds)
{
    const uint32_t tick = nearest_tick(seconds);
    return is_on_tick(seconds, tick) || tick_seconds(tick) > seconds ? tick : tick + 1;
}

uint32_t tl_t3dm_last_tick(const t3dm_encoder *e, double duration)
{
    return e->policy.keep_keys ? nearest_tick(duration) : tick_at_or_after(duration);
}

/* --- keys that are kept --- */

/* Replaces a sample of the same tick. `seconds` is the time of its value in the source. */
static void set_sample(t3dm_curve *curve, uint32_t tick, double seconds)
{
    if (curve->count > 0 && curve->ticks[curve->count - 1] == tick)
        curve->count--;
    curve->ticks[curve->count] = tick;
    curve->times[curve->count++] = seconds;
}

/* A key that lies between two ticks moves to the nearer one, which gets the value of the source there, so that the
 * motion keeps its speed. The last key and those after a jump keep their own values. A key that holds a value up to a
 * jump moves to the tick before the jump, if that is free. */
static void sample_keys(t3dm_curve *curve)
{
    const trilo_channel *c = curve->channel;
    for (uint32_t k = 0; k < c->key_count; k++) {
        if (k > 0 && tl_channel_holds(c, k)) {
            const uint32_t jump = nearest_tick(c->times[k + 1]);
            if (jump > curve->ticks[curve->count - 1] + 1)
                set_sample(curve, jump - 1, c->times[k]);
            continue;
        }
        const uint32_t tick = nearest_tick(c->times[k]);
        const bool between = !is_on_tick(c->times[k], tick);
        const bool own_value = k + 1 == c->key_count || (k > 0 && tl_channel_holds(c, k - 1));
        curve->retimed = curve->retimed || between;
        set_sample(curve, tick, between && !own_value ? tick_seconds(tick) : c->times[k]);
    }
}

/* --- keys that will be reduced --- */

/* Chord between unit quaternions up to which nlerp and slerp are the same. */
static const double NLERP_CHORD_MOST = 0.05;

/* Samples that one key can become: two ticks, with arcs of at most half a turn in front of each. */
enum { SAMPLES_PER_KEY = 2 + 2 * 32 };

/* Skips ticks that have passed; a key replaces a sample on its tick. */
static void add_curve_sample(t3dm_curve *curve, uint32_t tick, double seconds, bool is_key)
{
    const uint32_t *last = curve->count > 0 ? &curve->ticks[curve->count - 1] : NULL;
    if (!last || tick > *last || (is_key && tick == *last))
        set_sample(curve, tick, seconds);
}

/* An upper bound of how far a channel turns between two times, after `key`: the sum of the arcs between keys. */
static double arc_at_most(const trilo_channel *c, uint32_t key, double from, double to)
{
    static const double LENGTH_ERROR = 1e-4, ARC_PER_CHORD = 1.12; /* of a quarter circle, the most that slerp takes */
    double sum = 0;
    while (key > 0 && c->times[key] > from)
        key--;
    for (; key + 1 < c->key_count && c->times[key] < to; key++) {
        const double start = c->times[key], end = c->times[key + 1];
        const double overlap = (end < to ? end : to) - (start > from ? start : from);
        if (!(overlap > 0))
            continue;
        const float *values = c->values + 4 * (size_t)key;
        const tl_double2 a[2] = {tl_double2_of(values), tl_double2_of(values + 2)};
        const tl_double2 b[2] = {tl_double2_of(values + 4), tl_double2_of(values + 6)};
        const double aa = tl_double4_dot(a, a), bb = tl_double4_dot(b, b), square = 2 - 2 * fabs(tl_double4_dot(a, b));
        if (!(fabs(aa - 1) < LENGTH_ERROR && fabs(bb - 1) < LENGTH_ERROR))
            return INFINITY;
        sum += ARC_PER_CHORD * sqrt((square > 0 ? square : 0) + 2 * LENGTH_ERROR) * overlap / (end - start);
    }
    return sum;
}

/* The rotation at the last sample, if it is that of a tick or of the key before `key`. NULL: it has to be sampled. */
static const float *known_last_rotation(const t3dm_curve *curve, uint32_t key)
{
    const trilo_channel *c = curve->channel;
    const uint32_t tick = curve->ticks[curve->count - 1];
    const double seconds = curve->times[curve->count - 1];
    if (curve->at_ticks && tick <= curve->last_tick && seconds == tick_seconds(tick))
        return curve->at_ticks + 4 * (size_t)tick;
    /* Of keys at the same time, the first or the last one counts. */
    const bool is_key = key > 0 && seconds == c->times[key - 1] && seconds < c->times[key];
    return is_key && (key == 1 || seconds > c->times[0]) ? c->values + 4 * (size_t)(key - 1) : NULL;
}

/* Samples between the last one and `tick`, if the channel turns far. `key` is near the last sample. */
static void subdivide_arc(t3dm_curve *curve, uint32_t key, uint32_t tick)
{
    static const double SHORT_ARC = 0.045; /* the chord is then below NLERP_CHORD_MOST with any rounding */
    const uint32_t from = curve->count > 0 ? curve->ticks[curve->count - 1] : 0;
    float a[4], b[4];
    double dot = 0;
    if (curve->channel->target != TRILO_TARGET_ROTATION || curve->count == 0 || tick <= from + 1)
        return;
    const float *from_value = known_last_rotation(curve, key);
    const float *to_value = curve->at_ticks && tick <= curve->last_tick ? curve->at_ticks + 4 * (size_t)tick : NULL;
    if ((!from_value || !to_value) &&
        arc_at_most(curve->channel, key, curve->times[curve->count - 1], tick_seconds(tick)) < SHORT_ARC)
        return;
    if (!from_value)
        trilo_channel_sample(curve->channel, curve->times[curve->count - 1], a);
    if (!to_value)
        trilo_channel_sample(curve->channel, tick_seconds(tick), b);
    from_value = from_value ? from_value : a;
    to_value = to_value ? to_value : b;
    for (int i = 0; i < 4; i++)
        dot += (double)from_value[i] * to_value[i];
    const double square = 2 - 2 * fabs(dot);
    if (!(square >= NLERP_CHORD_MOST * NLERP_CHORD_MOST * (1 - 1e-9)))
        return;
    const double chords = floor(sqrt(square) / NLERP_CHORD_MOST) + 1;
    const uint32_t count = chords < tick - from ? (uint32_t)chords : tick - from;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t between = from + (uint32_t)((uint64_t)(tick - from) * i / count);
        add_curve_sample(curve, between, tick_seconds(between), false);
    }
}

/* A sample that every channel with the same times has. */
typedef struct tick_mark {
    uint32_t key, tick;
    double seconds;
    bool is_key;
    bool subdivides; /* others may be needed before it */
} tick_mark;

struct t3dm_tick_marks {
    uint32_t count;
    tick_mark *list; /* at most two of each key */
};

static void mark_around_keys(const trilo_channel *c, t3dm_tick_marks *marks)
{
    tick_mark *to = marks->list;
    for (uint32_t k = 0; k + 1 < c->key_count; k++) {
        const double time = c->times[k];
        const uint32_t nearest = nearest_tick(time), after = tick_at_or_after(time);
        const bool holds = tl_channel_holds(c, k), is_key = !holds && is_on_tick(time, nearest);
        const uint32_t jump = holds ? tick_at_or_after(c->times[k + 1]) : after;
        const uint32_t first = is_key ? nearest : jump > 0 ? jump - 1 : 0;
        *to++ = (tick_mark){k, first, is_key ? time : tick_seconds(first), is_key, !holds};
        if (!is_key && !holds)
            *to++ = (tick_mark){k, after, tick_seconds(after), false, false};
    }
    /* The last key moves to the tick at which the whole clip has been shown, with its own value. */
    const uint32_t last = c->key_count - 1, after = tick_at_or_after(c->times[last]);
    if (!is_on_tick(c->times[last], after) && after > 0)
        *to++ = (tick_mark){last, after - 1, tick_seconds(after - 1), false, true};
    *to++ = (tick_mark){last, after, c->times[last], true, true};
    marks->count = (uint32_t)(to - marks->list);
}

/* Most channels of a clip have the times of the one before. NULL: no memory. */
static const t3dm_tick_marks *find_tick_marks(t3dm_encoder *e, const t3dm_curve *before, const trilo_channel *c)
{
    const trilo_channel *d = before ? before->channel : NULL;
    if (before && before->marks && c->key_count == d->key_count &&
        (c->times == d->times || memcmp(c->times, d->times, c->key_count * sizeof *c->times) == 0))
        return before->marks;
    t3dm_tick_marks *marks = TL_NEW(e->arena, t3dm_tick_marks);
    tick_mark *list = tl_array_raw(e->arena, 2 * (size_t)c->key_count, sizeof *list);
    if (!marks || !list)
        return NULL;
    marks->list = list;
    mark_around_keys(c, marks);
    return marks;
}

static void sample_around_keys(t3dm_curve *curve)
{
    for (uint32_t i = 0; i < curve->marks->count; i++) {
        const tick_mark *m = &curve->marks->list[i];
        if (m->subdivides)
            subdivide_arc(curve, m->key, m->tick);
        add_curve_sample(curve, m->tick, m->seconds, m->is_key);
    }
}

/* --- values --- */

void tl_t3dm_source_value(const t3dm_encoder *e, const trilo_channel *c, tl_channel_cursor *cursor, double seconds,
                          double out[4])
{
    float v[4] = {0};
    tl_channel_sample_next(c, cursor, seconds, v);
    for (int i = 0; i < 4; i++)
        out[i] = v[i];
    const uint32_t last = c->key_count - 1;
    if (!e->policy.nlerp || c->target != TRILO_TARGET_ROTATION ||
        !(seconds > c->times[0] && seconds < c->times[last]) || seconds == c->times[cursor->key])
        return;
    const float *a = c->values + 4 * (size_t)cursor->key, *b = a + 4;
    const double start = c->times[cursor->key], amount = (seconds - start) / (c->times[cursor->key + 1] - start);
    const double dot = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3];
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * (dot < 0 ? amount - 1 : 1 - amount) + b[i] * amount;
}

bool tl_t3dm_source_is_constant(const trilo_channel *channel)
{
    const size_t width = tl_target_width(channel->target) * sizeof *channel->values;
    for (uint32_t k = 1; k < channel->key_count; k++)
        if (memcmp(channel->values, (const char *)channel->values + k * width, width) != 0)
            return false;
    return true;
}

bool tl_t3dm_keep_source_values(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    enum { KEPT_VALUES_MOST = 1 << 20 };
    const uint32_t bones = e->file->skeleton.bone_count, curves = clip->sdata.channel_count;
    const uint64_t ticks = (uint64_t)clip->last_tick + 1;
    /* The work for each tick is limited: only a clip that is measured takes a part of what is left. */
    const tl_rotation_group none = {.count = 0};
    tl_rotation_group group = none;
    const bool is_measured = (double)clip->last_tick * (bones > curves ? bones : curves) <= e->measured_left;
    clip->at_ticks = TL_ARRAY(e->arena, clip->channel_count, const float *);
    if (!clip->at_ticks)
        return false;
    if (e->policy.keep_keys || e->policy.nlerp || !is_measured || 4 * ticks * clip->channel_count > KEPT_VALUES_MOST)
        return true;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        const uint32_t width = tl_target_width(channel->target);
        if (channel->key_count == 0 || e->bone_of_node[channel->node] == TRILO_NONE ||
            tl_t3dm_source_is_constant(channel))
            continue;
        float *values = tl_array_raw(e->arena, (size_t)ticks * width, sizeof *values);
        if (!values)
            return false;
        clip->at_ticks[i] = values;
        if (!tl_rotation_group_fits(&none, channel)) {
            tl_channel_sample_steps(channel, TL_SDATA_RATE, (uint32_t)ticks, values);
            continue;
        }
        if (group.count == TL_ROTATION_LANES || !tl_rotation_group_fits(&group, channel)) {
            tl_rotation_group_sample(&group, TL_SDATA_RATE, (uint32_t)ticks);
            group.count = 0;
        }
        group.channels[group.count] = channel;
        group.values[group.count++] = values;
    }
    if (group.count > 0)
        tl_rotation_group_sample(&group, TL_SDATA_RATE, (uint32_t)ticks);
    return true;
}

/* The value of the source at a sample, where it is known: of a tick or a key. `width` is that of the channel, and *key
 * the one of the sample before. NULL: it has to be interpolated. */
static inline const float *known_value(const t3dm_curve *curve, uint32_t sample, uint32_t width, uint32_t *key)
{
    const trilo_channel *c = curve->channel;
    const double seconds = curve->times[sample];
    const uint32_t tick = curve->ticks[sample];
    if (curve->at_ticks && tick <= curve->last_tick && seconds == tick_seconds(tick))
        return curve->at_ticks + (size_t)tick * width;
    if (seconds <= c->times[0])
        return c->values;
    while (*key + 1 < c->key_count && c->times[*key + 1] <= seconds)
        ++*key;
    return seconds == c->times[*key] ? c->values + (size_t)*key * width : NULL;
}

static bool sample_scalars(t3dm_encoder *e, t3dm_curve *curve)
{
    const bool translation = tl_target_whole(curve->channel->target) == TRILO_TARGET_TRANSLATION;
    const double unit = translation ? e->policy.scale : 1;
    const uint32_t width = tl_target_width(curve->channel->target);
    tl_channel_cursor cursor = {0};
    uint32_t key = 0;
    curve->scalars = tl_array_raw(e->arena, curve->count, sizeof *curve->scalars);
    for (uint32_t k = 0; curve->scalars && k < curve->count; k++) {
        const float *known = known_value(curve, k, width, &key);
        double value[4];
        if (!known)
            tl_t3dm_source_value(e, curve->channel, &cursor, curve->times[k], value);
        curve->scalars[k] = (float)((known ? known[curve->component] : value[curve->component]) * unit);
    }
    return curve->scalars != NULL;
}

/* Keys that are kept are stored to the bit. Others become unit quaternions, each in the hemisphere of the one before.
 */
static bool sample_rotations(t3dm_encoder *e, t3dm_curve *curve)
{
    double(*q)[4] = tl_array_raw(e->arena, curve->count, sizeof *q);
    tl_channel_cursor cursor = {0};
    uint32_t key = 0;
    curve->rotations = q;
    for (uint32_t k = 0; q && k < curve->count; k++) {
        const double *before = q[k > 0 ? k - 1 : 0];
        const float *known = known_value(curve, k, 4, &key);
        double length = 0, dot = 0;
        if (!known)
            tl_t3dm_source_value(e, curve->channel, &cursor, curve->times[k], q[k]);
        for (int i = 0; known && i < 4; i++)
            q[k][i] = known[i];
        if (e->policy.keep_keys)
            continue;
        for (int i = 0; i < 4; i++) {
            length += q[k][i] * q[k][i];
            dot += q[k][i] * before[i];
        }
        length = length > 0 ? sqrt(length) * (dot < 0 ? -1 : 1) : 1;
        for (int i = 0; i < 4; i++)
            q[k][i] /= length;
    }
    return q != NULL;
}

static bool list_sample_ticks(t3dm_encoder *e, double duration, const t3dm_curve *before, t3dm_curve *curve)
{
    const trilo_channel *c = curve->channel;
    const uint32_t end = tl_t3dm_last_tick(e, duration), last_key = tick_at_or_after(c->times[c->key_count - 1]);
    /* No tick comes twice, so there are no more samples than ticks. */
    const uint64_t ticks = (uint64_t)(last_key > end ? last_key : end) + 3;
    const uint64_t keys = (uint64_t)c->key_count * (e->policy.keep_keys ? 1 : SAMPLES_PER_KEY) + 3;
    const size_t room = (size_t)(ticks < keys ? ticks : keys);
    curve->count = 0;
    curve->retimed = false;
    curve->ticks = tl_array_raw(e->arena, room, sizeof *curve->ticks);
    curve->times = tl_array_raw(e->arena, room, sizeof *curve->times);
    if (!e->policy.keep_keys)
        curve->marks = find_tick_marks(e, before, c);
    if (!curve->ticks || !curve->times || !(curve->marks || e->policy.keep_keys))
        return false;
    if (nearest_tick(c->times[0]) > 0)
        set_sample(curve, 0, c->times[0]);
    if (e->policy.keep_keys)
        sample_keys(curve);
    else
        sample_around_keys(curve);
    /* Tiny3D needs a key at 0, one at the end, and at least two. */
    const uint32_t last = curve->ticks[curve->count - 1];
    if (last < end || curve->count < 2)
        set_sample(curve, end > last ? end : last + 1, c->times[c->key_count - 1]);
    return true;
}

bool tl_t3dm_sample_curve(t3dm_encoder *e, double duration, const t3dm_curve *before, t3dm_curve *curve)
{
    if (before && before->channel == curve->channel) {
        curve->count = before->count;
        curve->retimed = before->retimed;
        curve->ticks = before->ticks;
        curve->times = before->times;
        curve->marks = before->marks;
    } else if (!list_sample_ticks(e, duration, before, curve)) {
        return false;
    }
    return curve->channel->target == TRILO_TARGET_ROTATION ? sample_rotations(e, curve) : sample_scalars(e, curve);
}
