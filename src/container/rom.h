/* rom.h: ROMs and DragonFS images of libdragon, which trilobite/rom.h reads.
 *
 *   ROM: header, boot code | table of files (rompak) | program, symbols, DragonFS image
 *   DragonFS: identity | entries, each a file or a directory, and contents
 *
 * Entries form lists: each has the offset of the next one in its directory, and a directory that of its first. Two
 * versions are in use: 2.0, in which everything begins at sectors of 256 bytes, and 2.1, which is packed.
 */
#ifndef TL_CONTAINER_ROM_H
#define TL_CONTAINER_ROM_H

#include "base/arena.h"
#include "base/report.h"
#include "layout/layout.h"
#include "trilobite/rom.h"

enum tl_rom_rule_id {
    TL_ROM_R_UNKNOWN,
    TL_ROM_R_TRUNCATED,
    TL_ROM_R_ENTRY,
    TL_ROM_R_LOOP,
    TL_ROM_R_LIMIT,
    TL_ROM_RULE_COUNT
};
extern const trilo_rule tl_rom_rules[TL_ROM_RULE_COUNT];

#define TL_ROM_FAIL(err, code, rule, offset, ...)                                                                      \
    tl_fail(err, code, &tl_rom_rules[TL_ROM_R_##rule], offset, NULL, __VA_ARGS__)

/* ---- records (rom_layout.c) ---- */

/* Two forms of the table of files: TL_ROMPAK_2024 and TL_ROMPAK_2026. */
enum { TL_ROMPAK_2024 = 1, TL_ROMPAK_2026 = 2 };

typedef struct tl_rompak_head {
    uint8_t magic[4];
    uint32_t cookie, size;
    uint32_t entry_size, entry_count;     /* of 2024 */
    uint16_t entry_size16, entry_count16; /* of 2026 */
} tl_rompak_head;

typedef struct tl_rompak_entry {
    uint32_t offset, size; /* the size only in 2026; a name follows */
} tl_rompak_entry;

enum {
    TL_DFS_20 = 20,
    TL_DFS_21 = 21,
    TL_DFS_SECTOR = 256,     /* of 2.0: an entry is one */
    TL_DFS_OFFSET = 252,     /* of 2.0: where an entry has the offset of its contents */
    TL_DFS_IDENTITY_21 = 26, /* bytes of the identity of 2.1 */
    TL_DFS_SIZE_BITS = 28,   /* of tl_dfs_entry.kind_size; the type is above */
    TL_DFS_FILE = 0,
    TL_DFS_DIRECTORY = 1
};

typedef struct tl_dfs_entry {
    uint32_t next;      /* entry of the same directory; 0: it is the last one */
    uint32_t kind_size; /* type and size */
    uint32_t offset;    /* 2.1: of the contents, or of the first entry; in 2.0 it is after the name */
} tl_dfs_entry;

extern const tl_layout tl_rompak_head_layout, tl_rompak_entry_layout, tl_dfs_entry_layout;

/* ---- DragonFS (dragonfs.c) ---- */

/* The version of an image that begins here; 0: none does. */
uint32_t tl_dfs_probe(trilo_bytes image);

typedef struct tl_dfs_files {
    tl_arena *arena;
    trilo_rom_file *files;
    size_t count, capacity;
} tl_dfs_files;

/* All files of an image; `image` begins with its identity and may be longer. Offsets of errors have `base` added. */
bool tl_dfs_list(trilo_bytes image, size_t base, tl_dfs_files *files, trilo_error *err);

#endif
