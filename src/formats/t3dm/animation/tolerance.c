/* Tolerances of channels from one tolerance at the vertices, or from what Tiny3D's converter reaches.
 *
 * A first guess gives every channel the whole tolerance, divided by how far an error of 1 moves a vertex. Errors along
 * a chain of bones add up or cancel out, so the result is measured (error.c), and all tolerances are scaled by one
 * factor until it fits: doubled or halved, then bisected. Then each channel alone is tried with more, and keeps that
 * when the whole clip still fits.
 *
 * Without a tolerance, the keys of Tiny3D's converter are the measure. Each channel gets the fewest keys that are no
 * worse than those for itself (reduce.c), which mostly makes the whole clip no worse. Where errors add up along a chain
 * of bones, all get more keys, or some go back to the keys of Tiny3D's converter. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/trig.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { STREAM_TICKS_MOST = UINT16_MAX }; /* a longer clip will be refused */
/* Limits of the work for a clip, in channel values that are computed: for trying single channels, and for taking over
 * keys. */
static const double TRIED_MOST = 2e7, TAKEN_MOST = 4e6;
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
    bool *moved;            /* bones that a trial changes */
    bool *known;            /* bones whose error is at most `distance` */
    bool *above;            /* a bone and those that decide where it is */
    double tolerance;
    double distance; /* of a vertex with what was chosen, at worst */
    bool fits;       /* `best` is set */
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
    t3dm_clip_error error;
    for (uint32_t k = 0; k < clip->sdata.channel_count; k++)
        clip->curves[k].tolerance = factor > 0 ? channel_tolerance(s, &clip->curves[k], factor) : 0;
    if (!make_all_keys(s->e, clip) || !tl_t3dm_clip_error(s->e, s->samples, clip, NULL, &error))
        return false;
    *fits = error.distance <= s->tolerance;
    if (*fits)
        memcpy(s->best, clip->sdata.channels, clip->sdata.channel_count * sizeof *s->best);
    if (*fits || !s->fits)
        s->distance = error.distance;
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
            t3dm_clip_error error = {0};
            curve->tolerance = channel_tolerance(s, curve, factor * more);
            if (!tl_t3dm_make_keys(s->e, curve, channel))
                return false;
            const bool fewer = channel->key_count < before.key_count;
            if (fewer && !tl_t3dm_clip_error(s->e, s->samples, clip, NULL, &error))
                return false;
            if (fewer && error.distance <= s->tolerance) {
                s->distance = error.distance;
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

/* --- as good as Tiny3D's converter --- */

static uint32_t count_keys(const tl_sdata_channel *channels, uint32_t count)
{
    uint64_t keys = 0;
    for (uint32_t k = 0; k < count; k++)
        keys += channels[k].key_count;
    return keys < UINT32_MAX ? (uint32_t)keys : UINT32_MAX;
}

static uint32_t entry_of_curve(const t3dm_clip_builder *clip, uint32_t k)
{
    return tl_t3dm_find_clip_bone(clip, clip->curves[k].mapping.bone);
}

/* Measures some bones. Distances up to `ignored` need not be found. */
static bool measure_bones_beyond(tolerance_search *s, const bool *bones, double ignored, const t3dm_clip_error *limit,
                                 t3dm_clip_error *error)
{
    s->clip->measured = bones;
    s->clip->ignored = ignored;
    const bool ok = tl_t3dm_clip_error(s->e, s->samples, s->clip, limit, error);
    s->clip->measured = NULL;
    s->clip->ignored = 0;
    return ok;
}

/* True if the bone that was beyond the limit still is. Only the bones above it need keys for this test. */
static bool is_bone_still_beyond(tolerance_search *s, const t3dm_clip_error *limit, bool *beyond)
{
    t3dm_clip_builder *clip = s->clip;
    const uint32_t failing_bone = clip->failing_bone;
    t3dm_clip_error error;
    memset(s->above, 0, clip->bone_count * sizeof *s->above);
    memset(s->moved, 0, clip->bone_count * sizeof *s->moved);
    for (uint32_t b = failing_bone; b != TRILO_NONE; b = clip->parents[b])
        s->above[b] = true;
    for (uint32_t k = 0; k < clip->sdata.channel_count; k++)
        if (s->above[entry_of_curve(clip, k)] && !tl_t3dm_make_keys(s->e, &clip->curves[k], &clip->sdata.channels[k]))
            return false;
    s->moved[failing_bone] = true;
    const bool ok = measure_bones_beyond(s, s->moved, limit->distance, limit, &error);
    *beyond = ok && !tl_t3dm_error_within(&error, limit);
    return ok;
}

/* Makes the keys of all curves with a fraction of the error of Tiny3D's converter. *within: the clip is no worse. If it
 * was worse before, that bone is tested first: if it is still worse, no more keys are made. */
static bool try_fraction(tolerance_search *s, double fraction, const t3dm_clip_error *limit, bool *within)
{
    t3dm_clip_error error;
    bool beyond = false;
    for (uint32_t k = 0; k < s->clip->sdata.channel_count; k++) {
        s->clip->curves[k].tolerance = 0;
        s->clip->curves[k].fraction = fraction;
    }
    *within = false;
    if (s->clip->failing_bone != TRILO_NONE && !is_bone_still_beyond(s, limit, &beyond))
        return false;
    if (beyond)
        return true;
    if (!make_all_keys(s->e, s->clip) || !tl_t3dm_clip_error(s->e, s->samples, s->clip, limit, &error))
        return false;
    *within = tl_t3dm_error_within(&error, limit);
    s->distance = *within ? error.distance : s->distance;
    return true;
}

/* Takes over the keys of `fewer` for a block of channels if that keeps the clip within the limit. *worst is the entry
 * of the bone that is s->distance off. */
static bool try_fewer_keys(tolerance_search *s, const tl_sdata_channel *fewer, uint32_t first, uint32_t end,
                           const t3dm_clip_error *limit, uint32_t *worst)
{
    tl_sdata_channel *channels = s->clip->sdata.channels;
    const uint32_t bone_count = s->clip->bone_count, *parents = s->clip->parents;
    t3dm_clip_error error;
    memset(s->moved, 0, bone_count * sizeof *s->moved);
    for (uint32_t k = first; k < end; k++)
        if (fewer[k].key_count < channels[k].key_count) {
            channels[k] = fewer[k];
            s->moved[entry_of_curve(s->clip, k)] = true;
        }
    for (uint32_t b = 0; b < bone_count; b++) /* what is below a bone moves with it */
        s->moved[b] = s->moved[b] || (parents[b] != TRILO_NONE && s->moved[parents[b]]);
    const bool worst_moves = *worst != TRILO_NONE && s->moved[*worst];
    const double ignored = worst_moves ? 0 : s->distance;
    if (!measure_bones_beyond(s, s->moved, ignored, limit, &error))
        return false;
    if (!tl_t3dm_error_within(&error, limit)) {
        memcpy(channels + first, s->best + first, (end - first) * sizeof *channels);
        return true;
    }
    if (worst_moves || error.distance > s->distance) {
        s->distance = error.distance;
        *worst = error.bone != TRILO_NONE ? tl_t3dm_find_clip_bone(s->clip, error.bone) : TRILO_NONE;
    }
    for (uint32_t b = 0; b < bone_count; b++) /* the others may be further off than the worst of these */
        s->known[b] = s->moved[b] || (s->known[b] && !worst_moves);
    return true;
}

/* Takes over the keys of `fewer` in blocks of channels that keep the clip within the limit: blocks of half the clip,
 * then of half the size, down to single channels. */
static bool take_fewer_keys(tolerance_search *s, const tl_sdata_channel *fewer, const t3dm_clip_error *limit)
{
    const tl_sdata_channel *channels = s->clip->sdata.channels;
    const uint32_t count = s->clip->sdata.channel_count, bone_count = s->clip->bone_count;
    uint32_t worst = limit->bone != TRILO_NONE ? tl_t3dm_find_clip_bone(s->clip, limit->bone) : TRILO_NONE;
    double work = 0;
    for (uint32_t b = 0; b < bone_count; b++)
        s->known[b] = true;
    for (uint32_t size = (count + 1) / 2; size > 0; size = size > 1 ? (size + 1) / 2 : 0)
        for (uint32_t first = 0; first < count; first += size) {
            const uint32_t end = count - first < size ? count : first + size;
            bool differs = false;
            for (uint32_t k = first; k < end; k++) {
                s->best[k] = channels[k];
                differs = differs || fewer[k].key_count < channels[k].key_count;
            }
            work += differs ? (double)count * s->clip->last_tick : 0;
            if (differs && work <= TAKEN_MOST && !try_fewer_keys(s, fewer, first, end, limit, &worst))
                return false;
        }
    t3dm_clip_error error;
    bool all_known = true;
    for (uint32_t b = 0; b < bone_count; b++) {
        s->moved[b] = !s->known[b];
        all_known = all_known && s->known[b];
    }
    if (all_known)
        return true;
    if (!measure_bones_beyond(s, s->moved, s->distance, NULL, &error))
        return false;
    s->distance = fmax(s->distance, error.distance);
    return true;
}

/* Leaves out the static rotations, which are first. */
static void drop_static(t3dm_clip_builder *clip)
{
    clip->curves += clip->static_count;
    clip->sdata.channels += clip->static_count;
    clip->sdata.quat_count -= clip->static_count;
    clip->sdata.channel_count -= clip->static_count;
    clip->static_count = 0;
}

/* *tiny3d: the error and the number of keys of Tiny3D's converter. */
static bool match_tiny3d(tolerance_search *s, t3dm_clip_error *tiny3d, uint32_t *tiny3d_keys)
{
    static const double fractions[] = {1, 0.7, 0.5, 0.35};
    t3dm_clip_builder *clip = s->clip, all = *clip;
    const uint32_t count = clip->sdata.channel_count;
    tl_sdata_channel *theirs = tl_array_raw(s->e->arena, count, sizeof *theirs);
    tl_sdata_channel *fewer = tl_array_raw(s->e->arena, count, sizeof *fewer);
    bool within = false;
    s->best = tl_array_raw(s->e->arena, count, sizeof *s->best);
    s->moved = TL_ARRAY(s->e->arena, clip->bone_count, bool);
    s->known = TL_ARRAY(s->e->arena, clip->bone_count, bool);
    s->above = TL_ARRAY(s->e->arena, clip->bone_count, bool);
    if (!theirs || !fewer || !s->best || !s->moved || !s->known || !s->above || !tl_t3dm_keep_source_poses(s->e, clip))
        return false;
    all.source = clip->source;
    if (!tl_t3dm_find_tiny3d_keys(s->e, clip->curves, count))
        return false;
    for (uint32_t k = 0; k < count; k++)
        theirs[k] = clip->curves[k].tiny3d;
    memcpy(clip->sdata.channels, theirs, count * sizeof *theirs);
    *tiny3d_keys = count_keys(theirs, count);
    if (!tl_t3dm_clip_error(s->e, s->samples, clip, NULL, tiny3d))
        return false;
    s->distance = tiny3d->distance;
    drop_static(clip);
    for (size_t i = 0; i < TL_COUNT_OF(fractions) && !within; i++) {
        if (!try_fraction(s, fractions[i], tiny3d, &within))
            return false;
        if (i == 0)
            memcpy(fewer + all.static_count, clip->sdata.channels, clip->sdata.channel_count * sizeof *fewer);
        else /* the same accuracy is possible with fewer */
            within = within && clip->sdata.key_count <= *tiny3d_keys;
    }
    if (!within) {
        *clip = all;
        s->distance = tiny3d->distance;
        memcpy(clip->sdata.channels, theirs, count * sizeof *theirs);
        memcpy(fewer, theirs, all.static_count * sizeof *fewer);
        if (!take_fewer_keys(s, fewer, tiny3d))
            return false;
    }
    clip->sdata.key_count = count_keys(clip->sdata.channels, clip->sdata.channel_count);
    return true;
}

/* --- the choice --- */

/* One tolerance for each kind of channel. */
static bool fit_channels(tolerance_search *s)
{
    const trilo_t3dm_write_opts *opts = s->e->opts->t3dm;
    for (uint32_t k = 0; k < s->clip->sdata.channel_count; k++) {
        t3dm_curve *curve = &s->clip->curves[k];
        curve->tolerance = curve->rotations ? tl_sin(fmin(opts->anim_rotation_error, 180) * TL_PI / 360)
                           : curve->mapping.type == T3DM_TRANSLATION ? opts->anim_translation_error
                                                                     : 0;
    }
    t3dm_clip_error error;
    if (!make_all_keys(s->e, s->clip) || !tl_t3dm_clip_error(s->e, s->samples, s->clip, NULL, &error))
        return false;
    s->distance = error.distance;
    return true;
}

/* Reports a tolerance that changed nothing: there are as many keys as without it. */
static void report_idle_tolerance(t3dm_encoder *e, const t3dm_clip_builder *clip, uint32_t keys_without)
{
    bool fewest = true;
    if (clip->sdata.key_count != keys_without)
        return;
    for (uint32_t k = 0; k < clip->sdata.channel_count; k++)
        fewest = fewest && clip->sdata.channels[k].key_count <= 2;
    tl_t3dm_report_loss(e, T3DM_R_KEYS_SAME,
                        "the bound makes no difference, there are %" PRIu32 " keys without it, too: %s", keys_without,
                        fewest ? "each channel already has only its first and last key"
                               : "with one key less a vertex would be further off than it allows");
}

/* The keys of the source, as far as they are not on lines between others. */
static bool leave_unmeasured(t3dm_encoder *e, t3dm_clip_builder *clip)
{
    drop_static(clip);
    for (uint32_t k = 0; k < clip->sdata.channel_count; k++)
        clip->curves[k].unmeasured = true;
    tl_t3dm_report_loss(e, T3DM_R_KEYS_COARSE,
                        "the clips are too long to measure all of them, so no bound holds for this one");
    return make_all_keys(e, clip);
}

bool tl_t3dm_fit_tolerance(t3dm_encoder *e, t3dm_clip_builder *clip, const t3dm_skin_samples *samples)
{
    const trilo_t3dm_write_opts *opts = e->opts->t3dm;
    tolerance_search s = {.e = e, .samples = samples, .clip = clip, .tolerance = opts->anim_error};
    t3dm_clip_error tiny3d = {0};
    uint32_t tiny3d_keys = 0, keys_without;
    if (e->policy.keep_keys || clip->last_tick > STREAM_TICKS_MOST || clip->sdata.channel_count == 0) {
        drop_static(clip);
        return make_all_keys(e, clip);
    }
    if (!tl_t3dm_list_clip_bones(e, clip))
        return false;
    const uint32_t moving = clip->bone_count > clip->sdata.channel_count ? clip->bone_count : clip->sdata.channel_count;
    const double ticks = (double)clip->last_tick * moving;
    if (ticks > e->measured_left)
        return leave_unmeasured(e, clip);
    e->measured_left -= ticks;
    if (!(s.tolerance > 0))
        s.tolerance = opts->anim_error_percent / 100 * tl_t3dm_model_size(samples);
    if (!match_tiny3d(&s, &tiny3d, &tiny3d_keys))
        return false;
    if (!e->policy.has_tolerance) {
        if (clip->sdata.key_count < tiny3d_keys)
            tl_t3dm_report_loss(e, T3DM_R_KEYS,
                                "%" PRIu32 " keys, with which no vertex is more than %.4g units off; Tiny3D's "
                                "converter would write %" PRIu32 ", with %.4g",
                                clip->sdata.key_count, s.distance, tiny3d_keys, tiny3d.distance);
        return true;
    }
    keys_without = clip->sdata.key_count;
    if (e->policy.keeps_without) {
        keys_without = 0;
        for (uint32_t k = 0; k < clip->sdata.channel_count; k++)
            keys_without += clip->curves[k].count;
    }
    drop_static(clip);
    if (!(s.tolerance > 0 ? search_tolerances(&s) : fit_channels(&s)))
        return false;
    tl_t3dm_report_loss(e, T3DM_R_KEYS, "%" PRIu32 " keys, with which no vertex is more than %.4g units off",
                        clip->sdata.key_count, s.distance);
    if (s.tolerance > 0 && !s.fits)
        tl_t3dm_report_loss(e, T3DM_R_KEYS_COARSE,
                            "a vertex is %.4g units off, %.4g were requested: T3DM stores rotations no finer",
                            s.distance, s.tolerance);
    else
        report_idle_tolerance(e, clip, keys_without);
    return true;
}
