/* Clips that are cut, split, reversed, resampled, and moved to another skeleton. */
#include "harness.h"
#include "model/curve.h"
#include "support/findings.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
static const trilo_str hip = {"Hip", 3}, hand = {"Hand", 4}, other = {"mixamorig:HAND", 14};

enum { CHANNELS = 5 };

/* Two bones; five channels of all kinds, with keys from 0 to 2 seconds. */
typedef struct sample {
    trilo_node nodes[2];
    trilo_channel channels[CHANNELS];
    trilo_clip clip;
    trilo_model model;
} sample;

static const double times[4] = {0, 0.5, 1.5, 2};
static const float places[12] = {0, 0, 0, 1, 2, 3, 5, 4, 3, 1, 1, 1};
static const float turns[16] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0.6f, 0, 0, 0.8f, 0, 1, 0, 0};
static const float steps[4] = {1, 2, 3, 4};
static const float curve[12] = {0, 1, 2, -1, 3, 4, 1, -2, -3, 0, 5, 0}; /* before, value, behind */
static const float curved_turn[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.6f, 0.8f, 0, 0, -1, 0};

static void sample_fill(sample *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 2; i++)
        s->nodes[i] = (trilo_node){.parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity};
    s->nodes[0].name = hip;
    s->nodes[1].name = hand;
    s->nodes[1].parent = 0;
    s->channels[0] = (trilo_channel){0, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_LINEAR, 4, times, places, 0, 0};
    s->channels[1] = (trilo_channel){0, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, 4, times, turns, 0, 0};
    s->channels[2] = (trilo_channel){1, TRILO_TARGET_SCALE_X, TRILO_INTERPOLATION_STEP, 4, times, steps, 0, 0};
    s->channels[3] = (trilo_channel){1, TRILO_TARGET_TRANSLATION_Y, TRILO_INTERPOLATION_CUBIC, 4, times, curve, 0, 0};
    s->channels[4] =
        (trilo_channel){1, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_CUBIC, 2, times + 1, curved_turn, 0, 0};
    s->clip = (trilo_clip){.name = {"Walk", 4}, .duration = 2, .channel_count = CHANNELS, .channels = s->channels};
    s->model = (trilo_model){.node_count = 2, .nodes = s->nodes, .clip_count = 1, .clips = &s->clip};
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

/* Both channels at two moments. */
static void check_same(const trilo_channel *a, double at, const trilo_channel *b, double there, double within)
{
    float x[4] = {0}, y[4] = {0};
    trilo_channel_sample(a, at, x);
    trilo_channel_sample(b, there, y);
    for (uint32_t i = 0; i < trilo_target_width(a->target); i++)
        if (!(fabs((double)x[i] - y[i]) <= within))
            FAIL("target %d: %g at %g, %g at %g", (int)a->target, (double)x[i], at, (double)y[i], there);
}

/* ---- parts ---- */

/* 0.75 is half a second before the key at 1.5, a quarter behind that at 0.5: 2 of 5 - 1, and so on. */
TEST(a_part_starts_with_what_is_due)
{
    sample s;
    sample_fill(&s);
    const trilo_clip_part part = {.clip = 0, .from = 0.75, .to = 1.75, .name = "Half"};
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &part});
    const trilo_clip *c = &m->clips[0];
    CHECK_STR(c->name.data, "Half");
    CHECK_NEAR(c->duration, 1, 1e-12);
    CHECK_INT(c->channels[0].key_count, 3);
    CHECK_NEAR(c->channels[0].times[1], 0.75, 1e-12);
    CHECK_NEAR(c->channels[0].values[0], 2, 1e-6);   /* 1 to 5, a quarter */
    CHECK_NEAR(c->channels[0].values[1], 2.5, 1e-6); /* 2 to 4 */
    CHECK_NEAR(c->channels[0].values[6], 3, 1e-6);   /* 5 to 1, half */
    CHECK_INT(c->channels[2].key_count, 2);          /* 2 from the start, 3 from 0.75 on */
    CHECK_NEAR(c->channels[2].values[0], 2, 0);
    CHECK_NEAR(c->channels[2].times[1], 0.75, 1e-12);
    trilo_model_free(m);
}

TEST(a_part_follows_the_same_curves)
{
    static const double cuts[][2] = {{0, 0.5}, {0.5, 1.5}, {0.2, 1.9}, {1.6, 1.7}, {0.5, 2}, {1.5, 0}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        sample s;
        sample_fill(&s);
        const trilo_clip_part part = {.from = cuts[i][0], .to = cuts[i][1]};
        const double end = cuts[i][1] > cuts[i][0] ? cuts[i][1] : 2;
        const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &part});
        CHECK_STR(m->clips[0].name.data, "Walk");
        CHECK_NEAR(m->clips[0].duration, end - part.from, 1e-12);
        for (uint32_t k = 0; k < CHANNELS; k++)
            for (double t = part.from; t < end - 1e-9; t += 1 / 64.0) /* a curve of rotations is sampled */
                check_same(&s.channels[k], t, &m->clips[0].channels[k], t - part.from, k == 4 ? 2e-4 : 2e-6);
        trilo_model_free(m);
    }
}

