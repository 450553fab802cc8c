/* From one version of the format to another, part by part, triangle by triangle in the same order.
 *
 * Version 4 has sequences: for older ones they become list triangles, which are drawn right before. Versions 1 and 2
 * turn a strip with a triangle that is skipped, which 3 and 4 would draw: the strips of such a part become list
 * triangles. */
#include "formats/t3dm/t3dm.h"

#include <string.h>

/* What a part draws, put down anew. */
typedef struct writer {
    const t3dm_file *from;
    uint32_t version;
    uint8_t *bytes; /* NULL: only measured */
    size_t at;
    bool overflow; /* a list has more indices than a part can count */
} writer;

static void put_byte(writer *w, uint32_t value)
{
    if (w->bytes)
        w->bytes[w->at] = (uint8_t)value;
    w->at++;
}

static void put_word(writer *w, uint32_t value)
{
    put_byte(w, value >> 8);
    put_byte(w, value & 0xFF);
}

static void put_triangle(writer *w, uint32_t a, uint32_t b, uint32_t c)
{
    put_byte(w, a);
    put_byte(w, b);
    put_byte(w, c);
}

static bool strip_turns(const t3dm_file *file, const t3dm_strip *s)
{
    bool restart;
    for (uint32_t k = 0; k + 2 < s->count; k++) {
        const uint32_t third = t3dm_strip_slot(file->version, s, k + 2, &restart);
        bool first_restart;
        if (!restart && third == t3dm_strip_slot(file->version, s, k, &first_restart))
            return true;
    }
    return false;
}

static bool must_unroll(const writer *w, const t3dm_strip *strips, uint32_t count)
{
    for (uint32_t i = 0; w->from->version < T3DM_V3 && w->version >= T3DM_V3 && i < count; i++)
        if (strip_turns(w->from, &strips[i]))
            return true;
    return false;
}

static void unroll(writer *w, const t3dm_strip *s)
{
    const uint32_t version = w->from->version;
    bool odd = false, restart;
    for (uint32_t k = 0; k + 2 < s->count;) {
        const uint32_t a = t3dm_strip_slot(version, s, k, &restart), b = t3dm_strip_slot(version, s, k + 1, &restart);
        const uint32_t c = t3dm_strip_slot(version, s, k + 2, &restart);
        if (restart) {
            k += 2;
            odd = false;
            continue;
        }
        if (a != c)
            odd ? put_triangle(w, b, a, c) : put_triangle(w, a, b, c);
        odd = !odd;
        k++;
    }
}

static void put_strip(writer *w, const t3dm_strip *s)
{
    while (w->at % 8 != 0) /* I itself will start at a multiple of 8 */
        put_byte(w, 0);
    for (uint32_t k = 0; k < s->count; k++) {
        bool restart;
        const uint32_t slot = t3dm_strip_slot(w->from->version, s, k, &restart);
        put_word(w, t3dm_strip_word(w->version, slot, restart));
    }
}

/* The indices of one part; `to` receives its counts. */
static void put_part(writer *w, const t3dm_part *from, t3dm_part *to)
{
    t3dm_strip strips[T3DM_STRIPS];
    const uint32_t count = tl_t3dm_strips(w->from, from, strips);
    const bool unrolled = must_unroll(w, strips, count);
    *to = *from;
    to->index_at = (uint32_t)w->at;
    for (uint32_t i = 0; i < from->index_count; i++)
        put_byte(w, w->from->indices.data[from->index_at + i]);
    if (w->version < T3DM_V4) {
        for (uint32_t i = 0; i < from->sequence_count; i++)
            put_triangle(w, from->sequence_base + 3 * i, from->sequence_base + 3 * i + 1,
                         from->sequence_base + 3 * i + 2);
        to->sequence_base = to->sequence_count = 0;
    }
    for (uint32_t i = 0; unrolled && i < count; i++)
        unroll(w, &strips[i]);
    w->overflow = w->overflow || w->at - to->index_at > UINT16_MAX;
    to->index_count = (uint16_t)(w->at - to->index_at);
    if (unrolled)
        memset(to->strip_counts, 0, sizeof to->strip_counts);
    for (uint32_t i = 0; !unrolled && i < count; i++)
        put_strip(w, &strips[i]);
}

