/* Fewest keys for rotations: longest-feasible-segment search over quantised candidates.
 *
 * Codes for rotations are about as coarse as the tolerance. So a sample has a handful of codes within it, or none, and
 * only samples that have one can be keys: the candidates. From a state, the farthest candidate is searched that some
 * code of its own makes feasible: by galloping (1, 2, 4 candidates and so on), then by bisection. Feasibility is not
 * monotonic, so that is not the farthest in all cases, but the work stays in proportion to the samples. */
#include "base/strict_float.h"
#include "optimize/key_reduce_search.h"

#include <math.h>
#include <string.h>

enum { CODE_CACHE_SIZE = 64 }; /* samples whose codes are remembered */
enum { NEIGHBOURS_TRIED = 3 }; /* candidates that are tried before a distance counts as too far */
enum { ROTATION_BEAM_WIDTH = 4 };

typedef struct sample_codes {
    uint32_t sample, count;
    tl_rotation_code list[TL_ROTATION_CODES];
} sample_codes;

typedef struct rotation_reduction {
    const tl_rotation_curve *curve;
    double tolerance, tolerance_squared;
    uint32_t *candidate_samples, candidate_count;
    uint32_t *candidate_of; /* each sample: its number among the candidates, if it is one */
    tl_key_search search;
    sample_codes code_cache[CODE_CACHE_SIZE];
} rotation_reduction;

