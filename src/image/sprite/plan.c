/* The smallest sufficient texel format: every format is tried, at the largest size that fits TMEM. */
#include "base/strict_float.h"

#include "base/opts.h"
#include "image/sprite/sprite_encode.h"

#include <math.h>
#include <string.h>

static const double plan_default_delta_e = 2;
/* Pixels of an image that is compared; the console's screen has hardly more, and TMEM has room for an eighth. */
enum { PLAN_PIXELS = 256 * 256 };

/* Bits of a texel first, then what is cheaper to load: palettes are loaded as well. */
static const trilo_texels plan_formats[TRILO_PLAN_CANDIDATES] = {
    TRILO_TEXELS_I4,  TRILO_TEXELS_IA4,    TRILO_TEXELS_CI4,  TRILO_TEXELS_I8,    TRILO_TEXELS_IA8,
    TRILO_TEXELS_CI8, TRILO_TEXELS_RGBA16, TRILO_TEXELS_IA16, TRILO_TEXELS_RGBA32};

typedef struct plan_job {
    const trilo_bitmap *bitmap; /* the image, or a smaller copy if it is large */
    uint32_t width, height;     /* of the image */
    const trilo_plan_opts *opts;
    trilo_sprite_opts sprite;
    bool grey, opaque;
} plan_job;

static void plan_look_at_image(plan_job *job)
{
    const trilo_image *image = &job->bitmap->image;
    job->grey = job->opaque = true;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *p = image->pixels[i];
        job->opaque &= p[3] == 255;
        job->grey &= p[3] == 0 || (p[0] == p[1] && p[1] == p[2]);
    }
}

/* What the image takes of TMEM with all mipmaps, which mksprite stops at the first that does not fit. */
static bool plan_size_fits(const plan_job *job, trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_tmem tmem = {.bytes = 0};
    tl_tmem_add(&tmem, texels, width, height);
    if (job->sprite.mipmaps && width >= 8 && height >= 8) /* at least one must fit */
        tl_tmem_add(&tmem, texels, width / 2, height / 2);
    tl_tmem_add(&tmem, job->opts->other_texels, job->opts->other_width, job->opts->other_height);
    return tl_tmem_used(&tmem) <= tl_tmem_limit(&tmem) / (job->opts->other_later ? 2 : 1);
}

static uint32_t plan_power_of_two(uint32_t size)
{
    uint32_t power = 1;
    while (power < size && power < 1u << 15)
        power *= 2;
    return power - size > size - power / 2 ? power / 2 : power; /* the nearer one */
}

/* The largest size that fits. Sides that repeat are powers of two; others keep the proportions. */
static bool plan_find_size(const plan_job *job, trilo_texels texels, uint32_t *width, uint32_t *height)
{
    const uint32_t wide = job->opts->power_of_two ? plan_power_of_two(job->width) : job->width;
    const uint32_t high = job->opts->power_of_two ? plan_power_of_two(job->height) : job->height;
    *width = wide;
    *height = high;
    if (job->opts->any_size || plan_size_fits(job, texels, wide, high))
        return true;
    if (job->opts->power_of_two) {
        while ((*width > 1 || *height > 1) && !plan_size_fits(job, texels, *width, *height)) {
            uint32_t *longer = *width >= *height ? width : height;
            *longer /= 2;
        }
        return plan_size_fits(job, texels, *width, *height);
    }
    for (*width = wide; *width > 0; --*width) {
        *height = (uint32_t)(((uint64_t)high * *width + wide / 2) / wide);
        *height = *height ? *height : 1;
        if (plan_size_fits(job, texels, *width, *height))
            return true;
    }
    return false;
}

static bool plan_try(plan_job *job, trilo_plan_candidate *candidate, trilo_error *err)
{
    const trilo_image *resized = NULL;
    trilo_bitmap bitmap = *job->bitmap;
    if (candidate->width != bitmap.image.width || candidate->height != bitmap.image.height) {
        const trilo_resize_opts resize = {.memory = job->opts->memory,
                                          .width = candidate->width,
                                          .height = candidate->height,
                                          .repeat_s = job->opts->power_of_two,
                                          .repeat_t = job->opts->power_of_two};
        resized = trilo_image_resize(&bitmap.image, &resize, err);
        if (!resized)
            return false;
        bitmap = (trilo_bitmap){.image = *resized};
    }
    job->sprite.texels = candidate->texels;
    const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &job->sprite, err);
    bool ok = sprite != NULL;
    if (sprite) {
        candidate->tmem_used = sprite->tmem_used;
        candidate->tmem_limit = sprite->tmem_limit;
        candidate->size = (uint32_t)sprite->bytes.size;
        candidate->difference = sprite->difference;
    }
    if (sprite && resized) { /* what is lost by resizing counts as well */
        const trilo_image *source = &job->bitmap->image;
        const trilo_resize_opts back = {.memory = job->opts->memory, .width = source->width, .height = source->height};
        const trilo_image *again = trilo_image_resize(&sprite->image, &back, err);
        ok = again != NULL;
        if (again)
            candidate->difference = trilo_image_compare(source, again);
        trilo_image_free(again);
    }
    trilo_image_free(resized);
    trilo_sprite_free(sprite);
    return ok;
}

