/* Why a mesh cannot be seen.
 *
 * Colour and alpha go through the combiner as ranges (interval arithmetic: Moore, "Interval Analysis", 1966). A range
 * is never too small, so what is found invisible is invisible. To name the cause, each input in turn is replaced by one
 * of any value: the first with which the mesh can be seen is the cause. */
#include "trilobite/visibility.h"
#include "base/strict_float.h"

#include "base/arena.h"
#include "base/opts.h"
#include "base/report.h"
#include "model/check.h"
#include "model/skinning.h"
#include "model/units.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "trilobite/pose.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double BLACK_MOST = 2.001 / 255; /* two steps, rounded or not: indistinguishable from black */
static const double COORDINATE_MOST = 32767, METERS_MOST = 1e6, UNITS_LEAST = 1;

/* Of each channel, red to alpha: from 0 to 1. */
typedef struct color_range {
    double low[4], high[4];
} color_range;

/* Possible causes. */
typedef enum color_source {
    FROM_TEXTURE,
    FROM_VERTICES,
    FROM_PRIM,
    FROM_ENV,
    FROM_COMBINER,
    COLOR_SOURCES
} color_source;

typedef struct mesh_colors {
    tl_combiner combiner;
    bool blends;      /* by the alpha of the pixel */
    double threshold; /* of alpha: what is below is not drawn; 0: none */
    bool lit;         /* shade is any brightness of the vertex colours */
    bool plain;       /* no N64 settings: PRIM is the base colour */
    color_range sources[COLOR_SOURCES];
    color_range texture1;
} mesh_colors;

typedef struct visibility {
    const trilo_model *model;
    color_range *textures; /* the colours of each */
    trilo_mat4 *worlds, **skins;
    bool scales;   /* some clip scales nodes */
    bool *changes; /* meshes that have vertex animation */
    tl_report *report;
} visibility;

/* ---- ranges ---- */

static color_range any_color(void)
{
    return (color_range){{0, 0, 0, 0}, {1, 1, 1, 1}};
}

static color_range one_color(const float color[4])
{
    color_range r;
    for (int i = 0; i < 4; i++)
        r.low[i] = r.high[i] = fmin(1, fmax(0, (double)color[i]));
    return r;
}

static color_range byte_color(const uint8_t color[4])
{
    color_range r;
    for (int i = 0; i < 4; i++)
        r.low[i] = r.high[i] = color[i] / 255.0;
    return r;
}

static void widen_range(color_range *r, int channel, double value)
{
    r->low[channel] = fmin(r->low[channel], value);
    r->high[channel] = fmax(r->high[channel], value);
}

static color_range range_of_image(const trilo_image *image)
{
    if (!image || image->width == 0 || image->height == 0)
        return any_color();
    color_range r = byte_color(image->pixels[0]);
    const size_t count = (size_t)image->width * image->height;
    for (size_t i = 1; i < count; i++)
        for (int k = 0; k < 4; k++)
            widen_range(&r, k, image->pixels[i][k] / 255.0);
    return r;
}

static color_range range_of_vertices(const trilo_mesh *mesh, bool lit)
{
    color_range r = {{1, 1, 1, 1}, {1, 1, 1, 1}};
    if (mesh->colors && mesh->vertex_count > 0) {
        r = one_color(mesh->colors[0]);
        for (uint32_t v = 1; v < mesh->vertex_count; v++)
            for (int k = 0; k < 4; k++)
                widen_range(&r, k, fmin(1, fmax(0, (double)mesh->colors[v][k])));
    }
    for (int k = 0; lit && k < 3; k++)
        r.low[k] = 0;
    return r;
}

/* ---- the combiner ---- */

