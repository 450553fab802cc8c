/* Numbers of a buffer: the one place where strides, offsets, sparse parts and sizes are looked at. */
#include "formats/gltf/gltf.h"

#include "base/size.h"
#include <string.h>

/* --- what an element is --- */

typedef struct element_type {
    const char *name;
    uint8_t columns, rows;
} element_type;

static const element_type types[] = {
    {"SCALAR", 1, 1}, {"VEC2", 1, 2}, {"VEC3", 1, 3}, {"VEC4", 1, 4}, {"MAT2", 2, 2}, {"MAT3", 3, 3}, {"MAT4", 4, 4},
};

static const element_type *type_named(trilo_str name)
{
    for (size_t i = 0; i < TL_COUNT_OF(types); i++)
        if (name.len == strlen(types[i].name) && memcmp(name.data, types[i].name, name.len) == 0)
            return &types[i];
    return NULL;
}

/* 0: no such component. */
static size_t size_of(uint32_t component)
{
    switch (component) {
    case GLTF_S8:
    case GLTF_U8:
        return 1;
    case GLTF_S16:
    case GLTF_U16:
        return 2;
    case GLTF_U32:
    case GLTF_F32:
        return 4;
    default:
        return 0;
    }
}

size_t tl_gltf_component_size(gltf_component component)
{
    return size_of(component);
}

/* Where the numbers of an element lie: columns of a matrix start at multiples of 4 bytes. */
typedef struct element_shape {
    uint8_t at[16];      /* byte of each number */
    size_t size, packed; /* up to its last number; from one to the next when nothing lies between */
} element_shape;

static element_shape shape_of(uint32_t width, bool matrix, gltf_component component)
{
    const uint32_t columns = !matrix ? 1 : width == 4 ? 2 : width == 9 ? 3 : 4;
    const uint32_t rows = width / columns;
    const size_t each = size_of(component), plain = rows * each;
    const size_t column = matrix ? (plain + 3) / 4 * 4 : plain;
    element_shape shape = {.size = (columns - 1) * column + plain, .packed = columns * column};
    for (uint32_t i = 0; i < width; i++)
        shape.at[i] = (uint8_t)(i / rows * column + i % rows * each);
    return shape;
}

static element_shape shape_in(const gltf_accessor *a)
{
    return shape_of(a->width, a->matrix, a->component);
}

/* --- looking at one --- */

/* `count` elements of `size` bytes, `stride` apart, from byte `offset` of a view. */
static bool reaches(trilo_bytes view, uint32_t offset, uint32_t count, size_t stride, size_t size)
{
    if (count == 0)
        return offset <= view.size;
    return tl_fits(view.size, offset, 1, size) && tl_fits(view.size - offset - size, 0, count - 1, stride);
}

/* The bytes at byteOffset of the view that `object` names. *view_index is TRILO_NONE when it names none. */
static const char *view_of(const gltf_file *file, const tl_json *object, uint32_t *view_index, uint32_t *offset)
{
    bool bad;
    const tl_json *at = tl_json_member(object, "byteOffset");
    *offset = 0;
    *view_index = tl_gltf_index(file, object, "bufferView", GLTF_BUFFER_VIEWS, &bad);
    if (bad)
        return "names a bufferView that is not there";
    if (at && !tl_json_uint(at, offset))
        return "byteOffset must be a whole number below 4 GB";
    if (*view_index != TRILO_NONE && !file->views[*view_index].bytes.data)
        return tl_gltf_no_bytes;
    return NULL;
}

static const char *find_elements(const gltf_file *file, gltf_accessor *a)
{
    const element_shape shape = shape_in(a);
    uint32_t view, offset;
    const char *problem = view_of(file, a->json, &view, &offset);
    if (problem || view == TRILO_NONE)
        return problem;
    const trilo_bytes bytes = file->views[view].bytes;
    a->stride = file->views[view].stride ? file->views[view].stride : shape.packed;
    if (a->stride < shape.size)
        return "its elements are larger than the byteStride of its bufferView";
    if (!reaches(bytes, offset, a->count, a->stride, shape.size))
        return "its elements reach out of its bufferView";
    a->data = bytes.data + offset;
    return NULL;
}

static uint32_t whole_at(const uint8_t *p, gltf_component component);

static bool indices_rise(const gltf_accessor *a)
{
    const size_t each = size_of(a->sparse_index_component);
    uint32_t least = 0;
    for (uint32_t i = 0; i < a->sparse_count; i++) {
        const uint32_t index = whole_at(a->sparse_indices + i * each, a->sparse_index_component);
        if (index < least || index >= a->count)
            return false;
        least = index + 1;
    }
    return true;
}

