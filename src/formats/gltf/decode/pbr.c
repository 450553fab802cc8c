/* PBR materials: maps, metallic, roughness, emissive.
 *
 * A mesh of the model has one set of texture coordinates: the base colour's, with its transform applied, or without a
 * base colour texture the set of the first map, without a transform. A map with the same set and transform is kept. A
 * map with the same set and its own transform is kept with it, when the mesh's coordinates have none. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"

#include "base/trig.h"

static const tl_json *gltf_specular_glossiness(const tl_json *material)
{
    return tl_gltf_extension(material, "KHR_materials_pbrSpecularGlossiness");
}

gltf_base_color tl_gltf_base_color(const tl_json *material)
{
    const tl_json *specular = gltf_specular_glossiness(material);
    const tl_json *metallic = tl_json_member(material, "pbrMetallicRoughness");
    if (specular)
        return (gltf_base_color){tl_json_member(specular, "diffuseFactor"), tl_json_member(specular, "diffuseTexture")};
    return (gltf_base_color){tl_json_member(metallic, "baseColorFactor"), tl_json_member(metallic, "baseColorTexture")};
}

/* The extension for specular and glossiness replaces metallic and roughness. */
static const tl_json *gltf_map_info(const tl_json *material, trilo_map_kind kind)
{
    static const char *const keys[TRILO_MAP_KIND_COUNT] = {[TRILO_MAP_KIND_METALLIC_ROUGHNESS] =
                                                               "metallicRoughnessTexture",
                                                           [TRILO_MAP_KIND_NORMAL] = "normalTexture",
                                                           [TRILO_MAP_KIND_OCCLUSION] = "occlusionTexture",
                                                           [TRILO_MAP_KIND_EMISSIVE] = "emissiveTexture"};
    if (kind != TRILO_MAP_KIND_METALLIC_ROUGHNESS)
        return tl_json_member(material, keys[kind]);
    return gltf_specular_glossiness(material)
               ? NULL
               : tl_json_member(tl_json_member(material, "pbrMetallicRoughness"), keys[kind]);
}

/* --- texture coordinates --- */

/* The values of KHR_texture_transform. */
typedef struct gltf_texture_transform {
    double scale[2], rotation, offset[2];
} gltf_texture_transform;

static gltf_texture_transform gltf_read_texture_transform(const tl_json *json)
{
    gltf_texture_transform t = {{1, 1}, tl_json_number(tl_json_member(json, "rotation"), 0), {0, 0}};
    tl_json_numbers(tl_json_member(json, "offset"), t.offset, 2);
    tl_json_numbers(tl_json_member(json, "scale"), t.scale, 2);
    return t;
}

/* Scale, then rotation, then offset. The rotation is counter-clockwise in the image, whose v points down. */
gltf_uv_transform tl_gltf_uv_transform(const tl_json *info)
{
    const tl_json *json = tl_gltf_extension(info, "KHR_texture_transform");
    gltf_uv_transform out = {0, false, {1, 0, 0, 0, 1, 0}};
    tl_json_uint(tl_json_member(info, "texCoord"), &out.set);
    tl_json_uint(tl_json_member(json, "texCoord"), &out.set);
    if (!json)
        return out;
    const gltf_texture_transform t = gltf_read_texture_transform(json);
    const double c = tl_cos(t.rotation), s = tl_sin(t.rotation);
    if (c != c) /* the angle is too large for tl_cos */
        return out;
    out.m[0] = c * t.scale[0], out.m[1] = s * t.scale[1], out.m[2] = t.offset[0];
    out.m[3] = -s * t.scale[0], out.m[4] = c * t.scale[1], out.m[5] = t.offset[1];
    out.used = true;
    return out;
}

gltf_uv_transform tl_gltf_mesh_uvs(const tl_json *material)
{
    const tl_json *info = tl_gltf_base_color(material).texture;
    if (info)
        return tl_gltf_uv_transform(info);
    for (int kind = 0; !info && kind < TRILO_MAP_KIND_COUNT; kind++)
        info = gltf_map_info(material, (trilo_map_kind)kind);
    return (gltf_uv_transform){tl_gltf_uv_transform(info).set, false, {1, 0, 0, 0, 1, 0}};
}

static bool gltf_uv_transforms_equal(const gltf_uv_transform *a, const gltf_uv_transform *b)
{
    for (int i = 0; i < 6; i++)
        if (a->m[i] != b->m[i])
            return false;
    return true;
}

const tl_json *tl_gltf_map(const tl_json *material, trilo_map_kind kind, bool *fits)
{
    static const gltf_uv_transform identity = {0, false, {1, 0, 0, 0, 1, 0}};
    const tl_json *info = gltf_map_info(material, kind);
    const gltf_uv_transform own = tl_gltf_uv_transform(info), mesh = tl_gltf_mesh_uvs(material);
    *fits =
        own.set == mesh.set && (gltf_uv_transforms_equal(&own, &mesh) || gltf_uv_transforms_equal(&mesh, &identity));
    return info;
}

/* --- decoding --- */

static bool gltf_decode_map(gltf_decoder *d, gltf_textures *textures, const tl_json *material, trilo_map_kind kind,
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
    const char *strength = kind == TRILO_MAP_KIND_NORMAL ? "scale" : "strength";
    out->strength = gltf_float(tl_json_number(tl_json_member(info, strength), 1));
    const gltf_uv_transform own = tl_gltf_uv_transform(info), mesh = tl_gltf_mesh_uvs(material);
    out->moved = !gltf_uv_transforms_equal(&own, &mesh);
    if (!out->moved)
        return true;
    const gltf_texture_transform t = gltf_read_texture_transform(tl_gltf_extension(info, "KHR_texture_transform"));
    for (int i = 0; i < 2; i++) {
        out->scale[i] = gltf_float(t.scale[i]);
        out->offset[i] = gltf_float(t.offset[i]);
    }
    out->rotation = gltf_float(t.rotation);
    return true;
}

bool tl_gltf_decode_pbr(gltf_decoder *d, gltf_textures *textures, const tl_json *material, const trilo_pbr **pbr)
{
    const tl_json *metallic = tl_json_member(material, "pbrMetallicRoughness");
    const bool specular = gltf_specular_glossiness(material) != NULL;
    double emissive[3] = {0, 0, 0};
    trilo_pbr read;
    memset(&read, 0, sizeof read);
    read.metallic = specular ? 0 : gltf_unit_float(tl_json_number(tl_json_member(metallic, "metallicFactor"), 1));
    read.roughness = specular ? 1 : gltf_unit_float(tl_json_number(tl_json_member(metallic, "roughnessFactor"), 1));
    bool is_default = read.metallic == 0 && read.roughness == 1;
    tl_json_numbers(tl_json_member(material, "emissiveFactor"), emissive, 3);
    for (int i = 0; i < 3; i++) {
        read.emissive[i] = gltf_unit_float(emissive[i]);
        is_default = is_default && read.emissive[i] == 0;
    }
    for (int kind = 0; kind < TRILO_MAP_KIND_COUNT; kind++) {
        if (!gltf_decode_map(d, textures, material, (trilo_map_kind)kind, &read.maps[kind]))
            return false;
        is_default = is_default && !read.maps[kind].used;
    }
    *pbr = is_default ? NULL : tl_bytes_copy(d->arena, &read, sizeof read);
    return is_default || *pbr;
}
