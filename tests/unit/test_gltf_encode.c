/* What is written as glTF: shapes, nodes, materials and textures. Numbers are from the specification and by hand. */
#include "harness.h"
#include "support/exercise.h"
#include "support/gltf_written.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTRIBUTES "meshes/0/primitives/0/attributes/"

/* --- the file --- */

TEST(the_whole_text_of_a_small_model)
{
    leaf l;
    written w;
    leaf_fill(&l);
    write_leaf(&w, &l);
    for (size_t end = strlen(w.text); w.text[end - 1] == ' ';
         end--) /* up to a multiple of 4, which open_glb looked at */
        w.text[end - 1] = '\0';
    CHECK_STR(w.text,
              "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Trilobite " TRILO_VERSION "\"},\"scene\":0,"
              "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"leaf\",\"mesh\":0}],"
              "\"meshes\":[{\"name\":\"leaf\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
              "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
              "\"min\":[0,0,0],\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5123,\"count\":6,"
              "\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48,\"target\":34962},"
              "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12,\"target\":34963}],"
              "\"buffers\":[{\"byteLength\":60}]}");
    CHECK_INT(w.bin_size, 60);
    static const uint8_t indices[12] = {0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0};
    CHECK(memcmp(w.bin + 48, indices, sizeof indices) == 0);
    CHECK(written_float(&w, ATTRIBUTES "POSITION", 3) == 1 && written_float(&w, ATTRIBUTES "POSITION", 4) == 0);
    written_free(&w);
}

TEST(a_model_of_nothing)
{
    const trilo_model nothing = {0};
    written w;
    write_gltf(&w, &nothing, NULL, NULL, false);
    CHECK(w.ok);
    CHECK(strstr(w.text, "\"scene\":0,\"scenes\":[{}]}") != NULL);
    CHECK(!w.bin);
    written_free(&w);
}

TEST(text_with_a_buffer_beside)
{
    leaf l;
    written w;
    leaf_fill(&l);
    write_gltf(&w, &l.model, NULL, "my leaf.gltf", true);
    CHECK(w.ok);
    CHECK(w.file.data[0] == '{' && w.file.data[w.file.size - 1] == '\n');
    CHECK_INT(w.companion_count, 1);
    CHECK_STR(w.names[0], "my leaf.bin");
    CHECK_INT(w.companions[0].size, 60);
    CHECK_STR(written_text(&w, "buffers/0/uri"), "my%20leaf.bin");
    trilo_model_free(written_model(&w));
    written_free(&w);
}

TEST(text_without_companion_files)
{
    const trilo_gltf_write_opts text = {.text = true};
    leaf l;
    written w;
    leaf_fill(&l);
    write_gltf(&w, &l.model, &text, NULL, false);
    CHECK(w.ok);
    /* 4 zero bytes, the x of the second vertex, at 12: AAAAAAAAAAAAAAAA, then 00 00 80 3F: AACAPw. */
    CHECK(strncmp(written_text(&w, "buffers/0/uri"), "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAA",
                  61) == 0);
    const trilo_model *model = written_model(&w);
    CHECK(memcmp(model->meshes[0].positions, l.positions, sizeof l.positions) == 0);
    trilo_model_free(model);
    written_free(&w);
}

TEST(what_cannot_be_kept_is_reported)
{
    const trilo_chunk chunk = {'X', {(const uint8_t *)"x", 1}};
    leaf l;
    written w;
    leaf_fill(&l);
    l.model.chunks = &chunk;
    l.model.chunk_count = 1;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok);
    CHECK_STR(w.heard, "GLTF-LOST-CHUNKS ");
    written_free(&w);
}

/* --- vertices --- */

TEST(normals_have_length_1)
{
    leaf l;
    written w;
    leaf_fill(&l);
    l.meshes[0].normals = (const float(*)[3])l.normals;
    l.normals[1][0] = 3, l.normals[1][2] = -4;
    write_leaf(&w, &l);
    CHECK(written_float(&w, ATTRIBUTES "NORMAL", 2) == 1);
    CHECK(written_float(&w, ATTRIBUTES "NORMAL", 3) == 0.6f && written_float(&w, ATTRIBUTES "NORMAL", 5) == -0.8f);
    CHECK(!written_at(&w, "accessors/1/min"));
    written_free(&w);
    l.normals[1][0] = l.normals[1][2] = 0;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(strstr(w.texts, "1 of 4 normals have length 0"));
    CHECK(written_float(&w, ATTRIBUTES "NORMAL", 3) == 0 && written_float(&w, ATTRIBUTES "NORMAL", 5) == 1);
    written_free(&w);
    memset(l.normals, 0, sizeof l.normals);
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(strstr(w.texts, "all normals of the mesh have length 0"));
    CHECK(!written_at(&w, ATTRIBUTES "NORMAL"));
    written_free(&w);
}

