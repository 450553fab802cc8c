/* Streams of keys cut, flipped, made up and starved of memory: always a clean refusal or channels that hold what the
 * stream says. Run under the sanitizers, which see what goes unnoticed here. */
#include "base/bytes.h"
#include "formats/t3dm/t3dm.h"
#include "harness.h"
#include "support/exercise.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)   ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

enum { MEGABYTE = 1 << 20 };
enum { QUATS = 3, SCALARS = 4, CHANNELS = QUATS + SCALARS, KEYS = 9 };

/* Seven channels of nine keys, none at the same gaps as another. Malloc'ed. */
static uint8_t *make_stream(size_t *size)
{
    uint32_t ticks[CHANNELS][KEYS], values[CHANNELS][KEYS];
    tl_sdata_channel channels[CHANNELS];
    for (uint32_t i = 0; i < CHANNELS; i++) {
        for (uint32_t k = 0; k < KEYS; k++) {
            ticks[i][k] = k == KEYS - 1 ? 200 : k * (3 + 2 * i);
            values[i][k] = (i + 1) * (k + 1) * 0x01030507u & (i < QUATS ? 0xFFFFFFFFu : 0xFFFF);
        }
        channels[i] = (tl_sdata_channel){KEYS, ticks[i], values[i]};
    }
    const tl_sdata sdata = {.quat_count = QUATS, .channel_count = CHANNELS, .channels = channels};
    trilo_bytes out;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_sdata_write(&arena, &sdata, &out, NULL));
    uint8_t *copy = malloc(out.size);
    CHECK(copy);
    memcpy(copy, out.data, out.size);
    *size = out.size;
    tl_arena_free(&arena);
    return copy;
}

static void check_error(const trilo_error *err)
{
    CHECK(err->code != TRILO_CODE_OK && err->text[0] != '\0');
    CHECK(strncmp(err->rule, "T3DM-STREAM-", 12) == 0 || strcmp(err->rule, "T3DM-RANGE-TIME") == 0 ||
          (err->code == TRILO_CODE_NO_MEMORY && strcmp(err->rule, "FILE-MEMORY") == 0));
}

static void check_channels(const tl_sdata *sdata)
{
    uint64_t keys = 0;
    for (uint32_t i = 0; i < sdata->channel_count; i++) {
        const tl_sdata_channel *c = &sdata->channels[i];
        keys += c->key_count;
        for (uint32_t k = 0; k < c->key_count; k++) {
            CHECK(k == 0 || c->ticks[k] >= c->ticks[k - 1]);
            CHECK(i < sdata->quat_count || c->values[k] <= 0xFFFF);
        }
    }
    CHECK_INT(keys, sdata->key_count);
    CHECK(sdata->late_key == TRILO_NONE || sdata->late_key < sdata->key_count);
}

static void check_same(const tl_sdata *a, const tl_sdata *b)
{
    CHECK_INT(a->key_count, b->key_count);
    for (uint32_t i = 0; i < a->channel_count; i++) {
        const tl_sdata_channel *c = &a->channels[i], *d = &b->channels[i];
        CHECK_INT(c->key_count, d->key_count);
        CHECK(memcmp(c->ticks, d->ticks, c->key_count * sizeof *c->ticks) == 0);
        CHECK(memcmp(c->values, d->values, c->key_count * sizeof *c->values) == 0);
    }
}

static void listen(void *user, const trilo_finding *finding)
{
    size_t *size = user;
    CHECK(finding->text[0] != '\0' && finding->offset <= *size);
}

typedef enum outcome { REFUSED, READ, WRITTEN } outcome;

/* Reads, checks, writes, reads again. What is written is in order, whatever order was read. */
static outcome work(const uint8_t *bytes, size_t size, uint32_t quats, uint32_t scalars, meter *m, size_t max_bytes)
{
    const trilo_memory memory = meter_memory(m, max_bytes);
    trilo_error err = {0};
    tl_report report = {.fn = listen, .user = &size};
    tl_arena arena;
    tl_sdata sdata, again;
    trilo_bytes out;
    outcome result = REFUSED;
    tl_arena_init(&arena, &memory);
    if (tl_sdata_read(&arena, (trilo_bytes){bytes, size}, quats, scalars, &sdata, &err)) {
        result = READ;
        check_channels(&sdata);
        tl_sdata_check((trilo_bytes){bytes, size}, &sdata, 63, 200 / 60.0f, &report);
        if (tl_sdata_write(&arena, &sdata, &out, &err) && tl_sdata_read(&arena, out, quats, scalars, &again, &err)) {
            result = WRITTEN;
            check_same(&sdata, &again);
            CHECK_INT(again.late_key, TRILO_NONE);
        }
    }
    if (result != WRITTEN)
        check_error(&err);
    tl_arena_free(&arena);
    CHECK(m->now == 0 && m->peak <= 16384 + 32 * size);
    return result;
}

/* The cut-off part is made unreadable rather than copied away. */
TEST(every_cut)
{
    size_t size, results[3] = {0};
    uint8_t *bytes = make_stream(&size);
    for (size_t length = 0; length < size; length++) {
        meter m = {0};
        ASAN_POISON_MEMORY_REGION(bytes + length, size - length);
        results[work(bytes, length, QUATS, SCALARS, &m, MEGABYTE)]++;
        ASAN_UNPOISON_MEMORY_REGION(bytes, size);
    }
    free(bytes);
    CHECK_INT(results[WRITTEN], CHANNELS * KEYS - CHANNELS); /* between two keys, when each channel can have one */
    CHECK_INT(results[READ], 0);
}

