/* Deflate: streams that are known, and all kinds of bytes there and back. */
#include "harness.h"
#include "image/deflate.h"
#include "support/buffer.h"
#include "support/inflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pack(const uint8_t *bytes, size_t size, buffer *out)
{
    tl_arena arena;
    tl_sink sink = {.fn = buffer_sink, .user = out};
    tl_arena_init(&arena, NULL);
    CHECK(tl_zlib_write(bytes, size, &arena, &sink));
    tl_arena_free(&arena);
}

static size_t there_and_back(const uint8_t *bytes, size_t size)
{
    buffer packed = {0};
    uint8_t *back = malloc(size + 1);
    size_t back_size = 0;
    pack(bytes, size, &packed);
    CHECK(back && inflate_zlib(packed.data, packed.size, back, size, &back_size));
    CHECK_INT(back_size, size);
    CHECK(memcmp(back, bytes, size) == 0);
    const size_t packed_size = packed.size;
    free(back);
    buffer_free(&packed);
    return packed_size;
}

/* "a" in a block with the fixed codes: bits 1, then 01, then 0x30 + 97 from its highest bit on, then seven zeros: 4B 04
 * 00. Its sum is 0x62 and 0x62. Nothing at all is 03 00 and the sum 1. */
TEST(one_byte_by_hand)
{
    static const uint8_t one[] = {0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62};
    static const uint8_t none[] = {0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
    buffer packed = {0};
    pack((const uint8_t *)"a", 1, &packed);
    CHECK_INT(packed.size, sizeof one);
    CHECK(memcmp(packed.data, one, sizeof one) == 0);
    buffer_free(&packed);
    packed = (buffer){0};
    pack((const uint8_t *)"", 0, &packed);
    CHECK_INT(packed.size, sizeof none);
    CHECK(memcmp(packed.data, none, sizeof none) == 0);
    buffer_free(&packed);
}

/* A run of zeros costs a length of 258 now and then: with codes of one bit each, 2 bits for 258 bytes. */
TEST(runs_are_short)
{
    static uint8_t zeros[100000];
    const size_t size = there_and_back(zeros, sizeof zeros);
    if (size > 150)
        FAIL("%zu bytes for a run", size);
}

/* Every length and distance that has a code of its own, and skewed bytes whose codes would be longer than 15 bits. */
TEST(all_lengths_and_distances)
{
    static uint8_t bytes[200000];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    const size_t noise = there_and_back(bytes, 40000);
    CHECK(noise < 40000 + 40000 / 50);
    for (uint32_t length = 3; length <= 258; length++) {
        const size_t at = 40000 + 600 * (size_t)(length - 3);
        const size_t distance = 1 + (size_t)length * length * 32700 / (258 * 258);
        for (uint32_t i = 0; i < length; i++)
            bytes[at + i] = bytes[at + i - distance];
    }
    there_and_back(bytes, sizeof bytes);
    size_t at = 0;
    for (uint32_t value = 0, count = 1, last = 1; value < 24;
         value++) { /* Fibonacci's numbers make the longest codes */
        for (uint32_t i = 0; i < count && at < sizeof bytes; i++)
            bytes[at++] = (uint8_t)(value * 10);
        const uint32_t next = count + last;
        last = count, count = next;
    }
    for (size_t i = at; i > 1; i--) { /* shuffled, so that there is nothing to repeat */
        seed = seed * 1664525u + 1013904223u;
        const size_t k = (seed >> 8) % i;
        const uint8_t swap = bytes[i - 1];
        bytes[i - 1] = bytes[k], bytes[k] = swap;
    }
    there_and_back(bytes, at);
}

TEST(every_small_size)
{
    uint8_t bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 7 * (i % 11));
    for (size_t size = 0; size <= sizeof bytes; size++)
        there_and_back(bytes, size);
}

