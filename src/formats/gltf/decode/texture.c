/* Textures: a picture and how it repeats. */
#include "formats/gltf/decode/decode.h"

#include "base/hash_table.h"

#include <string.h>

/* A picture of the file; many textures may show it. */
typedef struct picture {
    bool read;
    trilo_texture texture; /* without a sampler */
} picture;

struct gltf_textures {
    trilo_texture *list;     /* those of the model; there is room for all */
    uint32_t *of_texture;    /* for each texture of the file, counted from 1; 0: not asked for yet */
    picture *pictures;       /* of each image of the file */
    tl_hash_table rom_paths; /* textures with a path on the console */
};

static int rom_path_compare(const void *rows, uint32_t a, uint32_t b)
{
    const trilo_texture *textures = rows;
    return strcmp(textures[a].path.data, textures[b].path.data);
}

gltf_textures *tl_gltf_textures_new(gltf_decoder *d)
{
    const size_t paths = 2 * (size_t)gltf_count(d, GLTF_MATERIALS), own = gltf_count(d, GLTF_TEXTURES);
    gltf_textures *t = TL_NEW(&d->scratch, gltf_textures);
    if (!t)
        return NULL;
    t->of_texture = TL_ARRAY(&d->scratch, own, uint32_t);
    t->pictures = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_IMAGES), picture);
    t->list = TL_ARRAY(d->arena, paths + own, trilo_texture);
    d->model->textures = t->list;
    if (!t->of_texture || !t->pictures || !t->list)
        return NULL;
    return tl_hash_table_init(&t->rom_paths, &d->scratch, paths, rom_path_compare, t->list) ? t : NULL;
}

/* --- pictures of the file --- */

static trilo_str plain_name(trilo_str path)
{
    for (size_t i = path.len; i > 0; i--)
        if (path.data[i - 1] == '/')
            return (trilo_str){path.data + i, path.len - i};
    return path;
}

/* One that lies beside the file stays there. */
static bool read_picture(gltf_decoder *d, uint32_t image, picture *p)
{
    trilo_str uri, name = tl_json_string(tl_json_member(tl_gltf_item(d->file, GLTF_IMAGES, image), "name"));
    const trilo_bytes bytes = tl_gltf_image(d->file, image, &uri);
    trilo_texture *t = &p->texture;
    p->read = true;
    if (!tl_gltf_copy(d, name.len > 0 ? name : plain_name(uri), &t->name) || !tl_gltf_copy(d, uri, &t->path))
        return false;
    t->kind = trilo_image_probe(bytes, &t->width, &t->height);
    if (bytes.size == 0)
        return true;
    t->bytes = (trilo_bytes){tl_bytes_copy(d->arena, bytes.data, bytes.size), bytes.size};
    return t->bytes.data != NULL;
}

/* Newer kinds of images are named by extensions, often beside a plain one. */
static uint32_t image_of(const gltf_file *file, const tl_json *texture)
{
    static const char *const others[] = {"EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif",
                                         "MSFT_texture_dds"};
    uint32_t image = tl_gltf_index(file, texture, "source", GLTF_IMAGES, NULL);
    for (size_t i = 0; image == TRILO_NONE && i < TL_COUNT_OF(others); i++)
        image = tl_gltf_index(file, tl_gltf_extension(texture, others[i]), "source", GLTF_IMAGES, NULL);
    return image;
}

/* --- samplers --- */

enum { GL_NEAREST = 9728, GL_CLAMP = 33071, GL_MIRROR = 33648 };

static trilo_wrap wrap_of(const tl_json *value)
{
    const double number = tl_json_number(value, 0);
    return number == GL_CLAMP ? TRILO_WRAP_CLAMP : number == GL_MIRROR ? TRILO_WRAP_MIRROR : TRILO_WRAP_REPEAT;
}

static void apply_sampler(const gltf_file *file, const tl_json *json, trilo_texture *texture)
{
    const tl_json *sampler =
        tl_gltf_item(file, GLTF_SAMPLERS, tl_gltf_index(file, json, "sampler", GLTF_SAMPLERS, NULL));
    texture->wrap[0] = wrap_of(tl_json_member(sampler, "wrapS"));
    texture->wrap[1] = wrap_of(tl_json_member(sampler, "wrapT"));
    texture->nearest = tl_json_number(tl_json_member(sampler, "magFilter"), 0) == GL_NEAREST;
}

static bool show_picture(gltf_decoder *d, gltf_textures *textures, uint32_t image, trilo_texture **out)
{
    picture *p = &textures->pictures[image];
    if (!p->read && !read_picture(d, image, p))
        return false;
    *out = &textures->list[d->model->texture_count++];
    **out = p->texture;
    return true;
}

bool tl_gltf_texture(gltf_decoder *d, gltf_textures *textures, uint32_t index, uint32_t *out)
{
    const tl_json *json = tl_gltf_item(d->file, GLTF_TEXTURES, index);
    const uint32_t image = json ? image_of(d->file, json) : TRILO_NONE;
    *out = TRILO_NONE;
    if (image == TRILO_NONE)
        return true;
    if (textures->of_texture[index] == 0) {
        trilo_texture *texture;
        if (!show_picture(d, textures, image, &texture))
            return false;
        apply_sampler(d->file, json, texture);
        textures->of_texture[index] = d->model->texture_count;
    }
    *out = textures->of_texture[index] - 1;
    return true;
}

bool tl_gltf_picture(gltf_decoder *d, gltf_textures *textures, uint32_t image, uint32_t *out)
{
    trilo_texture *texture;
    *out = d->model->texture_count;
    return show_picture(d, textures, image, &texture);
}

/* --- paths on the console --- */

bool tl_gltf_texture_at(gltf_decoder *d, gltf_textures *textures, const char *path, uint32_t width, uint32_t height,
                        uint32_t *out)
{
    const trilo_str text = {path, strlen(path)};
    const uint32_t row = d->model->texture_count;
    textures->list[row] = (trilo_texture){.name = {"", 0}, .path = text, .width = width, .height = height};
    *out = tl_hash_table_add(&textures->rom_paths, trilo_fnv1a(path, text.len), row);
    if (*out != row)
        return *out != TRILO_NONE;
    d->model->texture_count++;
    return tl_gltf_copy(d, text, &textures->list[row].path);
}
