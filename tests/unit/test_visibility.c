/* Faults that make a model invisible: each is found and named. */
#include "harness.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORNERS = 4 };

/* A square with a material, two nodes and an image. Faults change it. */
typedef struct scene {
    float positions[CORNERS][3], colors[CORNERS][4], uvs[CORNERS][2];
    uint32_t indices[6];
    uint8_t pixels[4][4];
    trilo_image image;
    const trilo_image *images[1];
    trilo_n64_material n64;
    trilo_texture texture;
    trilo_material material;
    trilo_node nodes[2];
    trilo_mesh mesh;
    trilo_model model;
} scene;

static void scene_fill(scene *s)
{
    static const float square[CORNERS][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    memset(s, 0, sizeof *s);
    memcpy(s->positions, square, sizeof square);
    memcpy(s->indices, indices, sizeof indices);
    memset(s->pixels, 200, sizeof s->pixels);
    for (int i = 0; i < CORNERS; i++)
        for (int k = 0; k < 4; k++)
            s->colors[i][k] = 0.8f;
    s->image = (trilo_image){2, 2, (const uint8_t(*)[4])s->pixels};
    s->images[0] = &s->image;
    /* TEX0 * SHADE for colour and alpha, as libdragon's word has it; one cycle. */
    s->n64 = (trilo_n64_material){.combiner = TL_CC_WORD_TEX0_SHADE,
                                  .draw_flags = TRILO_N64_DEPTH | TRILO_N64_TEXTURED | TRILO_N64_SHADED |
                                                TRILO_N64_CULL_BACK | TRILO_N64_UNLIT,
                                  .tiles = {{.texture = 0}, {.texture = TRILO_NONE}}};
    s->texture = (trilo_texture){.name = {"", 0}, .path = {"", 0}, .width = 2, .height = 2};
    s->material = (trilo_material){.name = {"paint", 5}, .base_color = {1, 1, 1, 1}, .texture = 0, .unlit = true};
    for (int i = 0; i < 2; i++)
        s->nodes[i] = (trilo_node){.name = {"node", 4},
                                   .parent = i == 0 ? TRILO_NONE : 0,
                                   .rotation = {0, 0, 0, 1},
                                   .scale = {1, 1, 1},
                                   .local = identity};
    s->mesh = (trilo_mesh){.name = {"square", 6},
                           .node = 1,
                           .skin = TRILO_NONE,
                           .vertex_count = CORNERS,
                           .index_count = 6,
                           .positions = (const float(*)[3])s->positions,
                           .colors = (const float(*)[4])s->colors,
                           .uvs = (const float(*)[2])s->uvs,
                           .indices = s->indices};
    s->model = (trilo_model){.units_per_meter = 1,
                             .mesh_count = 1,
                             .meshes = &s->mesh,
                             .material_count = 1,
                             .materials = &s->material,
                             .texture_count = 1,
                             .textures = &s->texture,
                             .node_count = 2,
                             .nodes = s->nodes};
}

static void use_n64(scene *s, uint32_t blender)
{
    s->material.n64 = &s->n64;
    s->n64.blender = blender;
}

/* A combiner of one cycle whose colour and alpha are one input, in slot D. */
static uint64_t combiner_of(uint8_t rgb, uint8_t alpha)
{
    tl_cc_selectors selectors = tl_cc_unpack(TL_CC_WORD_SHADE);
    for (int cycle = 0; cycle < 2; cycle++)
        for (uint8_t code = 0; code < 8; code++) {
            if (tl_cc_select(TL_CC_RGB_D, code) == rgb)
                selectors.cycles[cycle][TL_CC_RGB_D] = code;
            if (tl_cc_select(TL_CC_ALPHA_D, code) == alpha)
                selectors.cycles[cycle][TL_CC_ALPHA_D] = code;
        }
    return tl_cc_pack(&selectors);
}

static void set_alpha(scene *s, float alpha)
{
    for (int i = 0; i < CORNERS; i++)
        s->colors[i][3] = alpha;
}

static void set_black(scene *s)
{
    for (int i = 0; i < CORNERS; i++)
        s->colors[i][0] = s->colors[i][1] = s->colors[i][2] = 0;
}

static void set_image(scene *s, uint8_t color, uint8_t alpha)
{
    for (int i = 0; i < 4; i++)
        memcpy(s->pixels[i], (const uint8_t[4]){color, color, color, alpha}, 4);
}

static void scale_node(scene *s, int node, float x, float y, float z)
{
    s->nodes[node].scale = (trilo_vec3){x, y, z};
    s->nodes[node].local.m[0] = x;
    s->nodes[node].local.m[5] = y;
    s->nodes[node].local.m[10] = z;
}

/* ---- the faults ---- */

static void vertex_alpha(scene *s)
{
    s->material.alpha = TRILO_ALPHA_BLEND, set_alpha(s, 0);
}
static void base_alpha(scene *s)
{
    s->material.alpha = TRILO_ALPHA_BLEND, s->material.base_color[3] = 0;
}
static void cutoff_above_base(scene *s)
{
    s->material.alpha = TRILO_ALPHA_CUTOUT, s->material.base_color[3] = 0.3f;
}
static void cutoff_above_vertices(scene *s)
{
    s->material.alpha = TRILO_ALPHA_CUTOUT, set_alpha(s, 0.4f);
}
static void image_clear(scene *s)
{
    s->material.alpha = TRILO_ALPHA_BLEND, set_image(s, 255, 0);
}
static void image_below_cutoff(scene *s)
{
    s->material.alpha = TRILO_ALPHA_CUTOUT, set_image(s, 255, 100);
}
static void n64_shade_alpha(scene *s)
{
    use_n64(s, TL_BLENDER_ALPHA);
    s->n64.combiner = combiner_of(TL_CC_SHADE, TL_CC_SHADE);
    set_alpha(s, 0);
}
static void n64_prim_alpha(scene *s)
{
    use_n64(s, TL_BLENDER_ALPHA);
    s->n64.combiner = combiner_of(TL_CC_PRIM, TL_CC_PRIM);
    s->n64.set_flags = TRILO_N64_SET_PRIM;
    memcpy(s->n64.prim, (const uint8_t[4]){255, 255, 255, 0}, 4);
}
static void n64_env_alpha(scene *s)
{
    use_n64(s, TL_BLENDER_ADDITIVE);
    s->n64.combiner = combiner_of(TL_CC_ENV, TL_CC_ENV);
    s->n64.set_flags = TRILO_N64_SET_ENV;
    memcpy(s->n64.env, (const uint8_t[4]){255, 255, 255, 0}, 4);
}
static void n64_threshold(scene *s)
{
    use_n64(s, 0);
    s->n64.combiner = combiner_of(TL_CC_SHADE, TL_CC_SHADE);
    s->n64.other_mode = s->n64.other_mask = 1;
    s->n64.blend[3] = 230;
    s->n64.set_flags = TRILO_N64_SET_BLEND;
}
static void n64_image_clear(scene *s)
{
    use_n64(s, TL_BLENDER_ALPHA), set_image(s, 255, 0);
}
static void vertices_black(scene *s)
{
    set_black(s);
}
static void base_black(scene *s)
{
    memset(s->material.base_color, 0, 3 * sizeof(float));
}
static void image_black(scene *s)
{
    set_image(s, 0, 255);
}
static void n64_prim_black(scene *s)
{
    use_n64(s, 0);
    s->n64.combiner = combiner_of(TL_CC_PRIM, TL_CC_ONE);
    s->n64.set_flags = TRILO_N64_SET_PRIM;
    s->n64.prim[3] = 255;
}
static void n64_combiner_zero(scene *s)
{
    use_n64(s, 0), s->n64.combiner = combiner_of(TL_CC_ZERO, TL_CC_ONE);
}
static void lit_black(scene *s)
{
    s->material.unlit = false, set_black(s);
}
static void culled(scene *s)
{
    use_n64(s, 0), s->n64.draw_flags |= TRILO_N64_CULL_FRONT;
}
static void node_zero(scene *s)
{
    scale_node(s, 1, 0, 0, 0);
}
static void parent_zero(scene *s)
{
    scale_node(s, 0, 0, 0, 0);
}
static void node_line(scene *s)
{
    scale_node(s, 1, 1, 0, 1);
}
static void same_corners(scene *s)
{
    memset(s->positions, 0, sizeof s->positions);
}
static void same_index(scene *s)
{
    memset(s->indices, 0, sizeof s->indices);
}
static void nan_positions(scene *s)
{
    for (int i = 0; i < CORNERS; i++)
        s->positions[i][1] = NAN;
}
static void infinite_node(scene *s)
{
    s->nodes[0].local.m[12] = INFINITY;
}
static void tiny(scene *s)
{
    scale_node(s, 0, 1e-3f, 1e-3f, 1e-3f);
}
static void enormous(scene *s)
{
    scale_node(s, 0, 1e9f, 1e9f, 1e9f);
}
static void far_away(scene *s)
{
    s->nodes[0].local.m[13] = 600, s->nodes[0].translation.y = 600;
}
static void console_range(scene *s)
{
    s->model.units_per_meter = 64, s->nodes[1].local.m[14] = -40000;
}
static void no_mesh(scene *s)
{
    s->model.mesh_count = 0;
}
static void no_index(scene *s)
{
    s->mesh.index_count = 0;
}

static const struct {
    const char *name;
    void (*seed)(scene *s);
    const char *code, *says;
} faults[] = {
    {"vertex alpha 0", vertex_alpha, "SEEN-ALPHA", "vertex colours have an alpha of 0"},
    {"base alpha 0", base_alpha, "SEEN-ALPHA", "base colour has an alpha of 0"},
    {"base alpha below the cutoff", cutoff_above_base, "SEEN-ALPHA", "base colour has an alpha of less"},
    {"vertex alpha below the cutoff", cutoff_above_vertices, "SEEN-ALPHA", "less than the threshold"},
    {"transparent image", image_clear, "SEEN-TEXTURE", "texture has an alpha of 0"},
    {"image below the cutoff", image_below_cutoff, "SEEN-TEXTURE", "texture has an alpha of less"},
    {"shade alpha 0", n64_shade_alpha, "SEEN-ALPHA", "vertex colours"},
    {"primitive alpha 0", n64_prim_alpha, "SEEN-ALPHA", "primitive colour has an alpha of 0"},
    {"environment alpha 0", n64_env_alpha, "SEEN-ALPHA", "environment colour has an alpha of 0"},
    {"alpha compare", n64_threshold, "SEEN-ALPHA", "less than the threshold"},
    {"transparent sprite", n64_image_clear, "SEEN-TEXTURE", "texture has an alpha of 0"},
    {"black vertices", vertices_black, "SEEN-BLACK", "the vertex colours are"},
    {"black base colour", base_black, "SEEN-BLACK", "the base colour is"},
    {"black image", image_black, "SEEN-TEXTURE", "the texture is"},
    {"black primitive colour", n64_prim_black, "SEEN-BLACK", "the primitive colour is"},
    {"combiner that gives 0", n64_combiner_zero, "SEEN-BLACK", "combiner"},
    {"black vertices in light", lit_black, "SEEN-BLACK", "the vertex colours are"},
    {"both faces culled", culled, "SEEN-CULLED", "culls front and back"},
    {"node scaled to 0", node_zero, "SEEN-FLAT", "scales it to 0"},
    {"parent scaled to 0", parent_zero, "SEEN-FLAT", "scales it to 0"},
    {"one axis of a flat mesh scaled to 0", node_line, "SEEN-FLAT", "scales it to 0"},
    {"coinciding corners", same_corners, "SEEN-FLAT", "corners coincide"},
    {"one index for all", same_index, "SEEN-FLAT", "corners coincide"},
    {"positions that are no numbers", nan_positions, "SEEN-NAN", "finite"},
    {"a node at infinity", infinite_node, "SEEN-NAN", "finite"},
    {"a model of a millimeter", tiny, "SEEN-SIZE", "units of the console wide"},
    {"an enormous model", enormous, "SEEN-SIZE", "beyond what a camera can show"},
    {"a mesh 600 meters away", far_away, "SEEN-RANGE", "16-bit"},
    {"a mesh outside the console's range", console_range, "SEEN-RANGE", "16-bit"},
    {"no mesh", no_mesh, "SEEN-EMPTY", "nothing to draw"},
    {"no triangle", no_index, "SEEN-EMPTY", "nothing to draw"},
};

typedef struct told {
    uint32_t count;
    char code[32], text[256];
} told;

static void hear(void *user, const trilo_finding *finding)
{
    told *t = user;
    t->count++;
    snprintf(t->code, sizeof t->code, "%s", finding->rule);
    snprintf(t->text, sizeof t->text, "%s", finding->text);
}

static bool look(const scene *s, told *t)
{
    trilo_error err;
    *t = (told){.count = 0};
    const trilo_visibility_opts opts = {.textures = s->images, .on_finding = hear, .on_finding_user = t};
    const bool visible = trilo_model_visible(&s->model, &opts, &err);
    CHECK_INT(err.code, TRILO_CODE_OK);
    return visible;
}

TEST(every_fault_is_named_with_its_cure)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        static scene s;
        told t;
        scene_fill(&s);
        faults[i].seed(&s);
        if (look(&s, &t))
            FAIL("%s: said to be visible (%s: %s)", faults[i].name, t.code, t.text);
        if (t.count != 1 || strcmp(t.code, faults[i].code) != 0 || !strstr(t.text, faults[i].says))
            FAIL("%s: %u findings, %s: %s", faults[i].name, t.count, t.code, t.text);
        const trilo_rule *rule = trilo_rule_find(t.code);
        CHECK(rule && strlen(rule->cure) > 20);
    }
}

