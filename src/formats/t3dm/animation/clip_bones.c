/* Which bones a clip moves.
 *
 * A model may have as many clips as bones, each for a part of them, such as a door: a clip takes time for its own part
 * only. Bones are in depth-first order, so what is below a bone follows it without a gap. */
#include "formats/t3dm/animation/animation.h"

#include "base/sort.h"

/* What is known of a bone. */
enum { BONE_ABOVE = 1, BONE_MOVES = 2, BONE_HAS_CHANNEL = 4 };

typedef struct bone_lister {
    const t3dm_bone *all;
    uint32_t all_count;
    uint8_t *marks;
    uint32_t *found, count;
} bone_lister;

static bool has_parent(const bone_lister *l, uint32_t bone)
{
    return l->all[bone].parent < bone;
}

static bool is_found(const bone_lister *l, uint32_t bone)
{
    return l->marks[bone] & (BONE_ABOVE | BONE_MOVES);
}

static void mark_bone(bone_lister *l, uint32_t bone, uint8_t mark)
{
    if (!is_found(l, bone))
        l->found[l->count++] = bone;
    l->marks[bone] |= mark;
}

static void mark_subtree(bone_lister *l, uint32_t root)
{
    if (l->marks[root] & BONE_MOVES)
        return;
    mark_bone(l, root, BONE_MOVES);
    for (uint32_t b = root + 1; b < l->all_count && has_parent(l, b) && l->all[b].parent >= root; b++)
        mark_bone(l, b, BONE_MOVES);
    for (uint32_t b = root; has_parent(l, b) && !is_found(l, l->all[b].parent); b = l->all[b].parent)
        mark_bone(l, l->all[b].parent, BONE_ABOVE);
}

static int64_t bone_key(const void *rows, uint32_t row)
{
    return ((const uint32_t *)rows)[row];
}

/* Adds the bone of a channel, once. */
static void add_moved(bone_lister *l, uint32_t bone, uint32_t *moved, uint32_t *count)
{
    if (bone >= l->all_count || l->marks[bone] & BONE_HAS_CHANNEL)
        return;
    l->marks[bone] |= BONE_HAS_CHANNEL;
    moved[(*count)++] = bone;
}

/* Marks what the channels move. In ascending order, so that no subtree is gone through twice. */
static bool mark_channels(t3dm_encoder *e, const t3dm_clip_builder *clip, bone_lister *l)
{
    const size_t most = (size_t)clip->channel_count + clip->sdata.channel_count;
    uint32_t *moved = tl_array_raw(e->arena, most, sizeof *moved), *order = tl_array_raw(e->arena, most, sizeof *order);
    uint32_t count = 0;
    if (!moved || !order)
        return false;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        add_moved(l, e->bone_of_node[clip->channels[i].node], moved, &count);
    for (uint32_t i = 0; i < clip->sdata.channel_count; i++)
        add_moved(l, clip->curves[i].mapping.bone, moved, &count);
    tl_sort_rows(order, count, bone_key, moved);
    for (uint32_t i = 0; i < count; i++)
        mark_subtree(l, moved[order[i]]);
    return true;
}

bool tl_t3dm_list_clip_bones(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    bone_lister l = {.all = e->file->bones, .all_count = e->file->skeleton.bone_count};
    l.marks = TL_ARRAY(e->arena, l.all_count, uint8_t);
    l.found = tl_array_raw(e->arena, l.all_count, sizeof *l.found);
    if (!l.marks || !l.found || (!clip->rest && !mark_channels(e, clip, &l)))
        return false;
    for (uint32_t b = 0; clip->rest && b < l.all_count; b++)
        mark_bone(&l, b, BONE_MOVES);
    uint32_t *order = tl_array_raw(e->arena, l.count, sizeof *order);
    clip->bone_count = l.count;
    clip->bones = tl_array_raw(e->arena, l.count, sizeof *clip->bones);
    clip->parents = tl_array_raw(e->arena, l.count, sizeof *clip->parents);
    if (!order || !clip->bones || !clip->parents)
        return false;
    tl_sort_rows(order, l.count, bone_key, l.found);
    for (uint32_t i = 0; i < l.count; i++)
        clip->bones[i] = l.found[order[i]];
    for (uint32_t i = 0; i < l.count; i++)
        clip->parents[i] =
            has_parent(&l, clip->bones[i]) ? tl_t3dm_find_clip_bone(clip, l.all[clip->bones[i]].parent) : TRILO_NONE;
    return true;
}

uint32_t tl_t3dm_find_clip_bone(const t3dm_clip_builder *clip, uint32_t bone)
{
    if (bone < clip->bone_count && clip->bones[bone] == bone) /* all bones are listed, or all up to this one */
        return bone;
    uint32_t first = 0, end = clip->bone_count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (clip->bones[middle] < bone)
            first = middle + 1;
        else
            end = middle;
    }
    return first < clip->bone_count && clip->bones[first] == bone ? first : TRILO_NONE;
}
