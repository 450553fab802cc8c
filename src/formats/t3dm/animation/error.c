/* The error of a clip: how far the pose that Tiny3D makes of the keys is from the pose of the source, at every tick.
 *
 * A clip is measured many times while its keys are chosen, so little is computed twice: poses of the source are kept,
 * a key is unpacked when it is reached, and a bone that nothing moved since the ticks before stays where it was. Four
 * ticks are computed at once, each in its lane. */
#include "formats/t3dm/animation/error.h"
#include "base/strict_float.h"

#include "base/avx2.h"
#include "formats/t3dm/decode/sdata.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

static inline void unpack_rotation(uint32_t code, tl_double4 *to)
{
    const trilo_quat q = tl_sdata_unpack_quat(code);
    *to = (tl_double4){q.x, q.y, q.z, q.w};
}

#define LANES(name)         name##_any
#define ANY_LANE(mask)      (((mask)[0] | (mask)[1] | (mask)[2] | (mask)[3]) != 0)
#define ROOTS_OF(from, to)  tl_double4_roots(from, to)
#define ROUND_TO_FLOAT(v)   tl_double4_round_to_float(v)
#define LOAD_FLOATS(from)   ((tl_double4){(from)[0], (from)[1], (from)[2], (from)[3]})
#define UNPACK(code, to)    unpack_rotation(code, to)
#define TRANSPOSE(from, to) tl_double4_transpose(from, to)
#include "formats/t3dm/animation/error.inc"

const t3dm_pose_lanes *tl_t3dm_pose_lanes(void)
{
    return &pose_lanes_any;
}

static inline void set_lanes(double value, tl_double4 *to)
{
    *to = (tl_double4){value, value, value, value};
}

static void set_rest_pose(const t3dm_pose_comparison *c, t3dm_pose_track *track, const t3dm_bone *bones)
{
    for (uint32_t b = 0; b < c->clip->bone_count; b++) {
        const t3dm_bone *from = &bones[c->clip->bones[b]];
        t3dm_local_pose *to = &track->local[b];
        to->scaled = false;
        if (!c->needed[b])
            continue;
        for (int i = 0; i < 4; i++)
            set_lanes(from->rotation[i], &to->rotation[i]);
        for (int i = 0; i < 3; i++) {
            set_lanes(from->position[i], &to->translation[i]);
            set_lanes(from->scale[i], &to->scale[i]);
            to->scaled = to->scaled || from->scale[i] != 1;
        }
        track->changed[b] = true;
    }
}

/* --- the source --- */

static void begin_source(t3dm_pose_comparison *c)
{
    const t3dm_clip_builder *clip = c->clip;
    c->source_cursor_count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        const trilo_target whole = tl_target_whole(channel->target);
        const uint32_t bone = c->source_bones[i];
        if (bone == TRILO_NONE)
            continue;
        t3dm_source_cursor *cursor = &c->source_cursors[c->source_cursor_count++];
        t3dm_local_pose *local = &c->source.local[bone];
        *cursor = (t3dm_source_cursor){.channel = channel, .bone = bone, .unit = 1};
        cursor->at_ticks = clip->at_ticks ? clip->at_ticks[i] : NULL;
        cursor->width = tl_target_width(channel->target);
        cursor->to = whole == TRILO_TARGET_ROTATION      ? local->rotation
                     : whole == TRILO_TARGET_TRANSLATION ? local->translation
                                                         : local->scale;
        cursor->to += tl_target_axis(channel->target);
        cursor->scales = whole != TRILO_TARGET_ROTATION && whole != TRILO_TARGET_TRANSLATION;
        cursor->unit = whole == TRILO_TARGET_TRANSLATION ? c->e->policy.scale : 1;
        cursor->constant = !cursor->at_ticks && tl_t3dm_source_is_constant(channel);
    }
    set_rest_pose(c, &c->source, c->e->file->bones);
}

