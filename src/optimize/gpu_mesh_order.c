/* Triangles in the order of "Fast Triangle Reordering for Vertex Locality and Reduced Overdraw" (Sander, Nehab and
 * Barczak 2007), known as Tipsify: linear time whatever the valence of the vertices. */
#include "optimize/gpu_mesh.h"

enum { TIPSIFY_CACHE = 16 };

typedef struct tipsify_work {
    const tl_gpu_mesh_input *in;
    uint32_t *first;  /* of each vertex: its triangles in `around` */
    uint32_t *around; /* triangles by vertex */
    uint32_t *live;   /* of each vertex: how many of its triangles are left */
    uint32_t *cached; /* of each vertex: when it entered the cache */
    uint32_t *stack;  /* vertices that were used, the latest on top */
    uint8_t *emitted; /* triangles that are in the output */
    uint32_t time, stack_size, cursor;
} tipsify_work;

static bool tipsify_prepare(tl_arena *arena, tipsify_work *w)
{
    const tl_gpu_mesh_input *in = w->in;
    const size_t vertices = in->vertex_count;
    w->first = TL_ARRAY(arena, vertices + 1, uint32_t);
    w->live = TL_ARRAY(arena, vertices, uint32_t);
    w->cached = TL_ARRAY(arena, vertices, uint32_t);
    w->around = TL_ARRAY(arena, in->index_count, uint32_t);
    w->stack = TL_ARRAY(arena, in->index_count, uint32_t);
    w->emitted = TL_ARRAY(arena, in->index_count / 3, uint8_t);
    if (!w->first || !w->live || !w->cached || !w->around || !w->stack || !w->emitted)
        return false;
    for (uint32_t i = 0; i < in->index_count; i++)
        w->live[in->indices[i]]++;
    for (size_t i = 0; i < vertices; i++)
        w->first[i + 1] = w->first[i] + w->live[i];
    uint32_t *next = w->cached; /* borrowed */
    for (uint32_t i = 0; i < in->index_count; i++) {
        const uint32_t vertex = in->indices[i];
        w->around[w->first[vertex] + next[vertex]++] = i / 3;
    }
    for (size_t i = 0; i < vertices; i++)
        w->cached[i] = 0;
    w->time = TIPSIFY_CACHE + 1;
    return true;
}

/* A vertex with triangles left: one that was used lately, else the next one of the mesh; TRILO_NONE: none is left. */
static uint32_t tipsify_skip_dead_end(tipsify_work *w)
{
    while (w->stack_size > 0) {
        const uint32_t vertex = w->stack[--w->stack_size];
        if (w->live[vertex] > 0)
            return vertex;
    }
    for (; w->cursor < w->in->vertex_count; w->cursor++)
        if (w->live[w->cursor] > 0)
            return w->cursor;
    return TRILO_NONE;
}

bool tl_gpu_mesh_order_linear(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t *out)
{
    tipsify_work w = {.in = in};
    uint32_t written = 0;
    if (!tipsify_prepare(arena, &w))
        return false;
    for (uint32_t fan = tipsify_skip_dead_end(&w); fan != TRILO_NONE;) {
        const uint32_t begin = w.stack_size;
        for (uint32_t i = w.first[fan]; i < w.first[fan + 1]; i++) {
            const uint32_t triangle = w.around[i];
            if (w.emitted[triangle])
                continue;
            w.emitted[triangle] = 1;
            for (int k = 0; k < 3; k++) {
                const uint32_t vertex = in->indices[3 * triangle + (uint32_t)k];
                out[written++] = vertex;
                w.stack[w.stack_size++] = vertex;
                w.live[vertex]--;
                if (w.time - w.cached[vertex] > TIPSIFY_CACHE)
                    w.cached[vertex] = w.time++;
            }
        }
        /* Of the vertices around the fan, the oldest one that stays in the cache while its own triangles are drawn. */
        uint32_t best = TRILO_NONE, priority = 0;
        for (uint32_t i = begin; i < w.stack_size; i++) {
            const uint32_t vertex = w.stack[i], age = w.time - w.cached[vertex];
            if (w.live[vertex] == 0)
                continue;
            const uint32_t value =
                w.live[vertex] <= TIPSIFY_CACHE / 2 && age + 2 * w.live[vertex] <= TIPSIFY_CACHE ? age : 0;
            if (best == TRILO_NONE || value > priority) {
                best = vertex;
                priority = value;
            }
        }
        fan = best != TRILO_NONE ? best : tipsify_skip_dead_end(&w);
    }
    return true;
}
