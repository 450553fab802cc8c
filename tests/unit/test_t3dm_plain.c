/* Plain materials: what the console is told for a model without N64 settings, what is said about textures that it could
 * not take, and names. */
#include "harness.h"
#include "support/t3dm_frond.h"

#include <stdio.h>
#include <string.h>

#define MASK     0x0000300000000C01u
#define BILINEAR 0x0000200000000000u

enum { D = 1, X = 2, S = 4, B = 0x10, N = 0x10000 }; /* draw flags: depth, textured, shaded, cull back, unlit */

typedef struct plain {
    const char *name;
    bool textured, unlit, tinted, two_sided, nearest;
    trilo_alpha alpha;
    float cutoff;
    uint64_t combiner, mode;
    uint32_t blender, flags;
    uint8_t set_flags, threshold;
} plain;

/* The state of each kind of material. The combiners are packed as libdragon's macro RDPQ_COMBINER1 packs them. */
static const plain table[] = {
    {"untextured, lit", false, false, false, false, false, TRILO_ALPHA_OPAQUE, 0, 0x00887F1088FE7D3Eu, BILINEAR, 0,
     D | S | B, 0, 128},
    {"untextured, unlit", false, true, true, false, false, TRILO_ALPHA_OPAQUE, 0, 0x00887F1088FE7D3Eu, BILINEAR, 0,
     D | S | B | N, 0, 128},
    {"textured, lit", true, false, false, false, false, TRILO_ALPHA_OPAQUE, 0, 0x00127E2488FFFDFEu, BILINEAR, 0,
     D | X | S | B, 0, 128},
    {"textured, unlit, white", true, true, false, false, false, TRILO_ALPHA_OPAQUE, 0, 0x00887F1088FCFC7Eu, BILINEAR, 0,
     D | X | B, 0, 128},
    {"textured, unlit, coloured", true, true, true, false, false, TRILO_ALPHA_OPAQUE, 0, 0x00127E2488FFFDFEu, BILINEAR,
     0, D | X | S | B | N, 0, 128},
    {"cut out", true, false, false, false, false, TRILO_ALPHA_CUTOUT, 0.3f, 0x00127E2488FFF3F9u, BILINEAR | 1, 0,
     D | X | S | B, 4, 77}, /* 76.5 */
    {"cut out at a half", true, false, false, true, false, TRILO_ALPHA_CUTOUT, 0, 0x00127E2488FFF3F9u, BILINEAR | 1, 0,
     D | X | S, 4, 128},
    {"cut out, nothing left", true, false, false, true, false, TRILO_ALPHA_CUTOUT, 1.5f, 0x00127E2488FFF3F9u,
     BILINEAR | 1, 0, D | X | S, 4, 255},
    {"cut out, unlit, white", true, true, false, false, false, TRILO_ALPHA_CUTOUT, 0.5f, 0x00887F1088FCF279u,
     BILINEAR | 1, 0, D | X | B, 4, 128},
    {"blended, textured", true, false, false, false, false, TRILO_ALPHA_BLEND, 0, 0x001218248833FFFFu, BILINEAR,
     0x00500040u, D | X | S | B, 0, 128},
    {"blended, untextured", false, false, false, false, false, TRILO_ALPHA_BLEND, 0, 0x00887F1088FE793Cu, BILINEAR,
     0x00500040u, D | S | B, 0, 128},
    {"hard pixels", true, false, false, false, true, TRILO_ALPHA_OPAQUE, 0, 0x00127E2488FFFDFEu, 0, 0, D | X | S | B, 0,
     128},
};

static void check_row(const plain *row)
{
    frond s;
    frond_fill(&s);
    if (row->textured)
        frond_texture(&s);
    s.texture.nearest = row->nearest;
    s.material[0].unlit = row->unlit;
    s.material[0].two_sided = row->two_sided;
    s.material[0].alpha = row->alpha;
    s.material[0].alpha_cutoff = row->cutoff;
    s.material[0].base_color[1] = row->tinted ? 0.5f : 1;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    const trilo_n64_material *n64 = model->materials[0].n64;
    if (n64->combiner != row->combiner || n64->other_mode != row->mode || n64->other_mask != MASK ||
        n64->blender != row->blender || n64->draw_flags != row->flags || n64->set_flags != row->set_flags ||
        n64->blend[3] != row->threshold || n64->fog != 0 || n64->vertex_effect != 0)
        FAIL("%s: combiner %016llx, mode %llx, blender %x, flags %x, set %u, threshold %u", row->name,
             (unsigned long long)n64->combiner, (unsigned long long)n64->other_mode, n64->blender, n64->draw_flags,
             n64->set_flags, n64->blend[3]);
    CHECK_NEAR(model->meshes[0].colors[0][1], row->tinted ? 128 / 255.0 : 1, 1e-6); /* 127.5 is rounded */
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    CHECK(!strstr(r.texts, "vertex colours") == !row->tinted);
    frond_done(&r, model);
}

