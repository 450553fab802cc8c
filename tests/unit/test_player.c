#include "harness.h"
#include "support/exercise.h"
#include "trilobite/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF 0.70710678118654752f /* sine and cosine of 45 degrees */

/* ---- a model of three bones ---- */

/* clip 0, one second: the root goes from 0 to 10 along x, the arm turns from 0 to 90 degrees about z.
 * clip 1, two seconds: the arm turns from 0 to -90 degrees, the hand goes from 2 to 4 along y.
 * clip 2, no length: the hand is at 5, 6, 7. */
static const double second[2] = {0, 1}, seconds2[2] = {0, 2}, at0[1] = {0};
static const float go[6] = {0, 0, 0, 10, 0, 0}, left[8] = {0, 0, 0, 1, 0, 0, HALF, HALF};
static const float right[8] = {0, 0, 0, 1, 0, 0, -HALF, HALF}, up[2] = {2, 4}, there[3] = {5, 6, 7};

static const trilo_channel walk[2] = {
    {.node = 0, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = second, .values = go},
    {.node = 1, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = left},
};
static const trilo_channel wave[2] = {
    {.node = 1, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = seconds2, .values = right},
    {.node = 2, .target = TRILO_TARGET_TRANSLATION_Y, .key_count = 2, .times = seconds2, .values = up},
};
static const trilo_channel still[1] = {
    {.node = 2, .target = TRILO_TARGET_TRANSLATION, .key_count = 1, .times = at0, .values = there},
};
static const trilo_clip clips[3] = {
    {.name = {"walk", 4}, .duration = 1, .channel_count = 2, .channels = walk},
    {.name = {"wave", 4}, .duration = 2, .channel_count = 2, .channels = wave},
    {.name = {"still", 5}, .duration = 0, .channel_count = 1, .channels = still},
};

#define IDENTITY                                                                                                       \
    {                                                                                                                  \
        {                                                                                                              \
            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1                                                             \
        }                                                                                                              \
    }
#define BONE(up)                                                                                                       \
    {                                                                                                                  \
        .parent = up, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .local = IDENTITY                                  \
    }
static const trilo_node nodes[3] = {BONE(TRILO_NONE), BONE(0), BONE(1)};
static const trilo_model model = {.node_count = 3, .nodes = nodes, .clip_count = 3, .clips = clips};

static trilo_player *player_of(const trilo_player_opts *opts)
{
    trilo_player *player = trilo_player_new(&model, opts, NULL);
    CHECK(player != NULL);
    return player;
}

static double root_x(const trilo_player *player)
{
    return (double)trilo_player_transforms(player)[0].translation[0];
}

static double hand_y(const trilo_player *player)
{
    return (double)trilo_player_transforms(player)[2].translation[1];
}

/* How far the arm is turned about z, in degrees. */
static double arm(const trilo_player *player)
{
    const float *q = trilo_player_transforms(player)[1].rotation;
    CHECK_NEAR(q[0], 0, 0);
    CHECK_NEAR(q[1], 0, 0);
    return 2 * atan2((double)q[2], (double)q[3]) * 180 / 3.14159265358979323846;
}

/* ---- time ---- */

TEST(a_new_player_shows_the_rest_pose)
{
    trilo_player *p = player_of(NULL);
    CHECK_NEAR(root_x(p), 0, 0);
    CHECK_INT(trilo_player_clip(p, 0), TRILO_NONE);
    CHECK(memcmp(&trilo_player_worlds(p)[2], &nodes[2].local, sizeof(trilo_mat4)) == 0);
    trilo_player_free(p);
    trilo_player_free(NULL);
}

TEST(time_goes_on)
{
    trilo_player *p = player_of(NULL);
    CHECK(trilo_player_play(p, 0, 0, NULL));
    trilo_player_advance(p, 0.25);
    CHECK_NEAR(trilo_player_time(p, 0), 0.25, 0);
    CHECK_NEAR(root_x(p), 2.5, 0);
    CHECK_NEAR(arm(p), 22.5, 1e-4);
    CHECK_NEAR(trilo_player_worlds(p)[2].m[12], 2.5, 0); /* the hand hangs on the root */
    CHECK_NEAR(trilo_player_worlds(p)[1].m[0], cos(22.5 / 180 * 3.14159265358979), 1e-6);
    trilo_player_pause(p, 0, true);
    trilo_player_advance(p, 0.25);
    CHECK_NEAR(root_x(p), 2.5, 0);
    trilo_player_pause(p, 0, false);
    trilo_player_set_speed(p, 0, 2);
    trilo_player_advance(p, 0.25);
    CHECK_NEAR(root_x(p), 7.5, 0);
    trilo_player_set_speed(p, 0, -1);
    trilo_player_advance(p, 0.5);
    CHECK_NEAR(root_x(p), 2.5, 1e-6);
    trilo_player_seek(p, 0, 0.9);
    trilo_player_advance(p, 0);
    CHECK_NEAR(root_x(p), 9, 1e-6);
    trilo_player_seek(p, 0, 99);
    trilo_player_advance(p, 0);
    CHECK_NEAR(root_x(p), 10, 0);
    trilo_player_free(p);
}

