/* encode.h: shared by the files of the Model encoder.
 *
 *   options -> slots -> vertices and triangles -> times -> poses -> points and corners -> display lists -> file
 *
 * Vertices of all drawn meshes are numbered consecutively. A pose is an array of quantized vertices: pose 0 is the
 * default one, then come the frames of all clips. Vertices that are equal in all poses are one point; a point with a
 * texture coordinate and a colour is a corner.
 */
#ifndef TL_MODEL64_ENCODE_ENCODE_H
#define TL_MODEL64_ENCODE_ENCODE_H

#include "base/compiler.h"
#include "base/hash_table.h"
#include "formats/model64/model64.h"
#include "optimize/f3dex_list.h"

/* A vertex in a pose, quantized to units of the file. 10 bytes without padding. */
typedef struct model64_posed_vertex {
    int16_t position[3];
    int8_t normal[4]; /* all 0 unless normals are written; the last one always */
} model64_posed_vertex;

/* A mesh that is drawn. */
typedef struct model64_source {
    uint32_t mesh, slot;
    uint32_t first_vertex, vertex_count; /* those that its triangles use */
    const uint32_t *vertices;            /* their numbers in the mesh */
    uint32_t first_triangle, triangle_count;
} model64_source;

/* How a clip is sampled. */
typedef struct model64_motion {
    bool baked;           /* sampled evenly; otherwise it has the frames of its tracks */
    double length;        /* in seconds */
    float duration;       /* as written */
    uint32_t frame_count; /* at least 1 */
    uint32_t first_pose;
    double *seconds; /* when to sample the frames, frame_count */
    float *times;    /* as written, frame_count */
} model64_motion;

typedef struct model64_corner {
    uint32_t point, st, rgba;
} model64_corner;

/* What a material slot draws. */
typedef struct model64_slot {
    uint32_t corner_count, triangle_count;
    model64_corner *corners;
    uint32_t (*triangles)[3]; /* of corners */
    trilo_bytes list;         /* the commands with their end; size 0: none */
} model64_slot;

/* Values that did not fit 16 bits. */
typedef struct model64_clamps {
    uint64_t count;
    double largest; /* its absolute value before clamping */
} model64_clamps;

/* Defaults where neither the model nor an option decides. */
typedef struct model64_policy {
    bool keep_times;   /* in seconds; otherwise fractions of the clip, as in the game */
    bool keep_normals; /* of a model without colours; otherwise vertices are white */
} model64_policy;

/* The only function that depends on the format that the model was read from. */
model64_policy tl_model64_policy_of(const trilo_model *model, const trilo_write_opts *opts);

typedef struct model64_encoder {
    const trilo_model *model;
    const trilo_model64_write_opts *opts;
    model64_policy policy;
    tl_arena *arena;
    tl_report *losses;
    trilo_error *err; /* filled before a part returns false; the caller reports out of memory */
    bool reported;    /* err is filled */
    model64_file *file;

    /* the options with their defaults */
    double scale;
    int axis[3]; /* of the model, for each of the file's */
    double sign[3];
    bool mirrored;
    uint32_t bits;
    trilo_model64_colors colors;
    bool fractions; /* times are fractions of the clip */

    uint32_t slot_count;
    uint32_t source_count;
    model64_source *sources;
    uint32_t vertex_count, triangle_count;
    uint32_t (*triangles)[3]; /* of vertices, by source */
    model64_motion *motions;  /* clip_count */
    uint32_t pose_count;
    model64_posed_vertex **poses;
    model64_clamps clamped, clamped_uv;

    uint32_t *point_of; /* of each vertex */
    uint32_t *vertex_of_point, point_count;
    uint32_t st_count, rgba_count;
    int16_t (*st)[2];   /* by number */
    uint8_t (*rgba)[4]; /* by number */
    model64_slot slots[MODEL64_SLOTS];
    uint32_t stored_count; /* vertices of a block */
    model64_corner *stored;
} model64_encoder;