TEST(what_can_be_seen_has_no_finding)
{
    static scene s;
    told t;
    scene_fill(&s);
    CHECK(look(&s, &t) && t.count == 0);
    s.material.alpha = TRILO_ALPHA_BLEND;
    CHECK(look(&s, &t) && t.count == 0);
    use_n64(&s, TL_BLENDER_ALPHA);
    CHECK(look(&s, &t) && t.count == 0);
    /* What the game sets may be anything. */
    s.n64.combiner = combiner_of(TL_CC_PRIM, TL_CC_PRIM);
    CHECK(look(&s, &t) && t.count == 0);
    /* Lights have an alpha. */
    s.n64.combiner = combiner_of(TL_CC_SHADE, TL_CC_SHADE);
    s.n64.draw_flags &= ~(uint32_t)TRILO_N64_UNLIT;
    set_alpha(&s, 0);
    CHECK(look(&s, &t) && t.count == 0);
    /* Without the image nobody knows. */
    scene_fill(&s);
    image_clear(&s);
    s.images[0] = NULL;
    CHECK(look(&s, &t) && t.count == 0);
    /* Opaque: alpha does not matter. */
    scene_fill(&s);
    set_alpha(&s, 0);
    CHECK(look(&s, &t) && t.count == 0);
    /* Emission is seen on black. */
    const trilo_pbr glow = {.roughness = 1, .emissive = {0, 0.5f, 0}};
    base_black(&s);
    s.material.unlit = false;
    s.material.pbr = &glow;
    CHECK(look(&s, &t) && t.count == 0);
}