/* A repetition ends with the bytes that are given, also where memory goes on in the same way. */
TEST(what_lies_behind_does_not_count)
{
    uint8_t going_on[60], other[60];
    for (size_t period = 1; period < 12; period += 5)
        for (size_t size = 12; size < 40; size++) {
            buffer a = {0}, b = {0};
            for (size_t i = 0; i < sizeof other; i++) {
                going_on[i] = (uint8_t)(i % period * 7);
                other[i] = i < size ? going_on[i] : 0xEE;
            }
            pack(going_on, size, &a);
            pack(other, size, &b);
            CHECK(a.size == b.size && memcmp(a.data, b.data, a.size) == 0);
            buffer_free(&a);
            buffer_free(&b);
        }
}

/* ---- what a stream consists of ---- */

enum { TOKENS = 16384, BLOCKS = 16 };

/* Counts of the symbols of a block, and its codes. */
typedef struct block {
    uint32_t type, tokens, literal_counts[286], distance_counts[30];
    uint8_t literals[288], distances[32];
    inflate_head head;
} block;

typedef struct stream {
    block blocks[BLOCKS];
    uint32_t block_count, token_count;
    struct {
        size_t value, distance;
    } tokens[BLOCKS * TOKENS];
} stream;

static void take_block(void *user, uint32_t type, const uint8_t *literals, const uint8_t *distances,
                       const inflate_head *head)
{
    stream *s = user;
    CHECK(s->block_count < BLOCKS);
    block *b = &s->blocks[s->block_count++];
    *b = (block){.type = type, .head = *head};
    memcpy(b->literals, literals, sizeof b->literals);
    memcpy(b->distances, distances, sizeof b->distances);
    b->literal_counts[256] = 1;
}

