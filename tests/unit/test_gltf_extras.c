/* Extras and extensions that are written back as glTF: how deep, how many, and which refer to other objects. */
#include "harness.h"
#include "support/gltf_written.h"

#include <stdio.h>
#include <string.h>

static trilo_str str_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

/* Lists of lists: 56 of them are kept, and the file can be read. */
TEST(depth_of_extras)
{
    for (int depth = 54; depth <= 58; depth++) {
        char text[128];
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_nodes(&l, 1);
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = 0;
        l.nodes[0].extras.json = str_of(text);
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        if (depth <= 56) {
            CHECK_STR(written_raw(&w, "nodes/0/extras"), text);
            CHECK_STR(w.heard, "");
            const trilo_model *model = written_model(&w);
            CHECK_STR(model->nodes[0].extras.json.data, text);
            trilo_model_free(model);
        } else {
            CHECK(!written_at(&w, "nodes/0/extras"));
            CHECK_STR(w.texts, "extras: not JSON, or nested too deeply, not written ");
        }
        written_free(&w);
    }
}

/* An index by number, wherever it is, would have to change with what it refers to. */
TEST(extensions_that_refer_to_others)
{
    static const struct {
        const char *name, *value;
        bool refers;
    } all[] = {{"X_a", "{\"index\":0}", true},
               {"X_a", "{\"index\":7}", true},
               {"X_a", "{\"index\":\"a\"}", false},
               {"X_a", "{\"index\":1.5}", false},
               {"X_a", "{\"index\":-1}", false},
               {"X_a", "{\"indexes\":1,\"Index\":2,\"inde\":3}", false},
               {"X_a", "{\"a\":1,\"b\":{\"c\":[1,{\"d\":2},{\"index\":3}]}}", true},
               {"X_a", "{\"a\":[[[{\"b\":0,\"c\":{\"index\":3}}]]],\"z\":1}", true},
               {"X_a", "{\"a\":[[[{\"b\":0,\"c\":{\"i\":3}}]]],\"z\":[],\"y\":{}}", false},
               {"X_a", "7", false},
               {"EXT_mesh_gpu_instancing", "{}", true},
               {"MSFT_lod", "{}", true},
               {"MSFT_lods", "{}", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[256], said[256];
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_nodes(&l, 1);
        snprintf(text, sizeof text, "{\"%s\":%s}", all[i].name, all[i].value);
        snprintf(said, sizeof said, "%s: refers to items by index, which may have changed, not written ", all[i].name);
        l.nodes[0].extras.extensions = str_of(text);
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        CHECK_STR(w.texts, all[i].refers ? said : "");
        if (all[i].refers)
            CHECK(!written_at(&w, "nodes/0/extensions") && !written_at(&w, "extensionsUsed"));
        else
            CHECK_STR(written_raw(&w, "nodes/0/extensions"), text);
        written_free(&w);
    }
}

/* Extensions on two nodes are declared once. */
TEST(extensions_that_are_used_twice)
{
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_nodes(&l, 2);
    l.nodes[0].extras.extensions = str_of("{\"X_ab\":{\"a\":1},\"X_b\":{}}");
    l.nodes[1].extras.extensions = str_of("{\"X_b\":{\"b\":2},\"X_a\":{},\"X_ab\":{\"c\":3}}");
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "nodes/0/extensions"), "{\"X_ab\":{\"a\":1},\"X_b\":{}}");
    CHECK_STR(written_raw(&w, "nodes/1/extensions"), "{\"X_b\":{\"b\":2},\"X_a\":{},\"X_ab\":{\"c\":3}}");
    CHECK_STR(written_raw(&w, "extensionsUsed"), "[\"X_ab\",\"X_b\",\"X_a\"]");
    written_free(&w);
}

/* 64 are declared; those that are known already are not counted again. */
TEST(as_many_extensions_as_there_may_be)
{
    static char text[4096];
    for (int count = 63; count <= 66; count++) {
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_nodes(&l, 2);
        size_t used = 0;
        for (int i = 0; i < count; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s\"X_%d\":{}", i ? "," : "{", i);
        snprintf(text + used, sizeof text - used, "}");
        l.nodes[0].extras.extensions = str_of(text);
        l.nodes[1].extras.extensions = str_of("{\"X_62\":{}}");
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        CHECK_INT(written_at(&w, "extensionsUsed")->count, count < 64 ? count : 64);
        CHECK_INT(written_at(&w, "nodes/0/extensions")->count, count < 64 ? count : 64);
        CHECK_STR(written_raw(&w, "nodes/1/extensions"), "{\"X_62\":{}}");
        CHECK_STR(w.texts, count == 65 ? "X_64: too many extensions, not written "
                           : count == 66
                               ? "X_64: too many extensions, not written X_65: too many extensions, not written "
                               : "");
        written_free(&w);
    }
}

/* The N64 state is a member of extras: what is no object gives way to it. */
TEST(extras_beside_the_state)
{
    static const struct {
        const char *json, *left, *said;
    } all[] = {{"{\"a\":1,\"trilobite_n64\":5,\"b\":[2]}", ",\"a\":1,\"b\":[2]}", ""},
               {"[1]", "}", "extras: not an object, replaced by the N64 settings "},
               {"", "}", ""}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_material(&l);
        l.n64.tiles[0].texture = l.n64.tiles[1].texture = TRILO_NONE;
        l.material.n64 = &l.n64;
        l.material.extras.json = str_of(all[i].json);
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        CHECK_STR(w.texts, all[i].said);
        char state[2048];
        snprintf(state, sizeof state, "%s", written_raw(&w, "materials/0/extras/trilobite_n64"));
        const char *whole = written_raw(&w, "materials/0/extras");
        CHECK(strncmp(whole + 17, state, strlen(state)) == 0);
        CHECK_STR(whole + 17 + strlen(state), all[i].left);
        written_free(&w);
    }
}

TEST_MAIN(CASE(depth_of_extras), CASE(extensions_that_refer_to_others), CASE(extensions_that_are_used_twice),
          CASE(as_many_extensions_as_there_may_be), CASE(extras_beside_the_state))