static trilo_plan_verdict plan_rule_out(const plan_job *job, const trilo_plan_candidate *candidate)
{
    const tl_texel_format *format = tl_texel_format_of(candidate->texels);
    const bool alone = job->opts->other_texels == TRILO_TEXELS_UNKNOWN && !job->opts->other_later;
    const bool other_palette = tl_texel_format_of(job->opts->other_texels)->colors > 0;
    if (job->opts->sprite && job->opts->sprite->texels)
        return TRILO_PLAN_VERDICT_CHOSEN;
    return !alone && (format->colors > 0) != other_palette ? TRILO_PLAN_VERDICT_PALETTE
           : format->alpha_bits == 0 && !job->opaque       ? TRILO_PLAN_VERDICT_ALPHA
                                                           : TRILO_PLAN_VERDICT_CHOSEN;
}

static bool plan_make(plan_job *job, trilo_sprite_plan *plan, trilo_error *err)
{
    const double most = job->opts->max_delta_e > 0 ? job->opts->max_delta_e : plan_default_delta_e;
    const trilo_texels only = job->sprite.texels;
    uint32_t nearest = TRILO_NONE;
    plan->chosen = TRILO_NONE;
    for (uint32_t i = 0; i < TRILO_PLAN_CANDIDATES; i++) {
        if (only && plan_formats[i] != only)
            continue;
        trilo_plan_candidate *candidate = &plan->candidates[plan->candidate_count];
        *candidate = (trilo_plan_candidate){.texels = plan_formats[i]};
        candidate->verdict = plan_rule_out(job, candidate);
        const bool sized = plan_find_size(job, candidate->texels, &candidate->width, &candidate->height);
        if (candidate->verdict == TRILO_PLAN_VERDICT_CHOSEN && !sized)
            candidate->verdict = TRILO_PLAN_VERDICT_TMEM;
        if (candidate->verdict == TRILO_PLAN_VERDICT_CHOSEN) {
            if (!plan_try(job, candidate, err))
                return false;
            if (nearest == TRILO_NONE || candidate->difference.delta_e < plan->candidates[nearest].difference.delta_e)
                nearest = plan->candidate_count;
            if (candidate->difference.delta_e > most)
                candidate->verdict = tl_texel_format_of(candidate->texels)->grey && !job->grey
                                         ? TRILO_PLAN_VERDICT_COLORS
                                         : TRILO_PLAN_VERDICT_ERROR;
            else if (plan->chosen != TRILO_NONE)
                candidate->verdict = TRILO_PLAN_VERDICT_LARGER;
            else
                plan->chosen = plan->candidate_count;
        }
        plan->candidate_count++;
    }
    plan->within_error = plan->chosen != TRILO_NONE;
    if (nearest == TRILO_NONE)
        return TL_IMAGE_FAIL(err, TRILO_CODE_LIMIT, SPRITE, TRILO_NOWHERE,
                             "no size of the image fits TMEM beside the other textures of its material");
    plan->chosen = plan->within_error ? plan->chosen : nearest;
    plan->candidates[plan->chosen].verdict = TRILO_PLAN_VERDICT_CHOSEN;
    return true;
}

bool trilo_sprite_plan_make(const trilo_bitmap *bitmap, const trilo_plan_opts *opts, trilo_sprite_plan *plan,
                            trilo_error *err)
{
    trilo_plan_opts own;
    plan_job job = {.bitmap = bitmap, .opts = &own};
    memset(plan, 0, sizeof *plan);
    if (!TL_OPTS_TAKE(&own, opts, err) || !TL_OPTS_TAKE(&job.sprite, own.sprite, err))
        return false;
    if (bitmap->image.width == 0 || bitmap->image.height == 0 || !bitmap->image.pixels)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE,
                             "the image is %u by %u pixels; each must be at least 1", bitmap->image.width,
                             bitmap->image.height);
    job.sprite.memory = own.memory;
    job.sprite.compress = 0;
    job.sprite.dither = TRILO_DITHER_NONE; /* it looks smoother and measures worse: no reason for a larger format */
    job.width = bitmap->image.width;
    job.height = bitmap->image.height;
    plan_look_at_image(&job);
    const double pixels = (double)job.width * job.height;
    if (pixels <= PLAN_PIXELS || own.any_size)
        return plan_make(&job, plan, err);
    const double scale = sqrt(PLAN_PIXELS / pixels);
    const trilo_resize_opts resize = {.memory = own.memory,
                                      .width = (uint32_t)ceil(job.width * scale),
                                      .height = (uint32_t)ceil(job.height * scale),
                                      .repeat_s = own.power_of_two,
                                      .repeat_t = own.power_of_two};
    const trilo_image *smaller = trilo_image_resize(&bitmap->image, &resize, err);
    const trilo_bitmap reduced = {.image = smaller ? *smaller : (trilo_image){0}};
    job.bitmap = &reduced;
    const bool ok = smaller && plan_make(&job, plan, err);
    trilo_image_free(smaller);
    return ok;
}

const char *trilo_plan_verdict_text(trilo_plan_verdict verdict)
{
    static const char *const texts[] = {
        [TRILO_PLAN_VERDICT_CHOSEN] = "chosen",
        [TRILO_PLAN_VERDICT_LARGER] = "a smaller format will do",
        [TRILO_PLAN_VERDICT_ERROR] = "too far from the image",
        [TRILO_PLAN_VERDICT_COLORS] = "the image has colours",
        [TRILO_PLAN_VERDICT_ALPHA] = "the image has transparent parts",
        [TRILO_PLAN_VERDICT_PALETTE] = "it does not go with the other texture of the material",
        [TRILO_PLAN_VERDICT_TMEM] = "no size of it fits TMEM",
    };
    return (size_t)verdict < TL_COUNT_OF(texts) ? texts[verdict] : "unknown";
}
