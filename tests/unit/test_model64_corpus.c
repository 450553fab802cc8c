/* Real files of the N64 model format: read without an error, written byte for byte, and every count as measured by
 * others. */
#include "formats/model64/model64.h"
#include "harness.h"
#include "support/buffer.h"
#include "support/documents.h"
#include "support/exercise.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct expected {
    const char *name;
    uint32_t vertices, loads, loaded, tri1, tri2, drawn, source, changes, list_bytes, lists; /* source: wanted once */
    uint32_t animations, frames, different, main_size, size;
    trilo_model64_colors colors;
} expected;

/* From the description of the format, which counted them with the exporter's own scene and an independent reader. */
static const expected corpus[] = {
    {"logo", 172, 6, 172, 0, 64, 128, 128, 0, 592, 4, 0, 0, 0, 3376, 3408, TRILO_MODEL64_COLORS_NONE},
    {"fairy", 248, 9, 248, 2, 191, 384, 384, 0, 1632, 2, 0, 0, 0, 5632, 5664, TRILO_MODEL64_COLORS_NORMALS},
    {"spike", 96, 3, 96, 0, 54, 108, 108, 0, 464, 1, 0, 0, 0, 2032, 2064, TRILO_MODEL64_COLORS_NORMALS},
    {"fairy2", 277, 10, 277, 89, 137, 363, 331, 194, 3456, 2, 4, 44, 38, 8496, 203536, TRILO_MODEL64_COLORS_RGBA},
    {"BlueEnemy", 104, 4, 104, 10, 59, 128, 124, 19, 744, 1, 0, 0, 0, 2448, 2480, TRILO_MODEL64_COLORS_RGBA},
    {"GreenEnemy", 141, 5, 141, 16, 79, 174, 171, 26, 1016, 1, 0, 0, 0, 3312, 3344, TRILO_MODEL64_COLORS_RGBA},
    {"g_Box", 8, 1, 8, 0, 6, 12, 12, 0, 64, 1, 0, 0, 0, 224, 256, TRILO_MODEL64_COLORS_NONE},
    {"g_BoxTextured", 8, 1, 8, 7, 4, 15, 12, 17, 240, 1, 0, 0, 0, 400, 432, TRILO_MODEL64_COLORS_NONE},
    {"g_RiggedFigure", 167, 6, 167, 2, 127, 256, 256, 0, 1088, 1, 0, 0, 0, 3792, 3824, TRILO_MODEL64_COLORS_NONE},
    {"g_Fox", 401, 13, 401, 104, 264, 632, 576, 189, 4568, 1, 0, 0, 0, 11024, 11056, TRILO_MODEL64_COLORS_NONE},
    {"p_player", 89, 3, 89, 63, 45, 153, 134, 128, 1928, 2, 0, 0, 0, 3392, 3424, TRILO_MODEL64_COLORS_RGBA},
    {"t_potColor", 164, 6, 164, 56, 122, 300, 280, 112, 2384, 2, 0, 0, 0, 5040, 5072, TRILO_MODEL64_COLORS_RGBA},
    {"s_skin_onekey", 10, 1, 10, 0, 4, 8, 8, 0, 48, 1, 1, 1, 1, 272, 464, TRILO_MODEL64_COLORS_NONE},
    {"s_skin_20ms", 10, 1, 10, 0, 4, 8, 8, 0, 48, 1, 1, 21, 17, 512, 3904, TRILO_MODEL64_COLORS_NONE},
    /* made by hand: the same with shared frames; sections swapped, slot 2 alone, a quad, a colour of its own */
    {"x_fairy2_shared_frames", 277, 10, 277, 89, 137, 363, 331, 194, 3456, 2, 4, 44, 38, 8496, 176944,
     TRILO_MODEL64_COLORS_RGBA},
};

enum { CORPUS = sizeof corpus / sizeof corpus[0] };

typedef struct subject {
    uint8_t *bytes;
    size_t size;
    tl_arena arena;
    const model64_file *file;
} subject;

static const char *path_of(const char *name)
{
    static char path[80];
    snprintf(path, sizeof path, "model64/%s.model", name);
    return test_corpus(path);
}

static void subject_open(subject *s, const char *name)
{
    trilo_error err = {0};
    s->bytes = test_read_file(path_of(name), &s->size);
    CHECK(s->bytes);
    tl_arena_init(&s->arena, NULL);
    s->file = tl_model64_read(&s->arena, (trilo_bytes){s->bytes, s->size},
                              &(trilo_load_opts){.model64 = &(trilo_model64_load_opts){0}}, &err);
    if (!s->file)
        FAIL("%s: %s: %s", name, err.path, err.text);
}

