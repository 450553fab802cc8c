/* What documents say beyond their models. The numbers are those of the files' descriptions (support/...). */
#include "harness.h"
#include "support/gltf_files.h"
#include "support/model64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

static trilo_document *open_bytes(const buffer *file, const trilo_load_opts *opts)
{
    trilo_error err;
    trilo_document *document = trilo_document_open(file->data, file->size, opts, &err);
    if (!document)
        FAIL("%s: %s", err.rule, err.text);
    return document;
}

static void check_str(trilo_str got, const char *want)
{
    CHECK_INT(got.len, strlen(want));
    CHECK(memcmp(got.data, want, got.len) == 0);
}

/* A document of one format is nothing to the summaries of the others. */
static void check_others(const trilo_document *document)
{
    const trilo_format format = trilo_document_format(document);
    trilo_model64_frames frames;
    if (format != TRILO_FORMAT_T3DM) {
        CHECK_INT(trilo_document_t3dm(document).version, 0);
        CHECK_INT(trilo_document_t3dm_object(document, 0).part_count, 0);
        CHECK_INT(trilo_document_t3dm_animation(document, 0).key_count, 0);
    }
    if (format != TRILO_FORMAT_NLM) {
        CHECK_INT(trilo_nlm_mesh_count(document), 0);
        CHECK_INT(trilo_nlm_header_size(document), 0);
    }
    if (format != TRILO_FORMAT_MODEL64) {
        CHECK_INT(trilo_document_model64(document).main_size, 0);
        CHECK(!trilo_document_model64_frames(document, NULL, 0, &frames));
    }
    if (format != TRILO_FORMAT_GLTF) {
        CHECK(!trilo_document_gltf(document).present);
        CHECK_INT(trilo_document_gltf(document).scene, TRILO_NONE);
        CHECK_INT(trilo_document_gltf_extensions(document, false, NULL, 0), 0);
        check_str(trilo_document_gltf_material(document, 0).name, "");
    }
}

static void count_missing_stream(void *user, const trilo_finding *finding)
{
    CHECK_STR(finding->rule, "T3DM-STREAM-MISSING");
    CHECK_STR(finding->path, "clips[0]");
    CHECK_INT(finding->severity, TRILO_SEVERITY_WARNING);
    ++*(int *)user;
}

TEST(t3dm)
{
    static const char *const since[] = {"2024-10-19", "2024-10-26", "2024-11-07", "2025-08-03"};
    static const char *const until[] = {"2024-10-25", "2024-11-06", "2025-08-02", "now"}; /* the day before the next */
    for (uint32_t version = 1; version <= 4; version++) {
        buffer file = {0}, stream = {0};
        t3dm_places places;
        t3dm_kite(&file, version, &places);
        t3dm_kite_stream(&stream);
        const trilo_load_opts opts = {.companion = t3dm_kite_companion, .companion_user = &stream};
        trilo_document *document = open_bytes(&file, &opts);
        const trilo_t3dm_summary t3dm = trilo_document_t3dm(document);
        CHECK_INT(t3dm.version, version);
        CHECK_STR(t3dm.tiny3d_since, since[version - 1]);
        CHECK_STR(t3dm.tiny3d_until ? t3dm.tiny3d_until : "now", until[version - 1]);
        CHECK(t3dm.min[0] == 0 && t3dm.min[1] == 0 && t3dm.min[2] == -7);
        CHECK(t3dm.max[0] == 70 && t3dm.max[1] == 7 && t3dm.max[2] == 0);
        CHECK(t3dm.object_count == 1 && t3dm.material_count == 1 && t3dm.bone_count == 2);
        CHECK(t3dm.part_count == 2 && t3dm.loaded_vertices == 6 + 2);
        CHECK(t3dm.has_bvh && t3dm.bvh_node_count == 1 && t3dm.bvh_leaf_count == 1 && t3dm.bvh_item_count == 1);
        CHECK_INT(t3dm.animation_count, 1);
        CHECK_INT(trilo_document_t3dm_object(document, 0).loaded_vertices, 8);
        CHECK_INT(trilo_document_t3dm_object(document, 1).part_count, 0);
        const trilo_t3dm_animation kick = trilo_document_t3dm_animation(document, 0);
        CHECK(kick.channel_count == 2 && kick.key_count == 4 && kick.stream_found);
        CHECK_INT(kick.size, 20 + 2 * 12);
        CHECK_INT(kick.stream_size, stream.size);
        int missing = 0;
        trilo_document_t3dm_check_stream(document, 0, count_missing_stream, &missing);
        CHECK_INT(missing, 0);
        check_str(kick.stream_path, "rom:/kite.0.sdata");
        check_str(trilo_document_t3dm_animation(document, 1).stream_path, "");
        check_others(document);
        trilo_document_free(document);
        document = open_bytes(&file, NULL);
        CHECK(!trilo_document_t3dm_animation(document, 0).stream_found);
        CHECK_INT(trilo_document_t3dm_animation(document, 0).key_count, 4);
        CHECK_INT(trilo_document_t3dm_animation(document, 0).stream_size, 0);
        trilo_document_t3dm_check_stream(document, 0, count_missing_stream, &missing);
        CHECK_INT(missing, 1);
        trilo_document_t3dm_check_stream(document, 1, count_missing_stream, &missing); /* no such animation */
        CHECK_INT(missing, 1);
        trilo_document_free(document);
        buffer_free(&file);
        buffer_free(&stream);
    }
}

