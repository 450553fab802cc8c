/* Level 2, an aPLib stream: bits and whole bytes from one cursor. A byte of bits is fetched when the first of them is
 * wanted; its highest bit comes first.
 *
 *   0    a literal byte
 *   10   a match with an offset of any size, or the last offset again
 *   110  a match of 2 or 3 bytes, at most 127 back; or the end
 *   111  one byte from at most 15 back, or a zero
 */
#include "container/dca_stream.h"

typedef struct aplib {
    tl_dca_stream *stream;
    unsigned tag, bits; /* bits: of the tag that are left */
    uint64_t last;      /* offset of the last match, 0: none yet */
    bool after_literal;
    bool cut; /* sticks: everything read after the payload's end is 0 */
} aplib;

static unsigned read_byte(aplib *a)
{
    if (a->stream->at < a->stream->in_size)
        return a->stream->in[a->stream->at++];
    a->cut = true;
    return 0;
}

static unsigned read_bit(aplib *a)
{
    if (a->bits == 0) {
        a->tag = read_byte(a);
        a->bits = 8;
    }
    return a->tag >> --a->bits & 1;
}

/* A number from 2 on: a bit of it, then a bit that says whether another follows. 0: larger than any file. */
static uint64_t read_gamma(aplib *a)
{
    uint64_t value = 1;
    do
        value = value << 1 | read_bit(a);
    while (read_bit(a) && value <= UINT32_MAX);
    return value <= UINT32_MAX ? value : 0;
}

static tl_dca_end literal(aplib *a, unsigned byte)
{
    a->after_literal = true;
    return a->cut ? TL_DCA_CUT : tl_dca_put(a->stream, (uint8_t)byte);
}

static tl_dca_end match(aplib *a, uint64_t offset, uint64_t length)
{
    a->last = offset;
    a->after_literal = false;
    return a->cut ? TL_DCA_CUT : tl_dca_copy(a->stream, offset, length);
}

/* What matches that far back are longer at least: shorter ones would not be worth their bits. */
static unsigned length_bonus(uint64_t offset)
{
    return offset < 128 || offset >= 32000 ? 2 : offset >= 1280 ? 1 : 0;
}

static tl_dca_end long_match(aplib *a)
{
    const uint64_t high = read_gamma(a);
    if (high == 0)
        return TL_DCA_HUGE;
    const bool again = a->after_literal && high == 2;
    const uint64_t offset = again ? a->last : (high - (a->after_literal ? 3 : 2)) << 8 | read_byte(a);
    const uint64_t length = read_gamma(a);
    if (length == 0)
        return TL_DCA_HUGE;
    return match(a, offset, again ? length : length + length_bonus(offset));
}

static tl_dca_end short_match(aplib *a)
{
    const unsigned byte = read_byte(a);
    if (byte == 0)
        return a->cut ? TL_DCA_CUT : TL_DCA_ENDED;
    return match(a, byte >> 1, 2 + (byte & 1));
}

/* A byte of the recent past counts as a literal: the last offset stays. */
static tl_dca_end near_byte(aplib *a)
{
    unsigned offset = 0;
    for (int i = 0; i < 4; i++)
        offset = offset << 1 | read_bit(a);
    if (offset == 0 || a->cut)
        return literal(a, 0);
    a->after_literal = true;
    return tl_dca_copy(a->stream, offset, 1);
}

tl_dca_end tl_dca_aplib(tl_dca_stream *stream)
{
    aplib a = {.stream = stream};
    tl_dca_end end = literal(&a, read_byte(&a));
    while (end == TL_DCA_GOING) {
        if (!read_bit(&a))
            end = literal(&a, read_byte(&a));
        else if (!read_bit(&a))
            end = long_match(&a);
        else if (!read_bit(&a))
            end = short_match(&a);
        else
            end = near_byte(&a);
    }
    return end;
}
