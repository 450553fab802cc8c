/* Which colours make a mesh invisible, against a plain definition: random materials whose combiner is evaluated at all
 * ends of the ranges of its inputs. The extremes of (A - B) * C + D lie there, since it is linear in each of them. */
#include "base/strict_float.h"

#include "harness.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXTURE, VERTICES, PRIM, ENV, SEVERAL, SECOND, SOURCES };

typedef struct range {
    double low[4], high[4];
} range;

typedef struct recipe {
    range of[SOURCES];
    int cycle_count;
    uint8_t cycles[2][8];
    bool blends, plain;
    double threshold;
} recipe;

/* ---- the definition ---- */

static range range_of(double low, double high)
{
    range r;
    for (int k = 0; k < 4; k++)
        r.low[k] = low, r.high[k] = high;
    return r;
}

static void ends_of(const recipe *r, const range *combined, uint8_t input, int channel, double ends[2])
{
    static const int8_t source[TL_CC_INPUTS] = {[TL_CC_TEX0] = TEXTURE + 1,   [TL_CC_TEX0_ALPHA] = -TEXTURE - 1,
                                                [TL_CC_TEX1] = SECOND + 1,    [TL_CC_TEX1_ALPHA] = -SECOND - 1,
                                                [TL_CC_PRIM] = PRIM + 1,      [TL_CC_PRIM_ALPHA] = -PRIM - 1,
                                                [TL_CC_SHADE] = VERTICES + 1, [TL_CC_SHADE_ALPHA] = -VERTICES - 1,
                                                [TL_CC_ENV] = ENV + 1,        [TL_CC_ENV_ALPHA] = -ENV - 1};
    const int place = source[input];
    range own = range_of(0, 1); /* unknown */
    if (input == TL_CC_ZERO || input == TL_CC_ONE)
        own = range_of(input == TL_CC_ONE, input == TL_CC_ONE);
    else if (input == TL_CC_COMBINED || input == TL_CC_COMBINED_ALPHA)
        own = *combined;
    else if (place != 0)
        own = r->of[(place < 0 ? -place : place) - 1];
    if (place < 0 || input == TL_CC_COMBINED_ALPHA)
        channel = 3;
    ends[0] = own.low[channel];
    ends[1] = own.high[channel];
}

static range pixel_of(const recipe *r)
{
    range combined = range_of(0, 0);
    for (int cycle = 0; cycle < r->cycle_count; cycle++) {
        range next;
        for (int k = 0; k < 4; k++) {
            const uint8_t *slots = r->cycles[cycle] + (k == 3 ? 4 : 0);
            double ends[4][2], least = INFINITY, most = -INFINITY;
            for (int i = 0; i < 4; i++)
                ends_of(r, &combined, slots[i], k, ends[i]);
            for (int corner = 0; corner < 16; corner++) {
                const double a = ends[0][corner & 1], b = ends[1][corner >> 1 & 1], c = ends[2][corner >> 2 & 1];
                const double value = (slots[0] == slots[1] ? 0 : a - b) * c + ends[3][corner >> 3];
                least = fmin(least, value);
                most = fmax(most, value);
            }
            const bool wraps = least < -0.5 || most > 1.5;
            next.low[k] = wraps ? -0.5 : least;
            next.high[k] = wraps ? 1.5 : most;
        }
        combined = next;
    }
    return combined;
}

static bool is_clear(const recipe *r)
{
    const double alpha = pixel_of(r).high[3];
    return (r->blends && alpha * 255 < 0.5) || (r->threshold > 0 && alpha < r->threshold - 1e-6);
}

static bool is_black(const recipe *r)
{
    const range pixel = pixel_of(r);
    return fmax(pixel.high[0], fmax(pixel.high[1], pixel.high[2])) * 255 < 2.001;
}

static int cause_of(const recipe *r, bool (*unseen)(const recipe *r))
{
    for (int i = 0; i < SEVERAL; i++) {
        recipe other = *r;
        other.of[i] = range_of(0, 1);
        if (i == TEXTURE)
            other.of[SECOND] = range_of(0, 1);
        if (!unseen(&other))
            return i;
    }
    return SEVERAL;
}

