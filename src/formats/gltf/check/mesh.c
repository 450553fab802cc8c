/* Meshes: attributes that fit together, indices that stay inside, morph targets. */
#include "formats/gltf/check/check.h"

#include <string.h>

/* --- what an attribute may be --- */

enum { S8 = 1, U8 = 2, S16 = 4, U16 = 8, U32 = 16, F32 = 32 };

static unsigned bit_of(gltf_component component)
{
    return component == GLTF_F32 ? F32 : component == GLTF_U32 ? U32 : 1u << (component - GLTF_S8);
}

typedef struct attribute_kind {
    const char *name;    /* up to its number */
    bool numbered;       /* TEXCOORD_0, TEXCOORD_1 ... */
    uint8_t least, most; /* numbers in an element */
    unsigned components; /* that it may have */
    unsigned quantized;  /* that KHR_mesh_quantization adds */
    unsigned morphed;    /* of a morph target; 0: there are none */
} attribute_kind;

static const attribute_kind kinds[] = {
    {"POSITION", false, 3, 3, F32, S8 | U8 | S16 | U16, F32 | S8 | S16},
    {"NORMAL", false, 3, 3, F32, S8 | S16, F32 | S8 | S16},
    {"TANGENT", false, 4, 4, F32, S8 | S16, F32 | S8 | S16},
    {"TEXCOORD_", true, 2, 2, F32 | U8 | U16, S8 | S16, F32 | S8 | U8 | S16 | U16},
    {"COLOR_", true, 3, 4, F32 | U8 | U16, 0, F32 | S8 | U8 | S16 | U16},
    {"JOINTS_", true, 4, 4, U8 | U16, 0, 0},
    {"WEIGHTS_", true, 4, 4, F32 | U8 | U16, 0, 0},
};

static const attribute_kind *kind_of(trilo_str name)
{
    for (size_t i = 0; i < TL_COUNT_OF(kinds); i++) {
        const size_t length = strlen(kinds[i].name);
        if (name.len < length || memcmp(name.data, kinds[i].name, length) != 0)
            continue;
        if (kinds[i].numbered ? name.len > length : name.len == length)
            return &kinds[i];
    }
    return NULL;
}

static void check_type(gltf_checker *c, const tl_json *value, const attribute_kind *kind, const gltf_accessor *a,
                       bool morph)
{
    const unsigned allowed = morph ? kind->morphed : kind->components | (c->quantized ? kind->quantized : 0);
    const uint8_t most = morph && kind->most == 4 && kind->least == 4 ? 3 : kind->most; /* tangents without a sign */
    const uint8_t least = kind->least < most ? kind->least : most;
    if (a->matrix || a->width < least || a->width > most)
        GLTF_TELL(c, GLTF_R_ATTRIBUTE, value, "%s has %u numbers for each vertex, it must have %u", value->key.data,
                  (unsigned)a->width, (unsigned)most);
    else if (!(bit_of(a->component) & allowed))
        GLTF_TELL(c, GLTF_R_ATTRIBUTE, value, "%s must not be of componentType %u%s", value->key.data,
                  (unsigned)a->component,
                  bit_of(a->component) & kind->quantized ? " without the extension KHR_mesh_quantization" : "");
}

/* --- attributes --- */

/* All attributes of a primitive or a target have `count` elements; the first one says how many when it is unknown. */
static void check_attributes(gltf_checker *c, const tl_json *attributes, bool morph, uint32_t *count)
{
    for (const tl_json *value = attributes->first; value; value = value->next) {
        const attribute_kind *kind = kind_of(value->key);
        gltf_enter(c, value->key.data, TL_NO_INDEX);
        gltf_facts *facts = tl_gltf_accessor_in(c, value);
        if (facts && *count == TRILO_NONE)
            *count = facts->accessor.count;
        if (facts && facts->accessor.count != *count)
            GLTF_TELL(c, GLTF_R_ATTRIBUTE, value, "%s is for %u vertices, but there are %u", value->key.data,
                      (unsigned)facts->accessor.count, (unsigned)*count);
        if (facts && kind) {
            check_type(c, value, kind, &facts->accessor, morph);
            tl_gltf_all_finite(c, facts, value);
        }
        gltf_leave(c);
    }
}

/* Joints without weights, or the other way round, cannot be meant. */
static void check_pairs(gltf_checker *c, const tl_json *attributes)
{
    static const char *const pairs[][2] = {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}};
    for (size_t i = 0; i < TL_COUNT_OF(pairs); i++) {
        const tl_json *joints = tl_json_member(attributes, pairs[i][0]);
        const tl_json *weights = tl_json_member(attributes, pairs[i][1]);
        if (!joints != !weights)
            GLTF_TELL(c, GLTF_R_ATTRIBUTE, joints ? joints : weights, "%s needs %s", pairs[i][joints ? 0 : 1],
                      pairs[i][joints ? 1 : 0]);
    }
}

/* --- indices --- */

