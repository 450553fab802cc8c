/* Meshes: each mesh of the model becomes a primitive. Successive ones with the same name, node, skin and extras become
 * one mesh of the file.
 *
 * A node has at most one mesh: a second one gets a child node. A skinned mesh ignores the transform of its node, so it
 * gets a root node. Vertices without weights are bound to a joint that never moves. */
#include "base/strict_float.h"
#include "formats/gltf/encode/encode.h"

#include "base/bytes.h"
#include "base/gamma.h"
#include "base/vec.h"
#include "trilobite/n64.h"

#include <inttypes.h>
#include <math.h>

static bool gltf_is_skinned(const trilo_mesh *mesh)
{
    return mesh->skin != TRILO_NONE && mesh->joints && mesh->weights;
}

static uint32_t gltf_add_vertex_floats(gltf_encoder *e, gltf_usage usage, const trilo_mesh *mesh, uint32_t width)
{
    return tl_gltf_add_accessor(e, (gltf_data_type){usage, GLTF_F32, mesh->vertex_count, width});
}

/* --- attributes; TRILO_NONE: the mesh has none --- */

static uint32_t gltf_encode_positions(gltf_encoder *e, const trilo_mesh *mesh)
{
    float(*out)[3] = tl_gltf_data_begin(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = mesh->positions[i][k] * e->policy.meters_per_unit;
    return gltf_add_vertex_floats(e, GLTF_USAGE_POSITIONS, mesh, 3);
}

bool tl_gltf_unit_normal(const float from[3], float to[3])
{
    const trilo_vec3 unit = tl_vec3_normalize((trilo_vec3){from[0], from[1], from[2]});
    const bool has = unit.x != 0 || unit.y != 0 || unit.z != 0;
    to[0] = unit.x, to[1] = unit.y, to[2] = has ? unit.z : 1;
    return has;
}

bool tl_gltf_has_normals(const trilo_mesh *mesh)
{
    float unit[3];
    for (uint32_t i = 0; mesh->normals && i < mesh->vertex_count; i++)
        if (tl_gltf_unit_normal(mesh->normals[i], unit))
            return true;
    return false;
}

static uint32_t gltf_encode_normals(gltf_encoder *e, const trilo_mesh *mesh)
{
    uint32_t without = 0;
    if (!mesh->normals)
        return TRILO_NONE;
    if (!tl_gltf_has_normals(mesh)) {
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NORMALS), TRILO_NOWHERE,
                          "all normals of the mesh have length 0, none are written");
        return TRILO_NONE;
    }
    float(*out)[3] = tl_gltf_data_begin(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++)
        without += !tl_gltf_unit_normal(mesh->normals[i], out[i]);
    if (without > 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NORMALS), TRILO_NOWHERE,
                          "%" PRIu32 " of %" PRIu32 " normals have length 0 and were written as 0, 0, 1", without,
                          mesh->vertex_count);
    return gltf_add_vertex_floats(e, GLTF_USAGE_VERTICES, mesh, 3);
}

/* Colours of the model are display values, those of glTF linear. */
static uint32_t gltf_encode_colors(gltf_encoder *e, const trilo_mesh *mesh)
{
    tl_gamma_cache cache = {{{0, 0}}};
    float(*out)[4] = mesh->colors ? tl_gltf_data_begin(e, mesh->vertex_count, sizeof *out) : NULL;
    if (!out)
        return TRILO_NONE;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        for (int k = 0; k < 3; k++)
            out[i][k] = tl_gamma_cached(&cache, tl_gamma_decode, mesh->colors[i][k]);
        out[i][3] = mesh->colors[i][3];
    }
    return gltf_add_vertex_floats(e, GLTF_USAGE_VERTICES, mesh, 4);
}

/* T3DM encoders, Trilobite's and Tiny3D's, truncate texture coordinates to 1/32 texel. A coordinate that was rounded to
 * just below its multiple gets the next float, which truncates to the same multiple. */
static float gltf_protect_uv(float uv, uint32_t texels)
{
    const double value = fabs((double)(float)(uv * (double)texels) * 32), whole = floor(value + 0.5);
    return value < whole && whole - value < 0.01 ? nextafterf(uv, uv < 0 ? -INFINITY : INFINITY) : uv;
}

/* A textured material needs texture coordinates: a mesh without gets zeros. */
static uint32_t gltf_encode_uvs(gltf_encoder *e, const trilo_mesh *mesh)
{
    const trilo_material *material = mesh->material == TRILO_NONE ? NULL : &e->model->materials[mesh->material];
    const trilo_n64_tile *tile = material && material->n64 ? &material->n64->tiles[0] : NULL;
    if (!mesh->uvs && !(material && tl_gltf_is_textured(e, material)))
        return TRILO_NONE;
    float(*out)[2] = tl_gltf_data_begin(e, mesh->vertex_count, sizeof *out);
    if (!out)
        return TRILO_NONE;
    if (mesh->uvs)
        memcpy(out, mesh->uvs, mesh->vertex_count * sizeof *out);
    else
        memset(out, 0, mesh->vertex_count * sizeof *out);
    for (uint32_t i = 0; mesh->uvs && e->policy.guard_texels && tile && i < mesh->vertex_count; i++) {
        out[i][0] = gltf_protect_uv(out[i][0], tile->width);
        out[i][1] = gltf_protect_uv(out[i][1], tile->height);
    }
    return gltf_add_vertex_floats(e, GLTF_USAGE_VERTICES, mesh, 2);
}

