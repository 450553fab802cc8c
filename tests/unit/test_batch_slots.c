/* Slot allocation (tl_slot_allocate) beside a plain one, which tries every set of residents and every place from the
 * rules of the cache: 70 slots of 36 bytes; a load of n vertices reads 16 bytes of each below byte 2872, where it
 * destroys what is there, and spoils two slots after its last; strips overwrite what lies below byte 2520. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { SLOTS = 70, NOTHING = 0xFFFFFF };

typedef struct plain_block {
    uint32_t count, kept, slot;
    uint16_t bone;
} plain_block;

typedef struct plain_plan {
    bool taken[SLOTS];
    uint32_t end; /* of the residents */
    plain_block blocks[SLOTS];
    uint32_t block_count;
} plain_plan;

typedef struct plain_slots {
    const tl_batch_input *in;
    const tl_batch_list *list;
    uint32_t number;
    bool resident;
    const uint32_t *cache;
    uint32_t vertices[SLOTS], count; /* of the batch, by first mention */
} plain_slots;

static uint32_t even(uint32_t count)
{
    return count + count % 2;
}

static bool batch_has(const plain_slots *p, uint32_t batch, uint32_t vertex)
{
    for (uint32_t i = p->list->first[batch]; i < p->list->first[batch + 1]; i++)
        for (int c = 0; c < 3; c++)
            if (p->in->triangles[p->list->order[i]][c] == vertex)
                return true;
    return false;
}

/* Is drawn or preloaded by the batch. */
static bool is_in_batch(const plain_slots *p, uint32_t vertex)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->vertices[i] == vertex)
            return true;
    return false;
}

/* By one of the next two batches, or of 16 with bones. */
static bool needed_later(const plain_slots *p, uint32_t vertex)
{
    const uint32_t ahead = p->in->bones ? 16 : 2;
    for (uint32_t g = p->number + 1; p->resident && g < p->list->count && g <= p->number + ahead; g++)
        if (batch_has(p, g, vertex))
            return true;
    return false;
}

static uint16_t bone_of(const plain_slots *p, uint32_t vertex)
{
    return p->in->bones ? p->in->bones[vertex] : TL_BATCH_NO_BONE;
}

static bool is_resident(const plain_slots *p, const plain_plan *plan, uint32_t vertex)
{
    for (uint32_t s = 0; s < SLOTS; s++)
        if (plan->taken[s] && p->cache[s] == vertex)
            return true;
    return false;
}

/* --- places --- */

/* Not over what is loaded or stays, nor spoiling it; `gap` free slots in front. */
static bool has_place(const plain_plan *plan, const bool *loaded, uint32_t slot, uint32_t count, uint32_t gap)
{
    for (uint32_t s = 0; s < SLOTS; s++) {
        const bool in_front = s < slot && s + gap >= slot, own = s >= slot && s < slot + count;
        const bool spoiled = s >= slot && s < slot + even(count) + 2, input = s >= (2872 - 16 * even(count)) / 36;
        if ((in_front && (loaded[s] || plan->taken[s])) || (own && loaded[s]) || (spoiled && plan->taken[s]) ||
            (input && plan->taken[s] && plan->end > slot))
            return false;
    }
    return slot + count <= SLOTS && slot + even(count) <= SLOTS + 1;
}

static uint32_t find_place(const plain_plan *plan, const bool *loaded, uint32_t count, uint32_t gap, uint32_t ceiling)
{
    for (uint32_t slot = 0; slot + count <= ceiling; slot++)
        if (has_place(plan, loaded, slot, count, gap))
            return slot;
    return NOTHING;
}

static void mark(bool *loaded, uint32_t slot, uint32_t count)
{
    for (uint32_t s = slot; s < slot + count; s++)
        loaded[s] = true;
}

/* The largest part that finds a place first, up to four; all but the last have at least four vertices. */
static bool split(plain_plan *plan, bool *loaded, uint32_t number, uint32_t ceiling)
{
    uint32_t left = plan->blocks[number].count, part = left - 1, parts = 0;
    if (plan->blocks[number].bone != TL_BATCH_NO_BONE || left < 2)
        return false;
    while (left > 0) {
        part = part < left ? part : left;
        const uint32_t slot = find_place(plan, loaded, part, 0, ceiling);
        if (slot == NOTHING && part <= 4)
            return false;
        if (slot == NOTHING) {
            part--;
            continue;
        }
        if (parts == 4)
            return false;
        plan->blocks[parts++ == 0 ? number : plan->block_count++] =
            (plain_block){.count = part, .slot = slot, .bone = TL_BATCH_NO_BONE};
        mark(loaded, slot, part);
        left -= part;
    }
    return true;
}

