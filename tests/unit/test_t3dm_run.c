/* Parts of an object run against a plain model of the console's memory: every triangle with its vertices and bones, and
 * every field of each fault. */
#include "harness.h"

#include "formats/t3dm/decode/strip_scan.h"
#include "support/numbers.h"

#include <stdio.h>
#include <string.h>

enum { PARTS = 7, INDEX_BYTES = 3000, STORED = 150, MOST_TRIANGLES = 8000, MOST_FAULTS = 8000 };
/* Bytes from the start of slot 0, and records of the file. */
enum { SLOT = 36, DRAWABLE = 70, WRITABLE = 71, LOAD_END = 2872, RAW = 16, MEMORY = 2880, OBJECT_HEAD = 0x20 };

typedef struct triangle {
    uint32_t part, slots[3], vertices[3], bones[3];
} triangle;

typedef struct run {
    uint32_t count, fault_count, part_count, strip_count;
    uint64_t batches; /* the triangles in each */
    triangle triangles[MOST_TRIANGLES];
    t3dm_draw_fault faults[MOST_FAULTS];
    bool ran[PARTS], summed[PARTS], has_sum;
    t3dm_part_sum sums[PARTS], sum;
} run;

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

/* --- the plain model --- */

typedef struct console {
    const t3dm_file *file;
    const t3dm_object *object;
    const t3dm_part *part;
    uint32_t number;
    bool whole[MEMORY]; /* bytes of a vertex that nothing has overwritten */
    bool loaded[DRAWABLE];
    uint32_t vertices[WRITABLE], bones[WRITABLE];
    run *out;
} console;

static void fault(console *c, enum t3dm_rule_id rule, const char *field, uint32_t field_at, uint32_t value,
                  uint32_t limit)
{
    const uint32_t part_size = c->file->version == 4 ? 0x18 : 0x14;
    CHECK(c->out->fault_count < MOST_FAULTS);
    c->out->faults[c->out->fault_count++] = (t3dm_draw_fault){
        rule, c->number, c->object->at + OBJECT_HEAD + c->number * part_size + field_at, field, value, limit};
}

static bool is_whole(const console *c, uint32_t slot)
{
    for (uint32_t i = 0; i < SLOT; i++)
        if (!c->whole[SLOT * slot + i])
            return false;
    return true;
}

static bool load(console *c)
{
    const t3dm_part *p = c->part;
    const uint32_t count = p->vertex_count + p->vertex_count % 2;
    if (p->vertex_count > DRAWABLE) {
        fault(c, T3DM_R_PART_VERTS, "vertex_count", 4, p->vertex_count, 70);
        return false;
    }
    if (p->vertex_dest + count > WRITABLE) {
        fault(c, T3DM_R_PART_DEST, "vertex_dest", 6, p->vertex_dest, WRITABLE - count);
        return false;
    }
    if (p->vertex_at % 32 != 0 || p->vertex_at + RAW * (uint64_t)count > c->file->vertices.size) {
        fault(c, T3DM_R_PART_SOURCE, "vertex_at", 0, p->vertex_at, (uint32_t)c->file->vertices.size);
        return false;
    }
    for (uint32_t i = LOAD_END - RAW * count; i < LOAD_END; i++)
        c->whole[i] = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = p->vertex_dest + i;
        for (uint32_t k = 0; k < SLOT; k++)
            c->whole[SLOT * slot + k] = true;
        c->vertices[slot] = p->vertex_at / RAW + i;
        c->bones[slot] = p->bone;
        if (slot < DRAWABLE)
            c->loaded[slot] = true;
    }
    return true;
}