TEST(it_begins_again)
{
    trilo_player *p = player_of(NULL);
    trilo_player_play(p, 0, 0, NULL);
    trilo_player_advance(p, 0.75);
    trilo_player_advance(p, 0.5);
    CHECK_NEAR(trilo_player_time(p, 0), 0.25, 1e-12);
    trilo_player_advance(p, 7.5); /* seven rounds and a half */
    CHECK_NEAR(trilo_player_time(p, 0), 0.75, 1e-12);
    trilo_player_set_speed(p, 0, -1);
    trilo_player_advance(p, 1);
    CHECK_NEAR(trilo_player_time(p, 0), 0.75, 1e-12);
    CHECK(!trilo_player_finished(p, 0));
    trilo_player_free(p);
}

TEST(it_ends)
{
    trilo_player *p = player_of(NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.once = true});
    trilo_player_advance(p, 0.75);
    CHECK(!trilo_player_finished(p, 0));
    trilo_player_advance(p, 0.75);
    CHECK(trilo_player_finished(p, 0));
    CHECK_NEAR(root_x(p), 10, 0);
    trilo_player_advance(p, 5);
    CHECK_NEAR(root_x(p), 10, 0);
    trilo_player_set_speed(p, 0, -1); /* and back to the begin */
    trilo_player_advance(p, 0.25);
    CHECK_NEAR(root_x(p), 7.5, 0);
    trilo_player_advance(p, 3);
    CHECK(trilo_player_finished(p, 0));
    CHECK_NEAR(root_x(p), 0, 0);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.speed = -2, .once = true}); /* backwards from the end */
    CHECK_NEAR(trilo_player_time(p, 0), 1, 0);
    trilo_player_advance(p, 0.25);
    CHECK_NEAR(root_x(p), 5, 0);
    trilo_player_free(p);
}

/* Without a length there is nothing to play, and no round to go. */
TEST(a_clip_without_a_length)
{
    trilo_player *p = player_of(NULL);
    for (int once = 0; once < 2; once++) {
        trilo_player_play(p, 0, 2, &(trilo_play_opts){.once = once == 1});
        for (int i = 0; i < 3; i++)
            trilo_player_advance(p, 0.5);
        CHECK_NEAR(trilo_player_time(p, 0), 0, 0);
        CHECK_NEAR(hand_y(p), 6, 0);
        CHECK_INT(trilo_player_finished(p, 0), once);
    }
    trilo_player_free(p);
}

TEST(numbers_that_are_none)
{
    trilo_player *p = player_of(NULL);
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308};
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.speed = NAN, .start = INFINITY, .fade = NAN});
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        trilo_player_advance(p, bad[i]);
        trilo_player_seek(p, 0, bad[i]);
        trilo_player_set_speed(p, 0, bad[i]);
        trilo_player_advance(p, 1e300);
        trilo_player_set_weight(p, 0, (float)bad[i]);
        trilo_player_advance(p, 0.1);
        CHECK(isfinite(root_x(p)) && isfinite(arm(p)) && isfinite(trilo_player_time(p, 0)));
    }
    trilo_player_free(p);
}

/* ---- layers ---- */

/* Layer 0 has the arm at 45 degrees, layer 1 at -45. Half of layer 1: 0. The hand is moved by layer 1 alone: from 0,
 * half of the way to 3. */
TEST(a_layer_lies_over_another)
{
    trilo_player *p = player_of(NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.5, .paused = true});
    trilo_player_play(p, 1, 1, &(trilo_play_opts){.start = 1, .paused = true});
    trilo_player_advance(p, 1);
    CHECK_NEAR(arm(p), -45, 1e-4);
    CHECK_NEAR(hand_y(p), 3, 0);
    CHECK_NEAR(root_x(p), 5, 0); /* clip 1 says nothing of it */
    trilo_player_set_weight(p, 1, 0.5f);
    trilo_player_advance(p, 1);
    CHECK_NEAR(arm(p), 0, 1e-4);
    CHECK_NEAR(hand_y(p), 1.5, 0);
    trilo_player_set_weight(p, 1, 0);
    trilo_player_advance(p, 1);
    CHECK_NEAR(arm(p), 45, 1e-4);
    CHECK_NEAR(hand_y(p), 0, 0);
    CHECK(!trilo_player_play(p, 4, 0, NULL)); /* there are four */
    CHECK(!trilo_player_play(p, 0, 3, NULL));
    trilo_player_free(p);
}

