/* The search for few keys: its beam against a sorted list, and its keys against all there are on small curves. */
#include "harness.h"
#include "optimize/key_reduce_search.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

static uint32_t dice(uint64_t *seed, uint32_t below)
{
    return (uint32_t)(random_bits(seed) >> 40) % below;
}

/* ---- the beam ---- */

/* Farther, nearer to the sample, of a smaller code. */
static bool comes_before(const tl_key_state *a, const tl_key_state *b)
{
    if (a->sample > b->sample || (a->sample == b->sample && a->error < b->error))
        return true;
    return a->sample == b->sample && a->error == b->error && a->code < b->code;
}

static bool is_among(const tl_key_state *states, uint32_t count, const tl_key_state *state)
{
    for (uint32_t i = 0; i < count; i++)
        if (states[i].sample == state->sample && states[i].code == state->code)
            return true;
    return false;
}

/* The list of all that were given, sorted by insertion, and cut to the width. */
TEST(a_layer_keeps_the_best)
{
    enum { GIVEN = 20 };
    uint64_t seed = 21;
    for (uint32_t round = 0; round < 300; round++) {
        tl_key_state want[GIVEN + 1];
        uint32_t count = 0;
        tl_arena scratch;
        tl_key_search s;
        tl_arena_init(&scratch, NULL);
        CHECK(tl_key_search_start(&s, &scratch, 1 + round % TL_KEY_BEAM_WIDTH));
        for (uint32_t i = 0; i < GIVEN; i++) {
            const tl_key_state state = {.sample = dice(&seed, 4), .code = dice(&seed, 3), .before = i};
            tl_key_state given = state;
            given.error = (given.sample + given.code) % 2; /* the same for the same sample and code */
            const uint32_t kept = count < s.width ? count : s.width;
            const bool full = kept == s.width, is_new = !is_among(want, kept, &given);
            const bool wants = is_new && (!full || comes_before(&given, &want[s.width - 1]));
            CHECK_INT(tl_key_search_least(&s), full ? want[s.width - 1].sample : 0);
            const uint32_t place = tl_key_search_place(&s, given.sample, given.error, given.code);
            CHECK_INT(place < s.width, wants);
            if (!wants)
                continue;
            *tl_key_search_insert(&s, place) = given;
            uint32_t at = kept;
            for (; at > 0 && comes_before(&given, &want[at - 1]); at--)
                want[at] = want[at - 1];
            want[at] = given;
            CHECK_INT(place, at);
            count = kept + 1 < s.width ? kept + 1 : s.width;
            CHECK_INT(s.next_count, count);
            for (uint32_t k = 0; k < count; k++)
                CHECK(s.next[k].sample == want[k].sample && s.next[k].code == want[k].code &&
                      s.next[k].before == want[k].before);
        }
        tl_arena_free(&scratch);
    }
}

/* 900 layers of two states each: the room grows, and the way back goes by way of `before`. */
TEST(layers_are_kept_in_order)
{
    enum { LAYERS = 900 };
    static uint32_t samples[LAYERS], codes[LAYERS];
    tl_arena scratch;
    tl_arena_init(&scratch, NULL);
    tl_key_search s;
    CHECK(tl_key_search_start(&s, &scratch, 2));
    for (uint32_t i = 0; i < LAYERS; i++) {
        for (uint32_t k = 0; k < 2; k++) /* the second of a layer follows the first of the one before */
            *tl_key_search_insert(&s, k) =
                (tl_key_state){.sample = i, .code = 10 * i + k, .before = i ? 2 * i - 2 + !k : 0};
        CHECK(tl_key_search_advance(&s));
        CHECK_INT(s.layer, 2 * i);
        CHECK_INT(s.count, 2 * i + 2);
        CHECK_INT(s.next_count, 0);
        CHECK(s.count + s.width <= s.room);
    }
    for (uint32_t last = 0; last < 2; last++) {
        tl_keys keys = {.samples = samples, .codes = codes};
        tl_key_search_trace(&s, s.layer + last, &keys);
        CHECK_INT(keys.count, LAYERS);
        for (uint32_t i = 0; i < LAYERS; i++) {
            CHECK_INT(samples[i], i);
            CHECK_INT(codes[i], 10 * i + ((LAYERS - 1 - i) % 2 ? !last : last));
        }
    }
    tl_arena_free(&scratch);
}

