#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include "alloc.h"
#include "paths.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 100000, MOST_FOLDERS = 10000, DEEPEST = 32 };

typedef struct scan_row {
    char *path;
    unsigned depth;
    dev_t device; /* with the number: which folder it is, whatever path led there */
    ino_t number;
} scan_row;

typedef struct scan_work {
    cli_scan *scan;
    const char *ending;
    size_t count; /* folders that were found; those in front have been looked into */
    scan_row *rows;
} scan_work;

static bool is_known(const scan_work *work, const struct stat *status)
{
    for (size_t i = 0; i < work->count; i++)
        if (work->rows[i].device == status->st_dev && work->rows[i].number == status->st_ino)
            return true;
    return false;
}

/* Takes the path. */
static void add_folder(scan_work *work, char *path, unsigned depth, const struct stat *status)
{
    if (work->count == MOST_FOLDERS || depth > DEEPEST || is_known(work, status)) {
        work->scan->cut |= !is_known(work, status);
        free(path);
        return;
    }
    work->rows = need(work->rows, work->count + 1, sizeof *work->rows);
    work->rows[work->count++] = (scan_row){path, depth, status->st_dev, status->st_ino};
}

static void add_file(scan_work *work, char *path)
{
    cli_scan *scan = work->scan;
    if (scan->count == MOST_FILES) {
        scan->cut = true;
        free(path);
        return;
    }
    scan->paths = need(scan->paths, scan->count + 1, sizeof *scan->paths);
    scan->paths[scan->count++] = path;
}

static void see(scan_work *work, const scan_row *folder, const char *name)
{
    struct stat status;
    const unsigned depth = folder->depth + 1;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return;
    char *path = path_join(folder->path, name);
    if (stat(path, &status) != 0)
        free(path);
    else if (S_ISDIR(status.st_mode))
        add_folder(work, path, depth, &status);
    else if (S_ISREG(status.st_mode) && path_ends(name, work->ending))
        add_file(work, path);
    else
        free(path);
}

static void look_into(scan_work *work, scan_row folder)
{
    const struct dirent *entry;
    DIR *dir = opendir(folder.path);
    while (dir && (entry = readdir(dir)))
        see(work, &folder, entry->d_name);
    if (dir)
        closedir(dir);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

cli_scan scan_folder(const char *folder, const char *ending)
{
    struct stat status;
    cli_scan scan = {0};
    scan_work work = {.scan = &scan, .ending = ending};
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
        add_folder(&work, path_join(".", folder), 0, &status);
    for (size_t i = 0; i < work.count; i++)
        look_into(&work, work.rows[i]);
    for (size_t i = 0; i < work.count; i++)
        free(work.rows[i].path);
    free(work.rows);
    if (scan.count > 0)
        qsort(scan.paths, scan.count, sizeof *scan.paths, compare);
    return scan;
}

void scan_free(cli_scan *scan)
{
    for (size_t i = 0; i < scan->count; i++)
        free(scan->paths[i]);
    free(scan->paths);
    *scan = (cli_scan){0};
}
