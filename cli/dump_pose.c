/* dump_pose.c: where every node is at a moment of a clip, the matrices that move the vertices, and the frames that
 * take their place. */
#include "dump.h"

#include "alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a node's local transformation. */
typedef struct cli_parts {
    float scale[3], rotation[4], position[3];
} cli_parts;

static cli_parts rest_of(const trilo_node *node)
{
    return (cli_parts){.scale = {node->scale.x, node->scale.y, node->scale.z},
                       .rotation = {node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w},
                       .position = {node->translation.x, node->translation.y, node->translation.z}};
}

/* Where the numbers of a channel go. */
static float *part_of(cli_parts *parts, trilo_target target)
{
    switch (target) {
    case TRILO_ROTATION:
        return parts->rotation;
    case TRILO_TRANSLATION:
        return parts->position;
    case TRILO_TRANSLATION_X:
    case TRILO_TRANSLATION_Y:
    case TRILO_TRANSLATION_Z:
        return parts->position + (target - TRILO_TRANSLATION_X);
    case TRILO_SCALE_X:
    case TRILO_SCALE_Y:
    case TRILO_SCALE_Z:
        return parts->scale + (target - TRILO_SCALE_X);
    default:
        return parts->scale;
    }
}

static cli_parts *sample(const cli_dump *dump)
{
    const trilo_model *model = dump->input->model;
    cli_parts *parts = need(NULL, model->node_count, sizeof *parts);
    for (uint32_t i = 0; i < model->node_count; i++)
        parts[i] = rest_of(&model->nodes[i]);
    const uint32_t channels = dump->clip == TRILO_NONE ? 0 : model->clips[dump->clip].channel_count;
    for (uint32_t i = 0; i < channels; i++) {
        const trilo_channel *channel = &model->clips[dump->clip].channels[i];
        float value[4];
        trilo_channel_sample(channel, dump->seconds, value);
        memcpy(part_of(&parts[channel->node], channel->target), value,
               trilo_target_width(channel->target) * sizeof *value);
    }
    return parts;
}

trilo_mat4 *dump_worlds(const cli_dump *dump)
{
    const trilo_model *model = dump->input->model;
    trilo_mat4 *locals = need(NULL, model->node_count, sizeof *locals);
    trilo_mat4 *worlds = need(NULL, model->node_count, sizeof *worlds);
    trilo_pose_locals(model, dump->clip, dump->seconds, locals);
    trilo_pose_worlds(model, locals, worlds);
    free(locals);
    return worlds;
}

void dump_pose_title(const cli_dump *dump, cli_json *json)
{
    const trilo_clip *clip = dump->clip == TRILO_NONE ? NULL : &dump->input->model->clips[dump->clip];
    FILE *out = dump->args->out.file;
    if (json) {
        json_object(json, "pose");
        if (clip)
            json_uint(json, "clip", dump->clip);
        else
            json_null(json, "clip");
        json_str(json, "name", clip ? clip->name : (trilo_str){"", 0});
        json_double(json, "seconds", dump->seconds);
        json_end(json);
    } else if (clip) {
        fprintf(out, "clip %" PRIu32, dump->clip);
        text_name(out, clip->name);
        fprintf(out, " at %s s\n", EXACT2(dump->seconds));
    } else {
        fputs("rest pose\n", out);
    }
}

static void put_numbers(FILE *out, const char *name, const float *values, size_t count)
{
    fprintf(out, "  %-10s", name);
    for (size_t i = 0; i < count; i++) /* the columns of a matrix stand apart */
        fprintf(out, "%s%s", i == 0 ? "" : count == 16 && i % 4 == 0 ? " | " : " ", EXACT(values[i]));
    fputc('\n', out);
}

static void put_node_text(FILE *out, const trilo_node *node, uint32_t index, const cli_parts *parts,
                          const trilo_mat4 *world)
{
    fprintf(out, "node %" PRIu32, index);
    text_name(out, node->name);
    if (node->parent == TRILO_NONE)
        fputs(", a root\n", out);
    else
        fprintf(out, ", child of %" PRIu32 "\n", node->parent);
    put_numbers(out, "scale", parts->scale, 3);
    put_numbers(out, "rotation", parts->rotation, 4);
    put_numbers(out, "position", parts->position, 3);
    put_numbers(out, "matrix", world->m, 16);
}

