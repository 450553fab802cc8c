/* The steps of display lists (f3dex_list_steps.h) beside plain ones, which look at all triangles that are left to find
 * out when a vertex is needed, and at all lists to find out what costs least. */
#include "harness.h"
#include "optimize/f3dex_list_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { TRIANGLES = 128, VERTICES = 3 * TRIANGLES, COMMANDS = 16 * TRIANGLES, SLOTS = 32, LOADED = SLOTS * TRIANGLES };
#define NEVER UINT32_MAX

typedef struct list_mesh {
    tl_f3dex_corner corners[VERTICES];
    uint32_t triangles[TRIANGLES][3];
    tl_f3dex_mesh mesh;
} list_mesh;

/* The triangles of a mesh, whose corners have one of some texture coordinates and colours. */
static void fill_mesh(list_mesh *m, batch_mesh from, uint32_t sts, uint32_t rgbas, uint32_t seed)
{
    memset(m, 0, sizeof *m);
    for (uint32_t t = 0; t < from.triangle_count; t++) {
        const uint32_t *v = from.triangles[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            continue;
        CHECK(m->mesh.triangle_count < TRIANGLES);
        for (int k = 0; k < 3; k++) {
            const tl_f3dex_corner c = {v[k], batch_random(&seed) % sts, batch_random(&seed) % rgbas};
            uint32_t at = 0;
            while (at < m->mesh.corner_count && memcmp(&m->corners[at], &c, sizeof c) != 0)
                at++;
            m->corners[at] = c;
            m->mesh.corner_count += at == m->mesh.corner_count ? 1 : 0;
            m->triangles[m->mesh.triangle_count][k] = at;
        }
        m->mesh.triangle_count++;
    }
    m->mesh.corners = m->corners;
    m->mesh.triangles = (const uint32_t(*)[3])m->triangles;
    batch_mesh_free(&from);
}

/* Bit 0: texture coordinates set vertices apart, bit 1: colours do. Vertices are numbered by point, coordinate and
 * colour. */
static tl_f3dex_vertices weld(const list_mesh *m, unsigned apart, uint32_t (*vertices)[3])
{
    uint32_t number[VERTICES];
    tl_f3dex_vertices out = {.mesh = &m->mesh, .vertices = (const uint32_t(*)[3])vertices};
    for (uint32_t i = 0; i < m->mesh.corner_count; i++) {
        bool first = true;
        number[i] = 0;
        for (uint32_t k = 0; k < m->mesh.corner_count; k++) {
            const tl_f3dex_corner *a = &m->corners[k], *b = &m->corners[i];
            const uint32_t keys[2][3] = {{a->point, apart & 1 ? a->st : 0, apart & 2 ? a->rgba : 0},
                                         {b->point, apart & 1 ? b->st : 0, apart & 2 ? b->rgba : 0}};
            const bool less = keys[0][0] != keys[1][0]   ? keys[0][0] < keys[1][0]
                              : keys[0][1] != keys[1][1] ? keys[0][1] < keys[1][1]
                                                         : keys[0][2] < keys[1][2];
            const bool same = memcmp(keys[0], keys[1], sizeof keys[0]) == 0;
            first = first && !(same && k < i);
            bool counted = !less; /* each smaller vertex once, at its first corner */
            for (uint32_t j = 0; j < k && !counted; j++) {
                const tl_f3dex_corner *c = &m->corners[j];
                counted = c->point == keys[0][0] && (apart & 1 ? c->st : 0) == keys[0][1] &&
                          (apart & 2 ? c->rgba : 0) == keys[0][2];
            }
            number[i] += counted ? 0 : 1;
        }
        out.vertex_count += first ? 1 : 0;
    }
    for (uint32_t i = 0; i < 3 * m->mesh.triangle_count; i++)
        vertices[i / 3][i % 3] = number[m->triangles[i / 3][i % 3]];
    return out;
}

/* --- the order --- */

typedef struct plain_order {
    const tl_f3dex_vertices *w;
    uint32_t lists[VERTICES][TRIANGLES], live[VERTICES]; /* triangles that are left; the last fills a gap */
    uint32_t look[VERTICES], open[SLOTS], open_count, seed;
} plain_order;

static bool is_open(const plain_order *p, uint32_t vertex)
{
    for (uint32_t i = 0; i < p->open_count; i++)
        if (p->open[i] == vertex)
            return true;
    return false;
}

static uint32_t up_to_16(uint32_t count)
{
    return count < 16 ? count : 16;
}

/* New vertices among the first 16 triangles of one. */
static uint32_t new_around(const plain_order *p, uint32_t vertex)
{
    bool seen[VERTICES] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3 * up_to_16(p->live[vertex]); i++) {
        const uint32_t v = p->w->vertices[p->lists[vertex][i / 3]][i % 3];
        count += !seen[v] && !is_open(p, v) ? 1 : 0;
        seen[v] = true;
    }
    return count;
}

