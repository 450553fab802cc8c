/* Models that were not T3DM files: what T3DM can hold arrives, what it cannot is reported, every limit has its
 * sentence. */
#include "formats/t3dm/encode/encode.h"
#include "harness.h"
#include "support/nlm_files.h"
#include "support/t3dm_frond.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* To the nearest integer, halves away from zero. */
TEST(numbers_are_rounded)
{
    static const double rows[][2] = {{-1.5, -2}, {-0.5, -1}, {-0.25, 0}, {0, 0},
                                     {0.25, 0},  {0.5, 1},   {1.5, 2},   {2.49, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_NEAR(tl_t3dm_round(rows[i][0]), rows[i][1], 0);
}

/* At the usual scale of 64. */
TEST(a_triangle_arrives)
{
    frond s;
    frond_fill(&s);
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    const trilo_model *model = frond_again(&r);
    CHECK_STR(model->meshes[0].name.data, "leaf");
    CHECK_STR(model->materials[0].name.data, "moss");
    CHECK_INT(model->meshes[0].index_count, 3);
    const trilo_bounds box = trilo_model_bounds(model);
    CHECK(box.max.x == 128 && box.max.y == 64 && box.min.x == 0);
    CHECK_INT(model->materials[0].n64->combiner == 0x00887F1088FE7D3Eu, 1);
    frond_done(&r, model);
}

TEST(a_mesh_without_a_material_gets_one)
{
    frond s;
    frond_fill(&s);
    s.mesh[0].material = TRILO_NONE;
    s.model.material_count = 0;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->material_count, 1);
    CHECK_STR(model->materials[0].name.data, "default");
    frond_done(&r, model);
}

/* 2 * 20000 is above 32767; 32767 / 2 is 16383.5. */
TEST(the_largest_scale_is_named)
{
    frond s;
    frond_fill(&s);
    frond_result r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.scale = 20000});
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-POSITION");
    CHECK(strstr(r.err.text, "16383.5"));
    CHECK_INT(r.file.size, 0);
    frond_done(&r, NULL);
    r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.scale = 16383.5f});
    CHECK(r.ok);
    frond_done(&r, NULL);
}

/* 32 texels a repeat: 1024 texels are 32 repeats. */
TEST(far_texture_coordinates_are_moved_or_refused)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    frond_result r;
    for (int corner = 1; corner < 3; corner++) {
        s.uvs[0][0] = s.uvs[1][0] = s.uvs[2][0] = 0;
        s.uvs[corner][0] = 70; /* from 0: 2240 texels in one triangle */
        r = frond_encode(&s.model, NULL);
        CHECK(!r.ok);
        CHECK_INT(r.err.code, TRILO_CODE_LIMIT);
        CHECK_STR(r.err.rule, "T3DM-RANGE-UV");
        CHECK_STR(r.err.path, "meshes[0]");
        frond_done(&r, NULL);
    }
    /* The first two wrap at 64 repeats, as Tiny3D's converter stores them: 5000 = 78 * 64 + 8, -777 = -12 * 64 - 9. The
     * last goes over the edge at 32 and is moved by 32. */
    static const float uvs[][2] = {{5000, -777}, {5001, -777}, {31.5f, 0}},
                       stored[][2] = {{8, -9}, {9, -9}, {-0.5f, 0}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            memcpy(s.uvs[k], uvs[i], sizeof uvs[i]);
        s.uvs[1][0] += 1;
        r = frond_encode(&s.model, NULL);
        const trilo_model *model = frond_again(&r);
        float least = 99, most = -99;
        for (uint32_t k = 0; k < 3; k++) {
            least = model->meshes[0].uvs[k][0] < least ? model->meshes[0].uvs[k][0] : least;
            most = model->meshes[0].uvs[k][0] > most ? model->meshes[0].uvs[k][0] : most;
            CHECK_NEAR(model->meshes[0].uvs[k][1], stored[i][1], 1e-6);
        }
        CHECK_NEAR(least, stored[i][0], 1e-6);
        CHECK_NEAR(most, stored[i][0] + 1, 1e-6);
        frond_done(&r, model);
    }
}

/* A repeat of 32 texels has 1024 units. 5 - 1/128 units are whole except for rounding; 5 - 1/64 are not, and are cut.
 */
