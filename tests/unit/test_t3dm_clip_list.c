/* Which clips of a model are written, with which channels, and what they are called: tl_t3dm_encode_clips with keys
 * that are kept, on models made by hand. */
#include "formats/t3dm/animation/animation.h"
#include "harness.h"
#include "support/t3dm_encoder.h"

#include <stdio.h>
#include <string.h>

enum { NODES = 4, CHANNELS = 4, CLIPS = 3 };

/* Nodes 0 to 2 are bones 2, 0 and 1; node 3 is none. All rest unturned at 0. Clips have channels of two keys, 1 second
 * apart. */
typedef struct stage {
    encoder_bench b;
    trilo_node nodes[NODES];
    uint32_t bone_of_node[NODES];
    t3dm_bone bones[NODES];
    trilo_clip clips[CLIPS];
    trilo_channel channels[CLIPS][CHANNELS];
    double times[CLIPS][CHANNELS][2];
    float values[CLIPS][CHANNELS][8];
} stage;

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

static void stage_make(stage *s)
{
    static const char *const names[NODES] = {"hip", "leg", "arm", "lamp"}, *const clips[CLIPS] = {"run", "", "sit"};
    static const uint32_t bones[NODES] = {2, 0, 1, TRILO_NONE};
    memset(s, 0, sizeof *s);
    encoder_bench_init(&s->b);
    for (uint32_t n = 0; n < NODES; n++) {
        s->nodes[n] =
            (trilo_node){.name = text_of(names[n]), .parent = TRILO_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        s->bone_of_node[n] = bones[n];
        s->bones[n].parent = T3DM_NO_BONE;
    }
    for (uint32_t i = 0; i < CLIPS; i++)
        s->clips[i] = (trilo_clip){.name = text_of(clips[i]), .duration = 1, .channels = s->channels[i]};
    s->b.model = (trilo_model){.node_count = NODES, .nodes = s->nodes, .clip_count = 1, .clips = s->clips};
    s->b.file.bones = s->bones;
    s->b.file.skeleton.bone_count = 3;
    s->b.e.bone_of_node = s->bone_of_node;
    s->b.e.policy.keep_keys = true;
    s->b.e.policy.drop_static_clips = true;
}

/* From one value to another within a second; NULL: of a rotation the identity. */
static trilo_channel *stage_add(stage *s, uint32_t clip, uint32_t node, trilo_target target, const float *from,
                                const float *to)
{
    static const float none[4] = {0, 0, 0, 1};
    const uint32_t number = s->clips[clip].channel_count++, width = trilo_target_width(target);
    trilo_channel *c = &s->channels[clip][number];
    *c = (trilo_channel){.node = node,
                         .target = target,
                         .key_count = 2,
                         .times = s->times[clip][number],
                         .values = s->values[clip][number]};
    s->times[clip][number][1] = 1;
    memcpy(s->values[clip][number], from ? from : none, width * sizeof(float));
    memcpy(s->values[clip][number] + width, to ? to : none, width * sizeof(float));
    return c;
}

static const float zero[3] = {0, 0, 0}, aside[3] = {7, 0, 0}, up[3] = {0, 5, 3}, turned[4] = {0.6f, 0, 0, 0.8f};

static void stage_encode(stage *s)
{
    CHECK(tl_t3dm_encode_clips(&s->b.e));
}

/* The finding of a rule; "": there is none. */
static const char *said(const stage *s, const char *rule)
{
    const size_t at = heard(&s->b.heard, rule);
    return at < s->b.heard.count ? s->b.heard.texts[at] : "";
}

/* ---- which clips ---- */

TEST(clips_that_show_nothing_are_left_out)
{
    static const struct {
        double start, duration;
        uint32_t node, keys;
        bool written;
        const char *text;
    } rows[] = {
        {0, 1, 1, 2, true, ""},
        {0, 1e-4, 1, 2, true, ""},
        {0, 0.9e-4, 1, 2, false, "\"run\": the clip is a single pose without a duration, so it is not written"},
        {0.5, 0.50011, 1, 2, true, ""},
        {0.5, 0.50009, 1, 2, false, "\"run\": the clip is a single pose without a duration, so it is not written"},
        {0, 1, 3, 2, false, "\"run\": the clip moves no bone and no mesh, so it is not written"},
        {0, 0, 3, 2, false, "\"run\": the clip moves no bone and no mesh, so it is not written"},
        {0, 1, 1, 0, false, "\"run\": the clip moves no bone and no mesh, so it is not written"}};
    static stage s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int drop = 0; drop < 2; drop++) {
            stage_make(&s);
            stage_add(&s, 0, rows[i].node, TRILO_TARGET_TRANSLATION, zero, aside)->key_count = rows[i].keys;
            s.times[0][0][0] = rows[i].start, s.times[0][0][1] = rows[i].start + 1;
            s.clips[0].duration = rows[i].duration;
            s.b.e.policy.drop_static_clips = drop;
            stage_encode(&s);
            CHECK_INT(s.b.file.animation_count, rows[i].written || !drop);
            CHECK_STR(said(&s, "T3DM-LOST-CLIP"), drop ? rows[i].text : "");
            CHECK_STR(said(&s, "T3DM-LOST-CHANNELS"),
                      drop && rows[i].node == 3
                          ? "\"run\": channels that move nothing visible (1, such as of \"lamp\") are lost"
                          : "");
            encoder_bench_free(&s.b);
        }
}

