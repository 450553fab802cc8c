/* Smooth skins for bones that take whole vertices.
 *
 * T3DM binds a vertex to one bone. That of the largest weight is a choice which ignores how the model moves. Here all
 * clips are played instead: each bone that a vertex follows is tried with its best position for the vertex, and the one
 * is chosen that keeps the vertex nearest to where the blended skin has it.
 *
 * With x(t) where the blended skin has the vertex, and R(t), o(t) the linear part and the translation of a bone's
 * skinning matrix, the best position p has the least sum of |x - o - R p|^2 over all samples: a linear least-squares
 * problem, (sum of R^T R) p = sum of R^T (x - o). Its matrix is that of the bone alone. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "model/skin.h"
#include "trilobite/pose.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FIT_SAMPLES = 240, FIT_RATE = 60 };  /* an approximate number; at ticks, as Tiny3D plays them */
static const double FIT_GAIN_LEAST = 0.999; /* of the error; with less a vertex stays with its strongest bone */

/* The skinning matrix of a joint at one time: columns of R, then o. */
typedef struct fit_matrix {
    double m[12];
} fit_matrix;

typedef struct skin_fit {
    t3dm_encoder *e;
    const trilo_skin *skin;
    uint32_t sample_count;
    fit_matrix *matrices; /* of all joints, sample by sample */
    double (*normal)[9];  /* sum of R^T R of each joint, symmetric */
    double (*inverse)[9]; /* the same inverted */
    bool *invertible;     /* of each joint */
    double (*blended)[3]; /* the vertex at each sample */
    double before, after; /* sums of squared distances, in units of the file */
    double most_before, most_after;
    uint32_t fitted, moved; /* vertices that follow several bones; those of another bone than the strongest */
} skin_fit;

/* --- the motion --- */

/* The rest pose, and all clips in steps of as many ticks as keep the samples few. */
static bool sample_motion(skin_fit *f, uint32_t skin)
{
    const trilo_model *model = f->e->model;
    const uint32_t joints = f->skin->joint_count;
    double seconds = 0, samples = 1;
    for (uint32_t i = 0; i < model->clip_count; i++)
        seconds += model->clips[i].duration;
    const double step = fmax(1, ceil(seconds * FIT_RATE / FIT_SAMPLES)) / FIT_RATE;
    for (uint32_t i = 0; i < model->clip_count; i++)
        samples += floor(model->clips[i].duration / step) + 2;
    trilo_mat4 *locals = tl_array_raw(f->e->arena, model->node_count, sizeof *locals);
    trilo_mat4 *worlds = tl_array_raw(f->e->arena, model->node_count, sizeof *worlds);
    trilo_mat4 *skinning = tl_array_raw(f->e->arena, joints, sizeof *skinning);
    f->matrices = tl_array_raw(f->e->arena, (size_t)samples * joints, sizeof *f->matrices);
    f->blended = tl_array_raw(f->e->arena, (size_t)samples, sizeof *f->blended);
    if (!locals || !worlds || !skinning || !f->matrices || !f->blended)
        return false;
    for (uint32_t clip = 0; clip <= model->clip_count; clip++) { /* the last is none: the rest pose */
        const double duration = clip < model->clip_count ? model->clips[clip].duration : 0;
        for (uint32_t k = 0; k * step <= duration; k++) {
            fit_matrix *to = f->matrices + (size_t)f->sample_count++ * joints;
            trilo_pose_locals(model, clip < model->clip_count ? clip : TRILO_NONE, k * step, locals);
            trilo_pose_worlds(model, locals, worlds);
            trilo_pose_skin(model, skin, worlds, skinning);
            for (uint32_t j = 0; j < joints; j++)
                for (int i = 0; i < 12; i++)
                    to[j].m[i] = skinning[j].m[i / 3 * 4 + i % 3];
        }
    }
    return true;
}

