/* Nodes, skins and the scene. The model's nodes keep their numbers; what glTF needs besides comes behind them:
 *
 *   - nodes for meshes that have none of their own;
 *   - a second node below one whose matrix shears, which glTF cannot say in one;
 *   - a bone that never moves, for vertices without weights, and a node for a joint that a skin has twice;
 *   - a root above the bones of a skin that has several. */
#include "formats/gltf/encode/encode.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/vec.h"

#include <string.h>

static const trilo_str no_name = {"", 0};

/* --- adding --- */

uint32_t tl_gltf_add_node(gltf_encoder *e, trilo_str name, uint32_t parent)
{
    if (e->failed)
        return TRILO_NONE;
    gltf_node *grown =
        tl_gltf_allocated(e, tl_array_grow(e->arena, e->nodes, e->node_count, &e->node_capacity, 1, sizeof *e->nodes));
    if (!grown)
        return TRILO_NONE;
    e->nodes = grown;
    e->nodes[e->node_count] = (gltf_node){name, parent, TRILO_NONE, TRILO_NONE, {0, 0, 0, 1}};
    return e->node_count++;
}

static void note_moved(gltf_encoder *e)
{
    for (uint32_t c = 0; c < e->model->clip_count; c++)
        for (uint32_t i = 0; i < e->model->clips[c].channel_count; i++) {
            const trilo_channel *channel = &e->model->clips[c].channels[i];
            e->moved[channel->node] = e->moved[channel->node] || channel->key_count > 0;
        }
}

/* A clip moves the parts of a node: there the shear cannot be kept. */
static void add_inner(gltf_encoder *e, uint32_t i)
{
    const trilo_node *node = &e->model->nodes[i];
    e->inner[i] = i;
    if (!node->sheared)
        return;
    if (e->moved[i]) {
        tl_path_push(&e->losses->path, "nodes", i);
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_SHEAR), TRILO_NOWHERE,
                          "the node is animated and has shear, which is lost");
        tl_path_pop(&e->losses->path);
        return;
    }
    trilo_quat outer;
    trilo_vec3 scale;
    const uint32_t inner = tl_gltf_add_node(e, no_name, i);
    if (inner == TRILO_NONE)
        return;
    tl_gltf_split(&node->local, &outer, &scale, &e->nodes[inner].rotation);
    e->inner[i] = inner;
}

void tl_gltf_start_nodes(gltf_encoder *e)
{
    const uint32_t count = e->model->node_count;
    e->moved = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, bool));
    e->inner = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, uint32_t));
    for (uint32_t i = 0; i < count; i++)
        tl_gltf_add_node(e, e->model->nodes[i].name, TRILO_NONE);
    if (e->failed)
        return;
    note_moved(e);
    for (uint32_t i = 0; i < count && !e->failed; i++) { /* parents come first */
        const uint32_t parent = e->model->nodes[i].parent;
        e->nodes[i].parent = parent == TRILO_NONE ? TRILO_NONE : e->inner[parent];
        add_inner(e, i);
    }
}

/* --- skins --- */

typedef struct skin_walk {
    gltf_encoder *e;
    uint32_t *roots;      /* of each node of the model: the one it hangs on in the end */
    uint32_t *joint_skin; /* of each node of the model: the last skin it is a joint of, counted from 1 */
    uint32_t common;      /* the root above others; TRILO_NONE: none is needed yet */
} skin_walk;

static uint32_t neutral_bone(gltf_encoder *e)
{
    static const char name[] = "neutral_bone";
    if (e->neutral_bone == TRILO_NONE)
        e->neutral_bone = tl_gltf_add_node(e, (trilo_str){name, sizeof name - 1}, TRILO_NONE);
    return e->neutral_bone;
}

/* The nodes that are the joints of a skin in the file; NULL: failed. */
static uint32_t *joint_nodes(skin_walk *s, uint32_t index, uint32_t *count)
{
    gltf_encoder *e = s->e;
    const trilo_skin *skin = &e->model->skins[index];
    uint32_t *nodes = tl_gltf_allocated(e, TL_ARRAY(e->arena, (size_t)skin->joint_count + 1, uint32_t));
    *count = skin->joint_count;
    for (uint32_t j = 0; nodes && j < skin->joint_count; j++) {
        const uint32_t node = skin->joints[j].node;
        const bool twice = s->joint_skin[node] == index + 1;
        nodes[j] = twice ? tl_gltf_add_node(e, no_name, e->inner[node]) : e->inner[node];
        s->joint_skin[node] = index + 1;
    }
    if (nodes && e->skin_unbound[index])
        nodes[(*count)++] = neutral_bone(e);
    return e->failed ? NULL : nodes;
}