/* A part that starts where the clip ends, though keys follow, is the pose at that moment: one key for each channel. */
TEST(a_moment_is_one_key)
{
    sample s;
    sample_fill(&s);
    s.clip.duration = 1;
    const trilo_clip_part part = {.from = 1};
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &part});
    CHECK_NEAR(m->clips[0].duration, 0, 0);
    for (uint32_t k = 0; k < CHANNELS; k++) {
        CHECK_INT(m->clips[0].channels[k].key_count, 1);
        check_same(&s.channels[k], 1, &m->clips[0].channels[k], 0, k == 4 ? 2e-4 : 2e-6);
    }
    trilo_model_free(m);
}

/* ---- markers ---- */

/* Markers in any order; one at the start and one behind the end split nothing. */
TEST(markers_split_a_clip)
{
    static const trilo_marker markers[] = {{1.25, "Turn"}, {0.5, NULL}, {0, "Zero"}, {3, "Late"}};
    static const char *const names[] = {"Walk", "Walk.1", "Turn"};
    static const double starts[] = {0, 0.5, 1.25, 2};
    sample s;
    sample_fill(&s);
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.marker_count = 4, .markers = markers});
    CHECK_INT(m->clip_count, 3);
    CHECK_INT(m->clips[0].channels[2].key_count, 1); /* the jump at 0.5 belongs to what begins there */
    CHECK_INT(m->clips[0].channels[0].key_count, 2);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_STR(m->clips[i].name.data, names[i]);
        CHECK_NEAR(m->clips[i].duration, starts[i + 1] - starts[i], 1e-12);
        for (uint32_t k = 0; k < CHANNELS; k++)
            for (double t = starts[i]; t < starts[i + 1] - 1e-9; t += 1 / 64.0)
                check_same(&s.channels[k], t, &m->clips[i].channels[k], t - starts[i], k == 4 ? 2e-4 : 2e-6);
    }
    trilo_model_free(m);
}

TEST(parts_and_markers_together)
{
    static const trilo_marker markers[] = {{0.5, "A"}, {1, "B"}};
    static const trilo_clip_part parts[] = {{0, 0.75, 2, "Late"}, {0, 0, 0, NULL}};
    static const char *const names[] = {"Late", "B", "Walk", "A", "B"};
    static const double lengths[] = {0.25, 1, 0.5, 0.5, 1};
    sample s;
    sample_fill(&s);
    const trilo_model *m =
        edit(&s.model, &(trilo_clip_edit){.part_count = 2, .parts = parts, .marker_count = 2, .markers = markers});
    CHECK_INT(m->clip_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_STR(m->clips[i].name.data, names[i]);
        CHECK_NEAR(m->clips[i].duration, lengths[i], 1e-12);
    }
    trilo_model_free(m);
}

/* ---- backwards ---- */

TEST(reversed_clips_run_backwards)
{
    sample s;
    sample_fill(&s);
    const trilo_clip_edit reverse = {.reverse = true};
    const trilo_model *m = edit(&s.model, &reverse);
    for (uint32_t k = 0; k < CHANNELS; k++)
        for (double t = 1 / 128.0; t < 2; t += 1 / 64.0) /* never at a key, where a step has jumped already */
            check_same(&s.channels[k], t, &m->clips[0].channels[k], 2 - t, 2e-6);
    const trilo_model *again = edit(m, &reverse);
    for (uint32_t k = 0; k < CHANNELS; k++)
        for (double t = 1 / 128.0; t < 2; t += 1 / 64.0)
            check_same(&s.channels[k], t, &again->clips[0].channels[k], t, 2e-6);
    trilo_model_free(again);
    trilo_model_free(m);
}

/* Keys of all but steps come back to the bit. */
TEST(reversed_twice_is_the_same)
{
    sample s;
    sample_fill(&s);
    const trilo_clip_edit reverse = {.reverse = true};
    const trilo_model *m = edit(&s.model, &reverse), *again = edit(m, &reverse);
    for (uint32_t k = 0; k < CHANNELS; k++) {
        const trilo_channel *a = &s.channels[k], *b = &again->clips[0].channels[k];
        const uint32_t width = trilo_target_width(a->target) * (a->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1);
        if (a->interpolation == TRILO_INTERPOLATION_STEP)
            continue;
        CHECK_INT(b->key_count, a->key_count);
        CHECK(memcmp(a->times, b->times, a->key_count * sizeof *a->times) == 0);
        for (uint32_t i = 0; i < a->key_count * width; i++)
            CHECK(a->values[i] == b->values[i]);
    }
    trilo_model_free(again);
    trilo_model_free(m);
}

/* ---- even keys ---- */

