/* JSON strings: UTF-8 with escapes. */
#include "base/json_steps.h"
#include "base/utf8.h"

#include <string.h>

static const uint8_t *json_skip_plain(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= TL_JSON_PLAIN_MOST) {
        const unsigned count = tl_json_count_plain(at);
        at += count;
        if (count < TL_JSON_PLAIN_MOST)
            return at;
    }
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return at;
}

/* ---- escapes ---- */

static size_t json_utf8_size(uint32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static char *json_put_utf8(char *out, uint32_t code)
{
    static const uint8_t leads[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    const size_t size = json_utf8_size(code);
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(leads[size] | code);
    return out + size;
}

static int json_hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The value of four hex digits. */
static uint32_t json_hex_code(const uint8_t *at)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; i++)
        code = code << 4 | (uint32_t)json_hex_digit(at[i]);
    return code;
}

static bool json_is_high_surrogate(uint32_t code)
{
    return code >> 10 == 0xD800 >> 10;
}

static bool json_is_low_surrogate(uint32_t code)
{
    return code >> 10 == 0xDC00 >> 10;
}

static uint32_t json_surrogate_pair(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
}

static bool json_skip_hex(tl_json_cursor *c, uint32_t *code)
{
    for (int i = 0; i < 4; i++, c->at++)
        if (json_hex_digit(tl_json_peek(c)) < 0)
            return tl_json_expected(c, "one of four hex digits after \\u");
    *code = json_hex_code(c->at - 4);
    return true;
}

static bool json_refuse_nul(const tl_json_cursor *c, const uint8_t *at)
{
    return TL_JSON_WRONG(c, at, "a string holds the character NUL, must hold others only");
}

/* From after \u. */
static bool json_skip_unicode(tl_json_cursor *c, size_t *length)
{
    const uint8_t *start = c->at - 2;
    uint32_t code, low;
    if (!json_skip_hex(c, &code))
        return false;
    if (code == 0)
        return json_refuse_nul(c, start);
    if (json_is_low_surrogate(code))
        return TL_JSON_WRONG(c, start, "a low surrogate stands alone, must follow a high surrogate");
    if (json_is_high_surrogate(code)) {
        const bool follows = c->end - c->at >= 2 && c->at[0] == '\\' && c->at[1] == 'u';
        c->at += follows ? 2 : 0;
        if (follows && !json_skip_hex(c, &low))
            return false;
        if (!follows || !json_is_low_surrogate(low))
            return TL_JSON_WRONG(c, start, "a high surrogate stands alone, must be followed by a low surrogate");
        code = json_surrogate_pair(code, low);
    }
    *length += json_utf8_size(code);
    return true;
}

/* Skips a character that is not plain. */
static bool json_skip_character(tl_json_cursor *c, size_t *length)
{
    const uint8_t *at = c->at;
    if (at == c->end)
        return tl_json_expected(c, "the closing quote of a string");
    if (*at == '\\') {
        c->at++;
        const int kind = tl_json_peek(c);
        if (kind <= 0 || !strchr("\"\\/bfnrtu", kind))
            return tl_json_expected(c, "one of \" \\ / b f n r t u after the backslash");
        c->at++;
        if (kind == 'u')
            return json_skip_unicode(c, length);
        *length += 1;
        return true;
    }
    if (*at == 0)
        return json_refuse_nul(c, at);
    if (*at < 0x20)
        return TL_JSON_WRONG(c, at, "a string holds the control byte 0x%02X, must be escaped as \\u%04X", *at, *at);
    const size_t size = tl_utf8_length(at, c->end);
    if (size == 0)
        return TL_JSON_WRONG(c, at, "a string holds the byte 0x%02X, must be UTF-8", *at);
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
        c->at = json_skip_plain(from, c->end);
        *length += (size_t)(c->at - from);
        if (tl_json_peek(c) == '"')
            break;
        if (!json_skip_character(c, length))
            return false;
    }
    c->at++;
    return true;
}

/* ---- unescaping ---- */

/* Unescapes the escape sequence at a backslash and returns its end. */
static const uint8_t *json_unescape_one(const uint8_t *at, char **out)
{
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    if (at[1] == 'u') {
        uint32_t code = json_hex_code(at + 2);
        const bool pair = json_is_high_surrogate(code);
        if (pair)
            code = json_surrogate_pair(code, json_hex_code(at + 8));
        *out = json_put_utf8(*out, code);
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
        memmove(out, at, before); /* may be in the same place */
        out += before;
        at = escape ? json_unescape_one(escape, &out) : end;
    }
    *out = '\0';
}
