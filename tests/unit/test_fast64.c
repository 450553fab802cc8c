/* Materials made by hand: what each setting of Fast64 becomes, in both of its forms. The wanted words are those that
 * Tiny3D's converter makes. */
#include "harness.h"
#include "support/fast64_files.h"

#include <stdio.h>
#include <string.h>

static void same_state(const fast64_material *got, const fast64_material *want)
{
    const trilo_n64_material *a = &got->n64, *b = &want->n64;
    CHECK_INT(a->combiner, b->combiner);
    CHECK_INT(a->other_mode, b->other_mode);
    CHECK_INT(a->other_mask, b->other_mask);
    CHECK_INT(a->blender, b->blender);
    CHECK_INT(a->draw_flags, b->draw_flags);
    CHECK_INT(a->fog, b->fog);
    CHECK_INT(a->vertex_effect, b->vertex_effect);
}

/* --- whole materials --- */

static void check_axis(const trilo_n64_axis *axis, float low, float high, int mask, int shift, bool mirror, bool clamp)
{
    CHECK_NEAR(axis->low, low, 0);
    CHECK_NEAR(axis->high, high, 0);
    CHECK_INT(axis->mask, mask);
    CHECK_INT(axis->shift, shift);
    CHECK_INT(axis->mirror, mirror);
    CHECK_INT(axis->clamp, clamp);
}

static void check_plain(const fast64_material *m)
{
    CHECK_INT(m->n64.combiner, 0x00127E2488FFFDFE);
    CHECK_INT(m->n64.other_mode, 0x0000200000000000);
    CHECK_INT(m->n64.other_mask, 0x0000300000000C01);
    CHECK_INT(m->n64.blender, 0);
    CHECK_INT(m->n64.draw_flags, 1 + 2 + 4 + 16);
    CHECK_INT(m->n64.fog, 1);
    CHECK_INT(m->n64.set_flags, 0);
    CHECK_INT(m->n64.vertex_effect, 0);
    CHECK_INT(m->n64.blend[3], 255);
    check_axis(&m->n64.tiles[0].s, 0, 31, 5, 0, false, true);
    check_axis(&m->n64.tiles[0].t, 0.5f, 64, 6, -1, false, false);
    check_axis(&m->n64.tiles[1].s, 0, 0, 0, 0, false, false);
    CHECK_INT(m->images[0].width, 32);
    CHECK_INT(m->images[0].height, 64); /* 64.5 */
    CHECK_INT(m->n64.tiles[0].width, 32);
    CHECK_INT(m->n64.tiles[0].texture, TRILO_NONE);
    CHECK_INT(m->n64.tiles[1].texture, TRILO_NONE);
    CHECK_STR(m->images[1].name.data, "");
    CHECK_INT(m->images[1].image, TRILO_NONE);
}

TEST(a_material_in_numbers)
{
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    fast64_read_sample(&s);
    CHECK_INT(s.found, FAST64_READ);
    check_plain(&s.material);
    CHECK_STR(s.material.images[0].name.data, "wall.ci4.png");
    CHECK_INT(s.material.images[0].image, TRILO_NONE);
    CHECK_INT(s.material.n64.prim[0], 255);
    CHECK_INT(s.material.n64.env[3], 255);
    CHECK_INT(s.material.n64.tiles[1].width, 1); /* as the converter has it without S and T */
    CHECK_INT(s.material.n64.tiles[1].height, 1);
    fast64_file_free(&s.file);
}

TEST(a_material_in_words)
{
    fast64_sample s;
    fast64_start(&s, fast64_words);
    fast64_read_sample(&s);
    CHECK_INT(s.found, FAST64_READ);
    check_plain(&s.material);
    CHECK_STR(s.material.images[0].name.data, "wall.ci4");
    CHECK_INT(s.material.images[0].image, 0);
    CHECK(!s.material.images[0].fit[0] && !s.material.images[0].fit[1]);
    CHECK_INT(s.material.n64.tiles[1].width, 0);
    fast64_file_free(&s.file);
}

