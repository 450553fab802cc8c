/* Replacing files atomically needs POSIX; elsewhere plain stdio does it, without links, rights and folders. */
#define _XOPEN_SOURCE   700 /* realpath */
#define _POSIX_C_SOURCE 200809L

#include "api/output_set.h"

#include "base/array.h"
#include "base/report.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_POSIX 1
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define HAVE_POSIX 0
#endif

enum { NAME_TRIES = 1000 };

static bool output_fail(trilo_error *err, const char *why)
{
    return tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                   "cannot be written: %s", why);
}

void tl_output_set_begin(tl_output_set *set, const trilo_memory *memory)
{
    *set = (tl_output_set){.count = 0};
    tl_arena_init(&set->arena, memory);
}

static bool output_put(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

/* Fills and closes it. Bytes may be refused as late as when the file is closed. */
static bool output_fill(FILE *file, trilo_fill_fn *fill, void *context, trilo_error *err)
{
    const bool ok = fill(context, output_put, file, err);
    const bool flushed = fflush(file) == 0 && !ferror(file);
    const bool closed = fclose(file) == 0;
    return ok && ((flushed && closed) || output_fail(err, strerror(errno)));
}

/* A new file beside `path`, whose name is left in `name`. Not mkstemp: the file must get the permissions of the
 * user's umask, which cannot be read without changing it. */
static FILE *output_open_staged(const char *path, char *name, size_t room)
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

/* What exists at the path; a link is followed. False: it cannot be replaced by a file. */
static bool output_resolve(tl_output_set *set, const char *path, tl_output *file, unsigned *mode, bool *is_device,
                           trilo_error *err)
{
    *mode = 0;
    *is_device = false;
#if HAVE_POSIX
    struct stat status;
    char *target = realpath(path, NULL);
    const bool exists = target && stat(target, &status) == 0;
    file->path = tl_str_copy(&set->arena, target ? target : path, strlen(target ? target : path)).data;
    free(target);
    if (exists && S_ISDIR(status.st_mode))
        return output_fail(err, "it is a folder");
    *is_device = exists && !S_ISREG(status.st_mode);
    *mode = exists ? (unsigned)(status.st_mode & 07777) : 0;
#else
    file->path = tl_str_copy(&set->arena, path, strlen(path)).data;
#endif
    return file->path || tl_fail_memory(err);
}

bool tl_output_set_stage(tl_output_set *set, const char *path, trilo_fill_fn *fill, void *context, trilo_error *err)
{
    tl_output file = {.path = NULL};
    unsigned mode;
    bool is_device;
    if (!output_resolve(set, path, &file, &mode, &is_device, err))
        return false;
    const size_t room = strlen(file.path) + sizeof ".tmp000";
    char *name = tl_array_raw(&set->arena, room, 1);
    if (!name)
        return tl_fail_memory(err);
    FILE *out = is_device ? fopen(file.path, "wb") : output_open_staged(file.path, name, room);
    if (!out)
        return output_fail(err, strerror(errno));
    file.staged = is_device ? NULL : name;
#if HAVE_POSIX
    if (mode && !is_device) /* what was there keeps its rights; if that fails, the file is still right */
        (void)!fchmod(fileno(out), (mode_t)mode);
#endif
    bool ok = output_fill(out, fill, context, err);
    tl_output *files = ok ? tl_array_grow(&set->arena, set->files, set->count, &set->capacity, 1, sizeof *files) : NULL;
    if (!files) {
        if (file.staged)
            remove(file.staged);
        return ok ? tl_fail_memory(err) : false;
    }
    set->files = files;
    set->files[set->count++] = file;
    return true;
}

static bool output_fill_bytes(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    const trilo_bytes *bytes = context;
    return bytes->size == 0 || sink(sink_user, bytes->data, bytes->size) || output_fail(err, strerror(errno));
}

bool tl_output_set_stage_bytes(tl_output_set *set, const char *path, trilo_bytes bytes, trilo_error *err)
{
    return tl_output_set_stage(set, path, output_fill_bytes, &bytes, err);
}

bool tl_output_set_make_folder(tl_output_set *set, const char *path, trilo_error *err)
{
#if HAVE_POSIX
    for (const char *slash = strchr(path + (*path == '/'), '/'); slash; slash = strchr(slash + 1, '/')) {
        struct stat status;
        const char *folder = tl_str_copy(&set->arena, path, (size_t)(slash - path)).data;
        const char **folders = folder ? tl_array_grow(&set->arena, set->folders, set->folder_count,
                                                      &set->folder_capacity, 1, sizeof *folders)
                                      : NULL;
        if (!folders)
            return tl_fail_memory(err);
        set->folders = folders;
        if (mkdir(folder, 0777) == 0)
            set->folders[set->folder_count++] = folder;
        else if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
            return tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                           "its folder cannot be made: %s", strerror(errno == ENOENT ? ENOTDIR : errno));
    }
#else
    (void)set, (void)path, (void)err;
#endif
    return true;
}

