/* A primitive: its faces as plain triangles or lines, its attributes as floats.
 *
 * A primitive may name only a few of many vertices that it shares with others. Then it gets those alone: otherwise a
 * small file could ask for any number of copies of all of them. */
#include "formats/gltf/decode/decode.h"

#include "base/gamma.h"
#include "base/sort.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODE_POINTS, MODE_LINES, MODE_LINE_LOOP, MODE_LINE_STRIP, MODE_TRIANGLES, MODE_STRIP, MODE_FAN, MODE_COUNT };

/* --- faces --- */

/* What a primitive draws, in its own words. */
typedef struct outline {
    uint32_t mode, count; /* vertices that are named, one after the other */
    const uint32_t *list; /* NULL: 0, 1, 2 and so on */
} outline;

static uint32_t named(const outline *o, uint32_t i)
{
    return o->list ? o->list[i] : i;
}

static uint32_t corners_of(const outline *o)
{
    return o->mode >= MODE_TRIANGLES ? 3 : 2;
}

static uint64_t face_count(const outline *o)
{
    const uint32_t n = o->count;
    switch (o->mode) {
    case MODE_LINES:
        return n / 2;
    case MODE_LINE_LOOP:
        return n > 1 ? n : 0;
    case MODE_LINE_STRIP:
        return n > 1 ? n - 1 : 0;
    case MODE_TRIANGLES:
        return n / 3;
    case MODE_STRIP:
    case MODE_FAN:
        return n > 2 ? n - 2 : 0;
    default:
        return 0;
    }
}

/* Where the corners of a face stand in the list. In a strip every second triangle is turned round. */
static void face_at(const outline *o, uint32_t i, uint32_t at[3])
{
    const uint32_t odd = i % 2;
    switch (o->mode) {
    case MODE_LINES:
        at[0] = 2 * i, at[1] = 2 * i + 1;
        break;
    case MODE_LINE_LOOP:
    case MODE_LINE_STRIP:
        at[0] = i, at[1] = i + 1 < o->count ? i + 1 : 0;
        break;
    case MODE_TRIANGLES:
        at[0] = 3 * i, at[1] = 3 * i + 1, at[2] = 3 * i + 2;
        break;
    case MODE_STRIP:
        at[0] = i, at[1] = i + 1 + odd, at[2] = i + 2 - odd;
        break;
    default:
        at[0] = i + 1, at[1] = i + 2, at[2] = 0;
        break;
    }
}

/* Strips are sewn together with triangles without an area; those are no part of the shape. */
static bool is_seam(const outline *o, const uint32_t *face)
{
    return o->mode >= MODE_STRIP && (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]);
}

static bool write_faces(gltf_decoder *d, const outline *o, gltf_shape *shape)
{
    const uint64_t faces = face_count(o);
    const uint32_t corners = corners_of(o);
    if (faces > UINT32_MAX / corners)
        return false;
    uint32_t *indices = tl_array_raw(d->arena, (size_t)faces * corners, sizeof *indices), at[3] = {0, 0, 0};
    if (!indices)
        return false;
    shape->mesh.indices = indices;
    for (uint32_t i = 0; i < faces; i++) {
        uint32_t *face = indices + shape->mesh.index_count;
        face_at(o, i, at);
        for (uint32_t k = 0; k < corners; k++)
            face[k] = named(o, at[k]);
        if (!is_seam(o, face))
            shape->mesh.index_count += corners;
    }
    return true;
}

static bool read_list(gltf_decoder *d, const tl_json *primitive, outline *o)
{
    gltf_accessor a;
    const uint32_t index = tl_gltf_index(d->file, primitive, "indices", GLTF_ACCESSORS, NULL);
    if (index == TRILO_NONE)
        return true;
    if (tl_gltf_accessor(d->file, index, &a) || a.width != 1 || a.component == GLTF_F32)
        return tl_gltf_refuse(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_INDEX), primitive,
                              "the indices cannot be read");
    uint32_t *list = tl_array_raw(&d->scratch, a.count, sizeof *list);
    if (!list)
        return false;
    tl_gltf_uints(&a, list, 1);
    o->list = list;
    o->count = a.count;
    return true;
}

