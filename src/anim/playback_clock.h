/* playback_clock.h: the time of something that plays. */
#ifndef TL_ANIM_PLAYBACK_CLOCK_H
#define TL_ANIM_PLAYBACK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tl_clock {
    double duration, speed;
    double time;  /* from 0 to the duration */
    double shown; /* the moment that the pose shows: `time`, but for what ended on the console */
    bool exact;   /* counts in single precision, as the console does */
    bool once, paused, finished;
} tl_clock;

/* What a step of time did. */
typedef struct tl_clock_step {
    double from, to;
    uint32_t rounds; /* how often it began again */
    bool moved, backwards, ended;
} tl_clock_step;

/* What is not finite counts as 0. */
double tl_clock_number(double value);
tl_clock_step tl_clock_advance(tl_clock *clock, double seconds);
void tl_clock_seek(tl_clock *clock, double seconds);

#endif
