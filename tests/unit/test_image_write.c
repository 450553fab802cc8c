/* Pictures that are written: read again, taken apart, or compared with text that was written by hand. */
#include "harness.h"
#include "image/image.h"
#include "support/buffer.h"
#include "support/inflate.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 300, HIGH = 90 };

/* All values in all channels, clear pixels too. */
static trilo_image make_picture(void)
{
    uint8_t(*pixels)[4] = malloc(sizeof *pixels * WIDE * HIGH);
    CHECK(pixels);
    uint32_t random = 1;
    for (size_t i = 0; i < WIDE * HIGH; i++)
        for (int c = 0; c < 4; c++) {
            random = random * 1664525u + 1013904223u;
            pixels[i][c] = (uint8_t)(random >> 24);
        }
    return (trilo_image){WIDE, HIGH, (const uint8_t(*)[4])pixels};
}

TEST(png_comes_back)
{
    const trilo_image picture = make_picture();
    buffer file = {0};
    trilo_error err;
    CHECK(trilo_image_write(&picture, TRILO_PICTURE_KIND_PNG, buffer_sink, &file, &err));
    uint32_t width, height;
    CHECK_INT(trilo_image_probe((trilo_bytes){file.data, file.size}, &width, &height), TRILO_IMAGE_KIND_PNG);
    CHECK_INT(width, WIDE);
    CHECK_INT(height, HIGH);
    const trilo_image *again = trilo_image_decode((trilo_bytes){file.data, file.size}, NULL, &err);
    if (!again && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    CHECK(again);
    CHECK_INT(again->width, WIDE);
    CHECK(memcmp(again->pixels, picture.pixels, sizeof *picture.pixels * WIDE * HIGH) == 0);
    trilo_image_free(again);
    buffer_free(&file);
    free((void *)(uintptr_t)picture.pixels);
}

/* One grey pixel of 2 by 1, deflated by hand as a stored block: rows of a filter byte and two pixels. */
TEST(png_by_hand)
{
    static const uint8_t file[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0,
                                   0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0xD1, 0x49, 0x1F, 0x93, 0, 0, 0, 14, 'I', 'D', 'A',
                                   'T', 0x78, 0x01, 0x01, 0x03, 0x00, 0xFC, 0xFF, 0x00, 0x40, 0xC0,
                                   /* Adler: a = 1 + 0 + 64 + 192 = 257, b = 1 + 65 + 257 = 323 */
                                   0x01, 0x43, 0x01, 0x01};
    uint8_t whole[sizeof file + 4 + 12];
    memcpy(whole, file, sizeof file);
    const uint32_t crc = tl_crc32(0, file + 37, 4 + 14), head = tl_crc32(0, file + 12, 17);
    const uint8_t end[] = {(uint8_t)(crc >> 24),
                           (uint8_t)(crc >> 16),
                           (uint8_t)(crc >> 8),
                           (uint8_t)crc,
                           0,
                           0,
                           0,
                           0,
                           'I',
                           'E',
                           'N',
                           'D',
                           0xAE,
                           0x42,
                           0x60,
                           0x82};
    memcpy(whole + sizeof file, end, sizeof end);
    for (int i = 0; i < 4; i++)
        whole[29 + i] = (uint8_t)(head >> (24 - 8 * i));
    trilo_error err;
    const trilo_image *image = trilo_image_decode((trilo_bytes){whole, sizeof whole}, NULL, &err);
    if (!image && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    if (!image)
        FAIL("%s", err.text);
    static const uint8_t want[2][4] = {{64, 64, 64, 255}, {192, 192, 192, 255}};
    CHECK(image->width == 2 && image->height == 1);
    CHECK(memcmp(image->pixels, want, sizeof want) == 0);
    trilo_image_free(image);
}

/* The check value of that CRC, from its catalogue: of "123456789"; and of the last chunk of every PNG file. */
TEST(crc)
{
    CHECK_INT(tl_crc32(0, "123456789", 9), 0xCBF43926u);
    CHECK_INT(tl_crc32(tl_crc32(0, "1234", 4), "56789", 5), 0xCBF43926u);
    CHECK_INT(tl_crc32(0, "IEND", 4), 0xAE426082u);
}

static void set_claim(uint8_t *png, uint32_t width, uint32_t height)
{
    for (int i = 0; i < 4; i++) {
        png[16 + i] = (uint8_t)(width >> (24 - 8 * i));
        png[20 + i] = (uint8_t)(height >> (24 - 8 * i));
    }
    const uint32_t crc = tl_crc32(0, png + 12, 17);
    for (int i = 0; i < 4; i++)
        png[29 + i] = (uint8_t)(crc >> (24 - 8 * i));
}

/* A small file that claims to be a large image gets no memory, one that claims to be none is told so. */
TEST(png_claims)
{
    static const uint8_t grey[1][4] = {{128, 128, 128, 255}};
    const trilo_image dot = {1, 1, grey};
    buffer file = {0};
    CHECK(trilo_image_write(&dot, TRILO_PICTURE_KIND_PNG, buffer_sink, &file, NULL));
    static const struct {
        uint32_t width, height;
        const char *rule;
    } claims[] = {{65535, 65535, "IMAGE-LIMIT"}, {4096, 4096, "IMAGE-TRUNCATED"}, {4097, 4096, "IMAGE-LIMIT"},
                  {0, 1, "IMAGE-EMPTY"},         {1, 0, "IMAGE-EMPTY"},           {1, 2, "IMAGE-TRUNCATED"}};
    const trilo_memory little = {.max_bytes = 1 << 17}; /* enough for zlib */
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        trilo_error err;
        set_claim(file.data, claims[i].width, claims[i].height);
        CHECK(!trilo_image_decode((trilo_bytes){file.data, file.size}, &little, &err));
        if (err.code == TRILO_CODE_UNSUPPORTED)
            SKIP("built without libspng");
        CHECK_STR(err.rule, claims[i].rule);
        CHECK(err.text[0] != 0);
    }
    buffer_free(&file);
}

/* Red over blue, green over nothing, nothing over white; then a last row by itself. */
TEST(ansi_by_hand)
{
    static const uint8_t pixels[][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {9, 9, 9, 0},
                                        {0, 0, 255, 255}, {9, 9, 9, 0},     {255, 255, 255, 255},
                                        {0, 255, 0, 255}, {0, 255, 0, 255}, {0, 0, 0, 127}};
    const trilo_image picture = {3, 3, pixels};
    buffer text = {0};
    CHECK(trilo_image_write(&picture, TRILO_PICTURE_KIND_ANSI, buffer_sink, &text, NULL));
    static const char want[] = "\033[48;2;0;0;255m\033[38;2;255;0;0m\xE2\x96\x80"
                               "\033[49m\033[38;2;0;255;0m\xE2\x96\x80"
                               "\033[38;2;255;255;255m\xE2\x96\x84\033[0m\n"
                               "\033[38;2;0;255;0m\xE2\x96\x80\xE2\x96\x80 \033[0m\n";
    CHECK_INT(text.size, sizeof want - 1);
    CHECK(memcmp(text.data, want, text.size) == 0);
    buffer_free(&text);
}

/* ---- moving ones ---- */

enum { SIDE = 4, FRAMES = 3 };

typedef struct movie {
    uint8_t pixels[SIDE * SIDE][4];
    uint32_t asked, grows_at, fails_at;
} movie;

/* Frame n: all pixels n * 100, the first one clear. */
static bool next_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    movie *m = user;
    CHECK_INT(index, m->asked);
    m->asked++;
    memset(m->pixels, (int)index * 100, sizeof m->pixels);
    for (size_t i = 0; i < SIDE * SIDE; i++)
        m->pixels[i][3] = i == 0 ? 0 : 255;
    *frame = (trilo_image){SIDE, m->grows_at && index == m->grows_at ? SIDE - 1 : SIDE, (const uint8_t(*)[4])m->pixels};
    if (m->fails_at && index == m->fails_at)
        snprintf(err->text, sizeof err->text, "no such frame");
    return !m->fails_at || index != m->fails_at;
}

