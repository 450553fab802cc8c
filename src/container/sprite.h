/* sprite.h: the records of libdragon's sprites. Pixels are not decoded. */
#ifndef TL_CONTAINER_SPRITE_H
#define TL_CONTAINER_SPRITE_H

#include "layout/layout.h"
#include "n64/texels.h"

enum {
    TL_SPRITE_IMAGES = 7, /* besides the first: mipmaps and a detail texture */
    TL_SPRITE_ALIGN = 8,  /* of everything after the texels */
    /* Of tl_sprite_head.format: */
    TL_SPRITE_FORMAT = 0x1F,
    TL_SPRITE_ELSEWHERE = 0x40,
    TL_SPRITE_EXTRA = 0x80,
    /* Of tl_sprite_flags.flags: */
    TL_SPRITE_IMAGE_COUNT = 7, /* a mask */
    TL_SPRITE_HAS_SAMPLING = 0x08,
    TL_SPRITE_HAS_DETAIL = 0x10,
    TL_SPRITE_FITS_TMEM = 0x20,
    TL_SPRITE_SHQ = 0x40,
    /* Versions of the records after the texels: */
    TL_SPRITE_2024 = 4,
    TL_SPRITE_2026 = 6,
    TL_SPRITE_DETAIL = TL_SPRITE_IMAGES - 1, /* the image that is the detail texture */
    TL_SPRITE_SAMPLINGS = 4,                 /* S and T of the image, S and T of the detail texture */
    TL_SPRITE_FORMAT_SHIFT = 24              /* of tl_sprite_image.format_offset */
};

typedef struct tl_sprite_head {
    uint16_t width, height;
    uint8_t depth;  /* bytes per texel, only in old files */
    uint8_t format; /* of texels in the low bits, and flags */
    uint8_t slices[2];
} tl_sprite_head;

typedef struct tl_sprite_extra {
    uint16_t size, version;
    uint32_t palette;
} tl_sprite_extra;

typedef struct tl_sprite_image {
    uint16_t width, height;
    uint32_t format_offset; /* format in the high bits, offset in the low bits */
} tl_sprite_image;

typedef struct tl_sprite_flags {
    uint16_t flags;
    uint8_t colors, reserved;
} tl_sprite_flags;

typedef struct tl_sprite_sampling {
    float translate, repeats;
    int16_t scale;
    uint8_t mirror, reserved;
} tl_sprite_sampling;

typedef struct tl_sprite_detail {
    float factor;
    uint8_t reuses, padding[3];
    uint32_t texels;
} tl_sprite_detail;

/* In this order after the texels: extra, image 7 times, flags, sampling 4 times, detail. Only detail depends on the
 * version. */
extern const tl_layout tl_sprite_head_layout, tl_sprite_extra_layout, tl_sprite_image_layout, tl_sprite_flags_layout,
    tl_sprite_sampling_layout, tl_sprite_detail_layout;
/* Offsets from the record `extra`. */
size_t tl_sprite_images_at(void), tl_sprite_flags_at(void), tl_sprite_samplings_at(void), tl_sprite_detail_at(void);

typedef struct tl_sprite {
    trilo_texels texels; /* of the first image */
    uint32_t width, height, image_count;
    tl_tmem tmem; /* of all images */
} tl_sprite;

/* Returns false if it is not a sprite, or its texels are missing. */
bool tl_sprite_read(trilo_bytes bytes, tl_sprite *sprite);
/* The smallest format that shows the same texels as the first image, and how many distinct ones there are (257 means
 * more). Unknown: there is no smaller one. */
trilo_texels tl_sprite_smaller_texels(trilo_bytes bytes, uint32_t *distinct);
/* The colours of the palette, RGBA16; empty: there are none. */
trilo_bytes tl_sprite_palette(trilo_bytes bytes);
/* The same for one image of which only format and size are known. */
tl_sprite tl_sprite_of(trilo_texels texels, uint32_t width, uint32_t height);
/* Unknown for a number that no format has. */
trilo_texels tl_sprite_texels(const tl_sprite_head *head);

#endif
