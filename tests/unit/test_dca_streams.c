/* The three codings of compressed assets: streams worked out by hand, and long ones of random tokens from encoders that
 * are written here, symbol by symbol, so that every kind of token is met at every kind of place. */
#include "container/dca_stream.h"
#include "harness.h"
#include "support/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(buffer *b, const void *bytes, size_t size)
{
    CHECK(size == 0 || buffer_sink(b, bytes, size));
}

static void put_byte(buffer *b, unsigned byte)
{
    put(b, &(uint8_t){(uint8_t)byte}, 1);
}

static void put_hex(buffer *b, const char *hex)
{
    for (; *hex; hex += 2) {
        unsigned byte;
        CHECK(sscanf(hex, "%2x", &byte) == 1 && hex[1] != '\0');
        put_byte(b, byte);
    }
}

static void check_same(const uint8_t *got, const buffer *want)
{
    for (size_t i = 0; i < want->size; i++)
        if (got[i] != want->data[i])
            FAIL("byte %zu of %zu is %02x, not %02x", i, want->size, got[i], want->data[i]);
}

/* Decodes into exactly as much room as there should be; then once more without any. */
static tl_dca_stream decode(tl_dca_decode_fn *fn, const buffer *payload, size_t size, tl_dca_end want, uint8_t **out)
{
    *out = malloc(size ? size : 1);
    CHECK(*out);
    tl_dca_stream s = {.in = payload->data, .in_size = payload->size, .out = *out, .size = size}, dry = s;
    dry.out = NULL;
    const tl_dca_end end = fn(&s);
    if (end != want)
        FAIL("%zu bytes from %02x... end with %d at %zu, not with %d", s.in_size, s.in_size ? s.in[0] : 0u, (int)end,
             s.at, (int)want);
    CHECK_INT(fn(&dry), want);
    CHECK(s.at == dry.at && s.written == dry.written && s.lead == dry.lead && s.farthest == dry.farthest);
    CHECK(s.written <= size);
    return s;
}

/* --- by hand --- */

typedef struct stream_row {
    const char *payload, *out; /* hexadecimal; out NULL: refused */
    tl_dca_end end;
    size_t size, at; /* the room, and how far it got, when it is refused */
} stream_row;

static void check_row(tl_dca_decode_fn *fn, const stream_row *row)
{
    buffer payload = {0}, want = {0};
    put_hex(&payload, row->payload);
    put_hex(&want, row->out ? row->out : "");
    uint8_t *out;
    const tl_dca_stream s =
        decode(fn, &payload, row->out ? want.size : row->size, row->out ? TL_DCA_ENDED : row->end, &out);
    if (row->out) {
        CHECK_INT(s.written, want.size);
        check_same(out, &want);
    } else {
        CHECK_INT(s.at, row->at);
    }
    free(out);
    buffer_free(&payload);
    buffer_free(&want);
}

#define CHECK_ROWS(fn, rows)                                                                                           \
    for (size_t i = 0; i < sizeof(rows) / sizeof((rows)[0]); i++)                                                      \
    check_row(fn, &(rows)[i])

TEST(lz4_by_hand)
{
    static const stream_row rows[] = {
        {.payload = "30414243", .out = "414243"},               /* literals alone */
        {.payload = "00", .out = ""},                           /* nothing */
        {.payload = "1441010000", .out = "414141414141414141"}, /* a match of 8 that feeds on itself */
        {.payload = "20414202001043", .out = "41424142414243"}, /* a match of 4, a literal at the end */
        {.payload = "F000000102030405060708090A0B0C0D0E", .out = "000102030405060708090A0B0C0D0E"}, /* 15 + 0 */
        {.payload = "F001000102030405060708090A0B0C0D0E0F", .out = "000102030405060708090A0B0C0D0E0F"},
        /* an offset of 0, before the start, of half a number */
        {.payload = "104100000041", .end = TL_DCA_BEFORE, .size = 9, .at = 4},
        {.payload = "104102000041", .end = TL_DCA_BEFORE, .size = 9, .at = 4},
        {.payload = "0001000041", .end = TL_DCA_BEFORE, .size = 9, .at = 3},
        {.payload = "104101", .end = TL_DCA_CUT, .size = 9, .at = 3},
        /* no token, more literals than there are, lengths that do not end */
        {.payload = "", .end = TL_DCA_CUT, .size = 9, .at = 0},
        {.payload = "4041", .end = TL_DCA_CUT, .size = 9, .at = 2},
        {.payload = "F0", .end = TL_DCA_CUT, .size = 15, .at = 1},
        {.payload = "F0FFFF", .end = TL_DCA_CUT, .size = 700, .at = 3},
        {.payload = "1F410100FF", .end = TL_DCA_CUT, .size = 300, .at = 5},
        /* ends with a match */
        {.payload = "14410100", .end = TL_DCA_CUT, .size = 9, .at = 4},
        /* too much for the room */
        {.payload = "30414243", .end = TL_DCA_FULL, .size = 2, .at = 1},
        {.payload = "1441010000", .end = TL_DCA_FULL, .size = 8, .at = 4},
    };
    CHECK_ROWS(tl_dca_lz4, rows);
}

