/* Partitions by growth (tl_batch_grow) and by packing components (tl_batch_pack) beside plain ones, which keep no lists
 * but look for free triangles, borders and components each time. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { VERTICES = 512, TRIANGLES = 1200 };

static tl_batch_input input_of(const batch_mesh *m)
{
    CHECK(m->vertex_count <= VERTICES && m->triangle_count <= TRIANGLES);
    return batch_input(m);
}

static bool has_corner(const uint32_t *t, uint32_t vertex)
{
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

/* A partition as it is made. */
typedef struct partition {
    uint32_t count, first[TRIANGLES + 1], order[TRIANGLES];
} partition;

static void check_same(const partition *want, const tl_batch_list *list)
{
    CHECK_INT(list->count, want->count);
    for (uint32_t g = 0; g <= want->count && want->count > 0; g++)
        CHECK_INT(list->first[g], want->first[g]);
    for (uint32_t i = 0; want->count > 0 && i < want->first[want->count]; i++)
        CHECK_INT(list->order[i], want->order[i]);
}

static tl_batch_list list_of(partition *p)
{
    return (tl_batch_list){.count = p->count, .first = p->first, .order = p->order};
}

/* --- growth --- */

typedef struct grower {
    const tl_batch_input *in;
    tl_batch_growth growth;
    partition out;
    bool taken[TRIANGLES], loaded[VERTICES];
    uint32_t live[VERTICES]; /* free triangles around it */
    bool has[VERTICES];      /* the batch that grows, and its vertices in the order in which they came */
    uint32_t vertices[70], vertex_count, triangle_count, full;
    uint32_t border[VERTICES], border_count; /* vertices that some triangle lacks alone, in the same order */
    uint32_t gain[VERTICES];                 /* of these: how many such triangles were seen */
    bool visited[VERTICES];                  /* by the flood fills of a search for another component */
} grower;

/* Different corners that the batch lacks, and the last of them. */
static uint32_t missing(const grower *g, uint32_t triangle, uint32_t *which)
{
    const uint32_t *t = g->in->triangles[triangle];
    uint32_t count = 0;
    for (int c = 0; c < 3; c++)
        if (!g->has[t[c]] && (c < 1 || t[c] != t[0]) && (c < 2 || t[c] != t[1])) {
            count++;
            *which = t[c];
        }
    return count;
}

static void count_live(grower *g, const uint32_t *t, int change)
{
    for (int c = 0; c < 3; c++)
        if ((c < 1 || t[c] != t[0]) && (c < 2 || t[c] != t[1]))
            g->live[t[c]] += (uint32_t)change;
}

static void take(grower *g, uint32_t triangle)
{
    count_live(g, g->in->triangles[triangle], -1);
    g->taken[triangle] = true;
    g->out.order[g->out.first[g->out.count] + g->triangle_count++] = triangle;
}

/* Every triangle that is complete is taken, of the first 256 around the vertex. */
static void add_vertex(grower *g, uint32_t vertex)
{
    uint32_t other = 0, looks = 0;
    if (g->has[vertex])
        return;
    g->has[vertex] = g->loaded[vertex] = true;
    g->vertices[g->vertex_count++] = vertex;
    for (uint32_t t = 0; t < g->in->triangle_count && looks < 256; t++) {
        if (g->taken[t] || !has_corner(g->in->triangles[t], vertex))
            continue;
        looks++;
        const uint32_t lacks = missing(g, t, &other);
        if (lacks == 0 && g->triangle_count < 512)
            take(g, t);
        if (lacks == 1 && g->gain[other]++ == 0)
            g->border[g->border_count++] = other;
    }
}

static bool has_bone(const grower *g, uint16_t bone)
{
    for (uint32_t i = 0; i < g->vertex_count; i++)
        if (g->in->bones[g->vertices[i]] == bone)
            return true;
    return false;
}

