/* hash_table.h: finds equal rows of a caller's array: welding vertices, sharing strings and textures.
 *
 * The table stores row numbers, the caller stores the rows. To look something up, the caller writes it to a row that is
 * not in use yet and looks up that row, or compares rows with a key of another type. Results never depend on the hash,
 * only on the order of the calls.
 *
 * Open addressing with linear probing, at most half full. A file can be made so that all of its rows have the same
 * hash, so probing ends after TL_HASH_PROBES slots. Rows that found no slot go to sorted runs whose lengths are powers
 * of two (Bentley and Saxe, "Decomposable searching problems I", 1980): n rows take O(n log^2 n) comparisons whatever
 * the hashes.
 */
#ifndef TL_BASE_HASH_TABLE_H
#define TL_BASE_HASH_TABLE_H

#include "base/arena.h"
#include "base/bytes.h"

/* A total order of rows, as memcmp defines one; 0: the rows are equal. */
typedef int tl_row_compare_fn(const void *rows, uint32_t a, uint32_t b);

/* The same order, between a row and a key that is in no row. */
typedef int tl_key_compare_fn(const void *rows, uint32_t row, const void *key);

typedef struct tl_hashed_row {
    uint32_t hash, row;
} tl_hashed_row;

typedef struct tl_hash_table {
    tl_arena *arena;
    tl_row_compare_fn *compare;
    const void *rows; /* for `compare` */
    uint32_t *slots;  /* a row each; TRILO_NONE: free */
    uint32_t *hashes; /* of the rows in the slots; apart from them, so that half as much has to be cleared */
    size_t capacity;  /* of slots, a power of two */
    size_t mask;      /* slots in use - 1 */
    size_t count;     /* of rows */
    tl_hashed_row *sorted;
    size_t sorted_count, sorted_capacity;
} tl_hash_table;

/* The table has room for `expected` rows and grows beyond that. Returns false when memory runs out. */
bool tl_hash_table_init(tl_hash_table *table, tl_arena *arena, size_t expected, tl_row_compare_fn *compare,
                        const void *rows);
/* Empties the table and keeps its memory. `expected` as above. */
bool tl_hash_table_clear(tl_hash_table *table, size_t expected);

/* Used by tl_hash_table_add and _find only. */
bool tl_hash_table_grow(tl_hash_table *table);
uint32_t tl_hash_table_add_sorted(tl_hash_table *table, uint32_t hash, uint32_t row);
uint32_t tl_hash_table_find_sorted(const tl_hash_table *table, tl_key_compare_fn *compare, const void *key);

/* A row as a key, and its compare function. */
typedef struct tl_row_key {
    tl_row_compare_fn *compare;
    uint32_t row;
} tl_row_key;

int tl_hash_compare_row(const void *rows, uint32_t row, const void *key);

enum { TL_HASH_PROBES = 32 };

/* A hash of records whose size is a multiple of 4: a multiplication for each word (Knuth 6.4), then the upper bits are
 * mixed into the lower ones, which choose the slot. */
static inline uint32_t tl_hash_words(const void *bytes, size_t size)
{
    uint32_t hash = 0;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        hash = (hash ^ tl_get_u32le((const uint8_t *)bytes + i)) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

/* tl_hash_table_add with `compare` and `rows` of the table as arguments, so that the compiler can inline the compare
 * function. */
static inline uint32_t tl_hash_table_add_inline(tl_hash_table *table, tl_row_compare_fn *compare, const void *rows,
                                                uint32_t hash, uint32_t row)
{
    if (2 * table->count > table->mask && !tl_hash_table_grow(table))
        return TRILO_NONE;
    uint32_t *const slots = table->slots, *const hashes = table->hashes;
    const size_t mask = table->mask;
    size_t slot = hash & mask;
    for (int i = 0; i < TL_HASH_PROBES; i++, slot = (slot + 1) & mask) {
        if (slots[slot] == TRILO_NONE) {
            slots[slot] = row;
            hashes[slot] = hash;
            table->count++;
            return row;
        }
        if (hashes[slot] == hash && compare(rows, slots[slot], row) == 0)
            return slots[slot];
    }
    return tl_hash_table_add_sorted(table, hash, row);
}

/* The row equal to `row` that was added first; `row` itself, now added, when there is none. TRILO_NONE when memory runs
 * out. */
static inline uint32_t tl_hash_table_add(tl_hash_table *table, uint32_t hash, uint32_t row)
{
    return tl_hash_table_add_inline(table, table->compare, table->rows, hash, row);
}

/* The row equal to a key; TRILO_NONE when there is none. Changes nothing, so that several threads may look up keys. */
static inline uint32_t tl_hash_table_find_key(const tl_hash_table *table, uint32_t hash, tl_key_compare_fn *compare,
                                              const void *key)
{
    size_t slot = hash & table->mask;
    for (int i = 0; i < TL_HASH_PROBES; i++, slot = (slot + 1) & table->mask) {
        const uint32_t row = table->slots[slot];
        if (row == TRILO_NONE || (table->hashes[slot] == hash && compare(table->rows, row, key) == 0))
            return row;
    }
    return tl_hash_table_find_sorted(table, compare, key);
}

/* tl_hash_table_add without adding: TRILO_NONE when there is no equal row. */
static inline uint32_t tl_hash_table_find(const tl_hash_table *table, uint32_t hash, uint32_t row)
{
    return tl_hash_table_find_key(table, hash, tl_hash_compare_row, &(tl_row_key){table->compare, row});
}

#endif
