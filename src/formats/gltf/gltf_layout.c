/* The records of a .glb: the rest of glTF is text. */
#include "formats/gltf/gltf.h"

#define ANY 0, 0, NULL

static const tl_field header_rows[] = {
    TL_ROW(glb_header, magic, TL_U32, 0x00, 0, 0, ANY, "`glTF`"),
    TL_ROW(glb_header, version, TL_U32, 0x04, 0, 0, ANY, "2"),
    TL_ROW(glb_header, length, TL_U32, 0x08, 0, 0, ANY, "bytes of the whole file, this header included"),
};
const tl_layout tl_glb_header = TL_TABLE("header", TL_LITTLE, header_rows, "Starts the file. The chunks follow.");

static const tl_field chunk_rows[] = {
    TL_ROW(glb_chunk, length, TL_U32, 0x00, 0, 0, ANY, "bytes of the content, which follows; a multiple of 4"),
    TL_ROW(glb_chunk, type, TL_U32, 0x04, 0, 0, ANY, "`JSON`, `BIN` and a zero byte, or something to be skipped"),
};
const tl_layout tl_glb_chunk = TL_TABLE("chunk", TL_LITTLE, chunk_rows,
                                        "The JSON text comes first, filled up with spaces; the bytes of buffer 0 come "
                                        "second where there are any, filled up with zeros.");

void tl_gltf_reference(tl_sink *sink)
{
    static const char intro[] =
        "# glTF 2.0: the binary container\n\n"
        "Made from the tables that read and write the format (`src/formats/gltf/gltf_layout.c`); do not edit.\n\n"
        "A glTF file is JSON text that describes scenes, and buffers of numbers that the text points into. As `.gltf` "
        "the text is the file, and buffers and images lie beside it or inside as data URIs. As `.glb` text and one "
        "buffer are chunks of one file. What the text may say is in the specification of the Khronos Group, glTF "
        "2.0.\n\n"
        "Everything is little-endian. A `.glb` is: header, JSON chunk, binary chunk, others.\n\n";
    tl_sink_put(sink, intro, sizeof intro - 1);
    tl_layout_reference(&tl_glb_header, sink);
    tl_layout_reference(&tl_glb_chunk, sink);
}
