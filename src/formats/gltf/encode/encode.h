/* encode.h: shared by the files of the glTF encoder.
 *
 * The top-level arrays are written as JSON text one by one while the model is walked, and so is the buffer; at the end
 * they are joined. After a failure (no memory, a limit of the format) later steps do nothing, and
 * tl_gltf_encode reports it.
 */
#ifndef TL_GLTF_ENCODE_ENCODE_H
#define TL_GLTF_ENCODE_ENCODE_H

#include "base/hash_table.h"
#include "base/json_write.h"
#include "formats/gltf/gltf.h"

/* --- policy.c --- */

/* Decisions of the write profile, or else of the format that the model was read from. */
typedef struct gltf_policy {
    float meters_per_unit; /* exact for the 64 units of the N64's formats */
    bool guard_texels;     /* texture coordinates of N64 materials keep their value when truncated to 1/32 texel */
    bool hold_frames;      /* frames of vertices are not interpolated, whatever their track says */
} gltf_policy;

gltf_policy tl_gltf_policy_of(const trilo_model *model, const trilo_write_opts *opts);

/* --- the encoder --- */

typedef enum gltf_usage {
    GLTF_USAGE_VERTICES,
    GLTF_USAGE_POSITIONS, /* vertices with bounds */
    GLTF_USAGE_INDICES,
    GLTF_USAGE_TIMES, /* with bounds */
    GLTF_USAGE_OTHER,
    GLTF_USAGE_IMAGE
} gltf_usage;

/* The type of an accessor's data. */
typedef struct gltf_data_type {
    gltf_usage usage;
    gltf_component component;
    uint32_t count, width; /* elements; components of each, 16: MAT4 */
} gltf_data_type;

/* Data in the buffer. Equal data of the same type is stored once. */
typedef struct gltf_data {
    gltf_data_type type;
    size_t at, size;
    uint32_t view, accessor; /* accessor TRILO_NONE: only a buffer view */
} gltf_data;

typedef struct gltf_data_writer {
    uint8_t *bytes;
    size_t size, capacity; /* size is a multiple of 4 */
    uint32_t count;
    size_t list_capacity;
    gltf_data *list;
    tl_hash_table table; /* of list */
} gltf_data_writer;

/* A node of the file. The model's nodes come first and keep their numbers. */
typedef struct gltf_file_node {
    trilo_str name;
    uint32_t parent; /* TRILO_NONE: a root */
    uint32_t mesh, skin;
    trilo_quat rotation; /* of a node that the model does not have */
} gltf_file_node;

enum { GLTF_MAX_EXTENSIONS = 64 };

typedef struct gltf_encoder {
    const trilo_model *model;
    const trilo_write_opts *opts;
    gltf_policy policy;
    tl_arena *arena;
    tl_report *losses;
    trilo_error *err;
    bool failed, has_error; /* has_error: *err is filled; otherwise memory ran out */
    bool text;              /* .gltf */

    gltf_data_writer data;
    tl_json_writer arrays[GLTF_ARRAY_COUNT]; /* elements of the top-level arrays */
    uint32_t counts[GLTF_ARRAY_COUNT];
    trilo_str extensions[GLTF_MAX_EXTENSIONS]; /* extensionsUsed */
    uint32_t extension_count;
    uint32_t companion_count;
    size_t companion_capacity;
    gltf_companion *companions;

    uint32_t node_count;
    size_t node_capacity;
    gltf_file_node *nodes;
    bool *animated;            /* of each node of the model: a clip has keys for it */
    uint32_t *inner;           /* of each node of the model: the node that carries its children, meshes and joints */
    uint32_t *skin_of;         /* of each skin: its number in the file; TRILO_NONE: none */
    bool *skin_has_unbound;    /* of each skin: some vertices have no weights */
    uint32_t neutral_bone;     /* the joint of those vertices; TRILO_NONE: not needed yet */
    uint32_t *texture_of;      /* of each texture: its number in the file; TRILO_NONE: it has no image */
    uint32_t sampler_of[18];   /* number + 1 of each combination; 0: not written yet */
    uint32_t *mesh_node;       /* of each mesh: the node that draws it; TRILO_NONE: left out */
    struct gltf_frame *frames; /* of all tracks */
    uint32_t frame_count, next_frame;
    struct gltf_morph *morphs; /* of each mesh */
} gltf_encoder;

/* --- encode.c --- */

/* Fails with that rule, unless something failed before. */
void tl_gltf_encode_fail(gltf_encoder *e, const trilo_rule *rule, trilo_code code, const char *text);
void *tl_gltf_allocated(gltf_encoder *e, void *memory); /* returns `memory`; fails when it is NULL */

