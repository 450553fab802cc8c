/* For people: the JSON value by value, and what the bytes of a file are for. */
#include "base/strict_float.h"
#include "formats/gltf/gltf.h"

/* --- values --- */

/* A short array of numbers is one field, as in other formats. */
static bool gltf_is_vector(const tl_json *value)
{
    enum { MAX_NUMBERS = 16 };
    if (value->kind != TL_JSON_ARRAY || value->count == 0 || value->count > MAX_NUMBERS)
        return false;
    for (const tl_json *v = value->first; v; v = v->next)
        if (v->kind != TL_JSON_NUMBER)
            return false;
    return true;
}

/* `count` numbers from `first` on, as the narrowest kind that holds all of them. */
static void gltf_visit_numbers(const trilo_visitor *v, const char *name, const tl_json *first, uint32_t count,
                               uint64_t offset)
{
    trilo_value value = {.kind = TRILO_VALUE_KIND_UINT, .count = count, .offset = offset};
    const tl_json *item = first;
    for (uint32_t i = 0; i < count; i++, item = item->next) {
        const bool whole = item->whole && item->number >= -9e15 && item->number <= 9e15;
        if (!whole)
            value.kind = TRILO_VALUE_KIND_FLOAT;
        else if (item->number < 0 && value.kind == TRILO_VALUE_KIND_UINT)
            value.kind = TRILO_VALUE_KIND_INT;
    }
    item = first;
    for (uint32_t i = 0; i < count; i++, item = item->next) {
        const double number = item->number;
        if (value.kind == TRILO_VALUE_KIND_UINT)
            value.as.u[i] = (uint64_t)number;
        else if (value.kind == TRILO_VALUE_KIND_INT)
            value.as.i[i] = (int64_t)number;
        else
            value.as.f[i] = number > 3.4e38 ? 3.4e38f : number < -3.4e38 ? -3.4e38f : (float)number;
    }
    v->field(v->user, name, &value);
}

static void gltf_visit_text(const trilo_visitor *v, const char *name, trilo_str text, uint64_t offset)
{
    trilo_value value = {.kind = TRILO_VALUE_KIND_TEXT, .count = 1, .offset = offset};
    value.as.blob = (trilo_bytes){(const uint8_t *)text.data, text.len};
    v->field(v->user, name, &value);
}

/* Arrays and objects that are not finished yet are on a stack. The JSON reader accepts no deeper nesting. */
void tl_gltf_visit(const void *gltf, const trilo_visitor *v)
{
    enum { MAX_DEPTH = 64 };
    static const char *const literals[] = {[TL_JSON_NULL] = "null", [TL_JSON_FALSE] = "false", [TL_JSON_TRUE] = "true"};
    const gltf_file *file = gltf;
    const tl_json *open[MAX_DEPTH + 1], *at = file->root->first;
    size_t depth = 0;
    for (;;) {
        if (!at && depth == 0)
            return;
        if (!at) {
            const tl_json *closed = open[--depth];
            if (closed->kind == TL_JSON_ARRAY)
                v->list_end(v->user);
            else
                v->record_end(v->user);
            at = closed->next;
            continue;
        }
        const uint64_t offset = tl_gltf_at(file, at);
        const char *name = at->key.data;
        if (at->kind == TL_JSON_NUMBER)
            gltf_visit_numbers(v, name, at, 1, offset);
        else if (gltf_is_vector(at))
            gltf_visit_numbers(v, name, at->first, at->count, offset);
        else if (at->kind == TL_JSON_STRING)
            gltf_visit_text(v, name, at->string, offset);
        else if (at->kind != TL_JSON_ARRAY && at->kind != TL_JSON_OBJECT)
            gltf_visit_text(v, name, (trilo_str){literals[at->kind], strlen(literals[at->kind])}, offset);
        else if (depth < MAX_DEPTH) {
            if (at->kind == TL_JSON_ARRAY)
                v->list_begin(v->user, name, at->count, offset);
            else
                v->record_begin(v->user, name, offset);
            open[depth++] = at;
            at = at->first;
            continue;
        }
        at = at->next;
    }
}

/* --- sections --- */

static void gltf_section_add(trilo_section *section, uint64_t size)
{
    section->count++;
    section->size += size;
}

size_t tl_gltf_sections(const void *gltf, trilo_section *sections, size_t room)
{
    enum { HEADERS, JSON, BINARY, OTHERS };
    const gltf_file *file = gltf;
    trilo_section all[] = {{"header and chunk heads", 0, 0}, {"JSON", 0, 0}, {"binary", 0, 0}, {"other chunks", 0, 0}};
    glb_chunk chunk;
    trilo_bytes content;
    size_t at = tl_layout_size(&tl_glb_header, TL_UNVERSIONED);
    if (file->binary)
        gltf_section_add(&all[HEADERS], at);
    else
        gltf_section_add(&all[JSON], file->bytes.size);
    while (file->binary && tl_glb_next(file, &at, &chunk, &content)) {
        const int kind = content.data == file->json.data ? JSON : content.data == file->bin.data ? BINARY : OTHERS;
        gltf_section_add(&all[HEADERS], tl_layout_size(&tl_glb_chunk, TL_UNVERSIONED));
        gltf_section_add(&all[kind], content.size);
    }
    if (file->binary && file->size < file->bytes.size)
        gltf_section_add(&all[OTHERS], file->bytes.size - file->size);
    return tl_sections_keep(all, TL_COUNT_OF(all), sections, room);
}
