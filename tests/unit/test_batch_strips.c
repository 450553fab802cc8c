/* Strips of one batch, the sequence that is taken out of them, and strips by local search, each beside a plain one that
 * looks for neighbours and adds up costs each time. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { NONE = 0xFFFF };

typedef struct strip_case {
    tl_vertex_batch batch;
    tl_batch_edges edges;
    bool left_out[TL_BATCH_TRIANGLES];
    uint8_t part[TL_BATCH_SLOTS]; /* of each vertex, for the sequence */
    tl_triangle_strips found, want;
} strip_case;

/* One block of all vertices; degenerate triangles are left out, and some others. */
static void fill_case(strip_case *c, const batch_mesh *m, uint32_t seed)
{
    memset(c, 0, sizeof *c);
    CHECK(m->vertex_count <= TL_BATCH_SLOTS && m->triangle_count <= TL_BATCH_TRIANGLES);
    c->batch.vertex_count = m->vertex_count;
    c->batch.triangle_count = m->triangle_count;
    c->batch.block_count = 1;
    c->batch.blocks[0] = (tl_vertex_block){.count = (uint8_t)m->vertex_count, .bone = TL_BATCH_NO_BONE};
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangles[t];
        for (int k = 0; k < 3; k++)
            c->batch.triangles[t][k] = (uint8_t)v[k];
        c->left_out[t] = v[0] == v[1] || v[1] == v[2] || v[2] == v[0] || (seed > 0 && batch_random(&seed) % 16 == 0);
    }
    tl_batch_clear_edges(&c->edges);
    tl_batch_find_edges(&c->batch, &c->edges);
}

static uint32_t corner_of(const tl_vertex_batch *b, uint32_t half)
{
    return b->triangles[half / 3][half % 3];
}

static uint32_t turn_by(uint32_t half, uint32_t by)
{
    return half / 3 * 3 + (half + by) % 3;
}

/* Where half-edges run between the same corners in opposite directions. */
static bool are_opposite(const tl_vertex_batch *b, uint32_t a, uint32_t c)
{
    return corner_of(b, a) == corner_of(b, turn_by(c, 1)) && corner_of(b, turn_by(a, 1)) == corner_of(b, c);
}

/* --- greedy strips --- */

typedef struct plain_strips {
    const strip_case *c;
    bool used[TL_BATCH_TRIANGLES], in_walk[TL_BATCH_TRIANGLES];
    uint32_t random;
    uint32_t neighbours[TL_BATCH_TRIANGLES]; /* half-edges across from its own; 200 or more stay 200 */
} plain_strips;

/* How many half-edges of two triangles are opposite. */
static uint32_t count_opposite(const tl_vertex_batch *b, uint32_t one, uint32_t other)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < 9; k++)
        count += are_opposite(b, 3 * one + k / 3, 3 * other + k % 3) ? 1 : 0;
    return count;
}

/* Its neighbours have one less. */
static void use_triangle(plain_strips *p, uint32_t triangle)
{
    p->used[triangle] = true;
    for (uint32_t t = 0; t < p->c->batch.triangle_count; t++)
        p->neighbours[t] -= p->neighbours[t] < 200 && !p->used[t] ? count_opposite(&p->c->batch, t, triangle) : 0;
}

static uint32_t find_seed(plain_strips *p)
{
    uint32_t best = NONE, least = 0;
    for (uint32_t t = 0; t < p->c->batch.triangle_count; t++) {
        if (p->used[t])
            continue;
        uint32_t rank = p->neighbours[t] * 8;
        rank += p->random != 0 ? batch_random(&p->random) % 12 : 0;
        if (best == NONE || rank < least) {
            best = t;
            least = rank;
        }
    }
    return best;
}

/* Leaves by a half-edge, then by the one before and the one after that by which it entered in turn. */
static uint32_t follow(plain_strips *p, uint32_t half, bool before, uint32_t most, uint32_t *entered)
{
    const tl_vertex_batch *b = &p->c->batch;
    uint32_t count = 0;
    for (; count < most; count++, before = !before) {
        uint32_t at = 0;
        while (at < 3 * b->triangle_count && (p->used[at / 3] || p->in_walk[at / 3] || !are_opposite(b, half, at)))
            at++;
        if (at == 3 * b->triangle_count)
            break;
        p->in_walk[at / 3] = true;
        entered[count] = at;
        half = turn_by(at, before ? 2 : 1);
    }
    return count;
}

