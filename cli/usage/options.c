#include "usage/options.h"

#include "trilobite/error.h"
#include "trilobite/format.h"

#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {"man", "markdown", "bash", "zsh", "fish", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const headers[] = {"12", "16", NULL};
static const char *const orders[] = {"xyzw", "wxyz", NULL};
static const char *const versions[] = {"1", "2", "3", "4", NULL};
static const char *const levels[] = {"1", NULL};
static const char *const color_depths[] = {"16", "32", NULL};
static const char *const trilinears[] = {"auto", "off", NULL};
static const char *const efforts[] = {"1", "2", "3", NULL};
static const char *const unused[] = {"keep", "repeats", "drop", NULL};
static const char *const containers[] = {"3", "5", NULL};

static const char *const texel_names[] = {"name", "auto", "rgba32", "rgba16", "ci8", "ci4", "ia16",
                                          "ia8",  "ia4",  "i8",     "i4",     "ihq", "shq", NULL};
static const char *const fits[] = {"report", "resize", "split", NULL};

/* In the order of the library's values. */
static const char *const targets[] = {"libdragon-2026", "libdragon-2024", NULL};
static const char *const texel_dithers[] = {"none", "ordered", "floyd-steinberg", NULL};
static const char *const topologies[] = {"guess", "triangles", "lines", NULL};
static const char *const vertex_colors[] = {"auto", "rgba", "normals", "none", NULL};
static const char *const times[] = {"auto", "fraction", "seconds", NULL};
static const char *const layers[] = {"opaque", "transparent", NULL};
static const char *const antialiases[] = {"auto", "off", "standard", NULL};
static const char *const dithers[] = {"auto", "off", "square", "bayer", NULL};
static const char *const looks[] = {"n64", "clean", "tv", NULL};
static const char *const lighting_modes[] = {"multiply", "add", NULL};
static const char *const video_filters[] = {"antialias", "dedither", "resample", NULL};
static const char *const views[] = {"front", "side", "top", "iso", NULL};
static const char *const profiles[] = {"none", "thornmarked", NULL};
static const char *const write_profiles[] = {"auto", "tiny3d", "lossless", "best", NULL};
static const char *const no_materials[] = {"draw", "skip", NULL};
static const char *const mirrored_windings[] = {"fix", "keep", NULL};
static const char *const material_kinds[] = {"auto", "tiny3d", "pyrite64", NULL};
static const char *const object_orders[] = {"auto", "name", "file", "layer", NULL};

/* The first of each is what Tiny3D's own converter does. */
static const char *const gammas[] = {"power", "srgb", NULL};
static const char *const cutouts[] = {"reference", "half", NULL};
static const char *const languages[] = {"markdown", "ksy", "hexpat", NULL};
static const char *const lightings[] = {"reference", "fast64", NULL};

