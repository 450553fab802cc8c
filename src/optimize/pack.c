/* Cutting a mesh into loads: the groups, one after the other, as parts. */
#include "optimize/pack_steps.h"

#include <string.h>

/* Above this the counts of the output could overflow; memory ends long before. */
static const uint32_t triangles_most = UINT32_MAX / 16;

typedef struct packer {
    const tl_pack_input *in;
    tl_groups groups;
    tl_group group;
    tl_draw draw;
    uint32_t *numbers, *numbered; /* of each input vertex: its number in a group, and in which (from 1) */
    tl_pack_output out;
} packer;

/* --- one group --- */

static uint16_t bone_of(const packer *p, uint32_t vertex)
{
    return p->in->bones ? p->in->bones[vertex] : TL_PACK_NO_BONE;
}

/* The vertices of the group, in the order of their first mention. */
static void gather_vertices(packer *p, uint32_t number)
{
    p->group.vertex_count = 0;
    for (uint32_t i = p->groups.first[number]; i < p->groups.first[number + 1]; i++)
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = p->in->triangles[p->groups.order[i]][c];
            if (p->numbered[vertex] == number + 1)
                continue;
            p->numbered[vertex] = number + 1;
            p->group.vertices[p->group.vertex_count++] = vertex;
        }
}

static uint16_t commonest_bone(const packer *p)
{
    uint16_t best = TL_PACK_NO_BONE;
    uint32_t most = 0;
    for (uint32_t i = 0; i < p->group.vertex_count && p->in->bones; i++) {
        const uint16_t bone = bone_of(p, p->group.vertices[i]);
        uint32_t count = 0;
        for (uint32_t k = i; k < p->group.vertex_count; k++)
            count += bone_of(p, p->group.vertices[k]) == bone ? 1 : 0;
        if (count > most) {
            most = count;
            best = bone;
        }
    }
    return best;
}

/* Bones ascend, but the commonest is last: the highest slots are those that strips can free, and only within a bone may
 * they be numbered at will. */
static void sort_by_bone(packer *p)
{
    const uint16_t last = commonest_bone(p);
    uint32_t *vertices = p->group.vertices;
    for (uint32_t i = 1; i < p->group.vertex_count; i++) {
        const uint32_t vertex = vertices[i];
        const uint16_t bone = bone_of(p, vertex);
        uint32_t at = i;
        for (; at > 0 && bone != last; at--) {
            const uint16_t before = bone_of(p, vertices[at - 1]);
            if (before != last && before <= bone)
                break;
            vertices[at] = vertices[at - 1];
        }
        vertices[at] = vertex;
    }
}

static void cut_blocks(packer *p)
{
    tl_group *group = &p->group;
    group->block_count = 0;
    for (uint32_t i = 0; i < group->vertex_count; i++) {
        const uint16_t bone = bone_of(p, group->vertices[i]);
        if (i == 0 || bone != group->bones[group->block_count - 1]) {
            group->bones[group->block_count] = bone;
            group->blocks[group->block_count++] = (uint8_t)i;
        }
        p->numbers[group->vertices[i]] = i;
    }
    group->blocks[group->block_count] = (uint8_t)group->vertex_count;
}

static void make_group(packer *p, uint32_t number)
{
    const uint32_t first = p->groups.first[number];
    gather_vertices(p, number);
    sort_by_bone(p);
    cut_blocks(p);
    p->group.triangle_count = p->groups.first[number + 1] - first;
    for (uint32_t i = 0; i < p->group.triangle_count; i++)
        for (int c = 0; c < 3; c++)
            p->group.triangles[i][c] = (uint8_t)p->numbers[p->in->triangles[p->groups.order[first + i]][c]];
}

/* --- its parts --- */

