/* font.h: a font of 5 by 8 pixels, for labels in images. */
#ifndef TL_CLI_RENDER_FONT_H
#define TL_CLI_RENDER_FONT_H

#include <stddef.h>
#include <stdint.h>

enum { FONT_ADVANCE = 6, FONT_HEIGHT = 8 };

/* An image to draw on. */
typedef struct cli_canvas {
    uint32_t width, height;
    uint8_t (*pixels)[4];
} cli_canvas;

/* Draws text with its upper left corner at x, y; pixels outside the image are skipped. */
void font_draw(const cli_canvas *canvas, uint32_t x, uint32_t y, const char *text, const uint8_t color[4]);

/* The end of text that fits `letters` letters, with ".." in front if it was shortened; `out` has letters + 1 bytes.
 */
void font_shorten(const char *text, size_t letters, char *out);

#endif
