#include "render/render.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

/* Loads are counted on from mesh to mesh. */
bool render_color_parts(render_model *m)
{
    const trilo_model *model = m->input.model;
    uint32_t before = 0, all = 0;
    if (!m->colors) {
        m->colors = need(NULL, model->mesh_count, sizeof *m->colors);
        for (uint32_t i = 0; i < model->mesh_count; i++)
            m->colors[i] = need(NULL, model->meshes[i].index_count / 3, sizeof **m->colors);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const uint32_t count = model->meshes[i].index_count / 3;
        uint32_t *batches = need(NULL, count, sizeof *batches), most = 0;
        memset(m->colors[i], 128, (size_t)count * sizeof **m->colors);
        const uint32_t there = trilo_document_batches(m->input.document, i, batches, count);
        for (uint32_t k = 0; k < count && k < there; k++) {
            /* Successive batches get hues that are far apart on the colour wheel: each is a golden section of a turn
             * after the last, approximated by five of thirteen steps. */
            const uint32_t batch = before + batches[k];
            uint8_t *color = m->colors[i][k];
            static const uint8_t wheel[13][3] = {{230, 70, 70},  {230, 145, 70}, {230, 215, 70}, {165, 230, 70},
                                                 {95, 230, 70},  {70, 230, 120}, {70, 230, 195}, {70, 190, 230},
                                                 {70, 115, 230}, {95, 70, 230},  {165, 70, 230}, {230, 70, 220},
                                                 {230, 70, 145}};
            const uint32_t shade = batch / 13 % 3; /* later rounds are darker */
            for (int j = 0; j < 3; j++)
                color[j] = (uint8_t)(wheel[batch * 5 % 13][j] * (4 - shade) / 4);
            color[3] = 255;
            most = batches[k] > most ? batches[k] : most;
        }
        free(batches);
        before += most + 1;
        all += there;
        trilo_renderer_set_face_colors(m->renderer, i, (const uint8_t(*)[4])m->colors[i]);
    }
    return all > 0 || model->mesh_count == 0;
}
