/* Compressed assets: the header, whole files, the files of libdragon's own tools. The codings are tested in
 * test_dca_streams.c. */
#include "container/dca.h"
#include "harness.h"
#include "support/buffer.h"
#include "support/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 64 << 20 };

static void put(buffer *b, const void *bytes, size_t size)
{
    CHECK(size == 0 || buffer_sink(b, bytes, size));
}

static void put_byte(buffer *b, unsigned byte)
{
    put(b, &(uint8_t){(uint8_t)byte}, 1);
}

static void put_be32(buffer *b, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        put_byte(b, value >> shift & 255);
}

static void put_hex(buffer *b, const char *hex)
{
    for (; *hex; hex += 2) {
        unsigned byte;
        CHECK(sscanf(hex, "%2x", &byte) == 1 && hex[1] != '\0');
        put_byte(b, byte);
    }
}

/* A DCA3 file with a generous margin, whose window code says 4 KiB. */
static void put_file(buffer *b, unsigned level, const void *payload, size_t payload_size, size_t size)
{
    put(b, "DCA3", 4);
    put_byte(b, 0);
    put_byte(b, level);
    put_byte(b, 1);
    put_byte(b, 2);
    put_be32(b, (uint32_t)payload_size);
    put_be32(b, (uint32_t)size);
    put_be32(b, 1000);
    put(b, payload, payload_size);
}

typedef struct result {
    bool ok;
    tl_dca_info info;
    trilo_error err;
    buffer out;
} result;

static result decompress(trilo_bytes in, uint64_t limit)
{
    result r = {0};
    meter m = {0};
    tl_arena arena;
    trilo_bytes out;
    const trilo_memory memory = meter_memory(&m, LIMIT);
    tl_arena_init(&arena, &memory);
    r.ok = tl_dca_decompress(&arena, in, limit, &out, &r.info, &r.err);
    CHECK(r.ok == (r.err.code == TRILO_CODE_OK));
    CHECK(r.ok || (out.data == NULL && out.size == 0 && r.err.text[0] != '\0' && r.err.rule[0] != '\0'));
    if (r.ok)
        put(&r.out, out.data, out.size);
    tl_arena_free(&arena);
    CHECK_INT(m.now, 0);
    return r;
}

static void check_same(const buffer *got, const void *want, size_t size)
{
    CHECK_INT(got->size, size);
    CHECK(size == 0 || memcmp(got->data, want, size) == 0);
}

/* --- the table and the header --- */

TEST(table_is_valid)
{
    trilo_error err = {0};
    for (unsigned version = TL_DCA_PREFIX; version <= TL_DCA_5; version++)
        if (!tl_layout_ok(&tl_dca_header_layout, version, &err))
            FAIL("%u: %s", version, err.text);
    CHECK_INT(tl_layout_size(&tl_dca_header_layout, TL_DCA_PREFIX), 4);
    CHECK_INT(tl_layout_size(&tl_dca_header_layout, TL_DCA_3), 20);
    CHECK_INT(tl_layout_size(&tl_dca_header_layout, TL_DCA_5), 5);
}

TEST(rules_are_whole)
{
    for (size_t i = 0; i < TL_DCA_RULE_COUNT; i++) {
        CHECK(tl_dca_rules[i].name && strncmp(tl_dca_rules[i].name, "DCA-", 4) == 0);
        CHECK(tl_dca_rules[i].cause && tl_dca_rules[i].cure);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(tl_dca_rules[i].name, tl_dca_rules[k].name) != 0);
    }
}

TEST(reference_tells_the_header)
{
    buffer text = {0};
    tl_sink sink = {.fn = buffer_sink, .user = &text};
    tl_dca_reference(&sink);
    put_byte(&text, 0);
    CHECK(strstr((const char *)text.data, "compressed_size"));
    buffer_free(&text);
}

static bool probes(const char *text, size_t size)
{
    return tl_dca_probe((trilo_bytes){(const uint8_t *)text, size});
}

TEST(probe_wants_a_digit)
{
    CHECK(probes("DCA3", 4) && probes("DCA5....", 8) && probes("DCA1", 4) && probes("DCA9", 4));
    CHECK(!probes("DCA", 3) && !probes("", 0) && !probes("DCAx", 4) && !probes("dca3", 4) && !probes("T3M\4", 4));
    CHECK(!tl_dca_probe((trilo_bytes){NULL, 0}));
}

