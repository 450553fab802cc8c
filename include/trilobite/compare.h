/* compare.h: how far two models are apart: surfaces, attributes and clips, whatever their formats, their order and
 * their division into meshes.
 *
 * The middle of each triangle of one model is compared with the nearest point of the other, in the rest pose. Points
 * inside triangles have one value of each attribute, while vertices on seams have several.
 */
#ifndef TRILOBITE_COMPARE_H
#define TRILOBITE_COMPARE_H

#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest value of a difference, and its mean over all points that have the attribute in both models. */
typedef struct trilo_deviation {
    double largest, mean;
    uint64_t points;
} trilo_deviation;

typedef struct trilo_model_deviation {
    double scale;             /* the other model was multiplied with this: the ratio of units per meter */
    uint64_t triangles[2];    /* with an area */
    trilo_deviation distance; /* of vertices to the surface of the other model, in both directions; in units of `a` */
    uint64_t reversed;        /* triangles of `a` that face away from their counterpart */
    trilo_deviation uv;       /* without whole repetitions of the texture */
    trilo_deviation color;    /* of a component, from 0 to 1 */
    trilo_deviation normal;   /* in degrees */
} trilo_model_deviation;

/* Returns false and fills *err (which may be NULL) if a model violates an invariant or memory runs out. */
TRILO_API bool trilo_model_compare(const trilo_model *a, const trilo_model *b, const trilo_memory *memory,
                                   trilo_model_deviation *deviation, trilo_error *err);

typedef struct trilo_clip_deviation {
    double largest, mean; /* distance of the points on the surface, in units of `a` */
    double seconds;       /* when it is largest */
    uint32_t node;        /* of `a`: the bone there; TRILO_NONE: none */
} trilo_clip_deviation;

/* A clip of each model, and how far they are apart. */
typedef struct trilo_clip_pair {
    uint32_t a, b;
    trilo_clip_deviation deviation;
} trilo_clip_pair;

/* Plays the clips of `count` pairs and compares where the middles of triangles go, up to 128 times over the longer
 * clip. Fills the deviation of each pair. Returns false and fills *err (which may be NULL) if a model violates an
 * invariant, memory runs out, or the clips move so much that it would take minutes (TRILO_CODE_LIMIT). */
TRILO_API bool trilo_clips_compare(const trilo_model *a, const trilo_model *b, trilo_clip_pair *clips, uint32_t count,
                                   const trilo_memory *memory, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