static uint32_t u32_at(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Puts a frame of the APNG back together as a PNG: its packed pixels under the head of the first. */
static void check_frame(const buffer *apng, const uint8_t *data, uint32_t size, uint32_t index)
{
    buffer png = {0};
    uint8_t bytes[8];
    buffer_sink(&png, apng->data, 33);
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(size >> (24 - 8 * i));
    memcpy(bytes + 4, "IDAT", 4);
    buffer_sink(&png, bytes, 8);
    buffer_sink(&png, data, size);
    const uint32_t crc = tl_crc32(tl_crc32(0, "IDAT", 4), data, size);
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(crc >> (24 - 8 * i));
    buffer_sink(&png, bytes, 4);
    buffer_sink(&png, "\0\0\0\0IEND\xAE\x42\x60\x82", 12);
    trilo_error err;
    const trilo_image *image = trilo_image_decode((trilo_bytes){png.data, png.size}, NULL, &err);
    if (!image && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    if (!image)
        FAIL("%s", err.text);
    CHECK_INT(image->pixels[0][3], 0);
    CHECK_INT(image->pixels[SIDE * SIDE - 1][1], index * 100);
    trilo_image_free(image);
    buffer_free(&png);
}

TEST(apng_holds_every_frame)
{
    movie m = {.asked = 0};
    buffer file = {0};
    const trilo_picture_opts opts = {.kind = TRILO_PICTURE_KIND_APNG, .frame_count = FRAMES, .frame_rate = 20};
    CHECK(trilo_picture_write(&opts, next_frame, &m, buffer_sink, &file, NULL));
    CHECK_INT(m.asked, FRAMES);
    CHECK(memcmp(file.data + 12, "IHDR", 4) == 0 && memcmp(file.data + 37, "acTL", 4) == 0);
    CHECK_INT(u32_at(file.data + 41), FRAMES);
    uint32_t sequence = 0, frames = 0;
    for (size_t at = 8; at < file.size; at += 12 + u32_at(file.data + at)) {
        const uint8_t *chunk = file.data + at;
        const uint32_t size = u32_at(chunk);
        CHECK(at + 12 + size <= file.size);
        CHECK_INT(u32_at(chunk + 8 + size), tl_crc32(0, chunk + 4, size + 4));
        const bool control = memcmp(chunk + 4, "fcTL", 4) == 0, later = memcmp(chunk + 4, "fdAT", 4) == 0;
        if (control || later)
            CHECK_INT(u32_at(chunk + 8), sequence++);
        if (control) {
            CHECK_INT(size, 26);
            CHECK_INT(u32_at(chunk + 12), SIDE);
            CHECK_INT(chunk[28] << 8 | chunk[29], 50); /* thousandths */
            CHECK_INT(chunk[30] << 8 | chunk[31], 1000);
        }
        if (later)
            check_frame(&file, chunk + 12, size - 4, frames++);
        if (memcmp(chunk + 4, "IDAT", 4) == 0)
            check_frame(&file, chunk + 8, size, frames++);
    }
    CHECK_INT(frames, FRAMES);
    CHECK(memcmp(file.data + file.size - 8, "IEND", 4) == 0);
    buffer_free(&file);
}

static bool next_fading_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    static const uint8_t pixels[2][1][4] = {{{1, 2, 3, 255}}, {{4, 5, 6, 7}}};
    (void)user, (void)err;
    *frame = (trilo_image){1, 1, pixels[index]};
    return true;
}

/* All frames share the head of the file, so the first one has alpha (colour type 6) although it is opaque: the next one
 * is not. */
TEST(opaque_frames_keep_their_alpha)
{
    buffer file = {0};
    const trilo_picture_opts opts = {.kind = TRILO_PICTURE_KIND_APNG, .frame_count = 2, .frame_rate = 20};
    CHECK(trilo_picture_write(&opts, next_fading_frame, NULL, buffer_sink, &file, NULL));
    CHECK_INT(file.data[25], 6);
    buffer_free(&file);
}

/* Frames of GIF: a control block before each (21 F9 04, how and clear, time, number of what is clear). 30 a second is
 * 3.33 hundredths: 3, 4, 3. */
TEST(gif_holds_every_frame)
{
    movie m = {.asked = 0};
    buffer file = {0};
    trilo_error err;
    const trilo_picture_opts opts = {.kind = TRILO_PICTURE_KIND_GIF, .frame_count = FRAMES, .frame_rate = 30};
    if (!trilo_picture_write(&opts, next_frame, &m, buffer_sink, &file, &err))
        FAIL("%s", err.text);
    static const uint8_t delays[FRAMES] = {3, 4, 3};
    CHECK(memcmp(file.data, "GIF89a\4\0\4\0", 10) == 0);
    CHECK_INT(file.data[file.size - 1], 0x3B);
    uint32_t frames = 0;
    for (size_t at = 13; at + 8 < file.size; at++)
        if (memcmp(file.data + at, "\x21\xF9\x04", 3) == 0) {
            CHECK(frames < FRAMES);
            CHECK_INT(file.data[at + 4], delays[frames]);
            CHECK_INT(file.data[at + 6], 255);
            /* behind it: 2C, place, size, a palette of 256: its first colour is the frame's */
            CHECK_INT(file.data[at + 8], 0x2C);
            CHECK_INT(file.data[at + 17], 0x87);
            CHECK_INT(file.data[at + 18], frames * 100);
            frames++;
        }
    CHECK_INT(frames, FRAMES);
    buffer_free(&file);
}

/* A reader of one frame, from the specification of GIF89a: palette, then LZW codes in blocks. */
static void read_gif_frame(const buffer *file, uint8_t (*pixels)[3], size_t count)
{
    static uint16_t prefix[4096];
    static uint8_t suffix[4096], stack[4097];
    size_t at = 13 + 19 + 8 + 10; /* screen, loop, control, image */
    const uint8_t *palette = file->data + at;
    at += 768;
    CHECK_INT(file->data[at++], 8);
    uint32_t bits = 9, next = 258, previous = 4096, waiting = 0, have = 0, block = 0;
    size_t done = 0;
    uint8_t first = 0;
    for (;;) {
        while (have < bits) {
            if (block == 0)
                block = file->data[at++];
            CHECK(block > 0 && at < file->size);
            waiting |= (uint32_t)file->data[at++] << have;
            have += 8;
            block--;
        }
        const uint32_t code = waiting & ((1u << bits) - 1);
        waiting >>= bits;
        have -= bits;
        if (code == 256) {
            bits = 9;
            next = 258;
            previous = 4096;
            continue;
        }
        if (code == 257)
            break;
        size_t depth = 0;
        uint32_t walk = code;
        if (code >= next) { /* the sequence before, and its first colour once more */
            CHECK(code == next && previous < 4096);
            stack[depth++] = first;
            walk = previous;
        }
        for (; walk >= 258; walk = prefix[walk])
            stack[depth++] = suffix[walk];
        stack[depth++] = first = (uint8_t)walk;
        if (previous < 4096 && next < 4096) {
            prefix[next] = (uint16_t)previous;
            suffix[next++] = first;
            bits += next == 1u << bits && bits < 12;
        }
        previous = code;
        CHECK(done + depth <= count);
        while (depth > 0)
            memcpy(pixels[done++], palette + 3 * (size_t)stack[--depth], 3);
    }
    CHECK_INT(done, count);
    CHECK_INT(block, 0);
    CHECK_INT(file->data[at], 0);
    CHECK_INT(file->data[at + 1], 0x3B);
    CHECK_INT(file->size, at + 2);
}

/* Few colours in long runs, and noise that fills the table of codes many times. */
TEST(gif_pixels_come_back)
{
    static uint8_t pixels[WIDE * HIGH][4], back[WIDE * HIGH][3];
    uint32_t seed = 1;
    for (uint32_t kind = 0; kind < 4; kind++) {
        for (uint32_t i = 0; i < WIDE * HIGH; i++) {
            seed = seed * 1664525 + 1013904223;
            const uint32_t color = kind == 0 ? 0 : kind == 1 ? i / 900 % 3 : kind == 2 ? seed >> 24 & 7 : seed >> 25;
            const uint8_t rgba[4] = {(uint8_t)(color % 32 * 8), (uint8_t)(color / 32 * 8), 0, 255};
            memcpy(pixels[i], rgba, 4);
        }
        for (uint32_t height = 1; height <= HIGH; height += height < 8 ? 1 : 28) {
            const trilo_image image = {WIDE, height, (const uint8_t(*)[4])pixels};
            buffer file = {0};
            CHECK(trilo_image_write(&image, TRILO_PICTURE_KIND_GIF, buffer_sink, &file, NULL));
            read_gif_frame(&file, back, (size_t)WIDE * height);
            for (size_t i = 0; i < (size_t)WIDE * height; i++)
                CHECK(memcmp(back[i], pixels[i], 3) == 0);
            buffer_free(&file);
        }
    }
}

/* No two neighbours occur twice, so that each pixel makes a code: from 258 on, codes have a bit more at 512 and 1024,
 * and the last one, which ends the image, too. The last block of bytes may have one, or none. */
TEST(gif_ends_with_the_right_bits)
{
    static const uint32_t counts[][2] = {{1, 5}, {252, 259}, {763, 771}};
    static uint8_t pixels[800][4], back[800][3];
    for (uint32_t i = 0; i < 800; i++) {
        const uint32_t color = i * (2 * (i / 128) + 1) % 128;
        const uint8_t rgba[4] = {(uint8_t)(color % 32 * 8), (uint8_t)(color / 32 * 8), 0, 255};
        memcpy(pixels[i], rgba, 4);
    }
    for (int k = TEST_EMULATED ? 1 : 0; k < (TEST_EMULATED ? 2 : 3); k++)
        for (uint32_t count = counts[k][0]; count < counts[k][1]; count++) {
            const trilo_image image = {count, 1, (const uint8_t(*)[4])pixels};
            buffer file = {0};
            CHECK(trilo_image_write(&image, TRILO_PICTURE_KIND_GIF, buffer_sink, &file, NULL));
            read_gif_frame(&file, back, count);
            for (size_t i = 0; i < count; i++)
                CHECK(memcmp(back[i], pixels[i], 3) == 0);
            buffer_free(&file);
        }
}

TEST(frames_are_looked_at)
{
    static const trilo_picture_kind kinds[] = {TRILO_PICTURE_KIND_APNG, TRILO_PICTURE_KIND_GIF};
    for (size_t i = 0; i < 2; i++) {
        const trilo_picture_opts opts = {.kind = kinds[i], .frame_count = FRAMES};
        movie grows = {.grows_at = 1}, fails = {.fails_at = 2};
        buffer file = {0};
        trilo_error err;
        CHECK(!trilo_picture_write(&opts, next_frame, &grows, buffer_sink, &file, &err));
        CHECK_STR(err.rule, "IMAGE-FRAMES");
        CHECK(!trilo_picture_write(&opts, next_frame, &fails, buffer_sink, &file, &err));
        CHECK_STR(err.text, "no such frame");
        buffer_free(&file);
    }
    const trilo_image nothing = {0};
    trilo_error err;
    buffer file = {0};
    CHECK(!trilo_image_write(&nothing, TRILO_PICTURE_KIND_PNG, buffer_sink, &file, &err));
    CHECK_STR(err.rule, "IMAGE-EMPTY");
    CHECK_INT(file.size, 0);
}

static bool refuse(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    size_t *left = user;
    const bool takes = size <= *left;
    *left = takes ? *left - size : 0;
    return takes;
}

TEST(a_full_disk_is_reported)
{
    for (int kind = TRILO_PICTURE_KIND_PNG; kind <= TRILO_PICTURE_KIND_ANSI; kind++)
        for (size_t room = 0; room < 60; room += 7) {
            movie m = {.asked = 0};
            size_t left = room;
            trilo_error err;
            const trilo_picture_opts opts = {.kind = (trilo_picture_kind)kind, .frame_count = FRAMES};
            CHECK(!trilo_picture_write(&opts, next_frame, &m, refuse, &left, &err));
            CHECK(err.code == TRILO_CODE_CANT_WRITE || err.code == TRILO_CODE_UNSUPPORTED);
        }
}

/* Few colours stay what they are; of many, none is far off. */
TEST(palettes)
{
    enum { N = 64 };
    static uint8_t pixels[N * N][4], numbers[N * N];
    uint8_t colors[256][3];
    uint32_t count;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_image picture = {N, N, (const uint8_t(*)[4])pixels};
    for (size_t i = 0; i < N * N; i++) {
        const uint8_t pixel[4] = {(uint8_t)(i % 5 * 60), (uint8_t)(i / N % 7 * 40), 33, i == 9 ? 0 : 255};
        memcpy(pixels[i], pixel, 4);
    }
    CHECK(tl_palette_make(&picture, 255, &arena, colors, &count, numbers));
    CHECK_INT(count, 35);
    CHECK_INT(numbers[9], 255);
    for (size_t i = 0; i < N * N; i++)
        CHECK(i == 9 || memcmp(colors[numbers[i]], pixels[i], 3) == 0);
    for (size_t i = 0; i < N * N; i++) {
        const uint8_t pixel[4] = {(uint8_t)(i % N * 4), (uint8_t)(i / N * 4), (uint8_t)(i * 31), 255};
        memcpy(pixels[i], pixel, 4);
    }
    CHECK(tl_palette_make(&picture, 255, &arena, colors, &count, numbers));
    CHECK_INT(count, 255);
    for (size_t i = 0; i < N * N; i++)
        for (int c = 0; c < 3; c++)
            CHECK(abs(colors[numbers[i]][c] - pixels[i][c]) < 48);
    CHECK(tl_palette_make(&picture, 2, &arena, colors, &count, numbers));
    CHECK_INT(count, 2);
    tl_arena_free(&arena);
}

/* The mean of a box is rounded: red 21 / 2 = 10.5 is 11; of three, green 1 / 3 is 0 and blue 2 / 3 is 1. Pixels are
 * opaque from an alpha of 128 on; the others get the number behind the palette. */
TEST(means_are_rounded)
{
    static const uint8_t two[3][4] = {{10, 0, 0, 255}, {11, 0, 0, 128}, {200, 200, 200, 127}};
    static const uint8_t three[3][4] = {{0, 1, 1, 255}, {0, 0, 1, 255}, {0, 0, 0, 255}};
    tl_arena arena;
    uint8_t colors[1][3], numbers[3];
    uint32_t count;
    tl_arena_init(&arena, NULL);
    CHECK(tl_palette_make(&(trilo_image){3, 1, two}, 1, &arena, colors, &count, numbers));
    CHECK_INT(count, 1);
    CHECK_INT(colors[0][0], 11);
    CHECK(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 1);
    CHECK(tl_palette_make(&(trilo_image){3, 1, three}, 1, &arena, colors, &count, numbers));
    CHECK_INT(colors[0][1], 0);
    CHECK_INT(colors[0][2], 1);
    tl_arena_free(&arena);
}

/* ---- files byte by byte ---- */

/* Paeth's choice as the PNG specification, 9.4, puts it. */
static int paeth(int a, int b, int c)
{
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* One row after the filter: 1 the pixel before, 2 the one above, 4 Paeth. Returns the sum of the bytes, as signed. */
static uint32_t filtered(int filter, const trilo_image *image, uint32_t y, size_t step, uint8_t *out)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < image->width * step; i++) {
        const size_t x = i / step, c = i % step, at = (size_t)y * image->width + x;
        const int a = x > 0 ? image->pixels[at - 1][c] : 0, b = y > 0 ? image->pixels[at - image->width][c] : 0,
                  corner = x > 0 && y > 0 ? image->pixels[at - image->width - 1][c] : 0;
        out[i] = (uint8_t)(image->pixels[at][c] - (filter == 1 ? a : filter == 2 ? b : paeth(a, b, corner)));
        sum += out[i] < 128 ? out[i] : 256u - out[i];
    }
    return sum;
}

