/* decode.h: shared by the files of the decoder, which turns a checked file into a model.
 *
 * Order: nodes and skins, materials and textures, meshes, animations. The check has seen all values. References and
 * indices are still tested before use, because memory safety depends on them.
 */
#ifndef TL_GLTF_DECODE_DECODE_H
#define TL_GLTF_DECODE_DECODE_H

#include "base/gamma.h"
#include "formats/gltf/gltf.h"
#include "trilobite/n64.h"
#include <float.h>

/* A set of texture coordinates and its KHR_texture_transform: u' = m0 u + m1 v + m2, v' = m3 u + m4 v + m5. */
typedef struct gltf_uv_transform {
    uint32_t set; /* TEXCOORD_n */
    bool used;    /* false: m is the identity */
    double m[6];
} gltf_uv_transform;

/* Displacements of a morph target, one for each vertex. */
typedef struct gltf_morph_target {
    const float (*positions)[3], (*normals)[3]; /* NULL: none */
} gltf_morph_target;

typedef struct gltf_weighted_delta {
    double weight;
    const float *delta; /* three numbers for each vertex */
} gltf_weighted_delta;

/* A primitive, decoded once for all nodes that draw it. */
typedef struct gltf_primitive {
    bool drawn;      /* false: the model cannot represent it */
    trilo_mesh mesh; /* without name, node and skin, before morphing */
    uint32_t max_joint;
    uint32_t file_vertex_count;
    const uint32_t *file_vertices; /* the vertex in the file of each vertex; NULL: the same number */
    const tl_json *targets;
    uint32_t target_count;
    const gltf_morph_target *deltas; /* decoded on first use */
    gltf_weighted_delta *weighted;   /* scratch, target_count of them */
} gltf_primitive;

/* A range of the model's meshes or nodes. */
typedef struct gltf_range {
    uint32_t first, count;
} gltf_range;

typedef struct gltf_decoder {
    const gltf_file *file;
    tl_arena *arena, scratch;
    trilo_model *model;
    trilo_error *err;
    bool refused;        /* *err is filled */
    uint64_t morph_work; /* displaced vertices so far, times targets */
    /* of each node of the file */
    uint32_t *node_of;             /* node of the model; TRILO_NONE: left out */
    bool *drawn;                   /* its mesh is part of the model */
    gltf_range *instances_of;      /* nodes of the model for EXT_mesh_gpu_instancing; count 0: the node itself */
    gltf_range *meshes_of;         /* meshes of the model */
    gltf_uv_transform *uvs_of;     /* of each material */
    tl_gamma_cache gamma;          /* of vertex colours */
    gltf_primitive **primitive_of; /* of each mesh of the model */
} gltf_decoder;

/* Fails with *err. Only for what the check does not cover, and for files that were not checked. */
bool tl_gltf_decode_fail(gltf_decoder *d, trilo_code code, const trilo_rule *rule, const tl_json *where,
                         const char *text);

static inline uint32_t gltf_count(const gltf_decoder *d, gltf_array array)
{
    return d->file->tables[array].count;
}

/* Clamped to the range of floats. */
static inline float gltf_float(double number)
{
    return number > FLT_MAX ? FLT_MAX : number < -FLT_MAX ? -FLT_MAX : (float)number;
}

/* Clamped to 0 to 1; 0 for NaN. */
static inline float gltf_unit_float(double number)
{
    return number > 0 ? number < 1 ? (float)number : 1 : 0;
}

/* --- extras.c --- */

/* A copy in the model's memory; "" for an empty string. False: no memory. */
bool tl_gltf_copy(gltf_decoder *d, trilo_str text, trilo_str *out);
bool tl_gltf_name(gltf_decoder *d, const tl_json *object, trilo_str *out);
/* extras and extensions of an object, without members that have one of the `skipped` keys (NULL at the end). */
bool tl_gltf_extras(gltf_decoder *d, const tl_json *object, const char *const *skipped, trilo_extras *out);
/* True if it is that string. */
static inline bool tl_gltf_is(const tl_json *value, const char *text)
{
    return value && value->kind == TL_JSON_STRING && gltf_str_is(value->string, text);
}

/* --- nodes.c --- */

/* The scene to decode; NULL: there are no scenes, and all nodes are decoded. */
const tl_json *tl_gltf_shown_scene(const gltf_file *file);
bool tl_gltf_decode_nodes(gltf_decoder *d);
bool tl_gltf_decode_skins(gltf_decoder *d);

/* --- texture.c; each returns false without memory --- */

