/* Strips scanned eight or sixteen indices at a time against one by one, and parts summed up, or drawn as strips,
 * against their triangles. */
#include "harness.h"

#include "formats/t3dm/decode/strip_scan.h"
#include "support/numbers.h"

#include <stdlib.h>
#include <string.h>

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

/* Few slots, so that some are equal; flags, mostly where they may be, and slots that no cache has. */
static void fill_strip(uint64_t *dice, uint8_t *bytes, uint32_t count)
{
    const uint32_t slots = 3 + below(dice, 70), flags = below(dice, 12), wild = below(dice, 8);
    for (uint32_t k = 0, since = 0; k < count; k++, since++) {
        const bool may_start = since >= 3 && k + 2 < count;
        const bool flag = flags > 0 && below(dice, may_start ? flags : 400) == 0;
        const uint32_t slot = wild == 0 && below(dice, 40) == 0 ? below(dice, 0x8000) : below(dice, slots);
        bytes[2 * k] = (uint8_t)(slot >> 8 | (flag ? 0x80 : 0));
        bytes[2 * k + 1] = (uint8_t)slot;
        since = flag ? 0 : since;
    }
}

static void check_facts(const t3dm_strip_facts *got, const t3dm_strip_facts *want)
{
    CHECK_INT(got->highest, want->highest);
    CHECK_INT(got->fine, want->fine);
    if (want->fine) {
        CHECK_INT(got->restarts, want->restarts);
        CHECK_INT(got->degenerate, want->degenerate);
    }
}

/* In a block of exactly the strip, and with other bytes behind it, which must not count. */
static void compare_scans(uint64_t *dice, uint32_t version, uint32_t count, uint32_t behind)
{
    const size_t size = 2 * (size_t)count + behind;
    uint8_t *bytes = malloc(size);
    CHECK(bytes);
    fill_strip(dice, bytes, count);
    for (uint32_t k = 0; k < behind; k++)
        bytes[2 * count + k] = (uint8_t)random_bits(dice);
    const t3dm_strip strip = {bytes, count};
    const t3dm_strip_facts want = tl_t3dm_scan_indices(version, &strip);
    t3dm_strip_facts got = tl_t3dm_scan_strip(version, &strip, bytes + size);
    check_facts(&got, &want);
    if (version >= T3DM_V3) {
        const bool small = tl_t3dm_scan_lanes(&strip, bytes + size, &got);
        CHECK(small == (want.highest < 128));
        if (small)
            check_facts(&got, &want);
#if TL_AVX2
        if (tl_has_avx2()) {
            CHECK(tl_t3dm_scan_avx2(&strip, bytes + size, &got) == small);
            if (small)
                check_facts(&got, &want);
        }
#endif
    }
    free(bytes);
}

TEST(scans_agree)
{
    uint64_t dice = 1;
    for (uint32_t count = 3; count <= UINT8_MAX; count++)
        for (uint32_t round = 0; round < 40; round++)
            compare_scans(&dice, T3DM_V3 - 1 + round % 3, count, round % 2 == 0 ? 0 : below(&dice, 48));
}

/* 0 1 2 | 3 4 4 3, then what flags forbid. */
TEST(scans_find_what_is_there)
{
    uint8_t bytes[] = {0, 0, 0, 1, 0, 2, 0x80, 3, 0, 4, 0, 4, 0, 3};
    const t3dm_strip strip = {bytes, 7};
    t3dm_strip_facts facts = tl_t3dm_scan_strip(T3DM_V4, &strip, bytes + sizeof bytes);
    CHECK(facts.fine);
    CHECK_INT(facts.highest, 4);
    CHECK_INT(facts.restarts, 1);
    CHECK_INT(facts.degenerate, 2);
    for (uint32_t k = 1; k < 7; k++) {
        bytes[2 * k] |= 0x80;
        CHECK_INT(tl_t3dm_scan_strip(T3DM_V4, &strip, bytes + sizeof bytes).fine, k == 3);
        bytes[2 * k] &= (uint8_t)(k == 3 ? 0xFF : 0x7F);
    }
    bytes[0] = 0x80; /* says nothing */
    CHECK(tl_t3dm_scan_strip(T3DM_V4, &strip, bytes + sizeof bytes).fine);
}

