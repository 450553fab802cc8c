/* Top-down build of a bounding volume hierarchy by the surface area heuristic (Goldsmith and Salmon, "Automatic
 * creation of object hierarchies for ray tracing", 1987; MacDonald and Booth, "Heuristics for ray tracing using space
 * subdivision", 1990): each range of boxes is split where the sum of area * count of both sides is smallest, since the
 * chance that a random ray or frustum meets a box grows with its area.
 *
 * Binned, after Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007: centroids are sorted into
 * a few bins along each axis, only splits between bins are evaluated, and a level of the tree takes one pass. */
#include "model/bvh.h"
#include "base/float4.h"
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

/* Vectors of min x, y, z and what follows it, and of what comes before max x, y, z: both are inside of a tl_box. */
typedef struct sah_box {
    tl_float4 low, high;
} sah_box;

typedef struct sah_bins {
    sah_box box[SAH_BINS];
    uint32_t count[SAH_BINS];
} sah_bins;

/* How centroids (doubled, which saves halving) map to bins along an axis. */
typedef struct sah_axis {
    double start, scale; /* scale 0: all centroids are the same */
} sah_axis;

static inline sah_box sah_box_load(const tl_box *box)
{
    return (sah_box){tl_float4_load(box->at), tl_float4_load(box->at + 2)};
}

static inline void sah_box_add(sah_box *box, const sah_box *other)
{
    box->low = tl_float4_min(other->low, box->low);
    box->high = tl_float4_max(other->high, box->high);
}

static inline tl_box sah_box_store(const sah_box *box)
{
    float low[4], high[4];
    tl_float4_store(low, box->low);
    tl_float4_store(high, box->high);
    return (tl_box){{low[0], low[1], low[2], high[1], high[2], high[3]}};
}

static inline sah_box sah_box_empty(void)
{
    return (sah_box){tl_float4_all(FLT_MAX), tl_float4_all(-FLT_MAX)};
}

static inline double sah_centroid(const tl_box *box, int axis)
{
    return (double)box->at[axis] + box->at[axis + 3];
}

static inline uint32_t sah_bin_of(const sah_axis *r, double centroid)
{
    const int32_t at = (int32_t)((centroid - r->start) * r->scale); /* never below 0: no centroid is below the start */
    return (uint32_t)(at < SAH_BINS ? at : SAH_BINS - 1);
}

/* The bounds of centroids along each axis. */
typedef struct sah_extent {
    double low[3], high[3];
} sah_extent;

