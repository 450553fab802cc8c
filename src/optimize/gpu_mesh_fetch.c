/* Vertex fetch order: vertices by their first use, so that memory is read from front to back. */
#include "optimize/gpu_mesh.h"

uint32_t tl_gpu_mesh_fetch(const uint32_t *indices, uint32_t index_count, uint32_t vertex_count, uint32_t *to)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < vertex_count; i++)
        to[i] = TRILO_NONE;
    for (uint32_t i = 0; i < index_count; i++)
        if (to[indices[i]] == TRILO_NONE)
            to[indices[i]] = used++;
    return used;
}
