/* Real T3DM files: read without an error, written byte for byte, encoded again to the same triangles and keys. */
#include "harness.h"
#include "support/buffer.h"
#include "support/documents.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct expected {
    const char *path;
    uint32_t version, objects, parts, triangles, materials, bones, clips;
} expected;

/* Counted by an independent program. */
static const expected corpus[] = {
    {"t3dm-versions/v1/box.t3dm", 1, 1, 1, 12, 1, 0, 0},
    {"t3dm-versions/v1/cath.t3dm", 1, 4, 30, 556, 4, 19, 9},
    {"t3dm-versions/v1/platformer.t3dm", 1, 57, 269, 14178, 1, 0, 0},
    {"t3dm-versions/v1/snake.t3dm", 1, 1, 34, 530, 1, 15, 5},
    {"t3dm-versions/v1/teapot.t3dm", 1, 1, 33, 1109, 1, 0, 0},
    {"t3dm-versions/v2/box.t3dm", 2, 1, 1, 12, 1, 0, 0},
    {"t3dm-versions/v2/cath.t3dm", 2, 4, 30, 556, 4, 19, 9},
    {"t3dm-versions/v2/platformer.t3dm", 2, 57, 269, 14178, 1, 0, 0},
    {"t3dm-versions/v2/snake.t3dm", 2, 1, 34, 530, 1, 15, 5},
    {"t3dm-versions/v2/teapot.t3dm", 2, 1, 33, 1109, 1, 0, 0},
    {"t3dm-versions/v3/box.t3dm", 3, 1, 1, 12, 1, 0, 0},
    {"t3dm-versions/v3/cath.t3dm", 3, 4, 30, 556, 4, 19, 9},
    {"t3dm-versions/v3/platformer.t3dm", 3, 57, 269, 14208, 1, 0, 0},
    {"t3dm-versions/v3/snake.t3dm", 3, 1, 34, 530, 1, 15, 5},
    {"t3dm-versions/v3/teapot.t3dm", 3, 1, 33, 1109, 1, 0, 0},
    {"t3dm/01_model/filesystem/model.t3dm", 4, 5, 30, 1178, 2, 0, 0},
    {"t3dm/02_lighting/filesystem/light.t3dm", 4, 1, 1, 12, 1, 0, 0},
    {"t3dm/02_lighting/filesystem/model.t3dm", 4, 2, 10, 618, 2, 0, 0},
    {"t3dm/03_objects/filesystem/box.t3dm", 4, 1, 1, 12, 1, 0, 0},
    {"t3dm/03_objects/filesystem/food.t3dm", 4, 1, 1, 60, 1, 0, 0},
    {"t3dm/05_splitscreen/filesystem/cube.t3dm", 4, 1, 1, 12, 1, 0, 0},
    {"t3dm/05_splitscreen/filesystem/model.t3dm", 4, 5, 10, 276, 5, 0, 0},
    {"t3dm/08_animation/filesystem/map.t3dm", 4, 2, 2, 64, 2, 0, 0},
    {"t3dm/08_animation/filesystem/shadow.t3dm", 4, 1, 1, 2, 1, 0, 0},
    {"t3dm/08_animation/filesystem/snake.t3dm", 4, 1, 34, 530, 1, 15, 5},
    {"t3dm/09_anim_viewer/filesystem/animTest.t3dm", 4, 1, 7, 66, 1, 5, 1},
    {"t3dm/09_anim_viewer/filesystem/cath.t3dm", 4, 4, 30, 556, 4, 19, 9},
    {"t3dm/09_anim_viewer/filesystem/enemyPlant00.t3dm", 4, 5, 16, 206, 5, 6, 1},
    {"t3dm/10_flipbook_tex/filesystem/map.t3dm", 4, 4, 16, 608, 4, 0, 0},
    {"t3dm/12_uv_gen/filesystem/brew_logo.t3dm", 4, 5, 21, 1184, 5, 0, 0},
    {"t3dm/12_uv_gen/filesystem/can.t3dm", 4, 7, 22, 712, 7, 0, 0},
    {"t3dm/12_uv_gen/filesystem/color.t3dm", 4, 1, 12, 768, 1, 0, 0},
    {"t3dm/12_uv_gen/filesystem/flat.t3dm", 4, 1, 3, 76, 1, 0, 0},
    {"t3dm/12_uv_gen/filesystem/gem.t3dm", 4, 1, 6, 192, 1, 0, 0},
    {"t3dm/12_uv_gen/filesystem/gold.t3dm", 4, 1, 14, 1280, 1, 0, 0},
    {"t3dm/12_uv_gen/filesystem/sphere.t3dm", 4, 1, 18, 1596, 1, 0, 0},
    {"t3dm/12_uv_gen/filesystem/teapot.t3dm", 4, 1, 33, 1109, 1, 0, 0},
    {"t3dm/14_outline/filesystem/potion.t3dm", 4, 1, 5, 448, 1, 0, 0},
    {"t3dm/16_light_clip/filesystem/cursor.t3dm", 4, 1, 1, 10, 1, 0, 0},
    {"t3dm/16_light_clip/filesystem/light.t3dm", 4, 1, 1, 20, 1, 0, 0},
    {"t3dm/16_light_clip/filesystem/sceneA.t3dm", 4, 2, 9, 319, 2, 0, 0},
    {"t3dm/16_light_clip/filesystem/sceneB.t3dm", 4, 2, 8, 316, 2, 0, 0},
    {"t3dm/17_culling/filesystem/platformer.t3dm", 4, 57, 269, 14208, 1, 0, 0},
    {"t3dm/17_culling/filesystem/platformer_bvh.t3dm", 4, 57, 269, 14208, 1, 0, 0},
    {"t3dm/18_particles/filesystem/scene.t3dm", 4, 1, 3, 144, 1, 0, 0},
    {"t3dm/20_mipmaps/filesystem/rainbow.t3dm", 4, 1, 27, 1794, 1, 0, 0},
    {"t3dm/20_mipmaps/filesystem/tunnel.t3dm", 4, 2, 9, 414, 2, 0, 0},
    {"t3dm/20_mipmaps/filesystem/tunnelMip.t3dm", 4, 2, 9, 414, 2, 0, 0},
    {"t3dm/21_fresnel/filesystem/clip.t3dm", 4, 4, 46, 4240, 3, 0, 0},
    {"t3dm/21_fresnel/filesystem/dark.t3dm", 4, 1, 10, 967, 1, 0, 0},
    {"t3dm/21_fresnel/filesystem/env.t3dm", 4, 1, 33, 1109, 1, 0, 0},
    {"t3dm/21_fresnel/filesystem/force.t3dm", 4, 2, 12, 976, 2, 0, 0},
    {"t3dm/21_fresnel/filesystem/glass.t3dm", 4, 1, 10, 967, 1, 0, 0},
    {"t3dm/21_fresnel/filesystem/sphere.t3dm", 4, 2, 23, 1886, 2, 0, 0},
    {"t3dm/21_fresnel/filesystem/wall.t3dm", 4, 4, 18, 1396, 3, 0, 0},
    {"t3dm/21_fresnel/filesystem/wallColor.t3dm", 4, 2, 9, 698, 2, 0, 0},
    {"t3dm/99_testscene/filesystem/scene.t3dm", 4, 1, 54, 2326, 1, 0, 0},
};

