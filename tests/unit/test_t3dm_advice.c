/* What an artist is told about a model that becomes T3DM, beside what is lost. */
#include "harness.h"
#include "support/documents.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

/* Writes a file of glTF as T3DM and listens. */
static void write_t3dm(const buffer *file, listener *l)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(file->data, file->size, NULL, &err);
    CHECK_STR(err.text, "");
    CHECK(model);
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM, .companion = discard_companion, .on_finding = listen, .on_finding_user = l};
    *l = (listener){0};
    const bool ok = trilo_model_write(model, &opts, discard, NULL, &err);
    trilo_model_free(model);
    if (!ok)
        FAIL("%s", err.text);
}

static void band_without(const char *find, const char *put, listener *l)
{
    buffer file = {0};
    gltf_band(&file, find, put);
    write_t3dm(&file, l);
    buffer_free(&file);
}

TEST(things_with_names_are_fine)
{
    listener l;
    band_without(NULL, NULL, &l);
    CHECK_INT(heard(&l, "T3DM-UNNAMED-MATERIAL"), l.count);
    CHECK_INT(heard(&l, "T3DM-UNNAMED-CLIP"), l.count);
    CHECK_INT(heard(&l, "T3DM-UNNAMED-BONE"), l.count);
    CHECK_INT(heard(&l, "T3DM-NONUNIFORM-SCALE"), l.count);
}

TEST(things_without_a_name_are_reported)
{
    listener l;
    band_without("'name':'paint',", "", &l);
    expect(&l, "T3DM-UNNAMED-MATERIAL", "materials[0]", "the material");
    CHECK(strstr(l.texts[heard(&l, "T3DM-UNNAMED-MATERIAL")], "no name: 1."));
    band_without("'name':'wave',", "", &l);
    expect(&l, "T3DM-UNNAMED-CLIP", "clips[0]", "the clip");
    CHECK(strstr(l.texts[heard(&l, "T3DM-UNNAMED-CLIP")], "\"clip0\""));
    band_without(",'name':'high'", "", &l);
    expect(&l, "T3DM-UNNAMED-BONE", "nodes[2]", "the bone");
    CHECK(strstr(l.texts[heard(&l, "T3DM-UNNAMED-BONE")], "\"bone1\""));
}

/* --- stretched normals --- */

/* A triangle with the same normal at each corner, on a node with a scale. */
static void slope(const float normal[3], const char *node, listener *l)
{
    static const float positions[] = {0, 0, 0, 1, -1, 0, 0, 0, 1};
    buffer bin = {0}, file = {0};
    char text[1024];
    buffer_f32s(&bin, positions, 9);
    for (int i = 0; i < 3; i++)
        buffer_f32s(&bin, normal, 3);
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'nodes':[{'mesh':0,'name':'roof',%s}],'meshes':[{'primitives':[{'material':0,"
             "'attributes':{'POSITION':0,'NORMAL':1}}]}],'materials':[{'name':'tiles'}],"
             "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','min':[0,-1,0],'max':[1,0,1]},"
             "{'bufferView':1,'componentType':5126,'count':3,'type':'VEC3'}],'bufferViews':[{'buffer':0,"
             "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':36}],'buffers':[{'byteLength':72}]}",
             node);
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    write_t3dm(&file, l);
    buffer_free(&bin);
    buffer_free(&file);
}

/* A roof of 45 degrees, twice as wide: the slope is 1 : 2, so its normal goes from (1, 1) to (1, 2), which stands at
 * 63.4 degrees. Moved like a point it would be (2, 1), at 26.6 degrees: 36.9 between them. */
TEST(stretched_normals_are_reported_with_their_angle)
{
    static const float roof[3] = {0.70710678f, 0.70710678f, 0};
    listener l;
    slope(roof, "'scale':[2,1,1]", &l);
    expect(&l, "T3DM-NONUNIFORM-SCALE", "meshes[0]", "a roof");
    const char *text = l.texts[heard(&l, "T3DM-NONUNIFORM-SCALE")];
    CHECK(strstr(text, "\"roof\""));
    CHECK(strstr(text, "37 degrees"));
}

TEST(what_rotates_no_normal_is_not_reported)
{
    static const float roof[3] = {0.70710678f, 0.70710678f, 0}, up[3] = {0, 1, 0};
    listener l;
    slope(roof, "'scale':[3,3,3],'rotation':[0,0.6,0,0.8]", &l);
    CHECK_INT(heard(&l, "T3DM-NONUNIFORM-SCALE"), l.count);
    slope(roof, "'scale':[-2,2,2]", &l); /* mirrored, not stretched */
    CHECK_INT(heard(&l, "T3DM-NONUNIFORM-SCALE"), l.count);
    slope(up, "'scale':[2,1,1]", &l); /* along an axis it stays */
    CHECK_INT(heard(&l, "T3DM-NONUNIFORM-SCALE"), l.count);
}

TEST_MAIN(CASE(things_with_names_are_fine), CASE(things_without_a_name_are_reported),
          CASE(stretched_normals_are_reported_with_their_angle), CASE(what_rotates_no_normal_is_not_reported))
