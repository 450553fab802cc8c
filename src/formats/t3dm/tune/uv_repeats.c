/* Texture coordinates that differ by whole repeats of a texture.
 *
 * Often every face of a level shows its whole texture, so that the vertices between two faces differ: 1 on one side, 0
 * on the other. With a texture that repeats, both show the same texel, and one of the faces can be moved by a repeat.
 * Then they share the vertices, which are loaded once, and a strip can pass from one to the other.
 *
 * Islands, which are triangles connected by vertices, can only move as a whole. Two islands are linked by each distance
 * at which they share vertices, the weight of a link is how many. The links of a maximum spanning forest (Kruskal,
 * "On the shortest spanning subtree of a graph", 1956) decide how far islands move. */
#include "base/array.h"
#include "base/sort.h"
#include "formats/t3dm/encode/encode.h"

#include <stddef.h>
#include <string.h>

/* Coordinates that move stay within 512 texels, half of the range of the console: a triangle that is cut off by the
 * edge of the screen has texels beyond those of its corners. */
enum { REPEAT_RANGE = 32768 };

/* An equal vertex is linked with at most so many before it. */
enum { REPEAT_NEIGHBOURS = 4 };

/* An island, in the row of one of its vertices; the rows of the others lead there (union-find). */
typedef struct repeat_island {
    uint32_t parent; /* this row: it is the root */
    bool joined;     /* by a link */
    int32_t by[2];   /* how far it moves with respect to the parent */
    int32_t low[2], high[2];
} repeat_island;

/* Moved by this, triangles at root b share `weight` vertices with those at root a. */
typedef struct repeat_link {
    uint32_t a, b;
    int32_t by[2];
    uint32_t weight;
} repeat_link;

typedef struct repeat_islands {
    tl_arena *scratch;
    t3dm_indexed_mesh *mesh;
    int32_t period[2]; /* 0: coordinates of this axis do not move */
    repeat_island *islands;
    bool *used;                /* vertices of triangles */
    t3dm_indexed_mesh reduced; /* vertices with coordinates between 0 and the period */
    tl_hash_table equal;       /* of these */
    tl_hash_table known;       /* links */
    repeat_link *links;
    size_t link_room;
    uint32_t link_count;
    uint32_t merged; /* vertices, with others */
} repeat_islands;

static int32_t axis_period(uint32_t size, const t3dm_axis *axis)
{
    int bits = axis->shift + (axis->mirror ? 1 : 0);
    for (uint32_t rest = size; rest > 1; rest >>= 1)
        bits++;
    const int32_t period = bits < 0 ? T3DM_UV_TEXEL : bits < 15 ? T3DM_UV_TEXEL << bits : REPEAT_RANGE;
    return axis->clamp || size == 0 || (size & (size - 1)) != 0 || period >= REPEAT_RANGE ? 0 : period;
}

void tl_t3dm_uv_periods(const t3dm_material *material, int32_t period[2])
{
    bool any = false;
    period[0] = period[1] = REPEAT_RANGE;
    for (int i = 0; i < 2; i++) {
        const t3dm_texture *t = &material->textures[i];
        const int32_t own[2] = {axis_period(t->width, &t->s), axis_period(t->height, &t->t)};
        const bool supplied = t->reference != 0; /* its size is up to the game */
        if (t->path == 0 && !supplied)
            continue;
        any = true;
        for (int k = 0; k < 2; k++) { /* both are powers of two: the larger one is a multiple of the other */
            const bool less = period[k] == REPEAT_RANGE || period[k] < own[k];
            period[k] = supplied || own[k] == 0 || period[k] == 0 ? 0 : less ? own[k] : period[k];
        }
    }
    if (!any || !tl_t3dm_use_is_certain(material))
        period[0] = period[1] = 0;
}

/* --- islands --- */

/* The root of a row, and how far the row moves with respect to it. */
static uint32_t island_root_of(repeat_island *islands, uint32_t row, int32_t by[2])
{
    by[0] = by[1] = 0;
    while (islands[row].parent != row) {
        repeat_island *i = &islands[row];
        const repeat_island *parent = &islands[i->parent];
        for (int k = 0; k < 2; k++) {
            i->by[k] += parent->by[k]; /* 0 for a root */
            by[k] += i->by[k];
        }
        row = i->parent = parent->parent;
    }
    return row;
}

