/* check.h: the check of a model. */
#ifndef TL_MODEL_CHECK_H
#define TL_MODEL_CHECK_H

#include "trilobite/model.h"

/* As trilo_model_check, but a model that the library made is not checked again. The memory it takes, some bytes for
 * each node and mesh, comes from `memory` and is freed. */
bool tl_model_check(const trilo_model *model, const trilo_memory *memory, trilo_error *err);

#endif
