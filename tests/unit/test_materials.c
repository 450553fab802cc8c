/* Materials files: what each setting does to the N64 state, mistakes with line and column, and that a first file, as it
 * is printed, changes nothing. */
#include "api/materials/materials.h"
#include "harness.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "support/allocations.h"
#include "support/buffer.h"
#include "support/exercise.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the combiner as text ---- */

static uint64_t word_of(const char *first, const char *second)
{
    uint64_t word = 0;
    char problem[160] = "";
    if (!tl_cc_read(first, second, &word, problem, sizeof problem))
        FAIL("%s: %s", first, problem);
    return word;
}

/* The words are what libdragon's macros RDPQ_COMBINER1 and RDPQ_COMBINER2 compile to. */
TEST(formulas_are_those_of_libdragon)
{
    CHECK(word_of("FLAT", NULL) == 0x00887f1088fdf6fb);
    CHECK(word_of("SHADE", NULL) == 0x00887f1088fe793c);
    CHECK(word_of("TEX", NULL) == 0x00887f1088fcf279);
    CHECK(word_of("TEX_FLAT", NULL) == 0x00119623882fffff);
    CHECK(word_of("RDPQ_COMBINER_TEX_SHADE", NULL) == 0x001218248833ffff);
    CHECK(word_of("(TEX0,ENV,PRIM_ALPHA,SHADE), (TEX0,0,LOD_FRAC,PRIM)", NULL) == 0x0015102a5522773b);
    CHECK(word_of(" ( NOISE, K4 , K5,1 ),(1,0,PRIM_LOD_FRAC,0)", NULL) == 0x0077ecef77db7fbf);
    CHECK(word_of("(TEX0,0,SHADE,0), (0,0,0,TEX0)", "(COMBINED,0,PRIM,0), (0,0,0,COMBINED)") == 0x80127e0388fff3f8);
    CHECK(word_of("(TEX1,TEX0,LOD_FRAC,TEX0), (TEX1,TEX0,LOD_FRAC,TEX0)",
                  "(COMBINED,ENV,COMBINED_ALPHA,TEX1), (TEX1,COMBINED,SHADE,ENV)") == 0x8026a00715309245);
}

TEST(presets_print_as_formulas)
{
    char first[TL_CC_PRINT_ROOM], second[TL_CC_PRINT_ROOM];
    uint64_t word;
    size_t count = 0;
    for (; tl_cc_preset_at(count, &word); count++) {
        tl_cc_print(word, 0, first, sizeof first);
        tl_cc_print(word, 1, second, sizeof second);
        CHECK(word_of(first, tl_cc_unpack(word).two_cycles ? second : NULL) == word);
    }
    CHECK_INT(count, 14);
    tl_cc_print(word_of("Decal On Shaded Solid", NULL), 1, first, sizeof first);
    CHECK_STR(first, "(TEX0,SHADE,TEX0_ALPHA,SHADE), (0,0,0,1)");
}

/* ---- a model with a file beside it ---- */

typedef struct beside {
    const char *materials; /* NULL: none */
    size_t findings;
    char finding[256];
} beside;

static bool give_file(void *user, const char *name, trilo_bytes *bytes)
{
    const beside *b = user;
    if (!b->materials || strcmp(name, "band.materials.toml") != 0)
        return false;
    *bytes = (trilo_bytes){(const uint8_t *)b->materials, strlen(b->materials)};
    return true;
}

static void keep_finding(void *user, const trilo_finding *finding)
{
    beside *b = user;
    if (strncmp(finding->rule, "MATERIALS", 9) != 0)
        return;
    b->findings++;
    snprintf(b->finding, sizeof b->finding, "%s: %s", finding->rule, finding->text);
}

static trilo_load_opts opts_of(beside *b)
{
    return (trilo_load_opts){.name = "band.glb",
                             .companion = give_file,
                             .companion_user = b,
                             .on_finding = keep_finding,
                             .on_finding_user = b};
}

static const trilo_model *load_band(beside *b, trilo_error *err)
{
    buffer file = {0};
    const trilo_load_opts opts = opts_of(b);
    gltf_band(&file, NULL, NULL);
    const trilo_model *model = trilo_model_load(file.data, file.size, &opts, err);
    buffer_free(&file);
    return model;
}

