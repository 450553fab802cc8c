/* stream.h: keys of a clip that are read while they are played.
 *
 * A format gives the keys one after the other, in the order a player needs them (tl_format.stream); src/anim/stream.c
 * keeps two of each channel, as the console does.
 */
#ifndef TL_MODEL_STREAM_H
#define TL_MODEL_STREAM_H

#include "base/arena.h"
#include "trilobite/player.h"

typedef struct tl_stream_key {
    uint32_t channel, ticks; /* ticks since the key before of that channel */
    float value[4];          /* 1 number, or the 4 of a rotation */
} tl_stream_key;

/* What a channel moves, and the two keys it is between. */
typedef struct tl_stream_channel {
    uint32_t node;
    trilo_target target; /* TRILO_TARGET_ROTATION or a single axis */
    uint32_t seen;       /* keys since the start: 2 at most are told apart */
    float start, end;    /* seconds: when `from` and `to` are */
    float from[4], to[4], first[4];
} tl_stream_channel;

struct trilo_stream {
    tl_arena arena; /* the stream itself lives in it */
    double duration;
    float time; /* up to where it was read */
    bool ended, ok;
    uint32_t channel_count;
    tl_stream_channel *channels;
    void *source; /* the format's own, in the arena */
    /* False at the end; *ok becomes false when that is not the right end. */
    bool (*next)(void *source, tl_stream_key *key, bool *ok);
    bool (*rewind)(void *source);
};

#endif
