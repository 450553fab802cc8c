/* image.h: readers and writers of image files, behind trilobite/image.h. */
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
    TL_IMAGE_RULE_COUNT
};
extern const trilo_rule tl_image_rules[TL_IMAGE_RULE_COUNT];

/* Fails with a rule of images. */
#define TL_IMAGE_FAIL(err, code, rule, offset, ...)                                                                    \
    tl_fail(err, code, &tl_image_rules[TL_IMAGE_R_##rule], offset, NULL, __VA_ARGS__)

typedef uint8_t tl_pixel[4];

/* Memory for width * height pixels, which are not set; NULL, with *err, when there are none or too many. */
tl_pixel *tl_image_pixels(tl_arena *arena, uint32_t width, uint32_t height, trilo_error *err);

/* Each reads one kind of file; without its library it fails with TRILO_CODE_UNSUPPORTED. */
bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_image *image, trilo_error *err);
bool tl_jpeg_read(tl_arena *arena, trilo_bytes bytes, trilo_image *image, trilo_error *err);
bool tl_sprite_decode(tl_arena *arena, trilo_bytes bytes, trilo_image *image, trilo_error *err);

/* What writers are given: frames, all of the size of the first, and where to. */
typedef struct tl_picture {
    const trilo_picture_opts *opts;
    uint32_t frame_count;
    double frame_rate;
    trilo_frame_fn *frame;
    void *frame_user;
    uint32_t width, height; /* 0 before the first frame */
    tl_sink sink;
    trilo_error *err;
} tl_picture;

/* The next frame, looked at. */
bool tl_picture_frame(tl_picture *picture, uint32_t index, trilo_image *frame);

/* A whole PNG file. */
bool tl_png_write(const trilo_image *image, const trilo_memory *memory, tl_sink *sink, trilo_error *err);
bool tl_apng_write(tl_picture *picture);
bool tl_gif_write(tl_picture *picture);
void tl_ansi_write(const trilo_image *image, tl_sink *sink);

/* At most `most` colours (up to 256) that stand for those of the image, and for each pixel the number of its own;
 * pixels of alpha below 128 have the number `most`. False when memory ran out. */
bool tl_palette_make(const trilo_image *image, uint32_t most, tl_arena *arena, uint8_t (*colors)[3], uint32_t *count,
                     uint8_t *numbers);

/* CRC-32 as PNG has it: begin with 0, go on with the answer. */
uint32_t tl_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