static bool place(plain_plan *plan, uint32_t gap, uint32_t ceiling)
{
    bool loaded[SLOTS + 2] = {false};
    const uint32_t count = plan->block_count;
    for (uint32_t b = 0; b < count; b++) {
        plain_block *block = &plan->blocks[b];
        block->slot = find_place(plan, loaded, block->count, block->kept > 0 ? gap : 0, ceiling);
        if (block->slot != NOTHING)
            mark(loaded, block->slot, block->count);
        else if (gap > 0 || !split(plan, loaded, b, ceiling))
            return false;
    }
    return true;
}

/* --- plans --- */

/* Those with more to keep first, then the largest last, then by bone. */
static bool comes_before(const plain_block *a, const plain_block *b, uint16_t largest)
{
    if (a->kept != b->kept)
        return a->kept > b->kept;
    if ((a->bone == largest) != (b->bone == largest))
        return b->bone == largest;
    return a->bone < b->bone;
}

static void sort_blocks(plain_plan *plan, bool by_slot)
{
    uint32_t largest = 0;
    for (uint32_t b = 1; b < plan->block_count; b++)
        largest = plan->blocks[b].count > plan->blocks[largest].count ? b : largest;
    const uint16_t bone = plan->blocks[largest].bone;
    for (uint32_t i = 0; i < plan->block_count; i++)
        for (uint32_t k = i + 1; k < plan->block_count; k++) {
            const plain_block a = plan->blocks[i], b = plan->blocks[k];
            if (by_slot ? b.slot < a.slot : comes_before(&b, &a, bone)) {
                plan->blocks[i] = b;
                plan->blocks[k] = a;
            }
        }
}

/* In sixteenths of a byte: 16 bytes for each vertex in the cache that a later batch has to load again, and one more
 * load for each bone that they have. */
static int64_t cost_of_lost(const plain_slots *p, const plain_plan *plan)
{
    int64_t cost = 0;
    bool counted[UINT16_MAX + 1] = {[TL_BATCH_NO_BONE] = true};
    for (uint32_t s = 0; s < SLOTS; s++) {
        const uint32_t vertex = p->cache[s];
        if (plan->taken[s] || vertex == TL_NO_VERTEX || is_in_batch(p, vertex) || !needed_later(p, vertex))
            continue;
        cost += 16 * 16 + (counted[bone_of(p, vertex)] ? 0 : 16 * (12 + 12 + 8 + 12 + 192));
        counted[bone_of(p, vertex)] = true;
    }
    return cost;
}

/* In sixteenths of a byte: loads, now and later; if the indices of a strip find no room above, 10 bytes and 4 for each
 * slot that lacks, and 10 for each slot in use from the 69th on. */
static int64_t cost_of(const plain_slots *p, const plain_plan *plan)
{
    const uint32_t triangles = p->list->first[p->number + 1] - p->list->first[p->number];
    uint32_t end = plan->end;
    int64_t cost = cost_of_lost(p, plan);
    for (uint32_t b = 0; b < plan->block_count; b++) {
        const plain_block *block = &plan->blocks[b];
        cost += 16 * (12 + 12 + 16 * (int64_t)even(block->count));
        cost += block->bone != TL_BATCH_NO_BONE ? 16 * (8 + 12 + 192) : 0;
        end = block->slot + block->count > end ? block->slot + block->count : end;
    }
    const uint32_t needed = end + (19 * triangles / 16 + 17) / 18;
    if (needed > 70)
        cost += 16 * (10 + 4 * (int64_t)(needed - 70) + 10 * (int64_t)(end > 68 ? end - 68 : 0));
    return cost;
}

