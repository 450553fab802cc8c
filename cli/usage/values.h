/* values.h: parses option values: counts and axes. */
#ifndef TL_CLI_USAGE_VALUES_H
#define TL_CLI_USAGE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* A count in plain digits, from `least` to `most`. */
bool value_count(const char *text, uint32_t least, uint32_t most, uint32_t *count);

/* "z,x,-y", "Z:X:-Y" or "zx-y": the source axis for each of x, y, z: 1 x, 2 y, 3 z, negative if mirrored. */
bool value_axes(const char *text, int8_t axes[3]);

#endif
