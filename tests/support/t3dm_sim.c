#include "support/t3dm_sim.h"

#include "base/bytes.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* --- an object as the simulator wants it: vertices are the rows of V --- */

typedef struct packed {
    tl_batch_input in;
    tl_batch_output out;
    uint16_t *bones;
} packed;

static void *room_for(size_t count, size_t size)
{
    void *room = calloc(count + 1, size);
    CHECK(room);
    return room;
}

static packed new_packed(const t3dm_file *file, const t3dm_object *object, int flags)
{
    const uint32_t rows = (uint32_t)(file->vertices.size / T3DM_VERTEX_SIZE), parts = object->head.part_count;
    packed p = {.bones = room_for(rows, sizeof *p.bones)};
    p.in = (tl_batch_input){.vertex_count = rows,
                            .triangle_count = object->head.triangle_count,
                            .bones = p.bones,
                            .strips = true,
                            .sequences = file->version >= T3DM_V4,
                            .resident = (flags & T3DM_SIM_RESIDENT) != 0};
    p.out = (tl_batch_output){.vertex_count = rows,
                              .index_count = (uint32_t)file->indices.size,
                              .parts = room_for(parts, sizeof *p.out.parts),
                              .vertices = room_for(rows, sizeof *p.out.vertices),
                              .indices = room_for(file->indices.size, 1),
                              .strips = room_for(parts * T3DM_STRIPS * 255u, sizeof *p.out.strips)};
    for (uint32_t i = 0; i < rows; i++)
        p.out.vertices[i] = i;
    memcpy(p.out.indices, file->indices.data, file->indices.size);
    return p;
}

static void free_packed(packed *p)
{
    free(p->bones);
    free(p->out.parts);
    free(p->out.vertices);
    free(p->out.indices);
    free(p->out.strips);
}

static void add_part(const t3dm_file *file, const t3dm_part *part, packed *p)
{
    t3dm_strip strips[T3DM_STRIPS];
    const uint32_t count = tl_t3dm_strips(file, part, strips);
    tl_batch_part *to = &p->out.parts[p->out.part_count++];
    *to = (tl_batch_part){.first_vertex = part->vertex_at / T3DM_VERTEX_SIZE,
                          .vertex_count = part->vertex_count,
                          .dest = part->vertex_dest,
                          .bone = part->bone,
                          .first_index = part->index_at,
                          .index_count = part->index_count,
                          .sequence_base = part->sequence_base,
                          .sequence_count = part->sequence_count};
    for (uint32_t s = 0; s < count; s++) {
        to->first_strip[s] = p->out.strip_size;
        to->strip_counts[s] = (uint8_t)strips[s].count;
        for (uint32_t k = 0; k < strips[s].count; k++)
            p->out.strips[p->out.strip_size++] = tl_get_u16(strips[s].bytes + 2 * (size_t)k, TL_BIG);
    }
    CHECK(count == T3DM_STRIPS || part->strip_counts[count] == 0);
    for (uint32_t i = 0; i < part->vertex_count && to->first_vertex + i < p->in.vertex_count; i++)
        p->bones[to->first_vertex + i] = part->bone;
}

/* --- triangles --- */

static t3dm_sim_corner corner_of(const t3dm_file *file, const packed *p, uint32_t row, int flags)
{
    const t3dm_pair_offsets at = tl_t3dm_pair_offsets();
    t3dm_sim_corner c = {{0}, {0}, {0}, {0}, {0}};
    memcpy(c.position, t3dm_vertex_at(file, &at, row, at.position), sizeof c.position);
    tl_put_u16(c.bone, TL_BIG, p->bones[row]);
    if (flags & T3DM_SIM_POSITIONS)
        return c;
    memcpy(c.normal, t3dm_vertex_at(file, &at, row, at.normal), sizeof c.normal);
    memcpy(c.color, t3dm_vertex_at(file, &at, row, at.color), sizeof c.color);
    memcpy(c.uv, t3dm_vertex_at(file, &at, row, at.uv), sizeof c.uv);
    return c;
}

