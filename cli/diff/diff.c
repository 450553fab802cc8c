/* diff.c: the command that compares two models of any formats. */

#include "diff/diff.h"

#include "alloc.h"
#include "cost/cost.h"
#include "info/info.h"
#include "names.h"
#include "project.h"
#include "system.h"
#include "ui/report.h"

#include "trilobite/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Formats of the console round: half a step of 16-bit positions, of 5-bit normals, of texels, of 8-bit colours. */
static const double diff_round_uv = 1.0 / 64, diff_round_color = 2.5 / 255, diff_round_degrees = 6;
/* Below this, two values of the same format are the same: order of additions. */
static const double diff_noise = 1e-5, diff_noise_degrees = 0.01;

void diff_row(diff_report *report, const char *section, const char *name, const char *a, const char *b, bool counts)
{
    report->differs |= counts;
    if (report->json) {
        json_object(report->json, NULL);
        json_text(report->json, "section", section);
        json_text(report->json, "name", name);
        json_text(report->json, "a", a);
        json_text(report->json, "b", b);
        json_bool(report->json, "counts", counts);
        json_end(report->json);
        return;
    }
    FILE *out = report->args->out.file;
    if (!report->section || strcmp(report->section, section) != 0) {
        screen_put(&report->args->out, STYLE_HEAD, section);
        fputc('\n', out);
    }
    report->section = section;
    fputs("  ", out);
    text_puts(out, name);
    for (size_t width = text_width(name); width < 18; width++)
        fputc(' ', out);
    fputs("  ", out);
    text_puts(out, a);
    if (*b) {
        fputs(*a ? " -> " : "-> ", out);
        text_puts(out, b);
    }
    fputs(counts ? "\n" : " (not counted)\n", out);
}

static void diff_count(diff_report *report, const char *section, const char *name, double a, double b, bool counts)
{
    if (a != b)
        diff_row(report, section, name, COST_TEXT(a), COST_TEXT(b), counts);
}

/* ---- structure ---- */

/* The most bones that a vertex follows. */
static uint32_t diff_bones(const trilo_model *model)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        for (uint32_t v = 0; mesh->weights && v < mesh->vertex_count; v++) {
            uint32_t bones = 0;
            for (int k = 0; k < 4; k++)
                bones += mesh->weights[v][k] > 0;
            most = bones > most ? bones : most;
        }
    }
    return most;
}

/* An imported model is a glTF model for the library, but not for the user. */
static const char *diff_format(const diff_side *side)
{
    const trilo_import import = trilo_document_import(side->input.document);
    return import.format ? import.format : trilo_format_get(side->input.model->format)->title;
}

static void diff_structure(diff_report *report)
{
    const trilo_model *a = report->a.input.model, *b = report->b.input.model;
    const bool same = report->same_format;
    if (!same)
        diff_row(report, "structure", "format", diff_format(&report->a), diff_format(&report->b), false);
    else
        diff_count(report, "structure", "version", a->version, b->version, true);
    diff_count(report, "structure", "meshes", a->mesh_count, b->mesh_count, same);
    diff_count(report, "structure", "materials", a->material_count, b->material_count, same);
    diff_count(report, "structure", "nodes", a->node_count, b->node_count, same);
    diff_count(report, "structure", "skins", a->skin_count, b->skin_count, same);
    diff_count(report, "structure", "bones per vertex", diff_bones(a), diff_bones(b), same);
    diff_count(report, "structure", "clips", a->clip_count, b->clip_count, true);
    for (uint32_t i = 0; same && i < a->node_count && i < b->node_count; i++) {
        const trilo_str x = a->nodes[i].name, y = b->nodes[i].name;
        char number[32];
        snprintf(number, sizeof number, "node %u", i);
        if (x.len != y.len || memcmp(x.data, y.data, x.len) != 0)
            diff_row(report, "structure", number, x.data, y.data, true);
    }
}

/* ---- materials ---- */

/* The words of a material, line by line, as `info --materials` prints them. */
static char *material_words(const trilo_model *model, uint32_t index)
{
    system_text words;
    if (!system_text_open(&words))
        alloc_failed();
    info_print_material(model, index, words.file);
    if (!system_text_close(&words))
        alloc_failed();
    return words.text;
}

/* Pairs rows of both models, materials or clips: those with the same name, the first with the first. A row without a
 * name belongs to the one at the same index. */
typedef struct diff_pairs {
    uint32_t count;
    cli_name *names; /* of the other model */
    trilo_str *by_index;
    bool *paired;
} diff_pairs;

