/* Parts of an object run against a plain model of the console's memory: every triangle with its vertices and bones, and
 * every field of each fault. */
#include "harness.h"

#include "formats/t3dm/decode/strip_scan.h"
#include "support/t3dm_console.h"

#include <stdio.h>
#include <string.h>

/* --- what is drawn --- */

static void add_triangle(console_run *r, const t3dm_batch *batch, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t slots[3] = {a, b, c};
    console_triangle t = {.part = batch->part};
    CHECK(r->count < CONSOLE_MOST);
    for (int i = 0; i < 3; i++) {
        t.slots[i] = slots[i];
        t.vertices[i] = batch->cache[slots[i]].vertex;
        t.bones[i] = batch->cache[slots[i]].bone;
    }
    r->triangles[r->count++] = t;
}

static void draw_batch(void *user, const t3dm_batch *batch)
{
    console_run *r = user;
    const uint32_t before = r->count;
    CHECK(batch->count + batch->strip_count > 0);
    for (uint32_t i = 0; i < batch->count; i++)
        add_triangle(user, batch, batch->slots[i][0], batch->slots[i][1], batch->slots[i][2]);
    for (uint32_t i = 0; i < batch->strip_count; i++) {
        const uint8_t *b = batch->strips[i].bytes;
        for (uint32_t k = 2, since = 2; k < batch->strips[i].count; k++, since++) {
            if (b[2 * k] & 0x80)
                since = 0;
            if (since >= 2)
                add_triangle(user, batch, b[2 * (k - (since % 2 ? 1 : 2)) + 1], b[2 * (k - (since % 2 ? 2 : 1)) + 1],
                             b[2 * k + 1]);
        }
    }
    r->strip_count += batch->strip_count;
    r->batches = r->batches * 1021 + r->count - before;
}

static void keep_fault(void *user, const t3dm_draw_fault *found)
{
    console_run *r = user;
    CHECK(r->fault_count < CONSOLE_MOST);
    r->faults[r->fault_count++] = *found;
}

static const t3dm_object *running;

/* The part itself comes next. */
static void keep_sum(void *user, const t3dm_part_sum *sum)
{
    console_run *r = user;
    CHECK(!r->has_sum);
    r->has_sum = true;
    r->sum = *sum;
}

static void keep_part(void *user, const t3dm_part *part, const t3dm_slot *cache)
{
    console_run *r = user;
    const size_t number = (size_t)(part - running->parts);
    CHECK(cache && number < CONSOLE_PARTS && !r->ran[number]);
    r->ran[number] = true;
    r->part_count++;
    r->summed[number] = r->has_sum;
    r->sums[number] = r->sum;
    r->has_sum = false;
}

static void compare_triangles(const console_run *got, const console_run *want, bool leave_out_summed)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < want->count; i++) {
        const console_triangle *t = &want->triangles[i];
        if (leave_out_summed && want->summed[t->part])
            continue;
        CHECK(n < got->count);
        CHECK(memcmp(&got->triangles[n++], t, sizeof *t) == 0);
    }
    CHECK_INT(got->count, n);
}

static void compare_faults(const console_run *got, const console_run *want)
{
    for (uint32_t i = 0; i < got->fault_count && i < want->fault_count; i++) {
        const t3dm_draw_fault *g = &got->faults[i], *w = &want->faults[i];
        CHECK_INT(g->rule, w->rule);
        CHECK_INT(g->part, w->part);
        CHECK_STR(g->field, w->field);
        CHECK_INT(g->offset, w->offset);
        CHECK_INT(g->value, w->value);
        CHECK_INT(g->limit, w->limit);
    }
    CHECK_INT(got->fault_count, want->fault_count);
    CHECK_INT(got->part_count, want->part_count);
    CHECK(memcmp(got->ran, want->ran, sizeof got->ran) == 0);
}

static console_run wanted, found;

