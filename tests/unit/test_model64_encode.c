/* Models into files of the N64 model format: what arrives, what is told, what is refused. Files of the game go through
 * the neutral model and must draw the same triangles afterwards. */
#include "formats/model64/encode/encode.h"
#include "harness.h"
#include "support/model64_sample.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- geometry --- */

/* The numbers are those of the exporter's file of the same cube: 8 vertices, 6 double triangles, 256 bytes. */
TEST(a_cube)
{
    sample s;
    sample_fill(&s);
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    CHECK_STR(r.heard, "");
    CHECK_INT(r.file.size, 256);
    CHECK(memcmp(r.file.data, "Model\0\0\0\0\0\0\0\0\0\0", 16) == 0);
    CHECK_INT(result_word(&r, 0x10), 0x20);
    CHECK_INT(result_word(&r, 0x14), 0xE0);
    CHECK_INT(result_word(&r, 0x18), 0x100);
    CHECK_INT(result_word(&r, 0x1C), 0);
    CHECK_INT(result_word(&r, 0x20), 0x60);
    CHECK_INT(result_word(&r, 0x24), 0x20);
    for (size_t at = 0x28; at < 0x38; at += 4)
        CHECK_INT(result_word(&r, at), 0);
    CHECK_INT(result_word(&r, 0x38), 128);
    CHECK_INT(result_word(&r, 0x40) & 0xFFFFF000, 0x01008000); /* 8 vertices, into some slots */
    CHECK_INT(result_word(&r, 0x44), 0x01000000);
    CHECK_INT(result_word(&r, 0x78), 0xDF000000);
    CHECK_INT(result_word(&r, 0x8C), 0xFFFFFFFF); /* white */
    sample_scale(&s, 64);
    check_same_triangles(model, &s.model, "cube");
    done(&r, model);
}

static void check_outside_shows(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->meshes[0].index_count; i += 3) {
        const float *p[3];
        double normal[3], outwards = 0;
        for (uint32_t k = 0; k < 3; k++)
            p[k] = model->meshes[0].positions[model->meshes[0].indices[i + k]];
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            normal[k] =
                (double)(p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (double)(p[1][b] - p[0][b]) * (p[2][a] - p[0][a]);
            outwards += normal[k] * (p[0][k] + p[1][k] + p[2][k]);
        }
        CHECK(outwards > 0);
    }
}

/* Even and odd changes of the axes, with and without signs. */
TEST(mirrored_axes_reverse_triangles)
{
    static const int8_t axes[][3] = {{1, 2, -3}, {2, 1, 3}, {3, 1, 2}, {-3, -1, -2}, {3, -2, 1}, {-1, -2, 3}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        sample s;
        sample_fill(&s);
        trilo_model64_write_opts opts = {.scale = 10};
        memcpy(opts.axes, axes[i], sizeof opts.axes);
        result r = encode(&s.model, &opts);
        const trilo_model *model = again(&r);
        CHECK_INT(model->meshes[0].index_count, 36);
        check_outside_shows(model);
        done(&r, model);
    }
}

/* x, y, z of the file are z, x, y of the model. */
TEST(axes_are_taken_in_order)
{
    sample s;
    sample_fill(&s);
    for (int i = 0; i < 8; i++)
        s.positions[i][0] += 10, s.positions[i][1] += 20, s.positions[i][2] += 30;
    result r = encode(&s.model, &(trilo_model64_write_opts){.scale = 2, .axes = {3, -1, 2}});
    const trilo_model *model = again(&r);
    const trilo_bounds box = trilo_model_bounds(model);
    CHECK(box.min.x == 59 && box.max.x == 61 && box.min.y == -21 && box.max.y == -19 && box.min.z == 39);
    done(&r, model);
}

TEST(a_mirroring_node_reverses_triangles)
{
    sample s;
    sample_fill(&s);
    use_node(&s);
    s.nodes[0].local.m[0] = -3;
    s.nodes[1].local.m[13] = 0.25f;
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    const trilo_bounds box = trilo_model_bounds(model);
    CHECK(box.min.x == -96 && box.max.x == 96 && box.min.y == -16 && box.max.y == 48);
    check_outside_shows(model);
    done(&r, model);
}

/* Only bones move a skinned mesh: what its node does is nothing to its triangles. */
TEST(a_skinned_mesh_follows_its_bones_alone)
{
    sample s;
    sample_fill(&s);
    use_node(&s);
    s.nodes[1].local.m[0] = -3;
    s.model.skins = &s.skin;
    s.model.skin_count = 1;
    s.meshes[0].skin = 0;
    s.meshes[0].joints = (const uint16_t(*)[4])s.joints; /* all node 0 */
    s.meshes[0].weights = (const float(*)[4])s.weights;
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    CHECK(trilo_model_bounds(model).max.x == 32);
    check_outside_shows(model);
    done(&r, model);
}

