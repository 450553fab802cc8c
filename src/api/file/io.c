/* Files are read through the operating system where there is one, and with stdio elsewhere. */
#include "api/file/io.h"

#include "api/file/open.h"
#include "api/file/path.h"
#include "api/file/rom.h"
#include "base/array.h"
#include "base/opts.h"
#include "base/report.h"
#include "trilobite/file.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool file_cant_read(trilo_error *err, const char *why)
{
    return tl_fail(err, TRILO_CODE_CANT_READ, &tl_general_rules[TL_FILE_READ], TRILO_NOWHERE, NULL,
                   "cannot be read: %s", why);
}

static bool file_too_large(trilo_error *err, uint64_t size, uint64_t max_size)
{
    return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                   "%" PRIu64 " bytes or more, the limit is %" PRIu64, size, max_size);
}

enum { STREAM_READ = 4096 };

/* The buffers that were outgrown stay in the arena: together at most as much again. */
bool tl_read_stream(trilo_read_fn *read, void *user, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                    trilo_error *err)
{
    size_t room = 0, size = 0;
    uint8_t *buffer = NULL;
    for (;;) {
        if (size == room)
            buffer = tl_array_grow(arena, buffer, size, &room, STREAM_READ, 1);
        if (!buffer)
            return tl_fail_memory(err);
        ptrdiff_t got = read(user, buffer + size, room - size);
        if (got < 0 || (size_t)got > room - size)
            return file_cant_read(err, "the source reported an error");
        size += (size_t)got;
        if (size > max_size)
            return file_too_large(err, size, max_size);
        if (got == 0)
            break;
    }
    *bytes = (trilo_bytes){buffer, size};
    return true;
}

#if TL_HAVE_OS
static ptrdiff_t file_read_open(void *file, void *bytes, size_t room)
{
    return tl_os_read(*(const tl_os_file *)file, bytes, room);
}

/* Reads the size that it had when it was opened; less if it shrinks meanwhile. */
static bool file_read_regular(tl_os_file file, size_t size, tl_arena *arena, trilo_bytes *bytes, trilo_error *err)
{
    uint8_t *buffer = tl_array_raw(arena, size, 1);
    size_t used = 0;
    ptrdiff_t got = 1;
    if (!buffer)
        return tl_fail_memory(err);
    tl_os_populate(buffer, size);
    while (got > 0 && used < size) {
        got = tl_os_read(file, buffer + used, size - used);
        used += got > 0 ? (size_t)got : 0;
    }
    *bytes = (trilo_bytes){buffer, used};
    return got >= 0 || file_cant_read(err, "the source reported an error");
}

/* Closes it. */
static bool file_read_whole(tl_os_file file, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes, trilo_error *err)
{
    tl_os_status status;
    bool ok;
    *bytes = (trilo_bytes){NULL, 0};
    if (file == TL_OS_NONE)
        return file_cant_read(err, strerror(errno));
    if (!tl_os_stat_file(file, &status))
        ok = file_cant_read(err, strerror(errno));
    else if (status.kind == TL_OS_KIND_FOLDER)
        ok = file_cant_read(err, "it is a folder; name the files in it");
    else if (status.kind != TL_OS_KIND_FILE || status.size == 0) /* files such as those in /proc have the size 0 */
        ok = tl_read_stream(file_read_open, &file, max_size, arena, bytes, err);
    else if (status.size > max_size || status.size > SIZE_MAX)
        ok = file_too_large(err, status.size, max_size);
    else
        ok = file_read_regular(file, (size_t)status.size, arena, bytes, err);
    tl_os_close(file);
    return ok;
}

bool tl_file_read(const char *path, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes, trilo_error *err)
{
    if (tl_file_rom_length(path) > 0)
        return tl_file_rom_read(path, NULL, max_size, arena, bytes, err);
    return file_read_whole(tl_os_open(TL_OS_HERE, path, TL_OS_READ), max_size, arena, bytes, err);
}

