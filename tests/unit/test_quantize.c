/* Palettes of RGBA16 against the definition of their distance, and against the best of all on small images. */
#include "harness.h"
#include "image/sprite/sprite_encode.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Oklab, sRGB from 0 to 0.7, and 4 for what is opaque (alpha from 128 on). */
enum { AXES = 7 };

static void position_of(const uint8_t *rgba, double *at)
{
    static const double to_lms[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                        {0.2119034982, 0.6806995451, 0.1073969566},
                                        {0.0883024619, 0.2817188376, 0.6299787005}},
                        to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    double lms[3];
    for (int i = 0; i < 3; i++) {
        lms[i] = 0;
        for (int k = 0; k < 3; k++) {
            const double v = rgba[k] / 255.0;
            lms[i] += to_lms[i][k] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
        }
        lms[i] = cbrt(lms[i]);
    }
    for (int i = 0; i < 3; i++) {
        at[i] = to_lab[i][0] * lms[0] + to_lab[i][1] * lms[1] + to_lab[i][2] * lms[2];
        at[3 + i] = 0.7 * rgba[i] / 255;
    }
    at[6] = rgba[3] >= 128 ? 4 : 0;
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int c = 0; c < AXES; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static void random_color(uint8_t *rgba, uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    for (int c = 0; c < 4; c++)
        rgba[c] = (uint8_t)(bits >> 8 * c);
}

/* ---- indices ---- */

/* Each pixel twice, so that the second is remembered; more colours than are remembered at a time. */
TEST(the_nearest_entry)
{
    enum { COUNT = 1500 };
    static uint8_t pixels[2 * COUNT][4], indices[2 * COUNT];
    static double at[256][AXES];
    uint64_t seed = 21;
    for (uint32_t entries = 1; entries <= 61; entries += 20) {
        trilo_palette palette = {.count = entries};
        for (uint32_t i = 0; i < entries; i++) {
            random_color(palette.colors[i], &seed);
            palette.colors[i][3] = i % 4 == 3 ? 0 : 255;
            position_of(palette.colors[i], at[i]);
        }
        for (int i = 0; i < COUNT; i++) {
            random_color(pixels[i], &seed);
            if (i < 256)
                pixels[i][0] = pixels[i][1] = pixels[i][2] = 77, pixels[i][3] = (uint8_t)i;
            memcpy(pixels[COUNT + i], pixels[i], 4);
        }
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        const trilo_image image = {100, 2 * COUNT / 100, (const uint8_t(*)[4])pixels};
        CHECK(tl_palette_map(&arena, &image, &palette, TRILO_DITHER_NONE, indices));
        for (int i = 0; i < COUNT; i++) {
            double here[AXES], least = 1e9;
            position_of(pixels[i], here);
            for (uint32_t k = 0; k < entries; k++)
                least = fmin(least, distance(here, at[k]));
            CHECK(indices[i] < entries && indices[COUNT + i] == indices[i]);
            CHECK_NEAR(distance(here, at[indices[i]]), least, 1e-6);
        }
        tl_arena_free(&arena);
    }
}

/* Errors of the channels are apart; those of clear pixels are not passed on. */
TEST(dithered_colors)
{
    enum { WIDTH = 11, HEIGHT = 6, ENTRIES = 7 };
    static const int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    uint8_t pixels[WIDTH * HEIGHT][4], indices[WIDTH * HEIGHT];
    double at[ENTRIES][AXES];
    uint64_t seed = 8;
    for (int round = 0; round < 6; round++) {
        trilo_palette palette = {.count = ENTRIES};
        int spacing = 0;
        for (int i = 0; i < ENTRIES; i++) {
            random_color(palette.colors[i], &seed);
            palette.colors[i][3] = i == 3 ? 0 : 255;
            position_of(palette.colors[i], at[i]);
        }
        for (int i = 0; i < ENTRIES; i++) {
            int least = 255;
            for (int k = 0; k < ENTRIES; k++) {
                int far = 0;
                for (int c = 0; c < 3; c++)
                    far = abs(palette.colors[i][c] - palette.colors[k][c]) > far
                              ? abs(palette.colors[i][c] - palette.colors[k][c])
                              : far;
                least = i != k && far < least ? far : least;
            }
            spacing += least;
        }
        spacing /= ENTRIES;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            random_color(pixels[i], &seed);
            pixels[i][3] = pixels[i][3] > 30 ? 255 - pixels[i][3] % 3 : 127 - pixels[i][3] % 2;
        }
        const trilo_image image = {WIDTH, HEIGHT, (const uint8_t(*)[4])pixels};
        for (int kind = TRILO_DITHER_ORDERED; kind <= TRILO_DITHER_FLOYD_STEINBERG; kind++) {
            int errors[HEIGHT + 1][WIDTH + 2][3] = {{{0}}};
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            CHECK(tl_palette_map(&arena, &image, &palette, (trilo_dither)kind, indices));
            tl_arena_free(&arena);
            for (int n = 0; n < WIDTH * HEIGHT; n++) {
                const int y = n / WIDTH, x = y % 2 ? WIDTH - 1 - n % WIDTH : n % WIDTH, ahead = y % 2 ? -1 : 1;
                const uint8_t *p = pixels[y * WIDTH + x];
                const int offset = (2 * bayer[y % 4][x % 4] - 15) * spacing / 32, index = indices[y * WIDTH + x];
                uint8_t moved[4] = {0, 0, 0, p[3]};
                double here[AXES], least = 1e9;
                for (int c = 0; c < 3; c++) {
                    const int value = p[c] + (kind == TRILO_DITHER_ORDERED ? offset : errors[y][x + 1][c] / 16);
                    moved[c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
                }
                position_of(moved, here);
                for (int k = 0; k < ENTRIES; k++)
                    least = fmin(least, distance(here, at[k]));
                CHECK_NEAR(distance(here, at[index]), least, 1e-6);
                for (int c = 0; c < 3 && p[3] >= 128; c++) {
                    const int error = moved[c] - palette.colors[index][c];
                    errors[y][x + 1 + ahead][c] += 7 * error;
                    errors[y + 1][x + 1 - ahead][c] += 3 * error;
                    errors[y + 1][x + 1][c] += 5 * error;
                    errors[y + 1][x + 1 + ahead][c] += error;
                }
            }
        }
    }
}

/* Two entries, 16 and 240: their distance, 224, decides how far an ordered dither goes, not that to black, which is not
 * among them. */
TEST(distance_of_two_entries)
{
    static const int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const trilo_palette palette = {.count = 2, .colors = {{16, 16, 16, 255}, {240, 240, 240, 255}}};
    double at[2][AXES];
    for (int k = 0; k < 2; k++)
        position_of(palette.colors[k], at[k]);
    for (int level = 0; level < 256; level += 12) {
        uint8_t pixels[16][4], indices[16];
        for (int i = 0; i < 16; i++)
            memset(pixels[i], level, 3), pixels[i][3] = 255;
        const trilo_image image = {4, 4, (const uint8_t(*)[4])pixels};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_palette_map(&arena, &image, &palette, TRILO_DITHER_ORDERED, indices));
        tl_arena_free(&arena);
        for (int i = 0; i < 16; i++) {
            const int moved = level + (2 * bayer[i / 4][i % 4] - 15) * 224 / 32;
            const uint8_t value = (uint8_t)(moved < 0     ? 0
                                            : moved > 255 ? 255
                                                          : moved),
                          color[4] = {value, value, value, 255};
            double here[AXES];
            position_of(color, here);
            CHECK_INT(indices[i], distance(here, at[1]) < distance(here, at[0]));
        }
    }
}

