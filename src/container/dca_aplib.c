/* Level 2, an aPLib stream (Joergen Ibsen): tag bits and whole bytes from one cursor. A tag byte is fetched when its
 * first bit is needed; its highest bit comes first.
 *
 *   0    a literal byte
 *   10   a match with an offset of any size, or with the last offset
 *   110  a match of 2 or 3 bytes, at most 127 back; or the end
 *   111  one byte from at most 15 back, or a zero byte
 */
#include "container/dca_stream.h"

typedef struct aplib {
    tl_dca_stream *stream;
    unsigned tag, bits; /* bits: unread bits of the tag */
    uint64_t last;      /* offset of the last match, 0: none yet */
    bool after_literal;
    bool cut; /* the payload has ended; further reads return 0 */
} aplib;

static unsigned aplib_read_byte(aplib *a)
{
    if (a->stream->at < a->stream->in_size)
        return a->stream->in[a->stream->at++];
    a->cut = true;
    return 0;
}

static unsigned aplib_read_bit(aplib *a)
{
    if (a->bits == 0) {
        a->tag = aplib_read_byte(a);
        a->bits = 8;
    }
    return a->tag >> --a->bits & 1;
}

/* An interleaved Elias gamma code, 2 or more: a bit of the number, then a bit that says whether another follows.
 * Returns 0 for a number above 32 bits. */
static uint64_t aplib_read_gamma(aplib *a)
{
    uint64_t value = 1;
    do
        value = value << 1 | aplib_read_bit(a);
    while (aplib_read_bit(a) && value <= UINT32_MAX);
    return value <= UINT32_MAX ? value : 0;
}

static tl_dca_end aplib_literal(aplib *a, unsigned byte)
{
    a->after_literal = true;
    return a->cut ? TL_DCA_CUT : tl_dca_put(a->stream, (uint8_t)byte);
}

static tl_dca_end aplib_match(aplib *a, uint64_t offset, uint64_t length)
{
    a->last = offset;
    a->after_literal = false;
    return a->cut ? TL_DCA_CUT : tl_dca_copy(a->stream, offset, length);
}

static tl_dca_end aplib_long_match(aplib *a)
{
    const uint64_t high = aplib_read_gamma(a);
    if (high == 0)
        return TL_DCA_HUGE;
    const bool again = a->after_literal && high == 2;
    const uint64_t offset = again ? a->last : (high - (a->after_literal ? 3 : 2)) << 8 | aplib_read_byte(a);
    const uint64_t length = aplib_read_gamma(a);
    if (length == 0)
        return TL_DCA_HUGE;
    /* Shorter matches at these offsets would not save bits, so the encoding leaves them out. */
    const unsigned bonus = offset < 128 || offset >= 32000 ? 2 : offset >= 1280 ? 1 : 0;
    return aplib_match(a, offset, again ? length : length + bonus);
}

static tl_dca_end aplib_short_match(aplib *a)
{
    const unsigned byte = aplib_read_byte(a);
    if (byte == 0)
        return a->cut ? TL_DCA_CUT : TL_DCA_ENDED;
    return aplib_match(a, byte >> 1, 2 + (byte & 1));
}

/* Counts as a literal: the last offset stays. */
static tl_dca_end aplib_near_byte(aplib *a)
{
    unsigned offset = 0;
    for (int i = 0; i < 4; i++)
        offset = offset << 1 | aplib_read_bit(a);
    if (offset == 0 || a->cut)
        return aplib_literal(a, 0);
    a->after_literal = true;
    return tl_dca_copy(a->stream, offset, 1);
}

tl_dca_end tl_dca_aplib(tl_dca_stream *stream)
{
    aplib a = {.stream = stream};
    tl_dca_end end = aplib_literal(&a, aplib_read_byte(&a));
    while (end == TL_DCA_GOING) {
        if (!aplib_read_bit(&a))
            end = aplib_literal(&a, aplib_read_byte(&a));
        else if (!aplib_read_bit(&a))
            end = aplib_long_match(&a);
        else if (!aplib_read_bit(&a))
            end = aplib_short_match(&a);
        else
            end = aplib_near_byte(&a);
    }
    return end;
}