static void draw(console *c, uint32_t x, uint32_t y, uint32_t z, const char *field, uint32_t field_at)
{
    const uint32_t slots[3] = {x, y, z};
    triangle t = {.part = c->number};
    for (int i = 0; i < 3; i++) {
        if (slots[i] >= DRAWABLE) {
            fault(c, T3DM_R_SLOT_RANGE, field, field_at, slots[i], 69);
            return;
        }
        if (!is_whole(c, slots[i])) {
            fault(c, c->loaded[slots[i]] ? T3DM_R_SLOT_LOST : T3DM_R_SLOT_EMPTY, field, field_at, slots[i], 0);
            return;
        }
        t.slots[i] = slots[i];
        t.vertices[i] = c->vertices[slots[i]];
        t.bones[i] = c->bones[slots[i]];
    }
    CHECK(c->out->count < MOST_TRIANGLES);
    c->out->triangles[c->out->count++] = t;
}

static void draw_list_and_sequence(console *c)
{
    const t3dm_part *p = c->part;
    const uint64_t end = p->index_at + (uint64_t)p->index_count;
    if (p->index_count > 0 && (p->index_count % 3 != 0 || end > c->file->indices.size)) {
        fault(c, T3DM_R_PART_LIST, "index_count", 0x0C, p->index_count, (uint32_t)c->file->indices.size);
    } else {
        for (uint64_t i = p->index_at; i < end; i += 3) {
            const uint8_t *slots = c->file->indices.data + i;
            draw(c, slots[0], slots[1], slots[2], "index_at", 8);
        }
    }
    const uint32_t sequence_end = p->sequence_base + 3u * p->sequence_count;
    if (p->sequence_count > 0 && sequence_end > DRAWABLE) {
        fault(c, T3DM_R_SEQUENCE, "sequence_count", 0x15, sequence_end, 70);
        return;
    }
    for (uint32_t i = p->sequence_base; i < sequence_end; i += 3)
        draw(c, i, i + 1, i + 2, "sequence_base", 0x14);
}

typedef struct plain_strip {
    uint32_t count, slots[256], highest;
    bool starts[256], fine;
} plain_strip;

/* The strips of the part up to one that cannot be read. */
static uint32_t read_strips(const console *c, plain_strip strips[T3DM_STRIPS])
{
    const t3dm_part *p = c->part;
    uint64_t at = c->file->indices_at + (uint64_t)p->index_at + p->index_count; /* of the file */
    for (uint32_t s = 0; s < T3DM_STRIPS; s++) {
        plain_strip *strip = &strips[s];
        const uint32_t count = p->strip_counts[s];
        while (at % 8 != 0)
            at++;
        if (count < 3 || at + 2 * count > c->file->indices_at + (uint64_t)c->file->indices.size)
            return s;
        *strip = (plain_strip){.count = count, .fine = true};
        for (uint32_t k = 0; k < count; k++, at += 2) {
            const uint8_t *bytes = c->file->indices.data + at - c->file->indices_at;
            const int32_t word = bytes[0] << 8 | bytes[1];
            strip->starts[k] = word >= 0x8000;
            strip->slots[k] = (uint32_t)(word < 0x8000           ? word
                                         : c->file->version >= 3 ? word - 0x8000
                                                                 : -(word - 0x10000) - 1);
            strip->highest = strip->slots[k] > strip->highest ? strip->slots[k] : strip->highest;
        }
        /* Every piece has three indices or more; the first starts by itself. */
        for (uint32_t k = 1, since = 1; k <= count; k++, since++)
            if (k == count || strip->starts[k]) {
                strip->fine &= since >= 3;
                since = 0;
            }
    }
    return T3DM_STRIPS;
}

static void draw_strip(console *c, const plain_strip *s)
{
    uint32_t piece = 0; /* where it starts */
    if (!s->fine) {
        fault(c, T3DM_R_STRIP_FLAG, "strip_counts", 0x10, s->count, 3);
        return;
    }
    for (uint32_t k = 0; k < s->count; k++) {
        piece = k > 0 && s->starts[k] ? k : piece;
        if (k < piece + 2)
            continue;
        const uint32_t a = s->slots[k - 2], b = s->slots[k - 1];
        const bool odd = (k - piece) % 2 == 1, skipped = c->file->version < 3 && a == s->slots[k];
        if (!skipped)
            draw(c, odd ? b : a, odd ? a : b, s->slots[k], "strip_counts", 0x10);
    }
}