/* 64 units to a meter, but what was made for the console has its units already: the model says so, not its format. */
TEST(the_usual_scale)
{
    static const struct {
        trilo_format from;
        float units, scale, largest;
    } cases[] = {{TRILO_FORMAT_UNKNOWN, 0, 0, 256}, {TRILO_FORMAT_NLM, 1, 0, 256},       {TRILO_FORMAT_T3DM, 64, 0, 4},
                 {TRILO_FORMAT_MODEL64, 64, 0, 4},  {TRILO_FORMAT_T3DM, 64, 7, 28},      {TRILO_FORMAT_NLM, 1, 1, 4},
                 {TRILO_FORMAT_T3DM, 0, 0, 256},    {TRILO_FORMAT_GLTF, 16, 0, 16},      {TRILO_FORMAT_NLM, -1, 0, 256},
                 {TRILO_FORMAT_NLM, NAN, 0, 256},   {TRILO_FORMAT_NLM, INFINITY, 0, 256}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample s;
        sample_fill(&s);
        sample_scale(&s, 8);
        s.model.format = cases[i].from;
        s.model.units_per_meter = cases[i].units;
        result r = encode(&s.model, &(trilo_model64_write_opts){.scale = cases[i].scale});
        const trilo_model *model = again(&r);
        CHECK(trilo_model_bounds(model).max.x == cases[i].largest);
        done(&r, model);
    }
}

static bool is_normal(const trilo_mesh *mesh, uint32_t i, int x, int y, int z)
{
    const float *n = mesh->normals[i];
    return n[0] * 128 == (float)x && n[1] * 128 == (float)y && n[2] * 128 == (float)z;
}

/* A plane x + y = 0 under a node that doubles y: its normal (1, 1) becomes (2, 1), 0.894 and 0.447 of a length. */
TEST(nodes_rotate_normals)
{
    static const trilo_mat4 quarter = {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    const trilo_model64_write_opts opts = {.colors = TRILO_MODEL64_COLORS_NORMALS};
    sample s;
    sample_fill(&s);
    use_node(&s);
    s.meshes[0].normals = (const float(*)[3])s.normals;
    for (int i = 0; i < 8; i++)
        s.normals[i][0] = 1;
    s.nodes[1].local = quarter;
    result r = encode(&s.model, &opts);
    const trilo_model *model = read_as(&r, TRILO_MODEL64_COLORS_NORMALS, NULL);
    for (uint32_t i = 0; i < model->meshes[0].vertex_count; i++)
        CHECK(is_normal(&model->meshes[0], i, 0, 127, 0));
    done(&r, model);

    for (int i = 0; i < 8; i++)
        s.normals[i][0] = s.normals[i][1] = 0.70710678f;
    s.nodes[1].local = sample_identity;
    s.nodes[1].local.m[5] = 2;
    r = encode(&s.model, &opts);
    model = read_as(&r, TRILO_MODEL64_COLORS_NORMALS, NULL);
    for (uint32_t i = 0; i < model->meshes[0].vertex_count; i++)
        CHECK(is_normal(&model->meshes[0], i, 114, 57, 0));
    done(&r, model);
}

/* Neither length nor value changes where nothing moves them; axes only change places. */
TEST(normals_stay_as_they_are)
{
    sample s;
    sample_fill(&s);
    s.meshes[0].normals = (const float(*)[3])s.normals;
    for (int i = 0; i < 8; i++)
        s.normals[i][0] = 0.25f, s.normals[i][1] = -1, s.normals[i][2] = 0.5f;
    result r = encode(&s.model, &(trilo_model64_write_opts){.colors = TRILO_MODEL64_COLORS_NORMALS});
    const trilo_model *model = read_as(&r, TRILO_MODEL64_COLORS_NORMALS, NULL);
    for (uint32_t i = 0; i < model->meshes[0].vertex_count; i++)
        CHECK(is_normal(&model->meshes[0], i, 32, -128, 64));
    done(&r, model);
    r = encode(&s.model, &(trilo_model64_write_opts){.colors = TRILO_MODEL64_COLORS_NORMALS, .axes = {-3, 2, 1}});
    model = read_as(&r, TRILO_MODEL64_COLORS_NORMALS, NULL);
    for (uint32_t i = 0; i < model->meshes[0].vertex_count; i++)
        CHECK(is_normal(&model->meshes[0], i, -64, -128, 32));
    done(&r, model);
}

/* Each wanted value stands in one corner of one triangle of its own. */
TEST(halves_go_to_the_even_number)
{
    static const float in[8] = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 2.4999998f, 3.5000002f};
    static const float out[8] = {0, 2, 2, 0, -2, -2, 2, 4};
    for (int i = 0; i < 8; i++) {
        sample s;
        sample_fill(&s);
        s.meshes[0].index_count = 3;
        s.positions[0][0] = in[i];
        s.positions[0][2] = 99;
        s.positions[4][1] = 50, s.positions[6][2] = 20;
        result r = encode(&s.model, &(trilo_model64_write_opts){.scale = 1});
        const trilo_model *model = again(&r);
        const trilo_mesh *m = &model->meshes[0];
        bool found = false;
        for (uint32_t k = 0; k < m->vertex_count; k++)
            found = found || (m->positions[k][2] == 99 && m->positions[k][0] == out[i]);
        CHECK(found);
        done(&r, model);
    }
}

