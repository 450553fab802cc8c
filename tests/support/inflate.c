#include "support/inflate.h"

#include <string.h>

typedef struct bit_reader {
    const uint8_t *bytes;
    size_t size, at; /* at: bits */
    bool failed;
} bit_reader;

static uint32_t take(bit_reader *r, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++, r->at++) {
        if (r->at / 8 >= r->size) {
            r->failed = true;
            return 0;
        }
        value |= (uint32_t)(r->bytes[r->at / 8] >> r->at % 8 & 1) << i;
    }
    return value;
}

/* Codes of a length are numbers in a row, and follow those that are shorter by one bit, doubled. */
static int decode(bit_reader *r, const uint8_t *lengths, int symbol_count)
{
    uint32_t code = 0, first = 0;
    for (int length = 1; length <= 15 && !r->failed; length++) {
        code = code << 1 | take(r, 1);
        first <<= 1;
        for (int symbol = 0; symbol < symbol_count; symbol++)
            if (lengths[symbol] == length && first++ == code)
                return symbol;
    }
    r->failed = true;
    return 0;
}

static void read_lengths(bit_reader *r, uint8_t *lengths, int literals, int distances, inflate_head *head)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t own[19] = {0}, all[320] = {0};
    const int count = (int)take(r, 4) + 4;
    for (int i = 0; i < count; i++)
        own[order[i]] = (uint8_t)take(r, 3);
    memcpy(head->lengths, own, sizeof own);
    r->failed = r->failed || (count > 4 && own[order[count - 1]] == 0);
    for (int i = 0; i < literals + distances && !r->failed;) {
        const int symbol = decode(r, own, 19);
        int run = 1;
        head->symbols[head->count++] = (uint8_t)symbol;
        uint8_t value = (uint8_t)symbol;
        if (symbol >= 16) {
            value = symbol == 16 && i > 0 ? all[i - 1] : 0;
            run = symbol == 16 ? 3 + (int)take(r, 2) : symbol == 17 ? 3 + (int)take(r, 3) : 11 + (int)take(r, 7);
        }
        r->failed = r->failed || i + run > literals + distances;
        while (run-- > 0 && !r->failed)
            all[i++] = value;
    }
    r->failed = r->failed || (literals > 257 && all[literals - 1] == 0) ||
                (distances > 1 && all[literals + distances - 1] == 0);
    memset(lengths, 0, 320);
    memcpy(lengths, all, (size_t)literals);
    memcpy(lengths + 288, all + literals, (size_t)distances);
}

static void read_block(bit_reader *r, const uint8_t *lengths, uint8_t *out, size_t room, size_t *at,
                       const inflate_trace *trace)
{
    while (!r->failed) {
        int symbol = decode(r, lengths, 288);
        if (symbol == 256)
            return;
        if (symbol < 256) {
            if (trace)
                trace->token(trace->user, (size_t)symbol, 0);
            if (*at == room)
                r->failed = true;
            else
                out[(*at)++] = (uint8_t)symbol;
            continue;
        }
        symbol -= 257;
        const int extra = symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1;
        size_t length = symbol == 28 ? 258 : symbol < 8 ? (size_t)symbol + 3 : ((size_t)(4 + symbol % 4) << extra) + 3;
        length += take(r, extra);
        const int code = decode(r, lengths + 288, 30), more = code < 4 ? 0 : code / 2 - 1;
        const size_t distance = (code < 4 ? (size_t)code : (size_t)(2 + code % 2) << more) + 1 + take(r, more);
        if (trace)
            trace->token(trace->user, length, distance);
        r->failed = r->failed || distance > *at || length > room - *at;
        for (; length > 0 && !r->failed; length--, ++*at)
            out[*at] = out[*at - distance];
    }
}

bool inflate_zlib(const uint8_t *bytes, size_t size, uint8_t *out, size_t room, size_t *out_size)
{
    return inflate_traced(bytes, size, out, room, out_size, NULL);
}

bool inflate_traced(const uint8_t *bytes, size_t size, uint8_t *out, size_t room, size_t *out_size,
                    const inflate_trace *trace)
{
    bit_reader r = {bytes, size, 16, size < 2 || bytes[0] != 0x78 || (bytes[0] * 256 + bytes[1]) % 31 != 0};
    bool last = false;
    for (*out_size = 0; !last && !r.failed;) {
        uint8_t lengths[320];
        last = take(&r, 1) != 0;
        const uint32_t type = take(&r, 2);
        const size_t start = r.at;
        inflate_head head = {.count = 0};
        if (type == 1) {
            for (int i = 0; i < 288; i++)
                lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
            memset(lengths + 288, 5, 32);
        } else if (type == 2) {
            const int literals = (int)take(&r, 5) + 257, distances = (int)take(&r, 5) + 1;
            read_lengths(&r, lengths, literals, distances, &head);
        } else {
            r.failed = true; /* stored blocks are never written */
        }
        head.bits = r.at - start;
        if (trace && !r.failed)
            trace->block(trace->user, type, lengths, lengths + 288, &head);
        read_block(&r, lengths, out, room, out_size, trace);
    }
    uint32_t a = 1, b = 0, sum = 0;
    for (size_t i = 0; i < *out_size; i++) {
        a = (a + out[i]) % 65521;
        b = (b + a) % 65521;
    }
    r.at = (r.at + 7) / 8 * 8;
    for (int i = 0; i < 4; i++)
        sum = sum << 8 | take(&r, 8);
    return !r.failed && r.at == 8 * size && sum == (b << 16 | a);
}
