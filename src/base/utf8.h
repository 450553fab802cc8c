/* utf8.h: which bytes are a character of UTF-8 (RFC 3629). */
#ifndef TL_BASE_UTF8_H
#define TL_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the character at `at`, or 0 if it is invalid or cut off at `end`. The range of the second byte
 * excludes overlong encodings, surrogates and code points above U+10FFFF. */
static inline size_t tl_utf8_length(const uint8_t *at, const uint8_t *end)
{
    const uint8_t lead = at[0];
    if (lead < 0x80)
        return 1;
    const size_t length = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || (size_t)(end - at) < length)
        return 0;
    const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    bool valid = at[1] >= low && at[1] <= high;
    for (size_t i = 2; i < length; i++)
        valid = valid && (at[i] & 0xC0) == 0x80;
    return valid ? length : 0;
}

#endif
