/* png.h: writes small pictures of up to 16 colours as PNG, the same bytes every time. */
#ifndef SAMPLES_PNG_H
#define SAMPLES_PNG_H

#include <stddef.h>
#include <stdint.h>

enum { PNG_COLORS = 16, PNG_MAX_SIDE = 64 };

typedef struct png_image {
    uint32_t width, height;     /* at most PNG_MAX_SIDE each */
    const uint8_t *pixels;      /* width * height numbers of colours, row by row from the top */
    const uint8_t (*colors)[3]; /* red, green, blue */
    uint32_t color_count;       /* at most PNG_COLORS */
} png_image;

/* Returns the size of the file, or 0 when `room` bytes are too few or the image too big. */
size_t png_write(const png_image *image, uint8_t *file, size_t room);

#endif
