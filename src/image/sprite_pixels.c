/* Texels of sprites as pixels: what the console's colour combiner sees of them. */
#include "base/bytes.h"
#include "base/size.h"
#include "container/sprite.h"
#include "image/image.h"

enum { SPRITE_COLORS = 256, SPRITE_GREY = 128 };

/* A sprite whose texels are known to be in the file. */
typedef struct sprite_source {
    trilo_bytes bytes;
    trilo_texels texels;
    uint32_t width, height;
    size_t start, extra; /* bytes: of the texels; of the record with the palette, 0: there is none */
    tl_pixel palette[SPRITE_COLORS];
} sprite_source;

static void sprite_from_rgba16(uint32_t word, tl_pixel out)
{
    for (int i = 0; i < 3; i++)
        out[i] = (uint8_t)tl_texel_spread(word >> (11 - 5 * i) & 31, 5);
    out[3] = word & 1 ? 255 : 0;
}

static void sprite_set_grey(tl_pixel out, uint32_t grey, uint32_t alpha)
{
    out[0] = out[1] = out[2] = (uint8_t)grey;
    out[3] = (uint8_t)alpha;
}

/* Two texels share their chroma: U Y V Y. The last of an odd row lacks V. ITU-R BT.601 with its studio levels (16 to
 * 235), in 256ths. */
static void sprite_from_yuv(const uint8_t *row, size_t size, uint32_t x, tl_pixel out)
{
    const size_t pair = (size_t)(x & ~1u) * 2;
    const int y = 298 * (row[(size_t)x * 2 + 1] - 16) + 128;
    const int u = row[pair] - SPRITE_GREY, v = (pair + 2 < size ? row[pair + 2] : SPRITE_GREY) - SPRITE_GREY;
    const int rgb[3] = {y + 409 * v, y - 100 * u - 208 * v, y + 516 * u};
    for (int i = 0; i < 3; i++)
        out[i] = (uint8_t)(rgb[i] < 0 ? 0 : rgb[i] > 0xFFFF ? 255 : rgb[i] / 256);
    out[3] = 255;
}

/* The first of two texels in a byte is the upper half. */
static uint32_t sprite_nibble(const uint8_t *row, uint32_t x)
{
    return x & 1 ? row[x / 2] & 15u : row[x / 2] >> 4u;
}

static void sprite_read_texel(const sprite_source *s, const uint8_t *row, size_t size, uint32_t x, tl_pixel out)
{
    uint32_t i;
    switch (s->texels) {
    case TRILO_TEXELS_RGBA16:
        sprite_from_rgba16(tl_get_u16(row + 2 * (size_t)x, TL_BIG), out);
        return;
    case TRILO_TEXELS_RGBA32:
        memcpy(out, row + 4 * (size_t)x, 4);
        return;
    case TRILO_TEXELS_YUV16:
        sprite_from_yuv(row, size, x, out);
        return;
    case TRILO_TEXELS_CI4:
        memcpy(out, s->palette[sprite_nibble(row, x)], 4);
        return;
    case TRILO_TEXELS_CI8:
        memcpy(out, s->palette[row[x]], 4);
        return;
    case TRILO_TEXELS_IA4: /* three bits of intensity, one of alpha */
        i = tl_texel_spread(sprite_nibble(row, x) >> 1, 3);
        sprite_set_grey(out, i, sprite_nibble(row, x) & 1 ? 255 : 0);
        return;
    case TRILO_TEXELS_IA8:
        sprite_set_grey(out, (row[x] >> 4) * 17u, (row[x] & 15) * 17u);
        return;
    case TRILO_TEXELS_IA16:
        sprite_set_grey(out, row[2 * (size_t)x], row[2 * (size_t)x + 1]);
        return;
    case TRILO_TEXELS_I4: /* intensity is alpha as well */
        i = sprite_nibble(row, x) * 17;
        sprite_set_grey(out, i, i);
        return;
    default:
        sprite_set_grey(out, row[x], row[x]);
    }
}

/* Files do not always state the size of the palette. Missing colours are transparent black. */
static bool sprite_read_palette(sprite_source *s, trilo_error *err)
{
    const size_t size = tl_layout_size(&tl_sprite_extra_layout, TL_UNVERSIONED);
    if (s->extra == 0 || !tl_fits(s->bytes.size, s->extra, 1, size))
        return TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, s->bytes.size,
                             "the sprite has a palette, but ends before the record that says where");
    tl_sprite_extra extra;
    tl_layout_load(&tl_sprite_extra_layout, TL_UNVERSIONED, s->bytes.data + s->extra, &extra);
    if (extra.palette == 0 || !tl_fits(s->bytes.size, extra.palette, 1, 2))
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_REF, BROKEN, s->extra,
                             "the palette of the sprite is at byte %u, which is outside the %zu bytes of the file",
                             extra.palette, s->bytes.size);
    const size_t there = (s->bytes.size - extra.palette) / 2;
    for (size_t i = 0; i < SPRITE_COLORS && i < there; i++)
        sprite_from_rgba16(tl_get_u16(s->bytes.data + extra.palette + 2 * i, TL_BIG), s->palette[i]);
    return true;
}

