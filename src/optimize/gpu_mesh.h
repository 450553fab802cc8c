/* gpu_mesh.h: indexed triangles for graphics hardware, through the library meshoptimizer.
 *
 * Arrays in, arrays out. Without the library, only tl_gpu_mesh_has_meshopt and functions marked below may be called. */
#ifndef TL_OPTIMIZE_GPU_MESH_H
#define TL_OPTIMIZE_GPU_MESH_H

#include "base/arena.h"
#include "trilobite/core.h"

bool tl_gpu_mesh_has_meshopt(void);

/* Triangles of a mesh. All indices are below vertex_count, all positions finite. */
typedef struct tl_gpu_mesh_input {
    uint32_t vertex_count, index_count;
    const float (*positions)[3];
    const uint32_t *indices;
} tl_gpu_mesh_input;

/* Orders triangles for the vertex cache, then against overdraw where that costs the cache little. `out` has room for
 * index_count. False: no memory. */
bool tl_gpu_mesh_order(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t *out);

/* The same for the vertex cache alone, in linear time (no library needed). */
bool tl_gpu_mesh_order_linear(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t *out);

/* Collapses edges until `target` indices are left, or the next collapse would change the surface by more than `error`
 * of its extent. Vertices at the border of the mesh stay. *count and *error are set to what was reached; `out` has room
 * for index_count. False: no memory. */
bool tl_gpu_mesh_simplify(tl_arena *arena, const tl_gpu_mesh_input *in, uint32_t target, float *error, uint32_t *out,
                          uint32_t *count);

/* A vertex attribute: `each` bytes for every vertex. */
typedef struct tl_gpu_mesh_stream {
    const void *bytes;
    size_t each;
} tl_gpu_mesh_stream;

/* to[vertex] is the first vertex that is equal in all streams (no library needed). False: no memory. */
bool tl_gpu_mesh_weld(tl_arena *arena, const tl_gpu_mesh_stream *streams, uint32_t stream_count, uint32_t vertex_count,
                      uint32_t *to);

/* Vertices in the order of their first use (no library needed): to[vertex] is its new number, TRILO_NONE for one that
 * is not used. Returns how many are used. */
uint32_t tl_gpu_mesh_fetch(const uint32_t *indices, uint32_t index_count, uint32_t vertex_count, uint32_t *to);

#endif
