#include "options.h"

#include "trilobite/error.h"
#include "trilobite/format.h"

#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {"man", "bash", "zsh", "fish", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const headers[] = {"12", "16", NULL};
static const char *const orders[] = {"xyzw", "wxyz", NULL};
static const char *const versions[] = {"1", "2", "3", "4", NULL};
static const char *const levels[] = {"1", NULL};
static const char *const containers[] = {"3", "5", NULL};

/* In the order of the library's values. */
static const char *const topologies[] = {"guess", "triangles", "lines", NULL};
static const char *const vertex_colors[] = {"auto", "rgba", "normals", "none", NULL};
static const char *const times[] = {"auto", "fraction", "seconds", NULL};
static const char *const profiles[] = {"none", "thornmarked", NULL};
static const char *const object_orders[] = {"auto", "name", "file", "layer", NULL};

/* The first of each is what Tiny3D's own converter does. */
static const char *const gammas[] = {"power", "srgb", NULL};
static const char *const cutouts[] = {"reference", "half", NULL};
static const char *const lightings[] = {"reference", "fast64", NULL};

/* clang-format off */
static const cli_option options[] = {
    {OPT_GENERATE, ON_PROGRAM, "generate", 0, "KIND", kinds, NULL,
     "For packagers: write the manual pages into the directory that follows, or print a shell's completion script."},

    {OPT_ALLOW, ON_CHECK, "allow", 0, "CODE", NULL, NULL, "Leave findings with that code out; may be repeated."},
    {OPT_WARN, ON_CHECK, "warn", 0, "CODE", NULL, NULL, "Make findings with that code warnings; may be repeated."},
    {OPT_DENY, ON_CHECK, "deny", 0, "CODE", NULL, NULL, "Make findings with that code errors; may be repeated."},
    {OPT_STRICT, ON_CHECK, "strict", 0, NULL, NULL, NULL, "Warnings fail the check too."},
    {OPT_EXPLAIN, ON_CHECK, "explain", 0, "CODE", NULL, NULL, "Print what causes a finding and what cures it."},
    {OPT_CODES, ON_CHECK, "codes", 0, NULL, NULL, NULL, "Print the documentation of all codes as Markdown."},
    {OPT_PROFILE, ON_CHECK, "profile", 0, "PROGRAM", profiles, "none",
     "Also check against the limits of a program: thornmarked is the game that the Model format was made for."},

    {OPT_FOR, ON_CHECK, "for", 0, "FORMAT", NULL, NULL,
     "Also try to convert the file to that format, and tell what would be lost or fail; nothing is written. The options "
     "of convert that say how apply."},

    {OPT_MATERIALS, ON_INFO, "materials", 0, NULL, NULL, NULL, "Tell each material in words too."},

    {OPT_LIMIT, ON_DUMP, "limit", 'n', "N", NULL, "all", "Show at most N elements of each list."},
    {OPT_BLOBS, ON_DUMP, "blobs", 0, NULL, NULL, NULL, "Show embedded data whole, in hexadecimal."},
    {OPT_POSE, ON_DUMP, "pose", 0, "CLIP@SECONDS", NULL, NULL,
     "Print where every node is, and which frame shows, at a moment of a clip, named or numbered; \"rest\" is the pose "
     "without a clip."},
    {OPT_SMOOTH, ON_DUMP, "smooth", 0, NULL, NULL, NULL,
     "With --pose: mix the two frames of a Model between which the moment lies; without, the last frame whose time has "
     "come holds, as in the game."},
    {OPT_TRIANGLES, ON_DUMP, "triangles", 0, NULL, NULL, NULL,
     "Print the triangles or lines that are drawn, with all that their corners have; with --pose, as they stand in "
     "that pose."},

    {OPT_TO, ON_CONVERT, "to", 0, "FORMAT", NULL, "by the extension of OUT", "The format to write."},
    {OPT_REENCODE, ON_CONVERT, "reencode", 0, NULL, NULL, NULL,
     "Go through the neutral model even when the same bytes could be written again."},
    {OPT_RESTORE_SIZE, ON_WRITERS, "restore-size", 0, NULL, NULL, NULL,
     "Undo the scaling into a unit box: the geometry gets its source's size back."},
    {OPT_NORMALIZE, ON_WRITERS, "normalize", 0, NULL, NULL, NULL,
     "Scale the geometry into a unit box around the origin, remembering its size."},
    {OPT_DROP_TEXTURES, ON_WRITERS, "drop-textures", 0, NULL, NULL, NULL, "Leave the textures out."},
    {OPT_REPLACE_TEXTURE, ON_CONVERT, "replace-texture", 0, "IMAGE", NULL, NULL,
     "Put that PNG or JPEG file in the place of every embedded texture."},
    {OPT_NLM_HEADER, ON_CONVERT, "nlm-header", 0, "SIZE", headers, "16",
     "Which NLM header to write; 12 is the old one, its hash goes to the side file OUT.hash."},
    {OPT_T3DM_VERSION, ON_WRITERS, "t3dm-version", 0, "VERSION", versions, "that of IN, or 4",
     "Which version of T3DM to write; a Tiny3D loads no version but its own."},
    {OPT_SCALE, ON_WRITERS, "scale", 0, "EXPR", NULL, "64, or 1 from T3DM and Model",
     "T3DM and Model store positions as whole numbers: multiply with this before. Can be worked out, with + - * / ( ) "
     "and the name meter: meter*2/500."},
    {OPT_METER, ON_WRITERS, "meter", 0, "EXPR", NULL, "64", "What meter is in --scale: how many units make a metre."},
    {OPT_BVH, ON_CONVERT | ON_GLTF_TO_T3D, "bvh", 0, NULL, NULL, NULL, "Give a T3DM model a tree of boxes, for culling."},
    {OPT_ROM_PATH, ON_CONVERT, "rom-path", 0, "PATH", NULL, "rom:/OUT",
     "Where the T3DM model will be on the console; its streams are looked for beside it."},
    {OPT_ORDER, ON_CONVERT | ON_GLTF_TO_T3D, "order", 0, "KIND", object_orders, "auto",
     "In which order a T3DM model draws: by name with blended objects last, as they come, or opaque, cut out, decal and "
     "blended ones by material; auto is as they come from T3DM, otherwise by name."},
    {OPT_AXES, ON_WRITERS, "axes", 0, "X,Y,Z", NULL, "x,y,z",
     "Which axes of IN become x, y and z of a Model; a minus in front mirrors: z,x,y or -x,z,y."},
    {OPT_FPS, ON_WRITERS, "fps", 0, "N", NULL, "that of IN up to 60, or 24",
     "How many frames a Model gets for each second of a clip that moves nodes."},
    {OPT_MERGE_MATERIALS, ON_WRITERS, "merge-materials", 0, NULL, NULL, NULL,
     "Let more than 4 materials share the slots of a Model instead of refusing them."},
    {OPT_MAX_FRAME_VERTICES, ON_WRITERS, "max-frame-vertices", 0, "N", NULL, "320",
     "How many vertices a frame of a Model may have: the game has room for 320; any is no limit."},
    {OPT_MODEL64_TIME, ON_CONVERT, "model64-time", 0, "KIND", times, "auto",
     "What times in a Model are: a fraction of the clip, as the game counts, or seconds; auto is as they were in a "
     "Model, otherwise fraction."},
    {OPT_PLAIN, ON_CONVERT, "plain", 0, NULL, NULL, NULL,
     "Leave out of a glTF file what only Trilobite reads: the state of the N64 in extras."},
    {OPT_EXTERNAL_IMAGES, ON_CONVERT, "external-images", 0, NULL, NULL, NULL,
     "Write the images of a glTF file beside it instead of into it."},
    {OPT_COMPRESS, ON_CONVERT, "compress", 0, "LEVEL", levels, NULL,
     "Compress OUT as an asset of libdragon; level 1 is LZ4. Streams stay as they are."},
    {OPT_DCA, ON_CONVERT, "dca", 0, "VERSION", containers, "3",
     "The container to --compress into: 5 for a libdragon of 2026 or later, 3 for an older one."},
    {OPT_DECOMPRESS, ON_CONVERT, "decompress", 0, NULL, NULL, NULL,
     "Write a compressed input uncompressed, which every libdragon loads."},
    {OPT_STRICT, ON_CONVERT, "strict", 0, NULL, NULL, NULL, "Fail, and write nothing, when anything would be lost."},

    {OPT_BASE_SCALE, ON_GLTF_TO_T3D, "base-scale", 0, "N", NULL, "64",
     "How many units of the console make one of the model; fractions are fine."},
    {OPT_ROM_ROOT, ON_GLTF_TO_T3D, "rom-root", 0, "DIR", NULL, "what ends in filesystem/ in OUT",
     "The folder that becomes rom:/ on the console: says where streams will be found there."},
    {OPT_DEPFILE, ON_GLTF_TO_T3D, "depfile", 0, "FILE", NULL, NULL,
     "Write a rule for make that names what OUT was made from. -MF FILE is the same; -MD writes OUT with .d at its "
     "end."},
    {OPT_STRICT, ON_GLTF_TO_T3D, "strict", 0, NULL, NULL, NULL, "Fail, and write nothing, when there is a warning."},

    {OPT_TEXTURES, ON_EXTRACT, "textures", 0, NULL, NULL, NULL, "Write the embedded images out as they are."},
    {OPT_STREAMS, ON_EXTRACT, "streams", 0, NULL, NULL, NULL,
     "Write the streams of keys of a T3DM model, decompressed, under their own names."},
    {OPT_OUTPUT, ON_EXTRACT, "output", 'o', "DIR", NULL, ".", "Where to; the directory is made when it is missing."},
    {OPT_FORCE, ON_EXTRACT, "force", 'f', NULL, NULL, NULL, "Overwrite files that exist."},

    {OPT_REFERENCE, ON_FORMATS, "reference", 0, "FORMAT", NULL, NULL, "Print the format's reference as Markdown."},

    {OPT_FROM, ON_READERS, "from", 0, "FORMAT", NULL, "by content", "The format of the input."},
    {OPT_TOPOLOGY, ON_DECODERS, "topology", 0, "KIND", topologies, "guess",
     "What the indices of an NLM file form, which the file does not say."},
    {OPT_NLM_QUAT, ON_INFO | ON_DUMP | ON_CONVERT, "nlm-quat", 0, "ORDER", orders, "xyzw",
     "How an NLM file stores its rotations; wxyz is to the letter of the published document."},
    {OPT_MODEL64_COLORS, ON_DECODERS, "model64-colors", 0, "KIND", vertex_colors, "auto",
     "What the last bytes of a vertex of a Model are, which the file does not say; convert reads and writes it so."},
    {OPT_TEXCOORD_BITS, ON_DECODERS, "texcoord-bits", 0, "N", NULL, "11",
     "A texture coordinate of 1 is 2 to the power of N in a Model, which the file does not say; 11 is for a texture of "
     "32 texels."},
    {OPT_ASSET_PATH, ON_DECODERS | ON_GLTF_TO_T3D, "asset-path", 0, "DIR", NULL, "assets",
     "Where textures are looked for that a glTF file with Fast64 materials names, when they are not beside it; becomes "
     "rom:/ on the console."},
    {OPT_GAMMA, ON_DECODERS | ON_GLTF_TO_T3D, "gamma", 0, "CURVE", gammas, "power",
     "How the linear colours of a glTF file become those that are shown: to the power 0.4545, as Tiny3D's converter does "
     "it, or by the curve of sRGB."},
    {OPT_CUTOUT, ON_DECODERS | ON_GLTF_TO_T3D, "cutout", 0, "KIND", cutouts, "reference",
     "Where Fast64 materials that set no blend colour cut out: at the alpha of that colour, as Tiny3D's converter does "
     "it, or at a half, as its documents say."},
    {OPT_LIGHTING, ON_DECODERS | ON_GLTF_TO_T3D, "lighting", 0, "KIND", lightings, "reference",
     "Fast64 materials with lighting off are lit nevertheless, as Tiny3D's converter does it, or unlit."},
    {OPT_IGNORE_MATERIALS, ON_DECODERS | ON_GLTF_TO_T3D, "ignore-materials", 0, NULL, NULL, NULL,
     "Take only the names of the materials of a glTF file."},
    {OPT_IGNORE_TRANSFORMS, ON_DECODERS | ON_GLTF_TO_T3D, "ignore-transforms", 0, NULL, NULL, NULL,
     "Leave the meshes of a glTF file where their own coordinates are; bones stay as they are."},
    {OPT_ALL_SCENES, ON_DECODERS | ON_GLTF_TO_T3D, "all-scenes", 0, NULL, NULL, NULL,
     "Take what is in any scene of a glTF file, not only in the one that is shown."},
    {OPT_MAX_MEMORY, ON_READERS | ON_GLTF_TO_T3D, "max-memory", 0, "SIZE", NULL, "1G",
     "Refuse a file that needs more memory; K, M and G are understood."},
    {OPT_JSON, ON_COMMANDS, "json", 0, NULL, NULL, NULL, "Print JSON instead of text."},
    {OPT_COLOR, ON_COMMANDS, "color", 0, "WHEN", colors, "auto",
     "Colours: auto is on a terminal, unless NO_COLOR is set."},
    {OPT_QUIET, ON_COMMANDS, "quiet", 'q', NULL, NULL, NULL, "Say nothing on standard error but errors."},
    {OPT_VERBOSE, ON_CONVERT | ON_GLTF_TO_T3D, "verbose", 'v', NULL, NULL, NULL, "Say what was written, on standard error."},
    {OPT_HELP, ON_PROGRAM | ON_COMMANDS, "help", 'h', NULL, NULL, NULL, "Print this help."},
    {OPT_VERSION, ON_PROGRAM | ON_GLTF_TO_T3D, "version", 0, NULL, NULL, NULL, "Print the version."},
};
/* clang-format on */

