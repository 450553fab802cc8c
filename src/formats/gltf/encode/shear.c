/* A node with a sheared matrix becomes two nodes: m = translation * outer * scale * inner, where outer and inner are
 * rotations. That is a singular value decomposition U S V^T of the upper 3x3 part.
 *
 * One-sided Jacobi rotations (Hestenes, "Inversion of Matrices by Biorthogonalization and Related Results", 1958; see
 * Golub and Van Loan, "Matrix Computations", on Jacobi SVD procedures) make the columns of m * V orthogonal: m * V =
 * U * S. Only + - * / and sqrt are used, so that results are the same on every machine. */
#include "base/strict_float.h"
#include "formats/gltf/encode/encode.h"

#include "base/vec.h"

#include <math.h>

enum { SVD_SWEEPS = 16 }; /* convergence is quadratic: four or five are enough for doubles */

typedef double svd_columns[3][3];

static double svd_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void svd_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void svd_rotate(double a[3], double b[3], double c, double s)
{
    for (int k = 0; k < 3; k++) {
        const double x = a[k], y = b[k];
        a[k] = c * x - s * y;
        b[k] = s * x + c * y;
    }
}

/* Makes columns i and j of m orthogonal, by the smaller of the two angles, and applies the rotation to v. */
static void svd_orthogonalize(svd_columns m, svd_columns v, int i, int j)
{
    const double product = svd_dot(m[i], m[j]);
    if (product == 0)
        return;
    const double ratio = (svd_dot(m[j], m[j]) - svd_dot(m[i], m[i])) / (2 * product);
    const double t = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
    const double c = 1 / sqrt(1 + t * t);
    svd_rotate(m[i], m[j], c, c * t);
    svd_rotate(v[i], v[j], c, c * t);
}

/* Returns the length. */
static double svd_normalize(double column[3])
{
    const double length = sqrt(svd_dot(column, column));
    for (int k = 0; k < 3 && length > 0; k++)
        column[k] /= length;
    return length;
}

/* 0, except for rounding: what is left of a column of a matrix that flattens has no direction. */
static bool svd_is_short(const double lengths[3], int column)
{
    return lengths[column] <= 1e-12 * fmax(lengths[0], fmax(lengths[1], lengths[2]));
}

/* Turns orthogonal columns, some of which may be 0, into a rotation matrix. `scale` gets their lengths; one is negative
 * when the matrix mirrors. */
static void svd_split_scale(svd_columns m, double scale[3])
{
    double third[3];
    int first = 0;
    for (int k = 0; k < 3; k++)
        scale[k] = svd_normalize(m[k]);
    while (first < 2 && svd_is_short(scale, first))
        first++;
    if (svd_is_short(scale, first))
        m[first][first] = 1;
    const int second = (first + 1) % 3, last = (first + 2) % 3;
    if (svd_is_short(scale, second) && svd_is_short(scale, last)) { /* any direction orthogonal to the first */
        const double x = fabs(m[first][0]), y = fabs(m[first][1]), z = fabs(m[first][2]);
        double axis[3] = {0, 0, 0};
        axis[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1;
        svd_cross(m[first], axis, m[second]);
        svd_normalize(m[second]);
    } else if (svd_is_short(scale, second))
        svd_cross(m[last], m[first], m[second]);
    svd_cross(m[first], m[second], third);
    if (svd_dot(third, m[last]) < 0)
        scale[last] = -scale[last];
    memcpy(m[last], third, sizeof third);
}

static trilo_quat svd_quaternion(svd_columns m, bool transposed)
{
    trilo_mat4 matrix = tl_mat4_identity();
    trilo_vec3 translation, scale;
    trilo_quat rotation;
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            matrix.m[4 * column + row] = (float)(transposed ? m[row][column] : m[column][row]);
    tl_mat4_decompose(&matrix, &translation, &rotation, &scale);
    return rotation;
}

void tl_gltf_decompose_shear(const trilo_mat4 *matrix, trilo_quat *outer, trilo_vec3 *scale, trilo_quat *inner)
{
    svd_columns m, v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double lengths[3];
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            m[column][row] = matrix->m[4 * column + row];
    for (int sweep = 0; sweep < SVD_SWEEPS; sweep++)
        for (int i = 0; i < 3; i++)
            svd_orthogonalize(m, v, i, (i + 1) % 3);
    svd_split_scale(m, lengths);
    *outer = svd_quaternion(m, false);
    *scale = (trilo_vec3){(float)lengths[0], (float)lengths[1], (float)lengths[2]};
    *inner = svd_quaternion(v, true);
}