TEST(resampled_clips_have_even_keys)
{
    sample s;
    sample_fill(&s);
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.rate = 8});
    CHECK_NEAR(m->clips[0].rate, 8, 0);
    for (uint32_t k = 0; k < CHANNELS; k++) {
        const trilo_channel *c = &m->clips[0].channels[k];
        CHECK_INT(c->key_count, 17);
        CHECK_INT(c->interpolation, k == 2 ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR);
        for (uint32_t i = 0; i < 17; i++) {
            CHECK_NEAR(c->times[i], i / 8.0, 1e-12);
            check_same(&s.channels[k], i / 8.0, c, i / 8.0, 0);
        }
    }
    trilo_model_free(m);
    m = edit(&s.model, &(trilo_clip_edit){.rate = 0.75}); /* 0, 1.33 and the end */
    CHECK_INT(m->clips[0].channels[0].key_count, 3);
    CHECK_NEAR(m->clips[0].channels[0].times[2], 2, 0);
    trilo_model_free(m);
}

/* ---- channels at rest ---- */

/* y rests in one clip and moves in the other, so it stays in both; z rests in both. */
TEST(channels_go_when_they_are_static_everywhere)
{
    static const float zero[2] = {0, 0}, far[2] = {0, 1}, turn[8] = {0, 0, 0, 1, 0, 0, 0, -1};
    sample s;
    trilo_channel first[3], second[2];
    sample_fill(&s);
    first[0] = (trilo_channel){1, TRILO_TARGET_TRANSLATION_Y, TRILO_INTERPOLATION_LINEAR, 2, times, zero, 0, 0};
    first[1] = (trilo_channel){1, TRILO_TARGET_TRANSLATION_Z, TRILO_INTERPOLATION_LINEAR, 2, times, zero, 0, 0};
    first[2] = (trilo_channel){1, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, 2, times, turn, 0, 0};
    second[0] = (trilo_channel){1, TRILO_TARGET_TRANSLATION_Z, TRILO_INTERPOLATION_STEP, 2, times, zero, 0, 0};
    second[1] = (trilo_channel){1, TRILO_TARGET_TRANSLATION_Y, TRILO_INTERPOLATION_LINEAR, 2, times, far, 0, 0};
    const trilo_clip clips[2] = {{.duration = 1, .channel_count = 3, .channels = first},
                                 {.duration = 1, .channel_count = 2, .channels = second}};
    s.model.clips = clips;
    s.model.clip_count = 2;
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.drop_resting = true});
    CHECK_INT(m->clips[0].channel_count, 1);
    CHECK_INT(m->clips[0].channels[0].target, TRILO_TARGET_TRANSLATION_Y);
    CHECK_INT(m->clips[1].channel_count, 1);
    trilo_model_free(m);
}

/* ---- frames of whole vertices ---- */

TEST(frames_are_cut_and_reversed)
{
    static const float at[3][1][3] = {{{0, 0, 0}}, {{4, 0, 0}}, {{8, 0, 2}}};
    const trilo_frame frames[3] = {{0, at[0], NULL}, {1, at[1], NULL}, {2, at[2], NULL}};
    const trilo_track track = {0, false, 3, frames};
    const trilo_mesh mesh = {
        .material = TRILO_NONE, .node = TRILO_NONE, .skin = TRILO_NONE, .vertex_count = 1, .positions = at[0]};
    const trilo_clip clip = {.duration = 2, .track_count = 1, .tracks = &track};
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh, .clip_count = 1, .clips = &clip};
    const trilo_clip_part part = {.from = 0.5, .to = 1.5};
    const trilo_model *m = edit(&model, &(trilo_clip_edit){.part_count = 1, .parts = &part, .reverse = true});
    const trilo_track *t = &m->clips[0].tracks[0];
    CHECK_INT(t->frame_count, 3);
    CHECK_NEAR(t->frames[0].time, 0, 0);
    CHECK_NEAR(t->frames[0].positions[0][0], 6, 1e-6); /* half way from 4 to 8 */
    CHECK_NEAR(t->frames[0].positions[0][2], 1, 1e-6);
    CHECK_NEAR(t->frames[1].time, 0.5, 1e-12);
    CHECK_NEAR(t->frames[1].positions[0][0], 4, 0);
    CHECK_NEAR(t->frames[2].time, 1, 1e-12);
    CHECK_NEAR(t->frames[2].positions[0][0], 2, 1e-6);
    trilo_model_free(m);
}