/* 1000 * 64 is 64000; 64 * 32767 / 64000 is 32.767, less a thousandth 32.73. */
TEST(positions_out_of_range_are_cut_and_reported)
{
    static const char *const allowed[] = {"M64-ZERO-AREA", NULL};
    sample s;
    sample_fill(&s);
    s.positions[7][0] = 1000;
    s.positions[7][1] = NAN;
    result r = encode(&s.model, NULL);
    const trilo_model *model = read_as(&r, TRILO_MODEL64_COLORS_RGBA, allowed);
    CHECK_STR(r.heard, "M64-CLAMPED ");
    CHECK_STR(r.texts, "1 coordinates do not fit 16 bits, the largest is 64000; a scale of 32.73 would do ");
    CHECK(trilo_model_bounds(model).max.x == 32767);
    done(&r, model);
    s.positions[6][0] = -INFINITY;
    r = encode(&s.model, &(trilo_model64_write_opts){.scale = 10});
    model = read_as(&r, TRILO_MODEL64_COLORS_RGBA, allowed);
    CHECK_STR(r.texts, "1 coordinates do not fit 16 bits, some of them are infinite ");
    CHECK(trilo_model_bounds(model).min.x == -32768 && trilo_model_bounds(model).max.x == 10000);
    done(&r, model);
}

/* A scale below 1 is a proposal, too: 100,000 units, of which 0.32767 fit, less a thousandth. */
TEST(a_scale_below_1_is_proposed)
{
    static const char *const allowed[] = {"M64-ZERO-AREA", NULL};
    sample s;
    sample_fill(&s);
    sample_scale(&s, 100);
    s.positions[7][2] = -100000;
    result r = encode(&s.model, &(trilo_model64_write_opts){.scale = 1});
    const trilo_model *model = read_as(&r, TRILO_MODEL64_COLORS_RGBA, allowed);
    CHECK_STR(r.texts, "1 coordinates do not fit 16 bits, the largest is 100000; a scale of 0.3273 would do ");
    done(&r, model);
}

/* A vertex that no triangle uses says nothing. */
TEST(unused_vertices_are_left_out)
{
    sample s;
    sample_fill(&s);
    s.meshes[0].index_count = 6; /* 0, 4, 6, 2 */
    s.positions[7][0] = 1e9f;
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    CHECK_STR(r.heard, "");
    CHECK_INT(result_word(&r, 0x38), 4 * 16);
    done(&r, model);
}

/* --- attributes --- */

/* 8 corners of the cube with their own colour and place in the texture. */
TEST(colours_and_texture_coordinates_arrive)
{
    sample s;
    sample_fill(&s);
    s.meshes[0].colors = (const float(*)[4])s.colors;
    s.meshes[0].uvs = (const float(*)[2])s.uvs;
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 4; k++)
            s.colors[i][k] = (float)(i * 16 + k) / 255;
        s.uvs[i][0] = (float)(i * 2) / 1024 - 0.5f;
        s.uvs[i][1] = 15.5f - (float)i;
    }
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    CHECK_STR(r.heard, "");
    sample_scale(&s, 64);
    check_same_triangles(model, &s.model, "cube");
    done(&r, model);
}

/* Each face has another colour and another place in the texture: 24 corners on 8 points. */
TEST(corners_of_one_point_keep_their_own_values)
{
    static float positions[36][3], colors[36][4], uvs[36][2];
    static uint32_t indices[36];
    sample s;
    sample_fill(&s);
    for (uint32_t i = 0; i < 36; i++) {
        memcpy(positions[i], s.positions[sample_cube[i]], sizeof positions[i]);
        colors[i][0] = (float)(i / 6) / 5, colors[i][3] = 1;
        uvs[i][0] = (float)(i / 6), uvs[i][1] = (float)sample_cube[i];
        indices[i] = i;
    }
    s.meshes[0].vertex_count = 36;
    s.meshes[0].positions = (const float(*)[3])positions;
    s.meshes[0].colors = (const float(*)[4])colors;
    s.meshes[0].uvs = (const float(*)[2])uvs;
    s.meshes[0].indices = indices;
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    for (uint32_t i = 0; i < 36; i++)
        for (int k = 0; k < 3; k++)
            positions[i][k] *= 64;
    check_same_triangles(model, &s.model, "faces");
    done(&r, model);
}