static void input_range(const mesh_colors *c, uint8_t input, const color_range *combined, int channel, double *low,
                        double *high)
{
    static const color_range none = {{0}, {0}};
    const color_range *range = NULL;
    bool alpha = channel == 3;
    switch (input) {
    case TL_CC_ZERO:
        range = &none;
        break;
    case TL_CC_ONE:
        *low = *high = 1;
        return;
    case TL_CC_COMBINED_ALPHA:
        alpha = true; /* fall through */
    case TL_CC_COMBINED:
        range = combined;
        break;
    case TL_CC_TEX0_ALPHA:
        alpha = true; /* fall through */
    case TL_CC_TEX0:
        range = &c->sources[FROM_TEXTURE];
        break;
    case TL_CC_TEX1_ALPHA:
        alpha = true; /* fall through */
    case TL_CC_TEX1:
        range = &c->texture1;
        break;
    case TL_CC_PRIM_ALPHA:
        alpha = true; /* fall through */
    case TL_CC_PRIM:
        range = &c->sources[FROM_PRIM];
        break;
    case TL_CC_SHADE_ALPHA:
        alpha = true; /* fall through */
    case TL_CC_SHADE:
        range = &c->sources[FROM_VERTICES];
        break;
    case TL_CC_ENV_ALPHA:
        alpha = true; /* fall through */
    case TL_CC_ENV:
        range = &c->sources[FROM_ENV];
        break;
    default: /* noise, level of detail, conversion constants */
        *low = 0;
        *high = 1;
        return;
    }
    *low = range->low[alpha ? 3 : channel];
    *high = range->high[alpha ? 3 : channel];
}

/* (A - B) * C + D. The console does not clamp what the second cycle gets, and wraps far outside of 0 to 1: then any
 * value is possible. */
static void combine_range(const mesh_colors *c, int cycle, const color_range *combined, int channel, double *low,
                          double *high)
{
    const uint8_t *slots = c->combiner.cycles[cycle] + (channel == 3 ? TL_CC_ALPHA_A : TL_CC_RGB_A);
    double from[4], to[4];
    for (int i = 0; i < 4; i++)
        input_range(c, slots[i], combined, channel, &from[i], &to[i]);
    const double least = slots[0] == slots[1] ? 0 : from[0] - to[1], most = slots[0] == slots[1] ? 0 : to[0] - from[1];
    const double products[4] = {least * from[2], least * to[2], most * from[2], most * to[2]};
    const double sum_low = fmin(fmin(products[0], products[1]), fmin(products[2], products[3])) + from[3];
    const double sum_high = fmax(fmax(products[0], products[1]), fmax(products[2], products[3])) + to[3];
    const bool wraps = sum_low < -0.5 || sum_high > 1.5;
    *low = wraps ? -0.5 : sum_low;
    *high = wraps ? 1.5 : sum_high;
}

static color_range pixel_range(const mesh_colors *c)
{
    color_range combined = {{0}, {0}};
    for (int cycle = 0; cycle < c->combiner.cycle_count; cycle++) {
        color_range next;
        for (int k = 0; k < 4; k++)
            combine_range(c, cycle, &combined, k, &next.low[k], &next.high[k]);
        combined = next;
    }
    return combined;
}

static bool is_clear(const mesh_colors *c)
{
    const double alpha = pixel_range(c).high[3];
    return (c->blends && alpha < 0.5 / 255) || (c->threshold > 0 && alpha < c->threshold - 1e-6);
}

static bool is_black(const mesh_colors *c)
{
    const color_range r = pixel_range(c);
    return r.high[0] <= BLACK_MOST && r.high[1] <= BLACK_MOST && r.high[2] <= BLACK_MOST;
}

/* ---- materials ---- */

static color_range range_of_texture(const visibility *v, uint32_t texture)
{
    return texture != TRILO_NONE ? v->textures[texture] : range_of_image(NULL);
}

static color_range prim_or_env(const uint8_t color[4], bool is_set)
{
    return is_set ? byte_color(color) : any_color(); /* the game sets it */
}

