/* Cameras, the vertex stage of the clean look, clipping and lines, against plain computations in doubles. */
#include "harness.h"
#include "raster/pipeline_state.h"
#include "raster/vertex.h"
#include "support/numbers.h"
#include "support/render_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double random_from(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)(random_bits(seed) >> 11) / 9007199254740992.0;
}

/* ---- cameras ---- */

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void normalize(double *v)
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

/* Rows right, up and back; near and far hold the box with room of a fiftieth, near not before a thousandth of far. */
TEST(cameras_look_from_the_eye)
{
    uint64_t seed = 3;
    for (int round = 0; round < 60; round++) {
        double eye[3], target[3], up[3], back[3], right[3], low[3], high[3], nearest = 1e9, farthest = -1e9;
        for (int k = 0; k < 3; k++) {
            eye[k] = (float)random_from(&seed, -9, 9), target[k] = (float)random_from(&seed, -2, 2);
            up[k] = round % 2 ? (float)random_from(&seed, -1, 1) : k == 1;
            low[k] = (float)random_from(&seed, -5, 0), high[k] = (float)random_from(&seed, 0, 5);
            back[k] = eye[k] - target[k];
        }
        const trilo_bounds box = {{(float)low[0], (float)low[1], (float)low[2]},
                                  {(float)high[0], (float)high[1], (float)high[2]}};
        const trilo_view view = {
            .eye = {(float)eye[0], (float)eye[1], (float)eye[2]},
            .target = {(float)target[0], (float)target[1], (float)target[2]},
            .up = {round % 2 ? (float)up[0] : 0, round % 2 ? (float)up[1] : 0, round % 2 ? (float)up[2] : 0},
            .fov = round % 3 ? (float)random_from(&seed, 10, 150) : 0,
            .height = round % 5 == 0 ? 7.5f : 0};
        normalize(back);
        normalize(up);
        cross(up, back, right);
        normalize(right);
        cross(back, right, up);
        const double *rows[3] = {right, up, back};
        const tl_camera c = tl_camera_of(&view, &box, 1.5);
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                CHECK_NEAR((double)c.rotation[3 * k + i], rows[k][i], 1e-6);
            CHECK_NEAR((double)c.translation[k], -(rows[k][0] * eye[0] + rows[k][1] * eye[1] + rows[k][2] * eye[2]),
                       1e-5);
        }
        for (int i = 0; i < 8; i++) {
            double depth = 0;
            for (int k = 0; k < 3; k++)
                depth -= back[k] * ((i >> k & 1 ? high[k] : low[k]) - eye[k]);
            nearest = fmin(nearest, depth), farthest = fmax(farthest, depth);
        }
        const double room = (farthest - nearest) * 0.02 + 1e-6 * fabs(farthest);
        const bool flat = view.height > 0;
        const double far = flat || farthest + room > 1e-6 ? farthest + room : 1;
        const double near = flat ? nearest - room : fmax(nearest - room, far / 1000);
        CHECK_NEAR((double)c.far, far, 1e-4);
        CHECK_NEAR((double)c.near, near, 1e-4);
        CHECK_INT(c.orthographic, flat);
        const double angle = (view.fov > 0 ? (double)view.fov : 45) * 3.14159265358979 / 360;
        const double scale = flat ? 2 / 7.5 : 1 / tan(angle);
        CHECK_NEAR((double)c.scale_y, scale, 1e-5 * scale);
        CHECK_NEAR((double)c.scale_x, scale / 1.5, 1e-5 * scale);
    }
}

/* Straight down, up is where the model's back is; straight up, its front. */
TEST(cameras_straight_from_above_and_below)
{
    static const trilo_bounds box = {{-1, -1, -1}, {1, 1, 1}};
    for (int above = 0; above < 2; above++) {
        const trilo_view view = {.eye = {0, above ? 5.0f : -5.0f, 0}};
        const tl_camera c = tl_camera_of(&view, &box, 1);
        const float want[9] = {1, 0, 0, 0, 0, above ? -1.0f : 1.0f, 0, above ? 1.0f : -1.0f, 0};
        for (int i = 0; i < 9; i++)
            CHECK_NEAR((double)c.rotation[i], (double)want[i], 1e-6);
        CHECK_NEAR((double)c.near, 4 - 0.04, 1e-4);
        CHECK_NEAR((double)c.far, 6 + 0.04, 1e-4);
    }
}

/* Without a box near and far are 1 and 100, with room; those of the view count; far is behind near, and near not at 0.
 */
TEST(near_and_far)
{
    static const trilo_bounds none = {{1, 1, 1}, {-1, -1, -1}}, box = {{-1, -1, -1}, {1, 1, 1}};
    trilo_view view = {.eye = {0, 0, 10}};
    tl_camera c = tl_camera_of(&view, &none, 1);
    CHECK_NEAR((double)c.far, 100 + 99 * 0.02 + 1e-4, 1e-4);
    CHECK_NEAR((double)c.near, (100 + 99 * 0.02) / 1000, 1e-5);
    view.near_at = 3, view.far_at = 50;
    c = tl_camera_of(&view, &box, 1);
    CHECK(c.near == 3 && c.far == 50);
    view.near_at = 60; /* behind far */
    c = tl_camera_of(&view, &box, 1);
    CHECK(c.near == 60 && c.far == 121);
    view.near_at = 1e-9f;
    c = tl_camera_of(&view, &box, 1);
    CHECK_NEAR((double)c.near, 50e-6, 1e-9);
    view = (trilo_view){.eye = {0, 0, -10}, .target = {0, 0, -20}}; /* looks away from the box */
    c = tl_camera_of(&view, &box, 1);
    CHECK_NEAR((double)c.far, 1, 0);
    CHECK_NEAR((double)c.near, 0.001, 1e-9);
}

