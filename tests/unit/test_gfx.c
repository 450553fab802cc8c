/* Display lists: the encodings of the format's description, and what a list does with the cache. */
#include "formats/model64/f3dex/gfx.h"
#include "harness.h"

#include <string.h>

static void check_words(gfx_command got, uint32_t w0, uint32_t w1)
{
    CHECK_INT(got.w0, w0);
    CHECK_INT(got.w1, w1);
}

/* --- putting together --- */

TEST(encodings_are_those_of_the_description)
{
    check_words(tl_gfx_load(0, 32, 0), 0x01020040, 0x01000000);
    check_words(tl_gfx_load(0, 8, 0), 0x01008010, 0x01000000);
    check_words(tl_gfx_load(20, 12, 64), 0x0100C040, 0x01000400);
    check_words(tl_gfx_modify_st(30, 2 * 754, 2 * 343), 0x0214003C, 0x02F20157);
    check_words(tl_gfx_modify_st(1, 2 * 512, 2 * -32), 0x02140002, 0x0200FFE0);
    check_words(tl_gfx_tri1((const uint8_t[3]){21, 31, 30}), 0x052A3E3C, 0);
    check_words(tl_gfx_tri2((const uint8_t[3]){0, 1, 2}, (const uint8_t[3]){2, 3, 0}), 0x06000204, 0x00040600);
    check_words(tl_gfx_modify_rgba(2, (const uint8_t[4]){1, 2, 3, 4}), 0x02100004, 0x01020304);
    check_words(tl_gfx_end(), 0xDF000000, 0);
}

/* Rounded down, also below zero: -1 becomes -1, -32768 becomes -16384. */
TEST(coordinates_are_halved_downwards)
{
    check_words(tl_gfx_modify_st(0, 5, -1), 0x02140000, 0x0002FFFF);
    check_words(tl_gfx_modify_st(0, -3, 1), 0x02140000, 0xFFFE0000);
    check_words(tl_gfx_modify_st(0, 32767, -32768), 0x02140000, 0x3FFFC000);
}

TEST(bytes_are_big_endian)
{
    uint8_t bytes[8];
    tl_gfx_store((gfx_command){0x01020040, 0x0A0B0C0D}, bytes);
    CHECK(memcmp(bytes, "\x01\x02\x00\x40\x0A\x0B\x0C\x0D", 8) == 0);
    check_words(tl_gfx_at(bytes), 0x01020040, 0x0A0B0C0D);
}

/* --- texts --- */

static void check_text(uint32_t w0, uint32_t w1, const char *want)
{
    char text[128];
    tl_gfx_text((gfx_command){w0, w1}, text, sizeof text);
    CHECK_STR(text, want);
}

TEST(commands_in_words)
{
    check_text(0x0100C040, 0x01000400, "G_VTX: vertices 64 to 75 into slots 20 to 31");
    check_text(0x01001002, 0x01000010, "G_VTX: vertex 1 into slot 0");
    check_text(0x01001002, 0x06000018, "G_VTX: count 1, address 0x06000018, first slot 0");
    check_text(0x0214003C, 0x02F20157, "G_MODIFYVTX: slot 30 gets texture coordinate 1508 686");
    check_text(0x02100004, 0x01020304, "G_MODIFYVTX: slot 2 gets colour 1 2 3 4");
    check_text(0x02180004, 0x01020304, "G_MODIFYVTX: slot 2 gets 0x01020304 as its screen position");
    check_text(0x052A3E3C, 0, "G_TRI1: 21 31 30");
    check_text(0x06000204, 0x00040600, "G_TRI2: 0 1 2, 2 3 0");
    check_text(0x07000204, 0x00040600, "G_QUAD: 0 1 2, 2 3 0");
    check_text(0x05000203, 0, "G_TRI1: 0 1 1.5");
    check_text(0xDF000000, 0, "G_ENDDL");
    check_text(0xE7000000, 0, "G_RDPPIPESYNC");
    check_text(0xFA000000, 0x0A141EFF, "G_SETPRIMCOLOR: 10 20 30 255");
    check_text(0xDE000000, 0x06000100, "G_DL: calls 0x06000100");
    check_text(0xDE010000, 0x06000100, "G_DL: jumps to 0x06000100");
    check_text(0xD9FFFFFF, 0x00020000, "G_GEOMETRYMODE: switches lighting on");
    check_text(0x99000000, 0, "no command of F3DEX2");
}