/* --- joints and weights --- */

typedef struct gltf_influences {
    uint16_t joints[4];
    float weights[4];
} gltf_influences;

/* The influences of a vertex as glTF requires them ("Skinned Mesh Attributes"): no joint twice, unused slots 0, a sum
 * of 1. The largest weight takes the rounding error of the sum. */
static gltf_influences gltf_vertex_influences(gltf_encoder *e, const trilo_mesh *mesh, uint32_t vertex)
{
    gltf_influences out = {{0}, {0}};
    int count = 0, largest = 0;
    for (int i = 0; i < 4; i++) {
        const float weight = mesh->weights[vertex][i];
        const uint16_t joint = mesh->joints[vertex][i];
        int k = 0;
        if (!(weight > 0) || !tl_is_finite(weight))
            continue;
        while (k < count && out.joints[k] != joint)
            k++;
        count += k == count;
        out.joints[k] = joint;
        out.weights[k] += weight;
    }
    if (count == 0) { /* the neutral bone comes after the joints of the skin */
        const uint32_t neutral = e->model->skins[mesh->skin].joint_count;
        e->skin_has_unbound[mesh->skin] = true;
        out.joints[0] = (uint16_t)(neutral <= UINT16_MAX ? neutral : 0);
        out.weights[0] = 1;
        return out;
    }
    const double total = (double)out.weights[0] + out.weights[1] + out.weights[2] + out.weights[3];
    double rest = 1;
    if (total > 1 - 1e-7 && total < 1 + 1e-7)
        return out;
    for (int i = 0; i < 4; i++)
        largest = out.weights[i] > out.weights[largest] ? i : largest;
    for (int i = 0; i < 4; i++) {
        out.weights[i] = (float)(out.weights[i] / total);
        rest -= i == largest ? 0 : (double)out.weights[i];
    }
    out.weights[largest] = (float)rest;
    return out;
}

static uint32_t gltf_encode_joints(gltf_encoder *e, const trilo_mesh *mesh)
{
    const bool small = e->model->skins[mesh->skin].joint_count < 256; /* and the neutral bone */
    void *data = tl_gltf_data_begin(e, mesh->vertex_count, small ? 4 : 8);
    uint8_t *bytes = data;
    uint16_t *words = data;
    for (uint32_t i = 0; data && i < mesh->vertex_count; i++) {
        const gltf_influences influences = gltf_vertex_influences(e, mesh, i);
        for (size_t k = 0; k < 4; k++)
            if (small)
                bytes[4 * (size_t)i + k] = (uint8_t)influences.joints[k];
            else
                words[4 * (size_t)i + k] = influences.joints[k];
    }
    const gltf_data_type type = {GLTF_USAGE_VERTICES, small ? GLTF_U8 : GLTF_U16, mesh->vertex_count, 4};
    return tl_gltf_add_accessor(e, type);
}

static uint32_t gltf_encode_weights(gltf_encoder *e, const trilo_mesh *mesh)
{
    float(*out)[4] = tl_gltf_data_begin(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++) {
        const gltf_influences influences = gltf_vertex_influences(e, mesh, i);
        memcpy(out[i], influences.weights, sizeof out[i]);
    }
    return gltf_add_vertex_floats(e, GLTF_USAGE_VERTICES, mesh, 4);
}

/* --- primitives --- */

/* The largest value of the index type is not used: it restarts primitives in some programs ("Meshes"). */
static uint32_t gltf_encode_indices(gltf_encoder *e, const trilo_mesh *mesh)
{
    const bool small = mesh->vertex_count <= UINT16_MAX;
    void *data = tl_gltf_data_begin(e, mesh->index_count, small ? 2 : 4);
    uint16_t *words = data;
    if (data && !small)
        memcpy(data, mesh->indices, (size_t)mesh->index_count * sizeof(uint32_t));
    for (uint32_t i = 0; data && small && i < mesh->index_count; i++)
        words[i] = (uint16_t)mesh->indices[i];
    const gltf_data_type type = {GLTF_USAGE_INDICES, small ? GLTF_U16 : GLTF_U32, mesh->index_count, 1};
    return tl_gltf_add_accessor(e, type);
}

static void gltf_put_optional_index(tl_json_writer *w, const char *name, uint32_t index)
{
    if (index != TRILO_NONE)
        tl_gltf_put_index(w, name, index);
}

