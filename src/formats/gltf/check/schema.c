/* The properties of all glTF objects as a table: their types, ranges and references ("Properties Reference").
 *
 * The table is walked beside the JSON values. What reading relies on is checked by the other files first; a value that
 * they refuse is not reported again. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"

#include "base/hash_table.h"
#include <float.h>
#include <string.h>

typedef enum gltf_property_kind {
    GLTF_P_BOOL,
    GLTF_P_INT,
    GLTF_P_NUMBER,
    GLTF_P_STRING,
    GLTF_P_INDEX,
    GLTF_P_OBJECT,
    GLTF_P_NUMBERS,
    GLTF_P_INDICES, /* unique */
    GLTF_P_STRINGS, /* unique */
    GLTF_P_OBJECTS,
    GLTF_P_INDEX_MAP, /* names to accessors */
    GLTF_P_INDEX_MAPS
} gltf_property_kind;

/* The objects of a glTF file. */
typedef enum gltf_object {
    GLTF_O_ROOT,
    GLTF_O_ASSET,
    GLTF_O_ACCESSOR,
    GLTF_O_SPARSE,
    GLTF_O_SPARSE_INDICES,
    GLTF_O_SPARSE_VALUES,
    GLTF_O_ANIMATION,
    GLTF_O_CHANNEL,
    GLTF_O_TARGET,
    GLTF_O_ANIMATION_SAMPLER,
    GLTF_O_BUFFER,
    GLTF_O_BUFFER_VIEW,
    GLTF_O_CAMERA,
    GLTF_O_ORTHOGRAPHIC,
    GLTF_O_PERSPECTIVE,
    GLTF_O_IMAGE,
    GLTF_O_MATERIAL,
    GLTF_O_PBR,
    GLTF_O_TEXTURE_INFO,
    GLTF_O_NORMAL_TEXTURE,
    GLTF_O_OCCLUSION_TEXTURE,
    GLTF_O_MESH,
    GLTF_O_PRIMITIVE,
    GLTF_O_NODE,
    GLTF_O_SAMPLER,
    GLTF_O_SCENE,
    GLTF_O_SKIN,
    GLTF_O_TEXTURE,
    GLTF_O_COUNT
} gltf_object;

typedef struct gltf_property {
    gltf_object owner;
    const char *name;
    gltf_property_kind kind;
    bool required;
    gltf_array array;  /* that an index refers to; GLTF_ARRAY_COUNT: none of the file's */
    gltf_object inner; /* that it contains */
    uint8_t length;    /* of an array of numbers; 0: any but 0 */
    double min, max;   /* of numbers; both 0: any */
    bool above;        /* greater than min, not equal */
} gltf_property;