/* Two for each triangle that it would finish, less one for each that stays open, less something for another bone. */
static uint32_t best_vertex(const grower *g)
{
    uint32_t best = UINT32_MAX;
    int32_t most = 0;
    for (uint32_t i = 0; i < g->border_count; i++) {
        const uint32_t v = g->border[i];
        const bool new_bone = g->in->bones && !has_bone(g, g->in->bones[v]);
        const int32_t gain = (int32_t)g->gain[v], open = (int32_t)g->live[v] - gain;
        const int32_t score = 2 * gain - open - (new_bone ? g->growth.bone_cost : 0);
        if (g->has[v])
            continue;
        if (best == UINT32_MAX || score > most) {
            best = v;
            most = score;
        }
    }
    return best;
}

/* True if the free triangles that are connected to this one fit: few new vertices, and few triangles, each counted at
 * all its corners. Vertices are visited until they do not. */
static bool fits(grower *g, uint32_t start)
{
    const uint32_t limit = g->growth.component_full;
    uint32_t room = g->vertex_count == 0 ? 70 : g->vertex_count < limit ? limit - g->vertex_count : 0;
    uint32_t looks = 3 * (512 - g->triangle_count), queue[VERTICES], count = 0;
    bool seen[VERTICES] = {false};
    for (uint32_t i = 0, t = start, first = 1; i < count || first; i++, t = 0)
        for (; t < g->in->triangle_count; t++) {
            if (!first && (g->taken[t] || !has_corner(g->in->triangles[t], queue[i])))
                continue;
            if (!first && looks-- == 0)
                return false;
            for (int c = 0; c < 3; c++) {
                const uint32_t v = g->in->triangles[t][c];
                if (seen[v])
                    continue;
                seen[v] = g->visited[v] = true;
                if (!g->has[v] && room-- == 0)
                    return false;
                queue[count++] = v;
            }
            if (first) { /* the triangle itself, before those around its corners */
                first = 0;
                i = UINT32_MAX;
                break;
            }
        }
    return true;
}

/* The free triangle beside the batch with the fewest around its corners. */
static uint32_t seed_beside(const grower *g)
{
    uint32_t best = UINT32_MAX, least = UINT32_MAX;
    for (uint32_t i = 0; i < g->vertex_count; i++)
        for (uint32_t t = 0, looks = 0; t < g->in->triangle_count && looks < 256; t++) {
            const uint32_t *v = g->in->triangles[t];
            if (g->taken[t] || !has_corner(v, g->vertices[i]))
                continue;
            looks++;
            const uint32_t around = g->live[v[0]] + g->live[v[1]] + g->live[v[2]];
            if (around < least || (around == least && t < best)) {
                least = around;
                best = t;
            }
        }
    return best;
}

static uint32_t first_free(const grower *g)
{
    for (uint32_t t = 0; t < g->in->triangle_count; t++)
        if (!g->taken[t])
            return t;
    return UINT32_MAX;
}

/* Beside the batch or the first one, if it fits or the batch has at most 34 vertices; otherwise one that fits, of up to
 * eight that are tried among 1024 triangles. */
static uint32_t next_component(grower *g)
{
    const uint32_t beside = seed_beside(g), first = first_free(g);
    uint32_t tries = 0;
    memset(g->visited, 0, sizeof g->visited);
    if (beside != UINT32_MAX && g->vertex_count <= 34)
        return beside;
    if (beside != UINT32_MAX) {
        tries++;
        if (fits(g, beside))
            return beside;
    }
    if (first != UINT32_MAX && g->vertex_count <= 34)
        return first;
    for (uint32_t t = first; t < g->in->triangle_count && t < first + 1024 && tries <= 8; t++) {
        if (g->taken[t] || g->visited[g->in->triangles[t][0]])
            continue;
        tries++;
        if (fits(g, t))
            return t;
    }
    return UINT32_MAX;
}

