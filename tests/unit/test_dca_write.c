/* Compressing: what is written decompresses to the same bytes, by our decoder and by a plain one, also in place. */
#include "base/bytes.h"
#include "container/dca.h"
#include "harness.h"
#include "support/exercise.h"

#include <stdlib.h>
#include <string.h>

static tl_arena arena;

/* Skips the test where there is no liblz4. */
static trilo_bytes compress(const uint8_t *bytes, size_t size, int version)
{
    trilo_error err = {0};
    trilo_bytes out;
    tl_arena_init(&arena, NULL);
    if (tl_dca_compress_lz4(&arena, (trilo_bytes){bytes, size}, version, &out, &err))
        return out;
    if (err.code != TRILO_CODE_UNSUPPORTED)
        FAIL("%s", err.text);
    CHECK_STR(err.rule, "DCA-NO-LZ4");
    CHECK(out.data == NULL && out.size == 0 && err.text[0] != '\0');
    tl_arena_free(&arena);
    SKIP("built without liblz4");
}

/* As the console does: the payload lies at the end of the output's own buffer, which is longer by the margin. */
static void check_in_place(trilo_bytes file, const tl_dca_info *info, const uint8_t *want)
{
    const size_t room = (size_t)info->size + info->margin, start = room - info->compressed_size;
    CHECK(room >= info->compressed_size);
    uint8_t *b = malloc(room + 1);
    CHECK(b);
    memcpy(b + start, file.data + info->header_size, info->compressed_size);
    size_t at = start, to = 0;
    for (;;) {
        const unsigned token = b[at++];
        size_t count = token >> 4, length = token & 15;
        for (unsigned more = count == 15 ? 255 : 0; more == 255; count += more)
            more = b[at++];
        for (; count > 0; count--)
            b[to++] = b[at++];
        if (at == room)
            break;
        const size_t offset = b[at] | (size_t)b[at + 1] << 8;
        at += 2;
        for (unsigned more = length == 15 ? 255 : 0; more == 255; length += more)
            more = b[at++];
        for (length += 4; length > 0; length--, to++)
            b[to] = b[to - offset];
        CHECK(at < room && to <= at);
    }
    CHECK_INT(to, info->size);
    CHECK(to == 0 || memcmp(b, want, to) == 0);
    free(b);
}

static size_t round_trip(const uint8_t *bytes, size_t size, int version)
{
    tl_dca_info info;
    trilo_error err = {0};
    trilo_bytes back;
    const trilo_bytes file = compress(bytes, size, version);
    if (!tl_dca_decompress(&arena, file, size, &back, &info, &err))
        FAIL("%zu bytes: %s", size, err.text);
    CHECK_INT(back.size, size);
    CHECK(size == 0 || memcmp(back.data, bytes, size) == 0);
    CHECK(info.version == version && info.level == 1 && info.size == size);
    CHECK_INT(info.header_size % 2, 0);
    CHECK_INT(info.margin, info.compressed_size / 256 + 32);
    CHECK(info.margin_needed <= info.margin && info.window_needed <= info.window);
    CHECK(info.window == 2048 || info.window / 2 < info.window_needed);
    check_in_place(file, &info, bytes);
    const size_t result = file.size;
    tl_arena_free(&arena);
    return result;
}

enum { MEGABYTE = 1 << 20 };

/* 0: zeroes, 1: noise, 2: short periods, 3: noise that comes again after 60 KB, 4: text-like */
static void fill(uint8_t *bytes, size_t size, int pattern)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        const uint8_t noise = (uint8_t)(state >> 24);
        switch (pattern) {
        case 0:
            bytes[i] = 0;
            break;
        case 1:
            bytes[i] = noise;
            break;
        case 2:
            bytes[i] = (uint8_t)(i % 7 * i % 5);
            break;
        case 3:
            bytes[i] = i < 60000 ? noise : bytes[i - 60000];
            break;
        default:
            bytes[i] = noise < 200 || i < 100 ? (uint8_t)('a' + noise % 7) : bytes[i - 1 - noise % 100];
        }
    }
}

