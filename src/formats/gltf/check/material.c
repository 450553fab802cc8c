/* Images, textures, materials: what they look like. Little of it can make a file unreadable. */
#include "formats/gltf/check/check.h"
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/fast64/fast64.h"

#include <string.h>

/* --- images and textures --- */

static void check_image(gltf_checker *c, uint32_t index)
{
    const gltf_image *image = &c->file->images[index];
    const tl_json *json = c->file->tables[GLTF_IMAGES].items[index], *uri = tl_json_member(json, "uri");
    uint32_t width, height;
    if (image->problem && uri && uri->kind == TL_JSON_STRING && !tl_gltf_is_data(uri->string))
        GLTF_TELL(c, GLTF_R_IMAGE, uri, "%.80s: %s", image->uri.len ? image->uri.data : uri->string.data,
                  image->problem);
    else if (image->problem)
        GLTF_TELL(c, GLTF_R_IMAGE, json, "%s", image->problem);
    else if (trilo_image_probe(image->bytes, &width, &height) == TRILO_IMAGE_UNKNOWN)
        GLTF_TELL(c, GLTF_R_IMAGE, json, "is neither PNG nor JPEG");
}

void tl_gltf_check_textures(gltf_checker *c)
{
    const gltf_table *textures = &c->file->tables[GLTF_TEXTURES];
    for (uint32_t i = 0; i < c->file->tables[GLTF_IMAGES].count; i++) {
        gltf_enter(c, "images", i);
        check_image(c, i);
        gltf_leave(c);
    }
    for (uint32_t i = 0; i < textures->count; i++) {
        gltf_enter(c, "textures", i);
        tl_gltf_need_index(c, textures->items[i], "source", GLTF_IMAGES, false);
        tl_gltf_need_index(c, textures->items[i], "sampler", GLTF_SAMPLERS, false);
        gltf_leave(c);
    }
}

/* --- materials --- */

static void check_use(gltf_checker *c, const tl_json *owner, const char *key)
{
    const tl_json *use = tl_gltf_need(c, owner, key, TL_JSON_OBJECT, false);
    if (!use)
        return;
    gltf_enter(c, key, TL_NO_INDEX);
    tl_gltf_need_index(c, use, "index", GLTF_TEXTURES, true);
    gltf_leave(c);
}

/* Numbers from 0 to `most`. */
static void check_range(gltf_checker *c, const tl_json *owner, const char *key, uint32_t count, double most)
{
    const tl_json *value = tl_json_member(owner, key);
    double numbers[4] = {0, 0, 0, 0};
    if (!value)
        return;
    bool good = count == 1 ? value->kind == TL_JSON_NUMBER : tl_json_numbers(value, numbers, count);
    numbers[0] = count == 1 ? value->number : numbers[0];
    for (uint32_t i = 0; i < count; i++)
        good = good && numbers[i] >= 0 && numbers[i] <= most;
    if (!good)
        GLTF_TELL(c, GLTF_R_MATERIAL, value, "%s must be %s from 0 to %g", key,
                  count == 1   ? "a number"
                  : count == 3 ? "three numbers"
                               : "four numbers",
                  most);
}

static void check_alpha_mode(gltf_checker *c, const tl_json *material)
{
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
    const tl_json *value = tl_json_member(material, "alphaMode");
    const trilo_str mode = tl_json_string(value);
    for (size_t i = 0; i < TL_COUNT_OF(modes); i++)
        if (mode.len == strlen(modes[i]) && memcmp(mode.data, modes[i], mode.len) == 0)
            return;
    if (value)
        GLTF_TELL(c, GLTF_R_MATERIAL, value, "alphaMode must be OPAQUE, MASK or BLEND");
}

static void check_material(gltf_checker *c, const tl_json *material)
{
    const tl_json *pbr = tl_gltf_need(c, material, "pbrMetallicRoughness", TL_JSON_OBJECT, false);
    check_use(c, pbr, "baseColorTexture");
    check_use(c, pbr, "metallicRoughnessTexture");
    check_use(c, material, "normalTexture");
    check_use(c, material, "occlusionTexture");
    check_use(c, material, "emissiveTexture");
    check_range(c, pbr, "baseColorFactor", 4, 1);
    check_range(c, pbr, "metallicFactor", 1, 1);
    check_range(c, pbr, "roughnessFactor", 1, 1);
    check_range(c, material, "emissiveFactor", 3, 1);
    check_range(c, material, "alphaCutoff", 1, 1e30);
    check_alpha_mode(c, material);
}

/* --- Fast64 --- */

/* A picture that is neither in the file nor beside it: its size is not known either. */
static void check_fast64_image(gltf_checker *c, const tl_json *material, const fast64_image *image)
{
    trilo_found_image found;
    trilo_str uri;
    const trilo_bytes inside = tl_gltf_image(c->file, image->image, &uri);
    const trilo_str name = uri.len > 0 ? uri : image->name;
    if (name.len > 0 && inside.size == 0 && !tl_gltf_find_image(c->file, name, &found))
        GLTF_TELL(c, GLTF_R_FAST64_TEXTURE, material, "material \"%.60s\": the texture %.80s cannot be found%s%s",
                  tl_json_string(tl_json_member(material, "name")).data, name.data,
                  found.places[0] ? "; it was looked for " : "", found.places);
}

static void check_fast64(gltf_checker *c, const tl_json *material, bool met)
{
    fast64_material read;
    const tl_json *where = NULL;
    const char *problem = NULL;
    const char *name = tl_json_string(tl_json_member(material, "name")).data;
    const fast64_found found = tl_fast64_read(c->file, material, &read, &where, &problem);
    const char *key = where && where->key.data ? where->key.data : "Fast64";
    if (found == FAST64_BROKEN)
        GLTF_TELL(c, GLTF_R_FAST64, where ? where : material, "material \"%.60s\": %.40s: %s", name, key, problem);
    else if (found == FAST64_EMPTY && met)
        GLTF_TELL(c, GLTF_R_FAST64_EMPTY, material,
                  "the material \"%.60s\" was made with Fast64, but its settings are not in the file", name);
    for (int i = 0; found == FAST64_READ && met && !c->report->errors_only && i < 2; i++)
        check_fast64_image(c, material, &read.images[i]);
}

/* Materials that nothing uses may have lost their settings; so they often do. */
void tl_gltf_check_materials(gltf_checker *c)
{
    const gltf_table *materials = &c->file->tables[GLTF_MATERIALS];
    for (uint32_t i = 0; i < materials->count; i++) {
        gltf_enter(c, "materials", i);
        check_material(c, materials->items[i]);
        if (!c->file->opts->gltf.ignore_materials)
            check_fast64(c, materials->items[i], c->materials_met[i]);
        gltf_leave(c);
    }
}