static diff_pairs pairs_new(uint32_t count)
{
    return (diff_pairs){count, need(NULL, count, sizeof(cli_name)), need(NULL, count, sizeof(trilo_str)),
                        need(NULL, count, sizeof(bool))};
}

static void pairs_set(diff_pairs *pairs, uint32_t index, trilo_str name)
{
    pairs->names[index] = (cli_name){name, index, 0};
    pairs->by_index[index] = name;
    pairs->paired[index] = false;
}

static uint32_t pairs_take(diff_pairs *pairs, uint32_t index, trilo_str name)
{
    uint32_t found = name.len > 0 ? names_take(pairs->names, pairs->count, name) : TRILO_NONE;
    if (found == TRILO_NONE && index < pairs->count && (name.len == 0 || pairs->by_index[index].len == 0))
        found = index;
    if (found != TRILO_NONE)
        pairs->paired[found] = true;
    return found;
}

static void pairs_free(diff_pairs *pairs)
{
    free(pairs->names);
    free(pairs->by_index);
    free(pairs->paired);
}

static void diff_title(char title[80], trilo_str name, const char *kind, uint32_t index)
{
    if (name.len > 0)
        snprintf(title, 80, "%.*s", (int)(name.len < 60 ? name.len : 60), name.data);
    else
        snprintf(title, 80, "%s %u", kind, index);
}

/* Rows that only the other model has. */
static void diff_unpaired(diff_report *report, const diff_pairs *pairs, const char *section, const char *kind,
                          bool counts)
{
    char title[80];
    for (uint32_t i = 0; i < pairs->count; i++)
        if (!pairs->paired[i]) {
            diff_title(title, pairs->by_index[i], kind, i);
            diff_row(report, section, title, "missing", "there", counts);
        }
}

/* The next line of a text that is split; NULL: there is none left. */
static char *next_line(char **rest)
{
    char *line = *rest + strspn(*rest, "\n");
    if (*line == '\0')
        return NULL;
    char *end = line + strcspn(line, "\n");
    *rest = end + (*end != '\0');
    *end = '\0';
    return line;
}

/* Lines of both that are not the same; they have the same first word in the same order, except for tiles. */
static void diff_words(diff_report *report, const char *title, char *a, char *b)
{
    char *x = next_line(&a), *y = next_line(&b);
    while (x || y) {
        if (!x || !y || strcmp(x, y) != 0)
            diff_row(report, "materials", title, x ? x + strspn(x, " ") : "(nothing)",
                     y ? y + strspn(y, " ") : "(nothing)", true);
        x = x ? next_line(&a) : NULL;
        y = y ? next_line(&b) : NULL;
    }
}

static void diff_materials(diff_report *report)
{
    const trilo_model *a = report->a.input.model, *b = report->b.input.model;
    diff_pairs pairs = pairs_new(b->material_count);
    for (uint32_t i = 0; i < b->material_count; i++)
        pairs_set(&pairs, i, b->materials[i].name);
    names_sort(pairs.names, pairs.count);
    for (uint32_t i = 0; i < a->material_count; i++) {
        const uint32_t other = pairs_take(&pairs, i, a->materials[i].name);
        char title[80];
        diff_title(title, a->materials[i].name, "material", i);
        if (other == TRILO_NONE) {
            diff_row(report, "materials", title, "there", "missing", report->same_format);
            continue;
        }
        /* Plain materials of different formats have no words in common. */
        if (!report->same_format && (!a->materials[i].n64 || !b->materials[other].n64))
            continue;
        char *x = material_words(a, i), *y = material_words(b, other);
        diff_words(report, title, x, y);
        free(x);
        free(y);
    }
    diff_unpaired(report, &pairs, "materials", "material", report->same_format);
    pairs_free(&pairs);
}

/* ---- geometry ---- */

/* The longest side of the bounding box. */
static double diff_size(const trilo_model *model)
{
    const trilo_bounds box = trilo_model_bounds(model);
    const double size = fmax(fmax((double)box.max.x - (double)box.min.x, (double)box.max.y - (double)box.min.y),
                             (double)box.max.z - (double)box.min.z);
    return size > 0 ? size : 0;
}

static void diff_deviation(diff_report *report, const char *name, const trilo_deviation *deviation, const char *unit,
                           double noise, double allowed)
{
    char text[128];
    if (deviation->largest <= noise)
        return;
    snprintf(text, sizeof text, "%s%s at most, %s on average", ROUNDED(deviation->largest), unit,
             ROUNDED(deviation->mean));
    diff_row(report, "geometry", name, text, "", deviation->largest > allowed);
}

