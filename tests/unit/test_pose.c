#include "base/vec.h"
#include "harness.h"
#include "model/curve.h"
#include "support/numbers.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

#define HALF 0.70710678118654752f /* sine and cosine of 45 degrees */

static void check_values(const float *got, size_t count, const double *want, double within)
{
    for (size_t i = 0; i < count; i++)
        CHECK_NEAR(got[i], want[i], within);
}

#define CHECK_VALUES(got, within, ...)                                                                                 \
    check_values(got, sizeof(double[]){__VA_ARGS__} / sizeof(double), (const double[]){__VA_ARGS__}, within)

/* ---- one channel ---- */

static const double times3[3] = {1, 2, 4};
static const float moves[9] = {0, 0, 0, 10, -4, 8, 20, 0, 8};
static const trilo_channel move = {
    .target = TRILO_TARGET_TRANSLATION, .key_count = 3, .times = times3, .values = moves};

static const float spins[12] = {0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, -1, 0}; /* 0, 90 and (as -180) 180 about z */
static const trilo_channel spin = {.target = TRILO_TARGET_ROTATION, .key_count = 3, .times = times3, .values = spins};

/* 1.25 is a quarter between the first two keys: 2.5, -1, 2. At 3, half of the last two: 15, -2, 8. */
TEST(translation_goes_straight)
{
    float v[4] = {-1, -1, -1, -1};
    trilo_channel_sample(&move, 1.25, v);
    CHECK_VALUES(v, 0, 2.5, -1, 2, -1); /* three numbers: the fourth is left alone */
    trilo_channel_sample(&move, 2, v);
    CHECK_VALUES(v, 0, 10, -4, 8);
    trilo_channel_sample(&move, 3, v);
    CHECK_VALUES(v, 0, 15, -2, 8);
}

/* 2 to 8 in a second is 3.5 after a quarter: scale is not multiplied but added. */
TEST(scale_goes_straight)
{
    const trilo_channel grow = {
        .target = TRILO_TARGET_SCALE, .key_count = 2, .times = times3, .values = (const float[]){2, 1, 4, 8, 1, 2}};
    float v[4];
    trilo_channel_sample(&grow, 1.25, v);
    CHECK_VALUES(v, 0, 3.5, 1, 3.5);
}

/* Halfway to 90 degrees is 45: sin(22.5), cos(22.5). A quarter of the way from 90 to 180, at 2.5, is 112.5 degrees:
 * sin(56.25) = 0.83146961, cos(56.25) = 0.55557023. The last key is stored as -180 degrees; the way there from 90 is
 * 270 that way round and 90 the other. */
TEST(rotation_takes_the_shorter_arc)
{
    float v[4];
    trilo_channel_sample(&spin, 1.5, v);
    CHECK_VALUES(v, 1e-7, 0, 0, 0.38268343, 0.92387953);
    trilo_channel_sample(&spin, 2.5, v);
    CHECK_VALUES(v, 1e-7, 0, 0, 0.83146961, 0.55557023);
    const trilo_channel same = {.target = TRILO_TARGET_ROTATION,
                                .key_count = 2,
                                .times = times3,
                                .values = (const float[]){0, 0, HALF, HALF, 0, 0, -HALF, -HALF}};
    trilo_channel_sample(&same, 1.5, v);
    CHECK_VALUES(v, 1e-7, 0, 0, HALF, HALF);
}

/* From key to key, within one, backwards, before the first and behind the last; rotations, vectors, steps. */
TEST(sampling_with_a_cursor_gives_the_same_bits)
{
    const double seconds[] = {0, 1, 1.1, 1.25, 1.9, 2, 2, 2.5, 3.75, 1.5, 1.25, 4, 3, 9, 2.25};
    trilo_channel steps = spin, channels[3] = {spin, move};
    steps.interpolation = TRILO_INTERPOLATION_STEP;
    channels[2] = steps;
    for (int i = 0; i < 3; i++) {
        tl_channel_cursor cursor = {0};
        for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++) {
            float want[4] = {0}, got[4] = {0};
            trilo_channel_sample(&channels[i], seconds[k], want);
            tl_channel_sample_next(&channels[i], &cursor, seconds[k], got);
            CHECK(memcmp(got, want, sizeof want) == 0);
        }
    }
}

/* Single axes, one number a key: 4 to 8 in a second is 5 after a quarter. The other three numbers are left alone. */
TEST(an_axis_goes_straight)
{
    for (int target = TRILO_TARGET_TRANSLATION_X; target <= TRILO_TARGET_SCALE_Z; target++) {
        const trilo_channel axis = {
            .target = (trilo_target)target, .key_count = 3, .times = times3, .values = (const float[]){4, 8, -2}};
        float v[4] = {-1, -1, -1, -1};
        trilo_channel_sample(&axis, 1.25, v);
        CHECK_VALUES(v, 0, 5, -1, -1, -1);
        trilo_channel_sample(&axis, 2, v);
        CHECK_VALUES(v, 0, 8, -1, -1, -1);
        trilo_channel_sample(&axis, 3, v);
        CHECK_VALUES(v, 0, 3, -1, -1, -1);
        trilo_channel_sample(&axis, 0, v);
        CHECK_VALUES(v, 0, 4, -1, -1, -1);
        trilo_channel_sample(&axis, 9, v);
        CHECK_VALUES(v, 0, -2, -1, -1, -1);
        trilo_channel_sample(&(trilo_channel){.target = (trilo_target)target}, 1, v);
        CHECK_VALUES(v, 0, target >= TRILO_TARGET_SCALE_X, -1, -1, -1);
    }
}

