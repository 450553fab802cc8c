/* Cutting a mesh into loads: the groups, one after the other, as parts. Several ways are tried, and the cheapest is
 * kept. */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

/* Above this the counts of the output could overflow; memory ends long before. */
static const uint32_t triangles_most = UINT32_MAX / 16;

typedef struct packer {
    tl_arena *scratch;
    const tl_batch_input *in;
    tl_batch_placer placer;
    tl_group group;
    tl_f3dex_draw draw;
    tl_edges edges;
    uint32_t tries;
    tl_batch_output out;
    uint64_t cost; /* of `out` */
    bool pushed;   /* the matrix of a bone is set */
} packer;

/* --- the parts of a group --- */

/* What has no bone needs the matrix back that was there before the first bone. */
static void set_pushed(packer *p, bool pushed)
{
    if (p->pushed && !pushed)
        p->cost += TL_COST_BYTE * (TL_RSP_DRAW_BYTES + TL_COMMAND_WORTH + TL_RSP_MATRIX_POP_BYTES);
    p->pushed = pushed;
}

static tl_batch_part *add_load(packer *p, const tl_block *block)
{
    tl_batch_part *part = &p->out.parts[p->out.part_count++];
    uint32_t *vertices = p->out.vertices + p->out.vertex_count;
    *part = (tl_batch_part){.first_vertex = p->out.vertex_count,
                            .vertex_count = (uint16_t)(block->count + block->count % 2),
                            .dest = block->slot,
                            .bone = block->bone};
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
        vertices[p->draw.slots[v] - block->slot] = p->group.vertices[v];
    if (block->count % 2 != 0)
        vertices[block->count] = vertices[block->count - 1];
    p->out.vertex_count += part->vertex_count;
    p->cost += tl_batch_load_cost(block->count, block->bone);
    set_pushed(p, block->bone != TL_PACK_NO_BONE);
    return part;
}

static void add_draw(packer *p, tl_batch_part *part)
{
    const tl_f3dex_draw *draw = &p->draw;
    part->first_index = p->out.index_count;
    part->index_count = (uint16_t)(3 * draw->list_count);
    for (uint32_t t = 0; t < draw->list_count; t++)
        for (int c = 0; c < 3; c++)
            p->out.indices[p->out.index_count++] = draw->slots[draw->list[t][c]];
    part->sequence_base = (uint8_t)(draw->sequence_count > 0 ? draw->sequence_base : 0);
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
    p->cost += draw->cost;
}

static void add_group(packer *p)
{
    tl_batch_part *part = NULL;
    for (uint32_t b = 0; b < p->group.block_count; b++)
        if (!p->group.blocks[b].resident)
            part = add_load(p, &p->group.blocks[b]);
    if (part)
        add_draw(p, part);
}

/* --- one way --- */

static bool make_room(packer *p, const tl_groups *groups)
{
    const size_t triangles = groups->first[groups->count];
    const size_t loads = p->in->bones ? TL_PACK_SLOTS : TL_PIECES_MOST; /* of a group */
    tl_batch_output *out = &p->out;
    *out = (tl_batch_output){0};
    out->parts = tl_array_raw(p->scratch, groups->count, loads * sizeof *out->parts);
    out->vertices = tl_array_raw(p->scratch, groups->count, 2 * TL_PACK_SLOTS * sizeof *out->vertices);
    out->indices = tl_array_raw(p->scratch, triangles, 3 * sizeof *out->indices);
    out->strips = tl_array_raw(p->scratch, triangles, 3 * sizeof *out->strips);
    return out->parts && out->vertices && out->indices && out->strips;
}

/* The groups as parts; takes the place of what there is when it is cheaper. */
static bool emit(packer *p, const tl_groups *groups, bool resident)
{
    const tl_batch_output best = p->out;
    const uint64_t least = p->cost;
    if (!make_room(p, groups))
        return false;
    p->cost = 0;
    const tl_f3dex_opts opts = {.strips = p->in->strips,
                                .sequences = p->in->sequences,
                                .tries = p->tries,
                                .worth = groups->count == 1 ? TL_LONE_WORTH : TL_COMMAND_WORTH};
    tl_batch_placer_start(&p->placer, groups, resident);
    for (uint32_t number = 0; number < groups->count; number++) {
        tl_batch_place_group(&p->placer, number, &p->group);
        tl_plan_draw(&p->group, &p->edges, &opts, &p->draw);
        add_group(p);
        tl_update_cache(&p->placer, &p->group, &p->draw);
    }
    set_pushed(p, false);
    if (groups->count > 0 ? p->cost < least : least == UINT64_MAX)
        return true;
    p->out = best;
    p->cost = least;
    return true;
}

static bool emit_both(packer *p, const tl_groups *groups)
{
    return emit(p, groups, false) && (!p->in->resident || emit(p, groups, true));
}

/* --- all ways --- */