/* Those that rest are not lost. */
TEST(channels_of_nodes_that_carry_nothing)
{
    static stage s;
    stage_make(&s);
    s.bone_of_node[2] = TRILO_NONE;
    stage_add(&s, 0, 3, TRILO_TARGET_TRANSLATION, zero, zero);
    stage_add(&s, 0, 2, TRILO_TARGET_TRANSLATION, zero, up);
    stage_add(&s, 0, 1, TRILO_TARGET_TRANSLATION, zero, up);
    stage_add(&s, 0, 3, TRILO_TARGET_ROTATION, NULL, turned);
    stage_encode(&s);
    CHECK_INT(s.b.file.animation_count, 1);
    CHECK_STR(said(&s, "T3DM-LOST-CHANNELS"),
              "\"run\": channels that move nothing visible (2, such as of \"arm\") are lost");
    encoder_bench_free(&s.b);
}

/* ---- which channels ---- */

/* Axes that move, of rotations first; with all of them if asked for, or if nothing moves. */
TEST(channels_that_move)
{
    static stage s;
    for (int keep = 0; keep < 2; keep++) {
        stage_make(&s);
        s.b.e.policy.keep_static_channels = keep;
        stage_add(&s, 0, 0, TRILO_TARGET_TRANSLATION, zero, up);
        stage_add(&s, 0, 1, TRILO_TARGET_SCALE_Z, aside, up);
        stage_add(&s, 0, 2, TRILO_TARGET_ROTATION, turned, NULL);
        stage_add(&s, 0, 1, TRILO_TARGET_TRANSLATION_Y, zero, aside)->key_count = 0;
        stage_encode(&s);
        const t3dm_animation *a = &s.b.file.animations[0];
        CHECK_INT(a->head.quat_count, 1);
        CHECK_INT(a->head.scalar_count, keep ? 4 : 3);
        CHECK_INT(a->head.key_count, keep ? 10 : 8);
        CHECK_NEAR(a->head.duration, 1, 0);
        CHECK(a->mappings[0].bone == 1 && a->mappings[0].type == T3DM_ROTATION && a->mappings[0].axis == 0);
        for (int k = 0; k < 2 + keep; k++)
            CHECK(a->mappings[1 + k].bone == 2 && a->mappings[1 + k].type == T3DM_TRANSLATION &&
                  a->mappings[1 + k].axis == k + !keep);
        CHECK(a->mappings[3 + keep].bone == 0 && a->mappings[3 + keep].type == T3DM_SCALE &&
              a->mappings[3 + keep].axis == 2);
        CHECK_STR(said(&s, "T3DM-ANIM-EMPTY"), "");
        encoder_bench_free(&s.b);
    }
    stage_make(&s); /* nothing moves: everything stays */
    stage_add(&s, 0, 0, TRILO_TARGET_TRANSLATION, zero, zero);
    stage_add(&s, 0, 2, TRILO_TARGET_ROTATION, NULL, NULL);
    stage_encode(&s);
    CHECK_INT(s.b.file.animations[0].head.quat_count, 1);
    CHECK_INT(s.b.file.animations[0].head.scalar_count, 3);
    encoder_bench_free(&s.b);
    stage_make(&s); /* and without a key nothing is there at all */
    s.b.e.policy.drop_static_clips = false;
    stage_add(&s, 0, 0, TRILO_TARGET_TRANSLATION, zero, zero)->key_count = 0;
    stage_encode(&s);
    CHECK_INT(s.b.file.animations[0].head.quat_count + s.b.file.animations[0].head.scalar_count, 0);
    CHECK_STR(said(&s, "T3DM-ANIM-EMPTY"), "\"run\": the clip has no keys, so the written clip moves nothing");
    encoder_bench_free(&s.b);
}

