/* NLM from bytes to model and back, on files put together by hand and on the engine's own. */
#include "base/bytes.h"
#include "formats/nlm/nlm.h"
#include "harness.h"
#include "support/buffer.h"
#include "support/exercise.h"
#include "support/nlm_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the tables --- */

TEST(tables_are_valid)
{
    static const tl_layout *const tables[] = {&tl_nlm_bounds,  &tl_nlm_mesh_head, &tl_nlm_vertex,
                                              &tl_nlm_clip,    &tl_nlm_bone,      &tl_nlm_track_head,
                                              &tl_nlm_vec_key, &tl_nlm_quat_key,  &tl_nlm_node_head};
    trilo_error err = {0};
    for (size_t i = 0; i < TL_COUNT_OF(tables); i++)
        if (!tl_layout_ok(tables[i], 0, &err))
            FAIL("%s", err.text);
    CHECK(tl_layout_ok(&tl_nlm_header, NLM_HEADER_12, &err));
    CHECK(tl_layout_ok(&tl_nlm_header, NLM_HEADER_16, &err));
}

TEST(tables_have_the_sizes_of_the_format)
{
    CHECK_INT(tl_layout_size(&tl_nlm_header, NLM_HEADER_12), 12);
    CHECK_INT(tl_layout_size(&tl_nlm_header, NLM_HEADER_16), 16);
    CHECK_INT(tl_layout_size(&tl_nlm_bounds, 0), 24);
    CHECK_INT(tl_layout_size(&tl_nlm_vertex, 0), 76);
    CHECK_INT(tl_layout_size(&tl_nlm_clip, 0), 8);
    CHECK_INT(tl_layout_size(&tl_nlm_bone, 0), 72);
    CHECK_INT(tl_layout_size(&tl_nlm_track_head, 0), 20);
    CHECK_INT(tl_layout_size(&tl_nlm_vec_key, 0), 16);
    CHECK_INT(tl_layout_size(&tl_nlm_quat_key, 0), 20);
    CHECK_INT(tl_layout_size(&tl_nlm_node_head, 0), 72);
}

/* The zero-copy view casts file bytes to this struct: every field must stand where the table has it. */
TEST(vertex_struct_is_the_record)
{
    CHECK_INT(sizeof(trilo_nlm_vertex), tl_layout_size(&tl_nlm_vertex, 0));
    for (size_t i = 0; i < tl_nlm_vertex.field_count; i++)
        CHECK_INT(tl_nlm_vertex.fields[i].host, tl_nlm_vertex.fields[i].at);
}

/* --- reading --- */

static const trilo_model *load(const buffer *file, const trilo_load_opts *opts)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(file->data, file->size, opts, &err);
    if (!model)
        FAIL("%s: %s", err.path, err.text);
    return model;
}

TEST(square_is_read)
{
    buffer file = {0};
    nlm_square(&file);
    CHECK_INT(file.size, SQUARE_SIZE);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->format, TRILO_FORMAT_NLM);
    CHECK_INT(model->version, 2);
    CHECK_INT(model->source_hash, 2166136261u);
    CHECK_INT(model->mesh_count, 1);
    CHECK_INT(model->material_count + model->texture_count + model->node_count + model->skin_count + model->clip_count,
              0);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->topology, TRILO_TOPOLOGY_TRIANGLES);
    CHECK_INT(mesh->vertex_count, 4);
    CHECK_INT(mesh->index_count, 6);
    CHECK(mesh->positions[2][0] == 0.5f && mesh->positions[2][1] == 0.5f && mesh->positions[2][2] == 0);
    CHECK(mesh->normals[1][2] == 1 && mesh->normals[1][0] == 0);
    CHECK(mesh->colors[3][0] == 0.25f && mesh->colors[3][1] == 0.5f && mesh->colors[3][2] == 0.75f);
    CHECK(mesh->colors[3][3] == 1);
    CHECK(mesh->uvs[0][0] == 0 && mesh->uvs[0][1] == 1);
    CHECK(!mesh->joints && !mesh->weights && mesh->skin == TRILO_NONE && mesh->material == TRILO_NONE);
    CHECK_INT(mesh->indices[5], 3);
    CHECK(model->resized);
    CHECK(model->source_bounds.min.x == -1 && model->source_bounds.max.y == 6);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(size_is_restored)
{
    buffer file = {0};
    nlm_square(&file);
    const trilo_model *model = load(&file, NULL);
    const trilo_model_edit_opts edit = {.restore_size = true};
    const trilo_model *restored = trilo_model_edit(model, &edit, NULL, NULL);
    const trilo_bounds box = trilo_model_bounds(restored);
    CHECK(box.min.x == -1 && box.min.y == 2 && box.min.z == 5 && box.max.x == 3 && box.max.y == 6 && box.max.z == 5);
    trilo_model_free(restored);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(old_header_and_lines_are_read)
{
    buffer file = {0};
    nlm_line12(&file);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->source_hash, 0);
    CHECK_INT(model->meshes[0].topology, TRILO_TOPOLOGY_LINES);
    CHECK_INT(model->meshes[0].index_count, 2);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(both_magic_orders_are_read)
{
    buffer file = {0};
    nlm_square(&file);
    memcpy(file.data + 4, "MODL", 4);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->meshes[0].vertex_count, 4);
    trilo_model_free(model);
    buffer_free(&file);
}

