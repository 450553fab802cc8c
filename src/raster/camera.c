/* Where the camera stands, and how it stands so that all is seen. */
#include "raster/camera.h"

#include "base/bytes.h"
#include "base/trig.h"

#include <math.h>

#define FOV_DEFAULT 45
/* Room around a model that is framed. */
#define MARGIN 1.06

typedef struct vec {
    double x, y, z;
} vec;

static vec vec_of(trilo_vec3 v)
{
    return (vec){v.x, v.y, v.z};
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec unit(vec v, vec otherwise)
{
    const double length = sqrt(dot(v, v));
    if (!(length > 1e-30 && length < 1e30))
        return otherwise;
    return (vec){v.x / length, v.y / length, v.z / length};
}

/* ---- the axes of a camera ---- */

typedef struct axes {
    vec right, up, back; /* back is towards the eye */
} axes;

static axes axes_of(vec back, vec up)
{
    axes a = {.back = unit(back, (vec){0, 0, 1})};
    vec right = cross(unit(up, (vec){0, 1, 0}), a.back);
    if (!(dot(right, right) > 1e-10)) /* straight from above or below */
        right = cross((vec){0, 0, a.back.y > 0 ? -1 : 1}, a.back);
    a.right = unit(right, (vec){1, 0, 0});
    a.up = cross(a.back, a.right);
    return a;
}

static axes axes_at(double azimuth, double elevation)
{
    const double turn = azimuth * (TL_PI / 180), lift = elevation * (TL_PI / 180);
    const double flat = tl_cos(lift);
    const vec right = {tl_cos(turn), 0, -tl_sin(turn)};
    const vec back = {flat * tl_sin(turn), tl_sin(lift), flat * tl_cos(turn)};
    return (axes){right, cross(back, right), back};
}

static vec corner(const trilo_bounds *b, int which)
{
    return (vec){which & 1 ? b->max.x : b->min.x, which & 2 ? b->max.y : b->min.y, which & 4 ? b->max.z : b->min.z};
}

static bool is_box(const trilo_bounds *b)
{
    const float sum = b->min.x + b->min.y + b->min.z + b->max.x + b->max.y + b->max.z;
    return tl_is_finite(sum) && b->min.x <= b->max.x && b->min.y <= b->max.y && b->min.z <= b->max.z;
}

static double tangent_of(double fov)
{
    const double half = (fov > 0 && fov < 179 ? fov : FOV_DEFAULT) * (TL_PI / 360);
    return tl_sin(half) / tl_cos(half);
}

/* ---- framing ---- */

static double finite_or(double value, double otherwise)
{
    return value > -1e6 && value < 1e6 ? value : otherwise;
}

trilo_view trilo_view_frame(const trilo_bounds *bounds, double azimuth, double elevation, double fov, double aspect)
{
    static const trilo_bounds unit_box = {{-1, -1, -1}, {1, 1, 1}};
    const trilo_bounds *box = is_box(bounds) ? bounds : &unit_box;
    const axes a = axes_at(finite_or(azimuth, 0), finite_or(elevation, 0));
    const vec low = vec_of(box->min), high = vec_of(box->max);
    const vec middle = {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
    const double tall = tangent_of(fov), wide = tall * (aspect > 0 && aspect < 1e6 ? aspect : 4.0 / 3);
    double distance = 0;
    for (int i = 0; i < 8; i++) {
        vec c = corner(box, i);
        c = (vec){c.x - middle.x, c.y - middle.y, c.z - middle.z};
        const double across = fabs(dot(c, a.right)) * MARGIN / wide, along = fabs(dot(c, a.up)) * MARGIN / tall;
        const double needed = (across > along ? across : along) + dot(c, a.back);
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

/* ---- the camera of a view ---- */

static void camera_place(tl_camera *c, const axes *a, vec eye)
{
    const vec rows[3] = {a->right, a->up, a->back};
    for (int k = 0; k < 3; k++) {
        c->turn[3 * k] = (float)rows[k].x;
        c->turn[3 * k + 1] = (float)rows[k].y;
        c->turn[3 * k + 2] = (float)rows[k].z;
        c->move[k] = (float)-dot(rows[k], eye);
    }
}

static void camera_take(tl_camera *c, const trilo_mat4 *matrix)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            c->turn[3 * k + i] = matrix->m[4 * i + k];
        c->move[k] = matrix->m[12 + k];
    }
}

/* So near and so far that everything is seen, and no nearer than a thousandth of that: depth has 24 bits. */
static void camera_reach(tl_camera *c, const trilo_view *view, const trilo_bounds *bounds)
{
    double nearest = 1e30, farthest = -1e30;
    for (int i = 0; i < 8 && is_box(bounds); i++) {
        const vec at = corner(bounds, i);
        const double deep = -(c->turn[6] * at.x + c->turn[7] * at.y + c->turn[8] * at.z + c->move[2]);
        nearest = deep < nearest ? deep : nearest;
        farthest = deep > farthest ? deep : farthest;
    }
    if (!(nearest <= farthest))
        nearest = 1, farthest = 100;
    const double room = (farthest - nearest) * 0.02 + 1e-6 * fabs(farthest);
    farthest = c->parallel || farthest + room > 1e-6 ? farthest + room : 1;
    nearest -= room;
    if (!c->parallel && nearest < farthest / 1000)
        nearest = farthest / 1000;
    c->far = view->far_at > 0 ? view->far_at : (float)farthest;
    c->near = view->near_at > 0 ? view->near_at : (float)nearest;
    if (!c->parallel && !(c->near > c->far * 1e-6f)) /* 1 / w stays a number */
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
    tl_camera c = {.parallel = view->height > 0};
    if (view->use_matrix) {
        camera_take(&c, &view->matrix);
    } else {
        const vec eye = vec_of(framed.eye), target = vec_of(framed.target);
        const axes a = axes_of((vec){eye.x - target.x, eye.y - target.y, eye.z - target.z}, vec_of(framed.up));
        camera_place(&c, &a, eye);
    }
    const double tall = c.parallel ? 2.0 / view->height : 1 / tangent_of(view->fov);
    c.scale_x = (float)(tall / aspect);
    c.scale_y = (float)tall;
    camera_reach(&c, &framed, bounds);
    return c;
}