static exit_code diff_geometry(diff_report *report)
{
    const trilo_model *a = report->a.input.model, *b = report->b.input.model;
    trilo_model_deviation deviation;
    trilo_error err;
    const bool same = report->same_format;
    if (!trilo_model_compare(a, b, &report->a.load.all.memory, &deviation, &err)) {
        report_error(&report->args->err, report->a.input.path, &err);
        return exit_of(err.code);
    }
    const double noise = diff_size(a) * 1e-6;
    const double tolerance = fmax(report->tolerance, noise);
    diff_count(report, "geometry", "triangles", (double)deviation.triangles[0], (double)deviation.triangles[1], same);
    diff_deviation(report, "distance", &deviation.distance, "", noise, tolerance);
    if (deviation.reversed > 0) {
        char text[64];
        snprintf(text, sizeof text, "%s triangle%s the other way", COUNT(deviation.reversed),
                 deviation.reversed == 1 ? " faces" : "s face");
        diff_row(report, "geometry", "winding", text, "", true);
    }
    diff_deviation(report, "uv", &deviation.uv, " of the texture", diff_noise, same ? diff_noise : diff_round_uv);
    diff_deviation(report, "colours", &deviation.color, " of 1", diff_noise, same ? diff_noise : diff_round_color);
    diff_deviation(report, "normals", &deviation.normal, " degrees", diff_noise_degrees,
                   same ? diff_noise_degrees : diff_round_degrees);
    return EXIT_FINE;
}

/* ---- clips ---- */

static void diff_clip(diff_report *report, const char *title, const trilo_clip_pair *pair, double noise)
{
    const trilo_model *a = report->a.input.model, *b = report->b.input.model;
    const trilo_clip_deviation *deviation = &pair->deviation;
    char text[200];
    const double x = a->clips[pair->a].duration, y = b->clips[pair->b].duration;
    if (fabs(x - y) > 1e-4) {
        snprintf(text, sizeof text, "%s seconds", ROUNDED(x));
        diff_row(report, "clips", title, text, ROUNDED(y), report->same_format || fabs(x - y) > 1.0 / 30);
    }
    if (deviation->largest <= noise)
        return;
    const char *bone = deviation->node != TRILO_NONE ? a->nodes[deviation->node].name.data : "";
    snprintf(text, sizeof text, "%s apart at %s s%s%.60s, %s on average", ROUNDED(deviation->largest),
             ROUNDED(deviation->seconds), *bone ? ", bone " : "", bone, ROUNDED(deviation->mean));
    diff_row(report, "clips", title, text, "", deviation->largest > fmax(report->tolerance, noise));
}

static exit_code diff_clips(diff_report *report)
{
    const trilo_model *a = report->a.input.model, *b = report->b.input.model;
    trilo_clip_pair *clips = need(NULL, a->clip_count, sizeof *clips);
    uint32_t count = 0;
    trilo_error err;
    diff_pairs pairs = pairs_new(b->clip_count);
    for (uint32_t i = 0; i < b->clip_count; i++)
        pairs_set(&pairs, i, b->clips[i].name);
    names_sort(pairs.names, pairs.count);
    for (uint32_t i = 0; i < a->clip_count; i++) {
        clips[count] = (trilo_clip_pair){.a = i, .b = pairs_take(&pairs, i, a->clips[i].name)};
        count += clips[count].b != TRILO_NONE;
    }
    const double noise = diff_size(a) * 1e-5;
    const bool ok = count == 0 || trilo_clips_compare(a, b, clips, count, &report->a.load.all.memory, &err);
    if (!ok)
        report_error(&report->args->err, report->a.input.path, &err);
    for (uint32_t i = 0, at = 0; ok && i < a->clip_count; i++) {
        char title[80];
        diff_title(title, a->clips[i].name, "clip", i);
        if (at < count && clips[at].a == i)
            diff_clip(report, title, &clips[at++], noise);
        else
            diff_row(report, "clips", title, "there", "missing", true);
    }
    if (ok)
        diff_unpaired(report, &pairs, "clips", "clip", true);
    pairs_free(&pairs);
    free(clips);
    return ok ? EXIT_FINE : exit_of(err.code);
}

/* ---- textures and cost ---- */

