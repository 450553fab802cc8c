/* Which vertices follow which bone.
 *
 * A vertex follows one bone. An error in a channel moves the vertices of its bone and of all bones below it: those of a
 * rotation by up to 2 * sin(angle / 2) times their distance from the bone, the bone's radius; those of a translation by
 * the error times the scale of the bones above. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/hash_table.h"
#include "base/vec.h"
#include "model/bounds.h"
#include <math.h>
#include <string.h>

struct t3dm_skin_samples {
    uint32_t bone_count;
    uint32_t *first;     /* point of each bone; one more entry is the number of all points */
    trilo_vec3 *points;  /* in the space of the bone, in units of the file */
    trilo_bounds *boxes; /* of each bone's points */
    double *bone_radius; /* distance of the farthest point that the bone rotates */
    double *world_scale; /* of the space that the bone's translation is in */
    double model_size;   /* diagonal of the model's bounding box in the rest pose */
    t3dm_bone_points *bones;
};

static trilo_vec3 box_corner(const trilo_bounds *box, int corner)
{
    return (trilo_vec3){corner & 1 ? box->max.x : box->min.x, corner & 2 ? box->max.y : box->min.y,
                        corner & 4 ? box->max.z : box->min.z};
}

/* Most vertices have the joints and weights of the one before. */
static inline bool is_bound_as_before(const trilo_mesh *mesh, uint32_t v)
{
    return v > 0 && mesh->skin != TRILO_NONE && mesh->weights &&
           memcmp(mesh->weights[v], mesh->weights[v - 1], sizeof *mesh->weights) == 0 &&
           memcmp(mesh->joints[v], mesh->joints[v - 1], sizeof *mesh->joints) == 0;
}

/* Points sorted by bone: a counting sort. Those that follow no bone are only in `fixed`. Boxes are only needed for a
 * tolerance. */
static bool collect_skin_samples(t3dm_encoder *e, t3dm_skin_samples *s, trilo_bounds *fixed)
{
    const bool boxed = e->policy.has_tolerance;
    const double scale = e->policy.scale;
    size_t vertex_count = 0, vertex = 0;
    for (uint32_t i = 0; i < e->mesh_count; i++)
        vertex_count += e->model->meshes[e->meshes[i]].vertex_count;
    const t3dm_binding **bindings = tl_array_raw(e->arena, vertex_count, sizeof *bindings); /* NULL: to no bone */
    if (!bindings)
        return false;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const trilo_mesh *mesh = &e->model->meshes[e->meshes[i]];
        for (uint32_t v = 0; v < mesh->vertex_count; v++, vertex++) {
            bindings[vertex] =
                is_bound_as_before(mesh, v) ? bindings[vertex - 1] : tl_t3dm_vertex_binding(e, mesh, v, NULL);
            if (bindings[vertex] && bindings[vertex]->bone < s->bone_count)
                s->first[bindings[vertex]->bone + 1]++;
        }
    }
    for (uint32_t b = 0; b < s->bone_count; b++)
        s->first[b + 1] += s->first[b];
    uint32_t *stored = TL_ARRAY(e->arena, s->bone_count, uint32_t);
    s->points = tl_array_raw(e->arena, s->first[s->bone_count], sizeof *s->points);
    if (!stored || !s->points)
        return false;
    vertex = 0;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const trilo_mesh *mesh = &e->model->meshes[e->meshes[i]];
        for (uint32_t v = 0; v < mesh->vertex_count; v++, vertex++) {
            const t3dm_binding *binding = bindings[vertex];
            const bool follows = binding && binding->bone < s->bone_count;
            if (!follows && !boxed)
                continue;
            const trilo_vec3 from = {mesh->positions[v][0], mesh->positions[v][1], mesh->positions[v][2]};
            const trilo_vec3 p = binding ? tl_mat4_point(&binding->points, from) : from;
            const trilo_vec3 point = {(float)(p.x * scale), (float)(p.y * scale), (float)(p.z * scale)};
            if (boxed)
                tl_bounds_add(follows ? &s->boxes[binding->bone] : fixed, point);
            if (follows)
                s->points[s->first[binding->bone] + stored[binding->bone]++] = point;
        }
    }
    return true;
}