TEST(texture_coordinates_that_are_nearly_whole)
{
    static const float uvs[] = {639.0f / 131072, 319.0f / 65536};
    static const int units[] = {5, 4};
    for (int i = 0; i < 2; i++) {
        frond s;
        frond_fill(&s);
        frond_texture(&s);
        for (int k = 0; k < 3; k++)
            s.uvs[k][0] = s.uvs[k][1] = uvs[i];
        frond_result r = frond_encode(&s.model, NULL);
        const trilo_model *model = frond_again(&r);
        CHECK_NEAR(1024 * model->meshes[0].uvs[0][0], units[i], 1e-6);
        CHECK_NEAR(1024 * model->meshes[0].uvs[0][1], units[i], 1e-6);
        frond_done(&r, model);
    }
}

/* Two triangles of which the second is torn: the first stays, and their common edge is stored twice. */
TEST(only_torn_triangles_move)
{
    static const float positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const float uvs[4][2] = {{31, 0}, {31.5f, 0}, {31, 1}, {32.5f, 1}};
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.mesh[0] = (trilo_mesh){.node = TRILO_NONE,
                             .skin = TRILO_NONE,
                             .material = s.mesh[0].material,
                             .vertex_count = 4,
                             .positions = positions,
                             .uvs = uvs,
                             .index_count = 6,
                             .indices = indices};
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->index_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const float *p = mesh->positions[mesh->indices[i]], *uv = mesh->uvs[mesh->indices[i]];
        bool second = false; /* the triangle with the corner that the first does not have */
        for (uint32_t k = 0; k < 3; k++) {
            const float *corner = mesh->positions[mesh->indices[i / 3 * 3 + k]];
            second = second || (corner[0] > 0 && corner[1] > 0);
        }
        const double source = p[0] == 0 ? 31 : p[1] == 0 ? 31.5 : 32.5;
        CHECK_NEAR(uv[0], second ? source - 32 : source, 1e-6);
    }
    frond_done(&r, model);
}

TEST(letters_of_t3dm_are_no_custom_chunks)
{
    frond s;
    frond_fill(&s);
    trilo_chunk chunks[2] = {{'m', {(const uint8_t *)"own", 3}}, {'Q', {(const uint8_t *)"mine", 4}}};
    s.model.chunks = chunks;
    s.model.chunk_count = 2;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-CHUNK ");
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->chunk_count, 1);
    CHECK_INT(model->chunks[0].type, 'Q');
    frond_done(&r, model);
}

TEST(losses_are_reported)
{
    frond s;
    frond_fill(&s);
    frond_texture(&s);
    s.texture.path = frond_text("");
    s.texture.bytes = (trilo_bytes){(const uint8_t *)"x", 1};
    s.model.nodes = s.nodes;
    s.model.node_count = 2;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-LOST-NODES T3DM-MADE-MATERIAL T3DM-LOST-TEXTURE ");
    frond_done(&r, NULL);

    frond_fill(&s);
    s.mesh[0].topology = TRILO_TOPOLOGY_LINES;
    s.mesh[0].index_count = 2;
    r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-LOST-LINES ");
    CHECK(r.ok);
    frond_done(&r, NULL);

    frond_fill(&s);
    frond_skin(&s);
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = 0.6f;
    s.joints[2][1] = 1;
    r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-WEIGHTS ");
    const trilo_model *model = frond_again(&r);
    uint32_t upper = 0;
    for (uint32_t i = 0; i < 3; i++)
        upper += model->meshes[0].weights[i][0] == 1 && model->meshes[0].joints[i][0] == 1;
    CHECK_INT(upper, 1);
    CHECK_NEAR(trilo_model_bounds(model).max.y, 64, 1e-4); /* stored at 1 - 3, put back by the bone's 3 */
    frond_done(&r, model);
}

/* --- clips --- */

TEST(a_vector_channel_becomes_three_axes)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    const trilo_model *model = frond_again(&r);
    CHECK_STR(model->clips[0].name.data, "sway");
    CHECK_INT(model->clips[0].channel_count, 2); /* along z it stays where it rests */
    float value[4];
    trilo_channel_sample(&model->clips[0].channels[0], 0.5, value);
    CHECK_NEAR(value[0], 2.5 * 64, 0.01);
    frond_done(&r, model);
}

TEST(a_clip_without_keys_is_reported)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    s.clip.channel_count = 0;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-ANIM-EMPTY ");
    trilo_document *document = trilo_document_open(r.file.data, r.file.size, NULL, NULL);
    CHECK(document);
    CHECK_INT(trilo_document_check(document, NULL, NULL).warnings, 2); /* no channel, no stream */
    trilo_document_free(document);
    frond_done(&r, NULL);
}

