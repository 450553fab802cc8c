/* The search for the fewest keys of a rotation (tl_reduce_rotation_keys) against a plain one: it keeps no codes, tests
 * every sample of every segment from the first on, and sorts whole layers. */
#include "base/avx2.h"
#include "harness.h"
#include "optimize/key_reduce_bends.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 160, LAYERS = SAMPLES, WIDTH = 4, TRIED = 3 };

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(random_bits(state) >> 33) % limit;
}

static double spread(uint64_t *state)
{
    return below(state, 20001) / 10000.0 - 1;
}

/* ---- codes: x, y and z in steps of 1/64, w above 0 ---- */

static bool code_of(const int steps[3], tl_rotation_code *out)
{
    double square = 0;
    out->code = 0;
    for (int k = 0; k < 3; k++) {
        out->q[k] = steps[k] / 64.0;
        square += out->q[k] * out->q[k];
        out->code = out->code << 8 | (uint32_t)(steps[k] + 64);
    }
    out->q[3] = square < 1 ? sqrt(1 - square) : 0;
    return square < 1;
}

/* The nearest step along each axis, then one further on both sides of each. */
static uint32_t codes_around(const double q[4], double tolerance, tl_rotation_code out[TL_ROTATION_CODES])
{
    int steps[3];
    uint32_t count = 1;
    for (int k = 0; k < 3; k++)
        steps[k] = (int)floor((q[3] < 0 ? -1 : 1) * q[k] * 64 + 0.5);
    code_of(steps, &out[0]);
    for (int way = 0; way < 6 && tolerance > 0; way++) {
        steps[way / 2] += way % 2 ? 1 : -1;
        count += code_of(steps, &out[count]);
        steps[way / 2] -= way % 2 ? 1 : -1;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i].error_squared = tl_rotation_error_squared(out[i].q, q);
    return count;
}

static void find_nearest_errors(const tl_rotation_curve *curve, double *errors)
{
    tl_rotation_code codes[TL_ROTATION_CODES];
    for (uint32_t i = 0; i < curve->count; i++) {
        codes_around(curve->values[i], 0, codes);
        errors[i] = sqrt(codes[0].error_squared);
    }
}

static void value_of(uint32_t code, double q[4])
{
    const int steps[3] = {(int)(code >> 16) - 64, (int)(code >> 8 & 255) - 64, (int)(code & 255) - 64};
    tl_rotation_code out;
    code_of(steps, &out);
    memcpy(q, out.q, sizeof out.q);
}

/* ---- the plain search ---- */

typedef struct state {
    uint32_t sample, before;
    tl_rotation_code code;
    double error; /* square */
} state;

typedef struct searcher {
    const tl_rotation_curve *c;
    double tolerance;
    uint32_t candidates[SAMPLES], count; /* samples that have a code within the tolerance */
    state layers[LAYERS][WIDTH];
    uint32_t sizes[LAYERS], layer; /* the one that is added to */
} searcher;

static double square_error(const double any[4], const double q[4])
{
    double length = 0, along = 0;
    for (int i = 0; i < 4; i++) {
        length += any[i] * any[i];
        along += any[i] * q[i];
    }
    return length > 0 ? fmax(0, 1 - along * along / length) : 1;
}

/* Nlerp along the shorter arc passes every sample between two keys. */
static bool is_feasible(const searcher *s, const state *from, const double b[4], uint32_t to)
{
    const uint32_t *ticks = s->c->ticks;
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += from->code.q[i] * b[i];
    for (uint32_t m = from->sample + 1; m < to; m++) {
        const double t = (ticks[m] - ticks[from->sample]) * (1.0 / (ticks[to] - ticks[from->sample]));
        double length = 0, along = 0;
        for (int i = 0; i < 4; i++) {
            const double a = (dot < 0 ? -1 : 1) * from->code.q[i], v = a + (b[i] - a) * t;
            length += v * v;
            along += v * s->c->values[m][i];
        }
        if (!(length - along * along <= s->tolerance * s->tolerance * length))
            return false;
    }
    return true;
}

static bool is_better(const state *a, const state *b)
{
    return a->sample != b->sample ? a->sample > b->sample
           : a->error != b->error ? a->error < b->error
                                  : a->code.code < b->code.code;
}

