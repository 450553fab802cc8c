/* Pixels as texels of the formats without a palette. All of them store a few bits for each channel, one after the
 * other, so the table of formats describes them completely. */
#include "base/strict_float.h"

#include "base/bytes.h"
#include "image/sprite/sprite_encode.h"

#include <string.h>

tl_texel_rules tl_texel_rules_of(trilo_sprite_target target)
{
    const bool modern = target == TRILO_SPRITE_TARGET_LIBDRAGON_2026;
    return (tl_texel_rules){.stretch = modern, .opaque = modern ? 128 : 1};
}

/* Bryce Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973. */
uint32_t tl_bayer(uint32_t x, uint32_t y)
{
    static const uint8_t matrix[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    return matrix[y & 3][x & 3];
}

static uint32_t texel_level(const tl_texel_rules *rules, uint32_t value, uint32_t bits, bool alpha)
{
    if (alpha && bits == 1)
        return value >= rules->opaque;
    uint32_t level = value >> (8 - bits);
    if (!rules->round)
        return level;
    /* Spread levels are within one step of the truncated value. */
    uint32_t best = level;
    for (uint32_t near = level > 0 ? level - 1 : 0; near <= level + 1 && near < 1u << bits; near++) {
        const int error = (int)tl_texel_spread(near, bits) - (int)value;
        const int least = (int)tl_texel_spread(best, bits) - (int)value;
        if (error * error < least * least)
            best = near;
    }
    return best;
}

uint16_t tl_texels_rgba16(const tl_texel_rules *rules, const uint8_t *pixel)
{
    uint32_t word = 0;
    for (int c = 0; c < 3; c++)
        word = word << 5 | texel_level(rules, pixel[c], 5, false);
    return (uint16_t)(word << 1 | texel_level(rules, pixel[3], 1, true));
}

/* ITU-R BT.601, in thousandths. */
static uint32_t texel_luma(const uint8_t *pixel)
{
    return (299u * pixel[0] + 587u * pixel[1] + 114u * pixel[2] + 500) / 1000;
}

/* What is quantized: red, green, blue and alpha, or intensity and alpha. */
static void texel_channels(const tl_texel_format *format, const tl_texel_rules *rules, const trilo_image *image,
                           uint8_t (*channels)[4])
{
    const size_t count = (size_t)image->width * image->height;
    bool grey = true;
    uint32_t low = 255, high = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = image->pixels[i];
        const uint32_t shown = texel_luma(p) * p[3] / 255;
        grey &= p[0] == p[1] && p[1] == p[2];
        low = shown < low ? shown : low;
        high = shown > high ? shown : high;
    }
    const bool stretch = rules->stretch && format->alpha_bits == 0 && !grey && high > low;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = image->pixels[i];
        memcpy(channels[i], p, 4);
        if (!format->grey)
            continue;
        const uint32_t value = stretch       ? (texel_luma(p) * p[3] / 255 - low) * 255 / (high - low)
                               : rules->luma ? texel_luma(p)
                                             : p[0];
        channels[i][0] = (uint8_t)value;
        channels[i][1] = p[3];
    }
}

static void texel_put(uint8_t *row, uint32_t bits, uint32_t x, uint32_t word)
{
    if (bits == 4)
        row[x / 2] |= (uint8_t)(x & 1 ? word : word << 4);
    else if (bits == 8)
        row[x] = (uint8_t)word;
    else if (bits == 16)
        tl_put_u16(row + 2 * (size_t)x, TL_BIG, (uint16_t)word);
    else
        tl_put_u32(row + 4 * (size_t)x, TL_BIG, word);
}

