/* The error of a clip: how far the pose that Tiny3D makes of the keys is from the pose of the source, at every tick.
 *
 * A clip is measured many times while its keys are chosen, so little is computed twice: poses of the source are kept,
 * a key is unpacked when it is reached, and a bone that nothing moved since the tick before stays where it was. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/vec.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

/* Of a bone, relative to its parent. */
typedef struct local_pose {
    double translation[3], rotation[4], scale[3];
} local_pose;

/* A channel that is being played. */
typedef struct channel_cursor {
    uint32_t key;      /* the last one that has passed */
    bool started;      /* a, b and held are those of the key */
    bool held;         /* the value is the same up to the next key */
    double a[4], b[4]; /* values of the key and the next; of a scalar only the first */
} channel_cursor;

/* The pose of all bones at one tick after the other. */
typedef struct pose_track {
    local_pose *local;
    double (*matrices)[12]; /* of `local` */
    bool *changed;          /* `local` has */
    channel_cursor *cursors;
    bool overlaps; /* two channels have the same target: the later one counts, at every tick */
    t3dm_bone_pose *poses;
} pose_track;

typedef struct pose_comparison {
    const t3dm_encoder *e;
    const t3dm_clip_builder *clip;
    uint32_t bone_count;
    bool *needed; /* bones that are measured, and those above them */
    pose_track source, played;
} pose_comparison;

/* --- bones --- */

static void set_rest_pose(const pose_comparison *c, pose_track *track, const t3dm_bone *bones)
{
    for (uint32_t b = 0; b < c->bone_count; b++) {
        local_pose *to = &track->local[b];
        for (int i = 0; i < 4; i++)
            to->rotation[i] = bones[b].rotation[i];
        for (int i = 0; i < 3; i++) {
            to->translation[i] = bones[b].position[i];
            to->scale[i] = bones[b].scale[i];
        }
        track->changed[b] = true;
    }
}

/* Makes the rotation a unit quaternion; what has no length is the identity. Rows of a 3 x 4 matrix. */
static void make_local_matrix(local_pose *local, double m[12])
{
    double *q = local->rotation;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const bool valid = length > 0 && !isinf(length);
    for (int i = 0; i < 4; i++)
        q[i] = valid ? q[i] / length : i == 3;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double *t = local->translation, *s = local->scale;
    m[0] = (1 - 2 * (y * y + z * z)) * s[0], m[1] = 2 * (x * y - w * z) * s[1], m[2] = 2 * (x * z + w * y) * s[2];
    m[4] = 2 * (x * y + w * z) * s[0], m[5] = (1 - 2 * (x * x + z * z)) * s[1], m[6] = 2 * (y * z - w * x) * s[2];
    m[8] = 2 * (x * z - w * y) * s[0], m[9] = 2 * (y * z + w * x) * s[1], m[10] = (1 - 2 * (x * x + y * y)) * s[2];
    m[3] = t[0], m[7] = t[1], m[11] = t[2];
}

static void multiply_poses(const t3dm_bone_pose *parent, const double m[12], const double q[4], t3dm_bone_pose *out)
{
    const double *p = parent->world, *r = parent->rotation;
    for (int row = 0; row < 12; row += 4) {
        for (int k = 0; k < 4; k++)
            out->world[row + k] = p[row] * m[k] + p[row + 1] * m[4 + k] + p[row + 2] * m[8 + k];
        out->world[row + 3] += p[row + 3];
    }
    out->rotation[0] = r[3] * q[0] + r[0] * q[3] + r[1] * q[2] - r[2] * q[1];
    out->rotation[1] = r[3] * q[1] - r[0] * q[2] + r[1] * q[3] + r[2] * q[0];
    out->rotation[2] = r[3] * q[2] + r[0] * q[1] - r[1] * q[0] + r[2] * q[3];
    out->rotation[3] = r[3] * q[3] - r[0] * q[0] - r[1] * q[1] - r[2] * q[2];
}

