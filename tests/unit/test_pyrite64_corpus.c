/* Real files of Pyrite64: all chunks m are read, nothing is lost, and they look like their twins with chunks M. */
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chunks m, counted by an independent program. */
static const struct {
    const char *path;
    uint32_t materials;
} files[] = {
    {"pyrite64/v08_allflags/filesystem/mats.t3dm", 15},
    {"pyrite64/v08_material_test/filesystem/box.t3dm", 1},
    {"pyrite64/v08_material_test/filesystem/dungeon/boulder.t3dm", 1},
    {"pyrite64/v08_material_test/filesystem/dungeon/flame.t3dm", 1},
    {"pyrite64/v08_material_test/filesystem/dungeon/grass.t3dm", 1},
    {"pyrite64/v08_material_test/filesystem/dungeon/map.t3dm", 6},
    {"pyrite64/v08_material_test/filesystem/dungeon/torch.t3dm", 1},
    {"pyrite64/v08_material_test/filesystem/mats.t3dm", 15},
    {"pyrite64/v08_material_test/filesystem/tex.t3dm", 24},
    {"pyrite64/v08_material_test/filesystem/uvgen.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/01_model/model.t3dm", 2},
    {"pyrite64/v08_tiny3d_examples/filesystem/04_dynamic/lava.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/04_dynamic/model.t3dm", 4},
    {"pyrite64/v08_tiny3d_examples/filesystem/05_splitscreen/cube.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/05_splitscreen/model.t3dm", 5},
    {"pyrite64/v08_tiny3d_examples/filesystem/08_animation/map.t3dm", 2},
    {"pyrite64/v08_tiny3d_examples/filesystem/08_animation/shadow.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/08_animation/snake.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/brew_logo.t3dm", 5},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/can.t3dm", 7},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/color.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/flat.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/gem.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/gold.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/sphere.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/12_uv_gen/teapot.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/14_outline/potion.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/20_mipmaps/rainbow.t3dm", 1},
    {"pyrite64/v08_tiny3d_examples/filesystem/20_mipmaps/tunnel.t3dm", 2},
    {"pyrite64/v08_tiny3d_examples/filesystem/20_mipmaps/tunnelMip.t3dm", 2},
    {"pyrite64/v09_allflags/filesystem/mats.t3dm", 15},
};

enum { FILES = sizeof files / sizeof *files };

typedef struct project_file {
    char path[1024];
    trilo_assets *assets;
    trilo_document *document;
    const trilo_model *model;
} project_file;

static project_file open_file(const char *path)
{
    project_file f = {.assets = NULL};
    trilo_error err = {0};
    snprintf(f.path, sizeof f.path, "%s", test_corpus(path));
    f.assets = trilo_assets_new(&(trilo_assets_opts){.model = f.path}, &err);
    const trilo_load_opts opts = {.find_asset = trilo_assets_find_asset, .find_asset_user = f.assets};
    f.document = f.assets ? trilo_document_open_file(f.path, &opts, &err) : NULL;
    f.model = f.document ? trilo_document_model(f.document, &err) : NULL;
    if (!f.model)
        FAIL("%s: %s", path, err.text);
    return f;
}

static void close_file(project_file *f)
{
    trilo_model_free(f->model);
    trilo_document_free(f->document);
    trilo_assets_free(f->assets);
}

/* ---- nothing is lost ---- */

static void compare_models(const char *what, const trilo_model *a, const trilo_model *b)
{
    CHECK_INT(a->material_count, b->material_count);
    CHECK_INT(a->mesh_count, b->mesh_count);
    for (uint32_t i = 0; i < a->material_count; i++)
        if (a->materials[i].raw.size != b->materials[i].raw.size ||
            memcmp(a->materials[i].raw.data, b->materials[i].raw.data, a->materials[i].raw.size) != 0)
            FAIL("%s: material %u changed", what, i);
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        CHECK_STR(b->meshes[i].name.data, a->meshes[i].name.data); /* scenes name objects by their number */
        CHECK_INT(b->meshes[i].material, a->meshes[i].material);
        CHECK_INT(b->meshes[i].index_count, a->meshes[i].index_count);
    }
}

