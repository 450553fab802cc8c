/* Everything that the check of a Model file says: rules, places and texts. */
#include "harness.h"
#include "support/findings.h"
#include "support/model64_files.h"
#include "trilobite/trilobite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ANIM(i)    (PENNANT_ANIMATIONS + 12 * (size_t)(i))
#define FRAME(i)   (PENNANT_FRAMES + 12 * (size_t)(i))
#define BLOCK(k)   (PENNANT_BLOCKS + PENNANT_BLOCK * (size_t)(k))
#define INVERSE    "must be 1 over the time to the next frame, 0 where that is below 0.001"
#define DIFFERENCE "texture coordinates or colours differ from the default vertices"

static listener told;

static void listen_to_file(const buffer *file)
{
    memset(&told, 0, sizeof told);
    listen_to(file, NULL, &told);
}

/* All findings, or with `first` the first ones. */
static void check_findings(const buffer *file, size_t first, const char *want)
{
    char got[8192] = "";
    listen_to_file(file);
    for (size_t i = 0; i < told.count && i < LISTENER_MOST && (first == 0 || i < first); i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s %s @%" PRIu64 ": %s\n", told.rules[i], told.paths[i],
                 told.offsets[i], told.texts[i]);
    CHECK_STR(got, want);
}

static void check_changed(size_t at, size_t width, uint32_t value, size_t first, const char *want)
{
    buffer file = {0};
    model64_pennant(&file);
    model64_set(&file, at, width, value);
    check_findings(&file, first, want);
    buffer_free(&file);
}

TEST(texts_about_sections)
{
    check_changed(0, 1, 'M', 0, "");
    for (size_t i = 5; i < 16; i++) {
        char want[128];
        snprintf(want, sizeof want, "M64-PADDING header.padding @%zu: the bytes after the letters Model must be 0\n",
                 i);
        check_changed(i, 1, 1, 0, want);
    }
    check_changed(
        24, 4, 64, 1,
        "M64-OVERLAP header.vertex_at @24: the section has bytes 64 to 351, the main section has 32 to 319\n");
    check_changed(
        24, 4, 319, 1,
        "M64-OVERLAP header.vertex_at @24: the section has bytes 319 to 606, the main section has 32 to 319\n");
    check_changed(
        24, 4, 16, 2,
        "M64-OVERLAP header.vertex_at @24: the section has bytes 16 to 303, the header has 0 to 31\n"
        "M64-OVERLAP header.vertex_at @24: the section has bytes 16 to 303, the main section has 32 to 319\n");
    check_changed(56, 4, 90, 1, "M64-FRAME-SIZE main.frame_size @56: 90 bytes, must be a multiple of 16\n");
    check_changed(
        32, 4, 0, 1,
        "M64-NO-DEFAULT main.vertices @32: there are no default vertices; those of the first frame are used\n");
    check_changed(32, 4, 193, 1,
                  "M64-DEFAULT-BLOCK main.vertices @32: 96 bytes from byte 193 on extend past the main section of 288 "
                  "bytes\n");
    check_changed(32, 4, 184, 1, "M64-ALIGN main.vertices @32: 184, must be a multiple of 16\n");
}

TEST(bytes_of_no_section)
{
    buffer file = {0};
    model64_pennant(&file);
    buffer_sink(&file, "abc", 3);
    check_findings(&file, 0, "M64-TRAILING  @608: 3 bytes belong to no section\n");
    buffer_free(&file);
    model64_box(&file); /* a vertex section of nothing, which need not be anywhere */
    check_findings(&file, 0, "");
    model64_set(&file, 24, 4, 0xFF);
    check_findings(&file, 0, "");
    buffer_free(&file);
}

TEST(texts_about_flags)
{
    for (size_t i = 0; i < 6; i++) {
        buffer file = {0};
        char want[128];
        model64_pennant(&file);
        for (size_t k = i; k < 6; k++)
            model64_set(&file, PENNANT_VERTICES + 16 * k + 6, 2, k % 2 ? 1 : 0x100);
        snprintf(want, sizeof want, "M64-FLAG vertices[%zu] @%zu: the flag must be 0 (%zu of 6 vertices)\n", i,
                 PENNANT_VERTICES + 16 * i + 6, 6 - i);
        check_findings(&file, 0, want);
        buffer_free(&file);
    }
}

