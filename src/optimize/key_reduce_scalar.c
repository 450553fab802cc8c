/* Fewest keys for scalars: longest feasible segment with quantized ends.
 *
 * From a key, every sample with the tolerance around it admits an interval of slopes; the intersection of these
 * intervals only shrinks (the cone of Williams 1978, and of Sklansky and Gonzalez 1980). While it is not empty, every
 * code inside it at a sample may be the next key. The last three samples before it becomes empty are tried, each with
 * the codes at both ends of the interval and in its middle. */
#include "base/strict_float.h"
#include "optimize/key_reduce_search.h"

#include <math.h>

/* Slopes from a key to a sample. */
typedef struct slope_interval {
    double low, high;
} slope_interval;

typedef struct scalar_reduction {
    const tl_scalar_curve *curve;
    double tolerance;
    slope_interval *slopes; /* room for each sample after a key */
    tl_key_search search;
} scalar_reduction;

/* The codes that are feasible at a sample. */
typedef struct code_interval {
    uint32_t sample;
    double low, high; /* low > high: none */
} code_interval;

enum { INTERVALS_KEPT = 3 };
enum { BARREN_SAMPLES_MOST = 1024 }; /* samples without a code that are passed before the first one with */

static double scalar_code_value(const tl_scalar_curve *c, double code)
{
    return (float)(code * c->scale + c->offset);
}

static double nearest_scalar_code(const tl_scalar_curve *c, uint32_t sample)
{
    const double code = c->scale != 0 ? floor((c->values[sample] - c->offset) / c->scale + 0.5) : 0;
    return code > 0 ? code < c->most ? code : c->most : 0;
}

/* 0 for what is below all codes or not a number, more than the last code for what is above them. */
static double code_at_or_above(const tl_scalar_curve *c, double at)
{
    const double whole = at > 0 ? at < c->most ? (double)(uint32_t)at : (double)c->most : 0;
    return whole < at ? whole + 1 : whole;
}

/* -1 for what is below all codes, the last code for what is above them or not a number. */
static double code_at_or_below(const tl_scalar_curve *c, double at)
{
    return at < 0 ? -1 : at < c->most ? (double)(uint32_t)at : (double)c->most;
}

/* The codes between two values; without a scale there is one code. */
static code_interval codes_between(const tl_scalar_curve *c, uint32_t sample, double low, double high)
{
    if (c->scale == 0)
        return (code_interval){sample, 0, low <= c->offset && c->offset <= high ? 0 : -1};
    const double first = (low - c->offset) / c->scale, last = (high - c->offset) / c->scale;
    return (code_interval){sample, code_at_or_above(c, first), code_at_or_below(c, last)};
}

static code_interval codes_at(const scalar_reduction *r, const tl_key_state *from, uint32_t sample)
{
    const tl_scalar_curve *c = r->curve;
    const double length = (double)c->ticks[sample] - c->ticks[from->sample];
    const slope_interval slope = r->slopes[sample - from->sample];
    return codes_between(c, sample, from->q[0] + slope.low * length, from->q[0] + slope.high * length);
}

/* True if a sample after a key, up to `last`, has a code. */
static bool has_codes(const scalar_reduction *r, const tl_key_state *from, uint32_t last)
{
    bool found = false;
    for (uint32_t k = last; k > from->sample && !found; k--) {
        const code_interval codes = codes_at(r, from, k);
        found = codes.low <= codes.high;
    }
    return found;
}

/* Narrows the slopes from a key sample by sample, from `next` on. Samples are counted from the key. Returns the first
 * one that cannot be reached, or `stop`. */
static inline uint32_t narrow_slopes(const scalar_reduction *r, const tl_key_state *from, uint32_t next, uint32_t stop,
                                     slope_interval slope)
{
    const tl_scalar_curve *c = r->curve;
    const uint32_t *ticks = c->ticks + from->sample;
    const double *values = c->values + from->sample, start = ticks[0], value = from->q[0], tolerance = r->tolerance;
    slope_interval *slopes = r->slopes;
    for (; next < stop; next++) {
        const double length = ticks[next] - start, rise = values[next] - value;
        const double low = (rise - tolerance) / length, high = (rise + tolerance) / length;
        slope.low = low > slope.low ? low : slope.low;
        slope.high = high < slope.high ? high : slope.high;
        if (!(slope.low <= slope.high))
            break;
        slopes[next] = slope;
    }
    return next;
}

/* The intervals of the last samples that can be reached, the farthest first, as many as are requested. Returns how
 * many. */
