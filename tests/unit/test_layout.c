#include "harness.h"
#include "layout/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const trilo_rule short_rule = {"TEST-SHORT", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};
static const trilo_rule level_rule = {"TEST-LEVEL", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};
static const trilo_rule only_rule = {"TEST-ONLY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};
static const trilo_rule pair_rule = {"TEST-PAIR", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

static tl_reader reader_of(const uint8_t *bytes, size_t size, tl_order order, trilo_error *err)
{
    return (tl_reader){
        .base = bytes, .size = size, .order = order, .max_count = 1000, .truncated = &short_rule, .err = err};
}

/* ---- every kind, in both byte orders ---- */

/* The members stand in another order than the fields, and the fields at odd bytes. */
typedef struct every {
    float real;
    int16_t pair[2];
    uint64_t huge;
    uint8_t tiny;
    int32_t deep;
    uint8_t crumbs[3];
    uint16_t small;
    int16_t low;
    uint32_t plain;
} every;

#define EVERY_ROWS                                                                                                     \
    TL_ROW(every, tiny, TL_U8, 0x00, 0, 0, 0, 0, NULL, "one byte"),                                                    \
        TL_ROW(every, small, TL_U16, 0x01, 0, 0, 0, 0, NULL, "two bytes"),                                             \
        TL_ROW(every, plain, TL_U32, 0x03, 0, 0, 0, 0, NULL, "four bytes"),                                            \
        TL_ROW(every, huge, TL_U64, 0x07, 0, 0, 0, 0, NULL, "eight bytes"),                                            \
        TL_ROW(every, low, TL_S16, 0x0F, 0, 0, 0, 0, NULL, "two bytes with a sign"),                                   \
        TL_ROW(every, deep, TL_S32, 0x11, 0, 0, 0, 0, NULL, "four bytes with a sign"),                                 \
        TL_ROW(every, real, TL_F32, 0x15, 0, 0, 0, 0, NULL, "a float"),                                                \
        TL_ROW(every, crumbs, TL_U8, 0x19, 0, 0, 0, 0, NULL, "three numbers"),                                         \
        TL_ROW(every, pair, TL_S16, 0x1C, 0, 0, 0, 0, NULL, "two numbers")
static const tl_field every_rows[] = {EVERY_ROWS};
static const tl_layout every_little = TL_TABLE("every", TL_LITTLE, every_rows, "All kinds.");
static const tl_layout every_big = TL_TABLE("every", TL_BIG, every_rows, "All kinds.");
enum { EVERY_SIZE = 32 };

static const uint8_t little_bytes[EVERY_SIZE] = {
    0xFE,                                           /* tiny 254 */
    0x23, 0x81,                                     /* small 0x8123 */
    0xEF, 0xCD, 0xAB, 0x89,                         /* plain 0x89ABCDEF */
    0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE, /* huge 0xFEDCBA9876543210 */
    0xFE, 0xFF,                                     /* low -2 */
    0xFD, 0xFF, 0xFF, 0xFF,                         /* deep -3 */
    0x00, 0x00, 0x20, 0xC0,                         /* real -2.5 */
    0x01, 0x02, 0x03,                               /* crumbs */
    0x00, 0x80, 0xFF, 0x7F                          /* pair -32768, 32767 */
};
static const uint8_t big_bytes[EVERY_SIZE] = {
    0xFE,                                           /* tiny */
    0x81, 0x23,                                     /* small */
    0x89, 0xAB, 0xCD, 0xEF,                         /* plain */
    0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10, /* huge */
    0xFF, 0xFE,                                     /* low */
    0xFF, 0xFF, 0xFF, 0xFD,                         /* deep */
    0xC0, 0x20, 0x00, 0x00,                         /* real */
    0x01, 0x02, 0x03,                               /* crumbs */
    0x80, 0x00, 0x7F, 0xFF                          /* pair */
};

static const struct {
    const tl_layout *layout;
    const uint8_t *bytes;
    tl_order order;
} orders[2] = {{&every_little, little_bytes, TL_LITTLE}, {&every_big, big_bytes, TL_BIG}};

static void check_every(const every *e)
{
    CHECK_INT(e->tiny, 254);
    CHECK_INT(e->small, 0x8123);
    CHECK_INT(e->plain, 0x89ABCDEFu);
    CHECK(e->huge == 0xFEDCBA9876543210u);
    CHECK_INT(e->low, -2);
    CHECK_INT(e->deep, -3);
    CHECK(e->real == -2.5f);
    CHECK_INT(e->crumbs[0], 1);
    CHECK_INT(e->crumbs[1], 2);
    CHECK_INT(e->crumbs[2], 3);
    CHECK_INT(e->pair[0], -32768);
    CHECK_INT(e->pair[1], 32767);
}

TEST(widths)
{
    CHECK_INT(tl_kind_width(TL_U8), 1);
    CHECK_INT(tl_kind_width(TL_S8), 1);
    CHECK_INT(tl_kind_width(TL_U16), 2);
    CHECK_INT(tl_kind_width(TL_S16), 2);
    CHECK_INT(tl_kind_width(TL_U32), 4);
    CHECK_INT(tl_kind_width(TL_S32), 4);
    CHECK_INT(tl_kind_width(TL_F32), 4);
    CHECK_INT(tl_kind_width(TL_U64), 8);
    CHECK_INT(tl_layout_size(&every_little, 0), EVERY_SIZE);
    CHECK_INT(tl_layout_size(&every_little, 200), EVERY_SIZE);
}

TEST(reading_every_kind)
{
    for (int i = 0; i < 2; i++) {
        trilo_error err = {0};
        every e;
        uint8_t two[2 * EVERY_SIZE] = {0};
        memcpy(two + EVERY_SIZE, orders[i].bytes, EVERY_SIZE);
        tl_reader r = reader_of(two, sizeof two, orders[i].order, &err);
        memset(&e, 0xEE, sizeof e);
        CHECK(tl_layout_read(&r, orders[i].layout, 0, &e));
        CHECK_INT(r.at, EVERY_SIZE);
        CHECK_INT(e.deep, 0);
        CHECK(tl_layout_read(&r, orders[i].layout, 0, &e));
        CHECK_INT(r.at, 2 * EVERY_SIZE);
        check_every(&e);
        CHECK(!tl_layout_read(&r, orders[i].layout, 0, &e));
    }
}

TEST(loading_and_storing_every_kind)
{
    for (int i = 0; i < 2; i++) {
        every e;
        memset(&e, 0xEE, sizeof e);
        tl_layout_load(orders[i].layout, 0, orders[i].bytes, &e);
        check_every(&e);
        uint8_t out[EVERY_SIZE + 1];
        memset(out, 0xEE, sizeof out);
        tl_layout_store(orders[i].layout, 0, &e, out);
        CHECK(memcmp(out, orders[i].bytes, EVERY_SIZE) == 0);
        CHECK_INT(out[EVERY_SIZE], 0xEE);
        tl_layout_store(orders[1 - i].layout, 0, &e, out); /* the same struct in the other order */
        CHECK(memcmp(out, orders[1 - i].bytes, EVERY_SIZE) == 0);
    }
}

typedef struct signed_bytes {
    int8_t one, three[3];
} signed_bytes;

/* FE is -2; 80, FF and 7F are -128, -1 and 127. */
TEST(bytes_with_a_sign)
{
    static const tl_field rows[] = {TL_ROW(signed_bytes, one, TL_S8, 0x00, 0, 0, -2, 5, &level_rule, "one"),
                                    TL_ROW(signed_bytes, three, TL_S8, 0x01, 0, 0, 0, 0, NULL, "three")};
    static const tl_layout layout = TL_TABLE("signs", TL_BIG, rows, "");
    static const uint8_t bytes[4] = {0xFE, 0x80, 0xFF, 0x7F}, bad[4] = {0xFD, 0, 0, 0};
    trilo_error err = {0};
    signed_bytes back;
    uint8_t out[5] = {0, 0, 0, 0, 0xEE};
    tl_reader r = reader_of(bytes, 4, TL_BIG, &err);
    CHECK(tl_layout_ok(&layout, 0, NULL));
    CHECK_INT(tl_layout_size(&layout, 0), 4);
    CHECK(tl_layout_read(&r, &layout, 0, &back));
    CHECK_INT(back.one, -2);
    CHECK_INT(back.three[0], -128);
    CHECK_INT(back.three[1], -1);
    CHECK_INT(back.three[2], 127);
    tl_layout_store(&layout, 0, &back, out);
    CHECK(memcmp(out, bytes, 4) == 0);
    CHECK_INT(out[4], 0xEE);
    int64_t three[3];
    tl_records_ints(&(tl_records){&layout, 0, bytes, 1}, "three", 0, three);
    CHECK_INT(three[0], -128);
    r = reader_of(bad, 4, TL_BIG, &err);
    CHECK(!tl_layout_read(&r, &layout, 0, &back));
    CHECK_STR(err.text, "-3, must be -2 to 5");
}

/* A not-a-number goes through as the bits it is. */
TEST(floats_keep_their_bits)
{
    for (int i = 0; i < 2; i++) {
        uint8_t bytes[EVERY_SIZE] = {0}, out[EVERY_SIZE];
        tl_put_u32(bytes + 0x15, orders[i].order, 0xFF812345u);
        every e;
        tl_layout_load(orders[i].layout, 0, bytes, &e);
        CHECK_INT(tl_bits_of(e.real), 0xFF812345u);
        tl_layout_store(orders[i].layout, 0, &e, out);
        CHECK(memcmp(out, bytes, EVERY_SIZE) == 0);
    }
}

TEST(truncated_at_every_length)
{
    for (size_t size = 0; size < EVERY_SIZE; size++) {
        uint8_t *bytes = malloc(size + (size == 0)); /* exactly: the sanitizer sees a look behind the end */
        memcpy(bytes, little_bytes, size);
        trilo_error err = {0};
        every e;
        tl_reader r = reader_of(bytes, size, TL_LITTLE, &err);
        tl_path_push(&r.path, "list", 1);
        bool read = tl_layout_read(&r, &every_little, 0, &e);
        free(bytes);
        char want[80];
        snprintf(want, sizeof want, "every takes 32 bytes, but the file ends after %u", (unsigned)size);
        CHECK(!read);
        CHECK(r.failed);
        CHECK_INT(r.at, 0);
        CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
        CHECK_STR(err.rule, "TEST-SHORT");
        CHECK_INT(err.offset, 0);
        CHECK_STR(err.path, "list[1]");
        CHECK_STR(err.text, want);
    }
}

/* ---- ranges ---- */

typedef struct ranged {
    uint8_t level;
    uint16_t only;
    int16_t pair[2];
    uint32_t rest;
} ranged;

static const tl_field ranged_rows[] = {
    TL_ROW(ranged, level, TL_U8, 0x00, 0, 0, 1, 5, &level_rule, "how high"),
    TL_ROW(ranged, only, TL_U16, 0x01, 0, 0, 7, 7, &only_rule, "what"),
    TL_ROW(ranged, pair, TL_S16, 0x03, 0, 0, -10, 10, &pair_rule, "left, right"),
    TL_ROW(ranged, rest, TL_U32, 0x07, 0, 0, 0, 0, NULL, "anything"),
};
static const tl_layout ranged_little = TL_TABLE("ranged", TL_LITTLE, ranged_rows, "A tiny thing.");
static const tl_layout ranged_big = TL_TABLE("ranged", TL_BIG, ranged_rows, "A tiny thing.");
enum { RANGED_SIZE = 11 };

/* Stored behind three other bytes, to tell offsets in the file from offsets in the record. */
static bool read_ranged(const tl_layout *layout, const ranged *value, tl_reader *r, ranged *back, trilo_error *err)
{
    uint8_t bytes[3 + RANGED_SIZE] = {0};
    tl_layout_store(layout, 0, value, bytes + 3);
    *r = reader_of(bytes, sizeof bytes, layout->order, err);
    tl_reader_take(r, "head", 3, 1);
    tl_path_push(&r->path, "things", 4);
    return tl_layout_read(r, layout, 0, back);
}

TEST(values_at_the_ends_of_their_range)
{
    static const ranged good[] = {{1, 7, {-10, 10}, 0}, {5, 7, {10, -10}, UINT32_MAX}, {3, 7, {0, 0}, 1}};
    for (size_t i = 0; i < TL_COUNT_OF(good); i++)
        for (int big = 0; big < 2; big++) {
            ranged back = {0};
            trilo_error err = {0};
            tl_reader r;
            CHECK(read_ranged(big ? &ranged_big : &ranged_little, &good[i], &r, &back, &err));
            CHECK_INT(back.level, good[i].level);
            CHECK_INT(back.only, 7);
            CHECK_INT(back.pair[0], good[i].pair[0]);
            CHECK_INT(back.pair[1], good[i].pair[1]);
            CHECK_INT(back.rest, good[i].rest);
            CHECK_INT(r.at, 3 + RANGED_SIZE);
        }
}

TEST(values_out_of_their_range)
{
    static const struct {
        ranged value;
        trilo_code code;
        const char *rule;
        uint64_t offset;
        const char *path, *text;
    } bad[] = {
        {{0, 7, {0, 0}, 0}, TRILO_CODE_BAD_VALUE, "TEST-LEVEL", 3, "things[4].level", "0, must be 1 to 5"},
        {{6, 7, {0, 0}, 0}, TRILO_CODE_BAD_VALUE, "TEST-LEVEL", 3, "things[4].level", "6, must be 1 to 5"},
        {{1, 6, {0, 0}, 0}, TRILO_CODE_UNSUPPORTED, "TEST-ONLY", 4, "things[4].only", "6, only 7 is known"},
        {{1, 0x700, {0, 0}, 0}, TRILO_CODE_UNSUPPORTED, "TEST-ONLY", 4, "things[4].only", "1792, only 7 is known"},
        {{1, 7, {-11, 0}, 0}, TRILO_CODE_BAD_VALUE, "TEST-PAIR", 6, "things[4].pair[0]", "-11, must be -10 to 10"},
        {{1, 7, {0, 11}, 0}, TRILO_CODE_BAD_VALUE, "TEST-PAIR", 8, "things[4].pair[1]", "11, must be -10 to 10"},
        {{1, 7, {-32768, 11}, 0},
         TRILO_CODE_BAD_VALUE,
         "TEST-PAIR",
         6,
         "things[4].pair[0]",
         "-32768, must be -10 to 10"},
        {{9, 9, {99, 99}, 0}, TRILO_CODE_BAD_VALUE, "TEST-LEVEL", 3, "things[4].level", "9, must be 1 to 5"},
    };
    for (size_t i = 0; i < TL_COUNT_OF(bad); i++)
        for (int big = 0; big < 2; big++) {
            ranged back = {0};
            trilo_error err = {0};
            tl_reader r;
            CHECK(!read_ranged(big ? &ranged_big : &ranged_little, &bad[i].value, &r, &back, &err));
            CHECK(r.failed);
            CHECK_INT(err.code, bad[i].code);
            CHECK_STR(err.rule, bad[i].rule);
            CHECK_INT(err.offset, bad[i].offset);
            CHECK_STR(err.path, bad[i].path);
            CHECK_STR(err.text, bad[i].text);
            CHECK_INT(r.path.depth, 1); /* the field's own step is gone again */
        }
}

/* Only "0 to 0" means any value. */
typedef struct edges {
    uint8_t flag;
    int16_t below;
} edges;
static const tl_field edges_rows[] = {
    TL_ROW(edges, flag, TL_U8, 0x00, 2, 0, 0, 1, &level_rule, "up to 1"),
    TL_ROW(edges, below, TL_S16, 0x01, 2, 0, -5, 0, &pair_rule, "from -5"),
};
static const tl_layout edges_big = TL_TABLE("edges", TL_BIG, edges_rows, "Ranges that touch 0.");

TEST(ranges_that_touch_zero)
{
    static const struct {
        uint8_t bytes[3];
        bool good;
    } cases[] = {
        {{0, 0, 0}, true},    {{1, 0xFF, 0xFB}, true}, {{2, 0, 0}, false},
        {{255, 0, 0}, false}, {{0, 0, 1}, false},      {{0, 0xFF, 0xFA}, false},
    };
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        trilo_error err = {0};
        edges e;
        tl_reader r = reader_of(cases[i].bytes, 3, TL_BIG, &err);
        CHECK_INT(tl_layout_read(&r, &edges_big, 2, &e), cases[i].good);
    }
    CHECK_INT(tl_layout_size(&edges_big, 1), 0); /* a version without the record */
}

TEST(loading_does_not_look_at_ranges)
{
    uint8_t bytes[RANGED_SIZE] = {200, 0x39, 0x30, 0, 0x80, 0xFF, 0x7F, 4, 3, 2, 1};
    ranged back;
    tl_layout_load(&ranged_little, 0, bytes, &back);
    CHECK_INT(back.level, 200);
    CHECK_INT(back.only, 12345);
    CHECK_INT(back.pair[0], -32768);
    CHECK_INT(back.pair[1], 32767);
    CHECK_INT(back.rest, 0x01020304);
}

/* The table's byte order counts, for the ranges as well as for the values, whatever the reader's other numbers are. */
TEST(the_table_knows_its_byte_order)
{
    static const uint8_t bytes[RANGED_SIZE] = {1, 0, 7, 0, 5, 0xFF, 0xFB, 1, 2, 3, 4};
    trilo_error err = {0};
    ranged back = {0};
    tl_reader r = reader_of(bytes, sizeof bytes, TL_LITTLE, &err);
    CHECK(tl_layout_read(&r, &ranged_big, 0, &back));
    CHECK_INT(back.only, 7);
    CHECK_INT(back.pair[0], 5);
    CHECK_INT(back.pair[1], -5);
    CHECK_INT(back.rest, 0x01020304);
}

TEST(a_failed_reader_reads_nothing)
{
    trilo_error err = {0};
    every e;
    memset(&e, 0xEE, sizeof e);
    tl_reader r = reader_of(little_bytes, EVERY_SIZE, TL_LITTLE, &err);
    tl_reader_fail(&r, TRILO_CODE_LIMIT, &level_rule, 1, "before");
    CHECK(!tl_layout_read(&r, &every_little, 0, &e));
    CHECK_INT(e.tiny, 0xEE);
    CHECK_INT(r.at, 0);
    CHECK_STR(err.text, "before");
}

/* ---- versions ---- */

typedef struct grown {
    uint16_t a;
    uint32_t old;
    uint16_t b;
    uint8_t c[2];
} grown;

static const tl_field grown_rows[] = {
    TL_ROW(grown, a, TL_U16, 0x00, 0, 0, 0, 0, NULL, "always there"),
    TL_ROW(grown, old, TL_U32, 0x02, 1, 1, 1, 9, &level_rule, "once"),
    TL_ROW(grown, b, TL_U16, 0x02, 2, 0, 0, 0, NULL, "later"),
    TL_ROW(grown, c, TL_U8, 0x04, 3, 4, 0, 0, NULL, "for a while"),
};
static const tl_layout grown_big = TL_TABLE("grown", TL_BIG, grown_rows, "It changed.");

TEST(rows_have_versions)
{
    static const struct {
        unsigned version;
        bool in[4];
        size_t size;
    } want[] = {
        {0, {true, false, false, false}, 2}, {1, {true, true, false, false}, 6}, {2, {true, false, true, false}, 4},
        {3, {true, false, true, true}, 6},   {4, {true, false, true, true}, 6},  {5, {true, false, true, false}, 4},
    };
    for (size_t i = 0; i < TL_COUNT_OF(want); i++) {
        for (size_t row = 0; row < 4; row++)
            CHECK_INT(tl_field_in(&grown_rows[row], want[i].version), want[i].in[row]);
        CHECK_INT(tl_layout_size(&grown_big, want[i].version), want[i].size);
        CHECK(tl_layout_ok(&grown_big, want[i].version, NULL));
    }
    CHECK(tl_layout_field(&grown_big, 1, "old") == &grown_rows[1]);
    CHECK(tl_layout_field(&grown_big, 2, "old") == NULL);
    CHECK(tl_layout_field(&grown_big, 3, "c") == &grown_rows[3]);
    CHECK(tl_layout_field(&grown_big, 3, "nothing") == NULL);
}

/* Only the rows of the version are read, checked and written; other members stay as they are. */
TEST(versions_read_and_store_their_own_rows)
{
    static const uint8_t bytes[6] = {0, 1, 0, 2, 3, 4};
    trilo_error err = {0};
    grown g = {9, 9, 9, {9, 9}};
    tl_reader r = reader_of(bytes, 6, TL_BIG, &err);
    CHECK(tl_layout_read(&r, &grown_big, 2, &g));
    CHECK_INT(r.at, 4);
    CHECK_INT(g.a, 1);
    CHECK_INT(g.b, 2);
    CHECK_INT(g.old, 9);
    CHECK_INT(g.c[0], 9);
    r = reader_of(bytes, 6, TL_BIG, &err);
    CHECK(tl_layout_read(&r, &grown_big, 4, &g));
    CHECK_INT(g.c[0], 3);
    CHECK_INT(g.c[1], 4);
    r = reader_of(bytes, 6, TL_BIG, &err);
    CHECK(!tl_layout_read(&r, &grown_big, 1, &g)); /* `old` would be 0x00020304, above 9 */
    CHECK_STR(err.path, "old");

    uint8_t out[6];
    memset(out, 0xEE, sizeof out);
    tl_layout_store(&grown_big, 5, &(grown){0x1234, 7, 0x5678, {1, 2}}, out);
    CHECK(memcmp(out, (const uint8_t[]){0x12, 0x34, 0x56, 0x78, 0xEE, 0xEE}, 6) == 0);
    tl_layout_store(&grown_big, 1, &(grown){0x1234, 7, 0x5678, {1, 2}}, out);
    CHECK(memcmp(out, (const uint8_t[]){0x12, 0x34, 0, 0, 0, 7}, 6) == 0);
}

/* ---- writing ---- */

typedef struct collected {
    uint8_t bytes[8192];
    size_t size, calls, refuse_at; /* the call that is refused, from 1; 0: none */
} collected;

static bool collect(void *user, const void *bytes, size_t size)
{
    collected *c = user;
    if (++c->calls == c->refuse_at || size > sizeof c->bytes - c->size)
        return false;
    memcpy(c->bytes + c->size, bytes, size);
    c->size += size;
    return true;
}

TEST(writing_to_a_sink)
{
    every e;
    collected c = {.size = 0};
    tl_sink sink = {collect, &c, false};
    tl_layout_load(&every_big, 0, big_bytes, &e);
    tl_layout_write(&sink, &every_big, 0, &e);
    tl_layout_write(&sink, &every_little, 0, &e);
    CHECK_INT(c.size, 2 * EVERY_SIZE);
    CHECK(memcmp(c.bytes, big_bytes, EVERY_SIZE) == 0);
    CHECK(memcmp(c.bytes + EVERY_SIZE, little_bytes, EVERY_SIZE) == 0);
    CHECK(!sink.refused);
}

/* The first refusal sticks: the sink is not called again. */
TEST(writing_to_a_sink_that_refuses)
{
    every e = {0};
    collected c = {.refuse_at = 1};
    tl_sink sink = {collect, &c, false};
    tl_layout_write(&sink, &every_big, 0, &e);
    tl_layout_write(&sink, &every_big, 0, &e);
    CHECK(sink.refused);
    CHECK_INT(c.calls, 1);
    CHECK_INT(c.size, 0);
}

static void check_reference(const tl_layout *layout, const char *want)
{
    collected c = {.size = 0};
    tl_sink sink = {collect, &c, false};
    tl_layout_reference(layout, &sink);
    CHECK(!sink.refused);
    c.bytes[c.size] = '\0';
    CHECK_STR((const char *)c.bytes, want);
}

/* ---- visiting ---- */

typedef struct visited {
    size_t count;
    const char *names[16];
    trilo_value values[16];
    bool wrong;
} visited;

static void visit_field(void *user, const char *name, const trilo_value *value)
{
    visited *v = user;
    v->names[v->count] = name;
    v->values[v->count++] = *value;
}

static void visit_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    (void)name, (void)count, (void)offset;
    ((visited *)user)->wrong = true;
}

