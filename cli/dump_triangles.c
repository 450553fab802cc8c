/* dump_triangles.c: what is drawn, triangle by triangle or line by line. */
#include "dump.h"

#include "alloc.h"
#include "info.h"

#include "trilobite/pose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The positions of a mesh, in fresh memory; without `worlds` as the file stores them. */
static float (*positions_of(const trilo_model *model, uint32_t index, const trilo_mat4 *worlds))[3]
{
    const trilo_mesh *mesh = &model->meshes[index];
    float(*positions)[3] = need(NULL, mesh->vertex_count, sizeof *positions);
    trilo_mat4 *matrices = NULL;
    if (!worlds) {
        if (mesh->vertex_count > 0)
            memcpy(positions, mesh->positions, mesh->vertex_count * sizeof *positions);
        return positions;
    }
    if (mesh->skin != TRILO_NONE) {
        matrices = need(NULL, model->skins[mesh->skin].joint_count, sizeof *matrices);
        trilo_pose_skin(model, mesh->skin, worlds, matrices);
    }
    trilo_pose_mesh(model, index, worlds, matrices, positions, NULL);
    free(matrices);
    return positions;
}

static void put_text(FILE *out, uint32_t index, float (*corners)[3], uint32_t count)
{
    fprintf(out, "  [%" PRIu32 "]", index);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "  %s %s %s%s", EXACT(corners[i][0]), EXACT(corners[i][1]), EXACT(corners[i][2]),
                i + 1 < count ? "," : "\n");
}

static void put_primitives(const cli_dump *dump, const trilo_mesh *mesh, float (*positions)[3], cli_json *json)
{
    const uint32_t corners = mesh->topology == TRILO_LINES ? 2 : 3;
    const uint32_t count = info_primitives(mesh);
    const uint32_t shown = count < dump->limit ? count : dump->limit;
    FILE *out = dump->args->out.file;
    for (uint32_t i = 0; i < shown; i++) {
        float points[3][3];
        for (uint32_t j = 0; j < corners; j++)
            memcpy(points[j], positions[mesh->indices[(size_t)i * corners + j]], sizeof points[j]);
        if (json)
            json_rows(json, NULL, points[0], corners, 3);
        else
            put_text(out, i, points, corners);
    }
    if (!json && shown < count)
        fprintf(out, "  ... %" PRIu32 " more\n", count - shown);
}

static void begin_mesh(const cli_dump *dump, uint32_t index, cli_json *json)
{
    const trilo_mesh *mesh = &dump->input->model->meshes[index];
    const char *topology = mesh->topology == TRILO_LINES ? "lines" : "triangles";
    const uint32_t count = info_primitives(mesh);
    FILE *out = dump->args->out.file;
    if (json) {
        json_object(json, NULL);
        json_str(json, "name", mesh->name);
        json_text(json, "topology", topology);
        json_uint(json, "count", count);
        json_array(json, topology);
        return;
    }
    fprintf(out, "mesh %" PRIu32, index);
    text_name(out, mesh->name);
    fprintf(out, ", %" PRIu32 " %s%s\n", count, mesh->topology == TRILO_LINES ? "line" : "triangle",
            text_plural(count));
}

static void put_meshes(const cli_dump *dump, const trilo_mat4 *worlds, cli_json *json)
{
    const trilo_model *model = dump->input->model;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        float(*positions)[3] = positions_of(model, i, worlds);
        begin_mesh(dump, i, json);
        put_primitives(dump, &model->meshes[i], positions, json);
        if (json) {
            json_end(json);
            json_end(json);
        }
        free(positions);
    }
}

void dump_triangles(const cli_dump *dump, bool posed, cli_json *json)
{
    trilo_mat4 *worlds = posed ? dump_worlds(dump) : NULL;
    if (posed)
        dump_pose_title(dump, json);
    if (json)
        json_array(json, "meshes");
    put_meshes(dump, worlds, json);
    if (json)
        json_end(json);
    free(worlds);
}
