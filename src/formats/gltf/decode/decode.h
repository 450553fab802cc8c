/* decode.h: what the files gltf_decode*.c share on the way from a checked file to the neutral model.
 *
 * Order of work: nodes and skins, materials and textures, meshes, clips. The check has looked at everything; still no
 * reference is followed and no index used without a look, because memory depends on it.
 */
#ifndef TL_GLTF_DECODE_DECODE_H
#define TL_GLTF_DECODE_DECODE_H

#include "formats/gltf/gltf.h"
#include "trilobite/n64.h"
#include <float.h>

/* Which texture coordinates a material wants, and what becomes of them: u' = m0 u + m1 v + m2, v' = m3 u + m4 v + m5.
 */
typedef struct gltf_uv_use {
    uint32_t set; /* TEXCOORD_n */
    bool moved;   /* there is a transform */
    double m[6];
} gltf_uv_use;

/* How far one morph target moves the vertices of a shape. */
typedef struct gltf_target {
    const float (*positions)[3], (*normals)[3]; /* NULL: not at all */
} gltf_target;

/* A target that moves something, and how much of it. */
typedef struct gltf_push {
    double weight;
    const float (*delta)[3];
} gltf_push;

/* A primitive, decoded once for all nodes that show it. */
typedef struct gltf_shape {
    bool draws;      /* false: it has nothing that the model can hold */
    trilo_mesh mesh; /* without name, node and skin; no morph target has moved it */
    uint32_t top_joint;
    uint32_t source_count; /* vertices in the file */
    const uint32_t *rows;  /* which of them each vertex is; NULL: all of them, in order */
    const tl_json *targets;
    uint32_t target_count;
    const gltf_target *deltas; /* made when first asked for */
    gltf_push *pushes;         /* room for one of each target */
} gltf_shape;

/* The part of the model's meshes that a node of the file shows. */
typedef struct gltf_node_meshes {
    uint32_t first, count;
} gltf_node_meshes;

/* The nodes of the model at which a node of the file shows its mesh. */
typedef struct gltf_copies {
    uint32_t first, count; /* count 0: at its own place */
} gltf_copies;

typedef struct gltf_decoder {
    const gltf_file *file;
    tl_arena *arena, scratch;
    trilo_model *model;
    trilo_error *err;
    bool refused;      /* *err is filled already */
    uint64_t morphing; /* moves of vertices by targets so far */
    /* of each node of the file */
    uint32_t *node_of; /* which node of the model it is; TRILO_NONE: it is left out */
    bool *shown;       /* its mesh is part of the model */
    gltf_copies *copies;
    gltf_node_meshes *meshes_of;
    gltf_uv_use *uv_uses; /* of each material */
    gltf_shape **shapes;  /* of each mesh of the model */
} gltf_decoder;

/* False, with *err: for what only a file can have that was not checked. */
bool tl_gltf_refuse(gltf_decoder *d, trilo_code code, const trilo_rule *rule, const tl_json *where, const char *text);

static inline uint32_t gltf_count(const gltf_decoder *d, gltf_array array)
{
    return d->file->tables[array].count;
}

/* A number of the text as a float; what is too large for one becomes the largest. */
static inline float gltf_float(double number)
{
    return number > FLT_MAX ? FLT_MAX : number < -FLT_MAX ? -FLT_MAX : (float)number;
}

/* --- text: gltf_decode_text.c --- */

/* A copy that the model owns; "" when there is no such text. False: no memory. */
bool tl_gltf_copy(gltf_decoder *d, trilo_str text, trilo_str *out);
bool tl_gltf_name(gltf_decoder *d, const tl_json *object, trilo_str *out);
/* extras and extensions of an object as text, but for members with one of these keys (NULL behind the last). */
bool tl_gltf_extras(gltf_decoder *d, const tl_json *object, const char *const *skip, trilo_extras *out);
/* Is it that string? */
bool tl_gltf_is(const tl_json *value, const char *text);

/* The scene that is shown; NULL: there is none, and all nodes count. */
const tl_json *tl_gltf_shown_scene(const gltf_file *file);

/* --- the parts --- */

bool tl_gltf_decode_nodes(gltf_decoder *d);
bool tl_gltf_decode_skins(gltf_decoder *d);
bool tl_gltf_decode_materials(gltf_decoder *d);
bool tl_gltf_decode_meshes(gltf_decoder *d);
bool tl_gltf_decode_clips(gltf_decoder *d);