static void check_object(const t3dm_file *file, const t3dm_object *object)
{
    const t3dm_drawer plain = {.user = &found, .triangles = draw_batch, .fault = keep_fault, .part = keep_part};
    t3dm_drawer strips = plain, sums = plain;
    strips.takes_strips = true;
    sums.sum = keep_sum;
    running = object;
    console_forget(&wanted);
    console_run_object(file, object, &wanted);
    const t3dm_drawer *all[] = {&plain, &strips, &sums};
    for (int i = 0; i < 3; i++) {
        console_forget(&found);
        tl_t3dm_draw(file, object, all[i]);
        compare_triangles(&found, &wanted, i == 2);
        CHECK(i != 0 || found.strip_count == 0);
        CHECK(i != 1 || wanted.fault_count > 0 || found.strip_count == wanted.strip_count);
        CHECK(i != 1 || found.batches == wanted.batches);
        wanted.batches = found.batches;
        compare_faults(&found, &wanted);
    }
    for (uint32_t i = 0; i < CONSOLE_PARTS; i++) {
        CHECK_INT(found.summed[i], wanted.summed[i]);
        if (wanted.summed[i])
            CHECK(memcmp(&found.sums[i], &wanted.sums[i], sizeof found.sums[i]) == 0);
    }
}

TEST(objects_run_as_on_the_console)
{
    static const uint8_t vertices[CONSOLE_VERTICES * CONSOLE_RAW];
    static uint8_t indices[CONSOLE_INDICES];
    const uint32_t rounds = test_rounds(6000, TEST_SLOW ? 30 : 160);
    uint64_t dice = 7;
    uint32_t triangles = 0, summed = 0, faultless = 0, rules[T3DM_RULE_COUNT] = {0};
    for (uint32_t round = 0; round < rounds; round++) {
        t3dm_part parts[CONSOLE_PARTS];
        const uint32_t version = 1 + round % 4, slots = round % 3 == 0 ? 54 : 20 + console_below(&dice, 51);
        const bool tame = round % 3 == 0; /* nothing is wrong with most */
        console_make_indices(&dice, indices, version, slots, tame);
        for (uint32_t i = 0; i < CONSOLE_PARTS; i++) {
            console_make_part(&dice, &parts[i], version, !tame && console_below(&dice, 6) == 0,
                              i == 0 || console_below(&dice, 3) == 0);
            if (tame) {
                parts[i].vertex_dest = 0, parts[i].vertex_count = 60;
                parts[i].sequence_base /= 4, parts[i].sequence_count /= 4;
            }
            if (parts[i].index_at < CONSOLE_INDICES / 4)
                parts[i].index_at += (tame || console_below(&dice, 4) > 0 ? 1u : 0u) * (CONSOLE_INDICES / 4 + 80);
        }
        const t3dm_file file = {.version = (uint8_t)version,
                                .indices_at = console_below(&dice, 4) == 0 ? console_below(&dice, 16)
                                                                           : 8 * console_below(&dice, 4),
                                .vertices = {vertices, sizeof vertices},
                                .indices = {indices, CONSOLE_INDICES - round % 3}};
        const t3dm_object object = {.at = 0x30 + 4 * (round % 5), .head.part_count = CONSOLE_PARTS, .parts = parts};
        check_object(&file, &object);
        triangles += wanted.count;
        faultless += wanted.fault_count == 0 && wanted.strip_count > 0;
        for (uint32_t i = 0; i < CONSOLE_PARTS; i++)
            summed += wanted.summed[i];
        for (uint32_t i = 0; i < wanted.fault_count; i++)
            rules[wanted.faults[i].rule]++;
    }
    CHECK(triangles > 20 * rounds);
    CHECK(summed > rounds / 8);
    CHECK(faultless > rounds / 100);
    static const enum t3dm_rule_id all[] = {T3DM_R_PART_VERTS, T3DM_R_PART_DEST,  T3DM_R_PART_SOURCE, T3DM_R_PART_LIST,
                                            T3DM_R_SEQUENCE,   T3DM_R_SLOT_RANGE, T3DM_R_SLOT_LOST,   T3DM_R_SLOT_EMPTY,
                                            T3DM_R_STRIP_FLAG, T3DM_R_STRIP_ROOM, T3DM_R_STRIP_SIZE};
    for (size_t i = 0; !TEST_SLOW && i < sizeof all / sizeof *all; i++)
        CHECK(rules[all[i]] > 0);
}

