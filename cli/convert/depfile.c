/* depfile.c: the dependencies of a model as a rule for make, so that it is rebuilt when a texture changes. */
#include "convert/convert.h"

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

static void depfile_put(cli_buffer *buffer, const char *text, size_t length)
{
    buffer_keep(buffer, text, length);
}

/* As make reads it. */
static void put_path(cli_buffer *buffer, const char *path)
{
    for (; *path; path++) {
        if (*path == ' ' || *path == '#' || *path == '\\')
            depfile_put(buffer, "\\", 1);
        else if (*path == '$')
            depfile_put(buffer, "$", 1);
        depfile_put(buffer, path, 1);
    }
}

static void put_next(cli_buffer *buffer, const char *path)
{
    depfile_put(buffer, " ", 1);
    put_path(buffer, path);
}

trilo_bytes convert_make_depfile(const cli_conversion *conversion)
{
    cli_buffer buffer = {0};
    /* Streams that were the same already count too. */
    put_path(&buffer, conversion->out);
    for (uint32_t i = 0; i < conversion->result->companion_count; i++) {
        char *path = companions_path(conversion->out, conversion->result->companions[i].name);
        put_next(&buffer, path);
        free(path);
    }
    depfile_put(&buffer, ":", 1);
    const char *image;
    cli_companions own = companions_of(conversion->input.document);
    put_next(&buffer, conversion->in);
    for (size_t i = 0; (image = trilo_assets_image(conversion->input.assets, i)); i++)
        put_next(&buffer, image);
    for (size_t i = 0; i < own.count; i++) {
        char *path = companions_path(conversion->in, own.rows[i].name);
        put_next(&buffer, path);
        free(path);
    }
    companions_free(&own);
    depfile_put(&buffer, "\n", 1);
    return (trilo_bytes){buffer.bytes, buffer.size};
}
