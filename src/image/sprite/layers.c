/* IHQ and SHQ: two images that together show more than one that fits TMEM (docs/sprites.md).
 *
 * IHQ: a small RGBA16 image, drawn four times as large one way and twice the other, and an intensity at full size:
 * main * (1 - factor) + intensity * factor. SHQ: an intensity at full size, and what each channel has less than it, at
 * half the size. */
#include "base/strict_float.h"

#include "image/sprite/sprite_encode.h"

#include <math.h>
#include <string.h>

enum { LAYERS_TEXELS_MOST = 4096, LAYERS_LEVELS = 15 }; /* 8 KiB as RGBA16; of I4 */

static double layers_luma(const uint8_t *pixel)
{
    return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
}

static uint8_t layers_byte(double value)
{
    return (uint8_t)(value <= 0 ? 0 : value >= 255 ? 255 : floor(value + 0.5));
}

/* A smaller image whose texel i is at pixel i << scale, as the console samples it: it has no offset of half a texel.
 * Each is the mean of the pixels to which it will contribute, weighted by how much. */
static bool layers_shrink(tl_arena *arena, const trilo_image *image, const int16_t scale[2], trilo_image *out)
{
    const int across = 1 << scale[0], down = 1 << scale[1];
    const uint32_t width = image->width >> scale[0], height = image->height >> scale[1];
    tl_pixel *pixels = tl_array_raw(arena, (size_t)width * height, sizeof *pixels);
    for (uint32_t i = 0; pixels && i < width * height; i++) {
        const int left = (int)(i % width) * across, top = (int)(i / width) * down;
        int sums[4] = {0}, total = 0;
        for (int dy = 1 - down; dy < down; dy++)
            for (int dx = 1 - across; dx < across; dx++) {
                const int x = left + dx, y = top + dy;
                if (x < 0 || y < 0) /* the sides are multiples of the steps: the other ends are not reached */
                    continue;
                const int weight = (across - (dx < 0 ? -dx : dx)) * (down - (dy < 0 ? -dy : dy));
                const uint8_t *pixel = image->pixels[(size_t)y * image->width + (size_t)x];
                for (int c = 0; c < 4; c++)
                    sums[c] += weight * pixel[c];
                total += weight;
            }
        for (int c = 0; c < 4; c++)
            pixels[i][c] = (uint8_t)((sums[c] + total / 2) / total);
    }
    *out = (trilo_image){width, height, (const tl_pixel *)pixels};
    return pixels != NULL;
}

/* The reverse, as the console filters it: bilinear, edges are clamped. */
static bool layers_enlarge(tl_arena *arena, const trilo_image *image, const int16_t scale[2], trilo_image *out)
{
    const uint32_t across = 1u << scale[0], down = 1u << scale[1];
    const uint32_t width = image->width << scale[0], height = image->height << scale[1];
    tl_pixel *pixels = tl_array_raw(arena, (size_t)width * height, sizeof *pixels);
    for (uint32_t i = 0; pixels && i < width * height; i++) {
        const uint32_t x = i % width / across, y = i / width / down, s = i % width % across, t = i / width % down;
        const uint32_t right = x + 1 < image->width ? x + 1 : x, below = y + 1 < image->height ? y + 1 : y;
        const uint8_t *a = image->pixels[y * image->width + x], *b = image->pixels[y * image->width + right];
        const uint8_t *c = image->pixels[below * image->width + x], *d = image->pixels[below * image->width + right];
        for (int k = 0; k < 4; k++)
            pixels[i][k] = (uint8_t)((((across - s) * a[k] + s * b[k]) * (down - t) +
                                      ((across - s) * c[k] + s * d[k]) * t + across * down / 2) /
                                     (across * down));
    }
    *out = (trilo_image){width, height, (const tl_pixel *)pixels};
    return pixels != NULL;
}

/* Both images for one factor, and what the console shows of them. */
static bool layers_try_ihq(tl_arena *arena, const trilo_image *image, const trilo_image *low, double factor,
                           tl_layers *layers, trilo_error *err)
{
    const size_t count = (size_t)image->width * image->height;
    const size_t small = (size_t)layers->main.width * layers->main.height;
    tl_pixel *main = tl_array_raw(arena, small, sizeof *main), *detail = tl_array_raw(arena, count, sizeof *detail);
    tl_pixel *shown = tl_array_raw(arena, count, sizeof *shown);
    trilo_image large;
    if (!main || !detail || !shown)
        return tl_fail_memory(err);
    for (size_t i = 0; i < small; i++) /* the intensity is half of its range where there is no detail */
        for (int c = 0; c < 4; c++) {
            const double value = ((double)low->pixels[i][c] - factor * 127.5) / (1 - factor);
            const uint8_t byte = c == 3 ? low->pixels[i][3] : layers_byte(value);
            main[i][c] = c == 3 ? byte : (uint8_t)tl_texel_spread(byte >> 3, 5);
        }
    layers->main.pixels = (const tl_pixel *)main;
    if (!layers_enlarge(arena, &layers->main, layers->scale, &large))
        return tl_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        const double missing = layers_luma(image->pixels[i]) - (1 - factor) * layers_luma(large.pixels[i]);
        const double level = floor(missing / factor / 255 * LAYERS_LEVELS + 0.5);
        const uint8_t intensity = (uint8_t)(17 * (level < 0 ? 0 : level > LAYERS_LEVELS ? LAYERS_LEVELS : (int)level));
        for (int c = 0; c < 3; c++) {
            detail[i][c] = intensity;
            shown[i][c] = layers_byte((double)large.pixels[i][c] * (1 - factor) + intensity * factor);
        }
        detail[i][3] = 255;
        shown[i][3] = image->pixels[i][3];
    }
    layers->second = (trilo_image){image->width, image->height, (const tl_pixel *)detail};
    layers->shown = (trilo_image){image->width, image->height, (const tl_pixel *)shown};
    layers->factor = (float)factor;
    layers->difference = trilo_image_compare(image, &layers->shown);
    return true;
}

