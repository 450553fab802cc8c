/* A sprite from pixels: the image, its mipmaps, a detail texture and a palette, and the records around them.
 *
 *   head | texels | extra, images, flags, samplings, detail | mipmaps | detail texture | palette
 *
 * Everything after the head starts at a multiple of 8 bytes. */
#include "base/strict_float.h"

#include "base/bytes.h"
#include "base/opts.h"
#include "container/dca.h"
#include "image/sprite/sprite_encode.h"

#include <string.h>

enum {
    SPRITE_SLICE = 16,        /* texels of a slice */
    SPRITE_MIPMAP_SIDE = 4,   /* the least */
    SPRITE_LARGEST = 1 << 24, /* bytes that offsets reach */
    SPRITE_MIPMAPS = TL_SPRITE_DETAIL
};

typedef struct sprite_plane {
    trilo_texels texels;
    trilo_image image;
    const uint8_t *bytes;
    size_t size;
} sprite_plane;

typedef struct sprite_job {
    tl_arena *arena;
    const trilo_sprite_opts *opts;
    tl_texel_rules rules;
    trilo_image image; /* of the bitmap, with the requested gamma */
    sprite_plane main, extras[TL_SPRITE_IMAGES];
    uint32_t mipmap_count;
    trilo_palette palette;
    bool keeps_palette; /* it is that of the bitmap */
    uint32_t color_count;
    tl_tmem tmem;
} sprite_job;

typedef struct sprite_owned {
    trilo_sprite sprite; /* first: its address is that of the struct */
    tl_arena arena;
} sprite_owned;

/* ---- pixels ---- */

/* mksprite squares colours, so that the video output, which takes a square root, shows them as they were. */
static const uint8_t (*sprite_apply_gamma(tl_arena *arena, const uint8_t (*pixels)[4], size_t count))[4]
{
    tl_pixel *squared = tl_array_raw(arena, count, sizeof *squared);
    for (size_t i = 0; squared && i < count; i++)
        for (int c = 0; c < 4; c++)
            squared[i][c] = (uint8_t)(c == 3 ? pixels[i][3] : pixels[i][c] * pixels[i][c] / 256);
    return (const uint8_t(*)[4])squared;
}

/* The requested texel format, or that of mksprite; an error where the image cannot be stored in it. */
static bool sprite_choose_texels(const sprite_job *job, const trilo_bitmap *bitmap, trilo_texels asked,
                                 sprite_plane *plane, trilo_error *err)
{
    const uint32_t width = bitmap->image.width, height = bitmap->image.height;
    if (width == 0 || height == 0 || !bitmap->image.pixels)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE,
                             "the image is %u by %u pixels; each must be at least 1", width, height);
    if (width > UINT16_MAX || height > UINT16_MAX)
        return TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, SPRITE, TRILO_NOWHERE,
                             "the image is %u by %u pixels; a sprite has at most 65535 in each direction: resize it",
                             width, height);
    plane->texels = asked ? asked : trilo_sprite_texels(bitmap, NULL, job->opts->target);
    if (plane->texels == TRILO_TEXELS_YUV16 || tl_texel_format_of(plane->texels)->bits == 0)
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, SPRITE, TRILO_NOWHERE, "sprites of %s cannot be made",
                             trilo_texels_name(plane->texels));
    return true;
}

static bool sprite_store_plane(sprite_job *job, sprite_plane *plane, const uint8_t *indices, trilo_error *err)
{
    const trilo_image *image = &plane->image;
    const trilo_sprite_opts *opts = job->opts;
    tl_pixel *shown = tl_array_raw(job->arena, (size_t)image->width * image->height, sizeof *shown);
    if (!shown)
        return tl_fail_memory(err);
    plane->bytes = indices ? tl_texels_store_indices(job->arena, plane->texels, indices, image->width, image->height)
                   : opts->quality ? tl_texels_store_best(job->arena, plane->texels, opts->target, opts->dither, image)
                                   : tl_texels_store(job->arena, plane->texels, &job->rules, image, shown);
    plane->size = (size_t)tl_texels_row_bytes(plane->texels, image->width) * image->height;
    tl_tmem_add(&job->tmem, plane->texels, image->width, image->height);
    return plane->bytes || tl_fail_memory(err);
}

