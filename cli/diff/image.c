/* image.c: both models and the difference of their pictures, side by side. */
#include "diff/diff.h"

#include "alloc.h"
#include "output.h"
#include "paths.h"
#include "render/render.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

static bool diff_fill(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    const cli_canvas *canvas = context;
    const trilo_image image = {canvas->width, canvas->height, (const uint8_t(*)[4])canvas->pixels};
    return trilo_image_write(&image, TRILO_PICTURE_KIND_PNG, sink, sink_user, err);
}

/* How far apart the colours are, times four, on black; white is at least a quarter of the range. */
static void diff_pixels(const uint8_t (*a)[4], const uint8_t (*b)[4], size_t count, uint8_t (*out)[4])
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) {
            const int distance = 4 * abs((int)a[i][k] - (int)b[i][k]);
            out[i][k] = k == 3 ? 255 : (uint8_t)(distance > 255 ? 255 : distance);
        }
}

static exit_code diff_draw_models(const diff_report *report, const render_options *options, const char *path)
{
    render_model a, b;
    render_grid grid = {.columns = 0};
    trilo_error err = {0};
    trilo_image first = {0}, second = {0};
    exit_code code = render_open(&a, options, report->a.input.path);
    code = exit_worse(code, render_open(&b, options, report->b.input.path));
    const size_t count = (size_t)options->width * options->height;
    uint8_t(*pixels)[4] = need(NULL, count, sizeof *pixels);
    if (code == EXIT_FINE && (!render_frame(&a, 0, &first, &err) || !render_frame(&b, 0, &second, &err))) {
        report_error(&report->args->err, path, &err);
        code = exit_of(err.code);
    }
    if (code == EXIT_FINE && !grid_new(&grid, 3, options->width, options->height, options->scene.background, 3))
        code = EXIT_LIMIT;
    if (code == EXIT_FINE) {
        const trilo_image difference = {options->width, options->height, (const uint8_t(*)[4])pixels};
        diff_pixels(first.pixels, second.pixels, count, pixels);
        grid_put(&grid, 0, &first, path_last(report->a.input.path));
        grid_put(&grid, 1, &second, path_last(report->b.input.path));
        grid_put(&grid, 2, &difference, "difference x4");
        if (!output_fill(path, diff_fill, &grid.canvas, &err)) {
            report_error(&report->args->err, path, &err);
            code = exit_of(err.code);
        }
    }
    grid_free(&grid);
    free(pixels);
    render_close(&a);
    render_close(&b);
    return code;
}

/* As `render -o` with its defaults draws them. */
exit_code diff_draw(const diff_report *report, const char *path)
{
    render_options options;
    cli_args args = *report->args;
    cli_chosen chosen[3] = {{option_named(ON_RENDER, "output", 6), path, false}};
    static const option_id folders[] = {OPT_ASSET_PATH, OPT_TEXTURE_PATH};
    args.command = command_named("render");
    args.chosen = chosen;
    args.chosen_count = 1;
    args.operand_count = 1;
    args.json = false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (args_given(report->args, folders[i]))
            chosen[args.chosen_count++] =
                (cli_chosen){option_get(folders[i]), args_given(report->args, folders[i]), false};
    const exit_code code = render_read_options(&args, &options);
    return code == EXIT_FINE ? diff_draw_models(report, &options, path) : code;
}
