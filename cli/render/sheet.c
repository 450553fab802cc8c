#include "render/render.h"

#include "alloc.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 4, LABEL = FONT_HEIGHT + 5, MOST_LETTERS = 255 };

static const uint8_t letters[4] = {235, 235, 235, 255}, dark_letters[4] = {25, 25, 25, 255},
                     crossed[4] = {220, 60, 60, 255};

/* As many as make the whole about as wide as a screen is for its height. */
static uint32_t columns_for(size_t count, uint32_t width, uint32_t height)
{
    uint32_t columns = 1;
    while (columns < count) {
        const uint64_t rows = (count + columns - 1) / columns;
        if ((uint64_t)columns * (width + GAP) * 3 >= rows * (height + GAP + LABEL) * 4)
            break;
        columns++;
    }
    const size_t rows = (count + columns - 1) / columns;
    return (uint32_t)((count + rows - 1) / rows); /* the last row is not emptier than it must be */
}

bool grid_new(render_grid *grid, size_t count, uint32_t width, uint32_t height, const uint8_t background[4],
              uint32_t columns)
{
    columns = columns ? columns : columns_for(count, width, height);
    const uint64_t rows = (count + columns - 1) / columns;
    const uint64_t wide = (uint64_t)columns * (width + GAP) + GAP, high = rows * (height + GAP + LABEL) + GAP;
    *grid = (render_grid){.columns = columns, .width = width, .height = height};
    if (wide > UINT16_MAX || high > UINT16_MAX || wide * high > TRILO_IMAGE_PIXELS)
        return false;
    grid->canvas = (cli_canvas){(uint32_t)wide, (uint32_t)high, need(NULL, (size_t)(wide * high), 4)};
    for (size_t i = 0; i < wide * high; i++)
        memcpy(grid->canvas.pixels[i], background, 4);
    return true;
}

static uint32_t left_of(const render_grid *grid, size_t index)
{
    return GAP + (uint32_t)(index % grid->columns) * (grid->width + GAP);
}

static uint32_t top_of(const render_grid *grid, size_t index)
{
    return GAP + (uint32_t)(index / grid->columns) * (grid->height + GAP + LABEL);
}

/* Light letters on a dark ground, and the other way round. */
static void put_name(const render_grid *grid, size_t index, const char *name)
{
    char fitting[MOST_LETTERS + 1];
    const uint8_t *ground = grid->canvas.pixels[0];
    const uint32_t room = (grid->width + 1) / FONT_ADVANCE;
    font_shorten(name, room < MOST_LETTERS ? room : MOST_LETTERS, fitting);
    const uint32_t used = (uint32_t)strlen(fitting) * FONT_ADVANCE;
    const uint32_t left = left_of(grid, index) + (used < grid->width ? (grid->width - used) / 2 : 0);
    const bool bright = ground[3] > 127 && ground[0] + ground[1] + ground[2] > 380;
    font_draw(&grid->canvas, left, top_of(grid, index) + grid->height + 3, fitting, bright ? dark_letters : letters);
}

void grid_put(const render_grid *grid, size_t index, const trilo_image *picture, const char *name)
{
    for (uint32_t y = 0; y < grid->height && y < picture->height; y++) {
        const size_t to = (size_t)(top_of(grid, index) + y) * grid->canvas.width + left_of(grid, index);
        memcpy(grid->canvas.pixels[to], picture->pixels[(size_t)y * picture->width],
               4 * (size_t)(picture->width < grid->width ? picture->width : grid->width));
    }
    put_name(grid, index, name);
}

void grid_put_nothing(const render_grid *grid, size_t index, const char *name)
{
    const uint32_t length = grid->width > grid->height ? grid->width : grid->height;
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t x = (uint32_t)((uint64_t)i * grid->width / length);
        const uint32_t y = (uint32_t)((uint64_t)i * grid->height / length), other = grid->height - 1 - y;
        const size_t row = grid->canvas.width, left = left_of(grid, index) + x;
        memcpy(grid->canvas.pixels[(top_of(grid, index) + y) * row + left], crossed, 4);
        memcpy(grid->canvas.pixels[(top_of(grid, index) + other) * row + left], crossed, 4);
    }
    put_name(grid, index, name);
}

/* The label of a path: its file name without the extension, with it, with one folder, with two. */
static const char *label_at(const char *path, size_t level, size_t *len)
{
    const char *name = path_last(path), *dot = strrchr(name, '.');
    *len = level == 0 && dot && dot > name ? (size_t)(dot - name) : strlen(name);
    for (; level > 1 && name > path; level--) {
        const char *end = name--;
        while (name > path && name[-1] != '/')
            name--;
        *len += (size_t)(end - name);
    }
    return name;
}

char *sheet_label(const cli_args *args, size_t index)
{
    enum { LEVELS = 8 };
    size_t len = 0, level = 0;
    const char *label = NULL;
    for (bool unique = false; !unique && level < LEVELS; level++) {
        label = label_at(args->operands[index], level, &len);
        unique = true;
        for (size_t i = 0; i < args->operand_count && unique; i++) {
            size_t other_len;
            const char *other = label_at(args->operands[i], level, &other_len);
            unique = i == index || other_len != len || memcmp(other, label, len) != 0;
        }
    }
    char *text = need(NULL, len + 1, 1);
    memcpy(text, label, len);
    text[len] = '\0';
    return text;
}

void grid_free(render_grid *grid)
{
    free(grid->canvas.pixels);
    grid->canvas.pixels = NULL;
}