TEST(booleans_and_floats_as_blender_writes_them)
{
    fast64_sample s, plain;
    fast64_start(&plain, fast64_extras);
    fast64_start(&s, fast64_extras);
    fast64_change(&s, "\"g_cull_back\":1", "\"g_cull_back\":true");
    fast64_change(&s, "\"g_fog\":0", "\"g_fog\":false");
    fast64_change(&s, "\"set_rendermode\":1", "\"set_rendermode\":1.0");
    fast64_change(&s, "\"high\":31", "\"high\":31.0");
    fast64_change(&s, "\"mask\":5", "\"mask\":5.0");
    fast64_change(&s, "\"clamp\":1", "\"clamp\":true");
    fast64_change(&s, "\"A\":1", "\"A\":1.0");
    const fast64_material got = fast64_finish(&s), want = fast64_finish(&plain);
    same_state(&got, &want);
    check_axis(&got.n64.tiles[0].s, 0, 31, 5, 0, false, true);
}

/* --- which form counts --- */

static fast64_found found_in(const char *material)
{
    fast64_sample s;
    fast64_start(&s, "{\"materials\":[@]}");
    fast64_change(&s, "@", material);
    fast64_read_sample(&s);
    CHECK_INT(s.material.n64.combiner, 0);
    CHECK_INT(s.material.n64.other_mask, 0);
    CHECK_INT(s.material.n64.draw_flags, 0);
    CHECK_INT(s.material.n64.tiles[1].texture, TRILO_NONE);
    CHECK_STR(s.material.images[0].name.data, "");
    fast64_file_free(&s.file);
    return s.found;
}

TEST(nothing_there)
{
    CHECK_INT(found_in("{}"), FAST64_ABSENT);
    CHECK_INT(found_in("7"), FAST64_ABSENT);
    CHECK_INT(found_in("{\"extras\":null,\"extensions\":null}"), FAST64_ABSENT);
    CHECK_INT(found_in("{\"extras\":[1],\"extensions\":{\"KHR_materials_unlit\":{}}}"), FAST64_ABSENT);
    CHECK_INT(found_in("{\"extras\":{\"is_f3d\":0,\"mine\":1}}"), FAST64_ABSENT);
    CHECK_INT(found_in("{\"extras\":{\"is_f3d\":1}}"), FAST64_EMPTY);
    CHECK_INT(found_in("{\"extras\":{\"f3d_mat\":{}}}"), FAST64_EMPTY);
    CHECK_INT(found_in("{\"extras\":{\"f3d_mat\":null}}"), FAST64_EMPTY);
    CHECK_INT(found_in("{\"extras\":{\"f3d_mat\":{\"tex0\":{\"tile_scroll\":{}},\"combiner1\":{}}}}"), FAST64_EMPTY);
    CHECK_INT(found_in("{\"extras\":{\"f3d_mat\":{\"tex0\":{},\"combiner1\":{\"A\":1}}}}"), FAST64_BROKEN);
    CHECK_INT(found_in("{\"extensions\":{\"FAST64_materials_n64\":{}}}"), FAST64_EMPTY);
    CHECK_INT(found_in("{\"extras\":{\"f3d_mat\":[]}}"), FAST64_BROKEN);
    CHECK_INT(found_in("{\"extensions\":{\"FAST64_materials_n64\":1}}"), FAST64_BROKEN);
}

/* The first is 1-cycle, the second has SHADE alone. */
TEST(extras_come_first)
{
    fast64_sample s;
    fast64_start(&s, fast64_words);
    fast64_change(&s, "\"TEXEL0\",\"0\",\"SHADE\",\"0\"", "\"0\",\"0\",\"0\",\"SHADE\"");
    fast64_change(&s, "{\"extensions\":", "{\"extras\":{\"f3d_mat\":{}},\"extensions\":");
    CHECK_INT(fast64_finish(&s).n64.combiner, 0x00887F1088FE7D3E);

    fast64_start(&s, fast64_extras);
    fast64_change(&s, "{\"extras\":", "{\"extensions\":{\"FAST64_materials_n64\":7},\"extras\":");
    CHECK_INT(fast64_finish(&s).n64.combiner, 0x00127E2488FFFDFE);

    fast64_start(&s, fast64_extras); /* what is broken does not fall back */
    fast64_change(&s, "{\"extras\":", "{\"extensions\":{\"FAST64_materials_n64\":{}},\"extras\":");
    fast64_change(&s, "\"A\":1", "\"A\":-1");
    fast64_read_sample(&s);
    CHECK_INT(s.found, FAST64_BROKEN);
    fast64_file_free(&s.file);
}

