/* Textures: an image and its sampler. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"

#include "base/hash_table.h"

/* An image of the file as a texture without a sampler; many textures may use it. */
typedef struct gltf_image_texture {
    bool read;
    trilo_texture texture;
} gltf_image_texture;

struct gltf_textures {
    trilo_texture *list;  /* those of the model, with room for all */
    uint32_t *of_texture; /* number + 1 for each texture of the file; 0: not decoded yet */
    gltf_image_texture *of_image;
    tl_hash_table by_path; /* textures of `list` with a ROM path */
};

static int gltf_texture_path_compare(const void *rows, uint32_t a, uint32_t b)
{
    const trilo_texture *textures = rows;
    return strcmp(textures[a].path.data, textures[b].path.data);
}

/* A material has at most two tiles. */
gltf_textures *tl_gltf_textures_new(gltf_decoder *d)
{
    const size_t tiles = 2 * (size_t)gltf_count(d, GLTF_MATERIALS), own = gltf_count(d, GLTF_TEXTURES);
    gltf_textures *t = TL_NEW(&d->scratch, gltf_textures);
    if (!t)
        return NULL;
    t->of_texture = TL_ARRAY(&d->scratch, own, uint32_t);
    t->of_image = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_IMAGES), gltf_image_texture);
    t->list = TL_ARRAY(d->arena, tiles + own, trilo_texture);
    d->model->textures = t->list;
    if (!t->of_texture || !t->of_image || !t->list)
        return NULL;
    return tl_hash_table_init(&t->by_path, &d->scratch, tiles, gltf_texture_path_compare, t->list) ? t : NULL;
}

/* Adds a texture with an image of the file. An image in a companion file keeps its path. */
static trilo_texture *gltf_add_image_texture(gltf_decoder *d, gltf_textures *textures, uint32_t image)
{
    gltf_image_texture *from = &textures->of_image[image];
    if (!from->read) {
        trilo_str uri, name = tl_json_string(tl_json_member(tl_gltf_item(d->file, GLTF_IMAGES, image), "name"));
        const trilo_bytes bytes = tl_gltf_image(d->file, image, &uri);
        trilo_texture *t = &from->texture;
        size_t folder = uri.len;
        while (folder > 0 && uri.data[folder - 1] != '/')
            folder--;
        from->read = true;
        if (name.len == 0)
            name = (trilo_str){uri.data + folder, uri.len - folder};
        if (!tl_gltf_copy(d, name, &t->name) || !tl_gltf_copy(d, uri, &t->path))
            return NULL;
        t->kind = trilo_image_probe(bytes, &t->width, &t->height);
        if (bytes.size > 0)
            t->bytes = (trilo_bytes){tl_bytes_copy(d->arena, bytes.data, bytes.size), bytes.size};
        if (bytes.size > 0 && !t->bytes.data)
            return NULL;
    }
    trilo_texture *out = &textures->list[d->model->texture_count++];
    *out = from->texture;
    return out;
}

static trilo_wrap gltf_wrap_mode(const tl_json *value)
{
    enum { CLAMP_TO_EDGE = 33071, MIRRORED_REPEAT = 33648 };
    const double number = tl_json_number(value, 0);
    return number == CLAMP_TO_EDGE     ? TRILO_WRAP_CLAMP
           : number == MIRRORED_REPEAT ? TRILO_WRAP_MIRROR
                                       : TRILO_WRAP_REPEAT;
}

/* Images of newer kinds are named by extensions, often in addition to a PNG or JPEG. */
bool tl_gltf_texture(gltf_decoder *d, gltf_textures *textures, uint32_t index, uint32_t *out)
{
    static const char *const extensions[] = {"EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif",
                                             "MSFT_texture_dds"};
    enum { NEAREST = 9728 };
    const gltf_file *file = d->file;
    const tl_json *json = tl_gltf_item(file, GLTF_TEXTURES, index);
    uint32_t image = tl_gltf_index(file, json, "source", GLTF_IMAGES, NULL);
    for (size_t i = 0; image == TRILO_NONE && i < TL_COUNT_OF(extensions); i++)
        image = tl_gltf_index(file, tl_gltf_extension(json, extensions[i]), "source", GLTF_IMAGES, NULL);
    *out = TRILO_NONE;
    if (image == TRILO_NONE)
        return true;
    if (textures->of_texture[index] == 0) {
        const uint32_t number = tl_gltf_index(file, json, "sampler", GLTF_SAMPLERS, NULL);
        const tl_json *sampler = tl_gltf_item(file, GLTF_SAMPLERS, number);
        trilo_texture *texture = gltf_add_image_texture(d, textures, image);
        if (!texture)
            return false;
        texture->wrap[0] = gltf_wrap_mode(tl_json_member(sampler, "wrapS"));
        texture->wrap[1] = gltf_wrap_mode(tl_json_member(sampler, "wrapT"));
        texture->nearest = tl_json_number(tl_json_member(sampler, "magFilter"), 0) == NEAREST;
        textures->of_texture[index] = d->model->texture_count;
    }
    *out = textures->of_texture[index] - 1;
    return true;
}

bool tl_gltf_texture_of_image(gltf_decoder *d, gltf_textures *textures, uint32_t image, uint32_t *out)
{
    *out = d->model->texture_count;
    return gltf_add_image_texture(d, textures, image) != NULL;
}

bool tl_gltf_texture_at_path(gltf_decoder *d, gltf_textures *textures, const char *path, uint32_t width,
                             uint32_t height, uint32_t *out)
{
    const trilo_str text = {path, strlen(path)};
    const uint32_t row = d->model->texture_count;
    textures->list[row] = (trilo_texture){.name = {"", 0}, .path = text, .width = width, .height = height};
    *out = tl_hash_table_add(&textures->by_path, trilo_fnv1a(path, text.len), row);
    if (*out != row)
        return *out != TRILO_NONE;
    d->model->texture_count++;
    return tl_gltf_copy(d, text, &textures->list[row].path);
}
