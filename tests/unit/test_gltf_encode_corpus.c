/* Every real T3DM file through glTF and back to a model: the console's state to the bit, and the same shapes. */
#include "harness.h"
#include "support/gltf_written.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void same_axis(const trilo_n64_axis *a, const trilo_n64_axis *b)
{
    CHECK(a->low == b->low && a->high == b->high && a->mask == b->mask && a->shift == b->shift);
    CHECK(a->mirror == b->mirror && a->clamp == b->clamp);
}

static const char *path_of(const trilo_model *model, uint32_t texture)
{
    return texture == TRILO_NONE ? "none" : model->textures[texture].path.data;
}

static void same_state(const trilo_model *got, const trilo_model *want, uint32_t i)
{
    const trilo_n64_material *a = got->materials[i].n64, *b = want->materials[i].n64;
    CHECK_STR(got->materials[i].name.data, want->materials[i].name.data);
    CHECK(!a == !b);
    if (!a)
        return;
    CHECK(a->combiner == b->combiner && a->other_mode == b->other_mode && a->other_mask == b->other_mask);
    CHECK(a->blender == b->blender && a->draw_flags == b->draw_flags && a->fog == b->fog);
    CHECK(a->set_flags == b->set_flags && a->vertex_effect == b->vertex_effect);
    CHECK(memcmp(a->prim, b->prim, 4) == 0 && memcmp(a->env, b->env, 4) == 0 && memcmp(a->blend, b->blend, 4) == 0);
    for (int t = 0; t < 2; t++) {
        CHECK(a->tiles[t].reference == b->tiles[t].reference);
        CHECK(a->tiles[t].width == b->tiles[t].width && a->tiles[t].height == b->tiles[t].height);
        CHECK_STR(path_of(got, a->tiles[t].texture), path_of(want, b->tiles[t].texture));
        same_axis(&a->tiles[t].s, &b->tiles[t].s);
        same_axis(&a->tiles[t].t, &b->tiles[t].t);
    }
}

/* Normals become 1 long, texture coordinates may have the last bit more that keeps their texel; everything else is
 * exact, lengths in meters. */
static void same_vertex(const trilo_mesh *a, const trilo_mesh *b, uint32_t i)
{
    for (int k = 0; k < 3; k++)
        CHECK(64 * a->positions[i][k] == b->positions[i][k]);
    for (int k = 0; b->colors && k < 4; k++)
        CHECK(a->colors[i][k] == b->colors[i][k]);
    for (int k = 0; b->uvs && k < 2; k++)
        CHECK(a->uvs[i][k] == b->uvs[i][k] ||
              a->uvs[i][k] == nextafterf(b->uvs[i][k], b->uvs[i][k] < 0 ? -INFINITY : INFINITY));
    double length = 0;
    for (int k = 0; b->normals && k < 3; k++)
        length += (double)b->normals[i][k] * (double)b->normals[i][k];
    for (int k = 0; a->normals && b->normals && length > 0 && k < 3; k++)
        CHECK_NEAR(a->normals[i][k], b->normals[i][k] / sqrt(length), 1e-6);
}

static void same_mesh(const trilo_mesh *a, const trilo_mesh *b)
{
    CHECK_STR(a->name.data, b->name.data);
    CHECK_INT(a->material, b->material);
    CHECK_INT(a->vertex_count, b->vertex_count);
    CHECK_INT(a->index_count, b->index_count);
    CHECK(memcmp(a->indices, b->indices, b->index_count * sizeof *b->indices) == 0);
    for (uint32_t i = 0; i < b->vertex_count; i++)
        same_vertex(a, b, i);
}

static void check_file(const char *path)
{
    trilo_error err = {0};
    written w;
    const trilo_model *want = trilo_model_load_file(path, NULL, &err);
    if (!want)
        FAIL("%s: %s", path, err.text);
    write_gltf(&w, want, NULL, "model.glb", false);
    CHECK(w.ok);
    const trilo_model *got = written_model(&w);
    CHECK_INT(got->material_count, want->material_count);
    CHECK_INT(got->mesh_count, want->mesh_count);
    CHECK_INT(got->clip_count, want->clip_count);
    for (uint32_t i = 0; i < want->material_count; i++)
        same_state(got, want, i);
    for (uint32_t i = 0; i < want->mesh_count; i++)
        same_mesh(&got->meshes[i], &want->meshes[i]);
    trilo_model_free(got);
    trilo_model_free(want);
    written_free(&w);
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* How many there were, in folders up to that deep. */
static uint32_t check_folder(const char *folder, int depth)
{
    uint32_t count = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        char path[1024];
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "unversioned") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (ends_in(path, ".t3dm")) {
            check_file(path);
            count++;
        } else if (depth > 0)
            count += check_folder(path, depth - 1);
    }
    if (dir)
        closedir(dir);
    return count;
}

TEST(materials_and_meshes_survive)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", test_corpus("t3dm"));
    CHECK(check_folder(folder, 2) >= 30);
    snprintf(folder, sizeof folder, "%s", test_corpus("t3dm-versions"));
    CHECK(check_folder(folder, 2) >= 15);
}

TEST_MAIN(CASE(materials_and_meshes_survive))
