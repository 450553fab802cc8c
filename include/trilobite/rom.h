/* rom.h: lists the files in a ROM of libdragon, or in a DragonFS image. Read-only.
 *
 *     trilo_file_read -> trilo_rom_read -> files
 *
 * A path such as game.z64:/models/hero.t3dm names a file in a ROM wherever the library reads files:
 * trilo_document_open_file, companions, trilo_file_read.
 */
#ifndef TRILOBITE_ROM_H
#define TRILOBITE_ROM_H

#include "trilobite/error.h"
#include "trilobite/io.h"
#include "trilobite/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The order of bytes in a ROM file. */
typedef enum trilo_rom_order {
    TRILO_ROM_ORDER_NONE, /* not a ROM: the image of DragonFS alone */
    TRILO_ROM_ORDER_Z64,  /* big-endian, as on the console */
    TRILO_ROM_ORDER_V64,  /* bytes swapped in pairs */
    TRILO_ROM_ORDER_N64   /* little-endian words */
} trilo_rom_order;

typedef struct trilo_rom_file {
    trilo_str path;    /* "models/hero.t3dm"; no component is empty, "." or ".." */
    trilo_bytes bytes; /* as stored: it may be a compressed asset */
} trilo_rom_file;

typedef struct trilo_rom {
    trilo_rom_order order;
    uint32_t major, minor; /* version of DragonFS: 2.0 or 2.1 */
    size_t offset;         /* of the image in the ROM */
    uint32_t file_count;
    const trilo_rom_file *files; /* in the order of the image */
} trilo_rom;

/* True if it begins like a ROM or a DragonFS image. */
TRILO_API bool trilo_rom_probe(trilo_bytes bytes);
/* The bytes must outlive the result. `memory` may be NULL. Returns NULL and fills *err (which may be NULL) if there is
 * no DragonFS, or if it is damaged. */
TRILO_API const trilo_rom *trilo_rom_read(trilo_bytes bytes, const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_rom_free(const trilo_rom *rom); /* may be NULL */
/* NULL: there is no such file. A slash in front is allowed. */
TRILO_API const trilo_rom_file *trilo_rom_find(const trilo_rom *rom, const char *path);
TRILO_API const char *trilo_rom_order_name(trilo_rom_order order); /* "z64"; "dfs" for an image alone */

#ifdef __cplusplus
}
#endif
#endif