/* ---- the vertex stage ---- */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct stage_case {
    trilo_scene scene;
    trilo_light lights[12];
    tl_camera camera;
    tl_pipeline_state state;
    float position[3], normal[3], uv[2];
    uint8_t color[4];
    bool fog;
} stage_case;

static void random_case(uint64_t *seed, stage_case *c)
{
    *c = (stage_case){.fog = random_bits(seed) % 3 == 0};
    const double yaw = random_from(seed, -3, 3);
    c->camera =
        (tl_camera){.rotation = {(float)cos(yaw), 0, (float)-sin(yaw), 0, 1, 0, (float)sin(yaw), 0, (float)cos(yaw)},
                    .translation = {0.5f, -0.25f, -8},
                    .scale_x = 1.2f,
                    .scale_y = 1.6f,
                    .near = 1,
                    .far = 30,
                    .orthographic = random_bits(seed) % 4 == 0};
    c->scene.light_count = (uint32_t)(random_bits(seed) % 13);
    c->scene.lights = c->lights;
    for (uint32_t i = 0; i < c->scene.light_count; i++) {
        const uint64_t b = random_bits(seed);
        c->lights[i] =
            (trilo_light){.kind = (trilo_light_kind)(b % 5 % 3),
                          .color = {(uint8_t)(b >> 8 & 63), (uint8_t)(b >> 16 & 127), (uint8_t)(b >> 24),
                                    (uint8_t)(random_bits(seed) % 6 ? 0 : b >> 32)},
                          .direction = {(float)random_from(seed, -1, 1), 0.3f, (float)random_from(seed, -1, 1)},
                          .position = {(float)random_from(seed, -4, 4), (float)random_from(seed, -4, 4), 1},
                          .size = (float)random_from(seed, 0.5, 4),
                          .any_side = b >> 41 & 1,
                          .to_camera = b >> 42 & 1};
    }
    double n[3];
    for (int k = 0; k < 3; k++) {
        c->position[k] = (float)random_from(seed, -2, 2);
        n[k] = random_from(seed, -1, 1);
    }
    normalize(n);
    for (int k = 0; k < 4; k++)
        c->color[k] = (uint8_t)random_bits(seed);
    const double length = random_bits(seed) % 5 == 0 ? random_from(seed, 0.5, 3) : 1; /* of meshes that are not clean */
    for (int k = 0; k < 3; k++)
        c->normal[k] = (float)(n[k] * length);
    c->uv[0] = (float)random_from(seed, -2, 3), c->uv[1] = (float)random_from(seed, -2, 3);
    c->state = (tl_pipeline_state){.uses_shade = true,
                                   .unlit = random_bits(seed) % 6 == 0,
                                   .two_sided = random_bits(seed) % 3 == 0,
                                   .effect = (uint8_t)(random_bits(seed) % (TRILO_N64_EFFECT_UV_OFFSET + 1)),
                                   .effect_args = {32, 16},
                                   .uv_scale = {512, 1024},
                                   .uv_shift = {16, 8}};
}

/* How much light falls on the vertex, for each channel 0 to 255; a light's alpha counts if any has some. */
static bool light_of(const stage_case *c, double light[4])
{
    bool alpha = false;
    uint32_t counted = 0;
    for (int k = 0; k < 4; k++)
        light[k] = 0;
    for (uint32_t i = 0; i < c->scene.light_count; i++) {
        alpha |= c->lights[i].color[3] != 0;
        for (int k = 0; k < 4 && c->lights[i].kind == TRILO_LIGHT_KIND_AMBIENT; k++)
            light[k] = fmin(255, light[k] + c->lights[i].color[k]);
    }
    double n[3], at[3];
    for (int k = 0; k < 3; k++) {
        const float *row = c->camera.rotation + 3 * k;
        n[k] = (double)row[0] * (double)c->normal[0] + (double)row[1] * (double)c->normal[1] +
               (double)row[2] * (double)c->normal[2];
        at[k] = (double)row[0] * (double)c->position[0] + (double)row[1] * (double)c->position[1] +
                (double)row[2] * (double)c->position[2] + (double)c->camera.translation[k];
    }
    for (uint32_t i = 0; i < c->scene.light_count; i++) {
        const trilo_light *l = &c->lights[i];
        if (l->kind == TRILO_LIGHT_KIND_AMBIENT || counted++ >= 8)
            continue;
        const bool point = l->kind == TRILO_LIGHT_KIND_POINT;
        const double given[3] = {(double)(point ? l->position.x : l->direction.x),
                                 (double)(point ? l->position.y : l->direction.y),
                                 (double)(point ? l->position.z : l->direction.z)};
        double v[3], part = 1;
        for (int k = 0; k < 3; k++) { /* in view space */
            const float *row = c->camera.rotation + 3 * k;
            v[k] = l->to_camera ? given[k]
                                : (double)row[0] * given[0] + (double)row[1] * given[1] + (double)row[2] * given[2] +
                                      (point ? (double)c->camera.translation[k] : 0);
            v[k] -= point ? at[k] : 0;
        }
        const double distance = sqrt(dot(v, v));
        normalize(v);
        for (int k = 0; k < 3 && !point; k++)
            v[k] = trunc(v[k] * 127) / 128;
        if (point)
            part = fmin(1, pow((double)l->size / distance, 2));
        double cosine = point && l->any_side ? 1 : dot(v, n);
        cosine = c->state.two_sided ? fabs(cosine) : fmax(cosine, 0);
        for (int k = 0; k < 4; k++)
            light[k] = fmin(255.99, light[k] + l->color[k] * fmin(part * cosine, 1));
    }
    return alpha;
}