TEST(a_mask_leaves_bones_out)
{
    trilo_player *p = player_of(NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.5, .paused = true});
    trilo_player_play(p, 1, 1, &(trilo_play_opts){.start = 1, .paused = true});
    CHECK(trilo_player_set_mask(p, 1, (const float[3]){1, 0, 0.25f}));
    trilo_player_advance(p, 0);
    CHECK_NEAR(arm(p), 45, 1e-4);
    CHECK_NEAR(hand_y(p), 0.75, 0);
    CHECK(trilo_player_mask_branch(p, 1, 2, 0.5f, 0)); /* the hand alone */
    trilo_player_advance(p, 0);
    CHECK_NEAR(arm(p), 45, 1e-4);
    CHECK_NEAR(hand_y(p), 1.5, 0);
    CHECK(trilo_player_mask_branch(p, 1, 1, 1, 0)); /* the arm, and with it the hand */
    trilo_player_advance(p, 0);
    CHECK_NEAR(arm(p), -45, 1e-4);
    CHECK_NEAR(hand_y(p), 3, 0);
    CHECK(!trilo_player_mask_branch(p, 1, 3, 1, 0));
    CHECK(trilo_player_set_mask(p, 1, NULL));
    trilo_player_advance(p, 0);
    CHECK_NEAR(arm(p), -45, 1e-4);
    trilo_player_free(p);
}

/* The arm goes from 45 to -45 degrees in a second; the root, which only the old clip moves, goes home, and the hand,
 * which only the new one moves, sets out. */
TEST(one_clip_goes_over_into_the_next)
{
    trilo_player *p = player_of(NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.5, .paused = true});
    trilo_player_play(p, 0, 1, &(trilo_play_opts){.start = 1, .paused = true, .fade = 1});
    for (int i = 0; i <= 4; i++) {
        trilo_player_advance(p, i == 0 ? 0 : 0.25);
        CHECK_NEAR(arm(p), 45 - 22.5 * i, 1e-4);
        CHECK_NEAR(root_x(p), 5 - 1.25 * i, 1e-6);
        CHECK_NEAR(hand_y(p), 0.75 * i, 1e-6);
    }
    trilo_player_play(p, 0, TRILO_NONE, &(trilo_play_opts){.fade = 1}); /* to nothing */
    trilo_player_advance(p, 0.5);
    CHECK_NEAR(arm(p), -22.5, 1e-4);
    trilo_player_advance(p, 0.5);
    CHECK_NEAR(arm(p), 0, 1e-4);
    trilo_player_free(p);
}

/* A fade that another one interrupts goes on from where it was, also on a layer of half weight. */
TEST(fades_do_not_jump)
{
    trilo_player *p = player_of(NULL);
    for (int half = 0; half < 2; half++) {
        trilo_player_set_weight(p, 0, half ? 0.5f : 1);
        trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.5, .paused = true});
        trilo_player_play(p, 0, 1, &(trilo_play_opts){.start = 1, .paused = true, .fade = 1});
        trilo_player_advance(p, 0.25);
        const double arm_was = arm(p), root_was = root_x(p), hand_was = hand_y(p);
        CHECK_NEAR(root_was, half ? 1.875 : 3.75, 1e-6);
        trilo_player_play(p, 0, 2, &(trilo_play_opts){.fade = 2});
        trilo_player_advance(p, 0);
        CHECK_NEAR(arm(p), arm_was, 1e-4);
        CHECK_NEAR(root_x(p), root_was, 1e-6);
        CHECK_NEAR(hand_y(p), hand_was, 1e-6);
        trilo_player_advance(p, 1);
        CHECK_NEAR(root_x(p), root_was / 2, 1e-6);
        trilo_player_advance(p, 1);
        CHECK_NEAR(root_x(p), 0, 0);
        CHECK_NEAR(hand_y(p), half ? 3 : 6, 0);
    }
    trilo_player_free(p);
}

/* What the second clip changes is added: -45 degrees to 45, and 3 - 2 to where the hand is. */
TEST(a_layer_is_added)
{
    trilo_player *p = player_of(NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.75, .paused = true});
    trilo_player_play(p, 1, 1, &(trilo_play_opts){.start = 1, .paused = true});
    trilo_player_set_additive(p, 1, true);
    trilo_player_advance(p, 0);
    CHECK_NEAR(arm(p), 67.5 - 45, 1e-4);
    CHECK_NEAR(hand_y(p), 1, 0);
    trilo_player_set_weight(p, 1, 0.5f);
    trilo_player_advance(p, 0);
    CHECK_NEAR(arm(p), 67.5 - 22.5, 1e-4);
    CHECK_NEAR(hand_y(p), 0.5, 0);
    trilo_player_set_weight(p, 1, 1);
    trilo_player_play(p, 1, TRILO_NONE, &(trilo_play_opts){.fade = 1});
    trilo_player_advance(p, 0.5);
    CHECK_NEAR(arm(p), 67.5 - 22.5, 1e-4);
    CHECK_NEAR(hand_y(p), 0.5, 0);
    trilo_player_free(p);
}

/* ---- events ---- */

typedef struct diary {
    char text[256]; /* M3 marker 3, L2 looped twice at once, E ended */
    uint32_t then;  /* clip to play at the end; 0: none */
} diary;