static bool invert_symmetric(const double a[9], double out[9])
{
    const double c0 = a[4] * a[8] - a[5] * a[5], c1 = a[2] * a[5] - a[1] * a[8], c2 = a[1] * a[5] - a[2] * a[4];
    const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2, size = a[0] + a[4] + a[8];
    if (!(determinant > 1e-9 * size * size * size))
        return false;
    out[0] = c0, out[1] = out[3] = c1, out[2] = out[6] = c2;
    out[4] = a[0] * a[8] - a[2] * a[2];
    out[5] = out[7] = a[1] * a[2] - a[0] * a[5];
    out[8] = a[0] * a[4] - a[1] * a[1];
    for (int i = 0; i < 9; i++)
        out[i] /= determinant;
    return true;
}

static bool make_normal_matrices(skin_fit *f)
{
    const uint32_t joints = f->skin->joint_count;
    f->normal = tl_array(f->e->arena, joints, sizeof *f->normal);
    f->inverse = tl_array(f->e->arena, joints, sizeof *f->inverse);
    f->invertible = TL_ARRAY(f->e->arena, joints, bool);
    if (!f->normal || !f->inverse || !f->invertible)
        return false;
    for (uint32_t j = 0; j < joints; j++) {
        for (uint32_t s = 0; s < f->sample_count; s++) {
            const double *m = f->matrices[(size_t)s * joints + j].m;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    f->normal[j][3 * a + b] +=
                        m[3 * a] * m[3 * b] + m[3 * a + 1] * m[3 * b + 1] + m[3 * a + 2] * m[3 * b + 2];
        }
        f->invertible[j] = invert_symmetric(f->normal[j], f->inverse[j]);
    }
    return true;
}

/* --- a vertex --- */

static void transform_point(const double m[12], const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i] * p[0] + m[3 + i] * p[1] + m[6 + i] * p[2] + m[9 + i];
}

static void blend_samples(skin_fit *f, const uint16_t joints[4], const float weights[4], const double p[3])
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += weights[k];
    for (uint32_t s = 0; s < f->sample_count; s++) {
        double *to = f->blended[s];
        to[0] = to[1] = to[2] = 0;
        for (int k = 0; k < 4; k++) {
            double at[3];
            if (weights[k] == 0)
                continue;
            transform_point(f->matrices[(size_t)s * f->skin->joint_count + joints[k]].m, p, at);
            for (int i = 0; i < 3; i++)
                to[i] += at[i] * weights[k] / sum;
        }
    }
}

