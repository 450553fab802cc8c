/* Limits of the T3DM encoder, both sides of each: what fits 16 bits, what has no area, how many bones there are, what
 * lists of names have room for, and materials of other engines. */
#include "harness.h"
#include "support/t3dm_encoder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

/* ---- whole models ---- */

enum { MESHES = 3 };

/* Meshes of a triangle each, without materials, in the order of the model. */
typedef struct scene {
    encoder_bench b;
    float positions[MESHES][4][3], uvs[4][2];
    uint32_t indices[12];
    trilo_mesh meshes[MESHES];
    const t3dm_file *file; /* NULL: refused */
} scene;

static void scene_make(scene *s, uint32_t meshes)
{
    static const char *const names[MESHES] = {"red", "green", "blue"};
    static const uint32_t indices[12] = {0, 1, 2};
    memset(s, 0, sizeof *s);
    encoder_bench_init(&s->b);
    memcpy(s->indices, indices, sizeof indices);
    s->b.t3dm.scale = 1;
    s->b.t3dm.order = TRILO_T3DM_ORDER_FILE;
    s->b.model = (trilo_model){.mesh_count = meshes, .meshes = s->meshes};
    for (int i = 0; i < MESHES; i++) {
        s->meshes[i] = (trilo_mesh){.name = text_of(names[i]),
                                    .material = TRILO_NONE,
                                    .node = TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .vertex_count = 4,
                                    .index_count = 3,
                                    .positions = (const float(*)[3])s->positions[i],
                                    .indices = s->indices};
        s->positions[i][1][0] = 20, s->positions[i][2][1] = 30;
    }
}

static void scene_encode(scene *s)
{
    s->file = tl_t3dm_encode(&s->b.model, &s->b.opts, &s->b.arena, &s->b.losses, &s->b.err);
}

static size_t heard_rule(const scene *s, const char *rule)
{
    size_t count = 0;
    for (size_t i = 0; i < s->b.heard.count; i++)
        count += strcmp(s->b.heard.rules[i], rule) == 0;
    return count;
}

/* A model of 16 units is large enough, one of no size is not smaller. */
TEST(models_smaller_than_16_units)
{
    static const struct {
        float largest, scale;
        bool small;
    } rows[] = {{0, 1, false},    {0.25f, 1, true},  {15.5f, 1, true},  {15.99f, 1, true},
                {16, 1, false},   {-15.5f, 1, true}, {-16, 1, false},   {8, 2, false},
                {7.99f, 2, true}, {32, 0.25f, true}, {64, 0.25f, false}};
    static scene s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 3; k++) {
            scene_make(&s, 1);
            memset(s.positions[0], 0, sizeof s.positions[0]);
            s.positions[0][2][k] = rows[i].largest;
            s.b.t3dm.scale = rows[i].scale;
            scene_encode(&s);
            CHECK(s.file != NULL);
            const size_t at = heard(&s.b.heard, "T3DM-LOST-POSITIONS");
            CHECK_INT(at < s.b.heard.count, rows[i].small);
            if (rows[i].small)
                CHECK_STR(s.b.heard.texts[at], "the model is smaller than 16 units at this scale, positions coincide");
            encoder_bench_free(&s.b);
        }
}

