/* What the model cannot hold: one finding for each kind of content, with how much of it there is. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"
#include "formats/gltf/decode/decode.h"
#include "formats/gltf/file/instances.h"

/* How many objects lose something, and the first of them. */
typedef struct gltf_tally {
    uint32_t count;
    const tl_json *first;
} gltf_tally;

static void gltf_tally_add(gltf_tally *t, const tl_json *value)
{
    t->count += value != NULL;
    t->first = t->first ? t->first : value;
}

/* --- nodes --- */

static const char *gltf_node_name(const tl_json *node)
{
    return tl_json_string(tl_json_member(node, "name")).data;
}

static void gltf_report_lost_nodes(gltf_checker *c)
{
    const gltf_table *nodes = &c->file->tables[GLTF_NODES];
    gltf_tally cameras = {0, NULL}, lights = {0, NULL}, instances = {0, NULL}, hidden = {0, NULL};
    const bool fit = tl_gltf_instances_fit(c->file);
    const char *problem, *why = NULL;
    gltf_instances drawn;
    uint32_t left_out = 0, meshes = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        const tl_json *node = nodes->items[i];
        gltf_tally_add(&hidden, c->hidden[i] ? node : NULL);
        left_out += !c->in_scene[i] && !c->hidden[i];
        meshes += !c->in_scene[i] && !c->hidden[i] && tl_json_member(node, "mesh");
        gltf_tally_add(&cameras, tl_json_member(node, "camera") ? node : NULL);
        gltf_tally_add(&lights, tl_gltf_extension(node, "KHR_lights_punctual") ? node : NULL);
        if (!tl_gltf_instances_of(c->file, node, fit, &drawn, &problem) && problem) {
            gltf_tally_add(&instances, tl_gltf_extension(node, tl_gltf_instancing));
            why = why ? why : problem;
        }
    }
    if (left_out > 0)
        GLTF_REPORT(c, GLTF_R_LOST_SCENES, tl_json_member(c->file->root, "scenes"),
                    "nodes outside the scene that is shown, which are not kept: %u (%u with meshes)",
                    (unsigned)left_out, (unsigned)meshes);
    if (hidden.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_HIDDEN, hidden.first, "hidden nodes that are not kept: %u", (unsigned)hidden.count);
    const uint32_t camera = tl_gltf_index(c->file, cameras.first, "camera", GLTF_CAMERAS, NULL);
    const tl_json *list = tl_json_member(tl_gltf_extension(c->file->root, "KHR_lights_punctual"), "lights");
    const tl_json *light = list ? list->first : NULL;
    uint32_t number = 0;
    tl_json_uint(tl_json_member(tl_gltf_extension(lights.first, "KHR_lights_punctual"), "light"), &number);
    for (; light && number > 0; number--)
        light = light->next;
    if (cameras.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_CAMERAS, cameras.first,
                    "cameras that are not kept: %u; the first is \"%.60s\" (%.20s)", (unsigned)cameras.count,
                    gltf_node_name(cameras.first),
                    tl_json_string(tl_json_member(tl_gltf_item(c->file, GLTF_CAMERAS, camera), "type")).data);
    if (lights.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_LIGHTS, lights.first, "lights that are not kept: %u; the first is \"%.60s\" (%.20s)",
                    (unsigned)lights.count, gltf_node_name(lights.first),
                    tl_json_string(tl_json_member(light, "type")).data);
    if (instances.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_INSTANCES, instances.first,
                    "nodes that show their mesh many times, and now once: %u; %s", (unsigned)instances.count, why);
}

/* --- materials --- */

/* The first map of a material that is not kept. Fast64 exports textures to slots where they mean nothing; N64 materials
 * that Trilobite wrote have no maps. */
static const tl_json *gltf_lost_map(const tl_json *material)
{
    const tl_json *extras = tl_json_member(material, "extras");
    const bool n64 = tl_json_member(extras, "trilobite_n64") != NULL;
    if (tl_gltf_extension(material, "FAST64_materials_n64") || tl_json_member(extras, "f3d_mat"))
        return NULL;
    for (int kind = 0; kind < TRILO_MAP_KIND_COUNT; kind++) {
        bool fits;
        const tl_json *map = tl_gltf_map(material, (trilo_map_kind)kind, &fits);
        if (map && (n64 || !fits))
            return map;
    }
    return tl_json_member(tl_gltf_extension(material, "KHR_materials_pbrSpecularGlossiness"),
                          "specularGlossinessTexture");
}

/* --- influences --- */

enum { GLTF_INFLUENCES_KEPT = 4 };

typedef struct gltf_lost_influences {
    uint32_t vertices;
    double max, sum; /* of the weight that vertices lose, as a fraction of all their weight */
} gltf_lost_influences;

/* Adds a vertex with more influences than are kept. Changes `weights`. */
static void gltf_add_lost_influences(gltf_lost_influences *found, float *weights, uint32_t count)
{
    double all = 0, kept = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        used += weights[i] > 0;
        all += weights[i] > 0 ? (double)weights[i] : 0;
    }
    if (used <= GLTF_INFLUENCES_KEPT)
        return;
    for (int k = 0; k < GLTF_INFLUENCES_KEPT; k++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < count; i++)
            best = weights[i] > weights[best] ? i : best;
        kept += (double)weights[best];
        weights[best] = 0;
    }
    const double lost = (all - kept) / all;
    found->vertices++;
    found->sum += lost;
    found->max = lost > found->max ? lost : found->max;
}

