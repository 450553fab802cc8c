/* Units of length. */
#include "model/units.h"
#include "base/strict_float.h"

double trilo_n64_default_scale(const trilo_model *model)
{
    return TRILO_N64_UNITS_PER_METER / (double)tl_units_per_meter(model);
}
