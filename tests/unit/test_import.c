/* Models of other programs, through Assimp where the library has it, and the sentences about what is no model. */
#include "api/foreign_file.h"
#include "harness.h"
#include "import/import.h"
#include "support/allocations.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void needs_assimp(void)
{
    tl_arena arena;
    trilo_error err = {.code = TRILO_CODE_OK};
    tl_arena_init(&arena, NULL);
    tl_import_model((trilo_bytes){(const uint8_t *)"x", 1}, "a.obj", &(trilo_load_opts){.name = "a.obj"}, &arena,
                    &(trilo_model){.format = TRILO_FORMAT_UNKNOWN}, &(tl_report){.fn = NULL}, &err);
    tl_arena_free(&arena);
    if (err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("without Assimp");
}

/* ---- OBJ, with its material in another file ---- */

static const char obj[] =
    "mtllib paint.mtl\no quad\nv 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    "vn 0 0 1\nusemtl glass\nf 1/1/1 2/2/1 3/3/1 4/4/1\n";
static const char mtl[] = "newmtl glass\nKd 0.25 0.5 1\nd 0.5\n";

static bool give_material(void *user, const char *name, trilo_bytes *bytes)
{
    (void)user;
    *bytes = (trilo_bytes){(const uint8_t *)mtl, sizeof mtl - 1};
    return strcmp(name, "paint.mtl") == 0;
}

static void count_rule(void *user, const trilo_finding *finding)
{
    if (strcmp(finding->rule, "IMPORT-UNITS") == 0)
        ++*(int *)user;
}

TEST(an_obj_file)
{
    needs_assimp();
    trilo_error err = {.code = TRILO_CODE_OK};
    const trilo_load_opts opts = {.name = "quad.obj", .companion = give_material};
    trilo_document *document = trilo_document_open(obj, sizeof obj - 1, &opts, &err);
    CHECK_STR(document ? "" : err.text, "");
    CHECK_STR(trilo_document_import(document).format, "OBJ");
    CHECK_INT(trilo_document_import(document).size, sizeof obj - 1);
    int units = 0;
    trilo_document_check(document, count_rule, &units);
    CHECK_INT(units, 1); /* an OBJ file does not say what its unit is */
    const trilo_model *model = trilo_document_model(document, &err);
    CHECK(model && model->mesh_count == 1 && model->meshes[0].index_count == 6 && model->meshes[0].vertex_count == 4);
    const trilo_mesh *mesh = &model->meshes[0];
    const trilo_material *material = &model->materials[mesh->material];
    CHECK_STR(material->name.data, "glass");
    CHECK_INT(material->alpha, TRILO_ALPHA_BLEND);
    CHECK_NEAR(material->base_color[2], 1, 1e-6);
    CHECK_NEAR(material->base_color[3], 0.5, 1e-6);
    CHECK(material->base_color[0] < material->base_color[1] && material->base_color[1] < material->base_color[2]);
    for (uint32_t i = 0; i < 4; i++) { /* texture coordinates begin at the upper left corner */
        CHECK_NEAR(mesh->uvs[i][0], mesh->positions[i][0] / 2, 1e-6);
        CHECK_NEAR(mesh->uvs[i][1], 1 - mesh->positions[i][1] / 3, 1e-6);
        CHECK_NEAR(mesh->normals[i][2], 1, 1e-6);
    }
    const trilo_bounds bounds = trilo_model_bounds(model);
    CHECK(bounds.max.x == 2 && bounds.max.y == 3 && bounds.max.z == 0);
    trilo_model_free(model);
    trilo_document_free(document);
}

/* Each allocation alone fails: a refusal, or the same model. */
TEST(an_obj_file_needs_memory)
{
    needs_assimp();
    buffer whole = {0};
    for (size_t n = 0; n == 0 || allocations_next(n); n += n == 0 ? 1 : ALLOCATIONS_STEP) {
        trilo_error err = {.code = TRILO_CODE_OK};
        buffer out = {0};
        const trilo_load_opts opts = {.name = "quad.obj", .companion = give_material};
        const trilo_write_opts write = {.format = TRILO_FORMAT_GLTF, .name = "a.glb"};
        const trilo_model *model = trilo_model_load(obj, sizeof obj - 1, &opts, &err);
        allocations_allow();
        if (!model && err.code != TRILO_CODE_NO_MEMORY)
            FAIL("without allocation %zu: %s: %s", n, err.rule, err.text);
        CHECK(model || (n > 0 && allocations_denied()));
        if (!model)
            continue;
        CHECK(trilo_model_write(model, &write, buffer_sink, n == 0 ? &whole : &out, NULL));
        CHECK(n == 0 || (out.size == whole.size && memcmp(out.data, whole.data, out.size) == 0));
        trilo_model_free(model);
        buffer_free(&out);
    }
    buffer_free(&whole);
}

typedef struct counts {
    int lights, cameras, others;
} counts;

static void count_losses(void *user, const trilo_finding *finding)
{
    counts *c = (counts *)user;
    const bool light = strcmp(finding->rule, "IMPORT-LOST-LIGHTS") == 0;
    const bool camera = strcmp(finding->rule, "IMPORT-LOST-CAMERAS") == 0;
    c->lights += light && finding->severity == TRILO_SEVERITY_NOTE;
    c->cameras += camera && finding->severity == TRILO_SEVERITY_NOTE;
    c->others += !light && !camera;
}

/* A triangle in centimeters, a light and a camera. */
TEST(a_collada_file)
{
    needs_assimp();
    size_t size;
    trilo_error err = {.code = TRILO_CODE_OK};
    uint8_t *bytes = test_read_file(test_source("tests/codes/inputs/IMPORT-LOST-LIGHTS.dae"), &size);
    const trilo_load_opts opts = {.name = "Triangle.DAE"};
    trilo_document *document = trilo_document_open(bytes, size, &opts, &err);
    CHECK_STR(document ? "" : err.text, "");
    counts found = {0};
    trilo_document_check(document, count_losses, &found);
    CHECK_INT(found.lights, 1);
    CHECK_INT(found.cameras, 1);
    CHECK_INT(found.others, 0);
    const trilo_model *model = trilo_document_model(document, &err);
    CHECK(model != NULL);
    const trilo_bounds bounds = trilo_model_bounds(model);
    CHECK_NEAR(bounds.max.x, 0.01, 1e-6);
    CHECK_NEAR(bounds.max.y, 0.01, 1e-6);
    trilo_model_free(model);
    trilo_document_free(document);
    free(bytes);
}

TEST(what_assimp_cannot_read)
{
    needs_assimp();
    trilo_error err = {.code = TRILO_CODE_OK};
    const trilo_load_opts opts = {.name = "a.obj"};
    CHECK(!trilo_document_open("junk", 4, &opts, &err));
    CHECK_STR(err.rule, "IMPORT-FAILED");
    CHECK(strstr(err.text, "Assimp"));
    const trilo_load_opts gltf = {.name = "a.gltf"}, ours = {.name = "a.nlm"}; /* not for Assimp */
    CHECK(!trilo_document_open("junk", 4, &gltf, &err) && strncmp(err.rule, "GLTF", 4) == 0);
    CHECK(!trilo_document_open("junk", 4, &ours, &err) && strcmp(err.rule, "FILE-UNKNOWN") == 0);
}

/* ---- FBX files of a game ---- */

/* Vertices, triangles, bones and clips as the game's own converter counts them, which reads with Assimp as well. */
TEST(fbx_files)
{
    static const struct {
        const char *name;
        uint32_t vertices, triangles, clips;
        double height; /* meters */
    } files[] = {{"BlueEnemy", 296, 124, 0, 5.8935},
                 {"GreenEnemy", 397, 171, 0, 4.1776},
                 {"fairy", 316, 384, 0, 11.205},
                 {"fairy2", 745, 331, 4, 5.392},
                 {"spike", 96, 108, 0, 2}};
    needs_assimp();
#ifdef __SANITIZE_ADDRESS__
    SKIP("Assimp's reader of FBX loses 40 bytes, which the sanitizer counts");
#endif
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[64];
        size_t size;
        trilo_error err;
        snprintf(name, sizeof name, "model64/source/%s.fbx", files[i].name);
        uint8_t *bytes = test_read_file(test_corpus(name), &size);
        const trilo_load_opts opts = {.name = "model.fbx"};
        trilo_document *document = bytes ? trilo_document_open(bytes, size, &opts, &err) : NULL;
        const trilo_model *model = document ? trilo_document_model(document, &err) : NULL;
        CHECK(model != NULL);
        uint32_t vertices = 0, triangles = 0;
        for (uint32_t k = 0; k < model->mesh_count; k++) {
            vertices += model->meshes[k].vertex_count;
            triangles += model->meshes[k].index_count / 3;
        }
        const trilo_bounds bounds = trilo_model_bounds(model);
        CHECK_INT(vertices, files[i].vertices);
        CHECK_INT(triangles, files[i].triangles);
        CHECK_INT(model->clip_count, files[i].clips);
        CHECK_NEAR((double)(bounds.max.y - bounds.min.y), files[i].height, 0.01);
        for (uint32_t k = 0; k < model->skin_count; k++) /* a scale of 100 above the bones was applied */
            for (uint32_t j = 0; j < model->skins[k].joint_count; j++) {
                const trilo_mat4 *m = &model->skins[k].joints[j].inverse_bind;
                CHECK_NEAR(sqrt((double)(m->m[0] * m->m[0] + m->m[1] * m->m[1] + m->m[2] * m->m[2])), 1, 0.05);
            }
        trilo_model_free(model);
        trilo_document_free(document);
        free(bytes);
    }
}