static void subject_close(subject *s)
{
    tl_arena_free(&s->arena);
    free(s->bytes);
}

/* --- file level --- */

typedef struct counts {
    uint32_t loads, loaded, tri1, tri2, drawn, repeats, changes, bytes, lists;
} counts;

static counts count_lists(const model64_file *file)
{
    counts c = {0};
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        gfx_run run = tl_gfx_run(&file->lists[i], file->vertex_count);
        c.lists += file->lists[i].bytes ? 1 : 0;
        c.bytes += (uint32_t)file->lists[i].used;
        for (gfx_step step; tl_gfx_next(&run, &step);) {
            const unsigned opcode = gfx_opcode(step.command);
            c.loads += opcode == GFX_VTX ? 1 : 0;
            c.loaded += step.load_count;
            c.tri1 += opcode == GFX_TRI1 ? 1 : 0;
            c.tri2 += opcode == GFX_TRI2 ? 1 : 0;
            c.drawn += step.triangle_count;
            c.repeats += step.repeats ? 1 : 0;
            c.changes += opcode == GFX_MODIFYVTX ? 1 : 0;
            CHECK_INT(step.problem, GFX_FINE);
        }
    }
    return c;
}

/* Blocks whose bytes differ from all before them. */
static uint32_t different_blocks(const model64_file *file)
{
    uint32_t different = 0;
    for (uint32_t i = 0; i < file->block_count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < i && !found; k++)
            found = memcmp(file->vertices.data + file->blocks[i], file->vertices.data + file->blocks[k],
                           file->head.frame_size) == 0;
        different += found ? 0 : 1;
    }
    return different;
}

static void check_counts(const expected *e, const subject *s)
{
    const counts c = count_lists(s->file);
    uint32_t frames = 0;
    for (int32_t i = 0; i < s->file->head.animation_count; i++)
        frames += (uint32_t)s->file->animations[i].head.frame_count;
    CHECK_INT(s->file->vertex_count, e->vertices);
    CHECK_INT(c.loads, e->loads);
    CHECK_INT(c.loaded, e->loaded);
    CHECK_INT(c.tri1, e->tri1);
    CHECK_INT(c.tri2, e->tri2);
    CHECK_INT(c.drawn, e->drawn);
    CHECK_INT(c.drawn - c.repeats, e->source);
    CHECK_INT(c.changes, e->changes);
    CHECK_INT(c.bytes, e->list_bytes);
    CHECK_INT(c.lists, e->lists);
    CHECK_INT(s->file->head.animation_count, e->animations);
    CHECK_INT(frames, e->frames);
    CHECK_INT(different_blocks(s->file), e->different);
    CHECK_INT(s->file->main.size, e->main_size);
    CHECK_INT(s->size, e->size);
    CHECK_INT(tl_model64_colors(s->file), e->colors);
}

TEST(counts_are_as_measured)
{
    for (size_t i = 0; i < CORPUS; i++) {
        subject s;
        subject_open(&s, corpus[i].name);
        check_counts(&corpus[i], &s);
        subject_close(&s);
    }
}

/* Byte for byte, no error even for the game where it draws the file, and all that exercise() asks for. */
TEST(files_are_read_and_written)
{
    for (size_t i = 0; i <= CORPUS; i++) {
        const char *name = i < CORPUS ? corpus[i].name : "x_quad_primcolor_swapped";
        char label[80];
        subject s;
        buffer copy = {0};
        subject_open(&s, name);
        tl_model64_write(s.file, &(tl_sink){.fn = buffer_sink, .user = &copy});
        CHECK_INT(copy.size, s.size);
        CHECK(memcmp(copy.data, s.bytes, s.size) == 0);
        buffer_free(&copy);
        snprintf(label, sizeof label, "%s", name);
        trilo_document *document = trilo_document_open(s.bytes, s.size, NULL, NULL);
        CHECK(trilo_document_check(document, fail_on_error, label).warnings < 8);
        trilo_document_free(document);
        meter m = {0};
        CHECK_INT(exercise(s.bytes, s.size, &m, 256u << 20), EXERCISE_MODEL);
        subject_close(&s);
    }
}

