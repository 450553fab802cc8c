/* Everything that the check of an NLM file says: rules, places and texts, and where each of its limits is. */
#include "harness.h"
#include "support/findings.h"
#include "support/nlm_files.h"
#include "trilobite/trilobite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONE_F     0x3F800000u
#define NAN_F     0x7FC00000u
#define MINUS_ONE 0xFFFFFFFFu

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ---- texts ---- */

static void check_findings(const buffer *file, const trilo_load_opts *opts, const char *want)
{
    static listener l;
    char got[8192] = "";
    memset(&l, 0, sizeof l);
    listen_to(file, opts, &l);
    for (size_t i = 0; i < l.count && i < LISTENER_MOST; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s %s @%" PRIu64 ": %s\n", l.rules[i], l.paths[i],
                 l.offsets[i], l.texts[i]);
    CHECK_STR(got, want);
}

static void check_changed(void (*make)(buffer *), size_t at, uint32_t value, const char *want)
{
    buffer file = {0};
    make(&file);
    buffer_set_u32(&file, at, value);
    check_findings(&file, NULL, want);
    buffer_free(&file);
}

TEST(good_files_have_no_findings)
{
    check_changed(nlm_square, SQUARE_VERSION_AT, 2, "");
    check_changed(nlm_stick, SQUARE_VERSION_AT, 2, "");
    check_changed(nlm_line12, 4, 2, "NLM-HEADER-12  @0: the older header of 12 bytes, without the hash\n");
}

TEST(texts_about_the_header)
{
    check_changed(nlm_square, 4, 0x4C444F4D,
                  "NLM-MAGIC-ORDER  @0: the magic number is stored as MODL, the engine writes LDOM\n");
    for (uint32_t axis = 0; axis < 3; axis++) {
        char want[128];
        snprintf(want, sizeof want, "NLM-BOUNDS  @16: the smallest %c must not be above the largest\n", "xyz"[axis]);
        check_changed(nlm_square, SQUARE_BOUNDS_AT + 4 * axis, bits(9), want);
        check_changed(nlm_square, SQUARE_BOUNDS_AT + 4 * axis, NAN_F, want);
        check_changed(nlm_square, SQUARE_BOUNDS_AT + 4 * axis, 0xFF800000, want);
        check_changed(nlm_square, SQUARE_BOUNDS_AT + 12 + 4 * axis, 0x7F800000, want);
        check_changed(nlm_square, SQUARE_BOUNDS_AT + 12 + 4 * axis, NAN_F, want);
    }
    check_changed(nlm_square, SQUARE_BOUNDS_AT, bits(3), ""); /* a plane */
    check_changed(nlm_square, SQUARE_MESH_COUNT_AT, 0,
                  "NLM-EMPTY  @40: the file has no mesh\n"
                  "NLM-TRAILING  @44: 340 bytes follow the end of the model\n");
}