static uint32_t by_chance(plain_order *p, uint32_t below)
{
    return p->seed == 0 ? 0 : batch_random(&p->seed) % below;
}

static uint32_t next_triangle(plain_order *p)
{
    uint32_t vertex = 0, least = NEVER, best = 0;
    for (uint32_t i = 0; i < p->open_count; i++) {
        const uint32_t v = p->open[i], score = 16 * new_around(p, v) + 2 * up_to_16(p->live[v]) + by_chance(p, 12);
        vertex = score < least ? v : vertex;
        least = score < least ? score : least;
    }
    least = NEVER;
    for (uint32_t i = 0; i < up_to_16(p->live[vertex]); i++) {
        const uint32_t t = p->lists[vertex][i];
        uint32_t score = 0;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = p->w->vertices[t][k];
            score += up_to_16(p->live[v]);
            score += !is_open(p, v) ? 64 : p->look[v] != p->w->mesh->triangles[t][k] ? 16 : 0;
        }
        score += by_chance(p, 3);
        best = score < least ? t : best;
        least = score < least ? score : least;
    }
    return best;
}

static void open_vertex(plain_order *p, const uint32_t own[3], uint32_t vertex, uint32_t open_most)
{
    if (is_open(p, vertex))
        return;
    if (p->open_count == open_most) {
        uint32_t worst = 0, most = 0;
        for (uint32_t i = 0; i < p->open_count; i++) {
            const uint32_t v = p->open[i], score = v == own[0] || v == own[1] || v == own[2] ? 0 : 1 + new_around(p, v);
            worst = score > most ? i : worst;
            most = score > most ? score : most;
        }
        p->open[worst] = p->open[--p->open_count];
    }
    p->open[p->open_count++] = vertex;
}

static void plain_fill_order(const tl_f3dex_vertices *w, uint32_t open_most, uint32_t seed, uint32_t *order)
{
    static plain_order p;
    bool drawn[TRIANGLES] = {false};
    const uint32_t count = w->mesh->triangle_count;
    uint32_t start = 0;
    memset(&p, 0, sizeof p);
    p.w = w;
    p.seed = seed;
    for (uint32_t i = 0; i < 3 * count; i++)
        p.lists[w->vertices[i / 3][i % 3]][p.live[w->vertices[i / 3][i % 3]]++] = i / 3;
    for (uint32_t n = 0; n < count; n++) {
        if (p.open_count == 0) { /* the next one that is left, at first from a random one on */
            start = start == 0 ? by_chance(&p, count) : start;
            while (drawn[start % count])
                start++;
        }
        const uint32_t t = order[n] = p.open_count == 0 ? start % count : next_triangle(&p);
        for (int k = 0; k < 3; k++)
            open_vertex(&p, w->vertices[t], w->vertices[t][k], open_most);
        for (int k = 0; k < 3; k++) {
            const uint32_t v = w->vertices[t][k];
            uint32_t at = 0;
            while (p.lists[v][at] != t)
                at++;
            p.lists[v][at] = p.lists[v][--p.live[v]];
            p.look[v] = w->mesh->triangles[t][k];
        }
        for (uint32_t i = p.open_count; i-- > 0;)
            if (p.live[p.open[i]] == 0)
                p.open[i] = p.open[--p.open_count];
        drawn[t] = true;
    }
}

