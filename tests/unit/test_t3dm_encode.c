/* Models that were not T3DM files: what T3DM can hold arrives, what it cannot is reported, every limit has its
 * sentence. */
#include "harness.h"
#include "support/buffer.h"
#include "support/nlm_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model of one triangle, filled in by hand; every test changes a part of it. */
typedef struct sample {
    float positions[3][3], normals[3][3], uvs[3][2], weights[3][4];
    uint16_t joints[3][4];
    uint32_t indices[3];
    trilo_mesh mesh;
    trilo_material material;
    trilo_texture texture;
    trilo_node nodes[2];
    trilo_joint joint[2];
    trilo_skin skin;
    double times[2];
    float values[8];
    trilo_channel channel;
    trilo_clip clip;
    trilo_chunk chunk;
    trilo_model model;
} sample;

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static void sample_fill(sample *s)
{
    static const float positions[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    memset(s, 0, sizeof *s);
    memcpy(s->positions, positions, sizeof positions);
    for (uint32_t i = 0; i < 3; i++) {
        s->normals[i][2] = 1;
        s->indices[i] = i;
        s->weights[i][0] = 1;
    }
    for (uint32_t i = 0; i < 2; i++) {
        s->nodes[i] =
            (trilo_node){.parent = i == 0 ? TRILO_NONE : 0, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity};
        s->joint[i] = (trilo_joint){i, identity};
    }
    s->nodes[1].translation.y = 3;
    s->nodes[1].local.m[13] = 3;
    s->joint[1].inverse_bind.m[13] = -3;
    s->mesh = (trilo_mesh){.name = {"leaf", 4},
                           .material = TRILO_NONE,
                           .node = TRILO_NONE,
                           .skin = TRILO_NONE,
                           .vertex_count = 3,
                           .index_count = 3,
                           .positions = (const float(*)[3])s->positions,
                           .normals = (const float(*)[3])s->normals,
                           .uvs = (const float(*)[2])s->uvs,
                           .indices = s->indices};
    s->material = (trilo_material){.name = {"moss", 4}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    s->skin = (trilo_skin){2, s->joint};
    s->times[1] = 1;
    s->values[3] = 5; /* x of the second key */
    s->channel =
        (trilo_channel){.node = 1, .target = TRILO_TRANSLATION, .key_count = 2, .times = s->times, .values = s->values};
    s->clip = (trilo_clip){.name = {"sway", 4}, .duration = 1, .channel_count = 1, .channels = &s->channel};
    s->model = (trilo_model){.mesh_count = 1, .meshes = &s->mesh, .material_count = 1, .materials = &s->material};
    s->mesh.material = 0;
}

static void add_skin(sample *s)
{
    s->model.nodes = s->nodes;
    s->model.node_count = 2;
    s->model.skins = &s->skin;
    s->model.skin_count = 1;
    s->mesh.skin = 0;
    s->mesh.joints = (const uint16_t(*)[4])s->joints;
    s->mesh.weights = (const float(*)[4])s->weights;
}

typedef struct result {
    char heard[512];
    buffer file, stream;
    trilo_error err;
    bool ok;
} result;

static void note(void *user, const trilo_finding *finding)
{
    result *r = user;
    if (strlen(r->heard) + 40 < sizeof r->heard) {
        strcat(r->heard, finding->rule);
        strcat(r->heard, " ");
    }
}

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    CHECK_STR(name, "leaf.0.sdata");
    return buffer_sink(&((result *)user)->stream, bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const result *r = user;
    *bytes = (trilo_bytes){r->stream.data, r->stream.size};
    return strcmp(name, "leaf.0.sdata") == 0;
}

static result encode(const trilo_model *model, const trilo_t3dm_write_opts *t3dm)
{
    result r = {.ok = false};
    trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                             .name = "leaf.t3dm",
                             .on_finding = note,
                             .on_finding_user = &r,
                             .side = keep_stream,
                             .side_user = &r};
    if (t3dm)
        opts.t3dm = *t3dm;
    r.ok = trilo_write(model, &opts, buffer_sink, &r.file, &r.err);
    return r;
}

static void result_free(result *r)
{
    buffer_free(&r->file);
    buffer_free(&r->stream);
}

static void fail_error(void *user, const trilo_finding *finding)
{
    (void)user;
    if (finding->severity > TRILO_NOTE)
        FAIL("%s at %s: %s", finding->rule, finding->path, finding->text);
}

static const trilo_model *again(result *r)
{
    trilo_error err = {0};
    if (!r->ok)
        FAIL("%s: %s", r->err.path, r->err.text);
    const trilo_load_opts opts = {.side = give_stream, .side_user = r, .on_finding = fail_error, .name = "leaf.t3dm"};
    const trilo_model *model = trilo_load(r->file.data, r->file.size, &opts, &err);
    if (!model)
        FAIL("%s: %s", err.path, err.text);
    return model;
}

/* At the usual scale of 64. */
TEST(a_triangle_arrives)
{
    sample s;
    sample_fill(&s);
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    const trilo_model *model = again(&r);
    CHECK_STR(model->meshes[0].name.data, "leaf");
    CHECK_STR(model->materials[0].name.data, "moss");
    CHECK_INT(model->meshes[0].index_count, 3);
    const trilo_bounds box = trilo_model_bounds(model);
    CHECK(box.max.x == 128 && box.max.y == 64 && box.min.x == 0);
    CHECK_INT(model->materials[0].n64->combiner == 0x00887F1088FE7D3Eu, 1);
    trilo_model_free(model);
    result_free(&r);
}

TEST(a_mesh_without_a_material_gets_one)
{
    sample s;
    sample_fill(&s);
    s.mesh.material = TRILO_NONE;
    s.model.material_count = 0;
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    CHECK_INT(model->material_count, 1);
    CHECK_STR(model->materials[0].name.data, "default");
    trilo_model_free(model);
    result_free(&r);
}

/* 2 * 20000 is above 32767; 32767 / 2 is 16383.5. */
TEST(the_largest_scale_is_named)
{
    sample s;
    sample_fill(&s);
    result r = encode(&s.model, &(trilo_t3dm_write_opts){.scale = 20000});
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-POSITION");
    CHECK(strstr(r.err.text, "16383.5"));
    CHECK_INT(r.file.size, 0);
    result_free(&r);
    r = encode(&s.model, &(trilo_t3dm_write_opts){.scale = 16383.5f});
    CHECK(r.ok);
    result_free(&r);
}

/* 32 texels a repeat: 1024 texels are 32 repeats. */
TEST(far_texture_coordinates_are_moved_or_refused)
{
    sample s;
    sample_fill(&s);
    s.uvs[1][0] = 70; /* from 0: 2240 texels in one triangle */
    result r = encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_INT(r.err.code, TRILO_LIMIT);
    CHECK_STR(r.err.rule, "T3DM-RANGE-UV");
    CHECK_STR(r.err.path, "meshes[0]");
    result_free(&r);
    for (int i = 0; i < 3; i++) { /* 5000 and 5001: moved by 5000, which is even */
        s.uvs[i][0] = i == 1 ? 5001 : 5000;
        s.uvs[i][1] = -777;
    }
    r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    float least = 9, most = -9;
    for (uint32_t i = 0; i < 3; i++) {
        least = model->meshes[0].uvs[i][0] < least ? model->meshes[0].uvs[i][0] : least;
        most = model->meshes[0].uvs[i][0] > most ? model->meshes[0].uvs[i][0] : most;
        CHECK(model->meshes[0].uvs[i][1] == -1 || model->meshes[0].uvs[i][1] == 1);
    }
    CHECK(most - least == 1 && least >= -2 && most <= 2);
    trilo_model_free(model);
    result_free(&r);
}

TEST(letters_of_t3dm_are_no_custom_chunks)
{
    sample s;
    sample_fill(&s);
    trilo_chunk chunks[2] = {{'m', {(const uint8_t *)"own", 3}}, {'Q', {(const uint8_t *)"mine", 4}}};
    s.model.chunks = chunks;
    s.model.chunk_count = 2;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-CHUNK ");
    const trilo_model *model = again(&r);
    CHECK_INT(model->chunk_count, 1);
    CHECK_INT(model->chunks[0].type, 'Q');
    trilo_model_free(model);
    result_free(&r);
}

TEST(losses_are_told)
{
    sample s;
    sample_fill(&s);
    s.model.textures = &s.texture;
    s.model.texture_count = 1;
    s.material.texture = 0;
    s.texture.bytes = (trilo_bytes){(const uint8_t *)"x", 1};
    s.model.nodes = s.nodes;
    s.model.node_count = 2;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-LOST-NODES T3DM-MADE-MATERIAL T3DM-LOST-TEXTURE ");
    result_free(&r);

    sample_fill(&s);
    s.mesh.topology = TRILO_LINES;
    s.mesh.index_count = 2;
    r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-LINES ");
    CHECK(r.ok);
    result_free(&r);

    sample_fill(&s);
    add_skin(&s);
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = 0.6f;
    s.joints[2][1] = 1;
    r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-WEIGHTS ");
    const trilo_model *model = again(&r);
    uint32_t upper = 0;
    for (uint32_t i = 0; i < 3; i++)
        upper += model->meshes[0].weights[i][0] == 1 && model->meshes[0].joints[i][0] == 1;
    CHECK_INT(upper, 1);
    CHECK_NEAR(trilo_model_bounds(model).max.y, 64, 1e-4); /* stored at 1 - 3, put back by the bone's 3 */
    trilo_model_free(model);
    result_free(&r);
}

/* --- clips --- */

TEST(a_vector_channel_becomes_three_axes)
{
    sample s;
    sample_fill(&s);
    add_skin(&s);
    s.model.clips = &s.clip;
    s.model.clip_count = 1;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    const trilo_model *model = again(&r);
    CHECK_STR(model->clips[0].name.data, "sway");
    CHECK_INT(model->clips[0].channel_count, 3);
    float value[4];
    trilo_channel_sample(&model->clips[0].channels[0], 0.5, value);
    CHECK_NEAR(value[0], 2.5 * 64, 0.01);
    trilo_model_free(model);
    result_free(&r);
}

TEST(a_clip_without_keys_is_told)
{
    sample s;
    sample_fill(&s);
    add_skin(&s);
    s.model.clips = &s.clip;
    s.model.clip_count = 1;
    s.clip.channel_count = 0;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-ANIM-EMPTY ");
    trilo_document *document = trilo_open(r.file.data, r.file.size, NULL, NULL);
    CHECK(document);
    CHECK_INT(trilo_document_check(document, NULL, NULL).warnings, 2); /* no channel, no stream */
    trilo_close(document);
    result_free(&r);
}

/* Nine corners on a line of two units: at scale 4 that is 8. */
TEST(a_tiny_scale_is_told)
{
    sample s;
    float line[9][3] = {{0}};
    uint32_t indices[3] = {0, 4, 8};
    sample_fill(&s);
    for (int i = 0; i < 9; i++)
        line[i][0] = (float)i / 4;
    s.mesh.positions = (const float(*)[3])line;
    s.mesh.normals = NULL;
    s.mesh.uvs = NULL;
    s.mesh.vertex_count = 9;
    s.mesh.indices = indices;
    result r = encode(&s.model, &(trilo_t3dm_write_opts){.scale = 4});
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-POSITIONS ");
    result_free(&r);
    r = encode(&s.model, &(trilo_t3dm_write_opts){.scale = 8});
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL ");
    result_free(&r);
}

/* One key becomes two; a key off the tick is moved; a late first key is held back to 0. */
TEST(keys_fit_the_console)
{
    sample s;
    sample_fill(&s);
    add_skin(&s);
    s.model.clips = &s.clip;
    s.model.clip_count = 1;
    s.channel.key_count = 1;
    s.times[0] = 0.509;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-KEYS ");
    const trilo_model *model = again(&r);
    const trilo_channel *c = &model->clips[0].channels[0];
    CHECK_INT(c->key_count, 3);
    CHECK_NEAR(c->times[1], 31 / 60.0, 1e-9); /* 30.54 ticks */
    CHECK(c->times[0] == 0 && c->times[2] == 1);
    trilo_model_free(model);
    result_free(&r);
}

TEST(long_clips_are_refused)
{
    sample s;
    sample_fill(&s);
    add_skin(&s);
    s.model.clips = &s.clip;
    s.model.clip_count = 1;
    s.times[1] = s.clip.duration = 600; /* 36000 ticks between two keys */
    result r = encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-TIME");
    result_free(&r);
}

TEST(streams_need_a_place)
{
    sample s;
    buffer out = {0};
    trilo_error err = {0};
    sample_fill(&s);
    add_skin(&s);
    s.model.clips = &s.clip;
    s.model.clip_count = 1;
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM};
    CHECK(!trilo_write(&s.model, &opts, buffer_sink, &out, &err));
    CHECK_INT(err.code, TRILO_CANT_WRITE);
    CHECK_INT(out.size, 0);
}

