/* Triangles into runs: v0 v1 v2 v3 ... draws (v0, v1, v2), (v2, v1, v3), (v2, v3, v4) and so on.
 *
 * A run begins at the free triangle with the fewest free neighbours, because that one is soonest cut off, and is
 * followed both ways, from each of the three edges; the longest is kept. From triangle to triangle a run leaves by the
 * two other edges in turn. The winding decides: triangle 0 of a run must be one that is drawn as it stands. A run that
 * comes out the wrong way round is right when read from its other end if it has an odd number of triangles; otherwise
 * it loses one.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

typedef struct joiner {
    const tl_group *group;
    const tl_edges *edges;
    const uint8_t *corners;                    /* of all triangles, three each */
    uint32_t chance;                           /* 0: always the first of equals */
    uint16_t walked[TL_GROUP_TRIANGLES], walk; /* the walk that met the triangle last; USED: it is in a run */
    uint8_t neighbours[TL_GROUP_TRIANGLES];    /* free ones */
    uint16_t free_triangles[TL_GROUP_TRIANGLES], free_count;
} joiner;

enum { USED = 0xFFFF, NEIGHBOURS_MOST = 200 };

/* A walk: triangles and the indices they add, one way from the seed and the other way. */
typedef struct trail {
    uint32_t ahead, behind; /* how many triangles */
    uint16_t triangles[2][TL_GROUP_TRIANGLES];
    uint8_t indices[2][TL_GROUP_TRIANGLES];
} trail;

/* --- edges --- */

void tl_batch_clear_edges(tl_edges *edges)
{
    memset(edges->head, 0xFF, sizeof edges->head);
}

static uint32_t slot_of(uint32_t from, uint32_t to)
{
    return from * TL_PACK_SLOTS + to;
}

static uint32_t after(uint32_t half)
{
    return half % 3 == 2 ? half - 2 : half + 1;
}

static uint32_t before(uint32_t half)
{
    return half % 3 == 0 ? half + 2 : half - 1;
}

void tl_batch_find_edges(const tl_group *group, tl_edges *out)
{
    const uint8_t *corners = (const uint8_t *)group->triangles;
    const uint32_t count = 3 * group->triangle_count;
    for (uint32_t half = count; half-- > 0;) { /* each is put in front, so the lists ascend */
        uint16_t *head = &out->head[slot_of(corners[half], corners[after(half)])];
        out->next[half] = *head;
        *head = (uint16_t)half;
    }
    for (uint32_t half = 0; half < count; half++)
        out->opposite[half] = out->head[slot_of(corners[after(half)], corners[half])];
    for (uint32_t half = 0; half < count; half++)
        out->head[slot_of(corners[half], corners[after(half)])] = TL_NO_EDGE;
}

/* --- which triangles are free --- */

static void change_neighbours(joiner *j, uint32_t triangle, int change)
{
    for (uint32_t half = 3 * triangle; half < 3 * triangle + 3; half++)
        for (uint16_t at = j->edges->opposite[half]; at != TL_NO_EDGE; at = j->edges->next[at])
            if (j->neighbours[at / 3] < NEIGHBOURS_MOST)
                j->neighbours[at / 3] = (uint8_t)(j->neighbours[at / 3] + change);
}

static void start(joiner *j, const bool *left_out)
{
    const uint32_t count = j->group->triangle_count;
    j->walk = 0;
    j->free_count = 0;
    memset(j->neighbours, 0, count);
    for (uint32_t t = 0; t < count; t++) {
        j->walked[t] = left_out[t] ? USED : 0;
        if (!left_out[t])
            j->free_triangles[j->free_count++] = (uint16_t)t;
    }
    for (uint32_t t = 0; t < count; t++)
        if (!left_out[t])
            change_neighbours(j, t, 1);
}

/* The free triangle with the fewest free neighbours; the list of free ones is brought up to date on the way. */
static uint32_t find_seed(joiner *j)
{
    uint32_t best = USED, least = UINT32_MAX, kept = 0;
    for (uint32_t i = 0; i < j->free_count; i++) {
        const uint16_t t = j->free_triangles[i];
        if (j->walked[t] == USED)
            continue;
        j->free_triangles[kept++] = t;
        const uint32_t rank =
            j->chance == 0 ? j->neighbours[t] : j->neighbours[t] * 8u + tl_batch_random(&j->chance) % 12;
        if (rank < least) {
            least = rank;
            best = t;
        }
    }
    j->free_count = (uint16_t)kept;
    return best;
}

