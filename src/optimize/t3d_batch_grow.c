/* Triangles into groups that fit the vertex cache.
 *
 * A group grows vertex by vertex: the next one is that which completes many triangles and leaves few open ones behind,
 * so that the group stays round and leaves no crumbs. Every triangle whose corners are all there is taken at once. A
 * corner that two groups share is loaded twice; an empty slot costs nothing. So a group that has nothing left to grow
 * on takes in another piece of the mesh only when that fits whole, or when the group is not even half full.
 *
 * Each vertex has a list of the triangles that are still free. Steps look at a bounded part of a list, which keeps the
 * time near linear for meshes with a vertex that everything hangs on.
 */
#include "optimize/t3d_batch_steps.h"

enum {
    GROUP_CUTS = 34,    /* a group with so few vertices also takes a piece that does not fit whole */
    LOOK_AROUND = 256,  /* triangles around one vertex that a step looks at */
    LOOK_PIECES = 1024, /* triangles that are looked at for one more piece, */
    TRY_PIECES = 8,     /* and pieces that are tried */
};

static const uint32_t nothing = UINT32_MAX;

typedef struct grouping {
    const tl_batch_input *in;
    const tl_growth *growth;
    /* The free triangles of each vertex as a list of corners (3 * triangle + corner). */
    uint32_t *head, *live;          /* of each vertex: the first corner, how many */
    uint32_t *next, *previous;      /* of each corner */
    bool *taken;                    /* of each triangle */
    uint32_t cursor;                /* no free triangle is before it */
    uint32_t *in_group, *in_border; /* of each vertex: the number of the group it was put in last */
    uint64_t *visit, visits;        /* of each vertex: the walk that reached it last */
    uint32_t reached[TL_PACK_SLOTS], reached_count, room;
    uint32_t *gain; /* of each vertex in the border: the triangles it would complete */
    uint32_t *border, border_count;
    /* The group that grows. */
    uint32_t number, full, vertex_count, triangle_count, bone_count;
    uint32_t vertices[TL_PACK_SLOTS];
    uint16_t bones[TL_PACK_SLOTS];
    tl_groups *out;
} grouping;

static const uint32_t *corners(const grouping *g, uint32_t triangle)
{
    return g->in->triangles[triangle];
}

/* --- lists of free triangles --- */

static void link_corner(grouping *g, uint32_t corner, uint32_t vertex)
{
    g->previous[corner] = nothing;
    g->next[corner] = g->head[vertex];
    if (g->head[vertex] != nothing)
        g->previous[g->head[vertex]] = corner;
    g->head[vertex] = corner;
    g->live[vertex]++;
}

static void unlink_corner(grouping *g, uint32_t corner, uint32_t vertex)
{
    const uint32_t next = g->next[corner], previous = g->previous[corner];
    if (next != nothing)
        g->previous[next] = previous;
    if (previous != nothing)
        g->next[previous] = next;
    else
        g->head[vertex] = next;
    g->live[vertex]--;
}

static void link_all(grouping *g)
{
    for (uint32_t v = 0; v < g->in->vertex_count; v++)
        g->head[v] = nothing;
    for (uint32_t t = g->in->triangle_count; t-- > 0;) /* each is put in front, so the lists ascend */
        for (uint32_t c = 0; c < 3; c++)
            if (tl_first_mention(corners(g, t), c))
                link_corner(g, 3 * t + c, corners(g, t)[c]);
}

static void take(grouping *g, uint32_t triangle)
{
    const uint32_t *t = corners(g, triangle);
    for (uint32_t c = 0; c < 3; c++)
        if (tl_first_mention(t, c))
            unlink_corner(g, 3 * triangle + c, t[c]);
    g->taken[triangle] = true;
    g->out->order[g->out->first[g->out->count] + g->triangle_count++] = triangle;
}

/* --- growing --- */

static bool has_vertex(const grouping *g, uint32_t vertex)
{
    return g->in_group[vertex] == g->number;
}

static bool has_bone(const grouping *g, uint16_t bone)
{
    for (uint32_t i = 0; i < g->bone_count; i++)
        if (g->bones[i] == bone)
            return true;
    return false;
}