/* One of the two packed arrays of a sparse part. */
static const char *sparse_bytes(const gltf_file *file, const tl_json *object, uint32_t count, size_t each, size_t last,
                                const uint8_t **out)
{
    uint32_t view, offset;
    const char *problem = view_of(file, object, &view, &offset);
    if (problem)
        return problem;
    if (view == TRILO_NONE)
        return "a sparse part needs bufferViews for its indices and its values";
    if (!reaches(file->views[view].bytes, offset, count, each, last))
        return "its sparse part reaches out of its bufferView";
    *out = file->views[view].bytes.data + offset;
    return NULL;
}

static const char *find_sparse(const gltf_file *file, const tl_json *sparse, gltf_accessor *a)
{
    const tl_json *indices = tl_json_member(sparse, "indices"), *values = tl_json_member(sparse, "values");
    const element_shape shape = shape_in(a);
    uint32_t component;
    if (!tl_json_uint(tl_json_member(sparse, "count"), &a->sparse_count) || a->sparse_count > a->count)
        return "the count of its sparse part must be a whole number, at most its own";
    if (!tl_json_uint(tl_json_member(indices, "componentType"), &component) ||
        (component != GLTF_U8 && component != GLTF_U16 && component != GLTF_U32))
        return "sparse indices must be of componentType 5121, 5123 or 5125";
    a->sparse_index_component = (gltf_component)component;
    const size_t each = size_of(component);
    const char *problem = sparse_bytes(file, indices, a->sparse_count, each, each, &a->sparse_indices);
    if (!problem)
        problem = sparse_bytes(file, values, a->sparse_count, shape.packed, shape.size, &a->sparse_values);
    if (problem)
        return problem;
    return indices_rise(a) ? NULL : "its sparse indices must rise and stay below its count";
}

static const char *look_at(const gltf_file *file, uint32_t index, gltf_accessor *out)
{
    const tl_json *json = file->tables[GLTF_ACCESSORS].items[index], *sparse = tl_json_member(json, "sparse");
    const element_type *type = type_named(tl_json_string(tl_json_member(json, "type")));
    const uint32_t most = file->opts->limits.count ? file->opts->limits.count : 1u << 28;
    uint32_t component;
    out->json = json;
    if (!type)
        return "type must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4";
    if (!tl_json_uint(tl_json_member(json, "componentType"), &component) || size_of(component) == 0)
        return "componentType must be 5120 to 5123, 5125 or 5126";
    if (!tl_json_uint(tl_json_member(json, "count"), &out->count) || out->count > most)
        return "count must be a whole number that is not above the limit";
    out->width = (uint32_t)type->columns * type->rows;
    out->matrix = type->columns > 1;
    out->component = (gltf_component)component;
    out->normalized = tl_json_bool(tl_json_member(json, "normalized"), false);
    const char *problem = find_elements(file, out);
    return problem || !sparse ? problem : find_sparse(file, sparse, out);
}

/* Sparse indices are read through here, and many accessors may name the same ones: that has an end, far above what
 * true files need. */
bool tl_gltf_load_accessors(gltf_file *file, tl_arena *arena)
{
    enum { TIMES = 16, FREE = 1 << 20 };
    const uint32_t count = file->tables[GLTF_ACCESSORS].count;
    uint64_t work = (uint64_t)file->bytes.size * TIMES + FREE;
    file->accessors = TL_ARRAY(arena, count, gltf_looked_at);
    for (uint32_t i = 0; file->accessors && i < count; i++) {
        gltf_looked_at *at = &file->accessors[i];
        uint32_t sparse = 0;
        tl_json_uint(tl_json_member(tl_json_member(file->tables[GLTF_ACCESSORS].items[i], "sparse"), "count"), &sparse);
        at->problem = sparse > work ? "all accessors together have far more sparse parts than the file has bytes"
                                    : look_at(file, i, &at->accessor);
        work -= sparse > work ? work : sparse;
    }
    return file->accessors != NULL;
}

const char *tl_gltf_accessor(const gltf_file *file, uint32_t index, gltf_accessor *out)
{
    if (index >= file->tables[GLTF_ACCESSORS].count) {
        *out = (gltf_accessor){.json = NULL};
        return "there is no such accessor";
    }
    *out = file->accessors[index].accessor;
    return file->accessors[index].problem;
}

/* --- its numbers --- */

static uint32_t whole_at(const uint8_t *p, gltf_component component)
{
    switch (component) {
    case GLTF_U8:
        return p[0];
    case GLTF_S8:
        return (uint32_t)(int8_t)p[0];
    case GLTF_U16:
        return tl_get_u16(p, TL_LITTLE);
    case GLTF_S16:
        return (uint32_t)(int16_t)tl_get_u16(p, TL_LITTLE);
    default:
        return tl_get_u32le(p);
    }
}

/* The largest value of a component; signed ones reach one further below, which counts as -1 too. */
static float full_scale(gltf_component component)
{
    static const float scales[] = {127.0f, 255.0f, 32767.0f, 65535.0f, 0, 4294967295.0f};
    return scales[component - GLTF_S8];
}

