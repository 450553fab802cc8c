/* Cutting a mesh into vertex batches, and the batches as parts of T3DM. Several partitions are made and the cheapest
 * is kept. */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

/* Above this the counts of the output could overflow; memory ends long before. */
static const uint32_t batch_triangles_most = UINT32_MAX / 16;

typedef struct batch_builder {
    tl_arena *scratch;
    const tl_batch_input *in;
    tl_slot_allocator allocator;
    tl_vertex_batch batch;
    const tl_batch_draw *draw;
    uint32_t tries, searches, command_worth;
    tl_batch_output out;
    tl_batch_list best[2]; /* the cheapest partitions without and with residency, */
    uint64_t least[2];     /* and their costs */
    uint64_t cost;         /* of `out` */
    uint64_t last_cost;    /* of the partition that was emitted last, also if it was not kept */
    bool matrix_set;       /* the matrix of a bone is on the stack */
    tl_batch_edges edges;  /* from here on nothing has to be cleared */
    tl_link_table link_table;
    tl_batch_plans plans;
} batch_builder;

/* --- the parts of a batch --- */

/* Vertices without a bone need the matrix that was set before the first bone. */
static void batch_set_matrix(batch_builder *b, bool set)
{
    if (b->matrix_set && !set)
        b->cost += TL_COST_BYTE * (TL_RSP_DRAW_BYTES + TL_COMMAND_WORTH + TL_RSP_MATRIX_POP_BYTES);
    b->matrix_set = set;
}

/* A vertex load: T3DM loads an even number, so the last vertex of an odd block is repeated. */
static tl_batch_part *batch_add_load(batch_builder *b, const tl_vertex_block *block)
{
    tl_batch_part *part = &b->out.parts[b->out.part_count++];
    uint32_t *vertices = b->out.vertices + b->out.vertex_count;
    *part = (tl_batch_part){.first_vertex = b->out.vertex_count,
                            .vertex_count = (uint16_t)(block->count + block->count % 2),
                            .dest = block->slot,
                            .bone = block->bone};
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
        vertices[b->draw->slots[v] - block->slot] = b->batch.vertices[v];
    if (block->count % 2 != 0)
        vertices[block->count] = vertices[block->count - 1];
    b->out.vertex_count += part->vertex_count;
    b->cost += tl_batch_load_cost(block->count, block->bone);
    batch_set_matrix(b, block->bone != TL_BATCH_NO_BONE);
    return part;
}

/* All loads of a batch; the last part also draws its triangles. */
static void batch_add_parts(batch_builder *b)
{
    const tl_batch_draw *draw = b->draw;
    tl_batch_part *part = NULL;
    for (uint32_t i = 0; i < b->batch.block_count; i++)
        if (!b->batch.blocks[i].resident)
            part = batch_add_load(b, &b->batch.blocks[i]);
    if (!part)
        return;
    part->first_index = b->out.index_count;
    part->index_count = (uint16_t)(3 * draw->list_count);
    for (uint32_t t = 0; t < draw->list_count; t++)
        for (int c = 0; c < 3; c++)
            b->out.indices[b->out.index_count++] = draw->slots[draw->list[t][c]];
    part->sequence_base = (uint8_t)(draw->sequence_count > 0 ? draw->sequence_base : 0);
    part->sequence_count = (uint8_t)draw->sequence_count;
    for (int s = 0; s < TL_BATCH_STRIPS && draw->strip_counts[s] > 0; s++) {
        part->first_strip[s] = b->out.strip_size;
        part->strip_counts[s] = (uint8_t)draw->strip_counts[s];
        for (uint32_t i = 0; i < draw->strip_counts[s]; i++) {
            const uint16_t vertex = draw->strips[s][i];
            b->out.strips[b->out.strip_size++] =
                (uint16_t)((vertex & TL_STRIP_RESTART) | draw->slots[vertex & ~TL_STRIP_RESTART]);
        }
    }
    b->cost += draw->cost;
}

/* --- one partition --- */

