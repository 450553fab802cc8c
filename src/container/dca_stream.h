/* dca_stream.h: what the three decoders share: a payload that is read forward and an output that is written forward.
 *
 * In none of the codings does the way through the payload depend on the bytes that come out. So a decoder can also run
 * without an output, only to learn how much there would be: `out` is NULL then.
 */
#ifndef TL_CONTAINER_DCA_STREAM_H
#define TL_CONTAINER_DCA_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct tl_dca_stream {
    const uint8_t *in;
    size_t in_size, at; /* at: bytes fetched; Shrinkler's words may reach past the end */
    uint8_t *out;
    size_t size, written; /* written <= size, always */
    int64_t lead;         /* how far the output ever was ahead of the payload, at least 0 */
    uint64_t farthest;    /* the largest offset of a match */
    uint64_t wrong;       /* the number that was refused */
} tl_dca_stream;

typedef enum tl_dca_end {
    TL_DCA_GOING,  /* not at the end yet */
    TL_DCA_ENDED,  /* as it should be */
    TL_DCA_CUT,    /* the payload ends first */
    TL_DCA_FULL,   /* more output than the header says */
    TL_DCA_BEFORE, /* `wrong` bytes back is before the start */
    TL_DCA_HUGE    /* a number that no file needs */
} tl_dca_end;

typedef tl_dca_end tl_dca_decode_fn(tl_dca_stream *stream);
tl_dca_decode_fn tl_dca_lz4, tl_dca_aplib, tl_dca_shrinkler;

enum { TL_DCA_CHUNK = 8 };

/* After each token: the output's lead decides the margin. */
static inline void tl_dca_measure(tl_dca_stream *s)
{
    const int64_t lead = (int64_t)s->written - (int64_t)s->at;
    s->lead = lead > s->lead ? lead : s->lead;
}

static inline tl_dca_end tl_dca_put(tl_dca_stream *s, uint8_t byte)
{
    if (s->written == s->size)
        return TL_DCA_FULL;
    if (s->out)
        s->out[s->written] = byte;
    s->written++;
    tl_dca_measure(s);
    return TL_DCA_GOING;
}

/* `room` is what may be written at `to`, at least `length`. */
static inline void tl_dca_repeat(uint8_t *to, size_t offset, size_t length, size_t room)
{
    size_t i = 0;
    /* A short pattern is spread over a chunk first; whole periods of it further back stands the same byte. */
    if (offset < TL_DCA_CHUNK) {
        for (const uint8_t *from = to - offset; i < length && i < TL_DCA_CHUNK; i++)
            to[i] = from[i];
        offset *= (TL_DCA_CHUNK - 1 + offset) / offset;
    }
    if (i >= length)
        return;
    const uint8_t *from = to - offset;
    /* Chunks may write past the length, where the next token will. */
    for (; i < length && room - i >= TL_DCA_CHUNK; i += TL_DCA_CHUNK)
        memcpy(to + i, from + i, TL_DCA_CHUNK);
    for (; i < length; i++)
        to[i] = from[i];
}

/* A match: bytes that were written before, and may be among those it writes. */
static inline tl_dca_end tl_dca_copy(tl_dca_stream *s, uint64_t offset, uint64_t length)
{
    if (offset == 0 || offset > s->written) {
        s->wrong = offset;
        return TL_DCA_BEFORE;
    }
    const size_t room = s->size - s->written;
    if (length > room)
        return TL_DCA_FULL;
    if (s->out)
        tl_dca_repeat(s->out + s->written, (size_t)offset, (size_t)length, room);
    s->written += (size_t)length;
    s->farthest = offset > s->farthest ? offset : s->farthest;
    tl_dca_measure(s);
    return TL_DCA_GOING;
}

#endif
