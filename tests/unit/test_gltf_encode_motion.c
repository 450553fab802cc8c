/* What is written as glTF: clips of nodes, and frames of vertices. */
#include "harness.h"
#include "support/gltf_written.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLER "animations/0/samplers/0/"

/* --- nodes --- */

TEST(a_clip_of_one_channel)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "animations/0"),
              "{\"name\":\"sway\",\"samplers\":[{\"input\":2,\"output\":3}],"
              "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}}]}");
    CHECK_STR(written_raw(&w, "accessors/2"),
              "{\"bufferView\":2,\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\",\"min\":[0],\"max\":[3]}");
    CHECK_STR(written_raw(&w, "accessors/3"),
              "{\"bufferView\":3,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}");
    CHECK(!written_at(&w, "bufferViews/2/target"));
    CHECK(written_float(&w, SAMPLER "output", 9) == 3);
    written_free(&w);
}

TEST(axes_become_a_whole)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    const double times[2] = {0, 2};
    const float values[2] = {4, 8};
    for (uint32_t i = 0; i < LEAF_KEYS; i++)
        l.values[i] = (float)i;
    l.channels[0] = (trilo_channel){
        .node = 1, .target = TRILO_TARGET_TRANSLATION_Z, .key_count = 2, .times = times, .values = values};
    l.channels[1] = (trilo_channel){
        .node = 1, .target = TRILO_TARGET_TRANSLATION_X, .key_count = 4, .times = l.times, .values = l.values};
    l.channels[2] =
        (trilo_channel){.node = 0, .target = TRILO_TARGET_SCALE_Y, .key_count = 2, .times = times, .values = values};
    l.clip.channel_count = 3;
    write_leaf(&w, &l);
    CHECK_INT(written_at(&w, "animations/0/channels")->count, 2);
    CHECK_STR(written_raw(&w, "animations/0/channels/0/target"), "{\"node\":0,\"path\":\"scale\"}");
    CHECK_STR(written_raw(&w, "animations/0/channels/1/target"), "{\"node\":1,\"path\":\"translation\"}");
    /* a key at each second; y rests at 1; z goes from 4 to 8 in two of them */
    static const float want[12] = {0, 1, 4, 1, 1, 6, 2, 1, 8, 3, 1, 8};
    for (uint32_t i = 0; i < 12; i++)
        CHECK_NEAR(written_float(&w, "animations/0/samplers/1/output", i), want[i], 0);
    CHECK_NEAR(written_float(&w, SAMPLER "output", 1), 4, 0);
    CHECK_NEAR(written_float(&w, SAMPLER "output", 0), 1, 0);
    written_free(&w);
}

TEST(steps_and_curves_stay)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.channels[0].interpolation = TRILO_INTERPOLATION_STEP;
    l.channels[1] = l.channels[0];
    l.channels[1].interpolation = TRILO_INTERPOLATION_CUBIC;
    l.channels[1].target = TRILO_TARGET_ROTATION;
    for (uint32_t i = 0; i < sizeof l.values / sizeof l.values[0]; i++)
        l.values[i] = (float)i;
    l.clip.channel_count = 2;
    write_leaf(&w, &l);
    CHECK_STR(written_text(&w, SAMPLER "interpolation"), "STEP");
    CHECK_STR(written_text(&w, "animations/0/samplers/1/interpolation"), "CUBICSPLINE");
    CHECK_INT(written_number(&w, SAMPLER "input"), written_number(&w, "animations/0/samplers/1/input"));
    const char *output = "animations/0/samplers/1/output";
    CHECK_INT(written_number(&w, "accessors/4/count"), 12);
    CHECK(written_float(&w, output, 12) == 12 && written_float(&w, output, 20) == 20); /* tangents as they are */
    double length = 0;
    for (uint32_t i = 16; i < 20; i++)
        length += (double)written_float(&w, output, i) * (double)written_float(&w, output, i);
    CHECK_NEAR(length, 1, 1e-6); /* a rotation has length 1 */
    CHECK_NEAR(written_float(&w, output, 17) / written_float(&w, output, 16), 17.0 / 16, 1e-6);
    written_free(&w);
}

TEST(a_curve_of_one_key_is_no_curve)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.channels[0].interpolation = TRILO_INTERPOLATION_CUBIC;
    l.channels[0].key_count = 1;
    l.values[3] = 7; /* its value, behind a tangent */
    l.clip.duration = 0;
    write_leaf(&w, &l);
    CHECK_STR(written_text(&w, SAMPLER "interpolation"), "STEP");
    CHECK_INT(written_number(&w, "accessors/3/count"), 1);
    CHECK(written_float(&w, SAMPLER "output", 0) == 7);
    written_free(&w);
}

