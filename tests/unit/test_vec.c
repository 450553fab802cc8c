#include "base/vec.h"
#include "harness.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

#define HALF 0.70710678118654752f /* sine and cosine of 45 degrees */

static const trilo_quat turn_z = {0, 0, HALF, HALF};          /* 90 degrees about z: x to y, y to -x */
static const trilo_quat turn_x = {HALF, 0, 0, HALF};          /* 90 degrees about x: y to z, z to -y */
static const trilo_quat one_third = {0.5f, 0.5f, 0.5f, 0.5f}; /* 120 degrees about 1, 1, 1: x to y to z to x */

static void check_vec(trilo_vec3 got, double x, double y, double z, double within)
{
    CHECK_NEAR(got.x, x, within);
    CHECK_NEAR(got.y, y, within);
    CHECK_NEAR(got.z, z, within);
}

static void check_quat(trilo_quat got, double x, double y, double z, double w, double within)
{
    CHECK_NEAR(got.x, x, within);
    CHECK_NEAR(got.y, y, within);
    CHECK_NEAR(got.z, z, within);
    CHECK_NEAR(got.w, w, within);
}

static void check_mat4(const trilo_mat4 *got, const trilo_mat4 *want, double within)
{
    for (int i = 0; i < 16; i++)
        CHECK_NEAR(got->m[i], want->m[i], within);
}

static trilo_mat4 diagonal(float x, float y, float z)
{
    return (trilo_mat4){{x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}};
}

/* ---- vectors and rotations ---- */

TEST(vectors)
{
    check_vec(tl_vec3_lerp((trilo_vec3){1, 2, 3}, (trilo_vec3){5, 2, -1}, 0.25), 2, 2, 2, 0);
    check_vec(tl_vec3_normalize((trilo_vec3){3, 0, -4}), 0.6, 0, -0.8, 1e-7);
    check_vec(tl_vec3_normalize((trilo_vec3){0, 0, 1e-30f}), 0, 0, 1, 0);
    check_vec(tl_vec3_normalize((trilo_vec3){0, 3e38f, 0}), 0, 1, 0, 0);
    check_vec(tl_vec3_normalize((trilo_vec3){0, 0, 0}), 0, 0, 0, 0);
    check_vec(tl_vec3_normalize((trilo_vec3){NAN, 1, 0}), 0, 0, 0, 0);
}

TEST(quat_normalize)
{
    check_quat(tl_quat_normalize((trilo_quat){0, 3, 0, 4}), 0, 0.6, 0, 0.8, 1e-7);
    check_quat(tl_quat_normalize((trilo_quat){0, 0, 0, 0}), 0, 0, 0, 1, 0);
    check_quat(tl_quat_normalize((trilo_quat){0, NAN, 0, 1}), 0, 0, 0, 1, 0);
    check_quat(tl_quat_normalize((trilo_quat){0, INFINITY, 0, 1}), 0, 0, 0, 1, 0);
    check_quat(tl_quat_normalize((trilo_quat){1e-45f, 0, 0, 0}), 1, 0, 0, 0, 0);
}

/* Twice 90 degrees about z is 180: 0, 0, 1, 0. 90 about x after 90 about z is (s i + s)(s k + s) with s * s = 0.5:
 * i k = -j, so 0.5 i - 0.5 j + 0.5 k + 0.5. */
TEST(quat_mul)
{
    check_quat(tl_quat_mul(turn_z, turn_z), 0, 0, 1, 0, 1e-7);
    check_quat(tl_quat_mul(turn_x, turn_z), 0.5, -0.5, 0.5, 0.5, 1e-7);
    const trilo_mat4 x = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, turn_x, (trilo_vec3){1, 1, 1});
    const trilo_mat4 z = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, turn_z, (trilo_vec3){1, 1, 1});
    const trilo_mat4 product = tl_mat4_mul(&x, &z);
    const trilo_mat4 both = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, tl_quat_mul(turn_x, turn_z), (trilo_vec3){1, 1, 1});
    check_mat4(&product, &both, 1e-6);
}

/* From nothing to 90 degrees about z: half of it is 45, sin(22.5) = 0.38268343 and cos(22.5) = 0.92387953; a quarter is
 * 22.5, sin(11.25) = 0.19509032 and cos(11.25) = 0.98078528. */