static void gain_at(grouping *g, uint32_t vertex)
{
    if (g->in_border[vertex] != g->number) {
        g->in_border[vertex] = g->number;
        g->gain[vertex] = 0;
        g->border[g->border_count++] = vertex;
    }
    g->gain[vertex]++;
}

/* Answers how many different corners are not in the group, and one of them. */
static uint32_t missing(const grouping *g, uint32_t triangle, uint32_t *which)
{
    const uint32_t *t = corners(g, triangle);
    uint32_t count = 0;
    for (uint32_t c = 0; c < 3; c++)
        if (!has_vertex(g, t[c]) && tl_first_mention(t, c)) {
            count++;
            *which = t[c];
        }
    return count;
}

static void add_vertex(grouping *g, uint32_t vertex)
{
    if (has_vertex(g, vertex))
        return;
    g->in_group[vertex] = g->number;
    g->vertices[g->vertex_count++] = vertex;
    if (!has_bone(g, tl_batch_bone(g->in, vertex)))
        g->bones[g->bone_count++] = tl_batch_bone(g->in, vertex);
    uint32_t next = nothing, other = nothing, looks = 0;
    for (uint32_t c = g->head[vertex]; c != nothing && looks < LOOK_AROUND; c = next, looks++) {
        next = g->next[c];
        const uint32_t count = missing(g, c / 3, &other);
        if (count == 0 && g->triangle_count < TL_GROUP_TRIANGLES)
            take(g, c / 3);
        else if (count == 1)
            gain_at(g, other);
    }
}

static void add_triangle(grouping *g, uint32_t triangle)
{
    take(g, triangle);
    for (int c = 0; c < 3; c++)
        add_vertex(g, corners(g, triangle)[c]);
}

/* Higher is better. */
static int64_t worth(const grouping *g, uint32_t vertex)
{
    const int64_t gain = g->gain[vertex], open = (int64_t)g->live[vertex] - gain;
    return 2 * gain - open - (has_bone(g, tl_batch_bone(g->in, vertex)) ? 0 : g->growth->bone_cost);
}

/* The oldest of the best in the border, `nothing` when it is empty. */
static uint32_t best_vertex(grouping *g)
{
    uint32_t best = nothing, kept = 0;
    int64_t most = INT64_MIN;
    for (uint32_t i = 0; i < g->border_count; i++) {
        const uint32_t vertex = g->border[i];
        if (has_vertex(g, vertex))
            continue;
        g->border[kept++] = vertex;
        if (worth(g, vertex) > most) {
            most = worth(g, vertex);
            best = vertex;
        }
    }
    g->border_count = kept;
    return best;
}

/* --- where to begin --- */

/* The walk reaches a triangle; false when its corners no longer fit into what is left of the group. */
static bool reach(grouping *g, uint32_t triangle)
{
    for (int c = 0; c < 3; c++) {
        const uint32_t vertex = corners(g, triangle)[c];
        if (g->visit[vertex] == g->visits)
            continue;
        g->visit[vertex] = g->visits;
        if (!has_vertex(g, vertex) && g->room-- == 0)
            return false;
        g->reached[g->reached_count++] = vertex;
    }
    return true;
}

/* Do all free triangles that hang together with this one fit into what is left of the group? */
static bool fits_whole(grouping *g, uint32_t triangle)
{
    uint32_t looks = 3 * (TL_GROUP_TRIANGLES - g->triangle_count); /* each is seen from up to three corners */
    g->visits++;
    g->reached_count = 0;
    g->room = g->vertex_count == 0                      ? TL_PACK_SLOTS
              : g->vertex_count < g->growth->piece_full ? g->growth->piece_full - g->vertex_count
                                                        : 0;
    if (!reach(g, triangle))
        return false;
    for (uint32_t i = 0; i < g->reached_count; i++)
        for (uint32_t c = g->head[g->reached[i]]; c != nothing; c = g->next[c])
            if (looks-- == 0 || !reach(g, c / 3))
                return false;
    return true;
}

