#include "render/render.h"

#include "paths.h"
#include "usage/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MOST = 4096, FRAMES_MOST = 100000, SAMPLES_MOST = 8 };

/* ---- numbers ---- */

static bool render_read_number(const char *text, double least, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

/* Up to `most` numbers with commas between them; returns how many, 0 if the text is anything else. `rest` is set after
 * the comma at which they end. */
static size_t read_numbers(const char *text, double *values, size_t most, const char **rest)
{
    size_t count = 0;
    *rest = "";
    while (count < most) {
        char *end;
        values[count] = strtod(text, &end);
        if (end == text || !isfinite(values[count]) || (*end != ',' && *end != '\0'))
            break;
        count++;
        text = *end == ',' ? end + 1 : end;
        if (*end == '\0')
            return count;
    }
    *rest = text;
    return count;
}

static bool read_digits(const char *text, size_t count, uint32_t *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        const char c = text[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c - 'A' + 10;
        if (digit < 0 || digit > 15 || (c > 'F' && c < 'a') || (c > '9' && c < 'A'))
            return false;
        *value = *value << 4 | (uint32_t)digit;
    }
    return true;
}

bool render_color(const char *text, uint8_t color[4])
{
    if (strcmp(text, "none") == 0) {
        memset(color, 0, 4);
        return true;
    }
    const char *digits = text + (*text == '#');
    const size_t length = strlen(digits), each = length == 3 ? 1 : 2;
    if (length != 3 && length != 6 && length != 8)
        return false;
    color[3] = 255;
    for (size_t i = 0; i < length / each; i++) {
        uint32_t value;
        if (!read_digits(digits + i * each, each, &value))
            return false;
        color[i] = (uint8_t)(each == 1 ? value * 17 : value);
    }
    return true;
}

/* ---- where from ---- */

static exit_code read_angle(const cli_args *args, option_id id, double most, double *angle)
{
    const char *given = args_given(args, id);
    if (!given || render_read_number(given, -most, most, angle))
        return EXIT_FINE;
    return args_fail(args, "--%s: \"%s\" is not an angle from %g to %g degrees", option_get(id)->name, given, -most,
                     most);
}

static exit_code read_view(const cli_args *args, render_options *o)
{
    static const struct {
        double azimuth, elevation;
    } views[] = {{0, 0}, {90, 0}, {0, 90}, {45, 35.264}}; /* in the order of the choices */
    o->azimuth = 30;
    o->elevation = 15;
    if (args_given(args, OPT_VIEW)) {
        o->azimuth = views[args_choice(args, OPT_VIEW)].azimuth;
        o->elevation = views[args_choice(args, OPT_VIEW)].elevation;
    }
    exit_code code = read_angle(args, OPT_AZIMUTH, 3600, &o->azimuth);
    if (code == EXIT_FINE)
        code = read_angle(args, OPT_ELEVATION, 90, &o->elevation);
    const char *fov = args_given(args, OPT_FOV);
    if (code == EXIT_FINE && fov && !render_read_number(fov, 1, 170, &o->fov))
        code = args_fail(args, "--fov: \"%s\" is not an angle from 1 to 170 degrees", fov);
    return code;
}

static exit_code read_camera(const cli_args *args, render_options *o)
{
    const char *given = args_given(args, OPT_CAMERA), *rest;
    double at[6];
    const size_t count = given ? read_numbers(given, at, 6, &rest) : 0;
    if (!given)
        return EXIT_FINE;
    if ((count != 3 && count != 6) || *rest)
        return args_fail(args, "--camera: \"%s\" is neither X,Y,Z nor X,Y,Z,X,Y,Z", given);
    o->has_eye = true;
    o->eye = (trilo_vec3){(float)at[0], (float)at[1], (float)at[2]};
    o->has_target = count == 6;
    if (o->has_target)
        o->target = (trilo_vec3){(float)at[3], (float)at[4], (float)at[5]};
    return EXIT_FINE;
}

/* ---- light ---- */

/* "10,20,30,200", "10,20,30,200,#ffe", "10,20,30,200,#ffe,flat" */
static bool read_point_light(const char *text, trilo_light *light)
{
    static const char flat[] = ",flat";
    char color_text[16] = "#fff";
    uint8_t color[4];
    double at[4];
    const char *rest;
    if (read_numbers(text, at, 4, &rest) != 4 || !(at[3] > 0))
        return false;
    const char *comma = strcmp(rest, flat + 1) == 0 ? rest : strchr(rest, ',');
    const size_t length = comma ? (size_t)(comma - rest) : strlen(rest);
    if (length >= sizeof color_text || (comma && strcmp(comma + (*comma == ','), flat + 1) != 0))
        return false;
    if (length > 0) {
        memcpy(color_text, rest, length);
        color_text[length] = '\0';
    }
    if (!render_color(color_text, color))
        return false;
    *light = (trilo_light){.kind = TRILO_LIGHT_KIND_POINT,
                           .position = {(float)at[0], (float)at[1], (float)at[2]},
                           .size = (float)at[3],
                           .any_side = comma != NULL};
    memcpy(light->color, color, sizeof light->color);
    if (length < sizeof "rrggbbaa" - 1)
        light->color[3] = 0;
    return true;
}

/* "30,40", "30,40,#ffe", "ambient,#444", "point,..." */
static bool read_light(const char *text, trilo_light *light)
{
    static const char ambient[] = "ambient,", point[] = "point,";
    uint8_t color[4] = {255, 255, 255, 255};
    const char *rest;
    double angles[2];
    if (strncmp(text, point, strlen(point)) == 0)
        return read_point_light(text + strlen(point), light);
    *light = (trilo_light){.kind = TRILO_LIGHT_KIND_AMBIENT};
    if (strncmp(text, ambient, strlen(ambient)) == 0) {
        rest = text + strlen(ambient);
    } else {
        if (read_numbers(text, angles, 2, &rest) != 2)
            return false;
        /* A camera with these angles would be at the position of the light. */
        const trilo_bounds unit = {{-1, -1, -1}, {1, 1, 1}};
        const trilo_view view = trilo_view_frame(&unit, angles[0], angles[1], 0, 0);
        light->kind = TRILO_LIGHT_KIND_DIRECTIONAL;
        light->direction =
            (trilo_vec3){view.eye.x - view.target.x, view.eye.y - view.target.y, view.eye.z - view.target.z};
    }
    const bool colored = *rest || light->kind == TRILO_LIGHT_KIND_AMBIENT;
    if (colored && !render_color(rest, color))
        return false;
    memcpy(light->color, color, sizeof light->color);
    if (!colored || strlen(rest) < sizeof "rrggbbaa" - 1)
        light->color[3] = 0; /* with an alpha, a light also decides how clear things are */
    return true;
}

static exit_code read_lights(const cli_args *args, render_options *o)
{
    for (size_t i = 0; i < args->chosen_count; i++) {
        if (args->chosen[i].option->id != OPT_LIGHT)
            continue;
        if (o->light_count == RENDER_LIGHTS)
            return args_fail(args, "--light: more than %d lights", RENDER_LIGHTS);
        if (!read_light(args->chosen[i].value, &o->lights[o->light_count++]))
            return args_fail(args,
                             "--light: \"%s\" is neither AZIMUTH,ELEVATION[,COLOR] nor "
                             "point,X,Y,Z,SIZE[,COLOR][,flat] nor ambient,COLOR",
                             args->chosen[i].value);
    }
    o->scene.lights = o->light_count ? o->lights : NULL;
    o->scene.light_count = o->light_count;
    return EXIT_FINE;
}

/* "200,900", "200,900,#89a" */
static exit_code read_fog(const cli_args *args, render_options *o)
{
    const char *given = args_given(args, OPT_FOG), *rest;
    uint8_t color[4] = {255, 255, 255, 255};
    double ends[2];
    if (!given)
        return EXIT_FINE;
    if (read_numbers(given, ends, 2, &rest) != 2 || !(ends[0] >= 0 && ends[0] < ends[1]) ||
        (*rest && !render_color(rest, color)))
        return args_fail(args, "--fog: \"%s\" is not BEGIN,END[,COLOR] with increasing distances", given);
    o->scene.fog = (trilo_fog){.enabled = true, .begin = (float)ends[0], .end = (float)ends[1]};
    memcpy(o->scene.fog.color, color, sizeof o->scene.fog.color);
    return EXIT_FINE;
}

/* ---- what a game sets ---- */

static exit_code read_game(const cli_args *args, render_options *o)
{
    static const struct {
        option_id id;
        double least, most;
    } rows[] = {{OPT_NEAR, 1e-6, 1e9}, {OPT_FAR, 1e-6, 1e9}, {OPT_MODEL_SCALE, 1e-6, 1e6}, {OPT_EXPOSURE, 0.01, 100}};
    double values[sizeof rows / sizeof *rows] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *given = args_given(args, rows[i].id);
        if (given && !render_read_number(given, rows[i].least, rows[i].most, &values[i]))
            return args_fail(args, "--%s: \"%s\" is not a number from %g to %g", option_get(rows[i].id)->name, given,
                             rows[i].least, rows[i].most);
    }
    o->near_at = values[0];
    o->far_at = values[1];
    if (o->near_at > 0 && o->far_at > 0 && !(o->near_at < o->far_at))
        return args_fail(args, "--near: must be less than --far");
    o->scene.console = (trilo_console){.model_scale = (float)values[2],
                                       .exposure = (float)values[3],
                                       .lighting = (trilo_lighting_mode)args_choice(args, OPT_LIGHTING_MODE),
                                       .no_mipmaps = args_is(args, OPT_TRILINEAR, "off"),
                                       .color_32 = args_is(args, OPT_COLOR_DEPTH, "32"),
                                       .bayer = args_is(args, OPT_DITHER, "bayer"),
                                       .filter = (trilo_video_filter)args_choice(args, OPT_TV_FILTER),
                                       .gamma = args_has(args, OPT_TV_GAMMA)};
    return EXIT_FINE;
}

