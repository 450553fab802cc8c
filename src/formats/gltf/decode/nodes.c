/* Nodes and skins.
 *
 * In a model, parents come before their children. A file in that order keeps it; otherwise the nodes are in depth-first
 * order, children in the order of their parent's list. Nodes outside the shown scene and hidden ones are left out,
 * unless a skin or an animation needs them. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/file/instances.h"

#include "base/vec.h"

/* --- the hierarchy --- */

/* Of all nodes of a file. TRILO_NONE: none. */
typedef struct gltf_hierarchy {
    uint32_t count;
    uint32_t *parents, *first_children, *next_siblings;
    uint32_t *order; /* parents first */
} gltf_hierarchy;

/* A node that is listed twice stays with the first parent. */
static void gltf_link_children(const gltf_decoder *d, gltf_hierarchy *h, uint32_t node)
{
    const tl_json *children = tl_json_member(d->file->tables[GLTF_NODES].items[node], "children");
    uint32_t last = TRILO_NONE, child;
    if (!children || children->kind != TL_JSON_ARRAY)
        return;
    for (const tl_json *c = children->first; c; c = c->next) {
        if (!tl_json_uint(c, &child) || child >= h->count || child == node || h->parents[child] != TRILO_NONE)
            continue;
        h->parents[child] = node;
        if (last == TRILO_NONE)
            h->first_children[node] = child;
        else
            h->next_siblings[last] = child;
        last = child;
    }
}

/* The next node in depth-first order; TRILO_NONE after the last one of the tree. */
static uint32_t gltf_next_node(const gltf_hierarchy *h, uint32_t node)
{
    if (h->first_children[node] != TRILO_NONE)
        return h->first_children[node];
    while (node != TRILO_NONE && h->next_siblings[node] == TRILO_NONE)
        node = h->parents[node];
    return node == TRILO_NONE ? TRILO_NONE : h->next_siblings[node];
}

static bool gltf_build_hierarchy(gltf_decoder *d, gltf_hierarchy *h)
{
    h->count = gltf_count(d, GLTF_NODES);
    uint32_t **lists[] = {&h->parents, &h->first_children, &h->next_siblings, &h->order};
    for (size_t i = 0; i < TL_COUNT_OF(lists); i++) {
        *lists[i] = tl_array_raw(&d->scratch, h->count, sizeof **lists[i]);
        if (!*lists[i])
            return false;
        memset(*lists[i], 0xFF, h->count * sizeof **lists[i]); /* TRILO_NONE */
    }
    for (uint32_t i = 0; i < h->count; i++)
        gltf_link_children(d, h, i);
    bool sorted = true;
    for (uint32_t i = 0; i < h->count; i++) {
        sorted = sorted && (h->parents[i] == TRILO_NONE || h->parents[i] < i);
        h->order[i] = i;
    }
    if (sorted)
        return true;
    uint32_t placed = 0;
    for (uint32_t root = 0; root < h->count; root++)
        for (uint32_t node = h->parents[root] == TRILO_NONE ? root : TRILO_NONE; node != TRILO_NONE;
             node = gltf_next_node(h, node))
            h->order[placed++] = node;
    /* Nodes in a cycle have no root above them. */
    return placed == h->count ||
           tl_gltf_decode_fail(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_CYCLE), tl_json_member(d->file->root, "nodes"),
                               "a node is its own ancestor");
}

/* --- which nodes are kept --- */

const tl_json *tl_gltf_shown_scene(const gltf_file *file)
{
    const uint32_t named = tl_gltf_index(file, file->root, "scene", GLTF_SCENES, NULL);
    return tl_gltf_item(file, GLTF_SCENES, named == TRILO_NONE ? 0 : named);
}

static void gltf_mark_nodes(const tl_json *list, uint32_t count, bool *marks)
{
    uint32_t node;
    if (!list || list->kind != TL_JSON_ARRAY)
        return;
    for (const tl_json *item = list->first; item; item = item->next)
        if (tl_json_uint(item, &node) && node < count)
            marks[node] = true;
}

/* Fills d->drawn with the visible nodes of the scene, and `kept` with those, joints, animated nodes and all of their
 * ancestors. */