/* ---- scalars ---- */

enum { SAMPLES = 7, CODES = 6 };

typedef struct small_curve {
    uint32_t ticks[SAMPLES];
    double values[SAMPLES];
    tl_scalar_curve curve;
} small_curve;

static void small_fill(small_curve *s, uint64_t *seed)
{
    const uint32_t count = 1 + dice(seed, SAMPLES);
    uint32_t tick = dice(seed, 3);
    for (uint32_t i = 0; i < count; i++) {
        s->ticks[i] = tick;
        tick += 1 + dice(seed, 4);
        s->values[i] = dice(seed, 8 * (CODES - 1) + 1) / 32.0 - 0.5;
    }
    s->curve = (tl_scalar_curve){count, s->ticks, s->values, 0.25f, -0.5f, CODES - 1};
}

static double value_of(uint32_t code)
{
    return 0.25 * code - 0.5;
}

/* The largest distance of a sample from the line between two keys. */
static double segment_error(const small_curve *s, uint32_t i, uint32_t a, uint32_t j, uint32_t b)
{
    double most = 0;
    for (uint32_t k = i; k <= j; k++) {
        const double t = i == j ? 0 : (double)(s->ticks[k] - s->ticks[i]) / (s->ticks[j] - s->ticks[i]);
        most = fmax(most, fabs(value_of(a) * (1 - t) + value_of(b) * t - s->values[k]));
    }
    return most;
}

/* The fewest keys of all within the tolerance; 0: there are none. */
static uint32_t fewest_keys(const small_curve *s, double tolerance)
{
    uint32_t least[SAMPLES][CODES], best = 0;
    for (uint32_t j = 0; j < s->curve.count; j++)
        for (uint32_t b = 0; b < CODES; b++) {
            least[j][b] = j == 0 && segment_error(s, 0, b, 0, b) <= tolerance ? 1 : 0;
            for (uint32_t i = 0; i < j; i++)
                for (uint32_t a = 0; a < CODES; a++)
                    if (least[i][a] > 0 && (least[j][b] == 0 || least[i][a] + 1 < least[j][b]) &&
                        segment_error(s, i, a, j, b) <= tolerance)
                        least[j][b] = least[i][a] + 1;
            if (j + 1 == s->curve.count && least[j][b] > 0 && (best == 0 || least[j][b] < best))
                best = least[j][b];
        }
    return best;
}

/* A beam is no proof, but a key too many is rare. */
TEST(small_curves_have_the_fewest_keys)
{
    enum { ROUNDS = 1500 };
    static const double tolerances[] = {0.0701, 0.1303, 0.2007, 0.3109, 0.5011};
    uint64_t seed = 4;
    uint32_t more = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        small_curve s;
        uint32_t samples[SAMPLES], codes[SAMPLES];
        tl_keys keys = {.samples = samples, .codes = codes};
        tl_arena scratch;
        const double tolerance = tolerances[round % 5];
        small_fill(&s, &seed);
        tl_arena_init(&scratch, NULL);
        CHECK(tl_reduce_scalar_keys(&scratch, &s.curve, tolerance, &keys));
        const uint32_t fewest = fewest_keys(&s, tolerance);
        CHECK(keys.count > 0 && samples[0] == 0 && samples[keys.count - 1] == s.curve.count - 1);
        double error = segment_error(&s, 0, codes[0], 0, codes[0]);
        for (uint32_t i = 1; i < keys.count; i++) {
            CHECK(samples[i] > samples[i - 1] && codes[i] < CODES);
            error = fmax(error, segment_error(&s, samples[i - 1], codes[i - 1], samples[i], codes[i]));
        }
        CHECK_NEAR(tl_scalar_keys_error(&s.curve, &keys), error, 1e-9);
        CHECK(fewest == 0 || error <= tolerance);
        CHECK(fewest == 0 || (keys.count >= fewest && keys.count <= fewest + 1));
        more += fewest > 0 && keys.count > fewest;
        tl_arena_free(&scratch);
    }
    CHECK(more <= ROUNDS / 500);
}

