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

static uint8_t image_texels[2][WIDTH * HEIGHT][4], drawn[PIXELS][4], wanted[PIXELS][4];

/* A material, and a fragment as one sees it. */
typedef struct setting {
    tl_tile tiles[2];
    tl_filter filter;
    tl_combiner combiner;
    tl_inputs inputs;
    bool textured[2], has_shade, color_32, cutout;
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
#define draw_all              draw_all_avx2
#include "raster/console/fragment_avx2.inc"
TL_AVX2_BEGIN
#include "console_fragment.inc"
TL_AVX2_END
#undef draw_all
#endif

/* Returns the alpha that decides whether it is drawn. */
static int32_t draw_one(setting *s, const fragment *f)
{
    uint8_t *memory = wanted[f->pixel];
    int32_t at[2], color[4];
    tl_texture_at(f->texture[0] >> 16, f->texture[1] >> 16, f->texture[2] >> 16, at);
    for (int i = 0; i < 2; i++) {
        const int texture = i == 0 ? TL_CC_TEX0 : TL_CC_TEX1, alpha = i == 0 ? TL_CC_TEX0_ALPHA : TL_CC_TEX1_ALPHA;
        if (!s->textured[i])
            continue;
        tl_tile_sample(&s->tiles[i], s->filter, at[0], at[1], s->inputs.at[texture]);
        tl_input_set_all(s->inputs.at[alpha], s->inputs.at[texture][3]);
    }
    for (int k = 0; s->has_shade && k < 4; k++)
        s->inputs.at[TL_CC_SHADE][k] = tl_clamp_255(f->shade[k] >> 16);
    tl_input_set_all(s->inputs.at[TL_CC_SHADE_ALPHA], s->inputs.at[TL_CC_SHADE][3]);
    const int32_t compared = tl_combine(&s->combiner, &s->inputs, color), alpha = s->cutout ? color[3] : compared;
    if (!f->drawn)
        return alpha;
    for (int k = 0; k < 3 && !f->alone; k++)
        color[k] = tl_edge_blend(f->weights, color[k], memory[k]);
    const int32_t t = (int32_t)f->threshold;
    const tl_int4 stored = tl_framebuffer_color(tl_int4_load(color), (tl_int4){t, t, t, t}, s->color_32);
    for (int k = 0; k < 3; k++)
        memory[k] = (uint8_t)stored[k];
    memory[3] = 255;
    return alpha;
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
        f.texture[k] = (int32_t)mutate_random(seed) >> (mutate_random(seed) % 2 == 0 ? 5 : mutate_random(seed) % 8);
    /* w: mostly of one logarithm, some small, some not positive */
    const uint32_t kind = mutate_random(seed) % 8, random = mutate_random(seed);
    f.texture[2] = kind == 0 ? (int32_t)random : kind == 1 ? (int32_t)(random >> 8) : (int32_t)(random >> 2 | 1u << 30);
    f.texture[2] = kind == 2 ? 1 << 16 : f.texture[2];
    return f;
}

static void check_width(setting *s, uint32_t seed, bool avx2, uint32_t rounds)
{
    const int32_t constant = tl_opaque_constant_alpha(&s->combiner, &s->inputs, s->cutout);
    int16_t values[TL_VALUES][TL_VALUE_CHANNELS];
    tl_opaque_state state = {.textured = {s->textured[0], s->textured[1]},
                             .has_shade = s->has_shade,
                             .color_32 = s->color_32,
                             .cutout = s->cutout,
                             .values = values};
    for (int i = 0; i < 2; i++)
        state.textures[i] = tl_texel_source_of(&s->tiles[i], s->filter);
    tl_opaque_set_combiner(&state, &s->combiner, &s->inputs);
    tl_opaque_set_operands(&state, &s->combiner, &s->inputs);
    memset(drawn, 0x50, sizeof drawn);
    memset(wanted, 0x50, sizeof wanted);
    setting one = *s;
    for (uint32_t round = 0; round < rounds; round++) {
        /* Two times four neighbours. */
        const uint32_t first = mutate_random(&seed) % (PIXELS / 4), away = 1 + mutate_random(&seed) % (PIXELS / 4 - 1);
        const uint32_t last = (first + away) % (PIXELS / 4);
        fragment fragments[8];
        int32_t alphas[8], wanted_alphas[8];
        for (uint32_t i = 0; i < 8; i++) {
            fragments[i] = random_fragment(&seed);
            fragments[i].pixel = (i < 4 ? first : last) * 4 + i % 4;
            wanted_alphas[i] = draw_one(&one, &fragments[i]);
            CHECK(constant == -1 || constant == wanted_alphas[i]);
        }
        if (avx2) {
#if TL_AVX2
            draw_all_avx2(&state, fragments, drawn + 4 * first, drawn + 4 * last, alphas);
#endif
        } else {
            draw_all(&state, fragments, drawn + 4 * first, drawn + 4 * first, alphas);
            draw_all(&state, fragments + 4, drawn + 4 * last, drawn + 4 * last, alphas + 4);
        }
        for (int i = 0; i < 8; i++)
            CHECK_INT(alphas[i], wanted_alphas[i]);
        for (int i = 0; i < PIXELS; i++)
            for (int k = 0; k < 3; k++)
                CHECK_INT(drawn[i][k], wanted[i][k]);
    }
}

static void check_setting(setting *s, uint32_t seed, uint32_t rounds)
{
    check_width(s, seed, false, rounds);
    if (tl_has_avx2())
        check_width(s, seed, true, rounds);
}

static const tl_combiner modulate = {.cycle_count = 1, .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO}}},
                         modulate_twice = {.cycle_count = 2,
                                           .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_TEX0, TL_CC_ZERO},
                                                      {TL_CC_PRIM, TL_CC_ZERO, TL_CC_COMBINED, TL_CC_ZERO}}},
                         products = {.cycle_count = 2,
                                     .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_ENV, TL_CC_ZERO},
                                                {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_TEX0, TL_CC_ZERO}}},
                         shaded = {.cycle_count = 1, .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO}}},
                         other = {.cycle_count = 1, .cycles = {{TL_CC_TEX0, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV}}},
                         difference = {.cycle_count = 1, .cycles = {{TL_CC_SHADE, TL_CC_PRIM, TL_CC_ENV, TL_CC_ZERO}}},
                         shade_alone = {.cycle_count = 1,
                                        .cycles = {{TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_SHADE}}},
                         modulate_alone = {.cycle_count = 2,
                                           .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO},
                                                      {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_COMBINED}}};

