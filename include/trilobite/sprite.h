/* sprite.h: makes libdragon's sprites from pixels. Needs no other library.
 *
 *     trilo_bitmap_decode -> trilo_image_resize -> trilo_sprite_encode
 *
 * With the rules of libdragon 2024 the texels are those of its own tool, mksprite, except for palettes, which are made
 * by trilo_image_quantize.
 */
#ifndef TRILOBITE_SPRITE_H
#define TRILOBITE_SPRITE_H

#include "trilobite/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- how far an image is from its source ---- */

typedef struct trilo_image_difference {
    double psnr;    /* dB, of the colours multiplied by alpha and, unless both are opaque, of alpha; 99 when equal */
    double delta_e; /* mean distance in Oklab, times 100, alpha considered: below 1 is hard to see */
} trilo_image_difference;

/* Both images must have the same size. */
TRILO_API trilo_image_difference trilo_image_compare(const trilo_image *a, const trilo_image *b);

/* ---- size ---- */

typedef struct trilo_resize_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    uint32_t width, height;
    bool repeat_s, repeat_t; /* the image is tiled: its edges are filtered with the opposite ones */
} trilo_resize_opts;

/* Filters in linear light with colours multiplied by alpha. NULL, with *err (which may be NULL): a size of 0, or above
 * the limit of images, or no memory. Free it with trilo_image_free. */
TRILO_API const trilo_image *trilo_image_resize(const trilo_image *image, const trilo_resize_opts *opts,
                                                trilo_error *err);

/* ---- palettes ---- */

typedef enum trilo_dither {
    TRILO_DITHER_NONE,
    TRILO_DITHER_ORDERED,        /* Bayer's matrix */
    TRILO_DITHER_FLOYD_STEINBERG /* error diffusion */
} trilo_dither;

/* Colours that RGBA16 can store. */
typedef struct trilo_palette {
    uint32_t count;
    uint8_t colors[256][4]; /* RGBA; alpha is 0 or 255 */
} trilo_palette;

typedef struct trilo_quantize_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    uint32_t colors; /* at most; 0: 256 */
    trilo_dither dither;
} trilo_quantize_opts;

/* One palette for all the images. indices[i] gets width * height indices of images[i]; `indices` may be NULL. */
TRILO_API bool trilo_image_quantize(const trilo_image *images, size_t image_count, const trilo_quantize_opts *opts,
                                    trilo_palette *palette, uint8_t *const *indices, trilo_error *err);

typedef struct trilo_share_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    const trilo_texels *texels; /* of each image: CI4 images share with CI4 images, CI8 with CI8, others with none;
                                   NULL: all are CI8 */
    double max_delta_e;         /* of an image with a shared palette; 0: 2 */
} trilo_share_opts;

typedef struct trilo_shared_image {
    uint32_t palette;                     /* index of its palette; TRILO_NONE: its format has none */
    uint32_t image_count;                 /* that have this palette, itself included */
    trilo_image_difference alone, shared; /* with a palette of its own, and with that one; not dithered */
} trilo_shared_image;

/* Groups images so that each group has one palette and no image is farther from its source than allowed; an image that
 * would be keeps its own. Both arrays have room for `image_count`; *palette_count (which may be NULL) is the number of
 * palettes. */
TRILO_API bool trilo_palettes_share(const trilo_image *images, uint32_t image_count, const trilo_share_opts *opts,
                                    trilo_shared_image *shared, trilo_palette *palettes, uint32_t *palette_count,
                                    trilo_error *err);

/* ---- sprites ---- */

/* Which libdragon reads the sprite: header, compression and the rules of its tool depend on it. */
typedef enum trilo_sprite_target {
    TRILO_SPRITE_TARGET_LIBDRAGON_2026, /* header version 6, DCA5 */
    TRILO_SPRITE_TARGET_LIBDRAGON_2024  /* header version 4, DCA3 */
} trilo_sprite_target;

/* Sprites of two images that are drawn over each other. */
typedef enum trilo_sprite_layers {
    TRILO_SPRITE_LAYERS_NONE,
    TRILO_SPRITE_LAYERS_IHQ, /* RGBA16 at an eighth of the size, and a detail texture of intensities at full size */
    TRILO_SPRITE_LAYERS_SHQ  /* intensities at full size, and RGBA16 at a quarter of the size that is subtracted */
} trilo_sprite_layers;

/* How a texture is sampled along an axis. */
typedef struct trilo_sprite_sampling {
    float translate; /* texels */
    float repeats;   /* TRILO_N64_REPEATS_ENDLESS: without end */
    int16_t scale;   /* a power of two; negative: it looks smaller */
    bool mirror;     /* every second repetition */
} trilo_sprite_sampling;

typedef struct trilo_sprite_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    trilo_sprite_target target;
    trilo_texels texels; /* unknown: trilo_sprite_texels without a path */
    bool mipmaps;        /* as many as fit TMEM */
    bool gamma;          /* colours for a console whose video output corrects gamma */
    bool quality;        /* round instead of truncate, luma instead of red, mipmaps by trilo_image_resize */
    trilo_dither dither; /* of palettes; of other formats with `quality`, weaker where truncation would be closer */
    const trilo_palette *palette;          /* of CI4 and CI8; NULL: one is made, or that of the bitmap is kept */
    const trilo_sprite_sampling *sampling; /* S and T; NULL: none is stored */
    bool detail;
    const trilo_bitmap *detail_bitmap;            /* NULL: the image is its own detail texture */
    trilo_texels detail_texels;                   /* unknown: as for the image; formats with a palette are refused */
    float detail_factor;                          /* 0: 0.5 */
    const trilo_sprite_sampling *detail_sampling; /* S and T; NULL: it repeats without end, at half the size */
    uint8_t hslices, vslices;                     /* 0: one for each 16 texels */
    uint32_t compress;                            /* 1: as an asset, with LZ4; 0: not */
    trilo_sprite_layers layers;                   /* not NONE: texels, palette and detail are not used */
} trilo_sprite_opts;

