/* stream.h: streamed clips, whose keys are read while they are played.
 *
 * A format provides the keys in the order in which a player needs them (tl_format.stream); src/anim/stream.c keeps two
 * keys of each channel, as the console does.
 */
#ifndef TL_MODEL_STREAM_H
#define TL_MODEL_STREAM_H

#include "base/arena.h"
#include "trilobite/stream.h"

typedef struct tl_stream_key {
    uint32_t channel, ticks; /* ticks since the previous key of that channel */
    float value[4];          /* one number, or a quaternion */
} tl_stream_key;

/* The target of a channel, and its two current keys. */
typedef struct tl_stream_channel {
    uint32_t node;
    trilo_target target; /* TRILO_TARGET_ROTATION or a single axis */
    uint32_t seen;       /* keys since the start, counted up to 2 */
    float start, end;    /* times of `from` and `to` in seconds */
    float from[4], to[4], first[4];
} tl_stream_channel;

struct trilo_stream {
    tl_arena arena; /* the stream itself is allocated from it */
    double duration;
    float time; /* up to which keys were read */
    bool ended, ok;
    uint32_t channel_count;
    tl_stream_channel *channels;
    void *source; /* a struct of the format, in the arena */
    /* Returns false at the end; *ok becomes false if the stream ends too early. */
    bool (*next)(void *source, tl_stream_key *key, bool *ok);
    bool (*rewind)(void *source);
};

#endif
