/* Streams of keys (.sdata): reading, checking, writing and quantized values. Rotations are smallest-three quaternions.
 */
#include "formats/t3dm/decode/sdata.h"
#include "base/strict_float.h"

#include "base/bytes.h"
#include "base/size.h"
#include "base/vec.h"
#include "formats/t3dm/t3dm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A key: where its numbers are, and its two sizes. */
enum { SDATA_KEY_TIME = 0, SDATA_KEY_CHANNEL = 2, SDATA_KEY_VALUE = 4, SDATA_KEY_SHORT = 6, SDATA_KEY_LONG = 8 };
enum { SDATA_NEXT_IS_LONG = 0x8000 }; /* in the time */

enum { SDATA_MOST_CHANNELS = 0x10000, SDATA_MOST_TIME = 0xFFFF };

/* --- one key after the other --- */

tl_sdata_walk tl_sdata_walk_start(trilo_bytes bytes, uint32_t quat_count)
{
    return (tl_sdata_walk){.bytes = bytes, .quat_count = quat_count, .size = SDATA_KEY_LONG};
}

bool tl_sdata_walk_is_long(const tl_sdata_walk *walk)
{
    return walk->size == SDATA_KEY_LONG;
}

/* False at the end, also if the stream ends inside a key. */
bool tl_sdata_walk_next(tl_sdata_walk *walk, tl_sdata_key *out)
{
    if (!tl_fits(walk->bytes.size, walk->at, 1, walk->size))
        return false;
    const uint8_t *p = walk->bytes.data + walk->at;
    const uint32_t time = tl_get_u16(p + SDATA_KEY_TIME, TL_BIG);
    *out = (tl_sdata_key){.at = walk->at, .number = walk->number, .ticks = time & TL_SDATA_MOST_TICKS};
    out->channel = tl_get_u16(p + SDATA_KEY_CHANNEL, TL_BIG);
    const bool wide = walk->size == SDATA_KEY_LONG && out->channel < walk->quat_count;
    out->value = wide ? tl_get_u32(p + SDATA_KEY_VALUE, TL_BIG) : tl_get_u16(p + SDATA_KEY_VALUE, TL_BIG);
    walk->at += walk->size;
    walk->number++;
    walk->size = time & SDATA_NEXT_IS_LONG ? SDATA_KEY_LONG : SDATA_KEY_SHORT;
    return true;
}

/* --- reading --- */

static bool sdata_fail_at_key(tl_sdata *sdata, trilo_error *err, trilo_code code, enum t3dm_rule_id rule, uint64_t at,
                              uint32_t number, const char *text)
{
    tl_path path = {0};
    sdata->broken = t3dm_rule(rule);
    tl_path_push(&path, "keys", number);
    return tl_fail(err, code, t3dm_rule(rule), at, &path, "%s", text);
}

/* Proves the structure and counts the keys of each channel. The flag of the last key is not checked, since no key
 * follows. */
static bool sdata_count_stream_keys(trilo_bytes bytes, tl_sdata *sdata, trilo_error *err)
{
    tl_sdata_walk walk = tl_sdata_walk_start(bytes, sdata->quat_count);
    uint64_t flag_at = 0;
    for (tl_sdata_key k; walk.at < bytes.size; flag_at = k.at) {
        const bool is_long = walk.size == SDATA_KEY_LONG;
        if (!tl_sdata_walk_next(&walk, &k))
            return sdata_fail_at_key(sdata, err, TRILO_CODE_TRUNCATED, T3DM_R_STREAM_LENGTH, walk.at, walk.number,
                                     "the stream ends inside the key");
        if (k.channel >= sdata->channel_count)
            return sdata_fail_at_key(sdata, err, TRILO_CODE_BAD_REF, T3DM_R_STREAM_CHANNEL, k.at + SDATA_KEY_CHANNEL,
                                     k.number, "the key refers to a channel that the animation does not have");
        if (k.number > 0 && is_long != (k.channel < sdata->quat_count))
            return sdata_fail_at_key(sdata, err, TRILO_CODE_BAD_VALUE, T3DM_R_STREAM_FLAG, flag_at, k.number,
                                     is_long ? "announced as a rotation of 8 bytes, but its channel is a scalar"
                                             : "announced as a scalar of 6 bytes, but its channel is a rotation");
        if (sdata->channels)
            sdata->channels[k.channel].key_count++;
    }
    sdata->key_count = walk.number;
    return true;
}

