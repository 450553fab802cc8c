/* The images of a model: embedded, or in files of their own, which the library finds. A sprite that was not built yet
 * is drawn from the image that it will be made of. */
#include "render/render.h"

#include "alloc.h"
#include "trilobite/sprite.h"
#include "ui/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char rom[] = "rom:/";

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

/* An image of another size than the material says: it is drawn as its sprite will look, a sprite as the console does.
 */
static const trilo_image *fit_texture(const render_options *options, const cli_input *input, uint32_t index,
                                      const char *name, const trilo_texture_file *found, const trilo_image *image,
                                      trilo_error *err)
{
    const trilo_texture *texture = &input->model->textures[index];
    const uint32_t width = image->width, height = image->height;
    char text[512];
    bool resized;
    if (texture->width == 0 || texture->height == 0 || (width == texture->width && height == texture->height))
        return image;
    image = trilo_texture_fit(input->model, index, found->bytes, image, &options->load.all.memory, &resized, err);
    snprintf(text, sizeof text,
             "%.200s has %" PRIu32 "x%" PRIu32 " pixels, its material is made for %" PRIu32 "x%" PRIu32 ": %s",
             found->path ? found->path : name, width, height, texture->width, texture->height,
             resized ? "it is drawn scaled, as its sprite has to be" : "it is drawn unscaled, as on the console");
    if (image)
        warn_about_texture(options, input->path, TRILO_RULE_T3DM_TEXTURE_SIZE, index, text);
    return image;
}

static const trilo_image *decode_texture(const render_options *options, const cli_input *input, uint32_t index,
                                         const char *name, const trilo_texture_file *found, render_mipmaps *mipmaps,
                                         trilo_error *err)
{
    const trilo_bytes bytes = found->bytes;
    const trilo_memory *memory = &options->load.all.memory;
    const bool unbuilt = is_on_console(name) && trilo_image_probe(bytes, NULL, NULL) != TRILO_IMAGE_KIND_UNKNOWN;
    trilo_texels texels = TRILO_TEXELS_UNKNOWN; /* that the sprite will have; a sprite has been decoded from its own */
    if (unbuilt) {
        const trilo_decode_opts decode = {.memory = *memory};
        const trilo_bitmap *bitmap = trilo_bitmap_decode(bytes, &decode, err);
        if (!bitmap)
            return NULL;
        texels = trilo_sprite_texels(bitmap, name, TRILO_SPRITE_TARGET_LIBDRAGON_2026);
        trilo_bitmap_free(bitmap);
    }
    const trilo_image *image = trilo_image_decode(bytes, memory, err);
    image = image ? fit_texture(options, input, index, name, found, image, err) : NULL;
    while (image && mipmaps->count < RENDER_MIPMAPS &&
           (mipmaps->images[mipmaps->count] = trilo_image_decode_mipmap(bytes, mipmaps->count + 1, memory, NULL)))
        mipmaps->count++;
    if (!image || !unbuilt)
        return image;
    const bool clean = options->scene.look == TRILO_LOOK_CLEAN;
    const trilo_image *stored = trilo_image_as_texels(image, clean ? with_all_bits(texels) : texels, memory, err);
    trilo_image_free(image);
    return stored;
}

static const trilo_image *load_named(const render_options *options, cli_input *input, uint32_t index, const char *name,
                                     render_mipmaps *mipmaps, trilo_error *err)
{
    trilo_texture_file found;
    if (trilo_assets_texture(input->assets, input->model, index, &found)) {
        const trilo_image *image = decode_texture(options, input, index, name, &found, mipmaps, err);
        if (!image)
            warn_about_texture(options, found.path, err->rule, index, err->text);
        return image;
    }
    char text[512];
    snprintf(text, sizeof text, "%s was not found%s; it is drawn as a checkerboard", name,
             options->textures ? "" : "; --texture-path DIR says where to look");
    warn_about_texture(options, input->path, "", index, text);
    return NULL;
}

render_textures render_textures_load(const render_options *options, cli_input *input)
{
    render_textures textures = {.count = input->model->texture_count};
    textures.images = need(NULL, textures.count, sizeof *textures.images);
    textures.mipmaps = need(NULL, textures.count, sizeof *textures.mipmaps);
    for (uint32_t i = 0; i < textures.count; i++) {
        const trilo_texture *texture = &input->model->textures[i];
        const trilo_str text = texture->path.len > 0 ? texture->path : texture->name;
        char *name = need(NULL, text.len + 1, 1);
        if (text.len > 0)
            memcpy(name, text.data, text.len);
        name[text.len] = '\0';
        trilo_error err = {.code = TRILO_CODE_OK};
        const trilo_texture_file embedded = {.bytes = texture->bytes};
        textures.mipmaps[i] = (render_mipmaps){.count = 0};
        if (texture->bytes.size == 0)
            textures.images[i] = load_named(options, input, i, name, &textures.mipmaps[i], &err);
        else if (!(textures.images[i] = decode_texture(options, input, i, name, &embedded, &textures.mipmaps[i], &err)))
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
    for (uint32_t i = 0; i < textures->count; i++) {
        trilo_image_free(textures->images[i]);
        for (uint32_t k = 0; k < textures->mipmaps[i].count; k++)
            trilo_image_free(textures->mipmaps[i].images[k]);
    }
    free((void *)textures->images);
    free(textures->mipmaps);
    *textures = (render_textures){.count = 0};
}