/* One code for all, and one sample. */
TEST(curves_of_one_code)
{
    static const uint32_t ticks[3] = {0, 4, 9};
    static const double values[3] = {1.5, 1.25, 1.75};
    for (int within = 0; within < 2; within++)
        for (uint32_t count = 1; count <= 3; count++) {
            uint32_t samples[3], codes[3];
            tl_keys keys = {.samples = samples, .codes = codes};
            tl_arena scratch;
            const tl_scalar_curve curve = {count, ticks, values, 0, 1.5f, 65535};
            tl_arena_init(&scratch, NULL);
            CHECK(tl_reduce_scalar_keys(&scratch, &curve, within ? 0.25 : 0.2, &keys));
            CHECK_INT(keys.count, count == 1 ? 1 : within ? 2 : count);
            for (uint32_t i = 0; i < keys.count; i++)
                CHECK_INT(codes[i], 0);
            CHECK_NEAR(tl_scalar_keys_error(&curve, &keys), count == 1 ? 0 : 0.25, 0);
            tl_arena_free(&scratch);
        }
}

/* ---- the same search without slopes ---- */

enum { BEAM = 6, LAYERS_MOST = SAMPLES };

typedef struct beam_state {
    uint32_t sample, code, before;
} beam_state;

typedef struct plain_beam {
    const small_curve *s;
    double tolerance;
    beam_state layers[LAYERS_MOST][BEAM];
    uint32_t counts[LAYERS_MOST];
} plain_beam;

static double error_of(const plain_beam *p, const beam_state *state)
{
    return fabs(value_of(state->code) - p->s->values[state->sample]);
}

static bool is_before(const plain_beam *p, const beam_state *a, const beam_state *b)
{
    if (a->sample != b->sample)
        return a->sample > b->sample;
    return error_of(p, a) != error_of(p, b) ? error_of(p, a) < error_of(p, b) : a->code < b->code;
}

/* Into its place, unless it is there already; the seventh goes. */
static void beam_add(plain_beam *p, uint32_t layer, beam_state state)
{
    beam_state list[BEAM + 1];
    uint32_t count = p->counts[layer], at = count;
    memcpy(list, p->layers[layer], sizeof p->layers[layer]);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].sample == state.sample && list[i].code == state.code)
            return;
    for (; at > 0 && is_before(p, &state, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = state;
    p->counts[layer] = count < BEAM ? count + 1 : BEAM;
    memcpy(p->layers[layer], list, sizeof p->layers[layer]);
}

static uint32_t nearest_code(const small_curve *s, uint32_t sample)
{
    uint32_t best = 0;
    for (uint32_t code = 1; code < CODES; code++) /* of two that are as near the higher */
        if (fabs(value_of(code) - s->values[sample]) <= fabs(value_of(best) - s->values[sample]))
            best = code;
    return best;
}

/* Adds the codes at both ends and in the middle of those that are possible; false: none is. */
static bool beam_add_codes(plain_beam *p, uint32_t layer, const beam_state *from, uint32_t before, uint32_t sample)
{
    uint32_t low = CODES, high = 0;
    for (uint32_t code = 0; code < CODES; code++) {
        double most = fabs(value_of(code) - p->s->values[sample]);
        if (from && sample > from->sample) { /* the first key need not be within the tolerance */
            small_curve line = *p->s;
            line.values[from->sample] = value_of(from->code);
            most = segment_error(&line, from->sample, from->code, sample, code);
        }
        if (most > p->tolerance)
            continue;
        low = low == CODES ? code : low;
        high = code;
    }
    if (low == CODES)
        return false;
    const uint32_t codes[3] = {(low + high) / 2, low, high};
    for (int i = 0; i < 3; i++)
        beam_add(p, layer, (beam_state){sample, codes[i], before});
    return true;
}

static void beam_expand(plain_beam *p, uint32_t layer, uint32_t number)
{
    const beam_state from = p->layers[layer][number];
    const uint32_t last = p->s->curve.count - 1;
    uint32_t found = 0;
    bool reached = false;
    for (uint32_t k = last; k > from.sample && found < 3 && !reached; k--)
        if (beam_add_codes(p, layer + 1, &from, number, k)) {
            found++;
            reached = k == last;
        }
    if (found == 0)
        beam_add(p, layer + 1, (beam_state){from.sample + 1, nearest_code(p->s, from.sample + 1), number});
}

/* The keys of the best state of the first layer that ends on the last sample. */
static uint32_t beam_keys(plain_beam *p, uint32_t *samples, uint32_t *codes)
{
    uint32_t layer = 0, number = 0;
    beam_add(p, 0, (beam_state){0, nearest_code(p->s, 0), 0});
    beam_add_codes(p, 0, NULL, 0, 0);
    for (; p->layers[layer][0].sample + 1 < p->s->curve.count; layer++)
        for (uint32_t i = 0; i < p->counts[layer]; i++)
            beam_expand(p, layer, i);
    for (uint32_t k = layer + 1; k-- > 0; number = p->layers[k][number].before) {
        samples[k] = p->layers[k][number].sample;
        codes[k] = p->layers[k][number].code;
    }
    return layer + 1;
}

TEST(keys_are_those_of_the_plain_search)
{
    static const double tolerances[] = {0.0701, 0.1303, 0.2007, 0.3109, 0.5011};
    uint64_t seed = 9;
    for (uint32_t round = 0; round < 400; round++) {
        small_curve s;
        uint32_t samples[SAMPLES], codes[SAMPLES], want_samples[SAMPLES], want_codes[SAMPLES];
        tl_keys keys = {.samples = samples, .codes = codes};
        tl_arena scratch;
        small_fill(&s, &seed);
        plain_beam p = {.s = &s, .tolerance = tolerances[round % 5]};
        const uint32_t count = beam_keys(&p, want_samples, want_codes);
        tl_arena_init(&scratch, NULL);
        CHECK(tl_reduce_scalar_keys(&scratch, &s.curve, p.tolerance, &keys));
        CHECK_INT(keys.count, count);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_INT(samples[i], want_samples[i]);
            CHECK_INT(codes[i], want_codes[i]);
        }
        tl_arena_free(&scratch);
    }
}

