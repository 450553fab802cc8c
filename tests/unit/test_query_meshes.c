/* Culling whole meshes as the console does, with the tree of a file or one of our own. */
#include "harness.h"
#include "support/query_brute.h"
#include "support/trip.h"

#include <stdlib.h>
#include <string.h>

/* ---- models of single triangles ---- */

enum { MESHES_MOST = 2048 };

typedef struct yard {
    trilo_model model;
    trilo_mesh meshes[MESHES_MOST];
    float positions[MESHES_MOST][3][3];
    trilo_bounds boxes[MESHES_MOST]; /* of the model that is asked */
    bool seen[MESHES_MOST];
    uint32_t order[MESHES_MOST], count;
} yard;

static void fill_yard(yard *y, uint32_t count, dice *d)
{
    static const uint32_t three[3] = {0, 1, 2};
    memset(y, 0, sizeof *y);
    for (uint32_t i = 0; i < count; i++) {
        const trilo_vec3 at = dice_point(d, -1000, 1000);
        for (int c = 0; c < 3; c++) {
            const trilo_vec3 off = dice_point(d, 0, 60);
            y->positions[i][c][0] = (float)(int)(at.x + off.x);
            y->positions[i][c][1] = (float)(int)(at.y / 10 + off.y);
            y->positions[i][c][2] = (float)(int)(at.z + off.z);
        }
        y->meshes[i] = (trilo_mesh){.material = TRILO_NONE,
                                    .node = TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .vertex_count = 3,
                                    .index_count = 3,
                                    .positions = (trilo_points)y->positions[i],
                                    .indices = three};
    }
    y->model =
        (trilo_model){.format = TRILO_FORMAT_T3DM, .units_per_meter = 64, .mesh_count = count, .meshes = y->meshes};
}

static bool see(void *user, uint32_t mesh)
{
    yard *y = user;
    CHECK(mesh < MESHES_MOST && !y->seen[mesh]);
    y->seen[mesh] = true;
    y->order[y->count++] = mesh;
    return true;
}

/* What the tree shows is what is in sight, mesh by mesh. Answers the tests that were made. */
static uint32_t check_sight(yard *y, const trilo_mesh_tree *tree, const trilo_model *model, const trilo_frustum *f)
{
    memset(y->seen, 0, sizeof y->seen);
    y->count = 0;
    const uint32_t tests = trilo_mesh_tree_frustum(tree, f, see, y);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        CHECK(y->seen[i] == trilo_frustum_sees(f, &y->boxes[i]));
    return tests;
}

static void list_boxes(yard *y, const trilo_model *model)
{
    CHECK(model->mesh_count <= MESHES_MOST);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        y->boxes[i] = trilo_mesh_bounds(&model->meshes[i]);
}

/* A wedge of three planes from a point in the box, as a camera has it. */
static trilo_frustum some_wedge(dice *d, const trilo_bounds *b)
{
    const double x = dice_between(d, b->min.x, b->max.x), z = dice_between(d, b->min.z, b->max.z);
    const trilo_vec3 n = dice_point(d, -1, 1);
    trilo_frustum f = {.plane_count = 3};
    f.planes[0] = (trilo_plane){n.x, 0, n.z, (float)(-n.x * x - n.z * z)};
    f.planes[1] = (trilo_plane){n.z + n.x, 0, n.z - n.x, (float)(-(n.z + n.x) * x - (n.z - n.x) * z)};
    f.planes[2] = (trilo_plane){0, n.y, 0, (float)dice_between(d, 0, 100)};
    return f;
}

static trilo_mesh_tree *grow(const trilo_model *model)
{
    trilo_error err = {0};
    trilo_mesh_tree *tree = trilo_mesh_tree_new(model, NULL, &err);
    if (!tree)
        FAIL("%s at %s: %s", err.rule, err.path, err.text);
    return tree;
}

/* ---- the console's way ---- */

static const trilo_frustum to_the_right = {1, {{1, 0, 0, -10}}}; /* what reaches x = 10 */

/* Two leaves below the root. The root's box is tested, those of the leaves are not (that of the first is a lie), each
 * mesh is: one test and three more. */
