/* PNG and JPEG files, with the Windows Imaging Component, which every Windows has. */
#include "image/image.h"

#ifdef TRILO_WITH_WIC
#define COBJMACROS
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX

#include "base/bytes.h"
#include <string.h>

#include <windows.h>

#include <objbase.h>
#include <wincodec.h>

#undef near /* words of windows.h */
#undef far

enum { PNG_SIGNATURE = 8, PNG_CHUNK = 12, PNG_HEADER = 13 };

/* What is read from the chunks of a PNG file. */
typedef struct png_head {
    uint32_t width, height;
    uint8_t depth, color, interlace;
    bool has_key;    /* one colour is transparent: */
    uint16_t key[3]; /* grey, or red, green and blue, as wide as the samples */
} png_head;

static uint32_t png_u32(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static bool wic_is_cut(const char *kind, trilo_error *err)
{
    return TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, TRILO_NOWHERE, "the %s file ends before its pixels do",
                         kind);
}

static bool wic_is_broken(const char *kind, const char *why, trilo_error *err)
{
    return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE, "the %s file is broken: %s", kind, why);
}

static bool png_read_header(const uint8_t *data, png_head *head, trilo_error *err)
{
    static const uint8_t depths[] = {
        [0] = 1 | 2 | 4 | 8 | 16, [2] = 8 | 16, [3] = 1 | 2 | 4 | 8, [4] = 8 | 16, [6] = 8 | 16};
    *head = (png_head){
        .width = png_u32(data), .height = png_u32(data + 4), .depth = data[8], .color = data[9], .interlace = data[12]};
    if (head->width == 0 || head->height == 0 || head->width > INT32_MAX || head->height > INT32_MAX)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE,
                             "the PNG file has no pixels: width and height must be from 1 to 2147483647");
    const uint8_t depth = head->depth;
    if (head->color >= sizeof depths || (depth & (depth - 1)) != 0 || !(depths[head->color] & depth))
        return wic_is_broken("PNG", "invalid colour type or bit depth", err);
    if (data[10] != 0 || data[11] != 0 || head->interlace > 1)
        return wic_is_broken("PNG", "invalid compression, filter or interlace method", err);
    return true;
}

/* Looks at the chunks up to the last one with pixels, since Windows accepts files that are truncated or damaged. */
static bool png_read_chunks(trilo_bytes bytes, png_head *head, trilo_error *err)
{
    bool pixels = false, palette = false;
    for (size_t at = PNG_SIGNATURE;;) {
        if (bytes.size - at < PNG_CHUNK)
            return pixels || wic_is_cut("PNG", err);
        const uint8_t *chunk = bytes.data + at, *data = chunk + 8;
        const uint32_t size = png_u32(chunk);
        const bool is_pixels = memcmp(chunk + 4, "IDAT", 4) == 0;
        if (pixels && !is_pixels)
            return true;
        if (at == PNG_SIGNATURE && (memcmp(chunk + 4, "IHDR", 4) != 0 || size != PNG_HEADER))
            return wic_is_broken("PNG", "it does not begin with a header of 13 bytes", err);
        if (size > bytes.size - at - PNG_CHUNK)
            return size > INT32_MAX ? wic_is_broken("PNG", "invalid chunk length", err) : wic_is_cut("PNG", err);
        const bool critical = !(chunk[4] & 0x20);
        if (critical && tl_crc32(0, chunk + 4, (size_t)size + 4) != png_u32(data + size))
            return wic_is_broken("PNG", "invalid checksum of a chunk", err);
        if (at == PNG_SIGNATURE && !png_read_header(data, head, err))
            return false;
        palette |= memcmp(chunk + 4, "PLTE", 4) == 0;
        if (is_pixels && head->color == 3 && !palette)
            return wic_is_broken("PNG", "it has no palette", err);
        const uint32_t samples = head->color == 0 ? 1 : head->color == 2 ? 3 : 0;
        if (memcmp(chunk + 4, "tRNS", 4) == 0 && samples > 0 && size == 2 * samples) {
            head->has_key = true;
            for (uint32_t i = 0; i < samples; i++)
                head->key[i] = (uint16_t)((data[2 * i] << 8 | data[2 * i + 1]) & ((1u << head->depth) - 1));
        }
        pixels |= is_pixels;
        at += (size_t)size + PNG_CHUNK;
    }
}

