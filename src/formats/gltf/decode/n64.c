/* The N64 state of a material: as Fast64 exports it, or as Trilobite writes it:
 *
 *   "extras": {"trilobite_n64": {"combiner": "0x...", "otherMode": "0x...", "otherMask": "0x...", "blender": "0x...",
 *     "drawFlags": n, "fog": n, "setFlags": n, "vertexEffect": n, "prim": [r, g, b, a], "env": [...], "blend": [...],
 *     "tiles": [{"reference": n, "path": "rom:/..." (or "texture": n, of this file), "width": n, "height": n,
 *                "s": {"low": x, "high": x, "mask": n, "shift": n, "mirror": bool, "clamp": bool}, "t": {...}}, ...],
 *     "engine": {"flags": n, "k4": n, "k5": n, "primLod": n, "fogBlender": "0x...", "primZ": n, "primDeltaZ": n,
 *                "zOffset": n}, "raw": "0123..." (the bytes of a T3DM chunk `m`)}}
 *
 * Trilobite's own form is exact and takes precedence. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/fast64/fast64.h"
#include "n64/console_path.h"

#include <stdio.h>

/* --- trilobite_n64: invalid values are read as 0 --- */

static uint64_t gltf_n64_hex(const tl_json *value)
{
    const trilo_str text = tl_json_string(value);
    uint64_t number = 0;
    if (text.len < 3 || text.len > 18 || text.data[0] != '0' || text.data[1] != 'x')
        return 0;
    for (size_t i = 2; i < text.len; i++) {
        const int digit = gltf_hex_digit(text.data[i]);
        if (digit < 0)
            return 0;
        number = number << 4 | (uint64_t)digit;
    }
    return number;
}

static uint32_t gltf_n64_uint(const tl_json *value, uint32_t max)
{
    uint32_t number;
    return tl_json_uint(value, &number) && number <= max ? number : 0;
}

static int16_t gltf_n64_int(const tl_json *value, int16_t min, int16_t max)
{
    const double number = tl_json_number(value, 0);
    if (!(number >= min && number <= max))
        return 0;
    return (int16_t)number;
}

static int8_t gltf_n64_int8(const tl_json *value)
{
    return (int8_t)gltf_n64_int(value, INT8_MIN, INT8_MAX);
}

static void gltf_n64_color(const tl_json *array, uint8_t out[4])
{
    double numbers[4];
    if (!tl_json_numbers(array, numbers, 4))
        return;
    for (int i = 0; i < 4; i++) {
        const double clamped = numbers[i] > 0 ? numbers[i] < UINT8_MAX ? numbers[i] : UINT8_MAX : 0;
        out[i] = (uint8_t)clamped;
    }
}

static trilo_n64_axis gltf_n64_axis(const tl_json *json)
{
    return (trilo_n64_axis){gltf_float(tl_json_number(tl_json_member(json, "low"), 0)),
                            gltf_float(tl_json_number(tl_json_member(json, "high"), 0)),
                            gltf_n64_int8(tl_json_member(json, "mask")),
                            gltf_n64_int8(tl_json_member(json, "shift")),
                            tl_json_bool(tl_json_member(json, "mirror"), false),
                            tl_json_bool(tl_json_member(json, "clamp"), false)};
}

static bool gltf_n64_tile(gltf_decoder *d, gltf_textures *textures, const tl_json *json, trilo_n64_tile *out)
{
    const trilo_str path = tl_json_string(tl_json_member(json, "path"));
    *out = (trilo_n64_tile){.reference = gltf_n64_uint(tl_json_member(json, "reference"), UINT32_MAX),
                            .texture = TRILO_NONE,
                            .width = (uint16_t)gltf_n64_uint(tl_json_member(json, "width"), UINT16_MAX),
                            .height = (uint16_t)gltf_n64_uint(tl_json_member(json, "height"), UINT16_MAX),
                            .s = gltf_n64_axis(tl_json_member(json, "s")),
                            .t = gltf_n64_axis(tl_json_member(json, "t"))};
    if (path.len > 0)
        return tl_gltf_texture_at_path(d, textures, path.data, out->width, out->height, &out->texture);
    return tl_gltf_texture(d, textures, tl_gltf_index(d->file, json, "texture", GLTF_TEXTURES, NULL), &out->texture);
}

