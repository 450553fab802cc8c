/* Slot allocation: which vertices of a batch are loaded, and where to.
 *
 * Vertices of one bone are loaded together, to consecutive slots. Without residency a batch starts with an empty cache:
 * its blocks follow each other from slot 0 on. With it, a vertex that is still in the cache is not loaded again, and
 * blocks go to the gaps between those. A batch may also preload vertices for a later one. The rules of the microcode:
 *  - a load first puts its input at the upper end of the cache and destroys what is there, the more the larger it is,
 *  - it overwrites the two slots after its last,
 *  - loads to ascending slots never destroy each other's vertices.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    SLOT_AHEAD = 2,                      /* batches that are looked at for what they will need, */
    SLOT_AHEAD_BONES = 16,               /* and with bones, which cost much to load again */
    SLOT_STRIP_COST = 10 * TL_COST_BYTE, /* of a strip that lacks room, */
    SLOT_TIGHT_COST = 4 * TL_COST_BYTE,  /* of each slot that it lacks, */
    SLOT_LAST = 68,                      /* and of each slot in use beyond this, where not even a short strip fits */
    SLOT_LAST_COST = 10 * TL_COST_BYTE,
    SLOT_SPLIT_LEAST = 4 /* vertices in a part of a split block */
};

/* The first slot that a load of `count` vertices destroys. */
static uint32_t slot_destroyed_from(uint32_t count)
{
    return (TL_RSP_LOAD_END - TL_RSP_VERTEX_SIZE * tl_rsp_loaded(count)) / TL_RSP_SLOT_SIZE;
}

bool tl_slot_allocator_new(tl_arena *arena, const tl_batch_input *in, tl_slot_allocator *out)
{
    out->in = in;
    out->numbers = tl_array_raw(arena, in->vertex_count, sizeof *out->numbers);
    out->numbered = tl_array_raw(arena, in->vertex_count, sizeof *out->numbered);
    out->wanted = tl_array_raw(arena, in->vertex_count, sizeof *out->wanted);
    return out->numbers && out->numbered && out->wanted;
}

void tl_slot_allocator_start(tl_slot_allocator *allocator, const tl_batch_list *batches, bool resident)
{
    allocator->resident = resident;
    allocator->batches = batches;
    allocator->looked_at = 0;
    memset(allocator->numbered, 0, allocator->in->vertex_count * sizeof *allocator->numbered);
    if (resident)
        memset(allocator->wanted, 0, allocator->in->vertex_count * sizeof *allocator->wanted);
    memset(allocator->cache, 0xFF, sizeof allocator->cache);
}

/* --- the vertices of a batch --- */

static bool slot_is_kept(const tl_slot_allocator *p, uint32_t number, uint32_t vertex)
{
    return p->wanted[vertex] > number + 1;
}

/* --- blocks --- */

/* Candidate loads of a batch: vertices by bone, and the slots that are left alone. */
typedef struct slot_plan {
    uint32_t block_count;
    tl_vertex_block blocks[TL_BATCH_SLOTS];
    uint8_t kept[TL_BATCH_SLOTS]; /* of each block: vertices that are needed later */
    bool taken[TL_BATCH_SLOTS + TL_RSP_SPOILED + 1];
    uint32_t residents_end; /* one more than the highest slot taken */
    uint32_t ceiling;       /* no block is loaded to this slot or above */
} slot_plan;

/* Which residents stay, and how high blocks may go. */
typedef struct slot_choice {
    uint32_t limit; /* residents in lower slots stay */
    bool extra;     /* also those that only later batches need */
    uint32_t ceiling;
} slot_choice;

/* True if block a comes before b. What is kept goes to the lowest slots, which leaves the others consecutive. Otherwise
 * bones ascend, but the largest is last: the highest slots are those that strips can free, and only within a block may
 * they be numbered freely. */
