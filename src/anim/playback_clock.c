#include "anim/playback_clock.h"
#include "base/strict_float.h"

#include <math.h>

double tl_clock_number(double value)
{
    return isfinite(value) ? value : 0;
}

void tl_clock_seek(tl_clock *clock, double seconds)
{
    const double time = tl_clock_number(seconds);
    clock->time = time > 0 ? time < clock->duration ? time : clock->duration : 0;
    if (clock->tiny3d)
        clock->time = (float)clock->time;
    clock->shown = clock->time;
    clock->finished = false;
}

static double advanced_time(const tl_clock *clock, double seconds)
{
    const double to = clock->tiny3d ? (float)clock->time + (float)seconds * (float)clock->speed
                                    : clock->time + seconds * clock->speed;
    return tl_clock_number(to);
}

/* Back into the clip. Tiny3D subtracts one duration; further rounds are cut off at once. */
static double wrap_time(const tl_clock *clock, double time, uint32_t *rounds)
{
    const double most = UINT32_MAX, whole = time < 0 ? ceil(-time / clock->duration) : floor(time / clock->duration);
    *rounds = whole < most ? (uint32_t)whole : UINT32_MAX;
    if (clock->tiny3d && time >= 0) {
        const float less = (float)time - (float)clock->duration;
        return less < (float)clock->duration ? less : fmodf(less, (float)clock->duration);
    }
    const double rest = fmod(time, clock->duration), into = rest < 0 ? rest + clock->duration : rest;
    return clock->tiny3d ? (float)into : into;
}

tl_clock_step tl_clock_advance(tl_clock *clock, double seconds)
{
    tl_clock_step step = {.from = clock->time, .to = clock->time};
    const double to = advanced_time(clock, tl_clock_number(seconds));
    if (clock->paused || clock->finished || seconds == 0 || clock->speed == 0 || !isfinite(seconds))
        return step;
    step.moved = true;
    step.backwards = to < clock->time || (to == clock->time && (seconds < 0) != (clock->speed < 0));
    const bool out = step.backwards ? to < 0 || (clock->once && to <= 0) : to >= clock->duration;
    if (out && (clock->once || !(clock->duration > 0))) {
        clock->time = step.to = step.backwards ? 0 : clock->duration;
        clock->finished = step.ended = true;
        if (!clock->tiny3d) /* Tiny3D stops before it makes another pose */
            clock->shown = clock->time;
        if (!clock->once) /* a clip without a duration does not end */
            clock->finished = step.ended = false;
        return step;
    }
    clock->time = out ? wrap_time(clock, to, &step.rounds) : to;
    clock->shown = step.to = clock->time;
    return step;
}