/* `before` has the poses of the tick before, and may be `poses` itself. Parents come in front of their children. */
static void make_worlds(const pose_comparison *c, pose_track *track, const t3dm_bone_pose *before,
                        t3dm_bone_pose *poses)
{
    for (uint32_t b = 0; b < c->bone_count; b++) {
        const uint32_t parent = c->e->file->bones[b].parent;
        if (!c->needed[b])
            continue;
        const bool child = parent < b, moves = track->changed[b] || (child && poses[parent].moved);
        if (track->changed[b])
            make_local_matrix(&track->local[b], track->matrices[b]);
        if (!moves && before != poses)
            poses[b] = before[b];
        if (moves && child) {
            multiply_poses(&poses[parent], track->matrices[b], track->local[b].rotation, &poses[b]);
        } else if (moves) {
            memcpy(poses[b].world, track->matrices[b], sizeof poses[b].world);
            memcpy(poses[b].rotation, track->local[b].rotation, sizeof poses[b].rotation);
        }
        poses[b].moved = moves;
        track->changed[b] = false;
    }
}

/* --- the source --- */

static bool channel_is_constant(const trilo_channel *channel)
{
    const size_t width = trilo_target_width(channel->target) * sizeof *channel->values;
    for (uint32_t k = 1; k < channel->key_count; k++)
        if (memcmp(channel->values, (const char *)channel->values + k * width, width) != 0)
            return false;
    return true;
}

/* Ticks rise from call to call. */
static void pose_source(pose_comparison *c, uint32_t tick, const t3dm_bone_pose *before, t3dm_bone_pose *poses)
{
    pose_track *track = &c->source;
    for (uint32_t i = 0; i < c->clip->channel_count; i++) {
        const trilo_channel *channel = &c->clip->channels[i];
        const uint32_t bone = c->e->bone_of_node[channel->node], width = trilo_target_width(channel->target);
        const bool translation = tl_target_whole(channel->target) == TRILO_TARGET_TRANSLATION;
        channel_cursor *cursor = &track->cursors[i];
        double value[4];
        if (channel->key_count == 0 || bone == TRILO_NONE || (cursor->held && !track->overlaps))
            continue;
        if (!cursor->started)
            cursor->held = channel_is_constant(channel);
        cursor->started = true;
        double *to = channel->target == TRILO_TARGET_ROTATION ? track->local[bone].rotation
                     : translation                            ? track->local[bone].translation
                                                              : track->local[bone].scale;
        tl_t3dm_source_value(c->e, channel, tick / (double)TL_SDATA_RATE, value);
        for (uint32_t k = 0; k < width; k++)
            to[tl_target_axis(channel->target) + k] = (float)(translation ? value[k] * c->e->policy.scale : value[k]);
        track->changed[bone] = true;
    }
    make_worlds(c, track, before, poses);
}

/* --- what is played --- */

/* The values of a channel's key and of the next, the second in the hemisphere of the first. */
static void enter_key(const tl_sdata_channel *channel, const t3dm_mapping *m, channel_cursor *cursor)
{
    const uint32_t next = cursor->key + 1 < channel->key_count ? cursor->key + 1 : cursor->key;
    const uint32_t code = channel->values[cursor->key], next_code = channel->values[next];
    cursor->started = true;
    cursor->held = code == next_code;
    if (m->type == T3DM_ROTATION) {
        const trilo_quat a = tl_sdata_unpack_quat(code), b = tl_sdata_unpack_quat(next_code);
        const double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
        const double sign = dot < 0 ? -1 : 1;
        cursor->a[0] = a.x, cursor->a[1] = a.y, cursor->a[2] = a.z, cursor->a[3] = a.w;
        cursor->b[0] = sign * b.x, cursor->b[1] = sign * b.y, cursor->b[2] = sign * b.z, cursor->b[3] = sign * b.w;
    } else {
        cursor->a[0] = tl_sdata_unpack_scalar((uint16_t)code, m->scale, m->offset);
        cursor->b[0] = tl_sdata_unpack_scalar((uint16_t)next_code, m->scale, m->offset);
    }
}

