/* The N64 model format at file level: tables, reading, every rule of the check, what is decoded, and where bytes go. */
#include "formats/model64/model64.h"
#include "harness.h"
#include "support/buffer.h"
#include "support/exercise.h"
#include "support/model64_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Floats as they stand in a file. */
enum {
    ZERO_POINT_4_MILLI = 0x39D1B717,
    MILLI = 0x3A83126F,
    FOUR_MILLI = 0x3B83126F,
    HALF = 0x3F000000,
    ONE = 0x3F800000
};

/* --- the tables --- */

TEST(tables_are_valid)
{
    static const struct {
        const tl_layout *table;
        size_t size;
    } tables[] = {{&tl_model64_header, 32}, {&tl_model64_main, 28},   {&tl_model64_animation, 12},
                  {&tl_model64_frame, 12},  {&tl_model64_vertex, 16}, {&tl_model64_command, 8}};
    for (size_t i = 0; i < TL_COUNT_OF(tables); i++) {
        trilo_error err = {0};
        if (!tl_layout_ok(tables[i].table, 0, &err))
            FAIL("%s", err.text);
        CHECK_INT(tl_layout_size(tables[i].table, 0), tables[i].size);
        for (size_t k = 0; k < tables[i].table->field_count; k++) /* the format has one version */
            CHECK(tables[i].table->fields[k].since == 0 && tables[i].table->fields[k].until == 0);
    }
    for (size_t k = 0; k < tl_model64_vertex.field_count; k++) /* and any number may stand in a vertex */
        CHECK(tl_model64_vertex.fields[k].min == 0 && tl_model64_vertex.fields[k].max == 0);
    CHECK_INT(MODEL64_VERTEX_SIZE, 16);
    CHECK_INT(TL_F3DEX_VERTEX_SIZE, 16);
}

TEST(every_rule_is_written)
{
    for (size_t i = 0; i < MODEL64_RULE_COUNT; i++) {
        const trilo_rule *rule = &tl_model64_rules[i];
        CHECK(rule->name && strncmp(rule->name, "M64-", 4) == 0);
        CHECK(rule->cause && rule->cause[0] && rule->cure && rule->cure[0]);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(rule->name, tl_model64_rules[k].name) != 0);
    }
}

/* --- opening --- */

static trilo_document *open_file(const buffer *file, const trilo_load_opts *opts)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file->data, file->size, opts, &err);
    if (!document)
        FAIL("%s: %s: %s", err.rule, err.path, err.text);
    return document;
}

static const trilo_model *load(const buffer *file, const trilo_load_opts *opts)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(file->data, file->size, opts, &err);
    if (!model)
        FAIL("%s: %s: %s", err.rule, err.path, err.text);
    return model;
}

static void fail_finding(void *user, const trilo_finding *finding)
{
    (void)user;
    FAIL("%s at %s: %s", finding->rule, finding->path, finding->text);
}

TEST(whole_files_have_no_finding)
{
    void (*const makers[])(buffer *) = {model64_box, model64_pennant};
    for (size_t i = 0; i < TL_COUNT_OF(makers); i++) {
        buffer file = {0};
        makers[i](&file);
        trilo_document *document =
            open_file(&file, &(trilo_load_opts){.check_profile = TRILO_CHECK_PROFILE_THORNMARKED});
        CHECK_INT(trilo_document_format(document), TRILO_FORMAT_MODEL64);
        CHECK_INT(trilo_document_version(document), 1);
        trilo_document_check(document, fail_finding, NULL);
        trilo_document_free(document);
        buffer_free(&file);
    }
}

/* --- what is decoded --- */

TEST(box_is_decoded)
{
    static const int16_t corners[8][3] = {{-32, -32, 32}, {32, -32, 32},   {-32, 32, 32}, {-32, 32, -32},
                                          {32, 32, 32},   {-32, -32, -32}, {32, 32, -32}, {32, -32, -32}};
    static const uint8_t triangles[12][3] = {{0, 1, 2}, {2, 3, 0}, {2, 4, 3}, {4, 2, 1}, {5, 0, 3}, {0, 5, 1},
                                             {6, 3, 4}, {3, 6, 5}, {6, 4, 7}, {1, 7, 4}, {7, 5, 6}, {7, 1, 5}};
    buffer file = {0};
    model64_box(&file);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->mesh_count, 1);
    CHECK_INT(model->material_count, 1);
    CHECK_INT(model->clip_count, 0);
    CHECK_STR(model->materials[0].name.data, "slot0");
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->vertex_count, 8);
    CHECK_INT(mesh->index_count, 36);
    CHECK(!mesh->colors && !mesh->normals && !mesh->uvs);
    for (int t = 0; t < 12; t++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                CHECK(mesh->positions[mesh->indices[3 * t + c]][k] == corners[triangles[t][c]][k]);
    trilo_model_free(model);
    buffer_free(&file);
}

/* A corner of the pennant: vertex i, or with changes. */
static void check_corner(const trilo_mesh *mesh, uint32_t index, int i, const float uv[2], const uint8_t rgba[4])
{
    const uint32_t v = mesh->indices[index];
    CHECK(mesh->positions[v][0] == (float)(10 * i));
    CHECK(mesh->positions[v][1] == (float)(i * i));
    CHECK(mesh->positions[v][2] == (float)-i);
    CHECK(mesh->uvs[v][0] == (uv ? uv[0] : (float)(64 * i) / 2048));
    CHECK(mesh->uvs[v][1] == (uv ? uv[1] : (float)(-32 * i) / 2048));
    const uint8_t own[4] = {(uint8_t)(10 * i), (uint8_t)(20 + i), 200, 255};
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(mesh->colors[v][k], (rgba ? rgba : own)[k] / 255.0, 1e-7);
}

