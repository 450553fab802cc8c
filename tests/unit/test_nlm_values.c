/* Every value of an NLM file: where the listing has it, which section counts it, what the decoder makes of it. */
#include "harness.h"
#include "support/buffer.h"
#include "support/nlm_files.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTEX = 76, BONE_IDS_AT = 44, BONE = 72, BONE_INDEX_AT = 68 };

static trilo_document *open_file(const buffer *file)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file->data, file->size, NULL, &err);
    if (!document)
        FAIL("%s: %s", err.path, err.text);
    return document;
}

static const trilo_model *load(const buffer *file, const trilo_load_opts *opts)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(file->data, file->size, opts, &err);
    if (!model)
        FAIL("%s: %s", err.path, err.text);
    return model;
}

/* The square, and once more with a texture of 5 bytes. */
enum { SECOND_AT = SQUARE_SIZE, PAIR_TEXTURE = 5, PAIR_SIZE = 2 * SQUARE_SIZE - SQUARE_VERTEX_COUNT_AT + PAIR_TEXTURE };
static void nlm_pair(buffer *out)
{
    buffer square = {0};
    nlm_square(&square);
    nlm_square(out);
    buffer_set_u32(out, SQUARE_MESH_COUNT_AT, 2);
    buffer_sink(out, square.data + SQUARE_VERTEX_COUNT_AT, square.size - SQUARE_VERTEX_COUNT_AT);
    buffer_set_u32(out, out->size - 4, PAIR_TEXTURE);
    buffer_sink(out, "\x89PNG\r", PAIR_TEXTURE);
    CHECK_INT(out->size, PAIR_SIZE);
    buffer_free(&square);
}

/* ---- the listing ---- */

/* The names, places and counts of lists and records, the number of fields in each, and how often each byte of the file
 * was in a field; numbers are compared with the bytes. */
typedef struct outline {
    const buffer *file;
    char text[1024];
    uint8_t seen[4096];
    unsigned fields;
} outline;

static void outline_fields(outline *o)
{
    if (o->fields > 0)
        snprintf(o->text + strlen(o->text), sizeof o->text - strlen(o->text), "%u", o->fields);
    o->fields = 0;
}

static void outline_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    outline *o = user;
    outline_fields(o);
    snprintf(o->text + strlen(o->text), sizeof o->text - strlen(o->text), " %s[%u]@%u{", name, (unsigned)count,
             (unsigned)offset);
}

static void outline_record(void *user, const char *name, uint64_t offset)
{
    outline *o = user;
    outline_fields(o);
    snprintf(o->text + strlen(o->text), sizeof o->text - strlen(o->text), " %s@%u(", name ? name : "",
             (unsigned)offset);
}

static void outline_list_end(void *user)
{
    outline_fields(user);
    strcat(((outline *)user)->text, "}");
}

static void outline_record_end(void *user)
{
    outline_fields(user);
    strcat(((outline *)user)->text, ")");
}

static void outline_field(void *user, const char *name, const trilo_value *value)
{
    outline *o = user;
    size_t size = 4 * (size_t)value->count;
    for (uint32_t i = 0; value->kind != TRILO_VALUE_KIND_BLOB && i < value->count; i++) {
        const uint32_t word = buffer_get_u32(o->file, (size_t)value->offset + 4 * (size_t)i);
        uint32_t got = (uint32_t)value->as.u[i];
        if (value->kind == TRILO_VALUE_KIND_FLOAT)
            memcpy(&got, &value->as.f[i], sizeof got);
        if (value->kind == TRILO_VALUE_KIND_INT)
            CHECK(value->as.i[i] == (int32_t)word);
        CHECK_INT(got, word);
    }
    if (value->kind == TRILO_VALUE_KIND_BLOB) {
        CHECK_STR(name, "texture");
        CHECK(value->as.blob.data == o->file->data + value->offset);
        size = value->as.blob.size;
    }
    for (size_t i = 0; i < size; i++)
        o->seen[value->offset + i]++;
    o->fields++;
}

