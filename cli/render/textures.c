/* Where the images of a model are: in it, beside it, in a folder that was named, or in the folder of assets. A sprite
 * that was not built yet is drawn from the image that it will be made of. */
#include "render/render.h"

#include "alloc.h"
#include "paths.h"
#include "ui/report.h"

#include "trilobite/file.h"

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

typedef struct texture_file {
    trilo_bytes bytes;
    const trilo_file *file; /* NULL: the bytes are those of the assets */
    char *path;             /* for messages */
} texture_file;

/* `ending` NULL: its own. The name comes from the model, which nobody has to trust. */
static bool look_in(const render_options *options, const char *folder, const char *name, const char *ending,
                    texture_file *found)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    const trilo_file_opts opts = {.memory = options->load.all.memory, .below = folder};
    char *other = ending ? path_with_ending(name, ending) : path_join(".", name);
    found->file = trilo_file_read(other, &opts, &err);
    if (found->file) {
        found->bytes = found->file->bytes;
        found->path = path_join(folder, other);
    }
    free(other);
    if (err.code == TRILO_CODE_NO_MEMORY)
        alloc_failed();
    return found->file != NULL;
}

/* With its folders and without; the sprite itself is worth more than what it was made from. */
static bool look_under(const render_options *options, const char *folder, const char *name, texture_file *found)
{
    static const char *const endings[] = {NULL, ".png", ".jpg"};
    const bool has_ending = strrchr(path_last(name), '.') != NULL;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (i > 0 && has_ending && !path_ends(name, sprite))
            break;
        if (look_in(options, folder, name, endings[i], found) ||
            look_in(options, folder, path_last(name), endings[i], found))
            return true;
    }
    return false;
}

/* Games are laid out as filesystem/hero.t3dm beside assets/hero.glb. */
static bool look_around(const render_options *options, const char *model, const char *name, texture_file *found)
{
    if (strcmp(model, "-") == 0)
        return false;
    char *folder = path_folder(model), *above = path_join(folder, ".."), *assets = path_join(above, "assets");
    const bool is_there = look_under(options, folder, name, found) || look_under(options, assets, name, found);
    free(assets);
    free(above);
    free(folder);
    return is_there;
}

static bool find_file(const render_options *options, cli_input *input, const char *name, texture_file *found)
{
    const char *plain = is_on_console(name) ? name + strlen(rom) : name;
    if (options->textures && look_under(options, options->textures, plain, found))
        return true;
    const char *asset = input_is_pyrite64(input) ? trilo_assets_file(input->assets, name) : NULL;
    if (asset) {
        char *folder = path_folder(asset);
        const bool read = look_in(options, folder, path_last(asset), NULL, found);
        free(folder);
        return read;
    }
    if (look_around(options, input->path, plain, found))
        return true;
    trilo_found_image image = {.bytes = {NULL, 0}};
    const char *source = is_on_console(name) ? trilo_assets_source(input->assets, name) : NULL;
    if (!source || !trilo_assets_find(input->assets, TRILO_IMAGE_KEY_SPRITE, name, &image))
        return false;
    *found = (texture_file){.bytes = image.bytes, .path = path_join(".", source)};
    return true;
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

static const trilo_image *load_named(const render_options *options, cli_input *input, uint32_t index, const char *name,
                                     trilo_error *err)
{
    texture_file found = {.file = NULL};
    if (find_file(options, input, name, &found)) {
        const trilo_image *image = decode_texture(options, name, found.bytes, err);
        if (!image)
            warn_about_texture(options, found.path, err->rule, index, err->text);
        trilo_file_free(found.file);
        free(found.path);
        return image;
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
        trilo_error err = {.code = TRILO_CODE_OK};
        if (texture->bytes.size == 0)
            textures.images[i] = load_named(options, input, i, name, &err);
        else if (!(textures.images[i] = decode_texture(options, name, texture->bytes, &err)))
            warn_about_texture(options, input->path, err.rule, i, err.text);
        free(name);
        textures.missing += !textures.images[i];
        textures.out_of_memory |= err.code == TRILO_CODE_NO_MEMORY;
    }
    textures.out_of_memory |= !trilo_assets_ok(input->assets, NULL);
    return textures;
}

void render_textures_free(render_textures *textures)
{
    for (uint32_t i = 0; i < textures->count; i++)
        trilo_image_free(textures->images[i]);
    free((void *)textures->images);
    *textures = (render_textures){.count = 0};
}