/* An option has two rows if it is rare in some of its commands. */
/* clang-format off */
static const cli_option options[] = {
    {OPT_ALLOW, ON_CHECK | ON_CONVERT | ON_GLTF_TO_T3D, "allow", 0, "CODE", NULL, NULL,
     "Ignore findings with this code; may be repeated. --allow MODEL-EMPTY also converts a model without anything to "
     "draw."},
    {OPT_WARN, ON_CHECK | ON_CONVERT | ON_GLTF_TO_T3D | RARE, "warn", 0, "CODE", NULL, NULL,
     "Treat findings with this code as warnings; may be repeated."},
    {OPT_DENY, ON_CHECK | ON_CONVERT | ON_GLTF_TO_T3D, "deny", 0, "CODE", NULL, NULL,
     "Treat findings with this code as errors: nothing is written then; may be repeated."},
    {OPT_STRICT, ON_CHECK, "strict", 0, NULL, NULL, NULL, "Warnings fail the check too."},
    {OPT_EXPLAIN, ON_CHECK, "explain", 0, "CODE", NULL, NULL,
     "Print the cause of a finding and how to fix it."},
    {OPT_CODES, ON_CHECK, "codes", 0, NULL, NULL, NULL, "Print the documentation of all codes as Markdown."},
    {OPT_PROFILE, ON_CHECK, "profile", 0, "PROGRAM", profiles, "none",
     "Also check the limits of a program: thornmarked is the game that the Model format was made for."},

    {OPT_FOR, ON_CHECK, "for", 0, "FORMAT", NULL, NULL,
     "Also try to convert the file to this format, and report what would be lost or would fail; nothing is written. "
     "Accepts the options of convert that affect the result."},

    {OPT_MATERIALS, ON_INFO, "materials", 0, NULL, NULL, NULL,
     "Also describe each material in words."},

    {OPT_CLIPS, ON_INFO, "clips", 0, NULL, NULL, NULL,
     "Also print length, channels, keys and bytes of each clip (for T3DM, of the stream and the table), and how far a "
     "vertex of a T3DM clip is from its source at worst, when, and which bone it follows; see --source."},
    {OPT_SOURCE, ON_INFO, "source", 0, "FILE", NULL, "a .glb or .gltf of the same name beside the file, or in assets/ for filesystem/",
     "With --clips: the model that a T3DM file was converted from, to measure the error of its clips."},

    {OPT_ANSI, ON_INFO, "ansi", 0, NULL, NULL, NULL,
     "Also show the textures in the terminal, which must support 24-bit colours; sprites are searched for beside the model."},

    {OPT_LIMIT, ON_DUMP, "limit", 0, "N", NULL, "all", "Show at most N elements of each list."},
    {OPT_BLOBS, ON_DUMP, "blobs", 0, NULL, NULL, NULL,
     "Show embedded data in full, in hexadecimal."},
    {OPT_POSE, ON_DUMP, "pose", 0, "CLIP@SECONDS", NULL, NULL,
     "Print the transform of every node, and the current frame, at a time of a clip, given by name or number; \"rest\" "
     "is the rest pose."},
    {OPT_SMOOTH, ON_DUMP, "smooth", 0, NULL, NULL, NULL,
     "With --pose: interpolate rotations with slerp, and interpolate between the two nearest frames of a Model. By "
     "default a T3DM clip is sampled as the console does it, in single precision (nlerp, ticks of 1/60 s), and a Model "
     "shows the latest frame, as in the game."},
    {OPT_TRIANGLES, ON_DUMP, "triangles", 0, NULL, NULL, NULL,
     "Print the triangles or lines that are drawn, with all vertex attributes; with --pose, in that pose."},

    {OPT_TO, ON_CONVERT, "to", 0, "FORMAT", NULL, "by the extension of OUT", "The format to write."},
    {OPT_REENCODE, ON_CONVERT | RARE, "reencode", 0, NULL, NULL, NULL,
     "Convert through the neutral model even if the file could be rewritten byte for byte."},
    {OPT_RESTORE_SIZE, ON_WRITERS | RARE, "restore-size", 0, NULL, NULL, NULL,
     "Undo the scaling into a unit box: restore the size of the source."},
    {OPT_NORMALIZE, ON_WRITERS | RARE, "normalize", 0, NULL, NULL, NULL,
     "Scale the geometry into a unit box around the origin, and store the original size."},
    {OPT_DROP_TEXTURES, ON_WRITERS, "drop-textures", 0, NULL, NULL, NULL,
     "Remove the textures."},
    {OPT_REPLACE_TEXTURE, ON_CONVERT | RARE, "replace-texture", 0, "IMAGE", NULL, NULL,
     "Replace every embedded texture with this PNG or JPEG file."},
    {OPT_NLM_HEADER, ON_CONVERT | RARE, "nlm-header", 0, "SIZE", headers, "16",
     "The NLM header to write; 12 is the older one, which stores its hash in the companion file OUT.hash."},
    {OPT_T3DM_VERSION, ON_WRITERS, "t3dm-version", 0, "VERSION", versions, "that of IN, or 4",
     "The T3DM version to write; each release of Tiny3D loads only its own version."},
    {OPT_SCALE, ON_WRITERS | ON_COST, "scale", 0, "EXPR", NULL, "64, or 1 from T3DM and Model",
     "Scale factor for positions, which T3DM and Model store as integers. An expression with + - * / ( ) and the name "
     "meter, such as meter*2/500."},
    {OPT_METER, ON_WRITERS | ON_COST | RARE, "meter", 0, "EXPR", NULL, "64",
     "The value of meter in --scale: units per meter."},
    {OPT_BVH, ON_CONVERT | ON_GLTF_TO_T3D, "bvh", 0, NULL, NULL, NULL,
     "Add a BVH to a T3DM model, for culling."},
    {OPT_ROM_PATH, ON_CONVERT | RARE, "rom-path", 0, "PATH", NULL, "rom:/OUT",
     "The path of the T3DM model on the console; its streams are loaded from the same folder."},
    {OPT_ORDER, ON_CONVERT | ON_COST | ON_GLTF_TO_T3D, "order", 0, "KIND", object_orders, "auto",
     "Draw order of a T3DM model: by name with blended objects last, as in the file, or by layer (opaque, cutout, "
     "decal, blended) and material; auto keeps the order of a T3DM input and otherwise sorts by name."},
    {OPT_MATERIALS_OF, ON_WRITERS | RARE, "engine", 0, "ENGINE", material_kinds, "auto",
     "The materials of a T3DM model: tiny3d, or pyrite64, whose textures are numbers of the table filesystem/p64/a in a "
     "folder above IN; auto keeps those of IN and otherwise writes tiny3d."},
    {OPT_AXES, ON_WRITERS | RARE, "axes", 0, "X,Y,Z", NULL, "x,y,z",
     "The axes of IN that become x, y and z of a Model; a minus sign mirrors: z,x,y or -x,z,y."},
    {OPT_FPS, ON_WRITERS, "fps", 0, "N", NULL, "that of IN up to 60, or 24",
     "Sampling rate of clips: frames per second of a Model, keyframes per second in other formats."},
    {OPT_CLIP, ON_CONVERT | ON_GLTF_TO_T3D, "clip", 0, "NAME[@FROM-TO]", NULL, "all",
     "Write only this clip, by name or number, or a range of it in seconds; may be repeated."},
    {OPT_ANIM_ERROR, ON_CONVERT | ON_GLTF_TO_T3D | ON_OPTIMIZE, "anim-error", 0, "UNITS|N%", NULL, "the accuracy of Tiny3D's converter",
     "Remove keyframes of a T3DM model as long as no vertex moves further than this, in units of the file or percent of "
     "the model's size (the diagonal of its bounding box), as played on the console; prints the error reached for each "
     "clip."},
    {OPT_MERGE_MATERIALS, ON_WRITERS | RARE, "merge-materials", 0, NULL, NULL, NULL,
     "If there are more than 4 materials, let them share the slots of a Model instead of failing."},
    {OPT_MAX_FRAME_VERTICES, ON_WRITERS | RARE, "max-frame-vertices", 0, "N", NULL, "320",
     "The largest number of vertices in a frame of a Model: the game has room for 320; any means no limit."},
    {OPT_MODEL64_TIME, ON_CONVERT | RARE, "model64-time", 0, "KIND", times, "auto",
     "How times are stored in a Model: as a fraction of the clip, which the game expects, or in seconds; auto keeps "
     "those of a Model input and otherwise writes fractions."},
    {OPT_PLAIN, ON_CONVERT | RARE, "plain", 0, NULL, NULL, NULL,
     "Omit Trilobite's own data from a glTF file: the N64 state in extras."},
    {OPT_EXTERNAL_IMAGES, ON_CONVERT | RARE, "external-images", 0, NULL, NULL, NULL,
     "Write the images of a glTF file to separate files."},
    {OPT_COMPRESS, ON_CONVERT | ON_OPTIMIZE, "compress", 0, "LEVEL", levels, NULL,
     "Compress OUT as a libdragon asset; level 1 is LZ4. Streams are not compressed."},
    {OPT_DCA, ON_CONVERT | ON_OPTIMIZE | RARE, "dca", 0, "VERSION", containers, "3",
     "The container version for --compress: 5 for libdragon of 2026 or later, 3 for older ones."},
    {OPT_DECOMPRESS, ON_CONVERT | RARE, "decompress", 0, NULL, NULL, NULL,
     "Write a compressed input uncompressed, which every libdragon can load."},
    {OPT_STRICT, ON_CONVERT | ON_GLTF_TO_T3D, "strict", 0, NULL, NULL, NULL,
     "Fail and write nothing if there is a warning, that is, if something would be lost. Notes do not count."},

    {OPT_OUTPUT, ON_CONVERT, "output", 'o', "OUT", NULL, "output of the project file",
     "Where to write: a file for one model, as the operand OUT, or a folder for all. The folder gets all models of the "
     "folders and files that are given, with the same folders below it. Only what changed is converted."},
    {OPT_OUTPUT, ON_OPTIMIZE | ON_GLTF_TO_T3D, "output", 'o', "OUT", NULL, NULL, "The same as the operand OUT."},
    {OPT_JOBS, ON_CONVERT, "jobs", 'j', "N", NULL, "one for each processor",
     "How many models to convert at once; the result is the same."},
    {OPT_KEEP_GOING, ON_CONVERT, "keep-going", 'k', NULL, NULL, NULL,
     "Convert the other models of a folder too when one fails."},
    {OPT_DRY_RUN, ON_CONVERT, "dry-run", 'n', NULL, NULL, NULL,
     "Print what would be converted and removed, and do nothing; exit code 1 if there is anything to do."},
    {OPT_REBUILD, ON_CONVERT, "rebuild", 'B', NULL, NULL, NULL, "Convert everything, whether it changed or not."},
    {OPT_PRUNE, ON_CONVERT, "prune", 0, NULL, NULL, NULL,
     "Remove files that an earlier run wrote and that no longer belong to any model; without it they are listed. Files that "
     "were changed since then are kept."},
    {OPT_WATCH, ON_CONVERT, "watch", 'w', NULL, NULL, NULL,
     "Convert again whenever a file changes, until interrupted; failures are shown and do not end it."},
    {OPT_MANIFEST, ON_CONVERT | RARE, "manifest", 0, "FILE", NULL, "DIR.manifest",
     "The file that records what the outputs in DIR were made from. It must not be in DIR if DIR goes into a ROM."},
    {OPT_NINJA, ON_CONVERT | RARE, "ninja", 0, "FILE", NULL, NULL,
     "Write the conversions as a build file of Ninja, instead of running them; - is standard output."},
    {OPT_SHARD, ON_CONVERT | RARE, "shard", 0, "K/N", NULL, NULL,
     "Convert only the K-th of N parts of the models. The hash of its content decides which part a model is in."},
    {OPT_PROJECT, (ON_COMMANDS & ~(unsigned)(ON_INIT | ON_FORMATS)) | RARE, "project", 0, "FILE", NULL,
     "the nearest trilobite.toml above IN", "The project file with options, budgets and severities; none ignores project files."},

    {OPT_TOLERANCE, ON_DIFF, "tolerance", 0, "UNITS", NULL, "0, or 1/64 meter between formats",
     "Ignore distances up to this, in units of A."},
    {OPT_IMAGE, ON_DIFF, "image", 0, "FILE", NULL, NULL,
     "Write a picture of both models and of the difference of their pixels, as PNG."},

    {OPT_BASE_SCALE, ON_GLTF_TO_T3D, "base-scale", 0, "N", NULL, "64",
     "Scale factor: units on the console per unit of the model. Fractions are allowed."},
    {OPT_ROM_ROOT, ON_GLTF_TO_T3D, "rom-root", 0, "DIR", NULL, "the part of OUT up to filesystem/",
     "The folder that becomes rom:/ on the console; it determines the paths of streams."},
    {OPT_DEPFILE, ON_CONVERT | ON_GLTF_TO_T3D | RARE, "depfile", 0, "FILE", NULL, NULL,
     "Write a make rule that lists what OUT was made from. -MF FILE is the same; -MD replaces the extension of OUT "
     "with .d."},

    {OPT_LEVEL, ON_OPTIMIZE, "level", 'O', "LEVEL", efforts, "2",
     "Optimization effort: 1 is fast, 3 searches longest. The result is the same on every machine."},
    {OPT_LEVEL, ON_CONVERT | ON_COST | ON_GLTF_TO_T3D, "level", 'O', "LEVEL", efforts, "1",
     "Effort spent on the vertex batches and strips of a T3DM model: 1 is fast, 3 searches longest."},
    {OPT_RESIDENT, ON_OPTIMIZE | ON_COST | ON_CONVERT | ON_GLTF_TO_T3D | RARE, "resident", 0, NULL, NULL, NULL,
     "Let a part of a T3DM object draw with vertices that earlier parts loaded. The console supports this, but game "
     "code that walks through the parts itself may not expect it."},
    {OPT_SHARE_VERTICES, ON_OPTIMIZE | ON_CONVERT | ON_GLTF_TO_T3D | RARE, "share-vertices", 0, NULL, NULL, NULL,
     "Let objects of a T3DM model share equal vertices: a smaller file, but a game that changes the vertices of one "
     "object then changes the other too."},
    {OPT_SKIN_FIT, ON_CONVERT | ON_GLTF_TO_T3D | RARE, "skin-fit", 0, NULL, NULL, NULL,
     "Bind each vertex of a smooth skin to the bone and the position that keep it nearest to the blended skin over all "
     "clips, instead of to its strongest bone. The error before and after is reported."},
    {OPT_HELPER_BONES, ON_CONVERT | ON_GLTF_TO_T3D | RARE, "helper-bones", 0, "N", NULL, NULL,
     "With --skin-fit, which it implies: add up to N bones (at most 255), each halfway between two bones whose vertices "
     "follow both, where they reduce the error most. Each costs a matrix, and keys in the clips; bones after it get other "
     "numbers."},
    {OPT_NO_MATERIAL, ON_CONVERT | RARE, "no-material", 0, "WHAT", no_materials, "draw",
     "Meshes without a material: draw them with a plain white one, or skip them, as Tiny3D's converter does."},
    {OPT_NO_MATERIAL, ON_GLTF_TO_T3D | RARE, "no-material", 0, "WHAT", no_materials, "skip",
     "Meshes without a material: draw them with a plain white one, or skip them, as Tiny3D's converter does."},
    {OPT_MIRRORED, ON_CONVERT | ON_GLTF_TO_T3D | RARE, "mirrored", 0, "WHAT", mirrored_windings, "fix",
     "Triangles of nodes with a negative scale: fix reverses them, so that they face as in glTF; keep leaves them as "
     "Tiny3D's converter does."},
    {OPT_WRITE_PROFILE, ON_CONVERT | RARE, "write-profile", 0, "NAME", write_profiles, "auto",
     "How to encode what no other option decides: tiny3d as Tiny3D's converter does, lossless with order, values, "
     "materials, bones and keys unchanged, best like tiny3d but with nearest values and objects by layer. auto is lossless "
     "if the format stays the same, and tiny3d from glTF to T3DM."},
    {OPT_SORT_MATERIALS, ON_OPTIMIZE, "sort-materials", 0, NULL, NULL, NULL,
     "Group the objects of a T3DM model by material, to reduce material changes; nothing moves past a blended object. "
     "Object indices change."},
    {OPT_UNUSED_ATTRIBUTES, ON_OPTIMIZE | ON_COST | ON_CONVERT | ON_GLTF_TO_T3D | RARE, "unused-attributes", 0, "WHAT", unused, "keep",
     "Vertex attributes that a T3DM material cannot show: repeats merges vertices that differ only by whole repeats of "
     "a texture, drop also those that differ in texture coordinates without a texture, normals without lighting or "
     "colours without shade. With repeats, the game must not change the size or wrapping of textures; with drop, it must "
     "not change materials at all."},
    {OPT_SIMPLIFY, ON_OPTIMIZE, "simplify", 0, "AMOUNT", NULL, NULL,
     "Remove triangles: 0.5 keeps half of them, error=0.01 allows an error of 1 % of the size of each mesh, "
     "0.5,error=0.01 combines both. Borders between meshes are kept."},
    {OPT_DRY_RUN, ON_OPTIMIZE, "dry-run", 'n', NULL, NULL, NULL,
     "Print the savings and write nothing; OUT may be omitted."},

    {OPT_TEXTURES, ON_EXTRACT, "textures", 0, NULL, NULL, NULL,
     "Write the embedded images, byte for byte."},
    {OPT_STREAMS, ON_EXTRACT, "streams", 0, NULL, NULL, NULL,
     "Write the animation streams of a T3DM model, decompressed, under their own names."},
    {OPT_OUTPUT, ON_EXTRACT, "output", 'o', "DIR", NULL, ".",
     "The directory to write to; it is created if needed."},
    {OPT_OUTPUT, ON_MATERIALS, "output", 'o', "FILE", NULL, "beside the model",
     "The file to write; - is standard output."},
    {OPT_FORCE, ON_EXTRACT | ON_INIT | ON_MATERIALS, "force", 'f', NULL, NULL, NULL, "Overwrite files that exist."},

    {OPT_REFERENCE, ON_FORMATS, "reference", 0, "FORMAT", NULL, NULL, "Print the format's reference."},

    {OPT_LANGUAGE, ON_FORMATS, "language", 0, "LANGUAGE", languages, "markdown",
     "With --reference: markdown, ksy for Kaitai Struct, or hexpat for ImHex (untested)."},

    {OPT_AS, ON_COST, "as", 0, "FORMAT", NULL, NULL,
     "Print the cost of the model in this format: it is converted in memory, nothing is written."},
    {OPT_COMPARE, ON_COST, "compare", 0, "OTHER", NULL, NULL, "Print the figures of both models, and their ratio."},
    {OPT_BUDGET, ON_COST, "budget", 0, "FILE", NULL, NULL,
     "Fail if a figure exceeds its limit in this file, which has lines such as \"microseconds 4000\", or is a JSON "
     "object. The figures of several models are summed."},
    {OPT_PER_FRAME, ON_COST, "per-frame", 0, "N", NULL, "1",
     "Number of instances of each model in a frame."},
    {OPT_FILL, ON_COST, "fill", 0, "PERCENT", NULL, NULL,
     "How much of the screen the model covers, more than 100 with overdraw: estimates the cost of pixels."},
    {OPT_SCREEN, ON_COST, "screen", 0, "SIZE", NULL, "320x240",
     "Screen size for --fill."},
    {OPT_LIMIT, ON_COST, "limit", 0, "N", NULL, "16", "Show at most N rows of each table; all shows everything."},

    {OPT_OUTPUT, ON_RENDER, "output", 'o', "OUT", NULL, NULL,
     "The image to write: .png, or animated .gif and .apng; - writes a PNG to standard output."},
    {OPT_SHEET, ON_RENDER, "sheet", 0, "OUT", NULL, NULL,
     "Draw all models into one contact sheet with their names, 160x120 each."},
    {OPT_ANSI, ON_RENDER, "ansi", 0, NULL, NULL, NULL,
     "Show the picture in the terminal, which must support 24-bit colours; 80x60 and clean by default."},
    {OPT_SIZE, ON_RENDER, "size", 0, "WxH", NULL, "320x240; 640x480 for tv and clean",
     "Size of the image in pixels."},
    {OPT_LOOK, ON_RENDER, "look", 0, "LOOK", looks, "n64; tv for GIFs",
     "n64, the colour buffer as the console draws it, tv, what the player sees of it, or clean, 8 bits per channel and "
     "anti-aliased. tv goes through the console's video filter, each pixel 2 by 2."},
    {OPT_DRAW_LAYER, ON_RENDER | RARE, "draw-layer", 0, "LAYER", layers, "opaque",
     "The draw layer of the scene, for materials of Pyrite64: it sets blending and depth where they do not."},
    {OPT_ANTIALIAS, ON_RENDER | RARE, "antialias", 0, "MODE", antialiases, "auto",
     "The RDP's anti-aliasing at the start of the frame; auto: standard, but off for materials of Pyrite64, as in "
     "that engine."},
    {OPT_DITHER, ON_RENDER | RARE, "rdp-dither", 0, "MATRIX", dithers, "auto",
     "The RDP's dither of colour and alpha at the start of the frame, for the n64 and tv looks; auto: square, but off "
     "for materials of Pyrite64."},
    {OPT_SAMPLES, ON_RENDER | RARE, "samples", 0, "N", NULL, "2",
     "Anti-aliasing samples along each side of a pixel, for the clean look; at most 8."},
    {OPT_VIEW, ON_RENDER, "view", 0, "VIEW", views, NULL,
     "View direction; the camera is placed so that the model, and all of its clip, is in view."},
    {OPT_AZIMUTH, ON_RENDER, "azimuth", 0, "DEGREES", NULL, "30",
     "0 is the front (+z), 90 is +x."},
    {OPT_ELEVATION, ON_RENDER, "elevation", 0, "DEGREES", NULL, "15",
     "0 is level, 90 is from above."},
    {OPT_FOV, ON_RENDER, "fov", 0, "DEGREES", NULL, "45",
     "Vertical field of view."},
    {OPT_CAMERA, ON_RENDER, "camera", 0, "X,Y,Z[,X,Y,Z]", NULL, NULL,
     "Camera position, and the point it looks at (default: the centre of the model), in units of the file."},
    {OPT_BACKGROUND, ON_RENDER, "background", 0, "COLOR", NULL, "#303842",
     "#rgb, #rrggbb or #rrggbbaa; none is transparent."},
    {OPT_LIGHT, ON_RENDER, "light", 0, "LIGHT", NULL, "upper left of the camera",
     "AZIMUTH,ELEVATION[,COLOR] of a directional light, point,X,Y,Z,SIZE[,COLOR][,flat] (flat ignores normals), or "
     "ambient,COLOR; may be repeated."},
    {OPT_FOG, ON_RENDER | RARE, "fog", 0, "BEGIN,END[,COLOR]", NULL, "none",
     "Fog distances in units of the file, as the game passes them to t3d_fog_set_range, for materials that enable fog."},
    {OPT_NEAR, ON_RENDER | RARE, "near", 0, "DISTANCE", NULL, "a twentieth of far, or just in front of the model",
     "Near plane of the camera in units of the file."},
    {OPT_FAR, ON_RENDER | RARE, "far", 0, "DISTANCE", NULL, "just behind the model",
     "Far plane of the camera in units of the file."},
    {OPT_MODEL_SCALE, ON_RENDER | RARE, "model-scale", 0, "S", NULL, "1, or the power of two that suits near and far",
     "The game's scale of the model, for the n64 and tv looks: the camera, near, far, fog and point lights are "
     "multiplied with it before the console rounds them."},
    {OPT_LIGHTING_MODE, ON_RENDER | RARE, "lighting-mode", 0, "MODE", lighting_modes, "multiply",
     "How light and vertex colours are combined, for the n64 and tv looks."},
    {OPT_EXPOSURE, ON_RENDER | RARE, "exposure", 0, "E", NULL, "1",
     "Factor of vertex colours after lighting, for the n64 and tv looks."},
    {OPT_COLOR_DEPTH, ON_RENDER | RARE, "color-depth", 0, "BITS", color_depths, "16",
     "Bits of a pixel in the console's colour buffer, for the n64 and tv looks."},
    {OPT_TRILINEAR, ON_RENDER | RARE, "trilinear", 0, "MODE", trilinears, "auto",
     "auto: trilinear filtering with the mipmaps of sprites that have some, as libdragon turns it on."},
    {OPT_TV_FILTER, ON_RENDER | RARE, "tv-filter", 0, "FILTER", video_filters, "antialias",
     "Filter of the video output, for the tv look: libdragon's FILTERS_RESAMPLE_ANTIALIAS, "
     "FILTERS_RESAMPLE_ANTIALIAS_DEDITHER or FILTERS_RESAMPLE."},
    {OPT_TV_GAMMA, ON_RENDER | RARE, "tv-gamma", 0, NULL, NULL, NULL,
     "Gamma correction of the video output, for the tv look."},
    {OPT_CLIP, ON_RENDER, "clip", 0, "NAME", NULL, "the rest pose; for animations, the first clip",
     "The clip to show, by name or number."},
    {OPT_TIME, ON_RENDER, "time", 0, "SECONDS", NULL, "0",
     "Time in the clip."},
    {OPT_FRAMES, ON_RENDER, "frames", 0, "N", NULL, "length times --fps",
     "Number of frames of an animation or turntable; with a .png, numbered files: hero-000.png. A clip of more than 7200 "
     "frames is drawn only with this option."},
    {OPT_FPS, ON_RENDER, "fps", 0, "N", NULL, "25",
     "Frames per second of an animation."},
    {OPT_SMOOTH, ON_RENDER, "smooth", 0, NULL, NULL, NULL,
     "Interpolate T3DM clips with slerp in double precision, not with the arithmetic of Tiny3D's runtime."},
    {OPT_TURNTABLE, ON_RENDER, "turntable", 0, NULL, NULL, NULL,
     "Rotate the model once; also the default of animated images without a clip."},
    {OPT_WIREFRAME, ON_RENDER, "wireframe", 0, NULL, NULL, NULL,
     "Draw the edges of the triangles on top."},
    {OPT_BONES, ON_RENDER, "bones", 0, NULL, NULL, NULL,
     "Draw the bones on top."},
    {OPT_NORMALS, ON_RENDER, "normals", 0, NULL, NULL, NULL,
     "Draw the vertex normals."},
    {OPT_SHOW_BVH, ON_RENDER, "bvh-boxes", 0, NULL, NULL, NULL,
     "Draw the boxes of the model's BVH."},
    {OPT_PARTS, ON_RENDER, "parts", 0, NULL, NULL, NULL,
     "Draw each vertex batch of a T3DM model in its own colour."},
    {OPT_UV, ON_RENDER, "uv", 0, NULL, NULL, NULL,
     "Draw the triangles of each material in UV space instead."},
    {OPT_TEXTURES_SHEET, ON_RENDER, "textures-sheet", 0, NULL, NULL, NULL,
     "Draw the textures of the model instead, as the console filters them."},
    {OPT_COMPARE_FORMATS, ON_RENDER, "compare-formats", 0, NULL, NULL, NULL,
     "The same with each texture in every texel format beside it, at the size that fits TMEM, with the bytes of the "
     "sprite and its distance from the image (delta E)."},
    {OPT_TEXTURE_PATH, ON_RENDER | ON_VIEW | ON_PAGE | ON_DIFF, "texture-path", 0, "DIR", NULL, NULL,
     "The first folder to search for textures: sprites, or the images they are made from. Then the folder of the model "
     "and the asset folder are searched. A missing texture is drawn as a checkerboard."},

    {OPT_OUTPUT, ON_PAGE, "output", 'o', "OUT", NULL, NULL,
     "The HTML file to write; - is standard output."},
    {OPT_NO_BROWSER, ON_VIEW, "no-browser", 0, NULL, NULL, NULL,
     "Only print the address; do not open it in a browser."},
    {OPT_TEMPLATE, ON_VIEW | ON_PAGE | RARE, "template", 0, "FILE", NULL, "the built-in page",
     "The page to put the models into, such as build/web/trilobite.html."},

    {OPT_SPRITES, ON_CONVERT | ON_GLTF_TO_T3D, "sprites", 0, NULL, NULL, NULL,
     "Also write the sprites of the images that a T3DM model shows, beside it: in the size of the material, in the format "
     "of the name, or the smallest within --texture-error that fits TMEM."},
    {OPT_OUTPUT, ON_SPRITE, "output", 'o', "OUT", NULL, NULL,
     "The file to write, .sprite or .png; with several inputs, the folder."},
    {OPT_TEXELS, ON_SPRITE, "format", 0, "FORMAT", texel_names, "name",
     "The texel format. name: by the name of the image (wall.ci4.png), otherwise by what it stores, as mksprite does; "
     "auto: the smallest one within --texture-error, with the reason; ihq and shq: two images that are drawn over each other."},
    {OPT_TARGET, ON_SPRITE | ON_MKSPRITE, "target", 0, "LIBDRAGON", targets, "libdragon-2026",
     "Which libdragon loads the sprite: version of the header, compression, rules of conversion."},
    {OPT_TARGET, ON_CONVERT | ON_GLTF_TO_T3D | RARE, "target", 0, "LIBDRAGON", targets, "libdragon-2026",
     "Which libdragon loads the sprite: version of the header, compression, rules of conversion."},
    {OPT_SIZE, ON_SPRITE, "size", 0, "WxH", NULL, "that of the image",
     "Resize the image, in linear light and with premultiplied alpha."},
    {OPT_FIT, ON_SPRITE, "fit", 0, "HOW", fits, "report; resize with --format auto",
     "What to do with an image that does not fit TMEM: report it, resize it to the largest size that does, or split it "
     "into pieces with one palette, OUT-0-0.sprite, OUT-0-1.sprite and so on, row and column."},
    {OPT_TOGETHER, ON_SPRITE | RARE, "together", 0, NULL, NULL, NULL,
     "With --format auto: the two images are the textures of one material, and must fit TMEM together. Neither gets a "
     "palette, since Tiny3D loads both palettes to the same place."},
    {OPT_POWER_OF_TWO, ON_SPRITE, "power-of-two", 0, NULL, NULL, NULL,
     "Resize to powers of two, as textures that repeat need."},
    {OPT_TEXTURE_ERROR, ON_SPRITE, "texture-error", 0, "DELTA-E", NULL, "2",
     "When a format is chosen automatically: the largest mean distance from the image, in hundredths of Oklab; 2 is hardly visible."},
    {OPT_TEXTURE_ERROR, ON_CONVERT | ON_GLTF_TO_T3D | RARE, "texture-error", 0, "DELTA-E", NULL, "2",
     "When a format is chosen automatically: the largest mean distance from the image, in hundredths of Oklab; 2 is hardly visible."},
    {OPT_SHARE_PALETTES, ON_SPRITE | ON_CONVERT | ON_GLTF_TO_T3D | RARE, "share-palettes", 0, NULL, NULL, NULL,
     "Let CI4 and CI8 images share palettes where --texture-error allows; the sprites of a group have equal palettes."},
    {OPT_QUALITY, ON_SPRITE | ON_CONVERT | ON_GLTF_TO_T3D | RARE, "quality", 0, NULL, NULL, NULL,
     "Round instead of truncate, with luma as intensity and mipmaps in linear light; never farther from the image."},
    {OPT_TEXEL_DITHER, ON_SPRITE, "dither", 0, "KIND", texel_dithers, "none",
     "Dithering of palettes, and with --quality of all formats."},
    {OPT_TEXEL_DITHER, ON_CONVERT | ON_GLTF_TO_T3D | RARE, "dither", 0, "KIND", texel_dithers, "none",
     "Dithering of palettes, and with --quality of all formats."},
    {OPT_MIPMAPS, ON_SPRITE, "mipmaps", 'm', NULL, NULL, NULL,
     "Make mipmaps, as many as fit TMEM; from a sprite, write its mipmaps too, as OUT-1.png and so on."},
    {OPT_TEXPARMS, ON_SPRITE | ON_MKSPRITE | RARE, "texparms", 0, "X,S,R,M", NULL, NULL,
     "Sampling: translation in texels, scale as a power of two, repetitions or inf, mirror 0 or 1; or each of the four "
     "twice, for S and T: x,x,s,s,r,r,m,m."},
    {OPT_DETAIL, ON_SPRITE | ON_MKSPRITE | RARE, "detail", 0, "[IMAGE[,TEXELS],]FACTOR", NULL, NULL,
     "Add a detail texture: another image, or without one the image itself, and how much of it is mixed in."},
    {OPT_DETAIL_TEXPARMS, ON_SPRITE | ON_MKSPRITE | RARE, "detail-texparms", 0, "X,X,S,S,R,R,M,M", NULL, "0,0,-1,-1,inf,inf,0,0",
     "Sampling of the detail texture."},
    {OPT_HSLICES, ON_SPRITE | RARE, "hslices", 0, "N", NULL, "one for 16 texels", "Number of slices across."},
    {OPT_VSLICES, ON_SPRITE | RARE, "vslices", 0, "N", NULL, "one for 16 texels", "Number of slices down."},
    {OPT_VI_GAMMA, ON_SPRITE | RARE, "vi-gamma", 'g', NULL, NULL, NULL,
     "Convert colours for a game that enables gamma correction of the video output."},
    {OPT_COMPRESS, ON_SPRITE, "compress", 'c', "LEVEL", levels, NULL,
     "Compress the sprite as a libdragon asset; level 1 is LZ4. An uncompressed sprite loads in every libdragon of the target."},

    {OPT_OUTPUT, ON_MKSPRITE, "output", 'o', "DIR", NULL, ".",
     "The folder to write to; it is created if needed."},
    {OPT_TEXELS, ON_MKSPRITE, "format", 'f', "TEXELS", NULL, "AUTO",
     "AUTO, RGBA32, RGBA16, IA16, CI8, I8, IA8, CI4, I4, IA4, IHQ or SHQ; AUTO chooses by the name of the image and by what it stores."},
    {OPT_TEXEL_DITHER, ON_MKSPRITE, "dither", 'D', "KIND", NULL, "NONE",
     "Dithering of palettes: NONE, ORDERED, or RANDOM, which is error diffusion here."},
    {OPT_COMPRESS, ON_MKSPRITE, "compress", 'c', "LEVEL", NULL, "1",
     "Compression: 0 none, 1 LZ4. Levels 2 and 3 are written as 1, with a warning."},
    {OPT_MIPMAPS, ON_MKSPRITE, "mipmap", 'm', "KIND", NULL, "NONE", "Mipmaps: NONE or BOX."},
    {OPT_VI_GAMMA, ON_MKSPRITE | RARE, "gamma", 'g', NULL, NULL, NULL,
     "Convert colours for a game that enables gamma correction of the video output."},
    {OPT_DEBUG, ON_MKSPRITE, "debug", 'd', NULL, NULL, NULL,
     "Also write the image as the console shows it, beside the sprite."},

    {OPT_FROM, ON_READERS | ON_DIFF | RARE, "from", 0, "FORMAT", NULL, "by content", "The format of the input."},
    {OPT_TOPOLOGY, ON_DECODERS | ON_DIFF | RARE, "topology", 0, "KIND", topologies, "guess",
     "What the indices of an NLM file form, which is not stored in the file."},
    {OPT_NLM_QUAT, ON_INFO | ON_DUMP | ON_CONVERT | ON_OPTIMIZE | ON_RENDER | RARE, "nlm-quat", 0, "ORDER", orders, "xyzw",
     "Component order of quaternions in an NLM file; wxyz follows the published document."},
    {OPT_MODEL64_COLORS, ON_DECODERS | ON_DIFF | RARE, "model64-colors", 0, "KIND", vertex_colors, "auto",
     "What the last bytes of a Model vertex are, which is not stored in the file; applies to reading and writing."},
    {OPT_TEXCOORD_BITS, ON_DECODERS | ON_DIFF | RARE, "texcoord-bits", 0, "N", NULL, "11",
     "A texture coordinate of 1 is stored as 2 to the power of N in a Model, which is not stored in the file; 11 suits "
     "a texture of 32 texels."},
    {OPT_ASSET_PATH, ON_DECODERS | ON_DIFF | ON_GLTF_TO_T3D | ON_VIEW | ON_PAGE, "asset-path", 0, "DIR", NULL, "assets",
     "The asset folder, searched for textures that Fast64 materials of a glTF file name if they are not beside the "
     "model; it corresponds to rom:/ on the console. For T3DM, source images of sprites are searched for there."},
    {OPT_GAMMA, ON_DECODERS | ON_GLTF_TO_T3D | RARE, "gamma", 0, "CURVE", gammas, "power",
     "Conversion of linear glTF colours: power 0.4545, as Tiny3D's converter does, or the sRGB curve."},
    {OPT_CUTOUT, ON_DECODERS | ON_DIFF | ON_GLTF_TO_T3D | RARE, "cutout", 0, "KIND", cutouts, "reference",
     "Alpha threshold of Fast64 cutout materials without a blend colour: that colour's alpha, as Tiny3D's converter "
     "does, or one half, as its documentation says."},
    {OPT_LIGHTING, ON_DECODERS | ON_DIFF | ON_GLTF_TO_T3D | RARE, "lighting", 0, "KIND", lightings, "reference",
     "Fast64 materials with lighting disabled: still lit, as Tiny3D's converter does, or unlit."},
    {OPT_IGNORE_MATERIALS, ON_GLTF_TO_T3D, "ignore-materials", 0, NULL, NULL, NULL,
     "Use only the names of the materials of a glTF file."},
    {OPT_IGNORE_MATERIALS, ON_DECODERS | RARE, "ignore-materials", 0, NULL, NULL, NULL,
     "Use only the names of the materials of a glTF file."},
    {OPT_IGNORE_TRANSFORMS, ON_GLTF_TO_T3D, "ignore-transforms", 0, NULL, NULL, NULL,
     "Ignore the transforms of mesh nodes of a glTF file; bones keep theirs."},
    {OPT_IGNORE_TRANSFORMS, ON_DECODERS | RARE, "ignore-transforms", 0, NULL, NULL, NULL,
     "Ignore the transforms of mesh nodes of a glTF file; bones keep theirs."},
    {OPT_ALL_SCENES, ON_DECODERS | ON_GLTF_TO_T3D | RARE, "all-scenes", 0, NULL, NULL, NULL,
     "Convert the nodes of all scenes of a glTF file, not only of the default one."},
    {OPT_NO_SYNC, ON_CONVERT | ON_EXTRACT | ON_GLTF_TO_T3D | ON_OPTIMIZE | RARE, "no-sync", 0, NULL, NULL, NULL,
     "Do not wait until the output is on disk: faster, but it may be lost or empty after a power failure."},
    {OPT_MAX_MEMORY, ON_READERS | ON_DIFF | ON_GLTF_TO_T3D | RARE, "max-memory", 0, "SIZE", NULL, "1G",
     "Refuse files that need more memory; accepts K, M and G."},
    {OPT_MAX_ELEMENTS, ON_READERS | ON_DIFF | ON_GLTF_TO_T3D | RARE, "max-elements", 0, "N", NULL, NULL,
     "Refuse files that expand to more vertices, indices and keys than this, counted each time that they are used; "
     "accepts K, M and G; default: 1M, and 32 for each byte of the file and its companions."},
    {OPT_JSON, ON_COMMANDS & ~(unsigned)(ON_INIT | ON_MATERIALS), "json", 0, NULL, NULL, NULL, "Print JSON instead of text."},
    {OPT_COLOR, ON_COMMANDS | RARE, "color", 0, "WHEN", colors, "auto",
     "Use colours; auto: on a terminal, unless NO_COLOR is set."},
    {OPT_QUIET, ON_COMMANDS, "quiet", 'q', NULL, NULL, NULL,
     "Print only errors on standard error."},
    {OPT_VERBOSE, ON_CHECK | ON_CONVERT | ON_GLTF_TO_T3D | ON_OPTIMIZE | ON_MKSPRITE, "verbose", 'v', NULL, NULL, NULL,
     "Print every note instead of a summary, and what was written."},
    {OPT_HELP, ON_PROGRAM | ON_COMMANDS, "help", 'h', NULL, NULL, NULL, "Print a short help."},
    {OPT_HELP_ALL, ON_COMMANDS, "help-all", 0, NULL, NULL, NULL, "Print the help with all options."},
    {OPT_VERSION, ON_PROGRAM | ON_GLTF_TO_T3D, "version", 'V', NULL, NULL, NULL, "Print the version."},
    {OPT_GENERATE, ON_PROGRAM, "generate", 0, "KIND", kinds, NULL,
     "For packagers: write the manual pages to the directory that follows, or print the same as Markdown or a shell "
     "completion script."},
};
/* clang-format on */

