/* Models that were glTF: which nodes become bones, where meshes and joints end up, numbers cut as Tiny3D's converter
 * does, the order of objects, and what is refused. */
#include "harness.h"
#include "support/exercise.h"
#include "support/t3dm_frond.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void gltf_fill(frond *s)
{
    frond_fill(s);
    s->model.format = TRILO_FORMAT_GLTF;
}

static void name_nodes(frond *s)
{
    static const char *const names[] = {"root", "hip", "knee", "foot"};
    for (uint32_t i = 0; i < FROND_NODES; i++)
        s->nodes[i].name = frond_text(names[i]);
}

static void move_node(trilo_node *node, float x, float y, float z)
{
    node->translation = (trilo_vec3){x, y, z};
    node->local.m[12] = x, node->local.m[13] = y, node->local.m[14] = z;
}

static void scale_node(trilo_node *node, float x, float y, float z)
{
    node->scale = (trilo_vec3){x, y, z};
    node->local.m[0] = x, node->local.m[5] = y, node->local.m[10] = z;
}

/* Is there a corner at that place in the rest pose? Positions of a T3DM file are whole numbers. */
static bool has_corner(const trilo_model *model, float x, float y, float z)
{
    const trilo_mesh *mesh = &model->meshes[0];
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (fabsf(mesh->positions[i][0] - x) < 0.01f && fabsf(mesh->positions[i][1] - y) < 0.01f &&
            fabsf(mesh->positions[i][2] - z) < 0.01f)
            return true;
    return false;
}

static uint32_t bound_to(const trilo_model *model, uint32_t bone)
{
    const trilo_mesh *mesh = &model->meshes[0];
    uint32_t count = 0;
    for (uint32_t i = 0; mesh->weights && i < mesh->vertex_count; i++)
        count += mesh->weights[i][0] == 1 && mesh->joints[i][0] == bone;
    return count;
}

/* --- rigid --- */

/* 64 times as large, 3 up by node 1 and scaled by node 2. */
TEST(static_nodes_are_baked)
{
    frond s;
    gltf_fill(&s);
    frond_hang(&s, 3, 2);
    scale_node(&s.nodes[2], 2, 2, 2);
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 0);
    CHECK(has_corner(model, 0, 192, 0) && has_corner(model, 256, 192, 0) && has_corner(model, 0, 192 + 128, 0));
    frond_done(&r, model);
}

/* Corners run the other way round when a node mirrors, and the normal still shows to the front. */
TEST(triangles_of_a_mirrored_mesh_are_reversed)
{
    frond s;
    gltf_fill(&s);
    frond_hang(&s, 1, 0);
    scale_node(&s.nodes[0], -1, 1, 1);
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    const trilo_mesh *mesh = &model->meshes[0];
    const float *a = mesh->positions[mesh->indices[0]], *b = mesh->positions[mesh->indices[1]],
                *c = mesh->positions[mesh->indices[2]];
    CHECK((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
    CHECK(has_corner(model, -128, 0, 0));
    CHECK(mesh->normals[0][2] > 0.9f);
    frond_done(&r, model);
}

/* Twice as tall as wide: a slope of 1 becomes 2, its normal gets flatter. */
TEST(normals_stand_upright_on_stretched_faces)
{
    frond s;
    gltf_fill(&s);
    frond_hang(&s, 1, 0);
    scale_node(&s.nodes[0], 1, 2, 1);
    for (int i = 0; i < 3; i++) {
        s.normals[i][0] = s.normals[i][1] = 0.70710678f;
        s.normals[i][2] = 0;
    }
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_NEAR(model->meshes[0].normals[0][0], 14 / 16.0, 1e-6); /* 15.5 * 2 / sqrt 5 */
    CHECK_NEAR(model->meshes[0].normals[0][1], 14 / 32.0, 1e-6); /* 31.5 / sqrt 5 */
    frond_done(&r, model);
}

/* --- moved nodes --- */

TEST(a_moved_node_becomes_a_bone)
{
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_hang(&s, 3, 2); /* node 1 moves, the mesh hangs below it */
    move_node(&s.nodes[2], 1, 0, 0);
    frond_clip(&s);
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-BONE T3DM-MADE-MATERIAL ");
    CHECK(strstr(r.texts, "nodes[1]: \"hip\": the node is animated"));
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 1);
    CHECK_STR(model->nodes[0].name.data, "hip");
    CHECK_INT(bound_to(model, 0), 3);
    CHECK(has_corner(model, 64, 192, 0) && has_corner(model, 64 + 128, 192, 0));
    float value[4];
    trilo_channel_sample(&model->clips[0].channels[0], 0.5, value);
    CHECK_NEAR(value[0], 2.5 * 64, 0.01);
    frond_done(&r, model);
}

/* What a bone stands on must be there, too, unless it does nothing. */
TEST(transformed_nodes_above_bones_become_bones)
{
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_hang(&s, 4, 3);
    s.channel.node = 3;
    scale_node(&s.nodes[2], 2, 2, 2);
    frond_clip(&s);
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-BONE T3DM-MADE-BONE T3DM-MADE-BONE T3DM-MADE-MATERIAL ");
    CHECK(strstr(r.texts, "\"knee\": the node is an ancestor of bones"));
    CHECK(strstr(r.texts, "Ctrl+A"));
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 3); /* not the root, which is the identity */
    CHECK_STR(model->nodes[0].name.data, "hip");
    CHECK_INT(model->nodes[0].parent, TRILO_NONE);
    CHECK_INT(model->nodes[2].parent, 1);
    CHECK(has_corner(model, 256, 192, 0)); /* 2, scaled by 2 */
    frond_done(&r, model);
}

