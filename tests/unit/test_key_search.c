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
        tl_key_search s = {.width = 1 + round % TL_KEY_BEAM_WIDTH};
        tl_key_state want[GIVEN + 1];
        uint32_t count = 0;
        for (uint32_t i = 0; i < GIVEN; i++) {
            const tl_key_state state = {.sample = dice(&seed, 4), .code = dice(&seed, 3), .before = i};
            tl_key_state given = state;
            given.error = (given.sample + given.code) % 2; /* the same for the same sample and code */
            const uint32_t kept = count < s.width ? count : s.width;
            const bool full = kept == s.width, is_new = !is_among(want, kept, &given);
            const bool wants = is_new && (!full || comes_before(&given, &want[s.width - 1]));
            CHECK_INT(tl_key_search_least(&s), full ? want[s.width - 1].sample : 0);
            CHECK_INT(tl_key_search_wants(&s, given.sample, given.error, given.code), wants);
            if (!wants)
                continue;
            tl_key_search_add(&s, &given);
            uint32_t at = kept;
            for (; at > 0 && comes_before(&given, &want[at - 1]); at--)
                want[at] = want[at - 1];
            want[at] = given;
            count = kept + 1 < s.width ? kept + 1 : s.width;
            CHECK_INT(s.next_count, count);
            for (uint32_t k = 0; k < count; k++)
                CHECK(s.next[k].sample == want[k].sample && s.next[k].code == want[k].code &&
                      s.next[k].before == want[k].before);
        }
    }
}

/* 300 layers of two states each: the room grows, and the way back goes by way of `before`. */
TEST(layers_are_kept_in_order)
{
    enum { LAYERS = 300 };
    static uint32_t samples[LAYERS], codes[LAYERS];
    tl_arena scratch;
    tl_arena_init(&scratch, NULL);
    tl_key_search s = {.scratch = &scratch, .width = 2};
    for (uint32_t i = 0; i < LAYERS; i++) {
        for (uint32_t k = 0; k < 2; k++) /* the second of a layer follows the first of the one before */
            tl_key_search_add(&s, &(tl_key_state){.sample = i, .code = 10 * i + k, .before = i ? 2 * i - 2 + !k : 0});
        CHECK(tl_key_search_advance(&s));
        CHECK_INT(s.layer, 2 * i);
        CHECK_INT(s.count, 2 * i + 2);
        CHECK_INT(s.next_count, 0);
        CHECK(s.count <= s.room);
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

TEST_MAIN(CASE(a_layer_keeps_the_best), CASE(layers_are_kept_in_order), CASE(small_curves_have_the_fewest_keys),
          CASE(curves_of_one_code))
