/* Reoptimizing the records of a file made by hand: which boxes are computed again, which files cannot be changed, what
 * is reported, and how the objects of one material come together. */
#include "formats/t3dm/cost/cost.h"
#include "formats/t3dm/encode/encode.h"
#include "harness.h"
#include "model/format_ops.h"
#include "support/findings.h"
#include "support/t3dm_grove.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 10, DRAWN = 6, CHUNKS = 5 };

typedef struct stage {
    grove g;
    t3dm_chunk chunks[CHUNKS];
    uint32_t order[CHUNKS];
    listener heard;
    tl_report report;
    trilo_error err;
} stage;

static void box_of(const grove *g, uint32_t first, uint32_t end, int16_t min[3], int16_t max[3])
{
    for (uint32_t row = first; row < end; row++)
        for (size_t k = 0; k < 3; k++) {
            const uint8_t *at = g->vertices + 32 * (size_t)(row / 2) + 8 * (size_t)(row % 2) + 2 * k;
            const int16_t value = (int16_t)(at[0] << 8 | at[1]);
            min[k] = row == first || value < min[k] ? value : min[k];
            max[k] = row == first || value > max[k] ? value : max[k];
        }
}

/* Object 0 loads rows 0 to 9, of which the last four are drawn by no triangle and are farthest out; object 1 has no
 * part; object 2 loads rows 10 to 19 likewise. Their boxes, and that of the file, are around all that is loaded. */
static void stage_make(stage *s)
{
    grove *g = &s->g;
    memset(s, 0, sizeof *s);
    s->report = (tl_report){.fn = listen, .user = &s->heard};
    grove_start(g);
    const uint32_t material = grove_material(g, "bark", NULL);
    for (uint32_t row = 0; row < 2 * ROWS; row++) {
        const int i = (int)(row % ROWS), far = i < DRAWN ? 0 : i % 2 ? 500 : -500, shift = row < ROWS ? 0 : 1000;
        grove_place(g, row, 3 * i - 7 + far + shift, i * i % 23 - 5 - far + shift, 40 - 2 * i + 2 * far - shift);
    }
    g->parts[0] = grove_part(g, 0, ROWS, DRAWN - 2);
    g->parts[1] = grove_part(g, ROWS, ROWS, DRAWN - 2);
    grove_object(g, "a", material, 0, 1);
    grove_object(g, "b", material, 0, 0);
    grove_object(g, "c", material, 1, 1);
    for (uint32_t i = 0; i < 3; i += 2) {
        box_of(g, i / 2 * ROWS, i / 2 * ROWS + ROWS, g->objects[i].head.min, g->objects[i].head.max);
        g->objects[i].head.triangle_count = DRAWN - 2;
    }
    box_of(g, 0, 2 * ROWS, g->file.header.min, g->file.header.max);
    const char types[CHUNKS] = {'O', 'O', 'O', 'V', 'I'};
    for (uint32_t i = 0; i < CHUNKS; i++) {
        s->chunks[i] = (t3dm_chunk){.type = types[i], .item = i < 3 ? i : TRILO_NONE, .at = 100 * i};
        s->order[i] = i;
    }
    g->file.vertices.size = 2 * ROWS * 16;
    g->file.chunks = s->chunks;
    g->file.chunk_order = s->order;
    g->file.header.chunk_count = CHUNKS;
    g->file.header.vertex_chunk = 3;
    g->file.header.index_chunk = 4;
    g->file.header.strings_at = 401;
}

static const t3dm_file *stage_reoptimize(stage *s, const tl_reoptimize_opts *opts)
{
    return tl_t3dm_reoptimize(&s->g.file, opts, &s->g.arena, &s->report, &s->err);
}

static const tl_reoptimize_opts plain = {.level = 1};

/* ---- boxes ---- */

static void check_box(const int16_t got_min[3], const int16_t got_max[3], const int16_t min[3], const int16_t max[3])
{
    for (int k = 0; k < 3; k++) {
        CHECK_INT(got_min[k], min[k]);
        CHECK_INT(got_max[k], max[k]);
    }
}

