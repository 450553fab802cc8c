/* What drawing triangles in a given order costs, and the commands for it.
 *
 * The order says when each vertex is needed next. When a triangle needs vertices that are not loaded, everything that
 * the following triangles need is loaded with it, as far as slots are free; a slot is free when its vertex is not
 * needed again. When that is not enough a vertex is evicted, the one that is needed last (Belady 1966); to make room
 * for the following triangles only one that is needed far ahead, because many small loads cost more than to load it
 * again.
 *
 * A load fills consecutive slots, so free slots should be adjacent. What is loaded at once is sorted by its last use,
 * and placed so that vertices with close last uses are neighbours.
 *
 * A single triangle is held back until a second one comes, to be drawn by one G_TRI2. Loads and changes that come in
 * between go in front of both, unless they touch a slot of the pending one: then that is drawn alone first. */
#include "optimize/f3dex_list_steps.h"

enum { F3DEX_NO_SLOT = 0xFF, F3DEX_PLANNED = 0xFE };

#define F3DEX_NEVER UINT32_MAX

typedef struct f3dex_plan_slot {
    uint32_t vertex; /* NEVER: empty */
    uint32_t next;   /* position in the order where it is needed next; F3DEX_NEVER: not again */
    uint32_t corner; /* whose texture coordinate and colour it has */
} f3dex_plan_slot;

struct tl_f3dex_planner {
    const tl_f3dex_vertices *welded;
    uint32_t *first;  /* of each vertex, its first index in `uses`, and one more for the end */
    uint32_t *uses;   /* positions in the order, ascending for each vertex */
    uint32_t *cursor; /* of each vertex: the use that comes next */
    uint8_t *slot_of; /* of each vertex */
    const uint32_t *order;
    uint32_t patience; /* how far ahead a vertex may be needed and still keep its slot from others */
    f3dex_plan_slot slots[TL_F3DEX_SLOTS];
    uint8_t pending[3]; /* slots of a triangle that is_pending for a second one */
    bool is_pending;
    tl_f3dex_cost cost;
    tl_f3dex_command *commands; /* NULL: only the cost is computed */
    uint32_t command_count, first_stored;
    uint32_t *stored;
};

