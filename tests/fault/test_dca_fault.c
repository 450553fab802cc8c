/* Compressed assets cut, flipped and starved of memory: always a clean refusal or a whole file. Run under the
 * sanitizers, which see what goes unnoticed here. */
#include "container/dca.h"
#include "harness.h"
#include "support/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20, SMALL = 8192, ORDINARY = 32 };

/* The same 35 bytes in all levels and both containers, then 3 KB of A in levels 1 to 3: A, and one long match. */
static const char *const files[] = {
    "4443413300010103000000180000002300000020ab74696e792074696e79200a00a06d6f64656c2100000000",
    "4443413300020103000000130000002300000002740a696e7920055c036d6f64656c218603c000",
    "44434133000301070000001000000023000000008bcb6395984a95d8289e24f337324460",
    "44434135131423205f74696e7920050001a06d6f64656c2100000000",
    "4443413523132302740a696e7920055c036d6f64656c218603c000",
    "44434135331023088bcb6395984a95d8289e24f33732445e",
    "4443413513128a1620001f410100ffffffffffffffffffffff001041",
    "4443413523078816200041a701d55db000",
    "44434135330788162000be60033e1807e0",
};
enum { FILE_COUNT = sizeof files / sizeof files[0] };

static uint8_t *make(const char *hex, size_t *size)
{
    *size = strlen(hex) / 2;
    uint8_t *bytes = malloc(*size);
    CHECK(bytes);
    for (size_t i = 0; i < *size; i++) {
        unsigned byte;
        CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1);
        bytes[i] = (uint8_t)byte;
    }
    return bytes;
}

/* One try; what must hold whatever the bytes are. */
static trilo_code attempt(const uint8_t *bytes, size_t size, meter *m, size_t max_bytes)
{
    tl_arena arena;
    trilo_error err = {0};
    tl_dca_info info;
    trilo_bytes out;
    const trilo_memory memory = meter_memory(m, max_bytes);
    tl_arena_init(&arena, &memory);
    const bool ok = tl_dca_decompress(&arena, (trilo_bytes){bytes, size}, LIMIT, &out, &info, &err);
    CHECK(ok == (err.code == TRILO_CODE_OK));
    if (ok) {
        CHECK(out.size == info.size && out.size <= LIMIT && (out.data || out.size == 0));
        CHECK(m->peak <= SMALL + out.size);
    } else {
        CHECK(out.data == NULL && err.text[0] != '\0' && err.rule[0] != '\0');
        CHECK(err.offset <= size || err.offset == TRILO_NOWHERE);
        /* A refusal costs no more than a plausible size does. */
        CHECK(m->peak <= SMALL + ORDINARY * size);
    }
    tl_arena_free(&arena);
    CHECK_INT(m->now, 0);
    return err.code;
}

static void cut_everywhere(const uint8_t *bytes, size_t size)
{
    for (size_t length = 0; length < size; length++) {
        /* A copy of that size, so that a sanitizer sees a read behind it. */
        uint8_t *cut = malloc(length ? length : 1);
        meter m = {0};
        CHECK(cut);
        memcpy(cut, bytes, length);
        CHECK_INT(attempt(cut, length, &m, 0), TRILO_CODE_TRUNCATED);
        CHECK_INT(m.calls, 0);
        free(cut);
    }
}

/* The header of a DCA3 file agrees with the cut: now it is the stream that has no end. */
static void cut_payload_everywhere(const uint8_t *bytes, size_t size)
{
    enum { HEADER = 20, COMPRESSED_SIZE_AT = 8, LEVEL_AT = 5 };
    for (size_t length = HEADER; length < size; length++) {
        uint8_t *cut = malloc(length);
        meter m = {0};
        CHECK(cut);
        memcpy(cut, bytes, length);
        for (int i = 0; i < 4; i++)
            cut[COMPRESSED_SIZE_AT + i] = (uint8_t)((length - HEADER) >> (24 - 8 * i));
        const trilo_code code = attempt(cut, length, &m, 0);
        if (cut[LEVEL_AT] == 2)
            CHECK_INT(code, TRILO_CODE_TRUNCATED);
        else if (cut[LEVEL_AT] == 1)
            CHECK(code == TRILO_CODE_TRUNCATED ||
                  code == TRILO_CODE_BAD_VALUE); /* literals may be the last by chance */
        free(cut);
    }
}

static void flip_everywhere(uint8_t *bytes, size_t size, size_t step, size_t *refusals)
{
    static const uint8_t patterns[] = {0xFF, 0x01, 0x80, 0x7F};
    for (size_t at = 0; at < size; at += step)
        for (size_t k = 0; k < sizeof patterns; k++) {
            meter m = {0};
            bytes[at] ^= patterns[k];
            *refusals += attempt(bytes, size, &m, 0) != TRILO_CODE_OK;
            bytes[at] ^= patterns[k];
        }
}

static void starve(const uint8_t *bytes, size_t size)
{
    size_t n = 1;
    for (;; n++) {
        meter m = {.fail_at = n};
        const trilo_code code = attempt(bytes, size, &m, 0);
        if (m.calls < n) {
            CHECK_INT(code, TRILO_CODE_OK);
            break;
        }
        CHECK_INT(code, TRILO_CODE_NO_MEMORY);
    }
    CHECK(n > 1);
    size_t limit = 1;
    for (meter m = {0}; attempt(bytes, size, &m, limit) != TRILO_CODE_OK; m = (meter){0})
        CHECK(++limit <= SMALL + LIMIT);
    CHECK(limit > 1);
}

static void torture(uint8_t *bytes, size_t size, size_t step)
{
    meter m = {0};
    size_t refusals = 0;
    CHECK_INT(attempt(bytes, size, &m, 0), TRILO_CODE_OK);
    cut_everywhere(bytes, size);
    flip_everywhere(bytes, size, step, &refusals);
    CHECK(refusals > 0);
}

TEST(small_files_survive)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        size_t size;
        uint8_t *bytes = make(files[i], &size);
        torture(bytes, size, 1);
        starve(bytes, size);
        if (bytes[3] == '3')
            cut_payload_everywhere(bytes, size);
        free(bytes);
    }
}

/* Two bytes at once, in every place of the payload: streams that go wrong late. */
TEST(pairs_of_bytes_survive)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        size_t size, refusals = 0;
        uint8_t *bytes = make(files[i], &size);
        for (size_t at = 4; at < size; at++) {
            bytes[at] ^= 0x55;
            flip_everywhere(bytes, size, 1, &refusals);
            bytes[at] ^= 0x55;
        }
        CHECK(refusals > 0);
        free(bytes);
    }
}

static void with_corpus(const char *name, size_t step)
{
    size_t size;
    uint8_t *bytes = test_read_file(test_corpus(name), &size);
    CHECK(bytes);
    torture(bytes, size, test_rounds(1, TEST_EMULATED ? 5 : 1) * step);
    free(bytes);
}

TEST(corpus_survives)
{
    with_corpus("dca/two_cube_dca5.t3dm", 1);
    with_corpus("dca/stump_dca5.t3dm", 5);
    with_corpus("dca/cath_dca3_level1.t3dm", 31);
    with_corpus("dca/cath_dca3_level2.t3dm", 31);
    with_corpus("dca/cath_dca3_level3.t3dm", 61);
}

TEST_MAIN(CASE(small_files_survive), CASE(pairs_of_bytes_survive), CASE(corpus_survives))
