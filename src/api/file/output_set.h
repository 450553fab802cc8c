/* output_set.h: files that are written together: all of them are replaced, or all stay as they were.
 *
 * Staging opens the folder, and keeps the bytes. tl_output_set_commit then
 *   1. writes every file under a temporary name in its folder, and waits until the disk has it;
 *   2. gives what is there a second name;
 *   3. takes the old main file away, if one of the others replaces something;
 *   4. renames the others, then the main file, which is the first one that was staged;
 *   5. removes the second names.
 * A failure restores what was there. If the process is killed or the power fails in between, the main file is the old
 * one with its own companions, or the new one with its own, or it is missing: never one with companions of the other.
 *
 * Temporary names are ".trilobite-SECONDS-NUMBER-NUMBER.tmp". Signals wait while such files exist. Those that a killed
 * process left are removed by the next one that writes to the folder after an hour.
 */
#ifndef TL_API_FILE_OUTPUT_SET_H
#define TL_API_FILE_OUTPUT_SET_H

#include "base/arena.h"
#include "base/os.h"
#include "trilobite/file.h"

typedef struct tl_output {
    const char *path;
    trilo_bytes bytes;
    bool below;                  /* the name is not trusted: links are replaced, not followed */
    bool is_device;              /* or a pipe: the bytes are written to it directly */
    bool replaced;               /* by the new file */
    unsigned permissions;        /* of what is there; 0: nothing is there */
    tl_os_file folder;           /* that it is in */
    const char *name;            /* in the folder */
    const char *staged, *backup; /* temporary names in the folder: the new file, and what was there; NULL: none */
} tl_output;

typedef struct tl_output_folder {
    uint64_t device, number; /* which folder it is */
    tl_os_file open;
} tl_output_folder;

typedef struct tl_output_set {
    tl_arena arena;
    bool no_sync; /* do not wait for the disk */
    bool prepared;
    size_t count, capacity;
    tl_output *files;
    size_t failed; /* the file that the commit failed at; `count`: none */
    size_t folder_count, folder_capacity;
    tl_output_folder *folders;
    size_t made_count, made_capacity;
    const char **made; /* folders that were made for them */
    uint32_t names;    /* temporary names that were made */
    bool holds;        /* signals wait */
    tl_os_signals signals;
} tl_output_set;

/* `memory` may be NULL: the C library's. */
void tl_output_set_begin(tl_output_set *set, const trilo_memory *memory);

/* The bytes must stay until the commit. A symbolic link at `path` stays, and the file it names is replaced. */
bool tl_output_set_stage(tl_output_set *set, const char *path, trilo_bytes bytes, trilo_error *err);
/* For a name that is not trusted: it must lead below `folder` without a link. Missing folders are created. */
bool tl_output_set_stage_below(tl_output_set *set, const char *folder, const char *name, trilo_bytes bytes,
                               trilo_error *err);

/* Step 1; tl_output_set_commit does it if it has not been done. */
bool tl_output_set_prepare(tl_output_set *set, trilo_error *err);
bool tl_output_set_commit(tl_output_set *set, trilo_error *err);

/* Bytes that grow, in an arena: a file is complete before it is staged. tl_output_buffer_put is a sink. */
typedef struct tl_output_buffer {
    tl_arena *arena;
    uint8_t *bytes;
    size_t size, capacity;
    bool out_of_memory;
} tl_output_buffer;
bool tl_output_buffer_put(void *buffer, const void *bytes, size_t size);

/* Frees it. If the set was prepared and not committed, its temporary files and folders are removed. */
void tl_output_set_end(tl_output_set *set);

#endif
