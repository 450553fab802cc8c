/* Clips from glTF in T3DM: those of Tiny3D's own converter, and every pose against the source, tick by tick. */
#include "harness.h"
#include "support/t3dm_twins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct totals {
    uint32_t clips, channels, rests, samples;
    double place, turn, size;          /* most that a clip is off the source */
    double place_of, turn_of, size_of; /* and the reference's */
} totals;

/* --- clips --- */

/* Place, rotation and scale of a node at a moment. */
typedef struct parts {
    float t[3], r[4], s[3];
} parts;

static void pose(const trilo_model *model, const trilo_clip *clip, double seconds, double scale, parts *out)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const trilo_node *n = &model->nodes[i];
        out[i] = (parts){{n->translation.x, n->translation.y, n->translation.z},
                         {n->rotation.x, n->rotation.y, n->rotation.z, n->rotation.w},
                         {n->scale.x, n->scale.y, n->scale.z}};
    }
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        parts *to = &out[c->node];
        float *const places[] = {to->t, to->r, to->s, to->t, to->t + 1, to->t + 2, to->s, to->s + 1, to->s + 2};
        if (c->key_count > 0)
            trilo_channel_sample(c, seconds, places[c->target]);
    }
    for (uint32_t i = 0; i < model->node_count; i++)
        for (int k = 0; k < 3; k++)
            out[i].t[k] = (float)(out[i].t[k] * scale);
}

typedef struct apart {
    double place, turn, size; /* units of the file, degrees, factor */
} apart;

static void widen(apart *most, const parts *a, const parts *b)
{
    double dot = 0;
    for (int k = 0; k < 3; k++) {
        most->place = fmax(most->place, fabs((double)a->t[k] - b->t[k]));
        most->size = fmax(most->size, fabs((double)a->s[k] - b->s[k]));
    }
    for (int k = 0; k < 4; k++)
        dot += (double)a->r[k] * b->r[k];
    most->turn = fmax(most->turn, 2 * acos(fmin(1, fabs(dot))) * 180 / 3.14159265358979);
}

static uint32_t node_named(const trilo_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        if (strcmp(model->nodes[i].name.data, name) == 0)
            return i;
    FAIL("there is no node %s", name);
}

/* The most that both sides are off the source, tick by tick. */
static void measure_clip(const trilo_model *const models[3], uint32_t number, apart *ours, apart *theirs, totals *sum)
{
    parts *poses[3];
    for (int i = 0; i < 3; i++)
        CHECK(poses[i] = calloc(models[i]->node_count, sizeof(parts)));
    for (uint32_t tick = 0; tick <= models[2]->clips[number].duration * 60 + 0.01; tick++) {
        for (int i = 0; i < 3; i++)
            pose(models[i], &models[i]->clips[number], tick / 60.0, i == 0 ? 64 : 1, poses[i]);
        for (uint32_t i = 0; i < models[2]->node_count; i++) {
            const uint32_t from = node_named(models[0], models[2]->nodes[i].name.data);
            widen(ours, &poses[0][from], &poses[1][i]);
            widen(theirs, &poses[0][from], &poses[2][i]);
            sum->samples++;
        }
    }
    for (int i = 0; i < 3; i++)
        free(poses[i]);
}

static const trilo_channel *channel_like(const trilo_clip *clip, const trilo_channel *like)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node == like->node && clip->channels[i].target == like->target)
            return &clip->channels[i];
    return NULL;
}

/* Is the channel a number (for a rotation: a w) that never changes? */
static bool stays(const trilo_channel *c, double at, double within)
{
    const uint32_t width = trilo_target_width(c->target);
    for (uint32_t k = 0; k < c->key_count; k++)
        if (!(fabs(fabs(c->values[k * width + width - 1]) - fabs(at)) < within))
            return false;
    return true;
}

static double rest_of(const trilo_model *model, const trilo_channel *c)
{
    const trilo_node *n = &model->nodes[c->node];
    const float rest[] = {0,          n->rotation.w, 0,         n->translation.x, n->translation.y, n->translation.z,
                          n->scale.x, n->scale.y,    n->scale.z};
    return rest[c->target];
}

/* Those that only one twin_side has do nothing there: a channel that never leaves the bone's rest is left out. The
 * reference leaves it out when it is the identity, whatever the rest is. */
