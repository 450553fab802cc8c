/* Display lists at random against a plain interpreter of the description's words, every opcode by name, and checks of
 * commands at their limits. */
#include "formats/model64/f3dex/gfx.h"
#include "harness.h"
#include "support/numbers.h"

#include <stdio.h>
#include <string.h>

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

/* --- names --- */

/* The F3DEX2 variant of gbi.h; + is passed over, - is not followed, = is carried out. 09 to D2 do not exist. */
static const char *const low[] = {"+NOOP", "=VTX",  "=MODIFYVTX", "+CULLDL", "-BRANCH_Z",
                                  "=TRI1", "=TRI2", "=QUAD",      "-LINE3D"};
static const char *const high[] = {
    "-SPECIAL_3",    "-SPECIAL_2",   "-SPECIAL_1",     "-DMA_IO",         "+TEXTURE",         "-POPMTX",
    "+GEOMETRYMODE", "-MTX",         "-MOVEWORD",      "-MOVEMEM",        "-LOAD_UCODE",      "-DL",
    "=ENDDL",        "+SPNOOP",      "+RDPHALF_1",     "+SETOTHERMODE_L", "+SETOTHERMODE_H",  "-TEXRECT",
    "-TEXRECTFLIP",  "+RDPLOADSYNC", "+RDPPIPESYNC",   "+RDPTILESYNC",    "+RDPFULLSYNC",     "+SETKEYGB",
    "+SETKEYR",      "+SETCONVERT",  "+SETSCISSOR",    "+SETPRIMDEPTH",   "+RDPSETOTHERMODE", "+LOADTLUT",
    "+RDPHALF_2",    "+SETTILESIZE", "+LOADBLOCK",     "+LOADTILE",       "+SETTILE",         "-FILLRECT",
    "+SETFILLCOLOR", "+SETFOGCOLOR", "+SETBLENDCOLOR", "+SETPRIMCOLOR",   "+SETENVCOLOR",     "+SETCOMBINE",
    "+SETTIMG",      "+SETZIMG",     "+SETCIMG"};

static const char *name_of(unsigned opcode)
{
    return opcode <= 0x08 ? low[opcode] : opcode >= 0xD3 && opcode <= 0xFF ? high[opcode - 0xD3] : NULL;
}

static gfx_problem class_of(unsigned opcode)
{
    const char *name = name_of(opcode);
    return !name ? GFX_UNDEFINED : *name == '+' ? GFX_PASSED_OVER : *name == '-' ? GFX_NOT_FOLLOWED : GFX_FINE;
}

TEST(every_opcode)
{
    for (unsigned opcode = 0; opcode <= 300; opcode++) {
        char want[32] = "";
        const char *name = tl_gfx_name(opcode);
        CHECK_INT(tl_gfx_class(opcode), class_of(opcode));
        CHECK((name != NULL) == (name_of(opcode) != NULL));
        if (!name)
            continue;
        snprintf(want, sizeof want, "G_%s", name_of(opcode) + 1);
        CHECK_STR(name, want);
    }
}

/* --- the plain interpreter --- */

typedef struct plain_slot {
    bool filled, has_st, has_rgba;
    uint32_t vertex;
    int st[2];
    uint8_t rgba[4];
} plain_slot;

typedef struct plain_step {
    gfx_problem problem;
    uint32_t triangle_count, load_first, load_count, load_vertex;
    plain_slot triangles[2][3];
    bool repeats;
} plain_step;

typedef struct plain_run {
    uint32_t vertex_count;
    plain_slot slots[32], last[3];
    bool drawn, lighting;
} plain_run;

static bool same_slot(const plain_slot *a, const plain_slot *b)
{
    return a->vertex == b->vertex && a->has_st == b->has_st && a->has_rgba == b->has_rgba &&
           (!a->has_st || (a->st[0] == b->st[0] && a->st[1] == b->st[1])) &&
           (!a->has_rgba || memcmp(a->rgba, b->rgba, 4) == 0);
}

