#include "model/bounds.h"
#include "base/strict_float.h"

#include "base/bytes.h"
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

static void bounds_add_mesh(trilo_bounds *bounds, const trilo_mesh *mesh, const trilo_mat4 *world)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const trilo_vec3 at = {mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]};
        const trilo_vec3 p = world ? tl_mat4_point(world, at) : at, low = bounds->min, high = bounds->max;
        /* Most vertices are inside of what is there already. */
        if (!(p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z))
            tl_bounds_add(bounds, p);
    }
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
