/* From the keys of a channel to samples on ticks of the console.
 *
 * A glTF file may have keys at any moment. Between two of them a channel is straight, so the ticks on both sides of a
 * key, with the values that are due there, show the console the same way at every tick. Most of these samples then lie
 * on a line between others: only few become keys. */
#include "formats/t3dm/animation/animation.h"

#include "model/curve.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

/* Ticks, and the moments whose values they get. */
typedef struct t3dm_keys {
    uint32_t *ticks;
    double *moments;
    uint32_t count;
    bool moved; /* a key went to another moment */
} t3dm_keys;

/* The nearest. */
static uint32_t tick_of(double seconds)
{
    const double ticks = tl_t3dm_round(seconds * TL_SDATA_RATE);
    return ticks > 0 ? ticks < 1e9 ? (uint32_t)ticks : 1000000000u : 0;
}

static double moment_of(uint32_t tick)
{
    return tick / (double)TL_SDATA_RATE;
}

static bool on_tick(double seconds, uint32_t tick)
{
    return fabs(seconds * TL_SDATA_RATE - tick) <= 1e-3;
}

/* Keys on one tick become the later one. */
static void add_key(t3dm_keys *out, uint32_t tick, double moment)
{
    if (out->count > 0 && out->ticks[out->count - 1] == tick)
        out->count--;
    out->ticks[out->count] = tick;
    out->moments[out->count++] = moment;
}

/* --- each key to the nearest tick --- */

/* A key that holds a value up to a jump goes to the tick in front of the jump, if that is still free. */
static void add_hold(const trilo_channel *c, uint32_t key, t3dm_keys *out)
{
    const uint32_t jump = tick_of(c->times[key + 1]), last = out->ticks[out->count - 1];
    if (jump > last + 1)
        add_key(out, jump - 1, c->times[key]);
}

/* A key between two ticks gives its place to the nearer one, which gets the value that is due there: the motion keeps
 * its pace. Ends and jumps keep their own values. */
static void move_key(const trilo_channel *c, uint32_t k, t3dm_keys *out)
{
    const uint32_t tick = tick_of(c->times[k]);
    const bool between = !on_tick(c->times[k], tick);
    const bool keeps = k + 1 == c->key_count || (k > 0 && tl_channel_holds(c, k - 1));
    out->moved = out->moved || between;
    add_key(out, tick, between && !keeps ? moment_of(tick) : c->times[k]);
}

static void move_keys(const trilo_channel *c, t3dm_keys *out)
{
    for (uint32_t k = 0; k < c->key_count; k++) {
        if (k > 0 && tl_channel_holds(c, k))
            add_hold(c, k, out);
        else
            move_key(c, k, out);
    }
}

/* --- ticks on both sides of each key --- */

/* Ticks that are behind us are left out; a key of the channel's own takes the place of what is due on its tick. */
static void add_due(t3dm_keys *out, uint32_t tick, double moment, bool own)
{
    const uint32_t last = out->count > 0 ? out->ticks[out->count - 1] : 0;
    if (out->count == 0 || tick > last || (own && tick == last))
        add_key(out, tick, moment);
}

static uint32_t tick_at_or_after(double seconds)
{
    const uint32_t tick = tick_of(seconds);
    return on_tick(seconds, tick) || moment_of(tick) > seconds ? tick : tick + 1;
}

/* Up to such a chord between two rotations of length 1, straight and on an arc are the same. */
static const double CHORD_MOST = 0.05;

/* A rotation goes straight on the console and on an arc here: long arcs are taken in parts. */
static void add_arc(const trilo_channel *c, uint32_t to, t3dm_keys *out)
{
    const uint32_t from = out->count > 0 ? out->ticks[out->count - 1] : 0;
    float a[4], b[4];
    double dot = 0;
    if (c->target != TRILO_TARGET_ROTATION || out->count == 0 || to <= from + 1)
        return;
    trilo_channel_sample(c, out->moments[out->count - 1], a);
    trilo_channel_sample(c, moment_of(to), b);
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * b[i];
    const double parts = floor(sqrt(fmax(0, 2 - 2 * fabs(dot))) / CHORD_MOST) + 1;
    const uint32_t count = parts < to - from ? (uint32_t)parts : to - from;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t tick = from + (uint32_t)((uint64_t)(to - from) * i / count);
        add_due(out, tick, moment_of(tick), false);
    }
}

/* The last key goes to the tick at which all of the clip has been shown, with its own value. */
static void add_last(const trilo_channel *c, double time, t3dm_keys *out)
{
    const uint32_t after = tick_at_or_after(time);
    if (!on_tick(time, after) && after > 0) {
        add_arc(c, after - 1, out);
        add_due(out, after - 1, moment_of(after - 1), false);
    }
    add_arc(c, after, out);
    add_due(out, after, time, true);
}

static void due_keys(const trilo_channel *c, t3dm_keys *out)
{
    for (uint32_t k = 0; k + 1 < c->key_count; k++) {
        const double time = c->times[k];
        const uint32_t nearest = tick_of(time), after = tick_at_or_after(time);
        const bool holds = tl_channel_holds(c, k), own = !holds && on_tick(time, nearest);
        const uint32_t jump = holds ? tick_at_or_after(c->times[k + 1]) : after;
        const uint32_t first = own ? nearest : jump > 0 ? jump - 1 : 0;
        if (!holds)
            add_arc(c, first, out);
        add_due(out, first, own ? time : moment_of(first), own);
        if (!own && !holds)
            add_due(out, after, moment_of(after), false);
    }
    add_last(c, c->times[c->key_count - 1], out);
}