/* By their bits. */
static int compare_points(const void *rows, uint32_t a, uint32_t b)
{
    const trilo_vec3 *points = rows;
    uint32_t p[3], q[3];
    memcpy(p, &points[a], sizeof p);
    memcpy(q, &points[b], sizeof q);
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return 0;
}

static double vector_length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

/* In the rest pose, from the boxes around what follows each bone or one below it: children come after their parents.
 */
static void measure_bones(const t3dm_encoder *e, t3dm_skin_samples *s, trilo_mat4 *worlds, trilo_bounds *subtrees,
                          trilo_bounds *model)
{
    double largest = 0;
    for (uint32_t b = 0; b < s->bone_count; b++) {
        const t3dm_bone *bone = &e->file->bones[b];
        const float *t = bone->position, *r = bone->rotation, *k = bone->scale;
        worlds[b] = tl_mat4_from_trs((trilo_vec3){t[0], t[1], t[2]}, (trilo_quat){r[0], r[1], r[2], r[3]},
                                     (trilo_vec3){k[0], k[1], k[2]});
        s->world_scale[b] = bone->parent < b ? 0 : 1;
        if (bone->parent < b) {
            const trilo_mat4 *parent = &worlds[bone->parent];
            for (const float *axis = parent->m; axis < parent->m + 12; axis += 4)
                s->world_scale[b] = fmax(s->world_scale[b], vector_length(axis[0], axis[1], axis[2]));
            worlds[b] = tl_mat4_mul(parent, &worlds[b]);
        }
        subtrees[b] = tl_bounds_empty();
        for (int i = 0; s->first[b] < s->first[b + 1] && i < 8; i++)
            tl_bounds_add(&subtrees[b], tl_mat4_point(&worlds[b], box_corner(&s->boxes[b], i)));
        for (uint32_t i = s->first[b]; i < s->first[b + 1]; i++)
            tl_bounds_add(model, tl_mat4_point(&worlds[b], s->points[i]));
    }
    if (!tl_bounds_is_empty(model))
        s->model_size = vector_length((double)model->max.x - model->min.x, (double)model->max.y - model->min.y,
                                      (double)model->max.z - model->min.z);
    for (uint32_t b = s->bone_count; b-- > 0;) {
        const uint32_t parent = e->file->bones[b].parent;
        const float *origin = worlds[b].m + 12;
        for (int i = 0; !tl_bounds_is_empty(&subtrees[b]) && i < 8; i++) {
            const trilo_vec3 c = box_corner(&subtrees[b], i);
            const double distance = vector_length(c.x - origin[0], c.y - origin[1], c.z - origin[2]);
            s->bone_radius[b] = fmax(s->bone_radius[b], distance);
            if (parent < b)
                tl_bounds_add(&subtrees[parent], c);
        }
        largest = fmax(largest, s->bone_radius[b]);
    }
    /* A game may attach things to a bone without vertices: it counts as if it had some nearby. */
    for (uint32_t b = 0; b < s->bone_count; b++)
        s->bone_radius[b] = fmax(s->bone_radius[b], largest / 8);
}

/* Around the middle of their bounding box. */
static t3dm_point_sphere sphere_around(const double (*points)[3], uint32_t count)
{
    double low[3], high[3];
    t3dm_point_sphere s = {.radius = 0};
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = count > 0 ? points[0][k] : 0;
        for (uint32_t i = 1; i < count; i++) {
            low[k] = points[i][k] < low[k] ? points[i][k] : low[k];
            high[k] = points[i][k] > high[k] ? points[i][k] : high[k];
        }
        s.center[k] = (low[k] + high[k]) / 2;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double x = points[i][0] - s.center[0], y = points[i][1] - s.center[1], z = points[i][2] - s.center[2];
        const double square = x * x + y * y + z * z;
        s.radius = square > s.radius ? square : s.radius;
    }
    s.radius = sqrt(s.radius);
    return s;
}