/* ---- steps and curves ---- */

/* A key holds to the last moment before the next one. */
TEST(a_step_holds)
{
    trilo_channel steps = move;
    float v[4] = {-1, -1, -1, -1};
    steps.interpolation = TRILO_INTERPOLATION_STEP;
    trilo_channel_sample(&steps, 1.999, v);
    CHECK_VALUES(v, 0, 0, 0, 0, -1);
    trilo_channel_sample(&steps, nextafter(2, 0), v);
    CHECK_VALUES(v, 0, 0, 0, 0);
    trilo_channel_sample(&steps, 2, v);
    CHECK_VALUES(v, 0, 10, -4, 8);
    trilo_channel_sample(&steps, 3.9, v);
    CHECK_VALUES(v, 0, 10, -4, 8);
    trilo_channel_sample(&steps, 4, v);
    CHECK_VALUES(v, 0, 20, 0, 8);
    trilo_channel_sample(&steps, NAN, v);
    CHECK_VALUES(v, 0, 0, 0, 0);
    steps = spin;
    steps.interpolation = TRILO_INTERPOLATION_STEP;
    trilo_channel_sample(&steps, 3, v);
    CHECK_VALUES(v, 0, 0, 0, HALF, HALF);
}

/* From 1 at 1 s, leaving with 2 a second, to 5 at 3 s, arriving with -1 a second. Tangents count twice, for 2 seconds.
 * A quarter of the way: 0.84375 * 1 + 0.140625 * 4 + 0.15625 * 5 - 0.046875 * -2 = 2.28125.
 * Half way: 0.5 * 1 + 0.125 * 4 + 0.5 * 5 - 0.125 * -2 = 3.75. The other two tangents lie outside. */
static const float curve_values[6] = {99, 1, 2, -1, 5, 99};
static const double curve_times[2] = {1, 3};

TEST(a_curve_of_one_axis)
{
    for (int target = TRILO_TARGET_TRANSLATION_X; target <= TRILO_TARGET_SCALE_Z; target++) {
        const trilo_channel curve = {.target = (trilo_target)target,
                                     .interpolation = TRILO_INTERPOLATION_CUBIC,
                                     .key_count = 2,
                                     .times = curve_times,
                                     .values = curve_values};
        float v[4] = {-1, -1, -1, -1};
        trilo_channel_sample(&curve, 1.5, v);
        CHECK_VALUES(v, 0, 2.28125, -1, -1, -1);
        trilo_channel_sample(&curve, 2, v);
        CHECK_VALUES(v, 0, 3.75, -1, -1, -1);
    }
}

TEST(ends_of_a_curve)
{
    const trilo_channel curve = {.target = TRILO_TARGET_SCALE_X,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 2,
                                 .times = curve_times,
                                 .values = curve_values};
    static const struct {
        double seconds, value;
    } all[] = {{-INFINITY, 1}, {NAN, 1}, {0, 1}, {1, 1}, {3, 5}, {4, 5}, {INFINITY, 5}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        float v[4];
        trilo_channel_sample(&curve, all[i].seconds, v);
        CHECK_VALUES(v, 0, all[i].value);
    }
    trilo_channel one = curve;
    float v[4];
    one.key_count = 1;
    trilo_channel_sample(&one, 2, v);
    CHECK_VALUES(v, 0, 1);
}

/* Three keys of vectors; x as above, y turned round, z straight with 3 a second. The middle key is met to the bit. */
TEST(a_curve_of_vectors)
{
    static const double times[3] = {1, 3, 4};
    static const float values[3][3][3] = {
        {{9, 9, 9}, {1, -1, 0}, {2, -2, 3}},
        {{-1, 1, 3}, {5, -5, 6}, {0, 0, 0}},
        {{0, 0, 0}, {7, 7, 7}, {9, 9, 9}},
    };
    const trilo_channel curve = {.target = TRILO_TARGET_TRANSLATION,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 3,
                                 .times = times,
                                 .values = values[0][0]};
    float v[4] = {-1, -1, -1, -1};
    trilo_channel_sample(&curve, 1.5, v);
    CHECK_VALUES(v, 0, 2.28125, -2.28125, 1.5, -1);
    trilo_channel_sample(&curve, 3, v);
    CHECK_VALUES(v, 0, 5, -5, 6);
    trilo_channel_sample(&curve, 3.5, v); /* without tangents: half way */
    CHECK_VALUES(v, 0, 6, 1, 6.5);
}

/* From no turn to 180 degrees about z in 2 seconds. A quarter of the way z is 0.15625 + 0.140625 * 2 = 0.4375 and w is
 * 0.84375 + 0.046875 * 2 = 0.9375, of length 1.03456; half way both are 0.75. */
TEST(a_curve_of_rotations)
{
    static const float values[2][3][4] = {
        {{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}},
        {{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 0, 0, 0}},
    };
    const trilo_channel curve = {.target = TRILO_TARGET_ROTATION,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 2,
                                 .times = curve_times,
                                 .values = values[0][0]};
    float v[4];
    trilo_channel_sample(&curve, 1.5, v);
    CHECK_VALUES(v, 1e-6, 0, 0, 0.422886, 0.906184);
    trilo_channel_sample(&curve, 2, v);
    CHECK_VALUES(v, 1e-7, 0, 0, HALF, HALF);
    trilo_channel_sample(&curve, 3, v);
    CHECK_VALUES(v, 0, 0, 0, 1, 0);
}

