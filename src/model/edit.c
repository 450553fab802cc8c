/* Edits of a whole model: its size and its textures. */
#include "base/opts.h"
#include "base/report.h"
#include "model/check.h"
#include "model/owned.h"
#include "model/resize.h"
#include "trilobite/n64.h"

#include <inttypes.h>

/* The bytes of a material that an engine of its own defines stay as they are. */
static void model_drop_textures(trilo_model *model, tl_report *report)
{
    uint32_t raw = 0;
    trilo_material *materials = (trilo_material *)(uintptr_t)model->materials;
    for (uint32_t i = 0; i < model->material_count; i++) {
        trilo_n64_material *n64 = (trilo_n64_material *)(uintptr_t)materials[i].n64;
        trilo_pbr *pbr = (trilo_pbr *)(uintptr_t)materials[i].pbr;
        materials[i].texture = TRILO_NONE;
        raw += materials[i].raw.size > 0;
        for (int k = 0; n64 && k < 2; k++)
            n64->tiles[k].texture = TRILO_NONE;
        for (int k = 0; pbr && k < TRILO_MAP_KIND_COUNT; k++)
            pbr->maps[k].used = false;
    }
    model->texture_count = 0;
    if (raw > 0)
        tl_report_finding(report, &tl_general_rules[TL_MODEL_TEXTURE], TRILO_NOWHERE,
                          "%" PRIu32 " materials (chunks m) keep the textures that their bytes name", raw);
}

/* Replaces all embedded textures but those that are only PBR maps, such as normal maps. */
static bool model_replace_textures(tl_arena *arena, trilo_model *model, trilo_bytes image, tl_report *report)
{
    trilo_texture *textures = (trilo_texture *)(uintptr_t)model->textures;
    const uint8_t *copy = tl_bytes_copy(arena, image.data, image.size);
    bool *maps = TL_ARRAY(arena, model->texture_count, bool);
    if (!copy || !maps)
        return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        for (int k = 0; model->materials[i].pbr && k < TRILO_MAP_KIND_COUNT; k++)
            if (model->materials[i].pbr->maps[k].used)
                maps[model->materials[i].pbr->maps[k].texture] = true;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].texture != TRILO_NONE)
            maps[model->materials[i].texture] = false;
    uint32_t replaced = 0;
    for (uint32_t i = 0; i < model->texture_count; i++) {
        if (textures[i].bytes.size == 0 || maps[i])
            continue;
        textures[i].bytes = (trilo_bytes){copy, image.size};
        textures[i].kind = trilo_image_probe(image, &textures[i].width, &textures[i].height);
        replaced++;
    }
    if (replaced == 0)
        tl_report_finding(report, &tl_general_rules[TL_MODEL_TEXTURE], TRILO_NOWHERE,
                          "the model has no embedded texture, so none is replaced");
    return true;
}

static bool model_edit_all(tl_owned_model *owned, const trilo_model_edit_opts *edit)
{
    trilo_model *model = &owned->model;
    tl_report report = {.fn = edit->on_finding, .user = edit->on_finding_user};
    if (edit->restore_size && !tl_model_restore_size(&owned->arena, model, &report))
        return false;
    if (edit->normalize && !tl_model_normalize(&owned->arena, model, &report))
        return false;
    if (edit->drop_textures)
        model_drop_textures(model, &report);
    return edit->replace_texture.size == 0 ||
           model_replace_textures(&owned->arena, model, edit->replace_texture, &report);
}

const trilo_model *trilo_model_edit(const trilo_model *model, const trilo_model_edit_opts *edit,
                                    const trilo_memory *memory, trilo_error *err)
{
    trilo_model_edit_opts own;
    if (!TL_OPTS_TAKE(&own, edit, err) || !tl_model_check(model, memory, err))
        return NULL;
    tl_owned_model *owned = tl_owned_model_new(memory);
    if (owned && tl_model_copy(&owned->arena, model, &owned->model) && model_edit_all(owned, &own))
        return tl_owned_model_finish(owned);
    trilo_model_free(owned ? &owned->model : NULL);
    tl_fail_memory(err);
    return NULL;
}