/* Moves root b with respect to root a; false: the coordinates would leave the range. */
static bool island_join(repeat_islands *r, uint32_t a, uint32_t b, const int32_t by[2], bool within_range)
{
    repeat_island *to = &r->islands[a], *from = &r->islands[b];
    int32_t low[2], high[2];
    for (int k = 0; k < 2; k++) {
        low[k] = to->low[k] < from->low[k] + by[k] ? to->low[k] : from->low[k] + by[k];
        high[k] = to->high[k] > from->high[k] + by[k] ? to->high[k] : from->high[k] + by[k];
        if (within_range && r->period[k] > 0 && high[k] - low[k] + r->period[k] > REPEAT_RANGE)
            return false;
    }
    memcpy(to->low, low, sizeof low);
    memcpy(to->high, high, sizeof high);
    memcpy(from->by, by, sizeof from->by);
    from->parent = a;
    return true;
}

/* Connects the vertices of each triangle. */
static void find_islands(repeat_islands *r)
{
    const t3dm_indexed_mesh *m = r->mesh;
    static const int32_t still[2] = {0, 0};
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        r->islands[i].parent = i;
        for (int k = 0; k < 2; k++)
            r->islands[i].low[k] = r->islands[i].high[k] = m->vertices[i].uv[k];
    }
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            int32_t by[2];
            const uint32_t a = island_root_of(r->islands, m->triangles[t][0], by),
                           b = island_root_of(r->islands, m->triangles[t][c], by);
            r->used[m->triangles[t][c]] = true;
            if (a != b)
                island_join(r, a, b, still, false);
        }
}

/* --- links --- */

static int compare_links(const void *rows, uint32_t a, uint32_t b)
{
    const repeat_link *links = ((const repeat_islands *)rows)->links;
    return memcmp(&links[a], &links[b], offsetof(repeat_link, weight));
}

/* Vertices `a` and `b` are equal but for whole repeats. */
static bool add_link(repeat_islands *r, uint32_t a, uint32_t b)
{
    int32_t by[2]; /* 0: no island has moved yet */
    const uint32_t root_a = island_root_of(r->islands, a, by), root_b = island_root_of(r->islands, b, by);
    if (root_a == root_b)
        return true;
    repeat_link *links = tl_array_grow(r->scratch, r->links, r->link_count, &r->link_room, 1, sizeof *links);
    if (!links)
        return false;
    const bool swapped = root_a > root_b;
    repeat_link *link = &links[r->link_count];
    *link = (repeat_link){.a = swapped ? root_b : root_a, .b = swapped ? root_a : root_b};
    for (int k = 0; k < 2; k++) {
        const int32_t moved = r->mesh->vertices[a].uv[k] - r->mesh->vertices[b].uv[k];
        link->by[k] = swapped ? -moved : moved;
    }
    r->links = links;
    const uint32_t row =
        tl_hash_table_add(&r->known, tl_hash_words(link, offsetof(repeat_link, weight)), r->link_count);
    if (row == TRILO_NONE)
        return false;
    r->link_count += row == r->link_count ? 1 : 0;
    links[row].weight++;
    return true;
}

/* `before`: of each vertex, the one before it that is equal but for whole repeats; `last` of each first one, the last.
 */
static bool find_links(repeat_islands *r, uint32_t *before, uint32_t *last)
{
    const t3dm_indexed_mesh *m = r->mesh;
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        t3dm_vertex *v = &r->reduced.vertices[i];
        *v = m->vertices[i];
        for (int k = 0; k < 2; k++) /* a power of two: the remainder is never negative */
            v->uv[k] = (int16_t)(r->period[k] > 0 ? v->uv[k] & (r->period[k] - 1) : v->uv[k]);
        if (!r->used[i])
            continue;
        const uint32_t first = tl_hash_table_add(&r->equal, tl_t3dm_hash_vertex(v, m->bones[i]), i);
        if (first == TRILO_NONE)
            return false;
        before[i] = first == i ? TRILO_NONE : last[first];
        last[first] = i;
        uint32_t other = before[i];
        for (int n = 0; n < REPEAT_NEIGHBOURS && other != TRILO_NONE; n++, other = before[other])
            if (!add_link(r, other, i))
                return false;
    }
    return true;
}