/* ---- entries ---- */

static uint8_t spread5(int level)
{
    return (uint8_t)(level << 3 | level >> 2);
}

/* The colour of RGBA16 that is nearest to a mean: of those around it. */
static void nearest_color(const double *mean, uint8_t *best)
{
    double least = 1e9;
    for (int i = 0; i < 8; i++) {
        uint8_t color[4] = {0, 0, 0, mean[6] >= 2 ? 255 : 0};
        double at[AXES];
        for (int c = 0; c < 3; c++) {
            const int level = (int)floor(mean[3 + c] / 0.7 * 31 + 1e-6) + (i >> c & 1);
            color[c] = spread5(level < 31 ? level : 31);
        }
        position_of(color, at);
        if (distance(at, mean) < least - 1e-9)
            least = distance(at, mean), memcpy(best, color, 4);
    }
}

/* One entry: the mean of all pixels, of which clear ones count an eighth. */
TEST(one_entry_is_the_mean)
{
    enum { COUNT = 24 };
    uint8_t pixels[COUNT][4];
    uint64_t seed = 14;
    for (int round = 0; round < 60; round++) {
        double mean[AXES] = {0}, total = 0;
        uint8_t want[4], base[4];
        random_color(base, &seed);
        for (int i = 0; i < COUNT; i++) {
            double at[AXES];
            random_color(pixels[i], &seed);
            for (int c = 0; c < 3 && round % 2; c++) /* near each other */
                pixels[i][c] = (uint8_t)((base[c] & 0xE0) | pixels[i][c] >> 3);
            pixels[i][3] = round % 3 == 0 ? 255 : i % (round % 12 + 2) == 0 ? 128 : 127;
            const double weight = pixels[i][3] >= 128 ? 1 : 0.125;
            position_of(pixels[i], at);
            for (int c = 0; c < AXES; c++)
                mean[c] += weight * at[c];
            total += weight;
        }
        for (int c = 0; c < AXES; c++)
            mean[c] /= total;
        nearest_color(mean, want);
        trilo_palette palette;
        const trilo_image image = {COUNT / 2, 2, (const uint8_t(*)[4])pixels};
        CHECK(trilo_image_quantize(&image, 1, &(trilo_quantize_opts){.colors = 1}, &palette, NULL, NULL));
        CHECK_INT(palette.count, 1);
        if (memcmp(palette.colors[0], want, 4) != 0)
            FAIL("round %d: %d %d %d %d instead of %d %d %d %d", round, palette.colors[0][0], palette.colors[0][1],
                 palette.colors[0][2], palette.colors[0][3], want[0], want[1], want[2], want[3]);
    }
}

