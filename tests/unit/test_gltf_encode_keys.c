/* Keys that are written as glTF, at random, against a plain definition: times rise from 0 on, of keys at one time the
 * last is kept, and a clip that is longer than its keys gets one more. */
#include "harness.h"
#include "support/gltf_written.h"
#include "support/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEYS = 6 };

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

typedef struct curve {
    uint32_t count, width, from[KEYS + 1];
    float times[KEYS + 1];
} curve;

static float time_of(double seconds)
{
    return seconds <= 0 ? 0 : (float)seconds;
}

static curve plain_keys(const trilo_channel *c, uint32_t width, float extend_to, uint32_t *lost)
{
    curve out = {.width = width};
    for (uint32_t k = 0; k < c->key_count; k++) {
        const bool again = k + 1 < c->key_count && time_of(c->times[k + 1]) == time_of(c->times[k]);
        const bool before = k > 0 && time_of(c->times[k - 1]) == time_of(c->times[k]);
        *lost += before || c->times[k] < 0;
        if (again)
            continue;
        out.times[out.count] = time_of(c->times[k]);
        out.from[out.count++] = k;
    }
    if (extend_to > out.times[out.count - 1]) {
        out.times[out.count] = extend_to;
        out.from[out.count] = out.from[out.count - 1];
        out.count++;
    }
    return out;
}

static double number_at(const written *w, const char *format, uint32_t number)
{
    char path[64];
    snprintf(path, sizeof path, format, (unsigned)number);
    return written_at(w, path) ? written_number(w, path) : -1;
}

static void check_curve(const written *w, uint32_t sampler, const trilo_channel *c, const curve *want, float scale)
{
    char path[64];
    const bool cubic = c->interpolation == TRILO_INTERPOLATION_CUBIC && want->count > 1;
    const uint32_t parts = cubic ? 3 : 1, stored = c->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1;
    snprintf(path, sizeof path, "animations/0/samplers/%u/interpolation", (unsigned)sampler);
    if (c->interpolation == TRILO_INTERPOLATION_LINEAR)
        CHECK(!written_at(w, path));
    else
        CHECK_STR(written_text(w, path), cubic ? "CUBICSPLINE" : "STEP");
    const uint32_t input = (uint32_t)number_at(w, "animations/0/samplers/%u/input", sampler),
                   output = (uint32_t)number_at(w, "animations/0/samplers/%u/output", sampler);
    CHECK_INT(number_at(w, "accessors/%u/count", input), want->count);
    CHECK_INT(number_at(w, "accessors/%u/count", output), want->count * parts);
    CHECK((float)number_at(w, "accessors/%u/min/0", input) == want->times[0]);
    CHECK((float)number_at(w, "accessors/%u/max/0", input) == want->times[want->count - 1]);
    for (uint32_t k = 0; k < want->count; k++) {
        const bool repeats = k > 0 && want->from[k] == want->from[k - 1];
        const bool repeated = k + 1 < want->count && want->from[k] == want->from[k + 1];
        snprintf(path, sizeof path, "animations/0/samplers/%u/input", (unsigned)sampler);
        CHECK(written_float(w, path, k) == want->times[k]);
        snprintf(path, sizeof path, "animations/0/samplers/%u/output", (unsigned)sampler);
        for (uint32_t part = 0; part < parts; part++)
            for (uint32_t i = 0; i < want->width; i++) {
                const uint32_t from = stored == 1 ? 0 : cubic ? part : 1;
                const float value = c->values[(want->from[k] * stored + from) * want->width + i];
                const bool level = cubic && ((part == 0 && repeats) || (part == 2 && (repeats || repeated)));
                CHECK(written_float(w, path, (k * parts + part) * want->width + i) == (level ? 0 : value * scale));
            }
    }
}

