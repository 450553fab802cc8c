/* Plans of sprites against their documentation: each format is tried at the largest size that fits, resized back and
 * compared; the first that is near enough is chosen. */
#include "base/strict_float.h"

#include "harness.h"
#include "n64/texels.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <string.h>

static const trilo_texels formats[TRILO_PLAN_CANDIDATES] = {
    TRILO_TEXELS_I4,  TRILO_TEXELS_IA4,    TRILO_TEXELS_CI4,  TRILO_TEXELS_I8,    TRILO_TEXELS_IA8,
    TRILO_TEXELS_CI8, TRILO_TEXELS_RGBA16, TRILO_TEXELS_IA16, TRILO_TEXELS_RGBA32};

static bool has_palette(trilo_texels texels)
{
    return texels == TRILO_TEXELS_CI4 || texels == TRILO_TEXELS_CI8;
}

static bool is_intensity(trilo_texels texels)
{
    return texels == TRILO_TEXELS_I4 || texels == TRILO_TEXELS_I8;
}

static bool is_grey(trilo_texels texels)
{
    return is_intensity(texels) || texels == TRILO_TEXELS_IA4 || texels == TRILO_TEXELS_IA8 ||
           texels == TRILO_TEXELS_IA16;
}

/* ---- the definition ---- */

typedef struct task {
    const trilo_image *image, *source; /* as it is, and as it is compared */
    trilo_plan_opts opts;
    trilo_sprite_opts sprite;
    bool colors, clear;
} task;

static bool size_fits(const task *t, trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_tmem tmem = {0};
    tl_tmem_add(&tmem, texels, width, height);
    if (t->sprite.mipmaps && width / 2 >= 4 && height / 2 >= 4)
        tl_tmem_add(&tmem, texels, width / 2, height / 2);
    tl_tmem_add(&tmem, t->opts.other_texels, t->opts.other_width, t->opts.other_height);
    return tl_tmem_used(&tmem) * (t->opts.other_later ? 2 : 1) <= tl_tmem_limit(&tmem);
}

/* The nearest power of two; of two as near, the larger. */
static uint32_t power_of_two(uint32_t size)
{
    uint32_t best = 1;
    for (uint32_t power = 1; power <= 1u << 15; power *= 2) {
        const uint32_t off = power > size ? power - size : size - power;
        if (off <= (best > size ? best - size : size - best))
            best = power;
    }
    return best;
}

static bool find_size(const task *t, trilo_texels texels, uint32_t *width, uint32_t *height)
{
    const uint32_t w = t->opts.power_of_two ? power_of_two(t->image->width) : t->image->width;
    const uint32_t h = t->opts.power_of_two ? power_of_two(t->image->height) : t->image->height;
    *width = w, *height = h;
    if (t->opts.any_size)
        return true;
    while (t->opts.power_of_two && !size_fits(t, texels, *width, *height)) {
        if (*width == 1 && *height == 1)
            return false;
        *(*width >= *height ? width : height) /= 2; /* the longer one */
    }
    if (t->opts.power_of_two)
        return true;
    for (*width = w; *width > 0; --*width) {
        *height = (uint32_t)floor((double)h * *width / w + 0.5);
        *height = *height > 0 ? *height : 1;
        if (size_fits(t, texels, *width, *height))
            return true;
    }
    return false;
}

static void try_format(const task *t, trilo_plan_candidate *c)
{
    const bool tiled = t->opts.power_of_two, same = c->width == t->source->width && c->height == t->source->height;
    const trilo_image *resized = trilo_image_resize(
        t->source, &(trilo_resize_opts){.width = c->width, .height = c->height, .repeat_s = tiled, .repeat_t = tiled},
        NULL);
    const trilo_bitmap bitmap = {.image = same ? *t->source : *resized};
    trilo_sprite_opts sprite = t->sprite;
    sprite.texels = c->texels;
    sprite.dither = TRILO_DITHER_NONE;
    sprite.compress = 0;
    const trilo_sprite *made = trilo_sprite_encode(&bitmap, &sprite, NULL);
    CHECK(made != NULL);
    const trilo_image *back = trilo_image_resize(
        &made->image, &(trilo_resize_opts){.width = t->source->width, .height = t->source->height}, NULL);
    c->tmem_used = made->tmem_used;
    c->tmem_limit = made->tmem_limit;
    c->size = (uint32_t)made->bytes.size;
    c->difference = same ? made->difference : trilo_image_compare(t->source, back);
    trilo_image_free(back);
    trilo_image_free(resized);
    trilo_sprite_free(made);
}