static bool decode_faces(gltf_decoder *d, const tl_json *primitive, gltf_shape *shape)
{
    outline o = {MODE_TRIANGLES, shape->source_count, NULL};
    const tl_json *mode = tl_json_member(primitive, "mode");
    if (mode && (!tl_json_uint(mode, &o.mode) || o.mode >= MODE_COUNT))
        return true; /* draws nothing */
    if (!read_list(d, primitive, &o) || !write_faces(d, &o, shape))
        return false;
    for (uint32_t i = 0; i < shape->mesh.index_count; i++)
        if (shape->mesh.indices[i] >= shape->source_count)
            return tl_gltf_refuse(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_INDEX), primitive,
                                  "an index names a vertex that is not there");
    shape->mesh.topology = corners_of(&o) == 3 ? TRILO_TOPOLOGY_TRIANGLES : TRILO_TOPOLOGY_LINES;
    shape->draws = shape->mesh.index_count > 0;
    return true;
}

/* --- vertices --- */

static int64_t index_key(const void *rows, uint32_t row)
{
    return ((const uint32_t *)rows)[row];
}

/* Where there are far fewer indices than vertices, the vertices that they name, in their order. */
static bool pick_vertices(gltf_decoder *d, gltf_shape *shape)
{
    const uint32_t count = shape->mesh.index_count;
    uint32_t *indices = (uint32_t *)(uintptr_t)shape->mesh.indices, kept = 0;
    shape->mesh.vertex_count = shape->source_count;
    if (count >= shape->source_count / 2)
        return true;
    uint32_t *order = tl_array_raw(&d->scratch, count, sizeof *order);
    uint32_t *rows = tl_array_raw(&d->scratch, count, sizeof *rows);
    if (!order || !rows)
        return false;
    tl_sort_rows(order, count, index_key, indices);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = indices[order[i]];
        if (kept == 0 || rows[kept - 1] != row)
            rows[kept++] = row;
        indices[order[i]] = kept - 1;
    }
    shape->rows = rows;
    shape->mesh.vertex_count = kept;
    return true;
}

/* One element alone, of an accessor without a sparse part. */
static gltf_accessor element(const gltf_accessor *a, uint32_t row)
{
    gltf_accessor one = *a;
    one.count = 1;
    if (a->data)
        one.data = a->data + row * a->stride;
    return one;
}

static bool gather_floats(gltf_decoder *d, const gltf_shape *shape, const gltf_accessor *a, bool normalize, float *out,
                          uint32_t width)
{
    const uint32_t used = a->width < width ? a->width : width;
    float *all = a->sparse_count > 0 ? tl_array_raw(&d->scratch, a->count, width * sizeof *all) : NULL;
    if (a->sparse_count > 0 && !all)
        return false;
    if (all)
        tl_gltf_floats(a, normalize, all, width);
    for (uint32_t i = 0; i < shape->mesh.vertex_count; i++) {
        const gltf_accessor one = element(a, shape->rows[i]);
        if (all)
            memcpy(out + (size_t)i * width, all + (size_t)shape->rows[i] * width, used * sizeof *out);
        else
            tl_gltf_floats(&one, normalize, out + (size_t)i * width, width);
    }
    return true;
}

static bool fits_shape(const gltf_decoder *d, const gltf_shape *shape, uint32_t index, uint32_t least, gltf_accessor *a)
{
    return index != TRILO_NONE && !tl_gltf_accessor(d->file, index, a) && a->count == shape->source_count &&
           a->width >= least && !a->matrix;
}

bool tl_gltf_floats_of(gltf_decoder *d, const gltf_shape *shape, gltf_attribute attribute, tl_arena *arena, float **out)
{
    gltf_accessor a;
    const uint32_t width = attribute.width;
    const size_t count = shape->mesh.vertex_count;
    *out = NULL;
    if (!fits_shape(d, shape, attribute.accessor, attribute.least, &a))
        return true;
    float *floats = tl_array_raw(arena, count, width * sizeof *floats);
    if (!floats)
        return false;
    for (size_t i = 0; a.width < width && i < count * width; i++)
        floats[i] = 1;
    *out = floats;
    if (shape->rows)
        return gather_floats(d, shape, &a, attribute.normalize, floats, width);
    tl_gltf_floats(&a, attribute.normalize, floats, width);
    return true;
}

