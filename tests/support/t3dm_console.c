#include "support/t3dm_console.h"

#include "harness.h"
#include "support/numbers.h"

#include <string.h>

/* Bytes from the start of slot 0, and records of the file. */
enum { SLOT = 36, DRAWABLE = 70, WRITABLE = 71, LOAD_END = 2872, MEMORY = 2880, OBJECT_HEAD = 0x20 };

uint32_t console_below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

void console_forget(console_run *r)
{
    memset(r, 0, offsetof(console_run, triangles));
    memset(r->ran, 0, sizeof *r - offsetof(console_run, ran));
}

/* --- the plain model --- */

typedef struct console {
    const t3dm_file *file;
    const t3dm_object *object;
    const t3dm_part *part;
    uint32_t number;
    bool whole[MEMORY]; /* bytes of a vertex that nothing has overwritten */
    bool loaded[DRAWABLE];
    uint32_t vertices[WRITABLE], bones[WRITABLE];
    console_run *out;
} console;

static void fault(console *c, enum t3dm_rule_id rule, const char *field, uint32_t field_at, uint32_t value,
                  uint32_t limit)
{
    const uint32_t part_size = c->file->version == 4 ? 0x18 : 0x14;
    CHECK(c->out->fault_count < CONSOLE_MOST);
    c->out->faults[c->out->fault_count++] = (t3dm_draw_fault){
        rule, c->number, c->object->at + OBJECT_HEAD + c->number * part_size + field_at, field, value, limit};
}

static bool is_whole(const console *c, uint32_t slot)
{
    for (uint32_t i = 0; i < SLOT; i++)
        if (!c->whole[SLOT * slot + i])
            return false;
    return true;
}

static bool load(console *c)
{
    const t3dm_part *p = c->part;
    const uint32_t count = p->vertex_count + p->vertex_count % 2;
    if (p->vertex_count > DRAWABLE) {
        fault(c, T3DM_R_PART_VERTS, "vertex_count", 4, p->vertex_count, 70);
        return false;
    }
    if (p->vertex_dest + count > WRITABLE) {
        fault(c, T3DM_R_PART_DEST, "vertex_dest", 6, p->vertex_dest, WRITABLE - count);
        return false;
    }
    if (p->vertex_at % 32 != 0 || p->vertex_at + CONSOLE_RAW * (uint64_t)count > c->file->vertices.size) {
        fault(c, T3DM_R_PART_SOURCE, "vertex_at", 0, p->vertex_at, (uint32_t)c->file->vertices.size);
        return false;
    }
    for (uint32_t i = LOAD_END - CONSOLE_RAW * count; i < LOAD_END; i++)
        c->whole[i] = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = p->vertex_dest + i;
        for (uint32_t k = 0; k < SLOT; k++)
            c->whole[SLOT * slot + k] = true;
        c->vertices[slot] = p->vertex_at / CONSOLE_RAW + i;
        c->bones[slot] = p->bone;
        if (slot < DRAWABLE)
            c->loaded[slot] = true;
    }
    return true;
}

static void draw(console *c, uint32_t x, uint32_t y, uint32_t z, const char *field, uint32_t field_at)
{
    const uint32_t slots[3] = {x, y, z};
    console_triangle t = {.part = c->number};
    for (int i = 0; i < 3; i++) {
        if (slots[i] >= DRAWABLE) {
            fault(c, T3DM_R_SLOT_RANGE, field, field_at, slots[i], 69);
            return;
        }
        if (!is_whole(c, slots[i])) {
            fault(c, c->loaded[slots[i]] ? T3DM_R_SLOT_LOST : T3DM_R_SLOT_EMPTY, field, field_at, slots[i], 0);
            return;
        }
        t.slots[i] = slots[i];
        t.vertices[i] = c->vertices[slots[i]];
        t.bones[i] = c->bones[slots[i]];
    }
    CHECK(c->out->count < CONSOLE_MOST);
    c->out->triangles[c->out->count++] = t;
}

static void draw_list_and_sequence(console *c)
{
    const t3dm_part *p = c->part;
    const uint64_t end = p->index_at + (uint64_t)p->index_count;
    if (p->index_count > 0 && (p->index_count % 3 != 0 || end > c->file->indices.size)) {
        fault(c, T3DM_R_PART_LIST, "index_count", 0x0C, p->index_count, (uint32_t)c->file->indices.size);
    } else {
        for (uint64_t i = p->index_at; i < end; i += 3) {
            const uint8_t *slots = c->file->indices.data + i;
            draw(c, slots[0], slots[1], slots[2], "index_at", 8);
        }
    }
    const uint32_t sequence_end = p->sequence_base + 3u * p->sequence_count;
    if (p->sequence_count > 0 && sequence_end > DRAWABLE) {
        fault(c, T3DM_R_SEQUENCE, "sequence_count", 0x15, sequence_end, 70);
        return;
    }
    for (uint32_t i = p->sequence_base; i < sequence_end; i += 3)
        draw(c, i, i + 1, i + 2, "sequence_base", 0x14);
}