/* Begins an object in a top-level array. The caller writes its members and closes it with '}'. *index is its number. */
tl_json_writer *tl_gltf_begin(gltf_encoder *e, gltf_array array, uint32_t *index);
void tl_gltf_put_name(tl_json_writer *w, trilo_str name); /* nothing when it is empty */
void tl_gltf_put_index(tl_json_writer *w, const char *key, uint32_t index);

/* --- buffer.c --- */

/* Memory for count * each bytes at the end of the buffer, aligned to 4; NULL: failed. One of the next two functions
 * must follow before the next call. */
void *tl_gltf_data_begin(gltf_encoder *e, size_t count, size_t each);
/* Adds that data as an accessor. Numbers are in host byte order; those that are not finite become 0 and are reported.
 * TRILO_NONE: failed. */
uint32_t tl_gltf_add_accessor(gltf_encoder *e, gltf_data_type type);
/* Adds it as a buffer view. */
uint32_t tl_gltf_add_buffer_view(gltf_encoder *e, gltf_data_type type);

/* --- texture.c --- */

void tl_gltf_encode_textures(gltf_encoder *e);
void tl_gltf_put_buffer_uri(gltf_encoder *e, tl_json_writer *w); /* of a .gltf */

/* --- extras.c --- */

/* Member "extras": `n64` (NULL: none) as trilobite_n64, then the members of the source's extras. */
void tl_gltf_put_extras(gltf_encoder *e, tl_json_writer *w, trilo_str json, const tl_json_writer *n64);
/* Member "extensions": `own` (NULL: none) as an empty object, then the extensions of the source. */
void tl_gltf_put_extensions(gltf_encoder *e, tl_json_writer *w, trilo_str json, const char *own);
/* Adds to extensionsUsed; false: there are too many. */
bool tl_gltf_use_extension(gltf_encoder *e, trilo_str name);

/* --- material.c, pbr.c --- */

void tl_gltf_encode_materials(gltf_encoder *e);
/* Members of a material: "pbrMetallicRoughness" and the maps. */
void tl_gltf_put_pbr(gltf_encoder *e, tl_json_writer *w, const trilo_material *view);
/* True if the material has a texture or map in the file: then its meshes need texture coordinates. */
bool tl_gltf_is_textured(const gltf_encoder *e, const trilo_material *material);
/* The material without N64 state; what is missing is taken from that state. */
trilo_material tl_gltf_plain_view(const trilo_material *from);

/* --- mesh.c --- */

void tl_gltf_encode_meshes(gltf_encoder *e);
/* Normals in glTF have length 1. A zero normal becomes 0, 0, 1; then the result is false. */
bool tl_gltf_unit_normal(const float from[3], float to[3]);
/* True if any normal of the mesh is not zero. */
bool tl_gltf_has_normals(const trilo_mesh *mesh);

/* --- nodes.c, shear.c --- */

/* First the model's nodes are added, then others where needed; finally all are written, with the scene. */
void tl_gltf_begin_nodes(gltf_encoder *e);
uint32_t tl_gltf_add_node(gltf_encoder *e, trilo_str name, uint32_t parent); /* TRILO_NONE: failed */
void tl_gltf_encode_skins(gltf_encoder *e);
void tl_gltf_encode_nodes(gltf_encoder *e);

/* m = translation * outer * scale * inner, for an affine matrix. */
void tl_gltf_decompose_shear(const trilo_mat4 *m, trilo_quat *outer, trilo_vec3 *scale, trilo_quat *inner);

/* --- animation.c, morph.c --- */

void tl_gltf_encode_clips(gltf_encoder *e);

/* Keyframe times that a file can store: increasing floats from 0 on. */
typedef struct gltf_key_times {
    uint32_t count;
    uint32_t *from; /* the source key of each; the last one is repeated to extend the clip */
    uint32_t accessor;
} gltf_key_times;

/* An animation while it is written. */
typedef struct gltf_animation {
    tl_json_writer samplers, channels;
    uint32_t sampler_count;
    uint32_t lost_keys;
    double extend_to; /* a keyframe must hold the pose until then; 0: none */
    double ends;      /* the duration, when it is before the last keyframe; 0: it is not */
} gltf_animation;

bool tl_gltf_add_times(gltf_encoder *e, gltf_animation *animation, const double *times, uint32_t count,
                       gltf_key_times *out);
void tl_gltf_put_channel(gltf_animation *animation, uint32_t input, uint32_t output, trilo_interpolation interpolation,
                         uint32_t node, const char *path);

/* Frames of vertices become morph targets. Tracks are encoded in the order of the clips. */
void tl_gltf_begin_frames(gltf_encoder *e);
bool tl_gltf_has_frames(const gltf_encoder *e, uint32_t mesh);
void tl_gltf_put_targets(gltf_encoder *e, tl_json_writer *w, uint32_t mesh);
void tl_gltf_encode_track(gltf_encoder *e, gltf_animation *animation, const trilo_track *track);

#endif
