/* Memory mapping needs POSIX; elsewhere plain stdio does the same with more copying. */
#define _POSIX_C_SOURCE 200809L

#include "api/file_io.h"

#include "base/array.h"
#include "base/report.h"
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

static ptrdiff_t file_read_stdio(void *file, void *bytes, size_t room)
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

static bool file_read_whole(FILE *file, uint64_t max_size, tl_arena *arena, tl_mapping *mapping, trilo_error *err)
{
    if (!file)
        return file_cant_read(err, strerror(errno));
    bool ok = tl_read_stream(file_read_stdio, file, max_size, arena, &mapping->bytes, err);
    fclose(file);
    return ok;
}

#if HAVE_POSIX
static bool file_map_descriptor(int descriptor, uint64_t size, tl_mapping *mapping)
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
        file_cant_read(err, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    const bool regular = S_ISREG(status.st_mode) && status.st_size > 0, folder = S_ISDIR(status.st_mode);
    const bool large = regular && (uint64_t)status.st_size > max_size;
    const bool mapped = regular && !large && file_map_descriptor(descriptor, (uint64_t)status.st_size, mapping);
    if (!folder && !large && !mapped) /* a pipe must not be opened twice */
        return file_read_whole(fdopen(descriptor, "rb"), max_size, arena, mapping, err);
    close(descriptor);
    if (folder)
        return file_cant_read(err, "it is a folder");
    return mapped || file_too_large(err, (uint64_t)status.st_size, max_size);
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
    return file_read_whole(fopen(path, "rb"), max_size, arena, mapping, err);
}

void tl_unmap(tl_mapping *mapping)
{
    (void)mapping;
}
#endif
