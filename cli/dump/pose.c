/* pose.c: where every node is at a moment of a clip, the matrices that move the vertices, and the frames that
 * take their place. */
#include "dump/dump.h"

#include "alloc.h"

#include "trilobite/player.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void *need_memory(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size > 0)
        return need(old, new_size, 1);
    free(old);
    return NULL;
}

static trilo_sampling asked_sampling(const cli_dump *dump)
{
    return args_has(dump->args, OPT_SMOOTH) ? TRILO_SAMPLING_SMOOTH : TRILO_SAMPLING_AUTO;
}

/* Files of T3DM as the console plays them, unless asked otherwise; what lies beyond the clip is held at its ends. */
static trilo_player *player_at_moment(const cli_dump *dump)
{
    const trilo_player_opts opts = {
        .memory = {.fn = need_memory, .max_bytes = SIZE_MAX}, /* so it cannot fail: loaded models are sound */
        .sampling = asked_sampling(dump),
        .layer_count = 1};
    trilo_player *player = trilo_player_new(dump->input->model, &opts, NULL);
    trilo_player_play(player, 0, dump->clip, NULL);
    trilo_player_seek(player, 0, dump->seconds);
    trilo_player_advance(player, 0);
    return player;
}

trilo_mat4 *dump_worlds(const cli_dump *dump)
{
    const uint32_t count = dump->input->model->node_count;
    trilo_mat4 *worlds = need(NULL, count, sizeof *worlds);
    trilo_player *player = player_at_moment(dump);
    if (count > 0)
        memcpy(worlds, trilo_player_worlds(player), count * sizeof *worlds);
    trilo_player_free(player);
    return worlds;
}

/* "exact" is the console's way: keys as Tiny3D samples them, frames of a Model without blending. */
static const char *sampling_of(const cli_dump *dump)
{
    const trilo_model *model = dump->input->model;
    const bool tiny3d = trilo_sampling_resolve(model, asked_sampling(dump)) == TRILO_SAMPLING_TINY3D;
    const bool held = model->format == TRILO_FORMAT_MODEL64 && dump->mode == TRILO_FRAME_MODE_HOLD;
    return tiny3d || held ? "exact" : "smooth";
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
        json_text(json, "sampling", sampling_of(dump));
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

static void put_node_text(FILE *out, const trilo_node *node, uint32_t index, const trilo_transform *parts,
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
    put_numbers(out, "position", parts->translation, 3);
    put_numbers(out, "matrix", world->m, 16);
}

static void put_node_json(cli_json *json, const trilo_node *node, uint32_t index, const trilo_transform *parts,
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
    json_floats(json, "position", parts->translation, 3);
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

static void put_skins(const cli_dump *dump, const trilo_player *player, cli_json *json)
{
    for (uint32_t i = 0; i < dump->input->model->skin_count; i++) {
        if (json) {
            json_object(json, NULL);
            json_array(json, "joints");
        }
        put_joints(dump, i, trilo_player_skin(player, i), json);
        if (json) {
            json_end(json);
            json_end(json);
        }
    }
}

static void put_nodes(const cli_dump *dump, const trilo_player *player, cli_json *json)
{
    const trilo_model *model = dump->input->model;
    const trilo_transform *parts = trilo_player_transforms(player);
    const trilo_mat4 *worlds = trilo_player_worlds(player);
    for (uint32_t i = 0; i < model->node_count; i++)
        if (json)
            put_node_json(json, &model->nodes[i], i, &parts[i], &worlds[i]);
        else
            put_node_text(dump->args->out.file, &model->nodes[i], i, &parts[i], &worlds[i]);
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
    trilo_player *player = player_at_moment(dump);
    dump_pose_title(dump, json);
    if (json)
        json_array(json, "nodes");
    put_nodes(dump, player, json);
    if (json) {
        json_end(json);
        json_array(json, "skins");
    }
    put_skins(dump, player, json);
    if (json) {
        json_end(json);
        json_array(json, "tracks");
    }
    put_tracks(dump, json);
    if (json)
        json_end(json);
    trilo_player_free(player);
}
