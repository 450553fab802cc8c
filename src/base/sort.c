/* Heap sort: in place and n log n whatever the input, so that a hostile file cannot make it slow. Ties are broken by
 * row number, which makes the result the same as a stable sort's. */
#include "base/sort.h"

typedef struct sorter {
    uint32_t *order;
    tl_key_fn *key;
    const void *rows;
} sorter;

static bool row_before(const sorter *s, uint32_t a, uint32_t b)
{
    int64_t key_a = s->key(s->rows, a), key_b = s->key(s->rows, b);
    return key_a != key_b ? key_a < key_b : a < b;
}

static void sift_down(const sorter *s, uint32_t start, uint32_t count)
{
    uint32_t at = start, moved = s->order[start];
    for (;;) {
        uint64_t child = 2 * (uint64_t)at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && row_before(s, s->order[child], s->order[child + 1]))
            child++;
        if (!row_before(s, moved, s->order[child]))
            break;
        s->order[at] = s->order[child];
        at = (uint32_t)child;
    }
    s->order[at] = moved;
}

void tl_sort_rows(uint32_t *order, uint32_t count, tl_key_fn *key, const void *rows)
{
    const sorter s = {order, key, rows};
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(&s, i, count);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t largest = order[0];
        order[0] = order[end];
        order[end] = largest;
        sift_down(&s, 0, end);
    }
}

uint32_t tl_find_row(const uint32_t *order, uint32_t count, tl_key_fn *key, const void *rows, int64_t wanted)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key(rows, order[middle]) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && key(rows, order[low]) == wanted ? low : count;
}