/* Only version 2 is read, and the flag is 0 or 1. */
TEST(versions_and_flags)
{
    static const struct {
        size_t at;
        uint32_t value;
        trilo_code code;
        const char *path, *text;
    } all[] = {
        {SQUARE_VERSION_AT, 0, TRILO_CODE_UNSUPPORTED, "header.version", "0, only 2 is known"},
        {SQUARE_VERSION_AT, 1, TRILO_CODE_UNSUPPORTED, "header.version", "1, only 2 is known"},
        {SQUARE_VERSION_AT, 3, TRILO_CODE_UNSUPPORTED, "header.version", "3, only 2 is known"},
        {SQUARE_FLAG_AT, 2, TRILO_CODE_BAD_VALUE, "header.animated", "2, must be 0 to 1"},
        {SQUARE_FLAG_AT, 0xFFFFFFFF, TRILO_CODE_BAD_VALUE, "header.animated", "4294967295, must be 0 to 1"},
        {4, 0, TRILO_CODE_UNSUPPORTED, "header.version", "0, only 2 is known"}, /* of the older header */
        {4, 1, TRILO_CODE_UNSUPPORTED, "header.version", "1, only 2 is known"},
        {4, 3, TRILO_CODE_UNSUPPORTED, "header.version", "3, only 2 is known"},
        {8, 2, TRILO_CODE_BAD_VALUE, "header.animated", "2, must be 0 to 1"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        buffer file = {0};
        trilo_error err = {0};
        (i < 5 ? nlm_square : nlm_line12)(&file);
        buffer_set_u32(&file, all[i].at, all[i].value);
        CHECK(!trilo_document_open(file.data, file.size, NULL, &err));
        CHECK_INT(err.code, all[i].code);
        CHECK_INT(err.offset, all[i].at);
        CHECK_STR(err.path, all[i].path);
        CHECK_STR(err.text, all[i].text);
        buffer_free(&file);
    }
}

TEST(texts_about_meshes)
{
    buffer file = {0};
    check_changed(nlm_square, SQUARE_INDICES_AT + 12, 4,
                  "NLM-INDEX-RANGE meshes[0].indices[3] @368: 4, must be below the vertex count 4\n");
    check_changed(nlm_square, SQUARE_INDICES_AT + 12, 3, "");
    nlm_square(&file);
    for (int i = 1; i < 6; i += 2)
        buffer_set_u32(&file, SQUARE_INDICES_AT + 4 * (size_t)i, 100);
    check_findings(&file, NULL,
                   "NLM-INDEX-RANGE meshes[0].indices[1] @360: 100, must be below the vertex count 4 (and 2 more)\n");
    buffer_free(&file);

    nlm_square(&file); /* the bytes of the vertices and indices are those of the texture's size and of what follows */
    buffer_set_u32(&file, SQUARE_INDEX_COUNT_AT, 5);
    buffer_set_u32(&file, SQUARE_INDICES_AT + 20, 0);
    check_findings(&file, NULL,
                   "NLM-INDEX-COUNT meshes[0] @48: 5 indices are not a multiple of 3 (triangles) or of 2 (lines)\n"
                   "NLM-TRAILING  @380: 4 bytes follow the end of the model\n");
    check_findings(&file, &(trilo_load_opts){.nlm = &(trilo_nlm_load_opts){.topology = TRILO_NLM_TOPOLOGY_LINES}},
                   "NLM-INDEX-COUNT meshes[0] @48: 5 indices are not a multiple of 2, as lines need\n"
                   "NLM-TRAILING  @380: 4 bytes follow the end of the model\n");
    check_findings(&file, &(trilo_load_opts){.nlm = &(trilo_nlm_load_opts){.topology = TRILO_NLM_TOPOLOGY_TRIANGLES}},
                   "NLM-INDEX-COUNT meshes[0] @48: 5 indices are not a multiple of 3, as triangles need\n"
                   "NLM-TRAILING  @380: 4 bytes follow the end of the model\n");
    buffer_free(&file);

    nlm_square(&file);
    buffer_set_u32(&file, SQUARE_INDEX_COUNT_AT, 0);
    buffer_set_u32(&file, SQUARE_INDICES_AT, 0);
    check_findings(&file, NULL,
                   "NLM-EMPTY meshes[0] @44: 4 vertices and 0 indices: nothing to draw\n"
                   "NLM-TRAILING  @360: 24 bytes follow the end of the model\n");
    buffer_set_u32(&file, SQUARE_INDICES_AT, 4);
    buffer_set_u32(&file, SQUARE_INDICES_AT + 4, 0);
    check_findings(&file, NULL,
                   "NLM-EMPTY meshes[0] @44: 4 vertices and 0 indices: nothing to draw\n"
                   "NLM-TEXTURE meshes[0] @360: the texture of 4 bytes is neither a JPEG nor a PNG file\n"
                   "NLM-TRAILING  @364: 20 bytes follow the end of the model\n");
    buffer_free(&file);
}

TEST(texts_about_bones)
{
    check_changed(nlm_stick, STICK_BONES_AT, 4,
                  "NLM-BONE-NODE bones[0] @396: no node has the id 4\n"
                  "NLM-TRACK-BONE tracks[0] @544: node 3 with bone 0, but that bone is on node 4\n");
    for (size_t i = 0; i < 16; i++)
        check_changed(nlm_stick, STICK_BONES_AT + 72 + 4 + 4 * i, 0x7F800000,
                      "NLM-NAN bones[1] @468: the offset matrix has a value that is infinite or NaN\n");
    check_changed(nlm_stick, STICK_CLIP_AT + 4, 0, "NLM-TICKS clip @388: 0 ticks per second, must be above 0\n");
    check_changed(nlm_stick, STICK_CLIP_AT + 4, 1, "");
    check_changed(nlm_stick, STICK_CLIP_AT + 4, MINUS_ONE,
                  "NLM-TICKS clip @388: -1 ticks per second, must be above 0\n");
}

TEST(texts_about_tracks)
{
    check_changed(nlm_stick, STICK_TRACKS_AT, 99,
                  "NLM-TRACK-NODE tracks[0] @544: no node has the id 99\n"
                  "NLM-TRACK-BONE tracks[0] @544: node 99 with bone 0, but that bone is on node 3\n");
    check_changed(nlm_stick, STICK_TRACKS_AT + 4, 9, "NLM-TRACK-BONE tracks[0] @544: no bone has the index 9\n");
    check_changed(nlm_stick, STICK_TRACK_1_AT, 3,
                  "NLM-TRACK-BONE tracks[1] @632: node 3 with bone 1, but that bone is on node 5\n"
                  "NLM-TRACK-DUPLICATE tracks[1] @632: node 3 is moved by tracks[0] already\n");
}

TEST(texts_about_nodes)
{
    for (size_t i = 0; i < 16; i++)
        check_changed(nlm_stick, STICK_NODE_1_AT + 4 + 4 * i, NAN_F,
                      "NLM-NAN nodes[1] @800: the matrix has a value that is infinite or NaN\n");
    check_changed(nlm_stick, STICK_NODE_1_AT + 72, 77,
                  "NLM-NODE-CHILD nodes[1].children[0] @872: no node has the id 77\n"
                  "NLM-NODE-ROOTS  @724: 2 nodes have no parent, one is usual\n");
    check_changed(nlm_stick, STICK_NODE_2_AT + 72, 5,
                  "NLM-NODE-PARENTS nodes[2].children[0] @948: node 5 is a child of node 3 already\n"
                  "NLM-NODE-ROOTS  @724: 2 nodes have no parent, one is usual\n");
}

/* The root has no ancestor, the last node two. */
TEST(how_deep_nodes_may_be)
{
    buffer file = {0};
    nlm_stick(&file);
    check_findings(&file, &(trilo_load_opts){.limits.depth = 2}, "");
    check_findings(&file, &(trilo_load_opts){.limits.depth = 1},
                   "NLM-NODE-DEPTH nodes[0] @728: 2 ancestors, the limit is 1\n");
    buffer_free(&file);
}

/* ---- keys ---- */

/* Track 0 moves node 3 by two keys; the clip has 20 ticks, and a key may be a ten thousandth later. */
TEST(times_of_keys)
{
    enum { FIRST = STICK_TRACKS_AT + 20, SECOND = FIRST + 16 };
#define KEY(rule, number, at, text) "NLM-KEY-" rule " tracks[0].position_keys[" number "] @" at ": " text "\n"
#define OUTSIDE                     "the key is before 0 or after the end"
    check_changed(nlm_stick, SECOND, bits(20.0015f), "");
    check_changed(nlm_stick, SECOND, bits(20.0025f), KEY("TIME", "1", "580", OUTSIDE));
    check_changed(nlm_stick, FIRST, bits(-0.001f), KEY("TIME", "0", "564", OUTSIDE));
    check_changed(nlm_stick, SECOND, bits(0.001f), "");
    check_changed(nlm_stick, SECOND, bits(0), KEY("EQUAL", "1", "580", "the same time as the previous key"));
    check_changed(nlm_stick, SECOND, bits(-0.001f),
                  KEY("ORDER", "1", "580", "the time must be a number and not before the previous key"));
    check_changed(nlm_stick, SECOND, 0x7F800000,
                  KEY("ORDER", "1", "580", "the time must be a number and not before the previous key"));
    for (size_t i = 1; i < 4; i++)
        check_changed(nlm_stick, SECOND + 4 * i, NAN_F,
                      "NLM-NAN tracks[0].position_keys[1] @580: a value is infinite or NaN\n");
    check_changed(nlm_stick, SECOND + 4, bits(1000), ""); /* a vector of any length */
}

/* The last key of track 1, at 20 ticks: each number of the rotation in turn is all of it. */
TEST(lengths_of_rotations)
{
    enum { KEY_AT = STICK_TRACK_1_AT + 20 + 16 + 20 };
    static const struct {
        double square;
        bool good;
    } all[] = {{0.979, false}, {0.981, true}, {1, true}, {1.019, true}, {1.021, false}};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            buffer file = {0};
            nlm_stick(&file);
            for (size_t n = 0; n < 4; n++)
                buffer_set_u32(&file, KEY_AT + 4 + 4 * n, n == i ? bits((float)sqrt(all[k].square)) : 0);
            check_findings(&file, NULL,
                           all[k].good ? ""
                                       : "NLM-QUAT tracks[1].rotation_keys[1] @688: a rotation must have length 1\n");
            buffer_free(&file);
        }
        check_changed(nlm_stick, KEY_AT + 4 + 4 * i, 0x7F800000,
                      "NLM-NAN tracks[1].rotation_keys[1] @688: a value is infinite or NaN\n");
    }
}

