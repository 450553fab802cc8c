/* Streams of animation keys: by hand, at random, and the real ones. */
#include "formats/t3dm/decode/sdata.h"

#include "base/bytes.h"
#include "formats/t3dm/t3dm.h"
#include "harness.h"
#include "support/exercise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static uint32_t random_state;

static uint32_t random_u32(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state ^ random_state >> 15;
}

static uint32_t random_below(uint32_t limit)
{
    return (random_u32() >> 8) % limit;
}

static double random_one(void)
{
    return random_u32() * 0x1p-31 - 1;
}

static void check_bytes(trilo_bytes got, const uint8_t *want, size_t size)
{
    for (size_t i = 0; i < size && i < got.size; i++)
        if (got.data[i] != want[i])
            FAIL("byte %zu is %02X, not %02X", i, got.data[i], want[i]);
    CHECK_INT(got.size, size);
}

static void check_channel(const tl_sdata_channel *got, uint32_t count, const uint32_t *ticks, const uint32_t *values)
{
    CHECK_INT(got->key_count, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(got->ticks[i], ticks[i]);
        CHECK_INT(got->values[i], values[i]);
    }
}

/* --- streams by hand --- */

/* A rotation (0): no turn at tick 0, 90 degrees about z at 30. A scalar (1): 0 at 0, 65535 at 20, 100 at 30. The first
 * keys are needed at 0, and so are the second ones; the third of the scalar is needed at 20. Of those needed at 0, the
 * earlier in time come first, and channel 0 before channel 1. */
static const uint8_t by_hand[] = {
    0x00, 0x00, 0x00, 0x00, 0xE0, 0x08, 0x02, 0x00, /* at 0: channel 0; the next is short */
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00,             /* at 8: channel 1 */
    0x80, 0x14, 0x00, 0x01, 0xFF, 0xFF,             /* at 14: channel 1, 20 ticks later; the next is long */
    0x00, 0x1E, 0x00, 0x00, 0xBF, 0xF8, 0x02, 0x00, /* at 20: channel 0, 30 ticks later */
    0x00, 0x0A, 0x00, 0x01, 0x00, 0x64,             /* at 28: channel 1, 10 ticks later */
};
enum { HAND_KEYS = 5 };
static uint32_t hand_turn_ticks[] = {0, 30}, hand_turns[] = {0xE0080200, 0xBFF80200};
static uint32_t hand_ticks[] = {0, 20, 30}, hand_values[] = {0, 65535, 100};

TEST(stream_by_hand)
{
    tl_sdata_channel channels[] = {{2, hand_turn_ticks, hand_turns}, {3, hand_ticks, hand_values}};
    const tl_sdata sdata = {.quat_count = 1, .channel_count = 2, .channels = channels};
    tl_arena arena;
    trilo_bytes out;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_write(&arena, &sdata, &out, NULL));
    check_bytes(out, by_hand, sizeof by_hand);
    tl_sdata again;
    CHECK(tl_sdata_read(&arena, out, 1, 1, &again, NULL));
    CHECK_INT(again.quat_count, 1);
    CHECK_INT(again.channel_count, 2);
    CHECK_INT(again.key_count, HAND_KEYS);
    CHECK_INT(again.late_key, TRILO_NONE);
    check_channel(&again.channels[0], 2, hand_turn_ticks, hand_turns);
    check_channel(&again.channels[1], 3, hand_ticks, hand_values);
    tl_arena_free(&arena);
}

/* Without rotations the first key is a scalar, padded to 8 bytes, and no flag is ever set. */
TEST(scalars_alone)
{
    static const uint8_t want[] = {0, 0, 0, 0, 0x12, 0x34, 0, 0, /* long all the same */
                                   0, 0, 0, 1, 0x00, 0x05,       /* the other first key */
                                   0, 7, 0, 0, 0x43, 0x21,       /* needed at 0 */
                                   0, 7, 0, 1, 0xFF, 0x00};
    uint32_t ticks[] = {0, 7}, a[] = {0x1234, 0x4321}, b[] = {5, 0xFF00};
    tl_sdata_channel channels[] = {{2, ticks, a}, {2, ticks, b}};
    const tl_sdata sdata = {.channel_count = 2, .channels = channels};
    tl_sdata again;
    tl_arena arena;
    trilo_bytes out;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_write(&arena, &sdata, &out, NULL));
    check_bytes(out, want, sizeof want);
    CHECK(tl_sdata_read(&arena, out, 0, 2, &again, NULL));
    check_channel(&again.channels[0], 2, ticks, a);
    check_channel(&again.channels[1], 2, ticks, b);
    tl_arena_free(&arena);
}

/* In the last key the flag repeats the key's own size. */
TEST(rotations_alone)
{
    static const uint8_t want[] = {0x80, 0, 0, 0, 0x12, 0x34, 0x56, 0x78, 0xFF, 0xFF, 0, 0, 0x9A, 0xBC, 0xDE, 0xF0};
    uint32_t ticks[] = {0, 32767}, turns[] = {0x12345678, 0x9ABCDEF0};
    tl_sdata_channel channel = {2, ticks, turns};
    const tl_sdata sdata = {.quat_count = 1, .channel_count = 1, .channels = &channel};
    tl_sdata again;
    tl_arena arena;
    trilo_bytes out;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_write(&arena, &sdata, &out, NULL));
    check_bytes(out, want, sizeof want);
    CHECK(tl_sdata_read(&arena, out, 1, 0, &again, NULL));
    check_channel(&again.channels[0], 2, ticks, turns);
    tl_arena_free(&arena);
}

TEST(nothing_at_all)
{
    const tl_sdata none = {0};
    tl_sdata again = {.key_count = 7};
    tl_arena arena;
    trilo_bytes out = {NULL, 7};
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_write(&arena, &none, &out, NULL));
    CHECK_INT(out.size, 0);
    CHECK(tl_sdata_read(&arena, out, 0, 0, &again, NULL));
    CHECK_INT(again.key_count, 0);
    tl_arena_free(&arena);
}

