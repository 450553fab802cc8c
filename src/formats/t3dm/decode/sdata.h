/* sdata.h: T3DM's streams of animation keys (.sdata).
 *
 * A stream has no header. Key i is: u16 (bit 15: the next key is 8 bytes long, else 6; the others: ticks of 1/60 s
 * since the previous key of the same channel), u16 channel, then one u16 (a scalar) or two (a rotation). Keys are
 * sorted by the time at which a player needs them, so that it reads forward only.
 */
#ifndef TL_T3DM_DECODE_SDATA_H
#define TL_T3DM_DECODE_SDATA_H

#include "base/arena.h"
#include "base/report.h"
#include "base/strict_float.h"
#include "trilobite/core.h"

enum { TL_SDATA_RATE = 60, TL_SDATA_MOST_TICKS = 0x7FFF };

/* The keys of one channel, times as ticks since the start of the animation. */
typedef struct tl_sdata_channel {
    uint32_t key_count;
    uint32_t *ticks;
    uint32_t *values; /* 16 bits of a scalar, or the 32 bits of a rotation */
} tl_sdata_channel;

typedef struct tl_sdata {
    uint32_t quat_count, channel_count; /* the first quat_count channels are rotations */
    uint32_t key_count;                 /* in the whole stream */
    uint32_t late_key;                  /* the first one that follows a key needed later; TRILO_NONE: none */
    tl_sdata_channel *channels;
    const trilo_rule *broken; /* the rule that an unreadable stream violates; NULL: none */
} tl_sdata;

/* Iterates over the keys. A size flag describes the next key; the first key is long. */
typedef struct tl_sdata_key {
    size_t at;
    uint32_t number, ticks, channel, value; /* ticks since the previous key of the channel */
} tl_sdata_key;

typedef struct tl_sdata_walk {
    trilo_bytes bytes;
    uint32_t quat_count;
    uint32_t number; /* of the next key */
    size_t at, size; /* of the next key */
} tl_sdata_walk;

tl_sdata_walk tl_sdata_walk_start(trilo_bytes bytes, uint32_t quat_count);
bool tl_sdata_walk_is_long(const tl_sdata_walk *walk); /* true if the next key is 8 bytes long */
/* Returns false at the end, also if that is inside a key. */
bool tl_sdata_walk_next(tl_sdata_walk *walk, tl_sdata_key *key);

/* Reads the stream to its end. Returns false and fills *err (rules T3DM-STREAM-...) if it is inconsistent: it ends
 * inside a key, has fewer keys than channels, names a channel that does not exist, or its size flags contradict the
 * channels. out->broken is then that rule, or NULL if memory ran out. Memory is proportional to the bytes, never to the
 * counts. */
bool tl_sdata_read(tl_arena *arena, trilo_bytes bytes, uint32_t quat_count, uint32_t scalar_count, tl_sdata *out,
                   trilo_error *err);

/* Checks everything else of a stream that was read: the number of keys, the order, first and last keys. `report->path`
 * is that of the animation. Offsets are bytes in the stream. */
void tl_sdata_check(trilo_bytes bytes, const tl_sdata *sdata, uint32_t announced_keys, float duration,
                    tl_report *report);

/* Writes channels with ascending ticks as a stream in streaming order. Fails (T3DM-RANGE-TIME) if two keys of a channel
 * are more than 32767 ticks apart or an animation is longer than 65535. */
bool tl_sdata_write(tl_arena *arena, const tl_sdata *sdata, trilo_bytes *out, trilo_error *err);

/* A rotation in 32 bits: the index of its largest component in the top bits, then the other three in 10 bits each, from
 * -SDATA_QUAT_HALF to SDATA_QUAT_HALF. The largest is not stored. */
#define SDATA_QUAT_HALF 0.70710678118
#define SDATA_QUAT_SPAN 1.41421356236
enum { SDATA_QUAT_STEPS = 1023, SDATA_QUAT_BITS = 10, SDATA_QUAT_LARGEST = 30 };

/* Rotations as the smallest three components, 10 bits each; normalized after unpacking. Unpacking, also of scalars,
 * uses single precision in the order of the console, and gives the same numbers. */
uint32_t tl_sdata_pack_quat(trilo_quat q);
trilo_quat tl_sdata_unpack_quat(uint32_t bits);

/* Scalars as 16 bits in a range: value = bits * scale + offset. A constant has scale 0. */
void tl_sdata_scalar_range(const float *values, uint32_t count, float *scale, float *offset);
uint16_t tl_sdata_pack_scalar(float value, float scale, float offset);
static inline float tl_sdata_unpack_scalar(uint16_t bits, float scale, float offset)
{
    const float steps = (float)bits * scale;
    return steps + offset;
}

#endif
