/* Vertices that are equal in every stream become one. */
#include "optimize/gpu_mesh.h"

#include "base/hash_table.h"

#include <string.h>

typedef struct gpu_mesh_welder {
    const tl_gpu_mesh_stream *streams;
    uint32_t stream_count;
} gpu_mesh_welder;

static const uint8_t *gpu_mesh_value(const tl_gpu_mesh_stream *stream, uint32_t vertex)
{
    return (const uint8_t *)stream->bytes + vertex * stream->each;
}

static uint32_t gpu_mesh_vertex_hash(const gpu_mesh_welder *w, uint32_t vertex)
{
    uint32_t hash = 0;
    for (uint32_t i = 0; i < w->stream_count; i++) {
        hash = (hash ^ trilo_fnv1a(gpu_mesh_value(&w->streams[i], vertex), w->streams[i].each)) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static int gpu_mesh_vertex_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gpu_mesh_welder *w = rows;
    int order = 0;
    for (uint32_t i = 0; order == 0 && i < w->stream_count; i++)
        order = memcmp(gpu_mesh_value(&w->streams[i], a), gpu_mesh_value(&w->streams[i], b), w->streams[i].each);
    return order;
}

bool tl_gpu_mesh_weld(tl_arena *arena, const tl_gpu_mesh_stream *streams, uint32_t stream_count, uint32_t vertex_count,
                      uint32_t *to)
{
    const gpu_mesh_welder w = {streams, stream_count};
    tl_hash_table table;
    if (!tl_hash_table_init(&table, arena, vertex_count, gpu_mesh_vertex_compare, &w))
        return false;
    for (uint32_t i = 0; i < vertex_count; i++) {
        to[i] = tl_hash_table_add(&table, gpu_mesh_vertex_hash(&w, i), i);
        if (to[i] == TRILO_NONE)
            return false;
    }
    return true;
}
