/* bench_render.c: frames of 320 by 240 pixels, as the console shows them, on one core: the mascot as it walks, and the
 * largest T3DM of the corpus with its textures, from outside and from the middle of it, there also at 640 by 480; a
 * character and two maps of games. All but the mascot beside OpenGL on one thread of llvmpipe, with the same triangles,
 * textures and cameras. */
#include "mascot.h"
#include "osmesa.h"

#include <trilobite/assets.h>
#include <trilobite/load.h>
#include <trilobite/render.h>

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 10, FRAMES = 30, WIDTH = 320, HEIGHT = 240, LARGER = 2 };

typedef struct stage {
    const trilo_model *model;
    trilo_player *player; /* NULL: not animated */
    trilo_renderer *renderer;
    const trilo_image **textures; /* of the model; NULL: not found */
    trilo_scene scene;
    double turn; /* degrees from frame to frame */
    bool inside;
    uint32_t scale; /* of the picture */
    uint8_t (*pixels)[4];
    osmesa_stage *opengl; /* NULL: not compared */
} stage;

static void look(stage *s, int frame)
{
    const trilo_bounds b = trilo_renderer_bounds(s->renderer);
    s->scene.view = trilo_view_frame(&b, s->turn * frame, 20, 60, (double)WIDTH / HEIGHT);
    if (!s->inside)
        return;
    trilo_view *view = &s->scene.view;
    const trilo_vec3 eye = view->eye, target = view->target;
    view->eye = (trilo_vec3){target.x + (eye.x - target.x) / 8, target.y + (eye.y - target.y) / 8,
                             target.z + (eye.z - target.z) / 8};
}

static bool run(void *context)
{
    stage *s = context;
    trilo_error err = {0};
    for (int i = 0; i < FRAMES; i++) {
        if (s->player) {
            trilo_player_advance(s->player, 1.0 / 60);
            trilo_renderer_pose(s->renderer, s->player);
        }
        look(s, i);
        if (!trilo_renderer_draw(s->renderer, &s->scene, s->scale * WIDTH, s->scale * HEIGHT, s->pixels, &err))
            return bench_fail("render", err.text);
    }
    return true;
}

static bool run_opengl(void *context)
{
    stage *s = context;
    const trilo_bounds b = trilo_renderer_bounds(s->renderer);
    const double x = (double)b.max.x - b.min.x, y = (double)b.max.y - b.min.y, z = (double)b.max.z - b.min.z;
    for (int i = 0; i < FRAMES; i++) {
        look(s, i);
        if (!osmesa_draw(s->opengl, &s->scene.view, sqrt(x * x + y * y + z * z), s->scale * WIDTH, s->scale * HEIGHT))
            return bench_fail("render", "OpenGL cannot draw it");
    }
    return true;
}

/* The textures of a model in a project, as `render` finds them. */
static void stage_load_textures(stage *s, const char *path)
{
    const trilo_assets_opts opts = {.model = path};
    trilo_assets *assets = trilo_assets_new(&opts, NULL);
    s->textures = calloc(s->model->texture_count + 1, sizeof *s->textures);
    for (uint32_t i = 0; assets && s->textures && i < s->model->texture_count; i++) {
        trilo_texture_file file = {NULL, {NULL, 0}};
        if (trilo_assets_texture(assets, s->model, i, &file))
            s->textures[i] = trilo_image_decode(file.bytes, NULL, NULL);
    }
    trilo_assets_free(assets);
}

static bool stage_open(stage *s, const char *path, bool plays)
{
    trilo_error err = {0};
    s->scale = 1;
    s->model = trilo_model_load_file(path, NULL, &err);
    if (s->model)
        stage_load_textures(s, path);
    s->renderer = s->model && s->textures ? trilo_renderer_new(s->model, s->textures, NULL, &err) : NULL;
    s->player = s->renderer && plays ? trilo_player_new(s->model, NULL, &err) : NULL;
    s->pixels = malloc(sizeof *s->pixels * WIDTH * HEIGHT * LARGER * LARGER);
    if (!s->renderer || (plays && !s->player) || !s->pixels)
        return bench_fail(path, err.text);
    if (plays)
        trilo_player_play(s->player, 0, 0, NULL);
    s->turn = 360.0 / FRAMES;
    return true;
}