TEST(texts_are_cut_where_the_room_ends)
{
    char text[8];
    memset(text, 'x', sizeof text);
    tl_gfx_text((gfx_command){0x0100C040, 0x01000400}, text, sizeof text);
    CHECK_STR(text, "G_VTX: ");
}

/* --- running --- */

enum { MOST = 16 };

typedef struct script {
    uint8_t bytes[8 * MOST];
    size_t count;
    gfx_step steps[MOST];
    size_t step_count;
    gfx_run run;
} script;

static void add(script *s, uint32_t w0, uint32_t w1)
{
    tl_gfx_store((gfx_command){w0, w1}, s->bytes + 8 * s->count++);
}

static void run_script(script *s, uint32_t vertices)
{
    const gfx_list list = tl_gfx_list(s->bytes, 8 * s->count);
    s->run = tl_gfx_run(&list, vertices);
    for (s->step_count = 0; tl_gfx_next(&s->run, &s->steps[s->step_count]); s->step_count++)
        CHECK_INT(s->steps[s->step_count].at, 8 * s->step_count);
}

/* One command after a load of four vertices into slots 0 to 3: what is its problem? */
static gfx_problem problem_of(uint32_t w0, uint32_t w1)
{
    script s = {.count = 0};
    add(&s, 0x01004008, 0x01000000);
    add(&s, w0, w1);
    run_script(&s, 100);
    CHECK_INT(s.steps[0].problem, GFX_FINE);
    return s.steps[1].problem;
}

TEST(lists_end)
{
    script s = {.count = 0};
    add(&s, 0xE7000000, 0);
    add(&s, 0xDF000000, 0);
    add(&s, 0xE7000000, 0);
    gfx_list list = tl_gfx_list(s.bytes, 24);
    CHECK(list.ended);
    CHECK_INT(list.used, 16);
    list = tl_gfx_list(s.bytes, 15); /* half of the end */
    CHECK(!list.ended);
    CHECK_INT(list.used, 8);
    list = tl_gfx_list(s.bytes, 7);
    CHECK(!list.ended);
    CHECK_INT(list.used, 0);
    s.count = 0;
    add(&s, 0xDE000000, 0); /* a call comes back, a jump does not */
    add(&s, 0xDE010000, 0);
    add(&s, 0xDF000000, 0);
    list = tl_gfx_list(s.bytes, 24);
    CHECK(list.ended);
    CHECK_INT(list.used, 16);
}

TEST(loads_are_checked)
{
    CHECK_INT(problem_of(0x01001002, 0x01000630), GFX_FINE);          /* vertex 99 of 100 */
    CHECK_INT(problem_of(0x01001002, 0x01000640), GFX_BAD_VERTEX);    /* 100 */
    CHECK_INT(problem_of(0x01002004, 0x01000630), GFX_BAD_VERTEX);    /* 99 and 100 */
    CHECK_INT(problem_of(0x01000000, 0x01000000), GFX_BAD_COUNT);     /* none */
    CHECK_INT(problem_of(0x01020040, 0x01000000), GFX_FINE);          /* 32 */
    CHECK_INT(problem_of(0x01021042, 0x01000000), GFX_BAD_COUNT);     /* 33 */
    CHECK_INT(problem_of(0x01001042, 0x01000000), GFX_BAD_COUNT);     /* into slot 32 */
    CHECK_INT(problem_of(0x01004006, 0x01000000), GFX_BAD_COUNT);     /* into slot -1 */
    CHECK_INT(problem_of(0x01001002, 0x02000000), GFX_BAD_SEGMENT);   /* elsewhere */
    CHECK_INT(problem_of(0x01001002, 0x01000008), GFX_BAD_ADDRESS);   /* half a vertex */
    CHECK_INT(problem_of(0x01101002, 0x01000000), GFX_RESERVED_BITS); /* bit 20 */
    CHECK_INT(problem_of(0x01001003, 0x01000000), GFX_RESERVED_BITS); /* bit 0 */
    CHECK_INT(problem_of(0x01001002, 0x11000000), GFX_RESERVED_BITS); /* bit 28 of the address */
}

