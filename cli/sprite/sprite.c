/* sprite.c: the command that makes sprites of images, and images of sprites. */
#include "sprite/sprite.h"

#include "alloc.h"
#include "output.h"
#include "paths.h"
#include "system.h"
#include "ui/json.h"
#include "ui/report.h"
#include "usage/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static exit_code read_size(const cli_args *args, sprite_options *options)
{
    const char *text = args_given(args, OPT_SIZE), *times = text ? strchr(text, 'x') : NULL;
    char width[16] = "";
    if (!text)
        return EXIT_FINE;
    if (times && times > text && (size_t)(times - text) < sizeof width)
        memcpy(width, text, (size_t)(times - text));
    if (!times || !value_count(width, 1, UINT16_MAX, &options->width) ||
        !value_count(times + 1, 1, UINT16_MAX, &options->height))
        return args_fail(args, "--size: \"%s\" is not WxH, such as 64x32", text);
    return EXIT_FINE;
}

static exit_code read_slices(const cli_args *args, option_id id, uint8_t *slices)
{
    const char *text = args_given(args, id);
    uint32_t count = 0;
    if (text && !value_count(text, 1, UINT8_MAX, &count))
        return args_fail(args, "--%s: \"%s\" is not a number from 1 to 255", option_get(id)->name, text);
    *slices = (uint8_t)count;
    return EXIT_FINE;
}

static exit_code read_options(const cli_args *args, sprite_options *options)
{
    const char *error = args_given(args, OPT_TEXTURE_ERROR), *format = args_given(args, OPT_TEXELS);
    exit_code code = sprite_read_options(args, options);
    if (code == EXIT_FINE)
        code = read_size(args, options);
    if (code == EXIT_FINE)
        code = read_slices(args, OPT_HSLICES, &options->opts.hslices);
    if (code == EXIT_FINE)
        code = read_slices(args, OPT_VSLICES, &options->opts.vslices);
    options->plans = format && strcmp(format, "auto") == 0;
    if (format && !options->plans && strcmp(format, "name") != 0)
        options->opts.texels = sprite_texels_named(format);
    options->opts.layers = format && strcmp(format, "ihq") == 0   ? TRILO_SPRITE_LAYERS_IHQ
                           : format && strcmp(format, "shq") == 0 ? TRILO_SPRITE_LAYERS_SHQ
                                                                  : TRILO_SPRITE_LAYERS_NONE;
    if (code == EXIT_FINE && error) {
        char *end;
        options->max_delta_e = strtod(error, &end);
        if (end == error || *end || !(options->max_delta_e > 0 && isfinite(options->max_delta_e)))
            code = args_fail(args, "--texture-error: \"%s\" is not a number above 0", error);
        else if (!options->plans && args_lacks(args, OPT_TEXTURE_ERROR, OPT_SHARE_PALETTES))
            code = args_fail(args, "--texture-error needs --format auto or --share-palettes");
    }
    options->power_of_two = args_has(args, OPT_POWER_OF_TWO);
    options->resizes = args_has(args, OPT_FIT) ? strcmp(args_given(args, OPT_FIT), "resize") == 0 : options->plans;
    options->splits = args_has(args, OPT_FIT) && strcmp(args_given(args, OPT_FIT), "split") == 0;
    options->together = args_has(args, OPT_TOGETHER);
    if (code == EXIT_FINE && options->together && (args->operand_count != 2 || !options->plans || options->splits))
        code = args_fail(args, "--together is for two images with --format auto that are not split");
    if (code == EXIT_FINE && options->splits && args_has(args, OPT_SHARE_PALETTES))
        code = args_fail(args, "--share-palettes cannot be combined with --fit split, whose pieces have one palette");
    options->opts.mipmaps = args_has(args, OPT_MIPMAPS);
    options->opts.quality = args_has(args, OPT_QUALITY);
    options->opts.dither = (trilo_dither)args_choice(args, OPT_TEXEL_DITHER);
    options->opts.compress = args_has(args, OPT_COMPRESS);
    return code;
}

