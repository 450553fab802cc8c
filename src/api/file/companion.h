/* companion.h: files that belong to a model and are stored beside it. */
#ifndef TL_API_FILE_COMPANION_H
#define TL_API_FILE_COMPANION_H

#include "api/file/io.h"
#include "trilobite/document.h"

/* A file that was requested. */
typedef struct tl_companion_file {
    struct tl_companion_file *next;
    const char *name;
    trilo_bytes bytes;
} tl_companion_file;

typedef struct tl_companion {
    const char *path; /* of the model; NULL: it is not a file */
    char *folder;     /* "models/" or ""; NULL: nothing is beside */
    trilo_companion_fn *asked;
    void *asked_user;
    tl_companion_file *files;
    trilo_error failure; /* a file that was requested may exist, but could not be read; code TRILO_CODE_OK: none */
} tl_companion;

/* Remembers the folder and the name of a model that is a file. */
void tl_companion_beside(trilo_document *document, const char *path);
/* Wraps or replaces the caller's callback: what it finds is decompressed. */
void tl_companion_attach(trilo_document *document);
/* A companion as it is stored, compressed or not; the bytes are in the arena, or the caller's own. The document stays
 * as it is. *bytes stay as they are when there is no such file. False: there may be one, but it cannot be read. */
bool tl_companion_read(const trilo_document *document, const char *name, tl_arena *arena, trilo_bytes *bytes,
                       trilo_error *err);

#endif
