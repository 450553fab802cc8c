/* Text into a buffer of fixed size. */
#include "base/text.h"

#include <string.h>

tl_text tl_text_begin(char *out, size_t room)
{
    if (room > 0)
        out[0] = '\0';
    return (tl_text){out, room, 0};
}

void tl_text_add(tl_text *text, const char *more)
{
    const size_t length = strlen(more);
    if (text->length + 1 < text->room) {
        const size_t left = text->room - 1 - text->length, fits = length < left ? length : left;
        memcpy(text->out + text->length, more, fits);
        text->out[text->length + fits] = '\0';
    }
    text->length += length;
}

void tl_text_add_item(tl_text *text, const char *item)
{
    if (text->length > 0)
        tl_text_add(text, ", ");
    tl_text_add(text, item);
}

void tl_text_add_hex(tl_text *text, uint64_t value, int digits)
{
    char hex[2 + 16 + 1] = "0x";
    for (int i = 0; i < digits; i++)
        hex[2 + i] = "0123456789ABCDEF"[value >> 4 * (digits - 1 - i) & 15];
    hex[2 + digits] = '\0';
    tl_text_add(text, hex);
}
