/* A model for graphics hardware: triangles left out, indices and vertices sorted. */
#include "api/convert/optimize.h"
#include "base/opts.h"
#include "base/strict_float.h"

#include "base/bytes.h"
#include "layout/layout.h"
#include "model/check.h"
#include "model/frames.h"
#include "model/owned.h"
#include "optimize/gpu_mesh.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct optimizer {
    trilo_model *model;
    const trilo_optimize_opts *opts;
    tl_arena *arena;
    tl_report *report;
    uint32_t **to;  /* of each mesh: the new numbers of its vertices */
    uint8_t *moves; /* of each mesh: a track has frames of it */
    uint64_t before, after;
    double error; /* the largest of all meshes */
} optimizer;

static trilo_mesh *optimize_mesh_at(const optimizer *o, uint32_t number)
{
    return (trilo_mesh *)(uintptr_t)&o->model->meshes[number]; /* a copy of our own */
}

static bool optimize_is_finite(const trilo_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!tl_is_finite(mesh->positions[i][k]))
                return false;
    return true;
}

/* --- equal vertices --- */

/* The arrays of frames by mesh, each once: those of mesh i are rows first[i] to first[i + 1]. */
typedef struct frame_arrays {
    uint32_t *first;
    tl_gpu_mesh_stream *rows;
} frame_arrays;

/* Counts them in `counts`, or stores them at the rows of `next`, each of which then moves on by one. */
static void optimize_visit_arrays(const tl_frame_slots *list, uint32_t *counts, uint32_t *next,
                                  tl_gpu_mesh_stream *rows)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const tl_frame_slot *slot = tl_frame_slot_at(list, i);
        if (!tl_frame_slot_differs(list, i))
            continue;
        if (counts)
            counts[slot->mesh]++;
        else
            rows[next[slot->mesh]++] = (tl_gpu_mesh_stream){slot->from, sizeof *slot->from};
    }
}

static bool optimize_list_arrays(optimizer *o, frame_arrays *out)
{
    const uint32_t meshes = o->model->mesh_count;
    tl_frame_slots positions, normals;
    uint32_t *next = TL_ARRAY(o->arena, (size_t)meshes + 1, uint32_t), total = 0;
    out->first = TL_ARRAY(o->arena, (size_t)meshes + 1, uint32_t);
    if (!next || !out->first || !tl_frame_slots_list(o->arena, o->model, TL_FRAME_POSITIONS, &positions) ||
        !tl_frame_slots_list(o->arena, o->model, TL_FRAME_NORMALS, &normals))
        return false;
    optimize_visit_arrays(&positions, next, NULL, NULL);
    optimize_visit_arrays(&normals, next, NULL, NULL);
    for (uint32_t i = 0; i <= meshes; i++) {
        const uint32_t count = next[i];
        out->first[i] = next[i] = total;
        total += count;
    }
    out->rows = TL_ARRAY(o->arena, total, tl_gpu_mesh_stream);
    if (!out->rows)
        return false;
    optimize_visit_arrays(&positions, NULL, next, out->rows);
    optimize_visit_arrays(&normals, NULL, next, out->rows);
    return true;
}

/* Duplicates stay where they are, unused: optimize_sort_vertices leaves them out. */
static bool optimize_weld(optimizer *o)
{
    frame_arrays frames;
    if (!optimize_list_arrays(o, &frames))
        return false;
    for (uint32_t i = 0; i < o->model->mesh_count; i++) {
        trilo_mesh *mesh = optimize_mesh_at(o, i);
        const tl_gpu_mesh_stream own[] = {
            {mesh->positions, sizeof *mesh->positions}, {mesh->normals, sizeof *mesh->normals},
            {mesh->colors, sizeof *mesh->colors},       {mesh->uvs, sizeof *mesh->uvs},
            {mesh->joints, sizeof *mesh->joints},       {mesh->weights, sizeof *mesh->weights}};
        const uint32_t first = frames.first[i], frame_count = frames.first[i + 1] - first;
        tl_gpu_mesh_stream *streams = TL_ARRAY(o->arena, TL_COUNT_OF(own) + frame_count, tl_gpu_mesh_stream);
        uint32_t *to = tl_array_raw(o->arena, mesh->vertex_count, sizeof *to), count = 0;
        uint32_t *indices = tl_array_raw(o->arena, mesh->index_count, sizeof *indices);
        if (!streams || !to || !indices)
            return false;
        for (size_t k = 0; k < TL_COUNT_OF(own); k++)
            if (own[k].bytes)
                streams[count++] = own[k];
        for (uint32_t k = 0; k < frame_count; k++)
            streams[count++] = frames.rows[first + k];
        if (!tl_gpu_mesh_weld(o->arena, streams, count, mesh->vertex_count, to))
            return false;
        for (uint32_t k = 0; k < mesh->index_count; k++)
            indices[k] = to[mesh->indices[k]];
        mesh->indices = indices;
    }
    return true;
}