/* ---- the report ---- */

static void print_reason(const cli_args *args, const trilo_sprite_plan *plan)
{
    FILE *out = args->out.file;
    for (uint32_t i = 0; i < plan->candidate_count; i++) {
        const trilo_plan_candidate *c = &plan->candidates[i];
        fprintf(out, "  %-6s ", trilo_texels_name(c->texels));
        if (c->size > 0)
            fprintf(out, "%3ux%-3u %6u bytes, delta E %5.2f: ", c->width, c->height, c->size, c->difference.delta_e);
        else
            fprintf(out, "%37s", "");
        if (i != plan->chosen)
            fprintf(out, "%s\n", trilo_plan_verdict_text(c->verdict));
        else
            fprintf(out, "%s\n",
                    plan->within_error ? "chosen, the smallest that is near enough"
                                       : "chosen, the nearest; none is near enough");
    }
}

static void print_made(const cli_args *args, const sprite_made *made)
{
    const trilo_sprite *s = made->sprite;
    FILE *out = args->out.file;
    if (made->pieces) {
        char *first = sprite_piece_path(made, 0), *last = sprite_piece_path(made, made->pieces->count - 1);
        text_puts(out, first);
        fputs(" to ", out);
        text_puts(out, last);
        fprintf(out, ": %u by %u pieces of %ux%u\n", made->pieces->columns, made->pieces->rows, made->pieces->width,
                made->pieces->height);
        free(first);
        free(last);
    }
    text_puts(out, made->pieces ? made->in : made->out);
    fprintf(out, ": %s %ux%u", trilo_texels_name(s->texels), s->width, s->height);
    if (s->width != made->source_width || s->height != made->source_height)
        fprintf(out, " (from %ux%u)", made->source_width, made->source_height);
    if (s->color_count > 0)
        fprintf(out, ", %u colour%s", s->color_count, text_plural(s->color_count));
    if (s->mipmap_count > 0)
        fprintf(out, ", %u mipmap%s", s->mipmap_count, text_plural(s->mipmap_count));
    fprintf(out, ", %u of %u bytes of TMEM, ", s->tmem_used, s->tmem_limit);
    if (s->difference.psnr < 99)
        fprintf(out, "%.2f dB, delta E %.2f", s->difference.psnr, s->difference.delta_e);
    else
        fputs("exact", out);
    fprintf(out, ", %zu bytes\n", s->bytes.size);
    if (made->shared.image_count > 1)
        fprintf(out, "  shares palette %u with %u other%s: %.2f dB, with its own %.2f\n", made->shared.palette,
                made->shared.image_count - 1, text_plural(made->shared.image_count - 1), made->shared.shared.psnr,
                made->shared.alone.psnr);
    print_reason(args, &made->plan);
}

static void json_difference(cli_json *json, const trilo_image_difference *difference)
{
    json_double(json, "psnr", round(difference->psnr * 100) / 100);
    json_double(json, "delta_e", round(difference->delta_e * 1000) / 1000);
}