TEST(everything_comes_back)
{
    static const size_t sizes[] = {0, 1, 2, 4, 5, 12, 13, 15, 16, 31, 64, 100, 255, 256, 1000, 4096, 70000, MEGABYTE};
    static uint8_t bytes[MEGABYTE];
    for (int pattern = 0; pattern < 5; pattern++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            fill(bytes, sizes[i], pattern);
            round_trip(bytes, sizes[i], 3);
            round_trip(bytes, sizes[i], 5);
        }
    fill(bytes, MEGABYTE, 0);
    CHECK(round_trip(bytes, MEGABYTE, 3) < 5000);
    fill(bytes, MEGABYTE, 1);
    CHECK(round_trip(bytes, MEGABYTE, 3) < MEGABYTE + MEGABYTE / 200);
}

/* The header byte by byte. */
TEST(headers_are_as_published)
{
    static const char tiny[] = "tiny tiny tiny tiny tiny model!\0\0\0";
    static const uint8_t head_3[] = {'D', 'C', 'A', '3', 0, 1, 1, 3, 0, 0, 0, 20, 0, 0, 0, 35, 0, 0, 0, 32};
    static const uint8_t head_5[] = {'D', 'C', 'A', '5', 0x13, 20, 35, 32};
    trilo_bytes file = compress((const uint8_t *)tiny, sizeof tiny, 3);
    CHECK_INT(file.size, sizeof head_3 + 20);
    CHECK(memcmp(file.data, head_3, sizeof head_3) == 0);
    tl_arena_free(&arena);
    file = compress((const uint8_t *)tiny, sizeof tiny, 5);
    CHECK_INT(file.size, sizeof head_5 + 20);
    CHECK(memcmp(file.data, head_5, sizeof head_5) == 0);
    tl_arena_free(&arena);
}

TEST(windows_are_as_small_as_they_can_be)
{
    static const struct {
        size_t distance;
        uint32_t window;
    } rows[] = {{1000, 2048}, {2048, 2048}, {2049, 4096}, {9000, 16384}, {30000, 32768}, {60000, 65536}};
    static uint8_t bytes[61000];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tl_dca_info info;
        trilo_error err = {0};
        fill(bytes, sizeof bytes, 1);
        memcpy(bytes + rows[i].distance, bytes, 500);
        const trilo_bytes file = compress(bytes, rows[i].distance + 1000, 5);
        CHECK(tl_dca_read_info(file, &info, &err));
        CHECK_INT(info.window, rows[i].window);
        tl_arena_free(&arena);
    }
}

TEST(the_same_comes_out_each_time)
{
    static uint8_t bytes[50000], first[60000];
    fill(bytes, sizeof bytes, 4);
    trilo_bytes file = compress(bytes, sizeof bytes, 5);
    const size_t size = file.size;
    CHECK(size <= sizeof first);
    memcpy(first, file.data, size);
    tl_arena_free(&arena);
    file = compress(bytes, sizeof bytes, 5);
    CHECK(file.size == size && memcmp(file.data, first, size) == 0);
    tl_arena_free(&arena);
}

TEST(other_versions_are_no_choice)
{
    static const int versions[] = {0, 1, 2, 4, 6, -3};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        trilo_error err = {0};
        trilo_bytes out;
        tl_arena_init(&arena, NULL);
        CHECK(!tl_dca_compress_lz4(&arena, (trilo_bytes){(const uint8_t *)"x", 1}, versions[i], &out, &err));
        CHECK_INT(err.code, TRILO_CODE_MISUSE);
        CHECK_STR(err.rule, "CALL-MISUSE");
        tl_arena_free(&arena);
    }
}

TEST(memory_may_run_out)
{
    static const uint8_t byte = 'x';
    compress(&byte, 1, 3);
    tl_arena_free(&arena);
    for (size_t n = 1;; n++) {
        meter m = {.fail_at = n};
        trilo_error err = {0};
        trilo_bytes out;
        const trilo_memory memory = meter_memory(&m, 0);
        tl_arena_init(&arena, &memory);
        const bool ok = tl_dca_compress_lz4(&arena, (trilo_bytes){&byte, 1}, 3, &out, &err);
        CHECK(ok || err.code == TRILO_CODE_NO_MEMORY);
        tl_arena_free(&arena);
        CHECK_INT(m.now, 0);
        if (m.calls < n)
            break;
        CHECK(!ok && n < 10);
    }
}

TEST_MAIN(CASE(everything_comes_back), CASE(headers_are_as_published), CASE(windows_are_as_small_as_they_can_be),
          CASE(the_same_comes_out_each_time), CASE(other_versions_are_no_choice), CASE(memory_may_run_out))
