/* An image that does not fit TMEM, cut into pieces that do. */
#include "base/opts.h"
#include "image/sprite/sprite_encode.h"

#include <string.h>

enum { SPLIT_SIDE_LEAST = 4, SPLIT_SIDE_MOST = 1024, SPLIT_PIECES_MOST = 1024 };

typedef struct split_owned {
    trilo_sprite_pieces pieces; /* first, so that a pointer to it is a pointer to the whole */
    tl_arena arena;
} split_owned;

static bool split_fits(const trilo_sprite_opts *opts, uint32_t width, uint32_t height)
{
    tl_tmem tmem = {.bytes = 0};
    do
        tl_tmem_add(&tmem, opts->texels, width, height);
    while (opts->mipmaps && (width /= 2) >= SPLIT_SIDE_LEAST && (height /= 2) >= SPLIT_SIDE_LEAST);
    return tl_tmem_fits(&tmem);
}

/* Powers of two, so that a piece may repeat, and the fewest pieces; of equal numbers the most square ones. */
static void split_choose(const trilo_sprite_opts *opts, uint32_t width, uint32_t height, trilo_sprite_pieces *pieces)
{
    uint64_t fewest = UINT64_MAX, shortest = 0;
    for (uint32_t w = SPLIT_SIDE_LEAST; w <= SPLIT_SIDE_MOST; w *= 2)
        for (uint32_t h = SPLIT_SIDE_LEAST; h <= SPLIT_SIDE_MOST; h *= 2) {
            const uint32_t columns = (width + w - 1) / w, rows = (height + h - 1) / h;
            const uint64_t count = (uint64_t)columns * rows, perimeter = w + h;
            if (!split_fits(opts, w, h) || count > fewest || (count == fewest && perimeter >= shortest))
                continue;
            fewest = count;
            shortest = perimeter;
            pieces->width = w, pieces->height = h;
            pieces->columns = columns, pieces->rows = rows;
        }
}

static bool split_encode(split_owned *owned, const trilo_image *image, const trilo_sprite_opts *opts,
                         const trilo_sprite **sprites, trilo_error *err)
{
    trilo_sprite_pieces *pieces = &owned->pieces;
    tl_pixel *pixels = tl_array_raw(&owned->arena, (size_t)pieces->width * pieces->height, sizeof *pixels);
    if (!pixels)
        return tl_fail_memory(err);
    for (uint32_t row = 0; row < pieces->rows; row++)
        for (uint32_t column = 0; column < pieces->columns; column++) {
            const uint32_t left = column * pieces->width, top = row * pieces->height;
            trilo_bitmap piece = {.image = {pieces->width, pieces->height, (const tl_pixel *)pixels}};
            if (left + piece.image.width > image->width)
                piece.image.width = image->width - left;
            if (top + piece.image.height > image->height)
                piece.image.height = image->height - top;
            for (uint32_t y = 0; y < piece.image.height; y++)
                memcpy(pixels + (size_t)y * piece.image.width, image->pixels + (size_t)(top + y) * image->width + left,
                       piece.image.width * sizeof *pixels);
            sprites[pieces->count] = trilo_sprite_encode(&piece, opts, err);
            if (!sprites[pieces->count])
                return false;
            pieces->count++;
        }
    return true;
}

const trilo_sprite_pieces *trilo_sprite_split(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts,
                                              trilo_error *err)
{
    trilo_sprite_opts own;
    trilo_palette palette;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    if (own.texels == TRILO_TEXELS_UNKNOWN)
        own.texels = trilo_sprite_texels(bitmap, NULL, own.target);
    const uint32_t colors = tl_texel_format_of(own.texels)->colors;
    const trilo_quantize_opts quantize = {.memory = own.memory, .colors = colors};
    if (colors > 0 && !own.palette) {
        if (!trilo_image_quantize(&bitmap->image, 1, &quantize, &palette, NULL, err))
            return NULL;
        own.palette = &palette;
    }
    tl_arena arena;
    tl_arena_init(&arena, &own.memory);
    split_owned *owned = TL_NEW(&arena, split_owned);
    if (!owned) {
        tl_fail_memory(err);
        return NULL;
    }
    owned->arena = arena;
    trilo_sprite_pieces *pieces = &owned->pieces;
    split_choose(&own, bitmap->image.width, bitmap->image.height, pieces);
    const uint64_t count = (uint64_t)pieces->columns * pieces->rows;
    const trilo_sprite **sprites =
        count <= SPLIT_PIECES_MOST ? TL_ARRAY(&owned->arena, (size_t)count, const trilo_sprite *) : NULL;
    bool ok = sprites != NULL;
    pieces->sprites = sprites;
    if (count > SPLIT_PIECES_MOST)
        TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, SPRITE, TRILO_NOWHERE,
                      "%u by %u pixels would be more than %d pieces; make the image smaller", bitmap->image.width,
                      bitmap->image.height, SPLIT_PIECES_MOST);
    else
        ok = ok ? split_encode(owned, &bitmap->image, &own, sprites, err) : tl_fail_memory(err);
    if (ok)
        return pieces;
    trilo_sprite_pieces_free(pieces);
    return NULL;
}

void trilo_sprite_pieces_free(const trilo_sprite_pieces *pieces)
{
    if (!pieces)
        return;
    for (uint32_t i = 0; i < pieces->count; i++)
        trilo_sprite_free(pieces->sprites[i]);
    tl_arena arena = ((const split_owned *)(const void *)pieces)->arena; /* it also holds the struct */
    tl_arena_free(&arena);
}
