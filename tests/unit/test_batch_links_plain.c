/* Strips by Gibbs sampling, step by step, against a plain way to do the same: states of triangles without votes, each
 * cost counted anew, probabilities without a table. Random numbers are the same, so everything must be. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { LEFT_OUT = 4, SEQUENCE = 3, ONE = 1 << 16 };

typedef struct plain {
    const tl_vertex_batch *batch;
    uint32_t count, random;
    int pair[3 * TL_BATCH_TRIANGLES]; /* the half-edge across each; -1: none */
    int state[TL_BATCH_TRIANGLES];    /* the edge that the strip does not cross, or one of the above */
    bool movable[TL_BATCH_TRIANGLES];
    uint32_t order[TL_BATCH_TRIANGLES], active, all;
} plain;

static uint32_t corner_of(const plain *p, uint32_t half)
{
    return p->batch->triangles[half / 3][half % 3];
}

static uint32_t next_corner_of(const plain *p, uint32_t half)
{
    return p->batch->triangles[half / 3][(half % 3 + 1) % 3];
}

/* Each half-edge with the first one that is left of those in the other direction. */
static void find_pairs(plain *p)
{
    for (uint32_t half = 0; half < 3 * p->count; half++)
        p->pair[half] = -1;
    for (uint32_t half = 0; half < 3 * p->count; half++)
        for (uint32_t at = 0; at < 3 * p->count && p->pair[half] < 0; at++)
            if (p->pair[at] < 0 && at / 3 != half / 3 && corner_of(p, at) == next_corner_of(p, half) &&
                corner_of(p, half) == next_corner_of(p, at)) {
                p->pair[half] = (int)at;
                p->pair[at] = (int)half;
            }
}

/* The half-edge that a link of a kind crosses: the edge before the one that is not crossed, or the edge after it. */
static uint32_t crossed(uint32_t triangle, int state, int kind)
{
    return 3 * triangle + (uint32_t)(state + 3 - kind) % 3;
}

/* True if the triangle has a link of that kind, in a state. */
static bool has_link(const plain *p, uint32_t triangle, int state, int kind)
{
    if (state >= 3)
        return false;
    const int other = p->pair[crossed(triangle, state, kind)];
    if (other < 0 || p->state[other / 3] >= 3)
        return false;
    return crossed((uint32_t)other / 3, p->state[other / 3], kind) == (uint32_t)other;
}

static int link_count(const plain *p, uint32_t triangle)
{
    return (int)has_link(p, triangle, p->state[triangle], 1) + (int)has_link(p, triangle, p->state[triangle], 2);
}

/* Three indices of 4 each, less two for a link, which counts half on either side; 2 for one of the sequence. */
static int32_t cost_of_all(const plain *p)
{
    int32_t cost = 0;
    for (uint32_t t = 0; t < p->count; t++)
        cost += p->state[t] == LEFT_OUT ? 0 : p->state[t] == SEQUENCE ? 2 : 12 - 4 * link_count(p, t);
    return cost;
}

/* ---- sweeps ---- */

/* Kind 1 counts a little more. */
static uint32_t state_cost(const plain *p, uint32_t t, int state)
{
    return state == SEQUENCE ? 6 : 16u - (has_link(p, t, state, 1) ? 9 : 0) - (has_link(p, t, state, 2) ? 7 : 0);
}

static bool in_sequence(const plain *p, uint32_t vertex, uint32_t except)
{
    for (uint32_t t = 0; t < p->count; t++)
        for (int c = 0; c < 3; c++)
            if (t != except && p->state[t] == SEQUENCE && p->batch->triangles[t][c] == vertex)
                return true;
    return false;
}

/* Each unit of cost is less probable by a half, then by two fifths, at last impossible. */
static uint32_t weight(uint32_t temperature, uint32_t cost)
{
    static const uint64_t factors[3] = {ONE / 2, ONE * 2 / 5, 0};
    uint64_t w = ONE;
    for (; cost > 0; cost--)
        w = w * factors[temperature] / ONE;
    return (uint32_t)w;
}

