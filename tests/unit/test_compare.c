/* How far models are apart, by hand: squares that are moved, turned over, coloured and bent. */
#include "harness.h"
#include "support/exercise.h"
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
    CHECK_NEAR(d->mean, 386.0 / 129, 1e-6); /* at 129 times: 0, 1/16, ... 4, and 64 times 4 */
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

/* Each corner of the square follows a bone of its own; the bone that is named is the heaviest one of the first corner
 * of the triangle. */
TEST(the_bone_of_the_largest_distance)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        square a, b;
        trilo_node nodes[4];
        trilo_joint joints[4];
        make_square(&a);
        make_square(&b);
        for (uint32_t i = 0; i < 4; i++) {
            nodes[i] = a.node;
            joints[i] = a.joint;
            joints[i].node = 3 - i;
        }
        square *const both[2] = {&a, &b};
        for (int k = 0; k < 2; k++) {
            both[k]->mesh.skin = 0;
            both[k]->model.nodes = nodes;
            both[k]->model.node_count = 4;
            both[k]->skin = (trilo_skin){4, joints};
            both[k]->channel.node = 3 - slot;
            for (int v = 0; v < 4; v++)
                for (uint32_t w = 0; w < 4; w++) {
                    both[k]->weights[v][w] = w == slot ? 0.4f : 0.2f;
                    both[k]->joints[v][w] = (uint16_t)w;
                }
        }
        b.values[3] = 5; /* 0.4 of 5 is 2 */
        trilo_clip_pair pair = {0};
        CHECK(trilo_clips_compare(&a.model, &b.model, &pair, 1, NULL, NULL));
        CHECK_INT(pair.deviation.node, 3 - slot);
        CHECK_NEAR(pair.deviation.largest, 2, 1e-6);
        CHECK_NEAR(pair.deviation.mean, 1, 1e-6);
        CHECK_NEAR(pair.deviation.seconds, 2, 1e-9);
        CHECK_INT(compare(&a, &b).distance.points, 12); /* at rest both are the same */
    }
}

/* The vertices themselves move: a track of two frames, the second of which is a half higher. */
TEST(tracks_are_compared)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    a.mesh.skin = b.mesh.skin = TRILO_NONE;
    a.mesh.joints = b.mesh.joints = NULL;
    a.mesh.weights = b.mesh.weights = NULL;
    float higher[4][3];
    memcpy(higher, b.positions, sizeof higher);
    for (int v = 0; v < 4; v++)
        higher[v][2] = 0.5f;
    const trilo_frame frames[2] = {{0, (const float(*)[3])b.positions, NULL}, {2, (const float(*)[3])higher, NULL}};
    const trilo_track track = {.mesh = 0, .frame_count = 2, .frames = frames};
    a.clip.channel_count = b.clip.channel_count = 0;
    b.clip.tracks = &track;
    b.clip.track_count = 1;
    trilo_clip_pair pair = {0};
    CHECK(trilo_clips_compare(&a.model, &b.model, &pair, 1, NULL, NULL));
    CHECK_NEAR(pair.deviation.largest, 0.5, 1e-6);
    CHECK_NEAR(pair.deviation.mean, 0.25, 1e-6);
    CHECK_NEAR(pair.deviation.seconds, 2, 1e-9);
    CHECK_INT(pair.deviation.node, TRILO_NONE);
    CHECK(trilo_clips_compare(&b.model, &a.model, &pair, 1, NULL, NULL));
    CHECK_NEAR(pair.deviation.largest, 0.5, 1e-6);
}

/* The longer clip decides how long both are played. */
TEST(clips_of_different_lengths)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    a.mesh.skin = b.mesh.skin = 0;
    a.clip.duration = 1;
    b.values[3] = 4;
    trilo_clip_pair pair = {0};
    for (int way = 0; way < 2; way++) {
        CHECK(trilo_clips_compare(way ? &b.model : &a.model, way ? &a.model : &b.model, &pair, 1, NULL, NULL));
        CHECK_NEAR(pair.deviation.largest, 4, 1e-6);
        CHECK_NEAR(pair.deviation.seconds, 2, 1e-9);
        CHECK_NEAR(pair.deviation.mean, 2, 1e-6);
    }
}

/* Attributes that only one model has are no difference, but for colours: without any, a mesh is white. */
TEST(attributes_that_are_missing)
{
    for (int way = 0; way < 2; way++) {
        square a, b;
        make_square(&a);
        make_square(&b);
        square *less = way ? &a : &b, *more = way ? &b : &a;
        less->mesh.uvs = NULL;
        less->mesh.normals = NULL;
        less->mesh.colors = NULL;
        for (int v = 0; v < 4; v++) {
            more->colors[v][0] = 0.75f;
            more->colors[v][3] = 0.25f;
        }
        const trilo_model_deviation d = compare(&a, &b);
        CHECK(d.uv.points == 0 && d.normal.points == 0 && d.uv.largest == 0 && d.normal.mean == 0);
        CHECK_INT(d.color.points, 2);
        CHECK_NEAR(d.color.largest, 0.75, 1e-6);
        CHECK_NEAR(d.color.mean, 0.75, 1e-6);
        more->mesh.colors = NULL;
        CHECK_INT(compare(&a, &b).color.points, 0);
    }
}

