/* frustum.h: frustum planes prepared for many boxes. */
#ifndef TL_QUERY_FRUSTUM_H
#define TL_QUERY_FRUSTUM_H

#include "model/bvh.h"
#include "trilobite/query.h"

enum { TL_PLANES = 6 };

/* A plane, and the p-vertex of a box: the corner furthest along its normal (Greene 1994). */
typedef struct tl_plane {
    double normal[3], w;
    int inner[3]; /* of the p-vertex in tl_box.at; the n-vertex has the other one of 0 3, 1 4, 2 5 */
} tl_plane;

typedef struct tl_frustum {
    uint32_t count;
    tl_plane planes[TL_PLANES];
} tl_frustum;

tl_frustum tl_frustum_prepare(const trilo_frustum *frustum);

/* Signed distances of p-vertex and n-vertex, times the length of the normal. Rounding is monotonic: in a box that is
 * outside everything is outside, and in one that is inside everything is inside, to the bit. */
static inline double tl_plane_p_vertex(const tl_plane *p, const tl_box *box)
{
    return p->normal[0] * box->at[p->inner[0]] + p->normal[1] * box->at[p->inner[1]] +
           p->normal[2] * box->at[p->inner[2]] + p->w;
}

static inline double tl_plane_n_vertex(const tl_plane *p, const tl_box *box)
{
    return p->normal[0] * box->at[3 - p->inner[0]] + p->normal[1] * box->at[5 - p->inner[1]] +
           p->normal[2] * box->at[7 - p->inner[2]] + p->w;
}

/* True if the box, which is not empty, is outside none of the planes whose bit is set. */
static inline bool tl_frustum_sees(const tl_frustum *f, const tl_box *box, uint32_t planes)
{
    for (uint32_t i = 0; i < f->count; i++)
        if ((planes >> i & 1) != 0 && tl_plane_p_vertex(&f->planes[i], box) < 0)
            return false;
    return true;
}

#endif