TEST(pennant_is_decoded)
{
    static const float uv[2] = {100.0f / 2048, -100.0f / 2048};
    static const uint8_t rgba[4] = {1, 2, 3, 4};
    buffer file = {0};
    model64_pennant(&file);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->format, TRILO_FORMAT_MODEL64);
    CHECK_INT(model->mesh_count, 2);
    CHECK_INT(model->material_count, 2);
    CHECK_STR(model->materials[1].name.data, "slot1");
    const trilo_mesh *a = &model->meshes[0], *b = &model->meshes[1];
    CHECK_INT(a->material, 0);
    CHECK_INT(b->material, 1);
    CHECK_INT(a->node, TRILO_NONE);
    CHECK_INT(a->skin, TRILO_NONE);
    CHECK_INT(a->vertex_count, 6); /* four, and two that were changed */
    CHECK_INT(a->index_count, 9);
    static const int plain[6] = {0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < 6; i++)
        check_corner(a, i, plain[i], NULL, NULL);
    check_corner(a, 6, 0, NULL, NULL);
    check_corner(a, 7, 1, uv, NULL);
    check_corner(a, 8, 2, NULL, rgba);
    CHECK_INT(a->indices[6], a->indices[0]);
    CHECK_INT(b->index_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        check_corner(b, i, 3 + (int)i, NULL, NULL);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(pennant_moves)
{
    buffer file = {0};
    model64_pennant(&file);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->clip_count, 2);
    const trilo_clip *clip = &model->clips[0];
    CHECK_STR(clip->name.data, "");
    CHECK(clip->duration == 1 && clip->rate == 0);
    CHECK_INT(clip->channel_count, 0);
    CHECK_INT(clip->track_count, 2);
    for (uint32_t m = 0; m < 2; m++) {
        const trilo_track *track = &clip->tracks[m];
        CHECK_INT(track->mesh, m);
        CHECK_INT(track->frame_count, 3);
        CHECK(track->frames[0].time == 0 && track->frames[1].time == 0.5 && track->frames[2].time == 1);
        CHECK(track->frames[2].positions == track->frames[0].positions); /* one block */
        CHECK(!track->frames[0].normals);
        for (uint32_t i = 0; i < model->meshes[m].vertex_count; i++) {
            CHECK(track->frames[0].positions[i][0] == model->meshes[m].positions[i][0] + 100);
            CHECK(track->frames[1].positions[i][0] == model->meshes[m].positions[i][0] + 200);
            CHECK(track->frames[1].positions[i][1] == model->meshes[m].positions[i][1]);
        }
    }
    CHECK_INT(model->clips[1].tracks[1].frame_count, 1);
    CHECK(model->clips[1].tracks[0].frames[0].positions[0][0] == model->meshes[0].positions[0][0] + 300);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(bits_of_texture_coordinates)
{
    static const struct {
        uint32_t bits;
        float unit;
    } cases[] = {{0, 2048}, {11, 2048}, {10, 1024}, {1, 2}, {31, 2147483648.0f}};
    buffer file = {0};
    model64_pennant(&file);
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        const trilo_model *model =
            load(&file, &(trilo_load_opts){.model64 = &(trilo_model64_load_opts){.texcoord_bits = cases[i].bits}});
        const trilo_mesh *mesh = &model->meshes[1];
        CHECK(mesh->uvs[mesh->indices[0]][0] == 192 / cases[i].unit); /* of vertex 3 */
        trilo_model_free(model);
    }
    trilo_error err = {0};
    CHECK(!trilo_model_load(file.data, file.size,
                            &(trilo_load_opts){.model64 = &(trilo_model64_load_opts){.texcoord_bits = 32}}, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    buffer_free(&file);
}

/* --- colours or normals --- */

static void set_colors(buffer *file, uint32_t value)
{
    for (size_t at = PENNANT_VERTICES; at < PENNANT_SIZE; at += 16)
        model64_set(file, at + 12, 4, value);
}

typedef struct read_as {
    bool normals, colors;
} read_as;

static read_as read_colors(const buffer *file, trilo_model64_colors colors, uint32_t mesh)
{
    const trilo_model *model = load(file, &(trilo_load_opts){.model64 = &(trilo_model64_load_opts){.colors = colors}});
    const read_as result = {model->meshes[mesh].normals != NULL, model->meshes[mesh].colors != NULL};
    trilo_model_free(model);
    return result;
}

static void check_colors(const buffer *file, trilo_model64_colors colors, bool normals, bool rgba)
{
    const read_as got = read_colors(file, colors, 1); /* the slot without changes of colour */
    CHECK_INT(got.normals, normals);
    CHECK_INT(got.colors, rgba);
}

/* (0, 0, 127) is as long as a normal, (60, 60, 60) has length 103.9, (57, 57, 57) 98.7, and -100, -100, -100 173.2. */
TEST(colors_are_told_from_normals)
{
    buffer file = {0};
    model64_pennant(&file);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, false, true);
    check_colors(&file, TRILO_MODEL64_COLORS_NORMALS, true, false);
    check_colors(&file, TRILO_MODEL64_COLORS_NONE, false, false);
    set_colors(&file, 0x00007F00);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, true, false);
    check_colors(&file, TRILO_MODEL64_COLORS_RGBA, false, true);
    set_colors(&file, 0x3C3C3C00);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, true, false);
    set_colors(&file, 0x39393900);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, false, true);
    set_colors(&file, 0x9C9C9C00);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, false, true);
    set_colors(&file, 0x00007F01); /* alpha */
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, false, true);
    set_colors(&file, 0);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, false, false);
    buffer_free(&file);
}

/* Half of the vectors are enough, less are not. */
TEST(half_of_the_normals_decide)
{
    buffer file = {0};
    model64_pennant(&file);
    set_colors(&file, 0x00007F00);
    for (size_t i = 0; i < 3; i++)
        model64_set(&file, PENNANT_VERTICES + 16 * i + 12, 4, 0x05050500);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, true, false);
    model64_set(&file, PENNANT_VERTICES + 16 * 3 + 12, 4, 0x05050500);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, false, true);
    buffer_free(&file);
}

