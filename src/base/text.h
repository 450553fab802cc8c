/* text.h: text into a buffer of fixed size. What does not fit is dropped, but counted. */
#ifndef TL_BASE_TEXT_H
#define TL_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct tl_text {
    char *out;
    size_t room, length; /* length: of the whole text, also of what was dropped */
} tl_text;

tl_text tl_text_begin(char *out, size_t room);
void tl_text_add(tl_text *text, const char *more);
/* The same, after a comma when it is not the first. */
void tl_text_add_item(tl_text *text, const char *item);
/* "0x" and that many digits. */
void tl_text_add_hex(tl_text *text, uint64_t value, int digits);

#endif