static void colors_of_n64(const visibility *v, const trilo_n64_material *m, mesh_colors *c)
{
    const uint8_t set = trilo_n64_colors_set(m->set_flags, m->other_mode);
    const bool compares = (m->other_mask & 1) != 0 && tl_mode_compares_alpha(m->other_mode) &&
                          tl_mode_get(m->other_mode, TL_MODE_ALPHA_COMPARE) == TL_ALPHA_COMPARE_THRESHOLD;
    const tl_blend_pass pass = tl_blend_unpack(m->blender, 1);
    c->combiner = tl_combiner_decode(m->combiner);
    c->blends = m->blender != 0 && pass.p == TL_BLEND_PIXEL && pass.a == TL_BLEND_A_PIXEL;
    c->threshold = compares ? m->blend[3] / 255.0 : 0; /* which comparing sets */
    c->lit = (m->draw_flags & TRILO_N64_UNLIT) == 0;
    c->sources[FROM_PRIM] = prim_or_env(m->prim, (set & TRILO_N64_SET_PRIM) != 0);
    c->sources[FROM_ENV] = prim_or_env(m->env, (set & TRILO_N64_SET_ENV) != 0);
    c->sources[FROM_TEXTURE] = range_of_texture(v, m->tiles[0].texture);
    c->texture1 = range_of_texture(v, m->tiles[m->tiles[1].texture == TRILO_NONE ? 0 : 1].texture);
}

static void colors_of_plain(const visibility *v, const trilo_material *m, mesh_colors *c)
{
    const uint8_t first = m->texture != TRILO_NONE ? TL_CC_TEX0 : TL_CC_ONE;
    const trilo_pbr *pbr = m->pbr;
    const bool emits = pbr && !m->unlit && (pbr->emissive[0] > 0 || pbr->emissive[1] > 0 || pbr->emissive[2] > 0);
    const tl_combiner product = {
        .cycle_count = 2,
        .cycles = {{first, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO, first, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO},
                   {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, emits ? TL_CC_ENV : TL_CC_ZERO, TL_CC_COMBINED, TL_CC_ZERO,
                    TL_CC_PRIM, TL_CC_ZERO}}};
    c->combiner = product;
    c->plain = true;
    c->blends = m->alpha == TRILO_ALPHA_BLEND;
    c->threshold = m->alpha != TRILO_ALPHA_CUTOUT ? 0 : m->alpha_cutoff > 0 ? (double)m->alpha_cutoff : 0.5;
    c->lit = !m->unlit;
    c->sources[FROM_PRIM] = one_color(m->base_color);
    c->sources[FROM_ENV] = any_color();
    c->sources[FROM_TEXTURE] = c->texture1 = range_of_texture(v, m->texture);
}

/* False: the material leaves the state to the material before, or to the engine. */
static bool mesh_colors_of(const visibility *v, const trilo_mesh *mesh, mesh_colors *c)
{
    static const trilo_material white = {.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    const trilo_material *m = mesh->material == TRILO_NONE ? &white : &v->model->materials[mesh->material];
    *c = (mesh_colors){.plain = false};
    if (m->n64 && (m->n64->combiner == 0 || (m->n64->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0))
        return false;
    if (m->n64)
        colors_of_n64(v, m->n64, c);
    else
        colors_of_plain(v, m, c);
    /* Lights of Tiny3D have an alpha, and may be added to the vertex colours: lit on the console, shade is any colour.
     */
    c->sources[FROM_VERTICES] = m->n64 && c->lit ? any_color() : range_of_vertices(mesh, c->lit);
    return true;
}

typedef bool unseen_fn(const mesh_colors *colors);

/* The first input that makes the mesh visible if it has another value. */
static color_source find_culprit(const mesh_colors *c, unseen_fn *is_unseen)
{
    for (int i = 0; i < FROM_COMBINER; i++) {
        mesh_colors other = *c;
        other.sources[i] = any_color();
        if (i == FROM_TEXTURE)
            other.texture1 = any_color();
        if (!is_unseen(&other))
            return (color_source)i;
    }
    return FROM_COMBINER;
}

static const char *source_name(const mesh_colors *c, color_source source)
{
    static const char *const names[COLOR_SOURCES] = {"the texture", "the vertex colours", "the primitive colour",
                                                     "the environment colour", "several colours of the combiner"};
    return c->plain && source == FROM_PRIM ? "the base colour" : names[source];
}

/* ---- geometry ---- */

typedef struct mesh_geometry {
    uint32_t count;                 /* triangles or lines */
    uint32_t not_finite, with_area; /* of these; the area of a line is its length */
    bool stored_area;               /* some have an area before their nodes move them */
    trilo_bounds box;               /* of the finite corners, in the rest pose */
} mesh_geometry;

static bool has_area(const float (*p)[3], const uint32_t *index, uint32_t corners)
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)p[index[1]][k] - p[index[0]][k];
        b[k] = (double)p[index[corners - 1]][k] - p[index[0]][k];
    }
    if (corners == 2)
        return a[0] != 0 || a[1] != 0 || a[2] != 0;
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    const double sides = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
    return sqrt(x * x + y * y + z * z) > 1e-9 * sides;
}