typedef struct trilo_sprite {
    trilo_bytes bytes; /* the file */
    trilo_texels texels;
    uint32_t width, height;
    uint32_t mipmap_count;
    uint32_t color_count; /* of the palette; 0: none */
    bool quantized;       /* the palette was made */
    uint32_t tmem_used, tmem_limit;
    bool fits_tmem;
    trilo_image image;                 /* as the console shows it; opaque if it only has an intensity */
    trilo_image_difference difference; /* of `image` from the bitmap */
} trilo_sprite;

/* NULL, with *err (which may be NULL), on failure. */
TRILO_API const trilo_sprite *trilo_sprite_encode(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts,
                                                  trilo_error *err);
TRILO_API void trilo_sprite_free(const trilo_sprite *sprite); /* may be NULL */

/* An image cut into pieces that each fit TMEM. */
typedef struct trilo_sprite_pieces {
    uint32_t width, height;             /* of a piece: powers of two; at the right and lower edge it may be less */
    uint32_t columns, rows, count;      /* count = columns * rows */
    const trilo_sprite *const *sprites; /* row by row */
} trilo_sprite_pieces;

/* Cuts the image into as few pieces as possible. All pieces have the palette of the options, or one that is made for
 * the whole image. NULL, with *err (which may be NULL), on failure. */
TRILO_API const trilo_sprite_pieces *trilo_sprite_split(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts,
                                                        trilo_error *err);
TRILO_API void trilo_sprite_pieces_free(const trilo_sprite_pieces *pieces); /* may be NULL */

/* Number 0 is the image, 1 to 6 its mipmaps, 7 the detail texture; opaque if it only has an intensity. NULL with
 * TRILO_CODE_BAD_REF: there is none with that number. `memory` may be NULL. Free it with trilo_image_free. */
TRILO_API const trilo_image *trilo_sprite_decode(trilo_bytes bytes, uint32_t index, const trilo_memory *memory,
                                                 trilo_error *err);

/* The format that mksprite gives an image: by its path (NULL: none), otherwise by what it stores. */
TRILO_API trilo_texels trilo_sprite_texels(const trilo_bitmap *bitmap, const char *path, trilo_sprite_target target);

/* ---- the smallest sufficient format ---- */

typedef struct trilo_plan_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    const trilo_sprite_opts *sprite; /* how it will be encoded; a format there is the only candidate; NULL: defaults */
    double max_delta_e;              /* 0: 2, which is hardly visible */
    /* The other texture of the same material, if there is one. Both must fit TMEM. With it only formats without a
     * palette are candidates, because Tiny3D loads both palettes to the same place; if the other has one nevertheless,
     * only formats with a palette are. */
    trilo_texels other_texels; /* unknown: there is none, or it is not planned yet */
    uint32_t other_width, other_height;
    bool other_later;  /* it is planned later: half of TMEM is left to it */
    bool power_of_two; /* as textures that repeat need it */
    bool any_size;     /* do not resize what does not fit TMEM */
} trilo_plan_opts;

/* Why a format was chosen or rejected. */
typedef enum trilo_plan_verdict {
    TRILO_PLAN_VERDICT_CHOSEN,
    TRILO_PLAN_VERDICT_LARGER,  /* a smaller one is sufficient */
    TRILO_PLAN_VERDICT_ERROR,   /* too far from the image */
    TRILO_PLAN_VERDICT_COLORS,  /* too far: it has only an intensity, the image has colours */
    TRILO_PLAN_VERDICT_ALPHA,   /* it has no alpha of its own, the image has */
    TRILO_PLAN_VERDICT_PALETTE, /* the other texture of the material does not allow its palette, or needs one */
    TRILO_PLAN_VERDICT_TMEM     /* no size of it fits TMEM */
} trilo_plan_verdict;

typedef struct trilo_plan_candidate {
    trilo_texels texels;
    uint32_t width, height;
    uint32_t tmem_used, tmem_limit;
    uint32_t size;                     /* bytes of the file, not compressed; 0: it was not tried */
    trilo_image_difference difference; /* from the image at its size, or at 65,536 pixels if it has more */
    trilo_plan_verdict verdict;
} trilo_plan_candidate;

enum { TRILO_PLAN_CANDIDATES = 9 };

typedef struct trilo_sprite_plan {
    uint32_t chosen;   /* the candidate */
    bool within_error; /* false: no format is, and the closest was chosen */
    uint32_t candidate_count;
    trilo_plan_candidate candidates[TRILO_PLAN_CANDIDATES]; /* the smallest first */
} trilo_sprite_plan;

/* The smallest format that is close enough, in the largest size that fits TMEM. False, with *err (which may be NULL),
 * when none fits or memory runs out. */
TRILO_API bool trilo_sprite_plan_make(const trilo_bitmap *bitmap, const trilo_plan_opts *opts, trilo_sprite_plan *plan,
                                      trilo_error *err);
TRILO_API const char *trilo_plan_verdict_text(trilo_plan_verdict verdict); /* "the image has colours" */

#ifdef __cplusplus
}
#endif
#endif
