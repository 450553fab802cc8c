/* Clips that are compared, against all vertices posed at every time: skeletons with two skins, rigid and resting
 * meshes, vertex animation, clips of different lengths that move different parts, and limits of the work. */
#include "api/inspect/compare.h"
#include "harness.h"
#include "support/query_brute.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

enum { NODES = 6, MESHES = 5, TRIANGLES = 4, VERTICES = 3 * TRIANGLES, CLIPS = 6, CHANNELS = 4, KEYS = 3, JOINTS = 3 };

typedef struct actor {
    float positions[MESHES][VERTICES][3], weights[MESHES][VERTICES][4], frames[2][VERTICES][3];
    uint16_t joints[MESHES][VERTICES][4];
    uint32_t indices[VERTICES];
    trilo_mesh meshes[MESHES];
    trilo_node nodes[NODES];
    trilo_joint joint_rows[2][JOINTS];
    trilo_skin skins[2];
    double times[CLIPS][CHANNELS][KEYS];
    float values[CLIPS][CHANNELS][4 * KEYS];
    trilo_channel channels[CLIPS][CHANNELS];
    trilo_frame frame_rows[3];
    trilo_track track;
    trilo_clip clips[CLIPS];
    trilo_model model;
} actor;

static trilo_mat4 identity(void)
{
    return (trilo_mat4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

/* Nodes below each other, one apart; mesh 0 and 2 have skins, 1 is rigid, 3 is at rest, 4 has lines. */
static void make_actor(actor *a, dice *d)
{
    memset(a, 0, sizeof *a);
    for (uint32_t n = 0; n < NODES; n++) {
        trilo_node *node = &a->nodes[n];
        *node = (trilo_node){.name = {"n", 1},
                             .parent = n == 0 || n == 4 ? TRILO_NONE : dice_below(d, n),
                             .local = identity(),
                             .rotation = {0, 0, 0, 1},
                             .scale = {1, 1, 1},
                             .translation = dice_point(d, -1, 1)};
        node->local.m[12] = node->translation.x, node->local.m[13] = node->translation.y;
        node->local.m[14] = node->translation.z;
    }
    for (int s = 0; s < 2; s++) {
        for (uint32_t j = 0; j < JOINTS; j++) {
            a->joint_rows[s][j] = (trilo_joint){.node = s == 0 ? 2 * j : 5 - 2 * j, .inverse_bind = identity()};
            a->joint_rows[s][j].inverse_bind.m[12] = (float)j;
        }
        a->skins[s] = (trilo_skin){JOINTS, a->joint_rows[s]};
    }
    for (uint32_t i = 0; i < VERTICES; i++)
        a->indices[i] = (5 * i + 2) % VERTICES;
    for (uint32_t m = 0; m < MESHES; m++) {
        for (uint32_t v = 0; v < VERTICES; v++) {
            const trilo_vec3 p = dice_point(d, -2, 2);
            a->positions[m][v][0] = p.x + 4 * (float)m, a->positions[m][v][1] = p.y, a->positions[m][v][2] = p.z;
            for (int w = 0; w < 3; w++) {
                a->weights[m][v][w] = w == 2 && v % 2 ? 0 : (float)(1 + dice_below(d, 4)) / 4;
                a->joints[m][v][w] = (uint16_t)dice_below(d, m == 2 && v < 6 ? 1 : JOINTS);
            }
        }
        const bool skinned = m == 0 || m == 2;
        a->meshes[m] = (trilo_mesh){.material = TRILO_NONE,
                                    .node = m == 1   ? 3
                                            : m == 2 ? 4
                                                     : TRILO_NONE,
                                    .skin = m == 0   ? 0
                                            : m == 2 ? 1
                                                     : TRILO_NONE,
                                    .topology = m == 4 ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES,
                                    .vertex_count = VERTICES,
                                    .index_count = VERTICES,
                                    .positions = (const float(*)[3])a->positions[m],
                                    .joints = skinned ? (const uint16_t(*)[4])a->joints[m] : NULL,
                                    .weights = skinned ? (const float(*)[4])a->weights[m] : NULL,
                                    .indices = a->indices};
    }
    a->model = (trilo_model){.units_per_meter = 1,
                             .mesh_count = MESHES,
                             .node_count = NODES,
                             .skin_count = 2,
                             .clip_count = CLIPS,
                             .meshes = a->meshes,
                             .nodes = a->nodes,
                             .skins = a->skins,
                             .clips = a->clips};
}

/* The first clips move a node each, 3 moves several, 4 has vertex animation, 5 nothing. */
static void make_clips(actor *a, dice *d)
{
    for (uint32_t c = 0; c < CLIPS; c++) {
        const double duration = dice_between(d, 1, 2);
        const uint32_t first = dice_below(d, NODES);
        const uint32_t channels = c < 3 ? 1 : c == 3 ? CHANNELS : 0;
        for (uint32_t k = 0; k < channels; k++) {
            const trilo_target target = k == 1 ? TRILO_TARGET_ROTATION : TRILO_TARGET_TRANSLATION;
            for (int key = 0; key < KEYS; key++) {
                a->times[c][k][key] = duration * key / (KEYS - 1);
                const trilo_vec3 v = dice_point(d, -1, 1);
                const float w = sqrtf(1 - (v.x * v.x + v.y * v.y + v.z * v.z) / 4);
                const float rotation[4] = {v.x / 2, v.y / 2, v.z / 2, w}, translation[3] = {v.x, v.y, v.z};
                if (k == 1)
                    memcpy(&a->values[c][k][4 * key], rotation, sizeof rotation);
                else
                    memcpy(&a->values[c][k][3 * key], translation, sizeof translation);
            }
            a->channels[c][k] = (trilo_channel){.node = c < 3 ? c + 1 : (first + k) % NODES,
                                                .target = target,
                                                .key_count = KEYS,
                                                .times = a->times[c][k],
                                                .values = a->values[c][k]};
        }
        a->clips[c] =
            (trilo_clip){.name = {"c", 1}, .duration = duration, .channel_count = channels, .channels = a->channels[c]};
    }
    for (int f = 0; f < 2; f++)
        for (int v = 0; v < VERTICES; v++)
            for (int k = 0; k < 3; k++)
                a->frames[f][v][k] = a->positions[2][v][k] + (float)dice_between(d, -0.5, 0.5);
    for (int f = 0; f < 3; f++)
        a->frame_rows[f] =
            (trilo_frame){.time = a->clips[4].duration * f / 2, .positions = (const float(*)[3])a->frames[f % 2]};
    a->track = (trilo_track){.mesh = 2, .frame_count = 3, .frames = a->frame_rows};
    a->clips[4].track_count = 1;
    a->clips[4].tracks = &a->track;
}

/* The same skeleton and meshes, a little moved, with other clips. */
static void make_other(actor *b, const actor *a, dice *d)
{
    *b = *a;
    for (int m = 0; m < MESHES; m++) {
        for (int v = 0; v < VERTICES; v++)
            for (int k = 0; k < 3 && m != 1; k++)
                b->positions[m][v][k] += (float)dice_between(d, -0.02, 0.02);
        b->meshes[m].positions = (const float(*)[3])b->positions[m];
        b->meshes[m].joints = b->meshes[m].joints ? (const uint16_t(*)[4])b->joints[m] : NULL;
        b->meshes[m].weights = b->meshes[m].weights ? (const float(*)[4])b->weights[m] : NULL;
        b->meshes[m].indices = b->indices;
    }
    for (int s = 0; s < 2; s++)
        b->skins[s].joints = b->joint_rows[s];
    b->model.meshes = b->meshes;
    b->model.nodes = b->nodes;
    b->model.skins = b->skins;
    b->model.clips = b->clips;
    make_clips(b, d);
}

/* ---- plain ---- */

static void pose_all(const actor *a, uint32_t clip, double seconds, float out[MESHES][VERTICES][3])
{
    trilo_mat4 locals[NODES], worlds[NODES], joints[2][JOINTS];
    trilo_pose_locals(&a->model, clip, seconds, locals);
    trilo_pose_worlds(&a->model, locals, worlds);
    for (uint32_t s = 0; s < 2; s++)
        trilo_pose_skin(&a->model, s, worlds, joints[s]);
    for (uint32_t m = 0; m < MESHES; m++) {
        const uint32_t skin = a->meshes[m].skin;
        trilo_pose_frame(&a->model, m, clip, seconds, TRILO_FRAME_MODE_BLEND, out[m], NULL);
        trilo_pose_vertices(&a->model, m, worlds, skin != TRILO_NONE ? joints[skin] : NULL, (const float(*)[3])out[m],
                            NULL, out[m], NULL);
    }
}

static double distance(const actor *a, const actor *b, float x[MESHES][VERTICES][3], float y[MESHES][VERTICES][3],
                       const compare_pair *pair)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double from = 0, to = 0;
        for (uint32_t c = 0; c < 3; c++) {
            from += (double)x[pair->from.mesh][a->indices[3 * pair->from.triangle + c]][k] * (double)(1.0f / 3);
            to += (double)y[pair->to.mesh][b->indices[3 * pair->to.triangle + c]][k] * (double)pair->weights[c];
        }
        sum += (from - to) * (from - to);
    }
    return sqrt(sum);
}

