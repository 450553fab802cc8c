/* The console's arithmetic: by hand, and against poses that another program worked out in double precision. */
#include "anim/tiny3d_sample.h"
#include "base/json.h"
#include "base/report.h"
#include "harness.h"
#include "trilobite/player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF 0.70710678118654752f

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

typedef struct one {
    trilo_node node;
    trilo_clip clip;
    trilo_model model;
    trilo_player *player;
} one;

/* A model of one bone and one channel, at a moment. */
static const trilo_transform *show(one *o, const trilo_channel *channel, double duration, double seconds,
                                   trilo_sampling sampling)
{
    o->node = (trilo_node){.parent = TRILO_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .local = identity};
    o->clip = (trilo_clip){.duration = duration, .channel_count = 1, .channels = channel};
    o->model = (trilo_model){.node_count = 1, .nodes = &o->node, .clip_count = 1, .clips = &o->clip};
    o->player = trilo_player_new(&o->model, &(trilo_player_opts){.sampling = sampling}, NULL);
    CHECK(o->player != NULL);
    CHECK(trilo_player_play(o->player, 0, 0, NULL));
    trilo_player_seek(o->player, 0, seconds);
    trilo_player_advance(o->player, 0);
    return trilo_player_transforms(o->player);
}

static const double second[2] = {0, 1};

/* A quarter of the way from 0 to 90 degrees about z. At even speed that is 22.5 degrees: sin and cos of 11.25.
 * Straight, it is (0, 0, 0.25 s, 0.75 + 0.25 s) with s = 0.70710678, which is 0.17677670, 0.92677670; its length is
 * 0.94348596, so that 0.18736547, 0.98229027 is left: a turn of 21.598 degrees. */
TEST(straight_or_at_even_speed)
{
    static const float values[8] = {0, 0, 0, 1, 0, 0, HALF, HALF};
    const trilo_channel turn = {.target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = values};
    one o;
    const trilo_transform *smooth = show(&o, &turn, 1, 0.25, TRILO_SAMPLING_SMOOTH);
    CHECK_NEAR(smooth->rotation[2], 0.19509032, 1e-7);
    CHECK_NEAR(smooth->rotation[3], 0.98078528, 1e-7);
    trilo_player_free(o.player);
    const trilo_transform *exact = show(&o, &turn, 1, 0.25, TRILO_SAMPLING_TINY3D);
    CHECK_NEAR(exact->rotation[2], 0.18736547, 1e-7);
    CHECK_NEAR(exact->rotation[3], 0.98229027, 1e-7);
    trilo_player_free(o.player);
}

/* The second key is stored as -q: the weight of the first one is turned round, so the result has the second one's sign:
 * the same turn, all numbers negative. */
TEST(the_sign_of_the_key_ahead)
{
    static const float values[8] = {0, 0, 0, 1, 0, 0, -HALF, -HALF};
    const trilo_channel turn = {.target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = values};
    one o;
    const trilo_transform *exact = show(&o, &turn, 1, 0.25, TRILO_SAMPLING_TINY3D);
    CHECK_NEAR(exact->rotation[2], -0.18736547, 1e-7);
    CHECK_NEAR(exact->rotation[3], -0.98229027, 1e-7);
    trilo_player_free(o.player);
}

/* A clip of 1.5 s whose last key is at 1 s: the console goes on, 4 to 8 in a second is 10 at 1.5. Smoothly it holds. */
TEST(beyond_the_last_key)
{
    static const float values[2] = {4, 8};
    const trilo_channel x = {.target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = second, .values = values};
    one o;
    CHECK_NEAR(show(&o, &x, 1.5, 1.5, TRILO_SAMPLING_TINY3D)->translation[0], 10, 1e-6);
    trilo_player_free(o.player);
    CHECK_NEAR(show(&o, &x, 1.5, 1.5, TRILO_SAMPLING_SMOOTH)->translation[0], 8, 0);
    trilo_player_free(o.player);
}

/* One key, and a first key that is late: they show, where the console would have nothing to start from. */
TEST(keys_without_another_in_front)
{
    static const float values[2] = {4, 8};
    static const double late[2] = {0.5, 1};
    trilo_channel x = {.target = TRILO_TARGET_SCALE_Y, .key_count = 2, .times = late, .values = values};
    one o;
    CHECK_NEAR(show(&o, &x, 1, 0.25, TRILO_SAMPLING_TINY3D)->scale[1], 4, 0);
    trilo_player_free(o.player);
    x.key_count = 1;
    CHECK_NEAR(show(&o, &x, 1, 0.75, TRILO_SAMPLING_TINY3D)->scale[1], 4, 0);
    trilo_player_free(o.player);
}