tl_f3dex_planner *tl_f3dex_planner_new(tl_arena *arena, const tl_f3dex_vertices *welded)
{
    tl_f3dex_planner *p = TL_NEW(arena, tl_f3dex_planner);
    if (!p)
        return NULL;
    p->welded = welded;
    p->first = TL_ARRAY(arena, welded->vertex_count + (size_t)1, uint32_t);
    p->cursor = TL_ARRAY(arena, welded->vertex_count, uint32_t);
    p->slot_of = TL_ARRAY(arena, welded->vertex_count, uint8_t);
    p->uses = tl_array_raw(arena, welded->mesh->triangle_count, 3 * sizeof *p->uses);
    if (!p->first || !p->cursor || !p->slot_of || !p->uses)
        return NULL;
    for (uint32_t t = 0; t < welded->mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            p->first[welded->vertices[t][k] + 1]++;
    for (uint32_t v = 0; v < welded->vertex_count; v++)
        p->first[v + 1] += p->first[v];
    return p;
}

static uint32_t f3dex_plan_next_use(const tl_f3dex_planner *p, uint32_t v)
{
    return p->cursor[v] < p->first[v + 1] ? p->uses[p->cursor[v]] : F3DEX_NEVER;
}

static uint32_t f3dex_plan_last_use(const tl_f3dex_planner *p, uint32_t v)
{
    return p->uses[p->first[v + 1] - 1];
}

/* The corner as which a vertex is drawn next: that is stored for it. */
static uint32_t f3dex_plan_next_corner(const tl_f3dex_planner *p, uint32_t v)
{
    const uint32_t t = p->order[f3dex_plan_next_use(p, v)], *vertices = p->welded->vertices[t];
    return p->welded->mesh->triangles[t][vertices[0] == v ? 0 : vertices[1] == v ? 1 : 2];
}

/* --- commands --- */

static void f3dex_plan_emit(tl_f3dex_planner *p, tl_f3dex_command command)
{
    if (p->commands)
        p->commands[p->command_count++] = command;
}

/* `second` NULL: one triangle. */
static void f3dex_plan_emit_triangles(tl_f3dex_planner *p, const uint8_t *first, const uint8_t *second)
{
    tl_f3dex_command command = {.kind = second ? TL_F3DEX_TRI2 : TL_F3DEX_TRI1};
    for (int k = 0; k < 3; k++) {
        command.slots[k] = first[k];
        command.slots[3 + k] = second ? second[k] : 0;
    }
    p->cost.draws++;
    f3dex_plan_emit(p, command);
}

static void f3dex_plan_draw_waiting(tl_f3dex_planner *p)
{
    if (p->is_pending)
        f3dex_plan_emit_triangles(p, p->pending, NULL);
    p->is_pending = false;
}

/* Before anything happens to slots [from, from + count). */
static void f3dex_plan_touch(tl_f3dex_planner *p, uint32_t from, uint32_t count)
{
    for (int k = 0; p->is_pending && k < 3; k++)
        if (p->pending[k] >= from && p->pending[k] < from + count)
            f3dex_plan_draw_waiting(p);
}

/* --- loading --- */

typedef struct f3dex_slot_run {
    uint32_t from, count;
} f3dex_slot_run;

typedef struct f3dex_vertex_load {
    uint32_t count, vertices[TL_F3DEX_SLOTS], ends[TL_F3DEX_SLOTS];
} f3dex_vertex_load;

/* Evicts the vertex that is needed last, but none of the current triangle, and only one that is not needed before
 * position `before`. */
static bool f3dex_plan_evict(tl_f3dex_planner *p, const uint32_t own[3], uint64_t before)
{
    f3dex_plan_slot *last = NULL;
    for (int s = 0; s < TL_F3DEX_SLOTS; s++) {
        f3dex_plan_slot *c = &p->slots[s];
        if (c->next == F3DEX_NEVER || c->next < before || c->vertex == own[0] || c->vertex == own[1] ||
            c->vertex == own[2])
            continue;
        if (!last || c->next > last->next)
            last = c;
    }
    if (!last)
        return false;
    p->slot_of[last->vertex] = F3DEX_NO_SLOT;
    last->vertex = last->next = F3DEX_NEVER;
    return true;
}

/* What to load at position `at`: all that the triangle there needs, and what the following need while there is room. */
static f3dex_vertex_load f3dex_plan_gather(tl_f3dex_planner *p, uint32_t at)
{
    f3dex_vertex_load l = {0};
    uint32_t room = 0;
    for (int s = 0; s < TL_F3DEX_SLOTS; s++)
        room += p->slots[s].next == F3DEX_NEVER;
    for (uint32_t i = at; i < p->welded->mesh->triangle_count; i++) {
        const uint32_t *vertices = p->welded->vertices[p->order[i]];
        uint32_t missing[3], count = 0;
        for (int k = 0; k < 3; k++)
            if (p->slot_of[vertices[k]] == F3DEX_NO_SLOT)
                missing[count++] = vertices[k];
        while (room < count && f3dex_plan_evict(p, vertices, i == at ? 0 : at + (uint64_t)p->patience))
            room++;
        if (count > room)
            break;
        for (uint32_t k = 0; k < count; k++) {
            p->slot_of[missing[k]] = F3DEX_PLANNED;
            l.vertices[l.count++] = missing[k];
        }
        room -= count;
    }
    return l;
}

/* The last use of the vertex in a slot; outside the cache never. */
static uint32_t f3dex_plan_end_at(const tl_f3dex_planner *p, uint32_t s)
{
    return s < TL_F3DEX_SLOTS ? f3dex_plan_last_use(p, p->slots[s].vertex) : F3DEX_NEVER;
}

static void f3dex_plan_load_run(tl_f3dex_planner *p, f3dex_slot_run r, const f3dex_vertex_load *l, uint32_t first)
{
    const uint32_t take = l->count - first < r.count ? l->count - first : r.count;
    const bool rising = f3dex_plan_end_at(p, r.from + r.count) >= f3dex_plan_end_at(p, r.from - 1);
    const uint32_t from = rising ? r.from + r.count - take : r.from;
    f3dex_plan_touch(p, from, take);
    p->cost.loads++;
    f3dex_plan_emit(p,
                    (tl_f3dex_command){TL_F3DEX_VTX, (uint8_t)take, {(uint8_t)from}, p->first_stored + p->cost.loaded});
    for (uint32_t i = 0; i < take; i++) {
        const uint32_t s = from + i, v = l->vertices[first + (rising ? i : take - 1 - i)];
        if (p->slots[s].vertex != F3DEX_NEVER && p->slot_of[p->slots[s].vertex] == s)
            p->slot_of[p->slots[s].vertex] = F3DEX_NO_SLOT;
        p->slots[s] = (f3dex_plan_slot){v, f3dex_plan_next_use(p, v), f3dex_plan_next_corner(p, v)};
        p->slot_of[v] = (uint8_t)s;
        if (p->commands)
            p->stored[p->cost.loaded] = p->slots[s].corner;
        p->cost.loaded++;
    }
}

/* The longest runs of free slots first: few commands. They get what ends soonest, so that they become free together. */
static void f3dex_plan_load_at(tl_f3dex_planner *p, uint32_t at)
{
    f3dex_slot_run runs[TL_F3DEX_SLOTS];
    f3dex_vertex_load l = f3dex_plan_gather(p, at);
    uint32_t run_count = 0;
    for (uint32_t s = 0; s < TL_F3DEX_SLOTS; s++) {
        if (p->slots[s].next != F3DEX_NEVER)
            continue;
        if (s == 0 || p->slots[s - 1].next != F3DEX_NEVER)
            runs[run_count++] = (f3dex_slot_run){s, 0};
        runs[run_count - 1].count++;
    }
    /* Sorts by the end, the soonest first. */
    for (uint32_t i = 0; i < l.count; i++) {
        const uint32_t v = l.vertices[i], end = f3dex_plan_last_use(p, v);
        uint32_t k = i;
        for (; k > 0 && l.ends[k - 1] > end; k--) {
            l.ends[k] = l.ends[k - 1];
            l.vertices[k] = l.vertices[k - 1];
        }
        l.ends[k] = end;
        l.vertices[k] = v;
    }
    for (uint32_t done = 0; done < l.count;) {
        uint32_t longest = 0;
        for (uint32_t i = 1; i < run_count; i++)
            if (runs[i].count > runs[longest].count)
                longest = i;
        f3dex_plan_load_run(p, runs[longest], &l, done);
        done += runs[longest].count;
        runs[longest].count = 0;
    }
}

/* --- drawing --- */

static void f3dex_plan_set_corner(tl_f3dex_planner *p, uint32_t s, uint32_t corner)
{
    f3dex_plan_slot *c = &p->slots[s];
    const tl_f3dex_corner *corners = p->welded->mesh->corners;
    if (c->corner != corner) {
        const tl_f3dex_corner *have = &corners[c->corner], *want = &corners[corner];
        f3dex_plan_touch(p, s, 1);
        p->cost.changes += (have->st != want->st ? 1u : 0u) + (have->rgba != want->rgba ? 1u : 0u);
        if (have->st != want->st)
            f3dex_plan_emit(p, (tl_f3dex_command){TL_F3DEX_MODIFY_ST, 1, {(uint8_t)s}, corner});
        if (have->rgba != want->rgba)
            f3dex_plan_emit(p, (tl_f3dex_command){TL_F3DEX_MODIFY_RGBA, 1, {(uint8_t)s}, corner});
    }
    c->corner = corner;
}

tl_f3dex_cost tl_f3dex_plan_cost(tl_f3dex_planner *p, uint32_t patience, const uint32_t *order)
{
    p->order = order;
    p->patience = patience;
    p->is_pending = false;
    p->command_count = 0;
    p->cost = (tl_f3dex_cost){0};
    for (uint32_t v = 0; v < p->welded->vertex_count; v++)
        p->cursor[v] = p->first[v];
    for (uint32_t i = 0; i < p->welded->mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            p->uses[p->cursor[p->welded->vertices[order[i]][k]]++] = i;
    for (uint32_t v = 0; v < p->welded->vertex_count; v++) {
        p->cursor[v] = p->first[v];
        p->slot_of[v] = F3DEX_NO_SLOT;
    }
    for (int s = 0; s < TL_F3DEX_SLOTS; s++)
        p->slots[s] = (f3dex_plan_slot){.vertex = F3DEX_NEVER, .next = F3DEX_NEVER};
    for (uint32_t i = 0; i < p->welded->mesh->triangle_count; i++) {
        const uint32_t *v = p->welded->vertices[order[i]];
        if (p->slot_of[v[0]] == F3DEX_NO_SLOT || p->slot_of[v[1]] == F3DEX_NO_SLOT || p->slot_of[v[2]] == F3DEX_NO_SLOT)
            f3dex_plan_load_at(p, i);
        const uint32_t *vertices = p->welded->vertices[order[i]], *corners = p->welded->mesh->triangles[order[i]];
        uint8_t slots[3];
        for (int k = 0; k < 3; k++) {
            slots[k] = p->slot_of[vertices[k]];
            f3dex_plan_set_corner(p, slots[k], corners[k]);
        }
        for (int k = 0; k < 3; k++) {
            p->cursor[vertices[k]]++;
            p->slots[slots[k]].next = f3dex_plan_next_use(p, vertices[k]);
        }
        if (p->is_pending)
            f3dex_plan_emit_triangles(p, p->pending, slots);
        else
            for (int k = 0; k < 3; k++)
                p->pending[k] = slots[k];
        p->is_pending = !p->is_pending;
    }
    f3dex_plan_draw_waiting(p);
    return p->cost;
}

tl_f3dex_command *tl_f3dex_plan_commands(tl_arena *arena, tl_f3dex_planner *p, uint32_t patience, const uint32_t *order,
                                         uint32_t first_stored, uint32_t *stored)
{
    const tl_f3dex_cost cost = tl_f3dex_plan_cost(p, patience, order);
    tl_f3dex_command *commands = tl_array_raw(arena, (size_t)cost.loads + cost.changes + cost.draws, sizeof *commands);
    if (!commands)
        return NULL;
    p->commands = commands;
    p->first_stored = first_stored;
    p->stored = stored;
    tl_f3dex_plan_cost(p, patience, order);
    p->commands = NULL;
    return commands;
}
