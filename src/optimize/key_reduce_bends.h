/* key_reduce_bends.h: bends of four samples, on every machine and with AVX2. */
#ifndef TL_OPTIMIZE_KEY_REDUCE_BENDS_H
#define TL_OPTIMIZE_KEY_REDUCE_BENDS_H

#include "base/strict_float.h"
#include "optimize/key_reduce.h"

#include "base/lanes.h"
#include <math.h>
#include <string.h>

enum { BEND_LANES = 4 };

/* Of the samples after the first of six. */
typedef void tl_find_four_bends_fn(const uint32_t *ticks, const double (*values)[4], double bends[BEND_LANES]);
tl_find_four_bends_fn *tl_find_four_bends(void);
/* For a processor with AVX2. NULL: not compiled for it. */
tl_find_four_bends_fn *tl_find_four_bends_avx2(void);

#endif
