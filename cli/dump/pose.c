/* pose.c: node transforms, skinning matrices and vertex frames at a time of a clip. */
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

/* T3DM files are sampled as the console plays them, unless an option says otherwise. Times beyond the clip are
 * clamped. */
static trilo_player *player_at_moment(const cli_dump *dump)
{
    const trilo_player_opts opts = {
        .memory = {.fn = need_memory, .max_bytes = SIZE_MAX}, /* so it cannot fail: loaded models are valid */
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
        /* As the console does it, a Model shows each frame until the next one; it has no keys to sample. */
        const trilo_model *model = dump->input->model;
        const bool tiny3d = trilo_sampling_resolve(model, asked_sampling(dump)) == TRILO_SAMPLING_TINY3D;
        const bool held = model->format == TRILO_FORMAT_MODEL64 && dump->mode == TRILO_FRAME_MODE_HOLD;
        json_text(json, "sampling", tiny3d ? "tiny3d" : held ? "hold" : "smooth");
        json_end(json);
    } else if (clip) {
        fprintf(out, "clip %" PRIu32, dump->clip);
        text_name(out, clip->name);
        fprintf(out, " at %s s\n", EXACT2(dump->seconds));
    } else {
        fputs("rest pose\n", out);
    }
}

static void pose_put_numbers(FILE *out, const char *name, const float *values, size_t count)
{
    fprintf(out, "  %-10s", name);
    for (size_t i = 0; i < count; i++) /* columns of a matrix are separated */
        fprintf(out, "%s%s", i == 0 ? "" : count == 16 && i % 4 == 0 ? " | " : " ", EXACT(values[i]));
    fputc('\n', out);
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

static void put_skins(const cli_dump *dump, const trilo_player *player, cli_json *json)
{
    for (uint32_t i = 0; i < dump->input->model->skin_count; i++) {
        if (json) {
            json_object(json, NULL);
            json_array(json, "joints");
        }
        const trilo_mat4 *matrices = trilo_player_skin(player, i);
        const trilo_skin *joints = &dump->input->model->skins[i];
        FILE *out = dump->args->out.file;
        for (uint32_t j = 0; j < joints->joint_count; j++) {
            if (json) {
                json_object(json, NULL);
                json_uint(json, "node", joints->joints[j].node);
                json_rows(json, "matrix", matrices[j].m, 4, 4);
                json_end(json);
            } else {
                fprintf(out, "skin %" PRIu32 ", joint %" PRIu32 ", node %" PRIu32 "\n", i, j, joints->joints[j].node);
                pose_put_numbers(out, "matrix", matrices[j].m, 16);
            }
        }
        if (json) {
            json_end(json);
            json_end(json);
        }
    }
}

/* Which frame of each track shows. */
static void put_tracks(const cli_dump *dump, cli_json *json)
{
    const trilo_clip *clip = dump->clip == TRILO_NONE ? NULL : &dump->input->model->clips[dump->clip];
    for (uint32_t i = 0; clip && i < clip->track_count; i++) {
        const trilo_frame_at at = trilo_track_at(&clip->tracks[i], clip->duration, dump->seconds, dump->mode);
        if (json) {
            json_object(json, NULL);
            json_uint(json, "mesh", clip->tracks[i].mesh);
            json_uint(json, "frames", clip->tracks[i].frame_count);
            json_uint(json, "frame", at.frame);
            json_uint(json, "next", at.next);
            json_double(json, "weight", at.weight);
            json_end(json);
        } else {
            fprintf(dump->args->out.file, "mesh %" PRIu32 ", frame %" PRIu32 " of %" PRIu32, clip->tracks[i].mesh,
                    at.frame, clip->tracks[i].frame_count);
            if (at.weight > 0)
                fprintf(dump->args->out.file, ", %s of the way to frame %" PRIu32, ROUNDED(at.weight), at.next);
            fputc('\n', dump->args->out.file);
        }
    }
}

void dump_pose(const cli_dump *dump, cli_json *json)
{
    trilo_player *player = player_at_moment(dump);
    dump_pose_title(dump, json);
    if (json)
        json_array(json, "nodes");
    const trilo_model *model = dump->input->model;
    const trilo_transform *parts = trilo_player_transforms(player);
    const trilo_mat4 *worlds = trilo_player_worlds(player);
    for (uint32_t i = 0; i < model->node_count; i++)
        if (json)
            put_node_json(json, &model->nodes[i], i, &parts[i], &worlds[i]);
        else {
            const trilo_node *node = &model->nodes[i];
            fprintf(dump->args->out.file, "node %" PRIu32, i);
            text_name(dump->args->out.file, node->name);
            if (node->parent == TRILO_NONE)
                fputs(", a root\n", dump->args->out.file);
            else
                fprintf(dump->args->out.file, ", child of %" PRIu32 "\n", node->parent);
            pose_put_numbers(dump->args->out.file, "scale", parts[i].scale, 3);
            pose_put_numbers(dump->args->out.file, "rotation", parts[i].rotation, 4);
            pose_put_numbers(dump->args->out.file, "position", parts[i].translation, 3);
            pose_put_numbers(dump->args->out.file, "matrix", worlds[i].m, 16);
        }
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
