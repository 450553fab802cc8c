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

exit_code sprite_read_image(const cli_args *args, const char *path, const trilo_bitmap **bitmap)
{
    trilo_error err;
    const trilo_file *file = trilo_file_read(path, NULL, &err);
    *bitmap = file ? trilo_bitmap_decode(file->bytes, NULL, &err) : NULL;
    if (!*bitmap)
        report_error(&args->err, path, &err);
    trilo_file_free(file);
    /* A file that is not an image is an input error, not an unsupported format. */
    return *bitmap ? EXIT_FINE : err.code == TRILO_CODE_UNSUPPORTED ? EXIT_INPUT : exit_of(err.code);
}

/* ---- one sprite ---- */

/* True if a part of the path is that word, and no texel format comes before it. */
static bool has_piece(const char *path, const char *word)
{
    for (const char *piece = path; piece; piece = strchr(piece, '.') ? strchr(piece, '.') + 1 : NULL) {
        size_t len = 0;
        while (word[len] && (piece[len] | 0x20) == word[len])
            len++;
        if (!word[len] && piece[len] == '.')
            return trilo_texels_from_path(path) == TRILO_TEXELS_UNKNOWN;
    }
    return false;
}

static bool plan(const sprite_options *options, sprite_made *made, const trilo_bitmap *bitmap,
                 const trilo_sprite_opts *opts, trilo_error *err)
{
    const trilo_sprite *other = options->previous ? options->previous->sprite : NULL;
    const trilo_plan_opts plan_opts = {.sprite = opts,
                                       .max_delta_e = options->max_delta_e,
                                       .power_of_two = options->power_of_two,
                                       .any_size = !options->resizes,
                                       .other_later = options->together && !other,
                                       .other_texels = other ? other->texels : TRILO_TEXELS_UNKNOWN,
                                       .other_width = other ? other->width : 0,
                                       .other_height = other ? other->height : 0};
    return trilo_sprite_plan_make(bitmap, &plan_opts, &made->plan, err);
}

static const trilo_sprite *encode(const sprite_options *options, sprite_made *made, const trilo_bitmap *bitmap,
                                  trilo_error *err)
{
    trilo_sprite_opts opts = options->opts;
    uint32_t width = options->width ? options->width : bitmap->image.width;
    uint32_t height = options->height ? options->height : bitmap->image.height;
    if (!opts.texels && !opts.layers && !options->plans)
        opts.layers = has_piece(made->in, "ihq")   ? TRILO_SPRITE_LAYERS_IHQ
                      : has_piece(made->in, "shq") ? TRILO_SPRITE_LAYERS_SHQ
                                                   : TRILO_SPRITE_LAYERS_NONE;
    if (!opts.texels && !options->plans && !opts.layers)
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
    made->resized = trilo_image_resize(&bitmap->image, &resize, err);
    const trilo_bitmap other = {.image = made->resized ? *made->resized : (trilo_image){0}};
    return made->resized ? trilo_sprite_encode(&other, &opts, err) : NULL;
}

static exit_code split(const sprite_options *options, sprite_made *made)
{
    const trilo_bitmap resized = {.image = made->resized ? *made->resized : made->bitmap->image};
    trilo_sprite_opts opts = options->opts;
    trilo_error err;
    opts.texels = made->sprite->texels;
    made->pieces = trilo_sprite_split(&resized, &opts, &err);
    if (made->pieces)
        return EXIT_FINE;
    report_error(&options->args->err, made->in, &err);
    return exit_of(err.code);
}

