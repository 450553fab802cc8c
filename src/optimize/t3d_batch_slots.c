/* Which vertices of a group are loaded, and where to.
 *
 * Vertices of one bone are loaded together, to slots in a row. Without residency a group starts with an empty cache:
 * its blocks stand one behind the other from slot 0 on. With it, a vertex that is still in the cache is not loaded
 * again, and blocks go where there is room between those. The rules for that:
 *  - a load first puts its input at the upper end of the cache and destroys what is there, the more the larger it is;
 *  - it spoils the two slots behind its last;
 *  - loads that ascend never hurt what the ones before them brought.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    SPOILED = 2,                   /* slots behind a load */
    AHEAD = 2,                     /* groups that are looked at for what they will need, */
    AHEAD_BONES = 16,              /* and with bones, which cost much to load again */
    ROOMY = 66,                    /* slots in use with which a strip finds room, */
    TIGHT_COST = 4 * TL_COST_BYTE, /* and what each one more costs */
    PIECE_LEAST = 4                /* vertices of a block that is loaded in pieces */
};

/* The first slot that a load of so many vertices destroys. */
static uint32_t destroyed_from(uint32_t count)
{
    return (TL_RSP_LOAD_END - TL_RSP_VERTEX_SIZE * tl_rsp_loaded(count)) / TL_RSP_SLOT_SIZE;
}

bool tl_batch_placer_new(tl_arena *arena, const tl_batch_input *in, tl_batch_placer *out)
{
    out->in = in;
    out->numbers = tl_array_raw(arena, in->vertex_count, sizeof *out->numbers);
    out->numbered = TL_ARRAY(arena, in->vertex_count, uint32_t);
    out->wanted = TL_ARRAY(arena, in->vertex_count, uint32_t);
    return out->numbers && out->numbered && out->wanted;
}

void tl_batch_placer_start(tl_batch_placer *placer, const tl_groups *groups, bool resident)
{
    placer->resident = resident;
    placer->groups = groups;
    placer->looked_at = 0;
    memset(placer->numbered, 0, placer->in->vertex_count * sizeof *placer->numbered);
    memset(placer->wanted, 0, placer->in->vertex_count * sizeof *placer->wanted);
    memset(placer->cache, 0xFF, sizeof placer->cache);
}

/* --- the vertices of a group --- */

static void add_vertex(tl_batch_placer *p, uint32_t number, uint32_t vertex, tl_group *out)
{
    if (p->numbered[vertex] == number + 1)
        return;
    p->numbered[vertex] = number + 1;
    out->vertices[out->vertex_count++] = vertex;
}

/* In the order of their first mention. */
static void gather_vertices(tl_batch_placer *p, uint32_t number, tl_group *out)
{
    out->vertex_count = 0;
    for (uint32_t i = p->groups->first[number]; i < p->groups->first[number + 1]; i++)
        for (int c = 0; c < 3; c++)
            add_vertex(p, number, p->in->triangles[p->groups->order[i]][c], out);
}

/* Marks the vertices of the groups that come next. */
static void look_ahead(tl_batch_placer *p, uint32_t number)
{
    const uint32_t ahead = number + 1 + (p->in->bones ? AHEAD_BONES : AHEAD);
    const uint32_t end = ahead < p->groups->count ? ahead : p->groups->count;
    for (; p->looked_at < end; p->looked_at++)
        for (uint32_t i = p->groups->first[p->looked_at]; i < p->groups->first[p->looked_at + 1]; i++)
            for (int c = 0; c < 3; c++)
                p->wanted[p->in->triangles[p->groups->order[i]][c]] = p->looked_at + 1;
}

static bool is_kept(const tl_batch_placer *p, uint32_t number, uint32_t vertex)
{
    return p->resident && p->wanted[vertex] > number + 1;
}

/* --- blocks --- */

/* What may become the loads of a group: vertices by bone, and the slots that stay as they are. */
typedef struct plan {
    uint32_t block_count;
    tl_block blocks[TL_PACK_SLOTS];
    uint8_t kept[TL_PACK_SLOTS]; /* of each block: vertices that are needed later */
    bool taken[TL_PACK_SLOTS + SPOILED + 1];
    uint32_t residents_end; /* one more than the highest slot taken */
} plan;