/* Corners of hard edges have the same position several times: one of them is enough to measure. */
static bool list_distinct_points(t3dm_encoder *e, t3dm_skin_samples *s)
{
    const uint32_t most = s->first[s->bone_count];
    double(*points)[3] = tl_array_raw(e->arena, most, sizeof *points);
    t3dm_point_sphere *groups = tl_array_raw(e->arena, (size_t)most / T3DM_POINT_GROUP + s->bone_count, sizeof *groups);
    tl_hash_table table;
    s->bones = TL_ARRAY(e->arena, s->bone_count, t3dm_bone_points);
    if (!points || !groups || !s->bones || !tl_hash_table_init(&table, e->arena, 64, compare_points, s->points))
        return false;
    for (uint32_t b = 0; b < s->bone_count; b++) {
        t3dm_bone_points *bone = &s->bones[b];
        if (!tl_hash_table_clear(&table, s->first[b + 1] - s->first[b]))
            return false;
        *bone = (t3dm_bone_points){.points = (const double(*)[3])points, .groups = groups};
        for (uint32_t i = s->first[b]; i < s->first[b + 1]; i++) {
            const trilo_vec3 p = s->points[i];
            const uint32_t same =
                tl_hash_table_add_inline(&table, compare_points, s->points, tl_hash_words(&p, sizeof p), i);
            if (same == TRILO_NONE)
                return false;
            if (same != i)
                continue;
            double *to = points[bone->count++];
            to[0] = p.x, to[1] = p.y, to[2] = p.z;
            const double square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
            bone->reach_squared = square > bone->reach_squared ? square : bone->reach_squared;
        }
        bone->sphere = sphere_around(bone->points, bone->count);
        for (uint32_t i = 0; i < bone->count; i += T3DM_POINT_GROUP)
            *groups++ = sphere_around(bone->points + i,
                                      bone->count - i < T3DM_POINT_GROUP ? bone->count - i : T3DM_POINT_GROUP);
        points += bone->count;
    }
    return true;
}

const t3dm_skin_samples *tl_t3dm_skin_samples_new(t3dm_encoder *e)
{
    const uint32_t count = e->file->skeleton.bone_count;
    t3dm_skin_samples *s = TL_NEW(e->arena, t3dm_skin_samples);
    trilo_mat4 *worlds = TL_ARRAY(e->arena, count, trilo_mat4);
    trilo_bounds *subtrees = TL_ARRAY(e->arena, count, trilo_bounds);
    if (!s || !worlds || !subtrees)
        return NULL;
    s->bone_count = count;
    s->first = TL_ARRAY(e->arena, (size_t)count + 1, uint32_t);
    s->boxes = TL_ARRAY(e->arena, count, trilo_bounds);
    s->bone_radius = TL_ARRAY(e->arena, count, double);
    s->world_scale = TL_ARRAY(e->arena, count, double);
    if (!s->first || !s->boxes || !s->bone_radius || !s->world_scale)
        return NULL;
    for (uint32_t b = 0; b < count; b++)
        s->boxes[b] = tl_bounds_empty();
    trilo_bounds model = tl_bounds_empty();
    if (!collect_skin_samples(e, s, &model) || !list_distinct_points(e, s))
        return NULL;
    if (e->policy.has_tolerance)
        measure_bones(e, s, worlds, subtrees, &model);
    return s;
}

const t3dm_bone_points *tl_t3dm_skin_sample_points(const t3dm_skin_samples *samples, uint32_t bone)
{
    return &samples->bones[bone];
}

double tl_t3dm_model_size(const t3dm_skin_samples *samples)
{
    return samples->model_size;
}

double tl_t3dm_error_per_unit(const t3dm_skin_samples *samples, const t3dm_curve *curve)
{
    const uint32_t bone = curve->mapping.bone;
    return curve->mapping.type == T3DM_TRANSLATION ? samples->world_scale[bone]
           : curve->mapping.type == T3DM_ROTATION  ? 2 * samples->bone_radius[bone]
                                                   : samples->bone_radius[bone];
}
