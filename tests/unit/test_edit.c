/* Edits of whole models, and the boxes (bounds.c) that they stand on. */
#include "base/vec.h"
#include "harness.h"
#include "model/bounds.h"
#include "support/exercise.h"
#include "trilobite/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a triangle on request ---- */

typedef struct fixture {
    trilo_model model;
    trilo_mesh meshes[2];
    float positions[2][3][3];
    uint32_t indices[3];
    trilo_node nodes[3];
    trilo_skin skins[1];
    trilo_joint joints[1];
    trilo_material materials[2];
    trilo_texture textures[3];
    trilo_clip clips[12];
    trilo_channel channels[1];
    float held[3];
} fixture;

static void place_vertices(fixture *f, int mesh, const float (*positions)[3])
{
    memcpy(f->positions[mesh], positions, sizeof f->positions[mesh]);
}

/* One mesh at the origin of the world, no nodes: box (1, 2, 3) to (5, 4, 7). */
static const float plain_positions[3][3] = {{1, 2, 3}, {5, 4, 3}, {3, 2, 7}};

static void fixture_fill(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->indices[1] = 1, f->indices[2] = 2;
    for (int i = 0; i < 2; i++) {
        place_vertices(f, i, plain_positions);
        f->meshes[i] = (trilo_mesh){.material = TRILO_NONE, .node = TRILO_NONE, .skin = TRILO_NONE};
        f->meshes[i].vertex_count = f->meshes[i].index_count = 3;
        f->meshes[i].positions = (const float(*)[3])f->positions[i];
        f->meshes[i].indices = f->indices;
    }
    f->model.meshes = f->meshes;
    f->model.nodes = f->nodes;
    f->model.skins = f->skins;
    f->model.materials = f->materials;
    f->model.textures = f->textures;
    f->model.clips = f->clips;
    f->model.mesh_count = 1;
}

static void node_set(trilo_node *node, uint32_t parent, trilo_mat4 local)
{
    node->parent = parent;
    node->local = local;
    node->sheared = !tl_mat4_decompose(&local, &node->translation, &node->rotation, &node->scale);
}

static trilo_mat4 moved(float x, float y, float z, float scale)
{
    return (trilo_mat4){{scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, y, z, 1}};
}

/* A root 10 to the right, a child twice as large that carries the mesh: the world box is (10, 0, 0) to (12, 2, 0). */
static void hang_on_nodes(fixture *f)
{
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    place_vertices(f, 0, corners);
    node_set(&f->nodes[0], TRILO_NONE, moved(10, 0, 0, 1));
    node_set(&f->nodes[1], 0, moved(0, 0, 0, 2));
    f->model.node_count = 2;
    f->meshes[0].node = 1;
}

/* A quarter turn about z, behind a shift: x, y, z goes to -y + dx, x + dy, z + dz. */
static trilo_mat4 turned(float dx, float dy, float dz)
{
    return (trilo_mat4){{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, dx, dy, dz, 1}};
}

/* A skinned mesh with the box (0, 0, 0) to (4, 2, 0); its node must not matter. */
static void put_in_skin(fixture *f, trilo_mat4 root)
{
    static const float corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 2, 0}};
    place_vertices(f, 0, corners);
    node_set(&f->nodes[0], TRILO_NONE, root);
    node_set(&f->nodes[1], 0, moved(1, 0, 0, 1));
    f->joints[0] = (trilo_joint){1, tl_mat4_identity()};
    f->skins[0] = (trilo_skin){1, f->joints};
    f->model.node_count = 2;
    f->model.skin_count = 1;
    f->meshes[0].skin = 0;
    f->meshes[0].node = 1;
}

/* ---- checks ---- */

static void check_matrix(const trilo_mat4 *got, const trilo_mat4 *want, double within)
{
    for (int i = 0; i < 16; i++)
        CHECK_NEAR(got->m[i], want->m[i], within);
}

