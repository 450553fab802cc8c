#include "support/trip.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing and reading --- */

static void hear(void *user, const trilo_finding *finding)
{
    trip_leg *leg = user;
    const size_t at = strlen(leg->rules);
    if (!trip_told(leg, finding->rule))
        snprintf(leg->rules + at, sizeof leg->rules - at, "%s ", finding->rule);
    if (strcmp(finding->rule, "M64-COLLAPSED") == 0 || strcmp(finding->rule, "T3DM-DROPPED") == 0) {
        const char *behind = strstr(finding->text, "\": "); /* of the name of the mesh */
        leg->left_out += (uint32_t)strtoul(behind ? behind + 3 : finding->text, NULL, 10);
    }
}

bool trip_told(const trip_leg *leg, const char *rule)
{
    const size_t length = strlen(rule);
    for (const char *at = strstr(leg->rules, rule); at; at = strstr(at + 1, rule))
        if (at[length] == ' ' && (at == leg->rules || at[-1] == ' '))
            return true;
    return false;
}

static bool keep_companion(void *user, const char *name, trilo_bytes bytes)
{
    trip_leg *leg = user;
    CHECK(leg->companion_count < TRIP_COMPANIONS);
    snprintf(leg->names[leg->companion_count], sizeof leg->names[0], "%s", name);
    return buffer_sink(&leg->companions[leg->companion_count++], bytes.data, bytes.size);
}

static bool find_companion(void *user, const char *name, trilo_bytes *bytes)
{
    const trip_leg *leg = user;
    for (uint32_t i = 0; i < leg->companion_count; i++)
        if (strcmp(leg->names[i], name) == 0) {
            *bytes = (trilo_bytes){leg->companions[i].data, leg->companions[i].size};
            return true;
        }
    return false;
}

static const char *file_name(trilo_format format)
{
    return format == TRILO_FORMAT_T3DM      ? "trip.t3dm"
           : format == TRILO_FORMAT_NLM     ? "trip.nlm"
           : format == TRILO_FORMAT_MODEL64 ? "trip.model"
                                            : "trip.glb";
}

void trip_start(trip_leg *leg, const trilo_model *from, trilo_format to, const trilo_write_opts *opts)
{
    trilo_write_opts write = opts ? *opts : (trilo_write_opts){0};
    memset(leg, 0, sizeof *leg);
    write.format = to;
    write.name = file_name(to);
    write.on_finding = hear;
    write.on_finding_user = leg;
    write.companion = keep_companion;
    write.companion_user = leg;
    if (!trilo_model_write(from, &write, buffer_sink, &leg->file, &leg->err))
        return;
    const trilo_load_opts load = {.format = to, .companion = find_companion, .companion_user = leg, .name = write.name};
    leg->model = trilo_model_load(leg->file.data, leg->file.size, &load, &leg->err);
    if (!leg->model)
        FAIL("what was written cannot be read: %s %s: %s", leg->err.rule, leg->err.path, leg->err.text);
}

void trip_end(trip_leg *leg)
{
    trilo_model_free(leg->model);
    buffer_free(&leg->file);
    for (uint32_t i = 0; i < leg->companion_count; i++)
        buffer_free(&leg->companions[i]);
    leg->companion_count = 0;
    leg->model = NULL;
}

/* --- one joint for each vertex --- */

static void keep_strongest(const float from[4], float to[4])
{
    int best = 0;
    for (int k = 1; k < 4; k++)
        best = from[k] > from[best] ? k : best;
    for (int k = 0; k < 4; k++)
        to[k] = k == best && from[best] > 0 ? 1 : 0;
}

void trip_strongest(trip_copy *copy, const trilo_model *from)
{
    const uint32_t count = from->mesh_count;
    copy->model = *from;
    copy->meshes = calloc(count + 1, sizeof *copy->meshes);
    copy->weights = calloc(count + 1, sizeof *copy->weights);
    CHECK(copy->meshes && copy->weights);
    copy->model.meshes = copy->meshes;
    for (uint32_t i = 0; i < count; i++) {
        trilo_mesh *mesh = &copy->meshes[i];
        *mesh = from->meshes[i];
        if (!mesh->weights)
            continue;
        copy->weights[i] = malloc((mesh->vertex_count + 1) * sizeof **copy->weights);
        CHECK(copy->weights[i]);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            keep_strongest(mesh->weights[v], copy->weights[i][v]);
        mesh->weights = (const float(*)[4])copy->weights[i];
    }
}

void trip_copy_free(trip_copy *copy)
{
    for (uint32_t i = 0; i < copy->model.mesh_count; i++)
        free(copy->weights[i]);
    free(copy->weights);
    free(copy->meshes);
}
