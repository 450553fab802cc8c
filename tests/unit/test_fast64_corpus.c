/* Materials of real files against what Tiny3D's converter made of them, bit for bit, and both forms of Fast64 data
 * against each other. */
#include "harness.h"
#include "support/fast64_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const corpus[] = {
    "01_model/model",
    "02_lighting/light",
    "02_lighting/model",
    "03_objects/box",
    "03_objects/food",
    "05_splitscreen/cube",
    "05_splitscreen/model",
    "08_animation/map",
    "08_animation/shadow",
    "08_animation/snake",
    "09_anim_viewer/animTest",
    "09_anim_viewer/cath",
    "09_anim_viewer/enemyPlant00",
    "10_flipbook_tex/map",
    "12_uv_gen/brew_logo",
    "12_uv_gen/can",
    "12_uv_gen/color",
    "12_uv_gen/flat",
    "12_uv_gen/gem",
    "12_uv_gen/gold",
    "12_uv_gen/sphere",
    "12_uv_gen/teapot",
    "14_outline/potion",
    "16_light_clip/cursor",
    "16_light_clip/light",
    "16_light_clip/sceneA",
    "16_light_clip/sceneB",
    "17_culling/platformer",
    "18_particles/scene",
    "20_mipmaps/rainbow",
    "20_mipmaps/tunnel",
    "20_mipmaps/tunnelMip",
    "21_fresnel/clip",
    "21_fresnel/dark",
    "21_fresnel/env",
    "21_fresnel/force",
    "21_fresnel/glass",
    "21_fresnel/sphere",
    "21_fresnel/wall",
    "21_fresnel/wallColor",
    "99_testscene/scene",
};
enum { CORPUS = sizeof corpus / sizeof corpus[0] };

/* "01_model/model" is 01_model/assets/model.glb. */
static const char *corpus_path(const char *name, const char *folder, const char *extension)
{
    char path[128];
    const char *slash = strchr(name, '/');
    snprintf(path, sizeof path, "t3dm/%.*s/%s/%s.%s", (int)(slash - name), name, folder, slash + 1, extension);
    return test_corpus(path);
}

static uint8_t *read_glb(const char *name, fast64_file *file)
{
    size_t size;
    uint8_t *bytes = test_read_file(corpus_path(name, "assets", "glb"), &size);
    CHECK(bytes && fast64_file_read_glb(file, bytes, size));
    return bytes;
}

static fast64_material read_material(const fast64_file *file, const tl_json *json)
{
    fast64_material material;
    const tl_json *where = NULL;
    const char *problem = NULL;
    if (tl_fast64_read(&file->gltf, json, &material, &where, &problem) != FAST64_READ)
        FAIL("%s: %s", tl_json_string(tl_json_member(json, "name")).data, problem ? problem : "no data");
    return material;
}

/* The first one of that name counts, as in the converter. */
static const tl_json *find_material(const fast64_file *file, const char *name)
{
    const gltf_table *materials = &file->gltf.tables[GLTF_MATERIALS];
    for (uint32_t i = 0; i < materials->count; i++)
        if (strcmp(tl_json_string(tl_json_member(materials->items[i], "name")).data, name) == 0)
            return materials->items[i];
    FAIL("there is no material %s", name);
}

static void same_axis(const trilo_n64_axis *got, const trilo_n64_axis *want)
{
    CHECK(memcmp(&got->low, &want->low, sizeof got->low) == 0);
    CHECK(memcmp(&got->high, &want->high, sizeof got->high) == 0);
    CHECK_INT(got->mask, want->mask);
    CHECK_INT(got->shift, want->shift);
    CHECK_INT(got->mirror, want->mirror);
    CHECK_INT(got->clamp, want->clamp);
}

static void same_modes(const trilo_n64_material *got, const trilo_n64_material *want)
{
    CHECK_INT(got->combiner, want->combiner);
    CHECK_INT(got->other_mode, want->other_mode);
    CHECK_INT(got->other_mask, want->other_mask);
    CHECK_INT(got->blender, want->blender);
    CHECK_INT(got->draw_flags, want->draw_flags);
    CHECK_INT(got->fog, want->fog);
    CHECK_INT(got->vertex_effect, want->vertex_effect);
}

static void same_colors(const trilo_n64_material *got, const trilo_n64_material *want)
{
    CHECK_INT(got->set_flags, want->set_flags);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(got->prim[i], want->prim[i]);
        CHECK_INT(got->env[i], want->env[i]);
        CHECK_INT(got->blend[i], want->blend[i]);
    }
}

/* "wall.ci4.png" or "wall.ci4.png.001" became ".../wall.ci4.sprite". */
static void same_name(const char *name, const char *path)
{
    char file[128];
    const char *slash = strrchr(path, '/');
    snprintf(file, sizeof file, "%s", slash ? slash + 1 : path);
    char *end = strstr(file, ".sprite");
    CHECK(end != NULL);
    if (strncmp(name, file, (size_t)(end - file)) != 0 || strncmp(name + (end - file), ".png", 4) != 0)
        FAIL("%s is not %s", name, path);
}

