/* Palettes that images share, against the rule written down plainly: an image joins the group in which the worst image
 * is least far from its source, if that is near enough, and starts one of its own otherwise. */
#include "harness.h"
#include "support/numbers.h"

#include <trilobite/sprite.h>

#include <string.h>

enum { IMAGES = 5, SIDE = 6, PIXELS = SIDE * SIDE };

static uint8_t pixels[IMAGES][PIXELS][4];
static trilo_image images[IMAGES];

/* Of one or two hues, so that some go well together. */
static void make_images(uint64_t *seed)
{
    for (int n = 0; n < IMAGES; n++) {
        const uint64_t hue = random_bits(seed) % 3, other = random_bits(seed) % 3;
        for (int i = 0; i < PIXELS; i++) {
            const uint64_t bits = random_bits(seed);
            for (uint64_t c = 0; c < 3; c++)
                pixels[n][i][c] = (uint8_t)(c == hue || (c == other && i % 2) ? bits >> (8 * c) : bits >> (8 * c) & 31);
            pixels[n][i][3] = 255;
        }
        images[n] = (trilo_image){SIDE, SIDE, (const uint8_t(*)[4])pixels[n]};
    }
}

static uint32_t colors_of(trilo_texels texels)
{
    return texels == TRILO_TEXELS_CI4 ? 16 : texels == TRILO_TEXELS_CI8 ? 256 : 0;
}

/* How far an image is from its source with a palette. */
static trilo_image_difference seen_with(int n, const trilo_palette *palette)
{
    uint8_t shown[PIXELS][4];
    const trilo_sprite_opts opts = {.texels = TRILO_TEXELS_CI8, .palette = palette};
    const trilo_sprite *sprite = trilo_sprite_encode(&(trilo_bitmap){.image = images[n]}, &opts, NULL);
    CHECK(sprite);
    memcpy(shown, sprite->image.pixels, sizeof shown);
    trilo_sprite_free(sprite);
    const trilo_image image = {SIDE, SIDE, (const uint8_t(*)[4])shown};
    return trilo_image_compare(&images[n], &image);
}

/* The palette of all images of a group and one more, and the largest error. */
static double palette_of(const uint32_t *groups, uint32_t group, int last, uint32_t colors, trilo_palette *palette)
{
    trilo_image members[IMAGES];
    int which[IMAGES];
    size_t count = 0;
    double worst = 0;
    for (int i = 0; i <= last; i++)
        if (i == last || (group != TRILO_NONE && groups[i] == group))
            which[count] = i, members[count++] = images[i];
    CHECK(trilo_image_quantize(members, count, &(trilo_quantize_opts){.colors = colors}, palette, NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        const double error = seen_with(which[i], palette).delta_e;
        worst = error > worst ? error : worst;
    }
    return worst;
}

static void check_sharing(const trilo_texels *texels, double most, double asked)
{
    uint32_t groups[IMAGES], of_group[IMAGES], group_count = 0, count = 99;
    trilo_palette palettes[IMAGES], got[IMAGES], own[IMAGES];
    trilo_shared_image shared[IMAGES];
    for (int i = 0; i < IMAGES; i++) {
        const uint32_t colors = colors_of(texels[i]);
        groups[i] = TRILO_NONE;
        if (colors == 0)
            continue;
        palette_of(groups, TRILO_NONE, i, colors, &own[i]);
        trilo_palette best = own[i], tried;
        uint32_t chosen = group_count;
        double least = most;
        for (uint32_t g = 0; g < group_count; g++) {
            if (of_group[g] != colors)
                continue;
            const double worst = palette_of(groups, g, i, colors, &tried);
            if (worst <= least)
                least = worst, chosen = g, best = tried;
        }
        groups[i] = chosen, palettes[chosen] = best, of_group[chosen] = colors;
        group_count += chosen == group_count;
    }
    const trilo_share_opts opts = {.texels = texels, .max_delta_e = asked};
    CHECK(trilo_palettes_share(images, IMAGES, &opts, shared, got, &count, NULL));
    CHECK_INT(count, group_count);
    for (uint32_t g = 0; g < count; g++)
        CHECK(got[g].count == palettes[g].count && memcmp(got[g].colors, palettes[g].colors, 4 * got[g].count) == 0);
    for (int i = 0; i < IMAGES; i++) {
        uint32_t with = 0;
        CHECK_INT(shared[i].palette, groups[i]);
        for (int k = 0; k < IMAGES; k++)
            with += groups[k] == groups[i];
        CHECK_INT(shared[i].image_count, groups[i] == TRILO_NONE ? 0 : with);
        if (groups[i] == TRILO_NONE) {
            CHECK(shared[i].alone.psnr == 0 && shared[i].shared.psnr == 0);
            continue;
        }
        CHECK(shared[i].alone.delta_e == seen_with(i, &own[i]).delta_e);
        CHECK(shared[i].shared.delta_e == seen_with(i, &palettes[groups[i]]).delta_e);
    }
}

TEST(images_join_the_group_that_suits_them)
{
    static const trilo_texels all[IMAGES] = {TRILO_TEXELS_CI4, TRILO_TEXELS_CI4, TRILO_TEXELS_CI4, TRILO_TEXELS_CI4,
                                             TRILO_TEXELS_CI4},
                              some[IMAGES] = {TRILO_TEXELS_CI4, TRILO_TEXELS_CI8, TRILO_TEXELS_I8, TRILO_TEXELS_CI4,
                                              TRILO_TEXELS_CI8};
    uint64_t seed = 101;
    make_images(&seed);
    check_sharing(all, 3.5, 3.5);
    check_sharing(some, 2, 0); /* what is not told is 2 */
}

/* The less their colours differ, the more images have one palette: the errors of these lie on both sides of 2. */
TEST(two_is_near_enough)
{
    static const trilo_texels all[IMAGES] = {TRILO_TEXELS_CI4, TRILO_TEXELS_CI4, TRILO_TEXELS_CI4, TRILO_TEXELS_CI4,
                                             TRILO_TEXELS_CI4};
    uint64_t seed = 7;
    for (int divisor = 2; divisor <= 8; divisor += TEST_SLOW ? 3 : 1) {
        make_images(&seed);
        for (int n = 0; n < IMAGES; n++)
            for (int i = 0; i < PIXELS; i++)
                for (int c = 0; c < 3; c++)
                    pixels[n][i][c] = (uint8_t)(90 + pixels[n][i][c] / divisor);
        check_sharing(all, 2, 0);
    }
}

TEST_MAIN(CASE(images_join_the_group_that_suits_them), CASE(two_is_near_enough))
