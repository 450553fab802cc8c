/* Budgets: a figure and its maximum, one per line or as a JSON object; a # starts a comment.
 *
 *   microseconds 4000     # of the RSP
 *   vertices     3000
 */
#include "cost/cost.h"

#include "ui/report.h"
#include "usage/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const cli_args *args;
    const char *path, *at, *end;
    unsigned line;
} reader;

/* The punctuation of JSON is skipped, so that both kinds of file are lists of words. */
static bool is_mark(char c)
{
    return strchr(" \t\r\n{}\",:=", c) != NULL && c != '\0';
}

static trilo_str next_word(reader *r)
{
    while (r->at < r->end && (is_mark(*r->at) || *r->at == '#')) {
        if (*r->at == '#')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        if (r->at < r->end)
            r->line += *r->at++ == '\n';
    }
    const char *start = r->at;
    while (r->at < r->end && !is_mark(*r->at) && *r->at != '#' && *r->at != '\0')
        r->at++;
    if (r->at == start && r->at < r->end)
        r->at++; /* a NUL: a word of its own */
    return (trilo_str){start, (size_t)(r->at - start)};
}

static exit_code budget_complain(const reader *r, const char *sentence)
{
    char text[320];
    snprintf(text, sizeof text, "line %u: %s", r->line, sentence);
    report_plain(&r->args->err, r->path, text);
    return EXIT_INPUT;
}

/* Plain digits, a point among them: no locale, no exponent. */
static bool budget_read_number(trilo_str word, double *value)
{
    double unit = 0;
    *value = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.data[i] == '.' && unit == 0)
            unit = 1;
        else if (word.data[i] < '0' || word.data[i] > '9')
            return false;
        else if (unit == 0)
            *value = *value * 10 + (word.data[i] - '0');
        else
            *value += (word.data[i] - '0') * (unit /= 10);
    }
    return word.len > 0 && word.data[0] != '.';
}

static exit_code read_limits(reader *r, cost_budget *budget)
{
    trilo_str word;
    while ((word = next_word(r)).len > 0) {
        const size_t figure = cost_figure_named(word.data, word.len);
        double most;
        if (figure == COST_FIGURES) {
            char text[256];
            char *name = text_escaped(word.data, word.len);
            cli_suggestion meant = suggest(name);
            for (size_t i = 0; i < COST_FIGURES; i++)
                suggest_offer(&meant, cost_figure_at(i)->name);
            snprintf(text, sizeof text, "there is no figure \"%.60s\"%s%s%s", name,
                     meant.best ? "; did you mean \"" : "", meant.best ? meant.best : "",
                     meant.best ? "\"?" : ", \"trilobite cost --json\" shows them all");
            free(name);
            return budget_complain(r, text);
        }
        if (!budget_read_number(next_word(r), &most))
            return budget_complain(r, "a figure must be followed by its limit, such as 4000");
        size_t i = 0;
        while (i < budget->count && budget->limits[i].figure != figure)
            i++;
        budget->count += i == budget->count;
        budget->limits[i] = (cost_limit){figure, most};
    }
    return budget->count > 0 ? EXIT_FINE : budget_complain(r, "it contains no limit, such as: microseconds 4000");
}

exit_code cost_budget_read(const cli_args *args, cost_budget *budget)
{
    const char *path = args_given(args, OPT_BUDGET);
    trilo_error err;
    if (!path)
        return EXIT_FINE;
    const trilo_file *file = trilo_file_read(path, NULL, &err);
    if (!file) {
        report_error(&args->err, path, &err);
        return exit_of(err.code);
    }
    const char *text = (const char *)file->bytes.data;
    reader r = {args, path, text, text + file->bytes.size, 1};
    const exit_code code = read_limits(&r, budget);
    trilo_file_free(file);
    return code;
}

bool cost_budget_limits(const cost_budget *budget, const char *figure)
{
    for (size_t i = 0; i < budget->count; i++)
        if (strcmp(cost_figure_at(budget->limits[i].figure)->name, figure) == 0)
            return true;
    return false;
}

static bool is_over(const cost_limit *limit, const cost_values *values)
{
    return values->of[limit->figure] > limit->most;
}

bool cost_budget_kept(const cost_budget *budget, const cost_values *values)
{
    for (size_t i = 0; i < budget->count; i++)
        if (is_over(&budget->limits[i], values))
            return false;
    return true;
}

void cost_budget_print(const cost_budget *budget, const cost_values *values, const cli_screen *screen)
{
    cli_table table = table_new("lrrrl");
    if (budget->count == 0)
        return;
    table_cells(&table, (const char *[]){"BUDGET", "USED", "LIMIT", "", "", NULL});
    for (size_t i = 0; i < budget->count; i++) {
        const cost_limit *limit = &budget->limits[i];
        const double value = values->of[limit->figure];
        table_cell(&table, "%s", cost_figure_at(limit->figure)->title);
        table_cell(&table, "%s", COST_TEXT(value));
        table_cell(&table, "%s", COST_TEXT(limit->most));
        /* How much of the limit is used, in percent; "" when it is 0. */
        if (limit->most > 0)
            table_cell(&table, "%s %%", COST_TEXT(100 * value / limit->most));
        else
            table_cell(&table, "%s", "");
        if (is_over(limit, values))
            table_cell(&table, "over by %s", COST_TEXT(value - limit->most));
        else
            table_cell(&table, "kept");
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

void cost_budget_json(const cost_budget *budget, const cost_values *values, cli_json *json)
{
    if (budget->count == 0)
        return;
    json_array(json, "budget");
    for (size_t i = 0; i < budget->count; i++) {
        const cost_limit *limit = &budget->limits[i];
        json_object(json, NULL);
        json_text(json, "figure", cost_figure_at(limit->figure)->name);
        json_double(json, "value", values->of[limit->figure]);
        json_double(json, "limit", limit->most);
        json_double(json, "over", is_over(limit, values) ? values->of[limit->figure] - limit->most : 0);
        json_end(json);
    }
    json_end(json);
}
