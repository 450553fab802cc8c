/* model.h: the neutral model that every format is read into and written from.
 *
 * Plain data, read-only, shareable between threads. These invariants hold for a model that the library loaded, and must
 * hold for a model that you fill in yourself before it can be written (see trilo_model_check):
 *  - every index is inside its array or TRILO_NONE;
 *  - the parent of a node comes before the node;
 *  - key times of a channel and frame times of a track increase strictly;
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
    uint32_t material; /* TRILO_NONE: white */
    uint32_t node;     /* the node it is attached to; TRILO_NONE: none. Ignored for a skinned mesh */
    uint32_t skin;     /* TRILO_NONE: rigid */
    uint32_t vertex_count;
    uint32_t index_count;        /* 3 per triangle, front faces counter-clockwise; 2 per line */
    const float (*positions)[3]; /* NULL only if there is no vertex */
    const float (*normals)[3];   /* NULL: none */
    const float (*colors)[4];    /* NULL: white; red, green, blue, alpha from 0 to 1 */
    const float (*uvs)[2];       /* NULL: none; 0, 0 is the upper left corner of the image */
    const uint16_t (*joints)[4]; /* indices of joints of the skin; an unused slot has weight 0 */
    const float (*weights)[4];   /* NULL if and only if joints is NULL; all 0: the vertex is not skinned */
    const uint32_t *indices;
    trilo_extras extras;
} trilo_mesh;

typedef enum trilo_alpha { TRILO_ALPHA_OPAQUE, TRILO_ALPHA_CUTOUT, TRILO_ALPHA_BLEND } trilo_alpha;

/* The maps of a PBR material, besides its base colour texture. */
typedef enum trilo_map_kind {
    TRILO_MAP_KIND_METALLIC_ROUGHNESS, /* metallic in the blue channel, roughness in green */
    TRILO_MAP_KIND_NORMAL,
    TRILO_MAP_KIND_OCCLUSION, /* in the red channel */
    TRILO_MAP_KIND_EMISSIVE,
    TRILO_MAP_KIND_COUNT
} trilo_map_kind;

/* A map uses the texture coordinates of the mesh. With `moved`, they are scaled, rotated and offset first, as by glTF's
 * KHR_texture_transform. */
typedef struct trilo_map {
    bool used; /* false: the material does not have this map */
    bool moved;
    uint32_t texture;
    float strength; /* of a normal or occlusion map */
    float scale[2], rotation, offset[2];
} trilo_map;

/* Metallic-roughness values of a material, as in glTF. Colours are linear. */
typedef struct trilo_pbr {
    float metallic, roughness; /* 0 to 1 */
    float emissive[3];
    trilo_map maps[TRILO_MAP_KIND_COUNT];
} trilo_pbr;

typedef struct trilo_material {
    trilo_str name;
    float base_color[4];
    uint32_t texture; /* multiplied with base_color; TRILO_NONE: none */
    trilo_alpha alpha;
    float alpha_cutoff; /* of TRILO_ALPHA_CUTOUT: pixels with less alpha are discarded; 0: 0.5 */
    bool two_sided;
    bool unlit;                           /* not affected by lights */
    const struct trilo_n64_material *n64; /* render state of the console (n64.h); NULL: none in the file */
    const trilo_pbr *pbr;                 /* NULL: metallic 0, roughness 1, no maps */
    trilo_bytes raw; /* a material chunk `m` of a T3DM file, which writing T3DM stores again as it is; size 0: none */
    trilo_extras extras;
} trilo_material;

typedef enum trilo_image_kind {
    TRILO_IMAGE_KIND_UNKNOWN,
    TRILO_IMAGE_KIND_PNG,
    TRILO_IMAGE_KIND_JPEG
} trilo_image_kind;

/* How a texture continues outside its image. */
typedef enum trilo_wrap { TRILO_WRAP_REPEAT, TRILO_WRAP_MIRROR, TRILO_WRAP_CLAMP } trilo_wrap;