/* The heaviest joint of the first corner; the first of equal ones. */
static uint32_t bone_of(const actor *a, trilo_face face)
{
    const trilo_mesh *mesh = &a->meshes[face.mesh];
    const uint32_t v = a->indices[3 * face.triangle];
    uint32_t best = 0;
    if (!mesh->weights)
        return mesh->node;
    for (uint32_t i = 1; i < 4; i++)
        if (mesh->weights[v][i] > mesh->weights[v][best])
            best = i;
    return a->skins[mesh->skin].joints[mesh->joints[v][best]].node;
}

static trilo_clip_deviation plain(const actor *a, const actor *b, const compare_work *work, uint32_t x, uint32_t y)
{
    static float from[MESHES][VERTICES][3], to[MESHES][VERTICES][3];
    const double duration = fmax(a->clips[x].duration, b->clips[y].duration);
    trilo_clip_deviation d = {.node = TRILO_NONE};
    for (int step = 0; step <= 128; step++) {
        pose_all(a, x, duration * step / 128, from);
        pose_all(b, y, duration * step / 128, to);
        for (size_t i = 0; i < work->pair_count; i++) {
            const double far = distance(a, b, from, to, &work->pairs[i]);
            d.mean += far;
            if (far > d.largest + 1e-9)
                d.largest = far, d.seconds = duration * step / 128, d.node = bone_of(a, work->pairs[i].from);
        }
    }
    d.mean /= 129.0 * (double)work->pair_count;
    return d;
}

