#include "model/units.h"

#include "trilobite/n64.h"

float trilo_n64_default_scale(const trilo_model *model)
{
    return TRILO_N64_UNITS_PER_METER / tl_units_per_meter(model);
}