static void rewrite(const project_file *f, const trilo_convert_opts *opts)
{
    trilo_error err = {0};
    const trilo_conversion *result = trilo_convert(f->document, opts, &err);
    if (!result)
        FAIL("%s: %s", f->path, err.text);
    const trilo_bytes bytes = trilo_document_bytes(f->document);
    if (result->exact)
        CHECK(result->bytes.size == bytes.size && memcmp(result->bytes.data, bytes.data, bytes.size) == 0);
    const trilo_model *model = trilo_model_load(result->bytes.data, result->bytes.size, NULL, &err);
    if (!model)
        FAIL("%s: %s", f->path, err.text);
    compare_models(f->path, f->model, model);
    trilo_model_free(model);
    trilo_conversion_free(result);
}

TEST(all_materials_are_known_and_survive)
{
    const trilo_write_opts half = {.t3dm = &(trilo_t3dm_write_opts){.scale = 0.5f}};
    const trilo_optimize_opts optimize = {.level = 1};
    for (size_t i = 0; i < FILES; i++) {
        project_file f = open_file(files[i].path);
        CHECK_INT(f.model->material_count, files[i].materials);
        for (uint32_t k = 0; k < f.model->material_count; k++)
            if (f.model->materials[k].raw.size == 0 || !f.model->materials[k].n64)
                FAIL("%s: material %u is not known", files[i].path, k);
        rewrite(&f, NULL);
        rewrite(&f, &(trilo_convert_opts){.reencode = true});
        rewrite(&f, &(trilo_convert_opts){.reencode = true, .write = &half});
        rewrite(&f, &(trilo_convert_opts){.optimize = &optimize});
        close_file(&f);
    }
}

/* ---- pictures ---- */

enum { WIDTH = 320, HEIGHT = 240 };

static const char *const twins[] = {"01_model/model",       "04_dynamic/lava",    "04_dynamic/model",
                                    "05_splitscreen/model", "08_animation/snake", "12_uv_gen/can",
                                    "14_outline/potion",    "20_mipmaps/rainbow"};

/* As mksprite stores the PNG beside the models. */
static const trilo_image *load_texture(const trilo_texture *texture)
{
    char path[512];
    size_t size = 0;
    trilo_error err = {0};
    const char *name = texture->path.data + strlen("rom:/");
    snprintf(path, sizeof path, "pyrite64/v08_tiny3d_examples/assets/%.*s.png", (int)(strlen(name) - strlen(".sprite")),
             name);
    uint8_t *bytes = test_read_file(test_corpus(path), &size);
    const trilo_image *image = bytes ? trilo_image_decode((trilo_bytes){bytes, size}, NULL, &err) : NULL;
    free(bytes);
    if (!image && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("%s", err.text);
    if (!image)
        FAIL("%s: %s", path, err.text);
    const trilo_image *stored = trilo_image_as_texels(image, trilo_texels_from_path(texture->path.data), NULL, &err);
    trilo_image_free(image);
    CHECK(stored);
    return stored;
}

static void draw(const trilo_model *model, double azimuth, uint8_t (*pixels)[4])
{
    const trilo_image *images[32];
    trilo_error err = {0};
    CHECK(model->texture_count <= 32);
    for (uint32_t i = 0; i < model->texture_count; i++)
        images[i] = load_texture(&model->textures[i]);
    trilo_renderer *renderer = trilo_renderer_new(model, images, NULL, &err);
    CHECK(renderer);
    const trilo_bounds bounds = trilo_renderer_bounds(renderer);
    const trilo_scene scene = {.view = trilo_view_frame(&bounds, azimuth, 15, 45, (double)WIDTH / HEIGHT),
                               .antialias = TRILO_SWITCH_OFF,
                               .dither = TRILO_SWITCH_OFF};
    CHECK(trilo_renderer_draw(renderer, &scene, WIDTH, HEIGHT, pixels, &err));
    trilo_renderer_free(renderer);
    for (uint32_t i = 0; i < model->texture_count; i++)
        trilo_image_free(images[i]);
}

/* What the editor loses of a Fast64 material: the blender, the mode of Z, and colours that are not set. */
static void lose_what_the_editor_loses(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->material_count; i++) {
        trilo_n64_material *n64 = (trilo_n64_material *)(uintptr_t)model->materials[i].n64;
        n64->blender = 0;
        n64->other_mode &= ~UINT64_C(0xC00);
        if ((n64->set_flags & TRILO_N64_SET_PRIM) == 0)
            memset(n64->prim, 0, sizeof n64->prim);
        if ((n64->set_flags & TRILO_N64_SET_ENV) == 0)
            memset(n64->env, 0, sizeof n64->env);
    }
}