static void add_component(grower *g, uint32_t triangle)
{
    g->full = fits(g, triangle) ? 70 : g->growth.full;
    take(g, triangle);
    for (int c = 0; c < 3; c++)
        add_vertex(g, g->in->triangles[triangle][c]);
}

static void grow_batch(grower *g, uint32_t start)
{
    memset(g->has, 0, sizeof g->has);
    memset(g->gain, 0, sizeof g->gain);
    g->vertex_count = g->triangle_count = g->border_count = 0;
    add_component(g, start);
    while (g->triangle_count < 512) {
        const uint32_t vertex = best_vertex(g), piece = vertex == UINT32_MAX ? next_component(g) : UINT32_MAX;
        if (piece != UINT32_MAX)
            add_component(g, piece);
        else if (vertex != UINT32_MAX && g->vertex_count < g->full)
            add_vertex(g, vertex);
        else
            break;
    }
    g->out.first[g->out.count + 1] = g->out.first[g->out.count] + g->triangle_count;
    g->out.count++;
}

/* Given up when it has more than `fewest` batches and costs more than it may: the batches so far exactly, and the least
 * for vertices that none has. */
static bool costs_too_much(grower *g, uint32_t fewest, tl_batch_budget *budget)
{
    const tl_batch_list list = list_of(&g->out);
    uint32_t unloaded = 0;
    tl_batch_loads loads = {0};
    for (uint32_t bone = 0; bone <= 0xFFFF; bone++) {
        uint32_t count = 0;
        for (uint32_t v = 0; v < g->in->vertex_count; v++)
            if (tl_batch_vertex_bone(g->in, v) == bone)
                count += !g->loaded[v] && g->live[v] > 0 ? 1 : 0;
        unloaded += count;
        loads.count += (count + 69) / 70;
        loads.matrices += bone != TL_BATCH_NO_BONE ? (count + 69) / 70 : 0;
        bone = bone == 100 ? TL_BATCH_NO_BONE - 1u : bone; /* there are no others */
    }
    budget->cost = tl_batch_estimate(budget->estimator, &list);
    return list.count + (unloaded + 69) / 70 > fewest &&
           budget->cost + tl_batch_least_estimate(unloaded, loads) > budget->most;
}

static void plain_grow(grower *g, uint32_t fewest, tl_batch_budget *budget)
{
    for (uint32_t t = 0; t < g->in->triangle_count; t++)
        count_live(g, g->in->triangles[t], 1);
    for (;;) {
        uint32_t start = seed_beside(g);
        start = start == UINT32_MAX ? first_free(g) : start;
        if (start == UINT32_MAX)
            return;
        grow_batch(g, start);
        if (budget && costs_too_much(g, fewest, budget)) {
            g->out.count = 0;
            return;
        }
    }
}

static void check_grown(batch_mesh m, tl_batch_growth growth)
{
    static grower g;
    const tl_batch_input in = input_of(&m);
    tl_arena arena;
    tl_batch_list list;
    tl_arena_init(&arena, NULL);
    memset(&g, 0, sizeof g);
    g.in = &in;
    g.growth = growth;
    plain_grow(&g, 0, NULL);
    CHECK(tl_batch_grow(&arena, &in, &growth, &list));
    check_same(&g.out, &list);
    tl_arena_free(&arena);
    batch_mesh_free(&m);
}

TEST(surfaces_grow_as_by_the_plain_one)
{
    for (uint32_t seed = 1; seed <= 6; seed++) {
        const tl_batch_growth growth = {20 + 10 * (seed % 3), 20 + 10 * (seed / 3), (int32_t)(seed % 4) * 3};
        batch_mesh m = seed % 2 == 0 ? batch_torus(9, 7) : batch_grid(9, 7);
        batch_shuffle(&m, seed, 0, seed % 3);
        if (seed > 2)
            batch_grow_bones(&m, 6, seed);
        check_grown(m, growth);
        check_grown(batch_tangle(20 + 15 * seed, 60, seed), growth);
    }
}

