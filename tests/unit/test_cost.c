/* What it costs to draw a T3DM file: counted by hand here, from the format's description. */
#include "harness.h"
#include "support/buffer.h"
#include "support/t3dm_files.h"
#include "support/t3dm_grove.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

static grove g;

/* --- a file of two parts --- */

typedef struct kite {
    buffer file, stream;
    t3dm_places at;
    trilo_document *document;
} kite;

static void open_kite(kite *k, uint32_t version)
{
    trilo_error err = {0};
    t3dm_kite(&k->file, version, &k->at);
    t3dm_kite_stream(&k->stream);
    const trilo_load_opts opts = {.companion = t3dm_kite_companion, .companion_user = &k->stream, .name = "kite.t3dm"};
    k->document = trilo_document_open(k->file.data, k->file.size, &opts, &err);
    if (!k->document)
        FAIL("%s", err.text);
}

static void close_kite(kite *k)
{
    trilo_document_free(k->document);
    buffer_free(&k->file);
    buffer_free(&k->stream);
}

/* Part 0 loads 6 vertices, draws a list triangle, a sequence of one and a strip of 7 indices in two runs; part 1 loads
 * 2 vertices of a bone and draws a list triangle. All corners are on one line. */
static void check_kite_counts(const trilo_cost_counts *c, bool sequence)
{
    const uint64_t lists = sequence ? 2 : 3;
    CHECK_INT(c->parts, 2);
    CHECK_INT(c->loads, 2);
    CHECK_INT(c->vertices, 8);
    CHECK_INT(c->unique, 8);
    CHECK_INT(c->unique_shown, 8);
    CHECK_INT(c->duplicates, 0);
    CHECK_INT(c->padding, 0);
    CHECK_INT(c->triangles, 6);
    CHECK_INT(c->degenerate, 5); /* the last one has two bones */
    CHECK_NEAR(c->area, 0, 0);
    CHECK_INT(c->list_triangles, lists);
    CHECK_INT(c->list_commands, lists);
    CHECK_INT(c->sequence_triangles, 3 - lists);
    CHECK_INT(c->sequences, 3 - lists);
    CHECK_INT(c->strip_triangles, 3);
    CHECK_INT(c->strips, 1);
    CHECK_INT(c->strip_indices, 7);
    CHECK_INT(c->strip_bytes, 16); /* 14, rounded up to 8 */
    CHECK_INT(c->runs, 2);
    CHECK_INT(c->syncs, 1); /* part 1 */
    CHECK_INT(c->matrix_sets, 1);
    CHECK_INT(c->matrix_pops, 1);
    CHECK_INT(c->commands, 9);                                             /* 2 + 3 + 1 + 1 + 1 + 1 */
    CHECK_INT(c->draw_bytes, 8 * 4 + 16);                                  /* four commands and the indices */
    CHECK_INT(c->rsp_bytes, 2 * 12 + 8 * 2 + 4 + 8 * 16 + 48 + 192 + 128); /* loads, matrices, sync, vertices ... */
}

TEST(two_parts_cost_what_they_do)
{
    kite k = {0};
    open_kite(&k, 4);
    const trilo_cost *cost = trilo_document_cost(k.document, NULL, NULL);
    CHECK(cost != NULL);
    CHECK_INT(cost->format, TRILO_FORMAT_T3DM);
    CHECK_INT(cost->version, 4);
    check_kite_counts(&cost->counts, true);
    /* 70 a command, 62 a load, 42 a vertex, 130 a triangle, strip, sequence, matrices, a quarter of the bytes */
    CHECK_INT(cost->counts.score, 630 + 124 + 336 + 780 + 20 + 7 * 12 + 5 + 9 + 340 + 250 + 540 / 4);
    CHECK_NEAR(cost->counts.microseconds, 2713 / 62.5, 1e-9);
    /* One change of material: the RSP swaps its program and back, 13,532 bytes, and sets draw flags and what else. */
    CHECK(cost->overlay_bytes == 13532 && cost->state_bytes > 0);
    CHECK_NEAR(cost->material_microseconds, (double)(13532 + cost->state_bytes) / 4 / 62.5, 1e-9);
    CHECK_NEAR(cost->microseconds, cost->counts.microseconds + cost->material_microseconds, 1e-9);
    CHECK_NEAR(cost->materials[0].microseconds, cost->microseconds, 1e-9);
    CHECK_INT(cost->object_count, 1);
    CHECK_STR(cost->objects[0].name.data, "kite");
    CHECK(cost->objects[0].skinned);
    CHECK_INT(cost->objects[0].counts.score, 2713);
    CHECK_INT(cost->materials[0].counts.score, 2713);
    CHECK_INT(cost->materials[0].objects, 1);
    trilo_cost_free(cost);
    close_kite(&k);
}

