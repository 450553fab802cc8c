/* Conformance of meshes: names, formats and alignment of attributes, morph targets, texture coordinates, weights. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"

#include "base/float4.h"
#include <math.h>

/* --- attributes --- */

typedef enum gltf_semantic {
    GLTF_S_POSITION,
    GLTF_S_NORMAL,
    GLTF_S_TANGENT,
    GLTF_S_TEXCOORD,
    GLTF_S_COLOR,
    GLTF_S_JOINTS,
    GLTF_S_WEIGHTS,
    GLTF_S_CUSTOM, /* its name starts with an underscore */
    GLTF_S_INVALID
} gltf_semantic;

/* The sets of a semantic: they are numbered without gaps. */
typedef struct gltf_sets {
    uint32_t count, highest; /* + 1 */
} gltf_sets;

/* "TEXCOORD_1" is {GLTF_S_TEXCOORD, 1}. A number has no leading zeros. */
static gltf_semantic gltf_semantic_of(trilo_str name, uint32_t *set)
{
    static const char *const names[] = {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"};
    *set = 0;
    if (name.len > 0 && name.data[0] == '_')
        return GLTF_S_CUSTOM;
    for (int i = 0; i < GLTF_S_CUSTOM; i++) {
        const size_t length = strlen(names[i]);
        if (i < GLTF_S_TEXCOORD && gltf_str_is(name, names[i]))
            return (gltf_semantic)i;
        if (i < GLTF_S_TEXCOORD || !gltf_str_begins(name, names[i]))
            continue;
        if (name.len == length || name.len > length + 6 || (name.data[length] == '0' && name.len > length + 1))
            return GLTF_S_INVALID;
        for (size_t k = length; k < name.len; k++) {
            if (name.data[k] < '0' || name.data[k] > '9')
                return GLTF_S_INVALID;
            *set = *set * 10 + (uint32_t)(name.data[k] - '0');
        }
        return (gltf_semantic)i;
    }
    return GLTF_S_INVALID;
}

/* Integers are normalized, except joints; what KHR_mesh_quantization allows is checked in mesh.c. */
static bool gltf_is_format_allowed(const gltf_checker *c, gltf_semantic semantic, bool morph, const gltf_accessor *a)
{
    const bool floats = a->component == GLTF_F32, normalized = a->normalized && !floats && a->component != GLTF_U32;
    const bool is_signed = a->component == GLTF_S8 || a->component == GLTF_S16;
    const bool plain = !a->matrix && !(floats && a->normalized);
    switch (semantic) {
    case GLTF_S_POSITION:
    case GLTF_S_NORMAL:
        return c->quantized || (plain && a->width == 3 && floats);
    case GLTF_S_TANGENT:
        return c->quantized || (plain && a->width == (morph ? 3 : 4) && floats);
    case GLTF_S_TEXCOORD:
        return c->quantized || (plain && a->width == 2 && (floats || (normalized && (morph || !is_signed))));
    case GLTF_S_COLOR:
        return plain && (a->width == 3 || a->width == 4) && (floats || (normalized && (morph || !is_signed)));
    case GLTF_S_JOINTS:
        return plain && a->width == 4 && !a->normalized && (a->component == GLTF_U8 || a->component == GLTF_U16);
    case GLTF_S_WEIGHTS:
        return plain && a->width == 4 && (floats || (normalized && !is_signed));
    default:
        return a->component != GLTF_U32;
    }
}

static void gltf_conform_attribute(gltf_checker *c, const tl_json *value, bool morph, gltf_sets *sets)
{
    static const unsigned roles[] = {0, GLTF_ROLE_NORMAL, GLTF_ROLE_TANGENT, 0, GLTF_ROLE_COLOR, 0, 0, 0, 0};
    uint32_t set;
    const gltf_semantic semantic = gltf_semantic_of(value->key, &set);
    const bool in_targets = semantic <= GLTF_S_COLOR || semantic == GLTF_S_CUSTOM;
    if (semantic == GLTF_S_INVALID || (morph && !in_targets))
        GLTF_CONFORM(c, GLTF_R_SEMANTIC, value,
                     "%.60s is not the name of an attribute; those of an application start "
                     "with an underscore",
                     value->key.data);
    sets[semantic].count++;
    sets[semantic].highest = set + 1 > sets[semantic].highest ? set + 1 : sets[semantic].highest;
    gltf_accessor_facts *facts = tl_gltf_conform_use(c, value, GLTF_USE_ATTRIBUTE, GLTF_VIEW_VERTICES);
    if (!facts || !facts->accessor.json || facts->accessor.width == 0)
        return;
    const gltf_accessor *a = &facts->accessor;
    const uint32_t view = tl_gltf_index(c->file, a->json, "bufferView", GLTF_BUFFER_VIEWS, NULL);
    const double offset = tl_json_number(tl_json_member(a->json, "byteOffset"), 0);
    if (semantic == GLTF_S_POSITION && (!tl_json_member(a->json, "min") || !tl_json_member(a->json, "max")))
        GLTF_CONFORM(c, GLTF_R_BOUNDS, value, "an accessor of positions must have min and max");
    if (!gltf_is_format_allowed(c, semantic, morph, a))
        GLTF_CONFORM(c, GLTF_R_FORMAT, value, "%.60s must not be of componentType %u%s with %u components",
                     value->key.data, (unsigned)a->component, a->normalized ? ", normalized," : "", (unsigned)a->width);
    else if (!morph && (semantic != GLTF_S_COLOR || (set == 0 && a->component == GLTF_F32)))
        facts->roles |= roles[semantic];
    const bool no_stride =
        view != TRILO_NONE && !tl_json_member(c->file->tables[GLTF_BUFFER_VIEWS].items[view], "byteStride");
    if (fmod(offset, 4) != 0 || (no_stride && tl_gltf_element_layout(a).size % 4 != 0))
        GLTF_CONFORM(c, GLTF_R_ALIGNMENT, value,
                     "the elements of vertex attributes must start at multiples of 4 bytes");
}

/* --- joints and weights --- */

enum { GLTF_SETS_CHECKED = 8 };

static const double GLTF_WEIGHT_ROUNDING = 2e-7; /* of a sum, for each weight in it */

/* True if nothing is wrong with a vertex that has bytes as joints and floats as weights, as most have. Weights from the
 * last one that is not 0 on need no joints. */
static bool gltf_influences_conform(const uint8_t *joints, const uint8_t *weights, const double roundings[16])
{
    static const uint8_t one_joint[16] = {0, 0, 0x80, 0x3F}; /* weights 1, 0, 0, 0 */
    const tl_float4 zero = tl_float4_all(0);
    float w[4], sum = 0;
    if (memcmp(weights, one_joint, sizeof one_joint) == 0)
        return true;
    memcpy(w, weights, sizeof w);
    for (size_t k = 0; !tl_order_is_host(TL_LITTLE) && k < 4; k++)
        w[k] = tl_get_f32(weights + 4 * k, TL_LITTLE);
    for (size_t k = 0; k < 4; k++)
        sum += w[k];
    const unsigned used = tl_float4_less(zero, tl_float4_load(w));
    bool twice = false;
    for (unsigned k = 1; used >> k != 0; k++)
        for (unsigned i = 0; i < k; i++)
            twice |= joints[i] == joints[k] && (used >> i & used >> k & 1) != 0;
    return tl_float4_at_most(zero, tl_float4_load(w)) == 15 && !twice && fabs((double)sum - 1) <= roundings[used];
}

/* Weights are not negative and add up to 1 within rounding, and no joint has two of them. `sets` pairs of accessors
 * that all have `count` elements. */
static void gltf_conform_influences(gltf_checker *c, const tl_json *attributes, const gltf_accessor *joints[],
                                    const gltf_accessor *weights[], uint32_t sets)
{
    static const double largest[] = {127, 255, 32767, 65535, 1, 1, 1};
    gltf_cursor joint_cursors[GLTF_SETS_CHECKED], weight_cursors[GLTF_SETS_CHECKED];
    double j[GLTF_SETS_CHECKED][16], w[GLTF_SETS_CHECKED][16], used[4 * GLTF_SETS_CHECKED];
    uint32_t negative = 0, twice = 0, sums = 0, first = TRILO_NONE;
    for (uint32_t i = 0; i < sets; i++) {
        joint_cursors[i] = tl_gltf_cursor(joints[i]);
        weight_cursors[i] = tl_gltf_cursor(weights[i]);
    }
    const bool plain = sets == 1 && joints[0]->component == GLTF_U8 && weights[0]->component == GLTF_F32 &&
                       joints[0]->data && weights[0]->data && joints[0]->sparse_count + weights[0]->sparse_count == 0;
    double roundings[16]; /* for each set of weights that are not 0 */
    for (uint32_t i = 0; i < TL_COUNT_OF(roundings); i++)
        roundings[i] = GLTF_WEIGHT_ROUNDING * ((i & 1) + (i >> 1 & 1) + (i >> 2 & 1) + (i >> 3));
    for (uint32_t v = 0; v < joints[0]->count; v++) {
        if (plain && gltf_influences_conform(joints[0]->data + v * joints[0]->stride,
                                             weights[0]->data + v * weights[0]->stride, roundings))
            continue;
        if (plain)
            joint_cursors[0].next = weight_cursors[0].next = v;
        uint32_t count = 0;
        bool is_negative = false, is_twice = false;
        float sum = 0;
        for (uint32_t i = 0; i < sets; i++) {
            tl_gltf_cursor_next(&joint_cursors[i], j[i]);
            tl_gltf_cursor_next(&weight_cursors[i], w[i]);
        }
        for (uint32_t component = 0; component < 4; component++)
            for (uint32_t i = 0; i < sets; i++) {
                const uint32_t type = weights[i]->component;
                const double weight = type == GLTF_F32 ? w[i][component] : w[i][component] / largest[type - GLTF_S8];
                uint32_t known = 0;
                if (weight == 0)
                    continue;
                while (known < count && used[known] != j[i][component])
                    known++;
                is_twice |= known < count;
                is_negative |= weight < 0;
                if (known == count) {
                    used[count++] = j[i][component];
                    sum = weight > 0 ? (float)((double)sum + weight) : sum;
                }
            }
        const bool is_off = !(fabs((double)sum - 1) <= GLTF_WEIGHT_ROUNDING * count);
        negative += is_negative;
        twice += is_twice;
        sums += is_off;
        if (first == TRILO_NONE && (is_negative || is_twice || is_off))
            first = v;
    }
    if (first != TRILO_NONE)
        GLTF_CONFORM(c, GLTF_R_WEIGHTS, tl_json_member(attributes, "WEIGHTS_0"),
                     "vertices whose weights do not add up to 1: %u, with a negative weight: %u, with a joint twice: "
                     "%u; the first is vertex %u",
                     (unsigned)sums, (unsigned)negative, (unsigned)twice, (unsigned)first);
}

static void gltf_conform_joints(gltf_checker *c, const tl_json *attributes, uint32_t sets)
{
    const gltf_accessor *joints[GLTF_SETS_CHECKED], *weights[GLTF_SETS_CHECKED];
    char names[2][16] = {"JOINTS_0", "WEIGHTS_0"};
    for (uint32_t i = 0; i < sets; i++, names[0][7]++, names[1][8]++) {
        const uint32_t joint = tl_gltf_index(c->file, attributes, names[0], GLTF_ACCESSORS, NULL);
        const uint32_t weight = tl_gltf_index(c->file, attributes, names[1], GLTF_ACCESSORS, NULL);
        if (joint == TRILO_NONE || weight == TRILO_NONE || !c->facts[joint].readable || !c->facts[weight].readable)
            return;
        joints[i] = &c->facts[joint].accessor;
        weights[i] = &c->facts[weight].accessor;
        const bool any = (joints[i]->data || joints[i]->sparse_count) && (weights[i]->data || weights[i]->sparse_count);
        if (joints[i]->width != 4 || weights[i]->width != 4 || joints[i]->count != joints[0]->count ||
            weights[i]->count != joints[0]->count || !any)
            return;
    }
    if (sets > 0)
        gltf_conform_influences(c, attributes, joints, weights, sets);
}

/* --- primitives --- */

static void gltf_conform_texcoords(gltf_checker *c, const tl_json *primitive, uint32_t sets)
{
    static const char *const keys[] = {"normalTexture", "occlusionTexture", "emissiveTexture", "baseColorTexture",
                                       "metallicRoughnessTexture"};
    const uint32_t index = tl_gltf_index(c->file, primitive, "material", GLTF_MATERIALS, NULL);
    const tl_json *material = tl_gltf_item(c->file, GLTF_MATERIALS, index);
    for (size_t i = 0; i < TL_COUNT_OF(keys); i++) {
        const tl_json *owner = i < 3 ? material : tl_json_member(material, "pbrMetallicRoughness");
        const tl_json *info = tl_json_member(owner, keys[i]);
        uint32_t set = 0;
        if (!info || info->kind != TL_JSON_OBJECT)
            continue;
        tl_json_uint(tl_json_member(info, "texCoord"), &set);
        if (set >= sets)
            GLTF_CONFORM(c, GLTF_R_TEXCOORD, tl_json_member(primitive, "material"),
                         "the %s of its material needs TEXCOORD_%u", keys[i], (unsigned)set);
    }
}

static void gltf_conform_targets(gltf_checker *c, const tl_json *attributes, const tl_json *targets)
{
    uint64_t number = 0;
    for (const tl_json *target = targets ? targets->first : NULL; target; target = target->next, number++) {
        gltf_sets sets[GLTF_S_INVALID + 1] = {{0, 0}};
        gltf_enter(c, "targets", number);
        for (const tl_json *value = target->kind == TL_JSON_OBJECT ? target->first : NULL; value; value = value->next) {
            const uint32_t own = tl_gltf_index(c->file, target, value->key.data, GLTF_ACCESSORS, NULL);
            const uint32_t base = tl_gltf_index(c->file, attributes, value->key.data, GLTF_ACCESSORS, NULL);
            gltf_conform_attribute(c, value, true, sets);
            if (own != TRILO_NONE && base == TRILO_NONE)
                GLTF_CONFORM(c, GLTF_R_MORPH, value, "%.60s is not an attribute of the primitive", value->key.data);
        }
        gltf_leave(c);
    }
}

static void gltf_conform_primitive(gltf_checker *c, const tl_json *primitive, bool skinned)
{
    static const struct {
        gltf_semantic semantic;
        const char *name;
    } numbered[] = {
        {GLTF_S_TEXCOORD, "TEXCOORD"}, {GLTF_S_COLOR, "COLOR"}, {GLTF_S_JOINTS, "JOINTS"}, {GLTF_S_WEIGHTS, "WEIGHTS"}};
    const tl_json *attributes = tl_json_member(primitive, "attributes"), *value = tl_json_member(primitive, "indices");
    gltf_sets sets[GLTF_S_INVALID + 1] = {{0, 0}};
    gltf_enter(c, "attributes", TL_NO_INDEX);
    for (const tl_json *a = attributes && attributes->kind == TL_JSON_OBJECT ? attributes->first : NULL; a; a = a->next)
        gltf_conform_attribute(c, a, false, sets);
    for (size_t i = 0; i < TL_COUNT_OF(numbered); i++) {
        gltf_sets *s = &sets[numbered[i].semantic];
        if (s->highest != s->count) {
            GLTF_CONFORM(c, GLTF_R_SEMANTIC, attributes,
                         "%s has %u sets, the last one is number %u; they must be "
                         "numbered from 0 without gaps",
                         numbered[i].name, (unsigned)s->count, (unsigned)(s->highest - 1));
            s->count = 0;
        }
    }
    if (sets[GLTF_S_JOINTS].count != sets[GLTF_S_WEIGHTS].count)
        GLTF_CONFORM(c, GLTF_R_SEMANTIC, attributes, "%u sets of joints, but %u of weights",
                     (unsigned)sets[GLTF_S_JOINTS].count, (unsigned)sets[GLTF_S_WEIGHTS].count);
    else if (skinned && sets[GLTF_S_JOINTS].count <= GLTF_SETS_CHECKED)
        gltf_conform_joints(c, attributes, sets[GLTF_S_JOINTS].count);
    gltf_leave(c);
    gltf_accessor_facts *indices = tl_gltf_conform_use(c, value, GLTF_USE_INDICES, GLTF_VIEW_INDICES);
    if (indices && indices->accessor.width > 0) {
        const gltf_accessor *a = &indices->accessor;
        const bool allowed = a->component == GLTF_U8 || a->component == GLTF_U16 || a->component == GLTF_U32;
        if (a->width != 1 || !allowed || a->normalized)
            GLTF_CONFORM(c, GLTF_R_FORMAT, value, "indices must be SCALAR, unsigned and not normalized");
        else
            indices->roles |= GLTF_ROLE_INDEX;
    }
    gltf_conform_texcoords(c, primitive, sets[GLTF_S_TEXCOORD].count);
    const tl_json *targets = tl_json_member(primitive, "targets");
    gltf_conform_targets(c, attributes, targets && targets->kind == TL_JSON_ARRAY ? targets : NULL);
}

void tl_gltf_conform_meshes(gltf_checker *c)
{
    const gltf_table *meshes = &c->file->tables[GLTF_MESHES], *nodes = &c->file->tables[GLTF_NODES];
    bool *skinned = TL_ARRAY(c->scratch, meshes->count, bool);
    for (uint32_t i = 0; skinned && i < nodes->count; i++) {
        const uint32_t mesh = tl_gltf_index(c->file, nodes->items[i], "mesh", GLTF_MESHES, NULL);
        if (mesh != TRILO_NONE && tl_gltf_index(c->file, nodes->items[i], "skin", GLTF_SKINS, NULL) != TRILO_NONE)
            skinned[mesh] = true;
    }
    for (uint32_t i = 0; skinned && i < meshes->count; i++) {
        const tl_json *primitives = tl_json_member(meshes->items[i], "primitives");
        uint64_t number = 0;
        gltf_enter(c, "meshes", i);
        for (const tl_json *p = primitives && primitives->kind == TL_JSON_ARRAY ? primitives->first : NULL; p;
             p = p->next, number++) {
            gltf_enter(c, "primitives", number);
            gltf_conform_primitive(c, p, skinned[i]);
            gltf_leave(c);
        }
        gltf_leave(c);
    }
}
