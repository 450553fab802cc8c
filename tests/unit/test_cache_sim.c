/* The simulator of the cache itself: small sequences of batches by hand, right ones and ones that break a rule each. */
#include "harness.h"
#include "support/cache_sim.h"

#include <stdio.h>
#include <string.h>

enum { VERTICES = 140, MOST = 400 };

/* An output by hand: vertex i of the input is stored as number i, and everything else is set by the test. */
typedef struct hand {
    tl_batch_input in;
    tl_batch_output out;
    uint32_t triangles[MOST][3];
    uint16_t bones[VERTICES];
    tl_batch_part parts[8];
    uint32_t vertices[VERTICES];
    uint8_t indices[MOST];
    uint16_t strips[MOST];
} hand;

static tl_batch_part *add_load(hand *h, uint32_t first, uint32_t count, uint32_t dest)
{
    tl_batch_part *p = &h->parts[h->out.part_count++];
    *p = (tl_batch_part){.first_vertex = first,
                         .vertex_count = (uint16_t)count,
                         .dest = (uint16_t)dest,
                         .bone = TL_BATCH_NO_BONE,
                         .first_index = h->out.index_count};
    return p;
}

static void add_list(hand *h, tl_batch_part *p, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t slots[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        h->indices[h->out.index_count++] = (uint8_t)slots[i];
    p->index_count = (uint16_t)(p->index_count + 3);
}

static void add_strip(hand *h, tl_batch_part *p, int which, uint32_t count, const uint16_t *slots)
{
    p->first_strip[which] = h->out.strip_size;
    p->strip_counts[which] = (uint8_t)count;
    memcpy(h->strips + h->out.strip_size, slots, count * sizeof *slots);
    h->out.strip_size += count;
}

/* A strip back and forth between slots below `top`. */
static void add_long_strip(hand *h, tl_batch_part *p, int which, uint32_t count, uint32_t top)
{
    uint16_t slots[255];
    for (uint32_t i = 0; i < count; i++)
        slots[i] = (uint16_t)(i % (top + 1));
    slots[0] = (uint16_t)top;
    add_strip(h, p, which, count, slots);
}

static void begin(hand *h)
{
    memset(h, 0, sizeof *h);
    h->in = (tl_batch_input){.vertex_count = VERTICES,
                             .triangle_count = MOST,
                             .triangles = (const uint32_t(*)[3])h->triangles,
                             .strips = true,
                             .sequences = true};
    h->out = (tl_batch_output){.vertex_count = VERTICES,
                               .parts = h->parts,
                               .vertices = h->vertices,
                               .indices = h->indices,
                               .strips = h->strips};
    for (uint32_t i = 0; i < VERTICES; i++) {
        h->vertices[i] = i;
        h->bones[i] = TL_BATCH_NO_BONE;
    }
}

/* The rule that is broken must be the one meant: `words` is part of its sentence, "" for none. */
static void expect(const hand *h, const char *words)
{
    cache_sim_result r;
    cache_sim_run(&h->in, &h->out, &r);
    const bool told = *words ? strstr(r.broken, words) != NULL : r.broken[0] == '\0';
    if (!told)
        FAIL("\"%s\", not \"%s\"", r.broken, words);
    cache_sim_free(&r);
}

static void draws(const hand *h, uint32_t count, const uint32_t (*want)[3])
{
    cache_sim_result r;
    cache_sim_run(&h->in, &h->out, &r);
    CHECK_STR(r.broken, "");
    CHECK_INT(r.triangle_count, count);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            CHECK_INT(r.triangles[i][k], want[i][k]);
    cache_sim_free(&r);
}

/* --- what is drawn --- */

TEST(list_sequence_and_strips_in_turn)
{
    hand h;
    begin(&h);
    tl_batch_part *p = add_load(&h, 4, 12, 2); /* slot s holds vertex s + 2 */
    add_list(&h, p, 4, 3, 2);
    p->sequence_base = 5, p->sequence_count = 2;
    add_strip(&h, p, 0, 9, (const uint16_t[]){2, 3, 4, 5, 6, 7 | 0x8000, 8, 9, 10});
    add_strip(&h, p, 1, 3, (const uint16_t[]){13, 12, 11});
    draws(&h, 9,
          (const uint32_t[][3]){{6, 5, 4},
                                {7, 8, 9},
                                {10, 11, 12},
                                {4, 5, 6},
                                {6, 5, 7},
                                {6, 7, 8},
                                {9, 10, 11},
                                {11, 10, 12}, /* parity starts anew with every run */
                                {15, 14, 13}});
}

/* By hand. Only the second part has a sync of its own: it draws with triangles alone. */
TEST(work_is_counted)
{
    hand h;
    cache_sim_result r;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 20, 0);
    add_list(&h, p, 0, 1, 2);
    p->sequence_count = 2;
    add_strip(&h, p, 0, 5, (const uint16_t[]){0, 1, 2, 3, 4});
    add_strip(&h, p, 1, 8, (const uint16_t[]){0, 1, 2, 3, 4, 5, 6, 7});
    p = add_load(&h, 0, 4, 0);
    add_list(&h, p, 1, 2, 3);
    cache_sim_run(&h.in, &h.out, &r);
    CHECK_STR(r.broken, "");
    CHECK_INT(r.work.loads, 2);
    CHECK_INT(r.work.vertices, 24);
    CHECK_INT(r.work.idle, 12 + 1); /* slots 8 to 19, and 0 of the second */
    CHECK_INT(r.work.draws, 2);
    CHECK_INT(r.work.list, 2);
    CHECK_INT(r.work.in_sequence, 2);
    CHECK_INT(r.work.strip_indices, 13);
    CHECK_INT(r.work.syncs, 1);
    CHECK_INT(r.work.draw_bytes, 8 * (2 + 1 + 2) + 16 + 16);
    CHECK_INT(r.work.rsp_bytes, 2 * 12 + 24 * 16 + 72 + 4);
    CHECK_INT(r.work.commands, 2 + 2 + 1 + 2 + 1);
    cache_sim_free(&r);
}