static batch_mesh some_mesh(uint32_t seed)
{
    batch_mesh m = seed % 3 == 0   ? batch_grid(8, 7)
                   : seed % 3 == 1 ? batch_tangle(12 + 2 * seed, 70, seed)
                                   : batch_fan(40);
    batch_shuffle(&m, seed + 1, 0, seed % 4);
    return m;
}

TEST(orders_are_those_of_the_plain_way)
{
    static list_mesh m;
    static uint32_t vertices[TRIANGLES][3], found[TRIANGLES], want[TRIANGLES];
    for (uint32_t seed = 0; seed < 12; seed++) {
        fill_mesh(&m, some_mesh(seed), 1 + seed % 3, 1 + seed % 2, seed);
        const tl_f3dex_vertices w = weld(&m, seed % 4, vertices);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        tl_f3dex_orderer *orderer = tl_f3dex_orderer_new(&arena, &w);
        CHECK(orderer);
        for (uint32_t most = 3; most <= 32; most += most < 4 ? 1 : 14) {
            tl_f3dex_order(orderer, most, seed / 2, found);
            plain_fill_order(&w, most, seed / 2, want);
            for (uint32_t t = 0; t < m.mesh.triangle_count; t++)
                CHECK_INT(found[t], want[t]);
        }
        tl_arena_free(&arena);
    }
}

/* --- the plan --- */

typedef struct plain_plan {
    const tl_f3dex_vertices *w;
    const uint32_t *order;
    uint32_t patience, at; /* the triangle that is drawn next */
    struct {
        uint32_t vertex, corner;
    } slots[SLOTS];
    bool planned[VERTICES]; /* is about to be loaded */
    uint8_t pending[3];
    bool is_pending;
    tl_f3dex_cost cost;
    tl_f3dex_command commands[COMMANDS];
    uint32_t command_count, stored[LOADED];
} plain_plan;

/* Where the vertex is needed from here on, NEVER: nowhere; and where for the last time. */
static uint32_t next_use(const plain_plan *p, uint32_t vertex)
{
    for (uint32_t i = p->at; i < p->w->mesh->triangle_count && vertex != NEVER; i++)
        for (int k = 0; k < 3; k++)
            if (p->w->vertices[p->order[i]][k] == vertex)
                return i;
    return NEVER;
}

static uint32_t last_use(const plain_plan *p, uint32_t vertex)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < 3 * p->w->mesh->triangle_count; i++)
        last = p->w->vertices[p->order[i / 3]][i % 3] == vertex ? i / 3 : last;
    return last;
}

static bool is_free(const plain_plan *p, uint32_t slot)
{
    return next_use(p, p->slots[slot].vertex) == NEVER;
}

static uint32_t slot_of(const plain_plan *p, uint32_t vertex)
{
    for (uint32_t s = 0; s < SLOTS; s++)
        if (p->slots[s].vertex == vertex)
            return s;
    return NEVER;
}

static void emit(plain_plan *p, tl_f3dex_command command)
{
    CHECK(p->command_count < COMMANDS);
    p->commands[p->command_count++] = command;
}

static void draw_pending(plain_plan *p)
{
    if (p->is_pending) {
        emit(p, (tl_f3dex_command){TL_F3DEX_TRI1, 0, {p->pending[0], p->pending[1], p->pending[2]}, 0});
        p->cost.draws++;
    }
    p->is_pending = false;
}

static void change_slots(plain_plan *p, uint32_t from, uint32_t count)
{
    for (int k = 0; k < 3; k++)
        if (p->pending[k] >= from && p->pending[k] < from + count)
            draw_pending(p);
}

/* The vertex that is needed last, not before a place, and not by this triangle. */
static bool evict(plain_plan *p, const uint32_t own[3], uint64_t before)
{
    uint32_t worst = NEVER, last = 0;
    for (uint32_t s = 0; s < SLOTS; s++) {
        const uint32_t v = p->slots[s].vertex, next = next_use(p, v);
        if (next == NEVER || next < before || v == own[0] || v == own[1] || v == own[2] ||
            (worst != NEVER && next <= last))
            continue;
        worst = s;
        last = next;
    }
    if (worst != NEVER)
        p->slots[worst].vertex = NEVER;
    return worst != NEVER;
}