TEST(leaves_are_not_tested_but_their_meshes_are)
{
    static yard y;
    dice d = {1};
    fill_yard(&y, 3, &d);
    for (int i = 0; i < 9; i++)
        y.positions[i / 3][i % 3][0] = (float)(8 * (i / 3)); /* at x = 0, 8 and 16 */
    trilo_bvh_node nodes[3] = {{.bounds = {{0, -500, -2000}, {16, 500, 2000}}, .first = 1},
                               {.bounds = {{-9, 0, 0}, {-8, 0, 0}}, .first = 1, .count = 2},
                               {.bounds = {{0, 0, 0}, {0, 0, 0}}, .first = 0, .count = 1}};
    static const uint32_t items[3] = {1, 2, 0};
    const trilo_bvh bvh = {3, 3, nodes, items};
    y.model.bvh = &bvh;
    list_boxes(&y, &y.model);
    trilo_mesh_tree *tree = grow(&y.model);
    CHECK_INT(check_sight(&y, tree, &y.model, &to_the_right), 4);
    CHECK(y.count == 1 && y.order[0] == 2);
    CHECK_INT(check_sight(&y, tree, &y.model, &(trilo_frustum){.plane_count = 0}), 4);
    CHECK(y.count == 3 && y.order[0] == 2 && y.order[1] == 0 && y.order[2] == 1);
    trilo_mesh_tree_free(tree);
    nodes[0].bounds.max.x = 9; /* the root hides them all */
    tree = grow(&y.model);
    y.count = 0;
    CHECK_INT(trilo_mesh_tree_frustum(tree, &to_the_right, see, &y), 1);
    CHECK_INT(y.count, 0);
    trilo_mesh_tree_free(tree);
}

/* The first mesh counts in a tree of ours: it alone is to the right. */
TEST(the_first_mesh_is_in_the_tree)
{
    static yard y;
    dice d = {3};
    fill_yard(&y, 2, &d);
    for (int i = 0; i < 6; i++)
        y.positions[i / 3][i % 3][0] = i < 3 ? 100 : -100;
    list_boxes(&y, &y.model);
    trilo_mesh_tree *tree = grow(&y.model);
    check_sight(&y, tree, &y.model, &to_the_right);
    CHECK(y.count == 1 && y.order[0] == 0);
    trilo_mesh_tree_free(tree);
}

static bool stop(void *user, uint32_t mesh)
{
    *(uint32_t *)user = mesh;
    return false;
}

TEST(a_query_ends_when_told)
{
    static yard y;
    dice d = {2};
    fill_yard(&y, 40, &d);
    trilo_mesh_tree *tree = grow(&y.model);
    uint32_t first = TRILO_NONE;
    CHECK(trilo_mesh_tree_frustum(tree, &(trilo_frustum){.plane_count = 0}, stop, &first) < 40);
    CHECK(first < 40);
    trilo_mesh_tree_free(tree);
}

/* ---- trees that are none ---- */

static void check_refused(const trilo_model *model, const char *path)
{
    trilo_error err = {0};
    CHECK(!trilo_mesh_tree_new(model, NULL, &err));
    CHECK_STR(err.rule, "MODEL-INDEX");
    CHECK_STR(err.path, path);
}