/* Fails with a rule, a path in the model and a sentence. Returns false. */
bool tl_model64_encode_fail(model64_encoder *e, enum model64_rule_id rule, const char *format, ...)
    TL_PRINTF_LIKE(3, 4);
void tl_model64_report_loss(model64_encoder *e, enum model64_rule_id rule, const char *format, ...)
    TL_PRINTF_LIKE(3, 4);

/* To the nearest whole number, halves to the even one, whatever the rounding mode. */
double tl_model64_round(double value);
/* Rounded and clamped to the range; NaN is 0. Clamped values are counted in `clamps`, unless that is NULL. */
int tl_model64_quantize(double value, int min, int max, model64_clamps *clamps);

/* --- slots.c --- */

/* slot_of[mesh]: TRILO_NONE for a mesh that draws no triangle. */
bool tl_model64_assign_slots(model64_encoder *e, uint32_t *slot_of);
/* Reports what the format cannot store. */
void tl_model64_report_losses(model64_encoder *e, const uint32_t *slot_of);

/* --- clips.c --- */

/* When each clip is sampled and what is written for it. */
bool tl_model64_plan_clips(model64_encoder *e);
/* The inverse of the time from frame i to the next one, or to the end. */
float tl_model64_inverse(const model64_motion *motion, uint32_t i);

/* --- bake.c --- */

/* The vertices and triangles that are drawn; mirrored meshes get the other winding. */
bool tl_model64_gather(model64_encoder *e, const uint32_t *slot_of);
bool tl_model64_bake(model64_encoder *e);

/* --- points.c --- */

bool tl_model64_number_points(model64_encoder *e);
bool tl_model64_make_corners(model64_encoder *e);

/* --- file.c --- */

/* The pieces of a new file in the order of their offsets. */
enum { MODEL64_PIECE_FRAMES, MODEL64_PIECE_LISTS, MODEL64_PIECE_DEFAULT, MODEL64_PIECE_BLOCKS, MODEL64_PIECE_COUNT };

static inline uint64_t model64_align(uint64_t offset)
{
    return (offset + MODEL64_ALIGN - 1) / MODEL64_ALIGN * MODEL64_ALIGN;
}

/* A piece of zeros; NULL: no memory. */
uint8_t *tl_model64_new_piece(tl_arena *arena, model64_piece *piece, uint64_t at, uint64_t size);

/* The file from the lists, the stored vertices and the poses. */
bool tl_model64_layout_file(model64_encoder *e);

/* --- number.c: equal rows get equal numbers --- */

static inline uint32_t model64_mix(uint32_t hash, uint32_t value)
{
    hash = (hash ^ value) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

typedef struct model64_rows {
    const void *rows;
    uint32_t (*hash)(const void *rows, uint32_t row);
    tl_row_compare_fn *compare;
} model64_rows;

/* Equal rows get equal numbers, counted in the order in which they first occur; firsts[number] is that first row. Both
 * have room for `count`. `table` has only its arena at first, and keeps its memory for the next call. False: no
 * memory. */
bool tl_model64_number(tl_hash_table *table, const model64_rows *rows, uint32_t count, uint32_t *numbers,
                       uint32_t *firsts, uint32_t *distinct);
/* The same for corners by point, texture coordinate and colour. */
bool tl_model64_number_corners(tl_hash_table *table, const model64_corner *corners, uint32_t count, uint32_t *numbers,
                               uint32_t *firsts, uint32_t *distinct);

/* --- lists.c: from slots to display lists --- */

/* What a slot draws, as input for tl_f3dex_lists. False: no memory. */
bool tl_model64_list_mesh(tl_arena *arena, const model64_slot *slot, tl_f3dex_mesh *mesh);
/* Stores the commands of a list and its end; `st` and `rgba` are values by number. */
void tl_model64_store_list(const model64_slot *slot, int16_t (*st)[2], uint8_t (*rgba)[4], const tl_f3dex_list *list,
                           uint8_t *bytes);

#endif