TEST(static_channels_make_no_bone)
{
    frond s;
    gltf_fill(&s);
    frond_hang(&s, 2, 1);
    frond_clip(&s);
    s.values[0] = s.values[2] = s.values[3] = s.values[5] = 0;
    s.values[1] = s.values[4] = 3; /* where the node is anyway */
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-CLIP ");
    CHECK(strstr(r.texts, "\"sway\": the clip moves no bone and no mesh"));
    const trilo_model *model = frond_again(&r);
    CHECK(model->node_count == 0 && model->clip_count == 0);
    frond_done(&r, model);
}

TEST(what_carries_nothing_is_lost)
{
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_hang(&s, 2, 0);
    frond_clip(&s);
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-LOST-NODES T3DM-MADE-MATERIAL T3DM-LOST-CHANNELS T3DM-LOST-CLIP ");
    CHECK(strstr(r.texts, "(\"hip\""));
    frond_done(&r, frond_again(&r));
}

/* Nodes with extras are named with them; what Fast64 gives to every object does not count. */
TEST(extras_of_nodes_are_lost)
{
    static const char own[] = "{\"fast64\":{},\"door\":{\"opens\":1}}", tool[] = "{\"fast64\":{},\"ootEmptyType\":7}";
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_hang(&s, 2, 0);
    s.nodes[0].extras.json = (trilo_str){own, strlen(own)};
    s.nodes[1].extras.json = (trilo_str){tool, strlen(tool)};
    frond_result r = frond_encode(&s.model, NULL);
    CHECK(strstr(r.heard, "T3DM-LOST-EXTRAS "));
    CHECK(strstr(r.texts, "nodes whose extras are lost: 1 (\"root\"); those of the first are {\"fast64\":{},\"door\""));
    frond_done(&r, frond_again(&r));
}

TEST(a_single_pose_is_no_clip)
{
    frond s;
    gltf_fill(&s);
    frond_hang(&s, 2, 1);
    frond_clip(&s);
    s.channel.key_count = 1;
    s.clip.duration = 0;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-BONE T3DM-UNNAMED-BONE T3DM-MADE-MATERIAL T3DM-LOST-CLIP ");
    frond_done(&r, frond_again(&r));
}

/* --- skins --- */

