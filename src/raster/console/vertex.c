/* Light, effects and fog of a vertex, in the fixed point of Tiny3D's microcode. Fractions have 15
 * bits: 32768 is 1. */
#include "raster/console/vertex.h"
#include "base/strict_float.h"

#include "base/bytes.h"
#include "base/float4.h"
#include "raster/vector.h"
#include "raster/vertex.h"

#include <math.h>

/* ---- fixed point ---- */

static inline int32_t rsp_saturate(int64_t value)
{
    return value < -32768 ? -32768 : value > 32767 ? 32767 : (int32_t)value;
}

/* A product of fractions, rounded. */
static int32_t rsp_multiply(int32_t a, int32_t b)
{
    const int32_t product = (a * b + 0x4000) >> 15;
    return product < 32767 ? product : 32767;
}

/* An entry of a matrix, s16.16, cut towards 0. */
static double rsp_matrix_entry(double value)
{
    return trunc(value * 65536) / 65536;
}

/* ---- before the first vertex ---- */

/* A column of the model-view matrix made unit length, as the microcode does it. */
static void view_normal_column(tl_console_view *view, int column)
{
    int64_t v[3], squares = 0;
    for (int row = 0; row < 3; row++) {
        const double entry = view->model_view[row][column] * 65536; /* a word of the console's matrix */
        v[row] = (int64_t)fmax(INT32_MIN, fmin(entry, INT32_MAX));
        squares += (v[row] * v[row]) >> 16;
    }
    const uint32_t q = squares > 0xFFFFFFFF ? 0xFFFFFFFF : (uint32_t)squares;
    const int64_t factor = tl_rsp_inverse_square_root(q) >> 9;
    for (int row = 0; row < 3; row++)
        view->normal_matrix[column][row] = rsp_saturate(2 * ((v[row] * factor) >> 16));
}

static void view_add_light(tl_console_view *view, const trilo_light *from, const tl_camera *camera)
{
    view->light_alpha = view->light_alpha || from->color[3] != 0;
    if (from->kind == TRILO_LIGHT_KIND_AMBIENT) {
        for (int k = 0; k < 4; k++)
            view->ambient[k] = rsp_saturate(view->ambient[k] + (from->color[k] << 7));
        return;
    }
    if (view->light_count == TL_CONSOLE_LIGHTS_MOST)
        return;
    tl_console_light *to = &view->lights[view->light_count++];
    view->has_point_light = view->has_point_light || from->kind == TRILO_LIGHT_KIND_POINT;
    *to = (tl_console_light){.point = from->kind == TRILO_LIGHT_KIND_POINT, .any_side = from->any_side};
    for (int k = 0; k < 4; k++)
        to->color[k] = from->color[k] << 7;
    const float *given = to->point ? &from->position.x : &from->direction.x;
    double v[3] = {given[0], given[1], given[2]}, length = 0;
    if (!from->to_camera)
        for (int k = 0; k < 3; k++) {
            const float *row = camera->rotation + 3 * k;
            v[k] = (double)row[0] * given[0] + (double)row[1] * given[1] + (double)row[2] * given[2] +
                   (to->point ? (double)camera->translation[k] : 0);
        }
    for (int k = 0; k < 3; k++)
        length += v[k] * v[k];
    length = length > 0 ? sqrt(length) : 1;
    for (int k = 0; k < 3; k++) {
        const double quarter = floor(v[k] * view->scale * 4 + 0.5) / 4;
        to->direction[k] = (int32_t)(v[k] / length * 127) * 256;
        to->position[k] = quarter < -8192 ? -8192 : quarter > 8192 ? 8192 : quarter;
    }
    const double size = from->size * view->scale;
    to->size = floor((size < 4096 ? size : 4096) * 65535 / 8192) * 8192 / 65535;
}

static void view_set_lights(tl_console_view *view, const trilo_scene *scene, const tl_camera *camera)
{
    uint32_t count;
    const trilo_light *given = tl_scene_lights(scene, &count);
    view->default_lights = !scene->lights;
    for (uint32_t i = 0; i < count; i++)
        view_add_light(view, &given[i], camera);
}

static void view_set_fog(tl_console_view *view, const trilo_fog *fog)
{
    const bool given = fog->begin != 0 || fog->end != 0;
    const double begin = given ? fog->begin * view->scale : view->near,
                 end = given ? fog->end * view->scale : view->far;
    view->fog_range = fog->enabled;
    view->fog_begin = begin;
    view->fog_factor = (int32_t)(16384 / (end - begin > 1.5 ? end - begin : 1.5));
}

