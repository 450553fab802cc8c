/* How one batch is drawn (tl_batch_plan_draw), against a plain planner: it keeps nothing from one plan to the next,
 * makes every plan there is, and counts everything anew. Strips, the sequence and the search for strips have plain ways
 * of their own in other tests. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { SLOTS = 70, COMMANDS = 4, FREED_MOST = 2, NONE = 99 };

typedef struct strategy {
    bool strips, below; /* below: the sequence of one block has lower slots than what strips use */
    uint32_t blocks;    /* of the sequence */
    uint32_t freed, seed, sweeps;
} strategy;

typedef struct planner {
    const tl_vertex_batch *batch;
    const tl_batch_draw_opts *opts;
    tl_batch_edges edges;
    tl_batch_links links;
    uint8_t uncrossed[TL_BATCH_TRIANGLES];
    uint32_t greedy; /* the least weight of greedy strips */
    tl_batch_draw best, other;
    /* The division. */
    bool left_out[TL_BATCH_TRIANGLES];
    tl_triangle_strips strips; /* first and length of what is left */
    tl_batch_sequence sequence;
    uint32_t block, blocks; /* of the sequence: the first, and how many */
    bool below, overhang;
    uint32_t indices;
    uint32_t last_command[SLOTS]; /* that uses a vertex, from 1 */
} planner;

/* ---- division ---- */

static uint32_t count_around(const planner *p, uint32_t vertex)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->batch->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            count += !p->left_out[t] && p->batch->triangles[t][c] == vertex;
    return count;
}

/* The vertex of the last block with the fewest triangles, but some, that is not needed later. */
static void free_vertex(planner *p)
{
    const tl_vertex_block *last = &p->batch->blocks[p->batch->block_count - 1];
    uint32_t best = SLOTS, fewest = UINT32_MAX;
    for (uint32_t v = last->first; v < (uint32_t)last->first + last->count; v++)
        if (!p->batch->kept[v] && count_around(p, v) > 0 && count_around(p, v) < fewest) {
            best = v;
            fewest = count_around(p, v);
        }
    for (uint32_t t = 0; t < p->batch->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            p->left_out[t] |= p->batch->triangles[t][c] == best;
}

static bool is_in(const tl_vertex_block *block, uint32_t vertex)
{
    return vertex >= block->first && vertex < (uint32_t)block->first + block->count;
}

/* The largest block that is loaded now, the last of equal ones. */
static uint32_t find_block(const tl_vertex_batch *batch)
{
    uint32_t best = NONE;
    for (uint32_t b = 0; b < batch->block_count; b++)
        if (!batch->blocks[b].resident && (best == NONE || batch->blocks[b].count >= batch->blocks[best].count))
            best = b;
    return best;
}

/* Triangles of a block that is loaded now, of which nothing is needed later. */
static uint32_t count_inside(const tl_vertex_batch *batch, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < batch->triangle_count && !batch->blocks[number].resident; t++) {
        bool inside = true;
        for (int c = 0; c < 3; c++)
            inside =
                inside && is_in(&batch->blocks[number], batch->triangles[t][c]) && !batch->kept[batch->triangles[t][c]];
        count += inside;
    }
    return count;
}

/* The first of two blocks side by side with the most triangles for a sequence, the last of equal ones. Both have some,
 * and nothing of the second is needed later. */
static uint32_t find_pair(const tl_vertex_batch *batch)
{
    uint32_t best = NONE, most = 0;
    for (uint32_t b = 0; b + 1 < batch->block_count; b++) {
        const uint32_t lower = count_inside(batch, b), upper = count_inside(batch, b + 1);
        bool kept = false;
        for (uint32_t v = 0; v < batch->vertex_count; v++)
            kept = kept || (batch->kept[v] && is_in(&batch->blocks[b + 1], v));
        if (lower == 0 || upper == 0 || kept || lower + upper < most ||
            batch->blocks[b].slot + batch->blocks[b].count != batch->blocks[b + 1].slot)
            continue;
        most = lower + upper;
        best = b;
    }
    return best;
}