enum { CORPUS = sizeof corpus / sizeof corpus[0] };

static const trilo_model *load_corpus(const char *path)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load_file(test_corpus(path), NULL, &err);
    if (!model)
        FAIL("%s: %s: %s", path, err.path, err.text);
    return model;
}

/* --- file level --- */

typedef struct counter {
    uint32_t parts;
} counter;

static void ignore_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    (void)offset;
    if (name && strcmp(name, "parts") == 0)
        ((counter *)user)->parts += count;
}

static void ignore_record(void *user, const char *name, uint64_t offset)
{
    (void)user, (void)name, (void)offset;
}

static void ignore_end(void *user)
{
    (void)user;
}

static void ignore_field(void *user, const char *name, const trilo_value *value)
{
    (void)user, (void)name, (void)value;
}

static void check_counts(const expected *e, const trilo_document *document)
{
    trilo_error err = {0};
    counter count = {0};
    const trilo_visitor visitor = {&count, ignore_list, ignore_end, ignore_record, ignore_end, ignore_field};
    trilo_document_visit(document, &visitor);
    const trilo_model *model = trilo_document_model(document, &err);
    CHECK(model);
    uint32_t triangles = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        triangles += model->meshes[i].index_count / 3;
    CHECK_INT(trilo_document_version(document), e->version);
    CHECK_INT(model->mesh_count, e->objects);
    CHECK_INT(count.parts, e->parts);
    CHECK_INT(triangles, e->triangles);
    CHECK_INT(model->material_count, e->materials);
    CHECK_INT(model->node_count, e->bones);
    CHECK_INT(model->clip_count, e->clips);
    for (uint32_t i = 0; i < model->clip_count; i++)
        CHECK(model->clips[i].channel_count > 0); /* its stream was found */
    CHECK(trilo_model_check(model, &err));
    trilo_model_free(model);
}