static void use_side(plain_strips *p, const uint32_t *entered, uint32_t count, bool before, tl_triangle_strips *out)
{
    for (uint32_t i = 0; i < count; i++, before = !before) {
        use_triangle(p, entered[i] / 3);
        out->uncrossed[entered[i] / 3] = (uint8_t)(turn_by(entered[i], before ? 1 : 2) % 3);
    }
}

/* The longest of the three that begin at a triangle. */
static void add_strip(plain_strips *p, uint32_t seed, uint32_t longest, tl_triangle_strips *out)
{
    const tl_vertex_batch *b = &p->c->batch;
    static uint32_t sides[3][2][TL_BATCH_TRIANGLES];
    uint32_t counts[3][2], best = NONE;
    const uint32_t first = p->random != 0 ? batch_random(&p->random) % 3 : 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t k = (first + i) % 3, half = 3 * seed + k;
        memset(p->in_walk, 0, sizeof p->in_walk);
        p->in_walk[seed] = true;
        counts[k][0] = follow(p, turn_by(half, 1), true, longest - 3, sides[k][0]);
        counts[k][1] = follow(p, half, false, longest - 3 - counts[k][0], sides[k][1]);
        if (counts[k][1] % 2 != 0 && counts[k][0] % 2 == 0)
            counts[k][1]--; /* an even number of triangles, which would all be turned */
        if (best == NONE || counts[k][0] + counts[k][1] > counts[best][0] + counts[best][1])
            best = k;
    }
    uint8_t run[TL_BATCH_TRIANGLES + 3];
    uint32_t length = 0;
    for (uint32_t i = counts[best][1]; i-- > 0;)
        run[length++] = (uint8_t)corner_of(b, turn_by(sides[best][1][i], 2));
    for (uint32_t k = 0; k < 3; k++)
        run[length++] = (uint8_t)corner_of(b, turn_by(3 * seed + best, k));
    for (uint32_t i = 0; i < counts[best][0]; i++)
        run[length++] = (uint8_t)corner_of(b, turn_by(sides[best][0][i], 2));
    const uint32_t at = out->count == 0 ? 0u : (uint32_t)(out->first[out->count - 1] + out->length[out->count - 1]);
    for (uint32_t i = 0; i < length; i++)
        out->indices[at + i] = run[counts[best][1] % 2 != 0 ? length - 1 - i : i];
    out->first[out->count] = (uint16_t)at;
    out->length[out->count++] = (uint16_t)length;
    use_triangle(p, seed);
    out->uncrossed[seed] = (uint8_t)((best + 2) % 3);
    use_side(p, sides[best][0], counts[best][0], true, out);
    use_side(p, sides[best][1], counts[best][1], false, out);
}

static void check_same_strips(const tl_triangle_strips *found, const tl_triangle_strips *want)
{
    CHECK_INT(found->count, want->count);
    for (uint32_t r = 0; r < want->count; r++) {
        CHECK_INT(found->length[r], want->length[r]);
        CHECK(memcmp(found->indices + found->first[r], want->indices + want->first[r], want->length[r]) == 0);
    }
}

static void check_strips(const batch_mesh *m, uint32_t longest, uint32_t seed)
{
    static strip_case c;
    static plain_strips p;
    fill_case(&c, m, seed);
    memset(&p, 0, sizeof p);
    p.c = &c;
    p.random = seed;
    memcpy(p.used, c.left_out, sizeof p.used);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (uint32_t other = 0; other < m->triangle_count && p.neighbours[t] < 200; other++) {
            p.neighbours[t] += c.left_out[other] ? 0 : count_opposite(&c.batch, t, other);
            p.neighbours[t] = p.neighbours[t] < 200 ? p.neighbours[t] : 200;
        }
    for (uint32_t t = find_seed(&p); t != NONE; t = find_seed(&p))
        add_strip(&p, t, longest, &c.want);
    tl_batch_make_strips(&c.batch, &c.edges, c.left_out, longest, seed, &c.found);
    check_same_strips(&c.found, &c.want);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        CHECK(c.left_out[t] || c.found.uncrossed[t] == c.want.uncrossed[t]);
    for (uint32_t i = 0; i < TL_BATCH_SLOTS * TL_BATCH_SLOTS; i++)
        CHECK_INT(c.edges.head[i / TL_BATCH_SLOTS][i % TL_BATCH_SLOTS], TL_NO_EDGE); /* ready for the next batch */
}

