/* Any bytes as an image file: sprites above all, which have no magic and so come through whole. */
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/exercise.h"

enum { LIMIT = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    meter m = {0};
    const trilo_memory memory = meter_memory(&m, LIMIT);
    trilo_error err = {0};
    const trilo_image *image = trilo_image_decode((trilo_bytes){data, size}, &memory, &err);
    if (image) {
        CHECK(image->width > 0 && image->height > 0);
        trilo_fnv1a(image->pixels, (size_t)image->width * image->height * 4); /* every byte can be read */
    } else {
        CHECK(err.code != TRILO_CODE_OK && err.text[0] != '\0' && trilo_rule_find(err.rule));
    }
    trilo_image_free(image);
    CHECK_INT(m.now, 0);
    return 0;
}
