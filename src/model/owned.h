/* owned.h: a model together with the memory it stands in. */
#ifndef TL_MODEL_OWNED_H
#define TL_MODEL_OWNED_H

#include "base/arena.h"
#include "trilobite/model.h"

typedef struct tl_owned_model {
    trilo_model model; /* first, so that a pointer to it is a pointer to the whole */
    tl_arena arena;
} tl_owned_model;

/* An empty model in an arena of its own; NULL when memory ran out. Free it with trilo_model_free(&owned->model). */
tl_owned_model *tl_owned_model_new(const trilo_memory *memory);

/* Marks a finished model as one of the library's own, which keeps all promises of trilobite/model.h: tl_model_check
 * trusts it from now on. */
const trilo_model *tl_owned_model_finish(tl_owned_model *owned);

/* Turns extras that are NULL, in a model of the caller's own arrays, into "". */
void tl_model_fill_extras(trilo_model *model);

/* Deep copy of everything a checked model points to into the arena; false when memory ran out. Frames of a mesh that
 * share an array share its copy; besides, no two things share one. */
bool tl_model_copy(tl_arena *arena, const trilo_model *from, trilo_model *to);

#endif
