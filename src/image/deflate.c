/* Deflate (RFC 1951): repetitions are found with chains of positions that have the same hash (Lempel and Ziv 1977, as
 * in zlib), and coded with Huffman codes of each block's own (Huffman 1952). */
#include "image/deflate.h"

#include "base/array.h"
#include "base/compiler.h"

#include <string.h>

enum {
    DEFLATE_WINDOW = 32768,
    DEFLATE_HASH_BITS = 15,
    DEFLATE_MATCH_LEAST = 3,
    DEFLATE_MATCH_MOST = 258,
    DEFLATE_CHAIN = 10, /* positions that are looked at */
    DEFLATE_GOOD = 32,  /* with a match of this length, no better one is looked for */
    DEFLATE_TOKENS = 1 << 14,
    DEFLATE_OUTPUT = 32768,
    DEFLATE_LITERALS = 286, /* bytes, the end of a block, lengths */
    DEFLATE_FIXED_LITERALS = 288,
    DEFLATE_END = 256,
    DEFLATE_DISTANCES = 30,
    DEFLATE_LENGTHS = 19, /* codes for the lengths of codes */
    DEFLATE_BITS_MOST = 15
};

/* A byte, or a length with a distance. */
typedef struct deflate_token {
    uint16_t value, distance; /* distance 0: a byte */
} deflate_token;

typedef struct deflate_code {
    uint8_t lengths[DEFLATE_FIXED_LITERALS];
    uint16_t codes[DEFLATE_FIXED_LITERALS]; /* the first bit is the lowest one */
} deflate_code;

typedef struct deflate_state {
    const uint8_t *bytes;
    size_t size;
    tl_sink *sink;
    int32_t *head, *previous; /* positions by hash; the one before with the same hash */
    deflate_token *tokens;
    uint32_t token_count;
    uint32_t literal_counts[DEFLATE_LITERALS], distance_counts[DEFLATE_DISTANCES];
    uint64_t bits;
    int bit_count;
    uint8_t *output;
    size_t output_size;
} deflate_state;

/* ---- bits ---- */

static void deflate_flush(deflate_state *s)
{
    tl_sink_put(s->sink, s->output, s->output_size);
    s->output_size = 0;
}

/* At most 32 bits, the lowest first. */
static inline void deflate_put(deflate_state *s, uint32_t bits, int count)
{
    s->bits |= (uint64_t)bits << s->bit_count;
    s->bit_count += count;
    while (s->bit_count >= 8) {
        s->output[s->output_size++] = (uint8_t)s->bits;
        s->bits >>= 8;
        s->bit_count -= 8;
        if (s->output_size == DEFLATE_OUTPUT)
            deflate_flush(s);
    }
}

/* ---- codes of lengths and distances ---- */

typedef struct deflate_symbol {
    uint32_t code, extra;
    int extra_bits;
} deflate_symbol;

static inline deflate_symbol deflate_length_symbol(uint32_t length)
{
    const uint32_t l = length - DEFLATE_MATCH_LEAST;
    if (length == DEFLATE_MATCH_MOST)
        return (deflate_symbol){285, 0, 0};
    if (l < 8)
        return (deflate_symbol){257 + l, 0, 0};
    const int n = 31 - tl_zeros_above(l);
    return (deflate_symbol){257 + 4 * (uint32_t)(n - 1) + (l >> (n - 2) & 3), l & ((1u << (n - 2)) - 1), n - 2};
}

static inline deflate_symbol deflate_distance_symbol(uint32_t distance)
{
    const uint32_t d = distance - 1;
    if (d < 4)
        return (deflate_symbol){d, 0, 0};
    const int n = 31 - tl_zeros_above(d);
    return (deflate_symbol){2 * (uint32_t)n + (d >> (n - 1) & 1), d & ((1u << (n - 1)) - 1), n - 1};
}

/* ---- Huffman codes ---- */

