/* encode.h: what the parts of the encoder share.
 *
 * Each array at the top of the file is written as text of its own while the model is walked, and so is the buffer; at
 * the end they are put together. Running out of memory, or of what a file can hold, sticks: whoever comes after it does
 * nothing, and the last step tells.
 */
#ifndef TL_GLTF_ENCODE_ENCODE_H
#define TL_GLTF_ENCODE_ENCODE_H

#include "base/json_write.h"
#include "formats/gltf/gltf.h"

/* What bytes of the buffer are for. */
typedef enum gltf_use {
    GLTF_FOR_VERTICES,
    GLTF_FOR_POSITIONS, /* vertices with their least and largest values */
    GLTF_FOR_INDICES,
    GLTF_FOR_TIMES, /* with their least and largest values */
    GLTF_FOR_NUMBERS,
    GLTF_FOR_IMAGES
} gltf_use;

/* What an accessor says about its bytes. */
typedef struct gltf_numbers {
    gltf_use use;
    gltf_component component;
    uint32_t count, width; /* elements; numbers in each, 16 for a matrix */
} gltf_numbers;

/* Bytes of the buffer that can be shared by whoever has the same for the same use. */
typedef struct gltf_stored {
    gltf_numbers numbers;
    uint32_t hash;
    size_t at, size;
    uint32_t view, accessor; /* TRILO_NONE: no accessor of its own */
} gltf_stored;

typedef struct gltf_data {
    uint8_t *bytes;
    size_t size, room; /* size is always a multiple of 4 */
    uint32_t stored_count, stored_room;
    gltf_stored *stored;
    uint32_t *table, mask; /* of stored, by hash: index + 1, 0: free */
} gltf_data;

/* A node of the file. The first ones are the model's, with the same numbers. */
typedef struct gltf_node {
    trilo_str name;
    uint32_t parent; /* TRILO_NONE: a root */
    uint32_t mesh, skin;
    trilo_quat rotation; /* of a node that the model does not have */
} gltf_node;

enum { GLTF_MOST_EXTENSIONS = 64 };

typedef struct gltf_encoder {
    const trilo_model *model;
    const trilo_write_opts *opts;
    tl_arena *arena;
    tl_report *losses;
    trilo_error *err;
    bool failed, told; /* told: *err says why; otherwise memory ran out */
    bool text;         /* a .gltf */
    float meter;       /* metres of a unit of the model */

    gltf_data data;
    tl_json_writer arrays[GLTF_ARRAY_COUNT]; /* their elements */
    uint32_t counts[GLTF_ARRAY_COUNT];
    trilo_str extensions[GLTF_MOST_EXTENSIONS]; /* those that are used */
    uint32_t extension_count;
    uint32_t beside_count, beside_room;
    gltf_beside *beside;

    uint32_t node_count, node_room;
    gltf_node *nodes;
    bool *moved;                   /* of each node of the model: a clip moves it */
    uint32_t *inner;               /* of each node of the model: the one that carries its children, meshes and joints */
    uint32_t *skin_of;             /* of each skin of the model: its number in the file, TRILO_NONE: none */
    bool *skin_unbound;            /* of each skin: some of its vertices have no weight */
    uint32_t neutral_bone;         /* the node they follow; TRILO_NONE: none is needed yet */
    uint32_t *texture_of;          /* of each texture: its number in the file, TRILO_NONE: it has no picture */
    uint32_t samplers[18];         /* number + 1 of each kind, 0: not written yet */
    uint32_t *mesh_node;           /* of each mesh: the node that shows it, TRILO_NONE: left out */
    struct gltf_frame_row *frames; /* all frames of all tracks */
    uint32_t frame_count, next_frame;
    struct gltf_morph *morphs; /* of each mesh: which of them differ */
} gltf_encoder;

/* --- gltf_encode.c --- */

/* Fails for good with that rule, unless something failed before. */
void tl_gltf_encode_fail(gltf_encoder *e, const trilo_rule *rule, trilo_code code, const char *text);
void *tl_gltf_copy_text(gltf_encoder *e, void *memory); /* as it is; NULL fails for good */

/* Begins an element of an array: the caller writes members and closes it with '}'. *index is its number. */
tl_json_writer *tl_gltf_begin(gltf_encoder *e, gltf_array array, uint32_t *index);
void tl_gltf_put_name(tl_json_writer *w, trilo_str name); /* a member, unless it is empty */
void tl_gltf_put_index(tl_json_writer *w, const char *key, uint32_t index);

/* --- gltf_encode_data.c --- */