static setting setting_of(const tl_combiner *combiner, uint32_t *seed)
{
    static const uint8_t prim[4] = {200, 90, 255, 100}, env[4] = {31, 140, 7, 220};
    static const trilo_n64_axis repeat = {.low = 0, .high = 15};
    setting s = {.filter = TL_FILTER_BILINEAR,
                 .combiner = *combiner,
                 .textured = {combiner != &shaded, false},
                 .has_shade = true};
    tl_inputs_fill(&s.inputs, prim, env);
    for (int n = 0; n < 2; n++) {
        const trilo_image image = {WIDTH, HEIGHT, (const uint8_t(*)[4])image_texels[n]};
        s.tiles[n] = tl_tile_of(&image, tl_axis_n64(&repeat, WIDTH), tl_axis_n64(&repeat, HEIGHT));
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            for (int k = 0; k < 4; k++)
                image_texels[n][i][k] = (uint8_t)(mutate_random(seed) >> 9);
    }
    return s;
}

TEST(combiners_are_those_of_one_pixel)
{
    static const tl_combiner *const combiners[] = {&modulate,    &modulate_twice, &modulate_alone, &shaded,
                                                   &shade_alone, &products,       &other,          &difference};
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++)
        for (int deep = 0; deep < 2; deep++) {
            setting s = setting_of(combiners[i], &seed);
            tl_opaque_state state = {.textured = {s.textured[0], false}, .has_shade = true};
            tl_opaque_set_combiner(&state, &s.combiner, &s.inputs);
            CHECK_INT(state.modulate, i < 3);
            CHECK_INT(state.tinted, i == 3 || i == 4);
            s.color_32 = deep == 1;
            check_setting(&s, seed, test_rounds(20000, 200));
        }
}

/* Replaces what the setting does not have by a constant. */
static void setting_replace_missing(setting *s)
{
    for (int cycle = 0; cycle < s->combiner.cycle_count; cycle++)
        for (int slot = 0; slot < TL_CC_SLOTS; slot++) {
            uint8_t *input = &s->combiner.cycles[cycle][slot];
            if ((!s->textured[0] && (*input == TL_CC_TEX0 || *input == TL_CC_TEX0_ALPHA)) ||
                (!s->textured[1] && (*input == TL_CC_TEX1 || *input == TL_CC_TEX1_ALPHA)) ||
                (!s->has_shade && (*input == TL_CC_SHADE || *input == TL_CC_SHADE_ALPHA)))
                *input = TL_CC_PRIM;
        }
}