static bool same_place(const t3dm_sim_corner *a, const t3dm_sim_corner *b)
{
    return memcmp(a->position, b->position, sizeof a->position) == 0 && memcmp(a->bone, b->bone, sizeof a->bone) == 0;
}

static void add_triangle(const t3dm_file *file, const packed *p, const uint32_t rows[3], int flags, t3dm_sim *sim)
{
    t3dm_sim_corner c[3];
    int first = 0;
    for (int k = 0; k < 3; k++)
        c[k] = corner_of(file, p, rows[k], flags);
    if (same_place(&c[0], &c[1]) || same_place(&c[1], &c[2]) || same_place(&c[2], &c[0]))
        return;
    /* Two corners at the same place were left out above, so one is the smallest. */
    for (int k = 1; k < 3; k++)
        if (memcmp(&c[k], &c[first], sizeof c[k]) < 0)
            first = k;
    t3dm_sim_triangle *to = &sim->triangles[sim->count++];
    for (int k = 0; k < 3; k++)
        to->corners[k] = c[(first + k) % 3];
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(t3dm_sim_triangle));
}

/* --- files --- */

static void add_work(cache_sim_work *sum, const cache_sim_work *w)
{
    sum->loads += w->loads, sum->vertices += w->vertices, sum->idle += w->idle, sum->list += w->list;
    sum->sequences += w->sequences, sum->in_sequence += w->in_sequence, sum->strips += w->strips;
    sum->strip_indices += w->strip_indices, sum->syncs += w->syncs, sum->pushes += w->pushes, sum->pops += w->pops;
    sum->strip_bytes += w->strip_bytes, sum->commands += w->commands, sum->draw_bytes += w->draw_bytes;
    sum->rsp_bytes += w->rsp_bytes;
}

static void run_object(const char *what, const t3dm_file *file, uint32_t index, int flags, t3dm_sim *sim)
{
    const t3dm_object *object = &file->objects[index];
    packed p = new_packed(file, object, flags);
    cache_sim_result r;
    const uint32_t before = sim->count;
    for (uint32_t i = 0; i < object->head.part_count; i++)
        add_part(file, &object->parts[i], &p);
    cache_sim_run(&p.in, &p.out, &r);
    if (r.broken[0])
        FAIL("%s: object %u, part %u: %s", what, index, r.part, r.broken);
    CHECK_INT(r.triangle_count, object->head.triangle_count);
    for (uint32_t i = 0; i < r.triangle_count; i++)
        add_triangle(file, &p, r.triangles[i], flags, sim);
    if (sim->count > before)
        qsort(sim->triangles + before, sim->count - before, sizeof *sim->triangles, compare);
    sim->ends[index] = sim->count;
    add_work(&sim->work, &r.work);
    cache_sim_free(&r);
    free_packed(&p);
}

void t3dm_sim_run(const char *what, const t3dm_file *file, int flags, t3dm_sim *sim)
{
    size_t triangles = 0;
    CHECK(file->version >= T3DM_V3);
    for (uint32_t i = 0; i < file->object_count; i++)
        triangles += file->objects[i].head.triangle_count;
    *sim = (t3dm_sim){.object_count = file->object_count};
    sim->ends = room_for(file->object_count, sizeof *sim->ends);
    sim->triangles = room_for(triangles, sizeof *sim->triangles);
    for (uint32_t i = 0; i < file->object_count; i++)
        run_object(what, file, i, flags, sim);
}

void t3dm_sim_free(t3dm_sim *sim)
{
    free(sim->ends);
    free(sim->triangles);
    *sim = (t3dm_sim){.count = 0};
}

bool t3dm_sim_same(const t3dm_sim *a, const t3dm_sim *b)
{
    return a->object_count == b->object_count && a->count == b->count &&
           memcmp(a->ends, b->ends, a->object_count * sizeof *a->ends) == 0 &&
           memcmp(a->triangles, b->triangles, a->count * sizeof *a->triangles) == 0;
}