/* Nine corners on a line of two units: at scale 4 that is 8. */
/* The triangle reaches to 2: 16 units are enough, 15 and 15/16 are not. */
TEST(sixteen_units_are_large_enough)
{
    frond s;
    frond_fill(&s);
    frond_result r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.scale = 8});
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    frond_done(&r, NULL);
    r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.scale = 7.96875f});
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-POSITIONS ");
    frond_done(&r, NULL);
}

/* A normal has 5, 6 and 5 bits with a sign: x from -16 to 15 in 16ths, y from -32 to 31 in 32nds. 1.5 is 24 and 48. */
TEST(normals_that_are_too_long_are_cut_at_both_ends)
{
    static const float wants[2][3] = {{-1, -1, -1}, {0.9375f, 0.96875f, 0.9375f}};
    for (int up = 0; up < 2; up++) {
        frond s;
        frond_fill(&s);
        for (int i = 0; i < 9; i++)
            s.normals[i / 3][i % 3] = up ? 1.5f : -1.5f;
        frond_result r = frond_encode(&s.model, NULL);
        const trilo_model *model = frond_again(&r);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(model->meshes[0].normals[0][k], wants[up][k], 0);
        frond_done(&r, model);
    }
}

TEST(a_tiny_scale_is_reported)
{
    frond s;
    float line[9][3] = {{0}};
    uint32_t indices[3] = {0, 4, 8};
    frond_fill(&s);
    for (int i = 0; i < 9; i++)
        line[i][0] = (float)i / 4;
    s.mesh[0].positions = (const float(*)[3])line;
    s.mesh[0].normals = NULL;
    s.mesh[0].uvs = NULL;
    s.mesh[0].vertex_count = 9;
    s.mesh[0].indices = indices;
    frond_result r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.scale = 4});
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-MADE-NORMALS T3DM-LOST-POSITIONS ");
    frond_done(&r, NULL);
    r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.scale = 8});
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-MADE-NORMALS ");
    frond_done(&r, NULL);
}

/* A key off the tick is moved; a late first key is held back to 0 while another channel starts there. */
TEST(keys_fit_the_console)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    static const double late = 0.509;
    static const float turned[4] = {0, 0, 1, 0};
    const trilo_channel channels[2] = {
        s.channel, {.node = 1, .target = TRILO_TARGET_ROTATION, .key_count = 1, .times = &late, .values = turned}};
    s.clip.channels = channels;
    s.clip.channel_count = 2;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-KEYS ");
    const trilo_model *model = frond_again(&r);
    const trilo_channel *c = &model->clips[0].channels[0];
    CHECK_INT(c->target, TRILO_TARGET_ROTATION);
    CHECK_INT(c->key_count, 3);
    CHECK_NEAR(c->times[1], 31 / 60.0, 1e-9); /* 30.54 ticks */
    CHECK(c->times[0] == 0 && c->times[2] == 1);
    frond_done(&r, model);
}

TEST(long_clips_are_refused)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    s.times[1] = s.clip.duration = 600; /* 36000 ticks between two keys */
    frond_result r = frond_encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_INT(r.err.code, TRILO_CODE_LIMIT);
    CHECK(strstr(r.err.text, "\"sway\""));
    CHECK_STR(r.err.rule, "T3DM-RANGE-TIME");
    frond_done(&r, NULL);
}

