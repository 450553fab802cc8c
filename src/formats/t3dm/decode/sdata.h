/* sdata.h: T3DM's streams of animation keys (.sdata).
 *
 * A stream has no header. Key i is: u16 (bit 15: the next key is 8 bytes long, else 6; the others: ticks of 1/60 s
 * since the key before of the same channel), u16 channel, then one u16 (a scalar) or two (a rotation). Keys are sorted
 * by the moment a player needs them, so that it reads forward only.
 */
#ifndef TL_T3DM_DECODE_SDATA_H
#define TL_T3DM_DECODE_SDATA_H

#include "base/arena.h"
#include "base/report.h"
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
    uint32_t late_key;                  /* the first that comes after a key needed later; TRILO_NONE: none does */
    tl_sdata_channel *channels;
    const trilo_rule *broken; /* the rule that a stream breaks which could not be read; NULL: none */
} tl_sdata;

/* One key after the other. The flag for a key's size is in the key before it; the first key is a long one. */
typedef struct tl_sdata_key {
    size_t at;
    uint32_t number, ticks, channel, value; /* ticks since the key before in its channel */
} tl_sdata_key;

typedef struct tl_sdata_walk {
    trilo_bytes bytes;
    uint32_t quat_count;
    uint32_t number; /* of the next key */
    size_t at, size; /* of the next key */
} tl_sdata_walk;

tl_sdata_walk tl_sdata_walk_start(trilo_bytes bytes, uint32_t quat_count);
bool tl_sdata_walk_is_long(const tl_sdata_walk *walk); /* has the next key 8 bytes? */
/* False at the end, also when that lies inside a key. */
bool tl_sdata_walk_next(tl_sdata_walk *walk, tl_sdata_key *key);

/* Follows the stream to its end. False with *err (rules T3DM-STREAM-...) when it does not hold together: it ends inside
 * a key, has fewer keys than channels, names a channel that is not there, or its size flags contradict the channels;
 * out->broken then is that rule, and NULL when memory ran out. Memory is in proportion to the bytes, never to the
 * counts. */
bool tl_sdata_read(tl_arena *arena, trilo_bytes bytes, uint32_t quat_count, uint32_t scalar_count, tl_sdata *out,
                   trilo_error *err);

/* Everything else that can be wrong with a stream that was read: the number of keys, the order, first and last keys.
 * `report->path` is that of the animation. Offsets are bytes in the stream. */
void tl_sdata_check(trilo_bytes bytes, const tl_sdata *sdata, uint32_t announced_keys, float duration,
                    tl_report *report);

/* Channels with ascending ticks into a stream in streaming order. Fails (T3DM-RANGE-TIME) when two keys of a channel
 * are more than 32767 ticks apart or an animation is longer than 65535. */
bool tl_sdata_write(tl_arena *arena, const tl_sdata *sdata, trilo_bytes *out, trilo_error *err);

/* A rotation in 32 bits: the number of its largest component above, then the other three in 10 bits each. The largest
 * is left out; the others lie between -SDATA_QUAT_HALF and SDATA_QUAT_HALF. */
#define SDATA_QUAT_HALF 0.70710678118
#define SDATA_QUAT_SPAN 1.41421356236
enum { SDATA_QUAT_STEPS = 1023, SDATA_QUAT_BITS = 10, SDATA_QUAT_LARGEST = 30 };

/* Rotations as the smallest three, 10 bits each; the length is 1 again after unpacking. Unpacking, of scalars too,
 * counts in single precision and in the console's order: these are the numbers that the console has. */
uint32_t tl_sdata_pack_quat(trilo_quat q);
trilo_quat tl_sdata_unpack_quat(uint32_t bits);

/* Scalars as 16 bits between two ends: value = bits * scale + offset. A constant has scale 0. */
void tl_sdata_scalar_range(const float *values, uint32_t count, float *scale, float *offset);
uint16_t tl_sdata_pack_scalar(float value, float scale, float offset);
float tl_sdata_unpack_scalar(uint16_t bits, float scale, float offset);

#endif