/* Symbols that occur, the rarest first. */
static uint32_t huffman_sort(const uint32_t *counts, uint32_t symbol_count, uint16_t *order)
{
    uint32_t used = 0;
    for (uint32_t symbol = 0; symbol < symbol_count; symbol++) {
        if (counts[symbol] == 0)
            continue;
        uint32_t at = used++;
        for (; at > 0 && counts[order[at - 1]] > counts[symbol]; at--)
            order[at] = order[at - 1];
        order[at] = (uint16_t)symbol;
    }
    return used;
}

/* How many codes there are of each length: two queues, of symbols and of joined nodes, are merged from the rarest on,
 * then codes that are too long are shortened at the cost of others. */
static void huffman_count_lengths(const uint32_t *counts, const uint16_t *order, uint32_t used, int most,
                                  uint32_t of_length[DEFLATE_BITS_MOST + 1])
{
    uint32_t weights[2 * DEFLATE_FIXED_LITERALS];
    uint16_t parents[2 * DEFLATE_FIXED_LITERALS];
    uint8_t depths[2 * DEFLATE_FIXED_LITERALS];
    uint32_t leaf = 0, node = used, next = used;
    for (uint32_t i = 0; i < used; i++)
        weights[i] = counts[order[i]];
    for (; next < 2 * used - 1; next++) {
        weights[next] = 0;
        for (int k = 0; k < 2; k++) {
            const uint32_t least = leaf < used && (node == next || weights[leaf] <= weights[node]) ? leaf++ : node++;
            weights[next] += weights[least];
            parents[least] = (uint16_t)next;
        }
    }
    memset(of_length, 0, (DEFLATE_BITS_MOST + 1) * sizeof *of_length);
    depths[next - 1] = 0;
    uint64_t sum = 0; /* 1 << most: every bit pattern has a meaning */
    for (uint32_t i = next - 1; i-- > 0;) {
        depths[i] = (uint8_t)(depths[parents[i]] + 1);
        if (i < used) {
            const int length = depths[i] < most ? depths[i] : most;
            of_length[length]++;
            sum += UINT64_C(1) << (most - length);
        }
    }
    for (; sum > UINT64_C(1) << most; sum--) {
        int length = most - 1;
        while (of_length[length] == 0)
            length--;
        of_length[length]--;
        of_length[length + 1] += 2;
        of_length[most]--;
    }
}

/* Codes in the order that the format requires, their bits reversed. */
static void huffman_number(deflate_code *code, uint32_t symbol_count)
{
    uint32_t of_length[DEFLATE_BITS_MOST + 2] = {0}, next[DEFLATE_BITS_MOST + 2] = {0};
    for (uint32_t i = 0; i < symbol_count; i++)
        of_length[code->lengths[i]]++;
    of_length[0] = 0;
    for (int length = 1; length <= DEFLATE_BITS_MOST; length++)
        next[length] = (next[length - 1] + of_length[length - 1]) << 1;
    for (uint32_t i = 0; i < symbol_count; i++) {
        const uint32_t value = next[code->lengths[i]]++;
        uint32_t reversed = 0;
        for (int bit = 0; bit < code->lengths[i]; bit++)
            reversed |= (value >> bit & 1) << (code->lengths[i] - 1 - bit);
        code->codes[i] = (uint16_t)reversed;
    }
}

/* At least two symbols get a code, so that it is complete. */
static void huffman_make(deflate_code *code, const uint32_t *given, uint32_t symbol_count, int most)
{
    uint32_t counts[DEFLATE_FIXED_LITERALS], of_length[DEFLATE_BITS_MOST + 1];
    uint16_t order[DEFLATE_FIXED_LITERALS];
    memcpy(counts, given, symbol_count * sizeof *counts);
    uint32_t used = huffman_sort(counts, symbol_count, order);
    for (uint32_t i = 0; used < 2; i++)
        if (counts[i] == 0) {
            counts[i] = 1;
            used = huffman_sort(counts, symbol_count, order);
        }
    huffman_count_lengths(counts, order, used, most, of_length);
    memset(code->lengths, 0, sizeof code->lengths);
    uint32_t at = 0;
    for (int length = most; length > 0; length--)
        for (uint32_t i = 0; i < of_length[length]; i++)
            code->lengths[order[at++]] = (uint8_t)length;
    huffman_number(code, symbol_count);
}

