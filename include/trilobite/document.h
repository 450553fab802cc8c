/* document.h: a file exactly as it is, record by record.
 *
 * A document is the level below the model: it can be checked, listed field by field, and written back byte for byte.
 * Opening follows the structure to the end of the file and refuses one that does not hold together;
 * trilo_document_check then looks at every value. That happens once: the document remembers the result and the
 * findings, for every later call that needs them. Apart from that, nothing changes a document after it was opened, so a
 * const document may be shared between threads.
 */
#ifndef TRILOBITE_DOCUMENT_H
#define TRILOBITE_DOCUMENT_H

#include "trilobite/load.h"
#include "trilobite/write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_document trilo_document;

/* The bytes are borrowed: they must outlive the document, which copies none of the big arrays. */
TRILO_API trilo_document *trilo_document_open(const void *bytes, size_t size, const trilo_load_opts *opts,
                                              trilo_error *err);
/* The file is mapped, or read where that cannot be. */
TRILO_API trilo_document *trilo_document_open_file(const char *path, const trilo_load_opts *opts, trilo_error *err);
TRILO_API trilo_document *trilo_document_open_stream(trilo_read_fn *read, void *user, const trilo_load_opts *opts,
                                                     trilo_error *err);
TRILO_API void trilo_document_free(trilo_document *document); /* NULL is fine */

TRILO_API trilo_format trilo_document_format(const trilo_document *document);
TRILO_API uint32_t trilo_document_version(const trilo_document *document);
TRILO_API trilo_bytes trilo_document_bytes(const trilo_document *document); /* decompressed, where it was compressed */

/* How the file was compressed: libdragon's assets (DCA). */
typedef struct trilo_compression {
    uint32_t version; /* of the container, 3 or 5; 0: not compressed */
    uint32_t level;   /* what the game must enable: 1 to 3 */
    const char *name; /* "LZ4" */
    uint64_t compressed_size, size;
} trilo_compression;
TRILO_API trilo_compression trilo_document_compression(const trilo_document *document);

/* How many findings of each severity a check made. */
typedef struct trilo_tally {
    size_t notes, warnings, errors, crashes;
} trilo_tally;

/* Looks at every value, the first time it is called; later calls repeat the findings. Of a file with more than 1024, or
 * when there was no memory to keep them, the findings are not kept, and a later call with a `report` looks again.
 * `report` may be NULL when only the tally matters. */
TRILO_API trilo_tally trilo_document_check(const trilo_document *document, trilo_finding_fn *report, void *user);

/* The model the file holds. Fails on a file whose check has an error (or a warning, with opts.strict). */
TRILO_API const trilo_model *trilo_document_model(const trilo_document *document, trilo_error *err);

/* What to change about the wrapping when a document is written. Zero: leave it as it was. */
typedef struct trilo_rewrite_opts {
    uint32_t format_version; /* T3DM: 1 to 4, with the same parts and triangles in the same order; 0: as it is */
    bool decompress;
    uint32_t compress; /* level to compress with: 1 (LZ4) */
    uint32_t version;  /* container to write, 3 or 5; 0: 3 */
} trilo_rewrite_opts;

/* The same bytes again, made from the records; of a compressed file the compressed bytes. `rewrite` may be NULL. */
TRILO_API bool trilo_document_write(const trilo_document *document, const trilo_rewrite_opts *rewrite,
                                    trilo_write_fn *sink, void *user, trilo_error *err);

/* The index-th file that belongs to the document and was found, such as a stream of keys: its plain name and its bytes.
 * False behind the last one. */
TRILO_API bool trilo_document_companion(const trilo_document *document, uint32_t index, char *name, size_t room,
                                        trilo_bytes *bytes);

/* Which part of the file takes how many bytes; the sizes add up to the file. */
typedef struct trilo_section {
    const char *name; /* "vertices" */
    uint32_t count;   /* how many things of that name */
    uint64_t size;
} trilo_section;
/* Fills up to `room` of them and answers how many there are. */
TRILO_API size_t trilo_document_sections(const trilo_document *document, trilo_section *sections, size_t room);

typedef enum trilo_value_kind {
    TRILO_VALUE_UINT,
    TRILO_VALUE_INT,
    TRILO_VALUE_FLOAT,
    TRILO_VALUE_BLOB,
    TRILO_VALUE_TEXT
} trilo_value_kind;

/* One field: up to 16 numbers, a run of bytes, or text (bytes without a NUL, in `blob` too). */
typedef struct trilo_value {
    trilo_value_kind kind;
    uint32_t count; /* 1: a plain number; more: a small array */
    uint64_t offset;
    union {
        uint64_t u[16];
        int64_t i[16];
        float f[16];
        trilo_bytes blob;
    } as;
} trilo_value;

/* Told each record of a file in order. Lists hold records or single values; `name` is NULL for the elements of a list.
 * Every function must be set. */
typedef struct trilo_visitor {
    void *user;
    void (*list_begin)(void *user, const char *name, uint32_t count, uint64_t offset);
    void (*list_end)(void *user);
    void (*record_begin)(void *user, const char *name, uint64_t offset);
    void (*record_end)(void *user);
    void (*field)(void *user, const char *name, const trilo_value *value);
} trilo_visitor;
TRILO_API void trilo_document_visit(const trilo_document *document, const trilo_visitor *visitor);

/* For each triangle of a mesh of the document's model, in its order: the number of the load of vertices with which the
 * console draws it, counted from 0 in each mesh. Fills at most `room` and answers how many triangles there are; 0: the
 * format has no loads, or no such mesh. */
TRILO_API uint32_t trilo_document_batches(const trilo_document *document, uint32_t mesh, uint32_t *loads,
                                          uint32_t room);

/* The format's reference in Markdown, made from the tables that also read and write it. */
TRILO_API bool trilo_format_reference(trilo_format format, trilo_write_fn *sink, void *user);

#ifdef __cplusplus
}
#endif
#endif
