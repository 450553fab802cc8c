/* TOML strings: basic "..." with escapes, literal '...' without, and both over several lines with three quotes. That
 * the text is UTF-8 without forbidden control characters was checked before. */
#include "base/toml_steps.h"

#include <string.h>

static int toml_hex(int byte)
{
    if (tl_toml_is_digit(byte))
        return byte - '0';
    const int letter = byte | 0x20;
    return byte > 0 && letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static char *toml_put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t leads[4] = {0, 0xC0, 0xE0, 0xF0};
    *out++ = (char)(leads[more] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; i--)
        *out++ = (char)(0x80 | ((code >> (6 * i)) & 0x3F));
    return out;
}

/* "\u00E9" or "\U0001F41A", the cursor at the u. */
static bool toml_read_code(tl_toml_cursor *c, char **out)
{
    const uint8_t *start = c->at - 1;
    const int digits = *c->at++ == 'u' ? 4 : 8;
    uint32_t code = 0;
    for (int i = 0; i < digits; i++) {
        const int digit = toml_hex(tl_toml_peek(c));
        if (digit < 0)
            return tl_toml_expected(c,
                                    digits == 4 ? "one of four hexadecimal digits" : "one of eight hexadecimal digits");
        code = code << 4 | (uint32_t)digit;
        c->at++;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return tl_toml_wrong(c, start,
                             "the escape U+%04lX is not a character, must be below U+D800 or from U+E000 to U+10FFFF",
                             (unsigned long)code);
    *out = toml_put_utf8(*out, code);
    return true;
}

/* A backslash at the end of a line: it, the end of the line and all white space after it are left out. */
static bool toml_skip_line_end(tl_toml_cursor *c)
{
    const uint8_t *at = c->at;
    bool ended = false;
    for (; at < c->end && strchr(" \t\r\n", *at); at++)
        ended |= *at == '\n';
    if (ended)
        c->at = at;
    return ended;
}

/* The cursor is after the backslash. */
static bool toml_read_escape(tl_toml_cursor *c, bool multi, char **out)
{
    static const char letters[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    const int byte = tl_toml_peek(c);
    const char *letter = byte > 0 ? strchr(letters, byte) : NULL;
    if (letter) {
        *(*out)++ = values[letter - letters];
        c->at++;
        return true;
    }
    if (byte == 'u' || byte == 'U')
        return toml_read_code(c, out);
    if (multi && toml_skip_line_end(c))
        return true;
    return tl_toml_expected(c, "one of b t n f r \" \\ u U after a backslash");
}

static bool toml_starts(const tl_toml_cursor *c, uint8_t quote, int count)
{
    for (int i = 0; i < count; i++)
        if (c->end - c->at <= i || c->at[i] != quote)
            return false;
    return true;
}

bool tl_toml_read_string(tl_toml_cursor *c, bool one_line, trilo_str *out)
{
    const uint8_t *first = c->at;
    const uint8_t quote = *first;
    const bool multi = toml_starts(c, quote, 3);
    if (multi && one_line)
        return tl_toml_wrong(c, first, "a key has three quotes, must have one on each side");
    c->at += multi ? 3 : 1;
    if (multi) /* the first line may be empty */
        c->at += tl_toml_peek(c) == '\n' ? 1 : c->end - c->at > 1 && c->at[0] == '\r' && c->at[1] == '\n' ? 2 : 0;
    /* The result is never longer than its source. The end is found first, to allocate no more than that. */
    const uint8_t *stop = c->at;
    for (; stop < c->end && (multi || *stop != '\n'); stop++) {
        if (*stop == '\\' && quote == '"' && c->end - stop > 1)
            stop++;
        else if (*stop == quote && (!multi || (c->end - stop > 2 && stop[1] == quote && stop[2] == quote)))
            break;
    }
    char *text = tl_array_raw(c->arena, (size_t)(stop - c->at) + 3, 1), *put = text;
    if (!text)
        return tl_fail_memory(c->err);
    while (!toml_starts(c, quote, multi ? 3 : 1)) {
        const int byte = tl_toml_peek(c);
        if (byte < 0 || (!multi && (byte == '\n' || byte == '\r')))
            return tl_toml_wrong(c, first, "the string that starts here has no closing %s%s",
                                 multi ? "three quotes" : "quote", multi ? "" : " on its line");
        c->at++;
        if (byte == '\\' && quote == '"') {
            if (!toml_read_escape(c, multi, &put))
                return false;
        } else {
            *put++ = (char)byte;
        }
    }
    for (int extra = 0; multi && extra < 2 && toml_starts(c, quote, 4); extra++) {
        *put++ = (char)quote; /* up to two quotes may precede the closing three */
        c->at++;
    }
    c->at += multi ? 3 : 1;
    *put = '\0';
    *out = (trilo_str){text, (size_t)(put - text)};
    return true;
}