TEST(slerp_at_even_speed)
{
    const trilo_quat none = {0, 0, 0, 1};
    check_quat(tl_quat_slerp(none, turn_z, 0.5), 0, 0, 0.38268343, 0.92387953, 1e-7);
    check_quat(tl_quat_slerp(none, turn_z, 0.25), 0, 0, 0.19509032, 0.98078528, 1e-7);
    check_quat(tl_quat_slerp(none, turn_z, 0), 0, 0, 0, 1, 0);
    check_quat(tl_quat_slerp(none, turn_z, 1), 0, 0, HALF, HALF, 1e-7);
    /* 120 degrees about 1, 1, 1: half is 60, with sin(30) / sqrt(3) = 0.28867513 on each axis and cos(30) = 0.8660254.
     */
    check_quat(tl_quat_slerp(none, one_third, 0.5), 0.28867513, 0.28867513, 0.28867513, 0.8660254, 1e-7);
    /* Lengths other than 1 do not matter. */
    check_quat(tl_quat_slerp((trilo_quat){0, 0, 0, 7}, (trilo_quat){0, 0, 0.1f, 0.1f}, 0.5), 0, 0, 0.38268343,
               0.92387953, 1e-7);
}

/* -q is the same rotation as q: the way to it has length 0, and the way to -turn_z is the one to turn_z. From 0 to 270
 * degrees (z: sin 135 = 0.70710678, w: cos 135 = -0.70710678) the short way is back by 90: halfway is -45 degrees. */
TEST(slerp_takes_the_shorter_arc)
{
    const trilo_quat none = {0, 0, 0, 1}, away = {0, 0, -HALF, -HALF}, three_quarters = {0, 0, HALF, -HALF};
    check_quat(tl_quat_slerp(none, (trilo_quat){0, 0, 0, -1}, 0.3), 0, 0, 0, 1, 0);
    check_quat(tl_quat_slerp(turn_z, away, 0.5), 0, 0, HALF, HALF, 1e-7);
    check_quat(tl_quat_slerp(none, away, 0.5), 0, 0, 0.38268343, 0.92387953, 1e-7);
    check_quat(tl_quat_slerp(none, three_quarters, 0.5), 0, 0, -0.38268343, 0.92387953, 1e-7);
}

TEST(slerp_of_nearly_the_same)
{
    const trilo_quat none = {0, 0, 0, 1};
    const float s = 1e-5f; /* half the angle; quarter of the way: 0.25e-5 */
    check_quat(tl_quat_slerp(none, (trilo_quat){s, 0, 0, 1}, 0.25), 0.25e-5, 0, 0, 1, 1e-12);
    check_quat(tl_quat_slerp(none, none, 0.25), 0, 0, 0, 1, 0);
    check_quat(tl_quat_slerp((trilo_quat){0, 0, 0, 0}, (trilo_quat){NAN, 0, 0, 0}, 0.5), 0, 0, 0, 1, 0);
    /* Both sides of the place where the straight line takes over. */
    const double below = 0.99e-4, above = 1.01e-4;
    check_quat(tl_quat_slerp(none, (trilo_quat){(float)below, 0, 0, 1}, 0.3), below * 0.3, 0, 0, 1, 1e-11);
    check_quat(tl_quat_slerp(none, (trilo_quat){(float)above, 0, 0, 1}, 0.3), above * 0.3, 0, 0, 1, 1e-11);
}

/* ---- matrices ---- */

/* x: (1,0,0) scaled to (2,0,0), turned to (0,2,0), moved to (10,22,30).
 * y: (0,1,0) scaled to (0,3,0), turned to (-3,0,0), moved to (7,20,30). z: (0,0,4) + (10,20,30). */
TEST(from_trs_scales_then_rotates_then_translates)
{
    const trilo_mat4 m = tl_mat4_from_trs((trilo_vec3){10, 20, 30}, turn_z, (trilo_vec3){2, 3, 4});
    check_vec(tl_mat4_point(&m, (trilo_vec3){1, 0, 0}), 10, 22, 30, 1e-5);
    check_vec(tl_mat4_point(&m, (trilo_vec3){0, 1, 0}), 7, 20, 30, 1e-5);
    check_vec(tl_mat4_point(&m, (trilo_vec3){0, 0, 1}), 10, 20, 34, 1e-5);
    check_vec(tl_mat4_direction(&m, (trilo_vec3){0, 1, 0}), -3, 0, 0, 1e-5);
    CHECK(m.m[3] == 0 && m.m[7] == 0 && m.m[11] == 0 && m.m[15] == 1);
    const trilo_mat4 long_quat =
        tl_mat4_from_trs((trilo_vec3){10, 20, 30}, (trilo_quat){0, 0, 5, 5}, (trilo_vec3){2, 3, 4});
    check_mat4(&long_quat, &m, 1e-6);
    const trilo_mat4 no_quat = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, (trilo_quat){0, 0, 0, 0}, (trilo_vec3){2, 3, 4});
    const trilo_mat4 plain = diagonal(2, 3, 4);
    check_mat4(&no_quat, &plain, 0);
}

