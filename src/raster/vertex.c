/* Vertices as Tiny3D's microcode makes them: light in 15 bits, vertex effects, fog. */
#include "raster/vertex.h"
#include "base/strict_float.h"

#include <math.h>

/* ---- lights ---- */

static void light_normalize(float v[3])
{
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] = length > 0 ? v[k] / length : 0;
}

/* From view space back to the model's: the camera's matrix does not shear. */
static void light_to_model(const tl_camera *c, const float view[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = c->rotation[k] * view[0] + c->rotation[3 + k] * view[1] + c->rotation[6 + k] * view[2];
}

/* The console keeps a direction as three signed bytes, in view space. */
static void lights_add(tl_lights *lights, const trilo_light *from, const tl_camera *camera)
{
    lights->alpha = lights->alpha || from->color[3] != 0;
    if (from->kind == TRILO_LIGHT_KIND_AMBIENT) {
        for (int k = 0; k < 4; k++)
            lights->ambient[k] = lights->ambient[k] + from->color[k] > 255 ? 255 : lights->ambient[k] + from->color[k];
        return;
    }
    if (lights->count == TL_LIGHTS_MOST)
        return;
    tl_light *to = &lights->all[lights->count++];
    *to = (tl_light){.point = from->kind == TRILO_LIGHT_KIND_POINT};
    for (int k = 0; k < 4; k++)
        to->color[k] = from->color[k];
    if (!to->point) {
        const float direction[3] = {from->direction.x, from->direction.y, from->direction.z};
        float view[3] = {direction[0], direction[1], direction[2]};
        if (!from->to_camera)
            tl_camera_rotate(camera, direction, view);
        light_normalize(view);
        for (int k = 0; k < 3; k++)
            view[k] = truncf(view[k] * 127) / 128;
        light_to_model(camera, view, to->direction);
        return;
    }
    const float position[3] = {from->position.x, from->position.y, from->position.z}, *moved = camera->translation;
    const float view[3] = {position[0] - moved[0], position[1] - moved[1], position[2] - moved[2]};
    if (from->to_camera)
        light_to_model(camera, view, to->position);
    for (int k = 0; k < 3 && !from->to_camera; k++)
        to->position[k] = position[k];
    to->size = from->size;
    to->any_side = from->any_side;
}

const trilo_light *tl_scene_lights(const trilo_scene *scene, uint32_t *count)
{
    static const trilo_light defaults[] = {{.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {96, 96, 96}},
                                           {.kind = TRILO_LIGHT_KIND_DIRECTIONAL,
                                            .color = {176, 176, 176},
                                            .direction = {-0.4f, 0.7f, 1},
                                            .to_camera = true}};
    *count = scene->lights ? scene->light_count : sizeof defaults / sizeof *defaults;
    return scene->lights ? scene->lights : defaults;
}

void tl_lights_set(tl_lights *lights, const trilo_scene *scene, const tl_camera *camera)
{
    uint32_t count;
    const trilo_light *given = tl_scene_lights(scene, &count);
    *lights = (tl_lights){.is_default = !scene->lights};
    for (uint32_t i = 0; i < count; i++)
        lights_add(lights, &given[i], camera);
}

/* A number from -1 to 1 as a signed fraction of 16 bits, as the RSP has it. */
static int32_t light_fraction(float value)
{
    value = value > -1 ? value : -1; /* NaN, too */
    value = value < 0.999969f ? value : 0.999969f;
    return (int32_t)(value * 32768);
}

/* A product of fractions, rounded as the RSP does. */
static int32_t light_multiply(int32_t a, int32_t b)
{
    return (a * b * 2 + 0x8000) >> 16;
}

static float light_cosine(const float direction[3], const float normal[3], bool two_sided)
{
    const float d = direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
    return two_sided ? fabsf(d) : d;
}

/* How much of a light arrives: of a point light all of it nearer than its size, at twice the distance a quarter. */
static float light_intensity(const tl_light *light, const tl_vertex_in *in, bool two_sided)
{
    if (!light->point)
        return light_cosine(light->direction, in->normal, two_sided);
    float to[3];
    for (int k = 0; k < 3; k++)
        to[k] = light->position[k] - in->position[k];
    const float distance = sqrtf(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    const float near = light->size < distance ? light->size / distance : 1;
    light_normalize(to);
    return near * near * (light->any_side ? 1 : light_cosine(to, in->normal, two_sided));
}

static void light_vertex(const tl_stage *stage, const tl_vertex_in *in, int32_t color[4])
{
    int32_t sum[4];
    const int channels = stage->lights->alpha ? 4 : 3;
    for (int k = 0; k < channels; k++)
        sum[k] = stage->lights->ambient[k] << 7;
    for (uint32_t i = 0; i < stage->lights->count; i++) {
        const tl_light *light = &stage->lights->all[i];
        const int32_t part = light_fraction(light_intensity(light, in, stage->state->two_sided));
        for (int k = 0; part > 0 && k < channels; k++) {
            sum[k] += light_multiply(light->color[k] << 7, part);
            sum[k] = sum[k] < 0x7FFF ? sum[k] : 0x7FFF;
        }
    }
    for (int k = 0; k < channels; k++)
        color[k] = light_multiply(color[k], sum[k]);
    if (stage->state->rim_light && stage->lights->is_default) {
        const float *rotation = stage->camera->rotation, back[3] = {rotation[6], rotation[7], rotation[8]};
        const int32_t part = light_fraction(light_cosine(back, in->normal, false));
        color[3] = light_multiply(color[3], part > 0 ? part : 0);
    }
}

/* ---- effects ---- */

/* As if the surface mirrored a picture around it: by the normal, and a little by where it is on the screen. */
static void effect_spherical_uv(const tl_stage *stage, const float normal[3], tl_vertex *v)
{
    const float w = v->w > stage->camera->near || stage->camera->orthographic ? v->w : stage->camera->near;
    const float wide = 16 * stage->state->effect_args[0], tall = 16 * stage->state->effect_args[1];
    const float x = v->x / w, y = v->y / w * (stage->screen->half_height / stage->screen->half_width);
    v->s = normal[0] * wide + wide + x * normal[2] * wide;
    v->t = -normal[1] * tall + tall - y * normal[2] * tall;
}

/* Moves a vertex along its normal, by quarters of a pixel of a picture that is 240 high. */
static void effect_outline(const tl_stage *stage, const float normal[3], tl_vertex *v)
{
    const float quarter = 0.25f * stage->screen->half_height / 120;
    v->x += normal[0] * stage->state->effect_args[0] * quarter / stage->screen->half_width * v->w;
    v->y += normal[1] * stage->state->effect_args[1] * quarter / stage->screen->half_height * v->w;
}

static void effect_apply(const tl_stage *stage, const float normal[3], const int32_t color[4], tl_vertex *v)
{
    switch (stage->state->effect) {
    case TRILO_N64_EFFECT_SPHERICAL_UV:
        effect_spherical_uv(stage, normal, v);
        break;
    case TRILO_N64_EFFECT_CEL_SHADE_COLOR: {
        const int32_t two = color[0] > color[1] ? color[0] : color[1];
        v->s = (float)(two > color[2] ? two : color[2]);
        break;
    }
    case TRILO_N64_EFFECT_CEL_SHADE_ALPHA:
        v->s = (float)color[3];
        break;
    case TRILO_N64_EFFECT_OUTLINE:
        effect_outline(stage, normal, v);
        break;
    case TRILO_N64_EFFECT_UV_OFFSET:
        v->s += stage->state->effect_args[0];
        v->t += stage->state->effect_args[1];
        break;
    default:
        break;
    }
}

/* ---- a vertex ---- */

void tl_stage_vertex(const tl_stage *stage, const tl_vertex_in *in, tl_vertex *out)
{
    static const float no_normal[3] = {0, 0, 0};
    const tl_pipeline_state *state = stage->state;
    float view[3], normal[3];
    int32_t color[4] = {255 << 7, 255 << 7, 255 << 7, 255 << 7};
    for (int k = 0; in->color && k < 4; k++)
        color[k] = in->color[k] << 7;
    if (in->normal && !state->unlit && (state->uses_shade || state->effect != TRILO_N64_EFFECT_NONE))
        light_vertex(stage, in, color);
    tl_camera_view(stage->camera, in->position, view);
    tl_camera_project(stage->camera, view, out);
    out->s = in->uv ? in->uv[0] * state->uv_scale[0] - state->uv_shift[0] : 0;
    out->t = in->uv ? in->uv[1] * state->uv_scale[1] - state->uv_shift[1] : 0;
    if (state->effect != TRILO_N64_EFFECT_NONE) {
        tl_camera_rotate(stage->camera, in->normal ? in->normal : no_normal, normal);
        effect_apply(stage, normal, color, out);
    }
    for (int k = 0; k < 4; k++)
        out->shade[k] = (float)(color[k] >> 7);
    if (stage->fog) {
        const float part = 1 - (-view[2] - stage->fog_near) / (stage->fog_far - stage->fog_near);
        out->shade[3] = part > 0 ? (part < 1 ? floorf(part * 255) : 255) : 0;
    }
    tl_vertex_set_outcode(stage->screen, out);
}
