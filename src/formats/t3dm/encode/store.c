/* The vertex chunk (V) and the index chunk (I). Tiny3D's loader does not change vertices, so parts may share them; it
 * rewrites strips, so each part has its own. */
#include "formats/t3dm/encode/store.h"

#include "base/hash_table.h"

#include <string.h>

enum {
    PAIR_SIZE = T3DM_PAIR * T3DM_VERTEX_SIZE,
    STORED_STRIP_ALIGN = 8,
    RUNS_TRIED = 16, /* runs with the same first pair that are compared; only a hostile file has more */
    INDEX_BYTES_LEAST = 8
};

static size_t align_offset(size_t value, size_t to)
{
    return (value + to - 1) / to * to;
}

bool tl_t3dm_store_init(t3dm_store *store, tl_arena *arena, uint32_t version, bool share_vertices, size_t vertices_most,
                        size_t indices_most)
{
    const size_t pairs = vertices_most / PAIR_SIZE;
    uint32_t room = 16;
    while (room < pairs && room < 1u << 31)
        room *= 2;
    *store = (t3dm_store){.version = version, .share_vertices = share_vertices, .mask = room - 1};
    store->pair = tl_t3dm_pair_offsets();
    store->vertices = tl_array_raw(arena, vertices_most > PAIR_SIZE ? vertices_most : PAIR_SIZE, 1);
    store->indices = tl_array(arena, indices_most > 0 ? indices_most : INDEX_BYTES_LEAST, 1);
    store->newest = TL_ARRAY(arena, room, uint32_t);
    store->older = tl_array_raw(arena, pairs, sizeof *store->older);
    store->bones = tl_array_raw(arena, pairs, sizeof *store->bones);
    if (!store->vertices || !store->indices || !store->newest || !store->older || !store->bones)
        return false;
    memset(store->vertices, 0, PAIR_SIZE); /* a file without vertices has an empty pair */
    return true;
}

/* --- vertices --- */

/* Where V holds the run already, all of it for this bone, and for this object unless objects share; SIZE_MAX: nowhere.
 */
static size_t find_stored_run(const t3dm_store *store, const uint8_t *run, size_t size, uint16_t bone)
{
    uint32_t pair = store->newest[tl_hash_words(run, PAIR_SIZE) & store->mask];
    for (int tries = 0; pair != 0 && tries < RUNS_TRIED; tries++, pair = store->older[pair - 1]) {
        const size_t at = (size_t)(pair - 1) * PAIR_SIZE;
        if (at < store->object_at || store->vertices_size - at < size || memcmp(store->vertices + at, run, size) != 0)
            continue;
        size_t same = 0;
        while (same < size && store->bones[(at + same) / PAIR_SIZE] == bone)
            same += PAIR_SIZE;
        if (same >= size)
            return at;
    }
    return SIZE_MAX;
}

/* A run of pairs. Returns its offset. */
static uint32_t store_vertex_run(t3dm_store *store, const uint8_t *run, size_t size, uint16_t bone)
{
    const size_t found = size > 0 ? find_stored_run(store, run, size, bone) : 0, at = store->vertices_size;
    if (found != SIZE_MAX)
        return (uint32_t)found;
    memcpy(store->vertices + at, run, size);
    store->vertices_size += size;
    for (size_t k = 0; k < size; k += PAIR_SIZE) {
        uint32_t *newest = &store->newest[tl_hash_words(run + k, PAIR_SIZE) & store->mask];
        const uint32_t pair = (uint32_t)((at + k) / PAIR_SIZE);
        store->older[pair] = *newest;
        store->bones[pair] = bone;
        *newest = pair + 1;
    }
    return (uint32_t)at;
}

/* One of the two vertices of a pair. */
static void put_vertex(const t3dm_pair_offsets *at, const t3dm_vertex *v, uint32_t which, uint8_t *pair)
{
    for (int k = 0; k < 3; k++)
        tl_put_u16(pair + at->position[which] + 2 * k, TL_BIG, (uint16_t)v->position[k]);
    tl_put_u16(pair + at->normal[which], TL_BIG, v->normal);
    memcpy(pair + at->color[which], v->color, sizeof v->color);
    for (int k = 0; k < 2; k++)
        tl_put_u16(pair + at->uv[which] + 2 * k, TL_BIG, (uint16_t)v->uv[k]);
}

static uint32_t store_vertex_batch(t3dm_store *store, const t3dm_vertex *vertices, const uint32_t *rows, uint32_t count,
                                   uint16_t bone)
{
    uint8_t run[(T3DM_CACHE + T3DM_PAIR) * T3DM_VERTEX_SIZE];
    const size_t size = (size_t)count * T3DM_VERTEX_SIZE;
    if (size > sizeof run)
        return 0; /* the cache has no more slots */
    for (uint32_t k = 0; k + 1 < count; k += T3DM_PAIR)
        for (uint32_t which = 0; which < T3DM_PAIR; which++)
            put_vertex(&store->pair, &vertices[rows[k + which]], which, run + (size_t)k * T3DM_VERTEX_SIZE);
    return store_vertex_run(store, run, size, bone);
}