static void check_positions(const trilo_mesh *mesh, const float (*want)[3], double within)
{
    for (uint32_t i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(mesh->positions[i][k], want[i][k], within);
}

static void check_box(const trilo_bounds *got, const float min[3], const float max[3], double within)
{
    CHECK_NEAR(got->min.x, min[0], within);
    CHECK_NEAR(got->min.y, min[1], within);
    CHECK_NEAR(got->min.z, min[2], within);
    CHECK_NEAR(got->max.x, max[0], within);
    CHECK_NEAR(got->max.y, max[1], within);
    CHECK_NEAR(got->max.z, max[2], within);
}
#define V(...) ((const float[3]){__VA_ARGS__})

/* The parts of a node must say the same as its matrix. */
static void check_parts(const trilo_node *node)
{
    trilo_mat4 again = tl_mat4_from_trs(node->translation, node->rotation, node->scale);
    check_matrix(&again, &node->local, 1e-5);
    CHECK(!node->sheared);
}

typedef struct heard {
    size_t count;
    trilo_severity severity;
    char rule[32], text[256];
} heard;

static void hear(void *user, const trilo_finding *finding)
{
    heard *h = user;
    h->count++;
    h->severity = finding->severity;
    strncpy(h->rule, finding->rule, sizeof h->rule - 1);
    strncpy(h->text, finding->text, sizeof h->text - 1);
}

static const trilo_model *edited(const trilo_model *model, trilo_model_edit_opts edit, heard *h)
{
    trilo_error err = {0};
    memset(h, 0, sizeof *h);
    edit.on_finding = hear;
    edit.on_finding_user = h;
    const trilo_model *result = trilo_model_edit(model, &edit, NULL, &err);
    if (!result)
        FAIL("%s: %s", err.rule, err.text);
    return result;
}

static const trilo_model_edit_opts normalize = {.normalize = true}, restore = {.restore_size = true};

/* ---- boxes ---- */

TEST(box_of_a_mesh)
{
    fixture f;
    fixture_fill(&f);
    trilo_bounds box = trilo_mesh_bounds(&f.meshes[0]);
    check_box(&box, V(1, 2, 3), V(5, 4, 7), 0);
    CHECK(!tl_bounds_is_empty(&box));
    CHECK(tl_bounds_longest(&box) == 4);
    trilo_vec3 c = tl_bounds_center(&box);
    CHECK(c.x == 3 && c.y == 3 && c.z == 5);
}

TEST(longest_edge_of_each_axis)
{
    for (int axis = 0; axis < 3; axis++) {
        trilo_bounds box = {{0, 0, 0}, {axis == 0 ? 9 : 1.0f, axis == 1 ? 9 : 2.0f, axis == 2 ? 9 : 3.0f}};
        CHECK(tl_bounds_longest(&box) == 9);
    }
}

/* A point with one number that is none is left out as a whole. */
TEST(box_leaves_out_what_is_not_finite)
{
    fixture f;
    fixture_fill(&f);
    for (int k = 0; k < 3; k++) {
        place_vertices(&f, 0, plain_positions);
        f.positions[0][1][k] = k == 1 ? -INFINITY : NAN;
        trilo_bounds box = trilo_mesh_bounds(&f.meshes[0]);
        check_box(&box, V(1, 2, 3), V(3, 2, 7), 0);
    }
}

TEST(empty_boxes)
{
    fixture f;
    fixture_fill(&f);
    trilo_bounds box = tl_bounds_empty();
    CHECK(tl_bounds_is_empty(&box));
    f.meshes[0].vertex_count = f.meshes[0].index_count = 0;
    box = trilo_mesh_bounds(&f.meshes[0]);
    CHECK(tl_bounds_is_empty(&box));
    CHECK(box.min.x > box.max.x);
    box = trilo_model_bounds(&f.model);
    CHECK(tl_bounds_is_empty(&box));
    tl_bounds_add(&box, (trilo_vec3){-1, 2, 0});
    CHECK(!tl_bounds_is_empty(&box));
    check_box(&box, V(-1, 2, 0), V(-1, 2, 0), 0);
    for (int axis = 0; axis < 3; axis++) {
        trilo_bounds turned_over = {{axis == 0 ? 2 : 0.0f, axis == 1 ? 2 : 0.0f, axis == 2 ? 2 : 0.0f}, {1, 1, 1}};
        CHECK(tl_bounds_is_empty(&turned_over));
    }
}

TEST(rigid_meshes_stand_where_their_node_is)
{
    fixture f;
    fixture_fill(&f);
    hang_on_nodes(&f);
    trilo_bounds box = trilo_model_bounds(&f.model);
    check_box(&box, V(10, 0, 0), V(12, 2, 0), 0);
    f.model.mesh_count = 2; /* and one at the origin: (1, 2, 3) to (5, 4, 7) */
    box = trilo_model_bounds(&f.model);
    check_box(&box, V(1, 0, 0), V(12, 4, 7), 0);
    box = trilo_mesh_bounds(&f.meshes[0]); /* a mesh alone: as stored */
    check_box(&box, V(0, 0, 0), V(1, 1, 0), 0);
}

TEST(skinned_meshes_stand_where_they_are_stored)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, moved(7, 7, 7, 3));
    trilo_bounds box = trilo_model_bounds(&f.model);
    check_box(&box, V(0, 0, 0), V(4, 2, 0), 0);
}

/* 10, 0, 0, then a quarter turn about z at 1, 2, 3, then half the size at 4, 0, 0: the point 2, 0, 0 of the last is
 * 5, 0, 0 in the middle, 1, 7, 3 in the first and 11, 7, 3 in the world. */
