/* Checks the skeleton, the animations with their streams, and the BVH. */
#include "base/strict_float.h"
#include "formats/t3dm/t3dm.h"

#include "model/target.h"
#include <inttypes.h>

/* --- skeleton --- */

static uint64_t t3dm_bone_at(const t3dm_file *file, uint32_t i, const char *field)
{
    return file->skeleton_at + tl_layout_size(&tl_t3dm_skeleton_head, TL_UNVERSIONED) +
           i * (uint64_t)tl_layout_size(&tl_t3dm_bone, TL_UNVERSIONED) +
           tl_layout_field(&tl_t3dm_bone, TL_UNVERSIONED, field)->at;
}

static bool t3dm_all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!tl_is_finite(values[i]))
            return false;
    return true;
}

/* Bones are sorted depth first: each is a child of the previous bone or of one of its ancestors. */
static void t3dm_check_bone(const t3dm_file *file, uint32_t i, tl_report *report)
{
    const t3dm_bone *bone = &file->bones[i];
    const bool root = bone->parent == T3DM_NO_BONE;
    const float *q = bone->rotation;
    if (!root && bone->parent >= i) {
        tl_report_finding(report, t3dm_rule(T3DM_R_BONE_PARENT), t3dm_bone_at(file, i, "parent"),
                          "bone %u, a parent must come before its child", (unsigned)bone->parent);
        return;
    }
    const uint32_t depth = root ? 0 : file->bones[bone->parent].depth + 1u;
    if (bone->depth != depth)
        tl_report_finding(report, t3dm_rule(T3DM_R_BONE_DEPTH), t3dm_bone_at(file, i, "depth"), "%u, must be %" PRIu32,
                          (unsigned)bone->depth, depth);
    else if (i > 0 && bone->depth > file->bones[i - 1].depth + 1u)
        tl_report_finding(report, t3dm_rule(T3DM_R_BONE_DEPTH), t3dm_bone_at(file, i, "depth"),
                          "bones must come depth first");
    const float length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!t3dm_all_finite(bone->scale, 3) || !t3dm_all_finite(q, 4) || !t3dm_all_finite(bone->position, 3))
        tl_report_finding(report, t3dm_rule(T3DM_R_BONE_VALUE), t3dm_bone_at(file, i, "scale"),
                          "the rest pose has a value that is infinite or NaN");
    else if (!(length > 0.98f && length < 1.02f))
        tl_report_finding(report, t3dm_rule(T3DM_R_BONE_VALUE), t3dm_bone_at(file, i, "rotation"),
                          "the rotation must have length 1");
}

/* --- animations --- */

static uint64_t t3dm_mapping_at(const t3dm_animation *a, uint32_t i, const char *field)
{
    return a->at + tl_layout_size(&tl_t3dm_animation_head, TL_UNVERSIONED) +
           i * (uint64_t)tl_layout_size(&tl_t3dm_mapping, TL_UNVERSIONED) +
           tl_layout_field(&tl_t3dm_mapping, TL_UNVERSIONED, field)->at;
}

static bool t3dm_mapping_known(const t3dm_mapping *m)
{
    return m->type <= T3DM_ROTATION && m->type != T3DM_UNIFORM_SCALE && m->axis <= 2;
}

static void t3dm_check_mapping(const t3dm_file *file, const t3dm_animation *a, uint32_t i, tl_report *report)
{
    const t3dm_mapping *m = &a->mappings[i];
    const bool rotation = m->type == T3DM_ROTATION;
    if (m->bone >= file->skeleton.bone_count)
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_TARGET), t3dm_mapping_at(a, i, "bone"),
                          "bone %u, the skeleton has %u", (unsigned)m->bone, (unsigned)file->skeleton.bone_count);
    if (!t3dm_mapping_known(m))
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_TYPE), t3dm_mapping_at(a, i, "type"), "type %u, axis %u",
                          (unsigned)m->type, (unsigned)m->axis);
    else if (rotation != (i < a->head.quat_count))
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_ORDER), t3dm_mapping_at(a, i, "type"), "%s",
                          rotation ? "a rotation after the rotation channels"
                                   : "not a rotation, but among the rotation channels");
    if (!rotation && (!tl_is_finite(m->scale) || !tl_is_finite(m->offset)))
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_VALUE), t3dm_mapping_at(a, i, "scale"),
                          "the range of the channel is infinite or NaN");
}

