#include "harness.h"
#include "trilobite/model.h"

#include <stdlib.h>
#include <string.h>

/* Probes the first `size` bytes from a block of exactly that size, so that a look behind the end is seen. */
static void check_probe(const uint8_t *bytes, size_t size, trilo_image_kind kind, uint32_t width, uint32_t height)
{
    uint8_t *exact = malloc(size + (size == 0));
    memcpy(exact, bytes, size);
    uint32_t w = 77, h = 77;
    trilo_image_kind got = trilo_image_probe((trilo_bytes){exact, size}, &w, &h);
    free(exact);
    CHECK_INT(got, kind);
    CHECK_INT(w, width);
    CHECK_INT(h, height);
}

/* ---- PNG ---- */

static const uint8_t png[] = {0x89, 'P', 'N', 'G',  '\r', '\n', 0x1A, '\n', /* magic */
                              0,    0,   0,   13,   'I',  'H',  'D',  'R',  /* first chunk */
                              0,    1,   2,   0x80,                         /* width 66176 */
                              0,    0,   1,   0xF4,                         /* height 500 */
                              8,    6,   0,   0,    0,    1,    2,    3,    4};

TEST(a_png_tells_its_size)
{
    check_probe(png, sizeof png, TRILO_IMAGE_KIND_PNG, 66176, 500);
}

/* The magic has 8 bytes; the size is complete with byte 24. */
TEST(a_png_cut_at_every_byte)
{
    for (size_t size = 0; size < sizeof png; size++)
        check_probe(png, size, size < 8 ? TRILO_IMAGE_KIND_UNKNOWN : TRILO_IMAGE_KIND_PNG, size < 24 ? 0 : 66176,
                    size < 24 ? 0 : 500);
}

TEST(a_png_without_its_first_chunk)
{
    uint8_t bytes[sizeof png];
    for (size_t i = 12; i < 16; i++) {
        memcpy(bytes, png, sizeof png);
        bytes[i] ^= 0x20;
        check_probe(bytes, sizeof bytes, TRILO_IMAGE_KIND_PNG, 0, 0);
    }
    for (size_t i = 0; i < 8; i++) {
        memcpy(bytes, png, sizeof png);
        bytes[i] ^= 1;
        check_probe(bytes, sizeof bytes, TRILO_IMAGE_KIND_UNKNOWN, 0, 0);
    }
}

/* ---- JPEG ---- */

#define SOI  0xFF, 0xD8
#define APP0 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 2, 0, 0, 1, 0, 1, 0, 0
/* Length 17: precision 8, height 0x0123 = 291, width 0x0456 = 1110, three components. */
#define FRAME(marker) 0xFF, marker, 0, 17, 8, 0x01, 0x23, 0x04, 0x56, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1
#define CHECK_JPEG(width, height, ...)                                                                                 \
    check_probe((const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__}, TRILO_IMAGE_KIND_JPEG, width, height)

TEST(a_jpeg_tells_its_size)
{
    CHECK_JPEG(1110, 291, SOI, APP0, FRAME(0xC0));
    CHECK_JPEG(1110, 291, SOI, APP0, FRAME(0xC2)); /* progressive */
    CHECK_JPEG(1110, 291, SOI, FRAME(0xC1));
    CHECK_JPEG(1110, 291, SOI, 0xFF, 0xFF, 0xFF, FRAME(0xC0)); /* fill bytes before a marker */
    CHECK_JPEG(1110, 291, SOI, 0xFF, APP0, 0xFF, FRAME(0xC0));
}

/* Of C0 to CF, C4 (Huffman tables), C8 (reserved) and CC (arithmetic conditioning) start no frame. */
TEST(every_frame_marker)
{
    for (int marker = 0xC0; marker <= 0xCF; marker++) {
        const bool frame = marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        const uint8_t bytes[] = {SOI, FRAME((uint8_t)marker)};
        check_probe(bytes, sizeof bytes, TRILO_IMAGE_KIND_JPEG, frame ? 1110 : 0, frame ? 291 : 0);
    }
}

/* Their content, which looks like a size, is passed over. */
TEST(other_segments_are_passed_over)
{
    CHECK_JPEG(1110, 291, SOI, 0xFF, 0xC4, 0, 9, 8, 0, 1, 0, 1, 2, 3, FRAME(0xC0));
    CHECK_JPEG(1110, 291, SOI, 0xFF, 0xBF, 0, 2, FRAME(0xC0));
    CHECK_JPEG(1110, 291, SOI, APP0, 0xFF, 0xDB, 0, 4, 0xFF, 0xC0, 0xFF, 0xFE, 0, 2, FRAME(0xC2));
}

