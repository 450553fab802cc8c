/* The error of a clip: how far the pose that Tiny3D makes of the keys is from the pose of the source, at every tick.
 *
 * A clip is measured many times while its keys are chosen, so little is computed twice: poses of the source are kept,
 * a key is unpacked when it is reached, and a bone that nothing moved since the ticks before stays where it was. Two
 * ticks are computed at once, each in its lane. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/lanes.h"
#include "base/vec.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

enum { TICKS = 2 }; /* at once */

struct t3dm_bone_pose {
    tl_double2 world[12];   /* rows of a 3 x 4 matrix */
    tl_double2 rotation[4]; /* the same without translation and scale */
    bool moved;             /* since the ticks before, or between these two */
};

/* Of a bone, relative to its parent. */
typedef struct local_pose {
    tl_double2 translation[3], rotation[4], scale[3]; /* as the channels have them */
    tl_double2 unit[4], matrix[12];                   /* the rotation made a unit quaternion, and the whole */
    bool scaled;                                      /* by other factors than 1 */
} local_pose;

/* A channel that is being played. */
typedef struct key_cursor {
    uint32_t key;        /* the last one that has passed */
    uint32_t start, end; /* ticks of it and of the next */
    bool started;        /* the others are those of the key */
    bool held;           /* the value is the same up to the next key */
    bool settled;        /* and both lanes have it */
    double a[4], b[4];   /* values of the key and the next; of a scalar only the first */
    uint32_t next;       /* the key that `unpacked` is the rotation of */
    trilo_quat unpacked;
} key_cursor;

/* A channel of the source. */
typedef struct source_cursor {
    tl_channel_cursor at;
    bool started, held; /* held: it is constant */
} source_cursor;

/* The poses of a clip's bones at two ticks after the other. */
typedef struct pose_track {
    local_pose *local;
    bool *changed; /* `local` has */
    bool overlaps; /* two channels have the same target: the later one counts, at every tick */
    t3dm_bone_pose *poses;
} pose_track;

typedef struct pose_comparison {
    const t3dm_encoder *e;
    const t3dm_clip_builder *clip;
    bool *needed;                /* bones that are measured, and those above them */
    uint32_t *moved_by_source;   /* the bone of each channel of the source; TRILO_NONE: it moves none */
    uint32_t *moved_by_playback; /* the same of what is played */
    pose_track source, played;
    source_cursor *source_cursors;
    key_cursor *key_cursors;
    uint32_t ended;        /* the last tick that was measured */
    uint32_t failing_bone; /* the bone that is beyond the limit there */
} pose_comparison;

/* --- bones --- */

static tl_double2 both(double value)
{
    return (tl_double2){value, value};
}

static void set_rest_pose(const pose_comparison *c, pose_track *track, const t3dm_bone *bones)
{
    for (uint32_t b = 0; b < c->clip->bone_count; b++) {
        const t3dm_bone *from = &bones[c->clip->bones[b]];
        local_pose *to = &track->local[b];
        to->scaled = false;
        for (int i = 0; i < 4; i++)
            to->rotation[i] = both(from->rotation[i]);
        for (int i = 0; i < 3; i++) {
            to->translation[i] = both(from->position[i]);
            to->scale[i] = both(from->scale[i]);
            to->scaled = to->scaled || from->scale[i] != 1;
        }
        track->changed[b] = true;
    }
}

