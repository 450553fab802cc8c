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

static uint32_t model64_hash_corner(const void *rows, uint32_t row)
{
    const model64_corner *c = (const model64_corner *)rows + row;
    return model64_mix(model64_mix(model64_mix(0, c->point), c->st), c->rgba);
}

static int model64_compare_corners(const void *rows, uint32_t a, uint32_t b)
{
    const model64_corner *c = (const model64_corner *)rows + a, *d = (const model64_corner *)rows + b;
    if (c->point != d->point)
        return c->point < d->point ? -1 : 1;
    if (c->st != d->st)
        return c->st < d->st ? -1 : 1;
    return (c->rgba > d->rgba) - (c->rgba < d->rgba);
}

bool tl_model64_number_corners(tl_hash_table *table, const model64_corner *corners, uint32_t count, uint32_t *numbers,
                               uint32_t *firsts, uint32_t *distinct)
{
    return tl_model64_number(table, &(model64_rows){corners, model64_hash_corner, model64_compare_corners}, count,
                             numbers, firsts, distinct);
}
