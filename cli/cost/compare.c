/* Two models side by side. */
#include "cost/cost.h"

#include "ui/report.h"

#include <string.h>

static void compare_cell_name(cli_table *table, const char *path)
{
    const char *name = report_name(path);
    table_text(table, (trilo_str){name, strlen(name)});
}

/* The first of the second: below 1 it is cheaper. */
static double compare_ratio(double value, double other)
{
    return other > 0 ? value / other : 0;
}

void cost_compare_text(const cost_model *model, const cost_model *other, const cost_options *options)
{
    const cli_screen *screen = &options->args->out;
    cli_table table = table_new("lrrr");
    table_cell(&table, "FIGURE");
    compare_cell_name(&table, model->path);
    compare_cell_name(&table, other->path);
    table_cell(&table, "RATIO");
    for (size_t i = 0; i < COST_FIGURES; i++) {
        const double a = model->values.of[i], b = other->values.of[i];
        if (a <= 0 && b <= 0)
            continue;
        table_cell(&table, "%s", cost_figure_at(i)->title);
        table_cell(&table, "%s", COST_TEXT(a));
        table_cell(&table, "%s", COST_TEXT(b));
        if (b > 0)
            table_cell(&table, "%.4f", compare_ratio(a, b));
        else
            table_cell(&table, "%s", "");
    }
    table_print(&table, screen, true);
}

void cost_compare_json(const cost_model *model, const cost_model *other, cli_json *json)
{
    json_object(json, "compared");
    json_text(json, "file", other->path);
    cost_json_values(json, "figures", &other->values);
    json_object(json, "ratios");
    for (size_t i = 0; i < COST_FIGURES; i++) {
        if (other->values.of[i] > 0)
            json_double(json, cost_figure_at(i)->name, compare_ratio(model->values.of[i], other->values.of[i]));
        else
            json_null(json, cost_figure_at(i)->name);
    }
    json_end(json);
    json_end(json);
}
