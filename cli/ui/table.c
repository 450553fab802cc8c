#include "ui/table.h"

#include "alloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 16, GAP = 2 };

cli_table table_new(const char *aligns)
{
    return (cli_table){.aligns = aligns, .columns = strlen(aligns)};
}

static void table_add_cell(cli_table *table, char *cell)
{
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 64;
        table->cells = need(table->cells, table->room, sizeof *table->cells);
    }
    table->cells[table->count++] = cell;
}

void table_cell(cli_table *table, const char *format, ...)
{
    char text[256]; /* longer ones are cut; what comes from files goes through table_text */
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    const size_t size = strlen(text) + 1;
    table_add_cell(table, memcpy(need(NULL, size, 1), text, size));
}

void table_cells(cli_table *table, const char *const *texts)
{
    for (; *texts; texts++)
        table_cell(table, "%s", *texts);
}

void table_text(cli_table *table, trilo_str text)
{
    table_add_cell(table, text_escaped(text.data ? text.data : "", text.len));
}

/* The width of every column; one whose cells are all empty (its heading aside) gets 0 and is left out. */
static void table_measure_columns(const cli_table *table, bool head, size_t widths[MAX_COLUMNS])
{
    for (size_t i = head ? table->columns : 0; i < table->count; i++) {
        const size_t width = text_width(table->cells[i]);
        if (width > widths[i % table->columns])
            widths[i % table->columns] = width;
    }
    for (size_t i = 0; head && i < table->columns; i++)
        if (widths[i] > 0 && text_width(table->cells[i]) > widths[i])
            widths[i] = text_width(table->cells[i]);
}

/* Blanks are printed before the next cell, so that no line ends in one. */
static void print_row(const cli_table *table, size_t row, const size_t widths[MAX_COLUMNS], FILE *out)
{
    size_t blanks = 0;
    for (size_t i = 0; i < table->columns; i++) {
        const char *cell = table->cells[row * table->columns + i];
        if (widths[i] == 0)
            continue;
        const size_t padding = widths[i] - text_width(cell);
        const bool right = table->aligns[i] == 'r';
        if (*cell)
            fprintf(out, "%*s%s", (int)(blanks + (right ? padding : 0)), "", cell);
        blanks = *cell ? (right ? 0 : padding) + GAP : blanks + widths[i] + GAP;
    }
    fputc('\n', out);
}

/* A line below the headings, as wide as each column. */
static void print_rule(const cli_table *table, const size_t widths[MAX_COLUMNS], FILE *out)
{
    const char *gap = "";
    for (size_t i = 0; i < table->columns; i++) {
        if (widths[i] == 0 || !*table->cells[i])
            continue;
        fputs(gap, out);
        for (size_t j = 0; j < widths[i]; j++)
            fputc('-', out);
        gap = "  ";
    }
    fputc('\n', out);
}

void table_free(cli_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (cli_table){.aligns = table->aligns, .columns = table->columns};
}

void table_print(cli_table *table, const cli_screen *screen, bool head)
{
    size_t widths[MAX_COLUMNS] = {0};
    table_measure_columns(table, head, widths);
    const size_t rows = table->count / table->columns;
    if (head && rows > 0) {
        screen_style(screen, STYLE_HEAD);
        print_row(table, 0, widths, screen->file);
        screen_style(screen, STYLE_PLAIN);
        screen_style(screen, STYLE_DIM);
        print_rule(table, widths, screen->file);
        screen_style(screen, STYLE_PLAIN);
    }
    for (size_t row = head ? 1 : 0; row < rows; row++)
        print_row(table, row, widths, screen->file);
    table_free(table);
}
