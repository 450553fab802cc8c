/* Every step of a pixel, against the table in docs/render.md written down plainly: samples, depth, textures, alpha
 * compare, coverage, blender, dither and noise, of the console and of the clean look. Triangles have two sides along
 * the axes whose lengths are powers of two, so that slopes are exact and every value on them can be told without
 * rounding. */
#include "harness.h"
#include "raster/console/depth.h"
#include "raster/console/pixel.h"
#include "support/numbers.h"

#include <string.h>

enum { WIDTH = 14, HEIGHT = 11, PIXELS = WIDTH * HEIGHT, SIDE = 8 };

static uint8_t texels[2][SIDE * SIDE][4];

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)(random_bits(seed) >> 20) % count;
}

/* ---- noise, dither ---- */

/* The hash of raster.h. */
static uint32_t noise_of(uint32_t seed, uint32_t x, uint32_t y)
{
    uint32_t h = (x * 2654435761u) ^ (y * 2246822519u) ^ (seed * 3266489917u);
    h ^= h >> 15;
    h *= 739982445u;
    h ^= h >> 12;
    h *= 695872825u;
    return h >> 16;
}

static const uint8_t magic_square[4][4] = {{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}},
                     bayer[4][4] = {{0, 4, 1, 5}, {4, 0, 5, 1}, {3, 7, 2, 6}, {7, 3, 6, 2}};

static int color_threshold(const tl_pipeline_state *m, uint32_t seed, int x, int y, int channel)
{
    switch (m->color_dither) {
    case TL_DITHER_SQUARE:
        return magic_square[y % 4][x % 4];
    case TL_DITHER_BAYER:
        return bayer[y % 4][x % 4];
    case TL_DITHER_NOISE:
        return (int)(noise_of(seed, (uint32_t)x + 0x4000, (uint32_t)y) >> (3 * channel) & 7);
    default:
        return 7;
    }
}

/* Alpha has the square beside noise, and Bayer's matrix beside no dither of colours. */
static int alpha_added(const tl_pipeline_state *m, uint32_t seed, int x, int y)
{
    const bool square = m->color_dither == TL_DITHER_SQUARE || m->color_dither == TL_DITHER_NOISE;
    const int pattern = (square ? magic_square : bayer)[y % 4][x % 4];
    switch (m->alpha_dither) {
    case TL_ALPHA_DITHER_SAME:
        return pattern;
    case TL_ALPHA_DITHER_INVERSE:
        return 7 - pattern;
    case TL_ALPHA_DITHER_NOISE:
        return (int)(noise_of(seed, (uint32_t)x + 0x4000, (uint32_t)y) >> 9 & 7);
    default:
        return 0;
    }
}

static uint8_t stored_color(int color, int threshold, bool color_32)
{
    const int cut = color / 8 * 8;
    if (color % 8 <= threshold)
        return (uint8_t)(color_32 ? color : cut);
    return (uint8_t)(cut < 248 ? cut + 8 : color_32 ? 255 : 248);
}

/* ---- a triangle ---- */

typedef struct corner_value {
    int at[3]; /* of the corner with the right angle, of the one beside it, of the one above or below it */
} corner_value;

typedef struct triangle {
    int x, y, across, down; /* quarters; the sides are powers of two */
    corner_value depth, s, t, shade[4];
    tl_console_vertex v[3];
} triangle;

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* By so many, rounded down, at a place in quarters. */
static int64_t value_at(const triangle *t, const corner_value *v, int x, int y, int by)
{
    const int64_t first = (int64_t)(v->at[1] - v->at[0]) * (x - t->x) * t->down,
                  last = (int64_t)(v->at[2] - v->at[0]) * (y - t->y) * t->across, area = (int64_t)t->across * t->down;
    return divide_down((first + last + v->at[0] * area) * by, area);
}

/* The slope of a value to the right and down, by whole pixels, rounded down. */
static int64_t slope_across(const triangle *t, const corner_value *v)
{
    return divide_down(4 * (int64_t)(v->at[1] - v->at[0]), t->across);
}

static int64_t slope_down(const triangle *t, const corner_value *v)
{
    return divide_down(4 * (int64_t)(v->at[2] - v->at[0]), t->down);
}

static corner_value random_value(uint64_t *seed, int low, int count)
{
    corner_value v;
    for (int k = 0; k < 3; k++)
        v.at[k] = low + (int)below(seed, (uint32_t)count);
    if (below(seed, 3) == 0)
        v.at[1] = v.at[2] = v.at[0];
    return v;
}