/* Values of a channel whose values at every tick are not kept. */
static void sample_source(const t3dm_pose_comparison *c, t3dm_source_cursor *cursor,
                          const uint32_t ticks[T3DM_POSE_TICKS])
{
    for (uint32_t lane = 0; lane < T3DM_POSE_TICKS; lane++) {
        double value[4];
        tl_t3dm_source_value(c->e, cursor->channel, &cursor->at, ticks[lane] / (double)TL_SDATA_RATE, value);
        for (uint32_t k = 0; k < cursor->width; k++)
            cursor->to[k][lane] = (float)(value[k] * cursor->unit);
    }
}

/* Ticks rise from call to call. Channels of which one value is enough are left out after the first one, unless others
 * set the same. */
static void pose_source(t3dm_pose_comparison *c, uint32_t tick, const t3dm_bone_pose *before, t3dm_bone_pose *poses)
{
    t3dm_pose_track *track = &c->source;
    uint32_t ticks[T3DM_POSE_TICKS], kept = 0;
    for (uint32_t lane = 0; lane < T3DM_POSE_TICKS; lane++)
        ticks[lane] = tl_t3dm_tick_of_lane(c->clip, tick, lane);
    for (uint32_t i = 0; i < c->source_cursor_count; i++) {
        t3dm_source_cursor *cursor = &c->source_cursors[i];
        const float *at_ticks = cursor->at_ticks;
        const uint32_t width = cursor->width;
        track->changed[cursor->bone] = true;
        track->local[cursor->bone].scaled = track->local[cursor->bone].scaled || cursor->scales;
        if (!at_ticks)
            sample_source(c, cursor, ticks);
        else if (width == 4)
            c->lanes->load_rotations(at_ticks, ticks, cursor->to);
        else
            for (uint32_t k = 0; k < width; k++)
                for (uint32_t lane = 0; lane < T3DM_POSE_TICKS; lane++)
                    cursor->to[k][lane] = (float)(at_ticks[(size_t)ticks[lane] * width + k] * cursor->unit);
        if (cursor->constant && !track->overlaps)
            continue;
        if (kept < i)
            c->source_cursors[kept] = *cursor;
        kept++;
    }
    c->source_cursor_count = kept;
    c->lanes->make_worlds(c, track, before, poses);
}

/* --- the difference --- */

bool tl_t3dm_error_within(const t3dm_clip_error *error, const t3dm_clip_error *limit)
{
    return error->distance <= limit->distance && error->rotation <= limit->rotation &&
           error->position <= limit->position;
}

/* --- all ticks --- */

static bool track_init(const t3dm_pose_comparison *c, t3dm_pose_track *track, tl_arena *scratch)
{
    track->local = tl_array_raw(scratch, c->clip->bone_count, sizeof *track->local);
    track->changed = tl_array_raw(scratch, c->clip->bone_count, sizeof *track->changed);
    track->poses = tl_array_raw(scratch, c->clip->bone_count, sizeof *track->poses);
    return track->local && track->changed && track->poses;
}

/* True if another channel sets the same component of its bone. A bit each: the rotation, three axes of the translation,
 * three of the scale. */
static bool is_set_twice(uint8_t *set, bool rotation, bool translation, uint32_t axis, uint32_t width)
{
    const unsigned axes = (1u << width) - 1;
    const unsigned bits = rotation ? 1 : translation ? axes << (1 + axis) : axes << (4 + axis);
    const bool twice = *set & bits;
    *set = (uint8_t)(*set | bits);
    return twice;
}

/* The bones that channels of the source move, and whether two of them set the same. Not needed for poses that are kept.
 */
static void find_source_bones(t3dm_pose_comparison *c, uint8_t *set)
{
    for (uint32_t i = 0; i < c->clip->channel_count; i++) {
        const trilo_channel *channel = &c->clip->channels[i];
        const trilo_target whole = tl_target_whole(channel->target);
        const uint32_t bone = tl_t3dm_find_clip_bone(c->clip, c->e->bone_of_node[channel->node]);
        const bool moves = bone != TRILO_NONE && channel->key_count > 0;
        c->source_bones[i] = moves ? bone : TRILO_NONE;
        if (moves && is_set_twice(&set[bone], whole == TRILO_TARGET_ROTATION, whole == TRILO_TARGET_TRANSLATION,
                                  tl_target_axis(channel->target), tl_target_width(channel->target)))
            c->source.overlaps = true;
    }
}

