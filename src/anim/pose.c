#include "trilobite/pose.h"
#include "anim/skinning.h"
#include "base/vec.h"
#include "model/target.h"

#include <string.h>

/* ---- local and world matrices ---- */

/* Channels come in any order, so the parts of a node must wait somewhere until all have been seen. Its place among the
 * results has room: while the channels are read, a matrix holds these instead. */
enum { PART_TRANSLATION = 0, PART_ROTATION = 3, PART_SCALE = 7, PART_MOVED = 10 };

static size_t part_at(trilo_target target)
{
    const uint32_t axis = tl_target_axis(target);
    switch (tl_target_whole(target)) {
    case TRILO_TARGET_TRANSLATION:
        return PART_TRANSLATION + axis;
    case TRILO_TARGET_ROTATION:
        return PART_ROTATION;
    default:
        return PART_SCALE + axis;
    }
}

static void parts_from_rest(const trilo_node *node, float *parts)
{
    const trilo_vec3 t = node->translation, s = node->scale;
    const trilo_quat r = node->rotation;
    const float rest[] = {t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z, 0};
    memcpy(parts, rest, sizeof rest);
}

static trilo_mat4 parts_matrix(const float *p)
{
    return tl_mat4_from_trs((trilo_vec3){p[0], p[1], p[2]}, (trilo_quat){p[3], p[4], p[5], p[6]},
                            (trilo_vec3){p[7], p[8], p[9]});
}

void trilo_pose_locals(const trilo_model *model, uint32_t clip, double seconds, trilo_mat4 *locals)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        parts_from_rest(&model->nodes[i], locals[i].m);
    const trilo_clip *moving = clip < model->clip_count ? &model->clips[clip] : NULL;
    for (uint32_t i = 0; moving && i < moving->channel_count; i++) {
        const trilo_channel *channel = &moving->channels[i];
        if (channel->key_count == 0 || channel->node >= model->node_count)
            continue; /* says nothing: the rest pose stays */
        float *parts = locals[channel->node].m;
        trilo_channel_sample(channel, seconds, parts + part_at(channel->target));
        parts[PART_MOVED] = 1;
    }
    for (uint32_t i = 0; i < model->node_count; i++)
        locals[i] = locals[i].m[PART_MOVED] != 0 ? parts_matrix(locals[i].m) : model->nodes[i].local;
}

void trilo_pose_worlds(const trilo_model *model, const trilo_mat4 *locals, trilo_mat4 *worlds)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const uint32_t parent = model->nodes[i].parent; /* comes first: its world is ready */
        worlds[i] = parent == TRILO_NONE ? locals[i] : tl_mat4_mul(&worlds[parent], &locals[i]);
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

/* ---- vertices ---- */

/* What happens to a vertex: `still` means nothing at all, not even rounding. */
typedef struct placement {
    bool still;
    trilo_mat4 points, normals;
} placement;

static void place(const placement *p, const float from[3], float to[3])
{
    trilo_vec3 v = {from[0], from[1], from[2]};
    if (!p->still)
        v = tl_mat4_point(&p->points, v);
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static void place_normal(const placement *p, const float from[3], float to[3])
{
    trilo_vec3 v = {from[0], from[1], from[2]};
    if (!p->still)
        v = tl_vec3_normalize(tl_mat4_direction(&p->normals, v));
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static placement placement_of(const trilo_mat4 *matrix, bool with_normals)
{
    placement p = {.points = *matrix};
    if (with_normals)
        p.normals = tl_mat4_normal(matrix);
    return p;
}

/* The weighted sum of the joints' matrices; false for a vertex that hangs on no joint. */
static bool blend(const void *joints_of, const uint16_t joints[4], const float weights[4], trilo_mat4 *blended)
{
    const trilo_mat4 *matrices = joints_of;
    double sum[16] = {0};
    bool any = false;
    for (int slot = 0; slot < 4; slot++) {
        if (weights[slot] == 0) /* an unused slot may name any joint, also one that is not there */
            continue;
        any = true;
        for (int i = 0; i < 16; i++)
            sum[i] += (double)weights[slot] * matrices[joints[slot]].m[i];
    }
    for (int i = 0; i < 16; i++)
        blended->m[i] = (float)sum[i];
    return any;
}

void tl_place_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds, tl_blender blender,
                       const float (*from)[3], const float (*from_normals)[3], float (*positions)[3],
                       float (*normals)[3])
{
    const trilo_mesh *m = &model->meshes[mesh];
    placement rigid = {.still = true};
    if (m->node != TRILO_NONE && worlds)
        rigid = placement_of(&worlds[m->node], normals != NULL);

    for (uint32_t i = 0; i < m->vertex_count; i++) {
        static const float no_normal[3] = {0, 0, 0};
        trilo_mat4 blended;
        placement skinned;
        const placement *p = &rigid;
        if (blender.fn && m->joints && m->weights &&
            blender.fn(blender.joints, m->joints[i], m->weights[i], &blended)) {
            skinned = placement_of(&blended, normals != NULL);
            p = &skinned;
        }
        if (positions)
            place(p, from[i], positions[i]);
        if (normals)
            place_normal(p, from_normals ? from_normals[i] : no_normal, normals[i]);
    }
}

void trilo_pose_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                         const trilo_mat4 *skin_matrices, const float (*from)[3], const float (*from_normals)[3],
                         float (*positions)[3], float (*normals)[3])
{
    if (mesh < model->mesh_count)
        tl_place_vertices(model, mesh, worlds, (tl_blender){skin_matrices ? blend : NULL, skin_matrices}, from,
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
