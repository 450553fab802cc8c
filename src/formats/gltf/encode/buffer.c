/* The buffer: what is put into it, and the views and accessors that say what it is.
 *
 * Every accessor has a view of its own, packed; whoever brings the same bytes for the same use gets the same accessor.
 * That is how equal key times, equal frames and copies of a mesh are stored once. */
#include "formats/gltf/encode/encode.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/size.h"

#include <inttypes.h>

/* --- bytes --- */

/* A .glb counts its bytes in 32 bits; this leaves half of them to the text. */
#define GLTF_BUFFER_MOST (((size_t)1 << 31) - 4)

void *tl_gltf_room(gltf_encoder *e, size_t count, size_t each)
{
    gltf_data *data = &e->data;
    size_t size = 0;
    if (e->failed)
        return NULL;
    if (!tl_multiply(count, each, &size) || data->size > GLTF_BUFFER_MOST || size > GLTF_BUFFER_MOST - data->size) {
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

/* --- numbers --- */

static size_t component_size(gltf_component component)
{
    switch (component) {
    case GLTF_U16:
    case GLTF_S16:
        return 2;
    case GLTF_U32:
    case GLTF_F32:
        return 4;
    default:
        return 1;
    }
}

static const char *type_name(uint32_t width)
{
    static const char *const names[] = {"SCALAR", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return width < 5 ? names[width] : "MAT4";
}

/* How many were not finite. */
static size_t mend_floats(uint8_t *bytes, size_t count)
{
    size_t mended = 0;
    for (size_t i = 0; i < count; i++) {
        float value;
        memcpy(&value, bytes + 4 * i, sizeof value);
        if (tl_is_finite(value))
            continue;
        memset(bytes + 4 * i, 0, sizeof value);
        mended++;
    }
    return mended;
}

/* From the machine's byte order to the file's. */
static void order_bytes(uint8_t *bytes, size_t count, size_t size)
{
    if (tl_order_is_host(TL_LITTLE) || size == 1)
        return;
    for (uint8_t *p = bytes; p < bytes + count * size; p += size)
        for (size_t i = 0; i < size / 2; i++) {
            const uint8_t swapped = p[i];
            p[i] = p[size - 1 - i];
            p[size - 1 - i] = swapped;
        }
}

static void put_bounds(gltf_encoder *e, tl_json_writer *w, const gltf_stored *stored)
{
    const uint32_t width = stored->numbers.width;
    const uint8_t *bytes = e->data.bytes + stored->at;
    float least[4] = {0}, most[4] = {0};
    for (uint32_t k = 0; k < width && k < 4; k++)
        least[k] = most[k] = tl_get_f32(bytes + 4 * (size_t)k, TL_LITTLE);
    for (size_t i = 0; i < stored->numbers.count; i++)
        for (uint32_t k = 0; k < width && k < 4; k++) {
            const float value = tl_get_f32(bytes + 4 * (i * width + k), TL_LITTLE);
            least[k] = value < least[k] ? value : least[k];
            most[k] = value > most[k] ? value : most[k];
        }
    tl_json_key(w, "min");
    tl_json_put_floats(w, least, width);
    tl_json_key(w, "max");
    tl_json_put_floats(w, most, width);
}

/* --- what is there already --- */

static int gltf_stored_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gltf_data *data = rows;
    const gltf_stored *s = &data->stored[a], *t = &data->stored[b];
    const int64_t differences[] = {
        (int64_t)s->numbers.use - t->numbers.use,     (int64_t)s->numbers.component - t->numbers.component,
        (int64_t)s->numbers.count - t->numbers.count, (int64_t)s->numbers.width - t->numbers.width,
        (int64_t)s->size - (int64_t)t->size,
    };
    for (size_t i = 0; i < TL_COUNT_OF(differences); i++)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return memcmp(data->bytes + s->at, data->bytes + t->at, s->size);
}

static uint32_t put_view(gltf_encoder *e, const gltf_stored *stored)
{
    const gltf_use use = stored->numbers.use;
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_BUFFER_VIEWS, &index);
    tl_gltf_put_index(w, "buffer", 0);
    if (stored->at > 0) {
        tl_json_key(w, "byteOffset");
        tl_json_put_uint(w, stored->at);
    }
    tl_json_key(w, "byteLength");
    tl_json_put_uint(w, stored->size);
    if (use == GLTF_FOR_INDICES || use == GLTF_FOR_VERTICES || use == GLTF_FOR_POSITIONS) {
        tl_json_key(w, "target");
        tl_json_put_uint(w, use == GLTF_FOR_INDICES ? 34963 : 34962);
    }
    tl_json_close(w, '}');
    return index;
}

/* Takes what is in the room; TRILO_NONE: failed. */
static uint32_t store(gltf_encoder *e, const gltf_numbers *numbers, size_t size)
{
    gltf_data *data = &e->data;
    const uint32_t row = data->stored_count;
    gltf_stored *grown = tl_gltf_allocated(
        e, tl_array_grow(e->arena, data->stored, row, &data->stored_capacity, 1, sizeof *data->stored));
    if (!grown || (row == 0 && !tl_hash_table_init(&data->table, e->arena, 0, gltf_stored_compare, data)))
        e->failed = true;
    if (e->failed)
        return TRILO_NONE;
    data->stored = grown;
    data->stored[row] = (gltf_stored){*numbers, data->size, size, 0, TRILO_NONE};
    const uint32_t known = tl_hash_table_add(&data->table, trilo_fnv1a(data->bytes + data->size, size), row);
    e->failed = e->failed || known == TRILO_NONE;
    if (known != row)
        return known;
    data->stored[row].view = put_view(e, &data->stored[row]);
    data->size += (size + 3) / 4 * 4;
    return data->stored_count++;
}

uint32_t tl_gltf_view_of(gltf_encoder *e, gltf_numbers numbers)
{
    const size_t each = component_size(numbers.component), count = (size_t)numbers.count * numbers.width;
    if (e->failed)
        return TRILO_NONE;
    order_bytes(e->data.bytes + e->data.size, count, each);
    const uint32_t known = store(e, &numbers, count * each);
    return known == TRILO_NONE ? TRILO_NONE : e->data.stored[known].view;
}

static uint32_t put_accessor(gltf_encoder *e, const gltf_stored *stored)
{
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_ACCESSORS, &index);
    tl_gltf_put_index(w, "bufferView", stored->view);
    tl_json_key(w, "componentType");
    tl_json_put_uint(w, stored->numbers.component);
    tl_json_key(w, "count");
    tl_json_put_uint(w, stored->numbers.count);
    tl_json_key(w, "type");
    tl_json_put_text(w, type_name(stored->numbers.width));
    if (stored->numbers.use == GLTF_FOR_POSITIONS || stored->numbers.use == GLTF_FOR_TIMES)
        put_bounds(e, w, stored);
    tl_json_close(w, '}');
    return index;
}

uint32_t tl_gltf_accessor_of(gltf_encoder *e, gltf_numbers numbers)
{
    const size_t each = component_size(numbers.component), count = (size_t)numbers.count * numbers.width;
    if (e->failed)
        return TRILO_NONE;
    uint8_t *bytes = e->data.bytes + e->data.size;
    const size_t mended = numbers.component == GLTF_F32 ? mend_floats(bytes, count) : 0;
    if (mended > 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_NAN), TRILO_NOWHERE,
                          "%zu of %zu numbers are not finite and were written as 0", mended, count);
    order_bytes(bytes, count, each);
    const uint32_t known = store(e, &numbers, count * each);
    if (known == TRILO_NONE)
        return TRILO_NONE;
    gltf_stored *stored = &e->data.stored[known];
    if (stored->accessor == TRILO_NONE)
        stored->accessor = put_accessor(e, stored);
    return stored->accessor;
}