TEST(a_node_in_the_world)
{
    fixture f;
    fixture_fill(&f);
    node_set(&f.nodes[0], TRILO_NONE, moved(10, 0, 0, 1));
    node_set(&f.nodes[1], 0, turned(1, 2, 3));
    node_set(&f.nodes[2], 1, moved(4, 0, 0, 0.5f));
    f.model.node_count = 3;
    trilo_mat4 world = tl_node_world(&f.model, 2);
    trilo_vec3 p = tl_mat4_point(&world, (trilo_vec3){2, 0, 0});
    CHECK(p.x == 11 && p.y == 7 && p.z == 3);
    world = tl_node_world(&f.model, TRILO_NONE);
    trilo_mat4 identity = tl_mat4_identity();
    check_matrix(&world, &identity, 0);
}

/* ---- clips by name ---- */

TEST(clips_are_found_by_name_or_number)
{
    fixture f;
    fixture_fill(&f);
    f.clips[0].name = (trilo_str){"walk", 4};
    f.clips[2].name = (trilo_str){"0", 1}; /* a name goes before a number */
    f.model.clip_count = 12;
    CHECK_INT(trilo_clip_find(&f.model, "walk"), 0);
    CHECK_INT(trilo_clip_find(&f.model, "0"), 2);
    CHECK_INT(trilo_clip_find(&f.model, "1"), 1);
    CHECK_INT(trilo_clip_find(&f.model, "2"), 2);
    CHECK_INT(trilo_clip_find(&f.model, "9"), 9);
    CHECK_INT(trilo_clip_find(&f.model, "10"), 10);
    CHECK_INT(trilo_clip_find(&f.model, "11"), 11);
    static const char *const nothing[] = {"",   "12", "Walk",       "wal",        "walks",
                                          "-1", "1 ", " 1",         "1a",         "1/",
                                          ":",  "99", "4294967296", "4294967297", "18446744073709551617"};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        if (trilo_clip_find(&f.model, nothing[i]) != TRILO_NONE)
            FAIL("\"%s\" is clip %u", nothing[i], (unsigned)trilo_clip_find(&f.model, nothing[i]));
    f.model.clip_count = 0;
    CHECK_INT(trilo_clip_find(&f.model, "0"), TRILO_NONE);
}

/* ---- no edit ---- */

TEST(nothing_asked_nothing_changed)
{
    fixture f;
    fixture_fill(&f);
    hang_on_nodes(&f);
    heard h;
    const trilo_model *copy = edited(&f.model, (trilo_model_edit_opts){0}, &h);
    CHECK_INT(h.count, 0);
    CHECK(copy != &f.model);
    CHECK(copy->meshes != f.meshes && copy->meshes[0].positions != f.meshes[0].positions);
    check_positions(&copy->meshes[0], (const float(*)[3])f.positions[0], 0);
    check_matrix(&copy->nodes[0].local, &f.nodes[0].local, 0);
    CHECK(!copy->resized);
    trilo_model_free(copy);
}

TEST(a_broken_model_is_refused)
{
    fixture f;
    fixture_fill(&f);
    f.indices[2] = 3;
    trilo_error err = {0};
    CHECK(trilo_model_edit(&f.model, &normalize, NULL, &err) == NULL);
    CHECK_STR(err.rule, "MODEL-INDEX");
    CHECK_STR(err.path, "meshes[0].indices");
    CHECK(trilo_model_edit(&f.model, &normalize, NULL, NULL) == NULL);
}

/* ---- size of a rigid model ---- */

