#include "ui/text.h"

#include "alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 80 };

/* How long a character with that first byte is, and the least code point that needs that many bytes. */
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

size_t text_decode(const char *text, size_t len, uint32_t *code)
{
    uint32_t least;
    if (len == 0)
        return 0;
    const unsigned char first = (unsigned char)*text;
    const size_t size = sequence_size(first, &least);
    if (size == 0 || size > len)
        return 0;
    *code = size == 1 ? first : first & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        const unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (next & 0x3Fu);
    }
    const bool surrogate = *code >= 0xD800 && *code < 0xE000;
    return *code < least || *code > 0x10FFFF || surrogate ? 0 : size;
}

/* Control and format characters of Unicode (Cc, Cf, Zl, Zp) and fillers that show nothing: bidirectional ones make a
 * name read as another ("Trojan Source", Boucher and Anderson 2021), zero-width ones make two names look the same.
 */
bool text_is_hidden(uint32_t code)
{
    static const uint32_t ranges[][2] = {{0x0, 0x1F},        {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},
                                         {0x600, 0x605},     {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},
                                         {0x890, 0x891},     {0x8E2, 0x8E2},     {0x115F, 0x1160},   {0x17B4, 0x17B5},
                                         {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
                                         {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
                                         {0xFFF0, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F},
                                         {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && ranges[i][0] <= code; i++)
        if (code <= ranges[i][1])
            return true;
    return false;
}

size_t text_char_size(const char *text, size_t len)
{
    uint32_t code;
    const size_t size = text_decode(text, len, &code);
    return size > 0 && text_is_hidden(code) ? 0 : size;
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
    bool fresh = true; /* the line has no word yet that needs a space after it */
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
