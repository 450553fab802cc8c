/* Colours and textures of Fast64 materials, and every way in which the data can be broken. */
#include "base/gamma.h"
#include "harness.h"
#include "support/fast64_files.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* --- colours --- */

/* A shade as Blender keeps it: the light of an 8-bit sRGB value. */
static void set_shade(fast64_sample *s, const char *key, int shade)
{
    char from[64], to[128], number[32];
    trilo_float_print(tl_srgb_decode((float)shade / 255), number);
    snprintf(from, sizeof from, "\"%s\":[", key);
    snprintf(to, sizeof to, "\"%s\":[%s,0,1,0.5],\"old_%s\":[", key, number, key);
    fast64_change(s, from, to);
}

TEST(gamma_of_the_converter)
{
    static const uint8_t pairs[][2] = {{0, 0}, {5, 13}, {32, 37}, {128, 127}, {192, 190}, {255, 255}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        fast64_sample s;
        fast64_start(&s, fast64_extras);
        set_shade(&s, "prim_color", pairs[i][0]);
        set_shade(&s, "env_color", pairs[i][0]);
        set_shade(&s, "blend_color", pairs[i][0]);
        const fast64_material m = fast64_finish(&s);
        const uint8_t want[4] = {pairs[i][1], 0, 255, 127};
        for (int c = 0; c < 4; c++) {
            CHECK_INT(m.n64.prim[c], want[c]);
            CHECK_INT(m.n64.env[c], want[c]);
            CHECK_INT(m.n64.blend[c], want[c]);
        }
    }
}

TEST(srgb_gives_the_picked_shade_back)
{
    for (int shade = 0; shade <= 255; shade++) {
        fast64_sample s;
        fast64_start(&s, fast64_extras);
        s.opts.srgb = true;
        set_shade(&s, "prim_color", shade);
        const fast64_material m = fast64_finish(&s);
        CHECK_INT(m.n64.prim[0], shade);
        CHECK_INT(m.n64.prim[2], 255);
        CHECK_INT(m.n64.prim[3], 128);
    }
}

TEST(colours_out_of_range)
{
    const fast64_material m = fast64_changed(fast64_extras, "[1,1,1,1]", "[-0.5,1e30,7,-3]");
    CHECK_INT(m.n64.prim[0], 0);
    CHECK_INT(m.n64.prim[1], 255);
    CHECK_INT(m.n64.prim[2], 255);
    CHECK_INT(m.n64.prim[3], 0);
}

TEST(set_flags)
{
    CHECK_INT(fast64_changed(fast64_extras, "\"set_prim\":0", "\"set_prim\":1").n64.set_flags, 1);
    CHECK_INT(fast64_changed(fast64_extras, "\"set_env\":0", "\"set_env\":true").n64.set_flags, 2);
    CHECK_INT(fast64_changed(fast64_extras, "\"set_blend\":0", "\"set_blend\":1").n64.set_flags, 4);
    const char *const from = "\"blend\":{\"set\":false,";
    CHECK_INT(fast64_changed(fast64_words, from, "\"blend\":{\"set\":true,").n64.set_flags, 4);
    fast64_material m = fast64_changed(fast64_words, from,
                                       "\"primitive\":{\"set\":true,\"color\":[1,0,0,1]},\"blend\":{\"set\":false,");
    CHECK_INT(m.n64.set_flags, 1);
    CHECK_INT(m.n64.prim[0], 255);
    m = fast64_changed(fast64_words, from,
                       "\"environment\":{\"set\":false,\"color\":[0,1,0,0]},\"blend\":{\"set\":false,");
    CHECK_INT(m.n64.set_flags, 0);
    CHECK_INT(m.n64.env[1], 255);
}

/* A colour without its flag is not looked at. */
TEST(colours_that_are_missing)
{
    fast64_material m = fast64_changed(fast64_extras, "\"set_prim\":0,", "");
    CHECK_INT(m.n64.prim[0], 0);
    m = fast64_changed(fast64_extras, "\"set_blend\":0,\"blend_color\":[0,0,0,1],", "");
    CHECK_INT(m.n64.blend[3], 128);
    m = fast64_changed(fast64_words, "\"blend\":", "\"other\":");
    CHECK_INT(m.n64.blend[3], 128);
    CHECK_INT(m.n64.prim[3], 0);
}

static int cut_at(const char *mode, const char *set, bool mended)
{
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    fast64_change(&s, "\"rendermode_preset_cycle_1\":1", mode);
    fast64_change(&s, "\"set_blend\":0", set);
    s.opts.fast64_cutout = mended;
    return fast64_finish(&s).n64.blend[3];
}

TEST(where_cut_outs_are_cut)
{
    static const char cutout[] = "\"rendermode_preset_cycle_1\":4", opaque[] = "\"rendermode_preset_cycle_1\":1";
    CHECK_INT(cut_at(cutout, "\"set_blend\":0", false), 255);
    CHECK_INT(cut_at(cutout, "\"set_blend\":0", true), 128);
    CHECK_INT(cut_at(cutout, "\"set_blend\":1", true), 255);
    CHECK_INT(cut_at(opaque, "\"set_blend\":0", true), 255);
}