static void plain_sweep(plain *p, uint32_t temperature, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = p->order[i];
        const uint8_t *v = p->batch->triangles[t];
        if (link_count(p, t) == 2)
            continue;
        const bool may =
            p->movable[t] && !in_sequence(p, v[0], t) && !in_sequence(p, v[1], t) && !in_sequence(p, v[2], t);
        const int states = may ? 4 : 3;
        uint32_t least = UINT32_MAX;
        uint64_t sum = 0, sums[4];
        for (int x = 0; x < states; x++)
            least = state_cost(p, t, x) < least ? state_cost(p, t, x) : least;
        for (int x = 0; x < states; x++)
            sums[x] = sum += weight(temperature, state_cost(p, t, x) - least);
        const uint32_t random = tl_batch_random(&p->random) >> 8;
        int state = 0;
        while (state < 3 && random >= sums[state] * ONE / sum)
            state++;
        p->state[t] = state;
    }
}

/* ---- what sweeps visit ---- */

/* Connected triangles, breadth first; those that are one strip already come last, and are visited less often. */
static void list_order(plain *p)
{
    uint32_t idle[TL_BATCH_TRIANGLES], idle_count = 0;
    bool seen[TL_BATCH_TRIANGLES] = {false};
    p->active = 0;
    for (uint32_t t = 0; t < p->count; t++) {
        uint32_t list[TL_BATCH_TRIANGLES], end = 1;
        int ends = 0;
        if (seen[t] || p->state[t] == LEFT_OUT)
            continue;
        list[0] = t;
        seen[t] = true;
        for (uint32_t at = 0; at < end; at++) {
            ends += 2 - link_count(p, list[at]);
            for (uint32_t c = 0; c < 3; c++) {
                const int other = p->pair[3 * list[at] + c];
                if (other < 0 || seen[other / 3] || p->state[other / 3] == LEFT_OUT)
                    continue;
                seen[other / 3] = true;
                list[end++] = (uint32_t)other / 3;
            }
        }
        for (uint32_t at = 0; at < end; at++)
            *(ends > 2 ? &p->order[p->active++] : &idle[idle_count++]) = list[at];
    }
    memcpy(p->order + p->active, idle, idle_count * sizeof *idle);
    p->all = p->active + idle_count;
}

/* Strips of three links or more that begin and end with kind 2 lose a triangle: two indices, one from either end. */
static int32_t lost_cost(const plain *p)
{
    int32_t cost = 0;
    for (uint32_t i = 0; i < p->active; i++) {
        uint32_t at = p->order[i], links = 0;
        int kind = 2;
        if (has_link(p, at, p->state[at], 1) || !has_link(p, at, p->state[at], 2))
            continue;
        for (; has_link(p, at, p->state[at], kind); kind = 3 - kind, links++)
            at = (uint32_t)p->pair[crossed(at, p->state[at], kind)] / 3;
        cost += links % 2 == 1 && links > 1 ? 4 : 0;
    }
    return cost;
}

static void plain_search(plain *p, uint32_t sweeps)
{
    int best[TL_BATCH_TRIANGLES] = {0};
    int32_t least = INT32_MAX;
    plain_sweep(p, 2, p->all);
    for (uint32_t sweep = 0; sweep < sweeps + 2; sweep++) {
        plain_sweep(p, sweep < sweeps ? 2 * sweep / sweeps : 2, sweep < sweeps ? p->active : p->all);
        const int32_t cost = cost_of_all(p);
        if (cost >= least || cost + lost_cost(p) >= least)
            continue;
        least = cost + lost_cost(p);
        memcpy(best, p->state, sizeof best);
    }
    memcpy(p->state, best, sizeof best);
}

/* ---- strips ---- */

typedef struct plain_strips {
    uint32_t count, length[TL_BATCH_TRIANGLES], size;
    uint8_t indices[3 * TL_BATCH_TRIANGLES];
} plain_strips;

typedef struct path {
    uint32_t count, triangles[TL_BATCH_TRIANGLES];
    int kinds[TL_BATCH_TRIANGLES]; /* of the link behind each; 0: none */
} path;