static tl_pack_part *add_load(packer *p, uint32_t block)
{
    const tl_group *group = &p->group;
    tl_pack_part *part = &p->out.parts[p->out.part_count++];
    const uint32_t dest = group->blocks[block], count = group->blocks[block + 1] - dest;
    uint32_t *vertices = p->out.vertices + p->out.vertex_count;
    for (uint32_t i = 0; i < count; i++)
        vertices[p->draw.slots[dest + i] - dest] = group->vertices[dest + i];
    if (count % 2 != 0)
        vertices[count] = vertices[count - 1];
    part->first_vertex = p->out.vertex_count;
    part->vertex_count = (uint16_t)(count + count % 2);
    part->dest = (uint16_t)dest;
    part->bone = group->bones[block];
    p->out.vertex_count += part->vertex_count;
    return part;
}

static void add_draw(packer *p, tl_pack_part *part)
{
    const tl_draw *draw = &p->draw;
    part->first_index = p->out.index_count;
    part->index_count = (uint16_t)(3 * draw->list_count);
    for (uint32_t t = 0; t < draw->list_count; t++)
        for (int c = 0; c < 3; c++)
            p->out.indices[p->out.index_count++] = draw->slots[draw->list[t][c]];
    part->sequence_count = (uint8_t)draw->sequence_count;
    for (int s = 0; s < TL_PACK_STRIPS && draw->strip_counts[s] > 0; s++) {
        part->first_strip[s] = p->out.strip_size;
        part->strip_counts[s] = (uint8_t)draw->strip_counts[s];
        for (uint32_t i = 0; i < draw->strip_counts[s]; i++) {
            const uint16_t vertex = draw->strips[s][i];
            p->out.strips[p->out.strip_size++] =
                (uint16_t)((vertex & TL_RUN_START) | draw->slots[vertex & ~TL_RUN_START]);
        }
    }
}

/* --- the mesh --- */

static bool pack_all(tl_arena *scratch, packer *p)
{
    const size_t triangles = p->in->triangle_count;
    if (triangles > triangles_most || !tl_group_triangles(scratch, p->in, &p->groups))
        return false;
    p->numbers = tl_array_raw(scratch, p->in->vertex_count, sizeof *p->numbers);
    p->numbered = TL_ARRAY(scratch, p->in->vertex_count, uint32_t);
    p->out.parts = TL_ARRAY(scratch, p->groups.loads_most, tl_pack_part);
    p->out.vertices = tl_array_raw(scratch, p->groups.vertices_most, sizeof *p->out.vertices);
    p->out.indices = tl_array_raw(scratch, triangles, 3 * sizeof *p->out.indices);
    p->out.strips = tl_array_raw(scratch, triangles, 3 * sizeof *p->out.strips);
    if (!p->numbers || !p->numbered || !p->out.parts || !p->out.vertices || !p->out.indices || !p->out.strips)
        return false;
    for (uint32_t number = 0; number < p->groups.count; number++) {
        tl_pack_part *part = NULL;
        make_group(p, number);
        tl_plan_draw(&p->group, p->in->strips, p->in->sequences, &p->draw);
        for (uint32_t block = 0; block < p->group.block_count; block++)
            part = add_load(p, block);
        if (part)
            add_draw(p, part);
    }
    return true;
}

/* Into arrays of the right size. */
static bool copy_output(tl_arena *arena, const tl_pack_output *from, tl_pack_output *to)
{
    *to = *from;
    to->parts = tl_bytes_copy(arena, from->parts, from->part_count * sizeof *from->parts);
    to->vertices = tl_bytes_copy(arena, from->vertices, from->vertex_count * sizeof *from->vertices);
    to->indices = tl_bytes_copy(arena, from->indices, from->index_count);
    to->strips = tl_bytes_copy(arena, from->strips, from->strip_size * sizeof *from->strips);
    return to->parts && to->vertices && to->indices && to->strips;
}

bool tl_pack(tl_arena *arena, const tl_pack_input *in, tl_pack_output *out)
{
    /* What is needed only here is given back at the end, but counts against the same limit until then. */
    tl_arena scratch = {.fn = arena->fn, .user = arena->user, .left = arena->left};
    packer *p = TL_NEW(&scratch, packer);
    bool done = false;
    if (p) {
        p->in = in;
        done = pack_all(&scratch, p);
    }
    const size_t held = arena->left - scratch.left;
    arena->left -= held;
    done = done && copy_output(arena, &p->out, out);
    tl_arena_free(&scratch);
    arena->left += held;
    return done;
}
