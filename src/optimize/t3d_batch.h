/* t3d_batch.h: splits a mesh into vertex batches for Tiny3D's vertex cache of 70 slots.
 *
 * Arrays in, arrays out. Tiny3D draws a mesh in parts: load up to 70 vertices (an even number) into slots, then draw a
 * triangle list, a sequence and up to four strips. See docs/formats/t3dm.md for the rules of the cache.
 */
#ifndef TL_OPTIMIZE_T3D_BATCH_H
#define TL_OPTIMIZE_T3D_BATCH_H

#include "base/arena.h"
#include "base/report.h"
#include "n64/rsp_cost.h"

enum { TL_BATCH_SLOTS = TL_RSP_SLOTS, TL_BATCH_STRIPS = 4, TL_BATCH_NO_BONE = 0xFFFF };

typedef struct tl_batch_input {
    uint32_t vertex_count, triangle_count;
    const uint32_t (*triangles)[3]; /* indices below vertex_count; counter-clockwise */
    const uint16_t *bones;          /* of each vertex; NULL: all TL_BATCH_NO_BONE */
    bool strips, sequences;         /* may be used (sequences: T3DM 4 only) */
    uint32_t level;                 /* effort, 1 to 3; 0: 1 */
    bool resident;                  /* a part may use vertices that earlier parts loaded */
    tl_report *progress;            /* for progress and cancelling; may be NULL */
} tl_batch_input;

/* One vertex load, and what is drawn after it; a part that draws nothing has no index, strip or sequence. */
typedef struct tl_batch_part {
    uint32_t first_vertex; /* in tl_batch_output.vertices, always even */
    uint16_t vertex_count; /* even: an odd number is padded with a copy of the last vertex */
    uint16_t dest;         /* first slot */
    uint16_t bone;
    uint32_t first_index; /* in tl_batch_output.indices: triangle list, 3 slots each */
    uint16_t index_count;
    uint8_t sequence_base, sequence_count;
    uint32_t first_strip[TL_BATCH_STRIPS]; /* in tl_batch_output.strips */
    uint8_t strip_counts[TL_BATCH_STRIPS]; /* indices of each strip; the first 0 ends them */
} tl_batch_part;

typedef struct tl_batch_output {
    uint32_t part_count, vertex_count, index_count, strip_size;
    tl_batch_part *parts;
    uint32_t *vertices; /* input vertex of each stored vertex */
    uint8_t *indices;   /* slots */
    uint16_t *strips;   /* slots; bit 15: starts a new strip inside the same buffer */
} tl_batch_output;

/* Every input triangle is drawn exactly once with its winding. Returns false when memory runs out or the work was
 * cancelled. Deterministic. */
bool tl_batch(tl_arena *arena, const tl_batch_input *in, tl_batch_output *out);

#endif