typedef struct plain_strip {
    uint32_t count, slots[256], highest;
    bool starts[256], fine;
} plain_strip;

/* The strips of the part up to one that cannot be read. */
static uint32_t read_strips(const console *c, plain_strip strips[T3DM_STRIPS])
{
    const t3dm_part *p = c->part;
    uint64_t at = c->file->indices_at + (uint64_t)p->index_at + p->index_count; /* of the file */
    for (uint32_t s = 0; s < T3DM_STRIPS; s++) {
        plain_strip *strip = &strips[s];
        const uint32_t count = p->strip_counts[s];
        while (at % 8 != 0)
            at++;
        if (count < 3 || at + 2 * count > c->file->indices_at + (uint64_t)c->file->indices.size)
            return s;
        *strip = (plain_strip){.count = count, .fine = true};
        for (uint32_t k = 0; k < count; k++, at += 2) {
            const uint8_t *bytes = c->file->indices.data + at - c->file->indices_at;
            const int32_t word = bytes[0] << 8 | bytes[1];
            strip->starts[k] = word >= 0x8000;
            strip->slots[k] = (uint32_t)(word < 0x8000           ? word
                                         : c->file->version >= 3 ? word - 0x8000
                                                                 : -(word - 0x10000) - 1);
            strip->highest = strip->slots[k] > strip->highest ? strip->slots[k] : strip->highest;
        }
        /* Every piece has three indices or more; the first starts by itself. */
        for (uint32_t k = 1, since = 1; k <= count; k++, since++)
            if (k == count || strip->starts[k]) {
                strip->fine &= since >= 3;
                since = 0;
            }
    }
    return T3DM_STRIPS;
}

static void draw_strip(console *c, const plain_strip *s)
{
    uint32_t piece = 0; /* where it starts */
    if (!s->fine) {
        fault(c, T3DM_R_STRIP_FLAG, "strip_counts", 0x10, s->count, 3);
        return;
    }
    for (uint32_t k = 0; k < s->count; k++) {
        piece = k > 0 && s->starts[k] ? k : piece;
        if (k < piece + 2)
            continue;
        const uint32_t a = s->slots[k - 2], b = s->slots[k - 1];
        const bool odd = (k - piece) % 2 == 1, skipped = c->file->version < 3 && a == s->slots[k];
        if (!skipped)
            draw(c, odd ? b : a, odd ? a : b, s->slots[k], "strip_counts", 0x10);
    }
}

static void draw_strips(console *c)
{
    static plain_strip strips[T3DM_STRIPS];
    uint32_t highest = 0, most = 0;
    const uint32_t count = read_strips(c, strips);
    if (count < T3DM_STRIPS && c->part->strip_counts[count] != 0)
        fault(c, T3DM_R_STRIP_SIZE, "strip_counts", 0x10, c->part->strip_counts[count],
              (uint32_t)c->file->indices.size);
    for (uint32_t s = count; s-- > 0;) {
        const uint32_t bytes = 8 * ((strips[s].count + 3) / 4);
        highest = strips[s].highest > highest ? strips[s].highest : highest;
        most = bytes > most ? bytes : most;
        if (highest < DRAWABLE && bytes > SLOT * (69 - highest))
            fault(c, T3DM_R_STRIP_ROOM, "strip_counts", 0x10, bytes, SLOT * (69 - highest));
    }
    for (uint32_t s = 0; s < count; s++)
        draw_strip(c, &strips[s]);
    for (uint32_t i = DRAWABLE * SLOT - most; i < DRAWABLE * SLOT; i++)
        c->whole[i] = false;
}

void console_run_object(const t3dm_file *file, const t3dm_object *object, console_run *out)
{
    static console c;
    c = (console){.file = file, .object = object, .out = out};
    for (c.number = 0; c.number < CONSOLE_PARTS; c.number++) {
        c.part = &object->parts[c.number];
        if (!load(&c))
            continue;
        const uint32_t faults = out->fault_count, first = out->count;
        draw_list_and_sequence(&c);
        draw_strips(&c);
        for (uint32_t s = 0; file->version >= 3 && s < T3DM_STRIPS && c.part->strip_counts[s] != 0; s++)
            out->strip_count++;
        out->ran[c.number] = true;
        out->part_count++;
        out->summed[c.number] = file->version >= 3 && out->fault_count == faults;
        t3dm_part_sum *sum = &out->sums[c.number];
        for (const console_triangle *t = out->triangles + first; t < out->triangles + out->count; t++) {
            const uint32_t *s = t->slots;
            sum->triangles++;
            sum->degenerate += s[0] == s[1] || s[1] == s[2] || s[2] == s[0];
            for (int k = 0; k < 3; k++)
                sum->drawn.words[s[k] / 64] |= UINT64_C(1) << s[k] % 64;
        }
    }
}

