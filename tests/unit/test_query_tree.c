/* The trees of queries themselves: which nodes they have, what is in the leaves, how far a search goes, and what is
 * said where there is no tree. */
#include "harness.h"
#include "query/query.h"
#include "support/exercise.h"
#include "support/query_brute.h"

#include <math.h>
#include <string.h>

/* ---- the tree of triangles ---- */

enum { FACES = 400 };

/* The tree of two children that the other is made from. */
typedef struct binary_tree {
    tl_box_ref refs[FACES];
    trilo_face faces[FACES]; /* in the order of the model */
    tl_bvh_box_node nodes[2 * FACES + 2];
    uint32_t count, not_finite, visited;
} binary_tree;

static void make_binary(binary_tree *b, const soup *s)
{
    *b = (binary_tree){.count = s->triangle_count};
    CHECK(b->count <= FACES);
    for (uint32_t i = 0; i < b->count; i++) {
        double corners[3][3];
        tl_box box = tl_box_empty();
        if (soup_corners(s, i, &b->faces[i], corners))
            for (int k = 0; k < 9; k++) {
                box.at[k % 3] = fminf(box.at[k % 3], (float)corners[k / 3][k % 3]);
                box.at[k % 3 + 3] = fmaxf(box.at[k % 3 + 3], (float)corners[k / 3][k % 3]);
            }
        else
            b->not_finite++;
        b->refs[i] = (tl_box_ref){box, i};
    }
    tl_bvh_build(b->refs, b->count, 4, 64, b->nodes);
}

typedef struct wide_child {
    uint32_t node, first; /* in the tree of two children, and its first face */
} wide_child;

/* While there are less than eight, the one with the largest box is replaced by its own two. */
static uint32_t list_children(const binary_tree *b, wide_child *children)
{
    uint32_t count = 1;
    for (; count < 8; count++) {
        uint32_t most = UINT32_MAX;
        for (uint32_t k = 0; k < count; k++)
            if (b->nodes[children[k].node].child != 0 &&
                (most == UINT32_MAX ||
                 tl_box_area(&b->nodes[children[k].node].box) > tl_box_area(&b->nodes[children[most].node].box)))
                most = k;
        if (most == UINT32_MAX)
            break;
        for (uint32_t k = count; k > most + 1; k--)
            children[k] = children[k - 1];
        const uint32_t left = b->nodes[children[most].node].child;
        children[most + 1] = (wide_child){left + 1, children[most].first + b->nodes[left].count};
        children[most].node = left;
    }
    return count;
}

static void check_leaf(const trilo_query *q, const soup *s, const binary_tree *b, wide_child leaf, uint32_t child)
{
    CHECK(tl_query_is_leaf(child));
    CHECK_INT(tl_query_leaf_first(child), leaf.first);
    CHECK_INT(tl_query_leaf_count(child), b->nodes[leaf.node].count);
    for (uint32_t i = leaf.first; i < leaf.first + b->nodes[leaf.node].count; i++) {
        const trilo_face *face = &b->faces[b->refs[i].item];
        const trilo_mesh *mesh = &s->meshes[face->mesh];
        float corners[9];
        CHECK_INT(q->faces[i].mesh, face->mesh);
        CHECK_INT(q->faces[i].triangle & ~TL_FACE_NOT_FINITE, face->triangle);
        CHECK((q->faces[i].triangle & TL_FACE_NOT_FINITE) == 0 || b->refs[i].box.at[0] > b->refs[i].box.at[3]);
        tl_query_corners(q, child, i, corners);
        for (int k = 0; k < 3; k++)
            CHECK(memcmp(corners + 3 * k, mesh->positions[mesh->indices[3 * face->triangle + (uint32_t)k]],
                         3 * sizeof *corners) == 0);
    }
}

static void check_node(const trilo_query *q, const soup *s, binary_tree *b, uint32_t number, wide_child from)
{
    wide_child children[8] = {from};
    const uint32_t count = list_children(b, children);
    const tl_query_node *node = &q->nodes[number];
    tl_box all = tl_box_empty();
    b->visited++;
    for (uint32_t k = 0; k < 8; k++) {
        if (k >= count) {
            CHECK_INT(node->child[k], TL_QUERY_LEAF);
            for (int plane = 0; plane < 6; plane++)
                CHECK_INT(node->planes[plane][k], plane < 3 ? 255 : 0);
            continue;
        }
        tl_box_add(&all, &b->nodes[children[k].node].box);
        if (b->nodes[children[k].node].child == 0) {
            check_leaf(q, s, b, children[k], node->child[k]);
            continue;
        }
        CHECK(node->child[k] > number && node->child[k] < q->node_count);
        check_node(q, s, b, node->child[k], children[k]);
    }
    CHECK(memcmp(&all, &node->box, sizeof all) == 0);
}