static uint32_t find_feasible(const scalar_reduction *r, const tl_key_state *from,
                              code_interval intervals[INTERVALS_KEPT])
{
    const uint32_t samples = r->curve->count - from->sample, most = BARREN_SAMPLES_MOST + 2;
    const uint32_t least = tl_key_search_least(&r->search);
    uint32_t count = 0;
    uint32_t end = narrow_slopes(r, from, 1, samples < most ? samples : most, (slope_interval){-INFINITY, INFINITY});
    if (end == most) {
        if (!has_codes(r, from, from->sample + end - 1))
            return 0;
        end = narrow_slopes(r, from, end, samples, r->slopes[end - 1]);
    }
    for (uint32_t k = from->sample + end - 1; k > from->sample && k >= least && count < INTERVALS_KEPT; k--) {
        const code_interval codes = codes_at(r, from, k);
        if (codes.low <= codes.high)
            intervals[count++] = codes;
    }
    return count;
}

static inline void add_scalar_state(scalar_reduction *r, uint32_t before, uint32_t sample, double code)
{
    const double value = scalar_code_value(r->curve, code), error = fabs(value - r->curve->values[sample]);
    const uint32_t place = tl_key_search_place(&r->search, sample, error, (uint32_t)code);
    if (place == r->search.width)
        return;
    tl_key_state *state = tl_key_search_insert(&r->search, place);
    state->sample = sample;
    state->code = (uint32_t)code;
    state->before = before;
    state->error = error;
    state->q[0] = value;
}

/* The code in the middle, and those at both ends. */
static inline void add_interval(scalar_reduction *r, uint32_t before, const code_interval *codes)
{
    const double tried[] = {(double)(uint32_t)((codes->low + codes->high) / 2), codes->low, codes->high};
    const uint32_t count = codes->low == codes->high ? 1 : 3;
    for (uint32_t i = 0; i < count; i++)
        add_scalar_state(r, before, codes->sample, tried[i]);
}

bool tl_reduce_scalar_keys(tl_arena *scratch, const tl_scalar_curve *curve, double tolerance, tl_keys *out)
{
    scalar_reduction r = {.curve = curve, .tolerance = tolerance};
    const code_interval first = codes_between(curve, 0, curve->values[0] - tolerance, curve->values[0] + tolerance);
    const uint32_t last = curve->count - 1;
    r.slopes = tl_array_raw(scratch, curve->count, sizeof *r.slopes);
    if (!r.slopes || !tl_key_search_start(&r.search, scratch, TL_KEY_BEAM_WIDTH))
        return false;
    add_scalar_state(&r, 0, 0, nearest_scalar_code(curve, 0));
    if (first.low <= first.high)
        add_interval(&r, 0, &first);
    for (;;) {
        if (!tl_key_search_advance(&r.search))
            return false;
        const uint32_t end = r.search.count;
        if (r.search.all[r.search.layer].sample == last)
            break;
        for (uint32_t i = r.search.layer; i < end; i++) {
            const tl_key_state *from = &r.search.all[i];
            code_interval intervals[INTERVALS_KEPT];
            const uint32_t count = find_feasible(&r, from, intervals);
            if (count == 0)
                add_scalar_state(&r, i, from->sample + 1, nearest_scalar_code(curve, from->sample + 1));
            for (uint32_t k = 0; k < count && (k == 0 || intervals[0].sample < last); k++)
                add_interval(&r, i, &intervals[k]);
        }
    }
    tl_key_search_trace(&r.search, r.search.layer, out);
    return true;
}

/* A segment over a sample is within the tolerance of it and of the one after it, and either within that of the one
 * before it or starts there, maybe with a code that is farther off, but by no more than half a step. So a sample that
 * is farther from the line between these two is a key. */
bool tl_scalar_keys_may_be_fewer(const tl_scalar_curve *c, double tolerance, uint32_t keys)
{
    static const double ROUNDING = 3e-7; /* values of codes are floats */
    const double span = (double)c->scale * c->most;
    const double most = tolerance + fmax(tolerance, c->scale / 2) + ROUNDING * (fabs(span) + fabs(c->offset));
    uint32_t passed = 0;
    for (uint32_t k = 1; k + 1 < c->count && c->count - passed >= keys; k++) {
        const uint32_t *ticks = &c->ticks[k];
        const double before = c->values[k - 1], after = c->values[k + 1];
        const double amount = (double)(ticks[0] - ticks[-1]) / (ticks[1] - ticks[-1]);
        passed += fabs(before + (after - before) * amount - c->values[k]) > most ? 0 : 1;
    }
    return c->count - passed < keys;
}

double tl_scalar_keys_error(const tl_scalar_curve *c, const tl_keys *keys)
{
    double largest = 0;
    for (uint32_t i = 0; i + 1 < keys->count; i++) {
        const uint32_t from = keys->samples[i], to = keys->samples[i + 1];
        const double a = scalar_code_value(c, keys->codes[i]), b = scalar_code_value(c, keys->codes[i + 1]);
        for (uint32_t k = from; k <= to; k++) {
            const double amount = (double)(c->ticks[k] - c->ticks[from]) / (c->ticks[to] - c->ticks[from]);
            const double error = fabs(a + (b - a) * amount - c->values[k]);
            largest = error > largest ? error : largest;
        }
    }
    return keys->count == 1 ? fabs(scalar_code_value(c, keys->codes[0]) - c->values[0]) : largest;
}