TEST(strips_are_those_of_the_plain_way)
{
    for (uint32_t seed = 0; seed < 12; seed++) {
        batch_mesh all[] = {batch_grid(3, 4), batch_torus(4, 4), batch_tangle(6 + seed, 30, seed), batch_lone_quads(5),
                            batch_fan(9)};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            batch_shuffle(&all[i], seed + 1, 0, seed % 3);
            check_strips(&all[i], seed % 4 == 3 ? 3 + seed : TL_STRIP_INDICES, seed / 2 * (seed % 2));
            batch_mesh_free(&all[i]);
        }
    }
}

/* Up to 200 neighbours count; a triangle with more never loses one. */
TEST(crowded_edges)
{
    for (uint32_t count = 199; count <= 201; count++) {
        batch_mesh m = batch_mesh_new(8, count + 16);
        for (uint32_t t = 0; t < count; t++)
            batch_mesh_add(&m, 0, 1, 2 + t % 3);
        for (uint32_t t = 0; t < 15; t++)
            batch_mesh_add(&m, 1, 0, 5 + t % 3);
        batch_mesh_add(&m, 2, 1, 3);
        check_strips(&m, 20, 0);
        batch_mesh_free(&m);
    }
}

/* --- the sequence --- */

typedef struct candidate {
    uint32_t strip, place, rank; /* place: 0 alone in its strip, 1 its end, 2 its beginning */
    uint8_t corners[3];
} candidate;

/* Corners in the order of the winding: every second triangle of a strip is turned. */
static bool propose(const strip_case *c, uint32_t strip, uint32_t place, candidate *out)
{
    const uint8_t *v = c->want.indices + c->want.first[strip];
    const uint32_t k = place == 1 ? c->want.length[strip] - 3u : 0, odd = k % 2;
    *out = (candidate){strip, place, 0, {v[k + odd], v[k + 1 - odd], v[k + 2]}};
    bool allowed = false; /* by one part */
    for (uint8_t part = 1; part <= 2; part++)
        allowed = allowed || (c->part[out->corners[0]] == part && c->part[out->corners[1]] == part &&
                              c->part[out->corners[2]] == part);
    return allowed;
}

/* Alone first, then ends, and beginnings of odd strips, which would turn, last; those with few others at their corners
 * first, by chance with a seed. */
static void rank_candidates(const strip_case *c, candidate *list, uint32_t count, uint32_t seed)
{
    const bool by_chance = seed != 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t crowd = 0;
        for (uint32_t k = 0; k < 9 * count; k++)
            crowd += list[i].corners[k % 3] == list[k / 9].corners[k / 3 % 3] ? 1 : 0;
        const bool turns = list[i].place == 2 && c->want.length[list[i].strip] % 2 != 0;
        list[i].rank = (turns ? 2u : list[i].place == 0 ? 0u : 1u) << 16;
        list[i].rank += 4 * crowd + (by_chance ? batch_random(&seed) % 9 : 0);
    }
}