/* Only a T3DM model has sprites that must be there, and not those that an engine counts. */
TEST(a_sprite_that_is_not_there_is_reported)
{
    static const struct {
        trilo_format format;
        const char *path;
        uint32_t findings;
    } cases[] = {{TRILO_FORMAT_T3DM, "rom:/none.sprite", 1},
                 {TRILO_FORMAT_T3DM, "asset:12", 0},
                 {TRILO_FORMAT_NLM, "rom:/none.sprite", 0},
                 {TRILO_FORMAT_NLM, "none.png", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static scene s;
        told t = {.count = 0};
        scene_fill(&s);
        s.model.format = cases[i].format;
        s.texture.path = (trilo_str){cases[i].path, (uint32_t)strlen(cases[i].path)};
        trilo_assets *assets = trilo_assets_new(NULL, NULL);
        CHECK(assets && trilo_assets_check_model(assets, &s.model, NULL, hear, &t, NULL));
        if (t.count != cases[i].findings || (t.count > 0 && strcmp(t.code, "T3DM-TEXTURE-MISSING") != 0))
            FAIL("%zu: %u findings, %s", i, t.count, t.code);
        trilo_assets_free(assets);
    }
}

/* Two steps of 255 are black, a little more is not. */
TEST(black_ends_above_two_steps)
{
    static const float levels[] = {2.0f / 255 - 1e-5f, 2.0f / 255 + 1e-5f};
    static scene s;
    told t;
    for (int i = 0; i < 2; i++) {
        scene_fill(&s);
        s.material.texture = TRILO_NONE;
        for (int k = 0; k < 3; k++)
            s.material.base_color[k] = 1;
        for (int v = 0; v < CORNERS; v++)
            s.colors[v][0] = s.colors[v][1] = s.colors[v][2] = levels[i];
        CHECK(look(&s, &t) == (i == 1));
    }
}

/* In the second cycle TEX0 selects the second texture: its alpha is what counts. */
TEST(the_second_cycle_has_the_second_texture)
{
    static const uint8_t clear[1][4] = {{255, 255, 255, 0}}, solid[1][4] = {{255, 255, 255, 255}};
    const trilo_image none = {1, 1, clear}, full = {1, 1, solid};
    const trilo_image *const images[2][2] = {{&none, &full}, {&full, &none}};
    for (int i = 0; i < 2; i++) {
        scene s;
        scene_fill(&s);
        use_n64(&s, TL_BLENDER_ALPHA);
        const trilo_texture textures[2] = {s.texture, s.texture};
        s.model.textures = textures, s.model.texture_count = 2;
        s.n64.tiles[1].texture = 1;
        tl_cc_selectors selectors = tl_cc_unpack(combiner_of(TL_CC_TEX0, TL_CC_TEX0));
        selectors.two_cycles = true;
        s.n64.combiner = tl_cc_pack(&selectors);
        const trilo_visibility_opts opts = {.textures = images[i]};
        CHECK(trilo_model_visible(&s.model, &opts, NULL) == (i == 0));
    }
}

TEST_MAIN(CASE(every_fault_is_named_with_its_cure), CASE(what_can_be_seen_has_no_finding),
          CASE(black_ends_above_two_steps), CASE(a_sprite_that_is_not_there_is_reported),
          CASE(the_second_cycle_has_the_second_texture))