static uint32_t attribute_named(const gltf_decoder *d, const tl_json *primitive, const char *name)
{
    return tl_gltf_index(d->file, tl_json_member(primitive, "attributes"), name, GLTF_ACCESSORS, NULL);
}

static uint32_t attribute_numbered(const gltf_decoder *d, const tl_json *primitive, const char *name, uint32_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%s_%u", name, (unsigned)number);
    return attribute_named(d, primitive, text);
}

/* --- positions, normals, colours, texture coordinates --- */

static bool decode_space(gltf_decoder *d, const tl_json *primitive, gltf_shape *shape)
{
    float *positions, *normals;
    const gltf_attribute position = {attribute_named(d, primitive, "POSITION"), 3, 3, false};
    const gltf_attribute normal = {attribute_named(d, primitive, "NORMAL"), 3, 3, true};
    if (!tl_gltf_floats_of(d, shape, position, d->arena, &positions) ||
        !tl_gltf_floats_of(d, shape, normal, d->arena, &normals))
        return false;
    shape->mesh.positions = (const float(*)[3])positions;
    shape->mesh.normals = (const float(*)[3])normals;
    return true;
}

/* Light becomes what a screen shows; there is nothing below black and above white. */
static float shown_part(float part, bool srgb)
{
    const float shown = srgb ? tl_srgb_encode(part) : tl_gamma_encode(part);
    return shown < 1 ? shown : 1;
}

static bool decode_colors(gltf_decoder *d, const tl_json *primitive, gltf_shape *shape)
{
    const gltf_attribute color = {attribute_named(d, primitive, "COLOR_0"), 3, 4, true};
    const bool srgb = d->file->opts->gltf.srgb;
    float *colors;
    if (!tl_gltf_floats_of(d, shape, color, d->arena, &colors))
        return false;
    for (size_t i = 0; colors && i < (size_t)shape->mesh.vertex_count * 4; i++) {
        const float part = colors[i];
        colors[i] = i % 4 != 3 ? shown_part(part, srgb) : part > 0 ? part < 1 ? part : 1 : 0;
    }
    shape->mesh.colors = (const float(*)[4])colors;
    return true;
}

static bool decode_uvs(gltf_decoder *d, const tl_json *primitive, gltf_shape *shape)
{
    static const gltf_uv_use plain = {0, false, {1, 0, 0, 0, 1, 0}};
    const gltf_uv_use *use = shape->mesh.material == TRILO_NONE ? &plain : &d->uv_uses[shape->mesh.material];
    const gltf_attribute uv = {attribute_numbered(d, primitive, "TEXCOORD", use->set), 2, 2, false};
    float *uvs;
    if (!tl_gltf_floats_of(d, shape, uv, d->arena, &uvs))
        return false;
    for (uint32_t i = 0; uvs && use->moved && i < shape->mesh.vertex_count; i++) {
        const double u = uvs[2 * (size_t)i], v = uvs[2 * (size_t)i + 1];
        uvs[2 * (size_t)i] = gltf_float(use->m[0] * u + use->m[1] * v + use->m[2]);
        uvs[2 * (size_t)i + 1] = gltf_float(use->m[3] * u + use->m[4] * v + use->m[5]);
    }
    shape->mesh.uvs = (const float(*)[2])uvs;
    return true;
}

/* --- joints and weights --- */

enum { INFLUENCES = 4, JOINT_SETS = 16 };

/* Where the smallest weight is, the last of equal ones. */
static int smallest(const float weights[INFLUENCES])
{
    int at = 0;
    for (int i = 1; i < INFLUENCES; i++)
        if (weights[i] <= weights[at])
            at = i;
    return at;
}

static void influence(uint16_t joints[INFLUENCES], float weights[INFLUENCES], uint16_t joint, float weight)
{
    const int at = smallest(weights);
    if (!(weight > weights[at]))
        return;
    joints[at] = joint;
    weights[at] = weight;
}

/* A sum of 1, without touching what is right already. */
static void even_out(float weights[INFLUENCES])
{
    const double sum = (double)weights[0] + weights[1] + weights[2] + weights[3];
    if (!(sum > 0) || fabs(sum - 1) <= 1e-6)
        return;
    for (int i = 0; i < INFLUENCES; i++)
        weights[i] = (float)(weights[i] / sum);
}

