/* Nodes: one parent each, no circles, transforms that are some; scenes; skins. */
#include "formats/gltf/check/check.h"

#include <float.h>
#include <string.h>

static const tl_json *node_at(const gltf_checker *c, uint32_t index)
{
    return c->file->tables[GLTF_NODES].items[index];
}

/* --- one node --- */

static void check_numbers(gltf_checker *c, const tl_json *node, const char *key, uint32_t count)
{
    const tl_json *list = tl_json_member(node, key);
    double numbers[16];
    if (!list)
        return;
    bool good = tl_json_numbers(list, numbers, count);
    for (uint32_t i = 0; good && i < count; i++)
        good = numbers[i] >= -FLT_MAX && numbers[i] <= FLT_MAX;
    if (!good)
        GLTF_TELL(c, GLTF_R_NODE, list, "%s must be %u numbers", key, (unsigned)count);
}

static void check_rotation(gltf_checker *c, const tl_json *node)
{
    const tl_json *list = tl_json_member(node, "rotation");
    double q[4];
    if (list && tl_json_numbers(list, q, 4) && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        GLTF_TELL(c, GLTF_R_NODE, list, "a rotation of four zeros is none; no rotation is 0, 0, 0, 1");
}

static void check_node(gltf_checker *c, uint32_t index)
{
    const tl_json *node = node_at(c, index);
    const uint32_t mesh = tl_gltf_need_index(c, node, "mesh", GLTF_MESHES, false);
    const tl_json *weights = tl_gltf_need_list(c, node, "weights", TL_JSON_NUMBER, false);
    tl_gltf_need_index(c, node, "skin", GLTF_SKINS, false);
    tl_gltf_need_index(c, node, "camera", GLTF_CAMERAS, false);
    check_numbers(c, node, "matrix", 16);
    check_numbers(c, node, "translation", 3);
    check_numbers(c, node, "rotation", 4);
    check_numbers(c, node, "scale", 3);
    check_rotation(c, node);
    if (weights && mesh != TRILO_NONE && weights->count != c->morphs[mesh])
        GLTF_TELL(c, GLTF_R_NODE, weights, "%u weights for %u morph targets", (unsigned)weights->count,
                  (unsigned)c->morphs[mesh]);
}

/* --- the tree --- */

static void adopt(gltf_checker *c, uint32_t index)
{
    const tl_json *list = tl_gltf_need_indices(c, node_at(c, index), "children", GLTF_NODES, false);
    uint64_t number = 0;
    for (const tl_json *item = list ? list->first : NULL; item; item = item->next, number++) {
        const uint32_t child = (uint32_t)item->number;
        gltf_enter(c, "children", number);
        if (c->parents[child] == TRILO_NONE)
            c->parents[child] = index;
        else
            GLTF_TELL(c, GLTF_R_NODE, item, "node %u is a child of node %u too", (unsigned)child,
                      (unsigned)c->parents[child]);
        gltf_leave(c);
    }
}

typedef struct depths {
    uint32_t *known; /* 0: not yet; otherwise how many nodes lead from the root to it, itself included */
    uint32_t *walk;  /* the last walk that passed: who meets his own walk is in a circle */
    uint32_t most;
} depths;

/* Up from a node to one whose depth is known, then down again along the same way. */
static void measure(gltf_checker *c, depths *d, uint32_t start)
{
    uint32_t steps = 0, at = start;
    for (; at != TRILO_NONE && d->known[at] == 0 && d->walk[at] != start + 1; at = c->parents[at], steps++)
        d->walk[at] = start + 1;
    const bool circle = at != TRILO_NONE && d->known[at] == 0;
    const uint32_t base = circle || at == TRILO_NONE ? 0 : d->known[at];
    if (circle) {
        gltf_enter(c, "nodes", at);
        GLTF_TELL(c, GLTF_R_CYCLE, node_at(c, at), "the node is its own ancestor");
        gltf_leave(c);
    } else if (base <= d->most && steps > d->most - base) {
        gltf_enter(c, "nodes", start);
        GLTF_TELL(c, GLTF_R_DEPTH, node_at(c, start), "the node stands %u deep, the limit is %u",
                  (unsigned)(base + steps), (unsigned)d->most);
        gltf_leave(c);
    }
    at = start;
    for (uint32_t depth = base + steps; steps > 0; steps--, depth--, at = c->parents[at])
        d->known[at] = depth;
}

static void check_tree(gltf_checker *c)
{
    const uint32_t count = c->file->tables[GLTF_NODES].count, limit = c->file->opts->limits.depth;
    depths d = {TL_ARRAY(c->scratch, count, uint32_t), TL_ARRAY(c->scratch, count, uint32_t), limit ? limit : 1024};
    if (!d.known || !d.walk) {
        tl_report_finding(c->report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE, "no memory to follow the nodes");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (d.known[i] == 0)
            measure(c, &d, i);
}

/* --- scenes --- */

static void check_scenes(gltf_checker *c)
{
    const gltf_table *scenes = &c->file->tables[GLTF_SCENES];
    tl_gltf_need_index(c, c->file->root, "scene", GLTF_SCENES, false);
    for (uint32_t i = 0; i < scenes->count; i++) {
        gltf_enter(c, "scenes", i);
        tl_gltf_need_indices(c, scenes->items[i], "nodes", GLTF_NODES, false);
        gltf_leave(c);
    }
}

void tl_gltf_check_nodes(gltf_checker *c)
{
    const uint32_t count = c->file->tables[GLTF_NODES].count;
    for (uint32_t i = 0; i < count; i++)
        c->parents[i] = TRILO_NONE;
    for (uint32_t i = 0; i < count; i++) {
        gltf_enter(c, "nodes", i);
        check_node(c, i);
        adopt(c, i);
        gltf_leave(c);
    }
    check_tree(c);
    check_scenes(c);
}

/* --- skins --- */

static void check_skin(gltf_checker *c, const tl_json *skin)
{
    const tl_json *joints = tl_gltf_need_indices(c, skin, "joints", GLTF_NODES, true);
    const tl_json *value = tl_json_member(skin, "inverseBindMatrices");
    gltf_facts *binds = tl_gltf_need_accessor(c, skin, "inverseBindMatrices", false);
    tl_gltf_need_index(c, skin, "skeleton", GLTF_NODES, false);
    if (joints && joints->count == 0)
        GLTF_TELL(c, GLTF_R_SKIN, joints, "a skin needs joints");
    if (!binds)
        return;
    const gltf_accessor *a = &binds->accessor;
    if (!a->matrix || a->width != 16 || a->component != GLTF_F32)
        GLTF_TELL(c, GLTF_R_SKIN, value, "inverse bind matrices must be MAT4 of floats");
    else if (joints && a->count < joints->count)
        GLTF_TELL(c, GLTF_R_SKIN, value, "%u inverse bind matrices for %u joints", (unsigned)a->count,
                  (unsigned)joints->count);
    tl_gltf_all_finite(c, binds, value);
}

/* A vertex may only name joints that the skin of its node has: of several nodes with the mesh, the one whose skin has
 * the fewest. */
static void check_joints_of(gltf_checker *c, const tl_json *primitive, uint32_t joints)
{
    const tl_json *attributes = tl_json_member(primitive, "attributes");
    for (const tl_json *value = attributes ? attributes->first : NULL; value; value = value->next) {
        uint32_t index;
        if (strncmp(value->key.data, "JOINTS_", strlen("JOINTS_")) != 0 || !tl_json_uint(value, &index) ||
            index >= c->file->tables[GLTF_ACCESSORS].count)
            continue;
        const gltf_facts *facts = &c->facts[index];
        if (facts->readable && facts->accessor.count > 0 && facts->most >= joints)
            GLTF_TELL(c, GLTF_R_SKIN, value, "%s names joint %u, but the skin has %u", value->key.data,
                      (unsigned)facts->most, (unsigned)joints);
    }
}

static void check_joints(gltf_checker *c, uint32_t mesh, uint32_t joints)
{
    const tl_json *primitives = tl_json_member(c->file->tables[GLTF_MESHES].items[mesh], "primitives");
    uint64_t number = 0;
    gltf_enter(c, "meshes", mesh);
    for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next, number++) {
        gltf_enter(c, "primitives", number);
        check_joints_of(c, p, joints);
        gltf_leave(c);
    }
    gltf_leave(c);
}

static void check_skinned_meshes(gltf_checker *c)
{
    const uint32_t meshes = c->file->tables[GLTF_MESHES].count;
    uint32_t *fewest = TL_ARRAY(c->scratch, meshes, uint32_t); /* and 1; 0: no skin */
    if (!fewest) {
        tl_report_finding(c->report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE, "no memory to look at skins");
        return;
    }
    for (uint32_t i = 0; i < c->file->tables[GLTF_NODES].count; i++) {
        const uint32_t skin = tl_gltf_index(c->file, node_at(c, i), "skin", GLTF_SKINS, NULL);
        const uint32_t mesh = tl_gltf_index(c->file, node_at(c, i), "mesh", GLTF_MESHES, NULL);
        const tl_json *joints = tl_json_member(tl_gltf_item(c->file, GLTF_SKINS, skin), "joints");
        if (joints && mesh != TRILO_NONE && (fewest[mesh] == 0 || joints->count < fewest[mesh] - 1))
            fewest[mesh] = joints->count + 1;
    }
    for (uint32_t i = 0; i < meshes; i++)
        if (fewest[i] > 0)
            check_joints(c, i, fewest[i] - 1);
}

void tl_gltf_check_skins(gltf_checker *c)
{
    const gltf_table *skins = &c->file->tables[GLTF_SKINS];
    for (uint32_t i = 0; i < skins->count; i++) {
        gltf_enter(c, "skins", i);
        check_skin(c, skins->items[i]);
        gltf_leave(c);
    }
    if (skins->count > 0)
        check_skinned_meshes(c);
}
