/* Streams that are read while they are played, against the model in memory, and both against a console that was written
 * down a second time. */
#include "harness.h"
#include "support/buffer.h"
#include "support/console.h"
#include "support/findings.h"
#include "support/t3dm_files.h"
#include "trilobite/player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes that come in pieces ---- */

/* A source that hands out few bytes at a time and counts how far it was read. */
typedef struct drip {
    trilo_bytes bytes;
    size_t at, most, piece;
    uint32_t rewinds;
} drip;

static ptrdiff_t drip_read(void *user, void *bytes, size_t room)
{
    drip *d = user;
    size_t size = d->bytes.size - d->at;
    size = size < room ? size : room;
    size = d->piece > 0 && d->piece < size ? d->piece : size;
    if (size > 0)
        memcpy(bytes, d->bytes.data + d->at, size);
    d->at += size;
    d->most = d->at > d->most ? d->at : d->most;
    return (ptrdiff_t)size;
}

static bool drip_rewind(void *user)
{
    drip *d = user;
    d->at = 0;
    d->rewinds++;
    return true;
}

static trilo_stream_source drip_source(drip *d)
{
    return (trilo_stream_source){drip_read, drip_rewind, d};
}

static bool same_parts(const trilo_transform *a, const trilo_transform *b, uint32_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

/* ---- the examples of Tiny3D ---- */

static const char *const animated[] = {
    "t3dm/08_animation/filesystem/snake.t3dm",
    "t3dm/09_anim_viewer/filesystem/animTest.t3dm",
    "t3dm/09_anim_viewer/filesystem/cath.t3dm",
    "t3dm/09_anim_viewer/filesystem/enemyPlant00.t3dm",
};

/* Two players of one model, one in memory and one that reads; `console` is the third. */
typedef struct trio {
    trilo_document *document;
    const trilo_model *model;
    trilo_player *memory, *reader;
    trilo_stream *stream;
    drip from;
    console third;
} trio;

static void trio_open(trio *t, const char *path)
{
    memset(t, 0, sizeof *t);
    t->document = trilo_document_open_file(test_corpus(path), NULL, NULL);
    CHECK(t->document != NULL);
    t->model = trilo_document_model(t->document, NULL);
    CHECK(t->model != NULL);
    t->memory = trilo_player_new(t->model, NULL, NULL);
    t->reader = trilo_player_new(t->model, NULL, NULL);
    CHECK(t->memory && t->reader);
}

static void trio_play(trio *t, uint32_t clip, bool once)
{
    char name[256];
    const trilo_play_opts how = {.once = once};
    CHECK(trilo_document_companion(t->document, clip, name, sizeof name, &t->from.bytes));
    t->from = (drip){.bytes = t->from.bytes, .piece = 1 + clip % 7};
    const trilo_stream_source source = drip_source(&t->from);
    trilo_stream_free(t->stream);
    t->stream = trilo_document_stream(t->document, clip, &source, NULL);
    CHECK(t->stream != NULL);
    CHECK(trilo_player_play(t->memory, 0, clip, &how));
    CHECK(trilo_player_play_stream(t->reader, 0, t->stream, &how));
    CHECK(
        console_open(&t->third, trilo_document_bytes(t->document).data, clip, t->from.bytes.data, t->from.bytes.size));
    t->third.once = once;
}

static void trio_close(trio *t)
{
    trilo_player_free(t->memory);
    trilo_player_free(t->reader);
    trilo_stream_free(t->stream);
    trilo_model_free(t->model);
    trilo_document_free(t->document);
}

/* To the bit: all three count in single precision. */
static void check_same(const trio *t)
{
    const trilo_transform *parts = trilo_player_transforms(t->memory);
    CHECK(same_parts(parts, trilo_player_transforms(t->reader), t->model->node_count));
    for (uint32_t i = 0; i < t->third.bone_count; i++) {
        CHECK(memcmp(parts[i].translation, t->third.bones[i].position, sizeof parts[i].translation) == 0);
        CHECK(memcmp(parts[i].rotation, t->third.bones[i].rotation, sizeof parts[i].rotation) == 0);
        CHECK(memcmp(parts[i].scale, t->third.bones[i].scale, sizeof parts[i].scale) == 0);
    }
}

static void advance_all(trio *t, float seconds)
{
    trilo_player_advance(t->memory, (double)seconds);
    trilo_player_advance(t->reader, (double)seconds);
    console_update(&t->third, seconds);
}

static uint32_t each_clip(void (*run)(trio *t, uint32_t clip))
{
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof animated / sizeof *animated; i++) {
        static trio t;
        trio_open(&t, animated[i]);
        for (uint32_t clip = 0; clip < t.model->clip_count; clip++, count++)
            run(&t, clip);
        trio_close(&t);
    }
    return count;
}