typedef struct trilo_texture {
    trilo_str name;
    trilo_str path;         /* of a texture that is not embedded; "" otherwise */
    trilo_bytes bytes;      /* the image file, if it is embedded or a companion file was found; size 0 otherwise */
    trilo_image_kind kind;  /* of the bytes */
    uint32_t width, height; /* in pixels, 0: unknown */
    trilo_wrap wrap[2];     /* horizontally and vertically */
    bool nearest;           /* not filtered */
} trilo_texture;

/* The rest pose of a node. `local` is the matrix of the file; translation, rotation and scale are its decomposition. If
 * the matrix has shear, `sheared` is true and they are only the nearest transform. */
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
    trilo_mat4 inverse_bind; /* from model space to the space of the joint */
} trilo_joint;

typedef struct trilo_skin {
    uint32_t joint_count;
    const trilo_joint *joints;
} trilo_skin;

typedef enum trilo_target {
    TRILO_TARGET_TRANSLATION,   /* 3 numbers per key */
    TRILO_TARGET_ROTATION,      /* 4 numbers per key: a unit quaternion x, y, z, w */
    TRILO_TARGET_SCALE,         /* 3 numbers per key */
    TRILO_TARGET_TRANSLATION_X, /* single axes, 1 number per key: in T3DM each axis has its own keys */
    TRILO_TARGET_TRANSLATION_Y,
    TRILO_TARGET_TRANSLATION_Z,
    TRILO_TARGET_SCALE_X,
    TRILO_TARGET_SCALE_Y,
    TRILO_TARGET_SCALE_Z,
    TRILO_TARGET_COUNT
} trilo_target;

/* The interpolation between keys. Before the first and after the last key, that key holds. A key of
 * TRILO_INTERPOLATION_CUBIC has three values: in-tangent, value, out-tangent; tangents are per second. */
typedef enum trilo_interpolation {
    TRILO_INTERPOLATION_LINEAR, /* rotations by slerp along the shorter arc */
    TRILO_INTERPOLATION_STEP,   /* a key holds until the next */
    TRILO_INTERPOLATION_CUBIC   /* Hermite splines; interpolated rotations are normalized */
} trilo_interpolation;

typedef struct trilo_channel {
    uint32_t node;
    trilo_target target;
    trilo_interpolation interpolation;
    uint32_t key_count;
    const double *times; /* seconds */
    const float *values; /* trilo_target_width numbers per value */
    float step, base; /* quantization of a single axis, as a hint: values are a 16-bit integer * step + base; 0: none */
} trilo_channel;

/* The numbers per value of a target: 3, 4 or 1. */
TRILO_API uint32_t trilo_target_width(trilo_target target);

/* All vertices of a mesh at a time. Equal frames may share their arrays. */
typedef struct trilo_frame {
    double time;                 /* seconds */
    const float (*positions)[3]; /* vertex_count of the mesh */
    const float (*normals)[3];   /* NULL: those of the mesh */
} trilo_frame;

/* Vertex animation: the arrays of a frame replace those of the mesh. Nodes and skins are applied afterwards. */
typedef struct trilo_track {
    uint32_t mesh;
    bool held;                 /* a frame holds until the next one, without interpolation */
    uint32_t frame_count;      /* at least 1 */
    const trilo_frame *frames; /* before the first and after the last frame, that frame holds */
} trilo_track;

typedef struct trilo_clip {
    trilo_str name;
    double duration; /* seconds */
    double rate;     /* ticks per second of the file; 0: its times are in seconds */
    uint32_t channel_count, track_count;
    const trilo_channel *channels; /* at most one per node and target; never a single axis together with all three */
    const trilo_track *tracks;     /* at most one per mesh */
} trilo_clip;

