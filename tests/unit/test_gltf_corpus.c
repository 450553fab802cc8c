/* glTF files of others, read into the neutral model. The numbers come from another reader, written for this test in
 * another language and with doubles throughout. */
#include "harness.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each lies in a folder of its own name. */
static const trilo_model *load_with(const char *name, const trilo_load_opts *opts)
{
    trilo_error err = {0};
    char path[128];
    snprintf(path, sizeof path, "gltf/%.*s/%s", (int)strcspn(name, "."), name, name);
    const trilo_model *model = trilo_model_load_file(test_corpus(path), opts, &err);
    if (!model)
        FAIL("%s: %s %s %s", name, err.rule, err.path, err.text);
    if (!trilo_model_check(model, &err))
        FAIL("%s: %s %s", name, err.path, err.text);
    return model;
}

static const trilo_model *load(const char *name)
{
    return load_with(name, NULL);
}

/* --- what is in them --- */

typedef struct summary {
    const char *name;
    uint32_t meshes, materials, skins, clips, vertices, triangles;
    trilo_bounds bounds;
} summary;

static const summary summaries[] = {
    {"AlphaBlendModeTest.glb", 9, 6, 0, 0, 137, 61, {{-4.3f, -0.1f, -0.75f}, {4.3f, 2.299533f, 0.55f}}},
    {"AnimatedMorphCube.glb", 1, 1, 0, 1, 24, 12, {{-1, -1, -1}, {1, 1, 1}}},
    {"AnimatedTriangle.gltf", 1, 0, 0, 1, 3, 1, {{0, 0, 0}, {1, 1, 0}}},
    {"Box.glb", 1, 1, 0, 0, 24, 12, {{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}}},
    {"BoxInterleaved.glb", 1, 1, 0, 0, 24, 12, {{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}}},
    {"BoxTextured.glb", 1, 1, 0, 0, 24, 12, {{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}}},
    {"BoxVertexColors.glb", 1, 0, 0, 0, 24, 12, {{0, 0, 0}, {1, 1, 1}}},
    {"CesiumMan.glb", 1, 1, 1, 1, 3273, 4672, {{-0.131f, -0.5691371f, 0}, {0.180954f, 0.5691369f, 1.50655f}}},
    {"Duck.glb", 1, 1, 0, 0, 2399, 4212, {{-0.692985f, 0.0992937f, -0.613282f}, {0.961799f, 1.6397f, 0.539252f}}},
    {"Fox.glb", 1, 1, 1, 3, 1728, 576, {{-12.59272f, -0.1217448f, -88.095f}, {12.59272f, 78.90719f, 66.62486f}}},
    {"InterpolationTest.glb", 10, 2, 0, 9, 220, 110, {{-4.4f, -2.159462f, -1}, {4.4f, 7.8f, 1.003675f}}},
    {"NegativeScaleTest.glb", 11, 6, 0, 0, 3958, 7724, {{-5.161674f, -4.45354f, -0.5f}, {5.161674f, 4.45354f, 0.5f}}},
    {"OrientationTest.glb",
     13,
     7,
     0,
     0,
     1048,
     524,
     {{-5.330651f, -5.330651f, -5.330651f}, {5.330651f, 5.330651f, 5.330651f}}},
    {"RiggedFigure.glb", 1, 1, 1, 1, 370, 256, {{-0.589461f, -0.1949771f, 0}, {0.589461f, 0.1309178f, 1.44992f}}},
    {"RiggedSimple.glb", 1, 1, 1, 1, 160, 188, {{-1, -0.9999996f, -4.575077f}, {1, 1, 4.575077f}}},
    {"SimpleInstancing.glb",
     125,
     0,
     0,
     0,
     3000,
     1500,
     {{-1.6666667f, -1.6666667f, -1.6666667f}, {12.731707f, 12.731707f, 12.731707f}}},
    {"SimpleSkin.gltf", 1, 0, 1, 1, 10, 8, {{-0.5f, 0, 0}, {0.5f, 2, 0}}},
    {"SimpleSparseAccessor.gltf", 1, 0, 0, 0, 14, 12, {{0, 0, 0}, {6, 4, 0}}},
    {"TextureCoordinateTest.glb", 5, 5, 0, 0, 20, 10, {{-1.2f, -1.2f, -0.05259115f}, {1.2f, 1.2f, 5.255118e-07f}}},
    {"TriangleWithoutIndices.gltf", 1, 0, 0, 0, 3, 1, {{0, 0, 0}, {1, 1, 0}}},
    {"TwoSidedPlane.gltf", 1, 1, 0, 0, 6, 2, {{-1, 0, -1}, {1, 0, 1}}},
    {"UnlitTest.glb", 2, 2, 0, 0, 192, 88, {{-2.2f, -1, -1}, {2.2f, 1, 1}}},
    {"VertexColorTest.glb", 2, 2, 0, 0, 72, 36, {{-1, -1, -0.01274114f}, {1, 1, 0.06136632f}}},
};