static trilo_plan_verdict rule_out(const task *t, trilo_texels texels)
{
    const bool alone = t->opts.other_texels == TRILO_TEXELS_UNKNOWN && !t->opts.other_later;
    if (t->sprite.texels)
        return TRILO_PLAN_VERDICT_CHOSEN;
    if (!alone && has_palette(texels) != has_palette(t->opts.other_texels))
        return TRILO_PLAN_VERDICT_PALETTE;
    return is_intensity(texels) && t->clear ? TRILO_PLAN_VERDICT_ALPHA : TRILO_PLAN_VERDICT_CHOSEN;
}

static bool plan_of(const task *t, trilo_sprite_plan *plan)
{
    const double most = t->opts.max_delta_e > 0 ? t->opts.max_delta_e : 2;
    uint32_t nearest = TRILO_NONE;
    memset(plan, 0, sizeof *plan);
    plan->chosen = TRILO_NONE;
    for (int i = 0; i < TRILO_PLAN_CANDIDATES; i++) {
        if (t->sprite.texels && t->sprite.texels != formats[i])
            continue;
        const uint32_t number = plan->candidate_count++;
        trilo_plan_candidate *c = &plan->candidates[number];
        c->texels = formats[i];
        c->verdict = rule_out(t, c->texels);
        const bool sized = find_size(t, c->texels, &c->width, &c->height);
        if (c->verdict != TRILO_PLAN_VERDICT_CHOSEN)
            continue;
        if (!sized) {
            c->verdict = TRILO_PLAN_VERDICT_TMEM;
            continue;
        }
        try_format(t, c);
        const double off = c->difference.delta_e;
        if (nearest == TRILO_NONE || off < plan->candidates[nearest].difference.delta_e)
            nearest = number;
        if (off > most)
            c->verdict = is_grey(c->texels) && t->colors ? TRILO_PLAN_VERDICT_COLORS : TRILO_PLAN_VERDICT_ERROR;
        else if (plan->chosen != TRILO_NONE)
            c->verdict = TRILO_PLAN_VERDICT_LARGER;
        else
            plan->chosen = number;
    }
    plan->within_error = plan->chosen != TRILO_NONE;
    if (!plan->within_error)
        plan->chosen = nearest;
    if (plan->chosen != TRILO_NONE)
        plan->candidates[plan->chosen].verdict = TRILO_PLAN_VERDICT_CHOSEN;
    return plan->chosen != TRILO_NONE;
}

/* ---- the comparison ---- */

static void check_plan(const trilo_image *image, const trilo_plan_opts *opts, const trilo_sprite_opts *sprite)
{
    task t = {.image = image, .source = image, .opts = *opts, .sprite = *sprite};
    const double pixels = (double)image->width * image->height, scale = sqrt(65536 / pixels);
    const trilo_image *smaller = NULL;
    if (pixels > 65536 && !opts->any_size) { /* one of about as many pixels is compared */
        smaller = trilo_image_resize(image,
                                     &(trilo_resize_opts){.width = (uint32_t)ceil(image->width * scale),
                                                          .height = (uint32_t)ceil(image->height * scale),
                                                          .repeat_s = opts->power_of_two,
                                                          .repeat_t = opts->power_of_two},
                                     NULL);
        t.source = smaller;
    }
    for (size_t i = 0; i < (size_t)pixels; i++) {
        const uint8_t *p = image->pixels[i];
        t.clear |= p[3] < 255;
        t.colors |= p[3] > 0 && (p[0] != p[1] || p[0] != p[2]);
    }
    trilo_plan_opts given = *opts;
    trilo_sprite_plan got, want;
    trilo_error err = {0};
    given.sprite = sprite;
    const trilo_bitmap bitmap = {.image = *image};
    const bool made = trilo_sprite_plan_make(&bitmap, &given, &got, &err);
    CHECK_INT(made, plan_of(&t, &want));
    if (!made) {
        CHECK_STR(err.rule, "IMAGE-SPRITE");
        CHECK_STR(err.text, "no size of the image fits TMEM beside the other textures of its material");
    }
    CHECK_INT(got.candidate_count, want.candidate_count);
    CHECK_INT(got.within_error, want.within_error);
    CHECK(!made || got.chosen == want.chosen);
    for (uint32_t i = 0; i < got.candidate_count; i++) {
        const trilo_plan_candidate *a = &got.candidates[i], *b = &want.candidates[i];
        CHECK_INT(a->texels, b->texels);
        CHECK_INT(a->verdict, b->verdict);
        CHECK_INT(a->width, b->width);
        CHECK_INT(a->height, b->height);
        CHECK_INT(a->tmem_used, b->tmem_used);
        CHECK_INT(a->tmem_limit, b->tmem_limit);
        CHECK_INT(a->size, b->size);
        CHECK(a->difference.psnr == b->difference.psnr && a->difference.delta_e == b->difference.delta_e);
    }
    trilo_image_free(smaller);
}

