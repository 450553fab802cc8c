/* nlm.h: an NLM file in memory, record by record.
 *
 *   header | bounds | mesh count | mesh ... | [ clip | bones | tracks | nodes ]
 *
 *   mesh:   counts | vertices ... | indices ... | texture size | texture bytes
 *   track:  head | position keys ... | rotation keys ... | scale keys ...
 *   node:   head | child ids ...
 *
 * The part in brackets exists if the animation flag of the header is 1. Everything is packed, without alignment. Small
 * records are kept as structs; arrays stay as bytes of the file, whether it was read or encoded.
 */
#ifndef TL_FORMATS_NLM_NLM_H
#define TL_FORMATS_NLM_NLM_H

#include "layout/layout.h"
#include "model/format_ops.h"
#include "trilobite/nlm.h"

/* The two forms of the header are the versions of its layout table. */
enum { NLM_HEADER_12 = 1, NLM_HEADER_16 = 2 };
enum { NLM_VERSION = 2 };

/* The character constant 'MODL' stored as a little-endian number: "LDOM" in the file. */
#define NLM_MAGIC         0x4D4F444Cu
#define NLM_MAGIC_SWAPPED 0x4C444F4Du

typedef struct nlm_header {
    uint32_t hash, magic, version, animated;
} nlm_header;

typedef struct nlm_bounds {
    float min[3], max[3];
} nlm_bounds;

typedef struct nlm_mesh_head {
    uint32_t vertex_count, index_count;
} nlm_mesh_head;

typedef struct nlm_mesh {
    nlm_mesh_head head;
    uint32_t texture_size;
    const uint8_t *vertices, *indices, *texture;
} nlm_mesh;

typedef struct nlm_clip {
    float duration;
    int32_t ticks_per_second;
} nlm_clip;

typedef struct nlm_bone {
    int32_t node_id;
    float offset[16];
    int32_t bone_index;
} nlm_bone;

typedef struct nlm_vec_key {
    float time, value[3];
} nlm_vec_key;

typedef struct nlm_quat_key {
    float time, value[4];
} nlm_quat_key;

enum { NLM_POSITION_KEYS, NLM_ROTATION_KEYS, NLM_SCALE_KEYS, NLM_KEY_KINDS };

typedef struct nlm_track_head {
    int32_t node_id, bone_index;
    uint32_t key_counts[NLM_KEY_KINDS];
} nlm_track_head;

typedef struct nlm_track {
    nlm_track_head head;
    const uint8_t *keys[NLM_KEY_KINDS];
} nlm_track;

typedef struct nlm_node_head {
    int32_t node_id;
    float local[16];
    uint32_t child_count;
} nlm_node_head;

typedef struct nlm_node {
    nlm_node_head head;
    uint32_t parent;         /* row of the parent, from the child lists; TRILO_NONE: a root */
    uint32_t depth;          /* number of ancestors; TRILO_NONE: they form a cycle */
    const uint8_t *children; /* ids */
} nlm_node;

typedef struct nlm_file {
    trilo_bytes bytes; /* the whole input; empty for a file that was encoded */
    trilo_nlm_load_opts opts;
    uint32_t max_depth;
    unsigned header_form;
    nlm_header header;
    nlm_bounds bounds;
    uint32_t mesh_count;
    nlm_mesh *meshes;
    size_t clip_at; /* the offset of the animation */
    nlm_clip clip;
    uint32_t bone_count, track_count, node_count;
    size_t bones_at, nodes_at;
    nlm_bone *bones;
    nlm_track *tracks;
    nlm_node *nodes;
    uint32_t *nodes_by_id, *bones_by_index, *tracks_by_node; /* row numbers, sorted */
    bool bones_dense;                                        /* bone indices are 0 to bone_count - 1 */
    size_t end_at;                                           /* the end of the structure; trailing bytes may follow */
} nlm_file;

extern const tl_layout tl_nlm_header, tl_nlm_bounds, tl_nlm_mesh_head, tl_nlm_vertex, tl_nlm_clip, tl_nlm_bone,
    tl_nlm_track_head, tl_nlm_vec_key, tl_nlm_quat_key, tl_nlm_node_head;

/* The size of counts, indices and ids between the records. */
enum { NLM_WORD = 4 };

