#include "support/batch_meshes.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

uint32_t batch_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool chance(uint32_t *state, uint32_t of_16)
{
    return batch_random(state) % 16 < of_16;
}

/* --- building --- */

batch_mesh batch_mesh_new(uint32_t vertices, uint32_t room)
{
    batch_mesh m = {.vertex_count = vertices, .room = room};
    m.triangles = malloc((room + 1) * sizeof *m.triangles); /* never 0 bytes */
    CHECK(m.triangles);
    return m;
}

void batch_mesh_free(batch_mesh *m)
{
    free(m->triangles);
    free(m->bones);
    *m = (batch_mesh){0};
}

void batch_mesh_add(batch_mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    CHECK(m->triangle_count < m->room && a < m->vertex_count && b < m->vertex_count && c < m->vertex_count);
    uint32_t *t = m->triangles[m->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

void batch_mesh_add_quad(batch_mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    batch_mesh_add(m, a, b, c);
    batch_mesh_add(m, a, c, d);
}

/* --- shapes --- */

batch_mesh batch_grid(uint32_t width, uint32_t height)
{
    batch_mesh m = batch_mesh_new((width + 1) * (height + 1), 2 * width * height);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = y * (width + 1) + x;
            batch_mesh_add_quad(&m, at, at + 1, at + width + 2, at + width + 1);
        }
    return m;
}

batch_mesh batch_torus(uint32_t around, uint32_t across)
{
    batch_mesh m = batch_mesh_new(around * across, 2 * around * across);
    for (uint32_t y = 0; y < across; y++)
        for (uint32_t x = 0; x < around; x++) {
            const uint32_t right = (x + 1) % around, up = (y + 1) % across;
            batch_mesh_add_quad(&m, y * around + x, y * around + right, up * around + right, up * around + x);
        }
    return m;
}

batch_mesh batch_sphere(uint32_t around, uint32_t rings)
{
    batch_mesh m = batch_mesh_new(around * rings + 2, 2 * around * rings);
    const uint32_t south = around * rings, north = south + 1, last = around * (rings - 1);
    for (uint32_t x = 0; x < around; x++) {
        const uint32_t right = (x + 1) % around;
        batch_mesh_add(&m, south, right, x);
        batch_mesh_add(&m, north, last + x, last + right);
        for (uint32_t y = 0; y + 1 < rings; y++)
            batch_mesh_add_quad(&m, y * around + x, y * around + right, (y + 1) * around + right, (y + 1) * around + x);
    }
    return m;
}

batch_mesh batch_fan(uint32_t count)
{
    batch_mesh m = batch_mesh_new(count + 2, count);
    for (uint32_t i = 0; i < count; i++)
        batch_mesh_add(&m, 0, i + 1, i + 2);
    return m;
}

batch_mesh batch_band(uint32_t count)
{
    batch_mesh m = batch_mesh_new(count + 2, count);
    for (uint32_t i = 0; i < count; i++)
        batch_mesh_add(&m, i + i % 2, i + 1 - i % 2, i + 2);
    return m;
}

batch_mesh batch_lone_triangles(uint32_t count)
{
    batch_mesh m = batch_mesh_new(3 * count, count);
    for (uint32_t i = 0; i < count; i++)
        batch_mesh_add(&m, 3 * i, 3 * i + 1, 3 * i + 2);
    return m;
}

batch_mesh batch_lone_quads(uint32_t count)
{
    batch_mesh m = batch_mesh_new(4 * count, 2 * count);
    for (uint32_t i = 0; i < count; i++)
        batch_mesh_add_quad(&m, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    return m;
}

batch_mesh batch_tangle(uint32_t vertices, uint32_t triangles, uint32_t seed)
{
    batch_mesh m = batch_mesh_new(vertices, triangles);
    for (uint32_t i = 0; i < triangles; i++) {
        const uint32_t a = batch_random(&seed) % vertices, b = batch_random(&seed) % vertices;
        batch_mesh_add(&m, a, b, batch_random(&seed) % vertices);
    }
    return m;
}

/* --- changes --- */

static void swap(uint32_t a[3], uint32_t b[3])
{
    uint32_t t[3];
    memcpy(t, a, sizeof t);
    memcpy(a, b, sizeof t);
    memcpy(b, t, sizeof t);
}

void batch_shuffle(batch_mesh *m, uint32_t seed, uint32_t turned, uint32_t missing)
{
    uint32_t kept = 0;
    for (uint32_t i = m->triangle_count; i > 1; i--)
        swap(m->triangles[i - 1], m->triangles[batch_random(&seed) % i]);
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        const uint32_t first = batch_random(&seed) % 3;
        const bool turn = chance(&seed, turned), miss = chance(&seed, missing);
        const uint32_t *t = m->triangles[i];
        const uint32_t a = t[first], b = t[(first + 1) % 3], c = t[(first + 2) % 3];
        if (miss)
            continue;
        m->triangles[kept][0] = a;
        m->triangles[kept][1] = turn ? c : b;
        m->triangles[kept++][2] = turn ? b : c;
    }
    m->triangle_count = kept;
}

void batch_split(batch_mesh *m, uint32_t seed, uint32_t split)
{
    CHECK(!m->bones);
    for (uint32_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (chance(&seed, split))
                m->triangles[i][k] = m->vertex_count++;
}

void batch_double(batch_mesh *m, uint32_t seed, uint32_t doubled)
{
    const uint32_t count = m->triangle_count;
    m->room = 2 * count;
    m->triangles = realloc(m->triangles, (m->room + 1) * sizeof *m->triangles);
    CHECK(m->triangles);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *t = m->triangles[i], first = batch_random(&seed) % 3;
        if (chance(&seed, doubled))
            batch_mesh_add(m, t[first], t[(first + 1) % 3], t[(first + 2) % 3]);
    }
}

void batch_collapse(batch_mesh *m, uint32_t seed, uint32_t collapsed)
{
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        uint32_t *t = m->triangles[i];
        const uint32_t k = batch_random(&seed) % 3;
        const bool point = chance(&seed, 4);
        if (!chance(&seed, collapsed))
            continue;
        t[k] = t[(k + 1) % 3];
        if (point)
            t[(k + 2) % 3] = t[k];
    }
}

