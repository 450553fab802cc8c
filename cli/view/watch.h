/* watch.h: notices that files have changed.
 *
 * Times and sizes of the files and their folders are compared several times a second, which works everywhere; where
 * there is inotify, it says at once when to look. A file that is replaced, deleted or created again changes its folder.
 */
#ifndef TL_CLI_VIEW_WATCH_H
#define TL_CLI_VIEW_WATCH_H

#include "view/models.h"

typedef struct view_watch {
    int descriptor;               /* readable when something happened; -1: there is no inotify */
    uint64_t seen;                /* of the files and folders, when they were last looked at */
    uint64_t now, changed, first; /* in milliseconds: the clock, the last change, the first one that was not reported */
    uint64_t looked;
    bool pending;
} view_watch;

void watch_start(view_watch *watch, const view_models *models);
void watch_stop(view_watch *watch);

/* How many milliseconds may pass before watch_changed must be called. */
uint64_t watch_timeout(const view_watch *watch);

/* True if anything has changed, and nothing more for a moment, so that a program that is writing has probably
 * finished. */
bool watch_changed(view_watch *watch, const view_models *models);

#endif
