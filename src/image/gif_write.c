/* Animated GIF with giflib: each frame has its own palette, with one transparent colour. */
#include "base/strict_float.h"
#include "image/image.h"

#ifdef TRILO_WITH_GIF
#include <gif_lib.h>
#include <string.h>

enum { GIF_COLORS = 256, GIF_CLEAR = 255, GIF_DEPTH = 8, GIF_DELAY_MIN = 2, GIF_DELAY_MAX = 0xFFFF };

static int gif_put_bytes(GifFileType *gif, const GifByteType *bytes, int size)
{
    tl_sink *sink = gif->UserData;
    tl_sink_put(sink, bytes, (size_t)size);
    return sink->refused ? 0 : size;
}

static bool gif_fail(const tl_image_writer *writer, int code)
{
    if (writer->sink.refused)
        return true; /* trilo_picture_write reports that */
    const char *why = GifErrorString(code);
    return TL_IMAGE_FAIL(writer->err, TRILO_CODE_CANT_WRITE, BROKEN, TRILO_NOWHERE, "the GIF cannot be written: %s",
                         why ? why : "giflib does not say why");
}

/* The delay is in hundredths of a second, rounded so that the error does not accumulate. Viewers slow down anything
 * below two. */
static bool gif_put_control(GifFileType *gif, double frame_rate, uint32_t index)
{
    const double each = 100 / frame_rate;
    int64_t delay = GIF_DELAY_MAX;
    if (!(each > GIF_DELAY_MAX)) {
        delay = (int64_t)((index + 1.0) * each + 0.5) - (int64_t)(index * each + 0.5);
        delay = delay < GIF_DELAY_MIN ? GIF_DELAY_MIN : delay;
    }
    const GraphicsControlBlock control = {
        .DisposalMode = DISPOSE_BACKGROUND, .DelayTime = (int)delay, .TransparentColor = GIF_CLEAR};
    GifByteType bytes[4];
    const size_t size = EGifGCBToExtension(&control, bytes);
    return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, (int)size, bytes);
}

static bool gif_put_frame(tl_image_writer *writer, GifFileType *gif, uint32_t index, const trilo_image *frame)
{
    const int width = (int)frame->width, height = (int)frame->height;
    uint8_t colors[GIF_COLORS][3] = {{0}};
    GifColorType map_colors[GIF_COLORS];
    uint32_t count;
    tl_arena arena;
    tl_arena_init(&arena, &writer->opts->memory);
    uint8_t *indices = tl_array_raw(&arena, (size_t)frame->width * frame->height, 1);
    if (!indices || !tl_palette_make(frame, GIF_CLEAR, &arena, colors, &count, indices)) {
        tl_arena_free(&arena);
        return tl_fail_memory(writer->err);
    }
    for (int i = 0; i < GIF_COLORS; i++)
        map_colors[i] = (GifColorType){colors[i][0], colors[i][1], colors[i][2]};
    ColorMapObject *map = NULL;
    bool ok = gif_put_control(gif, writer->frame_rate, index) && (map = GifMakeMapObject(GIF_COLORS, map_colors)) &&
              EGifPutImageDesc(gif, 0, 0, width, height, false, map);
    for (int y = 0; ok && y < height; y++)
        ok = EGifPutLine(gif, indices + (size_t)y * frame->width, width);
    GifFreeMapObject(map);
    tl_arena_free(&arena);
    return ok || gif_fail(writer, gif->Error);
}

bool tl_gif_write(tl_image_writer *writer)
{
    int code = 0;
    GifFileType *gif = EGifOpen(&writer->sink, gif_put_bytes, &code);
    if (!gif)
        return gif_fail(writer, code);
    static const uint8_t endless[3] = {1, 0, 0}; /* loops of the Netscape extension */
    EGifSetGifVersion(gif, true);
    bool ok = true;
    for (uint32_t i = 0; ok && i < writer->frame_count && !writer->sink.refused; i++) {
        trilo_image frame;
        ok = tl_image_writer_frame(writer, i, &frame);
        const bool opened =
            !ok || i > 0 ||
            (EGifPutScreenDesc(gif, (int)frame.width, (int)frame.height, GIF_DEPTH, 0, NULL) &&
             EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) && EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") &&
             EGifPutExtensionBlock(gif, sizeof endless, endless) && EGifPutExtensionTrailer(gif));
        if (!opened)
            ok = gif_fail(writer, gif->Error);
        ok = ok && gif_put_frame(writer, gif, i, &frame);
    }
    const bool closed = EGifCloseFile(gif, &code);
    return ok && (closed || gif_fail(writer, code));
}

#else

bool tl_gif_write(tl_image_writer *writer)
{
    return TL_IMAGE_FAIL(writer->err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE,
                         "GIF files cannot be written: Trilobite was built without giflib; APNG works");
}

#endif
