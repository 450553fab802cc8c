#include "rom_textures.h"

#include "alloc.h"
#include "paths.h"

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
    const bool found = find_image(finder, name, place);
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

void rom_textures_free(cli_rom_textures *rom)
{
    free(rom->textures);
    free(rom->places);
    *rom = (cli_rom_textures){NULL, NULL};
}
