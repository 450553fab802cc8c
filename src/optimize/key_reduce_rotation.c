/* Fewest keys for rotations: longest-feasible-segment search over quantized candidates.
 *
 * Codes for rotations are about as coarse as the tolerance. So a sample has a handful of codes within it, or none, and
 * only samples that have one can be keys: the candidates. From a state, the farthest candidate is searched that some
 * code of its own makes feasible: by galloping (1, 2, 4 candidates and so on), then by bisection. Feasibility is not
 * monotonic, so that is not the farthest in all cases, but the work stays in proportion to the samples. */
#include "base/lanes.h"
#include "base/strict_float.h"
#include "optimize/key_reduce_search.h"

#include <math.h>
#include <string.h>

enum { KEPT_SAMPLES = 64 };    /* whose codes are kept */
enum { NEIGHBOURS_TRIED = 3 }; /* candidates that are tried before a distance counts as too far */
enum { ROTATION_BEAM_WIDTH = 4 };

typedef struct sample_codes {
    uint32_t sample, count;
    tl_rotation_code list[TL_ROTATION_CODES];
} sample_codes;

struct tl_kept_codes {
    double tolerance; /* that the codes are within */
    sample_codes samples[KEPT_SAMPLES];
};

typedef struct rotation_reduction {
    const tl_rotation_curve *curve;
    tl_kept_codes *kept;
    double tolerance, tolerance_squared;
    uint32_t *candidate_samples, candidate_count;
    uint32_t *candidate_of; /* each sample: its number among the candidates, if it is one */
    uint32_t *reach_of;     /* each candidate: the last one that a segment from it may end at */
    tl_key_search search;
} rotation_reduction;

tl_kept_codes *tl_kept_codes_new(tl_arena *scratch, double tolerance)
{
    tl_kept_codes *kept = tl_array_raw(scratch, 1, sizeof *kept);
    if (!kept)
        return NULL;
    kept->tolerance = tolerance;
    for (uint32_t i = 0; i < KEPT_SAMPLES; i++)
        kept->samples[i].sample = TRILO_NONE;
    return kept;
}