static void count_block(plan *out, uint16_t bone, bool kept)
{
    uint32_t b = 0;
    while (b < out->block_count && out->blocks[b].bone != bone)
        b++;
    if (b == out->block_count)
        out->blocks[out->block_count++] = (tl_block){.bone = bone};
    out->blocks[b].count++;
    out->kept[b] = (uint8_t)(out->kept[b] + (kept ? 1 : 0));
}

/* Does block a come before b? What is kept goes to the lowest slots, which leaves the others in one piece. Otherwise
 * bones ascend, but the largest is last: the highest slots are those that strips can free, and only within a block may
 * they be numbered at will. */
static bool comes_before(const plan *p, uint32_t a, uint32_t b, uint16_t largest)
{
    if (p->kept[a] != p->kept[b])
        return p->kept[a] > p->kept[b];
    if (p->blocks[a].bone == largest || p->blocks[b].bone == largest)
        return p->blocks[b].bone == largest;
    return p->blocks[a].bone < p->blocks[b].bone;
}

static void sort_blocks(plan *out)
{
    uint32_t largest = 0;
    for (uint32_t b = 1; b < out->block_count; b++)
        if (out->blocks[b].count > out->blocks[largest].count)
            largest = b;
    const uint16_t last = out->blocks[largest].bone;
    for (uint32_t i = 1; i < out->block_count; i++)
        for (uint32_t at = i; at > 0 && comes_before(out, at, at - 1, last); at--) {
            const tl_block block = out->blocks[at];
            const uint8_t kept = out->kept[at];
            out->blocks[at] = out->blocks[at - 1];
            out->kept[at] = out->kept[at - 1];
            out->blocks[at - 1] = block;
            out->kept[at - 1] = kept;
        }
}

/* --- room --- */

/* Would a load there leave the residents alone? */
static bool may_load(const plan *p, uint32_t slot, uint32_t count)
{
    if (slot + tl_rsp_loaded(count) > TL_PACK_SLOTS + 1 || slot + count > TL_PACK_SLOTS)
        return false;
    for (uint32_t s = slot; s < slot + tl_rsp_loaded(count) + SPOILED && s < TL_PACK_SLOTS; s++)
        if (p->taken[s])
            return false;
    return p->residents_end <= slot || p->residents_end <= destroyed_from(count);
}

static void sort_by_slot(plan *p)
{
    for (uint32_t i = 1; i < p->block_count; i++) {
        const tl_block block = p->blocks[i];
        uint32_t at = i;
        for (; at > 0 && p->blocks[at - 1].slot > block.slot; at--)
            p->blocks[at] = p->blocks[at - 1];
        p->blocks[at] = block;
    }
}

/* `gap`: slots that are left free in front, so that a later load can end there without spoiling what is kept. */
static bool is_clear(const plan *p, const bool *loaded, uint32_t slot, uint32_t count, uint32_t gap)
{
    for (uint32_t s = slot < gap ? 0 : slot - gap; s < slot + count; s++)
        if (loaded[s] || (s < slot && p->taken[s]))
            return false;
    return may_load(p, slot, count);
}

/* The lowest place for so many vertices; TL_PACK_SLOTS: there is none. */
static uint32_t find_place(const plan *p, const bool *loaded, uint32_t count, uint32_t gap)
{
    for (uint32_t slot = 0; slot + count <= TL_PACK_SLOTS; slot++)
        if (is_clear(p, loaded, slot, count, gap))
            return slot;
    return TL_PACK_SLOTS;
}

/* A block that fits nowhere as a whole is loaded in pieces, the largest first. Not for bones: each piece would set the
 * matrix again. */
static bool place_pieces(plan *p, bool *loaded, uint32_t number)
{
    uint32_t left = p->blocks[number].count;
    if (p->blocks[number].bone != TL_PACK_NO_BONE)
        return false;
    for (uint32_t count = left - 1, pieces = 0; left > 0; count = count < left ? count : left) {
        const uint32_t slot = find_place(p, loaded, count, 0);
        if (slot == TL_PACK_SLOTS) {
            if (--count < PIECE_LEAST)
                return false;
            continue;
        }
        if (pieces == TL_PIECES_MOST)
            return false;
        const uint32_t at = pieces++ == 0 ? number : p->block_count++;
        p->blocks[at] = (tl_block){.count = (uint8_t)count, .slot = (uint8_t)slot, .bone = TL_PACK_NO_BONE};
        memset(loaded + slot, 1, count);
        left -= count;
    }
    return true;
}