TEST(materials_left_out)
{
    static const char *const texts[] = {fast64_extras, fast64_words, "{\"materials\":[{}]}",
                                        "{\"materials\":[{\"extras\":{\"f3d_mat\":7}}]}"};
    for (int i = 0; i < 4; i++) {
        fast64_sample s;
        fast64_start(&s, texts[i]);
        s.opts.ignore_materials = true;
        const fast64_material m = fast64_finish(&s);
        CHECK_INT(m.n64.combiner, 0);
        CHECK_INT(m.n64.other_mask, 0);
        CHECK_INT(m.n64.blend[3], 0);
        CHECK_INT(m.n64.tiles[0].width, 0);
        CHECK_INT(m.n64.tiles[0].texture, TRILO_NONE);
        CHECK_INT(m.images[0].image, TRILO_NONE);
    }
}

/* --- textures --- */

TEST(sizes_come_from_the_axes)
{
    fast64_material m = fast64_changed(fast64_extras, "\"low\":0,\"high\":31,", "\"low\":4,\"high\":18.5,");
    CHECK_INT(m.n64.tiles[0].width, 15);
    CHECK_INT(m.images[0].width, 15);
    m = fast64_changed(fast64_extras, "\"low\":0,\"high\":31,", "\"low\":40,\"high\":31,"); /* -8: no size */
    CHECK_INT(m.n64.tiles[0].width, 0);
    m = fast64_changed(fast64_extras, "\"high\":31", "\"high\":65535");
    CHECK_INT(m.n64.tiles[0].width, 0);
    m = fast64_changed(fast64_extras, "\"high\":31", "\"high\":65534");
    CHECK_INT(m.n64.tiles[0].width, 65535);
    m = fast64_changed(fast64_extras, "{\"low\":0,\"high\":31,\"mask\":5,\"shift\":0,\"clamp\":1,\"mirror\":0}", "{}");
    CHECK_INT(m.n64.tiles[0].width, 1);
    CHECK_INT(m.n64.tiles[0].s.clamp, 0);
}

/* Both are read when either is used. */
TEST(both_slots)
{
    const fast64_material m = fast64_changed(
        fast64_extras, "\"tex1\":{\"tex\":null}",
        "\"tex1\":{\"S\":{\"mirror\":true,\"low\":1,\"high\":16,\"mask\":4,\"shift\":2},\"tex\":{\"name\":\"b.png\"}}");
    CHECK_INT(m.n64.tiles[1].width, 16);
    CHECK_INT(m.n64.tiles[1].height, 1);
    CHECK(m.n64.tiles[1].s.mirror && !m.n64.tiles[1].s.clamp);
    CHECK_INT(m.n64.tiles[1].s.shift, 2);
    CHECK_INT(m.images[1].name.len, 5);
}

TEST(no_tiles_at_all)
{
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    fast64_change(&s, "\"tex0\"", "\"texA\"");
    fast64_change(&s, "\"tex1\":{\"tex\":null}", "\"tex1\":null");
    const fast64_material m = fast64_finish(&s);
    CHECK_INT(m.n64.tiles[0].width, 0);
    CHECK_INT(m.n64.tiles[1].width, 0);
    CHECK_INT(m.n64.draw_flags & TRILO_N64_TEXTURED, TRILO_N64_TEXTURED);
}

static fast64_material referring(const char *number)
{
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    fast64_change(&s, "\"use_tex_reference\":0", "\"use_tex_reference\":1");
    fast64_change(&s, "\"0x08000000\"", number);
    return fast64_finish(&s);
}

TEST(references)
{
    const fast64_material m = referring("\"0x08000000\"");
    CHECK_INT(m.n64.tiles[0].reference, 0x08000000);
    CHECK_INT(m.n64.tiles[0].width, 16);
    CHECK_INT(m.n64.tiles[0].height, 24);
    CHECK_INT(m.images[0].name.len, 0); /* the name does not count */
    CHECK_INT(m.images[0].image, TRILO_NONE);
    CHECK_INT(referring("\"1\"").n64.tiles[0].reference, 1);
    CHECK_INT(referring("\"010\"").n64.tiles[0].reference, 10);
    CHECK_INT(referring("\"0xfFfFfFfF\"").n64.tiles[0].reference, 0xFFFFFFFF);
    CHECK_INT(referring("\"4294967295\"").n64.tiles[0].reference, 0xFFFFFFFF);
    CHECK_INT(referring("null").n64.tiles[0].reference, 0);

    fast64_sample s;
    fast64_start(&s, fast64_extras);
    fast64_change(&s, "\"use_tex_reference\":0", "\"use_tex_reference\":true");
    fast64_change(&s, "\"tex_reference_size\":[16,24],", "");
    CHECK_INT(fast64_finish(&s).n64.tiles[0].width, 32);
}

TEST(references_in_words)
{
    fast64_material m = fast64_changed(fast64_words, "\"set\":true,\"fields\"",
                                       "\"reference\":{\"texture\":\"0x7\",\"size\":[48,24]},\"fields\"");
    CHECK_INT(m.n64.tiles[0].reference, 7);
    CHECK_INT(m.n64.tiles[0].width, 48);
    CHECK_INT(m.n64.tiles[0].height, 24);
    CHECK_INT(m.images[0].image, TRILO_NONE);
    m = fast64_changed(fast64_words, "\"set\":true,\"fields\"", "\"reference\":{\"texture\":\"12\"},\"fields\"");
    CHECK_INT(m.n64.tiles[0].reference, 12);
    CHECK_INT(m.n64.tiles[0].width, 32);
}

