/* All triangles in a box, a sphere or a frustum. */
#include "query/frustum.h"
#include "query/query.h"

#include <math.h>
#include <string.h>

typedef enum side { OUTSIDE, CROSSING, INSIDE } side;

typedef struct sides {
    side of[2];
    uint32_t state[2];
} sides;

/* A place that triangles can be in. `state` goes down the tree: what a box has left open for all that is in it. */
typedef struct place {
    const void *shape;
    sides (*pair)(const void *shape, const tl_bvh_box_node *pair, uint32_t state); /* two nodes at a time */
    bool (*face)(const void *shape, const float corners[9], uint32_t state);
    trilo_faces_fn *fn;
    void *user;
} place;

/* ---- the tree ---- */

/* Faces that were found one by one are handed on in runs. */
static bool some_faces(const trilo_query *query, const place *p, uint32_t first, uint32_t count, bool inside,
                       uint32_t state)
{
    uint32_t from = first;
    for (uint32_t i = first; i < first + count; i++) {
        if (!tl_face_broken(&query->faces[i]) && (inside || p->face(p->shape, query->corners[i], state)))
            continue;
        if (from < i && !p->fn(p->user, query->faces + from, i - from))
            return false;
        from = i + 1;
    }
    return from == first + count || p->fn(p->user, query->faces + from, first + count - from);
}

typedef struct waiting {
    uint32_t node, first, state;
} waiting;

/* What is found in a node that is inside, or in a leaf. */
static bool tell(const trilo_query *query, const place *p, const waiting *at, bool inside)
{
    const uint32_t count = query->nodes[at->node].count;
    if (inside && query->broken == 0)
        return p->fn(p->user, query->faces + at->first, count);
    return some_faces(query, p, at->first, count, inside, at->state);
}