static void draw_strips(console *c)
{
    static plain_strip strips[T3DM_STRIPS];
    uint32_t highest = 0, most = 0;
    const uint32_t count = read_strips(c, strips);
    if (count < T3DM_STRIPS && c->part->strip_counts[count] != 0)
        fault(c, T3DM_R_STRIP_SIZE, "strip_counts", 0x10, c->part->strip_counts[count],
              (uint32_t)c->file->indices.size);
    for (uint32_t s = count; s-- > 0;) {
        const uint32_t bytes = 8 * ((strips[s].count + 3) / 4);
        highest = strips[s].highest > highest ? strips[s].highest : highest;
        most = bytes > most ? bytes : most;
        if (highest < DRAWABLE && bytes > SLOT * (69 - highest))
            fault(c, T3DM_R_STRIP_ROOM, "strip_counts", 0x10, bytes, SLOT * (69 - highest));
    }
    for (uint32_t s = 0; s < count; s++)
        draw_strip(c, &strips[s]);
    for (uint32_t i = DRAWABLE * SLOT - most; i < DRAWABLE * SLOT; i++)
        c->whole[i] = false;
}

static void run_plainly(const t3dm_file *file, const t3dm_object *object, run *out)
{
    static console c;
    c = (console){.file = file, .object = object, .out = out};
    for (c.number = 0; c.number < PARTS; c.number++) {
        c.part = &object->parts[c.number];
        if (!load(&c))
            continue;
        const uint32_t faults = out->fault_count, first = out->count;
        draw_list_and_sequence(&c);
        draw_strips(&c);
        for (uint32_t s = 0; file->version >= 3 && s < T3DM_STRIPS && c.part->strip_counts[s] != 0; s++)
            out->strip_count++;
        out->ran[c.number] = true;
        out->part_count++;
        out->summed[c.number] = file->version >= 3 && out->fault_count == faults;
        t3dm_part_sum *sum = &out->sums[c.number];
        for (const triangle *t = out->triangles + first; t < out->triangles + out->count; t++) {
            const uint32_t *s = t->slots;
            sum->triangles++;
            sum->degenerate += s[0] == s[1] || s[1] == s[2] || s[2] == s[0];
            for (int k = 0; k < 3; k++)
                sum->drawn.words[s[k] / 64] |= UINT64_C(1) << s[k] % 64;
        }
    }
}

/* --- what is drawn --- */

static void add_triangle(run *r, const t3dm_batch *batch, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t slots[3] = {a, b, c};
    triangle t = {.part = batch->part};
    CHECK(r->count < MOST_TRIANGLES);
    for (int i = 0; i < 3; i++) {
        t.slots[i] = slots[i];
        t.vertices[i] = batch->cache[slots[i]].vertex;
        t.bones[i] = batch->cache[slots[i]].bone;
    }
    r->triangles[r->count++] = t;
}

static void draw_batch(void *user, const t3dm_batch *batch)
{
    run *r = user;
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
    run *r = user;
    CHECK(r->fault_count < MOST_FAULTS);
    r->faults[r->fault_count++] = *found;
}

static const t3dm_object *running;

/* The part itself comes next. */
static void keep_sum(void *user, const t3dm_part_sum *sum)
{
    run *r = user;
    CHECK(!r->has_sum);
    r->has_sum = true;
    r->sum = *sum;
}

static void keep_part(void *user, const t3dm_part *part, const t3dm_slot *cache)
{
    run *r = user;
    const size_t number = (size_t)(part - running->parts);
    CHECK(cache && number < PARTS && !r->ran[number]);
    r->ran[number] = true;
    r->part_count++;
    r->summed[number] = r->has_sum;
    r->sums[number] = r->sum;
    r->has_sum = false;
}