static bool is_finite_vertex(const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static bool geometry_of(const visibility *v, uint32_t number, tl_arena *scratch, mesh_geometry *s)
{
    const trilo_mesh *mesh = &v->model->meshes[number];
    const uint32_t corners = mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3;
    float(*posed)[3] = tl_array_raw(scratch, mesh->vertex_count, sizeof *posed);
    const trilo_mat4 *skin = mesh->skin != TRILO_NONE ? v->skins[mesh->skin] : NULL;
    *s = (mesh_geometry){.count = mesh->index_count / corners,
                         .box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    if (!posed)
        return false;
    trilo_pose_mesh(v->model, number, v->worlds, skin, posed, NULL);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t *index = mesh->indices + (size_t)i * corners;
        bool finite = true;
        for (uint32_t k = 0; k < corners; k++)
            finite = finite && is_finite_vertex(posed[index[k]]);
        s->stored_area = s->stored_area || has_area(mesh->positions, index, corners);
        if (!finite) {
            s->not_finite++;
            continue;
        }
        s->with_area += has_area((const float(*)[3])posed, index, corners);
        for (uint32_t k = 0; k < corners; k++) {
            const float *p = posed[index[k]];
            s->box.min = (trilo_vec3){fminf(s->box.min.x, p[0]), fminf(s->box.min.y, p[1]), fminf(s->box.min.z, p[2])};
            s->box.max = (trilo_vec3){fmaxf(s->box.max.x, p[0]), fmaxf(s->box.max.y, p[1]), fmaxf(s->box.max.z, p[2])};
        }
    }
    return true;
}

static double outermost(const trilo_bounds *box)
{
    const double low = fmin(box->min.x, fmin(box->min.y, box->min.z)),
                 high = fmax(box->max.x, fmax(box->max.y, box->max.z));
    return fmax(fabs(low), fabs(high));
}

/* True if the whole box is beyond the 16 bits on some axis. */
static bool is_out_of_range(const trilo_bounds *box, double scale)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    for (int k = 0; k < 3; k++)
        if (low[k] * scale > COORDINATE_MOST || high[k] * scale < -COORDINATE_MOST - 1)
            return true;
    return false;
}

/* ---- meshes ---- */

/* NULL: it can be seen. Otherwise *text says why. */
static const trilo_rule *unseen_geometry(const visibility *v, uint32_t number, const mesh_geometry *s, char *text,
                                         size_t room)
{
    const trilo_model *model = v->model;
    const double units = tl_units_per_meter(model), scale = trilo_n64_default_scale(model);
    if (s->not_finite == s->count) {
        snprintf(text, room, "no triangle has finite coordinates");
        return &tl_general_rules[TL_SEEN_NAN];
    }
    if (s->with_area == 0 && !v->scales && !v->changes[number]) {
        snprintf(text, room, "%s",
                 s->stored_area ? "a node above scales it to 0, so no triangle has an area"
                                : "no triangle has an area: their corners coincide or are on a line");
        return &tl_general_rules[TL_SEEN_FLAT];
    }
    if (outermost(&s->box) > METERS_MOST * units) {
        snprintf(text, room, "a coordinate of %.4g is beyond what a camera can show", outermost(&s->box));
        return &tl_general_rules[TL_SEEN_SIZE];
    }
    if (is_out_of_range(&s->box, scale)) {
        snprintf(text, room, "all of it is outside the 16-bit coordinates of the console at scale %.4g", scale);
        return &tl_general_rules[TL_SEEN_RANGE];
    }
    return NULL;
}

