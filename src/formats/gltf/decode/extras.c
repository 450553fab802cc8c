/* Names, extras and extensions: text that the model keeps. */
#include "formats/gltf/decode/decode.h"

bool tl_gltf_copy(gltf_decoder *d, trilo_str text, trilo_str *out)
{
    *out = (trilo_str){"", 0};
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

static bool gltf_is_member_skipped(const tl_json *member, const char *const *skipped)
{
    for (; skipped && *skipped; skipped++)
        if (gltf_str_is(member->key, *skipped))
            return true;
    return false;
}

/* The text of a value. Of an object, members with skipped keys are left out; the copy can only be shorter. The text of
 * a member begins at its key, the first quote after the value in front of it. */
static bool gltf_copy_json(gltf_decoder *d, const tl_json *value, const char *const *skipped, trilo_str *out)
{
    const char *text = (const char *)d->file->json.data;
    bool any_skipped = false;
    *out = (trilo_str){"", 0};
    if (!value)
        return true;
    for (const tl_json *m = value->kind == TL_JSON_OBJECT ? value->first : NULL; m; m = m->next)
        any_skipped = any_skipped || gltf_is_member_skipped(m, skipped);
    if (!any_skipped)
        return tl_gltf_copy(d, (trilo_str){text + value->at, value->end - value->at}, out);
    char *copy = tl_array_raw(d->arena, (size_t)value->end - value->at + 1, 1);
    size_t used = 0;
    uint32_t from = value->at + 1;
    if (!copy)
        return false;
    for (const tl_json *m = value->first; m; from = m->end, m = m->next) {
        if (gltf_is_member_skipped(m, skipped))
            continue;
        while (from < m->at && text[from] != '"')
            from++;
        copy[used] = used == 0 ? '{' : ',';
        memcpy(copy + used + 1, text + from, m->end - from);
        used += 1 + m->end - from;
    }
    if (used > 0)
        copy[used++] = '}';
    copy[used] = '\0';
    *out = (trilo_str){copy, used};
    return true;
}

bool tl_gltf_extras(gltf_decoder *d, const tl_json *object, const char *const *skipped, trilo_extras *out)
{
    return gltf_copy_json(d, tl_json_member(object, "extras"), skipped, &out->json) &&
           gltf_copy_json(d, tl_json_member(object, "extensions"), skipped, &out->extensions);
}