static void put_objects(writer *w, t3dm_file *to)
{
    for (uint32_t i = 0; i < w->from->object_count; i++)
        for (uint32_t k = 0; k < w->from->objects[i].head.part_count; k++) {
            t3dm_part part;
            put_part(w, &w->from->objects[i].parts[k], w->bytes ? &to->objects[i].parts[k] : &part);
        }
}

static bool copy_objects(const t3dm_file *from, t3dm_file *to, tl_arena *arena)
{
    to->objects = TL_ARRAY(arena, from->object_count, t3dm_object);
    for (uint32_t i = 0; to->objects && i < from->object_count; i++) {
        to->objects[i].head = from->objects[i].head;
        to->objects[i].parts = TL_ARRAY(arena, from->objects[i].head.part_count, t3dm_part);
        if (!to->objects[i].parts)
            return false;
    }
    /* Their places change: they are copied too. */
    to->materials = tl_bytes_copy(arena, from->materials, from->material_count * sizeof *from->materials);
    to->animations = tl_bytes_copy(arena, from->animations, from->animation_count * sizeof *from->animations);
    return to->objects && to->materials && to->animations;
}

static void count_indices(t3dm_file *file)
{
    file->header.index_total = 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++)
            file->header.index_total = (uint16_t)(file->header.index_total + file->objects[i].parts[k].index_count);
}

static t3dm_chunk *custom_chunks(const t3dm_file *from, tl_arena *arena, uint32_t *count)
{
    t3dm_chunk *custom = TL_ARRAY(arena, from->header.chunk_count, t3dm_chunk);
    *count = 0;
    for (uint32_t i = 0; custom && i < from->header.chunk_count; i++)
        if (t3dm_is_custom(from->chunks[i].type))
            custom[(*count)++] = from->chunks[i];
    return custom;
}

static bool any_opaque(const t3dm_file *file)
{
    for (uint32_t i = 0; i < file->material_count; i++)
        if (file->materials[i].opaque)
            return true;
    return false;
}

/* The file has been checked: lists and strips lie inside I. */
void *tl_t3dm_change_version(const void *t3dm, uint32_t version, tl_arena *arena, trilo_error *err)
{
    const t3dm_file *from = t3dm;
    t3dm_file *to = TL_NEW(arena, t3dm_file);
    uint32_t custom_count;
    const t3dm_chunk *custom = custom_chunks(from, arena, &custom_count);
    if (version < T3DM_V1 || version > T3DM_V4 || any_opaque(from)) {
        tl_fail(err, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_VERSION), TRILO_NOWHERE, NULL,
                any_opaque(from) ? "user-defined materials (chunk m) cannot be converted to another version"
                                 : "version %u, 1 to 4 can be written",
                (unsigned)version);
        return NULL;
    }
    writer measure = {from, version, NULL, 0, false};
    put_objects(&measure, NULL);
    if (measure.overflow) {
        tl_fail(err, TRILO_CODE_LIMIT, t3dm_rule(T3DM_R_RANGE_COUNT), TRILO_NOWHERE, NULL,
                "a part would have more than 65535 list indices; re-encode the model instead");
        return NULL;
    }
    uint8_t *indices = tl_array(arena, measure.at, 1);
    if (!to || !custom || !indices) {
        tl_fail_memory(err);
        return NULL;
    }
    *to = *from;
    if (!copy_objects(from, to, arena)) {
        tl_fail_memory(err);
        return NULL;
    }
    to->bytes = (trilo_bytes){NULL, 0};
    to->version = version;
    to->header.version = (uint8_t)version;
    to->header.user_block = 0;
    writer fill = {from, version, indices, 0, false};
    put_objects(&fill, to);
    to->indices = (trilo_bytes){indices, measure.at};
    count_indices(to);
    return tl_t3dm_place(to, custom, custom_count, arena, err) ? to : NULL;
}
