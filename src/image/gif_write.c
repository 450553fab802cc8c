/* Animated GIF (Graphics Interchange Format, version 89a): each frame has its own palette, with one transparent colour.
 */
#include "base/strict_float.h"

#include "image/image.h"

#include <string.h>

enum {
    GIF_COLORS = 256,
    GIF_CLEAR_COLOR = 255,
    GIF_DELAY_MIN = 2,
    GIF_DELAY_MAX = 0xFFFF,
    GIF_BLOCK = 255, /* bytes of a data block */
    /* Codes of LZW: colours, then two of its own, then those of sequences. */
    GIF_RESET = GIF_COLORS,
    GIF_END,
    GIF_FIRST,
    GIF_FIRST_BITS = 9,
    GIF_CODES = 1 << 12
};

/* ---- LZW (Terry Welch, "A Technique for High-Performance Data Compression", 1984) ---- */

/* A code is a sequence of colours: that of its parent and one more. The children of a code are a linked list. */
typedef struct gif_lzw {
    tl_sink *sink;
    uint16_t first_child[GIF_CODES], sibling[GIF_CODES]; /* 0: none, since no child has the code 0 */
    uint8_t last_color[GIF_CODES];
    uint32_t count, bits;            /* codes; bits of the next one */
    uint32_t waiting, waiting_count; /* bits that make no byte yet */
    uint8_t block[1 + GIF_BLOCK];    /* its size, and its bytes */
} gif_lzw;

static void gif_put_byte(gif_lzw *lzw, uint8_t byte)
{
    lzw->block[++lzw->block[0]] = byte;
    if (lzw->block[0] == GIF_BLOCK) {
        tl_sink_put(lzw->sink, lzw->block, 1 + GIF_BLOCK);
        lzw->block[0] = 0;
    }
}

static void gif_put_code(gif_lzw *lzw, uint32_t code)
{
    lzw->waiting |= code << lzw->waiting_count;
    lzw->waiting_count += lzw->bits;
    for (; lzw->waiting_count >= 8; lzw->waiting_count -= 8, lzw->waiting >>= 8)
        gif_put_byte(lzw, (uint8_t)lzw->waiting);
}

static void gif_reset_codes(gif_lzw *lzw)
{
    gif_put_code(lzw, GIF_RESET);
    memset(lzw->first_child, 0, sizeof lzw->first_child);
    lzw->count = GIF_FIRST;
    lzw->bits = GIF_FIRST_BITS;
}

static void gif_put_pixels(gif_lzw *lzw, const uint8_t *indices, size_t count)
{
    const uint8_t least_bits = GIF_FIRST_BITS - 1, end = 0;
    tl_sink_put(lzw->sink, &least_bits, 1);
    lzw->bits = GIF_FIRST_BITS;
    gif_reset_codes(lzw);
    uint32_t code = indices[0];
    for (size_t i = 1; i < count; i++) {
        uint32_t child = lzw->first_child[code];
        while (child != 0 && lzw->last_color[child] != indices[i])
            child = lzw->sibling[child];
        if (child != 0) {
            code = child;
            continue;
        }
        gif_put_code(lzw, code);
        if (lzw->count == GIF_CODES) {
            gif_reset_codes(lzw);
        } else {
            /* The reader learns a code one step later, so the bits grow when the code before this one needed all. */
            lzw->bits += lzw->count == 1u << lzw->bits;
            lzw->last_color[lzw->count] = indices[i];
            lzw->sibling[lzw->count] = lzw->first_child[code];
            lzw->first_child[code] = (uint16_t)lzw->count++;
        }
        code = indices[i];
    }
    gif_put_code(lzw, code);
    lzw->bits += lzw->count == 1u << lzw->bits && lzw->count < GIF_CODES;
    gif_put_code(lzw, GIF_END);
    if (lzw->waiting_count > 0)
        gif_put_byte(lzw, (uint8_t)lzw->waiting);
    if (lzw->block[0] > 0)
        tl_sink_put(lzw->sink, lzw->block, 1u + lzw->block[0]);
    tl_sink_put(lzw->sink, &end, 1);
}

/* ---- blocks ---- */

/* The canvas, and the Netscape extension for an endless loop. */
static void gif_put_screen(tl_sink *sink, const trilo_image *frame)
{
    enum { EIGHT_BITS = 0x70 };
    const uint8_t screen[13] = {'G',
                                'I',
                                'F',
                                '8',
                                '9',
                                'a',
                                (uint8_t)frame->width,
                                (uint8_t)(frame->width >> 8),
                                (uint8_t)frame->height,
                                (uint8_t)(frame->height >> 8),
                                EIGHT_BITS};
    static const uint8_t loop[] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0"; /* the NUL at its end closes it */
    tl_sink_put(sink, screen, sizeof screen);
    tl_sink_put(sink, loop, sizeof loop);
}

/* The delay is in hundredths of a second, rounded so that the error does not accumulate. Viewers slow down anything
 * below two. */
static uint32_t gif_delay(double frame_rate, uint32_t index)
{
    const double each = 100 / frame_rate;
    if (each > GIF_DELAY_MAX)
        return GIF_DELAY_MAX;
    const int64_t delay = (int64_t)((index + 1.0) * each + 0.5) - (int64_t)(index * each + 0.5);
    return (uint32_t)(delay < GIF_DELAY_MIN ? GIF_DELAY_MIN : delay);
}

static bool gif_put_frame(tl_image_writer *writer, uint32_t index, const trilo_image *frame)
{
    enum { DISPOSE_AND_TRANSPARENT = 2 << 2 | 1, LOCAL_PALETTE_OF_256 = 0x87 };
    const size_t count = (size_t)frame->width * frame->height;
    const uint32_t delay = gif_delay(writer->frame_rate, index);
    uint8_t colors[GIF_COLORS][3] = {{0}};
    uint32_t color_count;
    tl_arena arena;
    tl_arena_init(&arena, &writer->opts->memory);
    uint8_t *indices = tl_array_raw(&arena, count, 1);
    gif_lzw *lzw = TL_NEW(&arena, gif_lzw);
    const bool ok = indices && lzw && tl_palette_make(frame, GIF_CLEAR_COLOR, &arena, colors, &color_count, indices);
    if (ok) {
        const uint8_t head[] = {0x21, /* control */
                                0xF9,
                                4,
                                DISPOSE_AND_TRANSPARENT,
                                (uint8_t)delay,
                                (uint8_t)(delay >> 8),
                                GIF_CLEAR_COLOR,
                                0,
                                0x2C, /* image */
                                0,
                                0,
                                0,
                                0,
                                (uint8_t)frame->width,
                                (uint8_t)(frame->width >> 8),
                                (uint8_t)frame->height,
                                (uint8_t)(frame->height >> 8),
                                LOCAL_PALETTE_OF_256};
        tl_sink_put(&writer->sink, head, sizeof head);
        tl_sink_put(&writer->sink, colors, sizeof colors);
        lzw->sink = &writer->sink;
        gif_put_pixels(lzw, indices, count);
    }
    tl_arena_free(&arena);
    return ok || tl_fail_memory(writer->err);
}

bool tl_gif_write(tl_image_writer *writer)
{
    const uint8_t trailer = 0x3B;
    for (uint32_t i = 0; i < writer->frame_count && !writer->sink.refused; i++) {
        trilo_image frame;
        if (!tl_image_writer_frame(writer, i, &frame))
            return false;
        if (i == 0)
            gif_put_screen(&writer->sink, &frame);
        if (!gif_put_frame(writer, i, &frame))
            return false;
    }
    tl_sink_put(&writer->sink, &trailer, 1);
    return true;
}