TEST(vertices_of_the_clean_look)
{
    uint64_t seed = 9;
    for (int round = 0; round < (TEST_EMULATED ? 200 : 1500); round++) {
        stage_case c;
        random_case(&seed, &c);
        const tl_screen screen = tl_screen_of(320, 240);
        tl_lights lights;
        tl_lights_set(&lights, &c.scene, &c.camera);
        const tl_stage stage = {&c.camera, &screen, &lights, &c.state, c.fog, 4, 12};
        tl_vertex v;
        tl_stage_vertex(&stage, &(tl_vertex_in){c.position, c.normal, c.color, c.uv}, &v);
        double light[4], want[4], view[3], n[3];
        const bool alpha = light_of(&c, light);
        for (int k = 0; k < 4; k++)
            want[k] = c.state.unlit || (k == 3 && !alpha) ? c.color[k] : c.color[k] * light[k] / 256;
        for (int k = 0; k < 3; k++) {
            const float *row = c.camera.rotation + 3 * k;
            view[k] = (double)row[0] * (double)c.position[0] + (double)row[1] * (double)c.position[1] +
                      (double)row[2] * (double)c.position[2] + (double)c.camera.translation[k];
            n[k] = (double)row[0] * (double)c.normal[0] + (double)row[1] * (double)c.normal[1] +
                   (double)row[2] * (double)c.normal[2];
        }
        double x = view[0] * 1.2, y = view[1] * 1.6, w = c.camera.orthographic ? 1 : -view[2];
        double s = (double)c.uv[0] * 512 - 16, t = (double)c.uv[1] * 1024 - 8;
        switch (c.state.effect) {
        case TRILO_N64_EFFECT_SPHERICAL_UV: /* half of the texture, in 32nds of texels: 512 and 256 */
            s = 512 * (1 + n[0] + x / w * n[2]);
            t = 256 * (1 - n[1] - y / w * 0.75 * n[2]);
            break;
        case TRILO_N64_EFFECT_CEL_SHADE_COLOR:
            s = 128 * fmax(want[0], fmax(want[1], want[2]));
            break;
        case TRILO_N64_EFFECT_CEL_SHADE_ALPHA:
            s = 128 * want[3];
            break;
        case TRILO_N64_EFFECT_OUTLINE: /* 8 and 4 pixels at 240 lines */
            x += n[0] * 8 / 160 * w;
            y += n[1] * 4 / 120 * w;
            break;
        case TRILO_N64_EFFECT_UV_OFFSET:
            s += 32, t += 16;
            break;
        default:
            break;
        }
        const bool cel =
            c.state.effect == TRILO_N64_EFFECT_CEL_SHADE_COLOR || c.state.effect == TRILO_N64_EFFECT_CEL_SHADE_ALPHA;
        if (c.fog) /* from 4 to 12 before the camera */
            want[3] = fmax(0, fmin(1, 1 - (-view[2] - 4) / 8)) * 255;
        CHECK_NEAR((double)v.s, s, cel ? 2 * 128 : 0.01);
        CHECK_NEAR((double)v.t, t, 0.01);
        CHECK_NEAR((double)v.x, x, 1e-4);
        CHECK_NEAR((double)v.y, y, 1e-4);
        CHECK_NEAR((double)v.w, w, 1e-5);
        CHECK_NEAR((double)v.z, (-view[2] - 1) / 29 * (c.camera.orthographic ? 1 : 30), 1e-4);
        for (int k = 0; k < 4; k++)
            CHECK_NEAR((double)v.shade[k], want[k] - 0.5, 2.5);
        tl_vertex again = v;
        tl_vertex_set_outcode(&screen, &again);
        CHECK_INT(v.outcode, again.outcode);
    }
}

/* Default lights: 96, and 176 from the upper left of the camera. A vertex without a colour is white; a rim light takes
 * its alpha from how far the normal points to the camera, but only of the default lights. */
TEST(default_lights_of_the_clean_look)
{
    const tl_camera camera = {.rotation = {0, 0, 1, 0, 1, 0, -1, 0, 0},
                              .scale_x = 1,
                              .scale_y = 1,
                              .near = 1,
                              .far = 9,
                              .translation = {0, 0, -5}};
    const tl_screen screen = tl_screen_of(320, 240);
    const float origin[3] = {0, 0, 0}, to_camera[3] = {-1, 0, 0}, away[3] = {1, 0, 0}, aslant[3] = {-0.6f, 0.8f, 0};
    const float *const normals[3] = {to_camera, away, aslant};
    const double length = sqrt(0.16 + 0.49 + 1),
                 cosines[3] = {trunc(127 / length) / 128, 0,
                               (0.6 * trunc(127 / length) + 0.8 * trunc(127 * 0.7 / length)) / 128};
    static const double facing[3] = {1, 0, 0.6};
    static const trilo_light white = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {255, 255, 255}};
    for (int i = 0; i < 3 * 3; i++) {
        const bool rim = i / 3 > 0, given = i / 3 > 1;
        const trilo_scene scene = {.lights = given ? &white : NULL, .light_count = given};
        const tl_pipeline_state state = {.uses_shade = true, .rim_light = rim};
        tl_lights lights;
        tl_vertex v;
        tl_lights_set(&lights, &scene, &camera);
        CHECK_INT(lights.is_default, !given);
        if (!given)
            CHECK(lights.ambient[0] == 96 && lights.ambient[1] == 96 && lights.ambient[2] == 96 &&
                  lights.ambient[3] == 0 && lights.count == 1 && lights.all[0].color[0] == 176 &&
                  lights.all[0].color[1] == 176 && lights.all[0].color[2] == 176 && lights.all[0].color[3] == 0);
        const tl_stage stage = {.camera = &camera, .screen = &screen, .lights = &lights, .state = &state};
        tl_stage_vertex(&stage, &(tl_vertex_in){.position = origin, .normal = normals[i % 3]}, &v);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR((double)v.shade[k], given ? 254 : fmin(255, 96 + 176 * cosines[i % 3]) * 255 / 256, 1.1);
        CHECK_NEAR((double)v.shade[3], rim && !given ? 255 * facing[i % 3] : 255, 1.1);
        CHECK(v.s == 0 && v.t == 0);
        tl_stage_vertex(&stage, &(tl_vertex_in){.position = origin}, &v); /* no normal, no light */
        for (int k = 0; k < 4; k++)
            CHECK_NEAR((double)v.shade[k], 255, 0);
    }
}