/* A half stored as 16 bits, doubled and stored as 16 bits again. */
static int doubled(uint32_t half)
{
    const int twice = (int)(2 * half % 65536);
    return twice < 32768 ? twice : twice - 65536;
}

static gfx_problem slot_problem(const plain_run *r, uint32_t byte)
{
    return byte % 2 == 1                ? GFX_ODD_SLOT
           : byte >= 64                 ? GFX_BAD_SLOT
           : !r->slots[byte / 2].filled ? GFX_EMPTY_SLOT
                                        : GFX_FINE;
}

static void plain_load(plain_run *r, uint32_t w0, uint32_t w1, plain_step *s)
{
    const int count = (int)(w0 >> 12 & 0xFF), end = (int)(w0 >> 1 & 0x7F);
    const uint32_t offset = w1 & 0xFFFFFF;
    s->problem = count == 0 || end < count || end > 32              ? GFX_BAD_COUNT
                 : (w1 >> 24 & 15) != 1                             ? GFX_BAD_SEGMENT
                 : offset % 16 != 0                                 ? GFX_BAD_ADDRESS
                 : offset / 16 + (uint32_t)count > r->vertex_count  ? GFX_BAD_VERTEX
                 : (w0 & 0x00F00F01) != 0 || (w1 & 0xF0000000) != 0 ? GFX_RESERVED_BITS
                                                                    : GFX_FINE;
    if (s->problem != GFX_FINE && s->problem != GFX_RESERVED_BITS)
        return;
    s->load_first = (uint32_t)(end - count);
    s->load_count = (uint32_t)count;
    s->load_vertex = offset / 16;
    for (int i = 0; i < count; i++)
        r->slots[end - count + i] = (plain_slot){.filled = true, .vertex = offset / 16 + (uint32_t)i};
}

static void plain_modify(plain_run *r, uint32_t w0, uint32_t w1, plain_step *s)
{
    const uint32_t field = w0 >> 16 & 0xFF;
    s->problem = slot_problem(r, w0 & 0xFFFF);
    if (s->problem != GFX_FINE)
        return;
    plain_slot *slot = &r->slots[(w0 & 0xFFFF) / 2];
    if (field == 0x14) {
        slot->has_st = true;
        slot->st[0] = doubled(w1 >> 16), slot->st[1] = doubled(w1 & 0xFFFF);
    } else if (field == 0x10) {
        slot->has_rgba = true;
        for (int i = 0; i < 4; i++)
            slot->rgba[i] = (uint8_t)(w1 >> (24 - 8 * i));
    } else
        s->problem = field == 0x18 || field == 0x1C ? GFX_SCREEN_FIELD : GFX_BAD_FIELD;
}

static void plain_triangles(plain_run *r, uint32_t w0, uint32_t w1, plain_step *s)
{
    const bool two = w0 >> 24 != 5;
    for (int k = 0; k < (two ? 2 : 1); k++) {
        const uint32_t word = k == 0 ? w0 : w1;
        gfx_problem problem = GFX_FINE;
        for (int i = 0; i < 3 && problem == GFX_FINE; i++)
            problem = slot_problem(r, word >> (16 - 8 * i) & 0xFF);
        s->problem = s->problem == GFX_FINE ? problem : s->problem;
        if (problem != GFX_FINE)
            continue;
        plain_slot *t = s->triangles[s->triangle_count];
        for (int i = 0; i < 3; i++)
            t[i] = r->slots[(word >> (16 - 8 * i) & 0xFF) / 2];
        if (s->triangle_count++ == 0)
            s->repeats = r->drawn && same_slot(&t[0], &r->last[0]) && same_slot(&t[1], &r->last[1]) &&
                         same_slot(&t[2], &r->last[2]);
        memcpy(r->last, t, sizeof r->last);
        r->drawn = true;
    }
    if (s->problem == GFX_FINE && (two ? w1 >> 24 != 0 : w1 != 0))
        s->problem = GFX_RESERVED_BITS;
}

