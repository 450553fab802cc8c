/* Vertices in the default pose and in every frame: posed, put on the axes and the scale of the file, and rounded. Only
 * whole numbers are kept, so that a pose costs 10 bytes a vertex. */
#include "base/strict_float.h"
#include "formats/model64/encode/encode.h"

#include "base/vec.h"

#include "model/bounds.h"
#include "trilobite/pose.h"
#include <inttypes.h>
#include <string.h>

/* --- what is drawn --- */

enum { MODEL64_TRIANGLES_MOST = 1 << 28 };

/* True if its node and the axes of the file mirror the mesh. The bones of a skinned mesh do not count, since they may
 * move. */
static bool model64_bake_is_mirrored(const model64_encoder *e, const trilo_mesh *mesh)
{
    if (mesh->joints || mesh->node == TRILO_NONE)
        return e->mirrored;
    const trilo_mat4 world = tl_node_world(e->model, mesh->node);
    return tl_mat4_mirrors(&world) != e->mirrored;
}

/* Numbers the vertices that triangles use; `number` has room for all of the mesh. */
static bool model64_bake_number_vertices(model64_encoder *e, const trilo_mesh *mesh, model64_source *source,
                                         uint32_t *number)
{
    memset(number, 0xFF, mesh->vertex_count * sizeof *number); /* TRILO_NONE */
    for (uint32_t i = 0; i < mesh->index_count; i++)
        if (number[mesh->indices[i]] == TRILO_NONE) {
            number[mesh->indices[i]] = 0;
            source->vertex_count++;
        }
    uint32_t *vertices = TL_ARRAY(e->arena, source->vertex_count, uint32_t), taken = 0;
    for (uint32_t i = 0; vertices && i < mesh->vertex_count; i++)
        if (number[i] != TRILO_NONE) {
            number[i] = e->vertex_count++;
            vertices[taken++] = i;
        }
    source->vertices = vertices;
    return vertices != NULL;
}

/* The longest array that the steps above need, and how many triangles there will be. */
static bool model64_bake_count(model64_encoder *e, const uint32_t *slot_of, uint32_t *longest, size_t *triangles)
{
    uint64_t total = 0;
    *longest = 0;
    for (uint32_t i = 0; i < e->model->mesh_count; i++) {
        const trilo_mesh *mesh = &e->model->meshes[i];
        if (slot_of[i] == TRILO_NONE)
            continue;
        e->source_count++;
        total += mesh->index_count / 3;
        *longest = mesh->vertex_count > *longest ? mesh->vertex_count : *longest;
    }
    *triangles = (size_t)total;
    return total <= MODEL64_TRIANGLES_MOST ||
           tl_model64_encode_fail(e, MODEL64_R_TOO_LARGE, "%" PRIu64 " triangles, %d at most can be written", total,
                                  MODEL64_TRIANGLES_MOST);
}

bool tl_model64_gather(model64_encoder *e, const uint32_t *slot_of)
{
    uint32_t longest, taken = 0;
    size_t triangles;
    if (!model64_bake_count(e, slot_of, &longest, &triangles))
        return false;
    uint32_t *number = tl_array_raw(e->arena, longest, sizeof *number);
    e->triangles = tl_array_raw(e->arena, triangles, sizeof *e->triangles);
    e->sources = TL_ARRAY(e->arena, e->source_count, model64_source);
    if (!number || !e->triangles || !e->sources)
        return false;
    for (uint32_t i = 0; i < e->model->mesh_count; i++) {
        if (slot_of[i] == TRILO_NONE)
            continue;
        model64_source *source = &e->sources[taken++];
        *source = (model64_source){
            .mesh = i, .slot = slot_of[i], .first_vertex = e->vertex_count, .first_triangle = e->triangle_count};
        if (!model64_bake_number_vertices(e, &e->model->meshes[i], source, number))
            return false;
        const trilo_mesh *mesh = &e->model->meshes[i];
        const size_t second = model64_bake_is_mirrored(e, mesh) ? 2 : 1, third = 3 - second;
        source->triangle_count = mesh->index_count / 3;
        for (uint32_t j = 0; j < source->triangle_count; j++) {
            const uint32_t *corners = mesh->indices + 3 * (size_t)j;
            uint32_t *triangle = e->triangles[e->triangle_count++];
            triangle[0] = number[corners[0]];
            triangle[1] = number[corners[second]];
            triangle[2] = number[corners[third]];
        }
    }
    return true;
}

