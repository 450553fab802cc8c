/* Editing the clips of a model: cut, split at markers, reversed, resampled. */
#include "anim/clip_edit.h"
#include "base/opts.h"
#include "base/strict_float.h"

#include "base/report.h"
#include "base/size.h"
#include "model/check.h"
#include "model/curve.h"
#include "model/owned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool tl_channel_make_room(tl_arena *arena, size_t keys, trilo_channel *channel, double **times, float **values)
{
    *times = tl_array_raw(arena, keys, sizeof **times);
    *values = tl_array_raw(arena, keys, tl_channel_stride(channel) * sizeof **values);
    channel->times = *times;
    channel->values = *values;
    return *times && *values;
}

/* ---- parts, split at markers into pieces ---- */

typedef struct clip_editing {
    tl_arena *arena;
    const trilo_model *model;
    const trilo_clip_edit *edit;
    trilo_clip *clips;
    uint32_t count;
} clip_editing;

static trilo_clip_part edited_part(const clip_editing *m, uint32_t number)
{
    if (m->edit->part_count > 0)
        return m->edit->parts[number];
    return (trilo_clip_part){.clip = number};
}

static uint32_t edited_part_count(const clip_editing *m)
{
    return m->edit->part_count > 0 ? m->edit->part_count : m->model->clip_count;
}

static bool name_clip_piece(const clip_editing *m, trilo_clip *clip, const char *name, uint32_t piece)
{
    char made[256];
    if (!name && piece > 0) {
        snprintf(made, sizeof made, "%.200s.%u", clip->name.data ? clip->name.data : "", (unsigned)piece);
        name = made;
    }
    if (name)
        clip->name = tl_str_copy(m->arena, name, strlen(name));
    return clip->name.data != NULL;
}

static bool cut_clip_piece(clip_editing *m, const trilo_clip_part *part, const tl_cut *cut, const char *name,
                           uint32_t piece)
{
    trilo_clip *clip = &m->clips[m->count++];
    const trilo_clip *from = &m->model->clips[part->clip];
    *clip = *from;
    if (part->name && piece == 0)
        name = part->name;
    if ((cut->from != 0 || cut->to != from->duration) && !tl_clip_cut(m->arena, m->model, cut, clip))
        return false;
    return name_clip_piece(m, clip, name, piece);
}

static bool split_clip_part(clip_editing *m, const trilo_clip_part *part)
{
    const double end = m->model->clips[part->clip].duration;
    const double to = part->to > part->from && part->to < end ? part->to : end;
    double from = part->from > 0 ? part->from < end ? part->from : end : 0;
    const char *name = NULL;
    for (uint32_t piece = 0;; piece++) {
        /* The first marker between two times; TRILO_NONE: none. */
        uint32_t next = TRILO_NONE;
        for (uint32_t i = 0; i < m->edit->marker_count; i++) {
            const double at = m->edit->markers[i].seconds;
            if (at > from && at < to && (next == TRILO_NONE || at < m->edit->markers[next].seconds))
                next = i;
        }
        const double until = next == TRILO_NONE ? to : m->edit->markers[next].seconds;
        const tl_cut cut = {part->clip, from, until, next == TRILO_NONE};
        if (!cut_clip_piece(m, part, &cut, name, piece))
            return false;
        if (next == TRILO_NONE)
            return true;
        from = until;
        name = m->edit->markers[next].name;
    }
}

/* ---- the whole ---- */

static bool edit_clips(tl_owned_model *owned, const trilo_clip_edit *edit)
{
    clip_editing m = {.arena = &owned->arena, .model = &owned->model, .edit = edit};
    size_t pieces;
    if (!tl_multiply(edited_part_count(&m), (size_t)m.edit->marker_count + 1, &pieces))
        return false;
    m.clips = tl_array(m.arena, pieces, sizeof *m.clips);
    if (!m.clips)
        return false;
    for (uint32_t i = 0; i < edited_part_count(&m); i++) {
        const trilo_clip_part part = edited_part(&m, i);
        if (!split_clip_part(&m, &part))
            return false;
    }
    for (uint32_t i = 0; i < m.count; i++) {
        if (edit->reverse && !tl_clip_reverse(m.arena, &m.clips[i]))
            return false;
        if (edit->rate > 0 && !tl_clip_resample(m.arena, edit->rate, &m.clips[i]))
            return false;
    }
    if (edit->drop_resting && !tl_clips_drop_static(m.arena, m.model, m.clips, m.count))
        return false;
    owned->model.clips = m.clips;
    owned->model.clip_count = m.count;
    return true;
}

static bool clip_edit_misuse(trilo_error *err, const char *why)
{
    return tl_fail(err, TRILO_CODE_BAD_VALUE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL, "%s", why);
}

/* Memory has a limit of its own. */
static const double RESAMPLED_KEYS_MOST = 1 << 24;

static bool clip_edit_is_valid(const trilo_model *model, const trilo_clip_edit *edit, trilo_error *err)
{
    for (uint32_t i = 0; i < edit->part_count; i++) {
        if (edit->parts[i].clip >= model->clip_count)
            return clip_edit_misuse(err, "a part names a clip that the model does not have");
        if (!isfinite(edit->parts[i].from) || !isfinite(edit->parts[i].to))
            return clip_edit_misuse(err, "from and to of a part must be numbers");
    }
    for (uint32_t i = 0; edit->rate > 0 && i < model->clip_count; i++)
        if (!(model->clips[i].duration * edit->rate < RESAMPLED_KEYS_MOST))
            return clip_edit_misuse(err, "the rate would make more than 16777216 keys of a channel");
    return true;
}

const trilo_model *trilo_model_edit_clips(const trilo_model *model, const trilo_clip_edit *edit,
                                          const trilo_memory *memory, trilo_error *err)
{
    trilo_clip_edit own;
    if (!TL_OPTS_TAKE(&own, edit, err) || !tl_model_check(model, memory, err) || !clip_edit_is_valid(model, &own, err))
        return NULL;
    tl_owned_model *owned = tl_owned_model_new(memory);
    if (owned && tl_model_copy(&owned->arena, model, &owned->model) && edit_clips(owned, &own))
        return tl_owned_model_finish(owned);
    trilo_model_free(owned ? &owned->model : NULL);
    tl_fail_memory(err);
    return NULL;
}