static bool sprite_indices_fit(const trilo_bitmap *bitmap, uint32_t colors)
{
    for (size_t i = 0; i < (size_t)bitmap->image.width * bitmap->image.height; i++)
        if (bitmap->indices[i] >= colors)
            return false;
    return true;
}

/* The palette of the bitmap, when its indices fit, or else the caller's, or else a new one. */
static bool sprite_make_palette(sprite_job *job, const trilo_bitmap *bitmap, const uint8_t **indices, trilo_error *err)
{
    const trilo_sprite_opts *opts = job->opts;
    const uint32_t colors = tl_texel_format_of(job->main.texels)->colors;
    if (!opts->palette && bitmap->kind == TRILO_PIXEL_KIND_INDEXED && sprite_indices_fit(bitmap, colors)) {
        job->keeps_palette = true;
        job->color_count = bitmap->color_count;
        for (uint32_t i = 0; i < bitmap->color_count; i++)
            memcpy(job->palette.colors[i], bitmap->colors[i], 4);
        if (opts->gamma) {
            const uint8_t(*squared)[4] = sprite_apply_gamma(job->arena, bitmap->colors, bitmap->color_count);
            if (!squared)
                return tl_fail_memory(err);
            memcpy(job->palette.colors, squared, bitmap->color_count * sizeof *squared);
        }
        job->palette.count = job->color_count;
        *indices = bitmap->indices;
        return true;
    }
    uint8_t *made = tl_array_raw(job->arena, (size_t)job->image.width * job->image.height, 1);
    const trilo_quantize_opts quantize = {.memory = opts->memory, .colors = colors, .dither = opts->dither};
    if (!made)
        return tl_fail_memory(err);
    *indices = made;
    if (opts->palette) {
        if (opts->palette->count == 0 || opts->palette->count > colors)
            return tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                           "the palette has %u colours; %s has room for 1 to %u", opts->palette->count,
                           trilo_texels_name(job->main.texels), colors);
        job->palette = *opts->palette;
        job->color_count = job->palette.count;
        return tl_palette_map(job->arena, &job->image, &job->palette, opts->dither, made) || tl_fail_memory(err);
    }
    if (!trilo_image_quantize(&job->image, 1, &quantize, &job->palette, &made, err))
        return false;
    job->color_count = job->palette.count;
    return true;
}

static bool sprite_make_main(sprite_job *job, const trilo_bitmap *bitmap, trilo_error *err)
{
    const uint8_t *indices = NULL;
    const size_t count = (size_t)bitmap->image.width * bitmap->image.height;
    job->image = bitmap->image;
    if (job->opts->gamma)
        job->image.pixels = sprite_apply_gamma(job->arena, bitmap->image.pixels, count);
    if (!job->image.pixels)
        return tl_fail_memory(err);
    job->main.image = job->image;
    if (tl_texel_format_of(job->main.texels)->colors > 0 && !sprite_make_palette(job, bitmap, &indices, err))
        return false;
    return sprite_store_plane(job, &job->main, indices, err);
}

/* ---- smaller images ---- */

static bool sprite_halve(sprite_job *job, const trilo_image *image, trilo_image *half, trilo_error *err)
{
    if (!job->opts->quality)
        return tl_mipmap_halve(job->arena, image, half, err);
    const trilo_sprite_sampling *sampling = job->opts->sampling;
    const trilo_resize_opts resize = {.memory = job->opts->memory,
                                      .width = image->width / 2,
                                      .height = image->height / 2,
                                      .repeat_s = sampling && sampling[0].repeats > 1 && !sampling[0].mirror,
                                      .repeat_t = sampling && sampling[1].repeats > 1 && !sampling[1].mirror};
    const trilo_image *resized = trilo_image_resize(image, &resize, err);
    if (!resized)
        return false;
    *half = *resized;
    half->pixels = tl_bytes_copy(job->arena, resized->pixels, (size_t)half->width * half->height * 4);
    trilo_image_free(resized);
    return half->pixels || tl_fail_memory(err);
}