/* All that is missing for the next triangle, and for those after it while there is room. */
static uint32_t gather(plain_plan *p, uint32_t *list)
{
    uint32_t room = 0, count = 0;
    for (uint32_t s = 0; s < SLOTS; s++)
        room += is_free(p, s) ? 1 : 0;
    memset(p->planned, 0, sizeof p->planned);
    for (uint32_t i = p->at; i < p->w->mesh->triangle_count; i++) {
        const uint32_t *v = p->w->vertices[p->order[i]];
        uint32_t missing[3], n = 0;
        for (int k = 0; k < 3; k++)
            if (slot_of(p, v[k]) == NEVER && !p->planned[v[k]])
                missing[n++] = v[k];
        while (room < n && evict(p, v, i == p->at ? 0 : (uint64_t)p->at + p->patience))
            room++;
        if (n > room)
            break;
        room -= n;
        for (uint32_t k = 0; k < n; k++) {
            p->planned[missing[k]] = true;
            list[count++] = missing[k];
        }
    }
    return count;
}

static uint32_t end_beside(const plain_plan *p, uint32_t slot)
{
    return slot < SLOTS ? last_use(p, p->slots[slot].vertex) : NEVER;
}

/* To the end of a run of free slots whose neighbour lasts longer, what lasts longest beside it. */
static void load_run(plain_plan *p, uint32_t from, uint32_t room, const uint32_t *list, uint32_t count)
{
    const uint32_t take = count < room ? count : room;
    const bool rising = end_beside(p, from + room) >= end_beside(p, from - 1);
    const uint32_t first = rising ? from + room - take : from;
    change_slots(p, first, take);
    emit(p, (tl_f3dex_command){TL_F3DEX_VTX, (uint8_t)take, {(uint8_t)first}, 100 + p->cost.loaded});
    p->cost.loads++;
    for (uint32_t i = 0; i < take; i++) {
        const uint32_t v = list[rising ? i : take - 1 - i], t = p->order[next_use(p, v)];
        for (int k = 0; k < 3; k++)
            if (p->w->vertices[t][k] == v)
                p->stored[p->cost.loaded] = p->w->mesh->triangles[t][k];
        p->slots[first + i].vertex = v;
        p->slots[first + i].corner = p->stored[p->cost.loaded++];
    }
}

static void load_missing(plain_plan *p)
{
    uint32_t list[SLOTS], runs[SLOTS][2], run_count = 0;
    const uint32_t count = gather(p, list);
    for (uint32_t s = 0; s < SLOTS; s++)
        if (is_free(p, s)) {
            if (s == 0 || !is_free(p, s - 1))
                runs[run_count][0] = s, runs[run_count++][1] = 0;
            runs[run_count - 1][1]++;
        }
    for (uint32_t i = 0; i < count; i++) /* what ends soonest first */
        for (uint32_t k = i; k > 0 && last_use(p, list[k - 1]) > last_use(p, list[k]); k--) {
            const uint32_t v = list[k];
            list[k] = list[k - 1];
            list[k - 1] = v;
        }
    for (uint32_t done = 0; done < count;) {
        uint32_t longest = 0;
        for (uint32_t i = 1; i < run_count; i++)
            longest = runs[i][1] > runs[longest][1] ? i : longest;
        load_run(p, runs[longest][0], runs[longest][1], list + done, count - done);
        done += runs[longest][1];
        runs[longest][1] = 0;
    }
}

static void show_corner(plain_plan *p, uint32_t s, uint32_t corner)
{
    const tl_f3dex_corner *have = &p->w->mesh->corners[p->slots[s].corner], *want = &p->w->mesh->corners[corner];
    if (p->slots[s].corner != corner) {
        change_slots(p, s, 1);
        if (have->st != want->st)
            emit(p, (tl_f3dex_command){TL_F3DEX_MODIFY_ST, 1, {(uint8_t)s}, corner});
        if (have->rgba != want->rgba)
            emit(p, (tl_f3dex_command){TL_F3DEX_MODIFY_RGBA, 1, {(uint8_t)s}, corner});
        p->cost.changes += (have->st != want->st ? 1u : 0u) + (have->rgba != want->rgba ? 1u : 0u);
    }
    p->slots[s].corner = corner;
}