/* Six indices may be two triangles or three lines; a chain of lines would make triangles without area only. */
TEST(topology_is_guessed_or_forced)
{
    buffer file = {0};
    nlm_square(&file);
    const trilo_load_opts lines = {.nlm = &(trilo_nlm_load_opts){.topology = TRILO_NLM_TOPOLOGY_LINES}};
    const trilo_model *model = load(&file, &lines);
    CHECK_INT(model->meshes[0].topology, TRILO_TOPOLOGY_LINES);
    trilo_model_free(model);

    static const uint32_t chain[6] = {0, 1, 1, 2, 2, 3};
    for (size_t i = 0; i < 6; i++)
        buffer_set_u32(&file, SQUARE_INDICES_AT + 4 * i, chain[i]);
    model = load(&file, NULL);
    CHECK_INT(model->meshes[0].topology, TRILO_TOPOLOGY_LINES);
    trilo_model_free(model);

    const trilo_load_opts triangles = {.nlm = &(trilo_nlm_load_opts){.topology = TRILO_NLM_TOPOLOGY_TRIANGLES}};
    model = load(&file, &triangles);
    CHECK_INT(model->meshes[0].topology, TRILO_TOPOLOGY_TRIANGLES);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(stick_is_read)
{
    buffer file = {0};
    nlm_stick(&file);
    CHECK_INT(file.size, STICK_SIZE);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->node_count, 3);
    CHECK_INT(model->nodes[0].parent, TRILO_NONE); /* stored last, sorted first */
    CHECK(model->nodes[0].local.m[14] == 10);
    CHECK_INT(model->nodes[1].parent, 0);
    CHECK_INT(model->nodes[2].parent, 1);
    CHECK(model->nodes[2].translation.y == 1 && !model->nodes[2].sheared);
    CHECK_INT(model->skin_count, 1);
    CHECK_INT(model->skins[0].joint_count, 2);
    CHECK_INT(model->skins[0].joints[0].node, 1);
    CHECK_INT(model->skins[0].joints[1].node, 2);
    CHECK(model->skins[0].joints[1].inverse_bind.m[13] == -1);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->skin, 0);
    CHECK(mesh->joints[1][0] == 0 && mesh->joints[1][1] == 1 && mesh->weights[1][1] == 0.5f);
    CHECK(mesh->joints[3][0] == 1 && mesh->weights[3][0] == 1 && mesh->weights[3][1] == 0);
    CHECK_INT(model->clip_count, 1);
    CHECK(model->clips[0].duration == 2 && model->clips[0].rate == 10);
    CHECK_INT(model->clips[0].channel_count, 6);
    trilo_model_free(model);
    buffer_free(&file);
}

/* The second bone is number 5, and is still the second joint. */
TEST(bone_indices_with_a_gap)
{
    enum { VERTEX = 76, BONE_IDS_AT = 44, BONE = 72, BONE_INDEX_AT = 68 };
    buffer file = {0};
    nlm_stick(&file);
    buffer_set_u32(&file, STICK_BONES_AT + BONE + BONE_INDEX_AT, 5);
    buffer_set_u32(&file, STICK_VERTICES_AT + VERTEX + BONE_IDS_AT + 4, 5);
    buffer_set_u32(&file, STICK_VERTICES_AT + 2 * VERTEX + BONE_IDS_AT + 4, 5);
    buffer_set_u32(&file, STICK_VERTICES_AT + 3 * VERTEX + BONE_IDS_AT, 5);
    const trilo_model *model = load(&file, NULL);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(model->skins[0].joint_count, 2);
    CHECK(mesh->joints[0][0] == 0 && mesh->joints[1][0] == 0 && mesh->joints[1][1] == 1);
    CHECK(mesh->joints[2][0] == 0 && mesh->joints[2][1] == 1 && mesh->joints[3][0] == 1);
    trilo_model_free(model);
    buffer_free(&file);
}

