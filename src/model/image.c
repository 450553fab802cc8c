/* What an embedded image is, told from its first bytes and its size header; nothing is decoded. */
#include "base/bytes.h"
#include "trilobite/model.h"

static const uint8_t png_magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

/* A PNG's first chunk is IHDR: length, name, width, height. */
static void png_size(trilo_bytes b, uint32_t *width, uint32_t *height)
{
    if (b.size < 24 || memcmp(b.data + 12, "IHDR", 4) != 0)
        return;
    *width = tl_get_u32be(b.data + 16);
    *height = tl_get_u32be(b.data + 20);
}

/* Start-of-frame markers carry the size; C4, C8 and CC of that range are something else. */
static bool is_frame_marker(uint8_t marker)
{
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/* A JPEG is a chain of segments: FF, marker, two bytes of length (its own two included), content. */
static void jpeg_size(trilo_bytes b, uint32_t *width, uint32_t *height)
{
    size_t at = 2;
    while (b.size - at >= 9 && b.data[at] == 0xFF) {
        uint8_t marker = b.data[at + 1];
        if (marker == 0xFF) { /* fill byte */
            at++;
            continue;
        }
        size_t length = tl_get_u16(b.data + at + 2, TL_BIG);
        if (is_frame_marker(marker) && length >= 7) { /* its own two, precision, height, width */
            *height = tl_get_u16(b.data + at + 5, TL_BIG);
            *width = tl_get_u16(b.data + at + 7, TL_BIG);
            return;
        }
        if (is_frame_marker(marker) || length < 2 || length > b.size - at - 2)
            return;
        at += 2 + length;
    }
}

trilo_image_kind trilo_image_probe(trilo_bytes bytes, uint32_t *width, uint32_t *height)
{
    uint32_t w = 0, h = 0;
    trilo_image_kind kind = TRILO_IMAGE_UNKNOWN;
    if (bytes.size >= sizeof png_magic && memcmp(bytes.data, png_magic, sizeof png_magic) == 0) {
        kind = TRILO_IMAGE_PNG;
        png_size(bytes, &w, &h);
    } else if (bytes.size >= 3 && bytes.data[0] == 0xFF && bytes.data[1] == 0xD8 && bytes.data[2] == 0xFF) {
        kind = TRILO_IMAGE_JPEG;
        jpeg_size(bytes, &w, &h);
    }
    if (width)
        *width = w;
    if (height)
        *height = h;
    return kind;
}

const char *trilo_image_extension(trilo_image_kind kind)
{
    return kind == TRILO_IMAGE_PNG ? "png" : kind == TRILO_IMAGE_JPEG ? "jpg" : "bin";
}