/* The rim is where the normal points away from the camera, wherever that looks. */
TEST(rims_of_any_camera)
{
    uint64_t seed = 15;
    const tl_screen screen = tl_screen_of(320, 240);
    const trilo_scene scene = {.lights = NULL};
    const tl_pipeline_state state = {.uses_shade = true, .rim_light = true};
    for (int round = 0; round < 100; round++) {
        double back[3], up[3] = {0, 1, 0}, right[3], n[3];
        for (int k = 0; k < 3; k++)
            back[k] = random_from(&seed, -1, 1), n[k] = random_from(&seed, -1, 1);
        normalize(back);
        normalize(n);
        cross(up, back, right);
        normalize(right);
        cross(back, right, up);
        tl_camera camera = {.translation = {0, 0, -5}, .scale_x = 1, .scale_y = 1, .near = 1, .far = 9};
        const float position[3] = {0, 0, 0}, normal[3] = {(float)n[0], (float)n[1], (float)n[2]};
        for (int k = 0; k < 3; k++)
            camera.rotation[k] = (float)right[k], camera.rotation[3 + k] = (float)up[k],
            camera.rotation[6 + k] = (float)back[k];
        tl_lights lights;
        tl_vertex v;
        tl_lights_set(&lights, &scene, &camera);
        const tl_stage stage = {.camera = &camera, .screen = &screen, .lights = &lights, .state = &state};
        tl_stage_vertex(&stage, &(tl_vertex_in){.position = position, .normal = normal}, &v);
        CHECK_NEAR((double)v.shade[3], 255 * fmax(0, dot(back, n)), 1.1);
        const double length = sqrt(0.16 + 0.49 + 1),
                     light[3] = {trunc(-0.4 / length * 127), trunc(0.7 / length * 127), trunc(127 / length)};
        const double cosine = (light[0] * dot(right, n) + light[1] * dot(up, n) + light[2] * dot(back, n)) / 128;
        CHECK_NEAR((double)v.shade[0], fmin(255, 96 + 176 * fmax(0, cosine)) * 255 / 256, 1.1);
    }
}

/* ---- clipping ---- */

TEST(outcodes_of_every_side)
{
    const tl_screen screen = tl_screen_of(320, 240);
    CHECK(screen.half_width == 160 && screen.half_height == 120);
    CHECK_NEAR((double)screen.guard, 2.0 * 16383 / 320 - 1, 1e-5);
    CHECK_NEAR((double)tl_screen_of(100, 400).guard, 2.0 * 16383 / 400 - 1, 1e-5);
    const float g = screen.guard * 2, beyond = nextafterf(g, INFINITY);
    const float values[] = {-beyond, -g, -2.5f, -2, -1, 0, 1, 2, 2.5f, g, beyond};
    for (int i = 0; i < 33; i++) {
        const float a = values[i % 11];
        float at[3] = {0, 0, 1};
        at[i / 11] = a;
        tl_vertex v = {.x = at[0], .y = at[1], .z = at[2], .w = 2};
        tl_vertex_set_outcode(&screen, &v);
        const uint32_t guard = i < 22 && (i % 11 == 0 || i % 11 == 10) ? TL_OUT_GUARD : 0;
        const uint32_t want = i < 11   ? (a < -2  ? TL_OUT_LEFT
                                          : a > 2 ? TL_OUT_RIGHT
                                                  : 0u)
                              : i < 22 ? (a < -2  ? TL_OUT_LOWER
                                          : a > 2 ? TL_OUT_UPPER
                                                  : 0u)
                                       : (a < 0   ? TL_OUT_NEAR
                                          : a > 2 ? TL_OUT_FAR
                                                  : 0u);
        CHECK_INT(v.outcode, want | guard);
        for (int k = 0; k < 4; k++) {
            tl_vertex odd = v;
            (&odd.x)[k] = k % 2 ? NAN : INFINITY;
            tl_vertex_set_outcode(&screen, &odd);
            CHECK_INT(odd.outcode, TL_OUT_INVALID);
        }
    }
}

static double plane_distance(const tl_screen *screen, const double *p, int plane)
{
    const double g = (double)screen->guard * p[3];
    return plane == 0   ? p[2]
           : plane == 1 ? p[3] - p[2]
           : plane < 4  ? g + (plane == 2 ? p[0] : -p[0])
                        : g + (plane == 4 ? p[1] : -p[1]);
}