/* mksprite of 2024 makes none of intensities with alpha, and of I4. */
static bool sprite_has_mipmaps(const sprite_job *job)
{
    const tl_texel_format *format = tl_texel_format_of(job->main.texels);
    return job->opts->mipmaps && (job->opts->target != TRILO_SPRITE_TARGET_LIBDRAGON_2024 || !format->grey ||
                                  job->main.texels == TRILO_TEXELS_I8);
}

static bool sprite_make_mipmaps(sprite_job *job, trilo_error *err)
{
    const bool indexed = job->color_count > 0;
    const trilo_image *last = &job->main.image;
    while (sprite_has_mipmaps(job) && job->mipmap_count < SPRITE_MIPMAPS) {
        const uint32_t width = last->width / 2, height = last->height / 2;
        tl_tmem tmem = job->tmem;
        tl_tmem_add(&tmem, job->main.texels, width, height);
        if (width < SPRITE_MIPMAP_SIDE || height < SPRITE_MIPMAP_SIDE || !tl_tmem_fits(&tmem))
            break;
        sprite_plane *plane = &job->extras[job->mipmap_count];
        uint8_t *indices = indexed ? tl_array_raw(job->arena, (size_t)width * height, 1) : NULL;
        plane->texels = job->main.texels;
        if ((indexed && !indices) || !sprite_halve(job, last, &plane->image, err))
            return tl_fail_memory(err);
        if (indexed && !job->opts->quality)
            tl_mipmap_map(&plane->image, &job->palette, indices);
        else if (indexed && !tl_palette_map(job->arena, &plane->image, &job->palette, TRILO_DITHER_NONE, indices))
            return tl_fail_memory(err);
        if (!sprite_store_plane(job, plane, indices, err))
            return false;
        job->mipmap_count++;
        last = &plane->image;
    }
    return true;
}

/* The second image of SHQ is where the first mipmap would be. */
static bool sprite_make_shq(sprite_job *job, const tl_layers *layers, trilo_error *err)
{
    sprite_plane *plane = &job->extras[0];
    plane->texels = TRILO_TEXELS_RGBA16;
    plane->image = layers->second;
    return sprite_store_plane(job, plane, NULL, err);
}

static bool sprite_make_detail(sprite_job *job, trilo_error *err)
{
    const trilo_bitmap *bitmap = job->opts->detail ? job->opts->detail_bitmap : NULL;
    sprite_plane *plane = &job->extras[TL_SPRITE_DETAIL];
    if (!bitmap)
        return true;
    if (!sprite_choose_texels(job, bitmap, job->opts->detail_texels, plane, err))
        return false;
    const bool has_palette = tl_texel_format_of(plane->texels)->colors > 0;
    if (has_palette || job->color_count > 0)
        return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, SPRITE, TRILO_NOWHERE,
                             "a sprite with a detail texture cannot have a palette: choose other formats than CI4 "
                             "and CI8 for both, or let the image be its own detail texture");
    plane->image = bitmap->image;
    return sprite_store_plane(job, plane, NULL, err);
}

/* ---- the file ---- */

static size_t sprite_align(size_t size)
{
    return (size + TL_SPRITE_ALIGN - 1) / TL_SPRITE_ALIGN * TL_SPRITE_ALIGN;
}

