/* The only place in the encoder that looks at the format a model was read from. */
#include "formats/gltf/encode/encode.h"

/* T3DM and Model have 64 units to the meter; dividing by 64 is exact. A resized model fits a unit box whatever its
 * format. */
gltf_policy tl_gltf_policy_of(const trilo_model *model)
{
    enum { N64_UNITS_PER_METER = 64 };
    const bool n64 = model->format == TRILO_FORMAT_T3DM || model->format == TRILO_FORMAT_MODEL64;
    return (gltf_policy){
        .meters_per_unit = n64 && !model->resized ? 1.0f / N64_UNITS_PER_METER : 1,
        .protect_uvs = model->format == TRILO_FORMAT_T3DM,
        .hold_frames = model->format == TRILO_FORMAT_MODEL64,
    };
}