/* Rotations by nlerp along the shorter arc, scalars by lerp. Ticks rise from call to call. */
static void pose_played(pose_comparison *c, uint32_t tick)
{
    pose_track *track = &c->played;
    for (uint32_t i = 0; i < c->clip->sdata.channel_count; i++) {
        const tl_sdata_channel *channel = &c->clip->sdata.channels[i];
        const t3dm_mapping *m = &c->clip->curves[i].mapping;
        channel_cursor *cursor = &track->cursors[i];
        if (m->bone >= c->bone_count || !c->needed[m->bone] || channel->key_count == 0)
            continue;
        const uint32_t key = cursor->key;
        while (cursor->key + 2 < channel->key_count && channel->ticks[cursor->key + 1] <= tick)
            cursor->key++;
        if (!cursor->started || cursor->key != key)
            enter_key(channel, m, cursor);
        else if (cursor->held && !track->overlaps)
            continue;
        const uint32_t next = cursor->key + 1 < channel->key_count ? cursor->key + 1 : cursor->key;
        const uint32_t start = channel->ticks[cursor->key], end = channel->ticks[next];
        /* Of a held value it is not a fraction, so that its last bits do not depend on the tick it was entered at. */
        const double amount = tick >= end                     ? 1
                              : tick <= start || cursor->held ? 0
                                                              : (double)(tick - start) / (end - start);
        const double *a = cursor->a, *b = cursor->b;
        local_pose *to = &track->local[m->bone];
        if (m->type == T3DM_ROTATION)
            for (int k = 0; k < 4; k++)
                to->rotation[k] = a[k] * (1 - amount) + b[k] * amount;
        else
            (m->type == T3DM_TRANSLATION ? to->translation : to->scale)[m->axis] =
                (float)(a[0] + (b[0] - a[0]) * amount);
        track->changed[m->bone] = true;
    }
    make_worlds(c, track, track->poses, track->poses);
}

/* --- the difference --- */

static double squared_distance(const double d[12], const double p[3])
{
    const double x = d[0] * p[0] + d[1] * p[1] + d[2] * p[2] + d[3];
    const double y = d[4] * p[0] + d[5] * p[1] + d[6] * p[2] + d[7];
    const double z = d[8] * p[0] + d[9] * p[1] + d[10] * p[2] + d[11];
    return x * x + y * y + z * z;
}

/* No point of the sphere around a bone's points moves further than its centre and the radius times the norm of the
 * difference: most bones need no look at their points. All in `worst` are squares. */
static void add_vertex_error(const double d[12], const t3dm_skin_samples *samples, uint32_t bone, uint32_t tick,
                             t3dm_clip_error *worst)
{
    const t3dm_bone_points *points = tl_t3dm_skin_sample_points(samples, bone);
    double norm = 0;
    for (int i = 0; i < 12; i++)
        norm += i % 4 < 3 ? d[i] * d[i] : 0;
    const double most = points->count ? sqrt(squared_distance(d, points->center)) + points->radius * sqrt(norm) : 0;
    if (most * most <= worst->distance)
        return;
    for (uint32_t i = 0; i < points->count; i++) {
        const double distance = squared_distance(d, points->points[i]);
        if (distance > worst->distance) {
            worst->distance = distance;
            worst->tick = tick;
            worst->bone = bone;
        }
    }
}

/* The square of the sine of half the angle. Near 1 the square of a dot product has no digits left for the sine, so it
 * is from the length of a difference. */
static double squared_rotation_error(const double a[4], const double b[4])
{
    const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    double chord = 0;
    for (int i = 0; i < 4; i++)
        chord += (a[i] - sign * b[i]) * (a[i] - sign * b[i]);
    return chord * fmax(0, 1 - chord / 4);
}