/* --- objects at random --- */

/* Mostly what can be drawn, in which case the slots are those that are there; sometimes one beyond each limit. */
void console_make_part(uint64_t *dice, t3dm_part *p, uint32_t version, bool wild, bool first)
{
    *p = (t3dm_part){.vertex_count = (uint16_t)(first ? 60 + console_below(dice, 11) : console_below(dice, 71)),
                     .vertex_at = 32 * console_below(dice, (CONSOLE_VERTICES - 72) / 2),
                     .bone = (uint16_t)(console_below(dice, 3) == 0 ? T3DM_NO_BONE : console_below(dice, 9)),
                     .index_at = console_below(dice, CONSOLE_INDICES / 4),
                     .index_count = (uint16_t)(3 * console_below(dice, 6))};
    p->vertex_dest = (uint16_t)console_below(dice, 72 - (p->vertex_count + 1u) / 2 * 2);
    if (first)
        p->vertex_dest /= 4;
    if (version == 4 && console_below(dice, 2) == 0) {
        p->sequence_base = (uint8_t)console_below(dice, 67);
        p->sequence_count = (uint8_t)console_below(dice, (70u - p->sequence_base) / 3 + 1);
    }
    for (uint32_t s = 0, count = console_below(dice, T3DM_STRIPS + 1); s < count; s++)
        p->strip_counts[s] = (uint8_t)(3 + console_below(dice, console_below(dice, 4) == 0 ? 253 : 14));
    if (first && console_below(dice, 4) == 0) { /* all slots */
        p->vertex_dest = 0;
        p->vertex_count = 70;
        memset(p->strip_counts, 0, sizeof p->strip_counts);
    } else if (first && console_below(dice, 4) == 0) { /* more triangles than fit into a batch */
        p->vertex_dest = 0;
        memset(p->strip_counts, (int)(120 + console_below(dice, 136)), sizeof p->strip_counts);
        p->index_at = 40;
    }
    if (!wild)
        return;
    switch (console_below(dice, version == 4 ? 9 : 8)) {
    case 0:
        p->vertex_count = (uint16_t)(70 + console_below(dice, 3)), p->vertex_dest = (uint16_t)console_below(dice, 3);
        break;
    case 1:
        p->vertex_dest = (uint16_t)(p->vertex_dest + console_below(dice, 3));
        break;
    case 2:
        p->vertex_at += 16;
        break;
    case 3:
        p->vertex_at = 16 * (CONSOLE_VERTICES - p->vertex_count - console_below(dice, 5));
        break;
    case 4:
        p->index_count = (uint16_t)(p->index_count + console_below(dice, 3));
        break;
    case 5:
        p->index_at = CONSOLE_INDICES - console_below(dice, 30);
        break;
    default:
        p->sequence_base = (uint8_t)(60 + console_below(dice, 12)), p->sequence_count = (uint8_t)console_below(dice, 5);
        break;
    case 7:
        p->strip_counts[console_below(dice, 4)] = (uint8_t)console_below(dice, 4);
        break;
    case 6:
        p->index_at = CONSOLE_INDICES - 2 * (console_below(dice, 8) + p->strip_counts[0]);
        break;
    }
}

/* Slots of a list are bytes, and those of a strip words: every byte is a slot, and the strips of all parts lie on words
 * with a flag now and then. */
void console_make_indices(uint64_t *dice, uint8_t *indices, uint32_t version, uint32_t slots, bool tame)
{
    for (uint32_t i = 0; i < CONSOLE_INDICES; i++)
        indices[i] =
            (uint8_t)(!tame && console_below(dice, 400) == 0 ? console_below(dice, 256) : console_below(dice, slots));
    for (uint32_t i = CONSOLE_INDICES / 4 + 100; i < CONSOLE_INDICES; i += 2) {
        const uint32_t slot = console_below(dice, slots);
        const bool starts = console_below(dice, tame ? 1000 : 24) == 0 && i % 6 == 0;
        const uint32_t word = !starts ? slot : version >= 3 ? slot | 0x8000 : 0xFFFF - slot;
        indices[i] = (uint8_t)(word >> 8);
        indices[i + 1] = (uint8_t)word;
        if (!tame && console_below(dice, 1500) == 0)
            indices[i] = (uint8_t)console_below(dice, 256);
    }
}