/* Versions before 4 have no sequences: that triangle is one of the list. */
TEST(all_versions_are_counted)
{
    for (uint32_t version = 1; version <= 4; version++) {
        kite k = {0};
        open_kite(&k, version);
        const trilo_cost *cost = trilo_document_cost(k.document, NULL, NULL);
        CHECK(cost != NULL);
        check_kite_counts(&cost->counts, version == 4);
        trilo_cost_free(cost);
        close_kite(&k);
    }
}

/* 32 x 16 texels of CI4: rows of 16 bytes, 16 colours four times in TMEM, two bytes each in memory. */
static bool dot_sprite(void *user, const char *name, trilo_bytes *bytes)
{
    static uint8_t sprite[8 + 32 * 16 / 2] = {0, 32, 0, 16, 0, 8, 2, 1};
    *(unsigned *)user += 1;
    *bytes = (trilo_bytes){sprite, sizeof sprite};
    return strcmp(name, "dot.sprite") == 0;
}

TEST(materials_memory_and_textures)
{
    kite k = {0};
    unsigned asked = 0;
    open_kite(&k, 4);
    const trilo_cost_opts opts = {.companion = dot_sprite, .companion_user = &asked};
    const trilo_cost *plain = trilo_document_cost(k.document, NULL, NULL);
    const trilo_cost *cost = trilo_document_cost(k.document, &opts, NULL);
    CHECK(plain != NULL && cost != NULL);
    CHECK_INT(plain->unknown_textures, 1); /* dot.sprite does not say */
    CHECK_INT(plain->textures[0].texels, TRILO_TEXELS_UNKNOWN);
    CHECK_INT(plain->textures[0].width, 32);
    CHECK_INT(plain->uploads, 1);
    CHECK_INT(plain->upload_bytes, 0);
    CHECK_INT(asked, 1);
    CHECK_INT(cost->unknown_textures, 0);
    CHECK_INT(cost->texture_count, 1);
    CHECK_STR(cost->textures[0].path.data, "rom:/dot.sprite");
    CHECK_INT(cost->textures[0].texels, TRILO_TEXELS_CI4);
    CHECK(cost->textures[0].from_file);
    CHECK_INT(cost->textures[0].tmem, 16 * 16);
    CHECK_INT(cost->textures[0].palette, 128);
    CHECK_INT(cost->materials[0].tmem, 256);
    CHECK_INT(cost->materials[0].tmem_limit, 2048);
    CHECK_INT(cost->tmem_most, 256);
    CHECK_INT(cost->upload_bytes, 256 + 32);
    CHECK_INT(cost->overlay_switches, 1);
    CHECK_INT(cost->overlay_bytes, 2992 + 304 + 592 + 3220 + 3040 + 3384);
    CHECK_INT(cost->state_bytes, 4 + 8); /* fog off, draw flags */
    CHECK_INT(cost->frame_bytes, 540 + 12 + 13532 + 288);
    CHECK_INT(cost->bone_bytes, 2 * 64);
    CHECK_INT(cost->companion_size, k.stream.size);
    CHECK_INT(cost->rom, k.file.size + k.stream.size + 264);
    CHECK_INT(cost->ram, k.file.size + 264 + 128);
    trilo_cost_free(plain);
    trilo_cost_free(cost);
    close_kite(&k);
}