/* Steps and curves are none of the console's; exact sampling shows them as smooth sampling does. */
TEST(steps_and_curves_stay)
{
    static const float step[2] = {4, 8}, curve[6] = {0, 4, 0, 0, 8, 0};
    trilo_channel x = {.target = TRILO_TARGET_TRANSLATION_Z,
                       .interpolation = TRILO_INTERPOLATION_STEP,
                       .key_count = 2,
                       .times = second,
                       .values = step};
    one o;
    CHECK_NEAR(show(&o, &x, 1, 0.75, TRILO_SAMPLING_TINY3D)->translation[2], 4, 0);
    trilo_player_free(o.player);
    x.interpolation = TRILO_INTERPOLATION_CUBIC; /* a quarter of the way: 0.84375 * 4 + 0.15625 * 8 */
    x.values = curve;
    CHECK_NEAR(show(&o, &x, 1, 0.25, TRILO_SAMPLING_TINY3D)->translation[2], 4.625, 0);
    trilo_player_free(o.player);
}

/* Time in single precision: ten steps of 0.1f are a bit more than 1 (0x3F800001), so the clip began again, and stands a
 * bit behind 0. In double precision ten times 0.1 is a bit less than 1. */
TEST(time_in_single_precision)
{
    static const float values[2] = {4, 8};
    const trilo_channel x = {.target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = second, .values = values};
    one o;
    show(&o, &x, 1, 0, TRILO_SAMPLING_TINY3D);
    for (int i = 0; i < 10; i++)
        trilo_player_advance(o.player, 0.1);
    CHECK_NEAR(trilo_player_time(o.player, 0), 0x1p-23, 0);
    trilo_player_free(o.player);
    show(&o, &x, 1, 0, TRILO_SAMPLING_SMOOTH);
    for (int i = 0; i < 10; i++)
        trilo_player_advance(o.player, 0.1);
    CHECK(trilo_player_time(o.player, 0) > 0.99);
    trilo_player_free(o.player);
}

/* No stream can hold 65536 channels, so none reads the keys of others: each key is the next one from the time of the
 * key before on. */
TEST(more_channels_than_a_stream_holds)
{
    enum { CHANNELS = 65536 };
    static const float values[2] = {0, 1};
    static trilo_channel channels[CHANNELS];
    for (uint32_t i = 0; i < CHANNELS; i++)
        channels[i] =
            (trilo_channel){.target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = second, .values = values};
    const trilo_clip clip = {.duration = 1, .channel_count = CHANNELS, .channels = channels};
    tl_arena arena;
    tl_arena_init(&arena, &(trilo_memory){.max_bytes = 1 << 24});
    const tl_tiny3d_times *times = tl_tiny3d_clip(&arena, &clip);
    CHECK(times != NULL);
    for (uint32_t i = 0; i < CHANNELS; i++)
        CHECK(times[i].next_from[0] == -INFINITY && times[i].next_from[1] == 0);
    tl_arena_free(&arena);
}

/* ---- the times of keys ---- */

enum { RACERS = 6, MOST_KEYS = 12 };

typedef struct race {
    uint32_t ticks[RACERS][MOST_KEYS]; /* of each key */
    double times[RACERS][MOST_KEYS];
    trilo_channel channels[RACERS];
    trilo_clip clip;
} race;

static uint32_t dice(uint32_t *seed, uint32_t sides)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % sides;
}

static void race_fill(race *r, uint32_t *seed)
{
    static const float values[MOST_KEYS] = {0};
    memset(r, 0, sizeof *r);
    r->clip = (trilo_clip){.duration = 2, .channel_count = 1 + dice(seed, RACERS), .channels = r->channels};
    for (uint32_t c = 0; c < r->clip.channel_count; c++) {
        const uint32_t keys = 1 + dice(seed, MOST_KEYS);
        for (uint32_t k = 0, tick = dice(seed, 3) / 2; k < keys; k++, tick += 1 + dice(seed, 4)) {
            r->ticks[c][k] = tick;
            r->times[c][k] = tick / 60.0;
        }
        r->channels[c] = (trilo_channel){
            .target = TRILO_TARGET_TRANSLATION_X, .key_count = keys, .times = r->times[c], .values = values};
    }
}

/* The stream of a clip: keys but the first of each channel, by the tick at which they are needed, which is that of the
 * key before, then by their own, then by channel. */
typedef struct stream_key {
    uint32_t needed, tick, channel;
} stream_key;