/* --- combiner --- */

typedef struct formula {
    uint8_t color[4], alpha[4];
    uint64_t word;
} formula;

static const formula formulas[] = {
    {{8, 8, 16, 4}, {7, 7, 7, 6}, 0x00887F1088FE7D3E}, {{4, 8, 3, 7}, {7, 7, 7, 6}, 0x0041FE8388FFFDFE},
    {{1, 8, 4, 7}, {7, 7, 7, 6}, 0x00127E2488FFFDFE},  {{8, 8, 16, 1}, {7, 7, 7, 6}, 0x00887F1088FCFC7E},
    {{1, 8, 4, 7}, {7, 7, 7, 1}, 0x00127E2488FFF3F9},  {{8, 8, 16, 1}, {7, 7, 7, 1}, 0x00887F1088FCF279},
    {{1, 8, 4, 7}, {1, 7, 4, 7}, 0x001218248833FFFF},  {{8, 8, 16, 4}, {7, 7, 7, 4}, 0x00887F1088FE793C},
    {{1, 8, 4, 7}, {1, 7, 3, 7}, 0x00121624882FFFFF},
};

static void set_cycle(fast64_sample *s, int cycle, const uint8_t color[4], const uint8_t alpha[4])
{
    static const char *const old[2] = {
        "{\"A\":1,\"B\":8,\"C\":4,\"D\":7,\"A_alpha\":7,\"B_alpha\":7,\"C_alpha\":7,\"D_alpha\":6}",
        "{\"A\": 0,\"B\": 8,\"C\": 3,\"D\": 7,\"A_alpha\": 7,\"B_alpha\": 7,\"C_alpha\": 7,\"D_alpha\": 6}"};
    char text[160];
    snprintf(text, sizeof text,
             "{\"D_alpha\":%d,\"A\":%d,\"B\":%d,\"C\":%d,\"D\":%d,\"A_alpha\":%d,\"B_alpha\":%d,\"C_alpha\":%d}",
             alpha[3], color[0], color[1], color[2], color[3], alpha[0], alpha[1], alpha[2]);
    fast64_change(s, old[cycle], text);
}

static void two_cycles(fast64_sample *s)
{
    fast64_change(s, "\"g_mdsft_cycletype\":0", "\"g_mdsft_cycletype\":1");
}

TEST(known_formulas)
{
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        fast64_sample s;
        fast64_start(&s, fast64_extras);
        set_cycle(&s, 0, formulas[i].color, formulas[i].alpha);
        CHECK_INT(fast64_finish(&s).n64.combiner, (long long)formulas[i].word);
    }
    fast64_sample s; /* TEX0 * SHADE, then COMBINED * PRIM */
    fast64_start(&s, fast64_extras);
    two_cycles(&s);
    CHECK_INT(fast64_finish(&s).n64.combiner, (long long)0x80127E0388FFFDFEu);
}

/* Where each input goes: A, B, C, D of the colour, then of alpha, in both cycles. */
static const uint8_t shifts[2][8] = {{52, 28, 47, 15, 44, 12, 41, 9}, {37, 24, 32, 6, 21, 3, 18, 0}};
static const uint8_t highest[8] = {8, 8, 16, 7, 7, 7, 7, 7};

static uint64_t half_word(int cycle, const uint8_t values[8])
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)values[i] << shifts[cycle][i];
    return word;
}

static uint64_t combine(int cycle_of_two, int field, uint8_t value)
{
    static const uint8_t zeros[4] = {0};
    uint8_t color[4] = {0}, alpha[4] = {0};
    *(field < 4 ? &color[field] : &alpha[field - 4]) = value;
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    set_cycle(&s, 0, cycle_of_two == 1 ? zeros : color, cycle_of_two == 1 ? zeros : alpha);
    set_cycle(&s, 1, cycle_of_two == 1 ? color : zeros, cycle_of_two == 1 ? alpha : zeros);
    if (cycle_of_two >= 0)
        two_cycles(&s);
    return fast64_finish(&s).n64.combiner;
}