/* ---- vertices ---- */

enum { VERTEX_WORDS = 19, FIRST_BONE = 11, FIRST_WEIGHT = 15 };

/* What is wrong with a vertex, one rule after the other. Bones of the stick have the numbers 0 and `last`. */
static void judge(const uint32_t *v, bool has_bones, int32_t last, bool wrong[3])
{
    float sum = 0;
    bool used = false;
    memset(wrong, 0, 3 * sizeof *wrong);
    for (int i = 0; i < VERTEX_WORDS; i++)
        if ((i < FIRST_BONE || i >= FIRST_WEIGHT) && (v[i] & 0x7F800000) == 0x7F800000)
            wrong[0] = true;
    for (int i = 0; i < 4; i++) {
        const int32_t bone = (int32_t)v[FIRST_BONE + i];
        float weight;
        memcpy(&weight, &v[FIRST_WEIGHT + i], sizeof weight);
        if (bone != -1 && !(has_bones && (bone == 0 || bone == last)))
            wrong[1] = true;
        if (bone < 0 && weight != 0)
            wrong[2] = true;
        used = used || bone >= 0;
        sum += weight;
    }
    if (used && !(sum > 0.999f && sum < 1.001f))
        wrong[2] = true;
}

static void check_vertices(const buffer *file, bool has_bones, int32_t last)
{
    static const char *const rules[3] = {"NLM-NAN", "NLM-BONE-ID", "NLM-WEIGHTS"};
    static const char *const texts[3] = {"a value is infinite or NaN",
                                         "a bone id that no bone has; -1 marks an unused slot",
                                         "weights of used slots must add up to 1 and those of unused slots be 0"};
    char want[1024] = "";
    for (int rule = 0; rule < 3; rule++) {
        size_t count = 0, first = 0;
        for (size_t row = 0; row < 4; row++) {
            uint32_t v[VERTEX_WORDS];
            bool wrong[3];
            for (size_t i = 0; i < VERTEX_WORDS; i++)
                v[i] = buffer_get_u32(file, SQUARE_VERTICES_AT + 76 * row + 4 * i);
            judge(v, has_bones, last, wrong);
            first = wrong[rule] && count == 0 ? row : first;
            count += wrong[rule] ? 1 : 0;
        }
        char more[48] = "";
        if (count > 1)
            snprintf(more, sizeof more, " (and %zu more)", count - 1);
        if (count > 0)
            snprintf(want + strlen(want), sizeof want - strlen(want), "%s meshes[0].vertices[%zu] @%zu: %s%s\n",
                     rules[rule], first, SQUARE_VERTICES_AT + 76 * first, texts[rule], more);
    }
    check_findings(file, NULL, want);
}

