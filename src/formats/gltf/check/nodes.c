/* Nodes, scenes and skins: one parent for each node, no cycles, valid transforms, joints that exist. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"
#include "formats/gltf/decode/decode.h"

#include <float.h>

/* --- the scene --- */

static void gltf_find_parents(gltf_checker *c)
{
    const gltf_table *nodes = &c->file->tables[GLTF_NODES];
    for (uint32_t i = 0; i < nodes->count; i++)
        c->parents[i] = TRILO_NONE;
    for (uint32_t i = 0; i < nodes->count; i++) {
        const tl_json *children = tl_json_member(nodes->items[i], "children");
        for (const tl_json *item = children ? children->first : NULL; item; item = item->next) {
            uint32_t child;
            if (tl_json_uint(item, &child) && child < nodes->count && c->parents[child] == TRILO_NONE)
                c->parents[child] = i;
        }
    }
}

/* Materials of the meshes that the nodes of the scene draw. */
static void gltf_mark_materials(gltf_checker *c)
{
    const gltf_table *nodes = &c->file->tables[GLTF_NODES];
    bool *drawn = TL_ARRAY(c->scratch, c->file->tables[GLTF_MESHES].count, bool);
    for (uint32_t i = 0; drawn && i < nodes->count; i++) {
        const uint32_t mesh = tl_gltf_index(c->file, nodes->items[i], "mesh", GLTF_MESHES, NULL);
        const tl_json *primitives = tl_json_member(tl_gltf_item(c->file, GLTF_MESHES, mesh), "primitives");
        if (mesh == TRILO_NONE || !c->in_scene[i] || drawn[mesh])
            continue;
        drawn[mesh] = true;
        for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next) {
            const uint32_t material = tl_gltf_index(c->file, p, "material", GLTF_MATERIALS, NULL);
            if (material != TRILO_NONE)
                c->materials_used[material] = true;
        }
    }
}

/* The nodes of the scene that is shown, with their descendants; without scenes all nodes. Nothing is valid yet: nodes
 * may be in a cycle. Each walk goes up to a node that is known, and down again. */
bool tl_gltf_mark_scene(gltf_checker *c)
{
    const gltf_file *file = c->file;
    const gltf_table *table = &file->tables[GLTF_NODES];
    const tl_json *scene = tl_gltf_shown_scene(file), *nodes = tl_json_member(scene, "nodes");
    bool *known = TL_ARRAY(c->scratch, table->count, bool);
    uint32_t *path = TL_ARRAY(c->scratch, table->count, uint32_t), node;
    if (!known || !path)
        return false;
    gltf_find_parents(c);
    for (uint32_t i = 0; i < table->count; i++)
        c->in_scene[i] = !scene || file->opts->gltf->all_nodes;
    for (const tl_json *item = nodes ? nodes->first : NULL; item; item = item->next)
        if (tl_json_uint(item, &node) && node < table->count)
            c->in_scene[node] = true;
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t length = 0;
        for (uint32_t at = i; at != TRILO_NONE && !known[at]; at = c->parents[at]) {
            known[at] = true;
            path[length++] = at;
        }
        while (length-- > 0) {
            const uint32_t at = path[length], above = c->parents[at];
            c->hidden[at] = tl_gltf_is_hidden(table->items[at]) || (above != TRILO_NONE && c->hidden[above]);
            c->in_scene[at] = c->in_scene[at] || (above != TRILO_NONE && c->in_scene[above]);
        }
    }
    for (uint32_t i = 0; i < table->count; i++)
        c->in_scene[i] = c->in_scene[i] && !c->hidden[i];
    gltf_mark_materials(c);
    return true;
}

/* --- nodes --- */

static void gltf_check_transform(gltf_checker *c, const tl_json *node, const char *key, uint32_t count)
{
    const tl_json *list = tl_json_member(node, key);
    double numbers[16];
    if (!list)
        return;
    bool good = tl_json_numbers(list, numbers, count);
    for (uint32_t i = 0; good && i < count; i++)
        good = numbers[i] >= -FLT_MAX && numbers[i] <= FLT_MAX;
    if (!good)
        GLTF_REPORT(c, GLTF_R_NODE, list, "%s must be %u numbers", key, (unsigned)count);
}

