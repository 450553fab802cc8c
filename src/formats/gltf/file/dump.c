/* What a glTF file holds, for people: its text value by value, and where its bytes go. */
#include "formats/gltf/gltf.h"

/* --- values --- */

enum { NUMBERS_MOST = 16 };

static bool is_number(const tl_json *value)
{
    return value->kind == TL_JSON_NUMBER;
}

/* The narrowest kind that holds all of them. */
static trilo_value_kind kind_of(const tl_json *first)
{
    trilo_value_kind kind = TRILO_VALUE_UINT;
    for (const tl_json *v = first; v; v = v->next) {
        const bool whole = v->whole && v->number >= -9e15 && v->number <= 9e15;
        if (!whole)
            return TRILO_VALUE_FLOAT;
        if (v->number < 0)
            kind = TRILO_VALUE_INT;
    }
    return kind;
}

static void put_number(trilo_value *out, uint32_t at, double number)
{
    if (out->kind == TRILO_VALUE_UINT)
        out->as.u[at] = (uint64_t)number;
    else if (out->kind == TRILO_VALUE_INT)
        out->as.i[at] = (int64_t)number;
    else
        out->as.f[at] = number > 3.4e38 ? 3.4e38f : number < -3.4e38 ? -3.4e38f : (float)number;
}

/* A few numbers in a row are one field, as in other formats. */
static bool is_vector(const tl_json *value)
{
    if (value->kind != TL_JSON_ARRAY || value->count == 0 || value->count > NUMBERS_MOST)
        return false;
    for (const tl_json *v = value->first; v; v = v->next)
        if (!is_number(v))
            return false;
    return true;
}

static void visit_vector(const trilo_visitor *v, const char *name, const tl_json *array, uint64_t offset)
{
    trilo_value value = {.kind = kind_of(array->first), .count = array->count, .offset = offset};
    uint32_t at = 0;
    for (const tl_json *item = array->first; item; item = item->next)
        put_number(&value, at++, item->number);
    v->field(v->user, name, &value);
}

static void visit_number(const trilo_visitor *v, const char *name, const tl_json *number, uint64_t offset)
{
    tl_json alone = *number;
    alone.next = NULL;
    trilo_value value = {.kind = kind_of(&alone), .count = 1, .offset = offset};
    put_number(&value, 0, number->number);
    v->field(v->user, name, &value);
}

static void visit_text(const trilo_visitor *v, const char *name, trilo_str text, uint64_t offset)
{
    trilo_value value = {.kind = TRILO_VALUE_TEXT, .count = 1, .offset = offset};
    value.as.blob = (trilo_bytes){(const uint8_t *)text.data, text.len};
    v->field(v->user, name, &value);
}

static void visit_plain(const trilo_visitor *v, const char *name, const tl_json *value, uint64_t offset)
{
    static const char *const words[] = {[TL_JSON_NULL] = "null", [TL_JSON_FALSE] = "false", [TL_JSON_TRUE] = "true"};
    if (is_number(value))
        visit_number(v, name, value, offset);
    else if (value->kind == TL_JSON_STRING)
        visit_text(v, name, value->string, offset);
    else {
        size_t length = 0;
        while (words[value->kind][length])
            length++;
        visit_text(v, name, (trilo_str){words[value->kind], length}, offset);
    }
}

/* --- the tree --- */

enum { DEPTH_MOST = 64 }; /* the reader of the text lets no more in */

static bool opens(const tl_json *value)
{
    return (value->kind == TL_JSON_ARRAY || value->kind == TL_JSON_OBJECT) && !is_vector(value);
}

static void begin(const trilo_visitor *v, const char *name, const tl_json *value, uint64_t offset)
{
    if (value->kind == TL_JSON_ARRAY)
        v->list_begin(v->user, name, value->count, offset);
    else
        v->record_begin(v->user, name, offset);
}

static void end(const trilo_visitor *v, const tl_json *value)
{
    if (value->kind == TL_JSON_ARRAY)
        v->list_end(v->user);
    else
        v->record_end(v->user);
}

void tl_gltf_visit(const void *gltf, const trilo_visitor *v)
{
    const gltf_file *file = gltf;
    const tl_json *open[DEPTH_MOST + 1], *at = file->root->first;
    size_t depth = 0;
    for (;;) {
        if (!at && depth == 0)
            return;
        if (!at) {
            end(v, open[--depth]);
            at = open[depth]->next;
            continue;
        }
        const uint64_t offset = tl_gltf_at(file, at);
        if (is_vector(at))
            visit_vector(v, at->key.data, at, offset);
        else if (!opens(at))
            visit_plain(v, at->key.data, at, offset);
        else if (depth < DEPTH_MOST) {
            begin(v, at->key.data, at, offset);
            open[depth++] = at;
            at = at->first;
            continue;
        }
        at = at->next;
    }
}

/* --- sections --- */

typedef struct shares {
    trilo_section headers, json, binary, others;
} shares;

static void add(trilo_section *section, uint64_t size)
{
    section->count++;
    section->size += size;
}

static void share_chunks(const gltf_file *file, shares *s)
{
    glb_chunk chunk;
    trilo_bytes content;
    size_t at = tl_layout_size(&tl_glb_header, 0);
    add(&s->headers, at);
    while (tl_glb_next(file, &at, &chunk, &content)) {
        add(&s->headers, tl_layout_size(&tl_glb_chunk, 0));
        add(content.data == file->json.data  ? &s->json
            : content.data == file->bin.data ? &s->binary
                                             : &s->others,
            content.size);
    }
    if (file->size < file->bytes.size)
        add(&s->others, file->bytes.size - file->size);
}

size_t tl_gltf_sections(const void *gltf, trilo_section *sections, size_t room)
{
    const gltf_file *file = gltf;
    shares s = {{"header and chunk heads", 0, 0}, {"JSON", 0, 0}, {"binary", 0, 0}, {"other chunks", 0, 0}};
    if (file->binary)
        share_chunks(file, &s);
    else
        add(&s.json, file->bytes.size);
    const trilo_section all[] = {s.headers, s.json, s.binary, s.others};
    return tl_sections_keep(all, TL_COUNT_OF(all), sections, room);
}