/* Eight clear pixels weigh as much as an opaque one, which then decides. */
TEST(clear_pixels_weigh_an_eighth)
{
    uint8_t pixels[10][4] = {{80, 80, 80, 255}};
    for (uint32_t clear = 7; clear <= 9; clear++) {
        trilo_palette palette;
        for (uint32_t i = 1; i <= clear; i++)
            memset(pixels[i], 80, 3), pixels[i][3] = 0;
        const trilo_image image = {1 + clear, 1, (const uint8_t(*)[4])pixels};
        CHECK(trilo_image_quantize(&image, 1, &(trilo_quantize_opts){.colors = 1}, &palette, NULL, NULL));
        CHECK_INT(palette.colors[0][3], clear <= 8 ? 255 : 0);
    }
}

/* ---- palettes ---- */

/* Different, the clear ones first, then by lightness; what is behind the last is 0. */
TEST(entries_are_in_order)
{
    static uint8_t pixels[400][4];
    uint64_t seed = 33;
    for (uint32_t most = 2; most <= 40; most += 19) {
        trilo_palette palette;
        memset(&palette, 7, sizeof palette);
        for (int i = 0; i < 400; i++)
            random_color(pixels[i], &seed);
        const trilo_image image = {20, 20, (const uint8_t(*)[4])pixels};
        CHECK(trilo_image_quantize(&image, 1, &(trilo_quantize_opts){.colors = most}, &palette, NULL, NULL));
        CHECK_INT(palette.count, most);
        for (uint32_t i = 1; i < palette.count; i++) {
            double before[AXES], at[AXES];
            position_of(palette.colors[i - 1], before);
            position_of(palette.colors[i], at);
            CHECK(before[6] < at[6] || (before[6] == at[6] && before[0] <= at[0] + 1e-6));
            for (uint32_t k = 0; k < i; k++)
                CHECK(memcmp(palette.colors[i], palette.colors[k], 4) != 0);
        }
        for (uint32_t i = palette.count; i < 256; i++)
            CHECK(memcmp(palette.colors[i], (const uint8_t[4]){0}, 4) == 0);
    }
}

enum { COLORS = 8, SUBSETS = 1 << COLORS, ENTRIES = 3 };

/* The least error that three entries can have: of every set of the colours with the entry nearest to its mean. */
static double least_error(const double (*at)[AXES], const double *weights)
{
    static double errors[ENTRIES][SUBSETS];
    for (int set = 1; set < SUBSETS; set++) {
        double mean[AXES] = {0}, total = 0, entry_at[AXES];
        uint8_t entry[4];
        for (int i = 0; i < COLORS; i++)
            if (set >> i & 1) {
                for (int c = 0; c < AXES; c++)
                    mean[c] += weights[i] * at[i][c];
                total += weights[i];
            }
        for (int c = 0; c < AXES; c++)
            mean[c] /= total;
        nearest_color(mean, entry);
        position_of(entry, entry_at);
        errors[0][set] = 0;
        for (int i = 0; i < COLORS; i++)
            errors[0][set] += set >> i & 1 ? weights[i] * distance(at[i], entry_at) : 0;
    }
    for (int n = 1; n < ENTRIES; n++)
        for (int set = 1; set < SUBSETS; set++) {
            errors[n][set] = errors[n - 1][set];
            for (int part = (set - 1) & set; part > 0; part = (part - 1) & set)
                errors[n][set] = fmin(errors[n][set], errors[0][part] + errors[n - 1][set ^ part]);
        }
    return errors[ENTRIES - 1][SUBSETS - 1];
}