/* Every word of a vertex with values around every limit, then some words at once. */
TEST(values_of_vertices)
{
    const uint32_t values[] = {0,
                               1,
                               2,
                               5,
                               6,
                               MINUS_ONE,
                               0xFFFFFFFE,
                               0x80000000,
                               0x7F7FFFFF,
                               0x7F800000,
                               0xFF800000,
                               NAN_F,
                               bits(0.5f),
                               ONE_F,
                               bits(-1),
                               bits(0.4985f),
                               bits(0.4995f),
                               bits(0.5005f),
                               bits(0.5015f)};
    uint32_t seed = 1;
    for (int kind = 0; kind < 3; kind++) {
        const int32_t last = kind == 2 ? 5 : 1; /* numbers of bones with a gap */
        for (uint32_t round = 0; round < VERTEX_WORDS * 19 + 200; round++) {
            buffer file = {0};
            const bool single = round < VERTEX_WORDS * 19;
            (kind == 0 ? nlm_square : nlm_stick)(&file);
            if (kind == 2) {
                buffer_set_u32(&file, STICK_BONES_AT + 72 + 68, 5);
                buffer_set_u32(&file, STICK_TRACK_1_AT + 4, 5);
                for (size_t row = 1; row < 4; row++)
                    buffer_set_u32(
                        &file, STICK_VERTICES_AT + 76 * row + 4 * (row < 3 ? FIRST_BONE + 1 : (size_t)FIRST_BONE), 5);
            }
            for (int i = 0; i < (single ? 1 : 3); i++) {
                seed = seed * 1664525u + 1013904223u;
                const uint32_t word = single ? round / 19 : (seed >> 8) % VERTEX_WORDS;
                const uint32_t value = values[single ? round % 19 : (seed >> 16) % 19];
                buffer_set_u32(&file, SQUARE_VERTICES_AT + 76 * ((seed >> 24) % 4) + 4 * word, value);
            }
            check_vertices(&file, kind > 0, last);
            buffer_free(&file);
        }
    }
}