/* The console halves texture coordinates: 100 and 101 are one, 101 and 102 are not. */
TEST(texture_coordinates_are_compared_without_their_last_bit)
{
    static float positions[16][3], uvs[16][2];
    static uint32_t indices[72];
    sample s;
    sample_fill(&s);
    for (uint32_t i = 0; i < 16; i++)
        memcpy(positions[i], s.positions[i % 8], sizeof positions[i]);
    for (uint32_t i = 0; i < 72; i++) /* the cube once more, turned inside out */
        indices[i] = i < 36 ? sample_cube[i] : 8 + sample_cube[71 - i];
    s.meshes[0].vertex_count = 16;
    s.meshes[0].index_count = 72;
    s.meshes[0].positions = (const float(*)[3])positions;
    s.meshes[0].uvs = (const float(*)[2])uvs;
    s.meshes[0].indices = indices;
    for (int round = 0; round < 16; round++) {
        static const int pairs[8][2] = {{100, 101}, {101, 100}, {102, 103}, {103, 102},
                                        {101, 102}, {102, 101}, {100, 102}, {103, 101}};
        const bool same = round % 8 < 4;
        for (int i = 0; i < 16; i++) {
            uvs[i][round / 8] = (float)pairs[round % 8][i / 8] / 2048;
            uvs[i][1 - round / 8] = 0.25f;
        }
        result r = encode(&s.model, NULL);
        CHECK_INT(result_word(&r, 0x38), (same ? 8 : 16) * 16);
        CHECK((r.file.size == 256 + 6 * 8) == same); /* the cube alone, and 6 double triangles */
        done(&r, again(&r));
    }
}

/* Coordinates are looked up by a hash. Those of this model all begin at the same slot of the table, so that most of
 * them find none and are told apart by their order alone. */
TEST(texture_coordinates_with_crowded_hashes)
{
    enum { COUNT = 72, SLOTS = 256 }; /* of a table for 72 rows, which is at most half full */
    static float positions[COUNT][3], uvs[COUNT][2];
    static uint32_t indices[COUNT];
    uint32_t found = 0;
    for (uint32_t t = 0; found < COUNT; t += 2)
        for (uint32_t u = 0; u < 32 && found < COUNT; u += 2)
            if (model64_mix(model64_mix(0, u), t) % SLOTS == 0) {
                uvs[found][0] = (float)u / 2048;
                uvs[found++][1] = (float)t / 2048;
            }
    for (uint32_t i = 0; i < COUNT; i++) {
        positions[i][0] = (float)(i / 3 * 8 + (i % 3 == 1 ? 4 : 0));
        positions[i][1] = i % 3 == 2 ? 4 : 0;
        indices[i] = i;
    }
    sample s;
    sample_fill(&s);
    s.meshes[0].vertex_count = s.meshes[0].index_count = COUNT;
    s.meshes[0].positions = (const float(*)[3])positions;
    s.meshes[0].uvs = (const float(*)[2])uvs;
    s.meshes[0].indices = indices;
    result r = encode(&s.model, &(trilo_model64_write_opts){.scale = 1});
    const trilo_model *model = again(&r);
    check_same_triangles(model, &s.model, "crowd");
    done(&r, model);
}

/* 255 * 0.5 is 127.5, which goes to 128; colours above 1 and below 0 are cut. */
TEST(the_colour_of_a_material_goes_into_vertices)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 1);
    const float tint[4] = {0.5f, 2, -1, 1};
    memcpy(s.materials[0].base_color, tint, sizeof tint);
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-BAKED-COLOR ");
    CHECK_INT(result_word(&r, 0x8C), 0x80FF00FF);
    done(&r, again(&r));
    r = encode(&s.model, &(trilo_model64_write_opts){.colors = TRILO_MODEL64_COLORS_NONE});
    CHECK_STR(r.heard, "M64-LOST-MATERIAL ");
    CHECK_INT(result_word(&r, 0x8C), 0);
    done(&r, again(&r));
}

TEST(colours_or_normals)
{
    sample s;
    sample_fill(&s);
    s.meshes[0].normals = (const float(*)[3])s.normals;
    for (int i = 0; i < 8; i++)
        s.normals[i][2] = 1, s.colors[i][1] = 1;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-LOST-NORMALS ");
    CHECK_INT(result_word(&r, 0x8C), 0xFFFFFFFF);
    done(&r, again(&r));

    s.model.format = TRILO_FORMAT_MODEL64; /* was read so */
    s.model.units_per_meter = 64;
    sample_scale(&s, 64);
    r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "");
    CHECK_INT(result_word(&r, 0x8C), 0x00007F00);
    done(&r, read_as(&r, TRILO_MODEL64_COLORS_NORMALS, NULL));

    s.meshes[0].colors = (const float(*)[4])s.colors;
    r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-LOST-NORMALS ");
    CHECK_INT(result_word(&r, 0x8C), 0x00FF0000);
    done(&r, again(&r));
    r = encode(&s.model, &(trilo_model64_write_opts){.colors = TRILO_MODEL64_COLORS_NORMALS});
    CHECK_STR(r.heard, "M64-LOST-COLORS ");
    CHECK_INT(result_word(&r, 0x8C), 0x00007F00);
    done(&r, read_as(&r, TRILO_MODEL64_COLORS_NORMALS, NULL));
    r = encode(&s.model, &(trilo_model64_write_opts){.colors = TRILO_MODEL64_COLORS_NONE});
    CHECK_STR(r.heard, "M64-LOST-NORMALS M64-LOST-COLORS ");
    CHECK_INT(result_word(&r, 0x8C), 0);
    done(&r, again(&r));
}