/* "paint" is textured, cut out at 0.25 and orange. */
TEST(settings_reach_the_material)
{
    trilo_error err = {0};
    beside b = {.materials = "[paint]\n"
                             "combiner = 'TEX_FLAT'\n"
                             "blender = 'additive'\n" /* before the layer in the file, after it in effect */
                             "layer = 'transparent decal'\n"
                             "filter = 'point'\ncull = 'front'\ndepth = false\nlit = false\nfog = true\n"
                             "vertex_fx = 'outline'\n"
                             "env_color = [1, 2, 3]\nblend_color = '#01020304'\n"
                             "tex0 = { s = { mirror = true, clamp = true, scale = 0.25 }, t = { low = 1, high = 8.5, "
                             "mask = 4, shift = 2 } }\n"
                             "[paint.tex1]\nreference = 7\nwidth = 32\nheight = 16\n"};
    const trilo_model *model = load_band(&b, &err);
    CHECK(model && model->materials[0].n64);
    const trilo_material *m = &model->materials[0];
    const trilo_n64_material *n = m->n64;
    CHECK(n->combiner == 0x00119623882fffff);
    CHECK(n->blender == TL_BLENDER_ADDITIVE && tl_mode_get(n->other_mode, TL_MODE_Z) == TL_Z_DECAL);
    CHECK(!tl_mode_compares_alpha(n->other_mode) && n->other_mask == TL_MODE_MASK_RENDER_MODE);
    CHECK(tl_mode_get(n->other_mode, TL_MODE_SAMPLING) == TL_SAMPLING_POINT);
    /* fog needs the shade, which the light does not touch */
    CHECK_INT(n->draw_flags, TRILO_N64_TEXTURED | TRILO_N64_SHADED | TRILO_N64_CULL_FRONT | TRILO_N64_UNLIT);
    CHECK_INT(n->fog, TRILO_N64_FOG_ON);
    CHECK_INT(n->vertex_effect, TRILO_N64_EFFECT_OUTLINE);
    CHECK_INT(n->set_flags, TRILO_N64_SET_PRIM | TRILO_N64_SET_ENV | TRILO_N64_SET_BLEND);
    /* the combiner has PRIM, so that is the base colour: 0.5 and 0.25 to the power 0.4545 */
    CHECK(n->prim[0] == 255 && n->prim[1] == 186 && n->prim[2] == 136 && n->prim[3] == 255);
    CHECK(n->env[0] == 1 && n->env[1] == 2 && n->env[2] == 3 && n->env[3] == 255 && n->blend[3] == 4);
    CHECK(n->tiles[0].width == 1 && n->tiles[0].height == 1 && n->tiles[0].texture == 0);
    CHECK(n->tiles[0].s.mirror && n->tiles[0].s.clamp && n->tiles[0].s.shift == -2);
    CHECK(n->tiles[0].s.high == 1 && n->tiles[0].s.mask == 0); /* mirrored once: two texels */
    CHECK(n->tiles[0].t.low == 1 && n->tiles[0].t.high == 8.5f && n->tiles[0].t.mask == 4 && n->tiles[0].t.shift == 2);
    CHECK(n->tiles[1].reference == 7 && n->tiles[1].width == 32 && n->tiles[1].height == 16);
    CHECK(n->tiles[1].s.high == 31 && n->tiles[1].s.mask == 5 && n->tiles[1].t.high == 15);
    CHECK(m->alpha == TRILO_ALPHA_BLEND && !model->meshes[0].colors);
    trilo_model_free(model);
}

/* Without a combiner, the one that shows texture, light and alpha; the base colour goes into the vertices. */
TEST(the_rest_follows)
{
    trilo_error err = {0};
    beside b = {.materials = "[paint]\nlayer = 'transparent'\n"};
    const trilo_model *model = load_band(&b, &err);
    CHECK(model && model->materials[0].n64->combiner == 0x001218248833ffff); /* TEX0 * SHADE, also for alpha */
    CHECK_NEAR(model->meshes[0].colors[3][1], 0.7297, 0.0005);
    CHECK_NEAR(model->materials[0].base_color[1], 1, 0);
    trilo_model_free(model);
    b.materials = "[paint]\ntex0 = false\nalpha_compare = 7\nlayer = 'cutout'\n";
    model = load_band(&b, &err);
    CHECK(model && model->materials[0].n64->combiner == 0x00887F1088FE793C); /* SHADE */
    CHECK_INT(model->materials[0].n64->draw_flags, TRILO_N64_DEPTH | TRILO_N64_SHADED | TRILO_N64_CULL_BACK);
    CHECK_INT(model->materials[0].n64->blend[3], 7);
    trilo_model_free(model);
}

static void check_wrong(const char *materials, const char *where, const char *why)
{
    trilo_error err = {0};
    char place[112];
    beside b = {.materials = materials};
    const trilo_model *model = load_band(&b, &err);
    if (model)
        FAIL("accepted: %s", materials);
    snprintf(place, sizeof place, "band.materials.toml: %s", where);
    CHECK_STR(err.rule, "MATERIALS-FILE");
    /* names of materials are looked at by the check, whose findings have the place in their text */
    if (!strstr(err.path[0] ? err.path : err.text, place) || !strstr(err.text, why))
        FAIL("%s: %s: %s", materials, err.path, err.text);
}

TEST(mistakes_have_line_and_column)
{
    check_wrong("[paint\n", "line 1, column 7", "expected");
    check_wrong("fog = true\n", "line 1, column 7", "is not in a table");
    check_wrong("[paint]\nfog = true\n[pain]\nfog = true\n", "line 3, column 2", "no material \"pain\"");
    check_wrong("[paint.001]\nfog = true\n", "line 1, column 8", "[\"paint.001\"]");
    check_wrong("[paint]\nfgo = true\n", "line 2, column 7", "there is no \"fgo\"");
    check_wrong("[paint]\nfog = 1\n", "line 2, column 7", "true or false");
    check_wrong("[paint]\ncombiner = 'TEX_SHAD'\n", "line 2, column 12", "no combiner \"TEX_SHAD\"");
    check_wrong("[paint]\ncombiner = '(TEX0,0,SHADE,0)'\n", "line 2, column 12", "(A,B,C,D) for alpha");
    check_wrong("[paint]\ncombiner = '(TEX0,0,SHADE,0), (0,0,0,1) x'\n", "line 2, column 12", "(A,B,C,D)");
    check_wrong("[paint]\ncombiner = '(TEX0,NOISE,0,0), (0,0,0,1)'\n", "line 2, column 12",
                "\"NOISE\" cannot be colour B");
    check_wrong("[paint]\ncombiner = '(COMBINED,0,0,0), (0,0,0,1)'\n", "line 2, column 12", "second of two");
    check_wrong("[paint]\ncombiner = ['TEX']\n", "line 2, column 12", "list of two");
    check_wrong("[paint]\nlayer = 'decal'\n", "line 2, column 9", "layer must be");
    check_wrong("[paint]\nalpha_compare = 256\n", "line 2, column 17", "from 1 to 255");
    check_wrong("[paint]\nprim_color = '#12345'\n", "line 2, column 14", "#RRGGBB");
    check_wrong("[paint]\nenv_color = [1, 2, 256]\n", "line 2, column 13", "#RRGGBB");
    check_wrong("[paint]\ntex0 = 3\n", "line 2, column 8", "table");
    check_wrong("[paint]\ntex0 = ''\n", "line 2, column 8", "name of an image");
    check_wrong("[paint]\ntex0 = { width = 8 }\n", "line 2", "go together");
    check_wrong("[paint]\ntex0 = { s = { scale = 3 } }\n", "line 2, column 24", "power of two");
    check_wrong("[paint]\ntex0 = { s = { scale = 2, shift = 1 } }\n", "line 2, column 24", "give one");
    check_wrong("[paint]\ntex0 = { s = { mask = 11 } }\n", "line 2, column 23", "from 0 to 10");
}