TEST(mul_is_column_major)
{
    const trilo_mat4 a = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    const trilo_mat4 b = {{1, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 1, 1, 1}};
    /* Columns of the product: a's 1st, a's 3rd, twice a's 2nd, the sum of all four. */
    const trilo_mat4 want = {{1, 2, 3, 4, 9, 10, 11, 12, 10, 12, 14, 16, 28, 32, 36, 40}};
    const trilo_mat4 got = tl_mat4_mul(&a, &b), identity = tl_mat4_identity(), same = tl_mat4_mul(&identity, &a);
    check_mat4(&got, &want, 0);
    check_mat4(&same, &a, 0);
}

/* Scale 2, 4, 8 and a move of 2, 4, 8: the inverse divides and moves by -1 each. */
TEST(inverse)
{
    trilo_mat4 m = diagonal(2, 4, 8), inverse;
    m.m[12] = 2, m.m[13] = 4, m.m[14] = 8;
    CHECK(tl_mat4_inverse_affine(&m, &inverse));
    const trilo_mat4 want = {{0.5f, 0, 0, 0, 0, 0.25f, 0, 0, 0, 0, 0.125f, 0, -1, -1, -1, 1}};
    check_mat4(&inverse, &want, 0);

    m = tl_mat4_from_trs((trilo_vec3){1, -2, 3}, one_third, (trilo_vec3){0.5f, -2, 3});
    m.m[4] += 0.75f; /* and some shear */
    CHECK(tl_mat4_inverse_affine(&m, &inverse));
    const trilo_mat4 product = tl_mat4_mul(&m, &inverse), identity = tl_mat4_identity();
    check_mat4(&product, &identity, 1e-6);

    m = diagonal(1e-20f, 1e-20f, 1e-20f); /* small is not singular */
    CHECK(tl_mat4_inverse_affine(&m, &inverse));
    CHECK_NEAR(inverse.m[0], 1e20, 1e14);
}

TEST(what_has_no_inverse)
{
    const trilo_mat4 before = diagonal(7, 7, 7);
    trilo_mat4 inverse = before;
    trilo_mat4 m = diagonal(1, 0, 1);
    CHECK(!tl_mat4_inverse_affine(&m, &inverse));
    m = (trilo_mat4){{8388607, 5000003, 1234567, 0, 3141592, 2718281, 7654321, 0}};
    m.m[8] = m.m[0] + m.m[4], m.m[9] = m.m[1] + m.m[5], m.m[10] = m.m[2] + m.m[6]; /* z axis = x axis + y axis */
    m.m[15] = 1;
    CHECK(!tl_mat4_inverse_affine(&m, &inverse));
    m = diagonal(1, NAN, 1);
    CHECK(!tl_mat4_inverse_affine(&m, &inverse));
    m = tl_mat4_identity();
    m.m[13] = INFINITY;
    CHECK(!tl_mat4_inverse_affine(&m, &inverse));
    m = diagonal(1e-42f, 1, 1); /* its inverse is above the largest float */
    CHECK(!tl_mat4_inverse_affine(&m, &inverse));
    check_mat4(&inverse, &before, 0);
}

/* ---- normals ---- */

static trilo_vec3 normal_through(const trilo_mat4 *m, float x, float y, float z)
{
    const trilo_mat4 n = tl_mat4_normal(m);
    return tl_vec3_normalize(tl_mat4_direction(&n, (trilo_vec3){x, y, z}));
}

