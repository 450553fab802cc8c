/* Random clips that are cut, reversed and moved to another skeleton, against plain definitions. Times are multiples of
 * small powers of two, so that all sums of them are exact. */
#include "base/strict_float.h"

#include "harness.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MESHES = 2, VERTICES = 3, FRAMES = 6, KEYS = 5 };

static double random_between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)(random_bits(seed) >> 40) / (double)(1 << 24);
}

static const trilo_model *edit(const trilo_model *model, const trilo_clip_edit *how)
{
    trilo_error err = {0};
    const trilo_model *edited = trilo_model_edit_clips(model, how, NULL, &err);
    if (!edited)
        FAIL("%s: %s", err.rule, err.text);
    CHECK(trilo_model_check(edited, &err));
    return edited;
}

/* ---- frames ---- */

/* Two meshes, whose tracks come in the other order. */
typedef struct frame_scene {
    float rest[MESHES][2][VERTICES][3];
    float at[MESHES][FRAMES][2][VERTICES][3]; /* positions and normals */
    trilo_frame frames[MESHES][FRAMES];
    trilo_track tracks[MESHES];
    trilo_mesh meshes[MESHES];
    trilo_clip clip;
    trilo_model model;
} frame_scene;

static void random_vectors(float (*out)[3], uint64_t *seed, bool unit)
{
    for (int v = 0; v < VERTICES; v++) {
        double squares = 0;
        for (int k = 0; k < 3; k++) {
            out[v][k] = (float)random_between(seed, unit ? 0.1 : -50, unit ? 1 : 50);
            squares += (double)out[v][k] * out[v][k];
        }
        for (int k = 0; k < 3 && unit; k++)
            out[v][k] = (float)(out[v][k] / sqrt(squares));
    }
}

/* Frames at multiples of an eighth; the clip ends at the last one of some track, or later. */
static void fill_frames(frame_scene *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    double end = 0;
    for (uint32_t m = 0; m < MESHES; m++) {
        const uint64_t bits = random_bits(&seed);
        trilo_track *track = &s->tracks[MESHES - 1 - m];
        const bool normals = bits & 1;
        random_vectors(s->rest[m][0], &seed, false);
        random_vectors(s->rest[m][1], &seed, true);
        s->meshes[m] = (trilo_mesh){.material = TRILO_NONE,
                                    .node = TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .vertex_count = VERTICES - m,
                                    .positions = (const float(*)[3])s->rest[m][0],
                                    .normals = (const float(*)[3])s->rest[m][1]};
        *track = (trilo_track){m, bits >> 1 & 1, 1 + (uint32_t)(bits >> 8) % FRAMES, s->frames[m]};
        double time = (double)(bits >> 2 & 1) / 8;
        for (uint32_t i = 0; i < track->frame_count; i++) {
            random_vectors(s->at[m][i][0], &seed, false);
            random_vectors(s->at[m][i][1], &seed, true);
            s->frames[m][i] =
                (trilo_frame){time, (const float(*)[3])s->at[m][i][0],
                              normals && random_bits(&seed) % 4 ? (const float(*)[3])s->at[m][i][1] : NULL};
            end = fmax(end, time);
            time += (double)(1 + random_bits(&seed) % 4) / 8;
        }
    }
    s->clip = (trilo_clip){.name = {"c", 1}, .duration = end, .track_count = MESHES, .tracks = s->tracks};
    s->clip.duration += random_bits(&seed) % 2 || end == 0 ? 0.25 : 0;
    s->model = (trilo_model){.mesh_count = MESHES, .meshes = s->meshes, .clip_count = 1, .clips = &s->clip};
}

/* What the first shows at a time is what the second shows at another. */
static void check_frames(const trilo_model *a, double at, const trilo_model *b, double there, bool normals)
{
    for (uint32_t m = 0; m < MESHES; m++) {
        float x[2][VERTICES][3] = {{{0}}}, y[2][VERTICES][3] = {{{0}}};
        trilo_pose_frame(a, m, 0, at, TRILO_FRAME_MODE_BLEND, x[0], x[1]);
        trilo_pose_frame(b, m, 0, there, TRILO_FRAME_MODE_BLEND, y[0], y[1]);
        const float *p = &x[0][0][0], *q = &y[0][0][0];
        for (int i = 0; i < (normals ? 2 : 1) * VERTICES * 3; i++)
            if (!(fabsf(p[i] - q[i]) <= (i < VERTICES * 3 ? 4e-5f : 2e-6f)))
                FAIL("mesh %u, number %d: %g at %g, %g at %g", (unsigned)m, i, (double)p[i], at, (double)q[i], there);
    }
}