static uint32_t different_pixels(const char *name, double azimuth, bool lost)
{
    static uint8_t pictures[2][WIDTH * HEIGHT][4];
    char path[256];
    snprintf(path, sizeof path, "pyrite64/v08_tiny3d_examples/filesystem/%s.t3dm", name);
    project_file pyrite64 = open_file(path);
    snprintf(path, sizeof path, "pyrite64/v08_tiny3d_examples/M_twins/%s.t3dm", name);
    project_file tiny3d = open_file(path);
    if (lost)
        lose_what_the_editor_loses(tiny3d.model);
    draw(pyrite64.model, azimuth, pictures[0]);
    draw(tiny3d.model, azimuth, pictures[1]);
    uint32_t different = 0, drawn = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        different += memcmp(pictures[0][i], pictures[1][i], 4) != 0;
        drawn += pictures[0][i][3] != 0;
    }
    CHECK(drawn > WIDTH * HEIGHT / 50);
    close_file(&pyrite64);
    close_file(&tiny3d);
    return different;
}

/* Without the losses: 01_model has a primitive colour that is not set, can and 04_dynamic are blended. */
TEST(twins_look_the_same)
{
    uint32_t same = 0;
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
        for (int turn = 0; turn < 2; turn++) {
            const uint32_t different = different_pixels(twins[i], 30 + 170 * turn, true);
            if (different > 0)
                FAIL("%s: %u pixels differ", twins[i], different);
            same += turn == 0 && different_pixels(twins[i], 30, false) == 0;
        }
    CHECK_INT(same, 5);
}

static const trilo_model *encode_again(const project_file *f, trilo_t3dm_materials materials)
{
    trilo_error err = {0};
    const trilo_write_opts write = {.t3dm = &(trilo_t3dm_write_opts){.materials = materials,
                                                                     .asset_number = trilo_assets_number,
                                                                     .asset_number_user = f->assets}};
    const trilo_convert_opts opts = {.write = &write, .reencode = true};
    const trilo_load_opts load = {.find_asset = trilo_assets_find_asset, .find_asset_user = f->assets};
    const trilo_conversion *result = trilo_convert(f->document, &opts, &err);
    const trilo_model *model = result ? trilo_model_load(result->bytes.data, result->bytes.size, &load, &err) : NULL;
    if (!model)
        FAIL("%s: %s", f->path, err.text);
    trilo_conversion_free(result);
    return model;
}

/* Beside a copy that was encoded again, too: the order of triangles decides between those at the same depth. */
static uint32_t pixels_changed_by(const char *path, trilo_t3dm_materials materials)
{
    static uint8_t pictures[2][WIDTH * HEIGHT][4];
    project_file f = open_file(path);
    const trilo_model *same = encode_again(&f, TRILO_T3DM_MATERIALS_AUTO), *other = encode_again(&f, materials);
    for (uint32_t i = 0; i < other->material_count; i++)
        CHECK((other->materials[i].raw.size > 0) == (materials == TRILO_T3DM_MATERIALS_PYRITE64));
    draw(same, 30, pictures[0]);
    draw(other, 30, pictures[1]);
    uint32_t different = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        different += memcmp(pictures[0][i], pictures[1][i], 4) != 0;
    trilo_model_free(same);
    trilo_model_free(other);
    close_file(&f);
    return different;
}

/* To Pyrite64, can loses its decals and 01_model a colour that is not set. */
TEST(converted_materials_look_the_same)
{
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
        const bool loses = strcmp(twins[i], "12_uv_gen/can") == 0 || strcmp(twins[i], "01_model/model") == 0;
        char path[256];
        snprintf(path, sizeof path, "pyrite64/v08_tiny3d_examples/M_twins/%s.t3dm", twins[i]);
        const uint32_t to_pyrite64 = pixels_changed_by(path, TRILO_T3DM_MATERIALS_PYRITE64);
        snprintf(path, sizeof path, "pyrite64/v08_tiny3d_examples/filesystem/%s.t3dm", twins[i]);
        const uint32_t to_tiny3d = pixels_changed_by(path, TRILO_T3DM_MATERIALS_TINY3D);
        if ((to_pyrite64 > 0) != loses || to_tiny3d > 0)
            FAIL("%s: %u and %u pixels differ", twins[i], to_pyrite64, to_tiny3d);
    }
}

/* ---- assets ---- */