/* A bone may have one channel per target. */
static void t3dm_check_double_channels(const t3dm_file *file, uint32_t animation, tl_moved_transform *moved,
                                       tl_report *report)
{
    const t3dm_animation *a = &file->animations[animation];
    const uint32_t channels = (uint32_t)a->head.quat_count + a->head.scalar_count;
    for (uint32_t i = 0; i < channels; i++) {
        const t3dm_mapping *m = &a->mappings[i];
        if (m->bone >= file->skeleton.bone_count || !t3dm_mapping_known(m) ||
            tl_target_take(&moved[m->bone], animation, t3dm_target(m)))
            continue;
        tl_path_push(&report->path, "channels", i);
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_DUPLICATE), t3dm_mapping_at(a, i, "bone"),
                          "an earlier channel drives the same component of bone %u, must be one only",
                          (unsigned)m->bone);
        tl_path_pop(&report->path);
    }
}

static void t3dm_check_one_animation(const t3dm_file *file, const t3dm_animation *a, tl_report *report)
{
    const uint32_t channels = (uint32_t)a->head.quat_count + a->head.scalar_count;
    if (!tl_is_finite(a->head.duration) || a->head.duration < 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_VALUE),
                          a->at + tl_layout_field(&tl_t3dm_animation_head, TL_UNVERSIONED, "duration")->at,
                          "the duration must be 0 or more");
    else if (a->head.duration == 0 && channels > 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_VALUE),
                          a->at + tl_layout_field(&tl_t3dm_animation_head, TL_UNVERSIONED, "duration")->at,
                          "the duration is 0, so only the first keys are visible");
    if (channels == 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_ANIM_EMPTY), a->at, "no channels: nothing moves");
    for (uint32_t i = 0; i < channels; i++) {
        tl_path_push(&report->path, "channels", i);
        t3dm_check_mapping(file, a, i, report);
        tl_path_pop(&report->path);
    }
    if (!a->has_stream) {
        tl_report_finding(report, t3dm_rule(T3DM_R_STREAM_MISSING), a->at, "its stream was not found beside the model");
        return;
    }
    tl_path_push(&report->path, "stream", TL_NO_INDEX);
    if (a->stream_error)
        tl_report_finding(report, a->keys.broken, a->stream_error->offset, "%s", a->stream_error->text);
    else
        tl_sdata_check(a->stream, &a->keys, a->head.key_count, a->head.duration, report);
    tl_path_pop(&report->path);
}

static void t3dm_check_animations(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    const bool doubles = file->animation_count > 0 && !report->errors_only;
    tl_moved_transform *moved = doubles ? TL_ARRAY(scratch, file->skeleton.bone_count, tl_moved_transform) : NULL;
    if (doubles && !moved)
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to find duplicate channels");
    for (uint32_t i = 0; i < file->animation_count; i++) {
        tl_path_push(&report->path, "animations", i);
        t3dm_check_one_animation(file, &file->animations[i], report);
        if (moved)
            t3dm_check_double_channels(file, i, moved, report);
        tl_path_pop(&report->path);
    }
}

/* --- BVH --- */

typedef struct t3dm_bvh_check {
    const t3dm_file *file;
    tl_report *report;
    uint8_t *node_seen, *object_seen;
} t3dm_bvh_check;

static uint64_t t3dm_bvh_node_at(const t3dm_bvh *bvh, uint32_t i)
{
    return bvh->at + tl_layout_size(&tl_t3dm_bvh_head, TL_UNVERSIONED) +
           i * (uint64_t)tl_layout_size(&tl_t3dm_bvh_node, TL_UNVERSIONED);
}

static bool t3dm_box_holds(const int16_t min[3], const int16_t max[3], const int16_t inner_min[3],
                           const int16_t inner_max[3])
{
    for (int i = 0; i < 3; i++)
        if (inner_min[i] < min[i] || inner_max[i] > max[i])
            return false;
    return true;
}

