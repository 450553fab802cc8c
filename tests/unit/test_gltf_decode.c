/* From glTF files made by hand to the neutral model, one matter at a time. */
#include "harness.h"
#include "support/exercise.h"
#include "support/fast64_files.h"
#include "support/gltf_draft.h"
#include "trilobite/trilobite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- faces --- */

static const trilo_model *zigzag_in(draft *d, int mode)
{
    char rest[256];
    *d = zigzag();
    snprintf(rest, sizeof rest, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':%d}]}]", mode);
    return load(d, rest);
}

TEST(every_mode_becomes_triangles_or_lines)
{
    draft d;
    const trilo_model *model = zigzag_in(&d, 4);
    CHECK_INDICES(&model->meshes[0], 0, 1, 2);
    CHECK_INT(model->meshes[0].vertex_count, 5); /* the last two are named by no triangle */
    done(&d, model);
    model = zigzag_in(&d, 5);
    CHECK_INDICES(&model->meshes[0], 0, 1, 2, 1, 3, 2, 2, 3, 4);
    CHECK_INT(model->meshes[0].topology, TRILO_TOPOLOGY_TRIANGLES);
    done(&d, model);
    model = zigzag_in(&d, 6);
    CHECK_INDICES(&model->meshes[0], 1, 2, 0, 2, 3, 0, 3, 4, 0);
    done(&d, model);
    model = zigzag_in(&d, 1);
    CHECK_INDICES(&model->meshes[0], 0, 1, 2, 3);
    CHECK_INT(model->meshes[0].topology, TRILO_TOPOLOGY_LINES);
    done(&d, model);
    model = zigzag_in(&d, 2);
    CHECK_INDICES(&model->meshes[0], 0, 1, 1, 2, 2, 3, 3, 4, 4, 0);
    done(&d, model);
    model = zigzag_in(&d, 3);
    CHECK_INDICES(&model->meshes[0], 0, 1, 1, 2, 2, 3, 3, 4);
    done(&d, model);
    model = zigzag_in(&d, 0);
    CHECK_INT(model->mesh_count, 0); /* points */
    CHECK_INT(model->node_count, 1);
    done(&d, model);
}

TEST(seams_of_strips_are_no_triangles)
{
    draft d = zigzag();
    PUT(&d, "SCALAR", U8, 7, 0, 1, 2, 2, 3, 3, 4);
    const trilo_model *model =
        load(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'mode':5}]}]");
    CHECK_INDICES(&model->meshes[0], 0, 1, 2);
    done(&d, model);
}

TEST(indices_of_all_sizes)
{
    static const int components[] = {U8, U16, U32};
    for (int i = 0; i < 3; i++) {
        draft d = zigzag();
        PUT(&d, "SCALAR", components[i], 6, 4, 2, 0, 3, 1, 4);
        const trilo_model *model =
            load(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}]");
        CHECK_INDICES(&model->meshes[0], 4, 2, 0, 3, 1, 4);
        CHECK_INT(model->meshes[0].vertex_count, 5);
        CHECK_INT(model->meshes[0].material, TRILO_NONE);
        done(&d, model);
    }
}

/* Three of many, as in files whose primitives share one large array. */
TEST(a_primitive_gets_the_vertices_that_it_names)
{
    draft d = {0};
    PUT(&d, "VEC3", F32, 8, 0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 0, 4, 0, 0, 5, 1, 0, 6, 0, 0, 7, 1, 0);
    PUT(&d, "SCALAR", U16, 3, 6, 1, 3);
    PUT_NORMALIZED(&d, "VEC3", U8, 8, 9, 9, 9, 0, 0, 0, 9, 9, 9, 153, 0, 0, 9, 9, 9, 9, 9, 9, 255, 0, 0, 9, 9, 9);
    const trilo_model *model = load(&d, ONE_NODE "'meshes':[{'primitives':["
                                                 "{'attributes':{'POSITION':0,'COLOR_0':2},'indices':1}]}]");
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->vertex_count, 3);
    CHECK_INDICES(mesh, 2, 0, 1);
    CHECK_FLOATS(mesh->positions[0], 0, 1, 1, 0, 3, 1, 0, 6, 0, 0);
    CHECK_FLOATS(mesh->colors[0], 1e-6, 0, 0, 0, 1, 0.7928112, 0, 0, 1, 1, 0, 0, 1); /* 0.6 to the power 0.4545 */
    done(&d, model);
}

/* --- attributes --- */

TEST(quantised_numbers)
{
    draft d = {0};
    PUT(&d, "VEC3", S16, 3, 0, 0, 0, 100, -200, 0, 32767, 0, 0);
    PUT_NORMALIZED(&d, "VEC3", S8, 3, 127, 0, 0, 0, -127, 0, 0, 0, -128);
    PUT(&d, "VEC2", U8, 3, 0, 0, 3, 7, 255, 1);
    const trilo_model *model =
        load(&d, "'extensionsUsed':['KHR_mesh_quantization'],'extensionsRequired':['KHR_mesh_quantization']," ONE_NODE
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2}}]}]");
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_FLOATS(mesh->positions[0], 0, 0, 0, 0, 100, -200, 0, 32767, 0, 0);
    CHECK_FLOATS(mesh->normals[0], 0, 1, 0, 0, 0, -1, 0, 0, 0, -1);
    CHECK_FLOATS(mesh->uvs[0], 0, 0, 0, 3, 7, 255, 1);
    CHECK(!mesh->colors && !mesh->joints);
    done(&d, model);
}

