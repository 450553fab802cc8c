/* Greedy meshlet growth: most finished triangles, least open border.
 *
 * A batch grows vertex by vertex: the next one finishes many triangles and leaves few open. Every triangle whose
 * corners are all there is taken at once. A vertex that two batches share is loaded twice; an empty slot costs nothing.
 * So a batch that cannot grow any more takes another connected component of the mesh only when that fits whole, or when
 * the batch is not even half full.
 *
 * Each vertex has a list of its free triangles. Steps look at a bounded part of a list, so the time stays near linear
 * for meshes where very many triangles share a vertex.
 */
#include "optimize/t3d_batch_steps.h"

enum {
    BATCH_GROW_CUT_BELOW = 34,         /* a batch this small also takes a component that does not fit whole */
    BATCH_GROW_LOOK_AROUND = 256,      /* triangles around one vertex that a step looks at */
    BATCH_GROW_LOOK_COMPONENTS = 1024, /* triangles that are looked at for one more component, */
    BATCH_GROW_TRY_COMPONENTS = 8,     /* and components that are tried */
};

static const uint32_t batch_grow_none = UINT32_MAX;

typedef struct batch_grower {
    const tl_batch_input *in;
    const tl_batch_growth *growth;
    /* The free triangles of each vertex as a list of corners (3 * triangle + corner). */
    uint32_t *head, *live;          /* of each vertex: the first corner, how many */
    uint32_t *next, *previous;      /* of each corner */
    bool *taken;                    /* of each triangle */
    uint32_t cursor;                /* no free triangle is before it */
    uint32_t *in_batch, *in_border; /* of each vertex: the number of the batch it was put in last */
    uint64_t *visit, visits;        /* of each vertex: the flood fill that visited it last */
    uint32_t reached[TL_BATCH_SLOTS], reached_count, room;
    uint32_t *gain; /* of each vertex in the border: the triangles it would finish */
    uint32_t *border, border_count;
    /* The batch that grows. */
    uint32_t number, full, vertex_count, triangle_count, bone_count;
    uint32_t open;              /* vertices of the batch that have free triangles */
    uint32_t unloaded;          /* vertices that no batch has yet, */
    uint32_t *unloaded_of_bone; /* those of each bone; NULL: there is none, or nothing to give up, */
    tl_batch_loads loads;       /* and what they take at least */
    uint32_t vertices[TL_BATCH_SLOTS];
    uint16_t bones[TL_BATCH_SLOTS];
    tl_batch_list *out;
} batch_grower;

static const uint32_t *batch_grow_corners(const batch_grower *g, uint32_t triangle)
{
    return g->in->triangles[triangle];
}

/* --- vertices that no batch has yet --- */

static void batch_grow_count_unloaded(batch_grower *g, uint32_t vertex)
{
    g->unloaded++;
    if (!g->unloaded_of_bone)
        return;
    const uint16_t bone = g->in->bones[vertex];
    if (g->unloaded_of_bone[tl_batch_bone_row(bone)]++ % TL_BATCH_SLOTS == 0) {
        g->loads.count++;
        g->loads.matrices += bone != TL_BATCH_NO_BONE ? 1 : 0;
    }
}

static void batch_grow_count_loaded(batch_grower *g, uint32_t vertex)
{
    g->unloaded--;
    if (!g->unloaded_of_bone)
        return;
    const uint16_t bone = g->in->bones[vertex];
    if (--g->unloaded_of_bone[tl_batch_bone_row(bone)] % TL_BATCH_SLOTS == 0) {
        g->loads.count--;
        g->loads.matrices -= bone != TL_BATCH_NO_BONE ? 1 : 0;
    }
}

/* --- lists of free triangles --- */

static void batch_grow_link_all(batch_grower *g)
{
    const uint32_t(*const triangles)[3] = g->in->triangles, vertices = g->in->vertex_count;
    uint32_t *const head = g->head, *const live = g->live, *const next = g->next, *const previous = g->previous;
    for (uint32_t v = 0; v < vertices; v++) {
        head[v] = batch_grow_none;
        live[v] = 0;
    }
    for (uint32_t t = g->in->triangle_count; t-- > 0;) /* each is put in front, so the lists ascend */
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t vertex = triangles[t][c], corner = 3 * t + c, second = head[vertex];
            if (!tl_batch_first_mention(triangles[t], c))
                continue;
            previous[corner] = batch_grow_none;
            next[corner] = second;
            if (second != batch_grow_none)
                previous[second] = corner;
            head[vertex] = corner;
            live[vertex]++;
        }
    for (uint32_t v = 0; v < vertices; v++)
        if (live[v] > 0)
            batch_grow_count_unloaded(g, v);
}

