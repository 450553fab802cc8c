/* A frame: its samples, and their average. */
#include "base/opts.h"
#include "base/strict_float.h"
#include "raster/renderer.h"

#include "base/report.h"
#include "base/size.h"
#include "raster/console/depth.h"
#include "raster/console/framebuffer.h"
#include "raster/console/video.h"

#include <string.h>

/* More samples on a side would leave the grid of the screen. */
enum { FRAME_SIDE_MOST = TL_GUARD, SAMPLES_MOST = 8, SAMPLES_DEFAULT = 2 };

static uint32_t frame_samples(const trilo_scene *scene)
{
    if (scene->look != TRILO_LOOK_CLEAN)
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
    if (scene->look == TRILO_LOOK_TV && ((width | height) & 1) != 0)
        return tl_fail_misuse(err, "the tv look needs an even width and height");
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
    f->framebuffer.z = tl_array_raw(arena, count + TL_FRAMEBUFFER_PAST, sizeof *f->framebuffer.z);
    f->vertices = tl_array_raw(arena, f->renderer->vertex_most, sizeof *f->vertices);
    f->corners = tl_array_raw(arena, f->renderer->vertex_most, sizeof *f->corners);
    if (f->console) {
        f->framebuffer.coverage = tl_array_raw(arena, count + TL_FRAMEBUFFER_PAST, sizeof *f->framebuffer.coverage);
        f->console_vertices = tl_array_raw(arena, f->renderer->vertex_most, sizeof *f->console_vertices);
        f->transformed = tl_array_raw(arena, f->renderer->vertex_most / TL_VERTEX_GROUP + 1, sizeof *f->transformed);
    }
    return f->framebuffer.rgba && f->framebuffer.z && f->vertices && f->corners &&
           (!f->console || (f->framebuffer.coverage && f->console_vertices && f->transformed));
}

static void frame_clear(const tl_frame *f)
{
    const size_t count = (size_t)f->framebuffer.width * f->framebuffer.height;
    uint8_t background[4];
    for (int k = 0; k < 3; k++)
        background[k] =
            f->console && !f->framebuffer.color_32 ? f->scene->background[k] & 0xF8 : f->scene->background[k];
    background[3] = f->scene->background[3];
    const size_t width = f->framebuffer.width;
    for (size_t x = 0; x < width; x++) {
        memcpy(f->framebuffer.rgba[x], background, sizeof background);
        f->framebuffer.z[x] = f->console ? TL_DEPTH_CLEAR : TL_Z_CLEAR;
    }
    for (size_t i = width; i < count; i += width) {
        memcpy(f->framebuffer.rgba + i, f->framebuffer.rgba, width * sizeof *f->framebuffer.rgba);
        memcpy(f->framebuffer.z + i, f->framebuffer.z, width * sizeof *f->framebuffer.z);
    }
    if (f->console) {
        memset(f->framebuffer.z + count, 0, TL_FRAMEBUFFER_PAST * sizeof *f->framebuffer.z);
        memset(f->framebuffer.coverage, 7, count + TL_FRAMEBUFFER_PAST);
    }
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

static bool frame_set_camera(tl_frame *f, trilo_error *err)
{
    const uint32_t width = f->framebuffer.width, height = f->framebuffer.height;
    f->bounds = trilo_renderer_bounds(f->renderer);
    f->camera = tl_camera_of(&f->scene->view, &f->bounds, (double)width / height);
    f->screen = tl_screen_of(width, height);
    tl_lights_set(&f->lights, f->scene, &f->camera);
    if (!f->console)
        return true;
    if (!tl_console_camera(&f->camera, f->scene, width, height))
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                       "near plus far, times the model scale, must be %.0f to %d; the console's numbers "
                       "wrap beyond that",
                       tl_viewport_range_least(width, height), TL_VIEWPORT_RANGE_MOST);
    f->view = tl_console_view_of(&f->camera, f->scene, width, height);
    f->view_planes = tl_view_planes_of((const double(*)[4])f->view.to_clip);
    return true;
}

