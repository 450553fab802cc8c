#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "view/watch.h"

#ifdef TRILO_WITH_MICROHTTPD
#include "hash.h"
#include "paths.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

enum {
    WATCH_QUIET = 100,    /* a change is reported after that long without another one, */
    WATCH_PATIENCE = 400, /* or that long after the first one, if changes do not end */
    WATCH_POLL = 250,
    WATCH_POLL_NOTIFIED = 1000 /* with inotify, which file systems of other machines do not serve */
};

static uint64_t milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* ---- what is looked at ---- */

/* Each file and its folder: a new file there may belong to the model, or be found before one that does. */
static uint64_t look_at_all(const view_models *models)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < models->count; i++) {
        const view_model *model = models->rows[i];
        for (size_t k = 0; k < (model->bundle ? model->bundle->file_count : 1); k++) {
            const char *path = model->bundle ? model->bundle->files[k].path : model->path;
            char *folder = path_folder(path);
            hash = hash_add(hash_add(hash, system_file_stamp(path)), system_file_stamp(folder));
            free(folder);
        }
    }
    return hash;
}

#ifdef __linux__
/* The same folder twice is one watch for the system. */
static void watch_folders(const view_watch *watch, const view_models *models)
{
    const uint32_t events =
        IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB;
    for (size_t i = 0; watch->descriptor >= 0 && i < models->count; i++) {
        const view_model *model = models->rows[i];
        for (size_t k = 0; k < (model->bundle ? model->bundle->file_count : 1); k++) {
            char *folder = path_folder(model->bundle ? model->bundle->files[k].path : model->path);
            inotify_add_watch(watch->descriptor, folder, events);
            free(folder);
        }
    }
}

static bool watch_knows(const view_models *models, const char *name)
{
    for (size_t i = 0; i < models->count; i++) {
        const view_model *model = models->rows[i];
        for (size_t k = 0; k < (model->bundle ? model->bundle->file_count : 1); k++)
            if (strcmp(path_last(model->bundle ? model->bundle->files[k].path : model->path), name) == 0)
                return true;
    }
    return false;
}

/* True if anything has happened. *ours: to a file with the name of one of ours; of two changes within the resolution of
 * file times, the second is only seen here. */
static bool watch_drain(const view_watch *watch, const view_models *models, bool *ours)
{
    _Alignas(struct inotify_event) char events[4096];
    bool any = false;
    for (ssize_t size; watch->descriptor >= 0 && (size = read(watch->descriptor, events, sizeof events)) > 0;)
        for (char *at = events; at < events + size;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)at;
            *ours |= (event->mask & IN_Q_OVERFLOW) || (event->len > 0 && watch_knows(models, event->name));
            any = true;
            at += sizeof *event + event->len;
        }
    return any;
}
#endif

/* ---- when ---- */

void watch_start(view_watch *watch, const view_models *models)
{
    *watch = (view_watch){.descriptor = -1, .now = milliseconds(), .seen = look_at_all(models)};
    watch->looked = watch->now;
#ifdef __linux__
    watch->descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    watch_folders(watch, models);
#endif
}

void watch_stop(view_watch *watch)
{
    if (watch->descriptor >= 0)
        close(watch->descriptor);
    watch->descriptor = -1;
}

static uint64_t watch_due(const view_watch *watch)
{
    const uint64_t quiet = watch->changed + WATCH_QUIET, patience = watch->first + WATCH_PATIENCE;
    if (watch->pending)
        return quiet < patience ? quiet : patience;
    return watch->looked + (watch->descriptor >= 0 ? WATCH_POLL_NOTIFIED : WATCH_POLL);
}

uint64_t watch_timeout(const view_watch *watch)
{
    const uint64_t now = milliseconds(), due = watch_due(watch);
    return due > now ? due - now : 0;
}

bool watch_changed(view_watch *watch, const view_models *models)
{
    bool notified = false, ours = false;
    watch->now = milliseconds();
#ifdef __linux__
    notified = watch_drain(watch, models, &ours);
#endif
    if (notified || watch->now >= watch_due(watch)) {
        const uint64_t seen = look_at_all(models);
        watch->looked = watch->now;
        if (ours || seen != watch->seen) {
            watch->first = watch->pending ? watch->first : watch->now;
            watch->changed = watch->now;
            watch->pending = true;
        }
        watch->seen = seen;
    }
    if (!watch->pending || watch->now < watch_due(watch))
        return false;
    watch->pending = false;
#ifdef __linux__
    watch_folders(watch, models); /* the files may be in other folders now, or in new ones of the same name */
#endif
    return true;
}
#else
typedef int watch_needs_a_server; /* a source file must not be empty */
#endif
