#include "ui/screen.h"

#include "system.h"

#include <stdlib.h>
#include <string.h>

static bool screen_is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static bool is_dumb(void)
{
    const char *terminal = getenv("TERM");
    return terminal && strcmp(terminal, "dumb") == 0;
}

cli_screen screen_on(FILE *file, const char *when)
{
    bool color = strcmp(when, "always") == 0;
    if (strcmp(when, "auto") == 0)
        color = system_is_terminal(file) && !screen_is_set("NO_COLOR") && !is_dumb();
    return (cli_screen){.file = file, .color = color};
}

void screen_style(const cli_screen *screen, cli_style style)
{
    static const char *const codes[] = {"0", "1", "2", "1;31", "1;33", "36"};
    if (screen->color)
        fprintf(screen->file, "\033[%sm", codes[style]);
}

void screen_put(const cli_screen *screen, cli_style style, const char *text)
{
    screen_style(screen, style);
    fputs(text, screen->file);
    screen_style(screen, STYLE_PLAIN);
}