TEST(images_that_are_missing_are_found_out)
{
    trilo_error err = {0};
    beside b = {.materials = "[paint]\ntex0 = 'wall.ci4.png'\n"};
    const trilo_model *model = load_band(&b, &err);
    CHECK(model && model->texture_count == 2);
    CHECK_STR(model->textures[1].path.data, "rom:/wall.ci4.sprite");
    CHECK_INT(model->materials[0].n64->tiles[0].texture, 1);
    CHECK_INT(b.findings, 1);
    CHECK(strstr(b.finding, "MATERIALS-IMAGE: band.materials.toml: line 2, column 8: the image wall.ci4.png"));
    trilo_model_free(model);
}

TEST(it_can_be_ignored)
{
    buffer file = {0};
    trilo_error err = {0};
    beside b = {.materials = "[paint\n"};
    trilo_load_opts opts = opts_of(&b);
    opts.ignore_materials_file = true;
    gltf_band(&file, NULL, NULL);
    const trilo_model *model = trilo_model_load(file.data, file.size, &opts, &err);
    CHECK(model && !model->materials[0].n64);
    trilo_model_free(model);
    buffer_free(&file);
}

/* ---- a first file ---- */

static bool drop_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

static void convert_band(beside *b, buffer *out)
{
    trilo_error err = {0};
    const trilo_model *model = load_band(b, &err);
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "band.t3dm", .companion = drop_stream};
    CHECK(model);
    if (!trilo_model_write(model, &write, buffer_sink, out, &err))
        FAIL("%s: %s", err.path, err.text);
    trilo_model_free(model);
}

TEST(a_first_file_changes_nothing)
{
    trilo_error err = {0};
    buffer text = {0}, before = {0}, after = {0};
    beside b = {.materials = NULL};
    const trilo_model *model = load_band(&b, &err);
    CHECK(model && trilo_materials_print(model, buffer_sink, &text));
    trilo_model_free(model);
    buffer_u32(&text, 0);
    CHECK(strstr((const char *)text.data, "\n[paint]\ncombiner = \"Shaded Texture Cutout\"\nlayer = \"cutout\"\n"
                                          "alpha_compare = 64\nfilter = \"bilinear\"\ncull = \"back\"\nlit = true\n"));
    convert_band(&b, &before);
    b.materials = (const char *)text.data;
    convert_band(&b, &after);
    CHECK_INT(after.size, before.size);
    CHECK(memcmp(after.data, before.data, before.size) == 0);
    buffer_free(&text);
    buffer_free(&before);
    buffer_free(&after);
}

/* Every allocation fails once: a clean refusal, or the model. */
TEST(memory_may_run_out)
{
    buffer file = {0};
    bool loaded = false;
    gltf_band(&file, NULL, NULL);
    for (size_t n = 1; !loaded; n++) {
        meter m = {.fail_at = n};
        trilo_error err = {0};
        beside b = {.materials = "[paint]\ntex0 = 'wall.png'\ntex1 = 'other.png'\n"};
        trilo_load_opts opts = opts_of(&b);
        opts.memory = meter_memory(&m, 64 << 20);
        const trilo_model *model = trilo_model_load(file.data, file.size, &opts, &err);
        loaded = model && m.calls < n;
        CHECK(model || err.code == TRILO_CODE_NO_MEMORY);
        CHECK(!model || model->texture_count == 3);
        trilo_model_free(model);
        CHECK(m.now == 0 && n < 10000);
    }
    buffer_free(&file);
}

/* Each allocation alone fails. Without PRIM the colour of the material goes into the vertices. */
TEST(one_allocation_may_fail)
{
    buffer file = {0};
    gltf_band(&file, NULL, NULL);
    for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP) {
        trilo_error err = {0};
        beside b = {.materials = "[paint]\ntex0 = 'wall.png'\ntex1 = 'other.png'\ncombiner = '(TEX0,0,SHADE,0), "
                                 "(0,0,0,TEX0)'\n"};
        const trilo_load_opts opts = opts_of(&b);
        const trilo_model *model = trilo_model_load(file.data, file.size, &opts, &err);
        allocations_allow();
        CHECK(model || (allocations_denied() && err.code == TRILO_CODE_NO_MEMORY));
        if (!model)
            continue;
        const trilo_material *paint = &model->materials[0];
        CHECK(model->texture_count == 3 && paint->n64 && paint->texture == 1 && paint->n64->tiles[1].texture == 2);
        CHECK_STR(model->textures[1].path.data, "rom:/wall.sprite");
        CHECK_STR(model->textures[2].path.data, "rom:/other.sprite");
        CHECK(model->meshes[0].colors && model->meshes[0].colors[3][1] < 1);
        trilo_model_free(model);
    }
    buffer_free(&file);
}

