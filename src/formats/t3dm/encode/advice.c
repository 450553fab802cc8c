/* Advice where nothing is lost: what a game cannot find because it has no name, and normals that differ from those of
 * Tiny3D's converter. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "base/trig.h"
#include "base/vec.h"
#include <inttypes.h>
#include <math.h>

/* --- names --- */

/* Entries of a list without a name. */
typedef struct unnamed {
    uint32_t count, first;
} unnamed;

static void count_unnamed(unnamed *found, trilo_str name, uint32_t index)
{
    if (name.len > 0)
        return;
    found->first = found->count++ == 0 ? index : found->first;
}

static void report_unnamed(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    unnamed materials = {0, 0}, clips = {0, 0}, bones = {0, 0};
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const uint32_t material = model->meshes[e->meshes[i]].material;
        if (material != TRILO_NONE && model->materials[material].raw.size == 0) /* chunks `m` have no names */
            count_unnamed(&materials, model->materials[material].name, material);
    }
    for (uint32_t i = 0; i < model->clip_count; i++)
        count_unnamed(&clips, model->clips[i].name, i);
    for (uint32_t i = 0; i < e->file->skeleton.bone_count; i++)
        count_unnamed(&bones, model->nodes[e->node_of_bone[i]].name, i);
    tl_path *path = &e->losses->path;
    tl_path_push(path, "materials", materials.first);
    if (materials.count > 0)
        tl_t3dm_report_loss(e, T3DM_R_UNNAMED_MATERIAL,
                            "meshes whose material has no name: %" PRIu32
                            ". Games find materials by name, and Tiny3D's "
                            "converter skips such meshes",
                            materials.count);
    tl_path_pop(path);
    tl_path_push(path, "clips", clips.first);
    if (clips.count > 0)
        tl_t3dm_report_loss(e, T3DM_R_UNNAMED_CLIP,
                            "clips without a name: %" PRIu32 ". Games play clips by name, so each is named after its "
                            "index, this one \"clip%" PRIu32 "\"",
                            clips.count, clips.first);
    tl_path_pop(path);
    if (bones.count == 0)
        return;
    tl_path_push(path, "nodes", e->node_of_bone[bones.first]);
    tl_t3dm_report_loss(e, T3DM_R_UNNAMED_BONE,
                        "bones without a name: %" PRIu32 ". Each is named after its index, this one \"bone%" PRIu32
                        "\"",
                        bones.count, bones.first);
    tl_path_pop(path);
}

/* --- normals --- */

/* Degrees; less is lost in the bits of a normal. */
static const double NORMAL_ANGLE_LEAST = 2;

/* True if the axes stay equally long and at right angles: then positions and normals rotate in the same way. */
static bool is_conformal(const trilo_mat4 *m)
{
    double dots[6], longest = 0;
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++) {
            const float *a = m->m + 4 * (size_t)i, *b = m->m + 4 * (size_t)k;
            const int at = i == k ? i : 2 + i + k;
            dots[at] = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
            longest = i == k ? fmax(longest, dots[at]) : longest;
        }
    for (int i = 0; i < 6; i++)
        if (!(fabs(dots[i] - (i < 3 ? longest : 0)) <= 1e-3 * longest))
            return false;
    return true;
}

/* The largest angle, in degrees, between normals by the inverse transpose, as written here, and by the matrix itself,
 * as Tiny3D's converter does. */
static double largest_normal_angle(const trilo_mesh *mesh, const trilo_mat4 *matrix)
{
    const trilo_mat4 inverse_transpose = tl_mat4_normal(matrix);
    double most = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const trilo_vec3 n = {mesh->normals[i][0], mesh->normals[i][1], mesh->normals[i][2]};
        const trilo_vec3 a = tl_mat4_direction(&inverse_transpose, n), b = tl_mat4_direction(matrix, n);
        const double x = (double)a.y * b.z - (double)a.z * b.y, y = (double)a.z * b.x - (double)a.x * b.z;
        const double z = (double)a.x * b.y - (double)a.y * b.x;
        const double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
        const double angle = tl_atan2(sqrt(x * x + y * y + z * z), dot) * (180 / TL_PI);
        most = angle > most ? angle : most; /* a vector without length has none */
    }
    return most;
}

static void report_sheared_normals(t3dm_encoder *e, uint32_t number)
{
    const trilo_mesh *mesh = &e->model->meshes[number];
    if (!mesh->normals || mesh->skin != TRILO_NONE || mesh->node == TRILO_NONE)
        return;
    const t3dm_binding *binding = &e->node_bindings[mesh->node];
    if (binding->identity || is_conformal(&binding->points))
        return;
    const double angle = largest_normal_angle(mesh, &binding->points);
    if (!(angle >= NORMAL_ANGLE_LEAST))
        return;
    tl_t3dm_enter(e, "meshes", number, mesh->name);
    tl_t3dm_report_loss(
        e, T3DM_R_NONUNIFORM_SCALE,
        "the object has a nonuniform scale; its normals stay perpendicular to its faces, up to %.0f degrees from those "
        "of Tiny3D's converter",
        angle);
    tl_t3dm_leave(e);
}

void tl_t3dm_advise(t3dm_encoder *e)
{
    if (!e->policy.advise)
        return;
    report_unnamed(e);
    for (uint32_t i = 0; i < e->mesh_count; i++)
        report_sheared_normals(e, e->meshes[i]);
}