/* Residents below a slot stay: those of this batch, and with `extra` those that are needed later. */
static bool make_plan(const plain_slots *p, uint32_t limit, bool extra, uint32_t ceiling, plain_plan *plan,
                      int64_t *cost)
{
    memset(plan, 0, sizeof *plan);
    for (uint32_t s = 0; s < limit; s++) {
        const uint32_t vertex = p->cache[s];
        const bool now = vertex != TL_NO_VERTEX && is_in_batch(p, vertex),
                   later = vertex != TL_NO_VERTEX && needed_later(p, vertex);
        if (!now && !(extra && later))
            continue;
        plan->taken[s] = true;
        plan->end = s + 1;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t vertex = p->vertices[i];
        uint32_t b = 0;
        if (is_resident(p, plan, vertex))
            continue;
        while (b < plan->block_count && plan->blocks[b].bone != bone_of(p, vertex))
            b++;
        plan->block_count += b == plan->block_count ? 1 : 0;
        plan->blocks[b].bone = bone_of(p, vertex);
        plan->blocks[b].count++;
        plan->blocks[b].kept += needed_later(p, vertex) ? 1 : 0;
    }
    sort_blocks(plan, false);
    const plain_plan unplaced = *plan;
    if (plan->block_count == 0)
        return false;
    if (!p->resident || !place(plan, 2, ceiling)) {
        *plan = unplaced;
        if (!place(plan, 0, ceiling))
            return false;
    }
    sort_blocks(plan, true);
    *cost = cost_of(p, plan);
    return true;
}

/* The cheapest, the first of equal ones. Where residents may stay, on higher levels also with all loads below where the
 * strip will be. */
static void choose_plan(const plain_slots *p, plain_plan *best)
{
    const uint32_t triangles = p->list->first[p->number + 1] - p->list->first[p->number];
    const uint32_t indices = (19 * triangles / 16 + 17) / 18, below = indices < 70 ? 70 - indices : 0;
    int64_t least, cost;
    plain_plan one;
    CHECK(make_plan(p, 0, false, 70, best, &least));
    for (uint32_t limit = 1; p->resident && limit <= 70; limit++) {
        const uint32_t vertex = p->cache[limit - 1];
        if (vertex == TL_NO_VERTEX || (!is_in_batch(p, vertex) && !needed_later(p, vertex)))
            continue;
        for (uint32_t way = 0; way < (p->in->level > 1 ? 4 : 2); way++)
            if (make_plan(p, limit, way % 2 != 0, way < 2 ? 70 : below, &one, &cost) && cost < least) {
                least = cost;
                *best = one;
            }
    }
}

/* --- both --- */

static void check_block(const plain_slots *p, const tl_vertex_batch *b, uint32_t at, const plain_block *want,
                        bool *done)
{
    const tl_vertex_block *block = &b->blocks[at];
    CHECK(!block->resident);
    CHECK_INT(block->slot, want->slot);
    CHECK_INT(block->count, want->count);
    CHECK_INT(block->bone, want->bone);
    uint32_t v = block->first;
    for (int kept = 1; kept >= 0; kept--)
        for (uint32_t i = 0; i < p->count && v < (uint32_t)block->first + block->count; i++)
            if (!done[i] && bone_of(p, p->vertices[i]) == want->bone &&
                needed_later(p, p->vertices[i]) == (kept == 1)) {
                done[i] = true;
                CHECK_INT(b->vertices[v], p->vertices[i]);
                CHECK_INT(b->kept[v++], kept);
            }
    CHECK_INT(v, (uint32_t)block->first + block->count);
}

static void check_batch(const plain_slots *p, const plain_plan *plan, const tl_vertex_batch *b)
{
    bool done[SLOTS] = {false};
    uint32_t at = 0, first = 0;
    for (uint32_t s = 0; s < SLOTS; s++) {
        if (!plan->taken[s])
            continue;
        CHECK_INT(b->vertices[first], p->cache[s]);
        CHECK_INT(b->slots[first], s);
        CHECK_INT(b->kept[first++], needed_later(p, p->cache[s]));
    }
    for (uint32_t i = 0; i < p->count; i++)
        done[i] = is_resident(p, plan, p->vertices[i]);
    if (first > 0) {
        CHECK(b->blocks[0].resident && b->blocks[0].first == 0 && b->blocks[0].count == first);
        at = 1;
    }
    CHECK_INT(b->block_count, at + plan->block_count);
    for (uint32_t k = 0; k < plan->block_count; k++, at++) {
        CHECK_INT(b->blocks[at].first, first);
        check_block(p, b, at, &plan->blocks[k], done);
        first += plan->blocks[k].count;
    }
    CHECK_INT(b->vertex_count, first);
    const uint32_t start = p->list->first[p->number];
    CHECK_INT(b->triangle_count, p->list->first[p->number + 1] - start);
    for (uint32_t i = 0; i < 3 * b->triangle_count; i++)
        CHECK_INT(b->vertices[b->triangles[i / 3][i % 3]], p->in->triangles[p->list->order[start + i / 3]][i % 3]);
}