/* --- indices --- */

size_t tl_t3dm_indices_end(const t3dm_part *part, size_t at)
{
    at += part->index_count;
    for (int k = 0; k < T3DM_STRIPS && part->strip_counts[k]; k++)
        at = align_offset(at, STORED_STRIP_ALIGN) + 2 * (size_t)part->strip_counts[k];
    return at;
}

static uint32_t store_index_list(t3dm_store *store, const uint8_t *list, uint32_t count)
{
    const size_t at = store->indices_size;
    if (count > 0)
        memcpy(store->indices + at, list, count);
    store->indices_size += count;
    return (uint32_t)at;
}

/* Strips are aligned; I itself starts at a multiple of 8. */
static uint8_t *reserve_strip(t3dm_store *store, uint32_t count)
{
    const size_t at = align_offset(store->indices_size, STORED_STRIP_ALIGN);
    store->indices_size = at + 2 * (size_t)count;
    return store->indices + at;
}

/* Batches flag a new strip as versions 3 and 4 do. */
static void store_index_strip(t3dm_store *store, const uint16_t *words, uint32_t count)
{
    uint8_t *out = reserve_strip(store, count);
    for (uint32_t i = 0; i < count; i++) {
        bool restart;
        const uint32_t slot = t3dm_strip_word_slot(T3DM_V4, words[i], &restart);
        tl_put_u16(out + 2 * (size_t)i, TL_BIG, t3dm_strip_word(store->version, slot, restart));
    }
}

/* --- objects --- */

t3dm_part tl_t3dm_part_of(const tl_batch_part *part)
{
    t3dm_part made = {.vertex_count = part->vertex_count,
                      .vertex_dest = part->dest,
                      .index_count = part->index_count,
                      .bone = part->bone,
                      .sequence_base = part->sequence_base,
                      .sequence_count = part->sequence_count};
    memcpy(made.strip_counts, part->strip_counts, sizeof made.strip_counts);
    return made;
}

void tl_t3dm_store_batches(t3dm_store *store, const tl_batch_output *batches, const t3dm_vertex *vertices,
                           t3dm_object *object)
{
    store->object_at = store->share_vertices ? 0 : store->vertices_size;
    for (uint32_t i = 0; i < batches->part_count; i++) {
        const tl_batch_part *from = &batches->parts[i];
        t3dm_part *part = &object->parts[i];
        *part = tl_t3dm_part_of(from);
        part->vertex_at =
            store_vertex_batch(store, vertices, batches->vertices + from->first_vertex, from->vertex_count, from->bone);
        part->index_at = store_index_list(store, batches->indices + from->first_index, from->index_count);
        for (int k = 0; k < TL_BATCH_STRIPS && from->strip_counts[k]; k++)
            store_index_strip(store, batches->strips + from->first_strip[k], from->strip_counts[k]);
    }
}

void tl_t3dm_store_copy(t3dm_store *store, const t3dm_file *from, const t3dm_object *old, t3dm_object *object)
{
    store->object_at = store->share_vertices ? 0 : store->vertices_size;
    for (uint32_t i = 0; i < old->head.part_count; i++) {
        t3dm_part *part = &object->parts[i];
        t3dm_strip strips[T3DM_STRIPS];
        *part = old->parts[i];
        const uint32_t count = tl_t3dm_strips(from, part, strips);
        const size_t size = (size_t)tl_rsp_loaded(part->vertex_count) * T3DM_VERTEX_SIZE;
        const uint8_t *list = part->index_count > 0 ? from->indices.data + part->index_at : NULL;
        part->vertex_at = store_vertex_run(store, from->vertices.data + part->vertex_at, size, part->bone);
        part->index_at = store_index_list(store, list, part->index_count);
        for (uint32_t k = 0; k < count; k++)
            memcpy(reserve_strip(store, strips[k].count), strips[k].bytes, 2 * (size_t)strips[k].count);
    }
}

void tl_t3dm_store_finish(const t3dm_store *store, t3dm_file *file)
{
    file->vertices = (trilo_bytes){store->vertices, store->vertices_size > 0 ? store->vertices_size : PAIR_SIZE};
    file->indices = (trilo_bytes){store->indices, store->indices_size > 0 ? store->indices_size : INDEX_BYTES_LEAST};
    file->header.vertex_total = (uint16_t)(store->vertices_size / T3DM_VERTEX_SIZE); /* games loop over them */
    file->header.index_total = 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++) {
            const t3dm_part *part = &file->objects[i].parts[k];
            file->header.index_total = (uint16_t)(file->header.index_total + part->index_count);
        }
}
