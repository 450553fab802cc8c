/* Replacing files together needs an operating system; elsewhere plain stdio does it, without links, permissions,
 * folders and roll back. */
#include "api/file/output_set.h"

#include "api/file/open.h"
#include "api/file/path.h"
#include "api/file/rom.h"
#include "base/array.h"
#include "base/opts.h"
#include "base/report.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if TL_HAVE_OS
#include <inttypes.h>
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

#if TL_HAVE_OS

/* ---- signals ---- */

/* A signal that ends the process waits until no temporary file is left. */
static void output_hold_signals(tl_output_set *set)
{
    tl_os_signals_hold(&set->signals, TL_OS_SIGNALS_ALL);
    set->holds = true;
}

static void output_release_signals(tl_output_set *set)
{
    if (set->holds)
        tl_os_signals_release(&set->signals);
    set->holds = false;
}

/* True if the process is about to end. Then large files are not written to their end. */
static bool output_is_interrupted(const tl_output_set *set)
{
    return set->holds && tl_os_signals_pending(&set->signals, true);
}

/* ---- temporary files ---- */

#define OUTPUT_TEMPORARY ".trilobite-"
enum { OUTPUT_NAME_ROOM = 64, OUTPUT_NAME_TRIES = 100, OUTPUT_STALE_SECONDS = 3600, OUTPUT_CHUNK = 1 << 20 };

/* A unique name, from the time, the process id and a counter. */
static bool output_new_name(tl_output_set *set, char name[OUTPUT_NAME_ROOM])
{
    const tl_os_time now = tl_os_now();
    const uint64_t number = (uint64_t)now.nanoseconds << 32 ^ tl_os_process_id();
    const int length = snprintf(name, OUTPUT_NAME_ROOM, OUTPUT_TEMPORARY "%" PRIx64 "-%" PRIx64 "-%" PRIx32 ".tmp",
                                (uint64_t)now.seconds, number, set->names++);
    return length > 0 && length < OUTPUT_NAME_ROOM;
}

/* Whether output_new_name made the name, and the second in which it did. */
static bool output_is_temporary(const char *name, uint64_t *made)
{
    if (strncmp(name, OUTPUT_TEMPORARY, strlen(OUTPUT_TEMPORARY)) != 0)
        return false;
    name += strlen(OUTPUT_TEMPORARY);
    for (int i = 0; i < 3; i++) {
        const size_t digits = strspn(name, "0123456789abcdef");
        if (digits == 0 || digits > 16)
            return false;
        if (i == 0)
            *made = strtoull(name, NULL, 16);
        name += digits;
        if (i < 2 && *name++ != '-')
            return false;
    }
    return strcmp(name, ".tmp") == 0;
}

/* Removes temporary files of processes that were killed. */
static void output_sweep(tl_os_file folder)
{
    tl_os_list *list = tl_os_list_folder(folder);
    const int64_t now = tl_os_now().seconds;
    for (const char *name; list && (name = tl_os_list_next(list));) {
        uint64_t made;
        if (output_is_temporary(name, &made) && now > OUTPUT_STALE_SECONDS &&
            made < (uint64_t)now - OUTPUT_STALE_SECONDS)
            tl_os_remove(folder, name);
    }
    tl_os_list_close(list);
}

static bool output_write_bytes(const tl_output_set *set, tl_os_file out, trilo_bytes bytes, trilo_error *err)
{
    for (size_t done = 0; done < bytes.size;) {
        if (output_is_interrupted(set))
            return output_fail(err, strerror(EINTR));
        const size_t left = bytes.size - done;
        const ptrdiff_t wrote = tl_os_write(out, bytes.data + done, left < OUTPUT_CHUNK ? left : OUTPUT_CHUNK);
        if (wrote < 0)
            return output_fail(err, strerror(errno));
        done += (size_t)wrote;
    }
    return true;
}

static bool output_sync_folders(const tl_output_set *set)
{
    bool ok = true;
    for (size_t i = 0; i < set->folder_count; i++)
        ok = (set->no_sync || tl_os_sync(set->folders[i].open)) && ok;
    return ok;
}