TEST(slots_are_checked)
{
    CHECK_INT(problem_of(0x05000204, 0), GFX_FINE);
    CHECK_INT(problem_of(0x05000205, 0), GFX_ODD_SLOT);
    CHECK_INT(problem_of(0x05000240, 0), GFX_BAD_SLOT);
    CHECK_INT(problem_of(0x05000208, 0), GFX_EMPTY_SLOT);
    CHECK_INT(problem_of(0x05000204, 1), GFX_RESERVED_BITS);
    CHECK_INT(problem_of(0x06000204, 0x00040208), GFX_EMPTY_SLOT); /* only the second one */
    CHECK_INT(problem_of(0x06000204, 0x01040200), GFX_RESERVED_BITS);
    CHECK_INT(problem_of(0x02140006, 0), GFX_FINE);
    CHECK_INT(problem_of(0x02140007, 0), GFX_ODD_SLOT);
    CHECK_INT(problem_of(0x02140008, 0), GFX_EMPTY_SLOT);
    CHECK_INT(problem_of(0x02140040, 0), GFX_BAD_SLOT);
    CHECK_INT(problem_of(0x02148000, 0), GFX_BAD_SLOT);
    CHECK_INT(problem_of(0x02100006, 0), GFX_FINE);
    CHECK_INT(problem_of(0x02180006, 0), GFX_SCREEN_FIELD);
    CHECK_INT(problem_of(0x021C0006, 0), GFX_SCREEN_FIELD);
    CHECK_INT(problem_of(0x02110006, 0), GFX_BAD_FIELD);
    CHECK_INT(problem_of(0xDF000001, 0), GFX_RESERVED_BITS);
}

/* Which commands are passed over, which are not carried out, and which do not exist. */
TEST(other_commands)
{
    static const uint8_t passed_over[] = {0x00, 0xE0, 0x03, 0xD7, 0xD9, 0xE1, 0xF1, 0xE2, 0xE3, 0xEF, 0xE6, 0xE7,
                                          0xE8, 0xE9, 0xEA, 0xEE, 0xF0, 0xF2, 0xF5, 0xF9, 0xFA, 0xFB, 0xFC, 0xFF};
    static const uint8_t not_followed[] = {0x04, 0x08, 0xD3, 0xD4, 0xD5, 0xD6, 0xD8,
                                           0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xE4, 0xE5};
    for (size_t i = 0; i < sizeof passed_over; i++)
        CHECK_INT(problem_of((uint32_t)passed_over[i] << 24, 0), GFX_PASSED_OVER);
    for (size_t i = 0; i < sizeof not_followed; i++)
        CHECK_INT(problem_of((uint32_t)not_followed[i] << 24, 0), GFX_NOT_FOLLOWED);
    for (uint32_t opcode = 0x09; opcode <= 0xD2; opcode++) {
        CHECK_INT(problem_of(opcode << 24, 0), GFX_UNDEFINED);
        CHECK(!tl_gfx_name(opcode));
    }
}

static void check_corner(const gfx_corner *corner, uint32_t vertex)
{
    CHECK_INT(corner->vertex, vertex);
    CHECK(!corner->has_st && !corner->has_rgba);
}

