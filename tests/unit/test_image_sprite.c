/* Sprites of every texel format, byte by byte, and the pixels that were worked out for them by hand. */
#include "harness.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 512 };

typedef struct sprite_case {
    const char *name;
    const char *file; /* hexadecimal; blanks do not count */
    uint32_t width, height;
    const char *pixels; /* likewise, red green blue alpha */
} sprite_case;

static size_t bytes_of(const char *hex, uint8_t *out)
{
    size_t size = 0;
    for (const char *p = hex; *p;) {
        unsigned byte;
        if (*p == ' ') {
            p++;
            continue;
        }
        CHECK(size < ROOM && sscanf(p, "%2x", &byte) == 1);
        out[size++] = (uint8_t)byte;
        p += 2;
    }
    return size;
}

/* Head: width, height, depth, format (0x80: records follow), slices. Rows are not padded. Behind the texels, padded to
 * 8: size, version, palette, seven images of 8 bytes, 60 bytes of settings; then the palette. */
#define NO_IMAGES                                                                                                      \
    "0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 "           \
    "0000000000000000 "
#define SETTINGS                                                                                                       \
    "00000000 000000000000000000000000 000000000000000000000000 000000000000000000000000 000000000000000000000000 "    \
    "00000000 00000000 "

static const sprite_case sprites[] = {
    /* 16 is 10000: 10000 100 = 132; 1 is 00001 000 = 8; alpha is one bit */
    {"RGBA16", "0002 0002 00 02 01 01  F801 07C1 003F 8042", 2, 2, "FF0000FF 00FF00FF 0000FFFF 84080800"},
    {"RGBA32", "0001 0002 00 03 01 01  01020304 FFFEFDFC", 1, 2, "01020304 FFFEFDFC"},
    {"IA4, odd rows", "0003 0002 00 0C 01 01  1F E0 05 80", 3, 2,
     "000000FF FFFFFFFF FFFFFF00  00000000 494949FF 92929200"},
    {"IA8", "0003 0001 00 0D 01 01  0F A5 F0", 3, 1, "000000FF AAAAAA55 FFFFFF00"},
    {"IA16", "0002 0001 00 0E 01 01  8001 0AFF", 2, 1, "80808001 0A0A0AFF"},
    {"I4, odd rows", "0003 0002 00 10 01 01  0F 80 12 30", 3, 2,
     "00000000 FFFFFFFF 88888888  11111111 22222222 33333333"},
    {"I8", "0003 0001 00 11 01 01  00 7F FF", 3, 1, "00000000 7F7F7F7F FFFFFFFF"},
    /* Y 16 is black and 235 white; 128 is no hue. 298 * (145 - 16) + 128 = 38570; red: + 409 * 54 = 60656 / 256 = 236
     */
    {"YUV16", "0002 0002 00 06 01 01  80 10 80 EB  80 91 B6 51", 2, 2, "000000FF FFFFFFFF EC6A96FF A2204CFF"},
    /* Beyond both ends. Y 16, U and V 0: 128; red - 409 * 128 and blue - 516 * 128 are below 0, green + (100 + 208) *
     * 128 is 39552 / 256 = 154. All 255: 298 * 239 + 128 = 71350, green - (100 + 208) * 127 is 32234 / 256 = 125. */
    {"YUV16, too dark and too light", "0002 0002 00 06 01 01  00 10 00 10  FF FF FF FF", 2, 2,
     "009A00FF 009A00FF FF7DFFFF FF7DFFFF"},
    {"old, 16 bits", "0001 0001 02 00 01 01  F801", 1, 1, "FF0000FF"},
    {"old, 32 bits", "0001 0001 04 00 01 01  11223344", 1, 1, "11223344"},
    {"CI4",
     "0003 0001 00 88 01 01  01 20 000000000000  007C 0004 00000090 " NO_IMAGES SETTINGS
     "00000000  F801 07C1 003E 0000",
     3, 1, "FF0000FF 00FF00FF 0000FF00"},
    /* the last index is behind the end of the palette: black and clear */
    {"CI8",
     "0003 0001 00 89 01 01  00 02 FF 0000000000  0080 0006 00000090 " NO_IMAGES SETTINGS "00000000  FFFF 0001 8421", 3,
     1, "FFFFFFFF 848484FF 00000000"},
    {"texels elsewhere", "0002 0001 00 D1 01 01  0080 0006 00000000 " NO_IMAGES SETTINGS "00000088  33 CC", 2, 1,
     "33333333 CCCCCCCC"},
};
enum { CASES = sizeof sprites / sizeof sprites[0] };