/* Error diffusion (Floyd and Steinberg, 1976), or thresholds. Colours only: alpha is rounded. */
static bool texel_dither(tl_arena *arena, const tl_texel_format *format, const tl_texel_rules *rules,
                         const trilo_image *image, uint8_t (*channels)[4])
{
    const uint32_t width = image->width, colors = format->grey ? 1 : 3;
    const int strength = rules->strength;
    int(*errors)[3] = tl_array(arena, 2 * ((size_t)width + 2), sizeof *errors);
    if (!errors)
        return false;
    for (uint32_t y = 0; y < image->height; y++) {
        int(*now)[3] = errors + (y & 1) * ((size_t)width + 2) + 1;
        int(*next)[3] = errors + (~y & 1) * ((size_t)width + 2) + 1;
        memset(next - 1, 0, ((size_t)width + 2) * sizeof *next);
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t c = 0; c < colors; c++) {
                uint8_t *channel = &channels[(size_t)y * width + x][c];
                const int threshold = (2 * (int)tl_bayer(x, y) - 15) * (256 >> format->color_bits) * strength / 128;
                const bool ordered = rules->dither == TRILO_DITHER_ORDERED;
                int value = *channel + (ordered ? threshold : now[x][c] / 16);
                value = value < 0 ? 0 : value > 255 ? 255 : value;
                *channel = (uint8_t)tl_texel_spread(texel_level(rules, (uint32_t)value, format->color_bits, false),
                                                    format->color_bits);
                const int error = (value - *channel) * strength / 4;
                now[x + 1][c] += error * 7;
                next[(ptrdiff_t)x - 1][c] += error * 3;
                next[x][c] += error * 5;
                next[x + 1][c] += error;
            }
    }
    return true;
}

uint8_t *tl_texels_store(tl_arena *arena, trilo_texels texels, const tl_texel_rules *rules, const trilo_image *image,
                         tl_pixel *shown)
{
    const tl_texel_format *format = tl_texel_format_of(texels);
    const uint32_t stride = tl_texels_row_bytes(texels, image->width), colors = format->grey ? 1 : 3;
    uint8_t *out = tl_array(arena, image->height, stride);
    uint8_t(*channels)[4] = tl_array_raw(arena, (size_t)image->width * image->height, sizeof *channels);
    if (!out || !channels)
        return NULL;
    texel_channels(format, rules, image, channels);
    if (rules->strength > 0 && !texel_dither(arena, format, rules, image, channels))
        return NULL;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            const size_t at = (size_t)y * image->width + x;
            uint32_t word = 0;
            for (uint32_t c = 0; c < 3; c++) {
                const uint32_t level =
                    texel_level(rules, channels[at][format->grey ? 0 : c], format->color_bits, false);
                shown[at][c] = (uint8_t)tl_texel_spread(level, format->color_bits);
                word = c < colors ? word << format->color_bits | level : word;
            }
            shown[at][3] = 255;
            if (format->alpha_bits > 0) {
                const uint32_t level = texel_level(rules, channels[at][colors], format->alpha_bits, true);
                shown[at][3] = (uint8_t)tl_texel_spread(level, format->alpha_bits);
                word = word << format->alpha_bits | level;
            }
            texel_put(out + (size_t)y * stride, format->bits, x, word);
        }
    return out;
}

uint8_t *tl_texels_store_best(tl_arena *arena, trilo_texels texels, trilo_sprite_target target, trilo_dither dither,
                              const trilo_image *image)
{
    enum { STRONGEST = 4 };
    const tl_texel_rules plain = tl_texel_rules_of(target);
    tl_texel_rules rules = {.round = true, .luma = true, .opaque = 128, .dither = dither};
    tl_pixel *shown = tl_array_raw(arena, (size_t)image->width * image->height, sizeof *shown);
    const trilo_image seen = {image->width, image->height, (const tl_pixel *)shown};
    if (!shown || !tl_texels_store(arena, texels, &plain, image, shown))
        return NULL;
    const double least = trilo_image_compare(image, &seen).psnr;
    for (int strength = dither ? STRONGEST : 0; strength >= 0; strength--) {
        rules.strength = (uint8_t)strength;
        uint8_t *texels_made = tl_texels_store(arena, texels, &rules, image, shown);
        if (!texels_made || trilo_image_compare(image, &seen).psnr >= least)
            return texels_made;
    }
    /* Luma can be farther from the colours than red is; rounding never is. */
    rules.luma = false;
    uint8_t *rounded = tl_texels_store(arena, texels, &rules, image, shown);
    return !rounded || trilo_image_compare(image, &seen).psnr >= least
               ? rounded
               : tl_texels_store(arena, texels, &plain, image, shown);
}

uint8_t *tl_texels_store_indices(tl_arena *arena, trilo_texels texels, const uint8_t *indices, uint32_t width,
                                 uint32_t height)
{
    const uint32_t stride = tl_texels_row_bytes(texels, width), bits = tl_texel_format_of(texels)->bits;
    uint8_t *out = tl_array(arena, height, stride);
    for (uint32_t y = 0; out && y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            texel_put(out + (size_t)y * stride, bits, x, indices[(size_t)y * width + x]);
    return out;
}