static void stage_close(stage *s)
{
    osmesa_free(s->opengl);
    trilo_renderer_free(s->renderer);
    trilo_player_free(s->player);
    for (uint32_t i = 0; s->textures && i < s->model->texture_count; i++)
        trilo_image_free(s->textures[i]);
    free(s->textures);
    trilo_model_free(s->model);
    free(s->pixels);
}

/* `opengl` names the row of llvmpipe. */
static bool measure(bench *b, stage *s, const char *name, const char *opengl, const char *target)
{
    bench_task tasks[] = {{.name = name, .run = run, .context = s}, {.name = opengl, .run = run_opengl, .context = s}};
    if (!bench_time(tasks, s->opengl ? 2 : 1, ROUNDS))
        return false;
    bench_row *row = bench_add(b, &tasks[0], FRAMES, "frames");
    row->target = target;
    if (s->opengl) {
        row->ratio = tasks[1].seconds / tasks[0].seconds;
        row->ratio_to = "llvmpipe";
        bench_add(b, &tasks[1], FRAMES, "frames");
    }
    return true;
}

bool bench_render_mascot(bench *b)
{
    char path[BENCH_PATH];
    stage s = {.model = NULL};
    const bool ok =
        bench_mascot(b, path) && stage_open(&s, path, true) && measure(b, &s, "render/mascot", NULL, "60 frames/s");
    stage_close(&s);
    return ok;
}

/* Rows of one model: from outside, from inside, and from inside at 640 by 480; NULL: not measured. */
typedef struct level_rows {
    const char *path; /* in the corpus */
    const char *ours[3], *opengl[3];
} level_rows;

static bool measure_level(bench *b, const level_rows *l)
{
    static const char *const targets[3] = {"60 frames/s, no slower than llvmpipe",
                                           "60 frames/s, no slower than llvmpipe", "120 frames/s"};
    const char *corpus = getenv("TRILOBITE_CORPUS");
    char path[BENCH_PATH];
    stage s = {.model = NULL};
    snprintf(path, sizeof path, "%s/%s", corpus && *corpus ? corpus : "../shared/corpus", l->path);
    FILE *file = fopen(path, "rb");
    if (!file) {
        bench_skip(b, l->ours[0], "the model is not in the corpus (TRILOBITE_CORPUS)");
        return true;
    }
    fclose(file);
    bool ok = stage_open(&s, path, false);
    for (uint32_t i = 0; ok && i < s.model->texture_count; i++)
        if (!s.textures[i]) {
            bench_skip(b, l->ours[0], "not all textures of the model are in the corpus");
            stage_close(&s);
            return true;
        }
    if (ok && osmesa_there())
        s.opengl = osmesa_new(s.model, s.textures, LARGER * WIDTH, LARGER * HEIGHT);
    if (ok && !s.opengl)
        bench_skip(b, l->opengl[0], osmesa_there() ? "it does not start" : "not installed (libosmesa6-dev)");
    for (int i = 0; ok && i < 3 && l->ours[i]; i++) {
        s.inside = i > 0;
        s.scale = i == 2 ? LARGER : 1;
        ok = measure(b, &s, l->ours[i], l->opengl[i], targets[i]);
    }
    stage_close(&s);
    return ok;
}

bool bench_render_level(bench *b)
{
    static const level_rows levels[] = {
        {"t3dm/17_culling/filesystem/platformer.t3dm",
         {"render/level", "render/level-inside", "render/level-inside-640"},
         {"render/llvmpipe", "render/llvmpipe-inside", "render/llvmpipe-inside-640"}},
        {"t3dm/09_anim_viewer/filesystem/cath.t3dm", {"render/cath"}, {"render/cath-llvmpipe"}},
        {"jam/filesystem/boss_fight/map.t3dm",
         {"render/boss", "render/boss-inside"},
         {"render/boss-llvmpipe", "render/boss-llvmpipe-in"}},
        {"jam/filesystem/avanto/map.t3dm",
         {"render/avanto", "render/avanto-inside"},
         {"render/avanto-llvmpipe", "render/avanto-llvmpipe-in"}},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        ok = measure_level(b, &levels[i]) && ok;
    return ok;
}