TEST(lighting_means_normals)
{
    buffer file = {0};
    model64_pennant(&file);
    model64_set(&file, PENNANT_LIST_0 + 32, 4, 0xD9FFFFFF); /* instead of the last triangle */
    model64_set(&file, PENNANT_LIST_0 + 36, 4, 0x00020000);
    check_colors(&file, TRILO_MODEL64_COLORS_AUTO, true, false);
    buffer_free(&file);
}

/* Normals keep their length; the changed corner makes colours, white elsewhere. */
TEST(normals_are_decoded)
{
    buffer file = {0};
    model64_pennant(&file);
    set_colors(&file, 0x80002000);
    const trilo_model *model = load(&file, NULL);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK(mesh->normals && mesh->colors);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        CHECK(mesh->normals[i][0] == -1 && mesh->normals[i][1] == 0 && mesh->normals[i][2] == 0.25f);
        CHECK(mesh->colors[i][0] == (i == mesh->indices[8] ? 1.0f / 255 : 1));
    }
    CHECK(!model->meshes[1].colors);
    CHECK(!model->clips[0].tracks[0].frames[1].normals); /* all blocks have the same */
    trilo_model_free(model);

    model64_set(&file, PENNANT_BLOCKS + PENNANT_BLOCK + 12, 1, 0x40); /* vertex 0 of block 1 */
    model = load(&file, NULL);
    CHECK(!model->clips[0].tracks[0].frames[0].normals);
    CHECK(model->clips[0].tracks[0].frames[1].normals);
    CHECK(model->clips[0].tracks[0].frames[1].normals[model->meshes[0].indices[0]][0] == 0.5f);
    CHECK(model->clips[0].tracks[0].frames[1].normals[model->meshes[0].indices[1]][0] == -1);
    CHECK(!model->clips[0].tracks[1].frames[1].normals); /* slot 1 does not have vertex 0 */
    trilo_model_free(model);
    buffer_free(&file);
}

/* --- unusual files --- */

/* Of equal times the later frame counts. */
TEST(equal_times_become_one)
{
    buffer file = {0};
    model64_pennant(&file);
    model64_set(&file, PENNANT_FRAMES + 24, 4, HALF); /* frame 2 starts with frame 1 */
    const trilo_model *model = load(&file, NULL);
    const trilo_track *track = &model->clips[0].tracks[0];
    CHECK_INT(track->frame_count, 2);
    CHECK(track->frames[1].time == 0.5);
    CHECK(track->frames[1].positions == track->frames[0].positions); /* block 0 again */
    trilo_model_free(model);
    buffer_free(&file);
}

TEST(durations)
{
    static const struct {
        uint32_t bits;
        double want;
    } cases[] = {{0x40000000, 2}, {0x3F800000, 1}, {0x3F000000, 1}, {0, 1}, {0xBF800000, 1}};
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        buffer file = {0};
        model64_pennant(&file);
        model64_set(&file, PENNANT_ANIMATIONS, 4, cases[i].bits);
        const trilo_model *model = load(&file, NULL);
        CHECK(model->clips[0].duration == cases[i].want);
        trilo_model_free(model);
        buffer_free(&file);
    }
}

TEST(an_animation_without_frames)
{
    buffer file = {0};
    model64_pennant(&file);
    model64_set(&file, PENNANT_ANIMATIONS + 4, 4, 0);
    model64_set(&file, PENNANT_ANIMATIONS + 8, 4, 0);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->clip_count, 2);
    CHECK_INT(model->clips[0].track_count, 0);
    CHECK(model->clips[0].duration == 1);
    CHECK_INT(model->clips[1].track_count, 2);
    trilo_model_free(model);
    buffer_free(&file);
}

/* The first frame takes the place of default vertices. */
TEST(no_default_vertices)
{
    buffer file = {0};
    model64_pennant(&file);
    model64_set(&file, PENNANT_MAIN, 4, 0);
    const trilo_model *model = load(&file, NULL);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK(mesh->positions[mesh->indices[1]][0] == 110);
    CHECK(model->clips[0].tracks[0].frames[0].positions[mesh->indices[1]][0] == 110);
    trilo_model_free(model);
    buffer_free(&file);
}

/* Slot 2 alone: three materials, one mesh. */
TEST(slots_keep_their_number)
{
    buffer file = {0};
    model64_box(&file);
    model64_set(&file, 32 + 4, 4, 0);
    model64_set(&file, 32 + 12, 4, 0x20);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->mesh_count, 1);
    CHECK_INT(model->meshes[0].material, 2);
    CHECK_INT(model->material_count, 3);
    CHECK_STR(model->materials[2].name.data, "slot2");
    trilo_model_free(model);
    buffer_free(&file);
}

/* A single triangle, then the same one as the first of a pair: one of them is left out. */
TEST(duplicates_are_left_out)
{
    buffer file = {0};
    model64_box(&file);
    model64_set(&file, 0x48, 4, 0x05040806); /* 2,4,3 in front of the pair 2,4,3 and 4,2,1 */
    model64_set(&file, 0x4C, 4, 0);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->meshes[0].index_count, 3 * 11 - 3); /* 12, one less, and 1 duplicate */
    trilo_model_free(model);
    buffer_free(&file);
}

/* A list that loads and draws nothing makes no mesh. */
TEST(a_list_without_triangles)
{
    buffer file = {0};
    model64_box(&file);
    model64_set(&file, 0x48, 4, 0xDF000000);
    model64_set(&file, 0x4C, 4, 0);
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->mesh_count, 0);
    CHECK_INT(model->material_count, 0);
    trilo_model_free(model);
    buffer_free(&file);
}