/* The scale that fits is 32767 divided by the largest coordinate, cut to a thousandth, or to four digits below 1. */
TEST(coordinates_above_32767_are_refused)
{
    static const struct {
        float at[MESHES]; /* largest coordinates */
        float scale;
        const char *path, *text; /* NULL: they fit */
    } rows[] = {
        {{32767, 30, 30}, 1, NULL, NULL},
        {{32768, 30, 30},
         1,
         "meshes[0]",
         "\"red\": a coordinate of 32768 at scale 1 is above 32767; the largest scale that fits is 0.9999"},
        {{30, 32767, 30},
         2,
         "meshes[1]",
         "\"green\": a coordinate of 32767 at scale 2 is above 32767; the largest scale that fits is 1"},
        {{30, 20000, 30},
         2,
         "meshes[1]",
         "\"green\": a coordinate of 20000 at scale 2 is above 32767; the largest scale that fits is 1.638"},
        {{30, 40000, 50000},
         1,
         "meshes[2]",
         "\"blue\": a coordinate of 50000 at scale 1 is above 32767; the largest scale that fits is 0.6553"},
        {{40000, 40000, 30},
         1,
         "meshes[0]",
         "\"red\": a coordinate of 40000 at scale 1 is above 32767; the largest scale that fits is 0.8191"},
        {{30, 400000, 30},
         1,
         "meshes[1]",
         "\"green\": a coordinate of 400000 at scale 1 is above 32767; the largest scale that fits is 0.08191"},
        {{30, 30, 9e30f},
         1,
         "meshes[2]",
         "\"blue\": a coordinate of 9e+30 at scale 1 is above 32767; the largest scale that fits is 3.64e-27"},
        {{100, 30, 30},
         400,
         "meshes[0]",
         "\"red\": a coordinate of 100 at scale 400 is above 32767; the largest scale that fits is 327.67"},
    };
    static scene s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene_make(&s, MESHES);
        for (int m = 0; m < MESHES; m++)
            s.positions[m][2][1] = rows[i].at[m];
        s.b.t3dm.scale = rows[i].scale;
        scene_encode(&s);
        CHECK((s.file == NULL) == (rows[i].text != NULL));
        if (rows[i].text) {
            CHECK_STR(s.b.err.rule, "T3DM-RANGE-POSITION");
            CHECK_STR(s.b.err.path, rows[i].path);
            CHECK_STR(s.b.err.text, rows[i].text);
            CHECK_INT(s.b.err.code, TRILO_CODE_LIMIT);
        }
        encoder_bench_free(&s.b);
    }
}

/* Boxes around the vertices of each object, and around all. */
TEST(boxes_are_those_of_the_vertices)
{
    static const int16_t corners[MESHES][3][3] = {{{-5, 7, 100}, {20, -3, 50}, {1, 60, 110}},
                                                  {{-50, 8, 9}, {-40, 30, -10}, {-45, 31, 0}},
                                                  {{3, 2, 1}, {33, 2, -1}, {3, 2222, 7}}};
    static scene s;
    scene_make(&s, MESHES);
    for (int m = 0; m < MESHES; m++)
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++)
                s.positions[m][v][k] = corners[m][v][k];
    scene_encode(&s);
    CHECK(s.file && s.file->object_count == MESHES);
    for (int k = 0; k < 3; k++) {
        int16_t min[MESHES + 1], max[MESHES + 1];
        min[MESHES] = INT16_MAX, max[MESHES] = INT16_MIN;
        for (int m = 0; m < MESHES; m++) {
            min[m] = max[m] = corners[m][0][k];
            for (int v = 1; v < 3; v++) {
                min[m] = corners[m][v][k] < min[m] ? corners[m][v][k] : min[m];
                max[m] = corners[m][v][k] > max[m] ? corners[m][v][k] : max[m];
            }
            min[MESHES] = min[m] < min[MESHES] ? min[m] : min[MESHES];
            max[MESHES] = max[m] > max[MESHES] ? max[m] : max[MESHES];
            CHECK_INT(s.file->objects[m].head.min[k], min[m]);
            CHECK_INT(s.file->objects[m].head.max[k], max[m]);
        }
        CHECK_INT(s.file->header.min[k], min[MESHES]);
        CHECK_INT(s.file->header.max[k], max[MESHES]);
    }
    encoder_bench_free(&s.b);
}

/* Vertex 3 is at the place of vertex 0 with other texture coordinates: triangles with both have no area, unless nothing
 * else is left, or all triangles are kept. */