static void compare_channels(const char *what, const trilo_model *got, const trilo_model *want, uint32_t number,
                             totals *sum)
{
    const trilo_clip *a = &got->clips[number], *b = &want->clips[number];
    for (uint32_t i = 0; i < b->channel_count; i++) {
        const trilo_channel *c = &b->channels[i];
        sum->channels++;
        if (channel_like(a, c))
            continue;
        if (!stays(c, rest_of(want, c), 2e-3 + 1e-5 * fabs(rest_of(want, c))))
            FAIL("%s: channel %u of bone %u (target %d) is missing", what, i, c->node, (int)c->target);
        sum->rests++;
    }
    for (uint32_t i = 0; i < a->channel_count; i++) {
        const trilo_channel *c = &a->channels[i];
        const double identity = c->target == TRILO_TARGET_ROTATION || c->target >= TRILO_TARGET_SCALE_X ? 1 : 0;
        if (channel_like(b, c))
            continue;
        if (!stays(c, identity, 64 * 1e-4)) /* the reference makes 0 of what is below 1e-4 */
            FAIL("%s: channel %u of bone %u (target %d) is new", what, i, c->node, (int)c->target);
        sum->rests++;
    }
}

static void compare_clips(const twin *p, const trilo_model *source, const twin_side *got, const twin_side *want,
                          totals *sum)
{
    const trilo_model *const models[3] = {source, got->model, want->model};
    char what[256];
    CHECK_INT(got->model->clip_count, want->model->clip_count);
    for (uint32_t i = 0; i < want->model->clip_count; i++) {
        const trilo_clip *a = &got->model->clips[i], *b = &want->model->clips[i];
        apart ours = {0}, theirs = {0};
        snprintf(what, sizeof what, "%s/%s, clip %s", p->folder, p->name, b->name.data);
        CHECK_STR(a->name.data, b->name.data);
        CHECK_NEAR(a->duration, b->duration, 1e-6);
        compare_channels(what, got->model, want->model, i, sum);
        measure_clip(models, i, &ours, &theirs, sum);
        if (ours.turn > 0.185 || ours.place > theirs.place + 0.003 || ours.size > theirs.size + 1e-4)
            FAIL("%s: %g units, %g degrees and %g of the scale off the source; the reference %g, %g and %g", what,
                 ours.place, ours.turn, ours.size, theirs.place, theirs.turn, theirs.size);
        sum->place = fmax(sum->place, ours.place);
        sum->turn = fmax(sum->turn, ours.turn);
        sum->size = fmax(sum->size, ours.size);
        sum->place_of = fmax(sum->place_of, theirs.place);
        sum->turn_of = fmax(sum->turn_of, theirs.turn);
        sum->size_of = fmax(sum->size_of, theirs.size);
        sum->clips++;
    }
}

TEST(clips_come_out_the_same)
{
    totals sum = {0};
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i++) {
        const twin *p = &twins[i];
        twin_side got, want;
        const trilo_model *source = twin_source(p);
        twin_reference(p, &want);
        twin_make(p->name, source, NULL, NULL, &got);
        compare_clips(p, source, &got, &want, &sum);
        twin_close(&got);
        twin_close(&want);
        trilo_model_free(source);
    }
    printf("%u clips, %u channels (%u rest), %u poses: %.4f units, %.3f degrees, %.5f of the scale off the source at "
           "most; the reference %.4f, %.3f, %.5f\n",
           sum.clips, sum.channels, sum.rests, sum.samples, sum.place, sum.turn, sum.size, sum.place_of, sum.turn_of,
           sum.size_of);
    CHECK_INT(sum.clips, 16);
}

/* --- whole models --- */

/* A mesh as T3DM can have it: each vertex follows its strongest joint alone. */
static trilo_mesh one_joint(const trilo_mesh *from)
{
    trilo_mesh mesh = *from;
    if (!from->weights)
        return mesh;
    uint16_t(*joints)[4] = calloc(from->vertex_count, sizeof *joints);
    float(*weights)[4] = calloc(from->vertex_count, sizeof *weights);
    CHECK(joints && weights);
    for (uint32_t i = 0; i < from->vertex_count; i++) {
        int best = 0;
        for (int k = 1; k < 4; k++)
            best = from->weights[i][k] > from->weights[i][best] ? k : best;
        joints[i][0] = from->joints[i][best];
        weights[i][0] = 1;
    }
    mesh.joints = (const uint16_t(*)[4])joints;
    mesh.weights = (const float(*)[4])weights;
    return mesh;
}

