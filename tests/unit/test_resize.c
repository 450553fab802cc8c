/* Oklab and resizing, each against a plain computation with doubles from its definition. */
#include "harness.h"
#include "image/oklab.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* IEC 61966-2-1. */
static double light_of(int byte)
{
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double byte_of(double light)
{
    if (light <= 0)
        return 0;
    if (light >= 1)
        return 255;
    return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055);
}

/* ---- Oklab ---- */

/* The matrices of "A perceptual color space for image processing", Bjorn Ottosson, 2020. */
static void oklab_of(const uint8_t *rgb, double *lab)
{
    static const double to_lms[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                        {0.2119034982, 0.6806995451, 0.1073969566},
                                        {0.0883024619, 0.2817188376, 0.6299787005}},
                        to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    double lms[3] = {0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            lms[i] += to_lms[i][k] * light_of(rgb[k]);
        lms[i] = cbrt(lms[i]);
    }
    for (int i = 0; i < 3; i++)
        lab[i] = to_lab[i][0] * lms[0] + to_lab[i][1] * lms[1] + to_lab[i][2] * lms[2];
}

TEST(oklab_is_that_of_its_author)
{
    tl_srgb_table table;
    tl_srgb_table_init(&table);
    uint64_t seed = 3;
    for (int i = 0; i < 600; i++) {
        const uint64_t bits = random_bits(&seed);
        const uint8_t grey = (uint8_t)i, random[3] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16)};
        const uint8_t rgb[3] = {i < 256 ? grey : random[0], i < 256 ? grey : random[1], i < 256 ? grey : random[2]};
        const tl_oklab got = tl_oklab_of(&table, rgb);
        double want[3];
        oklab_of(rgb, want);
        for (int c = 0; c < 3; c++)
            CHECK_NEAR((double)got.v[c], want[c], 1e-6);
    }
}

/* As published: red 0.62796, 0.22486, 0.12585; green 0.86644, -0.23389, 0.17950; blue 0.45201, -0.03246, -0.31153. */
TEST(oklab_of_the_primaries)
{
    static const double want[5][3] = {
        {0.62796, 0.22486, 0.12585}, {0.86644, -0.23389, 0.17950}, {0.45201, -0.03246, -0.31153}, {1, 0, 0}, {0, 0, 0}};
    static const uint8_t colors[5][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}, {0, 0, 0}};
    tl_srgb_table table;
    tl_srgb_table_init(&table);
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 3; c++)
            CHECK_NEAR((double)tl_oklab_of(&table, colors[i]).v[c], want[i][c], 1e-5);
}

/* The mean distance, times 100, of colours that are multiplied by alpha, with alpha as a fourth coordinate; and the
 * ratio of 255^2 to the mean square of all channels, in dB. */
TEST(differences_are_those_of_the_definition)
{
    enum { COUNT = 35 };
    uint8_t pixels[2][COUNT][4];
    uint64_t seed = 11;
    for (int round = 0; round < 12; round++) {
        const bool opaque = round % 3 == 0, close = round % 2 == 0;
        double squares = 0, distances = 0;
        for (int i = 0; i < COUNT; i++) {
            const uint64_t bits = random_bits(&seed);
            for (int c = 0; c < 4; c++) {
                pixels[0][i][c] = (uint8_t)(bits >> 8 * c);
                const int other =
                    close ? pixels[0][i][c] ^ (int)(bits >> (32 + 2 * c) & 3) : (int)(bits >> (32 + 8 * c));
                pixels[1][i][c] = (uint8_t)(i % 7 == 0 ? pixels[0][i][c] : other);
            }
            if (opaque || (round % 3 == 1 && i > 0))
                pixels[0][i][3] = pixels[1][i][3] = 255;
            else if (round % 3 == 1) /* one pixel of one image */
                pixels[0][i][3] = 255, pixels[1][i][3] = 254;
            double lab[2][3], distance = 0;
            for (int n = 0; n < 2; n++)
                oklab_of(pixels[n][i], lab[n]);
            const double a = pixels[0][i][3] / 255.0, b = pixels[1][i][3] / 255.0;
            for (int c = 0; c < 3; c++) {
                squares += pow(pixels[0][i][c] * a - pixels[1][i][c] * b, 2);
                distance += pow(lab[0][c] * a - lab[1][c] * b, 2);
            }
            squares += pow(255 * (a - b), 2);
            distances += sqrt(distance + pow(a - b, 2));
        }
        const trilo_image first = {7, 5, (const uint8_t(*)[4])pixels[0]},
                          second = {7, 5, (const uint8_t(*)[4])pixels[1]};
        const trilo_image_difference got = trilo_image_compare(&first, &second);
        CHECK_NEAR(got.delta_e, 100 * distances / COUNT, 1e-4);
        CHECK_NEAR(got.psnr, 10 * log10(255.0 * 255 * COUNT * (opaque ? 3 : 4) / squares), 1e-6);
    }
    const trilo_image one = {7, 5, (const uint8_t(*)[4])pixels[0]}, wide = {5, 7, (const uint8_t(*)[4])pixels[0]};
    const trilo_image none = {0, 0, NULL}, high = {7, 4, (const uint8_t(*)[4])pixels[0]};
    CHECK(trilo_image_compare(&one, &wide).psnr == 0 && trilo_image_compare(&one, &wide).delta_e == 0);
    CHECK(trilo_image_compare(&one, &high).psnr == 0 && trilo_image_compare(&none, &none).psnr == 0);
}