/* Head, the rows with the filter that leaves least (of equal ones: above, before, Paeth), end. */
static void check_png(const trilo_image *image, bool opaque)
{
    static uint8_t packed[200000], rows[40 * (1 + 4 * 40) + 1], one[4 * 40];
    buffer file = {0};
    const size_t step = opaque ? 3 : 4, row = 1 + image->width * step;
    size_t at = 33, packed_size = 0, size = 0;
    CHECK(trilo_image_write(image, TRILO_PICTURE_KIND_PNG, buffer_sink, &file, NULL));
    const uint8_t head[29] = {0x89,
                              'P',
                              'N',
                              'G',
                              '\r',
                              '\n',
                              0x1A,
                              '\n',
                              0,
                              0,
                              0,
                              13,
                              'I',
                              'H',
                              'D',
                              'R',
                              0,
                              0,
                              (uint8_t)(image->width >> 8),
                              (uint8_t)image->width,
                              0,
                              0,
                              (uint8_t)(image->height >> 8),
                              (uint8_t)image->height,
                              8,
                              opaque ? 2 : 6,
                              0,
                              0,
                              0};
    CHECK(memcmp(file.data, head, sizeof head) == 0);
    CHECK_INT(u32_at(file.data + 29), tl_crc32(0, file.data + 12, 17));
    for (; memcmp(file.data + at + 4, "IDAT", 4) == 0; at += 12 + u32_at(file.data + at)) {
        memcpy(packed + packed_size, file.data + at + 8, u32_at(file.data + at));
        packed_size += u32_at(file.data + at);
        CHECK_INT(u32_at(file.data + at + 8 + u32_at(file.data + at)),
                  tl_crc32(0, file.data + at + 4, 4 + u32_at(file.data + at)));
    }
    CHECK_INT(file.size, at + 12);
    CHECK(memcmp(file.data + at, "\0\0\0\0IEND\xAE\x42\x60\x82", 12) == 0);
    CHECK(inflate_zlib(packed, packed_size, rows, sizeof rows, &size));
    CHECK_INT(size, row * image->height);
    for (uint32_t y = 0; y < image->height; y++) {
        static const int filters[3] = {2, 1, 4};
        int best = 2;
        for (int k = 1; k < 3; k++)
            if (filtered(filters[k], image, y, step, one) < filtered(best, image, y, step, one))
                best = filters[k];
        filtered(best, image, y, step, one);
        CHECK_INT(rows[y * row], best);
        CHECK(memcmp(rows + y * row + 1, one, row - 1) == 0);
    }
    buffer_free(&file);
}