/* A part has the frames within it, one where it begins, and one where it ends between two that are blended. */
TEST(parts_of_random_frames)
{
    for (uint64_t seed = 1; seed <= (TEST_SLOW ? 30 : 300); seed++) {
        static frame_scene s;
        fill_frames(&s, seed);
        uint64_t dice = seed + 1000;
        const double end = s.clip.duration;
        const double from = floor(random_between(&dice, 0, end) * 16) / 16;
        double to = floor(random_between(&dice, from, end) * 16) / 16 + 1 / 16.0;
        to = to < end ? to : end;
        const trilo_clip_part part = {.from = from, .to = to};
        const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &part});
        CHECK_NEAR(m->clips[0].duration, to - from, 0);
        for (uint32_t k = 0; k < MESHES && (from > 0 || to < end); k++) {
            const trilo_track *track = &s.tracks[k], *cut = &m->clips[0].tracks[k];
            uint32_t count = 1;
            double last = 0;
            CHECK_INT(cut->mesh, track->mesh);
            CHECK_INT(cut->held, track->held);
            CHECK_NEAR(cut->frames[0].time, 0, 0);
            for (uint32_t i = 0; i < track->frame_count; i++)
                if (track->frames[i].time > from && track->frames[i].time <= to) {
                    last = track->frames[i].time - from;
                    CHECK(count < cut->frame_count);
                    CHECK_NEAR(cut->frames[count++].time, last, 0);
                }
            if (!track->held && to < track->frames[track->frame_count - 1].time && last < to - from) {
                CHECK(count < cut->frame_count);
                CHECK_NEAR(cut->frames[count++].time, to - from, 0);
            }
            CHECK_INT(cut->frame_count, count);
        }
        for (double t = 0; from + t <= to; t += 1 / 32.0)
            check_frames(&s.model, from + t, m, t, false);
        for (uint32_t i = 0; i < m->clips[0].tracks[0].frame_count; i++) {
            const double time = m->clips[0].tracks[0].frames[i].time;
            const uint32_t mesh = m->clips[0].tracks[0].mesh;
            float x[VERTICES][3] = {{0}}, y[VERTICES][3] = {{0}};
            trilo_pose_frame(&s.model, mesh, 0, from + time, TRILO_FRAME_MODE_BLEND, NULL, x);
            trilo_pose_frame(m, mesh, 0, time, TRILO_FRAME_MODE_BLEND, NULL, y);
            for (int k = 0; k < VERTICES * 3; k++)
                CHECK_NEAR(x[k / 3][k % 3], y[k / 3][k % 3], 2e-6);
        }
        trilo_model_free(m);
    }
}

/* Backwards, a frame that is held shows from the time of the next one on. */
TEST(random_frames_backwards)
{
    for (uint64_t seed = 1; seed <= (TEST_SLOW ? 30 : 300); seed++) {
        static frame_scene s;
        fill_frames(&s, seed);
        const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.reverse = true});
        const double end = s.clip.duration;
        for (uint32_t k = 0; k < MESHES; k++) {
            const trilo_track *track = &s.tracks[k], *back = &m->clips[0].tracks[k];
            const uint32_t last = track->frame_count - 1;
            const bool dropped = track->held && last > 0 && track->frames[last].time == end;
            CHECK_INT(back->frame_count, track->frame_count - dropped);
            for (uint32_t i = 0; i < back->frame_count; i++) {
                const uint32_t of = last - dropped - i;
                const double held = of == last ? 0 : end - track->frames[of + 1].time;
                CHECK_NEAR(back->frames[i].time, track->held ? held : end - track->frames[of].time, 0);
                CHECK(memcmp(back->frames[i].positions, track->frames[of].positions,
                             (VERTICES - track->mesh) * sizeof *track->frames[of].positions) == 0);
            }
        }
        for (double t = 1 / 64.0; t < end; t += 1 / 32.0)
            check_frames(&s.model, t, m, end - t, true);
        trilo_model_free(m);
    }
}

/* ---- channels ---- */

typedef struct channel_scene {
    trilo_node nodes[2];
    double times[KEYS];
    float values[KEYS * 12];
    trilo_channel channel;
    trilo_clip clip;
    trilo_model model;
} channel_scene;

static trilo_quat random_turn(uint64_t *seed)
{
    double q[4], squares = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = random_between(seed, -1, 1);
        squares += q[k] * q[k];
    }
    const double length = sqrt(squares);
    return (trilo_quat){(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length), (float)(q[3] / length)};
}