/* ---- every key ---- */

static bool read_settings(tl_arena *arena, const char *text, tl_material_settings *settings, trilo_error *err)
{
    char file[400];
    const tl_materials_reader reader = {"m.toml", err};
    snprintf(file, sizeof file, "[a]\n%s\n", text);
    const tl_toml *root = tl_toml_read(arena, (trilo_bytes){(const uint8_t *)file, strlen(file)}, NULL,
                                       &tl_general_rules[TL_MATERIALS_FILE], err);
    if (!root)
        FAIL("%s: %s", text, err->text);
    return tl_material_settings_read(&reader, root->first, settings);
}

/* Settings of a material that has everything set, so that what a key leaves alone is seen. */
static tl_material_settings settings_before(void)
{
    const trilo_n64_axis axis = {.low = 1, .high = 2, .mask = 3, .shift = 4};
    tl_material_settings s = {.n64 = {.other_mode = ~UINT64_C(0), .draw_flags = 0x1001F, .set_flags = 7, .fog = 0}};
    memset(s.n64.prim, 9, 4), memset(s.n64.env, 9, 4), memset(s.n64.blend, 9, 4);
    for (int i = 0; i < 2; i++)
        s.n64.tiles[i] = (trilo_n64_tile){.texture = 6, .width = 20, .height = 10, .s = axis, .t = axis, .fit = 7};
    return s;
}

static tl_material_settings settings_after(const char *text)
{
    tl_arena arena;
    trilo_error err = {0};
    tl_material_settings s = settings_before();
    tl_arena_init(&arena, NULL);
    if (!read_settings(&arena, text, &s, &err))
        FAIL("%s: %s", text, err.text);
    s.images[0] = s.images[0] ? (const tl_toml *)&arena : NULL; /* only whether there is one */
    s.images[1] = s.images[1] ? (const tl_toml *)&arena : NULL;
    tl_arena_free(&arena);
    return s;
}

/* A mistake, with its place and text. */
static void check_refused(const char *text, unsigned column, const char *why)
{
    tl_arena arena;
    trilo_error err = {0};
    char place[60];
    tl_material_settings s = settings_before();
    tl_arena_init(&arena, NULL);
    if (read_settings(&arena, text, &s, &err))
        FAIL("accepted: %s", text);
    snprintf(place, sizeof place, "m.toml: line 2, column %u", column);
    CHECK_STR(err.path, place);
    CHECK_STR(err.text, why);
    CHECK_INT(err.code, TRILO_CODE_BAD_VALUE);
    CHECK(err.offset == TRILO_NOWHERE);
    tl_arena_free(&arena);
}

#define COLOR_WRONG(key) key " must be \"#RRGGBB\", \"#RRGGBBAA\" or a list of 3 or 4 integers from 0 to 255, or false"
TEST(colors_of_a_material)
{
    static const struct {
        const char *text;
        uint8_t color[4];
    } cases[] = {{"'#0919afAF'", {9, 25, 175, 175}},
                 {"'#fF0a90'", {255, 10, 144, 255}},
                 {"[0, 255, 7]", {0, 255, 7, 255}},
                 {"[1, 2, 3, 0]", {1, 2, 3, 0}}};
    static const char *const wrong[] = {
        "'#12345'",   "'#1234567'",  "'#123456789'", "'0123456'", "'#12345g'", "'#/23456'", "'#:23456'",
        "'#@23456'",  "'#G23456'",   "'#`23456'",    "'#1g3456'", "'#'",       "[1, 2]",    "[1, 2, 3, 4, 5]",
        "[-1, 2, 3]", "[1, 2, 256]", "[1.0, 2, 3]",  "true",      "7",         "''"};
    static const char *const keys[] = {"prim_color", "env_color", "blend_color"};
    for (int key = 0; key < 3; key++) {
        char text[100], why[150];
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            snprintf(text, sizeof text, "%s = %s", keys[key], cases[i].text);
            const tl_material_settings s = settings_after(text);
            const uint8_t *colors[] = {s.n64.prim, s.n64.env, s.n64.blend};
            for (int k = 0; k < 3; k++)
                CHECK(memcmp(colors[k], k == key ? cases[i].color : (const uint8_t[4]){9, 9, 9, 9}, 4) == 0);
            CHECK(s.n64.set_flags == 7 && s.prim == (key == 0));
        }
        snprintf(text, sizeof text, "%s = false", keys[key]);
        CHECK_INT(settings_after(text).n64.set_flags, 7 - (1 << key));
        snprintf(why, sizeof why, COLOR_WRONG("%s"), keys[key]);
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            snprintf(text, sizeof text, "%s = %s", keys[key], wrong[i]);
            check_refused(text, (unsigned)strlen(keys[key]) + 4, why);
        }
    }
}

