/* Image files with their palettes, and decoders of the caller. */
#include "harness.h"
#include "trilobite/image.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t png_start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};

static const trilo_bitmap *decode_corpus(const char *name, uint8_t **bytes)
{
    size_t size;
    trilo_error err;
    *bytes = test_read_file(test_corpus(name), &size);
    CHECK(*bytes != NULL);
    const trilo_bitmap *bitmap = trilo_bitmap_decode((trilo_bytes){*bytes, size}, NULL, &err);
    if (!bitmap && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    if (!bitmap)
        FAIL("%s: %s", name, err.text);
    return bitmap;
}

TEST(an_indexed_png_keeps_its_palette)
{
    static const struct {
        const char *name;
        uint32_t bits, color_count;
    } files[] = {{"sprite/made/pal12.png", 8, 12},
                 {"sprite/made/pal200.png", 8, 200},
                 {"t3dm/09_anim_viewer/assets/FaceTex.ci4.png", 4, 15}};
    for (size_t f = 0; f < 3; f++) {
        uint8_t *bytes;
        const trilo_bitmap *bitmap = decode_corpus(files[f].name, &bytes);
        CHECK_INT(bitmap->kind, TRILO_PIXEL_KIND_INDEXED);
        CHECK_INT(bitmap->bits, files[f].bits);
        CHECK_INT(bitmap->color_count, files[f].color_count);
        for (size_t i = 0; i < (size_t)bitmap->image.width * bitmap->image.height; i++)
            CHECK(memcmp(bitmap->image.pixels[i], bitmap->colors[bitmap->indices[i]], 4) == 0);
        trilo_bitmap_free(bitmap);
        free(bytes);
    }
}

TEST(kinds_of_pixels)
{
    static const struct {
        const char *name;
        trilo_pixel_kind kind;
    } files[] = {{"sprite/made/ramp.png", TRILO_PIXEL_KIND_RGBA},
                 {"sprite/made/grayalpha.png", TRILO_PIXEL_KIND_GREY_ALPHA},
                 {"t3dm/01_model/assets/unit1m.i8.png", TRILO_PIXEL_KIND_GREY},
                 {"t3dm/08_animation/assets/shadow.i8.png", TRILO_PIXEL_KIND_RGB}};
    for (size_t f = 0; f < 4; f++) {
        uint8_t *bytes;
        const trilo_bitmap *bitmap = decode_corpus(files[f].name, &bytes);
        CHECK_INT(bitmap->kind, files[f].kind);
        CHECK(!bitmap->indices && !bitmap->colors);
        trilo_bitmap_free(bitmap);
        free(bytes);
    }
}

/* ---- a decoder of the caller ---- */

typedef struct decoder {
    trilo_bitmap bitmap; /* what it gives, without the pixels */
    bool no_pixels, fails;
    uint8_t index;
    trilo_image_kind kind;
} decoder;

static bool decode_by_hand(void *user, trilo_image_kind kind, trilo_bytes bytes, trilo_decode_memory *memory,
                           trilo_bitmap *bitmap, trilo_error *err)
{
    decoder *d = user;
    d->kind = kind;
    CHECK_INT(bytes.data[bytes.size - 1], 'R');
    if (d->fails) {
        memset(err, 0, sizeof *err);
        err->code = TRILO_CODE_BAD_VALUE;
        strcpy(err->text, "by hand");
        return false;
    }
    *bitmap = d->bitmap;
    uint8_t(*pixels)[4] = trilo_decode_alloc(memory, sizeof *pixels * 2);
    if (!pixels)
        return false;
    pixels[1][2] = 77;
    bitmap->image.pixels = d->no_pixels ? NULL : (const uint8_t(*)[4])pixels;
    if (d->bitmap.kind == TRILO_PIXEL_KIND_INDEXED) {
        uint8_t *indices = trilo_decode_alloc(memory, 2);
        indices[1] = d->index;
        bitmap->indices = indices;
        bitmap->colors = (const uint8_t(*)[4])pixels;
    }
    return true;
}

static const trilo_bitmap *decode_with(decoder *d, trilo_error *err)
{
    const trilo_decode_opts opts = {.decode = decode_by_hand, .decode_user = d};
    return trilo_bitmap_decode((trilo_bytes){png_start, sizeof png_start}, &opts, err);
}

TEST(a_decoder_of_the_caller)
{
    trilo_error err;
    decoder d = {.bitmap = {.image = {.width = 2, .height = 1}}};
    const trilo_bitmap *bitmap = decode_with(&d, &err);
    CHECK(bitmap != NULL);
    CHECK_INT(d.kind, TRILO_IMAGE_PNG);
    CHECK_INT(bitmap->image.pixels[1][2], 77);
    trilo_bitmap_free(bitmap);
    d.fails = true;
    CHECK(!decode_with(&d, &err));
    CHECK_STR(err.text, "by hand");
}

TEST(what_it_gives_is_checked)
{
    const decoder good = {
        .bitmap = {.image = {.width = 2, .height = 1}, .kind = TRILO_PIXEL_KIND_INDEXED, .color_count = 2}, .index = 1};
    trilo_error err;
    decoder d = good;
    const trilo_bitmap *bitmap = decode_with(&d, &err);
    CHECK(bitmap != NULL);
    trilo_bitmap_free(bitmap);
    for (int i = 0; i < 6; i++) {
        d = good;
        d.index = i == 0 ? 2 : 1;
        d.no_pixels = i == 1;
        d.bitmap.image.width = i == 2 ? 0 : i == 3 ? UINT32_MAX : 2;
        d.bitmap.color_count = i == 4 ? 257 : 2;
        d.bitmap.image.height = i == 5 ? 0 : 1;
        CHECK(!decode_with(&d, &err));
        CHECK_STR(err.rule, "IMAGE-BROKEN");
    }
}

TEST(options_must_be_zero_filled)
{
    trilo_error err;
    const trilo_decode_opts opts = {.guard = 1};
    CHECK(!trilo_bitmap_decode((trilo_bytes){png_start, sizeof png_start}, &opts, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
}

TEST_MAIN(CASE(an_indexed_png_keeps_its_palette), CASE(kinds_of_pixels), CASE(a_decoder_of_the_caller),
          CASE(what_it_gives_is_checked), CASE(options_must_be_zero_filled))
