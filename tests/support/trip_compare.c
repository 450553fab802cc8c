/* Two sets of faces: each of one side finds one of its own on the other.
 *
 * A grid over the middles of the faces gives the candidates. The nearest free one is taken; when all that would do are
 * taken, those that took them look for another one (augmenting paths), so that an unlucky order finds its match, too.
 */
#include "harness.h"
#include "support/trip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t NONE = UINT32_MAX;

typedef struct pairing {
    const trip_soup *got, *want;
    const trip_limits *limits;
    double cell, reach;       /* of the grid; the furthest that two faces of a pair can be apart */
    uint32_t *table, mask;    /* first face of `want` in each place of the table */
    uint32_t *next;           /* faces of `want` in one place */
    uint32_t *owner, *match;  /* got of each want, want of each got */
    uint32_t *visited, visit; /* of each want */
    double (*want_middles)[3], (*got_middles)[3];
} pairing;

/* --- the grid --- */

static void middle_of(const trip_face *f, double middle[3])
{
    for (int k = 0; k < 3; k++) {
        middle[k] = 0;
        for (int c = 0; c < f->sides; c++)
            middle[k] += f->corners[c].position[k] / f->sides;
    }
}

static void cell_of(const pairing *p, const double middle[3], int64_t cell[3])
{
    for (int k = 0; k < 3; k++)
        cell[k] = isfinite(middle[k]) ? (int64_t)floor(middle[k] / p->cell) : 0;
}

static uint32_t place_of(const pairing *p, const int64_t cell[3])
{
    uint64_t hash = 1469598103934665603u;
    for (int k = 0; k < 3; k++)
        hash = (hash ^ (uint64_t)cell[k]) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 40) & p->mask;
}

static double size_of(const trip_soup *soup)
{
    double most = 0;
    for (uint32_t i = 0; i < soup->count; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(soup->faces[i].corners[0].position[k]));
    return most;
}

static void *some(size_t count, size_t each, int fill)
{
    void *memory = malloc((count + 1) * each);
    CHECK(memory);
    memset(memory, fill, (count + 1) * each);
    return memory;
}

static double (*middles_of(const trip_soup *soup))[3]
{
    double(*middles)[3] = some(soup->count, sizeof *middles, 0);
    for (uint32_t i = 0; i < soup->count; i++)
        middle_of(&soup->faces[i], middles[i]);
    return middles;
}

static void pairing_init(pairing *p)
{
    const uint32_t wants = p->want->count;
    for (uint32_t i = 0; i < wants; i++)
        for (int k = 0; k < p->want->faces[i].sides; k++)
            p->reach = fmax(p->reach, (p->limits->position + p->want->faces[i].corners[k].slack) * 1.001);
    p->cell = fmax(p->reach, 1e-6 * size_of(p->want) + 1e-12);
    p->mask = 15;
    while (p->mask < 2 * wants)
        p->mask = 2 * p->mask + 1;
    p->table = some(p->mask, sizeof *p->table, 0xFF);
    p->next = some(wants, sizeof *p->next, 0xFF);
    p->owner = some(wants, sizeof *p->owner, 0xFF);
    p->visited = some(wants, sizeof *p->visited, 0);
    p->match = some(p->got->count, sizeof *p->match, 0xFF);
    p->want_middles = middles_of(p->want);
    p->got_middles = middles_of(p->got);
    for (uint32_t i = wants; i-- > 0;) {
        int64_t cell[3];
        cell_of(p, p->want_middles[i], cell);
        uint32_t *place = &p->table[place_of(p, cell)];
        p->next[i] = *place;
        *place = i;
    }
}

/* --- two faces --- */

/* How one face is off the other, its corners turned on by `turn`. */
typedef struct distance {
    double position, part, uv, color;
    bool repeated, fits;
} distance;

static double uv_limit(const trip_limits *l, const trip_face *got, const trip_corner *want, int k)
{
    const double texels = got->texels[k] > 0 ? got->texels[k] : 32;
    const double step = l->uv_steps > 0 ? 1 / (l->uv_steps * texels) : 0;
    return l->uv + step + 1e-6 * fabs(want->uv[k]);
}

static double cut(double value, double most)
{
    return most > 0 ? fmax(-most, fmin(most, value)) : value;
}

static void compare_uvs(const trip_limits *l, const trip_face *got, const trip_face *want, int turn, distance *d)
{
    for (int k = 0; k < 2; k++) {
        double moved = 0;
        for (int c = 0; c < got->sides; c++) {
            const trip_corner *a = &got->corners[c], *b = &want->corners[(c + turn) % want->sides];
            double off = a->uv[k] - cut(b->uv[k], l->uv_most);
            if (c == 0 && l->uv_repeats)
                moved = 2 * floor(off / 2 + 0.5);
            off = fabs(off - moved);
            d->uv = fmax(d->uv, off);
            d->fits = d->fits && off <= uv_limit(l, got, b, k);
        }
        d->repeated = d->repeated || moved != 0;
    }
}

static void compare_corners(const trip_limits *l, const trip_corner *a, const trip_corner *b, distance *d)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (a->position[k] - b->position[k]) * (a->position[k] - b->position[k]);
    const double limit = l->position + b->slack, off = sqrt(square);
    d->position = fmax(d->position, off);
    d->part = fmax(d->part, off <= 0 ? 0 : off <= limit ? off / limit : INFINITY); /* also for what is no number */
    for (int k = 0; k < (l->no_alpha ? 3 : 4); k++)
        d->color = fmax(d->color, fabs(a->color[k] - b->color[k]));
}

