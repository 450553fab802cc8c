/* The triangles of one batch as a triangle list, a sequence and strip commands.
 *
 * The indices of a strip command are copied over the upper end of the vertex cache, so no command may use a slot that
 * it, or one before it, has overwritten: command s must leave room above the highest slot that it and all later ones
 * use. The list and the sequence are drawn before. Within a block slots can be numbered freely, so the vertices that
 * are finished first get the highest slots, and each command takes the strips that free the most room for the next.
 *
 * The sequence needs consecutive slots. Its uppermost triangle may reach into the buffer of a strip command that does
 * not use all of it. Of a batch with several blocks, it may have vertices of two: in the upper part of one, and the
 * lower part of the next.
 *
 * With a cache too full for a first strip command, the triangles around a few vertices go to the list. Several
 * strategies are tried, and the cheapest plan is kept.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    BATCH_DRAW_FREED_MOST = 2,
    BATCH_DRAW_FEW_TRIANGLES = 3, /* may be cheaper without any strip */
    BATCH_DRAW_SWEEPS = 40,       /* of the first search for strips */
    BATCH_NO_BLOCK = TL_BATCH_SLOTS
};

typedef struct batch_vertex_set {
    uint64_t bits[2];
} batch_vertex_set;

/* How a plan is made; the cheapest of several is kept. */
typedef struct batch_draw_strategy {
    bool strips, sequence_below;
    uint32_t blocks; /* that the sequence may have vertices of, at most 2; 0: no sequence */
    uint32_t freed;  /* vertices that are drawn by the list alone */
    uint32_t seed;
    uint32_t sweeps; /* of a search for strips; 0: greedy strips */
} batch_draw_strategy;

typedef struct batch_draw_planner {
    const tl_vertex_batch *batch;
    const tl_batch_edges *edges;
    const tl_batch_draw_opts *opts;
    tl_batch_links links;
    uint32_t block;                        /* the one with the most vertices that may be moved about, */
    uint32_t pair;                         /* and the first of two whose slots are side by side; BATCH_NO_BLOCK: none */
    uint32_t most_blocks;                  /* of a sequence */
    uint32_t greedy_weight;                /* the least of greedy strips and their sequence */
    uint8_t uncrossed[TL_BATCH_TRIANGLES]; /* what the first greedy strips do not cross: the start of searches */
    /* What plans that differ only in where the sequence is have in common. */
    bool divided; /* for this strategy: */
    batch_draw_strategy divided_for;
    tl_triangle_strips whole; /* strips of all triangles that neither the list nor the sequence has */
    uint32_t whole_indices;
    tl_batch_sequence sequence;
    uint32_t sequence_block, sequence_blocks; /* the first that it may have vertices of, and how many */
    /* The plan. */
    tl_triangle_strips strips; /* strips that no command has yet; first and length are what is left of each */
    bool sequence_below;
    bool overhang;                     /* of the sequence, above what a strip command leaves */
    bool left_out[TL_BATCH_TRIANGLES]; /* of each triangle: goes to the list */
    batch_vertex_set used[TL_BATCH_TRIANGLES];
    uint16_t weights[TL_BATCH_SLOTS];   /* of each vertex: the indices of all pending strips that use it */
    uint8_t last_strip[TL_BATCH_SLOTS]; /* the last strip command that uses the vertex, from 1; 0: none does */
    uint32_t pending;                   /* indices */
    tl_batch_draw *draw;
} batch_draw_planner;

static bool batch_draw_set_has(const batch_vertex_set *set, uint32_t vertex)
{
    return (set->bits[vertex / 64] >> vertex % 64 & 1) != 0;
}

/* --- the list --- */