/* A rotation without length is the identity. */
static void make_local_matrix(local_pose *local)
{
    const tl_double2 *q = local->rotation, *t = local->translation, *s = local->scale;
    const tl_double2 square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const tl_double2 length = {sqrt(square[0]), sqrt(square[1])};
    tl_double2 *unit = local->unit, *m = local->matrix;
    for (int i = 0; i < 4; i++)
        unit[i] = q[i] / length;
    for (int lane = 0; lane < TICKS; lane++)
        if (!(length[lane] > 0) || isinf(length[lane]))
            for (int i = 0; i < 4; i++)
                unit[i][lane] = i == 3;
    const tl_double2 x = unit[0], y = unit[1], z = unit[2], w = unit[3];
    const tl_double2 xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    const tl_double2 wx = w * x, wy = w * y, wz = w * z;
    m[0] = 1 - 2 * (yy + zz), m[1] = 2 * (xy - wz), m[2] = 2 * (xz + wy), m[3] = t[0];
    m[4] = 2 * (xy + wz), m[5] = 1 - 2 * (xx + zz), m[6] = 2 * (yz - wx), m[7] = t[1];
    m[8] = 2 * (xz - wy), m[9] = 2 * (yz + wx), m[10] = 1 - 2 * (xx + yy), m[11] = t[2];
    for (int i = 0; local->scaled && i < 12; i++)
        m[i] = i % 4 < 3 ? m[i] * s[i % 4] : m[i];
}

static void multiply_poses(const t3dm_bone_pose *parent, const local_pose *local, t3dm_bone_pose *out)
{
    const tl_double2 *p = parent->world, *r = parent->rotation, *m = local->matrix, *q = local->unit;
    for (int row = 0; row < 12; row += 4) {
        const tl_double2 x = p[row], y = p[row + 1], z = p[row + 2];
        for (int k = 0; k < 3; k++)
            out->world[row + k] = x * m[k] + y * m[4 + k] + z * m[8 + k];
        out->world[row + 3] = x * m[3] + y * m[7] + z * m[11] + p[row + 3];
    }
    out->rotation[0] = r[3] * q[0] + r[0] * q[3] + r[1] * q[2] - r[2] * q[1];
    out->rotation[1] = r[3] * q[1] - r[0] * q[2] + r[1] * q[3] + r[2] * q[0];
    out->rotation[2] = r[3] * q[2] + r[0] * q[1] - r[1] * q[0] + r[2] * q[3];
    out->rotation[3] = r[3] * q[3] - r[0] * q[0] - r[1] * q[1] - r[2] * q[2];
}

/* `before` has the poses of the ticks before, and may be `poses` itself. Parents come in front of their children. */
static void make_worlds(const pose_comparison *c, pose_track *track, const t3dm_bone_pose *before,
                        t3dm_bone_pose *poses)
{
    for (uint32_t b = 0; b < c->clip->bone_count; b++) {
        const uint32_t parent = c->clip->parents[b];
        if (!c->needed[b])
            continue;
        const bool child = parent != TRILO_NONE, moves = track->changed[b] || (child && poses[parent].moved);
        if (track->changed[b])
            make_local_matrix(&track->local[b]);
        if (!moves && before != poses)
            poses[b] = before[b];
        if (moves && child) {
            multiply_poses(&poses[parent], &track->local[b], &poses[b]);
        } else if (moves) {
            memcpy(poses[b].world, track->local[b].matrix, sizeof poses[b].world);
            memcpy(poses[b].rotation, track->local[b].unit, sizeof poses[b].rotation);
        }
        poses[b].moved = moves;
        track->changed[b] = false;
    }
}