/* With 11 bits 16 is out of range, -16 and 15.9995 are not. */
TEST(texture_coordinates_out_of_range_are_cut_and_reported)
{
    sample s;
    sample_fill(&s);
    s.meshes[0].uvs = (const float(*)[2])s.uvs;
    s.uvs[0][0] = 16, s.uvs[1][0] = -16, s.uvs[2][1] = 32767 / 2048.0f, s.uvs[3][1] = -20;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-CLAMPED-UV ");
    CHECK_STR(r.texts, "2 texture coordinates do not fit; with 11 bits -16 to 15.9995 do ");
    done(&r, again(&r));
    r = encode(&s.model, &(trilo_model64_write_opts){.texcoord_bits = 10});
    CHECK_STR(r.heard, "");
    done(&r, again(&r));
}

/* --- materials --- */

TEST(slots_keep_their_numbers)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 4);
    s.meshes[1].index_count = 0; /* 1 is free, 0, 2 and 3 draw */
    s.meshes[3].index_count = 12;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "");
    CHECK_INT(result_word(&r, 0x28), 0);
    CHECK(result_word(&r, 0x24) != 0 && result_word(&r, 0x2C) != 0 && result_word(&r, 0x30) != 0);
    sample_scale(&s, 64);
    const trilo_model *model = again(&r);
    check_same_triangles(model, &s.model, "slots");
    done(&r, model);
}

TEST(slots_are_moved_together)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 6);
    s.materials[4].name = (trilo_str){"moss", 4};
    s.model.mesh_count = 3;
    s.meshes[0].material = TRILO_NONE; /* comes last */
    s.meshes[1].material = 4;
    s.meshes[2].material = 2;
    s.meshes[0].index_count = 12;
    s.meshes[1].index_count = 6;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-SLOT-MOVED M64-LOST-NAMES ");
    CHECK(strstr(r.texts, "slot 0: 2; slot 1: 4 (moss); slot 2: no material "));
    const trilo_model *model = again(&r);
    uint32_t triangle_count[4] = {0};
    for (uint32_t i = 0; i < model->mesh_count; i++)
        triangle_count[model->meshes[i].material] += model->meshes[i].index_count / 3;
    CHECK(triangle_count[0] == 12 && triangle_count[1] == 2 && triangle_count[2] == 4);
    done(&r, model);
}

/* Slot 0 must draw something. */
TEST(slots_start_with_0)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 3);
    s.meshes[0].index_count = 0;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-SLOT-MOVED ");
    CHECK_STR(r.texts, "materials do not keep their numbers as slots: slot 0: 1; slot 1: 2 ");
    CHECK(result_word(&r, 0x24) != 0 && result_word(&r, 0x28) != 0 && result_word(&r, 0x2C) == 0);
    done(&r, again(&r));
}

/* As many materials as slots: nothing is told. */
TEST(every_slot_is_used)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 4);
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "");
    for (size_t i = 0; i < 4; i++)
        CHECK(result_word(&r, 0x24 + 4 * i) != 0);
    done(&r, again(&r));
}

TEST(several_meshes_share_a_slot)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 2);
    s.meshes[1].material = 0;
    use_node(&s);
    s.nodes[1].local.m[12] = 4;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "");
    const trilo_model *model = again(&r);
    CHECK_INT(model->mesh_count, 1);
    CHECK_INT(model->meshes[0].index_count, 72);
    CHECK(trilo_model_bounds(model).max.x == 4.5f * 64 && trilo_model_bounds(model).min.x == -32);
    done(&r, model);
}

TEST(more_than_4_materials_are_refused)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 5);
    s.materials[3].name = (trilo_str){"glass", 5};
    check_refused(&s.model, NULL, TRILO_CODE_LIMIT, "M64-MATERIALS");
    result r = encode(&s.model, NULL);
    CHECK_STR(r.err.text, "5 materials are used, 4 fit unless some are merged: 0, 1, 2, 3 (glass), 4");
    done(&r, NULL);
}

