/* The position of the camera, and how it frames a model. */
#include "raster/camera.h"
#include "base/strict_float.h"

#include "base/bytes.h"
#include "base/trig.h"
#include "raster/renderer.h"

#include <math.h>

#define FOV_DEFAULT 45
/* Room around a model that is framed. */
#define MARGIN 1.06

typedef struct camera_vec {
    double x, y, z;
} camera_vec;

static camera_vec camera_vec_of(trilo_vec3 v)
{
    return (camera_vec){v.x, v.y, v.z};
}

static double camera_dot(camera_vec a, camera_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static camera_vec camera_cross(camera_vec a, camera_vec b)
{
    return (camera_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static camera_vec camera_normalize(camera_vec v, camera_vec otherwise)
{
    const double length = sqrt(camera_dot(v, v));
    if (!(length > 1e-30 && length < 1e30))
        return otherwise;
    return (camera_vec){v.x / length, v.y / length, v.z / length};
}

/* ---- the axes of a camera ---- */

typedef struct camera_axes {
    camera_vec right, up, back; /* back is towards the eye */
} camera_axes;

static camera_axes camera_axes_of(camera_vec back, camera_vec up)
{
    camera_axes a = {.back = camera_normalize(back, (camera_vec){0, 0, 1})};
    camera_vec right = camera_cross(camera_normalize(up, (camera_vec){0, 1, 0}), a.back);
    if (!(camera_dot(right, right) > 1e-10)) /* straight from above or below */
        right = camera_cross((camera_vec){0, 0, a.back.y > 0 ? -1 : 1}, a.back);
    a.right = camera_normalize(right, (camera_vec){1, 0, 0});
    a.up = camera_cross(a.back, a.right);
    return a;
}

static camera_axes camera_axes_at(double azimuth, double elevation)
{
    const double yaw = azimuth * (TL_PI / 180), pitch = elevation * (TL_PI / 180);
    const double flat = tl_cos(pitch);
    const camera_vec right = {tl_cos(yaw), 0, -tl_sin(yaw)};
    const camera_vec back = {flat * tl_sin(yaw), tl_sin(pitch), flat * tl_cos(yaw)};
    return (camera_axes){right, camera_cross(back, right), back};
}

static camera_vec camera_box_corner(const trilo_bounds *b, int which)
{
    return (camera_vec){which & 1 ? b->max.x : b->min.x, which & 2 ? b->max.y : b->min.y,
                        which & 4 ? b->max.z : b->min.z};
}

static bool camera_is_box(const trilo_bounds *b)
{
    const float sum = b->min.x + b->min.y + b->min.z + b->max.x + b->max.y + b->max.z;
    return tl_is_finite(sum) && b->min.x <= b->max.x && b->min.y <= b->max.y && b->min.z <= b->max.z;
}

static double camera_tangent(double fov)
{
    const double half = (fov > 0 && fov < 179 ? fov : FOV_DEFAULT) * (TL_PI / 360);
    return tl_sin(half) / tl_cos(half);
}

/* ---- framing ---- */

static double camera_finite_or(double value, double otherwise)
{
    return value > -1e6 && value < 1e6 ? value : otherwise;
}

trilo_view trilo_view_frame(const trilo_bounds *bounds, double azimuth, double elevation, double fov, double aspect)
{
    static const trilo_bounds unit_box = {{-1, -1, -1}, {1, 1, 1}};
    const trilo_bounds *box = camera_is_box(bounds) ? bounds : &unit_box;
    const camera_axes a = camera_axes_at(camera_finite_or(azimuth, 0), camera_finite_or(elevation, 0));
    const camera_vec low = camera_vec_of(box->min), high = camera_vec_of(box->max);
    const camera_vec middle = {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
    const double tall = camera_tangent(fov), wide = tall * (aspect > 0 && aspect < 1e6 ? aspect : 4.0 / 3);
    double distance = 0;
    for (int i = 0; i < 8; i++) {
        camera_vec c = camera_box_corner(box, i);
        c = (camera_vec){c.x - middle.x, c.y - middle.y, c.z - middle.z};
        const double across = fabs(camera_dot(c, a.right)) * MARGIN / wide,
                     along = fabs(camera_dot(c, a.up)) * MARGIN / tall;
        const double needed = (across > along ? across : along) + camera_dot(c, a.back);
        distance = needed > distance ? needed : distance;
    }
    if (!(distance > 1e-20))
        distance = 1;
    return (trilo_view){.eye = {(float)(middle.x + a.back.x * distance), (float)(middle.y + a.back.y * distance),
                                (float)(middle.z + a.back.z * distance)},
                        .target = {(float)middle.x, (float)middle.y, (float)middle.z},
                        .up = {(float)a.up.x, (float)a.up.y, (float)a.up.z},
                        .fov = (float)fov};
}

/* ---- framing vertices ---- */

/* The widest angles in which the model may be seen: those of the picture, with a margin. */
static void framing_tangents(const trilo_framing *f, double *wide, double *tall)
{
    const double aspect = f->aspect > 0 && f->aspect < 1e6 ? f->aspect : 4.0 / 3;
    *tall = camera_tangent(f->fov) / MARGIN;
    *wide = camera_tangent(f->fov) * aspect / MARGIN;
}

/* A point (right r, up u, back b) is inside the right edge of a camera at (x, y, d) if r - x <= wide * (d - b): only
 * the largest r + wide * b of all points is needed, and a similar sum for each other edge. A point that turns around
 * the pivot follows a circle, on which each of these sums has one maximum. */
static void framing_add_point(trilo_framing *f, const camera_axes *a, double wide, double tall, const float point[3])
{
    const camera_vec p = {(double)point[0] - f->pivot.x, (double)point[1] - f->pivot.y, (double)point[2] - f->pivot.z};
    double right, left, up, down, back = camera_dot(p, a->back), front = back;
    if (f->orbiting) {
        const double radius = sqrt(p.x * p.x + p.z * p.z), flat = a->up.y, steep = a->back.y;
        right = left = radius * sqrt(1 + wide * wide * flat * flat) + wide * steep * p.y;
        up = (flat + tall * steep) * p.y + radius * fabs(tall * flat - steep);
        down = (tall * steep - flat) * p.y + radius * fabs(tall * flat + steep);
        back = steep * p.y - fabs(flat) * radius;
        front = steep * p.y + fabs(flat) * radius;
    } else {
        const double r = camera_dot(p, a->right), u = camera_dot(p, a->up);
        right = r + wide * back;
        left = wide * back - r;
        up = u + tall * back;
        down = tall * back - u;
    }
    f->right = !f->added || right > f->right ? right : f->right;
    f->left = !f->added || left > f->left ? left : f->left;
    f->up = !f->added || up > f->up ? up : f->up;
    f->down = !f->added || down > f->down ? down : f->down;
    f->back = !f->added || back < f->back ? back : f->back;
    f->front = !f->added || front > f->front ? front : f->front;
    f->added = true;
}

void trilo_framing_add(trilo_framing *f, const trilo_renderer *renderer)
{
    const camera_axes a = camera_axes_at(camera_finite_or(f->azimuth, 0), camera_finite_or(f->elevation, 0));
    double wide, tall;
    framing_tangents(f, &wide, &tall);
    for (uint32_t m = 0; m < renderer->model->mesh_count; m++)
        for (uint32_t i = 0; i < renderer->model->meshes[m].vertex_count; i++) {
            const float *p = renderer->posed[m].positions[i];
            if (tl_is_finite(p[0] + p[1] + p[2]))
                framing_add_point(f, &a, wide, tall, p);
        }
}

/* As near as all edges allow, in the middle of where that is possible. */
trilo_view trilo_framing_view(const trilo_framing *f)
{
    static const trilo_bounds unit_box = {{-1, -1, -1}, {1, 1, 1}};
    if (!f->added)
        return trilo_view_frame(&unit_box, f->azimuth, f->elevation, f->fov, f->aspect);
    const camera_axes a = camera_axes_at(camera_finite_or(f->azimuth, 0), camera_finite_or(f->elevation, 0));
    double wide, tall;
    framing_tangents(f, &wide, &tall);
    const double x = (f->right - f->left) / 2, y = (f->up - f->down) / 2, middle = (f->front + f->back) / 2;
    const double across = (f->right + f->left) / (2 * wide), along = (f->up + f->down) / (2 * tall);
    double distance = across > along ? across : along;
    if (!(distance - middle > 1e-20))
        distance = middle + 1;
    const camera_vec at = {f->pivot.x + a.right.x * x + a.up.x * y, f->pivot.y + a.right.y * x + a.up.y * y,
                           f->pivot.z + a.right.z * x + a.up.z * y};
    return (trilo_view){.eye = {(float)(at.x + a.back.x * distance), (float)(at.y + a.back.y * distance),
                                (float)(at.z + a.back.z * distance)},
                        .target = {(float)(at.x + a.back.x * middle), (float)(at.y + a.back.y * middle),
                                   (float)(at.z + a.back.z * middle)},
                        .up = {(float)a.up.x, (float)a.up.y, (float)a.up.z},
                        .fov = (float)f->fov};
}

/* ---- the camera of a view ---- */

/* Sets near and far so that everything is seen, with near at least a thousandth of far, since depth has 24 bits. */
static void camera_set_near_far(tl_camera *c, const trilo_view *view, const trilo_bounds *bounds)
{
    double nearest = 1e30, farthest = -1e30;
    for (int i = 0; i < 8 && camera_is_box(bounds); i++) {
        const camera_vec at = camera_box_corner(bounds, i);
        const double depth =
            -(c->rotation[6] * at.x + c->rotation[7] * at.y + c->rotation[8] * at.z + c->translation[2]);
        nearest = depth < nearest ? depth : nearest;
        farthest = depth > farthest ? depth : farthest;
    }
    if (!(nearest <= farthest))
        nearest = 1, farthest = 100;
    const double room = (farthest - nearest) * 0.02 + 1e-6 * fabs(farthest);
    farthest = c->orthographic || farthest + room > 1e-6 ? farthest + room : 1;
    nearest -= room;
    if (!c->orthographic && nearest < farthest / 1000)
        nearest = farthest / 1000;
    c->far = view->far_at > 0 ? view->far_at : (float)farthest;
    c->near = view->near_at > 0 ? view->near_at : (float)nearest;
    if (!c->orthographic && !(c->near > c->far * 1e-6f)) /* 1 / w stays finite */
        c->near = c->far * 1e-6f;
    if (!(c->far > c->near))
        c->far = c->near + fabsf(c->near) + 1;
}

tl_camera tl_camera_of(const trilo_view *view, const trilo_bounds *bounds, double aspect)
{
    trilo_view framed = *view;
    const bool same = view->eye.x == view->target.x && view->eye.y == view->target.y && view->eye.z == view->target.z;
    if (same && !view->use_matrix) {
        framed = trilo_view_frame(bounds, 0, 0, view->fov, aspect);
        framed.near_at = view->near_at, framed.far_at = view->far_at, framed.height = view->height;
    }
    tl_camera c = {.orthographic = view->height > 0};
    if (view->use_matrix) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                c.rotation[3 * k + i] = view->matrix.m[4 * i + k];
            c.translation[k] = view->matrix.m[12 + k];
        }
    } else {
        const camera_vec eye = camera_vec_of(framed.eye), target = camera_vec_of(framed.target);
        const camera_axes a = camera_axes_of((camera_vec){eye.x - target.x, eye.y - target.y, eye.z - target.z},
                                             camera_vec_of(framed.up));
        const camera_vec rows[3] = {a.right, a.up, a.back};
        for (int k = 0; k < 3; k++) {
            c.rotation[3 * k] = (float)rows[k].x;
            c.rotation[3 * k + 1] = (float)rows[k].y;
            c.rotation[3 * k + 2] = (float)rows[k].z;
            c.translation[k] = (float)-camera_dot(rows[k], eye);
        }
    }
    const double tall = c.orthographic ? 2.0 / view->height : 1 / camera_tangent(view->fov);
    c.scale_x = (float)(tall / aspect);
    c.scale_y = (float)tall;
    camera_set_near_far(&c, &framed, bounds);
    return c;
}
