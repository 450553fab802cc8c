/* When Tiny3D reads which key.
 *
 * The keys of all channels lie in one stream, in the order in which they are needed. A channel that needs its next key
 * reads on until it comes, and so reads keys of other channels. Times are summed up in single precision, so keys that
 * are needed at the same tick are not needed at the same time: the channel with the smallest sum reads first, and those
 * keys in front of its own become next keys at that time, too. A Fenwick tree (1994) gives the smallest sum of the
 * channels up to one. */
#include "anim/tiny3d_sample.h"
#include "base/strict_float.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

/* ---- times ---- */

static const double TICK_EPSILON = 1e-6; /* ticks: times were computed by dividing */

static double nearest_ticks(double seconds)
{
    return floor(seconds * 60 + 0.5);
}

static bool time_is_on_tick(double seconds)
{
    return fabs(seconds * 60 - nearest_ticks(seconds)) <= TICK_EPSILON;
}

/* A time that is on no tick stays as it is. */
static void sum_ticks(const trilo_channel *channel, float *at)
{
    float sum = 0;
    double passed = 0;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        const double ticks = nearest_ticks(channel->times[i]);
        if (time_is_on_tick(channel->times[i]) && ticks >= passed)
            sum += (float)(ticks - passed) * TL_TINY3D_TICK;
        else
            sum = (float)channel->times[i];
        passed = ticks;
        at[i] = sum;
    }
}

static bool is_linear_with_keys(const trilo_channel *channel)
{
    return channel->interpolation == TRILO_INTERPOLATION_LINEAR && channel->key_count > 0;
}

static bool alloc_times(tl_arena *arena, const trilo_channel *channel, tl_tiny3d_times *times)
{
    times->at = tl_array_raw(arena, channel->key_count, sizeof *times->at);
    times->next_from = tl_array_raw(arena, channel->key_count, sizeof *times->next_from);
    if (!times->at || !times->next_from)
        return false;
    sum_ticks(channel, times->at);
    for (uint32_t i = 0; i < channel->key_count; i++)
        times->next_from[i] = i > 0 ? times->at[i - 1] : -INFINITY;
    return true;
}

/* ---- the order of the stream ---- */

enum { STREAM_MOST = 0x10000 }; /* ticks and channels that a stream can have */

/* A key that is not the first of its channel: needed from the one before on. */
typedef struct stream_row {
    int64_t rank; /* needed, time, channel */
    uint32_t channel;
    float needed_at;
    float *next_from;
} stream_row;

static int64_t stream_row_rank(const void *rows, uint32_t number)
{
    return ((const stream_row *)rows)[number].rank;
}

/* 0: no stream can hold the clip. */
static uint32_t count_stream_rows(const trilo_clip *clip)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        for (uint32_t k = 0; is_linear_with_keys(channel) && k < channel->key_count; k++) {
            const double ticks = nearest_ticks(channel->times[k]);
            if (!time_is_on_tick(channel->times[k]) || !(ticks >= 0 && ticks < STREAM_MOST))
                return 0;
            count += k > 0;
        }
    }
    return clip->channel_count < STREAM_MOST && count < UINT32_MAX ? (uint32_t)count : 0;
}

static void fill_stream_rows(const trilo_clip *clip, const tl_tiny3d_times *times, stream_row *rows)
{
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        for (uint32_t k = 1; is_linear_with_keys(channel) && k < channel->key_count; k++) {
            const int64_t needed = (int64_t)nearest_ticks(channel->times[k - 1]);
            const int64_t time = (int64_t)nearest_ticks(channel->times[k]);
            *rows++ = (stream_row){needed << 32 | time << 16 | i, i, times[i].at[k - 1], &times[i].next_from[k]};
        }
    }
}

/* ---- Fenwick tree of minima ---- */

static void tree_set(float *tree, uint32_t count, uint32_t channel, float value)
{
    for (uint32_t i = channel + 1; i <= count; i += i & (0 - i))
        tree[i] = value < tree[i] || value == INFINITY ? value : tree[i];
}

static bool simulate_stream(tl_arena *scratch, const trilo_clip *clip, const tl_tiny3d_times *times, uint32_t count)
{
    stream_row *rows = tl_array_raw(scratch, count, sizeof *rows);
    uint32_t *order = tl_array_raw(scratch, count, sizeof *order);
    float *tree = tl_array_raw(scratch, (size_t)clip->channel_count + 1, sizeof *tree);
    if (!rows || !order || !tree)
        return false;
    for (uint32_t i = 0; i <= clip->channel_count; i++)
        tree[i] = INFINITY;
    fill_stream_rows(clip, times, rows);
    tl_sort_rows(order, count, stream_row_rank, rows);
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && rows[order[end]].rank >> 32 == rows[order[first]].rank >> 32)
            end++;
        /* Keys that are needed at one tick. Each is read by the first channel, in channel order up to its own, that
         * waits for it or for a later one. */
        for (uint32_t i = end; i-- > first;) {
            const stream_row *r = &rows[order[i]];
            tree_set(tree, clip->channel_count, r->channel, r->needed_at);
            float smallest = INFINITY;
            for (uint32_t j = r->channel + 1; j > 0; j &= j - 1)
                smallest = tree[j] < smallest ? tree[j] : smallest;
            *r->next_from = smallest;
        }
        for (uint32_t i = first; i < end; i++)
            tree_set(tree, clip->channel_count, rows[order[i]].channel, INFINITY);
    }
    return true;
}

const tl_tiny3d_times *tl_tiny3d_clip(tl_arena *arena, const trilo_clip *clip)
{
    tl_tiny3d_times *times = TL_ARRAY(arena, clip->channel_count, tl_tiny3d_times);
    for (uint32_t i = 0; times && i < clip->channel_count; i++)
        if (is_linear_with_keys(&clip->channels[i]) && !alloc_times(arena, &clip->channels[i], &times[i]))
            return NULL;
    const uint32_t count = count_stream_rows(clip);
    if (!times || count == 0)
        return times;
    tl_arena scratch;
    tl_arena_init(&scratch, &(trilo_memory){arena->fn, arena->user, arena->left ? arena->left : 1});
    const bool ok = simulate_stream(&scratch, clip, times, count);
    tl_arena_free(&scratch);
    return ok ? times : NULL;
}