TEST(clips_are_compared_at_all_times)
{
    static actor a, b;
    dice d = {31};
    for (uint32_t round = 0; round < test_rounds(200, TEST_EMULATED ? 1 : TEST_SLOW ? 2 : 6); round++) {
        trilo_clip_pair pairs[8] = {{.a = 0, .b = 0}, {.a = 1, .b = 1}, {.a = 2, .b = 5}, {.a = 5, .b = 2},
                                    {.a = 3, .b = 3}, {.a = 4, .b = 4}, {.a = 4, .b = 3}, {.a = 5, .b = 5}};
        compare_work work;
        trilo_error err = {0};
        make_actor(&a, &d);
        make_clips(&a, &d);
        make_other(&b, &a, &d);
        if (!trilo_clips_compare(&a.model, &b.model, pairs, 8, NULL, &err))
            FAIL("%s: %s", err.path, err.text);
        CHECK(tl_compare_prepare(&work, &a.model, &b.model, false, NULL, &err) && tl_compare_pairs(&work, NULL, &err));
        CHECK_INT(work.pair_count, (MESHES - 1) * TRIANGLES);
        for (int i = 0; i < 8; i++) {
            const trilo_clip_deviation want = plain(&a, &b, &work, pairs[i].a, pairs[i].b), *got = &pairs[i].deviation;
            CHECK_NEAR(got->largest, want.largest, 1e-5);
            CHECK_NEAR(got->mean, want.mean, 1e-6);
            CHECK_NEAR(got->seconds, want.seconds, 1e-9);
            CHECK_INT(got->node, want.node);
        }
        tl_compare_end(&work);
    }
}

