#include "base/vec.h"
#include "base/strict_float.h"

#include "base/lanes.h"
#include "base/trig.h"

#include <math.h>

/* ---- vectors of doubles ---- */

typedef struct vec_d3 {
    double x, y, z;
} vec_d3;

/* The columns of the linear part of a matrix. */
typedef struct vec_axes {
    vec_d3 axis[3];
} vec_axes;

static vec_d3 d3_add(vec_d3 a, vec_d3 b)
{
    return (vec_d3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vec_d3 d3_scale(vec_d3 a, double by)
{
    return (vec_d3){a.x * by, a.y * by, a.z * by};
}

/* Not d3_scale(a, 1 / by): 49 / 49 is 1, but 49 * (1 / 49) is not. */
static vec_d3 d3_divide(vec_d3 a, double by)
{
    return (vec_d3){a.x / by, a.y / by, a.z / by};
}

static double d3_dot(vec_d3 a, vec_d3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec_d3 d3_cross(vec_d3 a, vec_d3 b)
{
    return (vec_d3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double vec_max(double a, double b)
{
    return a > b ? a : b;
}

static double d3_max(vec_d3 a)
{
    return vec_max(fabs(a.x), vec_max(fabs(a.y), fabs(a.z)));
}

static trilo_vec3 d3_round(vec_d3 a)
{
    return (trilo_vec3){(float)a.x, (float)a.y, (float)a.z};
}

static vec_axes axes_of_matrix(const trilo_mat4 *m)
{
    vec_axes axes;
    for (int c = 0; c < 3; c++)
        axes.axis[c] = (vec_d3){m->m[4 * c], m->m[4 * c + 1], m->m[4 * c + 2]};
    return axes;
}

/* The cofactor matrix: the inverse transpose times the determinant, which exists for every matrix. */
static vec_axes axes_cofactors(const vec_axes *a)
{
    return (vec_axes){
        {d3_cross(a->axis[1], a->axis[2]), d3_cross(a->axis[2], a->axis[0]), d3_cross(a->axis[0], a->axis[1])}};
}

static double axes_max(const vec_axes *a)
{
    return vec_max(d3_max(a->axis[0]), vec_max(d3_max(a->axis[1]), d3_max(a->axis[2])));
}

static trilo_mat4 axes_matrix(const vec_axes *a, vec_d3 translation)
{
    const vec_d3 *columns[4] = {&a->axis[0], &a->axis[1], &a->axis[2], &translation};
    trilo_mat4 m;
    for (int c = 0; c < 4; c++) {
        m.m[4 * c] = (float)columns[c]->x;
        m.m[4 * c + 1] = (float)columns[c]->y;
        m.m[4 * c + 2] = (float)columns[c]->z;
        m.m[4 * c + 3] = c == 3 ? 1.0f : 0.0f;
    }
    return m;
}

/* ---- vectors ---- */

trilo_vec3 tl_vec3_lerp(trilo_vec3 from, trilo_vec3 to, double amount)
{
    return (trilo_vec3){(float)(from.x + ((double)to.x - from.x) * amount),
                        (float)(from.y + ((double)to.y - from.y) * amount),
                        (float)(from.z + ((double)to.z - from.z) * amount)};
}

trilo_vec3 tl_vec3_normalize(trilo_vec3 v)
{
    const vec_d3 d = {v.x, v.y, v.z};
    const double length = sqrt(d3_dot(d, d));
    if (!(length > 0) || isinf(length))
        return (trilo_vec3){0, 0, 0};
    return (trilo_vec3){(float)(d.x / length), (float)(d.y / length), (float)(d.z / length)};
}

/* ---- rotations ---- */

typedef struct vec_d4 {
    double x, y, z, w;
} vec_d4;

static double d4_dot(vec_d4 a, vec_d4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static vec_d4 d4_mix(vec_d4 a, double of_a, vec_d4 b, double of_b)
{
    return (vec_d4){a.x * of_a + b.x * of_b, a.y * of_a + b.y * of_b, a.z * of_a + b.z * of_b, a.w * of_a + b.w * of_b};
}

static vec_d4 d4_unit(vec_d4 q)
{
    const double length = sqrt(d4_dot(q, q));
    if (!(length > 0) || isinf(length))
        return (vec_d4){0, 0, 0, 1};
    return (vec_d4){q.x / length, q.y / length, q.z / length, q.w / length};
}

static vec_d4 d4_of(trilo_quat q)
{
    return (vec_d4){q.x, q.y, q.z, q.w};
}

static trilo_quat d4_round(vec_d4 q)
{
    return (trilo_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

trilo_quat tl_quat_normalize(trilo_quat q)
{
    return d4_round(d4_unit(d4_of(q)));
}

trilo_quat tl_quat_conjugate(trilo_quat q)
{
    return (trilo_quat){-q.x, -q.y, -q.z, q.w};
}

trilo_quat tl_quat_mul(trilo_quat left, trilo_quat right)
{
    const vec_d4 a = d4_of(left), b = d4_of(right);
    return d4_round(
        (vec_d4){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                 a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z});
}

tl_quat_arc tl_quat_arc_between(trilo_quat from, trilo_quat to)
{
    const vec_d4 a = d4_unit(d4_of(from));
    vec_d4 b = d4_unit(d4_of(to));
    if (d4_dot(a, b) < 0) /* q and -q are the same rotation: take the nearer one */
        b = (vec_d4){-b.x, -b.y, -b.z, -b.w};

    /* The angle between unit vectors after W. Kahan, accurate for small angles, unlike acos of the dot product. */
    const vec_d4 gap = d4_mix(a, -1, b, 1), sum = d4_mix(a, 1, b, 1);
    const double angle = 2 * tl_atan2(sqrt(d4_dot(gap, gap)), sqrt(d4_dot(sum, sum)));
    const double sine = angle > TL_QUAT_ARC_LEAST ? tl_sin(angle) : 0;
    return (tl_quat_arc){{a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}, angle, sine};
}

trilo_quat tl_quat_arc_at(const tl_quat_arc *arc, double amount)
{
    const vec_d4 a = {arc->a[0], arc->a[1], arc->a[2], arc->a[3]}, b = {arc->b[0], arc->b[1], arc->b[2], arc->b[3]};
    double of_a = 1 - amount, of_b = amount;
    if (arc->sine != 0) {
        of_a = tl_sin(of_a * arc->angle) / arc->sine;
        of_b = tl_sin(of_b * arc->angle) / arc->sine;
    }
    return d4_round(d4_unit(d4_mix(a, of_a, b, of_b)));
}

trilo_quat tl_quat_slerp(trilo_quat from, trilo_quat to, double amount)
{
    const tl_quat_arc arc = tl_quat_arc_between(from, to);
    return tl_quat_arc_at(&arc, amount);
}

/* ---- matrices ---- */

trilo_mat4 tl_mat4_identity(void)
{
    return (trilo_mat4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

trilo_mat4 tl_mat4_mul(const trilo_mat4 *a, const trilo_mat4 *b)
{
    trilo_mat4 product;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int i = 0; i < 4; i++)
                sum += (double)a->m[4 * i + r] * b->m[4 * c + i];
            product.m[4 * c + r] = (float)sum;
        }
    return product;
}

/* The rotation matrix of a quaternion of any length: the formula for unit quaternions with 2 / length^2 instead of 2.
 */
trilo_mat4 tl_mat4_from_trs(trilo_vec3 translation, trilo_quat rotation, trilo_vec3 scale)
{
    vec_d4 q = d4_of(rotation);
    double square = d4_dot(q, q);
    if (!(square > 0) || isinf(square)) {
        q = (vec_d4){0, 0, 0, 1};
        square = 1;
    }
    const double s = 2 / square;
    vec_axes axes = {{
        {1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y + q.w * q.z), s * (q.x * q.z - q.w * q.y)},
        {s * (q.x * q.y - q.w * q.z), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z + q.w * q.x)},
        {s * (q.x * q.z + q.w * q.y), s * (q.y * q.z - q.w * q.x), 1 - s * (q.x * q.x + q.y * q.y)},
    }};
    axes.axis[0] = d3_scale(axes.axis[0], scale.x);
    axes.axis[1] = d3_scale(axes.axis[1], scale.y);
    axes.axis[2] = d3_scale(axes.axis[2], scale.z);
    return axes_matrix(&axes, (vec_d3){translation.x, translation.y, translation.z});
}

static vec_d3 axes_apply(const vec_axes *a, vec_d3 v)
{
    return d3_add(d3_add(d3_scale(a->axis[0], v.x), d3_scale(a->axis[1], v.y)), d3_scale(a->axis[2], v.z));
}

/* The axes times a vector, x and y in lanes. */
static vec_d3 mat4_apply(const trilo_mat4 *m, trilo_vec3 v)
{
    const double x = v.x, y = v.y, z = v.z;
    const tl_double2 xy = tl_double2_of(m->m) * x + tl_double2_of(m->m + 4) * y + tl_double2_of(m->m + 8) * z;
    return (vec_d3){xy[0], xy[1], m->m[2] * x + m->m[6] * y + m->m[10] * z};
}

trilo_vec3 tl_mat4_point(const trilo_mat4 *m, trilo_vec3 point)
{
    return d3_round(d3_add(mat4_apply(m, point), (vec_d3){m->m[12], m->m[13], m->m[14]}));
}

trilo_vec3 tl_mat4_direction(const trilo_mat4 *m, trilo_vec3 direction)
{
    return d3_round(mat4_apply(m, direction));
}

static bool mat4_finite(const trilo_mat4 *m)
{
    for (int i = 0; i < 16; i++)
        if (!isfinite(m->m[i]))
            return false;
    return true;
}

bool tl_mat4_inverse_affine(const trilo_mat4 *m, trilo_mat4 *inverse)
{
    const vec_axes a = axes_of_matrix(m);
    const vec_axes rows = axes_cofactors(&a);
    const double determinant = d3_dot(a.axis[0], rows.axis[0]);
    double squares = 1;
    for (int i = 0; i < 3; i++)
        squares *= d3_dot(a.axis[i], a.axis[i]);
    /* True if the determinant is more than rounding noise. The squares of floats do not overflow a double. False for
     * NaN. */
    if (!mat4_finite(m) || !(determinant * determinant > 1e-24 * squares))
        return false;
    const vec_d3 x = rows.axis[0], y = rows.axis[1], z = rows.axis[2];
    vec_axes columns = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    for (int i = 0; i < 3; i++)
        columns.axis[i] = d3_divide(columns.axis[i], determinant);
    const trilo_mat4 result = axes_matrix(&columns, axes_apply(&columns, (vec_d3){-m->m[12], -m->m[13], -m->m[14]}));
    if (!mat4_finite(&result))
        return false;
    *inverse = result;
    return true;
}

trilo_mat4 tl_mat4_normal(const trilo_mat4 *m)
{
    const vec_axes a = axes_of_matrix(m);
    vec_axes normal = axes_cofactors(&a);
    /* The inverse would divide by the determinant; only its sign changes the direction. */
    double factor = d3_dot(a.axis[0], normal.axis[0]) < 0 ? -1 : 1;
    double largest = axes_max(&normal);
    if (!(largest > 0)) { /* rank 1 or 0: there is no plane that has a normal */
        normal = a;
        factor = 1;
        largest = axes_max(&normal);
    }
    if (!(largest > 0) || isinf(largest))
        return tl_mat4_identity();
    for (int i = 0; i < 3; i++)
        normal.axis[i] = d3_divide(normal.axis[i], factor * largest);
    return axes_matrix(&normal, (vec_d3){0, 0, 0});
}

/* ---- decomposition ---- */

/* A unit vector perpendicular to the unit vector v: the cross product with the axis of its smallest component. */
static vec_d3 d3_perpendicular(vec_d3 v)
{
    const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    const vec_d3 other = x <= y && x <= z ? (vec_d3){1, 0, 0} : y <= z ? (vec_d3){0, 1, 0} : (vec_d3){0, 0, 1};
    const vec_d3 p = d3_cross(v, other);
    return d3_divide(p, sqrt(d3_dot(p, p)));
}

/* A rotation for a singular matrix, by Gram-Schmidt: the longest axis keeps its direction, the next one is made
 * perpendicular to it, the third is their cross product. */
static vec_axes axes_orthonormalize(const vec_axes *a, const double length[3])
{
    int first = 0;
    for (int i = 1; i < 3; i++)
        if (length[i] > length[first])
            first = i;
    int second = (first + 1) % 3, third = (first + 2) % 3;
    const bool swapped = length[third] > length[second];
    if (swapped) {
        second = third;
        third = (first + 1) % 3;
    }
    if (!(length[first] > 0))
        return (vec_axes){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

    vec_axes r;
    r.axis[first] = d3_divide(a->axis[first], length[first]);
    const double along = d3_dot(a->axis[second], r.axis[first]);
    const vec_d3 aside = d3_add(a->axis[second], d3_scale(r.axis[first], -along));
    const double width = sqrt(d3_dot(aside, aside));
    r.axis[second] = width > 1e-6 * length[second] ? d3_divide(aside, width) : d3_perpendicular(r.axis[first]);
    r.axis[third] = d3_scale(d3_cross(r.axis[first], r.axis[second]), swapped ? -1 : 1);
    return r;
}

/* The nearest rotation, by polar decomposition: Newton's iteration takes the mean of the matrix and its inverse
 * transpose (N. J. Higham, "Computing the Polar Decomposition - with Applications", 1986). */
static vec_axes axes_rotation(const vec_axes *a)
{
    double length[3];
    vec_axes r = *a;
    for (int i = 0; i < 3; i++) {
        length[i] = sqrt(d3_dot(a->axis[i], a->axis[i]));
        if (length[i] > 0)
            r.axis[i] = d3_divide(a->axis[i], length[i]);
    }
    const double determinant = d3_dot(r.axis[0], d3_cross(r.axis[1], r.axis[2]));
    if (fabs(determinant) < 1e-6)
        return axes_orthonormalize(a, length);
    if (determinant < 0)
        r.axis[0] = d3_scale(r.axis[0], -1);
    for (int step = 0; step < 60; step++) {
        const vec_axes cofactors = axes_cofactors(&r);
        const double volume = d3_dot(r.axis[0], cofactors.axis[0]);
        double change = 0;
        for (int i = 0; i < 3; i++) {
            const vec_d3 mean = d3_scale(d3_add(r.axis[i], d3_divide(cofactors.axis[i], volume)), 0.5);
            change = vec_max(change, d3_max(d3_add(mean, d3_scale(r.axis[i], -1))));
            r.axis[i] = mean;
        }
        if (change < 1e-15)
            break;
    }
    return r;
}

/* The quaternion of a rotation matrix, w >= 0. Each case is the quaternion times four times one of its components; one
 * that is not small is chosen (S. W. Shepperd, "Quaternion from rotation matrix", 1978). */
static trilo_quat axes_quat(const vec_axes *r)
{
    const vec_d3 a = r->axis[0], b = r->axis[1], c = r->axis[2];
    vec_d4 q; /* not normalized yet */
    if (a.x + b.y + c.z >= 0)
        q = (vec_d4){b.z - c.y, c.x - a.z, a.y - b.x, 1 + a.x + b.y + c.z};
    else if (a.x >= b.y && a.x >= c.z)
        q = (vec_d4){1 + a.x - b.y - c.z, a.y + b.x, c.x + a.z, b.z - c.y};
    else if (b.y >= c.z)
        q = (vec_d4){a.y + b.x, 1 - a.x + b.y - c.z, b.z + c.y, c.x - a.z};
    else
        q = (vec_d4){c.x + a.z, b.z + c.y, 1 - a.x - b.y + c.z, a.y - b.x};
    q = d4_unit(q);
    const double sign = q.w < 0 ? -1 : 1;
    return d4_round((vec_d4){sign * q.x + 0, sign * q.y + 0, sign * q.z + 0, sign * q.w}); /* + 0: -0 becomes 0 */
}

bool tl_mat4_decompose(const trilo_mat4 *m, trilo_vec3 *translation, trilo_quat *rotation, trilo_vec3 *scale)
{
    *translation = (trilo_vec3){0, 0, 0};
    *rotation = (trilo_quat){0, 0, 0, 1};
    *scale = (trilo_vec3){1, 1, 1};
    if (!mat4_finite(m))
        return false;
    const vec_axes a = axes_of_matrix(m);
    const vec_axes r = axes_rotation(&a);
    *translation = (trilo_vec3){m->m[12], m->m[13], m->m[14]};
    *rotation = axes_quat(&r);
    *scale = (trilo_vec3){(float)d3_dot(r.axis[0], a.axis[0]), (float)d3_dot(r.axis[1], a.axis[1]),
                          (float)d3_dot(r.axis[2], a.axis[2])};

    /* True if composing them gives m again. The tolerance is relative to each axis. */
    const trilo_mat4 composed = tl_mat4_from_trs(*translation, *rotation, *scale);
    const vec_axes b = axes_of_matrix(&composed);
    for (int i = 0; i < 3; i++) {
        const vec_d3 gap = d3_add(a.axis[i], d3_scale(b.axis[i], -1));
        if (!(d3_max(gap) <= 1e-5 * d3_max(a.axis[i])))
            return false;
    }
    return m->m[3] == 0 && m->m[7] == 0 && m->m[11] == 0 && m->m[15] == 1;
}

trilo_vec3 tl_mat4_rotation(const trilo_mat4 *normal_matrix, trilo_vec3 normal)
{
    const double length = sqrt((double)normal.x * normal.x + (double)normal.y * normal.y + (double)normal.z * normal.z);
    const trilo_vec3 t = tl_vec3_normalize(tl_mat4_direction(normal_matrix, normal));
    return (trilo_vec3){(float)(t.x * length), (float)(t.y * length), (float)(t.z * length)};
}

bool tl_mat4_mirrors(const trilo_mat4 *m)
{
    const vec_axes a = axes_of_matrix(m);
    const vec_d3 x = a.axis[0], side = d3_cross(a.axis[1], a.axis[2]);
    return x.x * side.x + x.y * side.y + x.z * side.z < 0;
}