/* The best position for a joint, and the sum of squares that is left. */
static double fit_joint(const skin_fit *f, uint32_t joint, double position[3])
{
    const double *n = f->inverse[joint];
    double right[3] = {0}, squares = 0;
    for (uint32_t s = 0; s < f->sample_count; s++) {
        const double *m = f->matrices[(size_t)s * f->skin->joint_count + joint].m, *x = f->blended[s];
        const double d[3] = {x[0] - m[9], x[1] - m[10], x[2] - m[11]};
        for (int i = 0; i < 3; i++)
            right[i] += m[3 * i] * d[0] + m[3 * i + 1] * d[1] + m[3 * i + 2] * d[2];
        squares += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
    for (int i = 0; i < 3; i++)
        position[i] = n[3 * i] * right[0] + n[3 * i + 1] * right[1] + n[3 * i + 2] * right[2];
    return squares - (position[0] * right[0] + position[1] * right[1] + position[2] * right[2]);
}

/* The sum of squares with a joint and a position; *most becomes the largest distance if that is larger. */
static double measure_joint(const skin_fit *f, uint32_t joint, const double position[3], double *most)
{
    double squares = 0, largest = 0;
    for (uint32_t s = 0; s < f->sample_count; s++) {
        const double *x = f->blended[s];
        double at[3];
        transform_point(f->matrices[(size_t)s * f->skin->joint_count + joint].m, position, at);
        const double square =
            (x[0] - at[0]) * (x[0] - at[0]) + (x[1] - at[1]) * (x[1] - at[1]) + (x[2] - at[2]) * (x[2] - at[2]);
        squares += square;
        largest = square > largest ? square : largest;
    }
    *most = fmax(*most, sqrt(largest));
    return squares;
}

static void fit_vertex(skin_fit *f, uint16_t joints[4], float weights[4], float position[3])
{
    const double from[3] = {position[0], position[1], position[2]};
    const int strongest = tl_strongest_influence(weights);
    int several = 0;
    for (int k = 0; k < 4; k++)
        several += weights[k] > 0 ? 1 : 0;
    if (several < 2)
        return;
    blend_samples(f, joints, weights, from);
    const double before = measure_joint(f, joints[strongest], from, &f->most_before);
    double least = before * FIT_GAIN_LEAST, best[3] = {from[0], from[1], from[2]};
    int chosen = strongest;
    for (int k = 0; k < 4; k++) {
        double fitted[3];
        if (!(weights[k] > 0) || !f->invertible[joints[k]])
            continue;
        const double error = fit_joint(f, joints[k], fitted);
        if (error < least) {
            least = error;
            chosen = k;
            memcpy(best, fitted, sizeof best);
        }
    }
    const uint16_t joint = joints[chosen];
    for (int i = 0; i < 3; i++)
        position[i] = (float)best[i];
    f->before += before;
    f->after += measure_joint(f, joint, best, &f->most_after);
    f->fitted++;
    f->moved += chosen != strongest ? 1 : 0;
    for (int k = 0; k < 4; k++) {
        joints[k] = k == 0 ? joint : 0;
        weights[k] = k == 0 ? 1.0f : 0.0f;
    }
}

/* --- the model --- */

static bool fit_mesh(t3dm_encoder *e, trilo_mesh *mesh)
{
    const size_t count = mesh->vertex_count;
    skin_fit f = {.e = e, .skin = &e->model->skins[mesh->skin]};
    uint16_t(*joints)[4] = tl_array_raw(e->arena, count, sizeof *joints);
    float(*weights)[4] = tl_array_raw(e->arena, count, sizeof *weights);
    float(*positions)[3] = tl_array_raw(e->arena, count, sizeof *positions);
    if (!joints || !weights || !positions || !sample_motion(&f, mesh->skin) || !make_normal_matrices(&f))
        return false;
    memcpy(joints, mesh->joints, count * sizeof *joints);
    memcpy(weights, mesh->weights, count * sizeof *weights);
    memcpy(positions, mesh->positions, count * sizeof *positions);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        fit_vertex(&f, joints[v], weights[v], positions[v]);
    mesh->joints = (const uint16_t(*)[4])joints;
    mesh->weights = (const float(*)[4])weights;
    mesh->positions = (const float(*)[3])positions;
    const double samples = (double)f.fitted * f.sample_count, scale = e->policy.scale;
    if (f.fitted > 0)
        tl_t3dm_report_loss(e, T3DM_R_SKIN_FIT,
                            "%" PRIu32 " of %" PRIu32 " vertices follow several bones; over all clips they are %.3g "
                            "units off on average (%.3g at most) instead of %.3g (%.3g) with their strongest bones, "
                            "%" PRIu32 " with another bone",
                            f.fitted, mesh->vertex_count, scale * sqrt(f.after / samples), scale * f.most_after,
                            scale * sqrt(f.before / samples), scale * f.most_before, f.moved);
    return true;
}

bool tl_t3dm_fit_skins(t3dm_encoder *e)
{
    trilo_model *model = TL_NEW(e->arena, trilo_model);
    trilo_mesh *meshes = tl_array_raw(e->arena, e->model->mesh_count, sizeof *meshes);
    if (!model || !meshes)
        return false;
    memcpy(meshes, e->model->meshes, e->model->mesh_count * sizeof *meshes);
    for (uint32_t i = 0; i < e->model->mesh_count; i++) {
        if (meshes[i].skin == TRILO_NONE || !meshes[i].weights || !meshes[i].joints || e->model->clip_count == 0)
            continue;
        tl_t3dm_enter(e, "meshes", i, meshes[i].name);
        const bool ok = fit_mesh(e, &meshes[i]);
        tl_t3dm_leave(e);
        if (!ok)
            return false;
    }
    *model = *e->model;
    model->meshes = meshes;
    e->model = model;
    return true;
}