/* ---- blocks ---- */

/* The lengths of both codes, with runs: 16 repeats the last one, 17 and 18 repeat zeros. */
typedef struct deflate_head {
    uint32_t literals, distances, lengths; /* how many are written */
    uint8_t symbols[DEFLATE_LITERALS + DEFLATE_DISTANCES], extra[DEFLATE_LITERALS + DEFLATE_DISTANCES];
    uint32_t count;
    deflate_code code;
} deflate_head;

static const uint8_t head_order[DEFLATE_LENGTHS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static void head_make(deflate_head *h, const deflate_code *literals, const deflate_code *distances)
{
    uint8_t all[DEFLATE_LITERALS + DEFLATE_DISTANCES];
    uint32_t counts[DEFLATE_LENGTHS] = {0};
    h->literals = DEFLATE_LITERALS, h->distances = DEFLATE_DISTANCES, h->lengths = DEFLATE_LENGTHS, h->count = 0;
    while (literals->lengths[h->literals - 1] == 0)
        h->literals--;
    while (h->distances > 1 && distances->lengths[h->distances - 1] == 0)
        h->distances--;
    const uint32_t total = h->literals + h->distances;
    memcpy(all, literals->lengths, h->literals);
    memcpy(all + h->literals, distances->lengths, h->distances);
    for (uint32_t i = 0, run; i < total; i += run) {
        const bool again = i > 0 && all[i] == all[i - 1], zero = all[i] == 0;
        const uint32_t most = zero ? 138 : again ? 6 : 1;
        for (run = 1; run < most && i + run < total && all[i + run] == all[i];)
            run++;
        uint8_t symbol = all[i], extra = 0;
        if (zero && run >= 3)
            symbol = run < 11 ? 17 : 18, extra = (uint8_t)(run - (run < 11 ? 3 : 11));
        else if (again && run >= 3)
            symbol = 16, extra = (uint8_t)(run - 3);
        else
            run = 1;
        counts[symbol]++;
        h->symbols[h->count] = symbol;
        h->extra[h->count++] = extra;
    }
    huffman_make(&h->code, counts, DEFLATE_LENGTHS, 7);
    while (h->lengths > 4 && h->code.lengths[head_order[h->lengths - 1]] == 0)
        h->lengths--;
}

static int head_extra_bits(uint8_t symbol)
{
    return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0;
}

static void head_put(deflate_state *s, const deflate_head *h)
{
    deflate_put(s, h->literals - 257, 5);
    deflate_put(s, h->distances - 1, 5);
    deflate_put(s, h->lengths - 4, 4);
    for (uint32_t i = 0; i < h->lengths; i++)
        deflate_put(s, h->code.lengths[head_order[i]], 3);
    for (uint32_t i = 0; i < h->count; i++) {
        deflate_put(s, h->code.codes[h->symbols[i]], h->code.lengths[h->symbols[i]]);
        deflate_put(s, h->extra[i], head_extra_bits(h->symbols[i]));
    }
}

static void deflate_fixed_codes(deflate_code *literals, deflate_code *distances)
{
    for (uint32_t i = 0; i < DEFLATE_FIXED_LITERALS; i++)
        literals->lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(distances->lengths, 5, DEFLATE_DISTANCES);
    huffman_number(literals, DEFLATE_FIXED_LITERALS);
    huffman_number(distances, DEFLATE_DISTANCES);
}

/* Bits of a block's symbols, without the extra bits of lengths and distances, which every code has. */
static uint64_t deflate_cost(const deflate_state *s, const deflate_code *literals, const deflate_code *distances)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < DEFLATE_LITERALS; i++)
        sum += (uint64_t)s->literal_counts[i] * literals->lengths[i];
    for (uint32_t i = 0; i < DEFLATE_DISTANCES; i++)
        sum += (uint64_t)s->distance_counts[i] * distances->lengths[i];
    return sum;
}

