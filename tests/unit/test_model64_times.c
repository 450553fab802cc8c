/* What the check of a Model file says about animations, against a plain check of random ones: times, inverses, where
 * their vertices are. */
#include "base/bytes.h"
#include "formats/model64/model64.h"
#include "harness.h"
#include "support/findings.h"
#include "support/numbers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the file: the main section at 32 begins with 28 bytes, animations of 12 and frames of 12 follow. */
enum { MAIN = 32, HEAD = 28, RECORD = 12, ANIMATIONS = 2, FRAMES = 5, SECTION = 160, BLOCK = 48 };
enum { FRAMES_AT = MAIN + HEAD + ANIMATIONS * RECORD, FILE_SIZE = FRAMES_AT + ANIMATIONS * FRAMES * RECORD };

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

static void put_float(uint8_t *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    tl_put_u32(to, TL_BIG, bits);
}

typedef struct frame {
    float time, inverse;
    uint32_t vertices;
} frame;

static void tell(listener *l, const char *rule, const char *path, uint64_t at, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void tell(listener *l, const char *rule, const char *path, uint64_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    snprintf(l->rules[l->count], sizeof l->rules[0], "%s", rule);
    snprintf(l->paths[l->count], sizeof l->paths[0], "%s", path);
    vsnprintf(l->texts[l->count], sizeof l->texts[0], format, args);
    l->offsets[l->count++] = at;
    va_end(args);
}

static bool is_finite(float x)
{
    return x - x == 0;
}

static bool breaks(int kind, const frame *frames, int i, int count, float duration)
{
    const frame *f = &frames[i];
    const float end = i + 1 < count ? frames[i + 1].time : duration;
    const double gap = (double)end - (double)f->time, product = (double)f->inverse * gap;
    switch (kind) {
    case 0:
        return !is_finite(f->time) || !is_finite(f->inverse);
    case 1:
        return i > 0 && frames[i - 1].time > f->time;
    case 2:
        return i > 0 && frames[i - 1].time == f->time;
    case 3:
        return f->vertices + (uint64_t)BLOCK > SECTION;
    case 4:
        return f->vertices + (uint64_t)BLOCK <= SECTION && f->vertices % 16 != 0;
    default:
        if (!is_finite(f->time) || !is_finite(f->inverse) || !is_finite(end))
            return false;
        /* 0 where the time is below 0.001, with some tolerance; otherwise the inverse to a thousandth. */
        return !(gap < 0.0015 && f->inverse == 0) && !(gap > 0.0005 && product > 0.999 && product < 1.001);
    }
}

static void check_plainly(int number, const frame *frames, int count, float duration, uint32_t frames_at,
                          bool errors_only, listener *l)
{
    static const struct {
        const char *rule, *field, *text;
        int at;
        bool error;
    } kinds[] = {
        {"M64-NAN", "time", "the time or its inverse is infinite or NaN", 0, true},
        {"M64-TIME", "time", "the frame starts before the previous one", 0, true},
        {"M64-TIME-EQUAL", "time", "the frame starts at the same time as the previous one", 0, false},
        {"M64-FRAME-BLOCK", "vertices", "its vertices reach out of the vertex section", 8, true},
        {"M64-ALIGN", "vertices", "its vertices are not at a multiple of 16", 8, false},
        {"M64-INV-DT", "inv_dt", "must be 1 over the time to the next frame, 0 where that is below 0.001", 4, false}};
    const uint64_t at = MAIN + HEAD + (uint64_t)RECORD * (uint64_t)number,
                   first = FRAMES_AT + (uint64_t)(RECORD * FRAMES * number);
    char path[64];
    snprintf(path, sizeof path, "animations[%d]", number);
    if (!is_finite(duration))
        tell(l, "M64-NAN", path, at, "the duration is infinite or NaN");
    for (int kind = 0; kind < 6; kind++) {
        int found = 0, which = 0;
        char more[40] = "", where[96];
        for (int i = count; i-- > 0;)
            if (breaks(kind, frames, i, count, duration))
                found++, which = i;
        if (found == 0 || (errors_only && !kinds[kind].error))
            continue;
        if (found > 1)
            snprintf(more, sizeof more, " (the first of %d)", found);
        snprintf(where, sizeof where, "animations[%d].frames[%d].%s", number, which, kinds[kind].field);
        tell(l, kinds[kind].rule, where, first + (uint64_t)(RECORD * which + kinds[kind].at), "%s%s", kinds[kind].text,
             more);
    }
    if (errors_only)
        return;
    if (count == 0) {
        tell(l, "M64-NO-FRAMES", path, at, "the animation has no frames");
        return;
    }
    const float last = frames[count - 1].time;
    char length[32], start[32];
    trilo_float_print(duration, length);
    trilo_float_print(last, start);
    if (is_finite(frames[0].time) && frames[0].time != 0)
        tell(l, "M64-FIRST-TIME", path, first, "the first frame must start at 0");
    if (is_finite(duration) && is_finite(last) && (duration < last || duration <= 0))
        tell(l, "M64-DURATION", path, at, "the duration is %s, the last frame starts at %s", length, start);
    if (frames_at % 4 != 0)
        tell(l, "M64-ALIGN", path, at + 8, "the frames are at %u, must be a multiple of 4", (unsigned)frames_at);
}

/* Mostly right, with one number that is not. */
static void make_frames(uint64_t *dice, frame *frames, int count, float *duration)
{
    static const float gaps[] = {0.25f, 0.5f, 1, 0.0004f, 0.0006f, 0.001f, 0.0014f, 0.0016f, 0};
    static const float odd[] = {0, -1, 1, INFINITY, NAN, 0.5f, 1e-3f};
    static const uint32_t places[] = {0, 16, 112, 113, 8, 128, 0xFFFFFFF0};
    float time = 0;
    for (int i = 0; i < count; i++) {
        const float gap = gaps[below(dice, below(dice, 2) == 0 ? 3 : 9)];
        const double real = (double)(time + gap) - (double)time;
        const float off = below(dice, 4) == 0 ? 1 + 0.0005f * (float)below(dice, 5) - 0.001f : 1;
        frames[i] = (frame){time, real < 0.001 ? 0 : (float)(1 / real) * off, places[below(dice, 3)]};
        if (real > 0 && below(dice, 4) == 0)
            frames[i].inverse = below(dice, 2) == 0 ? 0 : (float)(1 / real);
        time += gap;
    }
    *duration = time;
    if (count > 0 && below(dice, 3) == 0)
        frames[below(dice, (uint32_t)count)].time = odd[below(dice, 7)];
    if (count > 0 && below(dice, 3) == 0)
        frames[below(dice, (uint32_t)count)].inverse = odd[below(dice, 7)];
    if (count > 0 && below(dice, 3) == 0)
        frames[below(dice, (uint32_t)count)].vertices = places[below(dice, 7)];
    if (below(dice, 4) == 0)
        *duration = odd[below(dice, 7)];
}

TEST(animations_at_random)
{
    static const uint8_t vertices[SECTION];
    uint64_t dice = 9;
    uint32_t findings = 0;
    for (uint32_t round = 0; round < test_rounds(20000, TEST_SLOW ? 200 : 1500); round++) {
        uint8_t bytes[FILE_SIZE] = {0};
        model64_animation animations[ANIMATIONS];
        listener want = {.count = 0}, got = {.count = 0};
        const bool errors_only = round % 4 == 3;
        for (int a = 0; a < ANIMATIONS; a++) {
            frame frames[FRAMES];
            float duration;
            const int count = (int)below(&dice, FRAMES + 1);
            const uint32_t at = 52 + below(&dice, 6) / 5;
            make_frames(&dice, frames, count, &duration);
            uint8_t *to = bytes + FRAMES_AT + RECORD * FRAMES * a;
            for (int i = 0; i < count; i++) {
                put_float(to + RECORD * i, frames[i].time);
                put_float(to + RECORD * i + 4, frames[i].inverse);
                tl_put_u32(to + RECORD * i + 8, TL_BIG, frames[i].vertices);
            }
            animations[a] = (model64_animation){.head = {duration, count, at}, .frames = to};
            check_plainly(a, frames, count, duration, at, errors_only, &want);
        }
        const model64_file file = {.bytes = {bytes, sizeof bytes},
                                   .header.main_at = MAIN,
                                   .vertices = {vertices, sizeof vertices},
                                   .head.frame_size = BLOCK,
                                   .head.animation_count = ANIMATIONS,
                                   .animations = animations};
        tl_report report = {.fn = listen, .user = &got, .errors_only = errors_only};
        tl_model64_check_animation(&file, &report);
        for (size_t i = 0; i < got.count && i < want.count; i++) {
            CHECK_STR(got.rules[i], want.rules[i]);
            CHECK_STR(got.paths[i], want.paths[i]);
            CHECK_STR(got.texts[i], want.texts[i]);
            CHECK_INT(got.offsets[i], want.offsets[i]);
        }
        CHECK_INT(got.count, want.count);
        findings += (uint32_t)want.count;
    }
    CHECK(findings > 200);
}

TEST_MAIN(CASE(animations_at_random))
