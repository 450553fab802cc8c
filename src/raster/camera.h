/* camera.h: transforms from model space to view space (the camera looks along -z) and to clip space. */
#ifndef TL_RASTER_CAMERA_H
#define TL_RASTER_CAMERA_H

#include "raster/clip.h"
#include "trilobite/render.h"

typedef struct tl_camera {
    float rotation[9];      /* rows: right, up, towards the eye */
    float translation[3];   /* view = rotation * point + translation */
    float scale_x, scale_y; /* from view to clip space */
    float near, far;
    bool orthographic;
} tl_camera;

/* Fills in the defaults of the view; `bounds` is the bounding box of the scene. */
tl_camera tl_camera_of(const trilo_view *view, const trilo_bounds *bounds, double aspect);

static inline void tl_camera_rotate(const tl_camera *c, const float v[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = c->rotation[3 * k] * v[0] + c->rotation[3 * k + 1] * v[1] + c->rotation[3 * k + 2] * v[2];
}

static inline void tl_camera_view(const tl_camera *c, const float point[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = c->rotation[3 * k] * point[0] + c->rotation[3 * k + 1] * point[1] + c->rotation[3 * k + 2] * point[2] +
                 c->translation[k];
}

/* From view to clip space; the outcode is not set yet. */
static inline void tl_camera_project(const tl_camera *c, const float view[3], tl_vertex *v)
{
    const float depth = -view[2];
    v->x = view[0] * c->scale_x;
    v->y = view[1] * c->scale_y;
    v->z = (depth - c->near) / (c->far - c->near) * (c->orthographic ? 1 : c->far);
    v->w = c->orthographic ? 1 : depth;
}

#endif
