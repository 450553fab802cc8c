/* Colours of pixels, four or eight at a time, against the arithmetic for one: division, tile, filter, combiner,
 * blender, dither. */
#include "harness.h"
#include "raster/console/fragment.h"
#include "raster/console/framebuffer.h"
#include "support/mutate.h"

#include "base/compiler.h"
#include "raster/vector_any.h"

#include <string.h>

enum { WIDTH = 16, HEIGHT = 8, PIXELS = 40 };

static uint8_t image_texels[WIDTH * HEIGHT][4], drawn[PIXELS][4], wanted[PIXELS][4];

/* A material, and a fragment as one sees it. */
typedef struct setting {
    tl_tile tile;
    tl_filter filter;
    tl_combiner combiner;
    tl_inputs inputs;
    bool textured, has_shade, color_32;
} setting;

typedef struct fragment {
    bool drawn;
    uint32_t pixel, threshold;
    tl_edge_weights weights;
    bool alone;
    int32_t texture[3], shade[4]; /* 16 bits after the point */
} fragment;

#define TL_VECTOR(type, name) type##name
#define TL_LANES              4
#include "console_fragment.inc"
#undef TL_VECTOR
#undef TL_LANES

#if TL_AVX2
#define TL_VECTOR(type, name) type##x2##name
#define TL_LANES              8
#define texel_colors          texel_colors_avx2
#define texel_factors         texel_factors_avx2
#define texel_divide_each     texel_divide_each_avx2
#define texel_coordinates     texel_coordinates_avx2
#define texel_positions       texel_positions_avx2
#define texel_positions_of    texel_positions_of_avx2
#define texel_load            texel_load_avx2
#define texel_filter          texel_filter_avx2
#define texel_colors_of       texel_colors_of_avx2
#define fragment_pixels       fragment_pixels_avx2
#define fragment_shade        fragment_shade_avx2
#define fragment_product      fragment_product_avx2
#define fragment_modulate     fragment_modulate_avx2
#define fragment_multiply     fragment_multiply_avx2
#define fragment_combine      fragment_combine_avx2
#define fragment_blend        fragment_blend_avx2
#define fragment_dither       fragment_dither_avx2
#define fragment_draw         fragment_draw_avx2
#define draw_all              draw_all_avx2
TL_AVX2_BEGIN
#include "console_fragment.inc"
TL_AVX2_END
#undef draw_all
#endif

static void draw_one(setting *s, const fragment *f)
{
    if (!f->drawn)
        return;
    uint8_t *memory = wanted[f->pixel];
    int32_t at[2], color[4];
    if (s->textured) {
        tl_texture_at(f->texture[0] >> 16, f->texture[1] >> 16, f->texture[2] >> 16, at);
        tl_tile_sample(&s->tile, s->filter, at[0], at[1], s->inputs.at[TL_CC_TEX0]);
    }
    for (int k = 0; s->has_shade && k < 4; k++)
        s->inputs.at[TL_CC_SHADE][k] = tl_clamp_255(f->shade[k] >> 16);
    tl_combine(&s->combiner, &s->inputs, color);
    for (int k = 0; k < 3 && !f->alone; k++)
        color[k] = tl_edge_blend(f->weights, color[k], memory[k]);
    const int32_t t = (int32_t)f->threshold;
    const tl_int4 stored = tl_framebuffer_color(tl_int4_load(color), (tl_int4){t, t, t, t}, s->color_32);
    for (int k = 0; k < 3; k++)
        memory[k] = (uint8_t)stored[k];
    memory[3] = 255;
}

static fragment random_fragment(uint32_t *seed)
{
    fragment f = {.drawn = mutate_random(seed) % 4 != 0, .threshold = mutate_random(seed) % 8};
    const int32_t slope = (int32_t)(mutate_random(seed) % 16), coverage = 1 + (int32_t)(mutate_random(seed) % 7);
    f.weights = tl_edge_weights_of(coverage, (int32_t)(mutate_random(seed) % (uint32_t)(8 - coverage)), slope,
                                   (int)(mutate_random(seed) % 16), true);
    f.alone = mutate_random(seed) % 2 == 0;
    for (int k = 0; k < 4; k++)
        f.shade[k] = (int32_t)mutate_random(seed) >> 6; /* -512 to 511 */
    for (int k = 0; k < 2; k++)
        f.texture[k] = (int32_t)mutate_random(seed) >> (mutate_random(seed) % 8);
    /* w: mostly of one logarithm, some small, some not positive */
    const uint32_t kind = mutate_random(seed) % 8, random = mutate_random(seed);
    f.texture[2] = kind == 0 ? (int32_t)random : kind == 1 ? (int32_t)(random >> 8) : (int32_t)(random >> 2 | 1u << 30);
    f.texture[2] = kind == 2 ? 1 << 16 : f.texture[2];
    return f;
}

