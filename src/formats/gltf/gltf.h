/* gltf.h: a glTF 2.0 file in memory.
 *
 *   .gltf:  JSON text; buffers and images are companion files or data URIs
 *   .glb:   header | JSON chunk | binary chunk
 *
 * The JSON stays as it was read, and every value has its byte offset in the file. The top-level arrays are also kept as
 * tables. Numbers in buffers are read through accessors only, by the check and the decoder alike.
 *
 * Quoted section titles in comments are those of the glTF 2.0 specification (Khronos Group, version 2.0.1).
 */
#ifndef TL_FORMATS_GLTF_GLTF_H
#define TL_FORMATS_GLTF_GLTF_H

#include "base/json.h"
#include "layout/layout.h"
#include "model/expansion.h"
#include "model/format_ops.h"
#include <string.h>

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

typedef struct gltf_buffer {
    trilo_bytes bytes;   /* byteLength of them; data NULL: missing, too short, or a fallback without bytes */
    const char *problem; /* static sentence; NULL: none */
    int rule;            /* of the problem: a gltf_rule_id */
    trilo_str uri;       /* relative path of the companion file; "": embedded */
    bool fallback;       /* of EXT_meshopt_compression: needs no bytes */
} gltf_buffer;

typedef struct gltf_buffer_view {
    trilo_bytes bytes;   /* decompressed; data NULL: not available */
    uint32_t stride;     /* 0: tightly packed */
    const char *problem; /* as above */
    int rule;
    bool compressed; /* with EXT_meshopt_compression */
} gltf_buffer_view;

typedef struct gltf_image {
    trilo_bytes bytes;   /* size 0: not available */
    const char *problem; /* as above */
    int rule;
    trilo_str uri; /* decoded relative path; "": embedded */
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
    uint32_t count, width; /* elements; components of each: 1 to 4 for SCALAR to VEC4, 4, 9, 16 for matrices */
    bool matrix, normalized;
    gltf_component component;
    const uint8_t *data; /* NULL: zeros */
    size_t stride;
    uint32_t sparse_count;
    gltf_component sparse_index_component;
    const uint8_t *sparse_indices, *sparse_values; /* packed */
} gltf_accessor;

typedef struct gltf_accessor_entry {
    gltf_accessor accessor;
    const char *problem; /* static sentence; NULL: the accessor can be read */
} gltf_accessor_entry;

/* A companion file: one that was found when reading, one to write after encoding. */
typedef struct gltf_companion {
    const char *name; /* relative path with '/', no ".." */
    trilo_bytes bytes;
} gltf_companion;

typedef struct gltf_file {
    trilo_bytes bytes; /* the whole input; NULL for a file that was encoded */
    const trilo_load_opts *opts;
    bool binary;      /* .glb */
    size_t size;      /* of the file; the header of a .glb may have a smaller one */
    trilo_bytes json; /* the text */
    uint64_t json_at; /* byte of the file where it starts */
    trilo_bytes bin;  /* the binary chunk of a .glb; size 0: none */
    const tl_json *root;
    gltf_table tables[GLTF_ARRAY_COUNT];
    gltf_buffer *buffers; /* one for each entry of its table; so are the next three */
    gltf_buffer_view *buffer_views;
    gltf_image *images;
    gltf_accessor_entry *accessors;
    /* Encoding fills binary, json, bin (of a .glb) and the companions: the buffer of a .gltf, images. */
    uint32_t companion_count;
    gltf_companion *companions;
} gltf_file;

/* The byte of the file where a value starts. */
static inline uint64_t tl_gltf_at(const gltf_file *file, const tl_json *value)
{
    return value ? file->json_at + value->at : TRILO_NOWHERE;
}

/* --- text --- */

static inline bool gltf_str_is(trilo_str text, const char *other)
{
    return text.len == strlen(other) && memcmp(text.data, other, text.len) == 0;
}

static inline bool gltf_str_begins(trilo_str text, const char *prefix)
{
    return text.len >= strlen(prefix) && memcmp(text.data, prefix, strlen(prefix)) == 0;
}

/* The value of a hexadecimal digit; -1: not a digit. */
static inline int gltf_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* --- references --- */

/* The index that a value is; TRILO_NONE when there is none (NULL). *bad (may be NULL) is true, and the result
 * TRILO_NONE, when the value is not an integer below the count of the array. */
