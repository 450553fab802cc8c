/* companions.h: companion files of a model: the streams of a T3DM file, the buffers of a .gltf. */
#ifndef TL_CLI_COMPANIONS_H
#define TL_CLI_COMPANIONS_H

#include "trilobite/document.h"

typedef struct cli_companion {
    char *name; /* may be in a subfolder, but never in a folder above */
    trilo_bytes bytes;
} cli_companion;

typedef struct cli_companions {
    size_t count;
    cli_companion *rows;
} cli_companions;

/* All companions of a document that were found and have a valid file name, decompressed. */
cli_companions companions_of(const trilo_document *document);

void companions_free(cli_companions *companions);

/* "out/hero.t3dm" and "hero.0.sdata": "out/hero.0.sdata". The caller frees it. */
char *companions_path(const char *model_path, const char *name);

#endif
