/* Parts run as the console runs them, so that what is decoded is what is drawn.
 *
 * The microcode keeps everything in 4 KiB of memory. Relative to slot 0 of the vertex cache (36 bytes a slot):
 *
 *   0 ............................... 2520 ......... 2872 .......
 *   | slot 0 | slot 1 | ... | slot 69 | clip buffer ...          |
 *                [ input of a load: 16 bytes a vertex, ends at 2872 ]
 *          [ indices of a strip, ends at 2520 ]
 *
 * A load of many vertices and every strip therefore overwrite the upper slots while they work. What they overwrite is
 * lost, unless the load itself fills it again. */
#include "formats/t3dm/t3dm.h"

#include "base/size.h"

enum { SLOT_SIZE = 36, STRIP_END = 2520, STAGING_END = 2872, VERTEX_SIZE = 16, STRIP_ALIGN = 8, RESTART = 0x8000 };

#define EMPTY TRILO_NONE
#define LOST  (TRILO_NONE - 1)

typedef struct machine {
    const t3dm_file *file;
    const t3dm_object *object;
    const t3dm_drawer *drawer;
    const t3dm_part *part;
    uint32_t number; /* of the part */
    t3dm_slot cache[T3DM_CACHE + 1];
} machine;

static void stumble(const machine *m, enum t3dm_rule_id rule, const char *field, uint32_t value, uint32_t limit)
{
    if (!m->drawer->stumble)
        return;
    const uint64_t part_at = m->object->at + tl_layout_size(&tl_t3dm_object_head, 0) +
                             (uint64_t)m->number * tl_layout_size(&tl_t3dm_part, m->file->version);
    const tl_field *row = tl_layout_field(&tl_t3dm_part, m->file->version, field);
    m->drawer->stumble(m->drawer->user,
                       &(t3dm_stumble){rule, m->number, part_at + (row ? row->at : 0), field, value, limit});
}

/* Slots that reach behind `from` are lost. */
static void lose_slots(machine *m, uint32_t from)
{
    for (uint32_t s = from / SLOT_SIZE; s <= T3DM_CACHE; s++)
        if (SLOT_SIZE * (s + 1) > from)
            m->cache[s].vertex = m->cache[s].vertex == EMPTY ? EMPTY : LOST;
}

static bool load_vertices(machine *m)
{
    const t3dm_part *part = m->part;
    const uint32_t count = (part->vertex_count + 1u) & ~1u, first = part->vertex_at / VERTEX_SIZE;
    if (part->vertex_count > T3DM_CACHE) {
        stumble(m, T3DM_R_PART_VERTS, "vertex_count", part->vertex_count, T3DM_CACHE);
        return false;
    }
    if (part->vertex_dest + count > T3DM_CACHE + 1) {
        stumble(m, T3DM_R_PART_DEST, "vertex_dest", part->vertex_dest, T3DM_CACHE + 1 - count);
        return false;
    }
    if (part->vertex_at % (T3DM_PAIR * VERTEX_SIZE) != 0 ||
        !tl_fits(m->file->vertices.size, part->vertex_at, count, VERTEX_SIZE)) {
        stumble(m, T3DM_R_PART_SOURCE, "vertex_at", part->vertex_at, (uint32_t)m->file->vertices.size);
        return false;
    }
    lose_slots(m, STAGING_END - VERTEX_SIZE * count);
    for (uint32_t i = 0; i < count; i++)
        m->cache[part->vertex_dest + i] = (t3dm_slot){first + i, part->bone};
    return true;
}

static void draw(machine *m, uint32_t a, uint32_t b, uint32_t c, const char *field)
{
    const uint32_t slots[3] = {a, b, c};
    t3dm_triangle t = {.part = m->number};
    for (int i = 0; i < 3; i++) {
        if (slots[i] >= T3DM_CACHE) {
            stumble(m, T3DM_R_SLOT_RANGE, field, slots[i], T3DM_CACHE - 1);
            return;
        }
        t.slots[i] = (uint8_t)slots[i];
        t.corners[i] = m->cache[slots[i]];
        if (t.corners[i].vertex == EMPTY || t.corners[i].vertex == LOST) {
            stumble(m, t.corners[i].vertex == LOST ? T3DM_R_SLOT_LOST : T3DM_R_SLOT_EMPTY, field, slots[i], 0);
            return;
        }
    }
    m->drawer->triangle(m->drawer->user, &t);
}

static void draw_list(machine *m)
{
    const t3dm_part *part = m->part;
    if (part->index_count == 0)
        return;
    if (part->index_count % 3 != 0 || !tl_fits(m->file->indices.size, part->index_at, part->index_count, 1)) {
        stumble(m, T3DM_R_PART_LIST, "index_count", part->index_count, (uint32_t)m->file->indices.size);
        return;
    }
    const uint8_t *p = m->file->indices.data + part->index_at;
    for (uint32_t i = 0; i + 2 < part->index_count; i += 3)
        draw(m, p[i], p[i + 1], p[i + 2], "index_at");
}

