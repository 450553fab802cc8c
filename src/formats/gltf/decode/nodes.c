/* Nodes and skins.
 *
 * A model has parents in front of their children. A file that has them so keeps its order; otherwise the trees are
 * walked, children in the order that their parent names them. Nodes that the shown scene does not reach are left out,
 * unless a skin or an animation needs them. */
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/file/instances.h"

#include "base/vec.h"
#include <string.h>

/* The trees of all nodes of a file. TRILO_NONE: none. */
typedef struct forest {
    uint32_t count;
    uint32_t *parents, *first_children, *next_siblings;
    uint32_t *order; /* parents first */
} forest;

/* --- who is whose child --- */

static bool forest_new(gltf_decoder *d, forest *f)
{
    f->count = gltf_count(d, GLTF_NODES);
    uint32_t **lists[] = {&f->parents, &f->first_children, &f->next_siblings, &f->order};
    for (size_t i = 0; i < TL_COUNT_OF(lists); i++) {
        *lists[i] = tl_array_raw(&d->scratch, f->count, sizeof **lists[i]);
        if (!*lists[i])
            return false;
        memset(*lists[i], 0xFF, f->count * sizeof **lists[i]);
    }
    return true;
}

/* A node that is named twice stays with the first parent. */
static void take_children(const gltf_decoder *d, forest *f, uint32_t node)
{
    const tl_json *children = tl_json_member(d->file->tables[GLTF_NODES].items[node], "children");
    uint32_t last = TRILO_NONE, child;
    if (!children || children->kind != TL_JSON_ARRAY)
        return;
    for (const tl_json *c = children->first; c; c = c->next) {
        if (!tl_json_uint(c, &child) || child >= f->count || child == node || f->parents[child] != TRILO_NONE)
            continue;
        f->parents[child] = node;
        if (last == TRILO_NONE)
            f->first_children[node] = child;
        else
            f->next_siblings[last] = child;
        last = child;
    }
}

static bool is_sorted(const forest *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (f->parents[i] != TRILO_NONE && f->parents[i] >= i)
            return false;
    return true;
}

/* The node behind `node` in a walk of its tree; TRILO_NONE behind the last. */
static uint32_t next_in_tree(const forest *f, uint32_t node)
{
    if (f->first_children[node] != TRILO_NONE)
        return f->first_children[node];
    while (node != TRILO_NONE && f->next_siblings[node] == TRILO_NONE)
        node = f->parents[node];
    return node == TRILO_NONE ? TRILO_NONE : f->next_siblings[node];
}

/* False when some nodes hang on no root: they are their own ancestors. */
static bool sort_forest(forest *f)
{
    uint32_t placed = 0;
    if (is_sorted(f)) {
        for (uint32_t i = 0; i < f->count; i++)
            f->order[i] = i;
        return true;
    }
    for (uint32_t root = 0; root < f->count; root++)
        for (uint32_t node = f->parents[root] == TRILO_NONE ? root : TRILO_NONE; node != TRILO_NONE;
             node = next_in_tree(f, node))
            f->order[placed++] = node;
    return placed == f->count;
}

static bool grow_forest(gltf_decoder *d, forest *f)
{
    if (!forest_new(d, f))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        take_children(d, f, i);
    return sort_forest(f) || tl_gltf_refuse(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_CYCLE),
                                            tl_json_member(d->file->root, "nodes"), "a node is its own ancestor");
}

/* --- which of them count --- */

const tl_json *tl_gltf_shown_scene(const gltf_file *file)
{
    const uint32_t named = tl_gltf_index(file, file->root, "scene", GLTF_SCENES, NULL);
    return tl_gltf_item(file, GLTF_SCENES, named == TRILO_NONE ? 0 : named);
}

static void mark_list(const tl_json *list, uint32_t count, bool *marks)
{
    uint32_t node;
    if (!list || list->kind != TL_JSON_ARRAY)
        return;
    for (const tl_json *item = list->first; item; item = item->next)
        if (tl_json_uint(item, &node) && node < count)
            marks[node] = true;
}

