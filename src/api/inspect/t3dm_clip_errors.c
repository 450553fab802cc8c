#include "base/strict_float.h"
#include "trilobite/t3dm.h"

#include "api/convert/write_opts.h"
#include "api/document.h"
#include "base/trig.h"
#include "formats/t3dm/animation/animation.h"
#include "model/check.h"

#include <math.h>
#include <string.h>

static trilo_t3dm_clip_error clip_error_of(const t3dm_file *file, const t3dm_measured_clip *clip)
{
    const t3dm_clip_error *error = &clip->error;
    const char *bone =
        error->bone < file->skeleton.bone_count ? tl_t3dm_string(file, file->bones[error->bone].name) : "";
    return (trilo_t3dm_clip_error){
        .measured = clip->measured,
        .distance = error->distance,
        .seconds = error->tick / (double)TL_SDATA_RATE,
        .bone = {bone ? bone : "", bone ? strlen(bone) : 0},
        .rotation = tl_atan2(error->rotation, sqrt(fmax(0, 1 - error->rotation * error->rotation))) * 360 / TL_PI,
        .position = error->position};
}

bool trilo_document_t3dm_clip_errors(const trilo_document *document, const trilo_model *source, double scale,
                                     trilo_t3dm_clip_error *errors, trilo_error *err)
{
    tl_write_opts opts;
    tl_arena arena;
    const trilo_t3dm_write_opts t3dm = {.scale = (float)scale};
    if (trilo_document_format(document) != TRILO_FORMAT_T3DM)
        return tl_fail_misuse(err, "the document is not a T3DM file");
    const t3dm_file *file = document->file;
    if (!tl_document_has_no_error(document, err) || !tl_model_check(source, &document->opts.memory, err) ||
        !tl_write_opts_take(&opts, &(trilo_write_opts){.t3dm = &t3dm}, err))
        return false;
    tl_arena_init(&arena, &document->opts.memory);
    t3dm_measured_clip *measured = TL_ARRAY(&arena, file->animation_count, t3dm_measured_clip);
    bool ok = measured || tl_fail_memory(err);
    ok = ok && tl_t3dm_measure_clips(source, &opts.all, file, &arena, measured, err);
    for (uint32_t i = 0; ok && i < file->animation_count; i++)
        errors[i] = clip_error_of(file, &measured[i]);
    tl_arena_free(&arena);
    return ok;
}
