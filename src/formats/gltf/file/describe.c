/* How the records of a .glb follow each other, for Kaitai Struct and ImHex. */
#include "formats/gltf/gltf.h"

static const char glb_ksy[] = "meta:\n"
                              "  id: gltf\n"
                              "  title: glTF 2.0, the binary container\n"
                              "  file-extension: glb\n"
                              "  license: MIT\n"
                              "  endian: le\n"
                              "seq:\n"
                              "  - id: header\n"
                              "    type: header_record\n"
                              "  - id: chunks\n"
                              "    type: whole_chunk\n"
                              "    repeat: eos\n"
                              "types:\n"
                              "  whole_chunk:\n"
                              "    seq:\n"
                              "      - id: head\n"
                              "        type: chunk_record\n"
                              "      - id: content\n"
                              "        size: head.length\n";

static const char glb_hexpat[] = "struct whole_chunk {\n"
                                 "    chunk head;\n"
                                 "    u8 content[head.length];\n"
                                 "};\n\n"
                                 "header head @ 0;\n"
                                 "whole_chunk chunks[while ($ < head.length)] @ sizeof(head);\n";

static const tl_layout *const glb_layouts[] = {&tl_glb_header, &tl_glb_chunk};

const tl_description tl_gltf_description = {
    .name = "gltf",
    .title = "glTF 2.0, the binary container",
    .layouts = glb_layouts,
    .layout_count = TL_COUNT_OF(glb_layouts),
    .ksy = glb_ksy,
    .hexpat_start = "#pragma endian little\n\n",
    .hexpat = glb_hexpat,
};
