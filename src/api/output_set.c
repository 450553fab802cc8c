/* Replacing files together needs POSIX; elsewhere plain stdio does it, without links, rights, folders and roll back. */
#define _XOPEN_SOURCE   700 /* realpath */
#define _POSIX_C_SOURCE 200809L

#include "api/output_set.h"

#include "api/file_open.h"
#include "api/file_path.h"
#include "base/array.h"
#include "base/opts.h"
#include "base/report.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if TL_HAVE_POSIX
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif

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

#if TL_HAVE_POSIX

/* ---- signals ---- */

static const int output_ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU, SIGXFSZ, SIGPIPE};

enum { OUTPUT_ENDING_SIGNALS = sizeof output_ending_signals / sizeof *output_ending_signals };

/* A signal that ends the process waits until no temporary file is left. */
static bool output_hold_signals(tl_output_set *set, trilo_error *err)
{
    sigset_t held, *before = TL_NEW(&set->arena, sigset_t);
    if (!before)
        return tl_fail_memory(err);
    sigemptyset(&held);
    for (size_t i = 0; i < OUTPUT_ENDING_SIGNALS; i++)
        sigaddset(&held, output_ending_signals[i]);
    if (pthread_sigmask(SIG_BLOCK, &held, before) == 0)
        set->signals = before;
    return true;
}

static void output_release_signals(tl_output_set *set)
{
    if (set->signals)
        pthread_sigmask(SIG_SETMASK, set->signals, NULL);
    set->signals = NULL;
}

/* Is the process about to end? Then large files are not written to their end. */
static bool output_is_interrupted(const tl_output_set *set)
{
    sigset_t pending;
    struct sigaction action;
    if (!set->signals || sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < OUTPUT_ENDING_SIGNALS; i++) {
        const int number = output_ending_signals[i];
        if (sigismember(&pending, number) == 1 && sigismember(set->signals, number) == 0 &&
            sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            return true;
    }
    return false;
}

/* ---- temporary files ---- */

#define OUTPUT_TEMPORARY ".trilobite-"
enum { OUTPUT_NAME_ROOM = 64, OUTPUT_NAME_TRIES = 100, OUTPUT_STALE_SECONDS = 3600, OUTPUT_CHUNK = 1 << 20 };

/* A name that nobody has: the time, and in it the process and a number. */
static bool output_new_name(tl_output_set *set, char name[OUTPUT_NAME_ROOM])
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t number = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
    const int length = snprintf(name, OUTPUT_NAME_ROOM, OUTPUT_TEMPORARY "%" PRIx64 "-%" PRIx64 "-%" PRIx32 ".tmp",
                                (uint64_t)now.tv_sec, number, set->names++);
    return length > 0 && length < OUTPUT_NAME_ROOM;
}

/* Removes temporary files of processes that were killed. */
static void output_sweep(int folder)
{
    const int again = tl_file_open_at(folder, ".", O_RDONLY | O_DIRECTORY);
    DIR *dir = again >= 0 ? fdopendir(again) : NULL;
    const time_t now = time(NULL);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, OUTPUT_TEMPORARY, strlen(OUTPUT_TEMPORARY)) != 0 ||
            !tl_file_path_ends(entry->d_name, ".tmp"))
            continue;
        const unsigned long long made = strtoull(entry->d_name + strlen(OUTPUT_TEMPORARY), NULL, 16);
        if (now > OUTPUT_STALE_SECONDS && made < (unsigned long long)now - OUTPUT_STALE_SECONDS)
            unlinkat(folder, entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
    else if (again >= 0)
        close(again);
}