static const trilo_rule *unseen_material(const visibility *v, const trilo_mesh *mesh, char *text, size_t room)
{
    const trilo_n64_material *n64 = mesh->material != TRILO_NONE ? v->model->materials[mesh->material].n64 : NULL;
    const uint32_t both = TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK;
    mesh_colors c;
    if (n64 && (n64->draw_flags & both) == both) {
        snprintf(text, room, "its material culls front and back faces");
        return &tl_general_rules[TL_SEEN_CULLED];
    }
    if (!mesh_colors_of(v, mesh, &c) || !is_clear(&c))
        return NULL;
    const color_source culprit = find_culprit(&c, is_clear);
    snprintf(text, room, "%s %s %s everywhere", source_name(&c, culprit),
             culprit == FROM_VERTICES || culprit == FROM_COMBINER ? "have an alpha of" : "has an alpha of",
             c.threshold > 0 ? "less than the threshold" : "0");
    return &tl_general_rules[culprit == FROM_TEXTURE ? TL_SEEN_TEXTURE : TL_SEEN_ALPHA];
}

static const trilo_rule *unseen_black(const visibility *v, const trilo_mesh *mesh, char *text, size_t room)
{
    mesh_colors c;
    if (!mesh_colors_of(v, mesh, &c) || !is_black(&c))
        return NULL;
    const color_source culprit = find_culprit(&c, is_black);
    snprintf(text, room, "it is black: %s %s", source_name(&c, culprit),
             culprit == FROM_VERTICES || culprit == FROM_COMBINER ? "are" : "is");
    return &tl_general_rules[culprit == FROM_TEXTURE ? TL_SEEN_TEXTURE : TL_SEEN_BLACK];
}

static void report_mesh(const visibility *v, uint32_t number, const trilo_rule *rule, const char *text)
{
    const trilo_str name = v->model->meshes[number].name;
    tl_path_push(&v->report->path, "meshes", number);
    tl_report_finding(v->report, rule, TRILO_NOWHERE, name.len > 0 ? "\"%.60s\": %s" : "%.0s%s",
                      name.len > 0 ? name.data : "", text);
    tl_path_pop(&v->report->path);
}

/* A model that is tiny as a whole. */
static void report_tiny(const visibility *v, const trilo_bounds *box, bool *visible)
{
    const double x = (double)box->max.x - box->min.x, y = (double)box->max.y - box->min.y,
                 z = (double)box->max.z - box->min.z;
    const double units = fmax(x, fmax(y, z)) * trilo_n64_default_scale(v->model);
    if (!(units < UNITS_LEAST))
        return;
    tl_report_finding(v->report, &tl_general_rules[TL_SEEN_SIZE], TRILO_NOWHERE,
                      "the whole model is %.4g units of the console wide", units);
    *visible = false;
}

