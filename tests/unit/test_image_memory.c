/* Images, palettes and sprites when memory runs out: every allocation is denied once, and limits are tried. What fails
 * says so and gives everything back; what succeeds is the same as with all the memory. */
#include "harness.h"
#include "support/buffer.h"
#include "support/exercise.h"
#include "support/lz4.h"
#include "support/numbers.h"

#include <trilobite/image.h>
#include <trilobite/sprite.h>

#include <string.h>

enum { SIDE = 32, COLORS = 40 };

static uint8_t pixels[4][SIDE * SIDE][4];
static uint8_t indices[SIDE * SIDE];
static trilo_bitmap bitmap;
static trilo_image images[4];

static void make_images(void)
{
    uint64_t seed = 5;
    for (int n = 0; n < 4; n++) {
        uint8_t colors[COLORS][4];
        for (int i = 0; i < COLORS; i++)
            for (int k = 0; k < 4; k++)
                colors[i][k] = (uint8_t)(k == 3 ? 255 : random_bits(&seed));
        for (int i = 0; i < SIDE * SIDE; i++) {
            indices[i] = (uint8_t)(random_bits(&seed) % COLORS);
            memcpy(pixels[n][i], colors[indices[i]], 4);
        }
        images[n] = (trilo_image){SIDE, SIDE, (const uint8_t(*)[4])pixels[n]};
    }
    bitmap = (trilo_bitmap){.image = images[0]};
}

/* Does one thing with the memory told and adds what comes of it to the output; false: it failed. */
typedef bool task_fn(int variant, trilo_memory memory, buffer *out, trilo_error *err);

/* ---- tasks ---- */

static bool quantize(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    static uint8_t made[2][SIDE * SIDE];
    uint8_t *const both[2] = {made[0], made[1]};
    trilo_palette palette;
    const trilo_quantize_opts opts = {
        .memory = memory, .colors = 8, .dither = variant ? TRILO_DITHER_FLOYD_STEINBERG : TRILO_DITHER_NONE};
    return trilo_image_quantize(images, 2, &opts, &palette, both, err) && buffer_sink(out, &palette, sizeof palette) &&
           buffer_sink(out, made, sizeof made);
}

/* Two of CI4, one without a palette. */
static bool share(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    (void)variant;
    static const trilo_texels texels[3] = {TRILO_TEXELS_CI4, TRILO_TEXELS_RGBA16, TRILO_TEXELS_CI4};
    trilo_shared_image shared[3];
    trilo_palette palettes[3];
    uint32_t count;
    const trilo_share_opts opts = {.memory = memory, .texels = texels, .max_delta_e = 100};
    if (!trilo_palettes_share(images, 3, &opts, shared, palettes, &count, err))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        buffer_u32(out, shared[i].palette);
    return buffer_sink(out, palettes, count * sizeof *palettes);
}

static bool next_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    (void)user, (void)err;
    *frame = images[index];
    return true;
}

static bool write_picture(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    const trilo_picture_opts opts = {
        .memory = memory, .kind = (trilo_picture_kind)variant, .frame_count = variant ? 3 : 1, .frame_rate = 10};
    return trilo_picture_write(&opts, next_frame, NULL, buffer_sink, out, err);
}

static bool encode(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    const trilo_sprite_opts variants[] = {
        {.texels = TRILO_TEXELS_CI8, .mipmaps = true, .quality = true, .dither = TRILO_DITHER_FLOYD_STEINBERG},
        {.texels = TRILO_TEXELS_CI4, .mipmaps = true, .gamma = true, .compress = has_lz4()},
        {.texels = TRILO_TEXELS_RGBA16, .quality = true, .dither = TRILO_DITHER_FLOYD_STEINBERG, .mipmaps = true},
        {.texels = TRILO_TEXELS_I8, .detail = true, .detail_bitmap = &bitmap, .detail_texels = TRILO_TEXELS_I4},
        {.texels = TRILO_TEXELS_IA16, .mipmaps = true},
        {.layers = TRILO_SPRITE_LAYERS_IHQ},
        {.layers = TRILO_SPRITE_LAYERS_SHQ}};
    trilo_sprite_opts opts = variants[variant];
    opts.memory = memory;
    const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, err);
    if (sprite) {
        buffer_sink(out, sprite->bytes.data, sprite->bytes.size);
        buffer_sink(out, sprite->image.pixels, 4 * (size_t)sprite->image.width * sprite->image.height);
    }
    trilo_sprite_free(sprite);
    return sprite != NULL;
}

/* A bitmap with a palette, whose colours are squared. */
static bool encode_indexed(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    static const uint8_t colors[COLORS][4] = {{1, 2, 3, 255}, {200, 100, 50, 255}};
    const trilo_bitmap indexed = {images[3], TRILO_PIXEL_KIND_INDEXED, .indices = indices, .color_count = COLORS,
                                  .colors = colors};
    const trilo_sprite_opts opts = {.memory = memory, .texels = TRILO_TEXELS_CI8, .gamma = variant != 0};
    const trilo_sprite *sprite = trilo_sprite_encode(&indexed, &opts, err);
    if (sprite)
        buffer_sink(out, sprite->bytes.data, sprite->bytes.size);
    trilo_sprite_free(sprite);
    return sprite != NULL;
}

