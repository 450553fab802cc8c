/* batch.h: converts many models, only those that changed, several at a time.
 *
 * A manifest beside the output records what each output was made from: hashes of all files that were read, the names
 * of images that were looked up, the options and the version of the library. It is a log of lines with checksums: a
 * process that is killed loses at most its last line, and two batches may add to it at once. Without it, or when it is
 * damaged, models are converted again; an output that is out of date never counts as current.
 *
 * The conversion itself is a callback, which calls trilo_convert and trilo_conversion_commit, or makes the output from
 * the input in another way.
 */
#ifndef TRILOBITE_BATCH_H
#define TRILOBITE_BATCH_H

#include "trilobite/assets.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_batch_job {
    const char *input;              /* the model */
    const char *output;             /* what is made of it; no other job may have the same */
    const char *options;            /* everything else that determines the result, as text */
    const char *assets;             /* folder of images that are looked up by name, as in trilo_assets_opts */
    const trilo_asset_index *index; /* of that folder; may be NULL */
} trilo_batch_job;

typedef enum trilo_batch_state {
    TRILO_BATCH_STATE_CONVERTED,
    TRILO_BATCH_STATE_CURRENT,  /* nothing changed since it was converted */
    TRILO_BATCH_STATE_OUTDATED, /* in a dry run: it would be converted */
    TRILO_BATCH_STATE_FAILED,
    TRILO_BATCH_STATE_SKIPPED,  /* not tried, because another one failed or the batch was cancelled */
    TRILO_BATCH_STATE_ELSEWHERE /* belongs to another shard */
} trilo_batch_state;
enum { TRILO_BATCH_STATES = TRILO_BATCH_STATE_ELSEWHERE + 1 };

/* Receives the files of a conversion, from its callback. */
typedef struct trilo_batch_files trilo_batch_files;
TRILO_API void trilo_batch_files_read(trilo_batch_files *files, const char *path); /* the input need not be named */
/* An image was looked up by its name; path NULL: there is none. */
TRILO_API void trilo_batch_files_looked_up(trilo_batch_files *files, const char *name, const char *path);
/* A file that would have been read, but is not there: when it appears, the job is done again. */
TRILO_API void trilo_batch_files_missing(trilo_batch_files *files, const char *path);
/* Every file that was written, the output too, with its content. */
TRILO_API void trilo_batch_files_wrote(trilo_batch_files *files, const char *path, trilo_bytes bytes);
/* True if the last conversion of this job wrote the file: its content may be replaced without a warning. */
TRILO_API bool trilo_batch_files_are_own(const trilo_batch_files *files, const char *path);
/* A trilo_progress_fn with `files` as its user: false if the batch was cancelled, so that a long conversion ends. */
TRILO_API bool trilo_batch_files_progress(void *files, uint32_t done, uint32_t total);

/* Converts jobs[job]; several run at once, each in its own thread. Return false if it failed: it is tried again next
 * time. */
typedef bool trilo_batch_convert_fn(void *user, size_t job, trilo_batch_files *files);

/* Called in the thread of trilo_batch_run, in the order of the jobs. `problem` is a sentence if the batch itself found
 * the job to fail, otherwise NULL. */
typedef void trilo_batch_done_fn(void *user, size_t job, trilo_batch_state state, const char *problem);

/* A file of the manifest that no job makes any more. `problem` says why it was not removed; NULL: it was, or removing
 * was not requested. */
typedef void trilo_batch_stale_fn(void *user, const char *path, bool removed, const char *problem);

typedef struct trilo_batch_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;  /* for the plan and the manifest */
    const char *manifest; /* path; NULL: none, everything is converted */
    const char *root;     /* folder of all outputs; the manifest has paths relative to it */
    uint32_t threads;     /* 0: one for each processor */
    uint32_t shard;       /* the part of the jobs that are run, from 1 to shard_count, by the hash of the input */
    uint32_t shard_count; /* 0: all are run */
    bool force;           /* convert even what is current */
    bool keep_going;      /* after a failure too */
    bool dry_run;         /* convert and remove nothing */
    bool prune;           /* remove files that no job makes any more */
    trilo_batch_convert_fn *convert;
    void *convert_user;
    trilo_batch_done_fn *on_done; /* may be NULL */
    void *on_done_user;
    trilo_batch_stale_fn *on_stale; /* may be NULL */
    void *on_stale_user;
    trilo_progress_fn *on_progress; /* may be NULL; called several times a second */
    void *on_progress_user;
} trilo_batch_opts;

typedef struct trilo_batch_summary {
    size_t jobs[TRILO_BATCH_STATES]; /* how many ended in each state */
    size_t stale, removed;           /* files */
    uint64_t bytes;                  /* of the files that were written */
} trilo_batch_summary;

/* Returns false, with *err (which may be NULL), if the batch could not run: memory ran out, the manifest cannot be
 * written, two jobs have the same output, or it was cancelled. Jobs that failed are in the summary. */
TRILO_API bool trilo_batch_run(const trilo_batch_job *jobs, size_t count, const trilo_batch_opts *opts,
                               trilo_batch_summary *summary, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