static bool look_at_meshes(visibility *v, const trilo_memory *memory, bool *visible)
{
    const trilo_model *model = v->model;
    uint32_t seen = 0, black = 0, drawn = 0;
    trilo_bounds box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    char text[256];
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        tl_arena scratch;
        mesh_geometry geometry;
        tl_arena_init(&scratch, memory);
        const bool ok = geometry_of(v, i, &scratch, &geometry);
        tl_arena_free(&scratch);
        if (!ok)
            return false;
        if (geometry.count == 0)
            continue;
        drawn++;
        const trilo_rule *why = unseen_geometry(v, i, &geometry, text, sizeof text);
        why = why ? why : unseen_material(v, &model->meshes[i], text, sizeof text);
        if (why) {
            report_mesh(v, i, why, text);
            continue;
        }
        seen++;
        black += unseen_black(v, &model->meshes[i], text, sizeof text) != NULL;
        box.min = (trilo_vec3){fminf(box.min.x, geometry.box.min.x), fminf(box.min.y, geometry.box.min.y),
                               fminf(box.min.z, geometry.box.min.z)};
        box.max = (trilo_vec3){fmaxf(box.max.x, geometry.box.max.x), fmaxf(box.max.y, geometry.box.max.y),
                               fmaxf(box.max.z, geometry.box.max.z)};
    }
    *visible = seen > black;
    if (drawn == 0)
        tl_report_finding(v->report, &tl_general_rules[TL_SEEN_EMPTY], TRILO_NOWHERE,
                          "no mesh has a triangle or a line: there is nothing to draw");
    for (uint32_t i = 0; seen > 0 && black == seen && i < model->mesh_count; i++) {
        const trilo_rule *why =
            model->meshes[i].index_count > 0 ? unseen_black(v, &model->meshes[i], text, sizeof text) : NULL;
        if (why)
            report_mesh(v, i, why, text);
    }
    if (seen > 0)
        report_tiny(v, &box, visible);
    return true;
}

/* A clip may give a mesh a size, and vertex animation other positions. */
static void find_changing_meshes(visibility *v)
{
    for (uint32_t i = 0; i < v->model->clip_count; i++) {
        const trilo_clip *clip = &v->model->clips[i];
        for (uint32_t k = 0; k < clip->channel_count; k++) {
            const trilo_target target = clip->channels[k].target;
            v->scales = v->scales || target == TRILO_TARGET_SCALE || target >= TRILO_TARGET_SCALE_X;
        }
        for (uint32_t k = 0; k < clip->track_count; k++)
            v->changes[clip->tracks[k].mesh] = true;
    }
}

/* What meshes share is computed once. */
static bool look_at_model(visibility *v, const trilo_image *const *textures, tl_arena *arena)
{
    const trilo_model *model = v->model;
    trilo_mat4 *locals = tl_array_raw(arena, model->node_count, sizeof *locals);
    v->worlds = tl_array_raw(arena, model->node_count, sizeof *v->worlds);
    v->skins = tl_skins_new(arena, model);
    v->changes = TL_ARRAY(arena, model->mesh_count, bool);
    v->textures = tl_array_raw(arena, model->texture_count, sizeof *v->textures);
    if (!locals || !v->worlds || !v->skins || !v->changes || !v->textures)
        return false;
    trilo_pose_locals(model, TRILO_NONE, 0, locals);
    trilo_pose_worlds(model, locals, v->worlds);
    tl_skins_pose(model, v->worlds, v->skins);
    find_changing_meshes(v);
    for (uint32_t i = 0; i < model->texture_count; i++)
        v->textures[i] = range_of_image(textures ? textures[i] : NULL);
    return true;
}

bool trilo_model_visible(const trilo_model *model, const trilo_visibility_opts *opts, trilo_error *err)
{
    trilo_visibility_opts own;
    trilo_error ignored;
    err = err ? err : &ignored;
    *err = (trilo_error){.code = TRILO_CODE_OK};
    if (!TL_OPTS_TAKE(&own, opts, err) || !tl_model_check(model, &own.memory, err))
        return false;
    tl_report report = {.fn = own.on_finding, .user = own.on_finding_user};
    tl_arena arena;
    tl_arena_init(&arena, &own.memory);
    visibility v = {.model = model, .report = &report};
    bool visible = false;
    const bool ok = look_at_model(&v, own.textures, &arena) && look_at_meshes(&v, &own.memory, &visible);
    tl_arena_free(&arena);
    return ok ? visible : tl_fail_memory(err);
}