static void make_plan(plain_plan *p, const tl_f3dex_vertices *w, uint32_t patience, const uint32_t *order)
{
    memset(p, 0, sizeof *p);
    p->w = w;
    p->order = order;
    p->patience = patience;
    for (uint32_t s = 0; s < SLOTS; s++)
        p->slots[s].vertex = NEVER;
    for (; p->at < w->mesh->triangle_count; p->at++) {
        const uint32_t *v = w->vertices[order[p->at]];
        uint8_t slots[3];
        if (slot_of(p, v[0]) == NEVER || slot_of(p, v[1]) == NEVER || slot_of(p, v[2]) == NEVER)
            load_missing(p);
        for (int k = 0; k < 3; k++) {
            slots[k] = (uint8_t)slot_of(p, v[k]);
            show_corner(p, slots[k], w->mesh->triangles[order[p->at]][k]);
        }
        const uint8_t *a = p->pending;
        if (p->is_pending) {
            emit(p, (tl_f3dex_command){TL_F3DEX_TRI2, 0, {a[0], a[1], a[2], slots[0], slots[1], slots[2]}, 0});
            p->cost.draws++;
        }
        memcpy(p->pending, slots, sizeof slots);
        p->is_pending = !p->is_pending;
    }
    draw_pending(p);
}

static void check_plan(const tl_f3dex_vertices *w, uint32_t patience, const uint32_t *order)
{
    static plain_plan p;
    uint32_t stored[LOADED];
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    tl_f3dex_planner *planner = tl_f3dex_planner_new(&arena, w);
    CHECK(planner);
    make_plan(&p, w, patience, order);
    const tl_f3dex_cost cost = tl_f3dex_plan_cost(planner, patience, order);
    CHECK_INT(cost.loads, p.cost.loads);
    CHECK_INT(cost.loaded, p.cost.loaded);
    CHECK_INT(cost.changes, p.cost.changes);
    CHECK_INT(cost.draws, p.cost.draws);
    CHECK_INT(p.command_count, cost.loads + cost.changes + cost.draws);
    CHECK_INT(tl_f3dex_bytes(&cost), 8 * (uint64_t)p.command_count + 16 * (uint64_t)cost.loaded);
    const tl_f3dex_command *commands = tl_f3dex_plan_commands(&arena, planner, patience, order, 100, stored);
    CHECK(commands);
    for (uint32_t i = 0; i < p.command_count; i++) {
        CHECK_INT(commands[i].kind, p.commands[i].kind);
        CHECK_INT(commands[i].count, p.commands[i].count);
        CHECK_INT(commands[i].value, p.commands[i].value);
        CHECK(memcmp(commands[i].slots, p.commands[i].slots, sizeof commands[i].slots) == 0);
    }
    for (uint32_t i = 0; i < cost.loaded; i++)
        CHECK_INT(stored[i], p.stored[i]);
    tl_arena_free(&arena);
}

TEST(plans_are_those_of_the_plain_way)
{
    static const uint32_t patiences[] = {1, 5, 32, UINT32_MAX};
    static list_mesh m;
    static uint32_t vertices[TRIANGLES][3], order[TRIANGLES];
    for (uint32_t seed = 0; seed < 9; seed++) {
        fill_mesh(&m, some_mesh(seed), 1 + seed % 3, 1 + seed % 2, seed);
        const tl_f3dex_vertices w = weld(&m, seed % 4, vertices);
        plain_fill_order(&w, 20, seed, order);
        check_plan(&w, patiences[seed % 4], order);
        for (uint32_t t = 0; t < m.mesh.triangle_count; t++)
            order[t] = t;
        check_plan(&w, patiences[(seed + 1) % 4], order);
    }
}

/* Vertices 0 to 29 are drawn over and over. When 32 is needed, 31 gives way, which is needed last, at place 111; but it
 * is loaded again at once, for 30, which is not needed within 32 triangles. When 30 is needed, 31 gives way again, and
 * nothing was drawn with it. It is stored all the same. */
