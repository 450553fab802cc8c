/* Between materials of Pyrite64 and the state of the RDP: all values of the flags, tiles and placeholders. */
#include "formats/t3dm/pyrite64/pyrite64.h"
#include "harness.h"
#include "support/t3dm_encoder.h"

#include <string.h>

/* ---- other modes ---- */

/* The bits of the RDP's other modes, from its manual: of each field, where its lowest bit is. */
enum {
    RDP_AA = 3,
    RDP_Z_COMPARE,
    RDP_Z_WRITE,
    RDP_REDUCED = 34,
    RDP_DITHER = 36,
    RDP_FILTER = 44,
    RDP_PERSPECTIVE = 51
};

typedef struct modes {
    uint32_t flags;
    uint64_t value, mask;
} modes;

/* -1: not set. */
static modes make_modes(int aa, int dither, int filter, int z, int perspective, bool alpha)
{
    modes m = {0, 0, 0};
    if (aa >= 0) {
        m.flags |= 1u | (uint32_t)aa << 19;
        m.value |= (uint64_t)(aa != 0) << RDP_AA | (uint64_t)(aa == 2) << RDP_REDUCED;
        m.mask |= UINT64_C(1) << RDP_AA | UINT64_C(1) << RDP_REDUCED;
    }
    if (dither >= 0) {
        m.flags |= 4u | (uint32_t)dither << 26;
        m.value |= (uint64_t)dither << RDP_DITHER;
        m.mask |= UINT64_C(15) << RDP_DITHER;
    }
    m.value |= (uint64_t)(filter >= 0 ? filter : 2) << RDP_FILTER; /* bilinear */
    if (filter >= 0) {
        m.flags |= 8u | (uint32_t)filter << 21;
        m.mask |= UINT64_C(3) << RDP_FILTER;
    }
    if (z >= 0) {
        m.flags |= 0x10u | (uint32_t)(z & 1) << 23 | (uint32_t)(z >> 1) << 24;
        m.value |= (uint64_t)(z & 1) << RDP_Z_COMPARE | (uint64_t)(z >> 1) << RDP_Z_WRITE;
        m.mask |= UINT64_C(1) << RDP_Z_COMPARE | UINT64_C(1) << RDP_Z_WRITE;
    }
    if (perspective >= 0) {
        m.flags |= 0x40u | (uint32_t)perspective << 25;
        m.value |= (uint64_t)perspective << RDP_PERSPECTIVE;
        m.mask |= UINT64_C(1) << RDP_PERSPECTIVE;
    }
    if (alpha) {
        m.flags |= 0x80u;
        m.value |= 1;
        m.mask |= 1;
    }
    return m;
}

static const char *const no_paths[2] = {"", ""};

static trilo_pyrite64_material encoded(encoder_bench *b, const trilo_material *from, const char *const paths[2],
                                       t3dm_material *m)
{
    trilo_pyrite64_material out;
    CHECK(tl_pyrite64_encode(&b->e, from, paths, m));
    CHECK(m->opaque && m->translated);
    CHECK_INT(tl_pyrite64_read(m->raw, &out), PYRITE64_KNOWN);
    return out;
}

/* Every combination of them. Modes that change what an object leaves behind are restored after it (bit 18). */
TEST(other_modes_become_flags_and_back)
{
    enum { RESTORED = 1 | 4 | 0x10 | 0x80, AA_VALUE = 3 << 19 };
    static encoder_bench b;
    const trilo_material from = {.n64 = NULL};
    encoder_bench_init(&b);
    for (int i = 0; i < 5 * 17 * 5 * 5 * 3 * 2; i++) {
        const int aa = i % 5 - 1, dither = i / 5 % 17 - 1, filter = i / 85 % 5 - 1, z = i / 425 % 5 - 1,
                  perspective = i / 2125 % 3 - 1;
        const modes want = make_modes(aa, dither, filter, z, perspective, i / 6375 != 0);
        const trilo_pyrite64_material m = {.flags = want.flags};
        t3dm_material state = {.translated = false};
        tl_pyrite64_translate(&m, &state);
        CHECK(state.head.other_mode == want.value && state.head.other_mask == want.mask);
        CHECK(state.translated);
        /* There is no mode 3 of anti-aliasing; it counts as 1. */
        const uint32_t flags = aa == 3 ? (want.flags & ~(uint32_t)AA_VALUE) | 1u << 19 : want.flags;
        const trilo_pyrite64_material again = encoded(&b, &from, no_paths, &state);
        CHECK_INT(again.flags, flags | (flags & RESTORED ? 1u << 18 : 0));
        if (i % 1000 == 0)
            tl_arena_free(&b.arena), tl_arena_init(&b.arena, NULL);
    }
    CHECK_INT(b.heard.count, 0);
    encoder_bench_free(&b);
}