/* k-means ends in a minimum that need not be the least; on half of these images it is, and on average hardly above it.
 */
TEST(hardly_worse_than_the_best_palette)
{
    uint64_t seed = 2;
    int best = 0;
    double sum = 0;
    for (int round = 0; round < 40; round++) {
        uint8_t colors[COLORS][4], pixels[COLORS * 8][4];
        double at[COLORS][AXES], weights[COLORS], error = 0;
        uint32_t count = 0;
        trilo_palette palette;
        for (int i = 0; i < COLORS; i++) {
            random_color(colors[i], &seed);
            colors[i][3] = round % 4 == 0 && i < 2 ? 0 : 255;
            position_of(colors[i], at[i]);
            const uint32_t times = 1 + (uint32_t)(random_bits(&seed) >> 33) % 8;
            weights[i] = times * (colors[i][3] ? 1 : 0.125);
            for (uint32_t k = 0; k < times; k++)
                memcpy(pixels[count++], colors[i], 4);
        }
        const trilo_image image = {count, 1, (const uint8_t(*)[4])pixels};
        CHECK(trilo_image_quantize(&image, 1, &(trilo_quantize_opts){.colors = ENTRIES}, &palette, NULL, NULL));
        for (int i = 0; i < COLORS; i++) {
            double least = 1e9;
            for (uint32_t k = 0; k < palette.count; k++) {
                double entry_at[AXES];
                position_of(palette.colors[k], entry_at);
                least = fmin(least, distance(at[i], entry_at));
            }
            error += weights[i] * least;
        }
        const double ratio = error / least_error((const double(*)[AXES])at, weights);
        CHECK(ratio > 0.999 && ratio < 1.6);
        best += ratio < 1.01;
        sum += ratio;
    }
    CHECK(best >= 20 && sum < 40 * 1.15);
}

/* Noise has too many colours with 6 bits each as well; with 5 there are no more than fit. The mean is grey. */
TEST(noise_is_binned_to_five_bits)
{
    enum { WIDE = 256 };
    static uint8_t pixels[WIDE * WIDE][4];
    uint64_t seed = 40;
    double mean[AXES] = {0};
    uint8_t want[4];
    for (uint32_t i = 0; i < WIDE * WIDE; i++) {
        random_color(pixels[i], &seed);
        pixels[i][3] = 255;
    }
    for (uint32_t i = 0; i < WIDE * WIDE; i += 64) { /* a sample will do */
        double at[AXES];
        position_of(pixels[i], at);
        for (int c = 0; c < AXES; c++)
            mean[c] += at[c] / (WIDE * WIDE / 64);
    }
    nearest_color(mean, want);
    trilo_palette palette;
    const trilo_image image = {WIDE, WIDE, (const uint8_t(*)[4])pixels};
    CHECK(trilo_image_quantize(&image, 1, &(trilo_quantize_opts){.colors = 1}, &palette, NULL, NULL));
    CHECK_INT(palette.count, 1);
    for (int c = 0; c < 3; c++)
        CHECK(abs(palette.colors[0][c] - want[c]) <= 9);
}

/* The first and the second of every four values: 34 by 32 by 32 colours, more than are counted one by one. Then six
 * bits of each channel count, the middle of four values, which is one more than that of two: another colour is nearest.
 */
