#include "support/exercise_render.h"

#include "harness.h"

enum { WIDTH = 16, HEIGHT = 12, MATERIALS = 3 };

/* Drawing takes longer than all else that is tried on a file, so only some are drawn. */
static bool is_turn(void)
{
    static unsigned calls;
    return calls++ % (test_full() && !TEST_SLOW ? 4 : 16) == 0;
}

void exercise_render(const trilo_model *model)
{
    uint8_t pixels[WIDTH * HEIGHT][4];
    if (!is_turn())
        return;
    trilo_renderer *renderer = trilo_renderer_new(model, NULL, NULL, NULL);
    if (!renderer)
        return; /* no memory */
    const trilo_bounds bounds = trilo_renderer_bounds(renderer);
    trilo_scene scene = {.view = trilo_view_frame(&bounds, 30, 20, 0, 0), .fog = {.enabled = true}};
    trilo_renderer_draw(renderer, &scene, WIDTH, HEIGHT, pixels, NULL);
    /* From a place inside, with all lines. */
    scene.look = TRILO_LOOK_CLEAN;
    scene.view.eye.x += (scene.view.target.x - scene.view.eye.x) * 0.9f;
    scene.show = TRILO_SHOW_WIREFRAME | TRILO_SHOW_BONES | TRILO_SHOW_NORMALS | TRILO_SHOW_BVH;
    trilo_renderer_draw(renderer, &scene, WIDTH, HEIGHT, pixels, NULL);
    for (uint32_t i = 0; i < model->material_count && i < MATERIALS; i++)
        CHECK(trilo_renderer_draw_uvs(renderer, i, WIDTH, HEIGHT, pixels, NULL));
    trilo_renderer_free(renderer);
}
