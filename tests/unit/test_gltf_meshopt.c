/* Views that meshoptimizer packed, and everything that can be wrong with them. */
#include "formats/gltf/gltf.h"
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

/* The quad (0 0 0) (1 0 0) (0 1 0) (1 1 2) and its triangles, as meshoptimizer packed them. */
static const uint8_t packed[] = {0xA0,
                                 0x00,
                                 0x00,
                                 0x01,
                                 0x3F,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0xFF,
                                 0xFF,
                                 0xFF,
                                 0x01,
                                 0x3F,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x7E,
                                 0x7D,
                                 0x7E,
                                 0x00,
                                 0x00,
                                 0x01,
                                 0x0C,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0xFF,
                                 0x01,
                                 0x0C,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x7E,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x01,
                                 0x03,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x80,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 /* 74: triangles */ 0xE0,
                                 0xF0,
                                 0x10,
                                 0x00,
                                 0x76,
                                 0x87,
                                 0x56,
                                 0x67,
                                 0x78,
                                 0xA9,
                                 0x86,
                                 0x65,
                                 0x89,
                                 0x68,
                                 0x98,
                                 0x01,
                                 0x69,
                                 0x00,
                                 0x00,
                                 /* 93: a list */ 0xD0,
                                 0x00,
                                 0x04,
                                 0x04,
                                 0x00,
                                 0x02,
                                 0x08,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 /* 104: two normals, z and x */ 0xA0,
                                 0x01,
                                 0x30,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0xFE,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x00,
                                 0x7F,
                                 0x00};

#define PACKED(at, length, stride, count, mode)                                                                        \
    "'extensions':{'EXT_meshopt_compression':{'buffer':0,'byteOffset':" #at ",'byteLength':" #length                   \
    ",'byteStride':" #stride ",'count':" #count ",'mode':'" mode "'}}"

static const char packed_text[] =
    "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_meshopt_compression'],'extensionsRequired':["
    "'EXT_meshopt_compression'],"
    "'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','min':[0,0,0],'max':[1,1,2]},"
    "{'bufferView':1,'componentType':5125,'count':6,'type':'SCALAR'},"
    "{'bufferView':2,'componentType':5123,'count':6,'type':'SCALAR'},"
    "{'bufferView':3,'componentType':5120,'normalized':true,'count':2,'type':'VEC3'}],"
    "'bufferViews':[{'buffer':1,'byteLength':48,'byteStride':12," PACKED(
        0, 74, 12, 4,
        "ATTRIBUTES") "},"
                      "{'buffer':1,'byteOffset':48,'byteLength':24," PACKED(
                          74, 19, 4, 6,
                          "TRIANGLES") "},"
                                       "{'buffer':1,'byteOffset':48,'byteLength':12," PACKED(
                                           93, 11, 2, 6,
                                           "INDICES") "},"
                                                      "{'buffer':1,'byteOffset':48,'byteLength':8,'byteStride':"
                                                      "4," PACKED(
                                                          104, 42, 4, 2,
                                                          "ATTRIBUTES','filter':'OCTAHEDRAL") "}],"
                                                                                              "'buffers':[{'byteLength'"
                                                                                              ":146},{'byteLength':72,'"
                                                                                              "extensions':{'EXT_"
                                                                                              "meshopt_compression':{'"
                                                                                              "fallback':true}}}]}";