TEST(rows_have_the_filter_that_leaves_least)
{
    static uint8_t pixels[40 * 40][4];
    uint32_t seed = 3;
    for (int kind = 0; kind < 6; kind++)
        for (uint32_t width = 1; width <= 40; width = 3 * width + (uint32_t)kind % 2) {
            for (uint32_t i = 0; i < 40 * 40; i++)
                for (uint32_t c = 0; c < 4; c++) {
                    const uint32_t x = i % width, y = i / width;
                    seed = seed * 1664525u + 1013904223u;
                    pixels[i][c] = (uint8_t)(kind < 2    ? seed >> 24
                                             : kind == 2 ? 7 * x + (seed >> 30)
                                             : kind == 3 ? 9 * y + (seed >> 30)
                                             : kind == 4 ? (x * y + c) / 4
                                                         : (seed >> 28 ? 60 : 200));
                    if (c == 3)
                        pixels[i][c] = (uint8_t)(kind % 2 ? 255 : pixels[i][c] | 1);
                }
            const trilo_image image = {width, 1600 / width < 40 ? 1600 / width : 40, (const uint8_t(*)[4])pixels};
            if (kind % 2 == 0)
                pixels[image.width * image.height - 1][3] = 254; /* the last alone would do */
            check_png(&image, kind % 2 != 0);
        }
}

