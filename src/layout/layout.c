#include "layout/layout.h"
#include "base/strict_float.h"
#include "layout/layout_avx2.h"

#include <inttypes.h>
#include <string.h>

size_t tl_kind_width(tl_kind kind)
{
    return (size_t)TL_WIDTH(kind);
}

bool tl_field_in(const tl_field *field, unsigned version)
{
    return version >= field->since && (field->until == 0 || version <= field->until);
}

size_t tl_layout_size(const tl_layout *layout, unsigned version)
{
    size_t size = 0;
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        size_t end = f->at + f->count * tl_kind_width(f->kind);
        if (tl_field_in(f, version) && end > size)
            size = end;
    }
    return size;
}

/* The bits of a number, sign-extended for the signed kinds. */
static uint64_t layout_get_number(tl_kind kind, tl_order order, const uint8_t *p)
{
    switch (kind) {
    case TL_U8:
        return p[0];
    case TL_S8:
        return (uint64_t)(int64_t)(int8_t)p[0];
    case TL_U16:
        return tl_get_u16(p, order);
    case TL_S16:
        return (uint64_t)(int64_t)(int16_t)tl_get_u16(p, order);
    case TL_S32:
        return (uint64_t)(int64_t)(int32_t)tl_get_u32(p, order);
    case TL_U64:
        return tl_get_u64(p, order);
    case TL_U32:
    case TL_F32:
        break;
    }
    return tl_get_u32(p, order);
}

/* A struct member has the width of its kind, in the byte order of the machine. */
void tl_layout_load(const tl_layout *layout, unsigned version, const uint8_t *bytes, void *host)
{
    const tl_order order = layout->order;
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        if (!tl_field_in(f, version))
            continue;
        const size_t width = tl_kind_width(f->kind), size = f->count * width;
        const uint8_t *from = bytes + f->at;
        uint8_t *to = (uint8_t *)host + f->host;
        if (width == 1 || tl_order_is_host(order)) {
            memcpy(to, from, size);
            continue;
        }
        for (size_t i = 0; i < size; i += width) {
            if (width == 2) {
                const uint16_t bits = tl_get_u16(from + i, order);
                memcpy(to + i, &bits, sizeof bits);
            } else if (width == 4) {
                const uint32_t bits = tl_get_u32(from + i, order);
                memcpy(to + i, &bits, sizeof bits);
            } else {
                const uint64_t bits = tl_get_u64(from + i, order);
                memcpy(to + i, &bits, sizeof bits);
            }
        }
    }
}

/* One number of each record; the width is a constant where this is called. */
static inline void layout_load_numbers(size_t width, tl_order order, const uint8_t *from, size_t size, uint8_t *to,
                                       size_t host_size, size_t count)
{
    for (size_t i = 0; i < count; i++, from += size, to += host_size) {
        if (width == 1) {
            *to = *from;
        } else if (width == 2) {
            const uint16_t bits = tl_get_u16(from, order);
            memcpy(to, &bits, sizeof bits);
        } else if (width == 4) {
            const uint32_t bits = tl_get_u32(from, order);
            memcpy(to, &bits, sizeof bits);
        } else {
            const uint64_t bits = tl_get_u64(from, order);
            memcpy(to, &bits, sizeof bits);
        }
    }
}

/* Field by field, so that the table is looked at once for all records. */
void tl_records_load(const tl_records *records, void *hosts, size_t host_size)
{
    const tl_layout *layout = records->layout;
    const size_t size = tl_layout_size(layout, records->version), count = records->count;
#if TL_AVX2
    if (tl_has_avx2() && tl_records_load_avx2(records, hosts, host_size))
        return;
#endif
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        const size_t width = tl_kind_width(f->kind);
        for (size_t i = 0; tl_field_in(f, records->version) && i < f->count; i++) {
            const uint8_t *from = records->bytes + f->at + i * width;
            uint8_t *to = (uint8_t *)hosts + f->host + i * width;
            if (width == 1)
                layout_load_numbers(1, layout->order, from, size, to, host_size, count);
            else if (width == 2 && layout->order == TL_BIG)
                layout_load_numbers(2, TL_BIG, from, size, to, host_size, count);
            else if (width == 4 && layout->order == TL_BIG)
                layout_load_numbers(4, TL_BIG, from, size, to, host_size, count);
            else
                layout_load_numbers(width, layout->order, from, size, to, host_size, count);
        }
    }
}

static void layout_store_field(const tl_field *f, tl_order order, const void *host, uint8_t *bytes)
{
    const size_t width = tl_kind_width(f->kind), size = f->count * width;
    const uint8_t *from = (const uint8_t *)host + f->host;
    if (width == 1 || tl_order_is_host(order)) {
        memcpy(bytes, from, size);
        return;
    }
    for (size_t i = 0; i < size; i += width) { /* byte by byte the reverse: reading is its own inverse */
        if (width == 2) {
            const uint16_t bits = tl_get_u16(from + i, order);
            memcpy(bytes + i, &bits, sizeof bits);
        } else if (width == 4) {
            const uint32_t bits = tl_get_u32(from + i, order);
            memcpy(bytes + i, &bits, sizeof bits);
        } else {
            const uint64_t bits = tl_get_u64(from + i, order);
            memcpy(bytes + i, &bits, sizeof bits);
        }
    }
}

