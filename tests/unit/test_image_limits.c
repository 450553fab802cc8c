/* What calls about images and sprites refuse, with codes and texts, and what they just accept. */
#include "harness.h"

#include <trilobite/image.h>
#include <trilobite/sprite.h>

#include <string.h>

static const uint8_t grey[64][4] = {{9, 9, 9, 255}};
static const trilo_image small = {8, 8, grey};

static void expect(const trilo_error *err, trilo_code code, const char *text)
{
    CHECK_INT(err->code, code);
    CHECK_STR(err->text, text);
}

/* ---- options ---- */

static bool no_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    (void)user, (void)index, (void)frame, (void)err;
    FAIL("a frame was asked for");
}

static bool no_output(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    FAIL("something was written");
}

/* Options that are not zero-filled are a mistake of the caller, and nothing is done. */
TEST(options_must_be_zero_filled)
{
    const trilo_bitmap bitmap = {.image = small};
    const trilo_sprite_opts sprite = {.guard = 1};
    trilo_palette palette = {.count = 7};
    trilo_shared_image shared;
    trilo_sprite_plan plan;
    uint32_t count = 5;
    for (int i = 0; i < 8; i++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        const trilo_image *image = NULL;
        bool done = false;
        if (i == 0)
            done = trilo_image_quantize(&small, 1, &(trilo_quantize_opts){.guard = 1}, &palette, NULL, &err);
        else if (i == 1)
            done = trilo_palettes_share(&small, 1, &(trilo_share_opts){.guard = 1}, &shared, &palette, &count, &err);
        else if (i == 2)
            image = trilo_image_resize(&small, &(trilo_resize_opts){.guard = 1, .width = 1, .height = 1}, &err);
        else if (i == 3)
            done = trilo_picture_write(&(trilo_picture_opts){.guard = 1}, no_frame, NULL, no_output, NULL, &err);
        else if (i == 4)
            done = trilo_sprite_encode(&bitmap, &sprite, &err);
        else if (i == 5)
            done = trilo_sprite_split(&bitmap, &sprite, &err);
        else if (i == 6)
            done = trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.guard = 1}, &plan, &err);
        else
            done = trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.sprite = &sprite}, &plan, &err);
        CHECK(!done && !image);
        CHECK_INT(err.code, TRILO_CODE_MISUSE);
        CHECK(palette.count == 7 && count == 5);
    }
    trilo_error err;
    for (int kind = -1; kind < 6; kind += 5) { /* one before the first kind, and one behind the last */
        const trilo_picture_opts opts = {.kind = (trilo_picture_kind)kind};
        CHECK(!trilo_picture_write(&opts, no_frame, NULL, no_output, NULL, &err));
        expect(&err, TRILO_CODE_MISUSE, "the kind of picture is not one of its enumerators");
    }
}

TEST(palettes_need_pixels)
{
    static const trilo_image images[] = {{8, 8, grey}, {0, 8, grey}, {8, 0, grey}, {8, 8, NULL}, {8, 8, grey}};
    trilo_palette palette;
    trilo_error err;
    for (size_t i = 0; i < 6; i++) { /* each beside a good one; the last: none at all */
        const trilo_image two[2] = {i % 2 ? small : images[i % 5], i % 2 ? images[i % 5] : small};
        const bool ok = trilo_image_quantize(two, i == 5 ? 0 : 2, NULL, &palette, NULL, &err);
        CHECK_INT(ok, i == 0 || i == 4);
        if (!ok)
            expect(&err, TRILO_CODE_MISUSE, "there are no pixels, or more than 256 colours");
    }
    CHECK(trilo_image_quantize(&small, 1, &(trilo_quantize_opts){.colors = 256}, &palette, NULL, &err));
    CHECK(!trilo_image_quantize(&small, 1, &(trilo_quantize_opts){.colors = 257}, &palette, NULL, &err));
    expect(&err, TRILO_CODE_MISUSE, "there are no pixels, or more than 256 colours");
}

/* ---- sizes ---- */