static void visit_record(void *user, const char *name, uint64_t offset)
{
    (void)name, (void)offset;
    ((visited *)user)->wrong = true;
}

static void visit_end(void *user)
{
    ((visited *)user)->wrong = true;
}

static void visit(const tl_layout *layout, unsigned version, const uint8_t *bytes, visited *v)
{
    const trilo_visitor visitor = {v, visit_list, visit_end, visit_record, visit_end, visit_field};
    *v = (visited){0};
    tl_layout_visit(layout, version, bytes, 1000, &visitor);
    CHECK(!v->wrong); /* the record itself is the caller's to tell */
}

TEST(visiting_tells_every_field)
{
    static const struct {
        const char *name;
        trilo_value_kind kind;
        uint32_t count;
        uint64_t offset;
    } want[] = {
        {"tiny", TRILO_VALUE_KIND_UINT, 1, 1000},  {"small", TRILO_VALUE_KIND_UINT, 1, 1001},
        {"plain", TRILO_VALUE_KIND_UINT, 1, 1003}, {"huge", TRILO_VALUE_KIND_UINT, 1, 1007},
        {"low", TRILO_VALUE_KIND_INT, 1, 1015},    {"deep", TRILO_VALUE_KIND_INT, 1, 1017},
        {"real", TRILO_VALUE_KIND_FLOAT, 1, 1021}, {"crumbs", TRILO_VALUE_KIND_UINT, 3, 1025},
        {"pair", TRILO_VALUE_KIND_INT, 2, 1028},
    };
    for (int order = 0; order < 2; order++) {
        visited v;
        visit(orders[order].layout, 0, orders[order].bytes, &v);
        CHECK_INT(v.count, TL_COUNT_OF(want));
        for (size_t i = 0; i < v.count; i++) {
            CHECK_STR(v.names[i], want[i].name);
            CHECK_INT(v.values[i].kind, want[i].kind);
            CHECK_INT(v.values[i].count, want[i].count);
            CHECK_INT(v.values[i].offset, want[i].offset);
        }
        CHECK_INT(v.values[0].as.u[0], 254);
        CHECK_INT(v.values[1].as.u[0], 0x8123);
        CHECK_INT(v.values[2].as.u[0], 0x89ABCDEFu);
        CHECK(v.values[3].as.u[0] == 0xFEDCBA9876543210u);
        CHECK_INT(v.values[4].as.i[0], -2);
        CHECK_INT(v.values[5].as.i[0], -3);
        CHECK(v.values[6].as.f[0] == -2.5f);
        CHECK_INT(v.values[7].as.u[2], 3);
        CHECK_INT(v.values[8].as.i[0], -32768);
        CHECK_INT(v.values[8].as.i[1], 32767);
    }
}

