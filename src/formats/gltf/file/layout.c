/* The records of a .glb: the rest of glTF is text. */
#include "formats/gltf/gltf.h"
#include "n64/effects.h"

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

/* What Trilobite writes beyond the standard, for whoever writes or reads such files with another program. */
static const char extras[] =
    "## What Trilobite adds\n\n"
    "glTF leaves `extras` to everybody's own use. Trilobite writes two kinds, and reads them again; `--plain` leaves "
    "them "
    "out, and any program may.\n\n"
    "`materials[].extras.trilobite_n64` is the state of the N64 that the material sets. When it is there it counts "
    "before Fast64's settings, to the bit:\n\n"
    "| member | value |\n"
    "| --- | --- |\n"
    "| combiner, otherMode, otherMask | texts such as `\"0x00127E2488FFFDFE\"`: 64-bit words of the RDP |\n"
    "| blender | the same with 32 bits; 0: none |\n"
    "| drawFlags | a sum: 1 depth, 2 textured, 4 shaded, 8 cull front, 16 cull back, 65536 unlit |\n"
    "| fog | 0 leave as it is, 1 off, 2 on |\n"
    "| setFlags | which colours are set, a sum: 1 prim, 2 env, 4 blend |\n"
    "| vertexEffect | " TL_EFFECTS_LIST " |\n"
    "| prim, env, blend | red, green, blue, alpha, each 0 to 255 |\n"
    "| tiles | two of the following |\n"
    "| tiles[].reference | not 0: the game puts a texture of that number here |\n"
    "| tiles[].path | where the sprite is on the console, such as `\"rom:/wall.sprite\"` |\n"
    "| tiles[].texture | a texture of this file; used when there is no path |\n"
    "| tiles[].width, tiles[].height | in texels |\n"
    "| tiles[].s, tiles[].t | each with low, high (texels), mask, shift (powers of two), mirror, clamp (true or false) "
    "|\n\n"
    "What is missing is 0, none or false.\n\n"
    "`animations[].extras.trilobite_duration` is a number of seconds: the clip ends then, before its last key. glTF "
    "has "
    "no word for that; the console has keys on ticks of 1/60 second and durations that are none. It counts when it is "
    "above 0 and before the last key.\n";

void tl_gltf_reference(tl_sink *sink)
{
    static const char intro[] =
        "# glTF 2.0: the binary container, and what Trilobite adds\n\n"
        "Made from the tables that read and write the format (`src/formats/gltf/gltf_layout.c`); do not edit.\n\n"
        "A glTF file is JSON text that describes scenes, and buffers of numbers that the text points into. As `.gltf` "
        "the text is the file, and buffers and images lie beside it or inside as data URIs. As `.glb` text and one "
        "buffer are chunks of one file. What the text may say is in the specification of the Khronos Group, glTF "
        "2.0.\n\n"
        "Everything is little-endian. A `.glb` is: header, JSON chunk, binary chunk, others.\n\n";
    tl_sink_put(sink, intro, sizeof intro - 1);
    tl_layout_reference(&tl_glb_header, sink);
    tl_layout_reference(&tl_glb_chunk, sink);
    tl_sink_put(sink, extras, sizeof extras - 1);
}
