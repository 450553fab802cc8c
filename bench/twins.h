/* twins.h: models of the corpus in both formats: as .glb in `assets`, and in `filesystem` as the .t3dm that
 * Tiny3D's own converter made of it. */
#ifndef BENCH_TWINS_H
#define BENCH_TWINS_H

#include "buffer.h"
#include "harness.h"

#include <trilobite/load.h>

typedef struct bench_twin {
    char source[BENCH_PATH]; /* path of the .glb */
    char folder[BENCH_PATH]; /* the `assets` that it is in or below */
    char peer[BENCH_PATH];   /* path of the .t3dm */
    char name[64];           /* "12_uv_gen/teapot" */
    bool has_peer;           /* the .t3dm is there */
} bench_twin;

typedef struct bench_twins {
    bench_twin *rows;
    size_t count;
} bench_twins;

/* All .glb files in and below DIR/assets of --corpus DIR or, if there is no such folder, in and below each
 * DIR/NAME/assets. Without --corpus, DIR is that of Tiny3D's examples in TRILOBITE_CORPUS. False: there are none. To be
 * freed in any case. */
bool bench_twins_find(const bench *b, bench_twins *all);
void bench_twins_free(bench_twins *all);
/* With the images beside it or in `assets`. NULL: it cannot be loaded, and *err says why. */
const trilo_model *bench_twin_load(const bench_twin *twin, trilo_error *err);
/* A row that says why a model was left out. */
void bench_twin_refused(const bench *b, const bench_twin *twin, const char *why);

#endif
