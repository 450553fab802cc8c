/* Nodes, skins and the scene. The model's nodes keep their numbers. Other nodes follow them:
 *
 *   - nodes for meshes that cannot use a node of the model;
 *   - a child of each node with a sheared matrix, which glTF cannot express in one node;
 *   - a neutral bone for vertices without weights, and a child for a joint that a skin lists twice;
 *   - a common root for the joints of a skin that have several ("Joint Hierarchy"). */
#include "base/strict_float.h"
#include "formats/gltf/encode/encode.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/vec.h"

static const trilo_str gltf_no_name = {"", 0};

/* --- adding --- */

uint32_t tl_gltf_add_node(gltf_encoder *e, trilo_str name, uint32_t parent)
{
    if (e->failed)
        return TRILO_NONE;
    gltf_file_node *grown =
        tl_gltf_allocated(e, tl_array_grow(e->arena, e->nodes, e->node_count, &e->node_capacity, 1, sizeof *e->nodes));
    if (!grown)
        return TRILO_NONE;
    e->nodes = grown;
    e->nodes[e->node_count] = (gltf_file_node){name, parent, TRILO_NONE, TRILO_NONE, {0, 0, 0, 1}};
    return e->node_count++;
}

/* A clip animates translation, rotation and scale: the shear of an animated node is lost. */
static void gltf_add_shear_node(gltf_encoder *e, uint32_t i)
{
    const trilo_node *node = &e->model->nodes[i];
    trilo_quat outer;
    trilo_vec3 scale;
    e->inner[i] = i;
    if (!node->sheared)
        return;
    if (e->animated[i]) {
        tl_path_push(&e->losses->path, "nodes", i);
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_SHEAR), TRILO_NOWHERE,
                          "the node is animated and has shear, which is lost");
        tl_path_pop(&e->losses->path);
        return;
    }
    const uint32_t inner = tl_gltf_add_node(e, gltf_no_name, i);
    if (inner == TRILO_NONE)
        return;
    tl_gltf_decompose_shear(&node->local, &outer, &scale, &e->nodes[inner].rotation);
    e->inner[i] = inner;
}

void tl_gltf_begin_nodes(gltf_encoder *e)
{
    const trilo_model *model = e->model;
    const uint32_t count = model->node_count;
    e->animated = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, bool));
    e->inner = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, uint32_t));
    for (uint32_t i = 0; i < count; i++)
        tl_gltf_add_node(e, model->nodes[i].name, TRILO_NONE);
    if (e->failed)
        return;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t i = 0; i < model->clips[c].channel_count; i++)
            if (model->clips[c].channels[i].key_count > 0)
                e->animated[model->clips[c].channels[i].node] = true;
    for (uint32_t i = 0; i < count && !e->failed; i++) { /* parents come first */
        const uint32_t parent = model->nodes[i].parent;
        e->nodes[i].parent = parent == TRILO_NONE ? TRILO_NONE : e->inner[parent];
        gltf_add_shear_node(e, i);
    }
}

/* --- skins --- */

typedef struct gltf_skin_encoder {
    gltf_encoder *e;
    uint32_t *roots;      /* of each node of the model */
    uint32_t *joint_skin; /* of each node of the model: number + 1 of the last skin it is a joint of */
    uint32_t common_root; /* TRILO_NONE: not needed yet */
} gltf_skin_encoder;

/* The nodes that are the joints of a skin in the file, with the neutral bone last; NULL: failed. */
static uint32_t *gltf_joint_nodes(gltf_skin_encoder *s, uint32_t index, uint32_t *count)
{
    static const char name[] = "neutral_bone";
    gltf_encoder *e = s->e;
    const trilo_skin *skin = &e->model->skins[index];
    uint32_t *nodes = tl_gltf_allocated(e, TL_ARRAY(e->arena, (size_t)skin->joint_count + 1, uint32_t));
    *count = skin->joint_count;
    for (uint32_t j = 0; nodes && j < skin->joint_count; j++) {
        const uint32_t node = skin->joints[j].node;
        const bool twice = s->joint_skin[node] == index + 1;
        nodes[j] = twice ? tl_gltf_add_node(e, gltf_no_name, e->inner[node]) : e->inner[node];
        s->joint_skin[node] = index + 1;
    }
    if (nodes && e->skin_has_unbound[index]) {
        if (e->neutral_bone == TRILO_NONE)
            e->neutral_bone = tl_gltf_add_node(e, (trilo_str){name, sizeof name - 1}, TRILO_NONE);
        nodes[(*count)++] = e->neutral_bone;
    }
    return e->failed ? NULL : nodes;
}

