/* The motion of skins: samples of all clips, and least squares over them. */
#include "formats/t3dm/encode/skin_motion.h"
#include "base/strict_float.h"

#include "trilobite/pose.h"
#include <math.h>

enum { SKIN_SAMPLES = 240, SKIN_RATE = 60 }; /* an approximate number; at ticks, as Tiny3D plays them */

/* --- samples --- */

bool tl_skin_mesh_blends(const trilo_mesh *mesh)
{
    bool blends = false;
    for (uint32_t v = 0; tl_skin_moves(mesh) && !blends && v < mesh->vertex_count; v++)
        blends = tl_skin_blends(mesh->weights[v]);
    return blends;
}

static bool make_room(tl_arena *arena, size_t samples, uint32_t joint_count, skin_motion *motion)
{
    motion->joint_count = joint_count;
    motion->matrices = tl_array_raw(arena, samples, joint_count * sizeof *motion->matrices);
    motion->inverse = tl_array_raw(arena, joint_count, sizeof *motion->inverse);
    motion->invertible = TL_ARRAY(arena, joint_count, bool);
    return motion->matrices && motion->inverse && motion->invertible;
}

static void add_sample(const trilo_model *model, uint32_t skin, const trilo_mat4 *worlds, trilo_mat4 *skinning,
                       skin_motion *motion)
{
    skin_matrix *to = motion->matrices + (size_t)motion->sample_count++ * motion->joint_count;
    trilo_pose_skin(model, skin, worlds, skinning);
    for (uint32_t j = 0; j < motion->joint_count; j++)
        for (int i = 0; i < 12; i++)
            to[j].m[i] = skinning[j].m[i / 3 * 4 + i % 3];
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

void tl_skin_motion_finish(skin_motion *motion)
{
    for (uint32_t j = 0; j < motion->joint_count; j++) {
        double normal[9] = {0};
        for (uint32_t s = 0; s < motion->sample_count; s++) {
            const double *m = motion->matrices[(size_t)s * motion->joint_count + j].m;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    normal[3 * a + b] +=
                        m[3 * a] * m[3 * b] + m[3 * a + 1] * m[3 * b + 1] + m[3 * a + 2] * m[3 * b + 2];
        }
        motion->invertible[j] = invert_symmetric(normal, motion->inverse[j]);
    }
}

bool tl_skin_motion_like(tl_arena *arena, const skin_motion *like, uint32_t joint_count, skin_motion *motion)
{
    *motion = (skin_motion){.sample_count = like->sample_count, .blended = like->blended};
    return make_room(arena, like->sample_count, joint_count, motion);
}

skin_motion *tl_skin_motions_new(tl_arena *arena, const trilo_model *model)
{
    double seconds = 0, samples = 1;
    uint32_t joints = 0;
    for (uint32_t i = 0; i < model->clip_count; i++)
        seconds += model->clips[i].duration;
    const double step = fmax(1, ceil(seconds * SKIN_RATE / SKIN_SAMPLES)) / SKIN_RATE;
    for (uint32_t i = 0; i < model->clip_count; i++)
        samples += floor(model->clips[i].duration / step) + 2;
    for (uint32_t i = 0; i < model->skin_count; i++)
        joints = joints > model->skins[i].joint_count ? joints : model->skins[i].joint_count;
    skin_motion *motions = TL_ARRAY(arena, model->skin_count, skin_motion);
    trilo_mat4 *locals = tl_array_raw(arena, model->node_count, sizeof *locals);
    trilo_mat4 *worlds = tl_array_raw(arena, model->node_count, sizeof *worlds);
    trilo_mat4 *skinning = tl_array_raw(arena, joints, sizeof *skinning);
    double(*blended)[3] = tl_array_raw(arena, (size_t)samples, sizeof *blended);
    if (!motions || !locals || !worlds || !skinning || !blended)
        return NULL;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const uint32_t skin = model->meshes[i].skin;
        if (!tl_skin_mesh_blends(&model->meshes[i]) || motions[skin].matrices)
            continue;
        motions[skin].blended = blended;
        if (!make_room(arena, (size_t)samples, model->skins[skin].joint_count, &motions[skin]))
            return NULL;
    }
    for (uint32_t clip = 0; clip <= model->clip_count; clip++) { /* the last is none: the rest pose */
        const double duration = clip < model->clip_count ? model->clips[clip].duration : 0;
        for (uint32_t k = 0; k * step <= duration; k++) {
            trilo_pose_locals(model, clip < model->clip_count ? clip : TRILO_NONE, k * step, locals);
            trilo_pose_worlds(model, locals, worlds);
            for (uint32_t i = 0; i < model->skin_count; i++)
                if (motions[i].matrices)
                    add_sample(model, i, worlds, skinning, &motions[i]);
        }
    }
    for (uint32_t i = 0; i < model->skin_count; i++)
        tl_skin_motion_finish(&motions[i]);
    return motions;
}

/* --- a vertex --- */

static void transform_point(const double m[12], const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i] * p[0] + m[3 + i] * p[1] + m[6 + i] * p[2] + m[9 + i];
}

void tl_skin_motion_blend(skin_motion *motion, const uint16_t joints[4], const float weights[4],
                          const double position[3])
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += weights[k];
    for (uint32_t s = 0; s < motion->sample_count; s++) {
        double *to = motion->blended[s];
        to[0] = to[1] = to[2] = 0;
        for (int k = 0; k < 4; k++) {
            double at[3];
            if (weights[k] == 0)
                continue;
            transform_point(motion->matrices[(size_t)s * motion->joint_count + joints[k]].m, position, at);
            for (int i = 0; i < 3; i++)
                to[i] += at[i] * weights[k] / sum;
        }
    }
}

double tl_skin_motion_fit(const skin_motion *motion, uint32_t joint, double position[3])
{
    const double *n = motion->inverse[joint];
    double right[3] = {0}, squares = 0;
    if (!motion->invertible[joint])
        return INFINITY;
    for (uint32_t s = 0; s < motion->sample_count; s++) {
        const double *m = motion->matrices[(size_t)s * motion->joint_count + joint].m, *x = motion->blended[s];
        const double d[3] = {x[0] - m[9], x[1] - m[10], x[2] - m[11]};
        for (int i = 0; i < 3; i++)
            right[i] += m[3 * i] * d[0] + m[3 * i + 1] * d[1] + m[3 * i + 2] * d[2];
        squares += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
    for (int i = 0; i < 3; i++)
        position[i] = n[3 * i] * right[0] + n[3 * i + 1] * right[1] + n[3 * i + 2] * right[2];
    return squares - (position[0] * right[0] + position[1] * right[1] + position[2] * right[2]);
}

double tl_skin_motion_measure(const skin_motion *motion, uint32_t joint, const double position[3], double *most)
{
    double squares = 0, largest = 0;
    for (uint32_t s = 0; s < motion->sample_count; s++) {
        const double *x = motion->blended[s];
        double at[3];
        transform_point(motion->matrices[(size_t)s * motion->joint_count + joint].m, position, at);
        const double square =
            (x[0] - at[0]) * (x[0] - at[0]) + (x[1] - at[1]) * (x[1] - at[1]) + (x[2] - at[2]) * (x[2] - at[2]);
        squares += square;
        largest = square > largest ? square : largest;
    }
    *most = fmax(*most, sqrt(largest));
    return squares;
}
