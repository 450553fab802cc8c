/* Oklab. */
#include "base/strict_float.h"

#include "base/gamma.h"
#include "image/oklab.h"

#include <string.h>

void tl_srgb_table_init(tl_srgb_table *table)
{
    for (int i = 0; i < 256; i++)
        table->linear[i] = tl_srgb_decode((float)i / 255);
}

uint8_t tl_srgb_byte(float linear)
{
    const float encoded = tl_srgb_encode(linear < 1 ? linear : 1) * 255 + 0.5f;
    return (uint8_t)(encoded < 255 ? encoded : 255);
}

/* Newton's method; dividing the bits of a float by three divides its exponent. */
static float oklab_cube_root(float x)
{
    uint32_t bits;
    float y;
    if (!(x > 1e-12f))
        return 0;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 0x2A514067;
    memcpy(&y, &bits, sizeof y);
    for (int i = 0; i < 3; i++)
        y = (2 * y + x / (y * y)) / 3;
    return y;
}

tl_oklab tl_oklab_of(const tl_srgb_table *table, const uint8_t *rgb)
{
    const float r = table->linear[rgb[0]], g = table->linear[rgb[1]], b = table->linear[rgb[2]];
    const float l = oklab_cube_root(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    const float m = oklab_cube_root(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    const float s = oklab_cube_root(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return (tl_oklab){{0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
                       1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
                       0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s}};
}