static void divide(planner *p, const strategy *w)
{
    p->block = w->blocks == 2 ? find_pair(p->batch) : find_block(p->batch);
    p->blocks = p->block == NONE ? 0 : w->blocks;
    p->below = w->below;
    memset(&p->sequence, 0, sizeof p->sequence);
    for (uint32_t v = 0; v < p->batch->vertex_count; v++)
        for (uint32_t b = p->block; b - p->block < p->blocks; b++)
            if (is_in(&p->batch->blocks[b], v) && !p->batch->kept[v])
                p->sequence.part[v] = (uint8_t)(b + 1);
    for (uint32_t t = 0; t < p->batch->triangle_count; t++) {
        const uint8_t *v = p->batch->triangles[t];
        p->left_out[t] = v[0] == v[1] || v[1] == v[2] || v[0] == v[2];
    }
    for (uint32_t i = 0; i < w->freed; i++)
        free_vertex(p);
    p->indices = 0;
    if (w->sweeps > 0) {
        memcpy(p->strips.uncrossed, p->uncrossed, sizeof p->uncrossed);
        p->indices = tl_batch_search_strips(p->batch, &p->links, p->left_out,
                                            &(tl_link_effort){p->opts->link_table, w->sweeps, w->seed + 1}, &p->strips,
                                            &p->sequence);
        return;
    }
    tl_batch_make_strips(p->batch, &p->edges, p->left_out, w->strips ? 255 : 3, w->seed, &p->strips);
    for (uint32_t r = 0; r < p->strips.count; r++)
        p->indices += p->strips.length[r];
    if (p->blocks > 0) { /* worth a command of 8 bytes and its time, or all that there is */
        const tl_triangle_strips before = p->strips;
        const uint32_t saved = tl_batch_choose_sequence(w->seed, &p->strips, &p->sequence);
        if (2 * saved >= 8 + p->opts->command_worth || (saved > 0 && saved == p->indices))
            p->indices -= saved;
        else {
            p->strips = before;
            p->sequence.count = 0;
            memset(p->sequence.has, 0, sizeof p->sequence.has);
        }
    }
    const uint32_t weight = 2 * p->indices + p->sequence.count;
    if (w->freed == 0 && weight < p->greedy)
        p->greedy = weight;
}

/* ---- commands ---- */

static bool strip_has(const planner *p, uint32_t strip, uint32_t vertex)
{
    for (uint32_t i = 0; i < p->strips.length[strip]; i++)
        if (p->strips.indices[p->strips.first[strip] + i] == vertex)
            return true;
    return false;
}

/* The indices of all strips that use a vertex and that no command has. */
static uint32_t weight_of(const planner *p, uint32_t vertex)
{
    uint32_t weight = 0;
    for (uint32_t r = 0; r < p->strips.count; r++)
        weight += strip_has(p, r, vertex) ? p->strips.length[r] : 0;
    return weight;
}

static uint32_t pending(const planner *p)
{
    uint32_t sum = 0;
    for (uint32_t r = 0; r < p->strips.count; r++)
        sum += p->strips.length[r];
    return sum;
}

/* Where a block's part of the sequence is: below or above what strips use, or also above everything else. */
enum { NOT, BELOW, ABOVE, TOP };

static int place_of(const planner *p, uint32_t block)
{
    if (p->sequence.count == 0 || block < p->block || block >= p->block + p->blocks)
        return NOT;
    return p->blocks == 2 ? (block == p->block ? TOP : BELOW) : p->below ? BELOW : ABOVE;
}