/* All bytes are in one field but for the counts, which are at `counts`, 0 behind the last. */
static void check_listing(const buffer *file, const char *want, const size_t *counts)
{
    static outline o;
    o = (outline){.file = file};
    trilo_document *document = open_file(file);
    CHECK(file->size < sizeof o.seen);
    trilo_document_visit(document, &(trilo_visitor){&o, outline_list, outline_list_end, outline_record,
                                                    outline_record_end, outline_field});
    CHECK_STR(o.text, want);
    for (; *counts; counts++)
        for (size_t i = 0; i < 4; i++)
            o.seen[*counts + i]++;
    for (size_t i = 0; i < sizeof o.seen; i++)
        if (o.seen[i] != (i < file->size ? 1 : 0))
            FAIL("byte %zu is listed %d times", i, o.seen[i]);
    trilo_document_free(document);
}

TEST(every_byte_is_listed_once)
{
    buffer stick = {0}, pair = {0}, line = {0};
    nlm_stick(&stick);
    nlm_pair(&pair);
    nlm_line12(&line);
#define FOUR " vertices[4]@52{ @52(6) @128(6) @204(6) @280(6)} indices[6]@356{6}1)"
    check_listing(&stick,
                  " header@0(4) bounds@16(2) meshes[1]@40{ @44(2" FOUR "} clip@384(2)"
                  " bones[2]@396{ @396(3) @468(3)}"
                  " tracks[2]@540{ @544(3 position_keys[2]@564{ @564(2) @580(2)} rotation_keys[1]@596{ @596(2)}"
                  " scale_keys[1]@616{ @616(2)}) @632(3 position_keys[1]@652{ @652(2)} rotation_keys[2]@668{ @668(2)"
                  " @688(2)} scale_keys[1]@708{ @708(2)})}"
                  " nodes[3]@724{ @728(3 children[0]@800{}) @800(3 children[1]@872{1}) @876(3 children[1]@948{1})}",
                  (const size_t[]){40, 380, 392, 540, 724, 0});
    check_listing(&pair,
                  " header@0(4) bounds@16(2) meshes[2]@40{ @44(2" FOUR " @384(2 vertices[4]@392{ @392(6) @468(6)"
                  " @544(6) @620(6)} indices[6]@696{6}1)}",
                  (const size_t[]){40, 380, 720, 0});
    check_listing(&line,
                  " header@0(3) bounds@12(2) meshes[1]@36{ @40(2 vertices[2]@48{ @48(6) @124(6)} indices[2]@200{2}1)}",
                  (const size_t[]){36, 208, 0});
    buffer_free(&stick);
    buffer_free(&pair);
    buffer_free(&line);
}

/* ---- sections ---- */

static void check_sections(const buffer *file, const trilo_section *want, size_t count)
{
    trilo_document *document = open_file(file);
    for (size_t room = 0; room <= count + 1; room++) {
        trilo_section got[12] = {{0}};
        CHECK_INT(trilo_document_sections(document, got, room), count);
        for (size_t i = 0; i < 12; i++) {
            const bool kept = i < room && i < count;
            CHECK_STR(got[i].name ? got[i].name : "", kept ? want[i].name : "");
            CHECK_INT(got[i].count, kept ? want[i].count : 0);
            CHECK_INT(got[i].size, kept ? want[i].size : 0);
        }
    }
    trilo_document_free(document);
}

TEST(sections_have_these_sizes)
{
    buffer stick = {0}, pair = {0}, line = {0};
    nlm_stick(&stick);
    nlm_pair(&pair);
    nlm_line12(&line);
    buffer_sink(&pair, "and more", 8);
    check_sections(&stick,
                   (const trilo_section[]){{"header and bounds", 1, 40},
                                           {"mesh heads", 1, 16},
                                           {"vertices", 4, 4 * 76},
                                           {"indices", 6, 24},
                                           {"clip", 1, 8},
                                           {"bones", 2, 4 + 2 * 72},
                                           {"tracks", 2, 4 + (20 + 32 + 20 + 16) + (20 + 16 + 40 + 16)},
                                           {"nodes", 3, 4 + 3 * 72 + 2 * 4}},
                   8);
    check_sections(&pair,
                   (const trilo_section[]){{"header and bounds", 1, 40},
                                           {"mesh heads", 2, 4 + 2 * 12},
                                           {"vertices", 8, 8 * 76},
                                           {"indices", 12, 48},
                                           {"textures", 1, PAIR_TEXTURE},
                                           {"trailing bytes", 1, 8}},
                   6);
    check_sections(&line,
                   (const trilo_section[]){
                       {"header and bounds", 1, 36}, {"mesh heads", 1, 16}, {"vertices", 2, 2 * 76}, {"indices", 2, 8}},
                   4);
    buffer_free(&stick);
    buffer_free(&pair);
    buffer_free(&line);
}

