#include "formats/gltf/encode/encode.h"

gltf_policy tl_gltf_policy_of(const trilo_model *model, const trilo_write_opts *opts)
{
    const trilo_write_profile profile = opts->profile;
    if (profile == TRILO_WRITE_PROFILE_AUTO)
        return (gltf_policy){.guard_texels = model->format == TRILO_FORMAT_T3DM,
                             .hold_frames = model->format == TRILO_FORMAT_MODEL64};
    return (gltf_policy){.guard_texels = profile == TRILO_WRITE_PROFILE_LOSSLESS || profile == TRILO_WRITE_PROFILE_BEST,
                         .hold_frames = profile == TRILO_WRITE_PROFILE_TINY3D};
}
