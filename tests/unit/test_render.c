/* Pictures of squares, every pixel of which can be worked out by hand. */
#include "harness.h"
#include "raster/blend.h"
#include "support/render_scene.h"

#include "trilobite/assets.h"
#include "trilobite/image.h"
#include "trilobite/sprite.h"

#include <math.h>
#include <string.h>

static scene_model s;
static scene_picture p;

static void check(uint32_t x, uint32_t y, int r, int g, int b)
{
    const uint8_t *at = scene_at(&p, x, y);
    if (at[0] != r || at[1] != g || at[2] != b || at[3] != 255)
        FAIL("pixel %u, %u is %d %d %d %d, not %d %d %d 255", x, y, at[0], at[1], at[2], at[3], r, g, b);
}

static void check_texture(void)
{
    for (uint32_t y = 0; y < SCENE_SIDE; y++)
        for (uint32_t x = 0; x < SCENE_SIDE; x++)
            check(x, y, (int)(30 * x), (int)(30 * y), 7);
}

static void move(uint32_t square, float z)
{
    for (int c = 0; c < 4; c++)
        s.positions[square][c][2] = z;
}

static void prim(uint32_t square, uint8_t r, uint8_t g, uint8_t b, uint8_t a)
{
    const uint8_t color[4] = {r, g, b, a};
    for (int k = 0; k < 4; k++)
        s.n64[square].prim[k] = color[k];
}

/* ---- textures and looks ---- */

/* A square of eight pixels with eight texels: the texture itself. */
TEST(a_texture_covers_its_square)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_TEX0;
    scene_draw(&s, &scene, 8, 8, &p);
    check_texture();
}

/* With the filter, coordinates are half a texel lower, so that centres of pixels are again centres of texels. */
TEST(a_filtered_texture_is_not_moved)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_TEX0;
    s.n64[0].other_mode = UINT64_C(2) << 44;
    scene_draw(&s, &scene, 8, 8, &p);
    check_texture();
}

/* Five bits, dithered: 90 is 88 and 2 more, rounded up where the square says 0 or 1; then 11 and 12 of 31. */
TEST(the_console_dithers)
{
    trilo_scene scene = scene_plain();
    scene.look = TRILO_LOOK_N64;
    scene_make(&s, 1);
    prim(0, 90, 255, 0, 255);
    scene_draw(&s, &scene, 8, 8, &p);
    check(0, 0, 96 | 96 >> 5, 255, 0); /* threshold 0 */
    check(1, 0, 88 | 88 >> 5, 255, 0); /* 6 */
    check(2, 0, 96 | 96 >> 5, 255, 0); /* 1 */
    check(1, 1, 88 | 88 >> 5, 255, 0); /* 2 */
    check(5, 3, 96 | 96 >> 5, 255, 0); /* 1 */
}

/* Half of each pixel's samples: the square ends in the middle of a column. */
TEST(samples_are_averaged)
{
    trilo_scene scene = scene_plain();
    scene.samples = 2;
    scene_make(&s, 1);
    for (int c = 0; c < 4; c++)
        s.positions[0][c][0] *= 0.875f; /* half a pixel of 8 short on either side */
    scene_draw(&s, &scene, 8, 8, &p);
    check(0, 3, 128, 128, 128);
    check(1, 3, 255, 255, 255);
    check(7, 0, 128, 128, 128);
}

/* ---- which pixels ---- */

/* Mixed by alpha 128 into black: (255 * 16) >> 5. A pixel of both triangles would be brighter, one of none black. */
TEST(no_pixel_twice_and_none_left_out)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].blender = SCENE_ALPHA;
    prim(0, 255, 255, 255, 128);
    for (uint32_t size = 1; size < 40; size += 3) {
        scene_draw(&s, &scene, size, size, &p);
        for (uint32_t i = 0; i < size * size; i++)
            check(i % size, i / size, 127, 127, 127);
    }
}

TEST(faces_are_culled)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].draw_flags = TRILO_N64_DEPTH | TRILO_N64_CULL_FRONT;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 0, 0, 0);
    s.n64[0].draw_flags = TRILO_N64_DEPTH;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 255, 255, 255);
    for (int c = 0; c < 4; c++)
        s.positions[0][c][0] *= -1; /* now it is seen from behind */
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 255, 255, 255);
    s.n64[0].draw_flags = TRILO_N64_DEPTH | TRILO_N64_CULL_BACK;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 0, 0, 0);
}

