/* A frame: its samples, and their average. */
#include "base/opts.h"
#include "base/strict_float.h"
#include "raster/renderer.h"

#include "base/report.h"
#include "base/size.h"

#include <string.h>

/* More samples on a side would leave the grid of the screen. */
enum { FRAME_SIDE_MOST = TL_GUARD, SAMPLES_MOST = 8, SAMPLES_DEFAULT = 2 };

static uint32_t frame_samples(const trilo_scene *scene)
{
    if (scene->look == TRILO_LOOK_N64)
        return 1;
    return scene->samples == 0 ? SAMPLES_DEFAULT : scene->samples;
}

static bool frame_check(const trilo_scene *scene, uint32_t width, uint32_t height, trilo_error *err)
{
    const uint32_t samples = frame_samples(scene);
    if (samples > SAMPLES_MOST)
        return tl_fail_misuse(err, "a pixel has 1 to 8 samples along each side");
    if (width == 0 || height == 0)
        return tl_fail_misuse(err, "a picture must be at least one pixel wide and one high");
    if (width > FRAME_SIDE_MOST / samples || height > FRAME_SIDE_MOST / samples)
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                       "a picture of %u x %u pixels with %u samples a side is too large; %u x %u is the most", width,
                       height, samples, FRAME_SIDE_MOST / samples, FRAME_SIDE_MOST / samples);
    return true;
}

/* ---- before drawing ---- */

static bool frame_allocate(tl_frame *f, tl_arena *arena)
{
    size_t count;
    if (!tl_multiply(f->framebuffer.width, f->framebuffer.height, &count))
        return false;
    if (!f->framebuffer.rgba)
        f->framebuffer.rgba = tl_array_raw(arena, count, sizeof *f->framebuffer.rgba);
    f->framebuffer.z = tl_array_raw(arena, count, sizeof *f->framebuffer.z);
    f->vertices = tl_array_raw(arena, f->renderer->vertex_most, sizeof *f->vertices);
    f->corners = tl_array_raw(arena, f->renderer->vertex_most, sizeof *f->corners);
    return f->framebuffer.rgba && f->framebuffer.z && f->vertices && f->corners;
}

/* ---- after drawing ---- */

/* The mean of a pixel's samples; those that are clear have no colour. */
static void frame_average_pixel(const tl_framebuffer *from, uint32_t x, uint32_t y, uint32_t samples, uint8_t out[4])
{
    uint32_t sum[4] = {0, 0, 0, 0};
    for (uint32_t j = 0; j < samples; j++)
        for (uint32_t i = 0; i < samples; i++) {
            const uint8_t *p = from->rgba[(size_t)(y * samples + j) * from->width + x * samples + i];
            for (int k = 0; k < 3; k++)
                sum[k] += (uint32_t)p[k] * p[3];
            sum[3] += p[3];
        }
    for (int k = 0; k < 3; k++)
        out[k] = (uint8_t)(sum[3] == 0 ? 0 : (sum[k] + sum[3] / 2) / sum[3]);
    out[3] = (uint8_t)((sum[3] + samples * samples / 2) / (samples * samples));
}

static void frame_average(const tl_framebuffer *from, uint32_t samples, uint32_t width, uint32_t height,
                          uint8_t (*pixels)[4])
{
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            frame_average_pixel(from, x, y, samples, pixels[(size_t)y * width + x]);
}

/* ---- all ---- */

static void frame_draw(tl_frame *f)
{
    const double aspect = (double)f->framebuffer.width / f->framebuffer.height;
    const size_t count = (size_t)f->framebuffer.width * f->framebuffer.height;
    uint8_t background[4];
    for (int k = 0; k < 3; k++)
        background[k] = f->framebuffer.n64 ? f->scene->background[k] & 0xF8 : f->scene->background[k];
    background[3] = f->scene->background[3];
    for (size_t i = 0; i < count; i++) {
        memcpy(f->framebuffer.rgba[i], background, sizeof background);
        f->framebuffer.z[i] = TL_Z_CLEAR;
    }
    f->bounds = trilo_renderer_bounds(f->renderer);
    f->camera = tl_camera_of(&f->scene->view, &f->bounds, aspect);
    f->screen = tl_screen_of(f->framebuffer.width, f->framebuffer.height);
    tl_lights_set(&f->lights, f->scene, &f->camera);
    tl_frame_meshes(f);
    tl_frame_overlays(f);
}

bool trilo_renderer_draw(trilo_renderer *renderer, const trilo_scene *scene, uint32_t width, uint32_t height,
                         uint8_t (*pixels)[4], trilo_error *err)
{
    trilo_scene own;
    tl_frame f = {.renderer = renderer, .scene = &own};
    if (!TL_OPTS_TAKE(&own, scene, err) || !frame_check(f.scene, width, height, err))
        return false;
    const uint32_t samples = frame_samples(f.scene);
    f.framebuffer = (tl_framebuffer){.width = width * samples,
                                     .height = height * samples,
                                     .rgba = samples == 1 ? pixels : NULL,
                                     .n64 = f.scene->look == TRILO_LOOK_N64,
                                     .seed = f.scene->seed,
                                     .line = samples};
    tl_arena arena;
    tl_arena_init(&arena, renderer->has_memory ? &renderer->memory : NULL);
    if (!frame_allocate(&f, &arena)) {
        tl_arena_free(&arena);
        return tl_fail_memory(err);
    }
    tl_renderer_set_states(renderer, f.scene);
    frame_draw(&f);
    if (samples > 1)
        frame_average(&f.framebuffer, samples, width, height, pixels);
    for (size_t i = 0; f.framebuffer.n64 && i < (size_t)width * height; i++)
        for (int k = 0; k < 3; k++) /* five bits as a screen of eight shows them */
            pixels[i][k] = (uint8_t)(pixels[i][k] | pixels[i][k] >> 5);
    tl_arena_free(&arena);
    return true;
}
