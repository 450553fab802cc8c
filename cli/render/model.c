/* A model in its pose, and its view. */
#include "render/render.h"

#include "alloc.h"
#include "clips.h"
#include "ui/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURN_SECONDS = 2 };

/* A few bytes can describe a clip that lasts for years. Longer clips are drawn only on request. */
enum { CLIP_FRAMES_MOST = 7200 };

/* ---- the clip ---- */

/* An animated picture shows the first clip by default; without a clip the model turns. */
static exit_code choose_clip(const render_model *m, uint32_t *clip)
{
    const render_options *o = m->options;
    const trilo_model *model = m->input.model;
    *clip = o->clip                                              ? trilo_clip_find(model, o->clip)
            : o->moves && !o->turntable && model->clip_count > 0 ? 0
                                                                 : TRILO_NONE;
    return o->clip && *clip == TRILO_NONE ? clips_unknown(o->args, "--clip", model, o->clip) : EXIT_FINE;
}

/* ---- opening ---- */

static exit_code render_model_fail(const render_model *m, const trilo_error *err)
{
    report_error(&m->options->args->err, m->input.path, err);
    return exit_of(err->code);
}

static exit_code make_player(render_model *m)
{
    const trilo_player_opts opts = {.memory = m->options->load.all.memory,
                                    .sampling = m->options->smooth ? TRILO_SAMPLING_SMOOTH : TRILO_SAMPLING_AUTO,
                                    .layer_count = RENDER_LAYERS};
    trilo_error err;
    trilo_player_free(m->player);
    m->player = NULL;
    m->smooth = m->options->smooth;
    if (m->clip == TRILO_NONE)
        return EXIT_FINE;
    input_warn_streamless(&m->input, m->clip);
    m->player = trilo_player_new(m->input.model, &opts, &err);
    if (!m->player || !trilo_clip_bounds(m->input.model, m->clip, &opts.memory, &m->bounds, &err))
        return render_model_fail(m, &err);
    const trilo_play_opts once = {.once = true, .paused = true};
    trilo_player_play(m->player, 0, m->clip, &once);
    return EXIT_FINE;
}

static exit_code make_renderer(render_model *m)
{
    trilo_error err;
    trilo_renderer_free(m->renderer);
    m->renderer = NULL;
    render_textures_free(&m->textures);
    m->textures = render_textures_load(m->options, &m->input);
    m->clean = m->options->scene.look == TRILO_LOOK_CLEAN;
    if (m->textures.out_of_memory) {
        report_plain(&m->options->args->err, m->input.path, "memory ran out, or its limit was reached, for a texture");
        return EXIT_LIMIT;
    }
    m->renderer = trilo_renderer_new(m->input.model, m->textures.images, &m->options->load.all.memory, &err);
    if (!m->renderer)
        return render_model_fail(m, &err);
    for (uint32_t i = 0; i < m->textures.count; i++)
        trilo_renderer_set_mipmaps(m->renderer, i, m->textures.mipmaps[i].images, m->textures.mipmaps[i].count);
    for (uint32_t i = 0; m->colors && i < m->input.model->mesh_count; i++)
        trilo_renderer_set_face_colors(m->renderer, i, (const uint8_t(*)[4])m->colors[i]);
    return EXIT_FINE;
}

static exit_code count_frames(render_model *m)
{
    const render_options *o = m->options;
    const double duration = m->clip == TRILO_NONE ? 0 : m->input.model->clips[m->clip].duration;
    m->length = duration > 0 ? duration : TURN_SECONDS;
    const double wanted = floor(m->length * o->rate + 0.5);
    if (o->moves && !o->frames && wanted > CLIP_FRAMES_MOST) {
        char text[160];
        snprintf(text, sizeof text,
                 "the clip has %.0f frames, more than %d are drawn only with --frames; or use a lower --fps", wanted,
                 CLIP_FRAMES_MOST);
        report_plain(&o->args->err, m->input.path, text);
        return EXIT_LIMIT;
    }
    m->frame_count = !o->moves ? 1 : o->frames ? o->frames : wanted < 1 ? 1 : (uint32_t)wanted;
    m->rate = m->frame_count / m->length;
    return EXIT_FINE;
}

static void pose_at(const render_model *m, double seconds)
{
    trilo_player_seek(m->player, 0, seconds);
    trilo_player_advance(m->player, 0);
    trilo_renderer_pose(m->renderer, m->player);
}

static void add_pose(render_model *m, double seconds)
{
    pose_at(m, seconds);
    trilo_framing_add(&m->framing, m->renderer);
}

