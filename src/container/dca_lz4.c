/* Level 1, an LZ4 block (see "LZ4 Block Format Description" of LZ4):
 *
 *   token | [more literals] | literals | offset | [more length] | token ...
 *
 * The high nibble of a token is the number of literals, the low one the match length minus 4; 15 means that bytes to
 * add follow, up to the first below 255. The block ends with literals.
 */
#include "container/dca_stream.h"

enum { DCA_LZ4_MORE = 15, DCA_LZ4_MIN_MATCH = 4, DCA_LZ4_OFFSET_SIZE = 2 };

/* A nibble of a token and the bytes to add to it. Returns false if the payload ends first. */
static bool lz4_read_length(tl_dca_stream *s, unsigned nibble, uint64_t *length)
{
    *length = nibble;
    if (nibble < DCA_LZ4_MORE)
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

static tl_dca_end lz4_literals(tl_dca_stream *s, uint64_t count)
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
    /* Most runs are short: copying a fixed 16 bytes is faster than a call. The excess is overwritten later. */
    if (to && count <= 2 * TL_DCA_CHUNK && left >= 2 * TL_DCA_CHUNK && room >= 2 * TL_DCA_CHUNK)
        memcpy(to, from, 2 * TL_DCA_CHUNK);
    else if (to && count > 0)
        memcpy(to, from, (size_t)count);
    s->at += (size_t)count;
    s->written += (size_t)count;
    return s->at == s->in_size ? TL_DCA_ENDED : TL_DCA_GOING;
}

static tl_dca_end lz4_match(tl_dca_stream *s, unsigned nibble)
{
    if (s->in_size - s->at < DCA_LZ4_OFFSET_SIZE) {
        s->at = s->in_size;
        return TL_DCA_CUT;
    }
    const unsigned offset = s->in[s->at] | (unsigned)s->in[s->at + 1] << 8;
    s->at += DCA_LZ4_OFFSET_SIZE;
    uint64_t length;
    return lz4_read_length(s, nibble, &length) ? tl_dca_copy(s, offset, length + DCA_LZ4_MIN_MATCH) : TL_DCA_CUT;
}

tl_dca_end tl_dca_lz4(tl_dca_stream *s)
{
    tl_dca_end end = TL_DCA_GOING;
    while (end == TL_DCA_GOING) {
        uint64_t count;
        const unsigned token = s->at < s->in_size ? s->in[s->at++] : 256;
        if (token > 255 || !lz4_read_length(s, token >> 4, &count))
            return TL_DCA_CUT;
        end = lz4_literals(s, count);
        if (end == TL_DCA_GOING)
            end = lz4_match(s, token & 15);
    }
    return end;
}