TEST(real_files_are_valid_and_counted)
{
    for (size_t i = 0; i < CORPUS; i++) {
        trilo_document *document = open_corpus(corpus[i].path);
        trilo_document_check(document, fail_on_error, (void *)(uintptr_t)corpus[i].path);
        check_counts(&corpus[i], document);
        trilo_document_free(document);
    }
}

TEST(real_files_are_rewritten)
{
    for (size_t i = 0; i < CORPUS; i++) {
        trilo_document *document = open_corpus(corpus[i].path);
        const trilo_bytes bytes = trilo_document_bytes(document);
        buffer out = {0};
        CHECK(trilo_document_write(document, NULL, buffer_sink, &out, NULL));
        if (out.size != bytes.size || memcmp(out.data, bytes.data, bytes.size) != 0)
            FAIL("%s is not rewritten as it was", corpus[i].path);
        buffer_free(&out);
        trilo_document_free(document);
    }
}

/* --- triangles --- */

typedef struct corner {
    float position[3], normal[3], color[4], uv[2];
    uint32_t bone, material;
} corner;

typedef struct triangle {
    corner corners[3];
} triangle;

static int compare_corners(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(corner));
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(triangle));
}

static corner corner_of(const trilo_mesh *mesh, uint32_t v)
{
    corner c = {.bone = TRILO_NONE, .material = mesh->material};
    memcpy(c.position, mesh->positions[v], sizeof c.position);
    memcpy(c.normal, mesh->normals[v], sizeof c.normal);
    memcpy(c.color, mesh->colors[v], sizeof c.color);
    memcpy(c.uv, mesh->uvs[v], sizeof c.uv);
    if (mesh->weights && mesh->weights[v][0] != 0)
        c.bone = mesh->joints[v][0];
    return c;
}

/* The winding stays: only the corner it starts with is chosen. */
static triangle triangle_of(const trilo_mesh *mesh, const uint32_t *indices)
{
    corner c[3];
    triangle t;
    int first = 0;
    for (int i = 0; i < 3; i++)
        c[i] = corner_of(mesh, indices[i]);
    for (int i = 1; i < 3; i++)
        if (compare_corners(&c[i], &c[first]) < 0)
            first = i;
    for (int i = 0; i < 3; i++)
        t.corners[i] = c[(first + i) % 3];
    return t;
}

/* All triangles, sorted; -0 is 0. */
static triangle *triangles_of(const trilo_model *model, size_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        *count += model->meshes[i].index_count / 3;
    triangle *all = calloc(*count + 1, sizeof *all);
    CHECK(all);
    size_t at = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].index_count; k += 3)
            all[at++] = triangle_of(&model->meshes[i], model->meshes[i].indices + k);
    qsort(all, *count, sizeof *all, compare_triangles);
    return all;
}