/* --- moving --- */

static int64_t by_weight(const void *rows, uint32_t row)
{
    return -(int64_t)((const repeat_link *)rows)[row].weight;
}

static void join_islands(repeat_islands *r, uint32_t *order)
{
    tl_sort_rows(order, r->link_count, by_weight, r->links);
    for (uint32_t i = 0; i < r->link_count; i++) {
        const repeat_link *link = &r->links[order[i]];
        int32_t a_by[2], b_by[2];
        const uint32_t a = island_root_of(r->islands, link->a, a_by), b = island_root_of(r->islands, link->b, b_by);
        const int32_t by[2] = {a_by[0] + link->by[0] - b_by[0], a_by[1] + link->by[1] - b_by[1]};
        if (a != b && island_join(r, a, b, by, true))
            r->islands[a].joined = true;
    }
}

/* Moves what was joined as close to 0 as whole repeats bring it. */
static void move_vertices(repeat_islands *r)
{
    for (uint32_t i = 0; i < r->mesh->vertex_count; i++) {
        int32_t by[2];
        const repeat_island *root = &r->islands[island_root_of(r->islands, i, by)];
        for (int k = 0; k < 2 && r->used[i] && root->joined; k++)
            if (r->period[k] > 0) {
                const int32_t middle = (root->low[k] + root->high[k]) / 2 + r->period[k] / 2;
                const int32_t to_zero = middle & ~(r->period[k] - 1);
                r->mesh->vertices[i].uv[k] = (int16_t)(r->mesh->vertices[i].uv[k] + by[k] - to_zero);
            }
    }
}

/* Of equal vertices, triangles use the first. `same`: a number for each vertex. */
static bool share_vertices(repeat_islands *r, uint32_t *same)
{
    t3dm_indexed_mesh *m = r->mesh;
    tl_hash_table table;
    if (!tl_hash_table_init(&table, r->scratch, m->vertex_count, tl_t3dm_compare_vertices, m))
        return false;
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        const uint32_t hash = tl_t3dm_hash_vertex(&m->vertices[i], m->bones[i]);
        same[i] = r->used[i] ? tl_hash_table_add(&table, hash, i) : i;
        if (same[i] == TRILO_NONE)
            return false;
        r->merged += same[i] == i ? 0 : 1;
    }
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            m->triangles[t][c] = same[m->triangles[t][c]];
    return true;
}

static bool merge_repeats(repeat_islands *r)
{
    const uint32_t count = r->mesh->vertex_count;
    r->islands = TL_ARRAY(r->scratch, count, repeat_island);
    r->used = TL_ARRAY(r->scratch, count, bool);
    r->reduced.vertices = tl_array_raw(r->scratch, count, sizeof *r->reduced.vertices);
    r->reduced.bones = r->mesh->bones;
    uint32_t *numbers = tl_array_raw(r->scratch, 2 * (size_t)count, sizeof *numbers);
    if (!r->islands || !r->used || !r->reduced.vertices || !numbers ||
        !tl_hash_table_init(&r->equal, r->scratch, count, tl_t3dm_compare_vertices, &r->reduced) ||
        !tl_hash_table_init(&r->known, r->scratch, 0, compare_links, r))
        return false;
    find_islands(r);
    if (!find_links(r, numbers, numbers + count))
        return false;
    if (r->link_count == 0)
        return true;
    uint32_t *order = tl_array_raw(r->scratch, r->link_count, sizeof *order);
    if (!order)
        return false;
    join_islands(r, order);
    move_vertices(r);
    return share_vertices(r, numbers);
}

bool tl_t3dm_merge_repeats(tl_arena *arena, const t3dm_material *material, t3dm_indexed_mesh *mesh, uint32_t *merged)
{
    tl_arena scratch;
    repeat_islands r = {.scratch = &scratch, .mesh = mesh};
    if (merged)
        *merged = 0;
    tl_t3dm_uv_periods(material, r.period);
    if (r.period[0] == 0 && r.period[1] == 0)
        return true;
    tl_arena_init_scratch(&scratch, arena);
    const bool ok = merge_repeats(&r);
    tl_arena_free(&scratch);
    if (merged)
        *merged = r.merged;
    return ok;
}