/* A gradient with noise; of greys, or opaque. */
static void fill_image(uint8_t (*pixels)[4], uint32_t width, uint32_t height, uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint64_t noise = random_bits(seed);
        for (int c = 0; c < 4; c++)
            pixels[i][c] = (uint8_t)(i % width * 200 / width + i / width * (uint32_t)(c * 17) / height +
                                     (noise >> 8 * c & 7) * (bits >> 4 & 3));
        if (bits & 1)
            pixels[i][1] = pixels[i][2] = pixels[i][0];
        if (bits & 2)
            pixels[i][3] = 255;
    }
}

TEST(random_plans)
{
    static uint8_t pixels[72 * 72][4];
    static const double errors[] = {0, 0.5, 6};
    for (uint64_t seed = 1; seed <= test_rounds(400, TEST_EMULATED ? 0 : TEST_SLOW ? 1 : 8); seed++) {
        uint64_t dice = seed;
        const uint64_t bits = random_bits(&dice);
        const uint32_t width = 1 + (uint32_t)(bits >> 8) % 70,
                       height = 1 + (uint32_t)(bits >> 20) % (seed % 3 ? 20 : 70);
        fill_image(pixels, width, height, &dice);
        trilo_plan_opts opts = {.max_delta_e = errors[bits % 3],
                                .other_later = (bits >> 2 & 3) == 0,
                                .power_of_two = bits >> 4 & 1,
                                .any_size = (bits >> 5 & 7) == 0};
        if ((bits >> 36 & 3) == 0) {
            opts.other_texels = bits >> 38 & 1 ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_CI4;
            opts.other_width = 1 + (uint32_t)(bits >> 40) % 64;
            opts.other_height = 1 + (uint32_t)(bits >> 48) % 34;
        }
        const trilo_sprite_opts sprite = {.mipmaps = bits >> 6 & 1,
                                          .quality = (bits >> 39 & 3) == 0,
                                          .dither = TRILO_DITHER_ORDERED,
                                          .compress = (uint32_t)bits >> 7 & 1};
        check_plan(&(trilo_image){width, height, (const uint8_t(*)[4])pixels}, &opts, &sprite);
    }
}

/* Mipmaps count from 8 texels on each side; sides shrink to 1 by 1, or not at all. */
TEST(plans_of_one_format)
{
    static uint8_t pixels[64 * 64][4];
    static const uint32_t sizes[][2] = {{8, 64}, {7, 64}, {64, 8},  {64, 7}, {64, 64},
                                        {1, 1},  {3, 1},  {24, 48}, {6, 12}};
    uint64_t seed = 9;
    fill_image(pixels, 64, 64, &seed);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += TEST_EMULATED ? 8 : TEST_SLOW ? 4 : 1)
        for (int kind = 0; kind < 4; kind++)
            for (uint32_t other = 0; other <= 4096; other = other ? other * 2 : 3584) {
                const trilo_plan_opts opts = {.power_of_two = kind & 1,
                                              .other_texels = other ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_UNKNOWN,
                                              .other_width = 4,
                                              .other_height = other / 8};
                const trilo_sprite_opts sprite = {.texels = TRILO_TEXELS_I8, .mipmaps = kind & 2};
                check_plan(&(trilo_image){sizes[i][0], sizes[i][1], (const uint8_t(*)[4])pixels}, &opts, &sprite);
                if (other == 3584) {
                    trilo_plan_opts full = opts;
                    full.other_height = 512;
                    check_plan(&(trilo_image){sizes[i][0], sizes[i][1], (const uint8_t(*)[4])pixels}, &full, &sprite);
                    break;
                }
            }
}

/* Of 65536 pixels or a few more, of which a smaller image is compared. */
TEST(plans_of_large_images)
{
    static uint8_t pixels[257 * 256][4];
    uint64_t seed = 4;
    for (uint32_t width = test_full() ? 256 : 257; width < 258 && (test_full() || !TEST_SLOW); width++) {
        fill_image(pixels, width, 256, &seed);
        const trilo_plan_opts opts = {.power_of_two = true};
        const trilo_sprite_opts sprite = {.texels = TRILO_TEXELS_I4};
        check_plan(&(trilo_image){width, 256, (const uint8_t(*)[4])pixels}, &opts, &sprite);
    }
}

TEST_MAIN(CASE(random_plans), CASE(plans_of_one_format), CASE(plans_of_large_images))
