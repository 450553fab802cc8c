/* Joining triangles to strips: v0 v1 v2 v3 ... draws (v0, v1, v2), (v2, v1, v3), (v2, v3, v4) and so on.
 *
 * Greedy, as SGI's tomesh (Akeley, Haeberli and Burns 1990): a strip starts at the free triangle with the fewest free
 * neighbours, because that one is soonest isolated, and is followed in both directions from each of the three edges;
 * the longest is kept. From triangle to triangle a strip leaves by the two other edges in turn. The winding decides:
 * the first triangle of a strip must be one that is drawn as it stands. A strip with the wrong winding is right when it
 * is reversed if it has an odd number of triangles; otherwise it loses one.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum { STRIP_USED = 0xFFFF, STRIP_NEIGHBOURS_MOST = 200, STRIP_RANKS = 4 };

typedef struct strip_builder {
    const tl_vertex_batch *batch;
    const tl_batch_edges *edges;
    const uint8_t *corners; /* of all triangles, three each */
    uint32_t random;        /* state; 0: always the first of equals */
    uint16_t walked[TL_BATCH_TRIANGLES],
        walk;                               /* the walk that visited the triangle last; STRIP_USED: it is in a strip */
    uint8_t neighbours[TL_BATCH_TRIANGLES]; /* free ones */
    uint16_t free_triangles[TL_BATCH_TRIANGLES], free_count;
    /* Without random choices: */
    uint16_t with_neighbours[STRIP_RANKS]; /* how many free triangles have none, one, two, or more */
    uint32_t first_free;                   /* no triangle before it is free */
} strip_builder;

/* A candidate strip: triangles and the indices they add, in both directions from the seed. */
typedef struct strip_walk {
    uint32_t ahead, behind;                  /* how many triangles */
    uint16_t entered[2][TL_BATCH_TRIANGLES]; /* half-edges of these triangles */
    uint8_t indices[2][TL_BATCH_TRIANGLES];
} strip_walk;

/* --- edges --- */

void tl_batch_clear_edges(tl_batch_edges *edges)
{
    memset(edges->head, 0xFF, sizeof edges->head);
}

static uint32_t half_edge_next(uint32_t half)
{
    return half % 3 == 2 ? half - 2 : half + 1;
}

static uint32_t half_edge_previous(uint32_t half)
{
    return half % 3 == 0 ? half + 2 : half - 1;
}

void tl_batch_find_edges(const tl_vertex_batch *batch, tl_batch_edges *out)
{
    uint16_t(*const head)[TL_BATCH_SLOTS] = out->head, *const next = out->next, *const opposite = out->opposite;
    for (uint32_t t = batch->triangle_count; t-- > 0;) { /* each is put in front, so the lists ascend */
        const uint8_t *v = batch->triangles[t], ends[3] = {v[1], v[2], v[0]};
        for (uint32_t c = 3; c-- > 0;) {
            next[3 * t + c] = head[v[c]][ends[c]];
            head[v[c]][ends[c]] = (uint16_t)(3 * t + c);
        }
    }
    for (uint32_t t = 0; t < batch->triangle_count; t++) {
        const uint8_t *v = batch->triangles[t];
        opposite[3 * t] = head[v[1]][v[0]];
        opposite[3 * t + 1] = head[v[2]][v[1]];
        opposite[3 * t + 2] = head[v[0]][v[2]];
    }
    for (uint32_t t = 0; t < batch->triangle_count; t++) {
        const uint8_t *v = batch->triangles[t];
        head[v[0]][v[1]] = head[v[1]][v[2]] = head[v[2]][v[0]] = TL_NO_EDGE;
    }
}

/* --- which triangles are free --- */

static uint16_t *strip_rank(strip_builder *j, uint32_t triangle)
{
    const uint32_t count = j->neighbours[triangle];
    return &j->with_neighbours[count < STRIP_RANKS ? count : STRIP_RANKS - 1];
}

static void strip_add_neighbours(strip_builder *j, uint32_t triangle)
{
    for (uint32_t half = 3 * triangle; half < 3 * triangle + 3; half++)
        for (uint16_t at = j->edges->opposite[half]; at != TL_NO_EDGE; at = j->edges->next[at])
            if (j->neighbours[at / 3] < STRIP_NEIGHBOURS_MOST)
                j->neighbours[at / 3]++;
}

