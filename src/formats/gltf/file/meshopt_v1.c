/* Vertex streams of version 1 and the colour filter of KHR_meshopt_compression, which meshoptimizer has since 0.23 and
 * 0.25: older ones are in use.
 *
 * Byte by byte, so that the result does not depend on the byte order of the host. A stream is: the byte 0xA1, blocks of
 * up to 256 elements, padding, the first element's predecessor, and a mode for every 4 bytes of an element. */
#include "formats/gltf/gltf.h"

#include "base/size.h"

enum { MESHOPT_GROUP = 16, MESHOPT_BLOCK_MOST = 256, MESHOPT_TAIL_LEAST = 24 };

/* What is left of a stream. */
typedef struct meshopt_stream {
    const uint8_t *at, *end;
} meshopt_stream;

static const uint8_t *meshopt_take(meshopt_stream *s, size_t size)
{
    const uint8_t *taken = s->at;
    if ((size_t)(s->end - s->at) < size)
        return NULL;
    s->at += size;
    return taken;
}

/* 16 deltas of `bits` each; a value of all ones is replaced by a byte that follows. */
static bool meshopt_decode_group(meshopt_stream *s, unsigned bits, uint8_t *out)
{
    if (bits == 0) {
        memset(out, 0, MESHOPT_GROUP);
        return true;
    }
    const uint8_t *packed = meshopt_take(s, 2 * (size_t)bits), escape = (uint8_t)((1u << bits) - 1);
    if (!packed)
        return false;
    for (unsigned i = 0; i < MESHOPT_GROUP; i++) {
        const unsigned per_byte = 8 / bits, slot = i % per_byte;
        const unsigned shift = bits == 1 ? slot : 8 - bits * (slot + 1); /* single bits start with the lowest */
        out[i] = (uint8_t)(packed[i / per_byte] >> shift & escape);
        if (bits == 8 || out[i] != escape)
            continue;
        const uint8_t *byte = meshopt_take(s, 1);
        if (!byte)
            return false;
        out[i] = *byte;
    }
    return true;
}

/* The deltas of one byte of all elements of a block. */
static bool meshopt_decode_deltas(meshopt_stream *s, unsigned control, uint32_t count, uint8_t *out)
{
    static const uint8_t widths[2][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}};
    const uint32_t groups = (count + MESHOPT_GROUP - 1) / MESHOPT_GROUP;
    if (control == 2)
        memset(out, 0, count);
    if (control >= 2) {
        const uint8_t *raw = control == 3 ? meshopt_take(s, count) : NULL;
        if (raw)
            memcpy(out, raw, count);
        return control == 2 || raw;
    }
    const uint8_t *header = meshopt_take(s, (groups + 3) / 4);
    for (uint32_t i = 0; header && i < groups; i++)
        if (!meshopt_decode_group(s, widths[control][header[i / 4] >> i % 4 * 2 & 3], out + (size_t)i * MESHOPT_GROUP))
            return false;
    return header != NULL;
}

/* Turns the deltas of 4 bytes of an element into values; `previous` is the element before, then this one. */
static void meshopt_apply_deltas(unsigned channel, const uint8_t delta[4], uint8_t previous[4])
{
    const unsigned mode = channel & 15, rotation = channel >> 4;
    const unsigned size = mode == 0 ? 1 : mode == 1 ? 2 : 4;
    for (unsigned i = 0; i < 4; i += size) {
        uint32_t d = 0, p = 0;
        for (unsigned k = size; k-- > 0;) {
            d = d << 8 | delta[i + k];
            p = p << 8 | previous[i + k];
        }
        const uint32_t value =
            mode == 2 ? p ^ (rotation ? d >> rotation | d << (32 - rotation) : d) : p + (d >> 1 ^ (0 - (d & 1)));
        for (unsigned k = 0; k < size; k++)
            previous[i + k] = (uint8_t)(value >> 8 * k);
    }
}

bool tl_gltf_meshopt_decode_v1(uint8_t *out, uint32_t count, uint32_t stride, trilo_bytes bytes)
{
    uint8_t deltas[4][MESHOPT_BLOCK_MOST + MESHOPT_GROUP];
    const size_t tail = (size_t)stride + stride / 4, padded = tail > MESHOPT_TAIL_LEAST ? tail : MESHOPT_TAIL_LEAST;
    const uint32_t fit = 8192 / stride / MESHOPT_GROUP * MESHOPT_GROUP;
    const uint32_t block = fit < MESHOPT_BLOCK_MOST ? fit : MESHOPT_BLOCK_MOST;
    if (bytes.size < 1 + padded || bytes.data[0] != 0xA1)
        return false;
    const uint8_t *last = bytes.data + bytes.size - tail, *channels = last + stride;
    meshopt_stream s = {bytes.data + 1, bytes.data + bytes.size - padded};
    for (uint32_t k = 0; k < stride / 4; k++)
        if ((channels[k] & 15) > 2 || ((channels[k] & 15) != 2 && channels[k] >> 4 != 0))
            return false;
    for (uint32_t start = 0; start < count; start += block) {
        const uint32_t size = count - start < block ? count - start : block;
        const uint8_t *controls = meshopt_take(&s, stride / 4);
        for (uint32_t k = 0; controls && k < stride / 4; k++) {
            uint8_t previous[4];
            memcpy(previous, start == 0 ? last + (size_t)k * 4 : out + (size_t)(start - 1) * stride + (size_t)k * 4, 4);
            for (unsigned b = 0; b < 4; b++)
                if (!meshopt_decode_deltas(&s, controls[k] >> 2 * b & 3, size, deltas[b]))
                    return false;
            for (uint32_t i = 0; i < size; i++) {
                const uint8_t delta[4] = {deltas[0][i], deltas[1][i], deltas[2][i], deltas[3][i]};
                meshopt_apply_deltas(channels[k], delta, previous);
                memcpy(out + (size_t)(start + i) * stride + (size_t)k * 4, previous, 4);
            }
        }
        if (!controls)
            return false;
    }
    return s.at == s.end;
}

/* Y, Co, Cg and A to red, green, blue and alpha. The highest set bit of A determines how many bits all of them have. */
void tl_gltf_meshopt_decode_color(uint8_t *bytes, uint32_t count, uint32_t stride)
{
    const unsigned size = stride / 4;
    const int32_t most = size == 1 ? 255 : 65535;
    for (uint32_t i = 0; i < count; i++, bytes += stride) {
        int32_t v[4];
        for (unsigned k = 0; k < 4; k++) {
            const int32_t raw = size == 1 ? bytes[k] : tl_get_u16(bytes + 2 * (size_t)k, TL_LITTLE);
            v[k] = (k == 1 || k == 2) && raw > most / 2 ? raw - most - 1 : raw;
        }
        int32_t scale = 1;
        while (scale < v[3])
            scale = 2 * scale + 1;
        const int32_t alpha = v[3] & scale >> 1;
        const int32_t rgba[4] = {v[0] + v[1] - v[2], v[0] + v[2], v[0] - v[1] - v[2], 2 * alpha + (alpha & 1)};
        for (unsigned k = 0; k < 4; k++) {
            const int32_t clamped = rgba[k] < 0 ? 0 : rgba[k] > scale ? scale : rgba[k];
            const int64_t scaled = (2 * (int64_t)clamped * most + scale) / (2 * (int64_t)scale);
            bytes[k * size] = (uint8_t)scaled;
            if (size == 2)
                bytes[k * size + 1] = (uint8_t)(scaled >> 8);
        }
    }
}