TEST(nodes_have_eight_children)
{
    static binary_tree b;
    for (uint32_t kind = 0; kind < SOUP_KINDS; kind++)
        for (uint32_t count = 1; count <= 333; count += count < 40 ? 1 : 73) {
            dice d = {kind + 1};
            soup s;
            soup_make(&s, kind, count, &d);
            trilo_query *q = make_query(&s.model);
            make_binary(&b, &s);
            CHECK_INT(q->face_count, count);
            CHECK_INT(q->not_finite, b.not_finite);
            CHECK_INT((uintptr_t)q->nodes % 64, 0);
            check_node(q, &s, &b, 0, (wide_child){1, 0});
            CHECK_INT(q->node_count, b.visited);
            CHECK(memcmp(&q->box, &q->nodes[0].box, sizeof q->box) == 0);
            for (int k = 0; k < 4; k++) /* vectors read so many beyond the last leaf */
                CHECK(q->corners[9 * (size_t)count + (size_t)k] == 0);
            trilo_query_refit(q, s.points);
            CHECK_INT(q->not_finite, b.not_finite);
            b.visited = 0;
            check_node(q, &s, &b, 0, (wide_child){1, 0});
            trilo_query_free(q);
            soup_free(&s);
        }
}

/* The limit is for all arrays together, each fails in turn, and nothing stays behind. */
TEST(memory_runs_out)
{
    dice d = {1};
    soup s;
    soup_make(&s, SOUP_CLOUD, 40, &d);
    s.model.bvh = NULL;
    for (int kind = 0; kind < 2; kind++) {
        uint32_t failures = 0;
        for (bool done = false; !done; failures++) {
            meter held = {0};
            const size_t limit = 16 * (size_t)(failures + 1);
            const trilo_memory memory = meter_memory(&held, limit);
            trilo_error err = {0};
            trilo_query *query = kind == 0 ? trilo_query_new(&s.model, NULL, &memory, &err) : NULL;
            trilo_mesh_tree *tree = kind == 1 ? trilo_mesh_tree_new(&s.model, &memory, &err) : NULL;
            done = query || tree;
            CHECK_INT(err.code, done ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
            CHECK(held.peak <= limit);
            trilo_query_free(query);
            trilo_mesh_tree_free(tree);
            CHECK_INT(held.now, 0);
        }
        CHECK(failures > 20);
    }
    soup_free(&s);
}

/* ---- how far a search goes ---- */

/* One triangle: the root is visited, then its leaf. */
TEST(a_search_ends_after_some_nodes)
{
    static const float corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const trilo_mesh mesh = triangle_mesh(corners, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    for (uint32_t most = 0; most < 4; most++) {
        trilo_hit hit = {.distance = -1};
        CHECK(tl_query_near_point(query, (trilo_vec3){1, 1, 3}, 0, most, &hit) == (most >= 2));
        CHECK_NEAR(hit.distance, most >= 2 ? 3 : -1, 0);
    }
    trilo_query_free(query);
}

/* More nodes never find something further away, and enough of them find the nearest. */
TEST(longer_searches_find_nearer_points)
{
    dice d = {5};
    soup s;
    soup_make(&s, SOUP_CLOUD, 300, &d);
    trilo_query *query = make_query(&s.model);
    for (int i = 0; i < 10; i++) {
        const trilo_vec3 point = dice_point(&d, -10, 10);
        trilo_hit last = {.distance = INFINITY}, hit, nearest;
        CHECK(trilo_query_closest_point(query, point, 0, &nearest));
        for (uint32_t most = 1; most < 400; most++)
            if (tl_query_near_point(query, point, 0, most, &hit)) {
                CHECK(hit.distance <= last.distance && hit.distance >= nearest.distance);
                last = hit;
            }
        CHECK(last.distance == nearest.distance && last.face.triangle == nearest.face.triangle);
    }
    trilo_query_free(query);
    soup_free(&s);
}

/* The limit itself is near enough, what is next to it is not; a negative one or none that is a number finds nothing. */
TEST(the_limit_of_a_distance_counts)
{
    static const float corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const trilo_mesh mesh = triangle_mesh(corners, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    static const struct {
        float z, limit;
        bool found, back;
    } rows[] = {
        {3, 3, true, false},       {3, 2.9999998f, false, false}, {-3, 3, true, true},   {-3, 2.9999998f, false, false},
        {0, 1e-30f, true, false},  {0, 0, true, false},           {3, -1, false, false}, {3, NAN, false, false},
        {3, INFINITY, true, false}};
    trilo_query *query = make_query(&model);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trilo_hit hit = {.back = false};
        CHECK(trilo_query_closest_point(query, (trilo_vec3){1, 1, rows[i].z}, rows[i].limit, &hit) == rows[i].found);
        CHECK(hit.back == rows[i].back);
    }
    const float odd[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 9; i++) {
        float at[3] = {1, 1, 1};
        trilo_hit hit;
        at[i / 3] = odd[i % 3];
        CHECK(!trilo_query_closest_point(query, (trilo_vec3){at[0], at[1], at[2]}, 0, &hit));
    }
    trilo_query_free(query);
}

/* ---- what is no tree of meshes ---- */

static void check_refused(const trilo_bvh *bvh, const char *path, const char *text)
{
    static const float corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const trilo_mesh meshes[2] = {triangle_mesh(corners, TRILO_NONE), triangle_mesh(corners, TRILO_NONE)};
    const trilo_model model = {.mesh_count = 2, .meshes = meshes, .bvh = bvh};
    trilo_error err = {0};
    CHECK(!trilo_mesh_tree_new(&model, NULL, &err));
    CHECK_INT(err.code, TRILO_CODE_BAD_REF);
    CHECK(err.offset == TRILO_NOWHERE);
    CHECK_STR(err.path, path);
    CHECK_STR(err.text, text);
}

TEST(it_is_said_why_there_is_no_tree)
{
    static const uint32_t items[2] = {0, 1}, wrong[2] = {0, 2};
    static const trilo_bvh_node far[1] = {{.first = 3, .count = 1}}, many[1] = {{.first = 1, .count = 2}},
                                mesh[1] = {{.first = 0, .count = 2}}, self[1] = {{.first = 0}},
                                last[3] = {{.first = 2}, {.count = 1}, {.count = 1}},
                                twice[5] = {{.first = 1}, {.first = 3}, {.first = 3}, {.count = 1}, {.count = 1}},
                                half[4] = {{.first = 1}, {.count = 1}, {.first = 2}, {.count = 1}};
    check_refused(&(trilo_bvh){1, 2, far, items}, "bvh.nodes[0]",
                  "item 3, must be below 2 and belong to one node alone");
    check_refused(&(trilo_bvh){1, 2, many, items}, "bvh.nodes[0]",
                  "item 1, must be below 2 and belong to one node alone");
    check_refused(&(trilo_bvh){1, 2, mesh, wrong}, "bvh.nodes[0]",
                  "mesh 2, must be below 2 and belong to one node alone");
    check_refused(&(trilo_bvh){1, 2, self, items}, "bvh.nodes[0]",
                  "child 0, must be below 0 and belong to one node alone");
    check_refused(&(trilo_bvh){3, 2, last, items}, "bvh.nodes[0]",
                  "child 2, must be below 2 and belong to one node alone");
    check_refused(&(trilo_bvh){5, 2, twice, items}, "bvh.nodes[2]",
                  "child 3, must be below 4 and belong to one node alone");
    check_refused(&(trilo_bvh){4, 2, half, items}, "bvh.nodes[2]",
                  "child 2, must be below 3 and belong to one node alone");
    check_refused(&(trilo_bvh){1, 2, NULL, items}, "bvh.nodes[0]",
                  "node 0, must be below 0 and belong to one node alone");
    check_refused(&(trilo_bvh){1, 1, mesh, NULL}, "bvh.nodes[0]",
                  "node 0, must be below 0 and belong to one node alone");
    check_refused(&(trilo_bvh){1, 0, self, NULL}, "bvh.nodes[0]",
                  "child 0, must be below 0 and belong to one node alone");
}

static bool stop(void *user, uint32_t mesh)
{
    *(uint32_t *)user = mesh;
    return false;
}

/* The root is tested, then the meshes of its first leaf: the first one or the second ends it. */
TEST(tests_are_counted_to_the_end)
{
    static const float left[3][3] = {{-4, 0, 0}, {-3, 0, 0}, {-4, 4, 0}},
                       right[3][3] = {{3, 0, 0}, {4, 0, 0}, {3, 4, 0}};
    const trilo_mesh meshes[3] = {triangle_mesh(left, TRILO_NONE), triangle_mesh(right, TRILO_NONE),
                                  triangle_mesh(right, TRILO_NONE)};
    static const uint32_t items[3] = {0, 1, 2};
    static const trilo_bvh_node nodes[3] = {
        {.bounds = {{-4, 0, 0}, {4, 4, 0}}, .first = 1}, {.first = 0, .count = 2}, {.first = 2, .count = 1}};
    const trilo_bvh bvh = {3, 3, nodes, items};
    const trilo_model model = {.mesh_count = 3, .meshes = meshes, .bvh = &bvh};
    trilo_mesh_tree *tree = trilo_mesh_tree_new(&model, NULL, NULL);
    uint32_t mesh = 9;
    CHECK(tree && trilo_mesh_tree_bvh(tree)->item_count == 3);
    CHECK_INT(trilo_mesh_tree_frustum(tree, &(trilo_frustum){.plane_count = 0}, stop, &mesh), 2);
    CHECK_INT(mesh, 0);
    CHECK_INT(trilo_mesh_tree_frustum(tree, &(trilo_frustum){1, {{1, 0, 0, 0}}}, stop, &mesh), 3);
    CHECK_INT(mesh, 1);
    trilo_mesh_tree_free(tree);
}

TEST_MAIN(CASE(nodes_have_eight_children), CASE(memory_runs_out), CASE(a_search_ends_after_some_nodes),
          CASE(longer_searches_find_nearer_points), CASE(the_limit_of_a_distance_counts),
          CASE(it_is_said_why_there_is_no_tree), CASE(tests_are_counted_to_the_end))