static void random_triangle(uint64_t *seed, triangle *t)
{
    static const int depths[] = {1, 9, 300, 32768};
    const int range = depths[below(seed, 4)];
    *t = (triangle){.x = (int)below(seed, 4 * WIDTH + 40) - 20,
                    .y = (int)below(seed, 4 * HEIGHT + 40) - 20,
                    .across = (below(seed, 2) ? 1 : -1) * (4 << below(seed, 5)),
                    .down = (below(seed, 2) ? 1 : -1) * (4 << below(seed, 5)),
                    .depth = random_value(seed, (int)below(seed, (uint32_t)(32769 - range)), range),
                    .s = random_value(seed, -300, 900),
                    .t = random_value(seed, -300, 900)};
    for (int k = 0; k < 4; k++)
        t->shade[k] = random_value(seed, 0, 256);
    for (int i = 0; i < 3; i++) {
        t->v[i] = (tl_console_vertex){.screen_x = t->x + (i == 1 ? t->across : 0),
                                      .screen_y = t->y + (i == 2 ? t->down : 0),
                                      .depth = t->depth.at[i],
                                      .s = t->s.at[i],
                                      .t = t->t.at[i],
                                      .scaled_w = 100};
        for (int k = 0; k < 4; k++)
            t->v[i].shade[k] = (uint8_t)t->shade[k].at[i];
    }
}

/* Rows from the upper corner on, before the lower one; columns from the left side on, before the right one. The side
 * that leans meets a row at x + across * (1 - (row - y) / down). libdragon's scissor ends a quarter early. */
static bool has_sample(const triangle *t, int x, int y)
{
    const int top = t->down > 0 ? t->y : t->y + t->down, bottom = t->down > 0 ? t->y + t->down : t->y;
    if (y < top || y >= bottom || x >= 4 * WIDTH - 1 || (t->across > 0 ? x < t->x : x >= t->x))
        return false;
    const int64_t meets = t->x - divide_down(-(int64_t)t->across * (t->down - (y - t->y)), t->down);
    return t->across > 0 ? x < meets : x >= meets;
}

/* ---- a pixel ---- */

typedef struct memory {
    uint8_t rgba[PIXELS][4], coverage[PIXELS + TL_FRAMEBUFFER_PAST];
    int32_t z[PIXELS + TL_FRAMEBUFFER_PAST];
    trilo_pixel_probe probe;
} memory;

static memory got, want;

typedef struct setting {
    tl_pipeline_state m;
    tl_texture_levels levels;
    bool color_32;
    uint32_t seed;
    tl_probe probe;
    bool probed;
} setting;

typedef struct depth_test {
    bool pass, far;
} depth_test;

static int largest(int a, int b)
{
    return a > b ? a : b;
}

/* A stored slope counts twice where the stored depth has lost bits, and is at least what they are worth. */
static depth_test compare_depth(uint8_t mode, int z, int slope, int stored, bool over, int *coverage)
{
    const int old = stored >> 4, ones = old < 0x20000 ? 0 : old < 0x30000 ? 1 : old < 0x38000 ? 2 : 3;
    int64_t old_delta = INT64_C(1) << (stored & 15), delta = INT64_C(1) << slope;
    const bool all = ones < 3 && (stored & 15) == 15;
    if (ones < 3 && !all)
        old_delta = 2 * old_delta > 16 >> ones ? 2 * old_delta : 16 >> ones;
    delta = delta > old_delta ? delta : old_delta;
    const bool far = all || z + 8 * delta >= old, near = all || z - 8 * delta <= old, front = z < old;
    const bool empty = old == 0x3FFFF;
    switch (mode) {
    case TL_Z_DECAL:
        return (depth_test){far && near && !empty, far};
    case TL_Z_TRANSPARENT:
        return (depth_test){front || empty, far};
    case TL_Z_INTERPENETRATING:
        if (front && far && over) {
            *coverage = (int)((divide_down(old, delta) - divide_down(z, delta)) & 15) * *coverage / 8;
            return (depth_test){true, far};
        }
        break;
    default:
        break;
    }
    return (depth_test){empty || (over ? front : near), far};
}

static int depth_slope(const triangle *t, bool flat)
{
    const int64_t x = flat ? 0 : slope_across(t, &t->depth), y = flat ? 0 : slope_down(t, &t->depth);
    const int64_t sum = (x < 0 ? -x - 1 : x) + (y < 0 ? -y - 1 : y);
    int bits = 0;
    while (bits < 15 && sum >> bits != 0)
        bits++;
    return bits;
}

/* 11 bits after up to seven ones and a zero. */
static int rounded_depth(int z)
{
    int ones = 0;
    while (ones < 7 && (z >> (17 - ones) & 1) != 0)
        ones++;
    const int lost = ones < 6 ? 6 - ones : 0;
    return z >> lost << lost;
}

static void texture_place(const setting *c, const triangle *t, int x, int y, int32_t at[2])
{
    const corner_value *v[2] = {&t->s, &t->t};
    for (int k = 0; k < 2; k++) {
        const int64_t value = value_at(t, v[k], x, y, 1); /* w is 32767 everywhere */
        at[k] = c->m.wide ? (int32_t)divide_down(value * 32768, 32767) : (int32_t)value;
    }
}