/* The tables of RFC 1951, 3.2.5. */
static void take_token(void *user, size_t value, size_t distance)
{
    static const uint16_t lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint16_t distances[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                         33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                         1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    stream *s = user;
    block *b = &s->blocks[s->block_count - 1];
    uint32_t code = 0;
    CHECK(s->token_count < BLOCKS * TOKENS);
    s->tokens[s->token_count].value = value;
    s->tokens[s->token_count++].distance = distance;
    b->tokens++;
    if (distance == 0) {
        b->literal_counts[value]++;
        return;
    }
    while (code + 1 < 29 && lengths[code + 1] <= value)
        code++;
    b->literal_counts[257 + code]++;
    for (code = 0; code + 1 < 30 && distances[code + 1] <= distance;)
        code++;
    b->distance_counts[code]++;
}

static const stream *trace(const uint8_t *bytes, size_t size)
{
    static stream s;
    s.block_count = s.token_count = 0;
    const inflate_trace to = {&s, take_block, take_token};
    buffer packed = {0};
    uint8_t *back = malloc(size + 1);
    size_t back_size = 0;
    pack(bytes, size, &packed);
    CHECK(back && inflate_traced(packed.data, packed.size, back, size, &back_size, &to));
    CHECK(back_size == size && memcmp(back, bytes, size) == 0);
    free(back);
    buffer_free(&packed);
    return &s;
}

/* ---- repetitions ---- */

/* `want`: bytes as they are, repetitions as "<length,distance>". */
static void check_tokens(const char *bytes, const char *want)
{
    const stream *s = trace((const uint8_t *)bytes, strlen(bytes));
    char text[512];
    size_t at = 0;
    for (uint32_t i = 0; i < s->token_count; i++)
        at += (size_t)(s->tokens[i].distance == 0 ? snprintf(text + at, sizeof text - at, "%c", (int)s->tokens[i].value)
                                                  : snprintf(text + at, sizeof text - at, "<%zu,%zu>",
                                                             s->tokens[i].value, s->tokens[i].distance));
    text[at] = 0;
    CHECK_STR(text, want);
}

TEST(repetitions_by_hand)
{
    check_tokens("ab", "ab");
    check_tokens("abcabc", "abc<3,3>"); /* from the very first byte, up to the last */
    check_tokens("abcxabc", "abcx<3,4>");
    check_tokens("abcabx", "abcabx"); /* two bytes are none */
    check_tokens("aaaaaaaa", "a<7,1>");
    check_tokens("abababababX", "ab<8,2>X");
    /* The nearest of equal ones, and the longest of all. */
    check_tokens("abc1abc2abc3", "abc1<3,4>2<3,4>3");
    check_tokens("abcd1abc2abcd3", "abcd1<3,5>2<4,9>3");
    /* "abc" is put off for "bcde", which is longer by one; not for "bcd". */
    check_tokens("abc1bcde2abcde", "abc1bcde2a<4,6>");
    check_tokens("abc1bcd2abcd", "abc1bcd2<3,8>d");
    /* "abcd" is not put off for "bcde", which is as long. */
    check_tokens("abcd1bcde2abcde", "abcd1<3,4>e2<4,10>e");
    /* What is put off can be put off again. */
    check_tokens("abc1bcde2cdefg3abcdefg", "abc1bcde2<3,4>fg3ab<5,8>");
    /* Bytes inside of a repetition are remembered. */
    check_tokens("abcdeabcde1cde2dea", "abcde<5,5>1<3,4>2<3,12>");
}

/* Ten places are looked at, the latest first: of eleven "abc", the one that goes on with "d" is too far back. */
TEST(ten_places_are_looked_at)
{
    check_tokens("abcd0abc1abc2abc3abc4abc5abc6abc7abc8abc9abcd",
                 "abcd0<3,5>1<3,4>2<3,4>3<3,4>4<3,4>5<3,4>6<3,4>7<3,4>8<3,4>9<4,41>");
    check_tokens("abcd0abc1abc2abc3abc4abc5abc6abc7abc8abc9abc!abcd",
                 "abcd0<3,5>1<3,4>2<3,4>3<3,4>4<3,4>5<3,4>6<3,4>7<3,4>8<3,4>9<3,4>!<3,4>d");
}

/* A repetition of 32 bytes is good enough: one of 33 farther back is not looked for, neither there nor one byte on; of
 * 31 it is. */
TEST(thirty_two_bytes_are_enough)
{
    static const char long_text[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456";
    for (int length = 30; length <= 33; length++) {
        char text[160], want[200];
        snprintf(text, sizeof text, "%s;%.*s:%s", long_text, length, long_text, long_text);
        const bool enough = length >= 32;
        if (enough)
            snprintf(want, sizeof want, "%s;<%d,34>:<%d,%d>%s", long_text, length, length, length + 1,
                     length == 32 ? "6" : "");
        else
            snprintf(want, sizeof want, "%s;<%d,34>:<33,%d>", long_text, length, 35 + length);
        check_tokens(text, want);
    }
}

/* Zeros, and in them four bytes that are repeated `distance` bytes on. */
static const stream *trace_distance(size_t distance)
{
    static uint8_t bytes[40000];
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes + 5, "abcd", 4);
    memcpy(bytes + 5 + distance, "abcd", 4);
    return trace(bytes, 5 + distance + 4);
}

/* The window of 32 KiB: 32767 bytes back is the farthest place. */
TEST(the_window_ends)
{
    static const size_t distances[] = {32765, 32766, 32767, 32768, 32769};
    for (size_t i = 0; i < 5; i++) {
        const stream *s = trace_distance(distances[i]);
        bool found = false;
        for (uint32_t k = 0; k < s->token_count; k++)
            found |= s->tokens[k].distance == distances[i];
        CHECK_INT(found, distances[i] <= 32767);
    }
}

/* Runs: each of up to 258 bytes. */
TEST(lengths_of_runs)
{
    static uint8_t bytes[1200];
    memset(bytes, 'r', sizeof bytes);
    for (size_t size = 1; size <= sizeof bytes; size += size < 530 ? 1 : 97) {
        const stream *s = trace(bytes, size);
        size_t at = 1;
        CHECK(s->tokens[0].distance == 0 && s->tokens[0].value == 'r');
        for (uint32_t i = 1; i < s->token_count; i++) {
            const size_t left = size - at, want = left > 258 ? 258 : left;
            if (left < 3) {
                CHECK(s->tokens[i].distance == 0);
                at++;
                continue;
            }
            CHECK(s->tokens[i].distance == 1);
            CHECK_INT(s->tokens[i].value, want);
            at += want;
        }
        CHECK_INT(at, size);
    }
}

/* ---- codes ---- */

/* Bits of the best code without a limit: the two rarest are joined until one is left. */
static uint64_t huffman_bits(const uint32_t *counts, size_t count)
{
    uint64_t weights[286], sum = 0;
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (counts[i] > 0)
            weights[left++] = counts[i];
    if (left == 1)
        return weights[0];
    while (left > 1) {
        for (size_t k = 0; k < 2; k++) /* the rarest to the end, then the next */
            for (size_t i = 0; i + 1 < left - k; i++)
                if (weights[i] < weights[i + 1]) {
                    const uint64_t swap = weights[i];
                    weights[i] = weights[i + 1], weights[i + 1] = swap;
                }
        weights[left - 2] += weights[left - 1];
        sum += weights[--left - 1];
    }
    return sum;
}

static uint64_t bits_with(const uint8_t *lengths, const uint32_t *counts, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (uint64_t)counts[i] * lengths[i];
    return sum;
}

/* Every pattern of 15 bits has a meaning. */
static void check_complete(const uint8_t *lengths, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += lengths[i] ? 1u << (15 - lengths[i]) : 0;
    CHECK_INT(sum, 1u << 15);
}

/* Runs of zeros are of up to 138, others of up to 6 after one that is told; each as long as it can be. */
static size_t head_symbols(const block *b, uint8_t *out)
{
    uint8_t all[320];
    size_t literals = 286, distances = 30, count = 0;
    while (b->literals[literals - 1] == 0)
        literals--;
    while (distances > 1 && b->distances[distances - 1] == 0)
        distances--;
    memcpy(all, b->literals, literals);
    memcpy(all + literals, b->distances, distances);
    for (size_t i = 0; i < literals + distances;) {
        size_t same = 1;
        while (i + same < literals + distances && all[i + same] == all[i])
            same++;
        if (all[i] == 0 && same >= 3) {
            same = same < 138 ? same : 138;
            out[count++] = same < 11 ? 17 : 18;
        } else if (all[i] != 0 && i > 0 && all[i] == all[i - 1] && same >= 3) {
            same = same < 6 ? same : 6;
            out[count++] = 16;
        } else {
            same = 1;
            out[count++] = all[i];
        }
        i += same;
    }
    return count;
}

/* 14 bits of sizes, three for each length of a code, up to the last that is used in the order of RFC 1951. */
static void check_head(const block *b)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t symbols[320], longest = 0;
    uint32_t counts[19] = {0};
    uint64_t extra = 0, lengths = 19;
    const size_t count = head_symbols(b, symbols);
    CHECK_INT(b->head.count, count);
    CHECK(memcmp(b->head.symbols, symbols, count) == 0);
    check_complete(b->head.lengths, 19);
    for (size_t i = 0; i < count; i++) {
        counts[symbols[i]]++;
        extra += symbols[i] == 16 ? 2 : symbols[i] == 17 ? 3 : symbols[i] == 18 ? 7 : 0;
        longest = b->head.lengths[symbols[i]] > longest ? b->head.lengths[symbols[i]] : longest;
    }
    while (lengths > 4 && b->head.lengths[order[lengths - 1]] == 0)
        lengths--;
    const uint64_t bits = bits_with(b->head.lengths, counts, 19);
    CHECK_INT(b->head.bits, 14 + 3 * lengths + extra + bits);
    CHECK(longest < 7 ? bits == huffman_bits(counts, 19) : longest == 7);
}

