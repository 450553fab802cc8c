/* Any bytes as a DragonFS image of either version, as a ROM in any order of bytes, and as they are. */
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/exercise.h"
#include "trilobite/rom.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 24 };

static void try_rom(const uint8_t *data, size_t size)
{
    meter m = {0};
    trilo_error err = {0};
    const trilo_memory memory = meter_memory(&m, LIMIT);
    const trilo_rom *rom = trilo_rom_read((trilo_bytes){data, size}, &memory, &err);
    CHECK(rom || (err.code != TRILO_CODE_OK && err.text[0] != '\0' && err.rule[0] != '\0'));
    for (uint32_t i = 0; rom && i < rom->file_count; i++) {
        const trilo_rom_file *file = &rom->files[i];
        CHECK(file->path.len > 0 && file->path.data[0] != '/' && strlen(file->path.data) == file->path.len);
        trilo_fnv1a(file->bytes.data, file->bytes.size); /* every byte can be read */
    }
    trilo_rom_free(rom);
    CHECK(m.now == 0);
}

/* A start that the reader knows, and the input behind it. */
static void try_behind(const char *start, size_t start_size, const uint8_t *data, size_t size)
{
    uint8_t *file = malloc(start_size + size);
    if (!file)
        return;
    memcpy(file, start, start_size);
    memcpy(file + start_size, data, size);
    try_rom(file, start_size + size);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char packed[27] = "\0\0\0\0\xFF\xFF\xFF\xFF\0\0\0\0DragonFS 2.1";
    static const char sector[256] = "\xDE\xAD\xBE\xEF\xFF\xFF\xFF\xFF"
                                    "DragonFS 2.0";
    try_rom(data, size);
    try_behind(packed, 26, data, size);
    try_behind(sector, sizeof sector, data, size);
    return 0;
}