static void batch_draw_list_triangle(batch_draw_planner *p, uint8_t a, uint8_t b, uint8_t c)
{
    uint8_t *t = p->draw->list[p->draw->list_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

/* Leaves out the triangles around the vertex of the last block that has the fewest. */
static void batch_draw_free_a_vertex(batch_draw_planner *p)
{
    const tl_vertex_batch *batch = p->batch;
    const tl_vertex_block *last = &batch->blocks[batch->block_count - 1];
    uint32_t around[TL_BATCH_SLOTS] = {0}, best = TL_BATCH_SLOTS;
    for (uint32_t t = 0; t < batch->triangle_count; t++)
        for (int c = 0; c < 3 && !p->left_out[t]; c++)
            around[batch->triangles[t][c]]++;
    for (uint32_t v = last->first; v < (uint32_t)last->first + last->count; v++)
        if (around[v] > 0 && !batch->kept[v] && (best == TL_BATCH_SLOTS || around[v] < around[best]))
            best = v;
    for (uint32_t t = 0; t < batch->triangle_count; t++) {
        const uint8_t *v = batch->triangles[t];
        p->left_out[t] = p->left_out[t] || v[0] == best || v[1] == best || v[2] == best;
    }
}

/* --- the sequence --- */

/* Only as much as strips of that many triangles take. */
static void batch_draw_copy_strips(tl_triangle_strips *to, const tl_triangle_strips *from, uint32_t triangles)
{
    to->count = from->count;
    memcpy(to->first, from->first, from->count * sizeof *to->first);
    memcpy(to->length, from->length, from->count * sizeof *to->length);
    memcpy(to->indices, from->indices, 3 * (size_t)triangles);
}

/* The last one of those with the most vertices. */
static uint32_t batch_draw_find_block(const tl_vertex_batch *batch)
{
    uint32_t best = BATCH_NO_BLOCK;
    for (uint32_t b = 0; b < batch->block_count; b++)
        if (!batch->blocks[b].resident &&
            (best == BATCH_NO_BLOCK || batch->blocks[b].count >= batch->blocks[best].count))
            best = b;
    return best;
}

static void batch_draw_allow_sequence(const tl_vertex_batch *batch, uint32_t number, tl_batch_sequence *out)
{
    const tl_vertex_block *block = &batch->blocks[number];
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
        out->part[v] = (uint8_t)(batch->kept[v] ? 0 : number + 1);
}

/* Both must have triangles for the sequence, and the second nothing that is kept, which would have the lowest slots. */
static uint32_t batch_draw_find_pair(const tl_vertex_batch *batch)
{
    uint32_t best = BATCH_NO_BLOCK, most = 0, triangles[TL_BATCH_SLOTS] = {0};
    tl_batch_sequence all;
    if (batch->block_count < 2)
        return BATCH_NO_BLOCK;
    memset(all.part, 0, sizeof all.part);
    for (uint32_t b = 0; b < batch->block_count; b++)
        if (!batch->blocks[b].resident)
            batch_draw_allow_sequence(batch, b, &all);
    for (uint32_t t = 0; t < batch->triangle_count; t++)
        if (tl_batch_sequence_may_have(&all, batch->triangles[t]))
            triangles[all.part[batch->triangles[t][0]] - 1]++;
    for (uint32_t b = 0; b + 1 < batch->block_count; b++) {
        const tl_vertex_block *lower = &batch->blocks[b], *upper = lower + 1;
        const uint32_t count = triangles[b] + triangles[b + 1];
        bool fits = triangles[b] > 0 && triangles[b + 1] > 0 && lower->slot + lower->count == upper->slot;
        for (uint32_t v = upper->first; fits && v < (uint32_t)upper->first + upper->count; v++)
            fits = !batch->kept[v];
        best = fits && count >= most ? b : best;
        most = fits && count >= most ? count : most;
    }
    return best;
}

static void batch_draw_make_sequence(batch_draw_planner *p, const batch_draw_strategy *w)
{
    p->sequence.count = 0;
    memset(p->sequence.has, 0, sizeof p->sequence.has);
    if (p->sequence_blocks == 0)
        return;
    tl_triangle_strips before;
    batch_draw_copy_strips(&before, &p->whole, p->batch->triangle_count);
    const uint32_t saved = tl_batch_choose_sequence(w->seed, &p->whole, &p->sequence);
    if (2 * saved >= TL_RSP_DRAW_BYTES + p->opts->command_worth ||
        (saved > 0 && saved == p->whole_indices)) { /* cheaper */
        p->whole_indices -= saved;
        return;
    }
    batch_draw_copy_strips(&p->whole, &before, p->batch->triangle_count);
    p->sequence.count = 0;
    memset(p->sequence.has, 0, sizeof p->sequence.has);
}

/* In half indices. A triangle of the sequence has none, but takes time. */
static uint32_t batch_draw_weigh_division(const batch_draw_planner *p)
{
    return 2 * p->whole_indices + p->sequence.count;
}

/* Divides the triangles between list, sequence and strips. */
static void batch_draw_divide(batch_draw_planner *p, const batch_draw_strategy *w)
{
    const batch_draw_strategy *last = &p->divided_for;
    if (p->divided && last->strips == w->strips && last->blocks == w->blocks && last->freed == w->freed &&
        last->seed == w->seed && last->sweeps == w->sweeps)
        return;
    for (uint32_t t = 0; t < p->batch->triangle_count; t++) { /* degenerate ones */
        const uint8_t *v = p->batch->triangles[t];
        p->left_out[t] = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
    }
    for (uint32_t i = 0; i < w->freed; i++)
        batch_draw_free_a_vertex(p);
    p->divided = true;
    p->divided_for = *w;
    p->sequence_block = w->blocks == 2 ? p->pair : p->block;
    p->sequence_blocks = p->sequence_block == BATCH_NO_BLOCK ? 0 : w->blocks;
    memset(p->sequence.part, 0, sizeof p->sequence.part);
    for (uint32_t i = 0; i < p->sequence_blocks; i++)
        batch_draw_allow_sequence(p->batch, p->sequence_block + i, &p->sequence);
    if (w->sweeps > 0) {
        const tl_link_effort effort = {p->opts->link_table, w->sweeps, w->seed + 1};
        memcpy(p->whole.uncrossed, p->uncrossed, p->batch->triangle_count);
        p->whole_indices = tl_batch_search_strips(p->batch, &p->links, p->left_out, &effort, &p->whole, &p->sequence);
        return;
    }
    tl_batch_make_strips(p->batch, p->edges, p->left_out, w->strips ? TL_STRIP_INDICES : 3, w->seed, &p->whole);
    p->whole_indices = 0;
    for (uint32_t r = 0; r < p->whole.count; r++)
        p->whole_indices += p->whole.length[r];
    batch_draw_make_sequence(p, w);
    const uint32_t weight = batch_draw_weigh_division(p);
    p->greedy_weight = w->freed == 0 && weight < p->greedy_weight ? weight : p->greedy_weight;
}

/* --- strips --- */

static void batch_draw_weigh_strip(batch_draw_planner *p, uint32_t run, bool remove)
{
    const uint8_t *indices = p->strips.indices + p->strips.first[run];
    const uint32_t length = p->strips.length[run];
    batch_vertex_set set = {{0, 0}};
    for (uint32_t i = 0; i < length; i++) {
        if (batch_draw_set_has(&set, indices[i]))
            continue;
        set.bits[indices[i] / 64] |= UINT64_C(1) << indices[i] % 64;
        p->weights[indices[i]] = (uint16_t)(p->weights[indices[i]] + (remove ? 0u - length : length));
    }
    p->used[run] = set;
}

/* Where the sequence is in a block. */
typedef enum batch_draw_place {
    SEQUENCE_NOT,
    SEQUENCE_BELOW, /* what strips use, */
    SEQUENCE_ABOVE, /* or above it, */
    SEQUENCE_TOP    /* or also above what no strip uses: it goes on in the next block */
} batch_draw_place;

static batch_draw_place batch_draw_find_place(const batch_draw_planner *p, uint32_t block)
{
    if (p->sequence.count == 0 || block - p->sequence_block >= p->sequence_blocks)
        return SEQUENCE_NOT;
    if (p->sequence_blocks == 1)
        return p->sequence_below ? SEQUENCE_BELOW : SEQUENCE_ABOVE;
    return block == p->sequence_block ? SEQUENCE_TOP : SEQUENCE_BELOW;
}

/* How many slots of a block's part of the sequence pending strips need, when the needed triangles are the lowest ones;
 * `all` is what it has. */
static uint32_t batch_draw_needed_sequence(const batch_draw_planner *p, uint32_t number, uint32_t *all)
{
    uint32_t needed = 0, fewest = 3;
    *all = 0;
    for (uint32_t i = 0; i < p->sequence.count; i++) {
        const uint8_t *t = p->sequence.triangles[i];
        if (p->sequence.part[t[0]] != number + 1)
            continue;
        const uint32_t corners =
            (p->weights[t[0]] > 0 ? 1u : 0u) + (p->weights[t[1]] > 0 ? 1u : 0u) + (p->weights[t[2]] > 0 ? 1u : 0u);
        *all += 3;
        needed += corners > 0 ? 3 : 0;
        fewest = corners > 0 && corners < fewest ? corners : fewest;
    }
    return p->overhang ? needed - (3 - fewest) : needed; /* the uppermost one needs the least */
}

/* One more than the highest slot of a block that a pending strip needs, when the needed vertices have the lowest slots
 * possible; 0: none is needed. */
static uint32_t batch_draw_needed_end(const batch_draw_planner *p, uint32_t number)
{
    const tl_vertex_block *block = &p->batch->blocks[number];
    const batch_draw_place place = batch_draw_find_place(p, number);
    uint32_t kept = 0, plain = 0, below = 0, end = 0, all = 0;
    bool any = false;
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++) {
        const bool needed = p->weights[v] > 0 || p->batch->kept[v];
        any = any || needed;
        if (block->resident && needed && p->batch->slots[v] + 1u > end)
            end = p->batch->slots[v] + 1u;
        kept += p->batch->kept[v] ? 1 : 0;
        if (p->batch->kept[v] || (place != SEQUENCE_NOT && p->sequence.has[v]))
            continue;
        plain += needed ? 1 : 0;
        below += needed || p->last_strip[v] > 0 || place == SEQUENCE_TOP ? 1 : 0;
    }
    if (block->resident || !any)
        return end;
    const uint32_t start = block->slot + kept;
    if (place == SEQUENCE_NOT)
        return start + plain;
    const uint32_t sequence = batch_draw_needed_sequence(p, number, &all);
    if (place == SEQUENCE_BELOW)
        return plain > 0 ? start + all + plain : start + sequence;
    return sequence > 0 ? start + below + sequence : start + plain;
}

/* The first `count` pending indices of a strip go to the command; what is left starts two before, to share an edge. */
static void batch_draw_take_indices(batch_draw_planner *p, uint32_t strip, uint32_t run, uint32_t count)
{
    const uint8_t *indices = p->strips.indices + p->strips.first[run];
    uint32_t *filled = &p->draw->strip_counts[strip];
    uint16_t *out = p->draw->strips[strip] + *filled;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = indices[i];
        p->last_strip[indices[i]] = (uint8_t)(strip + 1);
    }
    if (*filled > 0)
        out[0] = (uint16_t)(out[0] | TL_STRIP_RESTART);
    *filled += count;
    batch_draw_weigh_strip(p, run, true);
    p->pending -= p->strips.length[run];
    if (count < p->strips.length[run]) {
        p->strips.first[run] = (uint16_t)(p->strips.first[run] + count - 2);
        p->strips.length[run] = (uint16_t)(p->strips.length[run] - count + 2);
        p->pending += p->strips.length[run];
        batch_draw_weigh_strip(p, run, false);
    } else {
        p->strips.length[run] = 0;
    }
}

