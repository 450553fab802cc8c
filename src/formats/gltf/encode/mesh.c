/* Meshes: each becomes a primitive; those that follow each other with the same name, node and skin become one mesh.
 *
 * A node shows one mesh: a second one gets a node below it. A skinned mesh follows its skin alone, so it hangs on a
 * root. Vertices without a weight follow a bone that never moves. */
#include "formats/gltf/encode/encode.h"

#include "base/bytes.h"
#include "base/gamma.h"
#include "base/vec.h"
#include "trilobite/n64.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_skinned(const trilo_mesh *mesh)
{
    return mesh->skin != TRILO_NONE && mesh->joints && mesh->weights;
}

static gltf_numbers floats(gltf_use use, uint32_t count, uint32_t width)
{
    return (gltf_numbers){use, GLTF_F32, count, width};
}

static void put_attribute(tl_json_writer *w, const char *name, uint32_t accessor)
{
    if (accessor != TRILO_NONE)
        tl_gltf_put_index(w, name, accessor);
}

/* --- shape and paint --- */

/* On the way to T3DM texture coordinates are cut to 1/32 texel, by us as by Tiny3D. What came from there may have been
 * rounded to just below its number: one more in the last bit keeps it. */
static float keep_texel(float uv, uint32_t texels)
{
    const double value = fabs((double)(float)(uv * (double)texels) * 32), whole = floor(value + 0.5);
    return value < whole && whole - value < 0.01 ? nextafterf(uv, uv < 0 ? -INFINITY : INFINITY) : uv;
}

/* A picture wants texture coordinates, be they all 0. */
static uint32_t store_no_uvs(gltf_encoder *e, const trilo_mesh *mesh, const trilo_material *material)
{
    if (!material || !tl_gltf_shows_picture(e, material))
        return TRILO_NONE;
    void *out = tl_gltf_room(e, mesh->vertex_count, 2 * sizeof(float));
    if (!out)
        return TRILO_NONE;
    memset(out, 0, mesh->vertex_count * 2 * sizeof(float));
    return tl_gltf_accessor_of(e, floats(GLTF_FOR_VERTICES, mesh->vertex_count, 2));
}

static uint32_t store_uvs(gltf_encoder *e, const trilo_mesh *mesh)
{
    const trilo_material *material = mesh->material == TRILO_NONE ? NULL : &e->model->materials[mesh->material];
    const trilo_n64_tile *tile = material && material->n64 ? &material->n64->tiles[0] : NULL;
    const bool guard = e->policy.guard_texels && tile;
    if (!mesh->uvs)
        return store_no_uvs(e, mesh, material);
    float(*out)[2] = tl_gltf_room(e, mesh->vertex_count, sizeof *out);
    if (!out)
        return TRILO_NONE;
    memcpy(out, mesh->uvs, mesh->vertex_count * sizeof *out);
    for (uint32_t i = 0; guard && i < mesh->vertex_count; i++) {
        out[i][0] = keep_texel(out[i][0], tile->width);
        out[i][1] = keep_texel(out[i][1], tile->height);
    }
    return tl_gltf_accessor_of(e, floats(GLTF_FOR_VERTICES, mesh->vertex_count, 2));
}

static uint32_t store_positions(gltf_encoder *e, const trilo_mesh *mesh)
{
    float(*out)[3] = tl_gltf_room(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = mesh->positions[i][k] * e->meter;
    return tl_gltf_accessor_of(e, floats(GLTF_FOR_POSITIONS, mesh->vertex_count, 3));
}

bool tl_gltf_normal(const float from[3], float to[3])
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
        if (tl_gltf_normal(mesh->normals[i], unit))
            return true;
    return false;
}

static uint32_t store_normals(gltf_encoder *e, const trilo_mesh *mesh)
{
    uint32_t without = 0;
    if (!mesh->normals)
        return TRILO_NONE;
    if (!tl_gltf_has_normals(mesh)) {
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NORMALS), TRILO_NOWHERE,
                          "all normals of the mesh have length 0, none are written");
        return TRILO_NONE;
    }
    float(*out)[3] = tl_gltf_room(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++)
        without += !tl_gltf_normal(mesh->normals[i], out[i]);
    if (without > 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NORMALS), TRILO_NOWHERE,
                          "%" PRIu32 " of %" PRIu32 " normals have length 0 and were written as 0, 0, 1", without,
                          mesh->vertex_count);
    return tl_gltf_accessor_of(e, floats(GLTF_FOR_VERTICES, mesh->vertex_count, 3));
}

/* Most models have few colours: the way from what is shown to light is gone once for each. */
enum { LIGHT_BITS = 8 };
typedef struct light_cache {
    struct {
        float shown, light;
    } known[1 << LIGHT_BITS];
} light_cache;

