/* When a clip is sampled, and which times are written.
 *
 * A clip that has only frames of vertices keeps them. One that moves nodes is sampled evenly, both ends included. */
#include "base/strict_float.h"
#include "formats/model64/encode/encode.h"

#include "base/sort.h"
#include <float.h>
#include <inttypes.h>
#include <string.h>

enum { MODEL64_CLIP_FPS_USUAL = 24, MODEL64_CLIP_FPS_MOST = 60, MODEL64_CLIP_FRAMES_MOST = 4096 };

static const double model64_shortest_gap = 0.001; /* a gap below has no inverse */

static float model64_to_float(double value)
{
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : (float)value;
}

static bool model64_clip_alloc(model64_encoder *e, model64_motion *motion, size_t count)
{
    motion->seconds = TL_ARRAY(e->arena, count, double);
    motion->times = TL_ARRAY(e->arena, count, float);
    return motion->seconds && motion->times;
}

/* --- the clip's own frames --- */

/* Doubles in the order of their bits, which is the order of their values. */
static int64_t model64_clip_time_key(const void *times, uint32_t row)
{
    int64_t bits;
    memcpy(&bits, (const double *)times + row, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static bool model64_clip_frame_times(model64_encoder *e, const trilo_clip *clip, double **times, uint32_t *count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < clip->track_count; i++)
        total += clip->tracks[i].frame_count;
    if (total > INT32_MAX)
        return tl_model64_encode_fail(e, MODEL64_R_TOO_LARGE, "%" PRIu64 " frames are more than an animation can have",
                                      total);
    *times = TL_ARRAY(e->arena, (size_t)total, double);
    *count = 0;
    for (uint32_t i = 0; *times && i < clip->track_count; i++)
        for (uint32_t k = 0; k < clip->tracks[i].frame_count; k++)
            (*times)[(*count)++] = clip->tracks[i].frames[k].time;
    return *times != NULL;
}

/* Frames of different meshes that differ by less than rounding, or not at all once they are written, are one frame. It
 * starts with the first of them and shows what the last one brings. */
static void model64_clip_add_frame(model64_motion *motion, double seconds, double unit)
{
    const float time = model64_to_float(seconds / unit);
    const uint32_t n = motion->frame_count;
    const bool same = n > 0 && (seconds - motion->seconds[n - 1] <= 1e-9 || time <= motion->times[n - 1]);
    if (!same)
        motion->times[motion->frame_count++] = time;
    motion->seconds[motion->frame_count - 1] = seconds;
}

/* A clip without a track becomes one frame. */
static bool model64_clip_keep_frames(model64_encoder *e, const trilo_clip *clip, model64_motion *motion)
{
    double *times = NULL;
    uint32_t count = 0;
    if (!model64_clip_frame_times(e, clip, &times, &count) || !model64_clip_alloc(e, motion, count > 0 ? count : 1))
        return false;
    uint32_t *order = TL_ARRAY(e->arena, count, uint32_t);
    if (!order)
        return false;
    tl_sort_rows(order, count, model64_clip_time_key, times);
    if (count > 0 && times[order[count - 1]] > motion->length)
        motion->length = times[order[count - 1]]; /* frames after the end of the clip */
    const double unit = e->fractions && motion->length > 0 ? motion->length : 1;
    for (uint32_t i = 0; i < count; i++)
        model64_clip_add_frame(motion, times[order[i]], unit);
    if (count == 0)
        model64_clip_add_frame(motion, 0, unit);
    return true;
}

/* --- frames made from a clip that moves nodes --- */

static bool model64_clip_sample_frames(model64_encoder *e, const trilo_clip *clip, model64_motion *motion)
{
    const bool own_rate = clip->rate > 0 && clip->rate <= MODEL64_CLIP_FPS_MOST;
    const double length = motion->length;
    const double fps = e->opts->fps > 0 ? e->opts->fps : own_rate ? clip->rate : MODEL64_CLIP_FPS_USUAL;
    const double count = tl_model64_round(length * fps) + 1;
    if (!(count <= MODEL64_CLIP_FRAMES_MOST))
        return tl_model64_encode_fail(
            e, MODEL64_R_TOO_LARGE,
            "%.6g seconds at %.6g frames a second are %.6g frames, %d at most are made; ask for fewer a second", length,
            fps, count, MODEL64_CLIP_FRAMES_MOST);
    if (!model64_clip_alloc(e, motion, (size_t)count))
        return false;
    motion->baked = true;
    motion->frame_count = (uint32_t)count;
    const double gaps = motion->frame_count > 1 ? motion->frame_count - 1.0 : 1;
    for (uint32_t i = 0; i < motion->frame_count; i++) {
        motion->seconds[i] = i * length / gaps;
        motion->times[i] = model64_to_float(e->fractions ? i / gaps : motion->seconds[i]);
    }
    tl_model64_report_loss(e, MODEL64_R_BAKED, "%" PRIu32 " frames of vertices were made, %.6g a second",
                           motion->frame_count, fps);
    return true;
}

/* --- all of them --- */

static bool model64_clip_plan(model64_encoder *e, const trilo_clip *clip, model64_motion *motion)
{
    const bool own = clip->channel_count == 0 && e->opts->fps == 0;
    motion->length = clip->duration > 0 && clip->duration <= FLT_MAX ? clip->duration : 0;
    motion->duration = e->fractions ? 1 : (float)motion->length;
    if (!(own ? model64_clip_keep_frames(e, clip, motion) : model64_clip_sample_frames(e, clip, motion)))
        return false;
    if (e->fractions && motion->length > 0 && motion->length != 1)
        tl_model64_report_loss(e, MODEL64_R_TIMES,
                               "times are fractions of the clip's %.6g seconds: play it at %.6g units a second",
                               motion->length, 1 / motion->length);
    return true;
}

bool tl_model64_plan_clips(model64_encoder *e)
{
    const uint32_t count = e->model->clip_count;
    uint64_t poses = 1;
    e->motions = TL_ARRAY(e->arena, count, model64_motion);
    for (uint32_t i = 0; e->motions && i < count; i++) {
        tl_path_push(&e->losses->path, "clips", i);
        const bool ok = model64_clip_plan(e, &e->model->clips[i], &e->motions[i]);
        tl_path_pop(&e->losses->path);
        if (!ok)
            return false;
        e->motions[i].first_pose = (uint32_t)poses;
        poses += e->motions[i].frame_count;
        if (poses > INT32_MAX)
            return tl_model64_encode_fail(e, MODEL64_R_TOO_LARGE, "the clips have more than %d frames together",
                                          INT32_MAX);
    }
    e->pose_count = (uint32_t)poses;
    return e->motions != NULL;
}

/* In 32 bits throughout, as the known exporter computes it. */
float tl_model64_inverse(const model64_motion *motion, uint32_t i)
{
    const float next = i + 1 < motion->frame_count ? motion->times[i + 1] : motion->duration;
    const float gap = next - motion->times[i];
    return gap < model64_shortest_gap ? 0 : 1 / gap;
}
