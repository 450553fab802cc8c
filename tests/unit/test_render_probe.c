/* What the colour combiner gets at a pixel. */
#include "harness.h"
#include "support/render_scene.h"

#include <string.h>

static scene_model s;
static scene_picture p;

static void probe(const trilo_scene *scene, uint32_t x, uint32_t y, trilo_pixel_probe *out)
{
    const trilo_image *const textures[] = {&s.image};
    trilo_error err;
    trilo_renderer *renderer = trilo_renderer_new(&s.model, textures, NULL, &err);
    CHECK(renderer != NULL);
    CHECK(trilo_renderer_probe(renderer, scene, 8, 8, x, y, out, &err));
    trilo_renderer_free(renderer);
}

static void check_value(const trilo_pixel_probe *probe, trilo_combiner_input input, int r, int g, int b, int a)
{
    const int16_t *v = probe->values[input];
    CHECK((probe->inputs >> input & 1) != 0);
    if (v[0] != r || v[1] != g || v[2] != b || v[3] != a)
        FAIL("input %d is %d %d %d %d, not %d %d %d %d", input, v[0], v[1], v[2], v[3], r, g, b, a);
}

static trilo_scene console_scene(void)
{
    trilo_scene scene = scene_plain();
    scene.look = TRILO_LOOK_N64;
    scene.console.color_32 = true;
    scene.dither = scene.antialias = TRILO_SWITCH_OFF;
    return scene;
}

/* The combiner of test_render_state.c: both textures, the second shifted so that column 4 shows texel 2. */
TEST(both_textures)
{
    const trilo_scene scene = console_scene();
    trilo_pixel_probe out;
    scene_make(&s, 1);
    s.n64[0].combiner = UINT64_C(0x8026a00715309245);
    s.n64[0].tiles[1] = s.n64[0].tiles[0];
    s.n64[0].tiles[1].s.shift = 1;
    for (int i = 0; i < SCENE_SIDE * SCENE_SIDE; i++)
        s.texels[i][3] = 0;
    probe(&scene, 4, 5, &out);
    CHECK(out.drawn && out.mesh == 0);
    check_value(&out, TRILO_COMBINER_INPUT_TEX0, 30 * 4, 30 * 5, 7, 0);
    check_value(&out, TRILO_COMBINER_INPUT_TEX1, 30 * 2, 30 * 5, 7, 0);
    CHECK((out.inputs >> TRILO_COMBINER_INPUT_COMBINED & 1) != 0);
    CHECK((out.inputs >> TRILO_COMBINER_INPUT_PRIM & 1) == 0);
    CHECK(out.output[0] == 30 * 2 && out.output[1] == 30 * 5 && out.output[2] == 7);
}

/* A light from everywhere of 128 on a vertex colour of 1/2: 64 or close to it, as the microcode rounds. */
TEST(shade_is_after_light)
{
    const trilo_light light = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {128, 0, 255, 0}};
    trilo_scene scene = console_scene();
    trilo_pixel_probe out;
    scene.lights = &light;
    scene.light_count = 1;
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_SHADE;
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 4; k++)
            s.colors[0][v][k] = 0.5f;
    probe(&scene, 3, 3, &out);
    CHECK_INT(out.inputs, 1 << TRILO_COMBINER_INPUT_SHADE);
    CHECK(out.values[TRILO_COMBINER_INPUT_SHADE][0] >= 62 && out.values[TRILO_COMBINER_INPUT_SHADE][0] <= 65);
    CHECK(out.values[TRILO_COMBINER_INPUT_SHADE][1] <= 1);
    CHECK(out.values[TRILO_COMBINER_INPUT_SHADE][2] >= 126 && out.values[TRILO_COMBINER_INPUT_SHADE][2] <= 128);
}

/* What the combiner gave is what is in the picture, in both kinds of the console's look. */
TEST(the_output_is_the_pixel)
{
    trilo_scene scene = console_scene();
    trilo_pixel_probe out;
    scene_make(&s, 2);
    s.n64[0].combiner = SCENE_TEX0;
    for (int c = 0; c < 4; c++) {
        s.positions[1][c][2] = 1;
        s.positions[1][c][0] = s.positions[1][c][0] / 2 + 0.5f; /* the right half, in front */
    }
    s.n64[1].prim[1] = 77;
    scene_draw(&s, &scene, 8, 8, &p);
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++) {
            const uint8_t *seen = scene_at(&p, x, y);
            probe(&scene, x, y, &out);
            CHECK_INT(out.mesh, x >= 4);
            if (memcmp(out.output, seen, 3) != 0)
                FAIL("pixel %u, %u is %d %d %d, its combiner gave %d %d %d", x, y, seen[0], seen[1], seen[2],
                     out.output[0], out.output[1], out.output[2]);
        }
    scene.look = TRILO_LOOK_TV; /* pixels of the buffer are 2 by 2 */
    probe(&scene, 3, 7, &out);
    CHECK_INT(out.mesh, 0);
    probe(&scene, 4, 7, &out);
    CHECK_INT(out.mesh, 1);
    scene.look = TRILO_LOOK_CLEAN;
    probe(&scene, 7, 7, &out);
    check_value(&out, TRILO_COMBINER_INPUT_PRIM, 255, 77, 255, 255);
}

TEST(nothing_and_outside)
{
    const trilo_scene scene = console_scene();
    trilo_pixel_probe out;
    trilo_error err;
    scene_make(&s, 1);
    for (int c = 0; c < 4; c++)
        s.positions[0][c][0] /= 4;
    probe(&scene, 0, 0, &out);
    CHECK(!out.drawn && out.inputs == 0);
    trilo_renderer *renderer = trilo_renderer_new(&s.model, NULL, NULL, &err);
    CHECK(!trilo_renderer_probe(renderer, &scene, 8, 8, 8, 0, &out, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    trilo_renderer_free(renderer);
}

TEST_MAIN(CASE(both_textures), CASE(shade_is_after_light), CASE(the_output_is_the_pixel), CASE(nothing_and_outside))