/* Names that mean something else in other commands: of earlier versions, and what people try first. */
static const cli_other_spelling other_spellings[] = {
    {ON_RENDER | ON_VIEW | ON_PAGE | ON_DIFF, "textures", 0, OPT_TEXTURE_PATH},
    {ON_RENDER, "bvh", 0, OPT_SHOW_BVH},
    {ON_RENDER, "dither", 0, OPT_DITHER},
    {ON_RENDER, "mipmaps", 0, OPT_TRILINEAR},
    {ON_WRITERS, "materials", 0, OPT_MATERIALS_OF},
    {ON_CONVERT, "force", 'f', OPT_REBUILD},
    {ON_DUMP | ON_COST, NULL, 'n', OPT_LIMIT},
    {ON_SPRITE, NULL, 'f', OPT_TEXELS},
    {ON_FORMATS, "as", 0, OPT_LANGUAGE},
};

const cli_other_spelling *option_other_spelling_at(size_t index)
{
    return index < sizeof other_spellings / sizeof *other_spellings ? &other_spellings[index] : NULL;
}

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

/* The row of the option that is allowed in one of the places. */
static const cli_option *option_in(unsigned places, option_id id)
{
    const cli_option *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if ((option->places & places) && option->id == id)
            return option;
    return NULL;
}