/* Blocks of 16384 tokens but for the last, each with the shorter of the two kinds of codes; codes of its own are the
 * best ones, unless 15 bits are not enough. */
static void check_codes(const uint8_t *bytes, size_t size, bool limited)
{
    const stream *s = trace(bytes, size);
    for (uint32_t i = 0; i < s->block_count; i++) {
        const block *b = &s->blocks[i];
        uint8_t fixed[288];
        CHECK(i + 1 == s->block_count ? b->tokens <= TOKENS : b->tokens == TOKENS);
        for (int k = 0; k < 288; k++)
            fixed[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
        const uint64_t literal_bits = huffman_bits(b->literal_counts, 286),
                       distance_bits = huffman_bits(b->distance_counts, 30);
        uint64_t distances = 0;
        for (int k = 0; k < 30; k++)
            distances += b->distance_counts[k];
        const uint64_t fixed_bits = bits_with(fixed, b->literal_counts, 286) + 5 * distances;
        if (b->type == 1) {
            CHECK(fixed_bits < literal_bits + distance_bits + 2286);
            continue;
        }
        CHECK_INT(b->type, 2);
        CHECK(fixed_bits > literal_bits + distance_bits + b->head.bits);
        check_complete(b->literals, 288);
        check_complete(b->distances, 32);
        if (!limited)
            CHECK_INT(bits_with(b->literals, b->literal_counts, 286), literal_bits);
        CHECK_INT(bits_with(b->distances, b->distance_counts, 30), distance_bits);
        check_head(b);
    }
}

TEST(codes_are_the_shortest)
{
    static uint8_t bytes[60000];
    uint32_t seed = 5;
    for (uint32_t kind = 0; kind < 9; kind++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 1664525u + 1013904223u;
            const uint32_t r = seed >> 16;
            bytes[i] = (uint8_t)(kind < 4    ? r % (5u << 2 * kind) /* few values, many */
                                 : kind == 4 ? 90 + (r & 1) + (r >> 1 & 1) + (r >> 2 & 1) + (r >> 3 & 1)
                                 : kind == 5 ? i / 7 % 251
                                 : kind == 6 ? (r & 0x700 ? i % 256 : r)
                                 : kind == 7 ? 7
                                             : (r % 256) * (r % 256) / 300);
        }
        for (size_t size = 20; size <= 20000; size = size * 6 + kind)
            check_codes(bytes, size, false);
        if (kind == 1)
            check_codes(bytes, sizeof bytes, false); /* several blocks */
    }
}