/* Each flag alone: what it sets, and nothing else. */
TEST(flags_become_parts_of_the_state)
{
    static const uint8_t engine[32] = {[1] = 8, [5] = 0x10, [11] = 4, [12] = 0x20, [13] = 0x40, [18] = 2};
    for (int bit = 0; bit < 20; bit++) {
        const trilo_pyrite64_material m = {.flags = 1u << bit,
                                           .draw_flags = 0x10015,
                                           .combiner = UINT64_C(0x123456789ABCDEF0),
                                           .blender = 11,
                                           .fog = 12,
                                           .prim = {1, 2, 3, 4},
                                           .env = {5, 6, 7, 8},
                                           .prim_z = -13,
                                           .prim_delta_z = 14,
                                           .z_offset = -15,
                                           .effect = 3,
                                           .alpha_threshold = 77,
                                           .k4 = 16,
                                           .k5 = 17,
                                           .prim_lod = 18};
        t3dm_material to = {.translated = false};
        trilo_n64_material n64 = {0};
        tl_pyrite64_translate(&m, &to);
        CHECK(to.head.combiner == m.combiner);
        CHECK_INT(to.head.blender, 11);
        CHECK_INT(to.head.draw_flags, 0x10015);
        CHECK_INT(to.head.set_flags, bit == 14 ? 1 : bit == 15 ? 2 : 0);
        CHECK_INT(to.head.vertex_effect, 3);
        CHECK(memcmp(to.head.prim, "\1\2\3\4", 4) == 0 && memcmp(to.head.env, "\5\6\7\10", 4) == 0);
        CHECK(memcmp(to.head.blend, "\0\0\0\115", 4) == 0);
        tl_pyrite64_set_engine(&m, &n64);
        CHECK_INT(n64.engine_flags, 1 | engine[bit]);
        CHECK(n64.k4 == 16 && n64.k5 == 17 && n64.prim_lod == 18 && n64.fog_blender == 12);
        CHECK(n64.prim_z == -13 && n64.prim_delta_z == 14 && n64.z_offset == -15);
    }
}

/* And back: each part of the state sets its flag. 0 as a blender is set only where the engine says so. */
TEST(parts_of_the_state_become_flags)
{
    static const struct {
        uint8_t engine, set;
        uint32_t blender, flags;
        uint64_t combiner;
        uint8_t effect;
        int16_t z_offset;
    } rows[] = {{1, 0, 0, 0, 0, 0, 0},
                {2, 0, 0, 0, 0, 0, 0},
                {4, 0, 0, 1 << 11 | 1 << 18, 0, 0, 0},
                {8, 0, 0, 1 << 1 | 1 << 18, 0, 0, 0},
                {0x10, 0, 0, 1 << 5 | 1 << 18, 0, 0, 0},
                {0x20, 0, 0, 1 << 12, 0, 0, 0},
                {0x40, 0, 0, 1 << 13, 0, 0, 0},
                {0, 1, 0, 1 << 14, 0, 0, 0},
                {0, 2, 0, 1 << 15, 0, 0, 0},
                {0, 4, 0, 0, 0, 0, 0},
                {0, 0, 1, 1 << 11 | 1 << 18, 0, 0, 0},
                {0, 0, 0, 1 << 10, 1, 0, 0},
                {0, 0, 0, 1 << 16, 0, 1, 0},
                {0, 0, 0, 1 << 17, 0, 0, -1}};
    static encoder_bench b;
    encoder_bench_init(&b);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_n64_material n64 = {.engine_flags = rows[i].engine,
                                        .k4 = 1,
                                        .k5 = 2,
                                        .prim_lod = 3,
                                        .fog_blender = 4,
                                        .prim_z = 5,
                                        .prim_delta_z = 6,
                                        .z_offset = rows[i].z_offset};
        const trilo_material from = {.n64 = &n64};
        t3dm_material state = {.head = {.combiner = rows[i].combiner,
                                        .blender = rows[i].blender,
                                        .set_flags = rows[i].set,
                                        .vertex_effect = rows[i].effect,
                                        .prim = {1, 2, 3, 4},
                                        .env = {5, 6, 7, 8}},
                               .textures[0] = {.width = 64, .height = 32}};
        const trilo_pyrite64_material m = encoded(&b, &from, no_paths, &state);
        CHECK_INT(m.flags, rows[i].flags);
        CHECK(m.combiner == rows[i].combiner && m.blender == rows[i].blender && m.z_offset == rows[i].z_offset);
        CHECK_INT(m.fog, rows[i].engine == 8 ? 4 : 0);
        CHECK(rows[i].engine != 0x10 || (m.prim_z == 5 && m.prim_delta_z == 6));
        CHECK(rows[i].engine != 0x20 || (m.k4 == 1 && m.k5 == 2));
        CHECK_INT(m.prim_lod, rows[i].engine == 0x40 ? 3 : 0);
        CHECK(rows[i].set != 1 || memcmp(m.prim, "\1\2\3\4", 4) == 0);
        CHECK(rows[i].set != 2 || memcmp(m.env, "\5\6\7\10", 4) == 0);
        CHECK(rows[i].effect == 0 || (m.effect == 1 && m.effect_args[0] == 64 && m.effect_args[1] == 32));
    }
    encoder_bench_free(&b);
}

