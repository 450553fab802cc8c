/* Any bytes as a compressed asset, and as its payload. A container must fit its payload to the byte, which no fuzzer
 * finds by chance: what does not begin like one gets a header, of which its first byte chooses the level and the next
 * three the size. */
#include "container/dca.h"
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/exercise.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 16, SMALL = 8192, ORDINARY = 32, CHOICE = 4, HEADER = 20, ROUND_TRIP_MOST = 256 };

static void try_file(const uint8_t *data, size_t size)
{
    meter m = {0};
    tl_arena arena;
    trilo_error err = {0};
    tl_dca_info info;
    trilo_bytes out;
    tl_report report = {0};
    const trilo_memory memory = meter_memory(&m, 2 * LIMIT);
    tl_arena_init(&arena, &memory);
    if (tl_dca_decompress(&arena, (trilo_bytes){data, size}, LIMIT, &out, &info, &err)) {
        CHECK(out.size == info.size && out.size <= LIMIT && m.peak <= SMALL + out.size);
        CHECK(info.window_needed <= out.size && info.margin_needed <= info.compressed_size);
        tl_dca_check(&info, true, &report);
        tl_dca_check(&info, false, &report);
        trilo_fnv1a(out.data, out.size); /* every byte can be read */
    } else {
        CHECK(err.code != TRILO_CODE_OK && err.text[0] != '\0' && err.rule[0] != '\0');
        CHECK(err.offset <= size && m.peak <= SMALL + ORDINARY * size);
    }
    tl_arena_free(&arena);
}

static void try_payload(const uint8_t *data, size_t size)
{
    const size_t payload = size - CHOICE;
    uint8_t *file = malloc(HEADER + payload);
    if (!file)
        return;
    const tl_dca_header header = {.magic = {'D', 'C', 'A'},
                                  .version = '3',
                                  .level = (uint16_t)(data[0] % 3 + 1),
                                  .flags = data[0] >> 5,
                                  .compressed_size = (uint32_t)payload,
                                  .size = (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3]};
    tl_layout_store(&tl_dca_header_layout, TL_DCA_3, &header, file);
    memcpy(file + HEADER, data + CHOICE, payload);
    try_file(file, HEADER + payload);
    free(file);
}

static void try_compressing(const uint8_t *data, size_t size)
{
    tl_arena arena;
    trilo_error err = {0};
    trilo_bytes file, back;
    tl_arena_init(&arena, NULL);
    if (tl_dca_compress_lz4(&arena, (trilo_bytes){data, size}, data[0] & 1 ? 3 : 5, &file, &err)) {
        CHECK(tl_dca_decompress(&arena, file, size, &back, NULL, &err));
        CHECK(back.size == size && memcmp(back.data, data, size) == 0);
    } else {
        CHECK_INT(err.code, TRILO_CODE_UNSUPPORTED);
    }
    tl_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_file(data, size);
    if (size >= CHOICE && !tl_dca_probe((trilo_bytes){data, size}))
        try_payload(data, size);
    /* Slow beside the rest: only now and then. */
    if (size > 0 && size <= ROUND_TRIP_MOST && data[size - 1] % 64 == 0)
        try_compressing(data, size);
    return 0;
}