/* Z is bits 10 and 11 of the other modes, alpha compare 0 and 1, sampling 44 and 45. */
TEST(modes_of_a_material)
{
    static const struct {
        const char *word;
        uint32_t blender, mode;
    } layers[] = {{"opaque", 0, 0},
                  {"opaque decal", 0, 0xC00},
                  {"opaque intersecting", 0, 0x400},
                  {"cutout", 0, 1},
                  {"transparent", TL_BLENDER_ALPHA, 0},
                  {"transparent decal", TL_BLENDER_ALPHA, 0xC00},
                  {"transparent intersecting", TL_BLENDER_ALPHA, 0x400},
                  {"G_RM_AA_ZB_XLU_INTER", TL_BLENDER_ALPHA, 0x400},
                  {"AA_ZB_TEX_EDGE", 0, 1}};
    const uint64_t all = ~UINT64_C(0);
    char text[100];
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        snprintf(text, sizeof text, "layer = '%s'", layers[i].word);
        tl_material_settings s = settings_after(text);
        CHECK(s.n64.blender == layers[i].blender && s.n64.other_mode == ((all & ~UINT64_C(0xC03)) | layers[i].mode));
        CHECK(s.n64.other_mask == UINT64_C(0x300000000C01) && s.n64.blend[3] == 9);
        snprintf(text, sizeof text, "blend_color = [1, 1, 1, 0]\nlayer = '%s'", layers[i].word);
        CHECK_INT(settings_after(text).n64.blend[3], layers[i].mode == 1 ? 128 : 0);
    }
    static const uint32_t blenders[] = {0, TL_BLENDER_ALPHA, TL_BLENDER_CONST_ALPHA, TL_BLENDER_ADDITIVE};
    static const char *const blender_names[] = {"none", "multiply", "multiply const", "additive"};
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "blender = '%s'", blender_names[i]);
        CHECK(settings_after(text).n64.blender == blenders[i] && settings_after(text).n64.other_mask == 0);
    }
    static const char *const filters[] = {"point", NULL, "bilinear", "average"};
    for (uint64_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "filter = '%s'", filters[i] ? filters[i] : "point");
        const tl_material_settings s = settings_after(text);
        CHECK(s.n64.other_mode == ((all & ~(UINT64_C(3) << 44)) | (filters[i] ? i : 0) << 44));
        CHECK(s.n64.other_mask == UINT64_C(0x300000000001));
    }
    CHECK_INT(settings_after("cull = 'none'").n64.draw_flags, 0x10007);
    CHECK_INT(settings_after("cull = 'front'").n64.draw_flags, 0x1000F);
    CHECK_INT(settings_after("cull = 'back'").n64.draw_flags, 0x10017);
    CHECK_INT(settings_after("depth = false").n64.draw_flags, 0x1001E);
    CHECK_INT(settings_after("depth = true").n64.draw_flags, 0x1001F);
    CHECK_INT(settings_after("fog = true").n64.fog, TRILO_N64_FOG_ON);
    CHECK_INT(settings_after("fog = false").n64.fog, TRILO_N64_FOG_OFF);
    CHECK(settings_after("lit = true").lit && settings_after("lit = true").is_lit && settings_after("lit = false").lit);
    CHECK(!settings_after("lit = false").is_lit && !settings_after("fog = true").lit);
    tl_material_settings s = settings_after("alpha_compare = 1");
    CHECK(s.n64.other_mode == (all & ~UINT64_C(2)) && s.n64.blend[3] == 1 && s.n64.set_flags == 7);
    CHECK(s.n64.other_mask == UINT64_C(0x300000000001));
    CHECK_INT(settings_after("alpha_compare = 255").n64.blend[3], 255);
    s = settings_after("alpha_compare = false");
    CHECK(s.n64.other_mode == (all & ~UINT64_C(3)) && s.n64.blend[3] == 9);
    CHECK_INT(settings_after("blend_color = false\nalpha_compare = 3").n64.set_flags, 7);
    static const char *const effects[] = {"none",           "spherical_uv", "celshade_color",
                                          "celshade_alpha", "outline",      "uv_offset"};
    for (int i = 0; i < 6; i++) {
        snprintf(text, sizeof text, "vertex_fx = '%s'", effects[i]);
        CHECK_INT(settings_after(text).n64.vertex_effect, i);
    }
    CHECK(settings_after("combiner = 'TEX'").combiner && !settings_after("fog = true").combiner);
}

TEST(mistakes_in_modes)
{
    check_refused("layer = 'decal'", 9,
                  "layer must be opaque, cutout, transparent, opaque decal, opaque intersecting, transparent decal or "
                  "transparent intersecting, or a render mode such as AA_ZB_OPA_SURF");
    check_refused("blender = 'add'", 11, "blender must be one of none, multiply, multiply const, additive");
    check_refused("filter = true", 10, "filter must be one of point, bilinear, average");
    check_refused("cull = \"back\\u0000\"", 8, "cull must be one of none, front, back");
    check_refused("vertex_fx = ''", 13,
                  "vertex_fx must be one of none, spherical_uv, celshade_color, celshade_alpha, outline, uv_offset");
    check_refused("depth = 1", 9, "depth must be true or false");
    check_refused("lit = 'no'", 7, "lit must be true or false");
    check_refused("fog = 0", 7, "fog must be true or false");
    check_refused("alpha_compare = 0", 17, "alpha_compare must be an integer from 1 to 255");
    check_refused("alpha_compare = true", 17, "alpha_compare must be an integer from 1 to 255");
    check_refused("alpha_compare = 1.0", 17, "alpha_compare must be an integer from 1 to 255");
    for (int i = 0; i < 4; i++) {
        static const char *const wrong[] = {"combiner = []", "combiner = ['TEX', 1]", "combiner = ['a', 'b', 'c']",
                                            "combiner = 7"};
        check_refused(wrong[i], 12, "combiner must be a name or a formula in quotes, or a list of two formulas");
    }
    check_refused("colour = 3", 10,
                  "there is no \"colour\" here, only combiner, prim_color, env_color, blend_color, layer, blender, "
                  "alpha_compare, filter, cull, depth, lit, fog, vertex_fx, tex0, tex1");
    check_refused("b.fog = true", 1,
                  "there is no \"b\" here; the name of a material with a dot needs quotes: [\"a.b\"]");
    check_refused("tex0 = 7", 8, "tex0 must be a table, not an integer");
}