/* 1 looks like 0 and no material like both; of the others, 5 finds no slot and joins 4. */
TEST(materials_are_merged)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 6);
    for (uint32_t i = 2; i < 6; i++)
        s.materials[i].base_color[0] = (float)i / 8;
    for (uint32_t i = 0; i < 6; i++)
        s.meshes[i].index_count = 3 * (i + 1);
    const trilo_model64_write_opts opts = {.merge_materials = true};
    result r = encode(&s.model, &opts);
    CHECK_STR(r.heard, "M64-MERGED M64-SLOT-MOVED M64-BAKED-COLOR M64-COLLAPSED ");
    CHECK(strstr(r.texts, "share a slot: slot 0: 0, 1; slot 3: 4, 5 "));
    CHECK(strstr(r.texts, " slot 0: 0, 1; slot 1: 2; slot 2: 3; slot 3: 4, 5 "));
    const trilo_model *model = again(&r);
    uint32_t triangle_count[4] = {0};
    for (uint32_t i = 0; i < model->mesh_count; i++)
        triangle_count[model->meshes[i].material] += model->meshes[i].index_count / 3;
    /* the triangle of 0 is also one of 1, in the same colour */
    CHECK(triangle_count[0] == 2 && triangle_count[1] == 3 && triangle_count[2] == 4 && triangle_count[3] == 11);
    done(&r, model);
}

/* Five materials, of which two would be one but for what is changed. */
TEST(only_what_looks_the_same_is_joined)
{
    static const trilo_texture textures[2];
    for (int round = 0; round < 5; round++) {
        sample s;
        sample_fill(&s);
        use_materials(&s, 5);
        s.model.textures = textures;
        s.model.texture_count = 2;
        for (uint32_t i = 0; i < 5; i++)
            s.materials[i].base_color[3] = (float)(i < 4 ? i : 0) / 8; /* 4 looks like 0 */
        if (round == 1)
            s.materials[4].texture = 1;
        if (round == 2)
            s.materials[4].alpha = TRILO_ALPHA_BLEND;
        if (round == 3)
            s.materials[4].two_sided = true;
        if (round == 4)
            s.materials[4].base_color[1] = 0.5f;
        result r = encode(&s.model, &(trilo_model64_write_opts){.merge_materials = true});
        CHECK(r.ok);
        CHECK(strstr(r.texts, round == 0 ? "share a slot: slot 0: 0, 4 " : "share a slot: slot 3: 3, 4 "));
        done(&r, NULL);
    }
}

TEST(very_long_lists_of_names_are_cut)
{
    static const char name[] = "a material with a name of some length";
    sample s;
    sample_fill(&s);
    use_materials(&s, 6);
    for (uint32_t i = 0; i < 6; i++)
        s.materials[i].name = (trilo_str){name, sizeof name - 1};
    result r = encode(&s.model, NULL);
    const size_t length = strlen(r.err.text);
    CHECK(length > 3 && strcmp(r.err.text + length - 3, "...") == 0);
    CHECK(strstr(r.err.text, "2 (a material with a name of some length)"));
    done(&r, NULL);
}

/* Five materials "0 (name), 1 (name)" take 28 bytes beside their names. Up to 149 bytes are shown; of one more, the
 * last material is left out. */
TEST(lists_of_names_that_just_fit)
{
    static const char name[] = "a name of 24 characters.", last[] = "a name of 26 characters...";
    for (size_t more = 0; more < 2; more++) {
        sample s;
        sample_fill(&s);
        use_materials(&s, 5);
        for (uint32_t i = 0; i < 4; i++)
            s.materials[i].name = (trilo_str){name, sizeof name - 1};
        s.materials[4].name = (trilo_str){last + 1 - more, sizeof last - 2 + more};
        result r = encode(&s.model, NULL);
        const char *end = strstr(r.err.text, "3 (a name of 24 characters.)");
        CHECK(end);
        CHECK_STR(end, more ? "3 (a name of 24 characters.), ..."
                            : "3 (a name of 24 characters.), 4 ( name of 26 characters...)");
        done(&r, NULL);
    }
}

/* Each channel of a material's colour, and each of its other settings, is told alone. */
TEST(what_a_material_loses)
{
    static const trilo_n64_material n64 = {.combiner = 1, .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}};
    for (int i = 0; i < 9; i++) {
        sample s;
        sample_fill(&s);
        use_materials(&s, 2);
        trilo_material *m = &s.materials[1];
        if (i < 4)
            m->base_color[i] = 0.5f;
        m->n64 = i == 4 ? &n64 : NULL;
        m->alpha = i == 5 ? TRILO_ALPHA_BLEND : i == 6 ? TRILO_ALPHA_CUTOUT : TRILO_ALPHA_OPAQUE;
        m->two_sided = i == 7;
        result r = encode(&s.model, NULL);
        CHECK(r.ok);
        CHECK_STR(r.heard, i < 4 ? "M64-BAKED-COLOR " : i < 8 ? "M64-LOST-MATERIAL " : "");
        done(&r, NULL);
    }
}

