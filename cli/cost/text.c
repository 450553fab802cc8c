#include "cost/cost.h"

#include "ui/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static double cost_figure_value(const cost_model *model, const char *name)
{
    return model->values.of[cost_figure_named(name, strlen(name))];
}

/* The renderer of other formats is unknown. */
static bool is_console(const trilo_cost *cost)
{
    return cost->format == TRILO_FORMAT_T3DM || cost->format == TRILO_FORMAT_MODEL64;
}

static void cost_print_head(const cost_model *model, const cost_options *options)
{
    const cli_screen *screen = &options->args->out;
    const trilo_cost *cost = model->cost;
    const trilo_format_info *format = trilo_format_get(cost->format);
    char *name = text_escaped(report_name(model->path), strlen(report_name(model->path)));
    screen_put(screen, STYLE_HEAD, name);
    free(name);
    fprintf(screen->file, ": %s%s, version %" PRIu32 ", %s bytes", model->converted ? "as a " : "", format->title,
            cost->version, COUNT(cost->file_size));
    if (options->instances > 1)
        fprintf(screen->file, ", drawn %s times a frame", COUNT(options->instances));
    fputs("\n\n", screen->file);
}

/* ---- in short ---- */

static void cost_fact_materials(cli_table *table, const cost_model *model)
{
    const trilo_cost *cost = model->cost;
    table_cell(table, "materials");
    table_cell(table, "%s, set %s time%s", COUNT(cost->material_count),
               COST_TEXT(cost_figure_value(model, "material_changes")),
               text_plural((uint64_t)cost_figure_value(model, "material_changes")));
    if (cost->texture_count == 0)
        return;
    table_cell(table, "textures");
    table_cell(table, "%s, uploaded %s time%s%s", COUNT(cost->texture_count),
               COST_TEXT(cost_figure_value(model, "uploads")),
               text_plural((uint64_t)cost_figure_value(model, "uploads")),
               cost->unknown_textures ? "; those of unknown format count no bytes" : "");
}

static void cost_print_facts(const cost_model *model, const cli_screen *screen)
{
    cli_table table = table_new("ll");
    const double time = cost_figure_value(model, "microseconds");
    if (model->cost->format == TRILO_FORMAT_T3DM) {
        table_cell(&table, "RSP time");
        table_cell(&table,
                   "about %s microseconds: %s %% of a frame at 30 fps, %s %% at 60; %s of them for material changes",
                   COST_TEXT(time), COST_TEXT(time * 30 / 1e4), COST_TEXT(time * 60 / 1e4),
                   COST_TEXT(cost_figure_value(model, "material_microseconds")));
    }
    if (model->fill.wanted) {
        table_cell(&table, "RDP fill");
        table_cell(&table, "about %s microseconds: %s pixels (%s %% of %" PRIu32 " x %" PRIu32 "), %s bytes of memory",
                   COST_TEXT(model->fill.estimate.microseconds), COST_TEXT(model->fill.estimate.pixels),
                   COST_TEXT(model->fill.percent), model->fill.width, model->fill.height,
                   COST_TEXT(model->fill.estimate.bytes));
    }
    const double all = cost_figure_value(model, "frame_bytes"), geometry = cost_figure_value(model, "rsp_bytes");
    if (all > 0) {
        table_cell(&table, "DMA");
        if (all > geometry)
            table_cell(&table, "%s bytes a frame: %s geometry, %s state, %s overlays, %s textures", COST_TEXT(all),
                       COST_TEXT(geometry), COST_TEXT(cost_figure_value(model, "state_bytes")),
                       COST_TEXT(cost_figure_value(model, "overlay_bytes")),
                       COST_TEXT(cost_figure_value(model, "upload_bytes")));
        else
            table_cell(&table, "%s bytes a frame", COST_TEXT(all));
    }
    const trilo_cost *cost = model->cost;
    if (is_console(cost)) {
        table_cell(&table, "memory");
        table_cell(&table, "%s bytes of RAM, %s of ROM%s", COST_TEXT(cost_figure_value(model, "ram")),
                   COST_TEXT(cost_figure_value(model, "rom")),
                   cost->stored_size < cost->file_size ? ", compressed" : "");
        if (cost->companion_size > 0) {
            table_cell(&table, "streams");
            table_cell(&table, "%s bytes, read from the ROM while clips play", COUNT(cost->companion_size));
        }
    }
    cost_fact_materials(&table, model);
    table_print(&table, screen, false);
}

