/* clips.c: what each clip costs, and how exactly it is stored.
 *
 * T3DM rounds: a rotation to steps of 1.41421 / 1023 in three of its numbers, a single axis to steps of its own. What
 * is printed is how far that moves the vertex that suffers most, as a root mean square: rounding is off by step /
 * sqrt(12) so taken, a rotation counts at the end of its lever in the rest pose, and all bones above a vertex count
 * together. */
#include "info/info.h"

#include "alloc.h"

#include "trilobite/pose.h"

#include <math.h>
#include <stdlib.h>

#define STEP_ERROR 0.28867513459481288 /* of a step: 1 / sqrt(12) */
/* Radians: an angle is twice a small change of its quaternion. The fourth number is made from the others, which on the
 * average makes the change longer by half its square. */
#define TURN_ERROR (2 * 1.22474487 * 1.73205081 * STEP_ERROR * 1.41421356 / 1023)

enum { NUMBER = 4 }; /* bytes */

/* What is the same for all clips. */
typedef struct cli_levers {
    const trilo_model *model;
    trilo_mat4 *worlds;
    double *reach;          /* of each node: to the farthest vertex on it or below */
    bool *carries;          /* a vertex hangs on it */
    double *turned, *moved; /* of the clip: how far off, in radians and units, squared */
} cli_levers;

/* ---- levers ---- */

static void clip_hang(cli_levers *levers, uint32_t node, const float *position)
{
    levers->carries[node] = true;
    for (; node != TRILO_NONE; node = levers->model->nodes[node].parent) {
        const trilo_mat4 *from = &levers->worlds[node];
        const double x = (double)position[0] - from->m[12], y = (double)position[1] - from->m[13],
                     z = (double)position[2] - from->m[14];
        const double d = sqrt(x * x + y * y + z * z);
        if (d > levers->reach[node])
            levers->reach[node] = d;
    }
}

/* A skinned vertex is stored where the rest pose has it, one of a node in the node's own space. */
static void hang_mesh(cli_levers *levers, uint32_t number)
{
    const trilo_mesh *mesh = &levers->model->meshes[number];
    const trilo_skin *skin = mesh->skin == TRILO_NONE ? NULL : &levers->model->skins[mesh->skin];
    float(*placed)[3] = need(NULL, mesh->vertex_count, sizeof *placed);
    trilo_pose_vertices(levers->model, number, levers->worlds, NULL, mesh->positions, NULL, placed, NULL);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bool skinned = false;
        for (int i = 0; skin && mesh->joints && i < 4; i++)
            if (mesh->weights[v][i] != 0) {
                clip_hang(levers, skin->joints[mesh->joints[v][i]].node, mesh->positions[v]);
                skinned = true;
            }
        if (!skinned && mesh->node != TRILO_NONE)
            clip_hang(levers, mesh->node, placed[v]);
    }
    free(placed);
}

static cli_levers levers_of(const trilo_model *model)
{
    const size_t count = model->node_count;
    cli_levers levers = {.model = model, .worlds = need(NULL, count, sizeof *levers.worlds)};
    trilo_mat4 *locals = need(NULL, count, sizeof *locals);
    levers.reach = need(NULL, count, sizeof *levers.reach);
    levers.carries = need(NULL, count, sizeof *levers.carries);
    levers.turned = need(NULL, count, sizeof *levers.turned);
    levers.moved = need(NULL, count, sizeof *levers.moved);
    trilo_pose_locals(model, TRILO_NONE, 0, locals);
    trilo_pose_worlds(model, locals, levers.worlds);
    free(locals);
    for (size_t i = 0; i < count; i++) {
        levers.reach[i] = 0;
        levers.carries[i] = false;
    }
    for (uint32_t i = 0; i < model->mesh_count; i++)
        hang_mesh(&levers, i);
    return levers;
}

/* ---- errors and sizes ---- */