static inline uint32_t tl_gltf_index_of(const gltf_file *file, const tl_json *value, gltf_array array, bool *bad)
{
    uint32_t index = TRILO_NONE;
    const bool good = !value || (tl_json_uint(value, &index) && index < file->tables[array].count);
    if (bad)
        *bad = !good;
    return good ? index : TRILO_NONE;
}

/* The same for member `key` of `object`. */
static inline uint32_t tl_gltf_index(const gltf_file *file, const tl_json *object, const char *key, gltf_array array,
                                     bool *bad)
{
    return tl_gltf_index_of(file, tl_json_member(object, key), array, bad);
}
/* NULL when the index is out of range. */
const tl_json *tl_gltf_item(const gltf_file *file, gltf_array array, uint32_t index);
/* object.extensions.NAME: NULL when there is none. */
const tl_json *tl_gltf_extension(const tl_json *object, const char *name);

/* KHR_node_visibility: true if the node, and with it its descendants, is hidden. */
static inline bool tl_gltf_is_hidden(const tl_json *node)
{
    return !tl_json_bool(tl_json_member(tl_gltf_extension(node, "KHR_node_visibility"), "visible"), true);
}

/* --- accessors --- */

/* Returns what is wrong with it, as a static sentence; NULL: nothing, and all of *out can be read. Sparse indices are
 * strictly increasing and below the count. */
const char *tl_gltf_accessor(const gltf_file *file, uint32_t index, gltf_accessor *out);

/* The problem of a buffer view without bytes, and of an accessor on it: the buffer reports its own. */
extern const char tl_gltf_no_bytes[];
size_t tl_gltf_component_size(uint32_t component); /* 0: not a componentType */
/* The largest of its integers (0 for floats), and the first element with an infinity or NaN (TRILO_NONE: none). */
typedef struct gltf_bounds {
    bool known; /* the accessor is neither sparse nor empty, and all is finite */
    double min[16], max[16];
} gltf_bounds;
void tl_gltf_accessor_scan(const gltf_accessor *accessor, uint32_t *max, uint32_t *non_finite, gltf_bounds *bounds);

/* Where the components of an element are. */
typedef struct gltf_element_layout {
    uint8_t at[16];      /* byte of each component */
    size_t size, packed; /* to the end of the last component; to the next element when tightly packed */
} gltf_element_layout;
gltf_element_layout tl_gltf_element_layout(const gltf_accessor *accessor);

/* Goes through the elements of an accessor in order, sparse values included, in constant time for each. */
typedef struct gltf_cursor {
    const gltf_accessor *accessor;
    gltf_element_layout layout;
    uint32_t next, sparse; /* element; sparse value */
} gltf_cursor;
gltf_cursor tl_gltf_cursor(const gltf_accessor *accessor);
/* The components as they are stored, not normalized. False: there is no further element. */
bool tl_gltf_cursor_next(gltf_cursor *cursor, double out[16]);

/* All elements as floats: `stride` floats from one to the next, at most `stride` components of each. Integers are
 * normalized when the accessor says so, or `normalize`. */
void tl_gltf_floats(const gltf_accessor *accessor, bool normalize, float *out, uint32_t stride);
/* One element, at most `room` components. Searches the sparse indices: O(log n). */
void tl_gltf_element(const gltf_accessor *accessor, uint32_t index, bool normalize, float *out, uint32_t room);
/* All elements as integers; the accessor must not be F32. */
void tl_gltf_uints(const gltf_accessor *accessor, uint32_t *out, uint32_t stride);

/* --- images --- */