/* False: no memory. */
static bool gltf_n64_raw(const gltf_decoder *d, const tl_json *json, trilo_bytes *out)
{
    const trilo_str text = tl_json_string(json);
    uint8_t *bytes = text.len > 0 ? tl_array_raw(d->arena, text.len / 2, 1) : NULL;
    *out = (trilo_bytes){bytes, text.len / 2};
    for (size_t i = 0; bytes && i < out->size; i++) {
        const int high = gltf_hex_digit(text.data[2 * i]), low = gltf_hex_digit(text.data[2 * i + 1]);
        if (high < 0 || low < 0)
            out->size = 0;
        else
            bytes[i] = (uint8_t)(high << 4 | low);
    }
    return bytes || text.len == 0;
}

static bool gltf_decode_trilobite_n64(gltf_decoder *d, gltf_textures *textures, const tl_json *json,
                                      trilo_n64_material *out)
{
    const tl_json *engine = tl_json_member(json, "engine");
    *out = (trilo_n64_material){
        .combiner = gltf_n64_hex(tl_json_member(json, "combiner")),
        .other_mode = gltf_n64_hex(tl_json_member(json, "otherMode")),
        .other_mask = gltf_n64_hex(tl_json_member(json, "otherMask")),
        .blender = (uint32_t)gltf_n64_hex(tl_json_member(json, "blender")),
        .draw_flags = gltf_n64_uint(tl_json_member(json, "drawFlags"), UINT32_MAX),
        .fog = (uint8_t)gltf_n64_uint(tl_json_member(json, "fog"), UINT8_MAX),
        .set_flags = (uint8_t)gltf_n64_uint(tl_json_member(json, "setFlags"), UINT8_MAX),
        .vertex_effect = (uint8_t)gltf_n64_uint(tl_json_member(json, "vertexEffect"), UINT8_MAX),
        .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}},
        .engine_flags = (uint8_t)gltf_n64_uint(tl_json_member(engine, "flags"), UINT8_MAX),
        .k4 = (uint8_t)gltf_n64_uint(tl_json_member(engine, "k4"), UINT8_MAX),
        .k5 = (uint8_t)gltf_n64_uint(tl_json_member(engine, "k5"), UINT8_MAX),
        .prim_lod = (uint8_t)gltf_n64_uint(tl_json_member(engine, "primLod"), UINT8_MAX),
        .fog_blender = (uint32_t)gltf_n64_hex(tl_json_member(engine, "fogBlender")),
        .prim_z = gltf_n64_int(tl_json_member(engine, "primZ"), INT16_MIN, INT16_MAX),
        .prim_delta_z = gltf_n64_int(tl_json_member(engine, "primDeltaZ"), INT16_MIN, INT16_MAX),
        .z_offset = gltf_n64_int(tl_json_member(engine, "zOffset"), INT16_MIN, INT16_MAX),
    };
    gltf_n64_color(tl_json_member(json, "prim"), out->prim);
    gltf_n64_color(tl_json_member(json, "env"), out->env);
    gltf_n64_color(tl_json_member(json, "blend"), out->blend);
    const tl_json *tiles = tl_json_member(json, "tiles"), *tile = tiles ? tiles->first : NULL;
    for (int i = 0; tile && i < 2; i++, tile = tile->next)
        if (!gltf_n64_tile(d, textures, tile, &out->tiles[i]))
            return false;
    return true;
}

/* --- Fast64 --- */

/* A plain path below the folder of the model. */
static bool gltf_is_relative_name(const char *name)
{
    return name[0] != '\0' && name[0] != '/' && !strstr(name, "..") && !strpbrk(name, "\\:");
}

/* Blender calls a second "wall.png" "wall.png.001", and the extension of Fast64 omits ".png". The name as it is comes
 * first: a file may really be called "wall.png.001". The ROM path of "wall.png" is "rom:/wall.sprite". */