/* Takes all strips of the vertex that is cheapest to finish; false when that does not fit. */
static bool batch_draw_take_vertex(batch_draw_planner *p, uint32_t strip, uint32_t room)
{
    uint16_t least = UINT16_MAX; /* less 1, which puts vertices that no strip uses last */
    for (uint32_t v = 0; v < p->batch->vertex_count; v++) {
        const uint16_t weight = (uint16_t)(p->weights[v] - 1);
        least = weight < least ? weight : least;
    }
    if (least >= room - p->draw->strip_counts[strip])
        return false;
    uint32_t best = 0;
    while (p->weights[best] != least + 1)
        best++;
    for (uint32_t r = 0; p->weights[best] > 0; r++) /* until no strip uses it */
        if (p->strips.length[r] > 0 && batch_draw_set_has(&p->used[r], best))
            batch_draw_take_indices(p, strip, r, p->strips.length[r]);
    return true;
}

static void batch_draw_make_strips(batch_draw_planner *p)
{
    memset(p->weights, 0, sizeof p->weights);
    for (uint32_t r = 0; r < p->strips.count; r++)
        batch_draw_weigh_strip(p, r, false);
    for (uint32_t s = 0; s < TL_BATCH_STRIPS && p->pending > 0; s++) {
        uint32_t end = 0;
        for (uint32_t b = 0; b < p->batch->block_count; b++) {
            const uint32_t needed = batch_draw_needed_end(p, b);
            end = needed > end ? needed : end;
        }
        const uint32_t indices =
            TL_RSP_SLOT_SIZE * (TL_BATCH_SLOTS - end) / 8 * 4; /* copied 8 bytes at a time, 4 indices */
        const uint32_t room = indices < TL_STRIP_INDICES ? indices : TL_STRIP_INDICES;
        if (p->pending > room)
            while (batch_draw_take_vertex(p, s, room))
                ;
        for (uint32_t r = 0; r < p->strips.count; r++)
            if (p->strips.length[r] > 0 && p->strips.length[r] <= room - p->draw->strip_counts[s])
                batch_draw_take_indices(p, s, r, p->strips.length[r]);
        for (uint32_t r = 0; r < p->strips.count && p->draw->strip_counts[s] == 0; r++)
            if (p->strips.length[r] > room && room > 0)
                batch_draw_take_indices(p, s, r, room); /* a multiple of 4: an even number keeps the rest's winding */
        if (p->draw->strip_counts[s] == 0)
            break;
    }
}