/* Keys at one time keep their order. */
TEST(keys_at_one_time)
{
    uint32_t ticks[] = {0, 0, 5, 5, 5, 9}, values[] = {6, 5, 4, 3, 2, 1};
    tl_sdata_channel channels[] = {{6, ticks, values}, {6, ticks, values}};
    const tl_sdata sdata = {.channel_count = 2, .channels = channels};
    tl_sdata again;
    tl_arena arena;
    trilo_bytes out;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_write(&arena, &sdata, &out, NULL));
    CHECK(tl_sdata_read(&arena, out, 0, 2, &again, NULL));
    check_channel(&again.channels[0], 6, ticks, values);
    check_channel(&again.channels[1], 6, ticks, values);
    CHECK_INT(again.late_key, TRILO_NONE);
    tl_arena_free(&arena);
}

/* --- what reading refuses --- */

static void check_refused(const uint8_t *bytes, size_t size, uint32_t quats, uint32_t scalars, trilo_code code,
                          const char *rule, const char *path, uint64_t offset)
{
    trilo_error err = {0};
    tl_sdata sdata;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const bool good = tl_sdata_read(&arena, (trilo_bytes){bytes, size}, quats, scalars, &sdata, &err);
    const bool again = tl_sdata_read(&arena, (trilo_bytes){bytes, size}, quats, scalars, &sdata, NULL);
    tl_arena_free(&arena);
    CHECK(!good && !again);
    CHECK_STR(err.rule, rule);
    CHECK_STR(err.path, path);
    CHECK_INT(err.code, code);
    CHECK_INT(err.offset, offset);
    CHECK(err.text[0] != '\0');
}

static void check_refused_change(size_t at, uint8_t value, trilo_code code, const char *rule, const char *path,
                                 uint64_t offset)
{
    uint8_t bytes[sizeof by_hand];
    memcpy(bytes, by_hand, sizeof bytes);
    bytes[at] = value;
    check_refused(bytes, sizeof bytes, 1, 1, code, rule, path, offset);
}

TEST(refuses_a_cut_stream)
{
    static const size_t starts[] = {0, 8, 14, 20, 28, sizeof by_hand};
    for (size_t size = 0, number = 0; size < sizeof by_hand; size++) {
        char path[32];
        if (size == starts[number + 1])
            number++;
        snprintf(path, sizeof path, "keys[%zu]", number);
        if (size != starts[number])
            check_refused(by_hand, size, 1, 1, TRILO_CODE_TRUNCATED, "T3DM-STREAM-LENGTH", path, starts[number]);
    }
    static const uint8_t longer[8] = {0, 0, 0, 0, 0, 0, 0, 0}; /* whole keys, and a bit of one more */
    uint8_t bytes[sizeof by_hand + 1] = {0};
    memcpy(bytes, by_hand, sizeof by_hand);
    check_refused(bytes, sizeof bytes, 1, 1, TRILO_CODE_TRUNCATED, "T3DM-STREAM-LENGTH", "keys[5]", sizeof by_hand);
    check_refused(longer, 7, 0, 1, TRILO_CODE_TRUNCATED, "T3DM-STREAM-LENGTH", "keys[0]", 0); /* not a short one */
}

TEST(refuses_a_channel_that_is_not_there)
{
    check_refused_change(11, 2, TRILO_CODE_BAD_REF, "T3DM-STREAM-CHANNEL", "keys[1]", 10);
    check_refused_change(10, 0xFF, TRILO_CODE_BAD_REF, "T3DM-STREAM-CHANNEL", "keys[1]", 10);
    check_refused(by_hand, sizeof by_hand, 1, 0, TRILO_CODE_BAD_REF, "T3DM-STREAM-CHANNEL", "keys[1]", 10);
}

/* The offset is that of the flag, in the key in front. */
TEST(refuses_a_flag_that_is_wrong)
{
    check_refused_change(11, 0, TRILO_CODE_BAD_VALUE, "T3DM-STREAM-FLAG", "keys[1]", 0);   /* a rotation in 6 bytes */
    check_refused_change(23, 1, TRILO_CODE_BAD_VALUE, "T3DM-STREAM-FLAG", "keys[3]", 14);  /* a scalar in 8 */
    check_refused_change(8, 0x80, TRILO_CODE_BAD_VALUE, "T3DM-STREAM-FLAG", "keys[2]", 8); /* the flag itself */
    uint8_t bytes[sizeof by_hand];
    memcpy(bytes, by_hand, sizeof bytes);
    bytes[28] = 0x80; /* the last one speaks of no key */
    tl_arena arena;
    tl_sdata sdata;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_read(&arena, (trilo_bytes){bytes, sizeof bytes}, 1, 1, &sdata, NULL));
    check_channel(&sdata.channels[1], 3, hand_ticks, hand_values);
    tl_arena_free(&arena);
}

/* Channels cost memory only when keys stand behind them. */
TEST(refuses_more_channels_than_keys)
{
    check_refused(by_hand, 0, 1, 1, TRILO_CODE_TRUNCATED, "T3DM-STREAM-LENGTH", "", 0);
    check_refused(by_hand, 8, 1, 1, TRILO_CODE_TRUNCATED, "T3DM-STREAM-LENGTH", "", 8);
    meter m = {0};
    tl_arena arena;
    tl_sdata sdata;
    const trilo_memory memory = meter_memory(&m, 0);
    tl_arena_init(&arena, &memory);
    CHECK(!tl_sdata_read(&arena, (trilo_bytes){by_hand, sizeof by_hand}, 1, 65535, &sdata, NULL));
    CHECK(!tl_sdata_read(&arena, (trilo_bytes){by_hand, sizeof by_hand}, 1, UINT32_MAX - 1, &sdata, NULL));
    CHECK(!tl_sdata_read(&arena, (trilo_bytes){by_hand, sizeof by_hand}, 2, UINT32_MAX, &sdata, NULL));
    CHECK_INT(m.calls, 0);
    tl_arena_free(&arena);
}

