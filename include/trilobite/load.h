/* load.h: from bytes, a file or a callback to a checked model. */
#ifndef TRILOBITE_LOAD_H
#define TRILOBITE_LOAD_H

#include "trilobite/error.h"
#include "trilobite/format.h"
#include "trilobite/io.h"
#include "trilobite/memory.h"
#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to read what NLM files do not specify. */
typedef enum trilo_nlm_topology {
    TRILO_NLM_TOPOLOGY_GUESS,
    TRILO_NLM_TOPOLOGY_TRIANGLES,
    TRILO_NLM_TOPOLOGY_LINES
} trilo_nlm_topology;

typedef struct trilo_nlm_load_opts {
    uint32_t struct_size;        /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;              /* must be 0 */
    trilo_nlm_topology topology; /* guess: lines if the index count is not a multiple of 3, or if no
                                    triple of indices would make a triangle */
    bool quat_wxyz;              /* rotations are stored w, x, y, z, as the published document says */
} trilo_nlm_load_opts;

/* How to read what files of the N64 model format do not specify. */
typedef struct trilo_model64_load_opts {
    uint32_t struct_size;        /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;              /* must be 0 */
    trilo_model64_colors colors; /* auto: detected from the bytes */
    uint32_t texcoord_bits;      /* a texture coordinate of 1 is 2 to this power, up to 31; 0: 11, a texture of 32 */
} trilo_model64_load_opts;

/* How an image is identified. */
typedef enum trilo_image_key {
    TRILO_IMAGE_KEY_NAME,  /* its name in a material or in a file with embedded images: "wall.png" */
    TRILO_IMAGE_KEY_PATH,  /* its path relative to the folder of a glTF file: "textures/wall.png" */
    TRILO_IMAGE_KEY_SPRITE /* the path of its sprite on the console: "rom:/wall.sprite" */
} trilo_image_key;

/* An image that a file only names. */
typedef struct trilo_found_image {
    trilo_bytes
        bytes;      /* at least its first 64 bytes, valid during the call that asked; size 0: only the path is known */
    char path[256]; /* its path in the model: "rom:/wall.sprite"; also of an image that was not found, "": not known */
    char places[256]; /* of an image that was not found: where it was looked for, such as "below assets"; "": unknown.
                         The finding repeats it */
} trilo_found_image;

/* False: there is no such image. For a name, the head of the image and its path on the console are needed; for a path
 * only the latter, for a sprite the whole image. */
typedef bool trilo_find_image_fn(void *user, trilo_image_key key, const char *name, trilo_found_image *found);

/* Where the meaning of an asset number of Pyrite64 comes from. */
typedef enum trilo_asset_source {
    TRILO_ASSET_SOURCE_NONE,  /* nothing is known */
    TRILO_ASSET_SOURCE_TABLE, /* the table of the project, p64/a */
    TRILO_ASSET_SOURCE_RANK   /* there is no table: the images of the project are counted by name */
} trilo_asset_source;

typedef struct trilo_found_asset {
    trilo_asset_source source;
    uint32_t count;         /* of the project's assets */
    uint32_t type;          /* as in the table: 1 is an image */
    uint32_t width, height; /* of an image; 0: unknown */
    char path[256];         /* on the console: "rom:/wall.sprite" */
} trilo_found_asset;

/* Called for an asset that a material of Pyrite64 names by its number. False: there is no such asset; `source` and
 * `count` say where it was looked for. See trilo_assets_find_asset. */
typedef bool trilo_find_asset_fn(void *user, uint32_t number, trilo_found_asset *found);

/* A texture of a material of Pyrite64, to be compared with the source of the model. */
typedef struct trilo_source_texture {
    const char *object; /* its name */
    int tile;           /* 0 or 1 */
    const char *path;   /* of the texture that the asset number stands for */
    char expected[256]; /* output: that of the source */
} trilo_source_texture;

/* Called by the check. False: the source has another texture there. True also when nothing is known about it. See
 * trilo_assets_compare. */
typedef bool trilo_source_texture_fn(void *user, trilo_source_texture *texture);

/* glTF files. By default, materials are read as Tiny3D's converter reads them, because games were tuned against it; the
 * first three options correct what it gets wrong. */
typedef struct trilo_gltf_load_opts {
    uint32_t struct_size;   /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;         /* must be 0 */
    bool srgb;              /* encode colours with the sRGB curve instead of the power 0.4545 */
    bool fast64_cutout;     /* cut-outs without a blend colour use an alpha threshold of 0.5, not that colour's alpha */
    bool fast64_lighting;   /* materials without lighting are unlit */
    bool ignore_materials;  /* keep their names only */
    bool ignore_transforms; /* of nodes with rigid meshes; joints keep theirs */
    bool all_nodes;         /* keep the nodes of all scenes, not only of the default scene */
} trilo_gltf_load_opts;

/* A program whose limits a check applies too. */
typedef enum trilo_check_profile {
    TRILO_CHECK_PROFILE_NONE,
    TRILO_CHECK_PROFILE_THORNMARKED /* the game that the N64 model format was made for */
} trilo_check_profile;

/* Provides a file that belongs to the model, such as "hero.0.sdata" or "textures/wood.png": a name without folders, or
 * a path below the model's own folder (never with a ".." in it). The bytes must stay valid until loading ends, or
 * the document is freed. Returns false if there is no such file. */
typedef bool trilo_companion_fn(void *user, const char *name, trilo_bytes *bytes);

typedef struct trilo_load_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    trilo_limits limits;
    trilo_format format;          /* unknown: detected from the content */
    bool strict;                  /* refuse files with warnings too */
    trilo_finding_fn *on_finding; /* receives every finding of the check, also if loading fails */
    void *on_finding_user;
    trilo_check_profile check_profile;
    const trilo_nlm_load_opts *nlm; /* options of a format; NULL: the defaults */
    const trilo_model64_load_opts *model64;
    const trilo_gltf_load_opts *gltf;
    trilo_companion_fn *companion; /* NULL: looked up beside the model when it is a file, otherwise none is read */
    void *companion_user;
    trilo_find_image_fn *find_image; /* NULL: by name, beside the model; see also trilo_assets_find */
    void *find_image_user;
    trilo_find_asset_fn *find_asset; /* NULL: textures of Pyrite64's materials are named by their numbers */
    void *find_asset_user;
    trilo_source_texture_fn *compare_texture; /* NULL: textures of Pyrite64 are not compared with the source */
    void *compare_texture_user;
    const char *name; /* "hero.t3dm": companion files are named after it; taken from the path if that is known */
    bool ignore_materials_file; /* do not apply hero.materials.toml to hero.glb; see materials.h */
} trilo_load_opts;

/* Each returns a model that owns all its memory, or NULL and fills *err (which may be NULL). */
TRILO_API const trilo_model *trilo_model_load(const void *bytes, size_t size, const trilo_load_opts *opts,
                                              trilo_error *err);
TRILO_API const trilo_model *trilo_model_load_file(const char *path, const trilo_load_opts *opts, trilo_error *err);
TRILO_API const trilo_model *trilo_model_load_stream(trilo_read_fn *read, void *user, const trilo_load_opts *opts,
                                                     trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