TEST(what_is_loaded_for_nothing_is_stored)
{
    enum { LENGTH = 112 };
    static list_mesh m;
    static uint32_t order[LENGTH], stored[LENGTH];
    tl_arena arena;
    for (uint32_t v = 0; v < 33; v++)
        m.corners[v] = (tl_f3dex_corner){v, 0, 0};
    for (uint32_t t = 0; t < LENGTH; t++) {
        const uint32_t first = 3 * ((t < 10 ? t : t - 12) % 10);
        const uint32_t third = t == 10 || t == 111 ? 31 : t == 61 ? 30 : t == 11 || t == 100 ? 32 : first + 2;
        const bool turns = third < 30;
        memcpy(m.triangles[t], (uint32_t[]){turns ? first : 0, t == 10 ? 30 : turns ? first + 1 : 1, third}, 12);
        order[t] = t;
    }
    m.mesh = (tl_f3dex_mesh){33, LENGTH, m.corners, (const uint32_t(*)[3])m.triangles};
    const tl_f3dex_vertices w = {&m.mesh, 33, m.mesh.triangles};
    memset(stored, 0xFF, sizeof stored);
    tl_arena_init(&arena, NULL);
    tl_f3dex_planner *planner = tl_f3dex_planner_new(&arena, &w);
    CHECK(planner && tl_f3dex_plan_commands(&arena, planner, 32, order, 0, stored));
    const tl_f3dex_cost cost = tl_f3dex_plan_cost(planner, 32, order);
    uint32_t times = 0;
    for (uint32_t i = 0; i < cost.loaded; i++) {
        CHECK(stored[i] < 33);
        times += stored[i] == 31 ? 1 : 0;
    }
    CHECK_INT(times, 3);
    check_plan(&w, 32, order);
    tl_arena_free(&arena);
}

/* --- the search --- */

/* Up to six triangles move up to 48 places; what costs no more stays. */
static tl_f3dex_cost plain_search(tl_f3dex_planner *planner, uint32_t count, const tl_f3dex_effort *effort,
                                  uint32_t *order)
{
    tl_f3dex_cost best = tl_f3dex_plan_cost(planner, effort->patience, order);
    uint32_t random = 1, since = 0;
    for (uint32_t step = 0; step < effort->steps && tl_f3dex_bytes(&best) > effort->floor && count > 1; step++) {
        if (since++ == effort->stall)
            break;
        uint32_t moved = 1, other[TRIANGLES], rest[TRIANGLES], n = 0;
        if (batch_random(&random) % 2 != 0)
            moved += batch_random(&random) % (count > 6 ? 6 : count - 1);
        const uint32_t from = batch_random(&random) % (count - moved + 1), low = from > 48 ? from - 48 : 0;
        const uint32_t high = from + 48 < count - moved ? from + 48 : count - moved;
        const uint32_t to = low + batch_random(&random) % (high - low + 1);
        if (to == from)
            continue;
        for (uint32_t i = 0; i < count; i++)
            if (i < from || i >= from + moved)
                rest[n++] = order[i];
        for (uint32_t i = 0; i < count; i++)
            other[i] = i < to ? rest[i] : i < to + moved ? order[from + i - to] : rest[i - moved];
        const tl_f3dex_cost cost = tl_f3dex_plan_cost(planner, effort->patience, other);
        if (tl_f3dex_bytes(&cost) > tl_f3dex_bytes(&best) ||
            (cost.loaded > effort->max_loaded && cost.loaded > best.loaded))
            continue;
        since = tl_f3dex_bytes(&cost) < tl_f3dex_bytes(&best) ? 1 : since;
        best = cost;
        memcpy(order, other, count * sizeof *order);
    }
    return best;
}