/* Centre 3, 3, 5, longest edge 4: (1, 2, 3) becomes (-2, -1, -2) / 4. */
TEST(normalizing_positions)
{
    static const float unit[3][3] = {{-0.5f, -0.25f, -0.5f}, {0.5f, 0.25f, -0.5f}, {0, -0.25f, 0.5f}};
    fixture f;
    fixture_fill(&f);
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    CHECK_INT(h.count, 0);
    CHECK(small->resized);
    check_box(&small->source_bounds, V(1, 2, 3), V(5, 4, 7), 0);
    check_positions(&small->meshes[0], unit, 0);

    const trilo_model *back = edited(small, restore, &h);
    CHECK_INT(h.count, 0);
    CHECK(!back->resized);
    check_positions(&back->meshes[0], plain_positions, 0);
    check_positions(&small->meshes[0], unit, 0); /* the one it was made from stays */
    CHECK(small->resized);

    check_positions(&f.meshes[0], plain_positions, 0);
    CHECK(!f.model.resized);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* Nothing that a binary fraction can hold: the way back is as near as floats allow. */
TEST(odd_sizes_come_back)
{
    static const float odd[3][3] = {{0.1f, -17.3f, 1000.7f}, {33.33f, 4.1f, 1003.25f}, {-8.9f, 0.07f, 999.999f}};
    fixture f;
    fixture_fill(&f);
    place_vertices(&f, 0, odd);
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    trilo_bounds box = trilo_model_bounds(small);
    CHECK_NEAR(tl_bounds_longest(&box), 1, 1e-6);
    check_box(&box, V(-0.5f, -0.2533743f, -0.03848925f), V(0.5f, 0.2533743f, 0.03848925f), 1e-5);
    const trilo_model *back = edited(small, restore, &h);
    check_positions(&back->meshes[0], odd, 1e-4);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* World box (10, 0, 0) to (12, 2, 0), centre 11, 1, 0, half the size: the root, at 10, 0, 0, goes to -0.5, -0.5, 0. */
TEST(normalizing_through_the_root)
{
    fixture f;
    fixture_fill(&f);
    hang_on_nodes(&f);
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    trilo_mat4 root = moved(-0.5f, -0.5f, 0, 0.5f), child = moved(0, 0, 0, 2);
    check_matrix(&small->nodes[0].local, &root, 0);
    check_matrix(&small->nodes[1].local, &child, 0);
    check_parts(&small->nodes[0]);
    CHECK_NEAR(small->nodes[0].scale.y, 0.5, 1e-6);
    check_positions(&small->meshes[0], (const float(*)[3])f.positions[0], 0);
    check_box(&small->source_bounds, V(10, 0, 0), V(12, 2, 0), 0);
    trilo_bounds box = trilo_model_bounds(small);
    check_box(&box, V(-0.5f, -0.5f, 0), V(0.5f, 0.5f, 0), 0);

    const trilo_model *back = edited(small, restore, &h);
    check_matrix(&back->nodes[0].local, &f.nodes[0].local, 1e-6);
    check_parts(&back->nodes[0]);
    CHECK_INT(h.count, 0);
    trilo_mat4 untouched = moved(10, 0, 0, 1);
    check_matrix(&f.nodes[0].local, &untouched, 0);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* One mesh on a node, one at the origin, in one box: (1, 0, 0) to (12, 4, 7). */
TEST(normalizing_both_kinds_of_mesh)
{
    fixture f;
    fixture_fill(&f);
    hang_on_nodes(&f);
    f.model.mesh_count = 2;
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    trilo_bounds box = trilo_model_bounds(small);
    check_box(&box, V(-0.5f, -2.0f / 11, -3.5f / 11), V(0.5f, 2.0f / 11, 3.5f / 11), 1e-6);
    const trilo_model *back = edited(small, restore, &h);
    box = trilo_model_bounds(back);
    check_box(&box, V(1, 0, 0), V(12, 4, 7), 1e-5);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* ---- size of a skinned model ---- */

/* Box (0, 0, 0) to (4, 2, 0): a quarter of the size, shift -0.5, -0.25, 0, inside the rotation, which takes that shift
 * to 0.25, -0.5, 0. Positions stay. */
TEST(normalizing_a_skinned_model)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, turned(0, 0, 0));
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    const trilo_mat4 root = {{0, 0.25f, 0, 0, -0.25f, 0, 0, 0, 0, 0, 0.25f, 0, 0.25f, -0.5f, 0, 1}};
    CHECK_INT(h.count, 0);
    CHECK(small->resized);
    check_box(&small->source_bounds, V(0, 0, 0), V(4, 2, 0), 0);
    check_matrix(&small->nodes[0].local, &root, 0);
    check_matrix(&small->nodes[1].local, &f.nodes[1].local, 0);
    check_parts(&small->nodes[0]);
    check_positions(&small->meshes[0], (const float(*)[3])f.positions[0], 0);
    check_matrix(&small->skins[0].joints[0].inverse_bind, &f.joints[0].inverse_bind, 0);

    const trilo_model *back = edited(small, restore, &h);
    CHECK(!back->resized);
    check_matrix(&back->nodes[0].local, &f.nodes[0].local, 1e-6);
    check_parts(&back->nodes[0]);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* A root that has more than a rotation, or that a clip moves, stays as it is: a new node above it does the scaling, by
 * a quarter and by -0.5, -0.25, 0. What named a node names the one behind it. */
static void check_new_root(const fixture *f)
{
    heard h;
    const trilo_model *small = edited(&f->model, normalize, &h);
    const trilo_mat4 scaling = moved(-0.5f, -0.25f, 0, 0.25f);
    CHECK_INT(h.count, 0);
    CHECK(trilo_model_check(small, NULL));
    CHECK_INT(small->node_count, f->model.node_count + 1);
    CHECK_INT(small->nodes[0].parent, TRILO_NONE);
    CHECK_STR(small->nodes[0].name.data, "");
    CHECK_INT(small->nodes[0].name.len, 0);
    check_matrix(&small->nodes[0].local, &scaling, 0);
    check_parts(&small->nodes[0]);
    for (uint32_t i = 0; i < f->model.node_count; i++) {
        CHECK_INT(small->nodes[i + 1].parent, f->nodes[i].parent == TRILO_NONE ? 0 : f->nodes[i].parent + 1);
        check_matrix(&small->nodes[i + 1].local, &f->nodes[i].local, 0);
    }
    CHECK_INT(small->meshes[0].node, f->meshes[0].node == TRILO_NONE ? TRILO_NONE : f->meshes[0].node + 1);
    CHECK_INT(small->skins[0].joints[0].node, f->joints[0].node + 1);
    if (f->model.clip_count > 0)
        CHECK_INT(small->clips[0].channels[0].node, f->clips[0].channels[0].node + 1);

    const trilo_model *back = edited(small, restore, &h); /* every node is in the world where it was */
    for (uint32_t i = 0; i < f->model.node_count; i++) {
        trilo_mat4 world = tl_node_world(back, i + 1), before = tl_node_world(&f->model, i);
        check_matrix(&world, &before, 1e-5);
    }
    trilo_model_free(back);
    trilo_model_free(small);
}

TEST(a_skinned_root_keeps_its_position_and_size)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, turned(5, 6, 7));
    check_new_root(&f);
    put_in_skin(&f, moved(0, 0, 0, 3));
    check_new_root(&f);
    for (int axis = 0; axis < 3; axis++) {
        trilo_mat4 root = tl_mat4_identity();
        root.m[5 * axis] = 2; /* longer along one axis */
        put_in_skin(&f, root);
        check_new_root(&f);
        root = tl_mat4_identity();
        root.m[12 + axis] = -1; /* moved along one axis */
        put_in_skin(&f, root);
        check_new_root(&f);
    }
    trilo_mat4 sheared = tl_mat4_identity();
    sheared.m[4] = 0.5f;
    put_in_skin(&f, sheared);
    check_new_root(&f);
    f.meshes[0].node = TRILO_NONE; /* nothing stays nothing */
    check_new_root(&f);
}

/* A skin of no joints in a model of no nodes: there is only the mesh to resize. */
TEST(a_skin_without_nodes)
{
    fixture f;
    fixture_fill(&f);
    f.skins[0] = (trilo_skin){0, NULL};
    f.model.skin_count = 1;
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    trilo_bounds box = trilo_model_bounds(small);
    check_box(&box, V(-0.5f, -0.25f, -0.5f), V(0.5f, 0.25f, 0.5f), 0);
    const trilo_model *back = edited(small, restore, &h);
    check_positions(&back->meshes[0], plain_positions, 0);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* Boxes (0, 0, 0) to (4, 2, 0) and (1, 2, 3) to (5, 4, 7) together: centre 2.5, 2, 3.5, longest edge 7. The mesh that
 * no node and no skin places is scaled itself. */
TEST(a_rigid_mesh_beside_a_skinned_one)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, tl_mat4_identity());
    f.model.mesh_count = 2;
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    static const float want[3][3] = {{-1.5f / 7, 0, -0.5f / 7}, {2.5f / 7, 2.0f / 7, -0.5f / 7}, {0.5f / 7, 0, 0.5f}};
    check_positions(&small->meshes[0], (const float(*)[3])f.positions[0], 0);
    check_positions(&small->meshes[1], want, 1e-6);
    const trilo_mat4 root = moved(-2.5f / 7, -2.0f / 7, -0.5f, 1.0f / 7);
    check_matrix(&small->nodes[0].local, &root, 1e-6);
    const trilo_model *back = edited(small, restore, &h);
    check_positions(&back->meshes[1], plain_positions, 1e-5);
    check_matrix(&back->nodes[0].local, &f.nodes[0].local, 1e-6);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* A quarter turn about y, and no other node: x goes to -z. */
TEST(a_skinned_model_of_one_node)
{
    const trilo_mat4 about_y = {{0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1}};
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, about_y);
    f.joints[0].node = 0;
    f.meshes[0].node = TRILO_NONE;
    f.model.node_count = 1;
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    const trilo_mat4 root = {{0, 0, -0.25f, 0, 0, 0.25f, 0, 0, 0.25f, 0, 0, 0, 0, -0.25f, 0.5f, 1}};
    CHECK_INT(small->node_count, 1);
    check_matrix(&small->nodes[0].local, &root, 0);
    check_positions(&small->meshes[0], (const float(*)[3])f.positions[0], 0);
    const trilo_model *back = edited(small, restore, &h);
    check_matrix(&back->nodes[0].local, &about_y, 1e-6);
    trilo_model_free(back);
    trilo_model_free(small);
}