/* 140000 keys of 32767 ticks are more than 32 bits of ticks: times stop rising, nothing wraps round. */
TEST(ticks_do_not_wrap)
{
    enum { KEYS = 140000 };
    uint8_t *bytes = calloc(KEYS, 6);
    CHECK(bytes);
    bytes[4] = bytes[5] = 0; /* the first key, of 8 bytes */
    for (size_t i = 1; i < KEYS - 1; i++)
        tl_put_u16(bytes + 2 + 6 * i, TL_BIG, TL_SDATA_MOST_TICKS);
    tl_arena arena;
    tl_sdata sdata;
    trilo_error err = {0};
    trilo_bytes out;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_read(&arena, (trilo_bytes){bytes, 2 + 6 * (size_t)(KEYS - 1)}, 0, 1, &sdata, NULL));
    CHECK_INT(sdata.key_count, KEYS - 1);
    CHECK_INT(sdata.channels[0].ticks[1], 32767);
    CHECK_INT(sdata.channels[0].ticks[131076], 131076ll * 32767);
    CHECK_INT(sdata.channels[0].ticks[131077], UINT32_MAX);
    CHECK_INT(sdata.channels[0].ticks[KEYS - 2], UINT32_MAX);
    CHECK(!tl_sdata_write(&arena, &sdata, &out, &err));
    CHECK_STR(err.rule, "T3DM-RANGE-TIME");
    tl_arena_free(&arena);
    free(bytes);
}

/* --- what the check finds --- */

static void note(void *user, const trilo_finding *finding)
{
    char *heard = user;
    const size_t used = strlen(heard);
    snprintf(heard + used, 512 - used, "%s %s @%d%s; ", finding->rule, finding->path, (int)finding->offset,
             strstr(finding->text, " more)") ? " and more" : "");
}

static void check_findings(const uint8_t *bytes, size_t size, uint32_t quats, uint32_t scalars, uint32_t announced,
                           float duration, const char *want)
{
    char heard[512] = "";
    tl_arena arena;
    tl_sdata sdata;
    tl_report report = {.fn = note, .user = heard};
    tl_path_push(&report.path, "animations", 3);
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_read(&arena, (trilo_bytes){bytes, size}, quats, scalars, &sdata, NULL));
    tl_sdata_check((trilo_bytes){bytes, size}, &sdata, announced, duration, &report);
    tl_arena_free(&arena);
    CHECK_STR(heard, want);
    CHECK_INT(report.path.depth, 1);
}

TEST(a_good_stream_has_no_findings)
{
    check_findings(by_hand, sizeof by_hand, 1, 1, HAND_KEYS, 0.5f, "");
    check_findings(by_hand, sizeof by_hand, 1, 1, HAND_KEYS, 0.51f, ""); /* 30.6 ticks */
    check_findings(by_hand, sizeof by_hand, 1, 1, HAND_KEYS, 0.1f, "");
    check_findings(by_hand, sizeof by_hand, 1, 1, HAND_KEYS, NAN, ""); /* somebody else's finding */
    check_findings(by_hand, sizeof by_hand, 1, 1, HAND_KEYS, INFINITY, "");
}

TEST(finds_another_number_of_keys)
{
    check_findings(by_hand, sizeof by_hand, 1, 1, 6, 0.5f, "T3DM-STREAM-COUNT animations[3] @34; ");
    check_findings(by_hand, sizeof by_hand, 1, 1, 0, 0.5f, "T3DM-STREAM-COUNT animations[3] @34; ");
}

TEST(finds_an_end_that_is_too_early)
{
    check_findings(by_hand, sizeof by_hand, 1, 1, HAND_KEYS, 0.52f, /* 31.2 ticks */
                   "T3DM-STREAM-END animations[3].channels[0] @20 and more; ");
    uint8_t bytes[sizeof by_hand];
    memcpy(bytes, by_hand, sizeof bytes);
    bytes[29] = 5;
    check_findings(bytes, sizeof bytes, 1, 1, HAND_KEYS, 0.5f, "T3DM-STREAM-END animations[3].channels[1] @28; ");
}

TEST(finds_a_start_that_is_too_late)
{
    uint8_t bytes[sizeof by_hand];
    memcpy(bytes, by_hand, sizeof bytes);
    bytes[1] = 1;
    check_findings(bytes, sizeof bytes, 1, 1, HAND_KEYS, 0.5f, "T3DM-STREAM-START animations[3].channels[0] @0; ");
    bytes[9] = 1;
    check_findings(bytes, sizeof bytes, 1, 1, HAND_KEYS, 0.5f,
                   "T3DM-STREAM-START animations[3].channels[0] @0 and more; ");
}

TEST(finds_channels_with_too_few_keys)
{
    check_findings(by_hand, 20, 1, 1, 3, 0.3f, "T3DM-STREAM-KEYS animations[3].channels[0] @0; ");
    check_findings(by_hand, sizeof by_hand, 1, 2, HAND_KEYS, 0.5f, "T3DM-STREAM-KEYS animations[3].channels[2] @34; ");
    check_findings(by_hand, sizeof by_hand, 1, 3, HAND_KEYS, 0.5f,
                   "T3DM-STREAM-KEYS animations[3].channels[2] @34 and more; ");
}

/* The keys sorted by their own time, as one might think. At 5 the player wants the second key of channel 1, and on the
 * way there runs over the third of channel 0, which is for later. */