/* What loads and strips leave in the cache. */
static void update_cache(const tl_vertex_batch *b, const tl_batch_draw *draw, uint32_t *cache)
{
    for (uint32_t k = 0; k < b->block_count; k++) {
        const tl_vertex_block *block = &b->blocks[k];
        for (uint32_t s = 0; s < SLOTS && !block->resident; s++)
            if (s >= (2872 - 16 * even(block->count)) / 36 ||
                (s >= block->slot && s < block->slot + even(block->count) + 2))
                cache[s] = TL_NO_VERTEX;
        for (uint32_t v = block->first; v < (uint32_t)block->first + block->count && !block->resident; v++)
            cache[draw->slots[v]] = b->vertices[v];
    }
    for (uint32_t i = 0; i < 4 && draw->strip_counts[i] > 0; i++)
        for (uint32_t s = (2520 - (draw->strip_counts[i] + 3) / 4 * 8) / 36; s < SLOTS; s++)
            cache[s] = TL_NO_VERTEX;
}

typedef struct slot_case {
    tl_batch_edges edges;
    tl_slot_allocator allocator;
    tl_vertex_batch batch;
    tl_batch_draw draw;
    uint32_t cache[SLOTS];
} slot_case;

static void check_one(slot_case *c, plain_slots *p)
{
    plain_plan plan;
    p->count = 0;
    p->cache = c->cache;
    for (uint32_t i = 3 * p->list->first[p->number]; i < 3 * p->list->first[p->number + 1]; i++) {
        const uint32_t vertex = p->in->triangles[p->list->order[i / 3]][i % 3];
        if (!is_in_batch(p, vertex))
            p->vertices[p->count++] = vertex;
    }
    const uint32_t later = p->list->preloads ? p->list->preloads[p->number] : p->number;
    for (uint32_t i = 3 * p->list->first[later]; i < 3 * p->list->first[later + 1]; i++) {
        const uint32_t vertex = p->in->triangles[p->list->order[i / 3]][i % 3];
        if (!is_in_batch(p, vertex) && bone_of(p, vertex) == bone_of(p, p->vertices[0]))
            p->vertices[p->count++] = vertex;
    }
    choose_plan(p, &plan);
    tl_slot_allocate(&c->allocator, p->number, &c->batch);
    check_batch(p, &plan, &c->batch);
}

static tl_batch_input input_of(const batch_mesh *m, uint32_t level)
{
    tl_batch_input in = batch_input(m);
    in.level = level;
    return in;
}

/* All batches of a mesh, one after the other. */
static void check_mesh(batch_mesh m, uint32_t level, uint32_t size, bool resident)
{
    static slot_case c;
    const tl_batch_input in = input_of(&m, level);
    const tl_batch_growth growth = {size, size, 8};
    const tl_batch_draw_opts opts = {.strips = true, .sequences = true, .tries = 1, .command_worth = TL_COMMAND_WORTH};
    tl_batch_list list;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    tl_batch_clear_edges(&c.edges);
    memset(c.cache, 0xFF, sizeof c.cache);
    CHECK(tl_batch_grow(&arena, &in, &growth, &list) && tl_batch_order(&arena, &in, &list));
    CHECK(tl_slot_allocator_new(&arena, &in, &c.allocator));
    tl_slot_allocator_start(&c.allocator, &list, resident);
    plain_slots p = {.in = &in, .list = &list, .resident = resident};
    for (; p.number < list.count; p.number++) {
        check_one(&c, &p);
        tl_batch_plan_draw(&c.batch, &c.edges, &opts, &c.draw);
        tl_slot_allocator_update(&c.allocator, &c.batch, &c.draw);
        if (resident)
            update_cache(&c.batch, &c.draw, c.cache);
        CHECK(memcmp(c.allocator.cache, c.cache, sizeof c.cache) == 0);
    }
    tl_arena_free(&arena);
    batch_mesh_free(&m);
}