/* Three rounds and a half, so that the end is passed in different places. */
static void loop_clip(trio *t, uint32_t clip)
{
    trio_play(t, clip, false);
    const uint32_t rate = test_rounds(240, TEST_EMULATED ? 70 : 240);
    const double rounds = t->model->clips[clip].duration * 3.5 * rate;
    for (int i = 0; i < rounds; i++) {
        advance_all(t, 1.0f / (float)rate);
        check_same(t);
        CHECK(trilo_player_time(t->memory, 0) == (double)t->third.time);
    }
    CHECK(trilo_stream_ok(t->stream));
    CHECK_INT(t->from.rewinds, 3);
}

TEST(all_play_the_same_round_and_round)
{
    CHECK(each_clip(loop_clip) >= 8);
}

/* The motion of each node that a clip moves, over the end of the clip and back: the stream has to be read to its end
 * before it begins again. */
static void move_root(trio *t, uint32_t clip)
{
    uint32_t last = TRILO_NONE;
    for (uint32_t i = 0; i < t->model->clips[clip].channel_count; i++) {
        const uint32_t node = t->model->clips[clip].channels[i].node;
        if (node == last || node > 1 || (TEST_SLOW && clip > 0))
            continue;
        last = node;
        const trilo_player_opts opts = {.root_motion = TRILO_ROOT_X | TRILO_ROOT_Y | TRILO_ROOT_Z | TRILO_ROOT_YAW,
                                        .root_node = node};
        trilo_player_free(t->memory);
        trilo_player_free(t->reader);
        t->memory = trilo_player_new(t->model, &opts, NULL);
        t->reader = trilo_player_new(t->model, &opts, NULL);
        CHECK(t->memory && t->reader);
        trio_play(t, clip, false);
        const double duration = t->model->clips[clip].duration;
        static const double steps[] = {0, 0.125, 0.375, 0.75, 2.25, -0.5, 0.25};
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            trilo_player_advance(t->memory, duration * steps[k]);
            trilo_player_advance(t->reader, duration * steps[k]);
            const trilo_transform a = trilo_player_root_motion(t->memory), b = trilo_player_root_motion(t->reader);
            CHECK(same_parts(&a, &b, 1));
            CHECK(same_parts(trilo_player_transforms(t->memory), trilo_player_transforms(t->reader),
                             t->model->node_count));
        }
    }
}

TEST(roots_move_the_same)
{
    CHECK(each_clip(move_root) > 0);
}

/* At the end the console stops without another pose, and so do the players. */
static void play_to_the_end(trio *t, uint32_t clip)
{
    trio_play(t, clip, true);
    const uint32_t rate = test_rounds(240, TEST_EMULATED ? 70 : 240);
    const double steps = t->model->clips[clip].duration * rate + 20;
    for (int i = 0; i < steps; i++) {
        advance_all(t, 1.0f / (float)rate);
        check_same(t);
    }
    CHECK(trilo_player_finished(t->memory, 0) && trilo_player_finished(t->reader, 0));
    CHECK(t->third.stopped);
}

TEST(all_end_alike)
{
    each_clip(play_to_the_end);
}

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*state >> 8) * limit) >> 24);
}

/* Back and forth, with some steps in between. */
static void jump_about(trio *t, uint32_t clip)
{
    const float duration = (float)t->model->clips[clip].duration;
    uint32_t state = clip;
    trio_play(t, clip, false);
    for (uint32_t i = 0; i < test_rounds(60, TEST_EMULATED ? 20 : 60); i++) {
        const float to = duration * (float)random_below(&state, 1000) / 1000.0f;
        trilo_player_seek(t->memory, 0, (double)to);
        trilo_player_seek(t->reader, 0, (double)to);
        console_set_time(&t->third, to);
        advance_all(t, 0);
        check_same(t);
        for (uint32_t k = random_below(&state, 20); k > 0; k--) {
            advance_all(t, 1.0f / 240.0f);
            check_same(t);
        }
    }
}