TEST(normals_stay_at_right_angles)
{
    /* The plane x + y = 0 stretched to twice the x: its normal leans to y, (1/2, 1), of length 1.118034. */
    trilo_mat4 m = diagonal(2, 1, 1);
    check_vec(normal_through(&m, HALF, HALF, 0), 0.4472136, 0.8944272, 0, 1e-6);
    m = tl_mat4_from_trs((trilo_vec3){5, 5, 5}, turn_z, (trilo_vec3){3, 3, 3});
    check_vec(normal_through(&m, 1, 0, 0), 0, 1, 0, 1e-6);
    m = diagonal(-1, 1, 1); /* a mirror turns the normal of its own axis round and leaves the others */
    check_vec(normal_through(&m, 1, 0, 0), -1, 0, 0, 0);
    check_vec(normal_through(&m, 0, 1, 0), 0, 1, 0, 0);
    m = diagonal(1e-25f, 1e-25f, 1e-25f);
    check_vec(normal_through(&m, 0, 1, 0), 0, 1, 0, 0);
    check_vec(normal_through(&m, 0, 0, 0), 0, 0, 0, 0);
}

TEST(normals_through_flat_matrices)
{
    trilo_mat4 m = diagonal(2, 3, 0); /* all that is left lies in the plane z = 0 */
    check_vec(normal_through(&m, 0, 0.6f, 0.8f), 0, 0, 1, 0);
    m = diagonal(2, 0, 0);
    check_vec(normal_through(&m, HALF, HALF, 0), 1, 0, 0, 0);
    m = diagonal(0, 0, 0);
    check_vec(normal_through(&m, 0, 1, 0), 0, 1, 0, 0);
}

/* ---- parts ---- */

typedef struct parts {
    bool exact;
    trilo_vec3 t;
    trilo_quat r;
    trilo_vec3 s;
} parts;

static parts parts_of(const trilo_mat4 *m)
{
    parts p;
    p.exact = tl_mat4_decompose(m, &p.t, &p.r, &p.s);
    return p;
}

TEST(decompose_plain)
{
    trilo_mat4 m = tl_mat4_from_trs((trilo_vec3){1, 2, 3}, one_third, (trilo_vec3){2, 49, 0.125f});
    parts p = parts_of(&m);
    CHECK(p.exact);
    check_vec(p.t, 1, 2, 3, 0);
    check_quat(p.r, 0.5, 0.5, 0.5, 0.5, 0);
    check_vec(p.s, 2, 49, 0.125, 0);
    m = tl_mat4_identity();
    p = parts_of(&m);
    CHECK(p.exact && !signbit(p.r.x) && !signbit(p.r.y) && !signbit(p.r.z));
    check_quat(p.r, 0, 0, 0, 1, 0);
    check_vec(p.s, 1, 1, 1, 0);
}

/* Half turns about each axis, where w is 0 and the other branches of the formula are taken. */
TEST(decompose_rotations_by_180_degrees)
{
    trilo_mat4 m = diagonal(1, -1, -1);
    parts p = parts_of(&m);
    CHECK(p.exact);
    check_quat(p.r, 1, 0, 0, 0, 0);
    m = diagonal(-1, 1, -1);
    p = parts_of(&m);
    check_quat(p.r, 0, 1, 0, 0, 0);
    m = diagonal(-1, -1, 1);
    p = parts_of(&m);
    check_quat(p.r, 0, 0, 1, 0, 0);
    check_vec(p.s, 1, 1, 1, 0);
}

/* -2, 3, 4 is its own answer. 2, -3, 4 mirrors y: as x scale -2 it needs x to -x and y to -y, half a turn about z. */
TEST(decompose_mirrored)
{
    trilo_mat4 m = diagonal(-2, 3, 4);
    parts p = parts_of(&m);
    CHECK(p.exact);
    check_quat(p.r, 0, 0, 0, 1, 0);
    check_vec(p.s, -2, 3, 4, 0);
    m = diagonal(2, -3, 4);
    p = parts_of(&m);
    CHECK(p.exact);
    check_quat(p.r, 0, 0, 1, 0, 0);
    check_vec(p.s, -2, 3, 4, 0);
}

