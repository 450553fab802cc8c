/* t3dm_floor.c: a bound that no packing of the same triangles comes below.
 *
 * Each vertex of an object is loaded once, 70 by one command, each bone set once. To draw, a triangle that shares an
 * edge costs one strip index, any other nothing (sequences), and each load has one command that draws. */
#include "t3dm_work.h"

#include "formats/t3dm/t3dm.h"

#include <stdlib.h>
#include <string.h>

typedef struct corner {
    uint8_t content[T3DM_VERTEX_SIZE];
    uint16_t bone, padding;
    uint32_t place; /* 3 * triangle + corner */
} corner;

typedef struct edge {
    uint32_t ends[2], triangle;
} edge;

typedef struct soup {
    const t3dm_file *file;
    t3dm_pair_offsets at;
    corner *corners;
    size_t count, room;
    bool failed;
} soup;

static void keep_corner(soup *s, const t3dm_slot *slot)
{
    corner *c = &s->corners[s->count];
    *c = (corner){.bone = (uint16_t)slot->bone, .place = (uint32_t)s->count};
    memcpy(c->content, t3dm_vertex_at(s->file, &s->at, slot->vertex, s->at.position), 6);
    memcpy(c->content + 6, t3dm_vertex_at(s->file, &s->at, slot->vertex, s->at.normal), 2);
    memcpy(c->content + 8, t3dm_vertex_at(s->file, &s->at, slot->vertex, s->at.color), 4);
    memcpy(c->content + 12, t3dm_vertex_at(s->file, &s->at, slot->vertex, s->at.uv), 4);
    s->count++;
}

static void keep_triangles(void *user, const t3dm_batch *batch)
{
    soup *s = user;
    for (uint32_t i = 0; i < batch->count && !s->failed; i++) {
        if (s->count + 3 > s->room) {
            const size_t room = 2 * s->room + 3 * 1024;
            corner *more = realloc(s->corners, room * sizeof *more);
            s->failed = !more;
            if (!more)
                return;
            s->corners = more;
            s->room = room;
        }
        for (int k = 0; k < 3; k++)
            keep_corner(s, &batch->cache[batch->slots[i][k]]);
    }
}

static int by_content(const void *a, const void *b)
{
    const corner *x = a, *y = b;
    const int content = memcmp(x->content, y->content, sizeof x->content);
    return x->bone != y->bone ? (x->bone < y->bone ? -1 : 1) : content;
}

static int by_ends(const void *a, const void *b)
{
    return memcmp(a, b, sizeof((const edge *)a)->ends);
}

typedef struct unique {
    uint32_t vertices, bones;
} unique;

/* Numbers the different vertices; names[place] is the number. */
static unique name_corners(soup *s, uint32_t *names)
{
    unique u = {0};
    qsort(s->corners, s->count, sizeof *s->corners, by_content);
    for (size_t i = 0; i < s->count; i++) {
        const corner *c = &s->corners[i], *before = i > 0 ? c - 1 : NULL;
        const bool fresh = !before || by_content(before, c) != 0, other_bone = !before || before->bone != c->bone;
        u.vertices += fresh;
        u.bones += other_bone && c->bone != T3DM_NO_BONE;
        names[c->place] = u.vertices;
    }
    return u;
}

/* Triangles with a neighbour; those without area are none. */
static uint32_t count_neighbours(const uint32_t *names, uint32_t triangles, edge *edges, bool *has)
{
    uint32_t count = 0, with = 0;
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t *n = names + 3 * t;
        has[t] = false;
        for (int k = 0; k < 3 && n[0] != n[1] && n[1] != n[2] && n[2] != n[0]; k++) {
            const uint32_t a = n[k], b = n[(k + 1) % 3];
            edges[count++] = (edge){{a < b ? a : b, a < b ? b : a}, t};
        }
    }
    qsort(edges, count, sizeof *edges, by_ends);
    for (uint32_t i = 1; i < count; i++)
        if (by_ends(&edges[i - 1], &edges[i]) == 0)
            has[edges[i - 1].triangle] = has[edges[i].triangle] = true;
    for (uint32_t t = 0; t < triangles; t++)
        with += has[t];
    return with;
}

static double floor_of_object(const t3dm_file *file, const t3dm_object *object)
{
    soup s = {.file = file, .at = tl_t3dm_pair_offsets()};
    double bytes = 0;
    tl_t3dm_draw(file, object, &(t3dm_drawer){.user = &s, .triangles = keep_triangles});
    uint32_t *names = malloc(s.count * sizeof *names + 1);
    edge *edges = malloc(s.count * sizeof *edges + 1);
    bool *has = malloc(s.count + 1);
    if (names && edges && has && s.count > 0 && !s.failed) {
        const unique u = name_corners(&s, names);
        const uint32_t loads = (u.vertices + T3DM_CACHE - 1) / T3DM_CACHE;
        bytes = 16.0 * u.vertices + (12.0 + 8.0) * loads + 200.0 * u.bones + (u.bones > 0 ? 136 : 0) +
                2.0 * count_neighbours(names, (uint32_t)s.count / 3, edges, has);
    }
    free(s.corners);
    free(names);
    free(edges);
    free(has);
    return bytes;
}

double t3dm_floor_of(const bench_buffer *file)
{
    const trilo_load_opts opts = {0};
    trilo_error err = {0};
    double bytes = 0;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const t3dm_file *t3dm = tl_t3dm_read(&arena, (trilo_bytes){file->bytes, file->size}, &opts, &err);
    for (uint32_t i = 0; t3dm && i < t3dm->object_count; i++)
        bytes += floor_of_object(t3dm, &t3dm->objects[i]);
    tl_arena_free(&arena);
    return bytes;
}