/* A vertex without weights follows the node of its mesh, and so does one whose mesh has no skin. */
TEST(bones_of_vertices_without_weights)
{
    static actor a, b;
    dice d = {5};
    for (int way = 0; way < 3; way++) {
        make_actor(&a, &d);
        make_clips(&a, &d);
        memset(a.weights[2], 0, sizeof a.weights[2]);
        make_other(&b, &a, &d);
        a.clips[0].channel_count = b.clips[0].channel_count = 0;
        for (int m = 0; m < MESHES; m++) /* all but one are the same */
            for (int v = 0; v < VERTICES; v++)
                for (int k = 0; k < 3; k++)
                    b.positions[m][v][k] = a.positions[m][v][k] + (m == (way == 2 ? 1 : 2) && k == 2 ? 0.001f : 0);
        actor *const both[2] = {&a, &b};
        for (int i = 0; i < 2 && way == 1; i++) {
            both[i]->meshes[2].skin = TRILO_NONE;
            both[i]->meshes[2].joints = NULL;
            both[i]->meshes[2].weights = NULL;
        }
        trilo_clip_pair pair = {.a = 0, .b = 0};
        trilo_error err = {0};
        if (!trilo_clips_compare(&a.model, &b.model, &pair, 1, NULL, &err))
            FAIL("%s: %s", err.path, err.text);
        CHECK_INT(pair.deviation.node, way == 2 ? 3 : 4);
        CHECK_NEAR(pair.deviation.seconds, 0, 0);
    }
}

/* ---- the limits of work ---- */

/* A triangle in a mesh of many vertices that clips move: at each time 1 node and the vertices of both models, and the
 * triangle. 2 * 60,001 + 1 for each clip; the limit is 2^30 / 5. */
TEST(too_much_to_compare)
{
    enum { LARGE = 60000 };
    static float positions[LARGE][3];
    static const uint32_t indices[3] = {0, 1, 2};
    static trilo_clip_pair pairs[1790];
    static const double times[2] = {0, 1};
    static const float values[6] = {0};
    positions[1][0] = positions[2][1] = 1;
    const trilo_node node = {
        .name = {"n", 1}, .parent = TRILO_NONE, .local = identity(), .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    const trilo_mesh mesh = {.material = TRILO_NONE,
                             .skin = TRILO_NONE,
                             .vertex_count = LARGE,
                             .index_count = 3,
                             .positions = (const float(*)[3])positions,
                             .indices = indices};
    const trilo_channel channel = {
        .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = times, .values = values};
    const trilo_clip clip = {.name = {"c", 1}, .duration = 1, .channel_count = 1, .channels = &channel};
    const trilo_model model = {
        .mesh_count = 1, .node_count = 1, .clip_count = 1, .meshes = &mesh, .nodes = &node, .clips = &clip};
    trilo_error err = {0};
    CHECK(!trilo_clips_compare(&model, &model, pairs, 1790, NULL, &err));
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    CHECK_STR(err.rule, "FILE-LIMIT");
    CHECK_STR(err.text, "1790 clips move 214805370 nodes, vertices and triangles in all, the limit for a comparison is "
                        "214748364");
}

TEST_MAIN(CASE(clips_are_compared_at_all_times), CASE(bones_of_vertices_without_weights), CASE(too_much_to_compare))
