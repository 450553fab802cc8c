/* Skinning with dual quaternions. A rotation q and a translation t are kept as q and t * q / 2; their weighted sum,
 * made 1 long, is again a rotation and a translation, where a sum of matrices also shrinks. What a matrix stretches is
 * summed apart from it, first. */
#include "anim/skinning.h"
#include "base/vec.h"

static void put(float to[4], trilo_quat q)
{
    to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w;
}

static const trilo_vec3 nowhere = {0, 0, 0}, plain = {1, 1, 1};

static trilo_dual_quaternion dual_of(const trilo_mat4 *m)
{
    trilo_dual_quaternion dual;
    trilo_vec3 t, scale;
    trilo_quat q;
    tl_mat4_decompose(m, &t, &q, &scale); /* q is the nearest rotation, also of a matrix that shears */
    const trilo_mat4 back = tl_mat4_from_trs(nowhere, (trilo_quat){-q.x, -q.y, -q.z, q.w}, plain);
    trilo_mat4 stretch = tl_mat4_mul(&back, m);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            dual.stretch[3 * c + r] = stretch.m[4 * c + r];
    put(dual.rotation, q);
    put(dual.dual, tl_quat_mul((trilo_quat){t.x / 2, t.y / 2, t.z / 2, 0}, q));
    return dual;
}

void trilo_pose_dual_quaternions(const trilo_mat4 *matrices, uint32_t joint_count, trilo_dual_quaternion *duals)
{
    for (uint32_t i = 0; i < joint_count; i++)
        duals[i] = dual_of(&matrices[i]);
}

typedef struct sum {
    double rotation[4], dual[4], stretch[9];
} sum;

static double dot(const double a[4], const float b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* q and -q are one rotation: the nearer to what is there already counts. */
static void add(sum *s, const trilo_dual_quaternion *d, double weight)
{
    const double turned = dot(s->rotation, d->rotation) < 0 ? -weight : weight;
    for (int i = 0; i < 4; i++) {
        s->rotation[i] += turned * d->rotation[i];
        s->dual[i] += turned * d->dual[i];
    }
    for (int i = 0; i < 9; i++)
        s->stretch[i] += weight * d->stretch[i];
}

/* Translation * rotation * stretch as one matrix. The translation is twice dual * (rotation turned back). */
static void sum_matrix(const sum *s, trilo_mat4 *m)
{
    const double *r = s->rotation, *d = s->dual;
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    const double by = square > 0 ? 2 / square : 0;
    const trilo_vec3 t = {(float)(by * (d[0] * r[3] - d[3] * r[0] + d[2] * r[1] - d[1] * r[2])),
                          (float)(by * (d[1] * r[3] - d[3] * r[1] + d[0] * r[2] - d[2] * r[0])),
                          (float)(by * (d[2] * r[3] - d[3] * r[2] + d[1] * r[0] - d[0] * r[1]))};
    const trilo_quat q = {(float)r[0], (float)r[1], (float)r[2], (float)r[3]};
    const trilo_mat4 turn = tl_mat4_from_trs(t, q, plain);
    trilo_mat4 stretch = tl_mat4_identity();
    for (int c = 0; c < 3; c++)
        for (int row = 0; row < 3; row++)
            stretch.m[4 * c + row] = (float)s->stretch[3 * c + row];
    *m = tl_mat4_mul(&turn, &stretch);
}

static bool blend(const void *joints_of, const uint16_t joints[4], const float weights[4], trilo_mat4 *blended)
{
    const trilo_dual_quaternion *duals = joints_of;
    sum s = {{0}, {0}, {0}};
    bool any = false;
    for (int slot = 0; slot < 4; slot++) {
        if (weights[slot] == 0)
            continue;
        any = true;
        add(&s, &duals[joints[slot]], weights[slot]);
    }
    if (any)
        sum_matrix(&s, blended);
    return any;
}

void trilo_pose_vertices_dual_quaternion(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                                         const trilo_dual_quaternion *duals, const float (*from)[3],
                                         const float (*from_normals)[3], float (*positions)[3], float (*normals)[3])
{
    if (mesh < model->mesh_count)
        tl_place_vertices(model, mesh, worlds, (tl_blender){duals ? blend : NULL, duals}, from, from_normals, positions,
                          normals);
}