/* --- all of it --- */

/* That one key can become: two ticks, and arcs of at most a quarter turn in front of each. */
enum { KEYS_MOST = 2 + 2 * 32 };

uint32_t tl_t3dm_last_tick(const t3dm_encoder *e, double duration)
{
    return !e->policy.keep_keys ? tick_at_or_after(duration) : tick_of(duration);
}

/* No tick comes twice, so there are no more than the last one says. */
static size_t most_samples(const t3dm_encoder *e, const trilo_channel *c, uint32_t end)
{
    const uint32_t last = tick_at_or_after(c->times[c->key_count - 1]);
    const uint64_t ticks = (uint64_t)(last > end ? last : end) + 3;
    const uint64_t keys = (uint64_t)c->key_count * (!e->policy.keep_keys ? KEYS_MOST : 1) + 3;
    return (size_t)(ticks < keys ? ticks : keys);
}

static bool list_samples(t3dm_encoder *e, const trilo_channel *c, double duration, t3dm_keys *out)
{
    const uint32_t end = tl_t3dm_last_tick(e, duration);
    const size_t room = most_samples(e, c, end);
    *out = (t3dm_keys){tl_array_raw(e->arena, room, sizeof *out->ticks),
                       tl_array_raw(e->arena, room, sizeof *out->moments), 0, false};
    if (!out->ticks || !out->moments)
        return false;
    if (tick_of(c->times[0]) > 0)
        add_key(out, 0, c->times[0]);
    if (!e->policy.keep_keys)
        due_keys(c, out);
    else
        move_keys(c, out);
    /* The console wants a first key at 0, one at the end, and two at least. */
    const uint32_t last = out->ticks[out->count - 1];
    if (last < end || out->count < 2)
        add_key(out, end > last ? end : last + 1, c->times[c->key_count - 1]);
    return true;
}

/* --- values --- */

static bool sample_numbers(t3dm_encoder *e, t3dm_curve *curve)
{
    const double unit = tl_target_whole(curve->channel->target) == TRILO_TARGET_TRANSLATION ? e->policy.scale : 1;
    curve->numbers = tl_array_raw(e->arena, curve->count, sizeof *curve->numbers);
    for (uint32_t k = 0; curve->numbers && k < curve->count; k++) {
        float value[4];
        trilo_channel_sample(curve->channel, curve->moments[k], value);
        curve->numbers[k] = (float)(value[curve->offset] * unit);
    }
    return curve->numbers != NULL;
}

/* Straight between rotations, as the console goes. */
static void straight_turn(const trilo_channel *c, double moment, double out[4])
{
    uint32_t low = 0, high = c->key_count; /* keys from `high` on are still to come */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        low = c->times[middle] <= moment ? middle : low;
        high = c->times[middle] <= moment ? high : middle;
    }
    if (high == c->key_count || moment <= c->times[low])
        return;
    const float *a = c->values + 4 * (size_t)low, *b = a + 4;
    const double amount = (moment - c->times[low]) / (c->times[high] - c->times[low]);
    const double dot = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3];
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * (dot < 0 ? amount - 1 : 1 - amount) + b[i] * amount;
}

void tl_t3dm_channel_at(const t3dm_encoder *e, const trilo_channel *c, double moment, double out[4])
{
    float v[4] = {0};
    trilo_channel_sample(c, moment, v);
    for (int i = 0; i < 4; i++)
        out[i] = v[i];
    if (e->policy.nlerp && c->target == TRILO_TARGET_ROTATION)
        straight_turn(c, moment, out);
}

/* Of length 1, and in the half of the one before. */
static void align_turn(double q[4], const double before[4])
{
    double length = 0, dot = 0;
    for (int i = 0; i < 4; i++) {
        length += q[i] * q[i];
        dot += q[i] * before[i];
    }
    length = length > 0 ? sqrt(length) * (dot < 0 ? -1 : 1) : 1;
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* What is not thinned is stored to the bit. */
static bool sample_turns(t3dm_encoder *e, t3dm_curve *curve)
{
    double(*q)[4] = tl_array_raw(e->arena, curve->count, sizeof *q);
    for (uint32_t k = 0; q && k < curve->count; k++) {
        tl_t3dm_channel_at(e, curve->channel, curve->moments[k], q[k]);
        if (!e->policy.keep_keys)
            align_turn(q[k], q[k > 0 ? k - 1 : 0]);
    }
    curve->turns = q;
    return q != NULL;
}

bool tl_t3dm_sample_curve(t3dm_encoder *e, double duration, t3dm_curve *curve)
{
    t3dm_keys keys;
    if (!list_samples(e, curve->channel, duration, &keys))
        return false;
    curve->count = keys.count;
    curve->ticks = keys.ticks;
    curve->moments = keys.moments;
    curve->moved = keys.moved;
    return curve->channel->target == TRILO_TARGET_ROTATION ? sample_turns(e, curve) : sample_numbers(e, curve);
}