/* Room for that many bytes at the end of the buffer, aligned to 4; NULL: failed. Nothing else may be added before one
 * of the functions below has taken them. */
void *tl_gltf_room(gltf_encoder *e, size_t count, size_t each);
/* What was put into the room, as an accessor. Floats and 16 and 32-bit numbers are there as the machine has them; what
 * is not finite becomes 0 and is told. TRILO_NONE: failed. */
uint32_t tl_gltf_accessor_of(gltf_encoder *e, gltf_numbers numbers);
/* Plain bytes as a buffer view; numbers say how many of which size. */
uint32_t tl_gltf_view_of(gltf_encoder *e, gltf_numbers numbers);

/* --- gltf_encode_texture.c --- */

void tl_gltf_put_buffer_uri(gltf_encoder *e, tl_json_writer *w); /* of a .gltf */

/* --- gltf_encode_notes.c --- */

/* The members "extras" and "extensions": what the source had, behind what is ours (NULL: nothing): the console's state,
 * and an extension without members. */
void tl_gltf_put_extras(gltf_encoder *e, tl_json_writer *w, trilo_str notes, const tl_json_writer *state);
void tl_gltf_put_extensions(gltf_encoder *e, tl_json_writer *w, trilo_str notes, const char *own);
/* Lists it among those that the file uses; false: there are too many. */
bool tl_gltf_use_extension(gltf_encoder *e, trilo_str name);

/* --- gltf_encode_pbr.c --- */

/* The members of a material: "pbrMetallicRoughness", and the maps. `view` is what any program can show. */
void tl_gltf_put_pbr(gltf_encoder *e, tl_json_writer *w, const trilo_material *view);
/* Does the material show a picture? Then its meshes need texture coordinates. */
bool tl_gltf_shows_picture(const gltf_encoder *e, const trilo_material *material);
/* A material of the console that came without a plain view gets one from its state. */
trilo_material tl_gltf_plain_view(const trilo_material *from);

/* --- the others: each writes arrays of its own --- */

void tl_gltf_encode_textures(gltf_encoder *e);
void tl_gltf_encode_materials(gltf_encoder *e);
void tl_gltf_encode_meshes(gltf_encoder *e);
void tl_gltf_encode_skins(gltf_encoder *e);
void tl_gltf_encode_clips(gltf_encoder *e);

/* Nodes: first the model's; then whoever needs more adds them; then all are written, with the scene. */
void tl_gltf_start_nodes(gltf_encoder *e);
uint32_t tl_gltf_add_node(gltf_encoder *e, trilo_str name, uint32_t parent); /* TRILO_NONE: failed */
void tl_gltf_encode_nodes(gltf_encoder *e);

/* The nearest rotations and scale such that m = translation * outer * scale * inner, of any matrix without a bottom
 * row of its own. */
void tl_gltf_split(const trilo_mat4 *m, trilo_quat *outer, trilo_vec3 *scale, trilo_quat *inner);

/* Frames: those that differ are targets of the mesh's primitive, and each track is a channel that shows them. Tracks
 * come in the order of the clips. */
void tl_gltf_start_frames(gltf_encoder *e);
bool tl_gltf_has_frames(const gltf_encoder *e, uint32_t mesh);
void tl_gltf_put_targets(gltf_encoder *e, tl_json_writer *w, uint32_t mesh);

/* glTF wants normals of length 1: one without a direction points along z. False: it had none. */
bool tl_gltf_normal(const float from[3], float to[3]);
/* Does any normal of the mesh have a direction? */
bool tl_gltf_has_normals(const trilo_mesh *mesh);

/* Keys that a file can hold: float times that rise from 0 on. `from` says which of the source each is; the last one
 * comes twice when it is held to the end. */
typedef struct gltf_key_list {
    uint32_t count;
    uint32_t *from;
    uint32_t times; /* accessor */
} gltf_key_list;

/* A clip while it is written. */
typedef struct gltf_clip {
    tl_json_writer samplers, channels;
    uint32_t sampler_count;
    uint32_t lost; /* keys */
    double until;  /* a key is to hold the end until then; 0: none */
    double ends;   /* before its last key; 0: with it */
} gltf_clip;

bool tl_gltf_keys(gltf_encoder *e, gltf_clip *clip, const double *times, uint32_t count, gltf_key_list *out);
void tl_gltf_put_channel(gltf_clip *clip, uint32_t input, uint32_t output, trilo_interpolation interpolation,
                         uint32_t node, const char *path);
void tl_gltf_put_track(gltf_encoder *e, gltf_clip *clip, const trilo_track *track);

#endif
