/* Tolerances of channels from one tolerance at the vertices.
 *
 * A first guess gives every channel the whole tolerance, divided by how far an error of 1 moves a vertex. Errors along
 * a chain of bones add up or cancel out, so the result is measured (error.c), and all tolerances are scaled by one
 * factor until it fits: doubled or halved, then bisected. Then each channel alone is tried with more, and keeps that
 * when the whole clip still fits. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/trig.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { STREAM_TICKS_MOST = UINT16_MAX }; /* a longer clip will be refused */
/* Limits of the work, in channel values that are computed: for one measurement, and for trying single channels. */
static const double MEASURED_MOST = 3e8, TRIED_MOST = 2e7;
static const double FALLBACK_FACTOR = 0.25; /* that single channels are tried with when no common one fits */

static bool make_all_keys(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    uint64_t count = 0;
    for (uint32_t k = 0; k < clip->sdata.channel_count; k++) {
        if (!tl_t3dm_make_keys(e, &clip->curves[k], &clip->sdata.channels[k]))
            return false;
        count += clip->sdata.channels[k].key_count;
    }
    clip->sdata.key_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    return true;
}

typedef struct tolerance_search {
    t3dm_encoder *e;
    const t3dm_skin_samples *samples;
    t3dm_clip_builder *clip;
    tl_sdata_channel *best; /* channels of the widest tolerances that fit */
    double tolerance, error;
    bool fits; /* `best` is set */
} tolerance_search;

/* A rotation is never more than a quarter turn off: the sine of half of it is 0.7. */
static double channel_tolerance(const tolerance_search *s, const t3dm_curve *curve, double factor)
{
    const double per_unit = tl_t3dm_error_per_unit(s->samples, curve), most = curve->rotations ? 0.7 : 1e6;
    return per_unit > 0 ? fmin(most, factor * s->tolerance / per_unit) : most;
}

/* All channels with the tolerance times `factor`; 0: as good as Tiny3D's converter. False: no memory. */
static bool try_factor(tolerance_search *s, double factor, bool *fits)
{
    t3dm_clip_builder *clip = s->clip;
    double error;
    for (uint32_t k = 0; k < clip->sdata.channel_count; k++)
        clip->curves[k].tolerance = factor > 0 ? channel_tolerance(s, &clip->curves[k], factor) : 0;
    if (!make_all_keys(s->e, clip) || !tl_t3dm_clip_error(s->e, s->samples, clip, &error))
        return false;
    *fits = error <= s->tolerance;
    if (*fits)
        memcpy(s->best, clip->sdata.channels, clip->sdata.channel_count * sizeof *s->best);
    if (*fits || !s->fits)
        s->error = error;
    s->fits = s->fits || *fits;
    return true;
}

/* The largest factor that fits, to about a twentieth; 0: none does. */
static bool find_factor(tolerance_search *s, double *best)
{
    double good = 0, bad = 0;
    bool fits;
    for (double factor = 1; factor >= 1.0 / 64 && factor <= 64; factor *= fits ? 2 : 0.5) {
        if (!try_factor(s, factor, &fits))
            return false;
        good = fits ? factor : good;
        bad = fits ? bad : factor;
        if (good > 0 && bad > 0)
            break;
    }
    for (int i = 0; i < 4 && good > 0 && bad > 0; i++) {
        const double middle = sqrt(good * bad);
        if (!try_factor(s, middle, &fits))
            return false;
        good = fits ? middle : good;
        bad = fits ? bad : middle;
    }
    *best = good;
    return true;
}

/* False: no memory. */
static bool widen_single_channels(tolerance_search *s, double factor)
{
    t3dm_clip_builder *clip = s->clip;
    const uint32_t count = clip->sdata.channel_count;
    memcpy(clip->sdata.channels, s->best, count * sizeof *s->best);
    if ((double)count * count * clip->last_tick > TRIED_MOST)
        return true;
    for (uint32_t k = 0; k < count; k++) {
        t3dm_curve *curve = &clip->curves[k];
        tl_sdata_channel *channel = &clip->sdata.channels[k];
        for (double more = 4; more > 1; more /= 2) {
            const tl_sdata_channel before = *channel;
            double error = 0;
            curve->tolerance = channel_tolerance(s, curve, factor * more);
            if (!tl_t3dm_make_keys(s->e, curve, channel))
                return false;
            const bool fewer = channel->key_count < before.key_count;
            if (fewer && !tl_t3dm_clip_error(s->e, s->samples, clip, &error))
                return false;
            if (fewer && error <= s->tolerance) {
                s->error = error;
                break;
            }
            *channel = before;
        }
    }
    return true;
}

static bool search_tolerances(tolerance_search *s)
{
    t3dm_clip_builder *clip = s->clip;
    double factor;
    bool fits;
    s->best = tl_array_raw(s->e->arena, clip->sdata.channel_count, sizeof *s->best);
    if (!s->best || !find_factor(s, &factor) || (factor == 0 && !try_factor(s, 0, &fits)))
        return false;
    if (s->fits && !widen_single_channels(s, factor > 0 ? factor : FALLBACK_FACTOR))
        return false;
    clip->sdata.key_count = 0;
    for (uint32_t k = 0; k < clip->sdata.channel_count; k++)
        clip->sdata.key_count += clip->sdata.channels[k].key_count;
    return true;
}

bool tl_t3dm_fit_tolerance(t3dm_encoder *e, t3dm_clip_builder *clip, const t3dm_skin_samples *samples)
{
    const trilo_t3dm_write_opts *opts = e->opts->t3dm;
    tolerance_search s = {.e = e, .samples = samples, .clip = clip, .tolerance = opts->anim_error};
    if (!e->policy.has_tolerance || clip->last_tick > STREAM_TICKS_MOST)
        return make_all_keys(e, clip);
    if ((double)clip->last_tick * clip->sdata.channel_count > MEASURED_MOST) {
        tl_t3dm_report_loss(e, T3DM_R_KEYS_COARSE, "the clip is too long to be measured, so no bound holds");
        return make_all_keys(e, clip);
    }
    if (s.tolerance > 0) {
        if (!search_tolerances(&s))
            return false;
    } else { /* one tolerance for each kind of channel */
        for (uint32_t k = 0; k < clip->sdata.channel_count; k++) {
            t3dm_curve *curve = &clip->curves[k];
            curve->tolerance = curve->rotations ? tl_sin(fmin(opts->anim_turn, 180) * TL_PI / 360)
                               : curve->mapping.type == T3DM_TRANSLATION ? opts->anim_place
                                                                         : 0;
        }
        if (!make_all_keys(e, clip) || !tl_t3dm_clip_error(e, samples, clip, &s.error))
            return false;
    }
    tl_t3dm_report_loss(e, T3DM_R_KEYS, "%" PRIu32 " keys, with which no vertex is more than %.4g units off",
                        clip->sdata.key_count, s.error);
    if (s.tolerance > 0 && !s.fits)
        tl_t3dm_report_loss(e, T3DM_R_KEYS_COARSE,
                            "a vertex is %.4g units off, %.4g were asked for: T3DM stores rotations no finer", s.error,
                            s.tolerance);
    return true;
}