static void check_fitted(const trilo_n64_axis *axis, float high, int mask)
{
    CHECK_NEAR(axis->low, 0, 0);
    CHECK_NEAR(axis->high, high, 0);
    CHECK_INT(axis->mask, mask);
    CHECK_INT(axis->shift, 0);
}

/* A size takes 16 bits, and each axis follows it on its own: the mask is that of the next power of two. */
TEST(sizes_of_images_at_their_limits)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 65535, 65536, 0x80000000, 0x80000001, UINT32_MAX};
    static const int masks[] = {0, 0, 1, 2, 5, 5, 6, 16, 16, 31, 32, 32};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int i = 0; i < SIZES; i++)
        for (int k = 0; k < 16; k++) {
            const int other = (i + 5) % SIZES, tile = k % 2;
            const bool fit[2] = {k & 2, k & 4}, mirror = k & 8;
            fast64_material m = {.n64.tiles = {{.s.mask = 99, .t.mask = 98}, {.s.mask = 99, .t.mask = 98}}};
            trilo_n64_tile *t = &m.n64.tiles[tile];
            memcpy(m.images[tile].fit, fit, sizeof fit);
            t->s = (trilo_n64_axis){.mask = 99, .low = 7, .high = 8, .shift = 3, .clamp = true, .mirror = mirror};
            t->t = (trilo_n64_axis){.mask = 98, .low = 7, .high = 8, .shift = 3, .clamp = mirror, .mirror = true};
            tl_fast64_fit(&m, tile, sizes[i], sizes[other]);
            CHECK_INT(t->width, sizes[i] < 65536 ? sizes[i] : 0);
            CHECK_INT(t->height, sizes[other] < 65536 ? sizes[other] : 0);
            const trilo_n64_axis *axes[2] = {&t->s, &t->t};
            for (int axis = 0; axis < 2; axis++) {
                const int at = axis ? other : i;
                const double length = mirror ? 2 * (double)sizes[at] : (double)sizes[at];
                CHECK_INT(axes[axis]->mask, !fit[axis] ? 99 - axis : masks[at]);
                CHECK(axes[axis]->low == (fit[axis] ? 0 : 7));
                CHECK_INT(axes[axis]->shift, fit[axis] ? 0 : 3);
                CHECK(axes[axis]->high == (!fit[axis] ? 8 : length > 0 ? (float)(length - 1) : 0));
            }
            CHECK_INT(m.n64.tiles[!tile].s.mask, 99);
        }
}

/* Axes that follow the image wait for its size. */
TEST(axes_that_follow_the_image)
{
    fast64_sample s;
    fast64_start(&s, fast64_words);
    fast64_change(&s, "{\"clamp\":true,\"mirror\":false,\"low\":0.0,\"high\":31.0,\"mask\":5,\"shift\":0}",
                  "{\"clamp\":true,\"mirror\":true}");
    fast64_material m = fast64_finish(&s);
    CHECK(m.images[0].fit[0] && !m.images[0].fit[1]);
    CHECK_INT(m.n64.tiles[0].width, 0);
    CHECK(m.n64.tiles[0].s.clamp && m.n64.tiles[0].s.mirror);
    tl_fast64_fit(&m, 0, 33, 17);
    check_fitted(&m.n64.tiles[0].s, 65, 6);
    CHECK_INT(m.n64.tiles[0].t.mask, 6);
    CHECK_INT(m.n64.tiles[0].width, 33);
    CHECK_INT(m.n64.tiles[0].height, 17);
    tl_fast64_fit(&m, 0, 0, 70000);
    check_fitted(&m.n64.tiles[0].s, 0, 0);
    CHECK_INT(m.n64.tiles[0].height, 0);
    m.images[1].fit[1] = true;
    tl_fast64_fit(&m, 1, 1, UINT32_MAX);
    check_fitted(&m.n64.tiles[1].t, 4294967294.0f, 32);
    tl_fast64_fit(&m, 1, 1, 32);
    check_fitted(&m.n64.tiles[1].t, 31, 5);
    tl_fast64_fit(&m, 1, 1, 1);
    check_fitted(&m.n64.tiles[1].t, 0, 0);
}

/* Without a size of its own, a texture is as large as what its axes span: whole texels from 0 to 65535. */
TEST(sizes_that_axes_span)
{
    static const struct {
        const char *low, *high;
        uint16_t size;
    } spans[] = {{"0.0", "31.0", 32},       {"4.0", "14.75", 11}, {"0.0", "65534.0", 65535}, {"0.0", "65535.0", 0},
                 {"0.0", "65534.5", 65535}, {"1.0", "0.0", 0},    {"0.0", "-1.5", 0},        {"-2.0", "2.0", 5},
                 {"3.0", "2.5", 0},         {"0.0", "0.0", 1},    {"65535.0", "65535.0", 1}, {"2.0", "0.0", 0}};
    enum { COUNT = sizeof spans / sizeof *spans };
    for (int i = 0; i < COUNT; i++) {
        const int k = (i + 3) % COUNT;
        char fields[256];
        fast64_sample s;
        fast64_start(&s, fast64_words);
        snprintf(fields, sizeof fields,
                 "\"fields\":[{\"low\":%s,\"high\":%s,\"mask\":1,\"shift\":2},{\"low\":%s,\"high\":%s,\"mask\":3,"
                 "\"shift\":-4}],\"others\"",
                 spans[i].low, spans[i].high, spans[k].low, spans[k].high);
        fast64_change(&s, "\"fields\"", fields);
        const fast64_material m = fast64_finish(&s);
        CHECK_INT(m.images[0].width, spans[i].size);
        CHECK_INT(m.images[0].height, spans[k].size);
        CHECK(!m.images[0].fit[0] && !m.images[0].fit[1]);
        CHECK_INT(m.n64.tiles[0].s.mask, 1);
        CHECK_INT(m.n64.tiles[0].s.shift, 2);
        CHECK_INT(m.n64.tiles[0].t.mask, 3);
        CHECK_INT(m.n64.tiles[0].t.shift, -4);
    }
}

