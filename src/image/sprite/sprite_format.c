/* The texel format that libdragon's mksprite gives an image. */
#include "image/sprite/sprite_encode.h"

#include <string.h>

/* Distinct values of the first channel; 17 means more. */
static uint32_t sprite_count_levels(const trilo_image *image)
{
    bool seen[256] = {false};
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)image->width * image->height && count <= 16; i++) {
        count += !seen[image->pixels[i][0]];
        seen[image->pixels[i][0]] = true;
    }
    return count;
}

static uint32_t sprite_count_indices(const trilo_bitmap *bitmap)
{
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)bitmap->image.width * bitmap->image.height; i++)
        count = bitmap->indices[i] >= count ? bitmap->indices[i] + 1u : count;
    return count;
}

/* Distinct colours; 257 means more. */
static uint32_t sprite_count_colors(const trilo_image *image)
{
    uint8_t colors[256][4];
    uint32_t count = 0, last = 0;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        if (count > 0 && memcmp(colors[last], image->pixels[i], 4) == 0)
            continue;
        for (last = 0; last < count && memcmp(colors[last], image->pixels[i], 4) != 0; last++)
            continue;
        if (last == 256)
            return 257;
        if (last == count)
            memcpy(colors[count++], image->pixels[i], 4);
    }
    return count;
}

trilo_texels trilo_sprite_texels(const trilo_bitmap *bitmap, const char *path, trilo_sprite_target target)
{
    const trilo_texels named = path ? trilo_texels_from_path(path) : TRILO_TEXELS_UNKNOWN;
    const bool modern = target == TRILO_SPRITE_TARGET_LIBDRAGON_2026;
    const uint32_t bits = bitmap->bits ? bitmap->bits : 8;
    if (named != TRILO_TEXELS_UNKNOWN && modern)
        return named;
    trilo_texels texels = named;
    if (texels == TRILO_TEXELS_UNKNOWN)
        texels = bitmap->kind == TRILO_PIXEL_KIND_GREY         ? (bits > 4 ? TRILO_TEXELS_I8 : TRILO_TEXELS_I4)
                 : bitmap->kind == TRILO_PIXEL_KIND_GREY_ALPHA ? TRILO_TEXELS_IA16
                 : bitmap->kind == TRILO_PIXEL_KIND_INDEXED    ? TRILO_TEXELS_CI8
                                                               : TRILO_TEXELS_RGBA16;
    if (bitmap->kind == TRILO_PIXEL_KIND_INDEXED && texels == TRILO_TEXELS_CI8 && sprite_count_indices(bitmap) <= 16)
        return TRILO_TEXELS_CI4;
    if (bitmap->kind == TRILO_PIXEL_KIND_GREY && texels == TRILO_TEXELS_I8 && sprite_count_levels(&bitmap->image) <= 16)
        return TRILO_TEXELS_I4;
    if (modern && texels == TRILO_TEXELS_RGBA16 && bitmap->kind == TRILO_PIXEL_KIND_RGBA) {
        const uint32_t colors = sprite_count_colors(&bitmap->image);
        return colors <= 16 ? TRILO_TEXELS_CI4 : colors < 256 ? TRILO_TEXELS_CI8 : texels;
    }
    return texels;
}