/* The first clip turns the leg and the arm. In the second they hold the identity, which T3DM cannot store, to a
 * millionth; the rest pose must be it, too. */
TEST(rotations_that_hold_the_identity)
{
    static stage s;
    for (int k = 0; k < 3; k++)
        for (int way = 0; way < 6; way++) {
            float held[4] = {0, 0, 0, 1}, *rest = &s.nodes[1].rotation.x;
            stage_make(&s);
            s.b.model.clip_count = 2;
            stage_add(&s, 0, 1, TRILO_TARGET_ROTATION, NULL, turned);
            stage_add(&s, 0, 2, TRILO_TARGET_ROTATION, NULL, turned);
            held[k] = way == 1 ? 0.9e-6f : way == 2 ? 1.1e-6f : way == 5 ? -1.1e-6f : 0;
            rest[k] = way == 3 ? 0.9e-6f : way == 4 ? 1.1e-6f : 0;
            stage_add(&s, 1, 0, TRILO_TARGET_TRANSLATION_X, zero, aside);
            stage_add(&s, 1, 1, TRILO_TARGET_ROTATION, NULL, held);
            stage_add(&s, 1, 2, TRILO_TARGET_ROTATION, NULL, NULL);
            stage_encode(&s);
            const bool kept = way == 2 || way == 4 || way == 5;
            char text[240];
            snprintf(text, sizeof text,
                     "bones that other clips rotate are in their rest rotation (%d, such as \"%s\"), which T3DM cannot "
                     "store exactly; they have no channel, so reset the skeleton before the clip",
                     kept ? 1 : 2, kept ? "arm" : "leg");
            CHECK_INT(s.b.file.animations[1].head.quat_count, kept);
            text[strlen(said(&s, "T3DM-CLIP-RESET"))] = '\0'; /* a finding has room for so much */
            CHECK(strlen(text) > 100);
            CHECK_STR(said(&s, "T3DM-CLIP-RESET"), text);
            encoder_bench_free(&s.b);
        }
}

/* The step and base of a file that was read are used again if they give every value back, at scale 1. */
TEST(steps_of_scalars_are_kept)
{
    static const struct {
        float step, base, end, scale;
        bool kept;
    } rows[] = {{0.25f, -2, 7, 1, true},   {0.25f, -2, 7.25f, 1, true}, {0.25f, -2, 7.1f, 1, false},
                {0.25f, 1, 7, 1, false},   {0, -2, 7, 1, false},        {0.25f, -2, 7, 2, false},
                {0.001f, -2, 70, 1, false}};
    static stage s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float end[3] = {rows[i].end, 0, 0};
        stage_make(&s);
        s.b.e.policy.scale = rows[i].scale;
        trilo_channel *c = stage_add(&s, 0, 0, TRILO_TARGET_TRANSLATION_X, zero, end);
        c->step = rows[i].step, c->base = rows[i].base;
        stage_encode(&s);
        const t3dm_mapping *m = &s.b.file.animations[0].mappings[0];
        CHECK_INT(m->scale == rows[i].step && m->offset == rows[i].base, rows[i].kept);
        if (!rows[i].kept) /* from the least value to the largest */
            CHECK_NEAR((double)m->scale * 65535 + m->offset, rows[i].end * rows[i].scale, 0.001);
        encoder_bench_free(&s.b);
    }
}

/* ---- times ---- */

/* Time starts with the first key of all, unless that is at 0 or the policy keeps it. */
TEST(late_starts)
{
    static const struct {
        double first, second;
        bool keep;
        double start;
    } rows[] = {{0.5, 0.25, false, 0.25},
                {0.25, 0.5, false, 0.25},
                {0.5, 0, false, 0},
                {0.5, 0.25, true, 0},
                {-0.5, 0.25, false, 0}};
    static stage s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stage_make(&s);
        stage_add(&s, 0, 0, TRILO_TARGET_TRANSLATION_X, zero, aside);
        stage_add(&s, 0, 1, TRILO_TARGET_TRANSLATION_X, zero, aside);
        stage_add(&s, 0, 2, TRILO_TARGET_TRANSLATION_X, zero, aside)->key_count = 0;
        s.times[0][0][0] = rows[i].first, s.times[0][1][0] = rows[i].second;
        s.times[0][2][0] = -3;
        s.clips[0].duration = 1.25;
        s.b.e.policy.keep_start = rows[i].keep;
        CHECK_NEAR(tl_t3dm_clip_start(&s.b.e, &s.clips[0]), rows[i].start, 0);
        stage_encode(&s);
        CHECK_STR(said(&s, "T3DM-TRIMMED"),
                  rows[i].start > 0 ? "\"run\": the clip starts 0.25 seconds earlier, at its first key" : "");
        CHECK_NEAR(s.b.file.animations[0].head.duration, 1.25 - rows[i].start, 0);
        encoder_bench_free(&s.b);
    }
}

