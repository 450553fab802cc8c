/* gltf_to_t3d.c: the command that takes the place of Tiny3D's converter in a project. */
#include "convert/convert.h"

#include "clips.h"
#include "optimize/optimize.h"
#include "paths.h"
#include "usage/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static exit_code gltf_to_t3d_read_scale(cli_conversion *conversion)
{
    const char *given = args_given(conversion->args, OPT_BASE_SCALE);
    char why[256];
    double scale;
    if (!given)
        return EXIT_FINE;
    if (!expression_value(given, 0, &scale, why, sizeof why))
        return args_fail(conversion->args, "--base-scale: %s: \"%s\"", why, given);
    conversion->t3dm.scale = (float)scale;
    if (!(conversion->t3dm.scale > 0 && isfinite(conversion->t3dm.scale)))
        return args_fail(conversion->args, "--base-scale: %s is too %s for a model", EXACT2(scale),
                         conversion->t3dm.scale > 0 ? "large" : "small");
    return EXIT_FINE;
}

/* ---- where the model will be on the console ---- */

enum { ROM_ROOM = 8192 };

static exit_code read_rom_root(cli_conversion *conversion, char *rom)
{
    const char *root = args_given(conversion->args, OPT_ROM_ROOT);
    const trilo_rom_path_result result = trilo_rom_path(conversion->out, root, rom, ROM_ROOM);
    if (result == TRILO_ROM_PATH_RESULT_OUTSIDE)
        return args_fail(conversion->args, "--rom-root: %s is not below %s", conversion->out, root);
    if (result == TRILO_ROM_PATH_RESULT_TOO_LONG)
        return args_fail(conversion->args, "the path %s is too long", conversion->out);
    conversion->guesses_rom = result == TRILO_ROM_PATH_RESULT_GUESSED;
    conversion->t3dm.rom_path = rom;
    return EXIT_FINE;
}

exit_code gltf_to_t3d_run(const cli_args *args)
{
    cli_conversion conversion = {.args = args, .in = args->operands[0], .out = args->operands[1]};
    char rom[ROM_ROOM];
    if (strcmp(conversion.out, "-") == 0)
        return args_fail(args, "OUT must be a file: the streams of its clips are written beside it");
    exit_code code = convert_read_depfile(&conversion);
    if (code == EXIT_FINE)
        code = input_options(conversion.args, &conversion.load);
    if (code == EXIT_FINE)
        code = gltf_to_t3d_read_scale(&conversion);
    if (code == EXIT_FINE)
        code = read_rom_root(&conversion, rom);
    if (code == EXIT_FINE)
        code = clips_read_bound(conversion.args, &conversion.t3dm);
    if (code == EXIT_FINE)
        code = convert_read_sprites(&conversion);
    if (code == EXIT_FINE)
        code = optimize_read_t3dm(conversion.args, &conversion.t3dm);
    conversion.load.all.format = TRILO_FORMAT_GLTF;
    conversion.write.format = TRILO_FORMAT_T3DM;
    conversion.write.memory = conversion.load.all.memory;
    conversion.t3dm.bvh = args_has(conversion.args, OPT_BVH);
    conversion.t3dm.order = (trilo_t3dm_order)args_choice(conversion.args, OPT_ORDER);
    conversion.opts.when_empty = TRILO_WHEN_EMPTY_REFUSE;
    if (args_has(args, OPT_CLIP)) {
        conversion.opts.choose_clips = clips_choose;
        conversion.opts.choose_clips_user = &conversion;
    }
    conversion.hushed = !args_has(args, OPT_VERBOSE);
    if (code == EXIT_FINE)
        code = convert_carry_out(&conversion);
    else
        free(conversion.depfile);
    return code;
}