/* Frames at 0, 1 and 2: one is added only where a part begins or ends between them. */
TEST(parts_of_frames)
{
    static const float at[3][1][3] = {{{0, 0, 0}}, {{4, 0, 0}}, {{8, 0, 2}}};
    static const struct {
        double from, to;
        uint32_t count;
        float first, last;
    } cuts[] = {{0.5, 1, 2, 2, 4}, {0.5, 1.5, 3, 2, 6}, {1, 1.5, 2, 4, 6}, {0, 1, 2, 0, 4}, {1, 1.25, 2, 4, 5}};
    const trilo_frame frames[3] = {{0, at[0], NULL}, {1, at[1], NULL}, {2, at[2], NULL}};
    const trilo_track track = {0, false, 3, frames};
    const trilo_mesh mesh = {
        .material = TRILO_NONE, .node = TRILO_NONE, .skin = TRILO_NONE, .vertex_count = 1, .positions = at[0]};
    const trilo_clip clip = {.duration = 2, .track_count = 1, .tracks = &track};
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh, .clip_count = 1, .clips = &clip};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        const trilo_clip_part part = {.from = cuts[i].from, .to = cuts[i].to};
        const trilo_model *m = edit(&model, &(trilo_clip_edit){.part_count = 1, .parts = &part});
        const trilo_track *t = &m->clips[0].tracks[0];
        CHECK_INT(t->frame_count, cuts[i].count);
        CHECK_NEAR(t->frames[0].time, 0, 0);
        CHECK_NEAR(t->frames[0].positions[0][0], cuts[i].first, 1e-6);
        CHECK_NEAR(t->frames[t->frame_count - 1].time, cuts[i].to - cuts[i].from, 0);
        CHECK_NEAR(t->frames[t->frame_count - 1].positions[0][0], cuts[i].last, 1e-6);
        trilo_model_free(m);
    }
}

/* ---- exact keys ---- */

typedef struct cut_keys {
    double from, to; /* of the part */
    uint32_t count;
    double times[6];
} cut_keys;

static void check_cut(const trilo_channel *channel, const cut_keys *want)
{
    sample s;
    sample_fill(&s);
    s.channels[0] = *channel;
    s.clip.channel_count = 1;
    const trilo_clip_part part = {.from = want->from, .to = want->to};
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &part});
    const trilo_channel *c = &m->clips[0].channels[0];
    CHECK_INT(c->key_count, want->count);
    for (uint32_t k = 0; k < want->count; k++) {
        CHECK_NEAR(c->times[k], want->times[k], 1e-12);
        check_same(channel, want->from + want->times[k], c, want->times[k], 1e-6);
    }
    CHECK_NEAR(m->clips[0].duration, want->to - want->from, 1e-12);
    trilo_model_free(m);
}

/* Keys at 0.5, 1 and 1.5 of a clip of 2 seconds. A key is added where a part begins or ends between two of them, but
 * not before the first or behind the last, where the channel holds its value anyway. */
static const double inner[3] = {0.5, 1, 1.5};

TEST(parts_have_no_more_keys_than_they_need)
{
    static const cut_keys cuts[] = {
        {0.25, 1.75, 3, {0.25, 0.75, 1.25}},
        {0.5, 1.5, 3, {0, 0.5, 1}},
        {0.5, 1, 2, {0, 0.5}},
        {1, 1.5, 2, {0, 0.5}},
        {0.75, 1.5, 3, {0, 0.25, 0.75}},
        {0.5, 1.25, 3, {0, 0.5, 0.75}},
        {0.75, 1.25, 3, {0, 0.25, 0.5}},
        {0.625, 0.75, 2, {0, 0.125}},
        {0.25, 0.375, 1, {0.125}},
        {1.625, 1.75, 1, {0}},
        {1.5, 1.75, 1, {0}},
        {0.25, 0.5, 1, {0.25}},
    };
    static const float line[3] = {1, 5, 2};
    static const float cubic[9] = {0, 1, 2, -1, 5, 3, 1, 2, 0};
    const trilo_channel linear = {0, TRILO_TARGET_SCALE_Y, TRILO_INTERPOLATION_LINEAR, 3, inner, line, 0, 0};
    const trilo_channel curved = {0, TRILO_TARGET_SCALE_Z, TRILO_INTERPOLATION_CUBIC, 3, inner, cubic, 0, 0};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        check_cut(&linear, &cuts[i]);
        check_cut(&curved, &cuts[i]);
    }
}

/* A step has no key at the end of a part, except the last one of a clip. */
TEST(parts_of_steps)
{
    static const cut_keys cuts[] = {
        {0.25, 1.75, 3, {0.25, 0.75, 1.25}},
        {0.5, 1.5, 3, {0, 0.5, 1}},
        {0.75, 1.25, 2, {0, 0.25}},
        {0.625, 0.75, 1, {0}},
        {1.625, 1.75, 1, {0}},
        {0.5, 1, 2, {0, 0.5}},
        {1.5, 1.75, 1, {0}},
        {0.25, 0.375, 1, {0}},
    };
    static const float values[3] = {1, 5, 2};
    const trilo_channel steps3 = {0, TRILO_TARGET_SCALE_Y, TRILO_INTERPOLATION_STEP, 3, inner, values, 0, 0};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        check_cut(&steps3, &cuts[i]);
    static const trilo_marker marker = {1, NULL}; /* not the last part: its end is the start of the next */
    sample s;
    sample_fill(&s);
    s.channels[0] = steps3;
    s.clip.channel_count = 1;
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.marker_count = 1, .markers = &marker});
    CHECK_INT(m->clip_count, 2);
    CHECK_INT(m->clips[0].channels[0].key_count, 1);
    CHECK_INT(m->clips[1].channels[0].key_count, 2);
    trilo_model_free(m);
}