TEST(every_input_has_its_bits)
{
    for (int field = 0; field < 8; field++) {
        for (uint8_t value = 0; value <= highest[field]; value++) {
            const uint64_t in_first = (uint64_t)value << shifts[0][field],
                           in_second = (uint64_t)value << shifts[1][field];
            CHECK_INT(combine(-1, field, value), in_first | in_second);
            CHECK_INT(combine(0, field, value), UINT64_C(1) << 63 | in_first);
            CHECK_INT(combine(1, field, value), UINT64_C(1) << 63 | in_second);
        }
    }
}

/* Words of each field, in the order of their numbers. */
static const char *const input_words[8][17] = {
    {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "1", "NOISE", "0"},
    {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "CENTER", "K4", "0"},
    {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "SCALE", "COMBINED_ALPHA", "TEXEL0_ALPHA",
     "TEXEL1_ALPHA", "PRIMITIVE_ALPHA", "SHADE_ALPHA", "ENV_ALPHA", "LOD_FRACTION", "PRIM_LOD_FRAC", "K5", "0"},
    {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "1", "0"},
    {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "1", "0"},
    {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "1", "0"},
    {"LOD_FRACTION", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "PRIM_LOD_FRAC", "0"},
    {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "1", "0"},
};

static void put_words(char *out, size_t room, const uint8_t values[8])
{
    const char *w[8];
    for (int i = 0; i < 8; i++)
        w[i] = input_words[i][values[i]];
    snprintf(out, room, "{\"color\":[\"%s\",\"%s\",\"%s\",\"%s\"],\"alpha\":[\"%s\",\"%s\",\"%s\",\"%s\"]}", w[0], w[1],
             w[2], w[3], w[4], w[5], w[6], w[7]);
}

static const char old_words[] = "{\"color\":[\"TEXEL0\",\"0\",\"SHADE\",\"0\"],\"alpha\":[\"0\",\"0\",\"0\",\"1\"]}";

TEST(every_word_is_its_number)
{
    static const uint8_t known[8] = {1, 8, 4, 7, 7, 7, 7, 6};
    for (int field = 0; field < 8; field++) {
        for (uint8_t value = 0; value <= highest[field]; value++) {
            uint8_t values[8] = {0};
            char text[256], both[600];
            fast64_sample s;
            values[field] = value;
            put_words(text, sizeof text, values);
            fast64_start(&s, fast64_words);
            fast64_change(&s, old_words, text);
            CHECK_INT(fast64_finish(&s).n64.combiner, combine(-1, field, value));

            fast64_start(&s, fast64_words);
            snprintf(both, sizeof both, "%s,%s", old_words, text);
            fast64_change(&s, old_words, both);
            fast64_change(&s, "\"otherModes\":{", "\"otherModes\":{\"cycleType\":\"2CYCLE\",");
            fast64_change(&s, "\"AA_ZB_OPA_SURF\"", "\"PASS\",\"AA_ZB_OPA_SURF2\"");
            CHECK_INT(fast64_finish(&s).n64.combiner, UINT64_C(1) << 63 | half_word(0, known) | half_word(1, values));
        }
    }
}

/* --- draw flags --- */

static uint32_t flags_of(int cycle_of_two, int field, uint8_t value)
{
    /* Zeros that name neither a texture nor the shade. */
    static const uint8_t nothing[8] = {8, 8, 16, 7, 7, 7, 7, 7};
    uint8_t v[8];
    memcpy(v, nothing, sizeof v);
    v[field] = value;
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    set_cycle(&s, 0, cycle_of_two == 1 ? nothing : v, cycle_of_two == 1 ? nothing + 4 : v + 4);
    set_cycle(&s, 1, cycle_of_two == 0 ? nothing : v, cycle_of_two == 0 ? nothing + 4 : v + 4);
    if (cycle_of_two >= 0)
        two_cycles(&s);
    return fast64_finish(&s).n64.draw_flags;
}

TEST(textures_and_shade_are_noticed)
{
    const uint32_t base = TRILO_N64_DEPTH | TRILO_N64_CULL_BACK;
    for (int field = 0; field < 8; field++) {
        for (uint8_t value = 0; value <= highest[field]; value++) {
            const bool texture = value == 1 || value == 2 || (field == 2 && (value == 8 || value == 9));
            const uint32_t want = base | (texture ? 2u : 0u) | (value == 4 ? 4u : 0u);
            CHECK_INT(flags_of(-1, field, value), want);
            CHECK_INT(flags_of(0, field, value), want);
            CHECK_INT(flags_of(1, field, value), want);
        }
    }
}

