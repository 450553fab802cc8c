/* dca.h: libdragon's compressed asset files, which may hold any other file.
 *
 *   header | payload
 *
 * Two versions of the header are in use: DCA3 (2024 to early 2026, 20 bytes) and DCA5 (since 2026, 8 to 20 bytes). The
 * payload is the same in both, in one of three formats, called levels: 1 LZ4, 2 aPLib, 3 Shrinkler. There is no
 * checksum.
 *
 * The console loads the payload to the end of the output buffer and decompresses in place. The margin in the header is
 * how much longer than the output that buffer must be, so that no byte is overwritten before it is read. A streamed
 * file goes through a ring buffer of the header's window size: no match may reach further back.
 */
#ifndef TL_CONTAINER_DCA_H
#define TL_CONTAINER_DCA_H

#include "base/arena.h"
#include "base/report.h"
#include "layout/layout.h"

typedef struct tl_dca_info {
    int version; /* 3 or 5; 0: not a compressed file */
    int level;   /* 1 to 3; 0: not compressed */
    uint32_t header_size, compressed_size, size;
    uint32_t margin, window;       /* as stated by the header, in bytes */
    uint32_t window_at, margin_at; /* their offsets in the header */
    /* What the payload needs; set by decompression. */
    uint32_t margin_needed, window_needed;
} tl_dca_info;

/* True if it starts with the magic of any version. */
bool tl_dca_probe(trilo_bytes in);

/* Reads the header and compares its sizes with the file's. */
bool tl_dca_read_info(trilo_bytes in, tl_dca_info *info, trilo_error *err);

/* Decompresses the file. Fails if the size in the header is above max_size. Memory is allocated once, for that size; if
 * it is more than 32 times the payload, only after a dry run has confirmed it. Offsets of errors are bytes of `in`.
 * `info` may be NULL. */
bool tl_dca_decompress(tl_arena *arena, trilo_bytes in, uint64_t max_size, trilo_bytes *out, tl_dca_info *info,
                       trilo_error *err);

/* Reports a header whose margin is too small, or, if the file is streamed (as animations are), whose window is. */
void tl_dca_check(const tl_dca_info *info, bool streamed, tl_report *report);

/* Makes a level 1 file of version 3 or 5. TRILO_CODE_UNSUPPORTED if the library was built without liblz4. */
bool tl_dca_compress_lz4(tl_arena *arena, trilo_bytes in, int version, trilo_bytes *out, trilo_error *err);

/* "LZ4", "aPLib", "Shrinkler"; "none" for other levels. */
const char *tl_dca_level_name(int level);

/* The header in the file. Version 1 of the table is the prefix that all versions share. The sizes of DCA5 have no fixed
 * offset: they are not in the table, but read and written by tl_dca_varint_get and tl_dca_varint_put. */
typedef struct tl_dca_header {
    uint8_t magic[3], version;
    uint8_t settings; /* DCA5 */
    uint16_t level, flags;
    uint32_t compressed_size, size, margin;
} tl_dca_header;

enum { TL_DCA_PREFIX = 1, TL_DCA_3 = 3, TL_DCA_5 = 5 };
extern const tl_layout tl_dca_header_layout;

enum {
    TL_DCA_LEVEL_LZ4 = 1,
    TL_DCA_LEVEL_APLIB,
    TL_DCA_LEVEL_SHRINKLER,
    TL_DCA_WINDOW_MASK = 7,       /* of flags and settings */
    TL_DCA_FLAG_IN_PLACE = 0x100, /* of flags; DCA5 implies it */
    TL_DCA_LEVEL_SHIFT = 4,       /* of settings */
    TL_DCA_LEVEL_MASK = 3,
    TL_DCA_VARINT_MAX = 10, /* bytes */
    TL_DCA_WINDOWS = 8
};
/* Window sizes in bytes by their code in the header. */
extern const uint32_t tl_dca_windows[TL_DCA_WINDOWS];

/* Variable-length integers (LEB128): seven bits per byte, the lowest first; bit 7: another byte follows. */
uint64_t tl_dca_varint_get(tl_reader *reader, const char *what);
/* Returns the number of bytes written, at most 5. */
size_t tl_dca_varint_put(uint8_t *out, uint32_t value);

enum tl_dca_rule_id {
    TL_DCA_R_TRUNCATED,
    TL_DCA_R_HEADER,
    TL_DCA_R_VERSION,
    TL_DCA_R_LEVEL,
    TL_DCA_R_STREAM,
    TL_DCA_R_SIZE,
    TL_DCA_R_MARGIN,
    TL_DCA_R_WINDOW,
    TL_DCA_R_STREAMED,
    TL_DCA_R_NO_LZ4,
    TL_DCA_RULE_COUNT
};
extern const trilo_rule tl_dca_rules[TL_DCA_RULE_COUNT];

/* The records as Markdown. */
void tl_dca_reference(tl_sink *sink);

#endif