TEST(every_format_by_hand)
{
    for (size_t c = 0; c < CASES; c++) {
        uint8_t file[ROOM], want[ROOM];
        const size_t size = bytes_of(sprites[c].file, file), count = bytes_of(sprites[c].pixels, want) / 4;
        trilo_error err;
        const trilo_image *image = trilo_image_decode((trilo_bytes){file, size}, NULL, &err);
        if (!image)
            FAIL("%s: %s", sprites[c].name, err.text);
        CHECK_INT(image->width, sprites[c].width);
        CHECK_INT(image->height, sprites[c].height);
        CHECK_INT(count, sprites[c].width * sprites[c].height);
        for (size_t i = 0; i < count; i++)
            if (memcmp(image->pixels[i], want + 4 * i, 4) != 0)
                FAIL("%s: pixel %zu is %02X%02X%02X%02X", sprites[c].name, i, image->pixels[i][0], image->pixels[i][1],
                     image->pixels[i][2], image->pixels[i][3]);
        trilo_image_free(image);
    }
}

/* The same eight bytes of I8 and its head inside a compressed asset, by hand: 16 literals of LZ4. */
TEST(compressed_assets_are_looked_through)
{
    uint8_t file[ROOM];
    const size_t size = bytes_of("44434135 13 12 10 20  F001 0004000200110101 0001020304050607", file);
    trilo_error err;
    const trilo_image *image = trilo_image_decode((trilo_bytes){file, size}, NULL, &err);
    if (!image)
        FAIL("%s: %s", err.rule, err.text);
    CHECK_INT(image->width, 4);
    CHECK_INT(image->height, 2);
    CHECK_INT(image->pixels[7][3], 7);
    trilo_image_free(image);
}

static void expect_refused(const char *hex, trilo_code code, const char *rule, uint64_t offset, const char *text)
{
    uint8_t file[ROOM];
    trilo_error err;
    const size_t size = bytes_of(hex, file);
    CHECK(!trilo_image_decode((trilo_bytes){file, size}, NULL, &err));
    CHECK_STR(err.rule, rule);
    CHECK_INT(err.code, code);
    CHECK_INT(err.offset, offset);
    CHECK_STR(err.text, text);
}

