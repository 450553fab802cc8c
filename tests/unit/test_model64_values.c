/* What the file of the N64 model format costs to draw, counted by hand, and numbers at the limits of what is read. */
#include "harness.h"
#include "support/model64_files.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <string.h>

static trilo_document *open_file(const buffer *file)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file->data, file->size, NULL, &err);
    if (!document)
        FAIL("%s: %s", err.path, err.text);
    return document;
}

/* Slot 0: a load of 4 vertices, two triangles in one command, two changes of vertices, a triangle, the end. Slot 1: a
 * load of 3, a triangle, the end. Vertex i is at (10 i, i * i, -i): 0 1 2 and 3 4 5 have an area of half the root of
 * 404, and 0 2 3 three times as much. With `twin`, vertex 4 is the same as vertex 3. */
TEST(costs_of_the_pennant)
{
    for (int twin = 0; twin < 2; twin++) {
        buffer file = {0};
        model64_pennant(&file);
        if (twin)
            memcpy(file.data + PENNANT_VERTICES + 4 * 16, file.data + PENNANT_VERTICES + 3 * 16, 16);
        trilo_document *document = open_file(&file);
        const trilo_cost *cost = trilo_document_cost(document, NULL, NULL);
        CHECK(cost);
        const double small = sqrt(404) / 2;
        const struct {
            unsigned commands, loads, vertices, triangles, list_commands, modifies, unique, duplicates, degenerate;
            double area;
        } want[2] = {{6, 1, 4, 3, 2, 2, 4, 0, 0, 5 * small},
                     {3, 1, 3, 1, 1, 0, twin ? 2 : 3, twin ? 1 : 0, twin ? 1 : 0, twin ? 0 : small}};
        CHECK_INT(cost->object_count, 2);
        CHECK_INT(cost->material_count, 2);
        CHECK_INT(cost->material_changes, 2);
        CHECK_INT(cost->ram, 288 + 96);
        for (unsigned i = 0; i < 2; i++) {
            const trilo_cost_object *o = &cost->objects[i];
            const trilo_cost_material *m = &cost->materials[i];
            const trilo_cost_counts *c = &o->counts;
            CHECK_STR(o->name.data, i ? "slot 1" : "slot 0");
            CHECK_STR(m->name.data, o->name.data);
            CHECK(o->changes && !o->skinned && o->material == i);
            CHECK(m->changes == 1 && m->objects == 1 && m->cycles == 1 && m->depth && !m->blends);
            CHECK(m->textures[0] == TRILO_NONE && m->textures[1] == TRILO_NONE);
            CHECK_INT(m->counts.vertices, c->vertices);
            CHECK_INT(c->parts, 1);
            CHECK_INT(c->commands, want[i].commands);
            CHECK_INT(c->loads, want[i].loads);
            CHECK_INT(c->vertices, want[i].vertices);
            CHECK_INT(c->triangles, want[i].triangles);
            CHECK_INT(c->list_triangles, want[i].triangles);
            CHECK_INT(c->list_commands, want[i].list_commands);
            CHECK_INT(c->modifies, want[i].modifies);
            CHECK_INT(c->unique, want[i].unique);
            CHECK_INT(c->unique_shown, want[i].unique);
            CHECK_INT(c->duplicates, want[i].duplicates);
            CHECK_INT(c->padding, 0);
            CHECK_INT(c->degenerate, want[i].degenerate);
            CHECK_INT(c->draw_bytes, 8 * (want[i].list_commands + want[i].modifies));
            CHECK_INT(c->rsp_bytes, 8 * want[i].commands + 16 * want[i].vertices);
            CHECK_NEAR(c->area, want[i].area, 1e-9);
        }
        trilo_cost_free(cost);
        trilo_document_free(document);
        buffer_free(&file);
    }
}

/* A model that does not move needs its main section alone; a second load of what was drawn is a duplicate, and a vertex
 * that no triangle has is padding. */
TEST(costs_of_a_static_list)
{
    buffer box = {0};
    model64_box(&box);
    model64_set(&box, 0x40 + 8, 4, 0x05000204u); /* one triangle, then the first three vertices once more */
    model64_set(&box, 0x40 + 12, 4, 0);
    model64_set(&box, 0x40 + 16, 4, 0x01003006u);
    model64_set(&box, 0x40 + 20, 4, 0x01000000u);
    model64_set(&box, 0x40 + 24, 4, 0x05000204u);
    model64_set(&box, 0x40 + 28, 4, 0);
    model64_set(&box, 0x40 + 32, 4, 0xDF000000u);
    model64_set(&box, 0x40 + 36, 4, 0);
    trilo_document *document = open_file(&box);
    const trilo_cost *cost = trilo_document_cost(document, NULL, NULL);
    CHECK(cost);
    CHECK_INT(cost->ram, 0xE0);
    CHECK_INT(cost->object_count, 1);
    CHECK_INT(cost->counts.commands, 5);
    CHECK_INT(cost->counts.loads, 2);
    CHECK_INT(cost->counts.vertices, 11);
    CHECK_INT(cost->counts.unique, 3);
    CHECK_INT(cost->counts.duplicates, 3);
    CHECK_INT(cost->counts.padding, 5);
    CHECK_INT(cost->counts.triangles, 2);
    trilo_cost_free(cost);
    trilo_document_free(document);
    buffer_free(&box);
}

/* The second animation of the pennant, at its 12 bytes: duration, count, offset. */
TEST(counts_of_frames)
{
    static const struct {
        uint32_t count, offset;
        bool read;
        trilo_code code;
        size_t at;
        const char *text;
    } all[] = {
        {0xFFFFFFFF, 88, false, TRILO_CODE_BAD_VALUE, 4, "the number is negative, must be 0 or more"},
        {0x80000000, 88, false, TRILO_CODE_BAD_VALUE, 4, "the number is negative, must be 0 or more"},
        {0, 0, true, TRILO_CODE_OK, 0, NULL},
        {1, 0, false, TRILO_CODE_BAD_REF, 8, "there are frames, but their offset is 0, which means none"},
        {1, 276, true, TRILO_CODE_OK, 0, NULL},
        {1, 277, false, TRILO_CODE_BAD_REF, 0, "1 frames from byte 277 on extend past the main section of 288 bytes"},
        {24, 0, false, TRILO_CODE_BAD_REF, 8, "there are frames, but their offset is 0, which means none"},
        {25, 4, false, TRILO_CODE_BAD_REF, 0, "25 frames from byte 4 on extend past the main section of 288 bytes"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        buffer file = {0};
        trilo_error err = {0};
        model64_pennant(&file);
        model64_set(&file, PENNANT_ANIMATIONS + 12 + 4, 4, all[i].count);
        model64_set(&file, PENNANT_ANIMATIONS + 12 + 8, 4, all[i].offset);
        trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
        if (all[i].read && !document)
            CHECK(strstr(err.path, "frames") != NULL); /* the bytes there are no frame */
        if (!all[i].read) {
            CHECK(!document);
            CHECK_INT(err.code, all[i].code);
            CHECK_INT(err.offset, PENNANT_ANIMATIONS + 12 + all[i].at);
            CHECK_STR(err.text, all[i].text);
        }
        trilo_document_free(document);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(costs_of_the_pennant), CASE(costs_of_a_static_list), CASE(counts_of_frames))