/* The difference of the two poses is an affine map, too. A bone that moved in neither has the error of before. */
static void compare_poses(const pose_comparison *c, const t3dm_bone_pose *source, const t3dm_skin_samples *samples,
                          uint32_t tick, bool all, t3dm_clip_error *worst)
{
    for (uint32_t b = 0; b < c->bone_count; b++) {
        const t3dm_bone_pose *played = &c->played.poses[b];
        double d[12];
        if ((!all && !source[b].moved && !played->moved) || (c->clip->measured && !c->clip->measured[b]))
            continue;
        for (int i = 0; i < 12; i++)
            d[i] = source[b].world[i] - played->world[i];
        const double rotation = squared_rotation_error(source[b].rotation, played->rotation);
        const double position = d[3] * d[3] + d[7] * d[7] + d[11] * d[11];
        worst->rotation = rotation > worst->rotation ? rotation : worst->rotation;
        worst->position = position > worst->position ? position : worst->position;
        add_vertex_error(d, samples, b, tick, worst);
    }
}

bool tl_t3dm_error_within(const t3dm_clip_error *error, const t3dm_clip_error *limit)
{
    return error->distance <= limit->distance && error->rotation <= limit->rotation &&
           error->position <= limit->position;
}

/* --- all ticks --- */

static bool track_init(const pose_comparison *c, pose_track *track, uint32_t channel_count, tl_arena *scratch)
{
    track->local = tl_array_raw(scratch, c->bone_count, sizeof *track->local);
    track->matrices = tl_array_raw(scratch, c->bone_count, sizeof *track->matrices);
    track->changed = tl_array_raw(scratch, c->bone_count, sizeof *track->changed);
    track->cursors = TL_ARRAY(scratch, channel_count, channel_cursor);
    track->poses = TL_ARRAY(scratch, c->bone_count, t3dm_bone_pose);
    return track->local && track->matrices && track->changed && track->cursors && track->poses;
}

/* Does another channel set the same component of its bone? A bit each: the rotation, three axes of the translation,
 * three of the scale. */
static bool is_set_twice(uint8_t *set, bool rotation, bool translation, uint32_t axis, uint32_t width)
{
    const unsigned axes = (1u << width) - 1;
    const unsigned bits = rotation ? 1 : translation ? axes << (1 + axis) : axes << (4 + axis);
    const bool twice = *set & bits;
    *set = (uint8_t)(*set | bits);
    return twice;
}

static bool comparison_init(pose_comparison *c, t3dm_encoder *e, const t3dm_clip_builder *clip, tl_arena *scratch)
{
    *c = (pose_comparison){.e = e, .clip = clip, .bone_count = e->file->skeleton.bone_count};
    tl_arena_init(scratch, &(trilo_memory){e->arena->fn, e->arena->user, e->arena->left ? e->arena->left : 1});
    uint8_t *in_source = TL_ARRAY(scratch, c->bone_count, uint8_t);
    uint8_t *in_played = TL_ARRAY(scratch, c->bone_count, uint8_t);
    c->needed = TL_ARRAY(scratch, c->bone_count, bool);
    if (!in_source || !in_played || !c->needed || !track_init(c, &c->source, clip->channel_count, scratch) ||
        !track_init(c, &c->played, clip->sdata.channel_count, scratch))
        return false;
    for (uint32_t b = c->bone_count; b-- > 0;) { /* children come behind their parents */
        const uint32_t parent = e->file->bones[b].parent;
        c->needed[b] = c->needed[b] || !clip->measured || clip->measured[b];
        if (parent < b && c->needed[b])
            c->needed[parent] = true;
    }
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_target target = clip->channels[i].target, whole = tl_target_whole(target);
        const uint32_t bone = e->bone_of_node[clip->channels[i].node];
        if (bone != TRILO_NONE && clip->channels[i].key_count > 0 &&
            is_set_twice(&in_source[bone], whole == TRILO_TARGET_ROTATION, whole == TRILO_TARGET_TRANSLATION,
                         tl_target_axis(target), trilo_target_width(target)))
            c->source.overlaps = true;
    }
    for (uint32_t i = 0; i < clip->sdata.channel_count; i++) {
        const t3dm_mapping *m = &clip->curves[i].mapping;
        if (m->bone < c->bone_count &&
            is_set_twice(&in_played[m->bone], m->type == T3DM_ROTATION, m->type == T3DM_TRANSLATION, m->axis, 1))
            c->played.overlaps = true;
    }
    return true;
}