/* Vertices of zeros alone but for the number of one bone. */
TEST(bones_of_vertices_at_the_origin)
{
    static const uint32_t bones[] = {MINUS_ONE, 0, 1, 2, 5, 0x7F7FFFFE, 0x7FFFFFFF, 0xFFFFFFFE, 0x80000000};
    for (size_t i = 0; i < 2 * sizeof bones / sizeof *bones; i++)
        for (size_t slot = 0; slot < 4; slot++) {
            buffer file = {0};
            (i % 2 ? nlm_stick : nlm_square)(&file);
            for (size_t word = 0; word < 4 * VERTEX_WORDS; word++) {
                const size_t within = word % VERTEX_WORDS;
                const bool bone = within >= FIRST_BONE && within < FIRST_WEIGHT;
                buffer_set_u32(&file, SQUARE_VERTICES_AT + 4 * word, bone ? MINUS_ONE : 0);
            }
            buffer_set_u32(&file, SQUARE_VERTICES_AT + 2 * 76 + 4 * (FIRST_BONE + slot), bones[i / 2]);
            check_vertices(&file, i % 2 == 1, 1);
            buffer_free(&file);
        }
}

/* 600 vertices are looked at in blocks of 256. */
TEST(many_vertices)
{
    static const size_t wrong[] = {0, 255, 256, 511, 512, 599};
    for (size_t first = 0; first < 6; first++) {
        buffer square = {0}, file = {0};
        char want[256], more[48] = "";
        nlm_square(&square);
        buffer_sink(&file, square.data, SQUARE_VERTICES_AT);
        buffer_set_u32(&file, SQUARE_VERTEX_COUNT_AT, 600);
        for (int i = 0; i < 150; i++)
            buffer_sink(&file, square.data + SQUARE_VERTICES_AT, 4 * 76);
        buffer_sink(&file, square.data + SQUARE_INDICES_AT, SQUARE_SIZE - SQUARE_INDICES_AT);
        for (size_t i = first; i < 6; i++)
            buffer_set_u32(&file, SQUARE_VERTICES_AT + 76 * wrong[i] + 8, NAN_F);
        if (first < 5)
            snprintf(more, sizeof more, " (and %zu more)", 5 - first);
        snprintf(want, sizeof want, "NLM-NAN meshes[0].vertices[%zu] @%zu: a value is infinite or NaN%s\n",
                 wrong[first], SQUARE_VERTICES_AT + 76 * wrong[first], more);
        check_findings(&file, NULL, want);
        buffer_free(&square);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(good_files_have_no_findings), CASE(texts_about_the_header), CASE(versions_and_flags),
          CASE(texts_about_meshes), CASE(texts_about_bones), CASE(texts_about_tracks), CASE(texts_about_nodes),
          CASE(how_deep_nodes_may_be), CASE(times_of_keys), CASE(lengths_of_rotations), CASE(values_of_vertices),
          CASE(bones_of_vertices_at_the_origin), CASE(many_vertices))