/* One more than the highest slot of a block that the commands to come need, or that is needed later. */
static uint32_t needed_end(const planner *p, uint32_t number)
{
    const tl_vertex_block *block = &p->batch->blocks[number];
    const int place = place_of(p, number);
    uint32_t kept = 0, others = 0, strips = 0, triples = 0, all = 0, overhang = 0, highest = 0;
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++) {
        const bool pends = weight_of(p, v) > 0;
        if ((pends || p->batch->kept[v]) && p->batch->slots[v] + 1u > highest)
            highest = p->batch->slots[v] + 1u;
        if (p->batch->kept[v])
            kept++;
        else if (place == NOT || !p->sequence.has[v]) {
            others += pends;
            strips += pends || p->last_command[v] > 0 || place == TOP;
        }
    }
    for (uint32_t i = 0; i < p->sequence.count && place != NOT; i++) {
        uint32_t idle = 0;
        if (!is_in(block, p->sequence.triangles[i][0]))
            continue;
        for (int c = 0; c < 3; c++)
            idle += weight_of(p, p->sequence.triangles[i][c]) == 0;
        all++;
        triples += idle < 3;
        overhang = p->overhang && idle < 3 && idle > overhang ? idle : overhang;
    }
    if (block->resident)
        return highest;
    if (kept + others + triples == 0)
        return 0;
    if (place == BELOW)
        return block->slot + kept + (others > 0 ? 3 * all + others : 3 * triples - overhang);
    return block->slot + kept + (triples > 0 ? strips + 3 * triples - overhang : others);
}

static void take(planner *p, uint32_t command, uint32_t strip, uint32_t count)
{
    tl_batch_draw *d = &p->other;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t v = p->strips.indices[p->strips.first[strip] + i];
        const bool restart = i == 0 && d->strip_counts[command] > 0;
        p->last_command[v] = command + 1;
        d->strips[command][d->strip_counts[command] + i] = (uint16_t)(v | (restart ? 0x8000 : 0));
    }
    d->strip_counts[command] += count;
    const uint32_t left = p->strips.length[strip] - count;
    p->strips.first[strip] = (uint16_t)(p->strips.first[strip] + count - 2);
    p->strips.length[strip] = (uint16_t)(left > 0 ? left + 2 : 0);
}

/* All strips of the vertex with the least to finish; false: they do not fit. */
static bool take_vertex(planner *p, uint32_t command, uint32_t room)
{
    uint32_t best = SLOTS, least = UINT32_MAX;
    for (uint32_t v = 0; v < p->batch->vertex_count; v++)
        if (weight_of(p, v) > 0 && weight_of(p, v) < least) {
            best = v;
            least = weight_of(p, v);
        }
    if (least > room)
        return false;
    for (uint32_t r = 0; r < p->strips.count; r++)
        if (strip_has(p, r, best))
            take(p, command, r, p->strips.length[r]);
    return true;
}

/* Indices lie below byte 2520, 8 bytes at a time; slots have 36. */
static bool fill_command(planner *p, uint32_t command)
{
    uint32_t end = 0, *count = &p->other.strip_counts[command];
    for (uint32_t b = 0; b < p->batch->block_count; b++)
        end = needed_end(p, b) > end ? needed_end(p, b) : end;
    uint32_t room = 36 * (70 - end) / 8 * 4;
    room = room < 255 ? room : 255;
    if (pending(p) > room)
        while (take_vertex(p, command, room - *count))
            ;
    for (uint32_t r = 0; r < p->strips.count; r++)
        if (p->strips.length[r] > 0 && *count + p->strips.length[r] <= room)
            take(p, command, r, p->strips.length[r]);
    for (uint32_t r = 0; r < p->strips.count && *count == 0 && room > 0; r++)
        if (p->strips.length[r] > room)
            take(p, command, r, room);
    return *count > 0 && pending(p) > 0;
}

static void list(planner *p, uint32_t a, uint32_t b, uint32_t c)
{
    uint8_t *t = p->other.list[p->other.list_count++];
    t[0] = (uint8_t)a, t[1] = (uint8_t)b, t[2] = (uint8_t)c;
}

/* The last command, if its triangles one by one take fewer bytes. */
static void dissolve_last(planner *p)
{
    uint32_t last = 0, triangles[255][3], count = 0, odd = 0;
    while (last + 1 < COMMANDS && p->other.strip_counts[last + 1] > 0)
        last++;
    const uint32_t indices = p->other.strip_counts[last];
    const uint16_t *strip = p->other.strips[last];
    for (uint32_t i = 0; i + 2 < indices; i++, odd = !odd) {
        odd = strip[i] >= 0x8000 ? 0 : odd;
        if (strip[i + 1] >= 0x8000 || strip[i + 2] >= 0x8000)
            continue;
        triangles[count][0] = strip[i + odd] & 255, triangles[count][1] = strip[i + 1 - odd] & 255;
        triangles[count++][2] = strip[i + 2];
    }
    const uint32_t wait = last == 0 && p->sequence.count == 0 ? 4 : 0;
    if (indices == 0 || 8 * count + wait >= 8 + (indices + 3) / 4 * 8)
        return;
    for (uint32_t i = 0; i < count; i++)
        list(p, triangles[i][0], triangles[i][1], triangles[i][2]);
    p->other.strip_counts[last] = 0;
}

