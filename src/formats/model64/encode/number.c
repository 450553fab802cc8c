/* Numbering what is equal: a hash table with open places, half full at most, and an exact comparison. The numbers do
 * not depend on the hash. */
#include "formats/model64/encode/encode.h"

#include <string.h>

bool tl_model64_table(tl_arena *arena, uint32_t count, model64_table *table)
{
    table->room = 16;
    while (table->room / 2 < count)
        table->room *= 2;
    table->places = tl_array_raw(arena, table->room, sizeof *table->places);
    return table->places != NULL;
}

uint32_t tl_model64_number(model64_table *table, const model64_rows *rows, uint32_t count, uint32_t *numbers,
                           uint32_t *firsts)
{
    uint32_t different = 0;
    memset(table->places, 0xFF, table->room * sizeof *table->places); /* TRILO_NONE: free */
    for (uint32_t i = 0; i < count; i++) {
        size_t k = rows->hash(rows->rows, i) & (table->room - 1);
        while (table->places[k] != TRILO_NONE && !rows->same(rows->rows, firsts[table->places[k]], i))
            k = (k + 1) & (table->room - 1);
        if (table->places[k] == TRILO_NONE) {
            firsts[different] = i;
            table->places[k] = different++;
        }
        numbers[i] = table->places[k];
    }
    return different;
}