TEST(the_table_of_plain_materials)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        check_row(&table[i]);
}

/* Vertex colours count like a colour of the material. */
TEST(coloured_vertices_need_the_shade)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.material[0].unlit = true;
    for (int i = 0; i < 3; i++)
        s.colors[i][0] = s.colors[i][1] = s.colors[i][2] = s.colors[i][3] = 1;
    s.mesh[0].colors = (const float(*)[4])s.colors;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->materials[0].n64->draw_flags, D | X | B);
    frond_done(&r, model);
    s.colors[2][0] = 0.25f;
    r = frond_encode(&s.model, NULL);
    model = frond_again(&r);
    CHECK_INT(model->materials[0].n64->draw_flags, D | X | S | B | N);
    frond_done(&r, model);
}

/* --- tiles --- */

static trilo_n64_tile tile_of(frond *s, const char *heard)
{
    frond_result r = frond_encode(&s->model, NULL);
    if (!r.ok)
        FAIL("%s", r.err.text);
    CHECK_STR(r.heard, heard);
    const trilo_model *model = frond_again(&r);
    const trilo_n64_tile tile = model->materials[0].n64->tiles[0];
    frond_done(&r, model);
    return tile;
}

TEST(each_axis_wraps_on_its_own)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.texture.height = 20;
    s.texture.wrap[0] = TRILO_WRAP_MIRROR;
    s.texture.wrap[1] = TRILO_WRAP_CLAMP;
    const trilo_n64_tile t = tile_of(&s, "T3DM-MADE-MATERIAL ");
    CHECK(t.s.mirror && !t.s.clamp && t.s.low == 0 && t.s.high == 31 && t.s.mask == 5 && t.s.shift == 0);
    CHECK(!t.t.mirror && t.t.clamp && t.t.high == 19 && t.t.mask == 5);
    CHECK(t.width == 32 && t.height == 20);
}

TEST(repeating_needs_a_power_of_two)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.texture.width = 48;
    tile_of(&s, "T3DM-MADE-MATERIAL T3DM-TEXTURE-REPEAT ");
    s.texture.wrap[0] = TRILO_WRAP_CLAMP;
    tile_of(&s, "T3DM-MADE-MATERIAL ");
}

TEST(a_texture_of_unknown_size_is_reported)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.texture.width = s.texture.height = 0;
    tile_of(&s, "T3DM-MADE-MATERIAL T3DM-TEXTURE-UNKNOWN ");
}

typedef struct shrink {
    const char *path;
    uint32_t from[2], to[2];
} shrink;

/* 2048 bytes for 16 colours, 4096 for others; rows of 8 bytes. */
TEST(large_images_shrink)
{
    static const shrink rows[] = {
        {"a.png", {64, 64}, {64, 64}},          {"a.png", {65, 64}, {64, 64}},
        {"a.png", {512, 512}, {64, 64}},        {"a.png", {1000, 100}, {128, 32}},
        {"a.png", {1, 5000}, {1, 256}},         {"a.png", {5000, 1}, {1024, 1}},
        {"a.i8.png", {128, 64}, {64, 64}},      {"a.rgba16.png", {64, 64}, {32, 64}},
        {"a.rgba32.png", {32, 32}, {32, 32}},   {"a.rgba32.png", {64, 32}, {32, 32}},
        {"a.ci8.png", {32, 64}, {32, 64}},      {"a.ci8.png", {64, 64}, {32, 64}},
        {"a.ia16.png", {4000, 4000}, {32, 64}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const shrink *row = &rows[i];
        frond s;
        frond_fill(&s);
        frond_texture(&s);
        s.texture.path = frond_text(row->path);
        s.texture.width = row->from[0];
        s.texture.height = row->from[1];
        s.texture.wrap[0] = s.texture.wrap[1] = TRILO_WRAP_CLAMP;
        const bool same = row->from[0] == row->to[0] && row->from[1] == row->to[1];
        const trilo_n64_tile t = tile_of(&s, same ? "T3DM-MADE-MATERIAL " : "T3DM-MADE-MATERIAL T3DM-TEXTURE-SHRUNK ");
        if (t.width != row->to[0] || t.height != row->to[1])
            FAIL("%s of %u x %u becomes %u x %u, not %u x %u", row->path, row->from[0], row->from[1], t.width, t.height,
                 row->to[0], row->to[1]);
    }
}

/* Soft edges need soft alpha. */
TEST(hard_alpha_is_reported_where_it_is_blended)
{
    static const char *const paths[] = {"a.ci4.png", "a.rgba16.png", "a.ia8.png", "a.png", "ci4.png"};
    for (size_t i = 0; i < 5; i++) {
        frond s;
        frond_fill(&s);
        frond_texture(&s);
        s.texture.path = frond_text(paths[i]);
        s.material[0].alpha = TRILO_ALPHA_BLEND;
        tile_of(&s, i < 2 ? "T3DM-MADE-MATERIAL T3DM-TEXTURE-ALPHA " : "T3DM-MADE-MATERIAL ");
    }
}

/* --- sprites --- */

static void check_path(const char *path, const char *name, const char *sprite)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.texture.path = frond_text(path);
    s.texture.name = frond_text(name);
    s.texture.bytes = (trilo_bytes){(const uint8_t *)"x", 1};
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_STR(model->textures[0].path.data, sprite);
    CHECK(!strstr(r.heard, "T3DM-LOST-TEXTURE") == (path[0] != '\0'));
    CHECK(path[0] || strstr(r.texts, sprite));
    frond_done(&r, model);
}

