/* The bounding box of a clip: of its poses at every key, every frame, and 60 times a second. */
#include "base/arena.h"
#include "base/report.h"
#include "base/sort.h"
#include "base/strict_float.h"
#include "model/bounds.h"
#include "model/check.h"
#include "model/skinning.h"
#include "trilobite/player.h"

#include <math.h>

enum { BOUNDS_RATE = 60, BOUNDS_TIMES_MOST = 4096 };

typedef struct bounds_walk {
    const trilo_model *model;
    uint32_t clip;
    trilo_mat4 *locals, *worlds, **skins;
    float (*positions)[3];
    trilo_bounds bounds;
} bounds_walk;

static void add_pose_bounds(bounds_walk *w, double seconds)
{
    const trilo_model *model = w->model;
    trilo_pose_locals(model, w->clip, seconds, w->locals);
    trilo_pose_worlds(model, w->locals, w->worlds);
    tl_skins_pose(model, w->worlds, w->skins);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        const trilo_mat4 *skin = mesh->skin != TRILO_NONE ? w->skins[mesh->skin] : NULL;
        trilo_pose_frame(model, i, w->clip, seconds, TRILO_FRAME_MODE_HOLD, w->positions, NULL);
        trilo_pose_vertices(model, i, w->worlds, skin, (const float(*)[3])w->positions, NULL, w->positions, NULL);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            tl_bounds_add(&w->bounds, (trilo_vec3){w->positions[v][0], w->positions[v][1], w->positions[v][2]});
    }
}

/* ---- times ---- */

typedef struct pose_times {
    double *times;
    uint32_t count;
} pose_times;

static int64_t microseconds(const void *rows, uint32_t row)
{
    const double time = ((const double *)rows)[row] * 1e6;
    return time < 9e18 ? (int64_t)time : INT64_MAX;
}

static void list_time(pose_times *m, double time, double duration)
{
    if (time >= 0 && time <= duration) {
        if (m->times)
            m->times[m->count] = time;
        m->count++;
    }
}

/* Counts while `times` is NULL. False: too many. */
static bool list_times(const trilo_clip *clip, pose_times *m)
{
    uint64_t most = (uint64_t)fmin(clip->duration * BOUNDS_RATE, BOUNDS_TIMES_MOST) + 2;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        most += clip->channels[i].key_count;
    for (uint32_t i = 0; i < clip->track_count; i++)
        most += clip->tracks[i].frame_count;
    if (most > UINT32_MAX)
        return false;
    for (uint32_t i = 0; i <= BOUNDS_TIMES_MOST && i <= clip->duration * BOUNDS_RATE; i++)
        list_time(m, (double)i / BOUNDS_RATE, clip->duration);
    list_time(m, clip->duration, clip->duration);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (uint32_t k = 0; k < clip->channels[i].key_count; k++)
            list_time(m, clip->channels[i].times[k], clip->duration);
    for (uint32_t i = 0; i < clip->track_count; i++)
        for (uint32_t k = 0; k < clip->tracks[i].frame_count; k++)
            list_time(m, clip->tracks[i].frames[k].time, clip->duration);
    return true;
}

/* Times of the same microsecond count once. False: too many. */
static bool add_listed_times(bounds_walk *w, const pose_times *m, const uint32_t *order, bool look)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        if (i > 0 && microseconds(m->times, order[i]) == microseconds(m->times, order[i - 1]))
            continue;
        if (look)
            add_pose_bounds(w, m->times[order[i]]);
        if (++count > BOUNDS_TIMES_MOST)
            return false;
    }
    return true;
}

static bool add_clip_bounds(tl_arena *arena, bounds_walk *w, const trilo_clip *clip)
{
    pose_times m = {0};
    const bool listed = clip->duration * BOUNDS_RATE < BOUNDS_TIMES_MOST && list_times(clip, &m);
    if (listed) {
        uint32_t *order = tl_array_raw(arena, m.count, sizeof *order);
        m.times = tl_array_raw(arena, m.count, sizeof *m.times);
        if (!order || !m.times)
            return false;
        m.count = 0;
        list_times(clip, &m);
        tl_sort_rows(order, m.count, microseconds, m.times);
        if (add_listed_times(w, &m, order, false)) {
            add_listed_times(w, &m, order, true);
            return true;
        }
    }
    for (uint32_t i = 0; i < BOUNDS_TIMES_MOST; i++)
        add_pose_bounds(w, clip->duration * i / (BOUNDS_TIMES_MOST - 1));
    return true;
}

bool trilo_clip_bounds(const trilo_model *model, uint32_t clip, const trilo_memory *memory, trilo_bounds *bounds,
                       trilo_error *err)
{
    bounds_walk w = {.model = model, .clip = clip};
    tl_arena arena;
    *bounds = tl_bounds_empty();
    if (!tl_model_check(model, memory, err))
        return false;
    tl_arena_init(&arena, memory);
    uint32_t vertices = 0;
    for (uint32_t i = 0; i < w.model->mesh_count; i++)
        vertices = w.model->meshes[i].vertex_count > vertices ? w.model->meshes[i].vertex_count : vertices;
    w.locals = TL_ARRAY(&arena, w.model->node_count, trilo_mat4);
    w.worlds = TL_ARRAY(&arena, w.model->node_count, trilo_mat4);
    w.skins = tl_skins_new(&arena, model);
    w.positions = tl_array_raw(&arena, vertices, sizeof *w.positions);
    w.bounds = tl_bounds_empty();
    bool ok = w.locals && w.worlds && w.skins && w.positions;
    if (ok && clip < model->clip_count && model->clips[clip].duration > 0)
        ok = add_clip_bounds(&arena, &w, &model->clips[clip]);
    else if (ok)
        add_pose_bounds(&w, 0);
    tl_arena_free(&arena);
    *bounds = w.bounds;
    return ok || tl_fail_memory(err);
}