/* Bands of growing length: some fit beside others, some do not, and more than eight are tried. */
static batch_mesh make_bands(uint32_t first, uint32_t step, uint32_t count)
{
    batch_mesh m = batch_mesh_new(VERTICES, TRIANGLES);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t length = first + step * (i % 5);
        for (uint32_t t = 0; t < length; t++)
            batch_mesh_add(&m, at + t, at + t + 1, at + t + 2);
        at += length + 2;
    }
    CHECK(at <= VERTICES);
    return m;
}

TEST(components_are_joined_as_by_the_plain_one)
{
    for (uint32_t first = 1; first <= 33; first += 16)
        for (uint32_t step = 0; step < 8; step += 3)
            check_grown(make_bands(first, step, 420 / (first + 2 * step + 2)), (tl_batch_growth){68, 60 + step, 8});
    for (uint32_t size = 31; size <= 35; size++) /* 34 vertices are the most to cut another one */
        check_grown(make_bands(size, 0, 10), (tl_batch_growth){68, 66, 8});
}

/* Many triangles around few vertices: 256 of a vertex are looked at, a batch has up to 512. */
TEST(crowded_meshes_grow_as_by_the_plain_one)
{
    for (uint32_t vertices = 4; vertices <= 64; vertices *= 4)
        check_grown(batch_tangle(vertices, 700, vertices), (tl_batch_growth){70, 70, 8});
    for (uint32_t count = 255; count <= 257; count++) {
        batch_mesh m = batch_mesh_new(6, 2 * count);
        for (uint32_t t = 0; t < count; t++) {
            batch_mesh_add(&m, 0, 1, 2 + t % 3);
            batch_mesh_add(&m, 5, 0, 2 + t % 3);
        }
        check_grown(m, (tl_batch_growth){70, 70, 8});
    }
}

/* 171 triangles of a component are looked at 513 times: one more than a batch has triangles, times three, is too much.
 */
TEST(a_component_may_have_too_many_triangles)
{
    for (uint32_t count = 511; count <= 513; count++) {
        batch_mesh m = batch_mesh_new(80, count + 40);
        for (uint32_t t = 0; t < 40; t++)
            batch_mesh_add(&m, 4 + t, 5 + t, 6 + t);
        for (uint32_t t = 0; t < count; t++)
            batch_mesh_add(&m, t % 2, t % 2 + 1, 3);
        check_grown(m, (tl_batch_growth){68, 66, 8});
    }
}

/* Every budget around the cost, and below it, with as many batches allowed as there are and one less. */
TEST(growth_is_given_up)
{
    static grower g;
    batch_mesh m = batch_grid(11, 11);
    const tl_batch_growth growth = {68, 66, 8};
    for (int bones = 0; bones < 2; bones++) {
        if (bones != 0)
            batch_grow_bones(&m, 5, 1);
        const tl_batch_input in = input_of(&m);
        tl_arena arena;
        tl_batch_estimator estimator;
        tl_batch_list list;
        tl_arena_init(&arena, NULL);
        CHECK(tl_batch_estimator_new(&arena, &in, &estimator));
        CHECK(tl_batch_grow(&arena, &in, &growth, &list));
        const uint64_t cost = tl_batch_estimate(&estimator, &list);
        const uint64_t limits[] = {0, cost / 4, cost / 2, cost * 3 / 4, cost - 1, cost};
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            for (uint32_t fewest = 2; fewest < 5; fewest++) {
                tl_batch_budget budget = {.estimator = &estimator, .most = limits[i], .cost = 1}, plain = budget;
                memset(&g, 0, sizeof g);
                g.in = &in;
                g.growth = growth;
                plain_grow(&g, fewest, &plain);
                CHECK(tl_batch_grow_within(&arena, &in, &growth, fewest, &budget, &list));
                check_same(&g.out, &list);
                CHECK_INT(budget.cost, plain.cost);
            }
        tl_arena_free(&arena);
    }
    batch_mesh_free(&m);
}

