/* Meshes: attributes that fit together, indices in range, morph targets. */
#include "formats/gltf/check/check.h"

/* --- attribute types --- */

/* Component types as a set. */
enum {
    GLTF_BIT_S8 = 1,
    GLTF_BIT_U8 = 2,
    GLTF_BIT_S16 = 4,
    GLTF_BIT_U16 = 8,
    GLTF_BIT_U32 = 16,
    GLTF_BIT_F32 = 32,
    GLTF_BITS_FS = GLTF_BIT_F32 | GLTF_BIT_S8 | GLTF_BIT_S16,
    GLTF_BITS_FU = GLTF_BIT_F32 | GLTF_BIT_U8 | GLTF_BIT_U16
};

static unsigned gltf_component_bit(gltf_component component)
{
    return component == GLTF_F32 ? GLTF_BIT_F32 : component == GLTF_U32 ? GLTF_BIT_U32 : 1u << (component - GLTF_S8);
}

/* "Meshes" lists the types of attributes; KHR_mesh_quantization adds some. */
typedef struct gltf_attribute_type {
    const char *name;    /* up to the number of the set */
    bool numbered;       /* TEXCOORD_0, TEXCOORD_1 ... */
    uint8_t min, max;    /* components */
    unsigned components; /* allowed component types */
    unsigned quantized;  /* that KHR_mesh_quantization adds */
    unsigned morphed;    /* allowed in a morph target; 0: none */
} gltf_attribute_type;

static const gltf_attribute_type gltf_attribute_types[] = {
    {"POSITION", false, 3, 3, GLTF_BIT_F32, GLTF_BIT_S8 | GLTF_BIT_U8 | GLTF_BIT_S16 | GLTF_BIT_U16, GLTF_BITS_FS},
    {"NORMAL", false, 3, 3, GLTF_BIT_F32, GLTF_BIT_S8 | GLTF_BIT_S16, GLTF_BITS_FS},
    {"TANGENT", false, 4, 4, GLTF_BIT_F32, GLTF_BIT_S8 | GLTF_BIT_S16, GLTF_BITS_FS},
    {"TEXCOORD_", true, 2, 2, GLTF_BITS_FU, GLTF_BIT_S8 | GLTF_BIT_S16, GLTF_BITS_FS | GLTF_BITS_FU},
    {"COLOR_", true, 3, 4, GLTF_BITS_FU, 0, GLTF_BITS_FS | GLTF_BITS_FU},
    {"JOINTS_", true, 4, 4, GLTF_BIT_U8 | GLTF_BIT_U16, 0, 0},
    {"WEIGHTS_", true, 4, 4, GLTF_BITS_FU, 0, 0},
};

static void gltf_check_attribute_type(gltf_checker *c, const tl_json *value, const gltf_attribute_type *type,
                                      const gltf_accessor *a, bool morph)
{
    const unsigned allowed = morph ? type->morphed : type->components | (c->quantized ? type->quantized : 0);
    const uint8_t max = morph && type->min == 4 ? 3 : type->max; /* tangents of morph targets have no sign */
    const uint8_t min = type->min < max ? type->min : max;
    const unsigned bit = gltf_component_bit(a->component);
    if (a->matrix || a->width < min || a->width > max)
        GLTF_REPORT(c, GLTF_R_ATTRIBUTE, value, "%s has %u numbers for each vertex, it must have %u", value->key.data,
                    (unsigned)a->width, (unsigned)max);
    else if (!(bit & allowed))
        GLTF_REPORT(c, GLTF_R_ATTRIBUTE, value, "%s must not be of componentType %u%s", value->key.data,
                    (unsigned)a->component,
                    bit & type->quantized ? " without the extension KHR_mesh_quantization" : "");
}

/* --- primitives --- */

/* All attributes of a primitive or morph target have `count` elements; the first one sets it when it is TRILO_NONE. */
static void gltf_check_attributes(gltf_checker *c, const tl_json *attributes, bool morph, uint32_t *count)
{
    for (const tl_json *value = attributes->first; value; value = value->next) {
        const gltf_attribute_type *type = NULL;
        for (size_t i = 0; !type && i < TL_COUNT_OF(gltf_attribute_types); i++) {
            const gltf_attribute_type *t = &gltf_attribute_types[i];
            if (t->numbered ? gltf_str_begins(value->key, t->name) && value->key.len > strlen(t->name)
                            : gltf_str_is(value->key, t->name))
                type = t;
        }
        gltf_enter(c, value->key.data, TL_NO_INDEX);
        gltf_accessor_facts *facts = tl_gltf_check_accessor_value(c, value);
        if (facts && *count == TRILO_NONE)
            *count = facts->accessor.count;
        if (facts && facts->accessor.count != *count)
            GLTF_REPORT(c, GLTF_R_ATTRIBUTE, value, "%s is for %u vertices, but there are %u", value->key.data,
                        (unsigned)facts->accessor.count, (unsigned)*count);
        if (facts && type) {
            gltf_check_attribute_type(c, value, type, &facts->accessor, morph);
            tl_gltf_check_finite(c, facts, value);
        }
        gltf_leave(c);
    }
}