static double dot_quat(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Codes of a sample: all that are within the tolerance, and maybe others. */
static const sample_codes *codes_of_sample(rotation_reduction *r, uint32_t sample)
{
    sample_codes *codes = &r->kept->samples[sample % KEPT_SAMPLES];
    if (codes->sample == sample)
        return codes;
    codes->sample = sample;
    codes->count = r->curve->codes(r->curve->values[sample], r->kept->tolerance, codes->list);
    return codes;
}

static bool codes_are_kept(const rotation_reduction *r, uint32_t sample)
{
    return r->kept->samples[sample % KEPT_SAMPLES].sample == sample;
}

/* ---- one segment ---- */

typedef struct rotation_segment {
    tl_double2 a[4], delta[4]; /* the first key, and from it to the second: the same in both lanes */
    double per_tick;
    uint32_t first;
} rotation_segment;

/* True if nlerp is within the tolerance at two samples. Without a division or a root. */
static inline bool samples_are_met(const rotation_reduction *r, const rotation_segment *s, uint32_t m, uint32_t n)
{
    const double *p = r->curve->values[m], *q = r->curve->values[n];
    const uint32_t *ticks = r->curve->ticks, start = ticks[s->first];
    const tl_double2 amount = (tl_double2){ticks[m] - start, ticks[n] - start} * s->per_tick;
    tl_double2 sum[4];
    for (int i = 0; i < 4; i++)
        sum[i] = s->a[i] + s->delta[i] * amount;
    const tl_double2 length = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
    const tl_double2 along = sum[0] * (tl_double2){p[0], q[0]} + sum[1] * (tl_double2){p[1], q[1]} +
                             sum[2] * (tl_double2){p[2], q[2]} + sum[3] * (tl_double2){p[3], q[3]};
    const tl_mask2 met = length - along * along <= r->tolerance_squared * length;
    return met[0] & met[1];
}

/* True if all samples between two keys are within the tolerance. The middle is tried first: most segments that fail at
 * all fail there. */
static inline bool segment_is_feasible(const rotation_reduction *r, const tl_key_state *from, const double b[4],
                                       uint32_t to)
{
    const uint32_t *ticks = r->curve->ticks, first = from->sample, middle = first + (to - first) / 2;
    if (to - first < 2)
        return true;
    const double sign = dot_quat(from->q, b) < 0 ? -1 : 1;
    rotation_segment s = {.per_tick = 1.0 / (ticks[to] - ticks[first]), .first = first};
    for (int i = 0; i < 4; i++) {
        const double a = sign * from->q[i], delta = b[i] - a;
        s.a[i] = (tl_double2){a, a};
        s.delta[i] = (tl_double2){delta, delta};
    }
    if (!samples_are_met(r, &s, middle, middle + 1 < to ? middle + 1 : middle))
        return false;
    if (to - first <= 3) /* there are no others */
        return true;
    for (uint32_t k = first + 1; k < to; k += 2)
        if (!samples_are_met(r, &s, k, k + 1 < to ? k + 1 : k))
            return false;
    return true;
}

/* True if the sample in the middle is missed with all codes of `to`. They are within the tolerance of its rotation, and
 * change the middle by a part of that. The distance from a rotation is that from the line through it and the origin. */
static bool misses_middle(const rotation_reduction *r, const tl_key_state *from, uint32_t to)
{
    static const double TOLERANCE_MOST = 0.5, CHORD_PER_SINE = 1.04, COSINE_LEAST = 0.9; /* for sines up to 0.5 */
    const uint32_t *ticks = r->curve->ticks, middle = from->sample + (to - from->sample) / 2;
    tl_double2 a[2], b[2], q[2], sum[2];
    if (middle == from->sample)
        return false;
    memcpy(a, from->q, sizeof a);
    memcpy(b, r->curve->values[to], sizeof b);
    memcpy(q, r->curve->values[middle], sizeof q);
    const double amount = (double)(ticks[middle] - ticks[from->sample]) / (ticks[to] - ticks[from->sample]);
    const double cosine = tl_double4_dot(a, b), of_b = cosine < 0 ? -amount : amount, of_a = 1 - amount;
    for (int i = 0; i < 2; i++)
        sum[i] = a[i] * of_a + b[i] * of_b;
    const double length = tl_double4_dot(sum, sum), along = tl_double4_dot(sum, q);
    const double most = r->tolerance * (1 + CHORD_PER_SINE * amount);
    return length - along * along > most * most * (1 + 1e-9) + 1e-12 && fabs(cosine) > COSINE_LEAST &&
           r->tolerance < TOLERANCE_MOST;
}

/* ---- candidates ---- */

/* True if a key can be at both ends, and at every sample that no segment can pass. */
static bool find_candidates(rotation_reduction *r)
{
    const tl_rotation_curve *c = r->curve;
    const uint32_t last = c->count - 1;
    if (!(c->nearest[0] <= r->tolerance && c->nearest[last] <= r->tolerance))
        return false;
    r->candidate_count = 0;
    for (uint32_t i = 0; i <= last; i++) {
        r->candidate_of[i] = r->candidate_count;
        if (c->nearest[i] <= r->tolerance)
            r->candidate_samples[r->candidate_count++] = i;
        else if (c->bends && c->bends[i] > r->tolerance)
            return false;
    }
    for (uint32_t i = r->candidate_count, reach = i - 1; i-- > 0;) {
        r->reach_of[i] = reach;
        if (c->bends && c->bends[r->candidate_samples[i]] > r->tolerance)
            reach = i;
    }
    return true;
}

/* ---- the farthest candidate ---- */

/* A candidate that can be reached, with the first of its codes that makes it feasible. */
typedef struct reached_candidate {
    uint32_t candidate, code;
} reached_candidate;

/* The farthest feasible one of the candidate `to` and some before it; `good` when none after `good` is. */
static reached_candidate feasible_near(rotation_reduction *r, const tl_key_state *from, uint32_t to,
                                       reached_candidate good)
{
    const uint32_t reach = r->reach_of[r->candidate_of[from->sample]], beyond = to > reach ? to - reach : 0;
    to -= beyond;
    for (uint32_t i = beyond; i < NEIGHBOURS_TRIED && to > good.candidate; i++, to--) {
        const uint32_t sample = r->candidate_samples[to];
        if (!codes_are_kept(r, sample) && misses_middle(r, from, sample))
            continue; /* without making its codes */
        const sample_codes *codes = codes_of_sample(r, sample);
        for (uint32_t k = 0; k < codes->count; k++)
            if (codes->list[k].error_squared <= r->tolerance_squared &&
                segment_is_feasible(r, from, codes->list[k].q, sample))
                return (reached_candidate){to, k};
    }
    return good;
}

/* `good` is feasible. */
static reached_candidate gallop_and_bisect(rotation_reduction *r, const tl_key_state *from, reached_candidate good)
{
    const uint32_t last = r->candidate_count - 1, start = good.candidate;
    const uint32_t reach = r->reach_of[r->candidate_of[from->sample]];
    uint32_t bad = last + 1;
    for (uint32_t length = 1; good.candidate < reach && bad > last; length *= 2) {
        const uint32_t to = last - start > length ? start + length : last;
        const reached_candidate got = feasible_near(r, from, to, good);
        bad = got.candidate == good.candidate ? to : bad;
        good = got;
    }
    while (good.candidate < reach && bad - good.candidate > 1) {
        const uint32_t middle = good.candidate + (bad - good.candidate) / 2;
        const reached_candidate got = feasible_near(r, from, middle, good);
        bad = got.candidate == good.candidate ? middle : bad;
        good = got;
    }
    return good;
}

/* ---- layers ---- */

/* Where a code that is within the tolerance belongs in the next layer. */
static uint32_t place_of_code(const rotation_reduction *r, uint32_t sample, const tl_rotation_code *code)
{
    return code->error_squared <= r->tolerance_squared
               ? tl_key_search_place(&r->search, sample, code->error_squared, code->code)
               : r->search.width;
}

static void add_rotation_state(rotation_reduction *r, uint32_t place, uint32_t before, uint32_t sample,
                               const tl_rotation_code *code)
{
    tl_key_state *state = tl_key_search_insert(&r->search, place);
    state->sample = sample;
    state->code = code->code;
    state->before = before;
    state->error = code->error_squared;
    memcpy(state->q, code->q, sizeof state->q);
}

/* Adds what a candidate can end with. Codes before `first` are not feasible; that one is if `known`. */
static void add_candidate(rotation_reduction *r, uint32_t before, uint32_t candidate, uint32_t first, bool known)
{
    const tl_key_state *from = &r->search.all[before];
    const sample_codes *codes = codes_of_sample(r, r->candidate_samples[candidate]);
    for (uint32_t i = first; i < codes->count; i++) {
        const tl_rotation_code *code = &codes->list[i];
        const uint32_t place = place_of_code(r, codes->sample, code);
        if (place < r->search.width && ((known && i == first) || segment_is_feasible(r, from, code->q, codes->sample)))
            add_rotation_state(r, place, before, codes->sample, code);
    }
}

/* What one state adds to the next layer. `hint` is the farthest candidate of the layer so far: a state that does not
 * come near it is of no use. Returns the farthest candidate. */
static uint32_t expand_rotation_state(rotation_reduction *r, uint32_t number, uint32_t hint)
{
    const tl_key_state *from = &r->search.all[number];
    const uint32_t last = r->candidate_count - 1, start = r->candidate_of[from->sample];
    reached_candidate to = {start, 0};
    if (hint <= start) {
        to = gallop_and_bisect(r, from, to);
    } else {
        to = feasible_near(r, from, hint < last ? hint + 1 : last, to);
        to = to.candidate > hint ? gallop_and_bisect(r, from, to) : to;
    }
    if (to.candidate > start)
        add_candidate(r, number, to.candidate, to.code, true);
    if (to.candidate > start + 1 && to.candidate < last &&
        r->candidate_samples[to.candidate - 1] >= tl_key_search_least(&r->search))
        add_candidate(r, number, to.candidate - 1, 0, false);
    return to.candidate > hint ? to.candidate : hint;
}

/* True if a state adds what the one before has added: both are at a sample from which no segment reaches farther than
 * the next one, and any code does there. */
static bool adds_the_same(const rotation_reduction *r, uint32_t number)
{
    const uint32_t sample = r->search.all[number].sample, start = r->candidate_of[sample];
    return r->search.all[number - 1].sample == sample && r->reach_of[start] == start + 1 &&
           r->candidate_samples[start + 1] == sample + 1;
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
    r->kept = curve->kept ? curve->kept : tl_kept_codes_new(scratch, tolerance);
    r->candidate_samples = tl_array_raw(scratch, curve->count, sizeof *r->candidate_samples);
    r->candidate_of = tl_array_raw(scratch, curve->count, sizeof *r->candidate_of);
    r->reach_of = tl_array_raw(scratch, curve->count, sizeof *r->reach_of);
    if (!r->kept || !r->candidate_samples || !r->candidate_of || !r->reach_of)
        return false;
    if (!find_candidates(r))
        return true;
    if (!tl_key_search_start(&r->search, scratch, ROTATION_BEAM_WIDTH))
        return false;
    const sample_codes *first = codes_of_sample(r, 0);
    for (uint32_t i = 0; i < first->count; i++) {
        const uint32_t place = place_of_code(r, 0, &first->list[i]);
        if (place < r->search.width)
            add_rotation_state(r, place, 0, 0, &first->list[i]);
    }
    while (r->search.next_count > 0) {
        if (!tl_key_search_advance(&r->search))
            return false;
        const uint32_t begin = r->search.layer, end = r->search.count;
        if (r->search.all[begin].sample == last) {
            tl_key_search_trace(&r->search, begin, out);
            break;
        }
        for (uint32_t i = begin, hint = 0; i < end; i++)
            hint = i > begin && adds_the_same(r, i) ? hint : expand_rotation_state(r, i, hint);
    }
    return true;
}

/* ---- errors ---- */

/* Of two samples between two keys, the second in the hemisphere of the first, at ticks after the first key: the larger
 * squared error. */
static double played_error_squared(const tl_rotation_curve *c, const double a[4], const double b[4], double ticks,
                                   uint32_t m, uint32_t n, uint32_t start)
{
    const double *p = c->values[m], *q = c->values[n];
    const tl_double2 amount = (tl_double2){c->ticks[m] - start, c->ticks[n] - start} / ticks, of_a = 1 - amount;
    tl_double2 sum[4];
    for (int i = 0; i < 4; i++)
        sum[i] = a[i] * of_a + b[i] * amount;
    const tl_double2 length = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
    const tl_double2 along = sum[0] * (tl_double2){p[0], q[0]} + sum[1] * (tl_double2){p[1], q[1]} +
                             sum[2] * (tl_double2){p[2], q[2]} + sum[3] * (tl_double2){p[3], q[3]};
    const tl_double2 square = 1 - along * along / length;
    if (!(length[0] > 0 && length[1] > 0))
        return 1;
    return square[0] > square[1] ? square[0] : square[1];
}

double tl_rotation_keys_error(const tl_rotation_curve *c, const tl_keys *keys)
{
    double largest = 0, a[4], b[4];
    c->value(keys->codes[0], b);
    if (keys->count == 1)
        largest = tl_rotation_error_squared(b, c->values[0]);
    for (uint32_t key = 0; key + 1 < keys->count; key++) {
        const uint32_t from = keys->samples[key], to = keys->samples[key + 1];
        memcpy(a, b, sizeof a);
        c->value(keys->codes[key + 1], b);
        const double sign = dot_quat(a, b) < 0 ? -1 : 1, ticks = c->ticks[to] - c->ticks[from];
        for (int i = 0; i < 4; i++)
            a[i] *= sign;
        for (uint32_t k = key == 0 ? from : from + 1; k <= to; k += 2) { /* `from` ended the segment before */
            const double error = played_error_squared(c, a, b, ticks, k, k < to ? k + 1 : k, c->ticks[from]);
            largest = error > largest ? error : largest;
        }
    }
    return sqrt(largest);
}
