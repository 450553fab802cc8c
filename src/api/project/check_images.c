/* The check of a model with its images. */
#include "api/project/assets.h"
#include "base/report.h"
#include "formats/t3dm/t3dm.h"
#include "n64/console_path.h"
#include "trilobite/assets.h"
#include "trilobite/sprite.h"
#include "trilobite/visibility.h"

#include <inttypes.h>

const trilo_image *trilo_texture_fit(const trilo_model *model, uint32_t texture, trilo_bytes bytes,
                                     const trilo_image *image, const trilo_memory *memory, bool *resized,
                                     trilo_error *err)
{
    const trilo_texture *t = &model->textures[texture];
    const bool sprite = trilo_image_probe(bytes, NULL, NULL) == TRILO_IMAGE_KIND_UNKNOWN;
    if (resized)
        *resized = false;
    if (sprite || t->width == 0 || t->height == 0 || (image->width == t->width && image->height == t->height))
        return image;
    const trilo_resize_opts opts = {.memory = memory ? *memory : (trilo_memory){0},
                                    .width = t->width,
                                    .height = t->height,
                                    .repeat_s = t->wrap[0] == TRILO_WRAP_REPEAT,
                                    .repeat_t = t->wrap[1] == TRILO_WRAP_REPEAT};
    const trilo_image *fitted = trilo_image_resize(image, &opts, err);
    trilo_image_free(image);
    if (resized)
        *resized = fitted != NULL;
    return fitted;
}

static const trilo_image *load_texture(trilo_assets *assets, const trilo_model *model, uint32_t index,
                                       const trilo_memory *memory, tl_report *report)
{
    const trilo_texture *texture = &model->textures[index];
    trilo_texture_file found = {.bytes = texture->bytes};
    const char *below = tl_console_path_below(texture->path.data);
    if (texture->bytes.size == 0 && !trilo_assets_texture(assets, model, index, &found)) {
        if (model->format == TRILO_FORMAT_T3DM && below && *below && trilo_assets_ok(assets, NULL))
            tl_report_finding(report, t3dm_rule(T3DM_R_TEXTURE_MISSING), TRILO_NOWHERE,
                              "%.200s was not found beside the model, in its file system or in the assets",
                              texture->path.data);
        return NULL;
    }
    const trilo_image *image = trilo_image_decode(found.bytes, memory, NULL);
    if (image && model->format == TRILO_FORMAT_T3DM && texture->width > 0 && texture->height > 0 &&
        (image->width != texture->width || image->height != texture->height))
        tl_report_finding(report, t3dm_rule(T3DM_R_TEXTURE_SIZE), TRILO_NOWHERE,
                          "%.200s has %" PRIu32 "x%" PRIu32 " pixels, the material is made for %" PRIu32 "x%" PRIu32,
                          found.path ? found.path : "the image", image->width, image->height, texture->width,
                          texture->height);
    return image;
}

bool trilo_assets_check_model(trilo_assets *assets, const trilo_model *model, const trilo_memory *memory,
                              trilo_finding_fn *fn, void *user, trilo_error *err)
{
    tl_report report = {.fn = fn, .user = user};
    trilo_error failed = {.code = TRILO_CODE_OK};
    tl_arena arena;
    tl_arena_init(&arena, memory);
    const trilo_image **images = TL_ARRAY(&arena, model->texture_count, const trilo_image *);
    for (uint32_t i = 0; images && i < model->texture_count; i++) {
        tl_path_push(&report.path, "textures", i);
        images[i] = load_texture(assets, model, i, memory, &report);
        tl_path_pop(&report.path);
    }
    const trilo_visibility_opts opts = {
        .memory = memory ? *memory : (trilo_memory){0}, .textures = images, .on_finding = fn, .on_finding_user = user};
    if (images)
        trilo_model_visible(model, &opts, &failed);
    else
        tl_fail_memory(&failed);
    for (uint32_t i = 0; images && i < model->texture_count; i++)
        trilo_image_free(images[i]);
    tl_arena_free(&arena);
    if (failed.code != TRILO_CODE_OK && err)
        *err = failed;
    return failed.code == TRILO_CODE_OK && trilo_assets_ok(assets, err);
}
