#include "api/file/folder_scan.h"

#include "api/file/path.h"
#include "base/array.h"
#include "base/os.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if TL_HAVE_OS || defined(__wasi__)
#include <errno.h>

enum { SCAN_MOST_FILES = 100000, SCAN_MOST_FOLDERS = 10000, SCAN_MOST_OF_TREE = 100000000, SCAN_DEEPEST = 32 };

typedef struct scan_folder {
    const char *path;
    unsigned depth;
} scan_folder;

typedef struct scan_work {
    tl_arena *arena;
    tl_folder_scan *scan;
    size_t count, capacity; /* folders that were found; those in front have been looked into */
    scan_folder *folders;
    size_t most_files, most_folders;
    unsigned deepest;
    bool hidden; /* names that begin with a dot count */
} scan_work;

static void scan_add_folder(scan_work *work, const char *path, unsigned depth)
{
    if (work->count >= work->most_folders || depth > work->deepest) {
        work->scan->cut = true;
        return;
    }
    scan_folder *folders = tl_array_grow(work->arena, work->folders, work->count, &work->capacity, 1, sizeof *folders);
    work->scan->out_of_memory |= !folders;
    if (!folders)
        return;
    work->folders = folders;
    work->folders[work->count++] = (scan_folder){path, depth};
}

static void scan_add_file(scan_work *work, const char *path)
{
    tl_folder_scan *scan = work->scan;
    if (scan->count >= work->most_files) {
        scan->cut = true;
        return;
    }
    const char **paths = tl_array_grow(work->arena, scan->paths, scan->count, &scan->capacity, 1, sizeof *paths);
    scan->out_of_memory |= !paths;
    if (!paths)
        return;
    scan->paths = paths;
    scan->paths[scan->count++] = path;
}

static void scan_look_into(scan_work *work, scan_folder folder, const char *ending)
{
    const char *name;
    tl_os_kind kind;
    tl_os_list *list = tl_os_list_path(folder.path);
    /* A folder that cannot be opened for lack of memory or descriptors is not an empty one. */
    if (!list && (errno == ENOMEM || errno == EMFILE || errno == ENFILE))
        work->scan->out_of_memory = true;
    else if (!list && errno != ENOENT && errno != ENOTDIR && !work->scan->unread)
        work->scan->unread = folder.path;
    while (list && (name = tl_os_list_next(list))) {
        if ((*name == '.' && !work->hidden) || !tl_os_list_kind(list, name, &kind) ||
            !(kind == TL_OS_KIND_FOLDER || (kind == TL_OS_KIND_FILE && tl_file_path_ends(name, ending))))
            continue;
        const char *path = tl_file_path_join(work->arena, folder.path, name);
        if (!path)
            work->scan->out_of_memory = true;
        else if (kind == TL_OS_KIND_FOLDER)
            scan_add_folder(work, path, folder.depth + 1);
        else
            scan_add_file(work, path);
    }
    tl_os_list_close(list);
}

static int scan_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static tl_folder_scan scan_all(scan_work *work, const char *folder, const char *ending)
{
    tl_folder_scan scan = {0};
    work->scan = &scan;
    scan_add_folder(work, folder, 0);
    for (size_t i = 0; i < work->count; i++)
        scan_look_into(work, work->folders[i], ending);
    if (scan.count > 0)
        qsort(scan.paths, scan.count, sizeof *scan.paths, scan_compare);
    work->scan = NULL;
    return scan;
}

tl_folder_scan tl_folder_scan_files(tl_arena *arena, const char *folder, const char *ending)
{
    scan_work work = {.arena = arena,
                      .most_files = SCAN_MOST_FILES,
                      .most_folders = SCAN_MOST_FOLDERS,
                      .deepest = SCAN_DEEPEST,
                      .hidden = true};
    return scan_all(&work, folder, ending);
}

tl_folder_scan tl_folder_scan_tree(tl_arena *arena, const char *folder)
{
    scan_work work = {
        .arena = arena, .most_files = SCAN_MOST_OF_TREE, .most_folders = SCAN_MOST_OF_TREE, .deepest = UINT_MAX};
    return scan_all(&work, folder, "");
}
#else
tl_folder_scan tl_folder_scan_files(tl_arena *arena, const char *folder, const char *ending)
{
    (void)arena, (void)folder, (void)ending;
    return (tl_folder_scan){0};
}

tl_folder_scan tl_folder_scan_tree(tl_arena *arena, const char *folder)
{
    (void)arena, (void)folder;
    return (tl_folder_scan){0};
}
#endif
