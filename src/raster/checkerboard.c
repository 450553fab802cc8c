/* A checkerboard for a texture that is missing, with its name on it. */
#include "raster/renderer.h"

enum { FIELD = 8, GLYPH_WIDTH = 3, GLYPH_HEIGHT = 5, CHECKERBOARD_SIDE_MOST = 1024 };

/* Rows of three bits from the top, five of them. */
static uint16_t checkerboard_glyph(char c)
{
    static const uint16_t digits[] = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717};
    static const uint16_t letters[] = {025755, 065656, 034443, 065556, 074647, 074644, 034553, 055755, 072227,
                                       011152, 055655, 044447, 057755, 065555, 025552, 065644, 025563, 065655,
                                       034216, 072222, 055557, 055552, 055775, 055255, 055222, 071247};
    if (c >= '0' && c <= '9')
        return digits[c - '0'];
    if (c >= 'a' && c <= 'z')
        return letters[c - 'a'];
    if (c >= 'A' && c <= 'Z')
        return letters[c - 'A'];
    return c == '.' ? 000002 : c == '_' ? 000007 : c == '-' ? 000700 : 0;
}

static void checkerboard_draw_glyph(const trilo_image *image, uint8_t (*pixels)[4], char c, uint32_t x, uint32_t y)
{
    const uint16_t glyph = checkerboard_glyph(c);
    for (uint32_t row = 0; row < GLYPH_HEIGHT; row++)
        for (uint32_t column = 0; column < GLYPH_WIDTH; column++)
            if (x + column < image->width && y + row < image->height &&
                (glyph >> (14 - GLYPH_WIDTH * row - column) & 1) != 0)
                for (int k = 0; k < 3; k++)
                    pixels[(size_t)(y + row) * image->width + x + column][k] = 255;
}

bool tl_checkerboard(tl_arena *arena, uint32_t width, uint32_t height, trilo_str name, trilo_image *image)
{
    static const uint8_t colors[2][4] = {{200, 0, 160, 255}, {40, 40, 40, 255}};
    width = width > CHECKERBOARD_SIDE_MOST ? CHECKERBOARD_SIDE_MOST : width;
    height = height > CHECKERBOARD_SIDE_MOST ? CHECKERBOARD_SIDE_MOST : height;
    uint8_t(*pixels)[4] = tl_array_raw(arena, (size_t)width * height, sizeof *pixels);
    if (!pixels)
        return false;
    *image = (trilo_image){width, height, (const uint8_t(*)[4])pixels};
    for (uint32_t i = 0; i < width * height; i++)
        for (int k = 0; k < 4; k++)
            pixels[i][k] = colors[(i % width / FIELD + i / width / FIELD) & 1][k];
    uint32_t x = 1, y = 1;
    for (size_t i = 0; i < name.len && y + GLYPH_HEIGHT <= height; i++) {
        checkerboard_draw_glyph(image, pixels, name.data[i], x, y);
        x += GLYPH_WIDTH + 1;
        if (x + GLYPH_WIDTH > width)
            x = 1, y += GLYPH_HEIGHT + 1;
    }
    return true;
}