/* --- bones --- */

static void new_bones(batch_mesh *m)
{
    free(m->bones);
    m->bones = malloc((m->vertex_count + 1) * sizeof *m->bones);
    CHECK(m->bones);
    for (uint32_t v = 0; v < m->vertex_count; v++)
        m->bones[v] = TL_BATCH_NO_BONE;
}

void batch_set_bones(batch_mesh *m, uint32_t bones, uint32_t patch, uint32_t seed)
{
    uint32_t bone = 0;
    new_bones(m);
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        if (v % patch == 0)
            bone = batch_random(&seed) % (bones + 1);
        if (bone < bones)
            m->bones[v] = (uint16_t)bone;
    }
}

void batch_grow_bones(batch_mesh *m, uint32_t bones, uint32_t seed)
{
    new_bones(m);
    uint16_t *next = malloc((m->vertex_count + 1) * sizeof *next);
    CHECK(next);
    for (uint32_t i = 0; i < bones && m->vertex_count > 0; i++)
        m->bones[batch_random(&seed) % m->vertex_count] = (uint16_t)i;
    for (bool grown = true; grown;) { /* a ring each time */
        grown = false;
        memcpy(next, m->bones, m->vertex_count * sizeof *next);
        for (uint32_t i = 0; i < 3 * m->triangle_count; i++) {
            const uint32_t *t = m->triangles[i / 3], a = t[i % 3], b = t[(i + 1) % 3];
            const uint32_t from = m->bones[a] == TL_BATCH_NO_BONE ? b : a, to = from == a ? b : a;
            if (m->bones[to] == TL_BATCH_NO_BONE && m->bones[from] != TL_BATCH_NO_BONE) {
                grown = grown || next[to] == TL_BATCH_NO_BONE;
                next[to] = m->bones[from];
            }
        }
        memcpy(m->bones, next, m->vertex_count * sizeof *next);
    }
    free(next);
}

/* --- input and batches --- */

tl_batch_input batch_input(const batch_mesh *m)
{
    return (tl_batch_input){.vertex_count = m->vertex_count,
                            .triangle_count = m->triangle_count,
                            .triangles = (const uint32_t(*)[3])m->triangles,
                            .bones = m->bones};
}

tl_batch_list batch_cut_evenly(tl_arena *arena, const tl_batch_input *in, uint32_t size)
{
    tl_batch_list list = {.count = (in->triangle_count + size - 1) / size,
                          .first = TL_ARRAY(arena, in->triangle_count + 2, uint32_t),
                          .order = TL_ARRAY(arena, in->triangle_count, uint32_t)};
    for (uint32_t g = 0; g <= list.count; g++)
        list.first[g] = g < list.count ? g * size : in->triangle_count;
    for (uint32_t t = 0; t < in->triangle_count; t++)
        list.order[t] = t;
    return list;
}
