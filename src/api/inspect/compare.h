/* compare.h: what the comparisons of models and of their clips share. */
#ifndef TL_API_INSPECT_COMPARE_H
#define TL_API_INSPECT_COMPARE_H

#include "base/arena.h"
#include "trilobite/compare.h"
#include "trilobite/query.h"

typedef float compare_point[3];

/* A model with the positions of all meshes, in the units of the first one. */
typedef struct compare_side {
    const trilo_model *model;
    float scale;
    trilo_mat4 *locals, *worlds, **skins;
    compare_point **positions, **normals; /* normals of a mesh: NULL where they are not compared */
} compare_side;

/* The counterpart of a triangle: a point of a triangle of the other model. */
typedef struct compare_pair {
    trilo_face from, to;
    float weights[3];
    bool found;
} compare_pair;

typedef struct compare_work {
    tl_arena arena;
    compare_side a, b;
    trilo_query *to_a, *to_b; /* NULL until needed */
    double scale, tolerance;
    compare_pair *pairs; /* of the triangles of `a`, by mesh */
    size_t pair_count;
} compare_work;

extern const float tl_compare_middle[3];

/* Puts both models into the rest pose. tl_compare_end() is needed also when it fails. */
bool tl_compare_prepare(compare_work *work, const trilo_model *a, const trilo_model *b, bool normals,
                        const trilo_memory *memory, trilo_error *err);
void tl_compare_end(compare_work *work);

/* Finds the counterparts of all triangles of `a` that have one, in the rest pose. */
bool tl_compare_pairs(compare_work *work, const trilo_memory *memory, trilo_error *err);

/* Moves the vertices of a mesh by the clip's vertex animation and by side->worlds and side->skins. */
void tl_compare_pose_mesh(const compare_side *side, uint32_t mesh, uint32_t clip, double seconds);

/* The point of a triangle with these barycentric weights. */
void tl_compare_point(const compare_side *side, trilo_face face, const float weights[3], double out[4]);
double tl_compare_distance(const double *a, const double *b);

#endif