TEST(all_are_the_same_after_a_jump)
{
    each_clip(jump_about);
}

/* Only what has to be there is read: never more than the buffer ahead of the key that is needed. */
TEST(a_stream_is_read_bit_by_bit)
{
    static trio t;
    trio_open(&t, animated[2]);
    trio_play(&t, 5, false);
    t.from.piece = 0;
    trilo_player_advance(t.reader, 0);
    const size_t first = t.from.most;
    CHECK(first > 0 && first <= 2048 && t.from.bytes.size > 8000);
    trilo_player_advance(t.reader, t.model->clips[5].duration / 2);
    CHECK(t.from.most > first && t.from.most < t.from.bytes.size * 3 / 4);
    CHECK_INT(t.from.rewinds, 0);
    trio_close(&t);
}

/* Backwards, which the console cannot: the same as forwards at the same moments. */
TEST(a_stream_goes_backwards)
{
    static trio t;
    trio_open(&t, animated[3]);
    trio_play(&t, 0, false);
    const trilo_play_opts back = {.speed = -1};
    CHECK(trilo_player_play(t.memory, 0, 0, &back));
    CHECK(trilo_player_play_stream(t.reader, 0, t.stream, &back));
    CHECK_NEAR(trilo_player_time(t.memory, 0), t.model->clips[0].duration, 0);
    for (int i = 0; i < 700; i++) {
        trilo_player_advance(t.memory, 1.0 / 240);
        trilo_player_advance(t.reader, 1.0 / 240);
        CHECK(same_parts(trilo_player_transforms(t.memory), trilo_player_transforms(t.reader), t.model->node_count));
    }
    trio_close(&t);
}

/* ---- streams that are not as they should be ---- */

typedef struct kite {
    buffer file, keys;
    trilo_document *document;
    const trilo_model *model;
    trilo_player *player;
    trilo_stream *stream;
    drip from;
} kite;

static void kite_open(kite *k)
{
    t3dm_places places;
    memset(k, 0, sizeof *k);
    t3dm_kite(&k->file, 4, &places);
    t3dm_kite_stream(&k->keys);
    const trilo_load_opts opts = {.companion = t3dm_kite_companion, .companion_user = &k->keys, .name = "kite.t3dm"};
    k->document = trilo_document_open(k->file.data, k->file.size, &opts, NULL);
    CHECK(k->document != NULL);
    k->model = trilo_document_model(k->document, NULL);
    CHECK(k->model != NULL);
    k->player = trilo_player_new(k->model, NULL, NULL);
    CHECK(k->player != NULL);
}

static void kite_play(kite *k, trilo_bytes keys)
{
    k->from = (drip){.bytes = keys};
    const trilo_stream_source source = drip_source(&k->from);
    trilo_stream_free(k->stream);
    k->stream = trilo_document_stream(k->document, 0, &source, NULL);
    CHECK(k->stream && trilo_player_play_stream(k->player, 0, k->stream, NULL));
}

static void kite_close(kite *k)
{
    trilo_player_free(k->player);
    trilo_stream_free(k->stream);
    trilo_model_free(k->model);
    trilo_document_free(k->document);
    buffer_free(&k->file);
    buffer_free(&k->keys);
}

static void check_finite(const kite *k)
{
    const trilo_transform *parts = trilo_player_transforms(k->player);
    for (uint32_t i = 0; i < k->model->node_count; i++) {
        float length = 0;
        for (int j = 0; j < 4; j++)
            length += parts[i].rotation[j] * parts[i].rotation[j];
        CHECK_NEAR(length, 1, 1e-5);
        for (int j = 0; j < 3; j++)
            CHECK(isfinite(parts[i].translation[j]) && isfinite(parts[i].scale[j]));
    }
    for (uint32_t i = 0; i < k->model->node_count; i++)
        for (int j = 0; j < 16; j++)
            CHECK(isfinite(trilo_player_worlds(k->player)[i].m[j]));
}