TEST(every_flip)
{
    static const uint8_t patterns[] = {0xFF, 0x01, 0x80, 0x7F, 0x04};
    size_t size, results[3] = {0};
    uint8_t *bytes = make_stream(&size);
    for (size_t at = 0; at < size; at++)
        for (size_t i = 0; i < sizeof patterns; i++) {
            meter m = {0};
            bytes[at] ^= patterns[i];
            results[work(bytes, size, QUATS, SCALARS, &m, MEGABYTE)]++;
            bytes[at] ^= patterns[i];
        }
    free(bytes);
    CHECK(results[REFUSED] > 100 && results[WRITTEN] > 100);
    CHECK_INT(results[READ], 0); /* one gap cannot leave the range of times */
}

/* The n-th allocation fails, once and for good, until everything succeeds. */
TEST(every_denied_allocation)
{
    size_t size;
    uint8_t *bytes = make_stream(&size);
    for (int persistent = 0; persistent < 2; persistent++)
        for (size_t n = 1;; n++) {
            meter m = {.fail_at = n, .fail_from_there = persistent};
            const outcome result = work(bytes, size, QUATS, SCALARS, &m, MEGABYTE);
            CHECK(n < 100);
            if (m.calls < n) {
                CHECK(result == WRITTEN && n > 1);
                break;
            }
        }
    free(bytes);
}

TEST(every_limit)
{
    size_t size, limit = 1;
    uint8_t *bytes = make_stream(&size);
    for (meter m = {0}; work(bytes, size, QUATS, SCALARS, &m, limit) != WRITTEN; m = (meter){0}) {
        limit += 37;
        CHECK(limit < MEGABYTE);
    }
    CHECK(limit > 37);
    free(bytes);
}

/* Counts that have nothing to do with the stream. */
TEST(every_count)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 4, 6, 7, 8, 62, 63, 64, 255, 65535, 0x7FFFFFFF, 0xFFFFFFFF};
    enum { COUNTS = sizeof counts / sizeof counts[0] };
    size_t size;
    uint8_t *bytes = make_stream(&size);
    for (size_t i = 0; i < (size_t)COUNTS * COUNTS; i++) {
        meter m = {0};
        work(bytes, size, counts[i / COUNTS], counts[i % COUNTS], &m, MEGABYTE);
    }
    free(bytes);
}

/* Made-up keys with flags that fit: nothing about them is refused, their order is any. */
static uint8_t *make_up(size_t keys, uint32_t quats, uint32_t channels, uint32_t *state, size_t *size)
{
    uint8_t *bytes = malloc(8 * keys), *p = bytes, *flag = NULL;
    CHECK(bytes);
    for (size_t i = 0; i < keys; i++) {
        *state = *state * 1664525u + 1013904223u;
        const uint32_t channel = (i < channels ? (uint32_t)i : *state >> 8) % channels;
        const bool is_long = channel < quats;
        if (flag)
            *flag |= is_long ? 0x80 : 0;
        flag = p;
        tl_put_u16(p, TL_BIG, *state >> 16 & 0xFF);
        tl_put_u16(p + 2, TL_BIG, (uint16_t)channel);
        tl_put_u16(p + 4, TL_BIG, (uint16_t)*state);
        if (i == 0 || is_long)
            tl_put_u16(p + 6, TL_BIG, (uint16_t)(*state >> 3));
        p += i == 0 || is_long ? 8 : 6;
    }
    *size = (size_t)(p - bytes);
    return bytes;
}

TEST(made_up_streams)
{
    uint32_t state = 1;
    for (uint32_t i = 0; i < 500; i++) {
        size_t size;
        const uint32_t channels = 1 + i % 23, quats = i % (channels + 1);
        uint8_t *bytes = make_up(channels + i % 211, quats, channels, &state, &size);
        meter m = {0};
        CHECK_INT(work(bytes, size, quats, channels - quats, &m, MEGABYTE), WRITTEN);
        free(bytes);
    }
}

/* Half a million keys for 60000 channels, all in disorder: what would take minutes if anything were quadratic. */
TEST(a_large_stream_is_no_slower)
{
    enum { MANY = 500000 };
    uint32_t state = 2;
    size_t size;
    uint8_t *bytes = make_up(MANY, 30000, 60000, &state, &size);
    meter m = {0};
    CHECK_INT(work(bytes, size, 30000, 30000, &m, 128 * MEGABYTE), WRITTEN);
    free(bytes);
}

TEST(corpus_streams_survive)
{
    size_t size, results[3] = {0};
    uint8_t *bytes = test_read_file(test_corpus("t3dm/09_anim_viewer/filesystem/cath.2.sdata"), &size);
    CHECK(bytes);
    for (size_t length = 0; length < size; length++) {
        meter m = {0};
        ASAN_POISON_MEMORY_REGION(bytes + length, size - length);
        results[work(bytes, length, 19, 74, &m, MEGABYTE)]++;
        ASAN_UNPOISON_MEMORY_REGION(bytes, size);
    }
    for (size_t at = 0; at < size; at++) {
        meter m = {0};
        bytes[at] ^= 0x81;
        results[work(bytes, size, 19, 74, &m, MEGABYTE)]++;
        bytes[at] ^= 0x81;
    }
    free(bytes);
    CHECK(results[REFUSED] > 100 && results[WRITTEN] > 100);
}

TEST_MAIN(CASE(every_cut), CASE(every_flip), CASE(every_denied_allocation), CASE(every_limit), CASE(every_count),
          CASE(made_up_streams), CASE(a_large_stream_is_no_slower), CASE(corpus_streams_survive))
