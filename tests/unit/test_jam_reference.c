/* Models of a game jam beside what Tiny3D's converter makes of them: the same content, and where it differs on purpose,
 * a finding says so. */
#include "harness.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    "old_gods/map",      "old_gods/spider",    "old_gods/frog",   "avanto/guy",      "avanto/map",
    "sb_holes/building", "rampage/house",      "rampage/Jira_01", "larcenygame/map", "larcenygame/dogGuard",
    "furball/fastcat",   "furball/fastladder", "boss_fight/map",
};

/* ---- findings ---- */

enum { CODES = 64 };

typedef struct codes {
    char list[CODES][40];
    uint32_t count;
} codes;

static void keep_code(void *user, const trilo_finding *finding)
{
    codes *c = user;
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i], finding->rule) == 0)
            return;
    CHECK(c->count < CODES);
    snprintf(c->list[c->count++], sizeof c->list[0], "%s", finding->rule);
}

static bool has_code(const codes *c, const char *code)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i], code) == 0)
            return true;
    return false;
}

/* ---- triangles ---- */

typedef struct corner {
    int position[3];
    float uv[2], normal[3], color[4];
} corner;

/* Corners in a fixed order, so that triangles can be sorted; `reversed` says whether that turned the triangle. */
typedef struct triangle {
    const char *mesh;
    corner corners[3];
    bool reversed;
} triangle;

static int compare_corners(const void *a, const void *b)
{
    const corner *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x->position[i] != y->position[i])
            return x->position[i] < y->position[i] ? -1 : 1;
    return 0;
}

static int compare_places(const triangle *x, const triangle *y)
{
    int order = strcmp(x->mesh, y->mesh);
    for (int i = 0; order == 0 && i < 3; i++)
        order = compare_corners(&x->corners[i], &y->corners[i]);
    return order;
}

static int compare_triangles(const void *a, const void *b)
{
    const triangle *x = a, *y = b;
    const int order = compare_places(x, y);
    if (order != 0 || x->reversed != y->reversed)
        return order != 0 ? order : x->reversed ? 1 : -1;
    for (int i = 0; i < 3; i++) /* of two at one place, those that look alike come together */
        for (int k = 0; k < 3; k++)
            if (x->corners[i].normal[k] != y->corners[i].normal[k])
                return x->corners[i].normal[k] < y->corners[i].normal[k] ? -1 : 1;
    return 0;
}

static uint32_t list_triangles(const trilo_model *model, triangle **out)
{
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        count += model->meshes[i].index_count / 3;
    CHECK(*out = calloc(count + 1u, sizeof **out));
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        for (uint32_t k = 0; k + 2 < mesh->index_count; k += 3, at++) {
            triangle *t = &(*out)[at];
            t->mesh = mesh->name.data;
            for (int c = 0; c < 3; c++) {
                const uint32_t v = mesh->indices[k + (uint32_t)c];
                corner *to = &t->corners[c];
                for (int axis = 0; axis < 3; axis++) {
                    to->position[axis] = (int)lrintf(mesh->positions[v][axis]);
                    to->normal[axis] = mesh->normals ? mesh->normals[v][axis] : 0;
                }
                for (int axis = 0; axis < 2; axis++)
                    to->uv[axis] = mesh->uvs ? mesh->uvs[v][axis] : 0;
                for (int axis = 0; axis < 4; axis++)
                    to->color[axis] = mesh->colors ? mesh->colors[v][axis] : 1;
            }
            const corner before[3] = {t->corners[0], t->corners[1], t->corners[2]};
            qsort(t->corners, 3, sizeof t->corners[0], compare_corners);
            /* An odd permutation turns it. */
            int moved[3];
            for (int c = 0; c < 3; c++)
                for (moved[c] = 0; moved[c] < 2 && memcmp(&before[moved[c]], &t->corners[c], sizeof before[0]) != 0;)
                    moved[c]++;
            t->reversed = (moved[0] + 1) % 3 != moved[1];
        }
    }
    qsort(*out, count, sizeof **out, compare_triangles);
    return count;
}

static bool is_degenerate(const triangle *t)
{
    return compare_corners(&t->corners[0], &t->corners[1]) == 0 || compare_corners(&t->corners[1], &t->corners[2]) == 0;
}

typedef struct differences {
    uint32_t same, missing, flat, extra, reversed, normals, uvs, colors;
} differences;

static void compare_pair(const triangle *ours, const triangle *theirs, differences *d)
{
    bool normal = false, uv = false, color = false;
    d->same++;
    if (is_degenerate(ours))
        return; /* the order of its corners is not known */
    d->reversed += ours->reversed != theirs->reversed;
    for (int c = 0; c < 3; c++) {
        const corner *a = &ours->corners[c], *b = &theirs->corners[c];
        for (int i = 0; i < 3; i++)
            normal = normal || fabsf(a->normal[i] - b->normal[i]) > 0.01f;
        for (int i = 0; i < 2; i++)
            uv = uv || fabsf(a->uv[i] - b->uv[i]) > 1e-4f;
        for (int i = 0; i < 4; i++)
            color = color || fabsf(a->color[i] - b->color[i]) > 1e-5f;
    }
    d->normals += normal;
    d->uvs += uv;
    d->colors += color;
}