TEST(compressed_views)
{
    buffer file = {0};
    tl_arena arena;
    gltf_accessor a;
    if (!tl_gltf_has_meshopt())
        SKIP("built without meshoptimizer");
    gltf_glb(&file, packed_text, (trilo_bytes){packed, sizeof packed});
    tl_arena_init(&arena, NULL);
    const gltf_file *g = tl_gltf_read(&arena, (trilo_bytes){file.data, file.size}, &(trilo_load_opts){0}, NULL);
    CHECK(g);
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 2}, normals[] = {0, 0, 1, 1, 0, 0};
    static const uint32_t corners[] = {0, 1, 2, 2, 1, 3};
    float floats[12];
    uint32_t wholes[6];
    CHECK(!tl_gltf_accessor(g, 0, &a));
    tl_gltf_floats(&a, false, floats, 3);
    CHECK(memcmp(floats, positions, sizeof positions) == 0);
    for (uint32_t i = 1; i < 3; i++) {
        CHECK(!tl_gltf_accessor(g, i, &a));
        tl_gltf_uints(&a, wholes, 1);
        CHECK(memcmp(wholes, corners, sizeof corners) == 0);
    }
    CHECK(!tl_gltf_accessor(g, 3, &a));
    tl_gltf_floats(&a, false, floats, 3);
    CHECK(memcmp(floats, normals, sizeof normals) == 0);
    tl_arena_free(&arena);
    listener l;
    CHECK_INT(listen_to(&file, NULL, &l).errors, 0);
    buffer_free(&file);
}

/* A piece of the text, what to put there, and what must be found. */
typedef struct rule_case {
    const char *find, *put, *rule, *path;
} rule_case;

TEST(compressed_views_that_are_wrong)
{
    static const rule_case cases[] = {
        {"'count':4,'mode':'ATTRIBUTES'", "'count':4,'mode':'VERTICES'", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'byteStride':12,'count':4", "'byteStride':13,'count':4", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'byteStride':12,'count':4", "'byteStride':0,'count':4", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'byteStride':12,'count':4", "'byteStride':260,'count':4", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'byteStride':12,'count':4", "'byteStride':12,'count':4294967295", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'byteStride':12,'count':4", "'byteStride':12", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'byteLength':74", "'byteLength':73", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'byteLength':74", "'byteLength':740", "GLTF-MESHOPT", "bufferViews[0]"},
        {"'count':6,'mode':'TRIANGLES'", "'count':5,'mode':'TRIANGLES'", "GLTF-MESHOPT", "bufferViews[1]"},
        {"'byteStride':4,'count':6", "'byteStride':8,'count':6", "GLTF-MESHOPT", "bufferViews[1]"},
        {"'OCTAHEDRAL'", "'QUATERNION'", "GLTF-MESHOPT", "bufferViews[3]"},
        {"'OCTAHEDRAL'", "'SQUEEZED'", "GLTF-MESHOPT", "bufferViews[3]"},
        /* in the fallback buffer, which has no bytes */
        {"{'buffer':0,'byteOffset':74", "{'buffer':1,'byteOffset':0", "GLTF-MESHOPT", "bufferViews[1]"},
        {"'extensions':{'EXT_meshopt_compression':{'buffer':0,'byteOffset':74", "'extras':{'X':{'Y':0", "GLTF-VIEW",
         "bufferViews[1]"},
    };
    if (!tl_gltf_has_meshopt())
        SKIP("built without meshoptimizer");
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        buffer file = {0};
        listener l;
        char *text = gltf_replaced(packed_text, cases[i].find, cases[i].put);
        gltf_glb(&file, text, (trilo_bytes){packed, sizeof packed});
        listen_to(&file, NULL, &l);
        expect(&l, cases[i].rule, cases[i].path, cases[i].put);
        free(text);
        buffer_free(&file);
    }
}

