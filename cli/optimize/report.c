/* report.c: what was gained. */
#include "optimize/optimize.h"

#include "ui/report.h"
#include "ui/table.h"

#include <stddef.h>

/* A count for the table; the key is that of JSON. */
typedef struct cli_gain {
    const char *key, *title;
    size_t at; /* in trilo_cost_counts */
} cli_gain;

#define GAIN(field, title)                                                                                             \
    {                                                                                                                  \
#field, title, offsetof(trilo_cost_counts, field)                                                              \
    }

static const cli_gain gains[] = {
    GAIN(parts, "parts"),
    GAIN(loads, "loads"),
    GAIN(vertices, "vertices loaded"),
    GAIN(triangles, "triangles"),
    GAIN(list_commands, "list commands"),
    GAIN(sequences, "sequences"),
    GAIN(strips, "strips"),
    GAIN(strip_indices, "strip indices"),
    GAIN(modifies, "changes of vertices"),
    GAIN(matrix_sets, "bones set"),
    GAIN(commands, "commands"),
    GAIN(draw_bytes, "bytes of drawing"),
    GAIN(rsp_bytes, "bytes the RSP moves"),
    GAIN(score, "score, cycles"),
};
enum { GAINS = sizeof gains / sizeof *gains };

static uint64_t optimize_gain_value(const cli_measure *measure, const cli_gain *gain)
{
    return *(const uint64_t *)(const void *)((const char *)&measure->counts + gain->at);
}

/* ---- for people ---- */

static void put_row(cli_table *table, const char *title, const char *before, const char *after, double ratio)
{
    table_cell(table, "%s", title);
    table_cell(table, "%s", before);
    table_cell(table, "%s", after);
    if (ratio > 0)
        table_cell(table, "%.3f", ratio);
    else
        table_cell(table, "%s", "");
}

static void put_count(cli_table *table, const char *title, uint64_t before, uint64_t after)
{
    if (before != 0 || after != 0)
        put_row(table, title, COUNT(before), COUNT(after), before > 0 ? (double)after / (double)before : 0);
}

void optimize_fill_table(cli_optimizer *optimizer)
{
    const cli_measure *before = &optimizer->before, *after = &optimizer->after;
    cli_table *table = &optimizer->table;
    *table = table_new("lrrr");
    table_cells(table, (const char *const[]){"drawn once", "before", "after", "ratio", NULL});
    for (size_t i = 0; i < GAINS; i++)
        put_count(table, gains[i].title, optimize_gain_value(before, &gains[i]), optimize_gain_value(after, &gains[i]));
    if (!before->for_console)
        put_row(table, "cache misses a triangle", ROUNDED(before->misses), ROUNDED(after->misses),
                before->misses > 0 ? after->misses / before->misses : 0);
    put_count(table, "bytes of the file", before->size, after->size);
}

/* ---- for programs ---- */

static void json_measure(cli_json *json, const char *key, const cli_measure *measure)
{
    json_object(json, key);
    for (size_t i = 0; i < GAINS; i++)
        json_uint(json, gains[i].key, optimize_gain_value(measure, &gains[i]));
    if (!measure->for_console)
        json_double(json, "cache_misses", measure->misses);
    json_uint(json, "file_size", measure->size);
    json_end(json);
}

void optimize_json(const cli_optimizer *optimizer, cli_json *json, exit_code code)
{
    const trilo_format_info *format = trilo_format_get(optimizer->conversion.write.format);
    json_end(json); /* of the findings */
    json_bool(json, "written", code == EXIT_FINE && !optimizer->dry);
    json_text(json, "format", format ? format->name : "");
    json_uint(json, "level", optimizer->opts.level);
    if (code == EXIT_FINE) {
        json_measure(json, "before", &optimizer->before);
        json_measure(json, "after", &optimizer->after);
    }
    json_finish(json);
}
