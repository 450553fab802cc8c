/* The faces of a model as they stand at a moment, with what rounding may have done to them. */
#include "base/vec.h"
#include "harness.h"
#include "support/trip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the keys of a clip leave open about a node. */
typedef struct node_wear {
    double angle, scale, place;
} node_wear;

typedef struct pose {
    const trilo_model *model;
    const trip_view *view;
    trilo_mat4 *locals, *worlds, *skin; /* skin: of the mesh at hand */
    node_wear *wear;
    float (*positions)[3]; /* of the mesh at hand */
    double *slack;
} pose;

static void *some(size_t count, size_t each)
{
    void *memory = calloc(count + 1, each);
    CHECK(memory);
    return memory;
}

/* --- slack --- */

static uint32_t stride_of(const trilo_channel *c)
{
    return trilo_target_width(c->target) * (c->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1);
}

/* The most that any of the numbers spans, and a trifle for values that were taken for those at rest. */
static double span_of(const trilo_channel *c, double part)
{
    double most = 0, largest = 1;
    const uint32_t width = trilo_target_width(c->target), stride = stride_of(c), first = stride > width ? width : 0;
    for (uint32_t k = 0; k < width; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < c->key_count; i++) {
            const double value = c->values[(size_t)i * stride + first + k];
            low = fmin(low, value);
            high = fmax(high, value);
            largest = fmax(largest, fabs(value));
        }
        most = fmax(most, high - low);
    }
    return c->interpolation == TRILO_INTERPOLATION_CUBIC ? 2 * most * part + 1e-5 * largest
                                                         : most * part + 1e-5 * largest;
}

static void wear_nodes(pose *p)
{
    const trip_wear *w = &p->view->wear;
    const trilo_clip *clip = p->view->clip == TRILO_NONE ? NULL : &p->model->clips[p->view->clip];
    for (uint32_t i = 0; clip && w->span > 0 && i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        node_wear *n = &p->wear[c->node];
        const bool place = c->target == TRILO_TARGET_TRANSLATION ||
                           (c->target >= TRILO_TARGET_TRANSLATION_X && c->target <= TRILO_TARGET_TRANSLATION_Z);
        if (c->target == TRILO_TARGET_ROTATION)
            n->angle = w->angle;
        else if (place)
            n->place = fmax(n->place, sqrt(3) * (w->place + span_of(c, w->span)));
        else
            n->scale = fmax(n->scale, sqrt(3) * (w->number + span_of(c, w->span)));
    }
}

static double length(trilo_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

/* How much longer the matrix makes what it moves. */
static double norm(const trilo_mat4 *m)
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, length((trilo_vec3){m->m[4 * k], m->m[4 * k + 1], m->m[4 * k + 2]}));
    return most;
}

/* Up from a point in the space of a node: each node above may turn, stretch and shift it a little. */
static double slack_of(const pose *p, uint32_t node, trilo_vec3 point)
{
    double slack = 0;
    for (uint32_t n = node; n != TRILO_NONE; n = p->model->nodes[n].parent) {
        const node_wear *w = &p->wear[n];
        const uint32_t parent = p->model->nodes[n].parent;
        const double turned = length(tl_mat4_direction(&p->locals[n], point));
        const double by = parent == TRILO_NONE ? 1 : norm(&p->worlds[parent]);
        slack += (w->angle * turned + w->scale * length(point) + w->place) * by;
        point = tl_mat4_point(&p->locals[n], point);
    }
    return slack;
}

/* A position is stored in the space of a node above it, or of the model. */
static double spot_norm(const pose *p, uint32_t node)
{
    double most = 1;
    for (uint32_t n = node; n != TRILO_NONE; n = p->model->nodes[n].parent)
        most = fmax(most, norm(&p->worlds[n]));
    return most;
}

static double vertex_slack(const pose *p, const trilo_mesh *mesh, uint32_t i)
{
    const trip_wear *w = &p->view->wear;
    const trilo_vec3 at = {mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]};
    if (w->spot == 0 && w->span == 0)
        return 0;
    if (mesh->skin == TRILO_NONE)
        return w->spot * spot_norm(p, mesh->node) + slack_of(p, mesh->node, at);
    double slack = 0, weight = 0;
    for (int k = 0; k < 4; k++) {
        if (mesh->weights[i][k] == 0)
            continue;
        const trilo_joint *joint = &p->model->skins[mesh->skin].joints[mesh->joints[i][k]];
        const double all =
            w->spot * spot_norm(p, joint->node) + slack_of(p, joint->node, tl_mat4_point(&joint->inverse_bind, at));
        slack += mesh->weights[i][k] * all;
        weight += mesh->weights[i][k];
    }
    return weight > 0 ? slack : w->spot;
}

/* --- faces --- */