/* Each bound of each axis in a vertex of its own, none in the first; then axes that have no number in common with each
 * other or with 0. */
TEST(bounds_are_those_of_all_vertices)
{
    static const float positions[2][LEAF_VERTICES][3] = {
        {{1, -2, 3}, {-4, 5, 0.5f}, {7, -8, -6}, {0, 0, 9}},
        {{-30, 200, -1000}, {-20, 300, -3000}, {-10, 100, -2000}, {-20, 200, -1000}}};
    static const char *const min[2] = {"[-4,-8,-6]", "[-30,100,-3000]"}, *const max[2] = {"[7,5,9]", "[-10,300,-1000]"};
    for (int i = 0; i < 2; i++) {
        leaf l;
        written w;
        leaf_fill(&l);
        memcpy(l.positions, positions[i], sizeof positions[i]);
        write_leaf(&w, &l);
        CHECK_STR(written_raw(&w, "accessors/0/min"), min[i]);
        CHECK_STR(written_raw(&w, "accessors/0/max"), max[i]);
        written_free(&w);
    }
}

TEST(colours_are_light)
{
    leaf l;
    written w;
    leaf_fill(&l);
    l.meshes[0].colors = (const float(*)[4])l.colors;
    l.colors[0][0] = 1, l.colors[0][1] = 0.5f, l.colors[0][3] = 0.5f;
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "accessors/1/type"), "\"VEC4\"");
    CHECK(written_float(&w, ATTRIBUTES "COLOR_0", 0) == 1 && written_float(&w, ATTRIBUTES "COLOR_0", 2) == 0);
    CHECK_NEAR(written_float(&w, ATTRIBUTES "COLOR_0", 1), 0.217604, 1e-6); /* 0.5 ^ (1 / 0.4545) */
    CHECK(written_float(&w, ATTRIBUTES "COLOR_0", 3) == 0.5f);
    written_free(&w);
}

TEST(every_colour_of_8_bits_comes_back)
{
    leaf l;
    written w;
    leaf_fill(&l);
    l.meshes[0].colors = (const float(*)[4])l.colors;
    for (int i = 0; i < 256; i += 12) {
        for (int k = 0; k < 12; k++)
            l.colors[k / 3][k % 3] = (float)(i + k < 256 ? i + k : 0) / 255.0f;
        write_leaf(&w, &l);
        const trilo_model *model = written_model(&w);
        CHECK(memcmp(model->meshes[0].colors, l.colors, sizeof l.colors) == 0);
        trilo_model_free(model);
        written_free(&w);
    }
}

TEST(numbers_that_are_none)
{
    leaf l;
    written w;
    leaf_fill(&l);
    l.positions[2][1] = NAN;
    l.positions[3][1] = INFINITY;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok);
    CHECK_STR(w.heard, "GLTF-WRITE-NAN ");
    CHECK(strstr(w.texts, "2 of 12 numbers"));
    CHECK_STR(written_raw(&w, "accessors/0/max"), "[1,0,0]");
    written_free(&w);
}

TEST(many_vertices_need_wide_indices)
{
    leaf l;
    written w;
    leaf_fill(&l);
    float(*positions)[3] = calloc(65536, sizeof *positions);
    l.meshes[0].positions = (const float(*)[3])positions;
    for (uint32_t count = 65535; count <= 65536; count++) {
        l.meshes[0].vertex_count = count;
        l.indices[5] = count - 1;
        write_leaf(&w, &l);
        CHECK_INT(written_number(&w, "accessors/1/componentType"), count == 65535 ? 5123 : 5125);
        const uint8_t *last = w.bin + w.bin_size - (count == 65535 ? 2 : 4);
        CHECK_INT(last[0] | last[1] << 8, count - 1);
        written_free(&w);
    }
    free(positions);
}

/* --- meshes and nodes --- */

TEST(meshes_that_belong_together)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_nodes(&l, 2);
    l.model.mesh_count = 3;
    l.meshes[0].node = l.meshes[1].node = l.meshes[2].node = 1;
    l.meshes[1].topology = TRILO_TOPOLOGY_LINES;
    l.meshes[2].name = (trilo_str){"stem", 4};
    write_leaf(&w, &l);
    CHECK_INT(written_at(&w, "meshes")->count, 2);
    CHECK_INT(written_at(&w, "meshes/0/primitives")->count, 2);
    CHECK(!written_at(&w, "meshes/0/primitives/0/mode"));
    CHECK_INT(written_number(&w, "meshes/0/primitives/1/mode"), 1);
    CHECK_INT(written_number(&w, "nodes/1/mesh"), 0);
    CHECK_STR(written_raw(&w, "nodes/1/children"), "[2]"); /* a node shows one mesh */
    CHECK_STR(written_raw(&w, "nodes/2"), "{\"name\":\"stem\",\"mesh\":1}");
    CHECK_INT(written_number(&w, "meshes/1/primitives/0/attributes/POSITION"), 0); /* the same bytes */
    written_free(&w);
}