/* How far rounding moves a vertex; parents come first. */
static double error_of(cli_levers *levers, const trilo_clip *clip)
{
    double most = 0;
    for (uint32_t i = 0; i < levers->model->node_count; i++)
        levers->turned[i] = levers->moved[i] = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        /* Scales count at the end of the lever. */
        const trilo_channel *channel = &clip->channels[i];
        const double off = channel->target == TRILO_TARGET_ROTATION ? TURN_ERROR : STEP_ERROR * (double)channel->step;
        const bool moves =
            channel->target >= TRILO_TARGET_TRANSLATION_X && channel->target <= TRILO_TARGET_TRANSLATION_Z;
        (moves ? levers->moved : levers->turned)[channel->node] += off * off;
    }
    for (uint32_t i = 0; i < levers->model->node_count; i++) {
        const uint32_t parent = levers->model->nodes[i].parent;
        levers->moved[i] += levers->turned[i] * levers->reach[i] * levers->reach[i];
        if (parent != TRILO_NONE)
            levers->moved[i] += levers->moved[parent];
        if (levers->carries[i] && levers->moved[i] > most)
            most = levers->moved[i];
    }
    return sqrt(most);
}

/* In the file; of formats that share arrays, what the keys take as 32-bit numbers. */
static uint64_t size_of(const cli_info *info, uint32_t number)
{
    const trilo_clip *clip = &info->input->model->clips[number];
    const trilo_t3dm_animation animation = trilo_document_t3dm_animation(info->input->document, number);
    uint64_t size = 0;
    if (info->format == TRILO_FORMAT_T3DM)
        return animation.size + animation.stream_size;
    if (info->format == TRILO_FORMAT_MODEL64)
        return info->frames[number].distinct * info->model64.frame_size;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        const uint64_t values = channel->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1;
        size += channel->key_count * (uint64_t)NUMBER * (1 + values * trilo_target_width(channel->target));
    }
    return size;
}

/* ---- printed ---- */

static void clips_put_text(const cli_info *info, cli_levers *levers, const cli_screen *screen)
{
    cli_table table = table_new("rrrrrrl");
    table_cells(&table, (const char *[]){"CLIP", "LENGTH", "CHANNELS", "KEYS", "BYTES", "ERROR", "NAME", NULL});
    for (uint32_t i = 0; i < levers->model->clip_count; i++) {
        const trilo_clip *clip = &levers->model->clips[i];
        table_cell(&table, "%s", COUNT(i));
        table_cell(&table, "%s%s", ROUNDED(clip->duration), info->format == TRILO_FORMAT_MODEL64 ? "" : " s");
        table_cell(&table, "%s", info->format == TRILO_FORMAT_MODEL64 ? "" : COUNT(info_channels(info, i)));
        table_cell(&table, "%s", info->format == TRILO_FORMAT_MODEL64 ? "" : COUNT(info_keys(info, i)));
        table_cell(&table, "%s", COUNT(size_of(info, i)));
        table_cell(&table, "%s", info->format == TRILO_FORMAT_T3DM ? ROUNDED(error_of(levers, clip)) : "");
        table_text(&table, clip->name);
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

void info_clips(const cli_info *info, const cli_screen *screen, cli_json *json)
{
    const trilo_model *model = info->input->model;
    cli_levers levers = levers_of(model);
    if (json) {
        json_array(json, "clip_costs");
        for (uint32_t i = 0; i < levers.model->clip_count; i++) {
            const trilo_clip *clip = &levers.model->clips[i];
            json_object(json, NULL);
            json_str(json, "name", clip->name);
            json_double(json, "seconds", clip->duration);
            json_uint(json, "channels", info_channels(info, i));
            json_uint(json, "keys", info_keys(info, i));
            json_uint(json, "bytes", size_of(info, i));
            json_double(json, "error", info->format == TRILO_FORMAT_T3DM ? error_of(&levers, clip) : 0);
            json_end(json);
        }
        json_end(json);
    } else if (model->clip_count > 0)
        clips_put_text(info, &levers, screen);
    free(levers.worlds);
    free(levers.reach);
    free(levers.carries);
    free(levers.turned);
    free(levers.moved);
}