/* ---- tiles ---- */

static t3dm_texture translate_tile(const trilo_pyrite64_tile *tile, int number, uint16_t width, uint16_t height)
{
    trilo_pyrite64_material m = {.flags = 0x100u << number};
    t3dm_material to = {.textures = {{.width = width, .height = height}, {.width = width, .height = height}}};
    m.tiles[0] = m.tiles[1] = *tile;
    tl_pyrite64_translate(&m, &to);
    const t3dm_texture *other = &to.textures[1 - number];
    CHECK(other->reference == 0 && other->s.high == 0 && other->t.high == 0 && other->s.mask == 0);
    return to.textures[number];
}

/* Bits that the coordinates of so many texels need. */
static int bits_of(uint32_t size)
{
    int bits = 0;
    for (uint32_t last = size - 1; last > 0; last /= 2)
        bits++;
    return bits;
}

TEST(axes_clamp_below_1024_texels)
{
    static const uint16_t repeats[] = {0, 1, 15, 16, 17, 32, 255, 256, 257, 511, 512, 513, 1024, 0x8000, 0xFFFF};
    for (uint16_t size = 0; size <= 300; size++)
        for (size_t i = 0; i < sizeof repeats / sizeof *repeats; i++) {
            const trilo_pyrite64_tile tile = {.s = {96, repeats[i], -2, 1}, .t = {0xFFFF, repeats[i], 3, 0}};
            const uint32_t texels = size ? size : 32, sixteenths = repeats[i] * texels; /* unknown sizes are 32 */
            const bool clamp = sixteenths < 1024 * 16;
            const double high = (clamp ? sixteenths / 16.0 : texels) - 1;
            const t3dm_texture got = translate_tile(&tile, i % 2, size, size);
            CHECK_INT(got.s.clamp, clamp);
            CHECK_INT(got.t.clamp, clamp);
            CHECK(got.s.low == 1.5f && got.t.low == 0xFFFF / 64.0f);
            CHECK(got.s.high == (float)(1.5 + high) && got.t.high == (float)(0xFFFF / 64.0 + high));
            CHECK(got.s.shift == -2 && got.t.shift == 3 && got.s.mirror == 1 && got.t.mirror == 0);
            CHECK_INT(got.s.mask, bits_of(texels));
            CHECK_INT(got.t.mask, bits_of(texels));
        }
    const trilo_pyrite64_tile tile = {.s = {0, 16, 0, 0}, .t = {0, 16, 0, 0}};
    const t3dm_texture got = translate_tile(&tile, 0, 8, 64);
    CHECK(got.s.high == 7 && got.t.high == 63 && got.s.mask == 3 && got.t.mask == 6);
}