static void pose_mesh(const trilo_model *model, double seconds, float (*positions)[3])
{
    trilo_mat4 *m = calloc(3 * (size_t)model->node_count, sizeof *m), *worlds = m + model->node_count;
    trilo_mat4 *skin = calloc(model->skins[0].joint_count, sizeof *skin);
    CHECK(m && skin);
    trilo_pose_locals(model, 0, seconds, m);
    trilo_pose_worlds(model, m, worlds);
    trilo_pose_skin(model, 0, worlds, skin);
    trilo_pose_mesh(model, 0, worlds, skin, positions, NULL);
    free(skin);
    free(m);
}

static void check_point(const float got[3], float x, float y, float z)
{
    CHECK_NEAR(got[0], x, 1e-5);
    CHECK_NEAR(got[1], y, 1e-5);
    CHECK_NEAR(got[2], z, 1e-5);
}

/* By hand: the root lifts all by 10 along z. At the end node 3 has moved by 4 along x, and the upper half is turned by
 * 90 degrees about (4, 1): (0, 2) is one above that point, so it comes to (3, 1). Half way it is 2 and 45 degrees:
 * (2 - sin 45, 1 + cos 45). */
TEST(stick_moves)
{
    float p[4][3];
    buffer file = {0};
    nlm_stick(&file);
    const trilo_model *model = load(&file, NULL);
    pose_mesh(model, 0, p);
    check_point(p[0], 0, 0, 10);
    check_point(p[3], 0, 2, 10);
    pose_mesh(model, 2, p);
    check_point(p[0], 4, 0, 10);
    check_point(p[3], 3, 1, 10);
    check_point(p[1], 4.5f, 1.5f, 10); /* half of (5, 1) and half of (4, 2) */
    pose_mesh(model, 1, p);
    check_point(p[3], 2 - 0.70710678f, 1.70710678f, 10);
    pose_mesh(model, 99, p); /* held */
    check_point(p[3], 3, 1, 10);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(quaternions_as_the_document_has_them)
{
    buffer file = {0};
    float p[4][3];
    nlm_stick(&file);
    const size_t keys[] = {STICK_TRACKS_AT + 20 + 32, STICK_TRACK_1_AT + 20 + 16, STICK_TRACK_1_AT + 20 + 36};
    for (size_t i = 0; i < 3; i++) { /* x y z w to w x y z */
        uint8_t w[4];
        memcpy(w, file.data + keys[i] + 16, 4);
        memmove(file.data + keys[i] + 8, file.data + keys[i] + 4, 12);
        memcpy(file.data + keys[i] + 4, w, 4);
    }
    const trilo_load_opts opts = {.nlm = &(trilo_nlm_load_opts){.quat_wxyz = true}};
    const trilo_model *model = load(&file, &opts);
    pose_mesh(model, 2, p);
    check_point(p[3], 3, 1, 10);
    trilo_model_free(model);
    buffer_free(&file);
}

/* --- textures --- */

static const uint8_t tiny_png[33] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D',
                                     'R',  0,   0,   0,   5,    0,    0,    0,    7, 8, 2, 0,  0,   0};

static void square_with_texture(buffer *file)
{
    nlm_square(file);
    buffer_set_u32(file, SQUARE_TEXTURE_AT, sizeof tiny_png);
    buffer_sink(file, tiny_png, sizeof tiny_png);
}

TEST(texture_is_read_dropped_and_replaced)
{
    static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 3, 0, 4, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    buffer file = {0};
    square_with_texture(&file);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->texture_count, 1);
    CHECK_INT(model->textures[0].kind, TRILO_IMAGE_KIND_PNG);
    CHECK_INT(model->textures[0].width, 5);
    CHECK_INT(model->textures[0].height, 7);
    CHECK(memcmp(model->textures[0].bytes.data, tiny_png, sizeof tiny_png) == 0);
    CHECK_INT(model->materials[model->meshes[0].material].texture, 0);

    const trilo_model_edit_opts drop = {.drop_textures = true}, replace = {.replace_texture = {jpeg, sizeof jpeg}};
    const trilo_model *without = trilo_model_edit(model, &drop, NULL, NULL);
    const trilo_model *with = trilo_model_edit(model, &replace, NULL, NULL);
    CHECK_INT(without->texture_count, 0);
    CHECK_INT(without->materials[0].texture, TRILO_NONE);
    CHECK_INT(with->textures[0].kind, TRILO_IMAGE_KIND_JPEG);
    CHECK_INT(with->textures[0].width, 4);
    CHECK_INT(with->textures[0].height, 3);
    trilo_model_free(with);
    trilo_model_free(without);
    trilo_model_free(model);
    buffer_free(&file);
}

/* --- zero-copy views --- */