TEST(triangles_without_area_are_dropped)
{
    static const struct {
        uint32_t indices[12], triangles, flat;
    } rows[] = {{{0, 1, 2}, 1, 0},          {{0, 1, 2, 0, 3, 1, 1, 0, 3, 3, 1, 0}, 4, 3},
                {{0, 3, 1, 2, 1, 0}, 2, 1}, {{1, 3, 0, 2, 1, 3}, 2, 1},
                {{0, 1, 3, 2, 1, 3}, 2, 1}, {{0, 1, 2, 3, 2, 1}, 2, 0},
                {{0, 1, 3}, 1, 1},          {{0, 3, 1, 2, 2, 1}, 2, 2}};
    static scene s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int keep = 0; keep < 2; keep++) {
            char text[112];
            scene_make(&s, 1);
            memcpy(s.indices, rows[i].indices, sizeof s.indices);
            s.meshes[0].index_count = 3 * rows[i].triangles;
            s.uvs[3][0] = 0.5f;
            s.meshes[0].uvs = (const float(*)[2])s.uvs;
            s.b.opts.profile = keep ? TRILO_WRITE_PROFILE_LOSSLESS : TRILO_WRITE_PROFILE_AUTO;
            scene_encode(&s);
            const bool drops = !keep && rows[i].flat > 0 && rows[i].flat < rows[i].triangles;
            CHECK(s.file != NULL);
            CHECK_INT(s.file->objects[0].head.triangle_count, rows[i].triangles - (drops ? rows[i].flat : 0));
            CHECK_INT(heard_rule(&s, "T3DM-DROPPED"), drops);
            snprintf(text, sizeof text, "\"red\": %u of %u triangles have no area on the console and were removed",
                     (unsigned)rows[i].flat, (unsigned)rows[i].triangles);
            if (drops)
                CHECK_STR(s.b.heard.texts[heard(&s.b.heard, "T3DM-DROPPED")], text);
            encoder_bench_free(&s.b);
        }
}

TEST(versions_0_to_4)
{
    static scene s;
    for (uint32_t version = 0; version < 6; version++) {
        scene_make(&s, 1);
        s.b.t3dm.version = version;
        scene_encode(&s);
        CHECK((s.file != NULL) == (version <= 4));
        if (s.file) {
            CHECK_INT(s.file->version, version ? version : 4);
            CHECK_INT(s.file->header.version, version ? version : 4);
            CHECK(memcmp(s.file->header.magic, "T3M", 3) == 0);
        } else {
            CHECK_STR(s.b.err.rule, "T3DM-VERSION");
            CHECK_STR(s.b.err.text, "version 5, 1 to 4 can be written");
        }
        encoder_bench_free(&s.b);
    }
}

/* Those of the model, then those of the options; letters of the format itself are not written. */
TEST(custom_chunks_follow_the_others)
{
    static const uint8_t bytes[4] = {1, 2, 3, 4};
    const trilo_chunk of_model[3] = {{'X', {bytes, 1}}, {'O', {bytes, 2}}, {'Y', {bytes + 1, 3}}},
                      of_options[3] = {{'\0', {bytes, 1}}, {'Z', {bytes + 2, 2}}, {'V', {bytes, 4}}};
    static scene s;
    scene_make(&s, 1);
    s.b.model.chunk_count = 3, s.b.model.chunks = of_model;
    s.b.t3dm.chunk_count = 3, s.b.t3dm.chunks = of_options;
    scene_encode(&s);
    CHECK(s.file && s.file->header.chunk_count >= 3);
    const t3dm_chunk *last = &s.file->chunks[s.file->header.chunk_count - 3];
    CHECK(last[0].type == 'X' && last[0].size == 1 && last[0].bytes == bytes);
    CHECK(last[1].type == 'Y' && last[1].size == 3 && last[1].bytes == bytes + 1);
    CHECK(last[2].type == 'Z' && last[2].size == 2 && last[2].bytes == bytes + 2);
    for (int i = 0; i < 3; i++)
        CHECK_INT(last[i].item, TRILO_NONE);
    CHECK_INT(heard_rule(&s, "T3DM-LOST-CHUNK"), 3);
    CHECK_STR(s.b.heard.texts[heard(&s.b.heard, "T3DM-LOST-CHUNK")],
              "a custom chunk has a letter that T3DM uses and is not written");
    encoder_bench_free(&s.b);
}

/* A BVH is built when it is asked for, or when the model has one. */
TEST(a_bvh_where_one_is_wanted)
{
    static const trilo_bvh bvh;
    static scene s;
    for (int i = 0; i < 4; i++) {
        scene_make(&s, MESHES);
        s.b.t3dm.bvh = i & 1;
        s.b.model.bvh = i & 2 ? &bvh : NULL;
        scene_encode(&s);
        CHECK(s.file && s.file->has_bvh == (i > 0));
        encoder_bench_free(&s.b);
    }
}

