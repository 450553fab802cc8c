/* Pixels. How much of the screen a model covers is the user's to say; which material how much of it, is taken from the
 * area of its triangles. */
#include "cost/cost.h"

#include "usage/values.h"

#include <stdlib.h>
#include <string.h>

enum { COLOR_WRITE = 2, COLOR_READ = 2, DEPTH = 4, MOST_PERCENT = 10000, MOST_SIZE = 4096 };

/* "320x240" */
static bool read_size(const char *text, cost_fill *fill)
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
    if (args_given(args, OPT_SCREEN) && !percent)
        return args_fail(args, "--screen is the size of the screen that --fill covers: it needs --fill");
    if (percent && !value_count(percent, 1, MOST_PERCENT, &number))
        return args_fail(args, "--fill: \"%s\" is no percentage from 1 to %d", percent, MOST_PERCENT);
    if (percent && !read_size(screen, fill))
        return args_fail(args, "--screen: \"%s\" is no size such as 320x240", screen);
    fill->wanted = percent != NULL;
    fill->percent = number;
    return EXIT_FINE;
}

/* Colour is written, and read for blending or for smooth edges; depth is read and written. */
static double bytes_of(const trilo_cost_material *material)
{
    return COLOR_WRITE + COLOR_READ + (material->depth ? DEPTH : 0);
}

void cost_fill_estimate(cost_fill *fill, const trilo_cost *cost)
{
    const double area = cost->counts.area;
    double spread = 0;
    fill->pixels = (double)fill->width * fill->height * fill->percent / 100;
    fill->cycles = fill->bytes = 0;
    for (uint32_t i = 0; area > 0 && i < cost->material_count; i++) {
        const trilo_cost_material *m = &cost->materials[i];
        const double share = m->counts.area / area;
        spread += share;
        fill->cycles += fill->pixels * share * m->cycles;
        fill->bytes += fill->pixels * share * bytes_of(m);
    }
    if (spread < 1) { /* what has no material */
        fill->cycles += fill->pixels * (1 - spread);
        fill->bytes += fill->pixels * (1 - spread) * (COLOR_WRITE + COLOR_READ + DEPTH);
    }
    fill->microseconds = fill->cycles / TRILO_N64_MEGAHERTZ;
}