/* 4096 by 4096 pixels, and no side of 0. */
TEST(sizes_of_images)
{
    static const struct {
        uint32_t width, height;
        trilo_code code;
        const char *text;
    } rows[] = {{0, 1, TRILO_CODE_BAD_VALUE, "the image is 0 by 1 pixels; each must be at least 1"},
                {1, 0, TRILO_CODE_BAD_VALUE, "the image is 1 by 0 pixels; each must be at least 1"},
                {4097, 4096, TRILO_CODE_LIMIT, "the image is 4097 by 4096 pixels; at most 16777216 are read"},
                {1, 16777217, TRILO_CODE_LIMIT, "the image is 1 by 16777217 pixels; at most 16777216 are read"},
                {4096, 4096, TRILO_CODE_NO_MEMORY, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trilo_error err;
        const trilo_image image = {rows[i].width, rows[i].height, grey};
        const trilo_memory memory = {.max_bytes = 1 << 20};
        const trilo_resize_opts resize = {.memory = memory, .width = rows[i].width, .height = rows[i].height};
        for (int k = 0; k < 2; k++) {
            CHECK(!(k ? trilo_image_resize(&small, &resize, &err)
                      : trilo_image_as_texels(&image, TRILO_TEXELS_RGBA16, &memory, &err)));
            CHECK_INT(err.code, rows[i].code);
            if (rows[i].text)
                CHECK_STR(err.text, rows[i].text);
        }
    }
}

/* An image without pixels has no format, no plan and no layers. */
TEST(sprites_need_pixels)
{
    static const trilo_image images[] = {{0, 8, grey}, {8, 0, grey}, {8, 8, NULL}};
    static const char *const texts[] = {"the image is 0 by 8 pixels; each must be at least 1",
                                        "the image is 8 by 0 pixels; each must be at least 1",
                                        "the image is 8 by 8 pixels; each must be at least 1"};
    for (int i = 0; i < 3 * 3; i++) {
        const trilo_bitmap bitmap = {.image = images[i % 3]};
        const trilo_sprite_opts opts = {.layers = (trilo_sprite_layers)(i / 3), .texels = TRILO_TEXELS_RGBA16};
        trilo_sprite_plan plan;
        trilo_error err;
        CHECK(!trilo_sprite_encode(&bitmap, &opts, &err));
        expect(&err, TRILO_CODE_BAD_VALUE, texts[i % 3]);
        CHECK(!trilo_sprite_plan_make(&bitmap, NULL, &plan, &err));
        expect(&err, TRILO_CODE_BAD_VALUE, texts[i % 3]);
    }
}

TEST(sides_of_sprites)
{
    static uint8_t row[65536][4];
    trilo_error err;
    for (int i = 0; i < 4; i++) {
        const uint32_t width = i == 0   ? 65536
                               : i == 1 ? 1
                               : i == 2 ? 65535
                                        : 1,
                       height = i == 1   ? 65536
                                : i == 3 ? 65535
                                         : 1;
        const trilo_bitmap bitmap = {.image = {width, height, (const uint8_t(*)[4])row}};
        const trilo_sprite *sprite =
            trilo_sprite_encode(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_I4}, &err);
        CHECK_INT(sprite != NULL, i > 1);
        if (!sprite)
            expect(&err, TRILO_CODE_LIMIT,
                   i == 0 ? "the image is 65536 by 1 pixels; a sprite has at most 65535 in each direction: resize it"
                          : "the image is 1 by 65536 pixels; a sprite has at most 65535 in each direction: resize it");
        else
            CHECK(sprite->width == width && sprite->height == height);
        trilo_sprite_free(sprite);
    }
}

/* ---- differences ---- */

