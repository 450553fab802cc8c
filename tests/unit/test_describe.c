/* Descriptions of a small format for Kaitai Struct and ImHex, as they would be written by hand. */
#include "harness.h"
#include "layout/describe.h"
#include "support/buffer.h"

#include <string.h>

static const tl_field fields[] = {
    {"Tiny one", TL_U8, 1, 0, 0, 0, 0, 0, 0, NULL, "a \"byte\""},
    {"small", TL_U16, 2, 1, 0, 0, 0, 0, 0, NULL, ""},
    {"plain", TL_U32, 1, 5, 0, 2, 0, 0, 0, NULL, "back\\slash"},
    {"moved", TL_S16, 1, 9, 0, 1, 1, 0, 0, NULL, "first row"},
    {"once", TL_F32, 1, 11, 0, 3, 3, 0, 0, NULL, ""},
    {"some", TL_U64, 1, 15, 0, 1, 2, 0, 0, NULL, ""},
    {"parent", TL_S32, 1, 23, 0, 0, 0, 0, 0, NULL, ""},
    {"out", TL_S8, 1, 27, 0, 0, 0, 0, 0, NULL, ""},
    {"moved", TL_S16, 1, 28, 0, 2, 0, 0, 0, NULL, "last row"},
    {"early", TL_U8, 1, 30, 0, 0, 2, 0, 0, NULL, ""},
};
static const tl_layout layout = TL_TABLE("Vertex pair", TL_BIG, fields, "two of them");
static const tl_layout *const layouts[] = {&layout};
static const tl_description description = {"tiny",
                                           "A tiny format",
                                           layouts,
                                           1,
                                           "meta:\n  id: tiny\ntypes:\n",
                                           "#pragma endian big\n\n",
                                           "vertex_pair v @ 0;\n"};

static void check_text(const buffer *got, const char *want)
{
    char text[4096] = "";
    CHECK(got->size < sizeof text);
    memcpy(text, got->data, got->size);
    CHECK_STR(text, want);
}

TEST(for_kaitai_struct)
{
    buffer out = {0};
    tl_sink sink = {.fn = buffer_sink, .user = &out};
    tl_describe_ksy(&description, &sink);
    check_text(&out,
               "# Made by `trilobite formats --reference tiny --language ksy` from the tables that read and write "
               "the format.\n"
               "meta:\n  id: tiny\ntypes:\n"
               "  vertex_pair_record:\n"
               "    doc: \"two of them\"\n"
               "    seq:\n"
               "      - id: tiny_one\n        type: u1\n        doc: \"a \\\"byte\\\"\"\n"
               "      - id: small\n        type: u2\n        repeat: expr\n        repeat-expr: 2\n"
               "      - id: plain\n        type: u4\n        if: _root.layout_version >= 2\n"
               "        doc: \"back\\\\slash\"\n"
               "      - id: once\n        type: f4\n        if: _root.layout_version == 3\n"
               "      - id: some\n        type: u8\n"
               "        if: _root.layout_version >= 1 and _root.layout_version <= 2\n"
               "      - id: parent\n        type: s4\n"
               "      - id: out\n        type: s1\n"
               "      - id: moved\n        type: s2\n        doc: \"last row\"\n"
               "      - id: early\n        type: u1\n"
               "        if: _root.layout_version >= 0 and _root.layout_version <= 2\n");
    buffer_free(&out);
}

TEST(for_imhex)
{
    buffer out = {0};
    tl_sink sink = {.fn = buffer_sink, .user = &out};
    tl_describe_hexpat(&description, &sink);
    check_text(&out, "// Made by `trilobite formats --reference tiny --language hexpat` from the tables that read and "
                     "write the format.\n"
                     "// Untried: no test of Trilobite runs ImHex.\n"
                     "#pragma author Trilobite\n#pragma description A tiny format\n"
                     "#pragma endian big\n\n"
                     "// two of them\n"
                     "struct vertex_pair {\n"
                     "    u8 tiny_one [[comment(\"a \\\"byte\\\"\")]];\n"
                     "    u16 small[2];\n"
                     "    if (layout_version >= 2) u32 plain [[comment(\"back\\\\slash\")]];\n"
                     "    if (layout_version == 3) float once;\n"
                     "    if (layout_version >= 1 && layout_version <= 2) u64 some;\n"
                     "    s32 parent_;\n"
                     "    s8 out_;\n"
                     "    s16 moved [[comment(\"last row\")]];\n"
                     "    if (layout_version >= 0 && layout_version <= 2) u8 early;\n"
                     "};\n\n"
                     "vertex_pair v @ 0;\n");
    buffer_free(&out);
}

TEST_MAIN(CASE(for_kaitai_struct), CASE(for_imhex))
