/* The buffer, its buffer views and accessors.
 *
 * Every accessor has a tightly packed buffer view of its own. Equal data of the same type is stored once: key times,
 * frames and copies of a mesh share their accessors. */
#include "base/strict_float.h"
#include "formats/gltf/encode/encode.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/size.h"

#include <inttypes.h>

/* A .glb counts its bytes in 32 bits; this leaves half of them to the text. */
#define GLTF_BUFFER_LIMIT (((size_t)1 << 31) - 4)

void *tl_gltf_data_begin(gltf_encoder *e, size_t count, size_t each)
{
    gltf_data_writer *data = &e->data;
    size_t size = 0;
    if (e->failed)
        return NULL;
    if (!tl_multiply(count, each, &size) || data->size > GLTF_BUFFER_LIMIT || size > GLTF_BUFFER_LIMIT - data->size) {
        tl_gltf_encode_fail(e, &tl_general_rules[TL_FILE_LIMIT], TRILO_CODE_LIMIT,
                            "the buffer would have 2 GiB or more");
        return NULL;
    }
    const size_t padded = size + 3; /* up to the next multiple of 4 */
    uint8_t *bytes = tl_gltf_allocated(e, tl_array_grow(e->arena, data->bytes, data->size, &data->capacity, padded, 1));
    if (!bytes)
        return NULL;
    data->bytes = bytes;
    memset(bytes + data->size + size, 0, 3);
    return bytes + data->size;
}

static int gltf_data_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gltf_data_writer *data = rows;
    const gltf_data *s = &data->list[a], *t = &data->list[b];
    const int64_t differences[] = {
        (int64_t)s->type.usage - t->type.usage, (int64_t)s->type.component - t->type.component,
        (int64_t)s->type.count - t->type.count, (int64_t)s->type.width - t->type.width,
        (int64_t)s->size - (int64_t)t->size,
    };
    for (size_t i = 0; i < TL_COUNT_OF(differences); i++)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return memcmp(data->bytes + s->at, data->bytes + t->at, s->size);
}

static uint32_t gltf_put_buffer_view(gltf_encoder *e, const gltf_data *data)
{
    enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
    const gltf_usage usage = data->type.usage;
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_BUFFER_VIEWS, &index);
    tl_gltf_put_index(w, "buffer", 0);
    if (data->at > 0) {
        tl_json_key(w, "byteOffset");
        tl_json_put_uint(w, data->at);
    }
    tl_json_key(w, "byteLength");
    tl_json_put_uint(w, data->size);
    if (usage == GLTF_USAGE_INDICES || usage == GLTF_USAGE_VERTICES || usage == GLTF_USAGE_POSITIONS)
        tl_gltf_put_index(w, "target", usage == GLTF_USAGE_INDICES ? ELEMENT_ARRAY_BUFFER : ARRAY_BUFFER);
    tl_json_close(w, '}');
    return index;
}

/* Takes what was put after tl_gltf_data_begin, in the byte order of the file. Returns its number in the list, or that
 * of equal data; TRILO_NONE: failed. */
static uint32_t gltf_store_data(gltf_encoder *e, gltf_data_type type)
{
    gltf_data_writer *data = &e->data;
    const uint32_t row = data->count;
    const size_t each = tl_gltf_component_size(type.component), size = (size_t)type.count * type.width * each;
    if (e->failed)
        return TRILO_NONE;
    uint8_t *bytes = data->bytes + data->size;
    for (uint8_t *p = bytes; !tl_order_is_host(TL_LITTLE) && each > 1 && p < bytes + size; p += each)
        for (size_t i = 0; i < each / 2; i++) {
            const uint8_t swapped = p[i];
            p[i] = p[each - 1 - i];
            p[each - 1 - i] = swapped;
        }
    gltf_data *list =
        tl_gltf_allocated(e, tl_array_grow(e->arena, data->list, row, &data->list_capacity, 1, sizeof *data->list));
    if (!list || (row == 0 && !tl_hash_table_init(&data->table, e->arena, 0, gltf_data_compare, data))) {
        e->failed = true;
        return TRILO_NONE;
    }
    data->list = list;
    list[row] = (gltf_data){type, data->size, size, 0, TRILO_NONE};
    const uint32_t known = tl_hash_table_add(&data->table, trilo_fnv1a(bytes, size), row);
    e->failed = known == TRILO_NONE;
    if (known != row)
        return known;
    list[row].view = gltf_put_buffer_view(e, &list[row]);
    data->size += (size + 3) / 4 * 4;
    return data->count++;
}

uint32_t tl_gltf_add_buffer_view(gltf_encoder *e, gltf_data_type type)
{
    const uint32_t known = gltf_store_data(e, type);
    return known == TRILO_NONE ? TRILO_NONE : e->data.list[known].view;
}

/* Positions and times must have min and max ("Accessors Bounds"). */
static void gltf_put_bounds(gltf_encoder *e, tl_json_writer *w, const gltf_data *data)
{
    const uint32_t width = data->type.width;
    const uint8_t *bytes = e->data.bytes + data->at;
    float min[4] = {0}, max[4] = {0};
    for (uint32_t k = 0; k < width && k < 4; k++)
        min[k] = max[k] = tl_get_f32(bytes + 4 * (size_t)k, TL_LITTLE);
    for (size_t i = 0; i < data->type.count; i++)
        for (uint32_t k = 0; k < width && k < 4; k++) {
            const float value = tl_get_f32(bytes + 4 * (i * width + k), TL_LITTLE);
            min[k] = value < min[k] ? value : min[k];
            max[k] = value > max[k] ? value : max[k];
        }
    tl_json_key(w, "min");
    tl_json_put_floats(w, min, width);
    tl_json_key(w, "max");
    tl_json_put_floats(w, max, width);
}

uint32_t tl_gltf_add_accessor(gltf_encoder *e, gltf_data_type type)
{
    static const char *const types[] = {"SCALAR", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const size_t count = (size_t)type.count * type.width;
    size_t replaced = 0;
    if (e->failed)
        return TRILO_NONE;
    for (size_t i = 0; type.component == GLTF_F32 && i < count; i++) {
        uint8_t *at = e->data.bytes + e->data.size + 4 * i;
        float value;
        memcpy(&value, at, sizeof value);
        if (tl_is_finite(value))
            continue;
        memset(at, 0, sizeof value);
        replaced++;
    }
    if (replaced > 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NAN), TRILO_NOWHERE,
                          "%zu of %zu numbers are not finite and were written as 0", replaced, count);
    const uint32_t known = gltf_store_data(e, type);
    if (known == TRILO_NONE)
        return TRILO_NONE;
    gltf_data *data = &e->data.list[known];
    if (data->accessor != TRILO_NONE)
        return data->accessor;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_ACCESSORS, &data->accessor);
    tl_gltf_put_index(w, "bufferView", data->view);
    tl_gltf_put_index(w, "componentType", type.component);
    tl_gltf_put_index(w, "count", type.count);
    tl_json_key(w, "type");
    tl_json_put_text(w, type.width < TL_COUNT_OF(types) ? types[type.width] : "MAT4");
    if (type.usage == GLTF_USAGE_POSITIONS || type.usage == GLTF_USAGE_TIMES)
        gltf_put_bounds(e, w, data);
    tl_json_close(w, '}');
    return data->accessor;
}
