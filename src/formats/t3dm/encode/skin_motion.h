/* skin_motion.h: where the joints of a skin are over all clips, and how well a single one of them fits a vertex.
 *
 * Let x(t) be the position of the vertex in the blended skin, and R(t), o(t) the linear part and the translation of a
 * joint's skinning matrix. Then the best position p has the least sum of |x - o - R p|^2 over all samples: a linear
 * least-squares problem, (sum of R^T R) p = sum of R^T (x - o). Its matrix is that of the joint alone. */
#ifndef TL_T3DM_ENCODE_SKIN_MOTION_H
#define TL_T3DM_ENCODE_SKIN_MOTION_H

#include "base/arena.h"
#include "trilobite/model.h"

/* The skinning matrix of a joint at one time: columns of R, then o. */
typedef struct skin_matrix {
    double m[12];
} skin_matrix;

typedef struct skin_motion {
    uint32_t joint_count, sample_count;
    skin_matrix *matrices; /* of all joints, sample by sample */
    double (*inverse)[9];  /* of the sum of R^T R of each joint, symmetric */
    bool *invertible;      /* of each joint */
    double (*blended)[3];  /* the vertex at each sample */
} skin_motion;

/* True if the vertex follows several joints. */
static inline bool tl_skin_blends(const float weights[4])
{
    return (weights[0] > 0) + (weights[1] > 0) + (weights[2] > 0) + (weights[3] > 0) > 1;
}

/* True if the vertices of the mesh follow joints. */
static inline bool tl_skin_moves(const trilo_mesh *mesh)
{
    return mesh->skin != TRILO_NONE && mesh->joints && mesh->weights;
}
/* True if one of them follows several. */
bool tl_skin_mesh_blends(const trilo_mesh *mesh);

/* One for each skin, empty for those that no vertex of a mesh blends: the rest pose and all clips, in steps of as many
 * ticks as keep the samples few. NULL: no memory. */
skin_motion *tl_skin_motions_new(tl_arena *arena, const trilo_model *model);

/* Room for matrices of other things at the same samples, for the same vertices. False: no memory. */
bool tl_skin_motion_like(tl_arena *arena, const skin_motion *like, uint32_t joint_count, skin_motion *motion);
/* Makes the motion ready for tl_skin_motion_fit when it has its matrices. */
void tl_skin_motion_finish(skin_motion *motion);

/* Sets motion->blended: where the skin has a vertex. */
void tl_skin_motion_blend(skin_motion *motion, const uint16_t joints[4], const float weights[4],
                          const double position[3]);
/* The best position of that vertex for a joint, and the sum of squares that is left; infinite if there is none. */
double tl_skin_motion_fit(const skin_motion *motion, uint32_t joint, double position[3]);
/* The sum of squares with a joint and a position; *most becomes the largest distance if that is larger. */
double tl_skin_motion_measure(const skin_motion *motion, uint32_t joint, const double position[3], double *most);

#endif