/* ---- slots and cost ---- */

/* The last command that uses a vertex; of the sequence, a vertex of its triangle. */
static uint32_t last_use(const planner *p, uint32_t vertex, uint32_t *triangle)
{
    for (uint32_t i = 0; i < p->sequence.count; i++) {
        const uint8_t *t = p->sequence.triangles[i];
        uint32_t last = 0;
        for (int c = 0; c < 3; c++)
            last = p->last_command[t[c]] > last ? p->last_command[t[c]] : last;
        *triangle = i;
        if (t[0] == vertex || t[1] == vertex || t[2] == vertex)
            return last;
    }
    return p->last_command[vertex];
}

/* A triangle of the sequence turned so that the vertices which its last command uses are first; where they end. */
static uint32_t turn(const planner *p, uint32_t triangle, uint8_t out[3])
{
    const uint8_t *t = p->sequence.triangles[triangle];
    uint32_t best = 4, ignored;
    for (uint32_t k = 0; k < 3; k++) {
        const uint8_t turned[3] = {t[k], t[(k + 1) % 3], t[(k + 2) % 3]};
        uint32_t end = 0;
        for (uint32_t c = 0; c < 3; c++)
            end = p->last_command[turned[c]] == last_use(p, t[0], &ignored) ? c + 1 : end;
        if (end < best)
            memcpy(out, turned, 3);
        best = end < best ? end : best;
    }
    return best;
}

/* True of the first triangle of those with the same last command in the same block whose use ends the earliest. */
static bool is_uppermost(const planner *p, uint32_t triangle)
{
    const uint8_t first = p->sequence.triangles[triangle][0];
    uint8_t turned[3];
    uint32_t ignored;
    const uint32_t own = turn(p, triangle, turned), last = last_use(p, first, &ignored);
    bool is = own < 3;
    for (uint32_t i = 0; i < p->sequence.count; i++) {
        const uint8_t other = p->sequence.triangles[i][0];
        if (p->sequence.part[other] == p->sequence.part[first] && last_use(p, other, &ignored) == last)
            is = is && (i < triangle ? turn(p, i, turned) > own : turn(p, i, turned) >= own);
    }
    return is;
}

/* Of a vertex of a block: where it stands in the order of slots. What is kept; what later commands use; what none does;
 * the sequence by its triangles before, between or after these. */
static uint64_t slot_rank(const planner *p, uint32_t v, int place)
{
    uint32_t triangle = 0, corner = 0;
    uint8_t turned[3];
    const uint32_t last = last_use(p, v, &triangle);
    if (p->batch->kept[v])
        return v;
    if (!p->sequence.has[v])
        return (uint64_t)(last > 0 || place == TOP ? 2 : 4) << 40 | (uint64_t)(COMMANDS - last) << 32 | v;
    turn(p, triangle, turned);
    while (turned[corner] != v)
        corner++;
    return (uint64_t)(place == BELOW ? 1 : 3) << 40 | (uint64_t)(COMMANDS - last) << 32 |
           (is_uppermost(p, triangle) ? 1u << 16 : 0) | (3 * triangle + corner);
}

static void number_slots(planner *p)
{
    for (uint32_t b = 0; b < p->batch->block_count; b++) {
        const tl_vertex_block *block = &p->batch->blocks[b];
        const uint32_t end = (uint32_t)block->first + block->count;
        for (uint32_t v = block->first; v < end; v++) {
            uint32_t before = 0;
            for (uint32_t u = block->first; u < end; u++)
                before += slot_rank(p, u, place_of(p, b)) < slot_rank(p, v, place_of(p, b));
            p->other.slots[v] = (uint8_t)(block->resident ? p->batch->slots[v] : block->slot + before);
        }
    }
    p->other.sequence_count = p->sequence.count;
    p->other.sequence_base = SLOTS;
    for (uint32_t v = 0; v < p->batch->vertex_count; v++)
        if (p->sequence.has[v] && p->other.slots[v] < p->other.sequence_base)
            p->other.sequence_base = p->other.slots[v];
    p->other.sequence_base = p->sequence.count > 0 ? p->other.sequence_base : 0;
}