TEST(a_mesh_of_nothing)
{
    leaf l;
    written w;
    leaf_fill(&l);
    l.model.mesh_count = 2;
    l.meshes[0].index_count = 0;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok && strstr(w.texts, "draws nothing"));
    CHECK_INT(written_at(&w, "meshes")->count, 1);
    CHECK_INT(written_at(&w, "nodes")->count, 1);
    written_free(&w);
}

TEST(a_transform_as_parts_or_as_a_matrix)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_nodes(&l, 3);
    l.nodes[0].name = (trilo_str){"root", 4};
    l.nodes[2].local.m[0] = 1.0000001f; /* what the parts do not say */
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "nodes/0"), "{\"name\":\"root\",\"children\":[1]}");
    CHECK_STR(written_raw(&w, "nodes/1"), "{\"translation\":[0,1,0]}");
    CHECK_STR(written_raw(&w, "nodes/2"), "{\"matrix\":[1.0000001,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}");
    CHECK_STR(written_raw(&w, "scenes/0/nodes"), "[0,2,3]");
    written_free(&w);
}

/* a * b, column by column. */
static trilo_mat4 product(const trilo_mat4 *a, const trilo_mat4 *b)
{
    trilo_mat4 out;
    for (int i = 0; i < 16; i++) {
        out.m[i] = 0;
        for (int k = 0; k < 4; k++)
            out.m[i] += a->m[4 * k + i % 4] * b->m[i / 4 * 4 + k];
    }
    return out;
}

static void check_shear(const float columns[9])
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_nodes(&l, 2);
    for (int i = 0; i < 9; i++)
        l.nodes[0].local.m[i / 3 * 4 + i % 3] = columns[i];
    l.nodes[0].local.m[12] = 5;
    l.nodes[0].sheared = true;
    l.meshes[0].node = 0;
    write_leaf(&w, &l);
    const trilo_model *model = written_model(&w);
    CHECK_INT(model->node_count, 3);
    const trilo_node *inner = &model->nodes[model->meshes[0].node], *outer = &model->nodes[inner->parent];
    CHECK(!inner->sheared && !outer->sheared && outer->parent == TRILO_NONE);
    const trilo_mat4 got = product(&outer->local, &inner->local);
    for (int i = 0; i < 16; i++)
        CHECK_NEAR(got.m[i], l.nodes[0].local.m[i], 2e-6);
    for (uint32_t i = 0; i < model->node_count; i++) /* the child goes along */
        if (model->nodes[i].translation.y == 1)
            CHECK(&model->nodes[model->nodes[i].parent] == inner);
    trilo_model_free(model);
    written_free(&w);
}

TEST(a_shear_is_two_nodes)
{
    static const float sheared[][9] = {{1, 0, 0, 1, 1, 0, 0, 0, 1},        {2, 0.5f, 0, 0, 1, 0.25f, 0.125f, 0, -1},
                                       {0, 0, 0, 0, 0, 0, 0, 0, 0},        {1, 2, 3, 2, 4, 6, 1, 2, 3},
                                       {1, 2, 3, 4, 5, 6, 7, 8, 9},        {-1, 0.5f, 0, 0, 2, 0, 0, 1, 3},
                                       {0, 1, 0, 0, 0.5f, 1, 0, 0, 0.25f}, {1, 0, 0, 0, 0, 0, 1, 1, 0}};
    for (size_t i = 0; i < sizeof sheared / sizeof sheared[0]; i++)
        check_shear(sheared[i]);
}

TEST(a_shear_that_moves_is_lost)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    l.nodes[1].local.m[4] = 0.5f;
    l.nodes[1].sheared = true;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok);
    CHECK_STR(w.heard, "GLTF-LOST-SHEAR ");
    CHECK_STR(written_raw(&w, "nodes/1"), "{\"translation\":[0,1,0]}");
    written_free(&w);
}