/* Canvas, endless loop, control, image, palette: all sizes in two bytes, the lower one first. */
TEST(gif_heads_by_hand)
{
    enum { W = 0x102, H = 0x203 };
    static uint8_t pixels[W * H][4];
    for (size_t i = 0; i < W * H; i++)
        memcpy(pixels[i], (const uint8_t[4]){8, 16, 24, 255}, 4);
    const trilo_image image = {W, H, (const uint8_t(*)[4])pixels};
    static const uint8_t want[] = "GIF89a\x02\x01\x03\x02\x70\0\0"
                                  "\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0"
                                  "\x21\xF9\x04\x09\x04\0\xFF\0"
                                  "\x2C\0\0\0\0\x02\x01\x03\x02\x87\x08\x10\x18";
    buffer file = {0};
    CHECK(trilo_image_write(&image, TRILO_PICTURE_KIND_GIF, buffer_sink, &file, NULL));
    CHECK(memcmp(file.data, want, sizeof want - 1) == 0);
    for (size_t i = sizeof want - 1; i < 50 + 768; i++) /* colours that are not used */
        CHECK_INT(file.data[i], 0);
    buffer_free(&file);
    static const uint8_t clear[1][4] = {{9, 9, 9, 0}}; /* has no colours at all */
    file = (buffer){0};
    CHECK(trilo_image_write(&(trilo_image){1, 1, clear}, TRILO_PICTURE_KIND_GIF, buffer_sink, &file, NULL));
    for (size_t i = 50; i < 50 + 768; i++)
        CHECK_INT(file.data[i], 0);
    buffer_free(&file);
}

