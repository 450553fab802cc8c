/* Codes around rotations, against all codes nearby, one by one; with AVX2 and without. */
#include "base/avx2.h"
#include "formats/t3dm/animation/rotation_codes.h"
#include "harness.h"

#include <math.h>
#include <string.h>

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* A unit quaternion. Some have components of 0, some two that are equally large or at the end of the range, and some
 * lie on a code. */
static void make_rotation(uint32_t *seed, double q[4])
{
    double square = 0;
    for (int i = 0; i < 4; i++)
        q[i] = chance(seed, 6) ? chance(seed, 20001) / 10000.0 - 1 : chance(seed, 3) - 1.0;
    q[3] = q[0] != 0 || q[1] != 0 || q[2] != 0 ? q[3] : 1;
    if (chance(seed, 5) == 0) {
        const trilo_quat p = tl_sdata_unpack_quat(chance(seed, 1u << 24) << 8 | chance(seed, 256));
        q[0] = p.x, q[1] = p.y, q[2] = p.z, q[3] = p.w;
    }
    for (int i = 0; i < 4; i++)
        square += q[i] * q[i];
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(square);
}

/* The sine of half the angle to what the console unpacks, from the chord between unit quaternions. */
static double distance_from(uint32_t code, const double q[4])
{
    const trilo_quat p = tl_sdata_unpack_quat(code);
    const double unpacked[4] = {p.x, p.y, p.z, p.w};
    double near = 0, far = 0;
    for (int i = 0; i < 4; i++) {
        near += (unpacked[i] - q[i]) * (unpacked[i] - q[i]);
        far += (unpacked[i] + q[i]) * (unpacked[i] + q[i]);
    }
    const double half_chord = sqrt(fmin(near, far)) / 2;
    return 2 * half_chord * sqrt(1 - half_chord * half_chord);
}

