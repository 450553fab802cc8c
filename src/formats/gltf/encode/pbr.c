/* What any program can show of a material: colour, metal, roughness, light of its own, and the maps of these. */
#include "formats/gltf/encode/encode.h"

#include "base/bytes.h"
#include "base/gamma.h"
#include "n64/modes.h"

#include <string.h>

/* --- materials of the console --- */

static bool all_are(const float *values, int count, float value)
{
    for (int i = 0; i < count; i++)
        if (values[i] != value)
            return false;
    return true;
}

static bool says_nothing(const trilo_material *m)
{
    return m->texture == TRILO_NONE && m->alpha == TRILO_ALPHA_OPAQUE && !m->two_sided &&
           (all_are(m->base_color, 4, 1) || all_are(m->base_color, 4, 0));
}

trilo_material tl_gltf_plain_view(const trilo_material *from)
{
    trilo_material view = *from;
    const trilo_n64_material *n64 = from->n64;
    if (n64 && (n64->draw_flags & TRILO_N64_UNLIT) != 0)
        view.unlit = true;
    if (!n64 || !says_nothing(from))
        return view;
    for (int i = 0; i < 4; i++)
        view.base_color[i] = (n64->set_flags & TRILO_N64_SET_PRIM) != 0 ? (float)n64->prim[i] / 255.0f : 1;
    view.texture = n64->tiles[0].texture;
    view.alpha = tl_n64_alpha(n64);
    view.two_sided = (n64->draw_flags & (TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK)) == 0;
    return view;
}

/* --- pictures --- */

static bool is_written(const gltf_encoder *e, uint32_t texture)
{
    return texture < e->model->texture_count && e->texture_of[texture] != TRILO_NONE;
}

static bool is_map_written(const gltf_encoder *e, const trilo_pbr *pbr, trilo_map_kind kind)
{
    return pbr && pbr->maps[kind].used && is_written(e, pbr->maps[kind].texture);
}

bool tl_gltf_shows_picture(const gltf_encoder *e, const trilo_material *material)
{
    const trilo_material view = tl_gltf_plain_view(material);
    bool shows = is_written(e, view.texture);
    for (int kind = 0; kind < TRILO_MAP_COUNT; kind++)
        shows = shows || is_map_written(e, view.pbr, (trilo_map_kind)kind);
    return shows;
}

static bool can_move(const trilo_map *map)
{
    return map->moved && tl_is_finite(map->rotation) && tl_is_finite(map->scale[0]) && tl_is_finite(map->scale[1]) &&
           tl_is_finite(map->offset[0]) && tl_is_finite(map->offset[1]);
}

static void put_transform(gltf_encoder *e, tl_json_writer *w, const trilo_map *map)
{
    static const char name[] = "KHR_texture_transform";
    if (!can_move(map))
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

static float share(float value)
{
    return value > 0 ? value < 1 ? value : 1 : 0; /* not-a-number is 0 */
}

/* A number, unless it is what glTF takes without one. */
static void put_factor(tl_json_writer *w, const char *key, float value, float usual)
{
    if (value == usual || !tl_is_finite(value))
        return;
    tl_json_key(w, key);
    tl_json_put_float(w, value);
}

static void put_map(gltf_encoder *e, tl_json_writer *w, const trilo_pbr *pbr, trilo_map_kind kind)
{
    static const char *const keys[TRILO_MAP_COUNT] = {[TRILO_MAP_METALLIC_ROUGHNESS] = "metallicRoughnessTexture",
                                                      [TRILO_MAP_NORMAL] = "normalTexture",
                                                      [TRILO_MAP_OCCLUSION] = "occlusionTexture",
                                                      [TRILO_MAP_EMISSIVE] = "emissiveTexture"};
    if (!is_map_written(e, pbr, kind))
        return;
    const trilo_map *map = &pbr->maps[kind];
    tl_json_key(w, keys[kind]);
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "index", e->texture_of[map->texture]);
    if (kind == TRILO_MAP_NORMAL)
        put_factor(w, "scale", map->strength, 1);
    if (kind == TRILO_MAP_OCCLUSION)
        put_factor(w, "strength", share(map->strength), 1);
    put_transform(e, w, map);
    tl_json_close(w, '}');
}

/* --- the members --- */

/* Colours of the model are what a screen is given, those of glTF amounts of light. */
static void put_color(tl_json_writer *w, const float base[4])
{
    float color[4];
    for (int i = 0; i < 4; i++)
        color[i] = i < 3 ? share(tl_gamma_decode(base[i])) : share(base[i]);
    if (all_are(color, 4, 1))
        return;
    tl_json_key(w, "baseColorFactor");
    tl_json_put_floats(w, color, 4);
}

static void put_emission(tl_json_writer *w, const float emissive[3])
{
    float light[3];
    for (int i = 0; i < 3; i++)
        light[i] = share(emissive[i]);
    if (all_are(light, 3, 0))
        return;
    tl_json_key(w, "emissiveFactor");
    tl_json_put_floats(w, light, 3);
}

void tl_gltf_put_pbr(gltf_encoder *e, tl_json_writer *w, const trilo_material *view)
{
    const trilo_pbr *pbr = view->pbr;
    tl_json_key(w, "pbrMetallicRoughness");
    tl_json_open(w, '{');
    put_color(w, view->base_color);
    if (is_written(e, view->texture)) {
        tl_json_key(w, "baseColorTexture");
        tl_json_open(w, '{');
        tl_gltf_put_index(w, "index", e->texture_of[view->texture]);
        tl_json_close(w, '}');
    }
    put_factor(w, "metallicFactor", pbr ? share(pbr->metallic) : 0, 1);
    put_factor(w, "roughnessFactor", pbr ? share(pbr->roughness) : 1, 1);
    put_map(e, w, pbr, TRILO_MAP_METALLIC_ROUGHNESS);
    tl_json_close(w, '}');
    put_map(e, w, pbr, TRILO_MAP_NORMAL);
    put_map(e, w, pbr, TRILO_MAP_OCCLUSION);
    put_map(e, w, pbr, TRILO_MAP_EMISSIVE);
    if (pbr)
        put_emission(w, pbr->emissive);
}