static uint32_t sdata_needed_at(const tl_sdata_channel *channel, uint32_t number)
{
    return number == 0 ? 0 : channel->ticks[number - 1];
}

/* Each channel gets its run of the two arrays. */
static void sdata_fill_channels(trilo_bytes bytes, tl_sdata *sdata, uint32_t *ticks, uint32_t *values)
{
    for (uint32_t i = 0; i < sdata->channel_count; i++) {
        tl_sdata_channel *channel = &sdata->channels[i];
        channel->ticks = ticks;
        channel->values = values;
        ticks += channel->key_count;
        values += channel->key_count;
        channel->key_count = 0;
    }
    tl_sdata_walk walk = tl_sdata_walk_start(bytes, sdata->quat_count);
    uint32_t now = 0; /* the time of a player that has read up to here, at least */
    sdata->late_key = TRILO_NONE;
    for (tl_sdata_key k; tl_sdata_walk_next(&walk, &k);) {
        tl_sdata_channel *channel = &sdata->channels[k.channel];
        const uint32_t number = channel->key_count++, needed = sdata_needed_at(channel, number);
        channel->ticks[number] = k.ticks > UINT32_MAX - needed ? UINT32_MAX : needed + k.ticks;
        channel->values[number] = k.value;
        if (needed < now && sdata->late_key == TRILO_NONE)
            sdata->late_key = k.number;
        now = needed > now ? needed : now;
    }
}

bool tl_sdata_read(tl_arena *arena, trilo_bytes bytes, uint32_t quat_count, uint32_t scalar_count, tl_sdata *out,
                   trilo_error *err)
{
    *out = (tl_sdata){.quat_count = quat_count, .channel_count = quat_count + scalar_count};
    if (bytes.size / SDATA_KEY_SHORT >= UINT32_MAX || scalar_count > UINT32_MAX - quat_count)
        return tl_fail_memory(err);
    /* Every channel needs a key, so that channels cost no more than the bytes. */
    const bool enough = out->channel_count <= bytes.size / SDATA_KEY_SHORT;
    out->channels = enough ? TL_ARRAY(arena, out->channel_count, tl_sdata_channel) : NULL;
    if (enough && !out->channels)
        return tl_fail_memory(err);
    if (!sdata_count_stream_keys(bytes, out, err))
        return false;
    if (out->channel_count > out->key_count) {
        out->broken = t3dm_rule(T3DM_R_STREAM_LENGTH);
        return tl_fail(err, TRILO_CODE_TRUNCATED, out->broken, bytes.size, NULL,
                       "the stream ends after %" PRIu32 " keys, but has %" PRIu32 " channels", out->key_count,
                       out->channel_count);
    }
    uint32_t *ticks = tl_array_raw(arena, out->key_count, sizeof *ticks);
    uint32_t *values = tl_array_raw(arena, out->key_count, sizeof *values);
    if (!ticks || !values)
        return tl_fail_memory(err);
    sdata_fill_channels(bytes, out, ticks, values);
    return true;
}

/* --- checking --- */

typedef struct sdata_cases {
    uint32_t first, count;
} sdata_cases;

static void sdata_cases_add(sdata_cases *c, uint32_t channel)
{
    if (c->count++ == 0)
        c->first = channel;
}

/* Where key `number` of a channel is; the end of the stream when it has no such key. */
static size_t sdata_key_at(trilo_bytes bytes, const tl_sdata *sdata, uint32_t channel, uint32_t number)
{
    tl_sdata_walk walk = tl_sdata_walk_start(bytes, sdata->quat_count);
    for (tl_sdata_key k; tl_sdata_walk_next(&walk, &k);)
        if (k.channel == channel && number-- == 0)
            return k.at;
    return bytes.size;
}

static void sdata_remark_cases(tl_report *report, enum t3dm_rule_id rule, uint64_t at, const sdata_cases *c,
                               const char *what)
{
    char tail[48] = "";
    if (c->count == 0)
        return;
    if (c->count > 1)
        snprintf(tail, sizeof tail, " (and %" PRIu32 " more)", c->count - 1);
    tl_path_push(&report->path, "channels", c->first);
    tl_report_finding(report, t3dm_rule(rule), at, "%s%s", what, tail);
    tl_path_pop(&report->path);
}

