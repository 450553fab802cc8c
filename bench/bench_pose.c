/* bench_pose.c: loading the mascot and posing it through its walk. The neighbour program trilobite-mascot makes it. */
#include "mascot.h"

#include <trilobite/load.h>
#include <trilobite/player.h>

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10, LOADS = 50, POSES = 2000, SKINS = 200 };

typedef struct subject {
    char path[BENCH_PATH];
    const trilo_model *model;
    trilo_mat4 *locals, *worlds, *matrices;
    float (*positions)[3], (*normals)[3]; /* room for the biggest mesh */
    trilo_player *smooth, *exact, *fading;
} subject;

static bool run_load(void *context)
{
    subject *s = context;
    trilo_error err = {0};
    for (int i = 0; i < LOADS; i++) {
        const trilo_model *model = trilo_model_load_file(s->path, NULL, &err);
        if (!model)
            return bench_fail(s->path, err.text);
        trilo_model_free(model);
    }
    return true;
}

static void pose(subject *s, double seconds)
{
    trilo_pose_locals(s->model, 0, seconds, s->locals);
    trilo_pose_worlds(s->model, s->locals, s->worlds);
    trilo_pose_skin(s->model, 0, s->worlds, s->matrices);
}

static bool run_pose(void *context)
{
    subject *s = context;
    const double duration = s->model->clips[0].duration;
    for (int i = 0; i < POSES; i++)
        pose(s, duration * i / POSES);
    return true;
}

static bool run_skin(void *context)
{
    subject *s = context;
    for (int i = 0; i < SKINS; i++)
        for (uint32_t m = 0; m < s->model->mesh_count; m++)
            trilo_pose_mesh(s->model, m, s->worlds, s->matrices, s->positions, s->normals);
    return true;
}

static bool run_player(trilo_player *player, const trilo_clip *clip)
{
    for (int i = 0; i < POSES; i++)
        trilo_player_advance(player, clip->duration / POSES);
    return true;
}

static bool run_smooth(void *context)
{
    subject *s = context;
    return run_player(s->smooth, &s->model->clips[0]);
}

static bool run_exact(void *context)
{
    subject *s = context;
    return run_player(s->exact, &s->model->clips[0]);
}

/* From the clip to itself, half a round later: two samples and a mix for every bone. */
static bool run_fade(void *context)
{
    subject *s = context;
    const double duration = s->model->clips[0].duration;
    trilo_player_play(s->fading, 0, 0, NULL);
    trilo_player_play(s->fading, 0, 0, &(trilo_play_opts){.start = duration / 2, .fade = 2 * duration});
    return run_player(s->fading, &s->model->clips[0]);
}

static trilo_player *player_of(const trilo_model *model, trilo_sampling sampling)
{
    trilo_player *player = trilo_player_new(model, &(trilo_player_opts){.sampling = sampling}, NULL);
    if (player)
        trilo_player_play(player, 0, 0, NULL);
    return player;
}

static uint32_t most_vertices(const trilo_model *model)
{
    uint32_t most = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++)
        most = model->meshes[m].vertex_count > most ? model->meshes[m].vertex_count : most;
    return most;
}

static uint32_t all_vertices(const trilo_model *model)
{
    uint32_t sum = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++)
        sum += model->meshes[m].vertex_count;
    return sum;
}

static bool prepare(const bench *b, subject *s)
{
    trilo_error err = {0};
    if (!bench_mascot(b, s->path))
        return false;
    s->model = trilo_model_load_file(s->path, NULL, &err);
    if (!s->model || s->model->skin_count == 0 || s->model->clip_count == 0)
        return bench_fail(s->path, s->model ? "no skin or no clip" : err.text);
    s->locals = calloc(s->model->node_count, sizeof *s->locals);
    s->worlds = calloc(s->model->node_count, sizeof *s->worlds);
    s->matrices = calloc(s->model->skins[0].joint_count, sizeof *s->matrices);
    s->positions = calloc(most_vertices(s->model), sizeof *s->positions);
    s->normals = calloc(most_vertices(s->model), sizeof *s->normals);
    s->smooth = player_of(s->model, TRILO_SAMPLING_SMOOTH);
    s->exact = player_of(s->model, TRILO_SAMPLING_TINY3D);
    s->fading = player_of(s->model, TRILO_SAMPLING_SMOOTH);
    if (!s->smooth || !s->exact || !s->fading)
        return bench_fail("player", "no memory");
    return (s->locals && s->worlds && s->matrices && s->positions && s->normals) || bench_fail("pose", "no memory");
}

static bool measure(bench *b, subject *s)
{
    bench_task tasks[6] = {
        {.name = "mascot/load", .run = run_load, .context = s},
        {.name = "mascot/pose", .run = run_pose, .context = s},
        {.name = "mascot/skin", .run = run_skin, .context = s},
        {.name = "mascot/player smooth", .run = run_smooth, .context = s},
        {.name = "mascot/player exact", .run = run_exact, .context = s},
        {.name = "mascot/player in a fade", .run = run_fade, .context = s},
    };
    if (!bench_time(tasks, 6, ROUNDS))
        return false;
    bench_add(b, &tasks[0], LOADS, "loads");
    bench_add(b, &tasks[1], (double)POSES * s->model->skins[0].joint_count, "bones");
    bench_add(b, &tasks[2], (double)SKINS * all_vertices(s->model), "vertices");
    for (int i = 3; i < 6; i++) {
        bench_row *row = bench_add(b, &tasks[i], (double)POSES * s->model->skins[0].joint_count, "bones");
        row->target = i == 3 ? "1 M/s" : NULL;
    }
    return true;
}

bool bench_pose(bench *b)
{
    subject s = {.path = ""};
    const bool ok = prepare(b, &s) && measure(b, &s);
    trilo_player_free(s.smooth);
    trilo_player_free(s.exact);
    trilo_player_free(s.fading);
    trilo_model_free(s.model);
    free(s.locals);
    free(s.worlds);
    free(s.matrices);
    free(s.positions);
    free(s.normals);
    remove(s.path);
    return ok;
}
