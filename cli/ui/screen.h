/* screen.h: a stream to print on, and whether it shows colours. */
#ifndef TL_CLI_UI_SCREEN_H
#define TL_CLI_UI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_screen {
    FILE *file;
    bool color;
    struct cli_repeats *repeats; /* notes that were printed on it; NULL: they are not counted (report.h) */
} cli_screen;

typedef enum cli_style { STYLE_PLAIN, STYLE_HEAD, STYLE_DIM, STYLE_ERROR, STYLE_WARNING, STYLE_NOTE } cli_style;

/* `when` is "always", "never" or "auto": on a terminal, unless NO_COLOR is set or the terminal is dumb. */
cli_screen screen_on(FILE *file, const char *when);

/* Everything printed from now on looks like that; nothing happens on a screen without colours. */
void screen_style(const cli_screen *screen, cli_style style);

/* Text in a style, and plain again behind it. */
void screen_put(const cli_screen *screen, cli_style style, const char *text);

#endif
