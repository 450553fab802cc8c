/* The records of a .glb. Everything else in glTF is JSON. */
#include "formats/gltf/gltf.h"
#include "n64/effects.h"

static const tl_field glb_header_rows[] = {
    TL_PLAIN_ROW(glb_header, magic, TL_U32, 0x00, "`glTF`"),
    TL_PLAIN_ROW(glb_header, version, TL_U32, 0x04, "2"),
    TL_PLAIN_ROW(glb_header, length, TL_U32, 0x08, "bytes of the whole file, including this header"),
};
const tl_layout tl_glb_header = TL_TABLE("header", TL_LITTLE, glb_header_rows, "Starts the file. The chunks follow.");

static const tl_field glb_chunk_rows[] = {
    TL_PLAIN_ROW(glb_chunk, length, TL_U32, 0x00, "bytes of the content that follows; a multiple of 4"),
    TL_PLAIN_ROW(glb_chunk, type, TL_U32, 0x04, "`JSON`, `BIN\\0`, or another type, which is skipped"),
};
const tl_layout tl_glb_chunk = TL_TABLE("chunk", TL_LITTLE, glb_chunk_rows,
                                        "The JSON text comes first, padded with spaces. The bytes of buffer 0 come "
                                        "second, padded with zeros; without any, the chunk is absent.");

/* For programs that write or read these members too. */
static const char gltf_extras_reference[] =
    "## What Trilobite adds\n\n"
    "glTF leaves `extras` to applications. Trilobite writes two members and reads them back. `--plain` omits them; "
    "other programs may ignore them.\n\n"
    "`materials[].extras.trilobite_n64` is the N64 state that the material sets, bit for bit. It takes precedence over "
    "Fast64 settings:\n\n"
    "| member | value |\n"
    "| --- | --- |\n"
    "| combiner, otherMode, otherMask | strings such as `\"0x00127E2488FFFDFE\"`: 64-bit words of the RDP |\n"
    "| blender | a string of 32 bits; 0: none |\n"
    "| drawFlags | sum of: 1 depth, 2 textured, 4 shaded, 8 cull front, 16 cull back, 65536 unlit |\n"
    "| fog | 0 unchanged, 1 off, 2 on |\n"
    "| setFlags | which colours are set, sum of: 1 prim, 2 env, 4 blend |\n"
    "| vertexEffect | " TL_EFFECTS_LIST " |\n"
    "| prim, env, blend | red, green, blue, alpha, each 0 to 255 |\n"
    "| tiles | an array of two objects with the members below |\n"
    "| tiles[].reference | not 0: number of a texture that the game sets |\n"
    "| tiles[].path | path of the sprite in ROM, such as `\"rom:/wall.sprite\"` |\n"
    "| tiles[].texture | index of a texture of this file; used when there is no path |\n"
    "| tiles[].width, tiles[].height | in texels |\n"
    "| tiles[].s, tiles[].t | objects with low, high (texels), mask, shift (powers of two), mirror, clamp (booleans) "
    "|\n"
    "| engine | of a material of Pyrite64: flags (sum of: 1 the draw layer has what is not set, 2 restored after the "
    "object, 4 blender, 8 fog, 16 primitive Z, 32 K4 and K5, 64 primitive LOD), k4, k5, primLod, fogBlender (a string "
    "of "
    "32 bits), primZ, primDeltaZ, zOffset |\n"
    "| raw | a string of hexadecimal digits: the bytes of a T3DM chunk `m`, which writing T3DM stores again |\n\n"
    "A missing member is 0, none or false.\n\n"
    "`animations[].extras.trilobite_duration` is the duration of the clip in seconds, if it ends before its last "
    "keyframe. glTF cannot express that; T3DM has keyframes on ticks of 1/60 second and any duration. It is used if it "
    "is above 0 and before the last keyframe.\n";

void tl_gltf_reference(tl_sink *sink)
{
    static const char intro[] =
        "# glTF 2.0: the binary container, and what Trilobite adds\n\n"
        "Made from the tables that read and write the format (`src/formats/gltf/file/layout.c`); do not edit.\n\n"
        "A glTF file is JSON text that describes scenes, and buffers of numbers that the text refers to. A `.gltf` is "
        "the text alone; buffers and images are companion files, or data URIs in the text. A `.glb` has the text and "
        "one "
        "buffer as chunks of one file. The JSON is specified by the Khronos Group, glTF 2.0.\n\n"
        "Numbers are little-endian. A `.glb` is: header, JSON chunk, binary chunk, other chunks.\n\n";
    tl_sink_put(sink, intro, sizeof intro - 1);
    tl_layout_reference(&tl_glb_header, sink);
    tl_layout_reference(&tl_glb_chunk, sink);
    tl_sink_put(sink, gltf_extras_reference, sizeof gltf_extras_reference - 1);
}