TEST(visiting_a_byte_with_a_sign)
{
    static const tl_field rows[] = {TL_ROW(signed_bytes, one, TL_S8, 0x00, 0, 0, 0, 0, NULL, "signed")};
    static const tl_layout layout = TL_TABLE("signs", TL_LITTLE, rows, "A sign.");
    visited v;
    visit(&layout, 0, (const uint8_t[]){0x9C}, &v);
    CHECK_INT(v.count, 1);
    CHECK_INT(v.values[0].kind, TRILO_VALUE_KIND_INT);
    CHECK_INT(v.values[0].as.i[0], -100);
    check_reference(&layout, "### signs\n\nA sign.\n\n1 bytes.\n\n| at | kind | field | legal | meaning |\n"
                             "| --- | --- | --- | --- | --- |\n| 0x00 | s8 | one | | signed |\n\n");
}

TEST(visiting_tells_the_rows_of_the_version)
{
    static const uint8_t bytes[6] = {0, 1, 0, 2, 3, 4};
    visited v;
    visit(&grown_big, 1, bytes, &v);
    CHECK_INT(v.count, 2);
    CHECK_STR(v.names[1], "old");
    CHECK_INT(v.values[1].as.u[0], 0x00020304);
    visit(&grown_big, 3, bytes, &v);
    CHECK_INT(v.count, 3);
    CHECK_STR(v.names[1], "b");
    CHECK_STR(v.names[2], "c");
    CHECK_INT(v.values[2].as.u[1], 4);
}

