/* Smooth skins with one bone for each vertex: the bone and the place that fit all clips best. */
#include "harness.h"
#include "support/t3dm_frond.h"

#include <stdio.h>
#include <string.h>

/* Node 1 goes 5 along x in a second, 3 below its rest. A vertex that follows it with 0.4 moves by 0.4 of that, so it is
 * nearer to node 0, which stands still, at the mean of its 61 places and the one at rest: 0, 1 and 0.4 * 61 / 62 of
 * 2.5, -3. The figures of the text are calculated by hand from the same samples. */
TEST(a_vertex_follows_the_bone_that_fits_the_clip)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    s.joints[2][0] = 1;
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = s.weights[2][2] = 0.3f;
    frond_result r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.skin_fit = true});
    CHECK_STR(r.heard, "T3DM-SKIN-FIT T3DM-MADE-MATERIAL ");
    CHECK(strstr(r.texts, "1 of 3 vertices follow several bones; over all clips they are 39.3 units off on average "
                          "(98.4 at most) instead of 159 (224) with their strongest bones, 1 with another bone"));
    const trilo_model *model = frond_again(&r);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_INT(model->meshes[0].joints[i][0], 0);
    CHECK_NEAR(trilo_model_bounds(model).min.y, -12, 1e-4); /* -0.1806 * 64, rounded */
    frond_done(&r, model);

    r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-WEIGHTS ");
    frond_done(&r, NULL);
}

TEST(without_clips_or_blended_vertices_nothing_changes)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    s.joints[2][1] = 1;
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = 0.6f;
    frond_result plain = frond_encode(&s.model, NULL);
    frond_result fitted = frond_encode(&s.model, &(trilo_t3dm_write_opts){.skin_fit = true});
    CHECK_STR(fitted.heard, plain.heard);
    CHECK(plain.file.size == fitted.file.size && memcmp(plain.file.data, fitted.file.data, plain.file.size) == 0);
    frond_done(&plain, NULL);
    frond_done(&fitted, NULL);

    frond_clip(&s);
    s.weights[2][0] = 0;
    s.weights[2][1] = 1;
    plain = frond_encode(&s.model, NULL);
    fitted = frond_encode(&s.model, &(trilo_t3dm_write_opts){.skin_fit = true});
    CHECK_STR(fitted.heard, "T3DM-MADE-MATERIAL ");
    CHECK(plain.file.size == fitted.file.size && memcmp(plain.file.data, fitted.file.data, plain.file.size) == 0);
    frond_done(&plain, NULL);
    frond_done(&fitted, NULL);
}

static bool ignore_bytes(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static bool ignore_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

static void note_ratio(void *user, const trilo_finding *finding)
{
    double after, before;
    const char *text = strcmp(finding->rule, "T3DM-SKIN-FIT") == 0 ? strstr(finding->text, "they are ") : NULL;
    if (text && sscanf(text, "they are %lf units off on average (%*f at most) instead of %lf", &after, &before) == 2)
        *(double *)user = after / before;
}

/* The part of the error that is left. */
static double error_left(const char *path)
{
    trilo_error err = {0};
    double ratio = 1;
    const trilo_model *model = trilo_model_load_file(test_corpus(path), NULL, &err);
    if (!model)
        FAIL("%s: %s", path, err.text);
    const trilo_t3dm_write_opts t3dm = {.skin_fit = true};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "a.t3dm",
                                   .companion = ignore_stream,
                                   .on_finding = note_ratio,
                                   .on_finding_user = &ratio,
                                   .t3dm = &t3dm};
    if (!trilo_model_write(model, &opts, ignore_bytes, NULL, &err))
        FAIL("%s: %s", path, err.text);
    trilo_model_free(model);
    return ratio;
}

TEST(samples_of_khronos_are_nearer)
{
    CHECK(error_left("gltf/RiggedFigure/RiggedFigure.glb") < 0.6);
    CHECK(error_left("gltf/CesiumMan/CesiumMan.glb") < 0.75);
    CHECK(error_left("gltf/Fox/Fox.glb") < 0.95);
}

TEST_MAIN(CASE(a_vertex_follows_the_bone_that_fits_the_clip), CASE(without_clips_or_blended_vertices_nothing_changes),
          CASE(samples_of_khronos_are_nearer))
