#include "ui/text.h"

#include "alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 80 };

/* How long a character with that first byte is, and the least code point that needs so many bytes. */
static size_t sequence_size(unsigned char first, uint32_t *least)
{
    static const uint32_t leasts[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t size = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
    *least = leasts[size];
    return size;
}

size_t text_char_size(const char *text, size_t len)
{
    uint32_t least, code;
    if (len == 0)
        return 0;
    const unsigned char first = (unsigned char)*text;
    const size_t size = sequence_size(first, &least);
    if (size == 0 || size > len)
        return 0;
    code = size == 1 ? first : first & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        const unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3Fu);
    }
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    return code < least || code > 0x10FFFF || surrogate || control ? 0 : size;
}

char *text_escaped(const char *text, size_t len)
{
    char *out = need(NULL, len + 1, 4);
    size_t used = 0;
    for (size_t i = 0; i < len;) {
        const size_t size = text_char_size(text + i, len - i);
        if (size == 0) {
            used += (size_t)snprintf(out + used, 5, "\\x%02X", (unsigned)(unsigned char)text[i]);
        } else {
            memcpy(out + used, text + i, size);
            used += size;
        }
        i += size ? size : 1;
    }
    out[used] = '\0';
    return out;
}

void text_put(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        const size_t size = text_char_size(text + i, len - i);
        if (size == 0)
            fprintf(out, "\\x%02X", (unsigned)(unsigned char)text[i]);
        else
            fwrite(text + i, 1, size, out);
        i += size ? size : 1;
    }
}

void text_puts(FILE *out, const char *text)
{
    text_put(out, text, strlen(text));
}

void text_name(FILE *out, trilo_str name)
{
    if (name.len == 0)
        return;
    fputs(" \"", out);
    text_put(out, name.data, name.len);
    fputc('"', out);
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

const char *text_count(uint64_t value, char out[32])
{
    char digits[24];
    const size_t len = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, value);
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

const char *text_rounded(double value, char out[32])
{
    const double size = fabs(value);
    if (isnan(value))
        snprintf(out, 32, "nan");
    else if (size >= 1e5 && size < 1e15)
        snprintf(out, 32, "%.0f", value);
    else
        snprintf(out, 32, "%.5g", size == 0 ? 0 : value); /* no "-0"; the program never leaves the C locale */
    return out;
}

const char *text_float(float value, char out[32])
{
    out[trilo_float_print(value, out)] = '\0';
    return out;
}

const char *text_double(double value, char out[32])
{
    out[trilo_double_print(value, out)] = '\0';
    return out;
}

const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void text_wrap(FILE *out, const char *text, size_t column, size_t indent)
{
    bool fresh = true; /* nothing stands on this line that needs a space behind it */
    while (*text) {
        const size_t len = strcspn(text, " ");
        if (!fresh && column + 1 + len > LINE_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            fresh = true;
        }
        column += (size_t)fprintf(out, "%s%.*s", fresh ? "" : " ", (int)len, text);
        fresh = false;
        text += len;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}
