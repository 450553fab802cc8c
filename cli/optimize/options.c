#include "optimize/optimize.h"

#include "clips.h"
#include "usage/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HELPER_BONES_MOST = 255 };

static uint32_t read_level(const cli_args *args)
{
    const char *level = args_value(args, OPT_LEVEL);
    return level ? (uint32_t)strtoul(level, NULL, 10) : 0; /* one of the option's choices */
}

exit_code optimize_read_t3dm(const cli_args *args, trilo_t3dm_write_opts *t3dm)
{
    const char *bones = args_given(args, OPT_HELPER_BONES);
    t3dm->level = read_level(args);
    t3dm->resident = args_has(args, OPT_RESIDENT);
    t3dm->share_vertices = args_has(args, OPT_SHARE_VERTICES);
    t3dm->skin_fit = args_has(args, OPT_SKIN_FIT);
    t3dm->no_material = (trilo_t3dm_no_material)args_choice(args, OPT_NO_MATERIAL);
    t3dm->keep_mirrored_winding = args_is(args, OPT_MIRRORED, "keep");
    t3dm->share_repeats = args_is(args, OPT_UNUSED_ATTRIBUTES, "repeats");
    t3dm->drop_unused = args_is(args, OPT_UNUSED_ATTRIBUTES, "drop");
    if (bones && !value_count(bones, 1, HELPER_BONES_MOST, &t3dm->helper_bones))
        return args_fail(args, "--helper-bones: \"%s\" is not a number from 1 to %d", bones, HELPER_BONES_MOST);
    return EXIT_FINE;
}

/* A share: above 0 and below 1, or as a percentage. */
static bool read_share(const char *text, size_t len, double *share)
{
    char room[32], *end;
    if (len == 0 || len >= sizeof room || strspn(text, "0123456789.%e-") < len)
        return false;
    memcpy(room, text, len);
    room[len] = '\0';
    *share = strtod(room, &end);
    if (*end == '%') {
        *share /= 100;
        end++;
    }
    return *end == '\0' && *share > 0 && *share < 1;
}

/* "0.5", "error=0.01", or both. */
static bool read_amount(const char *text, trilo_optimize_opts *opts)
{
    static const char name[] = "error=";
    while (true) {
        const size_t len = strcspn(text, ",");
        const bool error = strncmp(text, name, strlen(name)) == 0;
        const size_t skip = error ? strlen(name) : 0;
        if (len < skip || !read_share(text + skip, len - skip, error ? &opts->error : &opts->keep))
            return false;
        if (text[len] == '\0')
            return true;
        text += len + 1;
    }
}

exit_code optimize_read(cli_optimizer *optimizer)
{
    const cli_args *args = optimizer->args;
    trilo_optimize_opts *opts = &optimizer->opts;
    const char *amount = args_given(args, OPT_SIMPLIFY);
    opts->level = read_level(args);
    opts->resident = args_has(args, OPT_RESIDENT);
    opts->share_vertices = args_has(args, OPT_SHARE_VERTICES);
    opts->share_repeats = args_is(args, OPT_UNUSED_ATTRIBUTES, "repeats");
    opts->drop_unused = args_is(args, OPT_UNUSED_ATTRIBUTES, "drop");
    opts->sort_materials = args_has(args, OPT_SORT_MATERIALS);
    optimizer->dry = args_has(args, OPT_DRY_RUN);
    if (amount && !read_amount(amount, opts))
        return args_fail(args, "--simplify: \"%s\" is not an amount such as 0.5, error=0.01 or 0.5,error=0.01", amount);
    if (args_lacks(args, OPT_DCA, OPT_COMPRESS))
        return args_fail(args, "--dca sets the container for --compress: it needs --compress 1");
    if (args->operand_count < 2 && !optimizer->dry)
        return args_fail(args, "missing operand: OUT (or --dry-run)");
    return clips_read_bound(args, &optimizer->conversion.t3dm);
}