/* The hand-made stick of the NLM tests: at 2 s its top has turned to (3, 1, 10). */
TEST(an_nlm_file_moves_the_same)
{
    buffer file = {0};
    trilo_error err = {0};
    nlm_stick(&file);
    const trilo_model *stick = trilo_load(file.data, file.size, NULL, &err);
    CHECK(stick);
    result r = encode(stick, &(trilo_t3dm_write_opts){.scale = 100});
    const trilo_model *model = again(&r);
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
    trilo_model_free(model);
    trilo_model_free(stick);
    result_free(&r);
    buffer_free(&file);
}

/* --- limits --- */

TEST(sizes_are_limited)
{
    sample s;
    sample_fill(&s);
    uint8_t *bytes = calloc(17, 1 << 20);
    CHECK(bytes);
    s.chunk = (trilo_chunk){'X', {bytes, 17u << 20}};
    s.model.chunks = &s.chunk;
    s.model.chunk_count = 1;
    result r = encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-SIZE");
    result_free(&r);
    free(bytes);
    CHECK(!encode(&s.model, &(trilo_t3dm_write_opts){.version = 9}).ok);
}

TEST(bones_are_limited)
{
    sample s;
    sample_fill(&s);
    add_skin(&s);
    trilo_node *nodes = calloc(65535, sizeof *nodes);
    CHECK(nodes);
    for (uint32_t i = 0; i < 65535; i++)
        nodes[i] = s.nodes[0];
    s.model.nodes = nodes;
    s.model.node_count = 65535;
    result r = encode(&s.model, NULL);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-COUNT");
    result_free(&r);
    free(nodes);
}

