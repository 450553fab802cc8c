/* render.c: the command that draws models. */
#include "render/render.h"

#include "alloc.h"
#include "output.h"
#include "paths.h"
#include "ui/report.h"

#include "trilobite/visibility.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

typedef struct render_job {
    render_model *model;
    uint32_t first, count; /* frames */
    trilo_picture_kind kind;
    render_progress *progress;
} render_job;

static bool next_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    const render_job *job = user;
    const bool ok = render_frame(job->model, job->first + index, frame, err);
    progress_step(job->progress);
    return ok;
}

static bool fill_picture(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    const render_job *job = context;
    const trilo_picture_opts opts = {.memory = job->model->options->load.all.memory,
                                     .kind = job->kind,
                                     .frame_count = job->count,
                                     .frame_rate = job->model->rate};
    return trilo_picture_write(&opts, next_frame, context, sink, sink_user, err);
}

static bool fill_canvas(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    const cli_canvas *canvas = context;
    const trilo_image image = {canvas->width, canvas->height, (const uint8_t(*)[4])canvas->pixels};
    return trilo_image_write(&image, TRILO_PICTURE_KIND_PNG, sink, sink_user, err);
}

static exit_code write_to(const cli_args *args, const char *path, trilo_fill_fn *fill, void *context)
{
    trilo_error err;
    if (output_fill(path, fill, context, &err))
        return EXIT_FINE;
    report_error(&args->err, path, &err);
    return exit_of(err.code);
}

static exit_code write_numbered(render_job *job)
{
    const render_options *o = job->model->options;
    const uint32_t count = job->count;
    exit_code code = EXIT_FINE;
    job->count = 1;
    for (job->first = 0; job->first < count && code == EXIT_FINE; job->first++) {
        /* "hero.png": "hero-007.png"; in the order of their names. */
        char *stem = path_with_ending(o->out, "");
        const size_t room = strlen(stem) + 32;
        char *path = need(NULL, room, 1);
        snprintf(path, room, count > 1000 ? "%s-%06" PRIu32 ".png" : "%s-%03" PRIu32 ".png", stem, job->first);
        free(stem);
        code = write_to(o->args, path, fill_picture, job);
        free(path);
    }
    return code;
}

static exit_code write_frames(render_model *m)
{
    const render_options *o = m->options;
    render_progress progress = progress_start(o->args, m->frame_count);
    render_job job = {.model = m, .count = m->frame_count, .kind = o->kind, .progress = &progress};
    const exit_code code = o->moves && o->kind == TRILO_PICTURE_KIND_PNG
                               ? write_numbered(&job)
                               : write_to(o->args, o->out, fill_picture, &job);
    progress_finish(&progress);
    return code;
}

static exit_code write_grid(render_model *m)
{
    render_grid grid = {.columns = 0};
    exit_code code = m->options->uv ? render_uvs(m, &grid) : render_texture_sheet(m, &grid);
    if (code == EXIT_FINE)
        code = write_to(m->options->args, m->options->out, fill_canvas, &grid.canvas);
    grid_free(&grid);
    return code;
}

/* Text goes out at once, so that several models can follow each other. */
static exit_code render_show(render_model *m)
{
    render_progress none = {.total = 1};
    render_job job = {.model = m, .count = 1, .kind = TRILO_PICTURE_KIND_ANSI, .progress = &none};
    trilo_error err;
    FILE *out = m->options->args->out.file;
    if (m->options->args->operand_count > 1) {
        text_puts(out, report_name(m->input.path));
        fputs(":\n", out);
    }
    if (fill_picture(&job, output_sink, out, &err) || err.code == TRILO_CODE_CANT_WRITE)
        return EXIT_FINE; /* the end of the program checks whether standard output was written */
    report_error(&m->options->args->err, m->input.path, &err);
    return exit_of(err.code);
}

/* ---- the report ---- */

/* ---- models ---- */

static exit_code draw_one(render_model *m, const render_grid *sheet, size_t index, trilo_error *err)
{
    trilo_image frame;
    if (!sheet)
        return m->options->ansi                              ? render_show(m)
               : m->options->uv || m->options->texture_sheet ? write_grid(m)
                                                             : write_frames(m);
    if (render_frame(m, 0, &frame, err)) {
        char *name = sheet_label(m->options->args, index);
        grid_put(sheet, index, &frame, name);
        free(name);
        return EXIT_FINE;
    }
    report_error(&m->options->args->err, m->input.path, err);
    return exit_of(err->code);
}