TEST(finds_a_key_that_comes_too_late)
{
    static const uint8_t bytes[] = {
        0, 0,  0, 0, 0, 1, 0, 0, /* at 0: channel 0 at 0 */
        0, 0,  0, 1, 0, 1,       /* at 8: channel 1 at 0 */
        0, 10, 0, 0, 0, 2,       /* at 14: channel 0 at 10 */
        0, 10, 0, 0, 0, 3,       /* at 20: channel 0 at 20, needed at 10 */
        0, 30, 0, 1, 0, 2,       /* at 26: channel 1 at 30, needed at 0 */
        0, 10, 0, 0, 0, 4,       /* at 32: channel 0 at 30, needed at 20 */
    };
    check_findings(bytes, sizeof bytes, 0, 2, 6, 0.5f, "T3DM-STREAM-ORDER animations[3].keys[4] @26; ");
    CHECK_INT(trilo_rule_find("T3DM-STREAM-ORDER")->severity, TRILO_SEVERITY_WARNING); /* the console plays it */
}

/* --- what writing refuses --- */

static void check_write(const uint32_t *ticks, uint32_t count, const char *rule, const char *path)
{
    uint32_t copy[8], values[8] = {0};
    memcpy(copy, ticks, count * sizeof *ticks);
    tl_sdata_channel channels[] = {{2, hand_turn_ticks, hand_turns}, {count, copy, values}};
    const tl_sdata sdata = {.quat_count = 1, .channel_count = 2, .channels = channels};
    trilo_error err = {.rule = "", .path = ""};
    trilo_bytes out;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const bool good = tl_sdata_write(&arena, &sdata, &out, &err);
    CHECK(good == (rule[0] == '\0'));
    CHECK_STR(err.rule, rule);
    CHECK_STR(err.path, path);
    tl_sdata again;
    if (good && tl_sdata_read(&arena, out, 1, 1, &again, NULL))
        check_channel(&again.channels[1], count, ticks, values);
    tl_arena_free(&arena);
}

TEST(refuses_times_that_do_not_fit)
{
    check_write((const uint32_t[]){0, 32767, 65534, 65535}, 4, "", "");
    check_write((const uint32_t[]){0, 32768}, 2, "T3DM-RANGE-TIME", "channels[1].keys[1]");
    check_write((const uint32_t[]){32768}, 1, "T3DM-RANGE-TIME", "channels[1].keys[0]");
    check_write((const uint32_t[]){0, 32767, 65534, 65536}, 4, "T3DM-RANGE-TIME", "channels[1].keys[3]");
    check_write((const uint32_t[]){0, UINT32_MAX}, 2, "T3DM-RANGE-TIME", "channels[1].keys[1]");
    check_write((const uint32_t[]){0, 5, 4}, 3, "T3DM-RANGE-TIME", "channels[1].keys[2]"); /* back in time */
}

/* A time that no stream holds is named before a gap that is too long. */
TEST(times_that_do_not_fit_are_explained)
{
    static const struct {
        uint32_t ticks[3], count;
        const char *text;
    } all[] = {
        {{0, 65535}, 2, "a key at tick 65535 of 1/60 second after one at 0, must be from 0 to 32767 ticks later"},
        {{0, 65536}, 2, "a key at tick 65536 of 1/60 second, the last that a stream can hold is 65535"},
        {{3, 32771}, 2, "a key at tick 32771 of 1/60 second after one at 3, must be from 0 to 32767 ticks later"},
        {{0, 5, 4}, 3, "a key at tick 4 of 1/60 second after one at 5, must be from 0 to 32767 ticks later"},
        {{32768}, 1, "a key at tick 32768 of 1/60 second after one at 0, must be from 0 to 32767 ticks later"},
    };
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        uint32_t ticks[3], values[3] = {0};
        memcpy(ticks, all[i].ticks, sizeof ticks);
        tl_sdata_channel channel = {all[i].count, ticks, values};
        const tl_sdata sdata = {.channel_count = 1, .channels = &channel};
        trilo_error err = {.rule = ""};
        trilo_bytes out;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(!tl_sdata_write(&arena, &sdata, &out, &err));
        CHECK_STR(err.text, all[i].text);
        CHECK_INT(err.code, TRILO_CODE_BAD_VALUE);
        CHECK(err.offset == TRILO_NOWHERE);
        tl_arena_free(&arena);
    }
}

/* 65536 channels are all that a key can name. */
TEST(refuses_channels_that_do_not_fit)
{
    enum { MOST = 65536 };
    uint32_t ticks[] = {0}, values[] = {77};
    tl_sdata_channel *channels = calloc(MOST + 1, sizeof *channels);
    CHECK(channels);
    for (uint32_t i = 0; i <= MOST; i++)
        channels[i] = (tl_sdata_channel){1, ticks, values};
    tl_sdata sdata = {.channel_count = MOST, .channels = channels}, again;
    trilo_error err = {0};
    trilo_bytes out;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_write(&arena, &sdata, &out, &err));
    CHECK_INT(out.size, 6 * MOST + 2);
    CHECK(tl_sdata_read(&arena, out, 0, MOST, &again, &err));
    check_channel(&again.channels[MOST - 1], 1, ticks, values);
    sdata.channel_count++;
    CHECK(!tl_sdata_write(&arena, &sdata, &out, &err));
    CHECK_STR(err.rule, "T3DM-RANGE-COUNT");
    tl_arena_free(&arena);
    free(channels);
}

/* --- a player --- */

/* What the console does, with whole ticks: for each channel in turn it reads keys, whosever they are, until the channel
 * ends after now. Written from the description of the player, on bytes alone. */
typedef struct playing {
    uint32_t start, end, from, to;
} playing;

typedef struct player {
    const uint8_t *at, *end;
    size_t size; /* of the next key */
    uint32_t quat_count, channel_count;
    playing channels[16];
} player;