TEST(decompose_flat)
{
    trilo_mat4 m = diagonal(2, 0, 3);
    parts p = parts_of(&m);
    CHECK(p.exact);
    check_quat(p.r, 0, 0, 0, 1, 0);
    check_vec(p.s, 2, 0, 3, 0);
    m = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, one_third, (trilo_vec3){3, 0, 2});
    p = parts_of(&m);
    CHECK(p.exact);
    check_quat(p.r, 0.5, 0.5, 0.5, 0.5, 1e-6);
    check_vec(p.s, 3, 0, 2, 1e-6);
    /* Turned 90 degrees about z: x axis (0, 2, 0), y axis gone, z axis (0, 0, 3). */
    m = tl_mat4_from_trs((trilo_vec3){1, 1, 1}, turn_z, (trilo_vec3){2, 0, 3});
    p = parts_of(&m);
    CHECK(p.exact);
    check_quat(p.r, 0, 0, HALF, HALF, 1e-6);
    check_vec(p.s, 2, 0, 3, 1e-6);
    for (int axis = 0; axis < 3; axis++) { /* one axis left, wherever it points */
        const trilo_vec3 s = {axis == 0 ? 2.0f : 0, axis == 1 ? 2.0f : 0, axis == 2 ? 2.0f : 0};
        m = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, one_third, s);
        p = parts_of(&m);
        CHECK(p.exact);
        check_vec(p.s, s.x, s.y, s.z, 1e-6);
    }
    m = diagonal(0, 0, 0);
    p = parts_of(&m);
    CHECK(p.exact);
    check_quat(p.r, 0, 0, 0, 1, 0);
    check_vec(p.s, 0, 0, 0, 0);
}

typedef struct axes {
    double at[3][3];
} axes;