/* The second combiner does not run in one cycle. */
TEST(what_does_not_run_does_not_count)
{
    static const uint8_t nothing[8] = {8, 8, 16, 7, 7, 7, 7, 7};
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    set_cycle(&s, 0, nothing, nothing + 4);
    set_cycle(&s, 1, (const uint8_t[4]){1, 4, 8, 2}, nothing + 4);
    const fast64_material m = fast64_finish(&s);
    CHECK_INT(m.n64.draw_flags, TRILO_N64_DEPTH | TRILO_N64_CULL_BACK);
    CHECK_INT(m.n64.tiles[0].width, 0); /* and textures are not looked at */
    CHECK_STR(m.images[0].name.data, "");
}

TEST(other_flags)
{
    const uint32_t base = 1 + 2 + 4 + 16;
    CHECK_INT(fast64_changed(fast64_extras, "\"g_cull_back\":1", "\"g_cull_back\":0").n64.draw_flags, base - 16);
    CHECK_INT(fast64_changed(fast64_extras, "\"g_cull_front\":0", "\"g_cull_front\":1").n64.draw_flags, base + 8);
    CHECK_INT(fast64_changed(fast64_extras, "\"g_lighting\":1", "\"g_lighting\":0").n64.draw_flags, base);
    CHECK_INT(fast64_changed(fast64_words, "\"cullBack\":true", "\"cullBack\":false").n64.draw_flags, base - 16);
    CHECK_INT(fast64_changed(fast64_words, "\"cullBack\"", "\"cullFront\"").n64.draw_flags, base - 16 + 8);
    CHECK_INT(fast64_changed(fast64_words, ",\"lighting\":true", "").n64.draw_flags, base);
    fast64_sample s; /* fog shades */
    fast64_start(&s, fast64_extras);
    fast64_change(&s, "\"C\":4", "\"C\":3");
    fast64_change(&s, "\"g_fog\":0", "\"g_fog\":1");
    CHECK_INT(fast64_finish(&s).n64.draw_flags, base);
}

TEST(unlit_when_asked_for)
{
    static const char *const texts[2] = {fast64_extras, fast64_words};
    static const char *const on[2] = {"\"g_lighting\":1", ",\"lighting\":true"};
    static const char *const off[2] = {"\"g_lighting\":false", ""};
    for (int i = 0; i < 2; i++) {
        fast64_sample s;
        fast64_start(&s, texts[i]);
        s.opts.fast64_lighting = true;
        CHECK_INT(fast64_finish(&s).n64.draw_flags, 0x17);
        fast64_start(&s, texts[i]);
        s.opts.fast64_lighting = true;
        fast64_change(&s, on[i], off[i]);
        CHECK_INT(fast64_finish(&s).n64.draw_flags, 0x10017);
    }
}

/* --- render modes --- */

typedef struct mode {
    const char *name;
    int first, second; /* in the lists; -1: not there */
    uint32_t blender, bits;
} mode;

static const mode modes[] = {
    {"ZB_OPA_SURF", 0, 0, 0, 0},
    {"AA_ZB_OPA_SURF", 1, 1, 0, 0},
    {"AA_ZB_OPA_DECAL", 2, 2, 0, 3 << 10},
    {"AA_ZB_OPA_INTER", 3, 3, 0, 1 << 10},
    {"AA_ZB_TEX_EDGE", 4, 4, 0, 1},
    {"AA_ZB_XLU_SURF", 5, 5, 0x00500040, 0},
    {"AA_ZB_XLU_DECAL", 6, 6, 0x00500040, 3 << 10},
    {"AA_ZB_XLU_INTER", 7, 7, 0x00500040, 1 << 10},
    {"FOG_SHADE_A", 8, -1, 0, 0},
    {"FOG_PRIM_A", 9, -1, 0, 0},
    {"PASS", 10, -1, 0, 0},
    {"ADD", 11, 8, 0, 0},
    {"NOOP", 12, 9, 0, 0},
    {"ZB_OPA_SURF", 13, 10, 0, 0},
    {"ZB_OPA_DECAL", 14, 11, 0, 3 << 10},
    {"ZB_XLU_SURF", 15, 12, 0x00500040, 0},
    {"ZB_XLU_DECAL", 16, 13, 0x00500040, 3 << 10},
    {"OPA_SURF", 17, 17, 0, 0},
    {"OPA_SURF", 17, 14, 0, 0}, /* of older versions */
    {"ZB_CLD_SURF", 18, 14, 0, 0},
    {"ZB_CLD_SURF", 18, 15, 0, 0},
    {"ZB_OVL_SURF", -1, 15, 0, 0},
    {"AA_ZB_TEX_TERR", 19, 16, 0, 0},
};
enum { MODES = sizeof modes / sizeof modes[0] };