/* The box around a mesh at a moment of a clip. */
static trilo_bounds posed(const trilo_model *model, uint32_t number, uint32_t clip, double seconds)
{
    trilo_mesh mesh = one_joint(&model->meshes[number]), *all = malloc(model->mesh_count * sizeof *all);
    trilo_mat4 *locals = calloc(model->node_count + 1, sizeof *locals),
               *worlds = calloc(model->node_count + 1, sizeof *worlds);
    trilo_mat4 *skin = NULL;
    float(*p)[3] = calloc(mesh.vertex_count, sizeof *p);
    trilo_model copy = *model;
    CHECK(all && locals && worlds && p);
    memcpy(all, model->meshes, model->mesh_count * sizeof *all);
    all[number] = mesh;
    copy.meshes = all;
    if (mesh.skin != TRILO_NONE)
        CHECK(skin = calloc(model->skins[mesh.skin].joint_count, sizeof *skin));
    trilo_pose_locals(&copy, clip, seconds, locals);
    trilo_pose_worlds(&copy, locals, worlds);
    if (skin)
        trilo_pose_skin(&copy, mesh.skin, worlds, skin);
    trilo_pose_mesh(&copy, number, worlds, skin, p, NULL);
    const trilo_mesh moved = {.vertex_count = mesh.vertex_count, .positions = (const float(*)[3])p};
    const trilo_bounds box = trilo_mesh_bounds(&moved);
    if (mesh.weights) {
        free((void *)(uintptr_t)mesh.joints);
        free((void *)(uintptr_t)mesh.weights);
    }
    free(all);
    free(locals);
    free(worlds);
    free(skin);
    free(p);
    return box;
}

static double box_off(const trilo_bounds *a, const trilo_bounds *b, double scale)
{
    const double off[] = {a->min.x * scale - b->min.x, a->min.y * scale - b->min.y, a->min.z * scale - b->min.z,
                          a->max.x * scale - b->max.x, a->max.y * scale - b->max.y, a->max.z * scale - b->max.z};
    double most = 0;
    for (int i = 0; i < 6; i++)
        most = fmax(most, fabs(off[i]));
    return most;
}

/* The mesh of the source that an object came from: names may repeat, sizes tell, though triangles without area go. */
static uint32_t mesh_like(const trilo_model *model, const trilo_mesh *like)
{
    uint32_t best = TRILO_NONE;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const uint32_t count = model->meshes[i].index_count;
        if (strcmp(model->meshes[i].name.data, like->name.data) == 0 && count >= like->index_count &&
            (best == TRILO_NONE || count < model->meshes[best].index_count))
            best = i;
    }
    if (best == TRILO_NONE)
        FAIL("there is no mesh %s", like->name.data);
    return best;
}

/* Some of them start late in the source. */
static double start_of(const trilo_clip *clip)
{
    double start = INFINITY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        start = fmin(start, clip->channels[i].times[0]);
    return start;
}

typedef struct moving {
    const char *path;
    double within; /* units of 1/64 */
} moving;

/* The largest error of a position is a half; rotations of bones are off by 0.17 degrees at most, and add up along an
 * arm or a leg. The fox is 9900 units long. */
static const moving models[] = {
    {"gltf/AnimatedTriangle/AnimatedTriangle.gltf", 1},
    {"gltf/InterpolationTest/InterpolationTest.glb", 1},
    {"gltf/SimpleSkin/SimpleSkin.gltf", 1},
    {"gltf/RiggedSimple/RiggedSimple.glb", 1},
    {"gltf/RiggedFigure/RiggedFigure.glb", 1},
    {"gltf/CesiumMan/CesiumMan.glb", 1},
    {"gltf/Fox/Fox.glb", 20},
};

static double compare_poses(const trilo_model *source, const trilo_model *got, uint32_t clip, uint32_t *poses)
{
    const double start = start_of(&source->clips[clip]);
    double most = 0;
    for (uint32_t i = 0; i < got->mesh_count; i++) {
        const uint32_t from = mesh_like(source, &got->meshes[i]);
        for (uint32_t tick = 0; tick < got->clips[clip].duration * 60; tick += 5, ++*poses) {
            const trilo_bounds a = posed(source, from, clip, start + tick / 60.0);
            const trilo_bounds b = posed(got, i, clip, tick / 60.0);
            most = fmax(most, box_off(&a, &b, 64));
        }
    }
    return most;
}

/* Rigid nodes that move, skins below transformed nodes, joints in any order, curves and steps: whatever becomes a bone,
 * the model moves as it did. */
TEST(models_move_as_they_did)
{
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        trilo_error err = {0};
        twin_side got;
        uint32_t poses = 0;
        double most = 0;
        const trilo_model *source = trilo_model_load_file(test_corpus(models[m].path), NULL, &err);
        if (!source)
            FAIL("%s: %s: %s", models[m].path, err.path, err.text);
        twin_make("moving", source, NULL, NULL, &got);
        CHECK_INT(got.model->clip_count, source->clip_count);
        for (uint32_t i = 0; i < source->clip_count; i++)
            most = fmax(most, compare_poses(source, got.model, i, &poses));
        printf("%s: %u poses, boxes %.2f units off at most\n", models[m].path, poses, most);
        if (most > models[m].within)
            FAIL("%s: %g units off", models[m].path, most);
        twin_close(&got);
        trilo_model_free(source);
    }
}

TEST_MAIN(CASE(clips_come_out_the_same), CASE(models_move_as_they_did))