/* On the curve from 1, with the slope 2, to 5, with the slope -1, within half a second, a part of it begins at t = 1/2.
 * By the derivatives of the Hermite polynomials there, 1.5 (5 - 1) / 0.5 - 2 / 4 + 1 / 4 = 11.75; at t = 1/4 they are
 * 1.125, 3/16 and -5/16: 1.125 * 8 + 2 * 3 / 16 + 5 / 16 = 9.6875. The values are 3 + 0.5 * (2 + 1) / 8 and
 * 1 + 4 * 5 / 32 + 0.5 * (2 * 9 + 3) / 64. */
TEST(tangents_of_added_keys)
{
    static const float cubic[9] = {9, 1, 2, -1, 5, 3, 1, 2, 9};
    static const double wants[2][2] = {{3.1875, 11.75}, {1.7890625, 9.6875}};
    for (int i = 0; i < 2; i++) {
        sample s;
        sample_fill(&s);
        s.channels[0] = (trilo_channel){0, TRILO_TARGET_SCALE_Z, TRILO_INTERPOLATION_CUBIC, 3, inner, cubic, 0.5f, 7};
        s.clip.channel_count = 1;
        const double cut = i == 0 ? 0.75 : 0.625;
        const trilo_clip_part parts[2] = {{0, cut, 1.25, NULL}, {0, 0.5, cut, NULL}};
        const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 2, .parts = parts});
        const float *first = m->clips[0].channels[0].values, *last = m->clips[1].channels[0].values + 3;
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(first[k], wants[i][k != 1], 0);
            CHECK_NEAR(last[k], wants[i][k != 1], 0);
        }
        CHECK(m->clips[0].channels[0].step == 0 && m->clips[0].channels[0].base == 0);
        trilo_model_free(m);
    }
}

/* Parts with the keys of the file have its steps between values, too. */
TEST(parts_without_added_keys_keep_their_precision)
{
    static const float values[3] = {1, 5, 2};
    sample s;
    sample_fill(&s);
    s.channels[0] = (trilo_channel){0, TRILO_TARGET_SCALE_Z, TRILO_INTERPOLATION_LINEAR, 3, inner, values, 0.5f, 7};
    s.clip.channel_count = 1;
    const trilo_clip_part parts[3] = {{0, 0.5, 1.5, NULL}, {0, 0.5, 1.25, NULL}, {0, 0.75, 1.5, NULL}};
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.part_count = 3, .parts = parts});
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_NEAR(m->clips[i].channels[0].step, i == 0 ? 0.5 : 0, 0);
        CHECK_NEAR(m->clips[i].channels[0].base, i == 0 ? 7 : 0, 0);
    }
    trilo_model_free(m);
}

/* A channel without keys stays one, whatever is done. */
TEST(channels_without_keys)
{
    sample s;
    sample_fill(&s);
    s.channels[0] = (trilo_channel){0, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_CUBIC, 0, NULL, NULL, 0, 0};
    s.channels[1] = (trilo_channel){1, TRILO_TARGET_SCALE_X, TRILO_INTERPOLATION_STEP, 0, NULL, NULL, 0, 0};
    s.clip.channel_count = 2;
    const trilo_clip_part part = {.from = 0.5, .to = 1};
    const trilo_model *m =
        edit(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &part, .reverse = true, .rate = 10});
    CHECK_INT(m->clips[0].channel_count, 2);
    for (int i = 0; i < 2; i++)
        CHECK_INT(m->clips[0].channels[i].key_count, 0);
    trilo_model_free(m);
}

/* Tangents change places and signs. */
TEST(reversed_keys)
{
    static const float values[18] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    static const float want[18] = {-17, -18, -19, 14, 15, 16, -11, -12, -13, -7, -8, -9, 4, 5, 6, -1, -2, -3};
    static const double when[2] = {0.5, 1.25};
    sample s;
    sample_fill(&s);
    s.channels[0] = (trilo_channel){0, TRILO_TARGET_SCALE, TRILO_INTERPOLATION_CUBIC, 2, when, values, 0, 0};
    s.clip.channel_count = 1;
    const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.reverse = true});
    const trilo_channel *c = &m->clips[0].channels[0];
    CHECK_INT(c->key_count, 2);
    CHECK(c->times[0] == 0.75 && c->times[1] == 1.5);
    CHECK(memcmp(c->values, want, sizeof want) == 0);
    trilo_model_free(m);
}

/* 1 from 0.5 on, 2 from 1, 3 from 1.5 to the end at 2: backwards it is 3 until 0.5, 2 until 1, then 1. A last step at
 * the end itself is lost, unless it is the only one. */