/* The bound never rules out a result that is found, and for more than half of the curves it rules out fewer keys. */
TEST(curves_that_need_many_keys_are_recognized)
{
    static const double tolerances[] = {0.0701, 0.1303, 0.2007, 0.3109};
    uint64_t seed = 11;
    uint32_t ruled_out = 0;
    for (uint32_t round = 0; round < 2000; round++) {
        small_curve s;
        uint32_t samples[SAMPLES], codes[SAMPLES];
        tl_keys keys = {.samples = samples, .codes = codes};
        tl_arena scratch;
        const double tolerance = tolerances[round % 4];
        small_fill(&s, &seed);
        tl_arena_init(&scratch, NULL);
        CHECK(tl_reduce_scalar_keys(&scratch, &s.curve, tolerance, &keys));
        for (uint32_t more = keys.count + 1; more <= SAMPLES + 1; more++)
            CHECK(tl_scalar_keys_may_be_fewer(&s.curve, tolerance, more));
        ruled_out += !tl_scalar_keys_may_be_fewer(&s.curve, tolerance, keys.count);
        tl_arena_free(&scratch);
    }
    CHECK(ruled_out > 1000);
}

/* The middle of three samples is a key if it is farther from the line than two tolerances, or one and half a step. */
TEST(a_bend_needs_a_key)
{
    static const uint32_t ticks[3] = {5, 6, 9};
    static const struct {
        double tolerance, bend;
        bool fewer;
    } rows[] = {
        {0.2, 0.3999, true}, {0.2, 0.4001, false}, {0.2, -0.4001, false}, {0.1, 0.2249, true}, {0.1, 0.2251, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double values[3] = {1, 2 + rows[i].bend, 5};
        const tl_scalar_curve curve = {3, ticks, values, 0.25f, -0.5f, 31};
        CHECK_INT(tl_scalar_keys_may_be_fewer(&curve, rows[i].tolerance, 3), rows[i].fewer);
        CHECK(tl_scalar_keys_may_be_fewer(&curve, rows[i].tolerance, 4));
        CHECK(!tl_scalar_keys_may_be_fewer(&curve, rows[i].tolerance, 2));
    }
}

/* A line from code 0 to code 1, between which there is none: 1025 samples are passed to find the second, not more. */
TEST(samples_without_a_code_are_passed)
{
    enum { FAR = 1027 };
    static uint32_t ticks[FAR], samples[FAR], codes[FAR];
    static double values[FAR];
    for (uint32_t length = 1024; length <= 1026; length++) {
        tl_keys keys = {.samples = samples, .codes = codes};
        tl_arena scratch;
        for (uint32_t i = 0; i <= length; i++) {
            ticks[i] = i;
            values[i] = (double)i / length;
        }
        const tl_scalar_curve curve = {length + 1, ticks, values, 1, 0, 1};
        tl_arena_init(&scratch, NULL);
        CHECK(tl_reduce_scalar_keys(&scratch, &curve, 0.25 / length, &keys));
        CHECK((keys.count == 2) == (length <= 1025));
        CHECK_INT(samples[1], length <= 1025 ? length : 1);
        tl_arena_free(&scratch);
    }
}

/* ---- rotations ---- */

/* Codes are quarter turns about x: 0, 90, 180 and 270 degrees; the last one is no rotation at all. */
static void quarter_turn(uint32_t code, double q[4])
{
    static const double sines[5] = {0, 0.70710678118654752440, 1, 0.70710678118654752440, 0},
                        cosines[5] = {1, 0.70710678118654752440, 0, -0.70710678118654752440, 0};
    q[0] = sines[code], q[1] = q[2] = 0, q[3] = cosines[code];
}

/* The sine of half the angle to the played rotation; 1 where nothing can be played. One key stands for all time. */
TEST(rotations_are_off_by_sines_of_half_angles)
{
    static const double turned[3][4] = {{0, 0, 0, 1}, {0.5, 0, 0, 0.86602540378443864676}, {1, 0, 0, 0}};
    static const uint32_t ticks[3] = {10, 11, 12};
    static const struct {
        uint32_t count, keys, samples[2], codes[2];
        double error;
    } rows[] = {{1, 1, {0}, {0}, 0},
                {1, 1, {0}, {1}, 0.70710678118654752440},
                {1, 1, {0}, {2}, 1},
                {1, 1, {0}, {4}, 1},
                {2, 2, {0, 1}, {0, 0}, 0.5},
                {2, 2, {0, 1}, {0, 1}, 0.25881904510252076235}, /* 90 degrees instead of 60 */
                {2, 2, {0, 1}, {0, 4}, 1},
                {2, 2, {0, 1}, {4, 0}, 1},
                {3, 2, {0, 2}, {0, 2}, 0.25881904510252076235}}; /* 90 in the middle */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t samples[2] = {rows[i].samples[0], rows[i].samples[1]}, codes[2] = {rows[i].codes[0], rows[i].codes[1]};
        const tl_keys keys = {rows[i].keys, samples, codes};
        const tl_rotation_curve curve = {
            .count = rows[i].count, .ticks = ticks, .values = turned, .value = quarter_turn};
        CHECK_NEAR(tl_rotation_keys_error(&curve, &keys), rows[i].error, 1e-7);
    }
}