TEST(the_nearer_one_is_seen)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 2);
    prim(0, 10, 0, 0, 255);
    prim(1, 0, 20, 0, 255);
    move(0, 1);
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 2, 10, 0, 0);
    move(1, 2);
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 2, 0, 20, 0);
    s.n64[1].draw_flags &= ~(uint32_t)TRILO_N64_DEPTH; /* no depth: whatever is drawn last */
    move(1, 0);
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 2, 0, 20, 0);
}

/* On the very surface a second one is hidden, and a decal is seen; in the air a decal is not. */
TEST(decals_lie_on_surfaces)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 2);
    prim(0, 10, 0, 0, 255);
    prim(1, 0, 20, 0, 255);
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 2, 10, 0, 0);
    s.n64[1].other_mode = 3 << 10;
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 2, 0, 20, 0);
    move(1, 1);
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 2, 10, 0, 0);
}

/* ---- alpha ---- */

/* Texel number n has alpha 4 * n: without a blender what is below 32 is cut, 0 to 7; with one, what is below the blend
 * colour's alpha, here 100. */
TEST(cutouts)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_TEX0;
    s.n64[0].other_mode = 1;
    s.n64[0].blend[3] = 100;
    scene_draw(&s, &scene, 8, 8, &p);
    check(7, 0, 0, 0, 0);
    check(0, 1, 0, 30, 7);
    s.n64[0].blender = UINT32_C(0x05500040); /* by the fog's alpha, which nothing set: 0 */
    scene_draw(&s, &scene, 8, 8, &p);
    check(0, 3, 0, 0, 0); /* 96 */
    s.n64[0].blender = SCENE_ALPHA;
    scene_draw(&s, &scene, 8, 8, &p);
    check(0, 3, 0, 0, 0);
    check(1, 3, 30 * 12 >> 5, 90 * 12 >> 5, 7 * 12 >> 5); /* 100 >> 3 is 12, over black */
}

/* 200 over 100 by alpha 128, then the depth is written all the same, as the console does. */
TEST(translucent_over_opaque)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 3);
    prim(0, 100, 100, 100, 255);
    prim(1, 200, 0, 100, 128);
    prim(2, 9, 9, 9, 255);
    s.n64[1].blender = SCENE_ALPHA;
    move(1, 2);
    move(2, 1);
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 150, 50, 100);
}

/* In drawing order the opaque square, drawn last, is hidden by the depth that the translucent one wrote. Otherwise it
 * is drawn first, and shows through: 9 by alpha 128 with 200. The format that a model was read from does not count. */
TEST(order_of_drawing)
{
    static const trilo_format formats[] = {TRILO_FORMAT_UNKNOWN, TRILO_FORMAT_T3DM, TRILO_FORMAT_GLTF};
    const trilo_scene scene = scene_plain();
    for (int i = 0; i < 3; i++)
        for (int ordered = 0; ordered < 2; ordered++) {
            scene_make(&s, 3);
            prim(0, 100, 100, 100, 255);
            prim(1, 200, 0, 100, 128);
            prim(2, 9, 9, 9, 255);
            s.n64[1].blender = SCENE_ALPHA;
            move(1, 2);
            move(2, 1);
            s.model.format = formats[i];
            s.model.ordered = ordered;
            scene_draw(&s, &scene, 4, 4, &p);
            if (ordered)
                check(1, 1, 150, 50, 100);
            else
                check(1, 1, 104, 4, 54);
        }
}

/* ---- light ---- */

/* Ambient 64 is 8192 of 32768; a light of 128 straight on 16256, as its direction is 127 of 128: together 24448.
 * White, 32640 of 32768, by that is 24352, of which the upper 8 bits are 190. */
TEST(lights_add_up)
{
    trilo_scene scene = scene_plain();
    const trilo_light lights[2] = {
        {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {64, 64, 64}},
        {.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {128, 0, 0}, .direction = {0, 0, 3}},
    };
    scene.lights = lights;
    scene.light_count = 2;
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_SHADE;
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 1, 190, 63, 63); /* (32640 * 8192 * 2 + 32768) >> 16 is 8160, >> 7 is 63 */
    s.n64[0].draw_flags |= TRILO_N64_UNLIT;
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 1, 255, 255, 255);
}

