/* Conformance of cameras, nodes, scenes and skins. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"

#include "base/vec.h"
#include <math.h>
#include <string.h>

/* --- cameras --- */

static void gltf_conform_camera(gltf_checker *c, const tl_json *camera)
{
    const tl_json *orthographic = tl_json_member(camera, "orthographic"), *zfar, *znear;
    const tl_json *perspective = tl_json_member(camera, "perspective");
    const trilo_str type = tl_json_string(tl_json_member(camera, "type"));
    const tl_json *used = gltf_str_is(type, "orthographic") ? orthographic : perspective;
    if (orthographic && perspective)
        GLTF_CONFORM(c, GLTF_R_PROPERTY, camera, "must be orthographic or perspective, not both");
    else if (!used && (gltf_str_is(type, "orthographic") || gltf_str_is(type, "perspective")))
        GLTF_CONFORM(c, GLTF_R_PROPERTY, camera, "needs a member called %s", type.data);
    zfar = tl_json_member(used, "zfar"), znear = tl_json_member(used, "znear");
    if (zfar && znear && tl_json_number(zfar, 0) <= tl_json_number(znear, 0))
        GLTF_CONFORM(c, GLTF_R_CAMERA, zfar, "zfar must be greater than znear");
    if (used != orthographic)
        return;
    for (int i = 0; i < 2; i++) {
        const tl_json *value = tl_json_member(orthographic, i == 0 ? "xmag" : "ymag");
        if (value && tl_json_number(value, 1) == 0)
            GLTF_CONFORM(c, GLTF_R_CAMERA, value, "%s must not be 0", value->key.data);
    }
}

/* --- nodes --- */

/* The largest sum of a column. */
static double gltf_matrix_norm(const float m[16])
{
    double largest = 0;
    for (int i = 0; i < 16; i += 4)
        largest = fmax(largest,
                       fabs((double)m[i]) + fabs((double)m[i + 1]) + fabs((double)m[i + 2]) + fabs((double)m[i + 3]));
    return largest;
}

/* The quaternion of a rotation's columns (Shoemake 1985), which is not of length 1 if they have shear. */
static trilo_quat gltf_quat_of_columns(float r[3][3])
{
    float q[4];
    const double trace = (double)r[0][0] + (double)r[1][1] + (double)r[2][2];
    if (trace > 0) {
        const double s = sqrt(trace + 1), by = 0.5 / s;
        for (int i = 0; i < 3; i++)
            q[i] = (float)(((double)r[(i + 1) % 3][(i + 2) % 3] - (double)r[(i + 2) % 3][(i + 1) % 3]) * by);
        return (trilo_quat){q[0], q[1], q[2], (float)(s * 0.5)};
    }
    const int last = r[1][1] < r[2][2] ? 2 : 1, i = r[0][0] < r[last][last] ? last : 0, j = (i + 1) % 3,
              k = (i + 2) % 3;
    const double s = sqrt((double)r[i][i] - (double)r[j][j] - (double)r[k][k] + 1), by = 0.5 / s;
    q[i] = (float)(s * 0.5);
    q[j] = (float)(((double)r[i][j] + (double)r[j][i]) * by);
    q[k] = (float)(((double)r[i][k] + (double)r[k][i]) * by);
    q[3] = (float)(((double)r[j][k] - (double)r[k][j]) * by);
    return (trilo_quat){q[0], q[1], q[2], q[3]};
}

/* True if the matrix consists of translation, rotation and scale. Its last row must be 0 0 0 1. As in the Khronos
 * validator, the largest sum of a column must be that of the matrix put together again from its parts, in single
 * precision: a shear that is small beside the translation passes. */
