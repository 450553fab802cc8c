#include "api/file/rom.h"

#include "api/file/io.h"
#include "api/file/path.h"
#include "base/report.h"
#include "trilobite/rom.h"

#include <string.h>

enum { ROM_PATH_ROOM = 1024 };

size_t tl_file_rom_length(const char *path)
{
    char rom[ROM_PATH_ROOM];
    for (const char *colon = strchr(path, ':'); colon; colon = strchr(colon + 1, ':')) {
        const size_t length = (size_t)(colon - path);
        if (length < 2 || length >= sizeof rom || (colon[1] != '/' && colon[1] != '\0'))
            continue; /* "c:/models" is a drive */
        memcpy(rom, path, length);
        rom[length] = '\0';
        if (tl_file_is_plain(rom))
            return tl_file_exists(path) ? 0 : length;
    }
    return 0;
}

/* The path below the folder of the ROM, and if that is not there, below its root. */
static const trilo_rom_file *rom_file_find(const trilo_rom *rom, const char *folder, const char *name)
{
    char path[ROM_PATH_ROOM];
    folder += strspn(folder, "/");
    size_t length = strlen(folder);
    while (name && length > 0 && folder[length - 1] == '/')
        length--;
    if (length + (name ? strlen(name) : 0) + 2 > sizeof path)
        return NULL;
    memcpy(path, folder, length);
    path[length] = '\0';
    if (name && length > 0)
        path[length++] = '/';
    if (name)
        strcpy(path + length, name);
    const trilo_rom_file *file = trilo_rom_find(rom, path);
    return file || !name ? file : trilo_rom_find(rom, name);
}

bool tl_file_rom_read(const char *path, const char *name, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                      trilo_error *err)
{
    const size_t length = tl_file_rom_length(path);
    const trilo_memory memory = {.fn = arena->fn, .user = arena->user, .max_bytes = arena->left > 0 ? arena->left : 1};
    const char *inside = name && name[0] == '.' && name[1] == '/' ? name + 2 : name;
    tl_arena scratch;
    trilo_bytes whole;
    tl_arena_init(&scratch, &memory);
    const char *file = tl_str_copy(&scratch, path, length).data;
    bool ok = file ? tl_file_read(file, UINT64_MAX, &scratch, &whole, err) : tl_fail_memory(err);
    const trilo_rom *rom = ok ? trilo_rom_read(whole, &memory, err) : NULL;
    const trilo_rom_file *found = rom ? rom_file_find(rom, path + length + 1, inside) : NULL;
    ok = rom != NULL;
    *bytes = (trilo_bytes){NULL, 0};
    if (ok && !found)
        ok =
            tl_fail(err, name ? TRILO_CODE_BAD_REF : TRILO_CODE_CANT_READ, &tl_general_rules[TL_FILE_READ],
                    TRILO_NOWHERE, NULL, "cannot be read: the ROM has no such file; trilobite extract lists its files");
    else if (ok && found->bytes.size > max_size)
        ok = tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                     "the file in the ROM is larger than the limit");
    else if (ok) {
        *bytes = (trilo_bytes){tl_bytes_copy(arena, found->bytes.data, found->bytes.size), found->bytes.size};
        ok = bytes->data || tl_fail_memory(err);
    }
    trilo_rom_free(rom);
    tl_arena_free(&scratch);
    return ok;
}