/* Sorted by owner. Values from a list, such as wrap modes, are not here: an unknown one is not an error. */
static const gltf_property gltf_properties[] = {
    {GLTF_O_ROOT, "asset", GLTF_P_OBJECT, .required = true, .inner = GLTF_O_ASSET},
    {GLTF_O_ROOT, "accessors", GLTF_P_OBJECTS, .inner = GLTF_O_ACCESSOR},
    {GLTF_O_ROOT, "animations", GLTF_P_OBJECTS, .inner = GLTF_O_ANIMATION},
    {GLTF_O_ROOT, "buffers", GLTF_P_OBJECTS, .inner = GLTF_O_BUFFER},
    {GLTF_O_ROOT, "bufferViews", GLTF_P_OBJECTS, .inner = GLTF_O_BUFFER_VIEW},
    {GLTF_O_ROOT, "cameras", GLTF_P_OBJECTS, .inner = GLTF_O_CAMERA},
    {GLTF_O_ROOT, "images", GLTF_P_OBJECTS, .inner = GLTF_O_IMAGE},
    {GLTF_O_ROOT, "materials", GLTF_P_OBJECTS, .inner = GLTF_O_MATERIAL},
    {GLTF_O_ROOT, "meshes", GLTF_P_OBJECTS, .inner = GLTF_O_MESH},
    {GLTF_O_ROOT, "nodes", GLTF_P_OBJECTS, .inner = GLTF_O_NODE},
    {GLTF_O_ROOT, "samplers", GLTF_P_OBJECTS, .inner = GLTF_O_SAMPLER},
    {GLTF_O_ROOT, "scenes", GLTF_P_OBJECTS, .inner = GLTF_O_SCENE},
    {GLTF_O_ROOT, "skins", GLTF_P_OBJECTS, .inner = GLTF_O_SKIN},
    {GLTF_O_ROOT, "textures", GLTF_P_OBJECTS, .inner = GLTF_O_TEXTURE},
    {GLTF_O_ROOT, "scene", GLTF_P_INDEX, .array = GLTF_SCENES},
    {GLTF_O_ROOT, "extensionsUsed", GLTF_P_STRINGS, .required = false},
    {GLTF_O_ROOT, "extensionsRequired", GLTF_P_STRINGS, .required = false},
    {GLTF_O_ASSET, "copyright", GLTF_P_STRING, .required = false},
    {GLTF_O_ASSET, "generator", GLTF_P_STRING, .required = false},
    {GLTF_O_ASSET, "version", GLTF_P_STRING, .required = true},
    {GLTF_O_ASSET, "minVersion", GLTF_P_STRING, .required = false},
    {GLTF_O_ACCESSOR, "bufferView", GLTF_P_INDEX, .array = GLTF_BUFFER_VIEWS},
    {GLTF_O_ACCESSOR, "byteOffset", GLTF_P_INT, .max = DBL_MAX},
    {GLTF_O_ACCESSOR, "componentType", GLTF_P_INT, .required = true},
    {GLTF_O_ACCESSOR, "normalized", GLTF_P_BOOL, .required = false},
    {GLTF_O_ACCESSOR, "count", GLTF_P_INT, .required = true, .min = 1, .max = DBL_MAX},
    {GLTF_O_ACCESSOR, "type", GLTF_P_STRING, .required = true},
    {GLTF_O_ACCESSOR, "min", GLTF_P_NUMBERS, .required = false},
    {GLTF_O_ACCESSOR, "max", GLTF_P_NUMBERS, .required = false},
    {GLTF_O_ACCESSOR, "sparse", GLTF_P_OBJECT, .inner = GLTF_O_SPARSE},
    {GLTF_O_ACCESSOR, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_SPARSE, "count", GLTF_P_INT, .required = true, .min = 1, .max = DBL_MAX},
    {GLTF_O_SPARSE, "indices", GLTF_P_OBJECT, .required = true, .inner = GLTF_O_SPARSE_INDICES},
    {GLTF_O_SPARSE, "values", GLTF_P_OBJECT, .required = true, .inner = GLTF_O_SPARSE_VALUES},
    {GLTF_O_SPARSE_INDICES, "bufferView", GLTF_P_INDEX, .required = true, .array = GLTF_BUFFER_VIEWS},
    {GLTF_O_SPARSE_INDICES, "byteOffset", GLTF_P_INT, .max = DBL_MAX},
    {GLTF_O_SPARSE_INDICES, "componentType", GLTF_P_INT, .required = true},
    {GLTF_O_SPARSE_VALUES, "bufferView", GLTF_P_INDEX, .required = true, .array = GLTF_BUFFER_VIEWS},
    {GLTF_O_SPARSE_VALUES, "byteOffset", GLTF_P_INT, .max = DBL_MAX},
    {GLTF_O_ANIMATION, "channels", GLTF_P_OBJECTS, .required = true, .inner = GLTF_O_CHANNEL},
    {GLTF_O_ANIMATION, "samplers", GLTF_P_OBJECTS, .required = true, .inner = GLTF_O_ANIMATION_SAMPLER},
    {GLTF_O_ANIMATION, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_CHANNEL, "sampler", GLTF_P_INDEX, .required = true, .array = GLTF_ARRAY_COUNT},
    {GLTF_O_CHANNEL, "target", GLTF_P_OBJECT, .required = true, .inner = GLTF_O_TARGET},
    {GLTF_O_TARGET, "node", GLTF_P_INDEX, .array = GLTF_NODES},
    {GLTF_O_TARGET, "path", GLTF_P_STRING, .required = true},
    {GLTF_O_ANIMATION_SAMPLER, "input", GLTF_P_INDEX, .required = true, .array = GLTF_ACCESSORS},
    {GLTF_O_ANIMATION_SAMPLER, "interpolation", GLTF_P_STRING, .required = false},
    {GLTF_O_ANIMATION_SAMPLER, "output", GLTF_P_INDEX, .required = true, .array = GLTF_ACCESSORS},
    {GLTF_O_BUFFER, "uri", GLTF_P_STRING, .required = false},
    {GLTF_O_BUFFER, "byteLength", GLTF_P_INT, .required = true, .min = 1, .max = DBL_MAX},
    {GLTF_O_BUFFER, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_BUFFER_VIEW, "buffer", GLTF_P_INDEX, .required = true, .array = GLTF_BUFFERS},
    {GLTF_O_BUFFER_VIEW, "byteOffset", GLTF_P_INT, .max = DBL_MAX},
    {GLTF_O_BUFFER_VIEW, "byteLength", GLTF_P_INT, .required = true, .min = 1, .max = DBL_MAX},
    {GLTF_O_BUFFER_VIEW, "byteStride", GLTF_P_INT, .required = false},
    {GLTF_O_BUFFER_VIEW, "target", GLTF_P_INT, .required = false},
    {GLTF_O_BUFFER_VIEW, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_CAMERA, "orthographic", GLTF_P_OBJECT, .inner = GLTF_O_ORTHOGRAPHIC},
    {GLTF_O_CAMERA, "perspective", GLTF_P_OBJECT, .inner = GLTF_O_PERSPECTIVE},
    {GLTF_O_CAMERA, "type", GLTF_P_STRING, .required = true},
    {GLTF_O_CAMERA, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_ORTHOGRAPHIC, "xmag", GLTF_P_NUMBER, .required = true},
    {GLTF_O_ORTHOGRAPHIC, "ymag", GLTF_P_NUMBER, .required = true},
    {GLTF_O_ORTHOGRAPHIC, "zfar", GLTF_P_NUMBER, .required = true, .max = DBL_MAX, .above = true},
    {GLTF_O_ORTHOGRAPHIC, "znear", GLTF_P_NUMBER, .required = true, .max = DBL_MAX},
    {GLTF_O_PERSPECTIVE, "aspectRatio", GLTF_P_NUMBER, .max = DBL_MAX, .above = true},
    {GLTF_O_PERSPECTIVE, "yfov", GLTF_P_NUMBER, .required = true, .max = DBL_MAX, .above = true},
    {GLTF_O_PERSPECTIVE, "zfar", GLTF_P_NUMBER, .max = DBL_MAX, .above = true},
    {GLTF_O_PERSPECTIVE, "znear", GLTF_P_NUMBER, .required = true, .max = DBL_MAX, .above = true},
    {GLTF_O_IMAGE, "uri", GLTF_P_STRING, .required = false},
    {GLTF_O_IMAGE, "mimeType", GLTF_P_STRING, .required = false},
    {GLTF_O_IMAGE, "bufferView", GLTF_P_INDEX, .array = GLTF_BUFFER_VIEWS},
    {GLTF_O_IMAGE, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_MATERIAL, "pbrMetallicRoughness", GLTF_P_OBJECT, .inner = GLTF_O_PBR},
    {GLTF_O_MATERIAL, "normalTexture", GLTF_P_OBJECT, .inner = GLTF_O_NORMAL_TEXTURE},
    {GLTF_O_MATERIAL, "occlusionTexture", GLTF_P_OBJECT, .inner = GLTF_O_OCCLUSION_TEXTURE},
    {GLTF_O_MATERIAL, "emissiveTexture", GLTF_P_OBJECT, .inner = GLTF_O_TEXTURE_INFO},
    {GLTF_O_MATERIAL, "emissiveFactor", GLTF_P_NUMBERS, .length = 3, .max = 1},
    {GLTF_O_MATERIAL, "alphaMode", GLTF_P_STRING, .required = false},
    {GLTF_O_MATERIAL, "alphaCutoff", GLTF_P_NUMBER, .max = DBL_MAX},
    {GLTF_O_MATERIAL, "doubleSided", GLTF_P_BOOL, .required = false},
    {GLTF_O_MATERIAL, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_PBR, "baseColorFactor", GLTF_P_NUMBERS, .length = 4, .max = 1},
    {GLTF_O_PBR, "baseColorTexture", GLTF_P_OBJECT, .inner = GLTF_O_TEXTURE_INFO},
    {GLTF_O_PBR, "metallicFactor", GLTF_P_NUMBER, .max = 1},
    {GLTF_O_PBR, "roughnessFactor", GLTF_P_NUMBER, .max = 1},
    {GLTF_O_PBR, "metallicRoughnessTexture", GLTF_P_OBJECT, .inner = GLTF_O_TEXTURE_INFO},
    {GLTF_O_TEXTURE_INFO, "index", GLTF_P_INDEX, .required = true, .array = GLTF_TEXTURES},
    {GLTF_O_TEXTURE_INFO, "texCoord", GLTF_P_INT, .max = DBL_MAX},
    {GLTF_O_NORMAL_TEXTURE, "index", GLTF_P_INDEX, .required = true, .array = GLTF_TEXTURES},
    {GLTF_O_NORMAL_TEXTURE, "texCoord", GLTF_P_INT, .max = DBL_MAX},
    {GLTF_O_NORMAL_TEXTURE, "scale", GLTF_P_NUMBER, .required = false},
    {GLTF_O_OCCLUSION_TEXTURE, "index", GLTF_P_INDEX, .required = true, .array = GLTF_TEXTURES},
    {GLTF_O_OCCLUSION_TEXTURE, "texCoord", GLTF_P_INT, .max = DBL_MAX},
    {GLTF_O_OCCLUSION_TEXTURE, "strength", GLTF_P_NUMBER, .max = 1},
    {GLTF_O_MESH, "primitives", GLTF_P_OBJECTS, .required = true, .inner = GLTF_O_PRIMITIVE},
    {GLTF_O_MESH, "weights", GLTF_P_NUMBERS, .required = false},
    {GLTF_O_MESH, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_PRIMITIVE, "attributes", GLTF_P_INDEX_MAP, .required = true, .array = GLTF_ACCESSORS},
    {GLTF_O_PRIMITIVE, "indices", GLTF_P_INDEX, .array = GLTF_ACCESSORS},
    {GLTF_O_PRIMITIVE, "material", GLTF_P_INDEX, .array = GLTF_MATERIALS},
    {GLTF_O_PRIMITIVE, "mode", GLTF_P_INT, .max = 6},
    {GLTF_O_PRIMITIVE, "targets", GLTF_P_INDEX_MAPS, .array = GLTF_ACCESSORS},
    {GLTF_O_NODE, "camera", GLTF_P_INDEX, .array = GLTF_CAMERAS},
    {GLTF_O_NODE, "children", GLTF_P_INDICES, .array = GLTF_NODES},
    {GLTF_O_NODE, "skin", GLTF_P_INDEX, .array = GLTF_SKINS},
    {GLTF_O_NODE, "matrix", GLTF_P_NUMBERS, .length = 16},
    {GLTF_O_NODE, "mesh", GLTF_P_INDEX, .array = GLTF_MESHES},
    {GLTF_O_NODE, "rotation", GLTF_P_NUMBERS, .length = 4, .min = -1, .max = 1},
    {GLTF_O_NODE, "scale", GLTF_P_NUMBERS, .length = 3},
    {GLTF_O_NODE, "translation", GLTF_P_NUMBERS, .length = 3},
    {GLTF_O_NODE, "weights", GLTF_P_NUMBERS, .required = false},
    {GLTF_O_NODE, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_SAMPLER, "magFilter", GLTF_P_INT, .required = false},
    {GLTF_O_SAMPLER, "minFilter", GLTF_P_INT, .required = false},
    {GLTF_O_SAMPLER, "wrapS", GLTF_P_INT, .required = false},
    {GLTF_O_SAMPLER, "wrapT", GLTF_P_INT, .required = false},
    {GLTF_O_SAMPLER, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_SCENE, "nodes", GLTF_P_INDICES, .array = GLTF_NODES},
    {GLTF_O_SCENE, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_SKIN, "inverseBindMatrices", GLTF_P_INDEX, .array = GLTF_ACCESSORS},
    {GLTF_O_SKIN, "skeleton", GLTF_P_INDEX, .array = GLTF_NODES},
    {GLTF_O_SKIN, "joints", GLTF_P_INDICES, .required = true, .array = GLTF_NODES},
    {GLTF_O_SKIN, "name", GLTF_P_STRING, .required = false},
    {GLTF_O_TEXTURE, "sampler", GLTF_P_INDEX, .array = GLTF_SAMPLERS},
    {GLTF_O_TEXTURE, "source", GLTF_P_INDEX, .array = GLTF_IMAGES},
    {GLTF_O_TEXTURE, "name", GLTF_P_STRING, .required = false},
};