TEST(colors_stay_between_black_and_white)
{
    draft d = zigzag();
    PUT(&d, "VEC4", F32, 5, -1, 0.5, 2, 0.5, 0, 0, 0, -1, 0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 1, 1);
    const trilo_model *model =
        load(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1},'mode':5}]}]");
    CHECK_FLOATS(model->meshes[0].colors[0], 1e-6, 0, 0.7297630, 1, 0.5); /* a half to the power 0.4545 */
    CHECK_NEAR((double)model->meshes[0].colors[1][3], 0, 0);
    CHECK_NEAR((double)model->meshes[0].colors[2][3], 1, 0);
    CHECK_FLOATS(model->meshes[0].colors[4], 0, 1, 1, 1, 1);
    done(&d, model);
}

/* A PNG of one pixel. */
#define PIXEL                                                                                                          \
    "'images':[{'name':'dot','uri':'data:image/"                                                                       \
    "png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP43+AAAARBAcAM0e2R"                          \
    "AAAAAElFTkSuQmCC'}],"

/* Scaled by 2 and 4, turned by a quarter: what was right now points up, against v; then moved. */
TEST(the_transform_of_the_texture_is_in_the_uvs)
{
    draft d = zigzag();
    PUT(&d, "VEC2", F32, 5, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9);
    PUT(&d, "VEC2", F32, 5, 0, 0, 1, 0, 0, 1, 0.5, 0.25, 1, 1);
    const trilo_model *model = load(
        &d, ONE_NODE PIXEL "'textures':[{'source':0}],'extensionsUsed':['KHR_texture_transform'],"
                           "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':0,"
                           "'extensions':{'KHR_texture_transform':{'texCoord':1,'offset':[10,20],"
                           "'rotation':1.5707963267948966,'scale':[2,4]}}}}}],'meshes':[{'primitives':[{'material':0,"
                           "'attributes':{'POSITION':0,'TEXCOORD_0':1,'TEXCOORD_1':2},'mode':5}]}]");
    CHECK_FLOATS(model->meshes[0].uvs[0], 1e-6, 10, 20, 10, 18, 14, 20, 11, 19, 14, 18);
    done(&d, model);
}

/* --- instances --- */

TEST(instances_share_their_arrays)
{
    draft d = zigzag();
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':0,'name':'left'},{'mesh':0,'translation':[5,0,0]}],"
                 "'meshes':[{'name':'ribbon','primitives':[{'attributes':{'POSITION':0},'mode':5},"
                 "{'attributes':{'POSITION':0},'mode':3}],'extras':{'a':[1, 2]}}]");
    CHECK_INT(model->mesh_count, 4);
    CHECK_STR(model->meshes[0].name.data, "left");
    CHECK_STR(model->meshes[1].name.data, "left");
    CHECK_STR(model->meshes[3].name.data, "ribbon");
    CHECK_INT(model->meshes[3].topology, TRILO_TOPOLOGY_LINES);
    CHECK_INT(model->meshes[1].node, 0);
    CHECK_INT(model->meshes[2].node, 1);
    CHECK(model->meshes[0].positions == model->meshes[2].positions);
    CHECK(model->meshes[0].indices == model->meshes[2].indices);
    CHECK_STR(model->meshes[2].extras.json.data, "{\"a\":[1, 2]}");
    done(&d, model);
}

/* --- nodes --- */

TEST(parents_come_first)
{
    draft d = zigzag();
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[3]}],'nodes':[{'name':'leaf'},{'name':'mid','children':[4,0]},"
                 "{'name':'other','mesh':0},{'name':'root','children':[2,1]},{'name':'last'}]," RIBBON);
    static const char *const names[] = {"root", "other", "mid", "last", "leaf"};
    static const uint32_t parents[] = {TRILO_NONE, 0, 0, 2, 2};
    CHECK_INT(model->node_count, 5);
    for (int i = 0; i < 5; i++) {
        CHECK_STR(model->nodes[i].name.data, names[i]);
        CHECK_INT(model->nodes[i].parent, parents[i]);
    }
    CHECK_INT(model->meshes[0].node, 1);
    done(&d, model);
}

TEST(sorted_nodes_keep_their_order)
{
    draft d = zigzag();
    const trilo_model *model = load(&d, "'scenes':[{'nodes':[0,1]}],'nodes':[{'children':[3],'name':'a'},"
                                        "{'children':[2],'name':'b'},{'name':'c'},{'name':'d'}]");
    static const char *const names[] = {"a", "b", "c", "d"};
    static const uint32_t parents[] = {TRILO_NONE, TRILO_NONE, 1, 0};
    for (int i = 0; i < 4; i++) {
        CHECK_STR(model->nodes[i].name.data, names[i]);
        CHECK_INT(model->nodes[i].parent, parents[i]);
    }
    done(&d, model);
}

TEST(transforms_of_nodes)
{
    draft d = zigzag();
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[0,1,2]}],'nodes':[{'translation':[1,2,3],'rotation':[0,0.6,0,0.8],"
                 "'scale':[2,-1,0.5]},{'matrix':[0,2,0,0,-2,0,0,0,0,0,2,0,7,8,9,1]},"
                 "{'matrix':[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]}]");
    const trilo_node *n = model->nodes;
    CHECK_FLOATS(&n[0].rotation.x, 0, (double)0.0f, (double)0.6f, 0, (double)0.8f);
    CHECK_FLOATS(&n[0].scale.x, 0, 2, -1, 0.5);
    CHECK_FLOATS(n[0].local.m, 1e-6, 0.56, 0, -1.92, 0, 0, -1, 0, 0, 0.48, 0, 0.14, 0, 1, 2, 3, 1);
    CHECK_FLOATS(n[1].local.m, 0, 0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 7, 8, 9, 1);
    CHECK_FLOATS(&n[1].translation.x, 0, 7, 8, 9);
    CHECK_FLOATS(&n[1].scale.x, 1e-6, 2, 2, 2);
    CHECK_FLOATS(&n[1].rotation.x, 1e-6, 0, 0, 0.70710678, 0.70710678);
    CHECK(!n[0].sheared && !n[1].sheared && n[2].sheared);
    done(&d, model);
}

