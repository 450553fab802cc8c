/* The console's vertex stage against an implementation of its own, in integers where the console has them, from the
 * formulas that docs/render.md refers to. */
#include "harness.h"
#include "raster/console/vertex.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

/* ---- the RSP's numbers ---- */

static int64_t sat16(int64_t value)
{
    return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
}

static int64_t mulr(int64_t a, int64_t b)
{
    return sat16((2 * a * b + 0x8000) >> 16);
}

static int leading_zeros(uint32_t value)
{
    int zeros = 0;
    while (zeros < 31 && !(value >> (31 - zeros) & 1))
        zeros++;
    return zeros;
}

static uint32_t reciprocal(uint32_t value)
{
    const int n = leading_zeros(value);
    const uint64_t i = (uint64_t)value << (n + 1) >> 23 & 0x1FF;
    const uint64_t entry = i == 0 ? 0xFFFF : (((UINT64_C(1) << 34) / (i + 512) + 1) >> 8) & 0xFFFF;
    return (uint32_t)((0x10000 | entry) << 14 >> (31 - n));
}

static uint32_t inverse_root(uint32_t value)
{
    const int h = leading_zeros(value);
    uint64_t i = ((uint64_t)value << (h + 1) >> 23 & 0x1FE) | (uint64_t)(h & 1);
    const uint64_t a = (i + 512) >> (i & 1);
    uint64_t b = (uint64_t)sqrt((double)(UINT64_C(1) << 44) / (double)a) + 2;
    while (a * b * b >= UINT64_C(1) << 44)
        b--;
    return (uint32_t)((0x10000 | (b >> 1 & 0xFFFF)) << 14 >> ((31 - h) >> 1));
}

TEST(reciprocals_of_many_numbers)
{
    uint64_t seed = 1;
    for (int i = 0; i < 3000; i++) {
        const uint32_t value = (uint32_t)(random_bits(&seed) >> (32 + i % 32));
        const uint32_t near = 1u << i % 32, number = i < 96 ? near + (uint32_t)(i / 32) - 1 : value;
        if (number == 0)
            continue;
        CHECK_INT(tl_rsp_reciprocal(number), reciprocal(number));
        CHECK_INT(tl_rsp_inverse_square_root(number), inverse_root(number));
    }
    CHECK_INT(tl_rsp_reciprocal(0), 0x7FFFFFFF);
}

/* ---- the whole stage ---- */

/* A view: words of s16.16, and what the lights and the fog are. */
typedef struct reference {
    int64_t model_view[3][4], to_clip[4][4]; /* rows */
    int64_t normals[3][3];                   /* columns */
    int64_t k, sx, sy, dz;
    double scale, near, far;
} reference;

static int64_t word(double value)
{
    return (int64_t)(value * 65536); /* cut towards 0 */
}

static reference reference_of(const tl_camera *c, int width, int height)
{
    reference r = {.scale = c->model_scale};
    r.near = c->near * r.scale, r.far = c->far * r.scale;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            r.model_view[row][column] = word(c->rotation[3 * row + column]) * word(r.scale) / 65536;
        r.model_view[row][3] = word(c->translation[row] * r.scale);
    }
    const int64_t factors[3] = {word(c->scale_x), word(c->scale_y), word(-r.far / (r.far - r.near))};
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            r.to_clip[row][column] = (r.model_view[row][column] * factors[row]) >> 16;
        r.to_clip[3][column] = -r.model_view[2][column];
    }
    r.to_clip[2][3] += word(-2 * r.far * r.near / (r.far - r.near));
    for (int column = 0; column < 3; column++) {
        int64_t squares = 0;
        for (int row = 0; row < 3; row++)
            squares += (r.model_view[row][column] * r.model_view[row][column]) >> 16;
        const int64_t u = inverse_root((uint32_t)squares) >> 9;
        for (int row = 0; row < 3; row++)
            r.normals[column][row] = sat16(2 * ((r.model_view[row][column] * u) >> 16));
    }
    r.k = (int64_t)floor(131070 / (r.near + r.far) + 0.5);
    r.sx = (1024 * width * r.k + 65534) / 65535;
    r.sy = 1024 * height * r.k / 65535;
    r.dz = 128 * r.k < 32767 ? 128 * r.k : 32767;
    return r;
}

