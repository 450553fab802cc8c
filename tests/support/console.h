/* console.h: how the console plays a T3DM clip, written down a second time from the description alone: bytes of the
 * file and of the stream, single precision, one key after the other. What the library plays is compared with it. */
#ifndef TL_TEST_CONSOLE_H
#define TL_TEST_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONSOLE_BONES = 64, CONSOLE_CHANNELS = 512 };

typedef struct console_bone {
    float scale[3], rotation[4], position[3];
} console_bone;

typedef struct console_channel {
    float start, end, from[4], to[4];
} console_channel;

typedef struct console {
    const uint8_t *animation, *stream;
    size_t stream_size, at, key_size;
    float duration, time;
    bool once, stopped;
    uint32_t rotations, channel_count, bone_count;
    console_channel channels[CONSOLE_CHANNELS];
    console_bone bones[CONSOLE_BONES];
} console;

/* A version 4 file; false when it has no such animation or more than fits. */
bool console_open(console *c, const uint8_t *file, uint32_t clip, const uint8_t *stream, size_t stream_size);
void console_update(console *c, float seconds);
void console_set_time(console *c, float seconds);

#endif
