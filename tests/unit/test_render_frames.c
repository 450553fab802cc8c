/* Frames that Tiny3D's own code and microcode drew on an emulated console (corpus/frames), drawn here as well. The
 * bounds are those of the whole set, and of each scene; docs/render.md has the figures of each feature. */
#include "harness.h"

#include <trilobite/load.h>
#include <trilobite/n64.h>
#include <trilobite/render.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 240, TEXT_MOST = 8192, TEXTURES_MOST = 64, LIGHTS_MOST = 8 };

/* ---- what a scene says ---- */

static const char *scene_value(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    return at ? at + strlen(quoted) : NULL;
}

/* Numbers of an array, or one alone. */
static void scene_numbers(const char *text, const char *key, double *out, int count)
{
    const char *at = scene_value(text, key);
    for (int i = 0; i < count; i++) {
        at += at ? strcspn(at, "-0123456789") : 0;
        char *end = NULL;
        out[i] = at ? strtod(at, &end) : 0;
        at = end;
    }
}

static bool scene_text(const char *text, const char *key, char *out, size_t room)
{
    const char *at = scene_value(text, key);
    *out = '\0';
    if (!at || at[strspn(at, " \n")] != '"')
        return false;
    at = strchr(at, '"') + 1;
    snprintf(out, room, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

/* A file of the corpus. False: there is none. */
static bool scene_slurp(const char *name, uint8_t *out, size_t room, size_t *size)
{
    static const char known[] = "frames/README.md";
    char path[1024];
    const char *root = test_corpus(known);
    snprintf(path, sizeof path, "%.*s%s", (int)(strlen(root) - strlen(known)), root, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    *size = fread(out, 1, room, file);
    fclose(file);
    return true;
}

static trilo_vec3 scene_vec(const char *text, const char *key)
{
    double v[3];
    scene_numbers(text, key, v, 3);
    return (trilo_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

static void scene_color(const char *text, const char *key, uint8_t *out, int channels)
{
    double v[4] = {0};
    scene_numbers(text, key, v, channels);
    for (int k = 0; k < channels; k++)
        out[k] = (uint8_t)v[k];
}

/* Lights of an array of objects, one after the other. */
static uint32_t scene_lights(const char *text, const char *key, trilo_light_kind kind, trilo_light *out, uint32_t count)
{
    const char *at = scene_value(text, key), *end = at ? strstr(at, at[strspn(at, " ")] == '[' ? "\n ]" : ",") : NULL;
    while (at && (at = strstr(at, "{")) != NULL && at < end) {
        trilo_light light = {.kind = kind};
        double size, flat = strstr(at, "\"ignore_normals\": true") ? 1 : 0;
        if (kind == TRILO_LIGHT_KIND_POINT) {
            light.position = scene_vec(at, "position");
            scene_numbers(at, "size", &size, 1);
            light.size = (float)size;
            light.any_side = flat != 0;
        } else {
            light.direction = scene_vec(at, "direction_to_light");
        }
        scene_color(at, "colour", light.color, 4);
        out[count++] = light;
        at++;
    }
    return count;
}

/* ---- drawing ---- */

typedef struct frame_images {
    const trilo_image *images[TEXTURES_MOST];
    const trilo_image *mipmaps[TEXTURES_MOST][6];
} frame_images;

/* Beside the scenes, or where the model is. */
static const trilo_image *frame_image(const char *folder, const trilo_texture *texture, const trilo_image *mipmaps[6])
{
    static uint8_t bytes[1 << 20];
    const char *name = texture->path.data + 5; /* behind rom:/ */
    const int length = (int)texture->path.len - 5;
    const char *const folders[] = {"frames/scenes", folder};
    size_t size;
    bool found = false;
    for (int i = 0; length > 0 && !found && i < 2; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%.*s", folders[i], length, name);
        found = scene_slurp(path, bytes, sizeof bytes, &size);
    }
    if (!found)
        return NULL;
    const trilo_bytes file = {bytes, size};
    for (uint32_t i = 0; i < 6 && (mipmaps[i] = trilo_image_decode_mipmap(file, i + 1, NULL, NULL)); i++)
        ;
    return trilo_image_decode(file, NULL, NULL);
}

static uint8_t drawn[4 * WIDTH * HEIGHT][4];

static trilo_scene frame_scene(const char *text, trilo_light *lights)
{
    double v[2];
    trilo_scene scene = {.view = {.eye = scene_vec(text, "eye"), .target = scene_vec(text, "at")}, .lights = lights};
    char word[32];
    scene_numbers(text, "fov", v, 1);
    scene.view.fov = (float)v[0];
    scene_numbers(text, "near", v, 1);
    scene.view.near_at = (float)v[0];
    scene_numbers(text, "far", v, 1);
    scene.view.far_at = (float)v[0];
    scene_numbers(text, "scale", v, 1);
    scene.console.model_scale = (float)v[0];
    scene_numbers(text, "exposure", v, 1);
    scene.console.exposure = (float)v[0];
    scene_numbers(text, "bits", v, 1);
    scene.console.color_32 = v[0] == 32;
    if (scene.console.color_32)
        scene.dither = TRILO_SWITCH_OFF;
    scene_text(text, "lighting", word, sizeof word);
    if (strcmp(word, "add") == 0)
        scene.console.lighting = TRILO_LIGHTING_MODE_ADD;
    scene_text(text, "antialias", word, sizeof word);
    scene.antialias = strcmp(word, "off") == 0 ? TRILO_SWITCH_OFF : TRILO_SWITCH_ON;
    scene_color(text, "background", scene.background, 3);
    scene.background[3] = 255;
    lights[0] = (trilo_light){.kind = TRILO_LIGHT_KIND_AMBIENT};
    scene_color(text, "ambient", lights[0].color, 4);
    scene.light_count = scene_lights(text, "directional", TRILO_LIGHT_KIND_DIRECTIONAL, lights, 1);
    scene.light_count = scene_lights(text, "point", TRILO_LIGHT_KIND_POINT, lights, scene.light_count);
    const char *fog = scene_value(text, "fog");
    if (fog && fog[strspn(fog, " ")] == '{') {
        scene.fog.enabled = true;
        scene_numbers(fog, "begin", v, 1);
        scene_numbers(fog, "end", v + 1, 1);
        scene.fog.begin = (float)v[0], scene.fog.end = (float)v[1];
        scene_color(fog, "colour", scene.fog.color, 3);
    }
    return scene;
}

static void frame_draw(const char *text, trilo_look look)
{
    char path[512], name[256], clip[64];
    trilo_light lights[LIGHTS_MOST];
    trilo_error err = {0};
    double time;
    scene_text(text, "model", path, sizeof path);
    char folder[512];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (scene_text(text, "file", name, sizeof name))
        snprintf(path, sizeof path, "frames/scenes/%s", name);
    const trilo_model *model = trilo_model_load_file(test_corpus(path), NULL, &err);
    if (!model)
        FAIL("%s: %s", path, err.text);
    frame_images f = {.images = {NULL}};
    for (uint32_t i = 0; i < model->texture_count && i < TEXTURES_MOST; i++)
        f.images[i] = frame_image(folder, &model->textures[i], f.mipmaps[i]);
    trilo_renderer *renderer = trilo_renderer_new(model, f.images, NULL, &err);
    CHECK(renderer);
    for (uint32_t i = 0; i < model->texture_count && i < TEXTURES_MOST; i++)
        trilo_renderer_set_mipmaps(renderer, i, f.mipmaps[i], 6);
    trilo_player *player = NULL;
    if (scene_text(text, "clip", clip, sizeof clip)) {
        player = trilo_player_new(model, NULL, &err);
        CHECK(player);
        scene_numbers(text, "time", &time, 1);
        trilo_player_play(player, 0, trilo_clip_find(model, clip), NULL);
        trilo_player_seek(player, 0, time);
        trilo_player_advance(player, 0);
        trilo_renderer_pose(renderer, player);
    }
    trilo_scene scene = frame_scene(text, lights);
    scene.look = look;
    const uint32_t factor = look == TRILO_LOOK_TV ? 2 : 1;
    if (!trilo_renderer_draw(renderer, &scene, factor * WIDTH, factor * HEIGHT, drawn, &err))
        FAIL("%s: %s", path, err.text);
    trilo_player_free(player);
    trilo_renderer_free(renderer);
    for (uint32_t i = 0; i < model->texture_count && i < TEXTURES_MOST; i++) {
        trilo_image_free(f.images[i]);
        for (int k = 0; k < 6; k++)
            trilo_image_free(f.mipmaps[i][k]);
    }
    trilo_model_free(model);
}

/* ---- comparing, as frames/compare.py does ---- */

typedef struct frame_result {
    double iou, mad, within;
} frame_result;

static bool frame_is_drawn(const uint8_t p[4], const uint8_t background[3], int tolerance)
{
    for (int k = 0; k < 3; k++)
        if (abs(p[k] - background[k]) > tolerance)
            return true;
    return false;
}

static frame_result frame_compare(const char *text, const char *name, trilo_look look)
{
    static uint8_t bytes[1 << 20];
    char path[256];
    size_t size;
    double bits;
    uint8_t background[3];
    scene_numbers(text, "bits", &bits, 1);
    scene_color(text, "background", background, 3);
    for (int k = 0; k < 3 && bits != 32; k++)
        background[k] = (uint8_t)((background[k] & 0xF8) | background[k] >> 5);
    snprintf(path, sizeof path, "frames/scenes/%s%s", name, look == TRILO_LOOK_TV ? ".tv.png" : ".png");
    CHECK(scene_slurp(path, bytes, sizeof bytes, &size));
    trilo_error err = {0};
    const trilo_image *console = trilo_image_decode((trilo_bytes){bytes, size}, NULL, &err);
    if (err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    CHECK(console);
    double both = 0, either = 0, total = 0, near = 0;
    for (size_t i = 0; i < (size_t)console->width * console->height; i++) {
        const size_t row = look == TRILO_LOOK_TV ? 2 * (i / console->width) : i / console->width;
        const uint8_t *p = console->pixels[i], *q = drawn[row * console->width + i % console->width];
        const bool a = frame_is_drawn(p, background, bits == 32 ? 1 : 8),
                   b = frame_is_drawn(q, background, bits == 32 ? 1 : 8);
        int sum = 0, most = 0;
        for (int k = 0; k < 3; k++) {
            const int d = abs(p[k] - q[k]);
            sum += d;
            most = d > most ? d : most;
        }
        either += a || b;
        both += a && b;
        total += a && b ? sum : 0;
        near += a && b && most <= 8;
    }
    trilo_image_free(console);
    return (frame_result){either > 0 ? both / either : 1, both > 0 ? total / (3 * both) : 0,
                          both > 0     ? near / both
                          : either > 0 ? 0
                                       : 1};
}

static const char *const scenes[] = {
    "addlight_08_map",  "blend_21_glass",    "cel_08_map",         "ci8_03_box",        "cutout_09_plant",
    "decal_12_can",     "exposure_02_model", "farscale_08_map",    "fog_08_map",        "fog_none_glass",
    "guard_08_map",     "lit_01_model",      "lit_02_model",       "mip_20_tunnelMip",  "near_16_sceneB",
    "near_99_scene",    "noaa_02_model",     "outline_03_food",    "p32_02_model",      "p32_03_box",
    "p32_08_map",       "point_99_scene",    "pointflat_18_scene", "skin_08_snake",     "sphere_12_brew",
    "sphere_12_color",  "sphere_12_gold",    "sphere_21_env",      "texture_16_sceneB", "texture_17_platformer",
    "texture_18_scene", "twotex_21_force",   "uvoffset_08_map",    "vcol_21_wallColor"};

static void compare_all(trilo_look look, double iou_least, double mad_mean, double within_least)
{
    static char text[TEXT_MOST];
    double sum[3] = {0, 0, 0}, count = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char path[256];
        size_t size;
        double bits;
        snprintf(path, sizeof path, "frames/scenes/%s.json", scenes[i]);
        CHECK(scene_slurp(path, (uint8_t *)text, sizeof text - 1, &size));
        text[size] = '\0';
        scene_numbers(text, "bits", &bits, 1);
        if (look == TRILO_LOOK_TV && bits == 32)
            continue;
        frame_draw(text, look);
        const frame_result r = frame_compare(text, scenes[i], look);
        if (r.iou < 0.997 || r.mad > 0.8)
            FAIL("%s: IoU %.4f, MAD %.2f", scenes[i], r.iou, r.mad);
        sum[0] += r.iou, sum[1] += r.mad, sum[2] += r.within;
        count++;
    }
    if (sum[0] / count < iou_least || sum[1] / count > mad_mean || sum[2] / count < within_least)
        FAIL("mean IoU %.4f, MAD %.2f, within 8 %.3f", sum[0] / count, sum[1] / count, sum[2] / count);
}

TEST(frames_are_the_consoles)
{
    compare_all(TRILO_LOOK_N64, 0.9995, 0.15, 0.99);
}

TEST(television_pictures_are_the_consoles)
{
    compare_all(TRILO_LOOK_TV, 0.9995, 0.15, 0.99);
}

TEST_MAIN(CASE(frames_are_the_consoles), CASE(television_pictures_are_the_consoles))