TEST(what_is_no_tree_is_refused)
{
    static yard y;
    dice d = {3};
    fill_yard(&y, 2, &d);
    static const uint32_t items[2] = {0, 1}, wrong[2] = {0, 2};
    static const struct {
        trilo_bvh_node nodes[5];
        const uint32_t *items;
        const char *path;
    } cases[] = {
        {{{.first = 0}}, items, "bvh.nodes[0]"},                                 /* its own child */
        {{{.first = 4}}, items, "bvh.nodes[0]"},                                 /* the second is outside */
        {{{.first = 1}, {.first = 1}, {.count = 1}}, items, "bvh.nodes[1]"},     /* a circle */
        {{{.first = 1}, {.count = 1}, {.first = 2}}, items, "bvh.nodes[2]"},     /* taken already */
        {{{.first = 1, .count = 2}}, items, "bvh.nodes[0]"},                     /* too many items */
        {{{.first = 4000000000u, .count = 1000000000u}}, items, "bvh.nodes[0]"}, /* far too many */
        {{{.first = 0, .count = 2}}, wrong, "bvh.nodes[0]"},                     /* no such mesh */
        {{{.first = 1}, {.count = 1}, {.first = 3}, {.count = 1}, {.first = 2, .count = 1}}, items, "bvh.nodes[4]"},
        {{{.count = 1}}, NULL, "bvh.nodes[0]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_bvh bvh = {5, 2, cases[i].nodes, cases[i].items};
        y.model.bvh = &bvh;
        check_refused(&y.model, cases[i].path);
    }
    const trilo_bvh none = {5, 2, NULL, items};
    y.model.bvh = &none;
    check_refused(&y.model, "bvh.nodes[0]");
}

static bool count_up(void *user, uint32_t mesh)
{
    *(uint32_t *)user += mesh + 1;
    return true;
}

/* Every second child goes on: a way down of 100,000 steps, with a mesh beside each. */
TEST(a_deep_tree_is_walked_all_the_same)
{
    enum { DEEP = 100000 };
    static yard y;
    static trilo_bvh_node nodes[2 * DEEP + 1];
    static const uint32_t items[1] = {0};
    dice d = {4};
    fill_yard(&y, 1, &d);
    for (uint32_t i = 0; i < DEEP; i++) {
        nodes[2 * i] = (trilo_bvh_node){{{-9999, -9999, -9999}, {9999, 9999, 9999}}, 2 * i + 1, 0};
        nodes[2 * i + 1] = (trilo_bvh_node){.first = 0, .count = 1};
    }
    nodes[2 * DEEP] = (trilo_bvh_node){.first = 0, .count = 1};
    const trilo_bvh bvh = {2 * DEEP + 1, 1, nodes, items};
    y.model.bvh = &bvh;
    trilo_mesh_tree *tree = grow(&y.model);
    uint32_t seen = 0;
    CHECK_INT(trilo_mesh_tree_frustum(tree, &(trilo_frustum){.plane_count = 0}, count_up, &seen), 2 * DEEP + 1);
    CHECK_INT(seen, DEEP + 1);
    trilo_mesh_tree_free(tree);
}

/* ---- trees of our own ---- */

/* What T3DM asks of a tree: every mesh once, boxes that hold what is below, few in a leaf, children near by. */
static void check_rules(const trilo_bvh *bvh, const trilo_model *model)
{
    uint8_t *met = calloc(model->mesh_count, 1);
    CHECK(met && bvh && bvh->item_count == model->mesh_count);
    for (uint32_t i = 0; i < bvh->node_count; i++) {
        const trilo_bvh_node *node = &bvh->nodes[i];
        CHECK(node->count <= 8);
        CHECK(node->count > 0 || (node->first > i && node->first - i <= 2047 && node->first + 1 < bvh->node_count));
        for (uint32_t k = 0; k < (node->count > 0 ? node->count : 2); k++) {
            const uint32_t mesh = node->count > 0 ? bvh->items[node->first + k] : 0;
            const trilo_bounds below =
                node->count > 0 ? trilo_mesh_bounds(&model->meshes[mesh]) : bvh->nodes[node->first + k].bounds;
            CHECK(below.min.x >= node->bounds.min.x && below.max.x <= node->bounds.max.x);
            CHECK(below.min.y >= node->bounds.min.y && below.max.y <= node->bounds.max.y);
            CHECK(below.min.z >= node->bounds.min.z && below.max.z <= node->bounds.max.z);
            CHECK(node->count == 0 || met[mesh]++ == 0);
        }
    }
    free(met);
}

TEST(our_trees_see_what_looking_at_every_mesh_sees)
{
    static yard y;
    static const uint32_t counts[] = {1, 2, 8, 9, 57, 300, 2048};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        dice d = {i + 10};
        fill_yard(&y, counts[i], &d);
        list_boxes(&y, &y.model);
        trilo_mesh_tree *tree = grow(&y.model);
        const trilo_bvh *bvh = trilo_mesh_tree_bvh(tree);
        check_rules(bvh, &y.model);
        const trilo_bounds all = trilo_model_bounds(&y.model);
        uint64_t tests = 0, seen = 0;
        for (int q = 0; q < 300; q++) {
            const trilo_frustum f = some_wedge(&d, &all);
            tests += check_sight(&y, tree, &y.model, &f);
            seen += y.count;
        }
        CHECK(counts[i] < 300 || tests < 2 * seen + 300 * 150); /* and not by testing all */
        trilo_mesh_tree_free(tree);
    }
}

