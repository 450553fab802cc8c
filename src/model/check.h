/* check.h: the check of a model. */
#ifndef TL_MODEL_CHECK_H
#define TL_MODEL_CHECK_H

#include "trilobite/model.h"

/* As trilo_model_check, but a model that the library made is not checked again. It takes some bytes per
 * node and mesh from `memory`, and frees them. */
bool tl_model_check(const trilo_model *model, const trilo_memory *memory, trilo_error *err);

#endif