/* A box that fits is made smaller, one that an author set to something else is not. */
TEST(boxes_that_fit_are_computed_again)
{
    static stage s;
    for (int changed = -1; changed < 18; changed++) {
        stage_make(&s);
        t3dm_object *objects = s.g.objects;
        t3dm_header *header = &s.g.file.header;
        int16_t *const boxes[6] = {objects[0].head.min, objects[0].head.max, objects[2].head.min,
                                   objects[2].head.max, header->min,         header->max};
        int16_t min[3][3], max[3][3];
        if (changed >= 0)
            boxes[changed / 3][changed % 3]++;
        const t3dm_object_head before[3] = {objects[0].head, objects[1].head, objects[2].head};
        const t3dm_header header_before = *header;
        const t3dm_file *to = stage_reoptimize(&s, &plain);
        CHECK(to != NULL);
        box_of(&s.g, 0, DRAWN, min[0], max[0]);
        box_of(&s.g, ROWS, ROWS + DRAWN, min[1], max[1]);
        for (int k = 0; k < 3; k++) {
            min[2][k] = min[0][k] < min[1][k] ? min[0][k] : min[1][k];
            max[2][k] = max[0][k] > max[1][k] ? max[0][k] : max[1][k];
        }
        for (int i = 0; i < 2; i++) {
            const t3dm_object_head *head = &to->objects[2 * i].head, *old = &before[2 * i];
            const bool fits = changed / 6 != i || changed < 0;
            check_box(head->min, head->max, fits ? min[i] : old->min, fits ? max[i] : old->max);
        }
        check_box(to->objects[1].head.min, to->objects[1].head.max, before[1].min, before[1].max);
        const bool fits = changed < 12;
        check_box(to->header.min, to->header.max, fits ? min[2] : header_before.min, fits ? max[2] : header_before.max);
        grove_end(&s.g);
    }
}

/* ---- what is reported ---- */

static uint64_t bytes_of(const t3dm_file *file)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        bytes += tl_t3dm_drawn_bytes(file->objects[i].parts, file->objects[i].head.part_count);
    return bytes;
}

/* Row 1 where row 0 is: triangle 0 1 2 has no area, and 1 2 3 has. */
TEST(what_changes_is_reported)
{
    static stage s;
    for (int flat = 0; flat < 2; flat++) {
        char text[160];
        stage_make(&s);
        if (flat)
            memcpy(s.g.vertices + 8, s.g.vertices, 6);
        const uint64_t before = bytes_of(&s.g.file);
        const t3dm_file *to = stage_reoptimize(&s, &plain);
        CHECK(to != NULL);
        CHECK_INT(to->objects[0].head.triangle_count, DRAWN - 2 - flat);
        CHECK_INT(to->objects[2].head.triangle_count, DRAWN - 2);
        CHECK(bytes_of(to) < before);
        snprintf(text, sizeof text, "2 of 3 objects were reoptimized: %u instead of %u bytes to draw them",
                 (unsigned)bytes_of(to), (unsigned)before);
        CHECK_INT(s.heard.count, 1 + (size_t)flat);
        CHECK_STR(s.heard.rules[0], "T3DM-REOPTIMIZED");
        CHECK_STR(s.heard.texts[0], text);
        if (flat)
            CHECK_STR(s.heard.texts[1], "1 triangles without area were removed");
        grove_end(&s.g);
    }
    stage_make(&s); /* what is as good already keeps its parts */
    const t3dm_file *once = stage_reoptimize(&s, &plain);
    CHECK(once != NULL);
    s.heard.count = 0;
    const t3dm_file *twice = tl_t3dm_reoptimize(once, &plain, &s.g.arena, &s.report, &s.err);
    CHECK(twice != NULL);
    CHECK(strncmp(s.heard.texts[0], "0 of 3 objects were reoptimized: ", 33) == 0);
    CHECK_INT(twice->vertices.size, once->vertices.size);
    CHECK(memcmp(twice->vertices.data, once->vertices.data, once->vertices.size) == 0);
    grove_end(&s.g);
}

/* ---- files that cannot be changed ---- */

/* V and I must be where the header says, and every chunk before the string table. */
TEST(chunks_in_another_order_are_refused)
{
    static stage s;
    for (int way = 0; way < 5 + 2 * CHUNKS; way++) {
        stage_make(&s);
        t3dm_header *h = &s.g.file.header;
        if (way == 1)
            h->vertex_chunk = CHUNKS;
        else if (way == 2)
            h->index_chunk = CHUNKS;
        else if (way == 3)
            s.chunks[3].type = 'X';
        else if (way == 4)
            s.chunks[4].type = 'X';
        else if (way >= 5)
            s.chunks[(way - 5) / 2].at = 400 + (uint32_t)(way - 5) % 2; /* 401 is too late */
        const bool fine = way == 0 || (way >= 5 && way % 2 == 1);
        CHECK_INT(stage_reoptimize(&s, &plain) != NULL, fine);
        if (!fine) {
            CHECK_STR(s.err.rule, "T3DM-CHUNK-ORDER");
            CHECK_STR(s.err.text, "chunks are in an order that cannot be kept; convert the file with --reencode first");
            CHECK_INT(s.err.code, TRILO_CODE_UNSUPPORTED);
            CHECK_INT(s.heard.count, 0);
        }
        grove_end(&s.g);
    }
}

/* ---- vertices that objects share ---- */