/* All in one place: every leaf is as cheap as it is large, and still has at most 8. */
TEST(doubles_do_not_fill_a_leaf)
{
    static yard y;
    dice d = {20};
    fill_yard(&y, 100, &d);
    for (uint32_t i = 1; i < 100; i++)
        memcpy(y.positions[i], y.positions[0], sizeof y.positions[0]);
    trilo_mesh_tree *tree = grow(&y.model);
    check_rules(trilo_mesh_tree_bvh(tree), &y.model);
    trilo_mesh_tree_free(tree);
}

/* Twins far from other twins are worth a node each, so that the tree has as many as can be: 4095. Most are in a heap to
 * the left, which comes first; no child may be out of reach all the same. */
TEST(children_stay_in_range)
{
    static yard y;
    dice d = {21};
    fill_yard(&y, MESHES_MOST, &d);
    for (uint32_t i = 0; i < MESHES_MOST; i++) {
        const uint32_t twins = i / 2;
        const float x = (float)(twins % 12) * 900, z = (float)(twins / 12 % 12) * 900, up = (float)(twins / 144) * 900;
        const float right = twins < 900 ? -30000 : 15000;
        for (int c = 0; c < 3; c++) {
            y.positions[i][c][0] = right + x + (float)(i % 2 * 4 + (c == 1 ? 2 : 0));
            y.positions[i][c][1] = up + (c == 2 ? 2.0f : 0);
            y.positions[i][c][2] = z;
        }
    }
    trilo_mesh_tree *tree = grow(&y.model);
    const trilo_bvh *bvh = trilo_mesh_tree_bvh(tree);
    CHECK_INT(bvh->node_count, 2 * MESHES_MOST - 1);
    check_rules(bvh, &y.model);
    trilo_mesh_tree_free(tree);
}

TEST(a_model_without_meshes_has_no_tree)
{
    const trilo_model model = {.mesh_count = 0};
    trilo_mesh_tree *tree = grow(&model);
    CHECK(!trilo_mesh_tree_bvh(tree));
    CHECK_INT(trilo_mesh_tree_frustum(tree, &to_the_right, stop, NULL), 0);
    trilo_mesh_tree_free(tree);
    trilo_mesh_tree_free(NULL);
}

/* ---- T3DM ---- */

/* Written with a tree, read again (the check finds whatever breaks its rules), asked. */
static uint64_t ask_file(yard *y, const trilo_model *model, const trilo_bounds *all)
{
    trilo_mesh_tree *tree = grow(model);
    dice d = {77};
    uint64_t tests = 0;
    list_boxes(y, model);
    for (int q = 0; q < 300; q++) {
        const trilo_frustum f = some_wedge(&d, all);
        tests += check_sight(y, tree, model, &f);
    }
    trilo_mesh_tree_free(tree);
    return tests;
}

TEST(trees_in_t3dm_files_answer_as_looking_at_every_object)
{
    static const char *const names[] = {
        "t3dm/17_culling/filesystem/platformer_bvh.t3dm",
        "t3dm/17_culling/filesystem/platformer.t3dm",
        "t3dm/12_uv_gen/filesystem/can.t3dm",
        "t3dm/01_model/filesystem/model.t3dm",
        "t3dm/21_fresnel/filesystem/clip.t3dm",
        "t3dm/12_uv_gen/filesystem/brew_logo.t3dm",
    };
    static yard y;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        trilo_error err = {0};
        const trilo_model *model = trilo_model_load_file(test_corpus(names[i]), NULL, &err);
        if (!model)
            FAIL("%s: %s", names[i], err.text);
        trip_leg leg;
        trip_start(&leg, model, TRILO_FORMAT_T3DM, &(trilo_write_opts){.t3dm = &(trilo_t3dm_write_opts){.bvh = true}});
        if (!leg.model)
            FAIL("%s: %s", names[i], leg.err.text);
        CHECK(leg.model->bvh && leg.model->bvh->item_count == model->mesh_count);
        check_rules(leg.model->bvh, leg.model);
        const trilo_bounds all = trilo_model_bounds(model);
        const uint64_t ours = ask_file(&y, leg.model, &all);
        if (model->bvh) /* Tiny3D's own tree, which costs the console no less */
            CHECK(ours <= ask_file(&y, model, &all));
        trip_end(&leg);
        trilo_model_free(model);
    }
}

