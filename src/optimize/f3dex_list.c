/* Display lists for several meshes that share a block of vertices.
 *
 * Corners of a point that differ in texture coordinate or colour can be vertices of their own, which must be loaded, or
 * one vertex that is changed between triangles. Which is cheaper depends on the mesh: each way is tried, and for each
 * mesh the cheapest is taken. When the stored vertices are limited, meshes then go over to ways that store fewer, those
 * first that pay least for it. */
#include "optimize/f3dex_list_steps.h"

#include "base/sort.h"
#include <string.h>

/* Effort, counted in triangles that are looked at, so that it is the same on every machine. */
enum { START_EFFORT = 20000, STARTS_LEAST = 4, STARTS_MOST = 64, SEARCH_STALL = 12 };

enum { STYLES = 6 };

/* What tells vertices of a point apart. */
enum { BY_POINT = 0, BY_ST = 1, BY_RGBA = 2, WAYS = 4 };

typedef struct way {
    bool possible;
    tl_f3dex_job job;
    tl_planner *planner;
    uint32_t *order, patience;
    tl_f3dex_cost cost;
} way;

typedef struct mesh_ways {
    way ways[WAYS];
    uint32_t chosen;
} mesh_ways;

/* --- gathering corners to vertices --- */

typedef struct corner_rows {
    const tl_f3dex_corner *corners;
    unsigned apart;
} corner_rows;

/* Equal for corners of one vertex. */
static int64_t vertex_key(const void *rows, uint32_t row)
{
    const corner_rows *r = rows;
    const tl_f3dex_corner *c = &r->corners[row];
    int64_t key = c->point;
    key = key * TL_DRAW_MOST + (r->apart & BY_ST ? c->st : 0);
    key = key * TL_DRAW_MOST + (r->apart & BY_RGBA ? c->rgba : 0);
    return key;
}

static bool number_vertices(tl_arena *arena, const tl_f3dex_mesh *mesh, unsigned apart, uint32_t *vertex_of,
                            uint32_t *count)
{
    const corner_rows rows = {mesh->corners, apart};
    uint32_t *sorted = tl_array_raw(arena, mesh->corner_count, sizeof *sorted);
    if (!sorted)
        return false;
    tl_sort_rows(sorted, mesh->corner_count, vertex_key, &rows);
    *count = 0;
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        if (i > 0 && vertex_key(&rows, sorted[i]) != vertex_key(&rows, sorted[i - 1]))
            ++*count;
        vertex_of[sorted[i]] = *count;
    }
    *count += mesh->corner_count > 0;
    return true;
}

static bool make_job(tl_arena *arena, const tl_f3dex_mesh *mesh, unsigned apart, tl_f3dex_job *job)
{
    uint32_t *vertex_of = tl_array_raw(arena, mesh->corner_count, sizeof *vertex_of);
    uint32_t(*vertices)[3] = tl_array_raw(arena, mesh->triangle_count, sizeof *vertices);
    if (!vertex_of || !vertices || !number_vertices(arena, mesh, apart, vertex_of, &job->vertex_count))
        return false;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            vertices[t][k] = vertex_of[mesh->triangles[t][k]];
    job->mesh = mesh;
    job->vertices = (const uint32_t(*)[3])vertices;
    return true;
}

/* --- trying the ways --- */

/* How many vertices may wait, and how long: what is best differs from mesh to mesh. The first ones suit large meshes.
 */
static const struct {
    uint32_t waiting_most, patience;
} styles[STYLES] = {{20, 128}, {32, UINT32_MAX}, {24, 64}, {32, 32}, {16, 128}, {28, 256}};

/* The best of several starts. */
static bool grow(tl_arena *arena, way *w)
{
    const uint32_t triangles = w->job.mesh->triangle_count;
    const uint32_t starts =
        triangles < START_EFFORT / STARTS_MOST ? STARTS_MOST : STARTS_LEAST + START_EFFORT / triangles;
    uint32_t *order = tl_array_raw(arena, triangles, sizeof *order);
    w->order = tl_array_raw(arena, triangles, sizeof *w->order);
    w->planner = tl_planner_new(arena, &w->job);
    tl_grower *grower = tl_grower_new(arena, &w->job);
    if (!order || !w->order || !w->planner || !grower)
        return false;
    for (uint32_t i = 0; i < starts; i++) {
        const uint32_t style = i % STYLES;
        tl_f3dex_order(grower, styles[style].waiting_most, i / STYLES, order);
        const tl_f3dex_cost cost = tl_plan_cost(w->planner, styles[style].patience, order);
        if (i > 0 && tl_batch_draw_bytes(&cost) >= tl_batch_draw_bytes(&w->cost))
            continue;
        w->cost = cost;
        w->patience = styles[style].patience;
        memcpy(w->order, order, triangles * sizeof *order);
    }
    return true;
}

/* Ways that number the vertices alike are the same way. */
static bool is_known(const mesh_ways *m, uint32_t apart)
{
    for (uint32_t i = 0; i < apart; i++)
        if (m->ways[i].possible && m->ways[i].job.vertex_count == m->ways[apart].job.vertex_count)
            return true;
    return false;
}

