/* A renderer, and the poses that it takes over. */
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/skinning.h"
#include "raster/renderer.h"

void trilo_renderer_pose(trilo_renderer *renderer, const trilo_player *player)
{
    const trilo_model *model = renderer->model;
    const trilo_mat4 *worlds = player ? trilo_player_worlds(player) : NULL;
    if (player) {
        for (uint32_t i = 0; i < model->node_count; i++)
            renderer->worlds[i] = worlds[i];
    } else {
        trilo_pose_locals(model, TRILO_NONE, 0, renderer->locals);
        trilo_pose_worlds(model, renderer->locals, renderer->worlds);
        tl_skins_pose(model, renderer->worlds, renderer->skins);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        tl_posed_mesh *posed = &renderer->posed[i];
        posed->mirrored =
            mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE && tl_mat4_mirrors(&renderer->worlds[mesh->node]);
        float(*normals)[3] = posed->made_normals ? NULL : posed->normals;
        if (player)
            trilo_player_mesh(player, i, posed->positions, normals);
        else
            trilo_pose_mesh(model, i, renderer->worlds, mesh->skin != TRILO_NONE ? renderer->skins[mesh->skin] : NULL,
                            posed->positions, normals);
    }
    tl_renderer_posed(renderer);
}

trilo_renderer *trilo_renderer_new(const trilo_model *model, const trilo_image *const *textures,
                                   const trilo_memory *memory, trilo_error *err)
{
    trilo_renderer *renderer = tl_renderer_new(model, textures, memory, err);
    if (renderer)
        trilo_renderer_pose(renderer, NULL);
    return renderer;
}