/* A and a match that repeats it, then nothing more. */
static void check_run(const char *hex, size_t size, int64_t lead)
{
    buffer payload = {0};
    put_hex(&payload, hex);
    uint8_t *out;
    const tl_dca_stream s = decode(tl_dca_lz4, &payload, size, TL_DCA_ENDED, &out);
    for (size_t i = 0; i < size; i++)
        CHECK_INT(out[i], 'A');
    CHECK_INT(s.written, size);
    CHECK_INT(s.farthest, 1);
    CHECK_INT(s.lead, lead);
    free(out);
    buffer_free(&payload);
}

TEST(lz4_lengths_go_on)
{
    check_run("1E41010000", 1 + 14 + 4, 19 - 4);
    check_run("1F4101000000", 1 + 15 + 4, 20 - 5);
    check_run("1F410100FE00", 1 + 15 + 254 + 4, 274 - 5);
    check_run("1F410100FF0000", 1 + 15 + 255 + 4, 275 - 6);
    check_run("1F410100FFFF0100", 1 + 15 + 255 + 255 + 1 + 4, 531 - 7);
}

/* Bits are written from the highest; bytes between them stand where the cursor is when they are wanted. */
TEST(aplib_by_hand)
{
    static const stream_row rows[] = {
        {.payload = "41C000", .out = "41"},                 /* A, 110 end */
        {.payload = "41D80300", .out = "41414141"},         /* A, 110: 3 from 1 back, 110 end */
        {.payload = "417242E18000", .out = "41424100"},     /* A, 0 B, 111: from 2 back, 111: zero, 110 end */
        {.payload = "415142028000", .out = "414241424142"}, /* A, 0 B, 10: h 3, 2 back, 2 + 2 long, 110 end */
        /* A, 0 B, 10: h 3, 2 back, 2 + 2 long, 0 C, 10: h 2, so again, 2 long, 110 end */
        {.payload = "4150420243830000", .out = "414241424142434243"},
        /* no end, no byte for a literal or an offset, nothing */
        {.payload = "", .end = TL_DCA_CUT, .size = 9, .at = 0},
        {.payload = "41", .end = TL_DCA_CUT, .size = 9, .at = 1},
        {.payload = "4100", .end = TL_DCA_CUT, .size = 9, .at = 2},
        {.payload = "41C0", .end = TL_DCA_CUT, .size = 9, .at = 2},
        {.payload = "41D803", .end = TL_DCA_CUT, .size = 9, .at = 3},
        {.payload = "41074243444546", .end = TL_DCA_CUT, .size = 9, .at = 7}, /* A to F, 111 without its bits */
        {.payload = "410F42434445", .end = TL_DCA_CUT, .size = 9, .at = 6},   /* A to E, 111 with one of four */
        {.payload = "41BFFF", .end = TL_DCA_CUT, .size = 9, .at = 3},
        /* 0 back, before the start, again without a first time, one byte from before the start */
        {.payload = "41D80100", .end = TL_DCA_BEFORE, .size = 9, .at = 3},
        {.payload = "41D80500", .end = TL_DCA_BEFORE, .size = 9, .at = 3},
        {.payload = "418000", .end = TL_DCA_BEFORE, .size = 9, .at = 2},
        {.payload = "41FE00", .end = TL_DCA_BEFORE, .size = 9, .at = 2},
        /* numbers of more than 32 bits: the high part of an offset, a length */
        {.payload = "41BFFFFFFFFFFFFFFFFFFFFF", .end = TL_DCA_HUGE, .size = 9, .at = 10},
        {.payload = "41A701FFFFFFFFFFFFFFFFFF", .end = TL_DCA_HUGE, .size = 9, .at = 11},
        /* too much for the room */
        {.payload = "41C000", .end = TL_DCA_FULL, .size = 0, .at = 1},
        {.payload = "41D80300", .end = TL_DCA_FULL, .size = 3, .at = 3},
        {.payload = "417242E18000", .end = TL_DCA_FULL, .size = 3, .at = 4},
    };
    CHECK_ROWS(tl_dca_aplib, rows);
}

