/* Transforms component by component: where the values of a target are, blending, differences, sums. */
#include "anim/transform.h"

#include "anim/tiny3d_sample.h"
#include "harness.h"

#include <math.h>
#include <string.h>

#define HALF 0.70710678118654752f /* sine and cosine of 45 degrees */

static bool has(unsigned components, unsigned bit)
{
    return (components & bit) != 0;
}

static void check_floats(const float *got, const double *want, int count, double within)
{
    for (int i = 0; i < count; i++)
        CHECK_NEAR(got[i], want[i], within);
}

/* ---- targets ---- */

/* Translation, rotation and scale are ten numbers in a row. */
TEST(every_target_has_its_place)
{
    static const struct {
        trilo_target target;
        ptrdiff_t place;
        uint8_t components;
    } all[TRILO_TARGET_COUNT] = {
        {TRILO_TARGET_TRANSLATION, 0, 0x07},   {TRILO_TARGET_ROTATION, 3, 0x08},
        {TRILO_TARGET_SCALE, 7, 0x70},         {TRILO_TARGET_TRANSLATION_X, 0, 0x01},
        {TRILO_TARGET_TRANSLATION_Y, 1, 0x02}, {TRILO_TARGET_TRANSLATION_Z, 2, 0x04},
        {TRILO_TARGET_SCALE_X, 7, 0x10},       {TRILO_TARGET_SCALE_Y, 8, 0x20},
        {TRILO_TARGET_SCALE_Z, 9, 0x40},
    };
    trilo_transform t;
    for (size_t i = 0; i < TRILO_TARGET_COUNT; i++) {
        CHECK_INT((const char *)tl_transform_values(&t, all[i].target) - (const char *)&t,
                  all[i].place * (ptrdiff_t)sizeof(float));
        CHECK_INT(tl_transform_components(all[i].target), all[i].components);
    }
}

TEST(rest_and_identity)
{
    const trilo_node node = {.translation = {1, 2, 3}, .rotation = {4, 5, 6, 7}, .scale = {8, 9, 10}};
    const trilo_transform rest = tl_transform_rest(&node), identity = tl_transform_identity();
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(rest.translation[i], 1 + i, 0);
        CHECK_NEAR(rest.scale[i], 8 + i, 0);
        CHECK_NEAR(identity.translation[i], 0, 0);
        CHECK_NEAR(identity.scale[i], 1, 0);
    }
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(rest.rotation[i], 4 + i, 0);
        CHECK_NEAR(identity.rotation[i], i == 3, 0);
    }
}

/* ---- blending ---- */

static const trilo_transform from = {{1, 2, 3}, {0, 0, 0, 1}, {4, 5, 6}};
static const trilo_transform over = {{11, 22, 43}, {0, 0, HALF, HALF}, {8, 1, 16}};

/* Each component is blended or left alone, in all 128 sets of them. A quarter of 90 degrees about z is 22.5 degrees:
 * the sine and cosine of 11.25; for Tiny3D it is 0.25 and 0.75 of the quaternions, normalized. */
TEST(components_are_blended_one_by_one)
{
    static const double at_quarter[2][4] = {{0, 0, 0.19509032, 0.98078528}, {0, 0, 0.18736547, 0.98229027}};
    static const double amounts[] = {-0.5, 0, 0.25, 1, 2};
    for (unsigned set = 0; set <= TL_COMPONENTS_ALL; set++)
        for (size_t k = 0; k < 2 * sizeof amounts / sizeof *amounts; k++) {
            const double amount = amounts[k / 2], part = amount > 0 ? fmin(amount, 1) : 0;
            trilo_transform t = from;
            tl_transform_blend(&t, &over, set, amount, k % 2 ? TL_BLEND_TINY3D : TL_BLEND_SMOOTH);
            for (unsigned i = 0; i < 3; i++) {
                const double move = has(set, 1u << i) ? part : 0, stretch = has(set, 0x10u << i) ? part : 0;
                CHECK_NEAR(t.translation[i], from.translation[i] + (over.translation[i] - from.translation[i]) * move,
                           0);
                CHECK_NEAR(t.scale[i], from.scale[i] + (over.scale[i] - from.scale[i]) * stretch, 0);
            }
            for (int i = 0; i < 4; i++)
                CHECK_NEAR(t.rotation[i],
                           !has(set, 8) || part == 0 ? (double)from.rotation[i]
                           : part == 1               ? (double)over.rotation[i]
                                                     : at_quarter[k % 2][i],
                           part == 0.25 && has(set, 8) ? 1e-7 : 0);
        }
}

