#include "convert/rom_textures.h"

#include "alloc.h"
#include "paths.h"
#include "read_file.h"

#include <stdlib.h>
#include <string.h>

static char *text_of(trilo_str text)
{
    char *copy = need(NULL, text.len + 1, 1);
    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    return copy;
}

static bool is_on_console(trilo_str path)
{
    return path.len >= 5 && memcmp(path.data, "rom:/", 5) == 0;
}

/* By the path in the file, from the folder of the model. Elsewhere that path is as good as any. */
static bool find_beside(cli_finder *finder, const trilo_texture *texture, trilo_found_image *place)
{
    if (texture->path.len == 0)
        return false;
    char *name = text_of(texture->path), *folder = path_folder(finder->model), *path = path_join(folder, name);
    const bool found =
        finder_is_asset(finder, path) && finder_console_path(finder, path, place->path, sizeof place->path);
    free(path);
    free(folder);
    free(name);
    return found;
}

/* An image that was packed into the file usually still lies where the project keeps it. */
static bool find_by_name(cli_finder *finder, const trilo_texture *texture, trilo_found_image *place)
{
    if (texture->path.len > 0 || texture->name.len == 0 || texture->name.data[0] == '/')
        return false;
    char *name = text_of(texture->name);
    const bool found = find_image(finder, TRILO_IMAGE_KEY_NAME, name, place);
    free(name);
    return found;
}

void rom_textures_find(cli_rom_textures *rom, trilo_model *model, cli_finder *finder)
{
    const uint32_t count = model->texture_count;
    rom->textures = need(NULL, count, sizeof *rom->textures);
    rom->places = need(NULL, count, sizeof *rom->places);
    for (uint32_t i = 0; i < count; i++) {
        trilo_texture *texture = &rom->textures[i];
        trilo_found_image *place = &rom->places[i];
        *texture = model->textures[i];
        if (is_on_console(texture->path) ||
            (!find_beside(finder, texture, place) && !find_by_name(finder, texture, place)))
            continue;
        texture->path = (trilo_str){place->path, strlen(place->path)};
        texture->bytes = (trilo_bytes){NULL, 0};
    }
    model->textures = rom->textures;
}

/* NULL: there is no such image. */
static uint8_t *load(cli_finder *finder, trilo_texture *texture)
{
    char *console = text_of(texture->path), *path = finder_asset_of(finder, console);
    size_t size = 0;
    uint8_t *bytes = path ? slurp(path, &size) : NULL;
    const trilo_bytes image = {bytes, size};
    uint32_t width, height;
    const trilo_image_kind kind = bytes ? trilo_image_probe(image, &width, &height) : TRILO_IMAGE_UNKNOWN;
    free(path);
    free(console);
    if (kind == TRILO_IMAGE_UNKNOWN) {
        free(bytes);
        return NULL;
    }
    texture->bytes = image;
    texture->kind = kind;
    texture->width = width;
    texture->height = height;
    return bytes;
}

void rom_textures_load(cli_rom_textures *rom, trilo_model *model, cli_finder *finder)
{
    rom->count = model->texture_count;
    rom->textures = need(NULL, rom->count, sizeof *rom->textures);
    rom->images = need(NULL, rom->count, sizeof *rom->images);
    for (uint32_t i = 0; i < rom->count; i++) {
        trilo_texture *texture = &rom->textures[i];
        *texture = model->textures[i];
        rom->images[i] = texture->bytes.size == 0 && is_on_console(texture->path) ? load(finder, texture) : NULL;
    }
    model->textures = rom->textures;
}

void rom_textures_free(cli_rom_textures *rom)
{
    for (uint32_t i = 0; i < rom->count; i++)
        free(rom->images[i]);
    free(rom->images);
    free(rom->textures);
    free(rom->places);
    *rom = (cli_rom_textures){.count = 0};
}
