/* From image files to sprites. */
#include "sprite/sprite.h"

#include "alloc.h"
#include "output.h"
#include "paths.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

trilo_texels sprite_texels_named(const char *name)
{
    /* A path that is only a name is looked up in either case; "." would end it. */
    return strchr(name, '.') ? TRILO_TEXELS_UNKNOWN : trilo_texels_from_path(name);
}

char *sprite_path(const char *folder, const char *in, const char *ending)
{
    char *name = path_with_ending(path_last(in), ending), *path = path_join(folder, name);
    free(name);
    return path;
}

const trilo_bitmap *sprite_read_image(const cli_args *args, const char *path)
{
    trilo_error err;
    const trilo_file *file = trilo_file_read(path, NULL, &err);
    const trilo_bitmap *bitmap = file ? trilo_bitmap_decode(file->bytes, NULL, &err) : NULL;
    if (!bitmap)
        report_error(&args->err, path, &err);
    trilo_file_free(file);
    return bitmap;
}

/* ---- one sprite ---- */

/* IHQ and SHQ make two images of one, ZBUF stores depths. */
static bool has_unknown_format(const char *path)
{
    static const char *const names[] = {"ihq", "shq", "zbuf"};
    for (const char *piece = path; piece; piece = strchr(piece, '.') ? strchr(piece, '.') + 1 : NULL)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            size_t len = 0;
            while (names[i][len] && (piece[len] | 0x20) == names[i][len])
                len++;
            if (!names[i][len] && piece[len] == '.')
                return trilo_texels_from_path(path) == TRILO_TEXELS_UNKNOWN;
        }
    return false;
}

static bool plan(const sprite_options *options, sprite_made *made, const trilo_bitmap *bitmap,
                 const trilo_sprite_opts *opts, trilo_error *err)
{
    const trilo_plan_opts plan_opts = {.sprite = opts,
                                       .max_delta_e = options->max_delta_e,
                                       .power_of_two = options->power_of_two,
                                       .any_size = !options->resizes};
    return trilo_sprite_plan_make(bitmap, &plan_opts, &made->plan, err);
}

static const trilo_sprite *encode(const sprite_options *options, sprite_made *made, const trilo_bitmap *bitmap,
                                  trilo_error *err)
{
    trilo_sprite_opts opts = options->opts;
    uint32_t width = options->width ? options->width : bitmap->image.width;
    uint32_t height = options->height ? options->height : bitmap->image.height;
    if (!opts.texels && !options->plans)
        opts.texels = trilo_sprite_texels(bitmap, made->in, opts.target);
    if ((options->plans || options->resizes || options->power_of_two) && !options->width) {
        if (!plan(options, made, bitmap, &opts, err))
            return NULL;
        const trilo_plan_candidate *chosen = &made->plan.candidates[made->plan.chosen];
        opts.texels = chosen->texels;
        width = chosen->width;
        height = chosen->height;
    }
    if (width == bitmap->image.width && height == bitmap->image.height)
        return trilo_sprite_encode(bitmap, &opts, err);
    const trilo_resize_opts resize = {
        .width = width, .height = height, .repeat_s = options->power_of_two, .repeat_t = options->power_of_two};
    made->resized = trilo_resize(&bitmap->image, &resize, err);
    const trilo_bitmap other = {.image = made->resized ? *made->resized : (trilo_image){0}};
    return made->resized ? trilo_sprite_encode(&other, &opts, err) : NULL;
}

exit_code sprite_make(const sprite_options *options, sprite_made *made)
{
    const cli_args *args = options->args;
    trilo_error err;
    if (!options->opts.texels && !options->plans && has_unknown_format(made->in)) {
        report_plain(&args->err, made->in,
                     "formats IHQ, SHQ and ZBUF cannot be made; name it otherwise, or choose one with --format");
        return EXIT_LIMIT;
    }
    const trilo_bitmap *bitmap = made->bitmap = sprite_read_image(args, made->in);
    if (!bitmap)
        return EXIT_INPUT;
    made->source_width = bitmap->image.width;
    made->source_height = bitmap->image.height;
    made->sprite = encode(options, made, bitmap, &err);
    if (!made->sprite) {
        report_error(&args->err, made->in, &err);
        return exit_of(err.code);
    }
    if (!made->sprite->fits_tmem && !args->quiet) {
        char text[160];
        snprintf(text, sizeof text, "warning: %ux%u of %s need %u of %u bytes of TMEM; the game has to split it",
                 made->sprite->width, made->sprite->height, trilo_texels_name(made->sprite->texels),
                 made->sprite->tmem_used, made->sprite->tmem_limit);
        report_plain(&args->err, made->in, text);
    }
    return EXIT_FINE;
}

