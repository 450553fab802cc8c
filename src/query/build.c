/* Building the BVH over triangles, and refitting it to another pose. */
#include "base/bytes.h"
#include "base/os.h"
#include "base/report.h"
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/check.h"
#include "query/query.h"

#include <string.h>

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

/* The corners of a face in the pose, and its box, which is empty where they are not finite. */
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

/* The same for a leaf; without positions or matrices, its faces stay where they are. */
static tl_box query_pose_leaf(trilo_query *query, const query_pose *p, uint32_t leaf)
{
    const uint32_t count = tl_query_leaf_count(leaf), first = tl_query_leaf_first(leaf);
    float *rows = tl_query_rows(query, leaf);
    tl_box box = tl_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        trilo_face *face = &query->faces[first + i];
        float corners[9];
        tl_box one;
        if (p->worlds || (p->positions && p->positions[face->mesh])) {
            one = query_pose_face(p, face, corners);
            for (uint32_t k = 0; k < 9; k++)
                rows[k * count + i] = corners[k];
        } else {
            tl_query_corners(query, leaf, first + i, corners);
            one = tl_face_not_finite(face) ? tl_box_empty() : tl_triangle_box(corners);
        }
        tl_box_add(&box, &one);
        query->not_finite += tl_face_not_finite(face) ? 1 : 0;
    }
    return box;
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

typedef struct query_slot {
    uint32_t source; /* its node in the tree of two children */
    uint32_t first;  /* face */
} query_slot;

/* Repeatedly replaces the child with the largest box by its own two children. */
static uint32_t query_slots_fill(const tl_bvh_box_node *source, query_slot slots[TL_QUERY_WIDTH])
{
    uint32_t used = 1;
    for (; used < TL_QUERY_WIDTH; used++) {
        uint32_t chosen = TRILO_NONE;
        double most = -1;
        for (uint32_t k = 0; k < used; k++) {
            const tl_bvh_box_node *node = &source[slots[k].source];
            const double area = node->child != 0 ? tl_box_area(&node->box) : -1;
            if (area > most)
                most = area, chosen = k;
        }
        if (chosen == TRILO_NONE)
            break;
        const uint32_t child = source[slots[chosen].source].child;
        memmove(slots + chosen + 1, slots + chosen, (used - chosen) * sizeof *slots);
        slots[chosen].source = child;
        slots[chosen + 1].source = child + 1;
        slots[chosen + 1].first += source[child].count;
    }
    return used;
}

/* Makes the wide tree from one of two children, or only counts its nodes and leaves. */
static void query_widen(trilo_query *query, const tl_bvh_box_node *source)
{
    struct {
        query_slot slot;
        uint32_t node;
    } stack[TL_QUERY_STACK] = {{{TL_BVH_ROOT, 0}, 0}};
    uint32_t depth = 1;
    query->node_count = 1;
    while (depth > 0) {
        query_slot slots[TL_QUERY_WIDTH] = {stack[--depth].slot};
        const uint32_t number = stack[depth].node, used = query_slots_fill(source, slots);
        tl_box boxes[TL_QUERY_WIDTH];
        tl_query_node node = {.unused = {0}};
        for (uint32_t k = 0; k < TL_QUERY_WIDTH; k++) {
            boxes[k] = tl_box_empty();
            node.child[k] = TL_QUERY_LEAF;
            if (k >= used)
                continue;
            const tl_bvh_box_node *from = &source[slots[k].source];
            boxes[k] = from->box;
            if (from->child != 0) {
                node.child[k] = query->node_count++;
                stack[depth].slot = slots[k];
                stack[depth++].node = node.child[k];
                continue;
            }
            node.child[k] = TL_QUERY_LEAF | from->count << TL_QUERY_COUNT_AT | slots[k].first;
        }
        if (!query->nodes)
            continue;
        tl_query_set_boxes(&node, boxes);
        query->nodes[number] = node;
    }
}

/* Rays read these arrays in no order, mostly a page each time. */
static void *query_array(trilo_query *query, size_t count, size_t each)
{
    void *array = tl_array_raw(&query->arena, count, each);
#if TL_HAVE_OS
    if (array)
        tl_os_advise_large_pages(array, count * each);
#endif
    return array;
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
    query->box = tl_box_empty();
    query->arena.left = scratch->left;
    if (tl_bvh_build(refs, query->face_count, TL_QUERY_FACES, TL_BVH_MAX_DEPTH, nodes) == 0)
        return true;
    for (uint32_t i = 0; i < query->face_count; i++) /* in the order of the leaves */
        query->faces[i] = faces[refs[i].item];
    query_widen(query, nodes);
    char *room = query_array(query, query->node_count * sizeof *query->nodes + TL_CACHE_LINE, 1);
    if (!room)
        return false;
    room += (TL_CACHE_LINE - (uintptr_t)room % TL_CACHE_LINE) % TL_CACHE_LINE;
    query->nodes = (tl_query_node *)(void *)room;
    query->box = nodes[TL_BVH_ROOT].box;
    query_widen(query, nodes);
    for (uint32_t i = 0; i < query->node_count; i++)
        for (uint32_t k = 0; k < TL_QUERY_WIDTH; k++)
            if (tl_query_is_leaf(query->nodes[i].child[k]))
                query_pose_leaf(query, &p, query->nodes[i].child[k]);
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
    query->faces = query_array(query, count, sizeof *query->faces);
    query->corners = query_array(query, 9 * (size_t)count + TL_QUERY_FACES, sizeof *query->corners);
    if (query->faces && query->corners) {
        memset(query->corners + 9 * (size_t)count, 0, TL_QUERY_FACES * sizeof *query->corners);
        return query;
    }
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
    if (count > TL_QUERY_MOST) {
        tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                "2^28 triangles or more, a query can have no more");
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

void trilo_query_refit(trilo_query *query, const trilo_points *positions)
{
    const query_pose p = {.model = query->model, .positions = positions};
    query->not_finite = 0;
    query->box = tl_box_empty();
    for (uint32_t i = query->node_count; i-- > 0;) { /* backwards, children come before their parents */
        tl_query_node *node = &query->nodes[i];
        tl_box boxes[TL_QUERY_WIDTH];
        for (uint32_t k = 0; k < TL_QUERY_WIDTH; k++) {
            const uint32_t child = node->child[k];
            boxes[k] = tl_query_is_leaf(child) ? query_pose_leaf(query, &p, child) : query->nodes[child].box;
        }
        tl_query_set_boxes(node, boxes);
        query->box = node->box;
    }
}

trilo_bounds trilo_query_bounds(const trilo_query *query)
{
    return tl_box_bounds(&query->box);
}
