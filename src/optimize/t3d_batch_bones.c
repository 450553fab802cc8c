/* Groups for a skinned mesh with residency: bone by bone.
 *
 * Each load of a bone's vertices costs a matrix, so a bone should be loaded once. A chain starts at some bone, and
 * always goes on with the bone whose waiting vertices complete the most triangles together with what is loaded; a
 * vertex waits until all its triangles are drawn. What a load completes is a group. A bone that does not fit beside the
 * vertices that wait is loaded in pieces, those vertices first that complete the most.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    ROOM = 64,          /* vertices that wait or are drawn with at a time; some slots are lost between blocks */
    WORK_MOST = 1 << 23 /* triangles to look at: a larger mesh is given up */
};

static const uint32_t nothing = UINT32_MAX;

typedef struct chain {
    const tl_batch_input *in;
    uint32_t bone_count;
    uint32_t *bone_of;                    /* of each vertex, numbered */
    uint32_t *first_vertex, *vertices;    /* of each bone */
    uint32_t *first_triangle, *triangles; /* around each vertex */
    uint32_t *open;                       /* of each vertex: triangles that are not drawn yet */
    bool *loaded, *drawn;                 /* of each vertex, of each triangle */
    uint32_t waiting;                     /* vertices that are loaded and have open triangles */
    uint32_t first_open;                  /* no triangle before it is open */
    tl_groups *out;
} chain;

/* --- lists --- */

static void list_triangles(chain *c)
{
    const tl_batch_input *in = c->in;
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            if (tl_first_mention(in->triangles[t], k))
                c->open[in->triangles[t][k]]++;
    for (uint32_t v = 0; v < in->vertex_count; v++)
        c->first_triangle[v + 1] = c->first_triangle[v] + c->open[v];
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            if (tl_first_mention(in->triangles[t], k)) {
                const uint32_t v = in->triangles[t][k];
                c->triangles[c->first_triangle[v + 1] - c->open[v]--] = t;
            }
    for (uint32_t v = 0; v < in->vertex_count; v++)
        c->open[v] = c->first_triangle[v + 1] - c->first_triangle[v];
}

static bool list_bones(tl_arena *arena, chain *c)
{
    uint32_t *numbers = TL_ARRAY(arena, TL_PACK_NO_BONE + 1, uint32_t);
    if (!numbers)
        return false;
    for (uint32_t v = 0; v < c->in->vertex_count; v++) {
        uint32_t *number = &numbers[c->in->bones[v]];
        *number = *number > 0 ? *number : ++c->bone_count;
        c->bone_of[v] = *number - 1;
        c->first_vertex[c->bone_of[v] + 1]++;
    }
    for (uint32_t b = 0; b < c->bone_count; b++)
        c->first_vertex[b + 1] += c->first_vertex[b];
    uint32_t *filled = TL_ARRAY(arena, c->bone_count, uint32_t);
    for (uint32_t v = 0; filled && v < c->in->vertex_count; v++)
        c->vertices[c->first_vertex[c->bone_of[v]] + filled[c->bone_of[v]]++] = v;
    return filled != NULL;
}

static bool make_lists(tl_arena *arena, chain *c)
{
    const size_t vertices = c->in->vertex_count, triangles = c->in->triangle_count;
    c->bone_of = tl_array_raw(arena, vertices, sizeof *c->bone_of);
    c->first_vertex = TL_ARRAY(arena, vertices + 1, uint32_t);
    c->vertices = tl_array_raw(arena, vertices, sizeof *c->vertices);
    c->first_triangle = TL_ARRAY(arena, vertices + 1, uint32_t);
    c->triangles = tl_array_raw(arena, triangles, 3 * sizeof *c->triangles);
    c->open = TL_ARRAY(arena, vertices, uint32_t);
    c->loaded = TL_ARRAY(arena, vertices, bool);
    c->drawn = TL_ARRAY(arena, triangles, bool);
    c->out->first = tl_array_raw(arena, triangles + 2, sizeof *c->out->first);
    c->out->order = tl_array_raw(arena, triangles, sizeof *c->out->order);
    if (!c->bone_of || !c->first_vertex || !c->vertices || !c->first_triangle || !c->triangles || !c->open ||
        !c->loaded || !c->drawn || !c->out->first || !c->out->order)
        return false;
    list_triangles(c);
    return list_bones(arena, c);
}

/* --- loading and drawing --- */

static bool waits(const chain *c, uint32_t vertex)
{
    return c->loaded[vertex] && c->open[vertex] > 0;
}

/* Would the triangle be complete if everything of this bone were loaded, or this vertex? */
static bool completes(const chain *c, uint32_t triangle, uint32_t bone, uint32_t vertex)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t v = c->in->triangles[triangle][k];
        if (!c->loaded[v] && c->bone_of[v] != bone && v != vertex)
            return false;
    }
    return true;
}

static void draw(chain *c, uint32_t triangle)
{
    const uint32_t *t = c->in->triangles[triangle];
    c->drawn[triangle] = true;
    c->out->order[c->out->first[c->out->count + 1]++] = triangle;
    for (uint32_t k = 0; k < 3; k++)
        if (tl_first_mention(t, k) && --c->open[t[k]] == 0) {
            c->waiting--;
            c->loaded[t[k]] = false; /* done with */
        }
}

static uint32_t group_size(const chain *c)
{
    return c->out->first[c->out->count + 1] - c->out->first[c->out->count];
}

/* Closes the group when it has anything. */
static void end_group(chain *c)
{
    if (group_size(c) == 0)
        return;
    c->out->count++;
    c->out->first[c->out->count + 1] = c->out->first[c->out->count];
}