/* As long as contexts are fresh, each answer halves the interval: it is one bit of the payload, turned round. The
 * reader takes words, hence the places. */
TEST(shrinkler_by_hand)
{
    static const stream_row rows[] = {
        /* A, 01000001: 10111110; a match: 0; not again: 1; offset number 2, the end: 1 1 */
        {.payload = "BE70", .out = "41"},
        {.payload = "BE700000", .out = "41"},
        /* A; a match: 0; not again: 1; offset number 3: 1 0; length number 3: 1 0; a match: 0; then contexts are used,
         * but ones answer 0 to all that the end asks */
        {.payload = "BE69FFFF", .out = "41414141"},
        /* A, and zeroes that were never there: a match, again, and a length without an end */
        {.payload = "BE", .end = TL_DCA_CUT, .size = 9, .at = 8},
        /* A; a match: 0; again: 0, for the first time; length number 2: 1 1 */
        {.payload = "BE3FFFFF", .end = TL_DCA_BEFORE, .size = 9, .at = 4},
        /* A; a match: 0; not again: 1; offset number 4 (2 bits): 0 1 1 1: 2 back; length number 2: 1 1 */
        {.payload = "BE5F", .end = TL_DCA_BEFORE, .size = 9, .at = 4},
        /* too much for the room */
        {.payload = "BE70", .end = TL_DCA_FULL, .size = 0, .at = 4},
        {.payload = "BE69FFFF", .end = TL_DCA_FULL, .size = 3, .at = 4},
    };
    CHECK_ROWS(tl_dca_shrinkler, rows);
}

/* --- copying --- */

/* Every offset and length around the chunk size, with every bit of room behind it. */
TEST(matches_copy_like_bytes_do)
{
    uint8_t got[128], want[128];
    for (size_t offset = 1; offset <= 24; offset++)
        for (size_t length = 1; length <= 40; length++)
            for (size_t spare = 0; spare <= 20; spare++) {
                for (size_t i = 0; i < 24; i++)
                    want[i] = got[i] = (uint8_t)(i * 7 + 1);
                memset(got + 24, 0xEE, sizeof got - 24);
                for (size_t i = 24; i < 24 + length; i++)
                    want[i] = want[i - offset];
                tl_dca_stream s = {.out = got, .size = 24 + length + spare, .written = 24};
                CHECK_INT(tl_dca_copy(&s, offset, length), TL_DCA_GOING);
                CHECK(memcmp(got, want, 24 + length) == 0);
                CHECK(s.written == 24 + length && s.farthest == offset);
                for (size_t i = s.size; i < sizeof got; i++)
                    CHECK_INT(got[i], 0xEE);
            }
}

/* --- random tokens --- */

typedef struct dice {
    uint32_t state;
} dice;

static uint32_t roll(dice *d, uint32_t sides)
{
    d->state = d->state * 1664525u + 1013904223u;
    return (d->state >> 8) % sides;
}

/* Mostly small, sometimes large: its number of bits is what is rolled. */
static uint32_t roll_size(dice *d, uint32_t most)
{
    const uint32_t value = 1 + roll(d, 1u << roll(d, 17));
    return value < most ? value : most;
}

static void plain_copy(buffer *out, size_t offset, size_t length)
{
    for (; length > 0; length--)
        put_byte(out, out->data[out->size - offset]);
}

