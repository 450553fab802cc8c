#include "support/console.h"

#include <math.h>
#include <string.h>

static uint32_t u16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t u32(const uint8_t *p)
{
    return u16(p) << 16 | u16(p + 2);
}

static float f32(const uint8_t *p)
{
    const uint32_t bits = u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The number-th chunk with that letter; the table begins at 0x2C. */
static const uint8_t *chunk(const uint8_t *file, char letter, uint32_t number)
{
    for (uint32_t i = 0; i < u32(file + 4); i++)
        if (file[0x2C + 4 * i] == (uint8_t)letter && number-- == 0)
            return file + (u32(file + 0x2C + 4 * i) & 0xFFFFFF);
    return NULL;
}

static void rewind_stream(console *c)
{
    c->at = 0;
    c->key_size = 8;
    for (uint32_t i = 0; i < c->channel_count; i++)
        c->channels[i].end = 0;
}

bool console_open(console *c, const uint8_t *file, uint32_t clip, const uint8_t *stream, size_t stream_size)
{
    const uint8_t *skeleton = chunk(file, 'S', 0);
    memset(c, 0, sizeof *c);
    c->animation = chunk(file, 'A', clip);
    if (!c->animation || !skeleton)
        return false;
    c->stream = stream;
    c->stream_size = stream_size;
    c->duration = f32(c->animation + 4);
    c->rotations = u16(c->animation + 12);
    c->channel_count = c->rotations + u16(c->animation + 14);
    c->bone_count = u16(skeleton);
    if (c->bone_count > CONSOLE_BONES || c->channel_count > CONSOLE_CHANNELS)
        return false;
    for (uint32_t i = 0; i < c->bone_count; i++) {
        float values[10];
        for (int k = 0; k < 10; k++)
            values[k] = f32(skeleton + 4 + 0x30 * i + 8 + 4 * k);
        memcpy(&c->bones[i], values, sizeof values); /* scale, rotation, position */
    }
    rewind_stream(c);
    return true;
}

static const uint8_t *mapping(const console *c, uint32_t channel)
{
    return c->animation + 0x14 + 12 * channel;
}

static void unpack_rotation(uint32_t bits, float q[4])
{
    const unsigned largest = bits >> 30;
    const float a = (float)(bits >> 20 & 1023) / 1023.0f * 1.41421356236f - 0.70710678118f;
    const float b = (float)(bits >> 10 & 1023) / 1023.0f * 1.41421356236f - 0.70710678118f;
    const float d = (float)(bits & 1023) / 1023.0f * 1.41421356236f - 0.70710678118f;
    q[(largest + 1) & 3] = a;
    q[(largest + 2) & 3] = b;
    q[(largest + 3) & 3] = d;
    q[largest] = sqrtf(1.0f - a * a - b * b - d * d);
}

static bool read_key(console *c)
{
    if (c->at + c->key_size > c->stream_size)
        return false;
    const uint8_t *p = c->stream + c->at;
    const uint32_t number = u16(p + 2), ticks = u16(p) & 0x7FFF;
    console_channel *channel = &c->channels[number];
    c->at += c->key_size;
    c->key_size = u16(p) & 0x8000 ? 8 : 6;
    channel->start = channel->end;
    channel->end += (float)ticks * (1.0f / 60.0f);
    if (ticks == 0)
        channel->start -= 1e-5f;
    memcpy(channel->from, channel->to, sizeof channel->from);
    if (number < c->rotations)
        unpack_rotation(u32(p + 4), channel->to);
    else
        channel->to[0] = (float)u16(p + 4) * f32(mapping(c, number) + 4) + f32(mapping(c, number) + 8);
    return true;
}

static void turn(const console_channel *channel, float amount, float q[4])
{
    const float *a = channel->from, *b = channel->to;
    float of_a = 1.0f - amount;
    if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0f)
        of_a = -of_a;
    for (int i = 0; i < 4; i++)
        q[i] = of_a * a[i] + amount * b[i];
    const float scale = 1.0f / sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

static void apply(console *c, uint32_t number)
{
    const console_channel *channel = &c->channels[number];
    const uint8_t *m = mapping(c, number);
    console_bone *bone = &c->bones[u16(m)];
    const float amount = (c->time - channel->start) / (channel->end - channel->start);
    if (number < c->rotations)
        turn(channel, amount, bone->rotation);
    else
        (m[2] == 0 ? bone->position : bone->scale)[m[3]] =
            channel->from[0] + (channel->to[0] - channel->from[0]) * amount;
}

void console_update(console *c, float seconds)
{
    if (c->stopped)
        return;
    c->time += seconds;
    if (c->time >= c->duration) {
        c->time -= c->duration;
        rewind_stream(c);
        if (c->once) {
            c->stopped = true;
            return;
        }
    }
    for (uint32_t i = 0; i < c->channel_count; i++) {
        while (c->time >= c->channels[i].end && read_key(c)) {
        }
        apply(c, i);
    }
}

void console_set_time(console *c, float seconds)
{
    if (seconds < c->time)
        rewind_stream(c);
    c->time = seconds;
}
