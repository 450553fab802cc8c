/* Materials: base colour, texture and alpha mode; the N64 state where the file has one, PBR values where not. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"

#include "base/gamma.h"
#include "n64/modes.h"

/* What glTF itself has. Colour factors are linear; the model has display values. A cutoff of 0 discards nothing, but in
 * a model it would mean 0.5. */
static bool gltf_decode_plain_material(gltf_decoder *d, gltf_textures *textures, const tl_json *json,
                                       trilo_material *out)
{
    const gltf_base_color base = tl_gltf_base_color(json);
    const tl_json *mode = tl_json_member(json, "alphaMode");
    const float cutoff = gltf_float(tl_json_number(tl_json_member(json, "alphaCutoff"), 0.5));
    const bool srgb = d->file->opts->gltf->srgb;
    double linear[4] = {1, 1, 1, 1};
    tl_json_numbers(base.factor, linear, 4);
    for (int i = 0; i < 4; i++) {
        const float value = gltf_float(linear[i]);
        out->base_color[i] = gltf_unit_float(i == 3 ? value : srgb ? tl_srgb_encode(value) : tl_gamma_encode(value));
    }
    if (tl_gltf_is(mode, "BLEND"))
        out->alpha = TRILO_ALPHA_BLEND;
    if (tl_gltf_is(mode, "MASK") && cutoff > 0) {
        out->alpha = TRILO_ALPHA_CUTOUT;
        out->alpha_cutoff = cutoff;
    }
    out->two_sided = tl_json_bool(tl_json_member(json, "doubleSided"), false);
    out->unlit = tl_gltf_extension(json, "KHR_materials_unlit") != NULL;
    const uint32_t texture = tl_gltf_index(d->file, base.texture, "index", GLTF_TEXTURES, NULL);
    return texture == TRILO_NONE || tl_gltf_texture(d, textures, texture, &out->texture);
}

void tl_gltf_view_n64_material(trilo_material *out, const trilo_n64_material *n64)
{
    const bool has_prim = n64->set_flags & TRILO_N64_SET_PRIM;
    for (int i = 0; i < 4; i++)
        out->base_color[i] = has_prim ? (float)n64->prim[i] / 255.0f : 1;
    if (out->texture == TRILO_NONE)
        out->texture = n64->tiles[0].texture;
    out->alpha = tl_n64_alpha(n64);
    out->alpha_cutoff = out->alpha == TRILO_ALPHA_CUTOUT ? (float)n64->blend[3] / 255.0f : 0;
    out->two_sided = (n64->draw_flags & (TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK)) == 0;
    out->unlit = (n64->draw_flags & TRILO_N64_UNLIT) != 0;
    out->n64 = n64;
}

static bool gltf_decode_material(gltf_decoder *d, gltf_textures *textures, uint32_t index, trilo_material *out)
{
    static const char *const understood[] = {"trilobite_n64", "KHR_materials_unlit",
                                             "KHR_materials_pbrSpecularGlossiness", "FAST64_materials_n64", NULL};
    const tl_json *json = d->file->tables[GLTF_MATERIALS].items[index];
    const trilo_n64_material *n64;
    *out = (trilo_material){.name = {"", 0}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    d->uvs_of[index] = tl_gltf_uv_transform(NULL);
    if (!tl_gltf_name(d, json, &out->name) || !tl_gltf_extras(d, json, understood, &out->extras) ||
        !tl_gltf_decode_n64(d, textures, json, &out->raw, &n64))
        return false;
    if (!d->file->opts->gltf->ignore_materials && !gltf_decode_plain_material(d, textures, json, out))
        return false;
    if (n64) {
        tl_gltf_view_n64_material(out, n64);
        return true;
    }
    d->uvs_of[index] = tl_gltf_mesh_uvs(json);
    return d->file->opts->gltf->ignore_materials || tl_gltf_decode_pbr(d, textures, json, &out->pbr);
}

bool tl_gltf_decode_materials(gltf_decoder *d)
{
    const uint32_t count = gltf_count(d, GLTF_MATERIALS);
    trilo_material *materials = TL_ARRAY(d->arena, count, trilo_material);
    gltf_textures *textures = tl_gltf_textures_new(d);
    d->uvs_of = TL_ARRAY(&d->scratch, count, gltf_uv_transform);
    if (!materials || !textures || !d->uvs_of)
        return false;
    d->model->materials = materials;
    for (uint32_t i = 0; i < count; i++, d->model->material_count++)
        if (!gltf_decode_material(d, textures, i, &materials[i]))
            return false;
    return true;
}