TEST(broken_files_and_wrong_calls_are_refused)
{
    kite k = {0};
    trilo_error err = {0};
    open_kite(&k, 4);
    const trilo_cost_opts rubbish = {.guard = 7};
    CHECK(trilo_document_cost(k.document, &rubbish, &err) == NULL);
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    close_kite(&k);
    memset(&k, 0, sizeof k);
    t3dm_kite(&k.file, 4, &k.at);
    k.file.data[k.at.indices] = 69; /* nothing was loaded there */
    k.document = trilo_document_open(k.file.data, k.file.size, NULL, NULL);
    CHECK(k.document != NULL);
    CHECK(trilo_document_cost(k.document, NULL, &err) == NULL);
    CHECK_STR(err.rule, "T3DM-SLOT-EMPTY");
    close_kite(&k);
    trilo_cost_free(NULL);
}

/* --- vertices --- */

/* Two parts of four vertices; each draws three of them, and one is in both. */
TEST(duplicates_and_padding_are_told_apart)
{
    grove_start(&g);
    const uint32_t material = grove_material(&g, "bark", NULL);
    g.parts[0] = grove_part(&g, 0, 4, 1);
    g.parts[1] = grove_part(&g, 4, 3, 1); /* the console loads pairs: 4 */
    grove_object(&g, "tree", material, 0, 2);
    grove_place(&g, 4, 0, 0, 0); /* row 0 again */
    const trilo_cost_counts *c = &grove_cost(&g, NULL)->counts;
    CHECK_INT(c->vertices, 8);
    CHECK_INT(c->unique, 5);
    CHECK_INT(c->duplicates, 1);
    CHECK_INT(c->padding, 2);
    CHECK_INT(c->syncs, 2);
    grove_end(&g);
}

/* The same vertex moved by two bones is two. Three matrices are set; a part without a bone goes back in between. */
TEST(bones_make_vertices_different)
{
    grove_start(&g);
    const uint32_t material = grove_material(&g, "bark", NULL);
    for (int i = 0; i < 4; i++) {
        g.parts[i] = grove_part(&g, 0, 4, 1);
        g.parts[i].bone = i == 2 ? T3DM_NO_BONE : i == 3 ? 1 : (uint16_t)i;
    }
    grove_object(&g, "tree", material, 0, 4);
    const trilo_cost_counts *c = &grove_cost(&g, NULL)->counts;
    CHECK_INT(c->unique, 9);     /* of bones 0, 1 and none */
    CHECK_INT(c->duplicates, 3); /* bone 1 again */
    CHECK_INT(c->padding, 4);
    CHECK_INT(c->matrix_sets, 3);
    CHECK_INT(c->matrix_pops, 2);
    grove_end(&g);
}

/* Rows 0 to 3 are all at two places; what they have in addition is texture coordinates. */
TEST(what_a_material_cannot_show_does_not_count)
{
    grove_start(&g);
    const uint32_t plain = grove_material(&g, "plain", NULL),
                   textured = grove_material(&g, "wall", "rom:/wall.i8.sprite");
    g.parts[0] = grove_part(&g, 0, 4, 2);
    for (uint32_t row = 0; row < 4; row++) {
        grove_place(&g, row, (int)(row % 2) * 10, 0, 0);
        grove_uv(&g, row, (int)row, 0);
    }
    g.materials[plain].head.combiner = 0x00887F1088FE793Cu; /* SHADE alone */
    grove_object(&g, "a", plain, 0, 1);
    grove_object(&g, "b", textured, 0, 1);
    const trilo_cost *cost = grove_cost(&g, NULL);
    CHECK_INT(cost->objects[0].counts.unique, 4);
    CHECK_INT(cost->objects[0].counts.unique_shown, 2);
    CHECK_INT(cost->objects[1].counts.unique_shown, 4);
    CHECK_INT(cost->counts.unique, 8); /* objects do not share */
    CHECK_INT(cost->counts.unique_shown, 6);
    grove_end(&g);
}

