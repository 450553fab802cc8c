/* playback_clock.h: the clock of a playback: speed, looping, end. */
#ifndef TL_ANIM_PLAYBACK_CLOCK_H
#define TL_ANIM_PLAYBACK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tl_clock {
    double duration, speed;
    double time;  /* from 0 to the duration */
    double shown; /* time of the pose: `time`, except that Tiny3D computes no pose at the end of a clip */
    bool tiny3d;  /* single precision, as in Tiny3D */
    bool once, paused, finished;
} tl_clock;

/* The result of advancing. */
typedef struct tl_clock_step {
    double from, to;
    uint32_t rounds; /* number of loops */
    bool moved, backwards, ended;
} tl_clock_step;

/* Returns 0 for a value that is not finite. */
double tl_clock_number(double value);
tl_clock_step tl_clock_advance(tl_clock *clock, double seconds);
void tl_clock_seek(tl_clock *clock, double seconds);

#endif