/* Triangles of a that are not in b. */
static size_t missing(const triangle *a, size_t a_count, const triangle *b, size_t b_count)
{
    size_t lost = 0, k = 0;
    for (size_t i = 0; i < a_count; i++) {
        while (k < b_count && compare_triangles(&b[k], &a[i]) < 0)
            k++;
        if (k < b_count && compare_triangles(&b[k], &a[i]) == 0)
            k++;
        else
            lost++;
    }
    return lost;
}

/* --- encoding --- */

enum { STREAMS = 16 };

typedef struct written {
    buffer file, streams[STREAMS];
    char names[STREAMS][64];
    size_t stream_count;
} written;

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    written *w = user;
    CHECK(w->stream_count < STREAMS);
    snprintf(w->names[w->stream_count], sizeof w->names[0], "%s", name);
    return buffer_sink(&w->streams[w->stream_count++], bytes.data, bytes.size);
}

static bool find_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const written *w = user;
    for (size_t i = 0; i < w->stream_count; i++)
        if (strcmp(w->names[i], name) == 0) {
            *bytes = (trilo_bytes){w->streams[i].data, w->streams[i].size};
            return true;
        }
    return false;
}

static const trilo_model *encode_again(const trilo_model *model, uint32_t version, const char *path)
{
    written w = {0};
    trilo_error err = {0};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .t3dm = &(trilo_t3dm_write_opts){.version = version},
                                   .name = "again.t3dm",
                                   .companion = keep_stream,
                                   .companion_user = &w};
    if (!trilo_model_write(model, &opts, buffer_sink, &w.file, &err))
        FAIL("%s: %s: %s", path, err.path, err.text);
    const trilo_load_opts load = {
        .companion = find_stream, .companion_user = &w, .name = "again.t3dm", .strict = false};
    trilo_document *document = trilo_document_open(w.file.data, w.file.size, &load, &err);
    if (!document)
        FAIL("%s: %s: %s", path, err.path, err.text);
    trilo_document_check(document, fail_on_error, (void *)(uintptr_t)path);
    const trilo_model *again = trilo_document_model(document, &err);
    CHECK(again);
    trilo_document_free(document);
    buffer_free(&w.file);
    for (size_t i = 0; i < w.stream_count; i++)
        buffer_free(&w.streams[i]);
    return again;
}

static void check_clips(const trilo_model *a, const trilo_model *b, const char *path)
{
    CHECK_INT(a->clip_count, b->clip_count);
    for (uint32_t i = 0; i < a->clip_count; i++) {
        CHECK_INT(a->clips[i].channel_count, b->clips[i].channel_count);
        for (uint32_t k = 0; k < a->clips[i].channel_count; k++) {
            const trilo_channel *x = &a->clips[i].channels[k], *y = &b->clips[i].channels[k];
            const size_t width = trilo_target_width(x->target);
            CHECK_INT(x->node, y->node);
            CHECK_INT(x->target, y->target);
            if (x->key_count != y->key_count || memcmp(x->times, y->times, x->key_count * sizeof *x->times) != 0 ||
                memcmp(x->values, y->values, x->key_count * width * sizeof *x->values) != 0)
                FAIL("%s: clip %u, channel %u has other keys", path, (unsigned)i, (unsigned)k);
        }
    }
}

