/* Files of the N64 model format reoptimized: the same triangles in every frame, the same clips, never more to draw. */
#include "formats/model64/model64.h"
#include "harness.h"
#include "support/documents.h"
#include "support/findings.h"
#include "support/model64_files.h"
#include "trilobite/optimize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reoptimized {
    buffer bytes;
    tl_arena arena;
    const model64_file *before, *after;
    listener changes;
} reoptimized;

static const model64_file *read_file(tl_arena *arena, const void *bytes, size_t size)
{
    const trilo_load_opts none = {.model64 = &(trilo_model64_load_opts){0}};
    trilo_error err = {0};
    const model64_file *file = tl_model64_read(arena, (trilo_bytes){bytes, size}, &none, &err);
    if (!file)
        FAIL("%s: %s", err.path, err.text);
    return file;
}

static void reoptimize(const char *what, const void *bytes, size_t size, uint32_t level, reoptimized *r)
{
    *r = (reoptimized){.bytes = {0}};
    const trilo_optimize_opts opts = {.level = level, .on_finding = listen, .on_finding_user = &r->changes};
    optimize_file(what, (trilo_bytes){bytes, size}, &opts, &r->bytes);
    tl_arena_init(&r->arena, NULL);
    r->before = read_file(&r->arena, bytes, size);
    r->after = read_file(&r->arena, r->bytes.data, r->bytes.size);
}

static void reoptimized_free(reoptimized *r)
{
    tl_arena_free(&r->arena);
    buffer_free(&r->bytes);
}

/* --- what is drawn --- */

enum { CORNER = 16 };

typedef struct soup {
    uint8_t (*rows)[3][CORNER];
    size_t count;
    uint64_t bytes; /* of the list and of what it loads */
} soup;

/* As the console has it: a vertex of the block, with what the list changed; texture coordinates lose their last bit. */
static void put_corner(const uint8_t *block, const gfx_corner *corner, uint8_t out[CORNER])
{
    memcpy(out, block + (size_t)CORNER * corner->vertex, CORNER);
    for (int k = 0; k < 2 && corner->has_st; k++) {
        out[8 + 2 * k] = (uint8_t)((uint16_t)corner->st[k] >> 8);
        out[9 + 2 * k] = (uint8_t)corner->st[k];
    }
    out[9] &= 0xFE;
    out[11] &= 0xFE;
    if (corner->has_rgba)
        memcpy(out + 12, corner->rgba, 4);
}

static int compare_rows(const void *a, const void *b)
{
    return memcmp(a, b, 3 * CORNER);
}

static void add_triangle(soup *s, const uint8_t *block, const gfx_corner corners[3])
{
    uint8_t c[3][CORNER];
    int first = 0;
    for (int k = 0; k < 3; k++) {
        put_corner(block, &corners[k], c[k]);
        first = memcmp(c[k], c[first], CORNER) < 0 ? k : first;
    }
    s->rows = realloc(s->rows, (s->count + 1) * sizeof *s->rows);
    for (int k = 0; k < 3; k++)
        memcpy(s->rows[s->count][k], c[(first + k) % 3], CORNER);
    s->count++;
}

static soup soup_of(const model64_file *file, int slot, const uint8_t *block)
{
    soup s = {.count = 0};
    gfx_step step;
    if (!file->lists[slot].bytes)
        return s;
    gfx_run run = tl_gfx_run(&file->lists[slot], file->vertex_count);
    while (tl_gfx_next(&run, &step)) {
        s.bytes += 8 + 16 * (uint64_t)step.load_count;
        for (uint32_t i = step.repeats ? 1 : 0; i < step.triangle_count; i++) /* drawn twice in a row is once */
            add_triangle(&s, block, step.triangles[i]);
    }
    if (s.count > 0)
        qsort(s.rows, s.count, sizeof *s.rows, compare_rows);
    return s;
}

static void compare_blocks(const char *what, const reoptimized *r, const uint8_t *before, const uint8_t *after)
{
    uint64_t cost_before = 0, cost_after = 0;
    for (int slot = 0; slot < MODEL64_SLOTS; slot++) {
        soup a = soup_of(r->before, slot, before), b = soup_of(r->after, slot, after);
        cost_before += a.bytes;
        cost_after += b.bytes;
        CHECK_INT(b.count, a.count);
        if (a.count > 0 && memcmp(a.rows, b.rows, a.count * sizeof *a.rows) != 0)
            FAIL("%s: slot %d draws other triangles", what, slot);
        free(a.rows);
        free(b.rows);
    }
    CHECK(cost_after <= cost_before);
}

/* --- what stays --- */