/* --- slots --- */

/* The last strip command that uses a triangle of the sequence, from 1; 0: none does. */
static uint8_t batch_draw_last_of_triple(const batch_draw_planner *p, const uint8_t *t)
{
    uint8_t last = p->last_strip[t[0]];
    last = p->last_strip[t[1]] > last ? p->last_strip[t[1]] : last;
    return p->last_strip[t[2]] > last ? p->last_strip[t[2]] : last;
}

/* How far to turn a triangle so that the corners that a strip command uses come first, and the end of these. */
static uint32_t batch_draw_find_turn(const batch_draw_planner *p, const uint8_t *t, uint32_t strip, uint32_t *end)
{
    uint32_t best = 0;
    *end = 4;
    for (uint32_t turn = 0; turn < 3; turn++) {
        uint32_t used = 0;
        for (uint32_t c = 0; c < 3; c++)
            used = p->last_strip[t[(turn + c) % 3]] == strip ? c + 1 : used;
        best = used < *end ? turn : best;
        *end = used < *end ? used : *end;
    }
    return best;
}

static uint32_t batch_draw_number_triple(batch_draw_planner *p, const uint8_t *t, uint32_t turn, uint32_t slot)
{
    for (uint32_t c = 0; c < 3; c++)
        p->draw->slots[t[(turn + c) % 3]] = (uint8_t)slot++;
    return slot;
}

