/* t3d_batch_steps.h: the steps of tl_batch.
 *
 * Triangles are partitioned into batches that fit the vertex cache (t3d_batch_grow.c, t3d_batch_components.c,
 * t3d_batch_bones.c; t3d_batch_estimate.c compares partitions), and move between batches while that lowers the cost
 * (t3d_batch_search.c), at last together with their strips (t3d_batch_refine.c). With residency, batches are ordered so
 * that each finds many of its vertices in the cache (t3d_batch_order.c). Vertices get slots (t3d_batch_slots.c). Within
 * a batch, triangles are joined to strips (t3d_batch_strips.c), some are drawn by the sequence instead
 * (t3d_batch_sequence.c), both are improved by a search (t3d_batch_links.c), and the rest is divided among strip
 * commands and the triangle list (t3d_batch_draw.c). The result is kept for batches that look the same
 * (t3d_batch_plans.c).
 */
#ifndef TL_OPTIMIZE_T3D_BATCH_STEPS_H
#define TL_OPTIMIZE_T3D_BATCH_STEPS_H

#include "optimize/t3d_batch.h"

enum {
    TL_BATCH_TRIANGLES = 512,  /* in one batch; 70 vertices have more only where surfaces overlap */
    TL_STRIP_INDICES = 255,    /* the most of a strip command */
    TL_STRIP_RESTART = 0x8000, /* on an index that starts another strip in the same command */
    TL_SEQUENCE_TRIANGLES = TL_BATCH_SLOTS / 3,
    TL_BATCH_SPLITS = 4 /* the most loads of a block without a bone */
};

/* The cost to minimize: the bytes that the console fetches (n64/rsp_cost.h), and a number of bytes per command. */
enum { TL_COMMAND_WORTH = 12 }; /* the time of a command as a number of bytes, in addition to its bytes */

/* The unit of costs is a sixteenth of a byte. */
enum { TL_COST_BYTE = 16 };

static inline uint32_t tl_batch_load_cost(uint32_t vertices, uint16_t bone)
{
    const uint32_t matrix =
        bone == TL_BATCH_NO_BONE ? 0 : TL_RSP_DRAW_BYTES + TL_RSP_MATRIX_SET_BYTES + TL_COMMAND_WORTH;
    return vertices == 0 ? 0
                         : TL_COST_BYTE * (TL_RSP_LOAD_BYTES + TL_COMMAND_WORTH + matrix +
                                           TL_RSP_VERTEX_SIZE * tl_rsp_loaded(vertices));
}

enum {
    TL_DRAW_COST = 2 * TL_COST_BYTE * (TL_RSP_DRAW_BYTES + TL_COMMAND_WORTH), /* a strip and a sequence */
    TL_DRAW_SMALL = 24,                    /* a batch with fewer vertices costs only a part of that */
    TL_DRAW_INDICES_IN_16 = 19,            /* a strip has for 16 triangles, */
    TL_DRAW_INDICES_IN_SLOT = 18,          /* and how many of them find room in a slot */
    TL_DRAW_TIGHT_COST = 7 * TL_COST_BYTE, /* of each slot that its strip lacks, */
    TL_DRAW_TIGHT_MOST = 6                 /* up to the cost of another strip and of triangles that make room for it */
};

/* How many slots the indices of that many triangles are likely to take. */
static inline uint32_t tl_batch_strip_slots(uint32_t triangles)
{
    return (triangles * TL_DRAW_INDICES_IN_16 + 16 * TL_DRAW_INDICES_IN_SLOT - 16) / (16 * TL_DRAW_INDICES_IN_SLOT);
}

/* An estimate of what a batch costs besides its loads and indices, which need room above its vertices. A small batch
 * costs less than a whole one, so that it may dissolve. */
static inline uint32_t tl_batch_commands_estimate(uint32_t vertices, uint32_t index_slots)
{
    const uint32_t part = vertices < TL_DRAW_SMALL ? vertices : TL_DRAW_SMALL;
    const uint32_t end = vertices + index_slots;
    const uint32_t over = end > TL_BATCH_SLOTS ? end - TL_BATCH_SLOTS : 0;
    return TL_DRAW_COST * part / TL_DRAW_SMALL +
           TL_DRAW_TIGHT_COST * (over < TL_DRAW_TIGHT_MOST ? over : TL_DRAW_TIGHT_MOST);
}

