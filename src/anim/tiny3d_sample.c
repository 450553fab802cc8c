#include "anim/tiny3d_sample.h"
#include "base/strict_float.h"

#include <math.h>
#include <string.h>

float tl_tiny3d_lerp(float a, float b, float amount)
{
    return a + (b - a) * amount;
}

void tl_tiny3d_nlerp(const float a[4], const float b[4], float amount, float value[4])
{
    float blended[4], of_a = 1.0f - amount;
    if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0f)
        of_a = -of_a;
    for (int i = 0; i < 4; i++)
        blended[i] = of_a * a[i] + amount * b[i];
    const float square =
        blended[0] * blended[0] + blended[1] * blended[1] + blended[2] * blended[2] + blended[3] * blended[3];
    const float scale = 1.0f / sqrtf(square);
    const bool normal = square > 0 && isfinite(square) && isfinite(scale);
    for (int i = 0; i < 4; i++)
        value[i] = normal ? blended[i] * scale : b[i];
}

void tl_tiny3d_between(const tl_tiny3d_span *span, trilo_target target, float seconds, float *value)
{
    const uint32_t width = trilo_target_width(target);
    const float length = span->end - span->start;
    const float amount = (seconds - span->start) / length;
    if (!(length > 0) || !isfinite(amount))
        memcpy(value, span->to, width * sizeof *value);
    else if (target == TRILO_TARGET_ROTATION)
        tl_tiny3d_nlerp(span->from, span->to, amount, value);
    else
        for (uint32_t i = 0; i < width; i++)
            value[i] = tl_tiny3d_lerp(span->from[i], span->to[i], amount);
}

void tl_tiny3d_sample(const trilo_channel *channel, const tl_tiny3d_times *times, float seconds, float *value)
{
    const uint32_t width = trilo_target_width(channel->target);
    /* The last key whose next_from has come. */
    uint32_t next = 0, high = channel->key_count;
    while (high - next > 1) {
        const uint32_t middle = next + (high - next) / 2;
        if (times->next_from[middle] <= seconds)
            next = middle;
        else
            high = middle;
    }
    if (next == 0) { /* the first key is held before its time */
        memcpy(value, channel->values, width * sizeof *value);
        return;
    }
    const float *to = channel->values + (size_t)next * width;
    const tl_tiny3d_span span = {times->at[next - 1], times->at[next], to - width, to};
    tl_tiny3d_between(&span, channel->target, seconds, value);
}
