/* Level 1, an LZ4 block:
 *
 *   token | [more literals] | literals | offset | [more length] | token ...
 *
 * The token's high half counts literals, its low half is the match length less 4; 15 means that bytes to be added
 * follow, up to one below 255. The block ends with literals: the console's decoder looks for the end nowhere else.
 */
#include "container/dca_stream.h"

enum { MORE = 15, SHORTEST = 4, OFFSET_SIZE = 2 };

/* `half` of a token with the bytes that belong to it; false when the payload ends among them. */
static bool read_length(tl_dca_stream *s, unsigned half, uint64_t *length)
{
    *length = half;
    if (half < MORE)
        return true;
    uint8_t byte;
    do {
        if (s->at == s->in_size)
            return false;
        byte = s->in[s->at++];
        *length += byte;
    } while (byte == 255);
    return true;
}

static tl_dca_end literals(tl_dca_stream *s, uint64_t count)
{
    const size_t left = s->in_size - s->at, room = s->size - s->written;
    if (count > left) {
        s->at = s->in_size;
        return TL_DCA_CUT;
    }
    if (count > room)
        return TL_DCA_FULL;
    const uint8_t *from = s->in + s->at;
    uint8_t *to = s->out ? s->out + s->written : NULL;
    /* Most runs are short: two chunks, of which the rest is overwritten, cost less than a call. */
    if (to && count <= 2 * TL_DCA_CHUNK && left >= 2 * TL_DCA_CHUNK && room >= 2 * TL_DCA_CHUNK)
        memcpy(to, from, 2 * TL_DCA_CHUNK);
    else if (to && count > 0)
        memcpy(to, from, (size_t)count);
    s->at += (size_t)count;
    s->written += (size_t)count;
    return s->at == s->in_size ? TL_DCA_ENDED : TL_DCA_GOING;
}

static tl_dca_end match(tl_dca_stream *s, unsigned half)
{
    if (s->in_size - s->at < OFFSET_SIZE) {
        s->at = s->in_size;
        return TL_DCA_CUT;
    }
    const unsigned offset = s->in[s->at] | (unsigned)s->in[s->at + 1] << 8;
    s->at += OFFSET_SIZE;
    uint64_t length;
    return read_length(s, half, &length) ? tl_dca_copy(s, offset, length + SHORTEST) : TL_DCA_CUT;
}

tl_dca_end tl_dca_lz4(tl_dca_stream *s)
{
    tl_dca_end end = TL_DCA_GOING;
    while (end == TL_DCA_GOING) {
        uint64_t count;
        const unsigned token = s->at < s->in_size ? s->in[s->at++] : 256;
        if (token > 255 || !read_length(s, token >> 4, &count))
            return TL_DCA_CUT;
        end = literals(s, count);
        if (end == TL_DCA_GOING)
            end = match(s, token & 15);
    }
    return end;
}
