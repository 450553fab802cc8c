/* Resizing in linear light with premultiplied alpha: a dark rim around transparent parts, and a darker picture, are
 * what filtering stored values gives. The filter is that of Don Mitchell and Arun Netravali, "Reconstruction Filters in
 * Computer Graphics", 1988, with B = C = 1/3. */
#include "base/strict_float.h"

#include "base/opts.h"
#include "image/image.h"
#include "image/oklab.h"
#include "trilobite/sprite.h"

#include <math.h>
#include <string.h>

/* Colours times alpha, alpha, and plain colours for what is transparent: a texture filter reads those too. */
enum { RESIZE_CHANNELS = 7 };
typedef float resize_pixel[RESIZE_CHANNELS];

typedef struct resize_axis {
    uint32_t from, to;
    bool repeat;
    double scale, support; /* source pixels: for each pixel of the result; to either side */
} resize_axis;

static resize_axis resize_axis_of(uint32_t from, uint32_t to, bool repeat)
{
    const double scale = (double)from / to;
    return (resize_axis){from, to, repeat, scale, 2 * (scale > 1 ? scale : 1)};
}

static double resize_filter(double x)
{
    x = x < 0 ? -x : x;
    return x < 1   ? (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6
           : x < 2 ? (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6
                   : 0;
}

/* Pixel `at` of the result, from a line of pixels that are `stride` apart. */
static void resize_sample(const resize_axis *axis, const resize_pixel *line, size_t stride, uint32_t at, float *out)
{
    const double center = (at + 0.5) * axis->scale - 0.5;
    double sums[RESIZE_CHANNELS] = {0}, total = 0;
    const int64_t first = (int64_t)ceil(center - axis->support), last = (int64_t)floor(center + axis->support);
    for (int64_t i = first; i <= last; i++) {
        const int64_t end = (int64_t)axis->from - 1;
        const int64_t near = axis->repeat ? (i % (end + 1) + end + 1) % (end + 1) : i < 0 ? 0 : i > end ? end : i;
        const double weight = resize_filter(((double)i - center) * 2 / axis->support);
        total += weight;
        for (int c = 0; c < RESIZE_CHANNELS; c++)
            sums[c] += weight * (double)line[(size_t)near * stride][c];
    }
    for (int c = 0; c < RESIZE_CHANNELS; c++)
        out[c] = (float)(sums[c] / total);
}

static void resize_load(const tl_srgb_table *table, const uint8_t *pixel, float *out)
{
    out[3] = (float)pixel[3] / 255;
    for (int c = 0; c < 3; c++) {
        out[4 + c] = table->linear[pixel[c]];
        out[c] = out[4 + c] * out[3];
    }
}

static void resize_store(const float *from, uint8_t *pixel)
{
    const float alpha = from[3] < 0 ? 0 : from[3] > 1 ? 1 : from[3];
    pixel[3] = (uint8_t)(alpha * 255 + 0.5f);
    for (int c = 0; c < 3; c++)
        pixel[c] = tl_srgb_byte(pixel[3] > 0 ? from[c] / alpha : from[4 + c]);
}

static bool resize_pixels(tl_arena *scratch, const trilo_image *image, const trilo_resize_opts *opts, tl_pixel *out)
{
    const resize_axis across = resize_axis_of(image->width, opts->width, opts->repeat_s);
    const resize_axis down = resize_axis_of(image->height, opts->height, opts->repeat_t);
    resize_pixel *line = tl_array_raw(scratch, image->width, sizeof *line);
    resize_pixel *wide = tl_array_raw(scratch, (size_t)opts->width * image->height, sizeof *wide);
    tl_srgb_table table;
    if (!line || !wide)
        return false;
    tl_srgb_table_init(&table);
    for (uint32_t y = 0; y < image->height; y++) {
        resize_pixel *row = wide + (size_t)y * opts->width;
        for (uint32_t x = 0; x < image->width; x++)
            resize_load(&table, image->pixels[(size_t)y * image->width + x], line[x]);
        for (uint32_t x = 0; x < opts->width; x++)
            if (across.from == across.to)
                memcpy(row[x], line[x], sizeof *row);
            else
                resize_sample(&across, (const resize_pixel *)line, 1, x, row[x]);
    }
    for (uint32_t y = 0; y < opts->height; y++)
        for (uint32_t x = 0; x < opts->width; x++) {
            resize_pixel sampled;
            if (down.from == down.to)
                memcpy(sampled, wide[(size_t)y * opts->width + x], sizeof sampled);
            else
                resize_sample(&down, (const resize_pixel *)wide + x, opts->width, y, sampled);
            resize_store(sampled, out[(size_t)y * opts->width + x]);
        }
    return true;
}

const trilo_image *trilo_image_resize(const trilo_image *image, const trilo_resize_opts *opts, trilo_error *err)
{
    trilo_resize_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    opts = &own;
    tl_image_owned *owned = tl_image_new(&opts->memory, err);
    tl_pixel *pixels = owned ? tl_image_pixels(&owned->arena, opts->width, opts->height, err) : NULL;
    tl_arena scratch;
    tl_arena_init(&scratch, &opts->memory);
    bool ok = pixels != NULL;
    if (ok && image->width == opts->width && image->height == opts->height)
        memcpy(pixels, image->pixels, (size_t)image->width * image->height * sizeof *pixels);
    else if (ok && !resize_pixels(&scratch, image, opts, pixels))
        ok = tl_fail_memory(err);
    tl_arena_free(&scratch);
    if (!ok) {
        trilo_bitmap_free(owned ? &owned->bitmap : NULL);
        return NULL;
    }
    owned->bitmap.image = (trilo_image){opts->width, opts->height, (const tl_pixel *)pixels};
    return &owned->bitmap.image;
}
