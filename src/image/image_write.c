/* Writes still and animated images. Frames are requested one at a time and not kept. */
#include "base/opts.h"
#include "base/strict_float.h"
#include "image/image.h"

static const double image_default_rate = 25;

bool tl_image_writer_frame(tl_image_writer *writer, uint32_t index, trilo_image *frame)
{
    *frame = (trilo_image){0};
    if (!writer->frame(writer->frame_user, index, frame, writer->err))
        return false;
    if (frame->width == 0 || frame->height == 0 || !frame->pixels)
        return TL_IMAGE_FAIL(writer->err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE, "frame %u has no pixels", index);
    if (frame->width > TRILO_IMAGE_PIXELS / frame->height || frame->width > UINT16_MAX || frame->height > UINT16_MAX)
        return TL_IMAGE_FAIL(writer->err, TRILO_CODE_LIMIT, LIMIT, TRILO_NOWHERE,
                             "frame %u has %u by %u pixels; at most %u are written, and 65535 per side", index,
                             frame->width, frame->height, TRILO_IMAGE_PIXELS);
    if (index > 0 && (frame->width != writer->width || frame->height != writer->height))
        return TL_IMAGE_FAIL(writer->err, TRILO_CODE_BAD_VALUE, FRAMES, TRILO_NOWHERE,
                             "frame %u has %u by %u pixels, the first %u by %u", index, frame->width, frame->height,
                             writer->width, writer->height);
    writer->width = frame->width;
    writer->height = frame->height;
    return true;
}

static bool image_write_kind(tl_image_writer *writer)
{
    if (writer->opts->kind == TRILO_PICTURE_KIND_APNG)
        return tl_apng_write(writer);
    if (writer->opts->kind == TRILO_PICTURE_KIND_GIF)
        return tl_gif_write(writer);
    trilo_image frame;
    if (!tl_image_writer_frame(writer, 0, &frame))
        return false;
    if (writer->opts->kind != TRILO_PICTURE_KIND_ANSI)
        return tl_png_write(&frame, true, &writer->opts->memory, &writer->sink, writer->err);
    tl_ansi_write(&frame, &writer->sink);
    return true;
}

bool trilo_picture_write(const trilo_picture_opts *opts, trilo_frame_fn *frame, void *frame_user, trilo_write_fn *sink,
                         void *sink_user, trilo_error *err)
{
    trilo_picture_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return false;
    if ((unsigned)own.kind > TRILO_PICTURE_KIND_ANSI)
        return tl_fail_misuse(err, "the kind of picture is not one of its enumerators");
    opts = &own;
    tl_image_writer writer = {.opts = opts,
                              .frame_count = opts->frame_count ? opts->frame_count : 1,
                              .frame_rate = opts->frame_rate > 0 ? opts->frame_rate : image_default_rate,
                              .frame = frame,
                              .frame_user = frame_user,
                              .sink = {.fn = sink, .user = sink_user},
                              .err = err};
    if (!image_write_kind(&writer))
        return false;
    return !writer.sink.refused || tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE,
                                           NULL, "the output could not be written completely");
}

static bool image_only_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    (void)index, (void)err;
    *frame = *(const trilo_image *)user;
    return true;
}

bool trilo_image_write(const trilo_image *image, trilo_picture_kind kind, trilo_write_fn *sink, void *user,
                       trilo_error *err)
{
    const trilo_picture_opts opts = {.kind = kind};
    trilo_image copy = *image;
    return trilo_picture_write(&opts, image_only_frame, &copy, sink, user, err);
}
