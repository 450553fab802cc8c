/* resize.h: scaling a model into a unit box and back. Both work on a model whose arrays are the caller's to change, as
 * tl_model_copy makes one: no two meshes share an array. */
#ifndef TL_MODEL_RESIZE_H
#define TL_MODEL_RESIZE_H

#include "base/arena.h"
#include "base/report.h"
#include "trilobite/model.h"

/* False when memory ran out. What cannot be done is a finding. */
bool tl_model_normalize(tl_arena *arena, trilo_model *model, tl_report *report);
bool tl_model_restore_size(tl_arena *arena, trilo_model *model, tl_report *report);

#endif
