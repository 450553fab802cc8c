/* Poses: local and world matrices of nodes, matrices of skins, vertices. */
#include "model/pose.h"
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/skinning.h"
#include "model/target.h"

#include <string.h>

/* ---- local and world matrices ---- */

/* Channels come in any order, so the transform of a node must be kept until all have been sampled. While they are, the
 * node's matrix holds these values instead. */
enum { TRS_TRANSLATION = 0, TRS_ROTATION = 3, TRS_SCALE = 7, TRS_ANIMATED = 10 };

static size_t trs_index(trilo_target target)
{
    const uint32_t axis = tl_target_axis(target);
    switch (tl_target_whole(target)) {
    case TRILO_TARGET_TRANSLATION:
        return TRS_TRANSLATION + axis;
    case TRILO_TARGET_ROTATION:
        return TRS_ROTATION;
    default:
        return TRS_SCALE + axis;
    }
}

static trilo_mat4 trs_matrix(const float *p)
{
    return tl_mat4_from_trs((trilo_vec3){p[0], p[1], p[2]}, (trilo_quat){p[3], p[4], p[5], p[6]},
                            (trilo_vec3){p[7], p[8], p[9]});
}

static trilo_mat4 trs_of_rest(const trilo_node *node)
{
    const trilo_vec3 t = node->translation, s = node->scale;
    const trilo_quat r = node->rotation;
    return (trilo_mat4){{t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z}};
}

static void sample_channels(const trilo_model *model, uint32_t clip, double seconds, trilo_mat4 *locals)
{
    const trilo_clip *animation = clip < model->clip_count ? &model->clips[clip] : NULL;
    for (uint32_t i = 0; animation && i < animation->channel_count; i++) {
        const trilo_channel *channel = &animation->channels[i];
        if (channel->key_count == 0 || channel->node >= model->node_count)
            continue; /* the rest pose stays */
        float *trs = locals[channel->node].m;
        trilo_channel_sample(channel, seconds, trs + trs_index(channel->target));
        trs[TRS_ANIMATED] = 1;
    }
}

static trilo_mat4 local_matrix(const trilo_model *model, const trilo_mat4 *locals, uint32_t node)
{
    return locals[node].m[TRS_ANIMATED] != 0 ? trs_matrix(locals[node].m) : model->nodes[node].local;
}

static trilo_mat4 world_matrix(const trilo_model *model, const trilo_mat4 *locals, const trilo_mat4 *worlds,
                               uint32_t node)
{
    const uint32_t parent = model->nodes[node].parent; /* comes first: its world is ready */
    return parent == TRILO_NONE ? locals[node] : tl_mat4_mul(&worlds[parent], &locals[node]);
}

void trilo_pose_locals(const trilo_model *model, uint32_t clip, double seconds, trilo_mat4 *locals)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        locals[i] = trs_of_rest(&model->nodes[i]);
    sample_channels(model, clip, seconds, locals);
    for (uint32_t i = 0; i < model->node_count; i++)
        locals[i] = local_matrix(model, locals, i);
}

void trilo_pose_worlds(const trilo_model *model, const trilo_mat4 *locals, trilo_mat4 *worlds)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        worlds[i] = world_matrix(model, locals, worlds, i);
}

void tl_pose_nodes(const trilo_model *model, uint32_t clip, double seconds, const uint32_t *nodes, uint32_t count,
                   trilo_mat4 *locals, trilo_mat4 *worlds)
{
    for (uint32_t i = 0; i < count; i++)
        locals[nodes[i]] = trs_of_rest(&model->nodes[nodes[i]]);
    sample_channels(model, clip, seconds, locals);
    for (uint32_t i = 0; i < count; i++) {
        locals[nodes[i]] = local_matrix(model, locals, nodes[i]);
        worlds[nodes[i]] = world_matrix(model, locals, worlds, nodes[i]);
    }
}

void trilo_pose_skin(const trilo_model *model, uint32_t skin, const trilo_mat4 *worlds, trilo_mat4 *matrices)
{
    if (skin >= model->skin_count)
        return;
    const trilo_skin *s = &model->skins[skin];
    for (uint32_t i = 0; i < s->joint_count; i++)
        matrices[i] = tl_mat4_mul(&worlds[s->joints[i].node], &s->joints[i].inverse_bind);
}