TEST(views_copy_only_where_they_must)
{
    buffer file = {0};
    nlm_square(&file);
    uint8_t *room = malloc(file.size + 8);
    CHECK(room);
    for (size_t shift = 0; shift < 4; shift++) {
        uint8_t *start = room + (8 - (uintptr_t)room % 8) % 4 + shift;
        memcpy(start, file.data, file.size);
        trilo_document *document = trilo_document_open(start, file.size, NULL, NULL);
        trilo_nlm_mesh_view view;
        CHECK_INT(trilo_nlm_mesh_count(document), 1);
        CHECK_INT(trilo_nlm_header_size(document), 16);
        const size_t need = trilo_nlm_view_room(document, 0);
        const bool in_place = tl_order_is_host(TL_LITTLE) && shift % 4 == 0;
        CHECK_INT(need, in_place ? 0 : 4 * 76 + 6 * 4);
        uint32_t copy[(4 * 76 + 6 * 4) / 4];
        CHECK(need == 0 || !trilo_nlm_view(document, 0, copy, need - 1, &view));
        CHECK(!trilo_nlm_view(document, 1, copy, sizeof copy, &view));
        CHECK(trilo_nlm_view(document, 0, copy, sizeof copy, &view));
        CHECK((const void *)view.vertices == (in_place ? (const void *)(start + SQUARE_VERTICES_AT) : (void *)copy));
        CHECK(view.vertices[2].color[2] == 0.75f && view.vertices[0].bone_ids[3] == -1);
        static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
        for (int i = 0; i < 6; i++)
            CHECK_INT(view.indices[i], buffer_get_u32(&file, SQUARE_INDICES_AT + 4 * (size_t)i));
        CHECK(memcmp(view.indices, indices, sizeof indices) == 0);
        for (size_t i = 0; i < 4 * 3; i++) { /* positions */
            const uint32_t bits = buffer_get_u32(&file, SQUARE_VERTICES_AT + 76 * (i / 3) + 4 * (i % 3));
            CHECK(memcmp((const uint8_t *)&view.vertices[i / 3] + 4 * (i % 3), &bits, sizeof bits) == 0);
        }
        trilo_document_free(document);
    }
    free(room);
    buffer_free(&file);
}

/* --- writing --- */

static void write_model(const trilo_model *model, const trilo_write_opts *opts, buffer *out)
{
    trilo_error err = {0};
    if (!trilo_model_write(model, opts, buffer_sink, out, &err))
        FAIL("%s: %s", err.path, err.text);
}

TEST(square_is_encoded_to_the_same_bytes)
{
    buffer file = {0}, out = {0};
    square_with_texture(&file);
    const trilo_model *model = load(&file, NULL);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    write_model(model, &opts, &out);
    CHECK_INT(out.size, file.size);
    CHECK(memcmp(out.data, file.data, file.size) == 0);
    trilo_model_free(model);
    buffer_free(&file);
    buffer_free(&out);
}

TEST(old_header_is_written)
{
    buffer file = {0}, out = {0};
    nlm_line12(&file);
    const trilo_model *model = load(&file, NULL);
    trilo_write_opts opts = {.format = TRILO_FORMAT_NLM, .nlm = &(trilo_nlm_write_opts){.header12 = true}};
    write_model(model, &opts, &out);
    CHECK_INT(out.size, file.size);
    CHECK(memcmp(out.data, file.data, file.size) == 0);
    buffer_free(&out);

    opts.nlm = NULL;
    write_model(model, &opts, &out);
    CHECK_INT(buffer_get_u32(&out, 0), 2166136261u); /* no hash is known: that of nothing */
    CHECK(memcmp(out.data + 4, file.data, file.size) == 0);
    trilo_model_free(model);
    buffer_free(&file);
    buffer_free(&out);
}

TEST(stick_is_encoded_to_the_same_motion)
{
    buffer file = {0}, out = {0};
    nlm_stick(&file);
    const trilo_model *model = load(&file, NULL);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    write_model(model, &opts, &out);
    CHECK_INT(out.size, file.size); /* only the order and ids of nodes differ */
    const trilo_model *again = load(&out, NULL);
    for (double t = 0; t <= 2; t += 0.25) {
        float a[4][3], b[4][3];
        pose_mesh(model, t, a);
        pose_mesh(again, t, b);
        CHECK(memcmp(a, b, sizeof a) == 0);
    }
    CHECK_INT(again->clips[0].channel_count, model->clips[0].channel_count);
    for (uint32_t i = 0; i < model->clips[0].channel_count; i++) {
        const trilo_channel *x = &model->clips[0].channels[i], *y = &again->clips[0].channels[i];
        CHECK_INT(x->key_count, y->key_count);
        CHECK(memcmp(x->times, y->times, x->key_count * sizeof *x->times) == 0);
    }
    trilo_model_free(again);
    trilo_model_free(model);
    buffer_free(&file);
    buffer_free(&out);
}

