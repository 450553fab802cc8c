/* Accessors: component types, strides, sparse values and bounds are handled here and nowhere else ("Accessors"). */
#include "base/strict_float.h"
#include "formats/gltf/gltf.h"

#include "base/float4.h"
#include "base/lanes.h"
#include "base/size.h"
#include <string.h>

/* --- elements --- */

size_t tl_gltf_component_size(uint32_t component)
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

/* The columns of a matrix start at multiples of 4 bytes ("Data Alignment"). */
gltf_element_layout tl_gltf_element_layout(const gltf_accessor *a)
{
    const uint32_t columns = !a->matrix ? 1 : a->width == 4 ? 2 : a->width == 9 ? 3 : 4;
    const uint32_t rows = a->width / columns;
    const size_t each = tl_gltf_component_size(a->component), plain = rows * each;
    const size_t column = a->matrix ? (plain + 3) / 4 * 4 : plain;
    gltf_element_layout layout = {.size = (columns - 1) * column + plain, .packed = columns * column};
    for (uint32_t i = 0; i < a->width; i++)
        layout.at[i] = (uint8_t)(i / rows * column + i % rows * each);
    return layout;
}

/* Signed components are sign-extended. */
static uint32_t gltf_component_uint(const uint8_t *p, gltf_component component)
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

static uint32_t gltf_sparse_index(const gltf_accessor *a, uint32_t i)
{
    const size_t each = tl_gltf_component_size(a->sparse_index_component);
    return gltf_component_uint(a->sparse_indices + i * each, a->sparse_index_component);
}

/* --- resolving --- */

/* True if `count` elements of `size` bytes, `stride` apart, from byte `offset` on, lie within a buffer view. */
static bool gltf_elements_fit(trilo_bytes view, uint32_t offset, uint32_t count, size_t stride, size_t size)
{
    if (count == 0)
        return offset <= view.size;
    return tl_fits(view.size, offset, 1, size) && tl_fits(view.size - offset - size, 0, count - 1, stride);
}

/* Reads bufferView and byteOffset. *view is TRILO_NONE when there is no bufferView. */
static const char *gltf_find_view(const gltf_file *file, const tl_json *object, uint32_t *view, uint32_t *offset)
{
    bool bad;
    const tl_json *at = tl_json_member(object, "byteOffset");
    *offset = 0;
    *view = tl_gltf_index(file, object, "bufferView", GLTF_BUFFER_VIEWS, &bad);
    if (bad)
        return "names a bufferView that is not there";
    if (at && !tl_json_uint(at, offset))
        return "byteOffset must be an integer below 4 GB";
    if (*view != TRILO_NONE && !file->buffer_views[*view].bytes.data)
        return tl_gltf_no_bytes;
    return NULL;
}

/* One of the two arrays of a sparse accessor. Both are tightly packed. */
static const char *gltf_find_sparse_array(const gltf_file *file, const tl_json *object, uint32_t count, size_t each,
                                          size_t last, const uint8_t **out)
{
    uint32_t view, offset;
    const char *problem = gltf_find_view(file, object, &view, &offset);
    if (problem)
        return problem;
    if (view == TRILO_NONE)
        return "a sparse part needs bufferViews for its indices and its values";
    if (!gltf_elements_fit(file->buffer_views[view].bytes, offset, count, each, last))
        return "its sparse part reaches out of its bufferView";
    *out = file->buffer_views[view].bytes.data + offset;
    return NULL;
}

static const char *gltf_resolve_sparse(const gltf_file *file, const tl_json *sparse, gltf_accessor *a)
{
    const tl_json *indices = tl_json_member(sparse, "indices"), *values = tl_json_member(sparse, "values");
    const gltf_element_layout layout = tl_gltf_element_layout(a);
    uint32_t component, least = 0;
    if (!tl_json_uint(tl_json_member(sparse, "count"), &a->sparse_count) || a->sparse_count > a->count)
        return "the count of its sparse part must be an integer, at most its own";
    if (!tl_json_uint(tl_json_member(indices, "componentType"), &component) ||
        (component != GLTF_U8 && component != GLTF_U16 && component != GLTF_U32))
        return "sparse indices must be of componentType 5121, 5123 or 5125";
    a->sparse_index_component = (gltf_component)component;
    const size_t each = tl_gltf_component_size(component);
    const char *problem = gltf_find_sparse_array(file, indices, a->sparse_count, each, each, &a->sparse_indices);
    if (!problem)
        problem = gltf_find_sparse_array(file, values, a->sparse_count, layout.packed, layout.size, &a->sparse_values);
    for (uint32_t i = 0; !problem && i < a->sparse_count; i++) {
        const uint32_t index = gltf_sparse_index(a, i);
        if (index < least || index >= a->count)
            problem = "its sparse indices must increase and stay below its count";
        least = index + 1;
    }
    return problem;
}