/* An axis without numbers follows the image; one of the four numbers asks for all. */
TEST(axes_with_one_number)
{
    static const char *const keys[] = {"low", "high", "mask", "shift", "other"};
    for (int i = 0; i < 25; i++) {
        char fields[256];
        fast64_sample s;
        fast64_start(&s, fast64_words);
        snprintf(fields, sizeof fields, "\"fields\":[{\"%s\":1},{\"%s\":1}],\"others\"", keys[i / 5], keys[i % 5]);
        fast64_change(&s, "\"fields\"", fields);
        fast64_read_sample(&s);
        CHECK_INT(s.found, i / 5 == 4 && i % 5 == 4 ? FAST64_READ : FAST64_BROKEN);
        fast64_file_free(&s.file);
    }
}

TEST(axes_that_follow_a_reference)
{
    fast64_sample s;
    fast64_start(&s, fast64_words);
    fast64_change(&s, "\"low\":0.0,\"high\":31.0,\"mask\":5,\"shift\":0", "\"mine\":0");
    fast64_change(&s, "\"set\":true,\"fields\"", "\"reference\":{\"texture\":\"1\",\"size\":[48,24]},\"fields\"");
    const fast64_material m = fast64_finish(&s);
    check_fitted(&m.n64.tiles[0].s, 47, 6);
    CHECK_INT(m.n64.tiles[0].width, 48);
}

/* The file has the picture: the head of a PNG of 20 x 40 pixels. */
TEST(axes_that_follow_a_picture)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0,  0, 0, 13, 'I', 'H', 'D',
                                  'R',  0,   0,   0,   20,   0,    0,    0,    40, 8, 6, 0,  0,   0};
    gltf_image image = {.bytes = {png, sizeof png}};
    fast64_sample s;
    fast64_start(&s, fast64_words);
    fast64_change(&s, "\"extensions\":{\"FAST64_sampler_n64\":{",
                  "\"wrapS\":33071,\"wrapT\":33648,\"extras\":{\"a\":{");
    fast64_read_sample(&s);
    CHECK_INT(s.found, FAST64_READ);
    CHECK(s.material.images[0].fit[0] && s.material.images[0].fit[1]);
    CHECK_INT(s.material.n64.tiles[0].width, 0);
    s.file.gltf.images = &image;
    CHECK_INT(
        tl_fast64_read(&s.file.gltf, s.file.gltf.tables[GLTF_MATERIALS].items[0], &s.material, &s.where, &s.problem),
        FAST64_READ);
    check_fitted(&s.material.n64.tiles[0].s, 19, 5);
    check_fitted(&s.material.n64.tiles[0].t, 39, 6);
    CHECK(s.material.n64.tiles[0].s.clamp && !s.material.n64.tiles[0].s.mirror);
    CHECK(s.material.n64.tiles[0].t.mirror && !s.material.n64.tiles[0].t.clamp);
    CHECK_INT(s.material.n64.tiles[0].width, 20);
    CHECK_INT(s.material.images[0].height, 40);
    fast64_file_free(&s.file);
}

TEST(textures_without_sampler_or_source)
{
    const fast64_material m = fast64_changed(fast64_words, "{\"sampler\":0,\"source\":0}", "{\"name\":\"a\"}");
    CHECK(m.images[0].fit[0] && m.images[0].fit[1]);
    CHECK_INT(m.images[0].image, TRILO_NONE);
    CHECK_INT(fast64_changed(fast64_words, "\"0\":{\"index\":1}", "\"1\":{\"index\":1}").images[1].image, 0);
    CHECK_INT(fast64_changed(fast64_words, "\"textures\":{", "\"none\":{").images[0].image, TRILO_NONE);
}

/* --- broken --- */

typedef struct broken {
    const char *from, *to;
    const char *where; /* the text that is pointed at begins so */
    const char *problem;
} broken;

static void check_broken(const char *text, const broken *b)
{
    fast64_sample s;
    fast64_start(&s, text);
    fast64_change(&s, b->from, b->to);
    fast64_read_sample(&s);
    if (s.found != FAST64_BROKEN)
        FAIL("%s is not noticed", b->to);
    CHECK_STR(s.problem, b->problem);
    if (strncmp(s.text + s.where->at, b->where, strlen(b->where)) != 0)
        FAIL("%s points at %.20s", b->to, s.text + s.where->at);
    CHECK_INT(s.material.n64.combiner, 0);
    CHECK_INT(s.material.images[0].name.len, 0);
    fast64_file_free(&s.file);
}