TEST(model64)
{
    buffer file = {0};
    model64_pennant(&file);
    trilo_document *document = open_bytes(&file, NULL);
    const trilo_model64_summary s = trilo_document_model64(document);
    CHECK_INT(s.main_size, PENNANT_BLOCKS - PENNANT_MAIN);
    CHECK_INT(s.frame_size, PENNANT_BLOCK);
    CHECK_INT(s.vertex_count, 6);
    CHECK(s.animation_count == 2 && s.frame_count == 4);
    CHECK(s.lists[0].commands == 6 && s.lists[0].loads == 1 && s.lists[0].modifies == 2 && s.lists[0].triangles == 3);
    CHECK(s.lists[1].commands == 3 && s.lists[1].loads == 1 && s.lists[1].modifies == 0 && s.lists[1].triangles == 1);
    CHECK(s.lists[1].loaded_vertices == 3 && s.lists[1].size == 24 && s.lists[1].draw_size == 24 + 3 * 16);
    CHECK(s.lists[2].size == 0 && s.lists[3].commands == 0);
    CHECK(s.all_lists.commands == 9 && s.all_lists.triangles == 4 && s.all_lists.size == 72);
    CHECK_INT(s.all_lists.draw_size, s.lists[0].draw_size + s.lists[1].draw_size);
    trilo_model64_frames frames[2], all;
    CHECK(trilo_document_model64_frames(document, frames, 2, &all));
    CHECK(frames[0].frame_count == 3 && frames[0].distinct == 2);
    CHECK(frames[1].frame_count == 1 && frames[1].distinct == 1);
    CHECK(all.frame_count == 4 && all.distinct == 3);
    check_others(document);
    trilo_document_free(document);
    /* another place, but the same vertices: block 2 becomes block 1 */
    memcpy(file.data + PENNANT_BLOCKS + 2 * PENNANT_BLOCK, file.data + PENNANT_BLOCKS + PENNANT_BLOCK, PENNANT_BLOCK);
    document = open_bytes(&file, NULL);
    CHECK(trilo_document_model64_frames(document, frames, 1, &all));
    CHECK(frames[0].distinct == 2 && all.distinct == 2);
    CHECK(trilo_document_model64_frames(document, NULL, 0, NULL));
    trilo_document_free(document);
    /* and block 1 becomes the first one */
    memcpy(file.data + PENNANT_BLOCKS + PENNANT_BLOCK, file.data + PENNANT_BLOCKS, PENNANT_BLOCK);
    document = open_bytes(&file, NULL);
    CHECK(trilo_document_model64_frames(document, frames, 1, &all));
    CHECK(frames[0].distinct == 1 && all.distinct == 2);
    trilo_document_free(document);
    buffer_free(&file);
}

TEST(gltf)
{
    static const char text[] =
        "{'asset':{'version':'2.0','generator':'by hand'},'scene':1,'scenes':[{},{'name':'Two','nodes':[0,1]}],"
        "'nodes':[{},{}],'extensionsUsed':['KHR_texture_transform','FAST64_materials_n64'],"
        "'extensionsRequired':['KHR_texture_transform'],"
        "'materials':[{'name':'plain'},{'extensions':{'FAST64_materials_n64':{}}},"
        "{'extras':{'f3d_mat':{}},'extensions':{'FAST64_materials_n64':{}}},"
        "{'extras':{'f3d_mat':{},'trilobite_n64':{}}},{'extras':{'f3d_mat':1}}],"
        "'images':[{'name':'wall','uri':'wall.png'},{'uri':'data:image/png;base64,AA==','mimeType':'image/png'},{}]}";
    buffer file = {0};
    trilo_str names[2];
    gltf_text(&file, text);
    trilo_document *document = open_bytes(&file, NULL);
    const trilo_gltf_summary s = trilo_document_gltf(document);
    CHECK(s.present && !s.binary && s.scene == 1);
    check_str(s.generator, "by hand");
    CHECK(s.scene_count == 2 && s.material_count == 5 && s.image_count == 3);
    CHECK_INT(trilo_document_gltf_extensions(document, false, names, 2), 2);
    check_str(names[1], "FAST64_materials_n64");
    names[1] = (trilo_str){"", 0};
    CHECK_INT(trilo_document_gltf_extensions(document, false, names, 1), 2); /* without room for the second */
    check_str(names[0], "KHR_texture_transform");
    check_str(names[1], "");
    CHECK_INT(trilo_document_gltf_extensions(document, true, NULL, 0), 1);
    CHECK_INT(trilo_document_gltf_extensions(document, true, names, 2), 1);
    check_str(names[0], "KHR_texture_transform");
    check_str(trilo_document_gltf_scene(document, 1).name, "Two");
    CHECK_INT(trilo_document_gltf_scene(document, 1).node_count, 2);
    CHECK_INT(trilo_document_gltf_scene(document, 0).node_count, 0);
    static const trilo_gltf_form forms[] = {TRILO_GLTF_FORM_PLAIN, TRILO_GLTF_FORM_FAST64_EXTENSION,
                                            TRILO_GLTF_FORM_FAST64_EXTRAS, TRILO_GLTF_FORM_TRILOBITE,
                                            TRILO_GLTF_FORM_PLAIN};
    for (uint32_t i = 0; i < 5; i++)
        CHECK_INT(trilo_document_gltf_material(document, i).form, forms[i]);
    check_str(trilo_document_gltf_image(document, 0).uri, "wall.png");
    check_str(trilo_document_gltf_image(document, 1).uri, "");
    check_str(trilo_document_gltf_image(document, 1).mime_type, "image/png");
    check_str(trilo_document_gltf_image(document, 3).name, "");
    check_others(document);
    trilo_document_free(document);
    buffer_free(&file);
}