/* Through nothing at all there is no rotation: the identity comes out, no not-a-number. */
TEST(a_curve_through_zero)
{
    static const float values[2][3][4] = {{{0}, {0, 0, 1, 0}, {0}}, {{0}, {0, 0, -1, 0}, {0}}};
    const trilo_channel curve = {.target = TRILO_TARGET_ROTATION,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 2,
                                 .times = curve_times,
                                 .values = values[0][0]};
    float v[4];
    trilo_channel_sample(&curve, 2, v);
    CHECK_VALUES(v, 0, 0, 0, 0, 1);
    trilo_channel_sample(&curve, 1.5, v); /* 0.84375 - 0.15625 of it are left: no turn the other way round */
    CHECK_VALUES(v, 0, 0, 0, 1, 0);
}

TEST(ends_are_held)
{
    float v[4];
    trilo_channel_sample(&move, -100, v);
    CHECK_VALUES(v, 0, 0, 0, 0);
    trilo_channel_sample(&move, 1, v);
    CHECK_VALUES(v, 0, 0, 0, 0);
    trilo_channel_sample(&move, 4, v);
    CHECK_VALUES(v, 0, 20, 0, 8);
    trilo_channel_sample(&move, INFINITY, v);
    CHECK_VALUES(v, 0, 20, 0, 8);
    trilo_channel_sample(&spin, 1e9, v);
    CHECK_VALUES(v, 0, 0, 0, -1, 0); /* as stored */
    trilo_channel_sample(&move, NAN, v);
    CHECK_VALUES(v, 0, 0, 0, 0);
    trilo_channel_sample(&move, -INFINITY, v);
    CHECK_VALUES(v, 0, 0, 0, 0);
}

TEST(one_key_or_none)
{
    const trilo_channel one = {.target = TRILO_TARGET_ROTATION, .key_count = 1, .times = times3, .values = spins + 4};
    float v[4];
    for (int i = -1; i < 4; i++) {
        trilo_channel_sample(&one, i, v);
        CHECK_VALUES(v, 0, 0, 0, HALF, HALF);
    }
    trilo_channel_sample(&(trilo_channel){.target = TRILO_TARGET_TRANSLATION}, 1, v);
    CHECK_VALUES(v, 0, 0, 0, 0);
    trilo_channel_sample(&(trilo_channel){.target = TRILO_TARGET_ROTATION}, 1, v);
    CHECK_VALUES(v, 0, 0, 0, 0, 1);
    trilo_channel_sample(&(trilo_channel){.target = TRILO_TARGET_SCALE}, 1, v);
    CHECK_VALUES(v, 0, 1, 1, 1);
}

/* No good model has them, but a value must come out: a jump, with the later key on the spot. */
TEST(keys_at_one_time)
{
    const double times[4] = {0, 1, 1, 2};
    const trilo_channel jump = {.target = TRILO_TARGET_TRANSLATION,
                                .key_count = 4,
                                .times = times,
                                .values = (const float[]){0, 0, 0, 1, 1, 1, 5, 5, 5, 6, 6, 6}};
    float v[4];
    trilo_channel_sample(&jump, 0.5, v);
    CHECK_VALUES(v, 0, 0.5, 0.5, 0.5);
    trilo_channel_sample(&jump, 1, v);
    CHECK_VALUES(v, 0, 5, 5, 5);
    trilo_channel_sample(&jump, 1.5, v);
    CHECK_VALUES(v, 0, 5.5, 5.5, 5.5);
    const trilo_channel instant = {
        .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = times + 1, .values = moves};
    trilo_channel_sample(&instant, 1, v);
    CHECK(isfinite(v[0]));
}

TEST(every_interval_is_found)
{
    enum { KEYS = 100 };
    double times[KEYS];
    float values[KEYS][3];
    for (int count = 1; count <= KEYS; count++) {
        for (int i = 0; i < count; i++) {
            times[i] = i * i; /* uneven */
            values[i][0] = values[i][1] = values[i][2] = (float)i;
        }
        const trilo_channel c = {
            .target = TRILO_TARGET_TRANSLATION, .key_count = (uint32_t)count, .times = times, .values = values[0]};
        for (int i = 0; i + 1 < count; i++) {
            float v[4];
            trilo_channel_sample(&c, (times[i] + times[i + 1]) / 2, v);
            CHECK_VALUES(v, 0, i + 0.5, i + 0.5, i + 0.5);
        }
    }
}

/* ---- nodes ---- */

static trilo_node node_of(uint32_t parent, trilo_vec3 t, trilo_quat r, trilo_vec3 s)
{
    return (trilo_node){
        .parent = parent, .translation = t, .rotation = r, .scale = s, .local = tl_mat4_from_trs(t, r, s)};
}

static const trilo_quat none = {0, 0, 0, 1}, turn_z = {0, 0, HALF, HALF};
static const trilo_vec3 plain = {1, 1, 1};

static void check_point(const trilo_mat4 *m, trilo_vec3 p, double x, double y, double z)
{
    const trilo_vec3 got = tl_mat4_point(m, p);
    CHECK_VALUES(((float[]){got.x, got.y, got.z}), 1e-5, x, y, z);
}

