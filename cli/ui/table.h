/* table.h: aligned columns. */
#ifndef TL_CLI_UI_TABLE_H
#define TL_CLI_UI_TABLE_H

#include "ui/screen.h"
#include "ui/text.h"

/* Cells are added row by row; printing frees them. */
typedef struct cli_table {
    const char *aligns; /* one letter per column: l left, r right */
    size_t columns, count, room;
    char **cells;
} cli_table;

cli_table table_new(const char *aligns);

void table_cell(cli_table *table, const char *format, ...) PRINTF_LIKE(2, 3);
/* Several cells; NULL ends the list. */
void table_cells(cli_table *table, const char *const *texts);
/* Text from a file, escaped. */
void table_text(cli_table *table, trilo_str text);

void table_free(cli_table *table); /* without printing it */

/* Prints all rows; with `head` the first one is a heading with a line below. Empty columns are omitted. The
 * table is empty afterwards. */
void table_print(cli_table *table, const cli_screen *screen, bool head);

#endif