/* --- single values --- */

static void gltf_conform_number(gltf_checker *c, const gltf_property *p, const tl_json *value)
{
    const double number = value->number;
    const bool whole = number == (double)(int64_t)(number > -9e15 && number < 9e15 ? number : 0.5);
    if (value->kind != TL_JSON_NUMBER || (p->kind == GLTF_P_INT && !whole))
        GLTF_CONFORM(c, GLTF_R_TYPE, value, "%s must be %s", p->name,
                     p->kind == GLTF_P_INT ? "an integer" : "a number");
    else if (p->max != 0 && (number < p->min || number > p->max || (p->above && number <= p->min)))
        GLTF_CONFORM(c, GLTF_R_RANGE, value,
                     p->max == DBL_MAX ? "%s is %.9g, it must be %s %.9g" : "%s is %.9g, it must be %s %.9g to %.9g",
                     p->name, number,
                     p->max != DBL_MAX ? "from"
                     : p->above        ? "above"
                                       : "at least",
                     p->min, p->max);
}

static void gltf_conform_index(gltf_checker *c, const char *name, gltf_array array, const tl_json *value)
{
    uint32_t index;
    if (!tl_json_uint(value, &index))
        GLTF_CONFORM(c, GLTF_R_TYPE, value, "%s must be an index: an integer from 0 on", name);
    else if (array != GLTF_ARRAY_COUNT && index >= c->file->tables[array].count)
        GLTF_CONFORM(c, GLTF_R_REFERENCE, value, "%s is %u, but there are %u %s", name, (unsigned)index,
                     (unsigned)c->file->tables[array].count, tl_gltf_array_name(array));
}

