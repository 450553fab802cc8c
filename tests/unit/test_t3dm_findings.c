/* Findings about T3DM files: the byte, the path and the sentence of each, and the last values that are still right. */
#include "formats/t3dm/t3dm.h"
#include "harness.h"
#include "support/findings.h"
#include "support/numbers.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct kite {
    buffer file, stream;
    t3dm_places at;
    trilo_load_opts opts;
} kite;

static void kite_make(kite *k)
{
    *k = (kite){.opts.companion = t3dm_kite_companion, .opts.companion_user = &k->stream};
    t3dm_kite(&k->file, 4, &k->at);
    t3dm_kite_stream(&k->stream);
}

static void kite_free(kite *k)
{
    buffer_free(&k->file);
    buffer_free(&k->stream);
}

static void set_be(buffer *b, size_t at, size_t width, uint32_t value)
{
    for (size_t i = 0; i < width; i++)
        b->data[at + i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

static uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The check of the kite after one change has exactly one finding of the rule; `text` NULL: none. */
static void expect_change(size_t at, size_t width, uint32_t value, const char *rule, const char *path, uint64_t offset,
                          const char *text)
{
    static listener l;
    kite k;
    kite_make(&k);
    set_be(&k.file, at, width, value);
    listen_to(&k.file, &k.opts, &l);
    size_t count = 0;
    for (size_t i = 0; i < l.count; i++)
        if (strcmp(l.rules[i], rule) == 0) {
            if (!text)
                FAIL("byte %zu, %u: %s: %s", at, (unsigned)value, rule, l.texts[i]);
            count++;
            CHECK_STR(l.texts[i], text);
            CHECK_STR(l.paths[i], path);
            CHECK_INT(l.offsets[i], offset);
        }
    if (count != (text ? 1 : 0))
        FAIL("byte %zu, %u: %zu findings %s, not %d", at, (unsigned)value, count, rule, text ? 1 : 0);
    kite_free(&k);
}

typedef struct change {
    size_t delta, width;
    uint32_t value;
    const char *rule, *path;
    size_t found;
    const char *text; /* NULL: it is right */
} change;

static void expect_changes(size_t base, const change *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_change(base + rows[i].delta, rows[i].width, rows[i].value, rows[i].rule, rows[i].path,
                      base + rows[i].found, rows[i].text);
}

static t3dm_places places(void)
{
    kite k;
    kite_make(&k);
    const t3dm_places at = k.at;
    kite_free(&k);
    return at;
}

#define EXPECT(base, rows) expect_changes(base, rows, sizeof(rows) / sizeof *(rows))
#define PART0              "objects[0].parts[0]."
#define PART1              "objects[0].parts[1]"

/* Loads: 6 vertices into slot 0, then 2 into slot 6. V has 128 bytes, I has 32. */
TEST(parts)
{
    static const change rows[] = {
        {4, 2, 70, "T3DM-PART-VERTS", "", 0, NULL},
        {4, 2, 72, "T3DM-PART-VERTS", PART0 "vertex_count", 4, "72, at most 70 fit the vertex cache"},
        {6, 2, 65, "T3DM-PART-DEST", "", 0, NULL},
        {6, 2, 66, "T3DM-PART-DEST", PART0 "vertex_dest", 6, "slot 66, with that many vertices at most 65"},
        {0, 4, 32, "T3DM-PART-SOURCE", "", 0, NULL},
        {0, 4, 64, "T3DM-PART-SOURCE", PART0 "vertex_at", 0,
         "byte 64, must be a multiple of 32 and the load end inside the 128 bytes of V"},
        {0, 4, 31, "T3DM-PART-SOURCE", PART0 "vertex_at", 0,
         "byte 31, must be a multiple of 32 and the load end inside the 128 bytes of V"},
        {0x18, 4, 64, "T3DM-PART-SOURCE", "", 0, NULL},
        {0x0C, 2, 4, "T3DM-PART-LIST", PART0 "index_count", 0x0C,
         "4 indices, must be a multiple of 3 and end inside the 32 bytes of I"},
        {0x18 + 8, 4, 29, "T3DM-PART-LIST", "", 0, NULL},
        {0x18 + 8, 4, 30, "T3DM-PART-LIST", PART1 ".index_count", 0x18 + 0x0C,
         "3 indices, must be a multiple of 3 and end inside the 32 bytes of I"},
        {0x10, 1, 3, "T3DM-STRIP-SIZE", "", 0, NULL},
        {0x10, 1, 2, "T3DM-STRIP-SIZE", PART0 "strip_counts", 0x10,
         "2 indices, must be 3 or more and end inside the 32 bytes of I"},
        {0x10, 1, 12, "T3DM-STRIP-SIZE", "", 0, NULL},
        {0x10, 1, 13, "T3DM-STRIP-SIZE", PART0 "strip_counts", 0x10,
         "13 indices, must be 3 or more and end inside the 32 bytes of I"},
        {0x14, 1, 67, "T3DM-SEQUENCE", "", 0, NULL},
        {0x14, 1, 68, "T3DM-SEQUENCE", PART0 "sequence_count", 0x15, "the sequence ends at slot 71, 70 is the limit"},
        {0x14, 1, 3, "T3DM-SLOT-EMPTY", "", 0, NULL},
        {0x14, 1, 4, "T3DM-SLOT-EMPTY", PART0 "sequence_base", 0x14, "slot 6 was never loaded"},
        {0x0E, 2, 1, "T3DM-PART-BONE", "", 0, NULL},
        {0x0E, 2, 2, "T3DM-PART-BONE", "objects[0].parts[0]", 0x0E, "bone 2, the skeleton has 2"},
        {0x18 + 0x0E, 2, 7, "T3DM-PART-BONE", PART1, 0x18 + 0x0E, "bone 7, the skeleton has 2"},
    };
    EXPECT(places().parts, rows);
}

TEST(indices)
{
    const t3dm_places at = places();
    expect_change(at.indices, 1, 20, "T3DM-SLOT-EMPTY", PART0 "index_at", at.parts + 8, "slot 20 was never loaded");
    expect_change(at.indices, 1, 69, "T3DM-SLOT-RANGE", "", 0, NULL);
    expect_change(at.indices, 1, 70, "T3DM-SLOT-RANGE", PART0 "index_at", at.parts + 8, "slot 70, the last one is 69");
    expect_change(at.strip + 12, 2, 0x8003, "T3DM-STRIP-FLAG", PART0 "strip_counts", at.parts + 0x10,
                  "a new strip is flagged where fewer than 3 indices are left");
    expect_change(at.indices + 1, 1, 0, "T3DM-DEGENERATE", "objects[0]", at.object,
                  "1 of 6 triangles use a vertex twice");
    expect_change(at.indices, 1, 2, "T3DM-DEGENERATE", "objects[0]", at.object, "1 of 6 triangles use a vertex twice");
    expect_change(at.indices + 2, 1, 1, "T3DM-DEGENERATE", "objects[0]", at.object,
                  "1 of 6 triangles use a vertex twice");
}

TEST(objects)
{
    static const change rows[] = {
        {4, 2, 1, "T3DM-TRIANGLE-COUNT", "objects[0]", 6, "6, but 5 are drawn"},
        {6, 2, 5, "T3DM-TRIANGLE-COUNT", "objects[0]", 6, "5, but 6 are drawn"},
        {6, 2, 7, "T3DM-TRIANGLE-COUNT", "objects[0]", 6, "7, but 6 are drawn"},
        {8, 4, 1, "T3DM-MATERIAL-REF", "objects[0]", 8, "material 1, the file has 1"},
        {8, 4, 0xFFFFFFFF, "T3DM-MATERIAL-REF", "objects[0]", 8, "material 4294967295, the file has 1"},
        {4, 2, 0, "T3DM-EMPTY", "objects[0]", 0, "the object draws no triangle"},
    };
    EXPECT(places().object, rows);
}

/* Each corner of the boxes of the object and of the model. */
TEST(boxes)
{
    static const int right[6] = {0, 0, -7, 70, 7, 0};
    const t3dm_places at = places();
    for (int k = 0; k < 6; k++)
        for (int off = -1; off <= 1; off += 2)
            for (int whole = 0; whole < 2; whole++) {
                const size_t box = whole ? 0x20 : at.object + 0x14;
                int v[6];
                char text[120];
                memcpy(v, right, sizeof v);
                v[k] += off;
                snprintf(text, sizeof text, "%d %d %d to %d %d %d, the vertices span 0 0 -7 to 70 7 0", v[0], v[1],
                         v[2], v[3], v[4], v[5]);
                expect_change(box + 2 * (size_t)k, 2, (uint32_t)v[k] & 0xFFFF, "T3DM-BOUNDS", whole ? "" : "objects[0]",
                              box, text);
            }
}

/* Several changes at once: what is found of a rule, with its text. */
static void expect_all(const change *rows, size_t count, const char *rule, const char *want)
{
    static listener l;
    char got[512] = "";
    kite k;
    kite_make(&k);
    for (size_t i = 0; i < count; i++)
        set_be(&k.file, rows[i].delta, rows[i].width, rows[i].value);
    memset(&l, 0, sizeof l);
    listen_to(&k.file, &k.opts, &l);
    for (size_t i = 0; i < l.count; i++)
        if (strcmp(l.rules[i], rule) == 0)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s: %s\n", l.paths[i], l.texts[i]);
    CHECK_STR(got, want);
    kite_free(&k);
}

/* The first vertex moves to (-3, -2, 0), so that all numbers of the box differ. */
TEST(boxes_of_six_numbers)
{
    const t3dm_places at = places();
    const change rows[] = {{.delta = at.vertices, .width = 4, .value = 0xFFFDFFFE}};
#define SPAN "0 0 -7 to 70 7 0, the vertices span -3 -2 -7 to 70 7 0\n"
    expect_all(rows, 1, "T3DM-BOUNDS", "objects[0]: " SPAN ": " SPAN);
}

/* Alpha of the shade, with fog: blended, or compared with a threshold. */
TEST(alpha_that_fog_replaces)
{
    const t3dm_places at = places();
    const change rows[] = {{.delta = at.material + 4, .width = 4, .value = 0x88FFFDFC},
                           {.delta = at.material + 0x21, .width = 1, .value = 2},
                           {.delta = at.material + 0x18, .width = 4, .value = 0x00500040},
                           {.delta = at.material + 0x18, .width = 4, .value = 1},
                           {.delta = at.material + 0x0C, .width = 4, .value = 1}};
    expect_all(rows, 2, "T3DM-MATERIAL-FOG", "");
    expect_all(rows, 3, "T3DM-MATERIAL-FOG", "materials[0]: fog replaces the alpha that the material is blended by\n");
    expect_all(rows, 4, "T3DM-MATERIAL-FOG", "materials[0]: fog replaces the alpha that the material is blended by\n");
    const change cut[] = {rows[0], rows[1], rows[4]};
    expect_all(cut, 3, "T3DM-MATERIAL-FOG", "materials[0]: fog replaces the alpha that the material is cut out by\n");
}

TEST(headers)
{
    static const change rows[] = {
        {8, 2, 7, "T3DM-TOTALS", "", 8, "7 vertices and 6 list indices, the parts have 8 and 6"},
        {10, 2, 5, "T3DM-TOTALS", "", 8, "8 vertices and 5 list indices, the parts have 8 and 6"},
        {8, 2, 9, "T3DM-TOTAL-VERTICES", "", 8, "9 vertices, but 8 are stored"},
        {8, 2, 9, "T3DM-TOTALS", "", 8, NULL},
        {0x0C, 4, 4, "T3DM-CHUNK-INDEX", "header.vertex_chunk", 0x0C, "row 4 of the chunk table is not a chunk V"},
        {0x10, 4, 3, "T3DM-CHUNK-INDEX", "header.index_chunk", 0x10, "row 3 of the chunk table is not a chunk I"},
        {0x10, 4, 8, "T3DM-CHUNK-INDEX", "header.index_chunk", 0x10, "row 8 of the chunk table is not a chunk I"},
        {0x14, 4, 6, "T3DM-CHUNK-INDEX", "header.material_chunk", 0x14, "row 6 of the chunk table is not a chunk M"},
    };
    EXPECT(0, rows);
    const t3dm_places at = places();
    expect_change(at.table + 28, 1, 'V', "T3DM-CHUNK-COUNT", "", 0x2C, "2 chunks V, there must be exactly one");
    expect_change(at.strings, 1, 'x', "T3DM-STRING-START", "", at.strings,
                  "the string table should start with the letter S");
    expect_change(at.table + 4, 4, 'X' << 24 | 0x2C, "T3DM-CHUNK-ORDER", "chunks[1]", 0x2C,
                  "the chunk is before the previous one of the table");
    expect_change(at.table + 28, 4, 'X' << 24 | (uint32_t)at.vertices, "T3DM-CHUNK-ORDER", "chunks[7]", at.vertices,
                  "the chunk is before the previous one of the table");
}

/* The last byte of the table is the zero of the last string. */
TEST(strings)
{
    kite k;
    kite_make(&k);
    const t3dm_places at = k.at;
    const uint32_t size = (uint32_t)(k.file.size - at.strings);
    kite_free(&k);
    const struct {
        size_t at;
        const char *path;
    } rows[] = {{at.object, "objects[0].name"},
                {at.animation, "animations[0].name"},
                {at.animation + 16, "animations[0].stream"},
                {at.bones, "bones[0].name"},
                {at.bones + 0x30, "bones[1].name"},
                {at.material + 0x30, "materials[0].name"},
                {at.texture + 4, "materials[0].textures[0].path"},
                {at.texture + 0x30, "materials[0].textures[1].path"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[100];
        snprintf(text, sizeof text, "string %u is outside the table of %u bytes or not terminated", (unsigned)size,
                 (unsigned)size);
        expect_change(rows[i].at, 4, size - 1, "T3DM-STRING", "", 0, NULL);
        expect_change(rows[i].at, 4, size, "T3DM-STRING", rows[i].path, rows[i].at, text);
    }
}

TEST(materials)
{
    static const change rows[] = {
        {0x1C, 4, 8, "T3DM-MATERIAL-CULL", "", 0, NULL},
        {0x1C, 4, 0x10, "T3DM-MATERIAL-CULL", "", 0, NULL},
        {0x1C, 4, 0x1F, "T3DM-MATERIAL-CULL", "materials[0]", 0x1C, "culls front and back, must be one or none"},
        {0x21, 1, 2, "T3DM-MATERIAL-VALUE", "", 0, NULL},
        {0x21, 1, 3, "T3DM-MATERIAL-VALUE", "materials[0]", 0x21, "fog mode 3, must be 0 to 2"},
        {0x23, 1, 5, "T3DM-MATERIAL-VALUE", "", 0, NULL},
        {0x23, 1, 6, "T3DM-MATERIAL-VALUE", "materials[0]", 0x23, "vertex effect 6, must be 0 to 5"},
        {0x23, 1, 3, "T3DM-MATERIAL-OUTLINE", "", 0, NULL},
        {0x23, 1, 4, "T3DM-MATERIAL-OUTLINE", "materials[0]", 0x23, "an outline with a textured combiner"},
    };
    static const char infinite[] = "an axis has a value that is not finite";
    const t3dm_places at = places();
    EXPECT(at.material, rows);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 4; k++) {
            const size_t texture = at.texture + 0x2C * i;
            expect_change(texture + 0x14 + 12 * (k / 2) + 4 * (k % 2), 4, bits_of_float(INFINITY),
                          "T3DM-MATERIAL-VALUE", i ? "materials[0].textures[1]" : "materials[0].textures[0]", texture,
                          infinite);
        }
    expect_change(at.texture + 0x2C + 8, 4, 0xAB, "T3DM-TEXTURE-HASH", "materials[0].textures[1]",
                  at.texture + 0x2C + 8, "0x000000AB, the hash of the path is 0x00000000");
    expect_change(at.texture + 0x2C, 4, 0xCD, "T3DM-TEXTURE-HASH", "materials[0].textures[1]", at.texture + 0x2C + 8,
                  "0x00000000, the hash of the path is 0x000000CD");
}

/* The square of the length of a rotation is above 0.98 and below 1.02. */
TEST(bones)
{
    static const struct {
        float w;
        bool right;
    } lengths[] = {{0.9898f, false}, {0.9901f, true}, {1.0099f, true}, {1.0101f, false}, {-1, true}, {0, false}};
    static const char *const paths[] = {"bones[0]", "bones[1]"};
    const t3dm_places at = places();
    for (size_t i = 0; i < 2; i++) {
        const size_t bone = at.bones + 0x30 * i;
        for (size_t k = 0; k < 10; k++)
            expect_change(bone + 8 + 4 * k, 4, bits_of_float(k % 2 ? NAN : -INFINITY), "T3DM-BONE-VALUE", paths[i],
                          bone + 8, "the rest pose has a value that is infinite or NaN");
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
            expect_change(bone + 0x20, 4, bits_of_float(lengths[k].w), "T3DM-BONE-VALUE", paths[i], bone + 0x14,
                          lengths[k].right ? NULL : "the rotation must have length 1");
        for (size_t k = 0; k < 3; k++) /* another component, so that the length is the root of 1.04 */
            expect_change(bone + 0x14 + 4 * k, 4, bits_of_float(0.2f), "T3DM-BONE-VALUE", paths[i], bone + 0x14,
                          "the rotation must have length 1");
    }
    expect_change(at.bones + 4, 2, 0, "T3DM-BONE-PARENT", "bones[0]", at.bones + 4,
                  "bone 0, a parent must come before its child");
    expect_change(at.bones + 0x34, 2, 1, "T3DM-BONE-PARENT", "bones[1]", at.bones + 0x34,
                  "bone 1, a parent must come before its child");
    expect_change(at.bones + 0x36, 2, 2, "T3DM-BONE-DEPTH", "bones[1]", at.bones + 0x36, "2, must be 1");
    expect_change(at.bones + 0x36, 2, 0, "T3DM-BONE-DEPTH", "bones[1]", at.bones + 0x36, "0, must be 1");
    expect_change(at.bones + 0x34, 2, 0xFFFF, "T3DM-BONE-DEPTH", "bones[1]", at.bones + 0x36, "1, must be 0");
}

TEST(animations)
{
    static const char range[] = "the range of the channel is infinite or NaN";
    static const change rows[] = {
        {4, 4, 0xBF800000, "T3DM-ANIM-VALUE", "animations[0]", 4, "the duration must be 0 or more"},
        {4, 4, 0x7F800000, "T3DM-ANIM-VALUE", "animations[0]", 4, "the duration must be 0 or more"},
        {4, 4, 0, "T3DM-ANIM-VALUE", "animations[0]", 4, "the duration is 0, so only the first keys are visible"},
        {0x14, 2, 1, "T3DM-ANIM-TARGET", "", 0, NULL},
        {0x14, 2, 2, "T3DM-ANIM-TARGET", "animations[0].channels[0]", 0x14, "bone 2, the skeleton has 2"},
        {0x20, 2, 9, "T3DM-ANIM-TARGET", "animations[0].channels[1]", 0x20, "bone 9, the skeleton has 2"},
        {0x22, 1, 1, "T3DM-ANIM-TYPE", "", 0, NULL},
        {0x22, 1, 2, "T3DM-ANIM-TYPE", "animations[0].channels[1]", 0x22, "type 2, axis 0"},
        {0x22, 1, 4, "T3DM-ANIM-TYPE", "animations[0].channels[1]", 0x22, "type 4, axis 0"},
        {0x23, 1, 2, "T3DM-ANIM-TYPE", "", 0, NULL},
        {0x23, 1, 3, "T3DM-ANIM-TYPE", "animations[0].channels[1]", 0x22, "type 0, axis 3"},
        {0x22, 1, 3, "T3DM-ANIM-ORDER", "animations[0].channels[1]", 0x22, "a rotation after the rotation channels"},
        {0x16, 1, 1, "T3DM-ANIM-ORDER", "animations[0].channels[0]", 0x16,
         "not a rotation, but among the rotation channels"},
        {0x18, 4, 0xFF800000, "T3DM-ANIM-VALUE", "", 0, NULL}, /* as Tiny3D's converter writes for rotations */
        {0x24, 4, 0xFF800000, "T3DM-ANIM-VALUE", "animations[0].channels[1]", 0x24, range},
        {0x28, 4, 0x7FC00000, "T3DM-ANIM-VALUE", "animations[0].channels[1]", 0x24, range},
    };
    EXPECT(places().animation, rows);
}

/* ---- records made here ---- */

enum { BONES = 4, CHANNELS = 5 };

static void check_records(const t3dm_file *file, listener *l)
{
    tl_arena scratch;
    *l = (listener){.count = 0};
    tl_report report = {.fn = listen, .user = l};
    tl_arena_init(&scratch, NULL);
    tl_t3dm_check_animation(file, &scratch, &report);
    CHECK_INT(report.path.depth, 0);
    tl_arena_free(&scratch);
}

static void make_bone(t3dm_bone *bone, uint16_t parent, uint16_t depth)
{
    *bone = (t3dm_bone){.parent = parent, .depth = depth, .scale = {1, 1, 1}, .rotation = {0, 0, 0, 1}};
}

/* A root, its child, and then a child of the root: of the depths 2 and 0 only the second may follow. */
TEST(bones_come_depth_first)
{
    t3dm_bone bones[BONES];
    t3dm_file file = {.skeleton_at = 100, .skeleton.bone_count = BONES, .bones = bones};
    static listener l;
    make_bone(&bones[0], T3DM_NO_BONE, 0);
    make_bone(&bones[1], 0, 1);
    make_bone(&bones[2], 1, 2);
    make_bone(&bones[3], 0, 1);
    check_records(&file, &l);
    CHECK_INT(l.count, 0);
    make_bone(&bones[2], T3DM_NO_BONE, 0);
    make_bone(&bones[3], 1, 2);
    check_records(&file, &l);
    CHECK_INT(l.count, 1);
    CHECK_STR(l.rules[0], "T3DM-BONE-DEPTH");
    CHECK_STR(l.paths[0], "bones[3]");
    CHECK_STR(l.texts[0], "bones must come depth first");
    CHECK_INT(l.offsets[0], 100 + 4 + 3 * 0x30 + 6);
}

/* Each axis of each component of each bone may move once in a clip. */
TEST(channels_drive_different_things)
{
    static const struct {
        t3dm_mapping a, b;
        bool twice;
    } rows[] = {{{.bone = 1, .type = 0}, {.bone = 1, .type = 0}, true},
                {{.bone = 1, .type = 0}, {.bone = 2, .type = 0}, false},
                {{.bone = 1, .type = 0}, {.bone = 1, .type = 1}, false},
                {{.bone = 1, .type = 0}, {.bone = 1, .type = 0, .axis = 1}, false},
                {{.bone = 1, .type = 1, .axis = 2}, {.bone = 1, .type = 1, .axis = 2}, true}};
    t3dm_bone bones[BONES];
    static listener l;
    for (uint16_t i = 0; i < BONES; i++)
        make_bone(&bones[i], T3DM_NO_BONE, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        t3dm_mapping mappings[2] = {rows[i].a, rows[i].b};
        t3dm_animation clips[2] = {{.at = 1000, .head = {.duration = 1, .scalar_count = 2}, .mappings = mappings},
                                   {.at = 2000, .head = {.duration = 1, .scalar_count = 2}, .mappings = mappings}};
        const t3dm_file file = {
            .skeleton.bone_count = BONES, .bones = bones, .animation_count = 2, .animations = clips};
        size_t count = 0;
        check_records(&file, &l);
        for (size_t k = 0; k < l.count; k++)
            if (strcmp(l.rules[k], "T3DM-ANIM-DUPLICATE") == 0) {
                CHECK_STR(l.paths[k], count ? "animations[1].channels[1]" : "animations[0].channels[1]");
                CHECK_STR(l.texts[k], "an earlier channel drives the same component of bone 1, must be one only");
                CHECK_INT(l.offsets[k], 1000 * (count + 1) + 20 + 12);
                count++;
            } else
                CHECK_STR(l.rules[k], "T3DM-STREAM-MISSING");
        CHECK_INT(count, rows[i].twice ? 2 : 0);
    }
    t3dm_animation none = {.at = 3000, .head = {.duration = 0}};
    const t3dm_file file = {.animation_count = 1, .animations = &none};
    check_records(&file, &l);
    CHECK_INT(l.count, 2);
    CHECK_STR(l.texts[0], "no channels: nothing moves");
    CHECK_STR(l.texts[1], "its stream was not found beside the model");
    CHECK(l.offsets[0] == 3000 && l.offsets[1] == 3000);
}

/* Five nodes: 0 has the children 1 and 2, 2 has 3 and 4; three leaves with an object each. */
typedef struct forest {
    t3dm_object objects[3];
    t3dm_bvh_node nodes[5];
    uint16_t items[3];
    t3dm_file file;
} forest;

static void forest_make(forest *f)
{
    *f = (forest){.items = {2, 0, 1}};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            f->nodes[i].min[k] = -10, f->nodes[i].max[k] = 10;
    for (uint32_t i = 0; i < 3; i++) {
        f->objects[i].at = 100 + 100 * i;
        for (int k = 0; k < 3; k++)
            f->objects[i].head.min[k] = -10, f->objects[i].head.max[k] = 10;
    }
    f->nodes[0].value = 1 << 4;
    f->nodes[1].value = 0 << 4 | 1;
    f->nodes[2].value = 1 << 4;
    f->nodes[3].value = 1 << 4 | 1;
    f->nodes[4].value = 2 << 4 | 1;
    f->file = (t3dm_file){.object_count = 3,
                          .objects = f->objects,
                          .has_bvh = true,
                          .bvh = {.at = 5000, .head = {5, 3}, .nodes = f->nodes, .items = f->items}};
}

static void expect_bvh(const forest *f, const char *rule, const char *path, uint64_t offset, const char *text)
{
    static listener l;
    check_records(&f->file, &l);
    for (size_t i = 0; i < l.count; i++)
        if (strcmp(l.rules[i], rule) == 0 && strcmp(l.paths[i], path) == 0 && strcmp(l.texts[i], text) == 0) {
            CHECK_INT(l.offsets[i], offset);
            return;
        }
    FAIL("no %s at %s: %s; the first is %s at %s: %s", rule, path, text, l.rules[0], l.paths[0], l.texts[0]);
}

TEST(a_valid_tree_has_no_finding)
{
    static listener l;
    forest f;
    forest_make(&f);
    check_records(&f.file, &l);
    CHECK_INT(l.count, 0);
    f.file.bvh.at = 100 + 262140; /* as far as it reaches */
    check_records(&f.file, &l);
    CHECK_INT(l.count, 0);
    f.file.bvh.at++;
    check_records(&f.file, &l);
    CHECK_INT(l.count, 1);
    expect_bvh(&f, "T3DM-BVH-DISTANCE", "bvh", 262241, "objects[0] at byte 100 must be at most 262140 bytes before it");
    f.file.bvh.at = 301;
    check_records(&f.file, &l);
    CHECK_INT(l.count, 0);
    f.file.bvh.at = 300;
    expect_bvh(&f, "T3DM-BVH-DISTANCE", "bvh", 300, "objects[2] at byte 300 must be at most 262140 bytes before it");
}

TEST(trees_with_wrong_children)
{
    static const struct {
        uint32_t node, value;
        const char *path, *text;
    } rows[] = {{0, 0, "bvh.nodes[0]", "child 0 is outside the tree or already has a parent"},
                {0, 4 << 4, "bvh.nodes[0]", "child 5 is outside the tree or already has a parent"},
                {0, 5 << 4, "bvh.nodes[0]", "child 5 is outside the tree or already has a parent"},
                {0, 0xFFF0, "bvh.nodes[0]", "child -1 is outside the tree or already has a parent"},
                {2, 0xFFF0, "bvh.nodes[2]", "child 1 is outside the tree or already has a parent"},
                {2, 0xFFE0, "bvh.nodes[2]", "child 0 is outside the tree or already has a parent"},
                {0, 0, "bvh", "2 nodes have no parent"},
                {2, 0, "bvh", "2 nodes have no parent"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        forest f;
        forest_make(&f);
        f.nodes[rows[i].node].value = (uint16_t)rows[i].value;
        expect_bvh(&f, "T3DM-BVH-CHILD", rows[i].path, strlen(rows[i].path) > 3 ? 5004 + 14 * rows[i].node : 5000,
                   rows[i].text);
    }
    forest f;
    forest_make(&f);
    f.file.bvh.head.node_count = 0;
    expect_bvh(&f, "T3DM-BVH-CHILD", "bvh", 5000, "0 nodes have no parent");
    expect_bvh(&f, "T3DM-BVH-ITEM", "bvh", 5000, "3 objects are not in the tree");
}

TEST(trees_with_wrong_items)
{
    forest f;
    forest_make(&f);
    f.items[1] = 3;
    expect_bvh(&f, "T3DM-BVH-ITEM", "bvh.nodes[3]", 5004 + 42, "item 1 is not an object, or is already in the tree");
    expect_bvh(&f, "T3DM-BVH-ITEM", "bvh", 5000, "1 objects are not in the tree");
    f.items[1] = 2;
    expect_bvh(&f, "T3DM-BVH-ITEM", "bvh.nodes[3]", 5004 + 42, "item 1 is not an object, or is already in the tree");
    forest_make(&f);
    f.nodes[4].value = 2 << 4 | 2;
    expect_bvh(&f, "T3DM-BVH-ITEM", "bvh.nodes[4]", 5004 + 56, "item 3 is not an object, or is already in the tree");
    f.nodes[4].value = 0xFFF1;
    expect_bvh(&f, "T3DM-BVH-ITEM", "bvh.nodes[4]", 5004 + 56, "item 3 is not an object, or is already in the tree");
}

/* Every side of a box: of an object in a leaf, and of a child. */
TEST(trees_whose_boxes_are_too_small)
{
    for (int k = 0; k < 6; k++) {
        forest f;
        forest_make(&f);
        int16_t *object = k < 3 ? &f.objects[1].head.min[k] : &f.objects[1].head.max[k - 3];
        *object = (int16_t)(k < 3 ? -11 : 11);
        expect_bvh(&f, "T3DM-BVH-NESTING", "bvh.nodes[4]", 5004 + 56, "the box does not contain objects[1]");
        forest_make(&f);
        int16_t *side = k < 3 ? &f.nodes[2].min[k] : &f.nodes[2].max[k - 3];
        *side = (int16_t)(k < 3 ? -11 : 11);
        expect_bvh(&f, "T3DM-BVH-NESTING", "bvh.nodes[0]", 5004, "the box does not contain nodes[2]");
        *side = (int16_t)(k < 3 ? -9 : 9);
        expect_bvh(&f, "T3DM-BVH-NESTING", "bvh.nodes[2]", 5004 + 28, "the box does not contain nodes[3]");
        expect_bvh(&f, "T3DM-BVH-NESTING", "bvh.nodes[2]", 5004 + 28, "the box does not contain nodes[4]");
    }
}

/* Two of six textures have different paths with one hash. The one that comes later is reported. */
TEST(hashes_that_collide)
{
    static const char strings_of[] = "S\0one\0two\0three\0four\0five\0six";
    static const uint32_t offsets[6] = {2, 6, 10, 16, 21, 26};
    static listener l;
    for (uint32_t a = 0; a < 6; a++)
        for (uint32_t b = a; b < 6; b++) {
            t3dm_material materials[3] = {{.at = 1000}, {.at = 2000}, {.at = 3000}};
            const t3dm_file file = {.version = 4,
                                    .material_count = 3,
                                    .materials = materials,
                                    .strings = {(const uint8_t *)strings_of, sizeof strings_of}};
            tl_arena scratch;
            tl_report report = {.fn = listen, .user = &l};
            l.count = 0;
            for (uint32_t i = 0; i < 6; i++) {
                materials[i / 2].textures[i % 2].path = offsets[i];
                materials[i / 2].textures[i % 2].hash = i == b ? 100 - a : 100 - i;
            }
            tl_arena_init(&scratch, NULL);
            tl_t3dm_check(&file, &scratch, &report);
            tl_arena_free(&scratch);
            const size_t found = heard(&l, "T3DM-HASH-COLLISION");
            CHECK((found < l.count) == (a != b));
            if (a == b)
                continue;
            char text[80], path[24];
            snprintf(text, sizeof text, "\"%s\" and \"%s\" have the same hash", strings_of + offsets[a],
                     strings_of + offsets[b]);
            snprintf(path, sizeof path, "materials[%u]", (unsigned)b / 2);
            CHECK_STR(l.texts[found], text);
            CHECK_STR(l.paths[found], path);
            CHECK_INT(l.offsets[found], 1000 * (b / 2 + 1));
        }
}

/* ---- lists and strips that share bytes ---- */

typedef struct span {
    uint32_t at, end, object;
    bool strips;
} span;

/* Of two that start at one byte, the first in the file comes first. */
static uint32_t sorted_spans(const t3dm_file *file, span *spans)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * file->object_count * 2; i++) {
        const t3dm_part *p = &file->objects[i / 4].parts[i / 2 % 2];
        span s = {p->index_at, p->index_at + p->index_count, i / 4, i % 2};
        if (s.strips) {
            s.at = (file->indices_at + s.end + 7) / 8 * 8 - file->indices_at;
            s.end = s.at;
            for (int k = 0; k < 4 && p->strip_counts[k] > 0; k++)
                s.end = s.at + (s.end - s.at + 7) / 8 * 8 + 2u * p->strip_counts[k];
        }
        if (s.end == s.at)
            continue;
        uint32_t at = count++;
        for (; at > 0 && s.at < spans[at - 1].at; at--)
            spans[at] = spans[at - 1];
        spans[at] = s;
    }
    return count;
}

/* The first that shares bytes with one before it, unless both are lists. */
static const char *first_overlap(const span *spans, uint32_t count, uint32_t *which)
{
    for (uint32_t i = 0; i < count; i++) {
        bool strips = false, lists = false;
        for (uint32_t k = 0; k < i; k++)
            if (spans[i].at < spans[k].end)
                *(spans[k].strips ? &strips : &lists) = true;
        *which = i;
        if (strips && !spans[i].strips)
            return "this triangle list overlaps the strips of another part, but the loader rewrites strips in place";
        if (strips)
            return "these strips overlap those of another part, but the loader rewrites strips in place";
        if (lists && spans[i].strips)
            return "these strips overlap the triangle list of another part, but the loader rewrites strips in place";
    }
    return NULL;
}

TEST(strips_have_bytes_of_their_own)
{
    static listener l;
    uint64_t seed = 61;
    for (int round = 0; round < 800; round++) {
        t3dm_part parts[3][2] = {{{0}}};
        t3dm_object objects[3] = {{.parts = parts[0]}, {.parts = parts[1]}, {.parts = parts[2]}};
        const t3dm_file file = {.version = 4,
                                .object_count = 3,
                                .objects = objects,
                                .indices_at = 8 * (uint32_t)(random_bits(&seed) >> 62) + (round % 2 ? 3 : 0),
                                .material_count = 1};
        uint32_t next = 0;
        for (uint32_t i = 0; i < 6; i++) {
            t3dm_part *p = &parts[i / 2][i % 2];
            const uint32_t bits = (uint32_t)(random_bits(&seed) >> 32);
            objects[i / 2].head.part_count = 2;
            p->bone = T3DM_NO_BONE;
            p->index_at = round % 4 ? next : bits >> 24; /* mostly one after the other, now and then a little early */
            p->index_at -= p->index_at > 4 && bits % 16 == 0 ? 1 : 0;
            p->index_count = (uint16_t)(bits >> 4 & 1 ? 3 * (bits >> 5 & 3) : 0);
            p->strip_counts[0] = bits >> 8 & 1 ? 3 + (bits >> 9 & 3) : 0;
            p->strip_counts[1] = bits >> 12 & 1 ? 3 + (bits >> 13 & 3) : 0;
            next = p->index_at + p->index_count + 16 + 2u * p->strip_counts[0] + 2u * p->strip_counts[1];
        }
        span spans[12];
        uint32_t which = 0;
        const uint32_t count = sorted_spans(&file, spans);
        const char *text = first_overlap(spans, count, &which);
        tl_arena scratch;
        tl_report report = {.fn = listen, .user = &l, .errors_only = true};
        l.count = 0;
        tl_arena_init(&scratch, NULL);
        tl_t3dm_check_objects(&file, &scratch, &report);
        tl_arena_free(&scratch);
        CHECK_INT(l.count, text ? 1 : 0);
        if (!text)
            continue;
        char path[24];
        snprintf(path, sizeof path, "objects[%u]", (unsigned)spans[which].object);
        CHECK_STR(l.texts[0], text);
        CHECK_STR(l.paths[0], path);
        CHECK_INT(l.offsets[0], file.indices_at + spans[which].at);
    }
}

TEST_MAIN(CASE(hashes_that_collide), CASE(strips_have_bytes_of_their_own), CASE(parts), CASE(indices), CASE(objects),
          CASE(boxes_of_six_numbers), CASE(alpha_that_fog_replaces), CASE(boxes), CASE(headers), CASE(strings),
          CASE(materials), CASE(bones), CASE(animations), CASE(bones_come_depth_first),
          CASE(channels_drive_different_things), CASE(a_valid_tree_has_no_finding), CASE(trees_with_wrong_children),
          CASE(trees_with_wrong_items), CASE(trees_whose_boxes_are_too_small))