static void batch_grow_take(batch_grower *g, uint32_t triangle)
{
    const uint32_t *t = batch_grow_corners(g, triangle);
    for (uint32_t c = 0; c < 3; c++)
        if (tl_batch_first_mention(t, c)) {
            const uint32_t corner = 3 * triangle + c;
            const uint32_t next = g->next[corner], previous = g->previous[corner];
            if (next != batch_grow_none)
                g->previous[next] = previous;
            if (previous != batch_grow_none)
                g->next[previous] = next;
            else
                g->head[t[c]] = next;
            if (--g->live[t[c]] == 0 && g->in_batch[t[c]] == g->number)
                g->open--;
        }
    g->taken[triangle] = true;
    g->out->order[g->out->first[g->out->count] + g->triangle_count++] = triangle;
}

/* --- growing --- */

static bool batch_grow_has_vertex(const batch_grower *g, uint32_t vertex)
{
    return g->in_batch[vertex] == g->number;
}

static bool batch_grow_has_bone(const batch_grower *g, uint16_t bone)
{
    for (uint32_t i = 0; i < g->bone_count; i++)
        if (g->bones[i] == bone)
            return true;
    return false;
}

/* How many different corners are not in the batch, and one of them. */
static uint32_t batch_grow_missing(const batch_grower *g, uint32_t triangle, uint32_t *which)
{
    const uint32_t *t = batch_grow_corners(g, triangle);
    uint32_t count = 0;
    for (uint32_t c = 0; c < 3; c++)
        if (!batch_grow_has_vertex(g, t[c]) && tl_batch_first_mention(t, c)) {
            count++;
            *which = t[c];
        }
    return count;
}

static void batch_grow_add_vertex(batch_grower *g, uint32_t vertex)
{
    if (batch_grow_has_vertex(g, vertex))
        return;
    if (g->in_batch[vertex] == 0)
        batch_grow_count_loaded(g, vertex);
    g->in_batch[vertex] = g->number;
    g->open += g->live[vertex] > 0 ? 1 : 0;
    g->vertices[g->vertex_count++] = vertex;
    if (!batch_grow_has_bone(g, tl_batch_vertex_bone(g->in, vertex)))
        g->bones[g->bone_count++] = tl_batch_vertex_bone(g->in, vertex);
    uint32_t next = batch_grow_none, other = batch_grow_none, looks = 0;
    for (uint32_t c = g->head[vertex]; c != batch_grow_none && looks < BATCH_GROW_LOOK_AROUND; c = next, looks++) {
        next = g->next[c];
        const uint32_t count = batch_grow_missing(g, c / 3, &other);
        if (count == 0 && g->triangle_count < TL_BATCH_TRIANGLES)
            batch_grow_take(g, c / 3);
        else if (count == 1) {
            if (g->in_border[other] != g->number) {
                g->in_border[other] = g->number;
                g->gain[other] = 0;
                g->border[g->border_count++] = other;
            }
            g->gain[other]++;
        }
    }
}

/* The oldest of the best in the border, none when it is empty. */
static uint32_t batch_grow_best_vertex(batch_grower *g)
{
    uint32_t best = batch_grow_none, kept = 0;
    int64_t most = INT64_MIN;
    for (uint32_t i = 0; i < g->border_count; i++) {
        const uint32_t vertex = g->border[i];
        if (batch_grow_has_vertex(g, vertex))
            continue;
        g->border[kept++] = vertex;
        const int64_t gain = g->gain[vertex], open = (int64_t)g->live[vertex] - gain;
        const bool new_bone = !batch_grow_has_bone(g, tl_batch_vertex_bone(g->in, vertex));
        const int64_t score = 2 * gain - open - (new_bone ? g->growth->bone_cost : 0);
        if (score > most) {
            most = score;
            best = vertex;
        }
    }
    g->border_count = kept;
    return best;
}