/* ---- what is decoded ---- */

/* The numbers 1 to 4 of a key, w first or last. */
TEST(components_of_a_rotation)
{
    enum { KEY_AT = STICK_TRACK_1_AT + 20 + 16 + 20 };
    static const float parts[4] = {0.1f, 0.3f, 0.5f, 0.8062258f};
    for (int first = 0; first < 2; first++) {
        buffer file = {0};
        nlm_stick(&file);
        for (size_t i = 0; i < 4; i++)
            buffer_set_f32(&file, KEY_AT + 4 + 4 * i, parts[i]);
        const trilo_load_opts opts = {.nlm = &(trilo_nlm_load_opts){.quat_wxyz = first == 1}};
        const trilo_model *model = load(&file, &opts);
        const trilo_channel *c = &model->clips[0].channels[4]; /* the rotation of the second track */
        CHECK_INT(c->target, TRILO_TARGET_ROTATION);
        CHECK_INT(c->key_count, 2);
        for (size_t i = 0; i < 4; i++)
            CHECK(c->values[4 + i] == parts[first ? (i + 1) % 4 : i]);
        trilo_model_free(model);
        buffer_free(&file);
    }
}

/* Of keys on one tick the last one stays, also of three and of those at the end. */
TEST(keys_on_one_tick)
{
    buffer stick = {0}, file = {0};
    nlm_stick(&stick);
    enum { KEYS_AT = STICK_TRACKS_AT + 20 };
    static const float keys[6][4] = {{0, 1, 0, 0}, {0, 2, 0, 0}, {5, 3, 0, 0},
                                     {7, 4, 0, 0}, {7, 5, 0, 0}, {7, 6, 7, 8}};
    buffer_sink(&file, stick.data, KEYS_AT);
    buffer_f32s(&file, &keys[0][0], 24);
    buffer_sink(&file, stick.data + KEYS_AT + 32, stick.size - KEYS_AT - 32);
    buffer_set_u32(&file, STICK_TRACKS_AT + 8, 6);
    const trilo_model *model = load(&file, NULL);
    const trilo_channel *c = &model->clips[0].channels[0];
    CHECK_INT(c->key_count, 3);
    CHECK(c->times[0] == 0 && c->times[1] == 0.5 && c->times[2] == 7 / 10.0);
    CHECK(c->values[0] == 2 && c->values[3] == 3 && c->values[6] == 6 && c->values[7] == 7 && c->values[8] == 8);
    trilo_model_free(model);
    buffer_free(&stick);
    buffer_free(&file);
}