static plain_step run_plainly(plain_run *r, uint32_t w0, uint32_t w1)
{
    plain_step s = {.problem = GFX_FINE};
    switch (w0 >> 24) {
    case 0x01:
        plain_load(r, w0, w1, &s);
        break;
    case 0x02:
        plain_modify(r, w0, w1, &s);
        break;
    case 0x05:
    case 0x06:
    case 0x07:
        plain_triangles(r, w0, w1, &s);
        break;
    case 0xDF:
        s.problem = w0 != 0xDF000000 || w1 != 0 ? GFX_RESERVED_BITS : GFX_FINE;
        break;
    default:
        s.problem = class_of(w0 >> 24);
        r->lighting = r->lighting || (w0 >> 24 == 0xD9 && (w1 & 0x20000) != 0);
    }
    return s;
}

/* --- lists at random --- */

/* Few values, so that triangles repeat; now and then one bit is another. */
static void make_command(uint64_t *dice, uint32_t vertices, uint32_t *w0, uint32_t *w1)
{
    const uint32_t kind = below(dice, 16), count = 1 + below(dice, 6), first = below(dice, 33 - count);
    const uint32_t a = below(dice, 8), b = below(dice, 8), c = below(dice, 8);
    const uint32_t corners = 2 * a << 16 | 2 * b << 8 | 2 * c;
    if (kind < 3) {
        *w0 = 0x01000000 | count << 12 | (below(dice, 4) == 0 ? first + count : below(dice, 3) + count) << 1;
        *w1 = 0x01000000 | 16 * below(dice, vertices - count + 1 + below(dice, 2));
    } else if (kind < 6) {
        static const uint8_t fields[] = {0x14, 0x14, 0x10, 0x10, 0x18, 0x1C, 0x11};
        *w0 = 0x02000000 | (uint32_t)fields[below(dice, 7)] << 16 | 2 * a;
        *w1 = below(dice, 2) == 0 ? (uint32_t)random_bits(dice) : 0x00010002 * below(dice, 2);
    } else if (kind < 14) {
        *w0 = (kind < 10 ? 0x05000000u : kind < 13 ? 0x06000000u : 0x07000000u) | corners;
        *w1 = kind < 10 ? 0 : 2 * b << 16 | 2 * below(dice, 8) << 8 | 2 * a;
    } else {
        *w0 = (uint32_t)random_bits(dice);
        *w1 = (uint32_t)random_bits(dice);
        if (*w0 >> 24 == 0xDF || *w0 >> 24 == 0xDE)
            *w0 = 0xD9000000;
    }
    if (below(dice, 12) == 0)
        *w0 ^= 1u << below(dice, 24);
    if (below(dice, 12) == 0)
        *w1 ^= 1u << below(dice, 32);
}

static void check_slot(const gfx_corner *got, const plain_slot *want)
{
    CHECK_INT(got->vertex, want->vertex);
    CHECK_INT(got->has_st, want->has_st);
    CHECK_INT(got->has_rgba, want->has_rgba);
    for (int i = 0; i < 2 && want->has_st; i++)
        CHECK_INT(got->st[i], want->st[i]);
    CHECK(!want->has_rgba || memcmp(got->rgba, want->rgba, 4) == 0);
}