/* An arm of three: shoulder at 1,0,0 turned 90 degrees, so its x points up; elbow 2 along that, at 1,2,0, turned 90
 * more, so x points left; hand 3 along that, at -2,2,0. One more along x: -3,2,0; one along the hand's y, which is
 * down: -2,1,0. */
TEST(hierarchy_of_three)
{
    const trilo_node nodes[3] = {node_of(TRILO_NONE, (trilo_vec3){1, 0, 0}, turn_z, plain),
                                 node_of(0, (trilo_vec3){2, 0, 0}, turn_z, plain),
                                 node_of(1, (trilo_vec3){3, 0, 0}, none, plain)};
    const trilo_model model = {.node_count = 3, .nodes = nodes};
    trilo_mat4 locals[3], worlds[3];
    trilo_pose_locals(&model, TRILO_NONE, 0, locals);
    trilo_pose_worlds(&model, locals, worlds);
    check_point(&worlds[0], (trilo_vec3){0, 0, 0}, 1, 0, 0);
    check_point(&worlds[1], (trilo_vec3){0, 0, 0}, 1, 2, 0);
    check_point(&worlds[2], (trilo_vec3){0, 0, 0}, -2, 2, 0);
    check_point(&worlds[2], (trilo_vec3){1, 0, 0}, -3, 2, 0);
    check_point(&worlds[2], (trilo_vec3){0, 1, 0}, -2, 1, 0);
    trilo_pose_worlds(&model, locals, locals); /* in place works too */
    CHECK(memcmp(locals, worlds, sizeof worlds) == 0);
}

/* The channels come out of order and miss parts on purpose. At 1.5 seconds node 1 is at 5, -2, 4 (half of 10, -4, 8)
 * and keeps its turn and its scale of 2; node 2 is turned 45 degrees and keeps its place; node 0 and 3 keep their
 * matrices to the bit, though those have no parts: one shears, one has an odd last row. */
TEST(transforms_without_a_channel_keep_the_rest_pose)
{
    trilo_node nodes[4] = {node_of(TRILO_NONE, (trilo_vec3){9, 9, 9}, turn_z, plain),
                           node_of(0, (trilo_vec3){1, 0, 0}, turn_z, (trilo_vec3){2, 2, 2}),
                           node_of(1, (trilo_vec3){3, 0, 0}, none, plain), node_of(2, plain, none, plain)};
    nodes[0].local.m[4] += 0.7f;
    nodes[3].local.m[10] = 1;
    nodes[3].local.m[15] = 5;
    trilo_channel channels[3] = {spin, move, {.node = 1, .target = TRILO_TARGET_SCALE}};
    channels[0].node = 2;
    channels[1].node = 1;
    const trilo_clip clip = {.duration = 4, .channel_count = 2, .channels = channels};
    const trilo_model model = {.node_count = 4, .nodes = nodes, .clip_count = 1, .clips = &clip};
    trilo_mat4 locals[4];
    trilo_pose_locals(&model, 0, 1.5, locals);
    CHECK(memcmp(&locals[0], &nodes[0].local, sizeof locals[0]) == 0);
    CHECK(memcmp(&locals[3], &nodes[3].local, sizeof locals[3]) == 0);
    check_point(&locals[1], (trilo_vec3){0, 0, 0}, 5, -2, 4);
    check_point(&locals[1], (trilo_vec3){1, 0, 0}, 5, 0, 4);
    check_point(&locals[2], (trilo_vec3){1, 0, 0}, 3 + HALF, HALF, 0);
}

/* At 1.5 seconds node 0 has y at 6 (half of 4 to 8) and keeps its x of 1, its z of 3 and its turn, which takes its x
 * axis to y; its z scale is 6 as well, x and y stay 2 and 3. Node 1 moves along all three axes, each at its own times:
 * x from 0 at 1 to 10 at 2 is at 5, y is held at its only key, z has not begun. */
TEST(axes_replace_just_themselves)
{
    const trilo_node nodes[3] = {node_of(TRILO_NONE, (trilo_vec3){1, 2, 3}, turn_z, (trilo_vec3){2, 3, 4}),
                                 node_of(TRILO_NONE, (trilo_vec3){7, 8, 9}, none, plain),
                                 node_of(TRILO_NONE, (trilo_vec3){1, 2, 3}, none, plain)};
    const float up[3] = {4, 8, -2}, along[2] = {0, 10}, later[2] = {20, 30};
    const double at_5[2] = {5, 6};
    const trilo_channel channels[6] = {
        {.node = 1, .target = TRILO_TARGET_TRANSLATION_Z, .key_count = 2, .times = at_5, .values = later},
        {.target = TRILO_TARGET_SCALE_Z, .key_count = 3, .times = times3, .values = up},
        {.target = TRILO_TARGET_TRANSLATION_Y, .key_count = 3, .times = times3, .values = up},
        {.node = 1, .target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = times3, .values = along},
        {.node = 1, .target = TRILO_TARGET_TRANSLATION_Y, .key_count = 1, .times = at_5, .values = up},
        {.node = 2, .target = TRILO_TARGET_SCALE_X, .key_count = 3, .times = times3, .values = up},
    };
    const trilo_clip clip = {.duration = 6, .channel_count = 6, .channels = channels};
    const trilo_model model = {.node_count = 3, .nodes = nodes, .clip_count = 1, .clips = &clip};
    trilo_mat4 locals[3];
    trilo_pose_locals(&model, 0, 1.5, locals);
    check_point(&locals[0], (trilo_vec3){0, 0, 0}, 1, 6, 3);
    check_point(&locals[0], (trilo_vec3){1, 0, 0}, 1, 8, 3);
    check_point(&locals[0], (trilo_vec3){0, 1, 0}, -2, 6, 3);
    check_point(&locals[0], (trilo_vec3){0, 0, 1}, 1, 6, 9);
    check_point(&locals[1], (trilo_vec3){0, 0, 0}, 5, 4, 20);
    check_point(&locals[1], (trilo_vec3){1, 1, 1}, 6, 5, 21);
    check_point(&locals[2], (trilo_vec3){1, 1, 1}, 7, 3, 4);
}