/* ---- the picture ---- */

static bool render_read_size(const char *text, uint32_t *width, uint32_t *height)
{
    char across[16];
    const size_t length = strcspn(text, "x");
    if (length >= sizeof across || text[length] != 'x')
        return false;
    memcpy(across, text, length);
    across[length] = '\0';
    return value_count(across, 1, SIDE_MOST, width) && value_count(text + length + 1, 1, SIDE_MOST, height);
}

/* The console's own, more for the clean look, less for many, and what a terminal shows. */
static exit_code read_picture(const cli_args *args, render_options *o)
{
    static const uint8_t ground[4] = {48, 56, 66, 255};
    const char *size = args_given(args, OPT_SIZE), *samples = args_given(args, OPT_SAMPLES);
    const char *background = args_given(args, OPT_BACKGROUND);
    o->scene.look = args_given(args, OPT_LOOK)          ? (trilo_look)args_choice(args, OPT_LOOK)
                    : o->ansi                           ? TRILO_LOOK_CLEAN
                    : o->kind == TRILO_PICTURE_KIND_GIF ? TRILO_LOOK_TV
                                                        : TRILO_LOOK_N64;
    const bool clean = o->scene.look == TRILO_LOOK_CLEAN, tv = o->scene.look == TRILO_LOOK_TV, large = clean || tv;
    o->width = o->ansi ? 80 : o->sheet ? (tv ? 320 : 160) : large && !o->uv ? 640 : 320;
    o->height = o->ansi ? 60 : o->sheet ? (tv ? 240 : 120) : o->uv ? 320 : large ? 480 : 240;
    memcpy(o->scene.background, ground, sizeof ground);
    if (size && !render_read_size(size, &o->width, &o->height))
        return args_fail(args, "--size: \"%s\" is not a size such as 320x240, from 1x1 to %dx%d", size, SIDE_MOST,
                         SIDE_MOST);
    if (tv && ((o->width | o->height) & 1) != 0)
        return args_fail(args, "--size: the television shows each pixel twice: both numbers must be even");
    if (samples && !value_count(samples, 1, SAMPLES_MOST, &o->scene.samples))
        return args_fail(args, "--samples: \"%s\" is not a number from 1 to %d", samples, SAMPLES_MOST);
    if (samples && !clean && !args_is_default(args, OPT_SAMPLES))
        return args_fail(args, "--samples: the console has one for each pixel; it needs --look clean");
    if (background && !render_color(background, o->scene.background))
        return args_fail(args, "--background: \"%s\" is neither a colour such as #80a0ff nor none", background);
    return EXIT_FINE;
}