TEST(only_placeholders_of_textures_are_references)
{
    for (uint8_t kind = 0; kind < 3; kind++)
        for (uint8_t slot = 0; slot < 8; slot++) {
            const trilo_pyrite64_tile tile = {.placeholder = kind, .slot = slot};
            for (int number = 0; number < 2; number++)
                CHECK_INT(translate_tile(&tile, number, 8, 8).reference, kind == 2 ? slot + 1 : 0);
        }
}

static uint32_t number_of(void *user, const char *path)
{
    (void)user;
    return strcmp(path, "rom:/most.sprite") == 0 ? 0xFFFF : strcmp(path, "rom:/more.sprite") == 0 ? 0x10000 : 7;
}

/* The tile that an axis becomes, for a texture of this size. */
static trilo_pyrite64_axis encode_axis(encoder_bench *b, t3dm_axis axis, uint16_t size, bool down)
{
    static const char *const paths[2] = {"", "rom:/a.sprite"};
    const trilo_material from = {.n64 = NULL};
    t3dm_material m = {.raw = {NULL, 0}};
    m.textures[1] = (t3dm_texture){.width = down ? 1 : size, .height = down ? size : 1};
    *(down ? &m.textures[1].t : &m.textures[1].s) = axis;
    const trilo_pyrite64_material out = encoded(b, &from, paths, &m);
    CHECK_INT(out.flags, 1 << 9);
    CHECK_INT(out.tiles[1].asset, 7);
    CHECK(out.tiles[1].placeholder == 0 && out.tiles[0].asset == TRILO_PYRITE64_NO_ASSET);
    return down ? out.tiles[1].t : out.tiles[1].s;
}

/* Only a power of two repeats more than once. 16 texels of 32 are half a repeat: 8 sixteenths. */
TEST(axes_count_repeats_in_sixteenths)
{
    static const struct {
        float low, high;
        uint16_t size;
        uint8_t clamp;
        uint16_t offset, repeats;
    } rows[] = {{0, 31, 32, 1, 0, 16},
                {0, 15, 32, 1, 0, 8},
                {0, 63, 32, 1, 0, 32},
                {0, 0, 1, 1, 0, 16},
                {0, 2, 1, 1, 0, 48},
                {0, 3, 2, 1, 0, 32},
                {0, 95, 48, 1, 0, 16},
                {0, 95, 47, 1, 0, 16},
                {0, 95, 0, 1, 0, 16},
                {0, 31, 32, 0, 0, 0x8000},
                {0, 1, 32, 1, 0, 1},     /* one sixteenth, the least */
                {0, 0.9f, 32, 1, 0, 16}, /* less: one repeat */
                {0, 2, 32, 1, 0, 2},     /* 1.5 are rounded away from 0 */
                {0, 4094, 1, 1, 0, 65520},
                {0, 4095, 1, 1, 0, 65535}, /* 65536 do not fit */
                {0, 5000, 1, 1, 0, 65535},
                {1, 32, 32, 1, 64, 16},
                {-1, 30, 32, 1, 65536 - 64, 16},
                {0.25f, 31.25f, 32, 1, 16, 16},
                {1024, 1055, 32, 1, 0, 16}, /* offsets are modulo 1024 texels */
                {1023, 1054, 32, 1, 65536 - 64, 16},
                {1e8f, 0, 32, 0, 0, 0x8000}};
    static encoder_bench b;
    encoder_bench_init(&b);
    b.t3dm.asset_number = number_of;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int down = 0; down < 2; down++) {
            const t3dm_axis axis = {rows[i].low, rows[i].high, 0, -5, down ? 1 : 0, rows[i].clamp};
            const trilo_pyrite64_axis got = encode_axis(&b, axis, rows[i].size, down);
            CHECK_INT(got.offset, rows[i].offset);
            CHECK_INT(got.repeats, rows[i].repeats);
            CHECK_INT(got.scale, -5);
            CHECK_INT(got.mirror, down);
        }
    encoder_bench_free(&b);
}

