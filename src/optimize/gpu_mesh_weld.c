/* Welding: vertices that are equal in every stream become one. */
#include "optimize/gpu_mesh.h"

#include "base/hash_table.h"
#include <string.h>

typedef struct gpu_weld_rows {
    const tl_gpu_mesh_stream *streams;
    uint32_t stream_count;
} gpu_weld_rows;

static const uint8_t *gpu_weld_value(const tl_gpu_mesh_stream *stream, uint32_t vertex)
{
    return (const uint8_t *)stream->bytes + vertex * stream->each;
}

static int gpu_weld_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gpu_weld_rows *r = rows;
    int order = 0;
    for (uint32_t i = 0; i < r->stream_count && order == 0; i++)
        order = memcmp(gpu_weld_value(&r->streams[i], a), gpu_weld_value(&r->streams[i], b), r->streams[i].each);
    return order;
}

bool tl_gpu_mesh_weld(tl_arena *arena, const tl_gpu_mesh_stream *streams, uint32_t stream_count, uint32_t vertex_count,
                      uint32_t *to)
{
    const gpu_weld_rows rows = {streams, stream_count};
    tl_hash_table table;
    if (!tl_hash_table_init(&table, arena, vertex_count, gpu_weld_compare, &rows))
        return false;
    for (uint32_t v = 0; v < vertex_count; v++) {
        uint32_t hash = 0;
        for (uint32_t i = 0; i < stream_count; i++) {
            hash = (hash ^ trilo_fnv1a(gpu_weld_value(&streams[i], v), streams[i].each)) * 0x9E3779B1u;
            hash ^= hash >> 15;
        }
        to[v] = tl_hash_table_add(&table, hash, v);
        if (to[v] == TRILO_NONE)
            return false;
    }
    return true;
}