/* Bone 3 twice, then none, then 4: three matrices are set, the stack is popped in between and at the end. */
TEST(matrices_are_counted)
{
    static const uint16_t bones[] = {3, 3, TL_BATCH_NO_BONE, 4};
    hand h;
    cache_sim_result r;
    begin(&h);
    h.in.bones = h.bones;
    for (uint32_t i = 0; i < 4; i++) {
        tl_batch_part *p = add_load(&h, 4 * i, 4, 0);
        p->bone = bones[i];
        for (int k = 0; k < 4; k++)
            h.bones[4 * i + (uint32_t)k] = bones[i];
        add_list(&h, p, 0, 1, 2);
    }
    cache_sim_run(&h.in, &h.out, &r);
    CHECK_STR(r.broken, "");
    CHECK_INT(r.work.pushes, 3);
    CHECK_INT(r.work.pops, 2);
    CHECK_INT(r.work.rsp_bytes, 4 * (12 + 4 * 16 + 8 + 4) + 3 * (8 + 192) + 2 * (8 + 128));
    cache_sim_free(&r);
}

TEST(triangles_are_compared_with_their_winding)
{
    hand h;
    cache_sim_result r;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 4, 0);
    add_list(&h, p, 0, 1, 2);
    add_list(&h, p, 1, 3, 2);
    static const struct {
        uint32_t count, triangles[3][3];
        bool same;
    } inputs[] = {
        {2, {{2, 1, 3}, {1, 2, 0}}, true},             /* other order, other corner first */
        {2, {{0, 1, 2}, {1, 2, 3}}, false},            /* one turned over */
        {2, {{0, 1, 2}, {0, 1, 2}}, false},            /* one instead of the other */
        {3, {{0, 1, 2}, {1, 3, 2}, {1, 3, 2}}, false}, /* one missing */
    };
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        h.in.triangle_count = inputs[i].count;
        h.in.triangles = inputs[i].triangles;
        cache_sim_run(&h.in, &h.out, &r);
        CHECK_STR(r.broken, "");
        CHECK(cache_sim_same(&h.in, &r) == inputs[i].same);
        cache_sim_free(&r);
    }
    h.in.triangle_count = 1;
    expect(&h, "more triangles");
}

/* --- loads --- */

static void one_load(uint32_t first, uint32_t count, uint32_t dest, const char *words)
{
    hand h;
    begin(&h);
    tl_batch_part *p = add_load(&h, first, count, dest);
    add_list(&h, p, dest, dest, dest);
    expect(&h, words);
}

TEST(loads_have_rules)
{
    one_load(0, 70, 0, "");
    one_load(2, 4, 67, ""); /* up to slot 70 */
    one_load(0, 70, 1, "");
    one_load(0, 0, 0, "a load of nothing");
    one_load(0, 3, 0, "an odd number");
    one_load(1, 4, 0, "middle of a pair");
    one_load(0, 70, 2, "beyond the cache");
    one_load(0, 4, 68, "beyond the cache");
    one_load(VERTICES - 2, 4, 0, "beyond the stored ones");
    one_load(VERTICES + 2, 4, 0, "beyond the stored ones");
    hand h;
    begin(&h);
    h.vertices[3] = VERTICES;
    add_list(&h, add_load(&h, 0, 4, 0), 0, 1, 2);
    expect(&h, "none of the input");
    begin(&h);
    add_load(&h, 0, 4, 0);
    expect(&h, "the last part draws nothing");
}