static void load(chain *c, uint32_t vertex)
{
    c->loaded[vertex] = true;
    c->waiting++;
}

/* All that is complete around the vertices of a bone. */
static void draw_complete(chain *c, uint32_t bone)
{
    for (uint32_t i = c->first_vertex[bone]; i < c->first_vertex[bone + 1]; i++) {
        const uint32_t v = c->vertices[i];
        for (uint32_t k = c->first_triangle[v]; k < c->first_triangle[v + 1] && waits(c, v); k++) {
            const uint32_t t = c->triangles[k];
            if (c->drawn[t] || !completes(c, t, nothing, nothing))
                continue;
            if (group_size(c) == TL_GROUP_TRIANGLES)
                end_group(c);
            draw(c, t);
        }
    }
}

/* --- what to load next --- */

typedef struct choice {
    uint32_t bone, wanted; /* vertices to load */
    uint32_t joined;       /* triangles that would be complete and use a vertex that waits */
    int64_t worth;         /* triangles that would be complete, less those that would be left open */
} choice;

static bool joins(const chain *c, uint32_t triangle)
{
    const uint32_t *t = c->in->triangles[triangle];
    return c->loaded[t[0]] || c->loaded[t[1]] || c->loaded[t[2]];
}

static choice look_at(const chain *c, uint32_t bone)
{
    choice out = {.bone = bone};
    for (uint32_t i = c->first_vertex[bone]; i < c->first_vertex[bone + 1]; i++) {
        const uint32_t v = c->vertices[i];
        if (c->loaded[v] || c->open[v] == 0)
            continue;
        out.wanted++;
        for (uint32_t k = c->first_triangle[v]; k < c->first_triangle[v + 1]; k++) {
            const uint32_t t = c->triangles[k];
            const bool complete = !c->drawn[t] && completes(c, t, bone, nothing);
            out.worth += c->drawn[t] ? 0 : complete ? 1 : -1;
            out.joined += complete && joins(c, t) ? 1 : 0;
        }
    }
    return out;
}

/* What fits, what goes on from where the chain is, then what leaves the least open. */
static bool is_better(const chain *c, const choice *a, const choice *b)
{
    const bool a_fits = c->waiting + a->wanted <= ROOM, b_fits = c->waiting + b->wanted <= ROOM;
    if ((a->joined > 0) != (b->joined > 0))
        return a->joined > 0;
    if (a_fits != b_fits)
        return a_fits;
    return a->worth != b->worth ? a->worth > b->worth : a->wanted < b->wanted;
}

static choice next_bone(const chain *c)
{
    choice best = {.bone = nothing};
    for (uint32_t bone = 0; bone < c->bone_count; bone++) {
        const choice one = look_at(c, bone);
        if (one.wanted > 0 && (best.bone == nothing || is_better(c, &one, &best)))
            best = one;
    }
    return best;
}

/* The vertex of the bone that completes the most, or leaves the fewest open. */
static uint32_t next_vertex(const chain *c, uint32_t bone)
{
    uint32_t best = nothing;
    int64_t most = INT64_MIN;
    for (uint32_t i = c->first_vertex[bone]; i < c->first_vertex[bone + 1]; i++) {
        const uint32_t v = c->vertices[i];
        int64_t worth = -(int64_t)c->open[v];
        if (c->loaded[v] || c->open[v] == 0)
            continue;
        for (uint32_t k = c->first_triangle[v]; k < c->first_triangle[v + 1]; k++)
            worth += !c->drawn[c->triangles[k]] && completes(c, c->triangles[k], nothing, v) ? 3 : 0;
        if (worth > most) {
            most = worth;
            best = v;
        }
    }
    return best;
}

static void load_piece(chain *c, uint32_t bone)
{
    while (c->waiting < ROOM) {
        const uint32_t v = next_vertex(c, bone);
        if (v == nothing)
            return;
        load(c, v);
    }
}

static void load_whole(chain *c, uint32_t bone)
{
    for (uint32_t i = c->first_vertex[bone]; i < c->first_vertex[bone + 1]; i++)
        if (!c->loaded[c->vertices[i]] && c->open[c->vertices[i]] > 0)
            load(c, c->vertices[i]);
}

/* Everything waits and nothing fits any more: begin again from here, with a triangle that is open. */
static void give_up(chain *c)
{
    memset(c->loaded, 0, c->in->vertex_count * sizeof *c->loaded);
    c->waiting = 0;
    while (c->drawn[c->first_open])
        c->first_open++;
    const uint32_t *t = c->in->triangles[c->first_open];
    end_group(c);
    for (uint32_t k = 0; k < 3; k++)
        if (tl_first_mention(t, k))
            load(c, t[k]);
    for (uint32_t k = 0; k < 3; k++)
        draw_complete(c, c->bone_of[t[k]]);
}

bool tl_batch_bones(tl_arena *arena, const tl_batch_input *in, tl_groups *out)
{
    chain c = {.in = in, .out = out};
    *out = (tl_groups){0};
    if (!make_lists(arena, &c))
        return false;
    out->first[0] = out->first[1] = 0;
    for (uint64_t work = 0;; work += in->triangle_count) {
        const choice next = next_bone(&c);
        if (next.bone == nothing)
            return true;
        if (work > WORK_MOST) {
            out->count = 0;
            return true;
        }
        const uint32_t before = out->first[out->count + 1];
        if (c.waiting + next.wanted <= ROOM)
            load_whole(&c, next.bone);
        else
            load_piece(&c, next.bone);
        draw_complete(&c, next.bone);
        if (out->first[out->count + 1] == before && c.waiting >= ROOM)
            give_up(&c);
        end_group(&c);
    }
}