static double dot_of(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross_of(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void unit_of(double *v)
{
    const double length = sqrt(dot_of(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

/* Gram-Schmidt: the longest axis first, then the longer one of the others, then what makes a rotation of them. Of equal
 * ones that which comes first, counted on from the first. One that is parallel to the first, or 0, is perpendicular to
 * it and to the axis of its smallest number. */
static axes gram_schmidt(const axes *a)
{
    axes r;
    int first = 0;
    double length[3];
    for (int i = 0; i < 3; i++) {
        length[i] = sqrt(dot_of(a->at[i], a->at[i]));
        first = length[i] > length[first] ? i : first;
    }
    int second = (first + 1) % 3, third = (first + 2) % 3;
    if (length[third] > length[second])
        second = third, third = (first + 1) % 3;
    memcpy(r.at, a->at, sizeof r.at);
    unit_of(r.at[first]);
    const double along = dot_of(r.at[second], r.at[first]);
    for (int k = 0; k < 3; k++)
        r.at[second][k] -= along * r.at[first][k];
    if (!(sqrt(dot_of(r.at[second], r.at[second])) > 1e-6 * length[second])) {
        double least[3] = {0, 0, 0};
        int smallest = 0;
        for (int k = 1; k < 3; k++)
            smallest = fabs(r.at[first][k]) < fabs(r.at[first][smallest]) ? k : smallest;
        least[smallest] = 1;
        cross_of(r.at[first], least, r.at[second]);
    }
    unit_of(r.at[second]);
    cross_of(r.at[(third + 1) % 3], r.at[(third + 2) % 3], r.at[third]);
    return r;
}

/* Matrices with one axis or two: 0, parallel, of equal lengths, or in a plane. */
TEST(decompose_flat_by_gram_schmidt)
{
    uint64_t seed = 1;
    for (int round = 0; round < 600; round++) {
        axes a = {{{0}}};
        double u[3], v[3];
        for (int k = 0; k < 3; k++) {
            u[k] = (double)(int)(random_bits(&seed) % 17) - 8;
            v[k] = (double)(int)(random_bits(&seed) % 17) - 8;
        }
        const int at = round % 3;
        for (int k = 0; k < 3; k++) {
            a.at[at][k] = u[k];
            a.at[(at + 1) % 3][k] = round % 5 == 0 ? v[k] : round % 5 == 1 ? -u[k] : round % 5 == 2 ? 0 : v[k] / 4;
            a.at[(at + 2) % 3][k] = round % 5 == 3   ? 2 * u[k] - v[k]
                                    : round % 5 == 4 ? v[k] / 2
                                    : round % 2      ? 0
                                                     : u[k] / 2;
        }
        double largest = 0;
        trilo_mat4 m = tl_mat4_identity();
        for (int i = 0; i < 9; i++) {
            largest = fmax(largest, fabs(a.at[i / 3][i % 3]));
            m.m[i / 3 * 4 + i % 3] = (float)a.at[i / 3][i % 3];
        }
        if (largest == 0)
            continue;
        const parts p = parts_of(&m);
        const axes want = gram_schmidt(&a);
        const trilo_mat4 got = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, p.r, (trilo_vec3){1, 1, 1});
        for (int i = 0; i < 9; i++)
            if (!(fabs(got.m[i / 3 * 4 + i % 3] - want.at[i / 3][i % 3]) < 2e-6))
                FAIL("round %d, number %d: %g instead of %g", round, i, (double)got.m[i / 3 * 4 + i % 3],
                     want.at[i / 3][i % 3]);
        check_vec(p.s, dot_of(a.at[0], want.at[0]), dot_of(a.at[1], want.at[1]), dot_of(a.at[2], want.at[2]), 2e-5);
    }
}

/* Of a matrix that is not flat, the nearest rotation leaves a symmetric stretch, whose axes have unit length: R^T A,
 * each axis of A divided by its length first. */
TEST(decompose_leaves_a_symmetric_stretch)
{
    uint64_t seed = 2;
    for (int round = 0; round < 200; round++) {
        axes a;
        trilo_mat4 m = tl_mat4_identity();
        for (int i = 0; i < 9; i++) {
            a.at[i / 3][i % 3] = (double)(int)(random_bits(&seed) % 2001) / 100 - 10;
            m.m[i / 3 * 4 + i % 3] = (float)a.at[i / 3][i % 3];
        }
        for (int i = 0; i < 3; i++)
            unit_of(a.at[i]);
        double side[3];
        cross_of(a.at[1], a.at[2], side);
        if (fabs(dot_of(a.at[0], side)) < 1e-2)
            continue;
        const double sign = dot_of(a.at[0], side) < 0 ? -1 : 1;
        for (int k = 0; k < 3; k++)
            a.at[0][k] *= sign;
        const parts p = parts_of(&m);
        const trilo_mat4 r = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, p.r, (trilo_vec3){1, 1, 1});
        double stretch[3][3];
        for (int i = 0; i < 9; i++) {
            const double axis[3] = {r.m[i / 3 * 4], r.m[i / 3 * 4 + 1], r.m[i / 3 * 4 + 2]};
            stretch[i / 3][i % 3] = dot_of(axis, a.at[i % 3]);
        }
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(stretch[i][(i + 1) % 3], stretch[(i + 1) % 3][i], 1e-5);
            CHECK(stretch[i][i] > 0);
        }
    }
}

/* y axis (1, 1, 0): it leans 45 degrees towards x. The nearest rotation shares the blame, 22.5 degrees for each. */
TEST(decompose_sheared)
{
    trilo_mat4 m = {{1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    parts p = parts_of(&m);
    CHECK(!p.exact);
    CHECK_NEAR(p.r.z, -0.19509032, 1e-6);                               /* sin(11.25) */
    m = (trilo_mat4){{1, 2, 3, 0, 2, 4, 6, 0, 1, 2, 3, 0, 0, 0, 0, 1}}; /* all axes on one line */
    p = parts_of(&m);
    CHECK(!p.exact);
    CHECK_NEAR(p.r.x * p.r.x + p.r.y * p.r.y + p.r.z * p.r.z + p.r.w * p.r.w, 1, 1e-6);
    m = diagonal(1000, 0.001f, 1000); /* a small axis counts too */
    m.m[6] = 0.0001f;
    CHECK(!parts_of(&m).exact);
    m = tl_mat4_identity();
    m.m[3] = 0.5f;
    CHECK(!parts_of(&m).exact);
    m = tl_mat4_identity();
    m.m[15] = 2;
    CHECK(!parts_of(&m).exact);
}

TEST(decompose_not_finite)
{
    trilo_mat4 m = diagonal(2, NAN, 2);
    m.m[12] = 5;
    const parts p = parts_of(&m);
    CHECK(!p.exact);
    check_vec(p.t, 0, 0, 0, 0);
    check_quat(p.r, 0, 0, 0, 1, 0);
    check_vec(p.s, 1, 1, 1, 0);
    m = tl_mat4_identity();
    m.m[14] = INFINITY;
    CHECK(!parts_of(&m).exact);
}

/* ---- any rotation, any scale ---- */

static uint32_t next_random(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

/* Between -1 and 1, in steps that a float holds exactly. */
static float random_one(uint32_t *state)
{
    return (float)(next_random(state) >> 8) * 0x1p-23f - 1;
}

static trilo_vec3 random_vec(uint32_t *state)
{
    trilo_vec3 v;
    v.x = random_one(state);
    v.y = random_one(state);
    v.z = random_one(state);
    return v;
}

static trilo_quat random_quat(uint32_t *state)
{
    trilo_quat q;
    q.x = random_one(state);
    q.y = random_one(state);
    q.z = random_one(state);
    q.w = random_one(state);
    return tl_quat_normalize(q);
}

TEST(decomposed_transforms_make_the_matrix_again)
{
    uint32_t state = 1;
    for (int i = 0; i < 5000; i++) {
        const trilo_vec3 t = random_vec(&state), s = random_vec(&state);
        const trilo_mat4 m = tl_mat4_from_trs(t, random_quat(&state), s);
        const parts p = parts_of(&m);
        CHECK(p.exact);
        const trilo_mat4 again = tl_mat4_from_trs(p.t, p.r, p.s);
        check_mat4(&again, &m, 1e-6);
        CHECK((p.s.x < 0) == (s.x * s.y * s.z < 0) && p.s.y >= 0 && p.s.z >= 0);
    }
}

/* One constant for every compiler, C library and byte order: whoever gets another one does not round as IEEE 754 says,
 * and would write other files. */
TEST(same_bits_everywhere)
{
    uint32_t state = 2, slerps = 2166136261u, matrices = 2166136261u;
    for (int i = 0; i < 5000; i++) {
        const trilo_quat a = random_quat(&state), b = random_quat(&state);
        const trilo_quat q = tl_quat_slerp(a, b, (double)random_one(&state) * 0.5 + 0.5);
        slerps = hash_floats(slerps, (const float[]){q.x, q.y, q.z, q.w}, 4);

        const trilo_vec3 t = random_vec(&state), s = random_vec(&state); /* one by one: arguments have no order */
        const trilo_mat4 left = tl_mat4_from_trs(t, a, s), right = tl_mat4_from_trs(s, b, t);
        const trilo_mat4 product = tl_mat4_mul(&left, &right), normal = tl_mat4_normal(&product);
        trilo_mat4 inverse = tl_mat4_identity();
        tl_mat4_inverse_affine(&product, &inverse);
        const parts p = parts_of(&product); /* sheared as a rule: the iteration runs */
        matrices = hash_floats(hash_floats(matrices, normal.m, 16), inverse.m, 16);
        matrices = hash_floats(matrices, (const float[]){p.r.x, p.r.y, p.r.z, p.r.w, p.s.x, p.s.y, p.s.z}, 7);
    }
    CHECK_INT(slerps, 3696308204);
    CHECK_INT(matrices, 166643156);
}

/* Worked out by hand: one or three axes turned round mirror, two do not, and a flat matrix does not either. */
TEST(mirrors)
{
    trilo_mat4 m = tl_mat4_identity();
    CHECK(!tl_mat4_mirrors(&m));
    m.m[0] = -1;
    CHECK(tl_mat4_mirrors(&m));
    m.m[5] = -2;
    CHECK(!tl_mat4_mirrors(&m));
    m.m[10] = -0.5f;
    CHECK(tl_mat4_mirrors(&m));
    m.m[10] = 0;
    CHECK(!tl_mat4_mirrors(&m));
    m = (trilo_mat4){{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1}}; /* x and y change places */
    CHECK(tl_mat4_mirrors(&m));
}

TEST_MAIN(CASE(mirrors), CASE(vectors), CASE(quat_normalize), CASE(quat_mul), CASE(slerp_at_even_speed),
          CASE(slerp_takes_the_shorter_arc), CASE(slerp_of_nearly_the_same),
          CASE(from_trs_scales_then_rotates_then_translates), CASE(mul_is_column_major), CASE(inverse),
          CASE(what_has_no_inverse), CASE(normals_stay_at_right_angles), CASE(normals_through_flat_matrices),
          CASE(decompose_plain), CASE(decompose_rotations_by_180_degrees), CASE(decompose_mirrored),
          CASE(decompose_flat), CASE(decompose_flat_by_gram_schmidt), CASE(decompose_leaves_a_symmetric_stretch),
          CASE(decompose_sheared), CASE(decompose_not_finite), CASE(decomposed_transforms_make_the_matrix_again),
          CASE(same_bits_everywhere))