/* With the byte that is to blame: 0 and 4 of the head, the end of the file, or the record that is wrong. */
TEST(bad_ones_are_refused)
{
    expect_refused("", TRILO_CODE_TRUNCATED, "IMAGE-UNKNOWN", 0,
                   "the file is neither PNG nor JPEG, and with 0 bytes too short for a sprite");
    expect_refused("0001 0001 00 11 01", TRILO_CODE_TRUNCATED, "IMAGE-UNKNOWN", 0,
                   "the file is neither PNG nor JPEG, and with 7 bytes too short for a sprite");
    expect_refused("0000 0001 00 11 01 01 00", TRILO_CODE_BAD_VALUE, "IMAGE-EMPTY", 0,
                   "the sprite is 0 by 1 texels; each must be at least 1");
    expect_refused("0001 0000 00 11 01 01 00", TRILO_CODE_BAD_VALUE, "IMAGE-EMPTY", 0,
                   "the sprite is 1 by 0 texels; each must be at least 1");
    expect_refused("FFFF FFFF 00 03 01 01 00", TRILO_CODE_TRUNCATED, "IMAGE-TRUNCATED", 9,
                   "a sprite of 65535 by 65535 RGBA32 texels needs 17179344900 bytes from byte 8 on, but the file ends "
                   "at 9: it is truncated, or neither a sprite nor PNG nor JPEG");
    expect_refused("0002 0001 00 11 01 01 00", TRILO_CODE_TRUNCATED, "IMAGE-TRUNCATED", 9,
                   "a sprite of 2 by 1 I8 texels needs 2 bytes from byte 8 on, but the file ends at 9: it is "
                   "truncated, or neither a sprite nor PNG nor JPEG");
    expect_refused("0001 0001 00 07 01 01 00", TRILO_CODE_UNSUPPORTED, "IMAGE-UNKNOWN", 4,
                   "the file is neither PNG nor JPEG nor a sprite: there is no texel format 7");
    for (int depth = 0; depth < 6; depth++) { /* of an old file: 2 or 4 bytes a texel */
        char hex[] = "0001 0001 00 00 01 01 00000000";
        uint8_t file[ROOM];
        hex[11] = (char)('0' + depth);
        if (depth != 2 && depth != 4)
            expect_refused(hex, TRILO_CODE_UNSUPPORTED, "IMAGE-UNKNOWN", 4,
                           "the file is neither PNG nor JPEG nor a sprite: there is no texel format 0");
        else
            trilo_image_free(trilo_image_decode((trilo_bytes){file, bytes_of(hex, file)}, NULL, NULL));
    }
    expect_refused("0001 0001 00 11 01 01", TRILO_CODE_TRUNCATED, "IMAGE-TRUNCATED", 8,
                   "a sprite of 1 by 1 I8 texels needs 1 bytes from byte 8 on, but the file ends at 8: it is "
                   "truncated, or neither a sprite nor PNG nor JPEG");
    expect_refused("0000 0000 48323634", TRILO_CODE_UNSUPPORTED, "IMAGE-UNKNOWN", 4,
                   "sprites of the kind H264 cannot be read; make one without loss");
    expect_refused("0000 0000 42433151 77", TRILO_CODE_UNSUPPORTED, "IMAGE-UNKNOWN", 4,
                   "sprites of the kind BC1Q cannot be read; make one without loss");
    expect_refused("0000 0000 48323634 77", TRILO_CODE_UNSUPPORTED, "IMAGE-UNKNOWN", 4,
                   "sprites of the kind H264 cannot be read; make one without loss");
    expect_refused("0000 0000 42433151 00", TRILO_CODE_UNSUPPORTED, "IMAGE-UNKNOWN", 4,
                   "sprites of the kind BC1Q cannot be read; make one without loss");
    expect_refused("0000 0001 48323634 00", TRILO_CODE_UNSUPPORTED, "IMAGE-UNKNOWN", 4,
                   "the file is neither PNG nor JPEG nor a sprite: there is no texel format 18");
    expect_refused("0001 0001 00 08 01 01 00", TRILO_CODE_TRUNCATED, "IMAGE-TRUNCATED", 9,
                   "the sprite has a palette, but ends before the record that says where");
    expect_refused("0001 0001 00 88 01 01 00 00000000000000 007C 0004 00FFFF", TRILO_CODE_TRUNCATED, "IMAGE-TRUNCATED",
                   23, "the sprite has a palette, but ends before the record that says where");
    expect_refused("0001 0001 00 88 01 01 00 00000000000000 007C 0004 00FFFFFF", TRILO_CODE_BAD_REF, "IMAGE-BROKEN", 16,
                   "the palette of the sprite is at byte 16777215, which is outside the 24 bytes of the file");
    expect_refused("0001 0001 00 88 01 01 00 00000000000000 007C 0004 00000000", TRILO_CODE_BAD_REF, "IMAGE-BROKEN", 16,
                   "the palette of the sprite is at byte 0, which is outside the 24 bytes of the file");
    expect_refused("0001 0001 00 88 01 01 00 00000000000000 007C 0004 00000017", TRILO_CODE_BAD_REF, "IMAGE-BROKEN", 16,
                   "the palette of the sprite is at byte 23, which is outside the 24 bytes of the file");
    expect_refused("0001 0001 00 D1 01 01 00", TRILO_CODE_TRUNCATED, "IMAGE-TRUNCATED", 9,
                   "the sprite ends before the record that says where its texels are");
    expect_refused("0002 0001 00 D1 01 01  0080 0006 00000000 " NO_IMAGES SETTINGS "00000088  33", TRILO_CODE_TRUNCATED,
                   "IMAGE-TRUNCATED", 137,
                   "a sprite of 2 by 1 I8 texels needs 2 bytes from byte 136 on, but the file ends at 137: it is "
                   "truncated, or neither a sprite nor PNG nor JPEG");
    expect_refused("0002 0001 00 D1 01 01  0080 0006 00000000 " NO_IMAGES SETTINGS "00000007  33 CC",
                   TRILO_CODE_TRUNCATED, "IMAGE-TRUNCATED", 138,
                   "a sprite of 2 by 1 I8 texels needs 2 bytes from byte 7 on, but the file ends at 138: it is "
                   "truncated, or neither a sprite nor PNG nor JPEG");
    static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    trilo_error err;
    CHECK(!trilo_image_decode((trilo_bytes){(const uint8_t *)pointer, sizeof pointer - 1}, NULL, &err));
    CHECK(err.code == TRILO_CODE_UNSUPPORTED && err.offset == 0);
    CHECK_STR(err.text, "the file is only a pointer of Git LFS; \"git lfs pull\" fetches the image");
}