static void random_scene(uint64_t *seed, trilo_scene *scene, trilo_light *lights, tl_camera *camera)
{
    const double yaw = (double)(random_bits(seed) >> 40) / 1e6, pitch = (double)(random_bits(seed) >> 40) / 1e6;
    static const float scales[] = {1, 1, 0.4f, 7.3f, 2};
    *camera =
        (tl_camera){.rotation = {(float)cos(yaw), 0, (float)-sin(yaw), (float)(sin(pitch) * sin(yaw)),
                                 (float)cos(pitch), (float)(sin(pitch) * cos(yaw)), (float)(cos(pitch) * sin(yaw)),
                                 (float)-sin(pitch), (float)(cos(pitch) * cos(yaw))},
                    .translation = {(float)(random_bits(seed) >> 56) - 128.3f, (float)(random_bits(seed) >> 57) - 64.7f,
                                    -200.37f - (float)(random_bits(seed) >> 55)},
                    .scale_x = 1.31f,
                    .scale_y = 1.74f,
                    .near = 20 + (float)(random_bits(seed) >> 59),
                    .far = 500 + (float)(random_bits(seed) >> 53),
                    .model_scale = scales[random_bits(seed) % 5]};
    const uint64_t bits = random_bits(seed);
    *scene = (trilo_scene){.lights = lights, .light_count = (uint32_t)(bits % 14)};
    scene->console.exposure = bits >> 8 & 1 ? 0 : (float)(bits >> 9 & 7) / 2.7f;
    scene->console.lighting = (bits >> 12 & 3) == 0 ? TRILO_LIGHTING_MODE_ADD : TRILO_LIGHTING_MODE_MULTIPLY;
    scene->fog = (trilo_fog){.enabled = (bits >> 14 & 3) != 0,
                             .begin = bits >> 16 & 1 ? 150.25f : 0,
                             .end = bits >> 16 & 1 ? 150 + (float)(bits >> 20 & 511) : 0};
    for (uint32_t i = 0; i < scene->light_count; i++) {
        const uint64_t b = random_bits(seed), d = random_bits(seed);
        static const float sizes[] = {30, 200, 900, 5000, 4095};
        lights[i] = (trilo_light){
            .kind = (trilo_light_kind)(i % 3),
            .to_camera = (b & 3) == 0,
            .any_side = (b >> 2 & 3) == 0,
            .size = sizes[(b >> 4) % 5],
            .color = {(uint8_t)(b >> 20), (uint8_t)(b >> 28), (uint8_t)(b >> 36 & 63),
                      (uint8_t)(bits >> 30 & 1 ? b >> 44 & 31 : 0)},
            .direction = {(float)(d & 255) - 127.5f, (float)(d >> 8 & 255) - 100.5f, (float)(d >> 16 & 255)},
            .position = {(float)(d >> 24 & 1023) - 512, (float)(d >> 34 & 1023) - 500.4f,
                         (float)(d >> 44 & 1023) - 700.2f}};
    }
}

/* Light on a vertex at `at` (view space), 15 bits. */
static void light_of(const reference *r, const trilo_scene *scene, const tl_camera *c, const double at[3],
                     const int64_t n[3], bool two_sided, int64_t light[4])
{
    bool alpha = false;
    int counted = 0;
    for (int k = 0; k < 4; k++)
        light[k] = 0;
    for (uint32_t i = 0; i < scene->light_count; i++) { /* the ambient ones come first */
        alpha |= scene->lights[i].color[3] != 0;
        for (int k = 0; k < 4 && scene->lights[i].kind == TRILO_LIGHT_KIND_AMBIENT; k++)
            light[k] = sat16(light[k] + scene->lights[i].color[k] * 128);
    }
    for (uint32_t i = 0; i < scene->light_count; i++) {
        const trilo_light *l = &scene->lights[i];
        if (l->kind == TRILO_LIGHT_KIND_AMBIENT || counted++ >= 7)
            continue;
        const bool point = l->kind == TRILO_LIGHT_KIND_POINT;
        const trilo_vec3 given = point ? l->position : l->direction;
        double v[3] = {given.x, given.y, given.z}, part = 1, length = 0;
        int64_t direction[3], sum = 0;
        for (int k = 0; k < 3 && !l->to_camera; k++) {
            const float *row = c->rotation + 3 * k;
            v[k] = (double)row[0] * given.x + (double)row[1] * given.y + (double)row[2] * given.z +
                   (point ? (double)c->translation[k] : 0);
        }
        for (int k = 0; k < 3 && point; k++) { /* quarters, within 8192; from here on the way to it */
            const double quarter = floor(v[k] * r->scale * 4 + 0.5) / 4;
            v[k] = fmax(fmin(quarter, 8192), -8192) - at[k];
        }
        for (int k = 0; k < 3; k++)
            length += v[k] * v[k];
        length = sqrt(length);
        if (point) {
            const double size = floor(fmin(l->size * r->scale, 4096) * 65535 / 8192) * 8192 / 65535;
            const double far = fmin(length, 2896);
            part = size < 2 * far ? size / (2 * far) * (size / (2 * far)) : 1;
        }
        for (int k = 0; k < 3; k++) {
            direction[k] = point ? sat16((int64_t)(v[k] / length * 32768)) : (int64_t)(v[k] / length * 127) * 256;
            sum += mulr(n[k], direction[k]);
        }
        sum = point && l->any_side ? 32767 : two_sided && sum < 0 ? -sum : sum;
        for (int k = 0; k < 4 && sum > 0; k++)
            light[k] = sat16(light[k] + ((2 * (int64_t)(l->color[k] * 128 * part) * sum + 0x8000) >> 16));
    }
    if (!alpha)
        light[3] = scene->console.lighting == TRILO_LIGHTING_MODE_ADD ? 0 : 32767;
}