/* What a view may say about itself; bytes of zeros are damaged, but that is found out later. */
TEST(arguments_of_compressed_views)
{
    static const char mode[] = "the mode of a compressed view must be ATTRIBUTES, TRIANGLES or INDICES",
                      stride[] =
                          "the byteStride of a compressed view must be 4 to 256 in steps of 4, of indices 2 or 4",
                      threes[] = "the count of compressed triangles must be a multiple of 3",
                      few[] = "a compressed view has too few bytes for its count",
                      damaged[] = "its compressed bytes are damaged";
    static const struct {
        const char *mode;
        uint32_t stride, count;
        size_t size;
        const char *problem;
    } all[] = {
        {"ATTRIBUTE", 4, 3, 64, mode},
        {"", 4, 3, 64, mode},
        {"ATTRIBUTES", 0, 3, 64, stride},
        {"ATTRIBUTES", 2, 3, 64, stride},
        {"ATTRIBUTES", 6, 3, 64, stride},
        {"ATTRIBUTES", 260, 3, 64, stride},
        {"ATTRIBUTES", 4, 4, 64, damaged},
        {"ATTRIBUTES", 256, 3, 64, damaged},
        {"TRIANGLES", 1, 3, 64, stride},
        {"TRIANGLES", 3, 3, 64, stride},
        {"TRIANGLES", 8, 3, 64, stride},
        {"INDICES", 8, 3, 64, stride},
        {"TRIANGLES", 2, 3, 64, damaged},
        {"TRIANGLES", 4, 6, 64, damaged},
        {"TRIANGLES", 4, 4, 64, threes},
        {"TRIANGLES", 4, 5, 64, threes},
        {"INDICES", 2, 4, 64, damaged},
        {"INDICES", 4, 4, 64, damaged},
        /* one element of 2048, and as many for each that is there */
        {"INDICES", 4, 2 * 2048 - 1, 0, damaged},
        {"INDICES", 4, 2 * 2048, 0, few},
        {"INDICES", 4, 2 * 2048 - 1, 3, damaged},
        {"INDICES", 4, 2 * 2048, 3, few},
        {"INDICES", 4, 3 * 2048 - 1, 4, damaged},
        {"INDICES", 4, 3 * 2048, 4, few},
        {"INDICES", 2, 4 * 2048 - 1, 4, damaged},
        {"INDICES", 2, 4 * 2048, 4, few},
    };
    static const uint8_t zeros[64] = {0};
    if (!tl_gltf_has_meshopt())
        SKIP("without meshoptimizer");
    for (size_t i = 0; i < TL_COUNT_OF(all); i++) {
        const gltf_meshopt_view view = {
            {zeros, all[i].size}, all[i].count, all[i].stride, {all[i].mode, strlen(all[i].mode)}, {"", 0}};
        const char *problem = NULL;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_gltf_meshopt_decode(&view, &arena, &problem).data == NULL);
        CHECK_STR(problem, all[i].problem);
        tl_arena_free(&arena);
    }
}

TEST(compressed_views_without_the_library)
{
    buffer file = {0};
    listener l;
    if (tl_gltf_has_meshopt())
        SKIP("built with meshoptimizer");
    gltf_glb(&file, packed_text, (trilo_bytes){packed, sizeof packed});
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-MESHOPT", "extensionsRequired[0]", "compressed");
    buffer_free(&file);
}

/* ---- version 1 ---- */

/* 16 elements of 4 bytes. Of the first byte the deltas are the group of 4 bits that KHR_meshopt_compression has as an
 * example; the others stay 0. */
TEST(stream_of_version_1)
{
    static const uint8_t stream[] = {0xA1, 0xA8, 0x03, 0x17, 0x5F, 0xF0, 0xBC, 0x77, 0xA9, 0x21, 0x00, 0x34, 0xB5,
                                     /* padding, then a baseline of (9 0 0 7) and channels of bytes */
                                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 7, 0};
    static const int deltas[] = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
    uint8_t out[64];
    CHECK(tl_gltf_meshopt_decode_v1(out, 16, 4, (trilo_bytes){stream, sizeof stream}));
    int value = 9;
    for (size_t i = 0; i < TL_COUNT_OF(deltas); i++) {
        value += deltas[i];
        CHECK_INT(out[4 * i], (uint8_t)value);
        CHECK_INT(out[4 * i + 1], 0);
        CHECK_INT(out[4 * i + 3], 7);
    }
    for (size_t size = 0; size < sizeof stream; size++)
        CHECK(!tl_gltf_meshopt_decode_v1(out, 16, 4, (trilo_bytes){stream, size}));
}

/* Deltas of 1 bit start with the lowest bit of a byte, those of 2 bits with the highest two. All ones: the delta is a
 * byte that follows. 1, 2, 4, 6 and 8 are the deltas -1, +1, +2, +3 and +4. */