const cli_option *option_at(size_t index)
{
    return index < sizeof options / sizeof *options ? &options[index] : NULL;
}

const cli_option *option_get(option_id id)
{
    const cli_option *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option->id == id)
            break;
    return option;
}

const cli_option *option_named(unsigned places, const char *name, size_t len)
{
    const cli_option *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if ((option->places & places) && strlen(option->name) == len && memcmp(option->name, name, len) == 0)
            return option;
    return NULL;
}

const cli_option *option_lettered(unsigned places, char letter)
{
    const cli_option *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if ((option->places & places) && option->letter == letter)
            return option;
    return NULL;
}

static bool takes(const cli_option *option, const char *argument)
{
    return option->argument && strcmp(option->argument, argument) == 0;
}

const char *option_choice(const cli_option *option, size_t index)
{
    if (option->choices)
        return option->choices[index];
    if (takes(option, "FORMAT")) {
        const trilo_format_info *format = trilo_format_at(index);
        return format ? format->name : NULL;
    }
    if (takes(option, "CODE")) {
        const trilo_rule *rule = trilo_rule_at(index);
        return rule ? rule->name : NULL;
    }
    return NULL;
}

/* The format that files with that extension have: "glb" is gltf. */
static const char *name_of_extension(const char *extension)
{
    char path[16];
    if (strchr(extension, '.') || (size_t)snprintf(path, sizeof path, ".%s", extension) >= sizeof path)
        return NULL;
    const trilo_format_info *format = trilo_format_for_path(path);
    return format ? format->name : NULL;
}

static size_t choice_called(const cli_option *option, const char *value)
{
    size_t i = 0;
    while (option_choice(option, i) && strcmp(option_choice(option, i), value) != 0)
        i++;
    return i;
}

size_t option_choice_of(const cli_option *option, const char *value)
{
    const size_t i = choice_called(option, value);
    const char *name = option_choice(option, i) || !takes(option, "FORMAT") ? NULL : name_of_extension(value);
    return name ? choice_called(option, name) : i;
}

bool option_repeats(const cli_option *option)
{
    return option->id == OPT_ALLOW || option->id == OPT_WARN || option->id == OPT_DENY;
}
