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

#include "base/meshopt_library.h"
#include <string.h>

/* How much worse the vertex cache may do for the sake of less overdraw. */
static const float gpu_mesh_overdraw_price = 1.05f;

bool tl_gpu_mesh_has_meshopt(void)
{
    tl_meshopt_library library;
    return tl_meshopt_load(&library);
}

/* The library ends the program when it gets no memory, so the memory it will need is requested first. */
static bool gpu_mesh_has_room(tl_arena *arena, const tl_gpu_mesh_input *in)
{
    enum { EACH_VERTEX = 160, EACH_INDEX = 48, BASE = 4096 };
    const uint64_t size = (uint64_t)EACH_VERTEX * in->vertex_count + (uint64_t)EACH_INDEX * in->index_count + BASE;
    return tl_arena_has_room(arena, size);
}

/* For each triangle that it places, the library looks at all others around the vertices in the cache: the square of the
 * number of triangles at a vertex. True: that would take seconds. False with *failed: no memory. */
static bool gpu_mesh_has_crowded_vertex(tl_arena *arena, const tl_gpu_mesh_input *in, bool *failed)
{
    enum { FEW = 1 << 24, EACH_INDEX = 256 };
    uint32_t *valence = TL_ARRAY(arena, in->vertex_count, uint32_t);
    uint64_t steps = 0;
    *failed = !valence;
    for (uint32_t i = 0; valence && i < in->index_count; i++)
        steps += 2 * (uint64_t)valence[in->indices[i]]++ + 1; /* the sum of the first odd numbers is a square */
    return steps > FEW + (uint64_t)EACH_INDEX * in->index_count;
}

bool tl_gpu_mesh_order(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t *out)
{
    uint32_t *cached = tl_array_raw(arena, in->index_count, sizeof *cached);
    bool failed;
    const bool crowded = gpu_mesh_has_crowded_vertex(arena, in, &failed);
    if (!cached || failed)
        return false;
    if (crowded)
        return tl_gpu_mesh_order_linear(arena, in, out);
    tl_meshopt_library library;
    if (!gpu_mesh_has_room(arena, in) || !tl_meshopt_load(&library))
        return false;
    library.meshopt_optimizeVertexCache(cached, in->indices, in->index_count, in->vertex_count);
    library.meshopt_optimizeOverdraw(out, cached, in->index_count, in->positions[0], in->vertex_count,
                                     sizeof *in->positions, gpu_mesh_overdraw_price);
    return true;
}

bool tl_gpu_mesh_simplify(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t target, float *error, uint32_t *out,
                          uint32_t *count)
{
    tl_meshopt_library library;
    if (!gpu_mesh_has_room(arena, in) || !tl_meshopt_load(&library))
        return false;
    const float most = *error;
    *count = (uint32_t)library.meshopt_simplify(out, in->indices, in->index_count, in->positions[0], in->vertex_count,
                                                sizeof *in->positions, target, most, meshopt_SimplifyLockBorder, error);
    return true;
}

#endif