static void sample_textures(const setting *c, const triangle *t, int x, int y, tl_inputs *in)
{
    int32_t at[2], beside[2], under[2], second[2];
    /* The longest side down is the upright one where the triangle stands on its point, otherwise the leaning one: of
     * corners at the same height, the first one counts as the upper one. */
    const bool major_left = (t->across > 0) == (t->down > 0);
    texture_place(c, t, 4 * x, 4 * y, at);
    memcpy(second, at, sizeof at);
    if (c->levels.count > 0 && (c->m.uses_tex0 || c->m.uses_tex1)) {
        texture_place(c, t, 4 * x + (major_left ? 4 : -4), 4 * y, beside);
        texture_place(c, t, 4 * x, 4 * y + 4, under);
        tl_texture_sample_levels(&c->levels, c->m.filter, at, tl_texture_lod(at, beside, under), in->at[TL_CC_TEX0]);
    } else if (c->m.uses_tex0) {
        tl_tile_sample(&c->m.tiles[0], c->m.filter, at[0], at[1], in->at[TL_CC_TEX0]);
    }
    if (c->m.second.used)
        second[0] = 2 * at[0] + 32, second[1] = at[1] - 64;
    if (c->m.uses_tex1)
        tl_tile_sample(&c->m.tiles[1], c->m.filter, second[0], second[1], in->at[TL_CC_TEX1]);
    tl_input_set_all(in->at[TL_CC_TEX0_ALPHA], in->at[TL_CC_TEX0][3]);
    tl_input_set_all(in->at[TL_CC_TEX1_ALPHA], in->at[TL_CC_TEX1][3]);
}

/* At the first sample. */
static void fill_inputs(const setting *c, const triangle *t, int x, int y, int sample, tl_inputs *in)
{
    const int row = 4 * y + sample / 2, column = 4 * x + sample % 2 * 2 + sample / 2 % 2;
    for (int k = 0; c->m.uses_shade && k < 4; k++) {
        const int64_t shade = value_at(t, &t->shade[k], column, row, 1);
        in->at[TL_CC_SHADE][k] = shade < 0 ? 0 : shade > 255 ? 255 : (int32_t)shade;
    }
    tl_input_set_all(in->at[TL_CC_SHADE_ALPHA], in->at[TL_CC_SHADE][3]);
    const int32_t noise = 32 + 64 * (int32_t)(noise_of(c->seed, (uint32_t)x, (uint32_t)y) & 7);
    tl_input_set_all(in->at[TL_CC_NOISE], noise > 383 ? noise - 512 : noise);
}

/* Edges that two surfaces share; one that is steeper counts less, down to a sixteenth. */
static int mix_edge(int coverage, int stored, int slope, int old_slope, bool compares, int color, int old)
{
    int steeper = largest(0, slope - old_slope), flatter = largest(0, old_slope - slope);
    if (!compares)
        steeper = 0, flatter = 15 - slope;
    steeper = steeper > 4 ? 4 : steeper, flatter = flatter > 4 ? 4 : flatter;
    const int a = coverage * 4 >> steeper & 0x3C, b = (stored * 4 >> flatter | 3) + 1;
    return (a * color + b * old) / 4 / (a / 4 + b / 4);
}

static void answer_probe(const setting *c, const tl_inputs *in, const int32_t color[4])
{
    static const int sources[][2] = {{TL_CC_TEX0, TL_CC_TEX0_ALPHA},   {TL_CC_TEX1, TL_CC_TEX1_ALPHA},
                                     {TL_CC_SHADE, TL_CC_SHADE_ALPHA}, {TL_CC_PRIM, TL_CC_PRIM_ALPHA},
                                     {TL_CC_ENV, TL_CC_ENV_ALPHA},     {TL_CC_NOISE, TL_CC_NOISE},
                                     {TL_CC_LOD, TL_CC_LOD},           {TL_CC_PRIM_LOD, TL_CC_PRIM_LOD}};
    static const trilo_combiner_input inputs[] = {TRILO_COMBINER_INPUT_TEX0,  TRILO_COMBINER_INPUT_TEX1,
                                                  TRILO_COMBINER_INPUT_SHADE, TRILO_COMBINER_INPUT_PRIM,
                                                  TRILO_COMBINER_INPUT_ENV,   TRILO_COMBINER_INPUT_NOISE,
                                                  TRILO_COMBINER_INPUT_LOD,   TRILO_COMBINER_INPUT_PRIM_LOD};
    want.probe = (trilo_pixel_probe){.drawn = true, .mesh = c->probe.mesh, .triangle = c->probe.triangle};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if ((c->m.combiner.used & (TL_CC_BIT(sources[i][0]) | TL_CC_BIT(sources[i][1]))) != 0) {
            want.probe.inputs |= 1u << inputs[i];
            for (int k = 0; k < 4; k++)
                want.probe.values[inputs[i]][k] = (int16_t)in->at[sources[i][0]][k];
        }
    for (int k = 0; k < 4; k++)
        want.probe.output[k] = (uint8_t)color[k];
}