TEST(the_console_counts_64_to_a_meter)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_skin(&l);
    leaf_use_clip(&l);
    l.model.units_per_meter = 64;
    l.positions[3][0] = 32;
    l.nodes[0].local.m[12] = 16; /* not what the parts say */
    write_leaf(&w, &l);
    CHECK(written_float(&w, ATTRIBUTES "POSITION", 9) == 0.5f);
    CHECK_NEAR(written_number(&w, "nodes/0/matrix/12"), 0.25, 0);
    CHECK_NEAR(written_number(&w, "nodes/0/matrix/0"), 1, 0);
    CHECK_NEAR(written_number(&w, "nodes/1/translation/1"), 1 / 64.0, 0);
    CHECK(written_float(&w, "skins/0/inverseBindMatrices", 16 + 13) == -1 / 64.0f);
    CHECK(written_float(&w, "animations/0/samplers/0/output", 9) == 3 / 64.0f);
    written_free(&w);
}

/* --- skins --- */

TEST(weights_as_the_format_wants_them)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_skin(&l);
    static const float weights[LEAF_VERTICES][4] = {
        {0.5f, 0.25f, 0.25f, 0}, {1, 3, 0, 0}, {0.3f, 0.3f, 0.3f, 0}, {-1, 0.5f, NAN, 0}};
    static const uint16_t joints[LEAF_VERTICES][4] = {{1, 0, 1, 9}, {0, 1, 7, 7}, {0, 1, 0, 0}, {0, 1, 0, 0}};
    memcpy(l.weights, weights, sizeof weights);
    memcpy(l.joints, joints, sizeof joints);
    write_leaf(&w, &l);
    static const float want[LEAF_VERTICES][4] = {
        {0.75f, 0.25f, 0, 0}, {0.25f, 0.75f, 0, 0}, {0.6666667f, 0.33333334f, 0, 0}, {1, 0, 0, 0}};
    static const uint8_t want_joints[LEAF_VERTICES][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}};
    for (uint32_t i = 0; i < LEAF_VERTICES * 4; i++)
        CHECK_NEAR(written_float(&w, ATTRIBUTES "WEIGHTS_0", i), want[i / 4][i % 4], 1e-7);
    CHECK_NEAR((double)written_float(&w, ATTRIBUTES "WEIGHTS_0", 8) + written_float(&w, ATTRIBUTES "WEIGHTS_0", 9), 1,
               6e-8);
    CHECK_INT(written_number(&w, "accessors/1/componentType"), 5121);
    CHECK(memcmp(w.bin + (int)written_number(&w, "bufferViews/1/byteOffset"), want_joints, sizeof want_joints) == 0);
    CHECK_STR(written_raw(&w, "skins/0/joints"), "[0,1]");
    CHECK_INT(written_number(&w, "nodes/2/skin"), 0);
    written_free(&w);
}

/* A byte holds the numbers of 255 joints and of one more, which vertices without weight follow. */
TEST(many_joints_need_wide_numbers)
{
    enum { MOST = 300 };
    static trilo_node nodes[MOST];
    static trilo_joint joints[MOST];
    for (uint32_t count = 255; count <= MOST; count += count == 255 ? 1 : MOST - 256) {
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_skin(&l);
        for (uint32_t i = 0; i < count; i++) {
            nodes[i] = l.nodes[2];
            joints[i] = (trilo_joint){i, l.joint[0].inverse_bind};
        }
        l.skin = (trilo_skin){count, joints};
        l.model.nodes = nodes;
        l.model.node_count = count;
        for (uint16_t v = 0; v < LEAF_VERTICES; v++)
            l.joints[v][0] = (uint16_t)(count - 1 - v);
        write_gltf(&w, &l.model, NULL, "leaf.glb", false);
        CHECK(w.ok);
        const size_t width = count < 256 ? 1 : 2;
        CHECK_INT(written_number(&w, "accessors/1/componentType"), count < 256 ? 5121 : 5123);
        CHECK_INT(written_number(&w, "bufferViews/1/byteLength"), LEAF_VERTICES * 4 * width);
        const uint8_t *bytes = w.bin + (size_t)written_number(&w, "bufferViews/1/byteOffset");
        for (size_t v = 0; v < LEAF_VERTICES; v++) {
            CHECK_INT(bytes[4 * v * width] | (width == 2 ? bytes[8 * v + 1] << 8 : 0), count - 1 - v);
            for (size_t k = width; k < 4 * width; k++)
                CHECK_INT(bytes[4 * v * width + k], 0);
        }
        written_free(&w);
    }
}

