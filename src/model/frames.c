/* Thousands of frames may share one array, in particular in a hostile file. To process each array once per mesh, tracks
 * are sorted by mesh, and the references in them stably by address. O(n log n); no result depends on the order of
 * addresses. */
#include "model/frames.h"
#include "base/strict_float.h"

#include "base/sort.h"
#include <inttypes.h>

uint32_t tl_clip_frames(const trilo_clip *clip)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < clip->track_count; i++)
        most = clip->tracks[i].frame_count > most ? clip->tracks[i].frame_count : most;
    return most;
}

bool tl_clip_only_frames(const trilo_clip *clip)
{
    return clip->track_count > 0 && clip->channel_count == 0;
}

void tl_frames_lost(const trilo_model *model, const trilo_rule *rule, tl_report *losses)
{
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const trilo_clip *clip = &model->clips[i];
        const uint32_t count = tl_clip_frames(clip);
        const bool named = clip->name.len > 0;
        const char *open = named ? " \"" : "", *name = named ? clip->name.data : "", *close = named ? "\"" : "";
        if (clip->track_count == 0)
            continue;
        tl_path_push(&losses->path, "clips", i);
        if (tl_clip_only_frames(clip))
            tl_report_finding(losses, rule, TRILO_NOWHERE,
                              "the clip%s%s%s is lost: it has only vertex frames (%" PRIu32 ")", open, name, close,
                              count);
        else
            tl_report_finding(losses, rule, TRILO_NOWHERE, "the frames (%" PRIu32 ") of the clip%s%s%s are lost", count,
                              open, name, close);
        tl_path_pop(&losses->path);
    }
}

static int64_t frames_track_key(const void *rows, uint32_t row)
{
    return ((const trilo_track *const *)rows)[row]->mesh;
}

static int64_t frames_slot_key(const void *rows, uint32_t row)
{
    return (int64_t)(intptr_t)((const tl_frame_slot *)rows)[row].from;
}

typedef struct frames_tracks {
    uint32_t count;
    const trilo_track **tracks;
    uint32_t *order; /* by mesh */
} frames_tracks;

/* All tracks of a model. */
static bool frames_list_tracks(tl_arena *arena, const trilo_model *model, frames_tracks *list)
{
    uint64_t total = 0;
    for (uint32_t c = 0; c < model->clip_count; c++)
        total += model->clips[c].track_count;
    if (total > UINT32_MAX)
        return false;
    if (total == 0)
        return true;
    list->tracks = tl_array_raw(arena, (size_t)total, sizeof *list->tracks);
    list->order = tl_array_raw(arena, (size_t)total, sizeof *list->order);
    if (!list->tracks || !list->order)
        return false;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t i = 0; i < model->clips[c].track_count; i++)
            list->tracks[list->count++] = &model->clips[c].tracks[i];
    tl_sort_rows(list->order, list->count, frames_track_key, list->tracks);
    return true;
}

/* Lists the array references of a track and returns their number. `out` may be NULL. */
static uint32_t frames_list_slots(const trilo_track *track, tl_frame_part part, tl_frame_slot *out)
{
    trilo_frame *frames = (trilo_frame *)(uintptr_t)track->frames;
    uint32_t count = 0;
    for (uint32_t i = 0; i < track->frame_count; i++) {
        const float(**array)[3] = part == TL_FRAME_POSITIONS ? &frames[i].positions : &frames[i].normals;
        if (!*array)
            continue;
        if (out)
            out[count] = (tl_frame_slot){track->mesh, *array, array};
        count++;
    }
    return count;
}

bool tl_frame_slots_list(tl_arena *arena, const trilo_model *model, tl_frame_part part, tl_frame_slots *out)
{
    frames_tracks list = {0};
    *out = (tl_frame_slots){0};
    if (!frames_list_tracks(arena, model, &list))
        return false;
    uint64_t total = 0;
    for (uint32_t i = 0; i < list.count; i++)
        total += frames_list_slots(list.tracks[i], part, NULL);
    if (total == 0 || total > UINT32_MAX)
        return total == 0;
    tl_frame_slot *slots = tl_array_raw(arena, (size_t)total, sizeof *slots);
    uint32_t *order = tl_array_raw(arena, (size_t)total, sizeof *order);
    if (!slots || !order)
        return false;
    for (uint32_t i = 0; i < list.count; i++)
        out->count += frames_list_slots(list.tracks[list.order[i]], part, slots + out->count);
    tl_sort_rows(order, out->count, frames_slot_key, slots);
    out->slots = slots;
    out->order = order;
    return true;
}

bool tl_frame_slot_differs(const tl_frame_slots *list, uint32_t i)
{
    if (i == 0)
        return true;
    const tl_frame_slot *slot = tl_frame_slot_at(list, i), *before = tl_frame_slot_at(list, i - 1);
    return slot->from != before->from || slot->mesh != before->mesh;
}