static void json_made(cli_json *json, const sprite_made *made)
{
    const trilo_sprite *s = made->sprite;
    json_object(json, NULL);
    json_text(json, "source", made->in);
    json_text(json, "path", made->out);
    json_text(json, "texels", trilo_texels_name(s->texels));
    json_uint(json, "width", s->width);
    json_uint(json, "height", s->height);
    json_uint(json, "source_width", made->source_width);
    json_uint(json, "source_height", made->source_height);
    json_uint(json, "mipmaps", s->mipmap_count);
    json_uint(json, "colors", s->color_count);
    json_uint(json, "tmem", s->tmem_used);
    json_uint(json, "tmem_limit", s->tmem_limit);
    json_bool(json, "fits_tmem", s->fits_tmem);
    json_difference(json, &s->difference);
    json_uint(json, "size", s->bytes.size);
    if (made->pieces) {
        json_uint(json, "columns", made->pieces->columns);
        json_uint(json, "rows", made->pieces->rows);
        json_uint(json, "piece_width", made->pieces->width);
        json_uint(json, "piece_height", made->pieces->height);
        json_array(json, "pieces");
        for (uint32_t i = 0; i < made->pieces->count; i++) {
            char *path = sprite_piece_path(made, i);
            json_text(json, NULL, path);
            free(path);
        }
        json_end(json);
    }
    if (made->shared.image_count > 1) {
        json_uint(json, "palette", made->shared.palette);
        json_uint(json, "palette_sprites", made->shared.image_count);
        json_object(json, "alone");
        json_difference(json, &made->shared.alone);
        json_end(json);
    }
    if (made->plan.candidate_count > 0)
        json_array(json, "candidates");
    for (uint32_t i = 0; i < made->plan.candidate_count; i++) {
        const trilo_plan_candidate *c = &made->plan.candidates[i];
        json_object(json, NULL);
        json_text(json, "texels", trilo_texels_name(c->texels));
        json_uint(json, "width", c->width);
        json_uint(json, "height", c->height);
        if (c->size > 0) {
            json_uint(json, "size", c->size);
            json_difference(json, &c->difference);
        }
        json_text(json, "verdict", trilo_plan_verdict_text(c->verdict));
        json_end(json);
    }
    if (made->plan.candidate_count > 0)
        json_end(json);
    json_end(json);
}

void sprite_print_loads(FILE *out, size_t sprites, size_t palettes)
{
    fprintf(out,
            "%zu sprites have %zu palette%s: a game that draws them by palette may skip %zu of %zu palette loads "
            "(LOAD_TLUT). libdragon itself loads a palette at every upload.\n",
            sprites, palettes, text_plural(palettes), sprites - palettes, sprites);
}

static void print_loads(const cli_args *args, const sprite_made *made, size_t count)
{
    size_t sprites = 0, palettes = 0;
    for (size_t i = 0; i < count; i++) {
        bool first = made[i].shared.image_count > 1;
        sprites += first;
        for (size_t k = 0; k < i; k++)
            first &= made[k].shared.image_count < 2 || made[k].shared.palette != made[i].shared.palette;
        palettes += first;
    }
    if (sprites > 0)
        sprite_print_loads(args->out.file, sprites, palettes);
}

void sprite_print_json(const cli_args *args, const sprite_made *made, size_t count)
{
    cli_json json = json_start(args->out.file, "sprite");
    json_array(&json, "sprites");
    for (size_t i = 0; i < count; i++)
        json_made(&json, &made[i]);
    json_end(&json);
    json_finish(&json);
}

/* ---- images to sprites ---- */

static exit_code make_all(const cli_args *args, const char *out)
{
    const size_t count = args->operand_count;
    const bool into_folder = !path_ends(out, ".sprite");
    sprite_options options = {.args = args};
    sprite_made *made = need(NULL, count, sizeof *made);
    memset(made, 0, count * sizeof *made);
    exit_code code = read_options(args, &options);
    if (code == EXIT_FINE && into_folder && !system_make_directory(out)) {
        report_plain(&args->err, out, strerror(errno));
        code = EXIT_OUTPUT;
    }
    for (size_t i = 0; i < count && code == EXIT_FINE; i++) {
        made[i].in = args->operands[i];
        made[i].out = into_folder ? sprite_path(out, made[i].in, ".sprite") : path_join(".", out);
        code = sprite_make(&options, &made[i]);
        options.previous = options.together ? &made[i] : NULL;
    }
    if (code == EXIT_FINE && args_has(args, OPT_SHARE_PALETTES))
        code = sprite_share_palettes(&options, made, count);
    if (code == EXIT_FINE)
        code = sprite_write(args, made, count);
    if (args->json && code != EXIT_USAGE)
        sprite_print_json(args, made, code == EXIT_FINE ? count : 0);
    for (size_t i = 0; !args->json && !args->quiet && code == EXIT_FINE && i < count; i++)
        print_made(args, &made[i]);
    if (!args->json && !args->quiet && code == EXIT_FINE)
        print_loads(args, made, count);
    sprite_free_made(made, count);
    sprite_free_options(&options);
    return code;
}

