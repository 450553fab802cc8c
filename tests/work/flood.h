/* flood.h: included in front of every source of trilobite-counted. With $TRILOBITE_FLOOD set, all keys of all hash
 * tables have the same hash (flood_hash in count.c), as in a file that was made for that. */
#ifndef TL_TEST_FLOOD_H
#define TL_TEST_FLOOD_H

#include "base/hash_table.h"

uint32_t flood_hash(uint32_t hash);

#define tl_hash_table_add(table, hash, row)               tl_hash_table_add(table, flood_hash(hash), row)
#define tl_hash_table_find(table, hash, row)              tl_hash_table_find(table, flood_hash(hash), row)
#define tl_hash_table_find_key(table, hash, compare, key) tl_hash_table_find_key(table, flood_hash(hash), compare, key)
#define tl_hash_table_add_inline(table, compare, rows, hash, row)                                                      \
    tl_hash_table_add_inline(table, compare, rows, flood_hash(hash), row)

#endif
