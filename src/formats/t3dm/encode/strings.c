/* The string table of a file while it is made. Equal strings are stored once. */
#include "formats/t3dm/encode/encode.h"

#include "base/array.h"
#include <string.h>

bool tl_t3dm_reserve_strings(t3dm_encoder *e, size_t need)
{
    char *strings = tl_array_grow(e->arena, e->strings, e->strings_size, &e->strings_room, need + 1, 1);
    if (!strings)
        return false;
    e->strings = strings;
    if (e->strings_size == 0)
        e->strings[e->strings_size++] = 'S';
    return true;
}

/* Rows of the hash table are offsets. No string has offset 0: that row is the one to look up. */
static const char *string_at(const t3dm_encoder *e, uint32_t offset)
{
    return offset == 0 ? e->string_wanted : e->strings + offset;
}

static int compare_strings(const void *encoder, uint32_t a, uint32_t b)
{
    return strcmp(string_at(encoder, a), string_at(encoder, b));
}

static uint32_t find_string_offset(t3dm_encoder *e, const char *text, uint32_t hash)
{
    e->string_wanted = text;
    return e->string_table.slots ? tl_hash_table_find(&e->string_table, hash, 0) : TRILO_NONE;
}

bool tl_t3dm_has_string(t3dm_encoder *e, const char *text)
{
    return find_string_offset(e, text, trilo_fnv1a(text, strlen(text))) != TRILO_NONE;
}

bool tl_t3dm_add_string(t3dm_encoder *e, const char *text, uint32_t *offset)
{
    size_t length = text ? strlen(text) : 0;
    char cut[T3DM_STRING_MOST];
    *offset = 0;
    if (length == 0)
        return true;
    if (length >= sizeof cut) {
        tl_t3dm_report_loss(e, T3DM_R_RENAMED, "a name of %zu bytes was truncated to %zu", length, sizeof cut - 1);
        length = sizeof cut - 1;
        memcpy(cut, text, length);
        cut[length] = '\0';
        text = cut;
    }
    const uint32_t hash = trilo_fnv1a(text, length);
    *offset = find_string_offset(e, text, hash);
    if (*offset != TRILO_NONE)
        return true;
    if (!e->string_table.slots && !tl_hash_table_init(&e->string_table, e->arena, 0, compare_strings, e))
        return false;
    if (!tl_t3dm_reserve_strings(e, length + 1))
        return false;
    *offset = (uint32_t)e->strings_size;
    memcpy(e->strings + e->strings_size, text, length + 1);
    e->strings_size += length + 1;
    return tl_hash_table_add(&e->string_table, hash, *offset) != TRILO_NONE;
}