/* --- runs --- */

/* The half-edge by which a free triangle lies on the other side of this one; TL_NO_EDGE: there is none. */
static uint16_t cross(const joiner *j, uint32_t half)
{
    uint16_t at = j->edges->opposite[half];
    while (at != TL_NO_EDGE && (j->walked[at / 3] == USED || j->walked[at / 3] == j->walk))
        at = j->edges->next[at];
    return at;
}

/* Leaves the seed by half-edge `half`, then by the one before and the one after it in turn, or the other way. */
static uint32_t follow(joiner *j, trail *out, int side, uint32_t half, bool turn, uint32_t most)
{
    uint32_t count = 0;
    while (count < most) {
        const uint16_t at = cross(j, half);
        if (at == TL_NO_EDGE)
            break;
        j->walked[at / 3] = j->walk;
        out->triangles[side][count] = at / 3;
        out->indices[side][count++] = j->corners[before(at)];
        half = turn ? before(at) : after(at);
        turn = !turn;
    }
    return count;
}

static void walk_from(joiner *j, uint32_t seed, uint32_t corner, uint32_t longest, trail *out)
{
    const uint32_t half = 3 * seed + corner; /* the run has the corners half, half + 1, half + 2 in its middle */
    j->walk++;
    j->walked[seed] = j->walk;
    out->ahead = follow(j, out, 0, after(half), true, longest - 3);
    out->behind = follow(j, out, 1, half, false, longest - 3 - out->ahead);
    if (out->behind % 2 != 0 && (3 + out->ahead + out->behind) % 2 == 0)
        out->behind--; /* the wrong way round from either end */
}

static void put_run(const joiner *j, uint32_t seed, uint32_t corner, const trail *t, uint8_t *out)
{
    const uint32_t half = 3 * seed + corner, count = 3 + t->ahead + t->behind;
    const uint8_t *corners = j->corners;
    const bool turned = t->behind % 2 != 0;
    uint8_t run[TL_GROUP_TRIANGLES + 2];
    uint32_t at = 0;
    for (uint32_t i = t->behind; i-- > 0;)
        run[at++] = t->indices[1][i];
    run[at++] = corners[half];
    run[at++] = corners[after(half)];
    run[at++] = corners[before(half)];
    memcpy(run + at, t->indices[0], t->ahead);
    for (uint32_t i = 0; i < count; i++)
        out[i] = run[turned ? count - 1 - i : i];
}

static void use(joiner *j, uint32_t triangle)
{
    j->walked[triangle] = USED;
    change_neighbours(j, triangle, -1);
}

static void add_run(joiner *j, uint32_t seed, uint32_t longest, tl_runs *out)
{
    trail trails[2];
    uint32_t best = 0, most = 0, first_corner = j->chance == 0 ? 0 : tl_batch_random(&j->chance) % 3, at = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t corner = (first_corner + i) % 3;
        trail *t = &trails[1 - best];
        walk_from(j, seed, corner, longest, t);
        if (3 + t->ahead + t->behind > most) {
            most = 3 + t->ahead + t->behind;
            best = 1 - best;
            at = corner;
        }
        if (j->neighbours[seed] == 0)
            break; /* alone: all corners are the same */
    }
    const trail *t = &trails[best];
    const uint16_t first = (uint16_t)(out->count == 0 ? 0 : out->first[out->count - 1] + out->length[out->count - 1]);
    put_run(j, seed, at, t, out->indices + first);
    out->first[out->count] = first;
    out->length[out->count++] = (uint16_t)most;
    use(j, seed);
    for (uint32_t i = 0; i < t->ahead; i++)
        use(j, t->triangles[0][i]);
    for (uint32_t i = 0; i < t->behind; i++)
        use(j, t->triangles[1][i]);
}

void tl_batch_make_strips(const tl_group *group, const tl_edges *edges, const bool *left_out, uint32_t longest,
                          uint32_t seed, tl_runs *out)
{
    joiner j;
    j.group = group;
    j.edges = edges;
    j.corners = (const uint8_t *)group->triangles;
    j.chance = seed;
    start(&j, left_out);
    out->count = 0;
    for (uint32_t t = find_seed(&j); t != USED; t = find_seed(&j))
        add_run(&j, t, longest, out);
}