TEST(levels_have_names)
{
    CHECK_STR(tl_dca_level_name(1), "LZ4");
    CHECK_STR(tl_dca_level_name(2), "aPLib");
    CHECK_STR(tl_dca_level_name(3), "Shrinkler");
    CHECK_STR(tl_dca_level_name(0), "none");
    CHECK_STR(tl_dca_level_name(4), "none");
    CHECK_STR(tl_dca_level_name(-1), "none");
}

static trilo_error refused(const char *hex)
{
    buffer file = {0};
    trilo_error err = {0};
    tl_dca_info info;
    put_hex(&file, hex);
    CHECK(!tl_dca_read_info((trilo_bytes){file.data, file.size}, &info, &err));
    CHECK(!tl_dca_read_info((trilo_bytes){file.data, file.size}, &info, NULL));
    buffer_free(&file);
    return err;
}

TEST(header_5_is_read)
{
    static const struct {
        const char *hex;
        tl_dca_info info;
    } rows[] = {
        /* The sizes take 1, 1 and 1 byte: 8 in all. Then 2, 1, 1 and a zero. Then 1, 1 and 2 and another zero. */
        {"444341351304032030414243", {5, 1, 8, 4, 3, 32, 2048, 4, 7, 0, 0}},
        {"4443413522840003010030414243", {5, 2, 10, 4, 3, 1, 4096, 4, 8, 0, 0}},
        {"4443413537040385010030414243", {5, 3, 10, 4, 3, 133, 262144, 4, 7, 0, 0}},
    };
    for (size_t i = 0; i < TL_COUNT_OF(rows); i++) {
        buffer file = {0};
        trilo_error err = {0};
        tl_dca_info info;
        put_hex(&file, rows[i].hex);
        if (!tl_dca_read_info((trilo_bytes){file.data, file.size}, &info, &err))
            FAIL("%zu: %s", i, err.text);
        CHECK(memcmp(&info, &rows[i].info, sizeof info) == 0);
        buffer_free(&file);
    }
}

TEST(header_3_is_read)
{
    static const tl_dca_info want = {3, 2, 20, 4, 3, 1000, 4096, 6, 16, 0, 0};
    buffer file = {0};
    trilo_error err = {0};
    tl_dca_info info;
    put_file(&file, 2, "0ABC", 4, 3);
    CHECK(tl_dca_read_info((trilo_bytes){file.data, file.size}, &info, &err));
    CHECK(memcmp(&info, &want, sizeof info) == 0);
    buffer_free(&file);
}

/* Each with the code, the rule and the byte that it is refused with. */
TEST(bad_headers_are_refused)
{
    static const struct {
        const char *hex;
        trilo_code code;
        const char *rule;
        uint64_t offset;
    } rows[] = {
        {"", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 0},
        {"444341", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 0},
        {"54334D04", TRILO_CODE_BAD_VALUE, "DCA-HEADER", 0},
        {"44434158", TRILO_CODE_BAD_VALUE, "DCA-HEADER", 0},
        {"44434131", TRILO_CODE_UNSUPPORTED, "DCA-VERSION", 3},
        {"44434132", TRILO_CODE_UNSUPPORTED, "DCA-VERSION", 3},
        {"44434134", TRILO_CODE_UNSUPPORTED, "DCA-VERSION", 3},
        {"44434136", TRILO_CODE_UNSUPPORTED, "DCA-VERSION", 3},
        {"44434133", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 0},
        {"444341330001010200000001000000010000", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 0},
        {"4443413300000102000000010000000100000000", TRILO_CODE_BAD_VALUE, "DCA-LEVEL", 4},
        {"4443413300040102000000010000000100000000", TRILO_CODE_BAD_VALUE, "DCA-LEVEL", 4},
        /* the payload is one byte short, the whole payload is missing, one byte too many */
        {"4443413300010102000000020000000100000000FF", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 20},
        {"44434133000101027FFFFFFF0000000100000000", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 20},
        {"44434133000101020000000100000001000000001041", TRILO_CODE_BAD_VALUE, "DCA-SIZE", 21},
        {"44434135", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 0},
        {"4443413503010100", TRILO_CODE_BAD_VALUE, "DCA-LEVEL", 4},
        {"4443413513", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 5},
        {"444341351301", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 6},
        {"44434135130180", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 7},
        {"44434135138100", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 7},
        {"444341351381000101", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 9}, /* no padding */
        {"4443413513010100", TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 8},
        {"44434135130101004100", TRILO_CODE_BAD_VALUE, "DCA-SIZE", 9},
        /* 2^32, 64 bits, 65 bits, ten bytes without an end */
        {"4443413513808080801001000000", TRILO_CODE_BAD_VALUE, "DCA-HEADER", 5},
        {"444341351301FFFFFFFFFFFFFFFFFF0100", TRILO_CODE_BAD_VALUE, "DCA-HEADER", 6},
        {"444341351301FFFFFFFFFFFFFFFFFF0300", TRILO_CODE_BAD_VALUE, "DCA-HEADER", 6},
        {"4443413513018080808080808080800200", TRILO_CODE_BAD_VALUE, "DCA-HEADER", 6},
        {"4443413513010180808080808080808080808000", TRILO_CODE_BAD_VALUE, "DCA-HEADER", 7},
    };
    for (size_t i = 0; i < TL_COUNT_OF(rows); i++) {
        const trilo_error err = refused(rows[i].hex);
        if (err.code != rows[i].code || strcmp(err.rule, rows[i].rule) != 0 || err.offset != rows[i].offset)
            FAIL("%s: code %d, %s at %llu: %s", rows[i].hex, (int)err.code, err.rule, (unsigned long long)err.offset,
                 err.text);
    }
}