/* The last row of an inverse bind matrix must be 0, 0, 0, 1 ("Skins"). The neutral bone has the identity. */
static uint32_t gltf_encode_inverse_binds(gltf_encoder *e, const trilo_skin *skin, uint32_t count)
{
    const trilo_mat4 identity = tl_mat4_identity();
    float(*out)[16] = tl_gltf_data_begin(e, count, sizeof *out);
    bool affine = true;
    for (uint32_t j = 0; out && j < count; j++) {
        const trilo_mat4 *from = j < skin->joint_count ? &skin->joints[j].inverse_bind : &identity;
        memcpy(out[j], from->m, sizeof out[j]);
        for (int column = 0; column < 4; column++) {
            affine = affine && out[j][4 * column + 3] == identity.m[4 * column + 3];
            out[j][4 * column + 3] = identity.m[4 * column + 3];
        }
        for (int row = 0; row < 3; row++)
            out[j][12 + row] *= e->policy.meters_per_unit;
    }
    if (!affine)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_SHEAR), TRILO_NOWHERE,
                          "an inverse bind matrix has a bottom row other than 0, 0, 0, 1, which is lost");
    return tl_gltf_add_accessor(e, (gltf_data_type){GLTF_USAGE_OTHER, GLTF_F32, count, 16});
}

static uint32_t gltf_joint_root(const gltf_skin_encoder *s, const trilo_skin *skin, uint32_t joint)
{
    return joint < skin->joint_count ? s->roots[skin->joints[joint].node] : s->e->neutral_bone;
}

/* All joints of a skin need a common root. */
static void gltf_join_roots(gltf_skin_encoder *s, const trilo_skin *skin, uint32_t count)
{
    static const char name[] = "skeleton";
    gltf_encoder *e = s->e;
    bool several = false;
    for (uint32_t j = 1; j < count; j++)
        several = several || gltf_joint_root(s, skin, j) != gltf_joint_root(s, skin, 0);
    if (several && s->common_root == TRILO_NONE)
        s->common_root = tl_gltf_add_node(e, (trilo_str){name, sizeof name - 1}, TRILO_NONE);
    for (uint32_t j = 0; several && !e->failed && j < count; j++)
        e->nodes[gltf_joint_root(s, skin, j)].parent = s->common_root;
}

static void gltf_put_indices(tl_json_writer *w, const char *key, const uint32_t *indices, uint32_t count)
{
    if (count == 0)
        return;
    tl_json_key(w, key);
    tl_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++)
        tl_json_put_uint(w, indices[i]);
    tl_json_close(w, ']');
}

static void gltf_encode_skin(gltf_skin_encoder *s, uint32_t index)
{
    gltf_encoder *e = s->e;
    const trilo_skin *skin = &e->model->skins[index];
    uint32_t count = 0;
    const uint32_t *nodes = gltf_joint_nodes(s, index, &count);
    e->skin_of[index] = TRILO_NONE;
    if (!nodes || count == 0)
        return;
    gltf_join_roots(s, skin, count);
    const uint32_t binds = gltf_encode_inverse_binds(e, skin, count);
    tl_json_writer *w = tl_gltf_begin(e, GLTF_SKINS, &e->skin_of[index]);
    tl_gltf_put_index(w, "inverseBindMatrices", binds);
    gltf_put_indices(w, "joints", nodes, count);
    tl_json_close(w, '}');
}

void tl_gltf_encode_skins(gltf_encoder *e)
{
    const uint32_t count = e->model->node_count;
    gltf_skin_encoder s = {.e = e, .common_root = TRILO_NONE};
    s.joint_skin = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, uint32_t));
    s.roots = tl_gltf_allocated(e, TL_ARRAY(e->arena, count, uint32_t));
    for (uint32_t i = 0; i < count && !e->failed; i++) {
        const uint32_t parent = e->model->nodes[i].parent;
        s.roots[i] = parent == TRILO_NONE ? i : s.roots[parent];
    }
    for (uint32_t i = 0; i < e->model->skin_count && !e->failed; i++) {
        tl_path_push(&e->losses->path, "skins", i);
        gltf_encode_skin(&s, i);
        tl_path_pop(&e->losses->path);
    }
}

/* --- writing --- */

/* Replaces values that are not finite by the default; false: there were some. Writes the member unless all values are
 * the default. */
static bool gltf_put_transform_member(tl_json_writer *w, const char *key, float *values, const float *defaults,
                                      size_t count)
{
    bool finite = true, differs = false;
    for (size_t i = 0; i < count; i++) {
        const bool good = tl_is_finite(values[i]);
        values[i] = good ? values[i] : defaults[i];
        finite = finite && good;
        differs = differs || values[i] != defaults[i];
    }
    if (differs) {
        tl_json_key(w, key);
        tl_json_put_floats(w, values, count);
    }
    return finite;
}

static void gltf_put_trs(gltf_encoder *e, tl_json_writer *w, trilo_vec3 t, trilo_quat r, trilo_vec3 s)
{
    static const float zero[3] = {0, 0, 0}, identity[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
    const float unit = e->policy.meters_per_unit;
    const trilo_quat q = tl_quat_normalize(r); /* the identity when it is not finite */
    float translation[3] = {t.x * unit, t.y * unit, t.z * unit}, rotation[4] = {q.x, q.y, q.z, q.w};
    float scale[3] = {s.x, s.y, s.z};
    bool finite = tl_is_finite(r.x + r.y + r.z + r.w);
    finite = gltf_put_transform_member(w, "translation", translation, zero, 3) && finite;
    finite = gltf_put_transform_member(w, "rotation", rotation, identity, 4) && finite;
    finite = gltf_put_transform_member(w, "scale", scale, one, 3) && finite;
    if (!finite)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NAN), TRILO_NOWHERE,
                          "the node has numbers that are not finite, written as if it rested");
}