TEST(slots_are_those_of_the_plain_way)
{
    for (uint32_t seed = 1; seed <= 4; seed++) {
        batch_mesh m = seed % 2 == 0 ? batch_torus(11, 7) : batch_grid(10, 8);
        batch_shuffle(&m, seed, 0, seed % 3);
        if (seed > 1)
            batch_grow_bones(&m, 3 + seed, seed);
        check_mesh(m, 1 + seed % 2, 45 + 6 * seed, seed != 4);
    }
}

/* --- caches by hand --- */

/* One batch of a band, and one after it; the cache has vertices of both, of none, and some twice. */
TEST(any_cache_is_used_as_by_the_plain_way)
{
    static slot_case c;
    for (uint32_t seed = 1; seed <= (TEST_SLOW ? 16u : 24u); seed++) {
        const uint32_t size = 2 * (1 + (seed - 1) % 16);
        batch_mesh m = batch_band(40 + size);
        uint32_t state = seed, order[128], first[4] = {0, 14 + size, 34 + size, 40 + size};
        const tl_batch_list list = {.count = 3, .first = first, .order = order};
        if (seed % 2 == 0)
            batch_set_bones(&m, 5, 2 + seed / 2, seed);
        const tl_batch_input in = input_of(&m, 1 + seed % 2);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        for (uint32_t t = 0; t < m.triangle_count; t++)
            order[t] = t;
        CHECK(tl_slot_allocator_new(&arena, &in, &c.allocator));
        tl_slot_allocator_start(&c.allocator, &list, true);
        for (uint32_t s = 0; s < SLOTS; s++) {
            const bool empty = batch_random(&state) % 16 >= 2 + seed % 6;
            c.cache[s] = empty ? TL_NO_VERTEX : batch_random(&state) % m.vertex_count;
        }
        memcpy(c.allocator.cache, c.cache, sizeof c.cache);
        plain_slots p = {.in = &in, .list = &list, .resident = true};
        check_one(&c, &p);
        tl_arena_free(&arena);
        batch_mesh_free(&m);
    }
}

/* Vertex 1 is in slots 10 and 60, because it was loaded twice. Below slot 21 three vertices stay, so two are loaded;
 * the higher slots spare nothing more. */
TEST(a_vertex_in_two_slots)
{
    static const uint32_t triangles[3][3] = {{0, 1, 2}, {2, 1, 3}, {3, 1, 4}};
    static slot_case c;
    const tl_batch_input in = {.vertex_count = 5, .triangle_count = 3, .triangles = triangles};
    uint32_t first[2] = {0, 3}, order[3] = {0, 1, 2};
    const tl_batch_list list = {.count = 1, .first = first, .order = order};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_slot_allocator_new(&arena, &in, &c.allocator));
    tl_slot_allocator_start(&c.allocator, &list, true);
    c.allocator.cache[5] = 0, c.allocator.cache[10] = 1, c.allocator.cache[20] = 2, c.allocator.cache[60] = 1;
    tl_slot_allocate(&c.allocator, 0, &c.batch);
    CHECK_INT(c.batch.block_count, 2);
    CHECK(c.batch.blocks[0].resident && c.batch.blocks[0].count == 3);
    CHECK_INT(c.batch.slots[1], 10);
    CHECK_INT(c.batch.blocks[1].count, 2);
    CHECK_INT(c.batch.vertices[3], 3);
    CHECK_INT(c.batch.vertices[4], 4);
    CHECK_INT(c.batch.vertex_count, 5);
    tl_arena_free(&arena);
}

/* A batch whose vertices are all in the cache but for the last `missing`: that has two gaps, from slots 20 and 50 on.
 */
