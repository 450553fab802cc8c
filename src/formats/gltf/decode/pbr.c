/* What a material has beside its colour: maps, metal, roughness, light of its own.
 *
 * A mesh of the model has one set of texture coordinates: that of the colour, moved as the colour wants it, or without
 * a colour that of the first map, left alone. A map that wants the same is kept as it is; one that wants the same set
 * moved in another way is kept with its own way, when the set was left alone. */
#include "formats/gltf/decode/decode.h"

#include "base/trig.h"

#include <string.h>

/* --- where things are --- */

static const tl_json *specular_of(const tl_json *material)
{
    return tl_gltf_extension(material, "KHR_materials_pbrSpecularGlossiness");
}

gltf_paint tl_gltf_paint_of(const tl_json *material)
{
    const tl_json *specular = specular_of(material), *metallic = tl_json_member(material, "pbrMetallicRoughness");
    if (specular)
        return (gltf_paint){tl_json_member(specular, "diffuseFactor"), tl_json_member(specular, "diffuseTexture")};
    return (gltf_paint){tl_json_member(metallic, "baseColorFactor"), tl_json_member(metallic, "baseColorTexture")};
}

static const tl_json *map_of(const tl_json *material, trilo_map_kind kind)
{
    static const char *const keys[TRILO_MAP_COUNT] = {[TRILO_MAP_METALLIC_ROUGHNESS] = "metallicRoughnessTexture",
                                                      [TRILO_MAP_NORMAL] = "normalTexture",
                                                      [TRILO_MAP_OCCLUSION] = "occlusionTexture",
                                                      [TRILO_MAP_EMISSIVE] = "emissiveTexture"};
    if (kind != TRILO_MAP_METALLIC_ROUGHNESS)
        return tl_json_member(material, keys[kind]);
    /* of a material that says both, the extension counts */
    return specular_of(material) ? NULL : tl_json_member(tl_json_member(material, "pbrMetallicRoughness"), keys[kind]);
}

/* --- texture coordinates --- */

/* The numbers of KHR_texture_transform. */
typedef struct transform {
    double scale[2], rotation, offset[2];
} transform;

static transform transform_of(const tl_json *json)
{
    transform t = {{1, 1}, tl_json_number(tl_json_member(json, "rotation"), 0), {0, 0}};
    tl_json_numbers(tl_json_member(json, "offset"), t.offset, 2);
    tl_json_numbers(tl_json_member(json, "scale"), t.scale, 2);
    return t;
}

/* Scaled, turned, moved. Turning is counter-clockwise as one sees the image, whose v points down. */
static void read_transform(const tl_json *json, gltf_uv_use *use)
{
    const transform t = transform_of(json);
    const double c = tl_cos(t.rotation), s = tl_sin(t.rotation);
    if (c != c) /* an angle beyond all measure */
        return;
    use->m[0] = c * t.scale[0], use->m[1] = s * t.scale[1], use->m[2] = t.offset[0];
    use->m[3] = -s * t.scale[0], use->m[4] = c * t.scale[1], use->m[5] = t.offset[1];
    use->moved = true;
}

gltf_uv_use tl_gltf_uv_use_of(const tl_json *info)
{
    const tl_json *json = tl_gltf_extension(info, "KHR_texture_transform");
    gltf_uv_use use = {0, false, {1, 0, 0, 0, 1, 0}};
    tl_json_uint(tl_json_member(info, "texCoord"), &use.set);
    tl_json_uint(tl_json_member(json, "texCoord"), &use.set);
    if (json)
        read_transform(json, &use);
    return use;
}

gltf_uv_use tl_gltf_leading(const tl_json *material)
{
    const tl_json *info = tl_gltf_paint_of(material).texture;
    if (info)
        return tl_gltf_uv_use_of(info);
    for (int kind = 0; !info && kind < TRILO_MAP_COUNT; kind++)
        info = map_of(material, (trilo_map_kind)kind);
    return (gltf_uv_use){tl_gltf_uv_use_of(info).set, false, {1, 0, 0, 0, 1, 0}};
}

