/* Triangles into runs: v0 v1 v2 v3 ... draws (v0, v1, v2), (v2, v1, v3), (v2, v3, v4) and so on.
 *
 * A run begins at the free triangle with the fewest free neighbours, because that one is soonest cut off, and is
 * followed both ways, from each of the three edges; the longest is kept. The winding decides: triangle 0 of a run must
 * be one that is drawn as it stands. A run that comes out the wrong way round is right when read from its other end if
 * it has an odd number of triangles; otherwise it loses one.
 */
#include "optimize/pack_steps.h"

#include <string.h>

enum { NOBODY = 0xFFFF, EDGES = TL_PACK_SLOTS * TL_PACK_SLOTS };

typedef struct joiner {
    const tl_group *group;
    uint16_t head[EDGES]; /* of each directed edge: the first corner it leaves, 3 * triangle + corner */
    uint16_t next[3 * TL_GROUP_TRIANGLES]; /* the next corner with the same edge */
    bool used[TL_GROUP_TRIANGLES];
    uint32_t walked[TL_GROUP_TRIANGLES], walk; /* the walk that met the triangle last */
    uint16_t neighbours[TL_GROUP_TRIANGLES];   /* free ones */
} joiner;

/* A walk: the indices one way from the seed triangle and the other way. */
typedef struct trail {
    uint8_t ahead[TL_GROUP_TRIANGLES + 2], behind[TL_GROUP_TRIANGLES + 2];
    uint32_t ahead_count, behind_count;
} trail;

static uint32_t edge_of(uint32_t from, uint32_t to)
{
    return from * TL_PACK_SLOTS + to;
}

static uint8_t corner_of(const joiner *j, uint32_t triangle, uint32_t corner)
{
    return j->group->triangles[triangle][corner % 3];
}

static void link_edges(joiner *j, const bool *left_out)
{
    memset(j->head, 0xFF, sizeof j->head);
    for (uint32_t t = j->group->triangle_count; t-- > 0;) {
        j->used[t] = left_out[t];
        j->walked[t] = 0;
        j->neighbours[t] = 0;
        for (uint32_t c = 0; c < 3 && !left_out[t]; c++) {
            const uint32_t edge = edge_of(corner_of(j, t, c), corner_of(j, t, c + 1));
            j->next[3 * t + c] = j->head[edge];
            j->head[edge] = (uint16_t)(3 * t + c);
        }
    }
}

/* Adds `change` to the neighbour count of all around a triangle; answers how many those are. */
static uint16_t tell_neighbours(joiner *j, uint32_t triangle, int change)
{
    uint16_t count = 0;
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t edge = edge_of(corner_of(j, triangle, c + 1), corner_of(j, triangle, c));
        for (uint16_t at = j->head[edge]; at != NOBODY; at = j->next[at]) {
            j->neighbours[at / 3] = (uint16_t)(j->neighbours[at / 3] + change);
            count++;
        }
    }
    return count;
}

static bool is_free(const joiner *j, uint32_t triangle)
{
    return !j->used[triangle] && j->walked[triangle] != j->walk;
}

/* The first free triangle with that edge, as the corner it leaves; NOBODY: there is none. */
static uint16_t find_free(joiner *j, uint32_t edge)
{
    while (j->head[edge] != NOBODY && j->used[j->head[edge] / 3])
        j->head[edge] = j->next[j->head[edge]];
    uint16_t at = j->head[edge];
    while (at != NOBODY && !is_free(j, at / 3u))
        at = j->next[at];
    return at;
}

/* Follows the run at the end of `indices` until it meets no free triangle or is long enough. */
static uint32_t follow(joiner *j, uint8_t *indices, uint32_t count, uint32_t longest)
{
    while (count < longest) {
        const uint8_t first = indices[count - 2], second = indices[count - 1];
        const uint16_t at = find_free(j, count % 2 == 0 ? edge_of(first, second) : edge_of(second, first));
        if (at == NOBODY)
            break;
        j->walked[at / 3u] = j->walk;
        indices[count++] = corner_of(j, at / 3u, at % 3u + 2);
    }
    return count;
}

static void walk_from(joiner *j, uint32_t seed, uint32_t corner, uint32_t longest, trail *out)
{
    const uint8_t a = corner_of(j, seed, corner), b = corner_of(j, seed, corner + 1);
    j->walk++;
    j->walked[seed] = j->walk;
    out->ahead[0] = a, out->ahead[1] = b, out->ahead[2] = corner_of(j, seed, corner + 2);
    out->behind[0] = b, out->behind[1] = a;
    out->ahead_count = follow(j, out->ahead, 3, longest);
    out->behind_count = follow(j, out->behind, 2, longest + 2 - out->ahead_count);
}

/* Both ways joined; answers the number of indices. */
static uint32_t join(const trail *t, uint8_t *out)
{
    uint32_t count = 0, behind = t->behind_count;
    const bool turned = behind % 2 != 0 && (t->ahead_count + behind) % 2 != 0;
    if (behind % 2 != 0 && !turned)
        behind--;
    for (uint32_t i = behind; i-- > 2;)
        out[count++] = t->behind[i];
    memcpy(out + count, t->ahead, t->ahead_count);
    count += t->ahead_count;
    for (uint32_t i = 0; turned && i < count / 2; i++) {
        const uint8_t index = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = index;
    }
    return count;
}

static uint32_t find_seed(const joiner *j)
{
    uint32_t best = NOBODY;
    for (uint32_t t = 0; t < j->group->triangle_count; t++)
        if (!j->used[t] && (best == NOBODY || j->neighbours[t] < j->neighbours[best]))
            best = t;
    return best;
}

/* The triangles of the run are no longer free. */
static void use_run(joiner *j, const uint8_t *run, uint32_t count)
{
    for (uint32_t k = 0; k + 2 < count; k++) {
        const uint32_t edge = k % 2 == 0 ? edge_of(run[k], run[k + 1]) : edge_of(run[k + 1], run[k]);
        uint16_t at = j->head[edge];
        while (j->used[at / 3u] || corner_of(j, at / 3u, at % 3u + 2) != run[k + 2])
            at = j->next[at];
        j->used[at / 3u] = true;
        tell_neighbours(j, at / 3u, -1);
    }
}

static void add_run(joiner *j, uint32_t seed, uint32_t longest, tl_runs *out)
{
    uint8_t run[TL_GROUP_TRIANGLES + 2];
    uint32_t most = 0;
    trail t;
    for (uint32_t corner = 0; corner < 3; corner++) {
        walk_from(j, seed, corner, longest, &t);
        const uint32_t count = join(&t, run);
        if (count > most) {
            most = count;
            memcpy(out->indices + out->first[out->count], run, count);
        }
    }
    use_run(j, out->indices + out->first[out->count], most);
    out->first[out->count + 1] = (uint16_t)(out->first[out->count] + most);
    out->count++;
}

void tl_make_runs(const tl_group *group, const bool *left_out, uint32_t longest, tl_runs *out)
{
    joiner j;
    j.group = group;
    j.walk = 0;
    link_edges(&j, left_out);
    for (uint32_t t = 0; t < group->triangle_count; t++)
        if (!left_out[t])
            j.neighbours[t] = tell_neighbours(&j, t, 0);
    out->count = 0;
    out->first[0] = 0;
    for (uint32_t seed = find_seed(&j); seed != NOBODY; seed = find_seed(&j))
        add_run(&j, seed, longest, out);
}
