#include "support/mutate.h"

#include "formats/t3dm/t3dm.h"

#include <string.h>

enum { RECORDS = 4096, ROWS = 256, STRINGS_AT = 0x18 };

typedef struct file_record {
    const tl_layout *layout;
    size_t at;
} file_record;

typedef struct record_scan {
    unsigned version;
    size_t table, rows; /* the chunk table */
    file_record records[RECORDS];
    size_t count;
} record_scan;

/* The records that a chunk starts with, and those it goes on with. */
static const struct {
    char type;
    const tl_layout *head, *rest;
} chunks[] = {
    {'O', &tl_t3dm_object_head, &tl_t3dm_part},   {'M', &tl_t3dm_material_head, &tl_t3dm_texture},
    {'S', &tl_t3dm_skeleton_head, &tl_t3dm_bone}, {'A', &tl_t3dm_animation_head, &tl_t3dm_mapping},
    {'B', &tl_t3dm_bvh_head, &tl_t3dm_bvh_node},  {'V', &tl_t3dm_pair, &tl_t3dm_pair},
};

static void add_record(record_scan *s, const tl_layout *layout, size_t at, size_t end)
{
    if (s->count < RECORDS && at + tl_layout_size(layout, s->version) <= end)
        s->records[s->count++] = (file_record){layout, at};
}

static size_t row_offset(const record_scan *s, const uint8_t *bytes, size_t row)
{
    return tl_get_u32be(bytes + s->table + 4 * row) & 0xFFFFFF;
}

static void scan_chunk(record_scan *s, const uint8_t *bytes, size_t size, size_t row)
{
    const size_t start = row_offset(s, bytes, row);
    size_t end = size;
    for (size_t i = 0; i < s->rows; i++) {
        const size_t other = row_offset(s, bytes, i);
        end = other > start && other < end ? other : end;
    }
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
        if ((uint8_t)chunks[i].type == bytes[s->table + 4 * row]) {
            const size_t each = tl_layout_size(chunks[i].rest, s->version);
            add_record(s, chunks[i].head, start, end);
            for (size_t at = start + tl_layout_size(chunks[i].head, s->version); at + each <= end; at += each)
                add_record(s, chunks[i].rest, at, end);
        }
}

static bool scan_file(record_scan *s, const uint8_t *bytes, size_t size)
{
    if (size < 64 || memcmp(bytes, "T3M", 3) != 0 || bytes[3] < 1 || bytes[3] > 4)
        return false;
    *s = (record_scan){.version = bytes[3]};
    s->table = tl_layout_size(&tl_t3dm_header, s->version);
    s->rows = tl_get_u32be(bytes + 4);
    if (s->rows > ROWS || s->table + 4 * s->rows > size)
        s->rows = 0;
    add_record(s, &tl_t3dm_header, 0, size);
    for (size_t i = 0; i < s->rows; i++)
        scan_chunk(s, bytes, size, i);
    return true;
}

/* --- changes --- */

static uint64_t get_number(const uint8_t *at, size_t width)
{
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++)
        value = value << 8 | at[i];
    return value;
}

static void put_number(uint8_t *at, size_t width, uint64_t value)
{
    for (size_t i = width; i-- > 0; value >>= 8)
        at[i] = (uint8_t)value;
}

/* A number of some field of some record; NULL: the record has none in this version. */
static uint8_t *pick_number(const record_scan *s, uint8_t *bytes, uint32_t *random, size_t *width)
{
    const file_record *record = &s->records[mutate_random(random) % s->count];
    const tl_field *field = &record->layout->fields[mutate_random(random) % record->layout->field_count];
    if (!tl_field_in(field, s->version))
        return NULL;
    *width = tl_kind_width(field->kind);
    return bytes + record->at + field->at + *width * (mutate_random(random) % field->count);
}