static bool player_read(player *p)
{
    if (p->at == p->end)
        return false;
    const uint32_t time = tl_get_u16(p->at, TL_BIG), channel = tl_get_u16(p->at + 2, TL_BIG);
    playing *c = &p->channels[channel];
    c->start = c->end;
    c->end += time & 0x7FFF;
    c->from = c->to;
    c->to = channel < p->quat_count ? tl_get_u32be(p->at + 4) : tl_get_u16(p->at + 4, TL_BIG);
    p->at += p->size;
    p->size = time & 0x8000 ? 8 : 6;
    return true;
}

static void player_step(player *p, double now)
{
    for (uint32_t i = 0; i < p->channel_count; i++)
        while (now >= p->channels[i].end && player_read(p))
            ;
}

/* The pair of keys around that moment, straight from the channel. */
static playing playing_at(const tl_sdata_channel *c, double now)
{
    uint32_t next = 1;
    while (next + 1 < c->key_count && c->ticks[next] <= now)
        next++;
    return (playing){c->ticks[next - 1], c->ticks[next], c->values[next - 1], c->values[next]};
}

static bool plays_right(trilo_bytes stream, const tl_sdata *sdata, double step, uint32_t duration)
{
    player p = {.at = stream.data, .end = stream.data + stream.size, .size = 8, .quat_count = sdata->quat_count};
    p.channel_count = sdata->channel_count;
    for (double now = 0; now<duration; now += step> 0 ? step : random_below(4000) / 256.0) {
        player_step(&p, now);
        for (uint32_t i = 0; i < sdata->channel_count; i++) {
            const playing want = playing_at(&sdata->channels[i], now), *got = &p.channels[i];
            if (want.start != got->start || want.end != got->end || want.from != got->from || want.to != got->to)
                return false;
        }
    }
    return true;
}

/* Up to 16 channels that start at 0 and end at the duration. */
typedef struct random_clip {
    tl_sdata sdata;
    tl_sdata_channel channels[16];
    uint32_t ticks[16][64], values[16][64];
    uint32_t duration;
} random_clip;

static void random_channel(random_clip *r, uint32_t i)
{
    uint32_t count = 0, gap = 1 + random_below(r->duration);
    for (uint32_t tick = 0; tick < r->duration && count < 63; tick += 1 + random_below(gap))
        r->ticks[i][count++] = tick;
    r->ticks[i][count++] = r->duration;
    for (uint32_t k = 0; k < count; k++)
        r->values[i][k] = i < r->sdata.quat_count ? random_u32() : random_u32() & 0xFFFF;
    r->channels[i] = (tl_sdata_channel){count, r->ticks[i], r->values[i]};
}

static void random_fill(random_clip *r)
{
    r->sdata = (tl_sdata){.channel_count = 1 + random_below(16), .channels = r->channels};
    r->sdata.quat_count = random_below(r->sdata.channel_count + 1);
    r->duration = 1 + random_below(random_below(2) ? 20 : 300);
    for (uint32_t i = 0; i < r->sdata.channel_count; i++)
        random_channel(r, i);
}

/* A player that reads forward only sees, at any moment and with any steps, what the channels say. */
TEST(streams_play_forward)
{
    static const double steps[] = {0.25, 0.7, 1, 2, 13.5, 0};
    static random_clip r;
    random_state = 1;
    for (int round = 0; round < 300; round++) {
        tl_arena arena;
        tl_sdata again;
        trilo_bytes out;
        char heard[512] = "";
        tl_report report = {.fn = note, .user = heard};
        random_fill(&r);
        tl_arena_init(&arena, NULL);
        CHECK(tl_sdata_write(&arena, &r.sdata, &out, NULL));
        CHECK(tl_sdata_read(&arena, out, r.sdata.quat_count, r.sdata.channel_count - r.sdata.quat_count, &again, NULL));
        for (uint32_t i = 0; i < r.sdata.channel_count; i++)
            check_channel(&again.channels[i], r.channels[i].key_count, r.ticks[i], r.values[i]);
        tl_sdata_check(out, &again, again.key_count, (float)r.duration / TL_SDATA_RATE, &report);
        CHECK_STR(heard, "");
        for (size_t i = 0; i < COUNT_OF(steps); i++)
            CHECK(plays_right(out, &r.sdata, steps[i], r.duration));
        tl_arena_free(&arena);
    }
}

/* Two neighbours of a stream of scalars (so that all keys behind the first have one size) change places. */
static bool swap_keys(trilo_bytes stream, uint32_t key, uint8_t *copy)
{
    uint8_t *a = copy + 2 + 6 * (size_t)key, *b = a + 6, held[6];
    memcpy(copy, stream.data, stream.size);
    memcpy(held, a, 6);
    memcpy(a, b, 6);
    memcpy(b, held, 6);
    return tl_get_u16(a + 2, TL_BIG) != tl_get_u16(b + 2, TL_BIG); /* else it became another animation */
}

/* The check speaks up exactly when a player would stumble: keys that are needed at the same time may change places. */
TEST(order_is_what_a_player_needs)
{
    static random_clip r;
    static uint8_t copy[16 * 64 * 6 + 2];
    uint32_t late = 0, fine = 0;
    random_state = 2;
    for (int round = 0; round < 150; round++) {
        tl_arena arena;
        tl_sdata again;
        trilo_bytes out;
        random_fill(&r);
        r.sdata.quat_count = 0;
        for (uint32_t i = 0; i < r.sdata.channel_count; i++)
            random_channel(&r, i);
        tl_arena_init(&arena, NULL);
        CHECK(tl_sdata_write(&arena, &r.sdata, &out, NULL));
        const uint32_t keys = (uint32_t)(out.size - 2) / 6, key = keys > 3 ? 1 + random_below(keys - 2) : 0;
        if (key > 0 && swap_keys(out, key, copy)) {
            const trilo_bytes swapped = {copy, out.size};
            CHECK(tl_sdata_read(&arena, swapped, 0, r.sdata.channel_count, &again, NULL));
            const bool plays = plays_right(swapped, &r.sdata, 0.25, r.duration);
            CHECK((again.late_key == TRILO_NONE) == plays);
            CHECK(plays || again.late_key == key + 1);
            late += !plays;
            fine += plays;
        }
        tl_arena_free(&arena);
    }
    CHECK(late > 10 && fine > 10);
}