static float float_at(const uint8_t *p, gltf_component component, bool normalize)
{
    if (component == GLTF_F32)
        return tl_get_f32(p, TL_LITTLE);
    const uint32_t bits = whole_at(p, component);
    const bool has_sign = component == GLTF_S8 || component == GLTF_S16;
    const float value = has_sign ? (float)(int32_t)bits : (float)bits;
    if (!normalize)
        return value;
    const float part = value / full_scale(component);
    return part < -1.0f ? -1.0f : part;
}

static void element_floats(const gltf_accessor *a, const element_shape *shape, const uint8_t *p, bool normalize,
                           float *out, uint32_t room)
{
    for (uint32_t i = 0; i < a->width && i < room; i++)
        out[i] = float_at(p + shape->at[i], a->component, normalize);
}

static void element_uints(const gltf_accessor *a, const element_shape *shape, const uint8_t *p, uint32_t *out,
                          uint32_t room)
{
    for (uint32_t i = 0; i < a->width && i < room; i++)
        out[i] = whole_at(p + shape->at[i], a->component);
}

void tl_gltf_floats(const gltf_accessor *a, bool normalize, float *out, uint32_t stride)
{
    const element_shape shape = shape_in(a);
    const uint32_t used = a->width < stride ? a->width : stride;
    const bool divide = normalize || a->normalized;
    for (uint32_t i = 0; i < a->count; i++) {
        float *to = out + (size_t)i * stride;
        if (a->data)
            element_floats(a, &shape, a->data + i * a->stride, divide, to, stride);
        else
            memset(to, 0, used * sizeof *to);
    }
    for (uint32_t i = 0; i < a->sparse_count; i++) {
        const size_t each = size_of(a->sparse_index_component);
        const uint32_t index = whole_at(a->sparse_indices + i * each, a->sparse_index_component);
        element_floats(a, &shape, a->sparse_values + i * shape.packed, divide, out + (size_t)index * stride, stride);
    }
}

void tl_gltf_uints(const gltf_accessor *a, uint32_t *out, uint32_t stride)
{
    const element_shape shape = shape_in(a);
    const uint32_t used = a->width < stride ? a->width : stride;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t *to = out + (size_t)i * stride;
        if (a->data)
            element_uints(a, &shape, a->data + i * a->stride, to, stride);
        else
            memset(to, 0, used * sizeof *to);
    }
    for (uint32_t i = 0; i < a->sparse_count; i++) {
        const size_t each = size_of(a->sparse_index_component);
        const uint32_t index = whole_at(a->sparse_indices + i * each, a->sparse_index_component);
        element_uints(a, &shape, a->sparse_values + i * shape.packed, out + (size_t)index * stride, stride);
    }
}

/* Which of the sparse values takes the place of an element: TRILO_NONE: none. Their indices rise. */
static uint32_t sparse_row(const gltf_accessor *a, uint32_t index)
{
    const size_t each = size_of(a->sparse_index_component);
    uint32_t low = 0, high = a->sparse_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint32_t at = whole_at(a->sparse_indices + middle * each, a->sparse_index_component);
        if (at == index)
            return middle;
        if (at < index)
            low = middle + 1;
        else
            high = middle;
    }
    return TRILO_NONE;
}

void tl_gltf_element(const gltf_accessor *a, uint32_t index, bool normalize, float *out, uint32_t room)
{
    const element_shape shape = shape_in(a);
    const uint32_t row = sparse_row(a, index);
    const uint8_t *p = row != TRILO_NONE ? a->sparse_values + row * shape.packed
                       : a->data         ? a->data + index * a->stride
                                         : NULL;
    if (p)
        element_floats(a, &shape, p, normalize || a->normalized, out, room);
    else
        memset(out, 0, (a->width < room ? a->width : room) * sizeof *out);
}

/* --- reading through --- */

/* The elements of one run; what is broken is told by its number. */
static uint32_t survey_run(const gltf_accessor *a, const element_shape *shape, const uint8_t *p, size_t stride,
                           uint32_t count, uint32_t *most)
{
    for (uint32_t i = 0; i < count; i++, p += i < count ? stride : 0)
        for (uint32_t k = 0; k < a->width; k++) {
            const uint32_t bits = whole_at(p + shape->at[k], a->component);
            if (a->component != GLTF_F32)
                *most = bits > *most ? bits : *most;
            else if (!tl_is_finite(tl_float_of(bits)))
                return i;
        }
    return TRILO_NONE;
}

void tl_gltf_survey(const gltf_accessor *a, uint32_t *most, uint32_t *broken)
{
    const element_shape shape = shape_in(a);
    *most = 0;
    *broken = a->data ? survey_run(a, &shape, a->data, a->stride, a->count, most) : TRILO_NONE;
    const uint32_t sparse = survey_run(a, &shape, a->sparse_values, shape.packed, a->sparse_count, most);
    if (sparse != TRILO_NONE) {
        const size_t each = size_of(a->sparse_index_component);
        const uint32_t index = whole_at(a->sparse_indices + sparse * each, a->sparse_index_component);
        *broken = index < *broken ? index : *broken;
    }
}