static bool batch_keep(batch_builder *b, const tl_batch_list *batches, tl_batch_list *out)
{
    const size_t triangles = b->in->triangle_count;
    if (!out->first) {
        out->first = tl_array_raw(b->scratch, triangles + 1, sizeof *out->first);
        out->order = tl_array_raw(b->scratch, triangles, sizeof *out->order);
    }
    if (!out->first || !out->order)
        return false;
    out->count = batches->count;
    memcpy(out->first, batches->first, ((size_t)batches->count + 1) * sizeof *out->first);
    memcpy(out->order, batches->order, triangles * sizeof *out->order);
    out->preloads = batches->preloads; /* made once, and changed by no search */
    return true;
}

/* The batches as parts; they replace the best so far when they are cheaper. */
static bool batch_emit(batch_builder *b, const tl_batch_list *batches, bool resident)
{
    const tl_batch_output best = b->out;
    const uint64_t least = b->cost;
    const size_t triangles = batches->first[batches->count];
    const size_t loads = b->in->bones ? TL_BATCH_SLOTS : TL_BATCH_SPLITS; /* of a batch */
    tl_batch_output *out = &b->out;
    *out = (tl_batch_output){0};
    out->parts = tl_array_raw(b->scratch, batches->count, loads * sizeof *out->parts);
    out->vertices = tl_array_raw(b->scratch, batches->count, 2 * TL_BATCH_SLOTS * sizeof *out->vertices);
    out->indices = tl_array_raw(b->scratch, triangles, 3 * sizeof *out->indices);
    out->strips = tl_array_raw(b->scratch, triangles, 3 * sizeof *out->strips);
    if (!out->parts || !out->vertices || !out->indices || !out->strips)
        return false;
    b->cost = 0;
    const tl_batch_draw_opts opts = {.strips = b->in->strips,
                                     .sequences = b->in->sequences,
                                     .tries = b->tries,
                                     .searches = b->searches,
                                     .command_worth = b->command_worth,
                                     .lone = batches->count == 1,
                                     .link_table = &b->link_table};
    tl_slot_allocator_start(&b->allocator, batches, resident);
    for (uint32_t number = 0; number < batches->count; number++) {
        tl_slot_allocate(&b->allocator, number, &b->batch);
        b->draw = tl_batch_find_plan(&b->plans, &b->batch, &b->edges, &opts);
        batch_add_parts(b);
        tl_slot_allocator_update(&b->allocator, &b->batch, b->draw);
    }
    batch_set_matrix(b, false);
    b->last_cost = b->cost;
    uint64_t *kept = &b->least[resident ? 1 : 0];
    if (b->searches == 0 && batches->count > 0 && b->cost < *kept) { /* its strips may be improved at the end */
        *kept = b->cost;
        if (!batch_keep(b, batches, &b->best[resident ? 1 : 0]))
            return false;
    }
    if (batches->count > 0 ? b->cost < least : least == UINT64_MAX)
        return true;
    b->out = best;
    b->cost = least;
    return true;
}

static bool batch_emit_both(batch_builder *b, const tl_batch_list *batches)
{
    return batch_emit(b, batches, false) && (!b->in->resident || batch_emit(b, batches, true));
}

/* --- all partitions --- */

/* Batches that leave room for a strip, and batches as full as can be. */
static const tl_batch_growth batch_growths[] = {{68, 66, 8}, {TL_BATCH_SLOTS, TL_BATCH_SLOTS, 8}};

/* What the levels add, one after the other; each does what those below it do, with its own tries and packings. */
typedef struct batch_level {
    uint32_t tries, packings, searches;
    tl_batch_effort search;
    tl_batch_effort bones; /* of skinned meshes with residency, */
    uint32_t bone_rounds;
    tl_batch_effort smaller; /* and of others, whose batches are smaller then */
    uint32_t smaller_starts;
    uint32_t strip_searches;   /* in each batch, of the first level at once, of others at the end */
    tl_batch_effort refine[2]; /* of batches without bones and their strips, without and with residency, */
    uint32_t refinements[2];   /* and how often */
    tl_batch_effort exchange;  /* of small components of skinned meshes, without residency, */
    uint32_t exchanges;        /* and how often */
    uint32_t command_worth;    /* of commands that draw */
} batch_level;

