/* rom.h: files in ROMs, named game.z64:/models/hero.t3dm. */
#ifndef TL_API_FILE_ROM_H
#define TL_API_FILE_ROM_H

#include "base/arena.h"
#include "trilobite/load.h"

/* The length of the ROM's own path in "game.z64:/models" or "game.z64:"; 0: the path is not in a ROM. Something is a
 * ROM here if it is a regular file, and there is no file with the whole name. */
size_t tl_file_rom_length(const char *path);

/* A file of the ROM in which `path` is, which has a length: the name below `path`, or below the root of the ROM, which
 * the console calls rom:/. `name` NULL: `path` is the file. */
bool tl_file_rom_read(const char *path, const char *name, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                      trilo_error *err);

#endif