static void check_vec3(const char *name, trilo_vec3 got, trilo_vec3 want, float within)
{
    if (!(fabsf(got.x - want.x) <= within && fabsf(got.y - want.y) <= within && fabsf(got.z - want.z) <= within))
        FAIL("%s: got %.7g %.7g %.7g, want %.7g %.7g %.7g", name, (double)got.x, (double)got.y, (double)got.z,
             (double)want.x, (double)want.y, (double)want.z);
}

TEST(summaries_are_as_another_reader_has_them)
{
    for (size_t i = 0; i < sizeof summaries / sizeof summaries[0]; i++) {
        const summary *want = &summaries[i];
        const trilo_model *model = load(want->name);
        const trilo_bounds bounds = trilo_model_bounds(model);
        uint32_t vertices = 0, triangles = 0;
        for (uint32_t k = 0; k < model->mesh_count; k++) {
            vertices += model->meshes[k].vertex_count;
            triangles += model->meshes[k].index_count / 3;
            CHECK(model->meshes[k].topology == TRILO_TOPOLOGY_TRIANGLES);
        }
        if (model->mesh_count != want->meshes || vertices != want->vertices || triangles != want->triangles)
            FAIL("%s: %u meshes, %u vertices, %u triangles", want->name, (unsigned)model->mesh_count,
                 (unsigned)vertices, (unsigned)triangles);
        if (model->material_count != want->materials || model->skin_count != want->skins ||
            model->clip_count != want->clips)
            FAIL("%s: %u materials, %u skins, %u clips", want->name, (unsigned)model->material_count,
                 (unsigned)model->skin_count, (unsigned)model->clip_count);
        const float within = 1e-6f * (1 + fabsf(bounds.max.x) + fabsf(bounds.max.y) + fabsf(bounds.max.z));
        check_vec3(want->name, bounds.min, want->bounds.min, within);
        check_vec3(want->name, bounds.max, want->bounds.max, within);
        trilo_model_free(model);
    }
}

/* --- poses --- */

typedef struct posed_vertex {
    const char *name;
    uint32_t clip;
    double seconds;
    uint32_t mesh, vertex;
    float position[3];
} posed_vertex;