/* A bounding volume hierarchy of the meshes. Node 0 is the root. */
typedef struct trilo_bvh_node {
    trilo_bounds bounds;
    uint32_t first; /* a leaf: its first item; an inner node: its first child, followed by the second */
    uint32_t count; /* items of a leaf; 0: an inner node */
} trilo_bvh_node;

typedef struct trilo_bvh {
    uint32_t node_count, item_count;
    const trilo_bvh_node *nodes;
    const uint32_t *items; /* meshes */
} trilo_bvh;

/* Custom data that a format can store. */
typedef struct trilo_chunk {
    char type; /* T3DM: the type of the chunk */
    trilo_bytes bytes;
} trilo_chunk;

typedef struct trilo_model {
    trilo_format format;   /* of the file it was read from */
    uint32_t version;      /* of that format */
    uint32_t source_hash;  /* FNV-1a of its source file; 0: unknown */
    float units_per_meter; /* of all lengths: 64 as T3DM and Model are read, 1 as glTF and NLM are; 0: 1 */
    bool ordered;          /* meshes are in drawing order, as in T3DM: blended ones after what is behind them */
    bool
        tiny3d_sampling; /* its clips are sampled as Tiny3D's runtime does unless a player says otherwise, as in T3DM */
    bool resized;        /* the geometry was scaled into a unit box, and source_bounds says what it was before */
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

/* Frees a model that the library returned; may be NULL. Do not pass a model that you filled in yourself. */
TRILO_API void trilo_model_free(const trilo_model *model);

/* Checks the invariants above. Returns false and fills *err if one is violated, or if memory runs out: the check takes
 * some bytes per node and mesh. */
TRILO_API bool trilo_model_check(const trilo_model *model, trilo_error *err);

/* The bounding box of the stored positions, without NaN; empty if there are none. In a model, rigid meshes are
 * transformed by the rest pose of their node. Animations may leave the box. */
TRILO_API trilo_bounds trilo_mesh_bounds(const trilo_mesh *mesh);
TRILO_API trilo_bounds trilo_model_bounds(const trilo_model *model);

/* The index of the clip with that name, or `name` as a number; TRILO_NONE if there is no such clip. */
TRILO_API uint32_t trilo_clip_find(const trilo_model *model, const char *name);

/* The edits of trilo_model_edit; none if zero-filled. */
typedef struct trilo_model_edit_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    bool restore_size;    /* undo the scaling into a unit box */
    bool normalize;       /* scale into a unit box around the origin, and store the previous size */
    bool drop_textures;
    trilo_bytes replace_texture;  /* an image file that replaces every embedded one; size 0: none */
    trilo_finding_fn *on_finding; /* receives what could not be done */
    void *on_finding_user;
} trilo_model_edit_opts;

/* Returns an edited copy, or NULL on failure. */
TRILO_API const trilo_model *trilo_model_edit(const trilo_model *model, const trilo_model_edit_opts *edit,
                                              const trilo_memory *memory, trilo_error *err);

/* Room for a stem; with ".rgba16.sprite" behind it, it is a file name of at most 255 bytes. */
enum { TRILO_IMAGE_STEM_ROOM = 242 };

/* The kind of an image file, and its size in pixels (0: unknown). */
TRILO_API trilo_image_kind trilo_image_probe(trilo_bytes bytes, uint32_t *width, uint32_t *height);
TRILO_API const char *trilo_image_extension(trilo_image_kind kind); /* "png", "jpg", "bin" */

/* What the files of an embedded image are called, without their extension: the extracted image, and its sprite on the
 * console. `name` is that of the texture: "textures/wall.ci4.PNG" gives "wall.ci4". One that is empty, or that not
 * every file system takes, is replaced by the name of the model (NULL: "texture") and the number of the texture:
 * "hero.glb" and 3 give "hero-3". */
TRILO_API void trilo_image_stem(trilo_str name, const char *model, uint32_t texture, char stem[TRILO_IMAGE_STEM_ROOM]);

#ifdef __cplusplus
}
#endif
#endif