/* The free triangle at the border of the group with the fewest free ones around it; `nothing`: there is none. */
static uint32_t crumb(const grouping *g)
{
    uint32_t best = nothing;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        uint32_t looks = 0;
        for (uint32_t c = g->head[g->vertices[i]]; c != nothing && looks < LOOK_AROUND; c = g->next[c], looks++) {
            const uint32_t *t = corners(g, c / 3);
            const uint64_t around = (uint64_t)g->live[t[0]] + g->live[t[1]] + g->live[t[2]];
            if (around < least || (around == least && c / 3 < best)) {
                least = around;
                best = c / 3;
            }
        }
    }
    return best;
}

static uint32_t first_free(grouping *g)
{
    while (g->cursor < g->in->triangle_count && g->taken[g->cursor])
        g->cursor++;
    return g->cursor < g->in->triangle_count ? g->cursor : nothing;
}

/* Another piece for a group that has grown all it can, `nothing`: none of those tried fits. */
static uint32_t another_piece(grouping *g)
{
    const uint64_t before = g->visits;
    const uint32_t beside = crumb(g);
    if (beside != nothing && (g->vertex_count <= GROUP_CUTS || fits_whole(g, beside)))
        return beside;
    uint32_t triangle = first_free(g);
    if (triangle != nothing && g->vertex_count <= GROUP_CUTS)
        return triangle;
    for (int looks = 0; looks < LOOK_PIECES && triangle < g->in->triangle_count; looks++, triangle++) {
        if (g->taken[triangle] || g->visit[corners(g, triangle)[0]] > before)
            continue; /* what an earlier walk met belongs to a piece that does not fit */
        if (fits_whole(g, triangle))
            return triangle;
        if (g->visits - before > TRY_PIECES)
            break;
    }
    return nothing;
}

/* --- groups --- */

static void add_piece(grouping *g, uint32_t triangle)
{
    g->full = fits_whole(g, triangle) ? TL_PACK_SLOTS : (uint32_t)g->growth->full;
    add_triangle(g, triangle);
}

static void make_group(grouping *g, uint32_t start)
{
    g->number++;
    g->vertex_count = g->triangle_count = g->bone_count = g->border_count = 0;
    add_piece(g, start);
    while (g->triangle_count < TL_GROUP_TRIANGLES) {
        const uint32_t vertex = best_vertex(g);
        const uint32_t piece = vertex == nothing ? another_piece(g) : nothing;
        if (piece != nothing)
            add_piece(g, piece);
        else if (vertex != nothing && g->vertex_count < g->full)
            add_vertex(g, vertex);
        else
            break;
    }
}

static bool make_lists(tl_arena *arena, grouping *g)
{
    const size_t vertices = g->in->vertex_count, triangles = g->in->triangle_count;
    g->head = tl_array_raw(arena, vertices, sizeof *g->head);
    g->live = TL_ARRAY(arena, vertices, uint32_t);
    g->next = tl_array_raw(arena, triangles, 3 * sizeof *g->next);
    g->previous = tl_array_raw(arena, triangles, 3 * sizeof *g->previous);
    g->taken = TL_ARRAY(arena, triangles, bool);
    g->in_group = TL_ARRAY(arena, vertices, uint32_t);
    g->in_border = TL_ARRAY(arena, vertices, uint32_t);
    g->visit = TL_ARRAY(arena, vertices, uint64_t);
    g->gain = tl_array_raw(arena, vertices, sizeof *g->gain);
    g->border = tl_array_raw(arena, vertices, sizeof *g->border);
    g->out->first = tl_array_raw(arena, triangles + 1, sizeof *g->out->first);
    g->out->order = tl_array_raw(arena, triangles, sizeof *g->out->order);
    return g->head && g->live && g->next && g->previous && g->taken && g->in_group && g->in_border && g->visit &&
           g->gain && g->border && g->out->first && g->out->order;
}

bool tl_batch_grow_groups(tl_arena *arena, const tl_batch_input *in, const tl_growth *growth, tl_groups *out)
{
    grouping g = {.in = in, .growth = growth, .out = out};
    *out = (tl_groups){0};
    if (!make_lists(arena, &g))
        return false;
    link_all(&g);
    out->first[0] = 0;
    for (;;) {
        uint32_t start = crumb(&g); /* beside the group before */
        if (start == nothing)
            start = first_free(&g);
        if (start == nothing)
            return true;
        make_group(&g, start);
        out->first[out->count + 1] = out->first[out->count] + g.triangle_count;
        out->count++;
    }
}
