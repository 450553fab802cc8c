#include "convert/convert.h"

#include "clips.h"
#include "optimize/optimize.h"
#include "paths.h"
#include "ui/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct cli_pair {
    option_id a, b;
    const char *why;
} cli_pair;

static exit_code refuse_contradictions(const cli_args *args)
{
    static const cli_pair pairs[] = {
        {OPT_RESTORE_SIZE, OPT_NORMALIZE, "--restore-size and --normalize are opposites"},
        {OPT_DROP_TEXTURES, OPT_REPLACE_TEXTURE, "--drop-textures and --replace-texture exclude each other"},
        {OPT_COMPRESS, OPT_DECOMPRESS, "--compress and --decompress are opposites"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (args_has(args, pairs[i].a) && args_has(args, pairs[i].b))
            return args_fail(args, "%s", pairs[i].why);
    if (args_lacks(args, OPT_DCA, OPT_COMPRESS))
        return args_fail(args, "--dca sets the container for --compress: it needs --compress 1");
    if (args_lacks(args, OPT_METER, OPT_SCALE))
        return args_fail(args, "--meter defines a name for --scale: it needs one, such as --scale meter");
    return EXIT_FINE;
}

static exit_code read_image(cli_conversion *conversion)
{
    const char *path = args_given(conversion->args, OPT_REPLACE_TEXTURE);
    uint32_t width, height;
    if (!path)
        return EXIT_FINE;
    trilo_error err;
    const trilo_file_opts opts = {.memory = conversion->load.all.memory};
    conversion->image = trilo_file_read(path, &opts, &err);
    if (!conversion->image) {
        report_error(&conversion->args->err, path, &err);
        return exit_of(err.code);
    }
    conversion->edit.replace_texture = conversion->image->bytes;
    if (trilo_image_probe(conversion->edit.replace_texture, &width, &height) != TRILO_IMAGE_KIND_UNKNOWN)
        return EXIT_FINE;
    report_plain(&conversion->args->err, path, "neither a PNG nor a JPEG file");
    return EXIT_INPUT;
}

static uint32_t option_number(const cli_args *args, option_id id)
{
    const char *given = args_given(args, id);
    return given ? (uint32_t)strtoul(given, NULL, 10) : 0; /* one of the option's choices */
}

static exit_code read_t3dm(const cli_args *args, trilo_t3dm_write_opts *t3dm)
{
    t3dm->version = option_number(args, OPT_T3DM_VERSION);
    t3dm->bvh = args_has(args, OPT_BVH);
    t3dm->rom_path = args_given(args, OPT_ROM_PATH);
    t3dm->order = (trilo_t3dm_order)args_choice(args, OPT_ORDER);
    t3dm->materials = (trilo_t3dm_materials)args_choice(args, OPT_MATERIALS_OF);
    return optimize_read_t3dm(args, t3dm);
}

/* Which of the two files an option is about. */
typedef enum cli_about { ABOUT_OUTPUT, ABOUT_EITHER, ABOUT_INPUT } cli_about;

/* An option and the formats it is for. */
typedef struct cli_owner {
    option_id option;
    trilo_format format, other; /* `other` unknown: none */
    cli_about about;
} cli_owner;

static const cli_owner owners[] = {
    {OPT_NLM_HEADER, TRILO_FORMAT_NLM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_T3DM_VERSION, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_SCALE, TRILO_FORMAT_T3DM, TRILO_FORMAT_MODEL64, ABOUT_OUTPUT},
    {OPT_METER, TRILO_FORMAT_T3DM, TRILO_FORMAT_MODEL64, ABOUT_OUTPUT},
    {OPT_BVH, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_ROM_PATH, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_ORDER, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_MATERIALS_OF, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_LEVEL, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_RESIDENT, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_SHARE_VERTICES, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_SKIN_FIT, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_HELPER_BONES, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_NO_MATERIAL, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_MIRRORED, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_UNUSED_ATTRIBUTES, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_AXES, TRILO_FORMAT_MODEL64, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_ANIM_ERROR, TRILO_FORMAT_T3DM, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_MERGE_MATERIALS, TRILO_FORMAT_MODEL64, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_MAX_FRAME_VERTICES, TRILO_FORMAT_MODEL64, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_MODEL64_TIME, TRILO_FORMAT_MODEL64, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_MODEL64_COLORS, TRILO_FORMAT_MODEL64, TRILO_FORMAT_UNKNOWN, ABOUT_EITHER},
    {OPT_TEXCOORD_BITS, TRILO_FORMAT_MODEL64, TRILO_FORMAT_UNKNOWN, ABOUT_EITHER},
    {OPT_PLAIN, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_EXTERNAL_IMAGES, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_OUTPUT},
    {OPT_ASSET_PATH, TRILO_FORMAT_GLTF, TRILO_FORMAT_T3DM, ABOUT_INPUT},
    {OPT_GAMMA, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_INPUT},
    {OPT_CUTOUT, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_INPUT},
    {OPT_LIGHTING, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_INPUT},
    {OPT_IGNORE_MATERIALS, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_INPUT},
    {OPT_IGNORE_TRANSFORMS, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_INPUT},
    {OPT_ALL_SCENES, TRILO_FORMAT_GLTF, TRILO_FORMAT_UNKNOWN, ABOUT_INPUT},
};
enum { OWNERS = sizeof owners / sizeof *owners };

exit_code convert_prepare(cli_conversion *conversion)
{
    const cli_args *args = conversion->args;
    exit_code code = refuse_contradictions(args);
    if (code == EXIT_FINE)
        code = input_options(args, &conversion->load);
    if (code == EXIT_FINE)
        code = convert_read_model64(conversion);
    if (code == EXIT_FINE)
        code = clips_read_bound(args, &conversion->t3dm);
    if (code == EXIT_FINE)
        code = read_t3dm(args, &conversion->t3dm);
    if (code == EXIT_FINE)
        code = read_image(conversion);
    conversion->edit.restore_size = args_has(args, OPT_RESTORE_SIZE);
    conversion->edit.normalize = args_has(args, OPT_NORMALIZE);
    conversion->edit.drop_textures = args_has(args, OPT_DROP_TEXTURES);
    conversion->rewrite.decompress = args_has(args, OPT_DECOMPRESS);
    conversion->rewrite.compress = option_number(args, OPT_COMPRESS);
    conversion->rewrite.version = option_number(args, OPT_DCA);
    conversion->write.memory = conversion->load.all.memory;
    conversion->write.profile = (trilo_write_profile)args_choice(args, OPT_WRITE_PROFILE);
    conversion->nlm.header12 = args_is(args, OPT_NLM_HEADER, "12");
    conversion->gltf.plain = args_has(args, OPT_PLAIN);
    conversion->gltf.external_images = args_has(args, OPT_EXTERNAL_IMAGES);
    conversion->clips.rate = conversion->model64.fps;
    conversion->opts.reencode = args_has(args, OPT_REENCODE) || args_has(args, OPT_WRITE_PROFILE);
    if (code == EXIT_FINE)
        code = convert_read_sprites(conversion);
    if (args_has(args, OPT_CLIP)) {
        conversion->opts.choose_clips = clips_choose;
        conversion->opts.choose_clips_user = conversion;
    }
    return code;
}

void convert_link(cli_conversion *conversion)
{
    conversion->write.nlm = &conversion->nlm;
    conversion->write.t3dm = &conversion->t3dm;
    conversion->write.model64 = &conversion->model64;
    conversion->write.gltf = &conversion->gltf;
    conversion->opts.write = &conversion->write;
    conversion->opts.rewrite = &conversion->rewrite;
    conversion->opts.edit = &conversion->edit;
    conversion->opts.clips = &conversion->clips;
}

/* ---- with the input open ---- */

static bool option_fits_formats(const cli_conversion *conversion, const cli_owner *owner)
{
    const trilo_format in = trilo_document_format(conversion->input.document), out = conversion->write.format;
    if (owner->about != ABOUT_OUTPUT && (in == owner->format || in == owner->other))
        return true;
    return owner->about != ABOUT_INPUT && (out == owner->format || out == owner->other);
}

exit_code convert_choose(cli_conversion *conversion)
{
    if (conversion->write.format == TRILO_FORMAT_UNKNOWN)
        conversion->write.format = trilo_document_format(conversion->input.document);
    conversion->t3dm.asset_number = trilo_assets_number;
    conversion->t3dm.asset_number_user = conversion->input.assets;
    const cli_args *args = conversion->args;
    for (size_t i = 0; i < OWNERS; i++) {
        const cli_owner *owner = &owners[i];
        const trilo_format_info *other = trilo_format_get(owner->other);
        if (!args_has(args, owner->option))
            continue;
        if (option_fits_formats(conversion, owner)) {
            /* The option requires other records than those of the input. Another version of T3DM keeps them. */
            conversion->opts.reencode |= owner->option != OPT_T3DM_VERSION && owner->option != OPT_ASSET_PATH;
            continue;
        }
        if (args_is_default(args, owner->option))
            continue;
        if (owner->about == ABOUT_INPUT)
            return args_fail(args, "--%s is for %s%s%s, but what is read is %s", option_get(owner->option)->name,
                             trilo_format_get(owner->format)->name, other ? " and " : "", other ? other->name : "",
                             trilo_format_get(trilo_document_format(conversion->input.document))->name);
        if (owner->about == ABOUT_EITHER)
            return args_fail(args, "--%s is for %s, which is neither read nor written", option_get(owner->option)->name,
                             trilo_format_get(owner->format)->name);
        return args_fail(args, "--%s is for %s%s%s, but what is written is %s", option_get(owner->option)->name,
                         trilo_format_get(owner->format)->name, other ? " and " : "", other ? other->name : "",
                         trilo_format_get(conversion->write.format)->name);
    }
    return EXIT_FINE;
}
