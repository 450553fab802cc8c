#include "api/inspect/compare.h"

#include "base/report.h"
#include "base/strict_float.h"
#include "base/trig.h"
#include "model/check.h"
#include "query/query.h"
#include "trilobite/n64.h"
#include "trilobite/pose.h"
#include "trilobite/query.h"

#include <math.h>
#include <string.h>

/* COMPARE_NODES: real models need a few hundred nodes of the tree for a point. Files can be made so that all triangles
 * lie on each other, and each point would need all. */
enum { COMPARE_NEIGHBOURS = 64, COMPARE_NODES = 4096 };

static double unit_length(const trilo_model *model)
{
    return model->units_per_meter > 0 ? model->units_per_meter : 1;
}

/* Makes room for a model and puts it into the rest pose. */
static bool compare_begin(compare_side *side, const trilo_model *model, double scale, bool normals, tl_arena *arena)
{
    *side = (compare_side){.model = model, .scale = (float)scale};
    side->locals = TL_ARRAY(arena, model->node_count, trilo_mat4);
    side->worlds = TL_ARRAY(arena, model->node_count, trilo_mat4);
    side->skins = TL_ARRAY(arena, model->skin_count, trilo_mat4 *);
    side->positions = TL_ARRAY(arena, model->mesh_count, compare_point *);
    side->normals = TL_ARRAY(arena, model->mesh_count, compare_point *);
    bool ok = side->locals && side->worlds && side->skins && side->positions && side->normals;
    for (uint32_t i = 0; ok && i < model->skin_count; i++)
        ok = (side->skins[i] = TL_ARRAY(arena, model->skins[i].joint_count, trilo_mat4)) != NULL;
    for (uint32_t i = 0; ok && i < model->mesh_count; i++)
        ok = (side->positions[i] = TL_ARRAY(arena, model->meshes[i].vertex_count, compare_point)) != NULL &&
             (!normals || (side->normals[i] = TL_ARRAY(arena, model->meshes[i].vertex_count, compare_point)) != NULL);
    if (!ok)
        return false;
    trilo_pose_locals(model, TRILO_NONE, 0, side->locals);
    trilo_pose_worlds(model, side->locals, side->worlds);
    for (uint32_t i = 0; i < model->skin_count; i++)
        trilo_pose_skin(model, i, side->worlds, side->skins[i]);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        tl_compare_pose_mesh(side, i, TRILO_NONE, 0);
    return true;
}