/* The fog and the blender's pass, by alpha with its dither. */
static void mix_colors(const setting *c, const tl_inputs *in, int x, int y, int stored, const uint8_t *old,
                       int32_t color[4])
{
    const int32_t before[3] = {old[0], old[1], old[2]}, added = alpha_added(&c->m, c->seed, x, y);
    const int32_t alpha = color[3] + added, shade = in->at[TL_CC_SHADE][3] + added;
    tl_blend(&c->m.blender,
             &(tl_blend_inputs){before, c->m.blend_color, c->m.fog_color, alpha > 255 ? 255 : alpha,
                                shade > 255 ? 255 : shade, stored},
             color);
}

static void draw_pixel(const setting *c, const triangle *t, int x, int y)
{
    const tl_pipeline_state *m = &c->m;
    const int i = y * WIDTH + x;
    const bool cutout = m->cutout && m->antialias && m->blend_word == 0, blended = m->blend_word != 0 && m->antialias;
    const bool has_z = m->z_compare != TL_Z_COMPARE_NONE, compares = has_z && m->z_compare != TL_Z_COMPARE_ALWAYS;
    int coverage = 0, first = -1;
    for (int n = 7; n >= 0; n--)
        if (has_sample(t, 4 * x + n % 2 * 2 + n / 2 % 2, 4 * y + n / 2))
            coverage++, first = n;
    if (!m->antialias) { /* the first sample decides */
        if (first != 0)
            return;
        coverage = 8;
    }
    if (coverage == 0)
        return;
    const int stored = m->antialias || m->blend_word != 0 ? want.coverage[i] : 7, old_z = want.z[i];
    tl_inputs in = m->inputs;
    int32_t color[4];
    sample_textures(c, t, x, y, &in);
    fill_inputs(c, t, x, y, first, &in);
    int compared = tl_combine(&m->combiner, &in, color);
    if (cutout && (coverage = ((color[3] == 255 ? 256 : color[3]) * coverage + 4) / 256) == 0)
        return;
    if (m->compare_threshold != TL_ALPHA_THRESHOLD_NONE && !cutout) {
        compared += alpha_added(m, c->seed, x, y);
        compared = compared > 255 ? 255 : compared;
        if (compared < (m->compare_threshold == TL_ALPHA_THRESHOLD_NOISE
                            ? (int)(noise_of(c->seed, (uint32_t)x, (uint32_t)y + 0x8000) & 255)
                            : m->compare_threshold))
            return;
    }
    const int slope = depth_slope(t, !has_z || m->fixed_z);
    const int64_t exact =
        (m->fixed_z ? 0 : value_at(t, &t->depth, 4 * x + first % 2 * 2 + first / 2 % 2, 4 * y + first / 2, 8)) +
        8 * m->depth_offset;
    const int z = exact < 0 ? 0 : exact > 0x3FFFF ? 0x3FFFF : (int)exact;
    const bool over = stored + coverage >= 8;
    depth_test depth = {true, true};
    if (compares) {
        depth = compare_depth(m->z_mode, z, slope, old_z, over, &coverage);
        if (!depth.pass || (coverage == 0 && m->antialias))
            return;
    }
    if (has_z && !m->keep_z)
        want.z[i] = rounded_depth(z) << 4 | slope;
    if (blended) {
        want.coverage[i] = (coverage + stored) & 7;
        if (!over)
            return;
    }
    if (c->probed && x == c->probe.x && y == c->probe.y)
        answer_probe(c, &in, color);
    if (m->blender.first || m->blender.last)
        mix_colors(c, &in, x, y, stored, want.rgba[i], color);
    if (!m->antialias) {
        want.coverage[i] = 7;
    } else if (!blended && !over && depth.far) {
        for (int k = 0; k < 3; k++)
            color[k] = mix_edge(coverage, stored, slope, old_z & 15, compares, color[k], want.rgba[i][k]);
        want.coverage[i] = (uint8_t)(coverage + stored > 7 ? 7 : coverage + stored);
    } else if (!blended) {
        want.coverage[i] = (coverage - 1) & 7;
    }
    for (int k = 0; k < 3; k++)
        want.rgba[i][k] = stored_color(color[k], color_threshold(m, c->seed, x, y, k), c->color_32);
    want.rgba[i][3] = 255;
}

/* ---- materials ---- */

static void random_combiner(uint64_t *seed, bool noise, tl_combiner *out)
{
    static const uint8_t inputs[] = {
        TL_CC_ZERO,     TL_CC_ONE,        TL_CC_TEX0,  TL_CC_TEX0_ALPHA,  TL_CC_TEX1,          TL_CC_TEX1_ALPHA,
        TL_CC_PRIM,     TL_CC_PRIM_ALPHA, TL_CC_SHADE, TL_CC_SHADE_ALPHA, TL_CC_ENV,           TL_CC_ENV_ALPHA,
        TL_CC_PRIM_LOD, TL_CC_LOD,        TL_CC_NOISE, TL_CC_COMBINED,    TL_CC_COMBINED_ALPHA};
    enum { INPUTS = sizeof inputs };
    *out = (tl_combiner){.cycle_count = (uint8_t)(1 + below(seed, 2)), .saturates = below(seed, 6) == 0};
    for (int cycle = 0; cycle < out->cycle_count; cycle++)
        for (int slot = 0; slot < TL_CC_SLOTS; slot++) {
            uint8_t input = inputs[below(seed, cycle == 0 ? INPUTS - 2 : INPUTS)];
            if (slot != TL_CC_RGB_C && (input == TL_CC_TEX0_ALPHA || input == TL_CC_SHADE_ALPHA))
                input = TL_CC_SHADE;
            if (input == TL_CC_NOISE && !noise)
                input = TL_CC_ZERO;
            if (out->saturates && (slot == TL_CC_ALPHA_B || slot == TL_CC_ALPHA_D))
                input = TL_CC_ZERO; /* alphas of the materials that saturate are products */
            if (slot == TL_CC_RGB_C && input == TL_CC_COMBINED)
                input = TL_CC_COMBINED_C;
            out->cycles[cycle][slot] = input;
            out->used |= input < TL_CC_INPUTS ? TL_CC_BIT(input) : TL_CC_BIT(TL_CC_COMBINED);
        }
}