/* Beginnings of strips of an odd length wait until the end was taken off. */
static uint32_t plain_sequence(strip_case *c, uint32_t seed, tl_batch_sequence *out)
{
    static candidate list[2 * TL_BATCH_TRIANGLES];
    bool trimmed[TL_BATCH_TRIANGLES] = {false}, done[2 * TL_BATCH_TRIANGLES] = {false};
    uint32_t count = 0, saved = 0;
    for (uint32_t r = 0; r < c->want.count; r++) {
        const uint32_t length = c->want.length[r];
        count += propose(c, r, length == 3 ? 0 : 1, &list[count]) ? 1 : 0;
        if (length > 3 && (length % 2 == 0 || length >= 7))
            count += propose(c, r, 2, &list[count]) ? 1 : 0;
    }
    rank_candidates(c, list, count, seed);
    *out = (tl_batch_sequence){.count = 0};
    for (uint32_t i = 0; i < count && out->count < 23; i++) {
        uint32_t at = NONE;
        for (uint32_t k = 0; k < count; k++) /* the first of the lowest rank */
            at = !done[k] && (at == NONE || list[k].rank < list[at].rank) ? k : at;
        const candidate *one = &list[at];
        uint16_t *length = &c->want.length[one->strip];
        done[at] = true;
        if (out->has[one->corners[0]] || out->has[one->corners[1]] || out->has[one->corners[2]] ||
            (one->place == 2 ? *length % 2 != 0 : trimmed[one->strip]))
            continue;
        trimmed[one->strip] = true;
        saved += one->place == 0 ? 3 : 1;
        *length = (uint16_t)(one->place == 0 ? 0 : *length - 1);
        if (one->place == 2) { /* reversed, so that the winding is right */
            uint8_t *v = c->want.indices + ++c->want.first[one->strip], old[TL_BATCH_TRIANGLES + 2];
            memcpy(old, v, *length);
            for (uint32_t k = 0; k < *length; k++)
                v[k] = old[*length - 1u - k];
        }
        for (int k = 0; k < 3; k++)
            out->has[out->triangles[out->count][k] = one->corners[k]] = true;
        out->count++;
    }
    return saved;
}

/* Vertices of one block or of two, without some. */
TEST(sequences_are_those_of_the_plain_way)
{
    for (uint32_t seed = 0; seed < 36; seed++) {
        static strip_case c;
        tl_batch_sequence found, want;
        batch_mesh m = seed % 4 == 0   ? batch_lone_triangles(23)
                       : seed % 4 == 1 ? batch_lone_quads(17)
                       : seed % 4 == 2 ? batch_grid(9, 5)
                                       : batch_band(11 + seed);
        const uint32_t cut = seed < 24 ? seed % 5 : m.vertex_count / 2;
        batch_shuffle(&m, seed + 1, 0, seed < 24 ? seed % 3 : 0);
        fill_case(&c, &m, seed);
        for (uint32_t v = 0; v < m.vertex_count; v++)
            c.part[v] = v < cut ? seed >= 24 : v < m.vertex_count - seed % 3 && !(seed > 12 && v % 11 == 7) ? 2 : 0;
        memset(&found, 0xFF, sizeof found);
        memcpy(found.part, c.part, sizeof found.part);
        tl_batch_make_strips(&c.batch, &c.edges, c.left_out, seed % 2 == 0 ? 8 : TL_STRIP_INDICES, seed, &c.found);
        c.want = c.found;
        const uint32_t saved = plain_sequence(&c, seed / 2, &want);
        CHECK_INT(tl_batch_choose_sequence(seed / 2, &c.found, &found), saved);
        check_same_strips(&c.found, &c.want);
        CHECK_INT(found.count, want.count);
        CHECK(memcmp(found.triangles, want.triangles, want.count * sizeof *want.triangles) == 0);
        CHECK(memcmp(found.has, want.has, sizeof want.has) == 0);
        batch_mesh_free(&m);
    }
}

/* --- links --- */

enum { IN_SEQUENCE = 3, LEFT_OUT = 4 };

typedef struct plain_links {
    const strip_case *c;
    uint32_t across[3 * TL_BATCH_TRIANGLES]; /* the half-edge that each is paired with; NONE */
    uint32_t state[TL_BATCH_TRIANGLES];      /* the edge that is not crossed, or one of the above */
    bool movable[TL_BATCH_TRIANGLES];
    uint32_t order[TL_BATCH_TRIANGLES], active, all;
    uint32_t random;
} plain_links;

static void pair_edges(plain_links *p)
{
    const tl_vertex_batch *b = &p->c->batch;
    const uint32_t count = 3 * b->triangle_count;
    for (uint32_t half = 0; half < count; half++)
        p->across[half] = NONE;
    for (uint32_t half = 0; half < count; half++)
        for (uint32_t at = 0; at < count && p->across[half] == NONE; at++)
            if (at / 3 != half / 3 && p->across[at] == NONE && are_opposite(b, half, at)) {
                p->across[half] = at;
                p->across[at] = half;
            }
}