/* --- all strips of a part --- */

typedef bool sum_fn(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                    t3dm_strips_sum *sum);

/* Index by index. A limit holds for the strips after it, too. */
static bool sum_plainly(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                        t3dm_strips_sum *sum)
{
    bool good = true;
    (void)end;
    *sum = (t3dm_strips_sum){.restarts = 0};
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_strip_facts facts = tl_t3dm_scan_indices(T3DM_V4, &strips[i]);
        good = good && facts.fine;
        sum->restarts += facts.restarts;
        sum->degenerate += facts.degenerate;
        for (uint32_t k = 0; k < strips[i].count; k++) {
            bool restart;
            const uint32_t slot = t3dm_strip_slot(T3DM_V4, &strips[i], k, &restart);
            for (uint32_t before = 0; before <= i; before++)
                good = good && slot <= limits[before];
            if (slot < 128)
                sum->slots.words[slot / 64] |= (uint64_t)1 << slot % 64;
        }
    }
    return good;
}

static void compare_sums(sum_fn *fn, const t3dm_strip *strips, const uint8_t *limits, uint32_t count,
                         const uint8_t *end, const t3dm_strips_sum *want)
{
    t3dm_strips_sum got;
    CHECK((want != NULL) == fn(strips, limits, count, end, &got));
    if (!want)
        return;
    CHECK_INT(got.restarts, want->restarts);
    CHECK_INT(got.degenerate, want->degenerate);
    CHECK(got.slots.words[0] == want->slots.words[0] && got.slots.words[1] == want->slots.words[1]);
}

/* Strips of a block of their own, which ends with the last one. */
TEST(sums_of_strips_agree)
{
    uint64_t dice = 4;
    uint32_t good = 0, rounds = 20000;
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t count = 1 + below(&dice, T3DM_STRIPS), most = round % 8 == 0 ? 253 : 40;
        t3dm_strip strips[T3DM_STRIPS];
        uint8_t limits[T3DM_STRIPS];
        size_t size = 0;
        for (uint32_t i = 0; i < count; i++) {
            strips[i].count = 3 + below(&dice, most);
            limits[i] = (uint8_t)(below(&dice, 4) == 0 ? below(&dice, 96) : 95);
            size += 2 * (size_t)strips[i].count;
        }
        uint8_t *bytes = malloc(size), *at = bytes;
        CHECK(bytes);
        for (uint32_t i = 0; i < count; at += 2 * (size_t)strips[i++].count) {
            fill_strip(&dice, at, strips[i].count);
            strips[i].bytes = at;
        }
        t3dm_strips_sum want;
        const bool sums = sum_plainly(strips, limits, count, at, &want);
        compare_sums(tl_t3dm_sum_strips, strips, limits, count, at, sums ? &want : NULL);
        compare_sums(tl_t3dm_sum_lanes, strips, limits, count, at, sums ? &want : NULL);
#if TL_AVX2
        if (tl_has_avx2())
            compare_sums(tl_t3dm_sum_avx2, strips, limits, count, at, sums ? &want : NULL);
#endif
        good += sums;
        free(bytes);
    }
    CHECK(good > rounds / 4 && good < rounds / 4 * 3);
}

/* --- parts --- */

typedef struct tally {
    uint64_t triangles, degenerate, faults, drawn, parts;
    uint8_t seen[128];
    uint32_t loaded[T3DM_CACHE + 1]; /* the vertex of each slot */
    bool summed;                     /* this part was */
    bool sums;                       /* some part was summed up */
} tally;

static void add_triangles(void *user, const t3dm_batch *batch)
{
    tally *t = user;
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint8_t *s = batch->slots[i];
        t->seen[s[0]] = t->seen[s[1]] = t->seen[s[2]] = 1;
        t->degenerate += s[0] == s[1] || s[1] == s[2] || s[2] == s[0];
    }
    t->triangles += batch->count;
}

static void add_sum(void *user, const t3dm_part_sum *sum)
{
    tally *t = user;
    for (uint32_t k = 0; k < sizeof t->seen; k++)
        t->seen[k] = t3dm_set_has(&sum->drawn, k);
    t->triangles += sum->triangles;
    t->degenerate += sum->degenerate;
    t->sums = t->summed = true;
}