bool tl_file_read_below(const char *folder, const char *name, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                        trilo_error *err)
{
    if (tl_file_rom_length(folder) > 0)
        return tl_file_rom_read(folder, name, max_size, arena, bytes, err);
    const tl_os_file file = tl_file_open_below(folder, name);
    const bool lacking = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO;
    const bool ok = file_read_whole(file, max_size, arena, bytes, err);
    if (file == TL_OS_NONE && !lacking && err)
        err->code = TRILO_CODE_BAD_REF;
    return ok;
}

bool tl_file_is_below(const char *folder, const char *name)
{
    if (tl_file_rom_length(folder) > 0) {
        tl_arena arena;
        trilo_bytes bytes;
        tl_arena_init(&arena, NULL);
        const bool is = tl_file_rom_read(folder, name, UINT64_MAX, &arena, &bytes, NULL);
        tl_arena_free(&arena);
        return is;
    }
    const tl_os_file file = tl_file_open_below(folder, name);
    if (file != TL_OS_NONE)
        tl_os_close(file);
    return file != TL_OS_NONE;
}
#else
static ptrdiff_t file_read_stdio(void *file, void *bytes, size_t room)
{
    size_t got = fread(bytes, 1, room, file);
    return got == 0 && ferror((FILE *)file) ? -1 : (ptrdiff_t)got;
}

bool tl_file_read(const char *path, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes, trilo_error *err)
{
    if (tl_file_rom_length(path) > 0)
        return tl_file_rom_read(path, NULL, max_size, arena, bytes, err);
    FILE *file = fopen(path, "rb");
    *bytes = (trilo_bytes){NULL, 0};
    if (!file)
        return file_cant_read(err, strerror(errno));
    const bool ok = tl_read_stream(file_read_stdio, file, max_size, arena, bytes, err);
    fclose(file);
    return ok;
}

bool tl_file_read_below(const char *folder, const char *name, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                        trilo_error *err)
{
    if (tl_file_rom_length(folder) > 0)
        return tl_file_rom_read(folder, name, max_size, arena, bytes, err);
    const char *path = tl_file_path_join(arena, *folder ? folder : ".", name);
    if (!path)
        return tl_fail_memory(err);
    if (*name == '/' || tl_file_path_leads_up(name) || !tl_file_exists(path)) {
        file_cant_read(err, "there is no such file in the folder");
        if (err)
            err->code = TRILO_CODE_BAD_REF;
        return false;
    }
    return tl_file_read(path, max_size, arena, bytes, err);
}

bool tl_file_is_below(const char *folder, const char *name)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const char *path = tl_file_path_join(&arena, *folder ? folder : ".", name);
    const bool is = path && *name != '/' && !tl_file_path_leads_up(name) && tl_file_exists(path);
    tl_arena_free(&arena);
    return is;
}
#endif

/* ---- for the caller ---- */

typedef struct owned_file {
    trilo_file file;
    tl_arena arena; /* the struct itself lives in it */
} owned_file;

const trilo_file *trilo_file_read(const char *path, const trilo_file_opts *opts, trilo_error *err)
{
    tl_arena arena;
    trilo_file_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    tl_arena_init(&arena, &own.memory);
    owned_file *owned = TL_NEW(&arena, owned_file);
    const bool ok = !owned      ? tl_fail_memory(err)
                    : own.below ? tl_file_read_below(own.below, path, UINT64_MAX, &arena, &owned->file.bytes, err)
                                : tl_file_read(path, UINT64_MAX, &arena, &owned->file.bytes, err);
    if (ok) {
        owned->arena = arena;
        return &owned->file;
    }
    if (err && err->code == TRILO_CODE_BAD_REF)
        err->code = TRILO_CODE_CANT_READ;
    tl_arena_free(&arena);
    return NULL;
}

void trilo_file_free(const trilo_file *file)
{
    if (file)
        tl_arena_free(&((owned_file *)(uintptr_t)file)->arena);
}
