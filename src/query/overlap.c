/* Overlap: all triangles in a box, a sphere or a frustum. */
#include "base/strict_float.h"
#include "query/frustum.h"
#include "query/query.h"

#include <math.h>
#include <string.h>

typedef enum overlap_side { OVERLAP_OUTSIDE, OVERLAP_CROSSING, OVERLAP_INSIDE } overlap_side;

typedef struct overlap_pair {
    overlap_side of[2];
    uint32_t state[2];
} overlap_pair;

/* What triangles are tested against. `state` is handed from a node to its children. */
typedef struct overlap_shape {
    const void *shape;
    overlap_pair (*pair)(const void *shape, const tl_bvh_box_node *pair, uint32_t state); /* siblings together */
    bool (*face)(const void *shape, const float corners[9], uint32_t state);
    trilo_faces_fn *fn;
    void *user;
} overlap_shape;

/* ---- the tree ---- */

typedef struct overlap_entry {
    uint32_t node, first, state;
} overlap_entry;

/* Reports a node that is inside as a whole; otherwise faces are tested one by one and reported in runs. */
static bool overlap_report(const trilo_query *query, const overlap_shape *p, const overlap_entry *at, bool inside)
{
    const uint32_t end = at->first + query->nodes[at->node].count;
    uint32_t from = at->first; /* of the run */
    if (inside && query->not_finite == 0)
        return p->fn(p->user, query->faces + from, end - from);
    for (uint32_t i = from; i < end; i++) {
        if (!tl_face_not_finite(&query->faces[i]) && (inside || p->face(p->shape, query->corners[i], at->state)))
            continue;
        if (from < i && !p->fn(p->user, query->faces + from, i - from))
            return false;
        from = i + 1;
    }
    return from == end || p->fn(p->user, query->faces + from, end - from);
}

/* Only inner nodes that cross the border are pushed; the first child is on top. */
static bool overlap_traverse(const trilo_query *query, const overlap_shape *p, uint32_t state)
{
    overlap_entry stack[TL_BVH_MAX_DEPTH + 1] = {{TL_BVH_ROOT, 0, state}};
    uint32_t depth = 1;
    if (query->node_count == 0)
        return true;
    if (query->nodes[TL_BVH_ROOT].child == 0)
        return overlap_report(query, p, &stack[0], false);
    while (depth > 0) {
        const overlap_entry at = stack[--depth];
        const uint32_t child = query->nodes[at.node].child;
        const tl_bvh_box_node *pair = &query->nodes[child];
        const overlap_pair s = p->pair(p->shape, pair, at.state);
        const overlap_entry first = {child, at.first, s.state[0]},
                            second = {child + 1, at.first + pair->count, s.state[1]};
        if (s.of[1] == OVERLAP_CROSSING && pair[1].child != 0)
            stack[depth++] = second;
        else if (s.of[1] != OVERLAP_OUTSIDE && !overlap_report(query, p, &second, s.of[1] == OVERLAP_INSIDE))
            return false;
        if (s.of[0] == OVERLAP_CROSSING && pair[0].child != 0)
            stack[depth++] = first;
        else if (s.of[0] != OVERLAP_OUTSIDE && !overlap_report(query, p, &first, s.of[0] == OVERLAP_INSIDE))
            return false;
    }
    return true;
}

bool trilo_faces_keep(void *faces, const trilo_face *found, uint32_t count)
{
    trilo_faces *to = faces;
    const uint32_t left = to->count < to->room ? to->room - to->count : 0, kept = count < left ? count : left;
    if (kept > 0)
        memcpy(to->faces + to->count, found, kept * sizeof *found);
    to->count += count;
    return true;
}

/* ---- boxes ---- */

static overlap_side overlap_box_in_box(const tl_box *wanted, const tl_box *box)
{
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        if (!(box->at[k] <= wanted->at[k + 3] && box->at[k + 3] >= wanted->at[k]))
            return OVERLAP_OUTSIDE;
        inside = inside && box->at[k] >= wanted->at[k] && box->at[k + 3] <= wanted->at[k + 3];
    }
    return inside ? OVERLAP_INSIDE : OVERLAP_CROSSING;
}

static overlap_pair overlap_box_pair(const void *shape, const tl_bvh_box_node *pair, uint32_t state)
{
    return (overlap_pair){{overlap_box_in_box(shape, &pair[0].box), overlap_box_in_box(shape, &pair[1].box)},
                          {state, state}};
}

static bool overlap_box_face(const void *shape, const float corners[9], uint32_t state)
{
    (void)state;
    return tl_triangle_overlaps_box(corners, shape);
}

