/* A renderer, and the poses that it takes over. */
#include "base/strict_float.h"
#include "base/vec.h"
#include "raster/renderer.h"

/* *posed_skin is the skin whose matrices are in r->joints: most models have one for all meshes. */
static void render_rest_pose(trilo_renderer *r, uint32_t mesh, uint32_t *posed_skin)
{
    const trilo_mesh *m = &r->model->meshes[mesh];
    tl_posed_mesh *posed = &r->posed[mesh];
    const bool skinned = m->skin != TRILO_NONE;
    if (skinned && m->skin != *posed_skin) {
        trilo_pose_skin(r->model, m->skin, r->worlds, r->joints);
        *posed_skin = m->skin;
    }
    trilo_pose_mesh(r->model, mesh, r->worlds, skinned ? r->joints : NULL, posed->positions,
                    posed->made_normals ? NULL : posed->normals);
}

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
    }
    uint32_t posed_skin = TRILO_NONE;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        tl_posed_mesh *posed = &renderer->posed[i];
        posed->mirrored =
            mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE && tl_mat4_mirrors(&renderer->worlds[mesh->node]);
        if (player)
            trilo_player_mesh(player, i, posed->positions, posed->made_normals ? NULL : posed->normals);
        else
            render_rest_pose(renderer, i, &posed_skin);
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
