/* pair_box.h: the smallest box around the vertices of a T3DM file. */
#ifndef TL_T3DM_DECODE_PAIR_BOX_H
#define TL_T3DM_DECODE_PAIR_BOX_H

#include "base/avx2.h"
#include "formats/t3dm/t3dm.h"

/* The first 16 bytes of a pair are both positions (and normals): eight numbers of 16 bits, each with its own minimum
 * and maximum. */
enum { T3DM_BOX_LANES = 8 };

typedef struct t3dm_pair_box {
    int16_t min[T3DM_BOX_LANES], max[T3DM_BOX_LANES];
} t3dm_pair_box;

/* Extends the box by `count` pairs, which are `size` bytes apart. */
void tl_t3dm_extend_box(t3dm_pair_box *box, const uint8_t *pairs, size_t count, size_t size);
/* The same without AVX2, and with it. */
void tl_t3dm_extend_box_lanes(t3dm_pair_box *box, const uint8_t *pairs, size_t count, size_t size);
#if TL_AVX2
void tl_t3dm_extend_box_avx2(t3dm_pair_box *box, const uint8_t *pairs, size_t count, size_t size);
#endif

#endif
