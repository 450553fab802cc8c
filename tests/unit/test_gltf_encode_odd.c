/* glTF files that are written from models with odd numbers: every number of a matrix, units, what is not finite. */
#include "harness.h"
#include "support/gltf_written.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static leaf l;
static written w;

/* Node 2 has a matrix that its parts do not give. */
static void use_matrix(void)
{
    leaf_fill(&l);
    leaf_use_nodes(&l, 3);
    static const float numbers[16] = {2, 3, 4, 0, 5, 6, 7, 0, 8, 9, 10, 0, 64, 128, -192, 1};
    memcpy(l.nodes[2].local.m, numbers, sizeof numbers);
    l.model.units_per_meter = 64;
}

TEST(all_numbers_of_a_matrix)
{
    use_matrix();
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "nodes/2/matrix"), "[2,3,4,0,5,6,7,0,8,9,10,0,1,2,-3,1]");
    CHECK(!written_at(&w, "nodes/2/translation") && !written_at(&w, "nodes/2/scale"));
    written_free(&w);
}

/* With another last row, or with what is no number, the parts are written. */
TEST(matrices_that_cannot_be_written)
{
    for (int i = 0; i < 16; i++)
        for (int kind = 0; kind < 2; kind++) {
            use_matrix();
            l.nodes[2].local.m[i] = kind == 0 ? INFINITY : l.nodes[2].local.m[i] + 0.5f;
            l.nodes[2].scale = (trilo_vec3){1, 2, 1};
            write_gltf(&w, &l.model, NULL, NULL, false);
            CHECK(w.ok);
            const bool matrix = kind == 1 && i % 4 != 3;
            CHECK_INT(written_at(&w, "nodes/2/matrix") != NULL, matrix);
            if (!matrix)
                CHECK_STR(written_raw(&w, "nodes/2"), "{\"scale\":[1,2,1]}");
            written_free(&w);
        }
}

/* Each number of a node that is not finite is that of a node at rest. */
TEST(parts_that_are_not_finite)
{
    static const char *const rest[] = {
        "{\"translation\":[0,2,3],\"scale\":[2,3,4]}", "{\"translation\":[1,0,3],\"scale\":[2,3,4]}",
        "{\"translation\":[1,2,0],\"scale\":[2,3,4]}", "{\"translation\":[1,2,3],\"scale\":[1,3,4]}",
        "{\"translation\":[1,2,3],\"scale\":[2,1,4]}", "{\"translation\":[1,2,3],\"scale\":[2,3,1]}",
        "{\"translation\":[1,2,3],\"scale\":[2,3,4]}"};
    for (int i = 0; i < 7; i++) {
        leaf_fill(&l);
        leaf_use_nodes(&l, 3);
        trilo_node *node = &l.nodes[2];
        node->translation = (trilo_vec3){1, 2, 3};
        node->scale = (trilo_vec3){2, 3, 4};
        float *const numbers[] = {&node->translation.x, &node->translation.y, &node->translation.z, &node->scale.x,
                                  &node->scale.y,       &node->scale.z,       &node->rotation.y};
        *numbers[i] = i % 2 ? NAN : -INFINITY;
        node->local.m[5] = NAN; /* so that no matrix is written */
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        CHECK_STR(written_raw(&w, "nodes/2"), rest[i]);
        CHECK_STR(w.texts, "the node has numbers that are not finite, written as if it rested ");
        written_free(&w);
    }
}

TEST(all_numbers_of_bind_matrices)
{
    for (int bottom = 0; bottom < 5; bottom++) {
        leaf_fill(&l);
        leaf_use_skin(&l);
        l.model.units_per_meter = 4;
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 16; i++)
                l.joint[j].inverse_bind.m[i] = i % 4 == 3 ? i == 15 : (float)(100 * j + i);
        if (bottom < 4)
            l.joint[1].inverse_bind.m[4 * bottom + 3] = 7;
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        CHECK_STR(w.texts,
                  bottom < 4 ? "an inverse bind matrix has a bottom row other than 0, 0, 0, 1, which is lost " : "");
        for (uint32_t i = 0; i < 32; i++) {
            const float from = i % 16 % 4 == 3 ? i % 16 == 15 : (float)(100 * (i / 16) + i % 16);
            CHECK(written_float(&w, "skins/0/inverseBindMatrices", i) ==
                  (i % 16 >= 12 && i % 4 != 3 ? from / 4 : from));
        }
        written_free(&w);
    }
}