static void sprite_put_samplings(const trilo_sprite_opts *opts, uint8_t *out)
{
    static const trilo_sprite_sampling once[2] = {{0, 1, 0, false}, {0, 1, 0, false}};
    const trilo_sprite_sampling endless[2] = {{0, TRILO_N64_REPEATS_ENDLESS, -1, false},
                                              {0, TRILO_N64_REPEATS_ENDLESS, -1, false}};
    const trilo_sprite_sampling *main = opts->sampling ? opts->sampling : once;
    const trilo_sprite_sampling *detail = opts->detail_sampling ? opts->detail_sampling : endless;
    for (int i = 0; i < TL_SPRITE_SAMPLINGS; i++) {
        const trilo_sprite_sampling *from = i < 2 ? &main[i] : &detail[i - 2];
        const tl_sprite_sampling record = {
            .translate = from->translate,
            .repeats = from->repeats < TRILO_N64_REPEATS_ENDLESS ? from->repeats : TRILO_N64_REPEATS_ENDLESS,
            .scale = from->scale,
            .mirror = from->mirror};
        tl_layout_store(&tl_sprite_sampling_layout, TL_UNVERSIONED, &record, out);
        out += tl_layout_size(&tl_sprite_sampling_layout, TL_UNVERSIONED);
    }
}

/* Stores the records at `out`, and after them what they refer to, at its offset in the file. */
static void sprite_put_records(const sprite_job *job, uint8_t *file, size_t at, size_t behind)
{
    const trilo_sprite_opts *opts = job->opts;
    const unsigned version = opts->target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? TL_SPRITE_2024 : TL_SPRITE_2026;
    const size_t size = tl_sprite_detail_at() + tl_layout_size(&tl_sprite_detail_layout, version);
    uint32_t images = 0;
    for (uint32_t i = 0; i < TL_SPRITE_IMAGES; i++) {
        const sprite_plane *plane = &job->extras[i];
        if (!plane->bytes)
            continue;
        const uint32_t number = tl_texel_format_of(plane->texels)->number;
        const tl_sprite_image record = {.width = (uint16_t)plane->image.width,
                                        .height = (uint16_t)plane->image.height,
                                        .format_offset = number << TL_SPRITE_FORMAT_SHIFT | (uint32_t)behind};
        tl_layout_store(&tl_sprite_image_layout, TL_UNVERSIONED, &record,
                        file + at + tl_sprite_images_at() +
                            i * tl_layout_size(&tl_sprite_image_layout, TL_UNVERSIONED));
        memcpy(file + behind, plane->bytes, plane->size);
        behind += sprite_align(plane->size);
        images++;
    }
    const tl_sprite_extra extra = {
        .size = (uint16_t)size, .version = (uint16_t)version, .palette = job->color_count ? (uint32_t)behind : 0};
    tl_layout_store(&tl_sprite_extra_layout, TL_UNVERSIONED, &extra, file + at);

    for (uint32_t i = 0; i < job->color_count; i++)
        tl_put_u16(file + behind + 2 * (size_t)i, TL_BIG, tl_texels_rgba16(&job->rules, job->palette.colors[i]));
    const tl_sprite_flags flags = {.flags = (uint16_t)(images | (opts->sampling ? TL_SPRITE_HAS_SAMPLING : 0) |
                                                       (opts->detail ? TL_SPRITE_HAS_DETAIL : 0) |
                                                       (opts->layers == TRILO_SPRITE_LAYERS_SHQ ? TL_SPRITE_SHQ : 0) |
                                                       (tl_tmem_fits(&job->tmem) ? TL_SPRITE_FITS_TMEM : 0)),
                                   .colors = version == TL_SPRITE_2024 ? 0 : (uint8_t)job->color_count};
    tl_layout_store(&tl_sprite_flags_layout, TL_UNVERSIONED, &flags, file + at + tl_sprite_flags_at());
    sprite_put_samplings(opts, file + at + tl_sprite_samplings_at());
    const float factor = opts->detail_factor > 0 ? opts->detail_factor : 0.5f;
    const tl_sprite_detail detail = {.factor = opts->detail ? factor : 0,
                                     .reuses = opts->detail && !opts->detail_bitmap};
    tl_layout_store(&tl_sprite_detail_layout, version, &detail, file + at + tl_sprite_detail_at());
}