static bool gltf_is_trs(const double from[16])
{
    const double determinant = from[0] * (from[5] * from[10] - from[6] * from[9]) -
                               from[4] * (from[1] * from[10] - from[2] * from[9]) +
                               from[8] * (from[1] * from[6] - from[2] * from[5]);
    float m[16], made[16], rotation[3][3], scale[3];
    if (from[3] != 0 || from[7] != 0 || from[11] != 0 || from[15] != 1 || determinant == 0)
        return false;
    for (int i = 0; i < 16; i++)
        m[i] = (float)from[i];
    for (int i = 0; i < 3; i++) {
        const double a = m[4 * i], b = m[4 * i + 1], c = m[4 * i + 2];
        const double length = sqrt(a * a + b * b + c * c) * (i == 0 && determinant < 0 ? -1 : 1);
        for (int k = 0; k < 3; k++)
            rotation[i][k] = (float)((double)m[4 * i + k] / length);
        scale[i] = (float)length;
    }
    const trilo_quat q = gltf_quat_of_columns(rotation);
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    const double again[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                                {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                                {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(made, m, sizeof made);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            made[4 * i + k] = (float)((double)(float)again[i][k] * (double)scale[i]);
    return fabs(gltf_matrix_norm(m) - gltf_matrix_norm(made)) < 5e-5;
}

static bool gltf_mesh_has_joints(const gltf_checker *c, uint32_t mesh)
{
    const tl_json *primitives = tl_json_member(tl_gltf_item(c->file, GLTF_MESHES, mesh), "primitives");
    for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next)
        if (tl_json_member(tl_json_member(p, "attributes"), "JOINTS_0"))
            return true;
    return !primitives || !primitives->first;
}

static void gltf_conform_node(gltf_checker *c, const tl_json *node, const bool *has_joints)
{
    const tl_json *matrix = tl_json_member(node, "matrix"), *rotation = tl_json_member(node, "rotation");
    const tl_json *skin = tl_json_member(node, "skin"), *weights = tl_json_member(node, "weights");
    const uint32_t mesh = tl_gltf_index(c->file, node, "mesh", GLTF_MESHES, NULL);
    double m[16], q[4];
    if (matrix && (tl_json_member(node, "translation") || rotation || tl_json_member(node, "scale")))
        GLTF_CONFORM(c, GLTF_R_TRANSFORM, matrix, "a node has a matrix, or translation, rotation and scale, not both");
    if (matrix && tl_json_numbers(matrix, m, 16) && !gltf_is_trs(m))
        GLTF_CONFORM(c, GLTF_R_TRANSFORM, matrix, "a matrix must be made of translation, rotation and scale");
    if (rotation && tl_json_numbers(rotation, q, 4) &&
        !(fabs(1 - sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])) <= 0.00769))
        GLTF_CONFORM(c, GLTF_R_UNIT, rotation, "a rotation must be a quaternion of length 1");
    if (!tl_json_member(node, "mesh") && (skin || weights))
        GLTF_CONFORM(c, GLTF_R_PROPERTY, skin ? skin : weights, "%s needs a mesh", skin ? "skin" : "weights");
    if (mesh != TRILO_NONE && tl_gltf_index(c->file, node, "skin", GLTF_SKINS, NULL) != TRILO_NONE && !has_joints[mesh])
        GLTF_CONFORM(c, GLTF_R_SKELETON, skin, "mesh %u has no joints, but its node a skin", (unsigned)mesh);
}

static void gltf_conform_scenes(gltf_checker *c)
{
    const gltf_table *scenes = &c->file->tables[GLTF_SCENES];
    for (uint32_t i = 0; i < scenes->count; i++) {
        const tl_json *nodes = tl_json_member(scenes->items[i], "nodes");
        uint64_t number = 0;
        gltf_enter(c, "scenes", i);
        for (const tl_json *item = nodes ? nodes->first : NULL; item; item = item->next, number++) {
            uint32_t node;
            gltf_enter(c, "nodes", number);
            if (tl_json_uint(item, &node) && node < c->file->tables[GLTF_NODES].count && c->parents[node] != TRILO_NONE)
                GLTF_CONFORM(c, GLTF_R_SCENE, item, "node %u is not a root: it is a child of node %u", (unsigned)node,
                             (unsigned)c->parents[node]);
            gltf_leave(c);
        }
        gltf_leave(c);
    }
}

void tl_gltf_conform_nodes(gltf_checker *c)
{
    const gltf_table *tables = c->file->tables;
    bool *has_joints = TL_ARRAY(c->scratch, tables[GLTF_MESHES].count, bool);
    for (uint32_t i = 0; has_joints && i < tables[GLTF_MESHES].count; i++)
        has_joints[i] = gltf_mesh_has_joints(c, i);
    for (uint32_t i = 0; i < tables[GLTF_CAMERAS].count; i++) {
        gltf_enter(c, "cameras", i);
        gltf_conform_camera(c, tables[GLTF_CAMERAS].items[i]);
        gltf_leave(c);
    }
    for (uint32_t i = 0; has_joints && i < tables[GLTF_NODES].count; i++) {
        gltf_enter(c, "nodes", i);
        gltf_conform_node(c, tables[GLTF_NODES].items[i], has_joints);
        gltf_leave(c);
    }
    gltf_conform_scenes(c);
}

/* --- skins --- */

/* The root of each node; in a cycle, some node of it. Each node is passed twice at most. */
static uint32_t *gltf_roots(gltf_checker *c)
{
    const uint32_t count = c->file->tables[GLTF_NODES].count;
    uint32_t *roots = TL_ARRAY(c->scratch, count, uint32_t), *walk = TL_ARRAY(c->scratch, count, uint32_t);
    if (!roots || !walk)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        roots[i] = TRILO_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        while (roots[at] == TRILO_NONE && c->parents[at] != TRILO_NONE && walk[at] != i + 1) {
            walk[at] = i + 1;
            at = c->parents[at];
        }
        const uint32_t root = roots[at] == TRILO_NONE ? at : roots[at];
        for (uint32_t k = i; roots[k] == TRILO_NONE; k = c->parents[k]) {
            roots[k] = root;
            if (c->parents[k] == TRILO_NONE)
                break;
        }
    }
    return roots;
}

/* True if the node is an ancestor of all joints, or one of them. Walks up from each joint to where another one has
 * passed. */
