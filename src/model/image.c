/* The kind and size of an embedded image, from its header. Nothing is decoded. */
#include "base/bytes.h"
#include "trilobite/model.h"

static const uint8_t image_png_magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

/* The first chunk of a PNG is IHDR: length, name, width, height. */
static void image_png_size(trilo_bytes b, uint32_t *width, uint32_t *height)
{
    if (b.size < 24 || memcmp(b.data + 12, "IHDR", 4) != 0)
        return;
    *width = tl_get_u32be(b.data + 16);
    *height = tl_get_u32be(b.data + 20);
}

/* A JPEG is a list of segments: FF, marker, two bytes of length (including themselves), content. The size is in a
 * start-of-frame segment, SOF0 to SOF15; C4, C8 and CC are other markers. */
static void image_jpeg_size(trilo_bytes b, uint32_t *width, uint32_t *height)
{
    size_t at = 2;
    while (b.size - at >= 9 && b.data[at] == 0xFF) {
        uint8_t marker = b.data[at + 1];
        if (marker == 0xFF) { /* fill byte */
            at++;
            continue;
        }
        const bool is_sof = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        const size_t length = tl_get_u16(b.data + at + 2, TL_BIG);
        if (is_sof && length >= 7) { /* length, precision, height, width */
            *height = tl_get_u16(b.data + at + 5, TL_BIG);
            *width = tl_get_u16(b.data + at + 7, TL_BIG);
            return;
        }
        if (is_sof || length < 2 || length > b.size - at - 2)
            return;
        at += 2 + length;
    }
}

trilo_image_kind trilo_image_probe(trilo_bytes bytes, uint32_t *width, uint32_t *height)
{
    uint32_t w = 0, h = 0;
    trilo_image_kind kind = TRILO_IMAGE_KIND_UNKNOWN;
    if (bytes.size >= sizeof image_png_magic && memcmp(bytes.data, image_png_magic, sizeof image_png_magic) == 0) {
        kind = TRILO_IMAGE_KIND_PNG;
        image_png_size(bytes, &w, &h);
    } else if (bytes.size >= 3 && bytes.data[0] == 0xFF && bytes.data[1] == 0xD8 && bytes.data[2] == 0xFF) {
        kind = TRILO_IMAGE_KIND_JPEG;
        image_jpeg_size(bytes, &w, &h);
    }
    if (width)
        *width = w;
    if (height)
        *height = h;
    return kind;
}

const char *trilo_image_extension(trilo_image_kind kind)
{
    return kind == TRILO_IMAGE_KIND_PNG ? "png" : kind == TRILO_IMAGE_KIND_JPEG ? "jpg" : "bin";
}