void tl_compare_pose_mesh(const compare_side *side, uint32_t mesh, uint32_t clip, double seconds)
{
    const trilo_model *model = side->model;
    const trilo_mesh *m = &model->meshes[mesh];
    const trilo_mat4 *skin = m->skin != TRILO_NONE ? side->skins[m->skin] : NULL;
    compare_point *positions = side->positions[mesh], *normals = side->normals[mesh];
    trilo_pose_frame(model, mesh, clip, seconds, TRILO_FRAME_MODE_BLEND, positions, normals);
    trilo_pose_vertices(model, mesh, side->worlds, skin, (const float(*)[3])positions, (const float(*)[3])normals,
                        positions, normals);
    for (uint32_t v = 0; v < m->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            positions[v][axis] *= side->scale;
}

/* ---- points of triangles ---- */

static void compare_weigh(const trilo_mesh *mesh, uint32_t triangle, const float weights[3], const float *values,
                          uint32_t width, double out[4])
{
    for (uint32_t k = 0; k < width; k++) {
        out[k] = 0;
        for (int corner = 0; corner < 3; corner++)
            out[k] +=
                (double)weights[corner] * (double)values[width * mesh->indices[3 * triangle + (uint32_t)corner] + k];
    }
}

const float tl_compare_middle[3] = {1.0f / 3, 1.0f / 3, 1.0f / 3};

void tl_compare_point(const compare_side *side, trilo_face face, const float weights[3], double out[4])
{
    compare_weigh(&side->model->meshes[face.mesh], face.triangle, weights, side->positions[face.mesh][0], 3, out);
}

/* Twice the area times the normal of the plane; its length is 0 without an area. */
static void compare_facing(const compare_side *side, trilo_face face, double out[3])
{
    const trilo_mesh *mesh = &side->model->meshes[face.mesh];
    const uint32_t *corners = &mesh->indices[3 * face.triangle];
    const float *a = side->positions[face.mesh][corners[0]], *b = side->positions[face.mesh][corners[1]],
                *c = side->positions[face.mesh][corners[2]];
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        v[i] = (double)c[i] - (double)a[i];
    }
    for (int i = 0; i < 3; i++)
        out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

static double compare_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double tl_compare_distance(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(compare_dot(d, d));
}

static void compare_add(trilo_deviation *deviation, double value)
{
    deviation->largest = value > deviation->largest ? value : deviation->largest;
    deviation->mean += value; /* divided at the end */
    deviation->points++;
}

static void compare_finish(trilo_deviation *deviation)
{
    if (deviation->points > 0)
        deviation->mean /= (double)deviation->points;
}

/* ---- attributes ---- */

/* The largest difference of texture coordinates, without whole repetitions; 0 if one has none. */
static double compare_uv(const compare_side *a, const compare_side *b, const compare_pair *pair, bool *known)
{
    const trilo_mesh *x = &a->model->meshes[pair->from.mesh], *y = &b->model->meshes[pair->to.mesh];
    double u[4], v[4], largest = 0;
    *known = x->uvs && y->uvs;
    if (!*known)
        return 0;
    compare_weigh(x, pair->from.triangle, tl_compare_middle, x->uvs[0], 2, u);
    compare_weigh(y, pair->to.triangle, pair->weights, y->uvs[0], 2, v);
    for (int i = 0; i < 2; i++) {
        const double difference = u[i] - v[i], rest = fabs(difference - floor(difference + 0.5));
        largest = rest > largest ? rest : largest;
    }
    return largest;
}

/* The largest difference of a component; a mesh without colours is white. */
static double compare_color(const compare_side *a, const compare_side *b, const compare_pair *pair)
{
    const trilo_mesh *x = &a->model->meshes[pair->from.mesh], *y = &b->model->meshes[pair->to.mesh];
    double p[4] = {1, 1, 1, 1}, q[4] = {1, 1, 1, 1}, largest = 0;
    if (x->colors)
        compare_weigh(x, pair->from.triangle, tl_compare_middle, x->colors[0], 4, p);
    if (y->colors)
        compare_weigh(y, pair->to.triangle, pair->weights, y->colors[0], 4, q);
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(p[i] - q[i]));
    return largest;
}

static void compare_attributes(const compare_side *a, const compare_side *b, const compare_pair *pair,
                               trilo_model_deviation *deviation)
{
    const trilo_mesh *x = &a->model->meshes[pair->from.mesh], *y = &b->model->meshes[pair->to.mesh];
    double p[4], q[4];
    bool known;
    const double uv = compare_uv(a, b, pair, &known);
    if (known)
        compare_add(&deviation->uv, uv);
    if (x->colors || y->colors)
        compare_add(&deviation->color, compare_color(a, b, pair));
    /* Those of a mesh without normals are 0. */
    compare_weigh(x, pair->from.triangle, tl_compare_middle, a->normals[pair->from.mesh][0], 3, p);
    compare_weigh(y, pair->to.triangle, pair->weights, b->normals[pair->to.mesh][0], 3, q);
    const double lengths = sqrt(compare_dot(p, p) * compare_dot(q, q));
    if (lengths > 0) {
        const double cosine = compare_dot(p, q) / lengths;
        compare_add(&deviation->normal, tl_acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine) * (180 / TL_PI));
    }
}

/* ---- counterparts ---- */