static bool gltf_is_above_joints(const gltf_checker *c, uint32_t *passed, uint32_t stamp, uint32_t node,
                                 const tl_json *joints)
{
    for (const tl_json *item = joints->first; item; item = item->next) {
        uint32_t at;
        if (!tl_json_uint(item, &at) || at >= c->file->tables[GLTF_NODES].count)
            return true;
        while (at != node && passed[at] != stamp) {
            passed[at] = stamp;
            at = c->parents[at];
            if (at == TRILO_NONE)
                return false;
        }
    }
    return true;
}

/* The root of the first joint, when all joints have it; TRILO_NONE: they have none in common. */
static uint32_t gltf_common_root(const gltf_checker *c, const uint32_t *roots, const tl_json *joints)
{
    uint32_t root = TRILO_NONE, node;
    for (const tl_json *item = joints ? joints->first : NULL; item; item = item->next) {
        if (!tl_json_uint(item, &node) || node >= c->file->tables[GLTF_NODES].count)
            continue;
        if (root != TRILO_NONE && roots[node] != root)
            return TRILO_NONE;
        root = roots[node];
    }
    return root;
}

static void gltf_conform_binds(gltf_checker *c, const tl_json *skin)
{
    const tl_json *value = tl_json_member(skin, "inverseBindMatrices");
    gltf_accessor_facts *binds = tl_gltf_conform_use(c, value, GLTF_USE_BINDS, GLTF_VIEW_BINDS);
    if (!binds || binds->accessor.width == 0)
        return;
    if (binds->accessor.width != 16 || binds->accessor.component != GLTF_F32 || binds->accessor.normalized)
        GLTF_CONFORM(c, GLTF_R_FORMAT, value, "inverse bind matrices must be MAT4 of floats");
    else
        binds->roles |= GLTF_ROLE_BIND;
}

/* A scene with a skinned mesh has the joints too. Scenes list roots. The work is limited: scenes times skinned nodes.
 */
static void gltf_conform_skin_scenes(gltf_checker *c, const uint32_t *roots, const uint32_t *joint_roots)
{
    enum { STEPS_MOST = 1 << 24 };
    const gltf_table *scenes = &c->file->tables[GLTF_SCENES], *nodes = &c->file->tables[GLTF_NODES];
    uint32_t *in_scene = TL_ARRAY(c->scratch, nodes->count, uint32_t);
    bool *found = TL_ARRAY(c->scratch, nodes->count, bool);
    uint64_t steps = 0;
    for (uint32_t s = 0; in_scene && found && s < scenes->count && steps < STEPS_MOST; s++) {
        const tl_json *list = tl_json_member(scenes->items[s], "nodes");
        uint32_t node;
        for (const tl_json *item = list ? list->first : NULL; item; item = item->next)
            if (tl_json_uint(item, &node) && node < nodes->count)
                in_scene[node] = s + 1;
        for (uint32_t i = 0; i < nodes->count; i++, steps++) {
            const uint32_t skin = tl_gltf_index(c->file, nodes->items[i], "skin", GLTF_SKINS, NULL);
            const uint32_t joints = skin == TRILO_NONE ? TRILO_NONE : joint_roots[skin];
            if (found[i] || joints == TRILO_NONE || in_scene[roots[i]] != s + 1 || in_scene[joints] == s + 1)
                continue;
            found[i] = true;
            gltf_enter(c, "nodes", i);
            GLTF_CONFORM(c, GLTF_R_SKELETON, tl_json_member(nodes->items[i], "skin"),
                         "the node is in scene %u, but its joints are not", (unsigned)s);
            gltf_leave(c);
        }
    }
}

void tl_gltf_conform_skins(gltf_checker *c)
{
    const gltf_table *skins = &c->file->tables[GLTF_SKINS];
    const uint32_t count = c->file->tables[GLTF_NODES].count;
    uint32_t *roots = gltf_roots(c), *passed = TL_ARRAY(c->scratch, count, uint32_t);
    uint32_t *joint_roots = TL_ARRAY(c->scratch, skins->count, uint32_t);
    if (!roots || !passed || !joint_roots)
        return;
    for (uint32_t i = 0; i < skins->count; i++) {
        const tl_json *joints = tl_json_member(skins->items[i], "joints");
        const tl_json *value = tl_json_member(skins->items[i], "skeleton");
        const uint32_t skeleton = tl_gltf_index(c->file, skins->items[i], "skeleton", GLTF_NODES, NULL);
        joint_roots[i] = gltf_common_root(c, roots, joints);
        gltf_enter(c, "skins", i);
        gltf_conform_binds(c, skins->items[i]);
        if (joints && joints->first && joint_roots[i] == TRILO_NONE)
            GLTF_CONFORM(c, GLTF_R_SKELETON, joints, "the joints have no common root");
        if (joints && skeleton != TRILO_NONE && !gltf_is_above_joints(c, passed, i + 1, skeleton, joints))
            GLTF_CONFORM(c, GLTF_R_SKELETON, value, "node %u is not above all joints", (unsigned)skeleton);
        gltf_leave(c);
    }
    gltf_conform_skin_scenes(c, roots, joint_roots);
}