/* The best four of a layer, each once. */
static void add_state(searcher *s, uint32_t sample, const tl_rotation_code *code, uint32_t before)
{
    const state one = {sample, before, *code, square_error(code->q, s->c->values[sample])};
    state *layer = s->layers[s->layer];
    uint32_t *size = &s->sizes[s->layer], at = 0;
    for (uint32_t i = 0; i < *size; i++)
        if (layer[i].sample == sample && layer[i].code.code == code->code)
            return;
    while (at < *size && !is_better(&one, &layer[at]))
        at++;
    if (at == WIDTH)
        return;
    *size += *size < WIDTH;
    memmove(layer + at + 1, layer + at, (*size - 1 - at) * sizeof *layer);
    layer[at] = one;
}

/* The codes of a candidate that the segment to it is feasible with. */
static uint32_t list_feasible(const searcher *s, const state *from, uint32_t candidate, tl_rotation_code *out)
{
    const uint32_t sample = s->candidates[candidate];
    tl_rotation_code codes[TL_ROTATION_CODES];
    const uint32_t count = codes_around(s->c->values[sample], s->tolerance, codes);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (square_error(codes[i].q, s->c->values[sample]) <= s->tolerance * s->tolerance &&
            is_feasible(s, from, codes[i].q, sample))
            out[found++] = codes[i];
    return found;
}

/* Of a candidate and two before it, the first that can be reached, if it is behind `good`. */
static uint32_t reach_near(const searcher *s, const state *from, uint32_t to, uint32_t good)
{
    tl_rotation_code codes[TL_ROTATION_CODES];
    for (int i = 0; i < TRIED && to > good; i++, to--)
        if (list_feasible(s, from, to, codes) > 0)
            return to;
    return good;
}

/* 1, 2, 4 candidates further and so on, then by bisection. */
static uint32_t reach_far(const searcher *s, const state *from, uint32_t good)
{
    const uint32_t start = good, last = s->count - 1;
    uint32_t bad = last + 1;
    for (uint32_t step = 1; good < last && bad == last + 1; step *= 2) {
        const uint32_t to = start + step < last ? start + step : last, got = reach_near(s, from, to, good);
        bad = got == good ? to : bad;
        good = got;
    }
    while (bad - good > 1) {
        const uint32_t middle = (good + bad) / 2, got = reach_near(s, from, middle, good);
        bad = got == good ? middle : bad;
        good = got;
    }
    return good;
}

/* The farthest candidate, and the one before it unless that is the end; what does not come as far as the best so far
 * is tried there only. */
static uint32_t expand(searcher *s, uint32_t number, uint32_t hint)
{
    const state from = s->layers[s->layer - 1][number];
    const uint32_t last = s->count - 1;
    uint32_t start = 0;
    tl_rotation_code codes[TL_ROTATION_CODES];
    while (s->candidates[start] != from.sample)
        start++;
    uint32_t to =
        hint <= start ? reach_far(s, &from, start) : reach_near(s, &from, hint < last ? hint + 1 : last, start);
    if (hint > start && to > hint)
        to = reach_far(s, &from, to);
    for (uint32_t i = 0; i < 2 && to > start + i && (i == 0 || to < last); i++) {
        const uint32_t count = list_feasible(s, &from, to - i, codes);
        for (uint32_t k = 0; k < count; k++)
            add_state(s, s->candidates[to - i], &codes[k], number);
    }
    return to > hint ? to : hint;
}

/* How many keys; 0: none within the tolerance. */
static uint32_t plain_search(searcher *s, uint32_t *samples, uint32_t *values)
{
    const tl_rotation_curve *c = s->c;
    tl_rotation_code codes[TL_ROTATION_CODES];
    s->count = s->layer = s->sizes[0] = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        codes_around(c->values[i], 0, codes);
        if (sqrt(square_error(codes[0].q, c->values[i])) <= s->tolerance)
            s->candidates[s->count++] = i;
    }
    if (s->count == 0 || s->candidates[0] != 0 || s->candidates[s->count - 1] != c->count - 1)
        return 0;
    const uint32_t first = codes_around(c->values[0], s->tolerance, codes);
    for (uint32_t i = 0; i < first; i++)
        if (square_error(codes[i].q, c->values[0]) <= s->tolerance * s->tolerance)
            add_state(s, 0, &codes[i], 0);
    while (s->sizes[s->layer] > 0 && s->layers[s->layer][0].sample != c->count - 1) {
        CHECK(s->layer + 1 < LAYERS);
        s->sizes[++s->layer] = 0;
        for (uint32_t i = 0, hint = 0; i < s->sizes[s->layer - 1]; i++)
            hint = expand(s, i, hint);
    }
    if (s->sizes[s->layer] == 0)
        return 0;
    for (uint32_t layer = s->layer + 1, number = 0; layer-- > 0; number = s->layers[layer][number].before) {
        samples[layer] = s->layers[layer][number].sample;
        values[layer] = s->layers[layer][number].code.code;
    }
    return s->layer + 1;
}