/* True if the other model has the same corner, by index and by position. */
static bool compare_has_same(const compare_side *a, const compare_side *b, trilo_face face, uint32_t corner)
{
    const trilo_mesh *other = face.mesh < b->model->mesh_count ? &b->model->meshes[face.mesh] : NULL;
    if (!other || other->topology != TRILO_TOPOLOGY_TRIANGLES || face.triangle >= other->index_count / 3)
        return false;
    const uint32_t at = 3 * face.triangle + corner;
    const float *x = a->positions[face.mesh][a->model->meshes[face.mesh].indices[at]],
                *y = b->positions[face.mesh][other->indices[at]];
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

static void compare_weights_of(const compare_side *side, trilo_face face, const double point[3], float weights[3])
{
    const trilo_mesh *mesh = &side->model->meshes[face.mesh];
    const uint32_t *corners = &mesh->indices[3 * face.triangle];
    double whole[3], areas[3];
    compare_facing(side, face, whole);
    const double square = compare_dot(whole, whole);
    for (int i = 0; i < 3; i++) { /* areas of the triangles between the point and the edges */
        const float *b = side->positions[face.mesh][corners[(i + 1) % 3]],
                    *c = side->positions[face.mesh][corners[(i + 2) % 3]];
        double u[3], v[3], n[3];
        for (int k = 0; k < 3; k++) {
            u[k] = (double)b[k] - point[k];
            v[k] = (double)c[k] - point[k];
        }
        for (int k = 0; k < 3; k++)
            n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        areas[i] = square > 0 ? compare_dot(n, whole) / square : 1.0 / 3;
    }
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        areas[i] = areas[i] < 0 ? 0 : areas[i];
        sum += areas[i];
    }
    for (int i = 0; i < 3; i++)
        weights[i] = (float)(areas[i] / sum); /* which is not below 1 */
}

/* As trilo_faces_keep, until there is no room. */
static bool compare_keep_near(void *faces, const trilo_face *found, uint32_t count)
{
    const trilo_faces *to = faces;
    return trilo_faces_keep(faces, found, count) && to->count < to->room;
}

/* Most models that are compared have the same triangles in the same order: the counterpart is that of the same number
 * if it lies there, faces the same way and has the same texture coordinates. */
static bool compare_is_same(const compare_side *a, const compare_side *b, trilo_face face, compare_pair *pair)
{
    double facing[3];
    bool known;
    if (!compare_has_same(a, b, face, 0) || !compare_has_same(a, b, face, 1) || !compare_has_same(a, b, face, 2))
        return false;
    *pair = (compare_pair){face, face, {tl_compare_middle[0], tl_compare_middle[1], tl_compare_middle[2]}, true};
    compare_facing(a, face, facing);
    pair->found = compare_dot(facing, facing) > 0 && compare_uv(a, b, pair, &known) == 0;
    return pair->found;
}

/* How far corners of two triangles are apart at most, in the order that fits best. */
static double compare_corners(const compare_side *a, const compare_side *b, trilo_face from, trilo_face to)
{
    const uint32_t *x = a->model->meshes[from.mesh].indices + 3 * (size_t)from.triangle,
                   *y = b->model->meshes[to.mesh].indices + 3 * (size_t)to.triangle;
    double best = HUGE_VAL;
    for (uint32_t rotation = 0; rotation < 3; rotation++) {
        double largest = 0;
        for (uint32_t i = 0; i < 3; i++) {
            const float *p = a->positions[from.mesh][x[i]], *q = b->positions[to.mesh][y[(i + rotation) % 3]];
            const double d[3] = {(double)p[0] - (double)q[0], (double)p[1] - (double)q[1], (double)p[2] - (double)q[2]};
            largest = fmax(largest, sqrt(compare_dot(d, d)));
        }
        best = fmin(best, largest);
    }
    return best;
}

/* The triangle that the middle of `from` lies on. Where positions were rounded, that may be a neighbour: a triangle
 * with the same corners comes first, middle on middle. Where several lie on each other (front and back, decals), the
 * one that faces the same way, then the one with the nearest texture coordinates. */