static bool sprite_put_file(sprite_job *job, trilo_bytes *out, trilo_error *err)
{
    const trilo_sprite_opts *opts = job->opts;
    const uint32_t width = job->image.width, height = job->image.height;
    const size_t head_size = tl_layout_size(&tl_sprite_head_layout, TL_UNVERSIONED),
                 at = head_size + sprite_align(job->main.size);
    const unsigned version = opts->target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? TL_SPRITE_2024 : TL_SPRITE_2026;
    const size_t behind = sprite_align(at + tl_sprite_detail_at() + tl_layout_size(&tl_sprite_detail_layout, version));
    /* libdragon of 2024 always loads 16 or 256 colours; a palette of the bitmap is as long as mksprite writes it. */
    const uint32_t room = tl_texel_format_of(job->main.texels)->colors;
    if (job->color_count > 0 && version == TL_SPRITE_2024 && !job->keeps_palette)
        job->color_count = room;
    if (version != TL_SPRITE_2024 && job->color_count > room)
        job->color_count = room;
    size_t size = behind + sprite_align(2 * (size_t)job->color_count);
    for (uint32_t i = 0; i < TL_SPRITE_IMAGES; i++)
        size += sprite_align(job->extras[i].size);
    if (size >= SPRITE_LARGEST)
        return TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, SPRITE, TRILO_NOWHERE,
                             "the sprite would have %zu bytes; offsets in it end at %d: resize the image", size,
                             SPRITE_LARGEST);
    uint8_t *file = tl_array(job->arena, size, 1);
    if (!file)
        return tl_fail_memory(err);
    const uint32_t across = width / SPRITE_SLICE, down = height / SPRITE_SLICE;
    const tl_sprite_head head = {.width = (uint16_t)width,
                                 .height = (uint16_t)height,
                                 .format = (uint8_t)(tl_texel_format_of(job->main.texels)->number | TL_SPRITE_EXTRA),
                                 .slices = {opts->hslices ? opts->hslices : (uint8_t)(across ? across : 1),
                                            opts->vslices ? opts->vslices : (uint8_t)(down ? down : 1)}};
    tl_layout_store(&tl_sprite_head_layout, TL_UNVERSIONED, &head, file);
    memcpy(file + head_size, job->main.bytes, job->main.size);
    sprite_put_records(job, file, at, behind);
    *out = (trilo_bytes){file, size};
    return true;
}

/* ---- all of it ---- */

/* Options of a sprite of two images, of which the first stands for the bitmap. */
typedef struct sprite_layers {
    tl_layers layers;
    trilo_bitmap main, detail;
    trilo_sprite_sampling sampling[2];
} sprite_layers;

static bool sprite_make_layers(tl_arena *arena, const trilo_bitmap **bitmap, trilo_sprite_opts *opts,
                               sprite_layers *made, trilo_error *err)
{
    static const trilo_sprite_sampling once[2] = {{0, 1, 0, false}, {0, 1, 0, false}};
    const trilo_image *image = &(*bitmap)->image;
    const bool ihq = opts->layers == TRILO_SPRITE_LAYERS_IHQ;
    if (image->width == 0 || image->height == 0 || !image->pixels)
        return true; /* an error of the next step */
    if (!(ihq ? tl_layers_ihq(arena, image, opts->target, &made->layers, err)
              : tl_layers_shq(arena, image, &made->layers, err)))
        return false;
    made->main = (trilo_bitmap){.image = made->layers.main};
    made->detail = (trilo_bitmap){.image = made->layers.second};
    *bitmap = &made->main;
    opts->palette = NULL;
    opts->texels = ihq ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_I4;
    opts->mipmaps = opts->detail = ihq;
    opts->quality = false; /* the levels are final */
    opts->detail_bitmap = ihq ? &made->detail : NULL;
    opts->detail_texels = TRILO_TEXELS_I4;
    opts->detail_factor = made->layers.factor;
    for (int k = 0; ihq && k < 2; k++) {
        made->sampling[k] = opts->sampling ? opts->sampling[k] : once[k];
        made->sampling[k].scale = (int16_t)(made->sampling[k].scale + made->layers.scale[k]);
    }
    opts->detail_sampling = opts->sampling ? opts->sampling : once;
    opts->sampling = ihq ? made->sampling : opts->sampling;
    return true;
}