TEST(reversed_steps)
{
    static const float values[3] = {1, 2, 3};
    static const double to_end[3] = {0.5, 1, 2};
    sample s;
    sample_fill(&s);
    trilo_channel *c = &s.channels[0];
    *c = (trilo_channel){0, TRILO_TARGET_SCALE_X, TRILO_INTERPOLATION_STEP, 3, inner, values, 0, 0};
    s.clip.channel_count = 1;
    for (int i = 0; i < 3; i++) {
        c->times = i == 0 ? inner : i == 1 ? to_end : to_end + 2;
        c->key_count = i == 2 ? 1 : 3;
        const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.reverse = true});
        const trilo_channel *r = &m->clips[0].channels[0];
        const uint32_t count = 3 - (uint32_t)i;
        CHECK_INT(r->key_count, count);
        for (uint32_t k = 0; k < count; k++) {
            static const double times_of[3][3] = {{0, 0.5, 1}, {0, 1}, {0}};
            CHECK_NEAR(r->times[k], times_of[i][k], 0);
            CHECK_NEAR(r->values[k], i == 2 ? 1 : count - k, 0);
        }
        trilo_model_free(m);
    }
}

/* Keys every second and at the end; one within a millionth of a key's distance of the end is left out. */
TEST(how_many_keys_resampling_makes)
{
    static const struct {
        double duration, rate;
        uint32_t keys;
    } all[] = {{2, 1, 3}, {2 + 5e-7, 1, 3}, {2 + 2e-6, 1, 4}, {2 - 5e-7, 1, 3}, {2.5, 1, 4},
               {1, 2, 3}, {0, 1, 1},        {1e-7, 1, 1},     {2e-6, 1, 2},     {0.25, 4, 2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sample s;
        sample_fill(&s);
        s.clip.duration = all[i].duration;
        s.channels[0].step = s.channels[0].base = 3;
        const trilo_model *m = edit(&s.model, &(trilo_clip_edit){.rate = all[i].rate});
        for (uint32_t k = 0; k < CHANNELS; k++) {
            const trilo_channel *c = &m->clips[0].channels[k];
            CHECK_INT(c->key_count, all[i].keys);
            CHECK(c->step == 0 && c->base == 0);
            for (uint32_t j = 0; j < c->key_count; j++)
                CHECK_NEAR(c->times[j], j > 0 && j + 1 == c->key_count ? all[i].duration : j / all[i].rate, 0);
        }
        trilo_model_free(m);
    }
}

/* Is the only channel of the clip dropped? */
static bool rests(sample *s, const trilo_channel *channel)
{
    s->channels[0] = *channel;
    s->clip.channel_count = 1;
    const trilo_model *m = edit(&s->model, &(trilo_clip_edit){.drop_resting = true});
    const bool dropped = m->clips[0].channel_count == 0;
    trilo_model_free(m);
    return dropped;
}

/* Each number of each target, in either of two keys, may be off by 1e-5, or by that part of a rest above 1. */
TEST(channels_at_rest)
{
    static const float rest[TRILO_TARGET_COUNT][4] = {[TRILO_TARGET_TRANSLATION] = {0.5f, 200, -3},
                                                      [TRILO_TARGET_ROTATION] = {0, 0.6f, 0, -0.8f},
                                                      [TRILO_TARGET_SCALE] = {1, 40, 0.25f},
                                                      [TRILO_TARGET_TRANSLATION_X] = {0.5f},
                                                      [TRILO_TARGET_TRANSLATION_Y] = {200},
                                                      [TRILO_TARGET_TRANSLATION_Z] = {-3},
                                                      [TRILO_TARGET_SCALE_X] = {1},
                                                      [TRILO_TARGET_SCALE_Y] = {40},
                                                      [TRILO_TARGET_SCALE_Z] = {0.25f}};
    for (int target = 0; target < TRILO_TARGET_COUNT; target++) {
        const uint32_t width = trilo_target_width((trilo_target)target);
        for (uint32_t i = 0; i < 2 * width; i++)
            for (int off = -2; off <= 2; off++) {
                float values[8];
                sample s;
                sample_fill(&s);
                s.nodes[1].translation = (trilo_vec3){0.5f, 200, -3};
                s.nodes[1].rotation = (trilo_quat){0, 0.6f, 0, -0.8f};
                s.nodes[1].scale = (trilo_vec3){1, 40, 0.25f};
                for (uint32_t k = 0; k < 2 * width; k++)
                    values[k] = rest[target][k % width];
                const double unit = 1e-5 * fmax(1, fabs((double)values[i]));
                values[i] = (float)(values[i] + (off % 2 == 0 ? 0.55 : 0.9) * off * unit);
                const trilo_channel c = {1, (trilo_target)target, TRILO_INTERPOLATION_LINEAR, 2, times, values, 0, 0};
                CHECK_INT(rests(&s, &c), off % 2 != 0 || off == 0);
            }
    }
}

/* q and -q are one rotation, but a vector and its opposite are two. */
TEST(opposite_values_at_rest)
{
    static const float turn[4] = {0, -0.6f, 0, 0.8f}, move[3] = {-1, -2, -3};
    sample s;
    sample_fill(&s);
    s.nodes[1].rotation = (trilo_quat){0, 0.6f, 0, -0.8f};
    s.nodes[1].translation = (trilo_vec3){1, 2, 3};
    CHECK(rests(&s, &(trilo_channel){1, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, 1, times, turn, 0, 0}));
    CHECK(!rests(&s, &(trilo_channel){1, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_LINEAR, 1, times, move, 0, 0}));
}

/* Between keys at rest, a curve rests only if its tangents are 0, within 1e-5. */
TEST(curves_at_rest)
{
    for (uint32_t i = 0; i < 18; i++)
        for (int off = -2; off <= 2; off++) {
            float values[18] = {0, 0, 0, 5, 6, 7, 0, 0, 0, 0, 0, 0, 5, 6, 7, 0, 0, 0};
            sample s;
            sample_fill(&s);
            s.nodes[1].scale = (trilo_vec3){5, 6, 7};
            if (i / 3 % 3 == 1)
                continue; /* the value itself */
            values[i] = (off % 2 == 0 ? 0.55e-5f : 0.9e-5f) * (float)off;
            const trilo_channel c = {1, TRILO_TARGET_SCALE, TRILO_INTERPOLATION_CUBIC, 2, times, values, 0, 0};
            CHECK_INT(rests(&s, &c), off % 2 != 0 || off == 0);
        }
}

/* ---- linear keys of curves ---- */

/* Tangents along the chord: on a small arc the normalized spline is as even as slerp, so two keys are enough. By 60
 * degrees a quarter of the way is atan(0.25 sin 30 / (0.75 + 0.25 cos 30)) = 7.37 degrees of the half angle instead of
 * 7.5: there is a key 60 times a second. */
TEST(straight_curves_of_rotations_are_sampled_where_slerp_differs)
{
    static const float halves[] = {0.01f, 0.5235988f};
    static const double ends[2] = {0, 1};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (int large = 0; large < 2; large++) {
        const float s = sinf(halves[large]), c = cosf(halves[large]), rise = c - 1;
        const float values[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, s, rise, 0, 0, s, rise, 0, 0, s, c, 0, 0, 0, 0};
        const trilo_channel channel = {0, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_CUBIC, 2, ends, values, 0, 0};
        trilo_channel linear;
        float q[4];
        CHECK(tl_channel_linear(&arena, &channel, TL_CURVE_RATE, &linear));
        CHECK_INT(linear.interpolation, TRILO_INTERPOLATION_LINEAR);
        CHECK_INT(linear.key_count, large ? 61 : 2);
        trilo_channel_sample(&linear, 0.25, q);
        CHECK_NEAR(q[2], sin(atan2(0.25 * sin(halves[large]), 0.75 + 0.25 * cos(halves[large]))), 1e-6);
    }
    tl_arena_free(&arena);
}

/* ---- another skeleton ---- */

/* A model whose hand has a prefix, rests a quarter turn around z, and is twice as far from its hip. */
static void target_fill(sample *s)
{
    sample_fill(s);
    s->nodes[1].name = other;
    s->nodes[1].rotation = (trilo_quat){0, 0, 0.70710678f, 0.70710678f};
    s->nodes[1].translation.y = 2;
}

static const trilo_model *retarget(const trilo_model *model, const trilo_model *from, trilo_retarget_opts how,
                                   listener *l)
{
    trilo_error err = {0};
    how.on_finding = listen;
    how.on_finding_user = l;
    const trilo_model *m = trilo_model_retarget_clips(model, from, &how, NULL, &err);
    if (!m)
        FAIL("%s: %s", err.rule, err.text);
    CHECK(trilo_model_check(m, &err));
    return m;
}

TEST(clips_find_their_bones_by_name)
{
    sample from, to;
    static listener l;
    memset(&l, 0, sizeof l);
    sample_fill(&from);
    target_fill(&to);
    const trilo_model *m = retarget(&to.model, &from.model, (trilo_retarget_opts){0}, &l);
    CHECK_INT(m->clip_count, 1);
    CHECK_INT(m->clips[0].channel_count, 2); /* those of the hip */
    CHECK_INT(l.count, 1);
    expect(&l, "MODEL-NO-NODE", "clips[0]", "the hand");
    trilo_model_free(m);

    memset(&l, 0, sizeof l);
    m = retarget(&to.model, &from.model, (trilo_retarget_opts){.loose = true, .keep = true}, &l);
    CHECK_INT(m->clip_count, 2);
    CHECK_INT(m->clips[1].channel_count, CHANNELS);
    CHECK_INT(l.count, 0);
    for (uint32_t k = 0; k < CHANNELS; k++) {
        CHECK_INT(m->clips[1].channels[k].node, from.channels[k].node);
        for (double t = 0; t <= 2; t += 0.125)
            check_same(&from.channels[k], t, &m->clips[1].channels[k], t, 0);
    }
    trilo_model_free(m);
}

/* Names end where their lengths say, whatever comes behind them. */
TEST(names_that_are_parts_of_texts)
{
    sample from, to;
    static listener l;
    sample_fill(&from);
    sample_fill(&to);
    from.nodes[0].name = (trilo_str){"hip's", 3}, to.nodes[0].name = (trilo_str){"hippo", 3};
    from.nodes[1].name = (trilo_str){"handle", 4}, to.nodes[1].name = (trilo_str){"hands", 4};
    for (int loose = 0; loose < 2; loose++) {
        memset(&l, 0, sizeof l);
        const trilo_model *m = retarget(&to.model, &from.model, (trilo_retarget_opts){.loose = loose}, &l);
        CHECK_INT(m->clips[0].channel_count, CHANNELS);
        CHECK_INT(l.count, 0);
        trilo_model_free(m);
    }
}

/* From one rest to the other: what does not move stays at the rest, moves grow with the bone, and a turn of the source
 * comes behind the rest's own. */
TEST(moves_can_start_from_the_rest)
{
    static const float move[6] = {0, 1, 0, 0, 1.5f, 0}, turn[8] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f};
    sample from, to;
    static listener l;
    memset(&l, 0, sizeof l);
    sample_fill(&from);
    target_fill(&to);
    from.nodes[1].translation.y = 1;
    from.channels[0] = (trilo_channel){1, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_LINEAR, 2, times, move, 0, 0};
    from.channels[1] = (trilo_channel){1, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, 2, times, turn, 0, 0};
    from.clip.channel_count = 2;
    const trilo_model *m = retarget(&to.model, &from.model, (trilo_retarget_opts){.loose = true, .relative = true}, &l);
    const float *places_of = m->clips[0].channels[0].values, *turns_of = m->clips[0].channels[1].values;
    CHECK_NEAR(places_of[1], 2, 1e-6); /* at rest */
    CHECK_NEAR(places_of[4], 3, 1e-6); /* half a bone further */
    CHECK_NEAR(turns_of[2], 0.70710678, 1e-6);
    CHECK_NEAR(turns_of[3], 0.70710678, 1e-6);
    /* (z, w) = (s, s) times (x, w) = (0.6, 0.8): x = 0.6 s, y = 0.6 s, z = 0.8 s, w = 0.8 s */
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(turns_of[4 + i], (i < 2 ? 0.6 : 0.8) * 0.70710678, 1e-6);
    trilo_model_free(m);
}

