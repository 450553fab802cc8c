/* Decodes image files of any supported kind. */
#include "base/opts.h"
#include "base/size.h"
#include "container/dca.h"
#include "container/sprite.h"
#include "image/image.h"
#include "trilobite/model.h"
#include "trilobite/sprite.h"

tl_image_owned *tl_image_new(const trilo_memory *memory, trilo_error *err)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    tl_image_owned *owned = TL_NEW(&arena, tl_image_owned);
    if (owned)
        owned->arena = arena;
    else
        tl_fail_memory(err);
    return owned;
}

void trilo_image_free(const trilo_image *image)
{
    if (!image)
        return;
    tl_image_owned *owned = (tl_image_owned *)(uintptr_t)image;
    tl_arena arena = owned->arena; /* the struct is allocated from it */
    tl_arena_free(&arena);
}

void trilo_bitmap_free(const trilo_bitmap *bitmap)
{
    trilo_image_free(bitmap ? &bitmap->image : NULL);
}

tl_pixel *tl_image_pixels(tl_arena *arena, uint32_t width, uint32_t height, trilo_error *err)
{
    if (width == 0 || height == 0) {
        TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE,
                      "the image is %u by %u pixels; each must be at least 1", width, height);
        return NULL;
    }
    if (width > TRILO_IMAGE_PIXELS / height) {
        TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, LIMIT, TRILO_NOWHERE, "the image is %u by %u pixels; at most %u are read",
                      width, height, TRILO_IMAGE_PIXELS);
        return NULL;
    }
    tl_pixel *pixels = tl_array_raw(arena, (size_t)width * height, sizeof *pixels);
    if (!pixels)
        tl_fail_memory(err);
    return pixels;
}

void *trilo_decode_alloc(trilo_decode_memory *memory, size_t size)
{
    return tl_array((tl_arena *)memory, size, 1);
}

/* What a decoder of the caller gives is checked as a file is. */
static bool image_check_bitmap(const trilo_bitmap *bitmap, trilo_error *err)
{
    const trilo_image *image = &bitmap->image;
    bool ok = image->width > 0 && image->height > 0 && image->pixels &&
              image->width <= TRILO_IMAGE_PIXELS / image->height && bitmap->color_count <= 256 &&
              (bitmap->kind == TRILO_PIXEL_KIND_INDEXED) == (bitmap->indices != NULL) &&
              (bitmap->color_count > 0) == (bitmap->colors != NULL);
    for (size_t i = 0; ok && bitmap->indices && i < (size_t)image->width * image->height; i++)
        ok = bitmap->indices[i] < bitmap->color_count;
    return ok || TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE,
                               "the decoder gave no pixels, too many, or indices without colours");
}

static bool image_decode_file(const trilo_decode_opts *opts, trilo_bytes bytes, tl_image_owned *owned, trilo_error *err)
{
    const trilo_image_kind kind = trilo_image_probe(bytes, NULL, NULL);
    trilo_bitmap *bitmap = &owned->bitmap;
    if (kind != TRILO_IMAGE_KIND_PNG && kind != TRILO_IMAGE_KIND_JPEG)
        return tl_sprite_decode(&owned->arena, bytes, 0, false, &bitmap->image, err);
    if (!opts->decode)
        return kind == TRILO_IMAGE_KIND_PNG ? tl_png_read(&owned->arena, bytes, bitmap, err)
                                            : tl_jpeg_read(&owned->arena, bytes, bitmap, err);
    return opts->decode(opts->decode_user, kind, bytes, (trilo_decode_memory *)&owned->arena, bitmap, err) &&
           image_check_bitmap(bitmap, err);
}