static bool try_ways(tl_arena *arena, const tl_f3dex_input *in, const tl_f3dex_mesh *mesh, mesh_ways *m)
{
    for (uint32_t apart = 0; apart < WAYS; apart++) {
        way *w = &m->ways[apart];
        if ((in->fixed_st && !(apart & BY_ST)) || (in->fixed_rgba && !(apart & BY_RGBA)))
            continue;
        if (!make_job(arena, mesh, apart, &w->job))
            return false;
        if (is_known(m, apart))
            continue;
        w->possible = true;
        if (!grow(arena, w))
            return false;
        if (!m->ways[m->chosen].possible ||
            tl_batch_draw_bytes(&w->cost) < tl_batch_draw_bytes(&m->ways[m->chosen].cost))
            m->chosen = apart;
    }
    return true;
}

/* --- the limit of stored vertices --- */

static uint64_t stored_by(const mesh_ways *meshes, uint32_t count)
{
    uint64_t stored = 0;
    for (uint32_t i = 0; i < count; i++)
        stored += meshes[i].ways[meshes[i].chosen].cost.loaded;
    return stored;
}

/* Goes over to the way that pays least for each vertex it saves; false when none saves any. */
static bool save_vertices(mesh_ways *meshes, uint32_t count)
{
    mesh_ways *best = NULL;
    uint32_t best_way = 0;
    double best_price = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < WAYS; k++) {
            const way *now = &meshes[i].ways[meshes[i].chosen], *other = &meshes[i].ways[k];
            if (!other->possible || other->cost.loaded >= now->cost.loaded)
                continue;
            const double price = ((double)tl_batch_draw_bytes(&other->cost) - (double)tl_batch_draw_bytes(&now->cost)) /
                                 (now->cost.loaded - other->cost.loaded);
            if (!best || price < best_price)
                best = &meshes[i], best_way = k, best_price = price;
        }
    if (best)
        best->chosen = best_way;
    return best != NULL;
}

/* --- all together --- */

/* No order costs less: every vertex is loaded once, every corner but the first of its vertex is a change (a second load
 * instead would cost as much as two), all triangles come in pairs. */
static uint64_t floor_of(const tl_f3dex_job *job)
{
    const tl_f3dex_cost least = {(job->vertex_count + TL_DRAW_SLOTS - 1) / TL_DRAW_SLOTS, job->vertex_count,
                                 job->mesh->corner_count - job->vertex_count, (job->mesh->triangle_count + 1) / 2};
    return tl_batch_draw_bytes(&least);
}

static void search(const tl_f3dex_input *in, mesh_ways *meshes)
{
    const uint32_t count = in->mesh_count;
    const uint64_t limit = in->max_stored;
    for (uint32_t i = 0; i < count; i++) {
        way *w = &meshes[i].ways[meshes[i].chosen];
        const uint64_t stored = stored_by(meshes, count);
        const uint64_t most = w->cost.loaded + (stored < limit ? limit - stored : 0);
        const uint32_t triangles = w->job.mesh->triangle_count;
        const tl_f3dex_effort effort = {w->patience, triangles > 0 ? in->effort / triangles : 0,
                                        SEARCH_STALL * triangles, floor_of(&w->job), most};
        w->cost = tl_f3dex_search(w->planner, &w->job, &effort, w->order);
    }
}

static bool make_lists(tl_arena *arena, const mesh_ways *meshes, uint32_t count, tl_f3dex_output *out)
{
    const uint64_t stored = stored_by(meshes, count);
    if (stored > UINT32_MAX)
        return false;
    uint32_t *corners = tl_array_raw(arena, (size_t)stored, sizeof *corners);
    out->stored = tl_array_raw(arena, (size_t)stored, sizeof *out->stored);
    out->lists = TL_ARRAY(arena, count, tl_f3dex_list);
    if (!corners || !out->stored || !out->lists)
        return false;
    out->stored_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const way *w = &meshes[i].ways[meshes[i].chosen];
        const tl_f3dex_cost *cost = &w->cost;
        tl_f3dex_list *list = &out->lists[i];
        list->command_count = cost->loads + cost->changes + cost->draws;
        list->loaded = cost->loaded;
        list->commands = tl_plan_commands(arena, w->planner, w->patience, w->order, out->stored_count, corners);
        if (!list->commands)
            return false;
        for (uint32_t k = 0; k < cost->loaded; k++)
            out->stored[out->stored_count++] = (tl_f3dex_stored){i, corners[k]};
    }
    return true;
}

bool tl_f3dex_lists(tl_arena *arena, const tl_f3dex_input *in, tl_f3dex_output *out)
{
    mesh_ways *meshes = TL_ARRAY(arena, in->mesh_count, mesh_ways);
    if (!meshes)
        return false;
    for (uint32_t i = 0; i < in->mesh_count; i++)
        if (!try_ways(arena, in, &in->meshes[i], &meshes[i]))
            return false;
    while (stored_by(meshes, in->mesh_count) > in->max_stored && save_vertices(meshes, in->mesh_count))
        ;
    search(in, meshes);
    return make_lists(arena, meshes, in->mesh_count, out);
}
