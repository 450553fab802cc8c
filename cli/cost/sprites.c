/* Sprites of a model, for their formats. The library requests paths below the model's folder and plain names. */
#include "cost/cost.h"

#include "alloc.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

bool cost_find_sprite(void *user, const char *name, trilo_bytes *bytes)
{
    cost_sprites *sprites = user;
    trilo_error err = {.code = TRILO_CODE_OK};
    if (strcmp(sprites->model, "-") == 0)
        return false;
    char *folder = path_folder(sprites->model);
    const trilo_file_opts opts = {.memory = sprites->memory, .below = folder};
    const trilo_file *file = trilo_file_read(name, &opts, &err);
    free(folder);
    if (err.code == TRILO_CODE_NO_MEMORY)
        alloc_failed();
    if (!file)
        return false;
    sprites->files = need((void *)sprites->files, sprites->count + 1, sizeof *sprites->files);
    sprites->files[sprites->count++] = file;
    *bytes = file->bytes;
    return true;
}

void cost_sprites_free(cost_sprites *sprites)
{
    for (size_t i = 0; i < sprites->count; i++)
        trilo_file_free(sprites->files[i]);
    free((void *)sprites->files);
}