static int stream_order(const void *a, const void *b)
{
    const stream_key *x = a, *y = b;
    if (x->needed != y->needed)
        return x->needed < y->needed ? -1 : 1;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->channel < y->channel ? -1 : x->channel > y->channel;
}

/* Plays the stream from its start to a time: the channels in turn, each of which reads until its next key is ahead, or
 * it has had its last. The key that is next when it is a channel's turn. */
static void play_stream(const race *r, float seconds, uint32_t next[RACERS])
{
    stream_key keys[RACERS * MOST_KEYS];
    float end[RACERS];
    uint32_t reached[RACERS] = {0}, count = 0, at = 0;
    for (uint32_t c = 0; c < r->clip.channel_count; c++) {
        end[c] = (float)r->ticks[c][0] * (1.0f / 60.0f);
        for (uint32_t k = 1; k < r->channels[c].key_count; k++)
            keys[count++] = (stream_key){r->ticks[c][k - 1], r->ticks[c][k], c};
    }
    qsort(keys, count, sizeof *keys, stream_order);
    for (uint32_t c = 0; c < r->clip.channel_count; c++) {
        while (seconds >= end[c] && reached[c] + 1 < r->channels[c].key_count) {
            const stream_key *key = &keys[at++];
            end[key->channel] += (float)(key->tick - key->needed) * (1.0f / 60.0f);
            reached[key->channel]++;
        }
        next[c] = reached[c];
    }
}

static void check_race(const race *r, const tl_tiny3d_times *times, float seconds)
{
    uint32_t next[RACERS];
    play_stream(r, seconds, next);
    for (uint32_t c = 0; c < r->clip.channel_count; c++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < r->channels[c].key_count; k++)
            found = times[c].next_from[k] <= seconds ? k : found;
        CHECK_INT(found, next[c]);
    }
}

/* At each time of a key, which the channels sum up differently, and directly before and behind it. */
TEST(the_next_key_is_the_one_that_a_stream_has_read)
{
    uint32_t seed = 1;
    for (int round = 0; round < 60; round++) {
        race r;
        tl_arena arena;
        race_fill(&r, &seed);
        tl_arena_init(&arena, NULL);
        const tl_tiny3d_times *times = tl_tiny3d_clip(&arena, &r.clip);
        CHECK(times != NULL);
        for (uint32_t c = 0; c < r.clip.channel_count; c++) {
            float sum = (float)r.ticks[c][0] * (1.0f / 60.0f);
            for (uint32_t k = 0; k < r.channels[c].key_count; k++) {
                sum += k > 0 ? (float)(r.ticks[c][k] - r.ticks[c][k - 1]) * (1.0f / 60.0f) : 0;
                CHECK(times[c].at[k] == sum);
                CHECK(k > 0 || times[c].next_from[0] == -INFINITY);
                check_race(&r, times, sum);
                check_race(&r, times, nextafterf(sum, 9));
                check_race(&r, times, nextafterf(sum, -1));
            }
        }
        tl_arena_free(&arena);
    }
}

/* Two channels that both need a key from tick 6 on. The first has summed that up as 1 + 5, which is less than 6 / 60 in
 * single precision, and finds the second's key, at tick 7, in front of its own. */
static bool reads_for_another(double first, double last)
{
    const double early[3] = {first, 6 / 60.0, last};
    static const double exact[3] = {0, 6 / 60.0, 7 / 60.0};
    static const float values[3] = {0};
    const trilo_channel channels[2] = {
        {.target = TRILO_TARGET_TRANSLATION_X, .key_count = 3, .times = early, .values = values},
        {.target = TRILO_TARGET_TRANSLATION_Y, .key_count = 3, .times = exact, .values = values}};
    const trilo_clip clip = {.duration = 2000, .channel_count = 2, .channels = channels};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const tl_tiny3d_times *times = tl_tiny3d_clip(&arena, &clip);
    CHECK(times != NULL);
    CHECK(times[0].next_from[1] == times[0].at[0] && times[0].next_from[2] == times[0].at[1]);
    CHECK(times[1].next_from[1] == 0 && times[1].at[1] == 6 * (1.0f / 60.0f));
    const bool reads = times[1].next_from[2] == times[0].at[1];
    CHECK(reads || times[1].next_from[2] == times[1].at[1]);
    tl_arena_free(&arena);
    return reads;
}