/* ---- Windows ---- */

typedef struct wic_frame {
    IWICImagingFactory *factory;
    IWICStream *stream;
    IWICBitmapDecoder *decoder;
    IWICBitmapFrameDecode *frame;
    WICPixelFormatGUID format;
    UINT width, height;
} wic_frame;

static HRESULT wic_open(wic_frame *wic, const GUID *container, trilo_bytes bytes)
{
    HRESULT code = CoCreateInstance(&CLSID_WICImagingFactory, NULL, CLSCTX_INPROC_SERVER, &IID_IWICImagingFactory,
                                    (void **)&wic->factory);
    if (SUCCEEDED(code))
        code = IWICImagingFactory_CreateStream(wic->factory, &wic->stream);
    if (SUCCEEDED(code))
        code = IWICStream_InitializeFromMemory(wic->stream, (BYTE *)(uintptr_t)bytes.data, (DWORD)bytes.size);
    if (SUCCEEDED(code))
        code = IWICImagingFactory_CreateDecoder(wic->factory, container, NULL, &wic->decoder);
    if (SUCCEEDED(code))
        code = IWICBitmapDecoder_Initialize(wic->decoder, (IStream *)wic->stream, WICDecodeMetadataCacheOnDemand);
    if (SUCCEEDED(code))
        code = IWICBitmapDecoder_GetFrame(wic->decoder, 0, &wic->frame);
    if (SUCCEEDED(code))
        code = IWICBitmapFrameDecode_GetPixelFormat(wic->frame, &wic->format);
    if (SUCCEEDED(code))
        code = IWICBitmapFrameDecode_GetSize(wic->frame, &wic->width, &wic->height);
    return code;
}

static void wic_close(wic_frame *wic)
{
    if (wic->frame)
        IWICBitmapFrameDecode_Release(wic->frame);
    if (wic->decoder)
        IWICBitmapDecoder_Release(wic->decoder);
    if (wic->stream)
        IWICStream_Release(wic->stream);
    if (wic->factory)
        IWICImagingFactory_Release(wic->factory);
}

static bool wic_fail(const char *kind, HRESULT code, trilo_error *err)
{
    if (code == E_OUTOFMEMORY || code == (HRESULT)WINCODEC_ERR_INSUFFICIENTBUFFER)
        return tl_fail_memory(err);
    if (code == (HRESULT)REGDB_E_CLASSNOTREG || code == (HRESULT)WINCODEC_ERR_COMPONENTNOTFOUND)
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE,
                             "%s files cannot be read: this Windows lacks the Windows Imaging Component", kind);
    if (code == (HRESULT)WINCODEC_ERR_STREAMREAD)
        return wic_is_cut(kind, err);
    return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE,
                         "the %s file is broken: Windows refuses it (0x%08X)", kind, (unsigned)code);
}

/* How the samples of a format of Windows lie in a row. */
typedef struct wic_layout {
    const GUID *format;
    uint8_t bits, samples; /* of a sample, in a pixel: 1 grey or an index, 3 colours, 4 with alpha */
    bool blue_first;
} wic_layout;