TEST(searches_are_those_of_the_plain_way)
{
    static list_mesh m;
    static uint32_t vertices[TRIANGLES][3], found[TRIANGLES], want[TRIANGLES];
    for (uint32_t seed = 0; seed < 10; seed++) {
        batch_mesh from = seed < 4 ? batch_band(1 + 2 * seed) : some_mesh(seed);
        fill_mesh(&m, from, 1 + seed % 3, 1 + seed % 2, seed);
        const tl_f3dex_vertices w = weld(&m, seed % 4, vertices);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        tl_f3dex_planner *planner = tl_f3dex_planner_new(&arena, &w);
        CHECK(planner);
        for (uint32_t t = 0; t < m.mesh.triangle_count; t++)
            found[t] = want[t] = t;
        const tl_f3dex_cost before = tl_f3dex_plan_cost(planner, 32, found);
        const tl_f3dex_effort effort = {.patience = 32,
                                        .steps = 60,
                                        .stall = 5 + 10 * (seed % 4),
                                        .floor = seed % 3 == 1 ? tl_f3dex_bytes(&before) - 24 : 0,
                                        .max_loaded = seed % 2 == 0 ? before.loaded - 2 : 1000};
        const tl_f3dex_cost cost = tl_f3dex_search(planner, &w, &effort, found);
        const tl_f3dex_cost plain = plain_search(planner, m.mesh.triangle_count, &effort, want);
        CHECK_INT(tl_f3dex_bytes(&cost), tl_f3dex_bytes(&plain));
        for (uint32_t t = 0; t < m.mesh.triangle_count; t++)
            CHECK_INT(found[t], want[t]);
        tl_arena_free(&arena);
    }
}

/* --- whole lists --- */

enum { MESHES = 3 };

typedef struct plain_weld {
    bool possible;
    tl_f3dex_vertices w;
    uint32_t vertices[TRIANGLES][3], order[TRIANGLES], patience;
    tl_f3dex_planner *planner;
    tl_f3dex_cost cost;
} plain_weld;

/* The first of the cheapest: 64 starts for few triangles, six styles in turn, each time with the next seed. */
static void find_order(tl_arena *arena, plain_weld *p)
{
    static const uint32_t styles[6][2] = {{20, 128}, {32, UINT32_MAX}, {24, 64}, {32, 32}, {16, 128}, {28, 256}};
    uint32_t order[TRIANGLES];
    tl_f3dex_orderer *orderer = tl_f3dex_orderer_new(arena, &p->w);
    p->planner = tl_f3dex_planner_new(arena, &p->w);
    for (uint32_t i = 0; i < 64; i++) {
        tl_f3dex_order(orderer, styles[i % 6][0], i / 6, order);
        const tl_f3dex_cost cost = tl_f3dex_plan_cost(p->planner, styles[i % 6][1], order);
        if (i > 0 && tl_f3dex_bytes(&cost) >= tl_f3dex_bytes(&p->cost))
            continue;
        p->cost = cost;
        p->patience = styles[i % 6][1];
        memcpy(p->order, order, sizeof order);
    }
}

static uint64_t count_stored(plain_weld (*welds)[4], const uint32_t *chosen)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < MESHES; i++)
        sum += welds[i][chosen[i]].cost.loaded;
    return sum;
}

/* While too many are stored, the weld is taken that costs least for each that it saves. */
static void keep_limit(plain_weld (*welds)[4], uint32_t *chosen, uint64_t limit)
{
    while (count_stored(welds, chosen) > limit) {
        double least = 0;
        uint32_t best = NEVER;
        for (uint32_t i = 0; i < 4 * MESHES; i++) {
            const plain_weld *now = &welds[i / 4][chosen[i / 4]], *other = &welds[i / 4][i % 4];
            if (!other->possible || other->cost.loaded >= now->cost.loaded)
                continue;
            const double price = ((double)tl_f3dex_bytes(&other->cost) - (double)tl_f3dex_bytes(&now->cost)) /
                                 (now->cost.loaded - other->cost.loaded);
            best = best == NEVER || price < least ? i : best;
            least = best == i ? price : least;
        }
        if (best == NEVER)
            return;
        chosen[best / 4] = best % 4;
    }
}

