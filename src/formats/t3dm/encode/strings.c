/* The string table: each string once, found by an open-addressing hash table of offsets. */
#include "formats/t3dm/encode/encode.h"

#include <string.h>

static bool grow_strings(t3dm_encoder *e, size_t need)
{
    size_t room = e->strings_room ? e->strings_room : 256;
    while (room < e->strings_size + need)
        room *= 2;
    if (room == e->strings_room)
        return true;
    char *larger = tl_array_raw(e->arena, room, 1);
    if (!larger)
        return false;
    if (e->strings_size > 0)
        memcpy(larger, e->strings, e->strings_size);
    e->strings = larger;
    e->strings_room = room;
    return true;
}

bool tl_t3dm_reserve_strings(t3dm_encoder *e, size_t need)
{
    if (!grow_strings(e, need + 1))
        return false;
    if (e->strings_size == 0)
        e->strings[e->strings_size++] = 'S';
    return true;
}

/* Doubled when it is half full. */
static bool grow_string_hash(t3dm_encoder *e)
{
    if (e->string_table && 2 * e->string_count < e->string_mask)
        return true;
    const uint32_t mask = e->string_table ? 2 * e->string_mask + 1 : 63;
    uint32_t *table = TL_ARRAY(e->arena, (size_t)mask + 1, uint32_t);
    if (!table)
        return false;
    for (uint32_t i = 0; e->string_table && i <= e->string_mask; i++) {
        const char *text = e->strings + e->string_table[i];
        if (e->string_table[i] == 0)
            continue;
        uint32_t k = trilo_fnv1a(text, strlen(text)) & mask;
        while (table[k] != 0)
            k = (k + 1) & mask;
        table[k] = e->string_table[i];
    }
    e->string_table = table;
    e->string_mask = mask;
    return true;
}

/* The slot of a string, or the free one for it. */
static uint32_t find_string_slot(const t3dm_encoder *e, const char *text, size_t length)
{
    uint32_t k = trilo_fnv1a(text, length) & e->string_mask;
    while (e->string_table[k] != 0 && strcmp(e->strings + e->string_table[k], text) != 0)
        k = (k + 1) & e->string_mask;
    return k;
}

bool tl_t3dm_has_string(const t3dm_encoder *e, const char *text)
{
    return e->string_table && e->string_table[find_string_slot(e, text, strlen(text))] != 0;
}

bool tl_t3dm_add_string(t3dm_encoder *e, const char *text, uint32_t *offset)
{
    size_t length = text ? strlen(text) : 0;
    char cut[T3DM_STRING_MOST];
    *offset = 0;
    if (length == 0)
        return true;
    if (length >= sizeof cut) {
        tl_t3dm_report_loss(e, T3DM_R_RENAMED, "a name of %zu bytes was cut to %zu", length, sizeof cut - 1);
        length = sizeof cut - 1;
        memcpy(cut, text, length);
        cut[length] = '\0';
        text = cut;
    }
    if (!grow_string_hash(e) || !tl_t3dm_reserve_strings(e, length + 1))
        return false;
    const uint32_t k = find_string_slot(e, text, length);
    *offset = e->string_table[k];
    if (*offset != 0)
        return true;
    *offset = e->string_table[k] = (uint32_t)e->strings_size;
    memcpy(e->strings + e->strings_size, text, length + 1);
    e->strings_size += length + 1;
    e->string_count++;
    return true;
}
