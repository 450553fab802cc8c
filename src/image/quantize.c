/* Palettes of RGBA16 colours, for CI4 and CI8.
 *
 * The distinct colours are split into clusters, always the one with the largest error at its mean along the axis of the
 * largest variance (Xiaolin Wu, "Efficient Statistical Computations for Optimal Color Quantization", 1991). Lloyd's
 * algorithm (k-means) then improves the palette, with each mean replaced by the nearest colour that RGBA16 stores.
 * Distances are those of Oklab, so that errors are where they are least visible, and in part those of the stored
 * values: reducing one hardly increases the other. */
#include "base/strict_float.h"

#include "base/hash_table.h"
#include "base/opts.h"
#include "image/image.h"
#include "image/oklab.h"
#include "image/sprite/sprite_encode.h"

#include <string.h>

enum {
    QUANTIZE_COLORS = 1 << 15, /* distinct colours; an image with more is binned first */
    QUANTIZE_STUCK = 4,        /* rounds that gain less than a thousandth */
    QUANTIZE_ROUNDS = 24,      /* of Lloyd's algorithm */
    QUANTIZE_OPAQUE = 128,     /* the least alpha that is stored as 1 */
    QUANTIZE_MEMO = 1 << 12
};
/* Oklab, sRGB and alpha. */
enum { QUANTIZE_AXES = 7, QUANTIZE_ALPHA = 6 };
/* Of sRGB values from 0 to 1, beside those of Oklab. */
static const float quantize_srgb_weight = 0.7f;
/* Colours that are transparent or opaque never share an entry: that distance is larger than any other. */
static const float quantize_alpha_distance = 4;
/* A texture filter mixes the colours of transparent texels into their neighbours, so they count a little. */
static const float quantize_hidden_weight = 0.125f;

typedef struct quantize_color {
    uint8_t rgba[4]; /* alpha 0 or 255 */
    float at[QUANTIZE_AXES];
    float weight;
    uint32_t cluster;
} quantize_color;

typedef struct quantize_cluster {
    uint32_t first, count; /* of the colours, while they are split */
    float error;
    int axis;
    double mean[QUANTIZE_AXES], weight;
} quantize_cluster;

typedef struct quantize_job {
    tl_arena *arena;
    tl_srgb_table table;
    quantize_color *colors;
    uint32_t color_count, most;
    quantize_cluster clusters[256];
    uint32_t cluster_count;
    trilo_palette *palette;
    float palette_at[256][QUANTIZE_AXES];
} quantize_job;

static void quantize_position(const tl_srgb_table *table, const uint8_t *rgba, float *at)
{
    const tl_oklab lab = tl_oklab_of(table, rgba);
    memcpy(at, lab.v, sizeof lab.v);
    for (int c = 0; c < 3; c++)
        at[3 + c] = quantize_srgb_weight * (float)rgba[c] / 255;
    at[QUANTIZE_ALPHA] = rgba[3] >= QUANTIZE_OPAQUE ? quantize_alpha_distance : 0;
}