static trilo_node random_node(uint64_t *seed, const char *name)
{
    float v[6];
    for (int k = 0; k < 6; k++)
        v[k] = (float)random_between(seed, k < 3 ? -9 : 0.5, k < 3 ? 9 : 4);
    trilo_node node = {.name = {name, strlen(name)},
                       .parent = TRILO_NONE,
                       .translation = {v[0], v[1], v[2]},
                       .rotation = random_turn(seed),
                       .scale = {v[3], v[4], v[5]}};
    for (int k = 0; k < 4; k++)
        node.local.m[5 * k] = 1;
    return node;
}

static uint32_t width_of(trilo_target target)
{
    return target == TRILO_TARGET_ROTATION ? 4 : target < TRILO_TARGET_TRANSLATION_X ? 3 : 1;
}

static void fill_channel(channel_scene *s, trilo_target target, trilo_interpolation interpolation, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->nodes[0] = random_node(&seed, "other");
    s->nodes[1] = random_node(&seed, "bone");
    const bool cubic = interpolation == TRILO_INTERPOLATION_CUBIC;
    const uint32_t width = width_of(target), stride = width * (cubic ? 3 : 1);
    for (uint32_t k = 0; k < KEYS; k++) {
        s->times[k] = (k ? s->times[k - 1] : 0) + (double)(1 + random_bits(&seed) % 4) / 8;
        for (uint32_t i = 0; i < stride; i++)
            s->values[k * stride + i] = (float)random_between(&seed, -2, 5);
        const trilo_quat q = random_turn(&seed);
        if (width == 4)
            memcpy(s->values + k * stride + (cubic ? 4 : 0), (const float[4]){q.x, q.y, q.z, q.w}, 4 * sizeof(float));
    }
    s->channel = (trilo_channel){1, target, interpolation, KEYS, s->times, s->values, 0, 0};
    s->clip = (trilo_clip){
        .name = {"c", 1}, .duration = s->times[KEYS - 1] + 0.25, .channel_count = 1, .channels = &s->channel};
    s->model = (trilo_model){.node_count = 2, .nodes = s->nodes, .clip_count = 1, .clips = &s->clip};
}

/* Of every target; only steps jump, where the next key is. */
TEST(parts_of_random_channels)
{
    for (int target = 0; target < TRILO_TARGET_COUNT; target++)
        for (int how = TRILO_INTERPOLATION_LINEAR; how <= TRILO_INTERPOLATION_CUBIC; how++)
            for (uint64_t seed = 1; seed <= (TEST_SLOW ? 4 : 16); seed++) {
                static channel_scene s;
                fill_channel(&s, (trilo_target)target, (trilo_interpolation)how, seed);
                uint64_t dice = seed + 77;
                const double end = s.clip.duration, from = floor(random_between(&dice, 0, end) * 32) / 32;
                const double to = fmin(end, floor(random_between(&dice, from, end) * 32) / 32 + 1 / 32.0);
                const bool turns = target == TRILO_TARGET_ROTATION;
                const trilo_clip_part part = {.from = from, .to = to};
                const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &part});
                const trilo_channel *c = &m->clips[0].channels[0];
                CHECK_INT(c->interpolation, turns && how == TRILO_INTERPOLATION_CUBIC && (from > 0 || to < end)
                                                ? TRILO_INTERPOLATION_LINEAR
                                                : how);
                for (double t = from; t < to; t += 1 / 64.0) {
                    float x[4] = {0}, y[4] = {0};
                    trilo_channel_sample(&s.channel, t, x);
                    trilo_channel_sample(c, t - from, y);
                    for (int k = 0; k < 4; k++) /* a curve of rotations is made of straight parts */
                        if (!(fabsf(x[k] - y[k]) <= (turns && how == TRILO_INTERPOLATION_CUBIC ? 0.02f : 3e-5f)))
                            FAIL("target %d, interpolation %d, seed %u: %g, not %g at %g of %g to %g", target, how,
                                 (unsigned)seed, (double)y[k], (double)x[k], t, from, to);
                }
                trilo_model_free(m);
            }
}

/* ---- another skeleton ---- */