TEST(images_become_sprites)
{
    check_path("rom:/a/b.sprite", "", "rom:/a/b.sprite");
    check_path("a/wall.ci4.png", "", "rom:/a/wall.ci4.sprite");
    check_path("./wall.PNG", "", "rom:/wall.sprite");
    check_path("wall.v2", "", "rom:/wall.v2.sprite");
    check_path("/home/me/wall.jpg", "", "rom:/wall.sprite");
    check_path("C:\\art\\wall.png", "", "rom:/wall.sprite");
    check_path("../wall.png", "", "rom:/wall.sprite");
    check_path("", "wall.png", "rom:/wall.sprite");
    check_path("", "art/wall", "rom:/wall.sprite");
    check_path("", "", "rom:/leaf-0.sprite");
}

TEST(a_shared_image_is_reported_once)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.texture.path = frond_text("");
    s.texture.width = s.texture.height = 512;
    s.material[1].texture = 0;
    s.material[1].name = frond_text("fern");
    s.mesh[1].material = 1;
    s.model.mesh_count = s.model.material_count = 2;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-TEXTURE T3DM-TEXTURE-SHRUNK T3DM-MADE-MATERIAL ");
    CHECK(strstr(r.texts, "materials[1]: \"fern\": "));
    frond_done(&r, frond_again(&r));
}

/* --- settings of the console's own --- */

static trilo_n64_material n64_of(uint16_t width, uint16_t height)
{
    const trilo_n64_axis clamped = {.clamp = true};
    return (trilo_n64_material){
        .draw_flags = D | X,
        .tiles = {{.width = width, .height = height, .s = clamped, .t = clamped}, {.texture = TRILO_NONE}}};
}

TEST(texture_memory_is_looked_at)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    trilo_n64_material n64 = n64_of(64, 64);
    s.material[0].n64 = &n64;
    s.texture.path = frond_text("rom:/a.rgba16.sprite");
    tile_of(&s, "T3DM-TEXTURE-TMEM "); /* 8192 bytes */
    s.texture.path = frond_text("rom:/a.ci4.sprite");
    tile_of(&s, "");
    n64.tiles[1] = n64.tiles[0]; /* one image for both */
    tile_of(&s, "");
    const trilo_texture both[2] = {s.texture, {.path = frond_text("rom:/b.i4.sprite")}};
    s.model.textures = both;
    s.model.texture_count = 2;
    n64.tiles[1].texture = 1;
    tile_of(&s, "T3DM-TEXTURE-TMEM "); /* 2048 each, beside a palette */
    n64.draw_flags = D;                /* nobody loads them */
    tile_of(&s, "");
}

/* mksprite cuts a path at its points and takes the first piece that names a format, in capital letters or not
 * (libdragon's tools/mksprite). 64 x 32 texels of 32 bits are 8192 bytes, at 4 bits 1024. */
