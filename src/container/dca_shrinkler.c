/* Level 3, a Shrinkler stream: one long binary fraction, of which each decision takes the share that its probability
 * gives it. Probabilities learn from every decision in their context:
 *
 *   0            the last offset again?
 *   1, 257       a match? One for even, one for odd positions, as literals have
 *   2 ... 256    literals at even positions: a tree with a node for each bit
 *   258 ... 512  literals at odd positions
 *   513 ...      offsets: the number of bits, and the bits
 *   769 ...      lengths likewise
 *
 * The payload counts as followed by zeroes.
 */
#include "container/dca_stream.h"

enum {
    AGAIN = 0,
    LITERALS = 1,
    PARITY_STEP = 256,
    OFFSETS = 513,
    LENGTHS = 769,
    CONTEXTS = 1025,
    EVEN_ODDS = 0x8000, /* of 0x10000 */
    SIZE_LEAST = 0x8000,
    WORD = 4,
    MOST_BITS = 30, /* of a number: below 2^32 */
    /* Behind its last decision a decoder has read up to 15 bits ahead; a whole word is generous. */
    BITS_PAST_END = 32
};

typedef struct shrinkler {
    tl_dca_stream *stream;
    uint64_t value; /* within the interval; `spare` more bits than `size` has */
    uint32_t size;  /* of the interval, at most 16 bits */
    unsigned spare;
    uint16_t odds[CONTEXTS]; /* that the answer is 1 */
} shrinkler;

/* Word by word as on the console: the margin depends on it. */
static void fetch_word(shrinkler *s)
{
    tl_dca_stream *stream = s->stream;
    uint32_t word = 0;
    for (size_t i = stream->at; i < stream->at + WORD; i++)
        word = word << 8 | (i < stream->in_size ? stream->in[i] : 0u);
    stream->at += WORD;
    s->value = s->value << 32 | word;
    s->spare += 32;
}

/* Doubles the interval until it has its 16 bits again. */
static void widen(shrinkler *s)
{
    const unsigned shift = (unsigned)__builtin_clz(s->size) - 16;
    if (s->spare < shift)
        fetch_word(s);
    s->spare -= shift;
    s->size <<= shift;
}

/* The odds stay between 15 and 0xFFF0, so that neither part of the interval is ever empty. Without a branch on the
 * answer, which no processor could foresee. */
static inline unsigned read_bit(shrinkler *s, unsigned context)
{
    widen(s);
    const uint32_t odds = s->odds[context], split = s->size * odds >> 16;
    const uint64_t edge = (uint64_t)split << s->spare;
    const uint32_t bit = s->value < edge, if_0 = bit - 1, if_1 = ~if_0;
    s->value -= edge & ((uint64_t)bit - 1);
    s->size = (split & if_1) | ((s->size - split) & if_0);
    s->odds[context] = (uint16_t)(odds - (odds >> 4) + (0xFFF & if_1));
    return bit;
}

/* A number from 2 on: how many bits, then the bits from the highest. 0: larger than any file. */
static uint64_t read_number(shrinkler *s, unsigned base)
{
    unsigned bits = 0;
    while (read_bit(s, base + 2 * bits + 2))
        if (++bits > MOST_BITS)
            return 0;
    uint64_t value = 1;
    for (unsigned i = bits + 1; i-- > 0;)
        value = value << 1 | read_bit(s, base + 2 * i + 1);
    return value;
}

static unsigned context_here(const shrinkler *s)
{
    return s->stream->written & 1 ? LITERALS + PARITY_STEP : LITERALS;
}

static tl_dca_end literal(shrinkler *s)
{
    const unsigned base = context_here(s);
    unsigned node = 1;
    for (int i = 0; i < 8; i++)
        node = node << 1 | read_bit(s, base + node);
    return tl_dca_put(s->stream, (uint8_t)node);
}

/* The last offset can come again only behind a literal: behind a match it would have been one longer match. */
static tl_dca_end match(shrinkler *s, uint64_t *offset, bool after_match)
{
    if (after_match || !read_bit(s, AGAIN)) {
        const uint64_t number = read_number(s, OFFSETS);
        if (number <= 2)
            return number == 2 ? TL_DCA_ENDED : TL_DCA_HUGE;
        *offset = number - 2;
    }
    const uint64_t length = read_number(s, LENGTHS);
    return length != 0 ? tl_dca_copy(s->stream, *offset, length) : TL_DCA_HUGE;
}

/* What comes out long after the end is made of zeroes that were never there. */
static bool past_end(const shrinkler *s)
{
    return 8 * (uint64_t)s->stream->at - s->spare > 8 * (uint64_t)s->stream->in_size + BITS_PAST_END;
}

tl_dca_end tl_dca_shrinkler(tl_dca_stream *stream)
{
    shrinkler s = {.stream = stream, .size = 1};
    for (unsigned i = 0; i < CONTEXTS; i++)
        s.odds[i] = EVEN_ODDS;
    uint64_t offset = 0;
    bool is_match = false;
    tl_dca_end end = literal(&s);
    while (end == TL_DCA_GOING && !past_end(&s)) {
        const bool after_match = is_match;
        is_match = read_bit(&s, context_here(&s));
        end = is_match ? match(&s, &offset, after_match) : literal(&s);
    }
    return past_end(&s) ? TL_DCA_CUT : end;
}
