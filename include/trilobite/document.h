/* document.h: a file, record by record.
 *
 * A document is the level below the model: it can be checked, listed field by field, and written back byte for byte.
 * Opening a file validates its structure to the end; trilo_document_check then checks every value. That happens once:
 * the document keeps the result and the findings for later calls. Nothing else changes a document after it was opened,
 * so a const document may be shared between threads.
 */
#ifndef TRILOBITE_DOCUMENT_H
#define TRILOBITE_DOCUMENT_H

#include "trilobite/load.h"
#include "trilobite/visitor.h"
#include "trilobite/write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_document trilo_document;

/* The bytes are not copied: they must outlive the document. */
TRILO_API trilo_document *trilo_document_open(const void *bytes, size_t size, const trilo_load_opts *opts,
                                              trilo_error *err);
/* Reads the file into memory; its size counts towards opts.memory.max_bytes. A program that maps files does so itself
 * and calls trilo_document_open; the file must then not shrink. */
TRILO_API trilo_document *trilo_document_open_file(const char *path, const trilo_load_opts *opts, trilo_error *err);
TRILO_API trilo_document *trilo_document_open_stream(trilo_read_fn *read, void *user, const trilo_load_opts *opts,
                                                     trilo_error *err);
TRILO_API void trilo_document_free(trilo_document *document); /* may be NULL */

TRILO_API trilo_format trilo_document_format(const trilo_document *document);
TRILO_API uint32_t trilo_document_version(const trilo_document *document);
TRILO_API trilo_bytes trilo_document_bytes(const trilo_document *document); /* decompressed if it was compressed */

/* The compression of the file, as an asset of libdragon (DCA). */
typedef struct trilo_compression {
    uint32_t version; /* of the container, 3 or 5; 0: not compressed */
    uint32_t level;   /* 1 to 3; the game must enable it */
    const char *name; /* "LZ4" */
    uint64_t compressed_size, size;
} trilo_compression;
TRILO_API trilo_compression trilo_document_compression(const trilo_document *document);

/* The file that a document was imported from through Assimp; the document itself is glTF. */
typedef struct trilo_import {
    const char *format; /* "FBX", "OBJ": its extension in capitals; NULL: it was not imported */
    uint64_t size;
} trilo_import;
TRILO_API trilo_import trilo_document_import(const trilo_document *document);

/* The number of findings of each severity. */
typedef struct trilo_tally {
    size_t notes, warnings, errors, crashes;
} trilo_tally;

/* Checks every value on the first call; later calls repeat the findings. If there are more than 1024, or no memory to
 * keep them, a later call with a `report` checks again. `report` may be NULL. */
TRILO_API trilo_tally trilo_document_check(const trilo_document *document, trilo_finding_fn *report, void *user);

/* Decodes the model. Fails if the check finds an error (or a warning, with opts.strict). */
TRILO_API const trilo_model *trilo_document_model(const trilo_document *document, trilo_error *err);

/* Changes to version and compression when a document is written; none if zero-filled. */
typedef struct trilo_rewrite_opts {
    uint32_t struct_size;    /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;          /* must be 0 */
    uint32_t format_version; /* T3DM: 1 to 4, with the same parts and triangles in the same order; 0: unchanged */
    bool decompress;
    uint32_t compress; /* compression level: 1 (LZ4) */
    uint32_t version;  /* of the container, 3 or 5; 0: 3 */
} trilo_rewrite_opts;

/* Writes the document from its records, byte for byte, compressed if it was compressed. `rewrite` may be NULL. */
TRILO_API bool trilo_document_write(const trilo_document *document, const trilo_rewrite_opts *rewrite,
                                    trilo_write_fn *sink, void *user, trilo_error *err);

/* The index-th companion file that was found, such as a stream of keys: its name and its bytes. Returns false after the
 * last one. */
TRILO_API bool trilo_document_companion(const trilo_document *document, uint32_t index, char *name, size_t room,
                                        trilo_bytes *bytes);

/* The name of the materials file beside the model, such as hero.materials.toml, whether it was found or not; NULL if
 * none was looked for: T3DM files have N64 materials of their own. */
TRILO_API const char *trilo_document_materials(const trilo_document *document, bool *found);

/* A section of the file; the sizes of all sections add up to the file. */
typedef struct trilo_section {
    const char *name; /* "vertices" */
    uint32_t count;   /* of its elements */
    uint64_t size;
} trilo_section;
/* Stores up to `room` sections and returns how many there are. */
TRILO_API size_t trilo_document_sections(const trilo_document *document, trilo_section *sections, size_t room);

/* Visits every record of the file, in the order of the file. */
TRILO_API void trilo_document_visit(const trilo_document *document, const trilo_visitor *visitor);

/* For each triangle of a mesh of the model, in order: the vertex batch in which the console draws it, counted from 0 in
 * each mesh. Stores up to `room` and returns the number of triangles; 0 if the format has no batches, or there is no
 * such mesh. */
TRILO_API uint32_t trilo_document_batches(const trilo_document *document, uint32_t mesh, uint32_t *batches,
                                          uint32_t room);

/* Writes the reference of a format as Markdown, made from the tables that read and write it. */
TRILO_API bool trilo_format_reference(trilo_format format, trilo_write_fn *sink, void *user);
/* Writes the same records for programs that show files: for Kaitai Struct (.ksy), or for ImHex (.hexpat). */
typedef enum trilo_description { TRILO_DESCRIPTION_KSY, TRILO_DESCRIPTION_HEXPAT } trilo_description;
TRILO_API bool trilo_format_describe(trilo_format format, trilo_description as, trilo_write_fn *sink, void *user);

#ifdef __cplusplus
}
#endif
#endif