const trilo_bitmap *trilo_bitmap_decode(trilo_bytes bytes, const trilo_decode_opts *opts, trilo_error *err)
{
    trilo_decode_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    opts = &own;
    tl_image_owned *owned = tl_image_new(&opts->memory, err);
    if (!owned)
        return NULL;
    tl_arena scratch;
    tl_arena_init(&scratch, &opts->memory);
    /* Any asset may be compressed. */
    const size_t most = opts->memory.max_bytes ? opts->memory.max_bytes : (size_t)1 << 30;
    const bool ok = (!tl_dca_probe(bytes) || tl_dca_decompress(&scratch, bytes, most, &bytes, NULL, err)) &&
                    image_decode_file(opts, bytes, owned, err);
    tl_arena_free(&scratch);
    if (ok)
        return &owned->bitmap;
    trilo_bitmap_free(&owned->bitmap);
    return NULL;
}

static const trilo_image *image_decode_sprite(trilo_bytes bytes, uint32_t index, bool opaque,
                                              const trilo_memory *memory, trilo_error *err)
{
    tl_image_owned *owned = tl_image_new(memory, err);
    if (!owned)
        return NULL;
    tl_arena scratch;
    tl_arena_init(&scratch, memory);
    const size_t most = memory && memory->max_bytes ? memory->max_bytes : (size_t)1 << 30;
    const bool ok = (!tl_dca_probe(bytes) || tl_dca_decompress(&scratch, bytes, most, &bytes, NULL, err)) &&
                    tl_sprite_decode(&owned->arena, bytes, index, opaque, &owned->bitmap.image, err);
    tl_arena_free(&scratch);
    if (ok)
        return &owned->bitmap.image;
    trilo_bitmap_free(&owned->bitmap);
    return NULL;
}

const trilo_image *trilo_sprite_decode(trilo_bytes bytes, uint32_t index, const trilo_memory *memory, trilo_error *err)
{
    return image_decode_sprite(bytes, index, true, memory, err);
}

/* The last image of a sprite is its detail texture. */
const trilo_image *trilo_image_decode_mipmap(trilo_bytes bytes, uint32_t level, const trilo_memory *memory,
                                             trilo_error *err)
{
    const trilo_image_kind kind = trilo_image_probe(bytes, NULL, NULL);
    const bool sprite = kind != TRILO_IMAGE_KIND_PNG && kind != TRILO_IMAGE_KIND_JPEG;
    trilo_error own = {.code = TRILO_CODE_OK};
    const trilo_image *image =
        sprite && level > 0 && level < TL_SPRITE_IMAGES ? image_decode_sprite(bytes, level, false, memory, &own) : NULL;
    if (err)
        *err = own.code == TRILO_CODE_BAD_REF ? (trilo_error){.code = TRILO_CODE_OK} : own; /* there is no such level */
    return image;
}

const trilo_image *trilo_image_decode(trilo_bytes bytes, const trilo_memory *memory, trilo_error *err)
{
    const trilo_decode_opts opts = {.memory = memory ? *memory : (trilo_memory){0}};
    const trilo_bitmap *bitmap = trilo_bitmap_decode(bytes, &opts, err);
    return bitmap ? &bitmap->image : NULL;
}

static uint8_t image_keep_bits(uint8_t value, uint32_t bits)
{
    return (uint8_t)tl_texel_spread((uint32_t)value >> (8 - bits), bits);
}

const trilo_image *trilo_image_as_texels(const trilo_image *image, trilo_texels texels, const trilo_memory *memory,
                                         trilo_error *err)
{
    tl_image_owned *owned = tl_image_new(memory, err);
    tl_pixel *pixels = owned ? tl_image_pixels(&owned->arena, image->width, image->height, err) : NULL;
    if (!pixels) {
        trilo_image_free(owned ? &owned->bitmap.image : NULL);
        return NULL;
    }
    /* As mksprite does it: grey texels are made of red, an alpha of one bit is cut in the middle. */
    const tl_texel_format *format = tl_texel_format_of(texels);
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *from = image->pixels[i];
        for (int k = 0; k < 3; k++)
            pixels[i][k] = image_keep_bits(from[format->grey ? 0 : k], format->color_bits);
        pixels[i][3] = format->alpha_bits == 0 ? pixels[i][0] : image_keep_bits(from[3], format->alpha_bits);
    }
    owned->bitmap.image = (trilo_image){image->width, image->height, (const tl_pixel *)pixels};
    return &owned->bitmap.image;
}