TEST(texts_about_slots)
{
    buffer file = {0};
    check_changed(36, 4, 0, 0,
                  "M64-SLOT-0  @36: slot 0 has no list, others have one\n"
                  "M64-UNUSED vertices[0] @224: no list loads the vertex (3 of 6 vertices)\n");
    check_changed(40, 4, 0, 0, "M64-UNUSED vertices[4] @288: no list loads the vertex (2 of 6 vertices)\n");
    check_changed(
        40, 4, 164, 1,
        "M64-LIST lists[1] @40: the list is at byte 164, must be a multiple of 8 inside the main section of 288 "
        "bytes\n");
    check_changed(
        48, 4, 288, 0,
        "M64-LIST lists[3] @48: the list is at byte 288, must be a multiple of 8 inside the main section of 288 "
        "bytes\n");
    model64_pennant(&file);
    model64_set(&file, 36, 4, 0);
    model64_set(&file, 40, 4, 0);
    check_findings(&file, 0,
                   "M64-EMPTY  @36: no list draws a triangle\n"
                   "M64-UNUSED vertices[0] @224: no list loads the vertex (6 of 6 vertices)\n");
    buffer_free(&file);
}

TEST(texts_about_times)
{
    check_changed(FRAME(1), 4, 0, 0,
                  "M64-TIME-EQUAL animations[0].frames[1].time @96: the frame starts at the same time as the previous "
                  "one\n"
                  "M64-INV-DT animations[0].frames[0].inv_dt @88: " INVERSE " (the first of 2)\n");
    check_changed(FRAME(1), 4, 0xBF800000, 0,
                  "M64-TIME animations[0].frames[1].time @96: the frame starts before the previous one\n"
                  "M64-INV-DT animations[0].frames[0].inv_dt @88: " INVERSE " (the first of 2)\n");
    check_changed(FRAME(1) + 4, 4, 0x3F800000, 0, "M64-INV-DT animations[0].frames[1].inv_dt @100: " INVERSE "\n");
    check_changed(FRAME(1) + 4, 4, 0x7F800000, 0,
                  "M64-NAN animations[0].frames[1].time @96: the time or its inverse is infinite or NaN\n");
    check_changed(FRAME(0), 4, 0x3E800000, 0,
                  "M64-INV-DT animations[0].frames[0].inv_dt @88: " INVERSE "\n"
                  "M64-FIRST-TIME animations[0] @84: the first frame must start at 0\n");
    check_changed(ANIM(0), 4, 0x3F000000, 0,
                  "M64-DURATION animations[0] @60: the duration is 0.5, the last frame starts at 1\n");
    check_changed(ANIM(0), 4, 0x7FC00000, 0, "M64-NAN animations[0] @60: the duration is infinite or NaN\n");
    check_changed(ANIM(1), 4, 0, 0,
                  "M64-INV-DT animations[1].frames[0].inv_dt @124: " INVERSE "\n"
                  "M64-DURATION animations[1] @72: the duration is 0, the last frame starts at 0\n");
    check_changed(ANIM(1) + 4, 4, 0, 1, "M64-NO-FRAMES animations[1] @72: the animation has no frames\n");
    check_changed(
        FRAME(1) + 8, 4, 193, 1,
        "M64-FRAME-BLOCK animations[0].frames[1].vertices @104: its vertices reach out of the vertex section\n");
    check_changed(FRAME(1) + 8, 4, 104, 1,
                  "M64-ALIGN animations[0].frames[1].vertices @104: its vertices are not at a multiple of 16\n");
}

/* ---- blocks ---- */