static void same_tile(const fast64_material *got, int tile, const trilo_model *model, const trilo_n64_tile *want)
{
    const trilo_n64_tile *have = &got->n64.tiles[tile];
    const fast64_image *image = &got->images[tile];
    same_axis(&have->s, &want->s);
    same_axis(&have->t, &want->t);
    CHECK_INT(have->reference, want->reference);
    CHECK_INT(image->name.len > 0, want->texture != TRILO_NONE);
    if (want->texture != TRILO_NONE) {
        same_name(image->name.data, model->textures[want->texture].path.data);
        return;
    }
    CHECK_INT(have->width, want->width);
    CHECK_INT(have->height, want->height);
}

typedef struct tally {
    uint32_t materials, textures, references, colors;
} tally;

static void compare(const fast64_file *file, const trilo_model *model, const trilo_material *want, tally *t)
{
    const fast64_material got = read_material(file, find_material(file, want->name.data));
    CHECK(want->n64 != NULL);
    same_modes(&got.n64, want->n64);
    same_colors(&got.n64, want->n64);
    for (int i = 0; i < 2; i++) {
        same_tile(&got, i, model, &want->n64->tiles[i]);
        t->textures += want->n64->tiles[i].texture != TRILO_NONE;
        t->references += want->n64->tiles[i].reference != 0;
    }
    t->colors += (want->n64->set_flags != 0);
    t->materials++;
}

TEST(as_the_reference_has_them)
{
    tally t = {0};
    for (int i = 0; i < CORPUS; i++) {
        fast64_file file;
        trilo_error err = {0};
        uint8_t *bytes = read_glb(corpus[i], &file);
        const trilo_model *model = trilo_model_load_file(corpus_path(corpus[i], "filesystem", "t3dm"), NULL, &err);
        CHECK(model != NULL);
        for (uint32_t m = 0; m < model->material_count; m++)
            compare(&file, model, &model->materials[m], &t);
        trilo_model_free(model);
        fast64_file_free(&file);
        free(bytes);
    }
    printf("    %u materials, %u textures, %u references, %u with colours\n", (unsigned)t.materials,
           (unsigned)t.textures, (unsigned)t.references, (unsigned)t.colors);
    CHECK_INT(t.materials, 79);
}

/* --- both forms --- */

static void near_color(const uint8_t got[4], const uint8_t want[4])
{
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(got[i], want[i], 1);
}

/* Colours that the combiner does not use are not in the extension. */
static void same_forms(const tl_json *material, const fast64_material *plain, const fast64_material *words)
{
    const tl_json *n64 = tl_json_member(tl_json_member(material, "extensions"), "FAST64_materials_n64");
    same_modes(&words->n64, &plain->n64);
    if (tl_json_member(n64, "primitive"))
        near_color(words->n64.prim, plain->n64.prim);
    if (tl_json_member(n64, "environment"))
        near_color(words->n64.env, plain->n64.env);
    near_color(words->n64.blend, plain->n64.blend);
    for (int i = 0; i < 2; i++) {
        const fast64_image *image = &words->images[i];
        if (image->image == TRILO_NONE)
            continue;
        same_axis(&words->n64.tiles[i].s, &plain->n64.tiles[i].s);
        same_axis(&words->n64.tiles[i].t, &plain->n64.tiles[i].t);
        CHECK_INT(image->width, plain->images[i].width);
        CHECK_INT(image->height, plain->images[i].height);
        CHECK(image->name.len > 0 && strncmp(image->name.data, plain->images[i].name.data, image->name.len) == 0);
    }
}

/* A copy of the material without its extras. */
static tl_json without_extras(const tl_json *material)
{
    tl_json copy = *material;
    const tl_json *extensions = tl_json_member(material, "extensions");
    static tl_json only;
    only = *extensions;
    only.next = NULL;
    copy.first = &only;
    copy.count = 1;
    return copy;
}

TEST(both_forms_are_alike)
{
    uint32_t count = 0;
    for (int i = 0; i < CORPUS; i++) {
        fast64_file file;
        uint8_t *bytes = read_glb(corpus[i], &file);
        const gltf_table *materials = &file.gltf.tables[GLTF_MATERIALS];
        for (uint32_t m = 0; m < materials->count; m++) {
            const tl_json *material = materials->items[m];
            if (!tl_json_member(tl_json_member(material, "extensions"), "FAST64_materials_n64"))
                continue;
            const tl_json bare = without_extras(material);
            const fast64_material plain = read_material(&file, material), words = read_material(&file, &bare);
            same_forms(material, &plain, &words);
            count++;
        }
        fast64_file_free(&file);
        free(bytes);
    }
    printf("    %u materials with both forms\n", (unsigned)count);
    CHECK_INT(count, 4);
}

TEST_MAIN(CASE(as_the_reference_has_them), CASE(both_forms_are_alike))