static void mark_shown(const gltf_decoder *d, const forest *f)
{
    const tl_json *scene = tl_gltf_shown_scene(d->file);
    const bool all = !scene || d->file->opts->gltf.all_nodes;
    for (uint32_t i = 0; all && i < f->count; i++)
        d->shown[i] = true;
    if (!all)
        mark_list(tl_json_member(scene, "nodes"), f->count, d->shown);
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t node = f->order[i], parent = f->parents[node];
        d->shown[node] = d->shown[node] || (parent != TRILO_NONE && d->shown[parent]);
    }
}

/* Joints and animated nodes are kept wherever they are, and so is everything that they hang on. */
static void mark_needed(const gltf_decoder *d, const forest *f, bool *needed)
{
    memcpy(needed, d->shown, f->count * sizeof *needed);
    for (uint32_t i = 0; i < gltf_count(d, GLTF_SKINS); i++)
        mark_list(tl_json_member(d->file->tables[GLTF_SKINS].items[i], "joints"), f->count, needed);
    for (uint32_t i = 0; i < gltf_count(d, GLTF_ANIMATIONS); i++) {
        const tl_json *channels = tl_json_member(d->file->tables[GLTF_ANIMATIONS].items[i], "channels");
        for (const tl_json *c = channels ? channels->first : NULL; c; c = c->next) {
            const uint32_t node = tl_gltf_index(d->file, tl_json_member(c, "target"), "node", GLTF_NODES, NULL);
            if (node != TRILO_NONE)
                needed[node] = true;
        }
    }
    for (uint32_t i = f->count; i-- > 0;) {
        const uint32_t node = f->order[i];
        if (needed[node] && f->parents[node] != TRILO_NONE)
            needed[f->parents[node]] = true;
    }
}

/* Meshes that Fast64 leaves in a file to carry its materials along. */
static bool is_material_library(const tl_json *node)
{
    static const char prefix[] = "fast64_f3d_material_library";
    const trilo_str name = tl_json_string(tl_json_member(node, "name"));
    return name.len >= sizeof prefix - 1 && memcmp(name.data, prefix, sizeof prefix - 1) == 0;
}

/* --- one node --- */

static void read_floats(const tl_json *array, uint32_t count, float *out)
{
    double numbers[16];
    if (tl_json_numbers(array, numbers, count))
        for (uint32_t i = 0; i < count; i++)
            out[i] = gltf_float(numbers[i]);
}

static void read_place(const tl_json *json, trilo_node *out)
{
    const tl_json *matrix = tl_json_member(json, "matrix");
    float t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (matrix) {
        out->local = tl_mat4_identity();
        read_floats(matrix, 16, out->local.m);
        out->sheared = !tl_mat4_decompose(&out->local, &out->translation, &out->rotation, &out->scale);
        return;
    }
    read_floats(tl_json_member(json, "translation"), 3, t);
    read_floats(tl_json_member(json, "rotation"), 4, r);
    read_floats(tl_json_member(json, "scale"), 3, s);
    out->translation = (trilo_vec3){t[0], t[1], t[2]};
    out->rotation = (trilo_quat){r[0], r[1], r[2], r[3]};
    out->scale = (trilo_vec3){s[0], s[1], s[2]};
    out->local = tl_mat4_from_trs(out->translation, out->rotation, out->scale);
}

static bool decode_node(gltf_decoder *d, uint32_t row, trilo_node *out)
{
    static const char *const lost[] = {"KHR_lights_punctual", NULL};
    static const char *const lost_and_shown[] = {"KHR_lights_punctual", tl_gltf_instancing, NULL};
    const tl_json *json = d->file->tables[GLTF_NODES].items[row];
    read_place(json, out);
    return tl_gltf_name(d, json, &out->name) &&
           tl_gltf_extras(d, json, d->copies[row].count > 0 ? lost_and_shown : lost, &out->extras);
}

/* --- instances --- */

/* How many more nodes the model needs. Without transforms all would be in one place. */
static uint32_t count_copies(gltf_decoder *d, const forest *f)
{
    const bool fit = tl_gltf_instances_fit(d->file);
    uint32_t total = 0;
    for (uint32_t i = 0; i < f->count && !d->file->opts->gltf.ignore_transforms; i++) {
        const tl_json *json = d->file->tables[GLTF_NODES].items[i];
        gltf_instances instances;
        const char *problem;
        if (d->shown[i] && tl_gltf_instances_of(d->file, json, fit, &instances, &problem))
            total += d->copies[i].count = instances.count;
    }
    return total;
}