/* --- fewer triangles --- */

static bool optimize_simplify_mesh(optimizer *o, trilo_mesh *mesh)
{
    const double keep = o->opts->keep > 0 ? o->opts->keep : 0;
    const tl_gpu_mesh_input in = {mesh->vertex_count, mesh->index_count, mesh->positions, mesh->indices};
    uint32_t *out = tl_array_raw(o->arena, mesh->index_count, sizeof *out), count = mesh->index_count;
    const uint32_t target = (uint32_t)ceil(keep * (mesh->index_count / 3)) * 3;
    float error = o->opts->error > 0 ? (float)o->opts->error : 1;
    if (!out || !tl_gpu_mesh_simplify(o->arena, &in, target, &error, out, &count))
        return false;
    if (count == 0 || count >= mesh->index_count)
        return true;
    mesh->indices = out;
    mesh->index_count = count;
    o->error = error > o->error ? error : o->error;
    return true;
}

static bool optimize_simplify(optimizer *o)
{
    for (uint32_t i = 0; i < o->model->mesh_count; i++) {
        trilo_mesh *mesh = optimize_mesh_at(o, i);
        if (mesh->topology != TRILO_TOPOLOGY_TRIANGLES || mesh->index_count == 0)
            continue;
        o->before += mesh->index_count / 3;
        if (o->moves[i]) {
            tl_path_push(&o->report->path, "meshes", i);
            tl_report_finding(o->report, &tl_general_rules[TL_MESH_FRAMES], TRILO_NOWHERE,
                              "the mesh has vertex frames and keeps its triangles");
            tl_path_pop(&o->report->path);
        } else if (optimize_is_finite(mesh) && !optimize_simplify_mesh(o, mesh)) {
            return false;
        }
        o->after += mesh->index_count / 3;
    }
    tl_report_finding(o->report, &tl_general_rules[TL_MESH_SIMPLIFIED], TRILO_NOWHERE,
                      "%" PRIu64 " of %" PRIu64
                      " triangles are left, at most %.3g %% of the size of their mesh from where they "
                      "were",
                      o->after, o->before, 100 * o->error);
    return true;
}

/* --- order --- */

/* Blended triangles keep their order: it decides what shows through. */
static bool optimize_order(optimizer *o)
{
    o->report->total = o->model->mesh_count;
    for (uint32_t i = 0; i < o->model->mesh_count; i++) {
        trilo_mesh *mesh = optimize_mesh_at(o, i);
        const bool blends =
            mesh->material != TRILO_NONE && o->model->materials[mesh->material].alpha == TRILO_ALPHA_BLEND;
        if (mesh->topology == TRILO_TOPOLOGY_TRIANGLES && mesh->index_count > 0 && !blends &&
            optimize_is_finite(mesh)) {
            const tl_gpu_mesh_input in = {mesh->vertex_count, mesh->index_count, mesh->positions, mesh->indices};
            uint32_t *out = tl_array_raw(o->arena, mesh->index_count, sizeof *out);
            if (!out || !tl_gpu_mesh_order(o->arena, &in, out))
                return false;
            mesh->indices = out;
        }
        if (!tl_report_step(o->report))
            return false;
    }
    return true;
}

/* --- vertices --- */

static void *optimize_permute(optimizer *o, const void *from, uint32_t old_count, uint32_t new_count, size_t each,
                              const uint32_t *to, bool *ok)
{
    if (!from || !*ok)
        return NULL;
    uint8_t *out = tl_array_raw(o->arena, new_count, each);
    *ok = out != NULL;
    for (uint32_t i = 0; *ok && i < old_count; i++)
        if (to[i] != TRILO_NONE)
            memcpy(out + to[i] * each, (const uint8_t *)from + i * each, each);
    return out;
}

static bool optimize_sort_vertices(optimizer *o, uint32_t number, uint32_t *old_count)
{
    trilo_mesh *mesh = optimize_mesh_at(o, number);
    const uint32_t count = *old_count = mesh->vertex_count;
    uint32_t *to = o->to[number] = tl_array_raw(o->arena, count, sizeof *to);
    uint32_t *indices = tl_array_raw(o->arena, mesh->index_count, sizeof *indices);
    bool ok = to && indices;
    const uint32_t used = ok ? tl_gpu_mesh_fetch(mesh->indices, mesh->index_count, count, to) : 0;
    for (uint32_t i = 0; ok && i < mesh->index_count; i++)
        indices[i] = to[mesh->indices[i]];
    mesh->indices = indices;
    mesh->vertex_count = used;
    mesh->positions = optimize_permute(o, mesh->positions, count, used, sizeof *mesh->positions, to, &ok);
    mesh->normals = optimize_permute(o, mesh->normals, count, used, sizeof *mesh->normals, to, &ok);
    mesh->colors = optimize_permute(o, mesh->colors, count, used, sizeof *mesh->colors, to, &ok);
    mesh->uvs = optimize_permute(o, mesh->uvs, count, used, sizeof *mesh->uvs, to, &ok);
    mesh->joints = optimize_permute(o, mesh->joints, count, used, sizeof *mesh->joints, to, &ok);
    mesh->weights = optimize_permute(o, mesh->weights, count, used, sizeof *mesh->weights, to, &ok);
    return ok;
}