/* Fibonacci's numbers make the longest codes: 23 symbols need 22 bits, 15 are allowed. */
TEST(codes_are_shortened)
{
    static uint8_t bytes[50000];
    size_t at = 0;
    uint32_t seed = 1;
    for (uint32_t value = 0, count = 1, last = 1; value < 20; value++) {
        for (uint32_t i = 0; i < count && at < TOKENS; i++)
            bytes[at++] = (uint8_t)(value * 11);
        const uint32_t next = count + last;
        last = count, count = next;
    }
    for (size_t i = at; i > 1; i--) {
        seed = seed * 1664525u + 1013904223u;
        const size_t k = (seed >> 8) % i;
        const uint8_t swap = bytes[i - 1];
        bytes[i - 1] = bytes[k], bytes[k] = swap;
    }
    check_codes(bytes, at, true);
}

/* Pieces of 32768 bytes but for the last, which has the sum; a refused piece ends nothing else. */
static bool count_piece(void *user, const void *bytes, size_t size)
{
    size_t *sizes = user;
    (void)bytes;
    sizes[sizes[0] + 1] = size;
    return ++sizes[0] < 8;
}

TEST(the_output_comes_in_pieces)
{
    static uint8_t noise[70000];
    size_t sizes[9] = {0};
    uint32_t seed = 9;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
    tl_arena arena;
    tl_sink sink = {.fn = count_piece, .user = sizes};
    tl_arena_init(&arena, NULL);
    CHECK(tl_zlib_write(noise, sizeof noise, &arena, &sink));
    tl_arena_free(&arena);
    CHECK_INT(sizes[0], 3);
    CHECK(sizes[1] == 32768 && sizes[2] == 32768 && sizes[3] > 4000 && sizes[3] < 8000);
}

TEST_MAIN(CASE(one_byte_by_hand), CASE(runs_are_short), CASE(all_lengths_and_distances), CASE(every_small_size),
          CASE(what_lies_behind_does_not_count), CASE(repetitions_by_hand), CASE(ten_places_are_looked_at),
          CASE(thirty_two_bytes_are_enough), CASE(the_window_ends), CASE(lengths_of_runs), CASE(codes_are_the_shortest),
          CASE(codes_are_shortened), CASE(the_output_comes_in_pieces))