static void count_cost(planner *p)
{
    tl_batch_draw *d = &p->other;
    uint32_t strips = 0, indices = 0, bytes = 0;
    for (; strips < COMMANDS && d->strip_counts[strips] > 0; strips++) {
        indices += d->strip_counts[strips];
        bytes += (d->strip_counts[strips] + 3) / 4 * 8;
    }
    const uint32_t wait = strips == 0 && d->sequence_count == 0, sequence = d->sequence_count > 0;
    const uint32_t draws = d->list_count + strips + sequence;
    bytes += 8 * draws + 4 * wait;
    d->bytes = bytes;
    d->cost = 16 * (bytes + p->opts->command_worth * (uint64_t)(draws + wait)) + indices / 4;
    d->quarter_cycles =
        bytes + 4 * (70 * (draws + wait) + 20 * strips + 12 * indices + 5 * sequence + 9 * d->sequence_count);
    d->score = p->opts->lone ? d->quarter_cycles : d->cost;
}

static void make_plan(planner *p, const strategy *w)
{
    p->other.list_count = 0;
    memset(p->other.strip_counts, 0, sizeof p->other.strip_counts);
    memset(p->last_command, 0, sizeof p->last_command);
    for (uint32_t command = 0; command < COMMANDS && w->strips && p->indices > 0; command++)
        if (!fill_command(p, command))
            break;
    for (uint32_t r = 0; r < p->strips.count; r++) {
        const uint8_t *v = p->strips.indices + p->strips.first[r];
        for (uint32_t k = 0; k + 2 < p->strips.length[r]; k++)
            k % 2 ? list(p, v[k + 1], v[k], v[k + 2]) : list(p, v[k], v[k + 1], v[k + 2]);
    }
    for (uint32_t t = 0; t < p->batch->triangle_count; t++)
        if (p->left_out[t])
            list(p, p->batch->triangles[t][0], p->batch->triangles[t][1], p->batch->triangles[t][2]);
    dissolve_last(p);
    number_slots(p);
    count_cost(p);
}

/* ---- strategies ---- */

static bool is_simple(const tl_batch_draw *d)
{
    return d->strip_counts[1] == 0 && d->list_count == 0;
}

/* No command overwrites what it, one after it, or a later batch uses. */
static bool has_room(const planner *p)
{
    bool has = true;
    for (uint32_t command = 0; command < COMMANDS; command++)
        for (uint32_t v = 0; v < p->batch->vertex_count; v++)
            if (p->last_command[v] > command || p->batch->kept[v])
                has = has && 36 * (p->other.slots[v] + 1u) + (p->other.strip_counts[command] + 3) / 4 * 8 <= 2520;
    return has;
}

/* `found` by a search: no worse in bytes and commands, and faster. */
static bool is_better(const tl_batch_draw *a, const tl_batch_draw *b, bool found)
{
    return found ? a->bytes <= b->bytes && a->cost <= b->cost && a->quarter_cycles < b->quarter_cycles
                 : a->score < b->score;
}

static void try_plan(planner *p, strategy w, bool found)
{
    divide(p, &w);
    if (w.below && p->sequence.count == 0)
        return; /* the same as before */
    p->overhang = true;
    make_plan(p, &w);
    if (is_better(&p->other, &p->best, found) && !has_room(p)) {
        divide(p, &w); /* commands have taken the strips */
        p->overhang = false;
        make_plan(p, &w);
    }
    if (is_better(&p->other, &p->best, found))
        p->best = p->other;
}

