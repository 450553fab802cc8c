/* A picture as text: a half block has two pixels, one in the colour of the letter and one in that behind it. */
#include "image/image.h"

#include <stdio.h>
#include <string.h>

enum { OPAQUE = 128 };

static const uint8_t *pixel_at(const trilo_image *image, uint32_t x, uint32_t y)
{
    if (y >= image->height)
        return NULL;
    const uint8_t *pixel = image->pixels[(size_t)y * image->width + x];
    return pixel[3] < OPAQUE ? NULL : pixel;
}

/* The colours that the terminal has now; NULL: its own. */
typedef struct ansi_state {
    const uint8_t *letter, *behind;
} ansi_state;

static bool same(const uint8_t *a, const uint8_t *b)
{
    return a == b || (a && b && memcmp(a, b, 3) == 0);
}

static void put_color(tl_sink *sink, const uint8_t *color, bool behind)
{
    char text[32];
    const int size =
        color ? snprintf(text, sizeof text, "\033[%d;2;%d;%d;%dm", behind ? 48 : 38, color[0], color[1], color[2])
              : snprintf(text, sizeof text, "\033[%dm", behind ? 49 : 39);
    tl_sink_put(sink, text, (size_t)size);
}

static void put_pair(tl_sink *sink, ansi_state *state, const uint8_t *upper, const uint8_t *lower)
{
    static const char upper_half[] = "\xE2\x96\x80", lower_half[] = "\xE2\x96\x84";
    const uint8_t *letter = upper ? upper : lower, *behind = upper ? lower : NULL;
    if (!same(state->behind, behind))
        put_color(sink, behind, true);
    if (letter && !same(state->letter, letter))
        put_color(sink, letter, false);
    state->behind = behind;
    state->letter = letter ? letter : state->letter;
    if (letter)
        tl_sink_put(sink, upper ? upper_half : lower_half, 3);
    else
        tl_sink_put(sink, " ", 1);
}

void tl_ansi_write(const trilo_image *image, tl_sink *sink)
{
    for (uint32_t y = 0; y < image->height; y += 2) {
        ansi_state state = {NULL, NULL};
        for (uint32_t x = 0; x < image->width; x++)
            put_pair(sink, &state, pixel_at(image, x, y), pixel_at(image, x, y + 1));
        tl_sink_put(sink, "\033[0m\n", 5);
    }
}
