/* Equal rows get equal numbers. */
#include "formats/model64/encode/encode.h"

bool tl_model64_number(tl_hash_table *table, const model64_rows *rows, uint32_t count, uint32_t *numbers,
                       uint32_t *firsts, uint32_t *distinct)
{
    table->compare = rows->compare;
    table->rows = rows->rows;
    *distinct = 0;
    if (!tl_hash_table_clear(table, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = tl_hash_table_add(table, rows->hash(rows->rows, i), i);
        if (first == TRILO_NONE)
            return false;
        if (first == i)
            firsts[*distinct] = i;
        numbers[i] = first == i ? (*distinct)++ : numbers[first];
    }
    return true;
}