/* Of a lane: the last tick again when their number is odd. */
static uint32_t tick_of_lane(const pose_comparison *c, uint32_t tick, uint32_t lane)
{
    return tick + lane <= c->clip->last_tick ? tick + lane : tick;
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

static void begin_source(pose_comparison *c)
{
    memset(c->source_cursors, 0, c->clip->channel_count * sizeof *c->source_cursors);
    set_rest_pose(c, &c->source, c->e->file->bones);
}

/* Ticks rise from call to call. */
static void pose_source(pose_comparison *c, uint32_t tick, const t3dm_bone_pose *before, t3dm_bone_pose *poses)
{
    pose_track *track = &c->source;
    const double seconds[TICKS] = {tick / (double)TL_SDATA_RATE, tick_of_lane(c, tick, 1) / (double)TL_SDATA_RATE};
    for (uint32_t i = 0; i < c->clip->channel_count; i++) {
        const trilo_channel *channel = &c->clip->channels[i];
        const uint32_t bone = c->moved_by_source[i];
        source_cursor *cursor = &c->source_cursors[i];
        if (channel->key_count == 0 || bone == TRILO_NONE || (cursor->held && !track->overlaps))
            continue;
        const uint32_t width = trilo_target_width(channel->target);
        const bool translation = tl_target_whole(channel->target) == TRILO_TARGET_TRANSLATION;
        if (!cursor->started)
            cursor->held = channel_is_constant(channel);
        cursor->started = true;
        local_pose *local = &track->local[bone];
        tl_double2 *to = channel->target == TRILO_TARGET_ROTATION ? local->rotation
                         : translation                            ? local->translation
                                                                  : local->scale;
        local->scaled = local->scaled || to == local->scale;
        to += tl_target_axis(channel->target);
        for (uint32_t lane = 0; lane < TICKS; lane++) {
            double value[4];
            tl_t3dm_source_value(c->e, channel, &cursor->at, seconds[lane], value);
            for (uint32_t k = 0; k < width; k++)
                to[k][lane] = (float)(translation ? value[k] * c->e->policy.scale : value[k]);
        }
        track->changed[bone] = true;
    }
    make_worlds(c, track, before, poses);
}

/* --- what is played --- */

/* To the first key, whose values are not known. */
static void rewind_keys(key_cursor *cursor)
{
    cursor->key = cursor->next = 0;
    cursor->started = cursor->settled = false;
}

/* The values of a channel's key and of the next, the second in the hemisphere of the first. */
static void enter_key(const tl_sdata_channel *channel, const t3dm_mapping *m, key_cursor *cursor)
{
    const uint32_t next = cursor->key + 1 < channel->key_count ? cursor->key + 1 : cursor->key;
    const uint32_t code = channel->values[cursor->key], next_code = channel->values[next];
    cursor->start = channel->ticks[cursor->key];
    cursor->end = channel->ticks[next];
    cursor->started = true;
    cursor->held = code == next_code;
    if (m->type == T3DM_ROTATION) {
        const trilo_quat a =
            cursor->key > 0 && cursor->next == cursor->key ? cursor->unpacked : tl_sdata_unpack_quat(code);
        const trilo_quat b = tl_sdata_unpack_quat(next_code);
        const double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
        const double sign = dot < 0 ? -1 : 1;
        cursor->next = next;
        cursor->unpacked = b;
        cursor->a[0] = a.x, cursor->a[1] = a.y, cursor->a[2] = a.z, cursor->a[3] = a.w;
        cursor->b[0] = sign * b.x, cursor->b[1] = sign * b.y, cursor->b[2] = sign * b.z, cursor->b[3] = sign * b.w;
    } else {
        cursor->a[0] = tl_sdata_unpack_scalar((uint16_t)code, m->scale, m->offset);
        cursor->b[0] = tl_sdata_unpack_scalar((uint16_t)next_code, m->scale, m->offset);
    }
}

/* Is a key reached by the tick? The last one is no start of anything. */
static bool key_is_due(const tl_sdata_channel *channel, const key_cursor *cursor, uint32_t tick)
{
    return cursor->key + 2 < channel->key_count && channel->ticks[cursor->key + 1] <= tick;
}

static void reach_tick(const tl_sdata_channel *channel, const t3dm_mapping *m, key_cursor *cursor, uint32_t tick)
{
    if (cursor->started && !key_is_due(channel, cursor, tick))
        return;
    while (key_is_due(channel, cursor, tick))
        cursor->key++;
    enter_key(channel, m, cursor);
}

/* Of the way to the next key. Of a held value it is not a fraction, so that its last bits do not depend on the tick it
 * was entered at. */
static double amount_at(const key_cursor *cursor, uint32_t tick)
{
    return tick >= cursor->end                     ? 1
           : tick <= cursor->start || cursor->held ? 0
                                                   : (double)(tick - cursor->start) / (cursor->end - cursor->start);
}

/* Rotations by nlerp along the shorter arc, scalars by lerp. Ticks rise from call to call. */
static void pose_played(pose_comparison *c, uint32_t tick)
{
    pose_track *track = &c->played;
    const uint32_t last = tick_of_lane(c, tick, TICKS - 1);
    key_cursor before;
    for (uint32_t i = 0; i < c->clip->sdata.channel_count; i++) {
        const tl_sdata_channel *channel = &c->clip->sdata.channels[i];
        const t3dm_mapping *m = &c->clip->curves[i].mapping;
        key_cursor *cursor = &c->key_cursors[i];
        const uint32_t bone = c->moved_by_playback[i];
        if (bone == TRILO_NONE || !c->needed[bone] || channel->key_count == 0)
            continue;
        if (cursor->settled && !track->overlaps && !key_is_due(channel, cursor, last))
            continue;
        reach_tick(channel, m, cursor, tick);
        local_pose *local = &track->local[bone];
        tl_double2 *to = m->type == T3DM_ROTATION      ? local->rotation
                         : m->type == T3DM_TRANSLATION ? &local->translation[m->axis]
                                                       : &local->scale[m->axis];
        local->scaled = local->scaled || m->type == T3DM_SCALE;
        track->changed[bone] = true;
        const bool passes_key = key_is_due(channel, cursor, last);
        const key_cursor *first = cursor;
        if (passes_key) {
            before = *cursor;
            first = &before;
            reach_tick(channel, m, cursor, last);
        }
        cursor->settled = cursor->held && !passes_key;
        const tl_double2 amount = {amount_at(first, tick), amount_at(cursor, last)};
        if (m->type != T3DM_ROTATION) {
            to[0][0] = (float)(first->a[0] + (first->b[0] - first->a[0]) * amount[0]);
            to[0][1] = (float)(cursor->a[0] + (cursor->b[0] - cursor->a[0]) * amount[1]);
            continue;
        }
        for (int k = 0; k < 4; k++)
            to[k] = (tl_double2){first->a[k], cursor->a[k]} * (1 - amount) +
                    (tl_double2){first->b[k], cursor->b[k]} * amount;
    }
    make_worlds(c, track, track->poses, track->poses);
}

/* --- the difference --- */

static tl_double2 squared_distance(const tl_double2 d[12], const double p[3])
{
    const tl_double2 x = d[0] * p[0] + d[1] * p[1] + d[2] * p[2] + d[3];
    const tl_double2 y = d[4] * p[0] + d[5] * p[1] + d[6] * p[2] + d[7];
    const tl_double2 z = d[8] * p[0] + d[9] * p[1] + d[10] * p[2] + d[11];
    return x * x + y * y + z * z;
}

static const double ROUNDING = 1 + 1e-12; /* of squares */

/* May a point of a sphere be further off than the root of `least`? None moves further than its centre and the radius
 * times the norm of the difference, whose square is given. */
static bool sphere_counts(const tl_double2 d[12], tl_double2 norm, const t3dm_point_sphere *sphere, double least)
{
    const tl_double2 center = squared_distance(d, sphere->center), radius = sphere->radius * sphere->radius * norm;
    const tl_double2 most = 2 * ROUNDING * (center + radius); /* (a + b)^2 <= 2 * (a^2 + b^2) */
    if (most[0] <= least && most[1] <= least)
        return false;
    const double exact[TICKS] = {sqrt(center[0]) + sqrt(radius[0]), sqrt(center[1]) + sqrt(radius[1])};
    return ROUNDING * exact[0] * exact[0] > least || ROUNDING * exact[1] * exact[1] > least;
}

/* Most bones need no look at their points. All in `worst` are squares, and `position` is that of the origin; of equal
 * ones the first tick counts. Distances up to the root of `least` do not count. */
static void add_vertex_error(const tl_double2 d[12], tl_double2 position, const t3dm_bone_points *points, uint32_t bone,
                             const uint32_t ticks[TICKS], double least, t3dm_clip_error *worst)
{
    tl_double2 norm = {0, 0}, farthest = {0, 0};
    least = worst->distance > least ? worst->distance : least;
    for (int i = 0; i < 12; i++)
        norm += i % 4 < 3 ? d[i] * d[i] : both(0);
    const tl_double2 most = 2 * ROUNDING * (position + points->reach_squared * norm); /* as in sphere_counts */
    if (most[0] <= least && most[1] <= least)
        return;
    if (!sphere_counts(d, norm, &points->sphere, least))
        return;
    for (uint32_t i = 0; i < points->count; i++) {
        if (i % T3DM_POINT_GROUP == 0 && !sphere_counts(d, norm, &points->groups[i / T3DM_POINT_GROUP], least)) {
            i += T3DM_POINT_GROUP - 1;
            continue;
        }
        const tl_double2 distance = squared_distance(d, points->points[i]);
        const tl_mask2 farther = distance > farthest;
        farthest = (tl_double2)(((tl_mask2)distance & farther) | ((tl_mask2)farthest & ~farther));
    }
    for (int lane = 0; lane < TICKS; lane++)
        if (farthest[lane] > worst->distance ||
            (farthest[lane] == worst->distance && worst->bone != TRILO_NONE && ticks[lane] < worst->tick)) {
            worst->distance = farthest[lane];
            worst->tick = ticks[lane];
            worst->bone = bone;
        }
}

/* The square of the sine of half the angle between unit quaternions is c * (1 - c / 4), where c is the square of their
 * chord. From a dot product near 1 no digits would be left for the sine. */
static void add_rotation_error(const tl_double2 a[4], const tl_double2 b[4], t3dm_clip_error *worst)
{
    static const double LENGTH_ERROR = 1e-10; /* of squares, with as many bones in a row as there may be */
    const tl_double2 dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double least = fabs(dot[0]) < fabs(dot[1]) ? fabs(dot[0]) : fabs(dot[1]);
    if (2 - 2 * least + LENGTH_ERROR < worst->rotation)
        return;
    const tl_double2 sign = {dot[0] < 0 ? -1 : 1, dot[1] < 0 ? -1 : 1};
    tl_double2 chord = {0, 0};
    for (int i = 0; i < 4; i++) {
        const tl_double2 gap = a[i] - sign * b[i];
        chord += gap * gap;
    }
    for (int lane = 0; lane < TICKS; lane++)
        if (chord[lane] > worst->rotation)
            worst->rotation = fmax(worst->rotation, chord[lane] * fmax(0, 1 - chord[lane] / 4));
}

/* Adds the error of a bone. The difference of the two poses is an affine map, too. */
static void measure_bone(const pose_comparison *c, const t3dm_bone_pose *source, uint32_t b,
                         const t3dm_skin_samples *samples, uint32_t tick, double least, t3dm_clip_error *worst)
{
    const t3dm_bone_pose *played = &c->played.poses[b];
    tl_double2 d[12];
    for (int i = 3; i < 12; i += 4)
        d[i] = source[b].world[i] - played->world[i];
    const tl_double2 position = d[3] * d[3] + d[7] * d[7] + d[11] * d[11];
    worst->position = position[0] > worst->position ? position[0] : worst->position;
    worst->position = position[1] > worst->position ? position[1] : worst->position;
    add_rotation_error(source[b].rotation, played->rotation, worst);
    const uint32_t bone = c->clip->bones[b], ticks[TICKS] = {tick, tick_of_lane(c, tick, 1)};
    const t3dm_bone_points *points = tl_t3dm_skin_sample_points(samples, bone);
    if (points->count == 0)
        return;
    for (int i = 0; i < 12; i++)
        d[i] = i % 4 < 3 ? source[b].world[i] - played->world[i] : d[i];
    add_vertex_error(d, position, points, bone, ticks, least, worst);
}

/* A bone that moved in neither has the error of before. */
static void compare_poses(const pose_comparison *c, const t3dm_bone_pose *source, const t3dm_skin_samples *samples,
                          uint32_t tick, bool all, const t3dm_clip_error *limit, t3dm_clip_error *worst)
{
    const double least = limit && c->clip->measured ? (1 - 1e-12) * limit->distance * limit->distance : 0;
    for (uint32_t b = 0; b < c->clip->bone_count; b++)
        if ((!c->clip->measured || c->clip->measured[b]) && (all || source[b].moved || c->played.poses[b].moved))
            measure_bone(c, source, b, samples, tick, least, worst);
}

bool tl_t3dm_error_within(const t3dm_clip_error *error, const t3dm_clip_error *limit)
{
    return error->distance <= limit->distance && error->rotation <= limit->rotation &&
           error->position <= limit->position;
}

/* --- all ticks --- */

static bool track_init(const pose_comparison *c, pose_track *track, tl_arena *scratch)
{
    track->local = tl_array_raw(scratch, c->clip->bone_count, sizeof *track->local);
    track->changed = tl_array_raw(scratch, c->clip->bone_count, sizeof *track->changed);
    track->poses = tl_array_raw(scratch, c->clip->bone_count, sizeof *track->poses);
    return track->local && track->changed && track->poses;
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

/* The bones that channels move, and whether two of them set the same. */
static void find_moved_bones(pose_comparison *c, uint8_t *in_source, uint8_t *in_played)
{
    const t3dm_clip_builder *clip = c->clip;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_target target = clip->channels[i].target, whole = tl_target_whole(target);
        const uint32_t bone = tl_t3dm_find_clip_bone(clip, c->e->bone_of_node[clip->channels[i].node]);
        c->moved_by_source[i] = bone;
        if (bone != TRILO_NONE && clip->channels[i].key_count > 0 &&
            is_set_twice(&in_source[bone], whole == TRILO_TARGET_ROTATION, whole == TRILO_TARGET_TRANSLATION,
                         tl_target_axis(target), trilo_target_width(target)))
            c->source.overlaps = true;
    }
    for (uint32_t i = 0; i < clip->sdata.channel_count; i++) {
        const t3dm_mapping *m = &clip->curves[i].mapping;
        const uint32_t bone = tl_t3dm_find_clip_bone(clip, m->bone);
        c->moved_by_playback[i] = bone;
        if (bone != TRILO_NONE &&
            is_set_twice(&in_played[bone], m->type == T3DM_ROTATION, m->type == T3DM_TRANSLATION, m->axis, 1))
            c->played.overlaps = true;
    }
}

static bool comparison_init(pose_comparison *c, t3dm_encoder *e, const t3dm_clip_builder *clip, tl_arena *scratch)
{
    *c = (pose_comparison){.e = e, .clip = clip};
    tl_arena_init(scratch, &(trilo_memory){e->arena->fn, e->arena->user, e->arena->left ? e->arena->left : 1});
    uint8_t *in_source = TL_ARRAY(scratch, clip->bone_count, uint8_t);
    uint8_t *in_played = TL_ARRAY(scratch, clip->bone_count, uint8_t);
    c->needed = TL_ARRAY(scratch, clip->bone_count, bool);
    c->moved_by_source = tl_array_raw(scratch, clip->channel_count, sizeof *c->moved_by_source);
    c->moved_by_playback = tl_array_raw(scratch, clip->sdata.channel_count, sizeof *c->moved_by_playback);
    c->source_cursors = tl_array_raw(scratch, clip->channel_count, sizeof *c->source_cursors);
    c->key_cursors = tl_array_raw(scratch, clip->sdata.channel_count, sizeof *c->key_cursors);
    if (!in_source || !in_played || !c->needed || !c->moved_by_source || !c->moved_by_playback || !c->source_cursors ||
        !c->key_cursors || !track_init(c, &c->source, scratch) || !track_init(c, &c->played, scratch))
        return false;
    for (uint32_t b = clip->bone_count; b-- > 0;) { /* children come behind their parents */
        const uint32_t parent = clip->parents[b];
        c->needed[b] = c->needed[b] || !clip->measured || clip->measured[b];
        if (parent != TRILO_NONE && c->needed[b])
            c->needed[parent] = true;
    }
    find_moved_bones(c, in_source, in_played);
    return true;
}

bool tl_t3dm_keep_source_poses(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    enum { KEPT_POSES_MOST = 1 << 16 };
    const uint64_t count = ((uint64_t)clip->last_tick / TICKS + 1) * clip->bone_count;
    pose_comparison c;
    tl_arena scratch;
    if (count > KEPT_POSES_MOST)
        return true;
    t3dm_bone_pose *poses = tl_array_raw(e->arena, (size_t)count, sizeof *poses), *before = poses;
    const bool ok = comparison_init(&c, e, clip, &scratch) && poses;
    if (ok)
        begin_source(&c);
    for (uint32_t tick = 0; ok && tick <= clip->last_tick; tick += TICKS) {
        t3dm_bone_pose *at = poses + (size_t)(tick / TICKS) * clip->bone_count;
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
static uint32_t find_failing_bone(const pose_comparison *c, const t3dm_bone_pose *source,
                                  const t3dm_skin_samples *samples, uint32_t tick, const t3dm_clip_error *limit)
{
    for (uint32_t b = 0; b < c->clip->bone_count; b++) {
        t3dm_clip_error error = {.bone = TRILO_NONE};
        if (c->needed[b])
            measure_bone(c, source, b, samples, tick, 0, &error);
        if (is_beyond(&error, limit))
            return b;
    }
    return TRILO_NONE;
}

/* Ticks from `first` to `last`, where `first` is even. Ends early with false where the limit (may be NULL) is exceeded;
 * `worst` has squares. */
static bool compare_ticks(pose_comparison *c, const t3dm_skin_samples *samples, uint32_t first, uint32_t last,
                          const t3dm_clip_error *limit, t3dm_clip_error *worst)
{
    const t3dm_clip_builder *clip = c->clip;
    if (!clip->source)
        begin_source(c);
    for (uint32_t i = 0; i < clip->sdata.channel_count; i++)
        rewind_keys(&c->key_cursors[i]);
    set_rest_pose(c, &c->played, clip->rest ? clip->rest : c->e->file->bones);
    for (uint32_t tick = first; tick <= last; tick += TICKS) {
        const t3dm_bone_pose *source =
            clip->source ? clip->source + (size_t)(tick / TICKS) * clip->bone_count : c->source.poses;
        if (!clip->source)
            pose_source(c, tick, c->source.poses, c->source.poses);
        pose_played(c, tick);
        compare_poses(c, source, samples, tick, tick == first, limit, worst);
        c->ended = tick;
        if (limit && is_beyond(worst, limit)) {
            c->failing_bone = find_failing_bone(c, source, samples, tick, limit);
            return false;
        }
    }
    return true;
}

/* Begins where the last measurement found the most, or a limit exceeded: it may be there again, and then few of the
 * other ticks need a look at the vertices. */
bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_skin_samples *samples, t3dm_clip_builder *clip,
                        const t3dm_clip_error *limit, t3dm_clip_error *error)
{
    pose_comparison c;
    tl_arena scratch;
    const bool ok = comparison_init(&c, e, clip, &scratch);
    const uint32_t start = clip->suspect <= clip->last_tick ? clip->suspect - clip->suspect % TICKS : 0;
    *error = (t3dm_clip_error){.bone = TRILO_NONE};
    clip->failing_bone = TRILO_NONE;
    if (ok && compare_ticks(&c, samples, start, clip->last_tick, limit, error) &&
        (start == 0 || compare_ticks(&c, samples, 0, start - 1, limit, error))) {
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
