/* Level 3, a Shrinkler stream (Aske Simon Christensen): LZ symbols through an adaptive binary range coder. Contexts:
 *
 *   0            is the offset the last one again?
 *   1, 257       is it a match? At even and at odd positions
 *   2 ... 256    literals at even positions: a binary tree, most significant bit first
 *   258 ... 512  literals at odd positions
 *   513 ...      offsets: the number of bits, and the bits
 *   769 ...      lengths likewise
 *
 * The payload is followed by an endless run of zero bits.
 */
#include "base/compiler.h"
#include "container/dca_stream.h"

enum {
    SHRINKLER_REPEAT = 0,
    SHRINKLER_LITERALS = 1,
    SHRINKLER_PARITY_STEP = 256,
    SHRINKLER_OFFSETS = 513,
    SHRINKLER_LENGTHS = 769,
    SHRINKLER_CONTEXTS = 1025,
    SHRINKLER_ONE_HALF = 0x8000, /* of 0x10000 */
    SHRINKLER_WORD = 4,
    SHRINKLER_MAX_BITS = 30, /* of a number: below 2^32 */
    /* A decoder reads up to 15 bits past the last symbol. */
    SHRINKLER_BITS_PAST_END = 32
};

typedef struct shrinkler {
    tl_dca_stream *stream;
    uint64_t value; /* in the interval; has `spare` more bits than `size` */
    uint32_t size;  /* of the interval, at most 16 bits */
    unsigned spare;
    uint16_t odds[SHRINKLER_CONTEXTS]; /* probability of a 1, in 65536ths */
} shrinkler;

/* Reads a word at a time, as the console does: the margin depends on it. */
static void shrinkler_fetch_word(shrinkler *s)
{
    tl_dca_stream *stream = s->stream;
    uint32_t word = 0;
    for (size_t i = stream->at; i < stream->at + SHRINKLER_WORD; i++)
        word = word << 8 | (i < stream->in_size ? stream->in[i] : 0u);
    stream->at += SHRINKLER_WORD;
    s->value = s->value << 32 | word;
    s->spare += 32;
}

/* Renormalizes the interval to 16 bits and decodes a bit. Probabilities stay between 15 and 0xFFF0, so that neither
 * part of the interval is empty. Branch-free, since the bit is unpredictable. */
static inline unsigned shrinkler_read_bit(shrinkler *s, unsigned context)
{
    const unsigned shift = (unsigned)tl_zeros_above(s->size) - 16;
    if (s->spare < shift)
        shrinkler_fetch_word(s);
    s->spare -= shift;
    s->size <<= shift;
    const uint32_t odds = s->odds[context], split = s->size * odds >> 16;
    const uint64_t edge = (uint64_t)split << s->spare;
    const uint32_t bit = s->value < edge, if_0 = bit - 1, if_1 = ~if_0;
    s->value -= edge & ((uint64_t)bit - 1);
    s->size = (split & if_1) | ((s->size - split) & if_0);
    s->odds[context] = (uint16_t)(odds - (odds >> 4) + (0xFFF & if_1));
    return bit;
}

/* An Elias gamma code, 2 or more: the number of bits in unary, then the bits. Returns 0 for a number above 32 bits. */
static uint64_t shrinkler_read_number(shrinkler *s, unsigned base)
{
    unsigned bits = 0;
    while (shrinkler_read_bit(s, base + 2 * bits + 2))
        if (++bits > SHRINKLER_MAX_BITS)
            return 0;
    uint64_t value = 1;
    for (unsigned i = bits + 1; i-- > 0;)
        value = value << 1 | shrinkler_read_bit(s, base + 2 * i + 1);
    return value;
}

static unsigned shrinkler_context(const shrinkler *s)
{
    return s->stream->written & 1 ? SHRINKLER_LITERALS + SHRINKLER_PARITY_STEP : SHRINKLER_LITERALS;
}

static tl_dca_end shrinkler_literal(shrinkler *s)
{
    const unsigned base = shrinkler_context(s);
    unsigned node = 1;
    for (int i = 0; i < 8; i++)
        node = node << 1 | shrinkler_read_bit(s, base + node);
    return tl_dca_put(s->stream, (uint8_t)node);
}

/* The last offset can be repeated only after a literal: after a match it would have been one longer match. */
static tl_dca_end shrinkler_match(shrinkler *s, uint64_t *offset, bool after_match)
{
    if (after_match || !shrinkler_read_bit(s, SHRINKLER_REPEAT)) {
        const uint64_t number = shrinkler_read_number(s, SHRINKLER_OFFSETS);
        if (number <= 2)
            return number == 2 ? TL_DCA_ENDED : TL_DCA_HUGE;
        *offset = number - 2;
    }
    const uint64_t length = shrinkler_read_number(s, SHRINKLER_LENGTHS);
    return length != 0 ? tl_dca_copy(s->stream, *offset, length) : TL_DCA_HUGE;
}

/* True if symbols have been decoded from bits that are not in the payload. */
static bool shrinkler_past_end(const shrinkler *s)
{
    return 8 * (uint64_t)s->stream->at - s->spare > 8 * (uint64_t)s->stream->in_size + SHRINKLER_BITS_PAST_END;
}

tl_dca_end tl_dca_shrinkler(tl_dca_stream *stream)
{
    shrinkler s = {.stream = stream, .size = 1};
    for (unsigned i = 0; i < SHRINKLER_CONTEXTS; i++)
        s.odds[i] = SHRINKLER_ONE_HALF;
    uint64_t offset = 0;
    bool is_match = false;
    tl_dca_end end = shrinkler_literal(&s);
    while (end == TL_DCA_GOING && !shrinkler_past_end(&s)) {
        const bool after_match = is_match;
        is_match = shrinkler_read_bit(&s, shrinkler_context(&s));
        end = is_match ? shrinkler_match(&s, &offset, after_match) : shrinkler_literal(&s);
    }
    return shrinkler_past_end(&s) ? TL_DCA_CUT : end;
}