TEST(streams_need_companion_files)
{
    frond s;
    buffer out = {0};
    trilo_error err = {0};
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM};
    CHECK(!trilo_model_write(&s.model, &opts, buffer_sink, &out, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    CHECK_INT(out.size, 0);
}

/* The hand-made stick of the NLM tests: at 2 s its top has turned to (3, 1, 10). */
TEST(an_nlm_file_moves_the_same)
{
    buffer file = {0};
    trilo_error err = {0};
    nlm_stick(&file);
    const trilo_model *stick = trilo_model_load(file.data, file.size, NULL, &err);
    CHECK(stick);
    frond_result r = frond_encode(stick, &(trilo_t3dm_write_opts){.scale = 100});
    const trilo_model *model = frond_again(&r);
    CHECK_INT(model->node_count, 3);
    CHECK_STR(model->nodes[0].name.data, "bone0");
    trilo_mat4 locals[3], worlds[3], skin[3];
    float p[8][3];
    trilo_pose_locals(model, 0, 2, locals);
    trilo_pose_worlds(model, locals, worlds);
    trilo_pose_skin(model, 0, worlds, skin);
    trilo_pose_mesh(model, 0, worlds, skin, p, NULL);
    uint32_t found = 0;
    for (uint32_t i = 0; i < model->meshes[0].vertex_count; i++)
        found += p[i][0] > 298 && p[i][0] < 302 && p[i][1] > 98 && p[i][1] < 102 && p[i][2] > 999 && p[i][2] < 1001;
    CHECK_INT(found, 1);
    frond_done(&r, model);
    trilo_model_free(stick);
    buffer_free(&file);
}

/* --- limits --- */

TEST(sizes_are_limited)
{
    frond s;
    frond_fill(&s);
    uint8_t *bytes = calloc(17, 1 << 20);
    CHECK(bytes);
    s.chunk = (trilo_chunk){'X', {bytes, 17u << 20}};
    s.model.chunks = &s.chunk;
    s.model.chunk_count = 1;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-SIZE");
    frond_done(&r, NULL);
    free(bytes);
    CHECK(!frond_encode(&s.model, &(trilo_t3dm_write_opts){.version = 9}).ok);
}

TEST(bones_are_limited)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    trilo_node *nodes = calloc(65535, sizeof *nodes);
    CHECK(nodes);
    for (uint32_t i = 0; i < 65535; i++)
        nodes[i] = s.nodes[0];
    s.model.nodes = nodes;
    s.model.node_count = 65535;
    frond_result r = frond_encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-COUNT");
    frond_done(&r, NULL);
    free(nodes);
}

static frond_result encode_many(uint32_t count, trilo_mesh *meshes, frond *s)
{
    frond_fill(s);
    for (uint32_t i = 0; i < count; i++)
        meshes[i] = s->mesh[0];
    s->model.meshes = meshes;
    s->model.mesh_count = count;
    return frond_encode(&s->model, &(trilo_t3dm_write_opts){.bvh = true});
}

/* again() checks the tree: nesting, and every object once. */
TEST(a_bvh_is_built)
{
    frond s;
    trilo_mesh *meshes = calloc(2100, sizeof *meshes);
    CHECK(meshes);
    static const uint32_t counts[] = {1, 8, 9, 100, 2000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        frond_result r = encode_many(counts[i], meshes, &s);
        const trilo_model *model = frond_again(&r);
        CHECK(model->bvh && model->bvh->item_count == counts[i]);
        frond_done(&r, model);
    }
    frond_result r = encode_many(2100, meshes, &s);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-BVH");
    frond_done(&r, NULL);
    free(meshes);
}

/* Bones are written depth first whatever the order of the nodes: a, b, child of a, child of b. */
TEST(bones_come_depth_first)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    trilo_node nodes[4] = {s.nodes[0], s.nodes[0], s.nodes[0], s.nodes[0]};
    static const uint32_t parents[4] = {TRILO_NONE, TRILO_NONE, 0, 1};
    static const char *const names[4] = {"a", "b", "ac", "bc"};
    for (int i = 0; i < 4; i++) {
        nodes[i].parent = parents[i];
        nodes[i].name = (trilo_str){names[i], strlen(names[i])};
    }
    s.model.nodes = nodes;
    s.model.node_count = 4;
    frond_result r = frond_encode(&s.model, NULL);
    const trilo_model *model = frond_again(&r);
    CHECK_STR(model->nodes[0].name.data, "a");
    CHECK_STR(model->nodes[1].name.data, "ac");
    CHECK_STR(model->nodes[2].name.data, "b");
    CHECK_STR(model->nodes[3].name.data, "bc");
    CHECK_INT(model->nodes[3].parent, 2);
    frond_done(&r, model);
}

TEST_MAIN(CASE(numbers_are_rounded), CASE(a_triangle_arrives), CASE(a_mesh_without_a_material_gets_one),
          CASE(the_largest_scale_is_named), CASE(far_texture_coordinates_are_moved_or_refused),
          CASE(texture_coordinates_that_are_nearly_whole), CASE(only_torn_triangles_move),
          CASE(letters_of_t3dm_are_no_custom_chunks), CASE(losses_are_reported),
          CASE(a_vector_channel_becomes_three_axes), CASE(a_clip_without_keys_is_reported),
          CASE(sixteen_units_are_large_enough), CASE(normals_that_are_too_long_are_cut_at_both_ends),
          CASE(a_tiny_scale_is_reported), CASE(keys_fit_the_console), CASE(long_clips_are_refused),
          CASE(streams_need_companion_files), CASE(an_nlm_file_moves_the_same), CASE(sizes_are_limited),
          CASE(bones_are_limited), CASE(a_bvh_is_built), CASE(bones_come_depth_first))