/* Indices in range, and as many as the topology needs: 3 a triangle, 2 a line. */
static void gltf_check_indices(gltf_checker *c, const tl_json *primitive, uint32_t vertices)
{
    static const uint8_t min[] = {1, 2, 2, 2, 3, 3, 3}, step[] = {1, 2, 1, 1, 3, 1, 1}; /* of each mode */
    const tl_json *indices = tl_json_member(primitive, "indices"), *value = tl_json_member(primitive, "mode");
    const gltf_accessor_facts *facts = tl_gltf_check_accessor(c, primitive, "indices", false);
    const uint32_t count = facts ? facts->accessor.count : vertices;
    uint32_t mode = 4;
    if (facts &&
        (facts->accessor.width != 1 || (facts->accessor.component != GLTF_U8 && facts->accessor.component != GLTF_U16 &&
                                        facts->accessor.component != GLTF_U32)))
        GLTF_REPORT(c, GLTF_R_ATTRIBUTE, indices, "indices must be SCALAR and of componentType 5121, 5123 or 5125");
    else if (facts && vertices != TRILO_NONE && count > 0 && facts->max >= vertices)
        GLTF_REPORT(c, GLTF_R_INDEX, indices, "an index is %u, but there are %u vertices", (unsigned)facts->max,
                    (unsigned)vertices);
    if (value && (!tl_json_uint(value, &mode) || mode > 6))
        GLTF_REPORT(c, GLTF_R_STRUCTURE, value, "mode must be 0 to 6");
    else if (count != TRILO_NONE && count > 0 && (count < min[mode] || count % step[mode] != 0))
        GLTF_REPORT(c, GLTF_R_LEFTOVER, primitive, "%u vertices make no whole %s", (unsigned)count,
                    mode < 4 ? "lines" : "triangles");
}

/* Returns the number of morph targets. */
static uint32_t gltf_check_primitive(gltf_checker *c, const tl_json *primitive)
{
    static const char *const pairs[][2] = {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}};
    tl_gltf_check_index(c, primitive, "material", GLTF_MATERIALS, false);
    const tl_json *attributes = tl_gltf_check_member(c, primitive, "attributes", TL_JSON_OBJECT, true);
    uint32_t vertices = TRILO_NONE;
    if (!attributes)
        return 0;
    const uint32_t positions = tl_gltf_index(c->file, attributes, "POSITION", GLTF_ACCESSORS, NULL);
    if (positions != TRILO_NONE)
        vertices = c->facts[positions].accessor.count;
    if (!tl_json_member(attributes, "POSITION"))
        GLTF_REPORT(c, GLTF_R_EMPTY, attributes, "without POSITION nothing is drawn");
    gltf_enter(c, "attributes", TL_NO_INDEX);
    gltf_check_attributes(c, attributes, false, &vertices);
    for (size_t i = 0; i < TL_COUNT_OF(pairs); i++) {
        const tl_json *joints = tl_json_member(attributes, pairs[i][0]);
        const tl_json *weights = tl_json_member(attributes, pairs[i][1]);
        if (!joints != !weights)
            GLTF_REPORT(c, GLTF_R_ATTRIBUTE, joints ? joints : weights, "%s needs %s", pairs[i][joints ? 0 : 1],
                        pairs[i][joints ? 1 : 0]);
    }
    gltf_leave(c);
    gltf_check_indices(c, primitive, vertices);
    const tl_json *targets = tl_gltf_check_list(c, primitive, "targets", TL_JSON_OBJECT, false);
    uint64_t number = 0;
    for (const tl_json *target = targets ? targets->first : NULL; target; target = target->next, number++) {
        gltf_enter(c, "targets", number);
        gltf_check_attributes(c, target, true, &vertices);
        gltf_leave(c);
    }
    return targets ? targets->count : 0;
}

/* All primitives of a mesh have the same number of morph targets. */
void tl_gltf_check_meshes(gltf_checker *c)
{
    const gltf_table *meshes = &c->file->tables[GLTF_MESHES];
    for (uint32_t i = 0; i < meshes->count; i++) {
        gltf_enter(c, "meshes", i);
        const tl_json *primitives = tl_gltf_check_list(c, meshes->items[i], "primitives", TL_JSON_OBJECT, true);
        const tl_json *weights = tl_gltf_check_list(c, meshes->items[i], "weights", TL_JSON_NUMBER, false);
        uint64_t number = 0;
        for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next, number++) {
            gltf_enter(c, "primitives", number);
            const uint32_t targets = gltf_check_primitive(c, p);
            if (number == 0)
                c->target_counts[i] = targets;
            else if (targets != c->target_counts[i])
                GLTF_REPORT(c, GLTF_R_ATTRIBUTE, p, "has %u morph targets, but the first primitive of its mesh has %u",
                            (unsigned)targets, (unsigned)c->target_counts[i]);
            gltf_leave(c);
        }
        if (weights && weights->count != c->target_counts[i])
            GLTF_REPORT(c, GLTF_R_ATTRIBUTE, weights, "%u weights for %u morph targets", (unsigned)weights->count,
                        (unsigned)c->target_counts[i]);
        gltf_leave(c);
    }
}
