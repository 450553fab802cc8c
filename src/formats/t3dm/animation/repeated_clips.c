/* Clips that differ from others only in their names: exporters write an action once for each object that uses it. The
 * result for one is used for all. */
#include "formats/t3dm/animation/animation.h"

#include "base/hash_table.h"
#include <string.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

static int compare_channels(const trilo_channel *a, const trilo_channel *b)
{
    const float hints[2][2] = {{a->step, a->base}, {b->step, b->base}};
    int order = compare_numbers(a->node, b->node);
    order = order ? order : compare_numbers(a->target, b->target);
    order = order ? order : compare_numbers(a->interpolation, b->interpolation);
    order = order ? order : compare_numbers(a->key_count, b->key_count);
    order = order ? order : memcmp(hints[0], hints[1], sizeof hints[0]);
    if (order || a->key_count == 0)
        return order;
    const size_t numbers = (size_t)tl_channel_stride(a) * a->key_count;
    order = memcmp(a->times, b->times, a->key_count * sizeof *a->times);
    return order ? order : memcmp(a->values, b->values, numbers * sizeof *a->values);
}

static int compare_clips(const void *rows, uint32_t a, uint32_t b)
{
    const trilo_clip *clips = rows, *one = &clips[a], *other = &clips[b];
    int order = memcmp(&one->duration, &other->duration, sizeof one->duration);
    order = order ? order : compare_numbers(one->channel_count, other->channel_count);
    for (uint32_t i = 0; order == 0 && i < one->channel_count; i++)
        order = compare_channels(&one->channels[i], &other->channels[i]);
    return order;
}

const uint32_t *tl_t3dm_find_repeated_clips(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    uint32_t *first = tl_array_raw(e->arena, model->clip_count, sizeof *first);
    tl_hash_table table;
    if (!first || !tl_hash_table_init(&table, e->arena, model->clip_count, compare_clips, model->clips))
        return NULL;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const trilo_clip *clip = &model->clips[i];
        const uint32_t keys = clip->channel_count > 0 ? clip->channels[0].key_count : 0;
        const uint32_t hash = tl_hash_words(&clip->duration, sizeof clip->duration) ^ clip->channel_count ^ keys << 16;
        first[i] = tl_hash_table_add(&table, hash, i);
        if (first[i] == TRILO_NONE)
            return NULL;
    }
    return first;
}