static void gltf_check_node(gltf_checker *c, uint32_t index)
{
    const tl_json *node = c->file->tables[GLTF_NODES].items[index], *rotation = tl_json_member(node, "rotation");
    const uint32_t mesh = tl_gltf_check_index(c, node, "mesh", GLTF_MESHES, false);
    const tl_json *weights = tl_gltf_check_list(c, node, "weights", TL_JSON_NUMBER, false);
    double q[4];
    tl_gltf_check_index(c, node, "skin", GLTF_SKINS, false);
    tl_gltf_check_index(c, node, "camera", GLTF_CAMERAS, false);
    gltf_check_transform(c, node, "matrix", 16);
    gltf_check_transform(c, node, "translation", 3);
    gltf_check_transform(c, node, "rotation", 4);
    gltf_check_transform(c, node, "scale", 3);
    if (rotation && tl_json_numbers(rotation, q, 4) && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        GLTF_REPORT(c, GLTF_R_NODE, rotation, "a rotation of four zeros is none; no rotation is 0, 0, 0, 1");
    if (weights && mesh != TRILO_NONE && weights->count != c->target_counts[mesh])
        GLTF_REPORT(c, GLTF_R_NODE, weights, "%u weights for %u morph targets", (unsigned)weights->count,
                    (unsigned)c->target_counts[mesh]);
    const tl_json *children = tl_gltf_check_indices(c, node, "children", GLTF_NODES, false);
    uint64_t number = 0;
    for (const tl_json *item = children ? children->first : NULL; item; item = item->next, number++) {
        const uint32_t child = (uint32_t)item->number;
        gltf_enter(c, "children", number);
        if (c->parents[child] == TRILO_NONE)
            c->parents[child] = index;
        else
            GLTF_REPORT(c, GLTF_R_NODE, item, "node %u is a child of node %u too", (unsigned)child,
                        (unsigned)c->parents[child]);
        gltf_leave(c);
    }
}

/* --- the hierarchy --- */

typedef struct gltf_depths {
    uint32_t *depth; /* of each node, a root has 1; 0: not known yet */
    uint32_t *walk;  /* the last walk that passed, by its first node + 1; a walk that meets itself is in a cycle */
    uint32_t max;
} gltf_depths;

/* Walks up to a node whose depth is known, then sets the depths on the way. */
static void gltf_check_depth(gltf_checker *c, gltf_depths *d, uint32_t start)
{
    const tl_json **nodes = c->file->tables[GLTF_NODES].items;
    uint32_t steps = 0, at = start;
    for (; at != TRILO_NONE && d->depth[at] == 0 && d->walk[at] != start + 1; at = c->parents[at], steps++)
        d->walk[at] = start + 1;
    const bool cycle = at != TRILO_NONE && d->depth[at] == 0;
    const uint32_t base = cycle || at == TRILO_NONE ? 0 : d->depth[at];
    if (cycle) {
        gltf_enter(c, "nodes", at);
        GLTF_REPORT(c, GLTF_R_CYCLE, nodes[at], "the node is its own ancestor");
        gltf_leave(c);
    } else if (base <= d->max && steps > d->max - base) {
        gltf_enter(c, "nodes", start);
        GLTF_REPORT(c, GLTF_R_DEPTH, nodes[start], "the node is %u levels deep, the limit is %u",
                    (unsigned)(base + steps), (unsigned)d->max);
        gltf_leave(c);
    }
    at = start;
    for (uint32_t depth = base + steps; steps > 0; steps--, depth--, at = c->parents[at])
        d->depth[at] = depth;
}

void tl_gltf_check_nodes(gltf_checker *c)
{
    const gltf_table *scenes = &c->file->tables[GLTF_SCENES];
    const uint32_t count = c->file->tables[GLTF_NODES].count, limit = c->file->opts->limits.depth;
    gltf_depths d = {TL_ARRAY(c->scratch, count, uint32_t), TL_ARRAY(c->scratch, count, uint32_t),
                     limit ? limit : 1024};
    for (uint32_t i = 0; i < count; i++)
        c->parents[i] = TRILO_NONE;
    for (uint32_t i = 0; i < count; i++) {
        gltf_enter(c, "nodes", i);
        gltf_check_node(c, i);
        gltf_leave(c);
    }
    if (!d.depth || !d.walk)
        tl_report_finding(c->report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to follow the nodes");
    for (uint32_t i = 0; d.depth && d.walk && i < count; i++)
        if (d.depth[i] == 0)
            gltf_check_depth(c, &d, i);
    tl_gltf_check_index(c, c->file->root, "scene", GLTF_SCENES, false);
    for (uint32_t i = 0; i < scenes->count; i++) {
        gltf_enter(c, "scenes", i);
        tl_gltf_check_indices(c, scenes->items[i], "nodes", GLTF_NODES, false);
        gltf_leave(c);
    }
}

/* --- skins --- */

static void gltf_check_skin(gltf_checker *c, const tl_json *skin)
{
    const tl_json *joints = tl_gltf_check_indices(c, skin, "joints", GLTF_NODES, true);
    const tl_json *value = tl_json_member(skin, "inverseBindMatrices");
    gltf_accessor_facts *binds = tl_gltf_check_accessor(c, skin, "inverseBindMatrices", false);
    tl_gltf_check_index(c, skin, "skeleton", GLTF_NODES, false);
    if (joints && joints->count == 0)
        GLTF_REPORT(c, GLTF_R_SKIN, joints, "a skin needs joints");
    if (!binds)
        return;
    const gltf_accessor *a = &binds->accessor;
    if (!a->matrix || a->width != 16 || a->component != GLTF_F32)
        GLTF_REPORT(c, GLTF_R_SKIN, value, "inverse bind matrices must be MAT4 of floats");
    else if (joints && a->count < joints->count)
        GLTF_REPORT(c, GLTF_R_SKIN, value, "%u inverse bind matrices for %u joints", (unsigned)a->count,
                    (unsigned)joints->count);
    tl_gltf_check_finite(c, binds, value);
}

/* The joints of all vertices of a mesh must be below `joints`. */
static void gltf_check_joints(gltf_checker *c, uint32_t mesh, uint32_t joints)
{
    const tl_json *primitives = tl_json_member(c->file->tables[GLTF_MESHES].items[mesh], "primitives");
    uint64_t number = 0;
    gltf_enter(c, "meshes", mesh);
    for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next, number++) {
        const tl_json *attributes = tl_json_member(p, "attributes");
        gltf_enter(c, "primitives", number);
        for (const tl_json *value = attributes ? attributes->first : NULL; value; value = value->next) {
            uint32_t index;
            if (!gltf_str_begins(value->key, "JOINTS_") || !tl_json_uint(value, &index) ||
                index >= c->file->tables[GLTF_ACCESSORS].count)
                continue;
            const gltf_accessor_facts *facts = &c->facts[index];
            if (facts->readable && facts->accessor.count > 0 && facts->max >= joints)
                GLTF_REPORT(c, GLTF_R_SKIN, value, "%s names joint %u, but the skin has %u", value->key.data,
                            (unsigned)facts->max, (unsigned)joints);
        }
        gltf_leave(c);
    }
    gltf_leave(c);
}

/* Several nodes may draw a mesh with different skins: the one with the fewest joints counts. */
void tl_gltf_check_skins(gltf_checker *c)
{
    const gltf_table *skins = &c->file->tables[GLTF_SKINS], *nodes = &c->file->tables[GLTF_NODES];
    const uint32_t meshes = c->file->tables[GLTF_MESHES].count;
    uint32_t *fewest = TL_ARRAY(c->scratch, meshes, uint32_t); /* joints + 1; 0: no skin */
    for (uint32_t i = 0; i < skins->count; i++) {
        gltf_enter(c, "skins", i);
        gltf_check_skin(c, skins->items[i]);
        gltf_leave(c);
    }
    if (!fewest)
        tl_report_finding(c->report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to check skins");
    for (uint32_t i = 0; fewest && i < nodes->count; i++) {
        const uint32_t skin = tl_gltf_index(c->file, nodes->items[i], "skin", GLTF_SKINS, NULL);
        const uint32_t mesh = tl_gltf_index(c->file, nodes->items[i], "mesh", GLTF_MESHES, NULL);
        const tl_json *joints = tl_json_member(tl_gltf_item(c->file, GLTF_SKINS, skin), "joints");
        if (joints && mesh != TRILO_NONE && (fewest[mesh] == 0 || joints->count < fewest[mesh] - 1))
            fewest[mesh] = joints->count + 1;
    }
    for (uint32_t i = 0; fewest && i < meshes; i++)
        if (fewest[i] > 0)
            gltf_check_joints(c, i, fewest[i] - 1);
}