static bool output_write_bytes(const tl_output_set *set, int descriptor, trilo_bytes bytes, trilo_error *err)
{
    for (size_t done = 0; done < bytes.size;) {
        if (output_is_interrupted(set))
            return output_fail(err, strerror(EINTR));
        const size_t left = bytes.size - done;
        const ssize_t wrote = write(descriptor, bytes.data + done, left < OUTPUT_CHUNK ? left : OUTPUT_CHUNK);
        if (wrote < 0 && errno != EINTR)
            return output_fail(err, strerror(errno));
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

/* Some file systems have nothing to wait for, and say so with an error. */
static bool output_sync(const tl_output_set *set, int descriptor)
{
    return set->no_sync || fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
}

static bool output_sync_folders(const tl_output_set *set)
{
    bool ok = true;
    for (size_t i = 0; i < set->folder_count; i++)
        ok = output_sync(set, set->folders[i].descriptor) && ok;
    return ok;
}

/* Not mkstemp: the file shall have the rights that the user's umask leaves. */
static int output_open_temporary(tl_output_set *set, int folder, char name[OUTPUT_NAME_ROOM])
{
    int descriptor = -1;
    errno = EEXIST;
    for (int i = 0; i < OUTPUT_NAME_TRIES && descriptor < 0 && errno == EEXIST && output_new_name(set, name); i++)
        descriptor = tl_file_open_at(folder, name, O_WRONLY | O_CREAT | O_EXCL);
    return descriptor;
}

/* Can files be made there? Better to know before the work than after it. */
static bool output_try_folder(tl_output_set *set, int folder, trilo_error *err)
{
    char name[OUTPUT_NAME_ROOM];
    if (!output_hold_signals(set, err))
        return false;
    const int descriptor = output_open_temporary(set, folder, name);
    const int reason = errno;
    if (descriptor >= 0) {
        unlinkat(folder, name, 0);
        close(descriptor);
    }
    output_release_signals(set);
    return descriptor >= 0 || output_fail(err, strerror(reason));
}

/* Step 1 for one file. */
static bool output_write_staged(tl_output_set *set, tl_output *file, trilo_error *err)
{
    char *name = tl_array_raw(&set->arena, OUTPUT_NAME_ROOM, 1);
    if (!name)
        return tl_fail_memory(err);
    const int descriptor = output_open_temporary(set, file->folder, name);
    if (descriptor < 0)
        return output_fail(err, strerror(errno));
    file->staged = name;
    if (file->rights) /* what was there keeps its rights; if that fails, the file is still right */
        (void)!fchmod(descriptor, (mode_t)file->rights);
    bool ok = output_write_bytes(set, descriptor, file->bytes, err);
    if (ok && !output_sync(set, descriptor))
        ok = output_fail(err, strerror(errno));
    if (close(descriptor) != 0 && ok)
        ok = output_fail(err, strerror(errno));
    return ok;
}

/* ---- where files go ---- */

/* Makes the folders in front of the last part of a name that is not trusted. */
static bool output_make_folders(tl_output_set *set, const tl_output *file, const char *root, trilo_error *err)
{
    for (const char *slash = strchr(file->name, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *last, *part = tl_str_copy(&set->arena, file->name, (size_t)(slash - file->name)).data;
        const char *path = part ? tl_file_path_join(&set->arena, root, part) : NULL;
        const char **made =
            path ? tl_array_grow(&set->arena, set->made, set->made_count, &set->made_capacity, 1, sizeof *made) : NULL;
        if (!made)
            return tl_fail_memory(err);
        set->made = made;
        const int folder = tl_folder_open_below(root, part, &last);
        const bool is_new = folder >= 0 && mkdirat(folder, last, 0777) == 0;
        const int reason = errno;
        if (folder >= 0)
            close(folder);
        if (is_new)
            set->made[set->made_count++] = path;
        else if (folder < 0 || reason != EEXIST)
            return tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                           "its folder cannot be made: %s", strerror(reason));
    }
    return true;
}

/* Folders stay open until the set ends; each is opened and swept once. */
static bool output_keep_folder(tl_output_set *set, tl_output *file, int descriptor, trilo_error *err)
{
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        return output_fail(err, strerror(errno));
    const tl_output_folder folder = {(uint64_t)status.st_dev, (uint64_t)status.st_ino, descriptor};
    for (size_t i = 0; i < set->folder_count; i++)
        if (set->folders[i].device == folder.device && set->folders[i].number == folder.number) {
            close(descriptor);
            file->folder = set->folders[i].descriptor;
            return true;
        }
    tl_output_folder *folders =
        tl_array_grow(&set->arena, set->folders, set->folder_count, &set->folder_capacity, 1, sizeof *folders);
    if (!folders) {
        close(descriptor);
        return tl_fail_memory(err);
    }
    set->folders = folders;
    set->folders[set->folder_count++] = folder;
    file->folder = descriptor;
    output_sweep(descriptor);
    return output_try_folder(set, descriptor, err);
}

/* Opens the folder of a file, and looks at what is there. */
static bool output_resolve(tl_output_set *set, tl_output *file, trilo_error *err)
{
    struct stat status;
    if (file->below) {
        const size_t root = strlen(file->path) - strlen(file->name);
        const char *folder = tl_str_copy(&set->arena, root > 0 ? file->path : ".", root > 0 ? root : 1).data;
        if (!folder)
            return tl_fail_memory(err);
        if (!output_make_folders(set, file, folder, err) ||
            !output_keep_folder(set, file, tl_folder_open_below(folder, file->name, &file->name), err))
            return false;
    } else {
        char *target = realpath(file->path, NULL);
        const char *whole =
            tl_str_copy(&set->arena, target ? target : file->path, strlen(target ? target : file->path)).data;
        const char *folder = whole ? tl_file_path_folder(&set->arena, whole) : NULL;
        free(target);
        if (!folder)
            return tl_fail_memory(err);
        file->is_device = stat(file->path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
        if (file->is_device)
            return true;
        file->name = tl_file_path_last(whole);
        if (*file->name == '\0')
            return output_fail(err, *whole ? "it is a folder" : strerror(ENOENT));
        if (!output_keep_folder(set, file, tl_file_open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY), err))
            return false;
    }
    if (fstatat(file->folder, file->name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    if (S_ISDIR(status.st_mode))
        return output_fail(err, "it is a folder");
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
        return output_fail(err, "it is not a file");
    file->rights = S_ISREG(status.st_mode) ? (unsigned)(status.st_mode & 07777) : 0;
    return true;
}

static bool output_write_device(const tl_output_set *set, const tl_output *file, trilo_error *err)
{
    const int descriptor = tl_file_open_at(AT_FDCWD, file->path, O_WRONLY);
    if (descriptor < 0)
        return output_fail(err, strerror(errno));
    const bool ok = output_write_bytes(set, descriptor, file->bytes, err);
    return (close(descriptor) == 0 || !ok || output_fail(err, strerror(errno))) && ok;
}

bool tl_output_set_prepare(tl_output_set *set, trilo_error *err)
{
    set->prepared = true;
    for (set->failed = 0; set->failed < set->count; set->failed++) /* may wait for a reader: signals do not wait */
        if (set->files[set->failed].is_device && !output_write_device(set, &set->files[set->failed], err))
            return false;
    if (!output_hold_signals(set, err))
        return false;
    for (set->failed = 0; set->failed < set->count; set->failed++)
        if (!set->files[set->failed].is_device && !output_write_staged(set, &set->files[set->failed], err))
            return false;
    return true;
}

/* ---- taking their places ---- */

/* A second link costs nothing and leaves the file where it is; file systems without links get it moved. */
static bool output_back_up(tl_output_set *set, tl_output *file, bool move, trilo_error *err)
{
    struct stat status;
    char *name = tl_array_raw(&set->arena, OUTPUT_NAME_ROOM, 1);
    if (!name)
        return tl_fail_memory(err);
    if (fstatat(file->folder, file->name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return true; /* there is nothing to keep */
    if (S_ISDIR(status.st_mode))
        return output_fail(err, "it is not a file any more");
    for (int i = 0; i < OUTPUT_NAME_TRIES && output_new_name(set, name); i++) {
        const bool linked = linkat(file->folder, file->name, file->folder, name, 0) == 0;
        if (!linked && errno == EEXIST)
            continue;
        if (!linked && renameat(file->folder, file->name, file->folder, name) != 0)
            break;
        file->backup = name;
        return !move || !linked || unlinkat(file->folder, file->name, 0) == 0 || output_fail(err, strerror(errno));
    }
    return output_fail(err, strerror(errno));
}

static void output_restore(const tl_output *file)
{
    if (file->backup) {
        renameat(file->folder, file->backup, file->folder, file->name);
        unlinkat(file->folder, file->backup, 0); /* renaming one of two links of the same file does nothing */
    } else if (file->replaced) {
        unlinkat(file->folder, file->name, 0);
    }
}

static bool output_rename(tl_output *file, trilo_error *err)
{
    if (file->is_device)
        return true;
    if (renameat(file->folder, file->staged, file->folder, file->name) != 0)
        return output_fail(err, strerror(errno));
    file->replaced = true;
    return true;
}

/* Steps 2 to 4. */
static bool output_replace(tl_output_set *set, trilo_error *err)
{
    tl_output *main = &set->files[0];
    bool any = false;
    for (set->failed = 1; set->failed < set->count; set->failed++) {
        tl_output *file = &set->files[set->failed];
        if (!file->is_device && !output_back_up(set, file, false, err))
            return false;
        any |= file->backup != NULL;
    }
    set->failed = 0;
    if (any && !main->is_device && !output_back_up(set, main, true, err))
        return false;
    if (any && !output_sync_folders(set))
        return output_fail(err, strerror(errno));
    for (set->failed = 1; set->failed < set->count; set->failed++)
        if (!output_rename(&set->files[set->failed], err))
            return false;
    set->failed = 0;
    if (set->count > 1 && !output_sync_folders(set))
        return output_fail(err, strerror(errno));
    return output_rename(main, err);
}

/* The main file comes back after the others. */
bool tl_output_set_commit(tl_output_set *set, trilo_error *err)
{
    if (set->count == 0)
        return true;
    if (!set->prepared && !tl_output_set_prepare(set, err))
        return false;
    if (!output_replace(set, err)) {
        for (size_t i = set->count; i-- > 0;)
            output_restore(&set->files[i]);
        return false;
    }
    set->failed = set->count;
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].backup)
            unlinkat(set->files[i].folder, set->files[i].backup, 0);
    output_sync_folders(set);
    set->made_count = 0;
    return true;
}

void tl_output_set_end(tl_output_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].staged && !set->files[i].replaced)
            unlinkat(set->files[i].folder, set->files[i].staged, 0);
    for (size_t i = set->made_count; i-- > 0;)
        rmdir(set->made[i]);
    for (size_t i = 0; i < set->folder_count; i++)
        close(set->folders[i].descriptor);
    output_release_signals(set);
    tl_arena_free(&set->arena);
}
#else
static bool output_resolve(tl_output_set *set, tl_output *file, trilo_error *err)
{
    (void)set;
    return !file->below || !tl_file_path_leads_up(file->name) || output_fail(err, "its name leads out of the folder");
}

bool tl_output_set_prepare(tl_output_set *set, trilo_error *err)
{
    set->prepared = true;
    for (set->failed = 0; set->failed < set->count; set->failed++) {
        tl_output *file = &set->files[set->failed];
        char *name = tl_array_raw(&set->arena, strlen(file->path) + sizeof ".tmp", 1);
        if (!name)
            return tl_fail_memory(err);
        strcpy(name, file->path);
        strcat(name, ".tmp");
        FILE *out = fopen(name, "wb");
        if (!out)
            return output_fail(err, strerror(errno));
        file->staged = name;
        const bool wrote = fwrite(file->bytes.data, 1, file->bytes.size, out) == file->bytes.size;
        if (fclose(out) != 0 || !wrote)
            return output_fail(err, strerror(errno));
    }
    return true;
}

bool tl_output_set_commit(tl_output_set *set, trilo_error *err)
{
    if (!set->prepared && !tl_output_set_prepare(set, err))
        return false;
    for (set->failed = 0; set->failed < set->count; set->failed++) {
        tl_output *file = &set->files[set->failed];
        if (rename(file->staged, file->path) != 0)
            return output_fail(err, strerror(errno));
        file->replaced = true;
    }
    return true;
}

void tl_output_set_end(tl_output_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].staged && !set->files[i].replaced)
            remove(set->files[i].staged);
    tl_arena_free(&set->arena);
}
#endif

