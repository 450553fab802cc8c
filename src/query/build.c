/* Building the BVH over triangles, and refitting it to another pose. */
#include "base/bytes.h"
#include "base/report.h"
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/check.h"
#include "query/query.h"

#include <string.h>

/* Every triangle has a box of its own: overlap queries then skip most triangles. */
enum { QUERY_MAX_LEAF = 1 };

/* The vertices of each mesh in a pose. */
typedef struct query_pose {
    const trilo_model *model;
    const trilo_points *positions; /* NULL: none */
    const trilo_mat4 *worlds;      /* of the nodes; NULL: meshes without positions stay as they are */
} query_pose;

/* ---- triangles ---- */

const trilo_mat4 *tl_rest_world(const trilo_mesh *mesh, const trilo_mat4 *worlds)
{
    return mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE ? &worlds[mesh->node] : NULL;
}

/* The corners of a face in the pose, and its box. */
static tl_box query_pose_face(const query_pose *p, trilo_face *face, float corners[9])
{
    const uint32_t triangle = face->triangle & ~TL_FACE_NOT_FINITE;
    const trilo_mesh *mesh = &p->model->meshes[face->mesh];
    const uint32_t *indices = mesh->indices + 3 * (size_t)triangle;
    const trilo_points points = p->positions ? p->positions[face->mesh] : NULL;
    const trilo_mat4 *world = points ? NULL : tl_rest_world(mesh, p->worlds);
    for (int k = 0; k < 3; k++) {
        const float *from = points ? points[indices[k]] : mesh->positions[indices[k]];
        trilo_vec3 at = {from[0], from[1], from[2]};
        if (world)
            at = tl_mat4_point(world, at);
        corners[3 * k] = at.x, corners[3 * k + 1] = at.y, corners[3 * k + 2] = at.z;
    }
    face->triangle = triangle;
    bool finite = true;
    for (int i = 0; i < 9; i++)
        finite = finite && tl_is_finite(corners[i]);
    if (finite)
        return tl_triangle_box(corners);
    face->triangle |= TL_FACE_NOT_FINITE;
    return tl_box_empty();
}

static uint32_t query_triangle_count(const trilo_mesh *mesh)
{
    return mesh->topology == TRILO_TOPOLOGY_TRIANGLES ? mesh->index_count / 3 : 0;
}

/* ---- building ---- */

/* Parents come before their children. */
trilo_mat4 *tl_rest_worlds(tl_arena *arena, const trilo_model *model)
{
    trilo_mat4 *worlds = tl_array_raw(arena, model->node_count, sizeof *worlds);
    for (uint32_t i = 0; worlds && i < model->node_count; i++) {
        const trilo_node *node = &model->nodes[i];
        worlds[i] = node->parent == TRILO_NONE ? node->local : tl_mat4_mul(&worlds[node->parent], &node->local);
    }
    return worlds;
}

/* Faces and corners are allocated already; the nodes come last, since their number is not known before. Both arenas
 * together stay below the limit. */
static bool query_build(trilo_query *query, const trilo_points *positions, tl_arena *scratch)
{
    const size_t count = query->face_count;
    const query_pose p = {query->model, positions, tl_rest_worlds(scratch, query->model)};
    trilo_face *faces = tl_array_raw(scratch, count, sizeof *faces);
    tl_box_ref *refs = tl_array_raw(scratch, count, sizeof *refs);
    tl_bvh_box_node *nodes = tl_array_raw(scratch, tl_bvh_max_nodes(query->face_count), sizeof *nodes);
    if (!p.worlds || !faces || !refs || !nodes)
        return false;
    for (uint32_t m = 0, made = 0; m < p.model->mesh_count; m++)
        for (uint32_t t = 0; t < query_triangle_count(&p.model->meshes[m]); t++, made++) {
            float corners[9];
            trilo_face face = {m, t};
            refs[made] = (tl_box_ref){query_pose_face(&p, &face, corners), made};
            faces[made] = (trilo_face){m, t};
        }
    query->node_count = tl_bvh_build(refs, query->face_count, QUERY_MAX_LEAF, TL_BVH_MAX_DEPTH, nodes);
    for (uint32_t i = 0; i < query->face_count; i++) { /* in the order of the leaves */
        query->faces[i] = faces[refs[i].item];
        query_pose_face(&p, &query->faces[i], query->corners[i]);
        query->not_finite += tl_face_not_finite(&query->faces[i]) ? 1 : 0;
    }
    query->arena.left = scratch->left;
    const size_t size = query->node_count * sizeof *nodes;
    char *room = tl_array_raw(&query->arena, size + TL_CACHE_LINE, 1);
    if (!room)
        return false;
    room += (TL_CACHE_LINE - (uintptr_t)room % TL_CACHE_LINE) % TL_CACHE_LINE;
    query->nodes = (tl_bvh_box_node *)(void *)room;
    memcpy(room, nodes, size);
    return true;
}

