/* What meshoptimizer does: ordering for the vertex cache as Forsyth (2006), clusters sorted against overdraw (Sander,
 * Nehab and Barczak 2007), and edge collapses by quadric error (Garland and Heckbert 1997). */
#include "base/strict_float.h"
#include "optimize/gpu_mesh.h"

#ifndef TRILO_WITH_MESHOPT

bool tl_gpu_mesh_has_meshopt(void)
{
    return false;
}

bool tl_gpu_mesh_order(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t *out)
{
    (void)arena, (void)in, (void)out;
    return false;
}

bool tl_gpu_mesh_simplify(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t target, float *error, uint32_t *out,
                          uint32_t *count)
{
    (void)arena, (void)in, (void)target, (void)error, (void)out, (void)count;
    return false;
}

#else

#include <meshoptimizer.h>
#include <string.h>

/* How much worse the vertex cache may do for the sake of less overdraw. */
static const float gpu_mesh_overdraw_price = 1.05f;

bool tl_gpu_mesh_has_meshopt(void)
{
    return true;
}

/* The library ends the program when it gets no memory, so what it will need is asked for first. */
static bool gpu_mesh_has_room(tl_arena *arena, const tl_gpu_mesh_input *in)
{
    enum { EACH_VERTEX = 160, EACH_INDEX = 48, BASE = 4096 };
    const uint64_t size = (uint64_t)EACH_VERTEX * in->vertex_count + (uint64_t)EACH_INDEX * in->index_count + BASE;
    tl_arena probe = {.fn = arena->fn, .user = arena->user, .left = arena->left};
    const bool room = size <= SIZE_MAX && tl_array_raw(&probe, (size_t)size, 1);
    tl_arena_free(&probe);
    return room;
}

bool tl_gpu_mesh_order(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t *out)
{
    uint32_t *cached = tl_array_raw(arena, in->index_count, sizeof *cached);
    if (!cached || !gpu_mesh_has_room(arena, in))
        return false;
    meshopt_optimizeVertexCache(cached, in->indices, in->index_count, in->vertex_count);
    meshopt_optimizeOverdraw(out, cached, in->index_count, in->positions[0], in->vertex_count, sizeof *in->positions,
                             gpu_mesh_overdraw_price);
    return true;
}

bool tl_gpu_mesh_simplify(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t target, float *error, uint32_t *out,
                          uint32_t *count)
{
    if (!gpu_mesh_has_room(arena, in))
        return false;
    const float most = *error;
    *count = (uint32_t)meshopt_simplify(out, in->indices, in->index_count, in->positions[0], in->vertex_count,
                                        sizeof *in->positions, target, most, meshopt_SimplifyLockBorder, error);
    return true;
}

#endif