/* From a triangle along a link of a kind, and so on. */
static path follow(const plain *p, uint32_t start, int kind, const bool *used)
{
    path way = {.count = 1, .triangles = {start}};
    bool here[TL_BATCH_TRIANGLES] = {false};
    for (uint32_t at = start; has_link(p, at, p->state[at], kind) && way.count < TL_STRIP_INDICES - 2;
         kind = 3 - kind) {
        here[at] = true;
        at = (uint32_t)p->pair[crossed(at, p->state[at], kind)] / 3;
        if (here[at] || used[at])
            break;
        way.kinds[way.count - 1] = kind;
        way.triangles[way.count++] = at;
    }
    return way;
}

/* The triangles of a path from `first` on. The first link says with which corner to begin: that across from it. */
static void add_strip(const plain *p, const path *way, uint32_t first, uint32_t end, int kind, plain_strips *out)
{
    for (uint32_t i = first; i < end; i++) {
        const uint32_t t = way->triangles[i];
        if (i == first) {
            const uint32_t corner = crossed(t, p->state[t], kind) % 3;
            for (uint32_t c = 2; c < 5; c++)
                out->indices[out->size++] = p->batch->triangles[t][(corner + c) % 3];
            continue;
        }
        const uint32_t from = way->triangles[i - 1];
        const uint32_t entered = (uint32_t)p->pair[crossed(from, p->state[from], way->kinds[i - 1])] % 3;
        out->indices[out->size++] = p->batch->triangles[t][(entered + 2) % 3];
    }
    out->length[out->count++] = 2 + end - first;
}

static void plain_make_strips(const plain *p, plain_strips *out)
{
    bool used[TL_BATCH_TRIANGLES] = {false};
    *out = (plain_strips){.count = 0};
    for (int closed = 0; closed < 2; closed++)
        for (uint32_t t = 0; t < p->count; t++) {
            if (used[t] || p->state[t] >= 3 || (link_count(p, t) == 2 && !closed))
                continue;
            const int kind = has_link(p, t, p->state[t], 2) && !has_link(p, t, p->state[t], 1) ? 2 : 1;
            path way = follow(p, t, kind, used);
            if (kind == 1 || way.count < 3)
                add_strip(p, &way, 0, way.count, kind, out);
            else if (way.count % 2 == 1) { /* from its other end */
                way = follow(p, way.triangles[way.count - 1], 1, used);
                add_strip(p, &way, 0, way.count, 1, out);
            } else { /* without its first triangle */
                add_strip(p, &way, 0, 1, 2, out);
                add_strip(p, &way, 1, way.count, 1, out);
            }
            for (uint32_t i = 0; i < way.count; i++)
                used[way.triangles[i]] = true;
        }
}

/* ---- both ---- */

typedef struct link_case {
    tl_vertex_batch batch;
    tl_batch_edges edges;
    tl_batch_links links;
    tl_link_table table;
    tl_triangle_strips strips;
    tl_batch_sequence sequence;
    bool left_out[TL_BATCH_TRIANGLES];
    plain p;
} link_case;

/* Two blocks; some vertices are kept. */
static void make_case(link_case *c, const batch_mesh *m, uint32_t seed)
{
    const uint32_t cut = m->vertex_count * (seed % 5) / 8;
    uint32_t random = seed;
    memset(c, 0, sizeof *c);
    c->batch.vertex_count = m->vertex_count;
    c->batch.triangle_count = m->triangle_count;
    c->batch.block_count = 2;
    c->batch.blocks[0] = (tl_vertex_block){.count = (uint8_t)cut, .bone = TL_BATCH_NO_BONE};
    c->batch.blocks[1] =
        (tl_vertex_block){.first = (uint8_t)cut, .count = (uint8_t)(m->vertex_count - cut), .bone = TL_BATCH_NO_BONE};
    for (uint32_t v = 0; v < m->vertex_count; v++)
        c->batch.kept[v] = seed % 4 == 0 && batch_random(&random) % 8 == 0;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangles[t];
        for (int k = 0; k < 3; k++)
            c->batch.triangles[t][k] = (uint8_t)v[k];
        c->left_out[t] =
            v[0] == v[1] || v[1] == v[2] || v[2] == v[0] || (seed % 7 == 0 && batch_random(&random) % 16 == 0);
    }
    tl_batch_clear_edges(&c->edges);
    tl_batch_find_edges(&c->batch, &c->edges);
    tl_batch_find_links(&c->batch, &c->edges, &c->links);
    tl_batch_make_strips(&c->batch, &c->edges, c->left_out, TL_STRIP_INDICES, 0, &c->strips);
}