static void gltf_conform_numbers(gltf_checker *c, const gltf_property *p, const tl_json *list)
{
    if (p->length > 0 && list->count != p->length) {
        GLTF_CONFORM(c, GLTF_R_TYPE, list, "%s has %u numbers, it must have %u", p->name, (unsigned)list->count,
                     (unsigned)p->length);
        return;
    }
    for (const tl_json *item = list->first; item; item = item->next)
        if (item->kind != TL_JSON_NUMBER) {
            GLTF_CONFORM(c, GLTF_R_TYPE, list, "each of the %s must be a number", p->name);
            return;
        }
    for (const tl_json *item = list->first; item && p->max != 0 && !gltf_has_error(c, list); item = item->next)
        if (item->number < p->min || item->number > p->max) {
            GLTF_CONFORM(c, GLTF_R_RANGE, item, "%s has %.9g, it must be from %.9g to %.9g", p->name, item->number,
                         p->min, p->max);
            return;
        }
}

/* --- lists without duplicates --- */

static int gltf_unique_compare(const void *rows, uint32_t a, uint32_t b)
{
    const tl_json *const *items = rows, *x = items[a], *y = items[b];
    if (x->kind == TL_JSON_STRING && y->kind == TL_JSON_STRING)
        return strcmp(x->string.data, y->string.data);
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : (x->number > y->number) - (x->number < y->number);
}

