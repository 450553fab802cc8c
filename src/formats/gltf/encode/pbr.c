/* PBR materials: base colour, metallic, roughness, emissive and the maps of these. Default values are not written. */
#include "base/strict_float.h"
#include "formats/gltf/encode/encode.h"

#include "base/bytes.h"
#include "base/gamma.h"
#include "n64/modes.h"

static bool gltf_all_equal(const float *values, int count, float value)
{
    for (int i = 0; i < count; i++)
        if (values[i] != value)
            return false;
    return true;
}

trilo_material tl_gltf_plain_view(const trilo_material *from)
{
    trilo_material view = *from;
    const trilo_n64_material *n64 = from->n64;
    const bool is_default = from->texture == TRILO_NONE && from->alpha == TRILO_ALPHA_OPAQUE && !from->two_sided &&
                            (gltf_all_equal(from->base_color, 4, 1) || gltf_all_equal(from->base_color, 4, 0));
    if (n64 && (n64->draw_flags & TRILO_N64_UNLIT) != 0)
        view.unlit = true;
    if (!n64 || !is_default)
        return view;
    for (int i = 0; i < 4; i++)
        view.base_color[i] = (n64->set_flags & TRILO_N64_SET_PRIM) != 0 ? (float)n64->prim[i] / 255.0f : 1;
    view.texture = n64->tiles[0].texture;
    view.alpha = tl_n64_alpha(n64);
    view.two_sided = (n64->draw_flags & (TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK)) == 0;
    return view;
}

/* --- textures and maps --- */

static bool gltf_is_texture_written(const gltf_encoder *e, uint32_t texture)
{
    return texture < e->model->texture_count && e->texture_of[texture] != TRILO_NONE;
}

static bool gltf_is_map_written(const gltf_encoder *e, const trilo_pbr *pbr, trilo_map_kind kind)
{
    return pbr && pbr->maps[kind].used && gltf_is_texture_written(e, pbr->maps[kind].texture);
}

bool tl_gltf_is_textured(const gltf_encoder *e, const trilo_material *material)
{
    const trilo_material view = tl_gltf_plain_view(material);
    bool textured = gltf_is_texture_written(e, view.texture);
    for (int kind = 0; kind < TRILO_MAP_KIND_COUNT; kind++)
        textured = textured || gltf_is_map_written(e, view.pbr, (trilo_map_kind)kind);
    return textured;
}

static void gltf_put_texture_transform(gltf_encoder *e, tl_json_writer *w, const trilo_map *map)
{
    static const char name[] = "KHR_texture_transform";
    if (!map->moved || !tl_is_finite(map->rotation) || !tl_is_finite(map->scale[0]) || !tl_is_finite(map->scale[1]) ||
        !tl_is_finite(map->offset[0]) || !tl_is_finite(map->offset[1]))
        return;
    if (!tl_gltf_use_extension(e, (trilo_str){name, sizeof name - 1})) {
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_EXTRAS), TRILO_NOWHERE,
                          "%s: too many extensions, not written", name);
        return;
    }
    tl_json_key(w, "extensions");
    tl_json_open(w, '{');
    tl_json_key(w, name);
    tl_json_open(w, '{');
    tl_json_key(w, "offset");
    tl_json_put_floats(w, map->offset, 2);
    tl_json_key(w, "rotation");
    tl_json_put_float(w, map->rotation);
    tl_json_key(w, "scale");
    tl_json_put_floats(w, map->scale, 2);
    tl_json_close(w, '}');
    tl_json_close(w, '}');
}

/* Clamped to 0 to 1; 0 for NaN. */
static float gltf_clamp_factor(float value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

static void gltf_put_factor(tl_json_writer *w, const char *key, float value, float default_value)
{
    if (value == default_value || !tl_is_finite(value))
        return;
    tl_json_key(w, key);
    tl_json_put_float(w, value);
}

static void gltf_put_color_factor(tl_json_writer *w, const char *key, const float *color, int count,
                                  float default_value)
{
    if (gltf_all_equal(color, count, default_value))
        return;
    tl_json_key(w, key);
    tl_json_put_floats(w, color, (size_t)count);
}

static void gltf_put_map(gltf_encoder *e, tl_json_writer *w, const trilo_pbr *pbr, trilo_map_kind kind)
{
    static const char *const keys[TRILO_MAP_KIND_COUNT] = {[TRILO_MAP_KIND_METALLIC_ROUGHNESS] =
                                                               "metallicRoughnessTexture",
                                                           [TRILO_MAP_KIND_NORMAL] = "normalTexture",
                                                           [TRILO_MAP_KIND_OCCLUSION] = "occlusionTexture",
                                                           [TRILO_MAP_KIND_EMISSIVE] = "emissiveTexture"};
    if (!gltf_is_map_written(e, pbr, kind))
        return;
    const trilo_map *map = &pbr->maps[kind];
    tl_json_key(w, keys[kind]);
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "index", e->texture_of[map->texture]);
    if (kind == TRILO_MAP_KIND_NORMAL)
        gltf_put_factor(w, "scale", map->strength, 1);
    if (kind == TRILO_MAP_KIND_OCCLUSION)
        gltf_put_factor(w, "strength", gltf_clamp_factor(map->strength), 1);
    gltf_put_texture_transform(e, w, map);
    tl_json_close(w, '}');
}

/* Colours of the model are display values, those of glTF linear. */
void tl_gltf_put_pbr(gltf_encoder *e, tl_json_writer *w, const trilo_material *view)
{
    const trilo_pbr *pbr = view->pbr;
    float color[4], emissive[3];
    for (int i = 0; i < 4; i++)
        color[i] = gltf_clamp_factor(i < 3 ? tl_gamma_decode(view->base_color[i]) : view->base_color[i]);
    for (int i = 0; i < 3; i++)
        emissive[i] = pbr ? gltf_clamp_factor(pbr->emissive[i]) : 0;
    tl_json_key(w, "pbrMetallicRoughness");
    tl_json_open(w, '{');
    gltf_put_color_factor(w, "baseColorFactor", color, 4, 1);
    if (gltf_is_texture_written(e, view->texture)) {
        tl_json_key(w, "baseColorTexture");
        tl_json_open(w, '{');
        tl_gltf_put_index(w, "index", e->texture_of[view->texture]);
        tl_json_close(w, '}');
    }
    gltf_put_factor(w, "metallicFactor", pbr ? gltf_clamp_factor(pbr->metallic) : 0, 1);
    gltf_put_factor(w, "roughnessFactor", pbr ? gltf_clamp_factor(pbr->roughness) : 1, 1);
    gltf_put_map(e, w, pbr, TRILO_MAP_KIND_METALLIC_ROUGHNESS);
    tl_json_close(w, '}');
    gltf_put_map(e, w, pbr, TRILO_MAP_KIND_NORMAL);
    gltf_put_map(e, w, pbr, TRILO_MAP_KIND_OCCLUSION);
    gltf_put_map(e, w, pbr, TRILO_MAP_KIND_EMISSIVE);
    gltf_put_color_factor(w, "emissiveFactor", emissive, 3, 0);
}
