/* Sprites of a model, for their formats. The library asks for paths below the model's folder and for plain names. */
#include "cost/cost.h"

#include "alloc.h"
#include "paths.h"
#include "read_file.h"

#include <stdlib.h>
#include <string.h>

bool cost_find_sprite(void *user, const char *name, trilo_bytes *bytes)
{
    cost_sprites *sprites = user;
    size_t size;
    if (strcmp(sprites->model, "-") == 0)
        return false;
    char *folder = path_folder(sprites->model), *path = path_join(folder, name);
    uint8_t *file = slurp(path, &size);
    free(folder);
    free(path);
    if (!file)
        return false;
    sprites->files = need(sprites->files, sprites->count + 1, sizeof *sprites->files);
    sprites->files[sprites->count++] = file;
    *bytes = (trilo_bytes){file, size};
    return true;
}

void cost_sprites_free(cost_sprites *sprites)
{
    for (size_t i = 0; i < sprites->count; i++)
        free(sprites->files[i]);
    free(sprites->files);
}