static void add_fault(void *user, const t3dm_draw_fault *fault)
{
    tally *t = user;
    t->faults = t->faults * 31 + fault->rule * 7u + fault->part + fault->value;
}

/* The vertices of the slots that a part has drawn, and the order of parts. */
static void end_part(void *user, const t3dm_part *part, const t3dm_slot *cache)
{
    tally *t = user;
    const uint32_t first = part->vertex_dest, end = first + (part->vertex_count + 1u) / 2 * 2;
    for (uint32_t k = first; k < end; k++)
        t->loaded[k] = part->vertex_at / T3DM_VERTEX_SIZE + k - first;
    for (uint32_t k = 0; k < T3DM_CACHE; k++) {
        const bool own = k >= first && k < end;
        if (t->seen[k] && !(t->summed && own))
            CHECK_INT(cache[k].vertex, t->loaded[k]);
        if (t->seen[k])
            t->drawn = t->drawn * 31 + t->loaded[k] + k;
    }
    t->drawn += part->vertex_count;
    t->parts++;
    t->summed = false;
    memset(t->seen, 0, sizeof t->seen);
}

enum { PARTS = 6, INDEX_BYTES = 4096, VERTICES = 120 };

/* Mostly parts that can be drawn. Some load a few slots and draw others that are still there. */
static void make_parts(uint64_t *dice, t3dm_part parts[PARTS], uint8_t indices[INDEX_BYTES])
{
    const uint32_t slots = 20 + below(dice, 48);
    uint32_t at = 0;
    for (uint32_t i = 0; i < PARTS; i++) {
        t3dm_part *p = &parts[i];
        *p = (t3dm_part){.vertex_count = (uint16_t)(slots + below(dice, 3)), .bone = T3DM_NO_BONE, .index_at = at};
        p->vertex_at = 2 * T3DM_VERTEX_SIZE * below(dice, (VERTICES - T3DM_CACHE) / 2);
        if (i > 0 && below(dice, 2) == 0) {
            p->vertex_dest = (uint16_t)below(dice, slots - 8);
            p->vertex_count = (uint16_t)below(dice, slots - p->vertex_dest + 1);
        }
        p->index_count = (uint16_t)(3 * below(dice, 5) + (below(dice, 30) == 0));
        p->sequence_count = (uint8_t)below(dice, 3);
        p->sequence_base = (uint8_t)below(dice, 16);
        for (uint32_t k = 0; k < p->index_count; k++)
            indices[at++] = (uint8_t)(below(dice, 100) == 0 ? below(dice, 256) : below(dice, slots));
        for (uint32_t s = 0, count = below(dice, T3DM_STRIPS + 1); s < count; s++) {
            p->strip_counts[s] = (uint8_t)(3 + below(dice, 30));
            at = (at + 7) / 8 * 8;
            for (uint32_t k = 0; k < p->strip_counts[s]; k++, at += 2) {
                const bool flag = k > 2 && k + 2 < p->strip_counts[s] && below(dice, 10) == 0 &&
                                  !((indices[at - 2] | indices[at - 4]) & 0x80);
                indices[at] = flag || below(dice, 1000) == 0 ? 0x80 : 0;
                indices[at + 1] = (uint8_t)(below(dice, 1000) == 0 ? below(dice, 256) : below(dice, slots));
            }
        }
    }
}

