#include "companions.h"

#include "alloc.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 1100 }; /* more than any format stores */

bool sides_keep(void *user, const char *name, trilo_bytes bytes)
{
    cli_sides *sides = user;
    const size_t name_size = strlen(name) + 1;
    uint8_t *copy = need(NULL, bytes.size + 1, 1);
    if (bytes.size > 0)
        memcpy(copy, bytes.data, bytes.size);
    sides->rows = need(sides->rows, sides->count + 1, sizeof *sides->rows);
    sides->rows[sides->count++] =
        (cli_side){.name = memcpy(need(NULL, name_size, 1), name, name_size), .bytes = {copy, bytes.size}};
    return true;
}

/* The name comes from the file, which nobody has to trust: it must not lead out of the folder. */
static bool is_inside(const char *name)
{
    while (true) {
        const size_t length = strcspn(name, "/");
        if (length == 0 || strncmp(name, ".", length) == 0 || strncmp(name, "..", length) == 0)
            return false;
        if (name[length] == '\0')
            return true;
        name += length + 1;
    }
}

static bool is_listed(const cli_sides *sides, const char *name)
{
    for (size_t i = 0; i < sides->count; i++)
        if (strcmp(sides->rows[i].name, name) == 0)
            return true;
    return false;
}

cli_sides sides_of(const trilo_document *document)
{
    cli_sides sides = {0};
    char name[NAME_ROOM];
    trilo_bytes bytes;
    for (uint32_t i = 0; trilo_document_companion(document, i, name, sizeof name, &bytes); i++)
        if (is_inside(name) && !is_listed(&sides, name))
            sides_keep(&sides, name, bytes);
    return sides;
}

bool sides_is_stream(const cli_side *side)
{
    return path_ends(side->name, ".sdata") || path_ends(side->name, ".t3ds");
}

void sides_free(cli_sides *sides)
{
    for (size_t i = 0; i < sides->count; i++) {
        free(sides->rows[i].name);
        free(sides->rows[i].path);
        free((void *)(uintptr_t)sides->rows[i].bytes.data);
    }
    free(sides->rows);
    *sides = (cli_sides){0, NULL};
}

char *sides_path(const char *model_path, const char *name)
{
    const char *slash = strrchr(model_path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - model_path) : 0;
    char *path = need(NULL, folder + strlen(name) + 1, 1);
    memcpy(path, model_path, folder);
    strcpy(path + folder, name);
    return path;
}