static distance distance_of(const trip_limits *l, const trip_face *got, const trip_face *want, int turn)
{
    distance d = {.fits = true};
    for (int c = 0; c < got->sides; c++)
        compare_corners(l, &got->corners[c], &want->corners[(c + turn) % want->sides], &d);
    if (got->textured && d.part <= 1)
        compare_uvs(l, got, want, turn, &d);
    d.fits = d.fits && d.part <= 1 && d.color <= l->color;
    return d;
}

/* In the best turn. */
static distance best_of(const trip_limits *l, const trip_face *got, const trip_face *want)
{
    distance best = {.position = INFINITY};
    for (int turn = 0; turn < want->sides && got->sides == want->sides; turn++) {
        const distance d = distance_of(l, got, want, turn);
        if (d.fits > best.fits || (d.fits == best.fits && d.position < best.position))
            best = d;
    }
    return best;
}

/* --- pairs --- */

typedef struct candidates {
    struct {
        uint32_t want;
        double off;
    } * all;
    uint32_t count, room;
} candidates;

static void add_candidate(candidates *c, uint32_t want, double off)
{
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->all = realloc(c->all, c->room * sizeof *c->all);
        CHECK(c->all);
    }
    c->all[c->count].want = want;
    c->all[c->count++].off = off;
}

/* Quickly: no corner is off by more than the reach, so neither are the middles. */
static bool middles_meet(const pairing *p, uint32_t got, uint32_t want)
{
    const double *a = p->got_middles[got], *b = p->want_middles[want];
    return fabs(a[0] - b[0]) <= p->reach && fabs(a[1] - b[1]) <= p->reach && fabs(a[2] - b[2]) <= p->reach;
}

/* Those that fit. Places of the table that several cells share are looked at once each. */
static candidates candidates_of(const pairing *p, uint32_t got)
{
    candidates out = {0};
    int64_t middle[3];
    uint32_t places[27], place_count = 0;
    cell_of(p, p->got_middles[got], middle);
    for (int n = 0; n < 27; n++) {
        const int64_t cell[3] = {middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1};
        const uint32_t place = place_of(p, cell);
        bool seen = false;
        for (uint32_t i = 0; i < place_count; i++)
            seen = seen || places[i] == place;
        if (seen)
            continue;
        places[place_count++] = place;
        for (uint32_t w = p->table[place]; w != NONE; w = p->next[w]) {
            if (!middles_meet(p, got, w))
                continue;
            const distance d = best_of(p->limits, &p->got->faces[got], &p->want->faces[w]);
            if (d.fits)
                add_candidate(&out, w, d.position);
        }
    }
    return out;
}

static void take(pairing *p, uint32_t got, uint32_t want)
{
    p->owner[want] = got;
    p->match[got] = want;
}

static bool take_nearest(pairing *p, uint32_t got, const candidates *c)
{
    uint32_t best = NONE;
    double nearest = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        if (p->owner[c->all[i].want] == NONE && c->all[i].off < nearest) {
            nearest = c->all[i].off;
            best = c->all[i].want;
        }
    }
    if (best != NONE)
        take(p, got, best);
    return best != NONE;
}

/* Depth is bounded by the number of faces that lie so close together. */
static bool find_match(pairing *p, uint32_t got)
{
    candidates c = candidates_of(p, got);
    bool found = take_nearest(p, got, &c);
    for (uint32_t i = 0; i < c.count && !found; i++) {
        const uint32_t want = c.all[i].want;
        if (p->visited[want] == p->visit)
            continue;
        p->visited[want] = p->visit;
        found = find_match(p, p->owner[want]);
        if (found)
            take(p, got, want);
    }
    free(c.all);
    return found;
}

static void nearest_to(const pairing *p, const trip_face *got, double nearest[3])
{
    nearest[0] = INFINITY;
    for (uint32_t i = 0; i < p->want->count; i++) {
        const distance d = best_of(p->limits, got, &p->want->faces[i]);
        if (d.position >= nearest[0])
            continue;
        nearest[0] = d.position;
        nearest[1] = d.uv;
        nearest[2] = d.color;
    }
}

static void sum_up(const pairing *p, trip_errors *e)
{
    uint32_t matched = 0;
    for (uint32_t i = 0; i < p->got->count; i++) {
        if (p->match[i] == NONE) {
            if (e->unmatched++ == 0)
                nearest_to(p, &p->got->faces[i], e->nearest);
            continue;
        }
        const distance d = best_of(p->limits, &p->got->faces[i], &p->want->faces[p->match[i]]);
        e->position = fmax(e->position, d.position);
        e->part = fmax(e->part, d.part);
        e->uv = fmax(e->uv, d.uv);
        e->color = fmax(e->color, d.color);
        e->repeated += d.repeated ? 1 : 0;
        matched++;
    }
    e->faces += p->got->count;
    e->missing += p->want->count - matched;
}

void trip_compare(const trip_soup *got, const trip_soup *want, const trip_limits *limits, trip_errors *errors)
{
    pairing p = {.got = got, .want = want, .limits = limits};
    pairing_init(&p);
    for (uint32_t i = 0; i < got->count; i++) {
        p.visit++;
        find_match(&p, i);
    }
    sum_up(&p, errors);
    void *all[] = {p.table, p.next, p.owner, p.visited, p.match, p.want_middles, p.got_middles};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}
