/* Vertices as Tiny3D's microcode makes them: light in 15 bits, generated texture coordinates, outlines, fog. */
#include "raster/vertex.h"

#include <math.h>

/* ---- lights ---- */

static void unit(float v[3])
{
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] = length > 0 ? v[k] / length : 0;
}

/* From the camera's space back to the model's: the camera's matrix does not shear. */
static void turn_back(const tl_camera *c, const float seen[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = c->turn[k] * seen[0] + c->turn[3 + k] * seen[1] + c->turn[6 + k] * seen[2];
}

/* The console keeps a direction as three signed bytes, as the camera sees it. */
static void lamp_direction(tl_light *lamp, const trilo_light *light, const tl_camera *camera)
{
    const float given[3] = {light->direction.x, light->direction.y, light->direction.z};
    float seen[3] = {given[0], given[1], given[2]};
    if (!light->to_camera)
        tl_camera_turn(camera, given, seen);
    unit(seen);
    for (int k = 0; k < 3; k++)
        seen[k] = truncf(seen[k] * 127) / 128;
    turn_back(camera, seen, lamp->direction);
}

static void lamp_position(tl_light *lamp, const trilo_light *light, const tl_camera *camera)
{
    const float given[3] = {light->position.x, light->position.y, light->position.z};
    const float seen[3] = {given[0] - camera->move[0], given[1] - camera->move[1], given[2] - camera->move[2]};
    if (light->to_camera)
        turn_back(camera, seen, lamp->position);
    else
        for (int k = 0; k < 3; k++)
            lamp->position[k] = given[k];
    lamp->size = light->size;
    lamp->any_side = light->any_side;
}

static void lamp_add(tl_lights *lamps, const trilo_light *light, const tl_camera *camera)
{
    lamps->alpha = lamps->alpha || light->color[3] != 0;
    if (light->kind == TRILO_LIGHT_AMBIENT) {
        for (int k = 0; k < 4; k++)
            lamps->ambient[k] = lamps->ambient[k] + light->color[k] > 255 ? 255 : lamps->ambient[k] + light->color[k];
        return;
    }
    if (lamps->count == TL_LIGHTS_MOST)
        return;
    tl_light *lamp = &lamps->lamps[lamps->count++];
    *lamp = (tl_light){.point = light->kind == TRILO_LIGHT_POINT};
    for (int k = 0; k < 4; k++)
        lamp->color[k] = light->color[k];
    if (lamp->point)
        lamp_position(lamp, light, camera);
    else
        lamp_direction(lamp, light, camera);
}

void tl_lights_set(tl_lights *lamps, const trilo_scene *scene, const tl_camera *camera)
{
    static const trilo_light usual[] = {
        {.kind = TRILO_LIGHT_AMBIENT, .color = {96, 96, 96}},
        {.kind = TRILO_LIGHT_DIRECTIONAL, .color = {176, 176, 176}, .direction = {-0.4f, 0.7f, 1}, .to_camera = true}};
    const trilo_light *lights = scene->lights ? scene->lights : usual;
    const uint32_t count = scene->lights ? scene->light_count : sizeof usual / sizeof *usual;
    *lamps = (tl_lights){.usual = !scene->lights};
    for (uint32_t i = 0; i < count; i++)
        lamp_add(lamps, &lights[i], camera);
}

/* A number from -1 to 1 as a signed fraction of 16 bits. */
static int32_t fraction(float value)
{
    value = value > -1 ? value : -1; /* a not-a-number, too */
    value = value < 0.999969f ? value : 0.999969f;
    return (int32_t)(value * 32768);
}

static float facing(const float direction[3], const float normal[3], bool two_sided)
{
    const float d = direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
    return two_sided ? fabsf(d) : d;
}

/* How much of a lamp's light arrives: nearer than its size all of it, at twice the distance a quarter. */
static float arrives(const tl_light *lamp, const tl_vertex_in *in, bool two_sided)
{
    if (!lamp->point)
        return facing(lamp->direction, in->normal, two_sided);
    float to[3];
    for (int k = 0; k < 3; k++)
        to[k] = lamp->position[k] - in->position[k];
    const float distance = sqrtf(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    const float near = lamp->size < distance ? lamp->size / distance : 1;
    unit(to);
    return near * near * (lamp->any_side ? 1 : facing(to, in->normal, two_sided));
}

/* Products of fractions, rounded as the console does. */
static int32_t product(int32_t a, int32_t b)
{
    return (a * b * 2 + 0x8000) >> 16;
}

static void light(const tl_stage *stage, const tl_vertex_in *in, int32_t color[4])
{
    int32_t sum[4];
    const int channels = stage->lamps->alpha ? 4 : 3;
    for (int k = 0; k < channels; k++)
        sum[k] = stage->lamps->ambient[k] << 7;
    for (uint32_t i = 0; i < stage->lamps->count; i++) {
        const tl_light *lamp = &stage->lamps->lamps[i];
        const int32_t part = fraction(arrives(lamp, in, stage->pipe->two_sided));
        for (int k = 0; part > 0 && k < channels; k++) {
            sum[k] += product(lamp->color[k] << 7, part);
            sum[k] = sum[k] < 0x7FFF ? sum[k] : 0x7FFF;
        }
    }
    for (int k = 0; k < channels; k++)
        color[k] = product(color[k], sum[k]);
    if (stage->pipe->rim && stage->lamps->usual) {
        const float back[3] = {stage->camera->turn[6], stage->camera->turn[7], stage->camera->turn[8]};
        const int32_t part = fraction(facing(back, in->normal, false));
        color[3] = product(color[3], part > 0 ? part : 0);
    }
}

/* ---- effects ---- */

/* As if the surface mirrored a picture around it: by the normal, and a little by where it is on the screen. */
static void sphere(const tl_stage *stage, const float normal[3], tl_vertex *v)
{
    const float w = v->w > stage->camera->near || stage->camera->parallel ? v->w : stage->camera->near;
    const float wide = 16 * stage->pipe->effect_args[0], tall = 16 * stage->pipe->effect_args[1];
    const float x = v->x / w, y = v->y / w * (stage->screen->half_height / stage->screen->half_width);
    v->s = normal[0] * wide + wide + x * normal[2] * wide;
    v->t = -normal[1] * tall + tall - y * normal[2] * tall;
}

/* Moves a vertex along its normal, by quarters of a pixel of a picture that is 240 high. */
static void outline(const tl_stage *stage, const float normal[3], tl_vertex *v)
{
    const float quarter = 0.25f * stage->screen->half_height / 120;
    v->x += normal[0] * stage->pipe->effect_args[0] * quarter / stage->screen->half_width * v->w;
    v->y += normal[1] * stage->pipe->effect_args[1] * quarter / stage->screen->half_height * v->w;
}

static void effect(const tl_stage *stage, const float normal[3], const int32_t color[4], tl_vertex *v)
{
    switch (stage->pipe->effect) {
    case TRILO_N64_EFFECT_SPHERICAL_UV:
        sphere(stage, normal, v);
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
        outline(stage, normal, v);
        break;
    case TRILO_N64_EFFECT_UV_OFFSET:
        v->s += stage->pipe->effect_args[0];
        v->t += stage->pipe->effect_args[1];
        break;
    default:
        break;
    }
}

static float fog_alpha(const tl_stage *stage, float deep)
{
    const float part = 1 - (deep - stage->fog_near) / (stage->fog_far - stage->fog_near);
    return part > 0 ? (part < 1 ? floorf(part * 255) : 255) : 0;
}

/* ---- a vertex ---- */

void tl_stage_vertex(const tl_stage *stage, const tl_vertex_in *in, tl_vertex *out)
{
    static const float no_normal[3] = {0, 0, 0};
    const tl_pipeline_state *pipe = stage->pipe;
    float seen[3], normal[3];
    int32_t color[4] = {255 << 7, 255 << 7, 255 << 7, 255 << 7};
    for (int k = 0; in->color && k < 4; k++)
        color[k] = in->color[k] << 7;
    if (in->normal && !pipe->unlit && (pipe->shaded || pipe->effect != TRILO_N64_EFFECT_NONE))
        light(stage, in, color);
    tl_camera_see(stage->camera, in->position, seen);
    tl_camera_project(stage->camera, seen, out);
    out->s = in->uv ? in->uv[0] * pipe->uv_scale[0] - pipe->uv_shift : 0;
    out->t = in->uv ? in->uv[1] * pipe->uv_scale[1] - pipe->uv_shift : 0;
    if (pipe->effect != TRILO_N64_EFFECT_NONE) {
        tl_camera_turn(stage->camera, in->normal ? in->normal : no_normal, normal);
        effect(stage, normal, color, out);
    }
    for (int k = 0; k < 4; k++)
        out->shade[k] = (float)(color[k] >> 7);
    if (stage->fog)
        out->shade[3] = fog_alpha(stage, -seen[2]);
    tl_vertex_codes(stage->screen, out);
}