static void note(void *user, trilo_player *player, const trilo_event *event)
{
    diary *d = user;
    const size_t used = strlen(d->text);
    CHECK(used + 8 < sizeof d->text);
    CHECK_INT(event->layer, 0);
    d->text[used] = "MLE"[event->kind];
    d->text[used + 1] = (char)('0' + (event->kind == TRILO_EVENT_KIND_MARKER ? event->marker : event->rounds));
    trilo_player_advance(player, 1); /* does nothing here */
    if (event->kind == TRILO_EVENT_KIND_ENDED && d->then)
        trilo_player_play(player, 0, d->then, &(trilo_play_opts){.fade = 0.5});
}

TEST(events_come_in_order)
{
    static const trilo_marker markers[] = {{0, "start"}, {0.3, "left"}, {0.6, "right"}, {1, "end"}};
    diary d = {"", 0};
    trilo_player *p = player_of(&(trilo_player_opts){.on_event = note, .on_event_user = &d});
    trilo_player_set_markers(p, 0, markers, 4);
    trilo_player_play(p, 0, 0, NULL);
    trilo_player_advance(p, 0.3);
    CHECK_STR(d.text, "M0M1");
    trilo_player_advance(p, 0.2);
    CHECK_STR(d.text, "M0M1");
    trilo_player_advance(p, 0.9); /* over the end, to 0.4 */
    CHECK_STR(d.text, "M0M1M2M3L1M0M1");
    d = (diary){"", 0};
    trilo_player_advance(p, 3);
    CHECK_STR(d.text, "M2M3L3M0M1");
    d = (diary){"", 0};
    trilo_player_set_speed(p, 0, -1);
    trilo_player_advance(p, 0.5); /* from 0.4 back to 0.9 */
    CHECK_STR(d.text, "M1M0L1M3");
    d = (diary){"", 0};
    trilo_player_seek(p, 0, 0.5); /* jumps tell nothing */
    trilo_player_set_once(p, 0, true);
    trilo_player_advance(p, 0.5);
    CHECK_STR(d.text, "M1M0E0");
    trilo_player_advance(p, 0.5);
    CHECK_STR(d.text, "M1M0E0");
    trilo_player_set_markers(p, 0, NULL, 0);
    d = (diary){"", 1};
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.once = true});
    trilo_player_advance(p, 2);
    CHECK_STR(d.text, "E0");
    CHECK_INT(trilo_player_clip(p, 0), 1);
    CHECK_NEAR(root_x(p), 10, 0); /* the fade has just begun */
    trilo_player_free(p);
}

/* Two markers at one time come in their order, also when the step is too small to change the time. */
TEST(markers_at_one_time)
{
    static const trilo_marker markers[] = {{0.5, "a"}, {0.5, "b"}};
    for (int tiny = 0; tiny < 2; tiny++) {
        diary d = {"", 0};
        trilo_player *p = player_of(&(trilo_player_opts){.on_event = note, .on_event_user = &d});
        trilo_player_set_markers(p, 0, markers, 2);
        trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.5});
        trilo_player_advance(p, tiny ? 1e-20 : 0.125);
        CHECK_STR(d.text, "M0M1");
        trilo_player_advance(p, 0.125); /* they were told */
        CHECK_STR(d.text, "M0M1");
        trilo_player_free(p);
    }
}

/* ---- values of one's own ---- */

static void keep_driven(void *user, uint32_t node, trilo_target part, const float *values)
{
    float *to = user;
    CHECK_INT(node, 1);
    CHECK_INT(part, TRILO_TARGET_ROTATION);
    memcpy(to, values, 4 * sizeof *to);
}

TEST(a_channel_drives_something_else)
{
    float camera[3] = {-1, -1, -1}, turn[4] = {0};
    trilo_player *p = player_of(NULL);
    CHECK(trilo_player_bind(p, 0, TRILO_TARGET_TRANSLATION, camera, NULL, NULL));
    CHECK(trilo_player_bind(p, 1, TRILO_TARGET_ROTATION, NULL, keep_driven, turn));
    CHECK(!trilo_player_bind(p, 3, TRILO_TARGET_SCALE, camera, NULL, NULL));
    CHECK(!trilo_player_bind(p, 0, TRILO_TARGET_SCALE_X, camera, NULL, NULL));
    trilo_player_play(p, 0, 0, NULL);
    trilo_player_advance(p, 0.5);
    CHECK_NEAR(camera[0], 5, 0);
    CHECK_NEAR(camera[1], 0, 0);
    CHECK_NEAR(turn[2], 0.38268343, 1e-7);
    CHECK_NEAR(root_x(p), 0, 0);
    CHECK(memcmp(&trilo_player_worlds(p)[2], &nodes[2].local, sizeof(trilo_mat4)) == 0);
    CHECK(trilo_player_bind(p, 0, TRILO_TARGET_TRANSLATION, NULL, NULL, NULL)); /* the node again */
    trilo_player_advance(p, 0.25);
    CHECK_NEAR(root_x(p), 7.5, 0);
    CHECK_NEAR(camera[0], 5, 0);
    trilo_player_free(p);
}