static void strip_use(strip_builder *j, uint32_t triangle)
{
    --*strip_rank(j, triangle);
    j->walked[triangle] = STRIP_USED;
    for (uint32_t half = 3 * triangle; half < 3 * triangle + 3; half++)
        for (uint16_t at = j->edges->opposite[half]; at != TL_NO_EDGE; at = j->edges->next[at]) {
            const uint32_t other = at / 3;
            if (j->walked[other] == STRIP_USED || j->neighbours[other] == STRIP_NEIGHBOURS_MOST)
                continue;
            --*strip_rank(j, other);
            j->neighbours[other]--;
            ++*strip_rank(j, other);
        }
}

/* The first free triangle with the fewest free neighbours; STRIP_USED: none is free. */
static uint32_t strip_find_first_seed(strip_builder *j)
{
    const uint32_t count = j->batch->triangle_count;
    uint32_t rank = 0, best = STRIP_USED, least = UINT32_MAX;
    while (rank < STRIP_RANKS && j->with_neighbours[rank] == 0)
        rank++;
    if (rank == STRIP_RANKS)
        return STRIP_USED;
    while (j->walked[j->first_free] == STRIP_USED)
        j->first_free++;
    for (uint32_t t = j->first_free; t < count && least > rank; t++)
        if (j->walked[t] != STRIP_USED && j->neighbours[t] < least) {
            least = j->neighbours[t];
            best = t;
        }
    return best;
}

/* The free triangle with the fewest free neighbours. Used ones leave the list of free triangles. */
static uint32_t strip_find_seed(strip_builder *j)
{
    if (j->random == 0)
        return strip_find_first_seed(j);
    uint32_t best = STRIP_USED, least = UINT32_MAX, kept = 0;
    for (uint32_t i = 0; i < j->free_count; i++) {
        const uint16_t t = j->free_triangles[i];
        if (j->walked[t] == STRIP_USED)
            continue;
        j->free_triangles[kept++] = t;
        const uint32_t rank = j->neighbours[t] * 8u + tl_batch_random(&j->random) % 12;
        if (rank < least) {
            least = rank;
            best = t;
        }
    }
    j->free_count = (uint16_t)kept;
    return best;
}

/* --- strips --- */

/* Leaves the seed by half-edge `half`, then by the one before and the one after it in turn, or the reverse. */
static uint32_t strip_follow(strip_builder *j, strip_walk *out, int side, uint32_t half, bool turn, uint32_t most)
{
    uint32_t count = 0;
    while (count < most) {
        /* The opposite half-edge in a free triangle; TL_NO_EDGE: there is none. */
        uint16_t at = j->edges->opposite[half];
        while (at != TL_NO_EDGE && (j->walked[at / 3] == STRIP_USED || j->walked[at / 3] == j->walk))
            at = j->edges->next[at];
        if (at == TL_NO_EDGE)
            break;
        j->walked[at / 3] = j->walk;
        out->entered[side][count] = at;
        out->indices[side][count++] = j->corners[half_edge_previous(at)];
        half = turn ? half_edge_previous(at) : half_edge_next(at);
        turn = !turn;
    }
    return count;
}

/* Backward indices, the seed, forward indices; reversed where the winding requires it. */
static void strip_store(const strip_builder *j, uint32_t seed, uint32_t corner, const strip_walk *t, uint8_t *out)
{
    const uint32_t half = 3 * seed + corner, count = 3 + t->ahead + t->behind;
    const uint8_t *corners = j->corners;
    const bool turned = t->behind % 2 != 0;
    uint8_t run[TL_BATCH_TRIANGLES + 2];
    uint32_t at = 0;
    for (uint32_t i = t->behind; i-- > 0;)
        run[at++] = t->indices[1][i];
    run[at++] = corners[half];
    run[at++] = corners[half_edge_next(half)];
    run[at++] = corners[half_edge_previous(half)];
    memcpy(run + at, t->indices[0], t->ahead);
    for (uint32_t i = 0; i < count; i++)
        out[i] = run[turned ? count - 1 - i : i];
}

/* A triangle without free neighbours, or two with no others than each other, such as those of a quadrilateral: the
 * strip that strip_add finds for these. False: there are others. */
