/* Pictures that cannot be drawn, with codes and texts, and the largest that can; memory that runs out in every look;
 * means of samples, and backgrounds. */
#include "harness.h"
#include "support/exercise.h"
#include "support/render_scene.h"

#include <math.h>
#include <string.h>

static scene_model s;
static scene_picture p;

static trilo_renderer *new_renderer(const trilo_memory *memory, trilo_error *err)
{
    static const trilo_image *images[1];
    images[0] = &s.image;
    return trilo_renderer_new(&s.model, images, memory, err);
}

/* ---- sizes ---- */

static void check_size(const trilo_scene *scene, uint32_t width, uint32_t height, trilo_code code, const char *text)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    trilo_renderer *renderer = new_renderer(NULL, &err);
    CHECK(renderer);
    const bool drawn = trilo_renderer_draw(renderer, scene, width, height, p.pixels, &err);
    trilo_renderer_free(renderer);
    CHECK_INT(drawn, code == TRILO_CODE_OK);
    CHECK_INT(err.code, code);
    if (text)
        CHECK_STR(err.text, text);
}

TEST(sizes_of_pictures)
{
    static const char empty[] = "a picture must be at least one pixel wide and one high",
                      odd[] = "the tv look needs an even width and height",
                      samples[] = "a pixel has 1 to 8 samples along each side";
    trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    check_size(&scene, 0, 1, TRILO_CODE_MISUSE, empty);
    check_size(&scene, 1, 0, TRILO_CODE_MISUSE, empty);
    check_size(&scene, 1, 1, TRILO_CODE_OK, NULL);
    check_size(&scene, 16384, 1, TRILO_CODE_OK, NULL);
    check_size(&scene, 1, 16384, TRILO_CODE_OK, NULL);
    check_size(&scene, 16385, 1, TRILO_CODE_LIMIT,
               "a picture of 16385 x 1 pixels with 1 samples a side is too large; 16384 x 16384 is the most");
    check_size(&scene, 1, 16385, TRILO_CODE_LIMIT,
               "a picture of 1 x 16385 pixels with 1 samples a side is too large; 16384 x 16384 is the most");
    scene.samples = 8;
    check_size(&scene, 2048, 1, TRILO_CODE_OK, NULL);
    check_size(&scene, 1, 2049, TRILO_CODE_LIMIT,
               "a picture of 1 x 2049 pixels with 8 samples a side is too large; 2048 x 2048 is the most");
    scene.samples = 9;
    check_size(&scene, 1, 1, TRILO_CODE_MISUSE, samples);
    scene.look = TRILO_LOOK_N64; /* has no samples */
    check_size(&scene, 3, 1, TRILO_CODE_OK, NULL);
    scene.look = TRILO_LOOK_TV;
    check_size(&scene, 4, 2, TRILO_CODE_OK, NULL);
    check_size(&scene, 3, 2, TRILO_CODE_MISUSE, odd);
    check_size(&scene, 4, 1, TRILO_CODE_MISUSE, odd);
    scene = scene_plain();
    scene.samples = 0; /* two of them */
    check_size(&scene, 8193, 1, TRILO_CODE_LIMIT,
               "a picture of 8193 x 1 pixels with 2 samples a side is too large; 8192 x 8192 is the most");
}

/* Near and far times the scale: 20 to 262140. */
TEST(near_and_far_of_the_console)
{
    trilo_scene scene = {
        .view = {.eye = {0, 0, 5}, .near_at = 1, .far_at = 9}, .look = TRILO_LOOK_N64, .console = {.model_scale = 2}};
    scene_make(&s, 1);
    check_size(&scene, 8, 8, TRILO_CODE_OK, NULL);
    scene.console.model_scale = 1.5f;
    check_size(&scene, 8, 8, TRILO_CODE_LIMIT,
               "near plus far, times the model scale, must be 20 to 262140; the console's numbers wrap "
               "beyond that");
    scene.console.model_scale = 2;
    check_size(&scene, 336, 8, TRILO_CODE_LIMIT,
               "near plus far, times the model scale, must be 21 to 262140; the console's numbers wrap "
               "beyond that");
}