TEST(nothing_grows_to_nothing)
{
    const tl_batch_input in = {.vertex_count = 7};
    const tl_batch_growth growth = {68, 66, 8};
    tl_batch_budget budget = {.cost = 5};
    tl_batch_list list;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_batch_grow_within(&arena, &in, &growth, 0, &budget, &list));
    CHECK_INT(list.count, 0);
    CHECK_INT(list.first[0], 0);
    CHECK_INT(budget.cost, 0);
    tl_arena_free(&arena);
}

/* --- packing --- */

enum { COMPONENTS = 128, CLASSES = 512 };

typedef struct packer {
    const tl_batch_input *in;
    partition out;
    uint32_t room, random;
    bool whole, by_class;
    uint32_t bone[VERTICES], bone_count;
    uint32_t component[TRIANGLES], component_count; /* of each triangle, by the first one of each */
    uint32_t vertices[COMPONENTS], triangles[COMPONENTS];
    uint64_t set[COMPONENTS]; /* its bones as bits; 0: not small */
    bool packed[COMPONENTS];
    uint64_t classes[CLASSES]; /* sets of bones in the order in which they were made */
    uint32_t class_count;
    uint64_t bones; /* of the batch */
    uint32_t vertex_count, triangle_count;
} packer;

static uint32_t count_bits(uint64_t set)
{
    uint32_t count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static uint32_t class_vertices(const packer *p, uint64_t set)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < p->component_count; c++)
        count += p->set[c] == set && !p->packed[c] ? p->vertices[c] : 0;
    return count;
}

static void add_class(packer *p, uint64_t set)
{
    for (uint32_t i = 0; i < p->class_count; i++)
        if (p->classes[i] == set)
            return;
    p->classes[p->class_count++] = set;
}

static void find_components(packer *p)
{
    const tl_batch_input *in = p->in;
    uint32_t root[VERTICES], number[VERTICES];
    for (uint32_t v = 0; v < in->vertex_count; v++) {
        uint32_t same = 0;
        while (in->bones[same] != in->bones[v])
            same++;
        p->bone[v] = same < v ? p->bone[same] : p->bone_count++;
        root[v] = v;
        number[v] = UINT32_MAX;
    }
    CHECK(p->bone_count <= 64);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < 3 * in->triangle_count; i++) {
            uint32_t *a = &root[in->triangles[i / 3][i % 3]];
            const uint32_t b = root[in->triangles[i / 3][(i + 1) % 3]];
            changed = changed || b < *a;
            *a = b < *a ? b : *a;
        }
    }
    for (uint32_t t = 0; t < in->triangle_count; t++) {
        uint32_t *c = &number[root[in->triangles[t][0]]];
        *c = *c == UINT32_MAX ? p->component_count++ : *c;
        CHECK(p->component_count <= COMPONENTS);
        p->component[t] = *c;
        p->triangles[*c]++;
    }
    for (uint32_t v = 0; v < in->vertex_count; v++)
        if (number[root[v]] != UINT32_MAX) {
            p->vertices[number[root[v]]]++;
            p->set[number[root[v]]] |= UINT64_C(1) << p->bone[v];
        }
    for (uint32_t c = 0; c < p->component_count; c++) {
        if (p->vertices[c] > 32 || p->triangles[c] > 256)
            p->set[c] = 0;
        for (uint32_t b = 0; b < p->bone_count; b++) /* the set is found by adding its bones one by one */
            if (p->set[c] >> b & 1)
                add_class(p, p->set[c] & ((UINT64_C(2) << b) - 1));
    }
}

static uint32_t left(const packer *p)
{
    return p->vertex_count < p->room ? p->room - p->vertex_count : 0;
}

static void add_triangle(packer *p, uint32_t triangle)
{
    p->out.order[p->out.first[p->out.count] + p->triangle_count++] = triangle;
}