/* The knee goes from 0 to 50 along x in a second: 12.5 after a quarter. */
TEST(a_stream_from_beside_the_document)
{
    kite k;
    kite_open(&k);
    k.stream = trilo_document_stream(k.document, 0, NULL, NULL);
    CHECK(k.stream != NULL);
    CHECK(trilo_player_play_stream(k.player, 0, k.stream, NULL));
    trilo_player_advance(k.player, 0.25);
    CHECK_NEAR(trilo_player_transforms(k.player)[1].translation[0], 12.5, 1e-3);
    CHECK(trilo_document_stream(k.document, 1, NULL, NULL) == NULL);
    CHECK(trilo_document_stream(k.document, 0, &(trilo_stream_source){0}, NULL) == NULL);
    kite_close(&k);
}

/* Cut anywhere, the player goes on with what it has, and says that something is missing. */
TEST(a_stream_that_ends_early)
{
    kite k;
    kite_open(&k);
    for (size_t size = 0; size < k.keys.size; size++) {
        kite_play(&k, (trilo_bytes){k.keys.data, size});
        for (int i = 0; i < 50; i++) {
            trilo_player_advance(k.player, 1.0 / 30);
            check_finite(&k);
        }
        CHECK(!trilo_stream_ok(k.stream));
    }
    kite_close(&k);
}