/* Only inner nodes that cross the border wait; the first child is on top, and near by. */
static bool walk(const trilo_query *query, const place *p, uint32_t state)
{
    waiting stack[TL_BOX_DEPTH + 1] = {{TL_BOX_ROOT, 0, state}};
    uint32_t depth = 1;
    if (query->node_count == 0)
        return true;
    if (query->nodes[TL_BOX_ROOT].child == 0)
        return tell(query, p, &stack[0], false);
    while (depth > 0) {
        const waiting at = stack[--depth];
        const uint32_t child = query->nodes[at.node].child;
        const tl_bvh_box_node *pair = &query->nodes[child];
        const sides s = p->pair(p->shape, pair, at.state);
        const waiting first = {child, at.first, s.state[0]}, second = {child + 1, at.first + pair->count, s.state[1]};
        if (s.of[1] == CROSSING && pair[1].child != 0)
            stack[depth++] = second;
        else if (s.of[1] != OUTSIDE && !tell(query, p, &second, s.of[1] == INSIDE))
            return false;
        if (s.of[0] == CROSSING && pair[0].child != 0)
            stack[depth++] = first;
        else if (s.of[0] != OUTSIDE && !tell(query, p, &first, s.of[0] == INSIDE))
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

static side box_in_box(const tl_box *wanted, const tl_box *box)
{
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        if (!(box->at[k] <= wanted->at[k + 3] && box->at[k + 3] >= wanted->at[k]))
            return OUTSIDE;
        inside = inside && box->at[k] >= wanted->at[k] && box->at[k + 3] <= wanted->at[k + 3];
    }
    return inside ? INSIDE : CROSSING;
}

static sides pair_in_box(const void *shape, const tl_bvh_box_node *pair, uint32_t state)
{
    return (sides){{box_in_box(shape, &pair[0].box), box_in_box(shape, &pair[1].box)}, {state, state}};
}

static bool face_in_box(const void *shape, const float corners[9], uint32_t state)
{
    (void)state;
    return tl_triangle_meets_box(corners, shape);
}

/* Without what is outside all triangles: a box may be endless. */
bool trilo_query_box(const trilo_query *query, const trilo_bounds *box, trilo_faces_fn *fn, void *user)
{
    tl_box cut = tl_box_of(box);
    for (int k = 0; k < 3 && query->node_count > 0; k++) {
        const tl_box *all = &query->nodes[TL_BOX_ROOT].box;
        if (!(cut.at[k] <= cut.at[k + 3]))
            return true;
        cut.at[k] = cut.at[k] < all->at[k] ? all->at[k] : cut.at[k];
        cut.at[k + 3] = cut.at[k + 3] > all->at[k + 3] ? all->at[k + 3] : cut.at[k + 3];
        if (!(cut.at[k] <= cut.at[k + 3]))
            return true;
    }
    return walk(query, &(place){&cut, pair_in_box, face_in_box, fn, user}, 0);
}

/* ---- spheres ---- */

typedef struct sphere {
    double center[3], radius2;
} sphere;

static side box_in_sphere(const sphere *s, const tl_box *box)
{
    double furthest2 = 0;
    if (tl_box_distance2(box, s->center) > s->radius2)
        return OUTSIDE;
    for (int k = 0; k < 3; k++) {
        const double below = s->center[k] - box->at[k], above = box->at[k + 3] - s->center[k];
        const double off = below > above ? below : above;
        furthest2 += off * off;
    }
    return furthest2 <= s->radius2 ? INSIDE : CROSSING;
}

static sides pair_in_sphere(const void *shape, const tl_bvh_box_node *pair, uint32_t state)
{
    return (sides){{box_in_sphere(shape, &pair[0].box), box_in_sphere(shape, &pair[1].box)}, {state, state}};
}

static bool face_in_sphere(const void *shape, const float corners[9], uint32_t state)
{
    const sphere *s = shape;
    (void)state;
    return tl_triangle_closest_point(corners, s->center).distance2 <= s->radius2;
}

bool trilo_query_sphere(const trilo_query *query, trilo_vec3 center, float radius, trilo_faces_fn *fn, void *user)
{
    const sphere s = {{center.x, center.y, center.z}, (double)radius * radius};
    for (int k = 0; k < 3; k++)
        if (!isfinite(s.center[k]))
            return true;
    if (!(radius >= 0))
        return true;
    return walk(query, &(place){&s, pair_in_sphere, face_in_sphere, fn, user}, 0);
}

/* ---- frustums ---- */

/* `state` has a bit for each plane that still cuts. The box of a single triangle is all that is asked for. */
static sides pair_in_frustum(const void *shape, const tl_bvh_box_node *pair, uint32_t state)
{
    const tl_frustum *f = shape;
    const tl_box *a = &pair[0].box, *b = &pair[1].box;
    bool out_a = false, out_b = false;
    uint32_t left_a = 0, left_b = 0;
    for (uint32_t i = 0; state >> i != 0; i++) {
        const tl_plane *plane = &f->planes[i];
        if ((state >> i & 1) == 0)
            continue;
        out_a |= tl_plane_most(plane, a) < 0;
        out_b |= tl_plane_most(plane, b) < 0;
        left_a |= (uint32_t)(tl_plane_least(plane, a) < 0) << i;
        left_b |= (uint32_t)(tl_plane_least(plane, b) < 0) << i;
    }
    return (sides){{out_a                               ? OUTSIDE
                    : left_a == 0 || pair[0].count == 1 ? INSIDE
                                                        : CROSSING,
                    out_b                               ? OUTSIDE
                    : left_b == 0 || pair[1].count == 1 ? INSIDE
                                                        : CROSSING},
                   {left_a, left_b}};
}

static bool face_in_frustum(const void *shape, const float corners[9], uint32_t state)
{
    const tl_box box = tl_corners_box(corners);
    return tl_frustum_sees(shape, &box, state);
}

bool trilo_query_frustum(const trilo_query *query, const trilo_frustum *frustum, trilo_faces_fn *fn, void *user)
{
    const tl_frustum f = tl_frustum_ready(frustum);
    return walk(query, &(place){&f, pair_in_frustum, face_in_frustum, fn, user}, (1u << f.count) - 1);
}
