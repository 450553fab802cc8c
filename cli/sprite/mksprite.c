/* mksprite.c: the command that takes the place of libdragon's tool in a project. */
#include "sprite/sprite.h"

#include "alloc.h"
#include "system.h"
#include "ui/report.h"
#include "usage/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* mksprite's words are in capitals, and understood in either case. */
static bool is_word(const char *text, const char *word)
{
    size_t i = 0;
    while (word[i] && (text[i] & ~0x20) == word[i])
        i++;
    return word[i] == '\0' && text[i] == '\0';
}

static exit_code read_words(const cli_args *args, sprite_options *options)
{
    const char *texels = args_given(args, OPT_TEXELS), *dither = args_given(args, OPT_TEXEL_DITHER);
    const char *mipmaps = args_given(args, OPT_MIPMAPS), *level = args_value(args, OPT_COMPRESS);
    uint32_t compress;
    if (texels && !is_word(texels, "AUTO")) {
        options->opts.texels = sprite_texels_named(texels);
        options->opts.layers = is_word(texels, "IHQ")   ? TRILO_SPRITE_LAYERS_IHQ
                               : is_word(texels, "SHQ") ? TRILO_SPRITE_LAYERS_SHQ
                                                        : TRILO_SPRITE_LAYERS_NONE;
        if (is_word(texels, "ZBUF"))
            return args_fail(args, "--format: %s cannot be made", texels);
        if (!options->opts.texels && !options->opts.layers)
            return args_fail(args, "--format: there is no texel format \"%s\"", texels);
    }
    if (dither && !is_word(dither, "NONE") && !is_word(dither, "ORDERED") && !is_word(dither, "RANDOM"))
        return args_fail(args, "--dither: \"%s\" is not NONE, ORDERED or RANDOM", dither);
    options->opts.dither = !dither || is_word(dither, "NONE") ? TRILO_DITHER_NONE
                           : is_word(dither, "ORDERED")       ? TRILO_DITHER_ORDERED
                                                              : TRILO_DITHER_FLOYD_STEINBERG;
    if (mipmaps && !is_word(mipmaps, "NONE") && !is_word(mipmaps, "BOX"))
        return args_fail(args, "--mipmap: \"%s\" is not NONE or BOX", mipmaps);
    options->opts.mipmaps = mipmaps && is_word(mipmaps, "BOX");
    if (!value_count(level, 0, 3, &compress))
        return args_fail(args, "--compress: \"%s\" is not a level from 0 to 3", level);
    if (compress > 1 && !args->quiet)
        args_warn(args, "level %u is not written; the sprites are compressed with level 1", compress);
    options->opts.compress = compress > 0;
    return EXIT_FINE;
}

static exit_code write_debug(const cli_args *args, const sprite_made *made)
{
    char *path = sprite_path(args_value(args, OPT_OUTPUT), made->in, ".debug.png");
    const exit_code code = sprite_write_png(args, &made->sprite->image, path);
    free(path);
    return code;
}

exit_code mksprite_run(const cli_args *args)
{
    const char *folder = args_value(args, OPT_OUTPUT);
    const size_t count = args->operand_count;
    sprite_options options = {.args = args};
    sprite_made *made = need(NULL, count, sizeof *made);
    memset(made, 0, count * sizeof *made);
    exit_code code = sprite_read_options(args, &options);
    if (code == EXIT_FINE)
        code = read_words(args, &options);
    if (code == EXIT_FINE && !system_make_directory(folder)) {
        report_plain(&args->err, folder, strerror(errno));
        code = EXIT_OUTPUT;
    }
    for (size_t i = 0; i < count && code == EXIT_FINE; i++) {
        made[i].in = args->operands[i];
        made[i].out = sprite_path(folder, made[i].in, ".sprite");
        code = sprite_make(&options, &made[i]);
    }
    if (code == EXIT_FINE)
        code = sprite_write(args, made, count);
    const size_t written = code == EXIT_FINE ? count : 0;
    for (size_t i = 0; i < count && code == EXIT_FINE; i++) {
        const trilo_sprite *sprite = made[i].sprite;
        if (args_has(args, OPT_VERBOSE))
            fprintf(args->err.file, "%s: %s, %ux%u, %zu bytes\n", made[i].out, trilo_texels_name(sprite->texels),
                    sprite->width, sprite->height, sprite->bytes.size);
        if (args_has(args, OPT_DEBUG))
            code = write_debug(args, &made[i]);
    }
    if (args->json && code != EXIT_USAGE)
        sprite_print_json(args, made, written);
    sprite_free_made(made, count);
    sprite_free_options(&options);
    return code;
}
