/* companions.h: files that belong to a model and lie beside it: the streams of a T3DM file, the buffers of a .gltf. */
#ifndef TL_CLI_COMPANIONS_H
#define TL_CLI_COMPANIONS_H

#include "trilobite/document.h"

typedef struct cli_side {
    char *name; /* may have folders in front, but none above */
    char *path; /* where it was written; NULL: it was not */
    trilo_bytes bytes;
    bool fresh; /* there was nothing before */
} cli_side;

typedef struct cli_sides {
    size_t count;
    cli_side *rows;
} cli_sides;

/* Keeps a copy: for the library's writers, `sides` is a cli_sides. */
bool sides_keep(void *sides, const char *name, trilo_bytes bytes);

/* All that were found beside a document and have a name that a file can have; as they are, decompressed. */
cli_sides sides_of(const trilo_document *document);

/* Does it hold the keys of a clip, by its name? */
bool sides_is_stream(const cli_side *side);

void sides_free(cli_sides *sides);

/* "out/hero.t3dm" and "hero.0.sdata": "out/hero.0.sdata", in fresh memory. */
char *sides_path(const char *model_path, const char *name);

#endif
