/* oklab.h: sRGB colours in Oklab, where distances are about as large as they look (Bjorn Ottosson, "A perceptual color
 * space for image processing", 2020). The same bits on every machine. */
#ifndef TL_IMAGE_OKLAB_H
#define TL_IMAGE_OKLAB_H

#include <stdint.h>

typedef struct tl_oklab {
    float v[3]; /* lightness from 0 to 1, green to red, blue to yellow */
} tl_oklab;

/* Linear light of each sRGB value. */
typedef struct tl_srgb_table {
    float linear[256];
} tl_srgb_table;

void tl_srgb_table_init(tl_srgb_table *table);
tl_oklab tl_oklab_of(const tl_srgb_table *table, const uint8_t *rgb);
/* Linear light from 0 to 1 as an sRGB value. */
uint8_t tl_srgb_byte(float linear);

#endif
