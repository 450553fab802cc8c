/* What drawing triangles in a given order costs, and the commands for it.
 *
 * The order says when each vertex is needed next. When a triangle needs vertices that are not loaded, everything that
 * the following triangles need is loaded with it, as far as slots are free; a slot is free when its vertex is not
 * needed again. When that is not enough a vertex is given up, the one that is needed last (Belady's rule); to make room
 * for the following triangles only one that is needed a long way ahead, because many small loads cost more than to load
 * it again.
 *
 * A load fills consecutive slots, so free slots should lie together. What is loaded at once is sorted by its end, and
 * laid so that what ends soon lies beside what ends soon.
 *
 * A single triangle waits for a second one, to be drawn by one command. Loads and changes that come in between go in
 * front of both, unless they touch a slot of the waiting one: then that is drawn alone first. */
#include "optimize/f3dex_list_steps.h"

enum { NO_SLOT = 0xFF, PLANNED = 0xFE };

#define NEVER UINT32_MAX

typedef struct slot {
    uint32_t vertex; /* NEVER: empty */
    uint32_t next;   /* place in the order where it is needed next; NEVER: not again */
    uint32_t corner; /* what it looks like */
    uint32_t stored;
    bool fresh; /* loaded, but not drawn yet: it can look like anything */
} slot;

struct tl_planner {
    const tl_f3dex_job *job;
    uint32_t *first;  /* of each vertex, its first place in `uses`, and one more for the end */
    uint32_t *uses;   /* places in the order, ascending for each vertex */
    uint32_t *cursor; /* of each vertex: the use that comes next */
    uint8_t *slot_of; /* of each vertex */
    const uint32_t *order;
    uint32_t patience; /* how far ahead a vertex may be needed and still keep its slot from others */
    slot slots[TL_DRAW_SLOTS];
    uint8_t waiting[3]; /* slots of a triangle that waits for a second one */
    bool waits;
    tl_f3dex_cost cost;
    tl_f3dex_command *commands; /* NULL: only the cost is wanted */
    uint32_t command_count, first_stored;
    uint32_t *stored;
};