/* The vertex section in front of the main section, and frames behind the vertices: only offsets count. */
TEST(any_order_is_read)
{
    buffer file = {0}, moved = {0};
    model64_pennant(&file);
    buffer_sink(&moved, file.data, 32);
    buffer_sink(&moved, file.data + PENNANT_BLOCKS, 288);
    buffer_sink(&moved, file.data + PENNANT_MAIN, 288);
    buffer_sink(&moved, file.data + PENNANT_FRAMES, 48);
    model64_set(&moved, 16, 4, 320);
    model64_set(&moved, 20, 4, 336);
    model64_set(&moved, 24, 4, 32);
    model64_set(&moved, 320 + 28 + 8, 4, 288);
    model64_set(&moved, 320 + 40 + 8, 4, 288 + 36);
    memset(moved.data + 320 + 52, 0xEE, 48);
    trilo_document *document = open_file(&moved, NULL);
    trilo_document_check(document, fail_finding, NULL);
    trilo_document_free(document);
    const trilo_model *a = load(&file, NULL), *b = load(&moved, NULL);
    CHECK_INT(b->mesh_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        CHECK(memcmp(a->clips[0].tracks[i].frames[1].positions, b->clips[0].tracks[i].frames[1].positions,
                     a->meshes[i].vertex_count * sizeof(float[3])) == 0);
    trilo_model_free(a);
    trilo_model_free(b);
    buffer_free(&file);
    buffer_free(&moved);
}

/* --- writing --- */

static void check_rewrite(const buffer *file)
{
    buffer copy = {0};
    trilo_error err = {0};
    trilo_document *document = open_file(file, NULL);
    CHECK(trilo_document_write(document, NULL, buffer_sink, &copy, &err));
    trilo_document_free(document);
    CHECK_INT(copy.size, file->size);
    CHECK(memcmp(copy.data, file->data, file->size) == 0);
    buffer_free(&copy);
}

TEST(rewriting_gives_the_same_bytes)
{
    buffer file = {0};
    model64_box(&file);
    check_rewrite(&file);
    buffer_free(&file);
    model64_pennant(&file);
    check_rewrite(&file);
    memset(file.data + 132, 0xAB, 12); /* padding that is not zero */
    memset(file.data + 5, 0xCD, 11);
    buffer_sink(&file, "more", 4);
    check_rewrite(&file);
    buffer_free(&file);
}

/* Sections on top of each other and of the header, lists on top of frames, frames that overlap by half. */
TEST(overlapping_pieces_are_rewritten)
{
    static const struct {
        size_t at;
        uint32_t value;
    } changes[] = {{24, 64},
                   {24, 0},
                   {24, 16},
                   {32 + 4, 56},
                   {32 + 4, 8},
                   {32, 50},
                   {32, 113},
                   {68, 61},
                   {PENNANT_FRAMES + 20, 48},
                   {PENNANT_FRAMES + 20, 1},
                   {16, 48},
                   {16, 40},
                   {32 + 8, 116}};
    for (size_t i = 0; i < TL_COUNT_OF(changes); i++) {
        buffer file = {0};
        trilo_error err = {0};
        meter m = {0};
        model64_pennant(&file);
        model64_set(&file, changes[i].at, 4, changes[i].value);
        trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
        trilo_document_free(document);
        if (document)
            check_rewrite(&file);
        exercise(file.data, file.size, &m, 1 << 20);
        buffer_free(&file);
    }
}

/* An encoder gives structs and pieces; there is no file to take bytes from. */
TEST(pieces_without_a_file_are_written)
{
    static const uint8_t list[8] = {0xDF};
    const model64_piece pieces[] = {{32 + 48, 8, list}};
    model64_animation animation = {.head = {.duration = 1}};
    const model64_file file = {.size = 112,
                               .header = {{'M', 'o', 'd', 'e', 'l'}, {0}, 32, 80, 112, 0},
                               .head = {.lists = {48}, .animation_count = 1},
                               .animations = &animation,
                               .piece_count = 1,
                               .pieces = pieces};
    buffer out = {0};
    tl_sink sink = {.fn = buffer_sink, .user = &out};
    tl_model64_write(&file, &sink);
    CHECK_INT(out.size, 112);
    CHECK_INT(model64_get(&out, 0, 4), 0x4D6F6465);
    CHECK_INT(model64_get(&out, 20, 4), 80);
    CHECK_INT(model64_get(&out, 36, 4), 48);
    CHECK_INT(model64_get(&out, 52, 4), 1);
    CHECK_INT(model64_get(&out, 60, 4), ONE);
    CHECK_INT(model64_get(&out, 72, 4), 0);
    CHECK_INT(model64_get(&out, 80, 4), 0xDF000000);
    CHECK_INT(model64_get(&out, 108, 4), 0);
    buffer_free(&out);
}

/* --- findings --- */

typedef struct heard {
    const char *rule;
    size_t count;
    char path[112], text[208];
    uint64_t offset;
    trilo_severity severity;
} heard;

static void hear(void *user, const trilo_finding *finding)
{
    heard *h = user;
    if (strcmp(finding->rule, h->rule) != 0 || h->count++ > 0)
        return;
    snprintf(h->path, sizeof h->path, "%s", finding->path);
    snprintf(h->text, sizeof h->text, "%s", finding->text);
    h->offset = finding->offset;
    h->severity = finding->severity;
}

static heard listen(const buffer *file, const char *rule, const trilo_load_opts *opts)
{
    heard h = {.rule = rule};
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file->data, file->size, opts, &err);
    if (document)
        trilo_document_check(document, hear, &h);
    else
        hear(&h, &(trilo_finding){TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, err.rule, err.offset, err.path,
                                  err.text});
    trilo_document_free(document);
    return h;
}