TEST(encoding_keeps_triangles_and_keys)
{
    for (size_t i = 0; i < CORPUS; i++) {
        const trilo_model *model = load_corpus(corpus[i].path);
        const trilo_model *again = encode_again(model, 1 + (uint32_t)i % 4, corpus[i].path);
        size_t before_count, after_count;
        triangle *before = triangles_of(model, &before_count), *after = triangles_of(again, &after_count);
        if (before_count != after_count || memcmp(before, after, before_count * sizeof *before) != 0)
            FAIL("%s: %zu of %zu triangles are lost, %zu of %zu are new", corpus[i].path,
                 missing(before, before_count, after, after_count), before_count,
                 missing(after, after_count, before, before_count), after_count);
        check_clips(model, again, corpus[i].path);
        CHECK_INT(model->material_count, again->material_count);
        for (uint32_t m = 0; m < model->material_count; m++)
            CHECK(memcmp(model->materials[m].n64, again->materials[m].n64, sizeof *model->materials[m].n64) == 0);
        free(before);
        free(after);
        trilo_model_free(again);
        trilo_model_free(model);
    }
}

/* --- versions --- */

/* Materials are numbered in no order, and the rest pose of bones may differ in its last bits: skinned corners are
 * compared in the space of their bone, where positions are whole numbers. */
static void make_comparable(const trilo_model *model, triangle *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            corner *k = &all[i].corners[c];
            k->material = 0;
            if (k->bone == TRILO_NONE)
                continue;
            const float *m = model->skins[0].joints[k->bone].inverse_bind.m, *p = k->position;
            const float x = p[0], y = p[1], z = p[2];
            for (int r = 0; r < 3; r++) {
                const double at = (double)m[r] * x + (double)m[4 + r] * y + (double)m[8 + r] * z + m[12 + r];
                k->position[r] = (float)(int)(at + (at < 0 ? -0.5 : 0.5));
                k->normal[r] = 0;
            }
        }
    for (size_t i = 0; i < count; i++) { /* the smallest corner may be another one now */
        triangle t = all[i];
        int first = 0;
        for (int c = 1; c < 3; c++)
            if (compare_corners(&t.corners[c], &t.corners[first]) < 0)
                first = c;
        for (int c = 0; c < 3; c++)
            all[i].corners[c] = t.corners[(first + c) % 3];
    }
    qsort(all, count, sizeof *all, compare_triangles);
}

static void compare_versions(const char *old, const char *now, size_t want_missing)
{
    const trilo_model *a = load_corpus(old), *b = load_corpus(now);
    size_t a_count, b_count;
    triangle *first = triangles_of(a, &a_count), *second = triangles_of(b, &b_count);
    make_comparable(a, first, a_count);
    make_comparable(b, second, b_count);
    const size_t lost = missing(second, b_count, first, a_count);
    if (lost != want_missing)
        FAIL("%s: %zu of %zu triangles of %s are missing", old, lost, b_count, now);
    free(first);
    free(second);
    trilo_model_free(a);
    trilo_model_free(b);
}

/* The numbers are an independent program's. The old converters welded some corners of the platformer wrongly, and those
 * of versions 1 and 2 skip its collapsed triangles. */
