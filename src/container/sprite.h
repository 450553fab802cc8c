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
    TL_SPRITE_EXTRA = 0x80
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
    uint32_t place; /* format in the high bits, offset in the low bits */
} tl_sprite_image;

typedef struct tl_sprite_more {
    uint16_t flags;
    uint8_t colors, reserved;
    uint8_t sampling[48];
    float detail;
    uint8_t reuses, padding[3];
    uint32_t texels;
} tl_sprite_more;

extern const tl_layout tl_sprite_head_layout, tl_sprite_extra_layout, tl_sprite_image_layout, tl_sprite_more_layout;

typedef struct tl_sprite {
    trilo_texels texels; /* of the first image */
    uint32_t width, height, image_count;
    tl_tmem tmem; /* of all images */
} tl_sprite;

/* Returns false if it is not a sprite, or its texels are missing. */
bool tl_sprite_read(trilo_bytes bytes, tl_sprite *sprite);
/* The same for one image of which only format and size are known. */
tl_sprite tl_sprite_of(trilo_texels texels, uint32_t width, uint32_t height);
/* Unknown for a number that no format has. */
trilo_texels tl_sprite_texels(const tl_sprite_head *head);

#endif