/* The link across a half-edge if its triangle had this state: 1 if on both sides the next edge is not crossed, 2 if on
 * both sides the one before; 0: none. */
static uint32_t link_across(const plain_links *p, uint32_t half, uint32_t state)
{
    const uint32_t other = p->across[half];
    if (other == NONE)
        return 0;
    for (uint32_t kind = 1; kind <= 2; kind++)
        if (state == (half + kind) % 3 && p->state[other / 3] == (other + kind) % 3)
            return kind;
    return 0;
}

/* Bit 0: it has a link of kind 1, bit 1: one of kind 2. */
static uint32_t kinds_of(const plain_links *p, uint32_t triangle, uint32_t state)
{
    uint32_t kinds = 0;
    for (uint32_t half = 3 * triangle; half < 3 * triangle + 3; half++) {
        const uint32_t kind = link_across(p, half, state);
        kinds |= kind > 0 ? 1u << (kind - 1) : 0;
    }
    return kinds;
}

/* Connected triangles together; those that are one strip already come last, and are visited by some sweeps only. */
static void list_order(plain_links *p)
{
    const uint32_t count = p->c->batch.triangle_count;
    bool seen[TL_BATCH_TRIANGLES];
    uint32_t idle[TL_BATCH_TRIANGLES], idle_count = 0;
    for (uint32_t t = 0; t < count; t++)
        seen[t] = p->state[t] == LEFT_OUT;
    for (uint32_t t = 0; t < count; t++) {
        uint32_t list[TL_BATCH_TRIANGLES] = {t}, end = seen[t] ? 0 : 1, open = 0;
        seen[t] = true;
        for (uint32_t i = 0; i < end; i++) {
            const uint32_t kinds = kinds_of(p, list[i], p->state[list[i]]);
            open += 2 - kinds % 2 - kinds / 2;
            for (uint32_t half = 3 * list[i]; half < 3 * list[i] + 3; half++)
                if (p->across[half] != NONE && !seen[p->across[half] / 3]) {
                    seen[p->across[half] / 3] = true;
                    list[end++] = p->across[half] / 3;
                }
        }
        for (uint32_t i = 0; i < end; i++)
            if (open > 2)
                p->order[p->active++] = list[i];
            else
                idle[idle_count++] = list[i];
    }
    for (uint32_t i = 0; i < idle_count; i++)
        p->order[p->active + i] = idle[i];
    p->all = p->active + idle_count;
}

static bool may_be_in_sequence(const plain_links *p, uint32_t triangle)
{
    for (uint32_t t = 0; t < p->c->batch.triangle_count; t++)
        for (int k = 0; k < 9 && t != triangle && p->state[t] == IN_SEQUENCE; k++)
            if (p->c->batch.triangles[t][k / 3] == p->c->batch.triangles[triangle][k % 3])
                return false;
    return p->movable[triangle];
}

/* Quarters of an index above two links, which save 9 for kind 1 and 7 for kind 2; in the sequence 6. A quarter more is
 * less probable by a half at first, by two fifths later, and impossible at the end. */
static uint32_t draw_state(plain_links *p, uint32_t triangle, uint32_t temperature)
{
    static const uint64_t factors[3] = {32768, 26214, 0};
    const uint32_t states = may_be_in_sequence(p, triangle) ? 4 : 3;
    uint32_t costs[4], least = UINT32_MAX, state = 0;
    uint64_t weights[4], sum = 0, below = 0;
    for (uint32_t s = 0; s < states; s++) {
        const uint32_t kinds = s < 3 ? kinds_of(p, triangle, s) : 0;
        costs[s] = s == IN_SEQUENCE ? 6 : 16 - 9 * (kinds % 2) - 7 * (kinds / 2);
        least = costs[s] < least ? costs[s] : least;
    }
    for (uint32_t s = 0; s < states; s++) {
        weights[s] = 65536;
        for (uint32_t i = 0; i < costs[s] - least; i++)
            weights[s] = weights[s] * factors[temperature] / 65536;
        sum += weights[s];
    }
    const uint32_t number = batch_random(&p->random) >> 8;
    for (uint32_t s = 0; s < 3; s++) {
        below += weights[s];
        state += number >= below * 65536 / sum ? 1 : 0;
    }
    return state;
}

