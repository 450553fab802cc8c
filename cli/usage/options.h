/* options.h: the one table of options, from which the parser, --help, the manual pages and the completions are made. */
#ifndef TL_CLI_USAGE_OPTIONS_H
#define TL_CLI_USAGE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum option_id {
    OPT_HELP,
    OPT_HELP_ALL,
    OPT_VERSION,
    OPT_GENERATE,
    OPT_STRICT,
    OPT_ALLOW,
    OPT_WARN,
    OPT_DENY,
    OPT_EXPLAIN,
    OPT_CODES,
    OPT_PROFILE,
    OPT_FOR,
    OPT_MATERIALS,
    OPT_CLIPS,
    OPT_SOURCE,
    OPT_LIMIT,
    OPT_BLOBS,
    OPT_POSE,
    OPT_SMOOTH,
    OPT_TRIANGLES,
    OPT_TO,
    OPT_REENCODE,
    OPT_RESTORE_SIZE,
    OPT_NORMALIZE,
    OPT_DROP_TEXTURES,
    OPT_REPLACE_TEXTURE,
    OPT_NLM_HEADER,
    OPT_T3DM_VERSION,
    OPT_SCALE,
    OPT_METER,
    OPT_BVH,
    OPT_ROM_PATH,
    OPT_ORDER,
    OPT_MATERIALS_OF,
    OPT_AXES,
    OPT_FPS,
    OPT_CLIP,
    OPT_ANIM_ERROR,
    OPT_MERGE_MATERIALS,
    OPT_MAX_FRAME_VERTICES,
    OPT_MODEL64_TIME,
    OPT_PLAIN,
    OPT_EXTERNAL_IMAGES,
    OPT_BASE_SCALE,
    OPT_ROM_ROOT,
    OPT_DEPFILE,
    OPT_COMPRESS,
    OPT_DCA,
    OPT_DECOMPRESS,
    OPT_TEXTURES,
    OPT_TEXTURE_PATH,
    OPT_STREAMS,
    OPT_OUTPUT,
    OPT_FORCE,
    OPT_REBUILD,
    OPT_NO_SYNC,
    OPT_REFERENCE,
    OPT_LANGUAGE,
    OPT_FROM,
    OPT_TOPOLOGY,
    OPT_NLM_QUAT,
    OPT_MODEL64_COLORS,
    OPT_TEXCOORD_BITS,
    OPT_ASSET_PATH,
    OPT_GAMMA,
    OPT_CUTOUT,
    OPT_LIGHTING,
    OPT_IGNORE_MATERIALS,
    OPT_IGNORE_TRANSFORMS,
    OPT_ALL_SCENES,
    OPT_MAX_MEMORY,
    OPT_MAX_ELEMENTS,
    OPT_LEVEL,
    OPT_RESIDENT,
    OPT_SHARE_VERTICES,
    OPT_SKIN_FIT,
    OPT_HELPER_BONES,
    OPT_NO_MATERIAL,
    OPT_MIRRORED,
    OPT_WRITE_PROFILE,
    OPT_SORT_MATERIALS,
    OPT_UNUSED_ATTRIBUTES,
    OPT_SIMPLIFY,
    OPT_DRY_RUN,
    OPT_AS,
    OPT_COMPARE,
    OPT_BUDGET,
    OPT_PER_FRAME,
    OPT_FILL,
    OPT_SCREEN,
    OPT_SHEET,
    OPT_ANSI,
    OPT_SIZE,
    OPT_LOOK,
    OPT_SAMPLES,
    OPT_DRAW_LAYER,
    OPT_ANTIALIAS,
    OPT_DITHER,
    OPT_VIEW,
    OPT_AZIMUTH,
    OPT_ELEVATION,
    OPT_FOV,
    OPT_CAMERA,
    OPT_BACKGROUND,
    OPT_LIGHT,
    OPT_FOG,
    OPT_NEAR,
    OPT_FAR,
    OPT_MODEL_SCALE,
    OPT_LIGHTING_MODE,
    OPT_EXPOSURE,
    OPT_COLOR_DEPTH,
    OPT_MIPMAPS,
    OPT_TRILINEAR,
    OPT_TV_FILTER,
    OPT_TV_GAMMA,
    OPT_TIME,
    OPT_FRAMES,
    OPT_TURNTABLE,
    OPT_WIREFRAME,
    OPT_BONES,
    OPT_NORMALS,
    OPT_SHOW_BVH,
    OPT_PARTS,
    OPT_UV,
    OPT_TEXELS,
    OPT_TARGET,
    OPT_TEXPARMS,
    OPT_DETAIL,
    OPT_DETAIL_TEXPARMS,
    OPT_TEXEL_DITHER,
    OPT_QUALITY,
    OPT_TEXTURE_ERROR,
    OPT_FIT,
    OPT_TOGETHER,
    OPT_POWER_OF_TWO,
    OPT_HSLICES,
    OPT_VSLICES,
    OPT_VI_GAMMA,
    OPT_DEBUG,
    OPT_SPRITES,
    OPT_TEXTURES_SHEET,
    OPT_COMPARE_FORMATS,
    OPT_SHARE_PALETTES,
    OPT_JOBS,
    OPT_KEEP_GOING,
    OPT_PRUNE,
    OPT_WATCH,
    OPT_MANIFEST,
    OPT_NINJA,
    OPT_SHARD,
    OPT_PROJECT,
    OPT_TOLERANCE,
    OPT_IMAGE,
    OPT_TEMPLATE,
    OPT_NO_BROWSER,
    OPT_JSON,
    OPT_COLOR,
    OPT_QUIET,
    OPT_VERBOSE
} option_id;