TEST(many_colors_have_six_bits)
{
    enum { RED = 34, OTHERS = 32, FROM = 36 };
    static uint8_t pixels[RED * OTHERS * OTHERS][4];
    uint8_t want[2][4];
    for (int i = 0; i < RED * OTHERS * OTHERS; i++) {
        const int at[3] = {i % RED, i / RED % OTHERS, i / RED / OTHERS};
        for (int c = 0; c < 3; c++)
            pixels[i][c] = (uint8_t)(FROM + at[c] / 2 * 4 + at[c] % 2);
        pixels[i][3] = 255;
    }
    for (int lost = 1; lost <= 2; lost++) {
        double mean[AXES] = {0};
        for (int i = 0; i < RED / 2 * (OTHERS / 2) * (OTHERS / 2); i++) {
            const int at[3] = {i % (RED / 2), i / (RED / 2) % (OTHERS / 2), i / (RED / 2) / (OTHERS / 2)};
            uint8_t color[4] = {0, 0, 0, 255};
            double here[AXES];
            for (int c = 0; c < 3; c++)
                color[c] = (uint8_t)(FROM + 4 * at[c] + lost);
            position_of(color, here);
            for (int c = 0; c < AXES; c++)
                mean[c] += here[c] / (RED / 2 * (OTHERS / 2) * (OTHERS / 2));
        }
        nearest_color(mean, want[lost - 1]);
    }
    CHECK(memcmp(want[0], want[1], 4) != 0);
    trilo_palette palette;
    const trilo_image image = {RED * OTHERS, OTHERS, (const uint8_t(*)[4])pixels};
    CHECK(trilo_image_quantize(&image, 1, &(trilo_quantize_opts){.colors = 1}, &palette, NULL, NULL));
    CHECK(palette.count == 1 && memcmp(palette.colors[0], want[1], 4) == 0);
}

/* ---- the whole algorithm ---- */

enum { PLAIN_MOST = 400 };

/* As the head of quantize.c describes it, with lists and doubles. */
typedef struct plain_job {
    int count, cluster_count;
    uint8_t colors[PLAIN_MOST][4], palette[16][4];
    double at[PLAIN_MOST][AXES], weight[PLAIN_MOST], entry_at[16][AXES];
    int cluster[PLAIN_MOST];
} plain_job;

static void plain_collect(plain_job *job, const trilo_image *image)
{
    for (uint32_t i = 0; i < image->width * image->height; i++) {
        const uint8_t *p = image->pixels[i], color[4] = {p[0], p[1], p[2], p[3] >= 128 ? 255 : 0};
        int k = 0;
        while (k < job->count && memcmp(job->colors[k], color, 4) != 0)
            k++;
        if (k == job->count) {
            memcpy(job->colors[job->count++], color, 4);
            position_of(color, job->at[k]);
        }
        job->weight[k] += color[3] ? 1 : 0.125;
    }
}

/* The mean of a cluster, its error there, and the axis along which it is spread most. */
static double plain_measure(const plain_job *job, int cluster, double mean[AXES], int *axis)
{
    double error = 0, largest = -1;
    for (int c = 0; c < AXES; c++) {
        double sum = 0, square = 0, weight = 0;
        for (int i = 0; i < job->count; i++)
            if (job->cluster[i] == cluster) {
                sum += job->weight[i] * job->at[i][c];
                square += job->weight[i] * job->at[i][c] * job->at[i][c];
                weight += job->weight[i];
            }
        const double spread = square - sum * sum / weight;
        mean[c] = sum / weight;
        error += fmax(spread, 0);
        if (spread > largest + 1e-12)
            largest = spread, *axis = c;
    }
    return error;
}

/* The worst cluster is split at its mean, until there are enough, or nothing is left to split. */
static void plain_split(plain_job *job, int most)
{
    job->cluster_count = 1;
    for (bool more = true; more && job->cluster_count < most;) {
        double mean[AXES], worst_mean[AXES] = {0}, largest = -1;
        int worst = 0, worst_axis = 0, axis = 0, moved = 0, members = 0;
        for (int k = 0; k < job->cluster_count; k++) {
            const double error = plain_measure(job, k, mean, &axis);
            if (error > largest)
                largest = error, worst = k, worst_axis = axis, memcpy(worst_mean, mean, sizeof mean);
        }
        for (int i = 0; i < job->count; i++)
            members += job->cluster[i] == worst,
                moved += job->cluster[i] == worst && !(job->at[i][worst_axis] < worst_mean[worst_axis]);
        more = members > 1 && moved > 0 && moved < members;
        for (int i = 0; more && i < job->count; i++)
            if (job->cluster[i] == worst && !(job->at[i][worst_axis] < worst_mean[worst_axis]))
                job->cluster[i] = job->cluster_count;
        job->cluster_count += more;
    }
}

static void plain_set_entry(plain_job *job, int k, const double mean[AXES])
{
    nearest_color(mean, job->palette[k]);
    position_of(job->palette[k], job->entry_at[k]);
}

