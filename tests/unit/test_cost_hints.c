/* Materials as the console sets them, and what `cost` advises. */
#include "harness.h"
#include "support/t3dm_grove.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

static grove g;

/* --- what is set --- */

static t3dm_material paint(const char *path)
{
    t3dm_material m = {0};
    m.head.combiner = 1, m.head.draw_flags = TRILO_N64_DEPTH;
    if (path) {
        m.textures[0].path = 1;
        m.textures[0].hash = tl_t3dm_hash(path);
    }
    return m;
}

static void check_setting(t3dm_setting s, bool pipeline, int uploads, uint32_t state_bytes)
{
    CHECK_INT(s.pipeline, pipeline);
    CHECK_INT(s.uploads[0] + s.uploads[1], uploads);
    CHECK_INT(s.state_bytes, state_bytes);
}

TEST(only_what_differs_is_set)
{
    t3dm_pipeline p = {0};
    t3dm_material a = paint("a"), b = paint("a");
    b.head.name = 7; /* nobody compares names */
    check_setting(tl_t3dm_set_material(&p, &a), true, 1, 8);
    check_setting(tl_t3dm_set_material(&p, &b), false, 0, 0);
    b.head.combiner = 2;
    check_setting(tl_t3dm_set_material(&p, &b), true, 0, 0);
    b.head.blender = 3;
    check_setting(tl_t3dm_set_material(&p, &b), true, 0, 0);
    b.head.other_mode = 2;
    check_setting(tl_t3dm_set_material(&p, &b), true, 0, 0);
    b.textures[0].hash++;
    check_setting(tl_t3dm_set_material(&p, &b), true, 1, 0);
    check_setting(tl_t3dm_set_material(&p, &b), false, 0, 0);
    b.head.draw_flags = 0;
    check_setting(tl_t3dm_set_material(&p, &b), false, 0, 8);
    b.head.vertex_effect = 1;
    check_setting(tl_t3dm_set_material(&p, &b), false, 0, 16);
    b.head.fog = 2;
    check_setting(tl_t3dm_set_material(&p, &b), false, 0, 4);
    b.head.fog = 0; /* leaves it on */
    check_setting(tl_t3dm_set_material(&p, &b), false, 0, 0);
}

TEST(colours_are_set_when_wanted)
{
    t3dm_pipeline p = {0};
    t3dm_material a = paint(NULL);
    check_setting(tl_t3dm_set_material(&p, &a), true, 0, 8);
    a.head.prim[0] = 9; /* but nothing says that it is to be set */
    check_setting(tl_t3dm_set_material(&p, &a), false, 0, 0);
    a.head.set_flags = TRILO_N64_SET_PRIM;
    check_setting(tl_t3dm_set_material(&p, &a), true, 0, 0);
    check_setting(tl_t3dm_set_material(&p, &a), false, 0, 0);
    a.head.env[3] = 1, a.head.set_flags |= TRILO_N64_SET_ENV;
    check_setting(tl_t3dm_set_material(&p, &a), true, 0, 0);
    a.head.set_flags = 0; /* what was set stays */
    check_setting(tl_t3dm_set_material(&p, &a), false, 0, 0);
    a.head.other_mode = 1; /* alpha compare takes the blend colour */
    check_setting(tl_t3dm_set_material(&p, &a), true, 0, 0);
    a.head.blend[3] = 128;
    check_setting(tl_t3dm_set_material(&p, &a), true, 0, 0);
}