/* Groups that leave room for a strip, and groups as full as can be. */
static const tl_growth growths[] = {{68, 66, 8}, {70, 70, 8}};

/* What the levels add, one after the other; each does what those below it do. */
typedef struct level {
    uint32_t tries;
    tl_effort search, resident;
    uint32_t resident_rounds;
} level;

static const level levels[] = {
    {1, {0, 0, 0}, {0, 0, 0}, 0},
    {4, {100, 40, 30}, {100, 40, 30}, 1},
    {32, {900, 100, 60}, {300, 60, 60}, 4},
};

/* So few groups that fuller ones would not be fewer. */
static bool is_least(const packer *p, const tl_groups *groups)
{
    return groups->count <= (p->in->vertex_count + TL_PACK_SLOTS - 1) / TL_PACK_SLOTS;
}

static bool grow(packer *p, tl_groups *best)
{
    for (size_t i = 0; i < sizeof growths / sizeof *growths && (i == 0 || !is_least(p, best)); i++) {
        const uint64_t before = p->cost;
        tl_groups groups;
        if (!tl_batch_grow_groups(p->scratch, p->in, &growths[i], &groups) || !emit_both(p, &groups))
            return false;
        if (p->cost < before)
            *best = groups;
    }
    return true;
}

/* With residency the order counts, and what pays to move depends on it: both take turns. */
static bool search_resident(packer *p, const level *l, tl_groups *groups, bool order)
{
    for (uint32_t round = 0; round < l->resident_rounds; round++) {
        tl_effort effort = l->resident;
        effort.heat = effort.heat * (l->resident_rounds - round) / l->resident_rounds;
        if (order && (!tl_batch_order_groups(p->scratch, p->in, groups) || !emit(p, groups, true)))
            return false;
        if (!tl_batch_search_groups(p->scratch, p->in, true, &effort, groups) || !emit(p, groups, true))
            return false;
    }
    return true;
}

/* Bone by bone, which is an order already. */
static bool chain(packer *p, uint32_t top)
{
    tl_groups groups;
    if (!p->in->resident || !p->in->bones)
        return true;
    if (!tl_batch_bones(p->scratch, p->in, &groups) || !emit(p, &groups, true))
        return false;
    for (uint32_t l = 1; l < top; l++)
        if (!search_resident(p, &levels[l], &groups, false))
            return false;
    return true;
}

static bool pack_all(packer *p)
{
    const uint32_t top = p->in->level > 3 ? 3 : p->in->level > 0 ? p->in->level : 1;
    tl_groups groups = {0};
    if (p->in->triangle_count > triangles_most || !tl_batch_placer_new(p->scratch, p->in, &p->placer))
        return false;
    tl_batch_clear_edges(&p->edges);
    p->cost = UINT64_MAX;
    p->tries = levels[top - 1].tries;
    if (!grow(p, &groups))
        return false;
    for (uint32_t l = 1; l < top; l++) {
        if (!tl_batch_search_groups(p->scratch, p->in, false, &levels[l].search, &groups) || !emit_both(p, &groups))
            return false;
        tl_groups ordered = groups;
        if (p->in->resident && !search_resident(p, &levels[l], &ordered, true))
            return false;
    }
    return chain(p, top);
}

/* Into arrays of the right size. */
static bool copy_output(tl_arena *arena, const tl_batch_output *from, tl_batch_output *to)
{
    *to = *from;
    to->parts = tl_bytes_copy(arena, from->parts, from->part_count * sizeof *from->parts);
    to->vertices = tl_bytes_copy(arena, from->vertices, from->vertex_count * sizeof *from->vertices);
    to->indices = tl_bytes_copy(arena, from->indices, from->index_count);
    to->strips = tl_bytes_copy(arena, from->strips, from->strip_size * sizeof *from->strips);
    return to->parts && to->vertices && to->indices && to->strips;
}

/* Bones that no vertex has are none. */
static tl_batch_input without_idle_bones(const tl_batch_input *in)
{
    tl_batch_input out = *in;
    for (uint32_t v = 0; in->bones && v < in->vertex_count; v++)
        if (in->bones[v] != TL_PACK_NO_BONE)
            return out;
    out.bones = NULL;
    return out;
}

bool tl_batch(tl_arena *arena, const tl_batch_input *in, tl_batch_output *out)
{
    /* What is needed only here is given back at the end, but counts against the same limit until then. */
    tl_arena scratch = {.fn = arena->fn, .user = arena->user, .left = arena->left};
    const tl_batch_input input = without_idle_bones(in);
    packer *p = TL_NEW(&scratch, packer);
    bool done = false;
    if (p) {
        p->in = &input;
        p->scratch = &scratch;
        done = pack_all(p);
    }
    const size_t held = arena->left - scratch.left;
    arena->left -= held;
    done = done && copy_output(arena, &p->out, out);
    tl_arena_free(&scratch);
    arena->left += held;
    return done;
}