static bool slot_comes_before(const slot_plan *p, uint32_t a, uint32_t b, uint16_t largest)
{
    if (p->kept[a] != p->kept[b])
        return p->kept[a] > p->kept[b];
    if (p->blocks[a].bone == largest || p->blocks[b].bone == largest)
        return p->blocks[b].bone == largest;
    return p->blocks[a].bone < p->blocks[b].bone;
}

static void slot_sort_blocks(slot_plan *out)
{
    uint32_t largest = 0;
    for (uint32_t b = 1; b < out->block_count; b++)
        if (out->blocks[b].count > out->blocks[largest].count)
            largest = b;
    const uint16_t last = out->blocks[largest].bone;
    for (uint32_t i = 1; i < out->block_count; i++)
        for (uint32_t at = i; at > 0 && slot_comes_before(out, at, at - 1, last); at--) {
            const tl_vertex_block block = out->blocks[at];
            const uint8_t kept = out->kept[at];
            out->blocks[at] = out->blocks[at - 1];
            out->kept[at] = out->kept[at - 1];
            out->blocks[at - 1] = block;
            out->kept[at - 1] = kept;
        }
}

/* --- room --- */

/* `gap`: slots that are left free in front, so that a later load can end there without spoiling what is kept. */
static bool slot_is_clear(const slot_plan *p, const bool *loaded, uint32_t slot, uint32_t count, uint32_t gap)
{
    for (uint32_t s = slot < gap ? 0 : slot - gap; s < slot + count; s++)
        if (loaded[s] || (s < slot && p->taken[s]))
            return false;
    /* True if a load there would not overwrite the residents. */
    if (slot + tl_rsp_loaded(count) > TL_BATCH_SLOTS + 1 || slot + count > TL_BATCH_SLOTS)
        return false;
    for (uint32_t s = slot; s < slot + tl_rsp_loaded(count) + TL_RSP_SPOILED && s < TL_BATCH_SLOTS; s++)
        if (p->taken[s])
            return false;
    return p->residents_end <= slot || p->residents_end <= slot_destroyed_from(count);
}

/* The lowest gap for that many vertices; TL_BATCH_SLOTS: there is none. */
static uint32_t slot_find_gap(const slot_plan *p, const bool *loaded, uint32_t count, uint32_t gap)
{
    for (uint32_t slot = 0; slot + count <= p->ceiling; slot++)
        if (slot_is_clear(p, loaded, slot, count, gap))
            return slot;
    return TL_BATCH_SLOTS;
}

/* A block that fits nowhere as a whole is split, the largest part first. Not for bones: each part would set the matrix
 * again. */
static bool slot_split_block(slot_plan *p, bool *loaded, uint32_t number)
{
    uint32_t left = p->blocks[number].count;
    if (p->blocks[number].bone != TL_BATCH_NO_BONE || left < 2)
        return false;
    for (uint32_t count = left - 1, splits = 0; left > 0; count = count < left ? count : left) {
        const uint32_t slot = slot_find_gap(p, loaded, count, 0);
        if (slot == TL_BATCH_SLOTS) {
            if (--count < SLOT_SPLIT_LEAST)
                return false;
            continue;
        }
        if (splits == TL_BATCH_SPLITS)
            return false;
        const uint32_t at = splits++ == 0 ? number : p->block_count++;
        p->blocks[at] = (tl_vertex_block){.count = (uint8_t)count, .slot = (uint8_t)slot, .bone = TL_BATCH_NO_BONE};
        memset(loaded + slot, 1, count);
        left -= count;
    }
    return true;
}

