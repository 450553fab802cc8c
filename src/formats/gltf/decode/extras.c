/* Names and notes: text that the model takes over. */
#include "formats/gltf/decode/decode.h"

#include <string.h>

static const trilo_str no_text = {"", 0};

bool tl_gltf_is(const tl_json *value, const char *text)
{
    const trilo_str string = tl_json_string(value);
    return value && string.len == strlen(text) && memcmp(string.data, text, string.len) == 0;
}

bool tl_gltf_copy(gltf_decoder *d, trilo_str text, trilo_str *out)
{
    *out = no_text;
    if (text.len == 0)
        return true;
    const trilo_str copy = tl_str_copy(d->arena, text.data, text.len);
    if (copy.data)
        *out = copy;
    return copy.data != NULL;
}

bool tl_gltf_name(gltf_decoder *d, const tl_json *object, trilo_str *out)
{
    return tl_gltf_copy(d, tl_json_string(tl_json_member(object, "name")), out);
}

static bool is_skipped(const tl_json *member, const char *const *skip)
{
    for (; skip && *skip; skip++)
        if (member->key.len == strlen(*skip) && memcmp(member->key.data, *skip, member->key.len) == 0)
            return true;
    return false;
}

static bool any_skipped(const tl_json *object, const char *const *skip)
{
    for (const tl_json *member = object->first; member; member = member->next)
        if (is_skipped(member, skip))
            return true;
    return false;
}

/* The key of a member stands between the value in front of it and its own, behind a comma and blanks. */
static trilo_str member_text(const char *text, uint32_t from, const tl_json *member)
{
    while (from < member->at && text[from] != '"')
        from++;
    return (trilo_str){text + from, member->end - from};
}

/* An object, written again without some of its members. It can only become shorter. */
static bool without(gltf_decoder *d, const tl_json *object, const char *const *skip, trilo_str *out)
{
    const char *text = (const char *)d->file->json.data;
    char *copy = tl_array_raw(d->arena, (size_t)object->end - object->at + 1, 1);
    size_t used = 0;
    uint32_t from = object->at + 1;
    if (!copy)
        return false;
    for (const tl_json *member = object->first; member; from = member->end, member = member->next) {
        if (is_skipped(member, skip))
            continue;
        const trilo_str whole = member_text(text, from, member);
        copy[used] = used == 0 ? '{' : ',';
        memcpy(copy + used + 1, whole.data, whole.len);
        used += 1 + whole.len;
    }
    if (used > 0)
        copy[used++] = '}';
    copy[used] = '\0';
    *out = (trilo_str){copy, used};
    return true;
}

static bool note(gltf_decoder *d, const tl_json *value, const char *const *skip, trilo_str *out)
{
    *out = no_text;
    if (!value)
        return true;
    if (value->kind == TL_JSON_OBJECT && any_skipped(value, skip))
        return without(d, value, skip, out);
    return tl_gltf_copy(d, (trilo_str){(const char *)d->file->json.data + value->at, value->end - value->at}, out);
}

bool tl_gltf_extras(gltf_decoder *d, const tl_json *object, const char *const *skip, trilo_extras *out)
{
    return note(d, tl_json_member(object, "extras"), skip, &out->json) &&
           note(d, tl_json_member(object, "extensions"), skip, &out->extensions);
}
