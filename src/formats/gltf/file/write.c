/* A file that was read is written as it was; an encoded one from its text and its buffer. */
#include "formats/gltf/gltf.h"

#include <stdio.h>
#include <string.h>

static size_t up_to_4(size_t size)
{
    return (size + 3) / 4 * 4;
}

static void put_chunk(tl_sink *sink, uint32_t type, trilo_bytes content, const char *filler)
{
    const glb_chunk chunk = {(uint32_t)up_to_4(content.size), type};
    tl_layout_write(sink, &tl_glb_chunk, 0, &chunk);
    tl_sink_put(sink, content.data, content.size);
    tl_sink_put(sink, filler, up_to_4(content.size) - content.size);
}

/* The encoder sees to it that the whole is below 4 GB. */
static void put_binary(const gltf_file *file, tl_sink *sink)
{
    const size_t head = tl_layout_size(&tl_glb_chunk, 0);
    size_t size = tl_layout_size(&tl_glb_header, 0) + head + up_to_4(file->json.size);
    if (file->bin.size > 0)
        size += head + up_to_4(file->bin.size);
    tl_layout_write(sink, &tl_glb_header, 0, &(glb_header){GLB_MAGIC, GLTF_VERSION, (uint32_t)size});
    put_chunk(sink, GLB_JSON, file->json, "   ");
    if (file->bin.size > 0)
        put_chunk(sink, GLB_BIN, file->bin, "\0\0\0");
}

void tl_gltf_write(const void *gltf, tl_sink *sink)
{
    const gltf_file *file = gltf;
    if (file->bytes.data)
        tl_sink_put(sink, file->bytes.data, file->bytes.size);
    else if (file->binary)
        put_binary(file, sink);
    else
        tl_sink_put(sink, file->json.data, file->json.size);
}

bool tl_gltf_companion(const void *gltf, uint32_t index, char *name, size_t room, trilo_bytes *bytes)
{
    const gltf_file *file = gltf;
    if (index >= file->beside_count)
        return false;
    snprintf(name, room, "%s", file->beside[index].name);
    *bytes = file->beside[index].bytes;
    return true;
}
