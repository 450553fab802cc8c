/* The clock of a playback: every way to advance it, with the numbers worked out by hand. */
#include "anim/playback_clock.h"

#include "harness.h"

#include <math.h>

/* Of a clip of 2 seconds. */
typedef struct advance {
    double time, speed, seconds;
    bool once;
    double to;
    uint32_t rounds;
    bool backwards, ended;
} advance;

static void check_advance(const advance *a, double duration, bool tiny3d)
{
    tl_clock c = {.duration = duration, .speed = a->speed, .time = a->time, .shown = a->time, .tiny3d = tiny3d};
    c.once = a->once;
    const tl_clock_step step = tl_clock_advance(&c, a->seconds);
    CHECK_NEAR(step.from, a->time, 0);
    CHECK_NEAR(step.to, a->to, 0);
    CHECK_NEAR(c.time, a->to, 0);
    CHECK_NEAR(c.shown, tiny3d && a->ended ? a->time : a->to, 0); /* Tiny3D makes no pose at the end */
    CHECK_INT(step.rounds, a->rounds);
    CHECK_INT(step.moved, true);
    CHECK_INT(step.backwards, a->backwards);
    CHECK_INT(step.ended, a->ended);
    CHECK_INT(c.finished, a->ended);
}

TEST(a_step_of_any_kind)
{
    static const advance all[] = {
        {0.5, 1, 0.5, false, 1, 0, false, false},
        {0.5, 2, 0.25, false, 1, 0, false, false},
        {1.5, 1, 0.25, false, 1.75, 0, false, false},
        {1.5, 1, 0.5, false, 0, 1, false, false}, /* the end is the start of the next round */
        {1.5, 1, 0.5, true, 2, 0, false, true},
        {1.5, 1, 0.25, true, 1.75, 0, false, false},
        {0, 1, 9, false, 1, 4, false, false},
        {0, 1, 9, true, 2, 0, false, true},
        {0.5, -1, 0.25, false, 0.25, 0, true, false},
        {0.5, -1, 0.5, false, 0, 0, true, false}, /* backwards, the start belongs to the round */
        {0.5, -1, 0.5, true, 0, 0, true, true},
        {0.5, -1, 1, false, 1.5, 1, true, false},
        {0.5, -1, 1, true, 0, 0, true, true},
        {0.5, -1, 2.5, false, 0, 1, true, false},
        {0.5, -1, 2.75, false, 1.75, 2, true, false},
        {0.5, 1, -0.25, false, 0.25, 0, true, false}, /* time itself can go back */
        {0.5, -1, -0.25, false, 0.75, 0, false, false},
        {1, 1, 1e-20, false, 1, 0, false, false}, /* too little to change the time */
        {1, -1, 1e-20, false, 1, 0, true, false},
        {1, 1, -1e-20, false, 1, 0, true, false},
        {1, -1, -1e-20, false, 1, 0, false, false},
        {2, 1, 1e-20, true, 2, 0, false, true},
        {0, 1, 2 * 4294967294.0, false, 0, 4294967294, false, false},
        {0, 1, 2 * 4294967295.0, false, 0, 4294967295, false, false},
        {0, 1, 2 * 4294967296.0, false, 0, 4294967295, false, false}, /* more are not counted */
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_advance(&all[i], 2, false);
}

/* Tiny3D takes one round off, in single precision; all numbers here are exact in it. */
TEST(a_step_of_tiny3d)
{
    static const advance all[] = {
        {0.5, 1, 0.5, false, 1, 0, false, false},     {1.5, 1, 0.75, false, 0.25, 1, false, false},
        {1.5, 1, 2.5, false, 0, 2, false, false},     {1.5, 1, 5, false, 0.5, 3, false, false},
        {1.5, 1, 0.5, true, 2, 0, false, true},       {0.5, -1, 0.75, true, 0, 0, true, true},
        {0.5, -1, 0.75, false, 1.75, 1, true, false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_advance(&all[i], 2, true);
}

/* 0.1f is 13421773 * 2^-27 and 0.2f twice that: the exact sum, 40265319 * 2^-27, has 26 bits, and is rounded to
 * 10066330 * 2^-25. */
TEST(single_precision)
{
    tl_clock c = {.duration = 2, .speed = 1, .tiny3d = true};
    tl_clock_seek(&c, 0.1);
    CHECK_NEAR(c.time, 13421773 * 0x1p-27, 0);
    CHECK_NEAR(c.shown, 13421773 * 0x1p-27, 0);
    tl_clock_advance(&c, 0.2);
    CHECK_NEAR(c.time, 10066330 * 0x1p-25, 0);
    c = (tl_clock){.duration = 2, .speed = 0.1, .tiny3d = true}; /* 1 * 0.1f */
    tl_clock_advance(&c, 1);
    CHECK_NEAR(c.time, 13421773 * 0x1p-27, 0);
    c = (tl_clock){
        .duration = 2, .speed = -1, .tiny3d = true}; /* from 0 back by 0.1, which is 1.9 rounded to a float */
    tl_clock_advance(&c, 0.1);
    CHECK_NEAR(c.time, (double)(float)(2 - 13421773 * 0x1p-27), 0);
    c = (tl_clock){.duration = 2, .speed = 1};
    tl_clock_seek(&c, 0.1);
    CHECK_NEAR(c.time, 0.1, 0);
}

TEST(what_stands_still)
{
    static const struct {
        double seconds, speed;
        bool paused, finished;
    } all[] = {{1, 1, true, false},    {1, 1, false, true},         {0, 1, false, false},        {1, 0, false, false},
               {NAN, 1, false, false}, {INFINITY, 1, false, false}, {-INFINITY, 1, false, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tl_clock c = {.duration = 2, .speed = all[i].speed, .time = 0.5, .shown = 0.25};
        c.paused = all[i].paused;
        c.finished = all[i].finished;
        const tl_clock_step step = tl_clock_advance(&c, all[i].seconds);
        CHECK(!step.moved && !step.backwards && !step.ended && step.rounds == 0);
        CHECK(step.from == 0.5 && step.to == 0.5 && c.time == 0.5 && c.shown == 0.25);
        CHECK_INT(c.finished, all[i].finished);
    }
}

/* There is no round to go, and only a clip that plays once ends. */
TEST(a_clip_without_a_duration)
{
    for (int once = 0; once < 2; once++)
        for (int back = 0; back < 2; back++) {
            const advance a = {0, back ? -1 : 1, 1, once == 1, 0, 0, back == 1, once == 1};
            check_advance(&a, 0, false);
        }
}

TEST(seeking)
{
    static const double all[][2] = {{-1, 0}, {0, 0}, {0.5, 0.5}, {2, 2}, {2.5, 2}, {NAN, 0}, {INFINITY, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tl_clock c = {.duration = 2, .speed = 1, .time = 1, .shown = 1, .finished = true};
        tl_clock_seek(&c, all[i][0]);
        CHECK(c.time == all[i][1] && c.shown == all[i][1] && !c.finished);
    }
    CHECK(tl_clock_number(NAN) == 0 && tl_clock_number(-INFINITY) == 0 && tl_clock_number(-3.5) == -3.5);
}

TEST_MAIN(CASE(a_step_of_any_kind), CASE(a_step_of_tiny3d), CASE(single_precision), CASE(what_stands_still),
          CASE(a_clip_without_a_duration), CASE(seeking))