/* --- poses --- */

/* Room for one pose of the model. */
typedef struct model64_bake_pose {
    trilo_mat4 *locals, *worlds;
    trilo_mat4 **skins;
    float (*positions)[3], (*normals)[3]; /* of one mesh */
    bool *normals_move;                   /* of each source: the clip's frames have normals of their own */
} model64_bake_pose;

static bool model64_bake_alloc(model64_encoder *e, model64_bake_pose *s)
{
    const trilo_model *model = e->model;
    uint32_t longest = 0;
    for (uint32_t i = 0; i < e->source_count; i++) {
        const uint32_t count = model->meshes[e->sources[i].mesh].vertex_count;
        longest = count > longest ? count : longest;
    }
    s->locals = TL_ARRAY(e->arena, model->node_count, trilo_mat4);
    s->worlds = TL_ARRAY(e->arena, model->node_count, trilo_mat4);
    s->skins = TL_ARRAY(e->arena, model->skin_count, trilo_mat4 *);
    s->positions = tl_array_raw(e->arena, longest, sizeof *s->positions);
    s->normals = tl_array_raw(e->arena, longest, sizeof *s->normals);
    s->normals_move = TL_ARRAY(e->arena, e->source_count, bool);
    if (!s->locals || !s->worlds || !s->skins || !s->positions || !s->normals || !s->normals_move)
        return false;
    for (uint32_t i = 0; i < model->skin_count; i++)
        if (!(s->skins[i] = TL_ARRAY(e->arena, model->skins[i].joint_count, trilo_mat4)))
            return false;
    return true;
}

static void model64_bake_pose_nodes(const trilo_model *model, model64_bake_pose *s, uint32_t clip, double seconds)
{
    trilo_pose_locals(model, clip, seconds, s->locals);
    trilo_pose_worlds(model, s->locals, s->worlds);
    for (uint32_t i = 0; i < model->skin_count; i++)
        trilo_pose_skin(model, i, s->worlds, s->skins[i]);
}

static const trilo_mat4 *model64_bake_skin_of(const trilo_model *model, const model64_bake_pose *s, uint32_t mesh)
{
    const uint32_t skin = model->meshes[mesh].skin;
    return skin == TRILO_NONE ? NULL : s->skins[skin];
}

static void model64_bake_round_positions(model64_encoder *e, const model64_source *source, const model64_bake_pose *s,
                                         model64_posed_vertex *pose)
{
    for (uint32_t i = 0; i < source->vertex_count; i++) {
        const float *p = s->positions[source->vertices[i]];
        for (int k = 0; k < 3; k++) {
            const double value = e->sign[k] * e->scale * p[e->axis[k]];
            pose[source->first_vertex + i].position[k] =
                (int16_t)tl_model64_quantize(value, INT16_MIN, INT16_MAX, &e->clamped);
        }
    }
}

static void model64_bake_round_normals(const model64_encoder *e, const model64_source *source,
                                       const model64_bake_pose *s, model64_posed_vertex *pose)
{
    for (uint32_t i = 0; i < source->vertex_count; i++) {
        const float *n = s->normals[source->vertices[i]];
        for (int k = 0; k < 3; k++)
            pose[source->first_vertex + i].normal[k] =
                (int8_t)tl_model64_quantize(128 * e->sign[k] * n[e->axis[k]], INT8_MIN, INT8_MAX, NULL);
    }
}