/* ---- runs of records ---- */

typedef struct point {
    uint8_t id;
    float at[3];
    int16_t way;
} point;
static const tl_field point_rows[] = {
    TL_ROW(point, id, TL_U8, 0x00, 0, 0, 0, 0, NULL, ""),
    TL_ROW(point, at, TL_F32, 0x01, 0, 0, 0, 0, NULL, ""),
    TL_ROW(point, way, TL_S16, 0x0D, 0, 0, 0, 0, NULL, ""),
};
static const tl_layout point_layouts[2] = {TL_TABLE("point", TL_LITTLE, point_rows, ""),
                                           TL_TABLE("point", TL_BIG, point_rows, "")};
enum { POINT_SIZE = 15, POINTS = 4 };

static void points_fill(const tl_layout *layout, uint8_t *bytes)
{
    for (int i = 0; i < POINTS; i++) {
        const point p = {(uint8_t)(250 + i), {(float)i, (float)i + 0.25f, -(float)i}, (int16_t)(-300 * i)};
        tl_layout_store(layout, 0, &p, bytes + POINT_SIZE * i);
    }
}

TEST(floats_of_all_records)
{
    for (int order = 0; order < 2; order++) {
        uint8_t bytes[POINTS * POINT_SIZE];
        points_fill(&point_layouts[order], bytes);
        const tl_records records = {&point_layouts[order], 0, bytes, POINTS};
        float packed[POINTS * 3 + 1], wide[POINTS * 4];
        packed[POINTS * 3] = 77;
        for (int i = 0; i < POINTS * 4; i++)
            wide[i] = 77;
        tl_records_floats(&records, "at", packed, 3);
        tl_records_floats(&records, "at", wide, 4);
        for (int i = 0; i < POINTS; i++) {
            const float want[3] = {(float)i, (float)i + 0.25f, -(float)i};
            CHECK(memcmp(packed + 3 * i, want, sizeof want) == 0);
            CHECK(wide[4 * i] == want[0] && wide[4 * i + 1] == want[1] && wide[4 * i + 2] == want[2]);
            CHECK(wide[4 * i + 3] == 77); /* between the records nothing is written */
        }
        CHECK(packed[POINTS * 3] == 77);
        tl_records_floats(&(tl_records){&point_layouts[order], 0, NULL, 0}, "at", packed, 3);
        CHECK(packed[3] == 1.0f);
    }
}

