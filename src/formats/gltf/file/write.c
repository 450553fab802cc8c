/* Writing: a file that was read gives back its own bytes, an encoded one its text and its buffer. */
#include "formats/gltf/gltf.h"

#include <stdio.h>

static size_t glb_padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

static void glb_write_chunk(tl_sink *sink, uint32_t type, trilo_bytes content, const char *padding)
{
    const glb_chunk chunk = {(uint32_t)glb_padded(content.size), type};
    tl_layout_write(sink, &tl_glb_chunk, TL_UNVERSIONED, &chunk);
    tl_sink_put(sink, content.data, content.size);
    tl_sink_put(sink, padding, glb_padded(content.size) - content.size);
}

/* The encoder keeps a .glb below 4 GiB. */
void tl_gltf_write(const void *gltf, tl_sink *sink)
{
    const gltf_file *file = gltf;
    if (file->bytes.data || !file->binary) {
        const trilo_bytes all = file->bytes.data ? file->bytes : file->json;
        tl_sink_put(sink, all.data, all.size);
        return;
    }
    const size_t head = tl_layout_size(&tl_glb_chunk, TL_UNVERSIONED);
    size_t size = tl_layout_size(&tl_glb_header, TL_UNVERSIONED) + head + glb_padded(file->json.size);
    if (file->bin.size > 0)
        size += head + glb_padded(file->bin.size);
    tl_layout_write(sink, &tl_glb_header, TL_UNVERSIONED, &(glb_header){GLB_MAGIC, GLTF_VERSION, (uint32_t)size});
    glb_write_chunk(sink, GLB_JSON, file->json, "   ");
    if (file->bin.size > 0)
        glb_write_chunk(sink, GLB_BIN, file->bin, "\0\0\0");
}

bool tl_gltf_companion(const void *gltf, uint32_t index, char *name, size_t room, trilo_bytes *bytes)
{
    const gltf_file *file = gltf;
    if (index >= file->companion_count)
        return false;
    snprintf(name, room, "%s", file->companions[index].name);
    *bytes = file->companions[index].bytes;
    return true;
}