/* The size of triangles does not matter for the way that they face; at a right angle they are not reversed. */
TEST(small_and_upright_squares_are_not_reversed)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 2; k++)
            a.positions[v][k] *= 0.25f, b.positions[v][k] *= 0.25f;
    trilo_model_deviation d = compare(&a, &b);
    CHECK(d.reversed == 0 && d.triangles[0] == 2 && d.triangles[1] == 2);
    b.positions[0][0] = 0.0625f; /* other corners, the same plane */
    CHECK_INT(compare(&a, &b).reversed, 0);
    const uint32_t turned[6] = {0, 2, 1, 0, 3, 2};
    memcpy(b.indices, turned, sizeof turned);
    CHECK_INT(compare(&a, &b).reversed, 2);
    for (int v = 0; v < 4; v++) {
        b.positions[v][2] = b.positions[v][1];
        b.positions[v][1] = 0;
    }
    CHECK_INT(compare(&a, &b).reversed, 0);
}

/* Lines are not compared. */
TEST(only_triangles_are_compared)
{
    square a, b;
    make_square(&a);
    make_square(&b);
    a.mesh.topology = TRILO_TOPOLOGY_LINES;
    trilo_model_deviation d = compare(&a, &b);
    CHECK(d.triangles[0] == 0 && d.triangles[1] == 2 && d.uv.points == 0);
    d = compare(&b, &a);
    CHECK(d.triangles[0] == 2 && d.triangles[1] == 0 && d.uv.points == 0 && d.distance.points == 0);
    make_square(&a);
    for (int v = 0; v < 4; v++)
        a.positions[v][2] = v == 2 ? 0.5f : 0; /* one corner of both triangles */
    d = compare(&a, &b);
    CHECK_INT(d.distance.points, 12);
    CHECK_NEAR(d.distance.largest, 0.5, 1e-6);
    CHECK(d.distance.mean > 0 && d.distance.mean < 0.25);
    CHECK(d.uv.points == 2 && d.color.points == 2 && d.normal.points == 2);
}

/* With too little memory there is an error and no result; with enough, the same result. */
TEST(memory_may_run_out)
{
    two_squares a, b;
    make_two_squares(&a, 0, 0);
    make_two_squares(&b, 4, 2);
    b.parts[1].positions[0][2] = 0.25f; /* so that counterparts are searched for */
    size_t failed[2] = {0, 0};
    bool done[2] = {false, false};
    for (size_t limit = 1; !done[0] || !done[1]; limit += 8 + limit / 64) {
        const trilo_memory memory = {.max_bytes = limit};
        trilo_error err = {.code = TRILO_CODE_OK};
        trilo_model_deviation deviation;
        trilo_clip_pair clips[2] = {{.a = 0, .b = 0}, {.a = 1, .b = 1}};
        done[0] = trilo_model_compare(&a.model, &b.model, &memory, &deviation, &err);
        CHECK(done[0] || err.code == TRILO_CODE_NO_MEMORY);
        CHECK(!done[0] || (deviation.triangles[0] == 4 && deviation.triangles[1] == 4));
        CHECK_NEAR(done[0] ? deviation.distance.largest : 0.25, 0.25, 1e-6);
        failed[0] += !done[0];
        err.code = TRILO_CODE_OK;
        done[1] = trilo_clips_compare(&a.model, &b.model, clips, 2, &memory, &err);
        CHECK(done[1] || err.code == TRILO_CODE_NO_MEMORY);
        CHECK(!done[1] || (clips[0].deviation.largest > 3.9 && clips[1].deviation.largest > 1.9));
        failed[1] += !done[1];
    }
    CHECK(failed[0] > 0 && failed[1] > 0);
}

/* Each allocation denied, of all that the comparisons make: of the arena and of the trees. */
TEST(every_allocation_may_fail)
{
    two_squares a, b;
    make_two_squares(&a, 0, 0);
    make_two_squares(&b, 4, 2);
    b.parts[1].positions[0][2] = 0.25f;
    for (int clips = 0; clips < 2; clips++) {
        bool done = false;
        size_t failed = 0;
        for (size_t n = 1; !done; n++) {
            meter m = {.fail_at = n};
            const trilo_memory memory = meter_memory(&m, 0);
            trilo_error err = {.code = TRILO_CODE_OK};
            trilo_model_deviation deviation;
            trilo_clip_pair pair = {0};
            const bool ok = clips ? trilo_clips_compare(&a.model, &b.model, &pair, 1, &memory, &err)
                                  : trilo_model_compare(&a.model, &b.model, &memory, &deviation, &err);
            done = m.calls < n;
            CHECK(ok ? done : err.code == TRILO_CODE_NO_MEMORY);
            CHECK_INT(m.now, 0);
            failed += !ok;
        }
        CHECK(failed >= 3);
    }
}

TEST_MAIN(CASE(equal_models_are_equal), CASE(each_difference_is_measured), CASE(what_is_missing_counts),
          CASE(units_are_converted), CASE(clips_are_compared_at_the_surface),
          CASE(clips_move_what_is_below_their_nodes), CASE(what_a_clip_does_not_move_counts),
          CASE(small_triangles_find_their_counterparts), CASE(of_equal_counterparts_the_first),
          CASE(the_bone_of_the_largest_distance), CASE(tracks_are_compared), CASE(clips_of_different_lengths),
          CASE(attributes_that_are_missing), CASE(small_and_upright_squares_are_not_reversed),
          CASE(only_triangles_are_compared), CASE(memory_may_run_out), CASE(every_allocation_may_fail))
