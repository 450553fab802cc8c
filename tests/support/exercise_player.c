#include "support/exercise_player.h"

#include "harness.h"

#include <math.h>

enum { CLIPS = 3, STEPS = 7, MANY = 10000 };

static bool all_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* What the rest pose has of numbers, a player has too. Sums of huge ones may overflow: those are left out. */
static void check_finite(const trilo_player *player, const trilo_model *model)
{
    const trilo_transform *parts = trilo_player_transforms(player);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const trilo_node *n = &model->nodes[i];
        const float rest[] = {n->translation.x, n->translation.y, n->translation.z, n->rotation.x, n->rotation.y,
                              n->rotation.z,    n->rotation.w,    n->scale.x,       n->scale.y,    n->scale.z};
        float most = 0;
        for (int k = 0; k < 10; k++)
            most = fmaxf(most, fabsf(rest[k]));
        if (!all_finite(rest, 10) || most > 1e18f)
            continue;
        CHECK(all_finite(parts[i].translation, 3));
        CHECK(all_finite(parts[i].rotation, 4));
        CHECK(all_finite(parts[i].scale, 3));
    }
}

static void play_steps(trilo_player *player, const trilo_model *model, double duration)
{
    static const double parts[STEPS] = {0, 0.3, 0.4, 0.5, -0.7, 2.2, 0.01};
    for (int i = 0; i < STEPS; i++) {
        trilo_player_advance(player, duration * parts[i]);
        check_finite(player, model);
    }
}

static void play_clips(trilo_player *player, const trilo_document *document, const trilo_model *model)
{
    for (uint32_t i = 0; i < model->clip_count && i < CLIPS; i++) {
        const double duration = model->clips[i].duration;
        trilo_player_play(player, 0, i, &(trilo_play_opts){.fade = duration / 2});
        trilo_player_play(player, 1, i, &(trilo_play_opts){.once = true, .speed = -1.5});
        trilo_player_set_additive(player, 1, i % 2 == 0);
        play_steps(player, model, duration);
        trilo_stream *stream = trilo_document_stream(document, i, NULL, NULL);
        if (!stream)
            continue;
        trilo_player_play_stream(player, 0, stream, NULL);
        play_steps(player, model, duration);
        trilo_player_play(player, 0, TRILO_NONE, NULL);
        trilo_stream_free(stream);
    }
}

void exercise_player(const trilo_document *document, const trilo_model *model)
{
    const trilo_player_opts opts = {.layer_count = 2,
                                    .dual_quaternions = true,
                                    .frames = TRILO_FRAME_MODE_LOOP,
                                    .root_motion = model->node_count > 0 ? TRILO_ROOT_X | TRILO_ROOT_YAW : 0};
    uint64_t vertices = 0;
    trilo_player *player = trilo_player_new(model, &opts, NULL);
    if (!player)
        return; /* no memory */
    for (uint32_t i = 0; i < model->mesh_count; i++)
        vertices += model->meshes[i].vertex_count;
    play_clips(player, document, model);
    if (vertices < MANY)
        trilo_player_bounds(player);
    trilo_player_free(player);
}
