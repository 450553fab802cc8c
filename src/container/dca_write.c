/* Level 1 files, with liblz4, which is optional. */
#include "container/dca.h"

#include "container/dca_stream.h"
#include <inttypes.h>

static bool dca_check_version(int version, trilo_error *err)
{
    return version == TL_DCA_3 || version == TL_DCA_5 ||
           tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                   "compressed assets are written as version 3 or 5, not %d", version);
}

#ifdef TRILO_WITH_LZ4
#include <lz4hc.h>

enum { DCA_HEADER_MAX = 20 }; /* DCA3; DCA5 if all three numbers take five bytes */

/* The code of the smallest window that covers all matches: a streamed file costs the console that much memory. */
static unsigned dca_window_code(uint64_t farthest)
{
    unsigned best = 0;
    for (unsigned code = 0; code < TL_DCA_WINDOWS; code++) {
        const bool fits = tl_dca_windows[code] >= farthest, best_fits = tl_dca_windows[best] >= farthest;
        if (fits && (!best_fits || tl_dca_windows[code] < tl_dca_windows[best]))
            best = code;
    }
    return best;
}

static size_t dca_put_header(uint8_t *out, int version, unsigned window, size_t block_size, size_t size)
{
    const tl_dca_header h = {
        .magic = {'D', 'C', 'A'},
        .version = (uint8_t)('0' + version),
        .level = TL_DCA_LEVEL_LZ4,
        .flags = (uint16_t)(window | TL_DCA_FLAG_IN_PLACE),
        .settings = (uint8_t)(window | TL_DCA_LEVEL_LZ4 << TL_DCA_LEVEL_SHIFT),
        .compressed_size = (uint32_t)block_size,
        .size = (uint32_t)size,
        .margin = (uint32_t)(block_size / 256 + 32), /* LZ4_DECOMPRESS_INPLACE_MARGIN, as libdragon's tools write */
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
    if (!dca_check_version(version, err))
        return false;
    if (in.size > LZ4_MAX_INPUT_SIZE)
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                       "%zu bytes are too many for one LZ4 block, which holds %d", in.size, LZ4_MAX_INPUT_SIZE);
    const int bound = LZ4_compressBound((int)in.size);
    void *state = tl_array_raw(arena, (size_t)LZ4_sizeofStateHC(), 1);
    /* The size of the header depends on that of the block: it is written afterwards, directly before the block. */
    uint8_t *room = tl_array_raw(arena, DCA_HEADER_MAX + (size_t)bound, 1);
    if (!state || !room)
        return tl_fail_memory(err);
    uint8_t *block = room + DCA_HEADER_MAX;
    const int size = LZ4_compress_HC_extStateHC(state, in.size ? (const char *)in.data : "", (char *)block,
                                                (int)in.size, bound, LZ4HC_CLEVEL_MAX);
    if (size <= 0) /* the output is large enough, so it must be memory */
        return tl_fail_memory(err);
    /* Our own decoder finds the largest offset, and verifies the block. */
    tl_dca_stream s = {.in = block, .in_size = (size_t)size, .size = in.size};
    if (tl_dca_lz4(&s) != TL_DCA_ENDED || s.written != in.size)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, &tl_dca_rules[TL_DCA_R_STREAM], TRILO_NOWHERE, NULL,
                       "liblz4 made a block that cannot be read");
    uint8_t header[DCA_HEADER_MAX];
    const size_t header_size = dca_put_header(header, version, dca_window_code(s.farthest), (size_t)size, in.size);
    memcpy(block - header_size, header, header_size);
    *out = (trilo_bytes){block - header_size, header_size + (size_t)size};
    return true;
}

#else

bool tl_dca_compress_lz4(tl_arena *arena, trilo_bytes in, int version, trilo_bytes *out, trilo_error *err)
{
    (void)arena, (void)in;
    *out = (trilo_bytes){NULL, 0};
    return dca_check_version(version, err) &&
           tl_fail(err, TRILO_CODE_UNSUPPORTED, &tl_dca_rules[TL_DCA_R_NO_LZ4], TRILO_NOWHERE, NULL,
                   "this build cannot compress: it was made without liblz4");
}

#endif