/* Skinned ones; then nodes with every kind of interpolation. */
static const posed_vertex posed_vertices[] = {
    {"RiggedSimple.glb", 0, 0.3, 0, 0, {-4.371138e-08f, -4.575077f, 0.9999996f}},
    {"RiggedSimple.glb", 0, 0.3, 0, 80, {0.2904954f, 4.58907f, -0.1722369f}},
    {"RiggedSimple.glb", 0, 0.3, 0, 159, {0.531192f, 4.55169f, 0.4158198f}},
    {"RiggedSimple.glb", 0, 1.1, 0, 0, {-4.371138e-08f, -4.575077f, 0.9999996f}},
    {"RiggedSimple.glb", 0, 1.1, 0, 80, {2.105067f, 4.099704f, -0.1722368f}},
    {"RiggedSimple.glb", 0, 1.1, 0, 159, {2.310603f, 3.968987f, 0.4158198f}},
    {"RiggedSimple.glb", 0, 2, 0, 0, {-4.371138e-08f, -4.575077f, 0.9999996f}},
    {"RiggedSimple.glb", 0, 2, 0, 80, {-0.198796f, 4.590978f, -0.1722369f}},
    {"RiggedSimple.glb", 0, 2, 0, 159, {0.04451208f, 4.579433f, 0.4158198f}},
    {"CesiumMan.glb", 0, 0, 0, 0, {0.02571333f, 0.9237241f, 0.1161086f}},
    {"CesiumMan.glb", 0, 0, 0, 1500, {0.02899424f, 1.34079f, 0.2169313f}},
    {"CesiumMan.glb", 0, 0, 0, 3272, {-0.06183383f, 1.407146f, -0.04036511f}},
    {"CesiumMan.glb", 0, 0.51, 0, 0, {0.01636569f, 0.9609681f, 0.1043817f}},
    {"CesiumMan.glb", 0, 0.51, 0, 1500, {0.1369599f, 1.351143f, 0.1453974f}},
    {"CesiumMan.glb", 0, 0.51, 0, 3272, {0.02376065f, 1.422811f, -0.1013979f}},
    {"CesiumMan.glb", 0, 1.37, 0, 0, {0.00893335f, 0.9876708f, 0.1160096f}},
    {"CesiumMan.glb", 0, 1.37, 0, 1500, {0.03861104f, 1.382361f, 0.2209163f}},
    {"CesiumMan.glb", 0, 1.37, 0, 3272, {-0.04327775f, 1.472382f, -0.03185108f}},
    {"Fox.glb", 0, 0.7, 0, 0, {2.055216f, 33.67506f, -20.60831f}},
    {"Fox.glb", 0, 0.7, 0, 800, {-7.066341f, 30.11946f, -13.93569f}},
    {"Fox.glb", 0, 0.7, 0, 1727, {-1.998052f, 51.076f, 67.32282f}},
    {"Fox.glb", 0, 2.9, 0, 0, {2.054535f, 32.94942f, -20.40298f}},
    {"Fox.glb", 0, 2.9, 0, 800, {-7.067561f, 29.21546f, -13.26572f}},
    {"Fox.glb", 0, 2.9, 0, 1727, {-8.604095f, 56.01949f, 67.5674f}},
    {"Fox.glb", 1, 0.33, 0, 0, {1.730258f, 33.87028f, -19.97252f}},
    {"Fox.glb", 1, 0.33, 0, 800, {-7.193181f, 29.60698f, -15.50063f}},
    {"Fox.glb", 1, 0.33, 0, 1727, {-0.1684347f, 52.11234f, 69.99321f}},
    {"Fox.glb", 2, 0.61, 0, 0, {2.823358f, 29.60719f, -30.57162f}},
    {"Fox.glb", 2, 0.61, 0, 800, {-9.747832f, 24.15529f, -43.68927f}},
    {"Fox.glb", 2, 0.61, 0, 1727, {-5.50211e-05f, 40.62709f, 66.10208f}},
    {"RiggedFigure.glb", 0, 0.77, 0, 0, {-0.09709613f, 1.124842f, -0.09173091f}},
    {"RiggedFigure.glb", 0, 0.77, 0, 200, {-0.1199265f, 0.6044157f, -0.0912234f}},
    {"RiggedFigure.glb", 0, 0.77, 0, 369, {-0.05838109f, 5.136945e-07f, 0.1779014f}},
    {"SimpleSkin.gltf", 0, 0.75, 0, 0, {-0.5f, 0, 0}},
    {"SimpleSkin.gltf", 0, 0.75, 0, 5, {0.345614f, 1.230993f, 0}},
    {"SimpleSkin.gltf", 0, 0.75, 0, 9, {-0.7327458f, 1.844443f, 0}},
    {"SimpleSkin.gltf", 0, 3.2, 0, 0, {-0.5f, 0, 0}},
    {"SimpleSkin.gltf", 0, 3.2, 0, 5, {0.4877489f, 0.9226989f, 0}},
    {"SimpleSkin.gltf", 0, 3.2, 0, 9, {0.7847022f, 1.796393f, 0}},
    {"AnimatedTriangle.gltf", 0, 0.4, 0, 0, {0, 0, 0}},
    {"AnimatedTriangle.gltf", 0, 0.4, 0, 1, {-0.809017f, 0.5877853f, 0}},
    {"AnimatedTriangle.gltf", 0, 0.4, 0, 2, {-0.5877853f, -0.809017f, 0}},
    {"InterpolationTest.glb", 0, 0.9, 0, 3, {0, 0, 0}},
    {"InterpolationTest.glb", 1, 0.9, 1, 3, {-4.2f, 0.8f, -0.8f}},
    {"InterpolationTest.glb", 2, 0.9, 2, 3, {2.504f, 0.896f, -0.896f}},
    {"InterpolationTest.glb", 3, 0.9, 3, 3, {1.437741e-08f, 4.814214f, -1}},
    {"InterpolationTest.glb", 4, 0.9, 4, 3, {4.387698f, 4.412153f, -1}},
    {"InterpolationTest.glb", 5, 0.9, 5, 3, {-2.568746f, 4.544123f, -1}},
    {"InterpolationTest.glb", 6, 0.9, 6, 3, {-1, 11.8f, -1}},
    {"InterpolationTest.glb", 7, 0.9, 7, 3, {2.4f, 8.216f, -1}},
    {"InterpolationTest.glb", 8, 0.9, 8, 3, {-4.4f, 8.6f, -1}},
};

