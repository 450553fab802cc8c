/* Options of sprites that are more than a word. */
#include "sprite/sprite.h"

#include "alloc.h"
#include "usage/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARMS = 8 };

/* Numbers with commas between them; inf counts as one. Returns how many, 0: something else is there. */
static size_t read_numbers(const char *text, double *values)
{
    for (size_t count = 0; count < PARMS;) {
        char *end;
        values[count++] = strtod(text, &end);
        if (end == text || isnan(values[count - 1]))
            return 0;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}

/* mksprite's order: translation, scale, repetitions, mirror, for S and T each or for both. */
static exit_code read_texparms(const cli_args *args, option_id id, trilo_sprite_sampling *sampling)
{
    const char *text = args_given(args, id);
    double values[PARMS];
    const size_t count = read_numbers(text, values);
    const bool both = count == PARMS;
    if (count != 4 && !both)
        return args_fail(args, "--%s: \"%s\" is not x,s,r,m or x,x,s,s,r,r,m,m", option_get(id)->name, text);
    for (size_t axis = 0; axis < 2; axis++) {
        const double *v = values + (both ? axis : 0);
        const size_t step = both ? 2 : 1;
        const double translate = v[0], scale = v[step], repeats = v[2 * step], mirror = v[3 * step];
        if (!(fabs(translate) < 65536) || scale < -5 || scale > 10 || scale != floor(scale) || !(repeats > 0) ||
            (mirror != 0 && mirror != 1))
            return args_fail(args, "--%s: \"%s\": scales are from -5 to 10, repetitions above 0, mirror is 0 or 1",
                             option_get(id)->name, text);
        sampling[axis] = (trilo_sprite_sampling){.translate = (float)translate,
                                                 .repeats = (float)fmin(repeats, TRILO_N64_REPEATS_ENDLESS),
                                                 .scale = (int16_t)scale,
                                                 .mirror = mirror != 0};
    }
    return EXIT_FINE;
}

/* [IMAGE[,TEXELS],]FACTOR; the factor may be left out after an image. */
static exit_code read_detail(const cli_args *args, sprite_options *options)
{
    const char *text = args_given(args, OPT_DETAIL);
    char *copy = need(NULL, strlen(text) + 1, 1), *parts[3] = {copy, NULL, NULL}, *end;
    size_t count = 1;
    strcpy(copy, text);
    for (char *c = copy; *c && count < 3; c++)
        if (*c == ',') {
            *c = '\0';
            parts[count++] = c + 1;
        }
    exit_code code = EXIT_FINE;
    const double factor = strtod(parts[count - 1], &end);
    const bool has_factor = end != parts[count - 1] && *end == '\0';
    if (has_factor && !(factor > 0 && factor <= 1))
        code = args_fail(args, "--detail: the factor is above 0 and at most 1, not %s", parts[count - 1]);
    options->opts.detail = true;
    options->opts.detail_factor = has_factor ? (float)factor : 0;
    count -= has_factor;
    if (code == EXIT_FINE && count > 0 && *parts[0]) {
        options->opts.detail_texels = count > 1 ? sprite_texels_named(parts[1]) : trilo_texels_from_path(parts[0]);
        if (count > 1 && !options->opts.detail_texels)
            code = args_fail(args, "--detail: there is no texel format %s", parts[1]);
        if (code == EXIT_FINE)
            code = sprite_read_image(args, parts[0], &options->detail);
        options->opts.detail_bitmap = options->detail;
    }
    free(copy);
    return code;
}

exit_code sprite_read_options(const cli_args *args, sprite_options *options)
{
    exit_code code = EXIT_FINE;
    options->args = args;
    options->opts.target = (trilo_sprite_target)args_choice(args, OPT_TARGET);
    options->opts.gamma = args_has(args, OPT_VI_GAMMA);
    if (args_has(args, OPT_TEXPARMS)) {
        code = read_texparms(args, OPT_TEXPARMS, options->sampling);
        options->opts.sampling = options->sampling;
    }
    if (code == EXIT_FINE && args_has(args, OPT_DETAIL_TEXPARMS)) {
        code = read_texparms(args, OPT_DETAIL_TEXPARMS, options->detail_sampling);
        options->opts.detail_sampling = options->detail_sampling;
    }
    if (code == EXIT_FINE && args_has(args, OPT_DETAIL))
        code = read_detail(args, options);
    return code;
}

void sprite_free_options(sprite_options *options)
{
    trilo_bitmap_free(options->detail);
}