static void gltf_conform_unique(gltf_checker *c, const gltf_property *p, const tl_json *list)
{
    const bool strings = p->kind == GLTF_P_STRINGS;
    const tl_json **items = tl_json_list(c->scratch, list);
    tl_hash_table seen;
    if (!items || !tl_hash_table_init(&seen, c->scratch, list->count, gltf_unique_compare, items))
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        const tl_json *item = items[i];
        gltf_enter(c, p->name, i);
        if (strings && item->kind != TL_JSON_STRING)
            GLTF_CONFORM(c, GLTF_R_TYPE, item, "each of the %s must be a string", p->name);
        else if (!strings)
            gltf_conform_index(c, "the index", p->array, item);
        const uint32_t hash = strings ? trilo_fnv1a(item->string.data, item->string.len)
                                      : trilo_fnv1a(&item->number, sizeof item->number);
        const uint32_t first = tl_hash_table_add(&seen, hash, i);
        if (first != i && first != TRILO_NONE)
            GLTF_CONFORM(c, GLTF_R_DUPLICATE, item, "is the same as number %u", (unsigned)first);
        gltf_leave(c);
    }
}

/* --- objects --- */

static void gltf_conform_index_map(gltf_checker *c, const char *name, const tl_json *map)
{
    if (map->kind != TL_JSON_OBJECT)
        GLTF_CONFORM(c, GLTF_R_TYPE, map, "%s must be an object, in { }", name);
    else if (!map->first)
        GLTF_CONFORM(c, GLTF_R_EMPTY_LIST, map, "%s must not be empty", name);
    for (const tl_json *item = map->kind == TL_JSON_OBJECT ? map->first : NULL; item; item = item->next)
        gltf_conform_index(c, item->key.data, GLTF_ACCESSORS, item);
}