tl_console_view tl_console_view_of(const tl_camera *camera, const trilo_scene *scene, uint32_t width, uint32_t height)
{
    const trilo_console *console = &scene->console;
    tl_console_view view = {.avx2 = tl_has_avx2(), .orthographic = camera->orthographic, .scale = camera->model_scale};
    const double scale = rsp_matrix_entry(view.scale);
    view.near = camera->near * view.scale;
    view.far = camera->far * view.scale;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            view.model_view[row][column] =
                rsp_matrix_entry(rsp_matrix_entry(camera->rotation[3 * row + column]) * scale);
        view.model_view[row][3] = rsp_matrix_entry(camera->translation[row] * view.scale);
    }
    for (int column = 0; column < 3; column++)
        view_normal_column(&view, column);
    /* The microcode multiplies matrices in s16.16. Tiny3D's models are seen in perspective; the other is not rounded.
     */
    const double depth = view.far - view.near, to_screen = camera->orthographic ? view.scale : 1;
    const double factors[3] = {camera->scale_x / to_screen, camera->scale_y / to_screen,
                               camera->orthographic ? -2 / depth : -view.far / depth};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            const double entry =
                view.model_view[row][column] * (camera->orthographic ? factors[row] : rsp_matrix_entry(factors[row]));
            view.to_clip[column][row] = camera->orthographic ? entry : floor(entry * 65536) / 65536;
        }
    for (int column = 0; column < 4; column++) /* w is the distance */
        view.to_clip[column][3] = camera->orthographic ? column == 3 : -view.model_view[2][column];
    view.to_clip[3][2] +=
        camera->orthographic ? -(view.far + view.near) / depth : rsp_matrix_entry(-2 * view.far * view.near / depth);
    view.viewport = tl_viewport_of(width, height, camera->orthographic ? 1024 : view.near + view.far);
    view.add_light = console->lighting == TRILO_LIGHTING_MODE_ADD;
    view.exposure = console->exposure > 0 ? (int32_t)(128 * (console->exposure < 255 ? console->exposure : 255)) : 128;
    view_set_lights(&view, scene, camera);
    view_set_fog(&view, &scene->fog);
    return view;
}

/* As numbers of steps of 1/16, 1/32 and 1/16, which do not reach 1 itself. */
void tl_console_pack_normal(const float normal[3], int32_t out[4])
{
    static const float given_ones[4] = {16, 32, 16, 0};
    const tl_int4 ones = {16, 32, 16, 0};
    const float given[4] = {normal[0], normal[1], normal[2], 0};
    const tl_float4 limited = tl_float4_min(tl_float4_max(tl_float4_load(given), tl_float4_all(-1)), tl_float4_all(1));
    float from_zero[4];
    tl_float4_store(from_zero,
                    tl_float4_add(tl_float4_mul(tl_float4_add(limited, tl_float4_all(1)), tl_float4_load(given_ones)),
                                  tl_float4_all(0.5f)));
    tl_int4 rounded = tl_int4_of_floats(from_zero);
    rounded += rounded == 2 * ones; /* less 1 */
    tl_int4_store(out, tl_int4_multiply_16(rounded - ones, (tl_int4){2048, 1024, 2048, 0}));
}

/* ---- light ---- */

/* Of a point light: where it is from here, and how much of it arrives. */
static double light_point(const tl_console_light *light, const double position[3], int32_t direction[3])
{
    double to[3], squares = 0;
    for (int k = 0; k < 3; k++) {
        to[k] = light->position[k] - position[k];
        squares += to[k] * to[k];
    }
    const double distance = sqrt(squares), counted = distance < 2896 ? distance : 2896; /* its square has 23 bits */
    for (int k = 0; k < 3; k++)
        direction[k] = rsp_saturate((int64_t)(distance > 0 ? to[k] / distance * 32768 : 0));
    const double part = light->size < 2 * counted ? light->size / (2 * counted) : 1;
    return part * part;
}

/* The sum of products of fractions, each rounded. */
TL_ALWAYS_INLINE int32_t console_light_cosine(tl_int4 normal, tl_int4 direction)
{
    const tl_int4 products = tl_int4_least((tl_int4_multiply_16(normal, direction) + 0x4000) >> 15, 32767);
    return products[0] + products[1] + products[2];
}

/* Adds a light to the four colours of a sum. */
TL_ALWAYS_INLINE tl_int4 light_add(const tl_console_light *light, const double position[3], tl_int4 normal,
                                   bool two_sided, tl_int4 sum)
{
    tl_int4 direction = tl_int4_load(light->direction), color = tl_int4_load(light->color);
    if (light->point) {
        int32_t point_direction[4] = {0, 0, 0, 0};
        const double part = light_point(light, position, point_direction);
        for (int k = 0; k < 4; k++)
            color[k] = (int32_t)(light->color[k] * part);
        direction = tl_int4_load(point_direction);
    }
    int32_t cosine = 32767;
    if (!light->point || !light->any_side)
        cosine = console_light_cosine(normal, direction);
    cosine = two_sided && cosine < 0 ? -cosine : cosine;
    if (cosine <= 0)
        return sum;
    return tl_int4_least(sum + (tl_int4)(((tl_uint4)color * (uint32_t)cosine + 0x4000) >> 15), 32767);
}