TEST(vertices_without_weight_follow_a_static_bone)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_skin(&l);
    memset(l.weights[2], 0, sizeof l.weights[2]);
    write_leaf(&w, &l);
    /* nodes: 0 and 1 the joints, 2 the mesh, 3 the bone, 4 the root above both trees */
    CHECK_STR(written_raw(&w, "skins/0/joints"), "[0,1,3]");
    CHECK_STR(written_raw(&w, "nodes/3"), "{\"name\":\"neutral_bone\"}");
    CHECK_STR(written_raw(&w, "nodes/4"), "{\"name\":\"skeleton\",\"children\":[0,3]}");
    CHECK_STR(written_raw(&w, "scenes/0/nodes"), "[2,4]");
    CHECK_INT(w.bin[(int)written_number(&w, "bufferViews/1/byteOffset") + 8], 2);
    CHECK(written_float(&w, "skins/0/inverseBindMatrices", 32) == 1);
    CHECK(written_float(&w, "skins/0/inverseBindMatrices", 32 + 13) == 0);
    written_free(&w);
}

TEST(a_skin_with_two_roots_and_a_joint_twice)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_skin(&l);
    leaf_use_nodes(&l, 3);
    l.skin.joint_count = 3;
    l.joint[1].node = 2;
    l.joint[2].node = 2;
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "skins/0/joints"), "[0,2,4]");
    CHECK_STR(written_raw(&w, "nodes/2"), "{\"children\":[4]}");
    CHECK_STR(written_raw(&w, "nodes/5/children"), "[0,2]");
    written_free(&w);
}

/* --- materials --- */

TEST(a_plain_material)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_material(&l);
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "materials/0"), "{\"name\":\"moss\",\"pbrMetallicRoughness\":{\"metallicFactor\":0}}");
    CHECK_INT(written_number(&w, "meshes/0/primitives/0/material"), 0);
    written_free(&w);
    l.material.base_color[0] = 0.5f, l.material.base_color[1] = 7, l.material.base_color[2] = -1;
    l.material.base_color[3] = 0.25f;
    l.material.alpha = TRILO_ALPHA_CUTOUT;
    l.material.alpha_cutoff = 0.75f;
    l.material.two_sided = l.material.unlit = true;
    write_leaf(&w, &l);
    CHECK_NEAR(written_number(&w, "materials/0/pbrMetallicRoughness/baseColorFactor/0"), 0.217604, 1e-6);
    CHECK_NEAR(written_number(&w, "materials/0/pbrMetallicRoughness/baseColorFactor/1"), 1, 0);
    CHECK_NEAR(written_number(&w, "materials/0/pbrMetallicRoughness/baseColorFactor/2"), 0, 0);
    CHECK_NEAR(written_number(&w, "materials/0/pbrMetallicRoughness/baseColorFactor/3"), 0.25, 0);
    CHECK_STR(written_text(&w, "materials/0/alphaMode"), "MASK");
    CHECK_NEAR(written_number(&w, "materials/0/alphaCutoff"), 0.75, 0);
    CHECK_STR(written_raw(&w, "materials/0/doubleSided"), "true");
    CHECK_STR(written_raw(&w, "materials/0/extensions"), "{\"KHR_materials_unlit\":{}}");
    CHECK_STR(written_raw(&w, "extensionsUsed"), "[\"KHR_materials_unlit\"]");
    written_free(&w);
}

static void fill_n64(leaf *l)
{
    leaf_use_material(l);
    l->n64 = (trilo_n64_material){.combiner = 0x80127F1088FFFC3E,
                                  .other_mode = 0x0000200000000001,
                                  .other_mask = 0xFFFF300000000C01,
                                  .blender = 0x00500040,
                                  .draw_flags = TRILO_N64_DEPTH | TRILO_N64_UNLIT | 0x80000000,
                                  .fog = 2,
                                  .set_flags = TRILO_N64_SET_PRIM,
                                  .vertex_effect = 5,
                                  .prim = {255, 128, 0, 255},
                                  .env = {1, 2, 3, 4},
                                  .blend = {5, 6, 7, 8}};
    l->n64.tiles[0] = (trilo_n64_tile){.texture = 0,
                                       .width = 96,
                                       .height = 32,
                                       .s = {0.25f, 95.5f, 7, -1, true, false},
                                       .t = {-3, 1e-7f, 5, 2, false, true}};
    l->n64.tiles[1] = (trilo_n64_tile){.reference = 0xFFFFFFFF, .texture = TRILO_NONE, .width = 65535};
    l->material.n64 = &l->n64;
    l->texture = (trilo_texture){.path = {"rom:/a.sprite", 13}};
    l->model.textures = &l->texture;
    l->model.texture_count = 1;
}

