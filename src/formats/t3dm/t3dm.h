/* t3dm.h: a T3DM file in memory, record by record.
 *
 *   header | chunk table | chunks: O... A... B? V I M... S? custom... | string table
 *
 *   O object:    head | parts ...                 A animation: head | mapping of each channel ...
 *   V vertices:  pairs of 32 bytes ...            B bvh:       head | nodes ... | items ...
 *   I indices:   bytes and 16-bit strips ...      S skeleton:  head | bones ...
 *   M material:  one record with two textures
 *
 * Big-endian. Chunks do not store their size: a chunk ends where the next one starts. Small records are kept as
 * structs, V and I as bytes of the file. Every record keeps its offset (`at`), and is written there again.
 */
#ifndef TL_FORMATS_T3DM_T3DM_H
#define TL_FORMATS_T3DM_T3DM_H

#include "formats/t3dm/decode/sdata.h"
#include "layout/layout.h"
#include "model/expansion.h"
#include "model/format_ops.h"
#include "n64/effects.h"
#include "n64/modes.h"
#include "n64/rsp_cost.h"

enum {
    T3DM_V1 = 1,
    T3DM_V2 = 2, /* user block in the header */
    T3DM_V3 = 3, /* strips restart by a flag */
    T3DM_V4 = 4  /* index sequences in the parts */
};

enum {
    T3DM_CACHE = TL_RSP_SLOTS,
    T3DM_STRIPS = 4, /* strips of a part */
    T3DM_NO_BONE = 0xFFFF,
    T3DM_VERTEX_SIZE = TL_RSP_VERTEX_SIZE,
    T3DM_PAIR = 2,          /* vertices are stored and loaded in pairs */
    T3DM_STRING_MOST = 1024 /* with its NUL: more than any real file has, and cheap to check in hostile ones */
};

typedef struct t3dm_header {
    uint8_t magic[3], version;
    uint32_t chunk_count;
    uint16_t vertex_total, index_total;
    uint32_t vertex_chunk, index_chunk, material_chunk; /* rows of the chunk table */
    uint32_t strings_at, user_block;
    int16_t min[3], max[3];
} t3dm_header;

typedef struct t3dm_chunk {
    char type;
    uint32_t at;
    uint32_t size; /* up to the next chunk, padding included */
    uint32_t item; /* index of the object, animation or material; TRILO_NONE: only bytes */
    const uint8_t *bytes;
} t3dm_chunk;

typedef struct t3dm_part {
    uint32_t vertex_at; /* byte in V */
    uint16_t vertex_count, vertex_dest;
    uint32_t index_at; /* byte in I */
    uint16_t index_count, bone;
    uint8_t strip_counts[T3DM_STRIPS];
    uint8_t sequence_base, sequence_count, padding[2];
} t3dm_part;

typedef struct t3dm_object_head {
    uint32_t name;
    uint16_t part_count, triangle_count;
    uint32_t material; /* 0 is the first material */
    uint32_t user_block;
    uint8_t visible, padding, user_values[2];
    int16_t min[3], max[3];
} t3dm_object_head;

typedef struct t3dm_object {
    uint32_t at;
    t3dm_object_head head;
    t3dm_part *parts;
} t3dm_object;

/* Two vertices, interleaved as the RSP loads them. */
typedef struct t3dm_pair {
    int16_t position_a[3];
    uint16_t normal_a;
    int16_t position_b[3];
    uint16_t normal_b;
    uint8_t color_a[4], color_b[4];
    int16_t uv_a[2], uv_b[2];
} t3dm_pair;

typedef struct t3dm_vertex {
    int16_t position[3];
    uint16_t normal; /* 5, 6, 5 bits, signed */
    uint8_t color[4];
    int16_t uv[2]; /* 32 per texel */
} t3dm_vertex;

typedef struct t3dm_axis {
    float low, high;
    int8_t mask, shift;
    uint8_t mirror, clamp;
} t3dm_axis;

