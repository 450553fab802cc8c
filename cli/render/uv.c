#include "render/render.h"

#include "alloc.h"
#include "ui/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Materials that meshes with texture coordinates have, each once, in the order of their first use. */
static uint32_t *list_materials(const trilo_model *model, uint32_t *count)
{
    uint32_t *list = need(NULL, model->mesh_count, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        uint32_t at = 0;
        while (at < *count && list[at] != model->meshes[i].material)
            at++;
        if (model->meshes[i].uvs && at == *count)
            list[(*count)++] = model->meshes[i].material;
    }
    return list;
}

static void name_material(const trilo_model *model, uint32_t material, char *out, size_t room)
{
    const trilo_str name = material == TRILO_NONE ? (trilo_str){NULL, 0} : model->materials[material].name;
    if (name.len > 0)
        snprintf(out, room, "%.*s", (int)(name.len < room ? name.len : room - 1), name.data);
    else if (material == TRILO_NONE)
        snprintf(out, room, "no material");
    else
        snprintf(out, room, "material %" PRIu32, material);
}

static bool uv_draw_all(render_model *m, const uint32_t *list, uint32_t count, const render_grid *grid,
                        trilo_error *err)
{
    const trilo_image picture = {m->options->width, m->options->height, (const uint8_t(*)[4])m->pixels};
    for (uint32_t i = 0; i < count; i++) {
        char name[256];
        if (!trilo_renderer_draw_uvs(m->renderer, list[i], picture.width, picture.height, m->pixels, err))
            return false;
        name_material(m->input.model, list[i], name, sizeof name);
        grid_put(grid, i, &picture, name);
    }
    return true;
}

exit_code render_uvs(render_model *m, render_grid *grid)
{
    uint32_t count;
    trilo_error err;
    uint32_t *list = list_materials(m->input.model, &count);
    exit_code code = EXIT_FINE;
    if (count == 0) {
        report_plain(&m->options->args->err, m->input.path, "no mesh has texture coordinates");
        code = EXIT_LIMIT;
    } else if (!grid_new(grid, count, m->options->width, m->options->height, m->options->scene.background, 0)) {
        report_plain(&m->options->args->err, m->input.path,
                     "so many materials make too large a picture: --size is smaller");
        code = EXIT_LIMIT;
    } else if (!uv_draw_all(m, list, count, grid, &err)) {
        report_error(&m->options->args->err, m->input.path, &err);
        code = exit_of(err.code);
    }
    free(list);
    return code;
}