/* ---- memory ---- */

TEST(memory_runs_out)
{
    enum { MANY = 200 };
    static uint32_t ticks[MANY], samples[MANY], codes[MANY];
    static double values[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        ticks[i] = i;
        values[i] = i % 2;
    }
    const tl_scalar_curve curve = {MANY, ticks, values, 1, 0, 1};
    tl_keys keys = {.samples = samples, .codes = codes};
    uint32_t failures = 0;
    for (bool done = false; !done; failures++) {
        tl_arena scratch;
        tl_arena_init(&scratch, NULL);
        scratch.left = 64 + 256 * (size_t)failures;
        done = tl_reduce_scalar_keys(&scratch, &curve, 0.1, &keys);
        CHECK(done == !scratch.failed);
        tl_arena_free(&scratch);
    }
    CHECK(failures > 20);
}

TEST_MAIN(CASE(a_layer_keeps_the_best), CASE(layers_are_kept_in_order), CASE(small_curves_have_the_fewest_keys),
          CASE(curves_of_one_code), CASE(keys_are_those_of_the_plain_search),
          CASE(curves_that_need_many_keys_are_recognized), CASE(a_bend_needs_a_key),
          CASE(samples_without_a_code_are_passed), CASE(rotations_are_off_by_sines_of_half_angles),
          CASE(memory_runs_out))