/* ---- time ---- */

enum { GIF_RATE_MOST = 50 }; /* it counts in hundredths of a second, and 1 is shown as 10 */

static exit_code read_time(const cli_args *args, render_options *o)
{
    const char *seconds = args_given(args, OPT_TIME), *frames = args_given(args, OPT_FRAMES);
    const char *rate = args_given(args, OPT_FPS);
    o->rate = 25;
    if (seconds && !render_read_number(seconds, 0, 1e6, &o->seconds))
        return args_fail(args, "--time: \"%s\" is not a number of seconds", seconds);
    if (!o->clip && args_lacks(args, OPT_TIME, OPT_CLIP))
        return args_fail(args, "--time is a time of a clip: it needs --clip");
    if (frames && !value_count(frames, 1, FRAMES_MOST, &o->frames))
        return args_fail(args, "--frames: \"%s\" is not a number from 1 to %d", frames, FRAMES_MOST);
    if (rate && !render_read_number(rate, 0.1, 1000, &o->rate))
        return args_fail(args, "--fps: \"%s\" is not a number from 0.1 to 1000", rate);
    if (o->kind == TRILO_PICTURE_KIND_GIF && o->rate > GIF_RATE_MOST)
        return args_fail(args, "--fps: a GIF shows at most %d frames a second; .apng shows more", GIF_RATE_MOST);
    if (seconds && o->moves && !o->turntable)
        return args_fail(args, "--time is for a still picture: an animated one shows the whole clip");
    return EXIT_FINE;
}

/* ---- where to ---- */