/* --- every rule is reached --- */

typedef struct heard {
    char rule[32], path[128];
    uint64_t offset;
    size_t count;
} heard;

static void hear(void *user, const trilo_finding *finding)
{
    heard *h = user;
    if (strcmp(finding->rule, h->rule) != 0)
        return;
    if (h->count++ == 0) {
        snprintf(h->path, sizeof h->path, "%s", finding->path);
        h->offset = finding->offset;
    }
}

typedef struct mutation {
    const char *rule, *path;
    void (*make)(buffer *);
    size_t at;
    uint32_t value;
    size_t offset; /* where the finding must point */
} mutation;

#define ONE_F     0x3F800000u
#define NAN_F     0x7FC00000u
#define MINUS_ONE 0xFFFFFFFFu

static const mutation mutations[] = {
    {"NLM-VERSION", "header.version", nlm_square, SQUARE_VERSION_AT, 3, 8},
    {"NLM-FLAG", "header.animated", nlm_square, SQUARE_FLAG_AT, 2, 12},
    {"NLM-TRUNCATED", "", nlm_square, SQUARE_MESH_COUNT_AT, 40, 40},
    {"NLM-TRUNCATED", "meshes[0]", nlm_square, SQUARE_VERTEX_COUNT_AT, 5000, 44},
    {"NLM-TRUNCATED", "meshes[0]", nlm_square, SQUARE_TEXTURE_AT, 1, SQUARE_SIZE},
    {"NLM-TRUNCATED", "tracks[0]", nlm_stick, STICK_TRACKS_AT + 8, 5000, STICK_TRACKS_AT},
    {"NLM-TRUNCATED", "nodes[1]", nlm_stick, STICK_NODE_1_AT + 68, 5000, STICK_NODE_1_AT},
    {"FILE-LIMIT", "meshes[0]", nlm_square, SQUARE_INDEX_COUNT_AT, 0x80000000u, 44},
    {"NLM-INDEX-RANGE", "meshes[0].indices[3]", nlm_square, SQUARE_INDICES_AT + 12, 4, SQUARE_INDICES_AT + 12},
    {"NLM-BOUNDS", "", nlm_square, SQUARE_BOUNDS_AT, 0x41000000u, 16},
    {"NLM-NAN", "meshes[0].vertices[2]", nlm_square, SQUARE_VERTICES_AT + 2 * 76 + 40, NAN_F, SQUARE_VERTICES_AT + 152},
    {"NLM-BONE-ID", "meshes[0].vertices[1]", nlm_square, SQUARE_VERTICES_AT + 76 + 44, 0, SQUARE_VERTICES_AT + 76},
    {"NLM-BONE-ID", "meshes[0].vertices[1]", nlm_square, SQUARE_VERTICES_AT + 76 + 44, 0xFFFFFFFEu,
     SQUARE_VERTICES_AT + 76},
    {"NLM-WEIGHTS", "meshes[0].vertices[0]", nlm_square, SQUARE_VERTICES_AT + 60, ONE_F, SQUARE_VERTICES_AT},
    {"NLM-EMPTY", "", nlm_square, SQUARE_MESH_COUNT_AT, 0, 40},
    {"NLM-TRAILING", "", nlm_square, SQUARE_MESH_COUNT_AT, 0, 44},
    {"NLM-MAGIC-ORDER", "", nlm_square, 4, 0x4C444F4Du, 0},
    {"NLM-HEADER-12", "", nlm_line12, 8, 0, 0},
    {"NLM-BONE-ID", "meshes[0].vertices[1]", nlm_stick, STICK_VERTICES_AT + 76 + 48, 2, STICK_VERTICES_AT + 76},
    {"NLM-WEIGHTS", "meshes[0].vertices[1]", nlm_stick, STICK_VERTICES_AT + 76 + 60, ONE_F, STICK_VERTICES_AT + 76},
    {"NLM-WEIGHTS", "meshes[0].vertices[3]", nlm_stick, STICK_VERTICES_AT + 3 * 76 + 64, 0x38D1B717u,
     STICK_VERTICES_AT + 3 * 76}, /* 0.0001 in an unused slot: the sum alone would pass */
    {"NLM-TICKS", "clip", nlm_stick, STICK_CLIP_AT + 4, 0, STICK_CLIP_AT + 4},
    {"NLM-DURATION", "clip", nlm_stick, STICK_CLIP_AT, 0xBF800000u, STICK_CLIP_AT},
    {"NLM-BONE-NODE", "bones[0]", nlm_stick, STICK_BONES_AT, 4, STICK_BONES_AT},
    {"NLM-BONE-DUPLICATE", "bones[1]", nlm_stick, STICK_BONES_AT + 72 + 68, 0, STICK_BONES_AT + 72},
    {"NLM-BONE-INDEX", "bones[1]", nlm_stick, STICK_BONES_AT + 72 + 68, MINUS_ONE, STICK_BONES_AT + 72},
    {"NLM-NAN", "bones[1]", nlm_stick, STICK_BONES_AT + 72 + 20, NAN_F, STICK_BONES_AT + 72},
    {"NLM-TRACK-NODE", "tracks[0]", nlm_stick, STICK_TRACKS_AT, 99, STICK_TRACKS_AT},
    {"NLM-TRACK-BONE", "tracks[0]", nlm_stick, STICK_TRACKS_AT + 4, 1, STICK_TRACKS_AT},
    {"NLM-TRACK-BONE", "tracks[0]", nlm_stick, STICK_TRACKS_AT + 4, 9, STICK_TRACKS_AT},
    {"NLM-TRACK-DUPLICATE", "tracks[1]", nlm_stick, STICK_TRACK_1_AT, 3, STICK_TRACK_1_AT},
    {"NLM-KEY-ORDER", "tracks[0].position_keys[1]", nlm_stick, STICK_TRACKS_AT + 36, 0xBF800000u, STICK_TRACKS_AT + 36},
    {"NLM-KEY-ORDER", "tracks[0].position_keys[0]", nlm_stick, STICK_TRACKS_AT + 20, NAN_F, STICK_TRACKS_AT + 20},
    {"NLM-KEY-EQUAL", "tracks[0].position_keys[1]", nlm_stick, STICK_TRACKS_AT + 36, 0, STICK_TRACKS_AT + 36},
    {"NLM-KEY-TIME", "tracks[0].position_keys[1]", nlm_stick, STICK_TRACKS_AT + 36, 0x41B00000u, STICK_TRACKS_AT + 36},
    {"NLM-NAN", "tracks[0].scale_keys[0]", nlm_stick, STICK_TRACK_1_AT - 8, NAN_F, STICK_TRACK_1_AT - 16},
    {"NLM-QUAT", "tracks[1].rotation_keys[1]", nlm_stick, STICK_TRACK_1_AT + 20 + 16 + 20 + 16, 0,
     STICK_TRACK_1_AT + 20 + 16 + 20},
    {"NLM-NODE-DUPLICATE", "nodes[1]", nlm_stick, STICK_NODE_1_AT, 5, STICK_NODE_1_AT},
    {"NLM-NODE-CHILD", "nodes[1].children[0]", nlm_stick, STICK_NODE_1_AT + 72, 77, STICK_NODE_1_AT + 72},
    {"NLM-NODE-PARENTS", "nodes[2].children[0]", nlm_stick, STICK_NODE_2_AT + 72, 5, STICK_NODE_2_AT + 72},
    {"NLM-NODE-CYCLE", "nodes[1]", nlm_stick, STICK_NODE_1_AT + 72, 3, STICK_NODE_1_AT},
    {"NLM-NODE-ROOTS", "", nlm_stick, STICK_NODE_2_AT + 72, 5, STICK_NODES_AT - 4},
    {"NLM-NAN", "nodes[0]", nlm_stick, STICK_NODES_AT + 4, NAN_F, STICK_NODES_AT},
};