TEST(the_state_of_the_console_comes_back)
{
    leaf l;
    written w;
    leaf_fill(&l);
    fill_n64(&l);
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok && strstr(w.texts, "1 of 1 textures"));
    CHECK_STR(written_text(&w, "materials/0/extras/trilobite_n64/combiner"), "0x80127F1088FFFC3E");
    CHECK_STR(written_text(&w, "materials/0/extras/trilobite_n64/tiles/0/path"), "rom:/a.sprite");
    CHECK(!written_at(&w, "materials/0/pbrMetallicRoughness/baseColorTexture"));
    CHECK(!written_at(&w, "textures") && !written_at(&w, "images"));
    const trilo_model *model = written_model(&w);
    const trilo_n64_material *got = model->materials[0].n64;
    CHECK(got);
    CHECK(got->combiner == l.n64.combiner && got->other_mode == l.n64.other_mode);
    CHECK(got->other_mask == l.n64.other_mask && got->blender == l.n64.blender);
    CHECK(got->draw_flags == l.n64.draw_flags && got->fog == 2 && got->set_flags == 1 && got->vertex_effect == 5);
    CHECK(memcmp(got->prim, l.n64.prim, 4) == 0 && memcmp(got->env, l.n64.env, 4) == 0);
    CHECK(memcmp(got->blend, l.n64.blend, 4) == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(got->tiles[i].reference == l.n64.tiles[i].reference && got->tiles[i].width == l.n64.tiles[i].width);
        CHECK(memcmp(&got->tiles[i].s, &l.n64.tiles[i].s, sizeof got->tiles[i].s) == 0);
        CHECK(memcmp(&got->tiles[i].t, &l.n64.tiles[i].t, sizeof got->tiles[i].t) == 0);
    }
    CHECK_STR(model->textures[got->tiles[0].texture].path.data, "rom:/a.sprite");
    CHECK(got->tiles[1].texture == TRILO_NONE);
    trilo_model_free(model);
    written_free(&w);
}

TEST(what_others_see_of_a_console_material)
{
    const trilo_gltf_write_opts plain = {.plain = true};
    leaf l;
    written w;
    leaf_fill(&l);
    fill_n64(&l);
    write_gltf(&w, &l.model, &plain, NULL, false);
    CHECK(w.ok);
    CHECK(!written_at(&w, "materials/0/extras"));
    CHECK_STR(written_text(&w, "materials/0/alphaMode"), "BLEND");
    CHECK_STR(written_raw(&w, "materials/0/doubleSided"), "true");
    CHECK_NEAR(written_number(&w, "materials/0/pbrMetallicRoughness/baseColorFactor/1"), 0.2195, 1e-3);
    CHECK_STR(written_raw(&w, "materials/0/extensions"), "{\"KHR_materials_unlit\":{}}");
    written_free(&w);
    l.material.alpha = TRILO_ALPHA_CUTOUT; /* a view of its own is kept */
    write_gltf(&w, &l.model, &plain, NULL, false);
    CHECK_STR(written_text(&w, "materials/0/alphaMode"), "MASK");
    CHECK(!written_at(&w, "materials/0/doubleSided"));
    written_free(&w);
}

#define STR(text) ((trilo_str){text, sizeof text - 1})

TEST(extras_go_back_to_where_they_were)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_nodes(&l, 1);
    fill_n64(&l);
    l.model.texture_count = 0;
    l.n64.tiles[0].texture = TRILO_NONE;
    l.material.extras.json = STR("{\"trilobite_n64\": 1, \"a\": [1, {\"b\":\"\\u00e4\"}]}");
    l.material.extras.extensions =
        STR("{\"KHR_materials_unlit\":{},\"X_a\":{\"x\":[1]},\"X_b\":{\"t\":{\"index\":0}}}");
    l.meshes[0].extras.json = STR("[3]");
    l.nodes[0].extras = (trilo_extras){STR("\"n\""), STR("{\"X_a\":true}")};
    l.model.extras = (trilo_extras){STR("{\"m\":null}"), STR("{\"X_c\":1,\"MSFT_lod\":{\"ids\":[1]}}")};
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok);
    CHECK(strstr(w.texts, "X_b: refers to items") && strstr(w.texts, "MSFT_lod: refers to items"));
    CHECK(strncmp(written_raw(&w, "materials/0/extras"), "{\"trilobite_n64\":{\"combiner\"", 28) == 0);
    CHECK_STR(written_raw(&w, "materials/0/extras/a"), "[1, {\"b\":\"\\u00e4\"}]");
    CHECK_INT(written_at(&w, "materials/0/extras")->count, 2);
    CHECK_STR(written_raw(&w, "materials/0/extensions"), "{\"KHR_materials_unlit\":{},\"X_a\":{\"x\":[1]}}");
    CHECK_STR(written_raw(&w, "meshes/0/extras"), "[3]");
    CHECK_STR(written_raw(&w, "nodes/0/extras"), "\"n\"");
    CHECK_STR(written_raw(&w, "extras"), "{\"m\":null}");
    CHECK_STR(written_raw(&w, "extensions"), "{\"X_c\":1}");
    CHECK_STR(written_raw(&w, "extensionsUsed"), "[\"KHR_materials_unlit\",\"X_a\",\"X_c\"]");
    written_free(&w);
}