TEST(light_from_behind_is_none)
{
    trilo_scene scene = scene_plain();
    const trilo_light light = {.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {255, 255, 255}, .direction = {0, 0, -1}};
    scene.lights = &light;
    scene.light_count = 1;
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_SHADE;
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 1, 0, 0, 0);
}

/* All corners are 2 away from a light that is brightest up to 1: a quarter of 255 arrives, 8160, which times white is
 * 8128, or 63. Facing counts unless it is told otherwise: the cosine is sqrt(2) / 2, so 44 or 45. */
TEST(point_lights_fade)
{
    trilo_scene scene = scene_plain();
    trilo_light light = {.kind = TRILO_LIGHT_KIND_POINT,
                         .color = {255, 255, 255},
                         .position = {0, 0, 1.41421356f},
                         .size = 1,
                         .any_side = true};
    scene.lights = &light;
    scene.light_count = 1;
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_SHADE;
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 1, 63, 63, 63);
    light.any_side = false;
    scene_draw(&s, &scene, 4, 4, &p);
    CHECK_NEAR(scene_at(&p, 2, 1)[0], 63.5 * 0.70710678, 1);
}

/* The eye is 5 away; from 4 to 6 is half of the fog: alpha 127, or 15 of 31, and 16 + 1 of the rest. */
TEST(fog_lies_between)
{
    trilo_scene scene = scene_plain();
    scene.fog = (trilo_fog){.enabled = true, .begin = 4, .end = 6, .color = {0, 200, 0}};
    scene_make(&s, 1);
    s.n64[0].fog = 2;
    prim(0, 100, 100, 100, 255);
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 2, 100 * 15 >> 5, (100 * 15 + 200 * 17) >> 5, 100 * 15 >> 5);
    s.n64[0].fog = 1;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 2, 100, 100, 100);
}

/* The left half is red, the right half blue. As a PNG of twice the size that the material is made for it is drawn
 * scaled, and both halves are there; as a sprite it is drawn as it is, and fills the square with its first quarter. */
TEST(a_larger_image_is_scaled)
{
    enum { TWICE = 2 * SCENE_SIDE };
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x10\0\0\0\x10\x08\2\0\0\0";
    static const char sprite[8] = "\0\20";
    static uint8_t pixels[TWICE * TWICE][4];
    const trilo_bytes files[2] = {{(const uint8_t *)png, sizeof png}, {(const uint8_t *)sprite, sizeof sprite}};
    const trilo_image large = {TWICE, TWICE, (const uint8_t(*)[4])pixels};
    const trilo_scene scene = scene_plain();
    for (int k = 0; k < TWICE * TWICE; k++) {
        pixels[k][k % TWICE < SCENE_SIDE ? 0 : 2] = 255;
        pixels[k][3] = 255;
    }
    for (int i = 0; i < 2; i++) {
        bool resized;
        scene_make(&s, 1);
        s.n64[0].combiner = SCENE_TEX0;
        s.texture.wrap[0] = s.texture.wrap[1] = TRILO_WRAP_CLAMP;
        const trilo_image *copy =
            trilo_image_resize(&large, &(trilo_resize_opts){.width = TWICE, .height = TWICE}, NULL);
        const trilo_image *image = trilo_texture_fit(&s.model, 0, files[i], copy, NULL, &resized, NULL);
        CHECK(image);
        CHECK(resized == (i == 0));
        CHECK_INT(image->width, i == 0 ? SCENE_SIDE : TWICE);
        CHECK_INT(image->height, i == 0 ? SCENE_SIDE : TWICE);
        s.image = *image;
        scene_draw(&s, &scene, SCENE_SIDE, SCENE_SIDE, &p);
        check(1, 2, 255, 0, 0);
        check(6, 5, i == 0 ? 0 : 255, 0, i == 0 ? 255 : 0);
        trilo_image_free(image);
    }
}

TEST_MAIN(CASE(a_larger_image_is_scaled), CASE(a_texture_covers_its_square), CASE(a_filtered_texture_is_not_moved),
          CASE(the_console_dithers), CASE(samples_are_averaged), CASE(no_pixel_twice_and_none_left_out),
          CASE(faces_are_culled), CASE(the_nearer_one_is_seen), CASE(decals_lie_on_surfaces), CASE(cutouts),
          CASE(translucent_over_opaque), CASE(order_of_drawing), CASE(lights_add_up), CASE(light_from_behind_is_none),
          CASE(point_lights_fade), CASE(fog_lies_between))
