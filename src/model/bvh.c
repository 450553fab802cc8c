/* Top-down build of a bounding volume hierarchy by the surface area heuristic (Goldsmith and Salmon, "Automatic
 * creation of object hierarchies for ray tracing", 1987; MacDonald and Booth, "Heuristics for ray tracing using space
 * subdivision", 1990): each range of boxes is split where the sum of area * count of both sides is smallest, since the
 * chance that a random ray or frustum meets a box grows with its area.
 *
 * Binned, after Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007: centroids are sorted into
 * a few bins along each axis, only splits between bins are evaluated, and a level of the tree takes one pass. */
#include "model/bvh.h"
#include "base/strict_float.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SAH_BINS = 16 };

tl_box tl_box_empty(void)
{
    return (tl_box){{FLT_MAX, FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

double tl_box_area(const tl_box *box)
{
    const double x = (double)box->at[3] - box->at[0], y = (double)box->at[4] - box->at[1],
                 z = (double)box->at[5] - box->at[2];
    return x >= 0 && y >= 0 && z >= 0 ? x * y + y * z + z * x : 0;
}

tl_box tl_box_of(const trilo_bounds *b)
{
    return (tl_box){{b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z}};
}

trilo_bounds tl_box_bounds(const tl_box *box)
{
    const float *at = box->at;
    return (trilo_bounds){{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
}

/* ---- bins ---- */

typedef struct sah_bin {
    tl_box box;
    uint32_t count;
} sah_bin;

/* How centroids (doubled, which saves halving) map to bins along an axis. */
typedef struct sah_axis {
    int axis;
    double start, scale; /* scale 0: all centroids are the same */
} sah_axis;

static double sah_centroid(const tl_box *box, int axis)
{
    return (double)box->at[axis] + box->at[axis + 3];
}

static uint32_t sah_bin_of(const sah_axis *r, const tl_box *box)
{
    const double at = (sah_centroid(box, r->axis) - r->start) * r->scale;
    return at < SAH_BINS ? (uint32_t)at : SAH_BINS - 1; /* never below 0: no centroid is below the start */
}

/* The bounds of all boxes, and of their centroids along each axis. */
static tl_box sah_bounds(const tl_box_ref *refs, uint32_t count, sah_axis axes[3])
{
    double low[3], high[3];
    tl_box box = tl_box_empty();
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = sah_centroid(&refs[0].box, k);
    for (uint32_t i = 0; i < count; i++) {
        tl_box_add(&box, &refs[i].box);
        for (int k = 0; k < 3; k++) {
            const double at = sah_centroid(&refs[i].box, k);
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        const double scale = high[k] > low[k] ? SAH_BINS / (high[k] - low[k]) : 0;
        axes[k] = (sah_axis){k, low[k], scale <= DBL_MAX ? scale : 0};
    }
    return box;
}

/* ---- splits ---- */

typedef struct sah_split {
    double cost;       /* area * count of both sides; infinite: there is none */
    uint32_t first_in; /* the first bin of the second side */
    sah_axis axis;
} sah_split;

static void sah_sweep(const sah_bin bins[SAH_BINS], const sah_axis *r, sah_split *best)
{
    double behind[SAH_BINS]; /* cost of what lies at a bin and behind it */
    tl_box box = tl_box_empty();
    uint32_t count = 0;
    for (int b = SAH_BINS - 1; b > 0; b--) {
        tl_box_add(&box, &bins[b].box);
        count += bins[b].count;
        behind[b] = count > 0 ? tl_box_area(&box) * count : INFINITY;
    }
    box = tl_box_empty(), count = 0;
    for (uint32_t b = 1; b < SAH_BINS; b++) {
        tl_box_add(&box, &bins[b - 1].box);
        count += bins[b - 1].count;
        const double cost = tl_box_area(&box) * count + behind[b];
        if (count > 0 && cost < best->cost)
            *best = (sah_split){cost, b, *r};
    }
}

static sah_split sah_best_split(const tl_box_ref *refs, uint32_t count, const sah_axis axes[3])
{
    sah_split best = {.cost = INFINITY};
    sah_bin bins[3][SAH_BINS];
    for (int b = 0; b < 3 * SAH_BINS; b++)
        bins[b / SAH_BINS][b % SAH_BINS] = (sah_bin){tl_box_empty(), 0};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            sah_bin *b = &bins[k][sah_bin_of(&axes[k], &refs[i].box)];
            tl_box_add(&b->box, &refs[i].box);
            b->count++;
        }
    for (int k = 0; k < 3; k++)
        sah_sweep(bins[k], &axes[k], &best); /* all in one bin: there is no split */
    return best;
}

/* Puts the first side in front; returns its count. */
static uint32_t sah_partition(tl_box_ref *refs, uint32_t count, const sah_split *c)
{
    uint32_t front = 0, back = count;
    while (front < back) {
        if (sah_bin_of(&c->axis, &refs[front].box) < c->first_in) {
            front++;
            continue;
        }
        const tl_box_ref moved = refs[front];
        refs[front] = refs[--back];
        refs[back] = moved;
    }
    return front;
}

/* ---- the tree ---- */

typedef struct sah_range {
    uint32_t node; /* where it goes */
    uint32_t first, count;
    uint32_t depth_left; /* levels that may come below it */
} sah_range;

/* How many come first; 0: it stays a leaf. Visiting a node is taken to cost as much as testing a box. */
static uint32_t sah_split_range(tl_box_ref *refs, const sah_range *r, uint32_t max_leaf, tl_box *box)
{
    sah_axis axes[3];
    *box = sah_bounds(refs + r->first, r->count, axes);
    if (r->count == 1)
        return 0;
    /* Where any other split could exceed the depth, only halving is left. */
    if (r->depth_left < 32 && r->count > (uint32_t)1 << (r->depth_left > 0 ? r->depth_left - 1 : 0))
        return r->count <= max_leaf ? 0 : r->count / 2;
    const double area = tl_box_area(box);
    const sah_split c = sah_best_split(refs + r->first, r->count, axes);
    if (r->count <= max_leaf && area * r->count <= area + c.cost)
        return 0;
    return c.cost < INFINITY ? sah_partition(refs + r->first, r->count, &c) : r->count / 2;
}

uint32_t tl_bvh_build(tl_box_ref *refs, uint32_t count, uint32_t max_leaf, uint32_t max_depth, tl_bvh_box_node *nodes)
{
    sah_range stack[TL_BVH_MAX_DEPTH + 1];
    uint32_t depth = 0, made = TL_BVH_ROOT + 1;
    if (count == 0)
        return 0;
    nodes[0] = (tl_bvh_box_node){tl_box_empty(), 0, 0};
    stack[depth++] = (sah_range){TL_BVH_ROOT, 0, count, max_depth};
    while (depth > 0) {
        const sah_range r = stack[--depth];
        tl_bvh_box_node *node = &nodes[r.node];
        *node = (tl_bvh_box_node){.count = r.count};
        const uint32_t half = sah_split_range(refs, &r, max_leaf, &node->box);
        if (half == 0)
            continue;
        node->child = made;
        stack[depth++] = (sah_range){made + 1, r.first + half, r.count - half, r.depth_left - 1};
        stack[depth++] = (sah_range){made, r.first, half, r.depth_left - 1};
        made += 2;
    }
    return made;
}