/* True if the extension is in extensionsUsed, or that list is too long to search. */
static bool gltf_is_declared(const gltf_checker *c, trilo_str name)
{
    enum { DECLARED_MOST = 256 };
    const tl_json *list = tl_json_member(c->file->root, "extensionsUsed");
    if (list && list->count > DECLARED_MOST)
        return true;
    for (const tl_json *item = list ? list->first : NULL; item; item = item->next)
        if (gltf_str_is(tl_json_string(item), name.data))
            return true;
    return false;
}

static void gltf_conform_extensions(gltf_checker *c, const tl_json *extensions)
{
    if (extensions && extensions->kind != TL_JSON_OBJECT) {
        GLTF_CONFORM(c, GLTF_R_TYPE, extensions, "extensions must be an object, in { }");
        return;
    }
    for (const tl_json *e = extensions ? extensions->first : NULL; e; e = e->next)
        if (e->kind != TL_JSON_OBJECT)
            GLTF_CONFORM(c, GLTF_R_TYPE, e, "%.80s must be an object, in { }", e->key.data);
        else if (!gltf_is_declared(c, e->key))
            GLTF_CONFORM(c, GLTF_R_UNDECLARED, e, "%.80s is not in extensionsUsed", e->key.data);
}

static bool gltf_is_list_kind(gltf_property_kind kind)
{
    return kind == GLTF_P_NUMBERS || kind == GLTF_P_INDICES || kind == GLTF_P_STRINGS || kind == GLTF_P_OBJECTS ||
           kind == GLTF_P_INDEX_MAPS;
}