TEST(slots_keep_what_they_hold)
{
    script s = {.count = 0};
    add(&s, 0x01004008, 0x01000000); /* 0 to 3 into 0 to 3 */
    add(&s, 0x01002008, 0x01000140); /* 20 and 21 into 2 and 3 */
    add(&s, 0x06000204, 0x00060200);
    run_script(&s, 22);
    CHECK_INT(s.steps[1].load_first, 2);
    CHECK_INT(s.steps[1].load_count, 2);
    CHECK_INT(s.steps[1].load_vertex, 20);
    CHECK_INT(s.steps[2].triangle_count, 2);
    check_corner(&s.steps[2].triangles[0][0], 0);
    check_corner(&s.steps[2].triangles[0][1], 1);
    check_corner(&s.steps[2].triangles[0][2], 20);
    check_corner(&s.steps[2].triangles[1][0], 21);
    check_corner(&s.steps[2].triangles[1][1], 1);
    check_corner(&s.steps[2].triangles[1][2], 0);
}

/* A bad load leaves the slots as they were; a triangle of which one is missing is left out, the other one stays. */
TEST(what_is_bad_is_left_out)
{
    script s = {.count = 0};
    add(&s, 0x01003006, 0x01000000);
    add(&s, 0x01003006, 0x02000000);
    add(&s, 0x06000208, 0x00000204);
    run_script(&s, 3);
    CHECK_INT(s.steps[1].load_count, 0);
    CHECK_INT(s.steps[2].problem, GFX_EMPTY_SLOT);
    CHECK_INT(s.steps[2].triangle_count, 1);
    check_corner(&s.steps[2].triangles[0][2], 2);
}

/* Values count twice; a change lasts until the slot is loaded again, and does not reach back. */
TEST(changes_last_until_a_load)
{
    script s = {.count = 0};
    add(&s, 0x01003006, 0x01000000);
    add(&s, 0x05000204, 0);
    add(&s, 0x02140002, 0x0200FFE0); /* slot 1: 512, -32 */
    add(&s, 0x02100002, 0x01020304);
    add(&s, 0x05000204, 0);
    add(&s, 0x01001004, 0x01000020); /* vertex 2 into slot 1 */
    add(&s, 0x05000204, 0);
    run_script(&s, 3);
    check_corner(&s.steps[1].triangles[0][1], 1);
    const gfx_corner *changed = &s.steps[4].triangles[0][1];
    CHECK_INT(changed->vertex, 1);
    CHECK(changed->has_st && changed->has_rgba);
    CHECK_INT(changed->st[0], 1024);
    CHECK_INT(changed->st[1], -64);
    CHECK_INT(changed->rgba[3], 4);
    check_corner(&s.steps[4].triangles[0][0], 0);
    check_corner(&s.steps[6].triangles[0][1], 2);
}

/* 0x4000 doubled is 0x8000, which is -32768; 0xC000 doubled too. */
TEST(doubled_values_wrap)
{
    const gfx_modify m = tl_gfx_modify_of((gfx_command){0x02140000, 0x4000C000});
    CHECK_INT(m.st[0], -32768);
    CHECK_INT(m.st[1], -32768);
}

/* As in the real file: a single triangle, then the same one as the first of a pair. */
TEST(repeats_are_seen)
{
    script s = {.count = 0};
    add(&s, 0x0101E03C, 0x01000000); /* 30 vertices */
    add(&s, 0x01002040, 0x010001E0); /* and two more */
    add(&s, 0x053C3A2A, 0);
    add(&s, 0x063C3A2A, 0x003E2E30);
    add(&s, 0x063C3A2A, 0x003E2E30); /* not the one in front of it: that is the second of the pair */
    add(&s, 0x053E2E30, 0);          /* but this one is */
    add(&s, 0x052E303E, 0);          /* turned: another triangle */
    run_script(&s, 32);
    CHECK(!s.steps[2].repeats);
    CHECK(s.steps[3].repeats);
    CHECK(!s.steps[4].repeats);
    CHECK(s.steps[5].repeats);
    CHECK(!s.steps[6].repeats);
}

/* A change in between makes it another triangle. */
TEST(changed_triangles_are_no_repeats)
{
    script s = {.count = 0};
    add(&s, 0x01003006, 0x01000000);
    add(&s, 0x05000204, 0);
    add(&s, 0x02140002, 0);
    add(&s, 0x05000204, 0);
    add(&s, 0x02140002, 0); /* the same value again */
    add(&s, 0x05000204, 0);
    run_script(&s, 3);
    CHECK(!s.steps[3].repeats);
    CHECK(s.steps[5].repeats);
}