/* Size, and low, high and mask of an axis, follow the texture unless they are given. */
TEST(tiles_of_a_material)
{
    for (int number = 0; number < 2; number++) {
        char text[200];
        static const char *const members[] = {"mask = 0",     "mask = 10",       "shift = -5", "shift = 10",
                                              "low = -1024",  "low = 4095",      "high = 0.5", "mirror = true",
                                              "clamp = true", "scale = 0.03125", "scale = 1",  "scale = 1024.0"};
        for (int axis = 0; axis < 2; axis++)
            for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
                snprintf(text, sizeof text, "tex%d = { %s = { %s } }", number, axis ? "t" : "s", members[i]);
                const tl_material_settings s = settings_after(text);
                const trilo_n64_tile *tile = &s.n64.tiles[number], *other = &s.n64.tiles[1 - number];
                const trilo_n64_axis *set = axis ? &tile->t : &tile->s, *left = axis ? &tile->s : &tile->t;
                CHECK_INT(set->mask, i == 0 ? 0 : i == 1 ? 10 : 3);
                CHECK_INT(set->shift, i == 2 || i == 9 ? -5 : i == 3 || i == 11 ? 10 : i == 10 ? 0 : 4);
                CHECK(set->low == (i == 4 ? -1024 : i == 5 ? 4095 : 1) && set->high == (i == 6 ? 0.5f : 2));
                CHECK(set->mirror == (i == 7) && set->clamp == (i == 8));
                CHECK_INT(tile->fit, i < 2 || (i >= 4 && i < 7) ? 7 - (axis ? 4 : 2) : 7);
                CHECK(left->mask == 3 && left->shift == 4 && left->low == 1 && left->high == 2 && !left->mirror);
                CHECK(tile->texture == 6 && tile->width == 20 && tile->height == 10 && !s.images[number]);
                CHECK(other->fit == 7 && other->s.mask == 3 && other->t.mask == 3 && other->texture == 6);
            }
        snprintf(text, sizeof text, "tex%d = { width = 1, height = 1024 }", number);
        tl_material_settings s = settings_after(text);
        CHECK(s.n64.tiles[number].width == 1 && s.n64.tiles[number].height == 1024 && s.n64.tiles[number].fit == 6);
        snprintf(text, sizeof text, "tex%d = { reference = 4294967295 }", number);
        s = settings_after(text);
        CHECK(s.n64.tiles[number].reference == UINT32_MAX && s.n64.tiles[number].texture == TRILO_NONE);
        CHECK(s.n64.tiles[number].width == 0 && s.n64.tiles[number].fit == 7 && s.n64.tiles[number].s.shift == 0);
        CHECK(s.n64.tiles[number].t.shift == 0 && s.n64.tiles[number].t.mask == 3 && !s.images[number]);
        for (int form = 0; form < 2; form++) {
            snprintf(text, sizeof text, form ? "tex%d = 'a.png'" : "tex%d = { image = 'a.png' }", number);
            s = settings_after(text);
            CHECK(s.images[number] && !s.images[1 - number] && s.n64.tiles[number].texture == TRILO_NONE);
            CHECK(s.n64.tiles[number].fit == 7 && s.n64.tiles[number].s.shift == 0 && s.n64.tiles[number].height == 0);
        }
        snprintf(text, sizeof text, "tex%d = false", number);
        s = settings_after(text);
        CHECK(s.n64.tiles[number].texture == TRILO_NONE && s.n64.tiles[number].fit == 0 && !s.images[number]);
        CHECK(s.n64.tiles[1 - number].texture == 6 && s.n64.tiles[number].s.mask == 0);
    }
}

TEST(mistakes_in_tiles)
{
    check_refused("tex0 = true", 8, "tex0 must be a table, not true or false");
    check_refused("tex1 = { image = 3 }", 18, "image must be the name of an image, in quotes");
    check_refused("tex1 = { image = '' }", 18, "image must be the name of an image, in quotes");
    check_refused("tex1 = ''", 8, "tex1 must be the name of an image, in quotes");
    check_refused("tex0 = { reference = 0 }", 22, "reference must be an integer from 1 to 4294967295");
    check_refused("tex0 = { reference = 4294967296 }", 22, "reference must be an integer from 1 to 4294967295");
    check_refused("tex0 = { width = 0, height = 1 }", 18, "width must be an integer from 1 to 1024");
    check_refused("tex0 = { width = 1, height = 1025 }", 30, "height must be an integer from 1 to 1024");
    check_refused("tex0 = { height = 5 }", 8, "width and height go together");
    check_refused("tex0 = { size = 5 }", 17, "there is no \"size\" here, only image, reference, width, height, s, t");
    check_refused("tex0 = { s = 5 }", 14, "s must be a table, not an integer");
    check_refused("tex0 = { s = { mask = -1 } }", 23, "mask must be an integer from 0 to 10");
    check_refused("tex0 = { s = { mask = 11 } }", 23, "mask must be an integer from 0 to 10");
    check_refused("tex0 = { s = { shift = -6 } }", 24, "shift must be an integer from -5 to 10");
    check_refused("tex0 = { s = { shift = 11 } }", 24, "shift must be an integer from -5 to 10");
    check_refused("tex0 = { t = { low = -1025 } }", 22, "low must be a number of texels from -1024 to 4095");
    check_refused("tex0 = { t = { high = 4095.5 } }", 23, "high must be a number of texels from -1024 to 4095");
    check_refused("tex0 = { t = { high = nan } }", 23, "high must be a number of texels from -1024 to 4095");
    check_refused("tex0 = { t = { high = 'a' } }", 23, "high must be a number of texels from -1024 to 4095");
    for (int i = 0; i < 5; i++) {
        static const char *const wrong[] = {"0.015625", "2048", "3", "0", "true"};
        char text[60];
        snprintf(text, sizeof text, "tex0 = { s = { scale = %s } }", wrong[i]);
        check_refused(text, 24, "scale must be a power of two from 0.03125 to 1024");
    }
    check_refused("tex0 = { s = { scale = 2, shift = 1 } }", 24, "scale and shift are the same; give one");
}