TEST(a_curve_of_two_keys_stays)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.channels[0].interpolation = TRILO_INTERPOLATION_CUBIC;
    l.channels[0].key_count = 2;
    l.clip.duration = l.times[1];
    write_leaf(&w, &l);
    CHECK_STR(written_text(&w, SAMPLER "interpolation"), "CUBICSPLINE");
    CHECK_INT(written_number(&w, "accessors/3/count"), 6);
    written_free(&w);
}

TEST(times_rise_from_0)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.times[0] = -2, l.times[1] = -1, l.times[2] = 1, l.times[3] = 1 + 1e-12;
    l.clip.duration = 1;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok && strstr(w.texts, "3 keys are before 0 or coincide"));
    CHECK_INT(written_number(&w, "accessors/2/count"), 2);
    CHECK(written_float(&w, SAMPLER "input", 0) == 0 && written_float(&w, SAMPLER "input", 1) == 1);
    CHECK(written_float(&w, SAMPLER "output", 0) == 1 && written_float(&w, SAMPLER "output", 3) == 3);
    written_free(&w);
}

TEST(the_end_is_held)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.clip.duration = 5;
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "accessors/2/max"), "[5]");
    CHECK_INT(written_number(&w, "accessors/3/count"), 5);
    CHECK(written_float(&w, SAMPLER "output", 9) == 3 && written_float(&w, SAMPLER "output", 12) == 3);
    const trilo_model *model = written_model(&w);
    CHECK_NEAR(model->clips[0].duration, 5, 0);
    trilo_model_free(model);
    written_free(&w);
    l.channels[0].interpolation = TRILO_INTERPOLATION_CUBIC;
    for (uint32_t i = 0; i < sizeof l.values / sizeof l.values[0]; i++)
        l.values[i] = (float)(i + 1);
    write_leaf(&w, &l);
    /* In-tangent, value and out-tangent of each key, as they were; the curve is level from the last key on, which the
     * fifth repeats. */
    for (uint32_t i = 0; i < 5 * 9; i++) {
        const uint32_t key = i / 9, part = i % 9 / 3;
        const bool level = (key == 3 && part == 2) || (key == 4 && part != 1);
        CHECK_NEAR(written_float(&w, SAMPLER "output", i), level ? 0 : key == 4 ? i - 9 + 1 : i + 1, 0);
    }
    written_free(&w);
}

TEST(a_clip_that_moves_nothing)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.channels[0].key_count = 0;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok && strstr(w.texts, "the clip has no keys"));
    CHECK(!written_at(&w, "animations"));
    written_free(&w);
}

TEST(clips_come_back)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_skin(&l);
    leaf_use_clip(&l);
    l.channels[1] = l.channels[0];
    l.channels[1].target = TRILO_TARGET_SCALE;
    l.channels[1].interpolation = TRILO_INTERPOLATION_STEP;
    l.clip.channel_count = 2;
    write_leaf(&w, &l);
    const trilo_model *model = written_model(&w);
    CHECK_INT(model->clip_count, 1);
    CHECK_STR(model->clips[0].name.data, "sway");
    CHECK_INT(model->clips[0].channel_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const trilo_channel *got = &model->clips[0].channels[i], *want = &l.channels[i];
        CHECK_INT(got->target, want->target);
        CHECK_INT(got->interpolation, want->interpolation);
        CHECK_INT(got->key_count, want->key_count);
        CHECK(memcmp(got->times, want->times, sizeof l.times) == 0);
        CHECK(memcmp(got->values, want->values, 12 * sizeof(float)) == 0);
        CHECK(model->nodes[got->node].translation.y == 1);
    }
    CHECK_INT(model->skin_count, 1);
    CHECK_INT(model->skins[0].joint_count, 2);
    CHECK(memcmp(&model->skins[0].joints[1].inverse_bind, &l.joint[1].inverse_bind, sizeof(trilo_mat4)) == 0);
    trilo_model_free(model);
    written_free(&w);
}

TEST(rotations_that_are_none)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.channels[0].target = TRILO_TARGET_ROTATION;
    l.values[3] = 2;
    l.values[5] = NAN;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok && strstr(w.texts, "1 of 16 numbers are not finite"));
    static const float want[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    for (uint32_t i = 0; i < 8; i++)
        CHECK_NEAR(written_float(&w, SAMPLER "output", i), want[i], 0);
    written_free(&w);
}

/* --- frames --- */