static void t3dm_check_leaf(const t3dm_bvh_check *t, uint32_t i, uint32_t first, uint32_t count)
{
    const t3dm_bvh *bvh = &t->file->bvh;
    const t3dm_bvh_node *node = &bvh->nodes[i];
    for (uint32_t k = first; k < first + count; k++) {
        const uint32_t object = k < bvh->head.item_count ? bvh->items[k] : UINT32_MAX;
        if (object >= t->file->object_count || t->object_seen[object]++) {
            tl_report_finding(t->report, t3dm_rule(T3DM_R_BVH_ITEM), t3dm_bvh_node_at(bvh, i),
                              "item %" PRIu32 " is not an object, or is already in the tree", k);
            return;
        }
        const t3dm_object_head *head = &t->file->objects[object].head;
        if (!t3dm_box_holds(node->min, node->max, head->min, head->max))
            tl_report_finding(t->report, t3dm_rule(T3DM_R_BVH_NESTING), t3dm_bvh_node_at(bvh, i),
                              "the box does not contain objects[%" PRIu32 "]", object);
    }
}

/* Children may be anywhere in the array. Since each node has one parent, there can be no cycle. */
static void t3dm_check_inner(const t3dm_bvh_check *t, uint32_t i, int offset)
{
    const t3dm_bvh *bvh = &t->file->bvh;
    for (int k = 0; k < 2; k++) {
        const int64_t child = (int64_t)i + offset + k;
        if (child <= 0 || child >= bvh->head.node_count || t->node_seen[child]++) {
            tl_report_finding(t->report, t3dm_rule(T3DM_R_BVH_CHILD), t3dm_bvh_node_at(bvh, i),
                              "child %" PRId64 " is outside the tree or already has a parent", child);
            return;
        }
        if (!t3dm_box_holds(bvh->nodes[i].min, bvh->nodes[i].max, bvh->nodes[child].min, bvh->nodes[child].max))
            tl_report_finding(t->report, t3dm_rule(T3DM_R_BVH_NESTING), t3dm_bvh_node_at(bvh, i),
                              "the box does not contain nodes[%" PRId64 "]", child);
    }
}

static void t3dm_check_bvh(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    t3dm_bvh_check t = {file, report, TL_ARRAY(scratch, file->bvh.head.node_count, uint8_t),
                        TL_ARRAY(scratch, file->object_count, uint8_t)};
    if (!t.node_seen || !t.object_seen) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to walk the BVH");
        return;
    }
    for (uint32_t i = 0; i < file->bvh.head.node_count; i++) {
        const uint32_t count = t3dm_bvh_count(&file->bvh.nodes[i]);
        const int offset = t3dm_bvh_offset(&file->bvh.nodes[i]);
        tl_path_push(&report->path, "nodes", i);
        if (count == 0)
            t3dm_check_inner(&t, i, offset);
        else
            t3dm_check_leaf(&t, i, (uint32_t)(offset < 0 ? file->bvh.head.item_count : offset), count);
        tl_path_pop(&report->path);
    }
    uint32_t lost_nodes = 0, lost_objects = 0;
    for (uint32_t i = 1; i < file->bvh.head.node_count; i++)
        lost_nodes += t.node_seen[i] == 0 ? 1 : 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        lost_objects += t.object_seen[i] == 0 ? 1 : 0;
    if (file->bvh.head.node_count == 0 || lost_nodes > 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_BVH_CHILD), file->bvh.at, "%" PRIu32 " nodes have no parent",
                          lost_nodes);
    if (lost_objects > 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_BVH_ITEM), file->bvh.at, "%" PRIu32 " objects are not in the tree",
                          lost_objects);
    /* The runtime asserts that every object is near enough before the BVH. */
    for (uint32_t i = 0; i < file->object_count; i++) {
        const uint32_t at = file->objects[i].at;
        if (at < file->bvh.at && file->bvh.at - at <= T3DM_BVH_DISTANCE_MOST)
            continue;
        tl_report_finding(report, t3dm_rule(T3DM_R_BVH_DISTANCE), file->bvh.at,
                          "objects[%" PRIu32 "] at byte %" PRIu32 " must be at most %d bytes before it", i, at,
                          T3DM_BVH_DISTANCE_MOST);
        return;
    }
}

void tl_t3dm_check_animation(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    for (uint32_t i = 0; i < file->skeleton.bone_count; i++) {
        tl_path_push(&report->path, "bones", i);
        t3dm_check_bone(file, i, report);
        tl_path_pop(&report->path);
    }
    t3dm_check_animations(file, scratch, report);
    if (!file->has_bvh)
        return;
    tl_path_push(&report->path, "bvh", TL_NO_INDEX);
    t3dm_check_bvh(file, scratch, report);
    tl_path_pop(&report->path);
}
