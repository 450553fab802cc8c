/* Each range of boxes is cut where the sum of surface * count of both sides is smallest: what a random ray or frustum
 * has to look at grows with the surface. Boxes are sorted into a few bins along each axis first, so that only some cuts
 * have to be weighed, and a level of the tree takes one pass. */
#include "model/bvh.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BINS = 16 };

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

typedef struct bin {
    tl_box box;
    uint32_t count;
} bin;

/* How the middles of boxes (doubled, which saves halving) fall into bins along an axis. */
typedef struct ruler {
    int axis;
    double start, scale; /* scale 0: all middles are the same */
} ruler;

static double middle(const tl_box *box, int axis)
{
    return (double)box->at[axis] + box->at[axis + 3];
}

static uint32_t bin_of(const ruler *r, const tl_box *box)
{
    const double at = (middle(box, r->axis) - r->start) * r->scale;
    return at < BINS ? (uint32_t)at : BINS - 1; /* never below 0: no middle is below the start */
}

/* The box around all, and rulers that their middles fill. */
static tl_box measure(const tl_box_ref *refs, uint32_t count, ruler rulers[3])
{
    double low[3], high[3];
    tl_box box = tl_box_empty();
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = middle(&refs[0].box, k);
    for (uint32_t i = 0; i < count; i++) {
        tl_box_add(&box, &refs[i].box);
        for (int k = 0; k < 3; k++) {
            const double at = middle(&refs[i].box, k);
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        const double scale = high[k] > low[k] ? BINS / (high[k] - low[k]) : 0;
        rulers[k] = (ruler){k, low[k], scale <= DBL_MAX ? scale : 0};
    }
    return box;
}

static void fill_bins(const tl_box_ref *refs, uint32_t count, const ruler rulers[3], bin bins[3][BINS])
{
    for (int b = 0; b < 3 * BINS; b++)
        bins[b / BINS][b % BINS] = (bin){tl_box_empty(), 0};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            bin *b = &bins[k][bin_of(&rulers[k], &refs[i].box)];
            tl_box_add(&b->box, &refs[i].box);
            b->count++;
        }
}

/* ---- cuts ---- */

typedef struct cut {
    double cost;       /* surface * count of both sides; infinite: there is none */
    uint32_t first_in; /* the first bin of the second side */
    ruler ruler;
} cut;

static void weigh_cuts(const bin bins[BINS], const ruler *r, cut *best)
{
    double behind[BINS]; /* cost of what lies at a bin and behind it */
    tl_box box = tl_box_empty();
    uint32_t count = 0;
    for (int b = BINS - 1; b > 0; b--) {
        tl_box_add(&box, &bins[b].box);
        count += bins[b].count;
        behind[b] = count > 0 ? tl_box_area(&box) * count : INFINITY;
    }
    box = tl_box_empty(), count = 0;
    for (uint32_t b = 1; b < BINS; b++) {
        tl_box_add(&box, &bins[b - 1].box);
        count += bins[b - 1].count;
        const double cost = tl_box_area(&box) * count + behind[b];
        if (count > 0 && cost < best->cost)
            *best = (cut){cost, b, *r};
    }
}

static cut best_cut(const tl_box_ref *refs, uint32_t count, const ruler rulers[3])
{
    cut best = {.cost = INFINITY};
    bin bins[3][BINS];
    fill_bins(refs, count, rulers, bins);
    for (int k = 0; k < 3; k++)
        weigh_cuts(bins[k], &rulers[k], &best); /* all in one bin: there is nothing to weigh */
    return best;
}

/* Puts the first side in front; answers how many it has. */
static uint32_t part_refs(tl_box_ref *refs, uint32_t count, const cut *c)
{
    uint32_t front = 0, back = count;
    while (front < back) {
        if (bin_of(&c->ruler, &refs[front].box) < c->first_in) {
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

typedef struct range {
    uint32_t node; /* where it goes */
    uint32_t first, count;
    uint32_t depth_left; /* levels that may come below it */
} range;

/* Halving is enough for that many levels. */
static bool must_halve(const range *r)
{
    return r->depth_left < 32 && r->count > (uint32_t)1 << (r->depth_left > 0 ? r->depth_left - 1 : 0);
}

/* How many come first; 0: it stays a leaf. A look at a node is taken to cost as much as one at a box. */
static uint32_t split(tl_box_ref *refs, const range *r, uint32_t leaf_most, tl_box *box)
{
    ruler rulers[3];
    *box = measure(refs + r->first, r->count, rulers);
    if (r->count == 1)
        return 0;
    if (must_halve(r))
        return r->count <= leaf_most ? 0 : r->count / 2;
    const double area = tl_box_area(box);
    const cut c = best_cut(refs + r->first, r->count, rulers);
    if (r->count <= leaf_most && area * r->count <= area + c.cost)
        return 0;
    return c.cost < INFINITY ? part_refs(refs + r->first, r->count, &c) : r->count / 2;
}

uint32_t tl_bvh_build(tl_box_ref *refs, uint32_t count, uint32_t leaf_most, uint32_t depth_most, tl_bvh_box_node *nodes)
{
    range stack[TL_BOX_DEPTH + 1];
    uint32_t depth = 0, made = TL_BOX_ROOT + 1;
    if (count == 0)
        return 0;
    nodes[0] = (tl_bvh_box_node){tl_box_empty(), 0, 0};
    stack[depth++] = (range){TL_BOX_ROOT, 0, count, depth_most};
    while (depth > 0) {
        const range r = stack[--depth];
        tl_bvh_box_node *node = &nodes[r.node];
        *node = (tl_bvh_box_node){.count = r.count};
        const uint32_t half = split(refs, &r, leaf_most, &node->box);
        if (half == 0)
            continue;
        node->child = made;
        stack[depth++] = (range){made + 1, r.first + half, r.count - half, r.depth_left - 1};
        stack[depth++] = (range){made, r.first, half, r.depth_left - 1};
        made += 2;
    }
    return made;
}
