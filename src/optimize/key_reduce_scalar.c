/* Fewest keys for numbers.
 *
 * The samples with the bound around them are a tunnel. From a key one looks into it: every sample leaves a range of
 * slopes that pass it, and what passes all of them so far is a door that only closes. While it is open, every code that
 * is seen through it at a sample may be a key there. The last three samples before it shuts are tried, each with codes
 * at both ends of the door and in its middle.
 */
#include "optimize/key_reduce_search.h"

#include <math.h>

typedef struct numbers {
    const tl_scalar_curve *curve;
    double bound;
    tl_key_search search;
} numbers;

/* Codes that are seen at a sample. */
typedef struct door {
    uint32_t sample;
    double low, high;
} door;

enum { DOORS = 3 };
enum { LOOK_MOST = 1024 }; /* samples without a code that are passed before the first one with */

static double value_of(const tl_scalar_curve *c, double code)
{
    return (float)(code * c->scale + c->offset);
}

static double nearest(const tl_scalar_curve *c, uint32_t sample)
{
    const double code = c->scale != 0 ? floor((c->values[sample] - c->offset) / c->scale + 0.5) : 0;
    return code > 0 ? code < c->most ? code : c->most : 0;
}

/* ---- one look ahead ---- */

/* The codes between two values; without a scale there is one code. */
static door codes_between(const numbers *n, uint32_t sample, double low, double high)
{
    const tl_scalar_curve *c = n->curve;
    if (c->scale == 0)
        return (door){sample, 0, low <= c->offset && c->offset <= high ? 0 : -1};
    const door between = {sample, ceil((low - c->offset) / c->scale), floor((high - c->offset) / c->scale)};
    return (door){sample, between.low > 0 ? between.low : 0, between.high < c->most ? between.high : c->most};
}

/* The doors of the last samples that can be reached, the farthest first; how many. */
static uint32_t look(const numbers *n, const tl_key_state *from, door doors[DOORS])
{
    const tl_scalar_curve *c = n->curve;
    double low = -INFINITY, high = INFINITY;
    uint32_t count = 0;
    for (uint32_t k = from->sample + 1; k < c->count; k++) {
        const double length = (double)c->ticks[k] - c->ticks[from->sample], way = c->values[k] - from->q[0];
        low = fmax(low, (way - n->bound) / length);
        high = fmin(high, (way + n->bound) / length);
        if (!(low <= high))
            break;
        const door seen = codes_between(n, k, from->q[0] + low * length, from->q[0] + high * length);
        if (seen.low > seen.high && count == 0 && k - from->sample > LOOK_MOST)
            break;
        if (seen.low > seen.high)
            continue;
        for (uint32_t i = count < DOORS ? count++ : DOORS - 1; i > 0; i--)
            doors[i] = doors[i - 1];
        doors[0] = seen;
    }
    return count;
}

/* ---- layers ---- */

static void add_state(numbers *n, uint32_t before, uint32_t sample, double code)
{
    tl_key_state state = {.sample = sample, .code = (uint32_t)code, .before = before};
    state.q[0] = value_of(n->curve, code);
    state.off = fabs(state.q[0] - n->curve->values[sample]);
    tl_key_search_add(&n->search, &state);
}

static void add_door(numbers *n, uint32_t before, const door *d)
{
    add_state(n, before, d->sample, floor((d->low + d->high) / 2));
    add_state(n, before, d->sample, d->low);
    add_state(n, before, d->sample, d->high);
}

static void expand(numbers *n, uint32_t number)
{
    const tl_key_state from = n->search.all[number];
    door doors[DOORS];
    const uint32_t count = look(n, &from, doors), last = n->curve->count - 1;
    if (count == 0)
        add_state(n, number, from.sample + 1, nearest(n->curve, from.sample + 1));
    for (uint32_t i = 0; i < count && (i == 0 || doors[0].sample < last); i++)
        add_door(n, number, &doors[i]);
}

static void add_first(numbers *n)
{
    const double value = n->curve->values[0];
    const door d = codes_between(n, 0, value - n->bound, value + n->bound);
    add_state(n, 0, 0, nearest(n->curve, 0));
    if (d.low <= d.high)
        add_door(n, 0, &d);
}

bool tl_reduce_scalar_keys(tl_arena *scratch, const tl_scalar_curve *curve, double bound, tl_keys *out)
{
    numbers n = {.curve = curve, .bound = bound, .search = {.scratch = scratch, .width = TL_KEYS_WIDTH}};
    add_first(&n);
    for (;;) {
        if (!tl_key_search_advance(&n.search))
            return false;
        const uint32_t begin = n.search.layer, end = n.search.count;
        if (n.search.all[begin].sample == curve->count - 1)
            break;
        for (uint32_t i = begin; i < end; i++)
            expand(&n, i);
    }
    tl_key_search_trace(&n.search, n.search.layer, out);
    return true;
}

/* ---- how far off ---- */

double tl_scalar_keys_error(const tl_scalar_curve *c, const tl_keys *keys)
{
    double most = 0;
    for (uint32_t i = 0; i + 1 < keys->count; i++) {
        const uint32_t from = keys->samples[i], to = keys->samples[i + 1];
        const double a = value_of(c, keys->codes[i]), b = value_of(c, keys->codes[i + 1]);
        for (uint32_t k = from; k <= to; k++) {
            const double amount = (double)(c->ticks[k] - c->ticks[from]) / (c->ticks[to] - c->ticks[from]);
            most = fmax(most, fabs(a + (b - a) * amount - c->values[k]));
        }
    }
    return keys->count == 1 ? fabs(value_of(c, keys->codes[0]) - c->values[0]) : most;
}