static void compare_triangles(const run *got, const run *want, bool leave_out_summed)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < want->count; i++) {
        const triangle *t = &want->triangles[i];
        if (leave_out_summed && want->summed[t->part])
            continue;
        CHECK(n < got->count);
        CHECK(memcmp(&got->triangles[n++], t, sizeof *t) == 0);
    }
    CHECK_INT(got->count, n);
}

static void compare_faults(const run *got, const run *want)
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

static run wanted, found;

static void check_object(const t3dm_file *file, const t3dm_object *object)
{
    const t3dm_drawer plain = {.user = &found, .triangles = draw_batch, .fault = keep_fault, .part = keep_part};
    t3dm_drawer strips = plain, sums = plain;
    strips.takes_strips = true;
    sums.sum = keep_sum;
    running = object;
    memset(&wanted, 0, offsetof(run, triangles));
    memset(wanted.ran, 0, sizeof wanted - offsetof(run, ran));
    run_plainly(file, object, &wanted);
    const t3dm_drawer *all[] = {&plain, &strips, &sums};
    for (int i = 0; i < 3; i++) {
        memset(&found, 0, offsetof(run, triangles));
        memset(found.ran, 0, sizeof found - offsetof(run, ran));
        tl_t3dm_draw(file, object, all[i]);
        compare_triangles(&found, &wanted, i == 2);
        CHECK(i != 0 || found.strip_count == 0);
        CHECK(i != 1 || wanted.fault_count > 0 || found.strip_count == wanted.strip_count);
        CHECK(i != 1 || found.batches == wanted.batches);
        wanted.batches = found.batches;
        compare_faults(&found, &wanted);
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        CHECK_INT(found.summed[i], wanted.summed[i]);
        if (wanted.summed[i])
            CHECK(memcmp(&found.sums[i], &wanted.sums[i], sizeof found.sums[i]) == 0);
    }
}

/* --- objects at random --- */

/* Mostly what can be drawn, in which case the slots are those that are there; sometimes one beyond each limit. */
static void make_part(uint64_t *dice, t3dm_part *p, uint32_t version, bool wild, bool first)
{
    *p = (t3dm_part){.vertex_count = (uint16_t)(first ? 60 + below(dice, 11) : below(dice, 71)),
                     .vertex_at = 32 * below(dice, (STORED - 72) / 2),
                     .bone = (uint16_t)(below(dice, 3) == 0 ? T3DM_NO_BONE : below(dice, 9)),
                     .index_at = below(dice, INDEX_BYTES / 4),
                     .index_count = (uint16_t)(3 * below(dice, 6))};
    p->vertex_dest = (uint16_t)below(dice, 72 - (p->vertex_count + 1u) / 2 * 2);
    if (first)
        p->vertex_dest /= 4;
    if (version == 4 && below(dice, 2) == 0) {
        p->sequence_base = (uint8_t)below(dice, 67);
        p->sequence_count = (uint8_t)below(dice, (70u - p->sequence_base) / 3 + 1);
    }
    for (uint32_t s = 0, count = below(dice, T3DM_STRIPS + 1); s < count; s++)
        p->strip_counts[s] = (uint8_t)(3 + below(dice, below(dice, 4) == 0 ? 253 : 14));
    if (first && below(dice, 4) == 0) { /* all slots */
        p->vertex_dest = 0;
        p->vertex_count = 70;
        memset(p->strip_counts, 0, sizeof p->strip_counts);
    } else if (first && below(dice, 4) == 0) { /* more triangles than fit into a batch */
        p->vertex_dest = 0;
        memset(p->strip_counts, (int)(120 + below(dice, 136)), sizeof p->strip_counts);
        p->index_at = 40;
    }
    if (!wild)
        return;
    switch (below(dice, version == 4 ? 9 : 8)) {
    case 0:
        p->vertex_count = (uint16_t)(70 + below(dice, 3)), p->vertex_dest = (uint16_t)below(dice, 3);
        break;
    case 1:
        p->vertex_dest = (uint16_t)(p->vertex_dest + below(dice, 3));
        break;
    case 2:
        p->vertex_at += 16;
        break;
    case 3:
        p->vertex_at = 16 * (STORED - p->vertex_count - below(dice, 5));
        break;
    case 4:
        p->index_count = (uint16_t)(p->index_count + below(dice, 3));
        break;
    case 5:
        p->index_at = INDEX_BYTES - below(dice, 30);
        break;
    default:
        p->sequence_base = (uint8_t)(60 + below(dice, 12)), p->sequence_count = (uint8_t)below(dice, 5);
        break;
    case 7:
        p->strip_counts[below(dice, 4)] = (uint8_t)below(dice, 4);
        break;
    case 6:
        p->index_at = INDEX_BYTES - 2 * (below(dice, 8) + p->strip_counts[0]);
        break;
    }
}