static void hear_file(const buffer *file, const trilo_load_opts *opts, heard *h)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file->data, file->size, opts, &err);
    if (document)
        trilo_document_check(document, hear, h);
    else if (strcmp(err.rule, h->rule) == 0) {
        h->count = 1;
        h->offset = err.offset;
        snprintf(h->path, sizeof h->path, "%s", err.path);
    }
    trilo_document_free(document);
}

TEST(each_mutation_is_found)
{
    for (size_t i = 0; i < TL_COUNT_OF(mutations); i++) {
        const mutation *m = &mutations[i];
        buffer file = {0};
        heard h = {0};
        snprintf(h.rule, sizeof h.rule, "%s", m->rule);
        m->make(&file);
        if (strcmp(m->rule, "NLM-HEADER-12") != 0) {
            hear_file(&file, NULL, &h);
            if (h.count != 0)
                FAIL("%s is found in a good file", m->rule);
        }
        buffer_set_u32(&file, m->at, m->value);
        hear_file(&file, NULL, &h);
        buffer_free(&file);
        if (h.count == 0)
            FAIL("mutation %zu: %s at %s is not found", i, m->rule, m->path);
        CHECK_STR(h.path, m->path);
        if (h.offset != m->offset)
            FAIL("mutation %zu: %s points at %llu, not at %zu", i, m->rule, (unsigned long long)h.offset, m->offset);
    }
}