static const batch_level batch_levels[] = {
    {.tries = 1, .packings = 2, .strip_searches = 1, .command_worth = TL_COMMAND_WORTH},
    {.tries = 4,
     .packings = 16,
     .searches = 3,
     .search = {300, 60, 12, 1, 0, false},
     .bones = {100, 40, 12, 1, 0, false},
     .bone_rounds = 1,
     .smaller = {300, 60, 12, 1, 0, false},
     .smaller_starts = 2,
     .strip_searches = 3,
     .command_worth = TL_COMMAND_WORTH},
    {.tries = 32,
     .packings = 1024,
     .searches = 4,
     .search = {2000, 100, 16, 1, 0, false},
     .bones = {300, 60, 20, 1, 0, false},
     .bone_rounds = 4,
     .smaller = {1000, 60, 12, 1, 0, false},
     .smaller_starts = 10,
     .strip_searches = 16,
     .refine = {{4000, 60, 8, 1, TL_BATCH_SLOTS, false}, {300, 60, 6, 1, 0, false}},
     .refinements = {3, 10},
     .exchange = {500, 60, 2, 1, 0, true},
     .exchanges = 8,
     .command_worth = 6},
};

/* Greedy growth, where fuller batches are tried only if they could be fewer. */
enum { BATCH_GROWTHS = sizeof batch_growths / sizeof *batch_growths };

static uint32_t batch_fewest(const batch_builder *b)
{
    return (b->in->vertex_count + TL_BATCH_SLOTS - 1) / TL_BATCH_SLOTS;
}

/* The first level makes strips only of the partition with the least estimate, of equal ones that by growth. Packing by
 * bones is mostly better, so it comes first, and growth is given up when it is going to cost more. */
static bool batch_start_quickly(batch_builder *b, const batch_level *level, tl_batch_estimator *estimator,
                                tl_batch_list *best)
{
    tl_batch_budget budget = {.estimator = estimator, .most = UINT64_MAX};
    tl_batch_list packed = {0}, list;
    const uint32_t fewest = batch_fewest(b);
    bool grown = false, more = true;
    if (b->in->bones && !tl_batch_pack(b->scratch, b->in, level->packings, &packed, &budget.most))
        return false;
    *best = packed;
    for (uint32_t i = 0; i < BATCH_GROWTHS && more; i++) {
        const bool last = i + 1 == BATCH_GROWTHS; /* then it does not matter how many there are */
        if (!tl_batch_grow_within(b->scratch, b->in, &batch_growths[i], last ? 0 : fewest, &budget, &list))
            return false;
        const bool given_up = list.count == 0 && b->in->triangle_count > 0;
        more = given_up || list.count > fewest;
        if (given_up || (grown ? budget.cost >= budget.most : budget.cost > budget.most))
            continue;
        *best = list;
        budget.most = budget.cost;
        grown = true;
    }
    return batch_emit_both(b, best);
}

/* The other levels make strips of all partitions. */
static bool batch_start(batch_builder *b, const batch_level *level, tl_batch_list *best)
{
    tl_batch_list lists[BATCH_GROWTHS + 1];
    uint32_t count = 0;
    tl_batch_estimator estimator;
    if (!tl_batch_estimator_new(b->scratch, b->in, &estimator))
        return false;
    if (level->tries == 1)
        return batch_start_quickly(b, level, &estimator, best);
    for (uint32_t i = 0; i < BATCH_GROWTHS && (i == 0 || lists[0].count > batch_fewest(b)); i++)
        if (!tl_batch_grow(b->scratch, b->in, &batch_growths[i], &lists[count++]))
            return false;
    if (b->in->bones) {
        uint64_t estimate;
        if (!tl_batch_pack(b->scratch, b->in, level->packings, &lists[count], &estimate))
            return false;
        count += lists[count].count > 0 ? 1 : 0;
    }
    /* The same start whether vertices stay resident or not, so that residency never makes the result worse. */
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (!batch_emit(b, &lists[i], false))
            return false;
        if (b->last_cost < least) {
            least = b->last_cost;
            *best = lists[i];
        }
        if (b->in->resident && !batch_emit(b, &lists[i], true))
            return false;
    }
    return true;
}