const cli_option *option_named(unsigned places, const char *name, size_t len)
{
    const cli_option *option;
    const cli_other_spelling *other;
    for (size_t i = 0; (option = option_at(i)); i++)
        if ((option->places & places) && strlen(option->name) == len && memcmp(option->name, name, len) == 0)
            return option;
    for (size_t i = 0; (other = option_other_spelling_at(i)); i++)
        if ((other->places & places) && other->name && strlen(other->name) == len &&
            memcmp(other->name, name, len) == 0)
            return option_in(other->places & places, other->id);
    return NULL;
}

const cli_option *option_lettered(unsigned places, char letter)
{
    const cli_option *option;
    const cli_other_spelling *other;
    for (size_t i = 0; (option = option_at(i)); i++)
        if ((option->places & places) && option->letter == letter)
            return option;
    for (size_t i = 0; (other = option_other_spelling_at(i)); i++)
        if ((other->places & places) && other->letter == letter)
            return option_in(other->places & places, other->id);
    return NULL;
}

static bool option_takes(const cli_option *option, const char *argument)
{
    return option->argument && strcmp(option->argument, argument) == 0;
}

const char *option_choice(const cli_option *option, size_t index)
{
    if (option->choices)
        return option->choices[index];
    if (option_takes(option, "FORMAT")) {
        const trilo_format_info *format = trilo_format_at(index);
        return format ? format->name : NULL;
    }
    if (option_takes(option, "CODE")) {
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

/* The current code of a finding that was renamed. */
static const char *name_of_code(const char *code)
{
    const trilo_rule *rule = trilo_rule_find(code);
    return rule ? rule->name : NULL;
}

bool option_takes_path(const cli_option *option)
{
    static const char *const paths[] = {"FILE", "DIR", "OUT", "IMAGE", "OTHER"};
    bool takes = false;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        takes |= option_takes(option, paths[i]);
    return takes;
}

size_t option_choice_of(const cli_option *option, const char *value)
{
    const size_t i = choice_called(option, value);
    const char *name = option_choice(option, i)         ? NULL
                       : option_takes(option, "FORMAT") ? name_of_extension(value)
                       : option_takes(option, "CODE")   ? name_of_code(value)
                                                        : NULL;
    return name ? choice_called(option, name) : i;
}

bool option_repeats(const cli_option *option)
{
    return option->id == OPT_ALLOW || option->id == OPT_WARN || option->id == OPT_DENY;
}