/* Both objects draw the same triangles. They share vertices where that is asked for, or where they did. */
TEST(objects_share_what_they_shared)
{
    static stage s;
    for (int way = 0; way < 4; way++) {
        stage_make(&s);
        const bool asked = way & 1, shared = way & 2;
        memcpy(s.g.vertices + (size_t)16 * ROWS, s.g.vertices, (size_t)16 * ROWS);
        if (shared)
            s.g.parts[1].vertex_at = 0;
        const t3dm_file *to = stage_reoptimize(&s, &(tl_reoptimize_opts){.level = 1, .share_vertices = asked});
        CHECK(to != NULL);
        CHECK_INT(to->objects[0].parts[0].vertex_at == to->objects[2].parts[0].vertex_at, asked || shared);
        CHECK_INT(to->vertices.size, asked || shared ? 16 * DRAWN : 2 * 16 * DRAWN);
        grove_end(&s.g);
    }
}

/* ---- objects of one material ---- */

/* Objects of materials a b a b: two move, materials are set twice and not four times, and the tree follows; a number
 * that is none stays. */
TEST(the_tree_has_the_new_numbers)
{
    static stage s;
    uint16_t items[6] = {3, 2, 1, 0, 4, 9};
    stage_make(&s);
    grove *g = &s.g;
    const uint32_t other = grove_material(g, "leaf", "rom:/leaf.i8.sprite");
    g->file.object_count = 4;
    for (uint32_t i = 0; i < 4; i++)
        g->objects[i] = (t3dm_object){.head = {.material = i % 2 ? other : 0, .user_block = i}};
    g->file.has_bvh = true;
    g->file.bvh = (t3dm_bvh){.head = {.item_count = 6}, .items = items};
    CHECK(tl_t3dm_sort_materials(&g->file, &g->arena, &s.report));
    static const uint32_t order[4] = {0, 2, 1, 3};
    static const uint16_t want[6] = {3, 1, 2, 0, 4, 9};
    for (int i = 0; i < 4; i++)
        CHECK_INT(g->file.objects[i].head.user_block, order[i]);
    for (int i = 0; i < 6; i++)
        CHECK_INT(g->file.bvh.items[i], want[i]);
    CHECK_INT(s.heard.count, 1);
    CHECK_STR(s.heard.texts[0], "2 of 4 objects were reordered: materials are set 2 times instead of 4");
    s.heard.count = 0;
    CHECK(tl_t3dm_sort_materials(&g->file, &g->arena, &s.report)); /* it is as it should be */
    CHECK_INT(s.heard.count, 0);
    grove_end(g);
}

/* ---- whole repeats of textures ---- */

/* Two faces side by side, each with the whole texture of 32 x 32 texels: they share two vertices if one is moved. */
TEST(whole_repeats_are_shared)
{
    enum { KEEP, REPEATS, DROP, WAYS };
    static const uint8_t faces[] = {0, 1, 2, 1, 2, 3, 4, 5, 6, 5, 6, 7};
    static stage s;
    for (int way = KEEP; way < WAYS; way++)
        for (int repeats = 0; repeats < 2; repeats++) {
            stage_make(&s);
            grove *g = &s.g;
            g->materials[0].head.draw_flags |= TRILO_N64_TEXTURED;
            g->materials[0].textures[0] = (t3dm_texture){
                .path = grove_string(g, "rom:/a.sprite"), .width = 32, .height = 32, .s.clamp = repeats ? 0 : 1};
            memcpy(g->indices, faces, sizeof faces);
            for (uint32_t row = 0; row < 2 * ROWS; row++) {
                const int corner = (int)(row % ROWS % 4), face = (int)(row % ROWS / 4);
                grove_place(g, row, face + corner % 2, corner / 2, (int)(row / ROWS));
                grove_uv(g, row, 1024 * (corner % 2), 1024 * (corner / 2));
            }
            const trilo_cost *cost = grove_cost(g, NULL);
            CHECK_INT(cost->objects[0].counts.unique, 8);
            CHECK_INT(cost->objects[0].counts.unique_shown, repeats ? 6 : 8);
            const tl_reoptimize_opts opts = {.level = 1, .share_repeats = way == REPEATS, .drop_unused = way == DROP};
            const t3dm_file *to = stage_reoptimize(&s, &opts);
            CHECK(to != NULL);
            for (uint32_t i = 0; i < 3; i += 2) {
                uint32_t loaded = 0;
                for (uint32_t k = 0; k < to->objects[i].head.part_count; k++)
                    loaded += to->objects[i].parts[k].vertex_count;
                CHECK_INT(loaded, way != KEEP && repeats ? 6 : 8);
                CHECK_INT(to->objects[i].head.triangle_count, 4);
            }
            grove_end(&s.g);
        }
}

TEST_MAIN(CASE(boxes_that_fit_are_computed_again), CASE(what_changes_is_reported),
          CASE(chunks_in_another_order_are_refused), CASE(objects_share_what_they_shared),
          CASE(the_tree_has_the_new_numbers), CASE(whole_repeats_are_shared))
