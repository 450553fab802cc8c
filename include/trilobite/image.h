/* image.h: pixels: reading the image files that textures come in, writing pictures and moving ones. */
#ifndef TRILOBITE_IMAGE_H
#define TRILOBITE_IMAGE_H

#include "trilobite/error.h"
#include "trilobite/memory.h"
#include "trilobite/n64.h"
#include "trilobite/write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Red, green, blue and alpha (255: opaque; colours are not multiplied with it), row by row from the top. */
typedef struct trilo_image {
    uint32_t width, height;
    const uint8_t (*pixels)[4]; /* width * height */
} trilo_image;

/* Most pixels of an image that is read: 4096 by 4096. More is TRILO_CODE_LIMIT. */
#define TRILO_IMAGE_PIXELS (UINT32_C(1) << 24)

/* The image in a file: PNG, JPEG or a sprite of libdragon (its first image, whatever its texels), compressed as an
 * asset or not. NULL, with *err (which may be NULL), when it is none, is broken, too large, or of a kind that the
 * library was built without (TRILO_CODE_UNSUPPORTED). Freed with trilo_image_free. `memory` may be NULL. */
TRILO_API const trilo_image *trilo_image_decode(trilo_bytes bytes, const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_image_free(const trilo_image *image); /* of trilo_image_decode and _as_texels; NULL is fine */

/* What the console sees of an image that is stored as such texels: fewer levels, grey ones, intensity as alpha.
 * Palettes are not counted: CI4 and CI8 are colours of RGBA16. Unknown: a copy. NULL when memory runs out. */
TRILO_API const trilo_image *trilo_image_as_texels(const trilo_image *image, trilo_texels texels,
                                                   const trilo_memory *memory, trilo_error *err);

/* Files that a picture can be written to. */
typedef enum trilo_picture_kind {
    TRILO_PICTURE_PNG,  /* the first frame alone */
    TRILO_PICTURE_APNG, /* a PNG that moves */
    TRILO_PICTURE_GIF, /* 256 colours in each frame; TRILO_CODE_UNSUPPORTED when the library was built without giflib */
    TRILO_PICTURE_ANSI /* text for a terminal of 24-bit colours: two rows of pixels in each line; the first frame */
} trilo_picture_kind;

/* Makes frame number `index` (they are asked for in their order, each once); it must stay until the next is asked for.
 * All frames have the same size. */
typedef bool trilo_frame_fn(void *user, uint32_t index, trilo_image *frame, trilo_error *err);

typedef struct trilo_picture_opts {
    uint32_t guard_begin; /* stays 0 */
    trilo_memory memory;
    trilo_picture_kind kind;
    uint32_t frame_count; /* 0: 1 */
    double frame_rate;    /* frames a second, 0: 25; a GIF counts in hundredths of a second */
    uint32_t guard_end;   /* stays 0 */
} trilo_picture_opts;

/* False, with *err (which may be NULL), when a frame could not be made, or the sink refuses. */
TRILO_API bool trilo_picture_write(const trilo_picture_opts *opts, trilo_frame_fn *frame, void *frame_user,
                                   trilo_write_fn *sink, void *sink_user, trilo_error *err);

/* One image, as a PNG or as text. */
TRILO_API bool trilo_image_write(const trilo_image *image, trilo_picture_kind kind, trilo_write_fn *sink, void *user,
                                 trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