static void compare_find(const compare_side *a, const compare_side *b, const trilo_query *query, trilo_face from,
                         double tolerance, compare_pair *pair)
{
    double middle[4], facing[3];
    trilo_hit hit;
    trilo_face rows[COMPARE_NEIGHBOURS];
    trilo_faces near = {rows, COMPARE_NEIGHBOURS, 0};
    *pair = (compare_pair){.from = from};
    tl_compare_point(a, from, tl_compare_middle, middle);
    compare_facing(a, from, facing);
    const trilo_vec3 point = {(float)middle[0], (float)middle[1], (float)middle[2]};
    if (compare_is_same(a, b, from, pair) || !(compare_dot(facing, facing) > 0) ||
        !tl_query_near_point(query, point, 0, COMPARE_NODES, &hit))
        return;
    pair->found = true;
    pair->to = hit.face;
    memcpy(pair->weights, hit.weights, sizeof pair->weights);
    trilo_query_sphere(query, point, (float)(hit.distance + tolerance), compare_keep_near, &near);
    double best = HUGE_VAL;
    for (uint32_t i = 0; i < near.count && i < COMPARE_NEIGHBOURS; i++) {
        compare_pair other = {.from = from, .to = rows[i], .found = true};
        double theirs[3];
        bool known;
        compare_facing(b, rows[i], theirs);
        const double corners = compare_corners(a, b, from, rows[i]);
        const bool same = corners <= tolerance;
        compare_weights_of(b, rows[i], middle, other.weights);
        if (same)
            memcpy(other.weights, tl_compare_middle, sizeof other.weights);
        const double lengths = sqrt(compare_dot(facing, facing) * compare_dot(theirs, theirs));
        const double deviation = lengths > 0 ? 10 * (1 - compare_dot(facing, theirs) / lengths) : 100;
        const double score =
            (same ? corners / tolerance + (deviation > 10 ? 10 : 0) + compare_color(a, b, &other) : 1000 + deviation) +
            compare_uv(a, b, &other, &known);
        if (score < best) {
            best = score;
            *pair = other;
        }
    }
}

/* ---- models ---- */

static bool compare_make_query(const compare_side *side, const trilo_memory *memory, trilo_query **query,
                               tl_arena *arena, trilo_error *err)
{
    trilo_points *points = tl_array(arena, side->model->mesh_count, sizeof *points);
    if (!points)
        return tl_fail_memory(err);
    for (uint32_t i = 0; i < side->model->mesh_count; i++)
        points[i] = (trilo_points)side->positions[i];
    *query = trilo_query_new(side->model, points, memory, err);
    return *query != NULL;
}

static void compare_vertices(const compare_side *from, const compare_side *to, const trilo_query *query,
                             trilo_deviation *deviation)
{
    for (uint32_t i = 0; i < from->model->mesh_count; i++) {
        const trilo_mesh *mesh = &from->model->meshes[i];
        for (uint32_t k = 0; mesh->topology == TRILO_TOPOLOGY_TRIANGLES && k + 2 < mesh->index_count; k += 3) {
            double facing[3];
            compare_facing(from, (trilo_face){i, k / 3}, facing);
            for (uint32_t corner = 0; compare_dot(facing, facing) > 0 && corner < 3; corner++) {
                const float *p = from->positions[i][mesh->indices[k + corner]];
                trilo_hit hit;
                if (compare_has_same(from, to, (trilo_face){i, k / 3}, corner))
                    compare_add(deviation, 0);
                else if (tl_query_near_point(query, (trilo_vec3){p[0], p[1], p[2]}, 0, COMPARE_NODES, &hit))
                    compare_add(deviation, (double)hit.distance);
            }
        }
    }
}

static uint64_t compare_count(const compare_side *side)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < side->model->mesh_count; i++) {
        const trilo_mesh *mesh = &side->model->meshes[i];
        for (uint32_t k = 0; mesh->topology == TRILO_TOPOLOGY_TRIANGLES && k + 2 < mesh->index_count; k += 3) {
            double facing[3];
            compare_facing(side, (trilo_face){i, k / 3}, facing);
            count += compare_dot(facing, facing) > 0;
        }
    }
    return count;
}

