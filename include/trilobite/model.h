/* model.h: the neutral model that every format is read into and written from.
 *
 * Plain data, read-only, shareable between threads. A model that the library loaded keeps these promises, and a model
 * you fill in yourself must keep them too before it can be written (trilo_model_check tells):
 *  - every index points inside its array or is TRILO_NONE;
 *  - a node's parent comes before the node;
 *  - key times of a channel and frame times of a track rise strictly;
 *  - an optional vertex array is NULL or has vertex_count entries.
 */
#ifndef TRILOBITE_MODEL_H
#define TRILOBITE_MODEL_H

#include "trilobite/error.h"
#include "trilobite/format.h"
#include "trilobite/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `extras` and `extensions` of a glTF object, as JSON text. Only writing glTF uses them. */
typedef struct trilo_extras {
    trilo_str json;       /* the value of "extras"; length 0: none */
    trilo_str extensions; /* extensions that Trilobite does not read, an object; length 0: none */
} trilo_extras;

typedef enum trilo_topology { TRILO_TOPOLOGY_TRIANGLES, TRILO_TOPOLOGY_LINES } trilo_topology;

typedef struct trilo_mesh {
    trilo_str name;
    trilo_topology topology;
    uint32_t material; /* TRILO_NONE: plain white */
    uint32_t node;     /* the node that carries it; TRILO_NONE: the origin. A skinned mesh follows its skin alone */
    uint32_t skin;     /* TRILO_NONE: rigid */
    uint32_t vertex_count;
    uint32_t index_count;        /* 3 a triangle, counter-clockwise in front; 2 a line */
    const float (*positions)[3]; /* never NULL unless there is no vertex */
    const float (*normals)[3];   /* NULL: none */
    const float (*colors)[4];    /* NULL: white; red, green, blue, alpha from 0 to 1 */
    const float (*uvs)[2];       /* NULL: none; 0, 0 is the first pixel of the image */
    const uint16_t (*joints)[4]; /* into the skin's joints; an unused slot has weight 0 */
    const float (*weights)[4];   /* NULL exactly when joints is NULL; all 0: the vertex is not skinned */
    const uint32_t *indices;
    trilo_extras extras;
} trilo_mesh;

typedef enum trilo_alpha { TRILO_ALPHA_OPAQUE, TRILO_ALPHA_CUTOUT, TRILO_ALPHA_BLEND } trilo_alpha;

/* The maps of a PBR material, besides its base colour texture. */
typedef enum trilo_map_kind {
    TRILO_MAP_METALLIC_ROUGHNESS, /* metallic in the blue channel, roughness in green */
    TRILO_MAP_NORMAL,
    TRILO_MAP_OCCLUSION, /* in the red channel */
    TRILO_MAP_EMISSIVE,
    TRILO_MAP_COUNT
} trilo_map_kind;

/* A map uses the texture coordinates of the mesh. With `moved`, they are scaled, rotated and offset first, as by glTF's
 * KHR_texture_transform. */
typedef struct trilo_map {
    bool used; /* false: there is no such map */
    bool moved;
    uint32_t texture;
    float strength; /* of a normal or occlusion map */
    float scale[2], rotation, offset[2];
} trilo_map;

/* Metallic-roughness values of a material, as in glTF. Colours are linear. */
typedef struct trilo_pbr {
    float metallic, roughness; /* 0 to 1 */
    float emissive[3];
    trilo_map maps[TRILO_MAP_COUNT];
} trilo_pbr;

typedef struct trilo_material {
    trilo_str name;
    float base_color[4];
    uint32_t texture; /* multiplied with base_color; TRILO_NONE: none */
    trilo_alpha alpha;
    float alpha_cutoff; /* a cut-out shows what is not below it; 0: a half */
    bool two_sided;
    bool unlit;                           /* no light falls on it */
    const struct trilo_n64_material *n64; /* all the console needs (n64.h); NULL: the file has no such thing */
    const trilo_pbr *pbr;                 /* NULL: metallic 0, roughness 1, no maps */
    trilo_extras extras;
} trilo_material;

typedef enum trilo_image_kind { TRILO_IMAGE_UNKNOWN, TRILO_IMAGE_PNG, TRILO_IMAGE_JPEG } trilo_image_kind;

