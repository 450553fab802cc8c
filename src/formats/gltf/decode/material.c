/* Materials: a colour, a texture, how transparent; and the state of the N64 where the file has it. */
#include "formats/gltf/decode/decode.h"

#include "base/gamma.h"
#include "n64/modes.h"

/* --- the plain part --- */

static void read_color(const gltf_decoder *d, const tl_json *factor, float out[4])
{
    double light[4] = {1, 1, 1, 1};
    tl_json_numbers(factor, light, 4);
    for (int i = 0; i < 3; i++)
        out[i] =
            d->file->opts->gltf.srgb ? tl_srgb_encode(gltf_float(light[i])) : tl_gamma_encode(gltf_float(light[i]));
    out[3] = gltf_float(light[3]);
    for (int i = 0; i < 4; i++)
        out[i] = out[i] > 0 ? out[i] < 1 ? out[i] : 1 : 0;
}

/* A cutoff of 0 cuts nothing; in a model, 0 would be a half. */
static void read_alpha(const tl_json *json, trilo_material *out)
{
    const tl_json *mode = tl_json_member(json, "alphaMode");
    const float cutoff = gltf_float(tl_json_number(tl_json_member(json, "alphaCutoff"), 0.5));
    if (tl_gltf_is(mode, "BLEND"))
        out->alpha = TRILO_ALPHA_BLEND;
    if (tl_gltf_is(mode, "MASK") && cutoff > 0) {
        out->alpha = TRILO_ALPHA_CUTOUT;
        out->alpha_cutoff = cutoff;
    }
}

static bool read_plain(gltf_decoder *d, gltf_textures *textures, const tl_json *json, trilo_material *out)
{
    const gltf_paint paint = tl_gltf_paint_of(json);
    read_color(d, paint.factor, out->base_color);
    read_alpha(json, out);
    out->two_sided = tl_json_bool(tl_json_member(json, "doubleSided"), false);
    out->unlit = tl_gltf_extension(json, "KHR_materials_unlit") != NULL;
    const uint32_t texture = tl_gltf_index(d->file, paint.texture, "index", GLTF_TEXTURES, NULL);
    return texture == TRILO_NONE || tl_gltf_texture(d, textures, texture, &out->texture);
}

/* --- the console's part --- */

/* What programs that know no combiner can make of it. The file's own plain values are a guess of Fast64's, but for the
 * texture. */
static void view_n64(trilo_material *out, const trilo_n64_material *n64)
{
    const bool tinted = n64->set_flags & TRILO_N64_SET_PRIM;
    for (int i = 0; i < 4; i++)
        out->base_color[i] = tinted ? (float)n64->prim[i] / 255.0f : 1;
    if (out->texture == TRILO_NONE)
        out->texture = n64->tiles[0].texture;
    out->alpha = tl_n64_alpha(n64);
    out->alpha_cutoff = out->alpha == TRILO_ALPHA_CUTOUT ? (float)n64->blend[3] / 255.0f : 0;
    out->two_sided = (n64->draw_flags & (TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK)) == 0;
    out->unlit = (n64->draw_flags & TRILO_N64_UNLIT) != 0;
    out->n64 = n64;
}

/* --- all of them --- */

static bool decode_material(gltf_decoder *d, gltf_textures *textures, uint32_t index, trilo_material *out)
{
    static const char *const understood[] = {"trilobite_n64", "KHR_materials_unlit",
                                             "KHR_materials_pbrSpecularGlossiness", "FAST64_materials_n64", NULL};
    const tl_json *json = d->file->tables[GLTF_MATERIALS].items[index];
    const trilo_n64_material *n64;
    *out = (trilo_material){.name = {"", 0}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    d->uv_uses[index] = tl_gltf_uv_use_of(NULL);
    if (!tl_gltf_name(d, json, &out->name) || !tl_gltf_extras(d, json, understood, &out->extras) ||
        !tl_gltf_decode_n64(d, textures, json, &n64))
        return false;
    if (!d->file->opts->gltf.ignore_materials && !read_plain(d, textures, json, out))
        return false;
    if (n64) {
        view_n64(out, n64);
        return true;
    }
    d->uv_uses[index] = tl_gltf_leading(json);
    return d->file->opts->gltf.ignore_materials || tl_gltf_decode_pbr(d, textures, json, &out->pbr);
}

bool tl_gltf_decode_materials(gltf_decoder *d)
{
    const uint32_t count = gltf_count(d, GLTF_MATERIALS);
    trilo_material *materials = TL_ARRAY(d->arena, count, trilo_material);
    gltf_textures *textures = tl_gltf_textures_new(d);
    d->uv_uses = TL_ARRAY(&d->scratch, count, gltf_uv_use);
    if (!materials || !textures || !d->uv_uses)
        return false;
    d->model->materials = materials;
    for (uint32_t i = 0; i < count; i++, d->model->material_count++)
        if (!decode_material(d, textures, i, &materials[i]))
            return false;
    return true;
}
