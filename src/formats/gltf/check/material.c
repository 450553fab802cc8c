/* Images, textures and materials. Most problems here are warnings: the file can still be read. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/fast64/fast64.h"

/* --- images and textures --- */

void tl_gltf_check_textures(gltf_checker *c)
{
    const gltf_table *images = &c->file->tables[GLTF_IMAGES], *textures = &c->file->tables[GLTF_TEXTURES];
    for (uint32_t i = 0; i < images->count; i++) {
        const gltf_image *image = &c->file->images[i];
        const tl_json *json = images->items[i], *uri = tl_json_member(json, "uri");
        uint32_t width, height;
        gltf_enter(c, "images", i);
        if (image->problem && uri && uri->kind == TL_JSON_STRING && !tl_gltf_is_data(uri->string))
            GLTF_REPORT(c, GLTF_R_IMAGE, uri, "%.80s: %s", image->uri.len ? image->uri.data : uri->string.data,
                        image->problem);
        else if (image->problem)
            GLTF_REPORT(c, GLTF_R_IMAGE, json, "%s", image->problem);
        else if (trilo_image_probe(image->bytes, &width, &height) == TRILO_IMAGE_KIND_UNKNOWN)
            GLTF_REPORT(c, GLTF_R_IMAGE, json, "is neither PNG nor JPEG");
        gltf_leave(c);
    }
    for (uint32_t i = 0; i < textures->count; i++) {
        gltf_enter(c, "textures", i);
        tl_gltf_check_index(c, textures->items[i], "source", GLTF_IMAGES, false);
        tl_gltf_check_index(c, textures->items[i], "sampler", GLTF_SAMPLERS, false);
        gltf_leave(c);
    }
}

/* --- materials --- */

static void gltf_check_texture_info(gltf_checker *c, const tl_json *owner, const char *key)
{
    const tl_json *info = tl_gltf_check_member(c, owner, key, TL_JSON_OBJECT, false);
    if (!info)
        return;
    gltf_enter(c, key, TL_NO_INDEX);
    tl_gltf_check_index(c, info, "index", GLTF_TEXTURES, true);
    gltf_leave(c);
}

static void gltf_check_material(gltf_checker *c, const tl_json *material)
{
    const tl_json *pbr = tl_gltf_check_member(c, material, "pbrMetallicRoughness", TL_JSON_OBJECT, false);
    const tl_json *alpha = tl_json_member(material, "alphaMode");
    const trilo_str mode = tl_json_string(alpha);
    gltf_check_texture_info(c, pbr, "baseColorTexture");
    gltf_check_texture_info(c, pbr, "metallicRoughnessTexture");
    gltf_check_texture_info(c, material, "normalTexture");
    gltf_check_texture_info(c, material, "occlusionTexture");
    gltf_check_texture_info(c, material, "emissiveTexture");
    if (alpha && !gltf_str_is(mode, "OPAQUE") && !gltf_str_is(mode, "MASK") && !gltf_str_is(mode, "BLEND"))
        GLTF_REPORT(c, GLTF_R_MATERIAL, alpha, "alphaMode must be OPAQUE, MASK or BLEND");
}

/* Unused materials often have lost their Fast64 settings, and their textures do not matter. */
static void gltf_check_fast64(gltf_checker *c, const tl_json *material, bool used)
{
    fast64_material read;
    const tl_json *where = NULL;
    const char *problem = NULL, *name = tl_json_string(tl_json_member(material, "name")).data;
    const fast64_found found = tl_fast64_read(c->file, material, &read, &where, &problem);
    const char *key = where && where->key.data ? where->key.data : "Fast64";
    if (found == FAST64_BROKEN)
        GLTF_REPORT(c, used ? GLTF_R_FAST64 : GLTF_R_FAST64_UNUSED, where ? where : material,
                    "material \"%.60s\": %.40s: %s", name, key, problem);
    else if (found == FAST64_EMPTY && used)
        GLTF_REPORT(c, GLTF_R_FAST64_EMPTY, material,
                    "the material \"%.60s\" was made with Fast64, but its settings are not in the file", name);
    for (int i = 0; found == FAST64_READ && used && !c->report->errors_only && i < 2; i++) {
        trilo_found_image image;
        trilo_str uri;
        const trilo_bytes embedded = tl_gltf_image(c->file, read.images[i].image, &uri);
        const trilo_str texture = uri.len > 0 ? uri : read.images[i].name;
        if (texture.len > 0 && embedded.size == 0 && !tl_gltf_find_image(c->file->opts, texture, &image))
            GLTF_REPORT(c, GLTF_R_FAST64_TEXTURE, material, "material \"%.60s\": the texture %.80s cannot be found%s%s",
                        name, texture.data, image.places[0] ? "; it was looked for " : "", image.places);
    }
}

void tl_gltf_check_materials(gltf_checker *c)
{
    const gltf_table *materials = &c->file->tables[GLTF_MATERIALS];
    for (uint32_t i = 0; i < materials->count; i++) {
        gltf_enter(c, "materials", i);
        gltf_check_material(c, materials->items[i]);
        if (!c->file->opts->gltf->ignore_materials)
            gltf_check_fast64(c, materials->items[i], c->materials_used[i]);
        gltf_leave(c);
    }
}