static void sdata_check_channels(trilo_bytes bytes, const tl_sdata *sdata, float duration, tl_report *report)
{
    sdata_cases few = {0}, start = {0}, end = {0};
    for (uint32_t i = 0; i < sdata->channel_count; i++) {
        const tl_sdata_channel *channel = &sdata->channels[i];
        const uint32_t count = channel->key_count;
        if (count < 2)
            sdata_cases_add(&few, i);
        if (count > 0 && channel->ticks[0] != 0)
            sdata_cases_add(&start, i);
        /* Durations are not whole ticks, and the last key is rounded to one. */
        if (count > 1 && tl_is_finite(duration) &&
            !((double)channel->ticks[count - 1] + 1 > (double)duration * TL_SDATA_RATE))
            sdata_cases_add(&end, i);
    }
    if (few.count > 0)
        sdata_remark_cases(report, T3DM_R_STREAM_KEYS, sdata_key_at(bytes, sdata, few.first, 0), &few,
                           "the channel has fewer than two keys");
    if (start.count > 0)
        sdata_remark_cases(report, T3DM_R_STREAM_START, sdata_key_at(bytes, sdata, start.first, 0), &start,
                           "the first key of the channel is not at 0");
    if (end.count > 0)
        sdata_remark_cases(report, T3DM_R_STREAM_END,
                           sdata_key_at(bytes, sdata, end.first, sdata->channels[end.first].key_count - 1), &end,
                           "the last key of the channel is before the end of the animation");
}

void tl_sdata_check(trilo_bytes bytes, const tl_sdata *sdata, uint32_t announced_keys, float duration,
                    tl_report *report)
{
    if (sdata->key_count != announced_keys)
        tl_report_finding(report, t3dm_rule(T3DM_R_STREAM_COUNT), bytes.size,
                          "the stream ends after %" PRIu32 " keys, the animation announces %" PRIu32, sdata->key_count,
                          announced_keys);
    tl_sdata_walk walk = tl_sdata_walk_start(bytes, sdata->quat_count);
    for (tl_sdata_key k; sdata->late_key != TRILO_NONE && tl_sdata_walk_next(&walk, &k);) {
        if (k.number != sdata->late_key)
            continue;
        tl_path_push(&report->path, "keys", k.number);
        tl_report_finding(report, t3dm_rule(T3DM_R_STREAM_ORDER), k.at, "a key before it is needed later");
        tl_path_pop(&report->path);
    }
    sdata_check_channels(bytes, sdata, duration, report);
}

/* --- writing --- */

/* Sorted by when it is needed, its time and its channel, 16 bits each in one number. */
typedef struct sdata_row {
    uint64_t rank;
    uint32_t value;
    uint16_t ticks, channel;
} sdata_row;

static bool sdata_ticks_fit(const tl_sdata *sdata, uint32_t channel, uint32_t number, trilo_error *err)
{
    const tl_sdata_channel *c = &sdata->channels[channel];
    const uint32_t ticks = c->ticks[number], gap = ticks - sdata_needed_at(c, number);
    if (ticks <= SDATA_MOST_TIME && gap <= TL_SDATA_MOST_TICKS)
        return true;
    tl_path path = {0};
    tl_path_push(&path, "channels", channel);
    tl_path_push(&path, "keys", number);
    if (ticks > SDATA_MOST_TIME)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_RANGE_TIME), TRILO_NOWHERE, &path,
                       "a key at tick %" PRIu32 " of 1/60 second, the last that a stream can hold is %d", ticks,
                       SDATA_MOST_TIME);
    return tl_fail(err, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_RANGE_TIME), TRILO_NOWHERE, &path,
                   "a key at tick %" PRIu32 " of 1/60 second after one at %" PRIu32
                   ", must be from 0 to %d ticks later",
                   ticks, sdata_needed_at(c, number), TL_SDATA_MOST_TICKS);
}

static bool sdata_fill_rows(const tl_sdata *sdata, sdata_row *rows, trilo_error *err)
{
    for (uint32_t i = 0; i < sdata->channel_count; i++)
        for (uint32_t k = 0; k < sdata->channels[i].key_count; k++) {
            const tl_sdata_channel *channel = &sdata->channels[i];
            const uint32_t needed = sdata_needed_at(channel, k), ticks = channel->ticks[k];
            if (!sdata_ticks_fit(sdata, i, k, err))
                return false;
            *rows++ = (sdata_row){(uint64_t)needed << 32 | ticks << 16 | i, channel->values[k],
                                  (uint16_t)(ticks - needed), (uint16_t)i};
        }
    return true;
}