/* s and t are barycentric coordinates: a point of the triangle is in the polygon if it is inside of every plane. */
TEST(clipped_triangles_hold_what_is_inside)
{
    const tl_screen screen = {.half_width = 160, .half_height = 120, .guard = 1.5f};
    uint64_t seed = 4;
    int clipped = 0;
    for (int round = 0; round < 300; round++) {
        tl_vertex corners[3], polygon[TL_POLYGON_MOST];
        for (int i = 0; i < 3; i++) {
            corners[i] = (tl_vertex){.x = (float)random_from(&seed, -9, 9),
                                     .y = (float)random_from(&seed, -9, 9),
                                     .z = (float)random_from(&seed, -2, 5),
                                     .w = (float)random_from(&seed, round % 4 ? 1 : -2, 6),
                                     .s = i == 1,
                                     .t = i == 2};
            for (int k = 0; k < 4; k++)
                corners[i].shade[k] = (float)(10 * k + 100 * (i == 1) + 50 * (i == 2));
        }
        const tl_vertex *given[3] = {&corners[0], &corners[1], &corners[2]};
        const int count = tl_clip_triangle(&screen, given, polygon);
        CHECK(count == 0 || (count >= 3 && count <= TL_POLYGON_MOST));
        clipped += count > 3;
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 4; k++) {
                const double s = (double)polygon[i].s, t = (double)polygon[i].t;
                CHECK_NEAR((double)polygon[i].shade[k], 10 * k + 100 * s + 50 * t, 1e-3);
                CHECK_NEAR((double)(&polygon[i].x)[k],
                           (double)(&corners[0].x)[k] * (1 - s - t) + (double)(&corners[1].x)[k] * s +
                               (double)(&corners[2].x)[k] * t,
                           1e-3);
            }
        for (int i = 0; i < 15 * 15; i++) {
            const double s = (i % 15 + 0.37) / 15, t = (i / 15 + 0.41) / 15;
            double p[4], least = 1e9;
            bool inside = count > 0;
            if (s + t > 0.99)
                continue;
            for (int k = 0; k < 4; k++)
                p[k] = (double)(&corners[0].x)[k] * (1 - s - t) + (double)(&corners[1].x)[k] * s +
                       (double)(&corners[2].x)[k] * t;
            for (int plane = 0; plane < 6; plane++)
                least = fmin(least, plane_distance(&screen, p, plane));
            for (int k = 0; k < count; k++) {
                const tl_vertex *a = &polygon[k], *b = &polygon[(k + 1) % count];
                inside &= ((double)b->s - (double)a->s) * (t - (double)a->t) -
                              ((double)b->t - (double)a->t) * (s - (double)a->s) >
                          0;
            }
            if (fabs(least) > 0.02)
                CHECK_INT(inside, least > 0);
        }
    }
    CHECK(clipped > 50);
}

TEST(clipped_lines_end_at_the_planes)
{
    const tl_screen screen = {.half_width = 160, .half_height = 120, .guard = 1.5f};
    uint64_t seed = 6;
    for (int round = 0; round < 500; round++) {
        double ends[2][4], first = 0, last = 1;
        tl_vertex v[2];
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 4; k++)
                ends[i][k] = (float)random_from(&seed, k == 3 ? 1 : k == 2 ? -2 : -9, k == 3 ? 6 : k == 2 ? 5 : 9);
            v[i] = (tl_vertex){.x = (float)ends[i][0],
                               .y = (float)ends[i][1],
                               .z = (float)ends[i][2],
                               .w = (float)ends[i][3],
                               .s = (float)i};
        }
        for (int plane = 0; plane < 6; plane++) {
            const double a = plane_distance(&screen, ends[0], plane), b = plane_distance(&screen, ends[1], plane);
            if (a < 0)
                first = fmax(first, b > 0 ? a / (a - b) : 2);
            if (b < 0)
                last = fmin(last, a > 0 ? a / (a - b) : -1);
        }
        if (fabs(first - last) < 1e-3)
            continue;
        const bool left = tl_clip_line(&screen, &v[0], &v[1]);
        CHECK_INT(left, first < last);
        for (int i = 0; i < 2 && left; i++) {
            const double part = i ? last : first;
            CHECK_NEAR((double)v[i].s, part, 1e-4);
            for (int k = 0; k < 4; k++)
                CHECK_NEAR((double)(&v[i].x)[k], ends[0][k] + (ends[1][k] - ends[0][k]) * part, 1e-3);
        }
    }
    tl_vertex good = {.w = 1}, bad = {.w = 1, .outcode = TL_OUT_INVALID};
    CHECK(!tl_clip_line(&screen, &good, &bad) && !tl_clip_line(&screen, &bad, &good));
}

/* ---- lines ---- */

enum { WIDE = 24, HIGH = 17 };