static void compare_clips(const char *what, const reoptimized *r)
{
    CHECK_INT(r->after->head.animation_count, r->before->head.animation_count);
    for (int32_t i = 0; i < r->before->head.animation_count; i++) {
        const model64_animation *a = &r->before->animations[i], *b = &r->after->animations[i];
        CHECK(memcmp(&a->head.duration, &b->head.duration, sizeof a->head.duration) == 0);
        CHECK_INT(b->head.frame_count, a->head.frame_count);
        for (uint32_t k = 0; k < (uint32_t)a->head.frame_count; k++) {
            const model64_frame f = model64_frame_at(a, k), g = model64_frame_at(b, k);
            CHECK(memcmp(&f.time, &g.time, sizeof f.time) == 0);
            CHECK(memcmp(&f.inv_dt, &g.inv_dt, sizeof f.inv_dt) == 0);
            CHECK_INT(b->blocks[k], a->blocks[k]);
            compare_blocks(what, r, tl_model64_block(r->before, &f), tl_model64_block(r->after, &g));
        }
    }
}

static void compare(const char *what, const reoptimized *r)
{
    compare_blocks(what, r, r->before->default_block, r->after->default_block);
    CHECK_INT(r->after->head.vertices == 0, r->before->head.vertices == 0);
    for (int i = 0; i < MODEL64_SLOTS; i++)
        CHECK_INT(r->after->lists[i].bytes != NULL, r->before->lists[i].bytes != NULL);
    CHECK_INT(r->after->block_count, r->before->block_count);
    compare_clips(what, r);
}

/* --- by hand --- */

TEST(a_box_is_as_good_as_it_gets)
{
    buffer box = {0};
    reoptimized r;
    model64_box(&box);
    reoptimize("box", box.data, box.size, 3, &r);
    CHECK_INT(r.bytes.size, box.size);
    CHECK(memcmp(r.bytes.data, box.data, box.size) == 0);
    const size_t at = heard(&r.changes, "M64-REOPTIMIZED");
    CHECK(at < r.changes.count); /* 8 commands of 8 bytes and 8 vertices of 16 */
    CHECK_STR(r.changes.texts[at], "no lists cheaper than the 192 bytes of drawing were found: the file is unchanged");
    buffer_free(&box);
    reoptimized_free(&r);
}

/* Three loads for two triangles of a square, one of them drawn twice in a row, and one without an area. */
TEST(what_is_rebuilt_is_told)
{
    static const uint32_t words[] = {/* header: main section of 0xA0 bytes */
                                     0x4D6F6465, 0x6C000000, 0, 0, 0x20, 0xA0, 0xC0, 0,
                                     /* main header: vertices at 0x60, the list at 0x20; 4 vertices */
                                     0x60, 0x20, 0, 0, 0, 0, 0x40, 0,
                                     /* the list */
                                     0x01003006, 0x01000000, 0x05000204, 0, 0x05000204, 0, 0x01003006, 0x01000000,
                                     0x05000202, 0, 0x01003006, 0x01000010, 0x05000204, 0, 0xDF000000, 0,
                                     /* the vertices */
                                     0x00000000, 0, 0, 0, 0x00100000, 0, 0, 0, 0x00000010, 0, 0, 0, 0x00100010, 0, 0,
                                     0};
    uint8_t bytes[sizeof words];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
    char want[160];
    reoptimized r;
    reoptimize("square", bytes, sizeof bytes, 2, &r);
    soup after = soup_of(r.after, 0, r.after->default_block);
    CHECK_INT(after.count, 2);
    CHECK(after.bytes < 208); /* 8 commands of 8 bytes and 9 vertices of 16 */
    snprintf(want, sizeof want,
             "the display lists were rebuilt: %u instead of 208 bytes to draw them, %u instead of 4 vertices stored",
             (unsigned)after.bytes, (unsigned)r.after->vertex_count);
    const size_t rebuilt = heard(&r.changes, "M64-REOPTIMIZED"), left_out = heard(&r.changes, "M64-COLLAPSED");
    CHECK(rebuilt < r.changes.count && left_out < r.changes.count);
    CHECK_STR(r.changes.texts[rebuilt], want);
    CHECK_STR(r.changes.texts[left_out],
              "2 triangles were removed: 1 have no area in any frame, 1 repeat the previous one");
    free(after.rows);
    reoptimized_free(&r);
}

TEST(a_pennant_moves_as_before)
{
    buffer pennant = {0};
    reoptimized r;
    model64_pennant(&pennant);
    reoptimize("pennant", pennant.data, pennant.size, 2, &r);
    compare("pennant", &r);
    buffer_free(&pennant);
    reoptimized_free(&r);
}