/* --- other versions --- */

/* Triangles without area are left out: versions 1 and 2 skip some of them. */
static void compare_areas(const console_run *got, const console_run *want)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < want->count; i++) {
        const console_triangle *t = &want->triangles[i];
        if (t->slots[0] == t->slots[1] || t->slots[1] == t->slots[2] || t->slots[2] == t->slots[0])
            continue;
        while (n < got->count && (got->triangles[n].slots[0] == got->triangles[n].slots[1] ||
                                  got->triangles[n].slots[1] == got->triangles[n].slots[2] ||
                                  got->triangles[n].slots[2] == got->triangles[n].slots[0]))
            n++;
        CHECK(n < got->count && memcmp(&got->triangles[n++], t, sizeof *t) == 0);
    }
    CHECK(want->fault_count == 0 && got->fault_count == 0);
}

static void check_versions(const t3dm_file *from, tl_arena *arena)
{
    for (uint32_t version = 1; version <= 4; version++) {
        const t3dm_file *to = tl_t3dm_change_version(from, version, arena, NULL);
        uint32_t total = 0;
        CHECK(to && to->version == version && to->header.version == version && to->object_count == 1);
        CHECK_INT(to->header.user_block, 0);
        for (uint32_t i = 0; i < CONSOLE_PARTS; i++) {
            const t3dm_part *a = &from->objects[0].parts[i], *b = &to->objects[0].parts[i];
            CHECK(a->vertex_at == b->vertex_at && a->vertex_count == b->vertex_count && a->bone == b->bone);
            CHECK_INT(b->vertex_dest, a->vertex_dest);
            CHECK_INT(b->sequence_count, version == 4 ? a->sequence_count : 0);
            CHECK_INT(b->sequence_base, version == 4 ? a->sequence_base : 0);
            if (from->version >= 3 || version < 3)
                CHECK(memcmp(a->strip_counts, b->strip_counts, sizeof a->strip_counts) == 0);
            total += b->index_count;
        }
        CHECK_INT(to->header.index_total, total);
        console_forget(&found);
        console_run_object(to, &to->objects[0], &found);
        compare_areas(&found, &wanted);
        if (from->version >= 3 || version < 3)
            continue;
        for (uint32_t i = 0; i < found.count; i++) /* what was skipped is not drawn now */
            CHECK(memcmp(&found.triangles[i], &wanted.triangles[i], sizeof found.triangles[i]) == 0);
        CHECK_INT(found.count, wanted.count);
    }
}

TEST(versions_draw_what_others_do)
{
    static const uint8_t vertices[CONSOLE_VERTICES * CONSOLE_RAW];
    static uint8_t indices[CONSOLE_INDICES];
    uint64_t dice = 21;
    uint32_t checked = 0;
    for (uint32_t round = 0; round < (TEST_SLOW ? 12 : 60); round++) {
        t3dm_part parts[CONSOLE_PARTS];
        const uint32_t version = 1 + round % 4;
        console_make_indices(&dice, indices, version, round % 3 == 0 ? 54 : 6, true);
        for (uint32_t i = 0; i < CONSOLE_PARTS; i++) {
            console_make_part(&dice, &parts[i], version, false, true);
            parts[i].vertex_dest = 0, parts[i].vertex_count = 60;
            parts[i].sequence_base /= 4, parts[i].sequence_count /= 4;
            parts[i].index_at = CONSOLE_INDICES / 4 + 100 + console_below(&dice, 500);
            for (int k = 0; k < T3DM_STRIPS; k++)
                parts[i].strip_counts[k] =
                    (uint8_t)(parts[i].strip_counts[k] % 40 + (parts[i].strip_counts[k] ? 3 : 0));
        }
        t3dm_object object = {.head.part_count = CONSOLE_PARTS, .parts = parts};
        const t3dm_file file = {.version = version,
                                .header.user_block = 7,
                                .object_count = 1,
                                .objects = &object,
                                .vertices = {vertices, sizeof vertices},
                                .indices = {indices, CONSOLE_INDICES}};
        tl_arena arena;
        console_forget(&wanted);
        console_run_object(&file, &object, &wanted);
        if (wanted.fault_count > 0)
            continue;
        tl_arena_init(&arena, NULL);
        check_versions(&file, &arena);
        tl_arena_free(&arena);
        checked++;
    }
    CHECK(checked > (TEST_SLOW ? 2 : 20));
}

