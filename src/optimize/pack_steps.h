/* pack_steps.h: the steps of tl_pack.
 *
 * Triangles are put into groups that fit the cache (pack_groups.c). Within a group, they are joined to runs
 * (pack_runs.c), and the runs are divided among a sequence, strips and a list under the rules of the console's memory
 * (pack_draw.c).
 */
#ifndef TL_OPTIMIZE_PACK_STEPS_H
#define TL_OPTIMIZE_PACK_STEPS_H

#include "optimize/pack.h"

enum {
    TL_GROUP_TRIANGLES = 512, /* in one group; with 70 vertices only a mesh that lies upon itself has so many */
    TL_STRIP_INDICES = 255,   /* the most that a part can count */
    TL_RUN_START = 0x8000     /* on an index that starts a new run within a strip */
};

/* --- groups --- */

typedef struct tl_groups {
    uint32_t count;
    uint32_t *first;                    /* of each group in `order`, and one more for the end */
    uint32_t *order;                    /* input triangles, group by group */
    uint32_t loads_most, vertices_most; /* what all groups together need at most, a load for each bone of a group */
} tl_groups;

/* No group has more than TL_PACK_SLOTS different vertices or TL_GROUP_TRIANGLES triangles. */
bool tl_group_triangles(tl_arena *arena, const tl_pack_input *in, tl_groups *out);

/* --- one group; its vertices are numbered from 0, those of one bone in a row --- */

typedef struct tl_group {
    uint32_t vertex_count, triangle_count, block_count;
    uint32_t vertices[TL_PACK_SLOTS];         /* input vertices */
    uint8_t blocks[TL_PACK_SLOTS + 1];        /* first vertex of each bone's, and one more for the end */
    uint16_t bones[TL_PACK_SLOTS];            /* of each block */
    uint8_t triangles[TL_GROUP_TRIANGLES][3]; /* vertices of the group */
} tl_group;

/* --- runs: strips of one piece --- */

typedef struct tl_runs {
    uint32_t count;
    uint16_t first[TL_GROUP_TRIANGLES + 1]; /* of each run in `indices`, and one more for the end */
    uint8_t indices[3 * TL_GROUP_TRIANGLES];
} tl_runs;

/* Joins the triangles that are not left out; those must not be degenerate. No run has more than `longest` indices. */
void tl_make_runs(const tl_group *group, const bool *left_out, uint32_t longest, tl_runs *out);

/* --- drawing --- */

typedef struct tl_draw {
    uint8_t slots[TL_PACK_SLOTS]; /* of each vertex; a block keeps its place */
    uint32_t list_count, sequence_count, strip_counts[TL_PACK_STRIPS];
    uint8_t list[TL_GROUP_TRIANGLES][3];               /* vertices */
    uint16_t strips[TL_PACK_STRIPS][TL_STRIP_INDICES]; /* vertices, some with TL_RUN_START */
    uint32_t cost;                                     /* RSP cycles, what is the same for every way left out */
} tl_draw;

void tl_plan_draw(const tl_group *group, bool strips, bool sequences, tl_draw *out);

#endif
