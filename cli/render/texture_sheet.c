/* The textures of a model side by side, as the console filters them, also in every format that they could have. */
#include "render/render.h"

#include "alloc.h"
#include "ui/report.h"

#include "trilobite/sprite.h"

#include <stdlib.h>
#include <string.h>

enum { CELL = 128, CHECK_SIZE = 8, NAME = 64 };

/* What is transparent shows a checkerboard. */
static void put_cell(const render_grid *grid, size_t index, const trilo_image *image, bool nearest, const char *name)
{
    uint8_t(*pixels)[4] = need(NULL, (size_t)grid->width * grid->height, sizeof *pixels);
    trilo_texture_filter(image, nearest, grid->width, grid->height, pixels);
    for (uint32_t i = 0; i < grid->width * grid->height; i++) {
        const uint32_t x = i % grid->width / CHECK_SIZE, y = i / grid->width / CHECK_SIZE;
        const uint32_t ground = (x + y) & 1 ? 120 : 90, alpha = pixels[i][3];
        for (int c = 0; c < 3; c++)
            pixels[i][c] = (uint8_t)((pixels[i][c] * alpha + ground * (255 - alpha) + 127) / 255);
        pixels[i][3] = 255;
    }
    const trilo_image cell = {grid->width, grid->height, (const uint8_t(*)[4])pixels};
    grid_put(grid, index, &cell, name);
    free(pixels);
}

/* The image in another format, at the size that fits TMEM in it. */
static bool put_candidate(const render_grid *grid, size_t index, const trilo_image *image, bool nearest,
                          const trilo_plan_candidate *candidate, trilo_error *err)
{
    const trilo_resize_opts resize = {.width = candidate->width, .height = candidate->height};
    const trilo_sprite_opts opts = {.texels = candidate->texels};
    const trilo_image *resized = trilo_image_resize(image, &resize, err);
    const trilo_bitmap bitmap = {.image = resized ? *resized : (trilo_image){0}};
    const trilo_sprite *sprite = resized ? trilo_sprite_encode(&bitmap, &opts, err) : NULL;
    char name[NAME];
    snprintf(name, sizeof name, "%s %uB E%.1f", trilo_texels_name(candidate->texels), candidate->size,
             candidate->difference.delta_e);
    if (sprite)
        put_cell(grid, index, &sprite->image, nearest, name);
    trilo_sprite_free(sprite);
    trilo_image_free(resized);
    return sprite != NULL;
}

static bool put_formats(const render_grid *grid, size_t index, const trilo_image *image, bool nearest, trilo_error *err)
{
    const trilo_bitmap bitmap = {.image = *image};
    trilo_sprite_plan plan;
    if (!trilo_sprite_plan_make(&bitmap, NULL, &plan, err))
        return false;
    for (uint32_t i = 0; i < plan.candidate_count; i++)
        if (plan.candidates[i].size > 0 && !put_candidate(grid, index + i, image, nearest, &plan.candidates[i], err))
            return false;
    return true;
}

exit_code render_texture_sheet(render_model *m, render_grid *grid)
{
    const render_options *o = m->options;
    const trilo_model *model = m->input.model;
    const size_t each = o->compare_formats ? 1 + TRILO_PLAN_CANDIDATES : 1;
    trilo_error err;
    if (model->texture_count == 0) {
        report_plain(&o->args->err, m->input.path, "it has no textures");
        return EXIT_LIMIT;
    }
    if (!grid_new(grid, each * model->texture_count, CELL, CELL, o->scene.background,
                  o->compare_formats ? (uint32_t)each : 0)) {
        report_plain(&o->args->err, m->input.path, "so many textures make too large a picture");
        return EXIT_LIMIT;
    }
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const trilo_texture *texture = &model->textures[i];
        const trilo_str name = texture->path.len > 0 ? texture->path : texture->name;
        const trilo_image *image = m->textures.images[i];
        char label[NAME];
        snprintf(label, sizeof label, "%u %.*s", i, (int)(name.len < NAME / 2 ? name.len : NAME / 2),
                 name.len > NAME / 2 ? name.data + name.len - NAME / 2
                 : name.data         ? name.data
                                     : "");
        if (!image) {
            grid_put_nothing(grid, i * each, label);
            continue;
        }
        put_cell(grid, i * each, image, texture->nearest, label);
        if (o->compare_formats && !put_formats(grid, i * each + 1, image, texture->nearest, &err)) {
            report_error(&o->args->err, m->input.path, &err);
            return exit_of(err.code);
        }
    }
    return EXIT_FINE;
}