/* ITU-R BT.601 by its fractions, on rows of every length; the last texel of an odd row has no V of its own. */
TEST(yuv_by_its_definition)
{
    for (uint32_t width = 1; width < 8; width++) {
        enum { HEIGHT = 3 };
        uint8_t file[ROOM] = {0, (uint8_t)width, 0, HEIGHT, 0, 6, 1, 1};
        uint64_t seed = width;
        for (uint32_t i = 0; i < width * HEIGHT * 2; i++)
            file[8 + i] = (uint8_t)(random_bits(&seed) >> 56);
        const trilo_image *image = trilo_image_decode((trilo_bytes){file, 8 + width * HEIGHT * 2}, NULL, NULL);
        CHECK(image && image->width == width && image->height == HEIGHT);
        for (uint32_t i = 0; i < width * HEIGHT; i++) {
            const uint32_t x = i % width;
            const uint8_t *row = file + 8 + (size_t)(i / width) * width * 2;
            const int y = row[2 * x + 1] - 16, u = row[2 * (x - x % 2)] - 128;
            const int v = (x - x % 2 + 1 < width ? row[2 * (x - x % 2) + 2] : 128) - 128;
            const int sums[3] = {298 * y + 409 * v + 128, 298 * y - 100 * u - 208 * v + 128, 298 * y + 516 * u + 128};
            for (int c = 0; c < 3; c++) {
                const int level = sums[c] < 0 ? 0 : sums[c] / 256;
                CHECK_INT(image->pixels[i][c], level > 255 ? 255 : level);
            }
            CHECK_INT(image->pixels[i][3], 255);
        }
        trilo_image_free(image);
    }
}

/* Without memory for the pixels there is an error, and no image. */
TEST(a_sprite_without_memory)
{
    static uint8_t file[8 + 200 * 100] = {0, 200, 0, 100, 0, 0x11, 1, 1};
    trilo_error err = {0};
    const trilo_memory memory = {.max_bytes = 20000};
    CHECK(!trilo_sprite_decode((trilo_bytes){file, sizeof file}, 0, &memory, &err));
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    const trilo_image *image = trilo_sprite_decode((trilo_bytes){file, sizeof file}, 0, NULL, &err);
    CHECK(image && image->width == 200 && image->height == 100);
    trilo_image_free(image);
}