/* The finding, as "RULE: text"; empty: it can be seen. */
static void verdict_of(const recipe *r, char *out, size_t room)
{
    static const char *const names[] = {"the texture", "the vertex colours", "the primitive colour",
                                        "the environment colour", "several colours of the combiner"};
    const bool clear = is_clear(r), black = !clear && is_black(r);
    out[0] = '\0';
    if (!clear && !black)
        return;
    const int cause = cause_of(r, clear ? is_clear : is_black);
    const bool several = cause == VERTICES || cause == SEVERAL;
    const char *name = r->plain && cause == PRIM ? "the base colour" : names[cause];
    if (clear)
        snprintf(out, room, "%s: \"m\": %s %s an alpha of %s everywhere",
                 cause == TEXTURE ? "SEEN-TEXTURE" : "SEEN-ALPHA", name, several ? "have" : "has",
                 r->threshold > 0 ? "less than the threshold" : "0");
    else
        snprintf(out, room, "%s: \"m\": it is black: %s %s", cause == TEXTURE ? "SEEN-TEXTURE" : "SEEN-BLACK", name,
                 several ? "are" : "is");
}

/* ---- materials ---- */

typedef struct scene {
    uint8_t pixels[2][3][4];
    float colors[3][4];
    trilo_n64_material n64;
    trilo_pbr pbr;
    trilo_material material;
    trilo_texture textures[2];
    bool has_image[2], has_colors;
} scene;

/* Mostly values that hide something. */
static uint8_t random_byte(uint64_t *seed)
{
    static const uint8_t likely[] = {0, 0, 0, 0, 0, 1, 2, 3, 127, 128, 255};
    const uint64_t bits = random_bits(seed);
    return bits % 4 ? likely[(bits >> 8) % sizeof likely] : (uint8_t)(bits >> 16);
}

static void random_colors(uint8_t (*out)[4], int count, uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            out[i][k] = bits >> k & 1 && i > 0 ? out[0][k] : random_byte(seed);
}

static range range_of_bytes(const uint8_t (*colors)[4], int count)
{
    range r = range_of(1, 0);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) {
            r.low[k] = fmin(r.low[k], colors[i][k] / 255.0);
            r.high[k] = fmax(r.high[k], colors[i][k] / 255.0);
        }
    return r;
}

static uint8_t random_selector(int slot, uint64_t *seed)
{
    for (;;) {
        const uint64_t bits = random_bits(seed);
        const uint8_t selector = (uint8_t)(bits % (slot == TL_CC_RGB_C ? 32 : slot < TL_CC_RGB_C ? 16 : 8));
        if (tl_cc_select(slot, selector) < TL_CC_NOISE || bits >> 60 == 0)
            return selector;
    }
}

static void random_n64(scene *s, recipe *r, uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    trilo_n64_material *m = &s->n64;
    tl_cc_selectors selectors = {.two_cycles = bits & 1};
    for (int i = 0; i < 16; i++)
        selectors.cycles[i / 8][i % 8] = random_selector(i % 8, seed);
    *m = (trilo_n64_material){
        .combiner = tl_cc_pack(&selectors) | (bits & 1) << 63,
        .blender = bits & 2   ? TL_BLENDER_ALPHA
                   : bits & 4 ? TL_BLENDER_CONST_ALPHA
                              : 0,
        .draw_flags = bits & 8 ? TRILO_N64_UNLIT : 0,
        .set_flags = (uint8_t)(bits >> 4 & 3),
        .other_mode = bits >> 6 & 1,
        .other_mask = bits >> 7 & 1,
        .tiles = {{.texture = bits >> 8 & 7 ? 0 : TRILO_NONE}, {.texture = bits >> 11 & 1 ? 1 : TRILO_NONE}}};
    random_colors(&m->prim, 1, seed);
    random_colors(&m->env, 1, seed);
    m->blend[3] = random_byte(seed);
    s->material.n64 = m;

    const tl_combiner combiner = tl_combiner_decode(m->combiner);
    memcpy(r->cycles, combiner.cycles, sizeof r->cycles);
    r->cycle_count = combiner.cycle_count;
    r->blends = m->blender == TL_BLENDER_ALPHA;
    r->threshold = m->other_mode && m->other_mask ? m->blend[3] / 255.0 : 0;
    const range any = range_of(0, 1), images[2] = {r->of[TEXTURE], r->of[SECOND]};
    r->of[TEXTURE] = m->tiles[0].texture == 0 ? images[0] : any;
    r->of[SECOND] = m->tiles[1].texture == 1 ? images[1] : r->of[TEXTURE];
    r->of[PRIM] = m->set_flags & TRILO_N64_SET_PRIM ? range_of_bytes((const uint8_t(*)[4]) & m->prim, 1) : any;
    r->of[ENV] = m->set_flags & TRILO_N64_SET_ENV ? range_of_bytes((const uint8_t(*)[4]) & m->env, 1) : any;
    if (!(m->draw_flags & TRILO_N64_UNLIT))
        r->of[VERTICES] = any;
}

