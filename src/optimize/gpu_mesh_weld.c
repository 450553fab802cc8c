/* Vertices that are equal in everything become one: hashed once, compared exactly, in a table that is at most half
 * full.
 */
#include "optimize/gpu_mesh.h"

#include <string.h>

typedef struct welder {
    const tl_gpu_mesh_stream *streams;
    uint32_t stream_count;
} welder;

static const uint8_t *value_at(const tl_gpu_mesh_stream *stream, uint32_t vertex)
{
    return (const uint8_t *)stream->bytes + vertex * stream->each;
}

static uint32_t hash_of(const welder *w, uint32_t vertex)
{
    uint32_t hash = 0;
    for (uint32_t i = 0; i < w->stream_count; i++) {
        hash = (hash ^ trilo_fnv1a(value_at(&w->streams[i], vertex), w->streams[i].each)) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool is_same(const welder *w, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < w->stream_count; i++)
        if (memcmp(value_at(&w->streams[i], a), value_at(&w->streams[i], b), w->streams[i].each) != 0)
            return false;
    return true;
}

bool tl_gpu_mesh_weld(tl_arena *arena, const tl_gpu_mesh_stream *streams, uint32_t stream_count, uint32_t vertex_count,
                      uint32_t *to)
{
    const welder w = {streams, stream_count};
    size_t room = 16;
    while (room / 2 < vertex_count)
        room *= 2;
    uint32_t *table = tl_array_raw(arena, room, sizeof *table);
    if (!table)
        return false;
    memset(table, 0xFF, room * sizeof *table); /* TRILO_NONE: free */
    for (uint32_t i = 0; i < vertex_count; i++) {
        size_t k = hash_of(&w, i) & (room - 1);
        while (table[k] != TRILO_NONE && !is_same(&w, table[k], i))
            k = (k + 1) & (room - 1);
        if (table[k] == TRILO_NONE)
            table[k] = i;
        to[i] = table[k];
    }
    return true;
}