static trilo_vec3 pose_one(const trilo_model *model, const posed_vertex *want)
{
    const trilo_mesh *mesh = &model->meshes[want->mesh];
    trilo_mat4 *locals = calloc(model->node_count, sizeof *locals), *worlds = calloc(model->node_count, sizeof *worlds);
    const uint32_t joints = mesh->skin == TRILO_NONE ? 0 : model->skins[mesh->skin].joint_count;
    trilo_mat4 *matrices = joints > 0 ? calloc(joints, sizeof *matrices) : NULL;
    float(*positions)[3] = calloc(mesh->vertex_count, sizeof *positions);
    CHECK(locals && worlds && positions);
    trilo_pose_locals(model, want->clip, want->seconds, locals);
    trilo_pose_worlds(model, locals, worlds);
    if (matrices)
        trilo_pose_skin(model, mesh->skin, worlds, matrices);
    trilo_pose_mesh(model, want->mesh, worlds, matrices, positions, NULL);
    const float *p = positions[want->vertex];
    const trilo_vec3 result = {p[0], p[1], p[2]};
    free(locals), free(worlds), free(matrices), free(positions);
    return result;
}

TEST(poses_are_as_another_reader_has_them)
{
    for (size_t i = 0; i < sizeof posed_vertices / sizeof posed_vertices[0]; i++) {
        const posed_vertex *want = &posed_vertices[i];
        const trilo_model *model = load(want->name);
        const float *p = want->position;
        const float size = fabsf(p[0]) + fabsf(p[1]) + fabsf(p[2]);
        check_vec3(want->name, pose_one(model, want), (trilo_vec3){p[0], p[1], p[2]}, 3e-6f * (1 + size));
        trilo_model_free(model);
    }
}

/* --- morph targets --- */

typedef struct frame_vertex {
    uint32_t frame;
    double seconds;
    uint32_t vertex;
    float position[3], normal[3];
} frame_vertex;

TEST(the_morph_cube_has_a_frame_for_each_key)
{
    static const frame_vertex wanted[] = {
        {0, 0, 2, {0.01f, -0.009999998f, 0.01f}, {0, 0, 1}},
        {0, 0, 12, {-0.01f, -0.01f, 0.01f}, {0, -1, 0}},
        {40, 1.33333337, 2, {0.01f, 0.007530123f, 0.01f}, {0, 0, 1}},
        {40, 1.33333337, 12, {-0.01f, 0.007530121f, 0.01f}, {0, -1, 0}},
        {90, 2.99999857, 2, {0.01f, -0.007677592f, 0.01f}, {0, 0, 1}},
        {90, 2.99999857, 12, {-0.01f, -0.007677593f, 0.01f}, {0, -0.7692064f, -0.6390004f}},
        {126, 4.19999743, 12, {-0.01f, -0.01f, 0.01f}, {0, -1, 1.076003e-07f}},
    };
    const trilo_model *model = load("AnimatedMorphCube.glb");
    const trilo_clip *clip = &model->clips[0];
    CHECK_INT(clip->channel_count, 0);
    CHECK_INT(clip->track_count, 1);
    CHECK_INT(clip->tracks[0].mesh, 0);
    CHECK_INT(clip->tracks[0].frame_count, 127);
    CHECK_NEAR(clip->duration, 4.19999743, 1e-8);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const frame_vertex *want = &wanted[i];
        const trilo_frame *frame = &clip->tracks[0].frames[want->frame];
        const float(*normals)[3] = frame->normals ? frame->normals : model->meshes[0].normals;
        CHECK_NEAR(frame->time, want->seconds, 1e-8);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR((double)frame->positions[want->vertex][k], (double)want->position[k], 1e-8);
            CHECK_NEAR((double)normals[want->vertex][k], (double)want->normal[k], 1e-6);
        }
    }
    CHECK(clip->tracks[0].frames[0].positions == model->meshes[0].positions); /* nothing is moved yet */
    trilo_model_free(model);
}

