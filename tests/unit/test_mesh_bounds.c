/* Bounds of meshes and models: the same bits as vertex by vertex, whatever the vertices are. */
#include "harness.h"
#include "model/bounds.h"

#include "base/vec.h"
#include <math.h>
#include <string.h>
#include <trilobite/model.h>

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Mostly near 0, sometimes a zero of either sign, and rarely not finite. */
static float component(uint32_t *seed)
{
    static const float rare[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 1e38f, -1e38f, 1e-40f};
    const uint32_t which = chance(seed, 64);
    return which < 8 ? rare[which] : (float)chance(seed, 2001) / 100 - 10;
}

static trilo_bounds plain_bounds(const float (*positions)[3], uint32_t count, const trilo_mat4 *world)
{
    trilo_bounds bounds = tl_bounds_empty();
    for (uint32_t i = 0; i < count; i++) {
        const trilo_vec3 at = {positions[i][0], positions[i][1], positions[i][2]};
        tl_bounds_add(&bounds, world ? tl_mat4_point(world, at) : at);
    }
    return bounds;
}

TEST(as_vertex_by_vertex)
{
    uint32_t seed = 7;
    for (uint32_t round = 0; round < 2000; round++) {
        const uint32_t count = chance(&seed, 12);
        float positions[12][3];
        for (uint32_t i = 0; i < 3 * count; i++)
            positions[i / 3][i % 3] = component(&seed);
        trilo_node node = {.parent = TRILO_NONE, .local = tl_mat4_identity()};
        for (int i = 0; round % 3 && i < 15; i++)
            node.local.m[i] = i % 4 < 3 ? (float)chance(&seed, 401) / 100 - 2 : 0;
        trilo_mesh mesh = {.positions = (const float(*)[3])positions, .vertex_count = count, .skin = TRILO_NONE};
        const trilo_model model = {.meshes = &mesh, .mesh_count = 1, .nodes = &node, .node_count = 1};
        const trilo_bounds own = trilo_mesh_bounds(&mesh), moved = trilo_model_bounds(&model);
        const trilo_bounds plain = plain_bounds(mesh.positions, count, NULL);
        const trilo_bounds plain_moved = plain_bounds(mesh.positions, count, &node.local);
        CHECK(memcmp(&own, &plain, sizeof own) == 0);
        CHECK(memcmp(&moved, &plain_moved, sizeof moved) == 0);
    }
}

TEST(the_last_vertex_counts)
{
    static const float positions[3][3] = {{0, 0, 0}, {1, 2, 3}, {-4, 5, -6}};
    const trilo_mesh mesh = {.positions = positions, .vertex_count = 3, .skin = TRILO_NONE, .node = TRILO_NONE};
    const trilo_bounds b = trilo_mesh_bounds(&mesh);
    CHECK(b.min.x == -4 && b.min.y == 0 && b.min.z == -6);
    CHECK(b.max.x == 1 && b.max.y == 5 && b.max.z == 3);
}

TEST_MAIN(CASE(as_vertex_by_vertex), CASE(the_last_vertex_counts))