/* The largest components of a class that fit, until there are `vertices` more. */
static void pack_class(packer *p, uint64_t set, uint32_t vertices)
{
    uint32_t taken = 0;
    for (uint32_t size = 32; size > 0; size--)
        for (uint32_t c = 0; c < p->component_count; c++) {
            if (p->set[c] != set || p->packed[c] || p->vertices[c] != size || size > left(p) || taken >= vertices)
                continue;
            if (p->triangle_count + p->triangles[c] > 512)
                return;
            for (uint32_t t = 0; t < p->in->triangle_count; t++)
                if (p->component[t] == c)
                    add_triangle(p, t);
            p->packed[c] = true;
            p->vertex_count += size;
            p->bones |= set;
            taken += size;
        }
}

/* Varied by up to a half. */
static uint32_t vary(packer *p, uint32_t worth)
{
    return p->random == 0 ? worth : (uint32_t)((uint64_t)worth * (16 + batch_random(&p->random) % 17) / 32);
}

static void pack_joints(packer *p)
{
    for (uint32_t i = 0; i < p->class_count; i++) {
        const uint64_t set = p->classes[i];
        if (count_bits(set) > 1 && (!p->whole || class_vertices(p, set) <= left(p)) && (set & ~p->bones) == 0)
            pack_class(p, set, UINT32_MAX);
    }
}

/* The bone that makes the most possible, if all that fits. */
static bool add_bone(packer *p)
{
    uint32_t best = UINT32_MAX, most = 0;
    for (uint32_t b = 0; b < p->bone_count; b++) {
        uint32_t vertices = 0, classes = 0;
        for (uint32_t i = 0; i < p->class_count; i++)
            if (count_bits(p->classes[i]) > 1 && (p->classes[i] & ~p->bones) == UINT64_C(1) << b &&
                class_vertices(p, p->classes[i]) > 0) {
                vertices += class_vertices(p, p->classes[i]);
                classes++;
            }
        if (classes == 0 || vertices > left(p))
            continue;
        const uint32_t worth = vary(p, vertices + (p->by_class ? classes << 20 : 0));
        best = worth > most ? b : best;
        most = worth > most ? worth : most;
    }
    p->bones |= best != UINT32_MAX ? UINT64_C(1) << best : 0;
    return best != UINT32_MAX;
}

/* The class of at most so many vertices with the most; among those of one bone that the batch has, or of all. */
static uint64_t largest_class(const packer *p, uint32_t limit, bool of_batch)
{
    uint64_t best = 0;
    for (uint32_t i = 0; i < p->class_count; i++) {
        const uint32_t vertices = class_vertices(p, p->classes[i]);
        if (vertices <= limit && vertices > (best ? class_vertices(p, best) : 0) &&
            (!of_batch || (count_bits(p->classes[i]) == 1 && (p->classes[i] & p->bones) != 0)))
            best = p->classes[i];
    }
    return best;
}

static void fill(packer *p)
{
    for (uint32_t i = 0; i < p->class_count; i++) {
        const uint64_t set = p->classes[i];
        const uint32_t over = class_vertices(p, set) % p->room;
        if (count_bits(set) == 1 && over <= left(p) && (set & p->bones) != 0)
            pack_class(p, set, over);
    }
    for (uint32_t before = UINT32_MAX; p->vertex_count != before;) {
        before = p->vertex_count;
        const uint64_t best = largest_class(p, UINT32_MAX, true);
        if (best != 0)
            pack_class(p, best, UINT32_MAX);
    }
}

static void begin_batch(packer *p)
{
    p->vertex_count = p->triangle_count = 0;
    p->bones = 0;
}

static void end_batch(packer *p)
{
    p->out.first[p->out.count + 1] = p->out.first[p->out.count] + p->triangle_count;
    p->out.count++;
}