/* ---- counts ---- */

static void cost_text_cell_count(cli_table *table, double value)
{
    table_cell(table, "%s", value > 0 ? COST_TEXT(value) : "");
}

/* The figures by their names; those that are 0 are left out. */
static void print_figures(const cost_model *model, const char *const *names, const char *const *heads,
                          const cli_screen *screen)
{
    cli_table table = table_new("rrrrrrrrrr");
    for (size_t i = 0; i < table.columns; i++)
        table_cell(&table, "%s", heads[i]);
    for (size_t i = 0; i < table.columns; i++)
        cost_text_cell_count(&table, cost_figure_value(model, names[i]));
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

void cost_print_text(const cost_model *model, const cost_options *options)
{
    const cli_screen *screen = &options->args->out;
    cost_print_head(model, options);
    cost_print_facts(model, screen);
    if (is_console(model->cost)) {
        static const char *const names[] = {"objects",    "parts",   "loads",     "vertices",   "unique",
                                            "duplicates", "padding", "triangles", "degenerate", "commands"};
        static const char *const heads[] = {"OBJECTS",      "PARTS",       "LOADS",     "VERTICES",     "DIFFERENT",
                                            "LOADED AGAIN", "NEVER DRAWN", "TRIANGLES", "WITHOUT AREA", "COMMANDS"};
        print_figures(model, names, heads, screen);
        static const char *const command_names[] = {
            "list_commands", "sequences", "sequence_triangles", "strips",  "strip_triangles", "strip_indices",
            "runs",          "syncs",     "matrix_sets",        "modifies"};
        static const char *const command_heads[] = {"LISTS",   "SEQUENCES", "TRIANGLES", "STRIPS",   "TRIANGLES",
                                                    "INDICES", "RUNS",      "SYNCS",     "MATRICES", "MODIFIES"};
        if (model->cost->counts.list_commands + model->cost->counts.sequences + model->cost->counts.strips > 0)
            print_figures(model, command_names, command_heads, screen);
    } else {
        cli_table table = table_new("rrrrr");
        table_cells(&table, (const char *[]){"MESHES", "VERTICES", "NEVER DRAWN", "TRIANGLES", "WITHOUT AREA", NULL});
        cost_text_cell_count(&table, cost_figure_value(model, "objects"));
        cost_text_cell_count(&table, cost_figure_value(model, "vertices"));
        cost_text_cell_count(&table, cost_figure_value(model, "padding"));
        cost_text_cell_count(&table, cost_figure_value(model, "triangles"));
        cost_text_cell_count(&table, cost_figure_value(model, "degenerate"));
        fputc('\n', screen->file);
        table_print(&table, screen, true);
    }
    cost_print_materials(model->cost, options);
    cost_print_textures(model->cost, options);
    cost_print_objects(model->cost, options);
    if (model->cost->hint_count > 0)
        fputc('\n', screen->file);
    for (uint32_t i = 0; i < model->cost->hint_count; i++) {
        screen_put(screen, STYLE_NOTE, "hint:");
        fputc(' ', screen->file);
        text_put(screen->file, model->cost->hints[i].text.data, model->cost->hints[i].text.len);
        if (model->cost->hints[i].saves > 0)
            fprintf(screen->file, " (up to %s bytes a frame)", COUNT(model->cost->hints[i].saves));
        fputc('\n', screen->file);
    }
}