/* Rules that one changed word cannot reach. */
TEST(the_other_rules_are_found)
{
    buffer file = {0};
    heard texture = {.rule = "NLM-TEXTURE"}, odd = {.rule = "NLM-INDEX-COUNT"}, forced = odd,
          depth = {.rule = "NLM-NODE-DEPTH"};
    heard magic = {.rule = "NLM-MAGIC"}, unknown = {.rule = "FILE-UNKNOWN"};
    nlm_square(&file);
    buffer_set_u32(&file, SQUARE_TEXTURE_AT, 4);
    buffer_u32(&file, 0x12345678);
    hear_file(&file, NULL, &texture);
    CHECK_INT(texture.count, 1);
    CHECK_INT(texture.offset, SQUARE_TEXTURE_AT + 4);
    buffer_free(&file);

    nlm_square(&file); /* five indices: the sixth becomes the size of an empty texture, its own size trails */
    buffer_set_u32(&file, SQUARE_INDEX_COUNT_AT, 5);
    buffer_set_u32(&file, SQUARE_INDICES_AT + 20, 0);
    hear_file(&file, NULL, &odd);
    CHECK_INT(odd.count, 1);
    CHECK_INT(odd.offset, SQUARE_INDEX_COUNT_AT);
    buffer_free(&file);

    nlm_line12(&file);
    hear_file(&file, &(trilo_load_opts){.nlm = &(trilo_nlm_load_opts){.topology = TRILO_NLM_TOPOLOGY_TRIANGLES}},
              &forced);
    CHECK_INT(forced.count, 1);
    hear_file(&(buffer){(uint8_t[]){1, 2, 3}, 3}, &(trilo_load_opts){.format = TRILO_FORMAT_NLM}, &magic);
    CHECK_INT(magic.count, 1);
    hear_file(&(buffer){(uint8_t[]){1, 2, 3}, 3}, NULL, &unknown);
    CHECK_INT(unknown.count, 1);
    buffer_free(&file);

    nlm_stick(&file);
    hear_file(&file, &(trilo_load_opts){.limits.depth = 1}, &depth);
    CHECK_INT(depth.count, 1);
    buffer_free(&file);
}

/* Findings repeat for each mesh and rule, not for each vertex. */
TEST(many_cases_make_one_finding)
{
    buffer file = {0};
    heard h = {.rule = "NLM-INDEX-RANGE"};
    nlm_square(&file);
    for (size_t i = 0; i < 6; i++)
        buffer_set_u32(&file, SQUARE_INDICES_AT + 4 * i, 100);
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
    const trilo_tally tally = trilo_document_check(document, hear, &h);
    CHECK_INT(h.count, 1);
    CHECK_INT(tally.errors, 1);
    trilo_document_free(document);
    buffer_free(&file);
}

TEST(strict_refuses_warnings)
{
    buffer file = {0};
    trilo_error err = {0};
    nlm_square(&file);
    buffer_set_u32(&file, SQUARE_VERTICES_AT, NAN_F);
    const trilo_load_opts strict = {.strict = true};
    CHECK(trilo_model_load(file.data, file.size, &strict, &err) == NULL);
    CHECK_STR(err.rule, "NLM-NAN");
    trilo_model_free(load(&file, NULL));
    buffer_free(&file);
}

/* --- the engine's own files --- */

typedef struct expected {
    const char *name;
    uint32_t meshes, vertices, indices;
    trilo_topology topology;
    uint32_t texture_size;
} expected;

/* Counted by an independent reader. */
static const expected corpus[] = {
    {"arrow", 1, 46, 84, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"cube", 1, 24, 36, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"error_model", 1, 1, 2, TRILO_TOPOLOGY_LINES, 0},
    {"green_apple", 1, 14760, 82602, TRILO_TOPOLOGY_TRIANGLES, 562560},
    {"grid1", 45, 1080, 1620, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"quad", 1, 4, 6, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"ring", 1, 128, 192, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"semicircle", 1, 102, 192, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"smooth_vase", 1, 10230, 30888, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"sphere", 1, 1986, 11904, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"trotting_cat", 6, 2366, 3546, TRILO_TOPOLOGY_TRIANGLES, 0},
    {"wire_cube", 1, 8, 26, TRILO_TOPOLOGY_LINES, 0},
    {"wire_line", 1, 2, 4, TRILO_TOPOLOGY_LINES, 0},
    {"wire_plane", 1, 4, 10, TRILO_TOPOLOGY_LINES, 0},
    {"wire_sphere", 1, 102, 432, TRILO_TOPOLOGY_LINES, 0},
};

static uint8_t *read_corpus(const char *name, size_t *size)
{
    char path[64];
    snprintf(path, sizeof path, "nlm/%s.nlm", name);
    uint8_t *bytes = test_read_file(test_corpus(path), size);
    CHECK(bytes);
    return bytes;
}

