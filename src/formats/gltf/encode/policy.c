/* The only place in the encoder that looks at the format a model was read from. */
#include "formats/gltf/encode/encode.h"

#include "model/units.h"

/* A resized model fits a unit box whatever its format. */
gltf_policy tl_gltf_policy_of(const trilo_model *model, const trilo_write_opts *opts)
{
    const trilo_write_profile profile = opts->profile;
    gltf_policy policy = {.meters_per_unit = model->resized ? 1 : 1 / tl_units_per_meter(model)};
    if (profile == TRILO_WRITE_PROFILE_AUTO) {
        policy.guard_texels = model->format == TRILO_FORMAT_T3DM;
        policy.hold_frames = model->format == TRILO_FORMAT_MODEL64;
    } else {
        policy.guard_texels = profile == TRILO_WRITE_PROFILE_LOSSLESS || profile == TRILO_WRITE_PROFILE_BEST;
        policy.hold_frames = profile == TRILO_WRITE_PROFILE_TINY3D;
    }
    return policy;
}
