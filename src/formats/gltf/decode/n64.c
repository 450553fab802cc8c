/* The state of the N64 that comes with a material: from Fast64, or from a file that Trilobite wrote:
 *
 *   "extras": {"trilobite_n64": {"combiner": "0x...", "otherMode": "0x...", "otherMask": "0x...", "blender": "0x...",
 *     "drawFlags": n, "fog": n, "setFlags": n, "vertexEffect": n, "prim": [r, g, b, a], "env": [...], "blend": [...],
 *     "tiles": [{"reference": n, "path": "rom:/..." (or "texture": n, of this file), "width": n, "height": n,
 *                "s": {"low": x, "high": x, "mask": n, "shift": n, "mirror": bool, "clamp": bool}, "t": {...}}, ...]}}
 *
 * What is written there is read to the bit: it comes first. */
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/fast64/fast64.h"

#include <stdio.h>
#include <string.h>

/* --- our own words --- */

/* "0x1f" as a number; what is none answers 0. */
static uint64_t hex_number(const tl_json *value)
{
    const trilo_str text = tl_json_string(value);
    uint64_t number = 0;
    if (text.len < 3 || text.len > 18 || text.data[0] != '0' || text.data[1] != 'x')
        return 0;
    for (size_t i = 2; i < text.len; i++) {
        const char *digits = "0123456789abcdef", c = text.data[i];
        const char *at = strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c);
        if (!at || c == '\0')
            return 0;
        number = number << 4 | (uint64_t)(at - digits);
    }
    return number;
}

/* A whole number up to `most`; anything else answers 0. */
static uint32_t small_number(const tl_json *value, uint32_t most)
{
    uint32_t number;
    return tl_json_uint(value, &number) && number <= most ? number : 0;
}

static int8_t signed_byte(const tl_json *value)
{
    const double number = tl_json_number(value, 0);
    if (!(number >= INT8_MIN && number <= INT8_MAX))
        return 0;
    return (int8_t)number;
}

static uint8_t unsigned_byte(double number)
{
    if (!(number > 0))
        return 0;
    return (uint8_t)(number < UINT8_MAX ? number : UINT8_MAX);
}

static void read_bytes(const tl_json *array, uint8_t out[4])
{
    double numbers[4];
    if (tl_json_numbers(array, numbers, 4))
        for (int i = 0; i < 4; i++)
            out[i] = unsigned_byte(numbers[i]);
}

static trilo_n64_axis read_axis(const tl_json *json)
{
    return (trilo_n64_axis){gltf_float(tl_json_number(tl_json_member(json, "low"), 0)),
                            gltf_float(tl_json_number(tl_json_member(json, "high"), 0)),
                            signed_byte(tl_json_member(json, "mask")),
                            signed_byte(tl_json_member(json, "shift")),
                            tl_json_bool(tl_json_member(json, "mirror"), false),
                            tl_json_bool(tl_json_member(json, "clamp"), false)};
}

static bool read_tile(gltf_decoder *d, gltf_textures *textures, const tl_json *json, trilo_n64_tile *out)
{
    const trilo_str path = tl_json_string(tl_json_member(json, "path"));
    *out = (trilo_n64_tile){.reference = small_number(tl_json_member(json, "reference"), UINT32_MAX),
                            .texture = TRILO_NONE,
                            .width = (uint16_t)small_number(tl_json_member(json, "width"), UINT16_MAX),
                            .height = (uint16_t)small_number(tl_json_member(json, "height"), UINT16_MAX),
                            .s = read_axis(tl_json_member(json, "s")),
                            .t = read_axis(tl_json_member(json, "t"))};
    if (path.len > 0)
        return tl_gltf_texture_at(d, textures, path.data, out->width, out->height, &out->texture);
    return tl_gltf_texture(d, textures, tl_gltf_index(d->file, json, "texture", GLTF_TEXTURES, NULL), &out->texture);
}

static bool read_own(gltf_decoder *d, gltf_textures *textures, const tl_json *json, trilo_n64_material *out)
{
    *out = (trilo_n64_material){
        .combiner = hex_number(tl_json_member(json, "combiner")),
        .other_mode = hex_number(tl_json_member(json, "otherMode")),
        .other_mask = hex_number(tl_json_member(json, "otherMask")),
        .blender = (uint32_t)hex_number(tl_json_member(json, "blender")),
        .draw_flags = small_number(tl_json_member(json, "drawFlags"), UINT32_MAX),
        .fog = (uint8_t)small_number(tl_json_member(json, "fog"), UINT8_MAX),
        .set_flags = (uint8_t)small_number(tl_json_member(json, "setFlags"), UINT8_MAX),
        .vertex_effect = (uint8_t)small_number(tl_json_member(json, "vertexEffect"), UINT8_MAX),
        .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}},
    };
    read_bytes(tl_json_member(json, "prim"), out->prim);
    read_bytes(tl_json_member(json, "env"), out->env);
    read_bytes(tl_json_member(json, "blend"), out->blend);
    const tl_json *tiles = tl_json_member(json, "tiles"), *tile = tiles ? tiles->first : NULL;
    for (int i = 0; tile && i < 2; i++, tile = tile->next)
        if (!read_tile(d, textures, tile, &out->tiles[i]))
            return false;
    return true;
}