static void try_all(planner *p, strategy w, bool found, uint32_t freed_most)
{
    const uint32_t blocks = w.blocks;
    try_plan(p, w, found);
    w.blocks = 0;
    if (p->opts->lone && w.strips)
        try_plan(p, w, found);
    if (is_simple(&p->other) || !w.strips)
        return;
    w.blocks = blocks > 0;
    if (blocks == 2 && p->opts->tries > 1)
        try_plan(p, w, found);
    w.below = true;
    if (blocks < 2 || p->opts->tries > 1)
        try_plan(p, w, found);
    w.below = false;
    w.blocks = blocks;
    for (w.freed = 1; w.freed <= freed_most && !is_simple(&p->best); w.freed++)
        try_plan(p, w, found);
}

static void plain_plan_draw(planner *p)
{
    const tl_batch_draw_opts *o = p->opts;
    const uint32_t triangles = p->batch->triangle_count;
    uint32_t seeds = o->lone && o->tries > 4 ? 4 : o->tries;
    if (triangles > 192) {
        seeds = seeds * 192 * 192 / (triangles * triangles);
        seeds = seeds > 0 ? seeds : 1;
    }
    const uint32_t blocks = !o->sequences ? 0 : find_pair(p->batch) != NONE ? 2 : 1;
    p->greedy = UINT32_MAX;
    p->best.score = UINT64_MAX;
    tl_batch_clear_edges(&p->edges);
    tl_batch_find_edges(p->batch, &p->edges);
    tl_batch_find_links(p->batch, &p->edges, &p->links);
    for (uint32_t seed = 0; seed < seeds; seed++) {
        try_all(p, (strategy){.strips = o->strips, .blocks = blocks, .seed = seed}, false, FREED_MOST);
        if (seed == 0)
            memcpy(p->uncrossed, p->strips.uncrossed, sizeof p->uncrossed);
    }
    if (o->strips && triangles <= 3) {
        try_plan(p, (strategy){.blocks = o->sequences}, false);
        return;
    }
    for (uint32_t seed = 0; o->strips && seed < o->searches; seed++) {
        const strategy w = {.strips = true,
                            .blocks = blocks,
                            .seed = seed,
                            .sweeps = seed == 0   ? 40
                                      : seed < 3  ? 80
                                      : seed < 10 ? 200
                                                  : 800};
        divide(p, &w);
        if (o->searches == 1 && 2 * p->indices + p->sequence.count >= p->greedy)
            return;
        try_all(p, w, true, o->searches > 1 ? FREED_MOST : 0);
    }
}

/* ---- both ---- */

typedef struct draw_case {
    tl_vertex_batch batch;
    tl_batch_edges edges;
    tl_link_table table, plain_table;
    tl_batch_draw draw;
    planner p;
} draw_case;

static void compare(draw_case *c, const tl_batch_draw_opts *opts)
{
    tl_batch_draw_opts own = *opts;
    own.link_table = &c->plain_table;
    c->p.batch = &c->batch;
    c->p.opts = &own;
    plain_plan_draw(&c->p);
    tl_batch_clear_edges(&c->edges);
    tl_batch_plan_draw(&c->batch, &c->edges, opts, &c->draw);
    const tl_batch_draw *got = &c->draw, *want = &c->p.best;
    CHECK_INT(got->cost, want->cost);
    CHECK_INT(got->score, want->score);
    CHECK_INT(got->bytes, want->bytes);
    CHECK_INT(got->quarter_cycles, want->quarter_cycles);
    CHECK_INT(got->list_count, want->list_count);
    CHECK(want->list_count == 0 || memcmp(got->list, want->list, 3 * want->list_count) == 0);
    CHECK_INT(got->sequence_count, want->sequence_count);
    CHECK_INT(got->sequence_base, want->sequence_base);
    for (uint32_t s = 0; s < COMMANDS; s++) {
        CHECK_INT(got->strip_counts[s], want->strip_counts[s]);
        CHECK(memcmp(got->strips[s], want->strips[s], want->strip_counts[s] * sizeof **want->strips) == 0);
    }
    for (uint32_t v = 0; v < c->batch.vertex_count; v++)
        CHECK_INT(got->slots[v], want->slots[v]);
}

/* Blocks of different sizes, of half the cases each behind a gap; one may have been loaded before, its vertices in any
 * order. */