#define INPUT(key, high) key " of a combiner is required, an integer from 0 to " high
#define FLAG(key)        key " is required, as true or false, or 1 or 0"
#define COLOR(key)       key " is required, four numbers"
#define AXIS(key)        key " of a texture axis is required, a number"
#define BYTE(key)        key " of a texture axis is required, an integer from -128 to 127"
#define SWITCH(key)      key " of a texture axis must be true or false, or 1 or 0"
#define OBJECT(key)      key " must be an object"
#define PRESET_1         "rendermode_preset_cycle_1 is required, an integer from 0 to 19"
#define PRESET_2         "rendermode_preset_cycle_2 is required, an integer from 0 to 17"
#define CYCLE_TYPE       "g_mdsft_cycletype is required, an integer from 0 to 3"
#define FILTER           "g_mdsft_text_filt is required, an integer from 0 to 2"

static const broken extras_broken[] = {
    {"\"f3d_mat\":{", "\"f3d_mat\":[],\"x\":{", "[]", OBJECT("f3d_mat")},
    {"\"combiner1\":", "\"combinerA\":", "{\"combinerA", "combiner1 is required, an object"},
    {"\"combiner2\":", "\"combiner2\":5,\"x\":", "5", "combiner2 is required, an object"},
    {"\"A\":1,", "", "{\"B\":8", INPUT("A", "8")},
    {"\"A\":1", "\"A\":null", "{\"A\":null", INPUT("A", "8")},
    {"\"A\":1", "\"A\":9", "9", INPUT("A", "8")},
    {"\"A\":1", "\"A\":-1", "-1", INPUT("A", "8")},
    {"\"A\":1", "\"A\":1.5", "1.5", INPUT("A", "8")},
    {"\"A\":1", "\"A\":true", "true", INPUT("A", "8")},
    {"\"B\":8", "\"B\":1e300", "1e300", INPUT("B", "8")},
    {"\"C\":4", "\"C\":17", "17", INPUT("C", "16")},
    {"\"D\":7", "\"D\":8", "8", INPUT("D", "7")},
    {"\"A_alpha\":7", "\"A_alpha\":8", "8", INPUT("A_alpha", "7")},
    {"\"B_alpha\":7", "\"B_alpha\":8", "8", INPUT("B_alpha", "7")},
    {"\"C_alpha\":7", "\"C_alpha\":8", "8", INPUT("C_alpha", "7")},
    {"\"D_alpha\":6", "\"D_alpha\":\"6\"", "\"6\"", INPUT("D_alpha", "7")},
    {"\"A\": 0", "\"A\": 9", "9", INPUT("A", "8")}, /* also of a cycle that does not run */
    {",\"D_alpha\": 6", "", "{\"A\": 0", INPUT("D_alpha", "7")},
    {"\"set_prim\":0", "\"set_prim\":2", "2", FLAG("set_prim")},
    {"\"set_env\":0", "\"set_env\":\"yes\"", "\"yes\"", FLAG("set_env")},
    {"\"set_blend\":0", "\"set_blend\":[]", "[]", FLAG("set_blend")},
    {"\"prim_color\":[1,1,1,1],", "", "{\"combiner1", COLOR("prim_color")},
    {"[1,1,1,1]", "[1,1,1]", "[1,1,1]", COLOR("prim_color")},
    {"[1,1,1,1]", "[1,1,1,1,1]", "[1,1,1,1,1]", COLOR("prim_color")},
    {"[1,1,1,1]", "[1,\"x\",1,1]", "\"x\"", COLOR("prim_color")},
    {"[1,1,1,1]", "[1,1,1,1e39]", "1e39", COLOR("prim_color")},
    {"\"env_color\":[0,0,0,1]", "\"env_color\":0", "0", COLOR("env_color")},
    {"\"blend_color\":[0,0,0,1]", "\"blend_color\":null", "{\"combiner1", COLOR("blend_color")},
    {"\"rdp_settings\":", "\"rdp_settings\":1,\"x\":", "1", OBJECT("rdp_settings")},
    {"\"rdp_settings\":", "\"rdp_settings\":{},\"x\":", "{}", CYCLE_TYPE},
    {"\"g_mdsft_cycletype\":0", "\"g_mdsft_cycletype\":4", "4", CYCLE_TYPE},
    {"\"g_cull_back\":1,", "", "{\"g_mdsft", FLAG("g_cull_back")},
    {"\"g_cull_front\":0,", "", "{\"g_mdsft", FLAG("g_cull_front")},
    {"\"g_fog\":0", "\"g_fog\":-1", "-1", FLAG("g_fog")},
    {"\"g_mdsft_text_filt\":2", "\"g_mdsft_text_filt\":3", "3", FILTER},
    {"\"g_mdsft_text_filt\":2,", "", "{\"g_mdsft", FILTER},
    {"\"g_tex_gen\":0", "\"g_tex_gen\":{}", "{}", FLAG("g_tex_gen")},
    {"\"set_rendermode\":1,", "", "{\"g_mdsft", FLAG("set_rendermode")},
    {"\"rendermode_preset_cycle_1\":1", "\"rendermode_preset_cycle_1\":20", "20", PRESET_1},
    {"\"rendermode_preset_cycle_1\":1,", "", "{\"g_mdsft", PRESET_1},
    {"\"rendermode_preset_cycle_2\":1", "\"rendermode_preset_cycle_2\":18", "18", PRESET_2},
    {"\"rendermode_preset_cycle_2\":1", "\"rendermode_preset_cycle_2\":4294967296", "4294967296", PRESET_2},
    {"\"tex0\":", "\"tex0\":0,\"x\":", "0", OBJECT("tex0")},
    {"\"tex1\":{\"tex\":null}", "\"tex1\":\"\"", "\"\"", OBJECT("tex1")},
    {"\"S\":", "\"S\":[],\"x\":", "[]", OBJECT("S of a texture")},
    {"\"T\":", "\"T\":1,\"x\":", "1", OBJECT("T of a texture")},
    {"\"low\":0,", "", "{\"high\":31", AXIS("low")},
    {"\"high\":31", "\"high\":\"31\"", "\"31\"", AXIS("high")},
    {"\"high\":31", "\"high\":-1e39", "-1e39", AXIS("high")},
    {"\"mask\":5", "\"mask\":128", "128", BYTE("mask")},
    {",\"mask\":6", "", "{\"low\":0.5", BYTE("mask")},
    {"\"shift\":-1", "\"shift\":-129", "-129", BYTE("shift")},
    {"\"clamp\":1", "\"clamp\":2", "2", SWITCH("clamp")},
    {"\"mirror\":0", "\"mirror\":\"no\"", "\"no\"", SWITCH("mirror")},
    {"\"use_tex_reference\":0", "\"use_tex_reference\":3", "3", FLAG("use_tex_reference")},
    {"\"tex\":{\"name\":\"wall.ci4.png\"}", "\"tex\":1", "1", OBJECT("tex")},
    {"\"name\":\"wall.ci4.png\"", "\"name\":[1]", "[1]", "name of a texture must be a text"},
};