/* A stream holds keys on whole ticks from 0 to 65535; in all other clips each channel goes by its own times. */
TEST(what_a_stream_can_hold)
{
    const float tick = 1.0f / 60.0f;
    CHECK(tick + 5 * tick < 6 * tick); /* or there would be nothing to see */
    CHECK(reads_for_another(1 / 60.0, 8 / 60.0));
    CHECK(reads_for_another(1 / 60.0, 65535 / 60.0));
    CHECK(!reads_for_another(1 / 60.0, 65536 / 60.0));
    CHECK(reads_for_another((1 - 0.9e-6) / 60.0, 8 / 60.0));
    CHECK(reads_for_another((1 + 0.9e-6) / 60.0, 8 / 60.0));
    CHECK(!reads_for_another((1 - 1.1e-6) / 60.0, 8 / 60.0));
    CHECK(!reads_for_another((1 + 1.1e-6) / 60.0, 8 / 60.0));
    CHECK(!reads_for_another(-4 / 60.0, 8 / 60.0));
}

/* A hundred ticks summed up are not 100 / 60; another key at the same tick has the same sum. A time between ticks is
 * itself, and so is one before 0. */
TEST(times_are_sums_of_ticks)
{
    double times[101];
    static const float values[101] = {0};
    const double odd[3] = {-0.5, 0.51, 0.7};
    float sum = 0;
    for (int i = 0; i < 100; i++)
        times[i] = (i + 1) / 60.0, sum += 1.0f / 60.0f;
    times[100] = times[99] + 1e-9;
    CHECK(sum != (float)(100 / 60.0));
    const trilo_channel channels[4] = {
        {.target = TRILO_TARGET_TRANSLATION_X, .key_count = 101, .times = times, .values = values},
        {.target = TRILO_TARGET_TRANSLATION_Y, .key_count = 3, .times = odd, .values = values},
        {.target = TRILO_TARGET_TRANSLATION_Z,
         .interpolation = TRILO_INTERPOLATION_STEP,
         .key_count = 1,
         .times = odd,
         .values = values},
        {.target = TRILO_TARGET_SCALE_X}};
    const trilo_clip clip = {.duration = 2, .channel_count = 4, .channels = channels};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const tl_tiny3d_times *t = tl_tiny3d_clip(&arena, &clip);
    CHECK(t != NULL);
    CHECK(t[0].at[99] == sum && t[0].at[100] == sum);
    CHECK(t[1].at[0] == -0.5f && t[1].at[1] == 0.51f);
    CHECK(t[1].next_from[0] == -INFINITY && t[1].next_from[1] == -0.5f && t[1].next_from[2] == 0.51f);
    CHECK(!t[2].at && !t[2].next_from && !t[3].at && !t[3].next_from);
    tl_arena_free(&arena);
}

/* Auto is Tiny3D's sampling for models that ask for it, and smooth for all others, whatever their format. */
TEST(auto_asks_the_model)
{
    static const float values[8] = {0, 0, 0, 1, 0, 0, HALF, HALF};
    const trilo_channel turn = {.target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = values};
    one o;
    CHECK_NEAR(show(&o, &turn, 1, 0.25, TRILO_SAMPLING_AUTO)->rotation[2], 0.19509032, 1e-7);
    trilo_player_free(o.player);
    CHECK_INT(trilo_sampling_resolve(&o.model, TRILO_SAMPLING_AUTO), TRILO_SAMPLING_SMOOTH);
    o.model.format = TRILO_FORMAT_T3DM;
    CHECK_INT(trilo_sampling_resolve(&o.model, TRILO_SAMPLING_AUTO), TRILO_SAMPLING_SMOOTH);
    o.model.tiny3d_sampling = true;
    CHECK_INT(trilo_sampling_resolve(&o.model, TRILO_SAMPLING_AUTO), TRILO_SAMPLING_TINY3D);
    CHECK_INT(trilo_sampling_resolve(&o.model, TRILO_SAMPLING_SMOOTH), TRILO_SAMPLING_SMOOTH);
    o.player = trilo_player_new(&o.model, NULL, NULL);
    CHECK(o.player != NULL);
    trilo_player_play(o.player, 0, 0, &(trilo_play_opts){.start = 0.25});
    trilo_player_advance(o.player, 0);
    CHECK_NEAR(trilo_player_transforms(o.player)->rotation[2], 0.18736547, 1e-7);
    trilo_player_free(o.player);
}

/* ---- poses of the corpus ---- */

/* The same pose, and the smooth ones shortly before and after it. */
typedef struct moment {
    trilo_player *now, *before, *after;
} moment;

#define AROUND 0.002 /* seconds */
#define BLUR   1e-6  /* seconds: four times the last bit of 3.8 in single precision, for times are sums of many ticks */