/* Puts every block into the lowest gap that there is. */
static bool slot_place_blocks(slot_plan *p, uint32_t gap)
{
    bool loaded[TL_BATCH_SLOTS + 1] = {false};
    const uint32_t count = p->block_count;
    for (uint32_t b = 0; b < count; b++) {
        const uint32_t slot = slot_find_gap(p, loaded, p->blocks[b].count, p->kept[b] > 0 ? gap : 0);
        if (slot == TL_BATCH_SLOTS) {
            if (gap > 0 || !slot_split_block(p, loaded, b))
                return false;
            continue;
        }
        p->blocks[b].slot = (uint8_t)slot;
        memset(loaded + slot, 1, p->blocks[b].count);
    }
    for (uint32_t i = 1; i < p->block_count; i++) { /* sort by slot */
        const tl_vertex_block block = p->blocks[i];
        uint32_t at = i;
        for (; at > 0 && p->blocks[at - 1].slot > block.slot; at--)
            p->blocks[at] = p->blocks[at - 1];
        p->blocks[at] = block;
    }
    return true;
}

/* --- residents --- */

/* What it costs to load again what is given up, though later batches need it. */
static uint32_t slot_lost_cost(const tl_slot_allocator *p, uint32_t number, const slot_plan *plan)
{
    uint16_t bones[TL_BATCH_SLOTS];
    uint32_t cost = 0, bone_count = 0;
    for (uint32_t s = 0; s < TL_BATCH_SLOTS; s++) {
        const uint32_t vertex = p->cache[s];
        if (vertex == TL_NO_VERTEX || plan->taken[s] || p->numbered[vertex] == number + 1 ||
            !slot_is_kept(p, number, vertex))
            continue;
        const uint16_t bone = tl_batch_vertex_bone(p->in, vertex);
        uint32_t b = 0;
        cost += TL_COST_BYTE * TL_RSP_VERTEX_SIZE;
        while (b < bone_count && bones[b] != bone)
            b++;
        if (b < bone_count || bone == TL_BATCH_NO_BONE)
            continue;
        bones[bone_count++] = bone; /* one more load */
        cost += tl_batch_load_cost(2, bone) - 2 * TL_COST_BYTE * TL_RSP_VERTEX_SIZE;
    }
    return cost;
}

/* The loads, what is lost, and what it costs that a strip lacks room. */
static int64_t slot_plan_cost(const slot_plan *p, uint32_t lost, uint32_t triangles)
{
    int64_t cost = lost;
    uint32_t end = p->residents_end;
    for (uint32_t b = 0; b < p->block_count; b++) {
        const uint32_t block_end = (uint32_t)p->blocks[b].slot + p->blocks[b].count;
        cost += tl_batch_load_cost(p->blocks[b].count, p->blocks[b].bone);
        end = block_end > end ? block_end : end;
    }
    const uint32_t needed = end + tl_batch_strip_slots(triangles);
    if (needed > TL_BATCH_SLOTS)
        cost += SLOT_STRIP_COST + SLOT_TIGHT_COST * (int64_t)(needed - TL_BATCH_SLOTS) +
                SLOT_LAST_COST * (int64_t)(end > SLOT_LAST ? end - SLOT_LAST : 0);
    return cost;
}