TEST(the_format_of_a_sprite_is_that_of_mksprite)
{
    static const struct {
        const char *path, *heard;
    } cases[] = {{"rom:/wall.rgba32.sprite", "T3DM-TEXTURE-TMEM "},
                 {"rom:/wall.RGBA32.sprite", "T3DM-TEXTURE-TMEM "},
                 {"rom:/wall.rgba32.v2.sprite", "T3DM-TEXTURE-TMEM "},
                 {"rom:/wall.rgba32.i4.sprite", "T3DM-TEXTURE-TMEM "},
                 {"rom:/wall.i4.rgba32.sprite", ""},
                 {"rom:/wall_rgba32.sprite", ""},
                 {"rom:/wall.sprite", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        frond s;
        frond_fill(&s);
        frond_texture(&s);
        trilo_n64_material n64 = n64_of(64, 32);
        s.material[0].n64 = &n64;
        s.texture.path = frond_text(cases[i].path);
        tile_of(&s, cases[i].heard);
    }
}

/* RGBA16 of 48 x 32 is 3072 bytes and fits alone, but not in the half that a palette leaves; 32 x 16 texels of 32 bits
 * are 1024 bytes in each half, and fit beside 1024 bytes of CI4. */
TEST(two_textures_share_texture_memory)
{
    static const struct {
        const char *paths[2], *heard;
        uint16_t sizes[2][2];
    } cases[] = {{{"rom:/a.rgba16.sprite", "rom:/b.ci4.sprite"}, "T3DM-TEXTURE-TMEM ", {{48, 32}, {8, 8}}},
                 {{"rom:/a.rgba16.sprite", "rom:/b.i4.sprite"}, "", {{48, 32}, {8, 8}}},
                 {{"rom:/a.rgba32.sprite", "rom:/b.ci4.sprite"}, "", {{32, 16}, {64, 32}}},
                 {{"rom:/a.rgba32.sprite", "rom:/b.ci4.sprite"}, "T3DM-TEXTURE-TMEM ", {{32, 16}, {64, 33}}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        frond s;
        frond_fill(&s);
        frond_texture(&s);
        trilo_n64_material n64 = n64_of(cases[i].sizes[0][0], cases[i].sizes[0][1]);
        s.material[0].n64 = &n64;
        const trilo_texture both[2] = {{.path = frond_text(cases[i].paths[0])},
                                       {.path = frond_text(cases[i].paths[1])}};
        s.model.textures = both;
        s.model.texture_count = 2;
        n64.tiles[1] = n64.tiles[0];
        n64.tiles[1].texture = 1;
        n64.tiles[1].width = cases[i].sizes[1][0], n64.tiles[1].height = cases[i].sizes[1][1];
        tile_of(&s, cases[i].heard);
    }
}

TEST(a_clamp_below_0_is_reported)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    trilo_n64_material n64 = n64_of(32, 32);
    s.material[0].n64 = &n64;
    n64.tiles[0].t.low = -0.5f;
    tile_of(&s, "T3DM-TEXTURE-CLAMP ");
    n64.tiles[0].t.clamp = false;
    tile_of(&s, "");
}

/* --- which ones, and their names --- */

/* Four meshes: two use "moss" with different colours, one a copy of the first, one nothing. */
static void four_meshes(frond *s)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    frond_fill(s);
    s->model.mesh_count = s->model.material_count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        s->mesh[i].name = frond_text(names[i]);
        s->mesh[i].material = i;
    }
}

TEST(materials_of_one_name_and_content_are_one)
{
    frond s;
    four_meshes(&s);
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->material_count, 1);
    CHECK_INT(model->meshes[3].material, 0);
    frond_done(&r, model);
}

TEST(materials_of_one_name_only_are_renamed)
{
    frond s;
    four_meshes(&s);
    s.material[1].two_sided = true;
    s.material[2].name = frond_text("moss.001");
    s.material[3].two_sided = s.material[3].unlit = true;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->material_count, 4);
    CHECK_STR(model->materials[0].name.data, "moss");
    CHECK_STR(model->materials[2].name.data, "moss.001");
    CHECK(strcmp(model->materials[1].name.data, model->materials[3].name.data) != 0);
    CHECK(strncmp(model->materials[1].name.data, "moss.00", 7) == 0 && model->materials[1].two_sided);
    CHECK(strstr(r.heard, "T3DM-RENAMED T3DM-RENAMED "));
    CHECK_INT(model->meshes[2].material, 2);
    frond_done(&r, model);
}

TEST(only_what_is_used_is_written)
{
    frond s;
    four_meshes(&s);
    for (uint32_t i = 0; i < 4; i++) {
        s.material[i].name = frond_text((const char *const[]){"k", "l", "m", "n"}[i]);
        s.mesh[i].material = i == 0 ? 3 : i == 1 ? TRILO_NONE : 1;
    }
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->material_count, 3);
    CHECK_STR(model->materials[0].name.data, "n");
    CHECK_STR(model->materials[1].name.data, "default");
    CHECK_STR(model->materials[2].name.data, "l");
    frond_done(&r, model);
}

TEST_MAIN(CASE(the_table_of_plain_materials), CASE(coloured_vertices_need_the_shade), CASE(each_axis_wraps_on_its_own),
          CASE(repeating_needs_a_power_of_two), CASE(a_texture_of_unknown_size_is_reported), CASE(large_images_shrink),
          CASE(hard_alpha_is_reported_where_it_is_blended), CASE(images_become_sprites),
          CASE(a_shared_image_is_reported_once), CASE(texture_memory_is_looked_at),
          CASE(the_format_of_a_sprite_is_that_of_mksprite), CASE(two_textures_share_texture_memory),
          CASE(a_clamp_below_0_is_reported), CASE(materials_of_one_name_and_content_are_one),
          CASE(materials_of_one_name_only_are_renamed), CASE(only_what_is_used_is_written))