TEST(lists_at_random)
{
    enum { COMMANDS = 40 };
    uint64_t dice = 11;
    uint32_t seen[GFX_UNDEFINED + 1] = {0}, repeats = 0;
    for (uint32_t round = 0; round < test_rounds(4000, TEST_SLOW ? 100 : 250); round++) {
        uint8_t bytes[8 * (COMMANDS + 1)];
        uint32_t words[COMMANDS + 1][2];
        plain_run plain = {.vertex_count = 8 + below(&dice, 40)};
        for (int i = 0; i <= COMMANDS; i++) {
            make_command(&dice, plain.vertex_count, &words[i][0], &words[i][1]);
            if (i > 0 && below(&dice, 8) == 0)
                memcpy(words[i], words[i - 1], sizeof words[i]);
            if (i == COMMANDS)
                words[i][0] = 0xDF000000 | (round % 3 == 0 ? 1u << round % 24 : 0), words[i][1] = round % 5 == 0;
            for (int k = 0; k < 8; k++)
                bytes[8 * i + k] = (uint8_t)(words[i][k / 4] >> (24 - 8 * (k % 4)));
        }
        const gfx_list list = tl_gfx_list(bytes, sizeof bytes);
        CHECK(list.ended && list.used == sizeof bytes);
        gfx_run run = tl_gfx_run(&list, plain.vertex_count);
        gfx_step step;
        for (int i = 0; i <= COMMANDS; i++) {
            CHECK(tl_gfx_next(&run, &step));
            const plain_step want = run_plainly(&plain, words[i][0], words[i][1]);
            CHECK_INT(step.at, 8 * i);
            CHECK(step.command.w0 == words[i][0] && step.command.w1 == words[i][1]);
            CHECK_INT(step.problem, want.problem);
            CHECK_INT(step.triangle_count, want.triangle_count);
            CHECK_INT(step.repeats, want.repeats);
            CHECK_INT(step.load_first, want.load_first);
            CHECK_INT(step.load_count, want.load_count);
            CHECK_INT(step.load_vertex, want.load_vertex);
            CHECK_INT(run.lighting, plain.lighting);
            for (uint32_t k = 0; k < 3 * want.triangle_count; k++)
                check_slot(&step.triangles[k / 3][k % 3], &want.triangles[k / 3][k % 3]);
            seen[want.problem]++;
            repeats += want.repeats;
        }
        CHECK(!tl_gfx_next(&run, &step));
    }
    for (int i = 0; i <= GFX_UNDEFINED; i++)
        CHECK(seen[i] > 0);
    CHECK(repeats > 0);
}

/* --- words --- */

static void check_text(uint32_t w0, uint32_t w1, const char *want)
{
    char text[128];
    tl_gfx_text((gfx_command){w0, w1}, text, sizeof text);
    CHECK_STR(text, want);
}

TEST(words_of_odd_commands)
{
    check_text(0x01002004, 0x01000010, "G_VTX: vertices 1 to 2 into slots 0 to 1");
    check_text(0x01000004, 0x01000010, "G_VTX: count 0, address 0x01000010, first slot 2");
    check_text(0x01003002, 0x02000010, "G_VTX: count 3, address 0x02000010, first slot -2");
    check_text(0x01001002, 0x01000018, "G_VTX: count 1, address 0x01000018, first slot 0");
    check_text(0x021C0005, 0x0A0B0C0D, "G_MODIFYVTX: slot 2.5 gets 0x0A0B0C0D as its depth on the screen");
    check_text(0x02110006, 7, "G_MODIFYVTX: slot 3 gets 0x00000007 as something that does not exist");
    check_text(0x0214FFFF, 0xFFFF8001, "G_MODIFYVTX: slot 32767.5 gets texture coordinate -2 2");
    check_text(0x02100000, 0xFF7F0180, "G_MODIFYVTX: slot 0 gets colour 255 127 1 128");
    check_text(0x06FF0204, 0x00FE0301, "G_TRI2: 127.5 1 2, 127 1.5 0.5");
    check_text(0xFB000000, 0x01027FFE, "G_SETENVCOLOR: 1 2 127 254");
    check_text(0xD9000000, 0x00010000, "G_GEOMETRYMODE");
    check_text(0xD9000000, 0xFFFDFFFF, "G_GEOMETRYMODE");
    check_text(0xDE020000, 0x12345678, "G_DL: calls 0x12345678");
    check_text(0x08000000, 0, "G_LINE3D");
    check_text(0x09000000, 0, "no command of F3DEX2");
    check_text(0xD2000000, 0, "no command of F3DEX2");
    check_text(0xD3000000, 0, "G_SPECIAL_3");
}

TEST_MAIN(CASE(every_opcode), CASE(lists_at_random), CASE(words_of_odd_commands))