/* (texture * vertex colours) * base colour + what it emits; alpha without that. */
static void random_plain(scene *s, recipe *r, uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    trilo_material *m = &s->material;
    const bool textured = bits & 1, emits = (bits & 14) == 2;
    m->texture = textured ? 0 : TRILO_NONE;
    m->unlit = bits >> 4 & 1;
    m->alpha = (trilo_alpha)((bits >> 5) % 3);
    m->alpha_cutoff = (float)random_byte(seed) / 255;
    uint8_t base[1][4];
    random_colors(base, 1, seed);
    for (int k = 0; k < 4; k++)
        m->base_color[k] = (float)base[0][k] / 255;
    if (bits >> 10 & 1)
        m->base_color[(bits >> 11) % 3] = bits >> 14 & 1 ? 1.5f : -0.5f;
    if (bits & 2) {
        s->pbr = (trilo_pbr){.metallic = 0};
        s->pbr.emissive[(bits >> 16) % 3] = emits ? 0.25f : 0;
        m->pbr = &s->pbr;
    }
    const uint8_t first = textured ? TL_CC_TEX0 : TL_CC_ONE;
    const uint8_t cycles[2][8] = {
        {first, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO, first, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO},
        {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, emits && !m->unlit ? TL_CC_ENV : TL_CC_ZERO, TL_CC_COMBINED,
         TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO}};
    memcpy(r->cycles, cycles, sizeof cycles);
    r->cycle_count = 2;
    r->plain = true;
    r->blends = m->alpha == TRILO_ALPHA_BLEND;
    r->threshold = m->alpha != TRILO_ALPHA_CUTOUT ? 0 : m->alpha_cutoff > 0 ? (double)m->alpha_cutoff : 0.5;
    for (int k = 0; k < 4; k++)
        r->of[PRIM].low[k] = r->of[PRIM].high[k] = fmin(1, fmax(0, (double)m->base_color[k]));
    r->of[ENV] = range_of(0, 1);
    if (!textured)
        r->of[TEXTURE] = range_of(0, 1);
    r->of[SECOND] = r->of[TEXTURE];
    for (int k = 0; k < 3 && !m->unlit; k++)
        r->of[VERTICES].low[k] = 0;
}

static void random_scene(scene *s, recipe *r, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    memset(r, 0, sizeof *r);
    uint64_t bits = random_bits(&seed);
    for (int i = 0; i < 2; i++) {
        random_colors(s->pixels[i], 3, &seed);
        s->has_image[i] = bits >> i & 1 || bits >> 2 & 1;
        r->of[i ? SECOND : TEXTURE] =
            s->has_image[i] ? range_of_bytes((const uint8_t(*)[4])s->pixels[i], 3) : range_of(0, 1);
    }
    uint8_t colors[3][4];
    random_colors(colors, 3, &seed);
    s->has_colors = bits >> 3 & 7;
    r->of[VERTICES] = s->has_colors ? range_of(1, 0) : range_of(1, 1);
    for (int i = 0; i < 12; i++) {
        const float value = bits >> 40 & 15 ? (float)colors[i / 4][i % 4] / 255 : (float)colors[i / 4][i % 4] / 100 - 1;
        const double clamped = fmin(1, fmax(0, (double)value));
        s->colors[i / 4][i % 4] = value;
        if (!s->has_colors)
            continue;
        r->of[VERTICES].low[i % 4] = fmin(r->of[VERTICES].low[i % 4], clamped);
        r->of[VERTICES].high[i % 4] = fmax(r->of[VERTICES].high[i % 4], clamped);
    }
    s->material = (trilo_material){.texture = TRILO_NONE};
    if (bits >> 20 & 3)
        random_n64(s, r, &seed);
    else
        random_plain(s, r, &seed);
}