/* ---- a file as it is printed ---- */

TEST(printed_files)
{
    static const char name[] = "q\"\\\x1f\x7f ";
    const trilo_texture textures[] = {{.name = {"wood", 4}, .path = {"", 0}},
                                      {.name = {"stone", 5}, .path = {"rom:/a\"b.sprite", 15}},
                                      {.name = {"", 0}, .path = {"", 0}}};
    const trilo_n64_tile none = {.texture = TRILO_NONE};
    const trilo_n64_material states[] = {
        {.combiner = 0x0015102a5522773b, /* (TEX0,ENV,PRIM_ALPHA,SHADE), (TEX0,0,LOD_FRAC,PRIM) */
         .other_mode = UINT64_C(3) << 44 | 1,
         .draw_flags = TRILO_N64_CULL_FRONT,
         .fog = TRILO_N64_FOG_ON,
         .set_flags = TRILO_N64_SET_PRIM,
         .prim = {1, 0x2A, 255, 16},
         .env = {1, 1, 1, 1},
         .tiles = {{.texture = 0, .s = {.mirror = true}, .t = {.clamp = true}}, none}},
        {.combiner = 0x80127e0388fff3f8, /* two cycles */
         .other_mode = 3 << 10,
         .blender = TL_BLENDER_ADDITIVE,
         .draw_flags = TRILO_N64_CULL_BACK,
         .fog = TRILO_N64_FOG_OFF,
         .set_flags = TRILO_N64_SET_ENV | TRILO_N64_SET_BLEND,
         .env = {0, 10, 0xAB, 255},
         .tiles = {none, {.texture = 1, .s = {.clamp = true}, .t = {.mirror = true}}}},
        {.blender = TL_BLENDER_CONST_ALPHA,
         .other_mode = UINT64_C(1) << 44 | 1 << 10 | 1,
         .blend = {0, 0, 0, 77},
         .tiles = {{.texture = 2}, none}},
        {.combiner = 0x00887f1088fdf6fb, .other_mode = UINT64_C(2) << 44 | 2 << 10, .tiles = {none, none}},
        {.other_mode = 1 << 10, .blender = TL_BLENDER_ALPHA, .tiles = {none, none}},
        {.other_mode = 3 << 10, .tiles = {none, none}}};
    const trilo_material materials[] = {
        {.name = {"a_B-9", 5}, .n64 = &states[0]},
        {.name = {"", 0}, .n64 = &states[0]},
        {.name = {"x.1", 3}, .n64 = &states[1]},
        {.name = {name, 6}, .n64 = &states[2]},
        {.name = {"a_B-9", 5}, .n64 = &states[1]},
        {.name = {"flat", 4}, .n64 = &states[3]},
        {.name = {"mix", 3}, .n64 = &states[4]},
        {.name = {"dec", 3}, .n64 = &states[5]},
        {.name = {"plain", 5}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE, .unlit = true}};
    const trilo_model model = {.texture_count = 3, .textures = textures, .material_count = 9, .materials = materials};
    buffer text = {0};
    CHECK(trilo_materials_print(&model, buffer_sink, &text));
    buffer_u32(&text, 0);
#define NOTE "# The model has N64 settings for it; these are some. A line without # replaces one.\n"
    CHECK_STR((const char *)text.data,
              "# N64 settings of the materials of a model, by name. docs/materials.md lists all keys.\n"
              "\n[a_B-9]\n" NOTE "# combiner = \"(TEX0,ENV,PRIM_ALPHA,SHADE), (TEX0,0,LOD_FRAC,PRIM)\"\n"
              "# layer = \"cutout\"\n# alpha_compare = 1\n# filter = \"average\"\n# cull = \"front\"\n# fog = true\n"
              "# prim_color = \"#012AFF10\"\n# the image of the model: \"wood\"\n"
              "# tex0 = { s = { mirror = true, clamp = false }, t = { mirror = false, clamp = true } }\n"
              "\n# Material 1 has no name, so it cannot be set here.\n"
              "\n[\"x.1\"]\n" NOTE
              "# combiner = [\"(TEX0,0,SHADE,0), (0,0,0,TEX0)\", \"(COMBINED,0,PRIM,0), (0,0,0,COMBINED)\"]\n"
              "# layer = \"transparent decal\"\n# blender = \"additive\"\n# filter = \"point\"\n# cull = \"back\"\n"
              "# fog = false\n# env_color = \"#000AABFF\"\n# the image of the model: \"rom:/a\\\"b.sprite\"\n"
              "# tex1 = { s = { mirror = false, clamp = true }, t = { mirror = true, clamp = false } }\n"
              "\n[\"q\\\"\\\\\\u001F\\u007F \"]\n" NOTE
              "# layer = \"transparent intersecting\"\n# blender = \"multiply const\"\n# alpha_compare = 77\n"
              "# filter = \"point\"\n# cull = \"none\"\n"
              "# tex0 = { s = { mirror = false, clamp = false }, t = { mirror = false, clamp = false } }\n"
              "\n[flat]\n" NOTE
              "# combiner = \"FLAT\"\n# layer = \"opaque\"\n# filter = \"bilinear\"\n# cull = \"none\"\n"
              "\n[mix]\n" NOTE "# layer = \"transparent intersecting\"\n# filter = \"point\"\n# cull = \"none\"\n"
              "\n[dec]\n" NOTE "# layer = \"opaque decal\"\n# filter = \"point\"\n# cull = \"none\"\n"
              "\n[plain]\ncombiner = \"Shaded Solid\"\nlayer = \"opaque\"\nfilter = \"bilinear\"\n"
              "cull = \"back\"\nlit = false\n");
    buffer_free(&text);
}

