/* resize.h: scales a model into a unit box and back. Both functions change the arrays of the model in place, as made by
 * tl_model_copy: no two meshes share an array. */
#ifndef TL_MODEL_RESIZE_H
#define TL_MODEL_RESIZE_H

#include "base/arena.h"
#include "base/report.h"
#include "trilobite/model.h"

/* Return false when memory runs out. A model that cannot be scaled is reported as a finding. */
bool tl_model_normalize(tl_arena *arena, trilo_model *model, tl_report *report);
bool tl_model_restore_size(tl_arena *arena, trilo_model *model, tl_report *report);

#endif