/* What is not small is cut by growth. */
static void pack_large(packer *p, tl_arena *arena)
{
    uint32_t(*large)[3] = tl_array(arena, TRIANGLES, sizeof *large), from[TRIANGLES], count = 0;
    for (uint32_t t = 0; t < p->in->triangle_count; t++)
        if (p->set[p->component[t]] == 0) {
            memcpy(large[count], p->in->triangles[t], sizeof *large);
            from[count++] = t;
        }
    tl_batch_input in = *p->in;
    tl_batch_list list;
    in.triangles = (const uint32_t(*)[3])large;
    in.triangle_count = count;
    const tl_batch_growth growth = {p->room, p->room, 8};
    CHECK(tl_batch_grow(arena, &in, &growth, &list));
    for (uint32_t g = 0; g < list.count; g++) {
        bool seen[VERTICES] = {false};
        begin_batch(p);
        for (uint32_t i = list.first[g]; i < list.first[g + 1]; i++) {
            for (int c = 0; c < 3; c++) {
                const uint32_t v = large[list.order[i]][c];
                p->vertex_count += seen[v] ? 0 : 1;
                seen[v] = true;
                p->bones |= UINT64_C(1) << p->bone[v];
            }
            add_triangle(p, from[list.order[i]]);
        }
        pack_joints(p);
        fill(p);
        end_batch(p);
    }
}

/* The class with the most bones, then the most vertices, of those with several; 0: there is none. */
static uint64_t hardest_class(packer *p)
{
    uint64_t best = 0;
    uint32_t bones = 1, most = 0;
    for (uint32_t i = 0; i < p->class_count; i++) {
        const uint32_t size = count_bits(p->classes[i]), vertices = class_vertices(p, p->classes[i]);
        if (size < 2 || vertices == 0)
            continue;
        const uint32_t worth = vary(p, vertices);
        if (size < bones || (size == bones && worth <= most))
            continue;
        best = p->classes[i];
        bones = size;
        most = worth;
    }
    return best;
}

static void plain_pack(packer *p, tl_arena *arena, uint32_t room, uint32_t seed)
{
    p->room = room;
    p->whole = seed % 2 != 0;
    p->by_class = seed / 2 % 2 != 0;
    p->random = seed / 4;
    p->out.count = 0;
    memset(p->packed, 0, sizeof p->packed);
    pack_large(p, arena);
    while (largest_class(p, UINT32_MAX, false) != 0) {
        const uint64_t joint = hardest_class(p);
        begin_batch(p);
        if (joint != 0) {
            pack_class(p, joint, UINT32_MAX);
            do
                pack_joints(p);
            while (add_bone(p));
            fill(p);
        } else {
            pack_class(p, largest_class(p, UINT32_MAX, false), UINT32_MAX);
            for (uint32_t before = 0; p->vertex_count > before;) {
                before = p->vertex_count;
                const uint64_t next = largest_class(p, left(p), false);
                if (next != 0)
                    pack_class(p, next, UINT32_MAX);
            }
        }
        end_batch(p);
    }
}

/* The cheapest, the first of equal ones. */
static void check_packed(batch_mesh m, uint32_t tries)
{
    static packer p;
    static partition best;
    const tl_batch_input in = input_of(&m);
    tl_batch_estimator estimator;
    tl_batch_list list;
    tl_arena arena;
    uint64_t least = UINT64_MAX, found;
    tl_arena_init(&arena, NULL);
    CHECK(tl_batch_estimator_new(&arena, &in, &estimator));
    memset(&p, 0, sizeof p);
    p.in = &in;
    find_components(&p);
    best.count = 0;
    for (uint32_t room = 70; room >= 66 && p.class_count > 0; room -= 2)
        for (uint32_t seed = 0; seed < tries; seed++) {
            plain_pack(&p, &arena, room, seed);
            const tl_batch_list one = list_of(&p.out);
            const uint64_t cost = tl_batch_estimate(&estimator, &one);
            if (cost >= least)
                continue;
            least = cost;
            best = p.out;
        }
    CHECK(tl_batch_pack(&arena, &in, tries, &list, &found));
    CHECK(found == least);
    check_same(&best, &list);
    tl_arena_free(&arena);
    batch_mesh_free(&m);
}