/* The default camera shows all of the clip, not only the moment that is drawn: pictures of one clip fit together. */
static void frame_model(render_model *m)
{
    enum { FRAMED_RATE = 25, FRAMED_MOST = 200 };
    const render_options *o = m->options;
    const trilo_bounds *b = &m->bounds;
    m->framing = (trilo_framing){.azimuth = o->azimuth,
                                 .elevation = o->elevation,
                                 .fov = o->fov,
                                 .aspect = (double)o->width / o->height,
                                 .orbiting = o->moves && (o->turntable || m->clip == TRILO_NONE)};
    if (o->has_eye)
        return;
    if (m->framing.orbiting && b->min.x <= b->max.x)
        m->framing.pivot =
            (trilo_vec3){(b->min.x + b->max.x) / 2, (b->min.y + b->max.y) / 2, (b->min.z + b->max.z) / 2};
    const double wanted = floor(m->length * FRAMED_RATE + 0.5);
    const uint32_t poses = !m->player ? 0 : wanted < FRAMED_MOST ? (uint32_t)wanted : FRAMED_MOST;
    for (uint32_t i = 0; i < poses; i++)
        add_pose(m, i * m->length / poses);
    if (m->player && !o->moves)
        add_pose(m, o->seconds);
    for (uint32_t i = 0; m->player && o->moves && wanted > FRAMED_MOST && i < m->frame_count; i++)
        add_pose(m, i * m->length / m->frame_count);
    if (!m->player)
        trilo_framing_add(&m->framing, m->renderer);
}

exit_code render_change(render_model *m, const render_options *options)
{
    uint32_t clip;
    m->options = options;
    exit_code code = choose_clip(m, &clip);
    const bool other_clip = clip != m->clip || options->smooth != m->smooth;
    if (code != EXIT_FINE)
        return code;
    m->clip = clip;
    if (other_clip)
        code = make_player(m);
    const bool other_renderer = !m->renderer || m->clean != (options->scene.look == TRILO_LOOK_CLEAN);
    if (code == EXIT_FINE && other_renderer)
        code = make_renderer(m); /* in its rest pose */
    if (code != EXIT_FINE)
        return code;
    if (m->clip == TRILO_NONE || !(m->bounds.min.x <= m->bounds.max.x && m->bounds.min.y <= m->bounds.max.y &&
                                   m->bounds.min.z <= m->bounds.max.z)) {
        if (!other_renderer)
            trilo_renderer_pose(m->renderer, NULL);
        m->bounds = trilo_renderer_bounds(m->renderer);
    }
    m->pixels = need(m->pixels, (size_t)options->width * options->height, sizeof *m->pixels);
    if (options->parts && !m->colors && !render_color_parts(m)) {
        report_plain(&options->args->err, m->input.path, "--parts: only T3DM files have vertex batches");
        return EXIT_LIMIT;
    }
    code = count_frames(m);
    if (code == EXIT_FINE)
        frame_model(m);
    return code;
}

exit_code render_open(render_model *m, const render_options *options, const char *path)
{
    *m = (render_model){.options = options, .clip = TRILO_NONE};
    const exit_code code = input_load(&m->input, options->args, path, &options->load.all);
    return code == EXIT_FINE ? render_change(m, options) : code;
}

void render_close(render_model *m)
{
    trilo_renderer_free(m->renderer);
    trilo_player_free(m->player);
    render_textures_free(&m->textures);
    for (uint32_t i = 0; m->colors && i < m->input.model->mesh_count; i++)
        free(m->colors[i]);
    free((void *)m->colors);
    free(m->pixels);
    input_close(&m->input);
}

/* ---- drawing ---- */

trilo_view render_view(const render_model *m, double part)
{
    const render_options *o = m->options;
    const double aspect = (double)o->width / o->height;
    trilo_view view;
    if (o->has_eye) {
        const trilo_view whole = trilo_view_frame(&m->bounds, 0, 0, o->fov, aspect);
        view = (trilo_view){.eye = o->eye, .target = o->has_target ? o->target : whole.target, .fov = (float)o->fov};
    } else {
        trilo_framing framing = m->framing;
        framing.azimuth += framing.orbiting ? 360 * part : 0;
        view = trilo_framing_view(&framing);
    }
    view.near_at = (float)o->near_at;
    view.far_at = (float)o->far_at;
    return view;
}

/* True if there is more than the background. The console's looks change colours by up to one step of 5 bits. */
static bool shows_something(const render_model *m)
{
    enum { STEP = 8 };
    const uint8_t *first = m->pixels[0], *background = m->options->scene.background;
    const size_t count = (size_t)m->options->width * m->options->height;
    for (int k = 0; k < 3 && m->options->scene.look != TRILO_LOOK_TV; k++)
        if (abs(first[k] - background[k]) > STEP && (first[3] | background[3]) != 0)
            return true;
    for (size_t i = 1; i < count; i++)
        if (memcmp(m->pixels[i], first, 4) != 0)
            return true;
    return false;
}

bool render_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    render_model *m = user;
    const render_options *o = m->options;
    const double part = (double)index / m->frame_count;
    trilo_scene scene = o->scene;
    /* A clip loops: its end is its start. */
    if (m->player) {
        const bool still = !m->options->moves || args_has(m->options->args, OPT_TIME);
        pose_at(m, still ? m->options->seconds : part * m->length);
    }
    scene.view = render_view(m, part);
    scene.seed = index;
    *frame = (trilo_image){o->width, o->height, (const uint8_t(*)[4])m->pixels};
    const bool ok = trilo_renderer_draw(m->renderer, &scene, o->width, o->height, m->pixels, err);
    m->visible = m->visible || (ok && shows_something(m));
    return ok;
}