static void deflate_put_block(deflate_state *s, bool last)
{
    deflate_code literals, distances, fixed_literals, fixed_distances;
    deflate_head head;
    s->literal_counts[DEFLATE_END]++;
    huffman_make(&literals, s->literal_counts, DEFLATE_LITERALS, DEFLATE_BITS_MOST);
    huffman_make(&distances, s->distance_counts, DEFLATE_DISTANCES, DEFLATE_BITS_MOST);
    head_make(&head, &literals, &distances);
    uint64_t head_cost = 14 + 3 * (uint64_t)head.lengths;
    for (uint32_t i = 0; i < head.count; i++)
        head_cost += (uint64_t)(head.code.lengths[head.symbols[i]] + head_extra_bits(head.symbols[i]));
    deflate_fixed_codes(&fixed_literals, &fixed_distances);
    const bool fixed =
        deflate_cost(s, &fixed_literals, &fixed_distances) <= head_cost + deflate_cost(s, &literals, &distances);
    const deflate_code *l = fixed ? &fixed_literals : &literals, *d = fixed ? &fixed_distances : &distances;
    deflate_put(s, last ? 1 : 0, 1);
    deflate_put(s, fixed ? 1 : 2, 2);
    if (!fixed)
        head_put(s, &head);
    for (uint32_t i = 0; i < s->token_count; i++) {
        const deflate_token token = s->tokens[i];
        if (token.distance == 0) {
            deflate_put(s, l->codes[token.value], l->lengths[token.value]);
            continue;
        }
        const deflate_symbol length = deflate_length_symbol(token.value);
        const deflate_symbol distance = deflate_distance_symbol(token.distance);
        deflate_put(s, l->codes[length.code] | length.extra << l->lengths[length.code],
                    l->lengths[length.code] + length.extra_bits);
        deflate_put(s, d->codes[distance.code] | distance.extra << d->lengths[distance.code],
                    d->lengths[distance.code] + distance.extra_bits);
    }
    deflate_put(s, l->codes[DEFLATE_END], l->lengths[DEFLATE_END]);
    s->token_count = 0;
    memset(s->literal_counts, 0, sizeof s->literal_counts);
    memset(s->distance_counts, 0, sizeof s->distance_counts);
}

/* ---- repetitions ---- */

static void deflate_add(deflate_state *s, uint32_t value, uint32_t distance)
{
    if (s->token_count == DEFLATE_TOKENS)
        deflate_put_block(s, false);
    s->tokens[s->token_count++] = (deflate_token){(uint16_t)value, (uint16_t)distance};
    if (distance == 0) {
        s->literal_counts[value]++;
    } else {
        s->literal_counts[deflate_length_symbol(value).code]++;
        s->distance_counts[deflate_distance_symbol(distance).code]++;
    }
}

/* Remembers a position, which has three bytes at least. Returns the one before it with the same hash. */
static inline int32_t deflate_insert(deflate_state *s, size_t at)
{
    const uint8_t *p = s->bytes + at;
    const uint32_t three = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    int32_t *head = &s->head[three * 0x9E3779B1u >> (32 - DEFLATE_HASH_BITS)];
    const int32_t before = *head;
    s->previous[at % DEFLATE_WINDOW] = before;
    *head = (int32_t)at;
    return before;
}

