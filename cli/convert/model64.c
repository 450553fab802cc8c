/* model64.c: options for a Model, and the scale of both N64 formats. */
#include "convert/convert.h"

#include "trilobite/n64.h"
#include "usage/expression.h"
#include "usage/values.h"

#include <math.h>
#include <string.h>

static exit_code work_out(const cli_args *args, option_id id, double meter, double *value)
{
    char why[256];
    const char *given = args_given(args, id);
    if (!given || expression_value(given, meter, value, why, sizeof why))
        return EXIT_FINE;
    return args_fail(args, "--%s: %s: \"%s\"", option_get(id)->name, why, given);
}

static exit_code convert_read_scale(cli_conversion *conversion)
{
    const cli_args *args = conversion->args;
    double meter = TRILO_N64_UNITS_PER_METER, scale = 0; /* 0: that of the library */
    exit_code code = work_out(args, OPT_METER, 0, &meter);
    if (code == EXIT_FINE)
        code = work_out(args, OPT_SCALE, meter, &scale);
    if (code != EXIT_FINE)
        return code;
    const float factor = (float)scale;
    if (args_has(args, OPT_SCALE) && !(factor > 0 && isfinite(factor)))
        return args_fail(args, "--scale: %s is too %s for a model", EXACT2(scale), factor > 0 ? "large" : "small");
    conversion->t3dm.scale = factor;
    conversion->model64.scale = factor;
    return EXIT_FINE;
}

static exit_code read_axes(const cli_args *args, trilo_model64_write_opts *model64)
{
    const char *axes = args_given(args, OPT_AXES);
    if (!axes || value_axes(axes, model64->axes))
        return EXIT_FINE;
    return args_fail(args, "--axes: \"%s\" is not x, y and z, once each, such as z,x,-y", axes);
}

static exit_code read_frame_vertices(const cli_args *args, trilo_model64_write_opts *model64)
{
    const char *most = args_given(args, OPT_MAX_FRAME_VERTICES);
    if (most && strcmp(most, "any") == 0)
        model64->max_frame_vertices = TRILO_NONE;
    else if (most && !value_count(most, 1, TRILO_NONE - 1, &model64->max_frame_vertices))
        return args_fail(args, "--max-frame-vertices: \"%s\" is neither a count above 0 nor any", most);
    return EXIT_FINE;
}

exit_code convert_read_model64(cli_conversion *conversion)
{
    const cli_args *args = conversion->args;
    trilo_model64_write_opts *model64 = &conversion->model64;
    exit_code code = convert_read_scale(conversion);
    if (code == EXIT_FINE)
        code = read_axes(args, model64);
    if (code == EXIT_FINE)
        code = work_out(args, OPT_FPS, 0, &model64->fps);
    if (code == EXIT_FINE)
        code = read_frame_vertices(args, model64);
    model64->colors = conversion->load.model64.colors;
    model64->texcoord_bits = conversion->load.model64.texcoord_bits;
    model64->time = (trilo_model64_time)args_choice(args, OPT_MODEL64_TIME);
    model64->merge_materials = args_has(args, OPT_MERGE_MATERIALS);
    return code;
}