/* A list has 65535 indices at most, with those of the sequence. Versions are 1 to 4. */
TEST(versions_have_limits)
{
    static const uint8_t zeros[65536];
    for (uint32_t count = 0; count < 3; count++) {
        t3dm_part part = {.index_count = 65529, .sequence_count = (uint8_t)(1 + count)};
        t3dm_object object = {.head.part_count = 1, .parts = &part};
        const t3dm_file file = {
            .version = 4, .object_count = 1, .objects = &object, .indices = {zeros, sizeof zeros}, .has_bvh = false};
        for (uint32_t version = 0; version <= 5; version++) {
            trilo_error err = {.rule = ""};
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            const t3dm_file *to = tl_t3dm_change_version(&file, version, &arena, &err);
            const bool known = version >= 1 && version <= 4, fits = version == 4 || count < 2;
            CHECK((to != NULL) == (known && fits));
            if (!known) {
                char text[64];
                snprintf(text, sizeof text, "version %u, 1 to 4 can be written", (unsigned)version);
                CHECK_STR(err.text, text);
            } else if (!fits) {
                CHECK_STR(err.rule, "T3DM-RANGE-COUNT");
                CHECK_INT(err.code, TRILO_CODE_LIMIT);
            } else
                CHECK_INT(to->objects[0].parts[0].index_count, version == 4 ? 65529 : 65532 + 3 * count);
            tl_arena_free(&arena);
        }
    }
}

/* One strip of each length, which uses slots up to those that its own indices overwrite. */
TEST(room_of_strips)
{
    static const uint8_t vertices[CONSOLE_VERTICES * CONSOLE_RAW];
    static uint8_t indices[CONSOLE_INDICES];
    const uint32_t step = TEST_SLOW ? 13 : 5;
    for (uint32_t count = 3; count <= 255; count += step)
        for (uint32_t off = 0; off < 5; off++) {
            const uint32_t highest = 69 - (8 * ((count + 3) / 4) + 35) / 36 + 2 - off;
            t3dm_part parts[CONSOLE_PARTS] = {{.vertex_count = 70, .strip_counts = {(uint8_t)count}}};
            for (uint32_t k = 0; k < count; k++) {
                indices[2 * k] = 0;
                indices[2 * k + 1] = (uint8_t)(k == count - 1 ? highest : k % (highest + 1));
            }
            const t3dm_file file = {.version = 4, .vertices = {vertices, sizeof vertices}, .indices = {indices, 512}};
            check_object(&file, &(t3dm_object){.head.part_count = CONSOLE_PARTS, .parts = parts});
            CHECK_INT(found.summed[0], off >= 2);
        }
}

/* An odd number of vertices is loaded with one more. The part behind the last does not count. */
TEST(limits_of_objects)
{
    t3dm_part parts[3] = {
        {.vertex_count = 5, .index_count = 8, .strip_counts = {3, 10, 200, 7}, .sequence_count = 4},
        {.vertex_count = 70, .index_count = 300, .strip_counts = {255, 255, 255, 255}, .sequence_count = 23},
        {.vertex_count = 1, .index_count = 3, .strip_counts = {1, 1, 1, 1}, .sequence_count = 1}};
    t3dm_object object = {.head.part_count = 2, .parts = parts};
    const t3dm_object_limits limits = tl_t3dm_object_limits(&object);
    CHECK_INT(limits.triangles, 2 + 220 + 4 + 100 + 1020 + 23);
    CHECK_INT(limits.vertices, 6 + 71);
    object.head.part_count = 0;
    CHECK_INT(tl_t3dm_object_limits(&object).vertices, 0);
}

TEST_MAIN(CASE(versions_draw_what_others_do), CASE(versions_have_limits), CASE(room_of_strips), CASE(limits_of_objects),
          CASE(objects_run_as_on_the_console))