/* Slot 0 has only a triangle without an area: games look at it before they draw slot 1. */
TEST(slot_0_is_never_empty)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 2);
    static const uint32_t flat[3] = {1, 1, 2};
    s.meshes[0].indices = flat;
    s.meshes[0].index_count = 3;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-COLLAPSED ");
    CHECK(result_word(&r, 0x24) != 0 && result_word(&r, 0x28) != 0);
    CHECK_INT(result_word(&r, 32 + result_word(&r, 0x24)), 0xDF000000);
    static const char *const allowed[] = {"M64-SLOT-0", NULL};
    done(&r, read_as(&r, TRILO_MODEL64_COLORS_RGBA, allowed));
}

/* --- what does not fit --- */

TEST(losses_are_reported)
{
    static const trilo_bytes image = {(const uint8_t *)"x", 1};
    sample s;
    sample_fill(&s);
    use_materials(&s, 2);
    s.materials[0].two_sided = true;
    s.meshes[1].topology = TRILO_TOPOLOGY_LINES;
    trilo_texture texture = {.bytes = image};
    trilo_chunk chunk = {'Q', {(const uint8_t *)"mine", 4}};
    s.model.textures = &texture;
    s.model.chunks = &chunk;
    s.model.texture_count = s.model.chunk_count = 1;
    s.meshes[0].name = (trilo_str){"cube", 4};
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-LOST-LINES M64-LOST-MATERIAL M64-LOST-TEXTURES M64-LOST-NAMES M64-LOST-CHUNKS ");
    done(&r, again(&r));
}

/* What decoding makes up is no name. */
TEST(names_of_slots_are_none)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 1);
    s.meshes[0].name = s.materials[0].name = (trilo_str){"slot0", 5};
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "");
    done(&r, NULL);
    s.meshes[0].name = (trilo_str){"slot4", 5};
    r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-LOST-NAMES ");
    done(&r, NULL);
}

TEST(nothing_to_draw_is_refused)
{
    sample s;
    sample_fill(&s);
    s.model.mesh_count = 0;
    check_refused(&s.model, NULL, TRILO_CODE_LIMIT, "M64-EMPTY");
    s.model.mesh_count = 1;
    s.meshes[0].topology = TRILO_TOPOLOGY_LINES;
    check_refused(&s.model, NULL, TRILO_CODE_LIMIT, "M64-EMPTY");
    s.meshes[0].topology = TRILO_TOPOLOGY_TRIANGLES;
    check_refused(&s.model, &(trilo_model64_write_opts){.scale = 0.5f}, TRILO_CODE_LIMIT, "M64-EMPTY");
}

/* 2 and 3 fall together at y = 0.5, z = -0.5, and so do 6 and 7: of 12 triangles 4 vanish. */
TEST(triangles_without_an_area_are_left_out)
{
    sample s;
    sample_fill(&s);
    s.positions[3][0] = s.positions[7][0] = -0.499f;
    s.indices[35] = s.indices[34]; /* was 4, 7, 6 */
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-COLLAPSED ");
    CHECK_STR(r.texts, "4 triangles were removed: 4 have no area in any frame, 0 repeat another one ");
    const trilo_model *model = again(&r);
    CHECK_INT(model->meshes[0].index_count, 3 * 8);
    done(&r, model);
}

/* Turned, a triangle is the same; seen from behind it is not. */
TEST(repeated_triangles_are_left_out)
{
    static const uint32_t indices[12] = {0, 4, 6, 4, 6, 0, 0, 6, 4, 0, 4, 6};
    sample s;
    sample_fill(&s);
    s.meshes[0].indices = indices;
    s.meshes[0].index_count = 12;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.texts, "2 triangles were removed: 0 have no area in any frame, 2 repeat another one ");
    const trilo_model *model = again(&r);
    CHECK_INT(model->meshes[0].index_count, 6);
    done(&r, model);
}

TEST(options_that_make_no_sense)
{
    static const trilo_model64_write_opts bad[] = {
        {.axes = {1, 2, 0}},
        {.axes = {3, 0, 0}},
        {.axes = {0, 3, 0}},
        {.axes = {0, 0, 3}},
        {.axes = {1, 1, 2}},
        {.axes = {1, 2, 4}},
        {.axes = {-4, 2, 1}},
        {.axes = {1, -1, 2}},
        {.axes = {-128, 1, 2}},
        {.texcoord_bits = 32},
        {.scale = -1},
        {.scale = INFINITY},
        {.scale = NAN},
        {.fps = -1},
        {.fps = NAN},
        {.fps = INFINITY},
        {.colors = (trilo_model64_colors)4},
        {.time = (trilo_model64_time)3},
    };
    sample s;
    sample_fill(&s);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_refused(&s.model, &bad[i], TRILO_CODE_MISUSE, "CALL-MISUSE");
}

