/* t3d_batch_steps.h: the steps of tl_batch.
 *
 * Triangles are put into groups that fit the cache (pack_groups.c), and moved between groups as long as that pays
 * (pack_search.c). Within a group, triangles are joined to runs (pack_runs.c), some are drawn by the sequence instead
 * (pack_sequence.c), and what is left is divided among strips and a list under the rules of the console's memory
 * (pack_draw.c). Groups may be put in such an order that each uses what the one before has loaded (pack_resident.c).
 */
#ifndef TL_OPTIMIZE_T3D_BATCH_STEPS_H
#define TL_OPTIMIZE_T3D_BATCH_STEPS_H

#include "optimize/t3d_batch.h"

enum {
    TL_GROUP_TRIANGLES = 512, /* in one group; with 70 vertices only a mesh that lies upon itself has so many */
    TL_STRIP_INDICES = 255,   /* the most that a part can count */
    TL_RUN_START = 0x8000,    /* on an index that starts a new run within a strip */
    TL_SEQUENCE_MOST = TL_PACK_SLOTS / 3,
    TL_PIECES_MOST = 4 /* loads that vertices of no bone are divided among */
};

/* What is minimised are the bytes that the console fetches (n64/rsp_cost.h), and commands as if they were bytes. */
enum {
    TL_COMMAND_WORTH = 12, /* what a command costs beside its bytes */
    TL_LONE_WORTH = 8      /* the same in a mesh of a single group, where nothing else could make good for bytes */
};

/* In the unit of costs, which ranks ways to draw: sixteenths of a byte, commands at their worth. */
enum { TL_COST_BYTE = 16 };

static inline uint32_t tl_batch_load_cost(uint32_t vertices, uint16_t bone)
{
    const uint32_t matrix =
        bone == TL_PACK_NO_BONE ? 0 : TL_RSP_DRAW_BYTES + TL_RSP_MATRIX_SET_BYTES + TL_COMMAND_WORTH;
    return vertices == 0 ? 0
                         : TL_COST_BYTE * (TL_RSP_LOAD_BYTES + TL_COMMAND_WORTH + matrix +
                                           TL_RSP_VERTEX_SIZE * tl_rsp_loaded(vertices));
}

/* Numbers that look like chance and are the same everywhere. */
static inline uint32_t tl_batch_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Is the vertex of this corner none of the corners before? A triangle may name a vertex twice. */
static inline bool tl_first_mention(const uint32_t *triangle, uint32_t corner)
{
    return (corner < 1 || triangle[0] != triangle[corner]) && (corner < 2 || triangle[1] != triangle[corner]);
}

static inline uint16_t tl_batch_bone(const tl_batch_input *in, uint32_t vertex)
{
    return in->bones ? in->bones[vertex] : TL_PACK_NO_BONE;
}

/* --- groups --- */

typedef struct tl_groups {
    uint32_t count;
    uint32_t *first; /* of each group in `order`, and one more for the end */
    uint32_t *order; /* input triangles, group by group */
} tl_groups;

/* How groups grow. */
typedef struct tl_growth {
    uint32_t full;       /* vertices at which a group stops that leaves a piece of the mesh cut */
    uint32_t piece_full; /* the most with another piece that fits whole */
    int32_t bone_cost;   /* of one more bone, where a triangle that is completed is worth 2, and one left open -1 */
} tl_growth;

/* No group has more than TL_PACK_SLOTS different vertices or TL_GROUP_TRIANGLES triangles. */
bool tl_batch_grow_groups(tl_arena *arena, const tl_batch_input *in, const tl_growth *growth, tl_groups *out);

/* How much the search does. */
typedef struct tl_effort {
    uint32_t steps;  /* for each triangle */
    uint32_t stages; /* at ever lower temperatures */
    uint32_t heat;   /* bytes that a step may cost in the beginning */
} tl_effort;

/* Moves triangles between groups. What comes out is an estimate: it may cost more than before. */
bool tl_batch_search_groups(tl_arena *arena, const tl_batch_input *in, bool resident, const tl_effort *effort,
                            tl_groups *groups);

/* Groups of a mesh with bones in an order for residency; out->count is 0 when that would take too long. */
bool tl_batch_bones(tl_arena *arena, const tl_batch_input *in, tl_groups *out);

/* Puts the groups in an order in which neighbours share many vertices, in arrays of its own. */
bool tl_batch_order_groups(tl_arena *arena, const tl_batch_input *in, tl_groups *groups);

/* --- one group; its vertices are numbered from 0, those of one block in a row --- */

/* Vertices that are loaded together, to slots in a row. */
typedef struct tl_block {
    uint8_t first, count, slot;
    bool resident; /* was loaded before: each vertex keeps the slot it has */
    uint16_t bone;
} tl_block;