/* The distance from the nearest of a code and the 26 around it. */
static double nearest_distance(uint32_t code, const double q[4])
{
    double least = 1;
    for (int i = 0; i < 27; i++) {
        const int steps[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        uint32_t other = code & 3u << 30;
        bool exists = true;
        for (int k = 0; k < 3; k++) {
            const int step = (int)(code >> (20 - 10 * k) & 1023) + steps[k];
            exists = exists && step >= 0 && step <= 1023;
            other |= (uint32_t)(step & 1023) << (20 - 10 * k);
        }
        least = exists ? fmin(least, distance_from(other, q)) : least;
    }
    return least;
}

static void check_code(const tl_rotation_code *code, const double q[4])
{
    const trilo_quat p = tl_sdata_unpack_quat(code->code);
    CHECK_NEAR(fabs(p.x), fabs(code->q[0]), 1e-6);
    CHECK_NEAR(fabs(p.y), fabs(code->q[1]), 1e-6);
    CHECK_NEAR(fabs(p.z), fabs(code->q[2]), 1e-6);
    CHECK_NEAR(fabs(p.w), fabs(code->q[3]), 1e-6);
    CHECK_NEAR(sqrt(code->error_squared), distance_from(code->code, q), 1e-6);
    CHECK(code->error_squared == tl_rotation_error_squared(code->q, q));
}

/* Rounding each component finds the nearest code, or one that is at most twice as far: the component that is left out,
 * at least a half, changes with the others. */
TEST(the_first_code_is_the_nearest)
{
    uint32_t seed = 1;
    for (uint32_t round = 0; round < test_rounds(20000, 2000); round++) {
        double q[4];
        tl_rotation_code codes[TL_ROTATION_CODES];
        make_rotation(&seed, q);
        CHECK_INT(tl_t3dm_rotation_codes(q, 0, codes), 1);
        check_code(&codes[0], q);
        CHECK(sqrt(codes[0].error_squared) <= 2 * nearest_distance(codes[0].code, q) + 1e-6);
    }
}

/* Each of the eight corners around a rotation whose distance is clearly below the tolerance is there, none twice, and
 * none that is clearly above it. */
TEST(a_cell_has_the_corners_within_the_tolerance)
{
    uint32_t seed = 2, all = 0;
    for (uint32_t round = 0; round < test_rounds(20000, 2000); round++) {
        double q[4];
        tl_rotation_code codes[TL_ROTATION_CODES];
        const double tolerance = 1.19 * (SDATA_QUAT_SPAN / SDATA_QUAT_STEPS) * (1 + chance(&seed, 100)) / 100;
        make_rotation(&seed, q);
        CHECK(tl_t3dm_codes_are_a_cell(tolerance));
        const uint32_t count = tl_t3dm_rotation_codes(q, tolerance, codes);
        for (uint32_t i = 0; i < count; i++) {
            check_code(&codes[i], q);
            CHECK(i == 0 || sqrt(codes[i].error_squared) < 1.02 * tolerance);
            for (uint32_t k = 0; k < i; k++)
                CHECK(codes[k].code != codes[i].code);
        }
        const uint32_t first = codes[0].code;
        for (int i = 1; i < 27; i++) {
            const int steps[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            uint32_t other = first & 3u << 30, found = 0;
            bool exists = true, inside = true;
            for (int k = 0; k < 3; k++) {
                const int nearest = (int)(first >> (20 - 10 * k) & 1023), step = nearest + steps[k];
                const uint32_t at = ((first >> 30) + 1 + (uint32_t)k) & 3;
                const double sign = q[first >> 30] < 0 ? -1 : 1;
                const double place = (sign * q[at] + SDATA_QUAT_HALF) * SDATA_QUAT_STEPS / SDATA_QUAT_SPAN;
                exists = exists && step >= 0 && step <= 1023;
                inside = inside && (steps[k] == 0 || (steps[k] > 0) == (place > nearest));
                other |= (uint32_t)(step & 1023) << (20 - 10 * k);
            }
            for (uint32_t k = 0; k < count; k++)
                found += codes[k].code == other;
            CHECK(found == 0 || (exists && inside));
            if (exists && inside && distance_from(other, q) < 0.98 * tolerance - 1e-6)
                CHECK(found == 1);
            all += found;
        }
    }
    CHECK(all > 2000);
}

/* Beyond a cell: the nearest, and a step along each axis. */
TEST(wide_tolerances_have_steps_along_axes)
{
    const double q[4] = {0.1, -0.2, 0.3, 0.9273618495495704};
    tl_rotation_code codes[TL_ROTATION_CODES];
    CHECK(!tl_t3dm_codes_are_a_cell(0.01));
    CHECK_INT(tl_t3dm_rotation_codes(q, 0.01, codes), 7);
    for (int i = 0; i < 7; i++) {
        check_code(&codes[i], q);
        const uint32_t differs = codes[i].code ^ codes[0].code;
        CHECK((differs & 1023) == differs || (differs & 1023 << 10) == differs || (differs & 1023 << 20) == differs);
    }
}

/* Of some rotations, in any order. */
TEST(nearest_codes_are_the_first_ones)
{
    uint32_t seed = 5;
    for (uint32_t round = 0; round < test_rounds(5000, 500); round++) {
        const uint32_t count = 1 + chance(&seed, 9);
        double rotations[20][4];
        uint32_t samples[9], found[10];
        for (uint32_t i = 0; i < 20; i++)
            make_rotation(&seed, rotations[i]);
        for (uint32_t i = 0; i < count; i++)
            samples[i] = chance(&seed, 20);
        found[count] = 7;
        tl_t3dm_nearest_codes((const double(*)[4])rotations, samples, count, found);
        for (uint32_t i = 0; i < count; i++) {
            tl_rotation_code codes[TL_ROTATION_CODES];
            tl_t3dm_rotation_codes(rotations[samples[i]], 0, codes);
            CHECK_INT(found[i], codes[0].code);
        }
        CHECK_INT(found[count], 7);
    }
}

TEST(nearest_errors_are_those_of_the_nearest_codes)
{
    uint32_t seed = 3;
    for (uint32_t round = 0; round < test_rounds(5000, 500); round++) {
        const uint32_t count = 1 + chance(&seed, 9);
        double rotations[9][4], errors[10];
        for (uint32_t i = 0; i < count; i++)
            make_rotation(&seed, rotations[i]);
        errors[count] = 7;
        tl_t3dm_nearest_code_errors((const double(*)[4])rotations, count, errors);
        for (uint32_t i = 0; i < count; i++) {
            tl_rotation_code codes[TL_ROTATION_CODES];
            tl_t3dm_rotation_codes(rotations[i], 0, codes);
            CHECK(errors[i] == sqrt(codes[0].error_squared));
        }
        CHECK(errors[count] == 7);
    }
}

TEST(avx2_gives_the_codes_of_every_machine)
{
    const t3dm_code_lanes *any = tl_t3dm_code_lanes(), *avx2 = tl_t3dm_code_lanes_avx2();
    uint32_t seed = 4;
    if (!avx2 || !tl_has_avx2())
        SKIP("there is no AVX2");
    for (uint32_t round = 0; round < test_rounds(20000, 2000); round++) {
        double q[4][4], errors[2][4];
        uint32_t nearest[2][4];
        uint32_t largest = 0;
        static tl_rotation_code codes[2][TL_ROTATION_CODES];
        for (int i = 0; i < 4; i++)
            make_rotation(&seed, q[i]);
        any->find_nearest_errors((const double(*)[4])q, errors[0]);
        avx2->find_nearest_errors((const double(*)[4])q, errors[1]);
        CHECK(memcmp(errors[0], errors[1], sizeof errors[0]) == 0);
        any->find_nearest_codes((const double *const[4]){q[0], q[1], q[2], q[3]}, nearest[0]);
        avx2->find_nearest_codes((const double *const[4]){q[0], q[1], q[2], q[3]}, nearest[1]);
        CHECK(memcmp(nearest[0], nearest[1], sizeof nearest[0]) == 0);
        for (uint32_t i = 1; i < 4; i++)
            largest = fabs(q[0][i]) > fabs(q[0][largest]) ? i : largest;
        const double left_out = q[0][largest] * q[0][largest];
        const t3dm_code_limit limit = {left_out, left_out * 1e-8 * chance(&seed, 300)};
        const uint32_t count = any->find_cell_corners(q[0], largest, limit, codes[0]);
        CHECK_INT(avx2->find_cell_corners(q[0], largest, limit, codes[1]), count);
        for (uint32_t i = 0; i < count; i++) {
            CHECK(memcmp(codes[1][i].q, codes[0][i].q, sizeof codes[0][i].q) == 0);
            CHECK(codes[1][i].error_squared == codes[0][i].error_squared && codes[1][i].code == codes[0][i].code);
        }
    }
}

TEST_MAIN(CASE(the_first_code_is_the_nearest), CASE(a_cell_has_the_corners_within_the_tolerance),
          CASE(wide_tolerances_have_steps_along_axes), CASE(nearest_codes_are_the_first_ones),
          CASE(nearest_errors_are_those_of_the_nearest_codes), CASE(avx2_gives_the_codes_of_every_machine))