static const wic_layout *wic_layout_of(const GUID *format)
{
    static const wic_layout layouts[] = {
        {&GUID_WICPixelFormat1bppIndexed, 1, 1, false}, {&GUID_WICPixelFormat2bppIndexed, 2, 1, false},
        {&GUID_WICPixelFormat4bppIndexed, 4, 1, false}, {&GUID_WICPixelFormat8bppIndexed, 8, 1, false},
        {&GUID_WICPixelFormatBlackWhite, 1, 1, false},  {&GUID_WICPixelFormat2bppGray, 2, 1, false},
        {&GUID_WICPixelFormat4bppGray, 4, 1, false},    {&GUID_WICPixelFormat8bppGray, 8, 1, false},
        {&GUID_WICPixelFormat16bppGray, 16, 1, false},  {&GUID_WICPixelFormat24bppBGR, 8, 3, true},
        {&GUID_WICPixelFormat24bppRGB, 8, 3, false},    {&GUID_WICPixelFormat32bppBGRA, 8, 4, true},
        {&GUID_WICPixelFormat32bppRGBA, 8, 4, false},   {&GUID_WICPixelFormat48bppRGB, 16, 3, false},
        {&GUID_WICPixelFormat64bppRGBA, 16, 4, false},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (IsEqualGUID(format, layouts[i].format))
            return &layouts[i];
    return NULL;
}

/* The samples of a pixel, in the order red, green, blue, alpha. */
static void wic_samples(const wic_layout *layout, const uint8_t *row, size_t x, uint16_t samples[4])
{
    if (layout->bits < 8) {
        const size_t bit = x * layout->bits;
        samples[0] = (uint16_t)(row[bit / 8] >> (8 - layout->bits - bit % 8) & ((1 << layout->bits) - 1));
        return;
    }
    for (size_t i = 0; i < layout->samples; i++) {
        const size_t from = x * layout->samples + (layout->blue_first && i < 3 ? 2 - i : i);
        samples[i] = row[from];
        if (layout->bits == 16) /* in the order of the processor, which is little-endian */
            samples[i] = (uint16_t)(row[2 * from] | row[2 * from + 1] << 8);
    }
}

/* As libspng does: 16 bits lose the lower ones, fewer than 8 are spread. */
static uint8_t wic_to_byte(uint16_t sample, unsigned bits)
{
    return (uint8_t)(bits == 16 ? sample >> 8 : bits == 8 ? sample : sample * 255u / ((1u << bits) - 1));
}

static void wic_to_pixel(const wic_layout *layout, const uint16_t samples[4], const png_head *head, tl_pixel pixel)
{
    const bool grey = layout->samples == 1;
    for (int i = 0; i < 3; i++)
        pixel[i] = wic_to_byte(samples[grey ? 0 : i], layout->bits);
    pixel[3] = layout->samples == 4 ? wic_to_byte(samples[3], layout->bits) : 255;
    if (head && head->has_key && layout->samples < 4 && samples[0] == head->key[0] &&
        (grey || (samples[1] == head->key[1] && samples[2] == head->key[2])))
        pixel[3] = 0;
}

/* ---- palettes ---- */

static HRESULT wic_read_palette(const wic_frame *wic, tl_pixel *colors, uint32_t *count)
{
    WICColor found[256];
    UINT actual = 0;
    IWICPalette *palette = NULL;
    HRESULT code = IWICImagingFactory_CreatePalette(wic->factory, &palette);
    if (SUCCEEDED(code))
        code = IWICBitmapFrameDecode_CopyPalette(wic->frame, palette);
    if (SUCCEEDED(code))
        code = IWICPalette_GetColors(palette, 256, found, &actual);
    if (palette)
        IWICPalette_Release(palette);
    for (UINT i = 0; SUCCEEDED(code) && i < actual; i++) {
        const WICColor c = found[i];
        memcpy(colors[i], (tl_pixel){(uint8_t)(c >> 16), (uint8_t)(c >> 8), (uint8_t)c, (uint8_t)(c >> 24)},
               sizeof *colors);
    }
    *count = actual;
    return code;
}

/* ---- pixels ---- */

static bool wic_read_pixels(const wic_frame *wic, const char *kind, const png_head *head, tl_arena *arena,
                            trilo_bitmap *bitmap, trilo_error *err)
{
    const wic_layout *layout = wic_layout_of(&wic->format);
    const bool indexed = head && head->color == 3;
    if (!layout || (indexed && layout->samples != 1))
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, UNKNOWN, TRILO_NOWHERE,
                             "the %s file has colours of a kind that is not read%s", kind,
                             head ? "" : "; save it with RGB colours");
    tl_pixel *pixels = tl_image_pixels(arena, wic->width, wic->height, err);
    if (!pixels)
        return false;
    const size_t row = ((size_t)wic->width * layout->samples * layout->bits + 7) / 8,
                 count = (size_t)wic->width * wic->height;
    uint8_t *samples = tl_array_raw(arena, row * wic->height, 1), *indices = NULL;
    tl_pixel *colors = NULL;
    if (indexed) {
        indices = tl_array_raw(arena, count, 1);
        colors = TL_ARRAY(arena, 256, tl_pixel);
    }
    if (!samples || (indexed && (!indices || !colors)))
        return tl_fail_memory(err);
    for (size_t i = 0; colors && i < 256; i++)
        colors[i][3] = 255; /* indices above the palette are black */
    HRESULT code =
        IWICBitmapFrameDecode_CopyPixels(wic->frame, NULL, (UINT)row, (UINT)(row * wic->height), (BYTE *)samples);
    if (SUCCEEDED(code) && indexed)
        code = wic_read_palette(wic, colors, &bitmap->color_count);
    if (FAILED(code))
        return wic_fail(kind, code, err);
    for (size_t i = 0; i < count; i++) {
        uint16_t values[4];
        wic_samples(layout, samples + i / wic->width * row, i % wic->width, values);
        if (!indexed) {
            wic_to_pixel(layout, values, head, pixels[i]);
            continue;
        }
        indices[i] = (uint8_t)values[0];
        memcpy(pixels[i], colors[values[0]], sizeof *pixels);
        bitmap->color_count = values[0] >= bitmap->color_count ? values[0] + 1u : bitmap->color_count;
    }
    bitmap->image = (trilo_image){wic->width, wic->height, (const tl_pixel *)pixels};
    bitmap->indices = indices;
    bitmap->colors = (const tl_pixel *)colors;
    bitmap->kind = layout->samples == 1 ? TRILO_PIXEL_KIND_GREY : TRILO_PIXEL_KIND_RGB;
    return true;
}