/* Two bytes at the very end are a palette of one colour. Texels right behind the head, and none before. */
TEST(what_just_fits)
{
    static const char *const files[] = {"0001 0001 00 88 01 01 00 00000000000000 007C 0004 00000018 F801",
                                        "0001 0001 00 D1 01 01  0080 0006 00000000 " NO_IMAGES SETTINGS "00000008"};
    static const uint8_t want[2][4] = {{255, 0, 0, 255}, {0, 0, 0, 0}};
    for (int i = 0; i < 2; i++) {
        uint8_t file[ROOM];
        trilo_error err;
        const trilo_image *image = trilo_image_decode((trilo_bytes){file, bytes_of(files[i], file)}, NULL, &err);
        if (!image)
            FAIL("%s", err.text);
        CHECK(memcmp(image->pixels[0], want[i], 4) == 0);
        trilo_image_free(image);
    }
}

/* A sprite of one texel of I8, with images 1, 2 and 7 behind it: 2 by 1 of I8 with the intensities 0x33 and 0xCC, one
 * of a format that is none, and one texel of RGBA16. */
#define IMAGES                                                                                                         \
    "0001 0001 00 91 01 01  00 00000000000000  0080 0006 00000000 "                                                    \
    "0002 0001 11000090  0001 0001 07000090  0000 0001 11000090  0001 0000 11000090  0002 0001 11000095  "             \
    "0001 0001 11000094  0001 0001 02000092  "

/* 148 bytes: image 6 would begin at the end, image 5 ends outside. */
TEST(images_of_a_sprite)
{
    static const struct {
        trilo_code code;
        const char *text;
    } rows[10] = {{TRILO_CODE_OK, NULL},
                  {TRILO_CODE_OK, NULL},
                  {TRILO_CODE_BAD_REF, "the sprite has no image 2"},
                  {TRILO_CODE_BAD_REF, "the sprite has no image 3"},
                  {TRILO_CODE_BAD_REF, "the sprite has no image 4"},
                  {TRILO_CODE_TRUNCATED, "image 5 of the sprite is at byte 149 and does not end before the file does"},
                  {TRILO_CODE_TRUNCATED, "image 6 of the sprite is at byte 148 and does not end before the file does"},
                  {TRILO_CODE_OK, NULL},
                  {TRILO_CODE_BAD_REF, "the sprite has no image 8"},
                  {TRILO_CODE_BAD_REF, "the sprite has no image 9"}};
    uint8_t file[ROOM];
    const size_t size = bytes_of(IMAGES SETTINGS "00000000 33CC F801", file);
    CHECK_INT(size, 148);
    for (uint32_t i = 0; i < 10; i++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        const trilo_image *image = trilo_sprite_decode((trilo_bytes){file, size}, i, NULL, &err);
        CHECK_INT(err.code, rows[i].code);
        CHECK_INT(image != NULL, rows[i].code == TRILO_CODE_OK);
        if (!image) {
            CHECK_STR(err.text, rows[i].text);
            CHECK_INT(err.offset, rows[i].code == TRILO_CODE_TRUNCATED ? size : TRILO_NOWHERE);
        } else if (i == 1) { /* opaque, although it is an intensity */
            CHECK(image->width == 2 && image->height == 1 &&
                  memcmp(image->pixels, "\x33\x33\x33\xFF\xCC\xCC\xCC\xFF", 8) == 0);
        } else if (i == 7) {
            CHECK(image->width == 1 && memcmp(image->pixels, "\xFF\0\0\xFF", 4) == 0);
        }
        trilo_image_free(image);
        /* As a mipmap its intensity is alpha as well, and one that is not there is no error. */
        err = (trilo_error){.code = TRILO_CODE_MISUSE};
        image = trilo_image_decode_mipmap((trilo_bytes){file, size}, i, NULL, &err);
        const bool none = i == 0 || i > 6 || rows[i].code == TRILO_CODE_BAD_REF;
        CHECK_INT(err.code, none ? TRILO_CODE_OK : rows[i].code);
        CHECK_INT(image != NULL, i == 1);
        if (image)
            CHECK(memcmp(image->pixels, "\x33\x33\x33\x33\xCC\xCC\xCC\xCC", 8) == 0);
        trilo_image_free(image);
        CHECK(trilo_image_decode_mipmap((trilo_bytes){file, size}, 3, NULL, NULL) == NULL);
    }
    /* Cut within the record of image 1, or without records, it has none. */
    trilo_error err;
    CHECK(!trilo_sprite_decode((trilo_bytes){file, 31}, 1, NULL, &err) && err.code == TRILO_CODE_BAD_REF);
    CHECK(!trilo_sprite_decode((trilo_bytes){file, 32}, 1, NULL, &err) && err.code == TRILO_CODE_TRUNCATED);
    file[5] = 0x11;
    CHECK(!trilo_sprite_decode((trilo_bytes){file, size}, 1, NULL, &err) && err.code == TRILO_CODE_BAD_REF);
    /* What is wrong with the file is said of a mipmap, too. */
    file[1] = 0;
    CHECK(!trilo_image_decode_mipmap((trilo_bytes){file, size}, 1, NULL, &err) && err.code == TRILO_CODE_BAD_VALUE);
}

