/* EXT_mesh_gpu_instancing: a node that shows its mesh many times becomes as many nodes, within measure. */
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "support/gltf_written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREE "'componentType':5126,'count':3,'type':"

/* A triangle on a node that stands at (0, 10, 0), shown at three places: moved along x, turned about z by 0, 90 and 180
 * degrees, two, three and four times as large. */
static const char grove[] =
    "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_mesh_gpu_instancing'],'nodes':[{'name':'grove'},"
    "{'mesh':0,'name':'tree','translation':[0,10,0],'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{"
    "'TRANSLATION':1,'ROTATION':2,'SCALE':3}}}}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"
    "'accessors':[{'bufferView':0," THREE "'VEC3','min':[0,0,0],'max':[1,1,0]},{'bufferView':1," THREE "'VEC3'},"
    "{'bufferView':2," THREE "'VEC4'},{'bufferView':3," THREE "'VEC3'}],'bufferViews':[{'buffer':0,'byteLength':36},"
    "{'buffer':0,'byteOffset':36,'byteLength':36},{'buffer':0,'byteOffset':72,'byteLength':48},"
    "{'buffer':0,'byteOffset':120,'byteLength':36}],'buffers':[{'byteLength':156}]}";

static void make(buffer *file, const char *find, const char *put)
{
    static const float numbers[] = {0, 0, 0, 1, 0, 0, 0,           1,           0,          /* the triangle */
                                    0, 0, 0, 5, 0, 0, 7,           0,           1,          /* places */
                                    0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f, 0, 0, 1, 0, /* rotations */
                                    2, 2, 2, 3, 3, 3, 4,           4,           4};         /* scales */
    buffer bin = {0};
    buffer_f32s(&bin, numbers, sizeof numbers / sizeof *numbers);
    char *text = gltf_replaced(grove, find ? find : "{", find ? put : "{");
    gltf_glb(file, text, (trilo_bytes){bin.data, bin.size});
    free(text);
    buffer_free(&bin);
}

static const trilo_model *load(const char *find, const char *put, listener *l)
{
    buffer file = {0};
    trilo_error err = {0};
    make(&file, find, put);
    listen_to(&file, NULL, l);
    const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
    if (!model)
        FAIL("%s", err.text);
    buffer_free(&file);
    return model;
}

/* Where the second corner of the triangle, at (1, 0, 0), ends up: moved, turned, scaled, and the node's own place. */
TEST(each_becomes_a_node)
{
    static const float corners[3][3] = {{2, 10, 0}, {5, 13, 0}, {3, 10, 1}};
    listener l;
    const trilo_model *model = load(NULL, NULL, &l);
    CHECK_INT(l.count, 0);
    CHECK_INT(model->node_count, 5);
    CHECK_INT(model->mesh_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        CHECK_INT(mesh->node, 2 + i);
        CHECK_INT(model->nodes[2 + i].parent, 1);
        CHECK_STR(model->nodes[2 + i].name.data, "tree");
        CHECK_STR(mesh->name.data, "tree");
        CHECK(mesh->positions == model->meshes[0].positions); /* the arrays are shared */
        const float *m = model->nodes[2 + i].local.m;
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(m[k] * mesh->positions[1][0] + m[12 + k] + (k == 1 ? 10 : 0), corners[i][k], 1e-5);
    }
    CHECK(trilo_model_check(model, NULL));
    trilo_model_free(model);
}

/* Written again they are plain nodes, and nobody misses anything. */
TEST(they_are_written_as_nodes)
{
    listener l;
    written w;
    const trilo_model *model = load(NULL, NULL, &l);
    write_gltf(&w, model, NULL, "grove.glb", false);
    CHECK(w.ok);
    CHECK_STR(w.heard, "");
    CHECK(!strstr(w.text, "EXT_mesh_gpu_instancing"));
    const trilo_model *again = written_model(&w);
    CHECK_INT(again->mesh_count, 3);
    trilo_model_free(again);
    written_free(&w);
    trilo_model_free(model);
}