/* False: no room for what has to be loaded. */
static bool slot_try_residents(const tl_slot_allocator *p, uint32_t number, const tl_vertex_batch *batch,
                               slot_choice choice, slot_plan *out, int64_t *cost)
{
    *out = (slot_plan){.ceiling = choice.ceiling};
    for (uint32_t s = 0; s < choice.limit; s++) {
        const uint32_t vertex = p->cache[s];
        if (vertex == TL_NO_VERTEX)
            continue;
        const bool now = p->numbered[vertex] == number + 1, later = slot_is_kept(p, number, vertex);
        if (!now && !(choice.extra && later))
            continue;
        out->taken[s] = true;
        out->residents_end = s + 1;
    }
    for (uint32_t i = 0; i < batch->vertex_count; i++) {
        const uint32_t slot = p->numbers[batch->vertices[i]];
        if (slot < choice.limit && out->taken[slot] && p->cache[slot] == batch->vertices[i])
            continue;
        const uint16_t bone = tl_batch_vertex_bone(p->in, batch->vertices[i]);
        uint32_t b = 0;
        while (b < out->block_count && out->blocks[b].bone != bone)
            b++;
        if (b == out->block_count)
            out->blocks[out->block_count++] = (tl_vertex_block){.bone = bone};
        out->blocks[b].count++;
        out->kept[b] = (uint8_t)(out->kept[b] + (slot_is_kept(p, number, batch->vertices[i]) ? 1 : 0));
    }
    slot_sort_blocks(out);
    if (out->block_count == 0)
        return false; /* a part cannot be without a load */
    /* The batches of a chain load to ever higher slots, and need all of them. Without gaps, blocks may have been split
     * in vain: then the plan is of no use. */
    const uint32_t gap = p->batches->preloads ? 0 : TL_RSP_SPOILED;
    if (!slot_place_blocks(out, gap) && (gap == 0 || !slot_place_blocks(out, 0)))
        return false;
    *cost =
        slot_plan_cost(out, slot_lost_cost(p, number, out), p->batches->first[number + 1] - p->batches->first[number]);
    return true;
}

/* numbers[] of a vertex in the cache is its slot while residents are chosen, the lowest one if it was loaded twice:
 * then it stays wherever a limit leaves any of its slots. Blocks that stay below the indices of a strip may need one
 * more load, which mostly costs less than a second strip; without the smaller batches of the higher levels it does not.
 */
static void slot_choose_residents(tl_slot_allocator *p, uint32_t number, const tl_vertex_batch *batch, slot_plan *best)
{
    slot_plan other;
    int64_t least, cost;
    for (uint32_t i = 0; i < batch->vertex_count; i++)
        p->numbers[batch->vertices[i]] = TL_BATCH_SLOTS;
    for (uint32_t s = TL_BATCH_SLOTS; s-- > 0;)
        if (p->cache[s] != TL_NO_VERTEX)
            p->numbers[p->cache[s]] = s;
    const uint32_t indices = tl_batch_strip_slots(p->batches->first[number + 1] - p->batches->first[number]);
    const uint32_t below = indices < TL_BATCH_SLOTS ? TL_BATCH_SLOTS - indices : 0;
    const uint32_t choices = p->in->level > 1 ? 4 : 2;
    const slot_choice none = {.ceiling = TL_BATCH_SLOTS};
    slot_try_residents(p, number, batch, none, best, &least); /* an empty cache has room for every batch */
    for (uint32_t limit = 1; limit <= TL_BATCH_SLOTS; limit++) {
        const uint32_t vertex = p->cache[limit - 1];
        if (vertex == TL_NO_VERTEX || (p->numbered[vertex] != number + 1 && !slot_is_kept(p, number, vertex)))
            continue; /* nothing that the limit before did not have */
        for (uint32_t choice = 0; choice < choices; choice++) {
            const slot_choice one = {limit, choice % 2 != 0, choice < 2 ? TL_BATCH_SLOTS : below};
            if (slot_try_residents(p, number, batch, one, &other, &cost) && cost < least) {
                least = cost;
                *best = other;
            }
        }
    }
}

/* --- the batch --- */

static void slot_store_residents(tl_slot_allocator *p, uint32_t number, const slot_plan *chosen, tl_vertex_batch *out)
{
    tl_vertex_block *block = &out->blocks[out->block_count];
    *block = (tl_vertex_block){.first = (uint8_t)out->vertex_count, .resident = true};
    for (uint32_t s = 0; s < TL_BATCH_SLOTS; s++)
        if (chosen->taken[s]) {
            const uint32_t vertex = p->cache[s], i = out->vertex_count++;
            out->vertices[i] = vertex;
            out->slots[i] = (uint8_t)s;
            out->kept[i] = slot_is_kept(p, number, vertex);
            p->numbered[vertex] = number + 1;
            p->numbers[vertex] = i;
            block->count++;
        }
    out->block_count += block->count > 0 ? 1 : 0;
}

