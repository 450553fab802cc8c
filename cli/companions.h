/* companions.h: files that belong to a model and lie beside it: the streams of a T3DM file, the buffers of a .gltf. */
#ifndef TL_CLI_COMPANIONS_H
#define TL_CLI_COMPANIONS_H

#include "trilobite/document.h"

typedef struct cli_companion {
    char *name; /* may have folders in front, but none above */
    trilo_bytes bytes;
} cli_companion;

typedef struct cli_companions {
    size_t count;
    cli_companion *rows;
} cli_companions;

/* All that were found beside a document and have a name that a file can have; as they are, decompressed. */
cli_companions companions_of(const trilo_document *document);

void companions_free(cli_companions *companions);

/* "out/hero.t3dm" and "hero.0.sdata": "out/hero.0.sdata", in fresh memory. */
char *companions_path(const char *model_path, const char *name);

#endif