/* The same for a number of triangles, whose indices are not known yet. */
static inline uint32_t tl_batch_draw_estimate(uint32_t vertices, uint32_t triangles)
{
    return tl_batch_commands_estimate(vertices, tl_batch_strip_slots(triangles));
}

/* Pseudorandom numbers of 24 bits: a linear congruential generator, the same on every machine. */
static inline uint32_t tl_batch_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* -256 log2 of a random number between 0 and 1. */
static inline uint32_t tl_batch_log_random(uint32_t *random)
{
    const uint32_t number = tl_batch_random(random) | 1; /* 24 bits */
    uint32_t high = 23;
    while ((number >> high & 1) == 0)
        high--;
    const uint32_t fraction = (number << (24 - high) & 0xFFFFFF) >> 16;
    return (24 - high) * 256 - fraction;
}

/* Metropolis' rule: with probability 2^(-change / temperature). */
static inline bool tl_batch_accepts(uint32_t *random, uint64_t temperature, int64_t change)
{
    return change <= 0 || (uint64_t)change * 256 < temperature * tl_batch_log_random(random);
}

/* True if this is the first corner with its vertex. A degenerate triangle has a vertex twice. */
static inline bool tl_batch_first_mention(const uint32_t *triangle, uint32_t corner)
{
    return (corner < 1 || triangle[0] != triangle[corner]) && (corner < 2 || triangle[1] != triangle[corner]);
}

static inline uint16_t tl_batch_vertex_bone(const tl_batch_input *in, uint32_t vertex)
{
    return in->bones ? in->bones[vertex] : TL_BATCH_NO_BONE;
}

/* The row of a bone in a table: none is the first. */
static inline uint32_t tl_batch_bone_row(uint16_t bone)
{
    return (uint16_t)(bone + 1u);
}

/* Rows that the bones of a mesh need: few, most of the time. */
static inline size_t tl_batch_bone_rows(const tl_batch_input *in)
{
    uint32_t last = 0;
    for (uint32_t v = 0; in->bones && v < in->vertex_count; v++)
        last = tl_batch_bone_row(in->bones[v]) > last ? tl_batch_bone_row(in->bones[v]) : last;
    return (size_t)last + 1;
}

/* --- partitions --- */

/* A partition of the triangles into batches. */
typedef struct tl_batch_list {
    uint32_t count;
    uint32_t *first; /* of each batch in `order`, and one more for the end */
    uint32_t *order; /* input triangles, batch by batch */
    /* Of each batch: another one after it whose vertices of the same bone it loads, too; itself: none. NULL: no batch
     * does that. */
    uint32_t *preloads;
} tl_batch_list;

/* Limits of greedy growth. */
typedef struct tl_batch_growth {
    uint32_t full;           /* vertices at which a batch stops that cuts a connected component */
    uint32_t component_full; /* the most with another component that fits whole */
    int32_t bone_cost;       /* of one more bone; a finished triangle counts 2, one left open -1 */
} tl_batch_growth;

/* Estimates what a partition costs without residency. */
typedef struct tl_batch_estimator {
    const tl_batch_input *in;
    uint32_t *seen, round; /* of each vertex: the last batch that has it */
    uint32_t *counts;      /* of each bone: vertices in a batch */
    size_t bone_rows;
} tl_batch_estimator;

/* The fewest loads for some vertices: no load has more than TL_BATCH_SLOTS, or vertices of two bones. */
typedef struct tl_batch_loads {
    uint32_t count, matrices; /* those of a bone set its matrix */
} tl_batch_loads;

/* The cost of drawing a batch. One of triangles without common vertices needs a sequence only, a small one a whole
 * command. */
uint32_t tl_batch_estimate_drawing(uint32_t vertices, uint32_t triangles);
bool tl_batch_estimator_new(tl_arena *arena, const tl_batch_input *in, tl_batch_estimator *out);
uint64_t tl_batch_estimate(tl_batch_estimator *e, const tl_batch_list *batches);
/* The estimate of one batch. */
uint64_t tl_batch_estimate_one(tl_batch_estimator *e, const tl_batch_list *batches, uint32_t number);
/* A lower bound of the cost of batches that load this many vertices. */
uint64_t tl_batch_least_estimate(uint32_t vertices, tl_batch_loads loads);

