/* PNG files, with libpng: for builds without libspng, such as static ones. The same pixels. */
#include "image/image.h"

#ifdef TRILO_WITH_LIBPNG
#include <png.h>
#include <setjmp.h>
#include <string.h>

enum { PNG_MAX_CHUNK = 1 << 24 };

/* libpng ends a failed call with longjmp, so what is needed afterwards is here and not in local variables. */
typedef struct png_job {
    tl_arena *arena;
    trilo_bytes left; /* of the file */
    trilo_bitmap *bitmap;
    trilo_error *err;
    png_structp png;
    png_infop info;
    bool is_cut, out_of_memory, has_failed; /* has_failed: *err is filled */
    char why[80];
} png_job;

static void png_job_read(png_structp png, png_bytep out, size_t size)
{
    png_job *job = png_get_io_ptr(png);
    job->is_cut = size > job->left.size;
    if (job->is_cut)
        png_error(png, "");
    memcpy(out, job->left.data, size);
    job->left = (trilo_bytes){job->left.data + size, job->left.size - size};
}

/* The arena frees it. zlib allocates here, too. */
static png_voidp png_job_allocate(png_structp png, png_alloc_size_t size)
{
    png_job *job = png_get_mem_ptr(png);
    void *room = tl_array_raw(job->arena, size, 1);
    job->out_of_memory |= !room;
    return room;
}

static void png_job_free(png_structp png, png_voidp room)
{
    (void)png, (void)room;
}

static void png_job_error(png_structp png, png_const_charp text)
{
    png_job *job = png_get_error_ptr(png);
    size_t length = strlen(text);
    length = length < sizeof job->why ? length : sizeof job->why - 1;
    memcpy(job->why, text, length);
    job->why[length] = '\0';
    job->is_cut |= strcmp(text, "Not enough image data") == 0;
    png_longjmp(png, 1);
}

static void png_job_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

/* The palette, with black above it. */
static tl_pixel *png_job_colors(png_job *job)
{
    tl_pixel *colors = TL_ARRAY(job->arena, 256, tl_pixel);
    png_colorp entries = NULL;
    png_bytep alphas = NULL;
    int count = 0, alpha_count = 0;
    png_get_PLTE(job->png, job->info, &entries, &count);
    png_get_tRNS(job->png, job->info, &alphas, &alpha_count, NULL);
    for (int i = 0; colors && i < 256; i++) {
        const png_color c = i < count ? entries[i] : (png_color){0, 0, 0};
        memcpy(colors[i], (tl_pixel){c.red, c.green, c.blue, i < alpha_count ? alphas[i] : 255}, sizeof *colors);
    }
    job->bitmap->color_count = (uint32_t)count;
    job->out_of_memory |= !colors;
    return colors;
}

/* Rows of one byte per pixel, an index, or of four. */
static void png_job_read_rows(png_job *job, uint8_t *first, size_t stride, uint32_t height)
{
    png_bytepp rows = TL_ARRAY(job->arena, height, png_bytep);
    job->out_of_memory |= !rows;
    if (!rows)
        png_error(job->png, "");
    for (uint32_t y = 0; y < height; y++)
        rows[y] = first + y * stride;
    png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    png_read_image(job->png, rows);
}

static void png_job_decode(png_job *job)
{
    trilo_bitmap *bitmap = job->bitmap;
    png_read_info(job->png, job->info);
    const uint32_t width = png_get_image_width(job->png, job->info), height = png_get_image_height(job->png, job->info);
    const int type = png_get_color_type(job->png, job->info);
    if ((uint64_t)width * height <= TRILO_IMAGE_PIXELS &&
        !tl_png_size_is_plausible(png_get_rowbytes(job->png, job->info), height, job->left.size)) {
        job->is_cut = true;
        png_error(job->png, "");
    }
    tl_pixel *pixels = tl_image_pixels(job->arena, width, height, job->err);
    job->has_failed = !pixels;
    if (!pixels)
        png_error(job->png, "");
    bitmap->image = (trilo_image){width, height, (const tl_pixel *)pixels};
    bitmap->bits = png_get_bit_depth(job->png, job->info);
    bitmap->kind = type == PNG_COLOR_TYPE_GRAY         ? TRILO_PIXEL_KIND_GREY
                   : type == PNG_COLOR_TYPE_RGB        ? TRILO_PIXEL_KIND_RGB
                   : type == PNG_COLOR_TYPE_PALETTE    ? TRILO_PIXEL_KIND_INDEXED
                   : type == PNG_COLOR_TYPE_GRAY_ALPHA ? TRILO_PIXEL_KIND_GREY_ALPHA
                                                       : TRILO_PIXEL_KIND_RGBA;
    if (bitmap->kind != TRILO_PIXEL_KIND_INDEXED) {
        png_set_expand(job->png); /* also of the transparent colour */
        png_set_strip_16(job->png);
        png_set_gray_to_rgb(job->png);
        png_set_add_alpha(job->png, 255, PNG_FILLER_AFTER);
        png_job_read_rows(job, pixels[0], (size_t)width * sizeof *pixels, height);
        return;
    }
    tl_pixel *colors = png_job_colors(job);
    uint8_t *indices = tl_array_raw(job->arena, (size_t)width * height, 1);
    job->out_of_memory |= !indices;
    if (job->out_of_memory)
        png_error(job->png, "");
    png_set_packing(job->png);
    png_job_read_rows(job, indices, width, height);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        memcpy(pixels[i], colors[indices[i]], sizeof *pixels);
        bitmap->color_count = indices[i] >= bitmap->color_count ? indices[i] + 1u : bitmap->color_count;
    }
    bitmap->indices = indices;
    bitmap->colors = (const tl_pixel *)colors;
}

static bool png_job_fail(const png_job *job)
{
    trilo_error *err = job->err;
    if (job->has_failed)
        return false;
    if (job->out_of_memory)
        return tl_fail_memory(err);
    if (strstr(job->why, "Invalid IHDR") && job->bitmap->image.width == 0)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE,
                             "the PNG file has no pixels: width and height must be from 1 to 2147483647");
    return job->is_cut ? TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, TRILO_NOWHERE,
                                       "the PNG file ends before its pixels do")
                       : TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE, "the PNG file is broken: %s",
                                       job->why);
}

bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    png_job job = {.arena = arena, .left = bytes, .bitmap = bitmap, .err = err};
    job.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job, png_job_error, png_job_warning, &job,
                                       png_job_allocate, png_job_free);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    if (!job.info)
        return tl_fail_memory(err);
    const bool ok = setjmp(png_jmpbuf(job.png)) == 0;
    if (ok) {
        png_set_read_fn(job.png, &job, png_job_read);
        png_set_user_limits(job.png, INT32_MAX, INT32_MAX); /* tl_image_pixels has the limit of an image */
        png_set_chunk_malloc_max(job.png, PNG_MAX_CHUNK);
        png_set_crc_action(job.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
        png_job_decode(&job);
    }
    png_destroy_read_struct(&job.png, &job.info, NULL);
    return ok || png_job_fail(&job);
}

#endif