static size_t sdata_key_size(const tl_sdata *sdata, uint32_t channel, uint32_t number)
{
    return number == 0 || channel < sdata->quat_count ? SDATA_KEY_LONG : SDATA_KEY_SHORT;
}

/* A pass of a radix sort, by a byte of the rank: a counting sort, which keeps the order of equal rows. */
static void sdata_sort_pass(const sdata_row *rows, uint32_t count, unsigned shift, const uint32_t *from, uint32_t *to)
{
    uint32_t starts[256] = {0};
    for (uint32_t i = 0; i < count; i++)
        starts[(rows[i].rank >> shift) & 0xFF]++;
    for (uint32_t i = 0, sum = 0; i < 256; i++) {
        const uint32_t here = starts[i];
        starts[i] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[starts[(rows[from[i]].rank >> shift) & 0xFF]++] = from[i];
}

/* By rank, where rows are by channel already. NULL: no memory. */
static const uint32_t *sdata_sort_rows(tl_arena *arena, const sdata_row *rows, uint32_t count)
{
    uint32_t *order = tl_array_raw(arena, count, sizeof *order), *other = tl_array_raw(arena, count, sizeof *other);
    uint64_t used = 0;
    if (!order || !other)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        used |= rows[i].rank;
    }
    for (unsigned shift = 16; shift < 48; shift += 8) {
        if (!(used >> shift & 0xFF))
            continue;
        sdata_sort_pass(rows, count, shift, order, other);
        uint32_t *sorted = other;
        other = order;
        order = sorted;
    }
    return order;
}

bool tl_sdata_write(tl_arena *arena, const tl_sdata *sdata, trilo_bytes *out, trilo_error *err)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sdata->channel_count; i++)
        sum += sdata->channels[i].key_count;
    if (sdata->channel_count > SDATA_MOST_CHANNELS || sum > UINT32_MAX)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_RANGE_COUNT), TRILO_NOWHERE, NULL,
                       "%" PRIu32 " channels with %" PRIu64 " keys, a stream holds %d channels with %" PRIu32,
                       sdata->channel_count, sum, SDATA_MOST_CHANNELS, UINT32_MAX);
    const uint32_t count = (uint32_t)sum;
    sdata_row *rows = tl_array_raw(arena, count, sizeof *rows);
    if (!rows)
        return tl_fail_memory(err);
    if (!sdata_fill_rows(sdata, rows, err))
        return false;
    const uint32_t *order = sdata_sort_rows(arena, rows, count);
    if (!order)
        return tl_fail_memory(err);
    size_t size = 0; /* at most half of what the rows take, so it fits */
    for (uint32_t i = 0; i < count; i++)
        size += sdata_key_size(sdata, rows[order[i]].channel, i);
    uint8_t *p = tl_array(arena, size, 1); /* zeroes: a scalar as the first key is padded */
    if (!p)
        return tl_fail_memory(err);
    *out = (trilo_bytes){p, size};
    for (uint32_t i = 0; i < count; i++) {
        const sdata_row *r = &rows[order[i]], *next = i + 1 < count ? &rows[order[i + 1]] : r;
        const bool next_is_long = next->channel < sdata->quat_count;
        tl_put_u16(p + SDATA_KEY_TIME, TL_BIG, (uint16_t)(r->ticks | (next_is_long ? SDATA_NEXT_IS_LONG : 0)));
        tl_put_u16(p + SDATA_KEY_CHANNEL, TL_BIG, r->channel);
        if (r->channel < sdata->quat_count)
            tl_put_u32(p + SDATA_KEY_VALUE, TL_BIG, r->value);
        else
            tl_put_u16(p + SDATA_KEY_VALUE, TL_BIG, (uint16_t)r->value);
        p += sdata_key_size(sdata, r->channel, i);
    }
    return true;
}

/* --- values --- */

/* Halves away from 0, of what is not below 0; NaN is 0. */
static uint32_t sdata_round_within(double value, uint32_t most)
{
    if (!(value > 0))
        return 0;
    if (value >= most)
        return most;
    const uint32_t whole = (uint32_t)value;
    return whole + (value - whole >= 0.5 ? 1 : 0);
}

