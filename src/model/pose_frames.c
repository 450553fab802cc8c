/* Vertex animation: the frame of a track at a time, and blending of two frames. */
#include "base/strict_float.h"
#include "base/vec.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

/* ---- times ---- */

/* Seconds. Frames closer than this are not blended. */
#define FRAME_GAP_LEAST 0.001

trilo_frame_at trilo_track_at(const trilo_track *track, double duration, double seconds, trilo_frame_mode mode)
{
    if (track->frame_count == 0 || isnan(seconds))
        return (trilo_frame_at){0, 0, 0};
    /* The last frame whose time has come. The first one holds before its time. */
    uint32_t low = 0, high = track->frame_count; /* frames from `high` on are still to come */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (track->frames[middle].time <= seconds)
            low = middle;
        else
            high = middle;
    }
    const uint32_t frame = low, last = track->frame_count - 1;
    const trilo_frame_at held = {frame, frame, 0};
    const uint32_t next = frame < last ? frame + 1 : mode == TRILO_FRAME_MODE_LOOP ? 0 : frame;
    const double start = track->frames[frame].time;
    if (mode == TRILO_FRAME_MODE_HOLD || track->held || next == frame || seconds < start)
        return held;
    const double gap = (frame < last ? track->frames[next].time : duration) - start;
    if (!(gap >= FRAME_GAP_LEAST))
        return held;
    const double weight = (seconds - start) / gap;
    return (trilo_frame_at){frame, next, weight > 0 ? weight < 1 ? weight : 1 : 0};
}

/* ---- vertices ---- */

typedef const float (*frame_vectors)[3];

static void copy_or_zero(frame_vectors from, uint32_t count, float (*to)[3])
{
    if (count > 0 && from)
        memcpy(to, from, count * sizeof *to);
    else if (count > 0)
        memset(to, 0, count * sizeof *to);
}

static trilo_vec3 vector_or_zero(frame_vectors from, uint32_t i)
{
    return from ? (trilo_vec3){from[i][0], from[i][1], from[i][2]} : (trilo_vec3){0, 0, 0};
}

static void lerp_positions(frame_vectors a, frame_vectors b, double weight, uint32_t count, float (*to)[3])
{
    for (uint32_t i = 0; i < count; i++) {
        const trilo_vec3 v = tl_vec3_lerp(vector_or_zero(a, i), vector_or_zero(b, i), weight);
        to[i][0] = v.x, to[i][1] = v.y, to[i][2] = v.z;
    }
}

/* A normal that does not change is copied as it is, also when its length is not 1. */
static void lerp_normals(frame_vectors a, frame_vectors b, double weight, uint32_t count, float (*to)[3])
{
    for (uint32_t i = 0; i < count; i++) {
        const trilo_vec3 from = vector_or_zero(a, i), end = vector_or_zero(b, i);
        const trilo_vec3 v = (from.x == end.x && from.y == end.y && from.z == end.z)
                                 ? from
                                 : tl_vec3_normalize(tl_vec3_lerp(from, end, weight));
        to[i][0] = v.x, to[i][1] = v.y, to[i][2] = v.z;
    }
}

/* NULL: the clip has no frames of that mesh. Mostly each mesh has a track, and they come in the meshes' order. */
static const trilo_track *track_of_mesh(const trilo_clip *clip, uint32_t mesh)
{
    if (mesh < clip->track_count && clip->tracks[mesh].mesh == mesh)
        return &clip->tracks[mesh];
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].mesh == mesh)
            return &clip->tracks[i];
    return NULL;
}

/* What is shown: `from`, or `to` blended in by the weight. */
typedef struct frame_pair {
    trilo_frame from, to;
    double weight;
} frame_pair;

static frame_pair frames_at(const trilo_mesh *mesh, const trilo_clip *clip, uint32_t number, double seconds,
                            trilo_frame_mode mode)
{
    frame_pair s = {{0, mesh->positions, mesh->normals}, {0, mesh->positions, mesh->normals}, 0};
    const trilo_track *track = clip ? track_of_mesh(clip, number) : NULL;
    if (!track || track->frame_count == 0)
        return s;
    const trilo_frame_at at = trilo_track_at(track, clip->duration, seconds, mode);
    s = (frame_pair){track->frames[at.frame], track->frames[at.next], at.weight};
    s.from.normals = s.from.normals ? s.from.normals : mesh->normals;
    s.to.normals = s.to.normals ? s.to.normals : mesh->normals;
    if (s.weight == 1) { /* to the bit */
        s.from = s.to;
        s.weight = 0;
    }
    return s;
}

void trilo_pose_frame(const trilo_model *model, uint32_t mesh, uint32_t clip, double seconds, trilo_frame_mode mode,
                      float (*positions)[3], float (*normals)[3])
{
    if (mesh >= model->mesh_count)
        return;
    const trilo_mesh *m = &model->meshes[mesh];
    const frame_pair s = frames_at(m, clip < model->clip_count ? &model->clips[clip] : NULL, mesh, seconds, mode);
    if (positions && (s.weight == 0 || s.from.positions == s.to.positions))
        copy_or_zero(s.from.positions, m->vertex_count, positions);
    else if (positions)
        lerp_positions(s.from.positions, s.to.positions, s.weight, m->vertex_count, positions);
    if (normals && (s.weight == 0 || s.from.normals == s.to.normals))
        copy_or_zero(s.from.normals, m->vertex_count, normals);
    else if (normals)
        lerp_normals(s.from.normals, s.to.normals, s.weight, m->vertex_count, normals);
}