#define TWO_SCENES                                                                                                     \
    "'scene':1,'scenes':[{'nodes':[0]},{'nodes':[1,3]}],'nodes':[{'name':'hidden','mesh':0},"                          \
    "{'name':'shown','children':[2]},{'name':'child','mesh':0},"                                                       \
    "{'name':'fast64_f3d_material_library_BeefwareStyle','mesh':0}]," RIBBON

TEST(only_the_shown_scene_counts)
{
    draft d = zigzag();
    const trilo_model *model = load(&d, TWO_SCENES);
    CHECK_INT(model->mesh_count, 1); /* and not that of the library */
    CHECK_STR(model->meshes[0].name.data, "child");
    CHECK_INT(model->node_count, 3);
    trilo_model_free(model);
    d.opts.gltf = &(trilo_gltf_load_opts){.all_nodes = true};
    model = load(&d, TWO_SCENES);
    CHECK_INT(model->node_count, 4);
    CHECK_INT(model->mesh_count, 2);
    CHECK_STR(model->meshes[0].name.data, "hidden");
    done(&d, model);
}

TEST(without_scenes_all_nodes_count)
{
    draft d = zigzag();
    const trilo_model *model = load(&d, "'nodes':[{'mesh':0},{'mesh':0}]," RIBBON);
    CHECK_INT(model->mesh_count, 2);
    done(&d, model);
}

TEST(nodes_that_animations_need_are_kept)
{
    draft d = zigzag();
    PUT(&d, "SCALAR", F32, 2, 0, 1);
    PUT(&d, "VEC3", F32, 2, 0, 0, 0, 1, 0, 0);
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0},{'name':'away','children':[2]},{'mesh':0,"
                 "'name':'moved'},{'name':'lost'}],'animations':[{'samplers':[{'input':1,'output':2}],"
                 "'channels':[{'sampler':0,'target':{'node':2,'path':'translation'}}]}]," RIBBON);
    CHECK_INT(model->node_count, 3);
    CHECK_INT(model->mesh_count, 1);
    CHECK_STR(model->nodes[2].name.data, "moved");
    CHECK_INT(model->clips[0].channels[0].node, 2);
    done(&d, model);
}

TEST(transforms_of_meshes_can_be_ignored)
{
    draft d = zigzag();
    d.opts.gltf = &(trilo_gltf_load_opts){.ignore_transforms = true};
    const trilo_model *model = load(&d, "'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,'translation':[5,0,0]}]," RIBBON);
    CHECK_INT(model->meshes[0].node, TRILO_NONE);
    CHECK_NEAR((double)model->nodes[0].translation.x, 5, 0);
    done(&d, model);
}

TEST(extras_are_kept_as_text)
{
    draft d = zigzag();
    const trilo_model *model = load(
        &d, "'extensionsUsed':['X_top','X_one','X_two','KHR_lights_punctual'],'extensions':{'X_top':{'n': 1 },"
            "'KHR_lights_punctual':{'lights':[{'type':'point'}]}},'scenes':[{'nodes':[0],'extras':{'by':'me'}}],"
            "'nodes':[{'extras':[1,2],'extensions':{ 'X_one' : {}, 'KHR_lights_punctual':{'light':0},'X_two':[3] }}]");
    CHECK_STR(model->nodes[0].extras.json.data, "[1,2]");
    CHECK_STR(model->nodes[0].extras.extensions.data, "{\"X_one\" : {},\"X_two\":[3]}");
    CHECK_STR(model->extras.json.data, "{\"by\":\"me\"}");
    CHECK_STR(model->extras.extensions.data, "{\"X_top\":{\"n\": 1 }}");
    done(&d, model);
}

/* --- skins --- */

#define SKINNED "'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':0,'skin':0,'translation':[9,9,9]},{'children':[2]},{},{}],"

TEST(four_strongest_joints)
{
    draft d = {0};
    PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    PUT(&d, "VEC4", U8, 3, 0, 1, 2, 1, 1, 0, 0, 0, 2, 2, 2, 2);
    PUT(&d, "VEC4", F32, 3, 0.1, 0.2, 0.05, 0.15, 0.5, 0, 0, 0, 0, 0, 0, 0);
    PUT(&d, "VEC4", U16, 3, 2, 2, 2, 0, 2, 0, 0, 0, 1, 1, 1, 1);
    PUT(&d, "VEC4", F32, 3, 0.12, 0.3, 0.01, 0.07, 0.5, 0, 0, 0, 0, 0, 0, 0);
    const trilo_model *model =
        load(&d, SKINNED "'skins':[{'joints':[1,3,2]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
                         "'JOINTS_0':1,'WEIGHTS_0':2,'JOINTS_1':3,'WEIGHTS_1':4}}]}]");
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->skin, 0);
    CHECK_FLOATS(mesh->weights[0], 1e-6, 0.3 / 0.77, 0.2 / 0.77, 0.12 / 0.77, 0.15 / 0.77);
    CHECK_INT(mesh->joints[0][0], 2);
    CHECK_INT(mesh->joints[0][1], 1);
    CHECK_INT(mesh->joints[0][2], 2);
    CHECK_INT(mesh->joints[0][3], 1);
    CHECK_FLOATS(mesh->weights[1], 0, 0.5, 0, 0, 0.5);
    CHECK_INT(mesh->joints[1][3], 2);
    CHECK_FLOATS(mesh->weights[2], 0, 0, 0, 0, 0); /* not skinned */
    CHECK_INT(model->skins[0].joint_count, 3);
    CHECK_INT(model->skins[0].joints[1].node, 3);
    CHECK_FLOATS(model->skins[0].joints[2].inverse_bind.m, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    done(&d, model);
}

