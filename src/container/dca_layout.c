/* The header of compressed assets, as measured on files written by libdragon's tools. */
#include "container/dca.h"

#define DCA_LAYOUT_RULE(id) &tl_dca_rules[TL_DCA_R_##id]

static const tl_field dca_header_rows[] = {
    TL_ROW(tl_dca_header, magic, TL_U8, 0x00, TL_DCA_PREFIX, 0, 0, 0, NULL, "`DCA`"),
    TL_ROW(tl_dca_header, version, TL_U8, 0x03, TL_DCA_PREFIX, 0, 0, 0, NULL, "the digit `3` or `5`"),
    TL_ROW(tl_dca_header, level, TL_U16, 0x04, TL_DCA_3, TL_DCA_3, 1, 3, DCA_LAYOUT_RULE(LEVEL),
           "coding of the payload: 1 LZ4, 2 aPLib, 3 Shrinkler"),
    TL_ROW(tl_dca_header, flags, TL_U16, 0x06, TL_DCA_3, TL_DCA_3, 0, 0, NULL,
           "bits 0 to 2: window code; bit 8: may be decompressed in place, set in all real files"),
    TL_ROW(tl_dca_header, compressed_size, TL_U32, 0x08, TL_DCA_3, TL_DCA_3, 0, 0, NULL,
           "bytes of the payload, which ends the file"),
    TL_ROW(tl_dca_header, size, TL_U32, 0x0C, TL_DCA_3, TL_DCA_3, 0, 0, NULL, "bytes of the file inside"),
    TL_ROW(tl_dca_header, margin, TL_U32, 0x10, TL_DCA_3, TL_DCA_3, 0, 0, NULL,
           "how many bytes longer than the file inside its buffer must be for decompression in place"),
    TL_ROW(tl_dca_header, settings, TL_U8, 0x04, TL_DCA_5, TL_DCA_5, 0, 0, NULL,
           "bits 0 to 2: window code; bits 4 and 5: coding of the payload"),
};
const tl_layout tl_dca_header_layout = TL_TABLE(
    "header", TL_BIG, dca_header_rows,
    "Form 5 continues with three numbers of variable length: compressed size, size and margin, with the same "
    "meaning as in form 3. Each byte has seven bits, the lowest first; bit 7 means that another byte follows. A "
    "zero byte is appended if the length of the header would be odd.");

const uint32_t tl_dca_windows[TL_DCA_WINDOWS] = {16u << 10, 8u << 10,  4u << 10,   2u << 10,
                                                 32u << 10, 64u << 10, 128u << 10, 256u << 10};

uint64_t tl_dca_varint_get(tl_reader *reader, const char *what)
{
    const uint64_t start = reader->at;
    uint64_t value = 0;
    for (int i = 0; i < TL_DCA_VARINT_MAX; i++) {
        const uint8_t *byte = tl_reader_take(reader, what, 1, 1);
        if (!byte)
            return 0;
        /* The tenth byte has room for one bit. */
        if (i == TL_DCA_VARINT_MAX - 1 && *byte > 1)
            break;
        value |= (uint64_t)(*byte & 0x7F) << 7 * i;
        if (*byte < 0x80)
            return value;
    }
    tl_reader_fail(reader, TRILO_CODE_BAD_VALUE, DCA_LAYOUT_RULE(HEADER), start, "%s has more than 64 bits", what);
    return 0;
}

size_t tl_dca_varint_put(uint8_t *out, uint32_t value)
{
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        out[size++] = (uint8_t)(value | 0x80);
    out[size++] = (uint8_t)value;
    return size;
}

void tl_dca_reference(tl_sink *sink)
{
    static const char intro[] =
        "# DCA: compressed assets of libdragon\n\n"
        "Made from the table that reads and writes the header (`src/container/dca_layout.c`); do not edit.\n\n"
        "A file is a header and a payload. Numbers are big-endian. The window codes 0 to 7 mean 16, 8, 4, 2, 32, 64, "
        "128 and 256 KiB: no match of the payload refers further back, so that a stream can be decompressed through "
        "a ring buffer of that size.\n\n";
    tl_sink_put(sink, intro, sizeof intro - 1);
    tl_layout_reference(&tl_dca_header_layout, sink);
}