/* Images of other sizes are not compared. A pixel counts whichever of its channels differs. */
TEST(differences_of_one_channel)
{
    static const uint8_t black[2][4] = {{0, 0, 0, 255}, {0, 0, 0, 255}};
    const trilo_image a = {2, 1, black}, wide = {1, 1, black}, tall = {1, 2, black}, none = {0, 0, black};
    const trilo_image *const others[] = {&wide, &tall, &none};
    for (int i = 0; i < 3; i++) {
        const trilo_image_difference d = trilo_image_compare(&a, others[i]), e = trilo_image_compare(others[i], &a);
        CHECK(d.psnr == 0 && d.delta_e == 0 && e.psnr == 0 && e.delta_e == 0);
    }
    CHECK(trilo_image_compare(&none, &none).psnr == 0);
    CHECK(trilo_image_compare(&a, &a).psnr == 99 && trilo_image_compare(&a, &a).delta_e == 0);
    for (int c = 0; c < 4; c++) {
        uint8_t other[2][4];
        memcpy(other, black, sizeof other);
        other[1][c] = c == 3 ? 0 : 255;
        const trilo_image b = {2, 1, (const uint8_t(*)[4])other};
        const trilo_image_difference d = trilo_image_compare(&a, &b), back = trilo_image_compare(&b, &a);
        CHECK(d.psnr == back.psnr && d.delta_e == back.delta_e);
        /* One of two pixels is off by 255 in one channel of three, or of four: 10 log10(6) and 10 log10(8). */
        CHECK_NEAR(d.psnr, c == 3 ? 9.0309 : 7.7815, 0.001);
        CHECK(d.delta_e > 10);
    }
}

/* ---- palettes of pieces ---- */

/* Pieces have the palette of the caller, whatever colours the image has; those without a palette ignore it. */
TEST(pieces_with_a_given_palette)
{
    static uint8_t pixels[256 * 64][4];
    for (int i = 0; i < 256 * 64; i++)
        memcpy(pixels[i], (const uint8_t[4]){(uint8_t)(i % 256), 200, 8, 255}, 4);
    const trilo_bitmap bitmap = {.image = {256, 64, (const uint8_t(*)[4])pixels}};
    const trilo_palette palette = {.count = 2, .colors = {{0, 0, 0, 255}, {255, 255, 255, 255}}};
    for (int indexed = 0; indexed < 2; indexed++) {
        const trilo_sprite_opts opts = {.texels = indexed ? TRILO_TEXELS_CI8 : TRILO_TEXELS_RGBA16,
                                        .palette = &palette};
        trilo_error err;
        const trilo_sprite_pieces *pieces = trilo_sprite_split(&bitmap, &opts, &err);
        CHECK(pieces && pieces->count == pieces->columns * pieces->rows && pieces->count > 1);
        for (uint32_t i = 0; i < pieces->count; i++) {
            const trilo_image *image = &pieces->sprites[i]->image;
            CHECK_INT(pieces->sprites[i]->color_count, indexed ? 2 : 0);
            for (uint32_t k = 0; k < image->width * image->height; k++)
                CHECK_INT(image->pixels[k][1], indexed ? image->pixels[k][0] : 25 << 3 | 25 >> 2);
        }
        trilo_sprite_pieces_free(pieces);
    }
    /* More than 1024 pieces of 1024 texels each are refused. */
    static uint8_t large[1025 * 1024][4];
    const trilo_bitmap many = {.image = {1025, 1024, (const uint8_t(*)[4])large}};
    trilo_error err;
    CHECK(!trilo_sprite_split(&many, &(trilo_sprite_opts){.texels = TRILO_TEXELS_RGBA32}, &err));
    expect(&err, TRILO_CODE_LIMIT, "1025 by 1024 pixels would be more than 1024 pieces; make the image smaller");
    trilo_sprite_pieces_free(NULL);
}

/* Beside a texture that fills TMEM no size is left. */
TEST(no_size_fits)
{
    uint8_t opaque[64][4];
    memset(opaque, 255, sizeof opaque);
    const trilo_bitmap bitmap = {.image = {8, 8, (const uint8_t(*)[4])opaque}};
    const trilo_plan_opts opts = {.other_texels = TRILO_TEXELS_RGBA16, .other_width = 64, .other_height = 32};
    trilo_sprite_plan plan;
    trilo_error err;
    CHECK(!trilo_sprite_plan_make(&bitmap, &opts, &plan, &err));
    expect(&err, TRILO_CODE_LIMIT, "no size of the image fits TMEM beside the other textures of its material");
    for (uint32_t i = 0; i < plan.candidate_count; i++) {
        const trilo_texels texels = plan.candidates[i].texels;
        const bool indexed = texels == TRILO_TEXELS_CI4 || texels == TRILO_TEXELS_CI8;
        CHECK_INT(plan.candidates[i].verdict, indexed ? TRILO_PLAN_VERDICT_PALETTE : TRILO_PLAN_VERDICT_TMEM);
        CHECK_INT(plan.candidates[i].size, 0);
    }
}