TEST(extras_that_are_no_json)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_material(&l);
    l.material.extras.json = STR("{\"a\":}");
    l.material.extras.extensions = STR("[]");
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok && strstr(w.texts, "extras: not JSON") && strstr(w.texts, "extensions: not an object"));
    CHECK(!written_at(&w, "materials/0/extras") && !written_at(&w, "materials/0/extensions"));
    written_free(&w);
}

/* --- textures --- */

static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D',
                              'R',  0,   0,   0,   8,    0,    0,    0,    4, 8, 6, 0,  0,   0};

static void use_texture(leaf *l)
{
    leaf_use_material(l);
    l->material.texture = 0;
    l->texture = (trilo_texture){.name = {"bark", 4}, .bytes = {png, sizeof png}};
    l->model.textures = &l->texture;
    l->model.texture_count = 1;
}

TEST(a_picture_inside)
{
    leaf l;
    written w;
    leaf_fill(&l);
    use_texture(&l);
    l.texture.wrap[0] = TRILO_WRAP_MIRROR;
    l.texture.wrap[1] = TRILO_WRAP_CLAMP;
    l.texture.nearest = true;
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "images/0"), "{\"name\":\"bark\",\"bufferView\":0,\"mimeType\":\"image/png\"}");
    CHECK_STR(written_raw(&w, "bufferViews/0"), "{\"buffer\":0,\"byteLength\":29}");
    CHECK_STR(written_raw(&w, "bufferViews/1/byteOffset"), "32");
    CHECK(memcmp(w.bin, png, sizeof png) == 0 && w.bin[29] == 0 && w.bin[31] == 0);
    CHECK_STR(written_raw(&w, "samplers/0"), "{\"magFilter\":9728,\"minFilter\":9728,\"wrapS\":33648,\"wrapT\":33071}");
    CHECK_STR(written_raw(&w, "textures/0"), "{\"name\":\"bark\",\"sampler\":0,\"source\":0}");
    CHECK_STR(written_raw(&w, "materials/0/pbrMetallicRoughness/baseColorTexture"), "{\"index\":0}");
    const trilo_model *model = written_model(&w);
    CHECK_INT(model->textures[0].bytes.size, sizeof png);
    CHECK_INT(model->textures[0].width, 8);
    CHECK(model->textures[0].wrap[0] == TRILO_WRAP_MIRROR && model->textures[0].wrap[1] == TRILO_WRAP_CLAMP);
    CHECK(model->textures[0].nearest);
    trilo_model_free(model);
    written_free(&w);
}

/* Three ways to wrap along each axis and two filters: 18 samplers, however many textures there are. */
TEST(every_sampler_once)
{
    enum { SAMPLERS = 18, TEXTURES = 2 * SAMPLERS };
    static const trilo_wrap wraps[3] = {TRILO_WRAP_REPEAT, TRILO_WRAP_MIRROR, TRILO_WRAP_CLAMP};
    trilo_texture textures[TEXTURES];
    trilo_material materials[TEXTURES];
    leaf l;
    written w;
    leaf_fill(&l);
    use_texture(&l);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        textures[i] = l.texture;
        textures[i].wrap[0] = wraps[i % 3];
        textures[i].wrap[1] = wraps[i / 3 % 3];
        textures[i].nearest = i / 9 % 2 == 1;
        materials[i] = l.material;
        materials[i].texture = i;
    }
    l.model.textures = textures;
    l.model.materials = materials;
    l.model.texture_count = l.model.material_count = TEXTURES;
    write_leaf(&w, &l);
    CHECK(written_at(&w, "samplers/17") && !written_at(&w, "samplers/18"));
    const trilo_model *model = written_model(&w);
    CHECK_INT(model->material_count, TEXTURES);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        const trilo_texture *got = &model->textures[model->materials[i].texture];
        CHECK_INT(got->wrap[0], textures[i].wrap[0]);
        CHECK_INT(got->wrap[1], textures[i].wrap[1]);
        CHECK_INT(got->nearest, textures[i].nearest);
    }
    trilo_model_free(model);
    written_free(&w);
}