static void gltf_mark_kept_nodes(const gltf_decoder *d, const gltf_hierarchy *h, bool *kept, bool *hidden)
{
    const gltf_file *file = d->file;
    const tl_json *scene = tl_gltf_shown_scene(file);
    const bool all = !scene || file->opts->gltf->all_nodes;
    if (!all)
        gltf_mark_nodes(tl_json_member(scene, "nodes"), h->count, d->drawn);
    for (uint32_t i = 0; i < h->count; i++) {
        const uint32_t node = h->order[i], parent = h->parents[node];
        d->drawn[node] = all || d->drawn[node] || (parent != TRILO_NONE && d->drawn[parent]);
        hidden[node] =
            tl_gltf_is_hidden(file->tables[GLTF_NODES].items[node]) || (parent != TRILO_NONE && hidden[parent]);
    }
    for (uint32_t i = 0; i < h->count; i++) {
        d->drawn[i] = d->drawn[i] && !hidden[i];
        kept[i] = d->drawn[i];
    }
    for (uint32_t i = 0; i < gltf_count(d, GLTF_SKINS); i++)
        gltf_mark_nodes(tl_json_member(file->tables[GLTF_SKINS].items[i], "joints"), h->count, kept);
    for (uint32_t i = 0; i < gltf_count(d, GLTF_ANIMATIONS); i++) {
        const tl_json *channels = tl_json_member(file->tables[GLTF_ANIMATIONS].items[i], "channels");
        for (const tl_json *c = channels ? channels->first : NULL; c; c = c->next) {
            const uint32_t node = tl_gltf_index(file, tl_json_member(c, "target"), "node", GLTF_NODES, NULL);
            if (node != TRILO_NONE)
                kept[node] = true;
        }
    }
    for (uint32_t i = h->count; i-- > 0;) {
        const uint32_t node = h->order[i];
        if (kept[node] && h->parents[node] != TRILO_NONE)
            kept[h->parents[node]] = true;
    }
}

/* --- nodes --- */

static void gltf_read_floats(const tl_json *array, uint32_t count, float *out)
{
    double numbers[16];
    if (tl_json_numbers(array, numbers, count))
        for (uint32_t i = 0; i < count; i++)
            out[i] = gltf_float(numbers[i]);
}

static bool gltf_decode_node(gltf_decoder *d, uint32_t index, trilo_node *out)
{
    static const char *const lost[] = {"KHR_lights_punctual", NULL};
    static const char *const lost_or_decoded[] = {"KHR_lights_punctual", tl_gltf_instancing, NULL};
    const tl_json *json = d->file->tables[GLTF_NODES].items[index], *matrix = tl_json_member(json, "matrix");
    float t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (matrix) {
        out->local = tl_mat4_identity();
        gltf_read_floats(matrix, 16, out->local.m);
        out->sheared = !tl_mat4_decompose(&out->local, &out->translation, &out->rotation, &out->scale);
    } else {
        gltf_read_floats(tl_json_member(json, "translation"), 3, t);
        gltf_read_floats(tl_json_member(json, "rotation"), 4, r);
        gltf_read_floats(tl_json_member(json, "scale"), 3, s);
        out->translation = (trilo_vec3){t[0], t[1], t[2]};
        out->rotation = (trilo_quat){r[0], r[1], r[2], r[3]};
        out->scale = (trilo_vec3){s[0], s[1], s[2]};
        out->local = tl_mat4_from_trs(out->translation, out->rotation, out->scale);
    }
    return tl_gltf_name(d, json, &out->name) &&
           tl_gltf_extras(d, json, d->instances_of[index].count > 0 ? lost_or_decoded : lost, &out->extras);
}

/* Counts the instances of all nodes. Without transforms they would all be in one place, so there are none. */
static uint32_t gltf_count_instances(gltf_decoder *d, uint32_t nodes)
{
    const bool fit = tl_gltf_instances_fit(d->file);
    uint32_t total = 0;
    for (uint32_t i = 0; i < nodes && !d->file->opts->gltf->ignore_transforms; i++) {
        const tl_json *json = d->file->tables[GLTF_NODES].items[i];
        gltf_instances instances;
        const char *problem;
        if (d->drawn[i] && tl_gltf_instances_of(d->file, json, fit, &instances, &problem))
            total += d->instances_of[i].count = instances.count;
    }
    return total;
}

/* Instances come after all other nodes, so after their parents. */
static void gltf_add_instances(gltf_decoder *d, uint32_t index, trilo_node *nodes)
{
    gltf_instances instances;
    const char *problem;
    if (d->instances_of[index].count == 0 ||
        !tl_gltf_instances_of(d->file, d->file->tables[GLTF_NODES].items[index], true, &instances, &problem))
        return;
    d->instances_of[index].first = d->model->node_count;
    for (uint32_t i = 0; i < instances.count; i++) {
        trilo_node *node = &nodes[d->model->node_count++];
        tl_gltf_instance(&instances, i, node);
        node->parent = d->node_of[index];
        node->name = nodes[node->parent].name;
    }
}

