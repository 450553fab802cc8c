/* gltf.h: a glTF 2.0 file in memory.
 *
 *   .gltf:  JSON text; buffers and images beside it or inside as data URIs
 *   .glb:   header | JSON chunk | binary chunk
 *
 * The JSON stays as it was read, value by value with its byte in the file: nothing is dropped before somebody looks at
 * it. The top-level arrays are at hand as tables. Whoever wants numbers of a buffer asks for an accessor: that is the
 * one place where strides, offsets, sparse parts and sizes are looked at, for the check and for the decoder alike.
 */
#ifndef TL_FORMATS_GLTF_GLTF_H
#define TL_FORMATS_GLTF_GLTF_H

#include "base/json.h"
#include "layout/layout.h"
#include "model/format_ops.h"

enum { GLTF_VERSION = 2 };
enum { GLB_MAGIC = 0x46546C67, GLB_JSON = 0x4E4F534A, GLB_BIN = 0x004E4942 };

typedef struct glb_header {
    uint32_t magic, version, length;
} glb_header;

typedef struct glb_chunk {
    uint32_t length, type;
} glb_chunk;

extern const tl_layout tl_glb_header, tl_glb_chunk;

/* The arrays at the top of a file. */
typedef enum gltf_array {
    GLTF_ACCESSORS,
    GLTF_ANIMATIONS,
    GLTF_BUFFERS,
    GLTF_BUFFER_VIEWS,
    GLTF_CAMERAS,
    GLTF_IMAGES,
    GLTF_MATERIALS,
    GLTF_MESHES,
    GLTF_NODES,
    GLTF_SAMPLERS,
    GLTF_SCENES,
    GLTF_SKINS,
    GLTF_TEXTURES,
    GLTF_ARRAY_COUNT
} gltf_array;

const char *tl_gltf_array_name(gltf_array array); /* "bufferViews" */

typedef struct gltf_table {
    uint32_t count;
    const tl_json **items;
} gltf_table;

/* A buffer: bytes NULL when it could not be had, or is shorter than it says. */
typedef struct gltf_buffer {
    trilo_bytes bytes;   /* as many as `byteLength` says */
    const char *problem; /* static sentence; NULL: fine */
    int rule;            /* of the problem: a gltf_rule_id */
    trilo_str uri;       /* where it was looked for; "": it is embedded */
    bool fallback;       /* stands for what is compressed: it needs no bytes */
} gltf_buffer;

typedef struct gltf_view {
    trilo_bytes bytes;   /* decompressed where that was needed; NULL: it could not be had */
    uint32_t stride;     /* 0: packed */
    const char *problem; /* as above */
    int rule;
    bool compressed;
} gltf_view;

typedef struct gltf_image {
    trilo_bytes bytes;   /* size 0: could not be had */
    const char *problem; /* as above */
    int rule;
    trilo_str uri; /* decoded relative path; "": it is embedded */
} gltf_image;

typedef enum gltf_component {
    GLTF_S8 = 5120,
    GLTF_U8 = 5121,
    GLTF_S16 = 5122,
    GLTF_U16 = 5123,
    GLTF_U32 = 5125,
    GLTF_F32 = 5126
} gltf_component;

typedef struct gltf_accessor {
    const tl_json *json;
    uint32_t count, width; /* elements; numbers in each: 1 to 4 for SCALAR to VEC4, 4, 9, 16 for matrices */
    bool matrix, normalized;
    gltf_component component;
    const uint8_t *data; /* NULL: zeros */
    size_t stride;
    uint32_t sparse_count;
    gltf_component sparse_index_component;
    const uint8_t *sparse_indices, *sparse_values; /* packed */
} gltf_accessor;

/* An accessor that was looked at: what is wrong with it, NULL: nothing. */
typedef struct gltf_looked_at {
    gltf_accessor accessor;
    const char *problem;
} gltf_looked_at;

/* A file that lies beside: of a file that was read, one that was found; of an encoded one, one that is to be written.
 */
typedef struct gltf_beside {
    const char *name; /* relative path with '/', no ".." */
    trilo_bytes bytes;
} gltf_beside;