TEST(varints_go_and_come)
{
    static const uint32_t values[] = {0,       1,       127,        128,        16383,     16384,
                                      2097151, 2097152, 0x0FFFFFFF, 0x10000000, UINT32_MAX};
    static const size_t sizes[] = {1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    for (size_t i = 0; i < TL_COUNT_OF(values); i++) {
        uint8_t bytes[5];
        trilo_error err = {0};
        CHECK_INT(tl_dca_varint_put(bytes, values[i]), sizes[i]);
        tl_reader r = {.base = bytes, .size = sizes[i], .err = &err};
        CHECK_INT(tl_dca_varint_get(&r, "number"), values[i]);
        CHECK(!r.failed && r.at == sizes[i]);
    }
}

/* --- known files --- */

static const char tiny[] = "tiny tiny tiny tiny tiny model!\0\0\0";

TEST(published_vectors_decode)
{
    static const char *const files[] = {
        "4443413300010103000000180000002300000020ab74696e792074696e79200a00a06d6f64656c2100000000",
        "4443413300020103000000130000002300000002740a696e7920055c036d6f64656c218603c000",
        "44434133000301070000001000000023000000008bcb6395984a95d8289e24f337324460",
        "44434135131423205f74696e7920050001a06d6f64656c2100000000",
        "4443413523132302740a696e7920055c036d6f64656c218603c000",
        "44434135331023088bcb6395984a95d8289e24f33732445e",
    };
    CHECK_INT(sizeof tiny, 35);
    for (size_t i = 0; i < TL_COUNT_OF(files); i++) {
        buffer file = {0};
        put_hex(&file, files[i]);
        result r = decompress((trilo_bytes){file.data, file.size}, LIMIT);
        if (!r.ok)
            FAIL("%zu: %s", i, r.err.text);
        CHECK_INT(r.info.version, i < 3 ? 3 : 5);
        CHECK_INT(r.info.level, i % 3 + 1);
        check_same(&r.out, tiny, sizeof tiny);
        CHECK(r.info.margin_needed <= r.info.margin && r.info.window_needed <= r.info.window);
        buffer_free(&r.out);
        buffer_free(&file);
    }
}

static result corpus_file(const char *name)
{
    size_t size;
    uint8_t *bytes = test_read_file(test_corpus(name), &size);
    CHECK(bytes);
    result r = decompress((trilo_bytes){bytes, size}, LIMIT);
    if (!r.ok)
        FAIL("%s: %s", name, r.err.text);
    CHECK_INT(r.info.header_size + r.info.compressed_size, size);
    CHECK_INT(r.info.size, r.out.size);
    free(bytes);
    return r;
}

TEST(corpus_levels_are_the_raw_file)
{
    size_t size;
    uint8_t *raw = test_read_file(test_corpus("dca/cath_raw.t3dm"), &size);
    CHECK(raw);
    for (int level = 1; level <= 3; level++) {
        char name[64];
        snprintf(name, sizeof name, "dca/cath_dca3_level%d.t3dm", level);
        result r = corpus_file(name);
        CHECK_INT(r.info.version, 3);
        CHECK_INT(r.info.level, level);
        check_same(&r.out, raw, size);
        buffer_free(&r.out);
    }
    free(raw);
}

/* libdragon's tools store exactly the margin that level 2 needs: ours must be worked out to the same number. */
TEST(corpus_dca5_are_models)
{
    static const char *const names[] = {"gate", "hand", "stump", "two_cube"};
    for (size_t i = 0; i < TL_COUNT_OF(names); i++) {
        char name[64];
        snprintf(name, sizeof name, "dca/%s_dca5.t3dm", names[i]);
        result r = corpus_file(name);
        CHECK_INT(r.info.version, 5);
        CHECK_INT(r.info.level, 2);
        CHECK(r.out.size > 4 && memcmp(r.out.data, "T3M\4", 4) == 0);
        CHECK_INT(r.info.margin_needed, r.info.margin);
        CHECK(r.info.window_needed <= r.info.window);
        buffer_free(&r.out);
    }
}

/* --- whole files --- */

typedef struct file_row {
    const char *what;
    unsigned level;
    const char *payload; /* hexadecimal */
    size_t size;         /* as the header has it */
    trilo_code code;
    const char *rule;
    uint64_t at; /* in the payload */
} file_row;

static void check_row(const file_row *row)
{
    buffer payload = {0}, file = {0};
    put_hex(&payload, row->payload);
    put_file(&file, row->level, payload.data, payload.size, row->size);
    result r = decompress((trilo_bytes){file.data, file.size}, LIMIT);
    if (r.err.code != row->code || (!r.ok && (strcmp(r.err.rule, row->rule) != 0 || r.err.offset != 20 + row->at)))
        FAIL("%s: code %d, %s at byte %d of the payload: %s", row->what, (int)r.err.code, r.err.rule,
             (int)r.err.offset - 20, r.err.text);
    if (r.ok)
        CHECK_INT(r.out.size, row->size);
    buffer_free(&r.out);
    buffer_free(&payload);
    buffer_free(&file);
}

TEST(streams_must_fit_the_header)
{
    static const file_row rows[] = {
        {"empty, no stream", 1, "", 0, TRILO_CODE_OK, NULL, 0},
        {"empty, no stream", 2, "", 0, TRILO_CODE_OK, NULL, 0},
        {"empty, no stream", 3, "", 0, TRILO_CODE_OK, NULL, 0},
        {"empty, a stream of nothing", 1, "00", 0, TRILO_CODE_OK, NULL, 0},
        {"empty, but a stream", 1, "1041", 0, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 1},
        {"empty, but a stream", 2, "41C000", 0, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 1},
        {"empty, but a stream", 3, "BE70", 0, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 2},
        {"no stream", 1, "", 1, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 0},
        {"no stream", 2, "", 1, TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 0},
        {"no stream", 3, "", 1, TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 0},
        {"good", 1, "30414243", 3, TRILO_CODE_OK, NULL, 0},
        {"good", 2, "41D80300", 4, TRILO_CODE_OK, NULL, 0},
        {"good", 3, "BE69FFFF", 4, TRILO_CODE_OK, NULL, 0},
        {"more than said", 1, "30414243", 2, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 1},
        {"more than said", 2, "41D80300", 3, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 3},
        {"more than said", 3, "BE69FFFF", 3, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
        {"less than said", 1, "30414243", 4, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
        {"less than said", 2, "41D80300", 5, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
        {"less than said", 3, "BE69FFFF", 5, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
        {"more than LZ4 can hold", 1, "30414243", 1021, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 0},
        {"far less than said", 1, "30414243", 1020, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
        {"far less than said", 2, "41D80300", 1 << 20, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
        {"far less than said", 3, "BE69FFFF", 1 << 20, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
        {"before the start", 1, "104102000041", 9, TRILO_CODE_BAD_REF, "DCA-STREAM", 4},
        {"before the start", 2, "41D80500", 9, TRILO_CODE_BAD_REF, "DCA-STREAM", 3},
        {"without an end", 2, "41D8", 9, TRILO_CODE_TRUNCATED, "DCA-TRUNCATED", 2},
        {"a number above 32 bits", 2, "41BFFFFFFFFFFFFFFFFFFFFF", 9, TRILO_CODE_BAD_VALUE, "DCA-STREAM", 10},
        {"bytes behind the end", 2, "41C00000", 1, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 3},
        {"a word behind the end", 3, "BE69FFFFFFFFFFFF", 4, TRILO_CODE_OK, NULL, 0},
        {"two words behind the end", 3, "BE69FFFFFFFFFFFFFFFFFFFF", 4, TRILO_CODE_OK, NULL, 0},
        {"words behind the end", 3, "BE69FFFFFFFFFFFFFFFFFFFFFF", 4, TRILO_CODE_BAD_VALUE, "DCA-SIZE", 4},
    };
    for (size_t i = 0; i < TL_COUNT_OF(rows); i++)
        check_row(&rows[i]);
}

static size_t calls_for(unsigned level, const char *hex, size_t size)
{
    buffer payload = {0}, file = {0};
    meter m = {0};
    tl_arena arena;
    trilo_bytes out;
    trilo_error err = {0};
    const trilo_memory memory = meter_memory(&m, 0);
    put_hex(&payload, hex);
    put_file(&file, level, payload.data, payload.size, size);
    tl_arena_init(&arena, &memory);
    CHECK(!tl_dca_decompress(&arena, (trilo_bytes){file.data, file.size}, UINT64_MAX, &out, NULL, &err));
    CHECK_STR(err.rule, "DCA-SIZE");
    tl_arena_free(&arena);
    buffer_free(&payload);
    buffer_free(&file);
    return m.calls;
}

/* A size that no real file has costs memory only when the payload bears it out. */
TEST(a_size_alone_costs_nothing)
{
    static const char *const payloads[] = {"", "30414243", "41D80300", "BE69FFFF"};
    for (unsigned level = 1; level <= 3; level++) {
        CHECK_INT(calls_for(level, payloads[level], 4 * 32), 1);
        CHECK_INT(calls_for(level, payloads[level], 4 * 32 + 1), 0);
        CHECK_INT(calls_for(level, payloads[level], UINT32_MAX), 0);
    }
}

TEST(limits_hold)
{
    buffer file = {0};
    put_hex(&file, "4443413523132302740a696e7920055c036d6f64656c218603c000");
    const trilo_bytes in = {file.data, file.size};
    result r = decompress(in, 34);
    CHECK_INT(r.err.code, TRILO_CODE_LIMIT);
    CHECK_STR(r.err.rule, "FILE-LIMIT");
    r = decompress(in, 35);
    CHECK(r.ok);
    buffer_free(&r.out);
    buffer_free(&file);
}

/* --- what the console would make of it --- */

static size_t remarks(tl_dca_info info, bool streamed, const char *rule)
{
    tl_report report = {0};
    tl_dca_check(&info, streamed, &report);
    CHECK_STR(report.first.code == TRILO_CODE_OK ? "" : report.first.rule, rule);
    return (size_t)report.first.offset;
}

TEST(broken_promises_are_remarked)
{
    const tl_dca_info good = {5, 2, 10, 100, 200, 8, 2048, 4, 7, 8, 2048};
    tl_dca_info bad = good;
    bad.margin_needed = 9;
    bad.window_needed = 2049;
    remarks(good, false, "");
    remarks(good, true, "");
    CHECK_INT(remarks(bad, false, "DCA-MARGIN"), 7);
    CHECK_INT(remarks(bad, true, "DCA-WINDOW"), 4);
    bad.level = 3;
    remarks(bad, true, "DCA-WINDOW");
    bad.version = 3;
    CHECK_INT(remarks(bad, true, "DCA-STREAMED"), 4);
    remarks((tl_dca_info){0}, false, "");
    remarks((tl_dca_info){0}, true, "");
}

TEST_MAIN(CASE(table_is_valid), CASE(rules_are_whole), CASE(reference_tells_the_header), CASE(probe_wants_a_digit),
          CASE(levels_have_names), CASE(header_5_is_read), CASE(header_3_is_read), CASE(bad_headers_are_refused),
          CASE(varints_go_and_come), CASE(published_vectors_decode), CASE(corpus_levels_are_the_raw_file),
          CASE(corpus_dca5_are_models), CASE(streams_must_fit_the_header), CASE(a_size_alone_costs_nothing),
          CASE(limits_hold), CASE(broken_promises_are_remarked))
