/* What the neutral model does not hold: said once for each kind, with how much of it there is. */
#include "formats/gltf/check/check.h"
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/file/instances.h"

#include <string.h>

static bool begins(trilo_str text, const char *start)
{
    return text.len >= strlen(start) && memcmp(text.data, start, strlen(start)) == 0;
}

/* --- scenes --- */

/* The nodes of the scene that is shown, and what hangs on them. Without scenes all are shown. */
static void mark_shown(gltf_checker *c)
{
    const gltf_file *file = c->file;
    const uint32_t named = tl_gltf_index(file, file->root, "scene", GLTF_SCENES, NULL);
    const tl_json *scene = tl_gltf_item(file, GLTF_SCENES, named == TRILO_NONE ? 0 : named);
    const tl_json *nodes = tl_json_member(scene, "nodes");
    const bool all = !scene || file->opts->gltf.all_nodes;
    for (uint32_t i = 0; all && i < file->tables[GLTF_NODES].count; i++)
        c->shown[i] = true;
    for (const tl_json *item = nodes ? nodes->first : NULL; item; item = item->next)
        c->shown[(uint32_t)item->number] = true;
}

/* Up to a node that is known, then down again, so that each node is passed twice at most. */
static bool spread_shown(gltf_checker *c)
{
    const uint32_t count = c->file->tables[GLTF_NODES].count;
    bool *known = TL_ARRAY(c->scratch, count, bool);
    if (!known)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        while (at != TRILO_NONE && !known[at] && !c->shown[at])
            at = c->parents[at];
        const bool shown = at != TRILO_NONE && c->shown[at];
        for (uint32_t k = i; k != at && k != TRILO_NONE && !known[k]; k = c->parents[k]) {
            known[k] = true;
            c->shown[k] = shown;
        }
    }
    return true;
}

static void tell_scenes(gltf_checker *c)
{
    const gltf_table *nodes = &c->file->tables[GLTF_NODES];
    uint32_t left_out = 0, meshes = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        left_out += !c->shown[i];
        meshes += !c->shown[i] && tl_json_member(nodes->items[i], "mesh");
    }
    if (left_out > 0)
        GLTF_TELL(c, GLTF_R_LOST_SCENES, tl_json_member(c->file->root, "scenes"),
                  "%u nodes, %u of them with meshes, are not in the scene that is shown", (unsigned)left_out,
                  (unsigned)meshes);
}

/* --- cameras and lights --- */

typedef struct tally {
    uint32_t count;
    const tl_json *first;
} tally;

static void add(tally *t, const tl_json *value)
{
    t->count += value != NULL;
    t->first = t->first ? t->first : value;
}

static void tell_nodes(gltf_checker *c)
{
    const gltf_table *nodes = &c->file->tables[GLTF_NODES];
    tally cameras = {0, NULL}, lights = {0, NULL}, instances = {0, NULL};
    const bool fit = tl_gltf_instances_fit(c->file);
    const char *problem, *why = NULL;
    gltf_instances shown;
    for (uint32_t i = 0; i < nodes->count; i++) {
        add(&cameras, tl_json_member(nodes->items[i], "camera"));
        add(&lights, tl_gltf_extension(nodes->items[i], "KHR_lights_punctual"));
        if (!tl_gltf_instances_of(c->file, nodes->items[i], fit, &shown, &problem) && problem) {
            add(&instances, tl_gltf_extension(nodes->items[i], tl_gltf_instancing));
            why = why ? why : problem;
        }
    }
    if (cameras.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_CAMERAS, cameras.first, "cameras that are left out: %u", (unsigned)cameras.count);
    if (lights.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_LIGHTS, lights.first, "lights that are left out: %u", (unsigned)lights.count);
    if (instances.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_INSTANCES, instances.first,
                  "nodes that show their mesh many times, and now once: %u; %s", (unsigned)instances.count, why);
}

/* --- materials --- */

/* The first map that is not kept. Fast64 puts pictures into places where they mean nothing; a material of the console
 * that we wrote has none. */
static const tl_json *lost_map(const tl_json *material)
{
    const tl_json *extras = tl_json_member(material, "extras");
    const bool console = tl_json_member(extras, "trilobite_n64") != NULL;
    if (tl_gltf_extension(material, "FAST64_materials_n64") || tl_json_member(extras, "f3d_mat"))
        return NULL;
    for (int kind = 0; kind < TRILO_MAP_COUNT; kind++) {
        bool fits;
        const tl_json *map = tl_gltf_map(material, (trilo_map_kind)kind, &fits);
        if (map && (console || !fits))
            return map;
    }
    return tl_json_member(tl_gltf_extension(material, "KHR_materials_pbrSpecularGlossiness"),
                          "specularGlossinessTexture");
}

static void tell_materials(gltf_checker *c)
{
    const gltf_table *materials = &c->file->tables[GLTF_MATERIALS];
    tally maps = {0, NULL};
    for (uint32_t i = 0; i < materials->count; i++)
        add(&maps, lost_map(materials->items[i]));
    if (maps.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_MAPS, maps.first, "materials with maps beside their colour that cannot be kept: %u",
                  (unsigned)maps.count);
}

/* --- influences --- */

typedef struct influences {
    uint32_t vertices;
    double most, sum; /* of the weight that vertices lose, as parts of all their weight */
} influences;

enum { KEPT = 4, SETS_MOST = 16, WEIGHTS_MOST = 4 * SETS_MOST };