/* The light on a vertex, 15 bits. */
TL_ALWAYS_INLINE tl_int4 vertex_light(const tl_console_view *view, const tl_pipeline_state *state,
                                      const double position[3], tl_int4 normal)
{
    tl_int4 sum = tl_int4_load(view->ambient);
    for (uint32_t i = 0; i < view->light_count; i++)
        sum = light_add(&view->lights[i], position, normal, state->two_sided, sum);
    if (!view->light_alpha)
        sum[3] = view->add_light ? 0 : 32767;
    if (state->rim_light && view->default_lights)
        sum[3] = normal[2] > 0 ? normal[2] : 0;
    return sum;
}

/* The colour of a vertex from its own and the light, 15 bits: the microcode's result before its last shift. */
TL_ALWAYS_INLINE tl_int4 vertex_color(const tl_console_view *view, tl_int4 own, tl_int4 light)
{
    const tl_int4 color =
        view->add_light ? tl_int4_least(own + light, 32767) : (tl_int4_multiply_16(own, light) + 0x4000) >> 15;
    return view->exposure == 128 ? color >> 7 << 7 : tl_int4_least((color >> 7) * view->exposure, 32767);
}

/* A normal turned by the rotation. The sum of three products has more than 32 bits, so their upper and lower bits are
 * added by themselves. */
TL_ALWAYS_INLINE tl_int4 vertex_normal(const tl_console_view *view, const int32_t normal[4])
{
    tl_int4 upper = {0, 0, 0, 0}, lower = {0x4000, 0x4000, 0x4000, 0x4000};
    for (int k = 0; k < 3; k++) {
        const tl_int4 one = {normal[k], normal[k], normal[k], normal[k]};
        const tl_int4 product = tl_int4_multiply_16(tl_int4_load(view->normal_matrix[k]), one);
        upper += product >> 15;
        lower += product & 0x7FFF;
    }
    return tl_int4_saturate_16(upper + (lower >> 15));
}

/* ---- effects ---- */

tl_spherical_uv tl_spherical_uv_of(const tl_viewport *viewport, const tl_pipeline_state *state)
{
    return (tl_spherical_uv){0x2A00 / viewport->width, rsp_saturate(16 * (int64_t)(int32_t)state->effect_args[0]),
                             rsp_saturate(-16 * (int64_t)(int32_t)state->effect_args[1])};
}

static void effect_spherical(const tl_viewport *viewport, const tl_pipeline_state *state, const int32_t normal[3],
                             tl_console_vertex *v)
{
    const tl_spherical_uv uv = tl_spherical_uv_of(viewport, state);
    const int32_t half_width = 2 * viewport->width, half_height = 2 * viewport->height;
    const int32_t x = (v->screen_x > 0 ? v->screen_x : 0) - half_width;
    const int32_t y = (v->screen_y > 0 ? v->screen_y : 0) - half_height;
    const int32_t dx = rsp_saturate((int64_t)(x < half_width ? x : half_width) * uv.factor);
    const int32_t dy = rsp_saturate((int64_t)(y < half_height ? y : half_height) * uv.factor);
    v->s = rsp_multiply(normal[0], uv.wide) + uv.wide + rsp_multiply(rsp_multiply(dx, normal[2]), uv.wide);
    v->t = rsp_multiply(normal[1], uv.tall) + uv.wide + rsp_multiply(rsp_multiply(dy, normal[2]), uv.wide);
}

void tl_console_vertex_effect(const tl_viewport *viewport, const tl_pipeline_state *state, const int32_t normal[3],
                              const int32_t color[4], tl_console_vertex *v)
{
    const int32_t a0 = (int32_t)state->effect_args[0], a1 = (int32_t)state->effect_args[1];
    switch (state->effect) {
    case TRILO_N64_EFFECT_SPHERICAL_UV:
        effect_spherical(viewport, state, normal, v);
        break;
    case TRILO_N64_EFFECT_CEL_SHADE_COLOR: /* red alone, although the microcode's source has the brightest channel */
        v->s = color[0];
        break;
    case TRILO_N64_EFFECT_CEL_SHADE_ALPHA:
        v->s = color[3];
        break;
    case TRILO_N64_EFFECT_OUTLINE:
        v->screen_x += (normal[0] * a0 + 0x4000) >> 15;
        v->screen_y += (-normal[1] * a1 + 0x4000) >> 15;
        break;
    case TRILO_N64_EFFECT_UV_OFFSET:
        v->s += a0;
        v->t += a1;
        break;
    default:
        break;
    }
}