/* 2048 is what 12 bits reach; one more is refused. */
TEST(what_a_bvh_cannot_index_is_reported)
{
    static yard y;
    dice d = {9};
    trip_leg leg;
    fill_yard(&y, 2048, &d);
    trip_start(&leg, &y.model, TRILO_FORMAT_T3DM, &(trilo_write_opts){.t3dm = &(trilo_t3dm_write_opts){.bvh = true}});
    CHECK(leg.model && leg.model->bvh);
    check_rules(leg.model->bvh, leg.model);
    ask_file(&y, leg.model, &(trilo_bounds){{-1000, -100, -1000}, {1000, 100, 1000}});
    trip_end(&leg);
    trilo_mesh *meshes = malloc(2049 * sizeof *meshes);
    CHECK(meshes);
    for (uint32_t i = 0; i < 2049; i++)
        meshes[i] = y.meshes[i % 2048];
    const trilo_model many = {.format = TRILO_FORMAT_T3DM, .units_per_meter = 64, .mesh_count = 2049, .meshes = meshes};
    trip_start(&leg, &many, TRILO_FORMAT_T3DM, &(trilo_write_opts){.t3dm = &(trilo_t3dm_write_opts){.bvh = true}});
    CHECK(!leg.model);
    CHECK_STR(leg.err.rule, "T3DM-RANGE-BVH");
    trip_end(&leg);
    free(meshes);
}

/* Every vertex follows another bone than its neighbours, and hardly two triangles have the same bones, so that most
 * vertices need a part of their own: the object alone is larger than the 262140 bytes that the console can go back. */
enum { LONELY = 24000, BONES = 100 };

typedef struct patchwork {
    float positions[LONELY][3], weights[LONELY][4];
    uint16_t joints[LONELY][4];
    uint32_t indices[LONELY];
    trilo_node nodes[BONES];
    trilo_joint bones[BONES];
} patchwork;

static trilo_mesh make_patchwork(patchwork *p)
{
    static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    uint32_t random = 1;
    for (uint32_t i = 0; i < LONELY; i++) {
        random = random * 1664525u + 1013904223u;
        p->positions[i][0] = (float)(i % 173), p->positions[i][1] = (float)(i / 173),
        p->positions[i][2] = (float)(i % 7);
        p->joints[i][0] = (uint16_t)((random >> 16) % BONES);
        p->weights[i][0] = 1;
        p->indices[i] = i;
    }
    for (uint32_t i = 0; i < BONES; i++) {
        p->nodes[i] =
            (trilo_node){.parent = TRILO_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .local = identity};
        p->bones[i] = (trilo_joint){i, identity};
    }
    return (trilo_mesh){.material = TRILO_NONE,
                        .node = TRILO_NONE,
                        .skin = 0,
                        .vertex_count = LONELY,
                        .index_count = LONELY,
                        .positions = (trilo_points)p->positions,
                        .joints = (const uint16_t(*)[4])p->joints,
                        .weights = (const float(*)[4])p->weights,
                        .indices = p->indices};
}

static bool drop(void *user, const void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

TEST(what_lies_too_far_before_a_bvh_is_reported)
{
    static patchwork p;
    const trilo_mesh mesh = make_patchwork(&p);
    const trilo_skin skin = {BONES, p.bones};
    const trilo_model model = {.format = TRILO_FORMAT_T3DM,
                               .mesh_count = 1,
                               .meshes = &mesh,
                               .node_count = BONES,
                               .nodes = p.nodes,
                               .skin_count = 1,
                               .skins = &skin};
    trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM, .t3dm = &(trilo_t3dm_write_opts){.bvh = true}};
    trilo_error err = {0};
    CHECK(!trilo_model_write(&model, &opts, drop, NULL, &err));
    CHECK_STR(err.rule, "T3DM-BVH-DISTANCE");
    opts.t3dm = NULL;
    CHECK(trilo_model_write(&model, &opts, drop, NULL, &err));
}

TEST_MAIN(CASE(leaves_are_not_tested_but_their_meshes_are), CASE(a_query_ends_when_told),
          CASE(the_first_mesh_is_in_the_tree), CASE(what_is_no_tree_is_refused),
          CASE(a_deep_tree_is_walked_all_the_same), CASE(our_trees_see_what_looking_at_every_mesh_sees),
          CASE(doubles_do_not_fill_a_leaf), CASE(children_stay_in_range), CASE(a_model_without_meshes_has_no_tree),
          CASE(trees_in_t3dm_files_answer_as_looking_at_every_object), CASE(what_a_bvh_cannot_index_is_reported),
          CASE(what_lies_too_far_before_a_bvh_is_reported))
