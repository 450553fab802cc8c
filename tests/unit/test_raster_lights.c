/* Lights of the clean look: their directions and places in the space of the model, what they add up to, and how many
 * count; and an effect that looks at the camera. Directions are those of the console: three signed bytes in view space.
 */
#include "harness.h"
#include "raster/vertex.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

static double random_from(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)(random_bits(seed) >> 11) / 9007199254740992.0;
}

/* A rotation about two axes, and a place. */
static tl_camera random_camera(uint64_t *seed)
{
    const double a = random_from(seed, -3, 3), b = random_from(seed, -3, 3);
    const double ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b);
    return (tl_camera){.rotation = {(float)ca, 0, (float)-sa, (float)(sa * sb), (float)cb, (float)(ca * sb),
                                    (float)(sa * cb), (float)-sb, (float)(ca * cb)},
                       .translation = {(float)random_from(seed, -5, 5), (float)random_from(seed, -5, 5),
                                       (float)random_from(seed, -9, -1)}};
}

/* From view space to the model's: the transposed rotation. */
static void to_model(const tl_camera *c, const double view[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)c->rotation[k] * view[0] + (double)c->rotation[3 + k] * view[1] +
                 (double)c->rotation[6 + k] * view[2];
}

TEST(directions_and_places_of_lights)
{
    uint64_t seed = 4;
    for (int round = 0; round < 200; round++) {
        const tl_camera camera = random_camera(&seed);
        const double d[3] = {random_from(&seed, -2, 2), random_from(&seed, -2, 2), random_from(&seed, -2, 2)};
        const trilo_light light = {.kind = round % 2 ? TRILO_LIGHT_KIND_POINT : TRILO_LIGHT_KIND_DIRECTIONAL,
                                   .color = {1, 2, 3, 4},
                                   .direction = {(float)d[0], (float)d[1], (float)d[2]},
                                   .position = {(float)d[0], (float)d[1], (float)d[2]},
                                   .size = 3.5f,
                                   .any_side = round % 8 < 4,
                                   .to_camera = round % 4 < 2};
        const trilo_scene scene = {.lights = &light, .light_count = 1};
        tl_lights lights;
        double view[3], want[3];
        tl_lights_set(&lights, &scene, &camera);
        CHECK(lights.count == 1 && lights.alpha && !lights.is_default);
        const tl_light *got = &lights.all[0];
        CHECK_INT(got->point, round % 2);
        for (int k = 0; k < 4; k++)
            CHECK_INT(got->color[k], k + 1);
        if (!got->point) {
            double length = 0;
            for (int k = 0; k < 3; k++) {
                const float *row = camera.rotation + 3 * k;
                view[k] =
                    light.to_camera ? d[k] : (double)row[0] * d[0] + (double)row[1] * d[1] + (double)row[2] * d[2];
                length += view[k] * view[k];
            }
            bool close = false; /* to a step, where rounding decides */
            for (int k = 0; k < 3; k++) {
                const double steps = view[k] / sqrt(length) * 127;
                close |= fabs(steps - nearbyint(steps)) < 1e-3;
                view[k] = trunc(steps) / 128;
            }
            to_model(&camera, view, want);
            for (int k = 0; k < 3 && !close; k++)
                CHECK_NEAR((double)got->direction[k], want[k], 1e-5);
        } else {
            for (int k = 0; k < 3; k++)
                view[k] = d[k] - (double)camera.translation[k];
            to_model(&camera, view, want);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR((double)got->position[k], light.to_camera ? want[k] : d[k], 1e-5);
            CHECK(got->size == 3.5f && got->any_side == light.any_side);
        }
    }
}

/* A direction that is none leads nowhere. */
TEST(a_light_without_a_direction)
{
    uint64_t seed = 9;
    const tl_camera camera = random_camera(&seed);
    for (int to_camera = 0; to_camera < 2; to_camera++) {
        const trilo_light light = {.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {9, 9, 9}, .to_camera = to_camera};
        tl_lights lights;
        tl_lights_set(&lights, &(trilo_scene){.lights = &light, .light_count = 1}, &camera);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR((double)lights.all[0].direction[k], 0, 0);
        CHECK(!lights.alpha);
    }
}