static bool split(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    static uint8_t large[2 * SIDE * 3 * SIDE][4];
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        memcpy(large[i], pixels[0][i % (SIDE * SIDE)], 4);
    const trilo_bitmap whole = {.image = {2 * SIDE, 3 * SIDE, (const uint8_t(*)[4])large}};
    const trilo_sprite_opts opts = {.memory = memory, .texels = variant ? TRILO_TEXELS_CI8 : TRILO_TEXELS_RGBA16};
    const trilo_sprite_pieces *pieces = trilo_sprite_split(&whole, &opts, err);
    for (uint32_t i = 0; pieces && i < pieces->count; i++)
        buffer_sink(out, pieces->sprites[i]->bytes.data, pieces->sprites[i]->bytes.size);
    trilo_sprite_pieces_free(pieces);
    return pieces != NULL;
}

/* As it is, and in another size. */
static bool plan(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    const trilo_sprite_opts sprite = {.texels = variant ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_I4};
    const trilo_plan_opts opts = {.memory = memory,
                                  .sprite = &sprite,
                                  .other_texels = variant ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_UNKNOWN,
                                  .other_width = 40,
                                  .other_height = 32};
    trilo_sprite_plan made;
    if (!trilo_sprite_plan_make(&bitmap, &opts, &made, err))
        return false;
    buffer_u32(out, made.chosen);
    buffer_u32(out, made.candidates[0].width);
    buffer_u32(out, made.candidates[0].size);
    return true;
}

static bool keep_image(const trilo_image *image, buffer *out)
{
    if (image)
        buffer_sink(out, image->pixels, 4 * (size_t)image->width * image->height);
    trilo_image_free(image);
    return image != NULL;
}

static bool resize(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    const trilo_resize_opts opts = {
        .memory = memory, .width = variant ? 50 : 9, .height = variant ? 7 : 40, .repeat_s = variant != 0};
    return keep_image(trilo_image_resize(&images[0], &opts, err), out);
}

static bool as_texels(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    const trilo_texels texels = variant ? TRILO_TEXELS_IA8 : TRILO_TEXELS_RGBA16;
    return keep_image(trilo_image_as_texels(&images[0], texels, &memory, err), out);
}

/* The image of a sprite, a mipmap, all of it; of one that is compressed, too. */
static bool decode(int variant, trilo_memory memory, buffer *out, trilo_error *err)
{
    const trilo_sprite_opts opts = {.texels = TRILO_TEXELS_CI8, .mipmaps = true, .compress = variant >= 3 && has_lz4()};
    const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, NULL);
    CHECK(sprite);
    const trilo_image *image = variant % 3 == 0   ? trilo_image_decode(sprite->bytes, &memory, err)
                               : variant % 3 == 1 ? trilo_image_decode_mipmap(sprite->bytes, 1, &memory, err)
                                                  : trilo_sprite_decode(sprite->bytes, 2, &memory, err);
    trilo_sprite_free(sprite);
    return keep_image(image, out);
}

/* ---- all of them ---- */

static void check_one(const char *name, task_fn *task, int variant, meter *m, size_t limit, const buffer *want,
                      bool *done)
{
    buffer out = {0};
    trilo_error err = {.code = TRILO_CODE_OK};
    *done = task(variant, meter_memory(m, limit), &out, &err);
    if (m->now != 0)
        FAIL("%s %d: %zu bytes are left", name, variant, m->now);
    if (*done
            ? out.size != want->size || memcmp(out.data, want->data, out.size) != 0
            : (err.code != TRILO_CODE_NO_MEMORY && (limit == 0 || err.code != TRILO_CODE_LIMIT)) || err.text[0] == '\0')
        FAIL("%s %d: call %zu, limit %zu: code %d, %zu bytes", name, variant, m->fail_at, limit, (int)err.code,
             out.size);
    buffer_free(&out);
}

static void check_task(const char *name, task_fn *task, int variants)
{
    make_images();
    for (int variant = 0; variant < variants; variant++) {
        buffer want = {0};
        trilo_error err;
        meter all = {0};
        bool done;
        if (!task(variant, meter_memory(&all, 0), &want, &err))
            FAIL("%s %d: %s", name, variant, err.text);
        CHECK(all.calls > 0 && want.size > 0);
        for (size_t n = 1; n <= all.calls + 1; n += TEST_SLOW && !test_full() ? 3 : 1) {
            meter m = {.fail_at = n};
            check_one(name, task, variant, &m, 0, &want, &done);
            CHECK_INT(done, n > all.calls);
        }
        /* Each limit is that of one list of blocks, so that also arrays that share a block come to their end. */
        const size_t steps = TEST_SLOW ? 6 : 12;
        done = false;
        for (size_t step = 0; !done; step++) {
            meter m = {0};
            check_one(name, task, variant, &m, 1 + all.peak * step / steps, &want, &done);
        }
        buffer_free(&want);
    }
}

TEST(palettes)
{
    check_task("quantize", quantize, 2);
    check_task("share", share, 1);
}

TEST(pictures)
{
    check_task("write", write_picture, TRILO_PICTURE_KIND_GIF + 1);
}

TEST(sprites)
{
    check_task("encode", encode, 7);
    check_task("encode indexed", encode_indexed, 2);
}

TEST(pieces_and_plans)
{
    check_task("split", split, 2);
    check_task("plan", plan, 2);
}

TEST(other_images)
{
    check_task("resize", resize, 2);
    check_task("as texels", as_texels, 2);
    check_task("decode", decode, 6);
}

TEST_MAIN(CASE(palettes), CASE(pictures), CASE(sprites), CASE(pieces_and_plans), CASE(other_images))