static uint32_t random_blender(uint64_t *seed)
{
    static const uint32_t words[] = {TL_BLENDER_ALPHA, TL_BLENDER_CONST_ALPHA, TL_BLENDER_ADDITIVE,
                                     1u << 30 | 1u << 18}; /* memory * alpha + pixel * coverage */
    return words[below(seed, 4)];
}

/* Some repeat and nothing else, as most do; also with sides that are no powers of two. */
static tl_tile random_tile(uint64_t *seed, int texture)
{
    static const uint32_t sizes[][2] = {{8, 8}, {16, 4}, {6, 5}, {7, 8}};
    const uint32_t *size = sizes[below(seed, 4)], kind = below(seed, 3);
    const trilo_image image = {size[0], size[1], (const uint8_t(*)[4])texels[texture]};
    trilo_n64_axis axes[2];
    for (int k = 0; k < 2; k++)
        axes[k] = (trilo_n64_axis){.low = kind ? (float)below(seed, 9) / 4 : 0,
                                   .high = (float)below(seed, 40),
                                   .shift = (int8_t)(kind ? (int)below(seed, 4) - 1 : 0),
                                   .mirror = kind == 2 && below(seed, 2),
                                   .clamp = kind == 2 && below(seed, 2)};
    return tl_tile_of(&image, tl_axis_n64(&axes[0], size[0]), tl_axis_n64(&axes[1], size[1]));
}

static void random_setting(uint64_t *seed, setting *c)
{
    static const uint8_t level_texels[2][1][4] = {{{200, 30, 90, 140}}, {{10, 250, 120, 60}}};
    static const trilo_image levels[2] = {{1, 1, level_texels[0]}, {1, 1, level_texels[1]}};
    static const trilo_image *const mipmaps[2] = {&levels[0], &levels[1]};
    static const trilo_n64_tile tile = {.s = {.high = SIDE - 1}, .t = {.high = SIDE - 1}};
    const bool plain = below(seed, 3) == 0; /* what may be drawn several pixels at a time */
    const uint32_t kind = below(seed, 4);   /* blended, cut out, compared by alpha, none of these */
    *c = (setting){.color_32 = below(seed, 2), .seed = below(seed, 1000), .probed = !plain && below(seed, 4) == 0};
    c->probe = (tl_probe){.x = 4, .y = 5, .mesh = 3, .triangle = 8, .out = &got.probe};
    tl_pipeline_state *m = &c->m;
    const uint32_t word = kind == 0 && !plain ? random_blender(seed) : 0;
    *m = (tl_pipeline_state){.blend_word = word,
                             .blender = tl_blend_resolve(word, !plain && below(seed, 4) == 0 ? TL_BLENDER_FOG : 0),
                             .affine = true,
                             .filter = (tl_filter)below(seed, 3),
                             .antialias = below(seed, 3) != 0,
                             .cutout = kind == 1,
                             .compare_threshold =
                                 kind == 1 || kind == 2 ? (int32_t)below(seed, 200) : TL_ALPHA_THRESHOLD_NONE,
                             .z_compare = plain ? TL_Z_COMPARE_LESS : (tl_z_compare)below(seed, 4),
                             .z_mode = plain ? TL_Z_OPAQUE : (uint8_t)below(seed, 4),
                             .keep_z = !plain && below(seed, 4) == 0,
                             .fixed_z = !plain && below(seed, 8) == 0,
                             .depth_offset = !plain && below(seed, 4) == 0 ? (int32_t)below(seed, 40000) - 5000 : 0,
                             .color_dither = (uint8_t)below(seed, 4),
                             .alpha_dither = (uint8_t)below(seed, 4),
                             .wide = !plain && below(seed, 4) == 0,
                             .blend_color = {9, 90, 200, 33},
                             .fog_color = {70, 160, 5, 180}};
    if (kind == 2 && below(seed, 3) == 0)
        m->compare_threshold = TL_ALPHA_THRESHOLD_NOISE;
    random_combiner(seed, !plain, &m->combiner);
    m->uses_tex0 = (m->combiner.used & TL_CC_USES_TEX0) != 0;
    m->uses_tex1 = (m->combiner.used & TL_CC_USES_TEX1) != 0;
    m->uses_shade = (m->combiner.used & TL_CC_USES_SHADE) != 0 || m->blender.first;
    m->uses_noise = (m->combiner.used & TL_CC_BIT(TL_CC_NOISE)) != 0;
    const uint8_t prim[4] = {(uint8_t)below(seed, 256), 90, (uint8_t)below(seed, 256), (uint8_t)below(seed, 256)};
    tl_inputs_fill(&m->inputs, prim, (const uint8_t[4]){31, 140, 7, 220});
    for (int i = 0; i < 2; i++) /* test_raster_texel.c checks what they show */
        m->tiles[i] = random_tile(seed, i);
    if (m->wide && below(seed, 2))
        m->second = (tl_second_coordinates){true, {{2, 0}, {0, 1}}, {32, -64}};
    if (!plain && below(seed, 4) == 0)
        c->levels = tl_texture_levels_of(&m->tiles[0], &tile, mipmaps, 3);
}