/* --- images of Fast64 --- */

enum { NAME_ROOM = 256 };

/* "wall.png.001" is how Blender calls a second "wall.png"; the extension of Fast64 leaves ".png" away. */
static void file_name(trilo_str name, char out[NAME_ROOM])
{
    snprintf(out, NAME_ROOM, "%s", name.data);
    char *png = strstr(out, ".png");
    if (png && strspn(png + 4, ".0123456789") == strlen(png + 4))
        png[4] = '\0';
    else if (!png && strlen(out) + 5 <= NAME_ROOM)
        strcat(out, ".png");
}

/* A plain path below the folder of the model. */
static bool is_inside(const char *name)
{
    return name[0] != '\0' && name[0] != '/' && !strstr(name, "..") && !strpbrk(name, "\\:");
}

/* Where the game will look: "wall.png" becomes "rom:/wall.sprite". */
static void rom_path(const char *name, trilo_found_image *found)
{
    const char *png = strstr(name, ".png");
    const int front = png ? (int)(png - name) : (int)strlen(name);
    snprintf(found->path, sizeof found->path, "%s%.*s%s%s", name[0] == '/' ? "" : "rom:/", front, name,
             png ? ".sprite" : "", png ? png + 4 : "");
}

/* The name as it is first: a file may really be called "wall.png.001". */
bool tl_gltf_find_image(const gltf_file *file, trilo_str name, trilo_found_image *found)
{
    const trilo_load_opts *opts = file->opts;
    char plain[NAME_ROOM];
    file_name(name, plain);
    *found = (trilo_found_image){.bytes = {NULL, 0}};
    if (opts->gltf.find_image && opts->gltf.find_image(opts->gltf.find_image_user, name.data, found)) {
        found->path[sizeof found->path - 1] = '\0';
        return true;
    }
    found->bytes = (trilo_bytes){NULL, 0};
    found->places[sizeof found->places - 1] = '\0';
    rom_path(plain, found);
    if (name.data[0] == '/')
        return true;
    if (opts->gltf.find_image || !opts->companion || !is_inside(plain) || !is_inside(name.data))
        return false;
    if (opts->companion(opts->companion_user, name.data, &found->bytes) ||
        opts->companion(opts->companion_user, plain, &found->bytes))
        return true;
    found->bytes = (trilo_bytes){NULL, 0};
    return false;
}

/* What the game is to call it: a picture beside the file is its own name. */
static trilo_str name_of(const fast64_image *image, trilo_str uri)
{
    return uri.len > 0 ? uri : image->name;
}

/* The size is that of the picture; one that cannot be found has none, which encoding tells. The path of a file
 * elsewhere is taken as it is, and so is the size in the settings. */
static bool place_image(gltf_decoder *d, gltf_textures *textures, fast64_material *material, int tile)
{
    const fast64_image *image = &material->images[tile];
    trilo_n64_tile *out = &material->n64.tiles[tile];
    trilo_found_image found = {.bytes = {NULL, 0}};
    trilo_str uri = {"", 0};
    uint32_t width = image->width, height = image->height;
    const trilo_bytes inside = tl_gltf_image(d->file, image->image, &uri);
    const trilo_str name = name_of(image, uri);
    if (name.len == 0)
        return image->image == TRILO_NONE || tl_gltf_picture(d, textures, image->image, &out->texture);
    tl_gltf_find_image(d->file, name, &found);
    if (name.data[0] != '/')
        trilo_image_probe(found.bytes.size > 0 ? found.bytes : inside, &width, &height);
    tl_fast64_fit(material, tile, width, height);
    return tl_gltf_texture_at(d, textures, found.path, width, height, &out->texture);
}

/* --- all of it --- */

static bool read_fast64(gltf_decoder *d, gltf_textures *textures, const tl_json *json, trilo_n64_material *out,
                        bool *found)
{
    fast64_material material;
    const tl_json *where;
    const char *problem;
    *found = tl_fast64_read(d->file, json, &material, &where, &problem) == FAST64_READ;
    for (int i = 0; *found && i < 2; i++)
        if (!place_image(d, textures, &material, i))
            return false;
    *out = material.n64;
    return true;
}

bool tl_gltf_decode_n64(gltf_decoder *d, gltf_textures *textures, const tl_json *material,
                        const trilo_n64_material **n64)
{
    const tl_json *own = tl_json_member(tl_json_member(material, "extras"), "trilobite_n64");
    trilo_n64_material *out = TL_NEW(d->arena, trilo_n64_material);
    bool found = true;
    *n64 = NULL;
    if (!out)
        return false;
    if (d->file->opts->gltf.ignore_materials)
        out->tiles[0].texture = out->tiles[1].texture = TRILO_NONE;
    else if (own ? !read_own(d, textures, own, out) : !read_fast64(d, textures, material, out, &found))
        return false;
    if (found)
        *n64 = out;
    return true;
}