static void check_stream(tl_dca_decode_fn *fn, const buffer *payload, const buffer *want)
{
    uint8_t *out;
    const tl_dca_stream s = decode(fn, payload, want->size, TL_DCA_ENDED, &out);
    CHECK_INT(s.written, want->size);
    CHECK(fn == tl_dca_shrinkler ? s.at + 8 >= payload->size : s.at == payload->size);
    check_same(out, want);
    free(out);
}

static void put_more(buffer *b, size_t value)
{
    for (; value >= 255; value -= 255)
        put_byte(b, 255);
    put_byte(b, (unsigned)value);
}

TEST(lz4_random)
{
    for (uint32_t seed = 0; seed < 4; seed++) {
        dice d = {seed};
        buffer payload = {0}, want = {0};
        while (want.size < 15000) {
            const size_t literals = roll(&d, 3) ? roll(&d, 20) : roll_size(&d, 600);
            const size_t length = 4 + (roll(&d, 3) ? roll(&d, 20) : roll_size(&d, 2000));
            put_byte(&payload, (unsigned)((literals < 15 ? literals : 15) << 4 | (length < 19 ? length - 4 : 15)));
            if (literals >= 15)
                put_more(&payload, literals - 15);
            for (size_t i = 0; i < literals; i++) {
                const unsigned byte = roll(&d, 256);
                put_byte(&payload, byte);
                put_byte(&want, byte);
            }
            if (want.size == 0) /* a match needs something */
                payload.size = 0;
            if (want.size == 0)
                continue;
            const size_t offset = roll_size(&d, (uint32_t)want.size);
            put_byte(&payload, offset & 255);
            put_byte(&payload, (unsigned)(offset >> 8));
            if (length >= 19)
                put_more(&payload, length - 19);
            plain_copy(&want, offset, length);
        }
        put_byte(&payload, 0x10);
        put_byte(&payload, 'Z');
        put_byte(&want, 'Z');
        check_stream(tl_dca_lz4, &payload, &want);
        buffer_free(&payload);
        buffer_free(&want);
    }
}

/* Bits go into the tag byte that was begun last; it is begun when the first bit needs it. */
typedef struct aplib_writer {
    buffer payload, want;
    size_t tag_at, last;
    unsigned bits;
    bool after_literal;
} aplib_writer;

static void aplib_bit(aplib_writer *w, unsigned bit)
{
    if (w->bits == 0) {
        w->tag_at = w->payload.size;
        put_byte(&w->payload, 0);
        w->bits = 8;
    }
    w->bits--;
    w->payload.data[w->tag_at] |= (uint8_t)(bit << w->bits);
}

static void aplib_bits(aplib_writer *w, const char *bits)
{
    for (; *bits; bits++)
        aplib_bit(w, *bits == '1');
}

static void aplib_gamma(aplib_writer *w, size_t value)
{
    int top = 0;
    while (value >> (top + 1) != 0)
        top++;
    for (int i = top - 1; i >= 0; i--) {
        aplib_bit(w, (unsigned)(value >> i & 1));
        aplib_bit(w, i > 0);
    }
}

static void aplib_literal(aplib_writer *w, unsigned byte)
{
    aplib_bits(w, "0");
    put_byte(&w->payload, byte);
    put_byte(&w->want, byte);
    w->after_literal = true;
}

static void aplib_near(aplib_writer *w, unsigned offset)
{
    aplib_bits(w, "111");
    for (int i = 3; i >= 0; i--)
        aplib_bit(w, offset >> i & 1);
    put_byte(&w->want, offset ? w->want.data[w->want.size - offset] : 0);
    w->after_literal = true;
}

static void aplib_short(aplib_writer *w, size_t offset, size_t length)
{
    aplib_bits(w, "110");
    put_byte(&w->payload, (unsigned)(offset << 1 | (length - 2)));
    plain_copy(&w->want, offset, length);
    w->last = offset;
    w->after_literal = false;
}

