/* dca_stream.h: input and output of the three decoders.
 *
 * No decoder depends on the bytes it has written. So a decoder can run without an output (`out` NULL), to find the size
 * of the output.
 */
#ifndef TL_CONTAINER_DCA_STREAM_H
#define TL_CONTAINER_DCA_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct tl_dca_stream {
    const uint8_t *in;
    size_t in_size, at; /* at: bytes read; the words of Shrinkler may reach past the end */
    uint8_t *out;
    size_t size, written; /* written <= size */
    int64_t lead;         /* the maximum of written - at, at least 0 */
    uint64_t farthest;    /* the largest offset of a match */
    uint64_t wrong;       /* an offset that was refused */
} tl_dca_stream;

typedef enum tl_dca_end {
    TL_DCA_GOING,  /* not at the end yet */
    TL_DCA_ENDED,  /* success */
    TL_DCA_CUT,    /* the payload ends too early */
    TL_DCA_FULL,   /* more output than the header says */
    TL_DCA_BEFORE, /* a match `wrong` bytes back starts before the output */
    TL_DCA_HUGE    /* a number above 32 bits */
} tl_dca_end;

typedef tl_dca_end tl_dca_decode_fn(tl_dca_stream *stream);
tl_dca_decode_fn tl_dca_lz4, tl_dca_aplib, tl_dca_shrinkler;

enum { TL_DCA_CHUNK = 8 };

/* After each symbol: the lead of the output determines the margin. */
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

/* Copies a match that may overlap its output. `room`: bytes that may be written at `to`, at least `length`. */
static inline void tl_dca_repeat(uint8_t *to, size_t offset, size_t length, size_t room)
{
    size_t i = 0;
    /* Expand a short period to at least a chunk; the offset becomes a multiple of it. */
    if (offset < TL_DCA_CHUNK) {
        for (const uint8_t *from = to - offset; i < length && i < TL_DCA_CHUNK; i++)
            to[i] = from[i];
        offset *= (TL_DCA_CHUNK - 1 + offset) / offset;
    }
    if (i >= length)
        return;
    const uint8_t *from = to - offset;
    /* Chunks may write past the length; the next symbol overwrites that. */
    for (; i < length && room - i >= TL_DCA_CHUNK; i += TL_DCA_CHUNK)
        memcpy(to + i, from + i, TL_DCA_CHUNK);
    for (; i < length; i++)
        to[i] = from[i];
}

/* A match: copies bytes from `offset` back in the output. */
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
