/* companions.h: files that belong to a model and lie beside it: the streams of a T3DM file, the buffers of a .gltf. */
#ifndef TL_CLI_COMPANIONS_H
#define TL_CLI_COMPANIONS_H

#include "trilobite/document.h"

typedef struct cli_companion {
    char *name; /* may have folders in front, but none above */
    char *path; /* where it was written; NULL: it was not */
    trilo_bytes bytes;
    bool fresh; /* there was nothing before */
} cli_companion;

typedef struct cli_companions {
    size_t count;
    cli_companion *rows;
} cli_companions;

/* Keeps a copy: for the library's writers, `companions` is a cli_companions. */
bool companions_keep(void *companions, const char *name, trilo_bytes bytes);

/* All that were found beside a document and have a name that a file can have; as they are, decompressed. */
cli_companions companions_of(const trilo_document *document);

/* Does it hold the keys of a clip, by its name? */
bool companion_is_stream(const cli_companion *companion);

void companions_free(cli_companions *companions);

/* "out/hero.t3dm" and "hero.0.sdata": "out/hero.0.sdata", in fresh memory. */
char *companions_path(const char *model_path, const char *name);

#endif
