/* Bounds for the channels of a clip, from what its vertices may be off.
 *
 * A first guess gives every channel the whole bound, divided by its lever. Errors of a chain of bones add up, or cancel
 * each other out, so the truth is measured, and all bounds are made narrower or wider by one factor until they fit.
 * Then each channel in turn is offered more, and keeps it when the whole still fits. */
#include "formats/t3dm/animation/animation.h"

#include "base/trig.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TICKS_MOST = UINT16_MAX };       /* of a stream: a longer one will be refused */
static const double MEASURE_MOST = 3e8; /* values of channels at ticks: more are not measured again and again */

static bool make_keys(t3dm_encoder *e, t3dm_take *t)
{
    uint64_t count = 0;
    for (uint32_t k = 0; k < t->sdata.channel_count; k++) {
        if (!tl_t3dm_make_keys(e, &t->curves[k], &t->sdata.channels[k]))
            return false;
        count += t->sdata.channels[k].key_count;
    }
    t->sdata.key_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    return true;
}

/* --- one bound for each kind of channel --- */

static void set_bounds(const t3dm_encoder *e, t3dm_take *t)
{
    const double turn = tl_sin(fmin(e->opts->t3dm.anim_turn, 180) * TL_PI / 360), place = e->opts->t3dm.anim_place;
    for (uint32_t k = 0; k < t->sdata.channel_count; k++) {
        t3dm_curve *c = &t->curves[k];
        c->bound = c->turns ? turn : c->mapping.type == T3DM_TRANSLATION ? place : 0;
    }
}

/* --- one bound for the vertices --- */

typedef struct fitting {
    t3dm_encoder *e;
    const t3dm_body *body;
    t3dm_take *take;
    tl_sdata_channel *kept; /* of the best that fits */
    double bound, off;      /* what is asked for, and what the best is */
    bool fits;              /* something does */
} fitting;

/* A quarter turn is as bad as it gets. */
static double bound_of(const fitting *f, const t3dm_curve *c, double factor)
{
    const double lever = tl_t3dm_error_per_radian(f->body, c), most = c->turns ? 0.7 : 1e6;
    return lever > 0 ? fmin(most, factor * f->bound / lever) : most;
}

static void keep(fitting *f, double off)
{
    memcpy(f->kept, f->take->sdata.channels, f->take->sdata.channel_count * sizeof *f->kept);
    f->off = off;
    f->fits = true;
}

/* False: no memory. *fits: it does. */
static bool try_factor(fitting *f, double factor, bool *fits)
{
    double off;
    for (uint32_t k = 0; k < f->take->sdata.channel_count; k++)
        f->take->curves[k].bound = bound_of(f, &f->take->curves[k], factor);
    if (!make_keys(f->e, f->take) || !tl_t3dm_clip_error(f->e, f->body, f->take, &off))
        return false;
    *fits = off <= f->bound;
    if (*fits)
        keep(f, off);
    return true;
}

/* The largest factor that fits, to about a twentieth. */
static bool find_factor(fitting *f, double *best)
{
    double good = 0, bad = 0;
    bool fits;
    for (double factor = 1; factor >= 1.0 / 64 && factor <= 64; factor *= fits ? 2 : 0.5) {
        if (!try_factor(f, factor, &fits))
            return false;
        good = fits ? factor : good;
        bad = fits ? bad : factor;
        if (good > 0 && bad > 0)
            break;
    }
    for (int i = 0; i < 4 && good > 0 && bad > 0; i++) {
        const double middle = sqrt(good * bad);
        if (!try_factor(f, middle, &fits))
            return false;
        good = fits ? middle : good;
        bad = fits ? bad : middle;
    }
    *best = good;
    return true;
}

/* Work that is worth it: samples of channels that are worked out anew. */
static const double OFFERS_MOST = 2e7;

/* False: no memory. */
static bool offer_more(fitting *f, double factor)
{
    t3dm_take *t = f->take;
    const uint32_t count = t->sdata.channel_count;
    memcpy(t->sdata.channels, f->kept, count * sizeof *f->kept);
    if ((double)count * count * t->last_tick > OFFERS_MOST)
        return true;
    for (uint32_t k = 0; k < count; k++) {
        t3dm_curve *c = &t->curves[k];
        tl_sdata_channel *channel = &t->sdata.channels[k];
        for (double more = 4; more > 1; more /= 2) {
            const tl_sdata_channel before = *channel;
            double off = 0;
            c->bound = bound_of(f, c, factor * more);
            if (!tl_t3dm_make_keys(f->e, c, channel))
                return false;
            const bool fewer = channel->key_count < before.key_count;
            if (fewer && !tl_t3dm_clip_error(f->e, f->body, t, &off))
                return false;
            if (fewer && off <= f->bound) {
                f->off = off;
                break;
            }
            *channel = before;
        }
    }
    return true;
}

static void count_keys(t3dm_take *t)
{
    t->sdata.key_count = 0;
    for (uint32_t k = 0; k < t->sdata.channel_count; k++)
        t->sdata.key_count += t->sdata.channels[k].key_count;
}

/* No factor fits: as good as without a bound. */
static bool do_without(fitting *f)
{
    for (uint32_t k = 0; k < f->take->sdata.channel_count; k++)
        f->take->curves[k].bound = 0;
    if (!make_keys(f->e, f->take) || !tl_t3dm_clip_error(f->e, f->body, f->take, &f->off))
        return false;
    if (f->off <= f->bound)
        keep(f, f->off);
    return true;
}

/* From which channels are offered more then. */
static const double SMALL_FACTOR = 0.25;

static bool fit(fitting *f)
{
    double factor;
    f->kept = tl_array_raw(f->e->arena, f->take->sdata.channel_count, sizeof *f->kept);
    if (!f->kept || !find_factor(f, &factor))
        return false;
    if (factor == 0 && !do_without(f))
        return false;
    if (f->fits && !offer_more(f, factor > 0 ? factor : SMALL_FACTOR))
        return false;
    count_keys(f->take);
    return true;
}

/* --- what became of it --- */

static void tell(const fitting *f)
{
    const uint32_t count = f->take->sdata.key_count;
    tl_t3dm_report_loss(f->e, T3DM_R_KEYS, "%" PRIu32 " keys, with which no vertex is more than %.4g units off", count,
                        f->off);
    if (f->bound > 0 && !f->fits)
        tl_t3dm_report_loss(f->e, T3DM_R_KEYS_COARSE,
                            "a vertex is %.4g units off, %.4g were asked for: T3DM stores rotations no finer", f->off,
                            f->bound);
}

bool tl_t3dm_fit_tolerance(t3dm_encoder *e, t3dm_take *take, const t3dm_body *body)
{
    fitting f = {.e = e, .body = body, .take = take, .bound = e->opts->t3dm.anim_error};
    if (!e->policy.has_tolerance || take->last_tick > TICKS_MOST)
        return make_keys(e, take);
    if ((double)take->last_tick * take->sdata.channel_count > MEASURE_MOST) {
        tl_t3dm_report_loss(e, T3DM_R_KEYS_COARSE, "the clip is too long to be measured, so no bound holds");
        return make_keys(e, take);
    }
    if (f.bound > 0) {
        if (!fit(&f))
            return false;
    } else {
        set_bounds(e, take);
        if (!make_keys(e, take) || !tl_t3dm_clip_error(e, f.body, take, &f.off))
            return false;
    }
    tell(&f);
    return true;
}
