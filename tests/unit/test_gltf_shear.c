/* Any matrix is a rotation, a scale and another rotation, also one that flattens or mirrors. */
#include "base/vec.h"
#include "formats/gltf/encode/encode.h"
#include "harness.h"

#include <math.h>

static void check_decomposition(const float columns[9])
{
    trilo_mat4 m = tl_mat4_identity();
    trilo_quat outer, inner;
    trilo_vec3 scale;
    for (int i = 0; i < 9; i++)
        m.m[4 * (i / 3) + i % 3] = columns[i];
    tl_gltf_decompose_shear(&m, &outer, &scale, &inner);
    CHECK_NEAR(outer.x * outer.x + outer.y * outer.y + outer.z * outer.z + outer.w * outer.w, 1, 1e-5);
    CHECK_NEAR(inner.x * inner.x + inner.y * inner.y + inner.z * inner.z + inner.w * inner.w, 1, 1e-5);
    const trilo_mat4 a = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, outer, scale);
    const trilo_mat4 b = tl_mat4_from_trs((trilo_vec3){0, 0, 0}, inner, (trilo_vec3){1, 1, 1});
    const trilo_mat4 made = tl_mat4_mul(&a, &b);
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(made.m[4 * (i / 3) + i % 3], columns[i], 2e-5);
}

/* Small whole numbers, so that many have rank 2, 1 or 0, columns of equal length, or columns that are orthogonal. */
TEST(matrices_of_every_rank)
{
    uint32_t seed = 1;
    for (uint32_t round = 0; round < 400; round++) {
        const uint32_t range = round < 200 ? 3 : 5, zero = round % 7;
        float columns[9];
        for (uint32_t i = 0; i < 9; i++) {
            seed = seed * 1664525u + 1013904223u;
            columns[i] = zero < 3 && i / 3 == zero ? 0 : (float)((seed >> 16) % range) - (float)(range / 2);
        }
        check_decomposition(columns);
    }
}

TEST(one_number_or_one_column)
{
    for (int i = 0; i < 9; i++)
        for (float value = -2; value <= 3; value += 2.5f) {
            float columns[9] = {0};
            columns[i] = value;
            check_decomposition(columns);
            for (int k = 0; k < 3; k++)
                columns[i / 3 * 3 + k] = value + (float)(k * k);
            check_decomposition(columns);
        }
}

TEST_MAIN(CASE(matrices_of_every_rank), CASE(one_number_or_one_column))