/* Within 1e-6 of the length of the vector, or of 1; half of the last digit that is printed; and as far as it moves in
 * the time that single precision cannot tell. */
static void check_numbers(const float *got, const float *before, const float *after, const tl_json *want,
                          uint32_t count, double printed)
{
    double values[4], square = 0;
    CHECK(tl_json_numbers(want, values, count));
    for (uint32_t i = 0; i < count; i++)
        square += values[i] * values[i];
    for (uint32_t i = 0; i < count; i++) {
        const double speed = fabs((double)after[i] - before[i]) / (2 * AROUND);
        CHECK_NEAR(got[i], values[i], 1e-6 * fmax(1, sqrt(square)) + printed + speed * BLUR);
    }
}

static void check_bone(const moment *m, uint32_t number, const tl_json *bone)
{
    const trilo_transform *p = &trilo_player_transforms(m->now)[number],
                          *b = &trilo_player_transforms(m->before)[number],
                          *a = &trilo_player_transforms(m->after)[number];
    check_numbers(p->scale, b->scale, a->scale, tl_json_member(bone, "scale"), 3, 5e-7);
    check_numbers(p->rotation, b->rotation, a->rotation, tl_json_member(bone, "rotation_xyzw"), 4, 5e-7);
    check_numbers(p->translation, b->translation, a->translation, tl_json_member(bone, "position"), 3, 5e-5);
    const tl_json *column = tl_json_member(bone, "model_matrix_columns")->first;
    for (int c = 0; c < 16; c += 4, column = column->next)
        check_numbers(trilo_player_worlds(m->now)[number].m + c, trilo_player_worlds(m->before)[number].m + c,
                      trilo_player_worlds(m->after)[number].m + c, column, 4, 5e-6);
}

static trilo_player *player_at(const trilo_model *model, uint32_t clip, double seconds, trilo_sampling sampling)
{
    trilo_player *player = trilo_player_new(model, &(trilo_player_opts){.sampling = sampling}, NULL);
    CHECK(player && trilo_player_play(player, 0, clip, NULL));
    trilo_player_seek(player, 0, seconds);
    trilo_player_advance(player, 0);
    return player;
}

static void check_pose(const tl_json *pose)
{
    char path[256];
    snprintf(path, sizeof path, "%s", tl_json_string(tl_json_member(pose, "file")).data);
    const trilo_model *model = trilo_model_load_file(test_corpus(path), NULL, NULL);
    CHECK(model != NULL);
    const uint32_t clip = trilo_clip_find(model, tl_json_string(tl_json_member(pose, "clip")).data);
    const double seconds = tl_json_number(tl_json_member(pose, "time"), NAN);
    const moment m = {player_at(model, clip, seconds, TRILO_SAMPLING_AUTO),
                      player_at(model, clip, seconds - AROUND, TRILO_SAMPLING_SMOOTH),
                      player_at(model, clip, seconds + AROUND, TRILO_SAMPLING_SMOOTH)};
    uint32_t number = 0;
    for (const tl_json *bone = tl_json_member(pose, "bones")->first; bone; bone = bone->next)
        check_bone(&m, number++, bone);
    CHECK_INT(number, model->node_count);
    trilo_player_free(m.now);
    trilo_player_free(m.before);
    trilo_player_free(m.after);
    trilo_model_free(model);
}

TEST(poses_that_another_program_worked_out)
{
    size_t size, poses = 0;
    char *text = (char *)test_read_file(test_corpus("poses/t3dm_poses.jsonl"), &size);
    CHECK(text != NULL);
    for (size_t at = 0; at < size; poses++) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        const tl_json *pose = tl_json_read(&arena, (trilo_bytes){(const uint8_t *)text + at, length}, NULL,
                                           &tl_general_rules[TL_FILE_READ], 0, NULL);
        CHECK(pose != NULL);
        check_pose(pose);
        tl_arena_free(&arena);
        at += length + 1;
    }
    CHECK(poses >= 49);
    free(text);
}

TEST_MAIN(CASE(straight_or_at_even_speed), CASE(the_sign_of_the_key_ahead), CASE(beyond_the_last_key),
          CASE(keys_without_another_in_front), CASE(steps_and_curves_stay), CASE(time_in_single_precision),
          CASE(more_channels_than_a_stream_holds), CASE(the_next_key_is_the_one_that_a_stream_has_read),
          CASE(what_a_stream_can_hold), CASE(times_are_sums_of_ticks), CASE(auto_asks_the_model),
          CASE(poses_that_another_program_worked_out))
