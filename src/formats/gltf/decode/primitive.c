/* Primitives: triangle or line lists, attributes as floats.
 *
 * A primitive may use a few of many vertices that it shares with others. It then gets only those: otherwise a small
 * file could ask for any number of copies of all of them. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"

#include "base/float4.h"
#include "base/gamma.h"
#include "base/sort.h"
#include <math.h>
#include <stdio.h>

enum {
    GLTF_MODE_POINTS,
    GLTF_MODE_LINES,
    GLTF_MODE_LINE_LOOP,
    GLTF_MODE_LINE_STRIP,
    GLTF_MODE_TRIANGLES,
    GLTF_MODE_TRIANGLE_STRIP,
    GLTF_MODE_TRIANGLE_FAN,
    GLTF_MODE_COUNT
};

/* --- indices --- */

/* Of triangles or lines that n vertices make. */
static uint32_t gltf_face_count(uint32_t mode, uint32_t n)
{
    switch (mode) {
    case GLTF_MODE_LINES:
        return n / 2;
    case GLTF_MODE_LINE_LOOP:
        return n > 1 ? n : 0;
    case GLTF_MODE_LINE_STRIP:
        return n > 1 ? n - 1 : 0;
    case GLTF_MODE_TRIANGLES:
        return n / 3;
    case GLTF_MODE_TRIANGLE_STRIP:
    case GLTF_MODE_TRIANGLE_FAN:
        return n > 2 ? n - 2 : 0;
    default:
        return 0;
    }
}

/* The corners of the i-th triangle or line of n vertices ("Meshes"). Every second triangle of a strip is reversed. */
static void gltf_face_corners(uint32_t mode, uint32_t n, uint32_t i, uint32_t at[3])
{
    const uint32_t odd = i % 2;
    switch (mode) {
    case GLTF_MODE_LINES:
        at[0] = 2 * i, at[1] = 2 * i + 1;
        break;
    case GLTF_MODE_LINE_LOOP:
    case GLTF_MODE_LINE_STRIP:
        at[0] = i, at[1] = i + 1 < n ? i + 1 : 0;
        break;
    case GLTF_MODE_TRIANGLES:
        at[0] = 3 * i, at[1] = 3 * i + 1, at[2] = 3 * i + 2;
        break;
    case GLTF_MODE_TRIANGLE_STRIP:
        at[0] = i, at[1] = i + 1 + odd, at[2] = i + 2 - odd;
        break;
    default:
        at[0] = i + 1, at[1] = i + 2, at[2] = 0;
        break;
    }
}

/* Strips are joined by degenerate triangles, which are left out. `list` may be NULL: vertices in their order. Returns
 * the number of indices. */
static uint32_t gltf_list_faces(uint32_t mode, uint32_t count, uint32_t faces, const uint32_t *list, uint32_t *indices)
{
    const uint32_t corners = mode >= GLTF_MODE_TRIANGLES ? 3 : 2;
    uint32_t listed = 0, at[3] = {0, 0, 0};
    for (uint32_t i = 0; i < faces; i++) {
        uint32_t *face = indices + listed;
        gltf_face_corners(mode, count, i, at);
        for (uint32_t k = 0; k < corners; k++)
            face[k] = list ? list[at[k]] : at[k];
        if (mode < GLTF_MODE_TRIANGLE_STRIP || (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]))
            listed += corners;
    }
    return listed;
}

/* A mode that glTF does not have draws nothing. */
static bool gltf_decode_indices(gltf_decoder *d, const tl_json *json, gltf_primitive *out)
{
    gltf_accessor a;
    const uint32_t index = tl_gltf_index(d->file, json, "indices", GLTF_ACCESSORS, NULL);
    const tl_json *value = tl_json_member(json, "mode");
    uint32_t mode = GLTF_MODE_TRIANGLES, count = out->file_vertex_count, highest = 0, *list = NULL;
    if (value && (!tl_json_uint(value, &mode) || mode >= GLTF_MODE_COUNT))
        return true;
    const bool face_by_face = mode == GLTF_MODE_TRIANGLES || mode == GLTF_MODE_LINES; /* as the model has them */
    if (index != TRILO_NONE) {
        if (tl_gltf_accessor(d->file, index, &a) || a.width != 1 || a.component == GLTF_F32)
            return tl_gltf_decode_fail(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_INDEX), json,
                                       "the indices cannot be read");
        list = tl_array_raw(face_by_face ? d->arena : &d->scratch, a.count, sizeof *list);
        if (!list)
            return false;
        tl_gltf_uints(&a, list, 1);
        count = a.count;
    }
    const uint32_t faces = gltf_face_count(mode, count), corners = mode >= GLTF_MODE_TRIANGLES ? 3 : 2;
    const bool done = list && face_by_face;
    if (faces > UINT32_MAX / corners)
        return false;
    uint32_t *indices = done ? list : tl_array_raw(d->arena, (size_t)faces * corners, sizeof *indices);
    if (!indices)
        return false;
    out->mesh.indices = indices;
    out->mesh.index_count = done ? faces * corners : gltf_list_faces(mode, count, faces, list, indices);
    for (uint32_t i = 0; i < out->mesh.index_count; i++)
        highest = indices[i] > highest ? indices[i] : highest;
    if (out->mesh.index_count > 0 && highest >= out->file_vertex_count)
        return tl_gltf_decode_fail(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_INDEX), json,
                                   "an index names a vertex that is not there");
    out->mesh.topology = corners == 3 ? TRILO_TOPOLOGY_TRIANGLES : TRILO_TOPOLOGY_LINES;
    out->drawn = out->mesh.index_count > 0;
    return true;
}