/* ---- staging ---- */

static bool output_stage(tl_output_set *set, tl_output file, trilo_error *err)
{
    if (!file.path || !file.name)
        return tl_fail_memory(err);
    if (!output_resolve(set, &file, err))
        return false;
    tl_output *files = tl_array_grow(&set->arena, set->files, set->count, &set->capacity, 1, sizeof *files);
    if (!files)
        return tl_fail_memory(err);
    set->files = files;
    set->files[set->count++] = file;
    set->failed = set->count;
    return true;
}

bool tl_output_set_stage(tl_output_set *set, const char *path, trilo_bytes bytes, trilo_error *err)
{
    const char *copy = tl_str_copy(&set->arena, path, strlen(path)).data;
    return output_stage(set, (tl_output){.path = copy, .name = copy, .bytes = bytes}, err);
}

bool tl_output_set_stage_below(tl_output_set *set, const char *folder, const char *name, trilo_bytes bytes,
                               trilo_error *err)
{
    const char *path = tl_file_path_join(&set->arena, folder, name);
    const char *copy = tl_str_copy(&set->arena, name, strlen(name)).data;
    return output_stage(set, (tl_output){.path = path, .name = copy, .bytes = bytes, .below = true}, err);
}

/* ---- a single file ---- */

bool tl_output_buffer_put(void *user, const void *bytes, size_t size)
{
    tl_output_buffer *buffer = user;
    uint8_t *grown = tl_array_grow(buffer->arena, buffer->bytes, buffer->size, &buffer->capacity, size, 1);
    buffer->out_of_memory |= !grown;
    if (!grown)
        return false;
    buffer->bytes = grown;
    if (size > 0)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

bool trilo_file_replace(const char *path, const trilo_file_opts *opts, trilo_fill_fn *fill, void *context,
                        trilo_error *err)
{
    trilo_file_opts own;
    tl_output_set set;
    tl_output_buffer buffer = {.arena = &set.arena};
    if (!TL_OPTS_TAKE(&own, opts, err))
        return false;
    tl_output_set_begin(&set, &own.memory);
    set.no_sync = own.no_sync;
    const trilo_bytes none = {NULL, 0};
    bool ok = own.below ? tl_output_set_stage_below(&set, own.below, path, none, err)
                        : tl_output_set_stage(&set, path, none, err);
    ok = ok && fill(context, tl_output_buffer_put, &buffer, err);
    if (buffer.out_of_memory)
        ok = tl_fail_memory(err);
    if (ok) {
        set.files[0].bytes = (trilo_bytes){buffer.bytes, buffer.size};
        ok = tl_output_set_commit(&set, err);
    }
    tl_output_set_end(&set);
    return ok;
}

bool trilo_files_replace(const trilo_extra_file *files, size_t count, const trilo_file_opts *opts, size_t *failed,
                         trilo_error *err)
{
    trilo_file_opts own;
    tl_output_set set;
    bool ok = true;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return false;
    tl_output_set_begin(&set, &own.memory);
    set.no_sync = own.no_sync;
    for (size_t i = 0; ok && i < count; i++)
        ok = own.below ? tl_output_set_stage_below(&set, own.below, files[i].path, files[i].bytes, err)
                       : tl_output_set_stage(&set, files[i].path, files[i].bytes, err);
    ok = ok && tl_output_set_commit(&set, err);
    if (failed)
        *failed = set.failed;
    tl_output_set_end(&set);
    return ok;
}
