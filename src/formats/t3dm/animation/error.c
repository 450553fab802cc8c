/* The error of a clip: how far the pose that Tiny3D makes of the keys is from the pose of the source, at every tick. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/vec.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

typedef struct pose_comparison {
    const t3dm_encoder *e;
    const t3dm_clip_builder *clip;
    uint32_t bone_count;
    trilo_transform *local; /* of each bone */
    t3dm_bone_pose *source, *played;
    uint32_t *keys; /* of each channel: the last key that has passed */
} pose_comparison;

static void set_rest_pose(pose_comparison *c, const t3dm_bone *bones)
{
    for (uint32_t b = 0; b < c->bone_count; b++) {
        const t3dm_bone *bone = &bones[b];
        memcpy(c->local[b].translation, bone->position, sizeof bone->position);
        memcpy(c->local[b].rotation, bone->rotation, sizeof bone->rotation);
        memcpy(c->local[b].scale, bone->scale, sizeof bone->scale);
    }
}

static void make_worlds(const pose_comparison *c, t3dm_bone_pose *bones)
{
    for (uint32_t b = 0; b < c->bone_count; b++) {
        const float *t = c->local[b].translation, *r = c->local[b].rotation, *s = c->local[b].scale;
        const uint32_t parent = c->e->file->bones[b].parent;
        const trilo_quat rotation = tl_quat_normalize((trilo_quat){r[0], r[1], r[2], r[3]});
        const trilo_mat4 local =
            tl_mat4_from_trs((trilo_vec3){t[0], t[1], t[2]}, rotation, (trilo_vec3){s[0], s[1], s[2]});
        bones[b].world = parent < b ? tl_mat4_mul(&bones[parent].world, &local) : local;
        bones[b].rotation = parent < b ? tl_quat_mul(bones[parent].rotation, rotation) : rotation;
    }
}

static void pose_source(pose_comparison *c, uint32_t tick, t3dm_bone_pose *bones)
{
    set_rest_pose(c, c->e->file->bones);
    for (uint32_t i = 0; i < c->clip->channel_count; i++) {
        const trilo_channel *channel = &c->clip->channels[i];
        const uint32_t bone = c->e->bone_of_node[channel->node], width = trilo_target_width(channel->target);
        const bool translation = tl_target_whole(channel->target) == TRILO_TARGET_TRANSLATION;
        double value[4];
        if (channel->key_count == 0 || bone == TRILO_NONE)
            continue;
        float *to = channel->target == TRILO_TARGET_ROTATION ? c->local[bone].rotation
                    : translation                            ? c->local[bone].translation
                                                             : c->local[bone].scale;
        tl_t3dm_source_value(c->e, channel, tick / (double)TL_SDATA_RATE, value);
        for (uint32_t k = 0; k < width; k++)
            to[tl_target_axis(channel->target) + k] = (float)(translation ? value[k] * c->e->policy.scale : value[k]);
    }
    make_worlds(c, bones);
}

/* Rotations by nlerp along the shorter arc, scalars by lerp. Ticks rise from call to call. */
static void pose_played(pose_comparison *c, uint32_t tick)
{
    set_rest_pose(c, c->clip->rest ? c->clip->rest : c->e->file->bones);
    for (uint32_t i = 0; i < c->clip->sdata.channel_count; i++) {
        const tl_sdata_channel *channel = &c->clip->sdata.channels[i];
        const t3dm_mapping *m = &c->clip->curves[i].mapping;
        if (m->bone >= c->bone_count || channel->key_count == 0)
            continue;
        trilo_transform *to = &c->local[m->bone];
        while (c->keys[i] + 2 < channel->key_count && channel->ticks[c->keys[i] + 1] <= tick)
            c->keys[i]++;
        const uint32_t key = c->keys[i], next = key + 1 < channel->key_count ? key + 1 : key;
        const uint32_t start = channel->ticks[key], end = channel->ticks[next];
        const uint32_t code = channel->values[key], next_code = channel->values[next];
        const double amount = tick >= end ? 1 : tick <= start ? 0 : (double)(tick - start) / (end - start);
        if (m->type == T3DM_ROTATION) {
            const trilo_quat a = tl_sdata_unpack_quat(code), b = tl_sdata_unpack_quat(next_code);
            const double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
            const double of_a = dot < 0 ? amount - 1 : 1 - amount;
            const trilo_quat q =
                tl_quat_normalize((trilo_quat){(float)(a.x * of_a + b.x * amount), (float)(a.y * of_a + b.y * amount),
                                               (float)(a.z * of_a + b.z * amount), (float)(a.w * of_a + b.w * amount)});
            memcpy(to->rotation, (const float[4]){q.x, q.y, q.z, q.w}, sizeof to->rotation);
        } else {
            const double a = tl_sdata_unpack_scalar((uint16_t)code, m->scale, m->offset);
            const double b = tl_sdata_unpack_scalar((uint16_t)next_code, m->scale, m->offset);
            (m->type == T3DM_TRANSLATION ? to->translation : to->scale)[m->axis] = (float)(a + (b - a) * amount);
        }
    }
    make_worlds(c, c->played);
}

