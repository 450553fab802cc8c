/* rom_files.h: ROMs and DragonFS images as libdragon's tools write them, made apart from the reader: entries are placed
 * by the rules of the tools, with a lookup table where they have one. */
#ifndef TL_TEST_ROM_FILES_H
#define TL_TEST_ROM_FILES_H

#include "support/buffer.h"

/* A file or a folder of the image. Files of a folder follow it, one level deeper. */
typedef struct rom_item {
    int depth;
    const char *name, *text; /* text NULL: a folder */
} rom_item;

/* DragonFS 2.0, with sectors of 256 bytes. */
buffer rom_dfs20(const rom_item *items, size_t count);
/* DragonFS 2.1, packed, with the lookup table of 2026. */
buffer rom_dfs21(const rom_item *items, size_t count);

typedef enum rom_table { ROM_TABLE_NONE, ROM_TABLE_2024, ROM_TABLE_2026 } rom_table;
/* A ROM in the order of the console: header, boot code, the table at that offset, a program, the image; padded to 16
 * KiB. Without a table the image begins at 0x101000. */
buffer rom_file(const buffer *image, rom_table table, size_t table_at);
/* The same bytes in another order: swapped in groups of 2 or of 4. */
void rom_swap(buffer *rom, size_t group);

#endif