/* A root that a file has scaled to nothing cannot be divided by its scale. */
TEST(restoring_a_flat_root)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, moved(1, 1, 1, 0));
    f.model.resized = true;
    heard h;
    const trilo_model *back = edited(&f.model, restore, &h);
    for (int i = 0; i < 16; i++)
        CHECK(isfinite(back->nodes[0].local.m[i]));
    trilo_model_free(back);
}

TEST(a_skinned_model_with_two_roots)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, turned(0, 0, 0));
    node_set(&f.nodes[2], TRILO_NONE, tl_mat4_identity());
    f.model.node_count = 3;
    check_new_root(&f);
    put_in_skin(&f, turned(0, 0, 0));
    node_set(&f.nodes[1], TRILO_NONE, moved(1, 0, 0, 1));
    f.model.node_count = 2;
    check_new_root(&f);
}

/* A clip that holds node `node` where its rest pose is. */
static void put_clip(fixture *f, uint32_t node)
{
    static const double times[1] = {0};
    const trilo_vec3 *at = &f->nodes[node].translation;
    f->held[0] = at->x, f->held[1] = at->y, f->held[2] = at->z;
    f->channels[0] = (trilo_channel){
        .node = node, .target = TRILO_TARGET_TRANSLATION, .key_count = 1, .times = times, .values = f->held};
    f->clips[0] = (trilo_clip){.duration = 1, .channel_count = 1, .channels = f->channels};
    f->model.clip_count = 1;
}