static int64_t fog_of(const reference *r, const trilo_fog *fog, double z)
{
    const bool given = fog->begin != 0 || fog->end != 0;
    const double begin = given ? fog->begin * r->scale : r->near, end = given ? fog->end * r->scale : r->far;
    const int64_t s = (int64_t)floor(16384 / (end - begin > 1.5 ? end - begin : 1.5)),
                  v = sat16((int64_t)floor(z - 2 * begin));
    return fog->enabled ? (sat16(32767 - sat16(v * s)) * 2 & 0xFFFF) >> 8 : 255;
}

static void check_vertex(const reference *r, const trilo_scene *scene, const tl_camera *camera,
                         const tl_console_view *view, const tl_pipeline_state *state, const float p[3],
                         const float normal[3], const uint8_t color[4], const float uv[2])
{
    enum { W = 320, H = 240 };
    int32_t packed[4];
    int64_t n[3], light[4] = {32767, 32767, 32767, 32767}, lit[4];
    double clip[4], at[3];
    tl_console_vertex v = {.s = -1};
    tl_console_pack_normal(normal, packed);
    tl_console_vertices_transform_any(view, (const float(*)[3])p, 1, &v);
    tl_console_vertex_shade(view, state, &(tl_console_vertex_in){p, packed, color, uv}, &v);
    for (int row = 0; row < 4; row++) {
        const int64_t *m = r->to_clip[row];
        clip[row] =
            ((double)m[0] * (double)p[0] + (double)m[1] * (double)p[1] + (double)m[2] * (double)p[2] + (double)m[3]) /
            65536;
        CHECK_NEAR((&v.x)[row], clip[row], 1e-6);
    }
    if (!(clip[3] > 1))
        return;
    const uint32_t ws = (uint32_t)(((uint64_t)(v.w * 65536) * (uint64_t)r->k) >> 16), iw = reciprocal(ws);
    const double inverse = iw * ((double)r->k / 2147483648.0);
    int64_t x = (int64_t)floor(2 * W + v.x * inverse * ((double)r->sx * 128 / (double)r->k)),
            y = (int64_t)floor(2 * H - v.y * inverse * ((double)r->sy * 128 / (double)r->k));
    const double z = floor(16383 + v.z * inverse * ((double)r->dz * 128 / (double)r->k));
    CHECK_INT(v.scaled_w, ws);
    CHECK_INT(v.inverse_w, iw);
    CHECK_INT(v.depth, z < 0 ? 0 : z > 32767 ? 32767 : z);
    for (int k = 0; k < 3; k++) {
        const int64_t *m = r->model_view[k];
        at[k] =
            ((double)m[0] * (double)p[0] + (double)m[1] * (double)p[1] + (double)m[2] * (double)p[2] + (double)m[3]) /
            65536;
        n[k] = sat16((0x8000 + 2 * (r->normals[0][k] * packed[0] + r->normals[1][k] * packed[1] +
                                    r->normals[2][k] * packed[2])) >>
                     16);
    }
    if (!state->unlit)
        light_of(r, scene, camera, at, n, state->two_sided, light);
    const int64_t exposure = scene->console.exposure > 0 ? (int64_t)(128 * scene->console.exposure) : 128;
    for (int k = 0; k < 4; k++) {
        const int64_t own = color[k] * 128;
        const int64_t c =
            scene->console.lighting == TRILO_LIGHTING_MODE_ADD ? sat16(own + light[k]) : mulr(own, light[k]);
        lit[k] = sat16((c >> 7) * exposure);
        const int64_t want = k == 3 && state->fog ? fog_of(r, &scene->fog, v.z) : lit[k] >> 7;
        if (v.shade[k] != want)
            FAIL("channel %d is %d instead of %d", k, v.shade[k], (int)want);
    }
    CHECK_INT(v.lit_alpha, lit[3] >> 7);
    int64_t s = (int64_t)floorf(uv[0] * state->uv_scale[0] - state->uv_shift[0] + 0.5f),
            t = (int64_t)floorf(uv[1] * state->uv_scale[1] - state->uv_shift[1] + 0.5f);
    const int64_t a0 = (int64_t)state->effect_args[0], a1 = (int64_t)state->effect_args[1], q = 0x2A00 / W;
    const int64_t right = (x > 0 ? x : 0) - 2 * W, down = (y > 0 ? y : 0) - 2 * H;
    const int64_t dx = (right < 2 * W ? right : 2 * W) * q, dy = (down < 2 * H ? down : 2 * H) * q;
    switch (state->effect) {
    case TRILO_N64_EFFECT_SPHERICAL_UV:
        s = mulr(n[0], 16 * a0) + 16 * a0 + mulr(mulr(dx, n[2]), 16 * a0);
        t = mulr(n[1], -16 * a1) + 16 * a0 + mulr(mulr(dy, n[2]), 16 * a0);
        break;
    case TRILO_N64_EFFECT_CEL_SHADE_COLOR:
        s = lit[0];
        break;
    case TRILO_N64_EFFECT_CEL_SHADE_ALPHA:
        s = lit[3];
        break;
    case TRILO_N64_EFFECT_OUTLINE:
        x += (n[0] * a0 + 0x4000) >> 15;
        y += (-n[1] * a1 + 0x4000) >> 15;
        break;
    case TRILO_N64_EFFECT_UV_OFFSET:
        s += a0, t += a1;
        break;
    default:
        break;
    }
    CHECK_INT(v.s, s);
    CHECK_INT(v.t, t);
    CHECK_INT(v.screen_x, x);
    CHECK_INT(v.screen_y, y);
}