TEST(images_become_numbers)
{
    static const struct {
        const char *path;
        uint32_t number;
    } rows[] = {{"asset:0", 0},
                {"asset:12", 12},
                {"asset:65535", 65535},
                {"asset:65536", TRILO_NONE},
                {"rom:/a.sprite", 7},
                {"rom:/most.sprite", 65535},
                {"rom:/more.sprite", TRILO_NONE}};
    static encoder_bench b;
    encoder_bench_init(&b);
    b.t3dm.asset_number = number_of;
    const trilo_material from = {.n64 = NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int tile = 0; tile < 2; tile++) {
            const char *const paths[2] = {tile == 0 ? rows[i].path : "", tile == 1 ? rows[i].path : ""};
            t3dm_material m = {.raw = {NULL, 0}};
            if (rows[i].number == TRILO_NONE) {
                CHECK(!tl_pyrite64_encode(&b.e, &from, paths, &m));
                CHECK_STR(b.err.rule, "T3DM-PYRITE64-ASSET");
                CHECK_INT(b.err.code, TRILO_CODE_UNSUPPORTED);
                continue;
            }
            const trilo_pyrite64_material out = encoded(&b, &from, paths, &m);
            CHECK_INT(out.flags, 0x100 << tile);
            CHECK_INT(out.tiles[tile].asset, rows[i].number);
        }
    encoder_bench_free(&b);
}

/* References of Tiny3D get slots in the order in which they come, equal ones the same; the ninth has none. */
TEST(references_share_eight_slots)
{
    static encoder_bench b;
    encoder_bench_init(&b);
    const trilo_material from = {.n64 = NULL};
    for (uint32_t i = 0; i < 10; i++) {
        const uint32_t a = 100 + i / 2 * 2, c = 101 + i / 2 * 2; /* each pair twice */
        t3dm_material m = {.textures = {{.reference = a}, {.reference = c}}};
        if (i >= 8) {
            CHECK(!tl_pyrite64_encode(&b.e, &from, no_paths, &m));
            CHECK_STR(b.err.rule, "T3DM-PYRITE64-PLACEHOLDER");
            CHECK_STR(b.err.text, "more than 8 different textures of the game, there are only so many placeholders");
            continue;
        }
        const trilo_pyrite64_material out = encoded(&b, &from, no_paths, &m);
        CHECK_INT(out.flags, 0x300 | 1 << 19); /* two placeholders */
        CHECK(out.tiles[0].placeholder == 2 && out.tiles[1].placeholder == 2);
        CHECK(out.tiles[0].asset == TRILO_PYRITE64_NO_ASSET && out.tiles[1].asset == TRILO_PYRITE64_NO_ASSET);
        CHECK_INT(out.tiles[0].slot, i / 2 * 2);
        CHECK_INT(out.tiles[1].slot, i / 2 * 2 + 1);
    }
    encoder_bench_free(&b);
}

/* Of a material of Pyrite64 they are slots, counted from 1 on. With anti-aliasing, bit 19 is part of its value. */
TEST(slots_of_pyrite64_stay)
{
    static encoder_bench b;
    encoder_bench_init(&b);
    const trilo_n64_material n64 = {.engine_flags = TRILO_N64_ENGINE_LAYERED};
    const trilo_material from = {.n64 = &n64};
    for (uint32_t reference = 1; reference <= 9; reference++)
        for (uint64_t aa = 0; aa < 2; aa++) {
            t3dm_material m = {.head.other_mask = aa << RDP_AA,
                               .textures = {{.reference = reference}, {.reference = aa ? 1 : 0}}};
            if (reference == 9) {
                CHECK(!tl_pyrite64_encode(&b.e, &from, no_paths, &m));
                continue;
            }
            const trilo_pyrite64_material out = encoded(&b, &from, no_paths, &m);
            CHECK_INT(out.tiles[0].slot, reference - 1);
            CHECK_INT(out.tiles[1].slot, 0);
            CHECK_INT(out.flags, aa ? 0x301 | 1 << 18 : 0x100);
        }
    CHECK_INT(b.e.slot_count, 0);
    encoder_bench_free(&b);
}

/* ---- what is lost ---- */

