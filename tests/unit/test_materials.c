/* Materials files: what each setting does to the N64 state, mistakes with line and column, and that a first file, as it
 * is printed, changes nothing. */
#include "harness.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "support/buffer.h"
#include "support/exercise.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

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

TEST_MAIN(CASE(formulas_are_those_of_libdragon), CASE(presets_print_as_formulas), CASE(settings_reach_the_material),
          CASE(the_rest_follows), CASE(mistakes_have_line_and_column), CASE(images_that_are_missing_are_found_out),
          CASE(it_can_be_ignored), CASE(a_first_file_changes_nothing), CASE(memory_may_run_out))