static void sweep(plain_links *p, uint32_t temperature, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = p->order[i];
        if (p->state[t] < 3 && kinds_of(p, t, p->state[t]) == 3)
            continue; /* stays in the middle of its strip */
        p->state[t] = draw_state(p, t, temperature);
    }
}

/* Follows links from a triangle, first one of this kind. Closed ones come back to where they began. */
static uint32_t walk(const plain_links *p, uint32_t start, uint32_t kind, uint32_t *triangles, uint32_t *entered)
{
    uint32_t count = 0, at = start;
    while (p->state[at] < 3 && (kinds_of(p, at, p->state[at]) & kind) != 0 && count < 252) {
        const uint32_t half = 3 * at + (p->state[at] + 3 - kind) % 3;
        at = p->across[half] / 3;
        if (at == start)
            break;
        triangles[count] = at;
        entered[count++] = p->across[half];
        kind = 3 - kind;
    }
    return count;
}

/* In quarters of an index: a triangle has three indices, a link saves two, one in the sequence takes half of one, and a
 * strip of an even number of triangles that begins with kind 2 at both ends takes two more; alone, two of those do not.
 */
static int32_t cost_of(const plain_links *p)
{
    uint32_t triangles[TL_BATCH_TRIANGLES], entered[TL_BATCH_TRIANGLES];
    int32_t cost = 0;
    for (uint32_t t = 0; t < p->c->batch.triangle_count; t++) {
        const uint32_t kinds = p->state[t] < 3 ? kinds_of(p, t, p->state[t]) : 0;
        cost += p->state[t] == LEFT_OUT      ? 0
                : p->state[t] == IN_SEQUENCE ? 2
                                             : 12 - 4 * (int32_t)(kinds % 2 + kinds / 2);
    }
    for (uint32_t i = 0; i < p->active; i++) {
        const uint32_t t = p->order[i];
        if (p->state[t] >= 3 || kinds_of(p, t, p->state[t]) != 2)
            continue;
        const uint32_t links = walk(p, t, 2, triangles, entered);
        cost += links % 2 != 0 && links >= 3 ? 4 : 0;
    }
    return cost;
}

/* The triangle before the link by its half-edge, then what follows. */
static void store_strip(const plain_links *p, uint32_t half, const uint32_t *entered, uint32_t count,
                        tl_triangle_strips *out)
{
    const tl_vertex_batch *b = &p->c->batch;
    const uint32_t at = out->count == 0 ? 0u : (uint32_t)(out->first[out->count - 1] + out->length[out->count - 1]);
    uint8_t *v = out->indices + at;
    for (uint32_t k = 0; k < 3; k++)
        *v++ = (uint8_t)corner_of(b, turn_by(half, k + 2));
    for (uint32_t i = 0; i < count; i++)
        *v++ = (uint8_t)corner_of(b, turn_by(entered[i], 2));
    out->first[out->count] = (uint16_t)at;
    out->length[out->count++] = (uint16_t)(3 + count);
}

static uint32_t half_of(const plain_links *p, uint32_t triangle, uint32_t kind)
{
    return 3 * triangle + (p->state[triangle] + 3 - kind) % 3;
}

static void store_strips(const plain_links *p, tl_triangle_strips *out)
{
    bool seen[TL_BATCH_TRIANGLES] = {false};
    uint32_t triangles[TL_BATCH_TRIANGLES], entered[TL_BATCH_TRIANGLES];
    out->count = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < p->c->batch.triangle_count; t++) {
            const uint32_t kinds = p->state[t] < 3 ? kinds_of(p, t, p->state[t]) : 0;
            if (seen[t] || p->state[t] >= 3 || (kinds == 3 && pass == 0))
                continue;
            const uint32_t kind = kinds == 2 ? 2 : 1, count = walk(p, t, kind, triangles, entered);
            seen[t] = true;
            for (uint32_t i = 0; i < count; i++)
                seen[triangles[i]] = true;
            if (kind == 1 || count < 2) {
                store_strip(p, half_of(p, t, kind), entered, count, out);
            } else if (count % 2 != 0) { /* the first alone */
                store_strip(p, half_of(p, t, kind), entered, 0, out);
                store_strip(p, half_of(p, triangles[0], 1), entered + 1, count - 1, out);
            } else {
                const uint32_t end = triangles[count - 1], back = walk(p, end, 1, triangles, entered);
                store_strip(p, half_of(p, end, 1), entered, back, out);
            }
        }
}