TEST(broken_numbers)
{
    for (size_t i = 0; i < sizeof extras_broken / sizeof extras_broken[0]; i++)
        check_broken(fast64_extras, &extras_broken[i]);
}

/* Each input of both cycles: its largest number, and one beyond; nothing below 0. */
TEST(limits_of_combiner_inputs)
{
    static const struct {
        const char *key;
        int value[2], high; /* in the text, for each cycle */
    } inputs[] = {{"A", {1, 0}, 8},       {"B", {8, 8}, 8},       {"C", {4, 3}, 16},      {"D", {7, 7}, 7},
                  {"A_alpha", {7, 7}, 7}, {"B_alpha", {7, 7}, 7}, {"C_alpha", {7, 7}, 7}, {"D_alpha", {6, 6}, 7}};
    for (int i = 0; i < 16; i++)
        for (int off = -1; off < 2; off++) {
            const int k = i % 8, cycle = i / 8, value = off < 0 ? -1 : inputs[k].high + off;
            char from[32], to[32], where[16], problem[96];
            snprintf(from, sizeof from, "\"%s\":%s%d", inputs[k].key, cycle ? " " : "", inputs[k].value[cycle]);
            snprintf(to, sizeof to, "\"%s\":%d", inputs[k].key, value);
            snprintf(where, sizeof where, "%d", value);
            snprintf(problem, sizeof problem, "%s of a combiner is required, an integer from 0 to %d", inputs[k].key,
                     inputs[k].high);
            if (off == 0)
                fast64_changed(fast64_extras, from, to);
            else
                check_broken(fast64_extras, &(broken){from, to, where, problem});
        }
}

/* The largest number of single precision is one, the next of double precision is not. */
TEST(the_largest_float)
{
    static const broken beyond = {"\"high\":31", "\"high\":3.4028234663852890e38", "3.4028234663852890e38",
                                  AXIS("high")};
    const fast64_material m = fast64_changed(fast64_extras, "\"high\":31", "\"high\":3.4028234663852886e38");
    CHECK(m.n64.tiles[0].s.high == FLT_MAX);
    check_broken(fast64_extras, &beyond);
}

TEST(broken_layers)
{
    static const broken layers[] = {
        {"{\"sm64\":1,\"oot\":0}", "7", "7", OBJECT("draw_layer")},
        {"\"sm64\":1", "\"sm64\":8", "8", "sm64 of draw_layer must be an integer from 0 to 7"},
        {"\"oot\":0", "\"oot\":3", "3", "oot of draw_layer must be an integer from 0 to 2"},
    };
    for (int i = 0; i < 3; i++) {
        fast64_sample s; /* nobody looks at them while there is a render mode */
        fast64_changed(fast64_extras, layers[i].from, layers[i].to);
        fast64_start(&s, fast64_extras);
        fast64_change(&s, "\"set_rendermode\":1", "\"set_rendermode\":0");
        check_broken(s.text, &layers[i]);
    }
}

TEST(broken_references)
{
    static const char problem[] = "tex_reference must be a string with a 32-bit number, decimal or hexadecimal with 0x";
    static const char size_problem[] = "tex_reference_size must be two integers from 0 to 65535";
    static const char *const numbers[] = {"\"\"",           "\"wall\"",        "\"0x\"", "\"12a\"",
                                          "\"0x1g\"",       "\" 1\"",          "\"-1\"", "\"1.0\"",
                                          "\"4294967296\"", "\"0x100000000\"", "8"};
    static const char *const sizes[] = {"[16]", "[16,24,1]", "16"};
    fast64_sample s;
    fast64_start(&s, fast64_extras);
    fast64_change(&s, "\"use_tex_reference\":0", "\"use_tex_reference\":1");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        check_broken(s.text, &(broken){"\"0x08000000\"", numbers[i], numbers[i], problem});
    for (int i = 0; i < 3; i++)
        check_broken(s.text, &(broken){"[16,24]", sizes[i], sizes[i], size_problem});
    check_broken(s.text, &(broken){"[16,24]", "[16,65536]", "65536", size_problem});
    check_broken(s.text, &(broken){"[16,24]", "[-1,24]", "-1", size_problem});
    check_broken(s.text, &(broken){"[16,24]", "[0.5,24]", "0.5", size_problem});
}