TEST(a_clip_that_is_not_there_is_the_rest_pose)
{
    const trilo_node node = node_of(TRILO_NONE, (trilo_vec3){1, 2, 3}, turn_z, plain);
    trilo_model model = {.node_count = 1, .nodes = &node};
    trilo_mat4 local;
    trilo_pose_locals(&model, 7, 0, &local);
    CHECK(memcmp(&local, &node.local, sizeof local) == 0);
    model.node_count = 0; /* no nodes, no matrices, nothing read or written */
    trilo_pose_locals(&model, TRILO_NONE, 0, NULL);
    trilo_pose_worlds(&model, NULL, NULL);
    trilo_pose_skin(&model, 0, NULL, NULL);
    trilo_pose_mesh(&model, 0, NULL, NULL, NULL, NULL);
}

/* ---- vertices ---- */

/* Two bones from the origin: one stays, one has turned 90 degrees about z. The point 1,0,0 goes to 1,0,0 with the
 * first, to 0,1,0 with the second, half and half to the middle of the two. The mean of both matrices turns by 45
 * degrees (and shrinks), so the normal 1,0,0 becomes HALF,HALF,0. A vertex without weights goes with the mesh's node,
 * 10 up. */
TEST(skin_of_two_bones)
{
    const trilo_node nodes[3] = {node_of(TRILO_NONE, (trilo_vec3){0, 0, 0}, none, plain),
                                 node_of(0, (trilo_vec3){0, 0, 0}, turn_z, plain),
                                 node_of(TRILO_NONE, (trilo_vec3){0, 0, 10}, none, plain)};
    const trilo_joint joints[2] = {{0, tl_mat4_identity()}, {1, tl_mat4_identity()}};
    const trilo_skin skin = {2, joints};
    const float at[4][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    const uint16_t which[4][4] = {{0, 9999, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {9999, 9999, 9999, 9999}};
    const float weights[4][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0.5f, 0.5f, 0, 0}, {0, 0, 0, 0}};
    trilo_mesh mesh = {.node = 2, .skin = 0, .vertex_count = 4, .positions = at, .normals = at};
    mesh.joints = which;
    mesh.weights = weights;
    const trilo_model model = {
        .node_count = 3, .nodes = nodes, .skin_count = 1, .skins = &skin, .mesh_count = 1, .meshes = &mesh};
    trilo_mat4 locals[3], worlds[3], matrices[2];
    trilo_pose_locals(&model, TRILO_NONE, 0, locals);
    trilo_pose_worlds(&model, locals, worlds);
    trilo_pose_skin(&model, 0, worlds, matrices);
    float positions[4][3], normals[4][3];
    trilo_pose_mesh(&model, 0, worlds, matrices, positions, normals);
    CHECK_VALUES(positions[0], 1e-6, 1, 0, 0);
    CHECK_VALUES(positions[1], 1e-6, 0, 1, 0);
    CHECK_VALUES(positions[2], 1e-6, 0.5, 0.5, 0);
    CHECK_VALUES(positions[3], 1e-6, 1, 0, 10);
    CHECK_VALUES(normals[1], 1e-6, 0, 1, 0);
    CHECK_VALUES(normals[2], 1e-6, HALF, HALF, 0);
    CHECK_VALUES(normals[3], 1e-6, 1, 0, 0);
}

/* The bind pose undoes itself: the elbow's inverse bind takes 1,2,0 to the origin. Then the elbow, which rested
 * straight, bends by 90 degrees: what was one to the right of it, 2,2,0, is now one above, 1,3,0. */
TEST(skin_with_inverse_bind)
{
    const trilo_node node = node_of(TRILO_NONE, (trilo_vec3){1, 2, 0}, none, plain);
    trilo_joint joint = {.node = 0};
    CHECK(tl_mat4_inverse_affine(&node.local, &joint.inverse_bind));
    const trilo_skin skin = {1, &joint};
    trilo_channel channel = spin;
    const trilo_clip clip = {.channel_count = 1, .channels = &channel};
    const trilo_model model = {
        .node_count = 1, .nodes = &node, .skin_count = 1, .skins = &skin, .clip_count = 1, .clips = &clip};
    trilo_mat4 local, matrix;
    trilo_pose_locals(&model, TRILO_NONE, 0, &local);
    trilo_pose_skin(&model, 0, &local, &matrix);
    check_point(&matrix, (trilo_vec3){2, 2, 0}, 2, 2, 0);
    trilo_pose_locals(&model, 0, 2, &local);
    trilo_pose_skin(&model, 0, &local, &matrix);
    check_point(&matrix, (trilo_vec3){2, 2, 0}, 1, 3, 0);
}

/* Twice as wide: the normal of a slope leans the other way, 1/2 to 1; a zero normal has no way to lean. */
TEST(rigid_mesh)
{
    const trilo_node node = node_of(TRILO_NONE, (trilo_vec3){0, 5, 0}, none, (trilo_vec3){2, 1, 1});
    const float at[2][3] = {{1, 1, 1}, {-3, 0, 0}}, normals[2][3] = {{HALF, HALF, 0}, {0, 0, 0}};
    trilo_mesh mesh = {.node = 0, .skin = TRILO_NONE, .vertex_count = 2, .positions = at, .normals = normals};
    const trilo_model model = {.node_count = 1, .nodes = &node, .mesh_count = 1, .meshes = &mesh};
    float p[2][3], n[2][3];
    trilo_pose_mesh(&model, 0, &node.local, NULL, p, n);
    CHECK_VALUES(p[0], 0, 2, 6, 1);
    CHECK_VALUES(p[1], 0, -6, 5, 0);
    CHECK_VALUES(n[0], 1e-6, 0.4472136, 0.8944272, 0);
    CHECK_VALUES(n[1], 0, 0, 0, 0);
    trilo_pose_mesh(&model, 0, &node.local, NULL, NULL, n); /* either may be left out */
    trilo_pose_mesh(&model, 0, &node.local, NULL, p, NULL);
    mesh.normals = NULL;
    trilo_pose_mesh(&model, 0, &node.local, NULL, p, n);
    CHECK_VALUES(n[0], 0, 0, 0, 0);
    mesh.node = TRILO_NONE; /* at the origin: as it is stored */
    mesh.normals = at;
    trilo_pose_mesh(&model, 0, NULL, NULL, p, n);
    CHECK(memcmp(p, at, sizeof at) == 0 && memcmp(n, at, sizeof at) == 0);
}

/* Vertices of the caller's instead of the mesh's own, in place: a point twice as wide and 5 up. The mesh's normals are
 * not asked; none at all are zeros. */
TEST(vertices_of_ones_own)
{
    const trilo_node node = node_of(TRILO_NONE, (trilo_vec3){0, 5, 0}, none, (trilo_vec3){2, 1, 1});
    const float stored[2][3] = {{1, 1, 1}, {2, 2, 2}};
    const trilo_mesh mesh = {.node = 0, .skin = TRILO_NONE, .vertex_count = 2, .positions = stored, .normals = stored};
    const trilo_model model = {.node_count = 1, .nodes = &node, .mesh_count = 1, .meshes = &mesh};
    float p[2][3] = {{3, 0, -1}, {-4, 1, 0}}, n[2][3] = {{HALF, HALF, 0}, {0, 0, 1}};
    const float(*from)[3] = (const float(*)[3])p, (*slopes)[3] = (const float(*)[3])n;
    trilo_pose_vertices(&model, 0, &node.local, NULL, from, slopes, p, n);
    CHECK_VALUES(p[0], 0, 6, 5, -1);
    CHECK_VALUES(p[1], 0, -8, 6, 0);
    CHECK_VALUES(n[0], 1e-6, 0.4472136, 0.8944272, 0);
    CHECK_VALUES(n[1], 1e-6, 0, 0, 1);
    trilo_pose_vertices(&model, 0, &node.local, NULL, stored, NULL, p, n);
    CHECK_VALUES(p[1], 0, 4, 7, 2);
    CHECK_VALUES(n[0], 0, 0, 0, 0);
    CHECK_VALUES(n[1], 0, 0, 0, 0);
    trilo_pose_vertices(&model, 0, &node.local, NULL, NULL, stored, NULL, n); /* either may be left out */
    CHECK_VALUES(n[0], 1e-6, 1.0 / 3, 2.0 / 3, 2.0 / 3);
    trilo_pose_vertices(&model, 7, &node.local, NULL, NULL, NULL, p, n); /* no such mesh */
    CHECK_VALUES(p[1], 0, 4, 7, 2);
}

/* The same in place for a skin: half still, half turned a quarter about z, so 2,0,0 goes to 1,1,0. */
TEST(skinned_vertices_in_place)
{
    const trilo_node nodes[2] = {node_of(TRILO_NONE, (trilo_vec3){0, 0, 0}, none, plain),
                                 node_of(0, (trilo_vec3){0, 0, 0}, turn_z, plain)};
    const trilo_joint joints[2] = {{0, tl_mat4_identity()}, {1, tl_mat4_identity()}};
    const trilo_skin skin = {2, joints};
    const uint16_t which[1][4] = {{0, 1, 0, 0}};
    const float weights[1][4] = {{0.5f, 0.5f, 0, 0}}, stored[1][3] = {{9, 9, 9}};
    const trilo_mesh mesh = {
        .node = TRILO_NONE, .vertex_count = 1, .positions = stored, .joints = which, .weights = weights};
    const trilo_model model = {
        .node_count = 2, .nodes = nodes, .skin_count = 1, .skins = &skin, .mesh_count = 1, .meshes = &mesh};
    trilo_mat4 locals[2], matrices[2];
    trilo_pose_locals(&model, TRILO_NONE, 0, locals);
    trilo_pose_worlds(&model, locals, locals);
    trilo_pose_skin(&model, 0, locals, matrices);
    float p[1][3] = {{2, 0, 0}}, n[1][3] = {{1, 0, 0}};
    trilo_pose_vertices(&model, 0, locals, matrices, (const float(*)[3])p, (const float(*)[3])n, p, n);
    CHECK_VALUES(p[0], 1e-6, 1, 1, 0);
    CHECK_VALUES(n[0], 1e-6, HALF, HALF, 0);
}

/* ---- the whole way ---- */

enum { CHAIN = 8, CHAIN_KEYS = 4, CHAIN_VERTICES = 64 };

/* A tail of bones that curls, the numbers made up by a small generator. */
typedef struct chain {
    trilo_node nodes[CHAIN];
    trilo_joint joints[CHAIN];
    trilo_channel channels[CHAIN];
    float keys[CHAIN][CHAIN_KEYS][4];
    double times[CHAIN_KEYS];
    float positions[CHAIN_VERTICES][3], weights[CHAIN_VERTICES][4];
    uint16_t which[CHAIN_VERTICES][4];
} chain;

static float random_one(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-23f - 1;
}

static void chain_bones(chain *c, uint32_t *state)
{
    for (uint32_t k = 0; k < CHAIN_KEYS; k++)
        c->times[k] = k / 3.0;
    for (uint32_t i = 0; i < CHAIN; i++) {
        c->nodes[i] = node_of(i ? i - 1 : TRILO_NONE, (trilo_vec3){0.3f, 0.1f, 0}, none, plain);
        c->joints[i] = (trilo_joint){i, tl_mat4_identity()};
        tl_mat4_inverse_affine(&c->nodes[i].local, &c->joints[i].inverse_bind);
        c->channels[i] = (trilo_channel){.node = i,
                                         .target = TRILO_TARGET_ROTATION,
                                         .key_count = CHAIN_KEYS,
                                         .times = c->times,
                                         .values = c->keys[i][0]};
        for (uint32_t j = 0; j < CHAIN_KEYS * 4; j++)
            c->keys[i][j / 4][j % 4] = random_one(state);
    }
}

static void chain_vertices(chain *c, uint32_t *state)
{
    for (uint32_t i = 0; i < CHAIN_VERTICES; i++) {
        for (int j = 0; j < 3; j++)
            c->positions[i][j] = random_one(state);
        c->which[i][0] = (uint16_t)(i % CHAIN);
        c->which[i][1] = (uint16_t)((i + 1) % CHAIN);
        c->weights[i][0] = 0.3f;
        c->weights[i][1] = 0.7f;
    }
}

/* One constant for every compiler, C library and byte order: whoever gets another one does not round as IEEE 754 says,
 * and would write other files. */
TEST(same_bits_everywhere)
{
    static chain c;
    uint32_t state = 1, hash = 2166136261u;
    chain_bones(&c, &state);
    chain_vertices(&c, &state);
    const trilo_clip clip = {.duration = 1, .channel_count = CHAIN, .channels = c.channels};
    const trilo_skin skin = {CHAIN, c.joints};
    trilo_mesh mesh = {.node = TRILO_NONE, .vertex_count = CHAIN_VERTICES, .positions = (const float(*)[3])c.positions};
    mesh.normals = mesh.positions;
    mesh.joints = (const uint16_t(*)[4])c.which;
    mesh.weights = (const float(*)[4])c.weights;
    trilo_model model = {.node_count = CHAIN, .nodes = c.nodes, .clip_count = 1, .clips = &clip};
    model.skin_count = model.mesh_count = 1;
    model.skins = &skin;
    model.meshes = &mesh;
    for (int i = 0; i <= 100; i++) {
        trilo_mat4 locals[CHAIN], worlds[CHAIN], matrices[CHAIN];
        float positions[CHAIN_VERTICES][3], normals[CHAIN_VERTICES][3];
        trilo_pose_locals(&model, 0, i / 100.0, locals);
        trilo_pose_worlds(&model, locals, worlds);
        trilo_pose_skin(&model, 0, worlds, matrices);
        trilo_pose_mesh(&model, 0, worlds, matrices, positions, normals);
        hash = hash_floats(hash_floats(hash, worlds[0].m, CHAIN * 16), positions[0], CHAIN_VERTICES * 3);
        hash = hash_floats(hash, normals[0], CHAIN_VERTICES * 3);
    }
    CHECK_INT(hash, 3679993389);
}

/* ---- other sizes ---- */

static void posed(const trilo_model *model, double seconds, float (*positions)[3])
{
    trilo_mat4 locals[4], worlds[4], skin[4];
    CHECK(model->node_count <= 4);
    trilo_pose_locals(model, 0, seconds, locals);
    trilo_pose_worlds(model, locals, worlds);
    trilo_pose_skin(model, 0, worlds, skin);
    trilo_pose_mesh(model, 0, worlds, model->skin_count > 0 ? skin : NULL, positions, NULL);
}

/* Wherever `of` is, `is` stands at (p - middle) * factor. */
static void check_resized(const trilo_model *is, const trilo_model *of, const double middle[3], double factor)
{
    for (int i = -10; i <= 50; i++) {
        float want[3][3], got[3][3];
        posed(of, i / 10.0, want);
        posed(is, i / 10.0, got);
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(got[v][k], (want[v][k] - middle[k]) * factor, 2e-6 * (1 + fabs(factor * want[v][k])));
    }
}

/* A box of 4 by 2 around 2, 1, 0. Steps and curves, of the root, of its child, of both, rigid and skinned: a model that
 * was scaled moves as it did before, and so does one whose size was restored. */
TEST(a_resized_model_moves_as_before)
{
    static const float corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 2, 0}}, weights[3][4] = {{1}, {1}, {1}};
    static const uint16_t joints[3][4] = {{0}};
    static const float curve[2][3][3] = {{{0}, {1, -1, 0}, {2, -2, 3}}, {{-1, 1, 3}, {5, -5, 6}, {0}}};
    const trilo_node nodes[2] = {node_of(TRILO_NONE, (trilo_vec3){0, 0, 0}, none, plain),
                                 node_of(0, (trilo_vec3){0, 0, 0}, none, plain)};
    const trilo_joint joint = {1, tl_mat4_identity()};
    const trilo_skin skin = {1, &joint};
    const double middle[3] = {2, 1, 0}, origin[3] = {0, 0, 0};
    for (uint32_t variant = 0; variant < 16; variant++) {
        trilo_channel channels[2] = {move, {.key_count = 2, .times = curve_times, .values = curve[0][0]}};
        channels[0].interpolation = TRILO_INTERPOLATION_STEP;
        channels[1].interpolation = TRILO_INTERPOLATION_CUBIC;
        channels[1].target = variant & 1 ? TRILO_TARGET_SCALE : TRILO_TARGET_TRANSLATION;
        channels[0].node = variant >> 1 & 1;
        channels[1].node = variant >> 2 & 1;
        if (channels[0].node == channels[1].node)
            channels[0].target = variant & 1 ? TRILO_TARGET_TRANSLATION : TRILO_TARGET_SCALE;
        const bool skinned = variant >> 3 & 1;
        const trilo_mesh mesh = {.material = TRILO_NONE,
                                 .node = skinned ? TRILO_NONE : 1,
                                 .skin = skinned ? 0 : TRILO_NONE,
                                 .vertex_count = 3,
                                 .positions = corners,
                                 .joints = skinned ? joints : NULL,
                                 .weights = skinned ? weights : NULL};
        const trilo_clip clip = {.duration = 4, .channel_count = 2, .channels = channels};
        const trilo_model model = {.mesh_count = 1,
                                   .meshes = &mesh,
                                   .node_count = 2,
                                   .nodes = nodes,
                                   .skin_count = skinned,
                                   .skins = &skin,
                                   .clip_count = 1,
                                   .clips = &clip};
        const trilo_model *small = trilo_model_edit(&model, &(trilo_model_edit_opts){.normalize = true}, NULL, NULL);
        CHECK(small != NULL);
        const trilo_model *large = trilo_model_edit(small, &(trilo_model_edit_opts){.restore_size = true}, NULL, NULL);
        CHECK(large != NULL);
        check_resized(small, &model, middle, 0.25);
        check_resized(large, &model, origin, 1);
        trilo_model_free(small);
        trilo_model_free(large);
    }
}

