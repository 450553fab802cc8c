#include "base/hash_table.h"

#include "base/array.h"

#include <string.h>

enum { HASH_FIRST_SLOTS = 16 };

bool tl_hash_table_clear(tl_hash_table *table, size_t expected)
{
    size_t slots = HASH_FIRST_SLOTS;
    while (slots / 2 < expected && slots <= SIZE_MAX / 4)
        slots *= 2;
    if (slots > table->capacity) {
        table->slots = tl_array_raw(table->arena, slots, 2 * sizeof *table->slots);
        table->capacity = table->slots ? slots : 0;
        table->hashes = table->slots ? table->slots + slots : NULL;
    }
    if (!table->slots)
        return false;
    memset(table->slots, 0xFF, slots * sizeof *table->slots); /* TRILO_NONE everywhere */
    table->mask = slots - 1;
    table->count = table->sorted_count = 0;
    return true;
}

bool tl_hash_table_init(tl_hash_table *table, tl_arena *arena, size_t expected, tl_row_compare_fn *compare,
                        const void *rows)
{
    *table = (tl_hash_table){.arena = arena, .compare = compare, .rows = rows};
    return tl_hash_table_clear(table, expected);
}

/* Everything is added again: a row that found no slot before may find one now. */
bool tl_hash_table_grow(tl_hash_table *table)
{
    const tl_hash_table old = *table;
    table->slots = NULL;
    table->capacity = 0;
    if (!tl_hash_table_clear(table, old.mask + 1)) {
        *table = old;
        return false;
    }
    for (size_t i = 0; i <= old.mask; i++)
        if (old.slots[i] != TRILO_NONE && tl_hash_table_add(table, old.hashes[i], old.slots[i]) == TRILO_NONE)
            return false;
    if (old.sorted_count == 0)
        return true;
    table->sorted = NULL;
    table->sorted_capacity = 0;
    for (size_t i = 0; i < old.sorted_count; i++)
        if (tl_hash_table_add(table, old.sorted[i].hash, old.sorted[i].row) == TRILO_NONE)
            return false;
    return true;
}

int tl_hash_compare_row(const void *rows, uint32_t row, const void *key)
{
    const tl_row_key *k = key;
    return k->compare(rows, row, k->row);
}

/* The lengths of the runs, longest first, are the binary digits of sorted_count. */
uint32_t tl_hash_table_find_sorted(const tl_hash_table *table, tl_key_compare_fn *compare, const void *key)
{
    const tl_hashed_row *run = table->sorted;
    for (size_t length = table->capacity; length > 0; length /= 2) {
        if (!(table->sorted_count & length))
            continue;
        size_t low = 0, high = length;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            const int order = compare(table->rows, run[middle].row, key);
            if (order == 0)
                return run[middle].row;
            if (order < 0)
                low = middle + 1;
            else
                high = middle;
        }
        run += length;
    }
    return TRILO_NONE;
}

/* Adding one to a binary number carries over all of its trailing ones: those runs and the new row become one run. */
uint32_t tl_hash_table_add_sorted(tl_hash_table *table, uint32_t hash, uint32_t row)
{
    const uint32_t found = tl_hash_table_find_sorted(table, tl_hash_compare_row, &(tl_row_key){table->compare, row});
    if (found != TRILO_NONE)
        return found;
    /* After the runs there is room to merge the last two. */
    tl_hashed_row *sorted = tl_array_grow(table->arena, table->sorted, table->sorted_count, &table->sorted_capacity,
                                          table->sorted_count + 2, sizeof *sorted);
    if (!sorted)
        return TRILO_NONE;
    table->sorted = sorted;
    size_t end = table->sorted_count;
    sorted[end++] = (tl_hashed_row){hash, row};
    for (size_t length = 1; table->sorted_count & length; length *= 2) {
        tl_hashed_row *a = sorted + end - 2 * length, *b = a + length, *out = sorted + end;
        for (size_t i = 0, j = 0; i + j < 2 * length;)
            *out++ =
                j == length || (i < length && table->compare(table->rows, a[i].row, b[j].row) < 0) ? a[i++] : b[j++];
        memcpy(a, sorted + end, 2 * length * sizeof *a);
    }
    table->sorted_count = end;
    table->count++;
    return row;
}
