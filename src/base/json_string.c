/* Strings of JSON: UTF-8 with escapes. */
#include "base/json_steps.h"

#include <string.h>

/* ---- plain bytes ---- */

static bool plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Is each of eight bytes plain? The top bit of a byte of `odd` is set when that byte is not: x - y borrows into it when
 * x < y. A borrow may also reach the byte above, but it comes from one that is odd itself. */
static bool plain_word(const uint8_t *bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    const uint64_t odd = word | (word - ones * 0x20) | (quote - ones) | (backslash - ones);
    return (odd & tops) == 0;
}

static const uint8_t *skip_plain(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8 && plain_word(at))
        at += 8;
    while (at < end && plain(*at))
        at++;
    return at;
}

/* ---- UTF-8 ---- */

static bool between(uint8_t byte, uint8_t low, uint8_t high)
{
    return byte >= low && byte <= high;
}

/* How many bytes the character has; 0: it is none. What the second byte may be is what rules out characters that
 * are written too long, halves of surrogate pairs, and all above 10FFFF. */
static size_t utf8_length(const uint8_t *at, const uint8_t *end)
{
    const uint8_t lead = at[0];
    const size_t length = between(lead, 0xC2, 0xDF)   ? 2
                          : between(lead, 0xE0, 0xEF) ? 3
                          : between(lead, 0xF0, 0xF4) ? 4
                                                      : 0;
    if (length == 0 || (size_t)(end - at) < length)
        return 0;
    const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    bool good = between(at[1], low, high);
    for (size_t i = 2; i < length; i++)
        good = good && between(at[i], 0x80, 0xBF);
    return good ? length : 0;
}

static size_t utf8_size(uint32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static char *utf8_put(char *out, uint32_t code)
{
    static const uint8_t leads[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    const size_t size = utf8_size(code);
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(leads[size] | code);
    return out + size;
}

/* ---- escapes ---- */

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hex digits, all known to be there. */
static uint32_t hex_code(const uint8_t *at)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; i++)
        code = code << 4 | (uint32_t)hex_digit(at[i]);
    return code;
}

static bool high_half(uint32_t code)
{
    return code >> 10 == 0xD800 >> 10;
}

static bool low_half(uint32_t code)
{
    return code >> 10 == 0xDC00 >> 10;
}

static uint32_t pair_code(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
}

static bool skip_hex(tl_json_cursor *c, uint32_t *code)
{
    for (int i = 0; i < 4; i++, c->at++)
        if (hex_digit(tl_json_peek(c)) < 0)
            return tl_json_expected(c, "one of four hex digits behind \\u");
    *code = hex_code(c->at - 4);
    return true;
}

static bool refuse_nul(const tl_json_cursor *c, const uint8_t *at)
{
    return TL_JSON_WRONG(c, at, "a string holds the character NUL, must hold others only");
}

/* Behind \u. */
static bool skip_unicode(tl_json_cursor *c, size_t *length)
{
    const uint8_t *start = c->at - 2;
    uint32_t code, low;
    if (!skip_hex(c, &code))
        return false;
    if (code == 0)
        return refuse_nul(c, start);
    if (low_half(code))
        return TL_JSON_WRONG(c, start, "the second half of a surrogate pair stands alone, must follow a first half");
    if (high_half(code)) {
        const bool follows = c->end - c->at >= 2 && c->at[0] == '\\' && c->at[1] == 'u';
        c->at += follows ? 2 : 0;
        if (follows && !skip_hex(c, &low))
            return false;
        if (!follows || !low_half(low))
            return TL_JSON_WRONG(c, start, "the first half of a surrogate pair stands alone, must have a second half");
        code = pair_code(code, low);
    }
    *length += utf8_size(code);
    return true;
}

/* At a backslash. */
static bool skip_escape(tl_json_cursor *c, size_t *length)
{
    c->at++;
    const int kind = tl_json_peek(c);
    if (kind <= 0 || !strchr("\"\\/bfnrtu", kind))
        return tl_json_expected(c, "one of \" \\ / b f n r t u behind the backslash");
    c->at++;
    if (kind == 'u')
        return skip_unicode(c, length);
    *length += 1;
    return true;
}

static bool skip_character(tl_json_cursor *c, size_t *length)
{
    const uint8_t *at = c->at;
    if (at == c->end)
        return tl_json_expected(c, "the closing quote of a string");
    if (*at == '\\')
        return skip_escape(c, length);
    if (*at == 0)
        return refuse_nul(c, at);
    if (*at < 0x20)
        return TL_JSON_WRONG(c, at, "a string holds the control byte 0x%02X, must be escaped as \\u%04X", *at, *at);
    const size_t size = utf8_length(at, c->end);
    if (size == 0)
        return TL_JSON_WRONG(c, at, "a string holds the byte 0x%02X where it is no UTF-8, must be UTF-8", *at);
    c->at += size;
    *length += size;
    return true;
}

bool tl_json_skip_string(tl_json_cursor *c, size_t *length)
{
    *length = 0;
    c->at++;
    for (;;) {
        const uint8_t *from = c->at;
        c->at = skip_plain(from, c->end);
        *length += (size_t)(c->at - from);
        if (tl_json_peek(c) == '"')
            break;
        if (!skip_character(c, length))
            return false;
    }
    c->at++;
    return true;
}

/* ---- without the escapes ---- */

/* At a backslash; answers behind the escape. */
static const uint8_t *unescape_one(const uint8_t *at, char **out)
{
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    if (at[1] == 'u') {
        uint32_t code = hex_code(at + 2);
        const bool pair = high_half(code);
        if (pair)
            code = pair_code(code, hex_code(at + 8));
        *out = utf8_put(*out, code);
        return at + (pair ? 12 : 6);
    }
    const char *name = strchr(names, at[1]);
    *(*out)++ = name ? values[name - names] : (char)at[1];
    return at + 2;
}

void tl_json_unescape(const uint8_t *at, const uint8_t *end, char *out)
{
    while (at < end) {
        const uint8_t *escape = memchr(at, '\\', (size_t)(end - at));
        const size_t before = (size_t)((escape ? escape : end) - at);
        memcpy(out, at, before);
        out += before;
        at = escape ? unescape_one(escape, &out) : end;
    }
    *out = '\0';
}