/* 5 bits: 0x87 is 10000 111, which is 10000 100 on the console; 4 bits: 0x8; 3 bits: 100 100 10. */
TEST(what_the_console_keeps)
{
    static const uint8_t pixels[2][4] = {{0x87, 0x0F, 0xF0, 0x9B}, {0x21, 0x40, 0x60, 0x7F}};
    static const struct {
        trilo_texels texels;
        uint8_t want[2][4];
    } kept[] = {
        {TRILO_TEXELS_UNKNOWN, {{0x87, 0x0F, 0xF0, 0x9B}, {0x21, 0x40, 0x60, 0x7F}}},
        {TRILO_TEXELS_RGBA32, {{0x87, 0x0F, 0xF0, 0x9B}, {0x21, 0x40, 0x60, 0x7F}}},
        {TRILO_TEXELS_RGBA16, {{0x84, 0x08, 0xF7, 0xFF}, {0x21, 0x42, 0x63, 0x00}}},
        {TRILO_TEXELS_CI4, {{0x84, 0x08, 0xF7, 0xFF}, {0x21, 0x42, 0x63, 0x00}}},
        {TRILO_TEXELS_IA4, {{0x92, 0x92, 0x92, 0xFF}, {0x24, 0x24, 0x24, 0x00}}},
        {TRILO_TEXELS_IA8, {{0x88, 0x88, 0x88, 0x99}, {0x22, 0x22, 0x22, 0x77}}},
        {TRILO_TEXELS_IA16, {{0x87, 0x87, 0x87, 0x9B}, {0x21, 0x21, 0x21, 0x7F}}},
        {TRILO_TEXELS_I4, {{0x88, 0x88, 0x88, 0x88}, {0x22, 0x22, 0x22, 0x22}}},
        {TRILO_TEXELS_I8, {{0x87, 0x87, 0x87, 0x87}, {0x21, 0x21, 0x21, 0x21}}},
    };
    const trilo_image image = {2, 1, pixels};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const trilo_image *got = trilo_image_as_texels(&image, kept[i].texels, NULL, NULL);
        CHECK(got);
        if (memcmp(got->pixels, kept[i].want, sizeof kept[i].want) != 0)
            FAIL("%s: %02X%02X%02X%02X", trilo_texels_name(kept[i].texels), got->pixels[0][0], got->pixels[0][1],
                 got->pixels[0][2], got->pixels[0][3]);
        trilo_image_free(got);
    }
    CHECK_INT(trilo_texels_from_path("textures/wall.ci4.png"), TRILO_TEXELS_CI4);
}

TEST_MAIN(CASE(every_format_by_hand), CASE(compressed_assets_are_looked_through), CASE(bad_ones_are_refused),
          CASE(yuv_by_its_definition), CASE(a_sprite_without_memory), CASE(what_just_fits), CASE(images_of_a_sprite),
          CASE(what_the_console_keeps))
