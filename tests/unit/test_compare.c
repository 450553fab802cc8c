/* How far models are apart, by hand: squares that are moved, turned over, coloured and bent. */
#include "harness.h"
#include "trilobite/compare.h"

#include <string.h>

/* A square of two triangles; everything about it can be changed. */
typedef struct square {
    float positions[4][3], normals[4][3], colors[4][4], uvs[4][2], weights[4][4];
    uint16_t joints[4][4];
    uint32_t indices[6];
    trilo_mesh mesh;
    trilo_node node;
    trilo_joint joint;
    trilo_skin skin;
    trilo_channel channel;
    double times[2];
    float values[6];
    trilo_clip clip;
    trilo_model model;
} square;

static void make_square(square *s)
{
    static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    memset(s, 0, sizeof *s);
    memcpy(s->positions, corners, sizeof corners);
    memcpy(s->indices, indices, sizeof indices);
    for (int i = 0; i < 4; i++) {
        s->normals[i][2] = 1;
        s->uvs[i][0] = corners[i][0];
        s->uvs[i][1] = corners[i][1];
        s->weights[i][0] = 1;
        for (int k = 0; k < 4; k++)
            s->colors[i][k] = 1;
    }
    for (int i = 0; i < 4; i++)
        s->node.local.m[5 * i] = s->joint.inverse_bind.m[5 * i] = 1;
    s->node.parent = TRILO_NONE;
    s->node.name = (trilo_str){"bone", 4};
    s->node.rotation.w = 1;
    s->node.scale = (trilo_vec3){1, 1, 1};
    s->skin = (trilo_skin){1, &s->joint};
    s->times[1] = 2;
    s->channel =
        (trilo_channel){.target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = s->times, .values = s->values};
    s->clip = (trilo_clip){.name = {"c", 1}, .duration = 2, .channel_count = 1, .channels = &s->channel};
    s->mesh = (trilo_mesh){.name = {"", 0},
                           .material = TRILO_NONE,
                           .node = TRILO_NONE,
                           .vertex_count = 4,
                           .index_count = 6,
                           .positions = (const float(*)[3])s->positions,
                           .normals = (const float(*)[3])s->normals,
                           .colors = (const float(*)[4])s->colors,
                           .uvs = (const float(*)[2])s->uvs,
                           .joints = (const uint16_t(*)[4])s->joints,
                           .weights = (const float(*)[4])s->weights,
                           .indices = s->indices};
    s->model = (trilo_model){.units_per_meter = 1,
                             .mesh_count = 1,
                             .node_count = 1,
                             .skin_count = 1,
                             .clip_count = 1,
                             .meshes = &s->mesh,
                             .nodes = &s->node,
                             .skins = &s->skin,
                             .clips = &s->clip};
}

static trilo_model_deviation compare(const square *a, const square *b)
{
    trilo_model_deviation deviation;
    trilo_error err = {0};
    if (!trilo_model_compare(&a->model, &b->model, NULL, &deviation, &err))
        FAIL("%s", err.text);
    return deviation;
}

TEST(equal_models_are_equal)
{
    static const uint32_t other[6] = {1, 2, 3, 3, 0, 1}; /* the other diagonal, from another corner */
    square a, b;
    make_square(&a);
    make_square(&b);
    memcpy(b.indices, other, sizeof other);
    const trilo_model_deviation d = compare(&a, &b);
    CHECK_INT(d.triangles[0], 2);
    CHECK_INT(d.triangles[1], 2);
    CHECK_INT(d.distance.points, 12);
    CHECK_INT(d.reversed, 0);
    CHECK_NEAR(d.distance.largest, 0, 1e-7);
    CHECK_NEAR(d.uv.largest, 0, 1e-6);
    CHECK_NEAR(d.color.largest, 0, 1e-6);
    CHECK_NEAR(d.normal.largest, 0, 1e-3);
}