/* `length` is the number that is stored; the offset makes it longer. */
static void aplib_long(aplib_writer *w, size_t offset, size_t length)
{
    aplib_bits(w, "10");
    aplib_gamma(w, (offset >> 8) + (w->after_literal ? 3 : 2));
    put_byte(&w->payload, offset & 255);
    aplib_gamma(w, length);
    length += offset < 128 || offset >= 32000 ? 2 : offset >= 1280 ? 1 : 0;
    plain_copy(&w->want, offset, length);
    w->last = offset;
    w->after_literal = false;
}

static void aplib_again(aplib_writer *w, size_t length)
{
    aplib_bits(w, "10");
    aplib_gamma(w, 2);
    aplib_gamma(w, length);
    plain_copy(&w->want, w->last, length);
    w->after_literal = false;
}

static void aplib_begin(aplib_writer *w)
{
    *w = (aplib_writer){.after_literal = true};
    put_byte(&w->payload, 'S');
    put_byte(&w->want, 'S');
}

static void aplib_finish(aplib_writer *w)
{
    aplib_bits(w, "110");
    put_byte(&w->payload, 0);
    check_stream(tl_dca_aplib, &w->payload, &w->want);
    buffer_free(&w->payload);
    buffer_free(&w->want);
}

TEST(aplib_random)
{
    for (uint32_t seed = 0; seed < 4; seed++) {
        dice d = {seed};
        aplib_writer w;
        aplib_begin(&w);
        while (w.want.size < 40000) {
            const uint32_t have = (uint32_t)w.want.size, kind = roll(&d, 12);
            if (kind < 4)
                aplib_literal(&w, roll(&d, 256));
            else if (kind < 6)
                aplib_near(&w, roll(&d, have < 15 ? have + 1 : 16));
            else if (kind < 8)
                aplib_short(&w, roll_size(&d, have < 127 ? have : 127), 2 + roll(&d, 2));
            else if (kind < 10 && w.after_literal && w.last != 0)
                aplib_again(&w, 1 + roll_size(&d, 300));
            else
                aplib_long(&w, roll_size(&d, have), 1 + roll_size(&d, 300));
        }
        aplib_finish(&w);
    }
}

/* What a length means changes at these offsets. */
TEST(aplib_offsets_lengthen)
{
    static const size_t offsets[] = {1, 127, 128, 255, 256, 1279, 1280, 31999, 32000, 32255, 65536};
    aplib_writer w;
    aplib_begin(&w);
    for (uint32_t i = 0; i < 66000; i++)
        aplib_literal(&w, i * i >> 5 & 255);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        aplib_long(&w, offsets[i], 2); /* once behind a match, once behind a literal */
        aplib_literal(&w, 'x');
        aplib_long(&w, offsets[i], 3);
    }
    aplib_finish(&w);
}

/* One bit in a byte, so that a carry can walk back through them. */
typedef struct shrinkler_writer {
    buffer bits, want;
    uint32_t low, size;
    uint16_t odds[1025];
    size_t last;
    bool after_match;
} shrinkler_writer;

static void shrinkler_emit(shrinkler_writer *w)
{
    put_byte(&w->bits, w->low >> 15 & 1);
    w->low = w->low << 1 & 0xFFFF;
}

static void shrinkler_bit(shrinkler_writer *w, unsigned context, unsigned bit)
{
    const uint32_t odds = w->odds[context], split = w->size * odds >> 16;
    w->odds[context] = (uint16_t)(bit ? odds + 0xFFF - (odds >> 4) : odds - (odds >> 4));
    w->low += bit ? 0 : split;
    w->size = bit ? split : w->size - split;
    if (w->low > 0xFFFF) {
        size_t i = w->bits.size;
        while (w->bits.data[--i] == 1)
            w->bits.data[i] = 0;
        w->bits.data[i] = 1;
        w->low &= 0xFFFF;
    }
    for (; w->size < 0x8000; w->size <<= 1)
        shrinkler_emit(w);
}

static void shrinkler_number(shrinkler_writer *w, unsigned base, size_t value)
{
    unsigned bits = 0;
    for (; value >> (bits + 2) != 0; bits++)
        shrinkler_bit(w, base + 2 * bits + 2, 1);
    shrinkler_bit(w, base + 2 * bits + 2, 0);
    for (unsigned i = bits + 1; i-- > 0;)
        shrinkler_bit(w, base + 2 * i + 1, value >> i & 1);
}