/* --- rotations --- */

static trilo_quat random_quat(void)
{
    double q[4], length = 0;
    const uint32_t kind = random_below(4);
    for (int i = 0; i < 4; i++)
        q[i] = random_one();
    for (int i = 0; i < 4 && kind == 1; i++) /* four about as large */
        q[i] = (q[i] < 0 ? -1 : 1) * (1 + random_one() * 3e-3);
    if (kind == 2) /* two */
        q[random_below(4)] = q[random_below(4)] * (1 + random_one() * 1e-3);
    if (kind == 3) /* two, and nearly nothing else */
        q[0] *= 1e-3, q[2] *= 1e-3, q[3] = q[1] * (1 + random_one() * 2e-3);
    for (int i = 0; i < 4; i++)
        length += q[i] * q[i];
    length = sqrt(length);
    return (trilo_quat){(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length), (float)(q[3] / length)};
}

static double quat_dot(trilo_quat a, trilo_quat b)
{
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
}

/* 0 lies half between step 511 and step 512, and halves go away from 0: 512 = 0x200 in three slots, 3 for w on top.
 * 0.70710678 is step 1023, a half (0.5 + 0.70710678) / 1.41421356 * 1023 = 873.18, minus a half 149.82: 150. */
TEST(rotations_by_hand)
{
    const float half = 0.70710678f;
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 0, 0, 1}), 0xC0000000u | 512 << 20 | 512 << 10 | 512);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 0, 0, -1}), 0xC0000000u | 512 << 20 | 512 << 10 | 512);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){1, 0, 0, 0}), 512 << 20 | 512 << 10 | 512);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 1, 0, 0}), 0x40000000u | 512 << 20 | 512 << 10 | 512);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 0, half, half}), 0x80000000u | 1023 << 20 | 512 << 10 | 512);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 0, -half, half}), 0x80000000u | 0 << 20 | 512 << 10 | 512);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0.5f, 0.5f, 0.5f, 0.5f}), 873 << 20 | 873 << 10 | 873);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){-0.5f, 0.5f, 0.5f, -0.5f}), 150 << 20 | 150 << 10 | 873);
}

/* Step 512 is 512 / 1023 * 1.41421356236 - 0.70710678118 = 0.00069121, off by half a bit of 0.7 in single precision;
 * w = sqrt(1 - 3 * 0.00069121^2) = 0.99999928. */
TEST(rotations_unpacked_by_hand)
{
    const trilo_quat still = tl_sdata_unpack_quat(0xE0080200), x = tl_sdata_unpack_quat(0x3FF00000 | 512 << 10 | 512);
    CHECK_NEAR(still.x, 0.00069121, 3e-8);
    CHECK_NEAR(still.y, 0.00069121, 3e-8);
    CHECK_NEAR(still.z, 0.00069121, 3e-8);
    CHECK_NEAR(still.w, 0.99999928, 1e-7);
    CHECK_NEAR(x.x, 0.70710611, 1e-7); /* just below y: sqrt(1 - 0.5 - 2 * 0.00069121^2) */
    CHECK_NEAR(x.y, 0.70710678, 1e-7);
}

/* What was unpacked gives its bits again, also where rounding made another component the largest, and with either
 * sign. Three components are off by half a step of 0.00138 at most, and with them the fourth by three of these:
 * together by 0.0024 at most, which is a turn of 0.275 degrees. */
TEST(rotations_come_back)
{
    uint32_t changed_places = 0;
    random_state = 3;
    for (int i = 0; i < 200000; i++) {
        const trilo_quat q = random_quat();
        const uint32_t bits = tl_sdata_pack_quat(q);
        const trilo_quat u = tl_sdata_unpack_quat(bits), minus = {-u.x, -u.y, -u.z, -u.w};
        const float c[4] = {u.x, u.y, u.z, u.w}, largest = c[bits >> 30];
        for (int k = 0; k < 4; k++)
            if (fabsf(c[k]) > largest) {
                changed_places++;
                break;
            }
        CHECK_INT(tl_sdata_pack_quat(u), bits);
        CHECK_INT(tl_sdata_pack_quat(minus), bits);
        CHECK(fabs(quat_dot(u, u) - 1) < 1e-6);
        CHECK(fabs(quat_dot(q, u)) > 0.9999971); /* cos(0.138 degrees): half the turn */
    }
    CHECK(changed_places > 1000);
}

/* Two of 0.70710678 leave nothing for the component without bits: it is 0, and has no sign. */
TEST(rotations_whose_largest_component_is_rounded_to_0_come_back)
{
    static const uint32_t ends[] = {0, 1023};
    for (uint32_t largest = 0; largest < 4; largest++)
        for (int slot = 0; slot < 3; slot++)
            for (int k = 0; k < 4; k++) {
                uint32_t bits = largest << 30;
                for (int i = 0, end = 0; i < 3; i++)
                    bits |= (i == slot ? 512 : ends[k >> end++ & 1]) << (20 - 10 * i);
                const trilo_quat q = tl_sdata_unpack_quat(bits);
                const float c[4] = {q.x, q.y, q.z, q.w};
                CHECK(c[largest] == 0);
                CHECK_INT(tl_sdata_pack_quat(q), bits);
            }
}