/* ---- root motion ---- */

/* Forwards, round, backwards: what is told adds up to what the clip goes, and the pose stays where it began. */
TEST(the_root_tells_how_it_goes)
{
    trilo_player *p = player_of(&(trilo_player_opts){.root_motion = TRILO_ROOT_X | TRILO_ROOT_Z});
    double x = 0;
    trilo_player_play(p, 0, 0, NULL);
    trilo_player_advance(p, 0); /* shows the begin */
    CHECK_NEAR(trilo_player_root_motion(p).translation[0], 0, 0);
    for (int i = 0; i < 25; i++) {
        trilo_player_advance(p, 0.1);
        CHECK_NEAR(trilo_player_root_motion(p).translation[0], 1, 1e-5);
        CHECK_NEAR(root_x(p), 0, 0);
        x += (double)trilo_player_root_motion(p).translation[0];
    }
    CHECK_NEAR(x, 25, 1e-4);
    trilo_player_advance(p, 4);
    CHECK_NEAR(trilo_player_root_motion(p).translation[0], 40, 1e-4);
    trilo_player_set_speed(p, 0, -1);
    trilo_player_advance(p, 1.25);
    CHECK_NEAR(trilo_player_root_motion(p).translation[0], -12.5, 1e-4);
    trilo_player_seek(p, 0, 0.5);
    trilo_player_advance(p, 0);
    trilo_player_advance(p, 1.5); /* to the begin, and a whole round more */
    CHECK_NEAR(trilo_player_root_motion(p).translation[0], -15, 1e-4);
    trilo_player_seek(p, 0, 0.125);
    trilo_player_advance(p, 0);
    CHECK_NEAR(trilo_player_root_motion(p).translation[0], 0, 0);
    CHECK_NEAR(trilo_player_root_motion(p).scale[2], 1, 0);
    trilo_player_free(p);
}

/* Every step goes past the end of the clip; the first only shows where the root is. */
TEST(the_root_goes_round_at_every_step)
{
    trilo_player *p = player_of(&(trilo_player_opts){.root_motion = TRILO_ROOT_X});
    trilo_player_play(p, 0, 0, NULL);
    trilo_player_advance(p, 1.5);
    trilo_player_advance(p, 2.25);
    CHECK_NEAR(trilo_player_root_motion(p).translation[0], 22.5, 1e-4);
    trilo_player_free(p);
}

/* A quarter turn to the left about y and 8 along z at each round, four rounds: a square, and home again. Steps of a
 * sixteenth of a round, put one behind the other. */
TEST(the_root_rotates_too)
{
    static const float along[6] = {1, 2, 0, 1, 2, 8}, turn[8] = {0, 0, 0, 1, 0, HALF, 0, HALF};
    static const trilo_channel both[2] = {
        {.node = 0, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = second, .values = along},
        {.node = 0, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = turn},
    };
    const trilo_clip clip = {.duration = 1, .channel_count = 2, .channels = both};
    const trilo_model turning = {.node_count = 3, .nodes = nodes, .clip_count = 1, .clips = &clip};
    const uint32_t all = TRILO_ROOT_X | TRILO_ROOT_Y | TRILO_ROOT_Z | TRILO_ROOT_YAW;
    trilo_player *p = trilo_player_new(&turning, &(trilo_player_opts){.root_motion = all}, NULL);
    CHECK(p != NULL);
    trilo_player_play(p, 0, 0, NULL);
    trilo_player_advance(p, 0);
    double at[3] = {0, 0, 0}, facing = 0;
    for (int i = 0; i < 64; i++) {
        trilo_player_advance(p, 1.0 / 16);
        const trilo_transform m = trilo_player_root_motion(p);
        at[0] += cos(facing) * (double)m.translation[0] + sin(facing) * (double)m.translation[2];
        at[1] += (double)m.translation[1];
        at[2] += cos(facing) * (double)m.translation[2] - sin(facing) * (double)m.translation[0];
        facing += 2 * atan2((double)m.rotation[1], (double)m.rotation[3]);
        CHECK_NEAR(trilo_player_transforms(p)[0].translation[0], 1, 1e-5); /* the pose stays at its first key */
        CHECK_NEAR(trilo_player_transforms(p)[0].translation[1], 2, 1e-5);
        CHECK_NEAR(trilo_player_transforms(p)[0].rotation[3], 1, 1e-6);
        if (i == 15) { /* one round, as the clip has it: the point 1, 2, 0 that the root is at goes to 1, 2, 8 */
            CHECK_NEAR(facing, 3.14159265 / 2, 1e-5);
            CHECK_NEAR(at[0] + cos(facing) * 1, 1, 1e-4);
            CHECK_NEAR(at[2] - sin(facing) * 1, 8, 1e-4);
        }
    }
    CHECK_NEAR(facing, 2 * 3.14159265, 1e-4);
    CHECK_NEAR(at[0], 0, 1e-3);
    CHECK_NEAR(at[1], 0, 1e-3);
    CHECK_NEAR(at[2], 0, 1e-3);
    trilo_player_free(p);
}