/* Around the depth of a triangle, or clear, or anything. */
static int32_t random_depth(uint64_t *seed, const triangle *t)
{
    const int near = 8 * t->depth.at[below(seed, 3)] + (int)below(seed, 400) - 200;
    const uint32_t kind = below(seed, 4);
    const int z = kind == 0 ? 0x3FFFF : kind == 1 ? (int)below(seed, 0x40000) : near < 0 ? 0 : near;
    return z << 4 | (int32_t)below(seed, 16);
}

static void random_memory(uint64_t *seed, const setting *c, const triangle *t)
{
    memset(&want, 0, sizeof want);
    for (int i = 0; i < PIXELS; i++) {
        for (int k = 0; k < 3; k++)
            want.rgba[i][k] = (uint8_t)(below(seed, 256) & (c->color_32 ? 255 : 0xF8));
        want.rgba[i][3] = 255;
        want.coverage[i] = (uint8_t)below(seed, 8);
        want.z[i] = random_depth(seed, t);
    }
    got = want;
}

static void compare_memory(int round)
{
    for (int i = 0; i < PIXELS; i++)
        if (memcmp(got.rgba[i], want.rgba[i], 4) != 0 || got.coverage[i] != want.coverage[i] || got.z[i] != want.z[i])
            FAIL("round %d, pixel %d, %d: %d %d %d, coverage %d, depth %x; not %d %d %d, %d, %x", round, i % WIDTH,
                 i / WIDTH, got.rgba[i][0], got.rgba[i][1], got.rgba[i][2], got.coverage[i], (unsigned)got.z[i],
                 want.rgba[i][0], want.rgba[i][1], want.rgba[i][2], want.coverage[i], (unsigned)want.z[i]);
    CHECK_INT(got.probe.drawn, want.probe.drawn);
    CHECK_INT(got.probe.mesh, want.probe.mesh);
    CHECK_INT(got.probe.triangle, want.probe.triangle);
    CHECK_INT(got.probe.inputs & ~(1u << TRILO_COMBINER_INPUT_COMBINED), want.probe.inputs);
    CHECK(memcmp(got.probe.output, want.probe.output, sizeof want.probe.output) == 0);
    for (int i = 0; i < TRILO_COMBINER_INPUT_COMBINED; i++)
        for (int k = 0; k < 4; k++)
            CHECK_INT(got.probe.values[i][k], want.probe.values[i][k]);
}

static void fill_texels(uint64_t *seed)
{
    for (int i = 0; i < 2 * SIDE * SIDE * 4; i++)
        texels[i / (SIDE * SIDE * 4)][i / 4 % (SIDE * SIDE)][i % 4] = (uint8_t)random_bits(seed);
}

TEST(every_step_of_a_pixel)
{
    uint64_t seed = 21;
    uint32_t probed = 0, at_once = 0;
    fill_texels(&seed);
    for (int round = 0; round < (TEST_SLOW ? 200 : 900); round++) {
        setting c;
        triangle t;
        tl_console_state state;
        random_setting(&seed, &c);
        random_triangle(&seed, &t);
        random_memory(&seed, &c, &t);
        tl_framebuffer framebuffer = {.width = WIDTH,
                                      .height = HEIGHT,
                                      .rgba = got.rgba,
                                      .z = got.z,
                                      .coverage = got.coverage,
                                      .seed = c.seed,
                                      .color_32 = c.color_32,
                                      .probe = c.probed ? &c.probe : NULL};
        tl_console_state_set(&state, &c.m, &framebuffer, &c.levels);
        state.avx2 = state.avx2 && round % 2 == 0;
        at_once += state.at_once;
        tl_console_draw_triangle(&state, (const tl_console_vertex *const[3]){&t.v[0], &t.v[1], &t.v[2]});
        for (int i = 0; i < PIXELS; i++)
            draw_pixel(&c, &t, i % WIDTH, i / WIDTH);
        compare_memory(round);
        probed += want.probe.drawn;
    }
    if (!TEST_SLOW)
        CHECK(probed > 1 && at_once > 60);
}