static void gltf_encode_primitive(gltf_encoder *e, tl_json_writer *w, uint32_t i)
{
    enum { MODE_LINES = 1 };
    const trilo_mesh *mesh = &e->model->meshes[i];
    tl_path_push(&e->losses->path, "meshes", i);
    tl_json_open(w, '{');
    tl_json_key(w, "attributes");
    tl_json_open(w, '{');
    gltf_put_optional_index(w, "POSITION", gltf_encode_positions(e, mesh));
    gltf_put_optional_index(w, "NORMAL", gltf_encode_normals(e, mesh));
    gltf_put_optional_index(w, "COLOR_0", gltf_encode_colors(e, mesh));
    gltf_put_optional_index(w, "TEXCOORD_0", gltf_encode_uvs(e, mesh));
    if (gltf_is_skinned(mesh)) {
        gltf_put_optional_index(w, "JOINTS_0", gltf_encode_joints(e, mesh));
        gltf_put_optional_index(w, "WEIGHTS_0", gltf_encode_weights(e, mesh));
    }
    tl_json_close(w, '}');
    tl_gltf_put_index(w, "indices", gltf_encode_indices(e, mesh));
    gltf_put_optional_index(w, "material", mesh->material);
    if (mesh->topology == TRILO_TOPOLOGY_LINES)
        tl_gltf_put_index(w, "mode", MODE_LINES);
    tl_gltf_put_targets(e, w, i);
    tl_json_close(w, '}');
    tl_path_pop(&e->losses->path);
}

/* --- meshes --- */

static bool gltf_texts_equal(trilo_str a, trilo_str b)
{
    const size_t a_len = a.data ? a.len : 0, b_len = b.data ? b.len : 0;
    return a_len == b_len && (a_len == 0 || memcmp(a.data, b.data, a_len) == 0);
}

static bool gltf_is_mesh_empty(const trilo_mesh *mesh)
{
    return mesh->vertex_count == 0 || mesh->index_count == 0;
}

/* All primitives of a mesh have the same number of morph targets: a mesh with frames stays alone. */
static bool gltf_can_share_mesh(const gltf_encoder *e, uint32_t first, uint32_t i)
{
    const trilo_mesh *a = &e->model->meshes[first], *b = &e->model->meshes[i];
    return !gltf_is_mesh_empty(b) && a->node == b->node && a->skin == b->skin &&
           gltf_is_skinned(a) == gltf_is_skinned(b) && gltf_texts_equal(a->name, b->name) &&
           gltf_texts_equal(a->extras.json, b->extras.json) &&
           gltf_texts_equal(a->extras.extensions, b->extras.extensions) && !tl_gltf_has_frames(e, first) &&
           !tl_gltf_has_frames(e, i);
}

/* The node that draws a mesh: its own, if that has no mesh yet. A skinned mesh shares its node only when that is an
 * unanimated root with the identity matrix. */
static uint32_t gltf_find_mesh_node(gltf_encoder *e, const trilo_mesh *mesh)
{
    const trilo_mat4 identity = tl_mat4_identity();
    const uint32_t node = mesh->node;
    if (node == TRILO_NONE)
        return tl_gltf_add_node(e, mesh->name, TRILO_NONE);
    if (mesh->skin != TRILO_NONE && (e->animated[node] || e->nodes[node].parent != TRILO_NONE ||
                                     memcmp(&e->model->nodes[node].local, &identity, sizeof identity) != 0))
        return tl_gltf_add_node(e, mesh->name, TRILO_NONE);
    const uint32_t inner = e->inner[node];
    return e->nodes[inner].mesh == TRILO_NONE ? inner : tl_gltf_add_node(e, mesh->name, inner);
}

/* Writes meshes `first` up to `end` as primitives of one mesh. */
static void gltf_encode_mesh(gltf_encoder *e, uint32_t first, uint32_t end)
{
    const trilo_mesh *mesh = &e->model->meshes[first];
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_MESHES, &index);
    tl_gltf_put_name(w, mesh->name);
    tl_json_key(w, "primitives");
    tl_json_open(w, '[');
    for (uint32_t i = first; i < end; i++)
        gltf_encode_primitive(e, w, i);
    tl_json_close(w, ']');
    tl_gltf_put_extras(e, w, mesh->extras.json, NULL);
    tl_gltf_put_extensions(e, w, mesh->extras.extensions, NULL);
    tl_json_close(w, '}');
    const uint32_t node = gltf_find_mesh_node(e, mesh);
    if (node == TRILO_NONE)
        return;
    e->nodes[node].mesh = index;
    e->nodes[node].skin = gltf_is_skinned(mesh) ? mesh->skin : TRILO_NONE;
    for (uint32_t i = first; i < end; i++)
        e->mesh_node[i] = node;
}

void tl_gltf_encode_meshes(gltf_encoder *e)
{
    for (uint32_t first = 0, end; first < e->model->mesh_count && !e->failed; first = end) {
        end = first + 1;
        if (gltf_is_mesh_empty(&e->model->meshes[first])) {
            tl_path_push(&e->losses->path, "meshes", first);
            tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_EMPTY), TRILO_NOWHERE,
                              "the mesh draws nothing, so it is not written");
            tl_path_pop(&e->losses->path);
            e->mesh_node[first] = TRILO_NONE;
            continue;
        }
        while (end < e->model->mesh_count && gltf_can_share_mesh(e, first, end))
            end++;
        gltf_encode_mesh(e, first, end);
    }
}