/* As many vertices of its bone as the block holds, those first that are needed later. */
static void slot_store_block(tl_slot_allocator *p, uint32_t number, const tl_vertex_block *from,
                             const tl_vertex_batch *all, tl_vertex_batch *out)
{
    tl_vertex_block *block = &out->blocks[out->block_count++];
    *block = *from;
    block->first = (uint8_t)out->vertex_count;
    const uint32_t end = out->vertex_count + block->count;
    for (int kept = 1; kept >= 0; kept--)
        for (uint32_t i = 0; i < all->vertex_count && out->vertex_count < end; i++) {
            const uint32_t vertex = all->vertices[i];
            if (p->numbers[vertex] != TL_BATCH_SLOTS || tl_batch_vertex_bone(p->in, vertex) != block->bone ||
                slot_is_kept(p, number, vertex) != (kept == 1))
                continue;
            out->kept[out->vertex_count] = kept == 1;
            p->numbers[vertex] = out->vertex_count;
            out->vertices[out->vertex_count++] = vertex;
        }
}

/* Adds the vertices of a later batch that have the bone of this one. */
static void slot_preload(tl_slot_allocator *p, uint32_t number, tl_vertex_batch *all)
{
    const tl_batch_list *batches = p->batches;
    const uint32_t later = batches->preloads[number];
    const uint16_t bone = tl_batch_vertex_bone(p->in, all->vertices[0]);
    for (uint32_t i = batches->first[later]; i < batches->first[later + 1]; i++)
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = p->in->triangles[batches->order[i]][c];
            if (p->numbered[vertex] == number + 1 || tl_batch_vertex_bone(p->in, vertex) != bone ||
                all->vertex_count == TL_BATCH_SLOTS)
                continue;
            p->numbered[vertex] = number + 1;
            all->vertices[all->vertex_count++] = vertex;
        }
}

/* Without residency: one block after the other. */
static void slot_allocate_empty(tl_slot_allocator *p, const tl_vertex_batch *all, tl_vertex_batch *out)
{
    slot_plan plan;
    uint8_t block_of[TL_BATCH_SLOTS], next[TL_BATCH_SLOTS]; /* of each vertex, of each block */
    uint32_t b = 0, start = 0;
    plan.block_count = 0;
    for (uint32_t i = 0; i < all->vertex_count; i++) {
        const uint16_t bone = tl_batch_vertex_bone(p->in, all->vertices[i]);
        if (plan.block_count == 0 || plan.blocks[b].bone != bone) /* mostly that of the vertex before */
            for (b = 0; b < plan.block_count && plan.blocks[b].bone != bone;)
                b++;
        if (b == plan.block_count) {
            plan.blocks[plan.block_count++] = (tl_vertex_block){.bone = bone, .first = (uint8_t)b};
            plan.kept[b] = 0;
        }
        plan.blocks[b].count++;
        block_of[i] = (uint8_t)b;
    }
    slot_sort_blocks(&plan);
    out->vertex_count = all->vertex_count;
    out->block_count = plan.block_count;
    for (b = 0; b < plan.block_count; b++) {
        tl_vertex_block *block = &out->blocks[b];
        *block = plan.blocks[b];
        block->first = block->slot = next[plan.blocks[b].first] = (uint8_t)start;
        start += block->count;
    }
    memset(out->kept, 0, out->vertex_count * sizeof *out->kept);
    for (uint32_t i = 0; i < all->vertex_count; i++) {
        const uint32_t at = next[block_of[i]]++;
        p->numbers[all->vertices[i]] = at;
        out->vertices[at] = all->vertices[i];
    }
}