/* One property. Objects inside it are visited by the walk. */
static void gltf_conform_value(gltf_checker *c, const gltf_property *p, const tl_json *value)
{
    uint64_t number = 0;
    switch (p->kind) {
    case GLTF_P_BOOL:
        if (value->kind != TL_JSON_TRUE && value->kind != TL_JSON_FALSE)
            GLTF_CONFORM(c, GLTF_R_TYPE, value, "%s must be true or false", p->name);
        break;
    case GLTF_P_STRING:
        if (value->kind != TL_JSON_STRING)
            GLTF_CONFORM(c, GLTF_R_TYPE, value, "%s must be a string", p->name);
        break;
    case GLTF_P_INT:
    case GLTF_P_NUMBER:
        gltf_conform_number(c, p, value);
        break;
    case GLTF_P_INDEX:
        gltf_conform_index(c, p->name, p->array, value);
        break;
    case GLTF_P_NUMBERS:
        gltf_conform_numbers(c, p, value);
        break;
    case GLTF_P_INDICES:
    case GLTF_P_STRINGS:
        gltf_conform_unique(c, p, value);
        break;
    case GLTF_P_INDEX_MAP:
        gltf_conform_index_map(c, p->name, value);
        break;
    case GLTF_P_INDEX_MAPS:
        for (const tl_json *item = value->first; item; item = item->next, number++) {
            gltf_enter(c, p->name, number);
            gltf_conform_index_map(c, p->name, item);
            gltf_leave(c);
        }
        break;
    case GLTF_P_OBJECT:
    case GLTF_P_OBJECTS:
        for (const tl_json *item = p->kind == GLTF_P_OBJECT ? value : value->first; item; item = item->next) {
            if (item->kind != TL_JSON_OBJECT)
                GLTF_CONFORM(c, GLTF_R_TYPE, item, "%s must be an object, in { }", p->name);
            if (p->kind == GLTF_P_OBJECT)
                break;
        }
        break;
    }
}

/* `value` is the property of the object; NULL: it has none. */
static void gltf_conform_property(gltf_checker *c, const gltf_property *p, const tl_json *object, const tl_json *value)
{
    if (!value && p->required)
        GLTF_CONFORM(c, GLTF_R_PROPERTY, object, "needs a member called %s", p->name);
    else if (value && gltf_is_list_kind(p->kind) && value->kind != TL_JSON_ARRAY)
        GLTF_CONFORM(c, GLTF_R_TYPE, value, "%s must be an array, in [ ]", p->name);
    else if (value && gltf_is_list_kind(p->kind) && !value->first)
        GLTF_CONFORM(c, GLTF_R_EMPTY_LIST, value, "%s must not be empty", p->name);
    else if (value)
        gltf_conform_value(c, p, value);
}

enum { GLTF_PROPERTIES_MOST = 17 }; /* of an object */

/* The properties of each object, for quick lookups. */
typedef struct gltf_schema {
    const gltf_property *first[GLTF_O_COUNT + 1]; /* property of each object; the end */
    size_t lengths[TL_COUNT_OF(gltf_properties)]; /* of names */
} gltf_schema;

/* An object in the walk. */
typedef struct gltf_walk_level {
    const gltf_property *first, *property, *end; /* of its table; the next one to check */
    const tl_json *object, *extensions;
    const tl_json *values[GLTF_PROPERTIES_MOST]; /* of its properties */
    const tl_json *item;                         /* of an array of objects: the next one to walk */
    uint64_t item_number;                        /* its index */
} gltf_walk_level;

static gltf_schema gltf_index_schema(void)
{
    const gltf_property *end = gltf_properties + TL_COUNT_OF(gltf_properties);
    gltf_schema schema;
    schema.first[GLTF_O_COUNT] = end;
    for (const gltf_property *p = end; p-- > gltf_properties;) {
        schema.first[p->owner] = p;
        schema.lengths[p - gltf_properties] = strlen(p->name);
    }
    return schema;
}

/* Looks up each member in the table: there are fewer than properties that an object may have. Most names of the right
 * length differ in the first byte. */