/* How a texture continues outside its image. */
typedef enum trilo_wrap { TRILO_WRAP_REPEAT, TRILO_WRAP_MIRROR, TRILO_WRAP_CLAMP } trilo_wrap;

typedef struct trilo_texture {
    trilo_str name;
    trilo_str path;         /* where it lives when it is not embedded; "" otherwise */
    trilo_bytes bytes;      /* the whole image file when it is embedded or lay beside the model; size 0 otherwise */
    trilo_image_kind kind;  /* told from the bytes */
    uint32_t width, height; /* in pixels, 0: not known */
    trilo_wrap wrap[2];     /* across and down */
    bool nearest;           /* shown in hard pixels */
} trilo_texture;

/* Rest pose of a node: `local` is what the file says; translation, rotation and scale are its parts. When a matrix has
 * no such parts (it shears), they are the nearest ones and `sheared` is true. */
typedef struct trilo_node {
    trilo_str name;
    uint32_t parent; /* TRILO_NONE: a root */
    bool sheared;
    trilo_vec3 translation;
    trilo_quat rotation;
    trilo_vec3 scale;
    trilo_mat4 local;
    trilo_extras extras;
} trilo_node;

typedef struct trilo_joint {
    uint32_t node;
    trilo_mat4 inverse_bind; /* model space to the joint's own space */
} trilo_joint;

typedef struct trilo_skin {
    uint32_t joint_count;
    const trilo_joint *joints;
} trilo_skin;

typedef enum trilo_target {
    TRILO_TARGET_TRANSLATION,   /* 3 values a key */
    TRILO_TARGET_ROTATION,      /* 4 values a key: x, y, z, w, of length 1 */
    TRILO_TARGET_SCALE,         /* 3 values a key */
    TRILO_TARGET_TRANSLATION_X, /* single axes, 1 value a key: T3DM gives each its own keys */
    TRILO_TARGET_TRANSLATION_Y,
    TRILO_TARGET_TRANSLATION_Z,
    TRILO_TARGET_SCALE_X,
    TRILO_TARGET_SCALE_Y,
    TRILO_TARGET_SCALE_Z,
    TRILO_TARGET_COUNT
} trilo_target;

/* How a channel goes from key to key. Outside, the nearest key holds. A key of TRILO_INTERPOLATION_CUBIC is three
 * values: the tangent before it, its own value, the tangent behind it, tangents per second. */
typedef enum trilo_interpolation {
    TRILO_INTERPOLATION_LINEAR, /* translation and scale straight, rotation on the shorter arc */
    TRILO_INTERPOLATION_STEP,   /* a key holds until the next */
    TRILO_INTERPOLATION_CUBIC   /* Hermite curves; between keys, rotations are brought to length 1 */
} trilo_interpolation;

typedef struct trilo_channel {
    uint32_t node;
    trilo_target target;
    trilo_interpolation interpolation;
    uint32_t key_count;
    const double *times; /* seconds */
    const float *values; /* trilo_target_width numbers for each value */
    float step, base;    /* of a single axis, as a hint: every value is a 16-bit number * step + base; 0: not known */
} trilo_channel;

/* Numbers in a value of that target: 3, 4, or 1. */
TRILO_API uint32_t trilo_target_width(trilo_target target);

/* All vertices of a mesh at a moment. Frames that are equal may share their arrays. */
typedef struct trilo_frame {
    double time;                 /* seconds: when it starts to show */
    const float (*positions)[3]; /* vertex_count of the mesh */
    const float (*normals)[3];   /* NULL: those of the mesh stay */
} trilo_frame;

/* A mesh whose vertices are stored whole, frame by frame. What a frame says takes the place of the mesh's own arrays;
 * nodes and skins then move it as ever. */
typedef struct trilo_track {
    uint32_t mesh;
    bool held;                 /* a frame stays as it is until the next one comes; nothing is mixed */
    uint32_t frame_count;      /* at least 1 */
    const trilo_frame *frames; /* the first one holds before its time, the last one to the end */
} trilo_track;

