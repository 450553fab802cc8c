/* Batches for a skinned mesh with residency: bone by bone.
 *
 * Each load of a bone's vertices sets a matrix, so a bone should be loaded once. Starting at some bone, the next one is
 * always that whose vertices, together with those in the cache, complete the most triangles; a vertex stays in the
 * cache until all its triangles are drawn. What a load completes is a batch. A bone that does not fit beside the
 * vertices in the cache is loaded in several parts, those vertices first that complete the most.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    BATCH_BONE_ROOM = 64,          /* vertices in the cache at a time; some slots are lost between blocks */
    BATCH_BONE_WORK_MOST = 1 << 23 /* triangles to look at; larger meshes are left out */
};

static const uint32_t batch_bone_none = UINT32_MAX;

typedef struct batch_bone_chain {
    const tl_batch_input *in;
    uint32_t bone_count;
    uint32_t *bone_of;                    /* of each vertex, numbered */
    uint32_t *first_vertex, *vertices;    /* of each bone */
    uint32_t *first_triangle, *triangles; /* around each vertex */
    uint32_t *open;                       /* of each vertex: triangles not drawn yet */
    bool *loaded, *drawn;                 /* of each vertex, of each triangle */
    uint32_t waiting;                     /* vertices that are loaded and have open triangles */
    uint32_t first_open;                  /* no triangle before it is open */
    tl_batch_list *out;
} batch_bone_chain;

/* --- lists --- */

static bool batch_bone_list_bones(tl_arena *arena, batch_bone_chain *c)
{
    uint32_t *numbers = TL_ARRAY(arena, tl_batch_bone_rows(c->in), uint32_t);
    if (!numbers)
        return false;
    for (uint32_t v = 0; v < c->in->vertex_count; v++) {
        uint32_t *number = &numbers[tl_batch_bone_row(c->in->bones[v])];
        *number = *number > 0 ? *number : ++c->bone_count;
        c->bone_of[v] = *number - 1;
        c->first_vertex[c->bone_of[v] + 1]++;
    }
    for (uint32_t b = 0; b < c->bone_count; b++)
        c->first_vertex[b + 1] += c->first_vertex[b];
    uint32_t *filled = TL_ARRAY(arena, c->bone_count, uint32_t);
    for (uint32_t v = 0; filled && v < c->in->vertex_count; v++)
        c->vertices[c->first_vertex[c->bone_of[v]] + filled[c->bone_of[v]]++] = v;
    return filled != NULL;
}

static bool batch_bone_chain_new(tl_arena *arena, batch_bone_chain *c)
{
    const size_t vertices = c->in->vertex_count, triangles = c->in->triangle_count;
    c->bone_of = tl_array_raw(arena, vertices, sizeof *c->bone_of);
    c->first_vertex = TL_ARRAY(arena, vertices + 1, uint32_t);
    c->vertices = tl_array_raw(arena, vertices, sizeof *c->vertices);
    c->first_triangle = TL_ARRAY(arena, vertices + 1, uint32_t);
    c->triangles = tl_array_raw(arena, triangles, 3 * sizeof *c->triangles);
    c->open = TL_ARRAY(arena, vertices, uint32_t);
    c->loaded = TL_ARRAY(arena, vertices, bool);
    c->drawn = TL_ARRAY(arena, triangles, bool);
    c->out->first = tl_array_raw(arena, triangles + 2, sizeof *c->out->first);
    c->out->order = tl_array_raw(arena, triangles, sizeof *c->out->order);
    if (!c->bone_of || !c->first_vertex || !c->vertices || !c->first_triangle || !c->triangles || !c->open ||
        !c->loaded || !c->drawn || !c->out->first || !c->out->order)
        return false;
    /* The triangles around each vertex. */
    const tl_batch_input *in = c->in;
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            if (tl_batch_first_mention(in->triangles[t], k))
                c->open[in->triangles[t][k]]++;
    for (uint32_t v = 0; v < in->vertex_count; v++)
        c->first_triangle[v + 1] = c->first_triangle[v] + c->open[v];
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            if (tl_batch_first_mention(in->triangles[t], k)) {
                const uint32_t v = in->triangles[t][k];
                c->triangles[c->first_triangle[v + 1] - c->open[v]--] = t;
            }
    for (uint32_t v = 0; v < in->vertex_count; v++)
        c->open[v] = c->first_triangle[v + 1] - c->first_triangle[v];
    return batch_bone_list_bones(arena, c);
}