typedef struct t3dm_texture {
    uint32_t reference, path, hash, pointer;
    uint16_t width, height;
    t3dm_axis s, t;
} t3dm_texture;

/* The units of texture coordinates: 32 per texel of the first texture (32 texels if its size is unknown), minus half a
 * texel if the material filters. */
enum { T3DM_UV_TEXEL = 32, T3DM_UV_UNKNOWN_SIZE = 32 };

typedef struct t3dm_uv_units {
    double u, v, shift;
} t3dm_uv_units;

static inline t3dm_uv_units t3dm_uv_units_for(uint32_t width, uint32_t height, bool filtered)
{
    return (t3dm_uv_units){(double)T3DM_UV_TEXEL * (width ? width : T3DM_UV_UNKNOWN_SIZE),
                           (double)T3DM_UV_TEXEL * (height ? height : T3DM_UV_UNKNOWN_SIZE),
                           filtered ? T3DM_UV_TEXEL / 2 : 0};
}

typedef struct t3dm_material_head {
    uint64_t combiner, other_mode, other_mask;
    uint32_t blender, draw_flags;
    uint8_t padding, fog, set_flags, vertex_effect;
    uint8_t prim[4], env[4], blend[4];
    uint32_t name;
} t3dm_material_head;

typedef struct t3dm_material {
    uint32_t at;
    bool opaque;     /* a chunk `m`: content of an engine of its own, kept as bytes */
    bool translated; /* a chunk `m` whose layout is known: the members below are what `M` would have */
    trilo_bytes raw; /* of a chunk `m` */
    t3dm_material_head head;
    t3dm_texture textures[2];
    const t3dm_uv_units *uv_units; /* while it is encoded: of the caller; NULL: those of the members above */
    uint32_t assets[2];            /* of a chunk `m` that was translated: rows of t3dm_file.assets, TRILO_NONE: none */
} t3dm_material;

/* An image that materials of Pyrite64 name by its number. */
typedef struct t3dm_asset {
    uint32_t number;
    trilo_asset_source source; /* of what follows */
    bool found;
    uint32_t type, count; /* of the asset; of all assets */
    uint32_t width, height;
    const char *path; /* "rom:/wall.sprite", or "asset:12" when it is not known */
} t3dm_asset;

typedef struct t3dm_skeleton_head {
    uint16_t bone_count, reserved;
} t3dm_skeleton_head;

typedef struct t3dm_bone {
    uint32_t name;
    uint16_t parent, depth;
    float scale[3], rotation[4], position[3];
} t3dm_bone;

enum { T3DM_TRANSLATION, T3DM_SCALE, T3DM_UNIFORM_SCALE, T3DM_ROTATION }; /* t3dm_mapping.type */

typedef struct t3dm_mapping {
    uint16_t bone;
    uint8_t type, axis;
    float scale, offset; /* of a quantized scalar */
} t3dm_mapping;

typedef struct t3dm_animation_head {
    uint32_t name;
    float duration; /* seconds */
    uint32_t key_count;
    uint16_t quat_count, scalar_count;
    uint32_t stream; /* path of the key stream */
} t3dm_animation_head;

typedef struct t3dm_animation {
    uint32_t at;
    t3dm_animation_head head;
    t3dm_mapping *mappings; /* rotations first */
    bool has_stream;        /* the companion file was found */
    trilo_bytes stream;
    tl_sdata keys;                   /* of a stream that was read */
    const trilo_error *stream_error; /* of one that could not be, with keys.broken; NULL: none */
} t3dm_animation;

typedef struct t3dm_bvh_head {
    uint16_t node_count, item_count;
} t3dm_bvh_head;

typedef struct t3dm_bvh_node {
    int16_t min[3], max[3];
    uint16_t value; /* low 4 bits: items of a leaf; the others: a signed offset */
} t3dm_bvh_node;

typedef struct t3dm_bvh {
    uint32_t at;
    t3dm_bvh_head head;
    t3dm_bvh_node *nodes;
    uint16_t *items;
} t3dm_bvh;

