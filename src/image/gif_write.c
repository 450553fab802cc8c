/* Moving GIF through giflib: each frame has a palette of its own, and what is clear stays clear. */
#include "image/image.h"

#ifdef TRILO_WITH_GIF
#include <gif_lib.h>
#include <string.h>

enum { COLORS = 256, CLEAR = 255, DEPTH = 8, LEAST_DELAY = 2, SIDE_MOST = 0xFFFF };

static int hand_over(GifFileType *gif, const GifByteType *bytes, int size)
{
    tl_sink *sink = gif->UserData;
    tl_sink_put(sink, bytes, (size_t)size);
    return sink->refused ? 0 : size;
}

static bool fail(const tl_picture *picture, int code)
{
    if (picture->sink.refused)
        return true; /* who looks at the sink sees that */
    const char *why = GifErrorString(code);
    return TL_IMAGE_FAIL(picture->err, TRILO_CODE_CANT_WRITE, BROKEN, TRILO_NOWHERE, "the GIF cannot be written: %s",
                         why ? why : "giflib does not say why");
}

/* For ever: an extension that Netscape invented. */
static bool put_loop(GifFileType *gif)
{
    static const uint8_t times[3] = {1, 0, 0};
    return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) && EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") &&
           EGifPutExtensionBlock(gif, sizeof times, times) && EGifPutExtensionTrailer(gif);
}

/* Hundredths of a second, so dealt out that frames are on time in the long run. Viewers slow down what is below two. */
static int delay_of(const tl_picture *picture, uint32_t index)
{
    const double each = 100 / picture->frame_rate;
    if (each > SIDE_MOST)
        return SIDE_MOST;
    const int64_t delay = (int64_t)((index + 1.0) * each + 0.5) - (int64_t)(index * each + 0.5);
    return (int)(delay < LEAST_DELAY ? LEAST_DELAY : delay);
}

static bool put_control(GifFileType *gif, int delay)
{
    const GraphicsControlBlock control = {
        .DisposalMode = DISPOSE_BACKGROUND, .DelayTime = delay, .TransparentColor = CLEAR};
    GifByteType bytes[4];
    const size_t size = EGifGCBToExtension(&control, bytes);
    return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, (int)size, bytes);
}

static bool put_pixels(GifFileType *gif, const trilo_image *frame, uint8_t (*colors)[3], uint8_t *numbers)
{
    GifColorType map_colors[COLORS];
    for (int i = 0; i < COLORS; i++)
        map_colors[i] = (GifColorType){colors[i][0], colors[i][1], colors[i][2]};
    ColorMapObject *map = GifMakeMapObject(COLORS, map_colors);
    bool ok = map && EGifPutImageDesc(gif, 0, 0, (int)frame->width, (int)frame->height, false, map);
    for (uint32_t y = 0; ok && y < frame->height; y++)
        ok = EGifPutLine(gif, numbers + (size_t)y * frame->width, (int)frame->width);
    GifFreeMapObject(map);
    return ok;
}

static bool put_frame(tl_picture *picture, GifFileType *gif, uint32_t index, const trilo_image *frame)
{
    uint8_t colors[COLORS][3] = {{0}};
    uint32_t count;
    tl_arena arena;
    tl_arena_init(&arena, &picture->opts->memory);
    uint8_t *numbers = tl_array_raw(&arena, (size_t)frame->width * frame->height, 1);
    bool ok = numbers && tl_palette_make(frame, CLEAR, &arena, colors, &count, numbers);
    if (!ok)
        tl_fail_memory(picture->err);
    else if (!put_control(gif, delay_of(picture, index)) || !put_pixels(gif, frame, colors, numbers))
        ok = fail(picture, gif->Error);
    tl_arena_free(&arena);
    return ok;
}

static bool put_frames(tl_picture *picture, GifFileType *gif)
{
    for (uint32_t i = 0; i < picture->frame_count && !picture->sink.refused; i++) {
        trilo_image frame;
        if (!tl_picture_frame(picture, i, &frame))
            return false;
        if (i == 0 && (!EGifPutScreenDesc(gif, (int)frame.width, (int)frame.height, DEPTH, 0, NULL) || !put_loop(gif)))
            return fail(picture, gif->Error);
        if (!put_frame(picture, gif, i, &frame))
            return false;
    }
    return true;
}

bool tl_gif_write(tl_picture *picture)
{
    int code = 0;
    GifFileType *gif = EGifOpen(&picture->sink, hand_over, &code);
    if (!gif)
        return fail(picture, code);
    EGifSetGifVersion(gif, true);
    const bool ok = put_frames(picture, gif);
    const bool closed = EGifCloseFile(gif, &code);
    return ok && (closed || fail(picture, code));
}

#else

bool tl_gif_write(tl_picture *picture)
{
    return TL_IMAGE_FAIL(picture->err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE,
                         "GIF files cannot be written: Trilobite was built without giflib; APNG works");
}

#endif