/* Keeps what is there under another name, until all files are renamed. A second link costs nothing and leaves the file
 * where it is; file systems without links get it moved. */
static bool output_back_up(tl_output_set *set, tl_output *file, trilo_error *err)
{
#if HAVE_POSIX
    const size_t room = strlen(file->path) + sizeof ".old000";
    char *name = tl_array_raw(&set->arena, room, 1);
    struct stat status;
    if (!name)
        return tl_fail_memory(err);
    if (lstat(file->path, &status) != 0)
        return true; /* there is nothing to keep */
    if (!S_ISREG(status.st_mode))
        return output_fail(err, "it is not a file any more");
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(name, room, "%s.old%03d", file->path, i);
        const bool linked = link(file->path, name) == 0;
        if (!linked && errno == EEXIST)
            continue;
        if (!linked && rename(file->path, name) != 0)
            return output_fail(err, strerror(errno));
        file->backup = name;
        return true;
    }
    return output_fail(err, strerror(EEXIST));
#else
    (void)set, (void)file, (void)err;
    return true;
#endif
}

/* In reverse, so that a path that was staged twice gets back what it had at first. */
static void output_roll_back(tl_output_set *set)
{
    for (size_t i = set->count; i-- > 0;) {
        tl_output *file = &set->files[i];
        if (file->backup) {
            rename(file->backup, file->path);
            remove(file->backup); /* renaming one of two links of the same file does nothing */
        } else if (file->replaced) {
            remove(file->path);
        }
    }
}

/* The last file needs no backup: renaming it is the last step. */
bool tl_output_set_commit(tl_output_set *set, trilo_error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        tl_output *file = &set->files[i];
        if (!file->staged)
            continue;
        bool ok = i + 1 == set->count || output_back_up(set, file, err);
        if (ok && rename(file->staged, file->path) != 0)
            ok = output_fail(err, strerror(errno));
        if (!ok) {
            output_roll_back(set);
            return false;
        }
        file->replaced = true;
    }
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].backup)
            remove(set->files[i].backup);
    set->committed = true;
    return true;
}

void tl_output_set_end(tl_output_set *set)
{
    for (size_t i = 0; i < set->count && !set->committed; i++)
        if (set->files[i].staged && !set->files[i].replaced)
            remove(set->files[i].staged);
#if HAVE_POSIX
    for (size_t i = set->folder_count; i-- > 0 && !set->committed;)
        rmdir(set->folders[i]);
#endif
    tl_arena_free(&set->arena);
}

bool trilo_file_replace(const char *path, trilo_fill_fn *fill, void *context, trilo_error *err)
{
    tl_output_set set;
    tl_output_set_begin(&set, NULL);
    const bool ok = tl_output_set_stage(&set, path, fill, context, err) && tl_output_set_commit(&set, err);
    tl_output_set_end(&set);
    return ok;
}