static bool sprite_read_head(sprite_source *s, tl_sprite_head *head, trilo_error *err)
{
    const size_t size = tl_layout_size(&tl_sprite_head_layout, TL_UNVERSIONED);
    if (tl_is_lfs_pointer(s->bytes.data, s->bytes.size))
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, UNKNOWN, 0,
                             "the file is only a pointer of Git LFS; \"git lfs pull\" fetches the image");
    if (s->bytes.size < size)
        return TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, UNKNOWN, 0,
                             "the file is neither PNG nor JPEG, and with %zu bytes too short for a sprite",
                             s->bytes.size);
    if (tl_get_u32be(s->bytes.data) == 0 &&
        (memcmp(s->bytes.data + 4, "H264", 4) == 0 || memcmp(s->bytes.data + 4, "BC1Q", 4) == 0))
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, UNKNOWN, 4,
                             "sprites of the kind %.4s cannot be read; make one without loss",
                             (const char *)s->bytes.data + 4);
    tl_layout_load(&tl_sprite_head_layout, TL_UNVERSIONED, s->bytes.data, head);
    s->texels = tl_sprite_texels(head);
    if (s->texels == TRILO_TEXELS_UNKNOWN || (head->format == 0 && head->depth != 2 && head->depth != 4))
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, UNKNOWN, 4,
                             "the file is neither PNG nor JPEG nor a sprite: there is no texel format %u",
                             head->format & TL_SPRITE_FORMAT);
    s->width = head->width;
    s->height = head->height;
    return true;
}

static bool sprite_find_texels(sprite_source *s, trilo_error *err)
{
    tl_sprite_head head;
    if (!sprite_read_head(s, &head, err))
        return false;
    if (s->width == 0 || s->height == 0)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, 0,
                             "the sprite is %u by %u texels; each must be at least 1", s->width, s->height);
    const size_t first = tl_layout_size(&tl_sprite_head_layout, TL_UNVERSIONED),
                 row = tl_texels_row_bytes(s->texels, s->width);
    const bool elsewhere = head.format & TL_SPRITE_ELSEWHERE;
    s->start = s->extra = first;
    if (elsewhere) { /* since version 6 the texels may be stored after the records */
        const size_t at = first + tl_sprite_detail_at();
        tl_sprite_detail detail;
        if (!tl_fits(s->bytes.size, at, 1, tl_layout_size(&tl_sprite_detail_layout, TL_SPRITE_2026)))
            return TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, s->bytes.size,
                                 "the sprite ends before the record that says where its texels are");
        tl_layout_load(&tl_sprite_detail_layout, TL_SPRITE_2026, s->bytes.data + at, &detail);
        s->start = detail.texels;
    }
    if (s->start < first || !tl_fits(s->bytes.size, s->start, s->height, row))
        return TL_IMAGE_FAIL(
            err, TRILO_CODE_TRUNCATED, TRUNCATED, s->bytes.size,
            "a sprite of %u by %u %s texels needs %llu bytes from byte %zu on, but the file ends at %zu: it is "
            "truncated, or neither a sprite nor PNG nor JPEG",
            s->width, s->height, trilo_texels_name(s->texels), (unsigned long long)row * s->height, s->start,
            s->bytes.size);
    const size_t size = row * s->height;
    if (!elsewhere)
        s->extra = head.format & TL_SPRITE_EXTRA
                       ? first + (size + TL_SPRITE_ALIGN - 1) / TL_SPRITE_ALIGN * TL_SPRITE_ALIGN
                       : 0;
    return true;
}

/* A mipmap or the detail texture instead of the first image. */
static bool sprite_find_image(sprite_source *s, uint32_t index, trilo_error *err)
{
    const size_t each = tl_layout_size(&tl_sprite_image_layout, TL_UNVERSIONED);
    const size_t at = s->extra + tl_sprite_images_at() + (index - 1) * each;
    tl_sprite_image image = {0};
    if (s->extra > 0 && index <= TL_SPRITE_IMAGES && tl_fits(s->bytes.size, at, 1, each))
        tl_layout_load(&tl_sprite_image_layout, TL_UNVERSIONED, s->bytes.data + at, &image);
    s->texels = tl_texels_numbered(image.format_offset >> TL_SPRITE_FORMAT_SHIFT & TL_SPRITE_FORMAT);
    s->width = image.width;
    s->height = image.height;
    s->start = image.format_offset & ((1u << TL_SPRITE_FORMAT_SHIFT) - 1);
    if (image.width == 0 || image.height == 0 || s->texels == TRILO_TEXELS_UNKNOWN)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_REF, EMPTY, TRILO_NOWHERE, "the sprite has no image %u", index);
    return tl_fits(s->bytes.size, s->start, s->height, tl_texels_row_bytes(s->texels, s->width)) ||
           TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, s->bytes.size,
                         "image %u of the sprite is at byte %zu and does not end before the file does", index,
                         s->start);
}

bool tl_sprite_decode(tl_arena *arena, trilo_bytes bytes, uint32_t index, bool opaque, trilo_image *image,
                      trilo_error *err)
{
    sprite_source s = {.bytes = bytes};
    if (!sprite_find_texels(&s, err) || (index > 0 && !sprite_find_image(&s, index, err)))
        return false;
    if (tl_texel_format_of(s.texels)->colors > 0 && !sprite_read_palette(&s, err))
        return false;
    tl_pixel *pixels = tl_image_pixels(arena, s.width, s.height, err);
    if (!pixels)
        return false;
    const size_t size = tl_texels_row_bytes(s.texels, s.width);
    opaque = opaque && tl_texel_format_of(s.texels)->alpha_bits == 0;
    for (uint32_t y = 0; y < s.height; y++)
        for (uint32_t x = 0; x < s.width; x++) {
            tl_pixel *pixel = &pixels[(size_t)y * s.width + x];
            sprite_read_texel(&s, bytes.data + s.start + y * size, size, x, *pixel);
            (*pixel)[3] = opaque ? 255 : (*pixel)[3];
        }
    *image = (trilo_image){s.width, s.height, (const tl_pixel *)pixels};
    return true;
}