static void check_surface(fast64_sample *s, uint32_t blender, uint32_t bits)
{
    const fast64_material m = fast64_finish(s);
    CHECK_INT(m.n64.blender, blender);
    CHECK_INT(m.n64.other_mode, 0x0000200000000000 | (long long)bits);
    CHECK_INT(m.n64.other_mask, 0x0000300000000C01);
}

static void set_presets(fast64_sample *s, int first, int second)
{
    char text[64];
    fast64_start(s, fast64_extras);
    snprintf(text, sizeof text, "\"rendermode_preset_cycle_1\":%d", first);
    fast64_change(s, "\"rendermode_preset_cycle_1\":1", text);
    snprintf(text, sizeof text, "\"rendermode_preset_cycle_2\":%d", second);
    fast64_change(s, "\"rendermode_preset_cycle_2\":1", text);
}

TEST(presets_by_number)
{
    for (int i = 0; i < MODES; i++) {
        const mode *m = &modes[i];
        fast64_sample s;
        if (m->first >= 0) {
            set_presets(&s, m->first, 1);
            check_surface(&s, m->blender, m->bits);
            set_presets(&s, m->first, 1); /* the blender is that of the second cycle, the bits are of both */
            two_cycles(&s);
            check_surface(&s, 0, m->bits);
        }
        if (m->second >= 0) {
            set_presets(&s, 8, m->second);
            two_cycles(&s);
            check_surface(&s, m->blender, m->bits);
            set_presets(&s, 8, m->second); /* its bits count, its blender does not */
            check_surface(&s, 0, m->bits);
        }
    }
}

static void set_names(fast64_sample *s, const char *first, const char *second)
{
    char text[64];
    fast64_start(s, fast64_words);
    snprintf(text, sizeof text, second ? "\"%s\",\"%s2\"" : "\"%s\"", first, second);
    fast64_change(s, "\"AA_ZB_OPA_SURF\"", text);
    if (!second)
        return;
    fast64_change(s, "\"otherModes\":{", "\"otherModes\":{\"cycleType\":\"2CYCLE\",");
    char both[256];
    snprintf(both, sizeof both, "%s,%s", old_words, old_words);
    fast64_change(s, old_words, both);
}

TEST(presets_by_name)
{
    for (int i = 0; i < MODES; i++) {
        const mode *m = &modes[i];
        fast64_sample s;
        if (m->first >= 0) {
            set_names(&s, m->name, NULL);
            check_surface(&s, m->blender, m->bits);
            set_names(&s, m->name, "AA_ZB_OPA_SURF");
            check_surface(&s, 0, m->bits);
        }
        if (m->second >= 0) {
            set_names(&s, "FOG_SHADE_A", m->name);
            check_surface(&s, m->blender, m->bits);
        }
    }
}

TEST(draw_layers)
{
    for (int oot = 0; oot <= 2; oot++) {
        for (int sm64 = 0; sm64 <= 7; sm64++) {
            char text[64];
            fast64_sample s;
            fast64_start(&s, fast64_extras);
            snprintf(text, sizeof text, "{\"sm64\":%d,\"oot\":%d}", sm64, oot);
            fast64_change(&s, "{\"sm64\":1,\"oot\":0}", text);
            fast64_change(&s, "\"set_rendermode\":1,", "\"set_rendermode\":0,");
            fast64_change(&s, "\"rendermode_preset_cycle_1\":1,\"rendermode_preset_cycle_2\":1", "\"z\":0");
            const fast64_material m = fast64_finish(&s);
            const bool by_oot = oot > sm64;
            const bool blended = by_oot ? oot == 1 : sm64 >= 5, cutout = by_oot ? oot == 2 : sm64 >= 2 && sm64 <= 4;
            CHECK_INT(m.n64.blender, blended ? 0x00500040 : 0);
            CHECK_INT(m.n64.other_mode, 0x0000200000000000 | (cutout ? 1 : 0));
            CHECK_INT(m.n64.other_mask, 0x0000300000000001);
        }
    }
}

