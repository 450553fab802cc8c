/* Waits for changes in the folders of a batch: at once where there is inotify, otherwise a second passes. Whether
 * anything changed is for the batch to find out. */
#ifdef __linux__
#define _DEFAULT_SOURCE
#endif

#include "batch/batch.h"

#include "paths.h"
#include "system.h"

#include <stdlib.h>

#ifdef __linux__
#include <dirent.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

enum { WATCH_QUIET = 100, WATCH_POLL = 1000 }; /* milliseconds */

#ifdef __linux__
/* The folder, or file, and all folders below it, also those in which there is no file yet. Folders that appear later
 * are found when the batch has run again. */
static void watch_tree(int descriptor, const char *path)
{
    inotify_add_watch(descriptor, path, IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const bool maybe_folder = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
        char *inner = maybe_folder && entry->d_name[0] != '.' ? path_join(path, entry->d_name) : NULL;
        struct stat info;
        if (inner && lstat(inner, &info) == 0 && S_ISDIR(info.st_mode))
            watch_tree(descriptor, inner);
        free(inner);
    }
    if (folder)
        closedir(folder);
}
#endif

batch_watch batch_watch_start(const batch_plan *plan)
{
    batch_watch watch = {-1};
#ifdef __linux__
    watch.descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    for (size_t i = 0; watch.descriptor >= 0 && i < plan->root_count; i++)
        watch_tree(watch.descriptor, plan->roots[i]);
    if (watch.descriptor >= 0 && plan->project)
        inotify_add_watch(watch.descriptor, plan->project->path, IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF);
#else
    (void)plan;
#endif
    return watch;
}

void batch_watch_wait(const batch_watch *watch)
{
    if (watch->descriptor <= 0) {
        system_pause(WATCH_POLL);
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
#ifdef __linux__
    if (watch->descriptor > 0)
        close(watch->descriptor);
#endif
    watch->descriptor = 0;
}