static void draw_sequence(machine *m)
{
    const uint32_t base = m->part->sequence_base, count = m->part->sequence_count;
    if (count > 0 && base + 3 * count > T3DM_CACHE) {
        stumble(m, T3DM_R_SEQUENCE, "sequence_count", base + 3 * count, T3DM_CACHE);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        draw(m, base + 3 * i, base + 3 * i + 1, base + 3 * i + 2, "sequence_base");
}

/* --- strips --- */

uint32_t tl_t3dm_strip_slot(uint32_t version, const t3dm_strip *strip, uint32_t k, bool *restart)
{
    const uint16_t word = tl_get_u16(strip->bytes + 2 * (size_t)k, TL_BIG);
    *restart = (word & RESTART) != 0;
    if (!*restart)
        return word;
    return version >= T3DM_V3 ? word & (RESTART - 1u) : 0xFFFFu - word;
}

/* They lie behind the list, each aligned as the file is loaded. */
uint32_t tl_t3dm_strips(const t3dm_file *file, const t3dm_part *part, t3dm_strip strips[T3DM_STRIPS])
{
    const trilo_bytes indices = file->indices;
    uint64_t at = (uint64_t)file->indices_at + part->index_at + part->index_count;
    uint32_t count = 0;
    for (; count < T3DM_STRIPS && part->strip_counts[count] != 0; count++) {
        const uint32_t n = part->strip_counts[count];
        at = (at + STRIP_ALIGN - 1) / STRIP_ALIGN * STRIP_ALIGN;
        const uint64_t inside = at - file->indices_at;
        if (n < 3 || inside > indices.size || !tl_fits(indices.size, (size_t)inside, n, 2))
            break;
        strips[count] = (t3dm_strip){indices.data + inside, n};
        at += 2 * (uint64_t)n;
    }
    return count;
}

static uint32_t strip_slot(const machine *m, const t3dm_strip *s, uint32_t k, bool *restart)
{
    return tl_t3dm_strip_slot(m->file->version, s, k, restart);
}

/* A new strip needs three indices; the old one must have had them too. */
static bool flags_fine(const machine *m, const t3dm_strip *s)
{
    uint32_t since = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        bool restart;
        strip_slot(m, s, k, &restart);
        if (restart && k > 0 && (since < 3 || s->count - k < 3))
            return false;
        since = restart ? 1 : since + 1;
    }
    return true;
}

static uint32_t highest_slot(const machine *m, const t3dm_strip *s)
{
    uint32_t highest = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        bool restart;
        const uint32_t slot = strip_slot(m, s, k, &restart);
        highest = slot > highest ? slot : highest;
    }
    return highest;
}

static uint32_t strip_buffer(uint32_t count)
{
    return 8 * ((count + 3) / 4);
}

/* The buffer of each strip must leave the slots alone that it and the strips behind it use. */
static void check_room(const machine *m, const t3dm_strip *strips, uint32_t count)
{
    uint32_t highest = 0;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t own = highest_slot(m, &strips[i]);
        highest = own > highest ? own : highest;
        const uint32_t room = highest < T3DM_CACHE ? SLOT_SIZE * (T3DM_CACHE - 1 - highest) : 0;
        if (highest < T3DM_CACHE && strip_buffer(strips[i].count) > room)
            stumble(m, T3DM_R_STRIP_ROOM, "strip_counts", strip_buffer(strips[i].count), room);
    }
}

/* Versions 1 and 2 skip a triangle whose first and third corner are equal: such a one only turned the strip. */
static void draw_strip(machine *m, const t3dm_strip *s)
{
    bool odd = false, restart;
    for (uint32_t k = 0; k + 2 < s->count;) {
        const uint32_t a = strip_slot(m, s, k, &restart), b = strip_slot(m, s, k + 1, &restart);
        const uint32_t c = strip_slot(m, s, k + 2, &restart);
        if (restart) {
            k += 2;
            odd = false;
            continue;
        }
        if (a != c || m->file->version >= T3DM_V3)
            odd ? draw(m, b, a, c, "strip_counts") : draw(m, a, b, c, "strip_counts");
        odd = !odd;
        k++;
    }
}

static void draw_strips(machine *m)
{
    t3dm_strip strips[T3DM_STRIPS];
    const uint32_t count = tl_t3dm_strips(m->file, m->part, strips);
    if (count < T3DM_STRIPS && m->part->strip_counts[count] != 0)
        stumble(m, T3DM_R_STRIP_SIZE, "strip_counts", m->part->strip_counts[count], (uint32_t)m->file->indices.size);
    check_room(m, strips, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!flags_fine(m, &strips[i])) {
            stumble(m, T3DM_R_STRIP_FLAG, "strip_counts", strips[i].count, 3);
            continue;
        }
        draw_strip(m, &strips[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        lose_slots(m, STRIP_END - strip_buffer(strips[i].count));
}

void tl_t3dm_draw(const t3dm_file *file, const t3dm_object *object, const t3dm_drawer *drawer)
{
    machine m = {.file = file, .object = object, .drawer = drawer};
    for (uint32_t i = 0; i <= T3DM_CACHE; i++)
        m.cache[i].vertex = EMPTY;
    for (m.number = 0; m.number < object->head.part_count; m.number++) {
        m.part = &object->parts[m.number];
        if (!load_vertices(&m))
            continue;
        draw_list(&m);
        draw_sequence(&m);
        draw_strips(&m);
    }
}