/* Not mkstemp: the file gets the permissions that the umask leaves. */
static tl_os_file output_open_temporary(tl_output_set *set, tl_os_file folder, char name[OUTPUT_NAME_ROOM])
{
    tl_os_file out = TL_OS_NONE;
    errno = EEXIST;
    for (int i = 0; i < OUTPUT_NAME_TRIES && out == TL_OS_NONE && errno == EEXIST && output_new_name(set, name); i++)
        out = tl_os_open(folder, name, TL_OS_CREATE);
    return out;
}

/* True if files can be created there. Tested before the work, not after it. */
static bool output_try_folder(tl_output_set *set, tl_os_file folder, trilo_error *err)
{
    char name[OUTPUT_NAME_ROOM];
    output_hold_signals(set);
    const tl_os_file out = output_open_temporary(set, folder, name);
    const int reason = errno;
    if (out != TL_OS_NONE) {
        tl_os_close(out);
        tl_os_remove(folder, name);
    }
    output_release_signals(set);
    return out != TL_OS_NONE || output_fail(err, strerror(reason));
}

/* Step 1 for one file. */
static bool output_write_staged(tl_output_set *set, tl_output *file, trilo_error *err)
{
    char *name = tl_array_raw(&set->arena, OUTPUT_NAME_ROOM, 1);
    if (!name)
        return tl_fail_memory(err);
    const tl_os_file out = output_open_temporary(set, file->folder, name);
    if (out == TL_OS_NONE)
        return output_fail(err, strerror(errno));
    file->staged = name;
    if (file->permissions) /* those of the replaced file; failure to set them is harmless */
        (void)!tl_os_set_permissions(out, file->permissions);
    bool ok = output_write_bytes(set, out, file->bytes, err);
    if (ok && !set->no_sync && !tl_os_sync(out))
        ok = output_fail(err, strerror(errno));
    if (!tl_os_close(out) && ok)
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
        const tl_os_file folder = tl_folder_open_below(root, part, &last);
        const bool is_new = folder != TL_OS_NONE && tl_os_make_folder(folder, last);
        const int reason = errno;
        if (folder != TL_OS_NONE)
            tl_os_close(folder);
        if (is_new)
            set->made[set->made_count++] = path;
        else if (folder == TL_OS_NONE || reason != EEXIST)
            return tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                           "its folder cannot be made: %s", strerror(reason));
    }
    return true;
}

/* Folders stay open until the set ends; each is opened and swept once. */
static bool output_keep_folder(tl_output_set *set, tl_output *file, tl_os_file open, trilo_error *err)
{
    tl_os_status status;
    if (open == TL_OS_NONE || !tl_os_stat_file(open, &status))
        return output_fail(err, errno == ENOENT ? "its folder does not exist; create it first" : strerror(errno));
    const tl_output_folder folder = {status.device, status.inode, open};
    for (size_t i = 0; i < set->folder_count; i++)
        if (set->folders[i].device == folder.device && set->folders[i].number == folder.number) {
            tl_os_close(open);
            file->folder = set->folders[i].open;
            return true;
        }
    tl_output_folder *folders =
        tl_array_grow(&set->arena, set->folders, set->folder_count, &set->folder_capacity, 1, sizeof *folders);
    if (!folders) {
        tl_os_close(open);
        return tl_fail_memory(err);
    }
    set->folders = folders;
    set->folders[set->folder_count++] = folder;
    file->folder = open;
    output_sweep(open);
    return output_try_folder(set, open, err);
}