/* The time of a frame: of GIF in hundredths, from 2 on, of APNG in thousandths, from 1 on; both in 16 bits. Frame n
 * ends at n / rate, rounded. */
TEST(times_of_frames)
{
    static const struct {
        double rate;
        uint32_t gif[FRAMES], apng;
    } cases[] = {{0, {4, 4, 4}, 40},
                 {25, {4, 4, 4}, 40},
                 {40, {3, 2, 3}, 25},
                 {50, {2, 2, 2}, 20},
                 {1000, {2, 2, 2}, 1},
                 {5000, {2, 2, 2}, 1},
                 {1, {100, 100, 100}, 1000},
                 {0.1, {1000, 1000, 1000}, 10000},
                 {0.01, {10000, 10000, 10000}, 65535},
                 {0.0015, {65535, 65535, 65535}, 65535},
                 {3, {33, 34, 33}, 333},
                 {0.01525, {6557, 6558, 6557}, 65535}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = 0; kind < 2; kind++) {
            movie m = {.asked = 0};
            buffer file = {0};
            uint32_t frames = 0;
            const trilo_picture_opts opts = {.kind = kind ? TRILO_PICTURE_KIND_GIF : TRILO_PICTURE_KIND_APNG,
                                             .frame_count = FRAMES,
                                             .frame_rate = cases[i].rate};
            CHECK(trilo_picture_write(&opts, next_frame, &m, buffer_sink, &file, NULL));
            for (size_t at = 0; at + 40 < file.size; at++)
                if (kind && memcmp(file.data + at, "\x21\xF9\x04", 3) == 0) {
                    CHECK_INT(file.data[at + 4] | file.data[at + 5] << 8, cases[i].gif[frames]);
                    frames++;
                } else if (!kind && memcmp(file.data + at, "fcTL", 4) == 0) {
                    static const uint8_t rest[8] = {0}; /* place, and how it replaces */
                    CHECK(u32_at(file.data + at + 8) == SIDE && u32_at(file.data + at + 12) == SIDE);
                    CHECK(memcmp(file.data + at + 16, rest, 8) == 0 && file.data[at + 28] == 0 &&
                          file.data[at + 29] == 0);
                    CHECK_INT(file.data[at + 24] << 8 | file.data[at + 25], cases[i].apng);
                    CHECK_INT(file.data[at + 26] << 8 | file.data[at + 27], 1000);
                    frames++;
                }
            CHECK_INT(frames, FRAMES);
            buffer_free(&file);
        }
}

