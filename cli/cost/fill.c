/* The options --fill and --screen: how much of the screen a model covers. */
#include "cost/cost.h"

#include "usage/values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PERCENT = 10000, MOST_SIZE = 4096 };

/* "320x240" */
static bool read_screen_size(const char *text, cost_fill *fill)
{
    char width[16];
    const size_t length = strcspn(text, "x");
    if (length >= sizeof width || text[length] != 'x')
        return false;
    memcpy(width, text, length);
    width[length] = '\0';
    return value_count(width, 1, MOST_SIZE, &fill->width) &&
           value_count(text + length + 1, 1, MOST_SIZE, &fill->height);
}

exit_code cost_fill_options(const cli_args *args, cost_fill *fill)
{
    const char *percent = args_given(args, OPT_FILL), *screen = args_value(args, OPT_SCREEN);
    uint32_t number = 0;
    if (args_lacks(args, OPT_SCREEN, OPT_FILL))
        return args_fail(args, "--screen is the size of the screen that --fill covers: it needs --fill");
    if (percent && !value_count(percent, 1, MOST_PERCENT, &number))
        return args_fail(args, "--fill: \"%s\" is not a percentage from 1 to %d", percent, MOST_PERCENT);
    if (percent && !read_screen_size(screen, fill))
        return args_fail(args, "--screen: \"%s\" is not a size such as 320x240", screen);
    fill->wanted = percent != NULL;
    fill->percent = number;
    return EXIT_FINE;
}