/* ---- what is no model ---- */

TEST(foreign_files_are_named)
{
    static const struct {
        const char *start, *name, *says;
    } cases[] = {{"Kaydara FBX Binary", NULL, "FBX"},
                 {"v 0 0 0", "a.OBJ", "OBJ"},
                 {"<?xml", "a.dae", "COLLADA"},
                 {"BLENDER-v300", NULL, "Export, glTF 2.0"},
                 {"\x89PNG", NULL, "trilobite sprite"},
                 {"\xFF\xD8\xFF", NULL, "JPEG"},
                 {"\x1F\x8B", NULL, "gunzip"},
                 {"PK\3\4", NULL, "unpack"},
                 {"version https://git-lfs.github.com/spec/v1\n", "a.glb", "git lfs pull"},
                 {"version https://git-lfs.github.com/spec/v1\n", "a.fbx", "git lfs pull"},
                 {"<html>404</html>", "a.png", "web page"},
                 {"x", "walk.0.sdata", ".t3dm model"},
                 {"\x80\x37\x12\x40", NULL, "trilobite extract"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_bytes bytes = {(const uint8_t *)cases[i].start, strlen(cases[i].start)};
        const char *text = tl_foreign_file(bytes, cases[i].name);
        CHECK(text && strstr(text, cases[i].says));
    }
    trilo_error err = {.code = TRILO_CODE_OK}; /* the content counts, not the name */
    CHECK(!trilo_document_open("<html>404</html>", 16, &(trilo_load_opts){.name = "a.glb"}, &err));
    CHECK(strstr(err.text, "web page") != NULL);
    CHECK(!trilo_document_open("<html>404</html>", 16, &(trilo_load_opts){.name = "a.obj"}, &err));
    CHECK(strstr(err.text, "web page") != NULL);
    CHECK(!trilo_document_open("a plain text", 12, &(trilo_load_opts){.name = "a.t3dm"}, &err));
    CHECK(strstr(err.text, "is text, not a model") != NULL);
    CHECK(!trilo_document_open("\1\2\3", 3, &(trilo_load_opts){.name = "a.t3dm"}, &err));
    CHECK(strstr(err.text, "as its name says") != NULL);
    CHECK(!trilo_document_open("glT", 3, &(trilo_load_opts){.name = "a"}, &err)); /* too short to be called text */
    CHECK(strstr(err.text, "trilobite formats") != NULL);
    CHECK(!tl_foreign_file((trilo_bytes){(const uint8_t *)"x", 1}, "a.bin"));
    CHECK(!tl_foreign_file((trilo_bytes){NULL, 0}, NULL));
}

/* A file that is called .gltf is read as one, so that the error is about its text; unless it is known to be something
 * else, or has another name. */
TEST(broken_files_called_gltf)
{
    static const struct {
        const char *bytes, *name;
        bool unknown;
        const char *text;
    } cases[] = {{"not json at all", "a.gltf", false, ""},
                 {"not json at all", "a.GLTF", false, ""},
                 {"not json at all", "a.t3dm", true, "the file is text"},
                 {"not json at all", NULL, true, "the file is text"},
                 {"\x89PNG\r\n\x1a\n", "a.gltf", true, "the file is a PNG image"},
                 {"PK\3\4 and so on", "a.glb", true, "the file is a ZIP archive"},
                 {"", "a.gltf", true, "the file is empty"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trilo_error err = {0};
        const trilo_load_opts opts = {.name = cases[i].name};
        CHECK(!trilo_document_open(cases[i].bytes, strlen(cases[i].bytes), &opts, &err));
        if ((strcmp(err.rule, "FILE-UNKNOWN") == 0) != cases[i].unknown || !strstr(err.text, cases[i].text))
            FAIL("%zu: %s: %s", i, err.rule, err.text);
    }
}

static void see_code(void *user, const trilo_finding *finding)
{
    if (strcmp(finding->rule, "FILE-NAME") == 0)
        snprintf(user, 128, "%s", finding->text);
}

TEST(names_of_another_format_are_reported)
{
    static const char gltf[] = "{\"asset\":{\"version\":\"2.0\"}}";
    static const struct {
        const char *name;
        bool wrong;
    } cases[] = {{"a.gltf", false}, {"a.GLB", false}, {"a", false},    {"a.bin", false},
                 {NULL, false},     {"a.t3dm", true}, {"a.nlm", true}, {"a.obj", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128] = "";
        trilo_document *document =
            trilo_document_open(gltf, sizeof gltf - 1, &(trilo_load_opts){.name = cases[i].name}, NULL);
        CHECK(document != NULL);
        trilo_document_check(document, see_code, text);
        CHECK((strcmp(text, "this is a glTF file; its extension should be .gltf or .glb") == 0) == cases[i].wrong);
        trilo_document_free(document);
    }
}

TEST_MAIN(CASE(an_obj_file), CASE(an_obj_file_needs_memory), CASE(a_collada_file), CASE(what_assimp_cannot_read),
          CASE(fbx_files), CASE(foreign_files_are_named), CASE(broken_files_called_gltf),
          CASE(names_of_another_format_are_reported))