/* The same by the plain rule: the first of the largest is left out. */
TEST(rotations_follow_the_rule)
{
    random_state = 4;
    for (int i = 0; i < 20000; i++) {
        const trilo_quat q = random_quat();
        const float c[4] = {q.x, q.y, q.z, q.w};
        unsigned largest = 0;
        for (unsigned k = 1; k < 4; k++)
            largest = fabsf(c[k]) > fabsf(c[largest]) ? k : largest;
        uint32_t want = largest << 30;
        for (unsigned k = 1; k < 4; k++) {
            const double part = c[largest] < 0 ? -c[(largest + k) & 3] : c[(largest + k) & 3];
            want |= (uint32_t)floor((part + 0.70710678118) / 1.41421356236 * 1023 + 0.5) << (30 - 10 * k);
        }
        CHECK_INT(tl_sdata_pack_quat(q), want);
    }
}

/* Every bit pattern is some rotation, and everything that is no rotation is packed as none. */
TEST(rotations_from_rubbish)
{
    random_state = 5;
    for (int i = 0; i < 100000; i++) {
        const trilo_quat q = tl_sdata_unpack_quat(random_u32());
        CHECK(fabs(quat_dot(q, q) - 1) < 1e-6);
    }
    const trilo_quat full = tl_sdata_unpack_quat(0xFFFFFFFF); /* three of 0.7071: too much for one rotation */
    CHECK_NEAR(full.x, 0.57735027, 1e-7);
    CHECK_NEAR(full.w, 0, 0);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 0, 0, 0}), 0xE0080200);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){NAN, 0, 0, 1}), 0xE0080200);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, INFINITY, 0, 1}), 0xE0080200);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 0, 0, 1e-20f}), 0xE0080200);
    CHECK_INT(tl_sdata_pack_quat((trilo_quat){0, 0, 3, 3}), 0xBFF80200); /* any length */
}

/* --- scalars --- */

TEST(scalars_by_hand)
{
    CHECK_INT(tl_sdata_pack_scalar(0.5f, 1, 0), 1); /* halves go up */
    CHECK_INT(tl_sdata_pack_scalar(1.5f, 1, 0), 2);
    CHECK_INT(tl_sdata_pack_scalar(2.49f, 1, 0), 2);
    CHECK_INT(tl_sdata_pack_scalar(-3, 0.25f, -5), 8);
    CHECK_INT(tl_sdata_pack_scalar(-1, 1, 0), 0); /* held at the ends */
    CHECK_INT(tl_sdata_pack_scalar(1e30f, 1, 0), 65535);
    CHECK_INT(tl_sdata_pack_scalar(NAN, 1, 0), 0);
    CHECK_INT(tl_sdata_pack_scalar(7, 0, 7), 0);
    CHECK(tl_sdata_unpack_scalar(8, 0.25f, -5) == -3);
    CHECK(tl_sdata_unpack_scalar(65535, 0, 7) == 7);
}

/* All 65536 values, for scales and offsets where a float can still tell them apart. */
TEST(scalars_come_back)
{
    random_state = 6;
    for (int round = 0; round < 40; round++) {
        const float scale = ldexpf((float)(1 + random_below(1u << 23)), (int)random_below(40) - 60);
        const float offset = (float)(random_one() * scale * 65536 * 100) * (float)random_below(2);
        for (uint32_t bits = 0; bits <= 65535; bits++) {
            const float value = tl_sdata_unpack_scalar((uint16_t)bits, scale, offset);
            if (tl_sdata_pack_scalar(value, scale, offset) != bits)
                FAIL("%u with %g and %g", (unsigned)bits, (double)scale, (double)offset);
        }
    }
}

TEST(range_of_scalars)
{
    float scale, offset;
    tl_sdata_scalar_range((const float[]){3, -1, 65534, 7}, 4, &scale, &offset);
    CHECK(scale == 1 && offset == -1);
    tl_sdata_scalar_range((const float[]){5, 5, 5}, 3, &scale, &offset);
    CHECK(scale == 0 && offset == 5);
    tl_sdata_scalar_range(NULL, 0, &scale, &offset);
    CHECK(scale == 0 && offset == 0);
    tl_sdata_scalar_range((const float[]){NAN, 2, INFINITY, 4}, 4, &scale, &offset);
    CHECK_NEAR(scale, 2 / 65535.0, 1e-12);
    CHECK(offset == 2);
    tl_sdata_scalar_range((const float[]){-3e38f, 3e38f}, 2, &scale, &offset);
    CHECK(isfinite(scale) && tl_sdata_pack_scalar(3e38f, scale, offset) == 65535);
    tl_sdata_scalar_range((const float[]){0, 1e-45f}, 2, &scale, &offset); /* too fine for a scale */
    CHECK(scale == 0 && offset == 0);
}

/* A scale that was rounded is found again when its range is used to both ends: the values survive to the last bit. */
TEST(range_of_unpacked_scalars)
{
    random_state = 7;
    for (int round = 0; round < 2000; round++) {
        float values[20], scale, offset;
        uint16_t bits[20] = {0, 65535};
        const float used = (float)(fabs(random_one()) * 1e-3 + 1e-6), from = (float)(random_one() * used * 65535);
        for (int i = 0; i < 20; i++) {
            bits[i] = i < 2 ? bits[i] : (uint16_t)random_u32();
            values[i] = tl_sdata_unpack_scalar(bits[i], used, from);
        }
        tl_sdata_scalar_range(values, 20, &scale, &offset);
        for (int i = 0; i < 20; i++) {
            CHECK_INT(tl_sdata_pack_scalar(values[i], scale, offset), bits[i]);
            CHECK(tl_sdata_unpack_scalar(bits[i], scale, offset) == values[i]);
        }
    }
}

/* --- real streams --- */

typedef struct tally {
    uint32_t streams, keys, rotations, scalars;
} tally;