/* ---- what follows from the settings ---- */

typedef struct follows {
    const char *materials;
    bool textured, unlit, white, colored; /* the material of the model */
} follows;

/* A triangle with one material "paint" and that file beside it; colored: one vertex is grey. */
static const trilo_model *load_triangle(const follows *f, trilo_error *err)
{
    static const float bytes[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, /* then colours */ 1, 1, 1, 0.5f, 0.5f, 0.5f, 1, 1, 1};
    char text[1500];
    buffer file = {0}, bin = {0};
    beside b = {.materials = f->materials};
    const trilo_load_opts opts = opts_of(&b);
    buffer_f32s(&bin, bytes, 18);
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],'buffers':[{'byteLength':72}],"
             "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':36}],'accessors':["
             "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],'max':[1,1,0]},"
             "{'bufferView':1,'componentType':5126,'count':3,'type':'VEC3'}],"
             "'meshes':[{'primitives':[{'attributes':{'POSITION':0%s},'material':0}]}],"
             "'images':[{'uri':'a.png'}],'textures':[{'source':0}],'extensionsUsed':['KHR_materials_unlit'],"
             "'materials':[{'name':'paint','pbrMetallicRoughness':{'baseColorFactor':[%s,1,1,1]%s}%s}]}",
             f->colored ? ",'COLOR_0':1" : "", f->white ? "1" : "0.25",
             f->textured ? ",'baseColorTexture':{'index':0}" : "",
             f->unlit ? ",'extensions':{'KHR_materials_unlit':{}}" : "");
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    const trilo_model *model = trilo_model_load(file.data, file.size, &opts, err);
    buffer_free(&file);
    buffer_free(&bin);
    return model;
}

/* The combiner shows texture and shade; the shade is there for light, colours, or if there is no texture. */
TEST(combiners_and_flags_follow)
{
    for (unsigned bits = 0; bits < 128; bits++) {
        const bool lit = bits & 16, fog = bits & 32, depth = bits & 64;
        char materials[100];
        const follows f = {materials, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
        trilo_error err = {0};
        snprintf(materials, sizeof materials, "[paint]\nlit = %s\n%s%s", lit ? "true" : "false",
                 fog ? "fog = true\n" : "", depth ? "" : "depth = false\n");
        const trilo_model *model = load_triangle(&f, &err);
        if (!model)
            FAIL("%s: %s", err.path, err.text);
        const trilo_n64_material *n = model->materials[0].n64;
        const bool shade = !f.textured || lit || !f.white || f.colored, shaded = shade || fog;
        CHECK(n->combiner == tl_cc_plain(f.textured, shade, TRILO_ALPHA_OPAQUE));
        CHECK_INT(n->draw_flags, (depth ? TRILO_N64_DEPTH : 0) | TRILO_N64_CULL_BACK |
                                     (f.textured ? TRILO_N64_TEXTURED : 0) | (shaded ? TRILO_N64_SHADED : 0) |
                                     (shaded && !lit ? TRILO_N64_UNLIT : 0));
        CHECK_INT(n->fog, fog ? TRILO_N64_FOG_ON : TRILO_N64_FOG_LEAVE);
        CHECK(model->materials[0].unlit == !lit);
        CHECK((model->meshes[0].colors != NULL) == (f.colored || !f.white));
        for (int v = 0; model->meshes[0].colors && v < 3; v++)
            for (int c = 0; c < 4; c++)
                CHECK_NEAR((double)model->meshes[0].colors[v][c], /* with the curve of Tiny3D's converter */
                           pow((f.colored && v == 1 && c < 3 ? 0.5 : 1) * (!f.white && c == 0 ? 0.25 : 1), 0.4545),
                           1e-4);
        trilo_model_free(model);
    }
}

TEST(materials_that_are_not_there)
{
    trilo_error err = {0};
    follows f = {.materials = "['']\nfog = true\n", .white = true};
    CHECK(!load_triangle(&f, &err) && strstr(err.text, "the model has no material \"\"; its first one is \"paint\""));
    f.materials = "[paint]\nfog = true\n[wood]\n[stone]\n";
    CHECK(!load_triangle(&f, &err) &&
          strstr(err.text, "the model has no material \"wood\"; its first one is \"paint\""));
    f.materials = "[Paint]\n";
    CHECK(!load_triangle(&f, &err) && strstr(err.text, "the model has no material \"Paint\""));
}

TEST_MAIN(CASE(formulas_are_those_of_libdragon), CASE(presets_print_as_formulas), CASE(settings_reach_the_material),
          CASE(the_rest_follows), CASE(mistakes_have_line_and_column), CASE(images_that_are_missing_are_found_out),
          CASE(it_can_be_ignored), CASE(a_first_file_changes_nothing), CASE(memory_may_run_out),
          CASE(one_allocation_may_fail), CASE(colors_of_a_material), CASE(modes_of_a_material), CASE(mistakes_in_modes),
          CASE(tiles_of_a_material), CASE(mistakes_in_tiles), CASE(printed_files), CASE(combiners_and_flags_follow),
          CASE(materials_that_are_not_there))