TEST(frames_are_targets)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_track(&l);
    l.frames[3].positions = l.frames[1].positions; /* shared */
    write_leaf(&w, &l);
    /* frame 0 is the mesh itself: two targets */
    CHECK_INT(written_at(&w, "meshes/0/primitives/0/targets")->count, 2);
    CHECK(written_float(&w, "meshes/0/primitives/0/targets/0/POSITION", 2) == 1);
    CHECK(written_float(&w, "meshes/0/primitives/0/targets/1/POSITION", 2) == 2);
    CHECK(written_float(&w, "meshes/0/primitives/0/targets/1/POSITION", 3) == 0);
    CHECK(!written_at(&w, "meshes/0/primitives/0/targets/0/NORMAL"));
    CHECK_STR(written_raw(&w, "animations/0/channels/0/target"), "{\"node\":0,\"path\":\"weights\"}");
    static const float weights[8] = {0, 0, 1, 0, 0, 1, 1, 0};
    for (uint32_t i = 0; i < 8; i++)
        CHECK_NEAR(written_float(&w, SAMPLER "output", i), weights[i], 0);
    CHECK(!written_at(&w, SAMPLER "interpolation"));
    const trilo_model *model = written_model(&w);
    CHECK_INT(model->clips[0].track_count, 1);
    const trilo_track *track = &model->clips[0].tracks[0];
    CHECK_INT(track->frame_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_NEAR(track->frames[i].time, i, 0);
        CHECK(memcmp(track->frames[i].positions, l.frames[i].positions, sizeof l.positions) == 0);
    }
    trilo_model_free(model);
    written_free(&w);
}

TEST(frames_of_the_game_are_held)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_track(&l);
    l.model.format = TRILO_FORMAT_MODEL64;
    l.model.units_per_meter = 64;
    write_leaf(&w, &l);
    CHECK_STR(written_text(&w, SAMPLER "interpolation"), "STEP");
    CHECK(written_float(&w, "meshes/0/primitives/0/targets/1/POSITION", 2) == 2 / 64.0f);
    written_free(&w);
}

TEST(frames_with_normals)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_track(&l);
    static const float turned[LEAF_VERTICES][3] = {{0, 2, 0}, {0, 2, 0}, {0, 2, 0}, {0, 2, 0}};
    l.frames[2].normals = turned;
    write_leaf(&w, &l); /* the mesh has none to start from */
    CHECK(!written_at(&w, "meshes/0/primitives/0/targets/1/NORMAL"));
    written_free(&w);
    l.meshes[0].normals = (const float(*)[3])l.normals;
    write_leaf(&w, &l);
    CHECK(written_float(&w, "meshes/0/primitives/0/targets/1/NORMAL", 1) == 1);
    CHECK(written_float(&w, "meshes/0/primitives/0/targets/1/NORMAL", 2) == -1);
    CHECK(written_float(&w, "meshes/0/primitives/0/targets/0/NORMAL", 2) == 0); /* all targets alike */
    written_free(&w);
}

TEST(frames_that_are_all_static)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_track(&l);
    for (uint32_t i = 0; i < LEAF_FRAMES; i++)
        l.frames[i].positions = (const float(*)[3])l.positions;
    write_leaf(&w, &l);
    CHECK_INT(written_at(&w, "meshes/0/primitives/0/targets")->count, 1);
    CHECK_INT(written_at(&w, "animations/0/channels")->count, 1);
    written_free(&w);
}

/* A mesh with frames is a mesh of its own, and its node is its own. */
TEST(frames_stay_apart)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_track(&l);
    l.model.mesh_count = 3;
    write_leaf(&w, &l);
    CHECK_INT(written_at(&w, "meshes")->count, 2);
    CHECK_INT(written_at(&w, "meshes/1/primitives")->count, 2);
    CHECK(!written_at(&w, "meshes/1/primitives/0/targets"));
    written_free(&w);
}

/* 400 frames that differ would need 160,000 weights: only those that are not 0 are stored. */
TEST(many_frames_are_sparse)
{
    enum { FRAMES = 400 };
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_track(&l);
    float(*positions)[LEAF_VERTICES][3] = calloc(FRAMES, sizeof *positions);
    trilo_frame *frames = calloc(FRAMES, sizeof *frames);
    for (uint32_t i = 0; i < FRAMES; i++) {
        positions[i][0][0] = (float)(i + 1);
        frames[i] = (trilo_frame){i, (const float(*)[3])positions[i], NULL};
    }
    l.track.frames = frames;
    l.track.frame_count = FRAMES;
    l.clip.duration = FRAMES - 1;
    write_leaf(&w, &l);
    const tl_json *accessors = written_at(&w, "accessors"), *last = accessors->first;
    while (last->next)
        last = last->next;
    CHECK(!tl_json_member(last, "bufferView"));
    CHECK_NEAR(tl_json_number(tl_json_member(last, "count"), 0), 160000, 0);
    CHECK_NEAR(tl_json_number(tl_json_member(tl_json_member(last, "sparse"), "count"), 0), 400, 0);
    CHECK(w.bin_size < 400 * (48 + 4 + 8) + 1000);
    const trilo_model *model = written_model(&w);
    CHECK_INT(model->clips[0].tracks[0].frame_count, FRAMES);
    CHECK_NEAR(model->clips[0].tracks[0].frames[399].positions[0][0], 400, 0);
    CHECK_NEAR(model->clips[0].tracks[0].frames[7].positions[0][0], 8, 0);
    trilo_model_free(model);
    written_free(&w);
    free(positions);
    free(frames);
}

