/* What hangs on the bones, and how far a clip takes it from where the source has it.
 *
 * A vertex follows one bone. Which error of a channel it feels is told by how far it is from that channel's bone: the
 * lever. What all errors together do to it is measured, tick by tick, with both poses. */
#include "formats/t3dm/animation/animation.h"

#include "base/vec.h"
#include "model/skin.h"
#include <math.h>

struct t3dm_body {
    uint32_t bone_count;
    uint32_t *first;    /* of each bone: where its points begin; one more says where they end */
    trilo_vec3 *points; /* in the bone's space, in units of the file */
    trilo_bounds *boxes;
    double *reach; /* of each bone: how far what it turns is from it */
    double *zoom;  /* of each bone: how much larger its place shows than it is */
};

/* --- points --- */

/* Where a vertex goes: the bone and the way into its space. */
static const trilo_mat4 *way_of(t3dm_encoder *e, const trilo_mesh *mesh, uint32_t vertex, uint16_t *bone)
{
    const t3dm_bound_joint *joints = mesh->skin != TRILO_NONE && mesh->weights ? e->skins[mesh->skin] : NULL;
    const int best = joints ? tl_strongest_influence(mesh->weights[vertex]) : 0;
    if (joints && mesh->weights[vertex][best] > 0) {
        *bone = joints[mesh->joints[vertex][best]].bone;
        return &joints[mesh->joints[vertex][best]].points;
    }
    *bone = mesh->node != TRILO_NONE && !joints ? e->places[mesh->node].bone : T3DM_NO_BONE;
    return *bone != T3DM_NO_BONE ? &e->places[mesh->node].from : NULL;
}

static void count_points(t3dm_encoder *e, t3dm_body *body)
{
    uint16_t bone;
    for (uint32_t i = 0; i < e->mesh_count; i++)
        for (uint32_t v = 0; v < e->model->meshes[e->meshes[i]].vertex_count; v++)
            if (way_of(e, &e->model->meshes[e->meshes[i]], v, &bone) && bone < body->bone_count)
                body->first[bone + 1]++;
    for (uint32_t b = 0; b < body->bone_count; b++)
        body->first[b + 1] += body->first[b];
}

static void widen(trilo_bounds *box, trilo_vec3 p)
{
    box->min = (trilo_vec3){fminf(box->min.x, p.x), fminf(box->min.y, p.y), fminf(box->min.z, p.z)};
    box->max = (trilo_vec3){fmaxf(box->max.x, p.x), fmaxf(box->max.y, p.y), fmaxf(box->max.z, p.z)};
}

static trilo_bounds no_box(void)
{
    return (trilo_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static trilo_vec3 corner_of(const trilo_bounds *box, int corner)
{
    return (trilo_vec3){corner & 1 ? box->max.x : box->min.x, corner & 2 ? box->max.y : box->min.y,
                        corner & 4 ? box->max.z : box->min.z};
}

static void fill_points(t3dm_encoder *e, t3dm_body *body, uint32_t *filled)
{
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const trilo_mesh *mesh = &e->model->meshes[e->meshes[i]];
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint16_t bone;
            const trilo_mat4 *way = way_of(e, mesh, v, &bone);
            if (!way || bone >= body->bone_count)
                continue;
            const float *from = mesh->positions[v];
            const trilo_vec3 p = tl_mat4_point(way, (trilo_vec3){from[0], from[1], from[2]});
            const trilo_vec3 scaled = {(float)(p.x * e->scale), (float)(p.y * e->scale), (float)(p.z * e->scale)};
            body->points[body->first[bone] + filled[bone]++] = scaled;
            widen(&body->boxes[bone], scaled);
        }
    }
}

/* --- levers --- */

static trilo_mat4 rest_of(const t3dm_bone *b)
{
    return tl_mat4_from_trs((trilo_vec3){b->position[0], b->position[1], b->position[2]},
                            (trilo_quat){b->rotation[0], b->rotation[1], b->rotation[2], b->rotation[3]},
                            (trilo_vec3){b->scale[0], b->scale[1], b->scale[2]});
}

