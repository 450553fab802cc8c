/* Fewest keys for rotations.
 *
 * Codes for rotations are coarse: about as coarse as the bound. So a sample has a handful of codes that serve, or none,
 * and only those that have one can be keys. From a state the farthest of them is looked for that some code of its own
 * lets the player reach within the bound: by leaps of 1, 2, 4 and so on, then by halving. That is not the farthest in
 * all cases, but the work stays in proportion to the samples.
 */
#include "optimize/key_reduce_search.h"

#include <math.h>
#include <string.h>

enum { KEPT_CODES = 64 }; /* samples whose codes are remembered */
enum { TRIES = 3 };       /* places that are tried before a leap counts as too far */
enum { TURNS_WIDTH = 4 };

typedef struct sample_codes {
    uint32_t sample, count;
    tl_rotation_code list[TL_ROTATION_CODES];
} sample_codes;

typedef struct turns {
    const tl_rotation_curve *curve;
    double bound, square; /* the square of the bound */
    uint32_t *places;     /* samples that can be keys */
    uint32_t place_count;
    uint32_t *place_of; /* of samples that can be */
    tl_key_search search;
    sample_codes kept[KEPT_CODES];
} turns;

static double dot4(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The squared sine of half the angle between a rotation and what the player would make of `sum`. */
static double off_square(const double sum[4], const double q[4])
{
    const double length = dot4(sum, sum), along = dot4(sum, q), square = 1 - along * along / length;
    return length > 0 ? square > 0 ? square : 0 : 1;
}

/* ---- codes ---- */

static const sample_codes *codes_of(turns *t, uint32_t sample)
{
    sample_codes *kept = &t->kept[sample % KEPT_CODES];
    if (kept->sample == sample)
        return kept;
    const double *q = t->curve->values[sample];
    tl_rotation_code found[TL_ROTATION_CODES];
    const uint32_t count = t->curve->codes(q, t->bound, found);
    kept->sample = sample;
    kept->count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (off_square(found[i].q, q) <= t->square)
            kept->list[kept->count++] = found[i];
    return kept;
}

/* False: no memory. */
static bool find_places(turns *t)
{
    const uint32_t count = t->curve->count;
    t->places = tl_array_raw(t->search.scratch, count, sizeof *t->places);
    t->place_of = tl_array_raw(t->search.scratch, count, sizeof *t->place_of);
    for (uint32_t i = 0; t->places && t->place_of && i < count; i++) {
        t->place_of[i] = t->place_count;
        if (t->curve->nearest[i] <= t->bound)
            t->places[t->place_count++] = i;
    }
    return t->places && t->place_of;
}

static bool ends_serve(const turns *t)
{
    return t->place_count > 0 && t->places[0] == 0 && t->places[t->place_count - 1] == t->curve->count - 1;
}

/* ---- one stretch ---- */

static bool passes(const turns *t, const double a[4], const double way[4], double amount, uint32_t sample)
{
    const double *q = t->curve->values[sample];
    const double sum[4] = {a[0] + way[0] * amount, a[1] + way[1] * amount, a[2] + way[2] * amount,
                           a[3] + way[3] * amount};
    const double length = dot4(sum, sum), along = dot4(sum, q);
    return length - along * along <= t->square * length;
}

/* The middle is tried first: there most ways fail that fail at all. */
static bool serves(const turns *t, const tl_key_state *from, const double b[4], uint32_t to)
{
    const uint32_t *ticks = t->curve->ticks, first = from->sample, middle = first + (to - first) / 2;
    const double part = 1.0 / (ticks[to] - ticks[first]), sign = dot4(from->q, b) < 0 ? -1 : 1;
    double a[4], way[4];
    for (int i = 0; i < 4; i++) {
        a[i] = sign * from->q[i];
        way[i] = b[i] - a[i];
    }
    if (middle > first && !passes(t, a, way, (ticks[middle] - ticks[first]) * part, middle))
        return false;
    for (uint32_t k = first + 1; k < to; k++)
        if (k != middle && !passes(t, a, way, (ticks[k] - ticks[first]) * part, k))
            return false;
    return true;
}

static bool reaches(turns *t, const tl_key_state *from, uint32_t to)
{
    const sample_codes *codes = codes_of(t, to);
    for (uint32_t i = 0; i < codes->count; i++)
        if (serves(t, from, codes->list[i].q, to))
            return true;
    return false;
}

/* The place up to `to`, and behind `good`, that is reached; `good` when none is. */
static uint32_t reach_near(turns *t, const tl_key_state *from, uint32_t to, uint32_t good)
{
    for (uint32_t i = 0; i < TRIES && to > good; i++, to--)
        if (reaches(t, from, t->places[to]))
            return to;
    return good;
}

/* By leaps from a place that is reached, then by halving. */
static uint32_t leap(turns *t, const tl_key_state *from, uint32_t good)
{
    const uint32_t last = t->place_count - 1, start = good;
    uint32_t bad = last + 1;
    for (uint32_t length = 1; good < last && bad > last; length *= 2) {
        const uint32_t to = last - start > length ? start + length : last, got = reach_near(t, from, to, good);
        bad = got == good ? to : bad;
        good = got;
    }
    while (bad - good > 1) {
        const uint32_t middle = good + (bad - good) / 2, got = reach_near(t, from, middle, good);
        bad = got == good ? middle : bad;
        good = got;
    }
    return good;
}

/* `hint` is how far another state of the layer got: one that gets not even near is of no use. */
static uint32_t farthest(turns *t, const tl_key_state *from, uint32_t hint)
{
    const uint32_t last = t->place_count - 1, start = t->place_of[from->sample];
    if (hint <= start)
        return leap(t, from, start);
    const uint32_t got = reach_near(t, from, hint < last ? hint + 1 : last, start);
    return got > hint ? leap(t, from, got) : got;
}

/* ---- layers ---- */

static void add_state(turns *t, uint32_t before, uint32_t sample, const tl_rotation_code *code)
{
    tl_key_state state = {.sample = sample, .code = code->code, .before = before};
    state.off = off_square(code->q, t->curve->values[sample]);
    memcpy(state.q, code->q, sizeof state.q);
    tl_key_search_add(&t->search, &state);
}

static void add_codes(turns *t, uint32_t before, uint32_t sample)
{
    const tl_key_state from = t->search.all[before];
    const sample_codes *codes = codes_of(t, sample);
    for (uint32_t i = 0; i < codes->count; i++)
        if (serves(t, &from, codes->list[i].q, sample))
            add_state(t, before, sample, &codes->list[i]);
}

/* What one state adds to the next layer; the farthest place. */
static uint32_t expand(turns *t, uint32_t number, uint32_t hint)
{
    const tl_key_state from = t->search.all[number];
    const uint32_t start = t->place_of[from.sample], to = farthest(t, &from, hint);
    if (to > start)
        add_codes(t, number, t->places[to]);
    if (to > start + 1 && to < t->place_count - 1)
        add_codes(t, number, t->places[to - 1]);
    return to > hint ? to : hint;
}

static bool start(turns *t)
{
    for (uint32_t i = 0; i < KEPT_CODES; i++)
        t->kept[i].sample = TRILO_NONE;
    if (!find_places(t))
        return false;
    const sample_codes *first = codes_of(t, 0);
    for (uint32_t i = 0; ends_serve(t) && i < first->count; i++)
        add_state(t, 0, 0, &first->list[i]);
    return true;
}

bool tl_reduce_rotation_keys(tl_arena *scratch, const tl_rotation_curve *curve, double bound, tl_keys *out)
{
    turns *t = tl_array_raw(scratch, 1, sizeof *t);
    out->count = 0;
    if (!t)
        return false;
    t->curve = curve;
    t->bound = bound;
    t->square = bound * bound;
    t->place_count = 0;
    t->search = (tl_key_search){.scratch = scratch, .width = TURNS_WIDTH};
    if (!start(t))
        return false;
    while (t->search.next_count > 0) {
        if (!tl_key_search_advance(&t->search))
            return false;
        const uint32_t begin = t->search.layer, end = t->search.count;
        if (t->search.all[begin].sample == curve->count - 1) {
            tl_key_search_trace(&t->search, begin, out);
            break;
        }
        for (uint32_t i = begin, hint = 0; i < end; i++)
            hint = expand(t, i, hint);
    }
    return true;
}

/* ---- how far off ---- */

void tl_rotation_code_errors(const tl_rotation_curve *curve, double *nearest)
{
    for (uint32_t i = 0; i < curve->count; i++) {
        tl_rotation_code near[TL_ROTATION_CODES];
        curve->codes(curve->values[i], 0, near);
        nearest[i] = sqrt(off_square(near[0].q, curve->values[i]));
    }
}

static void toward(const double a[4], const double b[4], double amount, double out[4])
{
    const double of_a = dot4(a, b) < 0 ? amount - 1 : 1 - amount;
    for (int i = 0; i < 4; i++)
        out[i] = a[i] * of_a + b[i] * amount;
}

static double stretch_off(const tl_rotation_curve *c, const tl_keys *keys, uint32_t key)
{
    const uint32_t from = keys->samples[key], to = keys->samples[key + 1];
    double a[4], b[4], sum[4], most = 0;
    c->value(keys->codes[key], a);
    c->value(keys->codes[key + 1], b);
    for (uint32_t k = from; k <= to; k++) {
        toward(a, b, (double)(c->ticks[k] - c->ticks[from]) / (c->ticks[to] - c->ticks[from]), sum);
        most = fmax(most, off_square(sum, c->values[k]));
    }
    return most;
}

double tl_rotation_keys_error(const tl_rotation_curve *curve, const tl_keys *keys)
{
    double most = 0, q[4];
    if (keys->count == 1) {
        curve->value(keys->codes[0], q);
        most = off_square(q, curve->values[0]);
    }
    for (uint32_t i = 0; i + 1 < keys->count; i++)
        most = fmax(most, stretch_off(curve, keys, i));
    return sqrt(most);
}