TEST(numbers_are_rows_of_the_table)
{
    char line[512], expected[400];
    uint32_t number, type, count = 0;
    char path[1024];
    snprintf(path, sizeof path, "%s", test_corpus("pyrite64/v08_material_test/filesystem/p64/asset_table.txt"));
    FILE *text = fopen(path, "r");
    project_file f = open_file("pyrite64/v08_material_test/filesystem/dungeon/map.t3dm");
    CHECK(text);
    while (fgets(line, sizeof line, text))
        if (sscanf(line, "%u type=%u %399s", &number, &type, expected) == 3) {
            trilo_found_asset found;
            CHECK(trilo_assets_find_asset(f.assets, number, &found));
            CHECK_STR(found.path, expected);
            CHECK_INT(found.type, type);
            if (type == 1)
                CHECK_INT(trilo_assets_number(f.assets, expected), number);
            count++;
        }
    fclose(text);
    CHECK(count > 20);
    trilo_found_asset found;
    CHECK(!trilo_assets_find_asset(f.assets, count, &found));
    CHECK_INT(found.count, count);
    close_file(&f);
}

/* Every texture is the one that the source names, and the source can tell it from another. */
TEST(textures_are_those_of_the_sources)
{
    uint32_t compared = 0, textured = 0;
    for (size_t i = 0; i < FILES; i++) {
        project_file f = open_file(files[i].path);
        for (uint32_t k = 0; k < f.model->mesh_count; k++)
            for (int tile = 0; tile < 2; tile++) {
                const trilo_n64_material *n64 = f.model->materials[f.model->meshes[k].material].n64;
                const uint32_t texture = n64->tiles[tile].texture;
                if (texture == TRILO_NONE)
                    continue;
                trilo_source_texture question = {
                    .object = f.model->meshes[k].name.data, .tile = tile, .path = f.model->textures[texture].path.data};
                textured++;
                if (!trilo_assets_compare(f.assets, &question))
                    FAIL("%s: %s: %s, not %s", f.path, question.object, question.path, question.expected);
                question.path = "rom:/another.sprite";
                compared += !trilo_assets_compare(f.assets, &question);
            }
        close_file(&f);
    }
    if (compared < 98) /* v08_allflags has no sources */
        FAIL("only %u of %u textures could be compared", compared, textured);
}

/* Bounds and textures of a source, without its meshes: the same as those of the whole model. */
TEST(sources_are_probed)
{
    trilo_error err = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s", test_corpus("pyrite64/v08_tiny3d_examples/assets/01_model/model.glb"));
    trilo_document *document = trilo_document_open_file(path, NULL, &err);
    const trilo_model *model = document ? trilo_document_model(document, &err) : NULL;
    if (!model)
        FAIL("%s", err.text);
    const trilo_bounds probed = trilo_document_gltf_bounds(document), whole = trilo_model_bounds(model);
    CHECK_NEAR(probed.min.x, whole.min.x, 1e-4);
    CHECK_NEAR(probed.min.y, whole.min.y, 1e-4);
    CHECK_NEAR(probed.max.z, whole.max.z, 1e-4);
    CHECK_NEAR(trilo_pyrite64_scale(&probed), 512, 0);
    uint32_t named = 0;
    for (uint32_t i = 0; i < trilo_document_gltf(document).material_count; i++)
        named += strncmp(trilo_document_gltf_material(document, i).textures[0].data, "stone01.i8", 10) == 0;
    CHECK(named > 0);
    trilo_model_free(model);
    trilo_document_free(document);
}

TEST(collision_meshes_are_read)
{
    size_t size = 0;
    trilo_pyrite64_collision c;
    uint8_t *bytes = test_read_file(test_corpus("pyrite64/v08_collision/filesystem/00000000000ABCDE"), &size);
    CHECK(bytes && trilo_pyrite64_collision_read((trilo_bytes){bytes, size}, &c));
    CHECK(c.triangle_count == 276 && c.vertex_count == 470 && c.bvh_count == 0);
    free(bytes);
    project_file f = open_file("pyrite64/v04_chunk0/filesystem/model.t3dm");
    CHECK(f.model->chunk_count == 1 && f.model->chunks[0].type == '0');
    CHECK(trilo_pyrite64_collision_read(f.model->chunks[0].bytes, &c));
    CHECK(c.triangle_count == 276 && c.vertex_count == 470 && c.bvh_count == 2);
    close_file(&f);
}

TEST_MAIN(CASE(all_materials_are_known_and_survive), CASE(twins_look_the_same), CASE(converted_materials_look_the_same),
          CASE(numbers_are_rows_of_the_table), CASE(textures_are_those_of_the_sources), CASE(sources_are_probed),
          CASE(collision_meshes_are_read))