static differences compare_models(const trilo_model *ours, const trilo_model *theirs)
{
    triangle *a, *b;
    differences d = {0};
    const uint32_t count_a = list_triangles(ours, &a), count_b = list_triangles(theirs, &b);
    for (uint32_t i = 0, k = 0; i < count_a || k < count_b;) {
        const int order = i == count_a ? 1 : k == count_b ? -1 : compare_places(&a[i], &b[k]);
        if (order == 0)
            compare_pair(&a[i++], &b[k++], &d);
        else if (order < 0)
            i++, d.extra++;
        else {
            *(is_degenerate(&b[k]) ? &d.flat : &d.missing) += 1;
            k++;
        }
    }
    free(a);
    free(b);
    return d;
}

/* ---- the rest ---- */

static uint32_t named_clip(const trilo_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name.data, name) == 0)
            return i;
    return TRILO_NONE;
}

static bool has_material(const trilo_model *model, const trilo_material *like)
{
    for (uint32_t i = 0; i < model->material_count; i++) {
        const trilo_n64_material *a = model->materials[i].n64, *b = like->n64;
        if (strcmp(model->materials[i].name.data, like->name.data) == 0 && a && b && a->combiner == b->combiner &&
            a->blender == b->blender && a->draw_flags == b->draw_flags && memcmp(a->prim, b->prim, 4) == 0 &&
            memcmp(a->env, b->env, 4) == 0)
            return true;
    }
    return false;
}

static void require(const char *model, const codes *c, uint32_t count, const char *what, const char *code)
{
    if (count > 0 && !has_code(c, code))
        FAIL("%s: %u %s, and no %s", model, count, what, code);
}

static void compare_jam(const char *name)
{
    char path[512], within[256];
    trilo_error err = {0};
    codes found = {.count = 0};
    snprintf(within, sizeof within, "jam/filesystem/%s.t3dm", name);
    trilo_document *reference = trilo_document_open_file(test_corpus(within), NULL, &err);
    CHECK(reference);
    const trilo_model *theirs = trilo_document_model(reference, &err);
    CHECK(theirs);
    snprintf(within, sizeof within, "jam/assets/%s.glb", name);
    snprintf(path, sizeof path, "%s", test_corpus(within));
    trilo_assets *assets = trilo_assets_new(&(trilo_assets_opts){.model = path}, &err);
    CHECK(assets);
    const trilo_load_opts load = {.find_image = trilo_assets_find, .find_image_user = assets};
    trilo_document *source = trilo_document_open_file(path, &load, &err);
    CHECK(source);
    const trilo_t3dm_write_opts t3dm = {.no_material = TRILO_T3DM_NO_MATERIAL_SKIP};
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "a.t3dm", .t3dm = &t3dm};
    const trilo_convert_opts opts = {.write = &write, .on_finding = keep_code, .on_finding_user = &found};
    const trilo_conversion *made = trilo_convert(source, &opts, &err);
    if (!made)
        FAIL("%s: %s", name, err.text);
    const trilo_model *ours = trilo_model_load(made->bytes.data, made->bytes.size, NULL, &err);
    CHECK(ours);

    const differences d = compare_models(ours, theirs);
    printf("%s: %u the same, %u missing, %u flat, %u extra; %u reversed, %u normals, %u uvs, %u colours\n", name,
           d.same, d.missing, d.flat, d.extra, d.reversed, d.normals, d.uvs, d.colors);
    require(name, &found, d.flat, "flat triangles are left out", "T3DM-DROPPED");
    require(name, &found, d.reversed, "triangles face the other way", "T3DM-MIRRORED");
    require(name, &found, d.normals, "triangles have other normals", "T3DM-NONUNIFORM-SCALE");
    require(name, &found, d.uvs, "triangles have other texture coordinates", "T3DM-MOVED-UV");
    require(name, &found, strcmp(name, "boss_fight/map") == 0, "map has collision meshes without a material",
            "T3DM-NO-MATERIAL");
    CHECK_INT(d.colors, 0);
    CHECK_INT(d.missing, 0);
    CHECK_INT(d.extra, 0);
    for (uint32_t i = 0; i < theirs->material_count; i++)
        if (!has_material(ours, &theirs->materials[i]))
            FAIL("%s: the material \"%s\" is not there or differs", name, theirs->materials[i].name.data);
    for (uint32_t i = 0; i < theirs->node_count; i++) {
        uint32_t k = 0;
        while (k < ours->node_count && strcmp(ours->nodes[k].name.data, theirs->nodes[i].name.data) != 0)
            k++;
        if (k == ours->node_count)
            FAIL("%s: there is no bone \"%s\"", name, theirs->nodes[i].name.data);
    }
    require(name, &found, ours->node_count - theirs->node_count, "more bones", "T3DM-MADE-BONE");
    for (uint32_t i = 0; i < theirs->clip_count; i++) {
        const uint32_t k = named_clip(ours, theirs->clips[i].name.data);
        if (k == TRILO_NONE)
            require(name, &found, 1, "clips are left out", "T3DM-LOST-CLIP");
        else
            require(name, &found,
                    trilo_document_t3dm_animation(reference, i).key_count > 0 && made->companion_count > 0,
                    "clips with other keys", "T3DM-KEYS");
    }
    trilo_model_free(ours);
    trilo_model_free(theirs);
    trilo_conversion_free(made);
    trilo_document_free(source);
    trilo_document_free(reference);
    trilo_assets_free(assets);
}

TEST(content_is_that_of_the_reference)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        compare_jam(names[i]);
}

TEST_MAIN(CASE(content_is_that_of_the_reference))