/* --- vertices --- */

static int64_t gltf_index_key(const void *rows, uint32_t row)
{
    return ((const uint32_t *)rows)[row];
}

/* With far fewer indices than vertices, only the vertices that are used are kept, in their order. */
static bool gltf_pick_vertices(gltf_decoder *d, gltf_primitive *p)
{
    const uint32_t count = p->mesh.index_count;
    uint32_t *indices = (uint32_t *)(uintptr_t)p->mesh.indices, kept = 0;
    p->mesh.vertex_count = p->file_vertex_count;
    if (count >= p->file_vertex_count / 2)
        return true;
    uint32_t *order = tl_array_raw(&d->scratch, count, sizeof *order);
    uint32_t *vertices = tl_array_raw(&d->scratch, count, sizeof *vertices);
    if (!order || !vertices)
        return false;
    tl_sort_rows(order, count, gltf_index_key, indices);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t vertex = indices[order[i]];
        if (kept == 0 || vertices[kept - 1] != vertex)
            vertices[kept++] = vertex;
        indices[order[i]] = kept - 1;
    }
    p->file_vertices = vertices;
    p->mesh.vertex_count = kept;
    return true;
}

/* --- attributes --- */

static bool gltf_attribute_fits(const gltf_decoder *d, const gltf_primitive *p, uint32_t index, uint32_t min_width,
                                gltf_accessor *a)
{
    return index != TRILO_NONE && !tl_gltf_accessor(d->file, index, a) && a->count == p->file_vertex_count &&
           a->width >= min_width && !a->matrix;
}

/* Of picked vertices, single elements are read; a sparse accessor is read whole first. */
bool tl_gltf_attribute_floats(gltf_decoder *d, const gltf_primitive *p, gltf_attribute attribute, tl_arena *arena,
                              float **out)
{
    gltf_accessor a;
    const uint32_t width = attribute.width;
    const size_t count = p->mesh.vertex_count;
    *out = NULL;
    if (!gltf_attribute_fits(d, p, attribute.accessor, attribute.min_width, &a))
        return true;
    float *floats = tl_array_raw(arena, count, width * sizeof *floats);
    if (!floats)
        return false;
    for (size_t i = 0; a.width < width && i < count * width; i++)
        floats[i] = 1;
    *out = floats;
    if (!p->file_vertices) {
        tl_gltf_floats(&a, attribute.normalize, floats, width);
        return true;
    }
    const uint32_t used = a.width < width ? a.width : width;
    float *all = a.sparse_count > 0 ? tl_array_raw(&d->scratch, a.count, width * sizeof *all) : NULL;
    if (a.sparse_count > 0 && !all)
        return false;
    if (all)
        tl_gltf_floats(&a, attribute.normalize, all, width);
    for (size_t i = 0; i < count; i++) {
        gltf_accessor one = a;
        one.count = 1;
        one.data = a.data ? a.data + p->file_vertices[i] * a.stride : NULL;
        if (all)
            memcpy(floats + i * width, all + (size_t)p->file_vertices[i] * width, used * sizeof *floats);
        else
            tl_gltf_floats(&one, attribute.normalize, floats + i * width, width);
    }
    return true;
}

static uint32_t gltf_find_attribute(const gltf_decoder *d, const tl_json *primitive, const char *name)
{
    return tl_gltf_index(d->file, tl_json_member(primitive, "attributes"), name, GLTF_ACCESSORS, NULL);
}