/* --- arrays --- */

TEST(sparse_positions_stand_in_the_right_rows)
{
    const trilo_model *model = load("SimpleSparseAccessor.gltf");
    static const float heights[14] = {0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 3, 1, 4, 1};
    CHECK_INT(model->meshes[0].vertex_count, 14);
    for (int i = 0; i < 14; i++) {
        CHECK_NEAR((double)model->meshes[0].positions[i][0], i % 7, 0);
        CHECK_NEAR((double)model->meshes[0].positions[i][1], (double)heights[i], 0);
    }
    trilo_model_free(model);
}

TEST(interleaved_or_not_is_the_same)
{
    const trilo_model *a = load("Box.glb"), *b = load("BoxInterleaved.glb");
    const trilo_mesh *m = &a->meshes[0], *n = &b->meshes[0];
    CHECK_INT(m->vertex_count, n->vertex_count);
    CHECK_INT(m->index_count, n->index_count);
    CHECK(memcmp(m->positions, n->positions, m->vertex_count * sizeof *m->positions) == 0);
    CHECK(memcmp(m->normals, n->normals, m->vertex_count * sizeof *m->normals) == 0);
    CHECK(memcmp(m->indices, n->indices, m->index_count * sizeof *m->indices) == 0);
    trilo_model_free(a);
    trilo_model_free(b);
}

/* --- materials, colours, textures --- */

TEST(colors_are_shown_values)
{
    const trilo_load_opts srgb = {.gltf = &(trilo_gltf_load_opts){.srgb = true}};
    const trilo_model *model = load("VertexColorTest.glb");
    CHECK(!model->meshes[0].colors);
    CHECK_NEAR((double)model->meshes[1].colors[0][0], 0.7310623714, 6e-8);
    CHECK_NEAR((double)model->meshes[1].colors[0][3], 1, 0);
    CHECK_NEAR((double)model->meshes[1].colors[30][0], 0, 0);
    CHECK_NEAR((double)model->meshes[1].colors[30][2], 1, 0);
    trilo_model_free(model);
    model = load_with("VertexColorTest.glb", &srgb);
    CHECK_NEAR((double)model->meshes[1].colors[0][0], 0.7366469615, 6e-8);
    trilo_model_free(model);
}

TEST(alpha_modes)
{
    const trilo_model *model = load("AlphaBlendModeTest.glb");
    static const trilo_alpha modes[] = {TRILO_ALPHA_OPAQUE, TRILO_ALPHA_BLEND,  TRILO_ALPHA_CUTOUT,
                                        TRILO_ALPHA_CUTOUT, TRILO_ALPHA_CUTOUT, TRILO_ALPHA_OPAQUE};
    static const double cutoffs[] = {0, 0, 0.25, 0.75, 0.5, 0};
    for (int i = 0; i < 6; i++) {
        CHECK_INT(model->materials[i].alpha, modes[i]);
        CHECK_NEAR((double)model->materials[i].alpha_cutoff, cutoffs[i], 0);
        CHECK_INT(model->materials[i].two_sided, i > 0);
        CHECK_INT(model->materials[i].texture, i > 0 ? 3 : 0); /* the first has two maps behind its colour */
    }
    CHECK_STR(model->materials[2].name.data, "MatCutoff25");
    const trilo_pbr *bed = model->materials[0].pbr, *blend = model->materials[1].pbr;
    CHECK(bed && bed->maps[TRILO_MAP_KIND_METALLIC_ROUGHNESS].used && bed->maps[TRILO_MAP_KIND_NORMAL].used);
    CHECK_INT(bed->maps[TRILO_MAP_KIND_OCCLUSION].texture, bed->maps[TRILO_MAP_KIND_METALLIC_ROUGHNESS].texture);
    CHECK(bed->maps[TRILO_MAP_KIND_OCCLUSION].used && bed->metallic == 1 && bed->roughness == 1);
    CHECK(blend && blend->metallic == 0 && blend->roughness == 0.8f);
    CHECK_INT(model->texture_count, 4);
    CHECK_INT(model->textures[0].kind, TRILO_IMAGE_KIND_JPEG);
    CHECK_INT(model->textures[3].kind, TRILO_IMAGE_KIND_PNG);
    CHECK(model->textures[0].bytes.size > 0 && model->textures[0].width > 0);
    trilo_model_free(model);
}

