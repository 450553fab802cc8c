/* Texel formats and TMEM. */
#include "n64/texels.h"

#include "layout/layout.h"

#include <string.h>

static const tl_texel_format texel_formats[] = {
    [TRILO_TEXELS_UNKNOWN] = {"unknown", .color_bits = 8, .alpha_bits = 8},
    [TRILO_TEXELS_RGBA16] = {"RGBA16", .bits = 16, .number = 2, .color_bits = 5, .alpha_bits = 1},
    [TRILO_TEXELS_RGBA32] = {"RGBA32", .bits = 32, .number = 3, .color_bits = 8, .alpha_bits = 8, .split = true},
    [TRILO_TEXELS_YUV16] = {"YUV16", .bits = 16, .number = 6, .color_bits = 8, .alpha_bits = 8, .split = true},
    [TRILO_TEXELS_CI4] = {"CI4", .bits = 4, .number = 8, .colors = 16, .color_bits = 5, .alpha_bits = 1},
    [TRILO_TEXELS_CI8] = {"CI8", .bits = 8, .number = 9, .colors = 256, .color_bits = 5, .alpha_bits = 1},
    [TRILO_TEXELS_IA4] = {"IA4", .bits = 4, .number = 12, .color_bits = 3, .alpha_bits = 1, .grey = true},
    [TRILO_TEXELS_IA8] = {"IA8", .bits = 8, .number = 13, .color_bits = 4, .alpha_bits = 4, .grey = true},
    [TRILO_TEXELS_IA16] = {"IA16", .bits = 16, .number = 14, .color_bits = 8, .alpha_bits = 8, .grey = true},
    [TRILO_TEXELS_I4] = {"I4", .bits = 4, .number = 16, .color_bits = 4, .grey = true},
    [TRILO_TEXELS_I8] = {"I8", .bits = 8, .number = 17, .color_bits = 8, .grey = true},
};

const tl_texel_format *tl_texel_format_of(trilo_texels texels)
{
    return &texel_formats[(size_t)texels < TL_COUNT_OF(texel_formats) ? texels : TRILO_TEXELS_UNKNOWN];
}

const char *trilo_texels_name(trilo_texels texels)
{
    return tl_texel_format_of(texels)->name;
}

trilo_texels tl_texels_numbered(uint32_t number)
{
    for (size_t i = 1; i < TL_COUNT_OF(texel_formats); i++)
        if (texel_formats[i].number == number)
            return (trilo_texels)i;
    return TRILO_TEXELS_UNKNOWN;
}

static bool texels_are_called(const char *name, const char *text, size_t length)
{
    if (strlen(name) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]) != name[i])
            return false;
    return true;
}

/* As in libdragon's mksprite, the path is split at every point, and the first part that names a format counts. Some
 * names mean several images, or depths. */
trilo_texels trilo_texels_from_path(const char *path)
{
    static const char *const others[] = {"ZBUF", "IHQ", "SHQ"};
    for (const char *piece = path; *piece;) {
        const size_t length = strcspn(piece, ".");
        for (size_t i = 1; i < TL_COUNT_OF(texel_formats); i++)
            if (i != TRILO_TEXELS_YUV16 && texels_are_called(texel_formats[i].name, piece, length))
                return (trilo_texels)i;
        for (size_t i = 0; i < TL_COUNT_OF(others); i++)
            if (texels_are_called(others[i], piece, length))
                return TRILO_TEXELS_UNKNOWN;
        piece += length + (piece[length] == '.');
    }
    return TRILO_TEXELS_UNKNOWN;
}

uint32_t tl_texel_spread(uint32_t level, uint32_t bits)
{
    uint32_t value = level << (8 - bits);
    for (uint32_t have = bits; have < 8; have *= 2)
        value |= value >> have;
    return value;
}

uint32_t tl_texels_row_bytes(trilo_texels texels, uint32_t width)
{
    return (uint32_t)(((uint64_t)width * tl_texel_format_of(texels)->bits + 7) / 8);
}

/* --- TMEM --- */

uint32_t tl_tmem_pitch(trilo_texels texels, uint32_t width)
{
    const uint32_t halves = tl_texel_format_of(texels)->split ? 2 : 1;
    return (tl_texels_row_bytes(texels, width) / halves + TL_TMEM_ROW_ALIGN - 1) / TL_TMEM_ROW_ALIGN *
           TL_TMEM_ROW_ALIGN;
}

/* Sums are limited to a value far above TMEM whose double does not overflow. */
static uint32_t tmem_sum(uint64_t a, uint64_t b)
{
    return (uint32_t)(a + b < INT32_MAX / 2 ? a + b : INT32_MAX / 2);
}

void tl_tmem_add(tl_tmem *tmem, trilo_texels texels, uint32_t width, uint32_t height)
{
    enum { COLOR_BYTES = TL_TMEM_PALETTE_COPIES * 2 };
    const tl_texel_format *format = tl_texel_format_of(texels);
    const tl_tmem image = {.bytes = tmem_sum(0, (uint64_t)tl_tmem_pitch(texels, width) * height),
                           .palette = COLOR_BYTES * format->colors,
                           .split = format->split};
    tl_tmem_add_all(tmem, &image);
}

void tl_tmem_add_all(tl_tmem *tmem, const tl_tmem *other)
{
    tmem->bytes = tmem_sum(tmem->bytes, other->bytes);
    tmem->palette = other->palette > tmem->palette ? other->palette : tmem->palette;
    tmem->split |= other->split;
}

/* With something split the other half must be free for it, so all of TMEM is as full as one half. */
uint32_t tl_tmem_used(const tl_tmem *tmem)
{
    return tmem->split && tmem->palette == 0 ? 2 * tmem->bytes : tmem->bytes;
}

uint32_t tl_tmem_limit(const tl_tmem *tmem)
{
    return tmem->palette > 0 ? TL_TMEM_HALF : TL_TMEM;
}