/* ---- mirrored nodes ---- */

/* The area of the first triangle of an object along z, twice: above 0 where it faces up. */
static int facing(const t3dm_file *file)
{
    const t3dm_part *part = &file->objects[0].parts[0];
    int p[3][2];
    CHECK_INT(part->index_count + part->sequence_count, part->index_count > 0 ? 3 : 1);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t slot = part->index_count > 0 ? file->indices.data[part->index_at + i] : part->sequence_base + i;
        const uint8_t *at = file->vertices.data + 32 * (size_t)(slot / 2) + 8 * (size_t)(slot % 2);
        p[i][0] = (int16_t)(at[0] << 8 | at[1]), p[i][1] = (int16_t)(at[2] << 8 | at[3]);
    }
    return (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
}

/* A node that mirrors along x, below one that may do so, too. The triangle faces up; its corners are reversed so that
 * it still does, unless the winding is to be kept. */
TEST(triangles_of_mirrored_nodes_are_reversed)
{
    static scene s;
    for (int way = 0; way < 16; way++) {
        const bool upper = way & 1, lower = way & 2, keep = way & 4, attached = way & 8;
        trilo_node nodes[2] = {{.parent = TRILO_NONE, .name = text_of("up")}, {.parent = 0, .name = text_of("down")}};
        scene_make(&s, 1);
        for (int n = 0; n < 2; n++) {
            nodes[n].rotation.w = nodes[n].scale.x = nodes[n].scale.y = nodes[n].scale.z = 1;
            for (int k = 0; k < 4; k++)
                nodes[n].local.m[5 * k] = k == 0 && (n == 0 ? upper : lower) ? -1 : 1;
        }
        s.b.model.node_count = 2;
        s.b.model.nodes = nodes;
        s.meshes[0].node = attached ? 1 : TRILO_NONE;
        s.b.opts.profile = TRILO_WRITE_PROFILE_TINY3D;
        s.b.t3dm.keep_mirrored_winding = keep;
        scene_encode(&s);
        CHECK(s.file != NULL);
        const bool mirrored = attached && upper != lower;
        CHECK_INT(facing(s.file), mirrored && keep ? -600 : 600);
        CHECK_INT(heard_rule(&s, "T3DM-MIRRORED"), mirrored && !keep);
        if (mirrored && !keep)
            CHECK_STR(s.b.heard.texts[heard(&s.b.heard, "T3DM-MIRRORED")],
                      "\"red\": the node mirrors the mesh; its triangles are reversed so that they face as in the "
                      "source");
        encoder_bench_free(&s.b);
    }
}

/* ---- texture coordinates ---- */

/* A triangle with one that is not finite is torn, wherever it is; the others are in range. */
TEST(coordinates_that_are_not_finite_are_torn)
{
    static const uint32_t indices[3] = {0, 1, 2};
    static encoder_bench b;
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 2; i++) {
                float uvs[3][2] = {{0, 0}, {0.5f, 0}, {0, 1}};
                const t3dm_uv_axis axis = {.texels = 32, .wraps = true}, axes[2] = {axis, axis};
                const trilo_mesh from = {.vertex_count = 3,
                                         .uvs = (const float(*)[2])uvs,
                                         .index_count = 3,
                                         .indices = indices},
                                 *mesh = &from;
                bool too_wide = false;
                uvs[v][k] = i ? NAN : INFINITY;
                encoder_bench_init(&b);
                CHECK(tl_t3dm_fit_uvs(&b.e, axes, &mesh, &too_wide));
                CHECK(mesh != &from && (too_wide || i == 1)); /* of extents, what is no number is left out */
                encoder_bench_free(&b);
            }
}

/* ---- bones ---- */