static bool strip_add_small(strip_builder *j, uint32_t seed, uint32_t longest, tl_triangle_strips *out)
{
    uint8_t *indices = out->indices + out->first[out->count];
    uint32_t half = 3 * seed, other = STRIP_USED;
    uint16_t at = TL_NO_EDGE;
    for (uint32_t edge = 0; j->neighbours[seed] == 1 && other == STRIP_USED && edge < 3; edge++) {
        at = j->edges->opposite[3 * seed + edge];
        while (at != TL_NO_EDGE && j->walked[at / 3] == STRIP_USED)
            at = j->edges->next[at];
        if (at == TL_NO_EDGE)
            continue;
        other = at / 3;
        half = half_edge_previous(3 * seed + edge); /* the common edge ends the first triangle */
    }
    if (j->neighbours[seed] > 1 || (other != STRIP_USED && (j->neighbours[other] != 1 || longest < 4)))
        return false;
    indices[0] = j->corners[half];
    indices[1] = j->corners[half_edge_next(half)];
    indices[2] = j->corners[half_edge_previous(half)];
    out->uncrossed[seed] = (uint8_t)(half_edge_previous(half) % 3);
    strip_use(j, seed);
    if (other != STRIP_USED) {
        indices[3] = j->corners[half_edge_previous(at)];
        out->uncrossed[other] = (uint8_t)(half_edge_next(at) % 3);
        strip_use(j, other);
    }
    out->length[out->count++] = other == STRIP_USED ? 3 : 4;
    return true;
}

/* The triangles of one side of a strip. From each it leaves by the edge before or after the one by which it entered,
 * in turn; the third is not crossed. */
static void strip_use_side(strip_builder *j, const uint16_t *entered, uint32_t count, bool turn, uint8_t *uncrossed)
{
    for (uint32_t i = 0; i < count; i++, turn = !turn) {
        strip_use(j, entered[i] / 3);
        uncrossed[entered[i] / 3] = (uint8_t)((turn ? half_edge_next(entered[i]) : half_edge_previous(entered[i])) % 3);
    }
}

static void strip_add(strip_builder *j, uint32_t seed, uint32_t longest, tl_triangle_strips *out)
{
    strip_walk trails[2];
    const uint16_t first = (uint16_t)(out->count == 0 ? 0 : out->first[out->count - 1] + out->length[out->count - 1]);
    out->first[out->count] = first;
    if (j->random == 0 && strip_add_small(j, seed, longest, out))
        return;
    uint32_t best = 0, most = 0, first_corner = j->random == 0 ? 0 : tl_batch_random(&j->random) % 3, at = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t corner = (first_corner + i) % 3;
        strip_walk *t = &trails[1 - best];
        const uint32_t half = 3 * seed + corner; /* the strip has the corners half, half + 1, half + 2 in its middle */
        j->walk++;
        j->walked[seed] = j->walk;
        t->ahead = strip_follow(j, t, 0, half_edge_next(half), true, longest - 3);
        t->behind = strip_follow(j, t, 1, half, false, longest - 3 - t->ahead);
        if (t->behind % 2 != 0 && (3 + t->ahead + t->behind) % 2 == 0)
            t->behind--; /* the wrong winding from either end */
        if (3 + t->ahead + t->behind > most) {
            most = 3 + t->ahead + t->behind;
            best = 1 - best;
            at = corner;
        }
        if (j->neighbours[seed] == 0)
            break; /* alone: all corners are the same */
    }
    const strip_walk *t = &trails[best];
    strip_store(j, seed, at, t, out->indices + first);
    out->length[out->count++] = (uint16_t)most;
    strip_use(j, seed);
    out->uncrossed[seed] = (uint8_t)((at + 2) % 3);
    strip_use_side(j, t->entered[0], t->ahead, true, out->uncrossed);
    strip_use_side(j, t->entered[1], t->behind, false, out->uncrossed);
}

void tl_batch_make_strips(const tl_vertex_batch *batch, const tl_batch_edges *edges, const bool *left_out,
                          uint32_t longest, uint32_t seed, tl_triangle_strips *out)
{
    strip_builder j;
    j.batch = batch;
    j.edges = edges;
    j.corners = (const uint8_t *)batch->triangles;
    j.random = seed;
    const uint32_t count = j.batch->triangle_count;
    j.walk = 0;
    j.free_count = 0;
    j.first_free = 0;
    memset(j.with_neighbours, 0, sizeof j.with_neighbours);
    memset(j.neighbours, 0, count);
    for (uint32_t t = 0; t < count; t++) {
        j.walked[t] = left_out[t] ? STRIP_USED : 0;
        if (!left_out[t])
            j.free_triangles[j.free_count++] = (uint16_t)t;
    }
    for (uint32_t t = 0; t < count; t++)
        if (!left_out[t])
            strip_add_neighbours(&j, t);
    for (uint32_t i = 0; i < j.free_count; i++)
        ++*strip_rank(&j, j.free_triangles[i]);
    out->count = 0;
    for (uint32_t t = strip_find_seed(&j); t != STRIP_USED; t = strip_find_seed(&j))
        strip_add(&j, t, longest, out);
}