/* Slots of a list are bytes, and those of a strip words: every byte is a slot, and the strips of all parts lie on words
 * with a flag now and then. */
static void make_indices(uint64_t *dice, uint8_t *indices, uint32_t version, uint32_t slots, bool tame)
{
    for (uint32_t i = 0; i < INDEX_BYTES; i++)
        indices[i] = (uint8_t)(!tame && below(dice, 400) == 0 ? below(dice, 256) : below(dice, slots));
    for (uint32_t i = INDEX_BYTES / 4 + 100; i < INDEX_BYTES; i += 2) {
        const uint32_t slot = below(dice, slots);
        const bool starts = below(dice, tame ? 1000 : 24) == 0 && i % 6 == 0;
        const uint32_t word = !starts ? slot : version >= 3 ? slot | 0x8000 : 0xFFFF - slot;
        indices[i] = (uint8_t)(word >> 8);
        indices[i + 1] = (uint8_t)word;
        if (!tame && below(dice, 1500) == 0)
            indices[i] = (uint8_t)below(dice, 256);
    }
}

TEST(objects_run_as_on_the_console)
{
    static const uint8_t vertices[STORED * RAW];
    static uint8_t indices[INDEX_BYTES];
    const uint32_t rounds = test_rounds(20000, TEST_SLOW ? 50 : 160);
    uint64_t dice = 7;
    uint32_t triangles = 0, summed = 0, faultless = 0, rules[T3DM_RULE_COUNT] = {0};
    for (uint32_t round = 0; round < rounds; round++) {
        t3dm_part parts[PARTS];
        const uint32_t version = 1 + round % 4, slots = round % 3 == 0 ? 54 : 20 + below(&dice, 51);
        const bool tame = round % 3 == 0; /* nothing is wrong with most */
        make_indices(&dice, indices, version, slots, tame);
        for (uint32_t i = 0; i < PARTS; i++) {
            make_part(&dice, &parts[i], version, !tame && below(&dice, 6) == 0, i == 0 || below(&dice, 3) == 0);
            if (tame) {
                parts[i].vertex_dest = 0, parts[i].vertex_count = 60;
                parts[i].sequence_base /= 4, parts[i].sequence_count /= 4;
            }
            if (parts[i].index_at < INDEX_BYTES / 4)
                parts[i].index_at += (tame || below(&dice, 4) > 0 ? 1u : 0u) * (INDEX_BYTES / 4 + 80);
        }
        const t3dm_file file = {.version = (uint8_t)version,
                                .indices_at = below(&dice, 4) == 0 ? below(&dice, 16) : 8 * below(&dice, 4),
                                .vertices = {vertices, sizeof vertices},
                                .indices = {indices, INDEX_BYTES - round % 3}};
        const t3dm_object object = {.at = 0x30 + 4 * (round % 5), .head.part_count = PARTS, .parts = parts};
        check_object(&file, &object);
        triangles += wanted.count;
        faultless += wanted.fault_count == 0 && wanted.strip_count > 0;
        for (uint32_t i = 0; i < PARTS; i++)
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
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK(rules[all[i]] > 0);
}

/* --- other versions --- */

/* Triangles without area are left out: versions 1 and 2 skip some of them. */
static void compare_areas(const run *got, const run *want)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < want->count; i++) {
        const triangle *t = &want->triangles[i];
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

static void forget(run *r)
{
    memset(r, 0, offsetof(run, triangles));
    memset(r->ran, 0, sizeof *r - offsetof(run, ran));
}

static void check_versions(const t3dm_file *from, tl_arena *arena)
{
    for (uint32_t version = 1; version <= 4; version++) {
        const t3dm_file *to = tl_t3dm_change_version(from, version, arena, NULL);
        uint32_t total = 0;
        CHECK(to && to->version == version && to->header.version == version && to->object_count == 1);
        CHECK_INT(to->header.user_block, 0);
        for (uint32_t i = 0; i < PARTS; i++) {
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
        forget(&found);
        run_plainly(to, &to->objects[0], &found);
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
    static const uint8_t vertices[STORED * RAW];
    static uint8_t indices[INDEX_BYTES];
    uint64_t dice = 21;
    uint32_t checked = 0;
    for (uint32_t round = 0; round < (TEST_SLOW ? 16 : 60); round++) {
        t3dm_part parts[PARTS];
        const uint32_t version = 1 + round % 4;
        make_indices(&dice, indices, version, round % 3 == 0 ? 54 : 6, true);
        for (uint32_t i = 0; i < PARTS; i++) {
            make_part(&dice, &parts[i], version, false, true);
            parts[i].vertex_dest = 0, parts[i].vertex_count = 60;
            parts[i].sequence_base /= 4, parts[i].sequence_count /= 4;
            parts[i].index_at = INDEX_BYTES / 4 + 100 + below(&dice, 500);
            for (int k = 0; k < T3DM_STRIPS; k++)
                parts[i].strip_counts[k] =
                    (uint8_t)(parts[i].strip_counts[k] % 40 + (parts[i].strip_counts[k] ? 3 : 0));
        }
        t3dm_object object = {.head.part_count = PARTS, .parts = parts};
        const t3dm_file file = {.version = version,
                                .header.user_block = 7,
                                .object_count = 1,
                                .objects = &object,
                                .vertices = {vertices, sizeof vertices},
                                .indices = {indices, INDEX_BYTES}};
        tl_arena arena;
        forget(&wanted);
        run_plainly(&file, &object, &wanted);
        if (wanted.fault_count > 0)
            continue;
        tl_arena_init(&arena, NULL);
        check_versions(&file, &arena);
        tl_arena_free(&arena);
        checked++;
    }
    CHECK(checked > (TEST_SLOW ? 4 : 20));
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
    static const uint8_t vertices[STORED * RAW];
    static uint8_t indices[INDEX_BYTES];
    const uint32_t step = TEST_SLOW ? 13 : 5;
    for (uint32_t count = 3; count <= 255; count += step)
        for (uint32_t off = 0; off < 5; off++) {
            const uint32_t highest = 69 - (8 * ((count + 3) / 4) + 35) / 36 + 2 - off;
            t3dm_part parts[PARTS] = {{.vertex_count = 70, .strip_counts = {(uint8_t)count}}};
            for (uint32_t k = 0; k < count; k++) {
                indices[2 * k] = 0;
                indices[2 * k + 1] = (uint8_t)(k == count - 1 ? highest : k % (highest + 1));
            }
            const t3dm_file file = {.version = 4, .vertices = {vertices, sizeof vertices}, .indices = {indices, 512}};
            check_object(&file, &(t3dm_object){.head.part_count = PARTS, .parts = parts});
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
