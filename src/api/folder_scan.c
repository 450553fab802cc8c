#define _POSIX_C_SOURCE 200809L

#include "api/folder_scan.h"

#include "api/file_path.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <dirent.h>
#include <sys/stat.h>

enum { SCAN_MOST_FILES = 100000, SCAN_MOST_FOLDERS = 10000, SCAN_DEEPEST = 32 };

typedef struct scan_folder {
    const char *path;
    unsigned depth;
    dev_t device; /* with the number: which folder it is, whatever path led there */
    ino_t number;
} scan_folder;

typedef struct scan_work {
    tl_arena *arena;
    tl_folder_scan *scan;
    size_t count, capacity; /* folders that were found; those in front have been looked into */
    scan_folder *folders;
} scan_work;

static void scan_add_folder(scan_work *work, const char *path, unsigned depth, const struct stat *status)
{
    for (size_t i = 0; i < work->count; i++)
        if (work->folders[i].device == status->st_dev && work->folders[i].number == status->st_ino)
            return;
    const bool allowed = work->count < SCAN_MOST_FOLDERS && depth <= SCAN_DEEPEST;
    scan_folder *folders =
        allowed ? tl_array_grow(work->arena, work->folders, work->count, &work->capacity, 1, sizeof *folders) : NULL;
    work->scan->cut |= !folders;
    if (!folders)
        return;
    work->folders = folders;
    work->folders[work->count++] = (scan_folder){path, depth, status->st_dev, status->st_ino};
}

static void scan_look_into(scan_work *work, scan_folder folder, const char *ending)
{
    tl_folder_scan *scan = work->scan;
    const struct dirent *entry;
    struct stat status;
    DIR *dir = opendir(folder.path);
    while (dir && (entry = readdir(dir))) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        const char *path = tl_file_path_join(work->arena, folder.path, name);
        scan->cut |= !path;
        if (!path || stat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode))
            scan_add_folder(work, path, folder.depth + 1, &status);
        if (!S_ISREG(status.st_mode) || !tl_file_path_ends(name, ending))
            continue;
        const char **paths = NULL;
        if (scan->count < SCAN_MOST_FILES)
            paths = tl_array_grow(work->arena, scan->paths, scan->count, &scan->capacity, 1, sizeof *paths);
        scan->cut |= !paths;
        if (!paths)
            continue;
        scan->paths = paths;
        scan->paths[scan->count++] = path;
    }
    if (dir)
        closedir(dir);
}

static int scan_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

tl_folder_scan tl_folder_scan_files(tl_arena *arena, const char *folder, const char *ending)
{
    struct stat status;
    tl_folder_scan scan = {0};
    scan_work work = {.arena = arena, .scan = &scan};
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
        scan_add_folder(&work, folder, 0, &status);
    for (size_t i = 0; i < work.count; i++)
        scan_look_into(&work, work.folders[i], ending);
    if (scan.count > 0)
        qsort(scan.paths, scan.count, sizeof *scan.paths, scan_compare);
    return scan;
}
#else
tl_folder_scan tl_folder_scan_files(tl_arena *arena, const char *folder, const char *ending)
{
    (void)arena, (void)folder, (void)ending;
    return (tl_folder_scan){0};
}
#endif