/* Like its struct, so that records may be loaded as blocks of 16 bytes; version 0 has 20 bytes, version 1 has 24. */
typedef struct block {
    uint32_t first;
    int16_t pair[2];
    float real;
    uint16_t small;
    int8_t sign;
    uint8_t tiny[5];
    uint16_t late[2];
} block;
#define BLOCK_ROWS                                                                                                     \
    TL_ROW(block, first, TL_U32, 0, 0, 0, 0, 0, NULL, ""), TL_ROW(block, pair, TL_S16, 4, 0, 0, 0, 0, NULL, ""),       \
        TL_ROW(block, real, TL_F32, 8, 0, 0, 0, 0, NULL, ""), TL_ROW(block, small, TL_U16, 12, 0, 0, 0, 0, NULL, ""),  \
        TL_ROW(block, sign, TL_S8, 14, 0, 0, 0, 0, NULL, ""), TL_ROW(block, tiny, TL_U8, 15, 0, 0, 0, 0, NULL, ""),    \
        TL_ROW(block, late, TL_U16, 20, 1, 0, 0, 0, NULL, "")
/* 20 bytes whose last 16 have only half of a number. */
typedef struct across {
    uint64_t wide;
    uint32_t rest[3];
} across;
static const tl_field block_rows[] = {BLOCK_ROWS};
static const tl_field across_rows[] = {TL_ROW(across, wide, TL_U64, 0, 0, 0, 0, 0, NULL, ""),
                                       TL_ROW(across, rest, TL_U32, 8, 0, 0, 0, 0, NULL, "")};