TEST(what_pyrite64_cannot_have_is_reported)
{
    static const char decal[] = "a depth mode (decal, transparent)",
                      fog[] = "fog (of this and other materials: the draw layer has it)";
    static const struct {
        uint64_t mode, mask;
        uint8_t fog, set;
        uint8_t blend[4];
        const char *lost; /* "": nothing */
    } rows[] = {{3 << 10, 0, 0, 0, {0}, ""},
                {1 << 10, 3 << 10, 0, 0, {0}, decal},
                {2 << 10, 3 << 10, 0, 0, {0}, decal},
                {0, 3 << 10, 1, 0, {0}, ""},
                {0, 0, 0, 4, {0, 0, 0, 9}, ""},
                {0, 0, 0, 3, {1, 2, 3, 9}, ""},
                {0, 0, 0, 4, {1, 0, 0, 0}, "a blend colour"},
                {0, 0, 0, 4, {0, 1, 0, 0}, "a blend colour"},
                {0, 0, 0, 4, {0, 0, 1, 0}, "a blend colour"},
                {0, 0, 2, 0, {0}, fog},
                {0, 0, 2, 0, {0}, ""}}; /* reported once */
    static encoder_bench b;
    encoder_bench_init(&b);
    const trilo_material from = {.n64 = NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        t3dm_material m = {
            .head = {
                .other_mode = rows[i].mode, .other_mask = rows[i].mask, .fog = rows[i].fog, .set_flags = rows[i].set}};
        memcpy(m.head.blend, rows[i].blend, 4);
        b.heard.count = 0;
        encoded(&b, &from, no_paths, &m);
        CHECK_INT(b.heard.count, *rows[i].lost ? 1 : 0);
        if (*rows[i].lost) {
            CHECK_STR(b.heard.rules[0], "T3DM-PYRITE64-LOST");
            CHECK(strncmp(b.heard.texts[0], "materials of Pyrite64 cannot have: ", 35) == 0);
            CHECK_STR(b.heard.texts[0] + 35, rows[i].lost);
        }
    }
    encoder_bench_free(&b);
}

TEST(what_tiny3d_cannot_have_is_reported)
{
    static const struct {
        uint8_t engine;
        int16_t z_offset;
        uint64_t combiner;
        const char *lost;
    } rows[] = {{7, 0, 1, ""},
                {8, 0, 1, "a blender of fog"},
                {0x10, 0, 1, "a fixed depth"},
                {0x20, 0, 1, "K4 and K5"},
                {0x40, 0, 1, "a primitive LOD"},
                {0, 1, 1, "a depth offset"},
                {0, 0, 0, "textures and colours without a combiner"}};
    static encoder_bench b;
    encoder_bench_init(&b);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_n64_material n64 = {
            .engine_flags = rows[i].engine, .z_offset = rows[i].z_offset, .combiner = rows[i].combiner};
        t3dm_material to = {.raw = {NULL, 0}};
        b.heard.count = 0;
        CHECK(tl_pyrite64_to_tiny3d(&b.e, &n64, no_paths, &to));
        CHECK_INT(b.heard.count, *rows[i].lost ? 1 : 0);
        if (*rows[i].lost) {
            CHECK(strncmp(b.heard.texts[0], "materials of Tiny3D cannot have: ", 33) == 0);
            CHECK_STR(b.heard.texts[0] + 33, rows[i].lost);
        }
        const char *const paths[2] = {i % 2 ? "asset:31" : "", i % 2 ? "" : "asset:31"};
        CHECK(!tl_pyrite64_to_tiny3d(&b.e, &n64, paths, &to));
        CHECK_STR(b.err.rule, "T3DM-PYRITE64-ASSET");
        CHECK_STR(b.err.text, "the path of asset 31 is not known: the table of its project, filesystem/p64/a, must be "
                              "above the model");
    }
    encoder_bench_free(&b);
}

/* What one material of the model sets, all set, since Tiny3D restores nothing: to what a frame starts with, which is
 * anti-aliasing, depth compared and written, perspective, bilinear, and no dither. */