static void gltf_enter_object(const gltf_schema *schema, gltf_object kind, const tl_json *object, gltf_walk_level *out)
{
    const gltf_property *first = schema->first[kind];
    const size_t count = (size_t)(schema->first[kind + 1] - first),
                 *lengths = schema->lengths + (first - gltf_properties);
    out->first = out->property = first;
    out->end = first + count;
    out->object = object;
    out->extensions = out->item = NULL;
    for (size_t i = 0; i < count; i++)
        out->values[i] = NULL;
    for (const tl_json *member = object->first; member; member = member->next) {
        const trilo_str key = member->key;
        size_t i = 0;
        while (i < count && (lengths[i] != key.len || first[i].name[0] != key.data[0] ||
                             memcmp(first[i].name, key.data, key.len) != 0))
            i++;
        if (i < count)
            out->values[i] = member;
        else if (gltf_str_is(key, "extensions"))
            out->extensions = member;
    }
}

/* Versions are two numbers. What is required is used. */
static void gltf_conform_header(gltf_checker *c)
{
    static const char *const keys[] = {"version", "minVersion"};
    const tl_json *required = tl_json_member(c->file->root, "extensionsRequired");
    const tl_json *used = tl_json_member(c->file->root, "extensionsUsed");
    uint64_t number = 0;
    for (size_t i = 0; i < TL_COUNT_OF(keys); i++) {
        const tl_json *value = tl_json_member(tl_json_member(c->file->root, "asset"), keys[i]);
        const trilo_str text = tl_json_string(value);
        const char *dot = memchr(text.data, '.', text.len);
        if (value && (!dot || dot == text.data || dot == text.data + text.len - 1))
            GLTF_CONFORM(c, GLTF_R_RANGE, value, "%s must be two numbers with a point between them: 2.0", keys[i]);
    }
    if (required && !used)
        GLTF_CONFORM(c, GLTF_R_PROPERTY, required, "extensionsRequired needs extensionsUsed");
    for (const tl_json *item = required ? required->first : NULL; item; item = item->next, number++) {
        gltf_enter(c, "extensionsRequired", number);
        if (item->kind == TL_JSON_STRING && !gltf_is_declared(c, item->string))
            GLTF_CONFORM(c, GLTF_R_UNDECLARED, item, "%.80s is not in extensionsUsed", item->string.data);
        gltf_leave(c);
    }
}

/* Checks the next property. Returns the object or the first of the objects in it; NULL: none. */
static const tl_json *gltf_walk_property(gltf_checker *c, gltf_walk_level *level)
{
    const gltf_property *p = level->property;
    const tl_json *value = level->values[p - level->first];
    gltf_conform_property(c, p, level->object, value);
    level->item_number = 0;
    if (p->kind == GLTF_P_OBJECT && value && value->kind == TL_JSON_OBJECT)
        return value;
    return p->kind == GLTF_P_OBJECTS && value && value->kind == TL_JSON_ARRAY ? value->first : NULL;
}

/* Walks all objects of the file that the table describes, the outer ones first. */
void tl_gltf_conform_properties(gltf_checker *c)
{
    enum { DEPTH = 6 };
    const gltf_schema schema = gltf_index_schema();
    gltf_walk_level stack[DEPTH], *top = stack;
    gltf_enter_object(&schema, GLTF_O_ROOT, c->file->root, top);
    gltf_conform_header(c);
    for (;;) {
        while (top->property < top->end && !top->values[top->property - top->first] && !top->property->required)
            top->property++;
        if (top->property == top->end) {
            gltf_conform_extensions(c, top->extensions);
            if (top == stack)
                break;
            gltf_leave(c);
            top--;
            top->property += top->item == NULL;
            continue;
        }
        const gltf_property *p = top->property;
        const tl_json *inner = top->item ? top->item : gltf_walk_property(c, top);
        top->item = inner && p->kind == GLTF_P_OBJECTS ? inner->next : NULL;
        const uint64_t number = p->kind == GLTF_P_OBJECTS ? top->item_number++ : TL_NO_INDEX;
        if (inner && inner->kind == TL_JSON_OBJECT) {
            gltf_enter(c, p->name, number);
            gltf_enter_object(&schema, p->inner, inner, ++top);
        } else
            top->property += top->item == NULL;
    }
}