exit_code sprite_make(const sprite_options *options, sprite_made *made)
{
    const cli_args *args = options->args;
    trilo_error err;
    if (!options->opts.texels && !options->opts.layers && !options->plans && has_piece(made->in, "zbuf")) {
        report_plain(&args->err, made->in,
                     "depths (ZBUF) cannot be made; rename the image, or choose a format with --format");
        return EXIT_LIMIT;
    }
    const exit_code code = sprite_read_image(args, made->in, &made->bitmap);
    const trilo_bitmap *bitmap = made->bitmap;
    if (code != EXIT_FINE)
        return code;
    made->source_width = bitmap->image.width;
    made->source_height = bitmap->image.height;
    made->sprite = encode(options, made, bitmap, &err);
    if (!made->sprite) {
        report_error(&args->err, made->in, &err);
        return exit_of(err.code);
    }
    if (!made->sprite->fits_tmem && options->splits)
        return split(options, made);
    if (!made->sprite->fits_tmem && !args->quiet) {
        char text[160];
        const trilo_finding finding = {TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE, "", TRILO_NOWHERE, "", text};
        snprintf(text, sizeof text,
                 "%ux%u of %s need %u bytes of TMEM, there are %u; it cannot be a texture as a whole",
                 made->sprite->width, made->sprite->height, trilo_texels_name(made->sprite->texels),
                 made->sprite->tmem_used, made->sprite->tmem_limit);
        report_finding(&args->err, made->in, &finding);
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

exit_code sprite_share_palettes(const sprite_options *options, sprite_made *made, size_t count)
{
    trilo_image *images = need(NULL, count, sizeof *images);
    trilo_texels *texels = need(NULL, count, sizeof *texels);
    trilo_shared_image *shared = need(NULL, count, sizeof *shared);
    trilo_palette *palettes = need(NULL, count, sizeof *palettes);
    const trilo_share_opts opts = {.texels = texels, .max_delta_e = options->max_delta_e};
    trilo_error err;
    for (size_t i = 0; i < count; i++) {
        images[i] = made[i].resized ? *made[i].resized : made[i].bitmap->image;
        texels[i] = made[i].sprite->texels;
    }
    bool ok = trilo_palettes_share(images, (uint32_t)count, &opts, shared, palettes, NULL, &err);
    for (size_t i = 0; ok && i < count; i++) {
        made[i].shared = shared[i];
        ok = shared[i].image_count < 2 || encode_shared(options, &made[i], &palettes[shared[i].palette], &err);
    }
    free(images);
    free(texels);
    free(shared);
    free(palettes);
    if (ok)
        return EXIT_FINE;
    report_error(&options->args->err, made[0].in, &err);
    return exit_of(err.code);
}

char *sprite_piece_path(const sprite_made *made, uint32_t piece)
{
    const char *name = path_last(made->out), *dot = strchr(name, '.');
    const size_t stem = (size_t)((dot ? dot : name + strlen(name)) - made->out), room = strlen(made->out) + 32;
    char *path = need(NULL, room, 1);
    snprintf(path, room, "%.*s-%u-%u%s", (int)stem, made->out, piece / made->pieces->columns,
             piece % made->pieces->columns, made->out + stem);
    return path;
}

exit_code sprite_write(const cli_args *args, const sprite_made *made, size_t count)
{
    trilo_error err;
    size_t failed = 0, used = 0, room = 0;
    for (size_t i = 0; i < count; i++)
        room += made[i].pieces ? made[i].pieces->count : 1;
    trilo_extra_file *files = need(NULL, room, sizeof *files);
    char **paths = need(NULL, room, sizeof *paths);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < (made[i].pieces ? made[i].pieces->count : 1); k++) {
            paths[used] = made[i].pieces ? sprite_piece_path(&made[i], k) : path_join(".", made[i].out);
            files[used] = (trilo_extra_file){paths[used], made[i].pieces ? made[i].pieces->sprites[k]->bytes
                                                                         : made[i].sprite->bytes};
            used++;
        }
    const bool ok = trilo_files_replace(files, used, NULL, &failed, &err);
    if (!ok)
        report_error(&args->err, paths[failed < used ? failed : 0], &err);
    for (size_t i = 0; i < used; i++)
        free(paths[i]);
    free(paths);
    free(files);
    return ok ? EXIT_FINE : exit_of(err.code);
}

void sprite_free_made(sprite_made *made, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        trilo_sprite_free(made[i].sprite);
        trilo_sprite_pieces_free(made[i].pieces);
        trilo_bitmap_free(made[i].bitmap);
        trilo_image_free(made[i].resized);
        free(made[i].out);
    }
    free(made);
}

/* ---- pictures ---- */

static bool fill_png(void *context, trilo_write_fn *sink, void *user, trilo_error *err)
{
    return trilo_image_write(context, TRILO_PICTURE_KIND_PNG, sink, user, err);
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