static double plain_assign(plain_job *job)
{
    double error = 0;
    for (int i = 0; i < job->count; i++) {
        double least = 1e9;
        for (int k = 0; k < job->cluster_count; k++)
            if (distance(job->at[i], job->entry_at[k]) < least - 1e-12)
                least = distance(job->at[i], job->entry_at[k]), job->cluster[i] = k;
        error += job->weight[i] * least;
    }
    return error;
}

/* Up to 24 rounds of k-means; it ends after four in which less than a thousandth was gained. The best one counts. */
static void plain_improve(plain_job *job, uint8_t best[16][4])
{
    double least = -1;
    for (int round = 0, stuck = 0; round < 24 && stuck < 4; round++) {
        const double error = plain_assign(job);
        stuck++;
        if (least < 0 || error < least - 1e-12) {
            if (least < 0 || error < 0.999 * least)
                stuck = 0;
            least = error;
            memcpy(best, job->palette, sizeof job->palette);
        }
        int before[PLAIN_MOST]; /* clusters while entries change */
        memcpy(before, job->cluster, sizeof before);
        for (int k = 0; k < job->cluster_count; k++) {
            double mean[AXES];
            int axis, members = 0, worst = 0;
            for (int i = 0; i < job->count; i++)
                members += before[i] == k;
            if (members > 0) {
                int now[PLAIN_MOST];
                memcpy(now, job->cluster, sizeof now);
                memcpy(job->cluster, before, sizeof now);
                plain_measure(job, k, mean, &axis);
                memcpy(job->cluster, now, sizeof now);
                plain_set_entry(job, k, mean);
                continue;
            }
            double largest = -1; /* an entry of no colour takes the worst one */
            for (int i = 0; i < job->count; i++) {
                const double far = job->weight[i] * distance(job->at[i], job->entry_at[job->cluster[i]]);
                if (far > largest)
                    largest = far, worst = i;
            }
            job->cluster[worst] = k;
            plain_set_entry(job, k, job->at[worst]);
        }
    }
}

/* Random images have the palette of the algorithm, as a set. */
TEST(palettes_of_the_algorithm)
{
    static plain_job job;
    static uint8_t pixels[PLAIN_MOST][4];
    uint64_t seed = 91;
    for (int round = 0; round < (TEST_SLOW ? 12 : 40); round++) {
        const uint32_t count = 20 + (uint32_t)(random_bits(&seed) >> 40) % 120, most = 2 + (uint32_t)round % 11;
        for (uint32_t i = 0; i < count; i++) {
            random_color(pixels[i], &seed);
            if (i % 3 == 0 && i > 0)
                memcpy(pixels[i], pixels[i / 2], 4); /* some colours more often */
            for (int c = 0; c < 3 && round % 2; c++)
                pixels[i][c] = (uint8_t)(pixels[i][c] / 3 + 60 * (int)(i % 3));
            if (round % 4)
                pixels[i][3] = 255;
        }
        const trilo_image image = {count, 1, (const uint8_t(*)[4])pixels};
        uint8_t best[16][4] = {{0}};
        memset(&job, 0, sizeof job);
        plain_collect(&job, &image);
        plain_split(&job, (int)most);
        for (int k = 0; k < job.cluster_count; k++) {
            double mean[AXES];
            int axis;
            plain_measure(&job, k, mean, &axis);
            plain_set_entry(&job, k, mean);
        }
        plain_improve(&job, best);
        trilo_palette palette;
        CHECK(trilo_image_quantize(&image, 1, &(trilo_quantize_opts){.colors = most}, &palette, NULL, NULL));
        uint32_t different = 0;
        for (int k = 0; k < job.cluster_count; k++) {
            bool known = false, found = false;
            for (int i = 0; i < k; i++)
                known |= memcmp(best[i], best[k], 4) == 0;
            for (uint32_t i = 0; i < palette.count; i++)
                found |= memcmp(palette.colors[i], best[k], 4) == 0;
            if (!found)
                FAIL("round %d: %d %d %d %d is missing", round, best[k][0], best[k][1], best[k][2], best[k][3]);
            different += !known;
        }
        CHECK_INT(palette.count, different);
    }
}

TEST_MAIN(CASE(the_nearest_entry), CASE(dithered_colors), CASE(distance_of_two_entries), CASE(one_entry_is_the_mean),
          CASE(clear_pixels_weigh_an_eighth), CASE(entries_are_in_order), CASE(noise_is_binned_to_five_bits),
          CASE(many_colors_have_six_bits), CASE(palettes_of_the_algorithm), CASE(hardly_worse_than_the_best_palette))