typedef struct gltf_file {
    trilo_bytes bytes; /* the whole input; NULL for a file that was encoded */
    const trilo_load_opts *opts;
    bool binary;      /* .glb */
    size_t size;      /* bytes that count: the header of a .glb may say less than there are */
    trilo_bytes json; /* the text, and where it starts */
    uint64_t json_at;
    trilo_bytes bin; /* the binary chunk of a .glb; size 0: none */
    const tl_json *root;
    gltf_table tables[GLTF_ARRAY_COUNT];
    gltf_buffer *buffers; /* one for each of GLTF_BUFFERS; so are the others */
    gltf_view *views;
    gltf_image *images;
    gltf_looked_at *accessors;
    /* An encoded file fills: binary, json, bin (.glb) and these (.gltf: its buffer, and images). */
    uint32_t beside_count;
    gltf_beside *beside;
} gltf_file;

/* The byte in the file where a value stands. */
static inline uint64_t tl_gltf_at(const gltf_file *file, const tl_json *value)
{
    return value ? file->json_at + value->at : TRILO_NOWHERE;
}

/* --- references --- */

/* The index that member `key` of `object` holds: TRILO_NONE when there is no such member. An index that is no whole
 * number below the count answers TRILO_NONE too; *bad (NULL is fine) then is true. */
uint32_t tl_gltf_index(const gltf_file *file, const tl_json *object, const char *key, gltf_array array, bool *bad);
/* The index-th item of an array: NULL when there is none. */
const tl_json *tl_gltf_item(const gltf_file *file, gltf_array array, uint32_t index);
/* object.extensions.NAME: NULL when there is none. */
const tl_json *tl_gltf_extension(const tl_json *object, const char *name);

/* --- accessors --- */

/* What is wrong with it, as a static sentence; NULL: nothing, and *out can be read to its end. Sparse indices are
 * looked at too: they rise and are below the count. */
const char *tl_gltf_accessor(const gltf_file *file, uint32_t index, gltf_accessor *out);

/* The problem of a view without bytes, and of an accessor on one: the buffer's own problem is told already. */
extern const char tl_gltf_no_bytes[];
size_t tl_gltf_component_size(gltf_component component);
/* Reads through it: the largest of its whole numbers (0 for floats), and the first element with an infinity or
 * not-a-number (TRILO_NONE: none). */
void tl_gltf_survey(const gltf_accessor *accessor, uint32_t *most, uint32_t *broken);

/* All elements as floats, `stride` floats from one to the next, at most `stride` of each; integers are divided when
 * they are normalised (or `normalize`). Columns of matrices of small components are unpadded. */
void tl_gltf_floats(const gltf_accessor *accessor, bool normalize, float *out, uint32_t stride);
/* One element: a sparse part is searched, so that all of them take n log n. */
void tl_gltf_element(const gltf_accessor *accessor, uint32_t index, bool normalize, float *out, uint32_t room);
/* All elements as whole numbers; the accessor must not be F32. */
void tl_gltf_uints(const gltf_accessor *accessor, uint32_t *out, uint32_t stride);

/* --- images and other bytes --- */

/* The bytes of an image: embedded, a data URI, or from beside the file. Size 0 when they cannot be had. `uri` gets the
 * decoded relative path where there is one, else "". They live as long as the file, or its input. */
trilo_bytes tl_gltf_image(const gltf_file *file, uint32_t index, trilo_str *uri);

/* --- the format --- */