TEST(a_quad_draws_two)
{
    script s = {.count = 0};
    add(&s, 0x01004008, 0x01000000);
    add(&s, 0x07000204, 0x00000406);
    run_script(&s, 4);
    CHECK_INT(s.steps[1].problem, GFX_FINE);
    CHECK_INT(s.steps[1].triangle_count, 2);
    check_corner(&s.steps[1].triangles[1][2], 3);
}

TEST(lighting_is_noticed)
{
    script s = {.count = 0};
    add(&s, 0xD9FDFFFF, 0); /* off */
    run_script(&s, 0);
    CHECK(!s.run.lighting);
    add(&s, 0xD9FFFFFF, 0x00020000);
    add(&s, 0xD9FDFFFF, 0);
    run_script(&s, 0);
    CHECK(s.run.lighting);
}

TEST(corners_are_compared_by_value)
{
    const gfx_corner plain = {.vertex = 3}, rubbish = {.vertex = 3, .st = {7, 7}, .rgba = {1}};
    gfx_corner st = {.vertex = 3, .has_st = true}, rgba = {.vertex = 3, .has_rgba = true}, other = st;
    CHECK(tl_gfx_corner_equal(&plain, &rubbish)); /* what is not there does not count */
    CHECK(!tl_gfx_corner_equal(&plain, &st));
    CHECK(!tl_gfx_corner_equal(&plain, &rgba));
    CHECK(tl_gfx_corner_equal(&other, &st));
    other.st[1] = 1;
    CHECK(!tl_gfx_corner_equal(&other, &st));
    other = rgba;
    other.rgba[2] = 1;
    CHECK(!tl_gfx_corner_equal(&other, &rgba));
    CHECK(!tl_gfx_corner_equal(&plain, &(gfx_corner){.vertex = 4}));
}

/* By vertex, then by what a command has changed; every pair, both ways round. */
TEST(corners_have_an_order)
{
    const gfx_corner sorted[] = {{.vertex = 1},
                                 {.vertex = 2},
                                 {.vertex = 2, .has_rgba = true, .rgba = {9, 0, 0, 1}},
                                 {.vertex = 2, .has_rgba = true, .rgba = {9, 0, 0, 2}},
                                 {.vertex = 2, .has_st = true, .st = {-3, 9}},
                                 {.vertex = 2, .has_st = true, .st = {4, -7}},
                                 {.vertex = 2, .has_st = true, .st = {4, -5}},
                                 {.vertex = 2, .has_st = true, .st = {4, 5}},
                                 {.vertex = 2, .has_st = true, .st = {5, 0}},
                                 {.vertex = 2, .has_st = true, .has_rgba = true, .st = {4, 5}, .rgba = {1, 2, 3, 4}},
                                 {.vertex = 2, .has_st = true, .has_rgba = true, .st = {4, 6}, .rgba = {0, 0, 0, 0}}};
    const int count = (int)(sizeof sorted / sizeof *sorted);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            const int order = tl_gfx_corner_compare(&sorted[i], &sorted[k]);
            if ((i < k && order >= 0) || (i > k && order <= 0) || (i == k && order != 0))
                FAIL("corners %d and %d compare as %d", i, k, order);
        }
}

TEST_MAIN(CASE(encodings_are_those_of_the_description), CASE(coordinates_are_halved_downwards),
          CASE(bytes_are_big_endian), CASE(commands_in_words), CASE(texts_are_cut_where_the_room_ends), CASE(lists_end),
          CASE(loads_are_checked), CASE(slots_are_checked), CASE(other_commands), CASE(slots_keep_what_they_hold),
          CASE(what_is_bad_is_left_out), CASE(changes_last_until_a_load), CASE(doubled_values_wrap),
          CASE(repeats_are_seen), CASE(changed_triangles_are_no_repeats), CASE(a_quad_draws_two),
          CASE(lighting_is_noticed), CASE(corners_are_compared_by_value), CASE(corners_have_an_order))