static unsigned sdata_quat_shift(unsigned slot)
{
    return SDATA_QUAT_LARGEST - SDATA_QUAT_BITS * slot;
}

static uint32_t sdata_pack_without(const double q[4], unsigned largest)
{
    const double sign = q[largest] < 0 ? -1 : 1;
    uint32_t bits = (uint32_t)largest << SDATA_QUAT_LARGEST;
    for (unsigned slot = 1; slot < 4; slot++) {
        const double component = sign * q[(largest + slot) & 3];
        bits |= sdata_round_within((component + SDATA_QUAT_HALF) / SDATA_QUAT_SPAN * SDATA_QUAT_STEPS, SDATA_QUAT_STEPS)
                << sdata_quat_shift(slot);
    }
    return bits;
}

trilo_quat tl_sdata_unpack_quat(uint32_t bits)
{
    const unsigned largest = bits >> SDATA_QUAT_LARGEST;
    float q[4], rest = 1;
    for (unsigned slot = 1; slot < 4; slot++) {
        const float step = (float)(bits >> sdata_quat_shift(slot) & SDATA_QUAT_STEPS);
        const float component = step / (float)SDATA_QUAT_STEPS * (float)SDATA_QUAT_SPAN - (float)SDATA_QUAT_HALF;
        q[(largest + slot) & 3] = component;
        rest -= component * component;
    }
    q[largest] = rest > 0 ? sqrtf(rest) : 0;
    const trilo_quat out = {q[0], q[1], q[2], q[3]};
    return rest >= 0 ? out : tl_quat_normalize(out); /* no rotation gives such bits */
}

/* What was unpacked must give its bits again. Its components have been rounded, so that two about as large may have
 * changed places: which one was left out is found by trying. */
uint32_t tl_sdata_pack_quat(trilo_quat r)
{
    const double square = (double)r.x * r.x + (double)r.y * r.y + (double)r.z * r.z + (double)r.w * r.w;
    const trilo_quat a = fabs(square - 1) < 1e-5 ? r : tl_quat_normalize(r);
    const double q[4] = {a.x, a.y, a.z, a.w};
    unsigned largest = 0;
    for (unsigned i = 1; i < 4; i++)
        largest = fabs(q[i]) > fabs(q[largest]) ? i : largest;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t bits = sdata_pack_without(q, (largest + i) & 3);
        const trilo_quat b = tl_sdata_unpack_quat(bits);
        if ((a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w) ||
            (a.x == -b.x && a.y == -b.y && a.z == -b.z && a.w == -b.w))
            return bits;
    }
    return sdata_pack_without(q, largest);
}

enum { SDATA_SCALAR_STEPS = 0xFFFF };

uint16_t tl_sdata_pack_scalar(float value, float scale, float offset)
{
    return scale != 0 ? (uint16_t)sdata_round_within(((double)value - offset) / scale, SDATA_SCALAR_STEPS) : 0;
}

void tl_sdata_scalar_range(const float *values, uint32_t count, float *scale, float *offset)
{
    enum { NEIGHBOURS = 4 };
    uint32_t first = 0;
    while (first < count && !tl_is_finite(values[first]))
        first++;
    float low = first < count ? values[first] : 0, high = low;
    for (uint32_t i = first; i < count; i++) {
        if (values[i] < low && tl_is_finite(values[i]))
            low = values[i];
        else if (values[i] > high && tl_is_finite(values[i]))
            high = values[i];
    }
    *offset = low;
    *scale = (float)(((double)high - low) / SDATA_SCALAR_STEPS);
    /* The scale of values that were unpacked was rounded, so it may be one of the neighbouring floats. */
    const uint32_t bits = tl_bits_of(*scale);
    for (uint32_t i = 0; bits > NEIGHBOURS && i <= 2 * NEIGHBOURS; i++) {
        const float tried = tl_float_of(i % 2 == 0 ? bits - i / 2 : bits + (i + 1) / 2);
        uint32_t exact = 0;
        while (exact < count &&
               tl_sdata_unpack_scalar(tl_sdata_pack_scalar(values[exact], tried, low), tried, low) == values[exact])
            exact++;
        if (exact < count)
            continue;
        *scale = tried;
        return;
    }
}
