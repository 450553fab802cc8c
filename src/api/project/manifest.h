/* manifest.h: what the outputs of a batch were made from.
 *
 * A text file: a first line with its version, then a line for each record: a checksum, a space and a JSON object. The
 * last valid record of an output counts. Lines are only appended, each with one write, and begin with an empty line, so
 * that a torn line or another process that appends does no harm. The file is rewritten when most of it is outdated and
 * no other process uses it. Needs an operating system; without one there is no manifest.
 */
#ifndef TL_API_PROJECT_MANIFEST_H
#define TL_API_PROJECT_MANIFEST_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/os.h"
#include "trilobite/error.h"

/* A file, as it was when the output was made. */
typedef struct tl_manifest_file {
    const char *path;
    const char *stamp; /* size, times and inode; "": to be compared by content */
    const char *hash;  /* of its content */
} tl_manifest_file;

/* An image that was looked up. */
typedef struct tl_manifest_name {
    const char *name, *path; /* path NULL: there was none */
} tl_manifest_name;

typedef struct tl_manifest_record {
    const char *output; /* relative to the root of the batch, as all files below */
    const char *recipe; /* hash of options and version; "": the output is left over from an earlier record */
    uint32_t source_count, name_count, file_count;
    const tl_manifest_file *sources; /* the input first */
    const tl_manifest_name *names;
    const tl_manifest_file *files; /* that were written, the output among them */
} tl_manifest_record;

typedef struct tl_manifest_row {
    trilo_str output;
    trilo_str json; /* empty: forgotten */
} tl_manifest_row;

typedef struct tl_manifest {
    tl_arena arena;
    const char *path;
    tl_os_file file; /* TL_OS_NONE: read only */
    size_t count, capacity;
    tl_manifest_row *rows;
    tl_hash_table outputs;
    size_t line_count; /* records in the file, outdated ones too */
    size_t size;       /* of the file when it was read */
} tl_manifest;

/* Reads the file, which need not exist, and opens it for appending unless `read_only`. */
bool tl_manifest_open(tl_manifest *manifest, const char *path, const trilo_memory *memory, bool read_only,
                      trilo_error *err);

/* The number of the record of that output; TRILO_NONE: there is none. May be called by several threads. */
uint32_t tl_manifest_find(const tl_manifest *manifest, const char *output);
/* The record, in the caller's arena; false: there is none, or memory ran out. */
bool tl_manifest_get(const tl_manifest *manifest, uint32_t row, tl_arena *arena, tl_manifest_record *record);

/* Appends a record to the file. False: it cannot be written. */
bool tl_manifest_append(const tl_manifest *manifest, tl_arena *arena, const tl_manifest_record *record);
/* Forgets an output. */
bool tl_manifest_forget(const tl_manifest *manifest, tl_arena *arena, const char *output);

/* Rewrites the file if that makes it much smaller, and frees everything. */
void tl_manifest_close(tl_manifest *manifest);

/* ---- files ---- */

enum { TL_STAMP_ROOM = 128, TL_HASH_ROOM = 33 };

/* Describes a regular file without reading it; false: there is none. *seconds: when it was changed. */
bool tl_manifest_stamp(const char *path, char stamp[TL_STAMP_ROOM], double *seconds, uint64_t *size);
/* The hash of its content; false: it cannot be read. */
bool tl_manifest_hash(const char *path, char hash[TL_HASH_ROOM]);
/* The hash of bytes. */
void tl_manifest_hash_bytes(const void *bytes, size_t size, char hash[TL_HASH_ROOM]);

#endif