TEST(a_skinned_root_that_a_clip_moves)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, turned(0, 0, 0));
    put_clip(&f, 0);
    check_new_root(&f);
}

/* A clip on another node is no reason for a new root. */
TEST(a_skinned_root_that_no_clip_moves)
{
    fixture f;
    fixture_fill(&f);
    put_in_skin(&f, turned(0, 0, 0));
    put_clip(&f, 1);
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    CHECK_INT(small->node_count, 2);
    CHECK_INT(small->clips[0].channels[0].node, 1);
    trilo_model_free(small);
}

/* The clip must not undo the scaling when it is played: at 0 seconds it holds the rest pose, so the model fills the
 * same unit box as without it. */
TEST(normalizing_a_rigid_model_that_moves)
{
    fixture f;
    fixture_fill(&f);
    hang_on_nodes(&f);
    put_clip(&f, 0);
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    trilo_mat4 locals[4], worlds[4];
    float positions[3][3];
    CHECK(small->node_count <= 4);
    trilo_pose_locals(small, 0, 0, locals);
    trilo_pose_worlds(small, locals, worlds);
    trilo_pose_mesh(small, 0, worlds, NULL, positions, NULL);
    static const float want[3][3] = {{-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0}, {-0.5f, 0.5f, 0}};
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(positions[i / 3][i % 3], want[i / 3][i % 3], 1e-6);
    trilo_model_free(small);
}

/* Both together: restored first, so that the box is the one of the original. */
TEST(restoring_and_normalizing_at_once)
{
    fixture f;
    fixture_fill(&f);
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    const trilo_model *again = edited(small, (trilo_model_edit_opts){.restore_size = true, .normalize = true}, &h);
    CHECK_INT(h.count, 0);
    CHECK(again->resized);
    check_box(&again->source_bounds, V(1, 2, 3), V(5, 4, 7), 0);
    check_positions(&again->meshes[0], small->meshes[0].positions, 0);
    trilo_model_free(again);
    trilo_model_free(small);
}

/* ---- when nothing can be done ---- */

static void check_nothing_done(fixture *f, trilo_model_edit_opts edit, const char *about)
{
    heard h;
    const bool resized = f->model.resized;
    const trilo_model *same = edited(&f->model, edit, &h);
    CHECK_INT(h.count, 1);
    CHECK_INT(h.severity, TRILO_SEVERITY_WARNING);
    CHECK_STR(h.rule, "MODEL-SIZE");
    CHECK(strstr(h.text, about) != NULL);
    CHECK_INT(same->resized, resized);
    if (same->mesh_count > 0)
        CHECK(memcmp(same->meshes[0].positions, f->positions[0], sizeof f->positions[0]) == 0);
    trilo_model_free(same);
    edit.on_finding = NULL; /* nobody has to listen */
    same = trilo_model_edit(&f->model, &edit, NULL, NULL);
    CHECK(same != NULL);
    trilo_model_free(same);
}

TEST(sizes_that_cannot_change)
{
    fixture f;
    fixture_fill(&f);
    check_nothing_done(&f, restore, "not scaled into a unit box");
    f.model.resized = true;
    check_nothing_done(&f, normalize, "already");
    f.model.resized = false;
    memset(f.positions, 0, sizeof f.positions); /* all vertices in one point */
    check_nothing_done(&f, normalize, "no extent");
    for (int i = 0; i < 3; i++)
        f.positions[0][i][1] = NAN;
    check_nothing_done(&f, normalize, "no extent");
    f.model.mesh_count = 0;
    check_nothing_done(&f, normalize, "no extent");
}