typedef struct trilo_clip {
    trilo_str name;
    double duration; /* seconds */
    double rate;     /* ticks per second its file counts in; 0: the file counts in seconds */
    uint32_t channel_count, track_count;
    const trilo_channel *channels; /* at most one for each node and target; not an axis and its whole both */
    const trilo_track *tracks;     /* at most one for each mesh */
} trilo_clip;

/* A tree of boxes over the meshes. Node 0 is the root. */
typedef struct trilo_bvh_node {
    trilo_bounds bounds;
    uint32_t first; /* a leaf: its first item; an inner node: its first child, the second stands behind it */
    uint32_t count; /* items of a leaf; 0: an inner node */
} trilo_bvh_node;

typedef struct trilo_bvh {
    uint32_t node_count, item_count;
    const trilo_bvh_node *nodes;
    const uint32_t *items; /* meshes */
} trilo_bvh;

/* Data of a user's own that a format carries along. */
typedef struct trilo_chunk {
    char type; /* T3DM: the letter of the chunk */
    trilo_bytes bytes;
} trilo_chunk;

typedef struct trilo_model {
    trilo_format format;   /* what it was read from */
    uint32_t version;      /* of that format */
    uint32_t source_hash;  /* FNV-1a of the file it was first made from; 0: not known */
    float units_per_meter; /* of all lengths: 64 as T3DM and Model are read, 1 as glTF and NLM are; 0: 1 */
    bool ordered;          /* meshes are in drawing order, as in T3DM: blended ones after what is behind them */
    bool resized;          /* the geometry was scaled into a unit box, and source_bounds says what it was before */
    trilo_bounds source_bounds;
    uint32_t mesh_count, material_count, texture_count, node_count, skin_count, clip_count, chunk_count;
    const trilo_mesh *meshes;
    const trilo_material *materials;
    const trilo_texture *textures;
    const trilo_node *nodes;
    const trilo_skin *skins;
    const trilo_clip *clips;
    const trilo_bvh *bvh; /* NULL: none */
    const trilo_chunk *chunks;
    trilo_extras extras;
    const struct trilo_model *self; /* the library sets it in the models that it makes, to their own address: they need
                                       no check. NULL in yours; in a copy that you change it points elsewhere */
} trilo_model;

/* Frees a model that the library answered. NULL is fine. Never for a model you filled in yourself. */
TRILO_API void trilo_model_free(const trilo_model *model);

/* Are the promises above kept? False, with *err, when one is not, or when there is no memory to find out: it takes some
 * bytes for each node and mesh. */
TRILO_API bool trilo_model_check(const trilo_model *model, trilo_error *err);

/* The box around the stored positions, not-a-numbers left out; empty when there are none. For a whole model, rigid
 * meshes stand where their node's rest pose puts them. Clips, keys and frames alike, may leave it. */
TRILO_API trilo_bounds trilo_mesh_bounds(const trilo_mesh *mesh);
TRILO_API trilo_bounds trilo_model_bounds(const trilo_model *model);

/* Index of the clip with that name, or whose number `name` is; TRILO_NONE when there is none. */
TRILO_API uint32_t trilo_clip_find(const trilo_model *model, const char *name);

/* What trilo_model_edit is to change. Zero: nothing. */
typedef struct trilo_model_edit_opts {
    bool restore_size; /* undo the scaling into a unit box */
    bool normalize;    /* scale into a unit box around the origin, remembering the size */
    bool drop_textures;
    trilo_bytes replace_texture;  /* size above 0: this image instead of every embedded one */
    trilo_finding_fn *on_finding; /* told what could not be done */
    void *on_finding_user;
} trilo_model_edit_opts;

/* A changed copy; the original stays as it is. NULL on failure. */
TRILO_API const trilo_model *trilo_model_edit(const trilo_model *model, const trilo_model_edit_opts *edit,
                                              const trilo_memory *memory, trilo_error *err);

/* What kind of image file this is, and its size in pixels (0 when it cannot be told). */
TRILO_API trilo_image_kind trilo_image_probe(trilo_bytes bytes, uint32_t *width, uint32_t *height);
TRILO_API const char *trilo_image_extension(trilo_image_kind kind); /* "png", "jpg", "bin" */

#ifdef __cplusplus
}
#endif
#endif
