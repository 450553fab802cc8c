/* Level 1 files, by way of liblz4, which a build may lack. */
#include "container/dca.h"

#include "container/dca_stream.h"
#include <inttypes.h>

static bool version_fits(int version, trilo_error *err)
{
    return version == TL_DCA_3 || version == TL_DCA_5 ||
           tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                   "compressed assets are written as version 3 or 5, not %d", version);
}

#ifdef TRILO_WITH_LZ4
#include <lz4hc.h>

enum { HEADER_MOST = 20 }; /* DCA3 always; DCA5 when all three numbers take five bytes */

/* The smallest window that all matches keep to: a stream costs the console that much memory. */
static unsigned window_code(uint64_t farthest)
{
    unsigned best = 0;
    for (unsigned code = 0; code < TL_DCA_WINDOWS; code++) {
        const bool fits = tl_dca_windows[code] >= farthest, best_fits = tl_dca_windows[best] >= farthest;
        if (fits && (!best_fits || tl_dca_windows[code] < tl_dca_windows[best]))
            best = code;
    }
    return best;
}

/* What our own decoder says about the block that was just made; it also proves that it can be read. */
static bool inspect(const uint8_t *block, size_t block_size, size_t size, unsigned *window)
{
    tl_dca_stream s = {.in = block, .in_size = block_size, .size = size};
    const bool whole = tl_dca_lz4(&s) == TL_DCA_ENDED && s.written == size;
    *window = window_code(s.farthest);
    return whole;
}

/* LZ4's own bound for decompressing in place; also what libdragon's tools write. */
static uint32_t margin_of(size_t block_size)
{
    return (uint32_t)(block_size / 256 + 32);
}

static size_t put_header(uint8_t *out, int version, unsigned window, size_t block_size, size_t size)
{
    const tl_dca_header h = {
        .magic = {'D', 'C', 'A'},
        .version = (uint8_t)('0' + version),
        .level = TL_DCA_LEVEL_LZ4,
        .flags = (uint16_t)(window | TL_DCA_FLAG_IN_PLACE),
        .settings = (uint8_t)(window | TL_DCA_LEVEL_LZ4 << TL_DCA_LEVEL_SHIFT),
        .compressed_size = (uint32_t)block_size,
        .size = (uint32_t)size,
        .margin = margin_of(block_size),
    };
    tl_layout_store(&tl_dca_header_layout, (unsigned)version, &h, out);
    size_t at = tl_layout_size(&tl_dca_header_layout, (unsigned)version);
    if (version == TL_DCA_5) {
        at += tl_dca_varint_put(out + at, h.compressed_size);
        at += tl_dca_varint_put(out + at, h.size);
        at += tl_dca_varint_put(out + at, h.margin);
        if (at % 2 != 0)
            out[at++] = 0;
    }
    return at;
}

bool tl_dca_compress_lz4(tl_arena *arena, trilo_bytes in, int version, trilo_bytes *out, trilo_error *err)
{
    *out = (trilo_bytes){NULL, 0};
    if (!version_fits(version, err))
        return false;
    if (in.size > LZ4_MAX_INPUT_SIZE)
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                       "%zu bytes are too many for one LZ4 block, which holds %d", in.size, LZ4_MAX_INPUT_SIZE);
    const int bound = LZ4_compressBound((int)in.size);
    void *state = tl_array_raw(arena, (size_t)LZ4_sizeofStateHC(), 1);
    /* The header's length depends on the block's: it is put before it afterwards, as close as it comes. */
    uint8_t *room = tl_array_raw(arena, HEADER_MOST + (size_t)bound, 1);
    if (!state || !room)
        return tl_fail_memory(err);
    uint8_t *block = room + HEADER_MOST;
    const int size = LZ4_compress_HC_extStateHC(state, in.size ? (const char *)in.data : "", (char *)block,
                                                (int)in.size, bound, LZ4HC_CLEVEL_MAX);
    if (size <= 0) /* with enough room, only its own memory can fail */
        return tl_fail_memory(err);
    unsigned window;
    if (!inspect(block, (size_t)size, in.size, &window))
        return tl_fail(err, TRILO_CODE_BAD_VALUE, &tl_dca_rules[TL_DCA_R_STREAM], TRILO_NOWHERE, NULL,
                       "liblz4 made a block that cannot be read");
    uint8_t header[HEADER_MOST];
    const size_t header_size = put_header(header, version, window, (size_t)size, in.size);
    memcpy(block - header_size, header, header_size);
    *out = (trilo_bytes){block - header_size, header_size + (size_t)size};
    return true;
}

#else

bool tl_dca_compress_lz4(tl_arena *arena, trilo_bytes in, int version, trilo_bytes *out, trilo_error *err)
{
    (void)arena, (void)in;
    *out = (trilo_bytes){NULL, 0};
    return version_fits(version, err) &&
           tl_fail(err, TRILO_CODE_UNSUPPORTED, &tl_dca_rules[TL_DCA_R_NO_LZ4], TRILO_NOWHERE, NULL,
                   "this build cannot compress: it was made without liblz4");
}

#endif