/* Level, upright and at 45 degrees, so that it is plain which pixels they cross; of `line` pixels' width. */
TEST(lines_cross_their_pixels)
{
    static uint8_t rgba[WIDE * HIGH][4], coverage[WIDE * HIGH + 4];
    static int32_t z[WIDE * HIGH + 4];
    uint64_t seed = 8;
    for (int round = 0; round < 400; round++) {
        const int kind = round % 3, console = round / 3 % 3, width = round / 9 % 4, thick = width ? width : 1;
        const double x = floor(random_from(&seed, -10, 30)) + 0.5, y = floor(random_from(&seed, -10, 25)) + 0.5,
                     length = floor(random_from(&seed, -20, 20));
        const bool on_top = round % 5 == 0;
        const int32_t behind = console ? 0x40000 / 2 : 0x800000;
        for (int i = 0; i < WIDE * HIGH; i++) {
            memcpy(rgba[i], (const uint8_t[4]){1, 2, 3, 4}, 4);
            coverage[i] = 2;
            z[i] = i % 7 == 0 ? 0 : console ? behind << 4 : behind; /* what is at 0 hides the line */
        }
        const tl_framebuffer f = {.width = WIDE,
                                  .height = HIGH,
                                  .rgba = rgba,
                                  .z = z,
                                  .line = (uint32_t)width,
                                  .coverage = console ? coverage : NULL,
                                  .color_32 = console == 2};
        /* a 2048th of the depth behind the surface is still before it */
        const float depth = (float)(behind + (console ? 0x40000 : 0xFFFFFF) / 2048) + (round % 4 == 3 ? 2.0f : -1.0f);
        const tl_corner a = {.x = (float)x, .y = (float)y, .z = depth}, b = {.x = (float)(x + (kind != 1 ? length : 0)),
                                                                             .y = (float)(y + (kind != 0 ? length : 0)),
                                                                             .z = depth};
        const tl_line line = {&a, &b, {201, 102, 53, 77}, on_top};
        if (kind == 2 && (x < 0 || y < 0 || x > WIDE || y > HIGH || x + length < 0 || y + length < 0 ||
                          x + length > WIDE || y + length > HIGH))
            continue; /* cut at the edge, its dots are between pixels */
        tl_draw_line(&f, &line);
        for (int i = 0; i < WIDE * HIGH; i++) {
            bool crossed = false;
            for (int n = 0; n <= abs((int)length); n++) {
                const int step = length < 0 ? -n : n;
                const int px = (int)floor(x) + (kind != 1 ? step : 0), py = (int)floor(y) + (kind != 0 ? step : 0);
                if (px < 0 || py < 0 || px >= WIDE || py >= HIGH) /* a line ends at the edge, dots and all */
                    continue;
                const int left = px - thick / 2, top = py - thick / 2;
                crossed |= i % WIDE >= left && i % WIDE < left + thick && i / WIDE >= top && i / WIDE < top + thick;
            }
            const bool seen = crossed && (on_top || (i % 7 != 0 && round % 4 != 3));
            const int mask = console == 1 ? 0xF8 : 0xFF;
            const uint8_t want[4] = {(uint8_t)(seen ? 201 & mask : 1), (uint8_t)(seen ? 102 & mask : 2),
                                     (uint8_t)(seen ? 53 & mask : 3), seen ? 255 : 4};
            /* beyond the last pixel a dot may stand at the very edge of the picture */
            const bool at_edge =
                i % WIDE <= thick || i % WIDE >= WIDE - 1 - thick || i / WIDE <= thick || i / WIDE >= HIGH - 1 - thick;
            if (memcmp(rgba[i], want, 4) != 0 && !at_edge)
                FAIL("round %d: pixel %d, %d", round, i % WIDE, i / WIDE);
            if (!at_edge)
                CHECK_INT(coverage[i], seen && console ? 7 : 2);
        }
    }
}

/* Level and upright lines from anywhere to anywhere cover all pixels between their ends, up to the very edges. */
TEST(thin_lines_reach_the_edges)
{
    static uint8_t rgba[WIDE * HIGH][4];
    static int32_t z[WIDE * HIGH];
    uint64_t seed = 16;
    const tl_framebuffer f = {.width = WIDE, .height = HIGH, .rgba = rgba, .z = z};
    for (int round = 0; round < 600; round++) {
        const bool upright = round % 2;
        const double from = floor(random_from(&seed, -20, 45)) + 0.25 * (round / 2 % 4),
                     to = floor(random_from(&seed, -20, 45)) + 0.25,
                     across = floor(random_from(&seed, -2, WIDE + 2)) + 0.5;
        const tl_corner a = {.x = (float)(upright ? across : from), .y = (float)(upright ? from : across)},
                        b = {.x = (float)(upright ? across : to), .y = (float)(upright ? to : across)};
        memset(rgba, 0, sizeof rgba);
        tl_draw_line(&f, &(tl_line){&a, &b, {9, 8, 7, 6}, true});
        for (int i = 0; i < WIDE * HIGH; i++) {
            const int along = upright ? i / WIDE : i % WIDE, beside = upright ? i % WIDE : i / WIDE;
            const bool crossed = beside == (int)floor(across) && along >= (int)floor(fmin(from, to)) &&
                                 along <= (int)floor(fmax(from, to));
            if (memcmp(rgba[i], crossed ? "\x09\x08\x07\xFF" : "\0\0\0\0", 4) != 0)
                FAIL("round %d: %g to %g at %g: pixel %d, %d", round, from, to, across, i % WIDE, i / WIDE);
        }
    }
}

/* Depth changes along a line: a part of it is hidden by a surface. 16 steps of 1000, a 2048th of the depth in favour.
 */
TEST(lines_go_behind_surfaces)
{
    static uint8_t rgba[WIDE * HIGH][4];
    static int32_t z[WIDE * HIGH];
    const tl_framebuffer f = {.width = WIDE, .height = HIGH, .rgba = rgba, .z = z};
    for (int surface = 0; surface < 30000; surface += 700)
        for (int turned = 0; turned < 2; turned++) {
            const tl_corner near = {.x = 2.5f, .y = 3.5f, .z = 10000}, far = {.x = 18.5f, .y = 3.5f, .z = 26000};
            memset(rgba, 0, sizeof rgba);
            for (int i = 0; i < WIDE * HIGH; i++)
                z[i] = surface;
            tl_draw_line(&f, &(tl_line){turned ? &far : &near, turned ? &near : &far, {255, 255, 255, 255}, false});
            for (int x = 0; x < WIDE; x++) {
                const int depth = 10000 + 1000 * (x - 2);
                CHECK_INT(rgba[3 * WIDE + x][0], x >= 2 && x <= 18 && depth - 0xFFFFFF / 2048 <= surface ? 255 : 0);
            }
        }
}