/* They come behind all others, so behind their parents. */
static void place_copies(gltf_decoder *d, uint32_t row, trilo_node *nodes)
{
    gltf_instances instances;
    const char *problem;
    if (d->copies[row].count == 0 ||
        !tl_gltf_instances_of(d->file, d->file->tables[GLTF_NODES].items[row], true, &instances, &problem))
        return;
    d->copies[row].first = d->model->node_count;
    for (uint32_t i = 0; i < instances.count; i++) {
        trilo_node *copy = &nodes[d->model->node_count++];
        tl_gltf_instance(&instances, i, copy);
        copy->parent = d->node_of[row];
        copy->name = nodes[copy->parent].name;
    }
}

/* --- all of them --- */

static bool place_nodes(gltf_decoder *d, const forest *f, const bool *needed)
{
    uint32_t count = count_copies(d, f);
    for (uint32_t i = 0; i < f->count; i++)
        count += needed[i] ? 1 : 0;
    trilo_node *nodes = TL_ARRAY(d->arena, count, trilo_node);
    if (!nodes)
        return false;
    d->model->nodes = nodes;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t row = f->order[i], parent = f->parents[row];
        d->node_of[row] = needed[row] ? d->model->node_count++ : TRILO_NONE;
        if (!needed[row])
            continue;
        trilo_node *node = &nodes[d->node_of[row]];
        node->parent = parent == TRILO_NONE ? TRILO_NONE : d->node_of[parent];
        if (!decode_node(d, row, node))
            return false;
        d->shown[row] = d->shown[row] && !is_material_library(d->file->tables[GLTF_NODES].items[row]);
    }
    for (uint32_t i = 0; i < f->count; i++)
        place_copies(d, i, nodes);
    return true;
}

bool tl_gltf_decode_nodes(gltf_decoder *d)
{
    forest f;
    if (!grow_forest(d, &f))
        return false;
    bool *needed = TL_ARRAY(&d->scratch, f.count, bool);
    d->node_of = TL_ARRAY(&d->scratch, f.count, uint32_t);
    d->shown = TL_ARRAY(&d->scratch, f.count, bool);
    d->copies = TL_ARRAY(&d->scratch, f.count, gltf_copies);
    if (!needed || !d->node_of || !d->shown || !d->copies)
        return false;
    mark_shown(d, &f);
    mark_needed(d, &f, needed);
    return place_nodes(d, &f, needed);
}

/* --- skins --- */

/* NULL where there are none, or too few; *ok is false without memory. */
static const trilo_mat4 *inverse_binds(gltf_decoder *d, const tl_json *skin, uint32_t count, bool *ok)
{
    gltf_accessor a;
    const uint32_t index = tl_gltf_index(d->file, skin, "inverseBindMatrices", GLTF_ACCESSORS, NULL);
    if (index == TRILO_NONE || tl_gltf_accessor(d->file, index, &a) || a.count < count || a.width != 16)
        return NULL;
    trilo_mat4 *matrices = tl_array_raw(&d->scratch, a.count, sizeof *matrices);
    *ok = matrices != NULL;
    if (matrices)
        tl_gltf_floats(&a, false, matrices->m, 16);
    return matrices;
}

static bool decode_skin(gltf_decoder *d, const tl_json *json, trilo_skin *out)
{
    const tl_json *list = tl_json_member(json, "joints");
    const uint32_t count = list && list->kind == TL_JSON_ARRAY ? list->count : 0;
    if (count > UINT16_MAX)
        return tl_gltf_refuse(d, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], list,
                              "the skin has too many joints, 65535 is the most");
    bool ok = true;
    const trilo_mat4 *binds = inverse_binds(d, json, count, &ok);
    trilo_joint *joints = ok ? TL_ARRAY(d->arena, count, trilo_joint) : NULL;
    if (!joints)
        return false;
    *out = (trilo_skin){count, joints};
    const tl_json *item = count > 0 ? list->first : NULL;
    for (uint32_t i = 0; i < count; i++, item = item->next) {
        uint32_t node;
        if (!tl_json_uint(item, &node) || node >= gltf_count(d, GLTF_NODES))
            return tl_gltf_refuse(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_SKIN), item,
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
        if (!decode_skin(d, d->file->tables[GLTF_SKINS].items[i], &skins[i]))
            return false;
    return true;
}