static bool next_large_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    static const uint8_t pixel[1][4] = {{0}};
    const uint32_t *size = user;
    (void)index, (void)err;
    *frame = (trilo_image){size[0], size[1], size[2] ? pixel : NULL};
    return true;
}

/* Neither is looked at: they are refused before. */
TEST(frames_have_limits)
{
    static const struct {
        uint32_t size[3];
        const char *text;
    } cases[] = {{{65536, 1, 1}, "frame 0 has 65536 by 1 pixels; at most 16777216 are written, and 65535 per side"},
                 {{1, 65536, 1}, "frame 0 has 1 by 65536 pixels; at most 16777216 are written, and 65535 per side"},
                 {{4097, 4096, 1}, "frame 0 has 4097 by 4096 pixels; at most 16777216 are written, and 65535 per side"},
                 {{0, 1, 1}, "frame 0 has no pixels"},
                 {{1, 0, 1}, "frame 0 has no pixels"},
                 {{1, 1, 0}, "frame 0 has no pixels"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = TRILO_PICTURE_KIND_PNG; kind <= TRILO_PICTURE_KIND_ANSI; kind++) {
            const trilo_picture_opts opts = {.kind = (trilo_picture_kind)kind};
            uint32_t size[3] = {cases[i].size[0], cases[i].size[1], cases[i].size[2]};
            trilo_error err = {0};
            buffer file = {0};
            CHECK(!trilo_picture_write(&opts, next_large_frame, size, buffer_sink, &file, &err));
            CHECK_STR(err.text, cases[i].text);
            CHECK_INT(err.code, i < 3 ? TRILO_CODE_LIMIT : TRILO_CODE_BAD_VALUE);
            buffer_free(&file);
        }
    trilo_error err = {0};
    const trilo_picture_opts wrong = {.kind = (trilo_picture_kind)(TRILO_PICTURE_KIND_ANSI + 1)};
    CHECK(!trilo_picture_write(&wrong, next_large_frame, NULL, buffer_sink, NULL, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
}

/* ---- median cut ---- */

/* Boxes of the colours of 5 bits: the one with the most pixels * extent^2 is split along its longest axis, at the
 * median of its pixels, so that neither half is empty. */
typedef struct cut_box {
    bool has[1 << 15];
} cut_box;

static uint32_t cut_step(uint32_t bin, uint32_t axis)
{
    return bin >> (10 - 5 * axis) & 31;
}

static uint64_t cut_measure(const cut_box *box, const uint32_t *counts, uint32_t *axis, uint32_t *low, uint32_t *high)
{
    uint64_t pixels = 0;
    uint32_t extent = 0;
    *axis = *low = *high = 0;
    for (uint32_t a = 0; a < 3; a++) {
        uint32_t least = 31, most = 0;
        pixels = 0;
        for (uint32_t bin = 0; bin < 1 << 15; bin++)
            if (box->has[bin]) {
                pixels += counts[bin];
                least = cut_step(bin, a) < least ? cut_step(bin, a) : least;
                most = cut_step(bin, a) > most ? cut_step(bin, a) : most;
            }
        if (most - least > extent)
            extent = most - least, *axis = a, *low = least, *high = most;
    }
    return pixels * extent * extent;
}

static uint32_t cut(const uint32_t *counts, cut_box *boxes, uint32_t most)
{
    uint32_t count = 1;
    for (uint32_t bin = 0; bin < 1 << 15; bin++)
        boxes[0].has[bin] = counts[bin] > 0;
    while (count < most) {
        uint32_t worst = 0, axis, low, high;
        uint64_t largest = 0, total = 0, sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t spread = cut_measure(&boxes[i], counts, &axis, &low, &high);
            if (spread > largest)
                largest = spread, worst = i;
        }
        if (largest == 0)
            break;
        cut_measure(&boxes[worst], counts, &axis, &low, &high);
        uint64_t of_step[32] = {0};
        for (uint32_t bin = 0; bin < 1 << 15; bin++)
            if (boxes[worst].has[bin])
                of_step[cut_step(bin, axis)] += counts[bin], total += counts[bin];
        uint32_t median = low;
        for (sum = of_step[low]; 2 * sum < total; sum += of_step[median])
            median++;
        median = median < high ? median : high - 1;
        for (uint32_t bin = 0; bin < 1 << 15; bin++) {
            const bool later = boxes[worst].has[bin] && cut_step(bin, axis) > median;
            boxes[count].has[bin] = later;
            boxes[worst].has[bin] = boxes[worst].has[bin] && !later;
        }
        count++;
    }
    return count;
}

TEST(palettes_are_cut_at_the_median)
{
    enum { COUNT = 300, MOST = 9 };
    static uint8_t pixels[COUNT][4], indices[COUNT];
    static uint32_t counts[1 << 15];
    static cut_box boxes[MOST];
    uint32_t seed = 5;
    for (uint32_t most = 1; most <= MOST; most += 4) {
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < COUNT; i++) {
            for (uint32_t c = 0; c < 4; c++) {
                seed = seed * 1664525u + 1013904223u;
                pixels[i][c] = (uint8_t)((seed >> 24) * (seed >> 8 & 255) >> (c == 3 ? 7 : 8 - (c == most % 3)));
            }
            const uint8_t *p = pixels[i];
            if (p[3] >= 128)
                counts[(uint32_t)p[0] >> 3 << 10 | (uint32_t)p[1] >> 3 << 5 | p[2] >> 3]++;
        }
        const uint32_t boxes_made = cut(counts, boxes, most);
        uint8_t colors[MOST][3];
        uint32_t count;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_palette_make(&(trilo_image){COUNT / 4, 4, (const uint8_t(*)[4])pixels}, most, &arena, colors, &count,
                              indices));
        CHECK_INT(count, boxes_made);
        uint32_t sums[MOST][4] = {{0}};
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint8_t *p = pixels[i];
            if (p[3] < 128) {
                CHECK_INT(indices[i], most);
                continue;
            }
            CHECK(indices[i] < count);
            CHECK(boxes[indices[i]].has[(uint32_t)p[0] >> 3 << 10 | (uint32_t)p[1] >> 3 << 5 | p[2] >> 3]);
            for (int c = 0; c < 3; c++)
                sums[indices[i]][c] += p[c];
            sums[indices[i]][3]++;
        }
        for (uint32_t b = 0; b < count; b++)
            for (int c = 0; c < 3; c++)
                CHECK_INT(colors[b][c], (sums[b][c] + sums[b][3] / 2) / sums[b][3]);
        tl_arena_free(&arena);
    }
}

TEST_MAIN(CASE(png_comes_back), CASE(png_by_hand), CASE(crc), CASE(png_claims), CASE(ansi_by_hand),
          CASE(apng_holds_every_frame), CASE(opaque_frames_keep_their_alpha), CASE(gif_holds_every_frame),
          CASE(gif_pixels_come_back), CASE(gif_ends_with_the_right_bits), CASE(frames_are_looked_at),
          CASE(a_full_disk_is_reported), CASE(palettes), CASE(means_are_rounded),
          CASE(rows_have_the_filter_that_leaves_least), CASE(gif_heads_by_hand), CASE(times_of_frames),
          CASE(frames_have_limits), CASE(palettes_are_cut_at_the_median))