/* SOI 2 + APP0 18 + fill 2 + FF C0 2 + length 2 + precision 1 + height 2 + width 2 = 31 bytes tell the size. */
TEST(a_jpeg_cut_at_every_byte)
{
    const uint8_t bytes[] = {SOI, APP0, 0xFF, 0xFF, FRAME(0xC0)};
    for (size_t size = 0; size < sizeof bytes; size++)
        check_probe(bytes, size, size < 3 ? TRILO_IMAGE_KIND_UNKNOWN : TRILO_IMAGE_KIND_JPEG, size < 31 ? 0 : 1110,
                    size < 31 ? 0 : 291);
}

TEST(a_jpeg_with_bad_lengths)
{
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xE0, 0, 0, FRAME(0xC0)); /* its own two bytes are part of a length */
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xE0, 0, 1, FRAME(0xC0));
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xE0, 0xFF, 0xFF, FRAME(0xC0));    /* runs past the end */
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xE0, 0, 22, FRAME(0xC0));         /* one byte past the end: 2 + 19 are left */
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xE0, 0, 21, FRAME(0xC0));         /* up to the very end */
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xE0, 0, 3, 0, 0x12, FRAME(0xC0)); /* no marker where one should be */
    CHECK_JPEG(1110, 291, SOI, 0xFF, 0xE0, 0, 2, FRAME(0xC0));     /* an empty segment is fine */
}

/* A frame that is too short for a size has none; the bytes behind it are something else. */
TEST(a_jpeg_with_a_short_frame)
{
    CHECK_JPEG(1110, 291, SOI, 0xFF, 0xC0, 0, 7, 8, 1, 0x23, 4, 0x56); /* just long enough */
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xC0, 0, 2, 0xFF, 0xD9, 1, 2, 3, 4, 5);
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xC0, 0, 6, 8, 1, 0x23, 4, 0xFF, 0xD9, 1, 2);
}

TEST(a_jpeg_that_ends_before_its_frame)
{
    CHECK_JPEG(0, 0, SOI, APP0);
    CHECK_JPEG(0, 0, SOI, APP0, 0xFF, 0xD9);
    CHECK_JPEG(0, 0, SOI, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF);
}

/* ---- anything else ---- */

TEST(other_bytes_are_unknown)
{
    static const uint8_t gif[] = "GIF89a\1\0\1\0 and more than enough bytes";
    check_probe(gif, sizeof gif, TRILO_IMAGE_KIND_UNKNOWN, 0, 0);
    static const uint8_t almost[] = {0xFF, 0xD8, 0x00, 0xFF, 0xC0, 0, 17, 8, 1, 2, 3, 4};
    check_probe(almost, sizeof almost, TRILO_IMAGE_KIND_UNKNOWN, 0, 0);
    static const uint8_t marker_only[] = {0xFF, 0xC0, 0xFF, 17, 8, 1, 2, 3, 4, 5, 6, 7};
    check_probe(marker_only, sizeof marker_only, TRILO_IMAGE_KIND_UNKNOWN, 0, 0);
    uint32_t w = 77, h = 77;
    CHECK_INT(trilo_image_probe((trilo_bytes){NULL, 0}, &w, &h), TRILO_IMAGE_KIND_UNKNOWN);
    CHECK_INT(w, 0);
    CHECK_INT(h, 0);
}

TEST(the_size_need_not_be_asked_for)
{
    CHECK_INT(trilo_image_probe((trilo_bytes){png, sizeof png}, NULL, NULL), TRILO_IMAGE_KIND_PNG);
}

TEST(extensions)
{
    CHECK_STR(trilo_image_extension(TRILO_IMAGE_KIND_PNG), "png");
    CHECK_STR(trilo_image_extension(TRILO_IMAGE_KIND_JPEG), "jpg");
    CHECK_STR(trilo_image_extension(TRILO_IMAGE_KIND_UNKNOWN), "bin");
}

TEST_MAIN(CASE(a_png_tells_its_size), CASE(a_png_cut_at_every_byte), CASE(a_png_without_its_first_chunk),
          CASE(a_jpeg_tells_its_size), CASE(every_frame_marker), CASE(other_segments_are_passed_over),
          CASE(a_jpeg_cut_at_every_byte), CASE(a_jpeg_with_bad_lengths), CASE(a_jpeg_with_a_short_frame),
          CASE(a_jpeg_that_ends_before_its_frame), CASE(other_bytes_are_unknown), CASE(the_size_need_not_be_asked_for),
          CASE(extensions))