static exit_code read_no_output(const cli_args *args)
{
    const char *last = args->operand_count > 1 ? args->operands[args->operand_count - 1] : "";
    if (path_ends(last, ".png") || path_ends(last, ".gif") || path_ends(last, ".apng"))
        return args_fail(args, "the name of the picture needs -o in front of it: -o %s", last);
    return args_fail(args, "-o OUT.png writes a picture, --ansi shows it in the terminal: one of them is needed");
}

static exit_code read_output(const cli_args *args, render_options *o)
{
    const bool many = args->operand_count > 1;
    if (o->sheet && (o->out || o->ansi || args_has(args, OPT_FRAMES) || o->turntable || o->uv))
        return args_fail(args, "--sheet makes one picture of all models: omit -o, --ansi, --frames, --turntable and "
                               "--uv");
    if (!o->out && !o->sheet && !o->ansi)
        return read_no_output(args);
    if (o->out && o->ansi)
        return args_fail(args, "-o writes a picture, --ansi shows it in the terminal: one of them");
    if (args->json && (o->ansi || (o->out && strcmp(o->out, "-") == 0)))
        return args_fail(args, "--json and the picture cannot both go to standard output");
    if (o->out && many)
        return args_fail(args, "several models need --sheet OUT.png, or --ansi");
    const char *name = o->sheet ? o->sheet : o->out ? o->out : "-";
    o->kind = path_ends(name, ".gif")    ? TRILO_PICTURE_KIND_GIF
              : path_ends(name, ".apng") ? TRILO_PICTURE_KIND_APNG
                                         : TRILO_PICTURE_KIND_PNG;
    if (strcmp(name, "-") != 0 && o->kind == TRILO_PICTURE_KIND_PNG && !path_ends(name, ".png"))
        return args_fail(args, "\"%s\": the name of the picture must end in .png, .gif or .apng", name);
    if (o->sheet && o->kind != TRILO_PICTURE_KIND_PNG)
        return args_fail(args, "--sheet: \"%s\" must end in .png", name);
    o->moves = o->kind != TRILO_PICTURE_KIND_PNG || args_has(args, OPT_FRAMES) || (o->turntable && !o->ansi);
    if (o->moves && o->kind == TRILO_PICTURE_KIND_PNG && strcmp(name, "-") == 0)
        return args_fail(args, "several frames need a name: -o OUT.png numbers them, -o OUT.gif animates them");
    if (o->moves && o->uv)
        return args_fail(args, "--uv makes a single picture");
    if (o->texture_sheet && (o->moves || o->uv || o->sheet || o->ansi))
        return args_fail(args, "--textures-sheet and --compare-formats make a single picture: -o OUT.png");
    return EXIT_FINE;
}

exit_code render_read_options(const cli_args *args, render_options *o)
{
    *o = (render_options){.args = args,
                          .out = args_given(args, OPT_OUTPUT),
                          .sheet = args_given(args, OPT_SHEET),
                          .clip = args_given(args, OPT_CLIP),
                          .textures = args_given(args, OPT_TEXTURE_PATH),
                          .ansi = args_has(args, OPT_ANSI),
                          .uv = args_has(args, OPT_UV),
                          .texture_sheet = args_has(args, OPT_TEXTURES_SHEET) || args_has(args, OPT_COMPARE_FORMATS),
                          .compare_formats = args_has(args, OPT_COMPARE_FORMATS),
                          .parts = args_has(args, OPT_PARTS),
                          .turntable = args_has(args, OPT_TURNTABLE),
                          .smooth = args_has(args, OPT_SMOOTH)};
    static const struct {
        option_id id;
        uint32_t bit;
    } rows[] = {{OPT_WIREFRAME, TRILO_SHOW_WIREFRAME},
                {OPT_BONES, TRILO_SHOW_BONES},
                {OPT_NORMALS, TRILO_SHOW_NORMALS},
                {OPT_SHOW_BVH, TRILO_SHOW_BVH},
                {OPT_PARTS, TRILO_SHOW_FACE_COLORS}};
    uint32_t shown = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        shown |= args_has(args, rows[i].id) ? rows[i].bit : 0;
    o->scene.show = shown;
    o->scene.layer = (trilo_draw_layer)args_choice(args, OPT_DRAW_LAYER);
    o->scene.antialias = (trilo_switch)args_choice(args, OPT_ANTIALIAS);
    o->scene.dither =
        args_is(args, OPT_DITHER, "bayer") ? TRILO_SWITCH_ON : (trilo_switch)args_choice(args, OPT_DITHER);
    typedef exit_code read_fn(const cli_args *args, render_options *options);
    static read_fn *const steps[] = {read_output, read_view, read_camera,  read_lights,
                                     read_fog,    read_game, read_picture, read_time};
    exit_code code = input_options(args, &o->load);
    for (size_t i = 0; code == EXIT_FINE && i < sizeof steps / sizeof *steps; i++)
        code = steps[i](args, o);
    return code;
}