typedef struct t3dm_file {
    const trilo_load_opts *opts; /* that it was read with; NULL: it was encoded */
    trilo_bytes bytes;           /* the whole input; empty for a file that was encoded */
    size_t size;                 /* of the whole file */
    uint32_t version;
    t3dm_header header;
    t3dm_chunk *chunks;    /* header.chunk_count of them */
    uint32_t *chunk_order; /* their rows by offset */
    uint32_t object_count, material_count, animation_count;
    t3dm_object *objects;
    t3dm_material *materials;
    uint32_t asset_count;
    t3dm_asset *assets;
    t3dm_animation *animations;
    uint32_t streamed_count;
    uint32_t *streamed; /* the animations whose stream has a name and was found */
    bool has_skeleton, has_bvh;
    uint32_t skeleton_at;
    t3dm_skeleton_head skeleton;
    t3dm_bone *bones;
    t3dm_bvh bvh;
    uint32_t vertices_at, indices_at;
    trilo_bytes vertices, indices, strings; /* V, I and the string table */
} t3dm_file;

extern const tl_layout tl_t3dm_header, tl_t3dm_object_head, tl_t3dm_part, tl_t3dm_pair, tl_t3dm_texture,
    tl_t3dm_material_head, tl_t3dm_skeleton_head, tl_t3dm_bone, tl_t3dm_animation_head, tl_t3dm_mapping,
    tl_t3dm_bvh_head, tl_t3dm_bvh_node;

/* --- packed words --- */

/* An entry of the chunk table: the type in the top 8 bits, the offset below. */
enum { T3DM_TABLE_ENTRY = 4, T3DM_OFFSET_BITS = 24 };

static inline uint32_t t3dm_table_word(char type, uint32_t at)
{
    return (uint32_t)(uint8_t)type << T3DM_OFFSET_BITS | at;
}

static inline uint32_t t3dm_table_offset(uint32_t word)
{
    return word & ((1u << T3DM_OFFSET_BITS) - 1);
}

/* An index of a strip. Bit 15, or in versions 1 and 2 a negative number, starts a new strip. */
static inline uint16_t t3dm_strip_word(uint32_t version, uint32_t slot, bool restart)
{
    return (uint16_t)(!restart ? slot : version >= T3DM_V3 ? slot | 0x8000u : 0xFFFFu - slot);
}

static inline uint32_t t3dm_strip_word_slot(uint32_t version, uint16_t word, bool *restart)
{
    *restart = word > INT16_MAX;
    return !*restart ? word : version >= T3DM_V3 ? word & (uint32_t)INT16_MAX : 0xFFFFu - word;
}

/* A BVH node: the item count of a leaf in the low 4 bits, a signed offset above. */
enum { T3DM_BVH_COUNT_BITS = 4, T3DM_BVH_OFFSET_MOST = 2047 };
/* Bytes from an object to the BVH: Tiny3D stores them as a number of 32-bit words in 16 bits. */
enum { T3DM_BVH_DISTANCE_MOST = UINT16_MAX * 4 };

static inline uint16_t t3dm_bvh_value(uint32_t offset, uint32_t count)
{
    return (uint16_t)(offset << T3DM_BVH_COUNT_BITS | count);
}

static inline uint32_t t3dm_bvh_count(const t3dm_bvh_node *node)
{
    return node->value & ((1u << T3DM_BVH_COUNT_BITS) - 1);
}

static inline int t3dm_bvh_offset(const t3dm_bvh_node *node)
{
    const int value = node->value > INT16_MAX ? node->value - 0x10000 : node->value;
    return (value - (int)t3dm_bvh_count(node)) / (1 << T3DM_BVH_COUNT_BITS); /* exact, so it rounds nowhere */
}

static inline t3dm_uv_units t3dm_uv_units_of(const t3dm_material *material)
{
    const bool known = material && (!material->opaque || material->translated);
    const bool filtered = known && tl_mode_get(material->head.other_mode, TL_MODE_SAMPLING) != TL_SAMPLING_POINT;
    if (material && material->uv_units)
        return *material->uv_units;
    return t3dm_uv_units_for(known ? material->textures[0].width : 0, known ? material->textures[0].height : 0,
                             filtered);
}