TEST(components_are_packed_as_by_the_plain_one)
{
    for (uint32_t seed = 1; seed <= 8; seed++) {
        batch_mesh m = make_bands(1 + seed % 3, 1 + seed / 3, 60 - 4 * seed);
        batch_set_bones(&m, 3 + seed, 2 + seed % 5, seed);
        check_packed(m, 1 + seed);
    }
}

/* Then all attempts with the same room are the same, and only the first is made. */
TEST(components_of_one_bone_each_are_packed_as_by_the_plain_one)
{
    for (uint32_t count = 5; count <= 80; count += 25) {
        batch_mesh m = batch_lone_quads(count);
        batch_set_bones(&m, 3, 1, 1);
        for (uint32_t v = 0; v < m.vertex_count; v++)
            m.bones[v] = m.bones[v / 4 * 4];
        check_packed(m, 5);
    }
}

/* Bands of 32 vertices are small, of 33 they are not; neither are those of more than 256 triangles. */
TEST(large_components_are_cut)
{
    for (uint32_t seed = 1; seed <= 4; seed++) {
        batch_mesh m = make_bands(28, 1, 8);
        batch_set_bones(&m, 4, 5 + seed, seed);
        check_packed(m, 4);
    }
    for (uint32_t count = 256; count <= 257; count++) {
        batch_mesh m = batch_mesh_new(40, 3 * count + 40);
        for (uint32_t t = 0; t < 3 * count; t++)
            batch_mesh_add(&m, 4 * (t / count) + t % 2, 4 * (t / count) + 2, 4 * (t / count) + 3);
        for (uint32_t t = 0; t < 8; t++)
            batch_mesh_add(&m, 12 + 3 * t, 13 + 3 * t, 14 + 3 * t);
        batch_set_bones(&m, 2, 3, 1);
        check_packed(m, 2);
    }
}

/* Without a small component there is nothing to pack. */
TEST(one_large_component_is_not_packed)
{
    batch_mesh m = batch_band(31);
    batch_set_bones(&m, 2, 8, 1);
    check_packed(m, 2);
}

/* --- memory --- */

TEST(memory_runs_out)
{
    batch_mesh m = make_bands(3, 8, 16);
    batch_set_bones(&m, 4, 3, 1);
    const tl_batch_input in = input_of(&m);
    const tl_batch_growth growth = {68, 66, 8};
    for (int pack = 0; pack < 2; pack++) {
        uint32_t failures = 0;
        for (bool done = false; !done; failures++) {
            tl_batch_list list;
            tl_arena arena;
            uint64_t cost;
            tl_arena_init(&arena, NULL);
            arena.left = 64 + (pack ? 256 : 64) * (size_t)failures;
            done = pack ? tl_batch_pack(&arena, &in, 1, &list, &cost) : tl_batch_grow(&arena, &in, &growth, &list);
            CHECK(done == !arena.failed);
            tl_arena_free(&arena);
        }
        CHECK(failures > 50);
    }
    batch_mesh_free(&m);
}

TEST_MAIN(CASE(surfaces_grow_as_by_the_plain_one), CASE(components_are_joined_as_by_the_plain_one),
          CASE(crowded_meshes_grow_as_by_the_plain_one), CASE(a_component_may_have_too_many_triangles),
          CASE(growth_is_given_up), CASE(nothing_grows_to_nothing), CASE(components_are_packed_as_by_the_plain_one),
          CASE(components_of_one_bone_each_are_packed_as_by_the_plain_one), CASE(large_components_are_cut),
          CASE(one_large_component_is_not_packed), CASE(memory_runs_out))