static void fill_case(draw_case *c, const batch_mesh *m, uint32_t seed)
{
    uint32_t state = seed + 1, blocks = 1 + seed % 4, first = 0, slot = 0, room = SLOTS - m->vertex_count;
    memset(c, 0, sizeof *c);
    CHECK(m->vertex_count <= SLOTS && m->triangle_count <= TL_BATCH_TRIANGLES);
    c->batch.vertex_count = m->vertex_count;
    c->batch.triangle_count = m->triangle_count;
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t left = m->vertex_count - first;
        const uint32_t gap = seed / 9 % 2 == 0 ? 0 : batch_random(&state) % (room + 1) / blocks;
        const uint32_t count = b + 1 == blocks ? left : left * (1 + batch_random(&state) % 3) / 5;
        const bool resident = blocks > 1 && batch_random(&state) % 3 == 0;
        slot += gap, room -= gap;
        c->batch.blocks[c->batch.block_count++] = (tl_vertex_block){.first = (uint8_t)first,
                                                                    .count = (uint8_t)count,
                                                                    .slot = (uint8_t)slot,
                                                                    .resident = resident,
                                                                    .bone = (uint16_t)b};
        for (uint32_t i = 0; i < count; i++)
            c->batch.slots[first + i] = (uint8_t)(slot + count - 1 - i);
        first += count, slot += count;
    }
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        c->batch.vertices[v] = v;
        c->batch.kept[v] = seed % 3 == 1 && batch_random(&state) % 8 == 0;
    }
    for (uint32_t i = 0; i < 3 * m->triangle_count; i++)
        c->batch.triangles[i / 3][i % 3] = (uint8_t)m->triangles[i / 3][i % 3];
}

static batch_mesh make_mesh(uint32_t seed)
{
    batch_mesh m = seed % 9 == 0   ? batch_grid(6, 8)
                   : seed % 9 == 1 ? batch_torus(10, 7)
                   : seed % 9 == 2 ? batch_lone_quads(1 + seed % 17)
                   : seed % 9 == 3 ? batch_lone_triangles(1 + seed % 23)
                   : seed % 9 == 4 ? batch_band(1 + seed % 60)
                   : seed % 9 == 5 ? batch_tangle(30 + seed % 40, 60, seed)
                   : seed % 9 == 6 ? batch_sphere(8, 7)
                   : seed % 9 == 7 ? batch_grid(1 + seed % 7, 7)
                                   : batch_fan(1 + seed % 67);
    batch_shuffle(&m, seed + 1, seed % 5 == 0, seed % 4);
    return m;
}

TEST(plans_are_those_of_the_plain_way)
{
    static draw_case c;
    for (uint32_t seed = 0; seed < (TEST_SLOW ? 9u : 108u); seed++) {
        batch_mesh m = make_mesh(seed);
        const tl_batch_draw_opts opts = {.strips = seed % 12 != 5,
                                         .sequences = seed / 2 % 3 != 2,
                                         .lone = seed / 3 % 4 == 1,
                                         .tries = 1 + seed % 3,
                                         .searches = seed % 5 % 3,
                                         .command_worth = seed % 7 < 4 ? 12 : 6,
                                         .link_table = &c.table};
        fill_case(&c, &m, seed);
        compare(&c, &opts);
        batch_mesh_free(&m);
    }
}

/* Searches have the more sweeps the later they are: the last ones here are the first of their kind. */
TEST(later_searches_have_more_sweeps)
{
    static draw_case c;
    for (uint32_t seed = 0; seed < (TEST_SLOW ? 3u : 6u); seed++)
        for (uint32_t searches = 4; searches <= 11; searches += 7) {
            batch_mesh m = seed % 2 == 0 ? batch_grid(6, 8) : batch_torus(10, 7);
            batch_shuffle(&m, seed + 1, 0, 4);
            fill_case(&c, &m, seed);
            compare(&c, &(tl_batch_draw_opts){.strips = true,
                                              .sequences = seed % 3 != 2,
                                              .tries = 1,
                                              .searches = searches,
                                              .command_worth = TL_COMMAND_WORTH,
                                              .link_table = &c.table});
            batch_mesh_free(&m);
        }
}

TEST_MAIN(CASE(plans_are_those_of_the_plain_way), CASE(later_searches_have_more_sweeps))