/* ---- resizing ---- */

/* Mitchell and Netravali's filter in its general form, with B = C = 1/3. */
static double mitchell(double x)
{
    const double b = 1.0 / 3, c = 1.0 / 3;
    x = fabs(x);
    if (x >= 2)
        return 0;
    return x < 1 ? ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6
                 : ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6;
}

/* What pixel `from` contributes to pixel `to`, with the image continued by its edge or by itself. */
static double weight_of(int from, int to, int from_size, int to_size, bool repeat)
{
    const double scale = (double)from_size / to_size, wide = scale > 1 ? scale : 1, center = (to + 0.5) * scale - 0.5;
    double sum = 0, total = 0;
    if (from_size == to_size)
        return from == to;
    for (int i = -8 * from_size - 8; i < 9 * from_size + 8; i++) {
        const int wrapped = ((i % from_size) + from_size) % from_size;
        const int clamped = i < 0 ? 0 : i >= from_size ? from_size - 1 : i;
        const double weight = mitchell((i - center) / wide);
        total += weight;
        sum += (repeat ? wrapped : clamped) == from ? weight : 0;
    }
    return sum / total;
}

static void check_resized(const trilo_image *image, const trilo_resize_opts *opts)
{
    double across[12][12], down[12][12];
    for (uint32_t to = 0; to < 12; to++)
        for (uint32_t from = 0; from < 12; from++) {
            if (to < opts->width && from < image->width)
                across[to][from] = weight_of((int)from, (int)to, (int)image->width, (int)opts->width, opts->repeat_s);
            if (to < opts->height && from < image->height)
                down[to][from] = weight_of((int)from, (int)to, (int)image->height, (int)opts->height, opts->repeat_t);
        }
    trilo_error err;
    const trilo_image *got = trilo_image_resize(image, opts, &err);
    CHECK(got && got->width == opts->width && got->height == opts->height);
    for (uint32_t i = 0; i < opts->width * opts->height; i++) {
        double sums[3] = {0}, plain[3] = {0}, alpha = 0;
        for (uint32_t k = 0; k < image->width * image->height; k++) {
            const uint8_t *p = image->pixels[k];
            const double weight = across[i % opts->width][k % image->width] * down[i / opts->width][k / image->width];
            alpha += weight * p[3] / 255;
            for (int c = 0; c < 3; c++) {
                sums[c] += weight * light_of(p[c]) * p[3] / 255;
                plain[c] += weight * light_of(p[c]);
            }
        }
        alpha = alpha < 0 ? 0 : alpha > 1 ? 1 : alpha;
        CHECK(fabs(got->pixels[i][3] - 255 * alpha) < 0.501);
        for (int c = 0; c < 3; c++) { /* the colour of what is nearly clear is a quotient of small numbers */
            const double want = byte_of(got->pixels[i][3] ? sums[c] / alpha : plain[c]);
            if (fabs(got->pixels[i][c] - want) > 0.51 && (got->pixels[i][3] == 0 || alpha > 0.02))
                FAIL("%u x %u to %u x %u, pixel %u: %d instead of %g", image->width, image->height, opts->width,
                     opts->height, i, got->pixels[i][c], want);
        }
    }
    trilo_image_free(got);
}

TEST(resizing_is_the_filter_of_mitchell_and_netravali)
{
    static const uint32_t sizes[][4] = {{1, 1, 3, 2},  {2, 3, 5, 4},  {5, 4, 2, 3}, {8, 8, 3, 11}, {11, 3, 4, 3},
                                        {3, 11, 3, 4}, {12, 7, 1, 1}, {6, 6, 5, 7}, {9, 5, 12, 12}};
    uint8_t pixels[12 * 12][4];
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int repeat = 0; repeat < 4; repeat++) {
            for (size_t k = 0; k < 12 * 12; k++) {
                const uint64_t bits = random_bits(&seed);
                for (int c = 0; c < 4; c++)
                    pixels[k][c] = (uint8_t)(bits >> 8 * c);
                pixels[k][3] = i % 3 == 0 ? 255 : i % 3 == 1 ? pixels[k][3] | 0x80 : bits >> 40 & 3 ? 255 : 0;
            }
            const trilo_image image = {sizes[i][0], sizes[i][1], (const uint8_t(*)[4])pixels};
            const trilo_resize_opts opts = {
                .width = sizes[i][2], .height = sizes[i][3], .repeat_s = repeat & 1, .repeat_t = repeat >> 1};
            check_resized(&image, &opts);
        }
}

/* Colours of what is clear are filtered without alpha, for texture filters. */
TEST(clear_pixels_keep_their_colors)
{
    static const uint8_t pixels[4][4] = {{255, 0, 9, 0}, {255, 0, 9, 0}, {0, 255, 9, 0}, {0, 255, 9, 0}};
    const trilo_image image = {4, 1, pixels};
    check_resized(&image, &(trilo_resize_opts){.width = 2, .height = 1});
    check_resized(&image, &(trilo_resize_opts){.width = 7, .height = 2});
}

TEST_MAIN(CASE(oklab_is_that_of_its_author), CASE(oklab_of_the_primaries),
          CASE(differences_are_those_of_the_definition), CASE(resizing_is_the_filter_of_mitchell_and_netravali),
          CASE(clear_pixels_keep_their_colors))