/* Fog at a vertex, 16 bits. The upper ones are its alpha. */
static uint32_t fog_value(const tl_console_view *view, double z)
{
    if (!view->fog_range)
        return 0xFFFE;
    const int64_t v = (int64_t)fmin(fmax(floor(z - 2 * view->fog_begin), -32768), 32767); /* -32768 if it overflows */
    return (uint32_t)rsp_saturate(32767 - rsp_saturate(v * view->fog_factor)) * 2 & 0xFFFF;
}

/* What else the microcode writes there: it stores 16 bits of fog, over alpha and the upper byte of s, or, when fog is
 * off, over s alone, which an effect that writes s repairs. */
void tl_console_outline_uvs(const tl_console_view *view, const tl_pipeline_state *state, tl_console_vertex *vertices,
                            uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i += 2)
        for (uint32_t k = 0; k < 2; k++) {
            const uint8_t *c = vertices[i + 1 - k].shade;
            tl_console_vertex *v = &vertices[i + k];
            uint32_t s = (uint32_t)(c[0] >> k << 8 | c[1] >> k);
            if (state->fog_mode == TRILO_N64_FOG_ON)
                s = (fog_value(view, v->z) & 0xFF) << 8 | (s & 0xFF);
            else if (state->fog_mode == TRILO_N64_FOG_OFF)
                s = fog_value(view, v->z);
            v->s = (int16_t)(uint16_t)s;
            v->t = (int16_t)(uint16_t)(c[2] >> k << 8 | vertices[i + 1 - k].lit_alpha >> k);
        }
}

/* ---- a vertex ---- */

/* Two floats, and zeros. */
TL_ALWAYS_INLINE tl_float4 vertex_pair(const float from[2])
{
    float pair[4] = {0, 0, 0, 0};
    memcpy(pair, from, 2 * sizeof *from);
    return tl_float4_load(pair);
}

/* s and t in 1/32 texel, rounded; what 24 bits do not hold becomes the nearest that they do. */
TL_ALWAYS_INLINE void vertex_texture_coordinates(const tl_pipeline_state *state, const float uv[2],
                                                 tl_console_vertex *out)
{
    const tl_float4 half = tl_float4_all(0.5f), least = tl_float4_all(-8388608), most = tl_float4_all(8388608);
    const tl_float4 scaled =
        tl_float4_sub(tl_float4_mul(vertex_pair(uv), vertex_pair(state->uv_scale)), vertex_pair(state->uv_shift));
    float limited[4];
    tl_float4_store(limited, tl_float4_min(tl_float4_max(tl_float4_add(scaled, half), least), most));
    const tl_int4 coordinates = tl_int4_floor(limited);
    out->s = coordinates[0];
    out->t = coordinates[1];
}

void tl_console_vertex_shade(const tl_console_view *view, const tl_pipeline_state *state,
                             const tl_console_vertex_in *in, tl_console_vertex *out)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    tl_int4 normal = {0, 0, 0, 0}, light = {32767, 32767, 32767, 32767};
    if (in->normal)
        normal = vertex_normal(view, in->normal);
    if (in->normal && !state->unlit) {
        double at[3] = {0, 0, 0};
        for (int k = 0; view->has_point_light && k < 3; k++) {
            const double *row = view->model_view[k];
            at[k] = row[0] * in->position[0] + row[1] * in->position[1] + row[2] * in->position[2] + row[3];
        }
        light = vertex_light(view, state, at, normal);
    }
    const tl_int4 color = vertex_color(view, tl_int4_load_bytes(in->color ? in->color : white) << 7, light);
    out->s = out->t = 0;
    if (in->uv)
        vertex_texture_coordinates(state, in->uv, out);
    tl_int4_store_bytes(out->shade, color >> 7);
    out->lit_alpha = out->shade[3];
    if (state->fog)
        out->shade[3] = (uint8_t)(fog_value(view, out->z) >> 8);
    if (state->effect != TRILO_N64_EFFECT_NONE && !out->invalid) {
        int32_t rotated[4], lit[4];
        tl_int4_store(rotated, normal);
        tl_int4_store(lit, color);
        tl_console_vertex_effect(&view->viewport, state, rotated, lit, out);
    }
    out->shaded = true;
}

bool tl_console_shades_together(const tl_console_view *view, const tl_pipeline_state *state)
{
    return view->avx2 && state->effect != TRILO_N64_EFFECT_OUTLINE && !(state->fog && view->fog_range) &&
           !view->has_point_light && !view->light_alpha && !view->add_light && view->exposure == 128;
}