/* A block's part of the sequence: what the later strip commands use gets the lower slots, and of each command, the
 * triangle whose used corners end first comes last. Returns the next slot. */
static uint32_t batch_draw_number_sequence(batch_draw_planner *p, uint32_t number, uint32_t slot)
{
    const uint8_t(*triangles)[3] = (const uint8_t(*)[3])p->sequence.triangles;
    const uint32_t count = p->sequence.count;
    if (number == p->sequence_block)
        p->draw->sequence_base = slot;
    for (uint32_t strip = TL_BATCH_STRIPS + 1; strip-- > 0;) {
        uint32_t turns[TL_SEQUENCE_TRIANGLES], uppermost = count, least = 3, end;
        bool here[TL_SEQUENCE_TRIANGLES];
        for (uint32_t i = 0; i < count; i++) {
            const uint8_t *t = triangles[i];
            here[i] = p->sequence.part[t[0]] == number + 1 && batch_draw_last_of_triple(p, t) == strip;
            if (!here[i])
                continue;
            turns[i] = batch_draw_find_turn(p, t, strip, &end);
            uppermost = end < least ? i : uppermost;
            least = end < least ? end : least;
        }
        for (uint32_t i = 0; i < count; i++)
            if (here[i] && i != uppermost)
                slot = batch_draw_number_triple(p, triangles[i], turns[i], slot);
        if (uppermost < count)
            slot = batch_draw_number_triple(p, triangles[uppermost], turns[uppermost], slot);
    }
    return slot;
}

/* What is kept, then what the later strips use, last what none does; the sequence before, between, or after that. */
static void batch_draw_number_block(batch_draw_planner *p, uint32_t number)
{
    const tl_vertex_block *block = &p->batch->blocks[number];
    const batch_draw_place place = batch_draw_find_place(p, number);
    const uint32_t end = (uint32_t)block->first + block->count, lowest = place == SEQUENCE_TOP ? 0 : 1;
    uint32_t slot = block->slot, next[TL_BATCH_STRIPS + 1] = {0}; /* of each last_strip: how many, then the next slot */
    for (uint32_t v = block->first; v < end; v++) {
        if (p->batch->kept[v])
            p->draw->slots[v] = (uint8_t)slot++;
        else if (!p->sequence.has[v])
            next[p->last_strip[v]]++;
    }
    if (place == SEQUENCE_BELOW)
        slot = batch_draw_number_sequence(p, number, slot);
    for (uint32_t strip = TL_BATCH_STRIPS + 1; strip-- > lowest;) {
        slot += next[strip];
        next[strip] = slot - next[strip];
    }
    if (place == SEQUENCE_ABOVE || place == SEQUENCE_TOP)
        slot = batch_draw_number_sequence(p, number, slot);
    if (lowest > 0)
        next[0] = slot;
    for (uint32_t v = block->first; v < end; v++)
        if (!p->batch->kept[v] && !p->sequence.has[v])
            p->draw->slots[v] = (uint8_t)next[p->last_strip[v]]++;
}

/* --- plans --- */

/* A short strip can cost more than its triangles one by one. Only the last one is dissolved: the others keep their
 * room. */
