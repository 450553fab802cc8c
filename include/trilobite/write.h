/* write.h: from a model to bytes in a format. */
#ifndef TRILOBITE_WRITE_H
#define TRILOBITE_WRITE_H

#include "trilobite/error.h"
#include "trilobite/format.h"
#include "trilobite/io.h"
#include "trilobite/memory.h"
#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_nlm_write_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    bool header12;        /* the older header, without the hash */
} trilo_nlm_write_opts;

/* A file that belongs to the one that is written, such as "hero.0.sdata". */
typedef bool trilo_companion_write_fn(void *user, const char *name, trilo_bytes bytes);

/* What encoders do where neither the model nor another option decides. */
typedef enum trilo_write_profile {
    TRILO_WRITE_PROFILE_AUTO,   /* by model->format: as LOSSLESS for a model read from the format that is written, as
                                   TINY3D from glTF to T3DM; otherwise nearest values, every node and every key */
    TRILO_WRITE_PROFILE_TINY3D, /* as Tiny3D's converter and its runtime do: truncated colours and texture coordinates,
                                   the bones that are needed, few keys, objects by name, frames without blending */
    TRILO_WRITE_PROFILE_LOSSLESS, /* order, values, materials, bones and keys as they are */
    TRILO_WRITE_PROFILE_BEST      /* as TINY3D, but nearest values and objects by layer and material */
} trilo_write_profile;

/* In which order the objects of a T3DM file are drawn. */
typedef enum trilo_t3dm_order {
    TRILO_T3DM_ORDER_AUTO, /* by the profile: FILE for LOSSLESS, LAYER for BEST, otherwise NAME. A model with chunks `m`
                              keeps its order, since scenes of Pyrite64 store the numbers of objects */
    TRILO_T3DM_ORDER_NAME, /* blended ones last, then by name, as Tiny3D's converter does */
    TRILO_T3DM_ORDER_FILE, /* in the order of the model */
    TRILO_T3DM_ORDER_LAYER /* opaque, cut out, decals, blended; within these by material */
} trilo_t3dm_order;

/* What to do with a mesh without a material. */
typedef enum trilo_t3dm_no_material {
    TRILO_T3DM_NO_MATERIAL_DRAW, /* it gets a plain white one, with a note */
    TRILO_T3DM_NO_MATERIAL_SKIP  /* it is left out with a warning, as Tiny3D's converter does */
} trilo_t3dm_no_material;

/* Whose materials a T3DM file gets. */
typedef enum trilo_t3dm_materials {
    TRILO_T3DM_MATERIALS_AUTO,    /* chunks `m` that the model has (trilo_material.raw), and Tiny3D's */
    TRILO_T3DM_MATERIALS_TINY3D,  /* chunks `M` */
    TRILO_T3DM_MATERIALS_PYRITE64 /* chunks `m` of Pyrite64, see pyrite64.h */
} trilo_t3dm_materials;

/* The asset number of an image by its path on the console, "rom:/wall.sprite"; TRILO_NONE: it has none. */
typedef uint32_t trilo_asset_number_fn(void *user, const char *path);

/* The texture size that the texture coordinates of a material refer to, and half a texel less when it is filtered.
 * False: as the material says. */
typedef struct trilo_material_uvs {
    uint32_t width, height;
    bool filtered;
} trilo_material_uvs;
typedef bool trilo_material_uvs_fn(void *user, const trilo_model *model, uint32_t material, trilo_material_uvs *uvs);

/* The bytes of a material, which becomes a chunk `m`; they are copied before the next call. False: it is written as the
 * options say. */
typedef bool trilo_material_raw_fn(void *user, const trilo_model *model, uint32_t material, trilo_bytes *raw);