/* Beside a texture with a palette only CI4 and CI8 are left. One colour that neither has is as far away in both: the
 * smaller format is chosen. */
TEST(the_smaller_of_equal_formats)
{
    uint8_t pixels[64][4];
    for (int i = 0; i < 64; i++)
        memcpy(pixels[i], (const uint8_t[4]){100, 37, 201, 255}, 4);
    const trilo_bitmap bitmap = {.image = {8, 8, (const uint8_t(*)[4])pixels}};
    const trilo_plan_opts opts = {
        .max_delta_e = 1e-9, .other_texels = TRILO_TEXELS_CI4, .other_width = 8, .other_height = 8};
    trilo_sprite_plan plan;
    CHECK(trilo_sprite_plan_make(&bitmap, &opts, &plan, NULL));
    CHECK(!plan.within_error);
    CHECK_INT(plan.candidates[plan.chosen].texels, TRILO_TEXELS_CI4);
    CHECK(plan.candidates[plan.chosen].difference.delta_e > 0);
}

/* ---- decoders of the caller ---- */

static bool give(void *user, trilo_image_kind kind, trilo_bytes bytes, trilo_decode_memory *memory,
                 trilo_bitmap *bitmap, trilo_error *err)
{
    (void)kind, (void)bytes, (void)memory, (void)err;
    *bitmap = *(const trilo_bitmap *)user;
    return true;
}

/* Pixels, and indices if and only if it is indexed, colours if and only if there are some, each index below them. */
TEST(bitmaps_of_other_decoders)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    static const uint8_t low[64] = {[63] = 1}, high[64] = {[63] = 2};
    const trilo_bitmap rows[] = {
        {.image = small, .kind = TRILO_PIXEL_KIND_RGB},
        {.image = small, .kind = TRILO_PIXEL_KIND_INDEXED, .indices = low, .color_count = 2, .colors = grey},
        {.image = small, .kind = TRILO_PIXEL_KIND_GREY, .color_count = 256, .colors = grey},
        {.image = small, .kind = TRILO_PIXEL_KIND_INDEXED, .indices = high, .color_count = 2, .colors = grey},
        {.image = small, .kind = TRILO_PIXEL_KIND_INDEXED, .color_count = 2, .colors = grey},
        {.image = small, .kind = TRILO_PIXEL_KIND_RGB, .indices = low, .color_count = 2, .colors = grey},
        {.image = small, .kind = TRILO_PIXEL_KIND_INDEXED, .indices = low, .color_count = 2},
        {.image = small, .kind = TRILO_PIXEL_KIND_RGB, .colors = grey},
        {.image = small, .kind = TRILO_PIXEL_KIND_RGB, .color_count = 257, .colors = grey},
        {.image = {8, 8, NULL}},
        {.image = {0, 8, grey}},
        {.image = {8, 0, grey}},
        {.image = {4097, 4096, grey}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trilo_bitmap given = rows[i];
        trilo_error err;
        const trilo_decode_opts opts = {.decode = give, .decode_user = &given};
        const trilo_bitmap *got = trilo_bitmap_decode((trilo_bytes){png, sizeof png}, &opts, &err);
        CHECK_INT(got != NULL, i < 3);
        if (!got)
            expect(&err, TRILO_CODE_BAD_VALUE, "the decoder gave no pixels, too many, or indices without colours");
        trilo_bitmap_free(got);
    }
}

TEST_MAIN(CASE(options_must_be_zero_filled), CASE(palettes_need_pixels), CASE(sizes_of_images),
          CASE(sprites_need_pixels), CASE(sides_of_sprites), CASE(differences_of_one_channel),
          CASE(pieces_with_a_given_palette), CASE(no_size_fits), CASE(the_smaller_of_equal_formats),
          CASE(bitmaps_of_other_decoders))