/* --- textures: gltf_decode_texture.c --- */

typedef struct gltf_textures gltf_textures;

gltf_textures *tl_gltf_textures_new(gltf_decoder *d);
/* The model's texture for a texture of the file: TRILO_NONE when there is no picture. False: no memory. */
bool tl_gltf_texture(gltf_decoder *d, gltf_textures *textures, uint32_t index, uint32_t *out);
/* A texture that shows an image of the file, for a tile of the console. False: no memory. */
bool tl_gltf_picture(gltf_decoder *d, gltf_textures *textures, uint32_t image, uint32_t *out);
/* The model's texture with that path on the console, one for all that name it. False: no memory. */
bool tl_gltf_texture_at(gltf_decoder *d, gltf_textures *textures, const char *path, uint32_t width, uint32_t height,
                        uint32_t *out);

/* --- pictures of a material: gltf_decode_pbr.c --- */

/* Where a material has its colour; NULL: nowhere. */
typedef struct gltf_paint {
    const tl_json *factor, *texture;
} gltf_paint;

gltf_paint tl_gltf_paint_of(const tl_json *material);
gltf_uv_use tl_gltf_uv_use_of(const tl_json *info); /* of a texture of a material; NULL: as they are */
/* Which texture coordinates a mesh gets: those of the colour, else the set of the first map, left alone. */
gltf_uv_use tl_gltf_leading(const tl_json *material);
/* A map of a material; NULL: it has none. *fits: the texture coordinates that the mesh gets serve it as well. */
const tl_json *tl_gltf_map(const tl_json *material, trilo_map_kind kind, bool *fits);
/* *pbr NULL: there is nothing beside the colour. False: no memory. */
bool tl_gltf_decode_pbr(gltf_decoder *d, gltf_textures *textures, const tl_json *material, const trilo_pbr **pbr);

/* --- N64 materials: gltf_decode_n64.c --- */

/* The state that Fast64, or a writer of ours, left with a material; *n64 NULL: neither did. False: no memory. */
bool tl_gltf_decode_n64(gltf_decoder *d, gltf_textures *textures, const tl_json *material,
                        const trilo_n64_material **n64);

/* The picture that Fast64 calls so, and what the game is to call it; false: there is none, and only the path is filled.
 * A name from the root of the disk is a path that is taken as it is, unseen. */
bool tl_gltf_find_image(const gltf_file *file, trilo_str name, trilo_found_image *found);

/* --- shapes: gltf_decode_shape.c --- */

bool tl_gltf_decode_shape(gltf_decoder *d, const tl_json *primitive, gltf_shape *shape);

/* An attribute of a primitive or of a morph target. */
typedef struct gltf_attribute {
    uint32_t accessor; /* TRILO_NONE: none */
    uint32_t least;    /* numbers that an element must have at least */
    uint32_t width;    /* numbers of the result; those that an element does not have are 1 */
    bool normalize;    /* whole numbers are parts of the largest, even if the accessor does not say so */
} gltf_attribute;

/* Its numbers for each vertex of the shape; *out NULL: there is none, or it does not fit. False: no memory. */
bool tl_gltf_floats_of(gltf_decoder *d, const gltf_shape *shape, gltf_attribute attribute, tl_arena *arena,
                       float **out);

/* --- morph targets: gltf_decode_morph.c --- */

/* Positions and normals of a shape that its targets have moved by `weights`, target_count of them. */
bool tl_gltf_morph(gltf_decoder *d, gltf_shape *shape, const float *weights, const float (**positions)[3],
                   const float (**normals)[3]);
/* The weights of a node at rest; target_count of them, from the scratch arena. NULL: no memory. */
const float *tl_gltf_rest_weights(gltf_decoder *d, const gltf_shape *shape, const tl_json *node, const tl_json *mesh);

/* The keys of a channel. */
typedef struct gltf_keys {
    trilo_interpolation interpolation;
    uint32_t count;
    const double *times;
    const float *values; /* `width` numbers a key, three times as many when they are cubic */
    uint32_t width;
} gltf_keys;

/* A track of whole vertices from keys of weights. */
bool tl_gltf_decode_track(gltf_decoder *d, const gltf_keys *keys, uint32_t mesh, trilo_track *out);

#endif