/* Those that stay in the cache, then blocks in the gaps between them. */
static void slot_allocate_resident(tl_slot_allocator *p, uint32_t number, const tl_vertex_batch *all,
                                   tl_vertex_batch *out)
{
    slot_plan chosen;
    slot_choose_residents(p, number, all, &chosen);
    for (uint32_t i = 0; i < all->vertex_count; i++) /* none has a number yet; residents get theirs first */
        p->numbers[all->vertices[i]] = TL_BATCH_SLOTS;
    out->vertex_count = out->block_count = 0;
    slot_store_residents(p, number, &chosen, out);
    for (uint32_t b = 0; b < chosen.block_count; b++)
        slot_store_block(p, number, &chosen.blocks[b], all, out);
}

/* Marks the vertices of the batches that come next. */
static void slot_look_ahead(tl_slot_allocator *p, uint32_t number)
{
    const tl_batch_list *batches = p->batches;
    const uint32_t ahead = number + 1 + (p->in->bones ? SLOT_AHEAD_BONES : SLOT_AHEAD);
    const uint32_t end = ahead < batches->count ? ahead : batches->count;
    for (; p->looked_at < end; p->looked_at++)
        for (uint32_t i = batches->first[p->looked_at]; i < batches->first[p->looked_at + 1]; i++)
            for (int c = 0; c < 3; c++)
                p->wanted[p->in->triangles[batches->order[i]][c]] = p->looked_at + 1;
}

void tl_slot_allocate(tl_slot_allocator *allocator, uint32_t number, tl_vertex_batch *out)
{
    tl_vertex_batch all;
    const tl_batch_list *batches = allocator->batches;
    const tl_batch_input *in = allocator->in;
    /* The vertices of this one, in the order of their first mention. */
    all.vertex_count = 0;
    for (uint32_t i = batches->first[number]; i < batches->first[number + 1]; i++)
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = in->triangles[batches->order[i]][c];
            if (allocator->numbered[vertex] == number + 1)
                continue;
            allocator->numbered[vertex] = number + 1;
            all.vertices[all.vertex_count++] = vertex;
        }
    if (batches->preloads)
        slot_preload(allocator, number, &all);
    if (allocator->resident) {
        slot_look_ahead(allocator, number);
        slot_allocate_resident(allocator, number, &all, out);
    } else {
        slot_allocate_empty(allocator, &all, out);
    }
    const uint32_t first = allocator->batches->first[number];
    out->triangle_count = allocator->batches->first[number + 1] - first;
    for (uint32_t i = 0; i < out->triangle_count; i++)
        for (int c = 0; c < 3; c++)
            out->triangles[i][c] =
                (uint8_t)allocator->numbers[allocator->in->triangles[allocator->batches->order[first + i]][c]];
}

/* --- what is left in the cache --- */

static void slot_destroy_from(tl_slot_allocator *p, uint32_t from)
{
    for (uint32_t s = from; s < TL_BATCH_SLOTS; s++)
        p->cache[s] = TL_NO_VERTEX;
}

void tl_slot_allocator_update(tl_slot_allocator *allocator, const tl_vertex_batch *batch, const tl_batch_draw *draw)
{
    if (!allocator->resident)
        return;
    for (uint32_t b = 0; b < batch->block_count; b++) {
        const tl_vertex_block *block = &batch->blocks[b];
        if (block->resident)
            continue;
        const uint32_t end = block->slot + tl_rsp_loaded(block->count) + TL_RSP_SPOILED;
        slot_destroy_from(allocator, slot_destroyed_from(block->count));
        for (uint32_t s = block->slot + block->count; s < end && s < TL_BATCH_SLOTS; s++)
            allocator->cache[s] = TL_NO_VERTEX;
        for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
            allocator->cache[draw->slots[v]] = batch->vertices[v];
    }
    for (int s = 0; s < TL_BATCH_STRIPS && draw->strip_counts[s] > 0; s++)
        slot_destroy_from(allocator, (TL_RSP_STRIP_END - tl_rsp_strip_bytes(draw->strip_counts[s])) / TL_RSP_SLOT_SIZE);
}