static void put_node_json(cli_json *json, const trilo_node *node, uint32_t index, const cli_parts *parts,
                          const trilo_mat4 *world)
{
    json_object(json, NULL);
    json_uint(json, "index", index);
    json_str(json, "name", node->name);
    if (node->parent == TRILO_NONE)
        json_null(json, "parent");
    else
        json_uint(json, "parent", node->parent);
    json_floats(json, "scale", parts->scale, 3);
    json_floats(json, "rotation", parts->rotation, 4);
    json_floats(json, "position", parts->position, 3);
    json_rows(json, "matrix", world->m, 4, 4);
    json_end(json);
}

static void put_joints(const cli_dump *dump, uint32_t skin, const trilo_mat4 *matrices, cli_json *json)
{
    const trilo_skin *joints = &dump->input->model->skins[skin];
    FILE *out = dump->args->out.file;
    for (uint32_t i = 0; i < joints->joint_count; i++) {
        if (json) {
            json_object(json, NULL);
            json_uint(json, "node", joints->joints[i].node);
            json_rows(json, "matrix", matrices[i].m, 4, 4);
            json_end(json);
        } else {
            fprintf(out, "skin %" PRIu32 ", joint %" PRIu32 ", node %" PRIu32 "\n", skin, i, joints->joints[i].node);
            put_numbers(out, "matrix", matrices[i].m, 16);
        }
    }
}

static void put_skins(const cli_dump *dump, const trilo_mat4 *worlds, cli_json *json)
{
    const trilo_model *model = dump->input->model;
    for (uint32_t i = 0; i < model->skin_count; i++) {
        trilo_mat4 *matrices = need(NULL, model->skins[i].joint_count, sizeof *matrices);
        trilo_pose_skin(model, i, worlds, matrices);
        if (json) {
            json_object(json, NULL);
            json_array(json, "joints");
        }
        put_joints(dump, i, matrices, json);
        if (json) {
            json_end(json);
            json_end(json);
        }
        free(matrices);
    }
}

static void put_nodes(const cli_dump *dump, const trilo_mat4 *worlds, cli_json *json)
{
    const trilo_model *model = dump->input->model;
    cli_parts *parts = sample(dump);
    for (uint32_t i = 0; i < model->node_count; i++)
        if (json)
            put_node_json(json, &model->nodes[i], i, &parts[i], &worlds[i]);
        else
            put_node_text(dump->args->out.file, &model->nodes[i], i, &parts[i], &worlds[i]);
    free(parts);
}

static void put_track_text(FILE *out, const trilo_track *track, const trilo_frame_at *at)
{
    fprintf(out, "mesh %" PRIu32 ", frame %" PRIu32 " of %" PRIu32, track->mesh, at->frame, track->frame_count);
    if (at->weight > 0)
        fprintf(out, ", %s of the way to frame %" PRIu32, ROUNDED(at->weight), at->next);
    fputc('\n', out);
}

static void put_track_json(cli_json *json, const trilo_track *track, const trilo_frame_at *at)
{
    json_object(json, NULL);
    json_uint(json, "mesh", track->mesh);
    json_uint(json, "frames", track->frame_count);
    json_uint(json, "frame", at->frame);
    json_uint(json, "next", at->next);
    json_double(json, "weight", at->weight);
    json_end(json);
}

/* Which frame of each track shows. */
static void put_tracks(const cli_dump *dump, cli_json *json)
{
    const trilo_clip *clip = dump->clip == TRILO_NONE ? NULL : &dump->input->model->clips[dump->clip];
    for (uint32_t i = 0; clip && i < clip->track_count; i++) {
        const trilo_frame_at at = trilo_track_at(&clip->tracks[i], clip->duration, dump->seconds, dump->mode);
        if (json)
            put_track_json(json, &clip->tracks[i], &at);
        else
            put_track_text(dump->args->out.file, &clip->tracks[i], &at);
    }
}

void dump_pose(const cli_dump *dump, cli_json *json)
{
    trilo_mat4 *worlds = dump_worlds(dump);
    dump_pose_title(dump, json);
    if (json)
        json_array(json, "nodes");
    put_nodes(dump, worlds, json);
    if (json) {
        json_end(json);
        json_array(json, "skins");
    }
    put_skins(dump, worlds, json);
    if (json) {
        json_end(json);
        json_array(json, "tracks");
    }
    put_tracks(dump, json);
    if (json)
        json_end(json);
    free(worlds);
}