static void batch_draw_list_short_strip(batch_draw_planner *p)
{
    tl_batch_draw *draw = p->draw;
    uint32_t last = TL_BATCH_STRIPS, triangles = 0;
    while (last > 0 && draw->strip_counts[last - 1] == 0)
        last--;
    if (last == 0)
        return;
    const uint32_t count = draw->strip_counts[last - 1];
    const uint16_t *strip = draw->strips[last - 1];
    for (uint32_t k = 0; k + 2 < count; k++)
        triangles += (strip[k + 1] | strip[k + 2]) & TL_STRIP_RESTART ? 0 : 1;
    const bool sync = last == 1 && p->sequence.count == 0;
    if (TL_RSP_DRAW_BYTES * triangles + (sync ? TL_RSP_SYNC_BYTES : 0) >= TL_RSP_DRAW_BYTES + tl_rsp_strip_bytes(count))
        return;
    /* No two triangles of it share an edge: then a strip takes no more bytes. So none is turned. */
    for (uint32_t k = 0; k + 2 < count; k++)
        if (!((strip[k + 1] | strip[k + 2]) & TL_STRIP_RESTART))
            batch_draw_list_triangle(p, (uint8_t)strip[k], (uint8_t)strip[k + 1], (uint8_t)strip[k + 2]);
    draw->strip_counts[last - 1] = 0;
}

/* Bytes and commands. A mesh of one batch has the same loads whatever is done, and of the rest, cycles count. */
static void batch_draw_count_cost(tl_batch_draw *draw, const tl_batch_draw_opts *opts)
{
    uint32_t commands = draw->list_count + (draw->sequence_count > 0 ? 1 : 0), strips = 0, indices = 0, bytes = 0;
    for (uint32_t s = 0; s < TL_BATCH_STRIPS && draw->strip_counts[s] > 0; s++) {
        strips++;
        bytes += tl_rsp_strip_bytes(draw->strip_counts[s]);
        indices += draw->strip_counts[s];
    }
    commands += strips;
    bytes += TL_RSP_DRAW_BYTES * commands;
    if (draw->sequence_count == 0 && strips == 0) {
        bytes += TL_RSP_SYNC_BYTES;
        commands++;
    }
    draw->cost = TL_COST_BYTE * ((uint64_t)bytes + (uint64_t)opts->command_worth * commands) + indices / 4;
    draw->bytes = bytes;
    draw->quarter_cycles =
        bytes + TL_RSP_BYTES_A_CYCLE *
                    (TL_RSP_COMMAND_CYCLES * commands + TL_RSP_STRIP_CYCLES * strips +
                     TL_RSP_STRIP_INDEX_CYCLES * indices + (draw->sequence_count > 0 ? TL_RSP_SEQUENCE_CYCLES : 0) +
                     TL_RSP_SEQUENCE_TRIANGLE_CYCLES * draw->sequence_count);
    draw->score = opts->lone ? draw->quarter_cycles : draw->cost;
}

/* The slots of a plan. */
static void batch_draw_number_all(batch_draw_planner *p)
{
    for (uint32_t number = 0; number < p->batch->block_count; number++) {
        const tl_vertex_block *block = &p->batch->blocks[number];
        if (!block->resident)
            batch_draw_number_block(p, number);
        else
            memcpy(p->draw->slots + block->first, p->batch->slots + block->first, block->count);
    }
}

/* The triangles are divided. Slots are left open: most plans are not kept. */
static void batch_draw_make_plan(batch_draw_planner *p, const batch_draw_strategy *w)
{
    tl_batch_draw *draw = p->draw;
    draw->list_count = draw->sequence_count = draw->sequence_base = 0;
    memset(draw->strip_counts, 0, sizeof draw->strip_counts);
    memset(p->last_strip, 0, sizeof p->last_strip);
    batch_draw_copy_strips(&p->strips, &p->whole, p->batch->triangle_count);
    p->pending = p->whole_indices;
    p->sequence_below = w->sequence_below;
    draw->sequence_count = p->sequence.count;
    if (w->strips)
        batch_draw_make_strips(p);
    /* What no strip command took, and what was left out. */
    for (uint32_t r = 0; r < p->strips.count; r++) {
        const uint8_t *v = p->strips.indices + p->strips.first[r];
        for (uint32_t k = 0; k + 2 < p->strips.length[r]; k++)
            batch_draw_list_triangle(p, v[k + k % 2], v[k + 1 - k % 2], v[k + 2]);
        p->strips.length[r] = 0;
    }
    p->pending = 0;
    for (uint32_t t = 0; t < p->batch->triangle_count; t++) {
        const uint8_t *v = p->batch->triangles[t];
        if (p->left_out[t])
            batch_draw_list_triangle(p, v[0], v[1], v[2]);
    }
    batch_draw_list_short_strip(p);
    batch_draw_count_cost(draw, p->opts);
}