/* ---- both ---- */

typedef struct turns {
    uint32_t ticks[SAMPLES];
    double values[SAMPLES][4], nearest[SAMPLES], bends[SAMPLES];
    tl_rotation_curve curve;
} turns;

/* Goes about at some speed, is still for a while, or jumps. */
static void make_turns(turns *t, uint64_t *seed)
{
    static const double speeds[] = {0.001, 0.01, 0.05, 0.3};
    const double speed = speeds[below(seed, 4)];
    const uint32_t count = 1 + below(seed, below(seed, 3) ? 40 : SAMPLES);
    double at[3] = {spread(seed) / 2, spread(seed) / 2, spread(seed) / 2}, way[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        double length = 1;
        const bool jumps = below(seed, 30) == 0, rests = below(seed, 4) == 0;
        t->ticks[i] = i == 0 ? 0 : t->ticks[i - 1] + 1 + (below(seed, 5) == 0 ? below(seed, 6) : 0);
        for (int k = 0; k < 3; k++) {
            way[k] += speed * spread(seed) / 4;
            at[k] = jumps ? spread(seed) / 2 : rests ? at[k] : fmin(0.8, fmax(-0.8, at[k] + way[k]));
            length += at[k] * at[k];
        }
        for (int k = 0; k < 4; k++)
            t->values[i][k] = (k < 3 ? at[k] : 1) / sqrt(length) * (i % 7 == 3 ? -1 : 1);
    }
    t->curve = (tl_rotation_curve){.count = count,
                                   .ticks = t->ticks,
                                   .values = (const double(*)[4])t->values,
                                   .nearest = t->nearest,
                                   .codes = codes_around,
                                   .value = value_of};
    find_nearest_errors(&t->curve, t->nearest);
    tl_find_rotation_bends(&t->curve, t->bends);
}

TEST(keys_are_those_of_the_plain_search)
{
    static turns t;
    static searcher s;
    uint32_t found = 0, none = 0;
    uint64_t seed = 3;
    for (uint32_t round = 0; round < (TEST_SLOW ? 40u : 400u); round++) {
        static const double tolerances[] = {0.005, 0.0095, 0.0125, 0.014, 0.02, 0.04, 0.2, 0.6};
        uint32_t samples[SAMPLES], codes[SAMPLES], want_samples[SAMPLES], want_codes[SAMPLES];
        tl_keys keys = {0, samples, codes};
        tl_arena arena;
        make_turns(&t, &seed);
        s.c = &t.curve;
        s.tolerance = tolerances[round % 8];
        t.curve.bends = round % 3 ? t.bends : NULL;
        tl_arena_init(&arena, NULL);
        CHECK(tl_reduce_rotation_keys(&arena, &t.curve, s.tolerance, &keys));
        const uint32_t count = plain_search(&s, want_samples, want_codes);
        CHECK_INT(keys.count, count);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_INT(samples[i], want_samples[i]);
            CHECK_INT(codes[i], want_codes[i]);
        }
        tl_arena_free(&arena);
        *(count > 0 ? &found : &none) += 1;
    }
    CHECK(found > 15 && none > 3);
}

/* Both ends must have a code within the tolerance, whatever is between them. */
TEST(ends_without_a_code)
{
    for (int way = 0; way < 4; way++) {
        const uint32_t ticks[4] = {0, 1, 2, 3};
        double values[4][4], nearest[4];
        uint32_t samples[4], codes[4];
        tl_keys keys = {0, samples, codes};
        tl_arena arena;
        for (int i = 0; i < 4; i++) { /* on a step, or half way between two */
            const bool off = (way & 1 && i == 0) || (way & 2 && i == 3);
            values[i][0] = (10 + (off ? 0.5 : 0)) / 64, values[i][1] = values[i][2] = 0;
            values[i][3] = sqrt(1 - values[i][0] * values[i][0]);
        }
        const tl_rotation_curve c = {.count = 4,
                                     .ticks = ticks,
                                     .values = (const double(*)[4])values,
                                     .nearest = nearest,
                                     .codes = codes_around,
                                     .value = value_of};
        find_nearest_errors(&c, nearest);
        tl_arena_init(&arena, NULL);
        CHECK(tl_reduce_rotation_keys(&arena, &c, 0.002, &keys));
        CHECK_INT(keys.count, way == 0 ? 2 : 0);
        CHECK(tl_reduce_rotation_keys(&arena, &c, 0.02, &keys));
        CHECK_INT(keys.count, 2);
        tl_arena_free(&arena);
    }
}