/* --- real files --- */

static void copy_path(char *out, size_t room, const char *name)
{
    const char *path = test_corpus(name);
    CHECK(strlen(path) < room);
    strcpy(out, path);
}

/* Where a model's meshes are at a moment must not change by writing and reading. */
static double farthest(const trilo_model *a, const trilo_model *b, uint32_t mesh, double seconds, double unit)
{
    const trilo_model *models[2] = {a, b};
    float(*places[2])[3];
    for (int m = 0; m < 2; m++) {
        const trilo_model *model = models[m];
        const trilo_mesh *which = &model->meshes[mesh];
        trilo_mat4 *locals = calloc(model->node_count + 1, sizeof *locals);
        trilo_mat4 *worlds = calloc(model->node_count + 1, sizeof *worlds), *skin = NULL;
        trilo_pose_locals(model, model->clip_count > 0 ? 0 : TRILO_NONE, seconds, locals);
        trilo_pose_worlds(model, locals, worlds);
        if (which->skin != TRILO_NONE) {
            skin = calloc(model->skins[which->skin].joint_count + 1, sizeof *skin);
            trilo_pose_skin(model, which->skin, worlds, skin);
        }
        places[m] = calloc(which->vertex_count + 1, sizeof *places[m]);
        trilo_pose_mesh(model, mesh, worlds, skin, places[m], NULL);
        free(locals);
        free(worlds);
        free(skin);
    }
    double most = 0;
    for (uint32_t i = 0; i < a->meshes[mesh].vertex_count; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs((double)places[0][i][k] - unit * (double)places[1][i][k]));
    free(places[0]);
    free(places[1]);
    return most;
}

static void check_motion(const char *name, double unit, double within)
{
    char path[1024];
    trilo_error err = {0};
    written w;
    copy_path(path, sizeof path, name);
    const trilo_model *model = trilo_model_load_file(path, NULL, &err);
    if (!model)
        FAIL("%s: %s", name, err.text);
    write_gltf(&w, model, NULL, "x.glb", false);
    CHECK(w.ok);
    const trilo_model *again = written_model(&w);
    CHECK_INT(again->mesh_count, model->mesh_count);
    CHECK_INT(again->clip_count, model->clip_count);
    CHECK_INT(again->skin_count, model->skin_count);
    for (int moment = 0; moment < 5; moment++)
        for (uint32_t i = 0; i < model->mesh_count; i++) {
            const double seconds = model->clip_count > 0 ? model->clips[0].duration * moment / 4.1 : 0;
            CHECK_INT(again->meshes[i].vertex_count, model->meshes[i].vertex_count);
            CHECK_INT(again->meshes[i].index_count, model->meshes[i].index_count);
            CHECK_NEAR(farthest(model, again, i, seconds, unit), 0, within);
        }
    trilo_model_free(again);
    trilo_model_free(model);
    written_free(&w);
}

TEST(real_models_stand_where_they_stood)
{
    check_motion("gltf/CesiumMan/CesiumMan.glb", 1, 1e-6);
    check_motion("gltf/Fox/Fox.glb", 1, 1e-5);
    check_motion("gltf/InterpolationTest/InterpolationTest.glb", 1, 1e-6);
    check_motion("t3dm/08_animation/filesystem/snake.t3dm", 64, 1e-4);
    check_motion("nlm/trotting_cat.nlm", 1, 1e-6);
}

TEST_MAIN(CASE(a_clip_of_one_channel), CASE(axes_become_a_whole), CASE(steps_and_curves_stay),
          CASE(a_curve_of_one_key_is_no_curve), CASE(a_curve_of_two_keys_stays), CASE(times_rise_from_0),
          CASE(the_end_is_held), CASE(a_clip_that_moves_nothing), CASE(clips_come_back), CASE(rotations_that_are_none),
          CASE(frames_are_targets), CASE(frames_of_the_game_are_held), CASE(frames_with_normals),
          CASE(frames_that_are_all_static), CASE(frames_stay_apart), CASE(many_frames_are_sparse),
          CASE(real_models_stand_where_they_stood))
