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

/* Without colours, vertices are white and solid. */
TEST(vertices_without_colours_are_white)
{
    static scene s;
    told t;
    for (int i = 0; i < 4; i++) {
        scene_fill(&s);
        s.mesh.colors = NULL;
        s.material.texture = TRILO_NONE;
        s.material.alpha = i % 2 ? TRILO_ALPHA_CUTOUT : TRILO_ALPHA_BLEND;
        s.material.alpha_cutoff = 0.999f;
        if (i >= 2) {
            use_n64(&s, TL_BLENDER_ALPHA);
            s.n64.combiner = combiner_of(TL_CC_SHADE, TL_CC_SHADE);
            s.n64.other_mode = s.n64.other_mask = i % 2 ? 1 : 0;
            s.n64.blend[3] = 255;
            s.n64.set_flags = TRILO_N64_SET_BLEND;
        }
        CHECK(look(&s, &t));
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

/* ---- the inputs of the combiner ---- */

/* Colours, red to alpha, of all that can be selected; the vertices are not lit. */
typedef struct inputs {
    uint8_t texture[2], prim[2], env[2], shade[2], second[2]; /* colour and alpha */
} inputs;

static void fill_color(uint8_t out[4], const uint8_t in[2])
{
    memset(out, in[0], 3);
    out[3] = in[1];
}

static bool seen_with(const char *first, const char *second, const inputs *in)
{
    static scene s;
    uint8_t other[1][4];
    const trilo_image two = {1, 1, (const uint8_t(*)[4])other};
    char problem[128] = "";
    scene_fill(&s);
    use_n64(&s, 0);
    if (!tl_cc_read(first, second, &s.n64.combiner, problem, sizeof problem))
        FAIL("%s: %s", first, problem);
    set_image(&s, in->texture[0], in->texture[1]);
    fill_color(other[0], in->second);
    fill_color(s.n64.prim, in->prim);
    fill_color(s.n64.env, in->env);
    s.n64.set_flags = TRILO_N64_SET_PRIM | TRILO_N64_SET_ENV;
    for (int v = 0; v < CORNERS; v++)
        for (int k = 0; k < 4; k++)
            s.colors[v][k] = in->shade[k == 3] / 255.0f;
    const trilo_texture textures[2] = {s.texture, s.texture};
    const trilo_image *const images[2] = {&s.image, &two};
    s.model.textures = textures, s.model.texture_count = 2;
    s.n64.tiles[1].texture = 1;
    return trilo_model_visible(&s.model, &(trilo_visibility_opts){.textures = images}, NULL);
}

/* Each input has the colour or the alpha of one source: with all others black or white, that one decides. */
TEST(inputs_of_the_combiner)
{
    static const struct {
        const char *name;
        size_t place; /* in `inputs` */
    } all[] = {{"TEX0", offsetof(inputs, texture)}, {"TEX0_ALPHA", offsetof(inputs, texture) + 1},
               {"TEX1", offsetof(inputs, second)},  {"TEX1_ALPHA", offsetof(inputs, second) + 1},
               {"PRIM", offsetof(inputs, prim)},    {"PRIM_ALPHA", offsetof(inputs, prim) + 1},
               {"SHADE", offsetof(inputs, shade)},  {"SHADE_ALPHA", offsetof(inputs, shade) + 1},
               {"ENV", offsetof(inputs, env)},      {"ENV_ALPHA", offsetof(inputs, env) + 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int white = 0; white < 2; white++) {
            inputs in;
            char formula[64];
            memset(&in, white ? 0 : 255, sizeof in);
            ((uint8_t *)&in)[all[i].place] = white ? 255 : 0;
            snprintf(formula, sizeof formula, "(1,0,%s,0), (0,0,0,1)", all[i].name);
            CHECK_INT(seen_with(formula, "(0,0,0,COMBINED), (0,0,0,1)", &in), white);
            /* Through the alpha of the first cycle, and through its colour. */
            snprintf(formula, sizeof formula, "(0,0,0,1), (0,0,0,%.*s)", (int)strcspn(all[i].name, "_"), all[i].name);
            if (all[i].place % 2 == 1)
                CHECK_INT(seen_with(formula, "(1,0,COMBINED_ALPHA,0), (0,0,0,1)", &in), white);
            snprintf(formula, sizeof formula, "(1,0,%s,0), (0,0,0,%d)", all[i].name, !white);
            CHECK_INT(seen_with(formula, "(1,0,COMBINED,0), (0,0,0,0)", &in), white);
        }
}

/* What is not known could have any value. */
TEST(inputs_that_may_be_anything)
{
    static const char *const names[] = {"LOD_FRAC", "PRIM_LOD_FRAC", "K5"};
    const inputs black = {{0}, {0}, {0}, {0}, {0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char formula[64];
        snprintf(formula, sizeof formula, "(1,0,%s,0), (0,0,0,1)", names[i]);
        CHECK(seen_with(formula, NULL, &black));
    }
    CHECK(!seen_with("(1,0,0,0), (0,0,0,1)", NULL, &black));
    CHECK(seen_with("(0,0,0,1), (0,0,0,1)", NULL, &black));
}

/* The console wraps below -0.5 and above 1.5. 127 of 255 is below a half, 128 above. */
TEST(sums_that_wrap)
{
    for (int above = 0; above < 2; above++) {
        inputs in;
        memset(&in, 127 + above, sizeof in);
        in.shade[0] = 255;
        CHECK_INT(seen_with("(0,SHADE,ENV,0), (0,0,0,1)", NULL, &in), above);
        CHECK_INT(seen_with("(1,0,ENV,1), (0,0,0,1)", "(1,COMBINED,ENV,0), (0,0,0,1)", &in), above);
    }
}

/* The difference of something and itself is 0, whatever it is; that of two things need not be. */
TEST(differences_of_equal_inputs)
{
    const inputs grey = {{99, 99}, {99, 99}, {99, 99}, {99, 99}, {99, 99}};
    CHECK(!seen_with("(PRIM,PRIM,SHADE,0), (0,0,0,1)", NULL, &grey));
    CHECK(!seen_with("(PRIM,ENV,SHADE,0), (0,0,0,1)", NULL, &grey)); /* equal colours */
    static scene s;
    told t;
    for (int i = 0; i < 2; i++) { /* that the game sets */
        char problem[128];
        scene_fill(&s);
        use_n64(&s, 0);
        CHECK(tl_cc_read(i ? "(PRIM,ENV,SHADE,0), (0,0,0,1)" : "(PRIM,PRIM,SHADE,0), (0,0,0,1)", NULL, &s.n64.combiner,
                         problem, sizeof problem));
        CHECK_INT(look(&s, &t), i);
    }
}

/* One vertex or one pixel is enough, in one of its channels. */
TEST(a_single_colour_is_seen)
{
    for (int at = 0; at < 4; at++)
        for (int k = 0; k < 4; k++) {
            static scene s;
            told t;
            scene_fill(&s);
            set_black(&s);
            s.colors[at][k] = 1;
            CHECK_INT(look(&s, &t), k < 3);
            scene_fill(&s);
            set_image(&s, 0, 0);
            s.pixels[at][k] = 255;
            CHECK_INT(look(&s, &t), k < 3);
            s.material.alpha = TRILO_ALPHA_BLEND; /* clear where it has a colour, black where it is not clear */
            CHECK(!look(&s, &t));
            set_image(&s, 9, 0);
            s.pixels[at][3] = 9;
            CHECK(look(&s, &t));
        }
}

TEST(limits_of_alpha)
{
    static const struct {
        trilo_alpha alpha;
        float cutoff, value;
        bool seen;
    } all[] = {{TRILO_ALPHA_BLEND, 0, 0.49f / 255, false},   {TRILO_ALPHA_BLEND, 0, 0.51f / 255, true},
               {TRILO_ALPHA_BLEND, 0.5f, 0.1f, true},        {TRILO_ALPHA_OPAQUE, 0.5f, 0, true},
               {TRILO_ALPHA_CUTOUT, 0.25f, 0.25f, true},     {TRILO_ALPHA_CUTOUT, 0.25f, 0.2499f, false},
               {TRILO_ALPHA_CUTOUT, 0, 0.5f, true},          {TRILO_ALPHA_CUTOUT, 0, 0.4999f, false},
               {TRILO_ALPHA_CUTOUT, 0.5f, 0.4999995f, true}, {TRILO_ALPHA_CUTOUT, 1, 7, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        static scene s;
        told t;
        scene_fill(&s);
        s.material.texture = TRILO_NONE;
        s.material.alpha = all[i].alpha;
        s.material.alpha_cutoff = all[i].cutoff;
        set_alpha(&s, all[i].value);
        CHECK_INT(look(&s, &t), all[i].seen);
    }
}

/* The console compares alpha with that of the blend colour only if the material says all of it. */
TEST(what_an_alpha_compare_needs)
{
    for (int missing = 0; missing < 3; missing++) {
        static scene s;
        told t;
        scene_fill(&s);
        n64_threshold(&s);
        s.n64.set_flags = 0; /* comparing sets the blend colour */
        if (missing == 1)
            s.n64.other_mask = 2;
        if (missing == 2)
            s.n64.other_mode = s.n64.other_mask = 3; /* with noise */
        CHECK_INT(look(&s, &t), missing > 0);
    }
    static scene s;
    told t;
    scene_fill(&s);
    n64_threshold(&s);
    s.n64.blend[3] = 204; /* 0.8 */
    CHECK(look(&s, &t));
    s.n64.blend[3] = 205;
    CHECK(!look(&s, &t));
}

/* A material of an engine that sets the state itself, and one without a state. */
TEST(states_that_others_set)
{
    static scene s;
    told t;
    scene_fill(&s);
    use_n64(&s, 0);
    set_black(&s);
    CHECK(!look(&s, &t));
    s.n64.engine_flags = TRILO_N64_ENGINE_LAYERED;
    CHECK(look(&s, &t));
    s.n64.engine_flags = 0;
    s.n64.combiner = 0;
    CHECK(look(&s, &t));
}

/* ---- shapes ---- */

/* A line needs a length along any axis, a triangle two directions. */
TEST(areas_along_each_axis)
{
    for (int axis = 0; axis < 3; axis++)
        for (int other = 0; other < 3; other++) {
            static scene s;
            told t;
            scene_fill(&s);
            memset(s.positions, 0, sizeof s.positions);
            s.positions[1][axis] = 1;
            s.positions[2][other] += 2;
            s.mesh.index_count = 3;
            CHECK_INT(look(&s, &t), axis != other);
            s.mesh.topology = TRILO_TOPOLOGY_LINES;
            s.mesh.index_count = 2;
            CHECK(look(&s, &t));
            s.positions[1][axis] = 0;
            CHECK(!look(&s, &t));
            CHECK_STR(t.code, "SEEN-FLAT");
        }
}

TEST(one_good_triangle_is_enough)
{
    static scene s;
    told t;
    for (int bad = 0; bad < 6; bad++) {
        scene_fill(&s);
        s.positions[3][bad % 3] = bad < 3 ? NAN : INFINITY; /* of the second triangle alone */
        CHECK(look(&s, &t) && t.count == 0);
        scene_fill(&s);
        s.positions[2][bad % 3] = bad < 3 ? NAN : -INFINITY; /* of both */
        CHECK(!look(&s, &t));
        CHECK_STR(t.code, "SEEN-NAN");
    }
    scene_fill(&s);
    memcpy(s.positions[3], s.positions[2], sizeof s.positions[3]); /* the second has no area */
    CHECK(look(&s, &t) && t.count == 0);
}

/* 64 units to a meter, of 16 bits: the square of 1 is outside when it begins above 32767 units or ends below -32768. */
TEST(limits_of_coordinates)
{
    for (int axis = 0; axis < 3; axis++)
        for (int far = 0; far < 4; far++) {
            static const double places[4] = {32767 / 64.0, 32768 / 64.0, -32768 / 64.0 - 1, -32769 / 64.0 - 1};
            static scene s;
            told t;
            scene_fill(&s);
            for (int v = 0; v < CORNERS; v++) {
                const float x = s.positions[v][0], y = s.positions[v][1];
                s.positions[v][axis] = (float)(places[far] + x);
                s.positions[v][(axis + 1) % 3] = y;
                s.positions[v][(axis + 2) % 3] = 0;
            }
            CHECK_INT(look(&s, &t), far % 2 == 0);
            if (far % 2 == 1)
                CHECK_STR(t.code, "SEEN-RANGE");
        }
}

/* The sine of the angle between two sides: 10^-9 and less is none. Of a side of 200, that is a height of 2 * 10^-7. */
TEST(areas_that_are_hardly_one)
{
    for (int axis = 0; axis < 3; axis++)
        for (int other = 0; other < 3; other++)
            for (int high = 0; high < 2; high++) {
                static scene s;
                told t;
                scene_fill(&s);
                if (axis == other)
                    continue;
                memset(s.positions, 0, sizeof s.positions);
                s.positions[1][axis] = 300;
                s.positions[2][axis] = -200;
                s.positions[2][other] = high ? 2.1e-7f : 1.9e-7f;
                s.mesh.index_count = 3;
                CHECK_INT(look(&s, &t), high);
                CHECK_STR(t.code, high ? "" : "SEEN-FLAT");
            }
}

/* Of one unit of the console, or a million meters; along each axis, from 0 or to it. */
TEST(limits_of_sizes)
{
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int kind = 0; kind < 4; kind++) {
                static const float sizes[4] = {0.99f / 64, 1.01f / 64, 0.99e6f, 1.01e6f};
                static scene s;
                told t;
                scene_fill(&s);
                memset(s.positions, 0, sizeof s.positions);
                s.positions[1][axis] = (float)sign * sizes[kind];
                s.positions[2][(axis + 1) % 3] = 0.5f * sizes[kind] > 100 ? 100 : 0.5f * sizes[kind];
                s.mesh.index_count = 3;
                CHECK_INT(look(&s, &t), kind == 1 || kind == 2);
                if (kind == 0 || kind == 3)
                    CHECK_STR(t.code, "SEEN-SIZE");
            }
}

/* A mesh without area may get one from a clip that scales nodes, or that has frames of it. */
TEST(shapes_that_a_clip_changes)
{
    static const double times[1] = {0};
    static const float value[4] = {1, 1, 1, 1};
    for (int target = 0; target < TRILO_TARGET_COUNT; target++) {
        static scene s;
        told t;
        const trilo_channel channel = {
            .node = 1, .target = (trilo_target)target, .key_count = 1, .times = times, .values = value};
        const trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &channel};
        scene_fill(&s);
        parent_zero(&s);
        s.model.clips = &clip, s.model.clip_count = 1;
        look(&s, &t);
        CHECK_INT(strcmp(t.code, "SEEN-FLAT") != 0, target == TRILO_TARGET_SCALE || target == TRILO_TARGET_SCALE_X ||
                                                        target == TRILO_TARGET_SCALE_Y ||
                                                        target == TRILO_TARGET_SCALE_Z);
    }
    for (uint32_t mesh = 0; mesh < 2; mesh++) {
        static scene s;
        told t;
        scene_fill(&s);
        const trilo_frame frame = {0, (const float(*)[3])s.positions, NULL};
        const trilo_track track = {.mesh = mesh, .frame_count = 1, .frames = &frame};
        const trilo_clip clip = {.duration = 1, .track_count = 1, .tracks = &track};
        same_index(&s);
        const trilo_mesh meshes[2] = {s.mesh, s.mesh};
        s.model.meshes = meshes, s.model.mesh_count = 2;
        s.model.clips = &clip, s.model.clip_count = 1;
        CHECK(!look(&s, &t)); /* the other one, and as a whole it is a point */
        CHECK_INT(t.count, 2);
        CHECK_STR(t.code, "SEEN-SIZE");
    }
}

/* ---- several meshes ---- */

/* Black is reported for all or for none, everything else for the mesh that has it. */
TEST(black_beside_other_meshes)
{
    static const float black[CORNERS][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}};
    for (int kinds = 0; kinds < 4; kinds++) {
        static scene s;
        told t;
        scene_fill(&s);
        trilo_mesh meshes[3] = {s.mesh, s.mesh, s.mesh};
        for (int i = 0; i < 2; i++)
            if (kinds >> i & 1)
                meshes[i].colors = black;
        meshes[2].index_count = 0; /* nothing to see in any case */
        s.model.meshes = meshes, s.model.mesh_count = 3;
        CHECK_INT(look(&s, &t), kinds < 3);
        CHECK_INT(t.count, kinds == 3 ? 2 : 0);
        if (kinds == 3)
            CHECK_STR(t.text, "\"square\": it is black: the vertex colours are");
        meshes[1].index_count = 0;
        CHECK_INT(look(&s, &t), kinds % 2 == 0);
    }
}

/* The texts of a mesh with a name and of one without. */
TEST(texts_of_findings)
{
    static scene s;
    told t;
    scene_fill(&s);
    far_away(&s);
    look(&s, &t);
    CHECK_STR(t.text, "\"square\": all of it is outside the 16-bit coordinates of the console at scale 64");
    s.mesh.name = (trilo_str){"", 0};
    look(&s, &t);
    CHECK_STR(t.text, "all of it is outside the 16-bit coordinates of the console at scale 64");
    scene_fill(&s);
    s.mesh.node = TRILO_NONE;
    for (int v = 0; v < CORNERS; v++)
        for (int k = 0; k < 3; k++)
            s.positions[v][k] *= 0x1p-7f;
    look(&s, &t);
    CHECK_STR(t.text, "the whole model is 0.5 units of the console wide");
    s.positions[1][0] = -2e6f;
    look(&s, &t);
    CHECK_STR(t.text, "\"square\": a coordinate of 2e+06 is beyond what a camera can show");
}

TEST_MAIN(CASE(every_fault_is_named_with_its_cure), CASE(what_can_be_seen_has_no_finding),
          CASE(a_sprite_that_is_not_there_is_reported), CASE(black_ends_above_two_steps),
          CASE(vertices_without_colours_are_white), CASE(the_second_cycle_has_the_second_texture),
          CASE(inputs_of_the_combiner), CASE(inputs_that_may_be_anything), CASE(sums_that_wrap),
          CASE(differences_of_equal_inputs), CASE(a_single_colour_is_seen), CASE(limits_of_alpha),
          CASE(what_an_alpha_compare_needs), CASE(states_that_others_set), CASE(areas_along_each_axis),
          CASE(one_good_triangle_is_enough), CASE(limits_of_coordinates), CASE(areas_that_are_hardly_one),
          CASE(limits_of_sizes), CASE(shapes_that_a_clip_changes), CASE(black_beside_other_meshes),
          CASE(texts_of_findings))