/* --- loading and drawing --- */

/* True if the triangle would be complete with everything of this bone loaded, or with this vertex. */
static bool batch_bone_completes(const batch_bone_chain *c, uint32_t triangle, uint32_t bone, uint32_t vertex)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t v = c->in->triangles[triangle][k];
        if (!c->loaded[v] && c->bone_of[v] != bone && v != vertex)
            return false;
    }
    return true;
}

static void batch_bone_draw(batch_bone_chain *c, uint32_t triangle)
{
    const uint32_t *t = c->in->triangles[triangle];
    c->drawn[triangle] = true;
    c->out->order[c->out->first[c->out->count + 1]++] = triangle;
    for (uint32_t k = 0; k < 3; k++)
        if (tl_batch_first_mention(t, k) && --c->open[t[k]] == 0) {
            c->waiting--;
            c->loaded[t[k]] = false; /* done with */
        }
}

static uint32_t batch_bone_batch_size(const batch_bone_chain *c)
{
    return c->out->first[c->out->count + 1] - c->out->first[c->out->count];
}

/* Closes the batch when it has anything. */
static void batch_bone_end_batch(batch_bone_chain *c)
{
    if (batch_bone_batch_size(c) == 0)
        return;
    c->out->count++;
    c->out->first[c->out->count + 1] = c->out->first[c->out->count];
}

static void batch_bone_load(batch_bone_chain *c, uint32_t vertex)
{
    c->loaded[vertex] = true;
    c->waiting++;
}

/* All that is complete around the vertices of a bone. */
static void batch_bone_draw_complete(batch_bone_chain *c, uint32_t bone)
{
    for (uint32_t i = c->first_vertex[bone]; i < c->first_vertex[bone + 1]; i++) {
        const uint32_t v = c->vertices[i];
        for (uint32_t k = c->first_triangle[v]; k < c->first_triangle[v + 1] && c->loaded[v] && c->open[v] > 0; k++) {
            const uint32_t t = c->triangles[k];
            if (c->drawn[t] || !batch_bone_completes(c, t, batch_bone_none, batch_bone_none))
                continue;
            if (batch_bone_batch_size(c) == TL_BATCH_TRIANGLES)
                batch_bone_end_batch(c);
            batch_bone_draw(c, t);
        }
    }
}

/* --- what to load next --- */

typedef struct batch_bone_choice {
    uint32_t bone, wanted; /* vertices to load */
    uint32_t joined;       /* triangles that would be complete and use a vertex in the cache */
    int64_t worth;         /* triangles that would be complete, less those that would be left open */
} batch_bone_choice;

static batch_bone_choice batch_bone_evaluate(const batch_bone_chain *c, uint32_t bone)
{
    batch_bone_choice out = {.bone = bone};
    for (uint32_t i = c->first_vertex[bone]; i < c->first_vertex[bone + 1]; i++) {
        const uint32_t v = c->vertices[i];
        if (c->loaded[v] || c->open[v] == 0)
            continue;
        out.wanted++;
        for (uint32_t k = c->first_triangle[v]; k < c->first_triangle[v + 1]; k++) {
            const uint32_t t = c->triangles[k];
            const bool complete = !c->drawn[t] && batch_bone_completes(c, t, bone, batch_bone_none);
            out.worth += c->drawn[t] ? 0 : complete ? 1 : -1;
            const uint32_t *v3 = c->in->triangles[t];
            out.joined += complete && (c->loaded[v3[0]] || c->loaded[v3[1]] || c->loaded[v3[2]]) ? 1 : 0;
        }
    }
    return out;
}