bool tl_layers_ihq(tl_arena *arena, const trilo_image *image, trilo_sprite_target target, tl_layers *layers,
                   trilo_error *err)
{
    const double step = target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? 0.1 : 0.05;
    const int steps = target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? 8 : 10;
    const uint32_t width = image->width, height = image->height;
    bool found = false;
    if (width % 2 || height % 2 || (width % 4 && height % 4) || (uint64_t)width * height > LAYERS_TEXELS_MOST)
        return TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, SPRITE, TRILO_NOWHERE,
                             "IHQ needs even sides, one of them divisible by 4, and at most %d texels, not %u by %u",
                             LAYERS_TEXELS_MOST, width, height);
    for (int direction = 0; direction < 2; direction++) { /* a quarter across, half down; and the other way */
        trilo_image low;
        tl_layers tried = {.scale = {direction ? 1 : 2, direction ? 2 : 1}};
        tried.main.width = width >> tried.scale[0];
        tried.main.height = height >> tried.scale[1];
        if ((direction ? height : width) % 4)
            continue;
        if (!layers_shrink(arena, image, tried.scale, &low))
            return tl_fail_memory(err);
        for (int i = 1; i <= steps; i++) {
            if (!layers_try_ihq(arena, image, &low, i * step, &tried, err))
                return false;
            if (!found || tried.difference.delta_e < layers->difference.delta_e)
                *layers = tried;
            found = true;
        }
    }
    return true;
}

bool tl_layers_shq(tl_arena *arena, const trilo_image *image, tl_layers *layers, trilo_error *err)
{
    const uint32_t width = image->width, height = image->height;
    const size_t count = (size_t)width * height;
    tl_pixel *intensity = tl_array_raw(arena, count, sizeof *intensity),
             *lack = tl_array_raw(arena, count, sizeof *lack);
    tl_pixel *shown = tl_array_raw(arena, count, sizeof *shown),
             *stored = tl_array_raw(arena, count / 4, sizeof *stored);
    static const int16_t half[2] = {1, 1};
    trilo_image small, large;
    if (width % 2 || height % 2 || count > (size_t)2 * LAYERS_TEXELS_MOST)
        return TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, SPRITE, TRILO_NOWHERE,
                             "SHQ needs even sides and at most %d texels, not %u by %u", 2 * LAYERS_TEXELS_MOST, width,
                             height);
    if (!intensity || !lack || !shown || !stored)
        return tl_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = image->pixels[i];
        const uint8_t most = p[0] > p[1] ? p[0] : p[1], top = most > p[2] ? most : p[2];
        const uint8_t level = (uint8_t)((top + 16) / 17 * 17); /* at least the strongest channel */
        for (int c = 0; c < 3; c++) {
            intensity[i][c] = level;
            lack[i][c] = (uint8_t)(level - p[c]);
        }
        intensity[i][3] = lack[i][3] = 255;
    }
    const trilo_image whole = {width, height, (const tl_pixel *)lack};
    *layers = (tl_layers){.main = {width, height, (const tl_pixel *)intensity}};
    if (!layers_shrink(arena, &whole, half, &small))
        return tl_fail_memory(err);
    for (size_t i = 0; i < count / 4; i++) { /* the console filters texels of five bits */
        for (int c = 0; c < 3; c++)
            stored[i][c] = (uint8_t)tl_texel_spread(small.pixels[i][c] >> 3, 5);
        stored[i][3] = 255;
    }
    layers->second = (trilo_image){small.width, small.height, (const tl_pixel *)stored};
    if (!layers_enlarge(arena, &layers->second, half, &large))
        return tl_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            shown[i][c] = layers_byte((double)intensity[i][c] - large.pixels[i][c]);
        shown[i][3] = 255;
    }
    layers->shown = (trilo_image){width, height, (const tl_pixel *)shown};
    layers->difference = trilo_image_compare(image, &layers->shown);
    return true;
}