/* What a partition may cost. */
typedef struct tl_batch_budget {
    tl_batch_estimator *estimator;
    uint64_t most;
    uint64_t cost; /* set: of the partition */
} tl_batch_budget;

/* No batch has more than TL_BATCH_SLOTS different vertices or TL_BATCH_TRIANGLES triangles. `budget` may be NULL; a
 * partition that is going to cost more, and to have more batches than `fewest`, is given up: out->count is 0. */
bool tl_batch_grow(tl_arena *arena, const tl_batch_input *in, const tl_batch_growth *growth, tl_batch_list *out);
bool tl_batch_grow_within(tl_arena *arena, const tl_batch_input *in, const tl_batch_growth *growth, uint32_t fewest,
                          tl_batch_budget *budget, tl_batch_list *out);

/* Batches of a skinned mesh with small components: the best of that many attempts, and its estimate. out->count is 0
 * when it has none, or when that would take too long. */
bool tl_batch_pack(tl_arena *arena, const tl_batch_input *in, uint32_t tries, tl_batch_list *out, uint64_t *cost);

/* The same in an order for residency, where batches of one bone load what the next one of several bones needs of it.
 * out->count is also 0 when no component has several bones. */
bool tl_batch_pack_chains(tl_arena *arena, const tl_batch_input *in, uint32_t tries, tl_batch_list *out);

/* The schedule of simulated annealing. */
typedef struct tl_batch_effort {
    uint32_t steps;       /* for each triangle */
    uint32_t stages;      /* at ever lower temperatures */
    uint32_t temperature; /* at the beginning, in bytes */
    uint32_t seed;        /* of random numbers */
    uint32_t full;        /* the most vertices that a batch may grow to; 0: TL_BATCH_SLOTS */
    bool exchanges;       /* whole components change places, and no single triangles move */
} tl_batch_effort;

/* Simulated annealing: moves triangles between batches. Its costs are estimates, so the result may cost more than
 * before. With effort->exchanges, which are for skinned meshes without residency, batches->count is 0 when there is
 * nothing to exchange. */
bool tl_batch_anneal(tl_arena *arena, const tl_batch_input *in, bool resident, const tl_batch_effort *effort,
                     tl_batch_list *batches);

/* Batches of a skinned mesh in an order for residency; out->count is 0 when that would take too long. */
bool tl_batch_grow_by_bone(tl_arena *arena, const tl_batch_input *in, tl_batch_list *out);

/* Orders the batches so that neighbours share many vertices, in new arrays. */
bool tl_batch_order(tl_arena *arena, const tl_batch_input *in, tl_batch_list *batches);

/* --- one batch; its vertices are numbered from 0, those of one block consecutively --- */

/* Vertices that are loaded together, to consecutive slots. */
typedef struct tl_vertex_block {
    uint8_t first, count, slot;
    bool resident; /* was loaded before: each vertex keeps its slot */
    uint16_t bone;
} tl_vertex_block;

typedef struct tl_vertex_batch {
    uint32_t vertex_count, triangle_count, block_count;
    uint32_t vertices[TL_BATCH_SLOTS];        /* input vertices */
    tl_vertex_block blocks[TL_BATCH_SLOTS];   /* in the order in which they are loaded */
    uint8_t slots[TL_BATCH_SLOTS];            /* of the vertices of a resident block */
    bool kept[TL_BATCH_SLOTS];                /* is needed later: gets the lowest slots of its block */
    uint8_t triangles[TL_BATCH_TRIANGLES][3]; /* vertices of the batch */
} tl_vertex_batch;

/* --- slot allocation: which vertices are loaded, and where to --- */

typedef struct tl_slot_allocator {
    const tl_batch_input *in;
    const tl_batch_list *batches;
    bool resident;
    uint32_t *numbers, *numbered;       /* of each input vertex: its number in a batch, and in which (from 1) */
    uint32_t *wanted;                   /* of each input vertex: the last examined batch that has it (from 1) */
    uint32_t looked_at;                 /* examined batches, in order */
    uint32_t cache[TL_BATCH_SLOTS + 2]; /* the input vertex in each slot; TL_NO_VERTEX: undefined */
} tl_slot_allocator;

