/* Animations: their times and where their vertices are. */
#include "base/strict_float.h"
#include "formats/model64/model64.h"

#include <inttypes.h>
#include <math.h>

/* --- times --- */

/* What an animation can have many of. */
enum {
    MODEL64_FRAME_NANS,
    MODEL64_FRAME_FALLING,
    MODEL64_FRAME_EQUAL,
    MODEL64_FRAME_OUTSIDE,
    MODEL64_FRAME_UNALIGNED,
    MODEL64_FRAME_INVERSES,
    MODEL64_FRAME_REMARK_KINDS
};

static const struct {
    enum model64_rule_id rule;
    const char *field, *text;
} model64_frame_remarks[MODEL64_FRAME_REMARK_KINDS] = {
    [MODEL64_FRAME_NANS] = {MODEL64_R_NAN, "time", "the time or its inverse is infinite or NaN"},
    [MODEL64_FRAME_FALLING] = {MODEL64_R_TIME, "time", "the frame starts before the previous one"},
    [MODEL64_FRAME_EQUAL] = {MODEL64_R_TIME_EQUAL, "time", "the frame starts at the same time as the previous one"},
    [MODEL64_FRAME_OUTSIDE] = {MODEL64_R_FRAME_BLOCK, "vertices", "its vertices reach out of the vertex section"},
    [MODEL64_FRAME_UNALIGNED] = {MODEL64_R_ALIGN, "vertices", "its vertices are not at a multiple of 16"},
    [MODEL64_FRAME_INVERSES] = {MODEL64_R_INV_DT, "inv_dt",
                                "must be 1 over the time to the next frame, 0 where that is below 0.001"},
};

typedef struct model64_frame_tally {
    uint32_t count, first;
} model64_frame_tally;

static void model64_frame_note(model64_frame_tally *s, uint32_t frame)
{
    if (s->count++ == 0)
        s->first = frame;
}

/* Near the time step below which the inverse is 0, both are right. */
static bool model64_frame_inverse_right(double dt, double inverse)
{
    return (dt < 0.0015 && inverse == 0) || (dt > 0.0005 && fabs(inverse * dt - 1) < 0.001);
}

/* `before` and `next` are NULL at the ends. */
static void model64_frame_inspect(const model64_file *file, const model64_animation *a, uint32_t i,
                                  const model64_frame *before, const model64_frame *frame, const model64_frame *next,
                                  model64_frame_tally seen[MODEL64_FRAME_REMARK_KINDS])
{
    const float end = next ? next->time : a->head.duration;
    const bool finite = tl_is_finite(frame->time) && tl_is_finite(frame->inv_dt);
    if (!finite)
        model64_frame_note(&seen[MODEL64_FRAME_NANS], i);
    if (before && before->time > frame->time)
        model64_frame_note(&seen[MODEL64_FRAME_FALLING], i);
    else if (before && before->time == frame->time)
        model64_frame_note(&seen[MODEL64_FRAME_EQUAL], i);
    if (!tl_model64_block(file, frame))
        model64_frame_note(&seen[MODEL64_FRAME_OUTSIDE], i);
    else if (frame->vertices % MODEL64_ALIGN != 0)
        model64_frame_note(&seen[MODEL64_FRAME_UNALIGNED], i);
    if (finite && tl_is_finite(end) && !model64_frame_inverse_right((double)end - frame->time, frame->inv_dt))
        model64_frame_note(&seen[MODEL64_FRAME_INVERSES], i);
}

static void model64_check_frames(const model64_file *file, const model64_animation *a, tl_report *report)
{
    const uint32_t count = (uint32_t)a->head.frame_count;
    model64_frame_tally seen[MODEL64_FRAME_REMARK_KINDS] = {{0}};
    model64_frame before, frame = model64_frame_at(a, 0), next;
    for (uint32_t i = 0; i < count; i++) {
        const bool last = i + 1 == count;
        if (!last)
            next = model64_frame_at(a, i + 1);
        model64_frame_inspect(file, a, i, i > 0 ? &before : NULL, &frame, last ? NULL : &next, seen);
        before = frame;
        frame = last ? frame : next;
    }
    for (int kind = 0; kind < MODEL64_FRAME_REMARK_KINDS; kind++)
        if (seen[kind].count > 0 && (!report->errors_only || model64_rule(model64_frame_remarks[kind].rule)->severity >=
                                                                 TRILO_SEVERITY_ERROR)) {
            const model64_frame_tally *s = &seen[kind];
            const uint64_t at =
                model64_offset(file, a->frames) +
                s->first * (uint64_t)tl_layout_size(&tl_model64_frame, TL_UNVERSIONED) +
                tl_layout_field(&tl_model64_frame, TL_UNVERSIONED, model64_frame_remarks[kind].field)->at;
            tl_path_push(&report->path, "frames", s->first);
            tl_path_push(&report->path, model64_frame_remarks[kind].field, TL_NO_INDEX);
            if (s->count > 1)
                tl_report_finding(report, model64_rule(model64_frame_remarks[kind].rule), at,
                                  "%s (the first of %" PRIu32 ")", model64_frame_remarks[kind].text, s->count);
            else
                tl_report_finding(report, model64_rule(model64_frame_remarks[kind].rule), at, "%s",
                                  model64_frame_remarks[kind].text);
            tl_path_pop(&report->path);
            tl_path_pop(&report->path);
        }
}

static void model64_check_one_animation(const model64_file *file, uint32_t i, tl_report *report)
{
    const model64_animation *a = &file->animations[i];
    const uint64_t at = model64_animation_at(file, i);
    if (!tl_is_finite(a->head.duration))
        tl_report_finding(report, model64_rule(MODEL64_R_NAN),
                          at + tl_layout_field(&tl_model64_animation, TL_UNVERSIONED, "duration")->at,
                          "the duration is infinite or NaN");
    if (a->head.frame_count > 0)
        model64_check_frames(file, a, report);
    if (report->errors_only)
        return;
    if (a->head.frame_count == 0)
        tl_report_finding(report, model64_rule(MODEL64_R_NO_FRAMES), at, "the animation has no frames");
    else {
        const uint64_t duration_at = at + tl_layout_field(&tl_model64_animation, TL_UNVERSIONED, "duration")->at;
        const float first = model64_frame_at(a, 0).time;
        const float last = model64_frame_at(a, (uint32_t)a->head.frame_count - 1).time;
        const float duration = a->head.duration;
        char length[32], start[32];
        trilo_float_print(duration, length);
        trilo_float_print(last, start);
        if (tl_is_finite(first) && first != 0)
            tl_report_finding(report, model64_rule(MODEL64_R_FIRST_TIME), model64_offset(file, a->frames),
                              "the first frame must start at 0");
        if (tl_is_finite(duration) && tl_is_finite(last) && (duration < last || duration <= 0))
            tl_report_finding(report, model64_rule(MODEL64_R_DURATION), duration_at,
                              "the duration is %s, the last frame starts at %s", length, start);
    }
    if (a->head.frame_count > 0 && a->head.frames % sizeof(uint32_t) != 0)
        tl_report_finding(report, model64_rule(MODEL64_R_ALIGN),
                          at + tl_layout_field(&tl_model64_animation, TL_UNVERSIONED, "frames_at")->at,
                          "the frames are at %" PRIu32 ", must be a multiple of 4", a->head.frames);
}

void tl_model64_check_animation(const model64_file *file, tl_report *report)
{
    for (uint32_t i = 0; i < (uint32_t)file->head.animation_count; i++) {
        tl_path_push(&report->path, "animations", i);
        model64_check_one_animation(file, i, report);
        tl_path_pop(&report->path);
    }
}
