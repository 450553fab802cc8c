/* sprite_encode.h: the steps from pixels to the file of a sprite, which implement trilobite/sprite.h. */
#ifndef TL_IMAGE_SPRITE_ENCODE_H
#define TL_IMAGE_SPRITE_ENCODE_H

#include "container/sprite.h"
#include "image/image.h"
#include "trilobite/sprite.h"

/* How texels are made of pixels. */
typedef struct tl_texel_rules {
    bool round;     /* to the nearest level, instead of truncating */
    bool luma;      /* intensity of colours: their luma, instead of red */
    bool stretch;   /* I formats: luma times alpha, stretched to the full range, unless the image is grey */
    uint8_t opaque; /* the least alpha that one bit stores as 1 */
    trilo_dither dither;
    uint8_t strength; /* of the dither, in quarters */
} tl_texel_rules;
/* Those of mksprite. */
tl_texel_rules tl_texel_rules_of(trilo_sprite_target target);

/* Texels of a format without a palette, rows as in the file. `shown` gets the pixels that they show, opaque when there
 * is only an intensity. NULL: no memory. */
uint8_t *tl_texels_store(tl_arena *arena, trilo_texels texels, const tl_texel_rules *rules, const trilo_image *image,
                         tl_pixel *shown);
/* The same with rounding, luma, and as much dither as is not farther from the image than what mksprite makes. */
uint8_t *tl_texels_store_best(tl_arena *arena, trilo_texels texels, trilo_sprite_target target, trilo_dither dither,
                              const trilo_image *image);
/* Indices as CI4 or CI8. */
uint8_t *tl_texels_store_indices(tl_arena *arena, trilo_texels texels, const uint8_t *indices, uint32_t width,
                                 uint32_t height);
/* A colour of a palette, as RGBA16. */
uint16_t tl_texels_rgba16(const tl_texel_rules *rules, const uint8_t *pixel);

/* The next smaller image: averages of 2 by 2 pixels, as mksprite makes them. False: no memory. */
bool tl_mipmap_halve(tl_arena *arena, const trilo_image *image, trilo_image *half, trilo_error *err);

/* The index of the nearest colour for each pixel, as mksprite finds it for mipmaps. */
void tl_mipmap_map(const trilo_image *image, const trilo_palette *palette, uint8_t *indices);

/* The index of the nearest colour for each pixel. False: no memory. */
bool tl_palette_map(tl_arena *arena, const trilo_image *image, const trilo_palette *palette, trilo_dither dither,
                    uint8_t *indices);

/* Two images that represent one (layers.c). */
typedef struct tl_layers {
    trilo_image main,
        second;        /* IHQ: small, and an intensity; SHQ: an intensity, and at half the size what to subtract */
    trilo_image shown; /* both together */
    int16_t scale[2];  /* IHQ: how much smaller the first is, as powers of two */
    float factor;      /* IHQ: of the second */
    trilo_image_difference difference;
} tl_layers;
bool tl_layers_ihq(tl_arena *arena, const trilo_image *image, trilo_sprite_target target, tl_layers *layers,
                   trilo_error *err);
bool tl_layers_shq(tl_arena *arena, const trilo_image *image, tl_layers *layers, trilo_error *err);

/* Bayer's 4 by 4 threshold matrix, 0 to 15. */
uint32_t tl_bayer(uint32_t x, uint32_t y);

#endif