static void check_pairs(const link_case *c)
{
    for (uint32_t half = 0; half < 3 * c->p.count; half++) {
        const int other = c->p.pair[half];
        const uint32_t here = half % 3, there = other < 0 ? 0 : (uint32_t)other % 3;
        CHECK_INT(c->links.triangle[half], other < 0 ? (int)c->p.count : other / 3);
        CHECK_INT(c->links.here[half], other < 0 ? 0 : 5 * (3 * here + there));
        CHECK_INT(c->links.there[half], other < 0 ? 0 : 5 * (3 * there + here));
    }
}

static void compare(link_case *c, const batch_mesh *m, bool may_sequence, uint32_t sweeps, uint32_t seed)
{
    static plain_strips want;
    plain *p = &c->p;
    uint32_t at = 0, in_sequence_count = 0;
    make_case(c, m, seed);
    *p = (plain){.batch = &c->batch, .count = c->batch.triangle_count, .random = seed};
    find_pairs(p);
    check_pairs(c);
    for (uint32_t b = seed % 3 == 1 ? 1 : 0; may_sequence && b < (seed % 3 == 2 ? 1 : 2); b++)
        for (uint32_t v = 0; v < c->batch.blocks[b].count; v++)
            c->sequence.part[c->batch.blocks[b].first + v] =
                (uint8_t)(c->batch.kept[c->batch.blocks[b].first + v] ? 0 : b + 1);
    for (uint32_t t = 0; t < p->count; t++) {
        p->state[t] = c->left_out[t] ? LEFT_OUT : c->strips.uncrossed[t];
        const uint8_t *v = c->batch.triangles[t], *part = c->sequence.part;
        p->movable[t] = part[v[0]] > 0 && part[v[0]] == part[v[1]] && part[v[0]] == part[v[2]];
    }
    list_order(p);
    plain_search(p, sweeps);
    plain_make_strips(p, &want);
    const tl_link_effort effort = {&c->table, sweeps, seed};
    const uint32_t indices =
        tl_batch_search_strips(&c->batch, &c->links, c->left_out, &effort, &c->strips, &c->sequence);
    CHECK_INT(indices, want.size);
    CHECK_INT(c->strips.count, want.count);
    for (uint32_t i = 0; i < want.count; i++) {
        CHECK_INT(c->strips.first[i], at);
        CHECK_INT(c->strips.length[i], want.length[i]);
        at += want.length[i];
    }
    CHECK(want.size == 0 || memcmp(c->strips.indices, want.indices, want.size) == 0);
    bool has[TL_BATCH_SLOTS] = {false};
    for (uint32_t t = 0; t < p->count; t++)
        if (p->state[t] == SEQUENCE) {
            CHECK(memcmp(c->sequence.triangles[in_sequence_count++], c->batch.triangles[t], 3) == 0);
            for (int k = 0; k < 3; k++)
                has[c->batch.triangles[t][k]] = true;
        }
    CHECK_INT(c->sequence.count, in_sequence_count);
    CHECK(memcmp(c->sequence.has, has, sizeof has) == 0);
}

TEST(searches_are_those_of_the_plain_way)
{
    static link_case c;
    for (uint32_t seed = 1; seed <= (TEST_SLOW ? 6u : 20u); seed++) {
        batch_mesh all[] = {batch_grid(1 + seed % 6, 1 + seed % 5),
                            batch_torus(3 + seed % 3, 3 + seed % 4),
                            batch_tangle(3 + seed, 4 * seed, seed),
                            batch_sphere(4 + seed % 4, 2 + seed % 3),
                            batch_band(1 + seed),
                            batch_lone_quads(1 + seed % 9),
                            batch_tangle(5, 2 + seed, seed)};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            if (seed % 2 == 0)
                batch_shuffle(&all[i], seed, 1, 2);
            compare(&c, &all[i], seed % 4 != 1, seed % 11, seed + 100 * (uint32_t)i);
            batch_mesh_free(&all[i]);
        }
    }
}

TEST_MAIN(CASE(searches_are_those_of_the_plain_way))