TEST(vertices_are_those_of_the_formulas)
{
    uint64_t seed = 77;
    for (int round = 0; round < (TEST_EMULATED ? 60 : 250); round++) {
        trilo_scene scene;
        trilo_light lights[14];
        tl_camera camera;
        random_scene(&seed, &scene, lights, &camera);
        const reference r = reference_of(&camera, 320, 240);
        const tl_console_view view = tl_console_view_of(&camera, &scene, 320, 240);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                CHECK_INT(view.normal_matrix[c][k], r.normals[c][k]);
        CHECK(view.viewport.k == r.k && view.viewport.scale_x == r.sx && view.viewport.scale_y == r.sy &&
              view.viewport.scale_z == r.dz);
        for (int i = 0; i < 6; i++) {
            const uint64_t b = random_bits(&seed), d = random_bits(&seed);
            tl_pipeline_state state = {.uses_shade = true,
                                       .uv_scale = {32 * 24, 32 * 16},
                                       .uv_shift = {i % 2 ? 16.0f : 0, i % 2 ? 16.0f : 0},
                                       .effect = (uint8_t)(b % 7 <= TRILO_N64_EFFECT_UV_OFFSET ? b % 7 : 0),
                                       .effect_args = {32, 48},
                                       .unlit = (b >> 8 & 7) == 0,
                                       .two_sided = (b >> 11 & 3) == 0,
                                       .fog = b >> 13 & 1};
            const float p[3] = {(float)(d & 255) - 128.25f, (float)(d >> 8 & 255) - 127.6f,
                                (float)(d >> 16 & 255) - 100.9f};
            const uint8_t color[4] = {(uint8_t)(d >> 24), (uint8_t)(d >> 32), (uint8_t)(d >> 40), (uint8_t)(d >> 48)};
            const float uv[2] = {(float)(b >> 20 & 1023) / 300 - 1, (float)(b >> 30 & 1023) / 200 - 2};
            double n[3] = {(double)(b >> 40 & 255) - 127.5, (double)(b >> 48 & 255) - 127.5, (double)(d >> 56) - 127.5};
            const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 0.9;
            const float normal[3] = {(float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length)};
            check_vertex(&r, &scene, &camera, &view, &state, p, normal, color, uv);
        }
    }
}