static bool is_mirrored(const trilo_mat4 *a)
{
    const float *m = a->m;
    return (double)m[0] * ((double)m[5] * m[10] - (double)m[6] * m[9]) -
               (double)m[4] * ((double)m[1] * m[10] - (double)m[2] * m[9]) +
               (double)m[8] * ((double)m[1] * m[6] - (double)m[2] * m[5]) <
           0;
}

static trip_corner corner_of(const pose *p, const trilo_mesh *mesh, uint32_t vertex)
{
    const trilo_material *m = mesh->material == TRILO_NONE ? NULL : &p->model->materials[mesh->material];
    const bool tinted = m && (p->view->tint == TRIP_TINT_ALL || (p->view->tint == TRIP_TINT_PLAIN && !m->n64));
    const double scale = p->view->scale > 0 ? p->view->scale : 1;
    trip_corner out = {.slack = p->slack[vertex] * scale};
    for (int k = 0; k < 3; k++) {
        const double value = p->positions[vertex][k];
        out.position[k] = isnan(value) && p->view->nan_is_0 ? 0 : value * scale;
    }
    for (int k = 0; k < 2 && mesh->uvs; k++)
        out.uv[k] = mesh->uvs[vertex][k];
    for (int k = 0; k < 4; k++) {
        const double color = (mesh->colors ? mesh->colors[vertex][k] : 1.0) * (tinted ? m->base_color[k] : 1.0);
        out.color[k] = color < 0 ? 0 : color > 1 ? 1 : color;
    }
    return out;
}

static void add_face(const pose *p, const trilo_mesh *mesh, const uint32_t *indices, bool turned, trip_soup *soup)
{
    const trilo_material *m = mesh->material == TRILO_NONE ? NULL : &p->model->materials[mesh->material];
    trip_face *face = &soup->faces[soup->count++];
    *face = (trip_face){.sides = mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3, .textured = true};
    for (int k = 0; k < face->sides; k++)
        face->corners[turned ? face->sides - 1 - k : k] = corner_of(p, mesh, indices[k]);
    if (m && m->n64) {
        face->textured = (m->n64->draw_flags & TRILO_N64_TEXTURED) != 0;
        face->texels[0] = m->n64->tiles[0].width;
        face->texels[1] = m->n64->tiles[0].height;
    }
}

static void add_mesh(pose *p, uint32_t number, trip_soup *soup)
{
    const trilo_model *model = p->model;
    const trilo_mesh *mesh = &model->meshes[number];
    const uint32_t sides = mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3;
    if (mesh->skin != TRILO_NONE)
        trilo_pose_skin(model, mesh->skin, p->worlds, p->skin);
    if (p->view->clip == TRILO_NONE)
        memcpy(p->positions, mesh->positions, mesh->vertex_count * sizeof *p->positions);
    else
        trilo_pose_frame(model, number, p->view->clip, p->view->seconds, p->view->mode, p->positions, NULL);
    trilo_pose_vertices(model, number, p->worlds, mesh->skin == TRILO_NONE ? NULL : p->skin,
                        (const float(*)[3])p->positions, NULL, p->positions, NULL);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        p->slack[i] = vertex_slack(p, mesh, i);
    const bool turned = mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE && is_mirrored(&p->worlds[mesh->node]);
    for (uint32_t i = 0; i + sides <= mesh->index_count; i += sides)
        add_face(p, mesh, mesh->indices + i, turned, soup);
}

trip_soup trip_soup_of(const trilo_model *model, const trip_view *view)
{
    size_t faces = 0, vertices = 0, joints = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        faces += model->meshes[i].index_count / 2;
        vertices = model->meshes[i].vertex_count > vertices ? model->meshes[i].vertex_count : vertices;
    }
    for (uint32_t i = 0; i < model->skin_count; i++)
        joints = model->skins[i].joint_count > joints ? model->skins[i].joint_count : joints;
    pose p = {.model = model,
              .view = view,
              .locals = some(model->node_count, sizeof *p.locals),
              .worlds = some(model->node_count, sizeof *p.worlds),
              .skin = some(joints, sizeof *p.skin),
              .wear = some(model->node_count, sizeof *p.wear),
              .positions = some(vertices, sizeof *p.positions),
              .slack = some(vertices, sizeof *p.slack)};
    trip_soup soup = {.faces = some(faces, sizeof *soup.faces)};
    trilo_pose_locals(model, view->clip, view->seconds, p.locals);
    trilo_pose_worlds(model, p.locals, p.worlds);
    wear_nodes(&p);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        add_mesh(&p, i, &soup);
    void *all[] = {p.locals, p.worlds, p.skin, p.wear, p.positions, p.slack};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    return soup;
}

void trip_soup_free(trip_soup *soup)
{
    free(soup->faces);
    *soup = (trip_soup){0};
}
