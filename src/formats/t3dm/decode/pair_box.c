#include "formats/t3dm/decode/pair_box.h"

#include <string.h>

/* Local arrays, and bytes swapped by shifts, so that compilers keep the lanes in one vector. */
void tl_t3dm_extend_box_lanes(t3dm_pair_box *box, const uint8_t *pairs, size_t count, size_t size)
{
    const bool swap = !tl_order_is_host(TL_BIG);
    int16_t min[T3DM_BOX_LANES], max[T3DM_BOX_LANES];
    memcpy(min, box->min, sizeof min);
    memcpy(max, box->max, sizeof max);
    for (size_t i = 0; i < count; i++) {
        uint16_t words[T3DM_BOX_LANES];
        int16_t values[T3DM_BOX_LANES];
        memcpy(words, pairs + i * size, sizeof words);
        for (int k = 0; k < T3DM_BOX_LANES; k++)
            values[k] = (int16_t)(swap ? words[k] << 8 | words[k] >> 8 : words[k]);
        for (int k = 0; k < T3DM_BOX_LANES; k++)
            min[k] = values[k] < min[k] ? values[k] : min[k];
        for (int k = 0; k < T3DM_BOX_LANES; k++)
            max[k] = values[k] > max[k] ? values[k] : max[k];
    }
    memcpy(box->min, min, sizeof min);
    memcpy(box->max, max, sizeof max);
}

void tl_t3dm_extend_box(t3dm_pair_box *box, const uint8_t *pairs, size_t count, size_t size)
{
#if TL_AVX2
    if (tl_has_avx2()) {
        tl_t3dm_extend_box_avx2(box, pairs, count, size);
        return;
    }
#endif
    tl_t3dm_extend_box_lanes(box, pairs, count, size);
}