/* The same of what is played, and the cursors. */
static void find_played_bones(t3dm_pose_comparison *c, uint8_t *set)
{
    for (uint32_t i = 0; i < c->clip->sdata.channel_count; i++) {
        const tl_sdata_channel *channel = &c->clip->sdata.channels[i];
        const t3dm_mapping *m = &c->clip->curves[i].mapping;
        const uint32_t bone = tl_t3dm_find_clip_bone(c->clip, m->bone);
        if (bone != TRILO_NONE &&
            is_set_twice(&set[bone], m->type == T3DM_ROTATION, m->type == T3DM_TRANSLATION, m->axis, 1))
            c->played.overlaps = true;
        if (bone == TRILO_NONE || !c->needed[bone] || channel->key_count == 0)
            continue;
        t3dm_local_pose *local = &c->played.local[bone];
        t3dm_key_cursor *cursor = &c->key_cursors[c->key_cursor_count++];
        cursor->channel = channel;
        cursor->mapping = m;
        cursor->bone = bone;
        cursor->to = m->type == T3DM_ROTATION      ? local->rotation
                     : m->type == T3DM_TRANSLATION ? &local->translation[m->axis]
                                                   : &local->scale[m->axis];
        cursor->scales = m->type == T3DM_SCALE;
    }
}

static bool comparison_init(t3dm_pose_comparison *c, t3dm_encoder *e, const t3dm_clip_builder *clip, tl_arena *scratch)
{
    const t3dm_pose_lanes *avx2 = tl_has_avx2() ? tl_t3dm_pose_lanes_avx2() : NULL;
    *c = (t3dm_pose_comparison){.e = e, .clip = clip, .lanes = avx2 ? avx2 : &pose_lanes_any};
    tl_arena_init_scratch(scratch, e->arena);
    uint8_t *in_source = TL_ARRAY(scratch, clip->bone_count, uint8_t);
    uint8_t *in_played = TL_ARRAY(scratch, clip->bone_count, uint8_t);
    c->needed = TL_ARRAY(scratch, clip->bone_count, bool);
    c->points = tl_array_raw(scratch, clip->bone_count, sizeof *c->points);
    c->source_bones = tl_array_raw(scratch, clip->channel_count, sizeof *c->source_bones);
    c->source_cursors = tl_array_raw(scratch, clip->channel_count, sizeof *c->source_cursors);
    c->key_cursors = tl_array_raw(scratch, clip->sdata.channel_count, sizeof *c->key_cursors);
    if (!in_source || !in_played || !c->needed || !c->points || !c->source_bones || !c->source_cursors ||
        !c->key_cursors || !track_init(c, &c->source, scratch) || !track_init(c, &c->played, scratch))
        return false;
    for (uint32_t b = clip->bone_count; b-- > 0;) { /* children come after their parents */
        const uint32_t parent = clip->parents[b];
        c->needed[b] = c->needed[b] || !clip->measured || clip->measured[b];
        if (parent != TRILO_NONE && c->needed[b])
            c->needed[parent] = true;
    }
    if (!clip->source)
        find_source_bones(c, in_source);
    find_played_bones(c, in_played);
    return true;
}

bool tl_t3dm_keep_source_poses(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    enum { KEPT_POSES_MOST = 1 << 15 };
    const uint64_t count = ((uint64_t)clip->last_tick / T3DM_POSE_TICKS + 1) * clip->bone_count;
    t3dm_pose_comparison c;
    tl_arena scratch;
    if (count > KEPT_POSES_MOST)
        return true;
    t3dm_bone_pose *poses = tl_array_raw(e->arena, (size_t)count, sizeof *poses), *before = poses;
    const bool ok = comparison_init(&c, e, clip, &scratch) && poses;
    if (ok)
        begin_source(&c);
    for (uint32_t tick = 0; ok && tick <= clip->last_tick; tick += T3DM_POSE_TICKS) {
        t3dm_bone_pose *at = poses + (size_t)(tick / T3DM_POSE_TICKS) * clip->bone_count;
        pose_source(&c, tick, before, at);
        before = at;
    }
    clip->source = poses;
    tl_arena_free(&scratch);
    return ok;
}