/* What the console shows: the file is decoded again. */
static bool sprite_measure(sprite_job *job, trilo_sprite *sprite, trilo_error *err)
{
    if (!tl_sprite_decode(job->arena, sprite->bytes, 0, true, &sprite->image, err))
        return false;
    sprite->difference = trilo_image_compare(&job->image, &sprite->image);
    return true;
}

static bool sprite_make(sprite_job *job, const trilo_bitmap *bitmap, const tl_layers *layers, trilo_sprite *sprite,
                        trilo_error *err)
{
    const trilo_sprite_opts *opts = job->opts;
    const uint32_t width = bitmap->image.width, height = bitmap->image.height;
    if (!sprite_choose_texels(job, bitmap, opts->texels, &job->main, err))
        return false;
    const bool shq = opts->layers == TRILO_SPRITE_LAYERS_SHQ;
    if (!sprite_make_main(job, bitmap, err) || !sprite_make_mipmaps(job, err) ||
        (shq && !sprite_make_shq(job, layers, err)) || !sprite_make_detail(job, err) ||
        !sprite_put_file(job, &sprite->bytes, err))
        return false;
    sprite->texels = job->main.texels;
    sprite->width = width;
    sprite->height = height;
    sprite->mipmap_count = job->mipmap_count;
    sprite->color_count = job->keeps_palette ? job->color_count : job->palette.count;
    sprite->quantized = job->color_count > 0 && !job->keeps_palette;
    sprite->tmem_used = tl_tmem_used(&job->tmem);
    sprite->tmem_limit = tl_tmem_limit(&job->tmem);
    sprite->fits_tmem = tl_tmem_fits(&job->tmem);
    const int container = opts->target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? TL_DCA_3 : TL_DCA_5;
    if (!sprite_measure(job, sprite, err))
        return false;
    if (opts->layers != TRILO_SPRITE_LAYERS_NONE) {
        sprite->image = layers->shown;
        sprite->difference = layers->difference;
    }
    return (opts->compress == 0 || tl_dca_compress_lz4(job->arena, sprite->bytes, container, &sprite->bytes, err));
}

const trilo_sprite *trilo_sprite_encode(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts, trilo_error *err)
{
    trilo_sprite_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    opts = &own;
    if (opts->compress > 1) {
        tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                "sprites are compressed with level 1, LZ4, not with level %u", opts->compress);
        return NULL;
    }
    tl_arena arena;
    tl_arena_init(&arena, &opts->memory);
    sprite_owned *owned = TL_NEW(&arena, sprite_owned);
    sprite_job *job = TL_NEW(&arena, sprite_job);
    if (owned && job) {
        *job = (sprite_job){.arena = &arena, .opts = opts, .rules = tl_texel_rules_of(opts->target)};
        if (opts->quality)
            job->rules = (tl_texel_rules){.round = true, .opaque = 128};
        sprite_layers made;
        if ((opts->layers == TRILO_SPRITE_LAYERS_NONE || sprite_make_layers(&arena, &bitmap, &own, &made, err)) &&
            sprite_make(job, bitmap, &made.layers, &owned->sprite, err)) {
            owned->arena = arena;
            return &owned->sprite;
        }
    } else {
        tl_fail_memory(err);
    }
    tl_arena_free(&arena);
    return NULL;
}

void trilo_sprite_free(const trilo_sprite *sprite)
{
    if (!sprite)
        return;
    tl_arena arena = ((const sprite_owned *)(const void *)sprite)->arena; /* it also holds the struct */
    tl_arena_free(&arena);
}