/* Where an option is allowed: one bit for the program itself and one for each command. */
enum {
    ON_PROGRAM = 1 << 0,
    ON_INFO = 1 << 1,
    ON_CHECK = 1 << 2,
    ON_DUMP = 1 << 3,
    ON_CONVERT = 1 << 4,
    ON_EXTRACT = 1 << 5,
    ON_FORMATS = 1 << 6,
    ON_GLTF_TO_T3D = 1 << 7,
    ON_OPTIMIZE = 1 << 8,
    ON_COST = 1 << 9,
    ON_RENDER = 1 << 10,
    ON_SPRITE = 1 << 11,
    ON_MKSPRITE = 1 << 12,
    ON_VIEW = 1 << 13,
    ON_PAGE = 1 << 14,
    ON_DIFF = 1 << 15,
    ON_INIT = 1 << 16,
    ON_MATERIALS = 1 << 17,
    ON_WRITERS = ON_CHECK | ON_CONVERT, /* check --for encodes too, without writing */
    ON_DECODERS = ON_INFO | ON_CHECK | ON_DUMP | ON_CONVERT | ON_OPTIMIZE | ON_COST | ON_RENDER | ON_MATERIALS,
    ON_READERS = ON_DECODERS | ON_EXTRACT,
    ON_COMMANDS =
        ON_READERS | ON_FORMATS | ON_GLTF_TO_T3D | ON_SPRITE | ON_MKSPRITE | ON_VIEW | ON_PAGE | ON_DIFF | ON_INIT,
    /* No place: few people need the option, so --help leaves it to --help-all and the manual page. */
    RARE = 1 << 30
};

typedef struct cli_option {
    option_id id;
    unsigned places;            /* ON_... */
    const char *name;           /* without the dashes */
    char letter;                /* 0: none */
    const char *argument;       /* NULL: a switch; "FORMAT" and "CODE": the names in the library */
    const char *const *choices; /* the only values, NULL after the last one; NULL: any */
    const char *fallback;       /* the default value, or a description of it; NULL: none */
    const char *help;
} cli_option;

/* Another name or letter of an option, which works in these places. */
typedef struct cli_other_spelling {
    unsigned places;
    const char *name; /* NULL: a letter */
    char letter;
    option_id id;
} cli_other_spelling;

/* The index-th option: NULL after the last one. */
const cli_option *option_at(size_t index);
const cli_other_spelling *option_other_spelling_at(size_t index);

const cli_option *option_get(option_id id); /* its first row */

/* The option with that name (`len` bytes) or letter, now or earlier, that is allowed in one of the places; NULL: none.
 */
const cli_option *option_named(unsigned places, const char *name, size_t len);
const cli_option *option_lettered(unsigned places, char letter);

/* The index-th possible value of the option: NULL after the last one; NULL at 0 if any value is allowed. */
const char *option_choice(const cli_option *option, size_t index);

/* The index of `value` among them; their number if it is none of them. A format may be given by its extension. */
bool option_takes_path(const cli_option *option); /* of a file or folder */
size_t option_choice_of(const cli_option *option, const char *value);

/* True if it may be given several times, with all values used. */
bool option_repeats(const cli_option *option);

#endif
