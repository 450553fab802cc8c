/* Fits smooth skins to one bone per vertex.
 *
 * T3DM binds a vertex to one bone. That of the largest weight is a choice which ignores how the model moves. Here all
 * clips are played instead: each bone that a vertex follows is tried with its best position for the vertex, and the one
 * is chosen that keeps the vertex nearest to where the blended skin has it. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "formats/t3dm/encode/helper_bones.h"
#include "formats/t3dm/encode/skin_motion.h"
#include "model/skin.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double FIT_GAIN_LEAST = 0.999; /* of the error; with less a vertex stays with its strongest bone */

typedef struct skin_fit {
    skin_motion *motion;
    const trilo_skin *skin;
    const t3dm_helpers *helpers;
    const uint32_t *helper_joints; /* of each helper bone */
    double before, after;          /* sums of squared distances */
    double most_before, most_after;
    uint32_t fitted; /* vertices that follow several bones */
    uint32_t moved;  /* those of another bone than the strongest */
} skin_fit;

/* The bones that a vertex may follow: its own, and the helpers between two of them. Returns how many. */
enum { CANDIDATES_MOST = 4 + 6 };
static int list_candidates(const skin_fit *f, const uint16_t joints[4], const float weights[4],
                           uint32_t candidates[CANDIDATES_MOST])
{
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (weights[i] > 0)
            candidates[count++] = joints[i];
    for (int i = 0, own = count; i < own; i++)
        for (int k = 0; k < i; k++) {
            const uint32_t node = f->skin->joints[candidates[i]].node, other = f->skin->joints[candidates[k]].node;
            const uint32_t helper = tl_t3dm_find_helper(f->helpers, node, other);
            if (helper != TRILO_NONE && f->helper_joints[helper] != TRILO_NONE)
                candidates[count++] = f->helper_joints[helper];
        }
    return count;
}

static void fit_vertex(skin_fit *f, uint16_t joints[4], float weights[4], float position[3])
{
    const double from[3] = {position[0], position[1], position[2]};
    const uint32_t strongest = joints[tl_strongest_influence(weights)];
    uint32_t candidates[CANDIDATES_MOST], chosen = strongest;
    const int count = list_candidates(f, joints, weights, candidates);
    tl_skin_motion_blend(f->motion, joints, weights, from);
    const double before = tl_skin_motion_measure(f->motion, strongest, from, &f->most_before);
    double least = before * FIT_GAIN_LEAST, best[3] = {from[0], from[1], from[2]};
    for (int i = 0; i < count; i++) {
        double fitted[3];
        const double error = tl_skin_motion_fit(f->motion, candidates[i], fitted);
        if (error < least) {
            least = error;
            chosen = candidates[i];
            memcpy(best, fitted, sizeof best);
        }
    }
    for (int i = 0; i < 3; i++)
        position[i] = (float)best[i];
    f->before += before;
    f->after += tl_skin_motion_measure(f->motion, chosen, best, &f->most_after);
    f->fitted++;
    f->moved += chosen != strongest ? 1 : 0;
    for (int k = 0; k < 4; k++) {
        joints[k] = k == 0 ? (uint16_t)chosen : 0;
        weights[k] = k == 0 ? 1.0f : 0.0f;
    }
}

/* --- the model --- */

/* Of vertices and samples, in units of the file. */
static double mean_distance(const t3dm_encoder *e, const skin_fit *f, double squares)
{
    const double samples = (double)f->fitted * f->motion->sample_count;
    return e->policy.scale * sqrt(squares / samples);
}

static bool fit_mesh(t3dm_encoder *e, skin_fit *f, trilo_mesh *mesh)
{
    const size_t count = mesh->vertex_count;
    uint16_t(*joints)[4] = tl_array_raw(e->arena, count, sizeof *joints);
    float(*weights)[4] = tl_array_raw(e->arena, count, sizeof *weights);
    float(*positions)[3] = tl_array_raw(e->arena, count, sizeof *positions);
    if (!joints || !weights || !positions)
        return false;
    memcpy(joints, mesh->joints, count * sizeof *joints);
    memcpy(weights, mesh->weights, count * sizeof *weights);
    memcpy(positions, mesh->positions, count * sizeof *positions);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (tl_skin_blends(weights[v]))
            fit_vertex(f, joints[v], weights[v], positions[v]);
    mesh->joints = (const uint16_t(*)[4])joints;
    mesh->weights = (const float(*)[4])weights;
    mesh->positions = (const float(*)[3])positions;
    const double scale = e->policy.scale;
    tl_t3dm_report_loss(e, T3DM_R_SKIN_FIT,
                        "%" PRIu32 " of %" PRIu32 " vertices follow several bones; over all clips they are %.3g "
                        "units off on average (%.3g at most) instead of %.3g (%.3g) with their strongest bones, "
                        "%" PRIu32 " with another bone",
                        f->fitted, mesh->vertex_count, mean_distance(e, f, f->after), scale * f->most_after,
                        mean_distance(e, f, f->before), scale * f->most_before, f->moved);
    return true;
}

bool tl_t3dm_fit_skins(t3dm_encoder *e)
{
    t3dm_helpers helpers = {0};
    const uint32_t most = e->opts->t3dm->helper_bones;
    bool blends = false;
    for (uint32_t i = 0; i < e->model->mesh_count; i++)
        blends = blends || tl_skin_mesh_blends(&e->model->meshes[i]);
    if (!blends || e->model->clip_count == 0)
        return true;
    if (most > 0 && (!tl_t3dm_choose_helpers(e, most < T3DM_HELPERS_MOST ? most : T3DM_HELPERS_MOST, &helpers) ||
                     !tl_t3dm_add_helpers(e, &helpers)))
        return false;
    skin_motion *motions = tl_skin_motions_new(e->arena, e->model);
    trilo_model *model = TL_NEW(e->arena, trilo_model);
    trilo_mesh *meshes = tl_array_raw(e->arena, e->model->mesh_count, sizeof *meshes);
    skin_fit all = {.motion = motions};
    if (!motions || !model || !meshes)
        return false;
    memcpy(meshes, e->model->meshes, e->model->mesh_count * sizeof *meshes);
    for (uint32_t i = 0; i < e->model->mesh_count; i++) {
        const uint32_t skin = meshes[i].skin;
        if (!tl_skin_mesh_blends(&meshes[i]))
            continue;
        skin_fit f = {.motion = &motions[skin],
                      .skin = &e->model->skins[skin],
                      .helpers = &helpers,
                      .helper_joints = helpers.joints ? helpers.joints[skin] : NULL};
        tl_t3dm_enter(e, "meshes", i, meshes[i].name);
        const bool ok = fit_mesh(e, &f, &meshes[i]);
        tl_t3dm_leave(e);
        if (!ok)
            return false;
        all.motion = f.motion; /* all have the same samples */
        all.fitted += f.fitted;
        all.before += f.before;
        all.after += f.after;
    }
    if (most > 0)
        tl_t3dm_report_loss(e, T3DM_R_SKIN_FIT,
                            "%" PRIu32 " helper bone%s added; vertices that follow several bones are %.3g units off on "
                            "average instead of %.3g with their strongest bones",
                            helpers.count, helpers.count == 1 ? " was" : "s were", mean_distance(e, &all, all.after),
                            mean_distance(e, &all, all.before));
    *model = *e->model;
    model->meshes = meshes;
    e->model = model;
    return true;
}