/* Every byte, every bit turned: a player that stays whole. A key for a channel that is not there is noticed. */
TEST(a_stream_with_impossible_keys)
{
    kite k;
    kite_open(&k);
    for (size_t bit = 0; bit < k.keys.size * 8; bit++) {
        k.keys.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        kite_play(&k, (trilo_bytes){k.keys.data, k.keys.size});
        for (int i = 0; i < 50; i++) {
            trilo_player_advance(k.player, 1.0 / 30);
            check_finite(&k);
        }
        const bool flag = bit == 7 || bit == 8 * 8 + 7 || bit == 14 * 8 + 7; /* which size the next key has */
        if (bit / 8 == 2 || flag) /* 2: the upper half of the first key's channel */
            CHECK(!trilo_stream_ok(k.stream));
        k.keys.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    kite_close(&k);
}

static ptrdiff_t refuse(void *user, void *bytes, size_t room)
{
    (void)user, (void)bytes, (void)room;
    return -1;
}

TEST(a_source_that_fails)
{
    kite k;
    kite_open(&k);
    const trilo_stream_source source = {refuse, drip_rewind, &k.from};
    k.stream = trilo_document_stream(k.document, 0, &source, NULL);
    CHECK(k.stream && trilo_player_play_stream(k.player, 0, k.stream, NULL));
    trilo_player_advance(k.player, 0.5);
    CHECK(!trilo_stream_ok(k.stream));
    check_finite(&k);
    kite_close(&k);
}

/* A duration of 0 is found, and played standing. */
TEST(an_animation_without_a_length)
{
    kite k;
    listener heard_of = {0};
    t3dm_places places;
    memset(&k, 0, sizeof k);
    t3dm_kite(&k.file, 4, &places);
    memset(k.file.data + places.animation + 4, 0, 4);
    t3dm_kite_stream(&k.keys);
    const trilo_load_opts opts = {.companion = t3dm_kite_companion, .companion_user = &k.keys, .name = "kite.t3dm"};
    listen_to(&k.file, &opts, &heard_of);
    expect(&heard_of, "T3DM-ANIM-VALUE", "animations[0]", "no length");
    k.document = trilo_document_open(k.file.data, k.file.size, &opts, NULL);
    k.model = k.document ? trilo_document_model(k.document, NULL) : NULL;
    k.player = k.model ? trilo_player_new(k.model, NULL, NULL) : NULL;
    CHECK(k.player != NULL);
    kite_play(&k, (trilo_bytes){k.keys.data, k.keys.size});
    for (int i = 0; i < 5; i++) {
        trilo_player_advance(k.player, 0.3);
        check_finite(&k);
        CHECK_NEAR(trilo_player_transforms(k.player)[1].translation[0], 0, 0);
    }
    kite_close(&k);
}

/* A channel for bone 99 of two is found; the stream is played without it. */
TEST(a_channel_for_a_bone_that_is_not_there)
{
    kite k;
    listener heard_of = {0};
    t3dm_places places;
    buffer bad = {0};
    kite_open(&k);
    t3dm_kite(&bad, 4, &places);
    bad.data[places.animation + 0x14 + 1] = 99;
    const trilo_load_opts opts = {.companion = t3dm_kite_companion, .companion_user = &k.keys, .name = "kite.t3dm"};
    listen_to(&bad, &opts, &heard_of);
    expect(&heard_of, "T3DM-ANIM-TARGET", "animations[0].channels[0]", "no such bone");
    trilo_document *document = trilo_document_open(bad.data, bad.size, &opts, NULL);
    CHECK(document && trilo_document_model(document, NULL) == NULL);
    k.stream = trilo_document_stream(document, 0, NULL, NULL);
    CHECK(k.stream && trilo_player_play_stream(k.player, 0, k.stream, NULL));
    trilo_player_advance(k.player, 0.5);
    check_finite(&k);
    CHECK_NEAR(trilo_player_transforms(k.player)[1].rotation[3], 1, 0); /* the turn was bone 99's */
    CHECK_NEAR(trilo_player_transforms(k.player)[1].translation[0], 25, 1e-3);
    trilo_stream_free(k.stream);
    k.stream = NULL;
    trilo_document_free(document);
    buffer_free(&bad);
    kite_close(&k);
}

/* Two keys on one tick are a jump: 0, 30 at half a second, there 50, and 10 at the end. Memory, stream and the console
 * written down a second time play it alike. */
TEST(a_jump_within_a_tick)
{
    static const uint8_t keys[] = {
        0x00, 0x00, 0, 0, 0xE0, 0x08, 0x02, 0x00, /* no turn; a short one comes next */
        0x00, 0x00, 0, 1, 0x00, 0x00,             /* 0 */
        0x80, 30,   0, 1, 0x99, 0x99,             /* 39321 of 65535 is 30 of 50; a long one comes next */
        0x00, 60,   0, 0, 0xE0, 0x08, 0x02, 0x00, /* no turn */
        0x00, 0x00, 0, 1, 0xFF, 0xFF,             /* 50 on the same tick */
        0x00, 30,   0, 1, 0x33, 0x33,             /* 10 */
    };
    t3dm_places places;
    buffer file = {0}, stream = {0};
    t3dm_kite(&file, 4, &places);
    file.data[places.animation + 11] = 6; /* keys */
    buffer_sink(&stream, keys, sizeof keys);
    const trilo_load_opts opts = {.companion = t3dm_kite_companion, .companion_user = &stream, .name = "kite.t3dm"};
    static trio t;
    memset(&t, 0, sizeof t);
    t.document = trilo_document_open(file.data, file.size, &opts, NULL);
    t.model = t.document ? trilo_document_model(t.document, NULL) : NULL;
    CHECK(t.model != NULL);
    t.memory = trilo_player_new(t.model, NULL, NULL);
    t.reader = trilo_player_new(t.model, NULL, NULL);
    CHECK(t.memory && t.reader);
    trio_play(&t, 0, false);
    for (int i = 1; i <= 600; i++) {
        advance_all(&t, 1.0f / 240.0f);
        check_same(&t);
        const float *x = trilo_player_transforms(t.memory)[1].translation;
        if (i == 60)
            CHECK_NEAR(*x, 15, 1e-3);
        if (i == 118)
            CHECK_NEAR(*x, 29.5, 1e-3);
        if (i == 180)
            CHECK_NEAR(*x, 30, 1e-3);
    }
    CHECK(trilo_stream_ok(t.stream));
    trio_close(&t);
    buffer_free(&file);
    buffer_free(&stream);
}

TEST_MAIN(CASE(all_play_the_same_round_and_round), CASE(roots_move_the_same), CASE(all_end_alike),
          CASE(all_are_the_same_after_a_jump), CASE(a_stream_is_read_bit_by_bit), CASE(a_stream_goes_backwards),
          CASE(a_stream_from_beside_the_document), CASE(a_stream_that_ends_early), CASE(a_stream_with_impossible_keys),
          CASE(a_source_that_fails), CASE(a_jump_within_a_tick), CASE(an_animation_without_a_length),
          CASE(a_channel_for_a_bone_that_is_not_there))
