/* When the console has which keys. */
#include "anim/tiny3d_sample.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

/* ---- times ---- */

static const double near = 1e-6; /* of a tick: times were made by dividing */

static double ticks_of(double seconds)
{
    return floor(seconds * 60 + 0.5);
}

static bool is_on_tick(double seconds)
{
    return fabs(seconds * 60 - ticks_of(seconds)) <= near;
}

/* Summed up from ticks; a time that is on none stays as it is. */
static void sum_times(const trilo_channel *channel, float *at)
{
    float sum = 0;
    double passed = 0;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        const double ticks = ticks_of(channel->times[i]);
        if (is_on_tick(channel->times[i]) && ticks >= passed)
            sum += (float)(ticks - passed) * TL_EXACT_TICK;
        else
            sum = (float)channel->times[i];
        passed = ticks;
        at[i] = sum;
    }
}

static bool is_played(const trilo_channel *channel)
{
    return channel->interpolation == TRILO_INTERPOLATION_LINEAR && channel->key_count > 0;
}

static bool times_new(tl_arena *arena, const trilo_channel *channel, tl_tiny3d_times *times)
{
    times->at = tl_array_raw(arena, channel->key_count, sizeof *times->at);
    times->next_from = tl_array_raw(arena, channel->key_count, sizeof *times->next_from);
    if (!times->at || !times->next_from)
        return false;
    sum_times(channel, times->at);
    for (uint32_t i = 0; i < channel->key_count; i++)
        times->next_from[i] = i > 0 ? times->at[i - 1] : -INFINITY;
    return true;
}

/* ---- the order of the stream ---- */

enum { MOST = 0x10000 }; /* ticks and channels that a stream can have */

/* A key that is not the first of its channel: needed from the one before on. */
typedef struct row {
    int64_t rank; /* needed, time, channel */
    uint32_t channel;
    float needed_at;
    float *next_from;
} row;

static int64_t row_rank(const void *rows, uint32_t number)
{
    return ((const row *)rows)[number].rank;
}

/* 0: the clip is none that a stream can hold. */
static uint32_t count_rows(const trilo_clip *clip)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        for (uint32_t k = 0; is_played(channel) && k < channel->key_count; k++) {
            const double ticks = ticks_of(channel->times[k]);
            if (!is_on_tick(channel->times[k]) || !(ticks >= 0 && ticks < MOST))
                return 0;
            count += k > 0;
        }
    }
    return clip->channel_count < MOST && count < UINT32_MAX ? (uint32_t)count : 0;
}

static void fill_rows(const trilo_clip *clip, const tl_tiny3d_times *times, row *rows)
{
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        for (uint32_t k = 1; is_played(channel) && k < channel->key_count; k++) {
            const int64_t needed = (int64_t)ticks_of(channel->times[k - 1]);
            const int64_t time = (int64_t)ticks_of(channel->times[k]);
            *rows++ = (row){needed << 32 | time << 16 | i, i, times[i].at[k - 1], &times[i].next_from[k]};
        }
    }
}

/* ---- the smallest of the channels up to one (a Fenwick tree) ---- */

static float smallest_up_to(const float *tree, uint32_t channel)
{
    float smallest = INFINITY;
    for (uint32_t i = channel + 1; i > 0; i &= i - 1)
        smallest = tree[i] < smallest ? tree[i] : smallest;
    return smallest;
}

static void tree_put(float *tree, uint32_t count, uint32_t channel, float value)
{
    for (uint32_t i = channel + 1; i <= count; i += i & (0 - i))
        tree[i] = value < tree[i] || value == INFINITY ? value : tree[i];
}

/* Of keys that are needed at one tick, each is pulled by the channels that still wait for a later one of them, as far
 * as those are asked before its own channel is. */
static void pull_keys(const row *rows, const uint32_t *order, uint32_t first, uint32_t end, float *tree, uint32_t count)
{
    for (uint32_t i = end; i-- > first;) {
        const row *r = &rows[order[i]];
        tree_put(tree, count, r->channel, r->needed_at);
        *r->next_from = smallest_up_to(tree, r->channel);
    }
    for (uint32_t i = first; i < end; i++)
        tree_put(tree, count, rows[order[i]].channel, INFINITY);
}

static bool follow_stream(tl_arena *scratch, const trilo_clip *clip, const tl_tiny3d_times *times, uint32_t count)
{
    row *rows = tl_array_raw(scratch, count, sizeof *rows);
    uint32_t *order = tl_array_raw(scratch, count, sizeof *order);
    float *tree = tl_array_raw(scratch, (size_t)clip->channel_count + 1, sizeof *tree);
    if (!rows || !order || !tree)
        return false;
    for (uint32_t i = 0; i <= clip->channel_count; i++)
        tree[i] = INFINITY;
    fill_rows(clip, times, rows);
    tl_sort_rows(order, count, row_rank, rows);
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && rows[order[end]].rank >> 32 == rows[order[first]].rank >> 32)
            end++;
        pull_keys(rows, order, first, end, tree, clip->channel_count);
    }
    return true;
}

const tl_tiny3d_times *tl_tiny3d_clip(tl_arena *arena, const trilo_clip *clip)
{
    tl_tiny3d_times *times = TL_ARRAY(arena, clip->channel_count, tl_tiny3d_times);
    for (uint32_t i = 0; times && i < clip->channel_count; i++)
        if (is_played(&clip->channels[i]) && !times_new(arena, &clip->channels[i], &times[i]))
            return NULL;
    const uint32_t count = count_rows(clip);
    if (!times || count == 0)
        return times;
    tl_arena scratch;
    tl_arena_init(&scratch, &(trilo_memory){arena->fn, arena->user, arena->left ? arena->left : 1});
    const bool ok = follow_stream(&scratch, clip, times, count);
    tl_arena_free(&scratch);
    return ok ? times : NULL;
}