static bool wic_read(const GUID *container, const char *kind, const png_head *head, tl_arena *arena, trilo_bytes bytes,
                     trilo_bitmap *bitmap, trilo_error *err)
{
    wic_frame wic = {NULL};
    if (bytes.size > UINT32_MAX)
        return TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, LIMIT, TRILO_NOWHERE, "the %s file is larger than 4 GiB", kind);
    const HRESULT ready = CoInitializeEx(NULL, COINIT_MULTITHREADED); /* COM may already have another mode */
    const HRESULT code = wic_open(&wic, container, bytes);
    const bool ok = SUCCEEDED(code) ? wic_read_pixels(&wic, kind, head, arena, bitmap, err) : wic_fail(kind, code, err);
    wic_close(&wic);
    if (SUCCEEDED(ready))
        CoUninitialize();
    return ok;
}

bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    static const trilo_pixel_kind kinds[] = {[0] = TRILO_PIXEL_KIND_GREY,
                                             [2] = TRILO_PIXEL_KIND_RGB,
                                             [3] = TRILO_PIXEL_KIND_INDEXED,
                                             [4] = TRILO_PIXEL_KIND_GREY_ALPHA,
                                             [6] = TRILO_PIXEL_KIND_RGBA};
    static const uint8_t channels[] = {[0] = 1, [2] = 3, [3] = 1, [4] = 2, [6] = 4};
    png_head head;
    if (!png_read_chunks(bytes, &head, err))
        return false;
    const uint64_t row = ((uint64_t)channels[head.color] * head.depth * head.width + 7) / 8;
    if ((uint64_t)head.width * head.height <= TRILO_IMAGE_PIXELS &&
        !tl_png_size_is_plausible(row, head.height, bytes.size))
        return wic_is_cut("PNG", err);
    if (head.width > TRILO_IMAGE_PIXELS / head.height) /* before Windows allocates them */
        return tl_image_pixels(arena, head.width, head.height, err) != NULL;
    if (!wic_read(&GUID_ContainerFormatPng, "PNG", &head, arena, bytes, bitmap, err))
        return false;
    bitmap->kind = kinds[head.color];
    bitmap->bits = head.depth;
    return true;
}

bool tl_jpeg_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    return wic_read(&GUID_ContainerFormatJpeg, "JPEG", NULL, arena, bytes, bitmap, err);
}
#else
typedef int wic_is_not_used; /* a source file must not be empty */
#endif