TEST(narrow_deltas_of_version_1)
{
    static const uint8_t single[] = {0xA1, 0xA8, 0x01, 0x05, 0x80, 2, 4, 6, /* escapes: elements 0, 2 and 15 */
                                     0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0,
                                     0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0};
    static const uint8_t pairs[] = {0xA1, 0xA8, 0x02, 0x6C, 0, 0, 0x01, 8, /* 1, 2, escape, 0, ... 1 */
                                    0,    0,    0,    0,    0, 0, 0,    0, 0, 0, 0, 0,
                                    0,    0,    0,    0,    0, 0, 0,    0, 0, 0, 0, 0};
    static const uint8_t of_single[16] = {1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6};
    static const uint8_t of_pairs[16] = {255, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3};
    uint8_t out[64];
    CHECK(tl_gltf_meshopt_decode_v1(out, 16, 4, (trilo_bytes){single, sizeof single}));
    for (size_t i = 0; i < 16; i++)
        CHECK_INT(out[4 * i], of_single[i]);
    CHECK(tl_gltf_meshopt_decode_v1(out, 16, 4, (trilo_bytes){pairs, sizeof pairs}));
    for (size_t i = 0; i < 16; i++)
        CHECK_INT(out[4 * i], of_pairs[i]);
}

/* Two elements, stored raw. 16-bit channels: deltas of +1 and -2. 32-bit: XOR with a word that was rotated by 4. */
TEST(channels_of_version_1)
{
    static const uint8_t shorts[] = {0xA1, 0xFF, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0,
                                     0,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0, 5, 0, 1};
    static const uint8_t words[] = {0xA1, 0xFF, 0x10, 0, 0x32, 0, 0x54, 0, 0x76, 0, 0, 0, 0, 0, 0, 0, 0,
                                    0,    0,    0,    0, 0,    0, 0,    0, 0,    0, 0, 0, 0, 0, 0, 0, 0x42};
    uint8_t out[8];
    CHECK(tl_gltf_meshopt_decode_v1(out, 2, 4, (trilo_bytes){shorts, sizeof shorts}));
    static const uint8_t as_shorts[] = {0x00, 0x01, 5, 0, 0xFE, 0x00, 5, 0}; /* 255 + 1, then - 2 */
    CHECK(memcmp(out, as_shorts, sizeof as_shorts) == 0);
    CHECK(tl_gltf_meshopt_decode_v1(out, 2, 4, (trilo_bytes){words, sizeof words}));
    static const uint8_t as_words[] = {0x21, 0x43, 0x65, 0x07, 0x21, 0x43, 0x65, 0x07}; /* 0x76543210 rotated right */
    CHECK(memcmp(out, as_words, sizeof as_words) == 0);
}

/* The two colours that KHR_meshopt_compression has as examples, and the larger components. */
TEST(filter_of_colors)
{
    uint8_t bytes[] = {0x80, 0, 0, 0xFF, 0x20, 0x1F, 0, 0x7F}, words[] = {0, 0x80, 0, 0, 0, 0, 0xFF, 0xFF};
    static const uint8_t colors[] = {0x80, 0x80, 0x80, 0xFF, 0x7E, 0x40, 0x02, 0xFF};
    static const uint8_t large[] = {0, 0x80, 0, 0x80, 0, 0x80, 0xFF, 0xFF};
    tl_gltf_meshopt_decode_color(bytes, 2, 4);
    CHECK(memcmp(bytes, colors, sizeof colors) == 0);
    tl_gltf_meshopt_decode_color(words, 1, 8);
    CHECK(memcmp(words, large, sizeof large) == 0);
}