TEST(attributes_may_be_missing)
{
    listener l;
    const trilo_model *model = load("'TRANSLATION':1,'ROTATION':2,", "", &l);
    CHECK_INT(l.count, 0);
    CHECK_INT(model->mesh_count, 3);
    CHECK(model->nodes[4].scale.x == 4 && model->nodes[4].translation.x == 0 && model->nodes[4].rotation.w == 1);
    trilo_model_free(model);
}

TEST(the_file_may_require_it)
{
    listener l;
    const trilo_model *model = load("'extensionsUsed':['EXT_mesh_gpu_instancing']",
                                    "'extensionsUsed':['EXT_mesh_gpu_instancing'],"
                                    "'extensionsRequired':['EXT_mesh_gpu_instancing']",
                                    &l);
    CHECK_INT(l.count, 0);
    CHECK_INT(model->mesh_count, 3);
    trilo_model_free(model);
}

/* What cannot be shown many times is shown once, with the reason. */
TEST(the_rest_is_reported)
{
    static const struct {
        const char *find, *put, *why;
    } rows[] = {
        {"'TRANSLATION':1,'ROTATION':2,'SCALE':3", "", "does not say where"},
        {"'SCALE':3", "'SCALE':2", "must be VEC3"},
        {"'TRANSLATION':1", "'TRANSLATION':2", "must be VEC3"},
        {"{'bufferView':3,'componentType':5126,'count':3", "{'bufferView':3,'componentType':5126,'count':2",
         "not equally many"},
        {"'bufferView':1,'componentType':5126,'count':3", "'componentType':5126,'count':5000", "of this size"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        listener l;
        const trilo_model *model = load(rows[i].find, rows[i].put, &l);
        expect(&l, "GLTF-LOST-INSTANCES", "", rows[i].put);
        if (!strstr(l.texts[heard(&l, "GLTF-LOST-INSTANCES")], rows[i].why))
            FAIL("%s: %s", rows[i].put, l.texts[heard(&l, "GLTF-LOST-INSTANCES")]);
        CHECK_INT(model->mesh_count, 1);
        CHECK_INT(model->node_count, 2);
        trilo_model_free(model);
    }
}

#define ROTATIONS "{'bufferView':2,'componentType':5126,'count':3,'type':'VEC4'}"
static const char wrong_type[] =
    "nodes that show their mesh many times, and now once: 1; their translations must be VEC3 "
    "of floats, rotations VEC4 of floats or normalized 8 or 16 bits";

/* Signed and normalized, of 8 or 16 bits; the bytes are those of the floats. */
TEST(rotations_of_integers)
{
    for (int component = 5120; component <= 5126; component++)
        for (int normalized = 0; normalized < 2; normalized++) {
            char put[200];
            listener l;
            const bool good = component == 5126 || (normalized && (component == 5120 || component == 5122));
            if (component == 5124)
                continue;
            snprintf(put, sizeof put, "{'bufferView':2,'componentType':%d,'normalized':%s,'count':3,'type':'VEC4'}",
                     component, normalized ? "true" : "false");
            const trilo_model *model = load(ROTATIONS, put, &l);
            CHECK_INT(heard(&l, "GLTF-LOST-INSTANCES") == l.count, good);
            CHECK_INT(model->mesh_count, good ? 3 : 1);
            if (!good)
                CHECK_STR(l.texts[heard(&l, "GLTF-LOST-INSTANCES")], wrong_type);
            trilo_model_free(model);
            snprintf(put, sizeof put, "{'bufferView':1,'componentType':%d,'normalized':%s,'count':3,'type':'VEC3'}",
                     component, normalized ? "true" : "false");
            model = load("{'bufferView':1," THREE "'VEC3'}", put, &l);
            CHECK_INT(model->mesh_count, component == 5126 ? 3 : 1);
            trilo_model_free(model);
        }
}

/* 0, 0, 127, 0 is half a turn about z. */
TEST(rotations_of_bytes)
{
    listener l;
    buffer file = {0}, bin = {0};
    static const int8_t turns[12] = {0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, 0};
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, others[18] = {0};
    buffer_f32s(&bin, corners, 9);
    buffer_f32s(&bin, others, 9);
    buffer_sink(&bin, turns, sizeof turns);
    buffer_f32s(&bin, others, 18);
    char *text = gltf_replaced(grove, ROTATIONS,
                               "{'bufferView':2,'componentType':5120,'normalized':true,'count':3,"
                               "'type':'VEC4'}");
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    listen_to(&file, NULL, &l);
    const trilo_model *model = trilo_model_load(file.data, file.size, NULL, NULL);
    CHECK(model && model->mesh_count == 3);
    for (int i = 0; i < 3; i++) {
        const trilo_quat q = model->nodes[2 + i].rotation;
        CHECK(q.x == (i == 2) && q.y == (i == 1) && q.z == (i == 0) && q.w == 0);
    }
    trilo_model_free(model);
    free(text);
    buffer_free(&file);
    buffer_free(&bin);
}

/* Each instance counts as a node and its primitives: 4096 are free, and one for every 4 bytes of text. */
TEST(instances_that_a_file_can_have)
{
    for (int pad = 0; pad < 9; pad++)
        for (int more = 0; more < 2; more++) {
            char text[1024];
            buffer file = {0};
            listener l;
            uint32_t count = 1000;
            for (int round = 0; round < 2; round++) {
                snprintf(text, sizeof text,
                         "{'asset':{'version':'2.0'},'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':"
                         "{'attributes':{'SCALE':1}}}}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}},"
                         "{'attributes':{'POSITION':0}}]}],'accessors':[{" THREE "'VEC3','min':[0,0,0],'max':[0,0,0]},"
                         "{'componentType':5126,'count':%u,'type':'VEC3'}]%*s}",
                         count, pad, "");
                count = (4096 + (uint32_t)strlen(text) / 4) / 3 + (uint32_t)more;
            }
            gltf_text(&file, text);
            listen_to(&file, NULL, &l);
            CHECK_INT(heard(&l, "GLTF-LOST-INSTANCES") < l.count, more);
            if (more)
                CHECK(strstr(l.texts[heard(&l, "GLTF-LOST-INSTANCES")],
                             "once: 1; they are more than a file of this size"));
            buffer_free(&file);
        }
}

/* Many nodes with the same large accessor: a text of some kilobytes must not become millions of meshes. */
TEST(many_nodes_cannot_multiply_them)
{
    enum { NODES = 400, COUNT = 2000, ROOM = 1 << 17 };
    static const char node[] = "{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':1}}}}";
    char *text = malloc(ROOM);
    buffer file = {0};
    listener l;
    CHECK(text);
    size_t used = (size_t)snprintf(text, ROOM, "{'asset':{'version':'2.0'},'nodes':[");
    for (int i = 0; i < NODES; i++)
        used += (size_t)snprintf(text + used, ROOM - used, "%s%s", i ? "," : "", node);
    snprintf(text + used, ROOM - used,
             "],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'accessors':[{" THREE
             "'VEC3','min':[0,0,0],'max':[0,0,0]},{'componentType':5126,'count':%d,'type':'VEC3'}]}",
             COUNT);
    gltf_text(&file, text);
    const trilo_load_opts opts = {.limits.elements = UINT64_MAX};
    listen_to(&file, &opts, &l);
    expect(&l, "GLTF-LOST-INSTANCES", "", "many nodes");
    const trilo_model *model = trilo_model_load(file.data, file.size, &opts, NULL);
    CHECK(model);
    CHECK_INT(model->mesh_count, NODES);
    trilo_model_free(model);
    buffer_free(&file);
    free(text);
}

TEST_MAIN(CASE(each_becomes_a_node), CASE(they_are_written_as_nodes), CASE(attributes_may_be_missing),
          CASE(the_file_may_require_it), CASE(the_rest_is_reported), CASE(rotations_of_integers),
          CASE(rotations_of_bytes), CASE(instances_that_a_file_can_have), CASE(many_nodes_cannot_multiply_them))