/* All inputs that slots may have, except noise; what the first cycle leaves is an input of the second alone. */
TEST(any_combiner_is_that_of_one_pixel)
{
    static const uint8_t inputs[] = {
        TL_CC_ZERO,      TL_CC_ONE,        TL_CC_TEX0,     TL_CC_TEX0_ALPHA,  TL_CC_TEX1,          TL_CC_TEX1_ALPHA,
        TL_CC_PRIM,      TL_CC_PRIM_ALPHA, TL_CC_SHADE,    TL_CC_SHADE_ALPHA, TL_CC_ENV,           TL_CC_LOD,
        TL_CC_ENV_ALPHA, TL_CC_K4,         TL_CC_PRIM_LOD, TL_CC_COMBINED,    TL_CC_COMBINED_ALPHA};
    enum { INPUTS = sizeof inputs, OF_FIRST = INPUTS - 2 };
    uint32_t seed = 7;
    for (uint32_t round = 0; round < test_rounds(20000, 300); round++) {
        tl_combiner combiner = {.cycle_count = (uint8_t)(1 + round % 2)};
        for (int cycle = 0; cycle < combiner.cycle_count; cycle++)
            for (int slot = 0; slot < TL_CC_SLOTS; slot++) {
                uint8_t input = inputs[mutate_random(&seed) % (cycle == 0 ? OF_FIRST : INPUTS)];
                if (slot == TL_CC_RGB_C && input == TL_CC_COMBINED)
                    input = TL_CC_COMBINED_C;
                combiner.cycles[cycle][slot] = input;
            }
        setting s = setting_of(&combiner, &seed);
        s.textured[0] = mutate_random(&seed) % 4 != 0;
        s.textured[1] = mutate_random(&seed) % 4 != 0;
        s.has_shade = mutate_random(&seed) % 4 != 0;
        s.color_32 = round % 4 < 2;
        s.cutout = round % 3 == 0;
        setting_replace_missing(&s);
        tl_input_set_all(s.inputs.at[TL_CC_K4], (int32_t)(mutate_random(&seed) % 256));
        tl_input_set_all(s.inputs.at[TL_CC_PRIM_LOD], (int32_t)(mutate_random(&seed) % 256));
        check_setting(&s, seed, 4);
    }
}

TEST(alpha_of_constants)
{
    static const struct {
        uint8_t cycle_count, first[4], last[4]; /* of alpha */
        int32_t alphas[2];
    } rows[] = {
        {1, {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ONE}, {0}, {255, 255}},
        {1, {TL_CC_PRIM, TL_CC_ZERO, TL_CC_ENV, TL_CC_ZERO}, {0}, {30, 30}}, /* 60 * 128 / 256 */
        {1, {TL_CC_ONE, TL_CC_PRIM, TL_CC_ONE, TL_CC_ZERO}, {0}, {196, 196}},
        {1, {TL_CC_ONE, TL_CC_ZERO, TL_CC_ENV, TL_CC_ONE}, {0}, {-1, -1}}, /* 384 wraps */
        {1, {TL_CC_ZERO, TL_CC_ONE, TL_CC_ENV, TL_CC_ZERO}, {0}, {-1, -1}},
        {1, {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_TEX0}, {0}, {-1, -1}},
        {1, {TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO, TL_CC_ONE}, {0}, {-1, -1}},
        {2,
         {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ONE},
         {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO},
         {255, 60}},
        {2,
         {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_TEX1},
         {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO},
         {-1, -1}},
        {2,
         {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_SHADE},
         {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_PRIM},
         {-1, 60}},
        {2,
         {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_PRIM},
         {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_SHADE},
         {60, -1}},
    };
    static const uint8_t prim[4] = {0, 0, 0, 60}, env[4] = {0, 0, 0, 128};
    tl_inputs inputs;
    memset(&inputs, 0, sizeof inputs);
    tl_inputs_fill(&inputs, prim, env);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tl_combiner combiner = {.cycle_count = rows[i].cycle_count};
        memcpy(combiner.cycles[0] + TL_CC_ALPHA_A, rows[i].first, sizeof rows[i].first);
        memcpy(combiner.cycles[1] + TL_CC_ALPHA_A, rows[i].last, sizeof rows[i].last);
        for (int last = 0; last < 2; last++)
            CHECK_INT(tl_opaque_constant_alpha(&combiner, &inputs, last == 1), rows[i].alphas[last]);
    }
}

TEST(tiles_and_filters_are_those_of_one_pixel)
{
    static const trilo_n64_axis axes[] = {{.low = 1.75f, .high = 15, .shift = 2},
                                          {.low = -3, .high = 40, .mirror = true},
                                          {.low = 2, .high = 15, .clamp = true},
                                          {.low = 0, .high = 31, .shift = -1, .clamp = true, .mirror = true},
                                          {.low = 1, .high = 31, .shift = -2, .clamp = true},
                                          {.low = 0, .high = 31, .clamp = true}};
    enum { AXES = sizeof axes / sizeof *axes };
    static const tl_filter filters[] = {TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_MEDIAN};
    uint32_t seed = 2;
    for (size_t i = 0; i < 2 * AXES * 3; i++) { /* then with sides that are no powers of two */
        setting s = setting_of(&modulate, &seed);
        s.filter = filters[i / AXES % 3];
        s.color_32 = true;
        const bool odd = i >= AXES * 3;
        const trilo_image image = {odd ? 12 : WIDTH, odd ? 5 : HEIGHT, (const uint8_t(*)[4])image_texels[0]};
        s.tiles[0] = tl_tile_of(&image, tl_axis_n64(&axes[i % AXES], image.width),
                                tl_axis_n64(&axes[i * 7 / 4 % AXES], image.height));
        check_setting(&s, seed, test_rounds(20000, 200));
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

TEST_MAIN(CASE(combiners_are_those_of_one_pixel), CASE(any_combiner_is_that_of_one_pixel), CASE(alpha_of_constants),
          CASE(tiles_and_filters_are_those_of_one_pixel), CASE(weights_divide_exactly))
