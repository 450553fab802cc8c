#include "formats/model64/encode/encode.h"

model64_policy tl_model64_policy_of(const trilo_model *model, const trilo_write_opts *opts)
{
    const bool lossless = opts->profile == TRILO_WRITE_PROFILE_AUTO ? model->format == TRILO_FORMAT_MODEL64
                                                                    : opts->profile == TRILO_WRITE_PROFILE_LOSSLESS;
    return (model64_policy){.keep_times = lossless, .keep_normals = lossless};
}