/* Normals change only in clips whose frames have normals. Otherwise all blocks have the same bytes. */
static void model64_bake_frame(model64_encoder *e, model64_bake_pose *s, uint32_t clip, double seconds,
                               model64_posed_vertex *pose)
{
    const trilo_frame_mode mode = e->motions[clip].baked ? TRILO_FRAME_MODE_BLEND : TRILO_FRAME_MODE_HOLD;
    model64_bake_pose_nodes(e->model, s, clip, seconds);
    memcpy(pose, e->poses[0], e->vertex_count * sizeof *pose);
    for (uint32_t i = 0; i < e->source_count; i++) {
        const uint32_t mesh = e->sources[i].mesh;
        float(*normals)[3] = s->normals_move[i] ? s->normals : NULL;
        trilo_pose_frame(e->model, mesh, clip, seconds, mode, s->positions, normals);
        trilo_pose_vertices(e->model, mesh, s->worlds, model64_bake_skin_of(e->model, s, mesh),
                            (const float(*)[3])s->positions, (const float(*)[3])normals, s->positions, normals);
        model64_bake_round_positions(e, &e->sources[i], s, pose);
        if (normals)
            model64_bake_round_normals(e, &e->sources[i], s, pose);
    }
}

static bool model64_bake_has_normals(const trilo_clip *clip, uint32_t mesh)
{
    for (uint32_t i = 0; i < clip->track_count; i++)
        for (uint32_t k = 0; clip->tracks[i].mesh == mesh && k < clip->tracks[i].frame_count; k++)
            if (clip->tracks[i].frames[k].normals)
                return true;
    return false;
}

bool tl_model64_bake(model64_encoder *e)
{
    model64_bake_pose s = {.locals = NULL};
    e->poses = TL_ARRAY(e->arena, e->pose_count, model64_posed_vertex *);
    if (!e->poses || !model64_bake_alloc(e, &s) ||
        !(e->poses[0] = TL_ARRAY(e->arena, e->vertex_count, model64_posed_vertex)))
        return false;
    const bool normals = e->colors == TRILO_MODEL64_COLORS_NORMALS;
    model64_bake_pose_nodes(e->model, &s, TRILO_NONE, 0);
    for (uint32_t i = 0; i < e->source_count; i++) {
        const uint32_t mesh = e->sources[i].mesh;
        trilo_pose_mesh(e->model, mesh, s.worlds, model64_bake_skin_of(e->model, &s, mesh), s.positions,
                        normals ? s.normals : NULL);
        model64_bake_round_positions(e, &e->sources[i], &s, e->poses[0]);
        if (normals)
            model64_bake_round_normals(e, &e->sources[i], &s, e->poses[0]);
    }
    for (uint32_t i = 0; i < e->model->clip_count; i++) {
        const model64_motion *motion = &e->motions[i];
        for (uint32_t j = 0; j < e->source_count; j++)
            s.normals_move[j] = e->colors == TRILO_MODEL64_COLORS_NORMALS &&
                                model64_bake_has_normals(&e->model->clips[i], e->sources[j].mesh);
        for (uint32_t j = 0; j < motion->frame_count; j++) {
            model64_posed_vertex *pose = tl_array_raw(e->arena, e->vertex_count, sizeof *pose);
            if (!pose)
                return false;
            e->poses[motion->first_pose + j] = pose;
            model64_bake_frame(e, &s, i, motion->seconds[j], pose);
        }
    }
    const double largest = e->clamped.largest, fits = e->scale * INT16_MAX / largest;
    if (e->clamped.count > 0 && fits > 0)
        tl_model64_report_loss(
            e, MODEL64_R_CLAMPED,
            "%" PRIu64 " coordinates do not fit 16 bits, the largest is %.6g; a scale of %.4g would do",
            e->clamped.count, largest, fits * 0.999); /* so that rounding the text makes it no larger */
    else if (e->clamped.count > 0)
        tl_model64_report_loss(e, MODEL64_R_CLAMPED,
                               "%" PRIu64 " coordinates do not fit 16 bits, some of them are infinite",
                               e->clamped.count);
    return true;
}