/* Ticks of 1/25 second where the file has none; a clip of no length without keys is none. */
TEST(rates_and_durations)
{
    static const struct {
        int32_t ticks;
        float duration;
        double rate, seconds;
    } all[] = {{10, 20, 10, 2}, {1, 20, 1, 20}, {0, 20, 25, 0.8}, {-1, 20, 25, 0.8}, {10, 0, 10, 0}, {10, -1, 10, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        buffer file = {0};
        nlm_stick(&file);
        buffer_set_f32(&file, STICK_CLIP_AT, all[i].duration);
        buffer_set_u32(&file, STICK_CLIP_AT + 4, (uint32_t)all[i].ticks);
        trilo_document *document = open_file(&file);
        const trilo_model *model = trilo_document_model(document, NULL);
        if (model) { /* some are errors */
            CHECK(model->clips[0].rate == all[i].rate && model->clips[0].duration == all[i].seconds);
            CHECK(model->clips[0].channels[0].times[1] == 20 / all[i].rate);
        }
        CHECK(model || all[i].ticks <= 0 || all[i].duration < 0);
        trilo_model_free(model);
        trilo_document_free(document);
        buffer_free(&file);
    }
}

/* Lines are guessed for an odd number of indices and for triangles that all repeat a corner. */
TEST(what_indices_draw)
{
    static const struct {
        uint32_t count, indices[6];
        trilo_topology topology;
    } all[] = {{1, {0}, TRILO_TOPOLOGY_LINES},
               {2, {0, 1}, TRILO_TOPOLOGY_LINES},
               {3, {0, 1, 2}, TRILO_TOPOLOGY_TRIANGLES},
               {3, {0, 1, 1}, TRILO_TOPOLOGY_TRIANGLES},
               {4, {0, 1, 1, 2}, TRILO_TOPOLOGY_LINES},
               {5, {0, 1, 2, 2, 3}, TRILO_TOPOLOGY_LINES},
               {6, {0, 0, 1, 1, 2, 2}, TRILO_TOPOLOGY_LINES},
               {6, {0, 1, 0, 1, 2, 1}, TRILO_TOPOLOGY_LINES},
               {6, {0, 1, 1, 2, 2, 3}, TRILO_TOPOLOGY_LINES},
               {6, {0, 1, 2, 2, 2, 3}, TRILO_TOPOLOGY_TRIANGLES},
               {6, {0, 1, 1, 1, 2, 3}, TRILO_TOPOLOGY_TRIANGLES},
               {0, {0}, TRILO_TOPOLOGY_TRIANGLES}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        buffer square = {0}, file = {0};
        nlm_square(&square);
        buffer_sink(&file, square.data, SQUARE_INDICES_AT);
        buffer_set_u32(&file, SQUARE_INDEX_COUNT_AT, all[i].count);
        for (uint32_t k = 0; k < all[i].count; k++)
            buffer_u32(&file, all[i].indices[k]);
        buffer_u32(&file, 0);
        trilo_document *document = open_file(&file);
        const trilo_model *model = trilo_document_model(document, NULL);
        if (model)
            CHECK_INT(model->meshes[0].topology, all[i].topology);
        CHECK(model || all[i].count == 1 || all[i].count == 5);
        trilo_model_free(model);
        trilo_document_free(document);
        buffer_free(&square);
        buffer_free(&file);
    }
}

/* Five bones whose numbers have gaps: a joint is the rank of its number. */
TEST(joints_are_ranks)
{
    static const uint32_t numbers[5] = {41, 2, 9, 7, 40}; /* in the order of the file */
    static const uint16_t ranks[5] = {4, 0, 2, 1, 3};
    buffer stick = {0}, file = {0};
    nlm_stick(&stick);
    buffer_sink(&file, stick.data, STICK_BONES_AT - 4);
    buffer_u32(&file, 5);
    for (size_t i = 0; i < 5; i++) {
        buffer_sink(&file, stick.data + STICK_BONES_AT + (i % 2) * BONE, BONE);
        buffer_set_u32(&file, STICK_BONES_AT + i * BONE + BONE_INDEX_AT, numbers[i]);
        buffer_set_f32(&file, STICK_BONES_AT + i * BONE + 4 + 4 * 12, (float)i);
    }
    buffer_u32(&file, 0); /* no tracks */
    buffer_sink(&file, stick.data + STICK_NODES_AT - 4, stick.size - STICK_NODES_AT + 4);
    for (size_t row = 0; row < 4; row++)
        for (size_t k = 0; k < 4; k++) {
            buffer_set_u32(&file, STICK_VERTICES_AT + row * VERTEX + BONE_IDS_AT + 4 * k, numbers[(row + k) % 5]);
            buffer_set_f32(&file, STICK_VERTICES_AT + row * VERTEX + BONE_IDS_AT + 16 + 4 * k, 0.25f);
        }
    const trilo_model *model = load(&file, NULL);
    CHECK_INT(model->skins[0].joint_count, 5);
    for (size_t i = 0; i < 5; i++) {
        CHECK(model->skins[0].joints[ranks[i]].inverse_bind.m[12] == (float)i);
        CHECK_INT(model->skins[0].joints[ranks[i]].node, i % 2 == 0 ? 1 : 2);
    }
    for (size_t row = 0; row < 4; row++)
        for (size_t k = 0; k < 4; k++)
            CHECK_INT(model->meshes[0].joints[row][k], ranks[(row + k) % 5]);
    trilo_model_free(model);
    buffer_free(&stick);
    buffer_free(&file);
}

/* Each of the four slots alone makes a mesh skinned, with either bone. */
TEST(any_slot_makes_a_skin)
{
    for (size_t i = 0; i < 10; i++) {
        const size_t slot = i / 2;
        const uint32_t bone = i % 2;
        buffer file = {0};
        nlm_stick(&file);
        for (size_t row = 0; row < 4; row++)
            for (size_t k = 0; k < 4; k++) {
                const bool used = row == 3 && k == slot;
                const size_t at = STICK_VERTICES_AT + row * VERTEX + BONE_IDS_AT + 4 * k;
                buffer_set_u32(&file, at, used ? bone : 0xFFFFFFFF);
                buffer_set_f32(&file, at + 16, used ? 1 : 0);
            }
        const trilo_model *model = load(&file, NULL);
        CHECK_INT(model->meshes[0].skin, slot < 4 ? 0 : TRILO_NONE);
        CHECK((model->meshes[0].weights != NULL) == (slot < 4));
        for (size_t k = 0; slot < 4 && k < 4; k++) {
            CHECK_INT(model->meshes[0].joints[3][k], k == slot ? bone : 0);
            CHECK(model->meshes[0].weights[3][k] == (k == slot ? 1 : 0));
        }
        trilo_model_free(model);
        buffer_free(&file);
    }
}

/* ---- resized files ---- */

/* The longest edge of the box is 4: positions that are within a ten thousandth of it fill the box. */
TEST(positions_that_fill_the_box)
{
    static const float corners[2][3] = {{-2, -1, -0.5f}, {2, 1, 0.5f}};
    for (int side = -1; side < 6; side++)
        for (int far = 0; far < 2; far++) {
            buffer file = {0};
            nlm_square(&file);
            for (size_t i = 0; i < 6; i++)
                buffer_set_f32(&file, SQUARE_BOUNDS_AT + 4 * i, corners[i / 3][i % 3]);
            for (size_t row = 0; row < 4; row++)
                for (size_t k = 0; k < 3; k++) {
                    const size_t which = row % 2;
                    const bool moved = side >= 0 && (size_t)side == 3 * which + k;
                    buffer_set_f32(&file, SQUARE_VERTICES_AT + VERTEX * row + 4 * k,
                                   corners[which][k] + (moved ? far ? 0.00044f : 0.00036f : 0));
                }
            const trilo_model *model = load(&file, NULL);
            CHECK_INT(model->resized, side >= 0 && far);
            trilo_model_free(model);
            buffer_free(&file);
        }
}

/* A root that scales the box (0 0 0, 1 2 0) and brings its centre to the origin resized the model. */
TEST(roots_that_resize)
{
    static const struct {
        float scale[3], moved[3];
        bool resized;
    } all[] = {
        {{2, 2, 2}, {0, 0, 0}, true},
        {{0.5f, 0.5f, 0.5f}, {0, 0, 0}, true},
        {{-2, 2, 2}, {0, 0, 0}, false}, /* a mirror is no rotation */
        {{1, 1, 1}, {0, 0, 0}, false},
        {{1.00005f, 1.00005f, 1.00005f}, {0, 0, 0}, false},
        {{1.0002f, 1.0002f, 1.0002f}, {0, 0, 0}, true},
        {{0.9998f, 0.9998f, 0.9998f}, {0, 0, 0}, true},
        {{2, 2.00015f, 2.00015f}, {0, 0, 0}, true},
        {{2, 2.00025f, 2.00025f}, {0, 0, 0}, false},
        {{2, 2, 2.00015f}, {0, 0, 0}, true},
        {{2, 2, 2.00025f}, {0, 0, 0}, false},
        {{2, 2, 2}, {0.00035f, 0, 0}, true},
        {{2, 2, 2}, {0.00045f, 0, 0}, false},
        {{2, 2, 2}, {0, 0.00035f, 0}, true},
        {{2, 2, 2}, {0, 0.00045f, 0}, false},
        {{2, 2, 2}, {0, 0, 0.00035f}, true},
        {{2, 2, 2}, {0, 0, 0.00045f}, false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        static const float center[3] = {0.5f, 1, 0};
        buffer file = {0};
        nlm_stick(&file);
        for (size_t k = 0; k < 3; k++) {
            buffer_set_f32(&file, STICK_NODE_2_AT + 4 + 4 * (5 * k), all[i].scale[k]);
            buffer_set_f32(&file, STICK_NODE_2_AT + 4 + 4 * (12 + k), all[i].moved[k] - all[i].scale[k] * center[k]);
        }
        const trilo_model *model = load(&file, NULL);
        if (model->resized != all[i].resized)
            FAIL("row %zu", i);
        CHECK(model->source_bounds.max.y == (all[i].resized ? 2 : 0));
        trilo_model_free(model);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(every_byte_is_listed_once), CASE(sections_have_these_sizes), CASE(components_of_a_rotation),
          CASE(keys_on_one_tick), CASE(rates_and_durations), CASE(what_indices_draw), CASE(joints_are_ranks),
          CASE(any_slot_makes_a_skin), CASE(positions_that_fill_the_box), CASE(roots_that_resize))