/* Finds a place for every block, the lowest there is. */
static bool place_blocks(plan *p, uint32_t gap)
{
    bool loaded[TL_PACK_SLOTS + 1] = {false};
    const uint32_t count = p->block_count;
    for (uint32_t b = 0; b < count; b++) {
        const uint32_t slot = find_place(p, loaded, p->blocks[b].count, p->kept[b] > 0 ? gap : 0);
        if (slot == TL_PACK_SLOTS) {
            if (gap > 0 || !place_pieces(p, loaded, b))
                return false;
            continue;
        }
        p->blocks[b].slot = (uint8_t)slot;
        memset(loaded + slot, 1, p->blocks[b].count);
    }
    sort_by_slot(p);
    return true;
}

/* --- residents --- */

/* The loads, and what the kept residents spare later. */
static int64_t cost_of(const plan *p, uint32_t spared)
{
    int64_t cost = -(int64_t)TL_COST_BYTE * TL_RSP_VERTEX_SIZE * spared;
    uint32_t end = p->residents_end;
    for (uint32_t b = 0; b < p->block_count; b++) {
        const uint32_t block_end = (uint32_t)p->blocks[b].slot + p->blocks[b].count;
        cost += tl_batch_load_cost(p->blocks[b].count, p->blocks[b].bone);
        end = block_end > end ? block_end : end;
    }
    return cost + (end > ROOMY ? TIGHT_COST * (end - ROOMY) : 0);
}

/* Residents below `limit` stay; `extra`: also those that only later groups need. False: no room for the rest. */
static bool try_residents(const tl_batch_placer *p, uint32_t number, const tl_group *group, uint32_t limit, bool extra,
                          plan *out, int64_t *cost)
{
    uint32_t spared = 0;
    *out = (plan){.block_count = 0};
    for (uint32_t s = 0; s < limit; s++) {
        const uint32_t vertex = p->cache[s];
        if (vertex == TL_NO_VERTEX)
            continue;
        const bool now = p->numbered[vertex] == number + 1, later = is_kept(p, number, vertex);
        if (!now && !(extra && later))
            continue;
        out->taken[s] = true;
        out->residents_end = s + 1;
        spared += later && !now ? 1 : 0;
    }
    for (uint32_t i = 0; i < group->vertex_count; i++) {
        const uint32_t slot = p->numbers[group->vertices[i]];
        if (slot >= limit || !out->taken[slot] || p->cache[slot] != group->vertices[i])
            count_block(out, tl_batch_bone(p->in, group->vertices[i]), is_kept(p, number, group->vertices[i]));
    }
    sort_blocks(out);
    if (out->block_count == 0)
        return false; /* a part cannot be without a load */
    if (!(p->resident && place_blocks(out, SPOILED)) && !place_blocks(out, 0))
        return false;
    *cost = cost_of(out, spared);
    return true;
}

/* numbers[] of a vertex in the cache is its slot while residents are chosen. */
static void choose_residents(tl_batch_placer *p, uint32_t number, const tl_group *group, plan *best)
{
    plan other;
    int64_t least, cost;
    for (uint32_t i = 0; i < group->vertex_count; i++)
        p->numbers[group->vertices[i]] = TL_PACK_SLOTS;
    for (uint32_t s = 0; s < TL_PACK_SLOTS; s++)
        if (p->cache[s] != TL_NO_VERTEX)
            p->numbers[p->cache[s]] = s;
    try_residents(p, number, group, 0, false, best, &least); /* an empty cache has room for every group */
    for (uint32_t limit = 1; p->resident && limit <= TL_PACK_SLOTS; limit++) {
        const uint32_t vertex = p->cache[limit - 1];
        if (vertex == TL_NO_VERTEX || (p->numbered[vertex] != number + 1 && !is_kept(p, number, vertex)))
            continue; /* nothing that the limit before did not have */
        for (int extra = 0; extra < 2; extra++)
            if (try_residents(p, number, group, limit, extra != 0, &other, &cost) && cost < least) {
                least = cost;
                *best = other;
            }
    }
}

/* --- the group --- */