static void check_width(setting *s, uint32_t seed, bool avx2)
{
    tl_combiner_slots slots = tl_combiner_slots_of(&s->combiner, &s->inputs);
    tl_inputs reference = s->inputs;
    tl_opaque_state state = {.textured = s->textured, .has_shade = s->has_shade, .color_32 = s->color_32};
    if (s->textured)
        state.texture = tl_texel_source_of(&s->tile, s->filter);
    tl_opaque_set_combiner(&state, &slots, &s->inputs);
    memset(drawn, 0x50, sizeof drawn);
    memset(wanted, 0x50, sizeof wanted);
    setting one = *s;
    one.inputs = reference;
    for (uint32_t round = 0; round < test_rounds(20000, 200); round++) {
        /* Two times four neighbours. */
        const uint32_t first = mutate_random(&seed) % (PIXELS / 4), away = 1 + mutate_random(&seed) % (PIXELS / 4 - 1);
        const uint32_t last = (first + away) % (PIXELS / 4);
        fragment fragments[8];
        for (uint32_t i = 0; i < 8; i++) {
            fragments[i] = random_fragment(&seed);
            fragments[i].pixel = (i < 4 ? first : last) * 4 + i % 4;
            draw_one(&one, &fragments[i]);
        }
        if (avx2) {
#if TL_AVX2
            draw_all_avx2(&state, fragments, drawn + 4 * first, drawn + 4 * last);
#endif
        } else {
            draw_all(&state, fragments, drawn + 4 * first, drawn + 4 * first);
            draw_all(&state, fragments + 4, drawn + 4 * last, drawn + 4 * last);
        }
        for (int i = 0; i < PIXELS; i++)
            for (int k = 0; k < 3; k++)
                CHECK_INT(drawn[i][k], wanted[i][k]);
    }
}

static void check_setting(setting *s, uint32_t seed)
{
    check_width(s, seed, false);
    if (tl_has_avx2())
        check_width(s, seed, true);
}

static const tl_combiner modulate = {.cycle_count = 1, .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO}}},
                         modulate_twice = {.cycle_count = 2,
                                           .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_TEX0, TL_CC_ZERO},
                                                      {TL_CC_PRIM, TL_CC_ZERO, TL_CC_COMBINED, TL_CC_ZERO}}},
                         products = {.cycle_count = 2,
                                     .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_ENV, TL_CC_ZERO},
                                                {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_TEX0, TL_CC_ZERO}}},
                         shaded = {.cycle_count = 1, .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO}}},
                         other = {.cycle_count = 1, .cycles = {{TL_CC_TEX0, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV}}};

static setting setting_of(const tl_combiner *combiner, uint32_t *seed)
{
    static const uint8_t prim[4] = {200, 90, 255, 255}, env[4] = {31, 140, 7, 255};
    static const trilo_n64_axis repeat = {.low = 0, .high = 15};
    const trilo_image image = {WIDTH, HEIGHT, (const uint8_t(*)[4])image_texels};
    setting s = {.filter = TL_FILTER_BILINEAR,
                 .combiner = *combiner,
                 .textured = combiner != &shaded,
                 .has_shade = true,
                 .tile = tl_tile_of(&image, tl_axis_n64(&repeat, WIDTH), tl_axis_n64(&repeat, HEIGHT))};
    tl_inputs_fill(&s.inputs, prim, env);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        for (int k = 0; k < 4; k++)
            image_texels[i][k] = (uint8_t)(mutate_random(seed) >> 9);
    return s;
}

TEST(combiners_are_those_of_one_pixel)
{
    static const tl_combiner *const combiners[] = {&modulate, &modulate_twice, &products, &shaded, &other};
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++)
        for (int deep = 0; deep < 2; deep++) {
            setting s = setting_of(combiners[i], &seed);
            const tl_combiner_slots slots = tl_combiner_slots_of(&s.combiner, &s.inputs);
            CHECK_INT(slots.products, combiners[i] != &other);
            CHECK_INT(slots.modulate, combiners[i] == &modulate || combiners[i] == &modulate_twice);
            s.color_32 = deep == 1;
            check_setting(&s, seed);
        }
}

TEST(tiles_and_filters_are_those_of_one_pixel)
{
    static const trilo_n64_axis axes[] = {{.low = 1.75f, .high = 15, .shift = 2},
                                          {.low = -3, .high = 40, .mirror = true},
                                          {.low = 2, .high = 15, .clamp = true},
                                          {.low = 0, .high = 31, .shift = -1, .clamp = true, .mirror = true}};
    static const tl_filter filters[] = {TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_MEDIAN};
    uint32_t seed = 2;
    for (size_t i = 0; i < 4 * 3; i++) {
        setting s = setting_of(&modulate, &seed);
        s.filter = filters[i / 4];
        const trilo_image image = {WIDTH, HEIGHT, (const uint8_t(*)[4])image_texels};
        s.tile = tl_tile_of(&image, tl_axis_n64(&axes[i % 4], WIDTH), tl_axis_n64(&axes[i * 7 / 4 % 4], HEIGHT));
        check_setting(&s, seed);
    }
}

/* 2^15 by a sum, rounded up, divides exactly. */
TEST(weights_divide_exactly)
{
    for (uint32_t a = 0; a <= 8; a++)
        for (uint32_t b = 1; b <= 8; b++) {
            const uint32_t w = tl_fragment_weights((tl_edge_weights){(int32_t)(4 * a), (int32_t)(4 * b - 1)});
            CHECK_INT(w & 0xFF, 2 * a);
            CHECK_INT(w >> 8 & 0xFF, 2 * b);
            for (uint32_t n = 0; n <= 255 * (a + b); n++)
                if (2 * n * (w >> 16) >> 16 != n / (a + b))
                    CHECK_INT(2 * n * (w >> 16) >> 16, n / (a + b));
        }
}

TEST_MAIN(CASE(combiners_are_those_of_one_pixel), CASE(tiles_and_filters_are_those_of_one_pixel),
          CASE(weights_divide_exactly))