TEST(each_difference_is_measured)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    for (int i = 0; i < 4; i++) {
        b.positions[i][2] = 0.25f; /* a quarter above */
        b.uvs[i][0] += 3.125f;     /* three repetitions are nothing */
        b.colors[i][1] = 0.5f;
        b.normals[i][0] = 1; /* 45 degrees */
    }
    trilo_model_deviation d = compare(&a, &b);
    CHECK_NEAR(d.distance.largest, 0.25, 1e-6);
    CHECK_NEAR(d.distance.mean, 0.25, 1e-6);
    CHECK_NEAR(d.uv.largest, 0.125, 1e-5);
    CHECK_NEAR(d.color.largest, 0.5, 1e-6);
    CHECK_NEAR(d.normal.largest, 45, 1e-3);
    CHECK_INT(d.reversed, 0);
    const uint32_t turned[6] = {0, 2, 1, 0, 3, 2};
    memcpy(b.indices, turned, sizeof turned);
    d = compare(&a, &b);
    CHECK_INT(d.reversed, 2);
}

/* A triangle more is found in the other direction; one without an area is none. */
TEST(what_is_missing_counts)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    b.mesh.index_count = 3;
    trilo_model_deviation d = compare(&b, &a);
    CHECK_INT(d.triangles[0], 1);
    CHECK_NEAR(d.distance.largest, 0.70710678, 1e-6); /* from 0, 1 to the diagonal */
    make_square(&b);
    b.indices[5] = b.indices[4];
    d = compare(&a, &b);
    CHECK_INT(d.triangles[1], 1);
}

TEST(units_are_converted)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            b.positions[i][k] *= 64;
    b.model.units_per_meter = 64;
    const trilo_model_deviation d = compare(&a, &b);
    CHECK_NEAR(d.scale, 1.0 / 64, 1e-9);
    CHECK_NEAR(d.distance.largest, 0, 1e-6);
}

TEST(clips_are_compared_at_the_surface)
{
    square a, b;
    trilo_clip_pair pair = {0};
    const trilo_clip_deviation *d = &pair.deviation;
    make_square(&a);
    make_square(&b);
    a.mesh.skin = b.mesh.skin = 0;
    b.values[3] = 4; /* in two seconds, 4 to the right */
    b.times[1] = 1;  /* but reached after one */
    CHECK(trilo_clips_compare(&a.model, &b.model, &pair, 1, NULL, NULL));
    CHECK_NEAR(d->largest, 4, 1e-5);
    CHECK_NEAR(d->seconds, 1, 1e-9);
    CHECK_INT(d->node, 0);
    CHECK(d->mean > 2.9 && d->mean < 3.1); /* a ramp, then 4 */
    b.values[3] = 0;
    CHECK(trilo_clips_compare(&a.model, &b.model, &pair, 1, NULL, NULL));
    CHECK_NEAR(d->largest, 0, 1e-7);
}

/* Two squares on two nodes, the second node below the first. Clip 0 moves the second node, clip 1 the first, both to
 * the right; clip 2 moves nothing. */
typedef struct two_squares {
    square parts[2];
    trilo_mesh meshes[2];
    trilo_node nodes[2];
    trilo_channel channels[2];
    float values[2][6];
    trilo_clip clips[3];
    trilo_model model;
} two_squares;

static void make_two_squares(two_squares *t, float child_moves, float parent_moves)
{
    *t = (two_squares){0};
    for (uint32_t i = 0; i < 2; i++) {
        make_square(&t->parts[i]);
        for (int v = 0; v < 4; v++)
            t->parts[i].positions[v][1] += 10.0f * (float)i;
        t->meshes[i] = t->parts[i].mesh;
        t->meshes[i].node = i;
        t->meshes[i].skin = TRILO_NONE;
        t->meshes[i].joints = NULL;
        t->meshes[i].weights = NULL;
        t->nodes[i] = t->parts[i].node;
        t->channels[i] = t->parts[i].channel;
        t->channels[i].node = 1 - i;
        t->channels[i].values = t->values[i];
        t->values[i][3] = i == 0 ? child_moves : parent_moves;
        t->clips[i] = t->parts[i].clip;
        t->clips[i].channels = &t->channels[i];
    }
    t->nodes[1].parent = 0;
    t->clips[2] = (trilo_clip){.name = {"still", 5}, .duration = 2};
    t->model = t->parts[0].model;
    t->model.mesh_count = t->model.node_count = 2;
    t->model.clip_count = 3;
    t->model.meshes = t->meshes;
    t->model.nodes = t->nodes;
    t->model.clips = t->clips;
}