static double length_of(trilo_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

static trilo_vec3 minus(trilo_vec3 a, trilo_vec3 b)
{
    return (trilo_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double growth(const trilo_mat4 *m)
{
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fmax(most, length_of((trilo_vec3){m->m[4 * i], m->m[4 * i + 1], m->m[4 * i + 2]}));
    return most;
}

/* Boxes around all that hangs on a bone or below it, in the rest pose: children come behind their parents. */
static void find_reach(const t3dm_encoder *e, t3dm_body *body, trilo_mat4 *worlds, trilo_bounds *below)
{
    const t3dm_bone *bones = e->file->bones;
    double most = 0;
    for (uint32_t b = 0; b < body->bone_count; b++) {
        const trilo_mat4 rest = rest_of(&bones[b]);
        const bool root = bones[b].parent >= b;
        worlds[b] = root ? rest : tl_mat4_mul(&worlds[bones[b].parent], &rest);
        body->zoom[b] = root ? 1 : growth(&worlds[bones[b].parent]);
        below[b] = no_box();
        for (int i = 0; body->first[b] < body->first[b + 1] && i < 8; i++)
            widen(&below[b], tl_mat4_point(&worlds[b], corner_of(&body->boxes[b], i)));
    }
    for (uint32_t b = body->bone_count; b-- > 0;) {
        const trilo_vec3 origin = {worlds[b].m[12], worlds[b].m[13], worlds[b].m[14]};
        for (int i = 0; below[b].min.x <= below[b].max.x && i < 8; i++) {
            const trilo_vec3 corner = corner_of(&below[b], i);
            body->reach[b] = fmax(body->reach[b], length_of(minus(corner, origin)));
            if (bones[b].parent < b)
                widen(&below[bones[b].parent], corner);
        }
        most = fmax(most, body->reach[b]);
    }
    /* What a game hangs on a bone is not known: a bone without vertices counts as if it reached some way, too. */
    for (uint32_t b = 0; b < body->bone_count; b++)
        body->reach[b] = fmax(body->reach[b], most / 8);
}

const t3dm_body *tl_t3dm_skin_samples_new(t3dm_encoder *e)
{
    const uint32_t count = e->file->skeleton.bone_count;
    t3dm_body *body = TL_NEW(e->arena, t3dm_body);
    uint32_t *filled = TL_ARRAY(e->arena, count, uint32_t);
    trilo_mat4 *worlds = TL_ARRAY(e->arena, count, trilo_mat4);
    trilo_bounds *below = TL_ARRAY(e->arena, count, trilo_bounds);
    if (!body || !filled || !worlds || !below)
        return NULL;
    body->bone_count = count;
    body->first = TL_ARRAY(e->arena, (size_t)count + 1, uint32_t);
    body->boxes = TL_ARRAY(e->arena, count, trilo_bounds);
    body->reach = TL_ARRAY(e->arena, count, double);
    body->zoom = TL_ARRAY(e->arena, count, double);
    if (!body->first || !body->boxes || !body->reach || !body->zoom)
        return NULL;
    count_points(e, body);
    body->points = TL_ARRAY(e->arena, body->first[count], trilo_vec3);
    if (!body->points)
        return NULL;
    for (uint32_t b = 0; b < count; b++)
        body->boxes[b] = no_box();
    fill_points(e, body, filled);
    find_reach(e, body, worlds, below);
    return body;
}

const trilo_vec3 *tl_t3dm_skin_sample_points(const t3dm_body *body, uint32_t bone, trilo_vec3 corners[8],
                                             uint32_t *count)
{
    for (int i = 0; i < 8; i++)
        corners[i] = corner_of(&body->boxes[bone], i);
    *count = body->first[bone + 1] - body->first[bone];
    return body->points + body->first[bone];
}

double tl_t3dm_error_per_radian(const t3dm_body *body, const t3dm_curve *c)
{
    const uint32_t bone = c->mapping.bone;
    return c->mapping.type == T3DM_TRANSLATION ? body->zoom[bone]
           : c->mapping.type == T3DM_ROTATION  ? 2 * body->reach[bone]
                                               : body->reach[bone];
}