static void plain_search(plain_links *p, uint32_t sweeps, uint32_t seed)
{
    uint32_t best[TL_BATCH_TRIANGLES];
    int32_t least = INT32_MAX;
    p->random = seed;
    sweep(p, 2, p->all);
    for (uint32_t i = 0; i < sweeps + 2; i++) {
        sweep(p, i < sweeps ? 2 * i / sweeps : 2, i < sweeps ? p->active : p->all);
        const int32_t cost = cost_of(p);
        if (cost >= least)
            continue;
        least = cost;
        memcpy(best, p->state, sizeof best);
    }
    memcpy(p->state, best, sizeof best);
}

static void check_links(const batch_mesh *m, bool may_sequence, uint32_t sweeps, uint32_t seed)
{
    static strip_case c;
    static plain_links p;
    static tl_batch_links links;
    static tl_link_table table;
    tl_batch_sequence sequence = {.count = 0};
    fill_case(&c, m, seed);
    memset(&p, 0, sizeof p);
    p.c = &c;
    pair_edges(&p);
    tl_batch_find_links(&c.batch, &c.edges, &links);
    for (uint32_t half = 0; half < 3 * m->triangle_count; half++) {
        const uint32_t other = p.across[half];
        CHECK_INT(links.triangle[half], other == NONE ? m->triangle_count : other / 3);
        CHECK_INT(links.here[half], other == NONE ? 0 : 5 * (3 * (half % 3) + other % 3));
        CHECK_INT(links.there[half], other == NONE ? 0 : 5 * (3 * (other % 3) + half % 3));
    }
    tl_batch_make_strips(&c.batch, &c.edges, c.left_out, TL_STRIP_INDICES, 0, &c.found);
    for (uint32_t v = seed % 3; v < m->vertex_count - seed % 2; v++)
        sequence.part[v] = may_sequence && v != seed % m->vertex_count;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        p.state[t] = c.left_out[t] ? LEFT_OUT : c.found.uncrossed[t];
        p.movable[t] = may_sequence;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = c.batch.triangles[t][k];
            p.movable[t] =
                p.movable[t] && v >= seed % 3 && v < m->vertex_count - seed % 2 && v != seed % m->vertex_count;
        }
    }
    list_order(&p);
    plain_search(&p, sweeps, seed);
    store_strips(&p, &c.want);
    const tl_link_effort effort = {&table, sweeps, seed};
    uint32_t indices = 0, drawn = 0;
    for (uint32_t r = 0; r < c.want.count; r++)
        indices += c.want.length[r];
    CHECK_INT(tl_batch_search_strips(&c.batch, &links, c.left_out, &effort, &c.found, &sequence), indices);
    check_same_strips(&c.found, &c.want);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        if (p.state[t] == IN_SEQUENCE)
            CHECK(memcmp(sequence.triangles[drawn++], c.batch.triangles[t], 3) == 0);
    CHECK_INT(sequence.count, drawn);
}

TEST(searched_strips_are_those_of_the_plain_way)
{
    for (uint32_t seed = 1; seed <= 8; seed++) {
        batch_mesh all[] = {batch_grid(3, 4), batch_torus(5, 4), batch_tangle(5 + seed, 24, seed), batch_lone_quads(4),
                            batch_band(7 + seed)};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            batch_shuffle(&all[i], seed + 1, 0, seed % 3);
            check_links(&all[i], (seed + i) % 2 == 0, 3 * seed, seed);
            batch_mesh_free(&all[i]);
        }
    }
}

TEST_MAIN(CASE(strips_are_those_of_the_plain_way), CASE(crowded_edges), CASE(sequences_are_those_of_the_plain_way),
          CASE(searched_strips_are_those_of_the_plain_way))
