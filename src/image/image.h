/* image.h: readers and writers of image files, which implement trilobite/image.h. */
#ifndef TL_IMAGE_IMAGE_H
#define TL_IMAGE_IMAGE_H

#include "base/arena.h"
#include "base/report.h"
#include "base/sink.h"
#include "trilobite/image.h"

enum tl_image_rule_id {
    TL_IMAGE_R_UNKNOWN,
    TL_IMAGE_R_TRUNCATED,
    TL_IMAGE_R_BROKEN,
    TL_IMAGE_R_EMPTY,
    TL_IMAGE_R_LIMIT,
    TL_IMAGE_R_LIBRARY,
    TL_IMAGE_R_FRAMES,
    TL_IMAGE_R_SPRITE,
    TL_IMAGE_RULE_COUNT
};
extern const trilo_rule tl_image_rules[TL_IMAGE_RULE_COUNT];

/* Fails with a rule of images. Returns false. */
#define TL_IMAGE_FAIL(err, code, rule, offset, ...)                                                                    \
    tl_fail(err, code, &tl_image_rules[TL_IMAGE_R_##rule], offset, NULL, __VA_ARGS__)

typedef uint8_t tl_pixel[4];

/* An empty image that trilo_image_free frees; its arrays belong into its arena. NULL, with *err: no memory. */
typedef struct tl_image_owned {
    trilo_bitmap bitmap; /* first: its address, and that of its image, is that of the struct */
    tl_arena arena;
} tl_image_owned;
tl_image_owned *tl_image_new(const trilo_memory *memory, trilo_error *err);

/* Allocates width * height uninitialized pixels. Returns NULL and fills *err if there are none or too many. */
tl_pixel *tl_image_pixels(tl_arena *arena, uint32_t width, uint32_t height, trilo_error *err);

/* Each reads one kind of file. Fails with TRILO_CODE_UNSUPPORTED if the library for it is missing. */
bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err);
bool tl_jpeg_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err);
/* Deflate compresses at most 1032:1. A file too small for its pixels is refused before memory is allocated. */
static inline bool tl_png_size_is_plausible(uint64_t row_bytes, uint32_t height, size_t file_size)
{
    enum { DEFLATE_MAX_RATIO = 1032, SLACK = 4096 };
    return row_bytes * height / DEFLATE_MAX_RATIO <= (uint64_t)file_size + SLACK;
}
/* Image 0, mipmap 1 to 6, or 7, the detail texture. On the console an intensity is alpha as well, unless `opaque`.
 */
bool tl_sprite_decode(tl_arena *arena, trilo_bytes bytes, uint32_t index, bool opaque, trilo_image *image,
                      trilo_error *err);

/* The frames to write, all of the size of the first, and their destination. */
typedef struct tl_image_writer {
    const trilo_picture_opts *opts;
    uint32_t frame_count;
    double frame_rate;
    trilo_frame_fn *frame;
    void *frame_user;
    uint32_t width, height; /* 0 before the first frame */
    tl_sink sink;
    trilo_error *err;
} tl_image_writer;

/* Gets the next frame from the caller and checks its size. */
bool tl_image_writer_frame(tl_image_writer *writer, uint32_t index, trilo_image *frame);

/* `may_drop_alpha`: where all of it is 255. */
bool tl_png_write(const trilo_image *image, bool may_drop_alpha, const trilo_memory *memory, tl_sink *sink,
                  trilo_error *err);
bool tl_apng_write(tl_image_writer *writer);
bool tl_gif_write(tl_image_writer *writer);
void tl_ansi_write(const trilo_image *image, tl_sink *sink);

/* Quantizes an image to at most `most` colours (up to 256). `indices` gets a colour index for each pixel; pixels with
 * alpha below 128 get the index `most`. Returns false when memory runs out. */
bool tl_palette_make(const trilo_image *image, uint32_t most, tl_arena *arena, uint8_t (*colors)[3], uint32_t *count,
                     uint8_t *indices);

/* The CRC-32 of PNG. Start with 0 and pass the result on. */
uint32_t tl_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