/* The picture as it is shown, from what was drawn. */
static bool frame_finish(const tl_frame *f, tl_arena *arena, uint32_t samples, uint32_t width, uint32_t height,
                         uint8_t (*pixels)[4])
{
    if (f->scene->look == TRILO_LOOK_TV) {
        uint8_t(*scratch)[4] = tl_array_raw(arena, 2 * (size_t)f->framebuffer.width, sizeof *scratch);
        if (!scratch)
            return false;
        tl_video_output(&f->framebuffer, &f->scene->console, scratch, pixels);
    } else if (samples > 1) {
        frame_average(&f->framebuffer, samples, width, height, pixels);
    } else if (f->console && !f->framebuffer.color_32) {
        tl_framebuffer_expand(pixels, (size_t)width * height);
    }
    return true;
}

/* Draws a frame; false when memory runs out. The frame is a copy: its arrays are of one attempt. */
static bool frame_fill(tl_frame f, tl_arena *arena, uint32_t samples, uint32_t width, uint32_t height,
                       uint8_t (*pixels)[4])
{
    if (!frame_allocate(&f, arena))
        return false;
    frame_clear(&f);
    tl_frame_meshes(&f);
    if (f.framebuffer.probe)
        return true;
    tl_frame_overlays(&f);
    return frame_finish(&f, arena, samples, width, height, pixels);
}

/* `pixels` may be NULL when only the probe is needed. */
static bool frame_draw(trilo_renderer *renderer, const trilo_scene *scene, uint32_t width, uint32_t height,
                       uint8_t (*pixels)[4], tl_probe *probe, trilo_error *err)
{
    tl_frame f = {.renderer = renderer, .scene = scene};
    if (!frame_check(f.scene, width, height, err))
        return false;
    const uint32_t samples = frame_samples(f.scene);
    const bool tv = f.scene->look == TRILO_LOOK_TV;
    f.console = f.scene->look != TRILO_LOOK_CLEAN;
    f.framebuffer = (tl_framebuffer){.width = tv ? width / 2 : width * samples,
                                     .height = tv ? height / 2 : height * samples,
                                     .rgba = samples == 1 && !tv ? pixels : NULL,
                                     .seed = f.scene->seed,
                                     .line = samples,
                                     .color_32 = f.scene->console.color_32,
                                     .probe = probe};
    if (!frame_set_camera(&f, err))
        return false;
    tl_renderer_set_states(renderer, f.scene);
    const bool kept = renderer->frame.blocks != NULL; /* memory of a frame before */
    bool ok = frame_fill(f, &renderer->frame, samples, width, height, pixels);
    if (!ok && kept) { /* without it, there may be enough */
        tl_arena_restart(&renderer->frame);
        ok = frame_fill(f, &renderer->frame, samples, width, height, pixels);
    }
    tl_arena_restart(&renderer->frame);
    return ok || tl_fail_memory(err);
}

bool trilo_renderer_draw(trilo_renderer *renderer, const trilo_scene *scene, uint32_t width, uint32_t height,
                         uint8_t (*pixels)[4], trilo_error *err)
{
    trilo_scene own;
    return TL_OPTS_TAKE(&own, scene, err) && frame_draw(renderer, &own, width, height, pixels, NULL, err);
}

bool trilo_renderer_probe(trilo_renderer *renderer, const trilo_scene *scene, uint32_t width, uint32_t height,
                          uint32_t x, uint32_t y, trilo_pixel_probe *out, trilo_error *err)
{
    trilo_scene own;
    *out = (trilo_pixel_probe){.drawn = false};
    if (!TL_OPTS_TAKE(&own, scene, err))
        return false;
    if (x >= width || y >= height)
        return tl_fail_misuse(err, "the pixel is outside of the picture");
    if (own.look == TRILO_LOOK_CLEAN)
        own.look = TRILO_LOOK_N64;
    const uint32_t size = own.look == TRILO_LOOK_TV ? 2 : 1; /* of a pixel of the buffer */
    tl_probe probe = {.x = (int32_t)(x / size), .y = (int32_t)(y / size), .out = out};
    return frame_draw(renderer, &own, width, height, NULL, &probe, err);
}