static void check_indices(gltf_checker *c, const tl_json *primitive, uint32_t vertices, uint32_t *count)
{
    const tl_json *value = tl_json_member(primitive, "indices");
    const gltf_facts *facts = tl_gltf_need_accessor(c, primitive, "indices", false);
    if (!facts)
        return;
    const gltf_component component = facts->accessor.component;
    *count = facts->accessor.count;
    if (facts->accessor.width != 1 || (component != GLTF_U8 && component != GLTF_U16 && component != GLTF_U32))
        GLTF_TELL(c, GLTF_R_ATTRIBUTE, value, "indices must be SCALAR and of componentType 5121, 5123 or 5125");
    else if (vertices != TRILO_NONE && facts->accessor.count > 0 && facts->most >= vertices)
        GLTF_TELL(c, GLTF_R_INDEX, value, "an index is %u, but there are %u vertices", (unsigned)facts->most,
                  (unsigned)vertices);
}

static void check_leftover(gltf_checker *c, const tl_json *primitive, uint32_t mode, uint32_t count)
{
    static const uint8_t least[] = {1, 2, 2, 2, 3, 3, 3}, step[] = {1, 2, 1, 1, 3, 1, 1};
    if (count > 0 && (count < least[mode] || count % step[mode] != 0))
        GLTF_TELL(c, GLTF_R_LEFTOVER, primitive, "%u vertices make no whole %s", (unsigned)count,
                  mode < 4 ? "lines" : "triangles");
}

static void check_mode(gltf_checker *c, const tl_json *primitive, uint32_t count)
{
    const tl_json *value = tl_json_member(primitive, "mode");
    uint32_t mode = 4;
    if (value && (!tl_json_uint(value, &mode) || mode > 6))
        GLTF_TELL(c, GLTF_R_STRUCTURE, value, "mode must be 0 to 6");
    else if (count != TRILO_NONE)
        check_leftover(c, primitive, mode, count);
}

/* --- primitives and meshes --- */

static uint32_t check_targets(gltf_checker *c, const tl_json *primitive, uint32_t vertices)
{
    const tl_json *targets = tl_gltf_need_list(c, primitive, "targets", TL_JSON_OBJECT, false);
    uint64_t number = 0;
    for (const tl_json *target = targets ? targets->first : NULL; target; target = target->next, number++) {
        gltf_enter(c, "targets", number);
        check_attributes(c, target, true, &vertices);
        gltf_leave(c);
    }
    return targets ? targets->count : 0;
}

/* Answers how many morph targets it has. */
static uint32_t check_primitive(gltf_checker *c, const tl_json *primitive)
{
    const uint32_t material = tl_gltf_need_index(c, primitive, "material", GLTF_MATERIALS, false);
    const tl_json *attributes = tl_gltf_need(c, primitive, "attributes", TL_JSON_OBJECT, true);
    if (material != TRILO_NONE)
        c->materials_met[material] = true;
    if (!attributes)
        return 0;
    uint32_t vertices = TRILO_NONE;
    const uint32_t positions = tl_gltf_index(c->file, attributes, "POSITION", GLTF_ACCESSORS, NULL);
    if (positions != TRILO_NONE)
        vertices = c->facts[positions].accessor.count;
    if (!tl_json_member(attributes, "POSITION"))
        GLTF_TELL(c, GLTF_R_EMPTY, attributes, "without POSITION nothing is drawn");
    gltf_enter(c, "attributes", TL_NO_INDEX);
    check_attributes(c, attributes, false, &vertices);
    check_pairs(c, attributes);
    gltf_leave(c);
    uint32_t count = vertices;
    check_indices(c, primitive, vertices, &count);
    check_mode(c, primitive, count);
    return check_targets(c, primitive, vertices);
}

static void check_mesh(gltf_checker *c, uint32_t index)
{
    const tl_json *mesh = c->file->tables[GLTF_MESHES].items[index];
    const tl_json *primitives = tl_gltf_need_list(c, mesh, "primitives", TL_JSON_OBJECT, true);
    const tl_json *weights = tl_gltf_need_list(c, mesh, "weights", TL_JSON_NUMBER, false);
    uint64_t number = 0;
    for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next, number++) {
        gltf_enter(c, "primitives", number);
        const uint32_t targets = check_primitive(c, p);
        if (number == 0)
            c->morphs[index] = targets;
        else if (targets != c->morphs[index])
            GLTF_TELL(c, GLTF_R_ATTRIBUTE, p, "has %u morph targets, but the first primitive of its mesh has %u",
                      (unsigned)targets, (unsigned)c->morphs[index]);
        gltf_leave(c);
    }
    if (weights && weights->count != c->morphs[index])
        GLTF_TELL(c, GLTF_R_ATTRIBUTE, weights, "%u weights for %u morph targets", (unsigned)weights->count,
                  (unsigned)c->morphs[index]);
}

void tl_gltf_check_meshes(gltf_checker *c)
{
    for (uint32_t i = 0; i < c->file->tables[GLTF_MESHES].count; i++) {
        gltf_enter(c, "meshes", i);
        check_mesh(c, i);
        gltf_leave(c);
    }
}