/* What joins triangles in the cache, then what fits, then what leaves the least open. */
static bool batch_bone_is_better(const batch_bone_chain *c, const batch_bone_choice *a, const batch_bone_choice *b)
{
    const bool a_fits = c->waiting + a->wanted <= BATCH_BONE_ROOM, b_fits = c->waiting + b->wanted <= BATCH_BONE_ROOM;
    if ((a->joined > 0) != (b->joined > 0))
        return a->joined > 0;
    if (a_fits != b_fits)
        return a_fits;
    return a->worth != b->worth ? a->worth > b->worth : a->wanted < b->wanted;
}

/* The vertex of the bone that completes the most, or leaves the fewest open. */
static uint32_t batch_bone_next_vertex(const batch_bone_chain *c, uint32_t bone)
{
    uint32_t best = batch_bone_none;
    int64_t most = INT64_MIN;
    for (uint32_t i = c->first_vertex[bone]; i < c->first_vertex[bone + 1]; i++) {
        const uint32_t v = c->vertices[i];
        int64_t worth = -(int64_t)c->open[v];
        if (c->loaded[v] || c->open[v] == 0)
            continue;
        for (uint32_t k = c->first_triangle[v]; k < c->first_triangle[v + 1]; k++)
            worth += !c->drawn[c->triangles[k]] && batch_bone_completes(c, c->triangles[k], batch_bone_none, v) ? 3 : 0;
        if (worth > most) {
            most = worth;
            best = v;
        }
    }
    return best;
}

/* All that is open of a bone, or as much as fits. */
static void batch_bone_load_bone(batch_bone_chain *c, const batch_bone_choice *next)
{
    if (c->waiting + next->wanted <= BATCH_BONE_ROOM) {
        for (uint32_t i = c->first_vertex[next->bone]; i < c->first_vertex[next->bone + 1]; i++)
            if (!c->loaded[c->vertices[i]] && c->open[c->vertices[i]] > 0)
                batch_bone_load(c, c->vertices[i]);
        return;
    }
    while (c->waiting < BATCH_BONE_ROOM) {
        const uint32_t v = batch_bone_next_vertex(c, next->bone);
        if (v == batch_bone_none)
            return;
        batch_bone_load(c, v);
    }
}

/* The cache is full of open vertices: empty it and start again with an open triangle. */
static void batch_bone_restart(batch_bone_chain *c)
{
    memset(c->loaded, 0, c->in->vertex_count * sizeof *c->loaded);
    c->waiting = 0;
    while (c->drawn[c->first_open])
        c->first_open++;
    const uint32_t *t = c->in->triangles[c->first_open];
    batch_bone_end_batch(c);
    for (uint32_t k = 0; k < 3; k++)
        if (tl_batch_first_mention(t, k))
            batch_bone_load(c, t[k]);
    for (uint32_t k = 0; k < 3; k++)
        batch_bone_draw_complete(c, c->bone_of[t[k]]);
}

bool tl_batch_grow_by_bone(tl_arena *arena, const tl_batch_input *in, tl_batch_list *out)
{
    batch_bone_chain c = {.in = in, .out = out};
    *out = (tl_batch_list){0};
    if (!batch_bone_chain_new(arena, &c))
        return false;
    out->first[0] = out->first[1] = 0;
    for (uint64_t work = 0;; work += in->triangle_count) {
        batch_bone_choice next = {.bone = batch_bone_none};
        for (uint32_t bone = 0; bone < c.bone_count; bone++) {
            const batch_bone_choice one = batch_bone_evaluate(&c, bone);
            if (one.wanted > 0 && (next.bone == batch_bone_none || batch_bone_is_better(&c, &one, &next)))
                next = one;
        }
        if (next.bone == batch_bone_none)
            return true;
        if (work > BATCH_BONE_WORK_MOST) {
            out->count = 0;
            return true;
        }
        const uint32_t before = out->first[out->count + 1];
        batch_bone_load_bone(&c, &next);
        batch_bone_draw_complete(&c, next.bone);
        if (out->first[out->count + 1] == before && c.waiting >= BATCH_BONE_ROOM)
            batch_bone_restart(&c);
        batch_bone_end_batch(&c);
    }
}
