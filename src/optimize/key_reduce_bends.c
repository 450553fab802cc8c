/* Where a rotation bends so much that no segment can pass it. */
#include "optimize/key_reduce_bends.h"

#include "base/avx2.h"

#define LANES(name)         name##_any
#define TICKS_BETWEEN(a, b) ((tl_double4){(b)[0] - (a)[0], (b)[1] - (a)[1], (b)[2] - (a)[2], (b)[3] - (a)[3]})
#define ROOTS_OF(from, to)  tl_double4_roots(from, to)
#define TRANSPOSE(from, to) tl_double4_transpose(from, to)
#include "optimize/key_reduce_bends.inc"

tl_find_four_bends_fn *tl_find_four_bends(void)
{
    return find_four_bends_any;
}

void tl_find_rotation_bends(const tl_rotation_curve *c, double *bends)
{
    enum { WINDOW = BEND_LANES + 2 };
    tl_find_four_bends_fn *avx2 = tl_has_avx2() ? tl_find_four_bends_avx2() : NULL,
                          *find = avx2 ? avx2 : find_four_bends_any;
    uint32_t ticks[WINDOW], m = 1;
    double values[WINDOW][4], last[BEND_LANES];
    bends[0] = bends[c->count - 1] = 0;
    for (; m + BEND_LANES < c->count; m += BEND_LANES)
        find(c->ticks + m - 1, c->values + m - 1, bends + m);
    if (m + 1 >= c->count)
        return;
    for (uint32_t i = 0; i < WINDOW; i++) { /* beyond the last sample it goes on */
        const uint32_t from = m - 1 + i < c->count ? m - 1 + i : c->count - 1;
        ticks[i] = c->ticks[from] + (m - 1 + i - from);
        memcpy(values[i], c->values[from], sizeof values[i]);
    }
    find(ticks, (const double(*)[4])values, last);
    memcpy(bends + m, last, (c->count - 1 - m) * sizeof *bends);
}