/* The words of the description. */
TEST(headers_of_fairy2)
{
    static const uint32_t header[4] = {0x20, 0x2130, 0x2150, 0x2F9C0};
    static const float times[3] = {0, 0.1f, 0.2f};
    static const uint32_t inverses[3] = {0x41200000, 0x41200000, 0x411FFFFF}, places[3] = {0, 0x1150, 0x22A0};
    subject s;
    subject_open(&s, "fairy2");
    const model64_file *f = s.file;
    const uint32_t got[4] = {f->header.main_at, f->header.main_size, f->header.vertex_at, f->header.vertex_size};
    CHECK(memcmp(got, header, sizeof got) == 0);
    CHECK_INT(f->head.vertices, 0xFE0);
    CHECK_INT(f->head.lists[0], 0x260);
    CHECK_INT(f->head.lists[1], 0xFB0);
    CHECK_INT(f->head.lists[2] | f->head.lists[3], 0);
    CHECK_INT(f->head.animation_count, 4);
    CHECK_INT(f->head.frame_size, 0x1150);
    CHECK(f->animations[0].head.duration == 1);
    CHECK_INT(f->animations[0].head.frame_count, 11);
    CHECK_INT(f->animations[0].head.frames, 0x4C);
    for (uint32_t i = 0; i < 3; i++) {
        const model64_frame frame = model64_frame_at(&f->animations[0], i);
        CHECK(frame.time == times[i]);
        CHECK_INT(tl_bits_of(frame.inv_dt), inverses[i]);
        CHECK_INT(frame.vertices, places[i]);
    }
    const model64_frame last = model64_frame_at(&f->animations[0], 10);
    CHECK(last.time == 1 && last.inv_dt == 0);
    CHECK_INT(last.vertices, 0xAD20);
    CHECK_INT(f->lists[0].used, 3408);
    CHECK_INT(f->lists[1].used, 48);
    subject_close(&s);
}

/* --- findings --- */

typedef struct heard {
    const char *rule;
    size_t count;
    uint64_t offset;
    char text[208];
} heard;

static void hear(void *user, const trilo_finding *finding)
{
    heard *h = user;
    if (strcmp(finding->rule, h->rule) != 0)
        return;
    h->count++;
    h->offset = finding->offset;
    snprintf(h->text, sizeof h->text, "%s", finding->text);
}

static heard listen(const char *name, const char *rule)
{
    heard h = {.rule = rule};
    trilo_error err = {0};
    trilo_document *document = trilo_document_open_file(path_of(name), NULL, &err);
    CHECK(document);
    trilo_document_check(document, hear, &h);
    trilo_document_free(document);
    return h;
}

/* The triangle 30 29 21 at byte 872 of the main section is drawn again by the pair at byte 880. */
TEST(duplicates_of_fairy2)
{
    const heard h = listen("fairy2", "M64-DUPLICATE");
    CHECK_INT(h.count, 1);
    CHECK_INT(h.offset, 32 + 880);
    CHECK(strstr(h.text, "30 29 21") && strstr(h.text, "of 32"));
    CHECK_INT(listen("fairy", "M64-DUPLICATE").count, 0);
}

TEST(equal_frames_of_fairy2)
{
    const heard h = listen("fairy2", "M64-EQUAL-FRAMES");
    CHECK_INT(h.count, 1);
    CHECK(strstr(h.text, "6 of 44"));
    CHECK(strstr(h.text, "26592 bytes")); /* 203536 - 176944 */
    CHECK_INT(listen("x_fairy2_shared_frames", "M64-EQUAL-FRAMES").count, 0);
    CHECK(strstr(listen("s_skin_20ms", "M64-EQUAL-FRAMES").text, "4 of 21"));
}

/* --- models --- */

static const trilo_model *load(const char *name)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load_file(path_of(name), NULL, &err);
    if (!model)
        FAIL("%s: %s: %s", name, err.path, err.text);
    return model;
}

static uint32_t triangles_of(const trilo_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        count += model->meshes[i].index_count / 3;
    return count;
}

TEST(models_have_the_source_s_triangles)
{
    for (size_t i = 0; i < CORPUS; i++) {
        const trilo_model *model = load(corpus[i].name);
        CHECK_INT(triangles_of(model), corpus[i].source);
        CHECK_INT(model->mesh_count, corpus[i].lists);
        CHECK_INT(model->clip_count, corpus[i].animations);
        trilo_model_free(model);
    }
}

typedef struct box {
    const char *name;
    float min[3], max[3];
} box;