static void diff_textures(diff_report *report)
{
    const trilo_model *a = report->a.input.model, *b = report->b.input.model;
    const bool same = report->same_format;
    diff_count(report, "textures", "number", a->texture_count, b->texture_count, same);
    for (uint32_t i = 0; i < a->texture_count && i < b->texture_count; i++) {
        const trilo_texture *x = &a->textures[i], *y = &b->textures[i];
        char title[32], one[160], two[160];
        snprintf(title, sizeof title, "texture %u", i);
        snprintf(one, sizeof one, "%.100s %ux%u", x->path.len > 0 ? x->path.data : x->name.data, x->width, x->height);
        snprintf(two, sizeof two, "%.100s %ux%u", y->path.len > 0 ? y->path.data : y->name.data, y->width, y->height);
        if (same && strcmp(one, two) != 0)
            diff_row(report, "textures", title, one, two, true);
        else if (x->bytes.size > 0 && y->bytes.size > 0 &&
                 (x->bytes.size != y->bytes.size || memcmp(x->bytes.data, y->bytes.data, x->bytes.size) != 0))
            diff_row(report, "textures", title, "the image is another one", "", same);
    }
}

static void diff_cost(diff_report *report)
{
    static const char *const names[] = {"microseconds",     "frame_bytes", "loads", "vertices", "commands",
                                        "material_changes", "tmem",        "rom",   "file_size"};
    trilo_error err;
    const trilo_cost *a = report->same_format ? trilo_document_cost(report->a.input.document, NULL, &err) : NULL;
    const trilo_format format = report->a.input.model->format;
    const bool drawn = format == TRILO_FORMAT_T3DM || format == TRILO_FORMAT_MODEL64; /* others have only sizes */
    const trilo_cost *b = a ? trilo_document_cost(report->b.input.document, NULL, &err) : NULL;
    for (size_t i = 0; a && b && i < sizeof names / sizeof *names; i++) {
        const size_t figure = cost_figure_named(names[i], strlen(names[i]));
        const double x = cost_values_of(a, 1, 0).of[figure], y = cost_values_of(b, 1, 0).of[figure];
        diff_count(report, "cost", cost_figure_at(figure)->title, x, y, drawn);
    }
    trilo_cost_free(a);
    trilo_cost_free(b);
}

/* ---- the command ---- */

static exit_code diff_open(diff_side *side, const cli_args *args, const char *path)
{
    const trilo_project *project;
    exit_code code = project_load(args, strcmp(path, "-") == 0 ? "." : path, &project);
    side->args = project_args(project, args, path);
    if (code == EXIT_FINE)
        code = input_options(&side->args, &side->load);
    if (code == EXIT_FINE)
        code = input_load(&side->input, &side->args, path, &side->load.all);
    side->args.project = NULL;
    trilo_project_free(project); /* values of its options were read */
    return code;
}

static exit_code diff_all(diff_report *report)
{
    report->same_format = strcmp(diff_format(&report->a), diff_format(&report->b)) == 0;
    const char *tolerance = args_given(report->args, OPT_TOLERANCE);
    report->tolerance = report->same_format ? 0 : (double)report->a.input.model->units_per_meter / 64;
    if (tolerance) {
        char *end;
        report->tolerance = strtod(tolerance, &end);
        if (end == tolerance || *end || !(report->tolerance >= 0))
            return args_fail(report->args, "--tolerance: \"%s\" is not a distance in units of A, such as 0.5",
                             tolerance);
    }
    diff_structure(report);
    diff_materials(report);
    exit_code code = diff_geometry(report);
    if (code == EXIT_FINE)
        code = diff_clips(report);
    diff_textures(report);
    diff_cost(report);
    return code;
}

exit_code diff_run(const cli_args *args)
{
    diff_report report = {.args = args};
    cli_json json;
    const char *image = args_given(args, OPT_IMAGE);
    exit_code code = diff_open(&report.a, args, args->operands[0]);
    code = exit_worse(code, diff_open(&report.b, args, args->operands[1]));
    if (code == EXIT_FINE && args->json) {
        json = json_start(args->out.file, "diff");
        json_text(&json, "a", args->operands[0]);
        json_text(&json, "b", args->operands[1]);
        json_array(&json, "differences");
        report.json = &json;
    }
    if (code == EXIT_FINE) {
        code = diff_all(&report);
        if (report.json) {
            json_end(&json);
            json_bool(&json, "differ", report.differs);
            json_finish(&json);
        }
        if (code == EXIT_FINE && image)
            code = diff_draw(&report, image);
        if (code == EXIT_FINE && report.differs)
            code = EXIT_FINDINGS;
    }
    input_close(&report.a.input);
    input_close(&report.b.input);
    project_args_free(&report.a.args);
    project_args_free(&report.b.args);
    return code;
}