/* True if the type is none of those of the format. */
static inline bool t3dm_is_custom(char type)
{
    return type != 'O' && type != 'A' && type != 'B' && type != 'V' && type != 'I' && type != 'M' && type != 'm' &&
           type != 'S';
}

enum t3dm_rule_id {
    T3DM_R_TRUNCATED,
    T3DM_R_MAGIC,
    T3DM_R_LEGACY,
    T3DM_R_VERSION,
    T3DM_R_CHUNK_OFFSET,
    T3DM_R_CHUNK_ORDER,
    T3DM_R_CHUNK_ALIGN,
    T3DM_R_CHUNK_COUNT,
    T3DM_R_CHUNK_INDEX,
    T3DM_R_STRING,
    T3DM_R_STRING_START,
    T3DM_R_TOTALS,
    T3DM_R_TOTAL_VERTICES,
    T3DM_R_BOUNDS,
    T3DM_R_EMPTY,
    T3DM_R_MATERIAL_REF,
    T3DM_R_PART_VERTS,
    T3DM_R_PART_DEST,
    T3DM_R_PART_SOURCE,
    T3DM_R_PART_LIST,
    T3DM_R_PART_BONE,
    T3DM_R_STRIP_SIZE,
    T3DM_R_STRIP_FLAG,
    T3DM_R_STRIP_ROOM,
    T3DM_R_STRIP_SHARED,
    T3DM_R_SEQUENCE,
    T3DM_R_SLOT_EMPTY,
    T3DM_R_SLOT_LOST,
    T3DM_R_SLOT_SPOILED,
    T3DM_R_SLOT_RANGE,
    T3DM_R_TRIANGLE_COUNT,
    T3DM_R_DEGENERATE,
    T3DM_R_UNUSED_VERTS,
    T3DM_R_WASTED_SLOTS,
    T3DM_R_MATERIAL_CULL,
    T3DM_R_MATERIAL_VALUE,
    T3DM_R_MATERIAL_OUTLINE,
    T3DM_R_MATERIAL_FOG,
    T3DM_R_FOREIGN_MATERIAL,
    T3DM_R_PYRITE64_SHORT,
    T3DM_R_PYRITE64_MIXED,
    T3DM_R_PYRITE64_NO_ASSET,
    T3DM_R_PYRITE64_ASSET,
    T3DM_R_PYRITE64_RANK,
    T3DM_R_PYRITE64_STALE,
    T3DM_R_PYRITE64_PLACEHOLDER,
    T3DM_R_PYRITE64_AA,
    T3DM_R_PYRITE64_DEPTH,
    T3DM_R_PYRITE64_LOST,
    T3DM_R_TEXTURE_HASH,
    T3DM_R_HASH_COLLISION,
    T3DM_R_BONE_PARENT,
    T3DM_R_BONE_DEPTH,
    T3DM_R_BONE_VALUE,
    T3DM_R_ANIM_TARGET,
    T3DM_R_ANIM_TYPE,
    T3DM_R_ANIM_ORDER,
    T3DM_R_ANIM_VALUE,
    T3DM_R_ANIM_EMPTY,
    T3DM_R_ANIM_DUPLICATE,
    T3DM_R_STREAM_MISSING,
    T3DM_R_TEXTURE_MISSING,
    T3DM_R_TEXTURE_SIZE,
    T3DM_R_STREAM_LENGTH,
    T3DM_R_STREAM_CHANNEL,
    T3DM_R_STREAM_FLAG,
    T3DM_R_STREAM_COUNT,
    T3DM_R_STREAM_ORDER,
    T3DM_R_STREAM_START,
    T3DM_R_STREAM_KEYS,
    T3DM_R_STREAM_END,
    T3DM_R_BVH_CHILD,
    T3DM_R_BVH_ITEM,
    T3DM_R_BVH_NESTING,
    T3DM_R_BVH_DISTANCE,
    T3DM_R_RANGE_POSITION,
    T3DM_R_RANGE_UV,
    T3DM_R_MOVED_UV,
    T3DM_R_RANGE_COUNT,
    T3DM_R_RANGE_SIZE,
    T3DM_R_RANGE_TIME,
    T3DM_R_RANGE_BVH,
    T3DM_R_LOST_WEIGHTS,
    T3DM_R_SMALL_WEIGHTS,
    T3DM_R_SKIN_FIT,
    T3DM_R_LOST_LINES,
    T3DM_R_LOST_NODES,
    T3DM_R_LOST_EXTRAS,
    T3DM_R_LOST_TEXTURE,
    T3DM_R_LOST_CHUNK,
    T3DM_R_LOST_MAPS,
    T3DM_R_LOST_KEYS,
    T3DM_R_LOST_FRAMES,
    T3DM_R_LOST_POSITIONS,
    T3DM_R_LOST_SHEAR,
    T3DM_R_LOST_CHANNELS,
    T3DM_R_LOST_CLIP,
    T3DM_R_RESAMPLED,
    T3DM_R_TRIMMED,
    T3DM_R_KEYS,
    T3DM_R_KEYS_COARSE,
    T3DM_R_KEYS_SAME,
    T3DM_R_CLIP_RESET,
    T3DM_R_RENAMED,
    T3DM_R_MIRRORED,
    T3DM_R_NO_MATERIAL,
    T3DM_R_MADE_MATERIAL,
    T3DM_R_MADE_NORMALS,
    T3DM_R_MADE_BONE,
    T3DM_R_UNNAMED_MATERIAL,
    T3DM_R_UNNAMED_CLIP,
    T3DM_R_UNNAMED_BONE,
    T3DM_R_NONUNIFORM_SCALE,
    T3DM_R_REOPTIMIZED,
    T3DM_R_REORDERED,
    T3DM_R_DROPPED,
    T3DM_R_TEXTURE_SHRUNK,
    T3DM_R_TEXTURE_UNKNOWN,
    T3DM_R_TEXTURE_TMEM,
    T3DM_R_TEXTURE_REPEAT,
    T3DM_R_TEXTURE_CLAMP,
    T3DM_R_TEXTURE_ALPHA,
    T3DM_R_TEXTURE_PALETTES,
    T3DM_R_TEXTURE_MIPMAPS,
    T3DM_R_TEXTURE_FORMAT,
    T3DM_R_TEXTURE_TWICE,
    T3DM_R_TEXTURE_LARGER,
    T3DM_RULE_COUNT
};
extern const trilo_rule tl_t3dm_rules[T3DM_RULE_COUNT];