enum nlm_rule_id {
    NLM_R_TRUNCATED,
    NLM_R_MAGIC,
    NLM_R_VERSION,
    NLM_R_FLAG,
    NLM_R_INDEX_RANGE,
    NLM_R_INDEX_COUNT,
    NLM_R_BONE_ID,
    NLM_R_BONE_NODE,
    NLM_R_BONE_INDEX,
    NLM_R_BONE_DUPLICATE,
    NLM_R_TRACK_NODE,
    NLM_R_TRACK_BONE,
    NLM_R_TRACK_DUPLICATE,
    NLM_R_KEY_ORDER,
    NLM_R_KEY_EQUAL,
    NLM_R_KEY_TIME,
    NLM_R_NODE_DUPLICATE,
    NLM_R_NODE_CHILD,
    NLM_R_NODE_PARENTS,
    NLM_R_NODE_CYCLE,
    NLM_R_NODE_DEPTH,
    NLM_R_NODE_ROOTS,
    NLM_R_NAN,
    NLM_R_WEIGHTS,
    NLM_R_QUAT,
    NLM_R_BOUNDS,
    NLM_R_TICKS,
    NLM_R_DURATION,
    NLM_R_TEXTURE,
    NLM_R_TRAILING,
    NLM_R_EMPTY,
    NLM_R_HEADER_12,
    NLM_R_MAGIC_ORDER,
    NLM_R_LOST_NAMES,
    NLM_R_LOST_CLIPS,
    NLM_R_LOST_FRAMES,
    NLM_R_LOST_NODES,
    NLM_R_EMPTY_CLIP,
    NLM_R_LOST_ALPHA,
    NLM_R_LOST_TEXTURE,
    NLM_R_LOST_MATERIAL,
    NLM_R_LOST_MAPS,
    NLM_R_LOST_KEYS,
    NLM_R_RESAMPLED,
    NLM_R_LOST_SKIN,
    NLM_R_BAKED,
    NLM_R_MADE_NORMALS,
    NLM_RULE_COUNT
};
extern const trilo_rule tl_nlm_rules[NLM_RULE_COUNT];
#define NLM_RULE(id) (&tl_nlm_rules[NLM_R_##id])

/* The offset of a pointer into the bytes of the file. */
static inline uint64_t nlm_offset(const nlm_file *file, const uint8_t *p)
{
    return (uint64_t)(p - file->bytes.data);
}

static inline tl_records nlm_vertices(const nlm_mesh *mesh)
{
    return (tl_records){&tl_nlm_vertex, TL_UNVERSIONED, mesh->vertices, mesh->head.vertex_count};
}

/* The layout of one kind of key: a time and 3 or 4 values. */
static inline const tl_layout *nlm_key_layout(int kind)
{
    return kind == NLM_ROTATION_KEYS ? &tl_nlm_quat_key : &tl_nlm_vec_key;
}

tl_records tl_nlm_keys(const nlm_track *track, int kind);
trilo_topology tl_nlm_topology(const nlm_file *file, const nlm_mesh *mesh);
uint32_t tl_nlm_node_row(const nlm_file *file, int32_t id);       /* TRILO_NONE: not found */
uint32_t tl_nlm_bone_row(const nlm_file *file, int32_t index);    /* TRILO_NONE: not found */
uint32_t tl_nlm_track_row(const nlm_file *file, int32_t node_id); /* the first track of that node, or TRILO_NONE */
bool tl_nlm_index_rows(nlm_file *file,
                       tl_arena *arena); /* makes the sorted rows, parents and depths; false: no memory */

void *tl_nlm_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err);
void tl_nlm_check(const void *file, tl_arena *scratch, tl_report *report);
void tl_nlm_write(const void *file, tl_sink *sink);
bool tl_nlm_decode(const void *file, tl_arena *arena, trilo_model *model, trilo_error *err);
void *tl_nlm_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                    trilo_error *err);
size_t tl_nlm_sections(const void *file, trilo_section *sections, size_t room);
void tl_nlm_visit(const void *file, const trilo_visitor *visitor);
void tl_nlm_reference(tl_sink *sink);
enum { NLM_REFERENCE_COUNT = 10 };
extern const tl_layout *const tl_nlm_reference_order[NLM_REFERENCE_COUNT];
extern const tl_description tl_nlm_description;

extern const tl_format tl_format_nlm;

#endif
