/* An image as text for terminals: a half block shows two pixels, in the foreground and in the background colour. */
#include "image/image.h"

#include <stdio.h>
#include <string.h>

enum { ANSI_OPAQUE = 128 };

static const uint8_t *ansi_pixel_at(const trilo_image *image, uint32_t x, uint32_t y)
{
    if (y >= image->height)
        return NULL;
    const uint8_t *pixel = image->pixels[(size_t)y * image->width + x];
    return pixel[3] < ANSI_OPAQUE ? NULL : pixel;
}

/* The current colours of the terminal; NULL: its default. */
typedef struct ansi_state {
    const uint8_t *foreground, *background;
} ansi_state;

static bool ansi_same_color(const uint8_t *a, const uint8_t *b)
{
    return a == b || (a && b && memcmp(a, b, 3) == 0);
}

static void ansi_put_color(tl_sink *sink, const uint8_t *color, bool background)
{
    char text[32];
    const int size =
        color ? snprintf(text, sizeof text, "\033[%d;2;%d;%d;%dm", background ? 48 : 38, color[0], color[1], color[2])
              : snprintf(text, sizeof text, "\033[%dm", background ? 49 : 39);
    tl_sink_put(sink, text, (size_t)size);
}

static void ansi_put_pair(tl_sink *sink, ansi_state *state, const uint8_t *upper, const uint8_t *lower)
{
    static const char upper_half[] = "\xE2\x96\x80", lower_half[] = "\xE2\x96\x84";
    const uint8_t *foreground = upper ? upper : lower, *background = upper ? lower : NULL;
    if (!ansi_same_color(state->background, background))
        ansi_put_color(sink, background, true);
    if (foreground && !ansi_same_color(state->foreground, foreground))
        ansi_put_color(sink, foreground, false);
    state->background = background;
    state->foreground = foreground ? foreground : state->foreground;
    if (foreground)
        tl_sink_put(sink, upper ? upper_half : lower_half, 3);
    else
        tl_sink_put(sink, " ", 1);
}

void tl_ansi_write(const trilo_image *image, tl_sink *sink)
{
    for (uint32_t y = 0; y < image->height; y += 2) {
        ansi_state state = {NULL, NULL};
        for (uint32_t x = 0; x < image->width; x++)
            ansi_put_pair(sink, &state, ansi_pixel_at(image, x, y), ansi_pixel_at(image, x, y + 1));
        tl_sink_put(sink, "\033[0m\n", 5);
    }
}
