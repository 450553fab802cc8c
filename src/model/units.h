/* units.h: the unit of length of a model. */
#ifndef TL_MODEL_UNITS_H
#define TL_MODEL_UNITS_H

#include "trilobite/n64.h"

#include <math.h>

/* 1 where the model does not say, or says nonsense. */
static inline float tl_units_per_meter(const trilo_model *model)
{
    return model->units_per_meter > 0 && isfinite(model->units_per_meter) ? model->units_per_meter : 1;
}

#endif