static uint32_t gltf_find_attribute_set(const gltf_decoder *d, const tl_json *primitive, const char *name, uint32_t set)
{
    char text[32];
    snprintf(text, sizeof text, "%s_%u", name, (unsigned)set);
    return gltf_find_attribute(d, primitive, text);
}

/* From linear colours to display values. Neighbours often have the same colour. */
static void gltf_show_colors(tl_gamma_cache *cache, bool srgb, float *rgba, size_t count)
{
    float last[4] = {0, 0, 0, 0}, shown[4] = {0, 0, 0, 0};
    for (; count > 0; count--, rgba += 4) {
        if (memcmp(rgba, last, sizeof last) != 0) {
            memcpy(last, rgba, sizeof last);
            for (int k = 0; k < 3; k++) {
                const float display = tl_gamma_cached(cache, srgb ? tl_srgb_encode : tl_gamma_encode, rgba[k]);
                shown[k] = display < 1 ? display : 1;
            }
            shown[3] = gltf_unit_float(rgba[3]);
        }
        memcpy(rgba, shown, sizeof shown);
    }
}

/* Positions, normals, colours and texture coordinates. Colours are linear in the file and display values in the model;
 * texture coordinates get the transform of the material. */
static bool gltf_decode_attributes(gltf_decoder *d, const tl_json *json, gltf_primitive *p)
{
    static const gltf_uv_transform identity = {0, false, {1, 0, 0, 0, 1, 0}};
    const gltf_uv_transform *transform = p->mesh.material == TRILO_NONE ? &identity : &d->uvs_of[p->mesh.material];
    const gltf_attribute position = {gltf_find_attribute(d, json, "POSITION"), 3, 3, false};
    const gltf_attribute normal = {gltf_find_attribute(d, json, "NORMAL"), 3, 3, true};
    const gltf_attribute color = {gltf_find_attribute(d, json, "COLOR_0"), 3, 4, true};
    const gltf_attribute uv = {gltf_find_attribute_set(d, json, "TEXCOORD", transform->set), 2, 2, false};
    const size_t count = p->mesh.vertex_count;
    float *positions, *normals, *colors, *uvs;
    if (!tl_gltf_attribute_floats(d, p, position, d->arena, &positions) ||
        !tl_gltf_attribute_floats(d, p, normal, d->arena, &normals) ||
        !tl_gltf_attribute_floats(d, p, color, d->arena, &colors) ||
        !tl_gltf_attribute_floats(d, p, uv, d->arena, &uvs))
        return false;
    if (colors)
        gltf_show_colors(&d->gamma, d->file->opts->gltf->srgb, colors, count);
    for (size_t i = 0; uvs && transform->used && i < count; i++) {
        const double u = uvs[2 * i], v = uvs[2 * i + 1], *m = transform->m;
        uvs[2 * i] = gltf_float(m[0] * u + m[1] * v + m[2]);
        uvs[2 * i + 1] = gltf_float(m[3] * u + m[4] * v + m[5]);
    }
    p->mesh.positions = (const float(*)[3])positions;
    p->mesh.normals = (const float(*)[3])normals;
    p->mesh.colors = (const float(*)[4])colors;
    p->mesh.uvs = (const float(*)[2])uvs;
    return true;
}

/* --- joints and weights --- */

enum { GLTF_MODEL_INFLUENCES = 4, GLTF_MAX_JOINT_SETS = 16 };

static bool gltf_weight_counts(float weight)
{
    return weight > 0 && tl_is_finite(weight);
}

/* JOINTS_0 and WEIGHTS_0 keep their slots; those without influence become 0. */
static void gltf_set_influences(gltf_primitive *p, const float *joints, uint16_t (*out_joints)[GLTF_MODEL_INFLUENCES],
                                float (*weights)[GLTF_MODEL_INFLUENCES])
{
    const tl_float4 zero = tl_float4_all(0), infinite = tl_float4_all(INFINITY);
    tl_float4 highest = zero;
    float each[GLTF_MODEL_INFLUENCES];
    for (size_t v = 0; v < p->mesh.vertex_count; v++) {
        tl_float4 weight = tl_float4_load(weights[v]);
        weight = tl_float4_where_less(weight, zero, weight);
        weight = tl_float4_where_less(weight, weight, infinite);
        const tl_float4 joint = tl_float4_where_less(tl_float4_load(joints + 4 * v), zero, weight);
        highest = tl_float4_max(highest, joint);
        tl_float4_store(weights[v], weight);
        tl_float4_store(each, joint);
        for (size_t i = 0; i < GLTF_MODEL_INFLUENCES; i++)
            out_joints[v][i] = (uint16_t)each[i];
    }
    tl_float4_store(each, highest);
    for (size_t i = 0; i < GLTF_MODEL_INFLUENCES; i++)
        p->max_joint = (uint32_t)each[i] > p->max_joint ? (uint32_t)each[i] : p->max_joint;
}

