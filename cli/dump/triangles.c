/* triangles.c: what is drawn, triangle by triangle or line by line, with everything a corner has. */
#include "dump/dump.h"

#include "alloc.h"
#include "info/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A mesh in a pose, or as the file stores it. */
typedef struct cli_drawn {
    const trilo_model *model;
    const trilo_mesh *mesh;
    float (*positions)[3], (*normals)[3]; /* in fresh memory; normals NULL: it has none */
    uint32_t corners;                     /* of a primitive */
    uint32_t count, shown;                /* primitives */
} cli_drawn;

static float (*copy_of(const float (*from)[3], uint32_t count))[3]
{
    float(*copy)[3] = need(NULL, count, sizeof *copy);
    if (count > 0)
        memcpy(copy, from, count * sizeof *copy);
    return copy;
}

static cli_drawn triangles_draw(const cli_dump *dump, uint32_t index, const trilo_mat4 *worlds,
                                trilo_mat4 *const *skins)
{
    const trilo_model *model = dump->input->model;
    const trilo_mesh *mesh = &model->meshes[index];
    cli_drawn drawn = {.model = model, .mesh = mesh, .count = info_primitives(mesh)};
    drawn.corners = mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3;
    drawn.shown = drawn.count < dump->limit ? drawn.count : dump->limit;
    drawn.positions = copy_of(mesh->positions, mesh->vertex_count);
    drawn.normals = mesh->normals ? copy_of(mesh->normals, mesh->vertex_count) : NULL;
    if (worlds) {
        /* The frame that shows, moved by the nodes. */
        const trilo_mat4 *matrices = drawn.mesh->skin != TRILO_NONE ? skins[drawn.mesh->skin] : NULL;
        trilo_pose_frame(drawn.model, index, dump->clip, dump->seconds, dump->mode, drawn.positions, drawn.normals);
        trilo_pose_vertices(drawn.model, index, worlds, matrices, (const float(*)[3])drawn.positions,
                            (const float(*)[3])drawn.normals, drawn.positions, drawn.normals);
    }
    return drawn;
}

static uint32_t vertex_of(const cli_drawn *drawn, uint32_t primitive, uint32_t corner)
{
    return drawn->mesh->indices[(size_t)primitive * drawn->corners + corner];
}

/* ---- text ---- */