/* A load of `count` at slot 0, over what is at slot `kept`. */
static void load_over(uint32_t kept, uint32_t count, const char *words)
{
    hand h;
    begin(&h);
    h.in.resident = true;
    add_load(&h, 0, 2, kept);
    add_list(&h, add_load(&h, 0, count, 0), kept, kept, kept);
    expect(&h, words);
}

/* n raw vertices start at byte 2872 - 16 n of 2520: 22 never reach a slot, 34 reach slot 64, 70 slot 48. */
TEST(raw_vertices_overwrite_slots)
{
    load_over(69, 22, "");
    load_over(69, 24, "overwritten");
    load_over(67, 24, "");
    load_over(63, 34, "");
    load_over(64, 34, "overwritten");
    load_over(62, 36, "");
    load_over(63, 36, "overwritten");
}

/* As long as no game set fog, a load spoils the two slots behind. */
TEST(loads_spoil_two_slots_behind)
{
    load_over(12, 10, "");
    load_over(11, 10, "overwritten");
    load_over(10, 10, "overwritten");
}

TEST(vertices_keep_the_bone_they_were_loaded_with)
{
    for (uint16_t bone = 6; bone <= 8; bone++) {
        hand h;
        begin(&h);
        h.in.bones = h.bones;
        h.bones[0] = h.bones[1] = h.bones[2] = 7; /* 3 has none */
        tl_batch_part *p = add_load(&h, 0, 4, 0);
        p->bone = bone;
        add_list(&h, p, 0, 1, 2);
        expect(&h, bone == 7 ? "" : "was loaded with bone");
        h.indices[2] = 3;
        expect(&h, "was loaded with bone");
        h.in.bones = NULL;
        expect(&h, "a bone where the input has none");
    }
}

/* Slots of an earlier part may be drawn when that is asked for; loads up to a part that draws belong together. */
TEST(residents_only_when_asked_for)
{
    hand h;
    begin(&h);
    add_load(&h, 0, 4, 0);
    tl_batch_part *p = add_load(&h, 4, 4, 4);
    add_list(&h, p, 0, 4, 5);
    expect(&h, "");
    p = add_load(&h, 8, 4, 8);
    add_list(&h, p, 8, 9, 10);
    expect(&h, "");
    add_list(&h, p, 8, 9, 3);
    expect(&h, "before the last that drew");
    h.in.resident = true;
    draws(&h, 3, (const uint32_t[][3]){{0, 4, 5}, {8, 9, 10}, {8, 9, 3}});
}

/* --- lists and sequences --- */

TEST(lists_have_rules)
{
    hand h;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 70, 1);
    add_list(&h, p, 1, 2, 69);
    expect(&h, "");
    h.indices[2] = 70; /* was written, but cannot be drawn */
    expect(&h, "slot 70 cannot be drawn");
    h.indices[2] = 0;
    expect(&h, "slot 0 is empty");
    h.indices[2] = 3;
    p->index_count = 4;
    expect(&h, "no multiple of 3");
    p->index_count = 6;
    expect(&h, "beyond the stored ones");
}

TEST(sequences_have_rules)
{
    hand h;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 70, 0);
    p->sequence_base = 1, p->sequence_count = 23;
    expect(&h, "");
    p->sequence_base = 2;
    expect(&h, "beyond the cache");
    p->sequence_base = 0, p->vertex_count = 68;
    expect(&h, "slot 68 is empty");
    h.in.sequences = false;
    expect(&h, "where none may be");
}

/* --- strips --- */

static void one_strip(uint32_t count, const uint16_t *slots, const char *words)
{
    hand h;
    begin(&h);
    add_strip(&h, add_load(&h, 0, 20, 0), 0, count, slots);
    expect(&h, words);
}