/* The difference of these is more than single precision holds: Tiny3D's formula shows the new value, ours has no such
 * difference. */
TEST(differences_that_overflow)
{
    const trilo_transform low = {{-3e38f, 0, 0}, {0, 0, 0, 1}, {-3e38f, 1, 1}};
    const trilo_transform high = {{3e38f, 0, 0}, {0, 0, 0, 1}, {3e38f, 1, 1}};
    trilo_transform t = low;
    tl_transform_blend(&t, &high, TL_COMPONENTS_ALL, 0.5, TL_BLEND_TINY3D);
    CHECK(t.translation[0] == 3e38f && t.scale[0] == 3e38f);
    t = low;
    tl_transform_blend(&t, &high, TL_COMPONENTS_ALL, 0.5, TL_BLEND_SMOOTH);
    CHECK(t.translation[0] == 0 && t.scale[0] == 0);
}

/* ---- differences ---- */

TEST(differences_from_the_first_key)
{
    for (int target = 0; target < TRILO_TARGET_COUNT; target++) {
        static const float first[4] = {2, 5, 0, 99};
        float value[4] = {8, 10, 12, 77};
        const int width = (int)trilo_target_width((trilo_target)target);
        const bool scale = target == TRILO_TARGET_SCALE || target == TRILO_TARGET_SCALE_X ||
                           target == TRILO_TARGET_SCALE_Y || target == TRILO_TARGET_SCALE_Z;
        if (target == TRILO_TARGET_ROTATION)
            continue;
        tl_transform_difference((trilo_target)target, first, value);
        check_floats(value, scale ? (const double[]){4, 2, 1} : (const double[]){6, 5, 12}, width, 0);
        check_floats(value + width, (const double[]){8, 10, 12, 77} + width, 4 - width, 0);
    }
}

/* The conjugate of 90 degrees about z, (0, 0, -h, h), times 90 degrees about x, (h, 0, 0, h): the scalar is h * h, the
 * vector h * (h, 0, 0) + h * (0, 0, -h) + (0, 0, -h) x (h, 0, 0), which is 1/2 times 1, -1, -1. */
TEST(a_rotation_from_the_first_key)
{
    const float first[4] = {0, 0, HALF, HALF};
    float value[4] = {HALF, 0, 0, HALF};
    tl_transform_difference(TRILO_TARGET_ROTATION, first, value);
    check_floats(value, (const double[]){0.5, -0.5, -0.5, 0.5}, 4, 1e-7);
}

/* (0, 0, h, h) times (h, 0, 0, h) is 1/2, 1/2, 1/2, 1/2. Half of the second is 45 degrees about x, with the sine
 * 0.38268343 and the cosine 0.92387953 of 22.5. */
TEST(differences_are_added)
{
    static const trilo_transform start = {{1, 2, 3}, {0, 0, HALF, HALF}, {2, 3, 4}};
    static const trilo_transform more = {{10, 20, 30}, {HALF, 0, 0, HALF}, {3, 5, 7}};
    static const double sums[2][4] = {
        {0.5, 0.5, 0.5, 0.5},
        {0.38268343 * (double)HALF, 0.38268343 * (double)HALF, 0.92387953 * (double)HALF, 0.92387953 * (double)HALF}};
    for (unsigned set = 0; set <= TL_COMPONENTS_ALL; set++)
        for (int half = 0; half < 2; half++) {
            trilo_transform t = start;
            tl_transform_add(&t, &more, set, half ? 0.5 : 1, TL_BLEND_SMOOTH);
            for (unsigned i = 0; i < 3; i++) {
                const double part = half ? 0.5 : 1;
                CHECK_NEAR(t.translation[i],
                           start.translation[i] + (has(set, 1u << i) ? more.translation[i] * part : 0), 0);
                CHECK_NEAR(t.scale[i], start.scale[i] * (has(set, 0x10u << i) ? 1 + (more.scale[i] - 1) * part : 1), 0);
            }
            for (int i = 0; i < 4; i++)
                CHECK_NEAR(t.rotation[i], has(set, 8) ? sums[half][i] : (double)start.rotation[i], 1e-7);
        }
}

