/* Memory mapping and atomic replacement need POSIX; elsewhere plain stdio does the same with more copying. */
#define _XOPEN_SOURCE   700 /* realpath */
#define _POSIX_C_SOURCE 200809L

#include "api/file_io.h"

#include "base/array.h"
#include "base/report.h"
#include "trilobite/write.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_POSIX 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define HAVE_POSIX 0
#endif

static bool cant_read(trilo_error *err, const char *why)
{
    return tl_fail(err, TRILO_CODE_CANT_READ, &tl_general_rules[TL_FILE_READ], TRILO_NOWHERE, NULL,
                   "cannot be read: %s", why);
}

static bool cant_write(trilo_error *err, const char *why)
{
    return tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                   "cannot be written: %s", why);
}

static bool too_large(trilo_error *err, uint64_t size, uint64_t max_size)
{
    return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                   "%" PRIu64 " bytes or more, the limit is %" PRIu64, size, max_size);
}

/* --- reading --- */

static ptrdiff_t read_stdio(void *file, void *bytes, size_t room)
{
    size_t got = fread(bytes, 1, room, file);
    return got == 0 && ferror((FILE *)file) ? -1 : (ptrdiff_t)got;
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
            return cant_read(err, "the source reported an error");
        size += (size_t)got;
        if (size > max_size)
            return too_large(err, size, max_size);
        if (got == 0)
            break;
    }
    *bytes = (trilo_bytes){buffer, size};
    return true;
}

static bool read_whole(FILE *file, uint64_t max_size, tl_arena *arena, tl_mapping *mapping, trilo_error *err)
{
    if (!file)
        return cant_read(err, strerror(errno));
    bool ok = tl_read_stream(read_stdio, file, max_size, arena, &mapping->bytes, err);
    fclose(file);
    return ok;
}

#if HAVE_POSIX
static bool map_descriptor(int descriptor, uint64_t size, tl_mapping *mapping)
{
    void *start = size <= SIZE_MAX ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    if (start == MAP_FAILED)
        return false;
    *mapping = (tl_mapping){{start, (size_t)size}, true};
    return true;
}

bool tl_map_file(const char *path, uint64_t max_size, tl_arena *arena, tl_mapping *mapping, trilo_error *err)
{
    struct stat status;
    *mapping = (tl_mapping){{NULL, 0}, false};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        cant_read(err, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    const bool regular = S_ISREG(status.st_mode) && status.st_size > 0, folder = S_ISDIR(status.st_mode);
    const bool large = regular && (uint64_t)status.st_size > max_size;
    const bool mapped = regular && !large && map_descriptor(descriptor, (uint64_t)status.st_size, mapping);
    if (!folder && !large && !mapped) /* a pipe must not be opened twice */
        return read_whole(fdopen(descriptor, "rb"), max_size, arena, mapping, err);
    close(descriptor);
    if (folder)
        return cant_read(err, "it is a folder");
    return mapped || too_large(err, (uint64_t)status.st_size, max_size);
}

void tl_unmap(tl_mapping *mapping)
{
    if (mapping->mapped)
        munmap((void *)(uintptr_t)mapping->bytes.data, mapping->bytes.size);
}
#else
bool tl_map_file(const char *path, uint64_t max_size, tl_arena *arena, tl_mapping *mapping, trilo_error *err)
{
    *mapping = (tl_mapping){{NULL, 0}, false};
    return read_whole(fopen(path, "rb"), max_size, arena, mapping, err);
}

void tl_unmap(tl_mapping *mapping)
{
    (void)mapping;
}
#endif

/* --- writing --- */

static bool write_stdio(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

enum { NAME_TRIES = 1000 };

/* A new file beside `path`, whose name is left in `name`. Not mkstemp: the file shall have the rights that the user's
 * umask says, and that mask cannot be read without changing it. */
static FILE *open_beside(const char *path, char *name, size_t room)
{
#if HAVE_POSIX
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(name, room, "%s.tmp%03d", path, i);
        const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            return fdopen(descriptor, "wb");
        if (errno != EEXIST)
            break;
    }
    return NULL;
#else
    snprintf(name, room, "%s.tmp", path);
    return fopen(name, "wb");
#endif
}

#if HAVE_POSIX
/* What stands at a path: a link is followed to what it names. */
static char *follow(const char *path, struct stat *status, bool *exists)
{
    char *target = realpath(path, NULL);
    *exists = target && stat(target, status) == 0;
    return target ? target : strdup(path);
}

/* A device or a pipe cannot be replaced, only written to. */
static bool write_through(const char *path, trilo_fill_fn *fill, void *context, trilo_error *err)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return cant_write(err, strerror(errno));
    const bool ok = fill(context, write_stdio, file, err);
    const bool flushed = fflush(file) == 0 && !ferror(file);
    const bool closed = fclose(file) == 0;
    return ok && ((flushed && closed) || cant_write(err, strerror(errno)));
}
#endif

static bool replace(const char *path, const unsigned *mode, trilo_fill_fn *fill, void *context, trilo_error *err)
{
    const size_t room = strlen(path) + sizeof ".tmp000";
    char *name = malloc(room);
    if (!name)
        return tl_fail_memory(err);
    FILE *file = open_beside(path, name, room);
    if (!file) {
        free(name);
        return cant_write(err, strerror(errno));
    }
#if HAVE_POSIX
    if (mode) /* what was there keeps its rights; if that fails, the file is still right */
        (void)!fchmod(fileno(file), (mode_t)*mode);
#else
    (void)mode;
#endif
    bool ok = fill(context, write_stdio, file, err);
    bool flushed = fflush(file) == 0 && !ferror(file);
    bool closed = fclose(file) == 0;
    if (ok && !(flushed && closed && rename(name, path) == 0))
        ok = cant_write(err, strerror(errno));
    if (!ok)
        remove(name);
    free(name);
    return ok;
}

bool trilo_file_replace(const char *path, trilo_fill_fn *fill, void *context, trilo_error *err)
{
#if HAVE_POSIX
    struct stat status = {0};
    bool exists;
    char *target = follow(path, &status, &exists);
    if (!target)
        return tl_fail_memory(err);
    const unsigned mode = (unsigned)(status.st_mode & 07777);
    bool ok;
    if (exists && S_ISDIR(status.st_mode))
        ok = cant_write(err, "it is a folder");
    else if (exists && !S_ISREG(status.st_mode))
        ok = write_through(target, fill, context, err);
    else
        ok = replace(target, exists ? &mode : NULL, fill, context, err);
    free(target);
    return ok;
#else
    return replace(path, NULL, fill, context, err);
#endif
}