static inline const trilo_rule *t3dm_rule(enum t3dm_rule_id id)
{
    return &tl_t3dm_rules[id];
}

/* The string at an offset of the string table; NULL if it does not end inside the table or within T3DM_STRING_MOST
 * bytes. Offset 0 means no string: "". */
const char *tl_t3dm_string(const t3dm_file *file, uint32_t offset);
/* The offsets of the fields of a vertex in a pair, looked up once in its layout table. */
typedef struct t3dm_pair_offsets {
    size_t size;
    uint16_t position[T3DM_PAIR], normal[T3DM_PAIR], color[T3DM_PAIR], uv[T3DM_PAIR];
} t3dm_pair_offsets;

t3dm_pair_offsets tl_t3dm_pair_offsets(void);

/* A field of vertex `row` of V; `at` is one of the offsets above. The caller has checked the range. */
static inline const uint8_t *t3dm_vertex_at(const t3dm_file *file, const t3dm_pair_offsets *offsets, uint32_t row,
                                            const uint16_t at[T3DM_PAIR])
{
    return file->vertices.data + row / T3DM_PAIR * offsets->size + at[row % T3DM_PAIR];
}

/* The target of a channel of a checked file. */
static inline trilo_target t3dm_target(const t3dm_mapping *mapping)
{
    if (mapping->type == T3DM_ROTATION)
        return TRILO_TARGET_ROTATION;
    return (trilo_target)((mapping->type == T3DM_SCALE ? TRILO_TARGET_SCALE_X : TRILO_TARGET_TRANSLATION_X) +
                          mapping->axis);
}