bool tl_gltf_find_image(const trilo_load_opts *opts, trilo_str name, trilo_found_image *found)
{
    char plain[256];
    snprintf(plain, sizeof plain, "%s", name.data);
    char *png = strstr(plain, ".png");
    if (png && strspn(png + 4, ".0123456789") == strlen(png + 4))
        png[4] = '\0';
    else if (!png && strlen(plain) + 5 <= sizeof plain)
        strcat(plain, ".png");
    *found = (trilo_found_image){.bytes = {NULL, 0}};
    if (opts->find_image && opts->find_image(opts->find_image_user, TRILO_IMAGE_KEY_NAME, name.data, found)) {
        found->path[sizeof found->path - 1] = '\0';
        return true;
    }
    found->bytes = (trilo_bytes){NULL, 0};
    found->places[sizeof found->places - 1] = '\0';
    png = strstr(plain, ".png");
    const int stem = png ? (int)(png - plain) : (int)strlen(plain);
    found->path[sizeof found->path - 1] = '\0';
    if (found->path[0] == '\0')
        snprintf(found->path, sizeof found->path, "%s%.*s%s%s", plain[0] == '/' ? "" : TL_CONSOLE_ROOT, stem, plain,
                 png ? ".sprite" : "", png ? png + 4 : "");
    if (name.data[0] == '/')
        return true;
    if (opts->find_image || !opts->companion || !gltf_is_relative_name(plain) || !gltf_is_relative_name(name.data))
        return false;
    if (opts->companion(opts->companion_user, name.data, &found->bytes) ||
        opts->companion(opts->companion_user, plain, &found->bytes))
        return true;
    found->bytes = (trilo_bytes){NULL, 0};
    return false;
}

/* An image in a companion file is found by its path, others by name. The size comes from the image: one that is not
 * found has none, which encoding reports. An absolute path is not opened, and the size in the settings is used. */
static bool gltf_decode_fast64_image(gltf_decoder *d, gltf_textures *textures, fast64_material *material, int tile)
{
    const fast64_image *image = &material->images[tile];
    trilo_n64_tile *out = &material->n64.tiles[tile];
    trilo_found_image found = {.bytes = {NULL, 0}};
    trilo_str uri = {"", 0};
    uint32_t width = image->width, height = image->height;
    const trilo_bytes embedded = tl_gltf_image(d->file, image->image, &uri);
    const trilo_str name = uri.len > 0 ? uri : image->name;
    if (name.len == 0)
        return image->image == TRILO_NONE || tl_gltf_texture_of_image(d, textures, image->image, &out->texture);
    tl_gltf_find_image(d->file->opts, name, &found);
    if (name.data[0] != '/')
        trilo_image_probe(found.bytes.size > 0 ? found.bytes : embedded, &width, &height);
    tl_fast64_fit(material, tile, width, height);
    return tl_gltf_texture_at_path(d, textures, found.path, width, height, &out->texture);
}

bool tl_gltf_decode_n64(gltf_decoder *d, gltf_textures *textures, const tl_json *material, trilo_bytes *raw,
                        const trilo_n64_material **n64)
{
    const tl_json *own = tl_json_member(tl_json_member(material, "extras"), "trilobite_n64");
    trilo_n64_material *out = TL_NEW(d->arena, trilo_n64_material);
    *n64 = NULL;
    if (!out || (!d->file->opts->gltf->ignore_materials && !gltf_n64_raw(d, tl_json_member(own, "raw"), raw)))
        return false;
    if (raw->size > 0 && !tl_json_member(own, "combiner"))
        return true; /* of unknown layout */
    if (d->file->opts->gltf->ignore_materials)
        out->tiles[0].texture = out->tiles[1].texture = TRILO_NONE;
    else if (own) {
        if (!gltf_decode_trilobite_n64(d, textures, own, out))
            return false;
    } else {
        fast64_material read;
        const tl_json *where;
        const char *problem;
        if (tl_fast64_read(d->file, material, &read, &where, &problem) != FAST64_READ)
            return true;
        for (int i = 0; i < 2; i++)
            if (!gltf_decode_fast64_image(d, textures, &read, i))
                return false;
        *out = read.n64;
    }
    *n64 = out;
    return true;
}