TEST(two_textures_and_none)
{
    t3dm_pipeline p = {0};
    t3dm_material both = paint("a"), same = paint("a"), game = paint("a"), none = paint(NULL), own = paint("b");
    both.textures[1] = (t3dm_texture){.path = 5, .hash = 77};
    same.textures[1] = same.textures[0];
    game.textures[0].reference = 3;
    check_setting(tl_t3dm_set_material(&p, &both), true, 2, 8);
    check_setting(tl_t3dm_set_material(&p, &same), true, 1, 0); /* the second slot takes the first one's */
    check_setting(tl_t3dm_set_material(&p, &game), true, 0, 0);
    check_setting(tl_t3dm_set_material(&p, &none), true, 0, 0);
    own.opaque = true; /* a game's own */
    check_setting(tl_t3dm_set_material(&p, &own), false, 0, 0);
    own = paint("b"), own.head.combiner = 0; /* leaves the pipeline alone */
    check_setting(tl_t3dm_set_material(&p, &own), false, 0, 0);
    check_setting(tl_t3dm_set_material(&p, NULL), false, 0, 0);
}

/* --- hints --- */

static const trilo_cost_hint *hint_of(trilo_cost_hint_kind kind)
{
    for (uint32_t i = 0; i < g.cost.hint_count; i++)
        if (g.cost.hints[i].kind == kind)
            return &g.cost.hints[i];
    return NULL;
}

/* A small tree for each name in turn; names that are equal share a material. */
static void plant(const char *const *materials, uint32_t count)
{
    uint32_t number[GROVE_OBJECTS];
    grove_start(&g);
    g.parts[0] = grove_part(&g, 0, 4, 2);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < i && strcmp(materials[k], materials[i]) != 0)
            k++;
        const bool leaves = strncmp(materials[i], "leaves", 6) == 0;
        if (k < i)
            number[i] = number[k];
        else
            number[i] = grove_material(&g, materials[i], leaves ? "rom:/leaves.i8.sprite" : "rom:/bark.rgba16.sprite");
        grove_object(&g, materials[i], number[i], 0, 1);
    }
}

/* Equal materials with different names share the string of their path, as in files. */
static void share_path(uint32_t from, uint32_t to)
{
    g.materials[to].textures[0].path = g.materials[from].textures[0].path;
}

TEST(materials_that_differ_only_in_name)
{
    static const char *const names[] = {"leaves", "bark", "leaves.001"};
    plant(names, 3);
    share_path(0, 2);
    const trilo_cost *cost = grove_cost(&g, NULL);
    CHECK_INT(cost->material_changes, 3);
    CHECK_INT(cost->overlay_bytes, 3 * 13532);
    CHECK_INT(cost->uploads, 3);
    CHECK_INT(cost->texture_count, 2);
    CHECK_INT(cost->textures[0].uploads, 2);
    CHECK_INT(cost->upload_bytes, 1024 + 2048 + 1024);
    const trilo_cost_hint *hint = hint_of(TRILO_COST_HINT_KIND_MERGE_MATERIALS);
    CHECK(hint != NULL);
    CHECK_STR(hint->text.data,
              "material \"leaves\" and \"leaves.001\" differ only in name: merging them, and drawing "
              "their objects one after the other, saves 1 material change, 1 texture upload and 13.5 kB "
              "of overlay traffic, about 54 microseconds");
    CHECK_INT(hint->saves, 13532);
    CHECK_INT(hint->material, 2);
    CHECK(hint_of(TRILO_COST_HINT_KIND_ORDER) == NULL); /* each material has one object */
    g.materials[2].textures[0].s.clamp = 1;             /* no longer only the name */
    grove_cost(&g, NULL);
    CHECK(hint_of(TRILO_COST_HINT_KIND_MERGE_MATERIALS) == NULL);
    grove_end(&g);
}

TEST(many_alike_are_one_hint)
{
    static const char *const names[] = {"leaves", "bark", "leaves.001", "bark.001", "leaves.002"};
    plant(names, 5);
    share_path(0, 2), share_path(0, 4), share_path(1, 3);
    grove_cost(&g, NULL);
    const trilo_cost_hint *hint = hint_of(TRILO_COST_HINT_KIND_MERGE_MATERIALS);
    CHECK(hint && strstr(hint->text.data, "material \"leaves\", \"leaves.001\" and 1 other differ only in name"));
    CHECK_INT(hint->saves, 3 * 13532); /* three leaves, two barks: two changes are left of five */
    grove_end(&g);
}

