/* Textures in the terminal. */
#include "info/info.h"

#include "alloc.h"
#include "output.h"
#include "paths.h"

#include "trilobite/sprite.h"

#include <stdlib.h>
#include <string.h>

enum { THUMBNAIL = 32 };

/* Embedded, or a sprite or an image beside the model. */
static const trilo_image *load_thumbnail(const cli_input *input, const trilo_texture *texture)
{
    if (texture->bytes.size > 0)
        return trilo_image_decode(texture->bytes, NULL, NULL);
    if (texture->path.len == 0 || strcmp(input->path, "-") == 0)
        return NULL;
    char *folder = path_folder(input->path);
    const char *name = path_last(texture->path.data);
    const trilo_file_opts opts = {.below = folder}; /* names in a model are not trusted */
    const trilo_file *file = trilo_file_read(name, &opts, NULL);
    const trilo_image *image = !file                        ? NULL
                               : path_ends(name, ".sprite") ? trilo_sprite_decode(file->bytes, 0, NULL, NULL)
                                                            : trilo_image_decode(file->bytes, NULL, NULL);
    trilo_file_free(file);
    free(folder);
    return image;
}

void info_print_thumbnails(const cli_input *input, const cli_screen *screen)
{
    const trilo_model *model = input->model;
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const trilo_image *image = load_thumbnail(input, &model->textures[i]);
        if (!image)
            continue;
        const uint32_t longer = image->width > image->height ? image->width : image->height;
        const uint32_t most = longer < THUMBNAIL ? longer : THUMBNAIL;
        const uint32_t width = (image->width * most + longer - 1) / longer;
        const uint32_t height = (image->height * most + longer - 1) / longer;
        const trilo_resize_opts opts = {.width = width, .height = height};
        const trilo_image *small = trilo_image_resize(image, &opts, NULL);
        fprintf(screen->file, "texture %u\n", i);
        if (small)
            trilo_image_write(small, TRILO_PICTURE_KIND_ANSI, output_sink, screen->file, NULL);
        trilo_image_free(small);
        trilo_image_free(image);
    }
}