/* Vertices are in the space of their joint: 3 down for the second. */
TEST(joints_are_bones)
{
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_skin(&s);
    s.joints[2][0] = 1;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 2);
    CHECK(bound_to(model, 0) == 2 && bound_to(model, 1) == 1);
    CHECK(has_corner(model, 0, 64, 0));
    CHECK_NEAR(model->nodes[1].translation.y, 192, 1e-6);
    frond_done(&r, model);
}

TEST(the_neutral_bone_is_none)
{
    frond s;
    gltf_fill(&s);
    frond_skin(&s);
    s.nodes[1].parent = TRILO_NONE;
    s.nodes[1].name = frond_text("neutral_bone");
    s.joints[2][0] = 1;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 1);
    CHECK_INT(bound_to(model, 0), 2);
    CHECK(has_corner(model, 0, 64, 0)); /* 3 up and 3 down */
    frond_done(&r, model);
}

/* An armature that was not applied: scaled and set down. */
TEST(a_transformed_armature_is_a_bone)
{
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_skin(&s);
    s.model.node_count = 3;
    s.joint[0].node = 1;
    s.joint[1].node = 2;
    scale_node(&s.nodes[0], 0.5f, 0.5f, 0.5f);
    move_node(&s.nodes[0], 0, -1, 0);
    move_node(&s.nodes[1], 0, 2, 0);
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-BONE T3DM-MADE-MATERIAL ");
    CHECK(strstr(r.texts, "nodes[0]: \"root\": "));
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 3);
    CHECK_NEAR(model->nodes[0].scale.x, 0.5, 0);
    CHECK_NEAR(model->nodes[0].translation.y, -64, 0);
    CHECK_INT(bound_to(model, 1), 3);
    CHECK(has_corner(model, 64, -64 + 64, 0)); /* 2 0 0, 2 up, halved, 1 down */
    frond_done(&r, model);
}

/* A hat on a head: bound to the bone above it, where its own node puts it. */
TEST(a_rigid_mesh_below_a_joint_follows_it)
{
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_skin(&s);
    s.model.node_count = 3;
    s.mesh[0].skin = TRILO_NONE;
    s.mesh[0].joints = NULL;
    s.mesh[0].weights = NULL;
    s.mesh[0].node = 2;
    move_node(&s.nodes[2], 0, 0, 1);
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 2);
    CHECK_INT(bound_to(model, 1), 3);
    CHECK(has_corner(model, 128, 192, 64));
    frond_done(&r, model);
}

TEST(skins_share_one_skeleton)
{
    frond s;
    gltf_fill(&s);
    name_nodes(&s);
    frond_skin(&s);
    const trilo_joint second[1] = {{2, s.joint[1].inverse_bind}};
    const trilo_skin skins[2] = {s.skin, {1, second}};
    s.model.skins = skins;
    s.model.skin_count = 2;
    s.model.node_count = 3;
    s.nodes[2].parent = TRILO_NONE;
    s.mesh[1] = s.mesh[0];
    s.mesh[1].skin = 1;
    s.model.mesh_count = 2;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 3);
    CHECK_INT(model->meshes[1].joints[0][0], 2);
    frond_done(&r, model);
}

TEST(lost_weight_is_counted)
{
    frond s;
    gltf_fill(&s);
    frond_skin(&s);
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = 0.6f;
    s.joints[2][1] = 1;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK(strstr(r.texts, "meshes[0]: \"leaf\": 1 of 3 vertices follow several bones; the strongest is used, 13.3 % "));
    frond_done(&r, frond_again(&r));
}

/* --- numbers --- */

/* 0.7 * 255 is 178.5; 0.9999 * 32 * 32 is 1023.9; the half texel goes off afterwards. */
TEST(numbers_are_cut)
{
    frond s;
    gltf_fill(&s);
    frond_texture(&s);
    for (int i = 0; i < 3; i++)
        s.colors[i][0] = 0.7f, s.colors[i][1] = 0.9999f, s.colors[i][2] = 2, s.colors[i][3] = -1;
    s.mesh[0].colors = (const float(*)[4])s.colors;
    for (int i = 0; i < 3; i++)
        s.uvs[i][0] = 0.9999f, s.uvs[i][1] = -0.9999f;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_NEAR(mesh->colors[0][0] * 255, 178, 1e-4);
    CHECK_NEAR(mesh->colors[0][1] * 255, 254, 1e-4);
    CHECK_NEAR(mesh->colors[0][2] * 255, 255, 1e-4);
    CHECK_NEAR(mesh->colors[0][3] * 255, 0, 0);
    CHECK_NEAR(mesh->uvs[0][0] * 1024, 1023, 1e-4);
    CHECK_NEAR(mesh->uvs[0][1] * 1024, -1023, 1e-4);
    frond_done(&r, model);
}

