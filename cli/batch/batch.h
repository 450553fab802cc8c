/* batch.h: convert for whole folders. */
#ifndef TL_CLI_BATCH_BATCH_H
#define TL_CLI_BATCH_BATCH_H

#include "usage/args.h"

#include "trilobite/batch.h"
#include "trilobite/project.h"

/* True if the command line asks for a batch: an output folder, no OUT, or a folder as IN. */
bool batch_wanted(const cli_args *args);
exit_code batch_run(const cli_args *args);

/* One model: the arguments of a conversion of its own. */
typedef struct batch_item {
    char *in, *out;
    cli_args args; /* in and out are its operands */
    const char *operands[2];
    char *rom_path, *recipe;
    /* The result: */
    char *text; /* its messages */
    size_t text_size;
    exit_code code;
} batch_item;

typedef struct batch_plan {
    const cli_args *args;
    const trilo_project *project; /* NULL: none */
    char *output, *manifest;
    const trilo_format_info *format;
    size_t root_count;
    char **roots; /* what is converted: folders and files */
    size_t count, room;
    batch_item *items;
    size_t index_count;
    struct batch_index {
        char *folder;
        const trilo_asset_index *index;
    } * indices; /* of the folders of assets */
    trilo_batch_job *jobs;
} batch_plan;

/* True if the file of a folder is a model to convert, by its name and those beside it (plan.c). */
bool batch_is_source(const char *path);
/* Finds all models and their options (plan.c). Must be freed, even on failure. */
exit_code batch_plan_make(batch_plan *plan, const cli_args *args, const trilo_project *project);
void batch_plan_free(batch_plan *plan);

/* Writes the plan as a build file of Ninja (ninja.c). */
exit_code batch_write_ninja(const batch_plan *plan, const char *path);

/* Waits until something changes in the project file or the folders of a batch (watch.c). */
typedef struct batch_watch {
    int descriptor; /* of inotify; -1: none, the files are looked at instead */
    size_t count;
    char **paths;
    uint64_t seen; /* what they looked like */
} batch_watch;
void batch_watch_start(batch_watch *watch, const char *project); /* may be NULL */
void batch_watch_add(batch_watch *watch, const batch_plan *plan);
void batch_watch_wait(const batch_watch *watch);
void batch_watch_stop(batch_watch *watch);

#endif