/* Beside each other the console sets nothing anew, whatever they are called. */
TEST(twins_beside_each_other_cost_nothing)
{
    static const char *const names[] = {"bark", "leaves", "leaves.001"};
    plant(names, 3);
    share_path(1, 2);
    const trilo_cost *cost = grove_cost(&g, NULL);
    CHECK_INT(cost->material_changes, 2);
    CHECK_INT(cost->uploads, 2);
    CHECK(!cost->objects[2].changes);
    const trilo_cost_hint *hint = hint_of(TRILO_COST_HINT_KIND_MERGE_MATERIALS);
    CHECK(hint != NULL && strstr(hint->text.data, "saves 140 bytes of the file"));
    CHECK_INT(hint->saves, 0);
    grove_end(&g);
}

TEST(objects_that_stand_apart)
{
    static const char *const names[] = {"leaves", "bark", "leaves", "bark", "leaves"};
    plant(names, 5);
    const trilo_cost *cost = grove_cost(&g, NULL);
    CHECK_INT(cost->material_changes, 5);
    const trilo_cost_hint *hint = hint_of(TRILO_COST_HINT_KIND_ORDER);
    CHECK(hint != NULL);
    CHECK_INT(hint->object, 2);
    CHECK(strstr(hint->text.data, "saves 3 material changes, 3 texture uploads and 40.6 kB of overlay traffic"));
    CHECK_INT(hint->saves, 3 * 13532);
    grove_end(&g);
}

/* Nothing moves past what is blended. */
TEST(blended_objects_keep_their_place)
{
    static const char *const names[] = {"leaves", "glass", "leaves"};
    plant(names, 3);
    g.materials[1].head.blender = 0x00500040;
    CHECK_INT(grove_cost(&g, NULL)->material_changes, 3);
    CHECK(hint_of(TRILO_COST_HINT_KIND_ORDER) == NULL);
    grove_end(&g);
}

TEST(loads_lists_and_unused_attributes)
{
    grove_start(&g);
    const uint32_t material = grove_material(&g, "bark", NULL);
    g.materials[material].head.combiner = 0x00887F1088FE793Cu; /* SHADE */
    for (uint32_t i = 0; i < 4; i++)
        g.parts[i] = grove_part(&g, 12 * i, 12, 10);
    for (uint32_t row = 0; row < 48; row++)
        grove_uv(&g, row, (int)row, 0);
    for (uint32_t row = 1; row < 48; row += 2)
        grove_place(&g, row, 5, 5, 5);
    grove_object(&g, "tree", material, 0, 4);
    const trilo_cost *cost = grove_cost(&g, NULL);
    CHECK_INT(cost->counts.unique, 48);
    CHECK_INT(cost->counts.unique_shown, 25);
    const trilo_cost_hint *fill = hint_of(TRILO_COST_HINT_KIND_FILL), *strips = hint_of(TRILO_COST_HINT_KIND_STRIPS);
    const trilo_cost_hint *unused = hint_of(TRILO_COST_HINT_KIND_UNUSED);
    CHECK(fill && strips && unused);
    CHECK(strstr(fill->text.data, "4 vertex loads fill 17 % of their slots; 1 could hold all"));
    CHECK(strstr(strips->text.data, "object \"tree\" with \"bark\" draws 40 of 40 triangles one by one: strips"));
    CHECK(strstr(unused->text.data, "23 of 48 vertices (48 %)"));
    CHECK_INT(unused->saves, 23 * 16);
    CHECK(hint_of(TRILO_COST_HINT_KIND_DUPLICATES) == NULL);
    grove_end(&g);
}