TEST(unlit_and_colored)
{
    const trilo_model *model = load("UnlitTest.glb");
    CHECK(model->materials[0].unlit && model->materials[1].unlit);
    CHECK_NEAR((double)model->materials[0].base_color[0], 1, 0);
    CHECK_NEAR((double)model->materials[0].base_color[1], 0.50000, 2e-4); /* a half, by the power 1/2.2 */
    CHECK_NEAR((double)model->materials[0].base_color[2], 0, 0);
    CHECK_STR(model->materials[0].extras.extensions.data, "");
    trilo_model_free(model);
}

TEST(a_picture_beside_the_file_comes_along)
{
    const trilo_model *model = load("TwoSidedPlane.gltf");
    CHECK_INT(model->texture_count, 3);
    CHECK_STR(model->textures[model->materials[0].pbr->maps[TRILO_MAP_KIND_METALLIC_ROUGHNESS].texture].path.data,
              "TwoSidedPlane_MetallicRoughness.png");
    CHECK_STR(model->textures[model->materials[0].pbr->maps[TRILO_MAP_KIND_NORMAL].texture].path.data,
              "TwoSidedPlane_Normal.png");
    CHECK_STR(model->textures[0].path.data, "TwoSidedPlane_BaseColor.png");
    CHECK_STR(model->textures[0].name.data, "TwoSidedPlane_BaseColor.png");
    CHECK_INT(model->textures[0].kind, TRILO_IMAGE_KIND_PNG);
    CHECK(model->textures[0].bytes.size > 0);
    CHECK_INT(model->textures[0].width, 256);
    CHECK_INT(model->textures[0].height, 256);
    trilo_model_free(model);
}

/* --- skins and nodes --- */

TEST(nodes_keep_their_order_or_come_depth_first)
{
    const trilo_model *model = load("RiggedSimple.glb");
    for (uint32_t i = 0; i < model->node_count; i++)
        CHECK(model->nodes[i].parent == TRILO_NONE || model->nodes[i].parent < i);
    CHECK_INT(model->skins[0].joint_count, 2);
    CHECK(model->meshes[0].joints && model->meshes[0].weights);
    CHECK_INT(model->meshes[0].skin, 0);
    trilo_model_free(model);
}

TEST(weights_add_up)
{
    static const char *const names[] = {"RiggedSimple.glb", "RiggedFigure.glb", "CesiumMan.glb", "Fox.glb"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const trilo_model *model = load(names[i]);
        const trilo_mesh *mesh = &model->meshes[0];
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const float *w = mesh->weights[v];
            CHECK_NEAR((double)w[0] + (double)w[1] + (double)w[2] + (double)w[3], 1, 1e-6);
        }
        trilo_model_free(model);
    }
}

TEST_MAIN(CASE(summaries_are_as_another_reader_has_them), CASE(poses_are_as_another_reader_has_them),
          CASE(the_morph_cube_has_a_frame_for_each_key), CASE(sparse_positions_stand_in_the_right_rows),
          CASE(interleaved_or_not_is_the_same), CASE(colors_are_shown_values), CASE(alpha_modes),
          CASE(unlit_and_colored), CASE(a_picture_beside_the_file_comes_along),
          CASE(nodes_keep_their_order_or_come_depth_first), CASE(weights_add_up))