tl_planner *tl_planner_new(tl_arena *arena, const tl_f3dex_job *job)
{
    tl_planner *p = TL_NEW(arena, tl_planner);
    if (!p)
        return NULL;
    p->job = job;
    p->first = TL_ARRAY(arena, job->vertex_count + (size_t)1, uint32_t);
    p->cursor = TL_ARRAY(arena, job->vertex_count, uint32_t);
    p->slot_of = TL_ARRAY(arena, job->vertex_count, uint8_t);
    p->uses = tl_array_raw(arena, job->mesh->triangle_count, 3 * sizeof *p->uses);
    if (!p->first || !p->cursor || !p->slot_of || !p->uses)
        return NULL;
    for (uint32_t t = 0; t < job->mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            p->first[job->vertices[t][k] + 1]++;
    for (uint32_t v = 0; v < job->vertex_count; v++)
        p->first[v + 1] += p->first[v];
    return p;
}

static void start(tl_planner *p, uint32_t patience, const uint32_t *order)
{
    p->order = order;
    p->patience = patience;
    p->waits = false;
    p->command_count = 0;
    p->cost = (tl_f3dex_cost){0};
    for (uint32_t v = 0; v < p->job->vertex_count; v++)
        p->cursor[v] = p->first[v];
    for (uint32_t i = 0; i < p->job->mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            p->uses[p->cursor[p->job->vertices[order[i]][k]]++] = i;
    for (uint32_t v = 0; v < p->job->vertex_count; v++) {
        p->cursor[v] = p->first[v];
        p->slot_of[v] = NO_SLOT;
    }
    for (int s = 0; s < TL_DRAW_SLOTS; s++)
        p->slots[s] = (slot){.vertex = NEVER, .next = NEVER};
}

static uint32_t next_use(const tl_planner *p, uint32_t v)
{
    return p->cursor[v] < p->first[v + 1] ? p->uses[p->cursor[v]] : NEVER;
}

static uint32_t last_use(const tl_planner *p, uint32_t v)
{
    return p->uses[p->first[v + 1] - 1];
}

/* --- commands --- */

static void emit(tl_planner *p, tl_f3dex_command command)
{
    if (p->commands)
        p->commands[p->command_count++] = command;
}

/* `second` NULL: one triangle. */
static void emit_triangles(tl_planner *p, const uint8_t *first, const uint8_t *second)
{
    tl_f3dex_command command = {.kind = second ? TL_DRAW_TRI2 : TL_DRAW_TRI1};
    for (int k = 0; k < 3; k++) {
        command.slots[k] = first[k];
        command.slots[3 + k] = second ? second[k] : 0;
    }
    p->cost.draws++;
    emit(p, command);
}

static void draw_waiting(tl_planner *p)
{
    if (p->waits)
        emit_triangles(p, p->waiting, NULL);
    p->waits = false;
}

/* Before anything happens to slots [from, from + count). */
static void touch(tl_planner *p, uint32_t from, uint32_t count)
{
    for (int k = 0; p->waits && k < 3; k++)
        if (p->waiting[k] >= from && p->waiting[k] < from + count)
            draw_waiting(p);
}

/* --- loading --- */

typedef struct run {
    uint32_t from, count;
} run;

typedef struct load {
    uint32_t count, vertices[TL_DRAW_SLOTS], ends[TL_DRAW_SLOTS];
} load;

static uint32_t free_slots(const tl_planner *p)
{
    uint32_t count = 0;
    for (int s = 0; s < TL_DRAW_SLOTS; s++)
        count += p->slots[s].next == NEVER;
    return count;
}

/* Gives up the vertex that is needed last, but none of the triangle at hand, and only one that is not needed before
 * place `before`. */
static bool give_up_one(tl_planner *p, const uint32_t own[3], uint64_t before)
{
    slot *last = NULL;
    for (int s = 0; s < TL_DRAW_SLOTS; s++) {
        slot *c = &p->slots[s];
        if (c->next == NEVER || c->next < before || c->vertex == own[0] || c->vertex == own[1] || c->vertex == own[2])
            continue;
        if (!last || c->next > last->next)
            last = c;
    }
    if (!last)
        return false;
    p->slot_of[last->vertex] = NO_SLOT;
    last->vertex = last->next = NEVER;
    return true;
}

static uint32_t missing_of(const tl_planner *p, const uint32_t vertices[3], uint32_t missing[3])
{
    uint32_t count = 0;
    for (int k = 0; k < 3; k++)
        if (p->slot_of[vertices[k]] == NO_SLOT)
            missing[count++] = vertices[k];
    return count;
}

/* What to load at place `at`: all that the triangle there needs, and what those behind need while there is room. */
static load gather(tl_planner *p, uint32_t at)
{
    load l = {0};
    uint32_t room = free_slots(p);
    for (uint32_t i = at; i < p->job->mesh->triangle_count; i++) {
        const uint32_t *vertices = p->job->vertices[p->order[i]];
        uint32_t missing[3];
        const uint32_t count = missing_of(p, vertices, missing);
        while (room < count && give_up_one(p, vertices, i == at ? 0 : at + (uint64_t)p->patience))
            room++;
        if (count > room)
            break;
        for (uint32_t k = 0; k < count; k++) {
            p->slot_of[missing[k]] = PLANNED;
            l.vertices[l.count++] = missing[k];
        }
        room -= count;
    }
    return l;
}

/* Sorts by the end, the soonest first. */
static void sort_by_end(const tl_planner *p, load *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        const uint32_t v = l->vertices[i], end = last_use(p, v);
        uint32_t k = i;
        for (; k > 0 && l->ends[k - 1] > end; k--) {
            l->ends[k] = l->ends[k - 1];
            l->vertices[k] = l->vertices[k - 1];
        }
        l->ends[k] = end;
        l->vertices[k] = v;
    }
}

static uint32_t find_runs(const tl_planner *p, run *runs)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < TL_DRAW_SLOTS; s++) {
        if (p->slots[s].next != NEVER)
            continue;
        if (s == 0 || p->slots[s - 1].next != NEVER)
            runs[count++] = (run){s, 0};
        runs[count - 1].count++;
    }
    return count;
}

/* When what lies at a slot ends; outside, nothing ever does. */
static uint32_t end_at(const tl_planner *p, uint32_t s)
{
    return s < TL_DRAW_SLOTS ? last_use(p, p->slots[s].vertex) : NEVER;
}