/* ---- mistakes ---- */

TEST(mistakes_are_reported)
{
    sample s;
    trilo_error err = {0};
    sample_fill(&s);
    const trilo_clip_part nowhere = {.clip = 1}, never = {.from = NAN};
    CHECK(!trilo_model_edit_clips(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &nowhere}, NULL, &err));
    CHECK_STR(err.rule, "CALL-MISUSE");
    CHECK(!trilo_model_edit_clips(&s.model, &(trilo_clip_edit){.part_count = 1, .parts = &never}, NULL, &err));
    CHECK(!trilo_model_edit_clips(&s.model, &(trilo_clip_edit){.rate = 1e9}, NULL, &err));
    const trilo_model *m = trilo_model_edit_clips(&s.model, NULL, NULL, &err); /* nothing changes */
    CHECK(m && m->clip_count == 1 && m->clips[0].channel_count == CHANNELS);
    trilo_model_free(m);
    const trilo_memory little = {.max_bytes = 512};
    CHECK(!trilo_model_edit_clips(&s.model, NULL, &little, &err));
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
}

TEST_MAIN(CASE(a_part_starts_with_what_is_due), CASE(a_part_follows_the_same_curves), CASE(a_moment_is_one_key),
          CASE(markers_split_a_clip), CASE(parts_and_markers_together), CASE(reversed_clips_run_backwards),
          CASE(reversed_twice_is_the_same), CASE(resampled_clips_have_even_keys),
          CASE(channels_go_when_they_are_static_everywhere), CASE(frames_are_cut_and_reversed), CASE(parts_of_frames),
          CASE(parts_have_no_more_keys_than_they_need), CASE(parts_of_steps), CASE(tangents_of_added_keys),
          CASE(parts_without_added_keys_keep_their_precision), CASE(channels_without_keys), CASE(reversed_keys),
          CASE(reversed_steps), CASE(how_many_keys_resampling_makes), CASE(channels_at_rest),
          CASE(opposite_values_at_rest), CASE(curves_at_rest),
          CASE(straight_curves_of_rotations_are_sampled_where_slerp_differs), CASE(clips_find_their_bones_by_name),
          CASE(names_that_are_parts_of_texts), CASE(moves_can_start_from_the_rest), CASE(mistakes_are_reported))
