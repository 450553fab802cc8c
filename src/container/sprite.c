/* Reads the records of a sprite. */
#include "container/sprite.h"

#include "base/bytes.h"

#include <string.h>

trilo_texels tl_sprite_texels(const tl_sprite_head *head)
{
    if (head->format == 0) /* in old files */
        return head->depth == 2 ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_RGBA32;
    return tl_texels_numbered(head->format & TL_SPRITE_FORMAT);
}

static void sprite_add_image(tl_sprite *sprite, trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_tmem_add(&sprite->tmem, texels, width, height);
    sprite->image_count++;
}

tl_sprite tl_sprite_of(trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_sprite sprite = {.texels = texels, .width = width, .height = height};
    if (texels != TRILO_TEXELS_UNKNOWN)
        sprite_add_image(&sprite, texels, width, height);
    return sprite;
}

/* Mipmaps and the detail texture are uploaded together with the image. */
static void sprite_add_images(trilo_bytes bytes, size_t at, tl_sprite *sprite)
{
    const size_t each = tl_layout_size(&tl_sprite_image_layout, TL_UNVERSIONED);
    at += tl_layout_size(&tl_sprite_extra_layout, TL_UNVERSIONED);
    for (uint32_t i = 0; i < TL_SPRITE_IMAGES && at + (i + 1) * each <= bytes.size; i++) {
        tl_sprite_image image;
        tl_layout_load(&tl_sprite_image_layout, TL_UNVERSIONED, bytes.data + at + i * each, &image);
        const trilo_texels texels =
            tl_texels_numbered(image.format_offset >> TL_SPRITE_FORMAT_SHIFT & TL_SPRITE_FORMAT);
        if (image.width > 0 && texels != TRILO_TEXELS_UNKNOWN)
            sprite_add_image(sprite, texels, image.width, image.height);
    }
}

/* Of the record after the texels; 0: there is none, or it is truncated. */
static size_t sprite_extra_at(trilo_bytes bytes, const tl_sprite_head *head)
{
    const size_t start = tl_layout_size(&tl_sprite_head_layout, TL_UNVERSIONED);
    const uint64_t size = (uint64_t)tl_texels_row_bytes(tl_sprite_texels(head), head->width) * head->height;
    const uint64_t behind = start + (size + TL_SPRITE_ALIGN - 1) / TL_SPRITE_ALIGN * TL_SPRITE_ALIGN;
    return (head->format & TL_SPRITE_EXTRA) && behind < bytes.size ? (size_t)behind : 0;
}

bool tl_sprite_read(trilo_bytes bytes, tl_sprite *sprite)
{
    tl_sprite_head head;
    const size_t start = tl_layout_size(&tl_sprite_head_layout, TL_UNVERSIONED);
    if (bytes.size < start)
        return false;
    tl_layout_load(&tl_sprite_head_layout, TL_UNVERSIONED, bytes.data, &head);
    const trilo_texels texels = tl_sprite_texels(&head);
    const uint64_t size = (uint64_t)tl_texels_row_bytes(texels, head.width) * head.height;
    if (texels == TRILO_TEXELS_UNKNOWN || head.width == 0 || head.height == 0 || (head.format & TL_SPRITE_ELSEWHERE) ||
        start + size > bytes.size)
        return false;
    *sprite = tl_sprite_of(texels, head.width, head.height);
    const size_t extra = sprite_extra_at(bytes, &head);
    if (extra > 0)
        sprite_add_images(bytes, extra, sprite);
    return true;
}

/* Files do not always state how many colours there are. */
trilo_bytes tl_sprite_palette(trilo_bytes bytes)
{
    const trilo_bytes none = {NULL, 0};
    tl_sprite sprite;
    tl_sprite_head head;
    tl_sprite_extra extra;
    if (!tl_sprite_read(bytes, &sprite))
        return none;
    tl_layout_load(&tl_sprite_head_layout, TL_UNVERSIONED, bytes.data, &head);
    const size_t at = sprite_extra_at(bytes, &head), most = 2 * (size_t)tl_texel_format_of(sprite.texels)->colors;
    if (at == 0 || most == 0 || bytes.size - at < tl_layout_size(&tl_sprite_extra_layout, TL_UNVERSIONED))
        return none;
    tl_layout_load(&tl_sprite_extra_layout, TL_UNVERSIONED, bytes.data + at, &extra);
    if (extra.palette == 0 || extra.palette >= bytes.size)
        return none;
    const size_t there = bytes.size - extra.palette;
    return (trilo_bytes){bytes.data + extra.palette, there < most ? there : most};
}

