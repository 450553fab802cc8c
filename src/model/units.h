/* units.h: the unit of length of a model. */
#ifndef TL_MODEL_UNITS_H
#define TL_MODEL_UNITS_H

#include "trilobite/n64.h"

#include <math.h>

/* 1 if the model does not specify it, or the value is invalid. */
static inline float tl_units_per_meter(const trilo_model *model)
{
    return model->units_per_meter > 0 && isfinite(model->units_per_meter) ? model->units_per_meter : 1;
}

#endif