/* A clip that only rotates the root, which rests beside the origin. Only the rotation is taken out of the pose: that
 * moves the root around the origin, in the lowest layer as in one that is blended by a mask. */
TEST(a_rotation_moves_the_root_in_every_layer)
{
    static const float turn[8] = {0, 0, 0, 1, 0, HALF, 0, HALF}, whole[3] = {1, 1, 1};
    static const trilo_channel rotation = {
        .node = 0, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = turn};
    const trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &rotation};
    trilo_node beside[3] = {nodes[0], nodes[1], nodes[2]};
    beside[0].translation.x = 3;
    beside[0].translation.z = -1;
    const trilo_model turning = {.node_count = 3, .nodes = beside, .clip_count = 1, .clips = &clip};
    for (int masked = 0; masked < 2; masked++) {
        trilo_player *p = trilo_player_new(&turning, &(trilo_player_opts){.root_motion = TRILO_ROOT_YAW}, NULL);
        CHECK(p != NULL);
        CHECK(masked == 0 || trilo_player_set_mask(p, 0, whole));
        trilo_player_play(p, 0, 0, &(trilo_play_opts){.once = true});
        trilo_player_advance(p, 0);
        trilo_player_advance(p, 1);
        const trilo_transform root = trilo_player_transforms(p)[0], m = trilo_player_root_motion(p);
        CHECK_NEAR(m.rotation[1], HALF, 1e-6);
        CHECK_NEAR(m.translation[0], 0, 0);
        CHECK_NEAR(root.rotation[3], 1, 1e-6);
        /* A quarter turn about y takes 1, 3 to 3, -1, where the root is in the clip. */
        CHECK_NEAR(root.translation[0], 1, 1e-5);
        CHECK_NEAR(root.translation[2], 3, 1e-5);
        trilo_player_free(p);
    }
}

/* ---- models and options that are wrong ---- */

static void refuse(const trilo_model *bad, const trilo_player_opts *opts, const char *rule)
{
    trilo_error err = {0};
    CHECK(trilo_player_new(bad, opts, &err) == NULL);
    CHECK_STR(err.rule, rule);
}

TEST(what_is_wrong_is_refused)
{
    trilo_channel channel = walk[0];
    trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &channel};
    trilo_model bad = {.node_count = 3, .nodes = nodes, .clip_count = 1, .clips = &clip};
    channel.node = 3; /* of three */
    refuse(&bad, NULL, "MODEL-INDEX");
    channel = walk[0];
    channel.times = (const double[2]){1, 0};
    refuse(&bad, NULL, "MODEL-ORDER");
    refuse(&model, &(trilo_player_opts){.layer_count = 65}, "CALL-MISUSE");
    refuse(&model, &(trilo_player_opts){.guard = 1}, "CALL-MISUSE");
    refuse(&model, &(trilo_player_opts){.root_motion = TRILO_ROOT_X, .root_node = 3}, "CALL-MISUSE");
    trilo_error err = {0};
    CHECK(trilo_player_new(&model, &(trilo_player_opts){.memory = {.max_bytes = 1024}}, &err) == NULL);
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
}

/* Keys that are no numbers are passed over, and what is below shows. */
TEST(keys_that_are_no_numbers)
{
    static const float values[8] = {NAN, 0, 0, 1, 0, INFINITY, 0, 1}, moves[6] = {1, 1, 1, NAN, 2, 2};
    const trilo_channel odd[2] = {
        {.node = 1, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = values},
        {.node = 2, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = second, .values = moves},
    };
    const trilo_clip clip = {.duration = 1, .channel_count = 2, .channels = odd};
    const trilo_model bad = {.node_count = 3, .nodes = nodes, .clip_count = 1, .clips = &clip};
    for (int sampling = TRILO_SAMPLING_SMOOTH; sampling <= TRILO_SAMPLING_TINY3D; sampling++) {
        trilo_player *p = trilo_player_new(&bad, &(trilo_player_opts){.sampling = (trilo_sampling)sampling}, NULL);
        CHECK(p != NULL);
        trilo_player_play(p, 0, 0, NULL);
        for (int i = 0; i < 30; i++) {
            trilo_player_advance(p, 0.1);
            for (int k = 0; k < 48; k++)
                CHECK(isfinite(trilo_player_worlds(p)[k / 16].m[k % 16]));
        }
        trilo_player_free(p);
    }
}

/* ---- memory ---- */

static void *count_calls(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    ++*(unsigned *)user;
    return realloc(old, new_size);
}