TEST(no_texture_to_replace)
{
    fixture f;
    fixture_fill(&f);
    heard h;
    const trilo_model_edit_opts edit = {.replace_texture = {(const uint8_t *)"?", 1}};
    const trilo_model *same = edited(&f.model, edit, &h);
    CHECK_INT(h.count, 1);
    CHECK_STR(h.rule, "MODEL-TEXTURE");
    CHECK_INT(h.severity, TRILO_SEVERITY_WARNING);
    CHECK_INT(same->texture_count, 0);
    trilo_model_free(same);
    f.textures[0].path = (trilo_str){"a.png", 5}; /* one that is not embedded */
    f.model.texture_count = 1;
    same = edited(&f.model, edit, &h);
    CHECK_INT(h.count, 1);
    CHECK_INT(same->textures[0].bytes.size, 0);
    trilo_model_free(same);
}

/* Too large or too small for a factor that a float can hold: said, and left alone, or done right. Never spoilt. */
static void check_not_spoilt(float extent)
{
    fixture f;
    fixture_fill(&f);
    memset(f.positions, 0, sizeof f.positions);
    f.positions[0][0][0] = -extent;
    f.positions[0][1][0] = extent;
    heard h;
    const trilo_model *small = edited(&f.model, normalize, &h);
    CHECK_INT(h.count, small->resized ? 0 : 1);
    const double reach = small->resized ? 0.5 : (double)extent;
    CHECK_NEAR(small->meshes[0].positions[0][0], -reach, reach * 1e-5);
    CHECK_NEAR(small->meshes[0].positions[1][0], reach, reach * 1e-5);
    CHECK(small->meshes[0].positions[2][0] == 0);
    trilo_model_free(small);
}

TEST(sizes_at_the_end_of_the_scale)
{
    check_not_spoilt(1e30f);
    check_not_spoilt(1e-30f);
    check_not_spoilt(1.5e38f);
    check_not_spoilt(3e38f);  /* the edge is above the largest float */
    check_not_spoilt(1e-39f); /* the factor is */
    check_not_spoilt(1e-45f);
}

/* ---- textures ---- */

static const uint8_t old_image[4] = {1, 2, 3, 4};

/* An embedded image, one that lives in a file, and another embedded one. */
static void put_textures(fixture *f)
{
    f->textures[0] = (trilo_texture){.bytes = {old_image, sizeof old_image}, .width = 5, .height = 6};
    f->textures[1] = (trilo_texture){.path = {"skin.png", 8}, .width = 7, .height = 8};
    f->textures[2] = f->textures[0];
    for (uint32_t i = 0; i < 2; i++) {
        f->materials[i].texture = i;
        f->materials[i].base_color[0] = 0.5f;
    }
    f->model.texture_count = 3;
    f->model.material_count = 2;
    f->meshes[0].material = 1;
}

TEST(dropping_textures)
{
    fixture f;
    fixture_fill(&f);
    put_textures(&f);
    heard h;
    const trilo_model *bare = edited(&f.model, (trilo_model_edit_opts){.drop_textures = true}, &h);
    CHECK_INT(h.count, 0);
    CHECK_INT(bare->texture_count, 0);
    CHECK_INT(bare->material_count, 2);
    CHECK_INT(bare->materials[0].texture, TRILO_NONE);
    CHECK_INT(bare->materials[1].texture, TRILO_NONE);
    CHECK(bare->materials[1].base_color[0] == 0.5f);
    CHECK_INT(bare->meshes[0].material, 1);
    CHECK(trilo_model_check(bare, NULL));
    CHECK_INT(f.model.texture_count, 3);
    CHECK_INT(f.materials[1].texture, 1);
    trilo_model_free(bare);
}

/* 300 by 2 pixels. */
static const uint8_t new_image[24] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13,
                                      'I',  'H', 'D', 'R', 0,    0,    1,    0x2C, 0, 0, 0, 2};

TEST(replacing_textures)
{
    fixture f;
    fixture_fill(&f);
    put_textures(&f);
    heard h;
    uint8_t image[sizeof new_image];
    memcpy(image, new_image, sizeof image);
    const trilo_model_edit_opts edit = {.replace_texture = {image, sizeof image}};
    const trilo_model *other = edited(&f.model, edit, &h);
    memset(image, 0, sizeof image); /* the caller's bytes are copied */
    CHECK_INT(h.count, 0);
    CHECK_INT(other->texture_count, 3);
    for (int i = 0; i < 3; i += 2) {
        CHECK_INT(other->textures[i].bytes.size, sizeof new_image);
        CHECK(memcmp(other->textures[i].bytes.data, new_image, sizeof new_image) == 0);
        CHECK_INT(other->textures[i].kind, TRILO_IMAGE_KIND_PNG);
        CHECK_INT(other->textures[i].width, 300);
        CHECK_INT(other->textures[i].height, 2);
    }
    CHECK_INT(other->textures[1].bytes.size, 0); /* was not embedded, is not now */
    CHECK_STR(other->textures[1].path.data, "skin.png");
    CHECK_INT(other->textures[1].width, 7);
    CHECK(f.textures[0].bytes.data == old_image);
    CHECK_INT(f.textures[0].width, 5);
    trilo_model_free(other);
}