static bool change_field(const record_scan *s, uint8_t *bytes, size_t size, uint32_t *random)
{
    static const uint64_t numbers[] = {0,       1,          2,          3,          69,         70,         71,
                                       0x7F,    0x80,       0xFF,       0x100,      0x7FFF,     0x8000,     0xFFFF,
                                       0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0x7FC00000, UINT64_MAX};
    size_t width = 0, other_width = 0;
    uint8_t *at = pick_number(s, bytes, random, &width);
    const uint8_t *other = pick_number(s, bytes, random, &other_width);
    if (!at || !other)
        return false;
    const uint64_t before = get_number(at, width);
    switch (mutate_random(random) % 6) {
    case 0:
        put_number(at, width, before + 1);
        break;
    case 1:
        put_number(at, width, before - 1);
        break;
    case 2:
        put_number(at, width, get_number(other, other_width));
        break;
    case 3: /* an offset: of a record, or of anything */
        put_number(at, width,
                   mutate_random(random) % 2 ? s->records[mutate_random(random) % s->count].at
                                             : mutate_random(random) % (size + 2));
        break;
    case 4:
        put_number(at, width, before ^ UINT64_C(1) << mutate_random(random) % (8 * width));
        break;
    default:
        put_number(at, width, numbers[mutate_random(random) % (sizeof numbers / sizeof *numbers)]);
        break;
    }
    return true;
}

static bool change_table(const record_scan *s, uint8_t *bytes, size_t size, uint32_t *random)
{
    static const uint8_t types[] = "OAVIMSBmCX";
    if (s->rows < 2)
        return false;
    uint8_t *row = bytes + s->table + 4 * (mutate_random(random) % s->rows);
    uint8_t *other = bytes + s->table + 4 * (mutate_random(random) % s->rows);
    uint8_t kept[4];
    memcpy(kept, row, sizeof kept);
    switch (mutate_random(random) % 6) {
    case 0:
        memcpy(row, other, sizeof kept);
        memcpy(other, kept, sizeof kept);
        break;
    case 1:
        memcpy(row, other, sizeof kept);
        break;
    case 2: /* one row less: the place of the last one is padding */
        memmove(row, row + 4, (size_t)(bytes + s->table + 4 * s->rows - (row + 4)));
        put_number(bytes + 4, 4, s->rows - 1);
        break;
    case 3:
        row[0] = types[mutate_random(random) % (sizeof types - 1)];
        break;
    case 4:
        put_number(row + 1, 3, mutate_random(random) % (size + 8));
        break;
    default:
        put_number(row + 1, 3, get_number(row + 1, 3) + 8 * (mutate_random(random) % 9) - 32);
        break;
    }
    return true;
}

/* Offsets of chunks and of the strings move along. The count of the records is left to another change. */
static size_t repeat_record(const record_scan *s, uint8_t *bytes, size_t size, size_t room, uint32_t *random)
{
    const file_record *record = &s->records[mutate_random(random) % s->count];
    const size_t length = tl_layout_size(record->layout, s->version), end = record->at + length;
    uint8_t copy[512];
    if (record->at == 0 || length > sizeof copy)
        return 0;
    memcpy(copy, bytes + record->at, length);
    const size_t made = mutate_splice(bytes, size, room, end, end, copy, length);
    for (size_t i = 0; made > 0 && i < s->rows; i++)
        if (row_offset(s, bytes, i) >= end)
            put_number(bytes + s->table + 4 * i + 1, 3, row_offset(s, bytes, i) + length);
    if (made > 0)
        put_number(bytes + STRINGS_AT, 4, get_number(bytes + STRINGS_AT, 4) + length);
    return made;
}

size_t mutate_t3dm(uint8_t *bytes, size_t size, size_t room, uint32_t seed)
{
    static record_scan scan; /* large, and a mutator runs alone */
    uint32_t random = seed;
    size_t made = 0;
    if (!scan_file(&scan, bytes, size))
        return 0;
    for (int tries = 0; made == 0 && tries < 20; tries++)
        switch (mutate_random(&random) % 8) {
        case 0:
            made = change_table(&scan, bytes, size, &random) ? size : 0;
            break;
        case 1:
            made = repeat_record(&scan, bytes, size, room, &random);
            break;
        default:
            made = change_field(&scan, bytes, size, &random) ? size : 0;
            break;
        }
    return made;
}