static unsigned shrinkler_base(const shrinkler_writer *w)
{
    return 1 + 256 * (unsigned)(w->want.size & 1);
}

static void shrinkler_literal(shrinkler_writer *w, unsigned byte)
{
    unsigned node = 1;
    if (w->want.size > 0)
        shrinkler_bit(w, shrinkler_base(w), 0);
    for (int i = 7; i >= 0; i--) {
        const unsigned bit = byte >> i & 1;
        shrinkler_bit(w, shrinkler_base(w) + node, bit);
        node = node << 1 | bit;
    }
    put_byte(&w->want, byte);
    w->after_match = false;
}

/* Offset 0: the last one again. */
static void shrinkler_match(shrinkler_writer *w, size_t offset, size_t length)
{
    shrinkler_bit(w, shrinkler_base(w), 1);
    if (!w->after_match)
        shrinkler_bit(w, 0, offset == 0);
    if (offset != 0) {
        shrinkler_number(w, 513, offset + 2);
        w->last = offset;
    }
    shrinkler_number(w, 769, length);
    plain_copy(&w->want, w->last, length);
    w->after_match = true;
}

static void shrinkler_begin(shrinkler_writer *w)
{
    *w = (shrinkler_writer){.size = 0x8000};
    for (size_t i = 0; i < 1025; i++)
        w->odds[i] = 0x8000;
}

/* The end, all of the low bound so that nothing behind matters, and bytes of the bits but the first. */
static void shrinkler_finish(shrinkler_writer *w)
{
    buffer payload = {0};
    shrinkler_bit(w, shrinkler_base(w), 1);
    if (!w->after_match)
        shrinkler_bit(w, 0, 0);
    shrinkler_number(w, 513, 2);
    for (int i = 0; i < 16; i++)
        shrinkler_emit(w);
    CHECK_INT(w->bits.data[0], 0);
    for (size_t i = 1; i < w->bits.size; i++) {
        if (i % 8 == 1)
            put_byte(&payload, 0);
        payload.data[payload.size - 1] |= (uint8_t)(w->bits.data[i] << (7 - (i - 1) % 8));
    }
    check_stream(tl_dca_shrinkler, &payload, &w->want);
    /* A console reads on behind the payload and finds anything there. */
    put_hex(&payload, "FFFFFFFF");
    check_stream(tl_dca_shrinkler, &payload, &w->want);
    buffer_free(&payload);
    buffer_free(&w->bits);
    buffer_free(&w->want);
}

TEST(shrinkler_random)
{
    for (uint32_t seed = 0; seed < 4; seed++) {
        dice d = {seed};
        shrinkler_writer w;
        shrinkler_begin(&w);
        shrinkler_literal(&w, roll(&d, 256));
        while (w.want.size < 15000) {
            const uint32_t kind = roll(&d, 8);
            if (kind < 4)
                shrinkler_literal(&w, roll(&d, 256) & (w.want.size & 1 ? 3 : 255));
            else if (kind < 6 && !w.after_match && w.last != 0)
                shrinkler_match(&w, 0, 1 + roll_size(&d, 300));
            else
                shrinkler_match(&w, roll_size(&d, (uint32_t)w.want.size), 1 + roll_size(&d, 300));
        }
        shrinkler_finish(&w);
    }
}

/* Thousands of bytes in a few bits: the odds run into their stops, on both sides. */
TEST(shrinkler_sure_of_itself)
{
    for (unsigned byte = 0; byte < 256; byte += 255) {
        shrinkler_writer w;
        shrinkler_begin(&w);
        for (int i = 0; i < 6000; i++)
            shrinkler_literal(&w, byte);
        CHECK(w.bits.size < 6000);
        shrinkler_literal(&w, 0x5A);
        shrinkler_match(&w, 3, 9000);
        shrinkler_finish(&w);
    }
}

TEST_MAIN(CASE(lz4_by_hand), CASE(lz4_lengths_go_on), CASE(aplib_by_hand), CASE(shrinkler_by_hand),
          CASE(matches_copy_like_bytes_do), CASE(lz4_random), CASE(aplib_random), CASE(aplib_offsets_lengthen),
          CASE(shrinkler_random), CASE(shrinkler_sure_of_itself))