typedef struct gltf_textures gltf_textures;

gltf_textures *tl_gltf_textures_new(gltf_decoder *d); /* NULL: no memory */
/* The model's texture for a texture of the file; TRILO_NONE when it has no image. */
bool tl_gltf_texture(gltf_decoder *d, gltf_textures *textures, uint32_t index, uint32_t *out);
/* A texture with an image of the file, without a sampler. */
bool tl_gltf_texture_of_image(gltf_decoder *d, gltf_textures *textures, uint32_t image, uint32_t *out);
/* The texture with that ROM path: one for all that use the path. */
bool tl_gltf_texture_at_path(gltf_decoder *d, gltf_textures *textures, const char *path, uint32_t width,
                             uint32_t height, uint32_t *out);

/* --- material.c, pbr.c --- */

bool tl_gltf_decode_materials(gltf_decoder *d);

typedef struct gltf_base_color {
    const tl_json *factor, *texture; /* NULL: none */
} gltf_base_color;

gltf_base_color tl_gltf_base_color(const tl_json *material);
gltf_uv_transform tl_gltf_uv_transform(const tl_json *info); /* of a textureInfo; NULL: set 0, identity */
/* The texture coordinates of a mesh with that material: those of the base colour, or else the set of the first map,
 * without its transform. */
gltf_uv_transform tl_gltf_mesh_uvs(const tl_json *material);
/* The textureInfo of a map; NULL: none. *fits: the map can be used with the mesh's texture coordinates. */
const tl_json *tl_gltf_map(const tl_json *material, trilo_map_kind kind, bool *fits);
/* *pbr is NULL when all values are the model's defaults. False: no memory. */
bool tl_gltf_decode_pbr(gltf_decoder *d, gltf_textures *textures, const tl_json *material, const trilo_pbr **pbr);

/* A view of an N64 material for programs without a combiner. Of the file's own values, which Fast64 guesses, only the
 * texture is used. */
void tl_gltf_view_n64_material(trilo_material *out, const trilo_n64_material *n64);

/* --- n64.c --- */

/* The N64 state of a material, written by Fast64 or by Trilobite; *n64 is NULL without one. False: no memory. */
bool tl_gltf_decode_n64(gltf_decoder *d, gltf_textures *textures, const tl_json *material, trilo_bytes *raw,
                        const trilo_n64_material **n64);
/* Finds an image by its name in Fast64. Returns false if it was not found, and then fills only found->path. An absolute
 * path is not opened and counts as found. */
bool tl_gltf_find_image(const trilo_load_opts *opts, trilo_str name, trilo_found_image *found);

/* --- primitive.c, mesh.c --- */

bool tl_gltf_decode_meshes(gltf_decoder *d);
bool tl_gltf_decode_primitive(gltf_decoder *d, const tl_json *json, gltf_primitive *out);

/* An attribute of a primitive or of a morph target. */
typedef struct gltf_attribute {
    uint32_t accessor;  /* TRILO_NONE: none */
    uint32_t min_width; /* components that an element must have */
    uint32_t width;     /* components of the result; missing ones are 1 */
    bool normalize;     /* integers are normalized whatever the accessor says */
} gltf_attribute;

/* Floats for each vertex of a primitive; *out is NULL when there is no attribute or it does not fit. False: no memory.
 */
bool tl_gltf_attribute_floats(gltf_decoder *d, const gltf_primitive *primitive, gltf_attribute attribute,
                              tl_arena *arena, float **out);

/* --- animation.c, morph.c --- */

bool tl_gltf_decode_clips(gltf_decoder *d);

/* Positions and normals of a primitive with its morph targets applied. */
bool tl_gltf_morph(gltf_decoder *d, gltf_primitive *primitive, const float *weights, const float (**positions)[3],
                   const float (**normals)[3]);
/* The weights of a node when no animation runs: target_count of them, in scratch memory. NULL: no memory. */
const float *tl_gltf_default_weights(gltf_decoder *d, const gltf_primitive *primitive, const tl_json *node,
                                     const tl_json *mesh);

typedef struct gltf_keyframes {
    trilo_interpolation interpolation;
    uint32_t count;
    const double *times;
    const float *values; /* `width` for each keyframe; cubic: in-tangent, value, out-tangent */
    uint32_t width;
} gltf_keyframes;

/* Keyframes of morph weights as a track of vertex frames. */
bool tl_gltf_decode_track(gltf_decoder *d, const gltf_keyframes *keys, uint32_t mesh, trilo_track *out);

#endif
