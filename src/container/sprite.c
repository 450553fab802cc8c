/* TMEM has 4096 bytes. Rows of an image start at multiples of 8 bytes there. Palettes take the upper half. */
#include "container/sprite.h"

#include <string.h>

enum {
    FORMAT_BITS = TL_SPRITE_FORMAT,
    ELSEWHERE = TL_SPRITE_ELSEWHERE,
    HAS_EXTRA = TL_SPRITE_EXTRA,
    FORMAT_SHIFT = 24, /* of tl_sprite_image.place */
    ROW_ALIGN = 8,
    COLORS_EACH = 8 /* bytes of a colour of a palette: four times two */
};

typedef struct texel_row {
    const char *name;
    uint32_t bits, colors; /* colors: of its palette */
    uint32_t number;       /* in files: 4 times the RDP's format and its size */
} texel_row;

static const texel_row rows[] = {
    [TRILO_TEXELS_UNKNOWN] = {"unknown", 0, 0, 0}, [TRILO_TEXELS_RGBA16] = {"RGBA16", 16, 0, 2},
    [TRILO_TEXELS_RGBA32] = {"RGBA32", 32, 0, 3},  [TRILO_TEXELS_YUV16] = {"YUV16", 16, 0, 6},
    [TRILO_TEXELS_CI4] = {"CI4", 4, 16, 8},        [TRILO_TEXELS_CI8] = {"CI8", 8, 256, 9},
    [TRILO_TEXELS_IA4] = {"IA4", 4, 0, 12},        [TRILO_TEXELS_IA8] = {"IA8", 8, 0, 13},
    [TRILO_TEXELS_IA16] = {"IA16", 16, 0, 14},     [TRILO_TEXELS_I4] = {"I4", 4, 0, 16},
    [TRILO_TEXELS_I8] = {"I8", 8, 0, 17},
};

const char *trilo_texels_name(trilo_texels texels)
{
    return (size_t)texels < TL_COUNT_OF(rows) ? rows[texels].name : rows[TRILO_TEXELS_UNKNOWN].name;
}

trilo_texels tl_texels_numbered(uint32_t number)
{
    for (size_t i = 1; i < TL_COUNT_OF(rows); i++)
        if (rows[i].number == number)
            return (trilo_texels)i;
    return TRILO_TEXELS_UNKNOWN;
}

static bool is_called(const char *name, const char *text, size_t length)
{
    if (strlen(name) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]) != name[i])
            return false;
    return true;
}

/* The path is cut at every point; the first piece that is a format counts. */
trilo_texels tl_texels_of_path(const char *path)
{
    for (const char *piece = path; *piece;) {
        const size_t length = strcspn(piece, ".");
        for (size_t i = 1; i < TL_COUNT_OF(rows); i++)
            if (i != TRILO_TEXELS_YUV16 && is_called(rows[i].name, piece, length))
                return (trilo_texels)i;
        piece += length + (piece[length] == '.');
    }
    return TRILO_TEXELS_UNKNOWN;
}

uint32_t tl_texels_row_bytes(trilo_texels texels, uint32_t width)
{
    return (width * rows[texels].bits + 7) / 8;
}

/* Sizes are 16 bits in files, so that nothing overflows but the product, which is cut at what no TMEM has. */
static void add_image(tl_sprite *sprite, trilo_texels texels, uint32_t width, uint32_t height)
{
    const uint32_t halves = texels == TRILO_TEXELS_RGBA32 ? 2 : 1;
    const uint32_t pitch = (tl_texels_row_bytes(texels, width) / halves + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
    const uint64_t sum = sprite->tmem + (uint64_t)halves * pitch * height;
    sprite->tmem = sum < INT32_MAX ? (uint32_t)sum : INT32_MAX;
    sprite->image_count++;
    sprite->wide |= halves == 2;
    if (rows[texels].colors * COLORS_EACH > sprite->palette)
        sprite->palette = rows[texels].colors * COLORS_EACH;
}

tl_sprite tl_sprite_of(trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_sprite sprite = {.texels = texels, .width = width, .height = height};
    if (texels != TRILO_TEXELS_UNKNOWN)
        add_image(&sprite, texels, width & UINT16_MAX, height & UINT16_MAX);
    return sprite;
}

/* Mipmaps and the detail texture are uploaded together with the image. */
static void add_images(trilo_bytes bytes, size_t at, tl_sprite *sprite)
{
    const size_t each = tl_layout_size(&tl_sprite_image_layout, 0);
    at += tl_layout_size(&tl_sprite_extra_layout, 0);
    for (uint32_t i = 0; i < TL_SPRITE_IMAGES && at + (i + 1) * each <= bytes.size; i++) {
        tl_sprite_image image;
        tl_layout_load(&tl_sprite_image_layout, 0, bytes.data + at + i * each, &image);
        const trilo_texels texels = tl_texels_numbered(image.place >> FORMAT_SHIFT & FORMAT_BITS);
        if (image.width > 0 && texels != TRILO_TEXELS_UNKNOWN)
            add_image(sprite, texels, image.width, image.height);
    }
}

bool tl_sprite_read(trilo_bytes bytes, tl_sprite *sprite)
{
    tl_sprite_head head;
    const size_t start = tl_layout_size(&tl_sprite_head_layout, 0);
    if (bytes.size < start)
        return false;
    tl_layout_load(&tl_sprite_head_layout, 0, bytes.data, &head);
    const trilo_texels old = head.depth == 2 ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_RGBA32;
    const trilo_texels texels = head.format == 0 ? old : tl_texels_numbered(head.format & FORMAT_BITS);
    const uint64_t size = (uint64_t)tl_texels_row_bytes(texels, head.width) * head.height;
    const uint64_t behind = start + (size + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
    if (texels == TRILO_TEXELS_UNKNOWN || head.width == 0 || head.height == 0 || (head.format & ELSEWHERE) ||
        start + size > bytes.size)
        return false;
    *sprite = tl_sprite_of(texels, head.width, head.height);
    if ((head.format & HAS_EXTRA) && behind < bytes.size)
        add_images(bytes, (size_t)behind, sprite);
    return true;
}