/* A light at the vertex, one on the other side of the limits, and the rim of the default lights. */
TEST(odd_lights)
{
    trilo_light light = {
        .kind = TRILO_LIGHT_KIND_POINT, .color = {200, 100, 50}, .to_camera = true, .size = 10, .any_side = true};
    const trilo_scene scene = {.lights = &light, .light_count = 1}, plain = {.lights = NULL};
    const tl_camera camera = {
        .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .scale_x = 1, .scale_y = 1, .near = 100, .far = 200, .model_scale = 1};
    tl_pipeline_state state = {.uses_shade = true, .rim_light = true};
    const float at[3] = {0, 0, -300};
    const int32_t up[4] = {0, 31 << 10, 0, 0}, back[4] = {0, 0, -16 * 2048, 0}, front[4] = {0, 0, 15 << 11, 0};
    light.position = (trilo_vec3){0, 0, -300}; /* all of it: 200 << 7 by 32767, rounded, white by that */
    tl_console_view view = tl_console_view_of(&camera, &scene, 320, 240);
    tl_console_vertex v = {.z = 0};
    tl_console_vertex_shade(&view, &state, &(tl_console_vertex_in){at, up, NULL, NULL}, &v);
    CHECK_INT(v.shade[0], 199);
    CHECK_INT(v.shade[1], 99);
    CHECK_INT(v.shade[3], 254); /* no rim: the lights are given */
    light.any_side = false;     /* from where it is, it has no direction */
    view = tl_console_view_of(&camera, &scene, 320, 240);
    tl_console_vertex_shade(&view, &state, &(tl_console_vertex_in){at, up, NULL, NULL}, &v);
    CHECK_INT(v.shade[0], 0);
    light = (trilo_light){.kind = TRILO_LIGHT_KIND_POINT,
                          .color = {255, 255, 255},
                          .to_camera = true,
                          .size = 9000,
                          .position = {9000, -9000, 8191.9f}};
    view = tl_console_view_of(&camera, &scene, 320, 240);
    CHECK_NEAR(view.lights[0].position[0], 8192, 0);
    CHECK_NEAR(view.lights[0].position[1], -8192, 0);
    CHECK_NEAR(view.lights[0].position[2], 8192, 0); /* the nearest quarter */
    CHECK_NEAR(view.lights[0].size, 32767 * 8192.0 / 65535, 1e-9);
    /* Beyond 2896 a light fades no further. */
    light.any_side = true, light.position = (trilo_vec3){0, 4000, -300};
    for (int size = 1000; size < 4200; size += 5) {
        light.size = (float)size;
        view = tl_console_view_of(&camera, &scene, 320, 240);
        tl_console_vertex_shade(&view, &state, &(tl_console_vertex_in){at, up, NULL, NULL}, &v);
        const double stored = floor((size < 4096 ? size : 4096) * 65535 / 8192.0) * 8192 / 65535;
        const int64_t arrives = (int64_t)(255 * 128 * (stored / 5792) * (stored / 5792));
        CHECK_INT(v.shade[0], mulr(255 * 128, (2 * arrives * 32767 + 0x8000) >> 16) >> 7);
    }
    /* Default lights: 96 and 176 from the upper left of the camera; alpha is how far the normal points to it. */
    view = tl_console_view_of(&camera, &plain, 320, 240);
    CHECK(view.light_count == 1 && view.default_lights && !view.light_alpha);
    const double length = sqrt(0.16 + 0.49 + 1);
    CHECK(view.lights[0].direction[0] == (int)(-0.4 / length * 127) * 256 &&
          view.lights[0].direction[1] == (int)(0.7 / length * 127) * 256 &&
          view.lights[0].direction[2] == (int)(1 / length * 127) * 256);
    for (int k = 0; k < 3; k++)
        CHECK(view.ambient[k] == 96 << 7 && view.lights[0].color[k] == 176 << 7);
    tl_console_vertex_shade(&view, &state, &(tl_console_vertex_in){at, front, NULL, NULL}, &v);
    CHECK_INT(v.shade[3], mulr(255 << 7, 30719) >> 7); /* 15/16 after its matrix */
    tl_console_vertex_shade(&view, &state, &(tl_console_vertex_in){at, back, NULL, NULL}, &v);
    CHECK_INT(v.shade[3], 0);
    state.rim_light = false;
    tl_console_vertex_shade(&view, &state, &(tl_console_vertex_in){at, back, NULL, NULL}, &v);
    CHECK_INT(v.shade[3], 254);
    /* Without colour, normal and coordinates. */
    v = (tl_console_vertex){.s = 9, .t = 9};
    tl_console_vertex_shade(&view, &state, &(tl_console_vertex_in){at, NULL, NULL, NULL}, &v);
    CHECK(v.s == 0 && v.t == 0 && v.shade[0] == 254 && v.shade[3] == 254 && v.shaded);
}