typedef struct mutation {
    const char *rule, *path;
    size_t at, width;
    uint32_t value;
    size_t found;
} mutation;

#define ANIM(i)  (PENNANT_ANIMATIONS + 12 * (i))
#define FRAME(i) (PENNANT_FRAMES + 12 * (i))
#define CMD0(i)  (PENNANT_LIST_0 + 8 * (i))
#define CMD1(i)  (PENNANT_LIST_1 + 8 * (i))

/* One number of the pennant is changed. */
static const mutation mutations[] = {
    {"M64-SECTION", "header.main_at", 16, 4, 0xFFFFFFF0, 16},
    {"M64-SECTION", "header.main_at", 20, 4, 1000, 16},
    {"M64-SECTION", "", 20, 4, 27, 32},
    {"M64-SECTION", "header.vertex_at", 28, 4, 289, 24},
    {"M64-OVERLAP", "header.vertex_at", 24, 4, 64, 24},
    {"M64-OVERLAP", "header.vertex_at", 24, 4, 16, 24},
    {"M64-FRAME-SIZE", "main.frame_size", 56, 4, 90, 56},
    {"M64-ANIMATIONS", "main.animation_count", 52, 4, 0xFFFFFFFF, 52},
    {"M64-ANIMATIONS", "", 52, 4, 22, 52}, /* 260 bytes hold 21 */
    {"M64-FRAMES", "animations[0].frame_count", ANIM(0) + 4, 4, 0x80000000, ANIM(0) + 4},
    {"M64-FRAMES", "animations[1].frames_at", ANIM(1) + 8, 4, 0, ANIM(1) + 8},
    {"M64-FRAMES", "animations[0]", ANIM(0) + 8, 4, 253, ANIM(0)}, /* 3 of them end at 289 */
    {"M64-DEFAULT-BLOCK", "main.vertices", 32, 4, 193, 32},
    {"M64-NO-DEFAULT", "main.vertices", 32, 4, 0, 32},
    {"M64-FRAME-BLOCK", "animations[0].frames[1].vertices", FRAME(1) + 8, 4, 193, FRAME(1) + 8},
    {"M64-FRAME-BLOCK", "animations[1].frames[0].vertices", FRAME(3) + 8, 4, 0xFFFFFFA0, FRAME(3) + 8},
    {"M64-FRAME-OVERLAP", "", FRAME(1) + 8, 4, 80, PENNANT_BLOCKS + 80},
    {"M64-LIST", "lists[0]", 36, 4, 288, 36},
    {"M64-LIST", "lists[1]", 40, 4, 164, 40},
    {"M64-LIST", "lists[3]", 48, 4, 0xFFFFFFF8, 48},
    {"M64-LIST-END", "lists[1]", CMD1(2), 4, 0xE7000000, PENNANT_BLOCKS},
    {"M64-VERTEX-LOAD", "lists[0].commands[0]", CMD0(0), 4, 0x01000000, CMD0(0)},
    {"M64-VERTEX-LOAD", "lists[0].commands[0]", CMD0(0), 4, 0x01004006, CMD0(0)},
    {"M64-VERTEX-LOAD", "lists[1].commands[0]", CMD1(0), 4, 0x01003042, CMD1(0)},
    {"M64-VERTEX-LOAD", "lists[1].commands[0]", CMD1(0) + 4, 1, 2, CMD1(0)},
    {"M64-VERTEX-LOAD", "lists[1].commands[0]", CMD1(0) + 7, 1, 0x38, CMD1(0)},
    {"M64-VERTEX-LOAD", "lists[1].commands[0]", CMD1(0) + 7, 1, 0x40, CMD1(0)},
    {"M64-SLOT", "lists[0].commands[1]", CMD0(1) + 3, 1, 5, CMD0(1)},
    {"M64-SLOT", "lists[0].commands[1]", CMD0(1) + 7, 1, 8, CMD0(1)},
    {"M64-SLOT", "lists[0].commands[2]", CMD0(2) + 3, 1, 64, CMD0(2)},
    {"M64-SLOT", "lists[1].commands[1]", CMD1(1) + 1, 1, 0, CMD1(1)},
    {"M64-TIME", "animations[0].frames[1].time", FRAME(1), 4, 0xBF800000, FRAME(1)},
    {"M64-NAN", "animations[0]", ANIM(0), 4, 0x7FC00000, ANIM(0)},
    {"M64-NAN", "animations[0].frames[1].time", FRAME(1), 4, 0x7F800000, FRAME(1)},
    {"M64-NAN", "animations[0].frames[2].time", FRAME(2) + 4, 4, 0xFF800000, FRAME(2)},
    {"M64-TIME-EQUAL", "animations[0].frames[2].time", FRAME(2), 4, 0x3F000000, FRAME(2)},
    {"M64-PADDING", "header.padding", 15, 1, 1, 15},
    {"M64-ALIGN", "header.vertex_at", 24, 4, 316, 24},
    {"M64-ALIGN", "main.vertices", 32, 4, 184, 32},
    {"M64-ALIGN", "animations[0].frames[1].vertices", FRAME(1) + 8, 4, 104, FRAME(1) + 8},
    {"M64-ALIGN", "animations[1]", ANIM(1) + 8, 4, 86, ANIM(1) + 8},
    {"M64-RESERVED", "lists[0].commands[0]", CMD0(0) + 1, 1, 0x10, CMD0(0)},
    {"M64-RESERVED", "lists[0].commands[4]", CMD0(4) + 7, 1, 1, CMD0(4)},
    {"M64-RESERVED", "lists[0].commands[1]", CMD0(1) + 4, 1, 1, CMD0(1)},
    {"M64-FLAG", "vertices[2]", PENNANT_VERTICES + 2 * 16 + 7, 1, 1, PENNANT_VERTICES + 2 * 16 + 6},
    {"M64-FLAG", "", PENNANT_BLOCKS + PENNANT_BLOCK + 7, 1, 1, PENNANT_BLOCKS + PENNANT_BLOCK},
    {"M64-UNUSED", "vertices[4]", 40, 4, 0, PENNANT_VERTICES + 4 * 16},
    {"M64-SLOT-0", "", 36, 4, 0, 36},
    {"M64-ZERO-AREA", "lists[1].commands[1]", CMD1(1) + 3, 1, 0x3C, CMD1(1)},
    {"M64-INV-DT", "animations[0].frames[1].inv_dt", FRAME(1) + 4, 4, 0x3F800000, FRAME(1) + 4},
    {"M64-INV-DT", "animations[0].frames[2].inv_dt", FRAME(2) + 4, 4, 0x40000000, FRAME(2) + 4},
    {"M64-FIRST-TIME", "animations[0]", FRAME(0), 4, 0x3E800000, FRAME(0)},
    {"M64-DURATION", "animations[0]", ANIM(0), 4, 0x3F000000, ANIM(0)},
    {"M64-DURATION", "animations[1]", ANIM(1), 4, 0, ANIM(1)},
    {"M64-NO-FRAMES", "animations[1]", ANIM(1) + 4, 4, 0, ANIM(1)},
    {"M64-FRAME-CHANGES", "", PENNANT_BLOCKS + PENNANT_BLOCK + 9, 1, 77, PENNANT_BLOCKS + PENNANT_BLOCK},
    {"M64-FRAME-CHANGES", "", PENNANT_BLOCKS + 15, 1, 77, PENNANT_BLOCKS},
    {"M64-COMMAND", "lists[0].commands[2]", CMD0(2), 1, 0xE7, CMD0(2)},
    {"M64-COMMAND", "lists[0].commands[1]", CMD0(1), 1, 0x07, CMD0(1)},
    {"M64-NOT-EXECUTED", "lists[0].commands[2]", CMD0(2), 1, 0xDA, CMD0(2)},
    {"M64-NOT-EXECUTED", "lists[0].commands[2]", CMD0(2), 1, 0x55, CMD0(2)},
    {"M64-NOT-EXECUTED", "lists[0].commands[2]", CMD0(2) + 1, 1, 0x18, CMD0(2)},
    {"M64-NOT-EXECUTED", "lists[0].commands[2]", CMD0(2) + 1, 1, 0x11, CMD0(2)},
    {"M64-TRAILING", "", 28, 4, 272, 592},
};