uint32_t tl_t3dm_hash(const char *path);
/* The file name of a path, after the last / or : ("rom:/a/b.0.sdata" is b.0.sdata). */
const char *tl_t3dm_plain_name(const char *path);

/* --- running the parts as the console does (decode/run_parts.c) --- */

typedef struct t3dm_slot {
    uint32_t vertex; /* index in V; undefined where nothing is loaded */
    uint32_t bone;
} t3dm_slot;

/* A strip of a part, as bytes of the file. */
typedef struct t3dm_strip {
    const uint8_t *bytes;
    uint32_t count;
} t3dm_strip;

/* Triangles of a part, as slots of the cache at that time, and then those of strips. */
typedef struct t3dm_batch {
    uint32_t part, count;
    const t3dm_slot *cache;
    const uint8_t (*slots)[3];
    uint32_t strip_count; /* 0 unless the drawer takes strips */
    const t3dm_strip *strips;
} t3dm_batch;

/* A set of slots below 128, a bit each: more than a cache has, and all that a byte of a strip may name without its top
 * bit. */
typedef struct t3dm_slot_set {
    uint64_t words[2];
} t3dm_slot_set;

static inline bool t3dm_set_has(const t3dm_slot_set *set, uint32_t slot)
{
    return set->words[slot / 64] >> slot % 64 & 1;
}

static inline void t3dm_set_add(t3dm_slot_set *set, uint32_t slot)
{
    set->words[slot / 64] |= (uint64_t)1 << slot % 64;
}

/* The slots below `end`, which is less than 128. */
static inline t3dm_slot_set t3dm_set_below(uint32_t end)
{
    const uint64_t bits = ((uint64_t)1 << end % 64) - 1;
    return end < 64 ? (t3dm_slot_set){{bits, 0}} : (t3dm_slot_set){{UINT64_MAX, bits}};
}

static inline t3dm_slot_set t3dm_set_range(uint32_t first, uint32_t end)
{
    const t3dm_slot_set a = t3dm_set_below(first), b = t3dm_set_below(end);
    return (t3dm_slot_set){{b.words[0] & ~a.words[0], b.words[1] & ~a.words[1]}};
}

/* What a part draws, for callers that need no single triangles. */
typedef struct t3dm_part_sum {
    t3dm_slot_set drawn;
    uint32_t triangles;
    uint32_t degenerate; /* those that use a slot twice */
} t3dm_part_sum;

/* An error of a part that the console would run into. */
typedef struct t3dm_draw_fault {
    enum t3dm_rule_id rule;
    uint32_t part;
    uint64_t offset;
    const char *field; /* of the part */
    uint32_t value, limit;
} t3dm_draw_fault;

typedef struct t3dm_drawer {
    void *user;
    void (*triangles)(void *user, const t3dm_batch *batch);
    /* Strips of version 3 and above that can be drawn as they are need not be split into triangles: every slot holds a
     * vertex, and every index is a corner of some triangle. */
    bool takes_strips;
    /* A part of which every triangle can be drawn; otherwise, or where this is NULL, and in versions 1 and 2, it is
     * passed as triangles. */
    void (*sum)(void *user, const t3dm_part_sum *sum);
    void (*fault)(void *user, const t3dm_draw_fault *fault); /* may be NULL */
    /* After each part; may be NULL. Of a part that was passed as a sum, slots of its own load are not in the cache. */
    void (*part)(void *user, const t3dm_part *part, const t3dm_slot *cache);
} t3dm_drawer;