/* ---- the clean look ---- */

enum { Z_MAX = 0xFFFFFF, Z_CLEAR = 0x1000000 };

/* In sixteenths of a pixel; values are at the centres of pixels. */
typedef struct clean_triangle {
    int x[3], y[3], across, down;
    corner_value z, s, t, shade[4];
} clean_triangle;

static int64_t clean_value(const clean_triangle *t, const corner_value *v, int x, int y)
{
    const triangle as = {.x = t->x[0], .y = t->y[0], .across = t->across, .down = t->down};
    return value_at(&as, v, 16 * x + 8, 16 * y + 8, 1);
}

/* A centre on an edge belongs to the triangle if that is its left or upper one. */
static bool clean_covers(const clean_triangle *t, int x, int y)
{
    const int64_t area =
        (int64_t)(t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) - (int64_t)(t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
    for (int k = 0; k < 3; k++) {
        const int a = area > 0 ? k : 2 - k, b = area > 0 ? (k + 1) % 3 : (4 - k) % 3;
        const int64_t dx = t->x[b] - t->x[a], dy = t->y[b] - t->y[a];
        const int64_t side = dx * (16 * y + 8 - t->y[a]) - dy * (16 * x + 8 - t->x[a]);
        if (side < 0 || (side == 0 && !(dy < 0 || (dy == 0 && dx > 0))))
            return false;
    }
    return true;
}

static void random_clean_triangle(uint64_t *seed, clean_triangle *t)
{
    *t = (clean_triangle){.across = (below(seed, 2) ? 1 : -1) * (16 << below(seed, 5)),
                          .down = (below(seed, 2) ? 1 : -1) * (16 << below(seed, 5)),
                          .z = random_value(seed, 0, 2000),
                          .s = random_value(seed, -300, 900),
                          .t = random_value(seed, -300, 900)};
    const int x = (int)below(seed, 16 * WIDTH + 160) - 80, y = (int)below(seed, 16 * HEIGHT + 160) - 80;
    for (int i = 0; i < 3; i++) {
        t->x[i] = x + (i == 1 ? t->across : 0);
        t->y[i] = y + (i == 2 ? t->down : 0);
        t->z.at[i] *= 256;
    }
    const int far = (int)below(seed, 2) * 4000000 - 2000000;
    if (below(seed, 8) == 0) /* beyond the coordinates that there are */
        t->s = (corner_value){{far, far, far}}, t->t = (corner_value){{-40000, -40000, -40000}};
    for (int k = 0; k < 4; k++)
        t->shade[k] = random_value(seed, 0, 256);
}

static int32_t clean_coordinate(int64_t value, bool wide)
{
    const int64_t most = wide ? 1048576 : 32767;
    return (int32_t)(value < -most ? -most : value > most ? most : value);
}

static bool clean_depth_passes(const tl_pipeline_state *m, const clean_triangle *t, int32_t z, int32_t old)
{
    const triangle as = {.across = t->across, .down = t->down};
    const double x = 16.0 * (t->z.at[1] - t->z.at[0]) / as.across, y = 16.0 * (t->z.at[2] - t->z.at[0]) / as.down;
    const double tolerance = m->fixed_z ? 1024 : 2 * ((x < 0 ? -x : x) + (y < 0 ? -y : y)) + 1024;
    if (m->z_compare == TL_Z_COMPARE_LESS)
        return z < old;
    if (m->z_compare == TL_Z_COMPARE_DECAL)
        return old != Z_CLEAR && z - old <= (int)tolerance && old - z <= (int)tolerance;
    return true;
}

static void clean_pixel(const setting *c, const clean_triangle *t, int x, int y)
{
    const tl_pipeline_state *m = &c->m;
    const int i = y * WIDTH + x;
    const int64_t area = (int64_t)t->across * t->down;
    if (!clean_covers(t, x, y) || (area < 0 && m->cull_front) || (area > 0 && m->cull_back))
        return;
    const int64_t depth = (m->fixed_z ? 0 : clean_value(t, &t->z, x, y)) + (int64_t)m->z_offset;
    const int32_t z = depth < 0 ? 0 : depth > Z_MAX ? Z_MAX : (int32_t)depth;
    if (!clean_depth_passes(m, t, z, want.z[i]))
        return;
    tl_inputs in = m->inputs;
    const int32_t at[2] = {clean_coordinate(clean_value(t, &t->s, x, y), m->wide),
                           clean_coordinate(clean_value(t, &t->t, x, y), m->wide)};
    const int32_t second[2] = {m->second.used ? clean_coordinate(2 * at[0] + 32, true) : at[0],
                               m->second.used ? clean_coordinate(at[1] - 64, true) : at[1]};
    for (int k = 0; k < 4; k++) {
        const int64_t shade = clean_value(t, &t->shade[k], x, y);
        in.at[TL_CC_SHADE][k] = shade < 0 ? 0 : shade > 255 ? 255 : (int32_t)shade;
    }
    tl_tile_sample(&m->tiles[0], m->filter, at[0], at[1], in.at[TL_CC_TEX0]);
    tl_tile_sample(&m->tiles[1], m->filter, second[0], second[1], in.at[TL_CC_TEX1]);
    tl_input_set_all(in.at[TL_CC_TEX0_ALPHA], in.at[TL_CC_TEX0][3]);
    tl_input_set_all(in.at[TL_CC_TEX1_ALPHA], in.at[TL_CC_TEX1][3]);
    tl_input_set_all(in.at[TL_CC_SHADE_ALPHA], in.at[TL_CC_SHADE][3]);
    const int32_t noise = 32 + 64 * (int32_t)(noise_of(c->seed, (uint32_t)x, (uint32_t)y) & 7);
    tl_input_set_all(in.at[TL_CC_NOISE], noise > 383 ? noise - 512 : noise);
    int32_t color[4];
    const int32_t compared = tl_combine(&m->combiner, &in, color);
    const int32_t threshold = m->alpha_threshold == TL_ALPHA_THRESHOLD_NOISE
                                  ? (int32_t)(noise_of(c->seed, (uint32_t)x, (uint32_t)y + 0x8000) & 255)
                                  : m->alpha_threshold;
    if (m->alpha_threshold != TL_ALPHA_THRESHOLD_NONE && compared < threshold)
        return;
    const int32_t old[3] = {want.rgba[i][0], want.rgba[i][1], want.rgba[i][2]};
    tl_blend(&m->blender, &(tl_blend_inputs){old, m->blend_color, m->fog_color, color[3], in.at[TL_CC_SHADE][3], 7},
             color);
    for (int k = 0; k < 3; k++)
        want.rgba[i][k] = (uint8_t)color[k];
    want.rgba[i][3] = 255;
    if (m->z_compare != TL_Z_COMPARE_NONE && !m->keep_z)
        want.z[i] = z;
}

/* All corners are at the same distance, or it does not count; offsets are none, or beyond either end. */
static void draw_clean(const setting *c, const clean_triangle *t, const tl_framebuffer *framebuffer, uint64_t *seed)
{
    static const float inverses[] = {1, 0.5f, 2, 0.25f};
    tl_corner corners[3];
    tl_inputs inputs = c->m.inputs;
    const float inverse = inverses[below(seed, 4)];
    for (int i = 0; i < 3; i++) {
        corners[i] = (tl_corner){.x = (float)t->x[i] / 16,
                                 .y = (float)t->y[i] / 16,
                                 .z = (float)t->z.at[i],
                                 .inverse_w = c->m.affine ? inverses[i] : inverse,
                                 .s = (float)t->s.at[i],
                                 .t = (float)t->t.at[i]};
        corners[i].x += (float)below(seed, 3) / 64 - 1.0f / 64; /* within the same sixteenth */
        for (int k = 0; k < 4; k++)
            corners[i].shade[k] = (float)t->shade[k].at[i];
    }
    tl_draw_triangle(framebuffer, &c->m, &inputs, (const tl_corner *[3]){&corners[0], &corners[1], &corners[2]});
}

TEST(every_step_of_a_clean_pixel)
{
    static const float offsets[] = {0, 0, 0, 256 * 500, -256 * 700, 1 << 25, -(1 << 25)};
    uint64_t seed = 22;
    fill_texels(&seed);
    for (int round = 0; round < (TEST_SLOW ? 200 : 900); round++) {
        setting c;
        clean_triangle t;
        random_setting(&seed, &c);
        random_clean_triangle(&seed, &t);
        for (int i = 1; i < 3 && c.m.wide; i++) /* floats of many texels have few bits after the point */
            t.s.at[i] = t.s.at[0], t.t.at[i] = t.t.at[0];
        c.m.alpha_threshold = c.m.compare_threshold;
        c.m.affine = below(&seed, 2);
        c.m.z_offset = offsets[below(&seed, 7)];
        c.m.cull_front = below(&seed, 4) == 0, c.m.cull_back = below(&seed, 4) == 0;
        memset(&want, 0, sizeof want);
        for (int i = 0; i < PIXELS; i++) {
            for (int k = 0; k < 4; k++)
                want.rgba[i][k] = (uint8_t)random_bits(&seed);
            const int32_t near = t.z.at[below(&seed, 3)] + (int32_t)c.m.z_offset + (int32_t)below(&seed, 8000) - 4000;
            want.z[i] = below(&seed, 3) == 0 ? Z_CLEAR : near < 0 ? 0 : near > Z_MAX ? Z_MAX : near;
        }
        got = want;
        const tl_framebuffer framebuffer = {
            .width = WIDTH, .height = HEIGHT, .rgba = got.rgba, .z = got.z, .seed = c.seed};
        draw_clean(&c, &t, &framebuffer, &seed);
        for (int i = 0; i < PIXELS; i++)
            clean_pixel(&c, &t, i % WIDTH, i / WIDTH);
        compare_memory(round);
    }
}

TEST_MAIN(CASE(every_step_of_a_pixel), CASE(every_step_of_a_clean_pixel))