static trilo_query *query_alloc(const trilo_model *model, uint32_t count, const trilo_memory *memory)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    trilo_query *query = TL_NEW(&arena, trilo_query);
    if (!query)
        return NULL; /* and there is no block to free */
    *query = (trilo_query){.arena = arena, .model = model, .face_count = count};
    query->faces = tl_array_raw(&query->arena, count, sizeof *query->faces);
    query->corners = tl_array_raw(&query->arena, count, sizeof *query->corners);
    if (query->faces && query->corners)
        return query;
    trilo_query_free(query);
    return NULL;
}

trilo_query *trilo_query_new(const trilo_model *model, const trilo_points *positions, const trilo_memory *memory,
                             trilo_error *err)
{
    uint64_t count = 0;
    if (!tl_model_check(model, memory, err))
        return NULL;
    for (uint32_t m = 0; m < model->mesh_count; m++)
        count += query_triangle_count(&model->meshes[m]);
    if (count >= TL_FACE_NOT_FINITE) {
        tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                "more than 2^31 triangles, a query can have no more");
        return NULL;
    }
    trilo_query *query = query_alloc(model, (uint32_t)count, memory);
    if (query) {
        tl_arena scratch;
        tl_arena_init(&scratch, memory);
        scratch.left = query->arena.left;
        const bool built = query_build(query, positions, &scratch);
        tl_arena_free(&scratch);
        if (built)
            return query;
        trilo_query_free(query);
    }
    tl_fail_memory(err);
    return NULL;
}

void trilo_query_free(trilo_query *query)
{
    if (query)
        tl_arena_free(&query->arena);
}

/* ---- refitting ---- */

static void query_refit_leaves(trilo_query *query)
{
    struct {
        uint32_t node, first;
    } stack[TL_BVH_MAX_DEPTH + 1] = {{TL_BVH_ROOT, 0}};
    for (uint32_t depth = query->node_count > 0 ? 1 : 0; depth > 0;) {
        const uint32_t first = stack[--depth].first;
        tl_bvh_box_node *node = &query->nodes[stack[depth].node];
        if (node->child == 0) {
            node->box = tl_box_empty();
            for (uint32_t i = first; i < first + node->count; i++) {
                const tl_box one = tl_triangle_box(query->corners[i]);
                if (!tl_face_not_finite(&query->faces[i]))
                    tl_box_add(&node->box, &one);
            }
            continue;
        }
        stack[depth].node = node->child + 1;
        stack[depth++].first = first + query->nodes[node->child].count;
        stack[depth].node = node->child;
        stack[depth++].first = first;
    }
}

void trilo_query_refit(trilo_query *query, const trilo_points *positions)
{
    const query_pose p = {.model = query->model, .positions = positions};
    query->not_finite = 0;
    for (uint32_t i = 0; i < query->face_count; i++) {
        trilo_face *face = &query->faces[i];
        if (positions && positions[face->mesh])
            query_pose_face(&p, face, query->corners[i]);
        query->not_finite += tl_face_not_finite(face) ? 1 : 0;
    }
    query_refit_leaves(query);
    for (uint32_t i = query->node_count; i-- > TL_BVH_ROOT;) { /* backwards, children come before their parents */
        tl_bvh_box_node *node = &query->nodes[i];
        if (node->child == 0)
            continue;
        node->box = query->nodes[node->child].box;
        tl_box_add(&node->box, &query->nodes[node->child + 1].box);
    }
}

trilo_bounds trilo_query_bounds(const trilo_query *query)
{
    const tl_box empty = tl_box_empty();
    return tl_box_bounds(query->node_count > 0 ? &query->nodes[TL_BVH_ROOT].box : &empty);
}