enum gltf_rule_id {
    GLTF_R_TRUNCATED,
    GLTF_R_MAGIC,
    GLTF_R_VERSION,
    GLTF_R_CHUNK,
    GLTF_R_JSON,
    GLTF_R_ASSET,
    GLTF_R_STRUCTURE,
    GLTF_R_REQUIRED,
    GLTF_R_DRACO,
    GLTF_R_MESHOPT,
    GLTF_R_URI,
    GLTF_R_BUFFER,
    GLTF_R_MISSING,
    GLTF_R_VIEW,
    GLTF_R_STRIDE,
    GLTF_R_ACCESSOR,
    GLTF_R_INDEX,
    GLTF_R_ATTRIBUTE,
    GLTF_R_LEFTOVER,
    GLTF_R_NAN,
    GLTF_R_NODE,
    GLTF_R_CYCLE,
    GLTF_R_DEPTH,
    GLTF_R_SKIN,
    GLTF_R_ANIMATION,
    GLTF_R_KEYS,
    GLTF_R_IMAGE,
    GLTF_R_MATERIAL,
    GLTF_R_EXTENSION,
    GLTF_R_EMPTY,
    GLTF_R_TRAILING,
    GLTF_R_PADDING,
    /* what the neutral model does not hold */
    GLTF_R_LOST_POINTS,
    GLTF_R_LOST_CAMERAS,
    GLTF_R_LOST_LIGHTS,
    GLTF_R_LOST_SCENES,
    GLTF_R_LOST_INFLUENCES,
    GLTF_R_LOST_UVS,
    GLTF_R_LOST_COLORS,
    GLTF_R_LOST_TANGENTS,
    GLTF_R_LOST_CHANNEL,
    GLTF_R_LOST_INSTANCES,
    GLTF_R_LOST_MAPS,
    /* Fast64 */
    GLTF_R_FAST64,
    GLTF_R_FAST64_TEXTURE,
    GLTF_R_FAST64_EMPTY,
    /* of encoding */
    GLTF_R_ENC_NAN,
    GLTF_R_ENC_CHUNKS,
    GLTF_R_ENC_SHEAR,
    GLTF_R_ENC_NORMALS,
    GLTF_R_ENC_KEYS,
    GLTF_R_ENC_TEXTURE,
    GLTF_R_ENC_NOTES,
    GLTF_R_ENC_EMPTY,
    GLTF_RULE_COUNT
};
extern const trilo_rule tl_gltf_rules[GLTF_RULE_COUNT];

static inline const trilo_rule *gltf_rule(int id)
{
    return &tl_gltf_rules[id];
}

/* --- steps of reading --- */

/* gltf_accessor.c: looks at all of them, once. False: no memory. */
bool tl_gltf_load_accessors(gltf_file *file, tl_arena *arena);
/* gltf_buffers.c: fills buffers, views, images and what lies beside. What is missing or out of bounds is remembered for
 * the check; false only without memory. */
bool tl_gltf_load_bytes(gltf_file *file, tl_arena *arena);
/* gltf_uri.c: is it "data:..."? */
bool tl_gltf_is_data(trilo_str uri);
/* The bytes of a data URI; NULL data: `*problem` says why, or memory ran out (NULL). */
trilo_bytes tl_gltf_data_uri(trilo_str uri, tl_arena *arena, const char **problem);
/* The relative path that a URI means, without its percent signs; data NULL: `*problem` says why not, or memory ran out
 * (NULL). */
trilo_str tl_gltf_relative(trilo_str uri, tl_arena *arena, const char **problem);
/* gltf_meshopt.c: what EXT_meshopt_compression made of `count` elements; data NULL: `*problem` says why. */
typedef struct gltf_packed {
    trilo_bytes bytes;
    uint32_t count, stride;
    trilo_str mode, filter;
} gltf_packed;
bool tl_gltf_has_meshopt(void);
trilo_bytes tl_gltf_unpack(const gltf_packed *packed, tl_arena *arena, const char **problem);

/* The chunks of a .glb, one after the other: *at starts at 0. Only whole ones; false at the end. */
bool tl_glb_next(const gltf_file *file, size_t *at, glb_chunk *chunk, trilo_bytes *content);

void *tl_gltf_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err);
void tl_gltf_check(const void *file, tl_arena *scratch, tl_report *report);
void tl_gltf_write(const void *file, tl_sink *sink);
bool tl_gltf_companion(const void *file, uint32_t index, char *name, size_t room, trilo_bytes *bytes);
bool tl_gltf_decode(const void *file, tl_arena *arena, trilo_model *model, trilo_error *err);
void *tl_gltf_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                     trilo_error *err);
size_t tl_gltf_sections(const void *file, trilo_section *sections, size_t room);
void tl_gltf_visit(const void *file, const trilo_visitor *visitor);
void tl_gltf_reference(tl_sink *sink);

extern const tl_format tl_format_gltf;

#endif