TEST(inverse_binds_and_what_has_no_joints)
{
    draft d = zigzag();
    PUT(&d, "MAT4", F32, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 3, 4, 5,
        1);
    d.opts.gltf = &(trilo_gltf_load_opts){.ignore_transforms = true};
    const trilo_model *model = load(&d, SKINNED "'skins':[{'joints':[1,2],'inverseBindMatrices':1}]," RIBBON);
    CHECK_FLOATS(model->skins[0].joints[1].inverse_bind.m, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 3, 4, 5, 1);
    CHECK_INT(model->meshes[0].skin, TRILO_NONE);
    done(&d, model);
}

/* --- clips --- */

TEST(channels_keep_their_interpolation)
{
    draft d = {0};
    PUT(&d, "SCALAR", F32, 2, 0.25, 0.1 + 1);
    PUT(&d, "VEC3", F32, 2, 1, 2, 3, 4, 5, 6);
    PUT(&d, "VEC4", F32, 6, 5, 5, 5, 5, 0, 0, 0, 2, 6, 6, 6, 6, 7, 7, 7, 7, 0, 0.6, 0, 0.8, 8, 8, 8, 8);
    PUT_NORMALIZED(&d, "VEC4", S16, 2, 0, 0, 0, 32767, 0, 0, 23170, 23170);
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[0,1]}],'nodes':[{},{}],'animations':[{'name':'go','samplers':["
                 "{'input':0,'output':1,'interpolation':'STEP'},{'input':0,'output':2,'interpolation':'CUBICSPLINE'},"
                 "{'input':0,'output':3}],'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}},"
                 "{'sampler':1,'target':{'node':1,'path':'rotation'}},"
                 "{'sampler':2,'target':{'node':0,'path':'rotation'}},{'sampler':0,'target':{'path':'scale'}},"
                 "{'sampler':0,'target':{'node':1,'path':'pointer'}}]}]");
    const trilo_clip *clip = &model->clips[0];
    CHECK_STR(clip->name.data, "go");
    CHECK_NEAR(clip->duration, (double)1.1f, 0);
    CHECK_NEAR(clip->rate, 0, 0);
    CHECK_INT(clip->channel_count, 3);
    CHECK_INT(clip->channels[0].target, TRILO_TARGET_SCALE);
    CHECK_INT(clip->channels[0].interpolation, TRILO_INTERPOLATION_STEP);
    CHECK_NEAR(clip->channels[0].times[1], (double)1.1f, 0);
    CHECK_FLOATS(clip->channels[0].values, 0, 1, 2, 3, 4, 5, 6);
    CHECK_INT(clip->channels[1].interpolation, TRILO_INTERPOLATION_CUBIC);
    CHECK_FLOATS(clip->channels[1].values, 0, 5, 5, 5, 5, 0, 0, 0, 1, 6, 6, 6, 6, 7, 7, 7, 7, 0, (double)0.6f, 0,
                 (double)0.8f, 8, 8, 8, 8);
    CHECK_INT(clip->channels[2].interpolation, TRILO_INTERPOLATION_LINEAR);
    CHECK_FLOATS(clip->channels[2].values, 1e-7, 0, 0, 0, 1, 0, 0, 0.70710678, 0.70710678);
    CHECK(clip->channels[0].times == clip->channels[2].times); /* the same accessor */
    done(&d, model);
}

/* A rotation whose length is within a millionth of 1 keeps its bits; others get length 1. */
TEST(rotations_get_length_1)
{
    static const double q[4] = {0.1, 0.3, 0.5, 0.8062257748298549};
    static const double lengths[] = {1, 1 + 6e-7, 1 - 6e-7, 1 + 3e-6, 1 - 3e-6, 2};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        draft d = {0};
        float want[4];
        for (int k = 0; k < 4; k++)
            want[k] = (float)(q[k] * lengths[i]);
        PUT(&d, "SCALAR", F32, 1, 0);
        PUT(&d, "VEC4", F32, 1, (double)want[0], (double)want[1], (double)want[2], (double)want[3]);
        const trilo_model *model =
            load(&d, "'scenes':[{'nodes':[0]}],'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':1}],"
                     "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}]}]");
        const float *got = model->clips[0].channels[0].values;
        CHECK_INT(memcmp(got, want, sizeof want) == 0, i < 3);
        for (int k = 0; k < 4; k++)
            CHECK_NEAR((double)got[k], q[k], i < 3 ? 1e-6 : 1e-7);
        done(&d, model);
    }
}

TEST(of_two_channels_the_later_counts)
{
    draft d = {0};
    PUT(&d, "SCALAR", F32, 1, 0);
    PUT(&d, "VEC3", F32, 1, 1, 1, 1);
    PUT(&d, "VEC3", F32, 1, 2, 2, 2);
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[0]}],'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':1},"
                 "{'input':0,'output':2}],'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}},"
                 "{'sampler':0,'target':{'node':0,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':0,'path':'scale'}}]}]");
    CHECK_INT(model->clips[0].channel_count, 2);
    CHECK_INT(model->clips[0].channels[1].target, TRILO_TARGET_SCALE);
    CHECK_NEAR((double)model->clips[0].channels[1].values[0], 2, 0);
    done(&d, model);
}

