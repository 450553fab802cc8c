/* Units of models: formats of the console count in its units, the others in metres. */
#include "model/units.h"

bool tl_model_has_n64_units(const trilo_model *model)
{
    return model->format == TRILO_FORMAT_T3DM || model->format == TRILO_FORMAT_MODEL64;
}

float tl_model_unit_meters(const trilo_model *model)
{
    return tl_model_has_n64_units(model) ? 1.0f / TRILO_N64_UNITS_PER_METER : 1;
}

float trilo_n64_default_scale(const trilo_model *model)
{
    return tl_model_has_n64_units(model) ? 1 : TRILO_N64_UNITS_PER_METER;
}
