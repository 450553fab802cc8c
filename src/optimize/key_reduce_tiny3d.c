/* The keys that Tiny3D's converter keeps.
 *
 * One pass from the first key to the last: a key goes when the mean square of what its stretch is off without it, tick
 * by tick, stays below a limit, and that of the whole clip below another. Between two samples the way is straight, and
 * so is how far it is off: its squares over the ticks there have a sum in closed form. Long stretches are measured at
 * some of their samples only, which keeps the work in proportion.
 */
#include "optimize/key_reduce.h"

#include <math.h>

static const double STRETCH_LIMIT = 1e-7, CLIP_LIMIT = 1e-6;
enum { LOOKS_MOST = 16 }; /* samples of a stretch that are measured */

/* How far a player is off at a sample when it goes straight from one sample to another. */
typedef void off_fn(const void *curve, uint32_t from, uint32_t to, uint32_t sample, double off[4]);

typedef struct plain {
    const void *curve;
    const uint32_t *ticks;
    uint32_t count;
    off_fn *off;
} plain;

static double dot4(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The squares of what goes straight from a to b, at the ticks 0 to length - 1. */
static double squares_between(const double a[4], const double b[4], double length)
{
    const double aa = dot4(a, a), ab = dot4(a, b), bb = dot4(b, b);
    const double way = ab - aa, square = bb - 2 * ab + aa;
    return length * aa + way * (length - 1) + square * (length - 1) * (2 * length - 1) / (6 * length);
}

static double stretch_squares(const plain *p, uint32_t from, uint32_t to)
{
    const uint32_t stride = (to - from + LOOKS_MOST - 1) / LOOKS_MOST;
    double sum = 0, before[4] = {0}, here[4];
    for (uint32_t k = from, next; k < to; k = next) {
        next = to - k > stride ? k + stride : to;
        for (int i = 0; i < 4; i++)
            here[i] = 0;
        if (next < to)
            p->off(p->curve, from, to, next, here);
        sum += squares_between(before, here, (double)p->ticks[next] - p->ticks[k]);
        for (int i = 0; i < 4; i++)
            before[i] = here[i];
    }
    return sum;
}

static void thin(const plain *p, uint32_t *samples, uint32_t *kept)
{
    const double ticks = fmax(1, (double)p->ticks[p->count - 1] - p->ticks[0]);
    double all = 0, stretch = 0; /* squares of the clip so far, and of what leads from the last kept key to here */
    samples[0] = 0;
    *kept = 1;
    for (uint32_t k = 1; k + 1 < p->count; k++) {
        const uint32_t from = samples[*kept - 1];
        const double without = stretch_squares(p, from, k + 1);
        const double length = (double)p->ticks[k + 1] - p->ticks[from];
        const bool goes = without <= STRETCH_LIMIT * length && all - stretch + without <= CLIP_LIMIT * ticks;
        all += goes ? without - stretch : 0;
        stretch = goes ? without : 0;
        if (!goes)
            samples[(*kept)++] = k;
    }
    if (p->count > 1)
        samples[(*kept)++] = p->count - 1;
}

/* ---- numbers ---- */

static void number_off(const void *curve, uint32_t from, uint32_t to, uint32_t sample, double off[4])
{
    const tl_scalar_curve *c = curve;
    const double amount = (double)(c->ticks[sample] - c->ticks[from]) / (c->ticks[to] - c->ticks[from]);
    off[0] = c->values[from] + (c->values[to] - c->values[from]) * amount - c->values[sample];
}

void tl_tiny3d_scalar_keys(const tl_scalar_curve *c, tl_keys *out)
{
    const plain p = {c, c->ticks, c->count, number_off};
    thin(&p, out->samples, &out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        const double value = c->values[out->samples[i]];
        const double code = c->scale != 0 ? floor((value - c->offset) / c->scale + 0.5) : 0;
        out->codes[i] = code > 0 ? code < c->most ? (uint32_t)code : c->most : 0;
    }
}

/* ---- rotations ---- */

static void turn_off(const void *curve, uint32_t from, uint32_t to, uint32_t sample, double off[4])
{
    const tl_rotation_curve *c = curve;
    const double *a = c->values[from], *b = c->values[to], *q = c->values[sample];
    const double amount = (double)(c->ticks[sample] - c->ticks[from]) / (c->ticks[to] - c->ticks[from]);
    const double of_a = dot4(a, b) < 0 ? amount - 1 : 1 - amount;
    for (int i = 0; i < 4; i++)
        off[i] = a[i] * of_a + b[i] * amount;
    const double length = sqrt(dot4(off, off)), unit = length > 0 ? 1 / length : 0;
    const double sign = dot4(off, q) < 0 ? -unit : unit;
    for (int i = 0; i < 4; i++)
        off[i] = off[i] * sign - q[i];
}

void tl_tiny3d_rotation_keys(const tl_rotation_curve *c, tl_keys *out)
{
    const plain p = {c, c->ticks, c->count, turn_off};
    thin(&p, out->samples, &out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        tl_rotation_code near[TL_ROTATION_CODES];
        c->codes(c->values[out->samples[i]], 0, near);
        out->codes[i] = near[0].code;
    }
}