/* Lists the strips of a part and returns their number; it stops at one that is too short or outside I. */
uint32_t tl_t3dm_strips(const t3dm_file *file, const t3dm_part *part, t3dm_strip strips[T3DM_STRIPS]);
/* The slot of index k; *restart: it starts a new strip. */
static inline uint32_t t3dm_strip_slot(uint32_t version, const t3dm_strip *strip, uint32_t k, bool *restart)
{
    return t3dm_strip_word_slot(version, tl_get_u16(strip->bytes + 2 * (size_t)k, TL_BIG), restart);
}

/* Runs the parts of one object. The cache of 70 slots starts empty. Never reads outside V and I. A triangle with an
 * empty slot is reported as a fault and left out. */
void tl_t3dm_draw(const t3dm_file *file, const t3dm_object *object, const t3dm_drawer *drawer);

/* Upper bounds of the triangles and distinct vertices that running the parts of an object can give. */
typedef struct t3dm_object_limits {
    uint64_t triangles, vertices;
} t3dm_object_limits;
t3dm_object_limits tl_t3dm_object_limits(const t3dm_object *object);

/* For tl_format.batches (tune/batches.c): the part of each triangle of an object. */
uint32_t tl_t3dm_batches(const void *file, uint32_t object, uint32_t *batches, uint32_t room);

/* --- offsets (encode/file.c) --- */

/* Bytes of a chunk with all its parts, or channels. */
size_t tl_t3dm_object_chunk_size(const t3dm_file *file, const t3dm_object *object);
size_t tl_t3dm_animation_chunk_size(const t3dm_animation *animation);
size_t tl_t3dm_material_chunk_size(void);
/* Assigns the offsets of all records, in the order and with the alignment of the reference tools. Sets chunks,
 * chunk_order, the rows in the header, and the size. `custom` chunks come last. */
bool tl_t3dm_layout_file(t3dm_file *file, const t3dm_chunk *custom, uint32_t custom_count, tl_arena *arena,
                         trilo_error *err);
/* Assigns new offsets to the chunks of a file that was read, in the same order, after objects, V or I have changed. */
bool tl_t3dm_layout_again(t3dm_file *file, trilo_error *err);

/* Converts a file to another version of the format, with the same parts and triangles in the same order. */
void *tl_t3dm_change_version(const void *file, uint32_t version, tl_arena *arena, trilo_error *err);
/* Rebuilds the vertex batches and strips of a file at a lower cost; everything else stays. */
void *tl_t3dm_reoptimize(const void *file, const tl_reoptimize_opts *opts, tl_arena *arena, tl_report *changes,
                         trilo_error *err);

/* --- the functions of tl_format --- */

void *tl_t3dm_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err);
/* The three parts of the check. */
void tl_t3dm_check_chunks(const t3dm_file *file, tl_report *report);
void tl_t3dm_check_objects(const t3dm_file *file, tl_arena *scratch, tl_report *report);
void tl_t3dm_check_animation(const t3dm_file *file, tl_arena *scratch, tl_report *report);
void tl_t3dm_check(const void *file, tl_arena *scratch, tl_report *report);
void tl_t3dm_write(const void *file, tl_sink *sink);
bool tl_t3dm_decode(const void *file, tl_arena *arena, trilo_model *model, trilo_error *err);
void *tl_t3dm_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                     trilo_error *err);
bool tl_t3dm_companion(const void *file, uint32_t index, char *name, size_t room, trilo_bytes *bytes);
bool tl_t3dm_stream(const void *file, uint32_t clip, const trilo_stream_source *from, trilo_stream *out,
                    trilo_error *err);
bool tl_t3dm_cost(const void *file, const trilo_cost_opts *opts, tl_arena *arena, trilo_cost *cost, trilo_error *err);
size_t tl_t3dm_sections(const void *file, trilo_section *sections, size_t room);
void tl_t3dm_visit(const void *file, const trilo_visitor *visitor);
void tl_t3dm_reference(tl_sink *sink);
enum { T3DM_REFERENCE_COUNT = 12 };
extern const tl_layout *const tl_t3dm_reference_order[T3DM_REFERENCE_COUNT];
extern const tl_description tl_t3dm_description;

extern const tl_format tl_format_t3dm;

#endif
