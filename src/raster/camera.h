/* camera.h: the camera. */
#ifndef TL_RASTER_CAMERA_H
#define TL_RASTER_CAMERA_H

#include "raster/clip.h"
#include "trilobite/render.h"

typedef struct tl_camera {
    float turn[9];          /* rows: right, up, towards the eye */
    float move[3];          /* seen = turn * point + move */
    float scale_x, scale_y; /* from what is seen to clip space */
    float near, far;
    bool parallel;
} tl_camera;

/* Fills in what the view leaves open; `bounds` is what there is to see. */
tl_camera tl_camera_of(const trilo_view *view, const trilo_bounds *bounds, double aspect);

static inline void tl_camera_turn(const tl_camera *c, const float v[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = c->turn[3 * k] * v[0] + c->turn[3 * k + 1] * v[1] + c->turn[3 * k + 2] * v[2];
}

static inline void tl_camera_see(const tl_camera *c, const float point[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = c->turn[3 * k] * point[0] + c->turn[3 * k + 1] * point[1] + c->turn[3 * k + 2] * point[2] + c->move[k];
}

/* From what is seen to clip space; codes are not set yet. */
static inline void tl_camera_project(const tl_camera *c, const float seen[3], tl_vertex *v)
{
    const float deep = -seen[2];
    v->x = seen[0] * c->scale_x;
    v->y = seen[1] * c->scale_y;
    v->z = (deep - c->near) / (c->far - c->near) * (c->parallel ? 1 : c->far);
    v->w = c->parallel ? 1 : deep;
}

#endif