TEST(probes_outside_of_the_picture)
{
    const trilo_scene scene = scene_plain(), wrong = {.guard = 1};
    trilo_error err;
    trilo_pixel_probe out = {.drawn = true};
    scene_make(&s, 1);
    trilo_renderer *renderer = new_renderer(NULL, &err);
    CHECK(trilo_renderer_probe(renderer, &scene, 6, 6, 5, 5, &out, &err) && out.drawn);
    CHECK(!trilo_renderer_probe(renderer, &scene, 6, 6, 6, 5, &out, &err) && !out.drawn);
    CHECK_STR(err.text, "the pixel is outside of the picture");
    out.drawn = true;
    CHECK(!trilo_renderer_probe(renderer, &scene, 6, 6, 5, 6, &out, &err) && !out.drawn);
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    out.drawn = true;
    CHECK(!trilo_renderer_probe(renderer, &wrong, 8, 6, 1, 1, &out, &err) && !out.drawn);
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    CHECK(!trilo_renderer_draw(renderer, &wrong, 8, 6, p.pixels, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    trilo_renderer_free(renderer);
}

/* ---- memory ---- */

/* A model with an emissive map, a missing texture, a mesh without normals and a node; each look with an allocation
 * denied, or with too little. What is drawn in the end is the same. */
TEST(memory_runs_out_in_every_look)
{
    const trilo_node node = {.parent = TRILO_NONE,
                             .rotation = {0, 0, 0, 1},
                             .scale = {1, 1, 1},
                             .local = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
    static const trilo_texture textures[2] = {{.width = 8, .height = 8}, {.width = 40, .height = 30}};
    trilo_pbr pbr = {.roughness = 1, .emissive = {1, 0.5f, 1}};
    trilo_scene scene = scene_plain();
    scene_make(&s, 3);
    s.model.textures = textures, s.model.texture_count = 2;
    s.model.nodes = &node, s.model.node_count = 1;
    s.meshes[1].normals = NULL, s.meshes[1].colors = NULL;
    pbr.maps[TRILO_MAP_KIND_EMISSIVE] = (trilo_map){.used = true, .texture = 0, .strength = 1};
    s.materials[1] = (trilo_material){.base_color = {1, 1, 1, 1}, .texture = 1, .pbr = &pbr, .two_sided = true};
    const trilo_image *const images[2] = {&s.image, NULL};
    p.width = p.height = 32;
    for (int look = 0; look < 4; look++) {
        scene.look = look < 2 ? TRILO_LOOK_CLEAN : look == 2 ? TRILO_LOOK_N64 : TRILO_LOOK_TV;
        scene.samples = look == 1 ? 2 : 1;
        uint32_t hash = 0;
        size_t calls = 0, peak = 0;
        bool done = false;
        for (size_t n = 0; n == 0 || n <= calls + 12 || !done; n++) { /* all of it; without a call; up to a limit */
            meter m = {.fail_at = n <= calls ? n : 0};
            const size_t limit = n > calls ? 100 + peak * (n - calls) / 12 : 0;
            const trilo_memory memory = meter_memory(&m, limit);
            trilo_error err = {.code = TRILO_CODE_OK};
            trilo_renderer *renderer = trilo_renderer_new(&s.model, images, &memory, &err);
            done = renderer && trilo_renderer_draw(renderer, &scene, 32, 32, p.pixels, &err);
            trilo_renderer_free(renderer);
            CHECK_INT(m.now, 0);
            CHECK_INT(done ? TRILO_CODE_NO_MEMORY : err.code, TRILO_CODE_NO_MEMORY);
            if (n == 0)
                calls = m.calls, peak = m.peak, hash = scene_hash(&p);
            CHECK(n == 0 || n > calls ? n > 0 || done : !done);
            if (done)
                CHECK_INT(scene_hash(&p), hash);
        }
        CHECK(calls > 2);
    }
}

/* From the third on, frames of one size need no new memory; a larger one does. */
TEST(frames_use_the_memory_of_the_last_one)
{
    meter m = {0};
    trilo_error err = {.code = TRILO_CODE_OK};
    trilo_scene scene = scene_plain();
    scene.look = TRILO_LOOK_N64;
    scene_make(&s, 3);
    const trilo_memory memory = meter_memory(&m, 0);
    trilo_renderer *renderer = new_renderer(&memory, &err);
    CHECK(renderer != NULL);
    static uint8_t pixels[2][64 * 64][4];
    for (int frame = 0; frame < 5; frame++) {
        const size_t calls = m.calls, now = m.now;
        CHECK(trilo_renderer_draw(renderer, &scene, 64, 64, pixels[frame > 0], &err));
        if (frame > 0)
            CHECK(memcmp(pixels[0], pixels[1], sizeof pixels[0]) == 0);
        if (frame > 1) {
            CHECK_INT(m.calls, calls);
            CHECK_INT(m.now, now);
        }
    }
    const size_t before = m.now;
    CHECK(trilo_renderer_draw(renderer, &scene, 32, 16, pixels[1], &err) && m.now == before);
    static uint8_t larger[256 * 256][4];
    CHECK(trilo_renderer_draw(renderer, &scene, 256, 256, larger, &err) && m.now != before);
    CHECK(trilo_renderer_draw(renderer, &scene, 64, 64, pixels[1], &err));
    CHECK(memcmp(pixels[0], pixels[1], sizeof pixels[0]) == 0);
    trilo_renderer_free(renderer);
    CHECK_INT(m.now, 0);
}

/* A limit with room for the larger frame, but not for that and the memory of the smaller one. */
TEST(a_frame_may_take_the_memory_of_the_last_one)
{
    static uint8_t pixels[128 * 128][4], wanted[128 * 128][4];
    trilo_error err = {.code = TRILO_CODE_OK};
    trilo_scene scene = scene_plain();
    scene.look = TRILO_LOOK_N64;
    scene_make(&s, 3);
    meter m = {0};
    trilo_memory memory = meter_memory(&m, 0);
    trilo_renderer *renderer = new_renderer(&memory, &err);
    CHECK(trilo_renderer_draw(renderer, &scene, 128, 128, wanted, &err));
    trilo_renderer_free(renderer);
    size_t limit = 1000;
    for (bool fits = false; !fits; limit += 1000) { /* the least that one frame needs */
        memory = meter_memory(&m, limit);
        renderer = new_renderer(&memory, &err);
        fits = renderer && trilo_renderer_draw(renderer, &scene, 128, 128, pixels, &err);
        trilo_renderer_free(renderer);
    }
    memory = meter_memory(&m, limit);
    renderer = new_renderer(&memory, &err);
    CHECK(renderer != NULL);
    for (int frame = 0; frame < 6; frame++) { /* the memory of the second one is kept in one piece */
        const uint32_t side = frame % 3 < 2 ? 96 : 128;
        CHECK(trilo_renderer_draw(renderer, &scene, side, side, pixels, &err));
    }
    CHECK(memcmp(pixels, wanted, sizeof pixels) == 0);
    trilo_renderer_free(renderer);
    CHECK_INT(m.now, 0);
}

/* ---- pixels ---- */

/* Four samples of a pixel, of which two are of the square, the others of the background: colours by their alpha. */
TEST(means_of_samples)
{
    trilo_scene scene = scene_plain();
    scene.samples = 2;
    scene_make(&s, 1);
    s.n64[0].prim[0] = 200, s.n64[0].prim[1] = 101, s.n64[0].prim[2] = 0;
    for (int c = 0; c < 4; c++)
        s.positions[0][c][0] *= 0.875f;
    for (int alpha = 0; alpha < 256; alpha += 15) {
        const uint8_t background[4] = {30, 60, 255, (uint8_t)alpha};
        memcpy(scene.background, background, 4);
        scene_draw(&s, &scene, 8, 8, &p);
        const uint8_t *at = scene_at(&p, 0, 3);
        const int sum = 2 * 255 + 2 * alpha, front[3] = {200, 101, 0};
        for (int k = 0; k < 3; k++)
            CHECK_INT(at[k], (int)floor((2.0 * 255 * front[k] + 2.0 * alpha * background[k]) / sum + 0.5));
        CHECK_INT(at[3], (sum + 2) / 4);
    }
    for (int c = 0; c < 4; c++)
        s.positions[0][c][0] -= 9; /* nothing: clear pixels have no colour */
    scene.background[3] = 0;
    scene_draw(&s, &scene, 8, 8, &p);
    for (int i = 0; i < 64; i++)
        CHECK(memcmp(p.pixels[i], "\0\0\0\0", 4) == 0);
}

/* Five bits of the background on the console, eight with 32 bits; alpha is kept. */
TEST(backgrounds)
{
    static const uint8_t background[4] = {255, 100, 9, 77};
    trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.meshes[0].index_count = 0;
    memcpy(scene.background, background, 4);
    for (int i = 0; i < 3; i++) {
        scene.look = i == 0 ? TRILO_LOOK_CLEAN : TRILO_LOOK_N64;
        scene.console.color_32 = i == 2;
        scene_draw(&s, &scene, 5, 3, &p);
        for (uint32_t k = 0; k < 5 * 3 * 4; k++) {
            const int whole = background[k % 4], cut = whole & 0xF8;
            CHECK_INT(p.pixels[k / 4][k % 4], i == 1 && k % 4 < 3 ? cut | cut >> 5 : whole);
        }
    }
}

TEST_MAIN(CASE(sizes_of_pictures), CASE(near_and_far_of_the_console), CASE(probes_outside_of_the_picture),
          CASE(memory_runs_out_in_every_look), CASE(frames_use_the_memory_of_the_last_one),
          CASE(a_frame_may_take_the_memory_of_the_last_one), CASE(means_of_samples), CASE(backgrounds))