TEST(bones_do_not_keep_from_strips)
{
    grove_start(&g);
    const uint32_t material = grove_material(&g, "skin", NULL);
    g.parts[0] = grove_part(&g, 0, 24, 20);
    g.parts[0].bone = 0;
    grove_object(&g, "arm", material, 0, 1);
    grove_cost(&g, NULL);
    const trilo_cost_hint *hint = hint_of(TRILO_COST_HINT_KIND_STRIPS);
    CHECK(hint && strstr(hint->text.data, "though bones do not keep it from strips"));
    grove_end(&g);
}

TEST(vertices_loaded_again_and_triangles_without_area)
{
    grove_start(&g);
    const uint32_t material = grove_material(&g, "bark", NULL);
    g.parts[0] = g.parts[1] = grove_part(&g, 0, 6, 4);
    grove_place(&g, 1, 0, 0, 0); /* as row 0 */
    grove_object(&g, "tree", material, 0, 2);
    grove_cost(&g, NULL);
    const trilo_cost_hint *again = hint_of(TRILO_COST_HINT_KIND_DUPLICATES),
                          *flat = hint_of(TRILO_COST_HINT_KIND_DEGENERATE);
    CHECK(again && strstr(again->text.data, "7 of 12 vertices (58 %) are loaded again"));
    CHECK(flat && strstr(flat->text.data, "2 triangles have no area"));
    grove_end(&g);
}

/* 32 x 32 texels of 32 bits just fit; beside a palette half of the memory is left. */
TEST(textures_that_do_not_fit)
{
    static const char *const names[] = {"leaves"};
    plant(names, 1);
    g.materials[0].textures[0].path = grove_string(&g, "rom:/a.rgba32.sprite");
    const trilo_cost *cost = grove_cost(&g, NULL);
    CHECK_INT(cost->materials[0].tmem, 4096);
    CHECK_INT(cost->materials[0].tmem_limit, 4096);
    CHECK(hint_of(TRILO_COST_HINT_KIND_TMEM) == NULL);
    g.materials[0].textures[1] =
        (t3dm_texture){.path = grove_string(&g, "rom:/b.ci8.sprite"), .hash = 1, .width = 8, .height = 8};
    cost = grove_cost(&g, NULL);
    CHECK_INT(cost->materials[0].tmem, 2048 + 64);
    CHECK_INT(cost->materials[0].tmem_limit, 2048);
    const trilo_cost_hint *hint = hint_of(TRILO_COST_HINT_KIND_TMEM);
    CHECK(hint && strstr(hint->text.data, "take 2112 bytes of texture memory, 2048 fit beside a palette"));
    CHECK_INT(cost->uploads, 2);
    grove_end(&g);
}

/* Two formulas, two passes of the blender, or fog and blending at once need two cycles for a pixel. */
TEST(cycles_of_a_pixel)
{
    static const char *const names[] = {"leaves"};
    plant(names, 1);
    CHECK_INT(grove_cost(&g, NULL)->materials[0].cycles, 1);
    g.materials[0].head.fog = 2, g.materials[0].head.blender = 0x00500040;
    const trilo_cost *cost = grove_cost(&g, NULL);
    CHECK_INT(cost->materials[0].cycles, 2);
    CHECK(cost->materials[0].blends && cost->materials[0].depth);
    g.materials[0].head.fog = 0, g.materials[0].head.draw_flags = 0;
    CHECK_INT(grove_cost(&g, NULL)->materials[0].cycles, 1);
    CHECK(!g.cost.materials[0].depth);
    g.materials[0].head.blender |= 0x8000;
    CHECK_INT(grove_cost(&g, NULL)->materials[0].cycles, 2);
    g.materials[0].head.blender = 0;
    g.materials[0].head.combiner |= (uint64_t)1 << 63;
    CHECK_INT(grove_cost(&g, NULL)->materials[0].cycles, 2);
    grove_end(&g);
}

/* What is asked for stays below the folder, whatever a file says. */
static bool remember(void *user, const char *name, trilo_bytes *bytes)
{
    (void)bytes;
    strcat(user, name);
    strcat(user, "|");
    return false;
}

