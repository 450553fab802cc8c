/* sprites.c: the sprites that a conversion makes. */
#include "convert/convert.h"

#include "paths.h"
#include "sprite/sprite.h"

#include <math.h>
#include <stdlib.h>

exit_code convert_read_sprites(cli_conversion *conversion)
{
    static const option_id needs[] = {OPT_TARGET, OPT_TEXTURE_ERROR, OPT_QUALITY, OPT_TEXEL_DITHER, OPT_SHARE_PALETTES};
    const cli_args *args = conversion->args;
    const char *error = args_given(args, OPT_TEXTURE_ERROR);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (args_lacks(args, needs[i], OPT_SPRITES))
            return args_fail(args, "--%s needs --sprites", option_get(needs[i])->name);
    if (!args_has(args, OPT_SPRITES) ||
        (args_is_default(args, OPT_SPRITES) && conversion->write.format != TRILO_FORMAT_T3DM))
        return EXIT_FINE;
    if (error) {
        char *end;
        conversion->sprites.max_delta_e = strtod(error, &end);
        if (end == error || *end || !(conversion->sprites.max_delta_e > 0 && isfinite(conversion->sprites.max_delta_e)))
            return args_fail(args, "--texture-error: \"%s\" is not a number above 0", error);
    }
    conversion->sprite.target = (trilo_sprite_target)args_choice(args, OPT_TARGET);
    conversion->sprite.quality = args_has(args, OPT_QUALITY);
    conversion->sprite.dither = (trilo_dither)args_choice(args, OPT_TEXEL_DITHER);
    conversion->sprites.share_palettes = args_has(args, OPT_SHARE_PALETTES);
    conversion->sprites.sprite = &conversion->sprite;
    conversion->opts.sprites = &conversion->sprites;
    conversion->opts.reencode = true;
    return EXIT_FINE;
}

void convert_print_sprites(const cli_conversion *conversion)
{
    const trilo_conversion *result = conversion->result;
    FILE *out = conversion->args->err.file;
    size_t sharing = 0, palettes = 0;
    for (uint32_t i = 0; i < result->sprite_count; i++) {
        const trilo_converted_sprite *s = &result->sprites[i];
        char *path = companions_path(conversion->out, result->companions[s->companion].name);
        text_puts(out, path);
        fprintf(out, ": %s %ux%u", trilo_texels_name(s->texels), s->width, s->height);
        if (s->width != s->source_width || s->height != s->source_height)
            fprintf(out, " (from %ux%u)", s->source_width, s->source_height);
        fprintf(out, ", %.2f dB, delta E %.2f%s\n", s->difference.psnr, s->difference.delta_e,
                !s->searched      ? ""
                : s->within_error ? ", the smallest format that is near enough"
                                  : ", the nearest format; none is near enough");
        if (s->shared.image_count > 1)
            fprintf(out, "  shares palette %u with %u other%s: %.2f dB, with its own %.2f\n", s->shared.palette,
                    s->shared.image_count - 1, text_plural(s->shared.image_count - 1), s->shared.shared.psnr,
                    s->shared.alone.psnr);
        bool first = s->shared.image_count > 1;
        sharing += first;
        for (uint32_t k = 0; k < i; k++)
            first &=
                result->sprites[k].shared.image_count < 2 || result->sprites[k].shared.palette != s->shared.palette;
        palettes += first;
        free(path);
    }
    if (sharing > 0)
        sprite_print_loads(out, sharing, palettes);
}

void convert_json_sprites(const cli_conversion *conversion)
{
    const trilo_conversion *result = conversion->result;
    cli_json *json = conversion->json;
    if (!result || result->sprite_count == 0)
        return;
    json_array(json, "sprites");
    for (uint32_t i = 0; i < result->sprite_count; i++) {
        const trilo_converted_sprite *s = &result->sprites[i];
        char *path = companions_path(conversion->out, result->companions[s->companion].name);
        json_object(json, NULL);
        json_uint(json, "texture", s->texture);
        json_text(json, "path", path);
        json_text(json, "texels", trilo_texels_name(s->texels));
        json_uint(json, "width", s->width);
        json_uint(json, "height", s->height);
        json_uint(json, "source_width", s->source_width);
        json_uint(json, "source_height", s->source_height);
        json_uint(json, "colors", s->color_count);
        json_bool(json, "searched", s->searched);
        json_bool(json, "within_error", s->within_error);
        json_double(json, "psnr", round(s->difference.psnr * 100) / 100);
        json_double(json, "delta_e", round(s->difference.delta_e * 1000) / 1000);
        if (s->shared.image_count > 1) {
            json_uint(json, "palette", s->shared.palette);
            json_uint(json, "palette_sprites", s->shared.image_count);
            json_double(json, "psnr_alone", round(s->shared.alone.psnr * 100) / 100);
        }
        json_end(json);
        free(path);
    }
    json_end(json);
}