static bool same_way(const gltf_uv_use *a, const gltf_uv_use *b)
{
    for (int i = 0; i < 6; i++)
        if (a->m[i] != b->m[i])
            return false;
    return true;
}

static bool left_alone(const gltf_uv_use *use)
{
    static const gltf_uv_use alone = {0, false, {1, 0, 0, 0, 1, 0}};
    return same_way(use, &alone);
}

const tl_json *tl_gltf_map(const tl_json *material, trilo_map_kind kind, bool *fits)
{
    const tl_json *info = map_of(material, kind);
    const gltf_uv_use own = tl_gltf_uv_use_of(info), leading = tl_gltf_leading(material);
    *fits = own.set == leading.set && (same_way(&own, &leading) || left_alone(&leading));
    return info;
}

/* --- into the model --- */

static void move_map(const tl_json *material, const tl_json *info, trilo_map *map)
{
    const gltf_uv_use own = tl_gltf_uv_use_of(info), leading = tl_gltf_leading(material);
    const transform t = transform_of(tl_gltf_extension(info, "KHR_texture_transform"));
    map->moved = !same_way(&own, &leading);
    for (int i = 0; map->moved && i < 2; i++) {
        map->scale[i] = gltf_float(t.scale[i]);
        map->offset[i] = gltf_float(t.offset[i]);
    }
    map->rotation = map->moved ? gltf_float(t.rotation) : 0;
}

static bool decode_map(gltf_decoder *d, gltf_textures *textures, const tl_json *material, trilo_map_kind kind,
                       trilo_map *out)
{
    bool fits;
    const tl_json *info = tl_gltf_map(material, kind, &fits);
    const uint32_t texture = tl_gltf_index(d->file, info, "index", GLTF_TEXTURES, NULL);
    if (!info || !fits || texture == TRILO_NONE)
        return true;
    if (!tl_gltf_texture(d, textures, texture, &out->texture))
        return false;
    out->used = out->texture != TRILO_NONE;
    const char *strength = kind == TRILO_MAP_NORMAL ? "scale" : "strength";
    out->strength = gltf_float(tl_json_number(tl_json_member(info, strength), 1));
    move_map(material, info, out);
    return true;
}

static float share(const tl_json *value, double fallback)
{
    const double number = tl_json_number(value, fallback);
    return number > 0 ? number < 1 ? (float)number : 1 : 0;
}

static void read_factors(const tl_json *material, trilo_pbr *pbr)
{
    const tl_json *metallic = tl_json_member(material, "pbrMetallicRoughness");
    double light[3] = {0, 0, 0};
    const bool specular = specular_of(material) != NULL;
    pbr->metallic = specular ? 0 : share(tl_json_member(metallic, "metallicFactor"), 1);
    pbr->roughness = specular ? 1 : share(tl_json_member(metallic, "roughnessFactor"), 1);
    tl_json_numbers(tl_json_member(material, "emissiveFactor"), light, 3);
    for (int i = 0; i < 3; i++)
        pbr->emissive[i] = light[i] > 0 ? light[i] < 1 ? (float)light[i] : 1 : 0;
}

static bool says_nothing(const trilo_pbr *pbr)
{
    for (int i = 0; i < TRILO_MAP_COUNT; i++)
        if (pbr->maps[i].used)
            return false;
    return pbr->metallic == 0 && pbr->roughness == 1 && pbr->emissive[0] == 0 && pbr->emissive[1] == 0 &&
           pbr->emissive[2] == 0;
}

bool tl_gltf_decode_pbr(gltf_decoder *d, gltf_textures *textures, const tl_json *material, const trilo_pbr **pbr)
{
    trilo_pbr read;
    memset(&read, 0, sizeof read);
    read_factors(material, &read);
    for (int kind = 0; kind < TRILO_MAP_COUNT; kind++)
        if (!decode_map(d, textures, material, (trilo_map_kind)kind, &read.maps[kind]))
            return false;
    *pbr = NULL;
    if (says_nothing(&read))
        return true;
    *pbr = tl_bytes_copy(d->arena, &read, sizeof read);
    return *pbr != NULL;
}