/* --- seeds --- */

/* The flood fill visits a triangle; false when its corners no longer fit into the batch. */
static bool batch_grow_visit(batch_grower *g, uint32_t triangle)
{
    for (int c = 0; c < 3; c++) {
        const uint32_t vertex = batch_grow_corners(g, triangle)[c];
        if (g->visit[vertex] == g->visits)
            continue;
        g->visit[vertex] = g->visits;
        if (!batch_grow_has_vertex(g, vertex) && g->room-- == 0)
            return false;
        g->reached[g->reached_count++] = vertex;
    }
    return true;
}

/* True if all free triangles that are connected to this one fit into the batch. */
static bool batch_grow_fits_component(batch_grower *g, uint32_t triangle)
{
    uint32_t looks = 3 * (TL_BATCH_TRIANGLES - g->triangle_count); /* each is seen from up to three corners */
    g->visits++;
    g->reached_count = 0;
    g->room = g->vertex_count == 0                          ? TL_BATCH_SLOTS
              : g->vertex_count < g->growth->component_full ? g->growth->component_full - g->vertex_count
                                                            : 0;
    if (!batch_grow_visit(g, triangle))
        return false;
    for (uint32_t i = 0; i < g->reached_count; i++)
        for (uint32_t c = g->head[g->reached[i]]; c != batch_grow_none; c = g->next[c])
            if (looks-- == 0 || !batch_grow_visit(g, c / 3))
                return false;
    return true;
}

/* The free triangle at the border of the batch with the fewest free ones around it; none: there is none. */
static uint32_t batch_grow_seed_beside(const batch_grower *g)
{
    uint32_t best = batch_grow_none;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < g->vertex_count && g->open > 0; i++) {
        uint32_t looks = 0;
        for (uint32_t c = g->head[g->vertices[i]]; c != batch_grow_none && looks < BATCH_GROW_LOOK_AROUND;
             c = g->next[c], looks++) {
            const uint32_t *t = batch_grow_corners(g, c / 3);
            const uint64_t around = (uint64_t)g->live[t[0]] + g->live[t[1]] + g->live[t[2]];
            if (around < least || (around == least && c / 3 < best)) {
                least = around;
                best = c / 3;
            }
        }
    }
    return best;
}

static uint32_t batch_grow_first_free(batch_grower *g)
{
    while (g->cursor < g->in->triangle_count && g->taken[g->cursor])
        g->cursor++;
    return g->cursor < g->in->triangle_count ? g->cursor : batch_grow_none;
}

/* Another component for a batch that cannot grow; none: no component that was tried fits. */
static uint32_t batch_grow_next_component(batch_grower *g, bool *fits)
{
    const uint64_t before = g->visits;
    const uint32_t beside = batch_grow_seed_beside(g);
    *fits = beside != batch_grow_none && batch_grow_fits_component(g, beside);
    if (*fits || (beside != batch_grow_none && g->vertex_count <= BATCH_GROW_CUT_BELOW))
        return beside;
    uint32_t triangle = batch_grow_first_free(g);
    if (triangle != batch_grow_none && g->vertex_count <= BATCH_GROW_CUT_BELOW) {
        *fits = batch_grow_fits_component(g, triangle);
        return triangle;
    }
    for (int looks = 0; looks < BATCH_GROW_LOOK_COMPONENTS && triangle < g->in->triangle_count; looks++, triangle++) {
        if (g->taken[triangle] || g->visit[batch_grow_corners(g, triangle)[0]] > before)
            continue; /* an earlier fill was here: this component does not fit */
        *fits = batch_grow_fits_component(g, triangle);
        if (*fits)
            return triangle;
        if (g->visits - before > BATCH_GROW_TRY_COMPONENTS)
            break;
    }
    return batch_grow_none;
}

/* --- batches --- */

static void batch_grow_add_component(batch_grower *g, uint32_t triangle, bool fits)
{
    g->full = fits ? TL_BATCH_SLOTS : (uint32_t)g->growth->full;
    batch_grow_take(g, triangle);
    for (int c = 0; c < 3; c++)
        batch_grow_add_vertex(g, batch_grow_corners(g, triangle)[c]);
}