TEST(faces_get_normals)
{
    frond s;
    gltf_fill(&s);
    static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t two[6] = {0, 1, 2, 0, 2, 3}; /* towards z, and towards x */
    s.mesh[0].positions = corners;
    s.mesh[0].normals = NULL;
    s.mesh[0].uvs = NULL;
    s.mesh[0].vertex_count = 4;
    s.mesh[0].indices = two;
    s.mesh[0].index_count = 6;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-MADE-NORMALS ");
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->meshes[0].vertex_count, 6);
    uint32_t along[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            along[k] += model->meshes[0].normals[i][k] > 0.9f;
    CHECK(along[0] == 3 && along[1] == 0 && along[2] == 3);
    frond_done(&r, model);
    s.material[0].unlit = true; /* nobody looks at them */
    r = frond_encode(&s.model, NULL);
    model = frond_again(&r);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    CHECK_INT(model->meshes[0].vertex_count, 4);
    frond_done(&r, model);
}

/* A long road: each triangle fits, all together do not. 40 repeats a triangle, 32 texels each. */
TEST(wide_islands_are_taken_apart)
{
    frond s;
    gltf_fill(&s);
    frond_texture(&s);
    static const float corners[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}, {2, 1, 0}};
    static const float uvs[5][2] = {{0, 0}, {40, 0}, {40, 1}, {80, 0}, {80, 1}};
    static const uint32_t three[9] = {0, 1, 2, 1, 3, 2, 3, 4, 2};
    static const float normals[5][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    s.mesh[0].positions = corners;
    s.mesh[0].normals = normals;
    s.mesh[0].uvs = uvs;
    s.mesh[0].vertex_count = 5;
    s.mesh[0].indices = three;
    s.mesh[0].index_count = 9;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->index_count, 9);
    for (uint32_t i = 0; i < 9; i++) { /* as far from the true coordinate as all corners of the triangle, and even */
        const float *p = mesh->positions[mesh->indices[i]], *first = mesh->positions[mesh->indices[i / 3 * 3]];
        const double moved = mesh->uvs[mesh->indices[i]][0] - p[0] / 64 * 40;
        const double other = mesh->uvs[mesh->indices[i / 3 * 3]][0] - first[0] / 64 * 40;
        CHECK_NEAR(moved, other, 1e-3);
        CHECK_NEAR(moved / 2, floor(moved / 2 + 0.5), 1e-3);
    }
    frond_done(&r, model);
    s.texture.wrap[0] = TRILO_WRAP_CLAMP; /* cannot be moved */
    r = frond_encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-UV");
    CHECK(strstr(r.err.text, "\"leaf\""));
    frond_done(&r, NULL);
}

/* The mesh that reaches furthest is named, not the first that is too large. */
TEST(the_safe_scale_is_safe_for_all)
{
    frond s;
    gltf_fill(&s);
    static const float far[3][3] = {{0, 0, 0}, {2000, 0, 0}, {0, 1, 0}},
                       further[3][3] = {{0, 0, 0}, {0, -5000, 0}, {1, 0, 0}};
    s.mesh[0].positions = far;
    s.mesh[1].positions = further;
    s.mesh[1].name = frond_text("z");
    s.model.mesh_count = 2;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_INT(r.err.code, TRILO_CODE_LIMIT);
    CHECK_STR(r.err.path, "meshes[1]");
    CHECK_STR(r.err.text,
              "\"z\": a coordinate of 5000 at scale 64 is above 32767; the largest scale that fits is 6.553");
    frond_done(&r, NULL);
    r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.scale = 6.553f});
    CHECK(r.ok);
    frond_done(&r, NULL);
}