static void load_run(tl_planner *p, run r, const load *l, uint32_t first)
{
    const uint32_t take = l->count - first < r.count ? l->count - first : r.count;
    const bool rising = end_at(p, r.from + r.count) >= end_at(p, r.from - 1);
    const uint32_t from = rising ? r.from + r.count - take : r.from;
    touch(p, from, take);
    p->cost.loads++;
    emit(p, (tl_f3dex_command){TL_DRAW_LOAD, (uint8_t)take, {(uint8_t)from}, p->first_stored + p->cost.loaded});
    for (uint32_t i = 0; i < take; i++) {
        const uint32_t s = from + i, v = l->vertices[first + (rising ? i : take - 1 - i)];
        if (p->slots[s].vertex != NEVER && p->slot_of[p->slots[s].vertex] == s)
            p->slot_of[p->slots[s].vertex] = NO_SLOT;
        p->slots[s] = (slot){v, next_use(p, v), 0, p->cost.loaded++, true};
        p->slot_of[v] = (uint8_t)s;
    }
}

/* The longest runs first: few commands. They get what ends soonest, so that they come free as a whole. */
static void load_at(tl_planner *p, uint32_t at)
{
    run runs[TL_DRAW_SLOTS];
    load l = gather(p, at);
    const uint32_t run_count = find_runs(p, runs);
    sort_by_end(p, &l);
    for (uint32_t done = 0; done < l.count;) {
        uint32_t longest = 0;
        for (uint32_t i = 1; i < run_count; i++)
            if (runs[i].count > runs[longest].count)
                longest = i;
        load_run(p, runs[longest], &l, done);
        done += runs[longest].count;
        runs[longest].count = 0;
    }
}

/* --- drawing --- */

static void look_like(tl_planner *p, uint32_t s, uint32_t corner)
{
    slot *c = &p->slots[s];
    const tl_f3dex_corner *corners = p->job->mesh->corners;
    if (c->fresh) {
        if (p->commands)
            p->stored[c->stored] = corner;
    } else if (c->corner != corner) {
        const tl_f3dex_corner *have = &corners[c->corner], *want = &corners[corner];
        touch(p, s, 1);
        p->cost.changes += (have->st != want->st ? 1u : 0u) + (have->rgba != want->rgba ? 1u : 0u);
        if (have->st != want->st)
            emit(p, (tl_f3dex_command){TL_DRAW_ST, 1, {(uint8_t)s}, corner});
        if (have->rgba != want->rgba)
            emit(p, (tl_f3dex_command){TL_DRAW_RGBA, 1, {(uint8_t)s}, corner});
    }
    c->corner = corner;
    c->fresh = false;
}

static void draw(tl_planner *p, uint32_t triangle)
{
    const uint32_t *vertices = p->job->vertices[triangle], *corners = p->job->mesh->triangles[triangle];
    uint8_t slots[3];
    for (int k = 0; k < 3; k++) {
        slots[k] = p->slot_of[vertices[k]];
        look_like(p, slots[k], corners[k]);
    }
    for (int k = 0; k < 3; k++) {
        p->cursor[vertices[k]]++;
        p->slots[slots[k]].next = next_use(p, vertices[k]);
    }
    if (p->waits)
        emit_triangles(p, p->waiting, slots);
    else
        for (int k = 0; k < 3; k++)
            p->waiting[k] = slots[k];
    p->waits = !p->waits;
}

static bool is_loaded(const tl_planner *p, const uint32_t vertices[3])
{
    return p->slot_of[vertices[0]] != NO_SLOT && p->slot_of[vertices[1]] != NO_SLOT &&
           p->slot_of[vertices[2]] != NO_SLOT;
}

tl_f3dex_cost tl_plan_cost(tl_planner *p, uint32_t patience, const uint32_t *order)
{
    start(p, patience, order);
    for (uint32_t i = 0; i < p->job->mesh->triangle_count; i++) {
        if (!is_loaded(p, p->job->vertices[order[i]]))
            load_at(p, i);
        draw(p, order[i]);
    }
    draw_waiting(p);
    return p->cost;
}

tl_f3dex_command *tl_plan_commands(tl_arena *arena, tl_planner *p, uint32_t patience, const uint32_t *order,
                                   uint32_t first_stored, uint32_t *stored)
{
    const tl_f3dex_cost cost = tl_plan_cost(p, patience, order);
    tl_f3dex_command *commands = tl_array_raw(arena, (size_t)cost.loads + cost.changes + cost.draws, sizeof *commands);
    if (!commands)
        return NULL;
    p->commands = commands;
    p->first_stored = first_stored;
    p->stored = stored;
    tl_plan_cost(p, patience, order);
    p->commands = NULL;
    return commands;
}
