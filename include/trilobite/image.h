/* image.h: decodes image files of textures, and writes still and animated images. */
#ifndef TRILOBITE_IMAGE_H
#define TRILOBITE_IMAGE_H

#include "trilobite/error.h"
#include "trilobite/memory.h"
#include "trilobite/n64.h"
#include "trilobite/write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* RGBA pixels (alpha 255: opaque, not premultiplied), row by row from the top. */
typedef struct trilo_image {
    uint32_t width, height;
    const uint8_t (*pixels)[4]; /* width * height */
} trilo_image;

/* The largest image that is read: 4096 by 4096 pixels. More is TRILO_CODE_LIMIT. */
#define TRILO_IMAGE_PIXELS (UINT32_C(1) << 24)

/* Decodes an image file: PNG, JPEG, or the first image of a libdragon sprite in any texel format, also if compressed as
 * an asset. Returns NULL and fills *err (which may be NULL) if it is not an image, damaged, too large, or of a kind
 * that the library was built without (TRILO_CODE_UNSUPPORTED). Free it with trilo_image_free. `memory` may be NULL. */
TRILO_API const trilo_image *trilo_image_decode(trilo_bytes bytes, const trilo_memory *memory, trilo_error *err);
/* A mipmap of a sprite: level 1 is half as large as the first image. NULL with TRILO_CODE_OK in *err if the file has no
 * such level; other files than sprites have none. */
TRILO_API const trilo_image *trilo_image_decode_mipmap(trilo_bytes bytes, uint32_t level, const trilo_memory *memory,
                                                       trilo_error *err);
TRILO_API void trilo_image_free(const trilo_image *image); /* also of trilo_image_as_texels; may be NULL */

/* How a file stores its pixels. */
typedef enum trilo_pixel_kind {
    TRILO_PIXEL_KIND_RGBA,
    TRILO_PIXEL_KIND_RGB,
    TRILO_PIXEL_KIND_GREY,
    TRILO_PIXEL_KIND_GREY_ALPHA,
    TRILO_PIXEL_KIND_INDEXED
} trilo_pixel_kind;

/* An image, and what its file says besides the pixels. */
typedef struct trilo_bitmap {
    trilo_image image;
    trilo_pixel_kind kind;
    uint32_t bits;              /* of a channel or an index; 0: 8 */
    const uint8_t *indices;     /* width * height, each below color_count; NULL unless indexed */
    uint32_t color_count;       /* at most 256; 0 unless indexed */
    const uint8_t (*colors)[4]; /* the palette, RGBA */
} trilo_bitmap;

/* Memory of a bitmap that is decoded; it is freed with the bitmap. NULL: there is no more. */
typedef struct trilo_decode_memory trilo_decode_memory;
TRILO_API void *trilo_decode_alloc(trilo_decode_memory *memory, size_t size);

/* Decodes a PNG or JPEG file into *bitmap, which is zero-filled; arrays come from `memory`. False, with *err filled:
 * the file cannot be decoded. */
typedef bool trilo_decode_fn(void *user, trilo_image_kind kind, trilo_bytes bytes, trilo_decode_memory *memory,
                             trilo_bitmap *bitmap, trilo_error *err);

typedef struct trilo_decode_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    trilo_decode_fn *decode; /* NULL: libspng (or libpng) and TurboJPEG, if the library was built with them */
    void *decode_user;
} trilo_decode_opts;

/* As trilo_image_decode, with a decoder of your own for PNG and JPEG, and with the palette of an indexed PNG. */
TRILO_API const trilo_bitmap *trilo_bitmap_decode(trilo_bytes bytes, const trilo_decode_opts *opts, trilo_error *err);
TRILO_API void trilo_bitmap_free(const trilo_bitmap *bitmap); /* may be NULL */

/* The image as the console sees it in that texel format: quantized, converted to intensity, or with intensity as alpha.
 * No palette is made: CI4 and CI8 are treated as RGBA16. For an unknown format it is a copy. Returns NULL when memory
 * runs out. */
TRILO_API const trilo_image *trilo_image_as_texels(const trilo_image *image, trilo_texels texels,
                                                   const trilo_memory *memory, trilo_error *err);

/* File formats that images can be written to. */
typedef enum trilo_picture_kind {
    TRILO_PICTURE_KIND_PNG,  /* only the first frame */
    TRILO_PICTURE_KIND_APNG, /* animated PNG */
    TRILO_PICTURE_KIND_GIF,  /* 256 colours per frame */
    TRILO_PICTURE_KIND_ANSI  /* text for a terminal with 24-bit colours, two rows of pixels per line; the first frame */
} trilo_picture_kind;

/* Provides frame number `index`. Frames are requested in order, each once; a frame must stay valid until the next is
 * requested. All frames have the same size. */
typedef bool trilo_frame_fn(void *user, uint32_t index, trilo_image *frame, trilo_error *err);

typedef struct trilo_picture_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    trilo_picture_kind kind;
    uint32_t frame_count; /* 0: 1 */
    double frame_rate;    /* frames per second, 0: 25; a GIF rounds to hundredths of a second */
} trilo_picture_opts;

/* Returns false and fills *err (which may be NULL) if a frame cannot be made or written. */
TRILO_API bool trilo_picture_write(const trilo_picture_opts *opts, trilo_frame_fn *frame, void *frame_user,
                                   trilo_write_fn *sink, void *sink_user, trilo_error *err);

/* Writes one image. */
TRILO_API bool trilo_image_write(const trilo_image *image, trilo_picture_kind kind, trilo_write_fn *sink, void *user,
                                 trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