static trilo_quat product(trilo_quat a, trilo_quat b)
{
    return (trilo_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static double part_of(trilo_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double length_of(trilo_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

/* A number of a translation or a scale: where it goes, given the rest poses. */
static double moved(const trilo_node *from, const trilo_node *to, bool translation, int axis, bool tangent, double v)
{
    const double length = length_of(from->translation), ratio = length > 1e-6 ? length_of(to->translation) / length : 1;
    if (!translation)
        return part_of(from->scale, axis) != 0 ? v * part_of(to->scale, axis) / part_of(from->scale, axis) : v;
    return tangent ? v * ratio : part_of(to->translation, axis) + (v - part_of(from->translation, axis)) * ratio;
}

static void check_moved(const channel_scene *s, const trilo_node *to, const trilo_channel *got)
{
    const trilo_target target = s->channel.target;
    const trilo_node *from = &s->nodes[1];
    const bool cubic = s->channel.interpolation == TRILO_INTERPOLATION_CUBIC;
    const bool translation = target == TRILO_TARGET_TRANSLATION ||
                             (target >= TRILO_TARGET_TRANSLATION_X && target <= TRILO_TARGET_TRANSLATION_Z);
    const uint32_t width = width_of(target), count = KEYS * width * (cubic ? 3 : 1);
    CHECK_INT(got->key_count, KEYS);
    CHECK_INT(got->target, target);
    CHECK(memcmp(got->times, s->times, sizeof s->times) == 0);
    for (uint32_t i = 0; i < count; i += width) {
        const float *v = s->values + i;
        const bool tangent = cubic && i / width % 3 != 1;
        float want[4] = {0};
        if (width == 4) {
            const trilo_quat back = {-from->rotation.x, -from->rotation.y, -from->rotation.z, from->rotation.w};
            const trilo_quat q = product(product(to->rotation, back), (trilo_quat){v[0], v[1], v[2], v[3]});
            memcpy(want, (const float[4]){q.x, q.y, q.z, q.w}, sizeof want);
        }
        for (uint32_t k = 0; k < width && width < 4; k++) {
            const int axis = width == 3 ? (int)k : (int)(target - TRILO_TARGET_TRANSLATION_X) % 3;
            want[k] = (float)moved(from, to, translation, axis, tangent, (double)v[k]);
        }
        for (uint32_t k = 0; k < width; k++)
            CHECK_NEAR(got->values[i + k], want[k], 1e-4);
    }
}

/* Of every target and interpolation; also from a bone without length or with a scale of 0. */
TEST(clips_move_relative_to_the_rest)
{
    for (int target = 0; target < TRILO_TARGET_COUNT; target++)
        for (int how = TRILO_INTERPOLATION_LINEAR; how <= TRILO_INTERPOLATION_CUBIC; how++)
            for (int odd = 0; odd < 3; odd++) {
                static channel_scene s;
                uint64_t seed = 5;
                fill_channel(&s, (trilo_target)target, (trilo_interpolation)how, (uint64_t)(40 + odd));
                s.channel.step = 0.5f, s.channel.base = 3;
                if (odd == 1)
                    s.nodes[1].translation = (trilo_vec3){0, 0, 1e-7f};
                if (odd == 2)
                    s.nodes[1].scale = (trilo_vec3){0, 0, 0};
                trilo_node nodes[3] = {random_node(&seed, "rig:Bone"), random_node(&seed, "b"),
                                       random_node(&seed, "a|b:bone")};
                const trilo_model to = {.node_count = 3, .nodes = nodes};
                const trilo_retarget_opts opts = {.relative = true, .loose = true};
                const trilo_model *m = trilo_model_retarget_clips(&to, &s.model, &opts, NULL, NULL);
                CHECK(m && m->clip_count == 1 && m->clips[0].channel_count == 1);
                CHECK_INT(m->clips[0].channels[0].node, 0);
                CHECK(m->clips[0].channels[0].step == 0 && m->clips[0].channels[0].base == 0);
                check_moved(&s, &nodes[0], &m->clips[0].channels[0]);
                trilo_model_free(m);
            }
}

/* ---- names ---- */

typedef struct lost {
    uint32_t count;
    char text[256], path[64];
} lost;

static void keep_finding(void *user, const trilo_finding *finding)
{
    lost *l = user;
    l->count++;
    snprintf(l->text, sizeof l->text, "%s", finding->text);
    snprintf(l->path, sizeof l->path, "%s", finding->path);
}

/* Which node of the model each of the names finds. */
TEST(nodes_by_their_names)
{
    static const char *const there[] = {"Arm", "arm", "rig:Leg", "", "x|y:Z", "@[", "`{", "arm"};
    static const struct {
        const char *name;
        uint32_t exact, loose;
    } all[] = {{"Arm", 0, 0},
               {"arm", 1, 0},
               {"ARM", TRILO_NONE, 0},
               {"Leg", TRILO_NONE, 2},
               {"rig:Leg", 2, 2},
               {"other|leg", TRILO_NONE, 2},
               {"z", TRILO_NONE, 4},
               {"x|y:Z", 4, 4},
               {"", TRILO_NONE, TRILO_NONE},
               {"@[", 5, 5},
               {"`{", 6, 6},
               {"rig:", TRILO_NONE, TRILO_NONE},
               {"Ar", TRILO_NONE, TRILO_NONE},
               {"Armm", TRILO_NONE, TRILO_NONE}};
    enum { THERE = sizeof there / sizeof *there, ALL = sizeof all / sizeof *all };
    trilo_node nodes[THERE], source[1];
    uint64_t seed = 1;
    for (int i = 0; i < THERE; i++)
        nodes[i] = random_node(&seed, there[i]);
    const trilo_model to = {.node_count = THERE, .nodes = nodes};
    for (int i = 0; i < ALL; i++)
        for (int loose = 0; loose < 2; loose++) {
            static const double time = 0;
            static const float zero[3] = {0};
            const uint32_t want = loose ? all[i].loose : all[i].exact;
            const trilo_channel channel = {0, TRILO_TARGET_SCALE, TRILO_INTERPOLATION_STEP, 1, &time, zero, 0, 0};
            const trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &channel};
            source[0] = random_node(&seed, all[i].name);
            const trilo_model from = {.node_count = 1, .nodes = source, .clip_count = 1, .clips = &clip};
            lost l = {0};
            const trilo_retarget_opts opts = {.loose = loose, .on_finding = keep_finding, .on_finding_user = &l};
            const trilo_model *m = trilo_model_retarget_clips(&to, &from, &opts, NULL, NULL);
            CHECK(m != NULL);
            CHECK_INT(m->clips[0].channel_count, want != TRILO_NONE);
            if (want != TRILO_NONE)
                CHECK_INT(m->clips[0].channels[0].node, want);
            CHECK_INT(l.count, want == TRILO_NONE);
            char sentence[128];
            snprintf(sentence, sizeof sentence, "channels without a matching node (1, such as \"%s\") were not copied",
                     all[i].name);
            CHECK_STR(l.text, want == TRILO_NONE ? sentence : "");
            trilo_model_free(m);
        }
}

/* Of two source nodes with one name, only the first moves; the second clip names its own first loss. */
TEST(losses_of_each_clip)
{
    uint64_t seed = 3;
    const trilo_node nodes[4] = {random_node(&seed, "a"), random_node(&seed, "b"), random_node(&seed, "b"),
                                 random_node(&seed, "c")};
    static const double time = 0;
    static const float zero[3] = {0};
    trilo_channel channels[5];
    for (uint32_t i = 0; i < 5; i++)
        channels[i] = (trilo_channel){(i + 1) % 4,
                                      i < 4 ? TRILO_TARGET_SCALE : TRILO_TARGET_TRANSLATION,
                                      TRILO_INTERPOLATION_STEP,
                                      1,
                                      &time,
                                      zero,
                                      0,
                                      0};
    const trilo_clip clips[2] = {{.name = {"one", 3}, .channel_count = 1, .channels = channels + 3},
                                 {.name = {"two", 3}, .channel_count = 5, .channels = channels}};
    const trilo_model from = {.node_count = 4, .nodes = nodes, .clip_count = 2, .clips = clips};
    const trilo_model to = {.node_count = 2, .nodes = nodes, .clip_count = 1, .clips = clips};
    lost l = {0};
    for (int keep = 0; keep < 2; keep++) {
        trilo_retarget_opts opts = {.keep = keep, .on_finding = keep_finding, .on_finding_user = &l};
        const trilo_model *m = trilo_model_retarget_clips(&to, &from, &opts, NULL, NULL);
        CHECK(m != NULL);
        CHECK_INT(m->clip_count, 2 + keep);
        CHECK_STR(m->clips[keep].name.data, "one");
        CHECK_STR(m->clips[keep + 1].name.data, "two");
        CHECK_INT(m->clips[keep].channel_count, 1);
        CHECK_INT(m->clips[keep + 1].channel_count, 3); /* b; a; b again */
        CHECK_INT(m->clips[keep + 1].channels[0].node, 1);
        CHECK_INT(m->clips[keep + 1].channels[1].node, 0);
        CHECK_INT(l.count, keep + 1);
        CHECK_STR(l.path, "clips[1]");
        CHECK_STR(l.text, "channels without a matching node (2, such as \"b\") were not copied");
        trilo_model_free(m);
    }
}

TEST_MAIN(CASE(parts_of_random_frames), CASE(random_frames_backwards), CASE(parts_of_random_channels),
          CASE(clips_move_relative_to_the_rest), CASE(nodes_by_their_names), CASE(losses_of_each_clip))
