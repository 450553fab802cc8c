/* A record is one or two blocks of 16 bytes, which may overlap. The bytes of each are put into order at once. */
#include "layout/layout_avx2.h"

#if TL_AVX2
#include <immintrin.h>
#include <string.h>

enum { BLOCK = 16, RECORD_MOST = 2 * BLOCK };

/* Which byte of the record is each byte of the struct. False if a number is elsewhere there. */
static bool layout_byte_order(const tl_records *records, uint8_t order[RECORD_MOST])
{
    const tl_layout *layout = records->layout;
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        const size_t width = tl_kind_width(f->kind), turn = layout->order == TL_BIG ? width - 1 : 0;
        if (!tl_field_in(f, records->version))
            continue;
        if (f->host != f->at)
            return false;
        for (size_t i = 0; i < f->count * width; i++)
            order[f->at + i] = (uint8_t)(f->at + (i ^ turn)); /* widths are powers of two */
    }
    return true;
}

/* The same within the block at `start`; false if it needs bytes from outside. */
static bool layout_block_order(const uint8_t order[RECORD_MOST], size_t start, uint8_t block[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++) {
        if (order[start + i] < start || order[start + i] >= start + BLOCK)
            return false;
        block[i] = (uint8_t)(order[start + i] - start);
    }
    return true;
}

TL_AVX2_BEGIN

static void layout_shuffle(const tl_records *records, size_t size, const uint8_t blocks[2][BLOCK], uint8_t *to,
                           size_t host_size)
{
    const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)blocks[0]),
                  last = _mm_loadu_si128((const __m128i *)(const void *)blocks[1]);
    const uint8_t *from = records->bytes;
    for (size_t i = 0; i < records->count; i++, from += size, to += host_size) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)from),
                      b = _mm_loadu_si128((const __m128i *)(const void *)(from + size - BLOCK));
        _mm_storeu_si128((__m128i *)(void *)to, _mm_shuffle_epi8(a, first));
        _mm_storeu_si128((__m128i *)(void *)(to + size - BLOCK), _mm_shuffle_epi8(b, last));
    }
}

TL_AVX2_END

bool tl_records_load_avx2(const tl_records *records, void *hosts, size_t host_size)
{
    const size_t size = tl_layout_size(records->layout, records->version);
    uint8_t order[RECORD_MOST], blocks[2][BLOCK];
    if (size < BLOCK || size > RECORD_MOST || !layout_byte_order(records, order) ||
        !layout_block_order(order, 0, blocks[0]) || !layout_block_order(order, size - BLOCK, blocks[1]))
        return false;
    layout_shuffle(records, size, (const uint8_t(*)[BLOCK])blocks, hosts, host_size);
    return true;
}
#endif