/* All records at once against one by one. */
TEST(records_are_loaded_as_one_is)
{
    const tl_layout layouts[] = {every_little,
                                 every_big,
                                 point_layouts[0],
                                 point_layouts[1],
                                 TL_TABLE("block", TL_LITTLE, block_rows, ""),
                                 TL_TABLE("block", TL_BIG, block_rows, ""),
                                 TL_TABLE("across", TL_BIG, across_rows, "")};
    enum { ROOM = 48, RECORDS = 5 };
    for (size_t i = 0; i < 2 * TL_COUNT_OF(layouts); i++) {
        const tl_layout *layout = &layouts[i / 2];
        const unsigned version = (unsigned)i % 2;
        const size_t size = tl_layout_size(layout, version);
        uint8_t *bytes = malloc(RECORDS * size), all[RECORDS][ROOM], one[RECORDS][ROOM];
        CHECK(bytes && size <= ROOM);
        for (size_t k = 0; k < RECORDS * size; k++)
            bytes[k] = (uint8_t)(37 * k + 11);
        memset(all, 0x55, sizeof all);
        memset(one, 0x55, sizeof one);
        tl_records_load(&(tl_records){layout, version, bytes, RECORDS}, all, ROOM);
        for (size_t k = 0; k < RECORDS; k++)
            tl_layout_load(layout, version, bytes + k * size, one[k]);
        CHECK(memcmp(all, one, sizeof all) == 0);
        free(bytes);
    }
}

TEST(whole_numbers_of_one_record)
{
    for (int order = 0; order < 2; order++) {
        uint8_t bytes[POINTS * POINT_SIZE];
        points_fill(&point_layouts[order], bytes);
        const tl_records records = {&point_layouts[order], 0, bytes, POINTS};
        for (int i = 0; i < POINTS; i++) {
            int64_t out[2] = {77, 77};
            tl_records_ints(&records, "way", (size_t)i, out);
            CHECK_INT(out[0], -300 * i);
            CHECK_INT(out[1], 77);
            tl_records_ints(&records, "id", (size_t)i, out);
            CHECK_INT(out[0], 250 + i);
        }
        const tl_records all = {orders[order].layout, 0, orders[order].bytes, 1};
        int64_t three[3];
        tl_records_ints(&all, "crumbs", 0, three);
        CHECK_INT(three[0], 1);
        CHECK_INT(three[2], 3);
        tl_records_ints(&all, "deep", 0, three);
        CHECK_INT(three[0], -3);
        tl_records_ints(&all, "plain", 0, three);
        CHECK_INT(three[0], 0x89ABCDEFu);
    }
}

/* ---- the reference ---- */