TEST(each_mutation_is_found)
{
    for (size_t i = 0; i < TL_COUNT_OF(mutations); i++) {
        const mutation *m = &mutations[i];
        buffer file = {0};
        model64_pennant(&file);
        model64_set(&file, m->at, m->width, m->value);
        const heard h = listen(&file, m->rule, NULL);
        buffer_free(&file);
        if (h.count == 0)
            FAIL("mutation %zu: %s is not found", i, m->rule);
        if (strcmp(h.path, m->path) != 0)
            FAIL("mutation %zu: %s at \"%s\", not at \"%s\"", i, m->rule, h.path, m->path);
        if (h.offset != m->found)
            FAIL("mutation %zu: %s at byte %llu, not %zu", i, m->rule, (unsigned long long)h.offset, m->found);
        CHECK_INT(h.severity, trilo_rule_find(m->rule)->severity);
    }
}

static void expect(const buffer *file, const char *rule, const char *path, const trilo_load_opts *opts)
{
    const heard h = listen(file, rule, opts);
    if (h.count == 0)
        FAIL("%s is not found", rule);
    CHECK_STR(h.path, path);
}

/* Rules that one changed number of the pennant cannot reach. */
TEST(the_other_rules_are_found)
{
    const trilo_load_opts forced = {.format = TRILO_FORMAT_MODEL64};
    buffer file = {0};
    model64_pennant(&file);
    file.data[0] = 'N';
    expect(&file, "M64-MAGIC", "", &forced);
    file.size = 31;
    file.data[0] = 'M';
    expect(&file, "M64-TRUNCATED", "header", &forced);
    file.size = 0;
    expect(&file, "M64-TRUNCATED", "header", &forced);
    buffer_free(&file);

    model64_pennant(&file); /* neither default vertices nor frames */
    model64_set(&file, PENNANT_MAIN, 4, 0);
    model64_set(&file, 52, 4, 0);
    expect(&file, "M64-DEFAULT-BLOCK", "main.vertices", NULL);
    buffer_free(&file);

    model64_pennant(&file); /* block 1 is block 0 */
    memcpy(file.data + PENNANT_BLOCKS + PENNANT_BLOCK, file.data + PENNANT_BLOCKS, PENNANT_BLOCK);
    expect(&file, "M64-EQUAL-FRAMES", "", NULL);
    buffer_free(&file);

    model64_pennant(&file); /* positions of block 2 are all 0 */
    for (size_t i = 0; i < 6; i++)
        memset(file.data + PENNANT_BLOCKS + 2 * PENNANT_BLOCK + 16 * i, 0, 6);
    expect(&file, "M64-ZERO-FRAME", "", NULL);
    buffer_free(&file);

    model64_box(&file);
    memmove(file.data + 0x50, file.data + 0x48, 8); /* the pair of triangles in front once more */
    model64_set(&file, 0x48, 4, 0x05000204);
    model64_set(&file, 0x4C, 4, 0);
    expect(&file, "M64-DUPLICATE", "lists[0].commands[2]", NULL);
    buffer_free(&file);

    model64_box(&file);
    model64_set(&file, 36, 4, 0);
    expect(&file, "M64-EMPTY", "", NULL);
    CHECK_INT(listen(&file, "M64-SLOT-0", NULL).count, 0);
    buffer_free(&file);

    buffer box = {0}; /* the main section 4 bytes further */
    model64_box(&box);
    buffer_sink(&file, box.data, 36);
    buffer_sink(&file, box.data + 32, box.size - 32);
    buffer_free(&box);
    model64_set(&file, 16, 4, 36);
    model64_set(&file, 24, 4, 260);
    expect(&file, "M64-ALIGN", "header.main_at", NULL);
    expect(&file, "M64-TRAILING", "", NULL);
    buffer_free(&file);
}

