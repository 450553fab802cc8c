/* Overlap: all triangles in a box, a sphere or a frustum. */
#include "base/strict_float.h"
#include "query/frustum.h"
#include "query/query.h"

#include <math.h>
#include <string.h>

typedef enum overlap_side { OVERLAP_OUTSIDE, OVERLAP_CROSSING, OVERLAP_INSIDE } overlap_side;

/* What triangles are tested against. `state` is passed from a node to its children. */
typedef struct overlap_shape {
    const void *shape;
    overlap_side (*box)(const void *shape, const tl_box *box, uint32_t *state);
    bool (*face)(const void *shape, const float corners[9], uint32_t state);
    trilo_faces_fn *fn;
    void *user;
} overlap_shape;

/* ---- the tree ---- */

typedef struct overlap_entry {
    uint32_t child, state;
    bool inside;
} overlap_entry;

/* The leaf at one end of what is below a child. */
static uint32_t overlap_end_leaf(const trilo_query *query, uint32_t child, bool last)
{
    while (!tl_query_is_leaf(child)) {
        const uint32_t *children = query->nodes[child].child;
        uint32_t k = last ? TL_QUERY_WIDTH - 1 : 0;
        while (children[k] == TL_QUERY_LEAF)
            k--;
        child = children[k];
    }
    return child;
}

/* Reports a child that is inside as a whole; otherwise it is a leaf, whose faces are tested one by one and reported in
 * runs. */
static bool overlap_report(const trilo_query *query, const overlap_shape *p, const overlap_entry *at)
{
    const uint32_t last = overlap_end_leaf(query, at->child, true);
    const uint32_t end = tl_query_leaf_first(last) + tl_query_leaf_count(last);
    const uint32_t first = overlap_end_leaf(query, at->child, false);
    uint32_t from = tl_query_leaf_first(first); /* of the run */
    if (at->inside && query->not_finite == 0)
        return p->fn(p->user, query->faces + from, end - from);
    for (uint32_t i = from; i < end; i++) {
        float corners[9];
        if (!at->inside)
            tl_query_corners(query, at->child, i, corners);
        if (!tl_face_not_finite(&query->faces[i]) && (at->inside || p->face(p->shape, corners, at->state)))
            continue;
        if (from < i && !p->fn(p->user, query->faces + from, i - from))
            return false;
        from = i + 1;
    }
    return from == end || p->fn(p->user, query->faces + from, end - from);
}

/* In the order of the tree. */
static bool overlap_traverse(const trilo_query *query, const overlap_shape *p, uint32_t state)
{
    overlap_entry stack[TL_QUERY_STACK] = {{0, state, false}};
    uint32_t depth = query->node_count > 0 ? 1 : 0;
    while (depth > 0) {
        const overlap_entry at = stack[--depth];
        if (at.inside || tl_query_is_leaf(at.child)) {
            if (!overlap_report(query, p, &at))
                return false;
            continue;
        }
        const tl_query_node *node = &query->nodes[at.child];
        tl_query_boxes boxes;
        tl_query_child_boxes(node, &boxes);
        for (uint32_t k = TL_QUERY_WIDTH; k-- > 0;) { /* the first child on top */
            if (node->child[k] == TL_QUERY_LEAF)
                continue;
            uint32_t below = at.state;
            const tl_box box = tl_query_box(&boxes, k);
            const overlap_side side = p->box(p->shape, &box, &below);
            if (side != OVERLAP_OUTSIDE)
                stack[depth++] = (overlap_entry){node->child[k], below, side == OVERLAP_INSIDE};
        }
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

static overlap_side overlap_box_box(const void *shape, const tl_box *box, uint32_t *state)
{
    const tl_box *wanted = shape;
    bool inside = true;
    (void)state;
    for (int k = 0; k < 3; k++) {
        if (!(box->at[k] <= wanted->at[k + 3] && box->at[k + 3] >= wanted->at[k]))
            return OVERLAP_OUTSIDE;
        inside = inside && box->at[k] >= wanted->at[k] && box->at[k + 3] <= wanted->at[k + 3];
    }
    return inside ? OVERLAP_INSIDE : OVERLAP_CROSSING;
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
        const tl_box *all = &query->box;
        if (!(cut.at[k] <= cut.at[k + 3]))
            return true;
        cut.at[k] = cut.at[k] < all->at[k] ? all->at[k] : cut.at[k];
        cut.at[k + 3] = cut.at[k + 3] > all->at[k + 3] ? all->at[k + 3] : cut.at[k + 3];
        if (!(cut.at[k] <= cut.at[k + 3]))
            return true;
    }
    return overlap_traverse(query, &(overlap_shape){&cut, overlap_box_box, overlap_box_face, fn, user}, 0);
}

/* ---- spheres ---- */

typedef struct overlap_sphere {
    double center[3], radius2;
} overlap_sphere;

static overlap_side overlap_sphere_box(const void *shape, const tl_box *box, uint32_t *state)
{
    const overlap_sphere *s = shape;
    double furthest2 = 0;
    (void)state;
    if (tl_box_distance2(box, s->center) > s->radius2)
        return OVERLAP_OUTSIDE;
    for (int k = 0; k < 3; k++) {
        const double below = s->center[k] - box->at[k], above = box->at[k + 3] - s->center[k];
        const double off = below > above ? below : above;
        furthest2 += off * off;
    }
    return furthest2 <= s->radius2 ? OVERLAP_INSIDE : OVERLAP_CROSSING;
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
    return overlap_traverse(query, &(overlap_shape){&s, overlap_sphere_box, overlap_sphere_face, fn, user}, 0);
}

/* ---- frustums ---- */

/* Hierarchical frustum culling with plane masking (Assarsson and Möller 2000): `state` has a bit for each plane that
 * still cuts. */
static overlap_side overlap_frustum_box(const void *shape, const tl_box *box, uint32_t *state)
{
    const tl_frustum *f = shape;
    uint32_t left = 0;
    bool outside = false;
    for (uint32_t i = 0; *state >> i != 0; i++) {
        if ((*state >> i & 1) == 0)
            continue;
        outside |= tl_plane_p_vertex(&f->planes[i], box) < 0;
        left |= (uint32_t)(tl_plane_n_vertex(&f->planes[i], box) < 0) << i;
    }
    *state = left;
    return outside ? OVERLAP_OUTSIDE : left == 0 ? OVERLAP_INSIDE : OVERLAP_CROSSING;
}

static bool overlap_frustum_face(const void *shape, const float corners[9], uint32_t state)
{
    const tl_box box = tl_triangle_box(corners);
    return tl_frustum_sees(shape, &box, state);
}

bool trilo_query_frustum(const trilo_query *query, const trilo_frustum *frustum, trilo_faces_fn *fn, void *user)
{
    const tl_frustum f = tl_frustum_prepare(frustum);
    return overlap_traverse(query, &(overlap_shape){&f, overlap_frustum_box, overlap_frustum_face, fn, user},
                            (1u << f.count) - 1);
}