static inline uint32_t deflate_match_length(const uint8_t *a, const uint8_t *b, uint32_t most)
{
    uint32_t n = 0;
    uint64_t x, y;
    for (; n + 8 <= most; n += 8) {
        memcpy(&x, a + n, 8);
        memcpy(&y, b + n, 8);
        if (x != y)
            break;
    }
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

/* The longest repetition at a position that is longer than `least`; 0: none. */
static uint32_t deflate_find(const deflate_state *s, size_t at, int32_t candidate, uint32_t least, uint32_t *distance)
{
    const size_t left = s->size - at;
    const uint32_t most = left < DEFLATE_MATCH_MOST ? (uint32_t)left : DEFLATE_MATCH_MOST;
    const int64_t oldest = (int64_t)at - (DEFLATE_WINDOW - 1);
    uint32_t best = least;
    for (int chain = 0; chain < DEFLATE_CHAIN && candidate >= 0 && candidate >= oldest && best < most; chain++) {
        const uint8_t *a = s->bytes + candidate, *b = s->bytes + at;
        if (a[best] == b[best]) {
            const uint32_t length = deflate_match_length(a, b, most);
            if (length > best) {
                best = length;
                *distance = (uint32_t)(at - (size_t)candidate);
                if (length >= DEFLATE_GOOD)
                    break;
            }
        }
        candidate = s->previous[candidate % DEFLATE_WINDOW];
    }
    return best > least ? best : 0;
}

/* A repetition is put off by one byte where the next one is longer. */
static void deflate_run(deflate_state *s)
{
    size_t at = 0;
    uint32_t pending = 0, pending_distance = 0; /* the repetition that begins at the byte before */
    while (at < s->size) {
        uint32_t length = 0, distance = 0;
        if (at + DEFLATE_MATCH_LEAST <= s->size) {
            const int32_t candidate = deflate_insert(s, at);
            if (pending < DEFLATE_GOOD)
                length = deflate_find(s, at, candidate, pending > 2 ? pending : 2, &distance);
        }
        if (pending > 0 && length == 0) {
            deflate_add(s, pending, pending_distance);
            const size_t end = at - 1 + pending, known = pending < DEFLATE_GOOD ? at + 1 : end - 3;
            for (at = known; at < end; at++) /* of a long one only the end is remembered */
                if (at + DEFLATE_MATCH_LEAST <= s->size)
                    deflate_insert(s, at);
            pending = 0;
            continue;
        }
        if (pending > 0)
            deflate_add(s, s->bytes[at - 1], 0);
        if (length == 0)
            deflate_add(s, s->bytes[at], 0);
        pending = length;
        pending_distance = distance;
        at++;
    }
}

/* ---- a stream ---- */

/* The sums stay below 2^32 for 5552 bytes. */
static uint32_t deflate_adler32(const uint8_t *bytes, size_t size)
{
    enum { PRIME = 65521, BYTES = 5552 };
    uint32_t a = 1, b = 0;
    for (size_t at = 0; at < size;) {
        const size_t end = size - at < BYTES ? size : at + BYTES;
        for (; at < end; at++) {
            a += bytes[at];
            b += a;
        }
        a %= PRIME;
        b %= PRIME;
    }
    return b << 16 | a;
}

bool tl_zlib_write(const uint8_t *bytes, size_t size, tl_arena *arena, tl_sink *sink)
{
    deflate_state *s = tl_array(arena, 1, sizeof *s);
    if (!s)
        return false;
    *s = (deflate_state){.bytes = bytes,
                         .size = size,
                         .sink = sink,
                         .head = tl_array_raw(arena, (size_t)1 << DEFLATE_HASH_BITS, sizeof *s->head),
                         .previous = tl_array_raw(arena, DEFLATE_WINDOW, sizeof *s->previous),
                         .tokens = tl_array_raw(arena, DEFLATE_TOKENS, sizeof *s->tokens),
                         .output = tl_array_raw(arena, DEFLATE_OUTPUT, 1)};
    if (!s->head || !s->previous || !s->tokens || !s->output || size > INT32_MAX)
        return false;
    memset(s->head, 0xFF, ((size_t)1 << DEFLATE_HASH_BITS) * sizeof *s->head); /* no position */
    deflate_put(s, 0x9C78, 16);                                                /* deflate, a window of 32 KB */
    deflate_run(s);
    deflate_put_block(s, true);
    deflate_put(s, 0, (8 - s->bit_count) & 7);
    const uint32_t sum = deflate_adler32(bytes, size);
    for (int k = 3; k >= 0; k--)
        deflate_put(s, sum >> 8 * k & 0xFF, 8);
    deflate_flush(s);
    return true;
}