/* Triangles of a mesh that is searched only once: making strips of all its batches takes long, too. */
static const uint32_t batch_large = 8000;

/* Triangles of a mesh whose strips are not improved at the end, for the same reason. */
static const uint32_t batch_huge = 20000;

/* The result of annealing depends on estimates and random numbers: each search starts where the last one ended, with
 * other random numbers, and the cheapest result is kept. */
static bool batch_search(batch_builder *b, const batch_level *level, tl_batch_list *batches)
{
    const uint32_t searches = b->in->triangle_count > batch_large ? 1 : level->searches;
    for (uint32_t number = 0; number < searches; number++) {
        tl_batch_effort effort = level->search;
        effort.seed += number;
        if (!tl_batch_anneal(b->scratch, b->in, false, &effort, batches) || !batch_emit_both(b, batches))
            return false;
    }
    return true;
}

/* With residency the order counts, and with bones the gain of a move depends on it: ordering and annealing
 * alternate. */
static bool batch_search_bones(batch_builder *b, const batch_level *level, tl_batch_list *batches, bool order)
{
    for (uint32_t round = 0; round < level->bone_rounds; round++) {
        tl_batch_effort effort = level->bones;
        effort.temperature = effort.temperature * (level->bone_rounds - round) / level->bone_rounds;
        effort.seed += round;
        if (order && (!tl_batch_order(b->scratch, b->in, batches) || !batch_emit(b, batches, true)))
            return false;
        if (!tl_batch_anneal(b->scratch, b->in, true, &effort, batches) || !batch_emit(b, batches, true))
            return false;
    }
    return true;
}

static bool batch_emit_ordered(batch_builder *b, tl_batch_list *batches)
{
    return tl_batch_order(b->scratch, b->in, batches) && batch_emit(b, batches, true);
}

/* Annealing fills batches as far as their strips allow, which leaves no slots for residents that only later batches
 * need. So batches with several lower limits are annealed, too. */
static bool batch_search_smaller(batch_builder *b, const batch_level *level, tl_batch_list batches)
{
    static const uint32_t fulls[] = {56, 60, 52, 58, 54};
    const uint32_t starts = b->in->triangle_count > batch_large ? 1 : level->smaller_starts;
    if (b->out.vertex_count <= b->in->vertex_count + b->out.part_count)
        return true; /* nothing is loaded twice, except for odd numbers */
    if (!batch_emit_ordered(b, &batches))
        return false;
    for (uint32_t i = 0; i < starts; i++) {
        const uint32_t full = fulls[i % (sizeof fulls / sizeof *fulls)];
        const tl_batch_growth growth = {.full = full, .component_full = full};
        tl_batch_effort effort = level->smaller;
        effort.seed += i;
        effort.full = full;
        if (!tl_batch_grow(b->scratch, b->in, &growth, &batches) ||
            !tl_batch_anneal(b->scratch, b->in, false, &effort, &batches) || !batch_emit_ordered(b, &batches))
            return false;
    }
    return true;
}

/* What drawing the parts costs. */
static trilo_cost_counts batch_count_cost(const tl_batch_output *out)
{
    trilo_cost_counts counts = {0};
    bool set = false;
    for (uint32_t i = 0; i < out->part_count; i++) {
        const tl_batch_part *part = &out->parts[i];
        counts.loads++;
        counts.vertices += part->vertex_count;
        counts.list_commands += part->index_count / 3u;
        counts.sequences += part->sequence_count > 0 ? 1 : 0;
        counts.sequence_triangles += part->sequence_count;
        for (int s = 0; s < TL_BATCH_STRIPS && part->strip_counts[s] > 0; s++) {
            counts.strips++;
            counts.strip_indices += part->strip_counts[s];
            counts.strip_bytes += tl_rsp_strip_bytes(part->strip_counts[s]);
        }
        counts.syncs += part->index_count > 0 && part->sequence_count == 0 && part->strip_counts[0] == 0 ? 1 : 0;
        counts.matrix_sets += part->bone != TL_BATCH_NO_BONE ? 1 : 0;
        counts.matrix_pops += set && part->bone == TL_BATCH_NO_BONE ? 1 : 0;
        set = part->bone != TL_BATCH_NO_BONE;
    }
    counts.matrix_pops += set ? 1 : 0;
    tl_rsp_cost(&counts);
    return counts;
}

