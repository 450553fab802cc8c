#include "model/bounds.h"
#include "base/strict_float.h"

#include "base/bytes.h"
#include "base/float4.h"
#include "base/lanes.h"
#include "base/vec.h"
#include <float.h>

trilo_bounds tl_bounds_empty(void)
{
    return (trilo_bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

bool tl_bounds_is_empty(const trilo_bounds *b)
{
    return !(b->min.x <= b->max.x && b->min.y <= b->max.y && b->min.z <= b->max.z);
}

static void bounds_extend(float value, float *min, float *max)
{
    if (value < *min)
        *min = value;
    if (value > *max)
        *max = value;
}

void tl_bounds_add(trilo_bounds *b, trilo_vec3 p)
{
    if (!tl_is_finite(p.x) || !tl_is_finite(p.y) || !tl_is_finite(p.z))
        return;
    bounds_extend(p.x, &b->min.x, &b->max.x);
    bounds_extend(p.y, &b->min.y, &b->max.y);
    bounds_extend(p.z, &b->min.z, &b->max.z);
}

trilo_vec3 tl_bounds_center(const trilo_bounds *b)
{
    return (trilo_vec3){(b->min.x + b->max.x) * 0.5f, (b->min.y + b->max.y) * 0.5f, (b->min.z + b->max.z) * 0.5f};
}

float tl_bounds_longest(const trilo_bounds *b)
{
    float x = b->max.x - b->min.x, y = b->max.y - b->min.y, z = b->max.z - b->min.z;
    float longest = x > y ? x : y;
    return longest > z ? longest : z;
}

trilo_mat4 tl_node_world(const trilo_model *model, uint32_t node)
{
    trilo_mat4 world = tl_mat4_identity();
    for (; node != TRILO_NONE; node = model->nodes[node].parent)
        world = tl_mat4_mul(&model->nodes[node].local, &world);
    return world;
}

/* x, y and z in the first lanes; the last one does not count. */
typedef struct bounds_lanes {
    tl_float4 min, max;
} bounds_lanes;

/* Vertices with a component that is not finite do not count. */
static inline void bounds_add_lanes(bounds_lanes *b, tl_float4 p)
{
    enum { XYZ = 7 };
    if ((tl_float4_at_most(tl_float4_abs(p), tl_float4_all(FLT_MAX)) & XYZ) != XYZ)
        return;
    b->min = tl_float4_min(p, b->min); /* of equal ones the first: zeros may have different signs */
    b->max = tl_float4_max(p, b->max);
}

static tl_float4 bounds_vector(trilo_vec3 v)
{
    return tl_float4_load((const float[4]){v.x, v.y, v.z, 0});
}

/* The same as with tl_mat4_point, with x and y in lanes. */
static void bounds_add_transformed(bounds_lanes *b, const trilo_mesh *mesh, const float m[16])
{
    const tl_double2 axes[4] = {tl_double2_of(m), tl_double2_of(m + 4), tl_double2_of(m + 8), tl_double2_of(m + 12)};
    const double depths[4] = {m[2], m[6], m[10], m[14]};
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const double x = mesh->positions[i][0], y = mesh->positions[i][1], z = mesh->positions[i][2];
        const tl_double2 xy = axes[0] * x + axes[1] * y + axes[2] * z + axes[3];
        const double depth = depths[0] * x + depths[1] * y + depths[2] * z + depths[3];
        bounds_add_lanes(b, tl_float4_load((const float[4]){(float)xy[0], (float)xy[1], (float)depth, 0}));
    }
}

static void bounds_add_mesh(trilo_bounds *bounds, const trilo_mesh *mesh, const trilo_mat4 *world)
{
    bounds_lanes b = {bounds_vector(bounds->min), bounds_vector(bounds->max)};
    const uint32_t count = mesh->vertex_count;
    if (world)
        bounds_add_transformed(&b, mesh, world->m);
    for (uint32_t i = 0; !world && i + 1 < count; i++) /* each is followed by the next */
        bounds_add_lanes(&b, tl_float4_load(mesh->positions[i]));
    if (!world && count > 0)
        bounds_add_lanes(&b, bounds_vector((trilo_vec3){mesh->positions[count - 1][0], mesh->positions[count - 1][1],
                                                        mesh->positions[count - 1][2]}));
    float out[2][4];
    tl_float4_store(out[0], b.min);
    tl_float4_store(out[1], b.max);
    *bounds = (trilo_bounds){{out[0][0], out[0][1], out[0][2]}, {out[1][0], out[1][1], out[1][2]}};
}

trilo_bounds trilo_mesh_bounds(const trilo_mesh *mesh)
{
    trilo_bounds bounds = tl_bounds_empty();
    bounds_add_mesh(&bounds, mesh, NULL);
    return bounds;
}

trilo_bounds trilo_model_bounds(const trilo_model *model)
{
    trilo_bounds bounds = tl_bounds_empty();
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        const bool rigid = mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE;
        const trilo_mat4 world = tl_node_world(model, rigid ? mesh->node : TRILO_NONE);
        bounds_add_mesh(&bounds, mesh, rigid ? &world : NULL);
    }
    return bounds;
}

uint32_t trilo_clip_find(const trilo_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (model->clips[i].name.data && strcmp(model->clips[i].name.data, name) == 0)
            return i;
    uint32_t number = 0;
    for (const char *p = name; *p; p++) {
        if (*p < '0' || *p > '9' || number > 99999999)
            return TRILO_NONE;
        number = number * 10 + (uint32_t)(*p - '0');
    }
    return *name && number < model->clip_count ? number : TRILO_NONE;
}
