/* texels.h: texel formats, and their use of the RDP's texture memory (TMEM). */
#ifndef TL_N64_TEXELS_H
#define TL_N64_TEXELS_H

#include "trilobite/n64.h"

typedef struct tl_texel_format {
    const char *name;
    uint8_t bits;
    uint8_t number;     /* in files: 4 times the RDP's format plus its size */
    uint16_t colors;    /* of the palette; 0: none */
    uint8_t color_bits; /* of each channel, or of the intensity */
    uint8_t alpha_bits; /* 0: the intensity is alpha as well */
    bool grey;          /* intensity instead of red, green and blue */
    bool split;         /* half of each texel in either half of TMEM */
} tl_texel_format;

/* Never NULL. */
const tl_texel_format *tl_texel_format_of(trilo_texels texels);
/* By the number in files; an unknown number gives the unknown format. */
trilo_texels tl_texels_numbered(uint32_t number);
/* All eight bits of a channel with `bits` bits, as the console spreads them: 5 bits abcde are abcdeabc. */
uint32_t tl_texel_spread(uint32_t level, uint32_t bits);
/* Of a row in a file. */
uint32_t tl_texels_row_bytes(trilo_texels texels, uint32_t width);

/* A palette takes the upper half. */
enum { TL_TMEM = 4096, TL_TMEM_HALF = TL_TMEM / 2, TL_TMEM_ROW_ALIGN = 8, TL_TMEM_PALETTE_COPIES = 4 };

/* The TMEM that images need together. */
typedef struct tl_tmem {
    uint32_t bytes;   /* pitch * height of all images; what is split has as much in the other half */
    uint32_t palette; /* in which each colour is stored four times */
    bool split;       /* some image is */
} tl_tmem;

/* Of a row in TMEM, in one half when it is split. */
uint32_t tl_tmem_pitch(trilo_texels texels, uint32_t width);
/* Adds an image; of an unknown format: nothing. */
void tl_tmem_add(tl_tmem *tmem, trilo_texels texels, uint32_t width, uint32_t height);
void tl_tmem_add_all(tl_tmem *tmem, const tl_tmem *other);
/* Bytes of texels, and how many there are room for: all of TMEM, or one half beside a palette. */
uint32_t tl_tmem_used(const tl_tmem *tmem);
uint32_t tl_tmem_limit(const tl_tmem *tmem);

static inline bool tl_tmem_fits(const tl_tmem *tmem)
{
    return tl_tmem_used(tmem) <= tl_tmem_limit(tmem);
}

#endif