/* The cheapest batches once more, with a search for better strips. With residency, other strips leave other slots to
 * the batches after them, so that may cost more. */
static bool batch_improve_strips(batch_builder *b, bool resident)
{
    const tl_batch_output before = b->out;
    const tl_batch_list *batches = &b->best[resident ? 1 : 0];
    if (batches->count == 0)
        return true;
    b->cost = UINT64_MAX;
    if (!batch_emit(b, batches, resident))
        return false;
    const trilo_cost_counts old = batch_count_cost(&before), found = batch_count_cost(&b->out);
    if (found.rsp_bytes > old.rsp_bytes || found.score > old.score)
        b->out = before;
    return true;
}

static bool batch_start_chains(batch_builder *b, const batch_level *level)
{
    tl_batch_list chains;
    return tl_batch_pack_chains(b->scratch, b->in, level->packings, &chains) &&
           (chains.count == 0 || batch_emit(b, &chains, true));
}

static bool batch_search_all(batch_builder *b, uint32_t top)
{
    tl_batch_list batches = {0};
    if (b->in->triangle_count > batch_triangles_most || !tl_slot_allocator_new(b->scratch, b->in, &b->allocator))
        return false;
    tl_batch_clear_edges(&b->edges);
    tl_batch_plans_clear(&b->plans);
    b->link_table.filled = false;
    b->cost = b->least[0] = b->least[1] = UINT64_MAX;
    b->tries = batch_levels[top - 1].tries;
    b->command_worth = batch_levels[top - 1].command_worth;
    b->searches = top == 1 ? batch_levels[0].strip_searches : 0;
    if (!batch_start(b, &batch_levels[top - 1], &batches))
        return false;
    for (uint32_t l = 1; l < top; l++) {
        if (!batch_search(b, &batch_levels[l], &batches))
            return false;
        if (b->in->resident && b->in->bones && !batch_start_chains(b, &batch_levels[l]))
            return false;
        tl_batch_list ordered = batches;
        if (b->in->resident && b->in->bones && !batch_search_bones(b, &batch_levels[l], &ordered, true))
            return false;
    }
    if (!b->in->resident)
        return true;
    if (!b->in->bones)
        return top == 1 || batch_search_smaller(b, &batch_levels[top - 1], batches);
    /* Bone by bone, which is an order already. */
    if (!tl_batch_grow_by_bone(b->scratch, b->in, &batches) || !batch_emit(b, &batches, true))
        return false;
    for (uint32_t l = 1; l < top; l++)
        if (!batch_search_bones(b, &batch_levels[l], &batches, false))
            return false;
    return true;
}

/* Each refinement starts from the cheapest batches so far; their order stays. */
static bool batch_refine(batch_builder *b, const batch_level *level, bool resident)
{
    tl_batch_list batches = {0};
    const tl_batch_list *best = &b->best[resident ? 1 : 0];
    if (b->in->bones || !b->in->strips || b->in->triangle_count > batch_large)
        return true;
    for (uint32_t round = 0; round < level->refinements[resident ? 1 : 0] && best->count > 1; round++) {
        tl_batch_effort effort = level->refine[resident ? 1 : 0];
        effort.seed += round;
        if (!batch_keep(b, best, &batches) || !tl_batch_refine(b->scratch, b->in, &effort, &b->link_table, &batches))
            return false;
        if (batches.count == 0)
            return true; /* nothing to move */
        if (!batch_emit(b, &batches, resident) || (resident && !batch_emit_ordered(b, &batches)))
            return false;
    }
    return true;
}