TEST(no_draw_layer)
{
    static const char *const layers[] = {"", "\"draw_layer\":null,", "\"draw_layer\":{},"};
    for (int i = 0; i < 3; i++) {
        fast64_sample s;
        fast64_start(&s, fast64_extras);
        fast64_change(&s, "\"draw_layer\":{\"sm64\":1,\"oot\":0},", layers[i]);
        fast64_change(&s, "\"set_rendermode\":1", "\"set_rendermode\":0");
        const fast64_material m = fast64_finish(&s);
        CHECK_INT(m.n64.blender, 0);
        CHECK_INT(m.n64.other_mode, 0x0000200000000000);
    }
    /* The extension has none at all. */
    const fast64_material m = fast64_changed(fast64_words, ",\"renderMode\":{\"presets\":[\"AA_ZB_OPA_SURF\"]}", "");
    CHECK_INT(m.n64.other_mask, 0x0000300000000001);
    CHECK_INT(m.n64.blender, 0);
}

static fast64_material by_hand(const char *flags, const char *blender)
{
    char text[400];
    snprintf(text, sizeof text, "{\"flags\":{%s}%s}", flags, blender);
    return fast64_changed(fast64_words, "{\"presets\":[\"AA_ZB_OPA_SURF\"]}", text);
}

TEST(render_modes_put_together)
{
    static const char multiply[] = ",\"blender\":[{\"color\":[\"IN\",\"MEM\"],\"alpha\":[\"A_IN\",\"1MA\"]}]";
    static const char add[] = ",\"blender\":[{\"color\":[\"IN\",\"MEM\"],\"alpha\":[\"A_IN\",\"1\"]}]";
    static const char constant[] = ",\"blender\":[{\"color\":[\"IN\",\"MEM\"],\"alpha\":[\"A_FOG\",\"1MA\"]}]";
    static const char other[] = ",\"blender\":[{\"color\":[\"FOG\",\"BL\"],\"alpha\":[\"0\",\"0\"]}]";
    CHECK_INT(by_hand("\"forceBlend\":true", multiply).n64.blender, 0x00500040);
    CHECK_INT(by_hand("\"forceBlend\":true", add).n64.blender, 0x005A0040);
    CHECK_INT(by_hand("\"forceBlend\":true", constant).n64.blender, 0x05500040);
    CHECK_INT(by_hand("\"forceBlend\":true", other).n64.blender, 0xFFAF0000);
    CHECK_INT(by_hand("\"aa\":true", multiply).n64.blender, 0);
    CHECK_INT(by_hand("\"zMode\":\"INTER\"", "").n64.other_mode, 0x0000200000000400);
    CHECK_INT(by_hand("\"zMode\":\"XLU\"", "").n64.other_mode, 0x0000200000000800);
    CHECK_INT(by_hand("\"zMode\":\"DEC\"", "").n64.other_mode, 0x0000200000000C00);
    CHECK_INT(by_hand("\"zMode\":\"OPA\"", "").n64.other_mask, 0x0000300000000C01);
    CHECK_INT(by_hand("\"mulCvgXAlpha\":true", "").n64.other_mode, 0x0000200000000001);
    CHECK_INT(by_hand("\"mulCvgXAlpha\":true,\"forceBlend\":true", add).n64.other_mode, 0x0000200000000000);
    fast64_sample s;
    fast64_start(&s, fast64_words);
    fast64_change(&s, "{\"presets\":[\"AA_ZB_OPA_SURF\"]}", "{\"flags\":{}}");
    fast64_change(&s, "\"otherModes\":{", "\"otherModes\":{\"alphaCompare\":\"THRESHOLD\",");
    CHECK_INT(fast64_finish(&s).n64.other_mode, 0x0000200000000001);
}

/* --- filter, fog, effect --- */