/* Cut to the bounds of all triangles: the box may be infinite. */
bool trilo_query_box(const trilo_query *query, const trilo_bounds *box, trilo_faces_fn *fn, void *user)
{
    tl_box cut = tl_box_of(box);
    for (int k = 0; k < 3 && query->node_count > 0; k++) {
        const tl_box *all = &query->nodes[TL_BVH_ROOT].box;
        if (!(cut.at[k] <= cut.at[k + 3]))
            return true;
        cut.at[k] = cut.at[k] < all->at[k] ? all->at[k] : cut.at[k];
        cut.at[k + 3] = cut.at[k + 3] > all->at[k + 3] ? all->at[k + 3] : cut.at[k + 3];
        if (!(cut.at[k] <= cut.at[k + 3]))
            return true;
    }
    return overlap_traverse(query, &(overlap_shape){&cut, overlap_box_pair, overlap_box_face, fn, user}, 0);
}

/* ---- spheres ---- */

typedef struct overlap_sphere {
    double center[3], radius2;
} overlap_sphere;

static overlap_side overlap_box_in_sphere(const overlap_sphere *s, const tl_box *box)
{
    double furthest2 = 0;
    if (tl_box_distance2(box, s->center) > s->radius2)
        return OVERLAP_OUTSIDE;
    for (int k = 0; k < 3; k++) {
        const double below = s->center[k] - box->at[k], above = box->at[k + 3] - s->center[k];
        const double off = below > above ? below : above;
        furthest2 += off * off;
    }
    return furthest2 <= s->radius2 ? OVERLAP_INSIDE : OVERLAP_CROSSING;
}

static overlap_pair overlap_sphere_pair(const void *shape, const tl_bvh_box_node *pair, uint32_t state)
{
    return (overlap_pair){{overlap_box_in_sphere(shape, &pair[0].box), overlap_box_in_sphere(shape, &pair[1].box)},
                          {state, state}};
}

static bool overlap_sphere_face(const void *shape, const float corners[9], uint32_t state)
{
    const overlap_sphere *s = shape;
    (void)state;
    return tl_triangle_closest_point(corners, s->center).distance2 <= s->radius2;
}

bool trilo_query_sphere(const trilo_query *query, trilo_vec3 center, float radius, trilo_faces_fn *fn, void *user)
{
    const overlap_sphere s = {{center.x, center.y, center.z}, (double)radius * radius};
    for (int k = 0; k < 3; k++)
        if (!isfinite(s.center[k]))
            return true;
    if (!(radius >= 0))
        return true;
    return overlap_traverse(query, &(overlap_shape){&s, overlap_sphere_pair, overlap_sphere_face, fn, user}, 0);
}

/* ---- frustums ---- */

/* Hierarchical frustum culling with plane masking (Assarsson and Möller 2000): `state` has a bit for each plane that
 * still cuts. Of a single triangle only the box is tested. */
static overlap_pair overlap_frustum_pair(const void *shape, const tl_bvh_box_node *pair, uint32_t state)
{
    const tl_frustum *f = shape;
    const tl_box *a = &pair[0].box, *b = &pair[1].box;
    bool out_a = false, out_b = false;
    uint32_t left_a = 0, left_b = 0;
    for (uint32_t i = 0; state >> i != 0; i++) {
        const tl_plane *plane = &f->planes[i];
        if ((state >> i & 1) == 0)
            continue;
        out_a |= tl_plane_p_vertex(plane, a) < 0;
        out_b |= tl_plane_p_vertex(plane, b) < 0;
        left_a |= (uint32_t)(tl_plane_n_vertex(plane, a) < 0) << i;
        left_b |= (uint32_t)(tl_plane_n_vertex(plane, b) < 0) << i;
    }
    return (overlap_pair){{out_a                               ? OVERLAP_OUTSIDE
                           : left_a == 0 || pair[0].count == 1 ? OVERLAP_INSIDE
                                                               : OVERLAP_CROSSING,
                           out_b                               ? OVERLAP_OUTSIDE
                           : left_b == 0 || pair[1].count == 1 ? OVERLAP_INSIDE
                                                               : OVERLAP_CROSSING},
                          {left_a, left_b}};
}

static bool overlap_frustum_face(const void *shape, const float corners[9], uint32_t state)
{
    const tl_box box = tl_triangle_box(corners);
    return tl_frustum_sees(shape, &box, state);
}

bool trilo_query_frustum(const trilo_query *query, const trilo_frustum *frustum, trilo_faces_fn *fn, void *user)
{
    const tl_frustum f = tl_frustum_prepare(frustum);
    return overlap_traverse(query, &(overlap_shape){&f, overlap_frustum_pair, overlap_frustum_face, fn, user},
                            (1u << f.count) - 1);
}