TEST(sums_that_overflow_are_left_out)
{
    const trilo_transform huge = {{3e38f, 1, -3e38f}, {0, 0, 0, 1}, {1e30f, 2, 1}};
    trilo_transform t = huge;
    tl_transform_add(&t, &huge, TL_COMPONENTS_ALL, 1, TL_BLEND_SMOOTH);
    CHECK(t.translation[0] == 3e38f && t.translation[1] == 2 && t.translation[2] == -3e38f);
    CHECK(t.scale[0] == 1e30f && t.scale[1] == 4 && t.scale[2] == 1);
}

/* ---- Tiny3D ---- */

/* Without a direction the sum is the second quaternion: of nothing, or where the square of the length is not a number
 * that can be divided by. */
TEST(quaternions_without_a_length)
{
    static const float tests[][2][4] = {
        {{0, 0, 0, 0}, {0, 0, 0, 0}},
        {{1e30f, 0, 0, 0}, {1e30f, 2, 0, 0}},
        {{1e-30f, 0, 0, 0}, {0, 1e-30f, 0, 0}},
        {{NAN, 0, 0, 0}, {1, 2, 3, 4}},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        float value[4];
        tl_tiny3d_nlerp(tests[i][0], tests[i][1], 0.5f, value);
        CHECK(memcmp(value, tests[i][1], sizeof value) == 0);
    }
}

/* The sign is that of the dot product of all four numbers: here one pair has the other sign and the larger product. */
TEST(all_numbers_decide_about_the_nearer_one)
{
    for (int i = 0; i < 4; i++) {
        float a[4] = {1, 1, 1, 1}, b[4] = {1, 1, 1, 1}, value[4];
        a[i] = 2, b[i] = -2;
        tl_tiny3d_nlerp(a, b, 0.5f, value); /* 3 - 4 is below 0: (b - a) / 2 */
        for (int k = 0; k < 4; k++)
            CHECK_NEAR(value[k], k == i ? -1 : 0, 1e-7);
        b[i] = -1; /* 3 - 2 is above: (a + b) / 2 is 1, 1, 1 and 0.5, of length sqrt(3.25) */
        tl_tiny3d_nlerp(a, b, 0.5f, value);
        for (int k = 0; k < 4; k++)
            CHECK_NEAR(value[k], (k == i ? 0.5 : 1) / sqrt(3.25), 1e-6);
    }
}

TEST(between_two_keys_of_tiny3d)
{
    static const float a[4] = {1, 2, 3, 4}, b[4] = {5, 10, 15, 20};
    float value[4] = {0, 0, 0, 77};
    const tl_tiny3d_span span = {1, 3, a, b}, moment = {2, 2, a, b}, behind = {3, 1, a, b},
                         short_one = {0, 1e-40f, a, b};
    tl_tiny3d_between(&span, TRILO_TARGET_SCALE, 1.5f, value);
    check_floats(value, (const double[]){2, 4, 6, 77}, 4, 0);
    tl_tiny3d_between(&span, TRILO_TARGET_SCALE, 4, value); /* beyond the second key */
    check_floats(value, (const double[]){7, 14, 21, 77}, 4, 0);
    tl_tiny3d_between(&span, TRILO_TARGET_SCALE_Y, 2, value);
    check_floats(value, (const double[]){3, 14, 21, 77}, 4, 0);
    tl_tiny3d_between(&moment, TRILO_TARGET_TRANSLATION, 2, value);
    check_floats(value, (const double[]){5, 10, 15, 77}, 4, 0);
    value[0] = 0;
    tl_tiny3d_between(&behind, TRILO_TARGET_TRANSLATION_X, 2, value);
    CHECK_NEAR(value[0], 5, 0);
    value[0] = 0;
    tl_tiny3d_between(&short_one, TRILO_TARGET_TRANSLATION_X, 3e38f, value);
    CHECK_NEAR(value[0], 5, 0);
}

TEST_MAIN(CASE(every_target_has_its_place), CASE(rest_and_identity), CASE(components_are_blended_one_by_one),
          CASE(differences_that_overflow), CASE(differences_from_the_first_key), CASE(a_rotation_from_the_first_key),
          CASE(differences_are_added), CASE(sums_that_overflow_are_left_out), CASE(quaternions_without_a_length),
          CASE(all_numbers_decide_about_the_nearer_one), CASE(between_two_keys_of_tiny3d))
