/* owned.h: a model together with its memory. */
#ifndef TL_MODEL_OWNED_H
#define TL_MODEL_OWNED_H

#include "base/arena.h"
#include "trilobite/model.h"

typedef struct tl_owned_model {
    trilo_model model; /* first: its address is that of the struct */
    tl_arena arena;
} tl_owned_model;

/* An empty model with its own arena; NULL when memory runs out. Free it with trilo_model_free(&owned->model). */
tl_owned_model *tl_owned_model_new(const trilo_memory *memory);

/* Marks a finished model as made by the library, which guarantees the invariants of trilobite/model.h: tl_model_check
 * then skips it. */
const trilo_model *tl_owned_model_finish(tl_owned_model *owned);

/* Replaces extras that are NULL, in a model that the caller filled in, by "". */
void tl_model_fill_extras(trilo_model *model);

/* A deep copy of a checked model into the arena; returns false when memory runs out. Frames of a mesh that share an
 * array share its copy; nothing else is shared. */
bool tl_model_copy(tl_arena *arena, const trilo_model *from, trilo_model *to);

#endif