TEST(modes_of_other_materials_are_set_back)
{
    enum { ALWAYS = 1 | 3 << 10 };
    const uint64_t filter = UINT64_C(3) << RDP_FILTER, bilinear = UINT64_C(2) << RDP_FILTER;
    static const uint8_t bits[] = {3, 4, 5, 34, 36, 37, 38, 39, 51};
    static encoder_bench b;
    encoder_bench_init(&b);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        const uint64_t bit = UINT64_C(1) << bits[i];
        const bool starts = bits[i] <= 5 || bits[i] == 51;
        const trilo_n64_material sets = {.other_mask = bit | 1 << 8, .other_mode = starts ? 0 : bit, .combiner = 1},
                                 plain = {.combiner = 1, .other_mode = 1 << 9};
        const trilo_material materials[] = {{.n64 = &plain}, {.n64 = NULL}, {.n64 = &sets}};
        t3dm_material to = {.raw = {NULL, 0}};
        b.model.materials = materials;
        b.model.material_count = 3;
        CHECK(tl_pyrite64_to_tiny3d(&b.e, &plain, no_paths, &to));
        CHECK(to.head.other_mask == (ALWAYS | filter | bit));
        CHECK(to.head.other_mode == (bilinear | (starts ? bit : 0)));
        CHECK(tl_pyrite64_to_tiny3d(&b.e, &sets, no_paths, &to));
        CHECK(to.head.other_mask == (ALWAYS | filter | bit | 1 << 8)); /* its own, whatever it is */
        CHECK(to.head.other_mode == (bilinear | (starts ? 0 : bit)));
    }
    encoder_bench_free(&b);
}

/* ---- text ---- */

static void text_is(const trilo_pyrite64_material *m, const char *want)
{
    char text[256], cut[8];
    CHECK_INT(trilo_pyrite64_text(m, text, sizeof text), strlen(want));
    CHECK_STR(text, want);
    CHECK_INT(trilo_pyrite64_text(m, cut, sizeof cut), strlen(want));
    CHECK(strlen(cut) < sizeof cut && strncmp(cut, want, strlen(cut)) == 0);
}

TEST(text_names_what_tiny3d_cannot_have)
{
    static const char *const texts[32] = {
        [1] = "fog by shade alpha", [5] = "depth 291, delta -7", [12] = "K4 11, K5 200",
        [13] = "primitive LOD 33",  [17] = "depth offset -40",   [18] = "mode restored after the object"};
    trilo_pyrite64_material m = {
        .fog = 0x0AF00000, .prim_z = 291, .prim_delta_z = -7, .z_offset = -40, .k4 = 11, .k5 = 200, .prim_lod = 33};
    for (int bit = 0; bit < 32; bit++) {
        m.flags = 1u << bit;
        text_is(&m, texts[bit] ? texts[bit] : "");
    }
    m.flags = UINT32_MAX;
    text_is(&m, "fog by shade alpha, depth 291, delta -7, depth offset -40, K4 11, K5 200, primitive LOD 33, mode "
                "restored after the object");
    m.flags = TRILO_PYRITE64_FOG;
    m.fog = 0;
    text_is(&m, "fog none");
    m.fog = 0x00500040;
    text_is(&m, "fog alpha multiply");
}

/* 30000 units are the most, which 58.59375 m are at 512. */
TEST(scale_halves_until_the_model_fits)
{
    for (int k = 0; k < 6; k++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (double scale = 512; scale >= 1; scale /= 2)
                for (int more = 0; more < 2; more++) {
                    float c[6] = {0};
                    c[k] = (float)(sign * (30000 / scale + (more ? 0.25 / scale : 0)));
                    const trilo_bounds box = {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
                    const bool empty = c[0] > c[3] || c[1] > c[4] || c[2] > c[5];
                    CHECK_NEAR(trilo_pyrite64_scale(&box), empty ? 64 : more && scale > 1 ? scale / 2 : scale, 0);
                }
    const trilo_bounds point = {{0, 0, 0}, {0, 0, 0}};
    CHECK_NEAR(trilo_pyrite64_scale(&point), 512, 0);
}

TEST_MAIN(CASE(other_modes_become_flags_and_back), CASE(flags_become_parts_of_the_state),
          CASE(parts_of_the_state_become_flags), CASE(axes_clamp_below_1024_texels),
          CASE(only_placeholders_of_textures_are_references), CASE(axes_count_repeats_in_sixteenths),
          CASE(images_become_numbers), CASE(references_share_eight_slots), CASE(slots_of_pyrite64_stay),
          CASE(what_pyrite64_cannot_have_is_reported), CASE(what_tiny3d_cannot_have_is_reported),
          CASE(modes_of_other_materials_are_set_back), CASE(text_names_what_tiny3d_cannot_have),
          CASE(scale_halves_until_the_model_fits))