TEST(sums_are_those_of_triangles)
{
    static const uint8_t vertices[VERTICES * T3DM_VERTEX_SIZE];
    uint64_t dice = 2;
    uint32_t summed = 0, faulty = 0;
    for (uint32_t round = 0; round < 4000; round++) {
        uint8_t indices[INDEX_BYTES] = {0};
        t3dm_part parts[PARTS];
        tally one = {0}, other = {0};
        make_parts(&dice, parts, indices);
        const t3dm_file file = {
            .version = 4, .vertices = {vertices, sizeof vertices}, .indices = {indices, sizeof indices}};
        const t3dm_object object = {.head.part_count = PARTS, .parts = parts};
        tl_t3dm_draw(&file, &object,
                     &(t3dm_drawer){.user = &one, .triangles = add_triangles, .fault = add_fault, .part = end_part});
        tl_t3dm_draw(
            &file, &object,
            &(t3dm_drawer){
                .user = &other, .triangles = add_triangles, .sum = add_sum, .fault = add_fault, .part = end_part});
        CHECK_INT(other.triangles, one.triangles);
        CHECK_INT(other.degenerate, one.degenerate);
        CHECK_INT(other.faults, one.faults);
        CHECK_INT(other.drawn, one.drawn);
        CHECK_INT(other.parts, one.parts);
        summed += other.sums;
        faulty += one.faults != 0;
    }
    CHECK(summed > 1000);
    CHECK(faulty > 100);
}

/* --- strips --- */

/* Triangles in their order; a callback takes a place, too. */
typedef struct drawing {
    uint64_t triangles, order, faults;
    bool strips; /* some were not split */
} drawing;

static void draw_corners(drawing *d, uint32_t part, uint32_t a, uint32_t b, uint32_t c)
{
    d->order = d->order * 31 + (((uint64_t)part << 8 | a) << 8 | b) * 256 + c;
    d->triangles++;
}

static void draw_batch(void *user, const t3dm_batch *batch)
{
    drawing *d = user;
    for (uint32_t i = 0; i < batch->count; i++)
        draw_corners(d, batch->part, batch->slots[i][0], batch->slots[i][1], batch->slots[i][2]);
    for (uint32_t i = 0; i < batch->strip_count; i++) {
        const t3dm_strip *strip = &batch->strips[i];
        bool starts, odd = false;
        for (uint32_t k = 2; k < strip->count; k++, odd = !odd) {
            const uint32_t a = t3dm_strip_slot(T3DM_V4, strip, k - 2, &starts),
                           b = t3dm_strip_slot(T3DM_V4, strip, k - 1, &starts),
                           c = t3dm_strip_slot(T3DM_V4, strip, k, &starts);
            if (starts) {
                k++;
                odd = true;
                continue;
            }
            draw_corners(d, batch->part, odd ? b : a, odd ? a : b, c);
        }
        d->strips = true;
    }
    d->order = d->order * 31 + 7;
}

static void draw_fault(void *user, const t3dm_draw_fault *fault)
{
    ((drawing *)user)->faults += fault->rule + 1u;
}

/* Long ones fill a batch. */
TEST(strips_are_drawn_in_order)
{
    static const uint8_t vertices[VERTICES * T3DM_VERTEX_SIZE];
    uint64_t dice = 3;
    uint32_t whole = 0, faulty = 0;
    for (uint32_t round = 0; round < 4000; round++) {
        uint8_t indices[INDEX_BYTES] = {0};
        t3dm_part parts[PARTS];
        drawing one = {0}, other = {0};
        make_parts(&dice, parts, indices);
        if (round % 4 == 0)
            for (int i = 0; i < T3DM_STRIPS; i++)
                parts[2].strip_counts[i] = (uint8_t)(160 + below(&dice, 96));
        const t3dm_file file = {
            .version = 4, .vertices = {vertices, sizeof vertices}, .indices = {indices, sizeof indices}};
        const t3dm_object object = {.head.part_count = PARTS, .parts = parts};
        tl_t3dm_draw(&file, &object, &(t3dm_drawer){.user = &one, .triangles = draw_batch, .fault = draw_fault});
        tl_t3dm_draw(
            &file, &object,
            &(t3dm_drawer){.user = &other, .triangles = draw_batch, .takes_strips = true, .fault = draw_fault});
        CHECK_INT(other.triangles, one.triangles);
        CHECK_INT(other.order, one.order);
        CHECK_INT(other.faults, one.faults);
        CHECK(!one.strips);
        whole += other.strips;
        faulty += other.faults != 0;
    }
    CHECK(whole > 2000);
    CHECK(faulty > 200);
}

TEST_MAIN(CASE(scans_agree), CASE(scans_find_what_is_there), CASE(sums_of_strips_agree),
          CASE(sums_are_those_of_triangles), CASE(strips_are_drawn_in_order))
