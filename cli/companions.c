#include "companions.h"

#include "alloc.h"
#include "names.h"
#include "trilobite/file.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 1100 }; /* more than any format stores */

cli_companions companions_of(const trilo_document *document)
{
    cli_companions companions = {0};
    char name[NAME_ROOM];
    trilo_bytes bytes;
    cli_names listed = {NULL};
    for (uint32_t i = 0; trilo_document_companion(document, i, name, sizeof name, &bytes); i++) {
        const size_t name_size = strlen(name) + 1;
        char *own_name = memcpy(need(NULL, name_size, 1), name, name_size);
        /* The name comes from the file and is not trusted. */
        if (!trilo_file_name_is_inside(name) || !names_add(&listed, own_name)) {
            free(own_name);
            continue;
        }
        uint8_t *copy = need(NULL, bytes.size + 1, 1);
        if (bytes.size > 0)
            memcpy(copy, bytes.data, bytes.size);
        if ((companions.count & (companions.count - 1)) == 0) /* full: the room is the next power of two */
            companions.rows = need(companions.rows, 2 * companions.count + 1, sizeof *companions.rows);
        companions.rows[companions.count++] = (cli_companion){.name = own_name, .bytes = {copy, bytes.size}};
    }
    names_free(&listed);
    return companions;
}

void companions_free(cli_companions *companions)
{
    for (size_t i = 0; i < companions->count; i++) {
        free(companions->rows[i].name);
        free((void *)(uintptr_t)companions->rows[i].bytes.data);
    }
    free(companions->rows);
    *companions = (cli_companions){0, NULL};
}

char *companions_path(const char *model_path, const char *name)
{
    const char *slash = strrchr(model_path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - model_path) : 0;
    char *path = need(NULL, folder + strlen(name) + 1, 1);
    memcpy(path, model_path, folder);
    strcpy(path + folder, name);
    return path;
}