static void put_residents(tl_batch_placer *p, uint32_t number, const plan *chosen, tl_group *out)
{
    tl_block *block = &out->blocks[out->block_count];
    *block = (tl_block){.first = (uint8_t)out->vertex_count, .resident = true};
    for (uint32_t s = 0; s < TL_PACK_SLOTS; s++)
        if (chosen->taken[s]) {
            const uint32_t vertex = p->cache[s], i = out->vertex_count++;
            out->vertices[i] = vertex;
            out->slots[i] = (uint8_t)s;
            out->kept[i] = is_kept(p, number, vertex);
            p->numbered[vertex] = number + 1;
            p->numbers[vertex] = i;
            block->count++;
        }
    out->block_count += block->count > 0 ? 1 : 0;
}

/* As many vertices of its bone as the block holds, those first that are needed later: what stays together can stay. */
static void put_block(tl_batch_placer *p, uint32_t number, const tl_block *from, const tl_group *all, tl_group *out)
{
    tl_block *block = &out->blocks[out->block_count++];
    *block = *from;
    block->first = (uint8_t)out->vertex_count;
    const uint32_t end = out->vertex_count + block->count;
    for (int kept = 1; kept >= 0; kept--)
        for (uint32_t i = 0; i < all->vertex_count && out->vertex_count < end; i++) {
            const uint32_t vertex = all->vertices[i];
            if (p->numbers[vertex] != TL_PACK_SLOTS || tl_batch_bone(p->in, vertex) != block->bone ||
                is_kept(p, number, vertex) != (kept == 1))
                continue;
            out->kept[out->vertex_count] = kept == 1;
            p->numbers[vertex] = out->vertex_count;
            out->vertices[out->vertex_count++] = vertex;
        }
}

static void put_triangles(const tl_batch_placer *p, uint32_t number, tl_group *out)
{
    const uint32_t first = p->groups->first[number];
    out->triangle_count = p->groups->first[number + 1] - first;
    for (uint32_t i = 0; i < out->triangle_count; i++)
        for (int c = 0; c < 3; c++)
            out->triangles[i][c] = (uint8_t)p->numbers[p->in->triangles[p->groups->order[first + i]][c]];
}

void tl_batch_place_group(tl_batch_placer *placer, uint32_t number, tl_group *out)
{
    tl_group all;
    plan chosen;
    look_ahead(placer, number);
    gather_vertices(placer, number, &all);
    choose_residents(placer, number, &all, &chosen);
    for (uint32_t i = 0; i < all.vertex_count; i++) { /* who is not resident has no number yet */
        const uint32_t slot = placer->numbers[all.vertices[i]];
        if (slot < TL_PACK_SLOTS && !chosen.taken[slot])
            placer->numbers[all.vertices[i]] = TL_PACK_SLOTS;
    }
    out->vertex_count = out->block_count = 0;
    put_residents(placer, number, &chosen, out);
    for (uint32_t b = 0; b < chosen.block_count; b++)
        put_block(placer, number, &chosen.blocks[b], &all, out);
    put_triangles(placer, number, out);
}

/* --- what is left in the cache --- */

static void destroy(tl_batch_placer *p, uint32_t from)
{
    for (uint32_t s = from; s < TL_PACK_SLOTS; s++)
        p->cache[s] = TL_NO_VERTEX;
}

static void load_block(tl_batch_placer *p, const tl_group *group, const tl_f3dex_draw *draw, const tl_block *block)
{
    const uint32_t count = tl_rsp_loaded(block->count);
    destroy(p, destroyed_from(count));
    for (uint32_t s = block->slot + block->count; s < block->slot + count + SPOILED && s < TL_PACK_SLOTS; s++)
        p->cache[s] = TL_NO_VERTEX;
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
        p->cache[draw->slots[v]] = group->vertices[v];
}

void tl_update_cache(tl_batch_placer *placer, const tl_group *group, const tl_f3dex_draw *draw)
{
    if (!placer->resident)
        return;
    for (uint32_t b = 0; b < group->block_count; b++)
        if (!group->blocks[b].resident)
            load_block(placer, group, draw, &group->blocks[b]);
    for (int s = 0; s < TL_PACK_STRIPS && draw->strip_counts[s] > 0; s++)
        destroy(placer, (TL_RSP_STRIP_END - tl_rsp_strip_bytes(draw->strip_counts[s])) / TL_RSP_SLOT_SIZE);
}