static float quantize_distance(const float *a, const float *b)
{
    float sum = 0;
    for (int c = 0; c < QUANTIZE_AXES; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static uint32_t quantize_nearest(const float (*palette)[QUANTIZE_AXES], uint32_t count, const float *at,
                                 float *distance)
{
    uint32_t best = 0;
    float least = quantize_distance(palette[0], at);
    for (uint32_t i = 1; i < count; i++) {
        const float d = quantize_distance(palette[i], at);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    *distance = least;
    return best;
}

/* ---- the colours of the images ---- */

static int quantize_compare_colors(const void *rows, uint32_t a, uint32_t b)
{
    const quantize_color *colors = rows;
    return memcmp(colors[a].rgba, colors[b].rgba, 4);
}

/* Distinct colours with `lost` bits less of each channel. *fits is false when there are too many. False: no memory. */
static bool quantize_collect(quantize_job *job, const trilo_image *images, size_t image_count, uint32_t lost,
                             bool *fits)
{
    tl_hash_table table;
    if (!tl_hash_table_init(&table, job->arena, 256, quantize_compare_colors, job->colors))
        return false;
    job->color_count = 0;
    *fits = true;
    for (size_t n = 0; n < image_count; n++)
        for (size_t i = 0; i < (size_t)images[n].width * images[n].height; i++) {
            const uint8_t *p = images[n].pixels[i];
            quantize_color *color = &job->colors[job->color_count];
            const bool opaque = p[3] >= QUANTIZE_OPAQUE;
            for (int c = 0; c < 3; c++)
                color->rgba[c] = (uint8_t)((uint32_t)p[c] >> lost << lost | (1u << lost >> 1));
            color->rgba[3] = opaque ? 255 : 0;
            color->weight = 0;
            const uint32_t hash = trilo_fnv1a(color->rgba, 4);
            const uint32_t row = tl_hash_table_add(&table, hash, job->color_count);
            if (row == TRILO_NONE)
                return false;
            job->colors[row].weight += opaque ? 1 : quantize_hidden_weight;
            job->color_count += row == job->color_count;
            if (job->color_count == QUANTIZE_COLORS) {
                *fits = false;
                return true;
            }
        }
    for (uint32_t i = 0; i < job->color_count; i++)
        quantize_position(&job->table, job->colors[i].rgba, job->colors[i].at);
    return true;
}

/* ---- clusters ---- */

static void quantize_measure(const quantize_job *job, quantize_cluster *cluster)
{
    double sums[QUANTIZE_AXES] = {0}, squares[QUANTIZE_AXES] = {0}, weight = 0, largest = -1;
    for (uint32_t i = cluster->first; i < cluster->first + cluster->count; i++) {
        const quantize_color *color = &job->colors[i];
        weight += (double)color->weight;
        for (int c = 0; c < QUANTIZE_AXES; c++) {
            sums[c] += (double)color->weight * (double)color->at[c];
            squares[c] += (double)color->weight * (double)color->at[c] * (double)color->at[c];
        }
    }
    cluster->error = 0;
    for (int c = 0; c < QUANTIZE_AXES; c++) {
        const double spread = squares[c] - sums[c] * sums[c] / weight;
        cluster->mean[c] = sums[c] / weight;
        cluster->error += (float)(spread > 0 ? spread : 0);
        if (spread > largest) {
            largest = spread;
            cluster->axis = c;
        }
    }
}

/* Neither half is empty, since the mean lies between the extremes. A cluster of equal colours has nothing to split. */
static bool quantize_split(quantize_job *job)
{
    uint32_t worst = 0;
    for (uint32_t i = 1; i < job->cluster_count; i++)
        if (job->clusters[i].error > job->clusters[worst].error)
            worst = i;
    quantize_cluster *cluster = &job->clusters[worst];
    uint32_t front = cluster->first;
    for (uint32_t i = cluster->first; i < cluster->first + cluster->count; i++)
        if ((double)job->colors[i].at[cluster->axis] < cluster->mean[cluster->axis]) {
            const quantize_color color = job->colors[i];
            job->colors[i] = job->colors[front];
            job->colors[front++] = color;
        }
    const uint32_t less = front - cluster->first;
    if (cluster->count < 2 || less == 0 || less == cluster->count)
        return false;
    quantize_cluster *other = &job->clusters[job->cluster_count++];
    *other = (quantize_cluster){.first = front, .count = cluster->count - less};
    cluster->count = less;
    quantize_measure(job, cluster);
    quantize_measure(job, other);
    return true;
}

/* ---- the palette ---- */

/* The colour of RGBA16 that is nearest to a mean: among the levels on either side of it in each channel. */
static void quantize_snap(const quantize_job *job, const double *mean, uint8_t *best)
{
    const bool opaque = mean[QUANTIZE_ALPHA] * 2 >= (double)quantize_alpha_distance;
    float at[QUANTIZE_AXES], least = -1;
    for (int c = 0; c < QUANTIZE_AXES; c++)
        at[c] = (float)mean[c];
    for (uint32_t corner = 0; corner < 8; corner++) {
        uint8_t color[4] = {0, 0, 0, opaque ? 255 : 0};
        float position[QUANTIZE_AXES];
        for (int c = 0; c < 3; c++) {
            /* Levels are (level << 3 | level >> 2), so that level * 255 / 31, rounded, is one. */
            const uint32_t below = (uint32_t)(at[3 + c] * 31 / quantize_srgb_weight),
                           level = below + (below < 31 ? corner >> c & 1 : 0);
            color[c] = (uint8_t)(level << 3 | level >> 2);
        }
        quantize_position(&job->table, color, position);
        const float d = quantize_distance(position, at);
        if (least < 0 || d < least) {
            least = d;
            memcpy(best, color, 4);
        }
    }
}

/* Puts each colour into the cluster of its nearest entry. Returns the sum of the errors. */
static double quantize_assign(quantize_job *job)
{
    double error = 0;
    for (uint32_t i = 0; i < job->cluster_count; i++)
        job->clusters[i] = (quantize_cluster){.error = 0};
    for (uint32_t i = 0; i < job->color_count; i++) {
        quantize_color *color = &job->colors[i];
        float distance;
        color->cluster =
            quantize_nearest((const float(*)[QUANTIZE_AXES])job->palette_at, job->cluster_count, color->at, &distance);
        quantize_cluster *cluster = &job->clusters[color->cluster];
        cluster->weight += (double)color->weight;
        error += (double)(color->weight * distance);
        for (int c = 0; c < QUANTIZE_AXES; c++)
            cluster->mean[c] += (double)color->weight * (double)color->at[c];
    }
    return error;
}

/* An entry that no colour is nearest to gets the colour with the largest error. */
static void quantize_reseed(quantize_job *job, uint32_t entry)
{
    uint32_t worst = 0;
    float largest = -1;
    for (uint32_t i = 0; i < job->color_count; i++) {
        const quantize_color *color = &job->colors[i];
        const float error = color->weight * quantize_distance(color->at, job->palette_at[color->cluster]);
        if (error > largest) {
            largest = error;
            worst = i;
        }
    }
    quantize_color *color = &job->colors[worst];
    double mean[QUANTIZE_AXES];
    for (int c = 0; c < QUANTIZE_AXES; c++)
        mean[c] = (double)color->at[c];
    color->cluster = entry;
    quantize_snap(job, mean, job->palette->colors[entry]);
    quantize_position(&job->table, job->palette->colors[entry], job->palette_at[entry]);
}

static void quantize_improve(quantize_job *job)
{
    trilo_palette best = *job->palette;
    double least = -1;
    for (uint32_t round = 0, stuck = 0; round < QUANTIZE_ROUNDS && stuck < QUANTIZE_STUCK; round++) {
        const double error = quantize_assign(job);
        stuck++;
        if (least < 0 || error < least) {
            stuck = least < 0 || error < 0.999 * least ? 0 : stuck;
            least = error;
            best = *job->palette;
            best.count = job->cluster_count;
        }
        for (uint32_t i = 0; i < job->cluster_count; i++) {
            quantize_cluster *cluster = &job->clusters[i];
            if (!(cluster->weight > 0)) {
                quantize_reseed(job, i);
                continue;
            }
            for (int c = 0; c < QUANTIZE_AXES; c++)
                cluster->mean[c] /= cluster->weight;
            quantize_snap(job, cluster->mean, job->palette->colors[i]);
            quantize_position(&job->table, job->palette->colors[i], job->palette_at[i]);
        }
    }
    *job->palette = best;
}

/* Transparent colours first, then by lightness; equal entries once. */
static void quantize_order(quantize_job *job)
{
    trilo_palette *palette = job->palette;
    uint32_t count = 0;
    for (uint32_t i = 0; i < palette->count; i++) {
        uint8_t color[4];
        float at[QUANTIZE_AXES];
        memcpy(color, palette->colors[i], 4);
        quantize_position(&job->table, color, at);
        uint32_t position = count;
        bool twice = false;
        for (uint32_t k = 0; k < count; k++)
            twice |= memcmp(palette->colors[k], color, 4) == 0;
        for (; !twice && position > 0; position--) {
            const float *other = job->palette_at[position - 1];
            if (other[QUANTIZE_ALPHA] < at[QUANTIZE_ALPHA] ||
                (!(other[QUANTIZE_ALPHA] > at[QUANTIZE_ALPHA]) && other[0] <= at[0]))
                break;
            memcpy(palette->colors[position], palette->colors[position - 1], 4);
            memcpy(job->palette_at[position], job->palette_at[position - 1], sizeof at);
        }
        if (twice)
            continue;
        memcpy(palette->colors[position], color, 4);
        memcpy(job->palette_at[position], at, sizeof at);
        count++;
    }
    palette->count = count;
    for (uint32_t i = count; i < 256; i++)
        memset(palette->colors[i], 0, 4);
}

static bool quantize_make(quantize_job *job, const trilo_image *images, size_t image_count)
{
    bool fits = false;
    job->colors = TL_ARRAY(job->arena, QUANTIZE_COLORS + 1, quantize_color);
    if (!job->colors)
        return false;
    for (uint32_t lost = 0; !fits; lost = lost ? lost + 1 : 2)
        if (!quantize_collect(job, images, image_count, lost, &fits))
            return false;
    job->clusters[0] = (quantize_cluster){.count = job->color_count};
    job->cluster_count = 1;
    quantize_measure(job, &job->clusters[0]);
    while (job->cluster_count < job->most && quantize_split(job))
        continue;
    for (uint32_t i = 0; i < job->cluster_count; i++) {
        quantize_snap(job, job->clusters[i].mean, job->palette->colors[i]);
        quantize_position(&job->table, job->palette->colors[i], job->palette_at[i]);
    }
    job->palette->count = job->cluster_count;
    quantize_improve(job);
    quantize_order(job);
    return true;
}

/* ---- pixels ---- */

/* The nearest entry of colours that were looked up before is cached. */
typedef struct palette_lookup {
    tl_srgb_table table;
    const trilo_palette *palette;
    float at[256][QUANTIZE_AXES];
    uint8_t keys[QUANTIZE_MEMO][4], indices[QUANTIZE_MEMO];
    bool known[QUANTIZE_MEMO];
} palette_lookup;

static palette_lookup *palette_lookup_new(tl_arena *arena, const trilo_palette *palette)
{
    palette_lookup *lookup = TL_NEW(arena, palette_lookup);
    if (!lookup)
        return NULL;
    lookup->palette = palette;
    tl_srgb_table_init(&lookup->table);
    for (uint32_t i = 0; i < palette->count; i++)
        quantize_position(&lookup->table, palette->colors[i], lookup->at[i]);
    return lookup;
}

static uint8_t palette_index(palette_lookup *lookup, const uint8_t *rgba)
{
    const uint32_t slot = trilo_fnv1a(rgba, 4) % QUANTIZE_MEMO;
    if (!lookup->known[slot] || memcmp(lookup->keys[slot], rgba, 4) != 0) {
        float at[QUANTIZE_AXES], distance;
        quantize_position(&lookup->table, rgba, at);
        lookup->indices[slot] =
            (uint8_t)quantize_nearest((const float(*)[QUANTIZE_AXES])lookup->at, lookup->palette->count, at, &distance);
        memcpy(lookup->keys[slot], rgba, 4);
        lookup->known[slot] = true;
    }
    return lookup->indices[slot];
}

static uint8_t dither_clamp(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Mean distance of a colour of the palette to the nearest other one, in steps of 8 bits: how strong an ordered dither
 * must be. */
static int palette_spacing(const trilo_palette *palette)
{
    int sum = 0;
    for (uint32_t i = 0; i < palette->count; i++) {
        int least = 255;
        for (uint32_t k = 0; k < palette->count; k++) {
            int far = 0;
            for (int c = 0; c < 3; c++) {
                const int d = palette->colors[i][c] - palette->colors[k][c];
                far = d > far ? d : -d > far ? -d : far;
            }
            least = i != k && far < least ? far : least;
        }
        sum += least;
    }
    return sum / (int)palette->count;
}

static void palette_map_ordered(palette_lookup *lookup, const trilo_image *image, uint8_t *indices)
{
    const int spacing = palette_spacing(lookup->palette);
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *p = image->pixels[(size_t)y * image->width + x];
            const int offset = (2 * (int)tl_bayer(x, y) - 15) * spacing / 32;
            const uint8_t pixel[4] = {dither_clamp(p[0] + offset), dither_clamp(p[1] + offset),
                                      dither_clamp(p[2] + offset), p[3]};
            indices[(size_t)y * image->width + x] = palette_index(lookup, pixel);
        }
}

/* Robert Floyd and Louis Steinberg, "An Adaptive Algorithm for Spatial Grey Scale", 1976: 7, 3, 5 and 1 sixteenths of
 * the error go to the neighbours. Every second row runs backwards. */
static bool palette_map_diffused(palette_lookup *lookup, tl_arena *arena, const trilo_image *image, uint8_t *indices)
{
    const uint32_t width = image->width;
    int(*errors)[3] = tl_array(arena, 2 * ((size_t)width + 2), sizeof *errors);
    if (!errors)
        return false;
    for (uint32_t y = 0; y < image->height; y++) {
        int(*now)[3] = errors + (y & 1) * ((size_t)width + 2) + 1,
        (*next)[3] = errors + (~y & 1) * ((size_t)width + 2) + 1;
        const int step = y & 1 ? -1 : 1;
        memset(next - 1, 0, ((size_t)width + 2) * sizeof *next);
        for (uint32_t i = 0; i < width; i++) {
            const ptrdiff_t x = y & 1 ? (ptrdiff_t)(width - 1 - i) : (ptrdiff_t)i;
            const size_t at = (size_t)y * width + (size_t)x;
            const uint8_t *p = image->pixels[at];
            uint8_t pixel[4] = {0, 0, 0, p[3]};
            for (int c = 0; c < 3; c++)
                pixel[c] = dither_clamp(p[c] + now[x][c] / 16);
            indices[at] = palette_index(lookup, pixel);
            for (int c = 0; c < 3 && p[3] >= QUANTIZE_OPAQUE; c++) {
                const int error = pixel[c] - lookup->palette->colors[indices[at]][c];
                now[x + step][c] += error * 7;
                next[x - step][c] += error * 3;
                next[x][c] += error * 5;
                next[x + step][c] += error;
            }
        }
    }
    return true;
}

bool tl_palette_map(tl_arena *arena, const trilo_image *image, const trilo_palette *palette, trilo_dither dither,
                    uint8_t *indices)
{
    palette_lookup *lookup = palette_lookup_new(arena, palette);
    if (!lookup)
        return false;
    if (dither == TRILO_DITHER_FLOYD_STEINBERG)
        return palette_map_diffused(lookup, arena, image, indices);
    if (dither == TRILO_DITHER_ORDERED)
        palette_map_ordered(lookup, image, indices);
    else
        for (size_t i = 0; i < (size_t)image->width * image->height; i++)
            indices[i] = palette_index(lookup, image->pixels[i]);
    return true;
}

bool trilo_image_quantize(const trilo_image *images, size_t image_count, const trilo_quantize_opts *opts,
                          trilo_palette *palette, uint8_t *const *indices, trilo_error *err)
{
    trilo_quantize_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return false;
    opts = &own;
    bool empty = image_count == 0;
    for (size_t i = 0; i < image_count; i++)
        empty |= images[i].width == 0 || images[i].height == 0 || !images[i].pixels;
    if (opts->colors > 256 || empty)
        return tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                       "there are no pixels, or more than 256 colours");
    tl_arena arena;
    tl_arena_init(&arena, &opts->memory);
    quantize_job *job = TL_NEW(&arena, quantize_job);
    bool ok = job != NULL;
    if (ok) {
        job->arena = &arena;
        job->most = opts->colors ? opts->colors : 256;
        job->palette = palette;
        tl_srgb_table_init(&job->table);
        ok = quantize_make(job, images, image_count);
    }
    for (size_t i = 0; ok && indices && i < image_count; i++)
        ok = tl_palette_map(&arena, &images[i], palette, opts->dither, indices[i]);
    tl_arena_free(&arena);
    return ok || tl_fail_memory(err);
}