static void triangles_put_floats(FILE *out, const char *name, const float *values, size_t count)
{
    fprintf(out, "  %s", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %s", EXACT(values[i]));
}

static void triangles_put_bones(FILE *out, const cli_drawn *drawn, uint32_t vertex)
{
    const trilo_mesh *mesh = drawn->mesh;
    for (size_t i = 0; i < 4; i++) {
        const uint16_t joint = mesh->joints[vertex][i];
        const float weight = mesh->weights[vertex][i];
        if (weight == 0)
            continue;
        fprintf(out, "  bone %u", (unsigned)joint);
        text_name(out, drawn->model->nodes[drawn->model->skins[mesh->skin].joints[joint].node].name);
        if (weight != 1)
            fprintf(out, " * %s", EXACT(weight));
    }
}

static void triangles_put_text(FILE *out, const cli_drawn *drawn, uint32_t index)
{
    const trilo_mesh *mesh = drawn->mesh;
    fprintf(out, "mesh %" PRIu32, index);
    text_name(out, mesh->name);
    fprintf(out, ", %" PRIu32 " %s%s", drawn->count, mesh->topology == TRILO_TOPOLOGY_LINES ? "line" : "triangle",
            text_plural(drawn->count));
    if (mesh->material != TRILO_NONE) {
        fprintf(out, ", material %" PRIu32, mesh->material);
        text_name(out, drawn->model->materials[mesh->material].name);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < drawn->shown; i++) {
        fprintf(out, "  [%" PRIu32 "]\n", i);
        for (uint32_t j = 0; j < drawn->corners; j++) {
            const uint32_t vertex = vertex_of(drawn, i, j);
            triangles_put_floats(out, "  at", drawn->positions[vertex], 3);
            if (drawn->normals)
                triangles_put_floats(out, "normal", drawn->normals[vertex], 3);
            if (drawn->mesh->colors)
                triangles_put_floats(out, "color", drawn->mesh->colors[vertex], 4);
            if (drawn->mesh->uvs)
                triangles_put_floats(out, "uv", drawn->mesh->uvs[vertex], 2);
            if (drawn->mesh->joints && drawn->mesh->skin != TRILO_NONE)
                triangles_put_bones(out, drawn, vertex);
            fputc('\n', out);
        }
    }
    if (drawn->shown < drawn->count)
        fprintf(out, "  ... %" PRIu32 " more\n", drawn->count - drawn->shown);
}

/* ---- JSON: a list for each attribute, each with one element for each primitive ---- */

static void put_attribute(cli_json *json, const char *key, const cli_drawn *drawn, const float *values, uint32_t width)
{
    float rows[3 * 4];
    if (!values)
        return;
    json_array(json, key);
    for (uint32_t i = 0; i < drawn->shown; i++) {
        for (uint32_t j = 0; j < drawn->corners; j++)
            memcpy(rows + (size_t)j * width, values + (size_t)vertex_of(drawn, i, j) * width, width * sizeof *rows);
        json_rows(json, NULL, rows, drawn->corners, width);
    }
    json_end(json);
}

/* Floats hold 16-bit numbers exactly. */
static void triangles_put_joints(cli_json *json, const cli_drawn *drawn)
{
    if (!drawn->mesh->joints)
        return;
    json_array(json, "joints");
    for (uint32_t i = 0; i < drawn->shown; i++) {
        float rows[3 * 4];
        for (uint32_t j = 0; j < drawn->corners; j++)
            for (uint32_t k = 0; k < 4; k++)
                rows[4 * j + k] = drawn->mesh->joints[vertex_of(drawn, i, j)][k];
        json_rows(json, NULL, rows, drawn->corners, 4);
    }
    json_end(json);
}

static const float *triangles_flat_rows(const void *rows)
{
    return rows;
}

static void triangles_put_json(cli_json *json, const cli_drawn *drawn)
{
    const trilo_mesh *mesh = drawn->mesh;
    const char *topology = mesh->topology == TRILO_TOPOLOGY_LINES ? "lines" : "triangles";
    json_object(json, NULL);
    json_str(json, "name", mesh->name);
    json_text(json, "topology", topology);
    json_uint(json, "count", drawn->count);
    json_index(json, "material", mesh->material);
    if (mesh->material != TRILO_NONE)
        json_str(json, "material_name", drawn->model->materials[mesh->material].name);
    put_attribute(json, topology, drawn, triangles_flat_rows(drawn->positions), 3);
    put_attribute(json, "normals", drawn, triangles_flat_rows(drawn->normals), 3);
    put_attribute(json, "colors", drawn, triangles_flat_rows(mesh->colors), 4);
    put_attribute(json, "uvs", drawn, triangles_flat_rows(mesh->uvs), 2);
    triangles_put_joints(json, drawn);
    put_attribute(json, "weights", drawn, triangles_flat_rows(mesh->weights), 4);
    json_end(json);
}

void dump_triangles(const cli_dump *dump, bool posed, cli_json *json)
{
    const trilo_model *model = dump->input->model;
    const uint32_t skin_count = posed ? model->skin_count : 0;
    trilo_mat4 *worlds = posed ? dump_worlds(dump) : NULL;
    trilo_mat4 **skins = need(NULL, skin_count, sizeof *skins);
    for (uint32_t i = 0; i < skin_count; i++) {
        skins[i] = need(NULL, model->skins[i].joint_count, sizeof *skins[i]);
        trilo_pose_skin(model, i, worlds, skins[i]);
    }
    if (posed)
        dump_pose_title(dump, json);
    if (json)
        json_array(json, "meshes");
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        cli_drawn drawn = triangles_draw(dump, i, worlds, skins);
        if (json)
            triangles_put_json(json, &drawn);
        else
            triangles_put_text(dump->args->out.file, &drawn, i);
        free(drawn.positions);
        free(drawn.normals);
    }
    if (json)
        json_end(json);
    for (uint32_t i = 0; i < skin_count; i++)
        free(skins[i]);
    free(skins);
    free(worlds);
}