trilo_mat4 **tl_skins_new(tl_arena *arena, const trilo_model *model)
{
    trilo_mat4 **skins = tl_array_raw(arena, (size_t)model->skin_count + 1, sizeof *skins);
    for (uint32_t i = 0; skins && i < model->skin_count; i++)
        if (!(skins[i] = tl_array_raw(arena, model->skins[i].joint_count, sizeof *skins[i])))
            return NULL;
    return skins;
}

void tl_skins_pose(const trilo_model *model, const trilo_mat4 *worlds, trilo_mat4 *const *skins)
{
    for (uint32_t i = 0; i < model->skin_count; i++)
        trilo_pose_skin(model, i, worlds, skins[i]);
}

/* ---- vertices ---- */

/* With `identity` vertices are copied, without rounding. */
typedef struct vertex_transform {
    bool identity;
    trilo_mat4 points, normals;
} vertex_transform;

static void transform_normal(const vertex_transform *p, const float from[3], float to[3])
{
    trilo_vec3 v = {from[0], from[1], from[2]};
    if (!p->identity)
        v = tl_vec3_normalize(tl_mat4_direction(&p->normals, v));
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static vertex_transform make_vertex_transform(const trilo_mat4 *matrix, bool with_normals)
{
    vertex_transform p = {.points = *matrix};
    if (with_normals)
        p.normals = tl_mat4_normal(matrix);
    return p;
}

/* Linear blend skinning: the weighted sum of the joints' matrices. False for a vertex without weights. */
static bool blend_matrices(const void *joints_of, const uint16_t joints[4], const float weights[4], trilo_mat4 *blended)
{
    const trilo_mat4 *matrices = joints_of;
    double sum[16] = {0};
    bool any = false;
    for (int slot = 0; slot < 4; slot++) {
        if (weights[slot] == 0) /* an unused slot may hold any number */
            continue;
        any = true;
        for (int i = 0; i < 16; i++)
            sum[i] += (double)weights[slot] * matrices[joints[slot]].m[i];
    }
    for (int i = 0; i < 16; i++)
        blended->m[i] = (float)sum[i];
    return any;
}

void tl_skin_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds, tl_skinning skinning,
                      const float (*from)[3], const float (*from_normals)[3], float (*positions)[3],
                      float (*normals)[3])
{
    const trilo_mesh *m = &model->meshes[mesh];
    vertex_transform rigid = {.identity = true};
    if (m->node != TRILO_NONE && worlds)
        rigid = make_vertex_transform(&worlds[m->node], normals != NULL);

    for (uint32_t i = 0; i < m->vertex_count; i++) {
        static const float no_normal[3] = {0, 0, 0};
        trilo_mat4 blended;
        vertex_transform skinned;
        const vertex_transform *p = &rigid;
        if (skinning.fn && m->joints && m->weights &&
            skinning.fn(skinning.joints, m->joints[i], m->weights[i], &blended)) {
            skinned = make_vertex_transform(&blended, normals != NULL);
            p = &skinned;
        }
        if (positions) {
            float *to = positions[i];
            trilo_vec3 v = {from[i][0], from[i][1], from[i][2]};
            if (!p->identity)
                v = tl_mat4_point(&p->points, v);
            to[0] = v.x, to[1] = v.y, to[2] = v.z;
        }
        if (normals)
            transform_normal(p, from_normals ? from_normals[i] : no_normal, normals[i]);
    }
}

void trilo_pose_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                         const trilo_mat4 *skin_matrices, const float (*from)[3], const float (*from_normals)[3],
                         float (*positions)[3], float (*normals)[3])
{
    if (mesh < model->mesh_count)
        tl_skin_vertices(model, mesh, worlds, (tl_skinning){skin_matrices ? blend_matrices : NULL, skin_matrices}, from,
                         from_normals, positions, normals);
}

void trilo_pose_mesh(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds, const trilo_mat4 *skin_matrices,
                     float (*positions)[3], float (*normals)[3])
{
    if (mesh >= model->mesh_count)
        return;
    const trilo_mesh *m = &model->meshes[mesh];
    trilo_pose_vertices(model, mesh, worlds, skin_matrices, m->positions, m->normals, positions, normals);
}