bool tl_compare_prepare(compare_work *work, const trilo_model *a, const trilo_model *b, bool normals,
                        const trilo_memory *memory, trilo_error *err)
{
    *work = (compare_work){.scale = unit_length(a) / unit_length(b)};
    tl_arena_init(&work->arena, memory);
    if (!tl_model_check(a, memory, err) || !tl_model_check(b, memory, err))
        return false;
    if (!compare_begin(&work->a, a, 1, normals, &work->arena) ||
        !compare_begin(&work->b, b, work->scale, normals, &work->arena))
        return tl_fail_memory(err);
    const trilo_bounds box = trilo_model_bounds(a);
    const double size = (double)box.max.x - (double)box.min.x + (double)box.max.y - (double)box.min.y +
                        (double)box.max.z - (double)box.min.z;
    /* Formats of the console round positions: the counterpart is not always the nearest triangle. */
    work->tolerance = a->format != b->format ? unit_length(a) / TRILO_N64_UNITS_PER_METER
                      : size > 0             ? size * 1e-5
                                             : 1e-5;
    return true;
}

void tl_compare_end(compare_work *work)
{
    trilo_query_free(work->to_a);
    trilo_query_free(work->to_b);
    tl_arena_free(&work->arena);
}

bool tl_compare_pairs(compare_work *work, const trilo_memory *memory, trilo_error *err)
{
    const trilo_model *a = work->a.model;
    size_t count = 0;
    for (uint32_t i = 0; i < a->mesh_count; i++)
        count += a->meshes[i].topology == TRILO_TOPOLOGY_TRIANGLES ? a->meshes[i].index_count / 3 : 0;
    work->pairs = TL_ARRAY(&work->arena, count, compare_pair);
    if (!work->pairs)
        return tl_fail_memory(err);
    for (uint32_t i = 0; i < a->mesh_count; i++)
        for (uint32_t k = 0; a->meshes[i].topology == TRILO_TOPOLOGY_TRIANGLES && k < a->meshes[i].index_count / 3;
             k++) {
            compare_pair *pair = &work->pairs[work->pair_count];
            const trilo_face face = {i, k};
            /* The tree takes longer than all the rest: only where it is needed. */
            if (!compare_is_same(&work->a, &work->b, face, pair)) {
                if (!work->to_b && !compare_make_query(&work->b, memory, &work->to_b, &work->arena, err))
                    return false;
                compare_find(&work->a, &work->b, work->to_b, face, work->tolerance, pair);
            }
            work->pair_count += pair->found;
        }
    return true;
}

bool trilo_model_compare(const trilo_model *a, const trilo_model *b, const trilo_memory *memory,
                         trilo_model_deviation *deviation, trilo_error *err)
{
    compare_work work;
    const bool ok = tl_compare_prepare(&work, a, b, true, memory, err) &&
                    compare_make_query(&work.a, memory, &work.to_a, &work.arena, err) &&
                    compare_make_query(&work.b, memory, &work.to_b, &work.arena, err);
    *deviation = (trilo_model_deviation){.scale = work.scale};
    for (uint32_t i = 0; ok && i < a->mesh_count; i++)
        for (uint32_t k = 0; a->meshes[i].topology == TRILO_TOPOLOGY_TRIANGLES && k < a->meshes[i].index_count / 3;
             k++) {
            compare_pair pair;
            double mine[3], theirs[3];
            compare_find(&work.a, &work.b, work.to_b, (trilo_face){i, k}, work.tolerance, &pair);
            if (!pair.found)
                continue;
            compare_facing(&work.a, pair.from, mine);
            compare_facing(&work.b, pair.to, theirs);
            deviation->reversed += compare_dot(mine, theirs) < 0;
            compare_attributes(&work.a, &work.b, &pair, deviation);
        }
    if (ok) {
        deviation->triangles[0] = compare_count(&work.a);
        deviation->triangles[1] = compare_count(&work.b);
        compare_vertices(&work.a, &work.b, work.to_b, &deviation->distance);
        compare_vertices(&work.b, &work.a, work.to_a, &deviation->distance);
    }
    compare_finish(&deviation->distance);
    compare_finish(&deviation->uv);
    compare_finish(&deviation->color);
    compare_finish(&deviation->normal);
    tl_compare_end(&work);
    return ok;
}