/* Every byte of a block that is not a position, in each block. */
TEST(blocks_that_change_more_than_positions)
{
    for (size_t at = 0; at < PENNANT_BLOCK; at++)
        for (size_t k = 0; k < 3; k++) {
            buffer file = {0};
            char want[160] = "";
            model64_pennant(&file);
            file.data[BLOCK(k) + at] ^= 1;
            if (at % 16 >= 6)
                snprintf(want, sizeof want, "%s  @%zu: %s in 1 of 3 blocks\n",
                         at % 16 < 8 ? "M64-FLAG" : "M64-FRAME-CHANGES", BLOCK(k),
                         at % 16 < 8 ? "flags that are not 0" : DIFFERENCE);
            check_findings(&file, 0, want);
            buffer_free(&file);
        }
}

TEST(blocks_on_the_origin)
{
    for (size_t at = 0; at <= 18; at++) {
        buffer file = {0};
        model64_pennant(&file);
        for (size_t i = 0; i < 18; i++)
            model64_set(&file, BLOCK(1) + 16 * (i / 3) + 2 * (i % 3), 2, i == at ? 1 : 0);
        check_findings(&file, 0, at < 18 ? "" : "M64-ZERO-FRAME  @416: all vertices on the origin in 1 of 3 blocks\n");
        buffer_free(&file);
    }
}

TEST(equal_blocks)
{
    for (int which = 1; which < 4; which++) {
        static const char *const wants[4] = {
            "", "M64-EQUAL-FRAMES  @416: 1 of 3 blocks repeat another one: 96 bytes could be saved\n",
            "M64-EQUAL-FRAMES  @512: 1 of 3 blocks repeat another one: 96 bytes could be saved\n",
            "M64-EQUAL-FRAMES  @416: 2 of 3 blocks repeat another one: 192 bytes could be saved\n"};
        buffer file = {0};
        model64_pennant(&file);
        for (int k = 1; k < 3; k++)
            if (which >> (k - 1) & 1)
                memcpy(file.data + BLOCK(k), file.data + BLOCK(0), PENNANT_BLOCK);
        check_findings(&file, 0, wants[which]);
        file.data[BLOCK(which == 1 ? 1 : 2)] ^= 0x10; /* one bit apart */
        check_findings(&file, 0, which < 3 ? "" : wants[1]);
        buffer_free(&file);
    }
    check_changed(FRAME(1) + 8, 4, 80, 1, "M64-FRAME-OVERLAP  @400: 1 blocks overlap the previous one\n");
}

/* ---- triangles ---- */

/* The area is 0 if the square of the product of two sides is that of their lengths. */
TEST(triangles_without_area)
{
    uint32_t seed = 1, flat = 0;
    for (int round = 0; round < 300; round++) {
        int64_t p[3][3], a[3], b[3], aa = 0, bb = 0, ab = 0;
        buffer file = {0};
        model64_pennant(&file);
        for (int i = 0; i < 9; i++) {
            seed = seed * 1664525u + 1013904223u;
            p[i / 3][i % 3] = (int)(seed >> 24) % 3 - 1;
            model64_set(&file, PENNANT_VERTICES + 16 * (size_t)(3 + i / 3) + 2 * (size_t)(i % 3), 2,
                        (uint32_t)p[i / 3][i % 3]);
        }
        for (int k = 0; k < 3; k++) {
            a[k] = p[1][k] - p[0][k], b[k] = p[2][k] - p[0][k];
            aa += a[k] * a[k], bb += b[k] * b[k], ab += a[k] * b[k];
        }
        listen_to_file(&file);
        bool found = false;
        for (size_t i = 0; i < told.count; i++)
            found = found ||
                    (strcmp(told.rules[i], "M64-ZERO-AREA") == 0 && strcmp(told.paths[i], "lists[1].commands[1]") == 0);
        CHECK_INT(found, aa * bb == ab * ab);
        flat += found;
        buffer_free(&file);
    }
    CHECK(flat > 10 && flat < 290);
}

TEST_MAIN(CASE(texts_about_sections), CASE(bytes_of_no_section), CASE(texts_about_flags), CASE(texts_about_slots),
          CASE(texts_about_times), CASE(blocks_that_change_more_than_positions), CASE(blocks_on_the_origin),
          CASE(equal_blocks), CASE(triangles_without_area))