static const char *gltf_resolve_accessor(const gltf_file *file, const tl_json *json, gltf_accessor *out)
{
    static const struct {
        const char *name;
        uint8_t columns, rows;
    } types[] = {{"SCALAR", 1, 1}, {"VEC2", 1, 2}, {"VEC3", 1, 3}, {"VEC4", 1, 4},
                 {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    const tl_json *sparse = tl_json_member(json, "sparse");
    const trilo_str name = tl_json_string(tl_json_member(json, "type"));
    const uint32_t most = file->opts->limits.count ? file->opts->limits.count : 1u << 28;
    uint32_t component, view, offset, type = 0;
    out->json = json;
    while (type < TL_COUNT_OF(types) && !gltf_str_is(name, types[type].name))
        type++;
    if (type == TL_COUNT_OF(types))
        return "type must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4";
    if (!tl_json_uint(tl_json_member(json, "componentType"), &component) || tl_gltf_component_size(component) == 0)
        return "componentType must be 5120 to 5123, 5125 or 5126";
    if (!tl_json_uint(tl_json_member(json, "count"), &out->count) || out->count > most)
        return "count must be an integer that is not above the limit";
    out->width = (uint32_t)types[type].columns * types[type].rows;
    out->matrix = types[type].columns > 1;
    out->component = (gltf_component)component;
    out->normalized = tl_json_bool(tl_json_member(json, "normalized"), false);
    const char *problem = gltf_find_view(file, json, &view, &offset);
    if (problem)
        return problem;
    if (view != TRILO_NONE) {
        const gltf_element_layout layout = tl_gltf_element_layout(out);
        const gltf_buffer_view *from = &file->buffer_views[view];
        out->stride = from->stride ? from->stride : layout.packed;
        if (out->stride < layout.size)
            return "its elements are larger than the byteStride of its bufferView";
        if (!gltf_elements_fit(from->bytes, offset, out->count, out->stride, layout.size))
            return "its elements reach out of its bufferView";
        out->data = from->bytes.data + offset;
    }
    return sparse ? gltf_resolve_sparse(file, sparse, out) : NULL;
}

/* Resolving reads all sparse indices, and many accessors may share the same ones: the total is limited, far above what
 * real files need. */
bool tl_gltf_load_accessors(gltf_file *file, tl_arena *arena)
{
    enum { INDICES_PER_BYTE = 16, INDICES_FREE = 1 << 20 };
    const gltf_table *table = &file->tables[GLTF_ACCESSORS];
    uint64_t budget = (uint64_t)file->bytes.size * INDICES_PER_BYTE + INDICES_FREE;
    file->accessors = TL_ARRAY(arena, table->count, gltf_accessor_entry);
    for (uint32_t i = 0; file->accessors && i < table->count; i++) {
        gltf_accessor_entry *entry = &file->accessors[i];
        uint32_t sparse = 0;
        tl_json_uint(tl_json_member(tl_json_member(table->items[i], "sparse"), "count"), &sparse);
        entry->problem = sparse > budget ? "all accessors together have far more sparse parts than the file has bytes"
                                         : gltf_resolve_accessor(file, table->items[i], &entry->accessor);
        budget -= sparse > budget ? budget : sparse;
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

/* --- reading --- */

/* The least value of a signed, normalized component is below -1, and is clamped ("Animations"). */
static float gltf_component_float(const uint8_t *p, gltf_component component, bool normalize)
{
    static const float largest[] = {127.0f, 255.0f, 32767.0f, 65535.0f, 0, 4294967295.0f};
    if (component == GLTF_F32)
        return tl_get_f32(p, TL_LITTLE);
    const uint32_t bits = gltf_component_uint(p, component);
    const bool is_signed = component == GLTF_S8 || component == GLTF_S16;
    const float value = is_signed ? (float)(int32_t)bits : (float)bits;
    if (!normalize)
        return value;
    const float fraction = value / largest[component - GLTF_S8];
    return fraction < -1.0f ? -1.0f : fraction;
}

static void gltf_element_floats(const gltf_accessor *a, const gltf_element_layout *layout, const uint8_t *p,
                                bool normalize, float *out, uint32_t room)
{
    for (uint32_t i = 0; i < a->width && i < room; i++)
        out[i] = gltf_component_float(p + layout->at[i], a->component, normalize);
}

static void gltf_element_uints(const gltf_accessor *a, const gltf_element_layout *layout, const uint8_t *p,
                               uint32_t *out, uint32_t room)
{
    for (uint32_t i = 0; i < a->width && i < room; i++)
        out[i] = gltf_component_uint(p + layout->at[i], a->component);
}

/* Floats that need no conversion, as nearly all are. */
static void gltf_copy_floats(const gltf_accessor *a, float *out, uint32_t stride)
{
    const uint32_t used = a->width < stride ? a->width : stride;
    if (tl_order_is_host(TL_LITTLE) && a->width == stride && a->stride == 4 * (size_t)stride && a->count > 0) {
        memcpy(out, a->data, a->count * a->stride);
        return;
    }
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < used; k++)
            out[(size_t)i * stride + k] = tl_get_f32(a->data + i * a->stride + 4 * (size_t)k, TL_LITTLE);
}

/* Joints. */
static void gltf_copy_bytes(const gltf_accessor *a, float *out, uint32_t stride)
{
    const uint32_t used = a->width < stride ? a->width : stride;
    for (uint32_t i = 0; used == 4 && i < a->count; i++)
        tl_float4_store(out + (size_t)i * stride, tl_float4_from_bytes(a->data + i * a->stride));
    for (uint32_t i = 0; used != 4 && i < a->count; i++)
        for (uint32_t k = 0; k < used; k++)
            out[(size_t)i * stride + k] = a->data[i * a->stride + k];
}

/* Floats of any type, or zeros. */
static void gltf_convert_floats(const gltf_accessor *a, bool normalize, float *out, uint32_t stride)
{
    const gltf_element_layout layout = tl_gltf_element_layout(a);
    const uint32_t used = a->width < stride ? a->width : stride;
    for (uint32_t i = 0; i < a->count; i++) {
        float *to = out + (size_t)i * stride;
        if (a->data)
            gltf_element_floats(a, &layout, a->data + i * a->stride, normalize, to, stride);
        else
            memset(to, 0, used * sizeof *to);
    }
}

static void gltf_replace_sparse_floats(const gltf_accessor *a, bool normalize, float *out, uint32_t stride)
{
    const gltf_element_layout layout = tl_gltf_element_layout(a);
    for (uint32_t i = 0; i < a->sparse_count; i++)
        gltf_element_floats(a, &layout, a->sparse_values + i * layout.packed, normalize,
                            out + (size_t)gltf_sparse_index(a, i) * stride, stride);
}

void tl_gltf_floats(const gltf_accessor *a, bool normalize, float *out, uint32_t stride)
{
    const bool plain = a->data && !a->matrix;
    normalize = normalize || a->normalized;
    if (plain && a->component == GLTF_F32)
        gltf_copy_floats(a, out, stride);
    else if (plain && a->component == GLTF_U8 && !normalize)
        gltf_copy_bytes(a, out, stride);
    else
        gltf_convert_floats(a, normalize, out, stride);
    if (a->sparse_count > 0)
        gltf_replace_sparse_floats(a, normalize, out, stride);
}

/* Indices that follow each other, as most do. Compilers make vectors of the inner loop. */
static void gltf_widen_indices(const uint8_t *from, uint32_t count, uint32_t *out)
{
    enum { BLOCK = 16 };
    uint32_t done = 0;
    for (; tl_order_is_host(TL_LITTLE) && count - done >= BLOCK; done += BLOCK) {
        uint16_t block[BLOCK];
        memcpy(block, from + 2 * (size_t)done, sizeof block);
        for (uint32_t k = 0; k < BLOCK; k++)
            out[done + k] = block[k];
    }
    for (; done < count; done++)
        out[done] = tl_get_u16(from + 2 * (size_t)done, TL_LITTLE);
}

void tl_gltf_uints(const gltf_accessor *a, uint32_t *out, uint32_t stride)
{
    const gltf_element_layout layout = tl_gltf_element_layout(a);
    const uint32_t used = a->width < stride ? a->width : stride;
    const bool plain = a->data && a->component == GLTF_U16 && a->width == 1 && a->stride == 2 && stride == 1;
    if (plain)
        gltf_widen_indices(a->data, a->count, out);
    for (uint32_t i = 0; !plain && i < a->count; i++) {
        uint32_t *to = out + (size_t)i * stride;
        if (a->data)
            gltf_element_uints(a, &layout, a->data + i * a->stride, to, stride);
        else
            memset(to, 0, used * sizeof *to);
    }
    for (uint32_t i = 0; i < a->sparse_count; i++)
        gltf_element_uints(a, &layout, a->sparse_values + i * layout.packed,
                           out + (size_t)gltf_sparse_index(a, i) * stride, stride);
}

void tl_gltf_element(const gltf_accessor *a, uint32_t index, bool normalize, float *out, uint32_t room)
{
    const gltf_element_layout layout = tl_gltf_element_layout(a);
    const uint8_t *p = a->data ? a->data + index * a->stride : NULL;
    uint32_t low = 0, high = a->sparse_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (gltf_sparse_index(a, middle) < index)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < a->sparse_count && gltf_sparse_index(a, low) == index)
        p = a->sparse_values + low * layout.packed;
    if (p)
        gltf_element_floats(a, &layout, p, normalize || a->normalized, out, room);
    else
        memset(out, 0, (a->width < room ? a->width : room) * sizeof *out);
}

gltf_cursor tl_gltf_cursor(const gltf_accessor *a)
{
    return (gltf_cursor){a, tl_gltf_element_layout(a), 0, 0};
}

bool tl_gltf_cursor_next(gltf_cursor *c, double out[16])
{
    const gltf_accessor *a = c->accessor;
    if (c->next >= a->count)
        return false;
    const uint8_t *p = a->data ? a->data + c->next * a->stride : NULL;
    if (c->sparse < a->sparse_count && gltf_sparse_index(a, c->sparse) == c->next)
        p = a->sparse_values + c->sparse++ * c->layout.packed;
    c->next++;
    if (p && a->component == GLTF_F32) { /* the loops that most files need */
        for (uint32_t i = 0; i < a->width; i++)
            out[i] = (double)tl_get_f32(p + c->layout.at[i], TL_LITTLE);
        return true;
    }
    if (p && a->component == GLTF_U8) {
        for (uint32_t i = 0; i < a->width; i++)
            out[i] = p[c->layout.at[i]];
        return true;
    }
    for (uint32_t i = 0; i < a->width; i++) {
        const uint32_t bits = p ? gltf_component_uint(p + c->layout.at[i], a->component) : 0;
        const bool is_signed = a->component == GLTF_S8 || a->component == GLTF_S16;
        out[i] = a->component == GLTF_F32 ? (double)tl_float_of(bits)
                 : is_signed              ? (double)(int32_t)bits
                                          : (double)bits;
    }
    return true;
}

/* --- bounds --- */

/* Least and greatest value of component k as a loop without calls: most of the time of reading a file is spent here.
 * The sum of v - v is 0 if all are finite. */
static bool gltf_float_bounds(const uint8_t *p, size_t stride, uint32_t count, double *min, double *max)
{
    float low = tl_get_f32(p, TL_LITTLE), high = low, finite = low - low;
    for (uint32_t i = 1; i < count; i++) {
        const float v = tl_get_f32(p + i * stride, TL_LITTLE);
        low = v < low ? v : low;
        high = v > high ? v : high;
        finite += v - v;
    }
    *min = (double)low;
    *max = (double)high;
    return finite == 0;
}

/* The same for all components of elements without gaps, four floats at once. Where the width divides four, each lane of
 * one vector always has the same component; three floats take turns in the lanes of three vectors. */
static bool gltf_packed_float_bounds(const uint8_t *p, uint32_t width, uint32_t count, double *min, double *max)
{
    const uint32_t period = width == 3 ? 3 : 1, step = 4 * period;
    const size_t total = (size_t)count * width, whole = total - total % step;
    float low[12], high[12], not_finite[4];
    tl_float4 sums = tl_float4_all(0);
    for (uint32_t k = 0; k < period; k++) {
        tl_float4 v, least, most;
        memcpy(&least, p + 16 * (size_t)k, sizeof least);
        most = least;
        for (size_t i = 4 * (size_t)k; i < whole; i += step) {
            memcpy(&v, p + 4 * i, sizeof v);
            least = tl_float4_min(v, least);
            most = tl_float4_max(v, most);
            sums = tl_float4_add(sums, tl_float4_sub(v, v));
        }
        tl_float4_store(low + 4 * (size_t)k, least);
        tl_float4_store(high + 4 * (size_t)k, most);
    }
    tl_float4_store(not_finite, sums);
    float sum = not_finite[0] + not_finite[1] + not_finite[2] + not_finite[3];
    for (size_t i = whole; i < total; i++) {
        const float v = tl_get_f32(p + 4 * i, TL_LITTLE);
        low[i - whole] = v < low[i - whole] ? v : low[i - whole];
        high[i - whole] = v > high[i - whole] ? v : high[i - whole];
        sum += v - v;
    }
    for (uint32_t i = 0; i < step; i++) {
        const uint32_t k = i % width;
        min[k] = i < width || (double)low[i] < min[k] ? (double)low[i] : min[k];
        max[k] = i < width || (double)high[i] > max[k] ? (double)high[i] : max[k];
    }
    return sum == 0;
}

/* Of joints, which are bytes or have 16 bits, and of indices. */
static void gltf_uint_bounds(const uint8_t *p, bool bytes, size_t stride, uint32_t count, double *min, double *max)
{
    uint32_t low = UINT16_MAX, high = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = bytes ? p[i * stride] : tl_get_u16(p + i * stride, TL_LITTLE);
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    *min = low;
    *max = high;
}

enum { GLTF_LANES = 16 };

/* Of each lane of blocks of that many numbers. The last block overlaps the one before it. The greatest number is the
 * least one with all bits inverted. */
static void gltf_byte_lane_bounds(const uint8_t *p, size_t count, uint16_t *min, uint16_t *max)
{
    tl_byte16 low = tl_byte16_load(p + count - GLTF_LANES), high = ~low;
    for (size_t i = 0; i < count - GLTF_LANES; i += GLTF_LANES) {
        const tl_byte16 v = tl_byte16_load(p + i);
        low = tl_byte16_min(low, v);
        high = tl_byte16_min(high, ~v);
    }
    for (size_t k = 0; k < GLTF_LANES; k++) {
        min[k] = ((const uint8_t *)&low)[k];
        max[k] = (uint8_t) ~((const uint8_t *)&high)[k];
    }
}

static void gltf_word_lane_bounds(const uint8_t *p, size_t count, uint16_t *min, uint16_t *max)
{
    for (size_t half = 0; half < GLTF_LANES; half += GLTF_LANES / 2) {
        tl_word8 low = tl_word8_load(p + 2 * (count - GLTF_LANES + half)), high = ~low;
        for (size_t i = 0; i < count - GLTF_LANES; i += GLTF_LANES) {
            const tl_word8 v = tl_word8_load(p + 2 * (i + half));
            low = tl_word8_min(low, v);
            high = tl_word8_min(high, ~v);
        }
        high = ~high;
        memcpy(min + half, &low, sizeof low);
        memcpy(max + half, &high, sizeof high);
    }
}

/* The same as above for all components of elements without gaps: where the width divides the number of lanes, each lane
 * always has the same component. */
static void gltf_packed_uint_bounds(const gltf_accessor *a, double *min, double *max)
{
    const size_t total = (size_t)a->count * a->width;
    uint16_t low[GLTF_LANES], high[GLTF_LANES];
    if (a->component == GLTF_U8)
        gltf_byte_lane_bounds(a->data, total, low, high);
    else
        gltf_word_lane_bounds(a->data, total, low, high);
    for (uint32_t k = 0; k < a->width; k++) {
        uint16_t least = low[k], most = high[k];
        for (uint32_t i = k; i < GLTF_LANES; i += a->width) {
            least = low[i] < least ? low[i] : least;
            most = high[i] > most ? high[i] : most;
        }
        min[k] = least;
        max[k] = most;
    }
}

static void gltf_other_bounds(const gltf_accessor *a, const uint8_t *p, double *min, double *max)
{
    const bool is_signed = a->component == GLTF_S8 || a->component == GLTF_S16;
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t bits = gltf_component_uint(p + i * a->stride, a->component);
        const int64_t v = is_signed ? (int64_t)(int32_t)bits : (int64_t)bits;
        *min = i == 0 || (double)v < *min ? (double)v : *min;
        *max = i == 0 || (double)v > *max ? (double)v : *max;
    }
}

static void gltf_find_bounds(const gltf_accessor *a, const gltf_element_layout *layout, gltf_bounds *out)
{
    out->known = a->data && a->sparse_count == 0 && a->count > 0;
    if (out->known && tl_order_is_host(TL_LITTLE) && a->component == GLTF_F32 && a->stride == 4 * (size_t)a->width &&
        a->width <= 4 && a->count >= 4) {
        out->known = gltf_packed_float_bounds(a->data, a->width, a->count, out->min, out->max);
        return;
    }
    const bool uints = a->component == GLTF_U8 || a->component == GLTF_U16;
    if (out->known && uints && tl_order_is_host(TL_LITTLE) &&
        a->stride == a->width * tl_gltf_component_size(a->component) && !a->matrix && GLTF_LANES % a->width == 0 &&
        a->count >= GLTF_LANES) {
        gltf_packed_uint_bounds(a, out->min, out->max);
        return;
    }
    for (uint32_t k = 0; k < a->width && out->known; k++) {
        const uint8_t *p = a->data + layout->at[k];
        if (a->component == GLTF_F32)
            out->known = gltf_float_bounds(p, a->stride, a->count, &out->min[k], &out->max[k]);
        else if (uints)
            gltf_uint_bounds(p, a->component == GLTF_U8, a->stride, a->count, &out->min[k], &out->max[k]);
        else
            gltf_other_bounds(a, p, &out->min[k], &out->max[k]);
    }
}

/* The first of `count` elements that is not finite; TRILO_NONE: none. Raises *max. */
static uint32_t gltf_scan_elements(const gltf_accessor *a, const gltf_element_layout *layout, const uint8_t *p,
                                   size_t stride, uint32_t count, uint32_t *max)
{
    for (uint32_t i = 0; i < count; i++, p += i < count ? stride : 0)
        for (uint32_t k = 0; k < a->width; k++) {
            const uint32_t bits = gltf_component_uint(p + layout->at[k], a->component);
            if (a->component != GLTF_F32)
                *max = bits > *max ? bits : *max;
            else if (!tl_is_finite(tl_float_of(bits)))
                return i;
        }
    return TRILO_NONE;
}

void tl_gltf_accessor_scan(const gltf_accessor *a, uint32_t *max, uint32_t *non_finite, gltf_bounds *bounds)
{
    const gltf_element_layout layout = tl_gltf_element_layout(a);
    *max = 0;
    *non_finite = TRILO_NONE;
    gltf_find_bounds(a, &layout, bounds);
    if (bounds->known && a->component != GLTF_S8 && a->component != GLTF_S16) {
        for (uint32_t k = 0; a->component != GLTF_F32 && k < a->width; k++)
            *max = (uint32_t)bounds->max[k] > *max ? (uint32_t)bounds->max[k] : *max;
        return;
    }
    *non_finite = a->data ? gltf_scan_elements(a, &layout, a->data, a->stride, a->count, max) : TRILO_NONE;
    const uint32_t sparse = gltf_scan_elements(a, &layout, a->sparse_values, layout.packed, a->sparse_count, max);
    if (sparse != TRILO_NONE) {
        const uint32_t index = gltf_sparse_index(a, sparse);
        *non_finite = index < *non_finite ? index : *non_finite;
    }
}