TEST(keys_that_do_not_rise_are_left_out)
{
    draft d = {0};
    PUT(&d, "SCALAR", F32, 5, 0, 1, 1, 0.5, 2);
    PUT(&d, "VEC3", F32, 5, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4);
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[0]}],'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':1}],"
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}]}]");
    const trilo_channel *channel = &model->clips[0].channels[0];
    CHECK_INT(channel->key_count, 3);
    CHECK_NEAR(channel->times[1], 1, 0);
    CHECK_NEAR(channel->times[2], 2, 0);
    CHECK_FLOATS(channel->values, 0, 0, 0, 0, 1, 1, 1, 4, 4, 4);
    done(&d, model);
}

TEST(a_clip_that_moves_nothing_is_none)
{
    draft d = {0};
    PUT(&d, "SCALAR", F32, 1, 0);
    PUT(&d, "VEC3", F32, 1, 1, 1, 1);
    const trilo_model *model =
        load(&d, "'scenes':[{'nodes':[0]}],'nodes':[{}],'animations':[{'name':'empty','samplers':[{'input':0,"
                 "'output':1}],'channels':[{'sampler':0,'target':{'path':'scale'}}]},{'name':'full','samplers':["
                 "{'input':0,'output':1}],'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}]}]");
    CHECK_INT(model->clip_count, 1);
    CHECK_STR(model->clips[0].name.data, "full");
    done(&d, model);
}

/* --- morph targets --- */