/* Ambient light adds up to 255 in each channel; eight other lights count, whatever stands between them. */
TEST(ambient_light_and_the_ninth)
{
    trilo_light all[12];
    tl_lights lights;
    const tl_camera camera = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < 12; i++)
        all[i] = (trilo_light){.kind = i % 4 == 1 ? TRILO_LIGHT_KIND_AMBIENT : TRILO_LIGHT_KIND_DIRECTIONAL,
                               .color = {(uint8_t)(84 + i % 2), (uint8_t)(85 + i % 2), 10, i == 11 ? 1 : 0},
                               .direction = {0, 0, 1}};
    for (uint32_t count = 0; count <= 12; count++) {
        uint32_t ambient = 0, others = 0;
        for (uint32_t i = 0; i < count; i++)
            *(i % 4 == 1 ? &ambient : &others) += 1;
        tl_lights_set(&lights, &(trilo_scene){.lights = all, .light_count = count}, &camera);
        CHECK_INT(lights.count, others < 8 ? others : 8);
        CHECK_INT(lights.ambient[0], ambient * 85); /* 255 with three */
        CHECK_INT(lights.ambient[1], ambient * 86 > 255 ? 255 : ambient * 86);
        CHECK_INT(lights.ambient[2], ambient * 10);
        CHECK_INT(lights.ambient[3], 0);
        CHECK_INT(lights.alpha, count == 12); /* also of a light that is too many */
        for (uint32_t i = 0, at = 0; i < count; i++)
            if (i % 4 != 1 && at < lights.count)
                CHECK_INT(lights.all[at++].color[0], all[i].color[0]);
    }
}

/* Without lights of its own a scene has a soft one from the upper left, and some from everywhere; none is no default.
 */
TEST(lights_of_a_scene_without_any)
{
    const tl_camera camera = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double length = sqrt(0.4 * 0.4 + 0.7 * 0.7 + 1), d[3] = {-0.4, 0.7, 1};
    tl_lights lights;
    tl_lights_set(&lights, &(trilo_scene){.light_count = 5}, &camera);
    CHECK(lights.is_default && lights.count == 1 && !lights.alpha && !lights.all[0].point);
    for (int k = 0; k < 3; k++) {
        CHECK_INT(lights.ambient[k], 96);
        CHECK_INT(lights.all[0].color[k], 176);
        CHECK_NEAR((double)lights.all[0].direction[k], trunc(d[k] / length * 127) / 128, 1e-6);
    }
    tl_lights_set(&lights, &(trilo_scene){.lights = (const trilo_light[1]){{0}}}, &camera);
    CHECK(!lights.is_default && lights.count == 0 && lights.ambient[0] == 0);
}

/* ---- effects ---- */

/* Nearer than the near plane, where the picture around is divided by the distance, that of the plane counts; without
 * perspective there is nothing to divide by. */
TEST(spherical_coordinates_near_the_camera)
{
    static const float normal[3] = {0, 0.6f, 0.8f};
    static const struct {
        float depth, divided;
        bool orthographic;
    } rows[] = {{4, 4, false}, {2.5f, 2.5f, false}, {2, 2, false}, {1, 2, false}, {-3, 2, false}, {1, 1, true}};
    const tl_screen screen = tl_screen_of(320, 240);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tl_camera camera = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                  .scale_x = 1.5f,
                                  .scale_y = 2,
                                  .near = 2,
                                  .far = 10,
                                  .orthographic = rows[i].orthographic};
        const tl_pipeline_state state = {
            .effect = TRILO_N64_EFFECT_SPHERICAL_UV, .effect_args = {32, 16}, .unlit = true};
        const tl_lights lights = {0};
        const tl_stage stage = {.camera = &camera, .screen = &screen, .lights = &lights, .state = &state};
        const float position[3] = {0.5f, -0.25f, -rows[i].depth};
        tl_vertex v;
        tl_stage_vertex(&stage, &(tl_vertex_in){.position = position, .normal = normal}, &v);
        const double x = 0.5 * 1.5 / (double)rows[i].divided, y = -0.25 * 2 / (double)rows[i].divided * 0.75;
        CHECK_NEAR((double)v.s, 512 * (1 + 0 + x * 0.8), 1e-2); /* 32 texels are 1024 */
        CHECK_NEAR((double)v.t, 256 * (1 - 0.6 - y * 0.8), 1e-2);
    }
}

TEST_MAIN(CASE(directions_and_places_of_lights), CASE(a_light_without_a_direction), CASE(ambient_light_and_the_ninth),
          CASE(lights_of_a_scene_without_any), CASE(spherical_coordinates_near_the_camera))
