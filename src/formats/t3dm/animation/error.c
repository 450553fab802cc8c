/* How far vertices are off when the console plays a clip. */
#include "formats/t3dm/animation/animation.h"

#include "base/vec.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <math.h>
#include <string.h>

/* Where a bone is: place, rotation, scale. */
typedef struct bone_pose {
    float place[3], turn[4], size[3];
} bone_pose;

typedef struct measure {
    const t3dm_encoder *e;
    const t3dm_take *take;
    uint32_t bone_count;
    bone_pose *poses;
    trilo_mat4 *source, *played;
    uint32_t *at; /* of each channel: the key in front */
} measure;

static void rest_poses(measure *m)
{
    for (uint32_t b = 0; b < m->bone_count; b++) {
        const t3dm_bone *bone = &m->e->file->bones[b];
        memcpy(m->poses[b].place, bone->position, sizeof bone->position);
        memcpy(m->poses[b].turn, bone->rotation, sizeof bone->rotation);
        memcpy(m->poses[b].size, bone->scale, sizeof bone->scale);
    }
}

static void make_worlds(const measure *m, trilo_mat4 *worlds)
{
    for (uint32_t b = 0; b < m->bone_count; b++) {
        const bone_pose *p = &m->poses[b];
        const uint32_t parent = m->e->file->bones[b].parent;
        const trilo_mat4 local = tl_mat4_from_trs((trilo_vec3){p->place[0], p->place[1], p->place[2]},
                                                  (trilo_quat){p->turn[0], p->turn[1], p->turn[2], p->turn[3]},
                                                  (trilo_vec3){p->size[0], p->size[1], p->size[2]});
        worlds[b] = parent < b ? tl_mat4_mul(&worlds[parent], &local) : local;
    }
}

/* --- the source --- */

static void pose_source(measure *m, uint32_t tick)
{
    rest_poses(m);
    for (uint32_t i = 0; i < m->take->way_count; i++) {
        const trilo_channel *c = &m->take->ways[i];
        const uint32_t bone = m->e->bone_of_node[c->node], width = trilo_target_width(c->target);
        const bool place = tl_target_whole(c->target) == TRILO_TARGET_TRANSLATION;
        double v[4];
        if (c->key_count == 0 || bone == TRILO_NONE)
            continue;
        float *to = c->target == TRILO_TARGET_ROTATION ? m->poses[bone].turn
                    : place                            ? m->poses[bone].place
                                                       : m->poses[bone].size;
        tl_t3dm_channel_at(m->e, c, tick / (double)TL_SDATA_RATE, v);
        for (uint32_t k = 0; k < width; k++)
            to[tl_target_axis(c->target) + k] = (float)(place ? v[k] * m->e->policy.scale : v[k]);
    }
    make_worlds(m, m->source);
}

/* --- the console --- */

static void play_turn(const tl_sdata_channel *c, uint32_t key, double amount, float out[4])
{
    const trilo_quat a = tl_sdata_unpack_quat(c->values[key]), b = tl_sdata_unpack_quat(c->values[key + 1]);
    const double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
    const double of_a = dot < 0 ? amount - 1 : 1 - amount;
    const trilo_quat q =
        tl_quat_normalize((trilo_quat){(float)(a.x * of_a + b.x * amount), (float)(a.y * of_a + b.y * amount),
                                       (float)(a.z * of_a + b.z * amount), (float)(a.w * of_a + b.w * amount)});
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}

static float play_number(const tl_sdata_channel *c, const t3dm_mapping *m, uint32_t key, double amount)
{
    const double a = tl_sdata_unpack_scalar((uint16_t)c->values[key], m->scale, m->offset);
    const double b = tl_sdata_unpack_scalar((uint16_t)c->values[key + 1], m->scale, m->offset);
    return (float)(a + (b - a) * amount);
}

/* Ticks rise from call to call. */
static void pose_played(measure *m, uint32_t tick)
{
    rest_poses(m);
    for (uint32_t i = 0; i < m->take->sdata.channel_count; i++) {
        const tl_sdata_channel *c = &m->take->sdata.channels[i];
        const t3dm_mapping *map = &m->take->curves[i].mapping;
        bone_pose *to = &m->poses[map->bone];
        while (m->at[i] + 2 < c->key_count && c->ticks[m->at[i] + 1] <= tick)
            m->at[i]++;
        const uint32_t key = m->at[i], start = c->ticks[key], end = c->ticks[key + 1];
        const double amount = tick >= end ? 1 : tick <= start ? 0 : (double)(tick - start) / (end - start);
        if (map->type == T3DM_ROTATION)
            play_turn(c, key, amount, to->turn);
        else
            (map->type == T3DM_TRANSLATION ? to->place : to->size)[map->axis] = play_number(c, map, key, amount);
    }
    make_worlds(m, m->played);
}

/* --- the difference --- */

static double apart(const trilo_mat4 *a, const trilo_mat4 *b, trilo_vec3 p)
{
    const trilo_vec3 x = tl_mat4_point(a, p), y = tl_mat4_point(b, p);
    const double d[3] = {(double)x.x - y.x, (double)x.y - y.y, (double)x.z - y.z};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* No point of a box is further off than its corners: most bones need no look at their points. */
static double bone_off(const measure *m, const t3dm_body *body, uint32_t bone, double most)
{
    trilo_vec3 corners[8];
    double limit = 0;
    uint32_t count;
    const trilo_vec3 *points = tl_t3dm_skin_sample_points(body, bone, corners, &count);
    for (int i = 0; count > 0 && i < 8; i++)
        limit = fmax(limit, apart(&m->source[bone], &m->played[bone], corners[i]));
    for (uint32_t i = 0; limit > most && i < count; i++)
        most = fmax(most, apart(&m->source[bone], &m->played[bone], points[i]));
    return most;
}

bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_body *body, const t3dm_take *take, double *off)
{
    measure m = {.e = e, .take = take, .bone_count = e->file->skeleton.bone_count};
    tl_arena scratch;
    tl_arena_init(&scratch, &(trilo_memory){e->arena->fn, e->arena->user, e->arena->left ? e->arena->left : 1});
    m.poses = TL_ARRAY(&scratch, m.bone_count, bone_pose);
    m.source = TL_ARRAY(&scratch, m.bone_count, trilo_mat4);
    m.played = TL_ARRAY(&scratch, m.bone_count, trilo_mat4);
    m.at = TL_ARRAY(&scratch, take->sdata.channel_count, uint32_t);
    const bool ok = m.poses && m.source && m.played && m.at;
    *off = 0;
    for (uint32_t tick = 0; ok && tick <= take->last_tick; tick++) {
        pose_source(&m, tick);
        pose_played(&m, tick);
        for (uint32_t b = 0; b < m.bone_count; b++)
            *off = bone_off(&m, body, b, *off);
    }
    tl_arena_free(&scratch);
    return ok;
}
