#include "layout/layout.h"

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

/* The raw bits of a number, sign-extended for the signed kinds. */
static uint64_t raw_get(tl_kind kind, tl_order order, const uint8_t *p)
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

static void raw_put(tl_kind kind, tl_order order, uint64_t raw, uint8_t *p)
{
    switch (tl_kind_width(kind)) {
    case 1:
        p[0] = (uint8_t)raw;
        break;
    case 2:
        tl_put_u16(p, order, (uint16_t)raw);
        break;
    case 8:
        tl_put_u64(p, order, raw);
        break;
    default:
        tl_put_u32(p, order, (uint32_t)raw);
    }
}

/* The host member has the kind's own width, in the machine's byte order. */
static uint64_t host_get(tl_kind kind, const uint8_t *member)
{
    return raw_get(kind, tl_order_is_host(TL_BIG) ? TL_BIG : TL_LITTLE, member);
}

/* The bits of a field go over as they are: a number has the same width in the file and in the struct. */
static void field_load(const tl_field *f, tl_order order, const uint8_t *from, uint8_t *to)
{
    const size_t width = tl_kind_width(f->kind), size = f->count * width;
    if (width == 1 || tl_order_is_host(order)) {
        memcpy(to, from, size);
        return;
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

void tl_layout_load(const tl_layout *layout, unsigned version, const uint8_t *bytes, void *host)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (tl_field_in(f, version))
            field_load(f, layout->order, bytes + f->at, (uint8_t *)host + f->host);
}

void tl_layout_store(const tl_layout *layout, unsigned version, const void *host, uint8_t *bytes)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++) {
        if (!tl_field_in(f, version))
            continue;
        size_t width = tl_kind_width(f->kind);
        for (size_t i = 0; i < f->count; i++)
            raw_put(f->kind, layout->order, host_get(f->kind, (const uint8_t *)host + f->host + i * width),
                    bytes + f->at + i * width);
    }
}

const tl_field *tl_layout_row_at(const tl_layout *layout, unsigned version, size_t at)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (tl_field_in(f, version) && f->at == at)
            return f;
    return NULL;
}

/* Field by field in file order, so that no record is too large. */
void tl_layout_write(tl_sink *sink, const tl_layout *layout, unsigned version, const void *host)
{
    const tl_field *f;
    for (size_t at = 0; (f = tl_layout_row_at(layout, version, at));) {
        uint8_t bytes[TL_FIELD_MOST * sizeof(uint64_t)];
        const size_t width = tl_kind_width(f->kind);
        for (size_t i = 0; i < f->count; i++)
            raw_put(f->kind, layout->order, host_get(f->kind, (const uint8_t *)host + f->host + i * width),
                    bytes + i * width);
        tl_sink_put(sink, bytes, f->count * width);
        at += f->count * width;
    }
}

static bool field_in_range(tl_reader *reader, tl_order order, const tl_field *f, const uint8_t *start)
{
    if (f->min == 0 && f->max == 0)
        return true;
    for (size_t i = 0; i < f->count; i++) {
        const uint8_t *p = start + f->at + i * tl_kind_width(f->kind);
        int64_t value = (int64_t)raw_get(f->kind, order, p);
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
        if (tl_field_in(f, version) && !field_in_range(reader, layout->order, f, start))
            return false;
    tl_layout_load(layout, version, start, host);
    return true;
}

static trilo_value_kind value_kind(tl_kind kind)
{
    const bool is_signed = kind == TL_S8 || kind == TL_S16 || kind == TL_S32;
    return kind == TL_F32 ? TRILO_VALUE_FLOAT : is_signed ? TRILO_VALUE_INT : TRILO_VALUE_UINT;
}

static void field_visit(const tl_layout *layout, const tl_field *f, const uint8_t *bytes, uint64_t offset,
                        const trilo_visitor *visitor)
{
    trilo_value value = {.count = f->count, .offset = offset + f->at};
    value.kind = value_kind(f->kind);
    for (size_t i = 0; i < f->count && i < TL_COUNT_OF(value.as.u); i++) {
        uint64_t raw = raw_get(f->kind, layout->order, bytes + f->at + i * tl_kind_width(f->kind));
        if (value.kind == TRILO_VALUE_FLOAT)
            value.as.f[i] = tl_float_of((uint32_t)raw);
        else if (value.kind == TRILO_VALUE_INT)
            value.as.i[i] = (int64_t)raw;
        else
            value.as.u[i] = raw;
    }
    visitor->field(visitor->user, f->name, &value);
}

void tl_layout_visit(const tl_layout *layout, unsigned version, const uint8_t *bytes, uint64_t offset,
                     const trilo_visitor *visitor)
{
    for (const tl_field *f = layout->fields; f < layout->fields + layout->field_count; f++)
        if (tl_field_in(f, version))
            field_visit(layout, f, bytes, offset, visitor);
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
        out[i] = (int64_t)raw_get(f->kind, records->layout->order, p + i * tl_kind_width(f->kind));
}