typedef struct tl_group {
    uint32_t vertex_count, triangle_count, block_count;
    uint32_t vertices[TL_PACK_SLOTS];         /* input vertices */
    tl_block blocks[TL_PACK_SLOTS];           /* in the order in which they are loaded */
    uint8_t slots[TL_PACK_SLOTS];             /* of the vertices of a resident block */
    bool kept[TL_PACK_SLOTS];                 /* is needed later: gets the lowest slots of its block */
    uint8_t triangles[TL_GROUP_TRIANGLES][3]; /* vertices of the group */
} tl_group;

/* --- places: which vertices are loaded, and where to --- */

typedef struct tl_batch_placer {
    const tl_batch_input *in;
    const tl_groups *groups;
    bool resident;
    uint32_t *numbers, *numbered;      /* of each input vertex: its number in a group, and in which (from 1) */
    uint32_t *wanted;                  /* of each input vertex: the last group that was looked at and has it (from 1) */
    uint32_t looked_at;                /* groups, in their order */
    uint32_t cache[TL_PACK_SLOTS + 2]; /* the input vertex in each slot, TL_NO_VERTEX: nothing that can be used */
} tl_batch_placer;

#define TL_NO_VERTEX UINT32_MAX

bool tl_batch_placer_new(tl_arena *arena, const tl_batch_input *in, tl_batch_placer *out);
void tl_batch_placer_start(tl_batch_placer *placer, const tl_groups *groups, bool resident); /* with an empty cache */
void tl_batch_place_group(tl_batch_placer *placer, uint32_t number, tl_group *out);

/* --- runs: strips of one piece --- */

/* Half-edge 3 * t + c of a group runs from corner c of triangle t to the next. */
typedef struct tl_edges {
    uint16_t opposite[3 * TL_GROUP_TRIANGLES];    /* the first half-edge that runs the other way, TL_NO_EDGE: none */
    uint16_t next[3 * TL_GROUP_TRIANGLES];        /* another one with the same two ends in the same order */
    uint16_t head[TL_PACK_SLOTS * TL_PACK_SLOTS]; /* to find them: all TL_NO_EDGE before and after */
} tl_edges;

enum { TL_NO_EDGE = 0xFFFF };

void tl_batch_clear_edges(tl_edges *edges); /* once, before the first group */
void tl_batch_find_edges(const tl_group *group, tl_edges *out);

typedef struct tl_runs {
    uint32_t count;
    uint16_t first[TL_GROUP_TRIANGLES];  /* of each run in `indices` */
    uint16_t length[TL_GROUP_TRIANGLES]; /* in indices */
    uint8_t indices[3 * TL_GROUP_TRIANGLES];
} tl_runs;

/* Joins the triangles that are not left out; those must not be degenerate. No run has more than `longest` indices.
 * `seed` 0 is the plain way, others make other choices where it hardly matters. */
void tl_batch_make_strips(const tl_group *group, const tl_edges *edges, const bool *left_out, uint32_t longest,
                          uint32_t seed, tl_runs *out);

/* --- the sequence: triangles without a common vertex, whose vertices stand in a row --- */

typedef struct tl_sequence {
    uint32_t count, block;
    uint8_t triangles[TL_SEQUENCE_MOST][3];
    bool has[TL_PACK_SLOTS]; /* the vertex */
} tl_sequence;

/* Takes triangles of one block out of the runs where that makes them shorter. Answers how many indices that saves. */
uint32_t tl_batch_choose_sequence(const tl_group *group, uint32_t block, uint32_t seed, tl_runs *runs,
                                  tl_sequence *out);

/* --- drawing --- */

typedef struct tl_f3dex_draw {
    uint8_t slots[TL_PACK_SLOTS]; /* of each vertex */
    uint32_t list_count, sequence_base, sequence_count, strip_counts[TL_PACK_STRIPS];
    uint8_t list[TL_GROUP_TRIANGLES][3];               /* vertices */
    uint16_t strips[TL_PACK_STRIPS][TL_STRIP_INDICES]; /* vertices, some with TL_RUN_START */
    uint64_t cost;                                     /* of all but the loads */
} tl_f3dex_draw;

/* What the cache holds when the group is loaded and drawn. */
void tl_update_cache(tl_batch_placer *placer, const tl_group *group, const tl_f3dex_draw *draw);

typedef struct tl_f3dex_opts {
    bool strips, sequences;
    uint32_t tries; /* how many ways to join triangles are tried */
    uint32_t worth; /* of a command */
} tl_f3dex_opts;

void tl_plan_draw(const tl_group *group, tl_edges *edges, const tl_f3dex_opts *opts, tl_f3dex_draw *out);

#endif
