/* Lines over the picture: edges, bones, normals, boxes. */
#include "base/strict_float.h"
#include "raster/renderer.h"

#include <math.h>

tl_corner tl_frame_corner(const tl_frame *f, const tl_vertex *v)
{
    tl_corner c = tl_vertex_corner(&f->screen, v);
    if (!f->console)
        return c;
    const tl_viewport *viewport = &f->view.viewport;
    const double far = f->camera.far, near = f->camera.near;
    const double least = f->camera.orthographic ? 1 : far / (far - near); /* z / w is twice that of the other looks */
    c.x = (float)((c.x - f->screen.half_width) * (viewport->to_quarters_x / (2 * viewport->width))) +
          f->screen.half_width;
    c.y = (float)((c.y - f->screen.half_height) * (viewport->to_quarters_y / (2 * viewport->height))) +
          f->screen.half_height;
    c.z = (float)(8 * (16383 + (2 * (double)c.z / TL_Z_MAX - least) * viewport->to_depth));
    return c;
}

void tl_frame_line(const tl_frame *f, const float a[3], const float b[3], const uint8_t color[3], bool on_top)
{
    tl_vertex ends[2] = {{.s = 0}, {.s = 0}};
    const float *points[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        float view[3];
        tl_camera_view(&f->camera, points[i], view);
        tl_camera_project(&f->camera, view, &ends[i]);
        tl_vertex_set_outcode(&f->screen, &ends[i]);
    }
    if (!tl_clip_line(&f->screen, &ends[0], &ends[1]))
        return;
    const tl_corner from = tl_frame_corner(f, &ends[0]), to = tl_frame_corner(f, &ends[1]);
    const tl_line line = {&from, &to, {color[0], color[1], color[2], 255}, on_top};
    tl_draw_line(&f->framebuffer, &line);
}

static void overlay_wireframe(const tl_frame *f)
{
    static const uint8_t color[3] = {255, 255, 255};
    const bool on_top = (f->scene->show & TRILO_SHOW_NO_FACES) != 0;
    for (uint32_t m = 0; m < f->renderer->model->mesh_count; m++) {
        const trilo_mesh *mesh = &f->renderer->model->meshes[m];
        const float(*p)[3] = (const float(*)[3])f->renderer->posed[m].positions;
        const uint32_t corners = mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3;
        for (uint32_t i = 0; i + corners <= mesh->index_count; i += corners)
            for (uint32_t k = 0; k < corners; k++) {
                const uint32_t a = mesh->indices[i + k], b = mesh->indices[i + (k + 1) % corners];
                tl_frame_line(f, p[a], p[b], color, on_top);
            }
    }
}

/* The length of what is drawn at points: a part of the model's diagonal. */
static float overlay_length(const trilo_bounds *b, float part)
{
    const float x = b->max.x - b->min.x, y = b->max.y - b->min.y, z = b->max.z - b->min.z;
    const float length = sqrtf(x * x + y * y + z * z);
    return length > 0 ? length * part : 0;
}

static void overlay_normals(const tl_frame *f)
{
    static const uint8_t color[3] = {80, 200, 255};
    const float length = overlay_length(&f->bounds, 0.02f);
    for (uint32_t m = 0; m < f->renderer->model->mesh_count; m++) {
        const tl_posed_mesh *posed = &f->renderer->posed[m];
        for (uint32_t i = 0; posed->normals && i < f->renderer->model->meshes[m].vertex_count; i++) {
            const float *p = posed->positions[i], *n = posed->normals[i];
            const float tip[3] = {p[0] + n[0] * length, p[1] + n[1] * length, p[2] + n[2] * length};
            tl_frame_line(f, p, tip, color, false);
        }
    }
}

static void overlay_bones(const tl_frame *f)
{
    static const uint8_t bone[3] = {255, 220, 60}, joint[3] = {255, 90, 60};
    const float length = overlay_length(&f->bounds, 0.01f);
    for (uint32_t i = 0; i < f->renderer->model->node_count; i++) {
        const uint32_t parent = f->renderer->model->nodes[i].parent;
        const float *at = f->renderer->worlds[i].m + 12;
        if (parent != TRILO_NONE)
            tl_frame_line(f, f->renderer->worlds[parent].m + 12, at, bone, true);
        for (int k = 0; k < 3; k++) {
            float a[3] = {at[0], at[1], at[2]}, b[3] = {at[0], at[1], at[2]};
            a[k] -= length, b[k] += length;
            tl_frame_line(f, a, b, joint, true);
        }
    }
}

static void overlay_box(const tl_frame *f, const trilo_bounds *b, const uint8_t color[3])
{
    const float at[2][3] = {{b->min.x, b->min.y, b->min.z}, {b->max.x, b->max.y, b->max.z}};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            if ((i >> k & 1) == 0) {
                const int j = i | 1 << k;
                const float from[3] = {at[i & 1][0], at[i >> 1 & 1][1], at[i >> 2 & 1][2]};
                const float to[3] = {at[j & 1][0], at[j >> 1 & 1][1], at[j >> 2 & 1][2]};
                tl_frame_line(f, from, to, color, true);
            }
}

static void overlay_bvh(const tl_frame *f)
{
    static const uint8_t inner[3] = {80, 120, 255}, leaf[3] = {90, 230, 90};
    const trilo_bvh *bvh = f->renderer->model->bvh;
    for (uint32_t i = 0; bvh && i < bvh->node_count; i++)
        overlay_box(f, &bvh->nodes[i].bounds, bvh->nodes[i].count > 0 ? leaf : inner);
}

void tl_frame_overlays(tl_frame *frame)
{
    const uint32_t show = frame->scene->show;
    if ((show & TRILO_SHOW_WIREFRAME) != 0)
        overlay_wireframe(frame);
    if ((show & TRILO_SHOW_NORMALS) != 0)
        overlay_normals(frame);
    if ((show & TRILO_SHOW_BVH) != 0)
        overlay_bvh(frame);
    if ((show & TRILO_SHOW_BONES) != 0)
        overlay_bones(frame);
}