/* Fast64 leaves meshes in a file that only carry its materials along: they are not drawn. */
static bool gltf_decode_kept_nodes(gltf_decoder *d, const gltf_hierarchy *h, const bool *kept)
{
    uint32_t count = gltf_count_instances(d, h->count);
    for (uint32_t i = 0; i < h->count; i++)
        count += kept[i] ? 1 : 0;
    trilo_node *nodes = TL_ARRAY(d->arena, count, trilo_node);
    if (!nodes)
        return false;
    d->model->nodes = nodes;
    for (uint32_t i = 0; i < h->count; i++) {
        const uint32_t index = h->order[i], parent = h->parents[index];
        d->node_of[index] = kept[index] ? d->model->node_count++ : TRILO_NONE;
        if (!kept[index])
            continue;
        trilo_node *node = &nodes[d->node_of[index]];
        node->parent = parent == TRILO_NONE ? TRILO_NONE : d->node_of[parent];
        if (!gltf_decode_node(d, index, node))
            return false;
        const trilo_str name = tl_json_string(tl_json_member(d->file->tables[GLTF_NODES].items[index], "name"));
        d->drawn[index] = d->drawn[index] && !gltf_str_begins(name, "fast64_f3d_material_library");
    }
    for (uint32_t i = 0; i < h->count; i++)
        gltf_add_instances(d, i, nodes);
    return true;
}

bool tl_gltf_decode_nodes(gltf_decoder *d)
{
    gltf_hierarchy h;
    if (!gltf_build_hierarchy(d, &h))
        return false;
    bool *kept = TL_ARRAY(&d->scratch, h.count, bool), *hidden = TL_ARRAY(&d->scratch, h.count, bool);
    d->node_of = TL_ARRAY(&d->scratch, h.count, uint32_t);
    d->drawn = TL_ARRAY(&d->scratch, h.count, bool);
    d->instances_of = TL_ARRAY(&d->scratch, h.count, gltf_range);
    if (!kept || !hidden || !d->node_of || !d->drawn || !d->instances_of)
        return false;
    gltf_mark_kept_nodes(d, &h, kept, hidden);
    return gltf_decode_kept_nodes(d, &h, kept);
}

/* --- skins --- */

/* Without inverse bind matrices, or with too few, each is the identity ("Skins"). */
static bool gltf_decode_skin(gltf_decoder *d, const tl_json *json, trilo_skin *out)
{
    const tl_json *list = tl_json_member(json, "joints");
    const uint32_t count = list && list->kind == TL_JSON_ARRAY ? list->count : 0;
    const uint32_t index = tl_gltf_index(d->file, json, "inverseBindMatrices", GLTF_ACCESSORS, NULL);
    gltf_accessor a;
    trilo_mat4 *binds = NULL;
    if (count > UINT16_MAX)
        return tl_gltf_decode_fail(d, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], list,
                                   "the skin has too many joints, 65535 is the most");
    if (index != TRILO_NONE && !tl_gltf_accessor(d->file, index, &a) && a.count >= count && a.width == 16) {
        binds = tl_array_raw(&d->scratch, a.count, sizeof *binds);
        if (!binds)
            return false;
        tl_gltf_floats(&a, false, binds->m, 16);
    }
    trilo_joint *joints = TL_ARRAY(d->arena, count, trilo_joint);
    if (!joints)
        return false;
    *out = (trilo_skin){count, joints};
    const tl_json *item = count > 0 ? list->first : NULL;
    for (uint32_t i = 0; i < count; i++, item = item->next) {
        uint32_t node;
        if (!tl_json_uint(item, &node) || node >= gltf_count(d, GLTF_NODES))
            return tl_gltf_decode_fail(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_SKIN), item,
                                       "the joint is not a node of the file");
        joints[i] = (trilo_joint){d->node_of[node], binds ? binds[i] : tl_mat4_identity()};
    }
    return true;
}

bool tl_gltf_decode_skins(gltf_decoder *d)
{
    const uint32_t count = gltf_count(d, GLTF_SKINS);
    trilo_skin *skins = TL_ARRAY(d->arena, count, trilo_skin);
    if (!skins)
        return false;
    d->model->skins = skins;
    for (uint32_t i = 0; i < count; i++, d->model->skin_count++)
        if (!gltf_decode_skin(d, d->file->tables[GLTF_SKINS].items[i], &skins[i]))
            return false;
    return true;
}
