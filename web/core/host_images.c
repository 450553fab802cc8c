/* PNG and JPEG files, decoded by the host: a browser or Node.js. It decodes asynchronously, so an image that it has not
 * seen yet is refused once; the caller (trilobite.mjs) decodes it and starts over. */
#include "image/image.h"

#define IMPORT(name) __attribute__((import_module("images"), import_name(name)))

typedef struct host_bitmap {
    uint32_t width, height, kind, bits, color_count;
} host_bitmap;

enum { HOST_IMAGE_LATER = -1, HOST_IMAGE_NO_DECODER = -2 };

/* Below 0: one of these; above 0: the length of `text`, which says why it cannot be decoded. 0: *bitmap is filled, */
IMPORT("find")
int32_t host_image_find(uint32_t kind, const uint8_t *bytes, size_t size, host_bitmap *bitmap, char *text, size_t room);
/* and its arrays can be fetched; `indices` and `colors` only of an image with a palette. */
IMPORT("fetch") void host_image_fetch(uint8_t *pixels, uint8_t *indices, uint8_t *colors);

static bool host_image_read(trilo_image_kind kind, tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap,
                            trilo_error *err)
{
    host_bitmap found;
    char text[128];
    const int32_t answer = host_image_find(kind, bytes.data, bytes.size, &found, text, sizeof text - 1);
    if (answer == HOST_IMAGE_NO_DECODER)
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE,
                             "JPEG files cannot be read: install the npm package jpeg-js, or pass decodeJpeg to load");
    if (answer == HOST_IMAGE_LATER)
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE, "the image is not decoded yet");
    if (answer > 0) {
        text[answer] = '\0';
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE, "the %s file is broken: %s",
                             kind == TRILO_IMAGE_KIND_PNG ? "PNG" : "JPEG", text);
    }
    const bool indexed = found.kind == TRILO_PIXEL_KIND_INDEXED;
    tl_pixel *pixels = tl_image_pixels(arena, found.width, found.height, err);
    if (!pixels)
        return false;
    uint8_t *indices = indexed ? tl_array_raw(arena, (size_t)found.width * found.height, 1) : NULL;
    tl_pixel *colors = indexed ? TL_ARRAY(arena, 256, tl_pixel) : NULL;
    if (indexed && (!indices || !colors))
        return tl_fail_memory(err);
    host_image_fetch(pixels[0], indices, indexed ? colors[0] : NULL);
    *bitmap = (trilo_bitmap){.image = {found.width, found.height, (const tl_pixel *)pixels},
                             .kind = (trilo_pixel_kind)found.kind,
                             .bits = found.bits,
                             .indices = indices,
                             .color_count = found.color_count,
                             .colors = (const tl_pixel *)colors};
    return true;
}

bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    return host_image_read(TRILO_IMAGE_KIND_PNG, arena, bytes, bitmap, err);
}

bool tl_jpeg_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    return host_image_read(TRILO_IMAGE_KIND_JPEG, arena, bytes, bitmap, err);
}