/* Normals have 5, 6 and 5 bits: steps of 1/16, 1/32 and 1/16, rounded, -1 but not 1. */
TEST(normals_have_16_bits)
{
    for (int i = -2100; i <= 2100; i += 3) {
        const float x = (float)i / 2048;
        int32_t out[4];
        tl_console_pack_normal((const float[3]){x, x, x}, out);
        const double limited = x < -1 ? -1 : x > 1 ? 1 : x;
        const int five = (int)floor(limited * 16 + 0.5), six = (int)floor(limited * 32 + 0.5);
        CHECK_INT(out[0], (five < 16 ? five : 15) * 2048);
        CHECK_INT(out[1], (six < 32 ? six : 31) * 1024);
        CHECK_INT(out[2], (five < 16 ? five : 15) * 2048);
    }
}

/* An orthographic camera keeps w at 1, and a depth from -1 to 1. */
TEST(orthographic_views_are_not_rounded)
{
    const tl_camera camera = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                              .translation = {3, 4, 5},
                              .scale_x = 0.01f,
                              .scale_y = 0.02f,
                              .near = 10,
                              .far = 50,
                              .model_scale = 2,
                              .orthographic = true};
    const trilo_scene scene = {.seed = 0};
    const tl_console_view view = tl_console_view_of(&camera, &scene, 320, 240);
    const float p[3] = {1, -2, -30};
    tl_console_vertex v;
    tl_console_vertices_transform_any(&view, &p, 1, &v);
    CHECK_NEAR(v.x, 0.01 * 4, 1e-7);
    CHECK_NEAR(v.y, 0.02 * 2, 1e-7);
    CHECK_NEAR(v.w, 1, 0);
    CHECK_NEAR(v.z, 2 * (25.0 - 10) / 40 - 1, 1e-9); /* 25 before the camera */
    CHECK_INT(view.viewport.k, 128);                 /* 131070 / 1024 */
}

/* ---- near, far and scale ---- */

