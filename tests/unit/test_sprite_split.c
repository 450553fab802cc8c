/* Images that are cut into pieces, against a search of all sizes. */
#include "harness.h"
#include "n64/texels.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <string.h>

enum { SIDE = 96 };
static uint8_t pixels[SIDE * SIDE][4];

/* With all its mipmaps down to 4 by 4. */
static bool piece_fits(trilo_texels texels, bool mipmaps, uint32_t width, uint32_t height)
{
    tl_tmem tmem = {0};
    for (tl_tmem_add(&tmem, texels, width, height); mipmaps && width >= 8 && height >= 8;) {
        width /= 2, height /= 2;
        tl_tmem_add(&tmem, texels, width, height);
    }
    return tl_tmem_fits(&tmem);
}

/* The fewest pieces; of as many, those with the shortest edge; then the narrower ones. */
static trilo_sprite_pieces best_pieces(trilo_texels texels, bool mipmaps, uint32_t width, uint32_t height)
{
    trilo_sprite_pieces best = {0};
    for (uint32_t w = 4; w <= 1024; w *= 2)
        for (uint32_t h = 4; h <= 1024; h *= 2) {
            const uint32_t columns = (width + w - 1) / w, rows = (height + h - 1) / h, count = columns * rows;
            const bool better =
                best.count == 0 || count < best.count || (count == best.count && w + h < best.width + best.height);
            if (better && piece_fits(texels, mipmaps, w, h))
                best = (trilo_sprite_pieces){w, h, columns, rows, count, NULL};
        }
    return best;
}

/* RGBA32 shows the pixels as they are. */
static void check_pieces(trilo_texels texels, bool mipmaps, uint32_t width, uint32_t height)
{
    const trilo_bitmap bitmap = {.image = {width, height, (const uint8_t(*)[4])pixels}};
    const trilo_sprite_opts opts = {.texels = texels, .mipmaps = mipmaps};
    const trilo_sprite_pieces want = best_pieces(texels, mipmaps, width, height);
    const trilo_sprite_pieces *got = trilo_sprite_split(&bitmap, &opts, NULL);
    CHECK(got != NULL);
    CHECK_INT(got->width, want.width);
    CHECK_INT(got->height, want.height);
    CHECK_INT(got->columns, want.columns);
    CHECK_INT(got->rows, want.rows);
    CHECK_INT(got->count, want.count);
    for (uint32_t i = 0; i < got->count; i++) {
        const trilo_image *image = &got->sprites[i]->image;
        const uint32_t left = i % want.columns * want.width, top = i / want.columns * want.height;
        CHECK(got->sprites[i]->fits_tmem);
        CHECK_INT(image->width, left + want.width < width ? want.width : width - left);
        CHECK_INT(image->height, top + want.height < height ? want.height : height - top);
        for (uint32_t y = 0; texels == TRILO_TEXELS_RGBA32 && y < image->height; y++)
            CHECK(memcmp(image->pixels[(size_t)y * image->width], pixels[(size_t)(top + y) * width + left],
                         (size_t)image->width * 4) == 0);
    }
    trilo_sprite_pieces_free(got);
}

TEST(the_fewest_pieces)
{
    uint64_t seed = 1;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint64_t bits = random_bits(&seed);
        for (int c = 0; c < 4; c++)
            pixels[i][c] = (uint8_t)(bits >> 8 * c);
    }
    static const trilo_texels formats[] = {TRILO_TEXELS_RGBA32, TRILO_TEXELS_RGBA16, TRILO_TEXELS_I8};
    for (uint32_t round = 0; round < test_rounds(300, TEST_SLOW ? 6 : 30); round++) {
        const uint64_t bits = random_bits(&seed);
        check_pieces(formats[round % 3], bits & 1, 1 + (uint32_t)(bits >> 8) % SIDE, 1 + (uint32_t)(bits >> 20) % SIDE);
    }
    check_pieces(TRILO_TEXELS_RGBA32, false, 32, 32); /* one that fits, and one more row or column */
    check_pieces(TRILO_TEXELS_RGBA32, false, 33, 32);
    check_pieces(TRILO_TEXELS_RGBA32, false, 32, 33);
}

/* A piece has 1024 texels of RGBA32 at most: 1024 by 1025 are more than 1024 pieces. Nothing of it is looked at. */
TEST(too_many_pieces)
{
    const trilo_bitmap bitmap = {.image = {1024, 1025, (const uint8_t(*)[4])pixels}};
    const trilo_sprite_opts opts = {.texels = TRILO_TEXELS_RGBA32};
    trilo_error err = {0};
    CHECK(!trilo_sprite_split(&bitmap, &opts, &err));
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    CHECK_STR(err.rule, "IMAGE-SPRITE");
    CHECK_STR(err.text, "1024 by 1025 pixels would be more than 1024 pieces; make the image smaller");
    const trilo_sprite_opts guard = {.guard = 1};
    CHECK(!trilo_sprite_split(&bitmap, &guard, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    const trilo_sprite_opts little = {.texels = TRILO_TEXELS_I8, .memory = {.max_bytes = 64}};
    CHECK(!trilo_sprite_split(&(trilo_bitmap){.image = {8, 8, (const uint8_t(*)[4])pixels}}, &little, &err));
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    trilo_sprite_pieces_free(NULL);
}

TEST_MAIN(CASE(the_fewest_pieces), CASE(too_many_pieces))
