/* Display lists for several meshes that share a block of vertices.
 *
 * Corners of a point that differ in texture coordinate or colour can be welded to one vertex, which G_MODIFYVTX changes
 * between triangles, or be vertices of their own, which must be loaded. Which is cheaper depends on the mesh: each weld
 * is tried, and for each mesh the cheapest is taken. When the number of stored vertices is limited, meshes then switch
 * to welds that store fewer, those first that pay least for it. */
#include "base/strict_float.h"
#include "optimize/f3dex_list_steps.h"

#include "base/sort.h"
#include <string.h>

/* Effort, counted in triangles that are looked at, so that it is the same on every machine. */
enum { F3DEX_START_EFFORT = 20000, F3DEX_STARTS_LEAST = 4, F3DEX_STARTS_MOST = 64, F3DEX_SEARCH_STALL = 12 };

enum { F3DEX_STYLES = 6 };

/* What a vertex has of its own: a point is split by texture coordinate, by colour, by both or not at all. */
enum { F3DEX_BY_POINT = 0, F3DEX_BY_ST = 1, F3DEX_BY_RGBA = 2, F3DEX_WELDS = 4 };

typedef struct f3dex_weld {
    bool possible;
    tl_f3dex_vertices welded;
    tl_f3dex_planner *planner;
    uint32_t *order, patience;
    tl_f3dex_cost cost;
} f3dex_weld;

typedef struct f3dex_mesh_welds {
    f3dex_weld welds[F3DEX_WELDS];
    uint32_t chosen;
} f3dex_mesh_welds;

/* --- welding corners to vertices --- */

typedef struct f3dex_corner_rows {
    const tl_f3dex_corner *corners;
    unsigned apart;
} f3dex_corner_rows;

/* Equal for corners that are one vertex. */
static int64_t f3dex_vertex_key(const void *rows, uint32_t row)
{
    const f3dex_corner_rows *r = rows;
    const tl_f3dex_corner *c = &r->corners[row];
    int64_t key = c->point;
    key = key * TL_F3DEX_NUMBERS_MOST + (r->apart & F3DEX_BY_ST ? c->st : 0);
    key = key * TL_F3DEX_NUMBERS_MOST + (r->apart & F3DEX_BY_RGBA ? c->rgba : 0);
    return key;
}

static bool f3dex_weld_corners(tl_arena *arena, const tl_f3dex_mesh *mesh, unsigned apart, tl_f3dex_vertices *welded)
{
    const f3dex_corner_rows rows = {mesh->corners, apart};
    uint32_t *sorted = tl_array_raw(arena, mesh->corner_count, sizeof *sorted), count = 0;
    uint32_t *vertex_of = tl_array_raw(arena, mesh->corner_count, sizeof *vertex_of);
    uint32_t(*vertices)[3] = tl_array_raw(arena, mesh->triangle_count, sizeof *vertices);
    if (!sorted || !vertex_of || !vertices)
        return false;
    tl_sort_rows(sorted, mesh->corner_count, f3dex_vertex_key, &rows);
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        if (i > 0 && f3dex_vertex_key(&rows, sorted[i]) != f3dex_vertex_key(&rows, sorted[i - 1]))
            count++;
        vertex_of[sorted[i]] = count;
    }
    welded->vertex_count = count + (mesh->corner_count > 0 ? 1 : 0);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            vertices[t][k] = vertex_of[mesh->triangles[t][k]];
    welded->mesh = mesh;
    welded->vertices = (const uint32_t(*)[3])vertices;
    return true;
}

/* --- trying the welds --- */

/* Vertices that may be open at a time, and how long a vertex keeps its slot: what is best differs from mesh to mesh.
 * The first styles suit large meshes. */
static const struct {
    uint32_t waiting_most, patience;
} f3dex_styles[F3DEX_STYLES] = {{20, 128}, {32, UINT32_MAX}, {24, 64}, {32, 32}, {16, 128}, {28, 256}};

/* The best order of several seeds and styles. */
static bool f3dex_find_order(tl_arena *arena, f3dex_weld *w)
{
    const uint32_t triangles = w->welded.mesh->triangle_count;
    const uint32_t starts = triangles < F3DEX_START_EFFORT / F3DEX_STARTS_MOST
                                ? F3DEX_STARTS_MOST
                                : F3DEX_STARTS_LEAST + F3DEX_START_EFFORT / triangles;
    uint32_t *order = tl_array_raw(arena, triangles, sizeof *order);
    w->order = tl_array_raw(arena, triangles, sizeof *w->order);
    w->planner = tl_f3dex_planner_new(arena, &w->welded);
    tl_f3dex_orderer *grower = tl_f3dex_orderer_new(arena, &w->welded);
    if (!order || !w->order || !w->planner || !grower)
        return false;
    for (uint32_t i = 0; i < starts; i++) {
        const uint32_t style = i % F3DEX_STYLES;
        tl_f3dex_order(grower, f3dex_styles[style].waiting_most, i / F3DEX_STYLES, order);
        const tl_f3dex_cost cost = tl_f3dex_plan_cost(w->planner, f3dex_styles[style].patience, order);
        if (i > 0 && tl_f3dex_bytes(&cost) >= tl_f3dex_bytes(&w->cost))
            continue;
        w->cost = cost;
        w->patience = f3dex_styles[style].patience;
        memcpy(w->order, order, triangles * sizeof *order);
    }
    return true;
}

