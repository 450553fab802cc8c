/* Which vertex batch draws which triangle: against the counts of `cost`, which come from another walk. */
#include "harness.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>

static void check_mesh(const trilo_document *document, const trilo_model *model, const trilo_cost *cost, uint32_t mesh)
{
    const uint32_t count = model->meshes[mesh].index_count / 3;
    uint32_t *loads = malloc((count + 1) * sizeof *loads), used = count > 0;
    CHECK(loads);
    loads[count] = 77;
    CHECK_INT(trilo_document_batches(document, mesh, loads, count), count);
    CHECK_INT(loads[count], 77);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(loads[i] < cost->objects[mesh].counts.parts);
        CHECK(i == 0 || loads[i] >= loads[i - 1]); /* the console draws part after part */
        used += i > 0 && loads[i] != loads[i - 1];
    }
    /* for a skinned triangle several parts load, one for each bone, and the last of them draws */
    if (!cost->objects[mesh].skinned)
        CHECK_INT(used, cost->objects[mesh].counts.parts);
    free(loads);
}

TEST(each_part_draws_its_triangles)
{
    static const char *const names[] = {"t3dm/09_anim_viewer/filesystem/cath.t3dm",
                                        "t3dm/99_testscene/filesystem/scene.t3dm",
                                        "t3dm/08_animation/filesystem/snake.t3dm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        trilo_document *document = trilo_document_open_file(test_corpus(names[i]), NULL, NULL);
        CHECK(document);
        const trilo_model *model = trilo_document_model(document, NULL);
        const trilo_cost *cost = trilo_document_cost(document, NULL, NULL);
        CHECK(model && cost);
        CHECK_INT(cost->object_count, model->mesh_count);
        for (uint32_t mesh = 0; mesh < model->mesh_count; mesh++)
            check_mesh(document, model, cost, mesh);
        CHECK_INT(trilo_document_batches(document, model->mesh_count, NULL, 0), 0);
        CHECK_INT(trilo_document_batches(document, 0, NULL, 0), model->meshes[0].index_count / 3);
        trilo_cost_free(cost);
        trilo_model_free(model);
        trilo_document_free(document);
    }
}

TEST(other_formats_have_none)
{
    trilo_document *document = trilo_document_open_file(test_corpus("nlm/cube.nlm"), NULL, NULL);
    CHECK(document);
    CHECK_INT(trilo_document_batches(document, 0, NULL, 0), 0);
    trilo_document_free(document);
}

TEST_MAIN(CASE(each_part_draws_its_triangles), CASE(other_formats_have_none))