static result encode_many(uint32_t count, trilo_mesh *meshes, sample *s)
{
    sample_fill(s);
    for (uint32_t i = 0; i < count; i++)
        meshes[i] = s->mesh;
    s->model.meshes = meshes;
    s->model.mesh_count = count;
    return encode(&s->model, &(trilo_t3dm_write_opts){.bvh = true});
}

/* again() checks the tree: nesting, and every object once. */
TEST(a_bvh_is_built)
{
    sample s;
    trilo_mesh *meshes = calloc(2100, sizeof *meshes);
    CHECK(meshes);
    static const uint32_t counts[] = {1, 8, 9, 100, 2000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        result r = encode_many(counts[i], meshes, &s);
        const trilo_model *model = again(&r);
        CHECK(model->bvh && model->bvh->item_count == counts[i]);
        trilo_model_free(model);
        result_free(&r);
    }
    result r = encode_many(2100, meshes, &s);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, "T3DM-RANGE-BVH");
    result_free(&r);
    free(meshes);
}

/* Bones are written depth first whatever the order of the nodes: a, b, child of a, child of b. */
TEST(bones_come_depth_first)
{
    sample s;
    sample_fill(&s);
    add_skin(&s);
    trilo_node nodes[4] = {s.nodes[0], s.nodes[0], s.nodes[0], s.nodes[0]};
    static const uint32_t parents[4] = {TRILO_NONE, TRILO_NONE, 0, 1};
    static const char *const names[4] = {"a", "b", "ac", "bc"};
    for (int i = 0; i < 4; i++) {
        nodes[i].parent = parents[i];
        nodes[i].name = (trilo_str){names[i], strlen(names[i])};
    }
    s.model.nodes = nodes;
    s.model.node_count = 4;
    result r = encode(&s.model, NULL);
    const trilo_model *model = again(&r);
    CHECK_STR(model->nodes[0].name.data, "a");
    CHECK_STR(model->nodes[1].name.data, "ac");
    CHECK_STR(model->nodes[2].name.data, "b");
    CHECK_STR(model->nodes[3].name.data, "bc");
    CHECK_INT(model->nodes[3].parent, 2);
    trilo_model_free(model);
    result_free(&r);
}

TEST_MAIN(CASE(a_triangle_arrives), CASE(a_mesh_without_a_material_gets_one), CASE(the_largest_scale_is_named),
          CASE(far_texture_coordinates_are_moved_or_refused), CASE(letters_of_t3dm_are_no_custom_chunks),
          CASE(losses_are_told), CASE(a_vector_channel_becomes_three_axes), CASE(a_clip_without_keys_is_told),
          CASE(a_tiny_scale_is_told), CASE(keys_fit_the_console), CASE(long_clips_are_refused),
          CASE(streams_need_a_place), CASE(an_nlm_file_moves_the_same), CASE(sizes_are_limited),
          CASE(bones_are_limited), CASE(a_bvh_is_built), CASE(bones_come_depth_first))