bool tl_t3dm_keep_source_poses(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    enum { KEPT_POSES_MOST = 1 << 17 };
    const uint64_t count = ((uint64_t)clip->last_tick + 1) * e->file->skeleton.bone_count;
    pose_comparison c;
    tl_arena scratch;
    if (count > KEPT_POSES_MOST)
        return true;
    t3dm_bone_pose *poses = tl_array_raw(e->arena, (size_t)count, sizeof *poses), *before = poses;
    const bool ok = comparison_init(&c, e, clip, &scratch) && poses;
    if (ok)
        set_rest_pose(&c, &c.source, e->file->bones);
    for (uint32_t tick = 0; ok && tick <= clip->last_tick; tick++) {
        t3dm_bone_pose *at = poses + (size_t)tick * c.bone_count;
        pose_source(&c, tick, before, at);
        before = at;
    }
    clip->source = poses;
    tl_arena_free(&scratch);
    return ok;
}

/* Ticks from `first` to `last`. Ends early with false where the limit (may be NULL) is exceeded; `worst` has squares.
 */
static bool compare_ticks(pose_comparison *c, const t3dm_skin_samples *samples, uint32_t first, uint32_t last,
                          const t3dm_clip_error *limit, t3dm_clip_error *worst, uint32_t *ended)
{
    const t3dm_clip_builder *clip = c->clip;
    memset(c->source.cursors, 0, clip->channel_count * sizeof *c->source.cursors);
    memset(c->played.cursors, 0, clip->sdata.channel_count * sizeof *c->played.cursors);
    set_rest_pose(c, &c->source, c->e->file->bones);
    set_rest_pose(c, &c->played, clip->rest ? clip->rest : c->e->file->bones);
    for (uint32_t tick = first; tick <= last; tick++) {
        const t3dm_bone_pose *source = clip->source ? clip->source + (size_t)tick * c->bone_count : c->source.poses;
        if (!clip->source)
            pose_source(c, tick, c->source.poses, c->source.poses);
        pose_played(c, tick);
        compare_poses(c, source, samples, tick, tick == first, worst);
        *ended = tick;
        if (limit && (sqrt(worst->distance) > limit->distance || sqrt(worst->rotation) > limit->rotation ||
                      sqrt(worst->position) > limit->position))
            return false;
    }
    return true;
}

bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_skin_samples *samples, t3dm_clip_builder *clip,
                        const t3dm_clip_error *limit, t3dm_clip_error *error)
{
    pose_comparison c;
    tl_arena scratch;
    const bool ok = comparison_init(&c, e, clip, &scratch);
    const uint32_t start = limit && clip->suspect <= clip->last_tick ? clip->suspect : 0;
    *error = (t3dm_clip_error){.bone = TRILO_NONE};
    if (ok && compare_ticks(&c, samples, start, clip->last_tick, limit, error, &clip->suspect) && start > 0)
        compare_ticks(&c, samples, 0, start - 1, limit, error, &clip->suspect);
    error->distance = sqrt(error->distance);
    error->rotation = sqrt(error->rotation);
    error->position = sqrt(error->position);
    tl_arena_free(&scratch);
    return ok;
}