/* Each clip as if it were alone, although one call compares all: what a clip moved is back at rest for the next one. */
TEST(clips_move_what_is_below_their_nodes)
{
    two_squares a, b;
    make_two_squares(&a, 0, 0);
    make_two_squares(&b, 4, 2);
    trilo_clip_pair clips[] = {
        {.a = 0, .b = 0}, {.a = 1, .b = 1}, {.a = 2, .b = 2}, {.a = 2, .b = 1}, {.a = 0, .b = 0}};
    static const double largest[] = {4, 2, 0, 2, 4};
    static const double mean[] = {1, 1, 0, 1, 1}; /* over two seconds and both squares: half of 4, or both of 2 */
    static const uint32_t nodes[] = {1, 0, TRILO_NONE, 0, 1};
    CHECK(trilo_clips_compare(&a.model, &b.model, clips, 5, NULL, NULL));
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(clips[i].deviation.largest, largest[i], 1e-6);
        CHECK_NEAR(clips[i].deviation.mean, mean[i], 1e-6);
        CHECK_INT(clips[i].deviation.node, nodes[i]);
    }
}

/* A square that is a quarter above its counterpart counts also in a clip that moves only the other one. */
TEST(what_a_clip_does_not_move_counts)
{
    two_squares a, b;
    make_two_squares(&a, 0, 0);
    make_two_squares(&b, 0, 0);
    for (int v = 0; v < 4; v++)
        b.parts[0].positions[v][2] = 0.25f;
    trilo_clip_pair clips[] = {{.a = 0, .b = 0}, {.a = 1, .b = 1}};
    CHECK(trilo_clips_compare(&a.model, &b.model, clips, 2, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(clips[i].deviation.largest, 0.25, 1e-6);
        CHECK_NEAR(clips[i].deviation.mean, 0.125, 1e-6);
        CHECK_NEAR(clips[i].deviation.seconds, 0, 1e-9);
        CHECK_INT(clips[i].deviation.node, 0);
    }
}

/* Triangles that are hardly larger than what a format rounds: the nearest one to a middle may be a neighbour, but the
 * one with the same corners is meant. The other model is moved by 0.9 of a unit of the console. */
TEST(small_triangles_find_their_counterparts)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            a.positions[i][k] *= 2.0f / 64;
            b.positions[i][k] = a.positions[i][k] + (k == 0 ? 0.9f / 64 : 0);
        }
        a.colors[i][1] = b.colors[i][1] = i == 3 ? 0 : 1;
    }
    b.model.format = TRILO_FORMAT_T3DM;
    const trilo_model_deviation d = compare(&a, &b);
    CHECK_NEAR(d.color.largest, 0, 1e-6);
    CHECK_NEAR(d.uv.largest, 0, 1e-6);
}

/* The other model has the square twice, the second one with normals that point away: of counterparts that fit alike,
 * the first counts. Its triangles begin at another corner, so that they are searched for. */
TEST(of_equal_counterparts_the_first)
{
    static const uint32_t other[6] = {1, 2, 0, 2, 3, 0};
    square a, b, turned;
    make_square(&a);
    make_square(&b);
    make_square(&turned);
    memcpy(b.indices, other, sizeof other);
    memcpy(turned.indices, other, sizeof other);
    for (int i = 0; i < 4; i++)
        turned.normals[i][2] = -1;
    const trilo_mesh both[2] = {b.mesh, turned.mesh};
    b.model.mesh_count = 2;
    b.model.meshes = both;
    CHECK_NEAR(compare(&a, &b).normal.largest, 0, 1e-3);
}

TEST_MAIN(CASE(equal_models_are_equal), CASE(each_difference_is_measured), CASE(what_is_missing_counts),
          CASE(units_are_converted), CASE(clips_are_compared_at_the_surface),
          CASE(clips_move_what_is_below_their_nodes), CASE(what_a_clip_does_not_move_counts),
          CASE(small_triangles_find_their_counterparts), CASE(of_equal_counterparts_the_first))