/* ---- sprites to images ---- */

/* "wall.png": "wall-1.png". */
static char *mipmap_path(const char *path, uint32_t index)
{
    char *stem = path_with_ending(path, "");
    const size_t room = strlen(stem) + 16;
    stem = need(stem, room, 1);
    if (index > 0)
        snprintf(stem + strlen(stem), 16, "-%u.png", index);
    else
        strcat(stem, ".png");
    return stem;
}

static void report_image(const cli_args *args, const char *path, const trilo_image *image, cli_json *json)
{
    if (!args->json && !args->quiet)
        fprintf(args->out.file, "%s: %ux%u\n", path, image->width, image->height);
    if (!args->json)
        return;
    json_object(json, NULL);
    json_text(json, "path", path);
    json_uint(json, "width", image->width);
    json_uint(json, "height", image->height);
    json_end(json);
}

static exit_code unmake(const cli_args *args, const char *in, const char *out, cli_json *json)
{
    enum { IMAGES = 8 };
    trilo_error why;
    const trilo_file *file = trilo_file_read(in, NULL, &why);
    exit_code code = EXIT_FINE;
    if (!file) {
        report_error(&args->err, in, &why);
        return exit_of(why.code);
    }
    for (uint32_t i = 0; i < (args_has(args, OPT_MIPMAPS) ? IMAGES : 1) && code == EXIT_FINE; i++) {
        trilo_error err;
        const trilo_image *image = trilo_sprite_decode(file->bytes, i, NULL, &err);
        if (!image && i > 0 && err.code == TRILO_CODE_BAD_REF)
            continue;
        if (!image) {
            report_error(&args->err, in, &err);
            code = exit_of(err.code);
            break;
        }
        char *path = mipmap_path(out, i);
        code = sprite_write_png(args, image, path);
        if (code == EXIT_FINE)
            report_image(args, path, image, json);
        free(path);
        trilo_image_free(image);
    }
    trilo_file_free(file);
    return code;
}

static exit_code unmake_all(const cli_args *args, const char *out)
{
    const bool into_folder = !path_ends(out, ".png");
    exit_code code = EXIT_FINE;
    if (into_folder && !system_make_directory(out)) {
        report_plain(&args->err, out, strerror(errno));
        return EXIT_OUTPUT;
    }
    cli_json json = {0};
    if (args->json) {
        json = json_start(args->out.file, "sprite");
        json_array(&json, "images");
    }
    for (size_t i = 0; i < args->operand_count && code == EXIT_FINE; i++) {
        char *path = into_folder ? sprite_path(out, args->operands[i], ".png") : path_join(".", out);
        code = unmake(args, args->operands[i], path, &json);
        free(path);
    }
    if (args->json) {
        json_end(&json);
        json_finish(&json);
    }
    return code;
}

exit_code sprite_run(const cli_args *args)
{
    const char *out = args_given(args, OPT_OUTPUT);
    size_t sprites = 0;
    for (size_t i = 0; i < args->operand_count; i++)
        sprites += path_ends(args->operands[i], ".sprite");
    if (!out)
        return args_fail(args, "say where to write: -o OUT.sprite, -o OUT.png or -o FOLDER");
    if (sprites != 0 && sprites != args->operand_count)
        return args_fail(args, "either all inputs are sprites, or none is");
    if (path_ends(out, sprites ? ".sprite" : ".png"))
        return args_fail(args, "\"%s\": %s", out,
                         sprites ? "sprites are written as .png" : "images are written as .sprite");
    if (args->operand_count > 1 && (path_ends(out, ".sprite") || path_ends(out, ".png")))
        return args_fail(args, "several inputs need a folder: \"%s\" is a file", out);
    return sprites ? unmake_all(args, out) : make_all(args, out);
}