/* A list that sets a colour does more than draw: nobody knows what for, so it stays. */
TEST(a_list_that_does_more_is_left_alone)
{
    buffer pennant = {0};
    reoptimized r;
    model64_pennant(&pennant);
    model64_set(&pennant, PENNANT_LIST_0 + 16, 4, 0xFA000000u);
    reoptimize("pennant", pennant.data, pennant.size, 2, &r);
    CHECK(heard(&r.changes, "M64-NOT-REOPTIMIZED") < r.changes.count);
    CHECK_INT(r.bytes.size, pennant.size);
    CHECK(memcmp(r.bytes.data, pennant.data, pennant.size) == 0);
    buffer_free(&pennant);
    reoptimized_free(&r);
}

/* Texture coordinates that change from frame to frame cannot be changed by a list. */
TEST(frames_that_do_more_are_left_alone)
{
    buffer pennant = {0};
    reoptimized r;
    model64_pennant(&pennant);
    model64_set(&pennant, PENNANT_BLOCKS + PENNANT_BLOCK + 8, 2, 4000);
    reoptimize("pennant", pennant.data, pennant.size, 2, &r);
    CHECK(heard(&r.changes, "M64-NOT-REOPTIMIZED") < r.changes.count);
    CHECK(memcmp(r.bytes.data, pennant.data, pennant.size) == 0);
    buffer_free(&pennant);
    reoptimized_free(&r);
}

/* Colours that change from frame to frame belong to the points: every frame keeps its own. */
TEST(colours_of_frames_stay_with_them)
{
    buffer pennant = {0};
    reoptimized r;
    model64_pennant(&pennant);
    model64_set(&pennant, PENNANT_LIST_0 + 32, 4, 0x05000204u); /* instead of the changed colour: a triangle 0 1 2 */
    model64_set(&pennant, PENNANT_LIST_0 + 36, 4, 0);
    model64_set(&pennant, PENNANT_BLOCKS + PENNANT_BLOCK + 12, 4, 0x01020304u);
    reoptimize("pennant", pennant.data, pennant.size, 2, &r);
    compare("pennant", &r);
    buffer_free(&pennant);
    reoptimized_free(&r);
}

TEST(memory_may_end_anywhere)
{
    buffer pennant = {0};
    bool failed = false, done = false;
    model64_pennant(&pennant);
    for (size_t limit = 4096; limit < 16u << 20 && !done; limit += limit / 16) {
        buffer out = {0};
        trilo_error err = {0};
        trilo_document *document =
            trilo_document_open(pennant.data, pennant.size, &(trilo_load_opts){.memory.max_bytes = limit}, &err);
        done = document && trilo_document_optimize(document, NULL, NULL, buffer_sink, &out, &err);
        failed = failed || !done;
        CHECK_INT(err.code, done ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
        trilo_document_free(document);
        buffer_free(&out);
    }
    CHECK(failed && done);
    buffer_free(&pennant);
}

/* --- real ones --- */

TEST(real_files_draw_the_same_for_less)
{
    static const char *const names[] = {
        "logo",          "fairy",      "spike",         "fairy2",         "BlueEnemy",
        "GreenEnemy",    "g_Box",      "p_player",      "g_RiggedFigure", "g_Fox",
        "g_BoxTextured", "t_potColor", "s_skin_onekey", "s_skin_20ms",    "x_fairy2_shared_frames"};
    uint64_t before = 0, after = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        size_t size;
        reoptimized r;
        snprintf(path, sizeof path, "model64/%s.model", names[i]);
        uint8_t *bytes = test_read_file(test_corpus(path), &size);
        CHECK(bytes);
        reoptimize(path, bytes, size, 1, &r);
        compare(path, &r);
        CHECK(heard(&r.changes, "M64-NOT-REOPTIMIZED") == r.changes.count);
        for (int slot = 0; slot < MODEL64_SLOTS; slot++) {
            soup a = soup_of(r.before, slot, r.before->default_block),
                 b = soup_of(r.after, slot, r.after->default_block);
            before += a.bytes;
            after += b.bytes;
            free(a.rows);
            free(b.rows);
        }
        reoptimized_free(&r);
        free(bytes);
    }
    CHECK(after < before);
}

TEST_MAIN(CASE(a_box_is_as_good_as_it_gets), CASE(what_is_rebuilt_is_told), CASE(a_pennant_moves_as_before),
          CASE(a_list_that_does_more_is_left_alone), CASE(frames_that_do_more_are_left_alone),
          CASE(colours_of_frames_stay_with_them), CASE(memory_may_end_anywhere),
          CASE(real_files_draw_the_same_for_less))