static uint32_t sprite_texel(const uint8_t *row, uint32_t bits, uint32_t x)
{
    return bits == 4    ? (uint32_t)row[x / 2] >> (x & 1 ? 0 : 4) & 15
           : bits == 8  ? row[x]
           : bits == 16 ? tl_get_u16(row + 2 * (size_t)x, TL_BIG)
                        : tl_get_u32be(row + 4 * (size_t)x);
}

/* True if that many bits store the channel exactly. */
static bool sprite_fits_bits(uint32_t value, uint32_t bits)
{
    return tl_texel_spread(value >> (8 - bits), bits) == value;
}

/* A format without a palette that stores the texel as well; unknown: none. */
static trilo_texels sprite_narrow(trilo_texels texels, uint32_t texel)
{
    bool same = false;
    switch (texels) {
    case TRILO_TEXELS_RGBA32:
        same = (texel & 255) == 255 || (texel & 255) == 0;
        for (uint32_t shift = 8; shift < 32; shift += 8)
            same &= sprite_fits_bits(texel >> shift & 255, 5);
        return same ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_UNKNOWN;
    case TRILO_TEXELS_IA16:
        same = sprite_fits_bits(texel >> 8, 4) && sprite_fits_bits(texel & 255, 4);
        return same ? TRILO_TEXELS_IA8 : TRILO_TEXELS_UNKNOWN;
    case TRILO_TEXELS_IA8:
        same = sprite_fits_bits((texel >> 4) * 17, 3) && ((texel & 15) == 0 || (texel & 15) == 15);
        return same ? TRILO_TEXELS_IA4 : TRILO_TEXELS_UNKNOWN;
    case TRILO_TEXELS_I8:
        return sprite_fits_bits(texel, 4) ? TRILO_TEXELS_I4 : TRILO_TEXELS_UNKNOWN;
    default:
        return TRILO_TEXELS_UNKNOWN;
    }
}

trilo_texels tl_sprite_smaller_texels(trilo_bytes bytes, uint32_t *distinct)
{
    enum { FEW = 16, MANY = 256 };
    tl_sprite sprite;
    uint32_t seen[MANY], count = 0;
    *distinct = 0;
    if (!tl_sprite_read(bytes, &sprite) || sprite.texels == TRILO_TEXELS_YUV16)
        return TRILO_TEXELS_UNKNOWN;
    const uint32_t bits = tl_texel_format_of(sprite.texels)->bits,
                   stride = tl_texels_row_bytes(sprite.texels, sprite.width);
    const uint8_t *row = bytes.data + tl_layout_size(&tl_sprite_head_layout, TL_UNVERSIONED);
    const bool has_palette = tl_texel_format_of(sprite.texels)->colors > 0;
    trilo_texels narrow = sprite_narrow(sprite.texels, sprite_texel(row, bits, 0));
    for (uint32_t y = 0; y < sprite.height; y++, row += stride)
        for (uint32_t x = 0; x < sprite.width; x++) {
            const uint32_t texel = sprite_texel(row, bits, x);
            uint32_t i = 0;
            narrow = narrow ? sprite_narrow(sprite.texels, texel) : narrow;
            while (i < count && i < MANY && seen[i] != texel)
                i++;
            if (i < MANY && i == count)
                seen[i] = texel;
            count = i == count ? count + (count <= MANY) : count;
        }
    *distinct = count;
    if (count <= FEW && bits > 4 && (has_palette || sprite.texels == TRILO_TEXELS_RGBA16))
        return TRILO_TEXELS_CI4;
    if (count <= MANY && sprite.texels == TRILO_TEXELS_RGBA16 && (uint64_t)sprite.width * sprite.height > 2 * MANY)
        return TRILO_TEXELS_CI8; /* the texels saved are more than the palette has */
    return narrow;
}