/* False: it had a bottom row of its own, which no skin can have. */
static bool store_bind(const trilo_mat4 *from, float meter, float out[16])
{
    static const float bottom[4] = {0, 0, 0, 1};
    bool same = true;
    memcpy(out, from->m, sizeof from->m);
    for (int column = 0; column < 4; column++) {
        same = same && out[4 * column + 3] == bottom[column];
        out[4 * column + 3] = bottom[column];
    }
    for (int row = 0; row < 3; row++)
        out[12 + row] *= meter;
    return same;
}

static uint32_t store_binds(gltf_encoder *e, const trilo_skin *skin, uint32_t count)
{
    const trilo_mat4 identity = tl_mat4_identity();
    float(*out)[16] = tl_gltf_room(e, count, sizeof *out);
    bool same = true;
    for (uint32_t j = 0; out && j < count; j++)
        same &= store_bind(j < skin->joint_count ? &skin->joints[j].inverse_bind : &identity, e->meter, out[j]);
    if (!same)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_SHEAR), TRILO_NOWHERE,
                          "an inverse bind matrix has a bottom row other than 0, 0, 0, 1, which is lost");
    return tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_NUMBERS, GLTF_F32, count, 16});
}

static uint32_t root_of_joint(const skin_walk *s, const trilo_skin *skin, uint32_t joint)
{
    return joint < skin->joint_count ? s->roots[skin->joints[joint].node] : s->e->neutral_bone;
}

/* All joints of a skin must hang on one tree. */
static void join_roots(skin_walk *s, const trilo_skin *skin, uint32_t count)
{
    static const char name[] = "skeleton";
    gltf_encoder *e = s->e;
    bool several = false;
    for (uint32_t j = 1; j < count; j++)
        several = several || root_of_joint(s, skin, j) != root_of_joint(s, skin, 0);
    if (several && s->common == TRILO_NONE)
        s->common = tl_gltf_add_node(e, (trilo_str){name, sizeof name - 1}, TRILO_NONE);
    for (uint32_t j = 0; several && !e->failed && j < count; j++)
        e->nodes[root_of_joint(s, skin, j)].parent = s->common;
}

static void encode_skin(skin_walk *s, uint32_t index)
{
    gltf_encoder *e = s->e;
    const trilo_skin *skin = &e->model->skins[index];
    uint32_t count = 0;
    const uint32_t *nodes = joint_nodes(s, index, &count);
    e->skin_of[index] = TRILO_NONE;
    if (!nodes || count == 0)
        return;
    join_roots(s, skin, count);
    const uint32_t binds = store_binds(e, skin, count);
    tl_json_writer *w = tl_gltf_begin(e, GLTF_SKINS, &e->skin_of[index]);
    tl_gltf_put_index(w, "inverseBindMatrices", binds);
    tl_json_key(w, "joints");
    tl_json_open(w, '[');
    for (uint32_t j = 0; j < count; j++)
        tl_json_put_uint(w, nodes[j]);
    tl_json_close(w, ']');
    tl_json_close(w, '}');
}

void tl_gltf_encode_skins(gltf_encoder *e)
{
    const uint32_t count = e->model->node_count;
    skin_walk s = {.e = e, .common = TRILO_NONE};
    s.joint_skin = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, uint32_t));
    s.roots = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, uint32_t));
    for (uint32_t i = 0; i < count && !e->failed; i++) {
        const uint32_t parent = e->model->nodes[i].parent;
        s.roots[i] = parent == TRILO_NONE ? i : s.roots[parent];
    }
    for (uint32_t i = 0; i < e->model->skin_count && !e->failed; i++) {
        tl_path_push(&e->losses->path, "skins", i);
        encode_skin(&s, i);
        tl_path_pop(&e->losses->path);
    }
}

/* --- writing --- */

typedef struct node_parts {
    float translation[3], rotation[4], scale[3];
} node_parts;

static bool mend(float *values, size_t count, float instead)
{
    bool all = true;
    for (size_t i = 0; i < count; i++)
        if (!tl_is_finite(values[i])) {
            values[i] = instead;
            all = false;
        }
    return all;
}

static void put_numbers(tl_json_writer *w, const char *key, const float *values, const float *rest, size_t count)
{
    bool differ = false;
    for (size_t i = 0; i < count; i++)
        differ = differ || values[i] != rest[i];
    if (!differ)
        return;
    tl_json_key(w, key);
    tl_json_put_floats(w, values, count);
}

static void put_parts(gltf_encoder *e, tl_json_writer *w, trilo_vec3 t, trilo_quat r, trilo_vec3 s)
{
    static const node_parts rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const trilo_quat q = tl_quat_normalize(r);
    node_parts p = {{t.x * e->meter, t.y * e->meter, t.z * e->meter}, {q.x, q.y, q.z, q.w}, {s.x, s.y, s.z}};
    const bool moved = mend(p.translation, 3, 0), turned = tl_is_finite(r.x + r.y + r.z + r.w),
               scaled = mend(p.scale, 3, 1);
    if (!moved || !turned || !scaled)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NAN), TRILO_NOWHERE,
                          "the node has numbers that are not finite, written as if it rested");
    put_numbers(w, "translation", p.translation, rest.translation, 3);
    put_numbers(w, "rotation", p.rotation, rest.rotation, 4);
    put_numbers(w, "scale", p.scale, rest.scale, 3);
}