/* Everything of a kind in a list is one finding, which says how many there are. */
TEST(many_are_one_finding)
{
    buffer file = {0};
    model64_box(&file);
    model64_set(&file, 0x40, 4, 0xE7000000); /* nothing is loaded: six commands draw empty slots */
    const heard h = listen(&file, "M64-SLOT", NULL);
    CHECK_INT(h.count, 1);
    CHECK_STR(h.path, "lists[0].commands[1]");
    CHECK(strstr(h.text, "the first of 6"));
    CHECK_INT(listen(&file, "M64-UNUSED", NULL).count, 1);
    buffer_free(&file);
}

/* A jump ends a list as well as its end does. */
TEST(a_jump_ends_a_list)
{
    buffer file = {0};
    model64_box(&file);
    model64_set(&file, 0x78, 4, 0xDE010000);
    CHECK_INT(listen(&file, "M64-LIST-END", NULL).count, 0);
    expect(&file, "M64-NOT-EXECUTED", "lists[0].commands[7]", NULL);
    buffer_free(&file);
}

/* Inverses are rounded; around a gap of 0.001 both ways are right. */
TEST(inverses_may_wobble)
{
    static const struct {
        uint32_t time, inverse;
        size_t findings;
    } cases[] = {{HALF, 0x40000001, 0},
                 {HALF, 0x3FFFFFFF, 0},
                 {HALF, 0x40100000, 1},  /* 2.25 */
                 {MILLI, 0x447A0000, 0}, /* 1000 */
                 {MILLI, 0, 0},
                 {FOUR_MILLI, 0, 1},
                 {ZERO_POINT_4_MILLI, 0, 0},
                 {ZERO_POINT_4_MILLI, 0x451C4000, 1}}; /* 2500 */
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        buffer file = {0};
        model64_pennant(&file);
        model64_set(&file, FRAME(1), 4, cases[i].time); /* the gap is that of frame 0 */
        model64_set(&file, FRAME(0) + 4, 4, cases[i].inverse);
        const heard h = listen(&file, "M64-INV-DT", NULL);
        const bool first = h.count > 0 && strcmp(h.path, "animations[0].frames[0].inv_dt") == 0;
        if (first != (cases[i].findings > 0))
            FAIL("case %zu: %s %s", i, h.path, h.text);
        buffer_free(&file);
    }
}

/* --- the game --- */

TEST(the_game_has_limits)
{
    const trilo_load_opts game = {.check_profile = TRILO_CHECK_PROFILE_THORNMARKED};
    buffer file = {0};
    model64_pennant(&file);
    uint8_t *zeros = calloc(16384, 1);
    CHECK(zeros);
    buffer_sink(&file, zeros, 16384);
    free(zeros);
    /* The main section behind everything, and so large that vertices of 5136 bytes fit: 288 + 10240. */
    memcpy(file.data + 608, file.data + 32, 288);
    model64_set(&file, 16, 4, 608);
    model64_set(&file, 20, 4, 10240);
    CHECK_INT(listen(&file, "M64-GAME-MAIN", &game).count, 0);
    model64_set(&file, 20, 4, 10256);
    expect(&file, "M64-GAME-MAIN", "header.main_size", &game);
    CHECK_INT(listen(&file, "M64-GAME-MAIN", NULL).count, 0);
    model64_set(&file, 608 + 24, 4, 5120);
    CHECK_INT(listen(&file, "M64-GAME-FRAME", &game).count, 0);
    model64_set(&file, 608 + 24, 4, 5136);
    expect(&file, "M64-GAME-FRAME", "main.frame_size", &game);
    model64_set(&file, 608 + 20, 4, 0); /* what does not move is drawn from the main section */
    CHECK_INT(listen(&file, "M64-GAME-FRAME", &game).count, 0);
    buffer_free(&file);

    model64_box(&file);
    model64_set(&file, 36, 4, 0);
    model64_set(&file, 40, 4, 0x20);
    expect(&file, "M64-GAME-SLOT-0", "main.lists", &game);
    CHECK_INT(listen(&file, "M64-GAME-SLOT-0", NULL).count, 0);
    buffer_free(&file);
}

/* --- hostile files --- */

/* 20 animations that all name the same 20 frames: 400, while 8 times 24 would do. */
TEST(frames_are_not_shared_without_end)
{
    buffer file = {0};
    model64_pennant(&file);
    model64_set(&file, 52, 4, 20);
    for (size_t i = 0; i < 20; i++) {
        model64_set(&file, PENNANT_ANIMATIONS + 12 * i, 4, ONE);
        model64_set(&file, PENNANT_ANIMATIONS + 12 * i + 4, 4, 20);
        model64_set(&file, PENNANT_ANIMATIONS + 12 * i + 8, 4, 28);
    }
    expect(&file, "M64-FRAMES", "animations[9]", NULL);
    buffer_free(&file);
}

/* A megabyte of frames with a place each in a block that is nearly as large as the section: quadratic time would take
 * minutes here. */
