#include "usage/options.h"

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
static const char *const efforts[] = {"1", "2", "3", NULL};
static const char *const fates[] = {"keep", "drop", NULL};
static const char *const containers[] = {"3", "5", NULL};

/* In the order of the library's values. */
static const char *const topologies[] = {"guess", "triangles", "lines", NULL};
static const char *const vertex_colors[] = {"auto", "rgba", "normals", "none", NULL};
static const char *const times[] = {"auto", "fraction", "seconds", NULL};
static const char *const looks[] = {"n64", "clean", NULL};
static const char *const views[] = {"front", "side", "top", "iso", NULL};
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

    {OPT_CLIPS, ON_INFO, "clips", 0, NULL, NULL, NULL,
     "Tell what each clip costs too: its length, channels, keys and bytes (of T3DM the stream and the table), and how "
     "far the rounding of T3DM moves the vertex that suffers most, as a root mean square in units of the model."},

    {OPT_LIMIT, ON_DUMP, "limit", 'n', "N", NULL, "all", "Show at most N elements of each list."},
    {OPT_BLOBS, ON_DUMP, "blobs", 0, NULL, NULL, NULL, "Show embedded data whole, in hexadecimal."},
    {OPT_POSE, ON_DUMP, "pose", 0, "CLIP@SECONDS", NULL, NULL,
     "Print where every node is, and which frame shows, at a moment of a clip, named or numbered; \"rest\" is the pose "
     "without a clip."},
    {OPT_SMOOTH, ON_DUMP, "smooth", 0, NULL, NULL, NULL,
     "With --pose: rotations turn at even speed between their keys (slerp), and the two frames of a Model are mixed "
     "between which the moment lies. Without, a clip of T3DM is shown as the console plays it, in its own single "
     "precision (nlerp, ticks of 1/60 s), and the last frame of a Model whose time has come holds, as in the game."},
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
     "Which NLM header to write; 12 is the old one, its hash goes to the companion file OUT.hash."},
    {OPT_T3DM_VERSION, ON_WRITERS, "t3dm-version", 0, "VERSION", versions, "that of IN, or 4",
     "Which version of T3DM to write; a Tiny3D loads no version but its own."},
    {OPT_SCALE, ON_WRITERS | ON_COST, "scale", 0, "EXPR", NULL, "64, or 1 from T3DM and Model",
     "T3DM and Model store positions as whole numbers: multiply with this before. Can be worked out, with + - * / ( ) "
     "and the name meter: meter*2/500."},
    {OPT_METER, ON_WRITERS | ON_COST, "meter", 0, "EXPR", NULL, "64", "What meter is in --scale: how many units make a metre."},
    {OPT_BVH, ON_CONVERT | ON_GLTF_TO_T3D, "bvh", 0, NULL, NULL, NULL, "Give a T3DM model a tree of boxes, for culling."},
    {OPT_ROM_PATH, ON_CONVERT, "rom-path", 0, "PATH", NULL, "rom:/OUT",
     "Where the T3DM model will be on the console; its streams are looked for beside it."},
    {OPT_ORDER, ON_CONVERT | ON_COST | ON_GLTF_TO_T3D, "order", 0, "KIND", object_orders, "auto",
     "In which order a T3DM model draws: by name with blended objects last, as they come, or opaque, cut out, decal and "
     "blended ones by material; auto is as they come from T3DM, otherwise by name."},
    {OPT_AXES, ON_WRITERS, "axes", 0, "X,Y,Z", NULL, "x,y,z",
     "Which axes of IN become x, y and z of a Model; a minus in front mirrors: z,x,y or -x,z,y."},
    {OPT_FPS, ON_WRITERS, "fps", 0, "N", NULL, "that of IN up to 60, or 24",
     "How many frames a Model gets for each second of a clip that moves nodes; in other formats, how many keys."},
    {OPT_CLIP, ON_CONVERT | ON_GLTF_TO_T3D, "clip", 0, "NAME[@FROM-TO]", NULL, "all",
     "Write only that clip, named or numbered, or the part between two moments in seconds; may be repeated."},
    {OPT_ANIM_ERROR, ON_CONVERT | ON_GLTF_TO_T3D | ON_OPTIMIZE, "anim-error", 0, "UNITS", NULL, "as good as Tiny3D's converter",
     "Leave keys of a T3DM model out as long as no vertex is further off than this, in units of the file, as the console "
     "plays it; tells what was reached for each clip."},
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
    {OPT_COMPRESS, ON_CONVERT | ON_OPTIMIZE, "compress", 0, "LEVEL", levels, NULL,
     "Compress OUT as an asset of libdragon; level 1 is LZ4. Streams stay as they are."},
    {OPT_DCA, ON_CONVERT | ON_OPTIMIZE, "dca", 0, "VERSION", containers, "3",
     "The container to --compress into: 5 for a libdragon of 2026 or later, 3 for an older one."},
    {OPT_DECOMPRESS, ON_CONVERT, "decompress", 0, NULL, NULL, NULL,
     "Write a compressed input uncompressed, which every libdragon loads."},
    {OPT_STRICT, ON_CONVERT, "strict", 0, NULL, NULL, NULL,
     "Fail, and write nothing, when there is a warning: something would be lost. Notes do not count."},

    {OPT_BASE_SCALE, ON_GLTF_TO_T3D, "base-scale", 0, "N", NULL, "64",
     "How many units of the console make one of the model; fractions are fine."},
    {OPT_ROM_ROOT, ON_GLTF_TO_T3D, "rom-root", 0, "DIR", NULL, "what ends in filesystem/ in OUT",
     "The folder that becomes rom:/ on the console: says where streams will be found there."},
    {OPT_DEPFILE, ON_GLTF_TO_T3D, "depfile", 0, "FILE", NULL, NULL,
     "Write a rule for make that names what OUT was made from. -MF FILE is the same; -MD writes OUT with .d at its "
     "end."},
    {OPT_STRICT, ON_GLTF_TO_T3D, "strict", 0, NULL, NULL, NULL, "Fail, and write nothing, when there is a warning; notes do not count."},

    {OPT_LEVEL, ON_OPTIMIZE, "level", 'O', "LEVEL", efforts, "2",
     "How much work goes into it: 1 is quick, 3 takes its time. The result is the same on every machine."},
    {OPT_LEVEL, ON_CONVERT | ON_COST | ON_GLTF_TO_T3D, "level", 'O', "LEVEL", efforts, "1",
     "How much work goes into the loads and strips of a T3DM model: 1 is quick, 3 takes its time."},
    {OPT_RESIDENT, ON_OPTIMIZE | ON_COST | ON_CONVERT | ON_GLTF_TO_T3D, "resident", 0, NULL, NULL, NULL,
     "Let a part of a T3DM object draw with vertices that earlier parts have loaded: the console can, but game code that "
     "walks through the parts by itself may not expect it."},
    {OPT_SORT_MATERIALS, ON_OPTIMIZE, "sort-materials", 0, NULL, NULL, NULL,
     "Let objects of a T3DM model that share a material follow each other, so that it changes less often; nothing moves "
     "past a blended object. A game that takes objects by number sees other numbers."},
    {OPT_UNUSED_ATTRIBUTES, ON_OPTIMIZE | ON_COST | ON_CONVERT | ON_GLTF_TO_T3D, "unused-attributes", 0, "FATE", fates, "keep",
     "What a T3DM material cannot show (texture coordinates without a texture, normals without light, colours without "
     "shade): drop merges vertices that differ in nothing else. The game must not change materials then."},
    {OPT_SIMPLIFY, ON_OPTIMIZE, "simplify", 0, "AMOUNT", NULL, NULL,
     "Leave triangles out: 0.5 keeps half of them, error=0.01 stays within a hundredth of the size of each mesh, "
     "0.5,error=0.01 is both. Edges where meshes meet stay."},
    {OPT_DRY_RUN, ON_OPTIMIZE, "dry-run", 'n', NULL, NULL, NULL, "Tell what would be gained, and write nothing; OUT may be left out."},

    {OPT_TEXTURES, ON_EXTRACT, "textures", 0, NULL, NULL, NULL, "Write the embedded images out as they are."},
    {OPT_STREAMS, ON_EXTRACT, "streams", 0, NULL, NULL, NULL,
     "Write the streams of keys of a T3DM model, decompressed, under their own names."},
    {OPT_OUTPUT, ON_EXTRACT, "output", 'o', "DIR", NULL, ".", "Where to; the directory is made when it is missing."},
    {OPT_FORCE, ON_EXTRACT, "force", 'f', NULL, NULL, NULL, "Overwrite files that exist."},

    {OPT_REFERENCE, ON_FORMATS, "reference", 0, "FORMAT", NULL, NULL, "Print the format's reference as Markdown."},

    {OPT_AS, ON_COST, "as", 0, "FORMAT", NULL, NULL,
     "Tell what the model would cost in that format: it is converted in memory, and nothing is written."},
    {OPT_COMPARE, ON_COST, "compare", 0, "OTHER", NULL, NULL, "Print the figures of both models, and their ratio."},
    {OPT_BUDGET, ON_COST, "budget", 0, "FILE", NULL, NULL,
     "Fail when a figure is above its limit in that file, which has lines such as \"microseconds 4000\", or is a JSON "
     "object of them. Several models are added up."},
    {OPT_PER_FRAME, ON_COST, "per-frame", 0, "N", NULL, "1", "How many instances of each model are drawn in a frame."},
    {OPT_FILL, ON_COST, "fill", 0, "PERCENT", NULL, NULL,
     "How much of the screen the model covers, above 100 when it covers itself: estimates what the pixels cost."},
    {OPT_SCREEN, ON_COST, "screen", 0, "SIZE", NULL, "320x240", "The size of the screen that --fill is about."},
    {OPT_LIMIT, ON_COST, "limit", 'n', "N", NULL, "16", "Show at most N rows of each table; all shows everything."},

    {OPT_OUTPUT, ON_RENDER, "output", 'o', "OUT", NULL, NULL,
     "The picture to write: .png, or .gif and .apng, which move; - is a PNG on standard output."},
    {OPT_SHEET, ON_RENDER, "sheet", 0, "OUT", NULL, NULL,
     "Draw all models into one picture, with their names under them; 160x120 each."},
    {OPT_ANSI, ON_RENDER, "ansi", 0, NULL, NULL, NULL,
     "Show the picture in the terminal, which needs 24-bit colours; 80x60, clean, if nothing else is said."},
    {OPT_SIZE, ON_RENDER, "size", 0, "WxH", NULL, "320x240; 640x480 for clean", "How large the picture is, in pixels."},
    {OPT_LOOK, ON_RENDER, "look", 0, "LOOK", looks, "n64",
     "As the console shows it, 5 bits a colour with its dither, or clean, with 8 bits and smooth edges."},
    {OPT_SAMPLES, ON_RENDER, "samples", 0, "N", NULL, "2", "Of the clean look, along each side of a pixel, up to 8."},
    {OPT_VIEW, ON_RENDER, "view", 0, "VIEW", views, NULL,
     "From where the model is seen; all of it is, and all that its clip moves it to."},
    {OPT_AZIMUTH, ON_RENDER, "azimuth", 0, "DEGREES", NULL, "30", "0 is from the front (+z), 90 from +x."},
    {OPT_ELEVATION, ON_RENDER, "elevation", 0, "DEGREES", NULL, "15", "0 is level, 90 from above."},
    {OPT_FOV, ON_RENDER, "fov", 0, "DEGREES", NULL, "45", "The angle between the lower and the upper edge."},
    {OPT_CAMERA, ON_RENDER, "camera", 0, "X,Y,Z[,X,Y,Z]", NULL, NULL,
     "Where the camera stands, and what it looks at (the middle of the model), in units of the file."},
    {OPT_BACKGROUND, ON_RENDER, "background", 0, "COLOR", NULL, "#303842", "#rgb, #rrggbb or #rrggbbaa; none is clear."},
    {OPT_LIGHT, ON_RENDER, "light", 0, "LIGHT", NULL, "from the upper left of the camera",
     "AZIMUTH,ELEVATION[,COLOR] from where it shines, or ambient,COLOR; may be repeated."},
    {OPT_FOG, ON_RENDER, "fog", 0, "BEGIN,END[,COLOR]", NULL, "none",
     "Fog, in units of the model away from the camera, for materials that want it."},
    {OPT_CLIP, ON_RENDER, "clip", 0, "NAME", NULL, "the pose of rest; the first, for what moves",
     "The clip to show, named or numbered."},
    {OPT_TIME, ON_RENDER, "time", 0, "SECONDS", NULL, "0", "The moment of the clip."},
    {OPT_FRAMES, ON_RENDER, "frames", 0, "N", NULL, "its length times --fps",
     "How many frames the clip, or the turn, is shown in; with a .png, numbered ones: hero-000.png."},
    {OPT_FPS, ON_RENDER, "fps", 0, "N", NULL, "25", "Frames a second of what moves."},
    {OPT_TURNTABLE, ON_RENDER, "turntable", 0, NULL, NULL, NULL, "Turn the model round once; what moves without a clip does so too."},
    {OPT_WIREFRAME, ON_RENDER, "wireframe", 0, NULL, NULL, NULL, "Draw the edges of the triangles over them."},
    {OPT_BONES, ON_RENDER, "bones", 0, NULL, NULL, NULL, "Draw the bones over the model."},
    {OPT_NORMALS, ON_RENDER, "normals", 0, NULL, NULL, NULL, "Draw the normals of the vertices."},
    {OPT_BVH, ON_RENDER, "bvh", 0, NULL, NULL, NULL, "Draw the boxes of the model's own tree."},
    {OPT_PARTS, ON_RENDER, "parts", 0, NULL, NULL, NULL,
     "Draw the triangles of each vertex load of a T3DM model in a colour of their own: how the console draws it."},
    {OPT_UV, ON_RENDER, "uv", 0, NULL, NULL, NULL,
     "Draw the triangles of each material in the space of its texture instead."},
    {OPT_TEXTURES, ON_RENDER, "textures", 0, "DIR", NULL, NULL,
     "Where to look for textures first: sprites, or the images that they are made from. Then beside the model and in the "
     "folder of assets. What is missing is drawn as a checkerboard."},

    {OPT_FROM, ON_READERS, "from", 0, "FORMAT", NULL, "by content", "The format of the input."},
    {OPT_TOPOLOGY, ON_DECODERS, "topology", 0, "KIND", topologies, "guess",
     "What the indices of an NLM file form, which the file does not say."},
    {OPT_NLM_QUAT, ON_INFO | ON_DUMP | ON_CONVERT | ON_OPTIMIZE | ON_RENDER, "nlm-quat", 0, "ORDER", orders, "xyzw",
     "How an NLM file stores its rotations; wxyz is to the letter of the published document."},
    {OPT_MODEL64_COLORS, ON_DECODERS, "model64-colors", 0, "KIND", vertex_colors, "auto",
     "What the last bytes of a vertex of a Model are, which the file does not say; convert reads and writes it so."},
    {OPT_TEXCOORD_BITS, ON_DECODERS, "texcoord-bits", 0, "N", NULL, "11",
     "A texture coordinate of 1 is 2 to the power of N in a Model, which the file does not say; 11 is for a texture of "
     "32 texels."},
    {OPT_ASSET_PATH, ON_DECODERS | ON_GLTF_TO_T3D, "asset-path", 0, "DIR", NULL, "assets",
     "Where textures are looked for that a glTF file with Fast64 materials names, when they are not beside it; becomes "
     "rom:/ on the console. From T3DM, the images of its sprites are looked for there."},
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
