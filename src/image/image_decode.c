/* Decodes image files of any supported kind. */
#include "base/size.h"
#include "container/dca.h"
#include "container/sprite.h"
#include "image/image.h"
#include "trilobite/model.h"

typedef struct image_owned {
    trilo_image image; /* first: its address is that of the struct */
    tl_arena arena;
} image_owned;

static image_owned *image_new(const trilo_memory *memory, trilo_error *err)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    image_owned *owned = TL_NEW(&arena, image_owned);
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
    image_owned *owned = (image_owned *)(uintptr_t)image;
    tl_arena arena = owned->arena; /* the struct is allocated from it */
    tl_arena_free(&arena);
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

static const trilo_image *image_decode_level(trilo_bytes bytes, uint32_t level, const trilo_memory *memory,
                                             trilo_error *err)
{
    image_owned *owned = image_new(memory, err);
    if (!owned)
        return NULL;
    tl_arena scratch;
    tl_arena_init(&scratch, memory);
    /* Any asset may be compressed. */
    const size_t most = memory && memory->max_bytes ? memory->max_bytes : (size_t)1 << 30;
    bool ok = !tl_dca_probe(bytes) || tl_dca_decompress(&scratch, bytes, most, &bytes, NULL, err);
    if (ok) {
        const trilo_image_kind kind = trilo_image_probe(bytes, NULL, NULL);
        ok = level > 0 && kind != TRILO_IMAGE_UNKNOWN ? false
             : kind == TRILO_IMAGE_PNG                ? tl_png_read(&owned->arena, bytes, &owned->image, err)
             : kind == TRILO_IMAGE_JPEG               ? tl_jpeg_read(&owned->arena, bytes, &owned->image, err)
                                        : tl_sprite_decode(&owned->arena, bytes, level, &owned->image, err);
    }
    tl_arena_free(&scratch);
    if (ok)
        return &owned->image;
    trilo_image_free(&owned->image);
    return NULL;
}

const trilo_image *trilo_image_decode(trilo_bytes bytes, const trilo_memory *memory, trilo_error *err)
{
    return image_decode_level(bytes, 0, memory, err);
}

const trilo_image *trilo_image_decode_mipmap(trilo_bytes bytes, uint32_t level, const trilo_memory *memory,
                                             trilo_error *err)
{
    if (err)
        *err = (trilo_error){.code = TRILO_CODE_OK};
    return level > 0 ? image_decode_level(bytes, level, memory, err) : NULL;
}

/* The top bits of a value, spread over all eight again as the console does. */
static uint8_t image_keep_bits(uint8_t value, uint32_t bits)
{
    const uint32_t top = (uint32_t)value >> (8 - bits);
    uint32_t spread = top << (8 - bits);
    for (uint32_t have = bits; have < 8; have *= 2)
        spread |= spread >> have;
    return (uint8_t)spread;
}

const trilo_image *trilo_image_as_texels(const trilo_image *image, trilo_texels texels, const trilo_memory *memory,
                                         trilo_error *err)
{
    image_owned *owned = image_new(memory, err);
    tl_pixel *pixels = owned ? tl_image_pixels(&owned->arena, image->width, image->height, err) : NULL;
    if (!pixels) {
        trilo_image_free(owned ? &owned->image : NULL);
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
    owned->image = (trilo_image){image->width, image->height, (const tl_pixel *)pixels};
    return &owned->image;
}