/* A right angle of 30 and 40; a corner twice; three corners on a line. */
TEST(area_and_its_absence)
{
    grove_start(&g);
    const uint32_t material = grove_material(&g, "bark", NULL);
    g.parts[0] = grove_part(&g, 0, 6, 1);
    g.parts[0].sequence_base = 3, g.parts[0].sequence_count = 1;
    grove_place(&g, 0, -5, 0, 0), grove_place(&g, 1, 25, 0, 0), grove_place(&g, 2, -5, 0, 40);
    grove_place(&g, 3, 7, 7, 7), grove_place(&g, 4, 9, 9, 9), grove_place(&g, 5, 7, 7, 7);
    grove_object(&g, "a", material, 0, 1);
    const trilo_cost_counts *c = &grove_cost(&g, NULL)->counts;
    CHECK_NEAR(c->area, 600, 1e-9);
    CHECK_INT(c->degenerate, 1);
    CHECK_INT(c->syncs, 0); /* a sequence has its own */
    grove_place(&g, 5, 11, 11, 11);
    CHECK_INT(grove_cost(&g, NULL)->counts.degenerate, 1);
    grove_place(&g, 5, 11, 11, 12);
    CHECK_INT(grove_cost(&g, NULL)->counts.degenerate, 0);
    grove_end(&g);
}

/* --- the measurement that was published --- */

enum { SCENE_PARTS = 54, SCENE_STRIPS = 90 };

/* Runs of three indices at the front, one long run behind: each run has two indices more than triangles. */
static void put_strip(uint8_t *at, uint32_t count, uint32_t restarts)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t word = k % 20 | (k > 0 && k % 3 == 0 && k <= 3 * restarts ? 0x8000u : 0);
        at[2 * k] = (uint8_t)(word >> 8), at[2 * k + 1] = (uint8_t)word;
    }
}

/* 13 loads of 70 vertices and 41 of 68; 37 list triangles; 63 strips of 51 indices and 27 of 50, with 1047 restarts. */
static void plant_scene(void)
{
    uint32_t row = 0, at = 0, strip = 0;
    grove_start(&g);
    for (uint32_t i = 0; i < SCENE_PARTS; i++) {
        const uint16_t count = i < 13 ? 70 : 68;
        t3dm_part *part = &g.parts[i];
        *part = (t3dm_part){.vertex_at = 16 * row, .vertex_count = count, .index_at = at, .bone = T3DM_NO_BONE};
        part->index_count = i < 37 ? 3 : 0;
        for (uint8_t k = 0; k < part->index_count; k++)
            g.indices[at + k] = k;
        at = (at + part->index_count + 7) / 8 * 8;
        for (uint32_t s = 0; s < (i < 36 ? 2u : 1u); s++, strip++) {
            part->strip_counts[s] = strip < 63 ? 51 : 50;
            put_strip(g.indices + at, part->strip_counts[s], strip < 57 ? 12 : 11);
            at = (at + 2u * part->strip_counts[s] + 7) / 8 * 8;
        }
        row += count;
    }
    CHECK_INT(row, 3698);
    CHECK_INT(strip, SCENE_STRIPS);
    grove_object(&g, "scene", grove_material(&g, "bark", NULL), 0, SCENE_PARTS);
}