/* The first set fills the places in its own order; of all others only what is stronger gets in. */
static void take_set(gltf_shape *shape, const float *joints, const float *weights, bool first,
                     uint16_t (*out_joints)[INFLUENCES], float (*out_weights)[INFLUENCES])
{
    for (uint32_t v = 0; v < shape->mesh.vertex_count; v++)
        for (int i = 0; i < INFLUENCES; i++) {
            const float weight = weights[(size_t)v * 4 + (size_t)i], joint = joints[(size_t)v * 4 + (size_t)i];
            if (!(weight > 0) || !tl_is_finite(weight))
                continue;
            shape->top_joint = joint > (float)shape->top_joint ? (uint32_t)joint : shape->top_joint;
            if (first)
                out_joints[v][i] = (uint16_t)joint, out_weights[v][i] = weight;
            else
                influence(out_joints[v], out_weights[v], (uint16_t)joint, weight);
        }
}

/* Joints are whole numbers of at most 16 bits: floats hold them exactly. */
static bool read_set(gltf_decoder *d, const tl_json *primitive, const gltf_shape *shape, uint32_t set, float **joints,
                     float **weights)
{
    gltf_accessor a;
    const gltf_attribute joint = {attribute_numbered(d, primitive, "JOINTS", set), 4, 4, false};
    const gltf_attribute weight = {attribute_numbered(d, primitive, "WEIGHTS", set), 4, 4, true};
    *joints = *weights = NULL;
    if (!fits_shape(d, shape, joint.accessor, 4, &a) || a.normalized ||
        (a.component != GLTF_U8 && a.component != GLTF_U16))
        return true;
    return tl_gltf_floats_of(d, shape, joint, &d->scratch, joints) &&
           tl_gltf_floats_of(d, shape, weight, &d->scratch, weights);
}

static bool decode_joints(gltf_decoder *d, const tl_json *primitive, gltf_shape *shape)
{
    uint16_t(*joints)[INFLUENCES] = NULL;
    float(*weights)[INFLUENCES] = NULL;
    for (uint32_t set = 0; set < JOINT_SETS; set++) {
        float *set_joints, *set_weights;
        if (!read_set(d, primitive, shape, set, &set_joints, &set_weights))
            return false;
        if (!set_joints || !set_weights)
            break;
        if (set == 0) {
            joints = tl_array(d->arena, shape->mesh.vertex_count, sizeof *joints);
            weights = tl_array(d->arena, shape->mesh.vertex_count, sizeof *weights);
        }
        if (!joints || !weights)
            return false;
        take_set(shape, set_joints, set_weights, set == 0, joints, weights);
    }
    for (uint32_t v = 0; weights && v < shape->mesh.vertex_count; v++)
        even_out(weights[v]);
    shape->mesh.joints = (const uint16_t(*)[INFLUENCES])joints;
    shape->mesh.weights = (const float(*)[INFLUENCES])weights;
    return true;
}

/* --- all of it --- */

bool tl_gltf_decode_shape(gltf_decoder *d, const tl_json *primitive, gltf_shape *shape)
{
    gltf_accessor a;
    const uint32_t position = attribute_named(d, primitive, "POSITION");
    const tl_json *targets = tl_json_member(primitive, "targets");
    *shape = (gltf_shape){.mesh = {.node = TRILO_NONE, .skin = TRILO_NONE}};
    shape->mesh.material = tl_gltf_index(d->file, primitive, "material", GLTF_MATERIALS, NULL);
    if (position == TRILO_NONE || tl_gltf_accessor(d->file, position, &a) || a.width != 3)
        return true;
    shape->source_count = a.count;
    if (targets && targets->kind == TL_JSON_ARRAY) {
        shape->targets = targets;
        shape->target_count = targets->count;
    }
    if (!decode_faces(d, primitive, shape))
        return false;
    return !shape->draws ||
           (pick_vertices(d, shape) && decode_space(d, primitive, shape) && decode_colors(d, primitive, shape) &&
            decode_uvs(d, primitive, shape) && decode_joints(d, primitive, shape));
}
