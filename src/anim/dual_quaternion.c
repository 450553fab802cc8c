/* Dual quaternion skinning: Kavan, Collins, Zara and O'Sullivan, "Skinning with Dual Quaternions", 2007.
 *
 * A rotation q and a translation t become the dual quaternion q + e * t * q / 2. The normalized weighted sum of several
 * is again a rigid motion, where the sum of matrices also shrinks. Scale and shear are blended linearly and applied
 * first. */
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/skinning.h"

static void store_dual_quat(float to[4], trilo_quat q)
{
    to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w;
}

static const trilo_vec3 NO_TRANSLATION = {0, 0, 0}, NO_SCALE = {1, 1, 1};

static trilo_dual_quaternion dual_from_matrix(const trilo_mat4 *m)
{
    trilo_dual_quaternion dual;
    trilo_vec3 t, scale;
    trilo_quat q;
    tl_mat4_decompose(m, &t, &q, &scale); /* q is the nearest rotation, also of a matrix that shears */
    const trilo_mat4 inverse = tl_mat4_from_trs(NO_TRANSLATION, tl_quat_conjugate(q), NO_SCALE);
    const trilo_mat4 stretch = tl_mat4_mul(&inverse, m);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            dual.stretch[3 * c + r] = stretch.m[4 * c + r];
    store_dual_quat(dual.rotation, q);
    store_dual_quat(dual.dual, tl_quat_mul((trilo_quat){t.x / 2, t.y / 2, t.z / 2, 0}, q));
    return dual;
}

void trilo_pose_dual_quaternions(const trilo_mat4 *matrices, uint32_t joint_count, trilo_dual_quaternion *duals)
{
    for (uint32_t i = 0; i < joint_count; i++)
        duals[i] = dual_from_matrix(&matrices[i]);
}

typedef struct dual_sum {
    double rotation[4], dual[4], stretch[9];
} dual_sum;

static bool blend_dual_quaternions(const void *joints_of, const uint16_t joints[4], const float weights[4],
                                   trilo_mat4 *blended)
{
    const trilo_dual_quaternion *duals = joints_of;
    dual_sum s = {{0}, {0}, {0}};
    bool any = false;
    for (int slot = 0; slot < 4; slot++) {
        if (weights[slot] == 0)
            continue;
        any = true;
        /* q and -q are one rotation: the one in the hemisphere of the sum counts. */
        const trilo_dual_quaternion *d = &duals[joints[slot]];
        const double weight = weights[slot];
        const double cosine = s.rotation[0] * d->rotation[0] + s.rotation[1] * d->rotation[1] +
                              s.rotation[2] * d->rotation[2] + s.rotation[3] * d->rotation[3];
        const double signed_weight = cosine < 0 ? -weight : weight;
        for (int i = 0; i < 4; i++) {
            s.rotation[i] += signed_weight * d->rotation[i];
            s.dual[i] += signed_weight * d->dual[i];
        }
        for (int i = 0; i < 9; i++)
            s.stretch[i] += weight * d->stretch[i];
    }
    if (any) {
        /* Translation * rotation * stretch. The translation is twice dual * conjugate(rotation). */
        const double *r = s.rotation, *d = s.dual;
        const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
        const double by = square > 0 ? 2 / square : 0;
        const trilo_vec3 t = {(float)(by * (d[0] * r[3] - d[3] * r[0] + d[2] * r[1] - d[1] * r[2])),
                              (float)(by * (d[1] * r[3] - d[3] * r[1] + d[0] * r[2] - d[2] * r[0])),
                              (float)(by * (d[2] * r[3] - d[3] * r[2] + d[1] * r[0] - d[0] * r[1]))};
        const trilo_quat q = {(float)r[0], (float)r[1], (float)r[2], (float)r[3]};
        const trilo_mat4 rigid = tl_mat4_from_trs(t, q, NO_SCALE);
        trilo_mat4 stretch = tl_mat4_identity();
        for (int c = 0; c < 3; c++)
            for (int row = 0; row < 3; row++)
                stretch.m[4 * c + row] = (float)s.stretch[3 * c + row];
        *blended = tl_mat4_mul(&rigid, &stretch);
    }
    return any;
}

void trilo_pose_vertices_dual_quaternion(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                                         const trilo_dual_quaternion *duals, const float (*from)[3],
                                         const float (*from_normals)[3], float (*positions)[3], float (*normals)[3])
{
    if (mesh < model->mesh_count)
        tl_skin_vertices(model, mesh, worlds, (tl_skinning){duals ? blend_dual_quaternions : NULL, duals}, from,
                         from_normals, positions, normals);
}