/* The bytes of an image: from a buffer view, a data URI or a companion file. Size 0 when they are not available. `uri`
 * gets the decoded relative path of a companion file, else "". They live as long as the file and its input. */
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
    /* conformance: what the specification forbids, but can be read */
    GLTF_R_TYPE,
    GLTF_R_PROPERTY,
    GLTF_R_RANGE,
    GLTF_R_EMPTY_LIST,
    GLTF_R_DUPLICATE,
    GLTF_R_REFERENCE,
    GLTF_R_UNDECLARED,
    GLTF_R_ALIGNMENT,
    GLTF_R_USAGE,
    GLTF_R_FORMAT,
    GLTF_R_BOUNDS,
    GLTF_R_FLOAT,
    GLTF_R_UNIT,
    GLTF_R_COLOR,
    GLTF_R_WEIGHTS,
    GLTF_R_RESTART,
    GLTF_R_SEMANTIC,
    GLTF_R_MORPH,
    GLTF_R_TEXCOORD,
    GLTF_R_TRANSFORM,
    GLTF_R_BIND,
    GLTF_R_SKELETON,
    GLTF_R_SCENE,
    GLTF_R_CAMERA,
    GLTF_R_MIME,
    GLTF_R_IMAGE_URI,
    GLTF_R_IMAGE_DATA,
    /* losses: what the model cannot hold */
    GLTF_R_LOST_POINTS,
    GLTF_R_LOST_CAMERAS,
    GLTF_R_LOST_LIGHTS,
    GLTF_R_LOST_SCENES,
    GLTF_R_LOST_HIDDEN,
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
    GLTF_R_FAST64_UNUSED,
    /* encoding */
    GLTF_R_ENC_NAN,
    GLTF_R_ENC_CHUNKS,
    GLTF_R_ENC_SHEAR,
    GLTF_R_ENC_NORMALS,
    GLTF_R_ENC_KEYS,
    GLTF_R_ENC_TEXTURE,
    GLTF_R_ENC_EXTRAS,
    GLTF_R_ENC_EMPTY,
    GLTF_RULE_COUNT
};
extern const trilo_rule tl_gltf_rules[GLTF_RULE_COUNT];

static inline const trilo_rule *gltf_rule(int id)
{
    return &tl_gltf_rules[id];
}

/* --- steps of reading --- */

/* file/accessor.c: resolves all accessors. False: no memory. */
bool tl_gltf_load_accessors(gltf_file *file, tl_arena *arena);
/* file/buffers.c: fills buffers, buffer views, images, accessors and companions. Problems are kept for the check; fails
 * only without memory, or when compressed views expand to more than the limit. */
bool tl_gltf_load_buffers(gltf_file *file, tl_arena *arena, tl_expansion *expansion, trilo_error *err);

/* file/expansion.c: counts what the file becomes. Fails above the limit, or without memory. */
bool tl_gltf_count(const gltf_file *file, tl_arena *arena, tl_expansion *expansion, trilo_error *err);
enum { GLTF_SPLINE_RATE = 60 }; /* samples per second of a cubic spline of morph weights */

/* file/uri.c: true if it is "data:..." */
bool tl_gltf_is_data(trilo_str uri);
/* The bytes of a data URI; data NULL: *problem says why, or is NULL when memory ran out. */
trilo_bytes tl_gltf_data_uri(trilo_str uri, tl_arena *arena, const char **problem);
/* The relative path of a URI, percent-decoded; data NULL: as above. */
trilo_str tl_gltf_relative_path(trilo_str uri, tl_arena *arena, const char **problem);

/* file/meshopt.c: EXT_meshopt_compression and KHR_meshopt_compression, which is the same with more encodings. */
typedef struct gltf_meshopt_view {
    trilo_bytes bytes;      /* compressed */
    uint32_t count, stride; /* of the result */
    trilo_str mode, filter;
} gltf_meshopt_view;
bool tl_gltf_has_meshopt(void);
/* The extension object of a buffer or buffer view, by either name; NULL: none. */
const tl_json *tl_gltf_meshopt(const tl_json *object);
/* file/meshopt_v1.c: a stream of version 1; `out` has room for count * stride bytes, the stride is a multiple of 4 up
 * to 256. False: it is damaged. */
bool tl_gltf_meshopt_decode_v1(uint8_t *out, uint32_t count, uint32_t stride, trilo_bytes bytes);
void tl_gltf_meshopt_decode_color(uint8_t *bytes, uint32_t count, uint32_t stride); /* the stride is 4 or 8 */
/* count * stride bytes; data NULL: as above. */
trilo_bytes tl_gltf_meshopt_decode(const gltf_meshopt_view *view, tl_arena *arena, const char **problem);

/* The chunks of a .glb in order: *at starts behind the header. Whole chunks only; false at the end. */
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
extern const tl_description tl_gltf_description;

extern const tl_format tl_format_gltf;

#endif