static float light_of(light_cache *cache, float shown)
{
    const uint32_t slot = tl_bits_of(shown) * 2654435761u >> (32 - LIGHT_BITS);
    if (cache->known[slot].shown != shown) {
        cache->known[slot].shown = shown;
        cache->known[slot].light = tl_gamma_decode(shown);
    }
    return cache->known[slot].light;
}

static uint32_t store_colors(gltf_encoder *e, const trilo_mesh *mesh)
{
    light_cache cache = {{{0, 0}}};
    float(*out)[4] = mesh->colors ? tl_gltf_room(e, mesh->vertex_count, sizeof *out) : NULL;
    if (!out)
        return TRILO_NONE;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        for (int k = 0; k < 3; k++)
            out[i][k] = light_of(&cache, mesh->colors[i][k]);
        out[i][3] = mesh->colors[i][3];
    }
    return tl_gltf_accessor_of(e, floats(GLTF_FOR_VERTICES, mesh->vertex_count, 4));
}

/* --- joints and weights --- */

typedef struct binding {
    uint16_t joints[4];
    float weights[4];
} binding;

/* Joints that come twice are one, those without weight are none. */
static void collect(const trilo_mesh *mesh, uint32_t vertex, binding *b)
{
    int count = 0;
    *b = (binding){{0}, {0}};
    for (int i = 0; i < 4; i++) {
        const float weight = mesh->weights[vertex][i];
        const uint16_t joint = mesh->joints[vertex][i];
        int k = 0;
        if (!(weight > 0) || !tl_is_finite(weight))
            continue;
        while (k < count && b->joints[k] != joint)
            k++;
        count += k == count;
        b->joints[k] = joint;
        b->weights[k] += weight;
    }
}

/* A sum of 1, to the last bit that floats allow: the largest takes what rounding left. */
static void even_out(float weights[4])
{
    const double total = (double)weights[0] + weights[1] + weights[2] + weights[3];
    int largest = 0;
    double rest = 1;
    if (total > 1 - 1e-7 && total < 1 + 1e-7)
        return;
    for (int i = 0; i < 4; i++)
        largest = weights[i] > weights[largest] ? i : largest;
    for (int i = 0; i < 4; i++) {
        weights[i] = (float)(weights[i] / total);
        rest -= i == largest ? 0 : (double)weights[i];
    }
    weights[largest] = (float)rest;
}

static binding bind(gltf_encoder *e, const trilo_mesh *mesh, uint32_t vertex)
{
    const uint32_t neutral = e->model->skins[mesh->skin].joint_count;
    binding b;
    collect(mesh, vertex, &b);
    if (b.weights[0] > 0) {
        even_out(b.weights);
        return b;
    }
    e->skin_unbound[mesh->skin] = true;
    b.joints[0] = (uint16_t)(neutral <= UINT16_MAX ? neutral : 0);
    b.weights[0] = 1;
    return b;
}

static uint32_t store_joints(gltf_encoder *e, const trilo_mesh *mesh)
{
    const bool small = e->model->skins[mesh->skin].joint_count < 256; /* and the bone that never moves */
    void *room = tl_gltf_room(e, mesh->vertex_count, small ? 4 : 8);
    uint8_t *bytes = room;
    uint16_t *words = room;
    for (uint32_t i = 0; room && i < mesh->vertex_count; i++) {
        const binding b = bind(e, mesh, i);
        for (size_t k = 0; k < 4; k++)
            if (small)
                bytes[4 * (size_t)i + k] = (uint8_t)b.joints[k];
            else
                words[4 * (size_t)i + k] = b.joints[k];
    }
    return tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_VERTICES, small ? GLTF_U8 : GLTF_U16, mesh->vertex_count, 4});
}

static uint32_t store_weights(gltf_encoder *e, const trilo_mesh *mesh)
{
    float(*out)[4] = tl_gltf_room(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++) {
        const binding b = bind(e, mesh, i);
        memcpy(out[i], b.weights, sizeof out[i]);
    }
    return tl_gltf_accessor_of(e, floats(GLTF_FOR_VERTICES, mesh->vertex_count, 4));
}

/* --- primitives --- */

/* The largest 16-bit number means something else to some programs. */
static uint32_t store_indices(gltf_encoder *e, const trilo_mesh *mesh)
{
    const bool small = mesh->vertex_count <= UINT16_MAX;
    void *room = tl_gltf_room(e, mesh->index_count, small ? 2 : 4);
    uint16_t *words = room;
    if (room && !small)
        memcpy(room, mesh->indices, (size_t)mesh->index_count * sizeof(uint32_t));
    for (uint32_t i = 0; room && small && i < mesh->index_count; i++)
        words[i] = (uint16_t)mesh->indices[i];
    return tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_INDICES, small ? GLTF_U16 : GLTF_U32, mesh->index_count, 1});
}

