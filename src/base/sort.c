/* Insertion of rows that are nearly in order, as most are. Heap sort of others (J. W. J. Williams, "Algorithm 232:
 * Heapsort", 1964; bottom-up construction by R. W. Floyd): in place and O(n log n) for any input, so that a hostile
 * file cannot make it slow. Ties are broken by row number, so the result is that of a stable sort. */
#include "base/sort.h"

typedef struct sort_context {
    uint32_t *order;
    tl_key_fn *key;
    const void *rows;
} sort_context;

static bool sort_row_before(const sort_context *s, uint32_t a, uint32_t b)
{
    int64_t key_a = s->key(s->rows, a), key_b = s->key(s->rows, b);
    return key_a != key_b ? key_a < key_b : a < b;
}

static void sort_sift_down(const sort_context *s, uint32_t start, uint32_t count)
{
    uint32_t at = start, moved = s->order[start];
    for (;;) {
        uint64_t child = 2 * (uint64_t)at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && sort_row_before(s, s->order[child], s->order[child + 1]))
            child++;
        if (!sort_row_before(s, moved, s->order[child]))
            break;
        s->order[at] = s->order[child];
        at = (uint32_t)child;
    }
    s->order[at] = moved;
}

/* False: too many rows have to move. They are in some order then. */
static bool sort_by_insertion(const sort_context *s, uint32_t count)
{
    uint64_t left = 2 * (uint64_t)count;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t row = s->order[i];
        uint32_t at = i;
        for (; at > 0 && sort_row_before(s, row, s->order[at - 1]); at--) {
            s->order[at] = s->order[at - 1];
            if (left-- == 0) {
                s->order[at - 1] = row;
                return false;
            }
        }
        s->order[at] = row;
    }
    return true;
}

void tl_sort_rows(uint32_t *order, uint32_t count, tl_key_fn *key, const void *rows)
{
    const sort_context s = {order, key, rows};
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    if (sort_by_insertion(&s, count))
        return;
    for (uint32_t i = count / 2; i-- > 0;)
        sort_sift_down(&s, i, count);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t largest = order[0];
        order[0] = order[end];
        order[end] = largest;
        sort_sift_down(&s, 0, end);
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