/* A translation of node 1 and a scale of node 0, which comes first. */
static void check_clip(uint64_t *dice)
{
    static const double steps[] = {1e-12, 1e-9, 0.25, 0.5, 1, 1.75};
    double times[2][KEYS];
    float values[2][KEYS * 9];
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_clip(&l);
    const bool console = below(dice, 2) == 0;
    if (console) {
        l.model.format = TRILO_FORMAT_MODEL64;
        l.model.units_per_meter = 64;
    }
    double last = 0;
    for (int c = 0; c < 2; c++) {
        double time = below(dice, 3) == 0 ? -0.5 * below(dice, 4) : 0.125 * below(dice, 3);
        const uint32_t count = 1 + below(dice, KEYS);
        for (uint32_t k = 0; k < count; k++, time += steps[below(dice, 6)])
            times[c][k] = time;
        for (uint32_t i = 0; i < KEYS * 9; i++)
            values[c][i] = (float)below(dice, 1000) + 1;
        l.channels[c] = (trilo_channel){.node = c == 0,
                                        .target = c == 0 ? TRILO_TARGET_TRANSLATION : TRILO_TARGET_SCALE,
                                        .interpolation = (trilo_interpolation)below(dice, 3),
                                        .key_count = count,
                                        .times = times[c],
                                        .values = values[c]};
        last = times[c][count - 1] > last ? times[c][count - 1] : last;
    }
    l.clip.channel_count = 2;
    l.clip.duration = below(dice, 3) == 0 ? last : 0.5 * below(dice, 12);
    const float duration = time_of(l.clip.duration), end = time_of(last);
    uint32_t lost = 0;
    const curve second = plain_keys(&l.channels[1], 3, duration > end ? duration : 0, &lost);
    const curve first = plain_keys(&l.channels[0], 3, 0, &lost);
    write_gltf(&w, &l.model, NULL, NULL, false);
    if (!w.ok)
        FAIL("%s: %s", w.err.path, w.err.text);
    char text[128] = "";
    if (lost > 0)
        snprintf(text, sizeof text,
                 "%u keys are before 0 or coincide with another one, only the last of each is written ",
                 (unsigned)lost);
    CHECK_STR(w.texts, text);
    CHECK_STR(written_raw(&w, "animations/0/channels"),
              "[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}},"
              "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"translation\"}}]");
    check_curve(&w, 0, &l.channels[1], &second, 1);
    check_curve(&w, 1, &l.channels[0], &first, console ? 1 / 64.0f : 1);
    const bool ends = duration < end && l.clip.duration > 0;
    CHECK((written_at(&w, "animations/0/extras") != NULL) == ends);
    if (ends)
        CHECK(written_number(&w, "animations/0/extras/trilobite_duration") == l.clip.duration);
    written_free(&w);
}

TEST(keys_at_random)
{
    uint64_t dice = 17;
    for (uint32_t round = 0; round < test_rounds(5000, TEST_SLOW ? 60 : 300); round++)
        check_clip(&dice);
}

/* A single key behind indices of any number, so that its time is at many places of the buffer, also at the end of what
 * is allocated for it. */
TEST(bounds_of_a_single_key)
{
    enum { TRIANGLES = 48 };
    static const double time = 2.5;
    uint32_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        indices[i] = i % 3 + i / 3 % 2;
    for (uint32_t count = 1; count <= TRIANGLES; count++) {
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_clip(&l);
        l.meshes[0].uvs = (const float(*)[2])l.uvs;
        l.meshes[0].indices = indices;
        l.meshes[0].index_count = 3 * count;
        l.channels[0].key_count = 1;
        l.channels[0].times = &time;
        l.clip.duration = time;
        write_leaf(&w, &l);
        const uint32_t input = (uint32_t)written_number(&w, "animations/0/samplers/0/input");
        CHECK_INT(number_at(&w, "accessors/%u/count", input), 1);
        CHECK(number_at(&w, "accessors/%u/min/0", input) == time);
        CHECK(number_at(&w, "accessors/%u/max/0", input) == time);
        written_free(&w);
    }
}

TEST_MAIN(CASE(keys_at_random), CASE(bounds_of_a_single_key))
