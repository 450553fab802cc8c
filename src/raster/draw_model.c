/* Drawing the meshes of a model. */
#include "raster/renderer.h"

/* One mesh while it is drawn. */
typedef struct drawing {
    const tl_frame *frame;
    const trilo_mesh *mesh;
    const tl_posed_mesh *shape;
    tl_pipeline_state pipe;
    tl_inputs inputs;
} drawing;

/* ---- vertices ---- */

static void vertices_make(const drawing *d, bool fog)
{
    const tl_frame *f = d->frame;
    const tl_posed_mesh *shape = d->shape;
    const trilo_fog *range = &f->scene->fog;
    const bool given = range->begin != 0 || range->end != 0;
    const bool colored = shape->colors && (f->scene->show & TRILO_SHOW_FACE_COLORS) == 0;
    tl_stage stage = {&f->camera, &f->screen, &f->lamps, &d->pipe, fog, f->camera.near, f->camera.far};
    if (given)
        stage.fog_near = range->begin, stage.fog_far = range->end;
    for (uint32_t i = 0; i < d->mesh->vertex_count; i++) {
        const tl_vertex_in in = {shape->positions[i], shape->normals ? shape->normals[i] : NULL,
                                 colored ? shape->colors[i] : NULL, d->mesh->uvs ? d->mesh->uvs[i] : NULL};
        tl_vertex *v = &f->vertices[i];
        tl_stage_vertex(&stage, &in, v);
        if ((v->codes & (TL_OUT_CUT | TL_OUT_NOWHERE)) == 0)
            f->corners[i] = tl_vertex_corner(&f->screen, v);
    }
}

/* ---- triangles ---- */

static void draw_clipped(drawing *d, const tl_vertex *corners[3])
{
    const tl_frame *f = d->frame;
    tl_vertex polygon[TL_POLYGON_MOST];
    tl_corner on_screen[TL_POLYGON_MOST];
    const int count = tl_clip_triangle(&f->screen, corners, polygon);
    for (int i = 0; i < count; i++)
        on_screen[i] = tl_vertex_corner(&f->screen, &polygon[i]);
    for (int i = 2; i < count; i++) {
        const tl_corner *fan[3] = {&on_screen[0], &on_screen[i - 1], &on_screen[i]};
        tl_draw_triangle(&f->target, &d->pipe, &d->inputs, fan);
    }
}

static void draw_triangle(drawing *d, const uint32_t at[3])
{
    const tl_frame *f = d->frame;
    const tl_vertex *v[3] = {&f->vertices[at[0]], &f->vertices[at[1]], &f->vertices[at[2]]};
    const uint32_t any = v[0]->codes | v[1]->codes | v[2]->codes;
    if ((v[0]->codes & v[1]->codes & v[2]->codes & TL_OUT_ALL) != 0 || (any & TL_OUT_NOWHERE) != 0)
        return;
    if ((any & TL_OUT_CUT) != 0) {
        draw_clipped(d, v);
        return;
    }
    const tl_corner *corners[3] = {&f->corners[at[0]], &f->corners[at[1]], &f->corners[at[2]]};
    tl_draw_triangle(&f->target, &d->pipe, &d->inputs, corners);
}

static void draw_triangles(drawing *d)
{
    const uint32_t *indices = d->mesh->indices;
    for (uint32_t i = 0; i + 2 < d->mesh->index_count; i += 3) {
        const bool turned = d->shape->mirrored;
        const uint32_t at[3] = {indices[i], indices[turned ? i + 2 : i + 1], indices[turned ? i + 1 : i + 2]};
        if ((d->frame->scene->show & TRILO_SHOW_FACE_COLORS) != 0 && d->shape->face_colors)
            for (int k = 0; k < 4; k++)
                d->inputs.at[TL_CC_PRIM][k] = d->shape->face_colors[i / 3][k];
        draw_triangle(d, at);
    }
}

static void draw_lines(const drawing *d)
{
    const tl_frame *f = d->frame;
    for (uint32_t i = 0; i + 1 < d->mesh->index_count; i += 2) {
        tl_vertex a = f->vertices[d->mesh->indices[i]], b = f->vertices[d->mesh->indices[i + 1]];
        if (!tl_clip_line(&f->screen, &a, &b))
            continue;
        const tl_corner from = tl_vertex_corner(&f->screen, &a), to = tl_vertex_corner(&f->screen, &b);
        tl_line line = {&from, &to, {0}, false};
        for (int k = 0; k < 3; k++)
            line.color[k] = (uint8_t)(a.shade[k] * (float)d->pipe.inputs.at[TL_CC_PRIM][k] / 255);
        tl_draw_line(&f->target, &line);
    }
}

/* ---- meshes ---- */

/* The colour of each triangle, or grey, and just enough light to show the shape: (1 - ENV) * SHADE + ENV. */
static void pipe_for_colors(tl_pipeline_state *pipe)
{
    static const uint8_t grey[4] = {160, 160, 160, 255};
    static const tl_combiner combiner = {
        .cycle_count = 2,
        .cycles = {
            {TL_CC_ONE, TL_CC_ENV, TL_CC_SHADE, TL_CC_ENV, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ONE},
            {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ONE}}};
    *pipe = (tl_pipeline_state){.combiner = combiner,
                                .depth = TL_DEPTH_NEARER,
                                .threshold = TL_NO_COMPARE,
                                .shaded = true,
                                .cull_front = pipe->cull_front,
                                .cull_back = pipe->cull_back};
    tl_inputs_fill(&pipe->inputs, grey, grey);
}

static void draw_mesh(const tl_frame *f, uint32_t mesh)
{
    drawing d = {.frame = f, .mesh = &f->renderer->model->meshes[mesh], .shape = &f->renderer->shapes[mesh]};
    d.pipe = d.shape->pipe;
    const bool fog = d.pipe.fog && f->scene->fog.enabled && (f->scene->show & TRILO_SHOW_FACE_COLORS) == 0;
    if ((f->scene->show & TRILO_SHOW_FACE_COLORS) != 0)
        pipe_for_colors(&d.pipe);
    else if (fog)
        tl_pipeline_state_fog(&d.pipe, f->scene->fog.color);
    d.inputs = d.pipe.inputs;
    d.pipe.unlit = d.pipe.unlit || d.mesh->topology == TRILO_TOPOLOGY_LINES; /* a line has no side */
    vertices_make(&d, fog);
    if (d.mesh->topology == TRILO_TOPOLOGY_LINES)
        draw_lines(&d);
    else
        draw_triangles(&d);
}

enum { LAYER_SOLID, LAYER_DECAL, LAYER_BLENDED, LAYERS };

static int layer_of(const tl_pipeline_state *pipe)
{
    if (pipe->keep_depth || pipe->blend_word != 0)
        return LAYER_BLENDED;
    return pipe->depth == TL_DEPTH_DECAL ? LAYER_DECAL : LAYER_SOLID;
}

/* The console draws in the order of the file, which its converters have sorted. Elsewhere what lies on surfaces comes
 * after them, and what is mixed with its background at last. */
void tl_frame_meshes(tl_frame *frame)
{
    const trilo_model *model = frame->renderer->model;
    const bool in_order = model->format == TRILO_FORMAT_T3DM;
    if ((frame->scene->show & TRILO_SHOW_NO_FACES) != 0)
        return;
    for (int layer = 0; layer < (in_order ? 1 : LAYERS); layer++)
        for (uint32_t i = 0; i < model->mesh_count; i++)
            if (in_order || layer_of(&frame->renderer->shapes[i].pipe) == layer)
                draw_mesh(frame, i);
}