TEST(replacing_by_something_unknown)
{
    fixture f;
    fixture_fill(&f);
    put_textures(&f);
    f.textures[0].kind = TRILO_IMAGE_KIND_JPEG;
    heard h;
    const trilo_model_edit_opts edit = {.replace_texture = {(const uint8_t *)"?", 1}};
    const trilo_model *other = edited(&f.model, edit, &h);
    CHECK_INT(other->textures[0].bytes.size, 1);
    CHECK_INT(other->textures[0].bytes.data[0], '?');
    CHECK_INT(other->textures[0].kind, TRILO_IMAGE_KIND_UNKNOWN);
    CHECK_INT(other->textures[0].width, 0);
    CHECK_INT(other->textures[0].height, 0);
    trilo_model_free(other);
}

/* ---- memory ---- */

/* NULL with an error, and nothing left behind; or a model, and nothing left once it is freed. */
static bool edit_with(const fixture *f, meter *h, size_t max_bytes, size_t image_size)
{
    static const uint8_t image[20000] = {0};
    const trilo_model_edit_opts edit = {.normalize = true, .replace_texture = {image, image_size}};
    trilo_error err = {0};
    const trilo_memory memory = meter_memory(h, max_bytes);
    const trilo_model *model = trilo_model_edit(&f->model, &edit, &memory, &err);
    if (!model) {
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        CHECK_STR(err.rule, "FILE-MEMORY");
    } else { /* all of it was done */
        CHECK(model->resized);
        CHECK_INT(model->node_count, f->model.node_count + 1);
        CHECK(image_size == 0 || model->textures[0].bytes.size == image_size);
    }
    trilo_model_free(model);
    CHECK_INT(h->now, 0);
    return model != NULL;
}

TEST(every_refusal_of_the_hook)
{
    fixture f;
    fixture_fill(&f);
    put_textures(&f);
    put_in_skin(&f, moved(1, 2, 3, 4)); /* which takes a new root */
    size_t deny = 1;
    for (;; deny++) {
        meter h = {.fail_at = deny};
        bool made = edit_with(&f, &h, 0, 20000);
        CHECK_INT(made, h.calls < deny);
        if (made)
            break;
    }
    CHECK(deny > 2); /* the model, and the new image */
}

TEST(every_limit)
{
    fixture f;
    fixture_fill(&f);
    put_textures(&f);
    put_in_skin(&f, moved(1, 2, 3, 4)); /* which takes a new root */
    meter h = {0};
    size_t without = 16, with = 16;
    while (!edit_with(&f, &h, without, 0))
        without += 8;
    while (!edit_with(&f, &h, with, 20000))
        with += 24;
    CHECK(without > sizeof(trilo_node) * 5); /* two nodes, and three with a new root */
    CHECK(with > without + 15000);
}

/* As with every options struct, none is the same as an empty one. */
TEST(no_edit_at_all)
{
    fixture f;
    fixture_fill(&f);
    const trilo_model *copy = trilo_model_edit(&f.model, NULL, NULL, NULL);
    CHECK(copy != NULL);
    check_positions(&copy->meshes[0], plain_positions, 0);
    trilo_model_free(copy);
}

TEST_MAIN(CASE(box_of_a_mesh), CASE(longest_edge_of_each_axis), CASE(box_leaves_out_what_is_not_finite),
          CASE(empty_boxes), CASE(rigid_meshes_stand_where_their_node_is),
          CASE(skinned_meshes_stand_where_they_are_stored), CASE(a_node_in_the_world),
          CASE(clips_are_found_by_name_or_number), CASE(nothing_asked_nothing_changed), CASE(a_broken_model_is_refused),
          CASE(normalizing_positions), CASE(odd_sizes_come_back), CASE(normalizing_through_the_root),
          CASE(normalizing_both_kinds_of_mesh), CASE(normalizing_a_skinned_model),
          CASE(a_skinned_root_keeps_its_position_and_size), CASE(a_skin_without_nodes),
          CASE(a_rigid_mesh_beside_a_skinned_one), CASE(a_skinned_model_of_one_node), CASE(restoring_a_flat_root),
          CASE(a_skinned_model_with_two_roots), CASE(a_skinned_root_that_a_clip_moves),
          CASE(a_skinned_root_that_no_clip_moves), CASE(normalizing_a_rigid_model_that_moves),
          CASE(restoring_and_normalizing_at_once), CASE(sizes_that_cannot_change), CASE(no_texture_to_replace),
          CASE(sizes_at_the_end_of_the_scale), CASE(dropping_textures), CASE(replacing_textures),
          CASE(replacing_by_something_unknown), CASE(every_refusal_of_the_hook), CASE(every_limit),
          CASE(no_edit_at_all))