/* Bones have numbers of 16 bits, of which 65535 is none. */
TEST(there_are_65534_bones_at_most)
{
    static encoder_bench b;
    const trilo_joint joint = {.node = 0};
    const trilo_skin skin = {.joint_count = 1, .joints = &joint};
    trilo_node *nodes = calloc(65535, sizeof *nodes);
    CHECK(nodes != NULL);
    for (uint32_t i = 0; i < 65535; i++)
        nodes[i].parent = TRILO_NONE;
    encoder_bench_init(&b);
    b.model = (trilo_model){.node_count = 65535, .nodes = nodes, .skin_count = 1, .skins = &skin};
    const bool ok = tl_t3dm_encode_bones(&b.e);
    free(nodes);
    CHECK(!ok);
    CHECK_STR(b.err.rule, "T3DM-RANGE-COUNT");
    CHECK_STR(b.err.text, "65535 bones, T3DM counts to 65534");
    encoder_bench_free(&b);
}

TEST(shear_is_lost)
{
    static encoder_bench b;
    const trilo_joint joint = {.node = 0};
    const trilo_skin skin = {.joint_count = 1, .joints = &joint};
    trilo_node nodes[3] = {{.name = text_of("hip")}, {.name = text_of("leg")}, {.name = text_of("")}};
    encoder_bench_init(&b);
    for (int n = 0; n < 3; n++) {
        nodes[n].parent = TRILO_NONE;
        nodes[n].sheared = n > 0;
    }
    b.model = (trilo_model){.node_count = 3, .nodes = nodes, .skin_count = 1, .skins = &skin};
    CHECK(tl_t3dm_encode_bones(&b.e));
    CHECK_INT(b.heard.count, 2);
    for (int i = 0; i < 2; i++) {
        CHECK_STR(b.heard.rules[i], "T3DM-LOST-SHEAR");
        CHECK_STR(b.heard.paths[i], i == 0 ? "nodes[1]" : "nodes[2]");
        CHECK_STR(b.heard.texts[i] + (i == 0 ? 7 : 0), "the node has shear, which a bone cannot have; the closest "
                                                       "translation, rotation and scale were used");
    }
    CHECK_STR(b.e.strings + b.file.bones[2].name, "bone2");
    encoder_bench_free(&b);
}

/* Only a joint of exactly this name is none, and only while nothing moves it. */
TEST(neutral_bones)
{
    static const struct {
        const char *name;
        bool bone;
    } rows[] = {{"neutral_bone", false}, {"neutral_bonE", true},  {"Neutral_bone", true},
                {"neutral_bon", true},   {"neutral_bone1", true}, {"", true}};
    static encoder_bench b;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int moved = 0; moved < 2; moved++) {
            const double times[2] = {0, 1};
            const float values[6] = {0, 0, 0, 0, 5, 0};
            const trilo_channel channel = {
                .node = 1, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = times, .values = values};
            const trilo_clip clip = {.channel_count = 1, .channels = &channel, .duration = 1};
            const trilo_joint joints[2] = {{.node = 0}, {.node = 1}};
            const trilo_skin skin = {.joint_count = 2, .joints = joints};
            trilo_node nodes[2] = {{.name = text_of("hip")}, {.name = text_of(rows[i].name)}};
            encoder_bench_init(&b);
            for (int n = 0; n < 2; n++) {
                nodes[n].parent = TRILO_NONE;
                nodes[n].rotation.w = nodes[n].scale.x = nodes[n].scale.y = nodes[n].scale.z = 1;
                for (int k = 0; k < 4; k++)
                    nodes[n].local.m[5 * k] = 1;
            }
            b.model = (trilo_model){.node_count = 2,
                                    .nodes = nodes,
                                    .skin_count = 1,
                                    .skins = &skin,
                                    .clip_count = (uint32_t)moved,
                                    .clips = &clip};
            b.e.policy.select_bones = true;
            CHECK(tl_t3dm_encode_bones(&b.e));
            CHECK_INT(b.file.skeleton.bone_count, rows[i].bone || moved ? 2 : 1);
            encoder_bench_free(&b);
        }
}

/* ---- lists of names ---- */