/* Once more, with the palette of its group. */
static bool encode_shared(const sprite_options *options, sprite_made *made, const trilo_palette *palette,
                          trilo_error *err)
{
    const trilo_bitmap bitmap = {.image = made->resized ? *made->resized : made->bitmap->image};
    trilo_sprite_opts opts = options->opts;
    opts.texels = made->sprite->texels;
    opts.palette = palette;
    const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, err);
    if (!sprite)
        return false;
    trilo_sprite_free(made->sprite);
    made->sprite = sprite;
    return true;
}

static bool share_format(const sprite_options *options, sprite_made *made, size_t count, trilo_texels texels,
                         trilo_error *err)
{
    trilo_image *images = need(NULL, count, sizeof *images);
    trilo_shared_image *shared = need(NULL, count, sizeof *shared);
    trilo_palette *palettes = need(NULL, count, sizeof *palettes);
    const trilo_share_opts opts = {.colors = texels == TRILO_TEXELS_CI4 ? 16 : 256,
                                   .max_delta_e = options->max_delta_e};
    uint32_t used = 0, groups = 1;
    for (size_t i = 0; i < count; i++)
        if (made[i].sprite->texels == texels)
            images[used++] = made[i].resized ? *made[i].resized : made[i].bitmap->image;
    if (used > 1)
        groups = trilo_palettes_share(images, used, &opts, shared, palettes, err);
    bool ok = groups > 0;
    used = used > 1 ? used : 0;
    for (size_t i = 0, at = 0; ok && at < used; i++) {
        if (made[i].sprite->texels != texels)
            continue;
        uint32_t members = 0;
        for (uint32_t k = 0; k < used; k++)
            members += shared[k].group == shared[at].group;
        made[i].shared = shared[at];
        made[i].shared_count = members > 1 ? members : 0;
        ok = members < 2 || encode_shared(options, &made[i], &palettes[shared[at].group], err);
        at++;
    }
    free(images);
    free(shared);
    free(palettes);
    return ok;
}

exit_code sprite_share_palettes(const sprite_options *options, sprite_made *made, size_t count)
{
    trilo_error err;
    if (share_format(options, made, count, TRILO_TEXELS_CI4, &err) &&
        share_format(options, made, count, TRILO_TEXELS_CI8, &err))
        return EXIT_FINE;
    report_error(&options->args->err, made[0].in, &err);
    return exit_of(err.code);
}

exit_code sprite_write(const cli_args *args, const sprite_made *made, size_t count)
{
    trilo_extra_file *files = need(NULL, count, sizeof *files);
    trilo_error err;
    size_t failed = 0;
    for (size_t i = 0; i < count; i++)
        files[i] = (trilo_extra_file){made[i].out, made[i].sprite->bytes};
    const bool ok = trilo_files_replace(files, count, NULL, &failed, &err);
    if (!ok)
        report_error(&args->err, made[failed < count ? failed : 0].out, &err);
    free(files);
    return ok ? EXIT_FINE : exit_of(err.code);
}

void sprite_free_made(sprite_made *made, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        trilo_sprite_free(made[i].sprite);
        trilo_bitmap_free(made[i].bitmap);
        trilo_image_free(made[i].resized);
        free(made[i].out);
    }
    free(made);
}

/* ---- pictures ---- */

static bool fill_png(void *context, trilo_write_fn *sink, void *user, trilo_error *err)
{
    return trilo_image_write(context, TRILO_PICTURE_PNG, sink, user, err);
}

exit_code sprite_write_png(const cli_args *args, const trilo_image *image, const char *path)
{
    trilo_error err;
    trilo_image copy = *image;
    if (output_fill(path, fill_png, &copy, &err))
        return EXIT_FINE;
    report_error(&args->err, path, &err);
    return exit_of(err.code);
}