static void check_lists(const tl_f3dex_input *in, const list_mesh *meshes)
{
    static plain_weld welds[MESHES][4];
    uint32_t chosen[MESHES], stored_count = 0;
    tl_f3dex_output out;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    memset(welds, 0, sizeof welds);
    for (uint32_t i = 0; i < MESHES; i++) {
        chosen[i] = NEVER;
        for (unsigned apart = 0; apart < 4; apart++) {
            plain_weld *p = &welds[i][apart];
            p->w = weld(&meshes[i], apart, p->vertices);
            p->possible = !(in->fixed_st && apart % 2 == 0) && !(in->fixed_rgba && apart < 2);
            for (unsigned k = 0; k < apart; k++) /* one with as many vertices is the same */
                p->possible = p->possible && !(welds[i][k].possible && welds[i][k].w.vertex_count == p->w.vertex_count);
            if (!p->possible)
                continue;
            find_order(&arena, p);
            if (chosen[i] == NEVER || tl_f3dex_bytes(&p->cost) < tl_f3dex_bytes(&welds[i][chosen[i]].cost))
                chosen[i] = apart;
        }
    }
    keep_limit(welds, chosen, in->max_stored);
    for (uint32_t i = 0; i < MESHES; i++) {
        plain_weld *p = &welds[i][chosen[i]];
        const uint64_t stored = count_stored(welds, chosen);
        const uint32_t triangles = p->w.mesh->triangle_count, vertices = p->w.vertex_count;
        const uint64_t commands = (vertices + 31) / 32 + (p->w.mesh->corner_count - vertices) + (triangles + 1) / 2;
        const tl_f3dex_effort effort = {p->patience, in->effort / triangles, 12 * triangles,
                                        8 * commands + 16 * vertices,
                                        p->cost.loaded + (stored < in->max_stored ? in->max_stored - stored : 0)};
        p->cost = plain_search(p->planner, triangles, &effort, p->order);
    }
    CHECK(tl_f3dex_lists(&arena, in, &out));
    for (uint32_t i = 0; i < MESHES; i++) {
        const plain_weld *p = &welds[i][chosen[i]];
        uint32_t corners[COMMANDS];
        const tl_f3dex_command *want =
            tl_f3dex_plan_commands(&arena, p->planner, p->patience, p->order, stored_count, corners);
        CHECK_INT(out.lists[i].loaded, p->cost.loaded);
        CHECK_INT(out.lists[i].command_count, p->cost.loads + p->cost.changes + p->cost.draws);
        CHECK(memcmp(out.lists[i].commands, want, out.lists[i].command_count * sizeof *want) == 0);
        for (uint32_t k = 0; k < p->cost.loaded; k++, stored_count++)
            CHECK(out.stored[stored_count].mesh == i && out.stored[stored_count].corner == corners[k]);
    }
    CHECK_INT(out.stored_count, stored_count);
    tl_arena_free(&arena);
}

TEST(lists_are_those_of_the_plain_way)
{
    static list_mesh meshes[MESHES];
    fill_mesh(&meshes[0], batch_grid(3, 3), 2, 2, 1);
    fill_mesh(&meshes[1], batch_fan(9), 3, 1, 2);
    fill_mesh(&meshes[2], batch_tangle(9, 14, 5), 2, 2, 3);
    const tl_f3dex_mesh views[MESHES] = {meshes[0].mesh, meshes[1].mesh, meshes[2].mesh};
    for (uint32_t way = 0; way < 6; way++) {
        const tl_f3dex_input in = {.mesh_count = MESHES,
                                   .meshes = views,
                                   .fixed_st = way == 1 || way == 3,
                                   .fixed_rgba = way == 2 || way == 3,
                                   .max_stored = way == 4   ? 60
                                                 : way == 5 ? 30
                                                            : UINT32_MAX,
                                   .effort = 400};
        check_lists(&in, meshes);
    }
}

/* Each array in turn has no memory. */
TEST(memory_runs_out)
{
    static list_mesh m;
    fill_mesh(&m, batch_grid(2, 1), 2, 2, 1);
    const tl_f3dex_input in = {1, &m.mesh, false, false, UINT32_MAX, 10};
    uint32_t failures = 0;
    for (bool done = false; !done; failures++) {
        tl_f3dex_output out;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        arena.left = 64 + 64 * (size_t)failures;
        done = tl_f3dex_lists(&arena, &in, &out);
        CHECK(done == !arena.failed);
        tl_arena_free(&arena);
    }
    CHECK(failures > 40);
}

TEST_MAIN(CASE(orders_are_those_of_the_plain_way), CASE(plans_are_those_of_the_plain_way),
          CASE(what_is_loaded_for_nothing_is_stored), CASE(searches_are_those_of_the_plain_way),
          CASE(lists_are_those_of_the_plain_way), CASE(memory_runs_out))