/* A unit box that was 4 by 2 around 2, 1, 0, on a root that a clip moves: (p - -0.5, -0.25, 0) * 4. */
TEST(a_moving_root_is_restored)
{
    static const float corners[3][3] = {{-0.5f, -0.25f, 0}, {0.5f, 0, 0}, {0, 0.25f, 0}};
    const trilo_node root = node_of(TRILO_NONE, (trilo_vec3){0, 0, 0}, none, plain);
    const trilo_mesh mesh = {.material = TRILO_NONE, .skin = TRILO_NONE, .vertex_count = 3, .positions = corners};
    trilo_channel step = move;
    step.interpolation = TRILO_INTERPOLATION_STEP;
    const trilo_clip clip = {.duration = 4, .channel_count = 1, .channels = &step};
    const trilo_model model = {.resized = true,
                               .source_bounds = {{0, 0, 0}, {4, 2, 0}},
                               .mesh_count = 1,
                               .meshes = &mesh,
                               .node_count = 1,
                               .nodes = &root,
                               .clip_count = 1,
                               .clips = &clip};
    const double middle[3] = {-0.5, -0.25, 0};
    const trilo_model *large = trilo_model_edit(&model, &(trilo_model_edit_opts){.restore_size = true}, NULL, NULL);
    CHECK(large != NULL);
    check_resized(large, &model, middle, 4);
    trilo_model_free(large);
}

TEST_MAIN(CASE(translation_goes_straight), CASE(scale_goes_straight), CASE(rotation_takes_the_shorter_arc),
          CASE(sampling_with_a_cursor_gives_the_same_bits), CASE(an_axis_goes_straight), CASE(a_step_holds),
          CASE(a_curve_of_one_axis), CASE(ends_of_a_curve), CASE(a_curve_of_vectors), CASE(a_curve_of_rotations),
          CASE(a_curve_through_zero), CASE(ends_are_held), CASE(one_key_or_none), CASE(keys_at_one_time),
          CASE(every_interval_is_found), CASE(hierarchy_of_three),
          CASE(transforms_without_a_channel_keep_the_rest_pose), CASE(axes_replace_just_themselves),
          CASE(a_clip_that_is_not_there_is_the_rest_pose), CASE(skin_of_two_bones), CASE(skin_with_inverse_bind),
          CASE(rigid_mesh), CASE(vertices_of_ones_own), CASE(skinned_vertices_in_place), CASE(same_bits_everywhere),
          CASE(a_resized_model_moves_as_before), CASE(a_moving_root_is_restored))
