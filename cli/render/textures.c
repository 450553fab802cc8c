/* Where the images of a model are: in it, beside it, in a folder that was named, or in the folder of assets. A sprite
 * that was not built yet is drawn from the image that it will be made of. */
#include "render/render.h"

#include "alloc.h"
#include "paths.h"
#include "system.h"
#include "ui/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char rom[] = "rom:/", sprite[] = ".sprite";

static bool is_on_console(const char *path)
{
    return strncmp(path, rom, strlen(rom)) == 0;
}

static void warn_about_texture(const render_options *options, const char *file, const char *rule, uint32_t texture,
                               const char *text)
{
    char place[32];
    snprintf(place, sizeof place, "textures[%" PRIu32 "]", texture);
    const trilo_finding finding = {TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_LOSS, rule, TRILO_NOWHERE, place, text};
    if (!options->args->quiet)
        report_finding(&options->args->err, file, &finding);
}

/* ---- looking ---- */

/* The path in a folder when there is such a file; NULL otherwise. `ending` NULL: its own. */
static char *look_in(const char *folder, const char *name, const char *ending)
{
    char *other = ending ? path_with_ending(name, ending) : path_join(".", name);
    char *path = path_join(folder, other);
    free(other);
    if (system_is_file(path))
        return path;
    free(path);
    return NULL;
}

/* With its folders and without; the sprite itself is worth more than what it was made from. */
static char *look_under(const char *folder, const char *name)
{
    static const char *const endings[] = {NULL, ".png", ".jpg"};
    const bool has_ending = strrchr(path_last(name), '.') != NULL;
    char *path = NULL;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !path; i++) {
        if (i > 0 && has_ending && !path_ends(name, sprite))
            break;
        path = look_in(folder, name, endings[i]);
        if (!path)
            path = look_in(folder, path_last(name), endings[i]);
    }
    return path;
}

/* Games are laid out as filesystem/hero.t3dm beside assets/hero.glb. */
static char *look_around(const char *model, const char *name)
{
    if (strcmp(model, "-") == 0)
        return NULL;
    char *folder = path_folder(model), *above = path_join(folder, ".."), *assets = path_join(above, "assets");
    char *path = look_under(folder, name);
    if (!path)
        path = look_under(assets, name);
    free(assets);
    free(above);
    free(folder);
    return path;
}

/* Allocates the path; NULL if no file was found. */
static char *find_file(const render_options *options, cli_input *input, const char *name)
{
    const char *plain = is_on_console(name) ? name + strlen(rom) : name;
    /* Nothing outside the folders is read. */
    if (*plain == '\0' || (*plain == '/' || strcmp(plain, "..") == 0 || strncmp(plain, "../", 3) == 0 ||
                           strstr(plain, "/../") || path_ends(plain, "/..")))
        return NULL;
    char *path = options->textures ? look_under(options->textures, plain) : NULL;
    const char *asset = !path && input_is_pyrite64(input) ? trilo_assets_file(input->assets, name) : NULL;
    if (asset)
        return path_join(".", asset);
    if (!path)
        path = look_around(input->path, plain);
    if (path || !is_on_console(name))
        return path;
    const char *source = trilo_assets_source(input->assets, name);
    return source ? path_join(".", source) : NULL;
}

/* ---- what was found ---- */

/* What mksprite makes of an image whose name says nothing goes by the kind of its PNG file, in byte 25. */
static trilo_texels texels_for(const char *console_path, trilo_bytes bytes)
{
    const trilo_texels named = trilo_texels_from_path(console_path);
    if (named != TRILO_TEXELS_UNKNOWN || trilo_image_probe(bytes, NULL, NULL) != TRILO_IMAGE_PNG || bytes.size < 26)
        return named;
    return bytes.data[25] == 0 ? TRILO_TEXELS_I8 : bytes.data[25] == 4 ? TRILO_TEXELS_IA16 : TRILO_TEXELS_RGBA16;
}

/* The clean look keeps every bit, but grey stays grey and intensity alpha. */
static trilo_texels with_all_bits(trilo_texels texels)
{
    switch (texels) {
    case TRILO_TEXELS_IA4:
    case TRILO_TEXELS_IA8:
    case TRILO_TEXELS_IA16:
        return TRILO_TEXELS_IA16;
    case TRILO_TEXELS_I4:
    case TRILO_TEXELS_I8:
        return TRILO_TEXELS_I8;
    default:
        return TRILO_TEXELS_UNKNOWN;
    }
}

static const trilo_image *decode_texture(const render_options *options, const char *name, trilo_bytes bytes,
                                         trilo_error *err)
{
    const trilo_memory *memory = &options->load.all.memory;
    const trilo_image *image = trilo_image_decode(bytes, memory, err);
    if (!image || !is_on_console(name) || trilo_image_probe(bytes, NULL, NULL) == TRILO_IMAGE_UNKNOWN)
        return image;
    const trilo_texels texels = texels_for(name, bytes);
    const bool clean = options->scene.look == TRILO_LOOK_CLEAN;
    const trilo_image *stored = trilo_image_as_texels(image, clean ? with_all_bits(texels) : texels, memory, err);
    trilo_image_free(image);
    return stored;
}

/* An image that is being read from a file. */
typedef struct texture_file {
    const render_options *options;
    const char *name; /* on the console, or as the model has it */
    const trilo_image *image;
} texture_file;

static bool decode_texture_file(void *context, trilo_bytes bytes, trilo_error *err)
{
    texture_file *file = context;
    file->image = decode_texture(file->options, file->name, bytes, err);
    return file->image != NULL;
}

static const trilo_image *load_named(const render_options *options, cli_input *input, uint32_t index, const char *name)
{
    char *path = find_file(options, input, name);
    if (path) {
        texture_file file = {options, name, NULL};
        trilo_error err = {.code = TRILO_CODE_OK};
        if (!trilo_file_read(path, &options->load.all.memory, decode_texture_file, &file, &err))
            warn_about_texture(options, path, err.rule, index, err.text);
        free(path);
        return file.image;
    }
    char text[512];
    snprintf(text, sizeof text, "%s was not found%s; it is drawn as a checkerboard", name,
             options->textures ? "" : "; --textures DIR says where to look");
    warn_about_texture(options, input->path, "", index, text);
    return NULL;
}

render_textures render_textures_load(const render_options *options, cli_input *input)
{
    render_textures textures = {.count = input->model->texture_count};
    textures.images = need(NULL, textures.count, sizeof *textures.images);
    for (uint32_t i = 0; i < textures.count; i++) {
        const trilo_texture *texture = &input->model->textures[i];
        const trilo_str text = texture->path.len > 0 ? texture->path : texture->name;
        char *name = need(NULL, text.len + 1, 1);
        if (text.len > 0)
            memcpy(name, text.data, text.len);
        name[text.len] = '\0';
        const trilo_image *image = NULL;
        trilo_error err = {.code = TRILO_CODE_OK};
        if (texture->bytes.size > 0)
            image = decode_texture(options, name, texture->bytes, &err);
        else
            image = load_named(options, input, i, name);
        if (err.code)
            warn_about_texture(options, input->path, err.rule, i, err.text);
        free(name);
        textures.images[i] = image;
        textures.missing += !textures.images[i];
    }
    return textures;
}

void render_textures_free(render_textures *textures)
{
    for (uint32_t i = 0; i < textures->count; i++)
        trilo_image_free(textures->images[i]);
    free((void *)textures->images);
    *textures = (render_textures){.count = 0};
}
