/* units.h: how long the unit of a model is. */
#ifndef TL_MODEL_UNITS_H
#define TL_MODEL_UNITS_H

#include "trilobite/n64.h"

/* Was the model read from a format of the console, which counts in its units? */
bool tl_model_has_n64_units(const trilo_model *model);
/* Metres of a unit. */
float tl_model_unit_meters(const trilo_model *model);

#endif
