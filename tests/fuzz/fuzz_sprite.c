/* Any pixels and any options to a sprite, and back: the first 16 bytes are size and options, the rest are pixels. */
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/exercise.h"
#include "trilobite/sprite.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 24, HEAD = 16, MOST = 48 };

static void check_sprite(const trilo_sprite *sprite, const trilo_bitmap *bitmap, const trilo_error *err)
{
    if (!sprite) {
        CHECK(err->code != TRILO_CODE_OK && err->text[0] != '\0');
        return;
    }
    CHECK_INT(sprite->width, bitmap->image.width);
    CHECK(sprite->difference.psnr >= 0 && sprite->difference.psnr <= 99);
    for (uint32_t i = 0; i <= sprite->mipmap_count; i++) {
        const trilo_image *image = trilo_sprite_decode(sprite->bytes, i, NULL, NULL);
        CHECK(image && image->width == bitmap->image.width >> i && image->height == bitmap->image.height >> i);
        if (i == 0)
            CHECK(memcmp(image->pixels, sprite->image.pixels, (size_t)image->width * image->height * 4) == 0);
        trilo_image_free(image);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t pixels[MOST * MOST][4], indices[MOST * MOST], colors[256][4];
    if (size < HEAD)
        return 0;
    const uint32_t width = data[0] % MOST + 1, height = data[1] % MOST + 1;
    for (size_t i = 0; i < (size_t)width * height; i++)
        for (size_t c = 0; c < 4; c++)
            pixels[i][c] = size > HEAD ? data[HEAD + (4 * i + c) % (size - HEAD)] : (uint8_t)(i * c);
    trilo_bitmap bitmap = {.image = {width, height, (const uint8_t(*)[4])pixels},
                           .kind = (trilo_pixel_kind)(data[2] % 5),
                           .bits = data[3] % 17};
    if (bitmap.kind == TRILO_PIXEL_KIND_INDEXED) {
        bitmap.color_count = data[4] + 1u;
        for (size_t i = 0; i < (size_t)width * height; i++) {
            indices[i] = (uint8_t)(pixels[i][0] % bitmap.color_count);
            memcpy(colors[indices[i]], pixels[i], 4);
        }
        bitmap.indices = indices;
        bitmap.colors = (const uint8_t(*)[4])colors;
    }
    meter m = {0};
    trilo_error err = {0};
    const trilo_sprite_sampling sampling[2] = {{data[5], data[6], (int16_t)data[7], data[8] & 1}, {1, 1, 1, true}};
    const trilo_sprite_opts opts = {.memory = meter_memory(&m, LIMIT),
                                    .target = (trilo_sprite_target)(data[9] & 1),
                                    .texels = (trilo_texels)(data[10] % 12),
                                    .mipmaps = data[11] & 1,
                                    .gamma = data[11] & 2,
                                    .quality = data[11] & 4,
                                    .dither = (trilo_dither)(data[12] % 3),
                                    .sampling = data[11] & 8 ? sampling : NULL,
                                    .detail = data[11] & 16,
                                    .detail_bitmap = data[11] & 32 ? &bitmap : NULL,
                                    .detail_texels = (trilo_texels)(data[13] % 12)};
    const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, &err);
    check_sprite(sprite, &bitmap, &err);
    trilo_sprite_free(sprite);
    const trilo_resize_opts resize = {.memory = opts.memory,
                                      .width = data[14] % 64,
                                      .height = data[15] % 64,
                                      .repeat_s = data[11] & 64,
                                      .repeat_t = data[11] & 128};
    const trilo_image *resized = trilo_image_resize(&bitmap.image, &resize, &err);
    CHECK((resized != NULL) == (resize.width > 0 && resize.height > 0));
    trilo_image_free(resized);
    CHECK_INT(m.now, 0);
    return 0;
}
