/* Palettes that several images share. Each image joins the group with which it loses least, or starts one of its own.
 */
#include "base/strict_float.h"

#include "base/opts.h"
#include "image/image.h"
#include "image/sprite/sprite_encode.h"

#include <string.h>

static const double share_default_delta_e = 2;

typedef struct share_job {
    const trilo_image *images;
    trilo_share_opts opts;
    trilo_shared_image *shared;
    trilo_palette *palettes;
    trilo_image *members; /* room for the images of a group */
    uint32_t *colors;     /* of each palette, at most */
} share_job;

/* Colours of the palette of an image; 0: it has none. */
static uint32_t share_colors(const share_job *job, uint32_t index)
{
    return job->opts.texels ? tl_texel_format_of(job->opts.texels[index])->colors
                            : tl_texel_format_of(TRILO_TEXELS_CI8)->colors;
}

/* The image as it looks with a palette. */
static bool share_compare(share_job *job, uint32_t index, const trilo_palette *palette,
                          trilo_image_difference *difference)
{
    const trilo_image *image = &job->images[index];
    const size_t count = (size_t)image->width * image->height;
    tl_arena scratch;
    tl_arena_init(&scratch, &job->opts.memory);
    uint8_t *indices = tl_array_raw(&scratch, count, 1);
    tl_pixel *pixels = tl_array_raw(&scratch, count, sizeof *pixels);
    const bool ok = indices && pixels && tl_palette_map(&scratch, image, palette, TRILO_DITHER_NONE, indices);
    for (size_t i = 0; ok && i < count; i++)
        memcpy(pixels[i], palette->colors[indices[i]], 4);
    const trilo_image seen = {image->width, image->height, (const tl_pixel *)pixels};
    if (ok)
        *difference = trilo_image_compare(image, &seen);
    tl_arena_free(&scratch);
    return ok;
}

/* The palette of a group with one more image, and the largest error of an image with it. */
static bool share_try(share_job *job, uint32_t group, uint32_t last, trilo_palette *palette, double *worst,
                      trilo_error *err)
{
    const trilo_quantize_opts quantize = {.memory = job->opts.memory, .colors = share_colors(job, last)};
    size_t count = 0;
    for (uint32_t i = 0; i <= last; i++)
        if (i == last || (group != TRILO_NONE && job->shared[i].palette == group))
            job->members[count++] = job->images[i];
    if (!trilo_image_quantize(job->members, count, &quantize, palette, NULL, err))
        return false;
    *worst = 0;
    for (uint32_t i = 0; i <= last; i++) {
        trilo_image_difference difference;
        if (i != last && (group == TRILO_NONE || job->shared[i].palette != group))
            continue;
        if (!share_compare(job, i, palette, &difference))
            return tl_fail_memory(err);
        *worst = difference.delta_e > *worst ? difference.delta_e : *worst;
    }
    return true;
}

static bool share_place(share_job *job, uint32_t index, uint32_t *groups, trilo_error *err)
{
    const double most = job->opts.max_delta_e > 0 ? job->opts.max_delta_e : share_default_delta_e;
    trilo_palette palette, best;
    double worst, least = most;
    uint32_t chosen = *groups;
    job->shared[index] = (trilo_shared_image){.palette = TRILO_NONE};
    if (share_colors(job, index) == 0)
        return true;
    if (!share_try(job, TRILO_NONE, index, &best, &worst, err))
        return false;
    if (!share_compare(job, index, &best, &job->shared[index].alone))
        return tl_fail_memory(err);
    for (uint32_t g = 0; g < *groups; g++) {
        if (job->colors[g] != share_colors(job, index))
            continue;
        if (!share_try(job, g, index, &palette, &worst, err))
            return false;
        if (worst <= least) {
            least = worst;
            chosen = g;
            best = palette;
        }
    }
    job->shared[index].palette = chosen;
    job->palettes[chosen] = best;
    job->colors[chosen] = share_colors(job, index);
    *groups += chosen == *groups;
    return true;
}

bool trilo_palettes_share(const trilo_image *images, uint32_t image_count, const trilo_share_opts *opts,
                          trilo_shared_image *shared, trilo_palette *palettes, uint32_t *palette_count,
                          trilo_error *err)
{
    share_job job = {.images = images, .shared = shared, .palettes = palettes};
    uint32_t groups = 0;
    tl_arena arena;
    if (!TL_OPTS_TAKE(&job.opts, opts, err))
        return false;
    tl_arena_init(&arena, &job.opts.memory);
    job.members = TL_ARRAY(&arena, image_count, trilo_image);
    job.colors = TL_ARRAY(&arena, image_count, uint32_t);
    bool ok = (job.members && job.colors) || tl_fail_memory(err);
    for (uint32_t i = 0; ok && i < image_count; i++)
        ok = share_place(&job, i, &groups, err);
    for (uint32_t i = 0; ok && i < image_count; i++) {
        if (shared[i].palette == TRILO_NONE)
            continue;
        ok = share_compare(&job, i, &palettes[shared[i].palette], &shared[i].shared) || tl_fail_memory(err);
        for (uint32_t k = 0; k < image_count; k++)
            shared[i].image_count += shared[k].palette == shared[i].palette;
    }
    tl_arena_free(&arena);
    if (palette_count)
        *palette_count = groups;
    return ok;
}