/* The matrix itself, where the parts would not give exactly it and nothing moves them. */
static bool wants_matrix(const gltf_encoder *e, uint32_t i)
{
    const trilo_node *node = &e->model->nodes[i];
    const trilo_mat4 made = tl_mat4_from_trs(node->translation, node->rotation, node->scale);
    bool same = true, whole = true;
    for (int k = 0; k < 16; k++) {
        same = same && made.m[k] == node->local.m[k];
        whole = whole && tl_is_finite(node->local.m[k]);
    }
    const float *m = node->local.m;
    return !same && whole && !e->moved[i] && m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1;
}

static void put_place(gltf_encoder *e, tl_json_writer *w, uint32_t i)
{
    const trilo_vec3 origin = {0, 0, 0}, unit = {1, 1, 1};
    if (i >= e->model->node_count) {
        put_parts(e, w, origin, e->nodes[i].rotation, unit);
        return;
    }
    const trilo_node *node = &e->model->nodes[i];
    trilo_quat outer, inner;
    trilo_vec3 scale;
    if (e->inner[i] != i) {
        tl_gltf_split(&node->local, &outer, &scale, &inner);
        put_parts(e, w, (trilo_vec3){node->local.m[12], node->local.m[13], node->local.m[14]}, outer, scale);
    } else if (!node->sheared && wants_matrix(e, i)) {
        trilo_mat4 local = node->local;
        for (int row = 0; row < 3; row++)
            local.m[12 + row] *= e->meter;
        tl_json_key(w, "matrix");
        tl_json_put_floats(w, local.m, 16);
    } else
        put_parts(e, w, node->translation, node->rotation, node->scale);
}

/* The children of all nodes, one behind the other; those of node i begin at starts[i]. */
typedef struct family {
    uint32_t *children, *starts;
} family;

static bool gather(gltf_encoder *e, family *f)
{
    f->children = tl_gltf_allocated(e, TL_ARRAY(e->arena, e->node_count, uint32_t));
    f->starts = tl_gltf_allocated(e, TL_ARRAY(e->arena, (size_t)e->node_count + 2, uint32_t));
    if (e->failed)
        return false;
    for (uint32_t i = 0; i < e->node_count; i++)
        if (e->nodes[i].parent != TRILO_NONE)
            f->starts[e->nodes[i].parent + 2]++;
    for (uint32_t i = 2; i < e->node_count + 2; i++)
        f->starts[i] += f->starts[i - 1];
    for (uint32_t i = 0; i < e->node_count; i++) /* moves each start up to the next one's */
        if (e->nodes[i].parent != TRILO_NONE)
            f->children[f->starts[e->nodes[i].parent + 1]++] = i;
    return true;
}

static void put_indices(tl_json_writer *w, const char *key, const uint32_t *indices, uint32_t count)
{
    if (count == 0)
        return;
    tl_json_key(w, key);
    tl_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++)
        tl_json_put_uint(w, indices[i]);
    tl_json_close(w, ']');
}

static void encode_node(gltf_encoder *e, const family *f, uint32_t i)
{
    const gltf_node *node = &e->nodes[i];
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_NODES, &index);
    tl_gltf_put_name(w, node->name);
    put_place(e, w, i);
    if (node->mesh != TRILO_NONE)
        tl_gltf_put_index(w, "mesh", node->mesh);
    if (node->skin != TRILO_NONE && e->skin_of[node->skin] != TRILO_NONE)
        tl_gltf_put_index(w, "skin", e->skin_of[node->skin]);
    put_indices(w, "children", f->children + f->starts[i], f->starts[i + 1] - f->starts[i]);
    if (i < e->model->node_count) {
        tl_gltf_put_extras(e, w, e->model->nodes[i].extras.json, NULL);
        tl_gltf_put_extensions(e, w, e->model->nodes[i].extras.extensions, NULL);
    }
    tl_json_close(w, '}');
}

static void encode_scene(gltf_encoder *e)
{
    uint32_t index = 0, count = 0;
    uint32_t *roots = tl_gltf_allocated(e, TL_ARRAY(e->arena, e->node_count, uint32_t));
    for (uint32_t i = 0; roots && i < e->node_count; i++)
        if (e->nodes[i].parent == TRILO_NONE)
            roots[count++] = i;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_SCENES, &index);
    put_indices(w, "nodes", roots, count);
    tl_json_close(w, '}');
}

void tl_gltf_encode_nodes(gltf_encoder *e)
{
    family f;
    if (!gather(e, &f))
        return;
    for (uint32_t i = 0; i < e->node_count && !e->failed; i++) {
        tl_path_push(&e->losses->path, "nodes", i);
        encode_node(e, &f, i);
        tl_path_pop(&e->losses->path);
    }
    encode_scene(e);
}