/* --- keys --- */

/* Keys at 0, 2.5 and 60 ticks: at every tick the value is that of the curve. */
TEST(keys_between_ticks_keep_the_curve)
{
    frond s;
    gltf_fill(&s);
    frond_hang(&s, 2, 1);
    frond_clip(&s);
    static const double times[3] = {0, 2.5 / 60, 1};
    static const float values[9] = {0, 3, 0, 10, 3, 0, 0, 3, 0};
    s.channel.key_count = 3;
    s.channel.times = times;
    s.channel.values = values;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-BONE T3DM-UNNAMED-BONE T3DM-MADE-MATERIAL ");
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->clips[0].channel_count, 1);
    CHECK_INT(model->clips[0].channels[0].key_count, 4); /* 0, 2, 3, 60 */
    for (int tick = 0; tick <= 60; tick++) {
        float got[4], want[4];
        trilo_channel_sample(&model->clips[0].channels[0], tick / 60.0, got);
        trilo_channel_sample(&s.channel, tick / 60.0, want);
        CHECK_NEAR(got[0], want[0] * 64, 0.01);
    }
    frond_done(&r, model);
}

/* A turn by 170 degrees between two keys: the console goes straight, so it gets keys on the arc. */
TEST(long_arcs_get_keys)
{
    frond s;
    gltf_fill(&s);
    frond_hang(&s, 2, 1);
    frond_clip(&s);
    static const float values[8] = {0, 0, 0, 1, 0, 0, 0.99619470f, 0.08715574f};
    s.channel.target = TRILO_TARGET_ROTATION;
    s.channel.values = values;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    const trilo_channel *c = &model->clips[0].channels[0];
    CHECK(c->key_count > 4 && c->key_count < 9);
    for (uint32_t k = 0; k + 1 < c->key_count; k++)
        for (int part = 0; part <= 8; part++) { /* as the console goes */
            const double amount = part / 8.0, time = c->times[k] + (c->times[k + 1] - c->times[k]) * amount;
            const float *a = c->values + 4 * (size_t)k, *b = a + 4;
            float want[4];
            double q[4], length = 0, dot = 0;
            trilo_channel_sample(&s.channel, time, want);
            for (int i = 0; i < 4; i++) {
                q[i] = a[i] * (1 - amount) + b[i] * amount;
                length += q[i] * q[i];
            }
            for (int i = 0; i < 4; i++)
                dot += q[i] / sqrt(length) * want[i];
            CHECK(fabs(dot) > 1 - 1.5e-6); /* 0.2 degrees */
        }
    frond_done(&r, model);
}

/* --- order and refusal --- */

static void check_order(trilo_t3dm_order order, trilo_format format, const char *want)
{
    frond s;
    char got[8] = "";
    frond_fill(&s);
    static const char *const names[] = {"d", "b", "c", "a"};
    static const trilo_alpha alphas[] = {TRILO_ALPHA_BLEND, TRILO_ALPHA_OPAQUE, TRILO_ALPHA_CUTOUT, TRILO_ALPHA_OPAQUE};
    s.model.format = format;
    s.model.mesh_count = s.model.material_count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        s.mesh[i].name = s.material[i].name = frond_text(names[i]);
        s.mesh[i].material = i;
        s.material[i].alpha = alphas[i];
    }
    frond_result r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.order = order});
    const trilo_model *model = frond_again(&r);
    for (uint32_t i = 0; i < 4; i++)
        strcat(got, model->meshes[i].name.data);
    CHECK_STR(got, want);
    frond_done(&r, model);
}

TEST(objects_are_ordered)
{
    check_order(TRILO_T3DM_ORDER_AUTO, TRILO_FORMAT_GLTF, "abcd"); /* d is blended */
    check_order(TRILO_T3DM_ORDER_AUTO, TRILO_FORMAT_T3DM, "dbca");
    check_order(TRILO_T3DM_ORDER_NAME, TRILO_FORMAT_T3DM, "abcd");
    check_order(TRILO_T3DM_ORDER_FILE, TRILO_FORMAT_GLTF, "dbca");
    check_order(TRILO_T3DM_ORDER_LAYER, TRILO_FORMAT_GLTF, "bacd");
}

