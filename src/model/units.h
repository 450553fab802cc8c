/* units.h: the unit of length of a model. */
#ifndef TL_MODEL_UNITS_H
#define TL_MODEL_UNITS_H

#include "trilobite/n64.h"

/* 1 where the model does not say, or says nonsense. */
float tl_units_per_meter(const trilo_model *model);

#endif