/* No plan of the divided triangles costs less: what was left out is in the list, and everything else is drawn by one
 * strip command, or also by the list. A triangle of the list takes more bytes than the indices that a strip saves by
 * it. */
static uint64_t batch_draw_least_cost(const batch_draw_planner *p)
{
    const uint32_t command = TL_COST_BYTE * (TL_RSP_DRAW_BYTES + p->opts->command_worth);
    uint32_t listed = 0;
    for (uint32_t t = 0; t < p->batch->triangle_count; t++)
        listed += p->left_out[t] ? 1 : 0;
    const uint64_t all_listed = (uint64_t)command * (p->batch->triangle_count - listed - p->sequence.count);
    const uint64_t strip = command + (uint64_t)TL_COST_BYTE * tl_rsp_strip_bytes(p->whole_indices);
    return (uint64_t)command * (listed + (p->sequence.count > 0 ? 1u : 0u)) + (all_listed < strip ? all_listed : strip);
}

/* True if no strip command overwrites what it or one after it uses, or what is kept. */
static bool batch_draw_has_room(const batch_draw_planner *p)
{
    uint32_t ends[TL_BATCH_STRIPS + 1];
    ends[0] = TL_BATCH_SLOTS;
    for (uint32_t s = 0; s < TL_BATCH_STRIPS; s++) {
        const uint32_t end = (TL_RSP_STRIP_END - tl_rsp_strip_bytes(p->draw->strip_counts[s])) / TL_RSP_SLOT_SIZE;
        ends[s + 1] = end < ends[s] ? end : ends[s];
    }
    for (uint32_t v = 0; v < p->batch->vertex_count; v++)
        if (p->draw->slots[v] >= ends[p->batch->kept[v] ? TL_BATCH_STRIPS : p->last_strip[v]])
            return false;
    return true;
}

/* Keeps the plan that was made, only as much as is used; false when its sequence reaches too far. */
static bool batch_draw_keep(batch_draw_planner *p, tl_batch_draw *to)
{
    const tl_batch_draw *from = p->draw;
    batch_draw_number_all(p);
    if (p->overhang && p->sequence.count > 0 && !batch_draw_has_room(p))
        return false;
    memcpy(to, from, offsetof(tl_batch_draw, list));
    memcpy(to->list, from->list, from->list_count * sizeof *to->list);
    for (int s = 0; s < TL_BATCH_STRIPS && from->strip_counts[s] > 0; s++)
        memcpy(to->strips[s], from->strips[s], from->strip_counts[s] * sizeof *to->strips[s]);
    return true;
}

/* A plan from a search replaces one that takes more cycles, and costs no less in bytes and commands. */
static bool batch_draw_is_better(const tl_batch_draw *plan, const tl_batch_draw *best, bool found)
{
    return found ? plan->bytes <= best->bytes && plan->cost <= best->cost && plan->quarter_cycles < best->quarter_cycles
                 : plan->score < best->score;
}

/* `other` is left as it was if the plan cannot be better: without a sequence it does not matter where that is, and
 * vertices are not worth freeing that cost more than any plan may. */
static void batch_draw_try(batch_draw_planner *p, const batch_draw_strategy *w, tl_batch_draw *other,
                           tl_batch_draw *best)
{
    p->draw = other;
    batch_draw_divide(p, w);
    if ((w->sequence_below && p->sequence.count == 0) ||
        (w->freed > 0 && w->sweeps == 0 && !p->opts->lone && batch_draw_least_cost(p) >= best->score))
        return;
    for (int i = 0; i < 2; i++) {
        p->overhang = i == 0;
        batch_draw_make_plan(p, w);
        if (!batch_draw_is_better(other, best, w->sweeps > 0) || batch_draw_keep(p, best))
            return;
    }
}

/* Triangles without neighbours become strips of their own, which takes the square of their number for each seed. A
 * batch of this many triangles gets all seeds, and a crowded one as many as take the same time. */
enum { BATCH_DRAW_CROWDED = 192 };
/* A lone batch is chosen by cycles, so more seeds than the second level has could take more bytes than that level. */
enum { BATCH_DRAW_LONE_SEEDS = 4 };