TEST(reference_of_a_table)
{
    check_reference(&ranged_little, "### ranged\n"
                                    "\n"
                                    "A tiny thing.\n"
                                    "\n"
                                    "11 bytes.\n"
                                    "\n"
                                    "| at | kind | field | legal | meaning |\n"
                                    "| --- | --- | --- | --- | --- |\n"
                                    "| 0x00 | u8 | level | 1 to 5 | how high |\n"
                                    "| 0x01 | u16 | only | 7 | what |\n"
                                    "| 0x03 | s16[2] | pair | -10 to 10 | left, right |\n"
                                    "| 0x07 | u32 | rest | | anything |\n"
                                    "\n");
    check_reference(&every_big, "### every\n"
                                "\n"
                                "All kinds.\n"
                                "\n"
                                "32 bytes.\n"
                                "\n"
                                "| at | kind | field | legal | meaning |\n"
                                "| --- | --- | --- | --- | --- |\n"
                                "| 0x00 | u8 | tiny | | one byte |\n"
                                "| 0x01 | u16 | small | | two bytes |\n"
                                "| 0x03 | u32 | plain | | four bytes |\n"
                                "| 0x07 | u64 | huge | | eight bytes |\n"
                                "| 0x0F | s16 | low | | two bytes with a sign |\n"
                                "| 0x11 | s32 | deep | | four bytes with a sign |\n"
                                "| 0x15 | f32 | real | | a float |\n"
                                "| 0x19 | u8[3] | crumbs | | three numbers |\n"
                                "| 0x1C | s16[2] | pair | | two numbers |\n"
                                "\n");
}

TEST(reference_of_a_table_with_versions)
{
    check_reference(&grown_big, "### grown\n"
                                "\n"
                                "It changed.\n"
                                "\n"
                                "| at | kind | field | version | legal | meaning |\n"
                                "| --- | --- | --- | --- | --- | --- |\n"
                                "| 0x00 | u16 | a | all | | always there |\n"
                                "| 0x02 | u32 | old | 1 | 1 to 9 | once |\n"
                                "| 0x02 | u16 | b | 2 and later | | later |\n"
                                "| 0x04 | u8[2] | c | 3 to 4 | | for a while |\n"
                                "\n");
}

TEST(reference_of_rows_that_came_later)
{
    check_reference(&edges_big, "### edges\n"
                                "\n"
                                "Ranges that touch 0.\n"
                                "\n"
                                "| at | kind | field | version | legal | meaning |\n"
                                "| --- | --- | --- | --- | --- | --- |\n"
                                "| 0x00 | u8 | flag | 2 and later | 0 to 1 | up to 1 |\n"
                                "| 0x01 | s16 | below | 2 and later | -5 to 0 | from -5 |\n"
                                "\n");
    static const tl_field until_rows[] = {TL_ROW(edges, flag, TL_U8, 0x00, 0, 3, 0, 0, NULL, "gone")};
    static const tl_layout until = TL_TABLE("until", TL_BIG, until_rows, "No more.");
    check_reference(&until, "### until\n"
                            "\n"
                            "No more.\n"
                            "\n"
                            "| at | kind | field | version | legal | meaning |\n"
                            "| --- | --- | --- | --- | --- | --- |\n"
                            "| 0x00 | u8 | flag | up to 3 | | gone |\n"
                            "\n");
}

/* Explanations may be long; none may be cut, least of all in the middle of a row. */
TEST(reference_of_long_explanations)
{
    char meaning[1001], want[4096];
    memset(meaning, 'm', 1000);
    meaning[1000] = '\0';
    const tl_field rows[] = {{"a", TL_U8, 1, 0, 0, 0, 0, 0, 0, NULL, meaning}};
    const tl_layout layout = TL_TABLE("long", TL_BIG, rows, meaning);
    snprintf(want, sizeof want,
             "### long\n\n%s\n\n1 bytes.\n\n| at | kind | field | legal | meaning |\n"
             "| --- | --- | --- | --- | --- |\n| 0x00 | u8 | a | | %s |\n\n",
             meaning, meaning);
    check_reference(&layout, want);
}

TEST(reference_to_a_sink_that_refuses)
{
    collected c = {.refuse_at = 3};
    tl_sink sink = {collect, &c, false};
    tl_layout_reference(&every_big, &sink);
    CHECK(sink.refused);
    CHECK_INT(c.calls, 3);
}

/* ---- sound tables ---- */

#define ROW(name, kind, count, at)                                                                                     \
    {                                                                                                                  \
        name, kind, count, at, 0, 0, 0, 0, 0, NULL, ""                                                                 \
    }

static bool sound(const tl_field *rows, size_t count, trilo_error *err)
{
    const tl_layout layout = {"odd", "", TL_BIG, rows, count};
    return tl_layout_ok(&layout, 0, err);
}

TEST(valid_tables)
{
    trilo_error err = {0};
    CHECK(tl_layout_ok(&every_little, 0, &err));
    CHECK(tl_layout_ok(&ranged_big, 0, &err));
    const tl_field out_of_order[] = {ROW("b", TL_U32, 2, 2), ROW("a", TL_U16, 1, 0)};
    CHECK(sound(out_of_order, 2, &err));
    CHECK_INT(err.code, TRILO_CODE_OK);
}

TEST(a_gap_is_seen)
{
    trilo_error err = {0};
    const tl_field middle[] = {ROW("a", TL_U16, 1, 0), ROW("b", TL_U32, 1, 4)};
    CHECK(!sound(middle, 2, &err));
    CHECK(err.code != TRILO_CODE_OK);
    CHECK_INT(err.offset, 2);
    CHECK_STR(err.text, "odd: no row starts at byte 2");
    const tl_field start[] = {ROW("a", TL_U16, 1, 1)};
    CHECK(!sound(start, 1, &err));
    CHECK_INT(err.offset, 0);
    CHECK(!sound(start, 1, NULL));
}

TEST(an_overlap_is_seen)
{
    const tl_field inside[] = {ROW("a", TL_U32, 1, 0), ROW("b", TL_U16, 1, 1)};
    const tl_field same_place[] = {ROW("a", TL_U32, 1, 0), ROW("b", TL_U32, 1, 0)};
    const tl_field longer[] = {ROW("a", TL_U32, 1, 0), ROW("b", TL_U32, 1, 2)};
    const tl_field by_count[] = {ROW("a", TL_U8, 3, 0), ROW("b", TL_U8, 1, 2), ROW("c", TL_U8, 1, 3)};
    const tl_field bridged[] = {ROW("a", TL_U16, 1, 0), ROW("b", TL_U16, 1, 1), ROW("c", TL_U16, 1, 2)};
    trilo_error err = {0};
    CHECK(!sound(inside, 2, &err));
    CHECK(strstr(err.text, "overlap") != NULL);
    CHECK(!sound(same_place, 2, NULL));
    CHECK(!sound(longer, 2, NULL));
    CHECK(!sound(by_count, 3, NULL));
    CHECK(!sound(bridged, 3, NULL));
}