static bool batch_grow_make_lists(tl_arena *arena, batch_grower *g)
{
    const size_t vertices = g->in->vertex_count, triangles = g->in->triangle_count;
    g->head = tl_array_raw(arena, vertices, sizeof *g->head);
    g->live = tl_array_raw(arena, vertices, sizeof *g->live);
    g->next = tl_array_raw(arena, triangles, 3 * sizeof *g->next);
    g->previous = tl_array_raw(arena, triangles, 3 * sizeof *g->previous);
    g->taken = TL_ARRAY(arena, triangles, bool);
    g->in_batch = TL_ARRAY(arena, vertices, uint32_t);
    g->in_border = TL_ARRAY(arena, vertices, uint32_t);
    g->visit = TL_ARRAY(arena, vertices, uint64_t);
    g->gain = tl_array_raw(arena, vertices, sizeof *g->gain);
    g->border = tl_array_raw(arena, vertices, sizeof *g->border);
    g->out->first = tl_array_raw(arena, triangles + 1, sizeof *g->out->first);
    g->out->order = tl_array_raw(arena, triangles, sizeof *g->out->order);
    return g->head && g->live && g->next && g->previous && g->taken && g->in_batch && g->in_border && g->visit &&
           g->gain && g->border && g->out->first && g->out->order;
}

/* Adds the batch that was made to the cost. True if there will be more than `fewest`, and they cost too much whatever
 * the others are like. */
static bool batch_grow_exceeds(const batch_grower *g, uint32_t fewest, tl_batch_budget *budget)
{
    const uint32_t others = (g->unloaded + TL_BATCH_SLOTS - 1) / TL_BATCH_SLOTS;
    const tl_batch_loads loads = g->unloaded_of_bone ? g->loads : (tl_batch_loads){.count = others};
    budget->cost += tl_batch_estimate_one(budget->estimator, g->out, g->out->count - 1);
    return g->out->count + others > fewest && budget->cost + tl_batch_least_estimate(g->unloaded, loads) > budget->most;
}

bool tl_batch_grow(tl_arena *arena, const tl_batch_input *in, const tl_batch_growth *growth, tl_batch_list *out)
{
    return tl_batch_grow_within(arena, in, growth, 0, NULL, out);
}

bool tl_batch_grow_within(tl_arena *arena, const tl_batch_input *in, const tl_batch_growth *growth, uint32_t fewest,
                          tl_batch_budget *budget, tl_batch_list *out)
{
    batch_grower g = {.in = in, .growth = growth, .out = out};
    *out = (tl_batch_list){0};
    if (budget)
        budget->cost = 0;
    if (in->triangle_count == 0) {
        out->first = TL_ARRAY(arena, 1, uint32_t);
        out->order = TL_ARRAY(arena, 1, uint32_t);
        return out->first && out->order;
    }
    if (budget && in->bones)
        g.unloaded_of_bone = TL_ARRAY(arena, budget->estimator->bone_rows, uint32_t);
    if (!batch_grow_make_lists(arena, &g) || (budget && in->bones && !g.unloaded_of_bone))
        return false;
    batch_grow_link_all(&g);
    out->first[0] = 0;
    for (;;) {
        uint32_t start = batch_grow_seed_beside(&g); /* beside the batch before */
        if (start == batch_grow_none)
            start = batch_grow_first_free(&g);
        if (start == batch_grow_none)
            return true;
        g.number++;
        g.vertex_count = g.triangle_count = g.bone_count = g.border_count = g.open = 0;
        bool fits = batch_grow_fits_component(&g, start);
        batch_grow_add_component(&g, start, fits);
        while (g.triangle_count < TL_BATCH_TRIANGLES) {
            const uint32_t vertex = batch_grow_best_vertex(&g);
            const uint32_t piece = vertex == batch_grow_none ? batch_grow_next_component(&g, &fits) : batch_grow_none;
            if (piece != batch_grow_none)
                batch_grow_add_component(&g, piece, fits);
            else if (vertex != batch_grow_none && g.vertex_count < g.full)
                batch_grow_add_vertex(&g, vertex);
            else
                break;
        }
        out->first[out->count + 1] = out->first[out->count] + g.triangle_count;
        out->count++;
        if (budget && batch_grow_exceeds(&g, fewest, budget)) {
            out->count = 0;
            return true;
        }
    }
}
