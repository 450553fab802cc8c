/* Units of length. */
#include "model/units.h"

#include <math.h>

float tl_units_per_meter(const trilo_model *model)
{
    return model->units_per_meter > 0 && isfinite(model->units_per_meter) ? model->units_per_meter : 1;
}

double trilo_n64_default_scale(const trilo_model *model)
{
    return TRILO_N64_UNITS_PER_METER / (double)tl_units_per_meter(model);
}