TEST(steps_are_resampled_and_keys_are_moved)
{
    static stage s;
    for (uint32_t steps = 0; steps < 3; steps++)
        for (int between = 0; between < 2; between++) {
            char text[120];
            stage_make(&s);
            for (uint32_t i = 0; i < 3; i++)
                stage_add(&s, 0, i, TRILO_TARGET_TRANSLATION_X, zero, aside)->interpolation =
                    i < steps ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR;
            s.times[0][2][1] = between ? 0.9917 : 1; /* tick 59.5 */
            stage_encode(&s);
            snprintf(text, sizeof text,
                     "\"run\": channels with steps or cubic curves (%u) were resampled as straight lines between ticks",
                     (unsigned)steps);
            CHECK_STR(said(&s, "T3DM-RESAMPLED"), steps > 0 ? text : "");
            CHECK_STR(said(&s, "T3DM-LOST-KEYS"),
                      between ? "\"run\": keys between two ticks of 1/60 second were moved to one" : "");
            encoder_bench_free(&s.b);
        }
}

/* ---- names ---- */

/* Streams are numbered by animations, clips without a name by clips. */
TEST(names_and_paths)
{
    static const struct {
        const char *rom, *name, *folder, *stream;
    } rows[] = {{NULL, NULL, "rom:/", "model"},
                {"rom:/a/hero.t3dm", NULL, "rom:/a/", "model"},
                {"hero.t3dm", "pig.t3dm", "rom:/", "pig"},
                {"rom:/hero.t3dm", "cow.t3dm", "rom:/", "cow"},
                {"/x/y/", "cow.t3dm", "/x/y/", "cow"}};
    static stage s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stage_make(&s);
        s.b.model.clip_count = 3;
        s.b.t3dm.rom_path = rows[i].rom;
        s.b.opts.name = rows[i].name;
        stage_add(&s, 0, 3, TRILO_TARGET_TRANSLATION_X, zero, aside); /* is left out */
        stage_add(&s, 1, 0, TRILO_TARGET_TRANSLATION_X, zero, aside);
        stage_add(&s, 2, 0, TRILO_TARGET_TRANSLATION_X, zero, aside);
        stage_encode(&s);
        CHECK_INT(s.b.file.animation_count, 2);
        CHECK_INT(s.b.file.streamed_count, 2);
        for (uint32_t a = 0; a < 2; a++) {
            char path[64];
            const t3dm_animation *animation = &s.b.file.animations[a];
            snprintf(path, sizeof path, "%s%s.%u.sdata", rows[i].folder, rows[i].stream, (unsigned)a);
            CHECK_STR(s.b.e.strings + animation->head.stream, path);
            CHECK_STR(s.b.e.strings + animation->head.name, a == 0 ? "clip1" : "sit");
            CHECK_INT(s.b.file.streamed[a], a);
            CHECK(animation->has_stream && animation->stream.size > 0);
        }
        CHECK_INT(s.b.losses.path.depth, 0);
        encoder_bench_free(&s.b);
    }
}

/* A bound changes nothing where no clip is written. */
TEST(a_bound_without_clips)
{
    static stage s;
    for (int i = 0; i < 4; i++) {
        stage_make(&s);
        s.b.e.policy.has_tolerance = i & 1;
        stage_add(&s, 0, i & 2 ? 0 : 3, TRILO_TARGET_TRANSLATION_X, zero, aside);
        stage_encode(&s);
        CHECK_STR(said(&s, "T3DM-KEYS-SAME"), i == 1 ? "the bound makes no difference: no clip is written" : "");
        encoder_bench_free(&s.b);
    }
}

TEST_MAIN(CASE(clips_that_show_nothing_are_left_out), CASE(channels_of_nodes_that_carry_nothing),
          CASE(channels_that_move), CASE(rotations_that_hold_the_identity), CASE(steps_of_scalars_are_kept),
          CASE(late_starts), CASE(steps_are_resampled_and_keys_are_moved), CASE(names_and_paths),
          CASE(a_bound_without_clips))