#define TL_NO_VERTEX UINT32_MAX

bool tl_slot_allocator_new(tl_arena *arena, const tl_batch_input *in, tl_slot_allocator *out);
void tl_slot_allocator_start(tl_slot_allocator *allocator, const tl_batch_list *batches,
                             bool resident); /* with an empty cache */
void tl_slot_allocate(tl_slot_allocator *allocator, uint32_t number, tl_vertex_batch *out);

/* --- strips --- */

/* Half-edge 3 * t + c of a batch runs from corner c of triangle t to the next. */
typedef struct tl_batch_edges {
    uint16_t opposite[3 * TL_BATCH_TRIANGLES];     /* the first half-edge in the opposite direction; TL_NO_EDGE: none */
    uint16_t next[3 * TL_BATCH_TRIANGLES];         /* the next one with the same start and end */
    uint16_t head[TL_BATCH_SLOTS][TL_BATCH_SLOTS]; /* by start and end, to find them; all TL_NO_EDGE before and after */
} tl_batch_edges;

enum { TL_NO_EDGE = 0xFFFF };

void tl_batch_clear_edges(tl_batch_edges *edges); /* once, before the first batch */
void tl_batch_find_edges(const tl_vertex_batch *batch, tl_batch_edges *out);

typedef struct tl_triangle_strips {
    uint32_t count;
    uint16_t first[TL_BATCH_TRIANGLES];  /* of each strip in `indices` */
    uint16_t length[TL_BATCH_TRIANGLES]; /* in indices */
    uint8_t indices[3 * TL_BATCH_TRIANGLES];
    uint8_t uncrossed[TL_BATCH_TRIANGLES]; /* of each triangle: the edge that its strip does not cross */
} tl_triangle_strips;

/* Joins the triangles that are not left out; those must not be degenerate. No strip has more than `longest` indices.
 * `seed` 0 takes the first of equal choices; others break ties at random. */
void tl_batch_make_strips(const tl_vertex_batch *batch, const tl_batch_edges *edges, const bool *left_out,
                          uint32_t longest, uint32_t seed, tl_triangle_strips *out);

/* --- the sequence: triangles without a common vertex, whose vertices have consecutive slots --- */

typedef struct tl_batch_sequence {
    uint8_t part[TL_BATCH_SLOTS]; /* of each vertex: its block, from 1; 0: the sequence may not have it */
    uint32_t count;
    uint8_t triangles[TL_SEQUENCE_TRIANGLES][3];
    bool has[TL_BATCH_SLOTS]; /* the vertex */
} tl_batch_sequence;

/* True if the sequence may have a triangle: all of it is in one block. */
static inline bool tl_batch_sequence_may_have(const tl_batch_sequence *sequence, const uint8_t *triangle)
{
    const uint8_t part = sequence->part[triangle[0]];
    return part != 0 && sequence->part[triangle[1]] == part && sequence->part[triangle[2]] == part;
}

/* Takes triangles out of the strips where that makes them shorter. Returns how many indices that saves. */
uint32_t tl_batch_choose_sequence(uint32_t seed, tl_triangle_strips *strips, tl_batch_sequence *out);

/* --- links: strips by local search --- */

/* Half-edges in pairs: at most one neighbour across each. */
typedef struct tl_batch_links {
    uint16_t triangle[3 * TL_BATCH_TRIANGLES]; /* the neighbour; the number of triangles: none */
    uint8_t here[3 * TL_BATCH_TRIANGLES];      /* which corners meet, as an offset into a table, */
    uint8_t there[3 * TL_BATCH_TRIANGLES];     /* and the same seen from the neighbour */
} tl_batch_links;

enum {
    TL_LINK_IN_SEQUENCE = 3, /* states of a triangle besides the three edges */
    TL_LINK_LEFT_OUT = 4,
    TL_LINK_STATES = 5,
    TL_LINK_TEMPERATURES = 3
};

/* By the corners of an edge on this side and the other, and the state of the triangle there: a vote for a state. */
extern const uint8_t tl_link_favours[9 * TL_LINK_STATES];

/* How probable the states of a triangle are, by temperature, whether it may be drawn by the sequence, and its
 * neighbours. */
typedef struct tl_link_table {
    bool filled;
    uint32_t bounds[TL_LINK_TEMPERATURES][2][64][4];
} tl_link_table;