TEST(sprites_are_asked_for_below_the_folder)
{
    static const char *const names[] = {"leaves"};
    static const struct {
        const char *path, *asked;
    } cases[] = {{"rom:/a/b.sprite", "a/b.sprite|b.sprite|"},
                 {"rom:/b.sprite", "b.sprite|"},
                 {"rom:/../b.sprite", "b.sprite|"},
                 {"/etc/x", "x|"},
                 {"rom:/a/..", ""},
                 {"c:\\x\\y", "y|"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char asked[64] = "";
        const trilo_cost_opts opts = {.companion = remember, .companion_user = asked};
        plant(names, 1);
        g.materials[0].textures[0].path = grove_string(&g, cases[i].path);
        grove_cost(&g, &opts);
        CHECK_STR(asked, cases[i].asked);
        grove_end(&g);
    }
}

/* --- sprites --- */

enum { SPRITE_SIDE = 16, SPRITE_CORNER = 32 };
static const trilo_sprite *sprites[4];
static const char *const sprite_names[] = {"nine.ci8.sprite", "copy.ci8.sprite", "other.ci4.sprite", "plain.i8.sprite"};

/* Nine colours as CI8, in two files; two other colours as CI4; shades of grey as I8. */
static void make_sprites(void)
{
    static uint8_t pixels[SPRITE_SIDE * SPRITE_SIDE][4];
    for (int n = 0; n < 4; n++) {
        for (uint32_t i = 0; i < SPRITE_SIDE * SPRITE_SIDE; i++) {
            const uint8_t shade = (uint8_t)(n < 2 ? i % 9 * 24 : n == 2 ? i % 2 * 255 : i);
            const uint8_t pixel[4] = {shade, n == 3 ? shade : 0, n < 3 ? 255 : shade, 255};
            memcpy(pixels[i], pixel, 4);
        }
        const trilo_bitmap bitmap = {.image = {SPRITE_SIDE, SPRITE_SIDE, (const uint8_t(*)[4])pixels}};
        const trilo_sprite_opts opts = {.texels = n < 2    ? TRILO_TEXELS_CI8
                                                  : n == 2 ? TRILO_TEXELS_CI4
                                                           : TRILO_TEXELS_I8};
        sprites[n] = trilo_sprite_encode(&bitmap, &opts, NULL);
    }
}

static bool give_sprite(void *user, const char *name, trilo_bytes *bytes)
{
    (void)user;
    for (size_t i = 0; i < sizeof sprite_names / sizeof *sprite_names; i++)
        if (strcmp(name, sprite_names[i]) == 0) {
            *bytes = sprites[i]->bytes;
            return true;
        }
    return false;
}

static void collect_advice(void *user, const t3dm_advice *advice)
{
    strcat(user, t3dm_rule(advice->rule)->name);
    strcat(user, ": ");
    strcat(user, advice->text);
    strcat(user, "\n");
}

/* The advice about a material with these two textures and tiles of that size. */
static const char *advise(int first, int second, uint16_t side)
{
    static const char *const names[] = {"leaves"};
    static char text[2048];
    const trilo_cost_opts opts = {.companion = give_sprite};
    plant(names, 1);
    for (int k = 0; k < 2; k++) {
        char path[32];
        const int n = k ? second : first;
        snprintf(path, sizeof path, "rom:/%s", n < 0 ? "" : sprite_names[n]);
        g.materials[0].textures[k] = (t3dm_texture){
            .path = n < 0 ? 0 : grove_string(&g, path), .hash = 1 + (uint32_t)k, .width = side, .height = side};
    }
    text[0] = '\0';
    tl_t3dm_advise_on_textures(grove_cost(&g, &opts), collect_advice, text);
    grove_end(&g);
    return text;
}

TEST(advice_about_sprites)
{
    make_sprites();
    CHECK_STR(advise(0, -1, SPRITE_SIDE),
              "T3DM-TEXTURE-FORMAT: \"rom:/nine.ci8.sprite\", CI8, has 9 colours: CI4 would do\n");
    CHECK_STR(advise(2, -1, SPRITE_SIDE), "");
    CHECK_STR(advise(2, -1, SPRITE_SIDE / 2),
              "T3DM-TEXTURE-LARGER: \"rom:/other.ci4.sprite\" has 16 x 16 texels, its materials show 8 x 8\n");
    /* Equal palettes may be together; content that is stored twice need not be. */
    CHECK_STR(advise(0, 1, SPRITE_SIDE),
              "T3DM-TEXTURE-FORMAT: \"rom:/nine.ci8.sprite\", CI8, has 9 colours: CI4 would do\n"
              "T3DM-TEXTURE-TWICE: \"rom:/copy.ci8.sprite\" has the same content as \"rom:/nine.ci8.sprite\": one of "
              "them will do\n");
    const char *differ = advise(0, 2, SPRITE_SIDE);
    CHECK(strstr(differ, "T3DM-TEXTURE-PALETTES: material \"leaves\": \"rom:/nine.ci8.sprite\" and "
                         "\"rom:/other.ci4.sprite\" cannot be shown together, because their palettes differ"));
    CHECK(strstr(advise(2, 3, SPRITE_SIDE), "because only one of them has a palette"));
    CHECK_STR(advise(3, -1, SPRITE_SIDE), "");
    for (size_t i = 0; i < 4; i++)
        trilo_sprite_free(sprites[i]);
}

/* Mipmaps take the first cycle of the combiner. Bit 63 of the combiner makes it two. */
TEST(advice_about_mipmaps)
{
    static const char *const names[] = {"leaves"};
    static const uint8_t pixels[SPRITE_SIDE * SPRITE_SIDE][4] = {{1, 2, 3, 255}};
    const trilo_bitmap bitmap = {.image = {SPRITE_SIDE, SPRITE_SIDE, pixels}};
    const trilo_cost_opts opts = {.companion = give_sprite};
    for (int mipmaps = 0; mipmaps < 2; mipmaps++)
        for (int two_cycles = 0; two_cycles < 2; two_cycles++) {
            const trilo_sprite_opts sprite = {.texels = TRILO_TEXELS_RGBA16, .mipmaps = mipmaps == 1};
            char text[2048] = "", path[32];
            sprites[0] = trilo_sprite_encode(&bitmap, &sprite, NULL);
            plant(names, 1);
            snprintf(path, sizeof path, "rom:/%s", sprite_names[0]);
            g.materials[0].head.combiner = two_cycles ? UINT64_C(1) << 63 : 0;
            g.materials[0].textures[0] =
                (t3dm_texture){.path = grove_string(&g, path), .hash = 1, .width = SPRITE_SIDE, .height = SPRITE_SIDE};
            tl_t3dm_advise_on_textures(grove_cost(&g, &opts), collect_advice, text);
            CHECK_INT(strstr(text,
                             "T3DM-TEXTURE-MIPMAPS: material \"leaves\": a texture with mipmaps, and a combiner of "
                             "two cycles\n") != NULL,
                      mipmaps && two_cycles);
            grove_end(&g);
            trilo_sprite_free(sprites[0]);
        }
}

TEST_MAIN(CASE(only_what_differs_is_set), CASE(colours_are_set_when_wanted), CASE(two_textures_and_none),
          CASE(materials_that_differ_only_in_name), CASE(many_alike_are_one_hint),
          CASE(twins_beside_each_other_cost_nothing), CASE(objects_that_stand_apart),
          CASE(blended_objects_keep_their_place), CASE(loads_lists_and_unused_attributes),
          CASE(bones_do_not_keep_from_strips), CASE(vertices_loaded_again_and_triangles_without_area),
          CASE(textures_that_do_not_fit), CASE(cycles_of_a_pixel), CASE(sprites_are_asked_for_below_the_folder),
          CASE(advice_about_sprites), CASE(advice_about_mipmaps))