TEST(overlapping_blocks_cost_little)
{
    enum { FRAMES = 40000, BLOCK = 1 << 20, MAIN = 64 + 12 * FRAMES };
    const size_t size = 32 + MAIN + BLOCK + 16 * FRAMES;
    buffer file = {0};
    uint8_t *bytes = calloc(size, 1);
    CHECK(bytes);
    buffer_sink(&file, bytes, size);
    free(bytes);
    memcpy(file.data, "Model", 5);
    model64_set(&file, 16, 4, 32);
    model64_set(&file, 20, 4, MAIN);
    model64_set(&file, 24, 4, 32 + MAIN);
    model64_set(&file, 28, 4, (uint32_t)(size - 32 - MAIN));
    model64_set(&file, 52, 4, 1);
    model64_set(&file, 56, 4, BLOCK);
    model64_set(&file, 60, 4, ONE);
    model64_set(&file, 64, 4, FRAMES);
    model64_set(&file, 68, 4, 64);
    for (uint32_t i = 0; i < FRAMES; i++) {
        model64_set(&file, 96 + 12 * i, 4, 0x3F000000 + i);
        model64_set(&file, 96 + 12 * i + 8, 4, 16 * i);
    }
    CHECK_INT(listen(&file, "M64-FRAME-OVERLAP", NULL).count, 1);
    meter m = {0};
    exercise(file.data, file.size, &m, 64u << 20);
    buffer_free(&file);
}

/* --- listing --- */

typedef struct outline {
    uint32_t lists, frames, commands, vertices, blocks, texts;
    bool in_block;
    char last[96];
} outline;

static void outline_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    outline *o = user;
    (void)offset;
    if (!name)
        return;
    o->lists += strcmp(name, "lists") == 0 ? count : 0;
    o->frames += strcmp(name, "frames") == 0 ? count : 0;
    o->commands += strcmp(name, "commands") == 0 ? count : 0;
    o->vertices += strcmp(name, "vertices") == 0 ? count : 0;
    o->blocks += strcmp(name, "blocks") == 0 ? count : 0;
}

static void outline_record(void *user, const char *name, uint64_t offset)
{
    (void)user, (void)name, (void)offset;
}

static void outline_end(void *user)
{
    (void)user;
}

static void outline_field(void *user, const char *name, const trilo_value *value)
{
    outline *o = user;
    if (value->kind != TRILO_VALUE_KIND_TEXT)
        return;
    CHECK_STR(name, "text");
    o->texts++;
    snprintf(o->last, sizeof o->last, "%.*s", (int)value->as.blob.size, (const char *)value->as.blob.data);
}

TEST(pennant_is_listed)
{
    buffer file = {0};
    outline o = {0};
    const trilo_visitor visitor = {&o, outline_list, outline_end, outline_record, outline_end, outline_field};
    model64_pennant(&file);
    trilo_document *document = open_file(&file, NULL);
    trilo_document_visit(document, &visitor);
    trilo_document_free(document);
    CHECK_INT(o.lists, 4);
    CHECK_INT(o.frames, 4);
    CHECK_INT(o.commands, 9);
    CHECK_INT(o.blocks, 3);
    CHECK_INT(o.vertices, 6 + 3 * 6);
    CHECK_INT(o.texts, 9);
    CHECK_STR(o.last, "G_ENDDL");
    buffer_free(&file);
}

static void check_section(const trilo_section *s, const char *name, uint32_t count, uint64_t size)
{
    CHECK_STR(s->name, name);
    CHECK_INT(s->count, count);
    CHECK_INT(s->size, size);
}

TEST(bytes_go_to_sections)
{
    buffer file = {0};
    trilo_section s[16];
    model64_pennant(&file);
    trilo_document *document = open_file(&file, NULL);
    CHECK_INT(trilo_document_sections(document, s, 16), 7);
    trilo_document_free(document);
    check_section(&s[0], "headers", 2, 60);
    check_section(&s[1], "animations", 2, 24);
    check_section(&s[2], "frames", 4, 48);
    check_section(&s[3], "display lists", 2, 72);
    check_section(&s[4], "default vertices", 6, 96);
    check_section(&s[5], "frame vertices", 3, 288);
    check_section(&s[6], "padding and others", 1, 20);
    buffer_free(&file);
}

/* The reference names every record and every command. */
TEST(the_reference_is_whole)
{
    buffer text = {0};
    CHECK(trilo_format_reference(TRILO_FORMAT_MODEL64, buffer_sink, &text));
    buffer_sink(&text, "", 1);
    const char *const t = (const char *)text.data;
    CHECK(strstr(t, "### vertex") && strstr(t, "### animation") && strstr(t, "| inv_dt |"));
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        const char *name = tl_gfx_name(opcode);
        char row[64];
        snprintf(row, sizeof row, "| %02X | %s |", opcode, name ? name : "");
        CHECK(!name || strstr(t, row));
    }
    buffer_free(&text);
}

TEST_MAIN(CASE(tables_are_valid), CASE(every_rule_is_written), CASE(whole_files_have_no_finding), CASE(box_is_decoded),
          CASE(pennant_is_decoded), CASE(pennant_moves), CASE(bits_of_texture_coordinates),
          CASE(colors_are_told_from_normals), CASE(half_of_the_normals_decide), CASE(lighting_means_normals),
          CASE(normals_are_decoded), CASE(equal_times_become_one), CASE(durations), CASE(an_animation_without_frames),
          CASE(no_default_vertices), CASE(slots_keep_their_number), CASE(duplicates_are_left_out),
          CASE(a_list_without_triangles), CASE(any_order_is_read), CASE(rewriting_gives_the_same_bytes),
          CASE(overlapping_pieces_are_rewritten), CASE(pieces_without_a_file_are_written), CASE(each_mutation_is_found),
          CASE(the_other_rules_are_found), CASE(many_are_one_finding), CASE(a_jump_ends_a_list),
          CASE(inverses_may_wobble), CASE(the_game_has_limits), CASE(frames_are_not_shared_without_end),
          CASE(overlapping_blocks_cost_little), CASE(pennant_is_listed), CASE(bytes_go_to_sections),
          CASE(the_reference_is_whole))