/* ---- the comparison ---- */

static void keep_finding(void *user, const trilo_finding *finding)
{
    char *text = user;
    CHECK_STR(text, "");
    CHECK_STR(finding->path, "meshes[0]");
    snprintf(text, 256, "%s: %s", finding->rule, finding->text);
}

static void look(const scene *s, char *told, bool *visible)
{
    static const float corners[3][3] = {{0, 0, 0}, {9, 0, 0}, {0, 7, 5}};
    static const uint32_t indices[3] = {0, 1, 2};
    const trilo_mesh mesh = {.name = {"m", 1},
                             .node = TRILO_NONE,
                             .skin = TRILO_NONE,
                             .vertex_count = 3,
                             .index_count = 3,
                             .positions = corners,
                             .colors = s->has_colors ? (const float(*)[4])s->colors : NULL,
                             .indices = indices};
    const trilo_model model = {.units_per_meter = 1,
                               .mesh_count = 1,
                               .meshes = &mesh,
                               .material_count = 1,
                               .materials = &s->material,
                               .texture_count = 2,
                               .textures = s->textures};
    const trilo_image first = {3, 1, (const uint8_t(*)[4])s->pixels[0]},
                      second = {1, 3, (const uint8_t(*)[4])s->pixels[1]};
    const trilo_image *const images[2] = {s->has_image[0] ? &first : NULL, s->has_image[1] ? &second : NULL};
    const trilo_visibility_opts opts = {.textures = images, .on_finding = keep_finding, .on_finding_user = told};
    trilo_error err;
    told[0] = '\0';
    *visible = trilo_model_visible(&model, &opts, &err);
    CHECK_INT(err.code, TRILO_CODE_OK);
}

TEST(colors_that_hide_a_mesh)
{
    uint32_t findings[2] = {0}; /* with N64 settings, and without */
    for (uint64_t seed = 1; seed <= test_rounds(100000, TEST_SLOW ? 600 : 6000); seed++) {
        static scene s;
        recipe r;
        char told[256], want[256];
        bool visible;
        random_scene(&s, &r, seed);
        verdict_of(&r, want, sizeof want);
        look(&s, told, &visible);
        if (strcmp(told, want) != 0)
            FAIL("seed %u: %s instead of %s", (unsigned)seed, told, want);
        CHECK_INT(visible, want[0] == '\0');
        findings[r.plain] += want[0] != '\0';
    }
    CHECK(findings[0] > 50 && findings[1] > 20);
}

/* Two steps of 255 are black wherever they come from, three are not. */
TEST(two_steps_are_black_everywhere)
{
    for (int source = 0; source < 5; source++)
        for (int step = 2; step < 4; step++) {
            static scene s;
            char told[256], problem[128];
            static const char *const formulas[] = {"(0,0,0,TEX0), (0,0,0,1)", "(0,0,0,TEX0), (0,0,0,1)",
                                                   "(0,0,0,PRIM), (0,0,0,1)", "(0,0,0,ENV), (0,0,0,1)",
                                                   "(0,0,0,SHADE), (0,0,0,1)"};
            bool visible;
            memset(&s, 0, sizeof s);
            s.n64 = (trilo_n64_material){.draw_flags = TRILO_N64_UNLIT,
                                         .set_flags = TRILO_N64_SET_PRIM | TRILO_N64_SET_ENV,
                                         .tiles = {{.texture = 0}, {.texture = TRILO_NONE}}};
            CHECK(tl_cc_read(formulas[source], NULL, &s.n64.combiner, problem, sizeof problem));
            s.material = (trilo_material){.texture = TRILO_NONE, .n64 = &s.n64};
            s.has_image[0] = s.has_colors = true;
            if (source < 2)
                s.pixels[0][source * 2][2] = (uint8_t)step; /* the first or the last pixel */
            s.n64.prim[1] = s.n64.env[0] = (uint8_t)step;
            s.colors[1][2] = (float)step / 255;
            look(&s, told, &visible);
            CHECK_INT(visible, step > 2);
        }
}

TEST_MAIN(CASE(colors_that_hide_a_mesh), CASE(two_steps_are_black_everywhere))