/* The extension of the Khronos Group has the same members. */
TEST(views_by_the_other_name)
{
    if (!tl_gltf_has_meshopt())
        SKIP("built without meshoptimizer");
    buffer file = {0};
    listener l;
    char *text = gltf_replaced(packed_text, "EXT_meshopt", "KHR_meshopt");
    while (strstr(text, "EXT_meshopt")) {
        char *next = gltf_replaced(text, "EXT_meshopt", "KHR_meshopt");
        free(text);
        text = next;
    }
    gltf_glb(&file, text, (trilo_bytes){packed, sizeof packed});
    const trilo_tally tally = listen_to(&file, NULL, &l);
    if (tally.errors > 0)
        FAIL("%s %s: %s", l.rules[0], l.paths[0], l.texts[0]);
    free(text);
    buffer_free(&file);
}

/* ---- version 1, written here ---- */

static uint32_t dice(uint32_t *seed, uint32_t sides)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 12) % sides;
}

/* 16 numbers of `bits` each, those that do not fit as bytes behind them. */
static void put_group(buffer *out, unsigned bits, const uint8_t deltas[16])
{
    const unsigned escape = (1u << bits) - 1, per_byte = bits ? 8 / bits : 1;
    uint8_t bytes[16] = {0};
    for (unsigned i = 0; i < 16 && bits > 0; i++) {
        const unsigned value = deltas[i] < escape ? deltas[i] : bits == 8 ? deltas[i] : escape;
        const unsigned place = i % per_byte;
        bytes[i / per_byte] |= (uint8_t)(value << (bits == 1 ? place : 8 - bits - bits * place));
    }
    buffer_sink(out, bytes, 2 * (size_t)bits);
    for (unsigned i = 0; i < 16 && bits > 0 && bits < 8; i++)
        if (deltas[i] >= escape)
            buffer_sink(out, &deltas[i], 1);
}

/* The deltas of one byte of a block, in one of the four ways that can hold them. */
static unsigned put_deltas(buffer *out, const uint8_t *deltas, uint32_t count, uint32_t *seed)
{
    static const uint8_t widths[2][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}};
    const uint32_t groups = (count + 15) / 16;
    uint8_t padded[272] = {0}, header[8] = {0}, chosen[17];
    bool zero = true;
    memcpy(padded, deltas, count);
    for (uint32_t i = 0; i < count; i++)
        zero = zero && deltas[i] == 0;
    if (zero && dice(seed, 2))
        return 2;
    const unsigned control = dice(seed, 3);
    if (control == 2) {
        buffer_sink(out, deltas, count);
        return 3;
    }
    for (uint32_t g = 0; g < groups; g++) {
        bool none = true;
        for (int i = 0; i < 16; i++)
            none = none && padded[16 * g + (uint32_t)i] == 0;
        do
            chosen[g] = (uint8_t)dice(seed, 4);
        while (widths[control][chosen[g]] == 0 && !none);
        header[g / 4] |= (uint8_t)(chosen[g] << g % 4 * 2);
    }
    buffer_sink(out, header, (groups + 3) / 4);
    for (uint32_t g = 0; g < groups; g++)
        put_group(out, widths[control][chosen[g]], padded + 16 * g);
    return control;
}

/* The difference of two numbers of 1, 2 or 4 bytes, as the mode stores it. */
static void find_delta(unsigned channel, const uint8_t *from, const uint8_t *to, uint8_t delta[4])
{
    const unsigned mode = channel & 15, rotation = channel >> 4;
    for (unsigned i = 0; mode == 0 && i < 4; i++) {
        const int difference = (int8_t)(uint8_t)(to[i] - from[i]);
        delta[i] = (uint8_t)(difference >= 0 ? 2 * difference : -2 * difference - 1);
    }
    for (unsigned i = 0; mode == 1 && i < 4; i += 2) {
        const int difference = (int16_t)(uint16_t)((to[i] | to[i + 1] << 8) - (from[i] | from[i + 1] << 8));
        const unsigned stored = (unsigned)(difference >= 0 ? 2 * difference : -2 * difference - 1);
        delta[i] = (uint8_t)stored, delta[i + 1] = (uint8_t)(stored >> 8);
    }
    if (mode == 2) {
        uint64_t bits = 0;
        for (unsigned i = 4; i-- > 0;)
            bits = bits << 8 | (uint8_t)(to[i] ^ from[i]);
        bits = bits << rotation | bits >> (32 - rotation);
        for (unsigned i = 0; i < 4; i++)
            delta[i] = (uint8_t)(bits >> 8 * i);
    }
}

