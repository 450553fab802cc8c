/* helper_bones.h: bones halfway between two others, for the vertices that both of these move.
 *
 *   helper_bones.c  which pairs of bones get one
 *   helper_nodes.c  the nodes, joints and channels of these
 */
#ifndef TL_T3DM_ENCODE_HELPER_BONES_H
#define TL_T3DM_ENCODE_HELPER_BONES_H

#include "formats/t3dm/encode/encode.h"

enum { T3DM_HELPERS_MOST = 255, T3DM_HELPER_PATH = 8 };

/* Its transform is halfway between that of node b and where b would be if it moved with node a. */
typedef struct t3dm_helper {
    uint32_t a, b;                                               /* a < b, so b is never above a */
    trilo_mat4 b_in_a;                                           /* when the skin was bound */
    uint32_t parent;                                             /* the first node above both, or a; TRILO_NONE: none */
    uint32_t path_a[T3DM_HELPER_PATH], path_b[T3DM_HELPER_PATH]; /* from the nodes to that one, without it */
    uint32_t count_a, count_b;
} t3dm_helper;

typedef struct t3dm_helpers {
    uint32_t count;
    t3dm_helper *helpers; /* by a and b, ascending */
    uint32_t **joints;    /* of each skin, of each helper: the joint; TRILO_NONE: none */
} t3dm_helpers;

/* The helper of two nodes in any order; TRILO_NONE: none. */
uint32_t tl_t3dm_find_helper(const t3dm_helpers *helpers, uint32_t node, uint32_t other);
/* The mean of two transforms: rotations by half of the arc. */
void tl_t3dm_halfway(const trilo_mat4 *from, const trilo_mat4 *to, trilo_vec3 *translation, trilo_quat *rotation,
                     trilo_vec3 *scale);

/* Chooses at most `most` helpers, those that bring the vertices of the skins nearest to where they should be. False: no
 * memory. */
bool tl_t3dm_choose_helpers(t3dm_encoder *e, uint32_t most, t3dm_helpers *helpers);
/* Replaces e->model by a copy with the nodes, joints and channels of the helpers. False: no memory. */
bool tl_t3dm_add_helpers(t3dm_encoder *e, t3dm_helpers *helpers);

#endif