void tl_link_fill_table(tl_link_table *table);

/* A state by its probability; `random` has 16 bits. */
static inline uint32_t tl_link_choose(const uint32_t *bounds, uint32_t random)
{
    return (random >= bounds[0] ? 1u : 0u) + (random >= bounds[1] ? 1u : 0u) + (random >= bounds[2] ? 1u : 0u);
}

typedef struct tl_link_effort {
    tl_link_table *table; /* is filled when it is needed */
    uint32_t sweeps, seed;
} tl_link_effort;

/* Simulated annealing of batches and strips at once, for meshes without bones. How strips find room is an estimate, so
 * the result may cost more than before. batches->count is 0 when no component is in several batches. */
bool tl_batch_refine(tl_arena *arena, const tl_batch_input *in, const tl_batch_effort *effort, tl_link_table *table,
                     tl_batch_list *batches);

void tl_batch_find_links(const tl_vertex_batch *batch, const tl_batch_edges *edges, tl_batch_links *out);

/* Strips of the triangles that are not left out, from what out->uncrossed says; some may go to the sequence.
 * Returns the number of indices. */
uint32_t tl_batch_search_strips(const tl_vertex_batch *batch, const tl_batch_links *links, const bool *left_out,
                                const tl_link_effort *effort, tl_triangle_strips *out, tl_batch_sequence *sequence);

/* --- drawing --- */

typedef struct tl_batch_draw {
    uint8_t slots[TL_BATCH_SLOTS];  /* of each vertex */
    uint64_t cost;                  /* of all but the loads */
    uint64_t score;                 /* the plan with the least is chosen */
    uint32_t bytes, quarter_cycles; /* what the cost estimates, exactly, and its time */
    uint32_t list_count, sequence_base, sequence_count, strip_counts[TL_BATCH_STRIPS];
    uint8_t list[TL_BATCH_TRIANGLES][3];                /* vertices */
    uint16_t strips[TL_BATCH_STRIPS][TL_STRIP_INDICES]; /* vertices, some with TL_STRIP_RESTART */
} tl_batch_draw;

/* Updates the cache to its content after the batch was loaded and drawn. */
void tl_slot_allocator_update(tl_slot_allocator *allocator, const tl_vertex_batch *batch, const tl_batch_draw *draw);

typedef struct tl_batch_draw_opts {
    bool strips, sequences;
    uint32_t tries;         /* number of seeds to try */
    uint32_t searches;      /* for better strips than the best of these */
    uint32_t command_worth; /* of a command that draws, as TL_COMMAND_WORTH */
    tl_link_table *link_table;
    bool lone; /* a mesh of a single batch: choose by estimated cycles, not by bytes */
} tl_batch_draw_opts;

void tl_batch_plan_draw(const tl_vertex_batch *batch, tl_batch_edges *edges, const tl_batch_draw_opts *opts,
                        tl_batch_draw *out);

/* --- plans that were made before --- */

enum {
    TL_BATCH_PLANS = 64,
    TL_BATCH_FORM_HEAD = 9,  /* words: counts and options */
    TL_BATCH_FORM_BLOCK = 4, /* bytes */
    TL_BATCH_FORM_SIZE = 4 * TL_BATCH_FORM_HEAD + (TL_BATCH_FORM_BLOCK + 2) * TL_BATCH_SLOTS + 3 * TL_BATCH_TRIANGLES
};

/* What a plan depends on. */
typedef uint8_t tl_batch_form[(TL_BATCH_FORM_SIZE + 3) / 4 * 4];

/* The last plans, each where the hash of its form says. */
typedef struct tl_batch_plans {
    uint16_t sizes[TL_BATCH_PLANS]; /* of the forms; 0: no plan */
    tl_batch_form forms[TL_BATCH_PLANS];
    tl_batch_draw draws[TL_BATCH_PLANS];
} tl_batch_plans;

void tl_batch_plans_clear(tl_batch_plans *plans);
/* What tl_batch_plan_draw makes, until the next call. */
const tl_batch_draw *tl_batch_find_plan(tl_batch_plans *plans, const tl_vertex_batch *batch, tl_batch_edges *edges,
                                        const tl_batch_draw_opts *opts);

#endif