static inline sah_extent sah_extent_empty(void)
{
    return (sah_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline void sah_extent_add(sah_extent *extent, const tl_box *box)
{
    for (int k = 0; k < 3; k++) {
        const double at = sah_centroid(box, k);
        extent->low[k] = at < extent->low[k] ? at : extent->low[k];
        extent->high[k] = at > extent->high[k] ? at : extent->high[k];
    }
}

/* ---- splits ---- */

typedef struct sah_split {
    double cost;       /* area * count of both sides; infinite: there is none */
    uint32_t first_in; /* the first bin of the second side */
    int axis;
} sah_split;

/* What a node will be made of. */
typedef struct sah_part {
    tl_box box;
    sah_extent extent;
    uint32_t count;
} sah_part;

static sah_part sah_part_of(const tl_box_ref *refs, uint32_t count)
{
    sah_part part = {.extent = sah_extent_empty(), .count = count};
    sah_box box = sah_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        const sah_box one = sah_box_load(&refs[i].box);
        sah_box_add(&box, &one);
        sah_extent_add(&part.extent, &refs[i].box);
    }
    part.box = sah_box_store(&box);
    return part;
}

/* An empty bin changes neither side, so there is nothing to find in front of it. */
static void sah_sweep(const sah_bins *bins, int axis, sah_split *best)
{
    double behind[SAH_BINS]; /* cost of what lies at a bin and after it */
    sah_box side = sah_box_empty();
    uint32_t count = 0;
    for (int b = SAH_BINS - 1; b > 0; b--) {
        if (bins->count[b] > 0) {
            sah_box_add(&side, &bins->box[b]);
            count += bins->count[b];
            const tl_box box = sah_box_store(&side);
            behind[b] = tl_box_area(&box) * count;
        } else {
            behind[b] = b < SAH_BINS - 1 ? behind[b + 1] : INFINITY;
        }
    }
    side = sah_box_empty(), count = 0;
    for (uint32_t b = 1; b < SAH_BINS; b++) {
        if (bins->count[b - 1] == 0)
            continue;
        sah_box_add(&side, &bins->box[b - 1]);
        count += bins->count[b - 1];
        const tl_box box = sah_box_store(&side);
        const double cost = tl_box_area(&box) * count + behind[b];
        if (cost < best->cost)
            *best = (sah_split){cost, b, axis};
    }
}

static void sah_fill_bins(const tl_box_ref *refs, uint32_t count, const sah_axis axes[3], sah_bins bins[3])
{
    for (int k = 0; k < 3; k++)
        for (int b = 0; b < SAH_BINS; b++) {
            bins[k].box[b] = sah_box_empty();
            bins[k].count[b] = 0;
        }
    for (uint32_t i = 0; i < count; i++) {
        const sah_box one = sah_box_load(&refs[i].box);
        for (int k = 0; k < 3; k++) {
            const uint32_t b = sah_bin_of(&axes[k], sah_centroid(&refs[i].box, k));
            sah_box_add(&bins[k].box[b], &one);
            bins[k].count[b]++;
        }
    }
}

/* Puts the first side in front. */
static void sah_partition(tl_box_ref *refs, const sah_split *c, const sah_axis *axis, const sah_bins *bins,
                          sah_part sides[2])
{
    uint32_t front = 0, back = sides[0].count + sides[1].count;
    sah_box boxes[2] = {sah_box_empty(), sah_box_empty()};
    for (uint32_t b = 0; b < SAH_BINS; b++)
        sah_box_add(&boxes[b < c->first_in ? 0 : 1], &bins->box[b]);
    for (int side = 0; side < 2; side++) {
        sides[side].box = sah_box_store(&boxes[side]);
        sides[side].extent = sah_extent_empty();
    }
    while (front < back) {
        tl_box_ref *ref = &refs[front];
        if (sah_bin_of(axis, sah_centroid(&ref->box, c->axis)) < c->first_in) {
            sah_extent_add(&sides[0].extent, &ref->box);
            front++;
            continue;
        }
        sah_extent_add(&sides[1].extent, &ref->box);
        const tl_box_ref moved = *ref;
        *ref = refs[--back];
        refs[back] = moved;
    }
}

/* Splits a range where that costs least; halves it where all centroids fall into one bin. */
static void sah_split_range(tl_box_ref *refs, const sah_part *whole, bool halve, sah_part sides[2])
{
    sah_axis axes[3];
    sah_bins bins[3];
    sah_split best = {.cost = INFINITY};
    for (int k = 0; k < 3; k++) {
        const double low = whole->extent.low[k], high = whole->extent.high[k];
        const double scale = high > low ? SAH_BINS / (high - low) : 0;
        axes[k] = (sah_axis){low, scale <= DBL_MAX ? scale : 0};
    }
    if (!halve) {
        sah_fill_bins(refs, whole->count, axes, bins);
        for (int k = 0; k < 3; k++)
            if (axes[k].scale > 0)
                sah_sweep(&bins[k], k, &best);
    }
    if (best.cost == INFINITY) {
        const uint32_t half = whole->count / 2;
        sides[0] = sah_part_of(refs, half);
        sides[1] = sah_part_of(refs + half, whole->count - half);
        return;
    }
    sides[0].count = 0;
    for (uint32_t b = 0; b < best.first_in; b++)
        sides[0].count += bins[best.axis].count[b];
    sides[1].count = whole->count - sides[0].count;
    sah_partition(refs, &best, &axes[best.axis], &bins[best.axis], sides);
}

/* ---- the tree ---- */

typedef struct sah_range {
    uint32_t node; /* where it goes */
    uint32_t first;
    uint32_t depth_left; /* levels that may come below it */
    sah_part part;
} sah_range;

uint32_t tl_bvh_build(tl_box_ref *refs, uint32_t count, uint32_t max_leaf, uint32_t max_depth, tl_bvh_box_node *nodes)
{
    sah_range stack[TL_BVH_MAX_DEPTH + 1];
    uint32_t depth = 0, made = TL_BVH_ROOT + 1;
    if (count == 0)
        return 0;
    nodes[0] = (tl_bvh_box_node){tl_box_empty(), 0, 0};
    stack[depth++] = (sah_range){TL_BVH_ROOT, 0, max_depth, sah_part_of(refs, count)};
    while (depth > 0) {
        const sah_range r = stack[--depth];
        const bool leaf = r.part.count <= max_leaf;
        nodes[r.node] = (tl_bvh_box_node){r.part.box, leaf ? 0 : made, r.part.count};
        if (leaf)
            continue;
        /* Where any other split could exceed the depth, only halving is left. */
        const bool halve = r.depth_left < 32 && r.part.count > (uint32_t)1 << (r.depth_left > 0 ? r.depth_left - 1 : 0);
        sah_part sides[2];
        sah_split_range(refs + r.first, &r.part, halve, sides);
        stack[depth++] = (sah_range){made + 1, r.first + sides[0].count, r.depth_left - 1, sides[1]};
        stack[depth++] = (sah_range){made, r.first, r.depth_left - 1, sides[0]};
        made += 2;
    }
    return made;
}