/* Skinned meshes, which are not refined, exchange components instead, each time from the cheapest batches so far. */
static bool batch_exchange(batch_builder *b, const batch_level *level)
{
    tl_batch_list batches = {0};
    if (!b->in->bones || level->exchanges == 0)
        return true;
    const uint32_t rounds = b->in->triangle_count > batch_large ? 1 : level->exchanges;
    for (uint32_t round = 0; round < rounds && b->best[0].count > 1; round++) {
        tl_batch_effort effort = level->exchange;
        effort.seed += round;
        if (!batch_keep(b, &b->best[0], &batches) || !tl_batch_anneal(b->scratch, b->in, false, &effort, &batches))
            return false;
        if (batches.count == 0)
            return true;
        if (!batch_emit(b, &batches, false))
            return false;
    }
    return true;
}

static bool batch_build_level(batch_builder *b, uint32_t top)
{
    const batch_level *level = &batch_levels[top - 1];
    if (!batch_search_all(b, top) || !batch_exchange(b, level) || !batch_refine(b, level, false) ||
        (b->in->resident && !batch_refine(b, level, true)))
        return false;
    if (top == 1 || !b->in->strips || b->in->triangle_count > batch_huge)
        return true;
    b->searches = b->in->triangle_count > batch_large ? 1 : batch_levels[top - 1].strip_searches;
    if (b->least[1] < b->least[0] && !batch_improve_strips(b, true))
        return false;
    return batch_improve_strips(b, false); /* may be the best now */
}

/* Bytes, and commands as the level weighs them. */
static uint64_t batch_worth(const batch_builder *b, const tl_batch_output *out)
{
    const trilo_cost_counts counts = batch_count_cost(out);
    const uint64_t draws = counts.list_commands + counts.sequences + counts.strips;
    return counts.rsp_bytes + b->command_worth * draws + TL_COMMAND_WORTH * (counts.commands - draws);
}

/* The searches of the last level do not always find what those of the level before it found. A single batch, which is
 * chosen by cycles, does not depend on them. */
static bool batch_build(batch_builder *b)
{
    const uint32_t top = b->in->level > 3 ? 3 : b->in->level > 0 ? b->in->level : 1;
    tl_batch_output before = {0};
    if (top == 3) {
        if (!batch_build_level(b, top - 1))
            return false;
        before = b->out;
    }
    if (!batch_build_level(b, top))
        return false;
    if (before.part_count > 0 && b->best[0].count > 1 && batch_worth(b, &before) < batch_worth(b, &b->out))
        b->out = before;
    return true;
}

static bool batch_has_bones(const tl_batch_input *in)
{
    for (uint32_t v = 0; in->bones && v < in->vertex_count; v++)
        if (in->bones[v] != TL_BATCH_NO_BONE)
            return true;
    return false;
}

bool tl_batch(tl_arena *arena, const tl_batch_input *in, tl_batch_output *out)
{
    /* Scratch memory is freed at the end, but counts against the same limit until then. */
    tl_arena scratch = {.fn = arena->fn, .user = arena->user, .left = arena->left};
    tl_batch_input input = *in;
    if (!batch_has_bones(in))
        input.bones = NULL;
    batch_builder *b = tl_array_raw(&scratch, 1, sizeof *b);
    bool done = false;
    if (b) {
        memset(b, 0, offsetof(batch_builder, edges));
        b->in = &input;
        b->scratch = &scratch;
        done = batch_build(b);
    }
    const size_t held = arena->left - scratch.left;
    arena->left -= held;
    if (done) { /* into arrays of the right size */
        const tl_batch_output *from = &b->out;
        *out = *from;
        out->parts = tl_bytes_copy(arena, from->parts, from->part_count * sizeof *from->parts);
        out->vertices = tl_bytes_copy(arena, from->vertices, from->vertex_count * sizeof *from->vertices);
        out->indices = tl_bytes_copy(arena, from->indices, from->index_count);
        out->strips = tl_bytes_copy(arena, from->strips, from->strip_size * sizeof *from->strips);
        done = out->parts && out->vertices && out->indices && out->strips;
    }
    tl_arena_free(&scratch);
    arena->left += held;
    return done;
}