TEST(a_picture_outside)
{
    const trilo_gltf_write_opts outside = {.external_images = true};
    leaf l;
    written w;
    leaf_fill(&l);
    use_texture(&l);
    write_gltf(&w, &l.model, &outside, "leaf.glb", true);
    CHECK(w.ok);
    CHECK_STR(written_raw(&w, "images/0"), "{\"name\":\"bark\",\"uri\":\"leaf.0.png\"}");
    CHECK_INT(w.companion_count, 1);
    CHECK_STR(w.names[0], "leaf.0.png");
    CHECK_INT(w.companions[0].size, sizeof png);
    written_free(&w);
    write_gltf(&w, &l.model, &outside, "leaf.glb", false); /* nowhere to put it: inside after all */
    CHECK(w.ok && written_at(&w, "images/0/bufferView"));
    written_free(&w);
}

TEST(pictures_by_path)
{
    static const struct {
        const char *path, *uri; /* NULL: no picture that glTF could name */
    } cases[] = {{"a/b c#\xC3\xA4.PNG", "a/b%20c%23%C3%A4.PNG"},
                 {"x.jpeg", "x.jpeg"},
                 {"rom:/x.png", NULL},
                 {"/tmp/x.png", NULL},
                 {"x.sprite", NULL},
                 {".png", NULL},
                 {"a\\x.png", NULL},
                 {"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        leaf l;
        written w;
        leaf_fill(&l);
        use_texture(&l);
        l.texture = (trilo_texture){.path = {cases[i].path, strlen(cases[i].path)}};
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        if (cases[i].uri)
            CHECK_STR(written_text(&w, "images/0/uri"), cases[i].uri);
        else
            CHECK(!written_at(&w, "images") && strstr(w.texts, "1 of 1 textures"));
        written_free(&w);
    }
}

/* --- all of it --- */

TEST(the_same_model_gives_the_same_bytes)
{
    leaf l;
    written first, second;
    leaf_fill(&l);
    use_texture(&l);
    leaf_use_skin(&l);
    leaf_use_clip(&l);
    leaf_use_track(&l);
    write_gltf(&first, &l.model, NULL, NULL, false);
    write_gltf(&second, &l.model, NULL, NULL, false);
    CHECK(first.ok && first.file.size == second.file.size);
    CHECK(memcmp(first.file.data, second.file.data, first.file.size) == 0);
    written_free(&first);
    written_free(&second);
}

static bool count_sink(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

/* The n-th allocation is denied, until all is well. */
TEST(memory_that_runs_out)
{
    leaf l;
    leaf_fill(&l);
    use_texture(&l);
    leaf_use_skin(&l);
    leaf_use_clip(&l);
    leaf_use_track(&l);
    l.material.extras.json = STR("{\"a\":[1,2,3]}");
    for (size_t n = 1;; n++) {
        meter m = {.fail_at = n};
        trilo_error err = {0};
        size_t size = 0;
        const trilo_write_opts opts = {.format = TRILO_FORMAT_GLTF, .memory = meter_memory(&m, 0)};
        const bool ok = trilo_model_write(&l.model, &opts, count_sink, &size, &err);
        CHECK_INT(m.now, 0);
        if (ok)
            break;
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        CHECK_INT(size, 0);
    }
    for (size_t most = 1024;; most += 1024) {
        meter m = {0};
        trilo_error err = {0};
        size_t size = 0;
        const trilo_write_opts opts = {.format = TRILO_FORMAT_GLTF, .memory = meter_memory(&m, most)};
        if (trilo_model_write(&l.model, &opts, count_sink, &size, &err))
            break;
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    }
}

TEST_MAIN(CASE(the_whole_text_of_a_small_model), CASE(a_model_of_nothing), CASE(text_with_a_buffer_beside),
          CASE(text_without_companion_files), CASE(what_cannot_be_kept_is_reported), CASE(normals_have_length_1),
          CASE(bounds_are_those_of_all_vertices), CASE(colours_are_light), CASE(every_colour_of_8_bits_comes_back),
          CASE(numbers_that_are_none), CASE(many_vertices_need_wide_indices), CASE(meshes_that_belong_together),
          CASE(a_mesh_of_nothing), CASE(a_transform_as_parts_or_as_a_matrix), CASE(a_shear_is_two_nodes),
          CASE(a_shear_that_moves_is_lost), CASE(the_console_counts_64_to_a_meter),
          CASE(weights_as_the_format_wants_them), CASE(many_joints_need_wide_numbers),
          CASE(vertices_without_weight_follow_a_static_bone), CASE(a_skin_with_two_roots_and_a_joint_twice),
          CASE(a_plain_material), CASE(the_state_of_the_console_comes_back),
          CASE(what_others_see_of_a_console_material), CASE(extras_go_back_to_where_they_were),
          CASE(extras_that_are_no_json), CASE(a_picture_inside), CASE(every_sampler_once), CASE(a_picture_outside),
          CASE(pictures_by_path), CASE(the_same_model_gives_the_same_bytes), CASE(memory_that_runs_out))
