/* A matrix that shears, as two nodes: m = translation * outer * scale * inner, a singular value decomposition.
 *
 * Turning pairs of columns until all are at right angles (one-sided Jacobi) gives m * V = U * scale, where V is all the
 * turns together. Nothing but + - * / and sqrt: the same bits everywhere. */
#include "formats/gltf/encode/encode.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 16 }; /* each squares what is left to do; four or five are enough for doubles */

/* Columns. */
typedef double columns[3][3];

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void turn(double a[3], double b[3], double c, double s)
{
    for (int k = 0; k < 3; k++) {
        const double x = a[k], y = b[k];
        a[k] = c * x - s * y;
        b[k] = s * x + c * y;
    }
}

/* Two columns to a right angle, by the smaller of the two turns that do it. */
static void straighten(columns m, columns v, int i, int j)
{
    const double product = dot(m[i], m[j]);
    if (product == 0)
        return;
    const double ratio = (dot(m[j], m[j]) - dot(m[i], m[i])) / (2 * product);
    const double t = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
    const double c = 1 / sqrt(1 + t * t);
    turn(m[i], m[j], c, c * t);
    turn(v[i], v[j], c, c * t);
}

/* Length 1, and the length; a column without one is made up to be at right angles to the others. */
static double normalize(double column[3])
{
    const double length = sqrt(dot(column, column));
    for (int k = 0; k < 3 && length > 0; k++)
        column[k] /= length;
    return length;
}

/* Any direction at right angles to `a`. */
static void aside(const double a[3], double out[3])
{
    const int least = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0 : fabs(a[1]) <= fabs(a[2]) ? 1 : 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    cross(a, axis, out);
    normalize(out);
}

/* Makes a rotation of columns at right angles, of which some may be 0; scale takes the lengths, one of them negative
 * when the matrix mirrors. */
static void make_rotation(columns m, double scale[3])
{
    double third[3];
    int first = 0, second = 1, last = 2;
    for (int k = 0; k < 3; k++)
        scale[k] = normalize(m[k]);
    while (first < 2 && scale[first] == 0)
        first++;
    if (scale[first] == 0)
        m[first][first] = 1;
    second = (first + 1) % 3, last = (first + 2) % 3;
    if (scale[second] == 0 && scale[last] == 0)
        aside(m[first], m[second]);
    else if (scale[second] == 0)
        cross(m[last], m[first], m[second]);
    cross(m[first], m[second], third);
    if (dot(third, m[last]) < 0)
        scale[last] = -scale[last];
    memcpy(m[last], third, sizeof third);
}

static trilo_quat rotation_of(columns m, bool transposed)
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

void tl_gltf_split(const trilo_mat4 *matrix, trilo_quat *outer, trilo_vec3 *scale, trilo_quat *inner)
{
    columns m, v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double lengths[3];
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            m[column][row] = matrix->m[4 * column + row];
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = 0; i < 3; i++)
            straighten(m, v, i, (i + 1) % 3);
    make_rotation(m, lengths);
    *outer = rotation_of(m, false);
    *scale = (trilo_vec3){(float)lengths[0], (float)lengths[1], (float)lengths[2]};
    *inner = rotation_of(v, true);
}