/* Looks at WEIGHTS_0, WEIGHTS_1 and so on, up to the first one that does not fit. */
static void gltf_report_lost_influences(gltf_checker *c, const tl_json *attributes)
{
    enum { MAX_SETS = 10 };
    const gltf_accessor *sets[MAX_SETS];
    gltf_accessor_facts *second = NULL;
    uint32_t count = 0;
    for (char name[] = "WEIGHTS_0"; count < MAX_SETS; count++, name[sizeof name - 2]++) {
        const uint32_t index = tl_gltf_index(c->file, attributes, name, GLTF_ACCESSORS, NULL);
        if (index == TRILO_NONE || !c->facts[index].readable)
            break;
        sets[count] = &c->facts[index].accessor;
        if (sets[count]->width != GLTF_INFLUENCES_KEPT || sets[count]->count != sets[0]->count)
            break;
        second = count == 1 ? &c->facts[index] : second;
    }
    if (count < 2 || second->reported)
        return;
    second->reported = true; /* primitives may share their vertices */
    gltf_lost_influences found = {0, 0, 0};
    float weights[MAX_SETS * GLTF_INFLUENCES_KEPT];
    for (uint32_t v = 0; v < sets[0]->count; v++) {
        for (uint32_t i = 0; i < count; i++)
            tl_gltf_element(sets[i], v, true, weights + (size_t)i * GLTF_INFLUENCES_KEPT, GLTF_INFLUENCES_KEPT);
        gltf_add_lost_influences(&found, weights, count * GLTF_INFLUENCES_KEPT);
    }
    if (found.vertices > 0)
        GLTF_REPORT(c, GLTF_R_LOST_INFLUENCES, tl_json_member(attributes, "WEIGHTS_1"),
                    "%u of %u vertices hang on more than 4 joints; they lose up to %.1f %% of their weight, %.1f %% on "
                    "average",
                    (unsigned)found.vertices, (unsigned)sets[0]->count, 100 * found.max,
                    100 * found.sum / found.vertices);
}

/* --- primitives --- */

/* The second attribute whose name begins so; NULL: there is at most one. */
static const tl_json *gltf_second_attribute(const tl_json *attributes, const char *prefix)
{
    uint32_t count = 0;
    for (const tl_json *value = attributes ? attributes->first : NULL; value; value = value->next)
        if (gltf_str_begins(value->key, prefix) && ++count == 2)
            return value;
    return NULL;
}

typedef struct gltf_lost_attributes {
    uint32_t drawn; /* primitives that the model holds */
    gltf_tally points, uvs, colors, tangents;
} gltf_lost_attributes;

static gltf_lost_attributes gltf_count_lost_attributes(gltf_checker *c)
{
    gltf_lost_attributes lost = {0};
    for (uint32_t i = 0; i < c->file->tables[GLTF_MESHES].count; i++) {
        const tl_json *primitives = tl_json_member(c->file->tables[GLTF_MESHES].items[i], "primitives");
        uint64_t number = 0;
        gltf_enter(c, "meshes", i);
        for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next, number++) {
            const tl_json *attributes = tl_json_member(p, "attributes"), *mode = tl_json_member(p, "mode");
            const bool points = mode && tl_json_number(mode, 4) == 0;
            gltf_enter(c, "primitives", number);
            lost.drawn += tl_json_member(attributes, "POSITION") && !points;
            gltf_tally_add(&lost.points, points ? mode : NULL);
            gltf_tally_add(&lost.uvs, gltf_second_attribute(attributes, "TEXCOORD_"));
            gltf_tally_add(&lost.colors, gltf_second_attribute(attributes, "COLOR_"));
            gltf_tally_add(&lost.tangents, tl_json_member(attributes, "TANGENT"));
            gltf_report_lost_influences(c, attributes);
            gltf_leave(c);
        }
        gltf_leave(c);
    }
    return lost;
}

static void gltf_report_lost_attributes(gltf_checker *c)
{
    const gltf_table *nodes = &c->file->tables[GLTF_NODES];
    const gltf_lost_attributes lost = gltf_count_lost_attributes(c);
    bool any_mesh = false;
    for (uint32_t i = 0; i < nodes->count; i++)
        any_mesh = any_mesh || (c->in_scene[i] && tl_json_member(nodes->items[i], "mesh"));
    if (lost.points.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_POINTS, lost.points.first, "primitives of points that are not kept: %u",
                    (unsigned)lost.points.count);
    if (lost.uvs.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_UVS, lost.uvs.first,
                    "primitives with further texture coordinates: %u; of each the set that its texture uses is kept",
                    (unsigned)lost.uvs.count);
    if (lost.colors.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_COLORS, lost.colors.first,
                    "primitives with further colours: %u; of each COLOR_0 is kept", (unsigned)lost.colors.count);
    if (lost.tangents.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_TANGENTS, lost.tangents.first, "primitives with tangents, which are not kept: %u",
                    (unsigned)lost.tangents.count);
    if (lost.drawn == 0 || !any_mesh)
        GLTF_REPORT(c, GLTF_R_EMPTY, c->file->root, "no node of the scene shows a mesh with triangles or lines");
}

/* Only for files without errors: their references are valid. */
void tl_gltf_check_losses(gltf_checker *c)
{
    const gltf_table *materials = &c->file->tables[GLTF_MATERIALS];
    gltf_tally maps = {0, NULL};
    if (c->report->first.code != TRILO_CODE_OK)
        return;
    gltf_report_lost_nodes(c);
    for (uint32_t i = 0; i < materials->count; i++)
        gltf_tally_add(&maps, gltf_lost_map(materials->items[i]));
    if (maps.count > 0)
        GLTF_REPORT(c, GLTF_R_LOST_MAPS, maps.first, "materials with maps besides their colour that cannot be kept: %u",
                    (unsigned)maps.count);
    gltf_report_lost_attributes(c);
}