TEST(advance_asks_for_no_memory)
{
    unsigned calls = 0;
    trilo_player *p = player_of(&(trilo_player_opts){.memory = {.fn = count_calls, .user = &calls}, .root_motion = 1});
    CHECK(calls > 0);
    trilo_player_set_mask(p, 1, (const float[3]){1, 1, 0.5f});
    trilo_player_play(p, 0, 0, NULL);
    trilo_player_advance(p, 0.1);
    calls = 0;
    for (int i = 0; i < 2000; i++) {
        if (i % 50 == 0)
            trilo_player_play(p, 0, (uint32_t)i / 50 % 3, &(trilo_play_opts){.fade = 0.7});
        if (i % 70 == 0)
            trilo_player_play(p, 1, 1, &(trilo_play_opts){.fade = 0.3});
        trilo_player_set_additive(p, 1, i / 500 % 2 == 1);
        trilo_player_advance(p, 1.0 / 60);
        trilo_player_bounds(p);
    }
    CHECK_INT(calls, 0);
    trilo_player_free(p);
}

/* Whichever call for memory is denied, there is no player, and nothing is left behind. */
TEST(memory_that_runs_out)
{
    for (int sampling = TRILO_SAMPLING_SMOOTH; sampling <= TRILO_SAMPLING_TINY3D; sampling++) {
        bool made = false;
        for (size_t n = 1; !made; n++) {
            meter m = {.fail_at = n};
            const trilo_player_opts opts = {.memory = meter_memory(&m, 0), .sampling = (trilo_sampling)sampling};
            trilo_error err = {0};
            trilo_player *p = trilo_player_new(&model, &opts, &err);
            made = m.calls < n;
            CHECK_INT(p != NULL, made);
            CHECK_INT(err.code, made ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
            trilo_player_free(p);
            CHECK_INT(m.now, 0);
        }
    }
}

/* ---- more of the root ---- */

/* 3, 5 and 7 along the axes in a second, from 1, 1, 1 on: what is asked for is told, and the rest stays in the pose. */
TEST(axes_of_the_root)
{
    static const float along[6] = {1, 1, 1, 4, 6, 8};
    static const trilo_channel moves = {
        .node = 0, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = second, .values = along};
    const trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &moves};
    const trilo_model moving = {.node_count = 3, .nodes = nodes, .clip_count = 1, .clips = &clip};
    static const uint32_t flags[3] = {TRILO_ROOT_X, TRILO_ROOT_Y, TRILO_ROOT_Z};
    for (uint32_t set = 1; set < 8; set++)
        for (int yaw = 0; yaw < 2; yaw++) {
            uint32_t wanted = yaw ? TRILO_ROOT_YAW : 0;
            for (int i = 0; i < 3; i++)
                wanted |= set >> i & 1 ? flags[i] : 0;
            trilo_player *p = trilo_player_new(&moving, &(trilo_player_opts){.root_motion = wanted}, NULL);
            CHECK(p != NULL);
            trilo_player_play(p, 0, 0, NULL);
            trilo_player_advance(p, 0);
            trilo_player_advance(p, 0.25);
            for (int i = 0; i < 3; i++) {
                const double way = 0.25 * (3 + 2 * i);
                CHECK_NEAR(trilo_player_root_motion(p).translation[i], set >> i & 1 ? way : 0, 1e-6);
                CHECK_NEAR(trilo_player_transforms(p)[0].translation[i], set >> i & 1 ? 1 : 1 + way, 1e-6);
            }
            trilo_player_free(p);
        }
}

typedef struct walker {
    double at[2], facing; /* x and z */
} walker;

static void walk_on(trilo_player *p, double seconds, walker *w)
{
    trilo_player_advance(p, seconds);
    const trilo_transform m = trilo_player_root_motion(p);
    w->at[0] += cos(w->facing) * (double)m.translation[0] + sin(w->facing) * (double)m.translation[2];
    w->at[1] += cos(w->facing) * (double)m.translation[2] - sin(w->facing) * (double)m.translation[0];
    w->facing += 2 * atan2((double)m.rotation[1], (double)m.rotation[3]);
}

/* One large step over several rounds is as many small ones, and back again is home. The clip begins turned by 30
 * degrees about y, beside the origin, and turns by 60 in a round. */