/* True if the matrix is written: translation, rotation and scale do not give exactly the same matrix, and no clip
 * animates them. */
static bool gltf_needs_matrix(const gltf_encoder *e, uint32_t i)
{
    const trilo_node *node = &e->model->nodes[i];
    const trilo_mat4 made = tl_mat4_from_trs(node->translation, node->rotation, node->scale);
    const float *m = node->local.m;
    bool same = true, finite = true;
    for (int k = 0; k < 16; k++) {
        same = same && made.m[k] == m[k];
        finite = finite && tl_is_finite(m[k]);
    }
    return !same && finite && !node->sheared && !e->animated[i] && m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1;
}

static void gltf_put_transform(gltf_encoder *e, tl_json_writer *w, uint32_t i)
{
    if (i >= e->model->node_count) {
        gltf_put_trs(e, w, (trilo_vec3){0, 0, 0}, e->nodes[i].rotation, (trilo_vec3){1, 1, 1});
        return;
    }
    const trilo_node *node = &e->model->nodes[i];
    trilo_mat4 local = node->local;
    trilo_quat outer, inner;
    trilo_vec3 scale;
    if (e->inner[i] != i) {
        tl_gltf_decompose_shear(&local, &outer, &scale, &inner);
        gltf_put_trs(e, w, (trilo_vec3){local.m[12], local.m[13], local.m[14]}, outer, scale);
    } else if (gltf_needs_matrix(e, i)) {
        for (int row = 0; row < 3; row++)
            local.m[12 + row] *= e->policy.meters_per_unit;
        tl_json_key(w, "matrix");
        tl_json_put_floats(w, local.m, 16);
    } else
        gltf_put_trs(e, w, node->translation, node->rotation, node->scale);
}

/* The children of all nodes, in one array; those of node i begin at starts[i]. */
typedef struct gltf_children {
    uint32_t *nodes, *starts;
} gltf_children;

/* Counting sort by parent. */
static bool gltf_list_children(gltf_encoder *e, gltf_children *c)
{
    c->nodes = tl_gltf_allocated(e, TL_ARRAY(e->arena, e->node_count, uint32_t));
    c->starts = tl_gltf_allocated(e, TL_ARRAY(e->arena, (size_t)e->node_count + 2, uint32_t));
    if (e->failed)
        return false;
    for (uint32_t i = 0; i < e->node_count; i++)
        if (e->nodes[i].parent != TRILO_NONE)
            c->starts[e->nodes[i].parent + 2]++;
    for (uint32_t i = 2; i < e->node_count + 2; i++)
        c->starts[i] += c->starts[i - 1];
    for (uint32_t i = 0; i < e->node_count; i++) /* moves each start up to the next one's */
        if (e->nodes[i].parent != TRILO_NONE)
            c->nodes[c->starts[e->nodes[i].parent + 1]++] = i;
    return true;
}

static void gltf_encode_node(gltf_encoder *e, const gltf_children *c, uint32_t i)
{
    const gltf_file_node *node = &e->nodes[i];
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_NODES, &index);
    tl_gltf_put_name(w, node->name);
    gltf_put_transform(e, w, i);
    if (node->mesh != TRILO_NONE)
        tl_gltf_put_index(w, "mesh", node->mesh);
    if (node->skin != TRILO_NONE && e->skin_of[node->skin] != TRILO_NONE)
        tl_gltf_put_index(w, "skin", e->skin_of[node->skin]);
    gltf_put_indices(w, "children", c->nodes + c->starts[i], c->starts[i + 1] - c->starts[i]);
    if (i < e->model->node_count) {
        tl_gltf_put_extras(e, w, e->model->nodes[i].extras.json, NULL);
        tl_gltf_put_extensions(e, w, e->model->nodes[i].extras.extensions, NULL);
    }
    tl_json_close(w, '}');
}

void tl_gltf_encode_nodes(gltf_encoder *e)
{
    gltf_children c;
    uint32_t index = 0, count = 0;
    uint32_t *roots = tl_gltf_allocated(e, TL_ARRAY(e->arena, e->node_count, uint32_t));
    if (!gltf_list_children(e, &c))
        return;
    for (uint32_t i = 0; i < e->node_count && !e->failed; i++) {
        tl_path_push(&e->losses->path, "nodes", i);
        gltf_encode_node(e, &c, i);
        tl_path_pop(&e->losses->path);
        if (e->nodes[i].parent == TRILO_NONE)
            roots[count++] = i;
    }
    tl_json_writer *w = tl_gltf_begin(e, GLTF_SCENES, &index);
    gltf_put_indices(w, "nodes", roots, count);
    tl_json_close(w, '}');
}