TEST(bounds_are_as_measured)
{
    static const box boxes[] = {{"logo", {-10000, -10000, -10000}, {10000, 10000, 10000}},
                                {"fairy", {-6152, 0, -2446}, {6152, 13038, 1164}},
                                {"spike", {-64, -64, -64}, {64, 64, 64}},
                                {"fairy2", {-73, -79, 0}, {42, 79, 138}},
                                {"BlueEnemy", {-39, -46, -67}, {21, 59, 84}},
                                {"GreenEnemy", {-40, -49, -52}, {39, 51, 55}}};
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        const trilo_model *model = load(boxes[i].name);
        const trilo_bounds b = trilo_model_bounds(model);
        CHECK(b.min.x == boxes[i].min[0] && b.min.y == boxes[i].min[1] && b.min.z == boxes[i].min[2]);
        CHECK(b.max.x == boxes[i].max[0] && b.max.y == boxes[i].max[1] && b.max.z == boxes[i].max[2]);
        trilo_model_free(model);
    }
}

/* attack 0 = attack 10 = die 0 = hit 0 = hit 5 = idle 0 = idle 20; the shared file has the same clips. */
TEST(fairy2_moves)
{
    static const uint32_t frames[4] = {11, 6, 6, 21};
    static const uint32_t equal[7][2] = {{0, 0}, {0, 10}, {1, 0}, {2, 0}, {2, 5}, {3, 0}, {3, 20}};
    const trilo_model *one = load("fairy2"), *other = load("x_fairy2_shared_frames");
    for (uint32_t m = 0; m < 2; m++) {
        const size_t size = one->meshes[m].vertex_count * sizeof(float[3]);
        const trilo_frame *first = &one->clips[0].tracks[m].frames[0];
        for (uint32_t c = 0; c < 4; c++) {
            CHECK_INT(one->clips[c].tracks[m].frame_count, frames[c]);
            for (uint32_t f = 0; f < frames[c]; f++) {
                const trilo_frame *a = &one->clips[c].tracks[m].frames[f], *b = &other->clips[c].tracks[m].frames[f];
                CHECK(a->time == b->time && a->time == (float)((double)f / (frames[c] - 1)));
                CHECK(memcmp(a->positions, b->positions, size) == 0);
            }
        }
        for (size_t i = 0; i < 7; i++)
            CHECK(memcmp(first->positions, one->clips[equal[i][0]].tracks[m].frames[equal[i][1]].positions, size) == 0);
        CHECK(other->clips[3].tracks[m].frames[20].positions == other->clips[0].tracks[m].frames[0].positions);
    }
    trilo_model_free(one);
    trilo_model_free(other);
}

/* Colours of the game's models are opaque, their coordinates between 17 and 2054 of 2048. */
TEST(vertices_of_the_game)
{
    static const char *const names[] = {"fairy2", "BlueEnemy", "GreenEnemy"};
    for (size_t n = 0; n < 3; n++) {
        const trilo_model *model = load(names[n]);
        for (uint32_t m = 0; m < model->mesh_count; m++)
            for (uint32_t i = 0; i < model->meshes[m].vertex_count; i++) {
                const float *uv = model->meshes[m].uvs[i];
                CHECK(model->meshes[m].colors[i][3] == 1);
                CHECK(uv[0] >= 0 && uv[0] <= 2054.0f / 2048 && uv[1] >= 0 && uv[1] <= 2054.0f / 2048);
            }
        trilo_model_free(model);
    }
}

/* Sections swapped, slot 2 alone, a pipe sync, a primitive colour, both changes, a quad; frames at 0, 0.5, 0.75. */
TEST(the_swapped_quad)
{
    static const double times[3] = {0, 0.5, 0.75};
    const trilo_model *model = load("x_quad_primcolor_swapped");
    CHECK_INT(model->mesh_count, 1);
    CHECK_INT(model->material_count, 3);
    CHECK_INT(model->meshes[0].material, 2);
    CHECK_INT(triangles_of(model), 2);
    CHECK_INT(model->clip_count, 1);
    CHECK_INT(model->clips[0].tracks[0].frame_count, 3);
    for (int i = 0; i < 3; i++)
        CHECK(model->clips[0].tracks[0].frames[i].time == times[i]);
    trilo_model_free(model);
    CHECK_INT(listen("x_quad_primcolor_swapped", "M64-SLOT-0").count, 1);
    CHECK(strstr(listen("x_quad_primcolor_swapped", "M64-COMMAND").text, "of 3")); /* sync, colour, quad */
}

TEST_MAIN(CASE(counts_are_as_measured), CASE(files_are_read_and_written), CASE(headers_of_fairy2),
          CASE(duplicates_of_fairy2), CASE(equal_frames_of_fairy2), CASE(models_have_the_source_s_triangles),
          CASE(bounds_are_as_measured), CASE(fairy2_moves), CASE(vertices_of_the_game), CASE(the_swapped_quad))