/* --- real files --- */

static const trilo_model *load_file(const uint8_t *bytes, size_t size, const char *name)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(bytes, size, NULL, &err);
    if (!model)
        FAIL("%s: %s", name, err.text);
    return model;
}

static bool has_normals(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].normals)
            return true;
    return false;
}

static void check_same_times(const trilo_model *got, const trilo_model *want, const char *name)
{
    CHECK_INT(got->clip_count, want->clip_count);
    for (uint32_t i = 0; i < got->clip_count; i++) {
        const trilo_clip *a = &got->clips[i], *b = &want->clips[i];
        if (a->duration != b->duration || a->track_count == 0 || b->track_count == 0)
            FAIL("%s: clip %u has another length or no frames", name, (unsigned)i);
        for (uint32_t k = 0; k < b->tracks[0].frame_count; k++)
            if (a->tracks[0].frames[k].time != b->tracks[0].frames[k].time)
                FAIL("%s: clip %u has another time at frame %u", name, (unsigned)i, (unsigned)k);
    }
}

/* No word that tells of damage; what real files have and encoding cannot know better is fine. */
static const char *const allowed_again[] = {"M64-ZERO-AREA", "M64-ZERO-FRAME", "M64-FRAME-CHANGES", NULL};

static void check_file(const char *path, const char *name)
{
    size_t size;
    uint8_t *bytes = test_read_file(path, &size);
    CHECK(bytes);
    const trilo_model *first = load_file(bytes, size, name);
    result r = encode(first, &(trilo_model64_write_opts){.max_frame_vertices = TRILO_NONE});
    const trilo_model *second =
        read_as(&r, has_normals(first) ? TRILO_MODEL64_COLORS_NORMALS : TRILO_MODEL64_COLORS_RGBA, allowed_again);
    check_same_triangles(second, first, name);
    check_same_times(second, first, name);
    CHECK(result_word(&r, 0x24) != 0); /* slot 0 */
    done(&r, second);
    trilo_model_free(first);
    free(bytes);
}

TEST(real_files_draw_the_same_afterwards)
{
    const char *folder = test_corpus("model64");
    char root[1024], path[2048];
    snprintf(root, sizeof root, "%s", folder);
    DIR *dir = opendir(root);
    CHECK(dir);
    size_t files = 0;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".model") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", root, entry->d_name);
        check_file(path, entry->d_name);
        files++;
    }
    closedir(dir);
    CHECK(files >= 10);
}

/* The exporter stored 44 blocks for 38 that differ. */
TEST(the_fairy_shares_its_frames)
{
    size_t size;
    uint8_t *bytes = test_read_file(test_corpus("model64/fairy2.model"), &size);
    CHECK(bytes);
    const trilo_model *model = load_file(bytes, size, "fairy2");
    result r = encode(model, NULL);
    CHECK(r.ok);
    CHECK_INT(result_word(&r, 0x34), 4);
    CHECK_INT(result_word(&r, 0x1C), 38 * result_word(&r, 0x38));
    done(&r, model);
    free(bytes);
}

TEST_MAIN(CASE(a_cube), CASE(mirrored_axes_reverse_triangles), CASE(axes_are_taken_in_order),
          CASE(a_mirroring_node_reverses_triangles), CASE(a_skinned_mesh_follows_its_bones_alone),
          CASE(the_usual_scale), CASE(nodes_rotate_normals), CASE(normals_stay_as_they_are),
          CASE(halves_go_to_the_even_number), CASE(positions_out_of_range_are_cut_and_reported),
          CASE(a_scale_below_1_is_proposed), CASE(unused_vertices_are_left_out),
          CASE(colours_and_texture_coordinates_arrive), CASE(corners_of_one_point_keep_their_own_values),
          CASE(texture_coordinates_are_compared_without_their_last_bit), CASE(texture_coordinates_with_crowded_hashes),
          CASE(the_colour_of_a_material_goes_into_vertices), CASE(colours_or_normals),
          CASE(texture_coordinates_out_of_range_are_cut_and_reported), CASE(slots_keep_their_numbers),
          CASE(slots_are_moved_together), CASE(slots_start_with_0), CASE(every_slot_is_used),
          CASE(several_meshes_share_a_slot), CASE(more_than_4_materials_are_refused), CASE(materials_are_merged),
          CASE(only_what_looks_the_same_is_joined), CASE(very_long_lists_of_names_are_cut),
          CASE(lists_of_names_that_just_fit), CASE(what_a_material_loses), CASE(slot_0_is_never_empty),
          CASE(losses_are_reported), CASE(names_of_slots_are_none), CASE(nothing_to_draw_is_refused),
          CASE(triangles_without_an_area_are_left_out), CASE(repeated_triangles_are_left_out),
          CASE(options_that_make_no_sense), CASE(real_files_draw_the_same_afterwards),
          CASE(the_fairy_shares_its_frames))