/* Every value gives its bits again; so do the scalars of a channel with the range that is worked out anew. */
static void check_values(const tl_sdata *sdata, const uint8_t *mappings, tally *t)
{
    static float values[4096];
    for (uint32_t i = 0; i < sdata->channel_count; i++) {
        const tl_sdata_channel *c = &sdata->channels[i];
        const float scale = tl_get_f32(mappings + 12 * i + 4, TL_BIG),
                    offset = tl_get_f32(mappings + 12 * i + 8, TL_BIG);
        CHECK(c->key_count <= COUNT_OF(values));
        for (uint32_t k = 0; k < c->key_count; k++)
            if (i < sdata->quat_count) {
                CHECK_INT(tl_sdata_pack_quat(tl_sdata_unpack_quat(c->values[k])), c->values[k]);
                t->rotations++;
            } else {
                values[k] = tl_sdata_unpack_scalar((uint16_t)c->values[k], scale, offset);
                if (scale != 0)
                    CHECK_INT(tl_sdata_pack_scalar(values[k], scale, offset), c->values[k]);
                t->scalars++;
            }
        float new_scale, new_offset;
        if (i < sdata->quat_count)
            continue;
        tl_sdata_scalar_range(values, c->key_count, &new_scale, &new_offset);
        for (uint32_t k = 0; k < c->key_count; k++) {
            const uint16_t bits = tl_sdata_pack_scalar(values[k], new_scale, new_offset);
            CHECK(tl_sdata_unpack_scalar(bits, new_scale, new_offset) == values[k]);
        }
    }
}

/* `animation`: name, duration, keys, rotations and scalars as 16 bits, path, 12 bytes a channel. */
static void check_real(const char *path, const uint8_t *animation, tally *t)
{
    size_t size;
    uint8_t *bytes = test_read_file(path, &size);
    if (!bytes)
        FAIL("%s is missing", path);
    const uint32_t quats = tl_get_u16(animation + 12, TL_BIG), scalars = tl_get_u16(animation + 14, TL_BIG);
    char heard[512] = "";
    tl_report report = {.fn = note, .user = heard};
    tl_arena arena;
    tl_sdata sdata;
    trilo_bytes out;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_read(&arena, (trilo_bytes){bytes, size}, quats, scalars, &sdata, NULL));
    tl_sdata_check((trilo_bytes){bytes, size}, &sdata, tl_get_u32be(animation + 8), tl_get_f32(animation + 4, TL_BIG),
                   &report);
    CHECK_STR(heard, "");
    CHECK(tl_sdata_write(&arena, &sdata, &out, NULL));
    check_bytes(out, bytes, size);
    check_values(&sdata, animation + 20, t);
    t->streams++;
    t->keys += sdata.key_count;
    tl_arena_free(&arena);
    free(bytes);
}

/* The few bytes of a model that say where its streams are. */
static void check_model(const char *folder, const char *name, tally *t)
{
    char path[512];
    size_t size;
    snprintf(path, sizeof path, "%s/%s.t3dm", test_corpus(folder), name);
    uint8_t *model = test_read_file(path, &size);
    if (!model)
        FAIL("%s is missing", path);
    const uint8_t *chunk = model + (model[3] == 1 ? 0x28 : 0x2C), *strings = model + tl_get_u32be(model + 0x18);
    for (uint32_t i = 0; i < tl_get_u32be(model + 4); i++, chunk += 4) {
        if (chunk[0] != 'A')
            continue;
        const uint8_t *animation = model + (tl_get_u32be(chunk) & 0xFFFFFF);
        const char *stream = (const char *)strings + tl_get_u32be(animation + 16);
        const char *slash = strrchr(stream, '/');
        snprintf(path, sizeof path, "%s/%s", test_corpus(folder), slash ? slash + 1 : stream);
        check_real(path, animation, t);
    }
    free(model);
}

TEST(real_streams_come_back)
{
    tally t = {0};
    check_model("t3dm/08_animation/filesystem", "snake", &t);
    check_model("t3dm/09_anim_viewer/filesystem", "cath", &t);
    check_model("t3dm/09_anim_viewer/filesystem", "animTest", &t);
    check_model("t3dm/09_anim_viewer/filesystem", "enemyPlant00", &t);
    CHECK_INT(t.streams, 16);
    for (int version = 1; version <= 3; version++) {
        char folder[64];
        snprintf(folder, sizeof folder, "t3dm-versions/v%d", version);
        check_model(folder, "snake", &t);
        check_model(folder, "cath", &t);
    }
    CHECK_INT(t.streams, 58);
    CHECK_INT(t.rotations + t.scalars, t.keys);
    CHECK(t.rotations > 10000 && t.scalars > 5000);
}

TEST_MAIN(CASE(stream_by_hand), CASE(scalars_alone), CASE(rotations_alone), CASE(nothing_at_all),
          CASE(keys_at_one_time), CASE(refuses_a_cut_stream), CASE(refuses_a_channel_that_is_not_there),
          CASE(refuses_a_flag_that_is_wrong), CASE(refuses_more_channels_than_keys), CASE(ticks_do_not_wrap),
          CASE(a_good_stream_has_no_findings), CASE(finds_another_number_of_keys), CASE(finds_an_end_that_is_too_early),
          CASE(finds_a_start_that_is_too_late), CASE(finds_channels_with_too_few_keys),
          CASE(finds_a_key_that_comes_too_late), CASE(refuses_times_that_do_not_fit),
          CASE(times_that_do_not_fit_are_explained), CASE(refuses_channels_that_do_not_fit), CASE(streams_play_forward),
          CASE(order_is_what_a_player_needs), CASE(rotations_by_hand), CASE(rotations_unpacked_by_hand),
          CASE(rotations_come_back), CASE(rotations_whose_largest_component_is_rounded_to_0_come_back),
          CASE(rotations_follow_the_rule), CASE(rotations_from_rubbish), CASE(scalars_by_hand), CASE(scalars_come_back),
          CASE(range_of_scalars), CASE(range_of_unpacked_scalars), CASE(real_streams_come_back))