/* Without a name, files beside are called after "model". */
TEST(files_of_a_model_without_a_name)
{
    static const uint8_t png[33] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I',
                                    'H',  'D', 'R', 0,   0,    0,    1,    0,    0, 0, 1, 8,  2};
    static const char *const names[] = {NULL, "", "a.glb", "b"}, *const files[] = {"model.0.png", "model.0.png",
                                                                                   "a.0.png", "b.0.png"};
    for (int i = 0; i < 4; i++) {
        leaf_fill(&l);
        leaf_use_material(&l);
        l.texture = (trilo_texture){.bytes = {png, sizeof png}};
        l.model.textures = &l.texture;
        l.model.texture_count = 1;
        write_gltf(&w, &l.model, &(trilo_gltf_write_opts){.external_images = true}, names[i], true);
        CHECK(w.ok);
        CHECK_STR(written_text(&w, "images/0/uri"), files[i]);
        CHECK_STR(w.names[0], files[i]);
        written_free(&w);
    }
}

/* The first of those that have no image is named. */
TEST(textures_without_an_image)
{
    trilo_texture textures[4] = {
        {.path = {"a.jpg", 5}}, {.path = {"rom:/b.sprite", 13}}, {.path = {"c.Jpeg", 6}}, {.path = {"d.gif", 5}}};
    leaf_fill(&l);
    l.model.textures = textures;
    l.model.texture_count = 4;
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK(w.ok);
    CHECK_STR(w.texts, "2 of 4 textures have no PNG or JPEG to write, such as rom:/b.sprite ");
    CHECK_STR(written_text(&w, "images/1/uri"), "c.Jpeg");
    CHECK(!written_at(&w, "images/2"));
    written_free(&w);
    textures[1].path = (trilo_str){NULL, 0};
    write_gltf(&w, &l.model, NULL, NULL, false);
    CHECK_STR(w.texts, "2 of 4 textures have no PNG or JPEG to write, such as one of unknown bytes ");
    written_free(&w);
}

/* Meshes are one mesh of the file only if all of these are equal. */
TEST(meshes_that_differ_stay_apart)
{
    for (int i = 0; i < 7; i++) {
        leaf_fill(&l);
        leaf_use_skin(&l);
        l.model.mesh_count = 2;
        l.meshes[0].name = l.meshes[1].name = (trilo_str){"ab", 2};
        l.meshes[0].node = 0;
        l.meshes[1] = l.meshes[0];
        trilo_mesh *mesh = &l.meshes[1];
        if (i == 1)
            mesh->name = (trilo_str){"ac", 2};
        else if (i == 2)
            mesh->name = (trilo_str){"a", 1};
        else if (i == 3)
            mesh->node = 1;
        else if (i == 4)
            mesh->joints = NULL, mesh->weights = NULL, mesh->skin = TRILO_NONE;
        else if (i == 5)
            mesh->extras.json = (trilo_str){"{}", 2};
        else if (i == 6)
            mesh->extras.extensions = (trilo_str){"{}", 2};
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        CHECK_INT(written_at(&w, "meshes")->count, i == 0 ? 1 : 2);
        written_free(&w);
    }
}

TEST_MAIN(CASE(all_numbers_of_a_matrix), CASE(matrices_that_cannot_be_written), CASE(parts_that_are_not_finite),
          CASE(all_numbers_of_bind_matrices), CASE(files_of_a_model_without_a_name), CASE(textures_without_an_image),
          CASE(meshes_that_differ_stay_apart))