/* Tiny3D's test scene as its author measured it: 8807 microseconds with strips. */
TEST(the_published_scene_is_estimated_well)
{
    plant_scene();
    const trilo_cost_counts *c = &grove_cost(&g, NULL)->counts;
    CHECK_INT(c->loads, 54);
    CHECK_INT(c->vertices, 3698);
    CHECK_INT(c->triangles, 2326);
    CHECK_INT(c->list_commands, 37);
    CHECK_INT(c->strips, 90);
    CHECK_INT(c->strip_indices, 4563);
    CHECK_INT(c->runs, 90 + 1047);
    CHECK_INT(8 * (c->list_commands + c->strips) + 2 * c->strip_indices, 10142); /* as published, before rounding */
    CHECK_INT(c->rsp_bytes, 54 * 12 + 127 * 8 + 3698 * 16 + 90 * 104);
    CHECK_INT(c->score, 547818);
    CHECK_NEAR(c->microseconds, 8807, 0.02 * 8807);
    grove_end(&g);
}

/* By lists alone it took 1650 microseconds more. */
TEST(strips_are_worth_what_was_published)
{
    plant_scene();
    const double strips = grove_cost(&g, NULL)->counts.microseconds;
    trilo_cost_counts lists = g.cost.counts;
    grove_end(&g);
    lists.list_commands = lists.triangles, lists.syncs = lists.loads;
    lists.strips = lists.strip_indices = lists.strip_bytes = 0;
    tl_rsp_cost(&lists);
    CHECK_INT(lists.draw_bytes, 18608);
    CHECK_NEAR(lists.microseconds - strips, 1650, 0.03 * 1650);
}

/* --- memory --- */

typedef struct purse {
    unsigned left;
} purse;

static void *spend(void *user, void *old, size_t old_size, size_t new_size)
{
    purse *p = user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return p->left > 0 ? (p->left--, realloc(old, new_size)) : NULL;
}

TEST(no_memory_is_an_answer)
{
    unsigned denied = 0;
    for (unsigned n = 0;; n++) {
        kite k = {0};
        trilo_error err = {0};
        purse p = {1000};
        t3dm_kite(&k.file, 4, &k.at);
        const trilo_load_opts opts = {.memory = {spend, &p, 0}};
        k.document = trilo_document_open(k.file.data, k.file.size, &opts, NULL);
        CHECK(k.document != NULL);
        p.left = n;
        const trilo_cost *cost = trilo_document_cost(k.document, NULL, &err);
        if (!cost && strcmp(err.rule, "FILE-MEMORY") != 0)
            FAIL("%u: %s: %s", n, err.rule, err.text);
        if (cost)
            CHECK_INT(cost->object_count, 1);
        trilo_cost_free(cost);
        close_kite(&k);
        if (cost)
            break;
        denied++;
    }
    CHECK(denied > 2);
}

/* Half of the area is opaque with depth in one cycle, a quarter blends without depth in two, the rest has no material.
 */
TEST(pixels_are_shared_by_area)
{
    const trilo_cost_material materials[] = {{.cycles = 1, .depth = true, .counts = {.area = 2}},
                                             {.cycles = 2, .depth = false, .counts = {.area = 1}}};
    const trilo_cost cost = {.counts = {.area = 4}, .material_count = 2, .materials = materials};
    const trilo_cost_fill fill = trilo_cost_estimate_fill(&cost, 1000);
    CHECK_NEAR(fill.pixels, 1000, 0);
    CHECK_NEAR(fill.cycles, 500 * 1 + 250 * 2 + 250 * 1, 1e-9);
    CHECK_NEAR(fill.bytes, 500 * 8 + 250 * 4 + 250 * 8, 1e-9);
    CHECK_NEAR(fill.microseconds, 1250 / 62.5, 1e-9);
}

TEST_MAIN(CASE(pixels_are_shared_by_area), CASE(two_parts_cost_what_they_do), CASE(all_versions_are_counted),
          CASE(materials_memory_and_textures), CASE(broken_files_and_wrong_calls_are_refused),
          CASE(duplicates_and_padding_are_told_apart), CASE(bones_make_vertices_different),
          CASE(what_a_material_cannot_show_does_not_count), CASE(area_and_its_absence),
          CASE(the_published_scene_is_estimated_well), CASE(strips_are_worth_what_was_published),
          CASE(no_memory_is_an_answer))