TEST(corpus_is_read_and_written)
{
    for (size_t i = 0; i < TL_COUNT_OF(corpus); i++) {
        size_t size;
        meter m = {0};
        uint8_t *bytes = read_corpus(corpus[i].name, &size);
        CHECK_INT(exercise(bytes, size, &m, 0), EXERCISE_MODEL); /* no error; rewritten byte for byte; encoded again */
        const trilo_model *model = trilo_model_load(bytes, size, NULL, NULL);
        uint32_t vertices = 0, indices = 0;
        CHECK_INT(model->mesh_count, corpus[i].meshes);
        for (uint32_t k = 0; k < model->mesh_count; k++) {
            vertices += model->meshes[k].vertex_count;
            indices += model->meshes[k].index_count;
            CHECK_INT(model->meshes[k].topology, corpus[i].topology);
        }
        CHECK_INT(vertices, corpus[i].vertices);
        CHECK_INT(indices, corpus[i].indices);
        CHECK_INT(model->texture_count ? model->textures[0].bytes.size : 0, corpus[i].texture_size);
        trilo_model_free(model);
        free(bytes);
    }
}

TEST(corpus_apple_has_a_jpeg)
{
    size_t size;
    uint8_t *bytes = read_corpus("green_apple", &size);
    const trilo_model *model = trilo_model_load(bytes, size, NULL, NULL);
    CHECK_INT(model->textures[0].kind, TRILO_IMAGE_KIND_JPEG);
    CHECK(model->textures[0].width > 0 && model->textures[0].height > 0);
    trilo_model_free(model);
    free(bytes);
}

/* Worked out in double precision by a separate program from the format's rules: seconds, vertex, place. */
static const struct {
    double seconds;
    uint32_t vertex;
    float place[3];
} cat_places[] = {
    {0, 0, {0.020517f, 0.132202f, 1.022599f}},           {0, 500, {0.078798f, -0.123233f, 0.846458f}},
    {0, 1500, {-0.051999f, -0.222418f, 0.798546f}},      {0.1, 0, {0.021958f, 0.112132f, 1.021574f}},
    {0.1, 500, {0.071021f, -0.152307f, 0.846646f}},      {0.1, 1500, {-0.051999f, -0.209467f, 0.815073f}},
    {0.4175, 0, {0.009545f, 0.132165f, 1.022432f}},      {0.4175, 500, {0.005380f, -0.125649f, 0.848754f}},
    {0.4175, 1500, {-0.052023f, -0.272537f, 1.114229f}}, {0.8, 0, {0.019498f, 0.137020f, 1.022774f}},
    {0.8, 500, {0.079321f, -0.116909f, 0.846606f}},      {0.8, 1500, {-0.051999f, -0.225242f, 0.796528f}},
};

TEST(corpus_cat_trots)
{
    size_t size;
    uint8_t *bytes = read_corpus("trotting_cat", &size);
    const trilo_model *model = trilo_model_load(bytes, size, NULL, NULL);
    CHECK_INT(model->node_count, 156);
    CHECK_INT(model->skins[0].joint_count, 83);
    CHECK_NEAR(model->clips[0].duration, 0.8, 1e-9);
    CHECK(model->resized);
    float(*positions)[3] = calloc(model->meshes[0].vertex_count, sizeof *positions);
    CHECK(positions);
    for (size_t i = 0; i < TL_COUNT_OF(cat_places); i++) {
        pose_mesh(model, cat_places[i].seconds, positions);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(positions[cat_places[i].vertex][k], cat_places[i].place[k], 2e-6);
    }
    free(positions);
    trilo_model_free(model);
    free(bytes);
}

TEST_MAIN(CASE(tables_are_valid), CASE(tables_have_the_sizes_of_the_format), CASE(vertex_struct_is_the_record),
          CASE(square_is_read), CASE(size_is_restored), CASE(old_header_and_lines_are_read),
          CASE(both_magic_orders_are_read), CASE(topology_is_guessed_or_forced), CASE(stick_is_read),
          CASE(bone_indices_with_a_gap), CASE(stick_moves), CASE(quaternions_as_the_document_has_them),
          CASE(texture_is_read_dropped_and_replaced), CASE(views_copy_only_where_they_must),
          CASE(square_is_encoded_to_the_same_bytes), CASE(old_header_is_written),
          CASE(stick_is_encoded_to_the_same_motion), CASE(each_mutation_is_found), CASE(the_other_rules_are_found),
          CASE(many_cases_make_one_finding), CASE(strict_refuses_warnings), CASE(corpus_is_read_and_written),
          CASE(corpus_apple_has_a_jpeg), CASE(corpus_cat_trots))
