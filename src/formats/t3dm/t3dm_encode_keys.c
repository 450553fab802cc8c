/* From the keys of a channel to keys on ticks of the console, and fewer of them.
 *
 * A glTF file may have keys at any moment. Between two of them a channel is straight, so the ticks on both sides of a
 * key, with the values that are due there, show the console the same way at every tick. Most of these keys then lie on
 * a line between others and are left out. */
#include "formats/t3dm/t3dm_encode.h"

#include "model/curve.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

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

/* A rotation goes straight on the console and on an arc here: long arcs are taken in parts. */
static void add_arc(const trilo_channel *c, uint32_t to, t3dm_keys *out)
{
    static const double cosines[] = {0.93937, 0.76484, 0.49757, 0.16997}; /* of 0.35, 0.7, 1.05 and 1.4 */
    const uint32_t from = out->count > 0 ? out->ticks[out->count - 1] : 0;
    float a[4], b[4];
    uint32_t parts = 1;
    if (c->target != TRILO_ROTATION || out->count == 0 || to <= from + 1)
        return;
    trilo_channel_sample(c, out->moments[out->count - 1], a);
    trilo_channel_sample(c, moment_of(to), b);
    const double dot = fabs((double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3]);
    while (parts <= TL_COUNT_OF(cosines) && dot < cosines[parts - 1])
        parts++;
    for (uint32_t i = 1; i < parts; i++) {
        const uint32_t tick = from + (uint32_t)((uint64_t)(to - from) * i / parts);
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

enum { KEYS_MOST = 12 }; /* that one key can become: two ticks, and arcs in five parts in front of them */

bool tl_t3dm_list_keys(t3dm_encoder *e, const trilo_channel *c, double duration, t3dm_keys *out)
{
    const uint32_t end = e->gltf ? tick_at_or_after(duration) : tick_of(duration);
    const size_t room = (size_t)c->key_count * (e->gltf ? KEYS_MOST : 1) + 2;
    *out = (t3dm_keys){TL_ARRAY(e->arena, room, uint32_t), TL_ARRAY(e->arena, room, double), 0, false};
    if (!out->ticks || !out->moments)
        return false;
    if (tick_of(c->times[0]) > 0)
        add_key(out, 0, c->times[0]);
    if (e->gltf)
        due_keys(c, out);
    else
        move_keys(c, out);
    /* The console wants a first key at 0, one at the end, and two at least. */
    const uint32_t last = out->ticks[out->count - 1];
    if (last < end || out->count < 2)
        add_key(out, end > last ? end : last + 1, c->times[c->key_count - 1]);
    return true;
}

/* --- fewer keys --- */

/* From each kept key on, the slopes that pass all keys so far within the tolerance: a door that only closes. */
uint32_t tl_t3dm_thin_numbers(uint32_t *ticks, float *values, uint32_t count, double tolerance)
{
    uint32_t kept = 1, from = 0;
    double low = -INFINITY, high = INFINITY;
    for (uint32_t k = 1; k < count; k++) {
        double length = (double)ticks[k] - ticks[from], slope = ((double)values[k] - values[from]) / length;
        if (slope < low || slope > high) {
            from = k - 1;
            ticks[kept] = ticks[from];
            values[kept++] = values[from];
            low = -INFINITY;
            high = INFINITY;
            length = (double)ticks[k] - ticks[from];
            slope = ((double)values[k] - values[from]) / length;
        }
        low = fmax(low, slope - tolerance / length);
        high = fmin(high, slope + tolerance / length);
    }
    if (count > 1) {
        ticks[kept] = ticks[count - 1];
        values[kept++] = values[count - 1];
    }
    return kept;
}

enum { THIN_MOST = 32 }; /* keys left out in a row, which keeps the work in proportion */

/* Is `at` where the console would be between two rotations? It goes straight and takes the shorter way. */
static bool between(const float a[4], const float b[4], const float at[4], double amount, double tolerance)
{
    double dot = 0, sum[4], length = 0, sign = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * b[i];
    for (int i = 0; i < 4; i++) {
        sum[i] = a[i] * (1 - amount) * (dot < 0 ? -1 : 1) + b[i] * amount;
        length += sum[i] * sum[i];
        sign += sum[i] * at[i];
    }
    length = sqrt(length) * (sign < 0 ? -1 : 1);
    bool near = fabs(dot) > 0.9;
    for (int i = 0; near && i < 4; i++)
        near = fabs(sum[i] / length - at[i]) <= tolerance;
    return near;
}

static bool arc_serves(const uint32_t *ticks, const float (*q)[4], uint32_t from, uint32_t to, double tolerance)
{
    if (to - from > THIN_MOST)
        return false;
    for (uint32_t k = from + 1; k < to; k++)
        if (!between(q[from], q[to], q[k], (double)(ticks[k] - ticks[from]) / (ticks[to] - ticks[from]), tolerance))
            return false;
    return true;
}

uint32_t tl_t3dm_thin_rotations(uint32_t *ticks, float (*q)[4], uint32_t count, double tolerance)
{
    uint32_t kept = 1, from = 0;
    for (uint32_t k = 2; k < count; k++) {
        if (arc_serves(ticks, (const float(*)[4])q, from, k, tolerance))
            continue;
        /* What is overwritten lies in front of `from`. */
        from = k - 1;
        ticks[kept] = ticks[from];
        memmove(q[kept++], q[from], sizeof *q);
    }
    if (count > 1) {
        ticks[kept] = ticks[count - 1];
        memmove(q[kept++], q[count - 1], sizeof *q);
    }
    return kept;
}