/* What remains when the strongest are kept. */
static void add_vertex(influences *found, float *weights, uint32_t count)
{
    double all = 0, kept = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        used += weights[i] > 0;
        all += weights[i] > 0 ? (double)weights[i] : 0;
    }
    if (used <= KEPT)
        return;
    for (int k = 0; k < KEPT; k++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < count; i++)
            best = weights[i] > weights[best] ? i : best;
        kept += (double)weights[best];
        weights[best] = 0;
    }
    const double lost = (all - kept) / all;
    found->vertices++;
    found->sum += lost;
    found->most = lost > found->most ? lost : found->most;
}

/* The accessors WEIGHTS_0, WEIGHTS_1 ... of a primitive, as long as they fit each other. */
static uint32_t weight_sets(const gltf_checker *c, const tl_json *attributes, uint32_t *sets)
{
    uint32_t count = 0;
    for (char name[] = "WEIGHTS_0"; count < 10; count++, name[sizeof name - 2]++) {
        sets[count] = tl_gltf_index(c->file, attributes, name, GLTF_ACCESSORS, NULL);
        if (sets[count] == TRILO_NONE || !c->facts[sets[count]].readable ||
            c->facts[sets[count]].accessor.width != KEPT ||
            c->facts[sets[count]].accessor.count != c->facts[sets[0]].accessor.count)
            break;
    }
    return count;
}

static void tell_influences(gltf_checker *c, const tl_json *attributes)
{
    uint32_t sets[SETS_MOST];
    const uint32_t count = weight_sets(c, attributes, sets);
    if (count < 2 || c->facts[sets[1]].told)
        return;
    c->facts[sets[1]].told = true; /* primitives may share their vertices */
    influences found = {0, 0, 0};
    float weights[WEIGHTS_MOST];
    const uint32_t vertices = c->facts[sets[0]].accessor.count;
    for (uint32_t v = 0; v < vertices; v++) {
        for (uint32_t i = 0; i < count; i++)
            tl_gltf_element(&c->facts[sets[i]].accessor, v, true, weights + (size_t)i * KEPT, KEPT);
        add_vertex(&found, weights, count * KEPT);
    }
    if (found.vertices > 0)
        GLTF_TELL(c, GLTF_R_LOST_INFLUENCES, tl_json_member(attributes, "WEIGHTS_1"),
                  "%u of %u vertices hang on more than 4 joints; they lose up to %.1f %% of their weight, %.1f %% on "
                  "average",
                  (unsigned)found.vertices, (unsigned)vertices, 100 * found.most, 100 * found.sum / found.vertices);
}

/* --- primitives --- */

typedef struct leftovers {
    uint32_t drawn;
    tally points, uvs, colors, tangents;
} leftovers;

/* Does it have more than one set of that name? */
static const tl_json *second_of(const tl_json *attributes, const char *name)
{
    const tl_json *first = NULL;
    for (const tl_json *value = attributes ? attributes->first : NULL; value; value = value->next) {
        if (!begins(value->key, name))
            continue;
        if (first)
            return value;
        first = value;
    }
    return NULL;
}

static void count_primitive(gltf_checker *c, const tl_json *primitive, leftovers *found)
{
    const tl_json *attributes = tl_json_member(primitive, "attributes"), *mode = tl_json_member(primitive, "mode");
    const bool points = mode && tl_json_number(mode, 4) == 0;
    found->drawn += tl_json_member(attributes, "POSITION") && !points;
    add(&found->points, points ? mode : NULL);
    add(&found->uvs, second_of(attributes, "TEXCOORD_"));
    add(&found->colors, second_of(attributes, "COLOR_"));
    add(&found->tangents, tl_json_member(attributes, "TANGENT"));
    tell_influences(c, attributes);
}

static void count_meshes(gltf_checker *c, leftovers *found)
{
    for (uint32_t i = 0; i < c->file->tables[GLTF_MESHES].count; i++) {
        const tl_json *primitives = tl_json_member(c->file->tables[GLTF_MESHES].items[i], "primitives");
        uint64_t number = 0;
        gltf_enter(c, "meshes", i);
        for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next, number++) {
            gltf_enter(c, "primitives", number);
            count_primitive(c, p, found);
            gltf_leave(c);
        }
        gltf_leave(c);
    }
}

static bool any_mesh_shown(const gltf_checker *c)
{
    const gltf_table *nodes = &c->file->tables[GLTF_NODES];
    for (uint32_t i = 0; i < nodes->count; i++)
        if (c->shown[i] && tl_json_member(nodes->items[i], "mesh"))
            return true;
    return false;
}

static void tell_meshes(gltf_checker *c)
{
    leftovers found = {0};
    count_meshes(c, &found);
    if (found.points.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_POINTS, found.points.first, "primitives of points that are left out: %u",
                  (unsigned)found.points.count);
    if (found.uvs.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_UVS, found.uvs.first,
                  "primitives with further texture coordinates: %u; of each the set that its texture uses is kept",
                  (unsigned)found.uvs.count);
    if (found.colors.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_COLORS, found.colors.first,
                  "primitives with further colours: %u; of each COLOR_0 is kept", (unsigned)found.colors.count);
    if (found.tangents.count > 0)
        GLTF_TELL(c, GLTF_R_LOST_TANGENTS, found.tangents.first, "primitives with tangents, which are left out: %u",
                  (unsigned)found.tangents.count);
    if (found.drawn == 0 || !any_mesh_shown(c))
        GLTF_TELL(c, GLTF_R_EMPTY, c->file->root, "no node of the scene shows a mesh with triangles or lines");
}

/* Only for files without errors: what they refer to is there. */
void tl_gltf_check_losses(gltf_checker *c)
{
    if (c->report->first.code != TRILO_CODE_OK)
        return;
    mark_shown(c);
    if (!spread_shown(c)) {
        tl_report_finding(c->report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "no memory to follow the scenes");
        return;
    }
    tell_scenes(c);
    tell_nodes(c);
    tell_materials(c);
    tell_meshes(c);
}
