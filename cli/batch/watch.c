/* Waits for changes in the folders of a batch: inotify reports them, and elsewhere their files are looked at once a
 * second. The batch finds out what has changed. */
#ifdef __linux__
#define _DEFAULT_SOURCE
#endif

#include "batch/batch.h"

#include "alloc.h"
#include "hash.h"
#include "paths.h"
#include "system.h"

#include "trilobite/file.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <dirent.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

enum { WATCH_QUIET = 100, WATCH_POLL = 1000 }; /* milliseconds */

/* ---- looking at files ---- */

/* The names, sizes and times of all files. */
static uint64_t look_at_all(const batch_watch *watch)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < watch->count; i++) {
        const trilo_tree *tree = trilo_tree_list(watch->paths[i], NULL, NULL);
        hash = hash_add(hash, system_is_folder(watch->paths[i]) ? 1 : system_file_stamp(watch->paths[i]));
        for (size_t k = 0; tree && k < tree->count; k++) {
            for (const char *c = tree->paths[k]; *c; c++)
                hash = hash_add(hash, (unsigned char)*c);
            hash = hash_add(hash, system_file_stamp(tree->paths[k]));
        }
        trilo_tree_free(tree);
    }
    return hash;
}

/* ---- inotify ---- */

static void stop_notifying(batch_watch *watch)
{
#ifdef __linux__
    if (watch->descriptor >= 0)
        close(watch->descriptor);
#endif
    watch->descriptor = -1;
}

#ifdef __linux__
/* The folder, or file, and all folders below it, also those in which there is no file yet. Folders that appear later
 * are found when the batch has run again. */
static bool notify_of_tree(int descriptor, const char *path)
{
    const uint32_t events =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF;
    bool ok = inotify_add_watch(descriptor, path, events) >= 0;
    DIR *folder = ok ? opendir(path) : NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const bool maybe_folder = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
        char *inner = maybe_folder && entry->d_name[0] != '.' ? path_join(path, entry->d_name) : NULL;
        struct stat info;
        if (inner && lstat(inner, &info) == 0 && S_ISDIR(info.st_mode))
            ok = notify_of_tree(descriptor, inner) && ok;
        free(inner);
    }
    if (folder)
        closedir(folder);
    return ok;
}
#endif

/* ---- what is watched ---- */

static void watch_path(batch_watch *watch, const char *path)
{
    watch->paths = need((void *)watch->paths, watch->count + 1, sizeof *watch->paths);
    watch->paths[watch->count] = need(NULL, strlen(path) + 1, 1);
    strcpy(watch->paths[watch->count++], path);
#ifdef __linux__
    /* A path that is missing, or beyond the system's limit of watches, is polled instead. */
    if (watch->descriptor >= 0 && !notify_of_tree(watch->descriptor, path))
        stop_notifying(watch);
#endif
}

void batch_watch_start(batch_watch *watch, const char *project)
{
    *watch = (batch_watch){.descriptor = -1};
#ifdef __linux__
    watch->descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
#endif
    if (project)
        watch_path(watch, project);
    watch->seen = look_at_all(watch);
}

void batch_watch_add(batch_watch *watch, const batch_plan *plan)
{
    for (size_t i = 0; i < plan->root_count; i++)
        watch_path(watch, plan->roots[i]);
    for (size_t i = 0; i < plan->index_count; i++) /* images may be elsewhere */
        watch_path(watch, plan->indices[i].folder);
    watch->seen = watch->descriptor < 0 ? look_at_all(watch) : 0;
}

void batch_watch_wait(const batch_watch *watch)
{
    if (watch->descriptor < 0) {
        do
            system_pause(WATCH_POLL);
        while (look_at_all(watch) == watch->seen);
        return;
    }
#ifdef __linux__
    char events[4096];
    struct pollfd wait = {watch->descriptor, POLLIN, 0};
    poll(&wait, 1, -1);
    while (poll(&wait, 1, WATCH_QUIET) > 0) /* a program that is writing has probably finished when nothing follows */
        if (read(watch->descriptor, events, sizeof events) <= 0)
            return;
#endif
}

void batch_watch_stop(batch_watch *watch)
{
    stop_notifying(watch);
    for (size_t i = 0; i < watch->count; i++)
        free(watch->paths[i]);
    free((void *)watch->paths);
}