static void put_version_1(buffer *out, const uint8_t *data, uint32_t count, uint32_t stride, uint32_t *seed)
{
    const uint32_t fit = 8192 / stride / 16 * 16, block = fit < 256 ? fit : 256;
    uint8_t channels[64], first[256];
    for (uint32_t k = 0; k < stride / 4; k++) {
        const unsigned mode = dice(seed, 3);
        channels[k] = (uint8_t)(mode | (mode == 2 ? dice(seed, 16) << 4 : 0));
    }
    for (uint32_t i = 0; i < stride; i++)
        first[i] = (uint8_t)dice(seed, 256);
    buffer_sink(out, "\xA1", 1);
    for (uint32_t start = 0; start < count; start += block) {
        const uint32_t size = count - start < block ? count - start : block;
        const size_t controls_at = out->size;
        uint8_t controls[64] = {0};
        buffer_sink(out, controls, stride / 4);
        for (uint32_t k = 0; k < stride / 4; k++) {
            uint8_t deltas[4][256];
            for (uint32_t i = 0; i < size; i++) {
                const uint8_t *now = data + (size_t)(start + i) * stride + 4 * k;
                uint8_t delta[4];
                find_delta(channels[k], start + i == 0 ? first + 4 * k : now - stride, now, delta);
                for (int b = 0; b < 4; b++)
                    deltas[b][i] = delta[b];
            }
            for (int b = 0; b < 4; b++)
                controls[k] |= (uint8_t)(put_deltas(out, deltas[b], size, seed) << 2 * b);
        }
        memcpy(out->data + controls_at, controls, stride / 4);
    }
    const size_t tail = stride + stride / 4;
    for (size_t i = tail; i < 24; i++)
        buffer_sink(out, "", 1);
    buffer_sink(out, first, stride);
    buffer_sink(out, channels, stride / 4);
}

/* All modes and widths, blocks and groups that are full, nearly full or of one element. */
TEST(what_is_written_as_version_1_is_read)
{
    static const uint32_t strides[] = {4, 8, 12, 16, 20, 36, 64, 256}, counts[] = {1, 15, 16, 17, 255, 256, 257, 530};
    uint32_t seed = 1;
    for (int round = 0; round < 64; round++) {
        const uint32_t stride = strides[round % 8], count = counts[round / 8];
        const size_t size = (size_t)stride * count;
        uint8_t *data = malloc(size), *out = malloc(size);
        buffer stream = {0};
        CHECK(data && out);
        for (size_t i = 0; i < size; i++) /* mostly near the one before, or the same */
            data[i] = (uint8_t)((i < stride ? 0 : data[i - stride]) + (i / 700 % 3 == 0 ? 0
                                                                       : dice(&seed, 9) ? dice(&seed, 5) - 2
                                                                                        : dice(&seed, 256)));
        put_version_1(&stream, data, count, stride, &seed);
        CHECK(tl_gltf_meshopt_decode_v1(out, count, stride, (trilo_bytes){stream.data, stream.size}));
        CHECK(memcmp(out, data, size) == 0);
        CHECK(!tl_gltf_meshopt_decode_v1(out, count, stride, (trilo_bytes){stream.data, stream.size - 1}));
        stream.data[0] = 0xA0;
        CHECK(!tl_gltf_meshopt_decode_v1(out, count, stride, (trilo_bytes){stream.data, stream.size}));
        free(data);
        free(out);
        buffer_free(&stream);
    }
}

TEST_MAIN(CASE(compressed_views), CASE(compressed_views_that_are_wrong), CASE(arguments_of_compressed_views),
          CASE(compressed_views_without_the_library), CASE(stream_of_version_1), CASE(narrow_deltas_of_version_1),
          CASE(channels_of_version_1), CASE(filter_of_colors), CASE(views_by_the_other_name),
          CASE(what_is_written_as_version_1_is_read))