TEST(ranges_by_hand)
{
    static const uint32_t sizes[][3] = {{320, 240, 20}, {1, 1, 20},     {321, 240, 0},
                                        {640, 480, 40}, {240, 400, 25}, {1600, 1, 100}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        CHECK_NEAR(tl_viewport_range_least(sizes[i][0], sizes[i][1]), sizes[i][2] ? sizes[i][2] : 321 / 16.0, 0);
    CHECK_INT(tl_viewport_of(64, 64, 131070).scale_x, 2); /* k = 1: 65536 / 65535, rounded up */
    CHECK_INT(tl_viewport_of(64, 64, 131070).scale_y, 1);
    static const struct {
        float near, far;   /* of the camera */
        bool chosen;       /* by the scene */
        float given_scale; /* 0: none */
        bool fits;
        float want_near, scale;
    } cases[] = {
        /* 2FN / (2F + N) = 0.8, a twentieth of far 0.1; 2.1 * 256 = 537.6 is the first from 500 on */
        {1, 2, false, 0, true, 0.1f, 256},
        {50, 1000, false, 0, true, 100000.0f / 2050, 1},
        {80, 1000, false, 0, true, 50, 1},
        {2.5f, 97.5f, false, 0, true, 487.5f / 197.5f, 8}, /* 99.97 is below 100; 4 * 99.97 below 500 */
        {2.6f, 97.5f, false, 0, true, 507.0f / 197.6f, 1}, /* 100.07 */
        {400, 7600, false, 0, true, 380, 1},               /* 7980 */
        {400, 7700, false, 0, true, 385, 0.0625f},         /* 8085 / 8 is above 1000 */
        {5, 15, true, 0, true, 5, 1},
        {5, 14.5f, true, 0, true, 5, 32},
        {140, 262000, true, 0, true, 140, 1},
        {141, 262000, true, 0, true, 141, 1.0f / 512},
        {5, 5, true, 2, true, 5, 2},
        {4.875f, 5, true, 2, false, 4.875f, 2},
        {70, 131000, true, 2, true, 70, 2},
        {71, 131000, true, 2, false, 71, 2},
        {71, 131000, true, -1, true, 71, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tl_camera camera = {.near = cases[i].near, .far = cases[i].far};
        trilo_scene scene = {.console = {.model_scale = cases[i].given_scale}};
        if (cases[i].chosen)
            scene.view.near_at = cases[i].near, scene.view.far_at = cases[i].far;
        CHECK_INT(tl_console_camera(&camera, &scene, 320, 240), cases[i].fits);
        CHECK_NEAR((double)camera.near, (double)cases[i].want_near, 1e-5);
        CHECK_NEAR((double)camera.far, (double)cases[i].far, 0);
        CHECK_NEAR((double)camera.model_scale, (double)cases[i].scale, 0);
        camera = (tl_camera){.near = 1, .far = 2, .orthographic = true};
        CHECK(tl_console_camera(&camera, &scene, 320, 240) && camera.near == 1);
        CHECK_NEAR((double)camera.model_scale, cases[i].given_scale > 0 ? (double)cases[i].given_scale : 1, 0);
    }
}

/* ---- sides ---- */

/* On a side is inside; what is behind the camera is cut by near. */
TEST(codes_of_every_side)
{
    static const double values[] = {-201, -200, -199, -101, -100, -99, 0, 99, 100, 101, 199, 200, 201};
    for (int i = 0; i < 13 * 3; i++) {
        const double a = values[i % 13];
        double at[3] = {0, 0, 0};
        at[i / 13] = a;
        tl_console_vertex v = {.x = at[0], .y = at[1], .z = at[2], .w = 100};
        tl_console_outcodes(&v);
        static const uint8_t above[3] = {TL_SIDE_RIGHT, TL_SIDE_UPPER, TL_SIDE_FAR},
                             below[3] = {TL_SIDE_LEFT, TL_SIDE_LOWER, TL_SIDE_NEAR};
        CHECK_INT(v.outside, a > 100 ? above[i / 13] : a < -100 ? below[i / 13] : 0);
        CHECK_INT(v.clip, a > 200 && i < 26 ? above[i / 13] : a < -200 ? below[i / 13] : 0);
    }
    tl_console_vertex v = {.w = 0};
    tl_console_outcodes(&v);
    CHECK(v.outside == 0 && v.clip == TL_SIDE_NEAR);
}

/* From 1e9 on, and what is no number, a coordinate is not valid; four at a time, too. */
TEST(coordinates_that_are_not_valid)
{
    static const float values[] = {999999936.0f, 1e9f, 1000000064.0f, INFINITY, NAN, 0};
    for (int i = 0; i < 6 * 3 * 2; i++) {
        const float value = i / 18 ? -values[i % 6] : values[i % 6];
        tl_console_view view = {.viewport = tl_viewport_of(320, 240, 1000)};
        float positions[4][3] = {{0}};
        tl_console_vertex one[4], four[4];
        for (int k = 0; k < 4; k++) {
            view.to_clip[k][k] = 1;
            positions[k][i / 6 % 3] = value;
        }
        view.to_clip[3][3] = 100; /* w */
        tl_console_vertices_transform_any(&view, (const float(*)[3])positions, 4, one);
        view.avx2 = tl_has_avx2();
        tl_console_vertices_transform(&view, (const float(*)[3])positions, 4, four);
        for (int k = 0; k < 4; k++) {
            CHECK_INT(one[k].invalid, i % 6 > 0 && i % 6 < 5);
            CHECK_INT(four[k].invalid, one[k].invalid);
        }
    }
}

TEST_MAIN(CASE(reciprocals_of_many_numbers), CASE(vertices_are_those_of_the_formulas), CASE(odd_lights),
          CASE(normals_have_16_bits), CASE(orthographic_views_are_not_rounded), CASE(ranges_by_hand),
          CASE(codes_of_every_side), CASE(coordinates_that_are_not_valid))