/* A list of 200 bytes takes a name while 60 bytes are left, then dots, once. Names of up to 40 bytes. */
TEST(lists_of_lost_nodes_end_with_dots)
{
    enum { NODES = 40 };
    static const size_t lengths[] = {1, 2, 5, 9, 14, 30, 39, 40, 41, 60};
    static encoder_bench b;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (uint32_t count = 1; count < NODES; count += 3) {
            trilo_node nodes[NODES] = {{.parent = 0}};
            char name[64], list[512] = "", text[560];
            memset(name, 'n', sizeof name);
            name[lengths[i]] = '\0';
            encoder_bench_init(&b);
            for (uint32_t n = 0; n < count; n++) {
                nodes[n] = (trilo_node){.parent = TRILO_NONE, .name = text_of(name)};
                for (int k = 0; k < 4; k++)
                    nodes[n].local.m[5 * k] = 1;
                const size_t used = strlen(list);
                if (used + 60 < 200)
                    snprintf(list + used, sizeof list - used, "%s\"%.40s\"", n > 0 ? ", " : "", name);
                else if (!strchr(list, '.'))
                    snprintf(list + used, sizeof list - used, ", ...");
            }
            b.model = (trilo_model){.node_count = count, .nodes = nodes};
            b.e.policy.select_bones = true;
            CHECK(tl_t3dm_encode_bones(&b.e));
            snprintf(text, sizeof text, "nodes without a mesh or bone are lost: %u (%s)", (unsigned)count, list);
            CHECK_INT(b.heard.count, 1);
            text[strlen(b.heard.texts[0])] = '\0'; /* a finding has room for so much */
            CHECK(strlen(text) >= 150 || strlen(list) < 120);
            CHECK_STR(b.heard.texts[0], text);
            encoder_bench_free(&b);
        }
}

/* ---- materials of other engines ---- */

/* Chunks `m` with the same bytes are one; they have no names. */
TEST(materials_of_other_engines_are_compared_by_their_bytes)
{
    static const struct {
        uint8_t bytes[2][12];
        size_t sizes[2];
        bool same;
    } rows[] = {{{{9, 8, 7, 6}, {9, 8, 7, 6}}, {4, 4}, true},
                {{{9, 8, 7, 6}, {9, 8, 7, 5}}, {4, 4}, false},
                {{{9, 8, 7, 6}, {1, 8, 7, 6}}, {4, 4}, false},
                {{{9, 8, 7, 6}, {9, 8, 7, 6}}, {4, 3}, false},
                {{{9, 8, 7, 6}, {9, 8, 7, 6}}, {3, 4}, false}};
    static encoder_bench b;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_material materials[2] = {{.raw = {rows[i].bytes[0], rows[i].sizes[0]}},
                                             {.raw = {rows[i].bytes[1], rows[i].sizes[1]}}};
        const trilo_mesh meshes[2] = {{.material = 0, .index_count = 3}, {.material = 1, .index_count = 3}};
        encoder_bench_init(&b);
        b.model = (trilo_model){.material_count = 2, .materials = materials, .mesh_count = 2, .meshes = meshes};
        b.e.policy.order = TRILO_T3DM_ORDER_FILE;
        b.e.policy.merge_materials = true;
        CHECK(tl_t3dm_order_meshes(&b.e) && tl_t3dm_encode_materials(&b.e));
        CHECK_INT(b.file.material_count, rows[i].same ? 1 : 2);
        for (uint32_t m = 0; m < 2; m++) {
            const t3dm_material *got = &b.file.materials[b.e.material_of_mesh[m]];
            CHECK(got->opaque && got->raw.size == rows[i].sizes[m]);
            CHECK(memcmp(got->raw.data, rows[i].bytes[m], rows[i].sizes[m]) == 0);
        }
        encoder_bench_free(&b);
    }
}

TEST_MAIN(CASE(models_smaller_than_16_units), CASE(coordinates_above_32767_are_refused),
          CASE(boxes_are_those_of_the_vertices), CASE(triangles_without_area_are_dropped), CASE(versions_0_to_4),
          CASE(custom_chunks_follow_the_others), CASE(a_bvh_where_one_is_wanted),
          CASE(triangles_of_mirrored_nodes_are_reversed), CASE(shear_is_lost),
          CASE(coordinates_that_are_not_finite_are_torn), CASE(there_are_65534_bones_at_most), CASE(neutral_bones),
          CASE(lists_of_lost_nodes_end_with_dots), CASE(materials_of_other_engines_are_compared_by_their_bytes))