/* Opens the folder of a file, and looks at what is there. */
static bool output_resolve(tl_output_set *set, tl_output *file, trilo_error *err)
{
    tl_os_status status;
    if (file->below) {
        const size_t root = strlen(file->path) - strlen(file->name);
        const char *folder = tl_str_copy(&set->arena, root > 0 ? file->path : ".", root > 0 ? root : 1).data;
        if (!folder)
            return tl_fail_memory(err);
        if (!output_make_folders(set, file, folder, err) ||
            !output_keep_folder(set, file, tl_folder_open_below(folder, file->name, &file->name), err))
            return false;
    } else {
        if (tl_file_rom_length(file->path) > 0)
            return output_fail(err, "it is in a ROM, and ROMs are only read");
        char *target = tl_os_resolve(file->path);
        const char *whole =
            tl_str_copy(&set->arena, target ? target : file->path, strlen(target ? target : file->path)).data;
        const char *folder = whole ? tl_file_path_folder(&set->arena, whole) : NULL;
        free(target);
        if (!folder)
            return tl_fail_memory(err);
        file->is_device = tl_os_stat(TL_OS_HERE, file->path, true, &status) && status.kind == TL_OS_KIND_OTHER;
        if (file->is_device)
            return true;
        file->name = tl_file_path_last(whole);
        if (*file->name == '\0')
            return output_fail(err, *whole ? "it is a folder" : strerror(ENOENT));
        if (!output_keep_folder(set, file, tl_os_open(TL_OS_HERE, folder, TL_OS_FOLDER), err))
            return false;
    }
    if (!tl_os_stat(file->folder, file->name, false, &status))
        return true;
    if (status.kind == TL_OS_KIND_FOLDER)
        return output_fail(err, "it is a folder");
    if (status.kind == TL_OS_KIND_OTHER)
        return output_fail(err, "it is not a file");
    file->permissions = status.kind == TL_OS_KIND_FILE ? status.permissions : 0;
    return true;
}

static bool output_write_device(const tl_output_set *set, const tl_output *file, trilo_error *err)
{
    const tl_os_file out = tl_os_open(TL_OS_HERE, file->path, TL_OS_WRITE);
    if (out == TL_OS_NONE)
        return output_fail(err, strerror(errno));
    const bool ok = output_write_bytes(set, out, file->bytes, err);
    return (tl_os_close(out) || !ok || output_fail(err, strerror(errno))) && ok;
}

bool tl_output_set_prepare(tl_output_set *set, trilo_error *err)
{
    set->prepared = true;
    for (set->failed = 0; set->failed < set->count; set->failed++) /* may wait for a reader: signals do not wait */
        if (set->files[set->failed].is_device && !output_write_device(set, &set->files[set->failed], err))
            return false;
    output_hold_signals(set);
    for (set->failed = 0; set->failed < set->count; set->failed++)
        if (!set->files[set->failed].is_device && !output_write_staged(set, &set->files[set->failed], err))
            return false;
    return true;
}

/* ---- renaming ---- */

/* A second link costs nothing and leaves the file where it is; file systems without links get it moved. */
static bool output_back_up(tl_output_set *set, tl_output *file, bool move, trilo_error *err)
{
    tl_os_status status;
    char *name = tl_array_raw(&set->arena, OUTPUT_NAME_ROOM, 1);
    if (!name)
        return tl_fail_memory(err);
    if (!tl_os_stat(file->folder, file->name, false, &status))
        return true; /* there is nothing to keep */
    if (status.kind == TL_OS_KIND_FOLDER)
        return output_fail(err, "it is not a file any more");
    for (int i = 0; i < OUTPUT_NAME_TRIES && output_new_name(set, name); i++) {
        const bool linked = tl_os_link(file->folder, file->name, name);
        if (!linked && errno == EEXIST)
            continue;
        if (!linked && !tl_os_rename(file->folder, file->name, name))
            break;
        file->backup = name;
        return !move || !linked || tl_os_remove(file->folder, file->name) || output_fail(err, strerror(errno));
    }
    return output_fail(err, strerror(errno));
}

static void output_restore(const tl_output *file)
{
    if (file->backup) {
        tl_os_rename(file->folder, file->backup, file->name);
        tl_os_remove(file->folder, file->backup); /* renaming one of two links of the same file does nothing */
    } else if (file->replaced) {
        tl_os_remove(file->folder, file->name);
    }
}

static bool output_rename(tl_output *file, trilo_error *err)
{
    if (file->is_device)
        return true;
    if (!tl_os_rename(file->folder, file->staged, file->name))
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
            tl_os_remove(set->files[i].folder, set->files[i].backup);
    output_sync_folders(set);
    set->made_count = 0;
    return true;
}

void tl_output_set_end(tl_output_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].staged && !set->files[i].replaced)
            tl_os_remove(set->files[i].folder, set->files[i].staged);
    for (size_t i = 0; i < set->folder_count; i++)
        tl_os_close(set->folders[i].open);
    for (size_t i = set->made_count; i-- > 0;)
        tl_os_remove_folder(set->made[i]);
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