#define COLOR_WORDS "color of a combiner cycle is required, four names of inputs"
#define ALPHA_WORDS "alpha of a combiner cycle is required, four names of inputs"
#define CYCLES      "cycles is required, one for each active cycle"
#define PRESETS     "presets must be the names of render modes, one for each cycle that runs"
#define PRESET      "presets must be names of render modes, such as AA_ZB_OPA_SURF"
#define FIELDS      "fields is required, one object for S and one for T"
#define INDEX       "index is required, the index of a texture"
#define REFERENCE   "texture of a reference is required, a string with a 32-bit number, decimal or hexadecimal with 0x"
#define TWO_CYCLES  "\"otherModes\":{\"cycleType\":\"2CYCLE\","

static const broken words_broken[] = {
    {"\"FAST64_materials_n64\":", "\"FAST64_materials_n64\":[],\"x\":", "[]", OBJECT("FAST64_materials_n64")},
    {"\"combiner\":", "\"other\":", "{\"other", "combiner is required, an object"},
    {"\"combiner\":", "\"combiner\":1,\"x\":", "1", OBJECT("combiner")},
    {"\"cycles\":", "\"wheels\":", "{\"set\":true,\"wheels", CYCLES},
    {"\"cycles\":[", "\"cycles\":[],\"x\":[", "[]", CYCLES},
    {"\"cycles\":[{", "\"cycles\":[{},{},{", "[{},{},", CYCLES},
    {"\"cycles\":[{", "\"cycles\":[7],\"x\":[{", "7", COLOR_WORDS},
    {"\"color\":[\"TEXEL0\"", "\"colour\":[\"TEXEL0\"", "{\"colour", COLOR_WORDS},
    {"\"TEXEL0\",\"0\"", "\"TEXEL9\",\"0\"", "\"TEXEL9\"", COLOR_WORDS},
    {"\"TEXEL0\",\"0\"", "\"K5\",\"0\"", "\"K5\"", COLOR_WORDS}, /* only C has it */
    {"\"TEXEL0\",\"0\"", "1,\"0\"", "1", COLOR_WORDS},
    {"\"TEXEL0\",\"0\"", "\"TEXEL0\"", "[\"TEXEL0", COLOR_WORDS},
    {"\"alpha\":[\"0\"", "\"alpha\":[\"NOISE\"", "\"NOISE\"", ALPHA_WORDS},
    {"\"alpha\":[\"0\",", "\"alpha\":[", "[\"0\",\"0\",\"1\"]", ALPHA_WORDS},
    {"\"blend\":{", "\"blend\":0,\"x\":{", "0", OBJECT("blend")},
    {"\"blend\":{", "\"primitive\":7,\"x\":{", "7", OBJECT("primitive")},
    {"\"blend\":{", "\"environment\":[],\"x\":{", "[]", OBJECT("environment")},
    {"\"set\":false,\"color\"", "\"color\"", "{\"color\":[0.0", "set of a colour is required, as true or false"},
    {"\"color\":[0.0,", "\"color\":[", "[0.0,0.0,1.0]", COLOR("color")},
    {"\"otherModes\":{", "\"otherModes\":4,\"x\":{", "4", OBJECT("otherModes")},
    {"BILERP", "SINC", "\"SINC\"", "textureFilter must be POINT, AVERAGE or BILERP"},
    {"\"otherModes\":{", "\"otherModes\":{\"cycleType\":\"3CYCLE\",", "\"3CYCLE\"",
     "cycleType must be 1CYCLE, 2CYCLE, COPY or FILL"},
    {"\"otherModes\":{", "\"otherModes\":{\"cycleType\":2,", "2", "cycleType must be 1CYCLE, 2CYCLE, COPY or FILL"},
    {"\"otherModes\":{", TWO_CYCLES, "[\"AA_ZB", PRESETS},
    {"\"otherModes\":{\"textureFilter\":\"BILERP\",\"renderMode\":", TWO_CYCLES "\"x\":", "[{", CYCLES},
    {"\"renderMode\":{", "\"renderMode\":1,\"x\":{", "1", OBJECT("renderMode")},
    {"[\"AA_ZB_OPA_SURF\"]", "[]", "[]", PRESETS},
    {"[\"AA_ZB_OPA_SURF\"]", "\"AA_ZB_OPA_SURF\"", "\"AA_ZB", PRESETS},
    {"\"AA_ZB_OPA_SURF\"", "\"AA_ZB_OPA_SURF2\"", "\"AA_ZB_OPA_SURF2\"", PRESET},
    {"\"AA_ZB_OPA_SURF\"", "\"G_RM_PASS\"", "\"G_RM_PASS\"", PRESET},
    {"\"AA_ZB_OPA_SURF\"", "\"ZB_OVL_SURF\"", "\"ZB_OVL_SURF\"", PRESET},
    {"\"AA_ZB_OPA_SURF\"", "4", "4", PRESET},
    {"\"AA_ZB_OPA_SURF\"", "\"PASS\",\"PASS2\"", "\"PASS2\"",
     "the second of presets must be the name of a render mode, such as AA_ZB_OPA_SURF2"},
    {"\"presets\":", "\"flags\":", "[\"AA_ZB", OBJECT("flags")},
    {"\"presets\":[\"AA_ZB_OPA_SURF\"]", "\"flags\":{\"zMode\":\"OPAL\"}", "\"OPAL\"",
     "zMode must be OPA, INTER, XLU or DEC"},
    {"\"presets\":[\"AA_ZB_OPA_SURF\"]", "\"flags\":{\"forceBlend\":true}", "{\"flags",
     "blender is required, one step for each active cycle"},
    {"\"presets\":[\"AA_ZB_OPA_SURF\"]", "\"flags\":{\"forceBlend\":true},\"blender\":[4]", "4",
     "color of a blender step must be two of IN, MEM, BL, FOG"},
    {"\"presets\":[\"AA_ZB_OPA_SURF\"]",
     "\"flags\":{\"forceBlend\":1},\"blender\":[{\"color\":[\"IN\",\"OUT\"],\"alpha\":[\"0\",\"0\"]}]", "\"OUT\"",
     "color of a blender step must be two of IN, MEM, BL, FOG"},
    {"\"presets\":[\"AA_ZB_OPA_SURF\"]",
     "\"flags\":{\"forceBlend\":1},\"blender\":[{\"color\":[\"IN\",\"IN\"],\"alpha\":[\"0\",\"A_IN\"]}]", "\"A_IN\"",
     "alpha of a blender step must be one of A_IN, A_FOG, A_SHADE, 0 and one of 1MA, A_MEM, 1, 0"},
    {"\"textures\":{", "\"textures\":1,\"x\":{", "1", OBJECT("textures")},
    {"\"0\":{\"index\":1}", "\"0\":1", "1", "textures must hold objects"},
    {"\"0\":{\"index\":1}", "\"0\":{}", "{}", INDEX},
    {"\"index\":1", "\"index\":2", "2", INDEX},
    {"\"index\":1", "\"index\":-1", "-1", INDEX},
    {"\"sampler\":0", "\"sampler\":1", "1", "sampler must be the index of a sampler"},
    {"\"source\":0", "\"source\":1", "1", "source of a texture must be the index of an image"},
    {"\"FAST64_sampler_n64\":", "\"FAST64_sampler_n64\":0,\"x\":", "0", OBJECT("FAST64_sampler_n64")},
    {"\"fields\":", "\"meadows\":", "{\"set\":true,\"meadows", FIELDS},
    {"\"fields\":[", "\"fields\":[1,", "[1,", FIELDS},
    {"\"fields\":[", "\"fields\":[1,{}],\"x\":[", "1", "fields must be two objects"},
    {"\"low\":0.0,", "", "{\"clamp\":true", AXIS("low")},
    {"\"clamp\":true", "\"clamp\":7", "7", SWITCH("clamp")},
    {"\"set\":true,\"fields\"", "\"reference\":1,\"fields\"", "1", OBJECT("reference")},
    {"\"set\":true,\"fields\"", "\"reference\":{},\"fields\"", "{}", REFERENCE},
    {"\"set\":true,\"fields\"", "\"reference\":{\"texture\":\"wall\"},\"fields\"", "\"wall\"", REFERENCE},
    {"\"set\":true,\"fields\"", "\"reference\":{\"texture\":\"1\",\"size\":[1]},\"fields\"", "[1]",
     "size of a reference must be two integers from 0 to 65535"},
    {"\"extensions\":{\"FAST64_materials_f3d\"", "\"extensions\":3,\"x\":{\"f\"", "3", OBJECT("extensions")},
    {"\"FAST64_materials_f3d\":{", "\"FAST64_materials_f3d\":3,\"x\":{", "3", OBJECT("FAST64_materials_f3d")},
    {"\"geometryMode\":{", "\"geometryMode\":3,\"x\":{", "3", OBJECT("geometryMode")},
};

TEST(broken_words)
{
    for (size_t i = 0; i < sizeof words_broken / sizeof words_broken[0]; i++)
        check_broken(fast64_words, &words_broken[i]);
}

TEST_MAIN(CASE(limits_of_combiner_inputs), CASE(sizes_that_axes_span), CASE(axes_with_one_number),
          CASE(sizes_of_images_at_their_limits), CASE(gamma_of_the_converter), CASE(srgb_gives_the_picked_shade_back),
          CASE(colours_out_of_range), CASE(set_flags), CASE(colours_that_are_missing), CASE(where_cut_outs_are_cut),
          CASE(materials_left_out), CASE(sizes_come_from_the_axes), CASE(both_slots), CASE(no_tiles_at_all),
          CASE(references), CASE(references_in_words), CASE(axes_that_follow_the_image),
          CASE(axes_that_follow_a_reference), CASE(axes_that_follow_a_picture),
          CASE(textures_without_sampler_or_source), CASE(broken_numbers), CASE(the_largest_float), CASE(broken_layers),
          CASE(broken_references), CASE(broken_words))