static void put_attributes(gltf_encoder *e, tl_json_writer *w, const trilo_mesh *mesh)
{
    tl_json_key(w, "attributes");
    tl_json_open(w, '{');
    put_attribute(w, "POSITION", store_positions(e, mesh));
    put_attribute(w, "NORMAL", store_normals(e, mesh));
    put_attribute(w, "COLOR_0", store_colors(e, mesh));
    put_attribute(w, "TEXCOORD_0", store_uvs(e, mesh));
    if (is_skinned(mesh)) {
        put_attribute(w, "JOINTS_0", store_joints(e, mesh));
        put_attribute(w, "WEIGHTS_0", store_weights(e, mesh));
    }
    tl_json_close(w, '}');
}

static void put_primitive(gltf_encoder *e, tl_json_writer *w, uint32_t i)
{
    const trilo_mesh *mesh = &e->model->meshes[i];
    tl_path_push(&e->losses->path, "meshes", i);
    tl_json_open(w, '{');
    put_attributes(e, w, mesh);
    tl_gltf_put_index(w, "indices", store_indices(e, mesh));
    put_attribute(w, "material", mesh->material);
    if (mesh->topology == TRILO_TOPOLOGY_LINES)
        tl_gltf_put_index(w, "mode", 1);
    tl_gltf_put_targets(e, w, i);
    tl_json_close(w, '}');
    tl_path_pop(&e->losses->path);
}

/* --- meshes --- */

static bool same_text(trilo_str a, trilo_str b)
{
    const size_t a_len = a.data ? a.len : 0, b_len = b.data ? b.len : 0;
    return a_len == b_len && (a_len == 0 || memcmp(a.data, b.data, a_len) == 0);
}

static bool is_drawn(const trilo_mesh *mesh)
{
    return mesh->vertex_count > 0 && mesh->index_count > 0;
}

/* Targets are the mesh's, not the primitive's: who has frames stays alone. */
static bool go_together(const gltf_encoder *e, uint32_t first, uint32_t i)
{
    const trilo_mesh *a = &e->model->meshes[first], *b = &e->model->meshes[i];
    return is_drawn(b) && a->node == b->node && a->skin == b->skin && is_skinned(a) == is_skinned(b) &&
           same_text(a->name, b->name) && same_text(a->extras.json, b->extras.json) &&
           same_text(a->extras.extensions, b->extras.extensions) && !tl_gltf_has_frames(e, first) &&
           !tl_gltf_has_frames(e, i);
}

static bool rests_at_origin(const gltf_encoder *e, uint32_t node)
{
    const trilo_mat4 identity = tl_mat4_identity();
    return !e->moved[node] && e->nodes[node].parent == TRILO_NONE &&
           memcmp(&e->model->nodes[node].local, &identity, sizeof identity) == 0;
}

static uint32_t node_for(gltf_encoder *e, const trilo_mesh *mesh)
{
    const bool placed = mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE;
    if (mesh->node == TRILO_NONE || (!placed && !rests_at_origin(e, mesh->node)))
        return tl_gltf_add_node(e, mesh->name, TRILO_NONE);
    const uint32_t host = e->inner[mesh->node];
    return e->nodes[host].mesh == TRILO_NONE ? host : tl_gltf_add_node(e, mesh->name, host);
}

/* Meshes from `first` up to `end`. */
static void encode_group(gltf_encoder *e, uint32_t first, uint32_t end)
{
    const trilo_mesh *mesh = &e->model->meshes[first];
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_MESHES, &index);
    tl_gltf_put_name(w, mesh->name);
    tl_json_key(w, "primitives");
    tl_json_open(w, '[');
    for (uint32_t i = first; i < end; i++)
        put_primitive(e, w, i);
    tl_json_close(w, ']');
    tl_gltf_put_extras(e, w, mesh->extras.json, NULL);
    tl_gltf_put_extensions(e, w, mesh->extras.extensions, NULL);
    tl_json_close(w, '}');
    const uint32_t node = node_for(e, mesh);
    if (node == TRILO_NONE)
        return;
    e->nodes[node].mesh = index;
    e->nodes[node].skin = is_skinned(mesh) ? mesh->skin : TRILO_NONE;
    for (uint32_t i = first; i < end; i++)
        e->mesh_node[i] = node;
}

static void leave_out(gltf_encoder *e, uint32_t i)
{
    tl_path_push(&e->losses->path, "meshes", i);
    tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_EMPTY), TRILO_NOWHERE,
                      "the mesh draws nothing, so it is not written");
    tl_path_pop(&e->losses->path);
    e->mesh_node[i] = TRILO_NONE;
}

void tl_gltf_encode_meshes(gltf_encoder *e)
{
    for (uint32_t first = 0, end; first < e->model->mesh_count && !e->failed; first = end) {
        end = first + 1;
        if (!is_drawn(&e->model->meshes[first])) {
            leave_out(e, first);
            continue;
        }
        while (end < e->model->mesh_count && go_together(e, first, end))
            end++;
        encode_group(e, first, end);
    }
}