static double dot_quat(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The squared sine of half the angle between a unit quaternion and one of any length. */
static double rotation_error_squared(const double any[4], const double q[4])
{
    const double length = dot_quat(any, any), along = dot_quat(any, q), square = 1 - along * along / length;
    return length > 0 ? square > 0 ? square : 0 : 1;
}

/* The codes of a sample that are within the tolerance. */
static const sample_codes *codes_of_sample(rotation_reduction *r, uint32_t sample)
{
    sample_codes *cached = &r->code_cache[sample % CODE_CACHE_SIZE];
    if (cached->sample == sample)
        return cached;
    const double *q = r->curve->values[sample];
    tl_rotation_code found[TL_ROTATION_CODES];
    const uint32_t count = r->curve->codes(q, r->tolerance, found);
    cached->sample = sample;
    cached->count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (rotation_error_squared(found[i].q, q) <= r->tolerance_squared)
            cached->list[cached->count++] = found[i];
    return cached;
}

/* ---- one segment ---- */

/* Is nlerp from a by `amount` of `delta` within the tolerance at a sample? Without a division or a root. */
static bool sample_is_met(const rotation_reduction *r, const double a[4], const double delta[4], double amount,
                          uint32_t sample)
{
    const double *q = r->curve->values[sample];
    const double sum[4] = {a[0] + delta[0] * amount, a[1] + delta[1] * amount, a[2] + delta[2] * amount,
                           a[3] + delta[3] * amount};
    const double length = dot_quat(sum, sum), along = dot_quat(sum, q);
    return length - along * along <= r->tolerance_squared * length;
}

/* Are all samples between two keys met? The middle is tried first: most segments that fail at all fail there. */
static bool segment_is_feasible(const rotation_reduction *r, const tl_key_state *from, const double b[4], uint32_t to)
{
    const uint32_t *ticks = r->curve->ticks, first = from->sample, middle = first + (to - first) / 2;
    const double per_tick = 1.0 / (ticks[to] - ticks[first]), sign = dot_quat(from->q, b) < 0 ? -1 : 1;
    double a[4], delta[4];
    for (int i = 0; i < 4; i++) {
        a[i] = sign * from->q[i];
        delta[i] = b[i] - a[i];
    }
    if (middle > first && !sample_is_met(r, a, delta, (ticks[middle] - ticks[first]) * per_tick, middle))
        return false;
    for (uint32_t k = first + 1; k < to; k++)
        if (k != middle && !sample_is_met(r, a, delta, (ticks[k] - ticks[first]) * per_tick, k))
            return false;
    return true;
}

/* ---- the farthest candidate ---- */

/* The farthest of the candidates `to` and some in front of it that is feasible; `good` when none behind that is. */
static uint32_t feasible_near(rotation_reduction *r, const tl_key_state *from, uint32_t to, uint32_t good)
{
    for (uint32_t i = 0; i < NEIGHBOURS_TRIED && to > good; i++, to--) {
        const uint32_t sample = r->candidate_samples[to];
        const sample_codes *codes = codes_of_sample(r, sample);
        for (uint32_t k = 0; k < codes->count; k++)
            if (segment_is_feasible(r, from, codes->list[k].q, sample))
                return to;
    }
    return good;
}

/* `good` is feasible. */
static uint32_t gallop_and_bisect(rotation_reduction *r, const tl_key_state *from, uint32_t good)
{
    const uint32_t last = r->candidate_count - 1, start = good;
    uint32_t bad = last + 1;
    for (uint32_t length = 1; good < last && bad > last; length *= 2) {
        const uint32_t to = last - start > length ? start + length : last, got = feasible_near(r, from, to, good);
        bad = got == good ? to : bad;
        good = got;
    }
    while (bad - good > 1) {
        const uint32_t middle = good + (bad - good) / 2, got = feasible_near(r, from, middle, good);
        bad = got == good ? middle : bad;
        good = got;
    }
    return good;
}

/* ---- layers ---- */

static void add_rotation_state(rotation_reduction *r, uint32_t before, uint32_t sample, const tl_rotation_code *code)
{
    tl_key_state state = {.sample = sample, .code = code->code, .before = before};
    state.error = rotation_error_squared(code->q, r->curve->values[sample]);
    memcpy(state.q, code->q, sizeof state.q);
    tl_key_search_add(&r->search, &state);
}

static void add_candidate(rotation_reduction *r, uint32_t before, uint32_t candidate)
{
    const tl_key_state from = r->search.all[before];
    const uint32_t sample = r->candidate_samples[candidate];
    const sample_codes *codes = codes_of_sample(r, sample);
    for (uint32_t i = 0; i < codes->count; i++)
        if (segment_is_feasible(r, &from, codes->list[i].q, sample))
            add_rotation_state(r, before, sample, &codes->list[i]);
}

/* What one state adds to the next layer. `hint` is the farthest candidate of the layer so far: a state that does not
 * come near it is of no use. Returns the farthest candidate. */
static uint32_t expand_rotation_state(rotation_reduction *r, uint32_t number, uint32_t hint)
{
    const tl_key_state from = r->search.all[number];
    const uint32_t last = r->candidate_count - 1, start = r->candidate_of[from.sample];
    uint32_t to;
    if (hint <= start) {
        to = gallop_and_bisect(r, &from, start);
    } else {
        to = feasible_near(r, &from, hint < last ? hint + 1 : last, start);
        to = to > hint ? gallop_and_bisect(r, &from, to) : to;
    }
    if (to > start)
        add_candidate(r, number, to);
    if (to > start + 1 && to < last)
        add_candidate(r, number, to - 1);
    return to > hint ? to : hint;
}

bool tl_reduce_rotation_keys(tl_arena *scratch, const tl_rotation_curve *curve, double tolerance, tl_keys *out)
{
    rotation_reduction *r = tl_array_raw(scratch, 1, sizeof *r);
    const uint32_t last = curve->count - 1;
    out->count = 0;
    if (!r)
        return false;
    r->curve = curve;
    r->tolerance = tolerance;
    r->tolerance_squared = tolerance * tolerance;
    r->candidate_count = 0;
    r->search = (tl_key_search){.scratch = scratch, .width = ROTATION_BEAM_WIDTH};
    for (uint32_t i = 0; i < CODE_CACHE_SIZE; i++)
        r->code_cache[i].sample = TRILO_NONE;
    r->candidate_samples = tl_array_raw(scratch, curve->count, sizeof *r->candidate_samples);
    r->candidate_of = tl_array_raw(scratch, curve->count, sizeof *r->candidate_of);
    if (!r->candidate_samples || !r->candidate_of)
        return false;
    for (uint32_t i = 0; i < curve->count; i++) {
        r->candidate_of[i] = r->candidate_count;
        if (curve->nearest[i] <= tolerance)
            r->candidate_samples[r->candidate_count++] = i;
    }
    if (!(curve->nearest[0] <= tolerance && curve->nearest[last] <= tolerance))
        return true; /* both ends must be keys */
    const sample_codes *first = codes_of_sample(r, 0);
    for (uint32_t i = 0; i < first->count; i++)
        add_rotation_state(r, 0, 0, &first->list[i]);
    while (r->search.next_count > 0) {
        if (!tl_key_search_advance(&r->search))
            return false;
        const uint32_t begin = r->search.layer, end = r->search.count;
        if (r->search.all[begin].sample == last) {
            tl_key_search_trace(&r->search, begin, out);
            break;
        }
        for (uint32_t i = begin, hint = 0; i < end; i++)
            hint = expand_rotation_state(r, i, hint);
    }
    return true;
}

/* ---- errors ---- */

void tl_rotation_code_errors(const tl_rotation_curve *curve, double *nearest)
{
    for (uint32_t i = 0; i < curve->count; i++) {
        tl_rotation_code codes[TL_ROTATION_CODES];
        curve->codes(curve->values[i], 0, codes);
        nearest[i] = sqrt(rotation_error_squared(codes[0].q, curve->values[i]));
    }
}

double tl_rotation_keys_error(const tl_rotation_curve *c, const tl_keys *keys)
{
    double largest = 0, a[4], b[4], sum[4];
    if (keys->count == 1) {
        c->value(keys->codes[0], a);
        largest = rotation_error_squared(a, c->values[0]);
    }
    for (uint32_t key = 0; key + 1 < keys->count; key++) {
        const uint32_t from = keys->samples[key], to = keys->samples[key + 1];
        c->value(keys->codes[key], a);
        c->value(keys->codes[key + 1], b);
        for (uint32_t k = from; k <= to; k++) {
            const double amount = (double)(c->ticks[k] - c->ticks[from]) / (c->ticks[to] - c->ticks[from]);
            const double of_a = dot_quat(a, b) < 0 ? amount - 1 : 1 - amount;
            for (int i = 0; i < 4; i++)
                sum[i] = a[i] * of_a + b[i] * amount;
            largest = fmax(largest, rotation_error_squared(sum, c->values[k]));
        }
    }
    return sqrt(largest);
}