static void allocate_into_gaps(slot_case *c, uint32_t gap, uint32_t missing)
{
    const uint32_t residents = SLOTS - 2 * gap, triangles = residents + missing - 2;
    uint32_t first[2] = {0, triangles}, order[SLOTS], corners[SLOTS][3], next = 0;
    const tl_batch_input in = {
        .vertex_count = residents + missing, .triangle_count = triangles, .triangles = (const uint32_t(*)[3])corners};
    const tl_batch_list list = {.count = 1, .first = first, .order = order};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (uint32_t t = 0; t < triangles; t++) {
        order[t] = t;
        for (uint32_t k = 0; k < 3; k++)
            corners[t][k] = t + k;
    }
    for (uint32_t s = 0; s < SLOTS; s++)
        c->cache[s] = (s >= 20 && s < 20 + gap) || (s >= 50 && s < 50 + gap) ? TL_NO_VERTEX : next++;
    CHECK(tl_slot_allocator_new(&arena, &in, &c->allocator));
    tl_slot_allocator_start(&c->allocator, &list, true);
    memcpy(c->allocator.cache, c->cache, sizeof c->cache);
    plain_slots p = {.in = &in, .list = &list, .resident = true};
    check_one(c, &p);
    tl_arena_free(&arena);
}

/* A load of four vertices spoils two slots more, so it fits a gap of six; for five, six are read, and eight must be
 * free. Two loads of four are cheaper than one of eight and of what it would overwrite. */
TEST(loads_into_gaps)
{
    static slot_case c;
    for (uint32_t gap = 6; gap <= 8; gap += 2)
        for (uint32_t missing = 2; missing <= 2 * gap; missing += 3)
            allocate_into_gaps(&c, gap, missing);
    allocate_into_gaps(&c, 6, 8);
    CHECK_INT(c.batch.block_count, 3);
    CHECK(c.batch.blocks[0].resident && c.batch.blocks[0].count == 58);
    CHECK(c.batch.blocks[1].slot == 20 && c.batch.blocks[1].count == 4);
    CHECK(c.batch.blocks[2].slot == 50 && c.batch.blocks[2].count == 4);
}

/* Any loads and strips: none of the former cache is left where they were, and what residents are stays. The first strip
 * without indices is the end. */
TEST(the_cache_after_any_batch)
{
    static slot_case c;
    const tl_batch_input in = {.vertex_count = SLOTS};
    uint32_t state = 5;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_slot_allocator_new(&arena, &in, &c.allocator));
    for (uint32_t round = 0; round < (TEST_SLOW ? 150u : 600u); round++) {
        const bool resident = round % 16 != 0;
        uint32_t slot = batch_random(&state) % 8;
        memset(&c.batch, 0, sizeof c.batch);
        memset(&c.draw, 0, sizeof c.draw);
        memset(c.draw.list, 1, sizeof c.draw.list);
        tl_slot_allocator_start(&c.allocator, NULL, resident);
        for (uint32_t s = 0; s < SLOTS; s++)
            c.allocator.cache[s] = c.cache[s] = 1000 + s;
        for (uint32_t b = 0; b < round % 4; b++) {
            const uint32_t count = 1 + batch_random(&state) % (round % 8 < 4 ? 24 : 5);
            if (slot + count > SLOTS)
                break;
            c.batch.blocks[c.batch.block_count++] = (tl_vertex_block){.first = (uint8_t)c.batch.vertex_count,
                                                                      .count = (uint8_t)count,
                                                                      .slot = (uint8_t)slot,
                                                                      .resident = batch_random(&state) % 4 == 0};
            for (uint32_t k = 0; k < count; k++) {
                c.draw.slots[c.batch.vertex_count] = (uint8_t)(slot + count - 1 - k);
                c.batch.vertices[c.batch.vertex_count] = 2000 + c.batch.vertex_count;
                c.batch.vertex_count++;
            }
            slot += count + batch_random(&state) % 9;
        }
        for (uint32_t i = 0; i < 4; i++)
            c.draw.strip_counts[i] = batch_random(&state) % 8 ? 3 + batch_random(&state) % (4 << 2 * i) : 0;
        if (resident)
            update_cache(&c.batch, &c.draw, c.cache);
        tl_slot_allocator_update(&c.allocator, &c.batch, &c.draw);
        for (uint32_t s = 0; s < SLOTS; s++)
            CHECK_INT(c.allocator.cache[s], c.cache[s]);
    }
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(slots_are_those_of_the_plain_way), CASE(any_cache_is_used_as_by_the_plain_way),
          CASE(a_vertex_in_two_slots), CASE(loads_into_gaps), CASE(the_cache_after_any_batch))
