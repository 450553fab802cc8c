/* twins.h: models of the corpus in both formats: as .glb in `assets`, and in `filesystem` as the .t3dm that
 * Tiny3D's own converter made of it. */
#ifndef BENCH_TWINS_H
#define BENCH_TWINS_H

#include "buffer.h"
#include "harness.h"

#include <trilobite/load.h>

#include <glob.h>

typedef struct bench_twin {
    const char *source;      /* path of the .glb */
    char folder[BENCH_PATH]; /* that it lies in */
    char peer[BENCH_PATH];   /* path of the .t3dm */
    char name[64];           /* "12_uv_gen/teapot" */
} bench_twin;

/* All .glb files of --corpus, up to two folders below its `assets`, or of Tiny3D's examples in TRILOBITE_CORPUS. False:
 * there are none. globfree() frees them. */
bool bench_twins_glob(const bench *b, glob_t *files);
/* Of the path of a .glb. False: there is no .t3dm of the same name. */
bool bench_twin_find(const char *source, bench_twin *twin);
/* With the images beside it or in `assets`. NULL: it cannot be loaded, and *err says why. */
const trilo_model *bench_twin_load(const bench_twin *twin, trilo_error *err);

#endif