typedef struct unseen_report {
    const render_model *model;
    cli_json *json; /* NULL: text */
    bool explained;
} unseen_report;

static void see_reason(void *user, const trilo_finding *finding)
{
    unseen_report *report = user;
    report->explained = true;
    if (report->json)
        report_json(report->json, finding);
    report_finding(&report->model->options->args->err, report->model->input.path, finding);
}

/* Nothing was drawn in any frame: the picture is written, with a warning. */
static void explain_unseen(const render_model *m, cli_json *json)
{
    unseen_report report = {.model = m, .json = json};
    const trilo_visibility_opts opts = {.memory = m->options->load.all.memory,
                                        .textures = m->textures.images,
                                        .on_finding = see_reason,
                                        .on_finding_user = &report};
    trilo_model_visible(m->input.model, &opts, NULL);
    if (!report.explained)
        see_reason(&report, &(trilo_finding){
                                .severity = TRILO_SEVERITY_WARNING,
                                .kind = TRILO_FINDING_KIND_ADVICE,
                                .rule = "",
                                .offset = TRILO_NOWHERE,
                                .path = "",
                                .text = "nothing of it is in the picture: it is seen from behind or from its edge, is "
                                        "not in front of the camera, or has the colour of the background"});
}

static exit_code render_draw_all(const render_options *o, const render_grid *sheet, cli_json *json)
{
    exit_code code = EXIT_FINE;
    render_progress progress = progress_start(o->args, sheet ? o->args->operand_count : 1);
    for (size_t i = 0; i < o->args->operand_count; i++) {
        render_model m;
        trilo_error err;
        exit_code one = render_open(&m, o, o->args->operands[i]);
        if (one == EXIT_FINE)
            one = draw_one(&m, sheet, i, &err);
        if (one != EXIT_FINE && sheet) {
            char *name = sheet_label(o->args, i);
            grid_put_nothing(sheet, i, name);
            free(name);
        }
        const bool unseen = one == EXIT_FINE && !m.visible && !o->uv && !o->texture_sheet;
        if (json) {
            const trilo_model *model = m.input.model;
            json_object(json, NULL);
            json_text(json, "file", m.input.path);
            json_bool(json, "drawn", one == EXIT_FINE && !unseen);
            if (model) {
                json_uint(json, "frames", m.frame_count);
                json_index(json, "clip", m.clip);
                json_uint(json, "textures", m.textures.count);
                json_uint(json, "textures_missing", m.textures.missing);
            }
            if (!model || unseen) {
                json_array(json, "findings");
                if (model)
                    explain_unseen(&m, json);
                else
                    input_refusals(&m.input, json);
                json_end(json);
            }
            json_end(json);
        }
        if (unseen && !json)
            explain_unseen(&m, NULL);
        render_close(&m);
        code = exit_worse(code, unseen ? EXIT_FINDINGS : one);
        progress_step(&progress);
    }
    progress_finish(&progress);
    return code;
}

/* Models that cannot be drawn are crossed out; the others are drawn. */
static exit_code make_sheet(const render_options *o, cli_json *json)
{
    render_grid sheet;
    if (!grid_new(&sheet, o->args->operand_count, o->width, o->height, o->scene.background, 0))
        return args_fail(o->args, "--sheet: %s pictures of %" PRIu32 "x%" PRIu32 " are too large for one",
                         COUNT(o->args->operand_count), o->width, o->height);
    exit_code code = render_draw_all(o, &sheet, json);
    code = exit_worse(code, write_to(o->args, o->sheet, fill_canvas, &sheet.canvas));
    grid_free(&sheet);
    return code;
}

exit_code render_run(const cli_args *args)
{
    render_options options;
    exit_code code = render_read_options(args, &options);
    if (code != EXIT_FINE)
        return code;
    if (!args->json)
        return options.sheet ? make_sheet(&options, NULL) : render_draw_all(&options, NULL, NULL);
    cli_json json = json_start(args->out.file, "render");
    json_array(&json, "models");
    code = options.sheet ? make_sheet(&options, &json) : render_draw_all(&options, NULL, &json);
    json_end(&json);
    json_finish(&json);
    return code;
}