/* The boxes that accessors store, moved by all nodes above. Two boxes: (1,2,3) to (4,6,8), and a larger one. */
TEST(bounds_of_a_gltf_scene)
{
    static const struct {
        const char *nodes;
        float min[3], max[3]; /* all 0: nothing */
    } cases[] = {
        {"{'mesh':0}", {1, 2, 3}, {4, 6, 8}},
        {"{'mesh':0,'translation':[10,20,30]}", {11, 22, 33}, {14, 26, 38}},
        {"{'mesh':0,'scale':[2,3,-1]}", {2, 6, -8}, {8, 18, -3}},
        {"{'mesh':0,'rotation':[0,0,1,0]}", {-4, -6, 3}, {-1, -2, 8}},
        {"{'mesh':0,'rotation':[1,0,0,0]}", {1, -6, -8}, {4, -2, -3}},
        {"{'mesh':0,'matrix':[0,1,0,0,0,0,1,0,1,0,0,0,5,6,7,1]}", {8, 7, 9}, {13, 10, 13}},
        {"{'children':[1],'translation':[1,0,0]},{'mesh':0,'scale':[2,2,2]}", {3, 4, 6}, {9, 12, 16}},
        {"{'mesh':0,'scale':[2,2,2]},{'children':[0],'translation':[1,0,0]}", {3, 4, 6}, {9, 12, 16}},
        {"{'children':[2]},{'mesh':0,'translation':[-9,0,0]},{'children':[3],'translation':[0,1,0]},{'mesh':0}",
         {-8, 2, 3},
         {4, 7, 8}},
        {"{'mesh':3}", {0, 2, 3}, {4, 9, 8}},
        {"{'mesh':1},{'mesh':2},{}", {0, 0, 0}, {0, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1500];
        buffer file = {0};
        snprintf(text, sizeof text,
                 "{'asset':{'version':'2.0'},'nodes':[%s],'accessors':["
                 "{'componentType':5126,'count':3,'type':'VEC3','min':[1,2,3],'max':[4,6,8]},"
                 "{'componentType':5122,'normalized':true,'count':3,'type':'VEC3','min':[0,0,0],'max':[9,9,9]},"
                 "{'componentType':5126,'count':3,'type':'VEC3'},"
                 "{'componentType':5126,'count':3,'type':'VEC3','min':[0,5,4],'max':[1,9,5]}],'meshes':["
                 "{'primitives':[{'attributes':{'POSITION':0}}]},{'primitives':[{'attributes':{'POSITION':1}}]},"
                 "{'primitives':[{'attributes':{'POSITION':2}}]},"
                 "{'primitives':[{'attributes':{'POSITION':0}},{'attributes':{'POSITION':3}}]}]}",
                 cases[i].nodes);
        gltf_text(&file, text);
        trilo_document *document = open_bytes(&file, NULL);
        const trilo_bounds b = trilo_document_gltf_bounds(document);
        const float got[2][3] = {{b.min.x, b.min.y, b.min.z}, {b.max.x, b.max.y, b.max.z}};
        const bool empty = cases[i].max[2] == 0;
        CHECK((b.min.x > b.max.x) == empty);
        for (int c = 0; !empty && c < 3; c++)
            CHECK(got[0][c] == cases[i].min[c] && got[1][c] == cases[i].max[c]);
        trilo_document_free(document);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(t3dm), CASE(model64), CASE(gltf), CASE(bounds_of_a_gltf_scene))