/* Equal names keep their order, also among many. */
TEST(equal_names_stay_in_order)
{
    enum { MANY = 37 };
    frond s;
    trilo_mesh meshes[MANY];
    uint32_t index_counts = 0;
    gltf_fill(&s);
    uint32_t indices[3 * MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        for (uint32_t c = 0; c < 3; c++)
            indices[3 * i + c] = c;
        meshes[i] = s.mesh[0];
        meshes[i].indices = indices;
        meshes[i].index_count = 3 * (i + 1);
    }
    s.model.meshes = meshes;
    s.model.mesh_count = MANY;
    frond_result r = frond_encode(&s.model, NULL);
    trilo_document *document = trilo_document_open(r.file.data, r.file.size, NULL, NULL);
    CHECK(document);
    const trilo_model *model = trilo_document_model(document, NULL);
    CHECK(model);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_INT(model->meshes[i].index_count, 3 * (i + 1));
        index_counts += model->meshes[i].index_count;
    }
    CHECK_INT(index_counts, 3 * MANY * (MANY + 1) / 2);
    trilo_model_free(model);
    trilo_document_free(document);
    frond_done(&r, NULL);
}

TEST(nothing_is_refused)
{
    frond s;
    gltf_fill(&s);
    s.mesh[0].index_count = 0;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-EMPTY");
    CHECK_STR(r.heard, "T3DM-EMPTY ");
    frond_done(&r, NULL);
}

static bool take_nothing(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

/* Everything that takes memory at once: a skin, a clip, a texture, corners taken apart, a name that is there twice. */
TEST(memory_may_run_out_anywhere)
{
    frond s;
    gltf_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    frond_texture(&s);
    s.mesh[0].normals = NULL;
    s.uvs[0][0] = s.uvs[2][0] = 31.5f;
    s.uvs[1][0] = 32.5f; /* has to be moved */
    s.material[1].two_sided = true;
    s.mesh[1].material = 1;
    s.model.mesh_count = s.model.material_count = 2;
    bool done = false;
    size_t limit = 4096, tries = 0;
    for (; !done; limit += 64, tries++) { /* an arena asks for little else than whole blocks */
        meter m = {.now = 0};
        buffer out = {0};
        trilo_error err = {0};
        const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                       .memory = meter_memory(&m, limit),
                                       .companion = take_nothing,
                                       .t3dm = &(trilo_t3dm_write_opts){.scale = 0.25f}};
        done = trilo_model_write(&s.model, &opts, buffer_sink, &out, &err);
        if (!done)
            CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        CHECK_INT(m.now, 0);
        buffer_free(&out);
    }
    CHECK(tries > 2);
}

TEST_MAIN(CASE(static_nodes_are_baked), CASE(triangles_of_a_mirrored_mesh_are_reversed),
          CASE(normals_stand_upright_on_stretched_faces), CASE(a_moved_node_becomes_a_bone),
          CASE(transformed_nodes_above_bones_become_bones), CASE(static_channels_make_no_bone),
          CASE(what_carries_nothing_is_lost), CASE(extras_of_nodes_are_lost), CASE(a_single_pose_is_no_clip),
          CASE(joints_are_bones), CASE(the_neutral_bone_is_none), CASE(a_transformed_armature_is_a_bone),
          CASE(a_rigid_mesh_below_a_joint_follows_it), CASE(skins_share_one_skeleton), CASE(lost_weight_is_counted),
          CASE(numbers_are_cut), CASE(faces_get_normals), CASE(wide_islands_are_taken_apart),
          CASE(the_safe_scale_is_safe_for_all), CASE(keys_between_ticks_keep_the_curve), CASE(long_arcs_get_keys),
          CASE(objects_are_ordered), CASE(equal_names_stay_in_order), CASE(nothing_is_refused),
          CASE(memory_may_run_out_anywhere))
