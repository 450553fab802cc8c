/* screen.h: an output stream with optional colours. */
#ifndef TL_CLI_UI_SCREEN_H
#define TL_CLI_UI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_screen {
    FILE *file;
    bool color;
    struct cli_notes *notes; /* that are held back (report.h); NULL: they are printed as they come */
} cli_screen;

typedef enum cli_style { STYLE_PLAIN, STYLE_HEAD, STYLE_DIM, STYLE_ERROR, STYLE_WARNING, STYLE_NOTE } cli_style;

/* `when` is "always", "never" or "auto": on a terminal, unless NO_COLOR is set or the terminal is dumb. */
cli_screen screen_on(FILE *file, const char *when);

/* Sets the style of what is printed next. Does nothing without colours. */
void screen_style(const cli_screen *screen, cli_style style);

/* Prints text in a style, then resets it. */
void screen_put(const cli_screen *screen, cli_style style, const char *text);

#endif