TEST(weights_at_rest)
{
    draft d = flower();
    const trilo_model *model = load(&d, "'scenes':[{'nodes':[0,1,2]}],'nodes':[{'mesh':0},{'mesh':0,'weights':[2,0]},{'"
                                        "mesh':0,'weights':[0,0]}]," FLOWER);
    CHECK_FLOATS(model->meshes[0].positions[0], 0, 0, 1, 0, 1, 0, 0, 0, 1, 2);
    CHECK_FLOATS(model->meshes[0].normals[2], 1e-7, 0.4472136, 0, 0.8944272);
    CHECK_FLOATS(model->meshes[1].positions[0], 0, 2, 0, 0, 1, 0, 0, 0, 1, 0);
    CHECK_FLOATS(model->meshes[1].normals[2], 0, 0, 0, 1);
    CHECK_FLOATS(model->meshes[2].positions[0], 0, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    CHECK(model->meshes[1].normals == model->meshes[2].normals);
    done(&d, model);
}

static const trilo_model *wave(draft *d, const char *interpolation, unsigned output)
{
    char rest[1024];
    snprintf(rest, sizeof rest,
             ONE_NODE FLOWER ",'animations':[{'samplers':[{'input':5,'output':%u,'interpolation':'%s'}],"
                             "'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}]}]",
             output, interpolation);
    return load(d, rest);
}

TEST(straight_weights_have_a_frame_at_each_key)
{
    draft d = flower();
    PUT(&d, "SCALAR", F32, 4, 0, 1, 2, 3);
    PUT(&d, "SCALAR", F32, 8, 0, 0, 1, 0.25, 0, 0, 1, 0.25);
    const trilo_model *model = wave(&d, "LINEAR", 6);
    const trilo_clip *clip = &model->clips[0];
    CHECK_INT(clip->track_count, 1);
    CHECK_INT(clip->channel_count, 0);
    CHECK_NEAR(clip->duration, 3, 0);
    const trilo_frame *frames = clip->tracks[0].frames;
    CHECK_INT(clip->tracks[0].frame_count, 4);
    CHECK_NEAR(frames[1].time, 1, 0);
    CHECK_FLOATS(frames[0].positions[0], 0, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    CHECK_FLOATS(frames[1].positions[0], 0, 1, 0.5, 0, 1, 0, 0, 0, 1, 1);
    CHECK_FLOATS(frames[1].normals[2], 1e-7, 0.2425356, 0, 0.9701425);
    CHECK_FLOATS(frames[0].normals[2], 0, 0, 0, 1); /* the mesh at rest has others */
    CHECK(frames[0].positions == frames[2].positions && frames[1].positions == frames[3].positions);
    done(&d, model);
}

TEST(weights_that_hold_change_at_once)
{
    draft d = flower();
    PUT(&d, "SCALAR", F32, 2, 0, 1);
    PUT(&d, "SCALAR", F32, 4, 0, 0, 1, 0);
    const trilo_model *model = wave(&d, "STEP", 6);
    const trilo_track *track = &model->clips[0].tracks[0];
    CHECK(track->held);
    CHECK_INT(track->frame_count, 2);
    CHECK_NEAR((double)track->frames[0].positions[0][0], 0, 0);
    CHECK_NEAR((double)track->frames[1].positions[0][0], 1, 0);
    CHECK_INT(trilo_track_at(track, 1, 0.999, TRILO_FRAME_MODE_BLEND).frame, 0);
    CHECK_NEAR(trilo_track_at(track, 1, 0.999, TRILO_FRAME_MODE_BLEND).weight, 0, 0);
    done(&d, model);
}

/* Two seconds from 0, leaving by 3 a second, to 1, arriving by -1 a second; keys are in, value, out for both weights.
 */
TEST(curved_weights_are_followed)
{
    draft d = flower();
    PUT(&d, "SCALAR", F32, 2, 0.5, 2.5);
    PUT(&d, "SCALAR", F32, 12, 7, 7, 0, 0, 3, 0, -1, 0, 1, 0, 7, 7);
    const trilo_model *model = wave(&d, "CUBICSPLINE", 6);
    const trilo_track *track = &model->clips[0].tracks[0];
    CHECK_INT(track->frame_count, 121);
    for (uint32_t i = 0; i < 121; i++) {
        const double t = i / 120.0, t2 = t * t, t3 = t2 * t;
        CHECK_NEAR(track->frames[i].time, 0.5 + 2 * t, 1e-12);
        CHECK_NEAR((double)track->frames[i].positions[0][0], 6 * (t3 - 2 * t2 + t) + (3 * t2 - 2 * t3) - 2 * (t3 - t2),
                   1e-6);
    }
    done(&d, model);
}

/* "Cubic Spline Interpolation" of the specification. */
static double spline(double t, double span, double from, double leaving, double to, double arriving)
{
    return (2 * t * t * t - 3 * t * t + 1) * from + span * (t * t * t - 2 * t * t + t) * leaving +
           (-2 * t * t * t + 3 * t * t) * to + span * (t * t * t - t * t) * arriving;
}

/* A spline through two or three keys. `places` are those of the wanted samples: key k as -1 - k, others in sixtieths of
 * a second. */
static void check_curve(const double *keys, uint32_t key_count, const int *places, uint32_t count)
{
    static const double values[3][3][2] = {{{90, 91}, {0.5, -1}, {4, -6}},
                                           {{-8, 3}, {2, 0.25}, {10, 7}},
                                           {{12, -9}, {-1, 1.5}, {92, 93}}}; /* in, at, out */
    draft d = flower();
    put(&d, "SCALAR", F32, keys, key_count, "");
    put(&d, "SCALAR", F32, &values[0][0][0], (size_t)6 * key_count, "");
    const trilo_model *model = wave(&d, "CUBICSPLINE", 6);
    const trilo_track *track = &model->clips[0].tracks[0];
    CHECK_INT(track->frame_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const double time = places[i] < 0 ? keys[-1 - places[i]] : places[i] / 60.0;
        const int k = time < keys[1] ? 0 : (int)key_count - 2;
        const double span = keys[k + 1] - keys[k], t = (time - keys[k]) / span;
        double weights[2];
        for (int w = 0; w < 2; w++)
            weights[w] = spline(t, span, values[k][1][w], values[k][2][w], values[k + 1][1][w], values[k + 1][0][w]);
        CHECK_NEAR(track->frames[i].time, time, 1e-8);
        CHECK_NEAR((double)track->frames[i].positions[0][0], weights[0], 1e-6);
        CHECK_NEAR((double)track->frames[i].positions[0][1], 2 * weights[1], 2e-6);
    }
    done(&d, model);
}

/* Keys that are no sixtieths of a second. There are samples at the keys and at the sixtieths between them, but for
 * those within a thousandth of a second of a key: of the first curve, 1, 3 and 6 sixtieths. Keys may also be closer
 * together than a sixtieth, with one between them. */
TEST(curves_between_odd_keys)
{
    check_curve((const double[]){0.016, 0.0505, 0.1005}, 3, (const int[]){-1, 2, -2, 4, 5, -3}, 6);
    check_curve((const double[]){0.012, 0.02}, 2, (const int[]){-1, 1, -2}, 3);
    check_curve((const double[]){0.012, 0.02, 0.036}, 3, (const int[]){-1, 1, -2, 2, -3}, 5);
}

/* --- materials and textures --- */

TEST(materials_and_their_textures)
{
    draft d = zigzag();
    const trilo_model *model =
        load(&d, ONE_NODE PIXEL
             "'textures':[{'source':0},{'source':0,'sampler':0}],'samplers':[{'wrapS':33071,'wrapT':33648,"
             "'magFilter':9728}],'extensionsUsed':['KHR_materials_pbrSpecularGlossiness','KHR_materials_unlit','X_y'],"
             "'materials':[{'name':'a','pbrMetallicRoughness':{'baseColorFactor':[0.5,0,1,0.25],"
             "'baseColorTexture':{'index':1}},'alphaMode':'BLEND','doubleSided':true,'extras':{'k':1}},"
             "{'extensions':{'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[1,1,0.5,1],'diffuseTexture':"
             "{'index':0}},'KHR_materials_unlit':{},'X_y':7},'alphaMode':'MASK','alphaCutoff':0},"
             "{'pbrMetallicRoughness':{'baseColorTexture':{'index':1}}}]," RIBBON);
    const trilo_material *m = model->materials;
    CHECK_INT(model->texture_count, 2);
    CHECK_STR(m[0].name.data, "a");
    CHECK_FLOATS(m[0].base_color, 1e-6, 0.7297630, 0, 1, 0.25);
    CHECK(m[0].alpha == TRILO_ALPHA_BLEND && m[0].two_sided && !m[0].unlit && !m[0].n64);
    CHECK_STR(m[0].extras.json.data, "{\"k\":1}");
    CHECK_INT(m[0].texture, 0);
    CHECK_FLOATS(m[1].base_color, 1e-6, 1, 1, 0.7297630, 1);
    CHECK(m[1].alpha == TRILO_ALPHA_OPAQUE && m[1].unlit); /* nothing is below a cutoff of 0 */
    CHECK_STR(m[1].extras.extensions.data, "{\"X_y\":7}");
    CHECK_INT(m[1].texture, 1);
    CHECK_INT(m[2].texture, 0);
    const trilo_texture *t = model->textures;
    CHECK_STR(t[0].name.data, "dot");
    CHECK_STR(t[0].path.data, "");
    CHECK_INT(t[0].kind, TRILO_IMAGE_KIND_PNG);
    CHECK_INT(t[0].width, 1);
    CHECK(t[0].bytes.size > 60 && t[0].bytes.data == t[1].bytes.data);
    CHECK(t[0].wrap[0] == TRILO_WRAP_CLAMP && t[0].wrap[1] == TRILO_WRAP_MIRROR && t[0].nearest);
    CHECK(t[1].wrap[0] == TRILO_WRAP_REPEAT && t[1].wrap[1] == TRILO_WRAP_REPEAT && !t[1].nearest);
    done(&d, model);
}

#define OWN_N64                                                                                                        \
    "{'combiner':'0x00127E2488FFFDFE','otherMode':'0x200000000c01','otherMask':'0x300000000C01',"                      \
    "'blender':'0x500040','drawFlags':65559,'fog':2,'setFlags':5,'vertexEffect':4,'prim':[1,2,3,4],"                   \
    "'env':[5,6,7,8],'blend':[9,10,11,12],'tiles':[{'reference':0,'path':'rom:/a.sprite','width':64,'height':32,"      \
    "'s':{'low':0.5,'high':63,'mask':6,'shift':-1,'mirror':true,'clamp':false},"                                       \
    "'t':{'low':0,'high':31,'mask':5,'shift':0,'mirror':false,'clamp':true}},"                                         \
    "{'reference':4294967295,'width':16,'height':8},{'path':'rom:/too_many.sprite'}]}"

TEST(our_own_words_for_the_console)
{
    draft d = zigzag();
    const trilo_model *model = load(&d, ONE_NODE "'materials':[{'extras':{'trilobite_n64':" OWN_N64 ",'more':0}},"
                                                 "{'extras':{'trilobite_n64':" OWN_N64 "}}]," RIBBON);
    const trilo_n64_material *n = model->materials[0].n64;
    CHECK(n && n->combiner == 0x00127E2488FFFDFEu && n->other_mode == 0x200000000C01u);
    CHECK(n->other_mask == 0x300000000C01u && n->blender == 0x500040u && n->draw_flags == 0x10017u);
    CHECK(n->fog == 2 && n->set_flags == 5 && n->vertex_effect == 4);
    CHECK(memcmp(n->prim, "\1\2\3\4", 4) == 0 && memcmp(n->env, "\5\6\7\10", 4) == 0);
    CHECK(memcmp(n->blend, "\11\12\13\14", 4) == 0);
    CHECK_INT(n->tiles[0].texture, 0);
    CHECK(n->tiles[0].width == 64 && n->tiles[0].height == 32 && n->tiles[0].reference == 0);
    const trilo_n64_axis *s = &n->tiles[0].s;
    CHECK(s->low == 0.5f && s->high == 63 && s->mask == 6 && s->shift == -1 && s->mirror && !s->clamp);
    CHECK(n->tiles[0].t.clamp && !n->tiles[0].t.mirror);
    CHECK(n->tiles[1].reference == UINT32_MAX && n->tiles[1].texture == TRILO_NONE && n->tiles[1].width == 16);
    CHECK_INT(model->texture_count, 1); /* both materials name it */
    CHECK_STR(model->textures[0].path.data, "rom:/a.sprite");
    CHECK_STR(model->materials[0].extras.json.data, "{\"more\":0}");
    CHECK_STR(model->materials[1].extras.json.data, "");
    CHECK(model->materials[0].unlit && !model->materials[0].two_sided);
    CHECK_FLOATS(model->materials[0].base_color, 1e-7, 1 / 255.0, 2 / 255.0, 3 / 255.0, 4 / 255.0);
    done(&d, model);
}

/* The head of a PNG of 48 x 24. */
static const uint8_t png_head[33] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0,
                                     0,    0,   48,  0,   0,    0,    24,   8,    2, 0, 0, 0,  0,   0,   0,   0};

static bool beside(void *user, const char *name, trilo_bytes *bytes)
{
    if (strcmp(name, user) != 0)
        return false;
    *bytes = (trilo_bytes){png_head, sizeof png_head};
    return true;
}

static bool find(void *user, trilo_image_key key, const char *name, trilo_found_image *found)
{
    (void)key;
    if (strcmp(name, "wall.ci4.png") != 0)
        return false;
    snprintf(found->path, sizeof found->path, "rom:/%s/wall.ci4.sprite", (const char *)user);
    found->bytes = (trilo_bytes){png_head, sizeof png_head};
    return true;
}

/* The sample of Fast64, as materials of a file with a mesh; `name` in place of its image's. */
static const trilo_model *load_fast64(draft *d, const char *name)
{
    static char rest[TEXT_ROOM];
    char *text = gltf_replaced(fast64_extras, "wall.ci4.png", name);
    text[strlen(text) - 1] = '\0'; /* the braces around it */
    snprintf(rest, sizeof rest, ONE_NODE "%s," RIBBON, text + 1);
    free(text);
    return load(d, rest);
}

static void check_wall(const trilo_model *model, const char *path, uint32_t width, uint32_t height)
{
    const trilo_n64_material *n = model->materials[0].n64;
    CHECK(n && n->combiner == 0x00127E2488FFFDFEu);
    CHECK_INT(n->tiles[0].texture, 0);
    CHECK_INT(n->tiles[0].width, width);
    CHECK_INT(n->tiles[0].height, height);
    CHECK_INT(n->tiles[1].texture, TRILO_NONE);
    CHECK_STR(model->textures[0].path.data, path);
    CHECK_INT(model->textures[0].width, width);
}

TEST(images_of_fast64_are_looked_up)
{
    draft d = zigzag();
    const trilo_model *model = load_fast64(&d, "wall.ci4.png");
    check_wall(model, "rom:/wall.ci4.sprite", 0, 0); /* nowhere to be found */
    trilo_model_free(model);
    d.opts.companion = beside;
    d.opts.companion_user = (char[]){"wall.ci4.png"};
    model = load_fast64(&d, "wall.ci4.png");
    check_wall(model, "rom:/wall.ci4.sprite", 48, 24);
    trilo_model_free(model);
    model = load_fast64(&d, "wall.ci4.png.001");
    check_wall(model, "rom:/wall.ci4.sprite", 48, 24);
    trilo_model_free(model);
    d.opts.companion_user = (char[]){"wall.ci4.png.old"};
    model = load_fast64(&d, "wall.ci4.png.old"); /* a name of its own */
    check_wall(model, "rom:/wall.ci4.sprite.old", 48, 24);
    trilo_model_free(model);
    d.opts.companion_user = (char[]){"wall.ci4.png"};
    model = load_fast64(&d, "../wall.ci4.png");
    check_wall(model, "rom:/../wall.ci4.sprite", 0, 0); /* nothing outside is opened */
    trilo_model_free(model);
    model = load_fast64(&d, "/wall.ci4.png");
    check_wall(model, "/wall.ci4.sprite", 32, 64); /* the size in the settings */
    trilo_model_free(model);
    d.opts.find_image = find;
    d.opts.find_image_user = (char[]){"deep"};
    model = load_fast64(&d, "wall.ci4.png");
    check_wall(model, "rom:/deep/wall.ci4.sprite", 48, 24);
    done(&d, model);
}

TEST(without_materials_only_names_stay)
{
    draft d = zigzag();
    d.opts.gltf = &(trilo_gltf_load_opts){.ignore_materials = true};
    const trilo_model *model =
        load(&d, ONE_NODE "'materials':[{'name':'a','doubleSided':false,'pbrMetallicRoughness':{'baseColorFactor':"
                          "[0.5,0,1,0.25]}}]," RIBBON);
    const trilo_n64_material *n = model->materials[0].n64;
    CHECK_STR(model->materials[0].name.data, "a");
    CHECK(n && n->combiner == 0 && n->other_mask == 0 && n->draw_flags == 0);
    CHECK(n->tiles[0].texture == TRILO_NONE && n->tiles[1].texture == TRILO_NONE);
    CHECK_FLOATS(model->materials[0].base_color, 0, 1, 1, 1, 1);
    done(&d, model);
}

/* --- what goes wrong --- */

/* A file with everything, read with one allocation denied after the other. */
TEST(nothing_breaks_without_memory)
{
    buffer file = {0};
    gltf_band(&file, NULL, NULL);
    meter m = {0};
    for (size_t i = 1;; i++) {
        const trilo_load_opts opts = {.memory = meter_memory(&m, 0)};
        trilo_error err = {0};
        m = (meter){.fail_at = i};
        const trilo_model *model = trilo_model_load(file.data, file.size, &opts, &err);
        const bool enough = m.calls < i;
        if (!model && strcmp(err.rule, "FILE-MEMORY") != 0)
            FAIL("without allocation %zu: %s %s: %s", i, err.rule, err.path, err.text);
        CHECK(!enough || model);
        trilo_model_free(model);
        CHECK_INT(m.now, 0);
        if (enough)
            break;
    }
    buffer_free(&file);
}

/* Two keys of a curve that are a million years apart. */
TEST(a_curve_without_end_is_refused)
{
    draft d = flower();
    PUT(&d, "SCALAR", F32, 2, 0, 3e13);
    PUT(&d, "SCALAR", F32, 12, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
    buffer file = make(&d, ONE_NODE FLOWER ",'animations':[{'samplers':[{'input':5,'output':6,"
                                           "'interpolation':'CUBICSPLINE'}],'channels':[{'sampler':0,"
                                           "'target':{'node':0,'path':'weights'}}]}]");
    trilo_error err = {0};
    CHECK(!trilo_model_load(file.data, file.size, NULL, &err));
    CHECK(err.code == TRILO_CODE_NO_MEMORY || err.code == TRILO_CODE_LIMIT);
    buffer_free(&file);
    buffer_free(&d.bin);
}

TEST_MAIN(CASE(every_mode_becomes_triangles_or_lines), CASE(seams_of_strips_are_no_triangles),
          CASE(indices_of_all_sizes), CASE(a_primitive_gets_the_vertices_that_it_names), CASE(quantised_numbers),
          CASE(colors_stay_between_black_and_white), CASE(the_transform_of_the_texture_is_in_the_uvs),
          CASE(instances_share_their_arrays), CASE(parents_come_first), CASE(sorted_nodes_keep_their_order),
          CASE(transforms_of_nodes), CASE(only_the_shown_scene_counts), CASE(without_scenes_all_nodes_count),
          CASE(nodes_that_animations_need_are_kept), CASE(transforms_of_meshes_can_be_ignored),
          CASE(extras_are_kept_as_text), CASE(four_strongest_joints), CASE(inverse_binds_and_what_has_no_joints),
          CASE(channels_keep_their_interpolation), CASE(rotations_get_length_1), CASE(of_two_channels_the_later_counts),
          CASE(keys_that_do_not_rise_are_left_out), CASE(a_clip_that_moves_nothing_is_none), CASE(weights_at_rest),
          CASE(straight_weights_have_a_frame_at_each_key), CASE(weights_that_hold_change_at_once),
          CASE(curved_weights_are_followed), CASE(curves_between_odd_keys), CASE(materials_and_their_textures),
          CASE(our_own_words_for_the_console), CASE(images_of_fast64_are_looked_up),
          CASE(without_materials_only_names_stay), CASE(nothing_breaks_without_memory),
          CASE(a_curve_without_end_is_refused))