/* `squares` has those of the error. */
static bool is_beyond(const t3dm_clip_error *squares, const t3dm_clip_error *limit)
{
    return sqrt(squares->distance) > limit->distance || sqrt(squares->rotation) > limit->rotation ||
           sqrt(squares->position) > limit->position;
}

/* The first bone that alone is beyond the limit. */
static uint32_t find_failing_bone(const t3dm_pose_comparison *c, const t3dm_bone_pose *source, uint32_t tick,
                                  const t3dm_clip_error *limit)
{
    for (uint32_t b = 0; b < c->clip->bone_count; b++) {
        t3dm_clip_error error = {.bone = TRILO_NONE};
        if (c->needed[b])
            c->lanes->measure_bone(c, source, b, c->points[b], tick, 0, &error);
        if (is_beyond(&error, limit))
            return b;
    }
    return TRILO_NONE;
}

/* Ticks from `first` to `last`, where `first` is a multiple of four. Ends early with false where the limit (may be
 * NULL) is exceeded; `worst` has squares. */
static bool compare_ticks(t3dm_pose_comparison *c, uint32_t first, uint32_t last, const t3dm_clip_error *limit,
                          t3dm_clip_error *worst)
{
    const t3dm_clip_builder *clip = c->clip;
    const double least = (1 - 1e-12) * clip->ignored * clip->ignored;
    if (!clip->source)
        begin_source(c);
    for (uint32_t i = 0; i < c->key_cursor_count; i++) {
        t3dm_key_cursor *cursor = &c->key_cursors[i]; /* its values are set at the first tick */
        cursor->key = cursor->next = 0;
        cursor->due = 0;
        cursor->settled = false;
    }
    set_rest_pose(c, &c->played, clip->rest ? clip->rest : c->e->file->bones);
    for (uint32_t tick = first; tick <= last; tick += T3DM_POSE_TICKS) {
        const t3dm_bone_pose *source =
            clip->source ? clip->source + (size_t)(tick / T3DM_POSE_TICKS) * clip->bone_count : c->source.poses;
        if (!clip->source)
            pose_source(c, tick, c->source.poses, c->source.poses);
        c->lanes->play_keys(c, tick);
        c->lanes->make_worlds(c, &c->played, c->played.poses, c->played.poses);
        c->lanes->measure_bones(c, source, tick, tick == first, least, worst);
        c->ended = tick;
        if (limit && is_beyond(worst, limit)) {
            c->failing_bone = find_failing_bone(c, source, tick, limit);
            return false;
        }
    }
    return true;
}

/* Begins where the last measurement found the largest error, or a limit exceeded: it may be there again, and then the
 * vertices are tested at few other ticks. */
bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_skin_samples *samples, t3dm_clip_builder *clip,
                        const t3dm_clip_error *limit, t3dm_clip_error *error)
{
    t3dm_pose_comparison c;
    tl_arena scratch;
    const bool ok = comparison_init(&c, e, clip, &scratch);
    for (uint32_t b = 0; ok && b < clip->bone_count; b++)
        c.points[b] = tl_t3dm_skin_sample_points(samples, clip->bones[b]);
    const uint32_t start = clip->suspect <= clip->last_tick ? clip->suspect - clip->suspect % T3DM_POSE_TICKS : 0;
    *error = (t3dm_clip_error){.bone = TRILO_NONE};
    clip->failing_bone = TRILO_NONE;
    if (ok && compare_ticks(&c, start, clip->last_tick, limit, error) &&
        (start == 0 || compare_ticks(&c, 0, start - 1, limit, error))) {
        clip->suspect = error->bone != TRILO_NONE ? error->tick : clip->suspect;
    } else if (ok) {
        clip->suspect = c.ended;
        clip->failing_bone = c.failing_bone;
    }
    error->distance = sqrt(error->distance);
    error->rotation = sqrt(error->rotation);
    error->position = sqrt(error->position);
    tl_arena_free(&scratch);
    return ok;
}