/* Frames that share an array still do. */
static bool optimize_sort_frames(optimizer *o, tl_frame_part part, const uint32_t *old_counts)
{
    tl_frame_slots list = {0};
    bool ok = tl_frame_slots_list(o->arena, o->model, part, &list);
    const float(*moved)[3] = NULL;
    for (uint32_t i = 0; ok && i < list.count; i++) {
        const tl_frame_slot *slot = tl_frame_slot_at(&list, i);
        if (tl_frame_slot_differs(&list, i))
            moved = optimize_permute(o, slot->from, old_counts[slot->mesh], o->model->meshes[slot->mesh].vertex_count,
                                     sizeof *moved, o->to[slot->mesh], &ok);
        *slot->pointer = moved;
    }
    return ok;
}

/* In the order of their use, without those that are not used. */
static bool optimize_sort_all(optimizer *o)
{
    uint32_t *old_counts = TL_ARRAY(o->arena, o->model->mesh_count, uint32_t);
    bool ok = old_counts != NULL;
    for (uint32_t i = 0; ok && i < o->model->mesh_count; i++)
        ok = optimize_sort_vertices(o, i, &old_counts[i]);
    return ok && optimize_sort_frames(o, TL_FRAME_POSITIONS, old_counts) &&
           optimize_sort_frames(o, TL_FRAME_NORMALS, old_counts);
}

/* --- all of it --- */

bool tl_wants_fewer(const trilo_optimize_opts *opts)
{
    return opts->keep > 0 || opts->error > 0;
}

bool tl_optimize_legal(const trilo_optimize_opts *opts, bool through_model, trilo_error *err)
{
    const char *why = opts->level > 3                          ? "the level is 1 to 3, or 0 for the default"
                      : !(opts->keep >= 0 && opts->keep < 1)   ? "the share of triangles to keep is above 0 and below 1"
                      : !(opts->error >= 0 && opts->error < 1) ? "the error is a share of the size, above 0 and below 1"
                                                               : NULL;
    if (why)
        return tl_fail_misuse(err, why);
    if (!through_model || tl_gpu_mesh_has_meshopt())
        return true;
    return tl_fail(
        err, TRILO_CODE_UNSUPPORTED, &tl_general_rules[TL_MESH_LIBRARY], TRILO_NOWHERE, NULL,
        tl_wants_fewer(opts)
            ? "simplifying needs meshoptimizer, which is not installed or not part of this build"
            : "optimizing this format needs meshoptimizer, which is not installed or not part of this build");
}

static bool optimize_model(tl_owned_model *owned, const trilo_optimize_opts *opts, tl_report *report)
{
    optimizer o = {.model = &owned->model, .opts = opts, .arena = &owned->arena, .report = report};
    o.to = TL_ARRAY(o.arena, o.model->mesh_count, uint32_t *);
    o.moves = TL_ARRAY(o.arena, o.model->mesh_count, uint8_t);
    if (!o.to || !o.moves)
        return false;
    for (uint32_t i = 0; i < o.model->clip_count; i++)
        for (uint32_t k = 0; k < o.model->clips[i].track_count; k++)
            o.moves[o.model->clips[i].tracks[k].mesh] = 1;
    /* Simplification needs each vertex once, so the duplicates are removed before. */
    const bool simplified =
        optimize_weld(&o) && (!tl_wants_fewer(opts) || (optimize_sort_all(&o) && optimize_simplify(&o)));
    return simplified && optimize_order(&o) && optimize_sort_all(&o);
}

const trilo_model *trilo_model_optimize(const trilo_model *model, const trilo_optimize_opts *opts,
                                        const trilo_memory *memory, trilo_error *err)
{
    trilo_optimize_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err) || !tl_optimize_legal(&own, true, err) || !tl_model_check(model, memory, err))
        return NULL;
    tl_report report = {.fn = own.on_finding,
                        .user = own.on_finding_user,
                        .on_progress = own.on_progress,
                        .on_progress_user = own.on_progress_user};
    tl_owned_model *owned = tl_owned_model_new(memory);
    if (owned && tl_model_copy(&owned->arena, model, &owned->model) && optimize_model(owned, &own, &report))
        return tl_owned_model_finish(owned);
    trilo_model_free(owned ? &owned->model : NULL);
    tl_fail_memory(err);
    tl_report_fail_cancelled(&report, err);
    return NULL;
}

bool trilo_build_has_meshoptimizer(void)
{
    return tl_gpu_mesh_has_meshopt();
}