/* ---- overlays ---- */

/* Half a pixel, which is added to all places, so that none is between two. */
#define HALF (1.0f / 128)

static void check_pixel(const scene_picture *p, double x, double y, const uint8_t *color)
{
    x += (double)HALF, y += (double)HALF;
    const uint8_t *at = scene_at(p, (uint32_t)floor((x + 1) * 64), (uint32_t)floor((1 - y) * 64));
    if (memcmp(at, color, 3) != 0)
        FAIL("at %g, %g: %d %d %d", x, y, at[0], at[1], at[2]);
}

/* 128 pixels for 2 units. Bones from joint to joint, crosses of a hundredth of the diagonal at them; boxes of a tree,
 * and normals of a fiftieth of the diagonal. */
TEST(overlays_have_their_colors)
{
    static scene_model s;
    static scene_picture p;
    static const uint8_t bone[3] = {255, 220, 60}, joint[3] = {255, 90, 60}, inner[3] = {80, 120, 255},
                         leaf[3] = {90, 230, 90}, normal[3] = {80, 200, 255}, black[3] = {0, 0, 0};
    trilo_scene scene = scene_plain();
    trilo_node nodes[2] = {{.parent = TRILO_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
                           {.parent = 0, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 16; k++)
            nodes[i].local.m[k] = k % 5 == 0;
    nodes[0].local.m[12] = nodes[0].translation.x = -0.5f + HALF;
    nodes[0].local.m[13] = nodes[0].translation.y = 0.25f + HALF;
    nodes[1].local.m[12] = nodes[1].translation.x = 1;
    static const trilo_bvh_node boxes[2] = {
        {.bounds = {{-0.75f + HALF, -0.5f + HALF, 0}, {0.75f + HALF, 0.5f + HALF, 0}}, .count = 0},
        {.bounds = {{-0.25f + HALF, -0.25f + HALF, 0}, {0.25f + HALF, 0.25f + HALF, 0}}, .count = 2}};
    const trilo_bvh bvh = {.node_count = 2, .nodes = boxes};
    scene_make(&s, 1);
    s.model.nodes = nodes, s.model.node_count = 2;
    s.model.bvh = &bvh;
    s.meshes[0].node = 0;
    scene.show = TRILO_SHOW_BONES | TRILO_SHOW_NO_FACES;
    scene_draw(&s, &scene, 128, 128, &p);
    for (double x = -0.4; x < 0.45; x += 0.1)
        check_pixel(&p, x, 0.25, bone);
    check_pixel(&p, 0, 0.22, black);
    check_pixel(&p, -0.5, 0.25 + 0.02, joint); /* 0.028 long */
    check_pixel(&p, -0.5, 0.25 - 0.02, joint);
    check_pixel(&p, -0.52, 0.25, joint);
    check_pixel(&p, -0.5, 0.25 + 0.05, black);
    check_pixel(&p, -0.55, 0.25, black);
    check_pixel(&p, 0.52, 0.25, joint);
    check_pixel(&p, 0.55, 0.25, black);
    scene.show = TRILO_SHOW_BVH | TRILO_SHOW_NO_FACES;
    scene_draw(&s, &scene, 128, 128, &p);
    for (int side = -1; side <= 1; side += 2) {
        check_pixel(&p, side * 0.75, 0.1, inner);
        check_pixel(&p, 0.3, side * 0.5, inner);
        check_pixel(&p, side * 0.25, 0.1, leaf);
        check_pixel(&p, 0.1, side * 0.25, leaf);
    }
    check_pixel(&p, 0, 0, black);
    for (int c = 0; c < 4; c++) { /* to the right, from a smaller square */
        for (int k = 0; k < 2; k++)
            s.positions[0][c][k] = s.positions[0][c][k] / 2 + HALF;
        s.normals[0][c][0] = 1, s.normals[0][c][2] = 0;
    }
    nodes[0].local.m[12] = nodes[0].local.m[13] = nodes[0].translation.x = nodes[0].translation.y = 0;
    scene.show = TRILO_SHOW_NORMALS | TRILO_SHOW_NO_FACES;
    scene_draw(&s, &scene, 128, 128, &p);
    for (int i = 0; i < 4; i++) { /* 0.028 long: two pixels */
        const double x = i % 2 ? 0.5 : -0.5, y = i / 2 ? 0.5 : -0.5;
        check_pixel(&p, x, y, normal);
        check_pixel(&p, x + 0.02, y, normal);
        check_pixel(&p, x + 0.05, y, black);
        check_pixel(&p, x - 0.02, y, black);
    }
}

/* A box seen from above and from the side at once has all of its twelve edges in the picture, over the faces. */
TEST(boxes_have_twelve_edges)
{
    static scene_model s;
    static scene_picture p;
    static const trilo_bvh_node box = {.bounds = {{-0.5f, -0.25f, -0.375f}, {0.25f, 0.5f, 0.125f}}, .count = 1};
    const trilo_bvh bvh = {.node_count = 1, .nodes = &box};
    /* x right and a quarter of z, y up and half of z */
    trilo_scene scene = scene_plain();
    scene.view.use_matrix = true;
    scene.view.matrix = (trilo_mat4){{1, 0, 0, 0, 0, 1, 0, 0, 0.25f, 0.5f, 1, 0, 0, 0, -5, 1}};
    scene.show = TRILO_SHOW_BVH;
    scene_make(&s, 1);
    s.model.bvh = &bvh;
    scene_draw(&s, &scene, 128, 128, &p);
    const double low[3] = {-0.5, -0.25, -0.375}, high[3] = {0.25, 0.5, 0.125};
    for (int edge = 0; edge < 12; edge++)
        for (int n = 1; n < 8; n++) {
            const int along = edge / 4;
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = k == along                           ? low[k] + (high[k] - low[k]) * n / 8
                        : edge >> (k == (along + 1) % 3) & 1 ? high[k]
                                                             : low[k];
            const double x = (at[0] + 0.25 * at[2] + 1) * 64, y = (1 - at[1] - 0.5 * at[2]) * 64;
            bool found = false; /* or beside it, where it is between two pixels */
            for (int k = 0; k < 9; k++)
                found |=
                    memcmp(scene_at(&p, (uint32_t)(x + k % 3 - 1), (uint32_t)(y + k / 3 - 1)), "\x5A\xE6\x5A", 3) == 0;
            if (!found)
                FAIL("edge %d at %g, %g", edge, x, y);
        }
}

/* ---- second textures ---- */

/* The coordinates of an emissive map, from those of the first texture: the transform of KHR_texture_transform (scale,
 * then rotation, then offset), in the map's own texels, less half of one where they are filtered. */
TEST(coordinates_of_an_emissive_map)
{
    static const uint8_t pixels[64 * 64][4];
    uint64_t seed = 12;
    for (int round = 0; round < 60; round++) {
        const uint32_t sizes[2][2] = {{1u << random_bits(&seed) % 7, 1u << random_bits(&seed) % 7},
                                      {1u << random_bits(&seed) % 7, 1u << random_bits(&seed) % 7}};
        const bool nearest = round % 3 == 0, moved = round % 4 != 0;
        const trilo_image images[2] = {{sizes[0][0], sizes[0][1], pixels}, {sizes[1][0], sizes[1][1], pixels}};
        const trilo_texture textures[2] = {{.nearest = nearest}, {.nearest = nearest}};
        trilo_pbr pbr = {.emissive = {1, 1, 1}};
        trilo_map *map = &pbr.maps[TRILO_MAP_KIND_EMISSIVE];
        *map = (trilo_map){.used = true,
                           .texture = 1,
                           .moved = moved,
                           .rotation = (float)random_from(&seed, -3, 3),
                           .scale = {(float)random_from(&seed, 0.5, 2), (float)random_from(&seed, 0.5, 2)},
                           .offset = {(float)random_from(&seed, -1, 1), (float)random_from(&seed, -1, 1)}};
        const trilo_material material = {.base_color = {1, 1, 1, 1}, .texture = 0, .pbr = &pbr};
        const trilo_model model = {
            .materials = &material, .material_count = 1, .textures = textures, .texture_count = 2};
        const trilo_image emission = images[1];
        const tl_textures all = {.model = &model, .images = images, .emission = &emission, .none = images[0]};
        const trilo_scene scene = {.seed = 0};
        tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
        const tl_pipeline_state state = tl_pipeline_state_of(&rdp, &all, &material);
        CHECK(state.second.used);
        const double half = nearest ? 0 : 16;
        for (int i = 0; i < 5; i++) {
            const double uv[2] = {random_from(&seed, -2, 2), random_from(&seed, -2, 2)};
            const double c = moved ? cos((double)map->rotation) : 1, n = moved ? sin((double)map->rotation) : 0;
            const double scaled[2] = {uv[0] * (moved ? (double)map->scale[0] : 1),
                                      uv[1] * (moved ? (double)map->scale[1] : 1)};
            const double to[2] = {c * scaled[0] + n * scaled[1] + (moved ? (double)map->offset[0] : 0),
                                  -n * scaled[0] + c * scaled[1] + (moved ? (double)map->offset[1] : 0)};
            double first[2];
            for (int k = 0; k < 2; k++) {
                first[k] = uv[k] * (double)state.uv_scale[k] - (double)state.uv_shift[k];
                /* as fine as the texture with more texels, up to 1024 times */
                const uint32_t finer = sizes[1][k] > sizes[0][k] ? sizes[1][k] : sizes[0][k];
                CHECK_NEAR((double)state.uv_scale[k], 32.0 * finer, 0);
                CHECK_NEAR((double)state.uv_shift[k], half * finer / sizes[0][k], 0);
            }
            for (int k = 0; k < 2; k++)
                CHECK_NEAR((double)state.second.by[k][0] * first[0] + (double)state.second.by[k][1] * first[1] +
                               (double)state.second.at_origin[k],
                           to[k] * 32 * sizes[1][k] - half, 0.05);
        }
    }
}

TEST_MAIN(CASE(cameras_look_from_the_eye), CASE(cameras_straight_from_above_and_below), CASE(near_and_far),
          CASE(vertices_of_the_clean_look), CASE(outcodes_of_every_side), CASE(clipped_triangles_hold_what_is_inside),
          CASE(clipped_lines_end_at_the_planes), CASE(lines_cross_their_pixels), CASE(thin_lines_reach_the_edges),
          CASE(lines_go_behind_surfaces), CASE(overlays_have_their_colors), CASE(coordinates_of_an_emissive_map),
          CASE(boxes_have_twelve_edges), CASE(default_lights_of_the_clean_look), CASE(rims_of_any_camera))