TEST(a_double_name_is_seen)
{
    trilo_error err = {0};
    const tl_field rows[] = {ROW("a", TL_U16, 1, 0), ROW("b", TL_U8, 2, 2), ROW("a", TL_U32, 1, 4)};
    CHECK(!sound(rows, 3, &err));
    CHECK_INT(err.offset, 4);
    CHECK_STR(err.text, "odd: two rows named a");
}

/* Unsound in one version only. */
TEST(each_version_is_proved_by_itself)
{
    const tl_field rows[] = {
        {"a", TL_U16, 1, 0, 0, 0, 0, 0, 0, NULL, ""},
        {"b", TL_U16, 1, 2, 0, 0, 3, 0, 0, NULL, ""},
        {"c", TL_U16, 1, 4, 0, 0, 0, 0, 0, NULL, ""},
        {"d", TL_U16, 1, 2, 0, 3, 0, 0, 0, NULL, ""},
    };
    const tl_layout layout = {"odd", "", TL_BIG, rows, 4};
    trilo_error err = {0};
    CHECK(tl_layout_ok(&layout, 2, &err));  /* a b c */
    CHECK(!tl_layout_ok(&layout, 3, &err)); /* a b c d */
    CHECK(strstr(err.text, "overlap") != NULL);
    CHECK(tl_layout_ok(&layout, 4, &err)); /* a d c */
}

TEST(an_empty_table_is_not_valid)
{
    CHECK(!sound(every_rows, 0, NULL));
}

/* layout.h allows 1 to 16 numbers in a field: what visitors are told has room for 16. */
TEST(counts_out_of_bounds_are_seen)
{
    const tl_field most[] = {ROW("a", TL_U8, 16, 0)};
    const tl_field too_many[] = {ROW("a", TL_U8, 17, 0)};
    const tl_field none_last[] = {ROW("a", TL_U8, 1, 0), ROW("b", TL_U8, 0, 1)};
    const tl_field none_first[] = {ROW("b", TL_U8, 0, 0), ROW("a", TL_U8, 1, 0)};
    CHECK(sound(most, 1, NULL));
    CHECK(!sound(too_many, 1, NULL));
    CHECK(!sound(none_last, 2, NULL));
    CHECK(!sound(none_first, 2, NULL));
}

/* 3 * 16 * 8 = 384 bytes in one record. */
typedef struct large {
    uint64_t a[16], b[16], c[16];
} large;

TEST(writing_a_large_record)
{
    static const tl_field rows[] = {
        TL_ROW(large, a, TL_U64, 0x00, 0, 0, 0, 0, NULL, ""),
        TL_ROW(large, b, TL_U64, 0x80, 0, 0, 0, 0, NULL, ""),
        TL_ROW(large, c, TL_U64, 0x100, 0, 0, 0, 0, NULL, ""),
    };
    static const tl_layout layout = TL_TABLE("large", TL_BIG, rows, "");
    large l = {{1}, {2}, {3}};
    l.c[15] = 0x0102030405060708u;
    collected c = {.size = 0};
    tl_sink sink = {collect, &c, false};
    tl_layout_write(&sink, &layout, 0, &l);
    CHECK_INT(c.size, 384);
    CHECK_INT(c.bytes[7], 1);
    CHECK_INT(c.bytes[0x87], 2);
    CHECK_INT(c.bytes[0x107], 3);
    CHECK(memcmp(c.bytes + 376, (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 8) == 0);
}

/* All records at once give what each gives alone. */
TEST(records_load_as_single_ones_do)
{
    enum { COUNT = 5 };
    const tl_layout *const layouts[2] = {&every_little, &every_big};
    uint8_t bytes[COUNT * EVERY_SIZE];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37 + i / 7);
    for (int k = 0; k < 2; k++) {
        every all[COUNT], one[COUNT];
        memset(all, 0, sizeof all);
        memset(one, 0, sizeof one);
        tl_records_load(&(tl_records){layouts[k], 0, bytes, COUNT}, all, sizeof all[0]);
        for (size_t i = 0; i < COUNT; i++)
            tl_layout_load(layouts[k], 0, bytes + i * EVERY_SIZE, &one[i]);
        CHECK(memcmp(all, one, sizeof all) == 0);
    }
}

TEST_MAIN(CASE(records_load_as_single_ones_do), CASE(widths), CASE(reading_every_kind),
          CASE(loading_and_storing_every_kind), CASE(bytes_with_a_sign), CASE(floats_keep_their_bits),
          CASE(truncated_at_every_length), CASE(values_at_the_ends_of_their_range), CASE(values_out_of_their_range),
          CASE(ranges_that_touch_zero), CASE(loading_does_not_look_at_ranges), CASE(the_table_knows_its_byte_order),
          CASE(a_failed_reader_reads_nothing), CASE(rows_have_versions), CASE(versions_read_and_store_their_own_rows),
          CASE(writing_to_a_sink), CASE(writing_to_a_sink_that_refuses), CASE(visiting_tells_every_field),
          CASE(visiting_tells_the_rows_of_the_version), CASE(visiting_a_byte_with_a_sign), CASE(floats_of_all_records),
          CASE(records_are_loaded_as_one_is), CASE(whole_numbers_of_one_record), CASE(reference_of_a_table),
          CASE(reference_of_a_table_with_versions), CASE(reference_of_rows_that_came_later),
          CASE(reference_of_long_explanations), CASE(reference_to_a_sink_that_refuses), CASE(valid_tables),
          CASE(a_gap_is_seen), CASE(an_overlap_is_seen), CASE(a_double_name_is_seen),
          CASE(each_version_is_proved_by_itself), CASE(an_empty_table_is_not_valid),
          CASE(counts_out_of_bounds_are_seen), CASE(writing_a_large_record))
