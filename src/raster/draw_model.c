/* Drawing the meshes of a model. */
#include "base/strict_float.h"
#include "raster/renderer.h"

/* A mesh while it is drawn. */
typedef struct mesh_drawing {
    const tl_frame *frame;
    const trilo_mesh *mesh;
    const tl_posed_mesh *posed;
    tl_pipeline_state state;
    tl_inputs inputs;
} mesh_drawing;

/* ---- vertices ---- */

static void draw_transform_vertices(const mesh_drawing *d, bool fog)
{
    const tl_frame *f = d->frame;
    const tl_posed_mesh *posed = d->posed;
    const trilo_fog *range = &f->scene->fog;
    const bool given = range->begin != 0 || range->end != 0;
    const bool colored = posed->colors && (f->scene->show & TRILO_SHOW_FACE_COLORS) == 0;
    tl_stage stage = {&f->camera, &f->screen, &f->lights, &d->state, fog, f->camera.near, f->camera.far};
    if (given)
        stage.fog_near = range->begin, stage.fog_far = range->end;
    for (uint32_t i = 0; i < d->mesh->vertex_count; i++) {
        const tl_vertex_in in = {posed->positions[i], posed->normals ? posed->normals[i] : NULL,
                                 colored ? posed->colors[i] : NULL, d->mesh->uvs ? d->mesh->uvs[i] : NULL};
        tl_vertex *v = &f->vertices[i];
        tl_stage_vertex(&stage, &in, v);
        if ((v->outcode & (TL_OUT_CLIP | TL_OUT_INVALID)) == 0)
            f->corners[i] = tl_vertex_corner(&f->screen, v);
    }
}

/* ---- triangles ---- */

static void draw_mesh_triangle(mesh_drawing *d, const uint32_t at[3])
{
    const tl_frame *f = d->frame;
    const tl_vertex *v[3] = {&f->vertices[at[0]], &f->vertices[at[1]], &f->vertices[at[2]]};
    const uint32_t any = v[0]->outcode | v[1]->outcode | v[2]->outcode;
    if ((v[0]->outcode & v[1]->outcode & v[2]->outcode & TL_OUT_ALL) != 0 || (any & TL_OUT_INVALID) != 0)
        return;
    if ((any & TL_OUT_CLIP) == 0) {
        const tl_corner *corners[3] = {&f->corners[at[0]], &f->corners[at[1]], &f->corners[at[2]]};
        tl_draw_triangle(&f->framebuffer, &d->state, &d->inputs, corners);
        return;
    }
    tl_vertex polygon[TL_POLYGON_MOST];
    tl_corner on_screen[TL_POLYGON_MOST];
    const int count = tl_clip_triangle(&f->screen, v, polygon);
    for (int i = 0; i < count; i++)
        on_screen[i] = tl_vertex_corner(&f->screen, &polygon[i]);
    for (int i = 2; i < count; i++) {
        const tl_corner *fan[3] = {&on_screen[0], &on_screen[i - 1], &on_screen[i]};
        tl_draw_triangle(&f->framebuffer, &d->state, &d->inputs, fan);
    }
}

static void draw_mesh_triangles(mesh_drawing *d)
{
    const uint32_t *indices = d->mesh->indices;
    for (uint32_t i = 0; i + 2 < d->mesh->index_count; i += 3) {
        const bool mirrored = d->posed->mirrored;
        const uint32_t at[3] = {indices[i], indices[mirrored ? i + 2 : i + 1], indices[mirrored ? i + 1 : i + 2]};
        if ((d->frame->scene->show & TRILO_SHOW_FACE_COLORS) != 0 && d->posed->face_colors)
            for (int k = 0; k < 4; k++)
                d->inputs.at[TL_CC_PRIM][k] = d->posed->face_colors[i / 3][k];
        draw_mesh_triangle(d, at);
    }
}

static void draw_mesh_lines(const mesh_drawing *d)
{
    const tl_frame *f = d->frame;
    for (uint32_t i = 0; i + 1 < d->mesh->index_count; i += 2) {
        tl_vertex a = f->vertices[d->mesh->indices[i]], b = f->vertices[d->mesh->indices[i + 1]];
        if (!tl_clip_line(&f->screen, &a, &b))
            continue;
        const tl_corner from = tl_vertex_corner(&f->screen, &a), to = tl_vertex_corner(&f->screen, &b);
        tl_line line = {&from, &to, {0}, false};
        for (int k = 0; k < 3; k++)
            line.color[k] = (uint8_t)(a.shade[k] * (float)d->state.inputs.at[TL_CC_PRIM][k] / 255);
        tl_draw_line(&f->framebuffer, &line);
    }
}

/* ---- meshes ---- */

/* The colour of each triangle, or grey, and just enough light to show the shape: (1 - ENV) * SHADE + ENV. */
static void state_for_face_colors(tl_pipeline_state *state)
{
    static const uint8_t grey[4] = {160, 160, 160, 255};
    static const tl_combiner combiner = {
        .cycle_count = 2,
        .cycles = {
            {TL_CC_ONE, TL_CC_ENV, TL_CC_SHADE, TL_CC_ENV, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ONE},
            {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ONE}}};
    *state = (tl_pipeline_state){.combiner = combiner,
                                 .z_compare = TL_Z_COMPARE_LESS,
                                 .alpha_threshold = TL_ALPHA_THRESHOLD_NONE,
                                 .uses_shade = true,
                                 .cull_front = state->cull_front,
                                 .cull_back = state->cull_back};
    tl_inputs_fill(&state->inputs, grey, grey);
}

static void draw_posed_mesh(const tl_frame *f, uint32_t mesh)
{
    mesh_drawing d = {.frame = f, .mesh = &f->renderer->model->meshes[mesh], .posed = &f->renderer->posed[mesh]};
    d.state = d.posed->state;
    const bool fog = d.state.fog && f->scene->fog.enabled && (f->scene->show & TRILO_SHOW_FACE_COLORS) == 0;
    if ((f->scene->show & TRILO_SHOW_FACE_COLORS) != 0)
        state_for_face_colors(&d.state);
    else if (fog)
        tl_pipeline_state_fog(&d.state, f->scene->fog.color);
    d.inputs = d.state.inputs;
    d.state.unlit = d.state.unlit || d.mesh->topology == TRILO_TOPOLOGY_LINES; /* a line has no side */
    draw_transform_vertices(&d, fog);
    if (d.mesh->topology == TRILO_TOPOLOGY_LINES)
        draw_mesh_lines(&d);
    else
        draw_mesh_triangles(&d);
}

enum { LAYER_SOLID, LAYER_DECAL, LAYER_BLENDED, LAYERS };

/* A model that is in drawing order is drawn in it, as the console does. Others are drawn in layers: decals after the
 * surfaces that they are on, and blended meshes last. */
void tl_frame_meshes(tl_frame *frame)
{
    const trilo_model *model = frame->renderer->model;
    if ((frame->scene->show & TRILO_SHOW_NO_FACES) != 0)
        return;
    for (int layer = 0; layer < (model->ordered ? 1 : LAYERS); layer++)
        for (uint32_t i = 0; i < model->mesh_count; i++) {
            const tl_pipeline_state *state = &frame->renderer->posed[i].state;
            const int own = state->keep_z || state->blend_word != 0  ? LAYER_BLENDED
                            : state->z_compare == TL_Z_COMPARE_DECAL ? LAYER_DECAL
                                                                     : LAYER_SOLID;
            if (model->ordered || own == layer)
                draw_posed_mesh(frame, i);
        }
}
