/* Converts a file to another version of the format. All triangles keep their order.
 *
 * Version 4 has index sequences: in older versions they become list triangles. Versions 1 and 2 skip degenerate
 * triangles of a strip, which change its winding; versions 3 and 4 would draw them: the strips of such a part become
 * list triangles. */
#include "formats/t3dm/t3dm.h"

#include <string.h>

/* The indices of the new version. */
typedef struct t3dm_version_writer {
    const t3dm_file *from;
    uint32_t version;
    uint8_t *bytes; /* NULL: only their size is computed */
    size_t at;
    bool overflow; /* a list has more than 65535 indices */
} t3dm_version_writer;

static void t3dm_version_put_byte(t3dm_version_writer *w, uint32_t value)
{
    if (w->bytes)
        w->bytes[w->at] = (uint8_t)value;
    w->at++;
}

static void t3dm_version_put_triangle(t3dm_version_writer *w, uint32_t a, uint32_t b, uint32_t c)
{
    t3dm_version_put_byte(w, a);
    t3dm_version_put_byte(w, b);
    t3dm_version_put_byte(w, c);
}

/* True if a strip has a degenerate triangle that the new version would draw. */
static bool t3dm_version_must_unroll(const t3dm_version_writer *w, const t3dm_strip *strips, uint32_t count)
{
    const uint32_t version = w->from->version;
    for (uint32_t i = 0; version < T3DM_V3 && w->version >= T3DM_V3 && i < count; i++)
        for (uint32_t k = 0; k + 2 < strips[i].count; k++) {
            bool restart, first_restart;
            const uint32_t third = t3dm_strip_slot(version, &strips[i], k + 2, &restart);
            if (!restart && third == t3dm_strip_slot(version, &strips[i], k, &first_restart))
                return true;
        }
    return false;
}

/* Writes a strip as list triangles. */
static void t3dm_version_unroll(t3dm_version_writer *w, const t3dm_strip *s)
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
            odd ? t3dm_version_put_triangle(w, b, a, c) : t3dm_version_put_triangle(w, a, b, c);
        odd = !odd;
        k++;
    }
}

/* Writes the indices of a part; `to` receives its counts. */
static void t3dm_version_put_part(t3dm_version_writer *w, const t3dm_part *from, t3dm_part *to)
{
    t3dm_strip strips[T3DM_STRIPS];
    const uint32_t count = tl_t3dm_strips(w->from, from, strips);
    const bool unrolled = t3dm_version_must_unroll(w, strips, count);
    *to = *from;
    to->index_at = (uint32_t)w->at;
    for (uint32_t i = 0; i < from->index_count; i++)
        t3dm_version_put_byte(w, w->from->indices.data[from->index_at + i]);
    if (w->version < T3DM_V4) {
        for (uint32_t i = 0; i < from->sequence_count; i++)
            t3dm_version_put_triangle(w, from->sequence_base + 3 * i, from->sequence_base + 3 * i + 1,
                                      from->sequence_base + 3 * i + 2);
        to->sequence_base = to->sequence_count = 0;
    }
    for (uint32_t i = 0; unrolled && i < count; i++)
        t3dm_version_unroll(w, &strips[i]);
    w->overflow = w->overflow || w->at - to->index_at > UINT16_MAX;
    to->index_count = (uint16_t)(w->at - to->index_at);
    if (unrolled)
        memset(to->strip_counts, 0, sizeof to->strip_counts);
    for (uint32_t i = 0; !unrolled && i < count; i++) {
        while (w->at % 8 != 0) /* chunk I starts at a multiple of 8 */
            t3dm_version_put_byte(w, 0);
        for (uint32_t k = 0; k < strips[i].count; k++) {
            bool restart;
            const uint32_t slot = t3dm_strip_slot(w->from->version, &strips[i], k, &restart);
            const uint32_t word = t3dm_strip_word(w->version, slot, restart);
            t3dm_version_put_byte(w, word >> 8);
            t3dm_version_put_byte(w, word & 0xFF);
        }
    }
}

static void t3dm_version_put_objects(t3dm_version_writer *w, t3dm_file *to)
{
    for (uint32_t i = 0; i < w->from->object_count; i++)
        for (uint32_t k = 0; k < w->from->objects[i].head.part_count; k++) {
            t3dm_part part;
            t3dm_version_put_part(w, &w->from->objects[i].parts[k], w->bytes ? &to->objects[i].parts[k] : &part);
        }
}

static bool t3dm_version_copy_objects(const t3dm_file *from, t3dm_file *to, tl_arena *arena)
{
    to->objects = TL_ARRAY(arena, from->object_count, t3dm_object);
    for (uint32_t i = 0; to->objects && i < from->object_count; i++) {
        to->objects[i].head = from->objects[i].head;
        to->objects[i].parts = TL_ARRAY(arena, from->objects[i].head.part_count, t3dm_part);
        if (!to->objects[i].parts)
            return false;
    }
    /* Their offsets change: they are copied too. */
    to->materials = tl_bytes_copy(arena, from->materials, from->material_count * sizeof *from->materials);
    to->animations = tl_bytes_copy(arena, from->animations, from->animation_count * sizeof *from->animations);
    return to->objects && to->materials && to->animations;
}

/* The file has been checked: lists and strips are inside I. */
void *tl_t3dm_change_version(const void *t3dm, uint32_t version, tl_arena *arena, trilo_error *err)
{
    const t3dm_file *from = t3dm;
    t3dm_file *to = TL_NEW(arena, t3dm_file);
    t3dm_chunk *custom = TL_ARRAY(arena, from->header.chunk_count, t3dm_chunk);
    uint32_t custom_count = 0;
    for (uint32_t i = 0; custom && i < from->header.chunk_count; i++)
        if (t3dm_is_custom(from->chunks[i].type))
            custom[custom_count++] = from->chunks[i];
    if (version < T3DM_V1 || version > T3DM_V4) {
        tl_fail(err, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_VERSION), TRILO_NOWHERE, NULL,
                "version %u, 1 to 4 can be written", (unsigned)version);
        return NULL;
    }
    t3dm_version_writer measure = {from, version, NULL, 0, false};
    t3dm_version_put_objects(&measure, NULL);
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
    if (!t3dm_version_copy_objects(from, to, arena)) {
        tl_fail_memory(err);
        return NULL;
    }
    to->bytes = (trilo_bytes){NULL, 0};
    to->version = version;
    to->header.version = (uint8_t)version;
    to->header.user_block = 0;
    t3dm_version_writer fill = {from, version, indices, 0, false};
    t3dm_version_put_objects(&fill, to);
    to->indices = (trilo_bytes){indices, measure.at};
    to->header.index_total = 0;
    for (uint32_t i = 0; i < to->object_count; i++)
        for (uint32_t k = 0; k < to->objects[i].head.part_count; k++)
            to->header.index_total = (uint16_t)(to->header.index_total + to->objects[i].parts[k].index_count);
    return tl_t3dm_layout_file(to, custom, custom_count, arena, err) ? to : NULL;
}
