/* The error of a clip: the largest distance of a vertex between the pose of the source and the pose that Tiny3D makes
 * of the keys, at every tick. */
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
    trilo_transform *pose;       /* local, of each bone */
    trilo_mat4 *source, *played; /* world matrices of each bone */
    uint32_t *keys;              /* of each channel: the last key that has passed */
} pose_comparison;

static void set_rest_pose(pose_comparison *c)
{
    for (uint32_t b = 0; b < c->bone_count; b++) {
        const t3dm_bone *bone = &c->e->file->bones[b];
        memcpy(c->pose[b].translation, bone->position, sizeof bone->position);
        memcpy(c->pose[b].rotation, bone->rotation, sizeof bone->rotation);
        memcpy(c->pose[b].scale, bone->scale, sizeof bone->scale);
    }
}

static void make_world_matrices(const pose_comparison *c, trilo_mat4 *worlds)
{
    for (uint32_t b = 0; b < c->bone_count; b++) {
        const float *t = c->pose[b].translation, *r = c->pose[b].rotation, *s = c->pose[b].scale;
        const uint32_t parent = c->e->file->bones[b].parent;
        const trilo_mat4 local = tl_mat4_from_trs((trilo_vec3){t[0], t[1], t[2]}, (trilo_quat){r[0], r[1], r[2], r[3]},
                                                  (trilo_vec3){s[0], s[1], s[2]});
        worlds[b] = parent < b ? tl_mat4_mul(&worlds[parent], &local) : local;
    }
}

static void pose_source(pose_comparison *c, uint32_t tick)
{
    set_rest_pose(c);
    for (uint32_t i = 0; i < c->clip->channel_count; i++) {
        const trilo_channel *channel = &c->clip->channels[i];
        const uint32_t bone = c->e->bone_of_node[channel->node], width = trilo_target_width(channel->target);
        const bool translation = tl_target_whole(channel->target) == TRILO_TARGET_TRANSLATION;
        double value[4];
        if (channel->key_count == 0 || bone == TRILO_NONE)
            continue;
        float *to = channel->target == TRILO_TARGET_ROTATION ? c->pose[bone].rotation
                    : translation                            ? c->pose[bone].translation
                                                             : c->pose[bone].scale;
        tl_t3dm_source_value(c->e, channel, tick / (double)TL_SDATA_RATE, value);
        for (uint32_t k = 0; k < width; k++)
            to[tl_target_axis(channel->target) + k] = (float)(translation ? value[k] * c->e->policy.scale : value[k]);
    }
    make_world_matrices(c, c->source);
}

/* Rotations by nlerp along the shorter arc, scalars by lerp. Ticks rise from call to call. */
static void pose_played(pose_comparison *c, uint32_t tick)
{
    set_rest_pose(c);
    for (uint32_t i = 0; i < c->clip->sdata.channel_count; i++) {
        const tl_sdata_channel *channel = &c->clip->sdata.channels[i];
        const t3dm_mapping *m = &c->clip->curves[i].mapping;
        trilo_transform *to = &c->pose[m->bone];
        while (c->keys[i] + 2 < channel->key_count && channel->ticks[c->keys[i] + 1] <= tick)
            c->keys[i]++;
        const uint32_t key = c->keys[i], start = channel->ticks[key], end = channel->ticks[key + 1];
        const uint32_t code = channel->values[key], next_code = channel->values[key + 1];
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
    make_world_matrices(c, c->played);
}

static double distance_moved(const pose_comparison *c, uint32_t bone, trilo_vec3 p)
{
    const trilo_vec3 a = tl_mat4_point(&c->source[bone], p), b = tl_mat4_point(&c->played[bone], p);
    const double d[3] = {(double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* The distance is a convex function of the point, so no point of a box exceeds its corners: most bones need no look at
 * their points. */
static double bone_error(const pose_comparison *c, const t3dm_skin_samples *samples, uint32_t bone, double error)
{
    trilo_vec3 corners[8];
    double upper_bound = 0;
    uint32_t count;
    const trilo_vec3 *points = tl_t3dm_skin_sample_points(samples, bone, corners, &count);
    for (int i = 0; count > 0 && i < 8; i++)
        upper_bound = fmax(upper_bound, distance_moved(c, bone, corners[i]));
    for (uint32_t i = 0; upper_bound > error && i < count; i++)
        error = fmax(error, distance_moved(c, bone, points[i]));
    return error;
}

bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_skin_samples *samples, const t3dm_clip_builder *clip, double *error)
{
    pose_comparison c = {.e = e, .clip = clip, .bone_count = e->file->skeleton.bone_count};
    tl_arena scratch;
    tl_arena_init(&scratch, &(trilo_memory){e->arena->fn, e->arena->user, e->arena->left ? e->arena->left : 1});
    c.pose = TL_ARRAY(&scratch, c.bone_count, trilo_transform);
    c.source = TL_ARRAY(&scratch, c.bone_count, trilo_mat4);
    c.played = TL_ARRAY(&scratch, c.bone_count, trilo_mat4);
    c.keys = TL_ARRAY(&scratch, clip->sdata.channel_count, uint32_t);
    const bool ok = c.pose && c.source && c.played && c.keys;
    *error = 0;
    for (uint32_t tick = 0; ok && tick <= clip->last_tick; tick++) {
        pose_source(&c, tick);
        pose_played(&c, tick);
        for (uint32_t b = 0; b < c.bone_count; b++)
            *error = bone_error(&c, samples, b, *error);
    }
    tl_arena_free(&scratch);
    return ok;
}