TEST(versions_agree)
{
    static const struct {
        const char *name, *now;
        size_t missing[3];
    } models[] = {
        {"cath", "t3dm/09_anim_viewer/filesystem/cath.t3dm", {0, 0, 0}},
        {"snake", "t3dm/08_animation/filesystem/snake.t3dm", {0, 0, 0}},
        {"box", "t3dm/03_objects/filesystem/box.t3dm", {0, 0, 0}},
        {"teapot", "t3dm/12_uv_gen/filesystem/teapot.t3dm", {0, 0, 0}},
        {"platformer", "t3dm/17_culling/filesystem/platformer_bvh.t3dm", {46, 46, 23}},
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        for (int version = 1; version <= 3; version++) {
            char path[64];
            snprintf(path, sizeof path, "t3dm-versions/v%d/%s.t3dm", version, models[i].name);
            compare_versions(path, models[i].now, models[i].missing[version - 1]);
        }
}

/* Moving a file to another version keeps every triangle in its place. */
TEST(moved_files_draw_the_same)
{
    for (size_t i = 0; i < CORPUS; i++) {
        trilo_document *document = open_corpus(corpus[i].path);
        const trilo_model *model = trilo_document_model(document, NULL);
        for (uint32_t to = 1; to <= 4; to++) {
            buffer out = {0};
            trilo_error err = {0};
            const trilo_rewrite_opts rewrite = {.format_version = to};
            if (!trilo_document_write(document, &rewrite, buffer_sink, &out, &err))
                FAIL("%s to %u: %s", corpus[i].path, (unsigned)to, err.text);
            trilo_document *moved = trilo_document_open(out.data, out.size, NULL, &err);
            CHECK(moved);
            trilo_document_check(moved, fail_on_error, (void *)(uintptr_t)corpus[i].path);
            const trilo_model *again = trilo_document_model(moved, &err);
            CHECK(again);
            CHECK_INT(again->mesh_count, model->mesh_count);
            for (uint32_t k = 0; k < model->mesh_count; k++) {
                const trilo_mesh *a = &model->meshes[k], *b = &again->meshes[k];
                /* going back to 1 or 2, triangles with equal first and third corners of a strip are skipped */
                const bool skips = to < 3 && corpus[i].version >= 3 && a->index_count != b->index_count;
                if (!skips && (a->index_count != b->index_count ||
                               memcmp(a->indices, b->indices, a->index_count * sizeof *a->indices) != 0))
                    FAIL("%s to %u: mesh %u draws other triangles", corpus[i].path, (unsigned)to, (unsigned)k);
            }
            trilo_model_free(again);
            trilo_document_free(moved);
            buffer_free(&out);
        }
        trilo_model_free(model);
        trilo_document_free(document);
    }
}

/* --- compressed --- */

TEST(compressed_files_are_read)
{
    static const struct {
        const char *path;
        uint32_t version, level;
    } packed[] = {
        {"dca/cath_dca3_level1.t3dm", 3, 1}, {"dca/cath_dca3_level2.t3dm", 3, 2}, {"dca/cath_dca3_level3.t3dm", 3, 3}};
    trilo_document *raw = open_corpus("dca/cath_raw.t3dm");
    const trilo_bytes want = trilo_document_bytes(raw);
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        trilo_document *document = open_corpus(packed[i].path);
        const trilo_compression packing = trilo_document_compression(document);
        const trilo_bytes got = trilo_document_bytes(document);
        CHECK_INT(packing.version, packed[i].version);
        CHECK_INT(packing.level, packed[i].level);
        CHECK_INT(got.size, want.size);
        CHECK(memcmp(got.data, want.data, want.size) == 0);
        buffer kept = {0}, plain = {0};
        CHECK(trilo_document_write(document, NULL, buffer_sink, &kept, NULL));
        CHECK_INT(kept.size, packing.compressed_size);
        CHECK(trilo_document_write(document, &(trilo_rewrite_opts){.decompress = true}, buffer_sink, &plain, NULL));
        CHECK_INT(plain.size, want.size);
        CHECK(memcmp(plain.data, want.data, want.size) == 0);
        buffer_free(&kept);
        buffer_free(&plain);
        trilo_document_free(document);
    }
    trilo_document_free(raw);
}

TEST(files_without_a_version_are_refused)
{
    trilo_error err = {0};
    CHECK(!trilo_document_open_file(test_corpus("t3dm-versions/unversioned/box_2024-04.t3dm"), NULL, &err));
    CHECK_STR(err.rule, "T3DM-LEGACY");
    CHECK_INT(err.code, TRILO_CODE_UNSUPPORTED);
    CHECK(!trilo_document_open_file(test_corpus("t3dm-versions/unversioned/box_2024-09.t3dm"), NULL, &err));
    CHECK_STR(err.rule, "T3DM-LEGACY");
}

TEST_MAIN(CASE(real_files_are_valid_and_counted), CASE(real_files_are_rewritten),
          CASE(encoding_keeps_triangles_and_keys), CASE(versions_agree), CASE(moved_files_draw_the_same),
          CASE(compressed_files_are_read), CASE(files_without_a_version_are_refused))