TEST(filters)
{
    static const struct {
        const char *number, *word;
        uint64_t mode;
    } filters[] = {{"0", "POINT", 0}, {"1", "AVERAGE", UINT64_C(3) << 44}, {"2", "BILERP", UINT64_C(2) << 44}};
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "\"g_mdsft_text_filt\":%s", filters[i].number);
        CHECK_INT(fast64_changed(fast64_extras, "\"g_mdsft_text_filt\":2", text).n64.other_mode, filters[i].mode);
        CHECK_INT(fast64_changed(fast64_words, "BILERP", filters[i].word).n64.other_mode, filters[i].mode);
    }
    CHECK_INT(fast64_changed(fast64_words, "\"textureFilter\":\"BILERP\",", "").n64.other_mode, 0);
}

TEST(fog_and_effect)
{
    CHECK_INT(fast64_changed(fast64_extras, "\"g_fog\":0", "\"g_fog\":1").n64.fog, 2);
    CHECK_INT(fast64_changed(fast64_extras, "\"g_tex_gen\":0", "\"g_tex_gen\":true").n64.vertex_effect, 1);
    CHECK_INT(fast64_changed(fast64_words, "\"cullBack\":true", "\"fog\":true").n64.fog, 2);
    CHECK_INT(fast64_changed(fast64_words, "\"cullBack\":true", "\"texGen\":true").n64.vertex_effect, 1);
}

TEST(no_settings)
{
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    s.opts.fast64_lighting = true;
    fast64_change(&s, "\"rdp_settings\":{", "\"others\":{");
    fast64_material m = fast64_finish(&s);
    CHECK_INT(m.n64.combiner, (long long)0x80127E0388FFFDFEu);
    CHECK_INT(m.n64.fog, 0);
    CHECK_INT(m.n64.other_mode, 0);
    CHECK_INT(m.n64.other_mask, 0x0000300000000001);
    CHECK_INT(m.n64.blender, 0);
    CHECK_INT(m.n64.draw_flags, 1 + 2 + 4);

    fast64_start(&s, fast64_words);
    s.opts.fast64_lighting = true;
    fast64_change(&s, "FAST64_materials_f3d\"", "FAST64_materials_other\"");
    m = fast64_finish(&s);
    CHECK_INT(m.n64.fog, 0);
    CHECK_INT(m.n64.draw_flags, 1 + 2 + 4);
    m = fast64_changed(fast64_words, "\"otherModes\"", "\"others\"");
    CHECK_INT(m.n64.combiner, 0x00127E2488FFFDFE);
    CHECK_INT(m.n64.other_mode, 0);
}

/* All but 1CYCLE count as two. */
TEST(cycle_types)
{
    for (int i = 1; i <= 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "\"g_mdsft_cycletype\":%d", i);
        CHECK_INT(fast64_changed(fast64_extras, "\"g_mdsft_cycletype\":0", text).n64.combiner,
                  (long long)0x80127E0388FFFDFEu);
    }
    /* Without a second cycle, what the first one made goes on: (0 - 0) * 0 + COMBINED. */
    const char *const from = "\"otherModes\":{";
    static const uint8_t first[8] = {1, 8, 4, 7, 7, 7, 7, 6}, pass[8] = {8, 8, 16, 0, 7, 7, 7, 0};
    CHECK_INT(fast64_changed(fast64_words, from, "\"otherModes\":{\"cycleType\":\"COPY\",").n64.combiner,
              UINT64_C(1) << 63 | half_word(0, first) | half_word(1, pass));
    CHECK_INT(fast64_changed(fast64_words, from, "\"otherModes\":{\"cycleType\":\"1CYCLE\",").n64.combiner,
              0x00127E2488FFFDFE);
}

TEST_MAIN(CASE(a_material_in_numbers), CASE(a_material_in_words), CASE(booleans_and_floats_as_blender_writes_them),
          CASE(nothing_there), CASE(extras_come_first), CASE(known_formulas), CASE(every_input_has_its_bits),
          CASE(every_word_is_its_number), CASE(textures_and_shade_are_noticed), CASE(what_does_not_run_does_not_count),
          CASE(other_flags), CASE(unlit_when_asked_for), CASE(presets_by_number), CASE(presets_by_name),
          CASE(draw_layers), CASE(no_draw_layer), CASE(render_modes_put_together), CASE(filters), CASE(fog_and_effect),
          CASE(no_settings), CASE(cycle_types))