static uint32_t batch_draw_count_seeds(uint32_t triangles, const tl_batch_draw_opts *opts)
{
    const uint32_t tries = opts->lone && opts->tries > BATCH_DRAW_LONE_SEEDS ? BATCH_DRAW_LONE_SEEDS : opts->tries;
    if (triangles <= BATCH_DRAW_CROWDED)
        return tries;
    const uint32_t fewer = tries * (BATCH_DRAW_CROWDED * BATCH_DRAW_CROWDED) / (triangles * triangles);
    return fewer > 0 ? fewer : 1;
}

/* With one strip command and no list, only other strips could help. */
static bool batch_draw_is_simple(const tl_batch_draw *draw)
{
    return draw->strip_counts[1] == 0 && draw->list_count == 0;
}

/* All plans of one seed, up to the first that is simple. With a single try, of two blocks side by side only the
 * sequence over both is tried. */
static void batch_draw_try_all(batch_draw_planner *p, batch_draw_strategy w, uint32_t freed_most, tl_batch_draw *other,
                               tl_batch_draw *best)
{
    const tl_batch_draw_opts *opts = p->opts;
    const uint32_t most = w.blocks;
    batch_draw_try(p, &w, other, best);
    if (opts->lone && opts->strips) { /* one command less */
        w.blocks = 0;
        batch_draw_try(p, &w, other, best);
    }
    if (batch_draw_is_simple(other) || !opts->strips)
        return;
    w.blocks = most > 0 ? 1 : 0;
    if (most > 1 && opts->tries > 1)
        batch_draw_try(p, &w, other, best);
    w.sequence_below = true;
    if (most < 2 || opts->tries > 1) /* of two blocks, it is below in one already */
        batch_draw_try(p, &w, other, best);
    w.sequence_below = false;
    w.blocks = most;
    for (w.freed = 1; w.freed <= freed_most && !batch_draw_is_simple(best); w.freed++)
        batch_draw_try(p, &w, other, best);
}

/* Searches for other strips, the first ones with less effort: more searches find nothing worse. A single one should be
 * fast: it is given up if it finds nothing shorter, and no vertices are freed for its strips. */
static void batch_draw_search(batch_draw_planner *p, tl_batch_draw *other, tl_batch_draw *best)
{
    const tl_batch_draw_opts *opts = p->opts;
    const uint32_t freed_most = opts->searches > 1 ? BATCH_DRAW_FREED_MOST : 0;
    tl_batch_find_links(p->batch, p->edges, &p->links);
    for (uint32_t seed = 0; seed < opts->searches; seed++) {
        batch_draw_strategy w = {.strips = true, .blocks = p->most_blocks, .seed = seed};
        w.sweeps = BATCH_DRAW_SWEEPS * (seed == 0 ? 1 : seed < 3 ? 2 : seed < 10 ? 5 : 20);
        batch_draw_divide(p, &w);
        if (opts->searches == 1 && batch_draw_weigh_division(p) >= p->greedy_weight)
            return;
        batch_draw_try_all(p, w, freed_most, other, best);
    }
}

void tl_batch_plan_draw(const tl_vertex_batch *batch, tl_batch_edges *edges, const tl_batch_draw_opts *opts,
                        tl_batch_draw *out)
{
    batch_draw_planner p;
    tl_batch_draw other;
    p.batch = batch;
    p.edges = edges;
    p.opts = opts;
    p.divided = false;
    p.block = batch_draw_find_block(batch);
    p.pair = batch_draw_find_pair(batch);
    p.most_blocks = !opts->sequences ? 0 : p.pair != BATCH_NO_BLOCK ? 2 : 1;
    p.greedy_weight = UINT32_MAX;
    tl_batch_find_edges(batch, edges);
    out->score = UINT64_MAX;
    const uint32_t seeds = batch_draw_count_seeds(batch->triangle_count, opts);
    for (uint32_t seed = 0; seed < seeds; seed++) {
        const batch_draw_strategy w = {.strips = opts->strips, .blocks = p.most_blocks, .seed = seed};
        batch_draw_try_all(&p, w, BATCH_DRAW_FREED_MOST, &other, out);
        if (seed == 0 && opts->searches > 0)
            memcpy(p.uncrossed, p.whole.uncrossed, batch->triangle_count);
    }
    const batch_draw_strategy plain = {.blocks = opts->sequences ? 1 : 0};
    if (opts->strips && batch->triangle_count <= BATCH_DRAW_FEW_TRIANGLES)
        batch_draw_try(&p, &plain, &other, out);
    else if (opts->strips && opts->searches > 0)
        batch_draw_search(&p, &other, out);
}
