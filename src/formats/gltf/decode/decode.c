/* From a checked file to the model. */
#include "formats/gltf/decode/decode.h"

bool tl_gltf_decode_fail(gltf_decoder *d, trilo_code code, const trilo_rule *rule, const tl_json *where,
                         const char *text)
{
    d->refused = true;
    return tl_fail(d->err, code, rule, tl_gltf_at(d->file, where), NULL, "%s", text);
}

/* The model has the extras of the scene, or else of the root, or else of the asset. */
static bool gltf_decode_model_extras(gltf_decoder *d)
{
    static const char *const lost[] = {"KHR_lights_punctual", "KHR_materials_variants", NULL};
    const tl_json *top = d->file->root;
    trilo_extras scene, root, asset;
    if (!tl_gltf_extras(d, tl_gltf_shown_scene(d->file), NULL, &scene) || !tl_gltf_extras(d, top, lost, &root) ||
        !tl_gltf_extras(d, tl_json_member(top, "asset"), NULL, &asset))
        return false;
    d->model->extras.json = scene.json.len > 0 ? scene.json : root.json.len > 0 ? root.json : asset.json;
    d->model->extras.extensions = root.extensions;
    return true;
}

bool tl_gltf_decode(const void *file, tl_arena *arena, trilo_model *model, trilo_error *err)
{
    gltf_decoder d = {.file = file, .arena = arena, .model = model, .err = err};
    const trilo_memory memory = {arena->fn, arena->user, arena->left ? arena->left : 1}; /* 0: the default limit */
    model->units_per_meter = 1;
    tl_arena_init(&d.scratch, &memory);
    const bool ok = tl_gltf_decode_nodes(&d) && tl_gltf_decode_skins(&d) && tl_gltf_decode_materials(&d) &&
                    tl_gltf_decode_meshes(&d) && tl_gltf_decode_clips(&d) && gltf_decode_model_extras(&d);
    tl_arena_free(&d.scratch);
    return ok || (!d.refused && tl_fail_memory(err));
}