typedef struct trilo_t3dm_write_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    uint32_t version;     /* 1 to 4, 0: 4 */
    float scale;          /* of positions; 0: such that a meter becomes 64 units (model->units_per_meter) */
    const char *rom_path; /* where the model will be on the console, "rom:/hero.t3dm"; NULL: rom:/ and the name below */
    bool bvh;             /* build one when the model has none */
    trilo_t3dm_order order;
    trilo_t3dm_materials materials;
    trilo_asset_number_fn *asset_number; /* for textures of Pyrite64's materials; NULL: only known numbers are written.
                                            See trilo_assets_number */
    void *asset_number_user;
    /* For editors with materials of their own; NULL: none. */
    trilo_material_uvs_fn *material_uvs;
    void *material_uvs_user;
    trilo_material_raw_fn *material_raw;
    void *material_raw_user;
    uint32_t chunk_count; /* custom chunks, after those of the model */
    const trilo_chunk *chunks;
    uint32_t level; /* effort spent on vertex batches and strips: 1 to 3; 0: 1 */
    bool resident;  /* parts may draw with vertices that earlier parts of the object loaded */
    trilo_t3dm_no_material no_material;
    bool keep_mirrored_winding; /* triangles of mirrored nodes keep their order, as in Tiny3D's converter */
    bool share_vertices; /* objects may share stored vertices: a smaller file, but not for games that change vertices */
    bool allow_empty;    /* a model without a triangle and a clip is not refused */
    bool share_repeats;  /* merge vertices that differ only by whole repeats of a texture; see docs/optimize.md */
    bool drop_unused;    /* the same for all that their material cannot show */
    /* The largest error of clips. All 0: no vertex or bone has a larger error than with the keys of Tiny3D's
     * converter. */
    double anim_error;             /* at the vertices, in units of the file, for all channels together */
    double anim_error_percent;     /* without the above: the same as a part of the model's size, the diagonal of its
                                      bounding box in the rest pose */
    double anim_rotation_error;    /* without the above: rotations, in degrees */
    double anim_translation_error; /* and translations of bones, in units of the file */
    bool skin_fit; /* a vertex that follows several bones gets the bone and the position that keep it nearest to the
                      blended skin over all clips; otherwise the bone with the largest weight */
    uint32_t helper_bones; /* the most bones that may be added between others for such vertices; implies skin_fit. 0:
                              none, at most 255 */
} trilo_t3dm_write_opts;

typedef struct trilo_gltf_write_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    bool text;  /* a .gltf with its buffer in a companion file, not a .glb; also when the name ends in .gltf */
    bool plain; /* without extras that only Trilobite reads: N64 state and durations */
    bool external_images; /* images go to companion files instead of the buffer */
} trilo_gltf_write_opts;

/* What times in an N64 model mean. */
typedef enum trilo_model64_time {
    TRILO_MODEL64_TIME_AUTO,     /* seconds with the profile LOSSLESS, otherwise fractions */
    TRILO_MODEL64_TIME_FRACTION, /* of the clip, 0 to 1, as the game counts */
    TRILO_MODEL64_TIME_SECONDS
} trilo_model64_time;

typedef struct trilo_model64_write_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    float scale;          /* of positions; 0: such that a meter becomes 64 units (model->units_per_meter) */
    int8_t axes[3];       /* which axis x, y and z are taken from: 1 x, 2 y, 3 z, negative mirrored; 0: as it is */
    trilo_model64_colors
        colors;             /* auto: colours, white without any; with LOSSLESS normals where there are no colours */
    uint32_t texcoord_bits; /* as when reading; 0: 11 */
    trilo_model64_time time;
    double fps;           /* frames a second of a clip that moves nodes; 0: its own rate up to 60, otherwise 24 */
    bool merge_materials; /* more than 4 share the slots instead of being refused */
    uint32_t max_frame_vertices; /* of an animated model; 0: 320, the room in the game; TRILO_NONE: any */
} trilo_model64_write_opts;

typedef struct trilo_write_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    trilo_format format; /* unknown: trilo_model_write_file takes it from the path */
    trilo_write_profile profile;
    trilo_finding_fn *on_finding; /* receives what the format cannot store */
    void *on_finding_user;
    const trilo_nlm_write_opts *nlm; /* options of a format; NULL: the defaults */
    const trilo_t3dm_write_opts *t3dm;
    const trilo_model64_write_opts *model64;
    const trilo_gltf_write_opts *gltf;
    const char *name; /* "hero.t3dm": companion files are named after it; taken from the path if known */
    trilo_companion_write_fn
        *companion; /* receives them; NULL: written beside the model if that is a file, otherwise lost */
    void *companion_user;
    trilo_progress_fn *on_progress; /* objects and clips of a T3DM model; other formats are written at once */
    void *on_progress_user;
    bool no_sync; /* trilo_model_write_file: do not wait until the disk has the files; see trilo_file_opts */
} trilo_write_opts;

/* Returns false and fills *err (which may be NULL) if the model violates an invariant of model.h, if the format cannot
 * store it at all, or if the sink returns false. */
TRILO_API bool trilo_model_write(const trilo_model *model, const trilo_write_opts *opts, trilo_write_fn *sink,
                                 void *user, trilo_error *err);

/* Writes the model and its companions beside `path`: all of them, or none. See docs/reliability.md. */
TRILO_API bool trilo_model_write_file(const trilo_model *model, const char *path, const trilo_write_opts *opts,
                                      trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