void tl_layout_store(const tl_layout *layout, unsigned version, const void *host, uint8_t *bytes)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (tl_field_in(f, version))
            layout_store_field(f, layout->order, host, bytes + f->at);
}

const tl_field *tl_layout_row_at(const tl_layout *layout, unsigned version, size_t at)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (tl_field_in(f, version) && f->at == at)
            return f;
    return NULL;
}

/* Most records are written at once. Others may have any size: field by field in file order. */
size_t tl_layout_write(tl_sink *sink, const tl_layout *layout, unsigned version, const void *host)
{
    uint8_t bytes[2 * TL_FIELD_MOST * sizeof(uint64_t)]; /* a field always fits */
    const size_t size = tl_layout_size(layout, version);
    if (size <= sizeof bytes) {
        tl_layout_store(layout, version, host, bytes);
        tl_sink_put(sink, bytes, size);
        return size;
    }
    const tl_field *f;
    for (size_t at = 0; (f = tl_layout_row_at(layout, version, at)); at += f->count * tl_kind_width(f->kind)) {
        layout_store_field(f, layout->order, host, bytes);
        tl_sink_put(sink, bytes, f->count * tl_kind_width(f->kind));
    }
    return size;
}

static bool layout_check_range(tl_reader *reader, tl_order order, const tl_field *f, const uint8_t *start)
{
    if (f->min == 0 && f->max == 0)
        return true;
    for (size_t i = 0; i < f->count; i++) {
        const uint8_t *p = start + f->at + i * tl_kind_width(f->kind);
        int64_t value = (int64_t)layout_get_number(f->kind, order, p);
        if (value >= f->min && value <= f->max)
            continue;
        tl_path_push(&reader->path, f->name, f->count > 1 ? i : TL_NO_INDEX);
        uint64_t offset = (uint64_t)(p - reader->base);
        if (f->min == f->max)
            tl_reader_fail(reader, TRILO_CODE_UNSUPPORTED, f->rule, offset, "%" PRId64 ", only %" PRId64 " is known",
                           value, f->min);
        else
            tl_reader_fail(reader, TRILO_CODE_BAD_VALUE, f->rule, offset,
                           "%" PRId64 ", must be %" PRId64 " to %" PRId64, value, f->min, f->max);
        tl_path_pop(&reader->path);
        return false;
    }
    return true;
}

bool tl_layout_read(tl_reader *reader, const tl_layout *layout, unsigned version, void *host)
{
    const uint8_t *start = tl_reader_take(reader, layout->name, 1, tl_layout_size(layout, version));
    if (!start)
        return false;
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (tl_field_in(f, version) && !layout_check_range(reader, layout->order, f, start))
            return false;
    tl_layout_load(layout, version, start, host);
    return true;
}

void tl_layout_visit(const tl_layout *layout, unsigned version, const uint8_t *bytes, uint64_t offset,
                     const trilo_visitor *visitor)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        if (!tl_field_in(f, version))
            continue;
        const bool is_signed = f->kind == TL_S8 || f->kind == TL_S16 || f->kind == TL_S32;
        trilo_value value = {.count = f->count, .offset = offset + f->at};
        value.kind = f->kind == TL_F32 ? TRILO_VALUE_KIND_FLOAT
                     : is_signed       ? TRILO_VALUE_KIND_INT
                                       : TRILO_VALUE_KIND_UINT;
        for (size_t i = 0; i < f->count && i < TL_COUNT_OF(value.as.u); i++) {
            const uint8_t *p = bytes + f->at + i * tl_kind_width(f->kind);
            const uint64_t number = layout_get_number(f->kind, layout->order, p);
            if (value.kind == TRILO_VALUE_KIND_FLOAT)
                value.as.f[i] = tl_float_of((uint32_t)number);
            else if (value.kind == TRILO_VALUE_KIND_INT)
                value.as.i[i] = (int64_t)number;
            else
                value.as.u[i] = number;
        }
        visitor->field(visitor->user, f->name, &value);
    }
}

const tl_field *tl_layout_field(const tl_layout *layout, unsigned version, const char *name)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (tl_field_in(f, version) && strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

void tl_records_floats(const tl_records *records, const char *field, float *out, size_t stride)
{
    const tl_field *f = tl_layout_field(records->layout, records->version, field);
    const size_t size = tl_layout_size(records->layout, records->version);
    for (size_t row = 0; row < records->count; row++) {
        const uint8_t *p = records->bytes + row * size + f->at;
        for (size_t i = 0; i < f->count; i++)
            out[row * stride + i] = tl_get_f32(p + 4 * i, records->layout->order);
    }
}

void tl_records_ints(const tl_records *records, const char *field, size_t row, int64_t *out)
{
    const tl_field *f = tl_layout_field(records->layout, records->version, field);
    const uint8_t *p = records->bytes + row * tl_layout_size(records->layout, records->version) + f->at;
    for (size_t i = 0; i < f->count; i++)
        out[i] = (int64_t)layout_get_number(f->kind, records->layout->order, p + i * tl_kind_width(f->kind));
}
