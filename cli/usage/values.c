#include "usage/values.h"

bool value_count(const char *text, uint32_t least, uint32_t most, uint32_t *count)
{
    uint64_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && value <= most; c++)
        value = 10 * value + (uint64_t)(*c - '0');
    *count = (uint32_t)value;
    return c > text && *c == '\0' && value >= least && value <= most;
}

/* One axis; returns the text after it. */
static const char *take_axis(const char *text, int8_t *axis)
{
    const int8_t sign = *text == '-' ? -1 : 1;
    text += *text == '-';
    const char letter = (char)(*text | 0x20); /* either case */
    if (letter < 'x' || letter > 'z')
        return text;
    *axis = (int8_t)(sign * (letter - 'x' + 1));
    return text + 1;
}

bool value_axes(const char *text, int8_t axes[3])
{
    bool taken[4] = {false};
    for (int i = 0; i < 3; i++) {
        if (i > 0 && (*text == ',' || *text == ':'))
            text++;
        axes[i] = 0;
        text = take_axis(text, &axes[i]);
        const int axis = axes[i] < 0 ? -axes[i] : axes[i];
        if (axis == 0 || taken[axis])
            return false;
        taken[axis] = true;
    }
    return *text == '\0';
}