/* Influences of later sets replace weaker ones, the last of equally weak ones first. */
static void gltf_add_influences(gltf_primitive *p, const float *joints, const float *weights,
                                uint16_t (*out_joints)[GLTF_MODEL_INFLUENCES],
                                float (*out_weights)[GLTF_MODEL_INFLUENCES])
{
    for (size_t v = 0; v < p->mesh.vertex_count; v++)
        for (size_t i = 0; i < 4; i++) {
            const float weight = weights[4 * v + i];
            const uint32_t joint = (uint32_t)joints[4 * v + i];
            size_t slot = 0;
            if (!gltf_weight_counts(weight))
                continue;
            p->max_joint = joint > p->max_joint ? joint : p->max_joint;
            for (size_t k = 1; k < GLTF_MODEL_INFLUENCES; k++)
                slot = out_weights[v][k] <= out_weights[v][slot] ? k : slot;
            if (!(weight > out_weights[v][slot]))
                continue;
            out_joints[v][slot] = (uint16_t)joint;
            out_weights[v][slot] = weight;
        }
}

/* Joints have at most 16 bits, which floats hold exactly. Weights get a sum of 1, unless they have it already. */
static bool gltf_decode_influences(gltf_decoder *d, const tl_json *json, gltf_primitive *p)
{
    uint16_t(*joints)[GLTF_MODEL_INFLUENCES] = NULL;
    float(*weights)[GLTF_MODEL_INFLUENCES] = NULL;
    for (uint32_t set = 0; set < GLTF_MAX_JOINT_SETS; set++) {
        gltf_accessor a;
        const gltf_attribute joint = {gltf_find_attribute_set(d, json, "JOINTS", set), 4, 4, false};
        const gltf_attribute weight = {gltf_find_attribute_set(d, json, "WEIGHTS", set), 4, 4, true};
        float *set_joints = NULL, *set_weights = NULL;
        if (!gltf_attribute_fits(d, p, joint.accessor, 4, &a) || a.normalized ||
            (a.component != GLTF_U8 && a.component != GLTF_U16))
            break;
        if (!tl_gltf_attribute_floats(d, p, joint, &d->scratch, &set_joints) ||
            !tl_gltf_attribute_floats(d, p, weight, set == 0 ? d->arena : &d->scratch, &set_weights))
            return false;
        if (!set_joints || !set_weights)
            break;
        if (set == 0) {
            joints = tl_array_raw(d->arena, p->mesh.vertex_count, sizeof *joints);
            weights = (float(*)[GLTF_MODEL_INFLUENCES])set_weights;
            if (!joints)
                return false;
            gltf_set_influences(p, set_joints, joints, weights);
        } else
            gltf_add_influences(p, set_joints, set_weights, joints, weights);
    }
    for (uint32_t v = 0; weights && v < p->mesh.vertex_count; v++) {
        const double sum = (double)weights[v][0] + weights[v][1] + weights[v][2] + weights[v][3];
        if (!(sum > 0) || fabs(sum - 1) <= 1e-6)
            continue;
        for (int i = 0; i < GLTF_MODEL_INFLUENCES; i++)
            weights[v][i] = (float)(weights[v][i] / sum);
    }
    p->mesh.joints = (const uint16_t(*)[GLTF_MODEL_INFLUENCES])joints;
    p->mesh.weights = (const float(*)[GLTF_MODEL_INFLUENCES])weights;
    return true;
}

bool tl_gltf_decode_primitive(gltf_decoder *d, const tl_json *json, gltf_primitive *out)
{
    gltf_accessor a;
    const uint32_t position = gltf_find_attribute(d, json, "POSITION");
    const tl_json *targets = tl_json_member(json, "targets");
    *out = (gltf_primitive){.mesh = {.node = TRILO_NONE, .skin = TRILO_NONE}};
    out->mesh.material = tl_gltf_index(d->file, json, "material", GLTF_MATERIALS, NULL);
    if (position == TRILO_NONE || tl_gltf_accessor(d->file, position, &a) || a.width != 3)
        return true;
    out->file_vertex_count = a.count;
    if (targets && targets->kind == TL_JSON_ARRAY) {
        out->targets = targets;
        out->target_count = targets->count;
    }
    if (!gltf_decode_indices(d, json, out))
        return false;
    return !out->drawn ||
           (gltf_pick_vertices(d, out) && gltf_decode_attributes(d, json, out) && gltf_decode_influences(d, json, out));
}