/* The difference of the two poses is an affine map, too. */
static void pose_difference(const t3dm_bone_pose *source, const t3dm_bone_pose *played, double d[12])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            d[3 * i + k] = (double)source->world.m[4 * i + k] - played->world.m[4 * i + k];
}

static double distance_moved(const double d[12], trilo_vec3 p)
{
    const double x = d[0] * p.x + d[3] * p.y + d[6] * p.z + d[9], y = d[1] * p.x + d[4] * p.y + d[7] * p.z + d[10],
                 z = d[2] * p.x + d[5] * p.y + d[8] * p.z + d[11];
    return sqrt(x * x + y * y + z * z);
}

/* No point of the sphere around a bone's points moves further than its centre and the radius times the norm of the
 * difference: most bones need no look at their points. */
static void add_vertex_error(const double d[12], const t3dm_skin_samples *samples, uint32_t bone, uint32_t tick,
                             t3dm_clip_error *error)
{
    trilo_vec3 center;
    double radius, norm = 0;
    uint32_t count;
    const trilo_vec3 *points = tl_t3dm_skin_sample_points(samples, bone, &center, &radius, &count);
    for (int i = 0; i < 9; i++)
        norm += d[i] * d[i];
    if (count == 0 || distance_moved(d, center) + radius * sqrt(norm) <= error->distance)
        return;
    for (uint32_t i = 0; i < count; i++) {
        const double distance = distance_moved(d, points[i]);
        if (distance > error->distance) {
            error->distance = distance;
            error->tick = tick;
            error->bone = bone;
        }
    }
}

/* Near 1 the square of a dot product has no digits left for the sine, so it is the length of a difference. */
static double rotation_error(trilo_quat a, trilo_quat b)
{
    const double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
    const double sign = dot < 0 ? -1 : 1;
    const double d[4] = {a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z, a.w - sign * b.w};
    const double chord = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
    return chord * sqrt(fmax(0, 1 - chord * chord / 4));
}

bool tl_t3dm_error_within(const t3dm_clip_error *error, const t3dm_clip_error *limit)
{
    return error->distance <= limit->distance && error->rotation <= limit->rotation &&
           error->position <= limit->position;
}

static bool comparison_init(pose_comparison *c, t3dm_encoder *e, const t3dm_clip_builder *clip, tl_arena *scratch)
{
    *c = (pose_comparison){.e = e, .clip = clip, .bone_count = e->file->skeleton.bone_count};
    tl_arena_init(scratch, &(trilo_memory){e->arena->fn, e->arena->user, e->arena->left ? e->arena->left : 1});
    c->local = TL_ARRAY(scratch, c->bone_count, trilo_transform);
    c->source = TL_ARRAY(scratch, c->bone_count, t3dm_bone_pose);
    c->played = TL_ARRAY(scratch, c->bone_count, t3dm_bone_pose);
    c->keys = TL_ARRAY(scratch, clip->sdata.channel_count, uint32_t);
    return c->local && c->source && c->played && c->keys;
}

bool tl_t3dm_keep_source_poses(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    enum { KEPT_POSES_MOST = 1 << 18 };
    const uint64_t count = ((uint64_t)clip->last_tick + 1) * e->file->skeleton.bone_count;
    pose_comparison c;
    tl_arena scratch;
    if (count > KEPT_POSES_MOST)
        return true;
    t3dm_bone_pose *poses = tl_array_raw(e->arena, (size_t)count, sizeof *poses);
    const bool ok = comparison_init(&c, e, clip, &scratch) && poses;
    for (uint32_t tick = 0; ok && tick <= clip->last_tick; tick++)
        pose_source(&c, tick, poses + (size_t)tick * c.bone_count);
    clip->source = poses;
    tl_arena_free(&scratch);
    return ok;
}

bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_skin_samples *samples, const t3dm_clip_builder *clip,
                        const t3dm_clip_error *limit, t3dm_clip_error *error)
{
    pose_comparison c;
    tl_arena scratch;
    const bool ok = comparison_init(&c, e, clip, &scratch);
    *error = (t3dm_clip_error){.bone = TRILO_NONE};
    for (uint32_t tick = 0; ok && tick <= clip->last_tick; tick++) {
        const t3dm_bone_pose *source = clip->source ? clip->source + (size_t)tick * c.bone_count : c.source;
        if (!clip->source)
            pose_source(&c, tick, c.source);
        pose_played(&c, tick);
        for (uint32_t b = 0; b < c.bone_count; b++) {
            double difference[12];
            pose_difference(&source[b], &c.played[b], difference);
            add_vertex_error(difference, samples, b, tick, error);
            error->rotation = fmax(error->rotation, rotation_error(source[b].rotation, c.played[b].rotation));
            error->position = fmax(error->position, distance_moved(difference, (trilo_vec3){0, 0, 0}));
        }
        if (limit && !tl_t3dm_error_within(error, limit))
            break;
    }
    tl_arena_free(&scratch);
    return ok;
}
