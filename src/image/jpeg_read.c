/* JPEG files, with TurboJPEG. */
#include "image/image.h"

#ifdef TRILO_WITH_JPEG
#include <string.h>
#include <turbojpeg.h>

/* TurboJPEG reports a truncated file as a warning that only its text identifies. */
static bool jpeg_is_cut(tjhandle reader)
{
    return strstr(tjGetErrorStr2(reader), "remature end") != NULL;
}

static bool jpeg_fail(tjhandle reader, trilo_error *err)
{
    if (strstr(tjGetErrorStr2(reader), "nsufficient memory") || strstr(tjGetErrorStr2(reader), "llocation failure"))
        return tl_fail_memory(err);
    if (jpeg_is_cut(reader))
        return TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, TRILO_NOWHERE,
                             "the JPEG file ends before its pixels do");
    return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE, "the JPEG file is broken: %s",
                         tjGetErrorStr2(reader));
}

static bool jpeg_decode(tjhandle reader, tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    const int flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS;
    const unsigned long size = (unsigned long)bytes.size;
    int width = 0, height = 0, sampling = 0, space = 0;
    if (tjDecompressHeader3(reader, bytes.data, size, &width, &height, &sampling, &space) != 0)
        return jpeg_fail(reader, err);
    if (width <= 0 ||
        height <= 0) /* TurboJPEG accepts a file that contains only tables, and then leaves the sizes as they are */
        return TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, TRILO_NOWHERE,
                             "the JPEG file ends before its pixels do");
    if (space == TJCS_CMYK || space == TJCS_YCCK)
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, UNKNOWN, TRILO_NOWHERE,
                             "the JPEG file has CMYK colours, for printing; save it with RGB colours");
    tl_pixel *pixels = tl_image_pixels(arena, (uint32_t)width, (uint32_t)height, err);
    if (!pixels)
        return false;
    /* A progressive file is kept as coefficients, 2 bytes each, three for a pixel. */
    enum { JPEG_MEMORY = 256 << 10, JPEG_PIXEL_BYTES = 6 };
    if (!tl_arena_has_room(arena, JPEG_MEMORY + (uint64_t)width * (uint64_t)height * JPEG_PIXEL_BYTES))
        return tl_fail_memory(err);
    const int code = tjDecompress2(reader, bytes.data, size, pixels[0], width, 0, height, TJPF_RGBA, flags);
    if (code != 0 && (tjGetErrorCode(reader) != TJERR_WARNING || jpeg_is_cut(reader)))
        return jpeg_fail(reader, err);
    bitmap->image = (trilo_image){(uint32_t)width, (uint32_t)height, (const tl_pixel *)pixels};
    bitmap->kind = space == TJCS_GRAY ? TRILO_PIXEL_KIND_GREY : TRILO_PIXEL_KIND_RGB;
    return true;
}

bool tl_jpeg_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    tjhandle reader = tjInitDecompress();
    if (!reader)
        return tl_fail_memory(err);
    const bool ok = jpeg_decode(reader, arena, bytes, bitmap, err);
    tjDestroy(reader);
    return ok;
}

#elif !defined TRILO_WITH_WIC /* which has it in wic_read.c */

bool tl_jpeg_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    (void)arena, (void)bytes, (void)bitmap;
    return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE,
                         "JPEG files cannot be read: Trilobite was built without TurboJPEG");
}

#endif