TEST(large_steps_of_the_root)
{
    static const float along[6] = {1, 0, 2, 2, 0, 5};
    static const float turn[8] = {0, 0.25881905f, 0, 0.96592583f, 0, 0.70710678f, 0, 0.70710678f};
    static const trilo_channel both[2] = {
        {.node = 0, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = second, .values = along},
        {.node = 0, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = turn}};
    const trilo_clip clip = {.duration = 1, .channel_count = 2, .channels = both};
    const trilo_model turning = {.node_count = 3, .nodes = nodes, .clip_count = 1, .clips = &clip};
    const uint32_t all = TRILO_ROOT_X | TRILO_ROOT_Z | TRILO_ROOT_YAW;
    for (int rounds = 0; rounds < 6; rounds++) {
        walker small = {{0, 0}, 0}, large = small;
        trilo_player *p = trilo_player_new(&turning, &(trilo_player_opts){.root_motion = all}, NULL);
        trilo_player *q = trilo_player_new(&turning, &(trilo_player_opts){.root_motion = all}, NULL);
        CHECK(p && q);
        trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.125});
        trilo_player_play(q, 0, 0, &(trilo_play_opts){.start = 0.125});
        trilo_player_advance(p, 0);
        trilo_player_advance(q, 0);
        for (int i = 0; i < 8 * rounds + 4; i++)
            walk_on(p, 0.125, &small);
        walk_on(q, rounds + 0.5, &large);
        CHECK_NEAR(large.at[0], small.at[0], 1e-4);
        CHECK_NEAR(large.at[1], small.at[1], 1e-4);
        CHECK_NEAR(sin(large.facing - small.facing), 0, 1e-5);
        CHECK_NEAR(cos(large.facing), cos((rounds + 0.5) * 3.14159265358979 / 3), 1e-5);
        trilo_player_set_speed(q, 0, -1);
        walk_on(q, rounds + 0.5, &large);
        CHECK_NEAR(large.at[0], 0, 1e-4);
        CHECK_NEAR(large.at[1], 0, 1e-4);
        CHECK_NEAR(sin(large.facing), 0, 1e-5);
        trilo_player_free(p);
        trilo_player_free(q);
    }
}

/* ---- layers that are not there, and memory that is not ---- */

TEST(layers_that_do_not_exist)
{
    trilo_player *p = player_of(&(trilo_player_opts){.layer_count = 2});
    trilo_player_play(p, 1, 0, &(trilo_play_opts){.start = 0.5, .paused = true});
    for (uint32_t layer = 2; layer < 4; layer++) {
        CHECK(!trilo_player_play(p, layer, 0, NULL));
        CHECK(!trilo_player_set_mask(p, layer, NULL));
        CHECK(!trilo_player_set_mask(p, layer, (const float[3]){1, 1, 1}));
        CHECK(!trilo_player_mask_branch(p, layer, 0, 1, 0));
        trilo_player_pause(p, layer, true);
        trilo_player_set_once(p, layer, true);
        trilo_player_set_speed(p, layer, 3);
        trilo_player_seek(p, layer, 0.25);
        trilo_player_set_weight(p, layer, 0);
        trilo_player_set_additive(p, layer, true);
        CHECK_INT(trilo_player_clip(p, layer), TRILO_NONE);
        CHECK_NEAR(trilo_player_time(p, layer), 0, 0);
        CHECK(!trilo_player_finished(p, layer));
    }
    trilo_player_advance(p, 1);
    CHECK_NEAR(root_x(p), 5, 0);
    CHECK(trilo_player_bind(p, 0, TRILO_TARGET_SCALE, NULL, NULL, NULL)); /* nothing was bound */
    trilo_player_free(p);
}

/* With just enough memory for the player, masks and bindings are refused, and nothing else changes. */
TEST(masks_and_bindings_without_memory)
{
    trilo_player *p = NULL;
    float values[4];
    for (size_t limit = 1; !p; limit += 8)
        p = trilo_player_new(&model, &(trilo_player_opts){.memory = {.max_bytes = limit}}, NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.5, .paused = true});
    bool bound = true, masked = true;
    for (uint32_t i = 0; i < 9 && bound; i++)
        bound = trilo_player_bind(p, i % 3, (trilo_target)(i / 3), values, NULL, NULL);
    for (uint32_t i = 0; i < 4 && masked; i++)
        masked = trilo_player_set_mask(p, i, (const float[3]){0, 0, 0});
    CHECK(!bound && !masked);
    CHECK(!trilo_player_mask_branch(p, 3, 0, 0, 0));
    trilo_player_free(p);
}

TEST_MAIN(CASE(a_new_player_shows_the_rest_pose), CASE(time_goes_on), CASE(it_begins_again), CASE(it_ends),
          CASE(a_clip_without_a_length), CASE(numbers_that_are_none), CASE(a_layer_lies_over_another),
          CASE(a_mask_leaves_bones_out), CASE(one_clip_goes_over_into_the_next), CASE(fades_do_not_jump),
          CASE(a_layer_is_added), CASE(events_come_in_order), CASE(markers_at_one_time),
          CASE(a_channel_drives_something_else), CASE(the_root_tells_how_it_goes),
          CASE(the_root_goes_round_at_every_step), CASE(the_root_rotates_too),
          CASE(a_rotation_moves_the_root_in_every_layer), CASE(what_is_wrong_is_refused),
          CASE(keys_that_are_no_numbers), CASE(advance_asks_for_no_memory), CASE(memory_that_runs_out),
          CASE(axes_of_the_root), CASE(large_steps_of_the_root), CASE(layers_that_do_not_exist),
          CASE(masks_and_bindings_without_memory))