/* A rotation at a distance of `off` from the point of a straight line. */
static void rotation_beside(const double line[4], double off, uint64_t *seed, double out[4])
{
    double aside[4], along = 0, length = 0, square = 0;
    for (int k = 0; k < 4; k++) {
        aside[k] = spread(seed);
        along += aside[k] * line[k];
        length += line[k] * line[k];
    }
    for (int k = 0; k < 4; k++) {
        aside[k] -= along / length * line[k];
        square += aside[k] * aside[k];
    }
    const double sign = below(seed, 2) ? -1 : 1, sine = square > 0 ? off / sqrt(square) : 0;
    for (int k = 0; k < 4; k++)
        out[k] = sign * (line[k] / sqrt(length) * sqrt(1 - off * off) + aside[k] * sine);
}

/* What a segment passes within a tolerance is no bend of that size, however far its keys are apart. */
TEST(segments_pass_no_bend)
{
    uint64_t seed = 9;
    uint32_t bent = 0;
    for (uint32_t round = 0; round < (TEST_SLOW ? 20000u : 200000u); round++) {
        const double tolerance = pow(10, -2 - 4.0 * below(&seed, 100) / 100);
        const double reach = pow(10, -3.0 * below(&seed, 100) / 100);
        uint32_t ticks[5] = {0};
        for (int i = 1; i < 5; i++)
            ticks[i] = ticks[i - 1] + 1 + below(&seed, i % 3 == 1 ? 20 : 4);
        double a[4], b[4], dot = 0, lengths[2] = {0, 0}, values[3][4], bends[3];
        for (int k = 0; k < 4; k++) {
            a[k] = spread(&seed);
            b[k] = a[k] + 3 * reach * spread(&seed);
            lengths[0] += a[k] * a[k], lengths[1] += b[k] * b[k];
            dot += a[k] * b[k];
        }
        for (int i = 0; i < 3; i++) {
            const double amount = (double)ticks[1 + i] / ticks[4];
            double line[4];
            for (int k = 0; k < 4; k++)
                line[k] =
                    a[k] / sqrt(lengths[0]) * (1 - amount) + (dot < 0 ? -1 : 1) * b[k] / sqrt(lengths[1]) * amount;
            rotation_beside(line, tolerance * (below(&seed, 4) ? 1 : 0.5), &seed, values[i]);
        }
        const tl_rotation_curve c = {.count = 3, .ticks = ticks + 1, .values = (const double(*)[4])values};
        tl_find_rotation_bends(&c, bends);
        CHECK(bends[0] == 0 && bends[2] == 0);
        CHECK(bends[1] <= tolerance);
        bent += bends[1] > 0.8 * tolerance ? 1 : 0;
    }
    CHECK(bent > 5); /* some come close */
}

/* Lanes are samples: each has the bend that it has alone, with and without AVX2. */
TEST(bends_are_those_of_three_samples)
{
    static turns t;
    uint64_t seed = 12;
    uint32_t bent = 0;
    for (uint32_t round = 0; round < 200; round++) {
        make_turns(&t, &seed);
        CHECK(t.bends[0] == 0 && t.bends[t.curve.count - 1] == 0);
        for (uint32_t m = 1; m + 1 < t.curve.count; m++) {
            const tl_rotation_curve three = {.count = 3, .ticks = t.ticks + m - 1, .values = t.curve.values + m - 1};
            double alone[3];
            tl_find_rotation_bends(&three, alone);
            CHECK(t.bends[m] == alone[1]);
            bent += alone[1] > 0 ? 1 : 0;
        }
        for (uint32_t first = 0; first + 6 <= t.curve.count && tl_has_avx2() && tl_find_four_bends_avx2(); first++) {
            double bends[BEND_LANES];
            tl_find_four_bends_avx2()(t.ticks + first, t.curve.values + first, bends);
            CHECK(memcmp(bends, t.bends + first + 1, sizeof bends) == 0);
            tl_find_four_bends()(t.ticks + first, t.curve.values + first, bends);
            CHECK(memcmp(bends, t.bends + first + 1, sizeof bends) == 0);
        }
    }
    CHECK(bent > 100);
}

TEST_MAIN(CASE(keys_are_those_of_the_plain_search), CASE(ends_without_a_code), CASE(segments_pass_no_bend),
          CASE(bends_are_those_of_three_samples))