/* Welds with equally many vertices are the same one: each only splits further. */
static bool f3dex_is_duplicate(const f3dex_mesh_welds *m, uint32_t apart)
{
    for (uint32_t i = 0; i < apart; i++)
        if (m->welds[i].possible && m->welds[i].welded.vertex_count == m->welds[apart].welded.vertex_count)
            return true;
    return false;
}

/* --- the limit of stored vertices --- */

static uint64_t f3dex_count_stored(const f3dex_mesh_welds *meshes, uint32_t count)
{
    uint64_t stored = 0;
    for (uint32_t i = 0; i < count; i++)
        stored += meshes[i].welds[meshes[i].chosen].cost.loaded;
    return stored;
}

/* Switches to the weld that costs least for each vertex it saves; false when none saves any. */
static bool f3dex_save_vertices(f3dex_mesh_welds *meshes, uint32_t count)
{
    f3dex_mesh_welds *best = NULL;
    uint32_t best_weld = 0;
    double best_price = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < F3DEX_WELDS; k++) {
            const f3dex_weld *now = &meshes[i].welds[meshes[i].chosen], *other = &meshes[i].welds[k];
            if (!other->possible || other->cost.loaded >= now->cost.loaded)
                continue;
            const double price = ((double)tl_f3dex_bytes(&other->cost) - (double)tl_f3dex_bytes(&now->cost)) /
                                 (now->cost.loaded - other->cost.loaded);
            if (!best || price < best_price)
                best = &meshes[i], best_weld = k, best_price = price;
        }
    if (best)
        best->chosen = best_weld;
    return best != NULL;
}

/* --- display lists --- */

/* No order costs less: every vertex is loaded once, every corner but the first of its vertex is a change (a second load
 * instead would cost as much as two), all triangles come in pairs. */
static uint64_t f3dex_lower_bound(const tl_f3dex_vertices *welded)
{
    const tl_f3dex_cost least = {(welded->vertex_count + TL_F3DEX_SLOTS - 1) / TL_F3DEX_SLOTS, welded->vertex_count,
                                 welded->mesh->corner_count - welded->vertex_count,
                                 (welded->mesh->triangle_count + 1) / 2};
    return tl_f3dex_bytes(&least);
}

static bool f3dex_make_lists(tl_arena *arena, const f3dex_mesh_welds *meshes, uint32_t count, tl_f3dex_output *out)
{
    const uint64_t stored = f3dex_count_stored(meshes, count);
    if (stored > UINT32_MAX)
        return false;
    uint32_t *corners = tl_array_raw(arena, (size_t)stored, sizeof *corners);
    out->stored = tl_array_raw(arena, (size_t)stored, sizeof *out->stored);
    out->lists = TL_ARRAY(arena, count, tl_f3dex_list);
    if (!corners || !out->stored || !out->lists)
        return false;
    out->stored_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const f3dex_weld *w = &meshes[i].welds[meshes[i].chosen];
        const tl_f3dex_cost *cost = &w->cost;
        tl_f3dex_list *list = &out->lists[i];
        list->command_count = cost->loads + cost->changes + cost->draws;
        list->loaded = cost->loaded;
        list->commands = tl_f3dex_plan_commands(arena, w->planner, w->patience, w->order, out->stored_count, corners);
        if (!list->commands)
            return false;
        for (uint32_t k = 0; k < cost->loaded; k++)
            out->stored[out->stored_count++] = (tl_f3dex_stored){i, corners[k]};
    }
    return true;
}

bool tl_f3dex_lists(tl_arena *arena, const tl_f3dex_input *in, tl_f3dex_output *out)
{
    f3dex_mesh_welds *meshes = TL_ARRAY(arena, in->mesh_count, f3dex_mesh_welds);
    if (!meshes)
        return false;
    for (uint32_t i = 0; i < in->mesh_count; i++) {
        for (uint32_t apart = 0; apart < F3DEX_WELDS; apart++) {
            f3dex_weld *w = &meshes[i].welds[apart];
            if ((in->fixed_st && !(apart & F3DEX_BY_ST)) || (in->fixed_rgba && !(apart & F3DEX_BY_RGBA)))
                continue;
            if (!f3dex_weld_corners(arena, &in->meshes[i], apart, &w->welded))
                return false;
            if (f3dex_is_duplicate(&meshes[i], apart))
                continue;
            w->possible = true;
            if (!f3dex_find_order(arena, w))
                return false;
            if (!meshes[i].welds[meshes[i].chosen].possible ||
                tl_f3dex_bytes(&w->cost) < tl_f3dex_bytes(&meshes[i].welds[meshes[i].chosen].cost))
                meshes[i].chosen = apart;
        }
    }
    while (f3dex_count_stored(meshes, in->mesh_count) > in->max_stored && f3dex_save_vertices(meshes, in->mesh_count))
        ;
    const uint32_t count = in->mesh_count;
    const uint64_t limit = in->max_stored;
    for (uint32_t i = 0; i < count; i++) {
        f3dex_weld *w = &meshes[i].welds[meshes[i].chosen];
        const uint64_t stored = f3dex_count_stored(meshes, count);
        const uint64_t most = w->cost.loaded + (stored < limit ? limit - stored : 0);
        const uint32_t triangles = w->welded.mesh->triangle_count;
        const tl_f3dex_effort effort = {w->patience, triangles > 0 ? in->effort / triangles : 0,
                                        F3DEX_SEARCH_STALL * triangles, f3dex_lower_bound(&w->welded), most};
        w->cost = tl_f3dex_search(w->planner, &w->welded, &effort, w->order);
    }
    return f3dex_make_lists(arena, meshes, in->mesh_count, out);
}