TEST(strips_have_rules)
{
    enum { R = 0x8000 };
    one_strip(3, (const uint16_t[]){0, 1, 2}, "");
    one_strip(3, (const uint16_t[]){0 | R, 1, 2}, ""); /* harmless */
    one_strip(6, (const uint16_t[]){0, 1, 2, 3 | R, 4, 5}, "");
    one_strip(2, (const uint16_t[]){0, 1}, "a strip of 2");
    one_strip(1, (const uint16_t[]){0}, "a strip of 1");
    one_strip(4, (const uint16_t[]){0, 1, 2, 3 | R}, "the last index");
    one_strip(5, (const uint16_t[]){0, 1, 2 | R, 3, 4}, "a run of 2");
    one_strip(5, (const uint16_t[]){0, 1, 2, 3 | R, 4}, "a run of 2");
    one_strip(6, (const uint16_t[]){0, 1 | R, 2, 3, 4, 5}, "a run of 1");
    one_strip(3, (const uint16_t[]){0, 1, 20}, "slot 20 is empty");
    one_strip(3, (const uint16_t[]){0, 1, 71}, "cannot be drawn");
    hand h;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 20, 0);
    add_strip(&h, p, 0, 3, (const uint16_t[]){0, 1, 2});
    add_strip(&h, p, 1, 3, (const uint16_t[]){3, 4, 5});
    expect(&h, "");
    p->first_strip[1] = 2;
    expect(&h, "another strip has too");
    p->first_strip[1] = 4;
    expect(&h, "beyond the stored ones");
    h.in.strips = false;
    expect(&h, "where none may be");
}

/* Legal since version 3, but skipped before. */
TEST(flat_triangles_of_strips_are_counted)
{
    hand h;
    cache_sim_result r;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 20, 0);
    add_list(&h, p, 3, 3, 3);
    add_strip(&h, p, 0, 6, (const uint16_t[]){0, 1, 0, 2, 3, 3});
    cache_sim_run(&h.in, &h.out, &r);
    CHECK_STR(r.broken, "");
    CHECK_INT(r.triangle_count, 5);
    CHECK_INT(r.work.flat, 2);
    cache_sim_free(&r);
}

/* The first count of 0 ends the strips of a part: what is behind is not drawn. */
TEST(strips_end_at_a_count_of_zero)
{
    hand h;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 20, 0);
    add_strip(&h, p, 0, 3, (const uint16_t[]){0, 1, 2});
    add_strip(&h, p, 2, 3, (const uint16_t[]){3, 4, 5});
    draws(&h, 1, (const uint32_t[][3]){{0, 1, 2}});
}

static void strip_below(uint32_t count, uint32_t top, const char *words)
{
    hand h;
    begin(&h);
    add_long_strip(&h, add_load(&h, 0, 70, 0), 0, count, top);
    expect(&h, words);
}

/* With f slots free above, there is room for 18 f indices, 2 less when f is odd: 16, 36, 52, 72, 88, 108, ... */
TEST(strips_overwrite_the_upper_end)
{
    static const uint32_t room[] = {0, 16, 36, 52, 72, 88, 108, 124, 144, 160, 180, 196, 216, 232, 252};
    strip_below(3, 69, "overwritten");
    for (uint32_t f = 1; f < sizeof room / sizeof room[0]; f++) {
        strip_below(room[f], 69 - f, "");
        strip_below(room[f] + 1, 69 - f, "overwritten");
    }
    strip_below(255, 54, "");
}

/* Lists and sequences come before strips, and a strip before the next: only what is still needed counts. */
TEST(strips_spare_what_is_drawn_later)
{
    hand h;
    begin(&h);
    tl_batch_part *p = add_load(&h, 0, 70, 0);
    add_list(&h, p, 67, 68, 69);
    p->sequence_base = 64, p->sequence_count = 2;
    add_long_strip(&h, p, 0, 16, 68);
    add_long_strip(&h, p, 1, 36, 67);
    expect(&h, "");
    begin(&h);
    p = add_load(&h, 0, 70, 0);
    add_long_strip(&h, p, 0, 36, 67); /* takes 68 and 69 */
    add_long_strip(&h, p, 1, 16, 68);
    expect(&h, "overwritten");
    begin(&h);
    h.in.resident = true;
    add_long_strip(&h, add_load(&h, 0, 70, 0), 0, 16, 68);
    add_list(&h, add_load(&h, 0, 4, 0), 0, 68, 1);
    expect(&h, "");
    h.indices[1] = 69;
    expect(&h, "overwritten");
}

TEST_MAIN(CASE(list_sequence_and_strips_in_turn), CASE(work_is_counted), CASE(matrices_are_counted),
          CASE(triangles_are_compared_with_their_winding), CASE(loads_have_rules), CASE(raw_vertices_overwrite_slots),
          CASE(loads_spoil_two_slots_behind), CASE(vertices_keep_the_bone_they_were_loaded_with),
          CASE(residents_only_when_asked_for), CASE(lists_have_rules), CASE(sequences_have_rules),
          CASE(strips_have_rules), CASE(flat_triangles_of_strips_are_counted), CASE(strips_end_at_a_count_of_zero),
          CASE(strips_overwrite_the_upper_end), CASE(strips_spare_what_is_drawn_later))
